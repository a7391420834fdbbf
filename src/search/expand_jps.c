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

#include "search/jump_scan.h"

#include "derived/jump_turns.h"
#include "derived/jump_words.h"
#include "rules/corner_rules.h"
#include "search/jps.h"

#include <assert.h>
#include <stdlib.h>

// Why a way was not noted.
static void note_limit(AstarScan *scan, uint64_t f)
{
    if (f > ASTAR_MOST_F)
        scan->fault = ASTAR_BAD_COST;
    else
        scan->search->failure = ASTAR_MAX_COST;
}

// What baked landmarks tell of the way from a cell to the goal.
ASTAR_ONCE uint64_t landmark_bound(const AstarScan *scan, uint32_t cell)
{
    const uint32_t *distances = scan->landmarks + (size_t)cell * (size_t)scan->landmark_stride;
    return astar_landmarks_estimate(distances, 1, &scan->bounds, scan->landmark_stride);
}

// Notes a way to a node over uniform ground, if it is the cheapest yet.
ASTAR_HOT ASTAR_ONCE void note_uniform(AstarScan *scan, int x, int y, int before, int steps,
                                       unsigned arrival)
{
    uint32_t g = scan->g + (uint32_t)before * scan->before + (uint32_t)steps * scan->straight;
    uint32_t cell = (uint32_t)(y - 1) * scan->width + (uint32_t)(x - 1);
    uint32_t *slot = astar_jump_slot(scan->nodes, cell, x - 1, y - 1);
    AstarJumpNode *node = astar_jump_named(scan->nodes, slot);
    if (node != NULL && node->g.whole <= g)
        return;
    uint32_t dx = (uint32_t)abs(x - scan->goal.x), dy = (uint32_t)abs(y - scan->goal.y);
    uint32_t lesser = dx < dy ? dx : dy, greater = dx < dy ? dy : dx;
    uint64_t h = (uint64_t)(greater - lesser) * scan->straight + (uint64_t)lesser * scan->across;
    if (scan->landmarks != NULL) {
        uint64_t other = landmark_bound(scan, cell);
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
    if (node == NULL) {
        astar_fetch_ahead(scan->runs, x, y, arrival);
        node = astar_jump_nodes_add(scan->nodes, &scan->search->allocator, slot, cell);
    }
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
        scan->note(scan, x, y, before, steps, arrival);
    else
        note_uniform(scan, x, y, before, steps, arrival);
}

// Whether runs end at a cell because that is irregular.
ASTAR_SPECIALIZE bool is_irregular_at(const AstarScan *scan, bool irregular, int x, int y)
{
    return irregular && scan->irregular.words != NULL && astar_bit_at(&scan->irregular, y, x);
}

// ---- straight runs ----

// Where the straight run from (x, y) ends, and how far that is.
ASTAR_SPECIALIZE int stop_of(const AstarScan *scan, AstarStraight direction, int x, int y,
                             int *length)
{
    bool turned = astar_is_turned((int)direction), upward = astar_is_upward((int)direction);
    int row = turned ? x : y, position = turned ? y : x;
    const AstarTiles *stops = &scan->runs->stops[direction];
    int stop = upward ? astar_tiles_from(stops, row, position + 1)
                      : astar_tiles_until(stops, row, position - 1);
    *length = upward ? stop - position : position - stop;
    return stop;
}

// Has the line fetched in which the straight run from (x, y) begins.
ASTAR_SPECIALIZE void fetch_stops(const AstarScan *scan, AstarStraight direction, int x, int y)
{
    const AstarTiles *tiles = &scan->runs->stops[direction];
    bool turned = astar_is_turned((int)direction);
    unsigned row = (unsigned)(turned ? x : y), position = (unsigned)(turned ? y : x);
    ASTAR_PREFETCH(tiles->words +
                   ((row >> 3) * tiles->stride + (position >> 6)) * ASTAR_LINE_WORDS);
}

// Runs straight from (x, y), 'before' steps from the node, to a turn that is known to be there.
ASTAR_SPECIALIZE void run_to_turn(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                                  int y, int before)
{
    bool turned = astar_is_turned((int)direction);
    int length, stop = stop_of(scan, direction, x, y, &length);
    note_jump(scan, irregular, turned ? x : stop, turned ? stop : y, before, length, direction);
}

// The steps to the goal, which lies in a straight run's row or column, if the run comes to it; else
// 0. Few runs are asked, so the code of the others is not to have this in between.
ASTAR_HOT ASTAR_ONCE int steps_to_goal(const AstarScan *scan, AstarStraight direction, int x, int y)
{
    int ahead = scan->goal.x - x + scan->goal.y - y, length;
    int to_goal = astar_is_upward((int)direction) ? ahead : -ahead;
    stop_of(scan, direction, x, y, &length);
    return to_goal > 0 && to_goal <= length ? to_goal : 0;
}

// Runs straight to the goal if it comes to that before it ends; else false.
ASTAR_SPECIALIZE bool run_to_goal(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                                  int y, int before)
{
    bool turned = astar_is_turned((int)direction);
    if (turned ? x != scan->goal.x : y != scan->goal.y)
        return false;
    int steps = steps_to_goal(scan, direction, x, y);
    if (steps > 0)
        note_jump(scan, irregular, scan->goal.x, scan->goal.y, before, steps, direction);
    return steps > 0;
}

// Runs straight from a node to the goal or a turn, whichever comes first, if either does: of a turn
// its reach tells.
ASTAR_SPECIALIZE void run_on(AstarScan *scan, bool irregular, AstarStraight direction, int x, int y,
                             unsigned reach)
{
    if (!run_to_goal(scan, irregular, direction, x, y, 0) && reach != 0)
        run_to_turn(scan, irregular, direction, x, y, 0);
}

// The same from a start, which may be blocked and know nothing of its reach.
ASTAR_SPECIALIZE void run_out(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                              int y)
{
    bool turned = astar_is_turned((int)direction);
    int length, stop = stop_of(scan, direction, x, y, &length);
    if (!run_to_goal(scan, irregular, direction, x, y, 0) &&
        astar_is_free_at(scan->runs, turned ? x : stop, turned ? stop : y))
        run_to_turn(scan, irregular, direction, x, y, 0);
}

// ---- diagonal runs ----

// What the word of a slant tells of a cell.
ASTAR_SPECIALIZE uint64_t slant_bits_at(const AstarScan *scan, AstarSlant slant, int x, int y)
{
    return *astar_slant_word(scan->runs, (int)slant, x, y);
}

// Of a cell at which diagonal runs end, and can turn themselves.
static const uint64_t turn_bits = (uint64_t)1 << ASTAR_TURNS * ASTAR_STRIP |
                                  (uint64_t)1 << ASTAR_ENDS * ASTAR_STRIP;

// Runs diagonally, looking aside where there is something to see. The first step must be legal.
ASTAR_SPECIALIZE void run_slanted_by(AstarScan *scan, bool irregular, AstarSlant slant, int x,
                                     int y)
{
    const int dx = astar_slant_dx(slant), dy = astar_slant_dy(slant);
    const AstarStraight sideways = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    const bool is_sideways_next = (int)slant != (int)sideways;
    const ptrdiff_t strip = (ptrdiff_t)scan->runs->strip * dx + ASTAR_STRIP * dy;
    // After as many steps as the goal's lesser distance it lies straight ahead, and only then.
    int goal_dx = (scan->goal.x - x) * dx, goal_dy = (scan->goal.y - y) * dy;
    int aligned = goal_dx < goal_dy ? goal_dx : goal_dy;
    int first = x & ~(ASTAR_STRIP - 1);
    unsigned beyond = dx > 0 ? 0xFFFEu << (x - first) & 0xFFFF : (1u << (x - first)) - 1;
    for (const uint64_t *word = astar_slant_word(scan->runs, (int)slant, x, y);; word += strip) {
        uint64_t bits = *word;
        unsigned events = (unsigned)(bits | bits >> ASTAR_STRIP | bits >> 2 * ASTAR_STRIP) & beyond;
        ASTAR_PREFETCH(word + strip);
        // Of the runs sent out here those from the first event wait for their lines; the others lie
        // in these or in the lines of the last one.
        if (events != 0) {
            int last = first + (dx > 0 ? astar_highest_bit(events) : astar_lowest_bit(events));
            int last_y = y + (last - x) * dx * dy;
            fetch_stops(scan, sideways, last, last_y);
            fetch_stops(scan, upright, last, last_y);
        }
        while (events != 0) {
            int bit = dx > 0 ? astar_lowest_bit(events) : astar_highest_bit(events);
            int at = first + bit, steps = (at - x) * dx, at_y = y + steps * dy;
            uint64_t here = bits >> bit;
            bool is_node = (here & turn_bits) == scan->turn ||
                           (astar_slant_bit(here, ASTAR_ENDS, 0) != 0 &&
                            is_irregular_at(scan, irregular, at, at_y));
            if (aligned > 0 && steps >= aligned &&
                (steps > aligned || goal_dx == goal_dy || !is_node)) {
                int goal_at_x = x + aligned * dx, goal_at_y = y + aligned * dy;
                if (goal_dx == goal_dy) {
                    note_jump(scan, irregular, goal_at_x, goal_at_y, aligned, 0, upright);
                    return;
                }
                // A turn before the goal is found below: then this cell is an event.
                if (goal_dx > goal_dy)
                    run_to_goal(scan, irregular, sideways, goal_at_x, goal_at_y, aligned);
                else
                    run_to_goal(scan, irregular, upright, goal_at_x, goal_at_y, aligned);
                aligned = 0;
            }
            if (is_node) { // it goes on from there
                note_jump(scan, irregular, at, at_y, steps, 0,
                          ASTAR_ARRIVED_SLANTED + (unsigned)slant);
                return;
            }
            if (astar_slant_bit(here, is_sideways_next ? ASTAR_ASIDE_NEXT : ASTAR_ASIDE, 0) != 0)
                run_to_turn(scan, irregular, sideways, at, at_y, steps);
            if (astar_slant_bit(here, is_sideways_next ? ASTAR_ASIDE : ASTAR_ASIDE_NEXT, 0) != 0)
                run_to_turn(scan, irregular, upright, at, at_y, steps);
            if (astar_slant_bit(here, ASTAR_ENDS, 0) != 0)
                return;
            events &= ~(1u << bit);
        }
        first += ASTAR_STRIP * dx;
        beyond = 0xFFFF;
    }
}

// One function for each kind of ground and slant. Inlined wherever they are called, and what notes
// a node in them, they take a compiler minutes, and are no faster.
#define DEFINE_RUN(kind, name, irregular, slant)                                                   \
    kind void name(AstarScan *scan, int x, int y)                                                  \
    {                                                                                              \
        run_slanted_by(scan, irregular, slant, x, y);                                              \
    }
#define DEFINE_RUNS(kind, name, irregular)                                                         \
    DEFINE_RUN(kind, name##_south_east, irregular, ASTAR_SOUTH_EAST)                               \
    DEFINE_RUN(kind, name##_south_west, irregular, ASTAR_SOUTH_WEST)                               \
    DEFINE_RUN(kind, name##_north_west, irregular, ASTAR_NORTH_WEST)                               \
    DEFINE_RUN(kind, name##_north_east, irregular, ASTAR_NORTH_EAST)                               \
    ASTAR_SPECIALIZE void name(AstarScan *scan, AstarSlant slant, int x, int y)                    \
    {                                                                                              \
        switch (slant) {                                                                           \
        case ASTAR_SOUTH_EAST: name##_south_east(scan, x, y); return;                              \
        case ASTAR_SOUTH_WEST: name##_south_west(scan, x, y); return;                              \
        case ASTAR_NORTH_WEST: name##_north_west(scan, x, y); return;                              \
        case ASTAR_NORTH_EAST: name##_north_east(scan, x, y); return;                              \
        }                                                                                          \
    }
DEFINE_RUNS(ASTAR_HOT ASTAR_ONCE, run_uniform, false)
DEFINE_RUNS(ASTAR_ONCE, run_irregular, true)

ASTAR_SPECIALIZE void run_slanted(AstarScan *scan, bool irregular, AstarSlant slant, int x, int y)
{
    if (irregular)
        run_irregular(scan, slant, x, y);
    else
        run_uniform(scan, slant, x, y);
}

// The same, if the first step is legal.
ASTAR_SPECIALIZE void try_slanted(AstarScan *scan, bool irregular, AstarCorners corners,
                                  AstarSlant slant, int x, int y, unsigned around)
{
    if (astar_may_slant(around, corners, slant))
        run_slanted(scan, irregular, slant, x, y);
}

// A node reached by a straight run turns to its sides, clockwise first, aside and slanted, or where
// corners are cut only slanted. The words of those slants, of which it is on its way to one at
// least, know its reach.
ASTAR_SPECIALIZE void expand_straight(AstarScan *scan, bool irregular, AstarCorners corners,
                                      AstarStraight direction, int x, int y)
{
    const bool cuts = corners != ASTAR_CORNERS_BOTH_FREE;
    // Clockwise of a direction is the next one, and the slant between has its number.
    const AstarStraight right = (AstarStraight)((direction + 1) & 3);
    const AstarStraight left = (AstarStraight)((direction + 3) & 3);
    const AstarSlant slant_right = (AstarSlant)direction, slant_left = (AstarSlant)left;
    unsigned around = astar_around(scan->runs, x, y);
    bool opens_right = astar_opens(around, corners, direction, right);
    bool opens_left = astar_opens(around, corners, direction, left);
    uint64_t beside = slant_bits_at(scan, opens_right ? slant_right : slant_left, x, y);
    if (!cuts)
        fetch_stops(scan, opens_right ? right : left, x, y);
    run_on(scan, irregular, direction, x, y,
           astar_slant_bit(beside, opens_right ? ASTAR_ASIDE : ASTAR_ASIDE_NEXT, x));
    if (opens_right) {
        if (!cuts)
            run_on(scan, irregular, right, x, y, astar_slant_bit(beside, ASTAR_ASIDE_NEXT, x));
        try_slanted(scan, irregular, corners, slant_right, x, y, around);
    }
    if (opens_left) {
        if (opens_right)
            beside = slant_bits_at(scan, slant_left, x, y);
        if (!cuts)
            run_on(scan, irregular, left, x, y, astar_slant_bit(beside, ASTAR_ASIDE, x));
        try_slanted(scan, irregular, corners, slant_left, x, y, around);
    }
}

// A node where a diagonal run can turn.
ASTAR_SPECIALIZE void expand_slanted(AstarScan *scan, bool irregular, AstarCorners corners,
                                     AstarSlant slant, int x, int y)
{
    const AstarStraight sideways = astar_slant_dx(slant) > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = astar_slant_dy(slant) > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    const bool is_sideways_next = (int)slant != (int)sideways;
    unsigned around = astar_around(scan->runs, x, y);
    uint64_t word = slant_bits_at(scan, slant, x, y);
    run_on(scan, irregular, sideways, x, y,
           astar_slant_bit(word, is_sideways_next ? ASTAR_ASIDE_NEXT : ASTAR_ASIDE, x));
    run_on(scan, irregular, upright, x, y,
           astar_slant_bit(word, is_sideways_next ? ASTAR_ASIDE : ASTAR_ASIDE_NEXT, x));
    try_slanted(scan, irregular, corners, slant, x, y, around);
    if (astar_may_turn(around, corners, slant, 1))
        run_slanted(scan, irregular, astar_next_slant(slant, 1), x, y);
    if (astar_may_turn(around, corners, slant, 3))
        run_slanted(scan, irregular, astar_next_slant(slant, 3), x, y);
}

// Goes from the start to the goal diagonally, then straight, if nothing is in the way: no way is
// shorter, and every other is left alone.
ASTAR_HOT static bool go_directly(AstarScan *scan, int x, int y)
{
    AstarBentWay way;
    if (!astar_direct_way(scan->runs, x, y, scan->goal.x, scan->goal.y, &way))
        return false;
    note_uniform(scan, scan->goal.x, scan->goal.y, way.first, way.then, ASTAR_EAST);
    return true;
}

// The start goes every way: once a search, so one code serves all rules that have diagonal steps.
ASTAR_HOT ASTAR_ONCE void expand_start(AstarScan *scan, int x, int y)
{
    const AstarCorners corners = scan->rule->corners;
    unsigned around = astar_around(scan->runs, x, y);
    run_out(scan, false, ASTAR_EAST, x, y);
    run_out(scan, false, ASTAR_SOUTH, x, y);
    run_out(scan, false, ASTAR_WEST, x, y);
    run_out(scan, false, ASTAR_NORTH, x, y);
    try_slanted(scan, false, corners, ASTAR_SOUTH_EAST, x, y, around);
    try_slanted(scan, false, corners, ASTAR_SOUTH_WEST, x, y, around);
    try_slanted(scan, false, corners, ASTAR_NORTH_WEST, x, y, around);
    try_slanted(scan, false, corners, ASTAR_NORTH_EAST, x, y, around);
}

ASTAR_SPECIALIZE void expand_by(AstarScan *scan, AstarCorners corners, int arrival, int x, int y)
{
    switch (arrival) {
    case ASTAR_EAST: expand_straight(scan, false, corners, ASTAR_EAST, x, y); return;
    case ASTAR_SOUTH: expand_straight(scan, false, corners, ASTAR_SOUTH, x, y); return;
    case ASTAR_WEST: expand_straight(scan, false, corners, ASTAR_WEST, x, y); return;
    case ASTAR_NORTH: expand_straight(scan, false, corners, ASTAR_NORTH, x, y); return;
    case ASTAR_ARRIVED_NOWHERE:
    case ASTAR_ARRIVED_UNSEEN:
        if (arrival == ASTAR_ARRIVED_UNSEEN || !go_directly(scan, x, y))
            expand_start(scan, x, y);
        return;
    default: break;
    }
    if (corners == ASTAR_CORNERS_BOTH_FREE)
        return;
    switch (arrival - ASTAR_ARRIVED_SLANTED) {
    case ASTAR_SOUTH_EAST: expand_slanted(scan, false, corners, ASTAR_SOUTH_EAST, x, y); return;
    case ASTAR_SOUTH_WEST: expand_slanted(scan, false, corners, ASTAR_SOUTH_WEST, x, y); return;
    case ASTAR_NORTH_WEST: expand_slanted(scan, false, corners, ASTAR_NORTH_WEST, x, y); return;
    default: expand_slanted(scan, false, corners, ASTAR_NORTH_EAST, x, y);
    }
}

// ---- without diagonals ----

// Runs along the row, looking up and down where there is something to see.
ASTAR_SPECIALIZE void scan_aside(AstarScan *scan, bool irregular, AstarStraight direction, int x,
                                 int y)
{
    const int dx = direction == ASTAR_EAST ? 1 : -1;
    const AstarTiles *stops = &scan->runs->stops[direction];
    int to_goal = (scan->goal.x - x) * dx;
    for (int at = x;;) {
        at = dx > 0 ? astar_tiles_from(stops, y, at + 1) : astar_tiles_until(stops, y, at - 1);
        int steps = (at - x) * dx;
        bool is_free = astar_is_free_at(scan->runs, at, y);
        bool ends = is_irregular_at(scan, irregular, at, y);
        // In the goal's column it lies straight ahead.
        if (to_goal > 0 &&
            (steps > to_goal || (steps == to_goal && is_free && (y == scan->goal.y || !ends)))) {
            if (y == scan->goal.y) {
                note_jump(scan, irregular, scan->goal.x, y, to_goal, 0, ASTAR_SOUTH);
                return;
            }
            if (y < scan->goal.y)
                run_to_goal(scan, irregular, ASTAR_SOUTH, scan->goal.x, y, to_goal);
            else
                run_to_goal(scan, irregular, ASTAR_NORTH, scan->goal.x, y, to_goal);
            to_goal = 0;
        }
        if (ends)
            note_jump(scan, irregular, at, y, steps, 0, direction);
        if (!is_free || ends)
            return;
        if (astar_tile_bit(&scan->runs->reach[ASTAR_SOUTH], y, at) != 0)
            run_to_turn(scan, irregular, ASTAR_SOUTH, at, y, steps);
        if (astar_tile_bit(&scan->runs->reach[ASTAR_NORTH], y, at) != 0)
            run_to_turn(scan, irregular, ASTAR_NORTH, at, y, steps);
    }
}

// One function for each kind of ground and side, as of slants.
ASTAR_HOT ASTAR_ONCE void scan_east(AstarScan *scan, int x, int y)
{
    scan_aside(scan, false, ASTAR_EAST, x, y);
}

ASTAR_HOT ASTAR_ONCE void scan_west(AstarScan *scan, int x, int y)
{
    scan_aside(scan, false, ASTAR_WEST, x, y);
}

ASTAR_ONCE void scan_irregular(AstarScan *scan, AstarStraight side, int x, int y)
{
    scan_aside(scan, true, side, x, y);
}

ASTAR_SPECIALIZE void scan_side(AstarScan *scan, bool irregular, AstarStraight side, int x, int y)
{
    if (irregular)
        scan_irregular(scan, side, x, y);
    else
        (side == ASTAR_EAST ? scan_east : scan_west)(scan, x, y);
}

// A node reached by a run up or down: on one side the cell behind is blocked and the one beside
// free.
ASTAR_SPECIALIZE void expand_upright(AstarScan *scan, bool irregular, AstarStraight direction,
                                     int x, int y)
{
    const int behind = direction == ASTAR_SOUTH ? -1 : 1;
    run_on(scan, irregular, direction, x, y, astar_tile_bit(&scan->runs->reach[direction], y, x));
    unsigned around = astar_around(scan->runs, x, y);
    if (astar_is_free_by(around, 1, behind) < astar_is_free_by(around, 1, 0))
        scan_side(scan, irregular, ASTAR_EAST, x, y);
    if (astar_is_free_by(around, -1, behind) < astar_is_free_by(around, -1, 0))
        scan_side(scan, irregular, ASTAR_WEST, x, y);
}

// ---- by rule ----

// Over uniform ground one function for each kind of rule, so that who goes by one does not have the
// code of the others in between; but one for both rules that cut corners, for 0 to 2 in a hundred
// more instructions. One for all takes up to 4 more there; where cells are irregular, none.
ASTAR_HOT ASTAR_ONCE void expand_cutting(AstarScan *scan, int arrival, int x, int y)
{
    AstarCorners corners = scan->rule->corners;
    expand_by(scan, corners == ASTAR_CORNERS_ANY ? corners : ASTAR_CORNERS_ONE_FREE, arrival, x, y);
}

ASTAR_HOT ASTAR_ONCE void expand_both_free(AstarScan *scan, int arrival, int x, int y)
{
    expand_by(scan, ASTAR_CORNERS_BOTH_FREE, arrival, x, y);
}

ASTAR_HOT ASTAR_ONCE void expand_without_diagonals(AstarScan *scan, int arrival, int x, int y)
{
    switch (arrival) {
    case ASTAR_SOUTH: expand_upright(scan, false, ASTAR_SOUTH, x, y); return;
    case ASTAR_NORTH: expand_upright(scan, false, ASTAR_NORTH, x, y); return;
    default: break;
    }
    run_out(scan, false, ASTAR_SOUTH, x, y);
    run_out(scan, false, ASTAR_NORTH, x, y);
    scan_east(scan, x, y);
    scan_west(scan, x, y);
}

// A regular cell that a run led to, where some are irregular; without diagonals only runs up and
// down end in one. One code for all slants takes up to 2 in a hundred more instructions, one for
// all straight directions 6. A start is expanded by expand_freely().
ASTAR_ONCE void expand_regular(AstarScan *scan, int arrival, int x, int y)
{
    AstarCorners corners = scan->rule->corners;
    if (!scan->rule->has_diagonals) {
        assert(arrival == ASTAR_SOUTH || arrival == ASTAR_NORTH);
        expand_upright(scan, true, (AstarStraight)arrival, x, y);
        return;
    }
    switch (arrival) {
    case ASTAR_EAST: expand_straight(scan, true, corners, ASTAR_EAST, x, y); return;
    case ASTAR_SOUTH: expand_straight(scan, true, corners, ASTAR_SOUTH, x, y); return;
    case ASTAR_WEST: expand_straight(scan, true, corners, ASTAR_WEST, x, y); return;
    case ASTAR_NORTH: expand_straight(scan, true, corners, ASTAR_NORTH, x, y); return;
    default:
        expand_slanted(scan, true, corners, (AstarSlant)(arrival - ASTAR_ARRIVED_SLANTED), x, y);
    }
}

// Turns that lead nowhere are left out where they are known, unless the goal can be seen from one.
// A limit counts the nodes on them, too.
ASTAR_HOT void astar_scan_bitmaps(AstarScan *scan, const AstarSearch *search,
                                  const AstarJumpBitmaps *jump)
{
    const AstarRatio whole = search->finder->whole;
    const AstarDeadEnds *known = astar_get(&jump->known_dead_ends); // stays so until an edit
    bool follows_all = known == NULL || search->question.max_expansions != UINT64_MAX ||
                       (jump->rule->has_diagonals && whole.diagonal >= 2 * whole.straight) ||
                       astar_bits_get(&known->seen, search->jumps.to.x, search->jumps.to.y);
    scan->runs = follows_all ? &jump->runs : &known->runs;
    scan->turn = astar_has_slant_turns(jump) ? turn_bits : ~turn_bits; // the latter they never are
}

// Follows each legal step out of a cell alone. Of a slanted one no run ends so where no corner is
// cut: from there all ways are followed.
ASTAR_ONCE void expand_uniform_steps(AstarScan *scan, int x, int y)
{
    const AstarBits *bits = &scan->search->finder->on.walkable->bits;
    unsigned steps = astar_legal_moves(scan->rule, astar_bits_around(bits, x - 1, y - 1));
    for (; steps != 0; steps &= steps - 1) {
        int d = astar_lowest_bit(steps);
        bool slanted = (d & 1) != 0;
        unsigned arrival = slanted ? ASTAR_ARRIVED_NOWHERE : (unsigned)(d / 2 + 3) & 3;
        note_uniform(scan, x + astar_dx[d], y + astar_dy[d], slanted, !slanted, arrival);
    }
}

ASTAR_HOT void astar_expand_jps(AstarScan *scan, uint32_t cell)
{
    const AstarJumpFront *front = &scan->search->jumps;
    const AstarJumpNode *node = astar_jump_current(scan->search);
    scan->from = cell;
    scan->g = node->g.whole;
    if (scan->g < scan->steps_below)
        expand_uniform_steps(scan, front->x + 1, front->y + 1);
    else if (!scan->rule->has_diagonals)
        expand_without_diagonals(scan, astar_jump_arrival(node), front->x + 1, front->y + 1);
    else if (scan->rule->corners == ASTAR_CORNERS_BOTH_FREE)
        expand_both_free(scan, astar_jump_arrival(node), front->x + 1, front->y + 1);
    else
        expand_cutting(scan, astar_jump_arrival(node), front->x + 1, front->y + 1);
}

// ---- irregular cells ----

// Runs from a cell in a direction of directions.h, whose first step is legal.
ASTAR_ONCE void run_by_step(AstarScan *scan, int direction, int x, int y)
{
    const int quarter = (direction / 2 + 3) & 3; // from east on, and from south-east
    if ((direction & 1) != 0)
        run_slanted(scan, true, (AstarSlant)quarter, x, y);
    else if (scan->rule->has_diagonals || astar_is_turned(quarter))
        run_out(scan, true, (AstarStraight)quarter, x, y);
    else
        scan_irregular(scan, (AstarStraight)quarter, x, y);
}

void astar_expand_lines(AstarScan *scan, bool by_steps, int arrival, int x, int y)
{
    if (!by_steps && arrival != ASTAR_ARRIVED_NOWHERE) {
        expand_regular(scan, arrival, x, y);
        return;
    }
    unsigned moves = astar_legal_moves(scan->rule, astar_bits_around(scan->rows, x - 1, y - 1));
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        if (by_steps)
            scan->note(scan, x + astar_dx[d], y + astar_dy[d], d & 1, !(d & 1),
                       ASTAR_ARRIVED_NOWHERE);
        else
            run_by_step(scan, d, x, y);
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

// The same as go_directly(), if it is known that no way is cheaper.
static bool go_in_plain_view(AstarScan *scan, uint32_t cell)
{
    const AstarSearch *search = scan->search;
    AstarBentWay view;
    if (!astar_plain_view(search->finder, search->start_x, search->start_y, search->goal.x,
                          search->goal.y, &view))
        return false;
    astar_scan_ground(scan, cell);
    note_jump(scan, true, scan->goal.x, scan->goal.y, view.first, view.then, ASTAR_EAST);
    return true;
}

// Whether no run over regular cells ends so: a step did, see own_blocks.c.
static bool is_by_step(const AstarCornerRule *rule, int arrival)
{
    if (!rule->has_diagonals)
        return arrival == ASTAR_EAST || arrival == ASTAR_WEST;
    return arrival >= ASTAR_ARRIVED_SLANTED && rule->corners == ASTAR_CORNERS_BOTH_FREE;
}

void astar_expand_irregular(AstarScan *scan, uint32_t cell)
{
    const AstarJumpNode *node = astar_jump_current(scan->search);
    const AstarJumpFront *front = &scan->search->jumps;
    int x = front->x + 1, y = front->y + 1, arrival = astar_jump_arrival(node);
    scan->from = cell;
    scan->real_g = node->g.real;
    astar_choose_bits(scan);
    if (arrival == ASTAR_ARRIVED_NOWHERE && go_in_plain_view(scan, cell))
        return;
    if (scan->by_steps || is_by_step(scan->rule, arrival) || arrival == ASTAR_ARRIVED_NOWHERE ||
        arrival == ASTAR_ARRIVED_BY_LINK || astar_bit_at(&scan->irregular, y, x)) {
        expand_freely(scan, cell, x, y);
        return;
    }
    astar_scan_ground(scan, cell);
    expand_regular(scan, arrival, x, y);
}
