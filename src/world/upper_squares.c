// upper_squares.c -- squares of the upper level: 8 x 8 of those below, and distances over these.
//
// Those below are taken in an order in which neighbours follow each other (Z-order), and joined to
// parts of two, four, eight and so on, until one part is all of it.

#include "world/parts.h"

// Sums of two costs that are worked out in one piece.
static const uint64_t SUMS_AT_ONCE = 400000;

void astar_square_free_merge(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    AstarMerge *merge = square->merge;
    if (merge == NULL)
        return;
    for (int i = 0; i < merge->count; i++)
        astar_part_free(&merge->parts[i], world);
    astar_release(&world->allocator, merge, 1, sizeof *merge);
    world->bytes -= sizeof *merge;
    square->merge = NULL;
}

static AstarStatus begin_merge(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    square->merge = astar_alloc(&world->allocator, 1, sizeof *square->merge);
    if (square->merge == NULL)
        return ASTAR_NO_MEMORY;
    world->bytes += sizeof *square->merge;
    square->is_symmetric = true;
    return ASTAR_OK;
}

// ---- nodes ----

static bool is_end_of_link(const AstarWorld *world, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        if ((link->x0 == x && link->y0 == y) || (link->x1 == x && link->y1 == y))
            return true;
    }
    return false;
}

// Of the nodes on the lines of an upper square it has one for each run of free cells of a chunk's
// side, and its corners; and wherever they are ends of links and those beside what is not there.
uint32_t astar_square_place_above(const AstarSquare *upper, const AstarSquare *lower, uint32_t node)
{
    int32_t side = astar_side_of_level(1);
    int32_t x = astar_square_x(lower, node), y = astar_square_y(lower, node);
    int32_t column = x - upper->plot.i * side, row = y - upper->plot.j * side;
    uint32_t frontier = lower->places[node] & ASTAR_AT_FRONTIER;
    bool is_east_west = column % side == 0, is_north_south = row % side == 0;
    bool is_marked = (lower->places[node] & ASTAR_IS_ABOVE) != 0;
    bool is_above = (is_east_west && is_north_south) || frontier != 0 ||
                    ((is_east_west || is_north_south) && is_marked) ||
                    is_end_of_link(upper->finder->world, x, y);
    return astar_place_at(column, row) | frontier | (is_above ? ASTAR_IS_ABOVE : 0);
}

// ---- pieces ----

// Takes the next square below as a part. ASTAR_RUNNING: it is not built yet.
static AstarStatus take_below(AstarSquare *square, void *context)
{
    AstarMerge *merge = square->merge;
    AstarSquare *lower;
    int column = 0, row = 0;
    for (int bit = 0; bit < 3; bit++) {
        column |= (merge->taken >> (2 * bit) & 1) << bit;
        row |= (merge->taken >> (2 * bit + 1) & 1) << bit;
    }
    AstarStatus status = astar_square_need(square->finder, 0, square->plot.i * ASTAR_BELOW + column,
                                           square->plot.j * ASTAR_BELOW + row, context, &lower);
    if (status == ASTAR_OK)
        status = astar_part_take(square, lower, &merge->parts[merge->count]);
    if (status != ASTAR_OK)
        return status;
    merge->count++;
    merge->taken++;
    square->is_symmetric &= lower->is_symmetric;
    return ASTAR_OK;
}

static AstarStatus join_last(AstarSquare *square)
{
    AstarMerge *merge = square->merge;
    AstarWorld *world = square->finder->world;
    AstarPart *a = &merge->parts[merge->count - 2], *b = a + 1, joined;
    AstarStatus status = astar_part_join(square, a, b, &joined);
    if (status != ASTAR_OK)
        return status;
    astar_part_free(a, world);
    astar_part_free(b, world);
    *a = joined;
    merge->count--;
    return ASTAR_OK;
}

static bool are_two_alike(const AstarMerge *merge)
{
    if (merge->count < 2)
        return false;
    const AstarPart *a = &merge->parts[merge->count - 2], *b = a + 1;
    return a->width == b->width && a->height == b->height;
}

// Takes the distances between the nodes that are left.
static AstarStatus end_merge(AstarSquare *square)
{
    const AstarPart *part = &square->merge->parts[0];
    AstarStatus status = ASTAR_OK;
    square->count = 0;
    for (uint32_t i = 0; i < part->count && status == ASTAR_OK; i++) {
        uint32_t place = part->places[i];
        status = astar_square_add_node(square, astar_place_column(place), astar_place_row(place),
                                       place & ASTAR_AT_FRONTIER);
    }
    if (status == ASTAR_OK)
        status = astar_square_begin_rows(square);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t i = 0; i < part->count; i++)
        memcpy(square->rows + (size_t)i * part->count, part->ways + i * astar_part_stride(part),
               part->count * sizeof *square->rows);
    for (uint32_t i = 0; i < part->count; i++)
        square->rows[(size_t)i * part->count + i] = 0;
    square->rows_done = square->count;
    astar_square_free_merge(square);
    return ASTAR_RUNNING;
}

// Searches of the level below serve where there are too many nodes.
static AstarStatus give_up_merge(AstarSquare *square)
{
    astar_square_free_merge(square);
    square->is_too_large = true;
    return astar_square_begin_rows(square) == ASTAR_OK ? ASTAR_RUNNING : ASTAR_NO_MEMORY;
}

// Goes on with the last part: ASTAR_OK once nothing is left to do in it.
static AstarStatus work_on_last(AstarMerge *merge, uint64_t *sums)
{
    AstarPart *part = &merge->parts[merge->count - 1];
    bool is_all = part->width == ASTAR_BELOW && part->height == ASTAR_BELOW;
    while (part->count > part->outer || (is_all && merge->done < part->count)) {
        if (*sums >= SUMS_AT_ONCE)
            return ASTAR_RUNNING;
        *sums += (uint64_t)part->count * part->count;
        if (part->count > part->outer)
            astar_part_eliminate(part);
        else
            astar_part_close(part, merge->done++);
    }
    return ASTAR_OK;
}

AstarStatus astar_square_build_upper(AstarSquare *square, void *context)
{
    if (square->is_listed)
        return astar_square_choose_edges(square);
    AstarStatus status = square->merge == NULL ? begin_merge(square) : ASTAR_OK;
    AstarMerge *merge = square->merge;
    uint64_t sums = 0;
    while (status == ASTAR_OK) {
        if (merge->count > 0 && merge->parts[merge->count - 1].outer > ASTAR_MOST_NODES)
            return give_up_merge(square);
        if (merge->count > 0)
            status = work_on_last(merge, &sums);
        if (status != ASTAR_OK)
            return status;
        if (are_two_alike(merge))
            status = join_last(square);
        else if (merge->taken < ASTAR_BELOW * ASTAR_BELOW)
            status = take_below(square, context);
        else
            return end_merge(square);
    }
    return status;
}
