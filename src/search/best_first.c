// best_first.c -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an
// estimate.
//
// The loop serves every kind of goal, see goal.h. It makes one expansion a turn and keeps all it
// knows in the search object, so it can stop after any of them and go on later. A cell is taken off
// the open list before it is expanded and remembered as current; where a callback breaks the
// expansion off, the next call expands it again, which is harmless: what was already relaxed is
// found no cheaper.

#include "search/best_first.h"

#include "finder/costs.h"
#include "finder/finder.h"
#include "rules/corner_rules.h"
#include "search/active_landmarks.h"
#include "search/estimate.h"
#include "search/trace.h"

#include <math.h>

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
// The expansion of hexagons towards one of them.
//
// It stands apart so that squares do not pay for the phase that a hexagon's neighbours go by.
//
// Where all ground costs the same, every hexagon of a ring around the start has the same f in a
// search without estimates, and they leave the open list by their numbers. So these are spread over
// the slots of that f by their numbers, too: the order is the same, with small heaps in place of a
// large one. A ring keeps clear of the next, and even if an edit brought other costs in, no item
// would overtake one of less by as much as a step costs.
// ------------------------------------------------------------------------------------------------

// The free neighbours of a cell, and those worth following after the arrival there.
static unsigned steps_to_hexagons(const AstarFinder *finder, uint32_t cell, int x, int y, int from)
{
    const AstarShape *shape = finder->grid->shape;
    unsigned phase = astar_phase(shape, x, y);
    const AstarSideArrival *arrival = &finder->side_arrivals[phase][from];
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y) & shape->around[phase];
    unsigned same = free;
    if (!finder->is_uniform)
        same = astar_canonical_same(finder->on.ground, finder->grid, cell,
                                    free & (arrival->past[0] | arrival->past[1]));
    return free & arrival->ahead & ~astar_side_order_left_out(arrival, same);
}

double astar_spread_of_ties(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const double part = (ASTAR_SLOTS_A_STEP - 1.0) / ASTAR_SLOTS_A_STEP;
    bool has_rings = finder->is_uniform && finder->costs.heuristic.along == 0 &&
                     !search->own.linked && finder->options.avoid == NULL;
    double cells = (double)finder->grid->width * finder->grid->height;
    return has_rings ? part * finder->min_cost / cells : 0;
}

AstarStatus astar_expand_hexagons(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarShape *shape = finder->grid->shape;
    const uint8_t *ground = finder->on.ground;
    AstarFront *front = &search->front;
    const int x = front->x, y = front->y, width = finder->grid->width;
    const uint32_t cell = front->current;
    const double g_here = astar_current_g(search), along = finder->costs.heuristic.along;
    const double spread = search->own.best_first.spread;
    unsigned wanted = steps_to_hexagons(finder, cell, x, y, astar_current_from(search));
    AstarMiddle here = astar_middle(shape, x, y);
    AstarMiddle goal = astar_middle(shape, search->goal.x, search->goal.y);
    int left = (int)(here.along - goal.along), lines = (int)(here.across - goal.across);
    const int8_t *side_of = shape->sides_of[astar_phase(shape, x, y)];
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted), side = side_of[d];
        int next_x = x + astar_dx[d], next_y = y + astar_dy[d];
        uint32_t next = cell + (uint32_t)(astar_dy[d] * width + astar_dx[d]);
        AstarPage *page = astar_page_for(&front->nodes, &search->allocator, next_x, next_y);
        if (page == NULL)
            return ASTAR_NO_MEMORY;
        unsigned place = astar_page_place(next_x, next_y);
        double g = g_here + finder->costs.step[0][ground[next]];
        if (g >= page->values[place])
            continue;
        int halves = abs(left + shape->along[side]);
        int across = abs(lines + shape->across[side]);
        double f = g + along * (halves > across ? (halves + across) / 2 : across);
        if (f > search->limit) {
            search->failure = ASTAR_MAX_COST;
            continue;
        }
        page->states[place] = (uint8_t)(d + 1);
        page->values[place] = g;
        astar_slotted_push(&front->open, f + spread * next, astar_open(f, g, next));
    }
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The search: its loop, and the route that it found.
// ------------------------------------------------------------------------------------------------

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
        is_any = astar_pages_state(&search->front.nodes, x, y) == 0;
    }
    return !is_any;
}

