// bends.c -- A* over cells and headings: the cheapest route and, among the cheapest, one with the
// fewest bends.
//
// A route is measured by two numbers: its cost, which may include a cost per bend, and its bends.
// Costs are compared first. Both numbers only grow along a route, and the estimates of both are
// consistent. Therefore the best route ends in the first state of the goal's cell that is closed.
//
// A cell has up to nine states, but most are useless. The rest of a route, begun in one state of a
// cell, costs at most a little more than the same rest begun in another state of the cell. This
// difference is the cost of turning in the next step, which is one bend if all bends cost the same.
// A state is therefore pruned if another state of the cell is no worse even with this difference
// added. If bends cost nothing, there are hardly more states than cells after pruning.
//
// States are numbered in the order in which they are reached. The page in which A* stores how a
// cell was reached holds the number of the cell's first state here. The states of a cell are
// linked.

#include "search/bends.h"

#include "base/array.h"
#include "map/links_and_walls.h"
#include "search/best_first.h"
#include "search/estimate.h"
#include "search/trace.h"

#include <math.h>

enum {
    NO_STATE = -1,
    FIRST_STATES = 256,
    CROWD_STATES = 4096,        // from this count on, more room is made in steps
    CROWD_SHARE_OF_STATES = 16, // the share of the room that is left when growth begins: 1 in 16
    ROOM_EXPANSIONS = 4,        // expansions that one step of making room counts as
    STATES_AT_A_TIME = 64,      // states moved per step
    WAYS_IN = ASTAR_FROM_LINK + 1
};

struct AstarStates {
    AstarState *states;
    size_t capacity, count;
    AstarMove move; // the progress of moving the states to a larger array
    // The state being expanded. The state is kept if a callback interrupts the expansion, which is
    // then repeated.
    int64_t current;
    int64_t found, nearest; // the states where the path, and the partial path, end
    // The unit of cost to which steps are rounded, and a factor just below 1 for inexact estimates.
    double unit, tilt;
    double bound;     // routes that cost more are pruned, because a route of this cost is known
    bool looks_ahead; // true if the estimate includes the bend that a goal not straight ahead needs
    bool turns_back;  // true if a step straight back may be useful
    const AstarShape *shape; // the shape for which the tables of turns were computed
    double bend_costs[ASTAR_BEND_ANGLES],
        least; // rounded costs of bends by angle, and the least of them
    // Tables indexed by the side, or other kind of step, that led to a cell. turn[a][b] is the cost
    // of the turn from side a to side b. lead[a][b] is an upper bound of the cost of the rest of a
    // route from a state reached by a, minus the cost of the same rest from a state reached by b.
    double turn[WAYS_IN][WAYS_IN], lead[WAYS_IN][WAYS_IN];
};

// Memory.

void astar_states_free(AstarSearch *search)
{
    struct AstarStates *all = search->own.states;
    if (all == NULL)
        return;
    astar_array_drop_move(&search->allocator, sizeof *all->states, &all->move);
    astar_release(&search->allocator, all->states, all->capacity, sizeof *all->states);
    astar_release(&search->allocator, all, 1, sizeof *all);
    search->own.states = NULL;
}

size_t astar_states_bytes(const AstarSearch *search)
{
    const struct AstarStates *all = search->own.states;
    return all == NULL ? 0
                       : sizeof *all + (all->capacity + all->move.capacity) * sizeof *all->states;
}

static bool reserve_states(struct AstarStates *all, const AstarAllocator *allocator, uint32_t more)
{
    return ASTAR_RESERVE(allocator, all->states, all->count, more, &all->capacity, FIRST_STATES);
}

static bool are_states_crowded(const struct AstarStates *all)
{
    return all->count >= CROWD_STATES &&
           all->count + all->count / CROWD_SHARE_OF_STATES >= all->capacity;
}

// Does a limited part of growing the array of states. Growing the array in one call could take
// longer than a timed step may last.
static bool make_room_for_states(struct AstarStates *all, const AstarAllocator *allocator)
{
    AstarState *states = astar_array_move(allocator, all->states, all->count, sizeof *states,
                                          &all->capacity, 2 * all->capacity, &all->move,
                                          2 * STATES_AT_A_TIME);
    all->states = states != NULL ? states : all->states;
    return states != NULL;
}

// States.

// Returns the first state of a cell, or NULL if the search has not reached the cell.
static AstarState *first_state(const AstarSearch *search, int x, int y)
{
    const AstarPage *page = astar_page_at(&search->front.nodes, x, y);
    unsigned place = astar_page_place(x, y);
    return page->states[place] != 0 ? &search->own.states->states[(size_t)page->values[place]]
                                    : NULL;
}

