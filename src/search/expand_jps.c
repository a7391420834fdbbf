// expand_jps.c -- the successors of a jump point, by each corner rule.
//
// A node goes on in the direction that led to it, and turns where an obstacle opens a way that no
// other best path takes (see jump_bitmaps.c). A diagonal run sends out straight runs to both its
// sides at each of its events; without diagonals, a run along the row sends them up and down. Nodes
// are only the ends of those runs, and under the rules that cut corners the cells where a diagonal
// run itself can turn: any other cell of a run is worked out from the two ends when the route is
// read. So a way to a node is so many steps of a first leg, diagonal or along the row, and so many
// straight ones after it.
//
// Why the pruning is right under each rule: let the routes of least cost be ordered, diagonal steps
// before straight ones (rows before columns where there are none). Each step left out has another
// way, from the cell before, that costs less, or as much and stands before it in that order, and
// is legal by the same rule wherever no turn is noted; so the first of the best routes is never
// left out. Diagonal steps cost 1 to 2 straight ones; at 1 two straight steps stand before two
// diagonal ones.
//
// All of it is compiled twice: over uniform ground, and where some cells are 'irregular'. There
// every run ends at such a cell in a node, which is expanded step by step; see irregular.c.

#include "search/expand_jps.h"

#include "rules/corner_rules.h"
#include "search/jpsw.h"

#include <stdlib.h>

// Why a way was not noted.
static void note_limit(AstarScan *scan, uint64_t f)
{
    if (f > ASTAR_MOST_F)
        scan->fault = ASTAR_BAD_COST;
    else
        scan->search->failure = ASTAR_MAX_COST;
}

// Notes a way to a node over uniform ground, if it is the cheapest yet.
ASTAR_ONCE void note_uniform(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival)
{
    uint32_t g = scan->g + (uint32_t)before * scan->before + (uint32_t)steps * scan->straight;
    uint32_t cell = (uint32_t)(y - 1) * scan->width + (uint32_t)(x - 1);
    uint64_t *slot = astar_jump_slot(scan->nodes, cell, x - 1, y - 1);
    AstarJumpNode *node = *slot != 0 ? &scan->nodes->nodes[(uint32_t)*slot] : NULL;
    if (node != NULL && node->g.whole <= g)
        return;
    uint32_t dx = (uint32_t)abs(x - scan->goal_x), dy = (uint32_t)abs(y - scan->goal_y);
    uint32_t lesser = dx < dy ? dx : dy, greater = dx < dy ? dy : dx;
    uint64_t h = (uint64_t)(greater - lesser) * scan->straight + (uint64_t)lesser * scan->across;
    if (scan->landmarks != NULL) {
        uint64_t other = astar_landmarks_estimate(scan->landmarks +
                                                      (size_t)cell * (size_t)scan->landmark_stride,
                                                  1, &scan->bounds, scan->landmark_stride);
        h = other > h ? other : h;
    }
    uint64_t f = g + h;
    if (f > scan->limit) {
        note_limit(scan, f);
        return;
    }
    if (!astar_heap64_has_room(scan->open) &&
        !astar_heap64_grow(scan->open, &scan->search->allocator)) {
        scan->fault = ASTAR_NO_MEMORY;
        return;
    }
    if (node == NULL)
        node = astar_jump_nodes_add(scan->nodes, &scan->search->allocator, slot, cell);
    if (node == NULL) {
        scan->fault = ASTAR_NO_MEMORY;
        return;
    }
    node->g.whole = g;
    node->parent = scan->from | arrival << ASTAR_CELL_BITS;
    node->cell = cell;
    astar_heap64_push(scan->open, f << ASTAR_CELL_BITS | cell);
}

// Notes a way to a node: 'before' steps of a first leg, then 'steps' straight ones.
ASTAR_SPECIALIZE void note_jump(AstarScan *scan, bool irregular, int x, int y, int before,
                                int steps, unsigned arrival)
{
    if (irregular)
        astar_note_irregular(scan, x, y, before, steps, arrival);
    else
        note_uniform(scan, x, y, before, steps, arrival);
}

