// jps.c -- jump point search over uniform ground.
//
// A* whose successors are jump points (D. Harabor and A. Grastien, "Online Graph Pruning for
// Pathfinding on Grid Maps", AAAI 2011; block-wise scans and intermediate points left out, ICAPS
// 2014). Of all best routes between two cells only those that go diagonally first, then straight,
// are followed, so a cell reached by a straight run is a node only where an obstacle beside it
// opens a turn; see jump.h for the bitmaps that find it. The diagonal part of a way to a node is
// not a node: it is worked out from the two ends when the route is read.
//
// Costs are whole numbers: straight and diagonal steps in a ratio that is the best approximation
// of diagonal_cost with a denominator below 2^13 (5741 to 8119 for the square root of 2). Sums of
// them order as the real ones do while the numbers of diagonal steps differ by less than that. An
// item of the open list is one word: f above, the cell below, so of equal f the lower cell comes
// first.

#include "jps.h"

#include "path.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_BITS = 28, NO_ARRIVAL = 4 };

// No f is higher, so that one run more, on sides no longer than LONGEST_SIDE, still fits 32 bits.
#define MOST_F (UINT32_C(1) << 31)
enum { LONGEST_SIDE = 1 << 17 };

static_assert(ASTAR_MAX_CELLS <= 1 << CELL_BITS, "a cell must fit below f");

// A map much longer than broad would have bitmaps far larger than itself.
static bool has_fit_shape(const AstarGrid *grid)
{
    int32_t width = grid->width, height = grid->height;
    int64_t greater = width > height ? width : height;
    int64_t bytes = (width * greater + 2 * (int64_t)grid->cells) / 2 + 64 * greater;
    return greater <= LONGEST_SIDE && bytes <= 4 * (int64_t)grid->cells + (1 << 20);
}

bool astar_jps_applies(const AstarFinder *finder)
{
    const AstarOptions *o = &finder->options;
    return finder->is_uniform && o->diagonals == ASTAR_ONLY_WHEN_NO_OBSTACLES &&
           !astar_finder_asks(finder) && o->estimate == NULL && o->weight == 1 &&
           (o->heuristic == ASTAR_HEURISTIC_DEFAULT || o->heuristic == ASTAR_OCTILE) &&
           has_fit_shape(finder->grid);
}

// What an expansion needs at hand. Coordinates count the border, as in jump.h.
typedef struct Scan {
    AstarSearch *search;
    AstarKeys *open;
    AstarJumpNode *nodes;
    AstarBits rows, columns;
    AstarBits stops[4], events[4];
    const uint8_t *reach;
    size_t reach_stride;
    int32_t wrap;
    uint32_t width, stamp;
    uint32_t straight, diagonal;
    int goal_x, goal_y;
    uint64_t limit; // for f
    // the node being expanded
    uint32_t from, g;
    AstarStatus fault; // ASTAR_NO_MEMORY, or ASTAR_BAD_COST when a sum grows too large
} Scan;

// The limit in whole numbers, a little higher than it may be: what is found is judged exactly.
static uint64_t whole_limit(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    double limit = search->limit / finder->min_cost * finder->whole_straight * (1 + 1e-6);
    return limit < MOST_F ? (uint64_t)limit : MOST_F;
}

static void prepare(Scan *scan, AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarJump *jump = finder->walkable->jump;
    *scan = (Scan){
        .search = search,
        .open = &search->jumps.open,
        .nodes = search->jumps.nodes,
        .rows = finder->walkable->bits,
        .columns = jump->columns,
        .reach = jump->reach,
        .reach_stride = jump->reach_stride,
        .wrap = jump->wrap,
        .width = (uint32_t)search->grid->width,
        .stamp = search->jumps.stamp,
        .straight = finder->whole_straight,
        .diagonal = finder->whole_diagonal,
        .goal_x = search->goal_x + 1,
        .goal_y = search->goal_y + 1,
        .limit = whole_limit(search),
    };
    for (int i = 0; i < 4; i++) {
        scan->stops[i] = jump->stops[i];
        scan->events[i] = jump->events[i];
    }
}

static inline uint32_t cell_at(const Scan *scan, int x, int y)
{
    return (uint32_t)(y - 1) * scan->width + (uint32_t)(x - 1);
}

// Why a way was not noted.
static void note_limit(Scan *scan, uint64_t f)
{
    if (f > MOST_F)
        scan->fault = ASTAR_BAD_COST;
    else
        scan->search->pruned = true;
}