static AstarState *first_state_of(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return first_state(search, x, y);
}

// Returns the next state of the same cell, or NULL after the last.
static AstarState *next_state(const struct AstarStates *all, const AstarState *state)
{
    return state->next != 0 ? &all->states[state->next] : NULL;
}

const AstarState *astar_states_best(const AstarSearch *search, uint32_t cell)
{
    const AstarState *best = first_state_of(search, cell);
    for (const AstarState *each = best; each != NULL; each = next_state(search->own.states, each))
        if (each->g < best->g || (each->g == best->g && each->bends < best->bends))
            best = each;
    return best;
}

double astar_states_g(const AstarSearch *search, uint32_t cell)
{
    return astar_states_best(search, cell)->g;
}

bool astar_states_has_closed(const AstarSearch *search, uint32_t cell)
{
    const AstarState *each = first_state_of(search, cell);
    while (each != NULL && !each->closed)
        each = next_state(search->own.states, each);
    return each != NULL;
}

const AstarState *astar_states_parent(const AstarSearch *search, const AstarState *state)
{
    return &search->own.states->states[state->parent];
}

// Returns the direction of the step that led to a state, or ASTAR_FROM_LINK if the step was over a
// link. The state must have a parent.
static int direction_to_state(const AstarSearch *search, const AstarState *state)
{
    const AstarShape *shape = search->grid->shape;
    int x, y;
    if (state->from >= ASTAR_DIRECTIONS)
        return state->from;
    astar_cell_xy(search->grid, astar_states_parent(search, state)->cell, &x, &y);
    return shape->steps_over[astar_phase(shape, x, y)][state->from];
}

// Returns true if a new state with 'from', 'g' and 'bends' is useless: another state of the same
// cell, apart from 'self', allows routes that are at least as good.
static bool is_outdone(const struct AstarStates *all, const AstarState *self, int from, double g,
                       uint32_t bends, const AstarState *first)
{
    for (const AstarState *each = first; each != NULL; each = next_state(all, each)) {
        bool bend = each->from != from && each->from < ASTAR_DIRECTIONS;
        double least = each->g + all->lead[each->from][from];
        if (each != self && (least < g || (least == g && each->bends + bend <= bends)))
            return true;
    }
    return false;
}

// Returns the state of the cell at (x, y) that is reached by 'from'. Creates the state if there is
// none; the array of states must have room for it. Returns NULL if there is no memory.
static AstarState *need_state(AstarSearch *search, uint32_t cell, int x, int y, int from)
{
    struct AstarStates *all = search->own.states;
    AstarState *first = first_state(search, x, y), *each = first;
    while (each != NULL && each->from != from)
        each = next_state(all, each);
    if (each != NULL)
        return each;
    AstarPage *page = astar_page_for(&search->front.nodes, &search->allocator, x, y);
    if (page == NULL)
        return NULL;
    uint32_t number = (uint32_t)all->count++;
    AstarState *state = &all->states[number];
    *state = (AstarState){.cell = cell, .from = (uint8_t)from};
    if (first != NULL) {
        state->next = first->next;
        first->next = number;
    } else {
        page->states[astar_page_place(x, y)] = ASTAR_FROM_NOWHERE + 1;
        page->values[astar_page_place(x, y)] = number;
    }
    return state;
}

// Steps.

// Returns true if the goal lies straight ahead of (x, y) in the direction 'from', or if there is no
// heading yet.
static bool is_ahead(const AstarSearch *search, int x, int y, int from)
{
    const AstarShape *shape = search->grid->shape;
    const AstarGoal *goal = &search->goal;
    if (from >= ASTAR_DIRECTIONS)
        return true;
    int64_t steps = astar_cells_apart(shape, x, y, goal->x, goal->y);
    astar_shape_go(shape, &x, &y, from, (int)steps);
    return x == goal->x && y == goal->y;
}

