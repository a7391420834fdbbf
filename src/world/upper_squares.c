// upper_squares.c -- squares of the upper level: 8 x 8 of those below, and distances over these.
//
// Those below are taken in an order in which neighbours follow each other (Z-order), and joined to
// parts of two, four, eight and so on, until one part is all of it.
//
// Most edits of a cell or two leave all distances between nodes as they were. So of each square
// below a fingerprint is kept, by which the edited one is told from what it was, even where that
// has been let go: if it is the same, what was put together of it stands.

#include "world/parts.h"

// Sums of two costs that are worked out in one piece.
static const uint64_t SUMS_AT_ONCE = 400000;

static void free_parts(AstarMerge *merge, AstarWorld *world)
{
    while (merge->count > 0)
        astar_part_free(&merge->parts[--merge->count], world);
}

void astar_square_free_merge(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    AstarMerge *merge = square->merge;
    if (merge == NULL)
        return;
    free_parts(merge, world);
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
    bool is_at_link = (lower->places[node] & ASTAR_AT_LINK) != 0;
    bool is_above = (is_east_west && is_north_south) || frontier != 0 || is_at_link ||
                    ((is_east_west || is_north_south) && is_marked);
    return astar_place_at(column, row) | frontier | (is_above ? ASTAR_IS_ABOVE : 0);
}

// ---- fingerprints ----

// Two numbers come out the same by chance only, once in 2^64.
static uint64_t mix_in(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

// Of all that an upper square takes of one below: its nodes, and its edges with what they cost.
static uint64_t fingerprint_of(const AstarSquare *square)
{
    uint64_t hash = mix_in(square->count, square->is_symmetric);
    for (uint32_t node = 0; node < square->count; node++) {
        hash = mix_in(hash, square->places[node]);
        for (uint32_t edge = square->first[node]; edge < square->first[node + 1]; edge++) {
            double cost = astar_square_cost(square, edge);
            uint64_t bits;
            memcpy(&bits, &cost, sizeof bits);
            hash = mix_in(mix_in(hash, bits), astar_square_to(square, edge));
        }
    }
    return hash;
}

static int number_below(int column, int row)
{
    return row * ASTAR_BELOW + column;
}

bool astar_square_doubt(AstarSquare *upper, int32_t i, int32_t j)
{
    if (!upper->is_built && (upper->merge == NULL || upper->merge->doubted == 0))
        return false;
    if (upper->is_too_large)
        return false;
    int bit = number_below(i - upper->plot.i * ASTAR_BELOW, j - upper->plot.j * ASTAR_BELOW);
    upper->merge->doubted |= UINT64_C(1) << bit;
    upper->is_built = false;
    return true;
}

// Has those below built again that were edited. ASTAR_OK: all are as they were; ASTAR_RUNNING: one
// is not built yet, or is another one: then the upper square is begun anew.
static AstarStatus confirm_merge(AstarSquare *square, void *context)
{
    AstarMerge *merge = square->merge;
    for (; merge->doubted != 0; merge->doubted &= merge->doubted - 1) {
        int number = astar_lowest_bit(merge->doubted);
        int32_t i = square->plot.i * ASTAR_BELOW + number % ASTAR_BELOW;
        int32_t j = square->plot.j * ASTAR_BELOW + number / ASTAR_BELOW;
        AstarSquare *lower;
        AstarStatus status = astar_square_need(square->finder, 0, i, j, context, &lower);
        if (status != ASTAR_OK)
            return status;
        if (fingerprint_of(lower) != merge->fingerprints[number]) {
            astar_square_empty(square);
            return ASTAR_RUNNING;
        }
    }
    square->is_built = true;
    return ASTAR_OK;
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
    merge->fingerprints[number_below(column, row)] = fingerprint_of(lower);
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
    free_parts(square->merge, square->finder->world);
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
    if (square->merge != NULL && square->merge->doubted != 0)
        return confirm_merge(square, context);
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
