// route_boundaries.c -- block A*: how a search crosses chunks of which nothing is measured, nor
// kept.
//
// What is expanded is a whole closed chunk: one flood from all cells of its lines that have come
// nearer since its last one, each with its cost so far. What that brings nearer of its lines is to
// be flooded from in its neighbors. The next chunk is that of the least f among such cells (P. Yap,
// N. Burch, R. Holte, J. Schaeffer, 2011, who have distances inside blocks from a table).
//
// A chunk is flooded again where ways come in that are cheaper: so some cell of a best way always
// waits with its best cost, and the first f that is not below the cost of the goal ends the search
// within 'weight' times the best. By no weight that is the best way itself.

#include "world/route_searching.h"
#include "world/squares.h"

#include "base/array.h"

enum { SIDE = ASTAR_CHUNK_SIDE, BY_ENTRANCE = UINT16_MAX };

// ---- cells of the lines ----

// Where the cells of the lines lie: those of the northern line, of the southern one, and of the
// western and eastern one between them.
static int line_cell_column(int cell)
{
    if (cell < 2 * (SIDE + 1))
        return cell % (SIDE + 1);
    return cell < 3 * SIDE + 1 ? 0 : SIDE;
}

static int line_cell_row(int cell)
{
    if (cell < 2 * (SIDE + 1))
        return cell < SIDE + 1 ? 0 : SIDE;
    return cell < 3 * SIDE + 1 ? cell - 2 * SIDE - 1 : cell - 3 * SIDE;
}

static int line_cell_at(int column, int row)
{
    if (row == 0 || row == SIDE)
        return row == 0 ? column : SIDE + 1 + column;
    return column == 0 ? 2 * SIDE + 1 + row : 3 * SIDE + row;
}

static size_t line_cell_in(const AstarCutout *cutout, int cell)
{
    return astar_cutout_at(cutout, cutout->x0 + line_cell_column(cell),
                           cutout->y0 + line_cell_row(cell));
}

static bool is_on_lines(int column, int row)
{
    return column == 0 || row == 0 || column == SIDE || row == SIDE;
}

// ---- boundaries ----

static AstarStatus need_boundary(AstarRouteSearch *search, int32_t i, int32_t j,
                                 AstarBoundary **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarBoundaries *boundaries = &search->floods.boundaries;
    *out = astar_route_boundary(search, i, j);
    if (*out != NULL)
        return ASTAR_OK;
    if (!ASTAR_RESERVE(allocator, boundaries->list, boundaries->count, 1, &boundaries->capacity,
                       64))
        return ASTAR_NO_MEMORY;
    AstarBoundary *boundary = (AstarBoundary *)astar_plots_need(&boundaries->plots, allocator, i, j,
                                                                sizeof *boundary);
    if (boundary == NULL)
        return ASTAR_NO_MEMORY;
    boundary->least = (double)INFINITY;
    for (int cell = 0; cell < ASTAR_LINE_CELLS; cell++)
        boundary->g[cell] = (double)INFINITY;
    boundary->number = (uint32_t)boundaries->count;
    boundaries->list[boundaries->count++] = *out = boundary;
    search->finder->world->bytes_of_floods += sizeof *boundary;
    return ASTAR_OK;
}

void astar_route_free_boundaries(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarBoundaries *boundaries = &search->floods.boundaries;
    search->finder->world->bytes_of_floods -= boundaries->count * sizeof **boundaries->list;
    astar_release(allocator, boundaries->list, boundaries->capacity, sizeof *boundaries->list);
    astar_release(allocator, boundaries->entrances, boundaries->entrance_capacity,
                  sizeof *boundaries->entrances);
    astar_release(allocator, boundaries->sources, boundaries->source_capacity,
                  sizeof *boundaries->sources);
    astar_plots_free(&boundaries->plots, allocator);
    *boundaries = (AstarBoundaries){.goal = {.g = (double)INFINITY},
                                    .frontier = {.g = (double)INFINITY}};
}