// Estimates the cost and the bends that remain. Returns an error if the caller's heuristic returned
// an invalid value or changed the map.
static AstarStatus estimate_state(AstarSearch *search, const AstarSuccessor *step, double *h,
                                  unsigned *bends)
{
    const struct AstarStates *all = search->own.states;
    *h = 0;
    *bends = all->looks_ahead && !is_ahead(search, step->x, step->y, step->direction);
    if (search->algorithm != ASTAR_DIJKSTRA)
        *h = astar_goal_estimate(search, search->costs.context, step->x, step->y,
                                 search->own.linked);
    bool by_host = search->goal.estimate != NULL;
    if (by_host && !(*h >= 0 && *h <= 1e300))
        return ASTAR_BAD_COST;
    if (by_host && astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    *h = *h * all->tilt + *bends * all->least;
    return ASTAR_OK;
}

static void push_state(AstarSearch *search, const AstarState *state, double h, unsigned bends)
{
    uint32_t number = (uint32_t)(state - search->own.states->states);
    double f = state->g + search->own.weight * h;
    AstarOpen item = astar_open(f, 0, 0);
    item.tie = (uint64_t)(state->bends + bends) << 32 | (uint32_t)~number; // the newest first
    astar_slotted_push(&search->front.open, f, item);
}

// Follows a step out of the state being expanded, over a side of its cell or over a link;
// 'direction' of the step is the direction, or ASTAR_FROM_LINK. 'exact' is the cost of the step
// before rounding. Sets '*taken' to true if no better path is known to the state that the step
// leads to. The array of states and the open list must each have room for one entry.
static AstarStatus relax_state(AstarSearch *search, const AstarSuccessor *step, double exact,
                               bool *taken)
{
    struct AstarStates *all = search->own.states;
    AstarState *here = &all->states[all->current];
    bool bend = here->from < ASTAR_DIRECTIONS && step->direction < ASTAR_DIRECTIONS &&
                here->from != step->direction;
    double g = here->g + step->cost + all->turn[here->from][step->direction], h;
    uint32_t bends = here->bends + bend;
    unsigned bends_on;
    *taken = false;
    if (is_outdone(all, NULL, step->direction, g, bends, first_state(search, step->x, step->y)))
        return ASTAR_OK;
    AstarStatus status = estimate_state(search, step, &h, &bends_on);
    if (status != ASTAR_OK)
        return status;
    bool by_way = search->goal.tracks || search->goal.estimate != NULL;
    if ((by_way ? g : g + h) > search->limit) {
        search->failure = ASTAR_MAX_COST;
        return ASTAR_OK;
    }
    if (g + h > all->bound)
        return ASTAR_OK;
    AstarState *state = need_state(search, step->cell, step->x, step->y, step->direction);
    if (state == NULL)
        return ASTAR_NO_MEMORY;
    state->g = g;
    state->step = exact;
    state->bends = bends;
    state->parent = (uint32_t)all->current;
    state->closed = false;
    push_state(search, state, h, bends_on);
    *taken = true;
    return ASTAR_OK;
}

// Follows a step in the direction 'd', over the side 'side', into a cell that costs 'cost' to
// enter.
static AstarStatus follow_direction(AstarSearch *search, uint32_t cell, int x, int y, int d,
                                    int side, double cost)
{
    const AstarFinder *finder = search->finder;
    double exact = astar_finder_round(finder, d & 1 ? cost * finder->options.diagonal_cost : cost);
    AstarStatus status = astar_costs_of_step(&search->costs, x, y, d, &exact);
    if (status != ASTAR_OK || isinf(exact))
        return status;
    AstarSuccessor step = {
        .cell = cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]),
        .x = x + astar_dx[d],
        .y = y + astar_dy[d],
        .direction = (uint8_t)side,
        .cost = astar_round(exact, search->own.states->unit),
    };
    bool taken;
    return relax_state(search, &step, exact, &taken);
}