// Notes a way to a node, if it is the cheapest yet.
ASTAR_SPECIALIZE void relax(Scan *scan, int x, int y, uint32_t g, AstarStraight direction)
{
    uint32_t cell = cell_at(scan, x, y);
    AstarJumpNode *node = &scan->nodes[cell];
    if (node->stamp == scan->stamp && node->g <= g)
        return;
    uint32_t dx = (uint32_t)abs(x - scan->goal_x), dy = (uint32_t)abs(y - scan->goal_y);
    uint32_t lesser = dx < dy ? dx : dy, greater = dx < dy ? dy : dx;
    uint64_t f = (uint64_t)g + (uint64_t)(greater - lesser) * scan->straight +
                 (uint64_t)lesser * scan->diagonal;
    if (f > scan->limit) {
        note_limit(scan, f);
        return;
    }
    if (!astar_keys_has_room(scan->open) &&
        !astar_keys_grow(scan->open, &scan->search->grid->allocator)) {
        scan->fault = ASTAR_NO_MEMORY;
        return;
    }
    *node = (AstarJumpNode){g, scan->stamp, scan->from, (uint8_t)direction, false};
    astar_keys_push(scan->open, f << CELL_BITS | cell);
}

// Whether a step can be made in both parts of a slant, and in all of it.
ASTAR_SPECIALIZE unsigned can_slant(const Scan *scan, int x, int y, int dx, int dy)
{
    return astar_bit_at(&scan->rows, y, x + dx) & astar_bit_at(&scan->rows, y + dy, x) &
           astar_bit_at(&scan->rows, y + dy, x + dx);
}

// Where the straight run from (x, y) ends, and how far that is.
ASTAR_SPECIALIZE int stop_of(const Scan *scan, AstarStraight direction, int x, int y, int *length)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    bool upward = direction == ASTAR_EAST || direction == ASTAR_SOUTH;
    int row = turned ? x : y, position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&scan->stops[direction], row);
    int stop = upward ? astar_bit_from(stops, position + 1) : astar_bit_until(stops, position - 1);
    *length = upward ? stop - position : position - stop;
    return stop;
}

// Runs straight from (x, y), reached at the cost 'g', to a turn that is known to be there.
ASTAR_SPECIALIZE void run_to_turn(Scan *scan, AstarStraight direction, int x, int y, uint32_t g)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    int length, stop = stop_of(scan, direction, x, y, &length);
    relax(scan, turned ? x : stop, turned ? stop : y, g + (uint32_t)length * scan->straight,
          direction);
}

// Runs straight to the goal or a turn, whichever comes first, if either does.
ASTAR_SPECIALIZE void run_straight(Scan *scan, AstarStraight direction, int x, int y, uint32_t g)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    bool upward = direction == ASTAR_EAST || direction == ASTAR_SOUTH;
    int length, stop = stop_of(scan, direction, x, y, &length);
    int ahead = turned ? scan->goal_y - y : scan->goal_x - x;
    int to_goal = upward ? ahead : -ahead;
    bool in_line = turned ? x == scan->goal_x : y == scan->goal_y;
    if (in_line && to_goal > 0 && to_goal <= length)
        relax(scan, scan->goal_x, scan->goal_y, g + (uint32_t)to_goal * scan->straight, direction);
    else if (astar_bit_at(turned ? &scan->columns : &scan->rows, turned ? x : y, stop))
        relax(scan, turned ? x : stop, turned ? stop : y, g + (uint32_t)length * scan->straight,
              direction);
}

// The same from a node, whose reach tells whether there is anything to find.
ASTAR_SPECIALIZE void run_on(Scan *scan, AstarStraight direction, int x, int y, unsigned reach)
{
    bool turned = direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
    if (turned ? x == scan->goal_x : y == scan->goal_y)
        run_straight(scan, direction, x, y, scan->g);
    else if ((reach >> direction & 1) != 0)
        run_to_turn(scan, direction, x, y, scan->g);
}