// Has a square wait to be flooded, if it does not for a better cell already.
static AstarStatus open_boundary(AstarRouteSearch *search, AstarBoundary *boundary, double g,
                                 double f)
{
    if (f >= boundary->least)
        return ASTAR_OK;
    // One more, for the square being flooded, should that have to wait again.
    if (!astar_heap_reserve(&search->floods.open, &search->finder->world->allocator, 2))
        return ASTAR_NO_MEMORY;
    boundary->least = f;
    boundary->left = (f - g) / search->question.weight;
    astar_heap_push(&search->floods.open, astar_open(f, g, boundary->number));
    return ASTAR_OK;
}

// By the new weight another cell of a boundary may be the best, but none lies nearer to the goal by
// more than the square is wide.
void astar_route_search_raise(AstarRouteSearch *search, double weight)
{
    const AstarBoundaries *boundaries = &search->floods.boundaries;
    double wide = astar_estimate(&search->finder->heuristic, SIDE, SIDE);
    double more = weight - search->question.weight;
    search->question.weight = weight;
    astar_heap_clear(&search->floods.open);
    for (size_t i = 0; i < boundaries->count; i++) {
        AstarBoundary *boundary = boundaries->list[i];
        if (isinf(boundary->least))
            continue;
        boundary->least += more * fmax(boundary->left - wide, 0);
        astar_heap_push(&search->floods.open,
                        astar_open(boundary->least, boundary->least, boundary->number));
    }
}

// Has one that was taken off the list wait for all cells of its lines, before all others: to be
// flooded once more from the start.
static void reopen_boundary(AstarRouteSearch *search, AstarBoundary *boundary)
{
    memset(boundary->improved, 0xFF, sizeof boundary->improved);
    boundary->least = 0;
    astar_heap_push(&search->floods.open, astar_open(0, 0, boundary->number));
}

// The boundary of the square to be flooded next, on top of the list; NULL where none can lead to a
// better end than there is.
static AstarBoundary *next_boundary(AstarRouteSearch *search)
{
    const AstarBoundaries *boundaries = &search->floods.boundaries;
    double enough = boundaries->goal.g, most = search->question.max_cost;
    if (search->is_goal_absent && !isinf(boundaries->frontier.g))
        enough = fmin(enough,
                      boundaries->frontier.g +
                          astar_route_left(search, boundaries->frontier.x, boundaries->frontier.y));
    while (astar_heap_count(&search->floods.open) > 0) {
        AstarOpen top = astar_heap_top(&search->floods.open);
        AstarBoundary *boundary = boundaries->list[astar_open_cell(top)];
        if (astar_open_f(top) == boundary->least) {
            search->end.is_cut_off = boundary->least > most;
            return boundary->least < enough && !search->end.is_cut_off ? boundary : NULL;
        }
        astar_heap_pop(
            &search->floods.open); // it has been flooded since, or waits for a better cell
    }
    return NULL;
}

// ---- ways to cells ----

// Where the way to a cell of the lines comes from: which of the squares that hold both, and the
// column and row there.
static uint16_t pack_before(const AstarRouteReach *way, const AstarBoundary *found_in)
{
    if (found_in == NULL)
        return BY_ENTRANCE;
    AstarSquares in = astar_squares_of(way->x, way->y);
    int square = found_in->plot.i - in.i0 + 2 * (found_in->plot.j - in.j0);
    int column = way->before_x - found_in->plot.i * SIDE;
    int row = way->before_y - found_in->plot.j * SIDE;
    return (uint16_t)(square << 14 | row << 7 | column);
}

