// best_first.c -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an
// estimate.
//
// Costs are whole numbers of a unit, 2^-31 of the cheapest cost (to a power of two); each step's
// cost is rounded to one once. So sums are exact in any order, and equal routes compare equal. A
// number holds 2^25 times the cheapest cost or more. When a search finds that its route costs more
// than that, it begins again with a unit 256 times as large. Half a unit, by which a step may be
// wrong, is then less than a part in 10^15 of the route's cost. A link may be cheaper than all
// ground: then the unit goes by the cheapest link.
//
// There are two loops. search_grid() serves the most frequent query: a route to one cell, without
// callbacks, by four or eight moves or over hexagons, with or without a field to avoid.
// run_generally() serves all other queries and every kind of goal (goal.h). Both make one expansion
// a turn and keep all that they know in the search object, so a search can stop after any expansion
// and continue later. run_generally() remembers the cell that it takes off the open list as the
// current one. If a callback breaks its expansion off, the next call expands the cell again. That
// does no harm: the steps that were already relaxed are found no cheaper.

#include "search/best_first.h"

#include "base/array.h"
#include "finder/costs.h"
#include "layers/irregular.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/active_landmarks.h"
#include "search/estimate.h"
#include "search/trace.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The successors of a cell, one step in each direction.
//
// Three of the eight lead back: to the cell this one was reached from, and to the two cells beside
// it. All three are neighbours of that parent too, reached from it by one straight step at no more
// than the way over here costs, so they are left out. With a step_cost callback steps cost as the
// script likes, and all eight are followed.
// ------------------------------------------------------------------------------------------------

// Fills in all but the cost; field by field, since copying a struct just written stalls.
static void set_neighbour(AstarSuccessor *step, const AstarGrid *grid, uint32_t cell, int x, int y,
                          int d)
{
    step->cell = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
    step->x = x + astar_dx[d];
    step->y = y + astar_dy[d];
    step->direction = (uint8_t)d;
}

// The steps of a finder with callbacks. They may edit the grid, which ends the search, so nothing
// read before a call is used after it.
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
        status = astar_costs_of_step(&search->costs, x, y, d, &step->cost);
        *count += isfinite(step->cost);
    }
    return status;
}

// The steps on a grid with more to it than its ground: a field to avoid makes each cell cost
// something of its own; past a wall the way over another cell may be the only one, so all eight are
// followed. It stands apart so that plain grids do not pay for either.
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
// Nodes: cells that a way was found to.
// ------------------------------------------------------------------------------------------------

// The order in which ways to the neighbours of a cell are noted. Of equal f the newest entry of the
// open list comes first. So of steps that are equally good, and of which canonical ordering leaves
// the others out, a search tries a diagonal step before a straight one and a step along a column
// before one along a row: what canonical ordering leaves out after a step is what comes later here.
enum { EAST = 2, WEST = 6, NORTH = 0, SOUTH = 4 };
static const uint8_t step_order[ASTAR_DIRECTIONS] = {EAST, WEST, NORTH, SOUTH, 1, 3, 5, 7};
// Sets of directions as sets of places in this order: bit i for the step step_order[i].
#define PLACED(set)                                                                                \
    (((set) >> EAST & 1) | ((set) >> WEST & 1) << 1 | ((set) >> NORTH & 1) << 2 |                  \
     ((set) >> SOUTH & 1) << 3 | ((set) >> 1 & 1) << 4 | ((set) >> 3 & 1) << 5 |                   \
     ((set) >> 5 & 1) << 6 | ((set) >> 7 & 1) << 7)
#define PLACED_4(set) PLACED(set), PLACED(set + 1), PLACED(set + 2), PLACED(set + 3)
#define PLACED_16(set) PLACED_4(set), PLACED_4(set + 4), PLACED_4(set + 8), PLACED_4(set + 12)
#define PLACED_64(set) PLACED_16(set), PLACED_16(set + 16), PLACED_16(set + 32), PLACED_16(set + 48)
static const uint8_t in_order[256] = {PLACED_64(0), PLACED_64(64), PLACED_64(128), PLACED_64(192)};
// The columns and rows that these steps lead over.
static const int8_t order_dx[ASTAR_DIRECTIONS] = {1, -1, 0, 0, 1, 1, -1, -1};
static const int8_t order_dy[ASTAR_DIRECTIONS] = {0, 0, -1, 1, -1, 1, 1, -1};