// Whether runs end at a cell because that is irregular.
ASTAR_SPECIALIZE bool is_irregular_at(const AstarScan *scan, bool irregular, int x, int y)
{
    return irregular && astar_bit_at(&scan->irregular, y, x);
}

// ---- straight runs ----

// Where the straight run from (x, y) ends, and how far that is.
ASTAR_SPECIALIZE int stop_of(const AstarScan *scan, AstarStraight direction, int x, int y,
                             int *length)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    bool upward = direction == ASTAR_EAST || direction == ASTAR_SOUTH;
    int row = turned ? x : y, position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&scan->stops[direction], row);
    int stop = upward ? astar_bit_from(stops, position + 1) : astar_bit_until(stops, position - 1);
    *length = upward ? stop - position : position - stop;
    return stop;
}

// Runs straight from (x, y), 'before' steps from the node, to a turn that is known to be there.
ASTAR_SPECIALIZE void run_to_turn(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                                  int y, int before)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    int length, stop = stop_of(scan, direction, x, y, &length);
    note_jump(scan, irregular, turned ? x : stop, turned ? stop : y, before, length, direction);
}

// Runs straight to the goal or a turn, whichever comes first, if either does.
ASTAR_SPECIALIZE void scan_straight(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                                    int y, int before)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    bool upward = direction == ASTAR_EAST || direction == ASTAR_SOUTH;
    int length, stop = stop_of(scan, direction, x, y, &length);
    int ahead = turned ? scan->goal_y - y : scan->goal_x - x;
    int to_goal = upward ? ahead : -ahead;
    bool in_line = turned ? x == scan->goal_x : y == scan->goal_y;
    if (in_line && to_goal > 0 && to_goal <= length)
        note_jump(scan, irregular, scan->goal_x, scan->goal_y, before, to_goal, direction);
    else if (astar_bit_at(turned ? &scan->columns : &scan->rows, turned ? x : y, stop))
        note_jump(scan, irregular, turned ? x : stop, turned ? stop : y, before, length, direction);
}

// The same from a node, whose reach tells whether there is anything to find.
ASTAR_SPECIALIZE void run_on(AstarScan *scan, bool irregular, AstarStraight direction, int x, int y,
                             unsigned reach)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    if (turned ? x == scan->goal_x : y == scan->goal_y)
        scan_straight(scan, irregular, direction, x, y, 0);
    else if ((reach >> direction & 1) != 0)
        run_to_turn(scan, irregular, direction, x, y, 0);
}

// ---- diagonal runs ----

ASTAR_SPECIALIZE int slant_dx(AstarSlant slant)
{
    return slant == ASTAR_SOUTH_EAST || slant == ASTAR_NORTH_EAST ? 1 : -1;
}

ASTAR_SPECIALIZE int slant_dy(AstarSlant slant)
{
    return slant == ASTAR_SOUTH_EAST || slant == ASTAR_SOUTH_WEST ? 1 : -1;
}

ASTAR_SPECIALIZE AstarSlant next_slant(AstarSlant slant, int quarters)
{
    return (AstarSlant)(((int)slant + quarters) & 3);
}

// Whether a diagonal step is legal.
ASTAR_SPECIALIZE bool can_slant(const AstarScan *scan, AstarCorners corners, AstarSlant slant,
                                int x, int y)
{
    int dx = slant_dx(slant), dy = slant_dy(slant);
    unsigned beside = astar_bit_at(&scan->rows, y, x + dx);
    unsigned upright = astar_bit_at(&scan->rows, y + dy, x);
    unsigned across = astar_bit_at(&scan->rows, y + dy, x + dx);
    switch (corners) {
    case ASTAR_CORNERS_ANY: return across;
    case ASTAR_CORNERS_ONE_FREE: return across & (beside | upright);
    default: return across & beside & upright;
    }
}

