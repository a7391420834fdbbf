// enclosure.c -- whether the goal of a route lies in a closed place, so that no search need look
// for a way to it in all of an endless world.
//
// A flood backward from the goal, against one-way walls and links, of what can be reached alone: a
// fraction of what distances take. It goes on beside the search, a closed square for so much of
// its work, so that of both the one decides that has the less to see. Where it ends without having
// come to the start, or to what is not there, no way leads from the start to the goal.

#include "world/squares.h"

#include "world/route_searching.h"

enum { LAST = ASTAR_CHUNK_SIDE, WIDTH = LAST + 1 };

static bool has_bit(const uint64_t *bits, int cell)
{
    return (bits[cell / 64] >> cell % 64 & 1) != 0;
}

static void set_bit(uint64_t *bits, int cell)
{
    bits[cell / 64] |= (uint64_t)1 << cell % 64;
}

static int cell_of_square(const AstarEnclosedSquare *square, int32_t x, int32_t y)
{
    return (int)((y - square->plot.j * LAST) * WIDTH + (x - square->plot.i * LAST));
}

// ---- squares that a way leads from ----

static AstarStatus need_enclosed_square(AstarRouteSearch *search, int32_t i, int32_t j,
                                        AstarEnclosedSquare **out)
{
    AstarWorld *world = search->finder->world;
    AstarPlots *plots = &search->enclosure.plots;
    size_t before = plots->count;
    *out = (AstarEnclosedSquare *)astar_plots_need(plots, &world->allocator, i, j, sizeof **out);
    world->bytes_of_floods += (plots->count - before) * sizeof **out;
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void let_square_wait(AstarEnclosure *enclosure, AstarEnclosedSquare *square)
{
    if (square->waits)
        return;
    square->waits = true;
    square->next = NULL;
    if (enclosure->first == NULL)
        enclosure->first = square;
    else
        enclosure->last->next = square;
    enclosure->last = square;
}

// Takes a cell that a way leads from, in all squares that hold it.
static AstarStatus reach_backward(AstarRouteSearch *search, int32_t x, int32_t y)
{
    if (!astar_is_of_world(x, y))
        return ASTAR_OK;
    AstarSquares in = astar_squares_of(x, y);
    AstarStatus status = ASTAR_OK;
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++) {
            AstarEnclosedSquare *square;
            status = need_enclosed_square(search, i, j, &square);
            if (status != ASTAR_OK || has_bit(square->reached, cell_of_square(square, x, y)))
                continue;
            set_bit(square->reached, cell_of_square(square, x, y));
            set_bit(square->fresh, cell_of_square(square, x, y));
            let_square_wait(&search->enclosure, square);
        }
    return status;
}

// ---- flooding one ----

static bool is_all_open(const AstarCutout *cutout)
{
    bool is_open = !cutout->has_walls;
    for (int y = 0; y < WIDTH && is_open; y++)
        is_open = memchr(cutout->open + astar_cutout_at(cutout, cutout->x0, cutout->y0 + y), 0,
                         WIDTH) == NULL;
    return is_open;
}

// Goes against all legal steps from the cells that are fresh, inside the square.
static void flood_square_backward(AstarEnclosedSquare *square, const AstarCutout *cutout)
{
    uint16_t stack[ASTAR_MOST_NODES];
    int count = 0;
    if (is_all_open(cutout)) {
        memset(square->reached, 0xFF, sizeof square->reached);
        return;
    }
    for (int cell = 0; cell < ASTAR_MOST_NODES; cell++)
        if (has_bit(square->fresh, cell))
            stack[count++] = (uint16_t)cell;
    while (count > 0) {
        int cell = stack[--count];
        size_t at = astar_cutout_at(cutout, cutout->x0 + cell % WIDTH, cutout->y0 + cell / WIDTH);
        if (!astar_cutout_is_open(cutout, at))
            continue; // a link leads from where the unit cannot stand
        for (unsigned from = astar_cutout_legal_into(cutout, at); from != 0; from &= from - 1) {
            int d = astar_lowest_bit(from), next = cell + astar_dy[d] * WIDTH + astar_dx[d];
            if (has_bit(square->reached, next))
                continue;
            set_bit(square->reached, next);
            stack[count++] = (uint16_t)next;
        }
    }
}