// Runs diagonally, looking aside where there is something to see.
ASTAR_SPECIALIZE void run_slanted(Scan *scan, AstarSlant slant, int x, int y)
{
    const int dx = slant == ASTAR_SOUTH_EAST || slant == ASTAR_NORTH_EAST ? 1 : -1;
    const int dy = slant == ASTAR_SOUTH_EAST || slant == ASTAR_SOUTH_WEST ? 1 : -1;
    const AstarStraight sideways = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    if (can_slant(scan, x, y, dx, dy) == 0)
        return;
    // After as many steps as the goal's lesser distance it lies straight ahead, and only then.
    int goal_dx = (scan->goal_x - x) * dx, goal_dy = (scan->goal_y - y) * dy;
    int aligned = goal_dx < goal_dy ? goal_dx : goal_dy;
    const uint64_t *events = astar_row_at(&scan->events[slant],
                                          astar_event_row(scan->wrap, slant, x, y));
    for (int at = x;;) {
        at = dx > 0 ? astar_bit_from(events, at + 1) : astar_bit_until(events, at - 1);
        int steps = (at - x) * dx, at_y = y + steps * dy;
        if (aligned > 0 && steps >= aligned) {
            int goal_at_x = x + aligned * dx, goal_at_y = y + aligned * dy;
            uint32_t g = scan->g + (uint32_t)aligned * scan->diagonal;
            if (goal_dx == goal_dy) {
                relax(scan, goal_at_x, goal_at_y, g, upright);
                return;
            }
            // A turn before the goal is found again below if this cell is an event: to no avail.
            if (goal_dx > goal_dy)
                run_straight(scan, sideways, goal_at_x, goal_at_y, g);
            else
                run_straight(scan, upright, goal_at_x, goal_at_y, g);
            aligned = 0;
        }
        uint32_t g = scan->g + (uint32_t)steps * scan->diagonal;
        unsigned reach = astar_reach_at(scan->reach, scan->reach_stride, at, at_y);
        if ((reach >> sideways & 1) != 0)
            run_to_turn(scan, sideways, at, at_y, g);
        if ((reach >> upright & 1) != 0)
            run_to_turn(scan, upright, at, at_y, g);
        if (can_slant(scan, at, at_y, dx, dy) == 0)
            return;
    }
}

// The turns an obstacle opens at a node reached by a run: on one side the cell behind is blocked
// and the one beside free.
ASTAR_SPECIALIZE void turn(Scan *scan, AstarStraight direction, int x, int y, unsigned reach)
{
    const int dx = (direction == ASTAR_EAST) - (direction == ASTAR_WEST);
    const int dy = (direction == ASTAR_SOUTH) - (direction == ASTAR_NORTH);
    // Clockwise of a direction is the next one, and the slant between has its number.
    const AstarStraight right = (AstarStraight)((direction + 1) & 3);
    const AstarStraight left = (AstarStraight)((direction + 3) & 3);
    if (astar_bit_at(&scan->rows, y + dx, x - dy) >
        astar_bit_at(&scan->rows, y + dx - dy, x - dy - dx)) {
        run_on(scan, right, x, y, reach);
        run_slanted(scan, (AstarSlant)direction, x, y);
    }
    if (astar_bit_at(&scan->rows, y - dx, x + dy) >
        astar_bit_at(&scan->rows, y - dx - dy, x + dy - dx)) {
        run_on(scan, left, x, y, reach);
        run_slanted(scan, (AstarSlant)left, x, y);
    }
}

static void expand(Scan *scan, uint32_t cell, int arrival)
{
    int y = (int)(cell / scan->width), x = (int)(cell - (uint32_t)y * scan->width) + 1;
    y++;
    scan->from = cell;
    scan->g = scan->nodes[cell].g;
    unsigned reach = astar_reach_at(scan->reach, scan->reach_stride, x, y);
    switch (arrival) {
    case ASTAR_EAST:
        run_on(scan, ASTAR_EAST, x, y, reach);
        turn(scan, ASTAR_EAST, x, y, reach);
        return;
    case ASTAR_SOUTH:
        run_on(scan, ASTAR_SOUTH, x, y, reach);
        turn(scan, ASTAR_SOUTH, x, y, reach);
        return;
    case ASTAR_WEST:
        run_on(scan, ASTAR_WEST, x, y, reach);
        turn(scan, ASTAR_WEST, x, y, reach);
        return;
    case ASTAR_NORTH:
        run_on(scan, ASTAR_NORTH, x, y, reach);
        turn(scan, ASTAR_NORTH, x, y, reach);
        return;
    default: // the start: every way
        run_straight(scan, ASTAR_EAST, x, y, scan->g);
        run_straight(scan, ASTAR_SOUTH, x, y, scan->g);
        run_straight(scan, ASTAR_WEST, x, y, scan->g);
        run_straight(scan, ASTAR_NORTH, x, y, scan->g);
        run_slanted(scan, ASTAR_SOUTH_EAST, x, y);
        run_slanted(scan, ASTAR_SOUTH_WEST, x, y);
        run_slanted(scan, ASTAR_NORTH_WEST, x, y);
        run_slanted(scan, ASTAR_NORTH_EAST, x, y);
    }
}