// Whether the cell before a cell in one of the two parts of a slant is blocked.
ASTAR_SPECIALIZE bool is_blocked_behind(const AstarScan *scan, AstarSlant slant, bool sideways,
                                        int x, int y)
{
    return sideways ? astar_bit_at(&scan->rows, y, x - slant_dx(slant)) == 0
                    : astar_bit_at(&scan->rows, y - slant_dy(slant), x) == 0;
}

// The slants beside one, each past the corner of a cell behind: the next one turns about in the
// part that leads sideways if the slant's number is even.
ASTAR_SPECIALIZE bool can_turn(const AstarScan *scan, AstarCorners corners, AstarSlant slant,
                               int quarters, int x, int y)
{
    bool sideways = ((slant & 1) == 0) == (quarters == 1);
    return is_blocked_behind(scan, slant, sideways, x, y) &&
           can_slant(scan, corners, next_slant(slant, quarters), x, y);
}

// Runs diagonally, looking aside where there is something to see.
ASTAR_SPECIALIZE void run_slanted_by(AstarScan *scan, bool irregular, AstarCorners corners,
                                     AstarSlant slant, int x, int y)
{
    const int dx = slant_dx(slant), dy = slant_dy(slant);
    const AstarStraight sideways = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    if (!can_slant(scan, corners, slant, x, y))
        return;
    // After as many steps as the goal's lesser distance it lies straight ahead, and only then.
    int goal_dx = (scan->goal_x - x) * dx, goal_dy = (scan->goal_y - y) * dy;
    int aligned = goal_dx < goal_dy ? goal_dx : goal_dy;
    const AstarBits *events = &scan->events[slant];
    const int diagonal = astar_diagonal_of(scan->wrap, slant, x, y);
    for (int at = x;;) {
        at = dx > 0 ? astar_event_from(events, scan->wrap, diagonal, at + 1)
                    : astar_event_until(events, scan->wrap, diagonal, at - 1);
        int steps = (at - x) * dx, at_y = y + steps * dy;
        bool ends = is_irregular_at(scan, irregular, at, at_y);
        if (aligned > 0 && steps >= aligned && (steps > aligned || goal_dx == goal_dy || !ends)) {
            int goal_at_x = x + aligned * dx, goal_at_y = y + aligned * dy;
            if (goal_dx == goal_dy) {
                note_jump(scan, irregular, goal_at_x, goal_at_y, aligned, 0, upright);
                return;
            }
            // A turn before the goal is found again below if this cell is an event: to no avail.
            if (goal_dx > goal_dy)
                scan_straight(scan, irregular, sideways, goal_at_x, goal_at_y, aligned);
            else
                scan_straight(scan, irregular, upright, goal_at_x, goal_at_y, aligned);
            aligned = 0;
        }
        if (ends) {
            note_jump(scan, irregular, at, at_y, steps, 0, ASTAR_ARRIVED_SLANTED + (unsigned)slant);
            return;
        }
        if (corners != ASTAR_CORNERS_BOTH_FREE && (can_turn(scan, corners, slant, 1, at, at_y) ||
                                                   can_turn(scan, corners, slant, 3, at, at_y))) {
            note_jump(scan, irregular, at, at_y, steps, 0, ASTAR_ARRIVED_SLANTED + (unsigned)slant);
            return; // it goes on from there
        }
        unsigned reach = astar_reachable_at(scan->reach, scan->reach_stride, at, at_y);
        if ((reach >> sideways & 1) != 0)
            run_to_turn(scan, irregular, sideways, at, at_y, steps);
        if ((reach >> upright & 1) != 0)
            run_to_turn(scan, irregular, upright, at, at_y, steps);
        if (!can_slant(scan, corners, slant, at, at_y))
            return;
    }
}