// Has the squares beside this one go on from the cells of its lines.
static AstarStatus leave_square(AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    AstarStatus status = ASTAR_OK;
    for (int row = 0; row < WIDTH; row++)
        for (int column = 0; column < WIDTH && status == ASTAR_OK;
             column += row == 0 || row == LAST ? 1 : LAST)
            if (has_bit(square->reached, row * WIDTH + column))
                status = reach_backward(search, square->plot.i * LAST + column,
                                        square->plot.j * LAST + row);
    return status;
}

// Goes back over the links that lead into the square.
static AstarStatus leave_over_links(AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    const AstarWorld *world = search->finder->world;
    const AstarCutout *cutout = world->cutout;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < world->link_count && status == ASTAR_OK; i++) {
        const AstarLink *link = &world->links[i];
        if (astar_cutout_holds(cutout, link->x1, link->y1) &&
            has_bit(square->reached, cell_of_square(square, link->x1, link->y1)))
            status = reach_backward(search, link->x0, link->y0);
    }
    return status;
}

// Whether a way may lead on from the square over what is not there.
static bool is_beside_frontier(const AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    int count = !astar_has_frontier(search->finder)
                    ? 0
                    : astar_square_frontier(search->finder, square->plot.i, square->plot.j, lines);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < lines[k].length; i++)
            if (has_bit(square->reached, (lines[k].row + lines[k].dy * i) * WIDTH +
                                             lines[k].column + lines[k].dx * i))
                return true;
    return false;
}

static bool holds_start(const AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    return astar_cutout_holds(search->finder->world->cutout, search->sx, search->sy) &&
           has_bit(square->reached, cell_of_square(square, search->sx, search->sy));
}

// ---- beside the search ----

AstarStatus astar_enclosure_begin(AstarRouteSearch *search)
{
    astar_enclosure_free(search);
    const AstarWorld *world = search->finder->world;
    search->enclosure.is_over = false;
    AstarStatus status = ASTAR_OK;
    // Over the edge of what is near enough to a goal all ways come in, but those over links.
    for (size_t i = 0; i < search->aims.count; i++) {
        AstarWorldEdit box = astar_route_goal_box(&search->aims.goals[i]);
        for (int32_t y = box.y0; y <= box.y1; y++)
            for (int32_t x = box.x0; x <= box.x1 && status == ASTAR_OK;
                 x += y == box.y0 || y == box.y1 ? 1 : box.x1 - box.x0)
                status = reach_backward(search, x, y);
    }
    for (uint32_t i = 0; i < world->link_count && status == ASTAR_OK; i++)
        if (astar_route_is_goal(search, world->links[i].x1, world->links[i].y1))
            status = reach_backward(search, world->links[i].x1, world->links[i].y1);
    return status;
}

// A square that memory has run out for waits once more.
AstarStatus astar_enclosure_flood_next(AstarRouteSearch *search, void *context)
{
    AstarEnclosure *enclosure = &search->enclosure;
    AstarEnclosedSquare *square = enclosure->first;
    if (square == NULL)
        return ASTAR_UNREACHABLE;
    astar_route_note_square(search, square->plot.i, square->plot.j);
    AstarStatus status = astar_route_fill_square(search, square->plot.i, square->plot.j, context);
    if (status != ASTAR_OK)
        return status;
    flood_square_backward(square, search->finder->world->cutout);
    enclosure->first = square->next;
    square->waits = false;
    memset(square->fresh, 0, sizeof square->fresh);
    status = leave_square(search, square);
    if (status == ASTAR_OK)
        status = leave_over_links(search, square);
    if (status != ASTAR_OK) {
        memcpy(square->fresh, square->reached, sizeof square->fresh);
        let_square_wait(enclosure, square);
        return status;
    }
    enclosure->floods++;
    bool is_large = enclosure->plots.count * sizeof *square >
                    search->finder->world->options.bytes / 8; // that chunks are to be held in
    if (is_large || holds_start(search, square) || is_beside_frontier(search, square))
        astar_enclosure_free(search);
    return ASTAR_RUNNING;
}

// It is over then: it cannot show any more that there is no way.
void astar_enclosure_free(AstarRouteSearch *search)
{
    AstarWorld *world = search->finder->world;
    AstarEnclosure *enclosure = &search->enclosure;
    world->bytes_of_floods -= enclosure->plots.count * sizeof(AstarEnclosedSquare);
    astar_plots_free(&enclosure->plots, &world->allocator);
    *enclosure = (AstarEnclosure){.is_over = true};
}