// Notes a way to a cell, if it is the cheapest yet. The open list has room. 'guided': by an
// estimate, which Dijkstra's algorithm has none of.
ASTAR_SPECIALIZE AstarStatus relax_cell(AstarSearch *search, const AstarSuccessor *step, double g,
                                        bool guided, bool linked)
{
    AstarFront *front = &search->front;
    AstarPage *page = astar_page_for(&front->nodes, &search->allocator, step->x, step->y);
    unsigned place = astar_page_place(step->x, step->y);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    bool is_closed = (page->states[place] & ASTAR_NODE_CLOSED) != 0;
    if (g >= page->values[place] || (is_closed && !search->own.best_first.reopens))
        return ASTAR_OK;
    double h = 0;
    if (guided)
        h = astar_goal_estimate(search, search->costs.context, step->x, step->y, linked);
    bool by_host = guided && search->goal.estimate != NULL;
    if (by_host && !(h >= 0 && h <= 1e300))
        return ASTAR_BAD_COST;
    if (by_host && astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    if ((search->goal.tracks || by_host ? g : g + h) > search->limit)
        return note_cut_way(search, step->cell);
    if (by_host && astar_notes_steps(search) && !note_said_step(search, step))
        return ASTAR_NO_MEMORY;
    page->states[place] = step->direction + 1;
    page->values[place] = g;
    double f = g + search->question.weight * h;
    astar_slotted_push(&front->open, f, astar_open(f, g, step->cell));
    return ASTAR_OK;
}

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

// Has what is kept of a cell 'offset' from another brought nearer: that cell's expansion will want
// it. There may be no such cell.
static inline void prefetch(const void *of_cell, int offset, size_t size)
{
    ASTAR_PREFETCH((uintptr_t)of_cell + (uintptr_t)((ptrdiff_t)offset * (ptrdiff_t)size));
}

// Follows steps as relax_cell() does, towards one cell, at what the data say they cost. 'marked':
// it goes by landmarks.
ASTAR_SPECIALIZE AstarStatus follow_to_cell(AstarSearch *search, double g_here, unsigned wanted,
                                            bool marked)
{
    // Read once: what is written in the loop might be any of it, for all that a compiler knows.
    const AstarFinder *finder = search->finder;
    const uint8_t *ground = finder->on.ground;
    const double *const steps[2] = {finder->costs.step[0], finder->costs.step[1]};
    const double along = finder->costs.heuristic.along, across = finder->costs.heuristic.across;
    const double limit = search->limit, weight = search->question.weight;
    const bool reopens = search->own.best_first.reopens;
    AstarFront *front = &search->front;
    AstarPage **directory = front->nodes.directory;
    const size_t stride = front->nodes.stride;
    const uint32_t cell = front->current;
    const int width = finder->grid->width, x = front->x, y = front->y;
    const int dx = x - search->goal.x, dy = y - search->goal.y;
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted), next_x = x + astar_dx[d], next_y = y + astar_dy[d];
        uint32_t next = cell + (uint32_t)(astar_dy[d] * width + astar_dx[d]);
        AstarPage *page = directory[(size_t)((unsigned)next_y / ASTAR_PAGE_SIDE) * stride +
                                    (unsigned)next_x / ASTAR_PAGE_SIDE];
        unsigned place = astar_page_place(next_x, next_y);
        if (page == NULL)
            page = astar_pages_add(&front->nodes, &search->allocator, next_x, next_y);
        if (page == NULL)
            return ASTAR_NO_MEMORY;
        double g = g_here + steps[d & 1][ground[next]];
        if (g >= page->values[place] ||
            (!reopens && (page->states[place] & ASTAR_NODE_CLOSED) != 0))
            continue;
        int columns = abs(dx + astar_dx[d]), rows = abs(dy + astar_dy[d]);
        int greater = columns > rows ? columns : rows;
        double h = along * greater + across * (columns + rows - greater);
        if (marked)
            h = astar_active_landmarks_improve(&search->own.active, next, h);
        if (g + h > limit) {
            search->failure = ASTAR_MAX_COST;
            continue;
        }
        page->states[place] = (uint8_t)(d + 1);
        page->values[place] = g;
        double f = g + weight * h;
        for (int i = 0; marked && i < search->own.active.count; i++)
            prefetch(&search->own.active.chosen[i].distances[next], (int)(next - cell),
                     sizeof(uint32_t));
        astar_slotted_push(&front->open, f, astar_open(f, g, next));
    }
    return ASTAR_OK;
}