// What a step costs into a cell of that cost.
static inline double step_cost(const AstarFinder *finder, int direction, double cost)
{
    double length = direction & 1 ? finder->options.diagonal_cost : 1;
    return astar_finder_round(finder, cost * length);
}

// Notes what a step costs; false when there is no memory.
static bool note_said_step(AstarSearch *search, const AstarSuccessor *step)
{
    AstarPage *page = astar_page_for(&search->own.said, &search->allocator, step->x, step->y);
    if (page != NULL)
        page->values[astar_page_place(step->x, step->y)] = step->cost;
    return page != NULL;
}

// Notes that a way to a cell is too dear.
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

// Whether every cell that a way was too dear to was reached by a cheaper one.
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

// An estimate in whole numbers, rounded down.
static inline uint64_t whole_estimate(const AstarCore *core, double h)
{
    double units = h * core->per_unit;
    return units < 0x1p57 ? (uint64_t)units << ASTAR_STATE_BITS : ASTAR_MOST_COST;
}

// The estimates of a heuristic function are made larger by this factor. A function that adds up
// lengths of steps knows nothing of what a step is rounded to, half a unit or 2^-32 of its cost. So
// among routes that cost the same, the sums f of the cells nearer to the start come out a little
// less than the cost, and the search would expand all of these cells. By this factor the sums come
// out a little more. The route found costs at most a part in 10^9 more than the cheapest, as
// ASTAR_LENIENCE allows.
#define HOST_STRETCH (1 + 0x1p-30)

// Relaxes a step out of the cell being expanded: notes the way to the cell that the step enters, if
// it is the cheapest yet. The open list has room. 'guided': by an estimate, which Dijkstra's
// algorithm has none of.
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
    double stretch = by_host ? search->question.weight * HOST_STRETCH : search->question.weight;
    astar_lifo_push(&core->open, g + whole_estimate(core, stretch * h),
                    astar_node_name(page, place));
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// Expanders: the steps out of the current cell that a best path may need.
// ------------------------------------------------------------------------------------------------

// The steps out of a cell that a best path may need, by the data.
static unsigned steps_by_data(const AstarSearch *search, uint32_t cell, int x, int y, int from)
{
    const AstarFinder *finder = search->finder;
    const AstarArrival *arrival = &search->own.best_first.arrivals[from];
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y), same = 0;
    unsigned wanted = astar_legal_moves(finder->rule, free) & arrival->ahead;
    if (finder->is_uniform)
        same = free;
    else if (search->question.weight == 1)
        same = astar_canonical_same(finder->on.ground, finder->grid, cell, free);
    return wanted & ~astar_canonical_left_out(arrival, free, same);
}

// The same by the cost callback, and what the cells entered cost.
static AstarStatus steps_by_asking(AstarSearch *search, uint32_t cell, int x, int y, int from,
                                   unsigned *wanted, AstarAround *around)
{
    const AstarArrival *arrival = &search->own.best_first.arrivals[from];
    *wanted = arrival->ahead;
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, false, wanted, around);
    if (status != ASTAR_OK || from == ASTAR_FROM_NOWHERE || search->question.weight > 1)
        return status;
    *wanted &= ~astar_canonical_left_out(arrival, around->known, around->same);
    return ASTAR_OK;
}

// Expands the current cell where canonical ordering tells which steps are needed.
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

// Adds the steps over the seam to the others.
static void step_over_seam(const AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                           int *count)
{
    uint32_t cell = search->front.current;
    unsigned moves = astar_seam_moves(search->finder, cell, false, ASTAR_NO_CELL);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        AstarArc arc = astar_seam_arc(search->finder, cell, d, false);
        AstarSuccessor *step = &successors[(*count)++];
        *step = (AstarSuccessor){.cell = arc.to, .direction = (uint8_t)d, .cost = arc.cost};
        astar_cell_xy(search->grid, arc.to, &step->x, &step->y);
    }
}

