// flow_plain.c -- flow fields grown over ground whose terrain tells all.
//
// Over ground of one cost most of the eight steps out of a cell lead where another way of the same
// length or less leads as well. Those are left out by canonical order (canonical.h): of two equally
// long ways that differ in the order of their steps the one that goes diagonally first stands. That
// needs the diagonal step longer than a straight one and shorter than two. The straight step after
// that diagonal one is never left out where it is on a best way, so the cell gets its distance by
// it whichever way its neighbour was reached.

#include "flow/flow.h"
#include "rules/canonical.h"

#include <math.h>

static bool can_leave_out(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double length = finder->options.diagonal_cost;
    return finder->is_uniform && flow->starts == NULL && length > 1.0001 && length < 1.9999 &&
           finder->rule->has_diagonals;
}

// What a step in each direction adds to a cell's number, and to its entry.
typedef struct Offsets {
    uint32_t cell[ASTAR_DIRECTIONS];
    uint64_t entry[ASTAR_DIRECTIONS];
} Offsets;

static Offsets offsets_of(uint32_t width)
{
    Offsets offsets;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        int64_t dx = astar_dx[d], dy = astar_dy[d];
        offsets.cell[d] = (uint32_t)(dy * (int64_t)width + dx);
        offsets.entry[d] = (uint64_t)(dx + dy * (INT64_C(1) << 24)) + ((uint64_t)d << 48);
    }
    return offsets;
}

static unsigned moves_after(const AstarFlow *flow, unsigned from, unsigned free, bool leaves_out)
{
    const AstarFinder *finder = flow->finder;
    unsigned moves = finder->rule->legal[!flow->forward][free];
    if (from == ASTAR_FLOW_STAY)
        return moves;
    return leaves_out ? astar_canonical_uniform(&finder->arrivals[1][from], free, moves)
                      : moves & ~(1u << ((from + 4) & 7));
}

AstarStatus astar_flow_learn_moves(AstarFlow *flow)
{
    AstarFinder *finder = astar_finder_plain(flow->finder);
    bool leaves_out = can_leave_out(flow);
    AstarFlowMoves **moves = &finder->flow_moves[flow->forward][leaves_out];
    flow->moves = *moves;
    if (*moves != NULL)
        return ASTAR_OK;
    flow->moves = *moves = astar_alloc(astar_flow_allocator(flow), 1, sizeof **moves);
    if (*moves == NULL)
        return ASTAR_NO_MEMORY;
    for (unsigned nine = 0; nine < 512; nine++) {
        unsigned free = astar_bits_ring(nine & 7, nine >> 3 & 7, nine >> 6);
        for (unsigned from = 0; from <= ASTAR_FLOW_STAY; from++)
            (*moves)->after[from][nine] = (uint8_t)moves_after(flow, from, free, leaves_out);
    }
    return ASTAR_OK;
}

// Empties the current bucket. What its stores could change, for all the compiler knows, it first
// takes out of memory. 'uniform': all ground costs the same; 'forward': a step costs what the cell
// does that it leads to, not the one it is expanded from.
ASTAR_SPECIALIZE AstarStatus sweep(AstarFlow *flow, bool uniform, bool forward)
{
    const AstarFinder *finder = flow->finder;
    const AstarBits bits = finder->walkable->bits;
    const uint8_t *ground = finder->ground;
    AstarBucketQueue *open = &flow->open;
    AstarBucket *const ring = open->ring;
    const size_t mask = open->size - 1;
    const int64_t current = open->current;
    const AstarBucket *bucket = &ring[(size_t)current & mask];
    const double least = open->least, per_width = open->per_width, limit = flow->limit;
    double *const distances = flow->distances;
    const double *const starts = flow->starts;
    const uint32_t width = (uint32_t)finder->grid->width;
    const bool mends = astar_flow_mends(flow);
    const AstarFlowMoves *const following = flow->moves;
    size_t position = open->position, waiting = 0;
    AstarStatus status = ASTAR_OK;
    Offsets offsets = offsets_of(width);
    for (; position < bucket->count; position++) {
        uint64_t entry = bucket->entries[position];
        int x = astar_entry_x(entry), y = astar_entry_y(entry);
        uint32_t cell = (uint32_t)y * width + (uint32_t)x;
        double distance = distances[cell], at = (distance - least) * per_width;
        if (!(at >= (double)current && at < (double)(current + 1)))
            continue;
        flow->expanded++;
        unsigned moves = following->after[astar_entry_from(entry)][astar_bits_nine(&bits, x, y)];
        int terrain = ground[cell];
        for (; moves != 0; moves &= moves - 1) {
            int d = astar_lowest_bit(moves);
            uint32_t next = cell + offsets.cell[d];
            if (forward && !uniform)
                terrain = ground[next];
            double way = distance + finder->step[d & 1][terrain];
            if (way >= distances[next] || (!uniform && starts != NULL && isinf(starts[next])))
                continue;
            if (way > limit) {
                flow->cut = true;
                continue;
            }
            uint64_t step = (entry & ASTAR_ENTRY_CELL) + offsets.entry[d];
            int64_t index = (int64_t)((way - least) * per_width);
            AstarBucket *into = &ring[(size_t)index & mask];
            if ((uint64_t)(index - current) <= mask && into->count < into->capacity) {
                into->entries[into->count++] = step;
                waiting++;
            } else {
                status = astar_bucket_queue_put(open, astar_flow_allocator(flow), step, way);
                if (status != ASTAR_OK)
                    goto out;
            }
            distances[next] = way;
            if (mends)
                astar_flow_forget_around(flow, x + astar_dx[d], y + astar_dy[d]);
        }
    }
out:
    open->position = position;
    open->waiting += waiting;
    return status;
}

AstarStatus astar_flow_sweep(AstarFlow *flow)
{
    if (flow->finder->is_uniform && flow->starts == NULL)
        return sweep(flow, true, false);
    return flow->forward ? sweep(flow, false, true) : sweep(flow, false, false);
}
