// best_first.c -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an
// estimate.
//
// Costs are whole multiples of a unit. The unit is 2^-31 of the cheapest cost, rounded to a power
// of two. The cost of each step is rounded to a multiple once. Sums are therefore exact in any
// order, and routes of equal cost have equal sums. A node holds costs up to at least 2^25 times the
// cheapest cost. If the route costs more than that, the search restarts with a unit 256 times as
// large. The rounding error of a step, half a unit, is then less than 10^-15 of the route's cost.
// If a link costs less than all terrain, the unit is chosen by the cheapest link.
//
// There are two loops. search_grid() serves the most frequent query: a route to one cell, without
// callbacks, by four or eight moves or over hexagons, with or without a field to avoid.
// run_generally() serves all other queries and every kind of goal (goal.h). Both loops expand one
// cell per iteration and keep their state in the search object, so a search can stop after any
// expansion and continue later. run_generally() stores the cell that it takes off the open list as
// the current cell. If a callback interrupts the expansion, the next call expands the cell again.
// Expanding a cell twice does no harm: the steps that were already relaxed are no cheaper.

#include "search/best_first.h"

#include "base/array.h"
#include "finder/costs.h"
#include "finder/roads.h"
#include "layers/nonuniform.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/active_landmarks.h"
#include "search/estimate.h"
#include "search/path.h"
#include "search/trace.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The successors of a cell, one step in each direction.
//
// Three of the eight steps lead back: to the parent, from which this cell was reached, and to the
// two neighbours of this cell that are beside the parent. A straight step from the parent to one of
// these two cells costs no more than the path over this cell. The three steps are therefore left
// out. With a step_cost callback a step may have any cost, so all eight steps are followed.
// ------------------------------------------------------------------------------------------------

// Fills in all fields of a step except the cost. The fields are written one by one, because copying
// a struct that was just written stalls the processor.
static void set_neighbour(AstarSuccessor *step, const AstarGrid *grid, uint32_t cell, int x, int y,
                          int d)
{
    step->cell = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
    step->x = x + astar_dx[d];
    step->y = y + astar_dy[d];
    step->direction = (uint8_t)d;
}

// Returns true if a step that costs at least 'least' may lead to its cell at lower cost than the
// best path found. If not, the callback for the cost of the step need not be called.
static bool may_improve(const AstarSearch *search, const AstarSuccessor *step, double least)
{
    const AstarCore *core = &search->core;
    const AstarNodePage *page = astar_nodes_page(&core->nodes, step->x, step->y);
    uint64_t g = core->g + astar_whole_cost(least, core->per_unit);
    return page == NULL || (g | ASTAR_STATE_MASK) < page->nodes[astar_page_place(step->x, step->y)];
}

// Lists the steps out of the current cell for a finder with callbacks. A callback may edit the
// grid, which ends the search, so nothing that was read before a call is used after it.
static AstarStatus expand_asking(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                                 int *count)
{
    const AstarFinder *finder = search->finder;
    const AstarOptions *options = &finder->options;
    bool all = options->step_cost != NULL || astar_grid_has_walls(finder->grid);
    AstarAround around;
    uint32_t cell = search->front.current;
    int x = search->front.x, y = search->front.y;
    unsigned wanted = all ? 0xFF : astar_finder_ahead(finder, x, y, astar_current_from(search));
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, false, &wanted, &around);
    *count = 0;
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        AstarSuccessor *step = &successors[*count];
        set_neighbour(step, finder->grid, cell, x, y, d);
        double cost = around.costs[d];
        step->cost = astar_finder_round(finder, d & 1 ? cost * options->diagonal_cost : cost);
        if (options->step_cost != NULL &&
            !may_improve(search, step, astar_costs_least_of_step(finder, d, step->cost)))
            continue;
        status = astar_costs_of_step(&search->costs, x, y, d, &step->cost);
        *count += isfinite(step->cost);
    }
    return status;
}

// Lists the steps out of the current cell on a hexagonal grid, on a grid with walls, or with a
// field to avoid. With a field, the cost of each cell is computed. With walls, all legal steps are
// followed, because a wall may bar the other path to a neighbour. This function is separate so that
// searches on plain grids execute none of these checks.
ASTAR_ONCE int expand_layers(const AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS])
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    int x = search->front.x, y = search->front.y;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned wanted = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    if (!astar_grid_has_walls(grid))
        wanted &= astar_finder_ahead(finder, x, y, astar_current_from(search));
    AstarSuccessor *step = successors;
    for (; wanted != 0; wanted &= wanted - 1, step++) {
        int d = astar_lowest_bit(wanted);
        set_neighbour(step, grid, search->front.current, x, y, d);
        double cost = astar_finder_cell_cost(finder, step->cell);
        step->cost = astar_finder_round(finder,
                                        d & 1 ? cost * finder->options.diagonal_cost : cost);
    }
    return (int)(step - successors);
}

