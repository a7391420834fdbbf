// subgoal_scan.c -- the subgoals that a cell can turn at first, whichever way it goes.
//
// The runs are those of jump point search from a start: straight ones to where they can turn,
// diagonal ones that look aside at their events; one that comes to a subgoal there ends.

#include "derived/subgoals.h"

#include "base/array.h"
#include "derived/jump_turns.h"
#include "derived/jump_words.h"

AstarSubgoalScan astar_subgoal_scan(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, const AstarAllocator *allocator)
{
    bool has_diagonals = subgoals->rule->has_diagonals;
    return (AstarSubgoalScan){subgoals, allocator, straight, has_diagonals ? diagonal : straight,
                              has_diagonals ? diagonal : 2 * straight};
}

static bool grow_hits(const AstarSubgoalScan *scan, AstarRouteEnd *end)
{
    bool has_grown = ASTAR_RESERVE(scan->allocator, end->hits, end->count, 1, &end->capacity, 64);
    end->has_failed |= !has_grown;
    return has_grown;
}

ASTAR_ONCE void add_hit(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y,
                        uint32_t cost, uint32_t bound)
{
    if (end->count == end->capacity && !grow_hits(scan, end))
        return;
    uint32_t subgoal = astar_subgoal_at(scan->subgoals, x, y);
    end->hits[end->count++] = (AstarSubgoalHit){astar_place(x, y), subgoal, cost, bound};
}

// Notes a subgoal, where a route over it may cost less than the limit.
static inline void note_hit(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y,
                            uint32_t cost, uint32_t limit)
{
    uint32_t bound = cost + astar_scan_estimate(scan, x - end->other_x, y - end->other_y);
    if (bound < limit)
        add_hit(scan, end, x, y, cost, bound);
}

// Runs straight from (x, y), 'cost' from the end.
ASTAR_SPECIALIZE void run_straight(const AstarSubgoalScan *scan, AstarRouteEnd *end,
                                   AstarStraight direction, int x, int y, uint32_t cost,
                                   uint32_t limit)
{
    const AstarSubgoals *s = scan->subgoals;
    bool turned = astar_is_turned((int)direction), upward = astar_is_upward((int)direction);
    int row = turned ? x : y, position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&s->stops[direction], row);
    int stop = upward ? astar_bit_from(stops, position + 1) : astar_bit_until(stops, position - 1);
    int steps = upward ? stop - position : position - stop;
    if (astar_bit_at(turned ? &s->columns : &s->rows, row, stop))
        note_hit(scan, end, turned ? x : stop, turned ? stop : y,
                 cost + (uint32_t)steps * scan->straight, limit);
}

// Whether no route over (x, y), 'cost' from the end, and cells further on costs less than a limit.
ASTAR_SPECIALIZE bool is_beyond_limit(const AstarSubgoalScan *scan, const AstarRouteEnd *end, int x,
                                      int y, uint32_t cost, uint32_t limit)
{
    return cost + astar_scan_estimate(scan, x - end->other_x, y - end->other_y) >= limit;
}

// Runs diagonally from the end, looking aside at events.
ASTAR_SPECIALIZE void run_quarter_by(const AstarSubgoalScan *scan, AstarRouteEnd *end,
                                     AstarSlant slant, uint32_t limit)
{
    const AstarSubgoals *s = scan->subgoals;
    const AstarCorners corners = s->rule->corners;
    const int dx = astar_slant_dx(slant), dy = astar_slant_dy(slant);
    const AstarStraight sideways = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    const uint64_t *events = astar_row_at(&s->events[slant],
                                          astar_diagonal_of(s->wrap, slant, end->x, end->y));
    int x = end->x, y = end->y;
    uint32_t cost = 0;
    while (astar_subgoals_can_slant(&s->rows, corners, x, y, dx, dy)) {
        int at = dx > 0 ? astar_bit_from(events, x + 1) : astar_bit_until(events, x - 1);
        int steps = (at - x) * dx;
        x = at;
        y += steps * dy;
        cost += (uint32_t)steps * scan->diagonal;
        if (is_beyond_limit(scan, end, x, y, cost, limit))
            return;
        if (astar_bit_at(&s->corners, y, x)) {
            note_hit(scan, end, x, y, cost, limit);
            return;
        }
        if (!is_beyond_limit(scan, end, x + dx, y, cost + scan->straight, limit))
            run_straight(scan, end, sideways, x, y, cost, limit);
        if (!is_beyond_limit(scan, end, x, y + dy, cost + scan->straight, limit))
            run_straight(scan, end, upright, x, y, cost, limit);
    }
}