// Takes the cheapest way yet to a cell, found by flooding a square; NULL: in none. What lies on a
// boundary is to be flooded from in the others that hold it.
static AstarStatus take_way(AstarRouteSearch *search, AstarRouteReach way,
                            const AstarBoundary *found_in)
{
    AstarSquares in = astar_squares_of(way.x, way.y);
    AstarBoundary *holders[4];
    int count = 0;
    double f = way.g + astar_route_rest(search, way.x, way.y);
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1; i++) {
            AstarStatus status = need_boundary(search, i, j, &holders[count]);
            if (status == ASTAR_OK && holders[count] != found_in)
                status = open_boundary(search, holders[count], way.g, f);
            if (status != ASTAR_OK)
                return status;
            count++;
        }
    uint16_t before = pack_before(&way, found_in);
    for (int k = 0; k < count; k++) {
        int column = way.x - holders[k]->plot.i * SIDE, row = way.y - holders[k]->plot.j * SIDE;
        if (!is_on_lines(column, row))
            continue;
        int cell = line_cell_at(column, row);
        holders[k]->g[cell] = way.g;
        holders[k]->before[cell] = before;
        if (holders[k] != found_in)
            holders[k]->improved[cell / 64] |= UINT64_C(1) << cell % 64;
    }
    return ASTAR_OK;
}

static AstarLanding *find_entrance(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarBoundaries *boundaries = &search->floods.boundaries;
    for (size_t i = 0; i < boundaries->entrance_count; i++)
        if (boundaries->entrances[i].x == x && boundaries->entrances[i].y == y)
            return &boundaries->entrances[i];
    return NULL;
}

// What the cheapest way yet costs to a cell of the lines, or where a way has come in; else
// INFINITY.
static double cost_to_cell(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarLanding *entrance = find_entrance(search, x, y);
    const AstarBoundary *boundary = astar_route_boundary(search, astar_chunk_of(x),
                                                         astar_chunk_of(y));
    int column = astar_in_chunk(x), row = astar_in_chunk(y);
    if (boundary != NULL && is_on_lines(column, row))
        return boundary->g[line_cell_at(column, row)];
    return entrance != NULL ? entrance->g : (double)INFINITY;
}

AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding entrance)
{
    if (entrance.g >= cost_to_cell(search, entrance.x, entrance.y))
        return ASTAR_OK;
    AstarBoundaries *boundaries = &search->floods.boundaries;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, boundaries->entrances,
                       boundaries->entrance_count, 1, &boundaries->entrance_capacity, 4))
        return ASTAR_NO_MEMORY;
    AstarLanding *place = find_entrance(search, entrance.x, entrance.y);
    AstarStatus status = take_way(
        search, (AstarRouteReach){entrance.x, entrance.y, entrance.g, 0, 0}, NULL);
    if (status != ASTAR_OK)
        return status;
    if (place == NULL)
        place = &boundaries->entrances[boundaries->entrance_count++];
    *place = entrance;
    return ASTAR_OK;
}

// ---- flooding a square ----

// Lists what a square is to be flooded from; what else is known of its lines is put down.
static size_t list_boundary_sources(AstarRouteSearch *search, const AstarBoundary *boundary,
                                    AstarCutout *cutout)
{
    AstarSource *sources = search->floods.boundaries.sources;
    size_t count = 0;
    for (int cell = 0; cell < ASTAR_LINE_CELLS; cell++) {
        size_t at = line_cell_in(cutout, cell);
        if (isinf(boundary->g[cell]) || !astar_cutout_is_open(cutout, at))
            continue;
        if ((boundary->improved[cell / 64] >> cell % 64 & 1) != 0)
            sources[count++] = (AstarSource){at, boundary->g[cell]};
        else
            cutout->g[at] = boundary->g[cell];
    }
    for (size_t i = 0; i < search->floods.boundaries.entrance_count; i++) {
        const AstarLanding *entrance = &search->floods.boundaries.entrances[i];
        int column = entrance->x - cutout->x0, row = entrance->y - cutout->y0;
        if (!astar_cutout_holds(cutout, entrance->x, entrance->y))
            continue;
        size_t at = astar_cutout_at(cutout, entrance->x, entrance->y);
        if (!astar_cutout_is_open(cutout, at))
            search->end.has_seen_frontier |= astar_route_is_absent(search, entrance->x,
                                                                   entrance->y);
        else if (!is_on_lines(column, row))
            sources[count++] = (AstarSource){at, entrance->g};
    }
    return count;
}