AstarStatus astar_expand(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count)
{
    const AstarFinder *finder = search->finder;
    if (astar_finder_has_callbacks(finder))
        return expand_asking(search, successors, count);
    if (finder->options.avoid != NULL || astar_grid_has_walls(finder->grid) ||
        astar_finder_goes_by_sides(finder)) {
        *count = expand_layers(search, successors);
        return ASTAR_OK;
    }

    const AstarGrid *grid = finder->grid;
    uint32_t cell = search->front.current;
    int x = search->front.x, y = search->front.y;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned legal = astar_legal_moves(finder->rule, free);
    const AstarArrival *arrival = &finder->arrivals[0][astar_current_from(search)];
    unsigned wanted = finder->is_uniform ? astar_canonical_uniform(arrival, free, legal)
                                         : legal & arrival->ahead;
    AstarSuccessor *step = successors;
    for (; wanted != 0; wanted &= wanted - 1, step++) {
        int d = astar_lowest_bit(wanted);
        set_neighbour(step, grid, cell, x, y, d);
        step->cost = finder->costs.step[d & 1][finder->on.ground[step->cell]];
    }
    *count = (int)(step - successors);
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// Nodes: the cells that a search has reached.
// ------------------------------------------------------------------------------------------------

// The order in which the steps out of a cell are relaxed. Among entries of equal f, the search
// expands the one that was added last. Steps that are to be tried early are therefore relaxed late:
// of equally good steps the search tries a diagonal step before a straight one, and a step along a
// column before a step along a row. Canonical ordering prefers the same order, so the search first
// expands the steps that canonical ordering keeps.
enum { EAST = 2, WEST = 6, NORTH = 0, SOUTH = 4 };
static const uint8_t step_order[ASTAR_DIRECTIONS] = {EAST, WEST, NORTH, SOUTH, 1, 3, 5, 7};
// Converts a set of directions to a set of indices of 'step_order': bit i stands for step_order[i].
#define PLACED(set)                                                                                \
    (((set) >> EAST & 1) | ((set) >> WEST & 1) << 1 | ((set) >> NORTH & 1) << 2 |                  \
     ((set) >> SOUTH & 1) << 3 | ((set) >> 1 & 1) << 4 | ((set) >> 3 & 1) << 5 |                   \
     ((set) >> 5 & 1) << 6 | ((set) >> 7 & 1) << 7)
#define PLACED_4(set) PLACED(set), PLACED(set + 1), PLACED(set + 2), PLACED(set + 3)
#define PLACED_16(set) PLACED_4(set), PLACED_4(set + 4), PLACED_4(set + 8), PLACED_4(set + 12)
#define PLACED_64(set) PLACED_16(set), PLACED_16(set + 16), PLACED_16(set + 32), PLACED_16(set + 48)
static const uint8_t in_order[256] = {PLACED_64(0), PLACED_64(64), PLACED_64(128), PLACED_64(192)};
// The columns and rows by which each step of 'step_order' moves.
static const int8_t order_dx[ASTAR_DIRECTIONS] = {1, -1, 0, 0, 1, 1, -1, -1};
static const int8_t order_dy[ASTAR_DIRECTIONS] = {0, 0, -1, 1, -1, 1, 1, -1};

// Returns the cost of a step in a direction into a cell of the given cost.
static inline double step_cost(const AstarFinder *finder, int direction, double cost)
{
    double length = direction & 1 ? finder->options.diagonal_cost : 1;
    return astar_finder_round(finder, cost * length);
}

// Stores the cost of a step. Returns false if there is no memory.
static bool note_said_step(AstarSearch *search, const AstarSuccessor *step)
{
    AstarPage *page = astar_page_for(&search->own.step_costs, &search->allocator, step->x, step->y);
    if (page != NULL)
        page->values[astar_page_place(step->x, step->y)] = step->cost;
    return page != NULL;
}

// Records that a path to a cell was rejected because it costs more than the limit.
static AstarStatus note_cut_way(AstarSearch *search, uint32_t cell)
{
    AstarCutWays *cut = &search->own.cut;
    search->failure = ASTAR_MAX_COST;
    if (!cut->are_noted)
        return ASTAR_OK;
    if (!ASTAR_RESERVE(&search->allocator, cut->cells, cut->count, 1, &cut->capacity, 64))
        return ASTAR_NO_MEMORY;
    cut->cells[cut->count++] = cell;
    return ASTAR_OK;
}

// Returns true if every cell to which a path was rejected for its cost was reached by a cheaper
// path.
static bool is_nothing_cut_off(const AstarSearch *search)
{
    const AstarCutWays *cut = &search->own.cut;
    bool is_any = !cut->are_noted;
    for (size_t i = 0; i < cut->count && !is_any; i++) {
        int x, y;
        astar_cell_xy(search->grid, cut->cells[i], &x, &y);
        is_any = !astar_has_reached(search, x, y);
    }
    return !is_any;
}

// Returns an estimate in units, rounded down.
static inline uint64_t whole_estimate(const AstarCore *core, double h)
{
    double units = h * core->per_unit;
    return units < 0x1p57 ? (uint64_t)units << ASTAR_STATE_BITS : ASTAR_MOST_COST;
}

// Factor by which the estimates of a heuristic callback are multiplied. A callback that adds up
// step lengths does not know that the search rounds each step, by up to half a unit or 2^-32 of its
// cost. Without the factor, f would be slightly below the route's cost for cells near the start of
// equally cheap routes, and the search would expand all these cells. With this factor, f is
// slightly above the cost. The route found then costs at most 10^-9 of the optimal cost more, as
// ASTAR_LENIENCE allows.
#define HOST_STRETCH (1 + 0x1p-30)

// Relaxes a step out of the cell being expanded: stores the path to the cell that the step enters,
// if no cheaper path is known. The open list must have room. 'guided' is true if the search uses an
// estimate, and false for Dijkstra's algorithm.
ASTAR_SPECIALIZE AstarStatus relax_cell(AstarSearch *search, const AstarSuccessor *step,
                                        bool guided, bool linked)
{
    AstarCore *core = &search->core;
    AstarNodePage *page = astar_nodes_page_for(&core->nodes, &search->allocator, NULL, step->x,
                                               step->y);
    unsigned place = astar_page_place(step->x, step->y);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    uint64_t g = core->g + astar_whole_cost(step->cost, core->per_unit), node = page->nodes[place];
    if ((g | ASTAR_STATE_MASK) >= node ||
        (astar_node_is_closed(node) && !search->own.best_first.reopens))
        return ASTAR_OK;
    if (g > ASTAR_MOST_COST) {
        core->overflowed = true;
        return ASTAR_OK;
    }
    double h = 0;
    if (guided)
        h = astar_goal_estimate(search, search->costs.context, step->x, step->y, linked);
    bool by_host = guided && search->goal.estimate != NULL;
    if (by_host && !(h >= 0 && h <= 1e300))
        return ASTAR_BAD_COST;
    if (by_host && astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    double cost = (double)(g >> ASTAR_STATE_BITS) * core->unit;
    if ((search->goal.tracks || by_host ? cost : cost + h) > search->limit)
        return note_cut_way(search, step->cell);
    if (astar_notes_steps(search) && !note_said_step(search, step))
        return ASTAR_NO_MEMORY;
    page->nodes[place] = g | step->direction;
    double stretch = by_host ? search->own.weight * HOST_STRETCH : search->own.weight;
    astar_lifo_push(&core->open, g + whole_estimate(core, stretch * h),
                    astar_node_name(page, place));
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// Expanders: the steps out of the current cell that an optimal path may take.
// ------------------------------------------------------------------------------------------------

// Returns the directions of the steps out of a cell that an optimal path may take, for a finder
// without callbacks. 'from' is the direction of the step that led to the cell.
static unsigned steps_by_data(const AstarSearch *search, uint32_t cell, int x, int y, int from)
{
    const AstarFinder *finder = search->finder;
    const AstarArrival *arrival = &search->own.best_first.arrivals[from];
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y), same = 0;
    unsigned wanted = astar_legal_moves(finder->rule, free) & arrival->ahead;
    if (finder->is_uniform)
        same = free;
    else if (search->own.weight == 1)
        same = astar_canonical_same(finder->on.ground, finder->grid, cell, free);
    return wanted & ~astar_canonical_left_out(arrival, free, same);
}

// Finds the directions of the steps out of a cell that an optimal path may take, for a finder with
// a 'cost' callback, and the costs of the cells that these steps enter.
static AstarStatus steps_by_asking(AstarSearch *search, uint32_t cell, int x, int y, int from,
                                   unsigned *wanted, AstarAround *around)
{
    const AstarArrival *arrival = &search->own.best_first.arrivals[from];
    *wanted = arrival->ahead;
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, false, wanted, around);
    if (status != ASTAR_OK || from == ASTAR_FROM_NOWHERE || search->own.weight > 1)
        return status;
    *wanted &= ~astar_canonical_left_out(arrival, around->known, around->same);
    return ASTAR_OK;
}

// Expands the current cell by the steps that canonical ordering keeps.
static AstarStatus expand_canonically(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const bool asks = finder->options.cost != NULL;
    const uint32_t cell = search->front.current;
    const int x = search->front.x, y = search->front.y, from = astar_current_from(search);
    unsigned wanted;
    AstarAround around;
    AstarStatus status = ASTAR_OK;
    if (asks)
        status = steps_by_asking(search, cell, x, y, from, &wanted, &around);
    else
        wanted = steps_by_data(search, cell, x, y, from);
    for (int i = 0; i < ASTAR_DIRECTIONS && status == ASTAR_OK; i++) {
        int d = step_order[i];
        if ((wanted >> d & 1) == 0)
            continue;
        AstarSuccessor step;
        set_neighbour(&step, finder->grid, cell, x, y, d);
        step.cost = asks ? step_cost(finder, d, around.costs[d])
                         : finder->costs.step[d & 1][finder->on.ground[step.cell]];
        status = relax_cell(search, &step, true, false);
    }
    return status;
}

static AstarStatus relax_guided(AstarSearch *search, const AstarSuccessor *step)
{
    return relax_cell(search, step, true, false);
}

static AstarStatus relax_over_link(AstarSearch *search, const AstarSuccessor *step)
{
    return relax_cell(search, step, true, true);
}

static AstarStatus relax_unguided(AstarSearch *search, const AstarSuccessor *step)
{
    return relax_cell(search, step, false, false);
}

// Adds to 'successors' the steps over the edge of a map that wraps around.
static void step_over_wrap(const AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                           int *count)
{
    uint32_t cell = search->front.current;
    unsigned moves = astar_wrap_moves(search->finder, cell, false, ASTAR_NO_CELL);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        AstarArc arc = astar_wrap_arc(search->finder, cell, d, false);
        AstarSuccessor *step = &successors[(*count)++];
        *step = (AstarSuccessor){.cell = arc.to, .direction = (uint8_t)d, .cost = arc.cost};
        astar_cell_xy(search->grid, arc.to, &step->x, &step->y);
    }
}

// Expands the current cell by all steps that astar_expand() lists. This serves searches to which
// canonical ordering does not apply: with a step_cost callback, on a grid whose step costs do not
// depend on terrain alone, or with many goals.
static AstarStatus expand_by_steps(AstarSearch *search)
{
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(search, successors, &count);
    bool guided = search->algorithm != ASTAR_DIJKSTRA;
    if (astar_is_at_wrap(search->grid, search->front.x, search->front.y))
        step_over_wrap(search, successors, &count);
    AstarRelax relax = !guided              ? relax_unguided
                       : search->own.linked ? relax_over_link
                                            : relax_guided;
    int8_t by_direction[ASTAR_DIRECTIONS] = {-1, -1, -1, -1, -1, -1, -1, -1};
    for (int i = 0; i < count; i++)
        by_direction[successors[i].direction] = (int8_t)i;
    for (int i = 0; i < ASTAR_DIRECTIONS && status == ASTAR_OK; i++)
        if (by_direction[step_order[i]] >= 0)
            status = relax(search, &successors[by_direction[step_order[i]]]);
    return status == ASTAR_OK && search->own.linked ? astar_links_expand(search, relax) : status;
}

// Expands the current cell. Returns ASTAR_OK if the search goes on.
static AstarStatus expand_best(AstarSearch *search)
{
    return search->own.best_first.expansion == ASTAR_EXPAND_ALL ? expand_by_steps(search)
                                                                : expand_canonically(search);
}

// ------------------------------------------------------------------------------------------------
// Start and end of a search.
// ------------------------------------------------------------------------------------------------

static AstarStatus give_up_search(AstarSearch *search, AstarStatus why)
{
    if (search->found != ASTAR_NO_CELL)
        return ASTAR_OK;
    if (!search->goal.tracks || search->goal.nearest == ASTAR_NO_CELL)
        return why;
    search->found = search->goal.nearest;
    return ASTAR_OK;
}

AstarStatus astar_search_exhausted(AstarSearch *search)
{
    if (search->failure == ASTAR_MAX_COST && is_nothing_cut_off(search))
        search->failure = ASTAR_UNREACHABLE;
    return give_up_search(search, search->failure);
}

// Returns true if the search is for an optimal route to one cell, by a heuristic that is linear in
// columns and rows, without landmarks and without callbacks.
static bool goes_to_cell(const AstarSearch *search)
{
    const AstarGoal *goal = &search->goal;
    return goal->kind == ASTAR_GOAL_CELL && !goal->tracks &&
           !search->finder->costs.heuristic.euclidean && goal->estimate == NULL &&
           search->own.weight == 1 && search->own.active.count == 0 &&
           !astar_finder_has_callbacks(search->finder);
}

// Returns true if canonical ordering may leave steps out. 'met' are needs of the query that the
// caller fulfils itself. The options about bends do not matter here, because bends are counted by a
// later search.
static bool may_leave_out(const AstarFinder *finder, AstarNeeds met)
{
    met |= astar_need_if(true, ASTAR_NEED_BEND_COST) | astar_need_if(true, ASTAR_NEED_BENDS);
    return astar_honours(ASTAR_PRUNING, astar_finder_needs(finder) & ~met);
}