// Follows steps towards any goal.
static AstarStatus follow_steps(AstarSearch *search, double g, unsigned wanted, const double *asked)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    uint32_t cell = search->front.current;
    int x = search->front.x, y = search->front.y;
    AstarStatus status = ASTAR_OK;
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        double cost = asked != NULL ? step_cost(finder, d, asked[d])
                                    : finder->costs.step[d & 1][finder->on.ground[next]];
        AstarSuccessor step = {next, x + astar_dx[d], y + astar_dy[d], (uint8_t)d, cost};
        status = relax_cell(search, &step, g + cost, true, false);
    }
    return status;
}

// Expands the current cell where no step_cost callback is asked.
static AstarStatus expand_canonically(AstarSearch *search)
{
    const AstarFront *front = &search->front;
    bool to_cell = search->own.best_first.expansion == ASTAR_EXPAND_TO_CELL;
    uint32_t cell = front->current;
    int x = front->x, y = front->y, from = astar_current_from(search);
    double g = astar_current_g(search);
    if (search->finder->options.cost == NULL) {
        unsigned wanted = steps_by_data(search, cell, x, y, from);
        if (!to_cell)
            return follow_steps(search, g, wanted, NULL);
        return search->own.active.count > 0 ? follow_to_cell(search, g, wanted, true)
                                            : follow_to_cell(search, g, wanted, false);
    }
    unsigned wanted;
    AstarAround around;
    AstarStatus status = steps_by_asking(search, cell, x, y, from, &wanted, &around);
    if (status != ASTAR_OK)
        return status;
    return follow_steps(search, g, wanted, around.costs);
}

static AstarStatus relax_over_link(AstarSearch *search, const AstarSuccessor *step, double g)
{
    return relax_cell(search, step, g, true, true);
}

static AstarStatus relax_unguided(AstarSearch *search, const AstarSuccessor *step, double g)
{
    return relax_cell(search, step, g, false, false);
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
    double g = astar_current_g(search);
    bool guided = search->algorithm != ASTAR_DIJKSTRA;
    if (astar_is_at_seam(search->grid, search->front.x, search->front.y))
        step_over_seam(search, successors, &count);
    if (guided && !search->own.linked) {
        for (int i = 0; i < count && status == ASTAR_OK; i++)
            status = relax_cell(search, &successors[i], g + successors[i].cost, true, false);
        return status;
    }
    AstarRelax relax = guided ? relax_over_link : relax_unguided;
    for (int i = 0; i < count && status == ASTAR_OK; i++)
        status = relax(search, &successors[i], g + successors[i].cost);
    return status == ASTAR_OK && search->own.linked ? astar_links_expand(search, relax) : status;
}

static AstarStatus expand_best(AstarSearch *search)
{
    if (search->own.best_first.expansion == ASTAR_EXPAND_HEXAGONS)
        return astar_expand_hexagons(search);
    return search->own.best_first.expansion == ASTAR_EXPAND_ALL ? expand_by_steps(search)
                                                                : expand_canonically(search);
}

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

// Has a closed cell judged; where a look tells that it is no goal, without a call.
static inline AstarStatus close_cell(AstarSearch *search, uint32_t cell)
{
    const AstarGoal *goal = &search->goal;
    bool is_no_goal = goal->kind == ASTAR_GOAL_CELL
                          ? cell != goal->cell
                          : goal->kind == ASTAR_GOAL_SET && !astar_goal_set_is_marked(search, cell);
    return is_no_goal && !goal->tracks ? ASTAR_RUNNING : astar_goal_close(search, cell);
}

// Takes cells off the open list until one is to be expanded: ASTAR_RUNNING; there is none yet where
// many were passed over, or the open list takes long. Where one of many goals is found, those are
// left that may be as cheap.
static AstarStatus take_best(AstarSearch *search, AstarFront *front)
{
    for (int passed = 0; passed < ASTAR_MOST_PASSED; passed++) {
        if (astar_slotted_count(&front->open) == 0)
            return astar_search_exhausted(search);
        if (!astar_slotted_is_ready(&front->open))
            return ASTAR_RUNNING;
        AstarOpen item = astar_slotted_pop(&front->open);
        uint32_t cell = astar_open_cell(item);
        astar_cell_xy(search->grid, cell, &front->x, &front->y);
        uint8_t *state = &(*astar_page_entry(&front->nodes, front->x, front->y))
                              ->states[astar_page_place(front->x, front->y)];
        if ((*state & ASTAR_NODE_CLOSED) != 0)
            continue;
        if (search->found != ASTAR_NO_CELL && astar_open_f(item) > search->limit)
            return ASTAR_OK;
        *state |= ASTAR_NODE_CLOSED;
        AstarStatus status = close_cell(search, cell);
        if (status != ASTAR_RUNNING)
            return status;
        if (search->found != ASTAR_NO_CELL && astar_goal_set_is_past(search, cell))
            continue;
        if (search->expanded == search->question.max_expansions)
            return give_up_search(search, ASTAR_MAX_EXPANSIONS);
        front->current = cell;
        return ASTAR_RUNNING;
    }
    return ASTAR_RUNNING;
}

