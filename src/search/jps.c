// jps.c -- jump point search over uniform ground.
//
// A* whose successors are jump points (D. Harabor and A. Grastien, "Online Graph Pruning for
// Pathfinding on Grid Maps", AAAI 2011; block-wise scans and intermediate points left out, ICAPS
// 2014). Of all best routes between two cells only those that go diagonally first, then straight,
// are followed (without diagonals: along the row first, then the column), so a cell reached by a
// straight run is a node only where an obstacle beside it opens a turn; see jump_bitmaps.c for the
// bitmaps that find it and expand_jps.c for what a node leads to. The first part of a way to a node
// is not a node: it is worked out from the two ends when the route is read.
//
// Costs are whole numbers: straight and diagonal steps in the ratio of 1 to diagonal_cost, or one
// so near (5741 to 8119 for the square root of 2) that sums of them order as the real ones do
// unless the numbers of straight or diagonal steps differ by thousands. A found route that another
// of such a difference might undercut is not trusted: see may_be_undercut(). An item of the open
// list is one word: f above, the cell below. Of equal f the newest comes first where it was found
// at that f, else the lower cell.

#include "search/jps.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "rules/heuristic.h"
#include "search/jump_scan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static_assert(ASTAR_MAX_CELLS <= 1 << ASTAR_CELL_BITS, "a cell must fit below f");

// A cost in whole numbers, a little higher than it may be.
static uint64_t whole_cost(const AstarFinder *finder, double cost)
{
    AstarRatio whole = finder->whole;
    if (cost == INFINITY)
        return ASTAR_MOST_F;
    double most = fmax(whole.straight, whole.diagonal / finder->options.diagonal_cost);
    double limit = cost / finder->min_cost * most * (1 + 1e-6);
    return limit < ASTAR_MOST_F ? (uint64_t)limit : ASTAR_MOST_F;
}

static void prepare_scan(AstarScan *scan, AstarSearch *search, const AstarJumpBitmaps *jump)
{
    const AstarFinder *finder = search->finder;
    const AstarCornerRule *rule = finder->rule;
    double steps_up_to = search->jumps.steps_up_to;
    // One by one: to clear what is read only elsewhere takes as long as a short search does.
    scan->search = search;
    scan->open = &search->jumps.open;
    scan->nodes = &search->jumps.nodes;
    scan->width = (uint32_t)search->grid->width;
    scan->rule = rule;
    scan->fault = ASTAR_OK;
    scan->straight = finder->whole.straight << search->jumps.rank_bits;
    scan->before = rule->has_diagonals ? finder->whole.diagonal << search->jumps.rank_bits
                                       : scan->straight;
    scan->across = rule->has_diagonals ? scan->before : 2 * scan->straight;
    scan->goal.x = search->jumps.to.x + 1;
    scan->goal.y = search->jumps.to.y + 1;
    scan->limit = whole_cost(finder, search->limit); // what is found is judged exactly
    scan->steps_below = steps_up_to >= 0 ? (uint32_t)whole_cost(finder, steps_up_to) + 1 : 0;
    scan->landmarks = NULL;
    astar_scan_bitmaps(scan, search, jump);
    const AstarLandmarks *landmarks = finder->landmarks;
    if (ASTAR_HAS_BAKING && landmarks != NULL && landmarks->scale == 0) {
        scan->landmarks = landmarks->distances;
        scan->landmark_stride = landmarks->capacity;
        scan->bounds = astar_landmarks_bounds(landmarks, astar_jps_target(search));
    }
}

// ---- the route ----

// A route being gathered from its end, and the way of the leg added last.
typedef struct Gathering {
    AstarPath *path; // NULL: its steps are only counted
    int dx, dy;
} Gathering;

// Adds a leg of so many steps back to (x, y), which led from there to (to_x, to_y); one that goes
// straight on lengthens the one before.
ASTAR_HOT static AstarStatus gather_leg(Gathering *route, int x, int y, int to_x, int to_y,
                                        int steps)
{
    AstarPath *path = route->path;
    if (steps == 0 || path == NULL)
        return ASTAR_OK;
    int dx = (to_x > x) - (to_x < x), dy = (to_y > y) - (to_y < y);
    bool goes_on = dx == route->dx && dy == route->dy;
    route->dx = dx;
    route->dy = dy;
    if (!goes_on && path->count == path->capacity)
        return astar_path_add(path, x, y, steps);
    path->count -= goes_on;
    path->cells += steps;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
    return ASTAR_OK;
}