bool astar_best_first_goes_to_cell(const AstarSearch *search)
{
    return goes_to_cell(search) && search->finder->grid->shape->has_corners &&
           may_leave_out(search->finder, 0);
}

// Returns which steps the search is to follow. search_grid() itself handles hexagons and a field to
// avoid.
static AstarExpansion expansion_for(const AstarSearch *search)
{
    const bool are_hexagons = search->finder->grid->shape->by_halves;
    AstarNeeds known = astar_need_if(true, ASTAR_NEED_AVOID) |
                       astar_need_if(are_hexagons, ASTAR_NEED_SIDES);
    if (astar_goal_is_of_many(&search->goal))
        return ASTAR_EXPAND_ALL;
    if (goes_to_cell(search) && search->core.coarser == 0 && may_leave_out(search->finder, known))
        return ASTAR_EXPAND_TO_CELL;
    return may_leave_out(search->finder, 0) ? ASTAR_EXPAND_CANONICAL : ASTAR_EXPAND_ALL;
}

// Returns the lowest cost above 0 of a link, INFINITY if no link has one.
static double least_link_cost(const AstarSearch *search)
{
    const AstarLinksAndWalls *links = search->grid->links_and_walls;
    const AstarArc *arc;
    double least = INFINITY;
    for (uint32_t i = 0; (arc = astar_arc_at(&links->arcs, i)) != NULL; i++)
        if (arc->cost > 0 && arc->cost < least)
            least = arc->cost;
    return least;
}

// Returns the exponent of the largest power of two that is at most 'number'; 0 for 0.
static unsigned exponent_of(uint64_t number)
{
    return number > 0 ? (unsigned)astar_highest_bit(number) : 0;
}

// Returns the bitmap of the cells that can be entered if the search marks the nodes of all others,
// otherwise NULL.
static const AstarBits *walkable_if_known(const AstarSearch *search)
{
    return search->own.best_first.expansion == ASTAR_EXPAND_TO_CELL
               ? &search->finder->on.walkable->bits
               : NULL;
}