// Expands the current cell where nothing is known of other ways: a step_cost callback is asked, or
// there is more to the grid than its ground; or where any of many goals may be the one.
static AstarStatus expand_by_steps(AstarSearch *search)
{
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(search, successors, &count);
    bool guided = search->algorithm != ASTAR_DIJKSTRA;
    if (astar_is_at_seam(search->grid, search->front.x, search->front.y))
        step_over_seam(search, successors, &count);
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

static AstarStatus expand_best(AstarSearch *search)
{
    return search->own.best_first.expansion == ASTAR_EXPAND_ALL ? expand_by_steps(search)
                                                                : expand_canonically(search);
}

// ------------------------------------------------------------------------------------------------
// How a search begins and ends.
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

// Whether the way leads to one cell, exactly, by an estimate that is linear.
static bool goes_to_cell(const AstarSearch *search)
{
    const AstarGoal *goal = &search->goal;
    return goal->kind == ASTAR_GOAL_CELL && !goal->tracks &&
           !search->finder->costs.heuristic.euclidean && goal->estimate == NULL &&
           search->question.weight == 1 && search->own.active.count == 0 &&
           !astar_finder_has_callbacks(search->finder);
}

// Whether steps may be left out by canonical ordering, in spite of needs that are met elsewhere.
// Bends are counted afterwards.
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

// How the cells of a search are to be expanded. search_grid() knows the sides of hexagons and the
// field to avoid.
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

// The least cost of a link, INFINITY where there is none that costs anything.
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

// The largest power of two up to a number, as its exponent; 0 for 0.
static unsigned exponent_of(uint64_t number)
{
    return number > 0 ? (unsigned)astar_highest_bit(number) : 0;
}

// Of a search that marks the nodes of cells that cannot be entered, where they can; else NULL.
static const AstarBits *walkable_if_known(const AstarSearch *search)
{
    return search->own.best_first.expansion == ASTAR_EXPAND_TO_CELL
               ? &search->finder->on.walkable->bits
               : NULL;
}

void astar_best_first_take_in(AstarSearch *search, const AstarEdit *area)
{
    const AstarBits *walkable = walkable_if_known(search);
    for (int y = area->y; walkable != NULL && y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            astar_nodes_put_walkable(&search->core.nodes, x, y, astar_bits_get(walkable, x, y));
}

// Begins the tree at the start, and chooses how finely the open list is cut. Where steps cost whole
// multiples of much, each value of f has a bucket of its own. Else a bucket spans a part of the
// cheapest step: a search towards one cell takes its entries as they come and opens cells again,
// any other search has the open list sort them. With a field, buckets of an eighth of the step took
// up to a quarter less time than buckets of a 64th, and no more expansions.
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
    uint64_t span = is_known ? 2 * finder->costs.dearest : 0,
             step = exponent_of(astar_whole_cost(finder->min_cost, core->per_unit));
    unsigned shift = step > exponent_of(SLOTS) ? (unsigned)step - exponent_of(SLOTS) : 0;
    bool is_single = is_known && search->question.weight == 1 && !heuristic->euclidean &&
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
                   search->question.weight == 1;
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

// Begins a search whose unit is 2^coarser times that of the finder.
static AstarStatus begin_in_units(AstarSearch *search, unsigned coarser)
{
    const AstarOptions *options = &search->finder->options;
    AstarCore *core = &search->core;
    bool is_exact = search->question.weight == 1;
    search->found = ASTAR_NO_CELL;
    if (search->algorithm == ASTAR_ASTAR && !astar_goal_is_of_many(&search->goal))
        search->goal.estimate = options->estimate;
    if (astar_notes_steps(search) && !astar_pages_begin(&search->own.said, &search->allocator,
                                                        search->grid->width, search->grid->height))
        return ASTAR_NO_MEMORY;
    core->coarser = coarser;
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
    return begin_in_units(search, 0);
}

// Ends a search whose open list is empty. If costs have grown beyond what nodes can hold, the
// search begins again with a larger unit: ASTAR_RUNNING.
static AstarStatus end_or_begin_again(AstarSearch *search)
{
    enum { COARSER_BY = 8 };
    AstarCore *core = &search->core;
    bool is_limited = search->limit * core->per_unit < 0x1p57;
    core->overflowed |= core->is_cut && !is_limited;
    if (core->overflowed && search->found == ASTAR_NO_CELL) {
        search->goal.nearest = ASTAR_NO_CELL; // no cell is reached any more
        return begin_in_units(search, core->coarser + COARSER_BY) == ASTAR_OK ? ASTAR_RUNNING
                                                                              : ASTAR_NO_MEMORY;
    }
    if (core->is_cut)
        search->failure = ASTAR_MAX_COST;
    return astar_search_exhausted(search);
}

// ------------------------------------------------------------------------------------------------
// The loop towards one cell of a grid, where the data tell all. It is compiled for each kind of
// steps and each kind of costs.
// ------------------------------------------------------------------------------------------------

// On which page of the nine around a cell a neighbour lies, row by row, and at which place there.
typedef struct GridWay {
    uint8_t page, place;
} GridWay;

// The neighbours of the cell at each place of a page, in the order of the steps.
#define WAY(place, dx, dy)                                                                         \
    {                                                                                              \
        ((place) / 8 + 8 + (dy)) / 8 * 3 + ((place) % 8 + 8 + (dx)) / 8,                           \
            ((place) / 8 + 8 + (dy)) % 8 * 8 + ((place) % 8 + 8 + (dx)) % 8                        \
    }
#define WAYS(place)                                                                                \
    {                                                                                              \
        WAY(place, 1, 0), WAY(place, -1, 0), WAY(place, 0, -1), WAY(place, 0, 1),                  \
            WAY(place, 1, -1), WAY(place, 1, 1), WAY(place, -1, 1), WAY(place, -1, -1)             \
    }
#define WAYS_OF_ROW(p)                                                                             \
    WAYS(p), WAYS(p + 1), WAYS(p + 2), WAYS(p + 3), WAYS(p + 4), WAYS(p + 5), WAYS(p + 6),         \
        WAYS(p + 7)
static const GridWay ways[ASTAR_PAGE_CELLS][ASTAR_DIRECTIONS] = {
    WAYS_OF_ROW(0),  WAYS_OF_ROW(8),  WAYS_OF_ROW(16), WAYS_OF_ROW(24),
    WAYS_OF_ROW(32), WAYS_OF_ROW(40), WAYS_OF_ROW(48), WAYS_OF_ROW(56),
};

// The pages that these neighbours lie on, as a set of directions: by the first, a middle or the
// last row of the page, and by the first, a middle or the last column.
#define BEYOND_OF_ROW(west, amid, east) west, amid, amid, amid, amid, amid, amid, east
static const uint8_t beyond_page[ASTAR_PAGE_CELLS] = {
    BEYOND_OF_ROW(0xC1, 0x01, 0x07), BEYOND_OF_ROW(0x40, 0x00, 0x04),
    BEYOND_OF_ROW(0x40, 0x00, 0x04), BEYOND_OF_ROW(0x40, 0x00, 0x04),
    BEYOND_OF_ROW(0x40, 0x00, 0x04), BEYOND_OF_ROW(0x40, 0x00, 0x04),
    BEYOND_OF_ROW(0x40, 0x00, 0x04), BEYOND_OF_ROW(0x70, 0x10, 0x1C),
};

// Which steps lead out of a cell: to squares over sides; over sides and corners; to hexagons.
typedef enum GridKind { GRID_FOUR, GRID_EIGHT, GRID_HEXAGONS } GridKind;

// What a step costs: the same wherever it leads; what the ground says; that and the field.
typedef enum GridCosts { GRID_ONE_COST, GRID_BY_GROUND, GRID_BY_FIELD } GridCosts;

// A field to avoid. Costs are worked out of it as the search comes to each step. A table of them
// for all cells would take more memory than the map, and a field may change before every query.
typedef struct GridField {
    const float *values; // of each cell
    const double *cells; // what the ground costs
    double weight;
    double per_unit;
    double shift;  // adding this to a cost leaves no bits below the unit, see astar_round()
    double most;   // from this cost on, 'shift' would round too much
    uint64_t zero; // what whole_beyond_zero() makes of a cost of 0
} GridField;

// What an expansion needs to know.
typedef struct GridExpansion {
    AstarNodePage *page;
    const GridWay *ways; // from the place of the cell
    uint64_t g;          // of the cell, all bits of the state set
    int dx, dy;          // from the goal to the cell; of hexagons as AstarMiddle has it
    uint64_t held;       // the newest entry of the current bucket; 0: none
    uint64_t along, across, limit;
    // Of the open list, read once: whatever is written might change it, for all that a compiler
    // knows.
    uint64_t bucket; // the current one
    size_t size;
    unsigned shift;
} GridExpansion;

// The steps out of a cell of one phase, in their order.
typedef struct GridSteps {
    int8_t dx[ASTAR_DIRECTIONS], dy[ASTAR_DIRECTIONS]; // how far they lead, as GridExpansion has it
    uint8_t earlier; // of hexagons: what is relaxed before the others
    double lengths[ASTAR_DIRECTIONS];
    ptrdiff_t offsets[ASTAR_DIRECTIONS];     // from the ground of a cell to that of its neighbours
    const uint64_t *costs[ASTAR_DIRECTIONS]; // by the ground that a step enters
} GridSteps;

// The node that a step leads to.
ASTAR_SPECIALIZE uint64_t *neighbour(const GridExpansion *at, int i)
{
    return &at->page->near[at->ways[i].page]->nodes[at->ways[i].place];
}

// The estimate for a cell that lies so far from the goal.
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

// The same for the cell that a step leads to.
ASTAR_SPECIALIZE uint64_t remaining_after(const GridExpansion *at, const GridSteps *steps,
                                          GridKind kind, int i)
{
    int dx = kind == GRID_HEXAGONS ? steps->dx[i] : order_dx[i];
    int dy = kind == GRID_HEXAGONS ? steps->dy[i] : order_dy[i];
    return remaining(at, kind, at->dx + dx, at->dy + dy);
}

// Opens the node that step i leads to: notes its cost g and adds it to the open list at f = g + h.
ASTAR_SPECIALIZE void open_neighbour(AstarCore *core, GridExpansion *at, int i, uint64_t g,
                                     uint64_t h)
{
    AstarLifoQueue *open = &core->open;
    AstarNodePage *page = at->page->near[at->ways[i].page];
    uint64_t f = g + h;
    if (f > at->limit) {
        core->is_cut |= core->best == UINT64_MAX;
        return;
    }
    page->nodes[at->ways[i].place] = g | step_order[i];
    uint64_t name = astar_node_name(page, at->ways[i].place);
    uint64_t bucket = f >> at->shift;
    if (bucket <= at->bucket) { // it is the next to be expanded; the one that was is stacked
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

// Relaxes one of four steps, which makes the estimate h of the cell less where it leads 'nearer'.
ASTAR_SPECIALIZE void relax_straight(AstarCore *core, GridExpansion *at, int i, uint64_t cost,
                                     bool nearer, uint64_t h)
{
    if (at->g + cost < *neighbour(at, i))
        open_neighbour(core, at, i, (at->g + cost) & ~(uint64_t)ASTAR_STATE_MASK,
                       nearer ? h - at->along : h + at->along);
}

// Relaxes the steps out of a cell of four moves over ground of one cost. Nodes of blocked cells, of
// the parent and of closed cells tell that the way is no better.
ASTAR_SPECIALIZE void relax_four_alike(AstarCore *core, GridExpansion *at, uint64_t cost)
{
    const uint64_t h = remaining(at, GRID_FOUR, at->dx, at->dy);
    relax_straight(core, at, 0, cost, at->dx < 0, h);
    relax_straight(core, at, 1, cost, at->dx > 0, h);
    relax_straight(core, at, 2, cost, at->dy > 0, h);
    relax_straight(core, at, 3, cost, at->dy < 0, h);
}

// The same over ground of several costs. Which neighbours come nearer is found out first: the
// processor has one loop to predict then, not a branch for each neighbour.
ASTAR_SPECIALIZE void relax_four_mixed(AstarCore *core, GridExpansion *at, const uint64_t costs[4])
{
    unsigned better = 0;
    for (int i = 0; i < 4; i++)
        better |= (unsigned)(at->g + costs[i] < *neighbour(at, i)) << i;
    const uint64_t h = remaining(at, GRID_FOUR, at->dx, at->dy);
    const unsigned nearer = (unsigned)(at->dx < 0) | (unsigned)(at->dx > 0) << 1 |
                            (unsigned)(at->dy > 0) << 2 | (unsigned)(at->dy < 0) << 3;
    for (; better != 0; better &= better - 1) {
        int i = astar_lowest_bit(better);
        open_neighbour(core, at, i, (at->g + costs[i]) & ~(uint64_t)ASTAR_STATE_MASK,
                       nearer >> i & 1 ? h - at->along : h + at->along);
    }
}

// The ground that four steps lead to; the cell's own in place of what lies beyond the map, where no
// step leads. 'amid' tells that the cell is not of the first or last row.
ASTAR_SPECIALIZE void read_four_grounds(const AstarGrid *grid, int x, int y, bool amid,
                                        const uint8_t *here, uint8_t ground[4])
{
    const ptrdiff_t width = grid->width;
    ground[0] = amid || x + 1 < grid->width ? here[1] : *here;
    ground[1] = amid || x > 0 ? here[-1] : *here;
    ground[2] = amid || y > 0 ? here[-width] : *here;
    ground[3] = amid || y + 1 < grid->height ? here[width] : *here;
}

// Whether the eight cells around one, which is not near the first or last row, have its ground.
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

// Whether the field adds the same to a cell, which is not near the first or last row, and to those
// around it. Several values are compared before the first branch, which then goes one way nearly
// always, also in a field of noise.
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

// What it costs to enter a cell per unit of length, as astar_finder_cell_cost() has it.
// 'value' is what the field has there.
ASTAR_SPECIALIZE double cell_cost(const GridField *field, uint8_t ground, float value)
{
    const double least = field->cells[ground];
    double cost = least + field->weight * (double)value;
    return cost > least ? cost : least; // values below 0 count as 0
}

// What a step costs out of the cell of that number, whose ground is 'here'.
ASTAR_SPECIALIZE double cost_by_field(const GridField *field, const GridSteps *steps, int i,
                                      const uint8_t *here, size_t cell, GridKind kind)
{
    const ptrdiff_t offset = steps->offsets[i];
    double cost = cell_cost(field, here[offset], field->values[cell + (size_t)offset]);
    return kind == GRID_EIGHT ? cost * steps->lengths[i] : cost;
}

// A cost below 'most' to the nearest whole number, and 'zero' more: a sum with 'shift' has the
// number in its lowest bits. A greater cost comes out as GRID_TOO_GREAT or more, but as no more
// than it is.
#define GRID_TOO_GREAT (UINT64_C(1) << (51 + ASTAR_STATE_BITS))
ASTAR_SPECIALIZE uint64_t whole_beyond_zero(const GridField *field, double cost)
{
    double sum = cost + field->shift;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits << ASTAR_STATE_BITS;
}

// Any cost to the nearest whole number, as astar_whole_cost() has what astar_finder_round() rounds.
ASTAR_SPECIALIZE uint64_t whole_of(const GridField *field, double cost)
{
    return cost < field->most ? whole_beyond_zero(field, cost) - field->zero
                              : astar_whole_cost(cost, field->per_unit);
}

// Puts the nodes that some steps lead to on the open list, at sums that may have bits of the state.
// Canonical ordering keeps the route between two hexagons that ends over the better sides, see
// canonical.h. So the others have to be the newest entries.
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

// Relaxes the steps out of a cell of eight moves over ground of one cost.
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

// The same of a hexagon.
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

// The same over ground of several costs. Which neighbours come nearer is found out first: the
// processor has one loop to predict then, not a branch for each neighbour.
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

// The same with a field to avoid.
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

// Relaxes the steps out of a cell of four moves over ground of several costs. 'amid' as
// read_four_grounds() has it.
//
// With 'patchy', cells amid ground of one cost are relaxed by relax_four_alike(). Where such cells
// are not the rule, the processor cannot predict which these are: over noise of two costs short
// searches then took 8 % longer. In large patches of two costs it takes 15 % less time.
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

// Returns true if cells amid ground of one cost are known to be the rule.
static bool is_patchy(const AstarFinder *finder)
{
    enum { LEAST_ALIKE = 5 }; // of each other cell
    const AstarIrregular *irregular = finder->on.irregular;
    return irregular != NULL && astar_irregular_is_current(irregular) &&
           (uint64_t)irregular->count * LEAST_ALIKE <= finder->grid->cells;
}

static uint32_t bits_of_value(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The same with a field to avoid.
ASTAR_SPECIALIZE void relax_four_in_field(AstarCore *core, GridExpansion *at, const AstarGrid *grid,
                                          int x, int y, bool amid, const uint8_t *here,
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
    if (((bits_of_value(east) ^ own) | (bits_of_value(west) ^ own) | (bits_of_value(north) ^ own) |
         (bits_of_value(south) ^ own) | (uint32_t)(around[0] ^ *here) |
         (uint32_t)(around[1] ^ *here) | (uint32_t)(around[2] ^ *here) |
         (uint32_t)(around[3] ^ *here)) == 0) {
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

// The best open node: the newest entry of the first bucket that is not empty. 0: the bucket was
// empty, and the next one is at hand, or the search is at its end.
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

// The directions of the steps worth following out of a cell. Where the cells around it are 'alike',
// canonical ordering leaves more of them out.
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

// Runs the search: takes the best open node, closes it, relaxes the steps out of it. ASTAR_RUNNING:
// the expansions are used up. ASTAR_UNREACHABLE: the open list is empty.
//
// Entries of one bucket are not sorted, so a cell may be closed before its best way is known. Then
// it is opened again when that way is found; and when the goal is closed, the search goes on with
// what is left of the bucket as long as that may lead to a cheaper way.
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
    const uint64_t most = search->question.max_expansions;
    const bool patchy = kind == GRID_FOUR && costs == GRID_BY_GROUND && is_patchy(finder);
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
        at.ways = ways[place];
        const uint32_t cell = at.page->cell + row * width + column;
        const uint8_t *here = ground + cell;
        const bool amid = cell - width < cells - 2 * width; // a lower row wraps to a large number
        const GridSteps *out = &steps[phase];
        if (kind == GRID_FOUR && costs == GRID_ONE_COST) {
            relax_four_alike(core, &at, straight_costs[*here]);
        } else if (kind == GRID_FOUR && costs == GRID_BY_FIELD && !amid) {
            relax_four_in_field(core, &at, finder->grid, x, y, false, here, &field, cell);
        } else if (kind == GRID_FOUR && costs == GRID_BY_FIELD) {
            relax_four_in_field(core, &at, finder->grid, x, y, true, here, &field, cell);
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

// A loop for each kind of costs.
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

// Has a closed cell judged; where a look tells that it is no goal, without a call.
static inline AstarStatus close_cell(AstarSearch *search, uint32_t cell)
{
    const AstarGoal *goal = &search->goal;
    bool is_no_goal = goal->kind == ASTAR_GOAL_CELL
                          ? cell != goal->cell
                          : goal->kind == ASTAR_GOAL_SET && !astar_goal_set_is_marked(search, cell);
    return is_no_goal && !goal->tracks ? ASTAR_RUNNING : astar_goal_close(search, cell);
}

// Takes the first entry off the open list: ASTAR_RUNNING; ASTAR_UNREACHABLE: there is none.
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

// Takes cells off the open list until one is to be expanded: ASTAR_RUNNING; there is none yet where
// many were passed over. A search for one cell whose open list is not sorted goes on, when it has
// found the goal, with what is left of the bucket, as search_grid() does. When one of many goals is
// found, those are left that may be as cheap.
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
        if (search->expanded == search->question.max_expansions)
            return give_up_search(search, ASTAR_MAX_EXPANSIONS);
        core->g = node & ~(uint64_t)ASTAR_STATE_MASK;
        front->current = cell;
        return ASTAR_RUNNING;
    }
    return ASTAR_RUNNING;
}

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

// Returns how many steps in a direction led to a cell, one after the other. A step over the seam of
// a map that wraps, which leads back out of the map, counts alone.
static int steps_of_run(const AstarSearch *search, AstarCell at, int from)
{
    enum { MOST_STEPS = 64 }; // that are read back at a time
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

AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path)
{
    const AstarCell at = search->slices.tracing.at;
    int from = astar_node_from(*astar_nodes_reached(&search->core.nodes, at.x, at.y)), steps = 1;
    if (from == ASTAR_FROM_NOWHERE)
        return ASTAR_OK;
    if (astar_notes_steps(search))
        search->slices.tracing.said += astar_pages_value(&search->own.said, at.x, at.y);
    else if (from != ASTAR_FROM_LINK && search->grid->shape->has_corners)
        steps = steps_of_run(search, at, from); // of hexagons directions alternate along a line
    AstarStatus status = from == ASTAR_FROM_LINK ? astar_trace_link(search, path)
                                                 : astar_trace_run(search, from, steps, path);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
