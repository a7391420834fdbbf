// jps.c -- jump point search over ground where every step of one kind has the same cost.
//
// This is A* whose successors are jump points (D. Harabor and A. Grastien, "Online Graph Pruning
// for Pathfinding on Grid Maps", AAAI 2011). Scans by blocks of bits and the pruning of
// intermediate jump points come from a second paper of these authors (ICAPS 2014).
//
// If several cheapest routes lead from one cell to another, the search follows only the routes that
// make diagonal steps first, then straight ones. (Without diagonal steps: first along the row, then
// along the column.)
// A cell reached by a straight jump is therefore a jump point only if it has a forced neighbour
// because of an obstacle beside it. jump_bitmaps.c computes bitmaps of these cells; the section
// "the successors of a jump point" below explains why the pruning loses no best route. The cell
// where a diagonal jump ends and its straight jump begins has no node: it is computed from the two
// ends when the route is read.
//
// Costs are whole numbers. Straight and diagonal steps have the ratio 1 to diagonal_cost, or one
// very close to it (5741 to 8119 for the square root of 2). Sums of such numbers have the same
// order as the exact costs, unless the routes' numbers of straight or diagonal steps differ by
// thousands. may_be_undercut() rejects a route if another route with such a difference might cost
// less.
//
// An entry of the open list is one word: f in the high bits, the cell in the low bits. Among
// entries of equal f the entry added last is expanded first if it was added while that f was being
// expanded; otherwise the entry with the lower cell.

#include "search/jps.h"

#include "base/directions.h"
#include "layers/jump_turns.h"
#include "layers/jump_words.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "rules/heuristic.h"
#include "search/best_first.h"
#include "search/direct_line.h"
#include "search/jpsw.h"
#include "search/jump_nodes.h"
#include "search/jump_scan.h"
#include "search/path.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static_assert(ASTAR_MAX_CELLS <= 1 << ASTAR_CELL_BITS, "a cell must fit below f");

// Returns a cost as a whole number in the unit of the search's g, rounded up a little, so that no
// route of that cost is lost.
static uint64_t whole_cost(const AstarFinder *finder, double cost)
{
    AstarRatio whole = finder->whole;
    if (cost == INFINITY)
        return ASTAR_MOST_F;
    double most = fmax(whole.straight, whole.diagonal / finder->options.diagonal_cost);
    double limit = cost / finder->min_cost * most * (1 + 1e-6);
    return limit < ASTAR_MOST_F ? (uint64_t)limit : ASTAR_MOST_F;
}

// Returns the factor by which the estimates are multiplied. A weighted search closes nodes before
// their best costs are known. Three kinds of searches rely on these costs: those with a limit of
// the cost, those that rank their roots by cost, and those that find out by the cost where they
// have left the blocks of their unit. These searches use the factor 1 and find an optimal route,
// which satisfies any weight.
//
// Weights above 1.1 are reduced to 1.1. In rooms, caves and towns of 512 x 512 cells a weight of
// 1.1 took 0.2 to 0.9 times the time of no weight. A weight of 1.3 took 28 times as long in a town
// with four moves, because nodes are opened again and again.
static double estimate_weight(const AstarSearch *search)
{
    static const double MOST_WEIGHT = 1.1;
    const AstarJumpFront *front = &search->jumps;
    if (search->limit != INFINITY || front->rank_bits > 0 || front->steps_up_to >= 0)
        return 1;
    return fmin(search->query.weight, MOST_WEIGHT);
}

static void prepare_scan(AstarScan *scan, AstarSearch *search, const AstarJumpBitmaps *jump)
{
    const AstarFinder *finder = search->finder;
    const AstarCornerRule *rule = finder->rule;
    double steps_up_to = search->jumps.steps_up_to;
    // Fields are set one by one, since clearing the whole struct takes as long as a short search.
    scan->search = search;
    scan->open = &search->jumps.open;
    scan->nodes = &search->jumps.nodes;
    scan->width = (uint32_t)search->grid->width;
    scan->rule = rule;
    scan->fault = ASTAR_OK;
    scan->straight = finder->whole.straight << search->jumps.rank_bits;
    scan->before = rule->has_diagonals ? finder->whole.diagonal << search->jumps.rank_bits
                                       : scan->straight;
    double weight = estimate_weight(search);
    uint32_t both_axes = rule->has_diagonals ? scan->before : 2 * scan->straight;
    scan->ahead = weight == 1 ? scan->straight : (uint64_t)(weight * scan->straight);
    scan->across = weight == 1 ? both_axes : (uint64_t)(weight * both_axes);
    scan->goal.x = search->jumps.to.x + 1;
    scan->goal.y = search->jumps.to.y + 1;
    scan->limit = whole_cost(finder, search->limit); // the cost of a found route is checked exactly
    scan->steps_below = steps_up_to >= 0 ? (uint32_t)whole_cost(finder, steps_up_to) + 1 : 0;
    scan->landmarks = NULL;
    astar_scan_bitmaps(scan, search, jump);
    const AstarLandmarks *landmarks = finder->on.landmarks;
    if (ASTAR_HAS_BAKING && landmarks != NULL && landmarks->scale == 0) {
        scan->landmarks = landmarks->distances;
        scan->landmark_stride = landmarks->capacity;
        scan->bounds = astar_landmarks_bounds(landmarks, astar_jps_target(search));
    }
}

// Reading the route.

// A route being read from its end, and the direction of the leg added last.
typedef struct Gathering {
    AstarPath *path; // NULL: the steps are only counted
    int dx, dy;
} Gathering;

// Adds a leg of 'steps' steps, which led from (x, y) to (to_x, to_y). If the leg added last has the
// same direction, it is lengthened instead.
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
    if (path != NULL &&
        search->jumps.rank_bits == 0) // a search back from goals has the right order already
        astar_path_turn(path);
    return status;
}

// The search.

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
    root->g.real = 0; // clears the whole-number half of the union, too
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