// How the cells of a search are to be expanded.
static AstarExpansion expansion_for(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarGoal *goal = &search->goal;
    if (astar_goal_is_of_many(goal))
        return ASTAR_EXPAND_ALL;
    bool to_cell = goal->kind == ASTAR_GOAL_CELL && !goal->tracks &&
                   !finder->costs.heuristic.euclidean && goal->estimate == NULL;
    if (to_cell && search->question.weight == 1 && finder->grid->shape->by_halves &&
        !astar_finder_has_callbacks(finder) && finder->options.avoid == NULL &&
        !astar_grid_has_links_or_walls(finder->grid))
        return ASTAR_EXPAND_HEXAGONS;
    if (!astar_finder_allows(finder, ASTAR_PRUNING))
        return ASTAR_EXPAND_ALL;
    return to_cell ? ASTAR_EXPAND_TO_CELL : ASTAR_EXPAND_CANONICAL;
}

// Begins the tree at the start.
static AstarStatus plant_tree(AstarSearch *search)
{
    const AstarAllocator *allocator = &search->allocator;
    AstarFront *front = &search->front;
    int x = search->start_x, y = search->start_y;
    if (!astar_pages_begin(&front->nodes, allocator, search->grid->width, search->grid->height) ||
        !astar_slotted_reserve(&front->open, allocator, 1))
        return ASTAR_NO_MEMORY;
    AstarPage *page = astar_page_for(&front->nodes, allocator, x, y);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    page->states[astar_page_place(x, y)] = ASTAR_FROM_NOWHERE + 1;
    page->values[astar_page_place(x, y)] = 0;
    front->current = ASTAR_NO_CELL;
    search->own.cut.count = 0;
    search->own.cut.are_noted = astar_finder_has_callbacks(search->finder) ||
                                search->goal.kind == ASTAR_GOAL_TEST;
    astar_slotted_clear(&front->open, search->finder->min_cost / ASTAR_SLOTS_A_STEP);
    astar_slotted_push(&front->open, 0, astar_open(0, 0, search->start));
    return ASTAR_OK;
}

AstarStatus astar_best_first_begin(AstarSearch *search)
{
    const AstarOptions *options = &search->finder->options;
    bool is_exact = search->question.weight == 1;
    AstarStatus status = plant_tree(search);
    if (status != ASTAR_OK)
        return status;
    search->found = ASTAR_NO_CELL;
    if (search->algorithm == ASTAR_ASTAR && !astar_goal_is_of_many(&search->goal))
        search->goal.estimate = options->estimate;
    if (astar_notes_steps(search) && !astar_pages_begin(&search->own.said, &search->allocator,
                                                        search->grid->width, search->grid->height))
        return ASTAR_NO_MEMORY;
    search->own.best_first.arrivals = search->finder->arrivals[is_exact];
    search->own.best_first.reopens = is_exact || options->estimate != NULL ||
                                     astar_active_landmarks_are_uneven(&search->own.active);
    search->own.best_first.expansion = expansion_for(search);
    search->own.best_first.spread = astar_spread_of_ties(search);
    return ASTAR_OK;
}

AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions)
{
    AstarFront *front = &search->front;
    const AstarAllocator *allocator = &search->allocator;
    for (; expansions > 0; expansions--) {
        if (!astar_slotted_reserve(&front->open, allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = take_best(search, front);
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

AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path)
{
    const AstarCell *at = &search->slices.tracing.at;
    int from = astar_node_from(astar_pages_state(&search->front.nodes, at->x, at->y));
    if (from == ASTAR_FROM_NOWHERE)
        return ASTAR_OK;
    if (astar_notes_steps(search))
        search->slices.tracing.said += astar_pages_value(&search->own.said, at->x, at->y);
    AstarStatus status = from == ASTAR_FROM_LINK ? astar_trace_link(search, path)
                                                 : astar_trace_run(search, from, 1, path);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