// One function for each kind of ground, rule and slant. Inlined wherever they are called, and what
// notes a node in them, they take a compiler minutes, and are no faster.
#define DEFINE_RUN(name, irregular, corners, slant)                                                \
    ASTAR_ONCE void name(AstarScan *scan, int x, int y)                                            \
    {                                                                                              \
        run_slanted_by(scan, irregular, corners, slant, x, y);                                     \
    }
#define DEFINE_RUNS(name, irregular, corners)                                                      \
    DEFINE_RUN(name##_south_east, irregular, corners, ASTAR_SOUTH_EAST)                            \
    DEFINE_RUN(name##_south_west, irregular, corners, ASTAR_SOUTH_WEST)                            \
    DEFINE_RUN(name##_north_west, irregular, corners, ASTAR_NORTH_WEST)                            \
    DEFINE_RUN(name##_north_east, irregular, corners, ASTAR_NORTH_EAST)                            \
    ASTAR_SPECIALIZE void name(AstarScan *scan, AstarSlant slant, int x, int y)                    \
    {                                                                                              \
        switch (slant) {                                                                           \
        case ASTAR_SOUTH_EAST: name##_south_east(scan, x, y); return;                              \
        case ASTAR_SOUTH_WEST: name##_south_west(scan, x, y); return;                              \
        case ASTAR_NORTH_WEST: name##_north_west(scan, x, y); return;                              \
        case ASTAR_NORTH_EAST: name##_north_east(scan, x, y); return;                              \
        }                                                                                          \
    }
DEFINE_RUNS(run_strictly, false, ASTAR_CORNERS_BOTH_FREE)
DEFINE_RUNS(run_past_one, false, ASTAR_CORNERS_ONE_FREE)
DEFINE_RUNS(run_between, false, ASTAR_CORNERS_ANY)
DEFINE_RUNS(run_irregular_strictly, true, ASTAR_CORNERS_BOTH_FREE)
DEFINE_RUNS(run_irregular_past_one, true, ASTAR_CORNERS_ONE_FREE)
DEFINE_RUNS(run_irregular_between, true, ASTAR_CORNERS_ANY)

ASTAR_SPECIALIZE void run_slanted(AstarScan *scan, bool irregular, AstarCorners corners,
                                  AstarSlant slant, int x, int y)
{
    switch (corners) {
    case ASTAR_CORNERS_ANY:
        irregular ? run_irregular_between(scan, slant, x, y) : run_between(scan, slant, x, y);
        return;
    case ASTAR_CORNERS_ONE_FREE:
        irregular ? run_irregular_past_one(scan, slant, x, y) : run_past_one(scan, slant, x, y);
        return;
    default:
        irregular ? run_irregular_strictly(scan, slant, x, y) : run_strictly(scan, slant, x, y);
    }
}

// The turns an obstacle opens at a node reached by a straight run, to both sides. Where no corner
// is cut: if the cell behind is blocked and the one beside free, aside and slanted. Else: slanted,
// if the cell beside is blocked.
ASTAR_SPECIALIZE void turn(AstarScan *scan, bool irregular, AstarCorners corners,
                           AstarStraight direction, int x, int y, unsigned reach)
{
    const int dx = (direction == ASTAR_EAST) - (direction == ASTAR_WEST);
    const int dy = (direction == ASTAR_SOUTH) - (direction == ASTAR_NORTH);
    // Clockwise of a direction is the next one, and the slant between has its number.
    const AstarStraight right = (AstarStraight)((direction + 1) & 3);
    const AstarStraight left = (AstarStraight)((direction + 3) & 3);
    unsigned right_free = astar_bit_at(&scan->rows, y + dx, x - dy);
    unsigned left_free = astar_bit_at(&scan->rows, y - dx, x + dy);
    if (corners != ASTAR_CORNERS_BOTH_FREE) {
        if (!right_free)
            run_slanted(scan, irregular, corners, (AstarSlant)direction, x, y);
        if (!left_free)
            run_slanted(scan, irregular, corners, (AstarSlant)left, x, y);
        return;
    }
    if (right_free > astar_bit_at(&scan->rows, y + dx - dy, x - dy - dx)) {
        run_on(scan, irregular, right, x, y, reach);
        run_slanted(scan, irregular, corners, (AstarSlant)direction, x, y);
    }
    if (left_free > astar_bit_at(&scan->rows, y - dx - dy, x + dy - dx)) {
        run_on(scan, irregular, left, x, y, reach);
        run_slanted(scan, irregular, corners, (AstarSlant)left, x, y);
    }
}

ASTAR_SPECIALIZE void expand_straight(AstarScan *scan, bool irregular, AstarCorners corners,
                                      AstarStraight direction, int x, int y, unsigned reach)
{
    run_on(scan, irregular, direction, x, y, reach);
    turn(scan, irregular, corners, direction, x, y, reach);
}

// A node where a diagonal run can turn.
ASTAR_SPECIALIZE void expand_slanted(AstarScan *scan, bool irregular, AstarCorners corners,
                                     AstarSlant slant, int x, int y, unsigned reach)
{
    run_on(scan, irregular, slant_dx(slant) > 0 ? ASTAR_EAST : ASTAR_WEST, x, y, reach);
    run_on(scan, irregular, slant_dy(slant) > 0 ? ASTAR_SOUTH : ASTAR_NORTH, x, y, reach);
    run_slanted(scan, irregular, corners, slant, x, y);
    if (can_turn(scan, corners, slant, 1, x, y))
        run_slanted(scan, irregular, corners, next_slant(slant, 1), x, y);
    if (can_turn(scan, corners, slant, 3, x, y))
        run_slanted(scan, irregular, corners, next_slant(slant, 3), x, y);
}

// The start goes every way.
ASTAR_SPECIALIZE void expand_start(AstarScan *scan, AstarCorners corners, int x, int y)
{
    scan_straight(scan, false, ASTAR_EAST, x, y, 0);
    scan_straight(scan, false, ASTAR_SOUTH, x, y, 0);
    scan_straight(scan, false, ASTAR_WEST, x, y, 0);
    scan_straight(scan, false, ASTAR_NORTH, x, y, 0);
    run_slanted(scan, false, corners, ASTAR_SOUTH_EAST, x, y);
    run_slanted(scan, false, corners, ASTAR_SOUTH_WEST, x, y);
    run_slanted(scan, false, corners, ASTAR_NORTH_WEST, x, y);
    run_slanted(scan, false, corners, ASTAR_NORTH_EAST, x, y);
}

ASTAR_SPECIALIZE void expand_by(AstarScan *scan, bool irregular, AstarCorners corners, int arrival,
                                int x, int y, unsigned reach)
{
    switch (arrival) {
    case ASTAR_EAST: expand_straight(scan, irregular, corners, ASTAR_EAST, x, y, reach); return;
    case ASTAR_SOUTH: expand_straight(scan, irregular, corners, ASTAR_SOUTH, x, y, reach); return;
    case ASTAR_WEST: expand_straight(scan, irregular, corners, ASTAR_WEST, x, y, reach); return;
    case ASTAR_NORTH: expand_straight(scan, irregular, corners, ASTAR_NORTH, x, y, reach); return;
    case ASTAR_ARRIVED_NOWHERE: // where some cells are irregular, see expand_freely()
        if (!irregular)
            expand_start(scan, corners, x, y);
        return;
    default: break;
    }
    if (corners == ASTAR_CORNERS_BOTH_FREE)
        return;
    switch (arrival - ASTAR_ARRIVED_SLANTED) {
    case ASTAR_SOUTH_EAST:
        expand_slanted(scan, irregular, corners, ASTAR_SOUTH_EAST, x, y, reach);
        return;
    case ASTAR_SOUTH_WEST:
        expand_slanted(scan, irregular, corners, ASTAR_SOUTH_WEST, x, y, reach);
        return;
    case ASTAR_NORTH_WEST:
        expand_slanted(scan, irregular, corners, ASTAR_NORTH_WEST, x, y, reach);
        return;
    default: expand_slanted(scan, irregular, corners, ASTAR_NORTH_EAST, x, y, reach);
    }
}

// ---- without diagonals ----

// Runs along the row, looking up and down where there is something to see.
ASTAR_SPECIALIZE void scan_aside(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                                 int y)
{
    const int dx = direction == ASTAR_EAST ? 1 : -1;
    const uint64_t *stops = astar_row_at(&scan->stops[direction], y);
    int to_goal = (scan->goal_x - x) * dx;
    for (int at = x;;) {
        at = dx > 0 ? astar_bit_from(stops, at + 1) : astar_bit_until(stops, at - 1);
        int steps = (at - x) * dx;
        bool is_free = astar_bit_at(&scan->rows, y, at);
        bool ends = is_irregular_at(scan, irregular, at, y);
        // In the goal's column it lies straight ahead.
        if (to_goal > 0 &&
            (steps > to_goal || (steps == to_goal && is_free && (y == scan->goal_y || !ends)))) {
            if (y == scan->goal_y) {
                note_jump(scan, irregular, scan->goal_x, y, to_goal, 0, ASTAR_SOUTH);
                return;
            }
            if (y < scan->goal_y)
                scan_straight(scan, irregular, ASTAR_SOUTH, scan->goal_x, y, to_goal);
            else
                scan_straight(scan, irregular, ASTAR_NORTH, scan->goal_x, y, to_goal);
            to_goal = 0;
        }
        if (ends)
            note_jump(scan, irregular, at, y, steps, 0, direction);
        if (!is_free || ends)
            return;
        unsigned reach = astar_reachable_at(scan->reach, scan->reach_stride, at, y);
        if ((reach >> ASTAR_SOUTH & 1) != 0)
            run_to_turn(scan, irregular, ASTAR_SOUTH, at, y, steps);
        if ((reach >> ASTAR_NORTH & 1) != 0)
            run_to_turn(scan, irregular, ASTAR_NORTH, at, y, steps);
    }
}

// A node reached by a run up or down: on one side the cell behind is blocked and the one beside
// free.
ASTAR_SPECIALIZE void expand_upright(AstarScan *scan, bool irregular, AstarStraight direction,
                                     int x, int y, unsigned reach)
{
    const int behind = direction == ASTAR_SOUTH ? -1 : 1;
    run_on(scan, irregular, direction, x, y, reach);
    if (astar_bit_at(&scan->rows, y + behind, x + 1) < astar_bit_at(&scan->rows, y, x + 1))
        scan_aside(scan, irregular, ASTAR_EAST, x, y);
    if (astar_bit_at(&scan->rows, y + behind, x - 1) < astar_bit_at(&scan->rows, y, x - 1))
        scan_aside(scan, irregular, ASTAR_WEST, x, y);
}

ASTAR_SPECIALIZE void expand_orthogonal(AstarScan *scan, bool irregular, int arrival, int x, int y,
                                        unsigned reach)
{
    switch (arrival) {
    case ASTAR_SOUTH: expand_upright(scan, irregular, ASTAR_SOUTH, x, y, reach); return;
    case ASTAR_NORTH: expand_upright(scan, irregular, ASTAR_NORTH, x, y, reach); return;
    default: break;
    }
    if (irregular)
        return;
    scan_straight(scan, false, ASTAR_SOUTH, x, y, 0);
    scan_straight(scan, false, ASTAR_NORTH, x, y, 0);
    scan_aside(scan, false, ASTAR_EAST, x, y);
    scan_aside(scan, false, ASTAR_WEST, x, y);
}

// ---- by rule ----

ASTAR_SPECIALIZE void expand_jump_point(AstarScan *scan, bool irregular, int arrival, int x, int y)
{
    unsigned reach = astar_reachable_at(scan->reach, scan->reach_stride, x, y);
    if (!scan->rule->has_diagonals) {
        expand_orthogonal(scan, irregular, arrival, x, y, reach);
        return;
    }
    switch (scan->rule->corners) {
    case ASTAR_CORNERS_ANY:
        expand_by(scan, irregular, ASTAR_CORNERS_ANY, arrival, x, y, reach);
        return;
    case ASTAR_CORNERS_ONE_FREE:
        expand_by(scan, irregular, ASTAR_CORNERS_ONE_FREE, arrival, x, y, reach);
        return;
    default: expand_by(scan, irregular, ASTAR_CORNERS_BOTH_FREE, arrival, x, y, reach);
    }
}

// Where a cell lies, counting the border.
static void place_cell(const AstarScan *scan, uint32_t cell, int *x, int *y)
{
    *y = (int)(cell / scan->width) + 1;
    *x = (int)(cell % scan->width) + 1;
}

void astar_expand_jps(AstarScan *scan, uint32_t cell)
{
    int x, y;
    place_cell(scan, cell, &x, &y);
    scan->from = cell;
    const AstarJumpNode *node = astar_jump_current(scan->search);
    scan->g = node->g.whole;
    expand_jump_point(scan, false, astar_jump_arrival(node), x, y);
}

// ---- irregular cells ----

// Runs from a cell in a direction of directions.h, whose first step is legal.
static void run_by_step(AstarScan *scan, int direction, int x, int y)
{
    bool looks_aside = !scan->rule->has_diagonals;
    AstarCorners corners = scan->rule->corners;
    switch (direction) {
    case 0: scan_straight(scan, true, ASTAR_NORTH, x, y, 0); return;
    case 1: run_slanted(scan, true, corners, ASTAR_NORTH_EAST, x, y); return;
    case 2:
        if (looks_aside)
            scan_aside(scan, true, ASTAR_EAST, x, y);
        else
            scan_straight(scan, true, ASTAR_EAST, x, y, 0);
        return;
    case 3: run_slanted(scan, true, corners, ASTAR_SOUTH_EAST, x, y); return;
    case 4: scan_straight(scan, true, ASTAR_SOUTH, x, y, 0); return;
    case 5: run_slanted(scan, true, corners, ASTAR_SOUTH_WEST, x, y); return;
    case 6:
        if (looks_aside)
            scan_aside(scan, true, ASTAR_WEST, x, y);
        else
            scan_straight(scan, true, ASTAR_WEST, x, y, 0);
        return;
    default: run_slanted(scan, true, corners, ASTAR_NORTH_WEST, x, y);
    }
}

// Follows each step worth taking out of a cell: to an irregular one the step alone, elsewhere a
// run over ground that is all like the first cell entered.
static void expand_freely(AstarScan *scan, uint32_t cell, int x, int y)
{
    unsigned runs = astar_expand_steps(scan, cell);
    for (; runs != 0; runs &= runs - 1) {
        int d = astar_lowest_bit(runs);
        astar_scan_ground(scan, cell + (uint32_t)(astar_dy[d] * (int)scan->width + astar_dx[d]));
        run_by_step(scan, d, x, y);
    }
    astar_follow_links(scan, cell);
}

void astar_expand_irregular(AstarScan *scan, uint32_t cell)
{
    const AstarJumpNode *node = astar_jump_current(scan->search);
    int x, y, arrival = astar_jump_arrival(node);
    place_cell(scan, cell, &x, &y);
    scan->from = cell;
    scan->real_g = node->g.real;
    if (arrival == ASTAR_ARRIVED_NOWHERE || arrival == ASTAR_ARRIVED_BY_LINK ||
        astar_bit_at(&scan->irregular, y, x)) {
        expand_freely(scan, cell, x, y);
        return;
    }
    astar_scan_ground(scan, cell);
    expand_jump_point(scan, true, arrival, x, y);
}