// Returns true if another route may cost less than the found one, although no route costs less than
// the found one in whole numbers, with p for a diagonal step and q for a straight step. Let c be
// diagonal_cost. If p / q < c: a better route with n fewer diagonal steps has m more straight
// steps. The better route costs no less by whole numbers, so m >= n * p / q, and it really costs
// less, so m < n * c. Hence m / n lies between p / q and c, which takes n >= q. The better route
// makes fewer steps along the two axes together, by more than q * (2 - c), and must still reach
// from start to goal. If p / q > c: a better route has n more diagonal steps in place of more than
// n * c straight ones, n >= q. The better route has fewer steps by more than q * (c - 1), and must
// still have as many steps as the longer axis.
static bool may_be_undercut(const AstarSearch *search, double straight, double diagonal)
{
    const AstarFinder *finder = search->finder;
    double cost = finder->options.diagonal_cost, q = finder->whole.straight;
    if (!finder->rule->has_diagonals || astar_ratio_is_exact(finder->whole, cost))
        return false;
    int dx = astar_goal_columns(&search->goal, search->start_x, search->goal.x);
    int dy = astar_goal_rows(&search->goal, search->start_y, search->goal.y);
    if (finder->whole.diagonal < cost * q)
        return diagonal >= q && 2 * diagonal + straight - q * (2 - cost) >= dx + dy;
    return straight >= q * cost && straight + diagonal - q * (cost - 1) >= (dx > dy ? dx : dy);
}

bool astar_jps_distinguishes(const AstarSearch *search, uint32_t whole, double straight,
                             double diagonal)
{
    return astar_whole_is_exact(search->finder, whole) ||
           !may_be_undercut(search, straight, diagonal);
}

// Checks the cost of the route to a goal that was taken off the open list. Returns ASTAR_BAD_COST
// if whole numbers do not prove that the route is a cheapest one, and ASTAR_MAX_COST if the route
// costs more than the limit.
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