void astar_best_first_take_in(AstarSearch *search, const AstarEdit *area)
{
    // A search over cells and headings has other nodes. The nodes of cells, and the expansion, are
    // then those of an earlier query, perhaps of another grid.
    if (astar_goes_over_states(search))
        return;
    const AstarBits *walkable = walkable_if_known(search);
    for (int y = area->y; walkable != NULL && y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            astar_nodes_put_walkable(&search->core.nodes, x, y, astar_bits_get(walkable, x, y));
}

// Puts the start on the open list and chooses the width of its buckets. If all step costs are
// multiples of one large number, each bucket holds one value of f. Otherwise a bucket spans a
// fraction of the cheapest step's cost, and its entries differ in f. A search for one cell takes
// these entries unsorted and opens cells again; for any other search the open list sorts them. With
// a field to avoid, buckets of 1/8 of the cheapest step took up to 25 % less time than buckets of
// 1/64, at no more expansions.
static AstarStatus plant_tree(AstarSearch *search)
{
    enum { SLOTS = 64, FEWEST_SLOTS = 8, MOST_SLOTS = 1 << 14, UNKNOWN_SPAN = 1 << 12 };
    const AstarFinder *finder = search->finder;
    const AstarAllocator *allocator = &search->allocator;
    const AstarExpansion expansion = search->own.best_first.expansion;
    AstarCore *core = &search->core;
    const bool to_cell = expansion == ASTAR_EXPAND_TO_CELL;
    const AstarHeuristic *heuristic = &finder->costs.heuristic;
    int x = search->start_x, y = search->start_y;
    core->along = whole_estimate(core, heuristic->along);
    core->across = whole_estimate(core, heuristic->across);
    core->limit = astar_whole_cost(search->limit, core->per_unit);
    core->limit = core->limit < ASTAR_MOST_COST ? core->limit : ASTAR_MOST_COST;
    core->best = UINT64_MAX;
    core->held = 0;
    core->overflowed = core->is_cut = false;
    bool is_known = !astar_finder_has_callbacks(finder) && finder->options.avoid == NULL &&
                    !search->own.linked && core->coarser == 0 && finder->costs.divisor > 0;
    uint64_t span = is_known ? 2 * finder->costs.costliest : 0,
             step = exponent_of(astar_whole_cost(finder->min_cost, core->per_unit));
    unsigned shift = step > exponent_of(SLOTS) ? (unsigned)step - exponent_of(SLOTS) : 0;
    bool is_single = is_known && search->own.weight == 1 && !heuristic->euclidean &&
                     search->goal.estimate == NULL && search->own.active.count == 0 &&
                     search->goal.near_cost == 0 &&
                     span >> exponent_of(finder->costs.divisor) < MOST_SLOTS;
    if (is_single && exponent_of(finder->costs.divisor) > shift)
        shift = exponent_of(finder->costs.divisor);
    else
        is_single = false;
    for (unsigned wider = exponent_of(SLOTS / FEWEST_SLOTS);
         to_cell && !is_single && wider > 0 &&
         (span >> shift >= MOST_SLOTS || finder->options.avoid != NULL);
         wider--)
        shift++;
    if (!is_known)
        span = (uint64_t)UNKNOWN_SPAN << shift;
    core->ends_at_goal = is_single;
    if (!astar_nodes_begin(&core->nodes, allocator, search->grid->width, search->grid->height))
        return ASTAR_NO_MEMORY;
    double h = to_cell ? astar_walk_estimate(search, false, x, y) : 0;
    core->drains = search->goal.kind == ASTAR_GOAL_CELL && !search->goal.tracks &&
                   search->own.weight == 1;
    bool sorts = !is_single && !core->drains;
    if (!astar_lifo_begin(&core->open, allocator, shift, span, whole_estimate(core, h), sorts))
        return ASTAR_NO_MEMORY;
    const AstarBits *walkable = walkable_if_known(search);
    AstarNodePage *page = astar_nodes_page_for(&core->nodes, allocator, walkable, x, y),
                  *end = page;
    if (page != NULL && to_cell)
        end = astar_nodes_page_for(&core->nodes, allocator, walkable, search->goal.x,
                                   search->goal.y);
    if (page == NULL || end == NULL)
        return ASTAR_NO_MEMORY;
    page->nodes[astar_page_place(x, y)] = ASTAR_FROM_NOWHERE;
    core->goal = astar_node_name(end, astar_page_place(search->goal.x, search->goal.y));
    uint64_t start = astar_node_name(page, astar_page_place(x, y));
    if (to_cell)
        core->held = start;
    else
        astar_lifo_push(&core->open, whole_estimate(core, h), start);
    search->front.current = ASTAR_NO_CELL;
    search->own.cut.count = 0;
    search->own.cut.are_noted = astar_finder_has_callbacks(finder) ||
                                search->goal.kind == ASTAR_GOAL_TEST;
    return ASTAR_OK;
}

// Starts a search whose unit is 2^coarser times as large as that of the finder.
static AstarStatus begin_in_units(AstarSearch *search, unsigned coarser)
{
    const AstarOptions *options = &search->finder->options;
    AstarCore *core = &search->core;
    bool is_exact = search->own.weight == 1;
    search->found = ASTAR_NO_CELL;
    if (search->algorithm == ASTAR_ASTAR && !astar_goal_is_of_many(&search->goal))
        search->goal.estimate = options->estimate;
    if (astar_notes_steps(search) && !astar_pages_begin(&search->own.step_costs, &search->allocator,
                                                        search->grid->width, search->grid->height))
        return ASTAR_NO_MEMORY;
    core->coarser = coarser;
    core->unit = search->finder->costs.unit;
    if (core->unit == 0)
        core->unit = astar_finder_exact_unit(search->finder);
    if (search->own.linked)
        core->unit = astar_unit_with(core->unit, least_link_cost(search));
    if (coarser > 0)
        core->unit = ldexp(core->unit, (int)coarser);
    core->per_unit = 1 / core->unit;
    search->own.best_first.arrivals = search->finder->arrivals[is_exact];
    search->own.best_first.reopens = is_exact || options->estimate != NULL ||
                                     astar_active_landmarks_are_uneven(&search->own.active);
    search->own.best_first.expansion = expansion_for(search);
    return plant_tree(search);
}

AstarStatus astar_best_first_begin(AstarSearch *search)
{
    astar_roads_update(search->finder); // its changes are counted from now on, see search_life.c
    return begin_in_units(search, 0);
}

// Ends a search whose open list is empty. If costs have grown beyond what nodes can hold, it
// restarts the search with a larger unit and returns ASTAR_RUNNING.
static AstarStatus end_or_begin_again(AstarSearch *search)
{
    enum { COARSER_BY = 8 };
    AstarCore *core = &search->core;
    bool is_limited = search->limit * core->per_unit < 0x1p57;
    core->overflowed |= core->is_cut && !is_limited;
    if (core->overflowed && search->found == ASTAR_NO_CELL) {
        search->goal.nearest = ASTAR_NO_CELL; // the restarted search has reached no cell yet
        return begin_in_units(search, core->coarser + COARSER_BY) == ASTAR_OK ? ASTAR_RUNNING
                                                                              : ASTAR_NO_MEMORY;
    }
    if (core->is_cut)
        search->failure = ASTAR_MAX_COST;
    return astar_search_exhausted(search);
}

// ------------------------------------------------------------------------------------------------
// The loop of a search for one cell of a grid without callbacks. The compiler makes a copy of it
// for each kind of steps and each kind of costs.
// ------------------------------------------------------------------------------------------------

// The memory position of a neighbour: the index of its page among the 3 x 3 pages around the cell's
// page, row by row, and its index within that page.
typedef struct GridNeighbour {
    uint8_t page, place;
} GridNeighbour;

// The eight neighbours of each cell of a page, in the order of 'step_order'.
#define NEIGHBOUR(place, dx, dy)                                                                   \
    {                                                                                              \
        ((place) / 8 + 8 + (dy)) / 8 * 3 + ((place) % 8 + 8 + (dx)) / 8,                           \
            ((place) / 8 + 8 + (dy)) % 8 * 8 + ((place) % 8 + 8 + (dx)) % 8                        \
    }
#define NEIGHBOURS(place)                                                                          \
    {                                                                                              \
        NEIGHBOUR(place, 1, 0), NEIGHBOUR(place, -1, 0), NEIGHBOUR(place, 0, -1),                  \
            NEIGHBOUR(place, 0, 1), NEIGHBOUR(place, 1, -1), NEIGHBOUR(place, 1, 1),               \
            NEIGHBOUR(place, -1, 1), NEIGHBOUR(place, -1, -1)                                      \
    }
#define NEIGHBOURS_OF_ROW(p)                                                                       \
    NEIGHBOURS(p), NEIGHBOURS(p + 1), NEIGHBOURS(p + 2), NEIGHBOURS(p + 3), NEIGHBOURS(p + 4),     \
        NEIGHBOURS(p + 5), NEIGHBOURS(p + 6), NEIGHBOURS(p + 7)
static const GridNeighbour neighbours[ASTAR_PAGE_CELLS][ASTAR_DIRECTIONS] = {
    NEIGHBOURS_OF_ROW(0),  NEIGHBOURS_OF_ROW(8),  NEIGHBOURS_OF_ROW(16), NEIGHBOURS_OF_ROW(24),
    NEIGHBOURS_OF_ROW(32), NEIGHBOURS_OF_ROW(40), NEIGHBOURS_OF_ROW(48), NEIGHBOURS_OF_ROW(56),
};

// For each cell of a page, the adjacent pages that contain neighbours of the cell, as a set of
// directions. The arguments of the macro are the sets for the first, a middle and the last column
// of a row.
#define BEYOND_OF_ROW(west, amid, east) west, amid, amid, amid, amid, amid, amid, east
static const uint8_t beyond_page[ASTAR_PAGE_CELLS] = {
    BEYOND_OF_ROW(0xC1, 0x01, 0x07), BEYOND_OF_ROW(0x40, 0x00, 0x04),
    BEYOND_OF_ROW(0x40, 0x00, 0x04), BEYOND_OF_ROW(0x40, 0x00, 0x04),
    BEYOND_OF_ROW(0x40, 0x00, 0x04), BEYOND_OF_ROW(0x40, 0x00, 0x04),
    BEYOND_OF_ROW(0x40, 0x00, 0x04), BEYOND_OF_ROW(0x70, 0x10, 0x1C),
};

// The kind of steps out of a cell: 4 straight ones on squares, 8 on squares, or 6 on hexagons.
typedef enum GridKind { GRID_FOUR, GRID_EIGHT, GRID_HEXAGONS } GridKind;

// The data that decide the cost of a cell: one cost for all, the terrain, or terrain and a field.
typedef enum GridCosts { GRID_ONE_COST, GRID_BY_GROUND, GRID_BY_FIELD } GridCosts;

// A field to avoid. The search computes the cost of each step from the field when it needs it. A
// table of costs for all cells would take more memory than the map, and the field may change before
// every query.
typedef struct GridField {
    const float *values; // value of the field in each cell
    const double *cells; // cost of a cell by its terrain, without the field
    double weight;       // the finder's 'avoid_weight'
    double per_unit;     // number of units in a cost of 1
    double shift;  // number that, added to a cost, rounds it to a whole unit, see astar_round()
    double most;   // lowest cost that adding 'shift' would round too coarsely
    uint64_t zero; // the value of whole_beyond_zero() for a cost of 0
} GridField;

// The estimate of roads.h, for one goal. On a map without such an estimate 'far' is NULL.
typedef struct GridRoads {
    const float *far; // the field of AstarRoads
    double costlier;  // the cost of costly ground, in units of the cheapest ground
    double per_cell;  // excess of the cost of costly ground per length, in units
    double fixed;     // the length in the estimate that is the same for all cells
} GridRoads;

// The state of an expansion in search_grid().
typedef struct GridExpansion {
    AstarNodePage *page;             // page of the cell being expanded
    const GridNeighbour *neighbours; // positions of the cell's neighbours
    uint64_t g;                      // g of the cell, with all bits of the state set
    int dx, dy;    // vector from the goal to the cell; for hexagons in units of AstarMiddle
    uint64_t held; // the newest entry of the current bucket, not stacked yet; 0 for none
    uint64_t along, across, limit; // copies of the fields of AstarCore
    // Copies of fields of the open list. Without the copies the compiler would have to read the
    // fields again after each write.
    uint64_t bucket; // number of the current bucket
    size_t size;     // number of buckets in the ring
    unsigned shift;  // binary logarithm of a bucket's width in f
    GridRoads roads; // a better estimate, on a map with some cheap ground
} GridExpansion;

// The steps out of a cell, in the order of 'step_order'. On hexagons there are two sets of steps,
// one for each phase.
typedef struct GridSteps {
    // Movement of each step, in the units of dx and dy of GridExpansion.
    int8_t dx[ASTAR_DIRECTIONS], dy[ASTAR_DIRECTIONS];
    uint8_t earlier; // on hexagons: set of the steps that are relaxed before the others
    double lengths[ASTAR_DIRECTIONS];
    ptrdiff_t offsets[ASTAR_DIRECTIONS];     // distance in cell numbers to each neighbour
    const uint64_t *costs[ASTAR_DIRECTIONS]; // cost of each step by the terrain that it enters
} GridSteps;

// Returns the node of the cell that step i leads to.
ASTAR_SPECIALIZE uint64_t *neighbour(const GridExpansion *at, int i)
{
    return &at->page->near[at->neighbours[i].page]->nodes[at->neighbours[i].place];
}

// Returns the estimate of the remaining cost for a cell at (dx, dy) from the goal.
ASTAR_SPECIALIZE uint64_t remaining(const GridExpansion *at, GridKind kind, int dx, int dy)
{
    uint64_t columns = (uint64_t)abs(dx), rows = (uint64_t)abs(dy);
    if (kind == GRID_FOUR)
        return at->along * (columns + rows);
    uint64_t greater = columns > rows ? columns : rows;
    if (kind == GRID_HEXAGONS) // by halves along lines, as astar_grid_steps() counts
        return at->along * ((greater + rows) / 2);
    return at->along * greater + at->across * (columns + rows - greater);
}

// Returns the estimate of the remaining cost for the cell that step number i leads to.
ASTAR_SPECIALIZE uint64_t remaining_after(const GridExpansion *at, const GridSteps *steps,
                                          GridKind kind, int i)
{
    int dx = kind == GRID_HEXAGONS ? steps->dx[i] : order_dx[i];
    int dy = kind == GRID_HEXAGONS ? steps->dy[i] : order_dy[i];
    return remaining(at, kind, at->dx + dx, at->dy + dy);
}

// Returns a cost that is given as a real number of units, rounded down, or ASTAR_MOST_COST.
static inline uint64_t whole_or_most(double cost)
{
    return cost < ASTAR_MOST_COST ? (uint64_t)cost : ASTAR_MOST_COST;
}

// Returns the estimate for a cell of a page. 'h' is the estimate of the cell by the cheapest
// ground.
static inline uint64_t estimate_by_roads(const GridRoads *roads, uint32_t page, uint64_t h)
{
    double length = (double)roads->far[page] + roads->fixed;
    uint64_t all_costly = whole_or_most((double)h * roads->costlier);
    if (length <= 0)
        return h;
    uint64_t by_road = h + whole_or_most(length * roads->per_cell);
    return by_road < all_costly ? by_road : all_costly;
}

// Opens the node that step i leads to: stores its cost g and adds it to the open list at f = g + h.
ASTAR_SPECIALIZE void open_neighbour(AstarCore *core, GridExpansion *at, int i, uint64_t g,
                                     uint64_t h)
{
    AstarLifoQueue *open = &core->open;
    AstarNodePage *page = at->page->near[at->neighbours[i].page];
    if (at->roads.far != NULL)
        h = estimate_by_roads(&at->roads, page->block, h);
    uint64_t f = g + h;
    if (f > at->limit) {
        core->is_cut |= core->best == UINT64_MAX;
        return;
    }
    page->nodes[at->neighbours[i].place] = g | step_order[i];
    uint64_t name = astar_node_name(page, at->neighbours[i].place);
    uint64_t bucket = f >> at->shift;
    if (bucket <= at->bucket) { // this node is expanded next; the node held before is stacked
        uint64_t older = at->held;
        at->held = name;
        if (older == 0)
            return;
        name = older;
        bucket = at->bucket;
    }
    if (bucket - at->bucket < at->size)
        astar_lifo_stack(open, (size_t)bucket & (at->size - 1), f, name);
    else
        astar_lifo_push_aside(open, bucket, (AstarEntry){f, name});
}

// Relaxes one of four steps. 'h' is the estimate of the cell being expanded, which a step that
// leads 'nearer' to the goal decreases.
ASTAR_SPECIALIZE void relax_straight(AstarCore *core, GridExpansion *at, int i, uint64_t cost,
                                     bool nearer, uint64_t h)
{
    if (at->g + cost < *neighbour(at, i))
        open_neighbour(core, at, i, (at->g + cost) & ~(uint64_t)ASTAR_STATE_MASK,
                       nearer ? h - at->along : h + at->along);
}

// Relaxes the four steps out of a cell if all its neighbours cost the same. No test for blocked
// cells, the parent and closed cells is needed: the g stored in their nodes is not greater than
// the new one.
ASTAR_SPECIALIZE void relax_four_alike(AstarCore *core, GridExpansion *at, uint64_t cost)
{
    const uint64_t h = remaining(at, GRID_FOUR, at->dx, at->dy);
    relax_straight(core, at, 0, cost, at->dx < 0, h);
    relax_straight(core, at, 1, cost, at->dx > 0, h);
    relax_straight(core, at, 2, cost, at->dy > 0, h);
    relax_straight(core, at, 3, cost, at->dy < 0, h);
}

// Relaxes the four steps out of a cell whose neighbours have different costs. The steps that give a
// cheaper path are collected as a set first. The processor then has to predict one loop only,
// instead of a branch for each neighbour.
ASTAR_SPECIALIZE void relax_four_mixed(AstarCore *core, GridExpansion *at, const uint64_t costs[4])
{
    unsigned better = (unsigned)(at->g + costs[0] < *neighbour(at, 0));
    better |= (unsigned)(at->g + costs[1] < *neighbour(at, 1)) << 1;
    better |= (unsigned)(at->g + costs[2] < *neighbour(at, 2)) << 2;
    better |= (unsigned)(at->g + costs[3] < *neighbour(at, 3)) << 3;
    const uint64_t h = remaining(at, GRID_FOUR, at->dx, at->dy);
    const unsigned nearer = (unsigned)(at->dx < 0) | (unsigned)(at->dx > 0) << 1 |
                            (unsigned)(at->dy > 0) << 2 | (unsigned)(at->dy < 0) << 3;
    for (; better != 0; better &= better - 1) {
        int i = astar_lowest_bit(better);
        open_neighbour(core, at, i, (at->g + costs[i]) & ~(uint64_t)ASTAR_STATE_MASK,
                       nearer >> i & 1 ? h - at->along : h + at->along);
    }
}

// Reads the terrain of the four neighbours of a cell. For neighbours outside the map, which no step
// enters, it returns the cell's own terrain. 'amid' is true if the cell is not in the first or last
// row.
ASTAR_SPECIALIZE void read_four_grounds(const AstarGrid *grid, int x, int y, bool amid,
                                        const uint8_t *here, uint8_t ground[4])
{
    const ptrdiff_t width = grid->width;
    ground[0] = amid || x + 1 < grid->width ? here[1] : *here;
    ground[1] = amid || x > 0 ? here[-1] : *here;
    ground[2] = amid || y > 0 ? here[-width] : *here;
    ground[3] = amid || y + 1 < grid->height ? here[width] : *here;
}

// Returns true if the eight cells around a cell have its terrain. The cell must not be in the first
// or last row.
ASTAR_SPECIALIZE bool is_ground_alike(const uint8_t *here, ptrdiff_t width)
{
    static const uint8_t three[4] = {0xFF, 0xFF, 0xFF, 0};
    uint32_t north, middle, south, mask, own = here[0] * UINT32_C(0x01010101);
    memcpy(&north, here - width - 1, sizeof north);
    memcpy(&middle, here - 1, sizeof middle);
    memcpy(&south, here + width - 1, sizeof south);
    memcpy(&mask, three, sizeof mask);
    return (((north ^ own) | (middle ^ own) | (south ^ own)) & mask) == 0;
}

// Returns true if the field has the same value in a cell and in the eight cells around it. The cell
// must not be in the first or last row. Several values are compared before the first branch. The
// branch nearly always has the same result, even in a field of random values, so the processor
// predicts it well.
ASTAR_SPECIALIZE bool is_field_alike(const float *here, ptrdiff_t width)
{
    uint32_t bits;
    uint64_t west, east, north_west, north_east, south_west, south_east;
    memcpy(&bits, here, sizeof bits);
    const uint64_t own = bits * UINT64_C(0x100000001);
    memcpy(&west, here - 1, sizeof west);
    memcpy(&east, here, sizeof east);
    memcpy(&north_east, here - width, sizeof north_east);
    if (((west ^ own) | (east ^ own) | (north_east ^ own)) != 0)
        return false;
    memcpy(&north_west, here - width - 1, sizeof north_west);
    memcpy(&south_west, here + width - 1, sizeof south_west);
    memcpy(&south_east, here + width, sizeof south_east);
    return ((north_west ^ own) | (south_west ^ own) | (south_east ^ own)) == 0;
}

// Returns the cost of entering a cell by a step of length 1, equal to astar_finder_cell_cost().
// 'value' is the value of the field in the cell.
ASTAR_SPECIALIZE double cell_cost(const GridField *field, uint8_t ground, float value)
{
    const double least = field->cells[ground];
    double cost = least + field->weight * (double)value;
    return cost > least ? cost : least; // values below 0 count as 0
}

// Returns the cost of step i out of cell number 'cell'. 'here' points to the terrain of this cell.
ASTAR_SPECIALIZE double cost_by_field(const GridField *field, const GridSteps *steps, int i,
                                      const uint8_t *here, size_t cell, GridKind kind)
{
    const ptrdiff_t offset = steps->offsets[i];
    double cost = cell_cost(field, here[offset], field->values[cell + (size_t)offset]);
    return kind == GRID_EIGHT ? cost * steps->lengths[i] : cost;
}

// If a result of whole_beyond_zero(), minus 'zero', is this number or more, it may be wrong.
#define GRID_TOO_GREAT (UINT64_C(1) << (51 + ASTAR_STATE_BITS))

// Returns a cost below 'most', rounded to the nearest whole unit, plus 'zero': after 'shift' was
// added, the lowest bits of the floating-point number hold this whole number. For a greater cost
// the result, minus 'zero', is GRID_TOO_GREAT or more but does not exceed the true value.
ASTAR_SPECIALIZE uint64_t whole_beyond_zero(const GridField *field, double cost)
{
    double sum = cost + field->shift;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits << ASTAR_STATE_BITS;
}

// Returns any cost rounded to the nearest whole unit. The result equals astar_whole_cost() of a
// cost rounded by astar_finder_round().
ASTAR_SPECIALIZE uint64_t whole_of(const GridField *field, double cost)
{
    return cost < field->most ? whole_beyond_zero(field, cost) - field->zero
                              : astar_whole_cost(cost, field->per_unit);
}

// Opens the nodes that the steps 'better' lead to. 'sums' are their new costs g, in which bits of
// the state may be set. Canonical ordering keeps, of equal routes between two hexagons, the one
// that ends with steps over the better sides, see canonical.h. Steps over the other sides must
// therefore be added to the open list last.
ASTAR_SPECIALIZE void open_better(AstarCore *core, GridExpansion *at, const GridSteps *steps,
                                  unsigned better, const uint64_t sums[ASTAR_DIRECTIONS],
                                  GridKind kind)
{
    unsigned later = kind == GRID_HEXAGONS ? better & ~(unsigned)steps->earlier : 0;
    better &= ~later;
    for (; (better | later) != 0; better &= better - 1) {
        if (better == 0) {
            better = later;
            later = 0;
        }
        int i = astar_lowest_bit(better);
        open_neighbour(core, at, i, sums[i] & ~(uint64_t)ASTAR_STATE_MASK,
                       remaining_after(at, steps, kind, i));
    }
}

// Relaxes the steps 'wanted' out of a square cell whose neighbours all have the same cost.
ASTAR_SPECIALIZE void relax_eight_alike(AstarCore *core, GridExpansion *at, unsigned wanted,
                                        const GridSteps *steps, uint64_t straight,
                                        uint64_t diagonal)
{
    for (; wanted != 0; wanted &= wanted - 1) {
        int i = astar_lowest_bit(wanted);
        uint64_t sum = at->g + (i < 4 ? straight : diagonal);
        if (sum < *neighbour(at, i))
            open_neighbour(core, at, i, sum & ~(uint64_t)ASTAR_STATE_MASK,
                           remaining_after(at, steps, GRID_EIGHT, i));
    }
}

// Relaxes the steps 'wanted' out of a hexagon whose neighbours all have the same cost.
ASTAR_SPECIALIZE void relax_six_alike(AstarCore *core, GridExpansion *at, unsigned wanted,
                                      const GridSteps *steps, uint64_t cost)
{
    const uint64_t sum = at->g + cost;
    uint64_t sums[ASTAR_DIRECTIONS];
    unsigned better = 0;
    for (; wanted != 0; wanted &= wanted - 1) {
        int i = astar_lowest_bit(wanted);
        sums[i] = sum;
        better |= (unsigned)(sum < *neighbour(at, i)) << i;
    }
    open_better(core, at, steps, better, sums, GRID_HEXAGONS);
}

// Relaxes the steps 'wanted' out of a cell whose neighbours have different costs. The steps that
// give a cheaper path are collected as a set first. The processor then has to predict one loop
// only, instead of a branch for each neighbour.
ASTAR_SPECIALIZE void relax_mixed(AstarCore *core, GridExpansion *at, unsigned wanted,
                                  const GridSteps *steps, const uint8_t *here, GridKind kind)
{
    uint64_t sums[ASTAR_DIRECTIONS];
    unsigned better = 0;
    for (; wanted != 0; wanted &= wanted - 1) {
        int i = astar_lowest_bit(wanted);
        sums[i] = at->g + steps->costs[i][here[steps->offsets[i]]];
        better |= (unsigned)(sums[i] < *neighbour(at, i)) << i;
    }
    open_better(core, at, steps, better, sums, kind);
}

// Relaxes the steps 'wanted' out of a cell, with a field to avoid. Costs that whole_beyond_zero()
// cannot round are computed again by whole_of().
ASTAR_SPECIALIZE void relax_in_field(AstarCore *core, GridExpansion *at, unsigned wanted,
                                     const GridSteps *steps, const uint8_t *here,
                                     const GridField *field, size_t cell, GridKind kind)
{
    const uint64_t g = at->g - field->zero;
    uint64_t sums[ASTAR_DIRECTIONS];
    unsigned better = 0, great = 0;
    for (; wanted != 0; wanted &= wanted - 1) {
        int i = astar_lowest_bit(wanted);
        sums[i] = g + whole_beyond_zero(field, cost_by_field(field, steps, i, here, cell, kind));
        better |= (unsigned)(sums[i] < *neighbour(at, i)) << i;
    }
    for (unsigned rest = better; rest != 0; rest &= rest - 1) {
        int i = astar_lowest_bit(rest);
        if (sums[i] - at->g >= GRID_TOO_GREAT)
            great |= 1u << i;
    }
    for (; great != 0; great &= great - 1) {
        int i = astar_lowest_bit(great);
        sums[i] = at->g + whole_of(field, cost_by_field(field, steps, i, here, cell, kind));
        if (sums[i] >= *neighbour(at, i))
            better &= ~(1u << i);
    }
    open_better(core, at, steps, better, sums, kind);
}

// Relaxes the four steps out of a cell of a map with several terrain costs. 'amid' is true if the
// cell is not in the first or last row.
//
// With 'patchy', a cell whose neighbours all have its terrain is relaxed by relax_four_alike(),
// which is faster. On a map of large patches of two costs this saves 15 % of the time. If most
// cells have mixed neighbours, the processor cannot predict the branch: on random terrain of two
// costs, short searches took 8 % longer. Therefore 'patchy' is set only for maps of large patches.
ASTAR_SPECIALIZE void relax_four(AstarCore *core, GridExpansion *at, const uint64_t *costs,
                                 const AstarGrid *grid, int x, int y, bool amid, bool patchy,
                                 const uint8_t *here)
{
    uint8_t around[4];
    read_four_grounds(grid, x, y, amid, here, around);
    if (patchy && ((around[0] ^ *here) | (around[1] ^ *here) | (around[2] ^ *here) |
                   (around[3] ^ *here)) == 0)
        relax_four_alike(core, at, costs[*here]);
    else
        relax_four_mixed(core, at,
                         (const uint64_t[4]){costs[around[0]], costs[around[1]], costs[around[2]],
                                             costs[around[3]]});
}

// Returns true if the non-uniform cells are known and are at most 1/LEAST_ALIKE of all cells.
static bool is_patchy(const AstarFinder *finder)
{
    enum { LEAST_ALIKE = 5 }; // cells of the map per non-uniform cell, at least
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    return nonuniform != NULL && astar_nonuniform_is_current(nonuniform) &&
           (uint64_t)nonuniform->count * LEAST_ALIKE <= finder->grid->cells;
}

static uint32_t bits_of_value(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Relaxes the four steps out of a cell, with a field to avoid. 'amid' is true if the cell is not in
// the first or last row, and 'cell' is its number. With 'patchy', a cell whose neighbours all have
// its terrain and its value in the field is relaxed by relax_four_alike(). In a field whose values
// change from cell to cell the comparison would nearly always fail.
ASTAR_SPECIALIZE void relax_four_in_field(AstarCore *core, GridExpansion *at, const AstarGrid *grid,
                                          int x, int y, bool amid, bool patchy, const uint8_t *here,
                                          const GridField *field, size_t cell)
{
    const float *value = field->values + cell;
    const float east = value[amid || x + 1 < grid->width ? 1 : 0];
    const float west = value[amid || x > 0 ? -1 : 0];
    const float north = value[amid || y > 0 ? -(ptrdiff_t)grid->width : 0];
    const float south = value[amid || y + 1 < grid->height ? (ptrdiff_t)grid->width : 0];
    const uint32_t own = bits_of_value(*value);
    uint8_t around[4];
    read_four_grounds(grid, x, y, amid, here, around);
    if (patchy && ((bits_of_value(east) ^ own) | (bits_of_value(west) ^ own) |
                   (bits_of_value(north) ^ own) | (bits_of_value(south) ^ own) |
                   (uint32_t)(around[0] ^ *here) | (uint32_t)(around[1] ^ *here) |
                   (uint32_t)(around[2] ^ *here) | (uint32_t)(around[3] ^ *here)) == 0) {
        relax_four_alike(core, at, whole_of(field, cell_cost(field, *here, *value)));
        return;
    }
    const double costs[4] = {cell_cost(field, around[0], east), cell_cost(field, around[1], west),
                             cell_cost(field, around[2], north),
                             cell_cost(field, around[3], south)};
    uint64_t whole[4] = {whole_beyond_zero(field, costs[0]) - field->zero,
                         whole_beyond_zero(field, costs[1]) - field->zero,
                         whole_beyond_zero(field, costs[2]) - field->zero,
                         whole_beyond_zero(field, costs[3]) - field->zero};
    if ((whole[0] | whole[1] | whole[2] | whole[3]) >= GRID_TOO_GREAT)
        for (int i = 0; i < 4; i++)
            whole[i] = whole_of(field, costs[i]);
    relax_four_mixed(core, at, whole);
}

// Takes the newest entry off the current bucket and returns its node. If the bucket is empty,
// returns 0 and makes the next filled bucket the current one; '*status' is set if the search has
// ended.
ASTAR_SPECIALIZE uint64_t take_newest(AstarCore *core, GridExpansion *at, AstarStatus *status)
{
    AstarLifoQueue *open = &core->open;
    size_t slot = (size_t)at->bucket & (at->size - 1);
    if (open->tops[slot] != NULL)
        return astar_lifo_unstack(open, slot).node;
    if (core->best != UINT64_MAX && astar_lifo_is_past(open, core->best))
        *status = ASTAR_OK;
    else if (!astar_lifo_advance(open))
        *status = ASTAR_UNREACHABLE;
    at->bucket = open->current;
    return 0;
}

static void fill_grid_steps(const AstarFinder *finder, unsigned phase, GridSteps *steps)
{
    const AstarShape *shape = finder->grid->shape;
    *steps = (GridSteps){.earlier = 0};
    for (int i = 0; i < ASTAR_DIRECTIONS; i++) {
        const int d = step_order[i], side = shape->sides_of[phase][d];
        if (side == ASTAR_NO_SIDE)
            continue;
        const bool is_diagonal = shape->has_corners && (d & 1) != 0;
        if (!shape->has_corners && astar_side_is_better(shape, side))
            steps->earlier |= (uint8_t)(1u << i);
        steps->dx[i] = shape->along[side];
        steps->dy[i] = shape->across[side];
        steps->offsets[i] = astar_step_offset(finder->grid->width, d);
        steps->lengths[i] = is_diagonal ? finder->options.diagonal_cost : 1;
        steps->costs[i] = finder->costs.whole[is_diagonal];
    }
}

static GridField field_of(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarOptions *options = &finder->options;
    GridField field = {.values = options->avoid->values,
                       .cells = finder->costs.cell,
                       .weight = options->avoid_weight,
                       .per_unit = 1 / finder->costs.unit,
                       .shift = finder->costs.unit * 0x1.8p52,
                       .most = finder->costs.unit * 0x1p51};
    field.zero = whole_beyond_zero(&field, 0);
    return field;
}

// Returns the directions of the steps out of a cell that a best route may need. If the cells around
// it are 'alike' in cost, canonical ordering leaves more of these steps out.
ASTAR_SPECIALIZE unsigned steps_after(const AstarFinder *finder, GridKind kind, unsigned phase,
                                      uint64_t node, bool alike, unsigned free)
{
    if (kind == GRID_HEXAGONS) {
        const AstarSideArrival *arrival = &finder->side_arrivals[phase][astar_node_from(node)];
        free &= finder->grid->shape->around[phase];
        return free & arrival->ahead & ~(alike ? astar_side_order_left_out(arrival, free) : 0);
    }
    const AstarArrival *arrival = &finder->arrivals[1][astar_node_from(node)];
    const unsigned legal = astar_legal_moves(finder->rule, free);
    return alike ? astar_canonical_uniform(arrival, free, legal) : legal & arrival->ahead;
}

// Returns the estimate of roads.h for a search. The walk from the cell to cheap ground is shortened
// by one step, see roads.h. If the walk is shorter than one step, the estimate by the cheapest
// ground is used.
static GridRoads roads_of(AstarSearch *search)
{
    const AstarRoads *roads = astar_roads_update(search->finder);
    const AstarFinder *finder = search->finder;
    if (roads == NULL || search->core.coarser > 0)
        return (GridRoads){.far = NULL};
    double length = astar_roads_length_from(finder, roads, search->goal.x, search->goal.y);
    // Both values are rounded down by more than the rounding error of costs, so that the estimate
    // is admissible.
    const double down = 1 - 0x1p-28;
    double excess = (roads->costly - finder->min_cost) * search->core.per_unit * down;
    return (GridRoads){.far = roads->far,
                       .costlier = roads->costly / finder->min_cost * down,
                       .per_cell = excess * ((uint64_t)1 << ASTAR_STATE_BITS),
                       .fixed = length - roads->diagonal};
}

// Runs the search: takes the best open node, closes it and relaxes the steps out of it, again and
// again. Returns ASTAR_RUNNING if the expansions are used up, ASTAR_UNREACHABLE if the open list is
// empty.
//
// Entries of one bucket are not sorted, so a cell may be closed before its cheapest path is found.
// The cell is opened again when that path is found. When the goal is closed, the search therefore
// continues with the rest of the bucket as long as this may lead to a cheaper route.
ASTAR_SPECIALIZE AstarStatus search_grid(AstarSearch *search, uint64_t expansions, GridKind kind,
                                         GridCosts costs)
{
    AstarCore *core = &search->core;
    const AstarFinder *finder = search->finder;
    const AstarShape *const shape = finder->grid->shape;
    const int goal_x = search->goal.x, goal_y = search->goal.y;
    const AstarMiddle goal_at = astar_middle(shape, goal_x, goal_y);
    const GridField field = costs == GRID_BY_FIELD ? field_of(search) : (GridField){.values = NULL};
    const AstarBits bits = finder->on.walkable->bits;
    const uint8_t *const ground = finder->on.ground;
    const uint32_t width = (uint32_t)finder->grid->width, cells = finder->grid->cells;
    const uint64_t most = search->query.max_expansions;
    const bool patchy = kind == GRID_FOUR && ((costs == GRID_BY_GROUND && is_patchy(finder)) ||
                                              (costs == GRID_BY_FIELD &&
                                               !astar_finder_avoids_rough_field(search->finder)));
    const uint64_t *const straight_costs = finder->costs.whole[0]; // by the ground that is entered
    GridSteps steps[2]; // of each phase; four moves need none
    GridExpansion at = {
        .held = core->held,
        .along = core->along,
        .across = core->across,
        .bucket = core->open.current,
        .size = core->open.size,
        .shift = core->open.shift,
    };
    // A search that counts bends afterwards takes C - h as the least cost to each cell that was not
    // closed (fewest_bends.c, priced_bends.c), where h is the estimate by the cheapest ground.
    if (costs == GRID_BY_GROUND && kind != GRID_HEXAGONS && !search->own.by_rays)
        at.roads = roads_of(search);
    at.limit = core->best < core->limit ? core->best - 1 : core->limit;
    const unsigned phases = kind == GRID_FOUR ? 0 : kind == GRID_EIGHT ? 1 : 2;
    for (unsigned phase = 0; phase < phases; phase++)
        fill_grid_steps(finder, phase, &steps[phase]);
    AstarStatus status = ASTAR_RUNNING;
    const uint64_t goal = core->goal;
    uint64_t best = core->best, expanded = search->expanded;
    int passed = 0;
    while (status == ASTAR_RUNNING && expansions > 0) {
        if (!astar_lifo_reserve(&core->open, &search->allocator)) {
            status = ASTAR_NO_MEMORY;
            break;
        }
        uint64_t name = at.held != 0 ? at.held : take_newest(core, &at, &status);
        at.held = 0;
        if (name == 0)
            continue;
        at.page = astar_node_page(name);
        const unsigned place = astar_node_place(name);
        const uint64_t node = at.page->nodes[place];
        const unsigned column = place % ASTAR_PAGE_SIDE, row = place / ASTAR_PAGE_SIDE;
        const int x = at.page->x + (int)column, y = at.page->y + (int)row;
        const unsigned phase = kind == GRID_HEXAGONS ? astar_phase(shape, x, y) : 0;
        at.dx = x - goal_x;
        at.dy = y - goal_y;
        if (kind == GRID_HEXAGONS) {
            const AstarMiddle middle = astar_middle_by_halves(shape, x, y);
            at.dx = (int)(middle.along - goal_at.along);
            at.dy = (int)(middle.across - goal_at.across);
        }
        if ((node & ASTAR_CLOSED_BIT) != 0 ||
            (best != UINT64_MAX &&
             (node & ~(uint64_t)ASTAR_STATE_MASK) + remaining(&at, kind, at.dx, at.dy) >
                 at.limit)) {
            if (++passed == ASTAR_MOST_PASSED) {
                passed = 0;
                expansions--;
            }
            continue;
        }
        if (name == goal) {
            at.page->nodes[place] = node | ASTAR_CLOSED_BIT;
            best = core->best = node & ~(uint64_t)ASTAR_STATE_MASK;
            at.limit = best - 1;
            if (core->ends_at_goal || best == best >> at.shift << at.shift)
                status = ASTAR_OK;
            continue;
        }
        const unsigned directions = kind == GRID_FOUR    ? ASTAR_STRAIGHTS
                                    : kind == GRID_EIGHT ? 0xFF
                                                         : shape->around[phase];
        unsigned missing = beyond_page[place] & directions & ~at.page->linked;
        if (expanded == most)
            status = ASTAR_MAX_EXPANSIONS;
        else if (missing != 0 &&
                 !astar_nodes_link(&core->nodes, &search->allocator, &bits, at.page, missing))
            status = ASTAR_NO_MEMORY;
        if (status != ASTAR_RUNNING) {
            at.held = name;
            break;
        }
        at.page->nodes[place] = node | ASTAR_CLOSED_BIT;
        at.g = node | ASTAR_STATE_MASK;
        at.neighbours = neighbours[place];
        const uint32_t cell = at.page->cell + row * width + column;
        const uint8_t *here = ground + cell;
        const bool amid = cell - width < cells - 2 * width; // a lower row wraps to a large number
        const GridSteps *out = &steps[phase];
        if (kind == GRID_FOUR && costs == GRID_ONE_COST) {
            relax_four_alike(core, &at, straight_costs[*here]);
        } else if (kind == GRID_FOUR && costs == GRID_BY_FIELD && !amid) {
            relax_four_in_field(core, &at, finder->grid, x, y, false, patchy, here, &field, cell);
        } else if (kind == GRID_FOUR && costs == GRID_BY_FIELD) {
            relax_four_in_field(core, &at, finder->grid, x, y, true, patchy, here, &field, cell);
        } else if (kind == GRID_FOUR && amid) {
            relax_four(core, &at, straight_costs, finder->grid, x, y, true, patchy, here);
        } else if (kind == GRID_FOUR) {
            relax_four(core, &at, straight_costs, finder->grid, x, y, false, patchy, here);
        } else {
            const bool alike = costs == GRID_ONE_COST ||
                               (cell > width && cell + width + 2 < cells &&
                                ((costs == GRID_BY_FIELD && finder->is_uniform) ||
                                 is_ground_alike(here, (ptrdiff_t)width)) &&
                                (costs == GRID_BY_GROUND ||
                                 is_field_alike(field.values + cell, (ptrdiff_t)width)));
            const unsigned wanted = in_order[steps_after(finder, kind, phase, node, alike,
                                                         astar_bits_around(&bits, x, y))];
            uint64_t straight = 0, diagonal = 0;
            if (alike && costs == GRID_BY_FIELD) {
                const double cost = cell_cost(&field, *here, field.values[cell]);
                straight = whole_of(&field, cost);
                diagonal = whole_of(&field, cost * out->lengths[4]);
            } else if (alike) {
                straight = finder->costs.whole[0][*here];
                diagonal = finder->costs.whole[1][*here];
            }
            if (alike && kind == GRID_HEXAGONS) {
                relax_six_alike(core, &at, wanted, out, straight);
            } else if (alike) {
                relax_eight_alike(core, &at, wanted, out, straight, diagonal);
            } else if (costs == GRID_BY_FIELD) {
                relax_in_field(core, &at, wanted, out, here, &field, cell, kind);
            } else {
                relax_mixed(core, &at, wanted, out, here, kind);
            }
        }
        expanded++;
        expansions--;
    }
    core->held = at.held;
    search->expanded = expanded;
    return status;
}

// Defines a function that chooses the search loop by the kind of costs.
#define SEARCH_KIND(name, kind)                                                                    \
    ASTAR_ONCE AstarStatus name(AstarSearch *search, uint64_t expansions)                          \
    {                                                                                              \
        if (search->finder->options.avoid != NULL)                                                 \
            return search_grid(search, expansions, kind, GRID_BY_FIELD);                           \
        return search->finder->is_uniform ? search_grid(search, expansions, kind, GRID_ONE_COST)   \
                                          : search_grid(search, expansions, kind, GRID_BY_GROUND); \
    }
SEARCH_KIND(search_four, GRID_FOUR)
SEARCH_KIND(search_eight, GRID_EIGHT)
SEARCH_KIND(search_hexagons, GRID_HEXAGONS)
#undef SEARCH_KIND

static AstarStatus run_to_cell(AstarSearch *search, uint64_t expansions)
{
    const AstarFinder *finder = search->finder;
    AstarStatus status = finder->grid->shape->by_halves ? search_hexagons(search, expansions)
                         : finder->rule->has_diagonals  ? search_eight(search, expansions)
                                                        : search_four(search, expansions);
    if (status == ASTAR_OK)
        search->found = search->goal.cell;
    return status == ASTAR_MAX_EXPANSIONS ? give_up_search(search, status) : status;
}

// ------------------------------------------------------------------------------------------------
// The loop of all other searches.
// ------------------------------------------------------------------------------------------------

// Checks whether a cell that was just closed is a goal. In the most frequent case, the cell is not
// a goal and no function is called.
static inline AstarStatus close_cell(AstarSearch *search, uint32_t cell)
{
    const AstarGoal *goal = &search->goal;
    bool is_no_goal = goal->kind == ASTAR_GOAL_CELL
                          ? cell != goal->cell
                          : goal->kind == ASTAR_GOAL_SET && !astar_goal_set_is_marked(search, cell);
    return is_no_goal && !goal->tracks ? ASTAR_RUNNING : astar_goal_close(search, cell);
}

// Takes the first entry off the open list and returns ASTAR_RUNNING. Returns ASTAR_UNREACHABLE if
// the list is empty, and ASTAR_OK if the remaining entries cannot improve the route to the goal.
static AstarStatus take_first(AstarSearch *search, AstarEntry *entry)
{
    AstarLifoQueue *open = &search->core.open;
    if (open->is_sorting) {
        AstarStatus status = astar_lifo_take_sorted(open, &search->allocator, entry);
        return status == ASTAR_OK        ? ASTAR_RUNNING
               : status == ASTAR_RUNNING ? ASTAR_UNREACHABLE
                                         : status;
    }
    while (open->tops[(size_t)open->current & (open->size - 1)] == NULL) {
        if (search->core.best != UINT64_MAX && astar_lifo_is_past(open, search->core.best)) {
            search->found = search->goal.cell;
            return ASTAR_OK;
        }
        if (!astar_lifo_advance(open))
            return ASTAR_UNREACHABLE;
    }
    *entry = astar_lifo_unstack(open, (size_t)open->current & (open->size - 1));
    return ASTAR_RUNNING;
}

// Takes cells off the open list until a cell has to be expanded, makes it the current cell and
// returns ASTAR_RUNNING. After ASTAR_MOST_PASSED stale entries the function returns ASTAR_RUNNING
// without a current cell. If the open list is not sorted, a search for one cell continues with the
// rest of the bucket after it has found the goal, as search_grid() does. After one of many goals
// was found, the search continues with the goals that may be as cheap.
static AstarStatus take_best(AstarSearch *search)
{
    AstarCore *core = &search->core;
    AstarFront *front = &search->front;
    for (int passed = 0; passed < ASTAR_MOST_PASSED; passed++) {
        AstarEntry entry;
        AstarStatus status = take_first(search, &entry);
        if (status != ASTAR_RUNNING)
            return status;
        AstarNodePage *page = astar_node_page(entry.node);
        unsigned place = astar_node_place(entry.node);
        uint64_t node = page->nodes[place];
        if ((node & ASTAR_CLOSED_BIT) != 0 || entry.f >= core->best)
            continue;
        if (!core->drains && search->found != ASTAR_NO_CELL &&
            (double)(entry.f >> ASTAR_STATE_BITS) * core->unit > search->limit)
            return ASTAR_OK;
        page->nodes[place] = node | ASTAR_CLOSED_BIT;
        front->x = page->x + (int)(place % ASTAR_PAGE_SIDE);
        front->y = page->y + (int)(place / ASTAR_PAGE_SIDE);
        uint32_t cell = astar_cell(search->grid, front->x, front->y);
        if (core->drains && cell == search->goal.cell) {
            core->best = node & ~(uint64_t)ASTAR_STATE_MASK;
            if (!core->ends_at_goal)
                continue;
            search->found = cell;
            return ASTAR_OK;
        }
        status = close_cell(search, cell);
        if (status != ASTAR_RUNNING)
            return status;
        if (search->found != ASTAR_NO_CELL && astar_goal_set_is_past(search, cell))
            continue;
        if (search->expanded == search->query.max_expansions)
            return give_up_search(search, ASTAR_MAX_EXPANSIONS);
        core->g = node & ~(uint64_t)ASTAR_STATE_MASK;
        front->current = cell;
        return ASTAR_RUNNING;
    }
    return ASTAR_RUNNING;
}

// Runs the loop of all searches that run_to_cell() does not serve. take_best returns
// ASTAR_RUNNING if the search goes on and ASTAR_OK if it has ended. expand_best returns ASTAR_OK if
// the search goes on.
static AstarStatus run_generally(AstarSearch *search, uint64_t expansions)
{
    AstarFront *front = &search->front;
    for (; expansions > 0; expansions--) {
        if (!astar_lifo_reserve(&search->core.open, &search->allocator))
            return ASTAR_NO_MEMORY;
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = take_best(search);
            if (status != ASTAR_RUNNING)
                return status;
            if (front->current == ASTAR_NO_CELL)
                continue;
        }
        AstarStatus status = expand_best(search);
        if (status != ASTAR_OK)
            return status;
        search->expanded++;
        front->current = ASTAR_NO_CELL;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions)
{
    const uint64_t before = search->expanded;
    for (;;) {
        uint64_t spent = search->expanded - before;
        uint64_t left = expansions > spent ? expansions - spent : 0;
        AstarStatus status = search->own.best_first.expansion == ASTAR_EXPAND_TO_CELL
                                 ? run_to_cell(search, left)
                                 : run_generally(search, left);
        if (status != ASTAR_UNREACHABLE)
            return status;
        status = end_or_begin_again(search);
        if (status != ASTAR_RUNNING)
            return status;
    }
}

// Returns the number of consecutive steps in direction 'from' that led to a cell. A step over the
// edge of a map that wraps around is counted as a run of its own.
static int steps_of_run(const AstarSearch *search, AstarCell at, int from)
{
    enum { MOST_STEPS = 64 }; // maximum number of steps that are read back at a time
    const AstarNodes *nodes = &search->core.nodes;
    const int dx = astar_dx[from], dy = astar_dy[from];
    int steps = 1;
    for (at.x -= dx, at.y -= dy;
         steps < MOST_STEPS && astar_inside(search->grid, at.x - dx, at.y - dy) &&
         astar_node_from(*astar_nodes_reached(nodes, at.x, at.y)) == from;
         at.x -= dx, at.y -= dy)
        steps++;
    return steps;
}

// Reads back the next cells of the route of search_grid() on squares whose costs depend on terrain
// alone, at most MOST_CELLS in a call. Each page on the route has a pointer to the page before it,
// since astar_nodes_link() sets the pointers of both.
static AstarStatus trace_over_pages(AstarSearch *search, AstarPath *path)
{
    enum { MOST_CELLS = 64 };
    // The index in 'step_order' of the step back, by the direction of the step that led to a cell.
    static const uint8_t back_from[ASTAR_DIRECTIONS] = {3, 6, 1, 7, 2, 4, 0, 5};
    AstarTracing *tracing = &search->stepped.tracing;
    const AstarFinder *finder = search->finder;
    const AstarNodePage *page = astar_nodes_page(&search->core.nodes, tracing->at.x, tracing->at.y);
    const uint8_t *ground = finder->on.ground +
                            astar_cell(search->grid, tracing->at.x, tracing->at.y);
    unsigned place = astar_page_place(tracing->at.x, tracing->at.y);
    int from = astar_node_from(page->nodes[place]), cells = 0;
    int x = tracing->at.x, y = tracing->at.y;
    const ptrdiff_t width = search->grid->width;
    double sums[2] = {tracing->straight, tracing->diagonal};
    AstarStatus status = ASTAR_OK;
    while (from != ASTAR_FROM_NOWHERE && cells < MOST_CELLS && status == ASTAR_OK) {
        const int direction = from, back = back_from[direction];
        const ptrdiff_t step = astar_step_offset((int)width, direction);
        double sum = sums[direction & 1];
        int steps = 0;
        do {
            const GridNeighbour next = neighbours[place][back];
            sum += finder->costs.cell[*ground];
            ground -= step;
            page = page->near[next.page];
            place = next.place;
            from = astar_node_from(page->nodes[place]);
            steps++;
        } while (from == direction && cells + steps < MOST_CELLS);
        sums[direction & 1] = sum;
        x -= steps * astar_dx[direction];
        y -= steps * astar_dy[direction];
        status = cells == 0 ? astar_path_add(path, x, y, steps)
                            : astar_path_add_turned(path, x, y, steps);
        cells += steps;
    }
    tracing->at = (AstarCell){x, y};
    tracing->straight = sums[0];
    tracing->diagonal = sums[1];
    return status == ASTAR_OK && from != ASTAR_FROM_NOWHERE ? ASTAR_RUNNING : status;
}

AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path)
{
    if (search->own.best_first.expansion == ASTAR_EXPAND_TO_CELL &&
        search->grid->shape->has_corners && search->finder->options.avoid == NULL)
        return trace_over_pages(search, path);
    const AstarCell at = search->stepped.tracing.at;
    int from = astar_node_from(*astar_nodes_reached(&search->core.nodes, at.x, at.y)), steps = 1;
    if (from == ASTAR_FROM_NOWHERE)
        return ASTAR_OK;
    if (astar_notes_steps(search))
        search->stepped.tracing.step_costs += astar_pages_value(&search->own.step_costs, at.x,
                                                                at.y);
    else if (from != ASTAR_FROM_LINK && search->grid->shape->has_corners)
        steps = steps_of_run(search, at, from); // on hexagons, directions alternate along a line
    AstarStatus status = from == ASTAR_FROM_LINK ? astar_trace_link(search, path)
                                                 : astar_trace_run(search, from, steps, path);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