static AstarStatus follow_state_link(AstarSearch *search, const AstarArc *arc)
{
    struct AstarStates *all = search->own.states;
    AstarSuccessor step = {.cell = arc->to, .direction = ASTAR_FROM_LINK};
    astar_cell_xy(search->grid, arc->to, &step.x, &step.y);
    double exact;
    AstarStatus status = astar_links_cost(search, arc, &exact);
    if (status != ASTAR_OK || isinf(exact))
        return status;
    step.cost = astar_round_link(exact, all->unit);
    if (!reserve_states(all, &search->allocator, 1) ||
        !astar_slotted_reserve(&search->front.open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    bool taken;
    status = relax_state(search, &step, exact, &taken);
    if (taken)
        astar_links_note_arrival(search, arc);
    return status;
}

static AstarStatus follow_links_of_state(AstarSearch *search, uint32_t cell)
{
    const AstarLinksAndWalls *links = search->grid->links_and_walls;
    uint32_t i = astar_arcs_first_from(links, cell);
    AstarStatus status = ASTAR_OK;
    const AstarArc *each;
    for (; status == ASTAR_OK && (each = astar_arc_at(&links->arcs, i)) != NULL; i++) {
        AstarArc arc = *each;
        if (arc.from != cell)
            break;
        status = follow_state_link(search, &arc);
    }
    return status;
}

// Expands the current state. The step straight back is left out unless some bend costs more than
// turning back, because every step after it could already have been made from the cell before.
static AstarStatus expand_state(AstarSearch *search)
{
    const AstarShape *shape = search->grid->shape;
    const AstarState *here = &search->own.states->states[search->own.states->current];
    uint32_t cell = here->cell;
    AstarAround around;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    unsigned phase = astar_phase(shape, x, y);
    unsigned wanted = shape->around[phase];
    const int8_t *sides = shape->sides_of[phase];
    if (here->from < ASTAR_DIRECTIONS && !search->own.states->turns_back &&
        astar_states_parent(search, here) != here)
        wanted &= ~(
            1u << shape->steps_over[phase][(here->from + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS]);
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, false, &wanted, &around);
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        status = follow_direction(search, cell, x, y, d, sides[d], around.costs[d]);
    }
    return status == ASTAR_OK && search->own.linked ? follow_links_of_state(search, cell) : status;
}

// The search.

// Closes a state. If it is the first closed state of its cell, checks whether the cell is the goal
// or the nearest cell.
static AstarStatus close_state(AstarSearch *search, AstarState *state)
{
    struct AstarStates *all = search->own.states;
    bool is_known = astar_states_has_closed(search, state->cell);
    state->closed = true;
    if (is_known)
        return ASTAR_RUNNING;
    AstarStatus status = astar_goal_close(search, state->cell);
    if (search->found == state->cell)
        all->found = state - all->states;
    if (search->goal.nearest == state->cell)
        all->nearest = state - all->states;
    return status;
}

// Takes states off the open list until one is to be expanded, and returns ASTAR_RUNNING. If many
// stale entries were skipped, or if the open list needs more time, no state may have been found
// yet.
static AstarStatus take_state(AstarSearch *search)
{
    struct AstarStates *all = search->own.states;
    AstarSlottedQueue *open = &search->front.open;
    for (int passed = 0; passed < ASTAR_MOST_PASSED; passed++) {
        if (astar_slotted_count(open) == 0)
            return astar_search_exhausted(search);
        if (!astar_slotted_is_ready(open))
            return ASTAR_RUNNING;
        AstarOpen item = astar_slotted_pop(open);
        AstarState *state = &all->states[(uint32_t)~item.tie];
        if (state->closed || is_outdone(all, state, state->from, state->g, state->bends,
                                        first_state_of(search, state->cell)))
            continue;
        if (search->found != ASTAR_NO_CELL && astar_open_f(item) > search->limit)
            return ASTAR_OK;
        AstarStatus status = close_state(search, state);
        if (status != ASTAR_RUNNING)
            return status;
        if (search->found != ASTAR_NO_CELL && astar_goal_set_is_past(search, state->cell))
            continue;
        if (search->expanded == search->query.max_expansions) {
            search->failure = ASTAR_MAX_EXPANSIONS;
            return astar_search_exhausted(search);
        }
        all->current = state - all->states;
        return ASTAR_RUNNING;
    }
    return ASTAR_RUNNING;
}

static AstarStatus plant_state(AstarSearch *search)
{
    struct AstarStates *all = search->own.states;
    AstarSlottedQueue *open = &search->front.open;
    AstarHeading heading = search->query.heading;
    all->count = 0;
    astar_array_drop_move(&search->allocator, sizeof *all->states, &all->move);
    if (!astar_pages_begin(&search->front.nodes, &search->allocator, search->grid->width,
                           search->grid->height) ||
        !reserve_states(all, &search->allocator, 1) ||
        !astar_slotted_reserve(open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    int from = heading != ASTAR_NO_HEADING ? (int)heading - 1 : ASTAR_FROM_NOWHERE;
    const AstarState *root = need_state(search, search->start, search->start_x, search->start_y,
                                        from);
    if (root == NULL)
        return ASTAR_NO_MEMORY;
    astar_slotted_clear(open, search->finder->min_cost / ASTAR_SLOTS_A_STEP);
    push_state(search, root, 0, 0);
    return ASTAR_OK;
}

// Computes the tables of the costs of turns if the costs of bends or the grid's shape have changed.
static void work_out_turns(struct AstarStates *all, const AstarFinder *finder)
{
    const AstarShape *shape = finder->grid->shape;
    const AstarOptions *options = &finder->options;
    double costs[ASTAR_BEND_ANGLES];
    for (int i = 0; i < ASTAR_BEND_ANGLES; i++)
        costs[i] = astar_round(
            options->bend_costs != NULL ? options->bend_costs[i] : options->bend_cost, all->unit);
    // On squares without diagonal steps bends are of 90 and 180 degrees only.
    all->least = fmin(costs[1], costs[3]);
    if (finder->rule->has_diagonals || !shape->has_corners)
        all->least = fmin(all->least, fmin(costs[0], costs[2]));
    if (all->shape == shape && memcmp(costs, all->bend_costs, sizeof costs) == 0)
        return;
    all->shape = shape;
    memcpy(all->bend_costs, costs, sizeof costs);
    all->turns_back = costs[3] < fmax(fmax(costs[0], costs[1]), costs[2]);
    for (int from = 0; from < ASTAR_DIRECTIONS; from++)
        for (int to = 0; to < ASTAR_DIRECTIONS; to++) {
            AstarMiddle way = {shape->along[from], shape->across[from]};
            int turn = astar_turn(shape, way, (AstarMiddle){shape->along[to], shape->across[to]});
            all->turn[from][to] = turn > 0 ? costs[turn - 1] : 0;
        }
    for (int i = 0; i < WAYS_IN * WAYS_IN; i++) {
        int from = i / WAYS_IN, other = i % WAYS_IN;
        all->lead[from][other] = 0;
        for (int to = 0; to < ASTAR_DIRECTIONS; to++)
            all->lead[from][other] = fmax(all->lead[from][other],
                                          all->turn[from][to] - all->turn[other][to]);
    }
}

void astar_states_bound(AstarSearch *search, double known)
{
    search->own.states->bound = known * ASTAR_LENIENCE;
}

AstarStatus astar_bends_begin(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    AstarGoal *goal = &search->goal;
    if (search->own.states == NULL)
        search->own.states = astar_alloc(&search->allocator, 1, sizeof *search->own.states);
    struct AstarStates *all = search->own.states;
    if (all == NULL)
        return ASTAR_NO_MEMORY;
    search->found = ASTAR_NO_CELL;
    if (search->algorithm == ASTAR_ASTAR && !astar_goal_is_of_many(goal))
        goal->estimate = finder->options.estimate;
    all->current = all->found = all->nearest = NO_STATE;
    all->bound = INFINITY;
    all->unit = finder->costs.unit != 0 ? finder->costs.unit : astar_finder_exact_unit(finder);
    work_out_turns(all, finder);
    // Estimates that are not multiples of the unit of cost are lowered a little, so that they do
    // not exceed the rounded costs of steps.
    bool is_exact = finder->costs.unit != 0 && !finder->costs.heuristic.euclidean &&
                    goal->estimate == NULL;
    all->tilt = is_exact ? 1 : 1 - 0x1p-28;
    all->looks_ahead = goal->kind == ASTAR_GOAL_CELL && !goal->tracks && !search->own.linked;
    return plant_state(search);
}

AstarStatus astar_run_bends(AstarSearch *search, uint64_t expansions)
{
    struct AstarStates *all = search->own.states;
    for (; expansions > 0; expansions--) {
        if (are_states_crowded(all)) {
            if (!make_room_for_states(all, &search->allocator))
                return ASTAR_NO_MEMORY;
            expansions -= expansions < ROOM_EXPANSIONS ? expansions - 1 : ROOM_EXPANSIONS - 1;
            continue;
        }
        if (!astar_slotted_reserve(&search->front.open, &search->allocator, ASTAR_DIRECTIONS) ||
            !reserve_states(all, &search->allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        if (all->current == NO_STATE) {
            AstarStatus status = take_state(search);
            if (status != ASTAR_RUNNING)
                return status;
            if (all->current == NO_STATE)
                continue;
        }
        AstarStatus status = expand_state(search);
        if (status != ASTAR_OK)
            return status;
        search->expanded++;
        all->current = NO_STATE;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_bends_trace(AstarSearch *search, AstarPath *path)
{
    const struct AstarStates *all = search->own.states;
    const AstarState *state = search->stepped.tracing.state;
    if (state == NULL)
        state = &all->states[all->found != NO_STATE ? all->found : all->nearest];
    const AstarState *parent = astar_states_parent(search, state);
    if (parent == state)
        return ASTAR_OK;
    int direction = direction_to_state(search, state);
    AstarStatus status = direction == ASTAR_FROM_LINK ? astar_trace_link(search, path)
                                                      : astar_trace_run(search, direction, 1, path);
    search->stepped.tracing.step_costs += state->step;
    search->stepped.tracing.state = parent;
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