// Takes the next open node off the open list and makes it the current one. Returns ASTAR_RUNNING,
// or the status with which the search ends.
static AstarStatus take_jump_point(AstarSearch *search)
{
    AstarJumpFront *front = &search->jumps;
    uint32_t cell;
    if (search->found !=
        ASTAR_NO_CELL) // a step before found the route but then had no memory for A*
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
    if (search->expanded == search->query.max_expansions)
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

// ------------------------------------------------------------------------------------------------
// The following functions let a jump point search leave the blocks that its own unit has on the
// map.
//
// The bitmaps of jump points are computed on the map with all its blocks, and many units share
// them. Bitmaps for one unit, without its own blocks, would differ in each row, column and diagonal
// past these blocks, and computing them takes longer than most searches do. But only a few cells
// are free just because the unit ignores its own blocks: the cells at which the unit would still
// cover a part of its start. These cells are called own cells in this file.
//
// The search therefore computes the highest cost of reaching an own cell. Every node that costs no
// more to reach is expanded step by step, on the map without the unit's blocks. All other nodes
// jump, on the map with all blocks. No best route is lost: costs along a route only grow, so the
// best route to a farther cell enters no own cell after the part expanded by steps.
//
// The cost to reach an own cell is measured by routes within a small window around the unit. Such a
// route may cost more than the best one but never less, so the bound is safe. If some own cell can
// be reached only by a route that leaves the largest window, jumping would not save time, and A* is
// used instead.
// ------------------------------------------------------------------------------------------------

// Widths, in cells, of the margins around the own cells. The next width is tried if a search within
// the previous margin did not reach all own cells.
static const int margins[] = {0, 4, 48};
enum { MARGINS = sizeof margins / sizeof *margins };

// A cell of the window, with an upper bound of the cost to reach it. INFINITY means that no route
// to the cell is known.
typedef struct Nearby {
    double cost;
    // The next cell in the list of cells to expand, as a number from 1 on. 0: the cell is not in
    // the list.
    uint32_t next;
} Nearby;

// The window around a unit, and a list of the cells whose steps are to be followed.
typedef struct Surroundings {
    const AstarFinder *finder;
    int x, y, width, height;
    Nearby *cells;
    uint32_t first,
        last; // ends of the list, as numbers from 1 on; the last cell has its own number as 'next'
} Surroundings;

static Surroundings surroundings_of(const AstarSearch *search, int margin)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = search->grid;
    int reach = astar_longer_side(astar_finder_body(finder)) - 1 + margin;
    int x0 = search->start_x > reach ? search->start_x - reach : 0;
    int y0 = search->start_y > reach ? search->start_y - reach : 0;
    int x1 = grid->width - search->start_x > reach ? search->start_x + reach + 1 : grid->width;
    int y1 = grid->height - search->start_y > reach ? search->start_y + reach + 1 : grid->height;
    return (Surroundings){.finder = finder, .x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
}

// Returns the number of the cell (x, y) in the window, counted from 1; 0 for a cell outside the
// window.
static uint32_t nearby_number(const Surroundings *around, int x, int y)
{
    int column = x - around->x, row = y - around->y;
    bool is_around = column >= 0 && column < around->width && row >= 0 && row < around->height;
    return is_around ? (uint32_t)row * (uint32_t)around->width + (uint32_t)column + 1 : 0;
}

// Records a path to a cell if the path is the cheapest so far. The cell then joins the list of
// cells to expand, even if it was expanded before.
static void note_nearby_way(Surroundings *around, uint32_t number, double cost)
{
    Nearby *cell = &around->cells[number - 1];
    if (cell->cost <= cost)
        return;
    cell->cost = cost;
    if (cell->next != 0)
        return;
    cell->next = number;
    if (around->first == 0)
        around->first = number;
    else
        around->cells[around->last - 1].next = number;
    around->last = number;
}

static void follow_nearby_steps(Surroundings *around, int x, int y, double here)
{
    const AstarFinder *finder = around->finder;
    const AstarGrid *grid = finder->grid;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned legal = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    for (; legal != 0; legal &= legal - 1) {
        int d = astar_lowest_bit(legal);
        uint32_t number = nearby_number(around, x + astar_dx[d], y + astar_dy[d]);
        if (number == 0)
            continue;
        uint32_t cell = astar_cell(grid, x + astar_dx[d], y + astar_dy[d]);
        double cost = astar_finder_cell_cost(finder, cell);
        note_nearby_way(around, number,
                        here + (d & 1 ? cost * finder->options.diagonal_cost : cost));
    }
}

// Computes the cost of reaching each cell of the window by routes that stay in the window.
static void follow_nearby_ways(Surroundings *around)
{
    while (around->first != 0) {
        uint32_t number = around->first;
        Nearby *cell = &around->cells[number - 1];
        around->first = cell->next != number ? cell->next : 0;
        cell->next = 0;
        follow_nearby_steps(around, around->x + (int)((number - 1) % (uint32_t)around->width),
                            around->y + (int)((number - 1) / (uint32_t)around->width), cell->cost);
    }
}

// Returns true if a cell is an own cell: blocked for the unit only by the unit's own blocks, and in
// the same connected component as the start. On a map with links the components are ignored.
static bool is_own(const AstarSearch *search, const AstarComponents *components, int x, int y)
{
    const AstarWalkable *lifted = search->finder->on.walkable;
    return astar_bits_get(&lifted->bits, x, y) && !astar_bits_get(&lifted->base->bits, x, y) &&
           (astar_grid_has_links(search->grid) ||
            astar_components_join(components, search->start_x, search->start_y, x, y));
}

static double farthest_own(const AstarSearch *search, const AstarComponents *components,
                           const Surroundings *around)
{
    double farthest = 0;
    const Nearby *cell = around->cells;
    for (int y = around->y; y < around->y + around->height; y++)
        for (int x = around->x; x < around->x + around->width; x++, cell++)
            if (cell->cost > farthest && is_own(search, components, x, y))
                farthest = cell->cost;
    return farthest;
}

// Stores in '*farthest' the highest cost of reaching an own cell from the start, by routes within a
// window of margin 'margin'.
static AstarStatus measure_within(const AstarSearch *search, const AstarComponents *components,
                                  int margin, double *farthest)
{
    Surroundings around = surroundings_of(search, margin);
    size_t count = (size_t)around.width * (size_t)around.height;
    around.cells = astar_alloc(&search->allocator, count, sizeof *around.cells);
    if (around.cells == NULL)
        return ASTAR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        around.cells[i].cost = INFINITY;
    note_nearby_way(&around, nearby_number(&around, search->start_x, search->start_y), 0);
    follow_nearby_ways(&around);
    *farthest = farthest_own(search, components, &around) * ASTAR_LENIENCE;
    astar_release(&search->allocator, around.cells, count, sizeof *around.cells);
    return ASTAR_OK;
}

AstarStatus astar_own_blocks_measure(AstarSearch *search)
{
    double *up_to = &search->jumps.steps_up_to;
    *up_to = -1;
    if (search->finder->original == NULL)
        return ASTAR_OK;
    AstarComponents *components;
    AstarStatus status = astar_finder_components(search->finder, &components);
    *up_to = INFINITY;
    for (int i = 0; status == ASTAR_OK && i < MARGINS && isinf(*up_to); i++)
        status = measure_within(search, components, margins[i], up_to);
    return status;
}

// ------------------------------------------------------------------------------------------------
// The successors of a jump point, by each corner rule.
//
// From a node that was reached by a jump, the search jumps on in the same direction. The search
// also turns if the node has a forced neighbour: a cell beside an obstacle that no other best route
// reaches (see jump_bitmaps.c). A diagonal jump starts straight jumps to both its sides at each of
// its events; without diagonal steps a jump along the row starts jumps up and down. Only the ends
// of these straight jumps become nodes, and under the rules that cut corners also the cells where a
// diagonal jump itself can turn. Every other cell of a jump is computed from the two ends when the
// route is read (pruning of intermediate jump points). The path to a node therefore consists of a
// first leg, diagonal or along the row, and a straight leg.
//
// The pruning loses no best route under any rule. To see this, let the cheapest routes be ordered
// so that diagonal steps come before straight ones (rows before columns if there are no diagonal
// steps). Every step that is pruned has an alternative from the cell before. The alternative costs
// less, or costs as much and comes earlier in that order. The alternative is legal by the same rule
// wherever no turn is recorded. Therefore the first of the cheapest routes is never pruned. A
// diagonal step costs 1 to 2 straight ones; if it costs 1, two straight steps come before two
// diagonal ones in the order.
//
// The code is compiled twice: for uniform ground, and for maps with non-uniform cells ('nonuniform'
// is true). On such maps every jump ends at a non-uniform cell, which becomes a node and is
// expanded step by step; see nonuniform.c.
// ------------------------------------------------------------------------------------------------

// Records why a path was rejected: its f is too large for the open list, or above max_cost.
static void note_limit(AstarScan *scan, uint64_t f)
{
    if (f > ASTAR_MOST_F)
        scan->fault = ASTAR_BAD_COST;
    else
        scan->search->failure = ASTAR_MAX_COST;
}

// Returns the lower bound that the distances of baked landmarks give for the cost from a cell to
// the goal.
ASTAR_ONCE uint64_t landmark_bound(const AstarScan *scan, uint32_t cell)
{
    const uint32_t *distances = scan->landmarks + (size_t)cell * (size_t)scan->landmark_stride;
    return astar_landmarks_estimate(distances, 1, &scan->bounds, scan->landmark_stride);
}

// Adds a path to a node to the open list, for uniform ground, if the path is the cheapest so far.
ASTAR_HOT ASTAR_ONCE void note_uniform(AstarScan *scan, int x, int y, int before, int steps,
                                       unsigned arrival)
{
    // The sum may exceed 32 bits, because a search from several goals shifts the costs of steps by
    // rank_bits. A sum that is stored is at most ASTAR_MOST_F.
    uint64_t g = scan->g + (uint64_t)before * scan->before + (uint64_t)steps * scan->straight;
    uint32_t cell = (uint32_t)(y - 1) * scan->width + (uint32_t)(x - 1);
    uint32_t *slot = astar_jump_slot(scan->nodes, cell, x - 1, y - 1);
    AstarJumpNode *node = astar_jump_named(scan->nodes, slot);
    if (node != NULL && node->g.whole <= g)
        return;
    uint32_t dx = (uint32_t)abs(x - scan->goal.x), dy = (uint32_t)abs(y - scan->goal.y);
    uint32_t lesser = dx < dy ? dx : dy, greater = dx < dy ? dy : dx;
    uint64_t h = (greater - lesser) * scan->ahead + lesser * scan->across;
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
    node->g.whole = (uint32_t)g;
    node->parent = scan->from | arrival << ASTAR_CELL_BITS;
    node->cell = cell;
    astar_heap64_push(scan->open, f << ASTAR_CELL_BITS | cell);
}

// Records a path to a node: 'before' steps of a first leg, then 'steps' steps of a straight leg.
ASTAR_SPECIALIZE void note_jump(AstarScan *scan, bool nonuniform, int x, int y, int before,
                                int steps, unsigned arrival)
{
    if (nonuniform)
        scan->note(scan, x, y, before, steps, arrival);
    else
        note_uniform(scan, x, y, before, steps, arrival);
}

// Returns true if jumps end at a cell because the cell is non-uniform.
ASTAR_SPECIALIZE bool is_nonuniform_at(const AstarScan *scan, bool nonuniform, int x, int y)
{
    return nonuniform && scan->nonuniform.words != NULL && astar_bit_at(&scan->nonuniform, y, x);
}

// Straight jumps.

// Returns the row or column at which the straight jump from (x, y) ends. Stores the number of steps
// of the jump in '*length'.
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

// Prefetches the cache line that a straight jump from (x, y) reads first.
ASTAR_SPECIALIZE void fetch_stops(const AstarScan *scan, AstarStraight direction, int x, int y)
{
    const AstarTiles *tiles = &scan->runs->stops[direction];
    bool turned = astar_is_turned((int)direction);
    unsigned row = (unsigned)(turned ? x : y), position = (unsigned)(turned ? y : x);
    ASTAR_PREFETCH(tiles->words +
                   ((row >> 3) * tiles->stride + (position >> 6)) * ASTAR_LINE_WORDS);
}

// Records the jump point where the straight jump from (x, y) ends. The cell (x, y) lies 'before'
// steps from the node being expanded. The caller knows that the jump ends at a jump point.
ASTAR_SPECIALIZE void jump_to_jump_point(AstarScan *scan, bool nonuniform, AstarStraight direction,
                                         int x, int y, int before)
{
    bool turned = astar_is_turned((int)direction);
    int length, stop = stop_of(scan, direction, x, y, &length);
    note_jump(scan, nonuniform, turned ? x : stop, turned ? stop : y, before, length, direction);
}

// Returns the number of steps from (x, y) to the goal if the straight jump reaches the goal, else
// 0. The goal must lie in the row or column of the jump. This is a separate function because few
// jumps need it: inlined, its code would slow down the other jumps.
ASTAR_HOT ASTAR_ONCE int steps_to_goal(const AstarScan *scan, AstarStraight direction, int x, int y)
{
    int ahead = scan->goal.x - x + scan->goal.y - y, length;
    int to_goal = astar_is_upward((int)direction) ? ahead : -ahead;
    stop_of(scan, direction, x, y, &length);
    return to_goal > 0 && to_goal <= length ? to_goal : 0;
}

// Records the goal and returns true, if the straight jump from (x, y) reaches the goal before the
// jump ends.
ASTAR_SPECIALIZE bool jump_to_goal(AstarScan *scan, bool nonuniform, AstarStraight direction, int x,
                                   int y, int before)
{
    bool turned = astar_is_turned((int)direction);
    if (turned ? x != scan->goal.x : y != scan->goal.y)
        return false;
    int steps = steps_to_goal(scan, direction, x, y);
    if (steps > 0)
        note_jump(scan, nonuniform, scan->goal.x, scan->goal.y, before, steps, direction);
    return steps > 0;
}

// Follows a straight jump from a node and records the goal or the jump point where it ends,
// whichever comes first. 'reach' is not 0 if the jump ends at a jump point.
ASTAR_SPECIALIZE void jump_onward(AstarScan *scan, bool nonuniform, AstarStraight direction, int x,
                                  int y, unsigned reach)
{
    if (!jump_to_goal(scan, nonuniform, direction, x, y, 0) && reach != 0)
        jump_to_jump_point(scan, nonuniform, direction, x, y, 0);
}

// Follows a straight jump from the start. The start may be blocked; then no bitmap says whether the
// jump ends at a jump point, so the end of the jump is checked.
ASTAR_SPECIALIZE void jump_out(AstarScan *scan, bool nonuniform, AstarStraight direction, int x,
                               int y)
{
    bool turned = astar_is_turned((int)direction);
    int length, stop = stop_of(scan, direction, x, y, &length);
    if (!jump_to_goal(scan, nonuniform, direction, x, y, 0) &&
        astar_is_free_at(scan->runs, turned ? x : stop, turned ? stop : y))
        jump_to_jump_point(scan, nonuniform, direction, x, y, 0);
}

// Diagonal jumps.

// Returns the word of a diagonal bitmap that holds the bits of the cell (x, y).
ASTAR_SPECIALIZE uint64_t diagonal_bits_at(const AstarScan *scan, AstarDiagonal diagonal, int x,
                                           int y)
{
    return *astar_diagonal_word(scan->runs, (int)diagonal, x, y);
}

// The bits of a cell that is a jump point of diagonal jumps: a diagonal jump ends at the cell and
// can turn past a corner there.
static const uint64_t turn_bits = (uint64_t)1 << ASTAR_FORCED * ASTAR_STRIP |
                                  (uint64_t)1 << ASTAR_ENDS * ASTAR_STRIP;

// Follows a diagonal jump, and from it the straight jumps to both sides that end at a jump point or
// at the goal. The first diagonal step must be legal.
ASTAR_SPECIALIZE void jump_diagonally_by(AstarScan *scan, bool nonuniform, AstarDiagonal diagonal,
                                         int x, int y)
{
    const int dx = astar_diagonal_dx(diagonal), dy = astar_diagonal_dy(diagonal);
    const AstarStraight sideways = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    const bool is_sideways_next = (int)diagonal != (int)sideways;
    const ptrdiff_t strip = (ptrdiff_t)scan->runs->strip * dx + ASTAR_STRIP * dy;
    // The goal lies in the row or column of the jump only after 'aligned' steps, which is the
    // lesser of its distances along the two axes.
    int goal_dx = (scan->goal.x - x) * dx, goal_dy = (scan->goal.y - y) * dy;
    int aligned = goal_dx < goal_dy ? goal_dx : goal_dy;
    int first = x & ~(ASTAR_STRIP - 1);
    unsigned beyond = dx > 0 ? 0xFFFEu << (x - first) & 0xFFFF : (1u << (x - first)) - 1;
    for (const uint64_t *word = astar_diagonal_word(scan->runs, (int)diagonal, x, y);;
         word += strip) {
        uint64_t bits = *word;
        unsigned events = (unsigned)(bits | bits >> ASTAR_STRIP | bits >> 2 * ASTAR_STRIP) & beyond;
        ASTAR_PREFETCH(word + strip);
        // The straight jumps from the first event have to wait for their cache lines. The cache
        // lines for the last event are prefetched here. The events between the first and the last
        // use one of these two sets of cache lines.
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
                           (astar_diagonal_bit(here, ASTAR_ENDS, 0) != 0 &&
                            is_nonuniform_at(scan, nonuniform, at, at_y));
            if (aligned > 0 && steps >= aligned &&
                (steps > aligned || goal_dx == goal_dy || !is_node)) {
                int goal_at_x = x + aligned * dx, goal_at_y = y + aligned * dy;
                if (goal_dx == goal_dy) {
                    note_jump(scan, nonuniform, goal_at_x, goal_at_y, aligned, 0, upright);
                    return;
                }
                // If a jump point lies before the goal on this straight jump, the jump point is
                // recorded below, because this cell is then an event.
                if (goal_dx > goal_dy)
                    jump_to_goal(scan, nonuniform, sideways, goal_at_x, goal_at_y, aligned);
                else
                    jump_to_goal(scan, nonuniform, upright, goal_at_x, goal_at_y, aligned);
                aligned = 0;
            }
            if (is_node) { // the jump continues when this node is expanded
                note_jump(scan, nonuniform, at, at_y, steps, 0,
                          ASTAR_ARRIVED_DIAGONALLY + (unsigned)diagonal);
                return;
            }
            if (astar_diagonal_bit(
                    here, is_sideways_next ? ASTAR_STRAIGHT_JUMP_NEXT : ASTAR_STRAIGHT_JUMP, 0) !=
                0)
                jump_to_jump_point(scan, nonuniform, sideways, at, at_y, steps);
            if (astar_diagonal_bit(
                    here, is_sideways_next ? ASTAR_STRAIGHT_JUMP : ASTAR_STRAIGHT_JUMP_NEXT, 0) !=
                0)
                jump_to_jump_point(scan, nonuniform, upright, at, at_y, steps);
            if (astar_diagonal_bit(here, ASTAR_ENDS, 0) != 0)
                return;
            events &= ~(1u << bit);
        }
        first += ASTAR_STRIP * dx;
        beyond = 0xFFFF;
    }
}