// ---- the route ----

// Adds a point 'steps' steps further along a route.
static AstarStatus add_point(AstarPath *path, int x, int y, int steps)
{
    return path != NULL && steps > 0 ? astar_path_add(path, x, y, steps) : ASTAR_OK;
}

AstarStatus astar_jps_trace(const AstarSearch *search, AstarPath *path, double *straight,
                            double *diagonal)
{
    const AstarJumpNode *nodes = search->jumps.nodes;
    uint32_t cell = search->found;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    AstarStatus status = add_point(path, x, y, 1);
    while (nodes[cell].parent != cell && status == ASTAR_OK) {
        int from_x, from_y;
        cell = nodes[cell].parent;
        astar_cell_xy(search->grid, cell, &from_x, &from_y);
        int dx = abs(x - from_x), dy = abs(y - from_y);
        int slanted = dx < dy ? dx : dy, along = dx + dy - 2 * slanted;
        int turn_x = from_x + (x > from_x ? slanted : -slanted);
        int turn_y = from_y + (y > from_y ? slanted : -slanted);
        status = add_point(path, turn_x, turn_y, along);
        if (status == ASTAR_OK)
            status = add_point(path, from_x, from_y, slanted);
        *straight += along;
        *diagonal += slanted;
        x = from_x;
        y = from_y;
    }
    return status;
}

// ---- the search ----

AstarStatus astar_jps_begin(AstarSearch *search)
{
    const AstarGrid *grid = search->grid;
    const AstarAllocator *allocator = &grid->allocator;
    AstarJumpFront *front = &search->jumps;
    AstarJump *jump;
    AstarStatus status = astar_walkable_jump(grid, search->finder->walkable, &jump);
    if (status != ASTAR_OK)
        return status;
    if (front->nodes == NULL)
        front->nodes = astar_alloc(allocator, grid->cells, sizeof *front->nodes);
    astar_keys_clear(&front->open);
    if (front->nodes == NULL ||
        (!astar_keys_has_room(&front->open) && !astar_keys_grow(&front->open, allocator)))
        return ASTAR_NO_MEMORY;
    if (++front->stamp == 0) { // the stamps have come round
        memset(front->nodes, 0, grid->cells * sizeof *front->nodes);
        front->stamp = 1;
    }
    front->nodes[search->start] = (AstarJumpNode){0, front->stamp, search->start, NO_ARRIVAL,
                                                  false};
    front->current = ASTAR_NO_CELL;
    astar_keys_push(&front->open, search->start);
    return ASTAR_OK;
}

// Judges the route to a goal that was taken off the open list by what it costs.
static AstarStatus judge(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    double straight = 0, diagonal = 0;
    search->found = search->goal;
    astar_jps_trace(search, NULL, &straight, &diagonal);
    double cost = (straight + diagonal * finder->options.diagonal_cost) * finder->min_cost;
    return cost > search->limit ? ASTAR_MAX_COST : ASTAR_OK;
}

// Takes the next node off the open list and makes it the current one.
static AstarStatus choose_next(AstarSearch *search)
{
    AstarJumpFront *front = &search->jumps;
    uint32_t cell;
    do {
        if (astar_keys_is_empty(&front->open))
            return astar_search_exhausted(search);
        cell = (uint32_t)astar_keys_pop(&front->open) & ((1u << CELL_BITS) - 1);
    } while (front->nodes[cell].closed);
    front->nodes[cell].closed = true;
    if (cell == search->goal)
        return judge(search);
    if (search->expanded == search->most_expansions)
        return ASTAR_MAX_EXPANSIONS;
    front->current = cell;
    return ASTAR_RUNNING;
}

AstarStatus astar_run_jps(AstarSearch *search, uint64_t expansions)
{
    AstarJumpFront *front = &search->jumps;
    Scan scan;
    prepare(&scan, search);
    for (; expansions > 0; expansions--) {
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = choose_next(search);
            if (status != ASTAR_RUNNING)
                return status;
        }
        expand(&scan, front->current, front->nodes[front->current].arrival);
        if (scan.fault != ASTAR_OK)
            return scan.fault;
        search->expanded++;
        front->current = ASTAR_NO_CELL;
    }
    return ASTAR_RUNNING;
}