ASTAR_HOT AstarStatus astar_jps_trace(const AstarSearch *search, AstarPath *path, double *straight,
                                      double *diagonal)
{
    const AstarJumpNodes *nodes = &search->jumps.nodes;
    const bool has_diagonals = search->finder->rule->has_diagonals;
    Gathering route = {path, 0, 0};
    uint32_t cell = search->found, parent;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    AstarStatus status = path != NULL ? astar_path_add(path, x, y, 1) : ASTAR_OK;
    for (; status == ASTAR_OK; cell = parent) {
        parent = astar_jump_parent(astar_jump_named(nodes, astar_jump_slot(nodes, cell, x, y)));
        if (parent == cell)
            break;
        int from_x, from_y;
        astar_cell_xy(search->grid, parent, &from_x, &from_y);
        AstarBentWay way = astar_bent_way(has_diagonals, from_x, from_y, x, y);
        status = gather_leg(&route, way.turn_x, way.turn_y, x, y, way.then);
        if (status == ASTAR_OK)
            status = gather_leg(&route, from_x, from_y, way.turn_x, way.turn_y, way.first);
        *straight += way.then;
        *(has_diagonals ? diagonal : straight) += way.first;
        x = from_x;
        y = from_y;
    }
    if (path != NULL && search->jumps.rank_bits == 0) // it is no way back
        astar_path_turn(path);
    return status;
}

// ---- the search ----

double astar_jps_least_f(const AstarSearch *search, int dx0, int dy0, int dx1, int dy1)
{
    const AstarFinder *finder = search->finder;
    double straight = finder->whole.straight, diagonal = finder->whole.diagonal;
    double across = finder->rule->has_diagonals ? diagonal - straight : straight;
    AstarHeuristic whole = {straight, across, false};
    return astar_estimate(&whole, dx0, dy0) + astar_estimate(&whole, dx1, dy1);
}

ASTAR_HOT AstarStatus astar_jps_add_root(AstarSearch *search, int x, int y, unsigned arrival,
                                         uint32_t rank)
{
    AstarJumpNodes *nodes = &search->jumps.nodes;
    uint32_t cell = astar_cell(search->grid, x, y);
    uint32_t *slot = astar_jump_slot(nodes, cell, x, y);
    AstarJumpNode *root = astar_jump_nodes_add(nodes, &search->allocator, slot, cell);
    if (root == NULL)
        return ASTAR_NO_MEMORY;
    root->g.real = 0; // as a whole number, too
    root->g.whole = rank;
    root->parent = cell | arrival << ASTAR_CELL_BITS;
    return ASTAR_OK;
}

ASTAR_HOT AstarStatus astar_jps_clear(AstarSearch *search)
{
    if (!astar_jump_nodes_begin(&search->jumps.nodes, &search->allocator, search->grid))
        return ASTAR_NO_MEMORY;
    search->found = ASTAR_NO_CELL;
    search->jumps.current = ASTAR_NO_CELL;
    search->jumps.steps_up_to = -1;
    search->jumps.rank_bits = 0;
    search->jumps.to = (AstarCell){search->goal.x, search->goal.y};
    return ASTAR_OK;
}

ASTAR_HOT AstarStatus astar_jps_plant(AstarSearch *search, unsigned arrival)
{
    AstarStatus status = astar_jps_clear(search);
    if (status != ASTAR_OK)
        return status;
    return astar_jps_add_root(search, search->start_x, search->start_y, arrival, 0);
}