static AstarStatus flood_boundary(AstarRouteSearch *search, const AstarBoundary *boundary,
                                  void *context)
{
    AstarCutout *cutout = search->finder->world->cutout;
    astar_route_note_square(search, boundary->plot.i, boundary->plot.j);
    AstarBoundaries *boundaries = &search->floods.boundaries;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, boundaries->sources, (size_t)0,
                       ASTAR_LINE_CELLS + boundaries->entrance_count, &boundaries->source_capacity,
                       0))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_route_fill_square(search, boundary->plot.i, boundary->plot.j,
                                                 context);
    if (status != ASTAR_OK)
        return status;
    astar_cutout_clear(cutout);
    AstarSources sources = {boundaries->sources, list_boundary_sources(search, boundary, cutout),
                            true, 0};
    return sources.count > 0 ? astar_cutout_flood_from(cutout, sources) : ASTAR_OK;
}

// How a cell was reached by the last flood.
static AstarRouteReach route_reach_at(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    size_t at = astar_cutout_at(cutout, x, y);
    if (isinf(cutout->g[at]))
        return (AstarRouteReach){x, y, (double)INFINITY, x, y};
    size_t before = search->floods.boundaries.sources[cutout->origin[at]].at,
           stride = (size_t)cutout->stride;
    return (AstarRouteReach){x, y, cutout->g[at], cutout->x0 + (int32_t)(before % stride) - 1,
                             cutout->y0 + (int32_t)(before / stride) - 1};
}

// Takes the ways that a flood has found to the cells of the lines.
static AstarStatus take_line_cells(AstarRouteSearch *search, AstarBoundary *boundary)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    AstarStatus status = ASTAR_OK;
    for (int cell = 0; cell < ASTAR_LINE_CELLS && status == ASTAR_OK; cell++)
        if (cutout->g[line_cell_in(cutout, cell)] < boundary->g[cell])
            status = take_way(search,
                              route_reach_at(search, cutout->x0 + line_cell_column(cell),
                                             cutout->y0 + line_cell_row(cell)),
                              boundary);
    return status;
}

// Follows the links that lead from cells which a flood has come to.
static AstarStatus follow_links_of_boundary(AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    const AstarCutout *cutout = world->cutout;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = astar_world_links_from(world, cutout->x0, cutout->y0);
         i < world->link_count && world->links[i].y0 <= cutout->y0 + SIDE && status == ASTAR_OK;
         i++) {
        const AstarLink *link = &world->links[i];
        if (!astar_cutout_holds(cutout, link->x0, link->y0))
            continue;
        AstarRouteReach from = route_reach_at(search, link->x0, link->y0);
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        if (!isinf(from.g))
            status = astar_route_land(search,
                                      (AstarLanding){link->x1, link->y1, from.g + cost, from});
    }
    return status;
}

// ---- ends ----

// Goals, and what is near enough to them.
static void note_goal_reached(AstarRouteSearch *search)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    AstarWorldEdit all = {cutout->x0, cutout->y0, cutout->x0 + SIDE, cutout->y0 + SIDE};
    for (size_t i = 0; i < search->aims.count; i++) {
        AstarWorldEdit box = astar_cells_shared(all, astar_route_goal_box(&search->aims.goals[i]));
        for (int32_t y = box.y0; y <= box.y1; y++)
            for (int32_t x = box.x0; x <= box.x1; x++) {
                AstarRouteReach goal = route_reach_at(search, x, y);
                if (goal.g < search->floods.boundaries.goal.g)
                    search->floods.boundaries.goal = goal;
            }
    }
}

static void note_frontier_cells(AstarRouteSearch *search, const AstarBoundary *boundary)
{
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    const AstarCutout *cutout = search->finder->world->cutout;
    int count = astar_square_frontier(search->finder, boundary->plot.i, boundary->plot.j, lines);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < lines[k].length; i++) {
            int32_t x = cutout->x0 + lines[k].column + lines[k].dx * i;
            int32_t y = cutout->y0 + lines[k].row + lines[k].dy * i;
            astar_route_note_frontier(search, route_reach_at(search, x, y));
        }
}

// ---- the search ----

AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context)
{
    AstarBoundary *boundary = next_boundary(search);
    if (boundary == NULL)
        return ASTAR_OK;
    AstarStatus status = flood_boundary(search, boundary, context);
    if (status != ASTAR_OK)
        return status;
    astar_heap_pop(&search->floods.open);
    memset(boundary->improved, 0, sizeof boundary->improved);
    boundary->least = (double)INFINITY;
    status = take_line_cells(search, boundary);
    if (status == ASTAR_OK)
        status = follow_links_of_boundary(search);
    if (status != ASTAR_OK) {
        reopen_boundary(search, boundary);
        return status;
    }
    note_goal_reached(search);
    if (astar_has_frontier(search->finder))
        note_frontier_cells(search, boundary);
    search->expanded++;
    return ASTAR_RUNNING;
}

// ---- the way back ----

// Puts the node of a cell before the first one of the way; nothing, where that is it already.
static AstarStatus lead_from(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                             AstarLegKind kind, uint32_t *first)
{
    uint32_t number;
    if (search->tree.nodes[*first].x == x && search->tree.nodes[*first].y == y)
        return ASTAR_OK;
    AstarStatus status = astar_route_number(search, x, y, &number);
    if (status != ASTAR_OK)
        return status;
    search->tree.nodes[*first].kind = (uint8_t)kind;
    search->tree.nodes[*first].parent = number - 1;
    search->tree.nodes[number - 1].g = g;
    *first = number - 1;
    return ASTAR_OK;
}

// The same of the cells that a link leads between.
static AstarStatus lead_over_link(AstarRouteSearch *search, const AstarLanding *entrance,
                                  uint32_t *first)
{
    AstarRouteReach from = entrance->from;
    AstarStatus status = lead_from(search, from.x, from.y, from.g, ASTAR_LEG_LINK, first);
    return status == ASTAR_OK ? lead_from(search, from.before_x, from.before_y,
                                          cost_to_cell(search, from.before_x, from.before_y),
                                          ASTAR_LEG_SQUARE, first)
                              : status;
}

// The same of the cell that the way to the first comes from.
static AstarStatus lead_back(AstarRouteSearch *search, uint32_t *first)
{
    int32_t x = search->tree.nodes[*first].x, y = search->tree.nodes[*first].y;
    const AstarBoundary *boundary = astar_route_boundary(search, astar_chunk_of(x),
                                                         astar_chunk_of(y));
    bool is_on_boundary = is_on_lines(astar_in_chunk(x), astar_in_chunk(y));
    unsigned before = BY_ENTRANCE;
    if (is_on_boundary)
        before = boundary->before[line_cell_at(astar_in_chunk(x), astar_in_chunk(y))];
    if (before == BY_ENTRANCE)
        return lead_over_link(search, find_entrance(search, x, y), first);
    AstarSquares in = astar_squares_of(x, y);
    x = (in.i0 + (int32_t)(before >> 14 & 1)) * SIDE + (int32_t)(before & 127);
    y = (in.j0 + (int32_t)(before >> 15)) * SIDE + (int32_t)(before >> 7 & 127);
    return lead_from(search, x, y, cost_to_cell(search, x, y), ASTAR_LEG_SQUARE, first);
}

AstarStatus astar_route_trace(AstarRouteSearch *search)
{
    AstarRouteReach end = isinf(search->floods.boundaries.goal.g)
                              ? search->floods.boundaries.frontier
                              : search->floods.boundaries.goal;
    uint32_t number;
    AstarStatus status = astar_route_number(search, end.x, end.y, &number);
    if (status != ASTAR_OK)
        return status;
    uint32_t first = number - 1;
    search->tree.nodes[first].g = end.g;
    search->tree.nodes[first].kind = ASTAR_LEG_NONE;
    status = lead_from(search, end.before_x, end.before_y,
                       cost_to_cell(search, end.before_x, end.before_y), ASTAR_LEG_SQUARE, &first);
    while (status == ASTAR_OK &&
           (search->tree.nodes[first].x != search->sx || search->tree.nodes[first].y != search->sy))
        status = lead_back(search, &first);
    search->end.last = number - 1;
    return status;
}