// One function is compiled for each kind of ground and diagonal. If these and the code that records
// nodes were inlined at every call, compiling would take minutes, and the code would be no faster.
#define DEFINE_RUN(kind, name, nonuniform, diagonal)                                               \
    kind void name(AstarScan *scan, int x, int y)                                                  \
    {                                                                                              \
        jump_diagonally_by(scan, nonuniform, diagonal, x, y);                                      \
    }
#define DEFINE_RUNS(kind, name, nonuniform)                                                        \
    DEFINE_RUN(kind, name##_south_east, nonuniform, ASTAR_SOUTH_EAST)                              \
    DEFINE_RUN(kind, name##_south_west, nonuniform, ASTAR_SOUTH_WEST)                              \
    DEFINE_RUN(kind, name##_north_west, nonuniform, ASTAR_NORTH_WEST)                              \
    DEFINE_RUN(kind, name##_north_east, nonuniform, ASTAR_NORTH_EAST)                              \
    ASTAR_SPECIALIZE void name(AstarScan *scan, AstarDiagonal diagonal, int x, int y)              \
    {                                                                                              \
        switch (diagonal) {                                                                        \
        case ASTAR_SOUTH_EAST: name##_south_east(scan, x, y); return;                              \
        case ASTAR_SOUTH_WEST: name##_south_west(scan, x, y); return;                              \
        case ASTAR_NORTH_WEST: name##_north_west(scan, x, y); return;                              \
        case ASTAR_NORTH_EAST: name##_north_east(scan, x, y); return;                              \
        }                                                                                          \
    }
DEFINE_RUNS(ASTAR_HOT ASTAR_ONCE, run_uniform, false)
DEFINE_RUNS(ASTAR_ONCE, run_nonuniform, true)

ASTAR_SPECIALIZE void jump_diagonally(AstarScan *scan, bool nonuniform, AstarDiagonal diagonal,
                                      int x, int y)
{
    if (nonuniform)
        run_nonuniform(scan, diagonal, x, y);
    else
        run_uniform(scan, diagonal, x, y);
}

// Follows a diagonal jump from (x, y) if the first step of the jump is legal.
ASTAR_SPECIALIZE void try_diagonal_jump(AstarScan *scan, bool nonuniform, AstarCorners corners,
                                        AstarDiagonal diagonal, int x, int y, unsigned around)
{
    if (astar_may_diagonal(around, corners, diagonal))
        jump_diagonally(scan, nonuniform, diagonal, x, y);
}

// Expands a node that a straight jump reached. The jump continues straight. On a side with a forced
// neighbour the search also turns diagonally and, unless the corner rule cuts corners, straight to
// that side. Directions to the right come first. Whether the straight jumps of the node end at jump
// points is stored in the words of the diagonals beside the node.
ASTAR_SPECIALIZE void expand_straight_arrival(AstarScan *scan, bool nonuniform,
                                              AstarCorners corners, AstarStraight direction, int x,
                                              int y)
{
    const bool cuts = corners != ASTAR_CORNERS_BOTH_FREE;
    // The directions are numbered clockwise, so the next direction to the right has the next
    // number. The diagonal between two directions has the number of the first one.
    const AstarStraight right = (AstarStraight)((direction + 1) & 3);
    const AstarStraight left = (AstarStraight)((direction + 3) & 3);
    const AstarDiagonal diagonal_right = (AstarDiagonal)direction,
                        diagonal_left = (AstarDiagonal)left;
    unsigned around = astar_around(scan->runs, x, y);
    bool opens_right = astar_opens(around, corners, direction, right);
    bool opens_left = astar_opens(around, corners, direction, left);
    uint64_t beside = diagonal_bits_at(scan, opens_right ? diagonal_right : diagonal_left, x, y);
    if (!cuts)
        fetch_stops(scan, opens_right ? right : left, x, y);
    jump_onward(scan, nonuniform, direction, x, y,
                astar_diagonal_bit(
                    beside, opens_right ? ASTAR_STRAIGHT_JUMP : ASTAR_STRAIGHT_JUMP_NEXT, x));
    if (opens_right) {
        if (!cuts)
            jump_onward(scan, nonuniform, right, x, y,
                        astar_diagonal_bit(beside, ASTAR_STRAIGHT_JUMP_NEXT, x));
        try_diagonal_jump(scan, nonuniform, corners, diagonal_right, x, y, around);
    }
    if (opens_left) {
        if (opens_right)
            beside = diagonal_bits_at(scan, diagonal_left, x, y);
        if (!cuts)
            jump_onward(scan, nonuniform, left, x, y,
                        astar_diagonal_bit(beside, ASTAR_STRAIGHT_JUMP, x));
        try_diagonal_jump(scan, nonuniform, corners, diagonal_left, x, y, around);
    }
}

// Expands a node at which a diagonal jump can turn.
ASTAR_SPECIALIZE void expand_diagonal_arrival(AstarScan *scan, bool nonuniform,
                                              AstarCorners corners, AstarDiagonal diagonal, int x,
                                              int y)
{
    const AstarStraight sideways = astar_diagonal_dx(diagonal) > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = astar_diagonal_dy(diagonal) > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    const bool is_sideways_next = (int)diagonal != (int)sideways;
    unsigned around = astar_around(scan->runs, x, y);
    uint64_t word = diagonal_bits_at(scan, diagonal, x, y);
    jump_onward(scan, nonuniform, sideways, x, y,
                astar_diagonal_bit(
                    word, is_sideways_next ? ASTAR_STRAIGHT_JUMP_NEXT : ASTAR_STRAIGHT_JUMP, x));
    jump_onward(scan, nonuniform, upright, x, y,
                astar_diagonal_bit(
                    word, is_sideways_next ? ASTAR_STRAIGHT_JUMP : ASTAR_STRAIGHT_JUMP_NEXT, x));
    try_diagonal_jump(scan, nonuniform, corners, diagonal, x, y, around);
    if (astar_may_turn(around, corners, diagonal, 1))
        jump_diagonally(scan, nonuniform, astar_next_diagonal(diagonal, 1), x, y);
    if (astar_may_turn(around, corners, diagonal, 3))
        jump_diagonally(scan, nonuniform, astar_next_diagonal(diagonal, 3), x, y);
}

// Examines the path from the start to the goal that goes diagonally, then straight. If no obstacle
// lies on this path, records it and returns true. No path is shorter, so no other successor is
// needed.
ASTAR_HOT static bool go_directly(AstarScan *scan, int x, int y)
{
    AstarBentWay way;
    if (!astar_find_line_on_one_cost(scan->runs, x, y, scan->goal.x, scan->goal.y, &way))
        return false;
    note_uniform(scan, scan->goal.x, scan->goal.y, way.first, way.then, ASTAR_EAST);
    return true;
}

// Expands the start in all directions. This happens once per search, so one function serves all
// corner rules that have diagonal steps.
ASTAR_HOT ASTAR_ONCE void expand_start(AstarScan *scan, int x, int y)
{
    const AstarCorners corners = scan->rule->corners;
    unsigned around = astar_around(scan->runs, x, y);
    jump_out(scan, false, ASTAR_EAST, x, y);
    jump_out(scan, false, ASTAR_SOUTH, x, y);
    jump_out(scan, false, ASTAR_WEST, x, y);
    jump_out(scan, false, ASTAR_NORTH, x, y);
    try_diagonal_jump(scan, false, corners, ASTAR_SOUTH_EAST, x, y, around);
    try_diagonal_jump(scan, false, corners, ASTAR_SOUTH_WEST, x, y, around);
    try_diagonal_jump(scan, false, corners, ASTAR_NORTH_WEST, x, y, around);
    try_diagonal_jump(scan, false, corners, ASTAR_NORTH_EAST, x, y, around);
}

ASTAR_SPECIALIZE void expand_by(AstarScan *scan, AstarCorners corners, int arrival, int x, int y)
{
    switch (arrival) {
    case ASTAR_EAST: expand_straight_arrival(scan, false, corners, ASTAR_EAST, x, y); return;
    case ASTAR_SOUTH: expand_straight_arrival(scan, false, corners, ASTAR_SOUTH, x, y); return;
    case ASTAR_WEST: expand_straight_arrival(scan, false, corners, ASTAR_WEST, x, y); return;
    case ASTAR_NORTH: expand_straight_arrival(scan, false, corners, ASTAR_NORTH, x, y); return;
    case ASTAR_ARRIVED_NOWHERE:
    case ASTAR_ARRIVED_UNSEEN:
        if (arrival == ASTAR_ARRIVED_UNSEEN || !go_directly(scan, x, y))
            expand_start(scan, x, y);
        return;
    default: break;
    }
    if (corners == ASTAR_CORNERS_BOTH_FREE)
        return;
    switch (arrival - ASTAR_ARRIVED_DIAGONALLY) {
    case ASTAR_SOUTH_EAST:
        expand_diagonal_arrival(scan, false, corners, ASTAR_SOUTH_EAST, x, y);
        return;
    case ASTAR_SOUTH_WEST:
        expand_diagonal_arrival(scan, false, corners, ASTAR_SOUTH_WEST, x, y);
        return;
    case ASTAR_NORTH_WEST:
        expand_diagonal_arrival(scan, false, corners, ASTAR_NORTH_WEST, x, y);
        return;
    default: expand_diagonal_arrival(scan, false, corners, ASTAR_NORTH_EAST, x, y);
    }
}

// The functions below jump without diagonal steps.

// Follows a jump along the row, and from it the jumps up and down that end at a jump point or at
// the goal.
ASTAR_SPECIALIZE void scan_aside(AstarScan *scan, bool nonuniform, AstarStraight direction, int x,
                                 int y)
{
    const int dx = direction == ASTAR_EAST ? 1 : -1;
    const AstarTiles *stops = &scan->runs->stops[direction];
    int to_goal = (scan->goal.x - x) * dx;
    for (int at = x;;) {
        at = dx > 0 ? astar_tiles_from(stops, y, at + 1) : astar_tiles_until(stops, y, at - 1);
        int steps = (at - x) * dx;
        bool is_free = astar_is_free_at(scan->runs, at, y);
        bool ends = is_nonuniform_at(scan, nonuniform, at, y);
        // In the goal's column the jump up or down may reach the goal.
        if (to_goal > 0 &&
            (steps > to_goal || (steps == to_goal && is_free && (y == scan->goal.y || !ends)))) {
            if (y == scan->goal.y) {
                note_jump(scan, nonuniform, scan->goal.x, y, to_goal, 0, ASTAR_SOUTH);
                return;
            }
            if (y < scan->goal.y)
                jump_to_goal(scan, nonuniform, ASTAR_SOUTH, scan->goal.x, y, to_goal);
            else
                jump_to_goal(scan, nonuniform, ASTAR_NORTH, scan->goal.x, y, to_goal);
            to_goal = 0;
        }
        if (ends)
            note_jump(scan, nonuniform, at, y, steps, 0, direction);
        if (!is_free || ends)
            return;
        if (astar_tile_bit(&scan->runs->reach[ASTAR_SOUTH], y, at) != 0)
            jump_to_jump_point(scan, nonuniform, ASTAR_SOUTH, at, y, steps);
        if (astar_tile_bit(&scan->runs->reach[ASTAR_NORTH], y, at) != 0)
            jump_to_jump_point(scan, nonuniform, ASTAR_NORTH, at, y, steps);
    }
}

// One function is compiled for each kind of ground and each side, as for diagonal jumps.
ASTAR_HOT ASTAR_ONCE void scan_east(AstarScan *scan, int x, int y)
{
    scan_aside(scan, false, ASTAR_EAST, x, y);
}

ASTAR_HOT ASTAR_ONCE void scan_west(AstarScan *scan, int x, int y)
{
    scan_aside(scan, false, ASTAR_WEST, x, y);
}

ASTAR_ONCE void scan_nonuniform(AstarScan *scan, AstarStraight side, int x, int y)
{
    scan_aside(scan, true, side, x, y);
}

ASTAR_SPECIALIZE void scan_side(AstarScan *scan, bool nonuniform, AstarStraight side, int x, int y)
{
    if (nonuniform)
        scan_nonuniform(scan, side, x, y);
    else
        (side == ASTAR_EAST ? scan_east : scan_west)(scan, x, y);
}

// Expands a node that a jump up or down reached. The node has a forced neighbour on a side if the
// cell diagonally behind on that side is blocked and the cell beside is free.
ASTAR_SPECIALIZE void expand_upright(AstarScan *scan, bool nonuniform, AstarStraight direction,
                                     int x, int y)
{
    const int behind = direction == ASTAR_SOUTH ? -1 : 1;
    jump_onward(scan, nonuniform, direction, x, y,
                astar_tile_bit(&scan->runs->reach[direction], y, x));
    unsigned around = astar_around(scan->runs, x, y);
    if (astar_is_free_by(around, 1, behind) < astar_is_free_by(around, 1, 0))
        scan_side(scan, nonuniform, ASTAR_EAST, x, y);
    if (astar_is_free_by(around, -1, behind) < astar_is_free_by(around, -1, 0))
        scan_side(scan, nonuniform, ASTAR_WEST, x, y);
}

// The functions below expand nodes under the different corner rules.

// Over uniform ground one function is compiled for each kind of corner rule, so that the code for
// one rule is not mixed with the code for the others. The two rules that cut corners share one
// function, which executes up to 2 % more instructions than two functions would. One function for
// all rules would execute up to 4 % more instructions than the functions chosen. On maps with
// non-uniform cells a shared function executes no more.
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
    jump_out(scan, false, ASTAR_SOUTH, x, y);
    jump_out(scan, false, ASTAR_NORTH, x, y);
    scan_east(scan, x, y);
    scan_west(scan, x, y);
}

// Expands a uniform cell that a jump reached, on a map with non-uniform cells. Without diagonal
// steps only jumps up and down end in such a cell. The diagonals share one call, which executes up
// to 2 % more instructions. A shared call for the straight directions would execute 6 % more. A
// start is expanded by expand_freely().
ASTAR_ONCE void expand_regular(AstarScan *scan, int arrival, int x, int y)
{
    AstarCorners corners = scan->rule->corners;
    if (!scan->rule->has_diagonals) {
        assert(arrival == ASTAR_SOUTH || arrival == ASTAR_NORTH);
        expand_upright(scan, true, (AstarStraight)arrival, x, y);
        return;
    }
    switch (arrival) {
    case ASTAR_EAST: expand_straight_arrival(scan, true, corners, ASTAR_EAST, x, y); return;
    case ASTAR_SOUTH: expand_straight_arrival(scan, true, corners, ASTAR_SOUTH, x, y); return;
    case ASTAR_WEST: expand_straight_arrival(scan, true, corners, ASTAR_WEST, x, y); return;
    case ASTAR_NORTH: expand_straight_arrival(scan, true, corners, ASTAR_NORTH, x, y); return;
    default:
        expand_diagonal_arrival(scan, true, corners,
                                (AstarDiagonal)(arrival - ASTAR_ARRIVED_DIAGONALLY), x, y);
    }
}

// Jump points that lead only into dead ends are skipped if the dead ends are known, unless the goal
// can be seen from such a jump point. A search with 'max_expansions' follows these jump points too,
// because the limit counts their nodes.
ASTAR_HOT void astar_scan_bitmaps(AstarScan *scan, const AstarSearch *search,
                                  const AstarJumpBitmaps *jump)
{
    const AstarRatio whole = search->finder->whole;
    const AstarDeadEnds *known = astar_get(&jump->known_dead_ends); // stays valid until an edit
    bool follows_all = known == NULL || search->query.max_expansions != UINT64_MAX ||
                       (jump->rule->has_diagonals && whole.diagonal >= 2 * whole.straight) ||
                       astar_bits_get(&known->seen, search->jumps.to.x, search->jumps.to.y);
    scan->runs = follows_all ? &jump->runs : &known->runs;
    scan->turn = astar_has_forced_on_diagonals(jump)
                     ? turn_bits
                     : ~turn_bits; // ~turn_bits matches no cell: jumps never turn
}

// Records each legal step out of a cell as a path to a node. Without corner cutting no diagonal
// jump ends in a node. The node at the end of a diagonal step therefore gets the arrival
// ASTAR_ARRIVED_NOWHERE, and all directions are followed from this node.
ASTAR_ONCE void expand_uniform_steps(AstarScan *scan, int x, int y)
{
    const AstarBits *bits = &scan->search->finder->on.walkable->bits;
    unsigned steps = astar_legal_moves(scan->rule, astar_bits_around(bits, x - 1, y - 1));
    for (; steps != 0; steps &= steps - 1) {
        int d = astar_lowest_bit(steps);
        bool diagonally = (d & 1) != 0;
        unsigned arrival = diagonally ? ASTAR_ARRIVED_NOWHERE : (unsigned)(d / 2 + 3) & 3;
        note_uniform(scan, x + astar_dx[d], y + astar_dy[d], diagonally, !diagonally, arrival);
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

// The functions below expand non-uniform cells.

// Follows the jump out of a cell in a direction, numbered as in directions.h. The first step must
// be legal.
ASTAR_ONCE void run_by_step(AstarScan *scan, int direction, int x, int y)
{
    // The number of the direction, counted from east for straight directions and from south-east
    // for diagonal ones.
    const int quarter = (direction / 2 + 3) & 3;
    if ((direction & 1) != 0)
        jump_diagonally(scan, true, (AstarDiagonal)quarter, x, y);
    else if (scan->rule->has_diagonals || astar_is_turned(quarter))
        jump_out(scan, true, (AstarStraight)quarter, x, y);
    else
        scan_nonuniform(scan, (AstarStraight)quarter, x, y);
}

// Follows each step out of a cell that a best route may need. A step to a non-uniform cell remains
// a single step. Any other step becomes a jump over ground of the same cost as the first cell
// entered.
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

// Examines the path from the start to the goal that goes diagonally, then straight. If this path is
// known to be free and no other path is cheaper, records it and returns true.
static bool go_in_plain_view(AstarScan *scan, uint32_t cell)
{
    const AstarSearch *search = scan->search;
    AstarBentWay view;
    if (!astar_find_line_on_several_costs(search->finder, search->start_x, search->start_y,
                                          search->goal.x, search->goal.y, &view))
        return false;
    astar_scan_ground(scan, cell);
    note_jump(scan, true, scan->goal.x, scan->goal.y, view.first, view.then, ASTAR_EAST);
    return true;
}

// Returns true if a node with the arrival 'arrival' can be reached only by a single step, never by
// a jump over uniform cells.
static bool is_by_step(const AstarCornerRule *rule, int arrival)
{
    if (!rule->has_diagonals)
        return arrival == ASTAR_EAST || arrival == ASTAR_WEST;
    return arrival >= ASTAR_ARRIVED_DIAGONALLY && rule->corners == ASTAR_CORNERS_BOTH_FREE;
}

void astar_expand_nonuniform(AstarScan *scan, uint32_t cell)
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
        arrival == ASTAR_ARRIVED_BY_LINK || astar_bit_at(&scan->nonuniform, y, x)) {
        expand_freely(scan, cell, x, y);
        return;
    }
    astar_scan_ground(scan, cell);
    expand_regular(scan, arrival, x, y);
}

// ------------------------------------------------------------------------------------------------
// The nearest of a few goals, found by jumps from all goals back to the start.
//
// Jump point search ends at one cell but may begin at many. Over uniform ground every step can be
// made backwards at the same cost, under each corner rule that this search supports. The search is
// therefore made backwards: each goal is a root, and the search ends at the start. A root is never
// expanded if its distance from the start exceeds the length of the found route. The route is read
// from the start on. If the query has one goal with a range, the roots are the free cells of the
// rim of that range.
//
// Among equally cheap goals the lowest one must be reached. Therefore all costs are shifted left by
// enough bits for a goal's number, and the g of each root starts at the rank of its goal. The least
// sum of cost and rank then belongs to the lowest goal.
// ------------------------------------------------------------------------------------------------

// Sorts the goals by row, then by column.
static void rank_goals(AstarCell *goals, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        AstarCell goal = goals[i];
        size_t at = i;
        for (; at > 0 && (goals[at - 1].y > goal.y ||
                          (goals[at - 1].y == goal.y && goals[at - 1].x > goal.x));
             at--)
            goals[at] = goals[at - 1];
        goals[at] = goal;
    }
}

// Adds a goal to the search as a root: a node from which the search begins. Goals in the same cell
// share one root.
static AstarStatus plant_goal(AstarSearch *search, AstarCell goal, uint32_t rank)
{
    AstarJumpFront *front = &search->jumps;
    uint32_t cell = astar_cell(search->grid, goal.x, goal.y);
    int dx = goal.x - search->start_x, dy = goal.y - search->start_y;
    uint64_t f = (uint64_t)astar_jps_least_f(search, 0, 0, dx, dy) << front->rank_bits | rank;
    if (f > ASTAR_MOST_F)
        f = ASTAR_MOST_F; // jumps from here end with ASTAR_BAD_COST; nearer goals come first
    if (astar_jump_node(&front->nodes, cell) != NULL)
        return ASTAR_OK;
    if (!astar_heap64_has_room(&front->open) &&
        !astar_heap64_grow(&front->open, &search->allocator))
        return ASTAR_NO_MEMORY;
    astar_heap64_push(&front->open, f << ASTAR_CELL_BITS | cell);
    return astar_jps_add_root(search, goal.x, goal.y, ASTAR_ARRIVED_NOWHERE, rank);
}

// Adds a root in each free cell of the rim of the goal's range: the outermost cells at which the
// unit covers a cell within range. A unit from outside the range reaches the rim first. All roots
// lead to the same goal, so they need no rank.
static AstarStatus plant_rim(AstarSearch *search)
{
    const AstarGoal *goal = &search->goal;
    const int last = goal->range, west = 1 - goal->body.width - goal->range;
    const int north = 1 - goal->body.height - goal->range;
    AstarStatus status = ASTAR_OK;
    for (int dy = north; dy <= last && status == ASTAR_OK; dy++)
        for (int dx = west; dx <= last && status == ASTAR_OK;
             dx += dy == north || dy == last ? 1 : last - west) {
            AstarCell at = {goal->x + dx, goal->y + dy};
            if (astar_inside(search->grid, at.x, at.y) &&
                astar_bits_get(&search->finder->on.walkable->bits, at.x, at.y))
                status = plant_goal(search, at, 0);
        }
    return status;
}

// Adds a root in each goal or, for a goal that cannot be reached, in each of the cells nearest to
// it. The roots are ranked by row, then by column.
static AstarStatus plant_ranked(AstarSearch *search, AstarCell *goals, size_t count)
{
    AstarJumpFront *front = &search->jumps;
    AstarStatus status = ASTAR_OK;
    rank_goals(goals, count);
    while (1u << front->rank_bits < count)
        front->rank_bits++;
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
        status = plant_goal(search, goals[i], i);
    return status;
}

ASTAR_COLD AstarStatus astar_back_jumps_begin(AstarSearch *search)
{
    AstarGoalSet *set = &search->many.goals;
    AstarJumpFront *front = &search->jumps;
    const AstarFinder *finder = search->finder;
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_walkable_jump(search->grid, finder->on.walkable,
                                             finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = astar_jps_clear(search);
    astar_heap64_clear(&front->open);
    front->to = (AstarCell){search->start_x, search->start_y};
    front->rank_bits = 1; // says that the search jumps back, too
    if (status != ASTAR_OK)
        return status;
    if (search->goal.kind == ASTAR_GOAL_BOX)
        return plant_rim(search);
    if (search->goal.kind == ASTAR_GOAL_NEAR)
        return plant_ranked(search, search->known.precheck.near.cells, search->goal.few);
    return plant_ranked(search, set->estimated, set->estimated_count);
}

ASTAR_COLD AstarStatus astar_run_back_jumps(AstarSearch *search, uint64_t expansions)
{
    AstarGoalSet *set = &search->many.goals;
    AstarStatus status = astar_run_jps(search, expansions);
    if (status != ASTAR_OK || !astar_goal_is_of_many(&search->goal))
        return status;
    uint32_t g = astar_jump_node(&search->jumps.nodes, search->found)->g.whole;
    const AstarCell *goal = &set->estimated[g & ((1u << search->jumps.rank_bits) - 1)];
    set->met = astar_cell(search->grid, goal->x, goal->y);
    return ASTAR_OK;
}