// Without diagonals: along the row, looking up and down.
static void run_along_row(const AstarSubgoalScan *scan, AstarRouteEnd *end, int dx, uint32_t limit)
{
    const AstarSubgoals *s = scan->subgoals;
    const uint64_t *events = astar_row_at(&s->events[0], end->y);
    uint32_t cost = 0;
    for (int x = end->x;;) {
        int at = dx > 0 ? astar_bit_from(events, x + 1) : astar_bit_until(events, x - 1);
        cost += (uint32_t)((at - x) * dx) * scan->straight;
        x = at;
        if (!astar_bit_at(&s->rows, end->y, x) ||
            is_beyond_limit(scan, end, x, end->y, cost, limit))
            return;
        if (astar_bit_at(&s->corners, end->y, x)) {
            note_hit(scan, end, x, end->y, cost, limit);
            return;
        }
        run_straight(scan, end, ASTAR_SOUTH, x, end->y, cost, limit);
        run_straight(scan, end, ASTAR_NORTH, x, end->y, cost, limit);
    }
}

static void run_quarter(const AstarSubgoalScan *scan, AstarRouteEnd *end, AstarSlant slant,
                        uint32_t limit)
{
    switch (slant) {
    case ASTAR_SOUTH_EAST: run_quarter_by(scan, end, ASTAR_SOUTH_EAST, limit); return;
    case ASTAR_SOUTH_WEST: run_quarter_by(scan, end, ASTAR_SOUTH_WEST, limit); return;
    case ASTAR_NORTH_WEST: run_quarter_by(scan, end, ASTAR_NORTH_WEST, limit); return;
    default: run_quarter_by(scan, end, ASTAR_NORTH_EAST, limit);
    }
}

static AstarSlant slant_ahead(const AstarRouteEnd *end)
{
    if (end->other_x >= end->x)
        return end->other_y >= end->y ? ASTAR_SOUTH_EAST : ASTAR_NORTH_EAST;
    return end->other_y >= end->y ? ASTAR_SOUTH_WEST : ASTAR_NORTH_WEST;
}

static int dx_ahead(const AstarRouteEnd *end)
{
    return end->other_x >= end->x ? 1 : -1;
}

void astar_scan_ahead(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y, int other_x,
                      int other_y)
{
    *end = (AstarRouteEnd){.x = x,
                           .y = y,
                           .other_x = other_x,
                           .other_y = other_y,
                           .hits = end->hits,
                           .capacity = end->capacity};
    end->is_subgoal = astar_bit_at(&scan->subgoals->corners, y, x);
    if (end->is_subgoal) {
        note_hit(scan, end, x, y, 0, UINT32_MAX);
        return;
    }
    run_straight(scan, end, ASTAR_SOUTH, x, y, 0, UINT32_MAX);
    run_straight(scan, end, ASTAR_NORTH, x, y, 0, UINT32_MAX);
    if (!scan->subgoals->rule->has_diagonals) {
        run_along_row(scan, end, dx_ahead(end), UINT32_MAX);
        return;
    }
    run_straight(scan, end, ASTAR_EAST, x, y, 0, UINT32_MAX);
    run_straight(scan, end, ASTAR_WEST, x, y, 0, UINT32_MAX);
    run_quarter(scan, end, slant_ahead(end), UINT32_MAX);
}

void astar_scan_around(const AstarSubgoalScan *scan, AstarRouteEnd *end, uint32_t limit)
{
    if (end->is_subgoal)
        return;
    if (!scan->subgoals->rule->has_diagonals) {
        run_along_row(scan, end, -dx_ahead(end), limit);
        return;
    }
    for (int i = 1; i < 4; i++)
        run_quarter(scan, end, (AstarSlant)((slant_ahead(end) + (unsigned)i) & 3), limit);
}