AstarStatus astar_jps_begin(AstarSearch *search)
{
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_walkable_jump(search->grid,
                                             astar_finder_shared_walkable(search->finder),
                                             search->finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = astar_jps_begin_on_bitmaps(search, ASTAR_ARRIVED_NOWHERE);
    return status == ASTAR_OK ? astar_own_blocks_measure(search) : status;
}

ASTAR_HOT AstarStatus astar_jps_begin_on_bitmaps(AstarSearch *search, unsigned arrival)
{
    const AstarAllocator *allocator = &search->allocator;
    AstarJumpFront *front = &search->jumps;
    AstarStatus status = astar_jps_plant(search, arrival);
    if (status != ASTAR_OK)
        return status;
    astar_heap64_clear(&front->open);
    if (!astar_heap64_has_room(&front->open) && !astar_heap64_grow(&front->open, allocator))
        return ASTAR_NO_MEMORY;
    astar_heap64_push(&front->open, search->start);
    return ASTAR_OK;
}

// Whether another route may cost less than the found one, the best by whole numbers p for diagonal
// steps and q for straight ones. Say p / q < diagonal_cost, which is c. A better one with n fewer
// diagonal steps has more straight ones, m >= n * p / q as it is no better by whole numbers and
// m < n * c: m / n lies between p / q and c, so n >= q. Its sum over both axes is then less by more
// than q * (2 - c), and must still be that from start to goal. Where p / q > c, n more diagonal
// steps stand for more than n * c straight ones, n >= q, and it moves less often by more than
// q * (c - 1), but no less often than the longer axis wants.
static bool may_be_undercut(const AstarSearch *search, double straight, double diagonal)
{
    const AstarFinder *finder = search->finder;
    double cost = finder->options.diagonal_cost, q = finder->whole.straight;
    if (!finder->rule->has_diagonals || astar_ratio_is_exact(finder->whole, cost))
        return false;
    int dx = astar_goal_beyond(&search->goal, search->start_x, search->goal.x);
    int dy = astar_goal_beyond(&search->goal, search->start_y, search->goal.y);
    if (finder->whole.diagonal < cost * q)
        return diagonal >= q && 2 * diagonal + straight - q * (2 - cost) >= dx + dy;
    return straight >= q * cost && straight + diagonal - q * (cost - 1) >= (dx > dy ? dx : dy);
}

bool astar_jps_tells_apart(const AstarSearch *search, uint32_t whole, double straight,
                           double diagonal)
{
    return astar_whole_is_exact(search->finder, whole) ||
           !may_be_undercut(search, straight, diagonal);
}

// Judges the route to a goal that was taken off the open list by what it costs. ASTAR_BAD_COST
// where whole numbers do not tell that it is the best.
ASTAR_HOT static AstarStatus judge_jump_route(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarJumpNode *goal = astar_jump_current(search);
    bool is_short = astar_whole_is_exact(finder, goal->g.whole >> search->jumps.rank_bits);
    if (is_short && search->limit == INFINITY)
        return ASTAR_OK;
    double straight = 0, diagonal = 0;
    astar_jps_trace(search, NULL, &straight, &diagonal);
    if (!is_short && may_be_undercut(search, straight, diagonal))
        return ASTAR_BAD_COST;
    double cost = (straight + diagonal * finder->options.diagonal_cost) * finder->min_cost;
    return cost > search->limit ? ASTAR_MAX_COST : ASTAR_OK;
}

// Takes the next node off the open list and makes it the current one.
static AstarStatus take_jump_point(AstarSearch *search)
{
    AstarJumpFront *front = &search->jumps;
    uint32_t cell;
    if (search->found != ASTAR_NO_CELL) // there was no memory for A*
        return judge_jump_route(search);
    do {
        if (astar_heap64_is_empty(&front->open))
            return astar_search_exhausted(search);
        cell = (uint32_t)astar_heap64_pop(&front->open) & ASTAR_CELL_MASK;
    } while (!astar_jump_close(front, cell));
    if (cell == astar_jps_target(search)) {
        search->found = cell;
        return judge_jump_route(search);
    }
    if (search->expanded == search->question.max_expansions)
        return ASTAR_MAX_EXPANSIONS;
    front->current = cell;
    return ASTAR_RUNNING;
}

AstarStatus astar_run_jps(AstarSearch *search, uint64_t expansions)
{
    const AstarFinder *finder = search->finder;
    return isinf(search->jumps.steps_up_to)
               ? ASTAR_BAD_COST
               : astar_run_jps_by(
                     search, astar_finder_shared_walkable(finder)->jumps[finder->options.diagonals],
                     expansions);
}

ASTAR_HOT AstarStatus astar_run_jps_by(AstarSearch *search, const AstarJumpBitmaps *jump,
                                       uint64_t expansions)
{
    AstarScan scan;
    prepare_scan(&scan, search, jump);
    return astar_run_scan(&scan, expansions, take_jump_point, astar_expand_jps);
}
