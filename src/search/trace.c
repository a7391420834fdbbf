// trace.c -- the route that a search has found, read back from its nodes.
//
// Those of a long route lie all over memory: 100,000 of them take 6 ms. So a search in steps reads
// them a little at a time before it says that it has found its way. Where edits come in between it
// goes on where the search would have: what it has not read yet is as it was, or all begins anew.
// A search that takes edits in would have to look further; its route is read in one go when it is
// asked for, and so is that of one that jumps over uniform ground, whose nodes are few.

#include "search/search.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "path/zigzags.h"
#include "search/baked_route.h"
#include "search/bends.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/links.h"

enum { WORK_OF_A_TRACED_CELL = 16 };

// ---- cells ----

// Begins with the cell that the path ends at.
static AstarStatus add_end(AstarSearch *search, AstarPath *path)
{
    AstarCell *at = &search->tracing.at;
    astar_cell_xy(search->grid, search->found, &at->x, &at->y);
    return astar_path_add(path, at->x, at->y, 1);
}

static void add_traced_step(const AstarSearch *search, int direction, AstarTracing *tracing)
{
    double cost = astar_costs_known(&search->costs, tracing->at.x, tracing->at.y);
    if (direction & 1)
        tracing->diagonal += cost;
    else
        tracing->straight += cost;
}

// Follows the link that led to a cell to the one at its other end.
static AstarStatus add_link(AstarSearch *search, AstarPath *path)
{
    const AstarGrid *grid = search->grid;
    AstarCell *at = &search->tracing.at;
    const AstarLinkArrival *arrival = astar_links_arrival(search, astar_cell(grid, at->x, at->y));
    astar_cell_xy(grid, arrival->from, &at->x, &at->y);
    search->tracing.links += arrival->cost;
    return astar_path_add_link(path, at->x, at->y, arrival->label);
}

// Follows steps in one direction back to the cell they began at.
static AstarStatus add_run(AstarSearch *search, int direction, int steps, AstarPath *path)
{
    AstarTracing *tracing = &search->tracing;
    for (int i = 0; i < steps; i++) {
        add_traced_step(search, direction, tracing);
        tracing->at.x -= astar_dx[direction];
        tracing->at.y -= astar_dy[direction];
    }
    return astar_path_add(path, tracing->at.x, tracing->at.y, steps);
}

// ---- nodes ----

// Each of the functions below goes back by a node: ASTAR_RUNNING; ASTAR_OK at the start.

static AstarStatus trace_step(AstarSearch *search, AstarPath *path)
{
    const AstarCell *at = &search->tracing.at;
    int from = astar_node_from(astar_pages_state(&search->front.nodes, at->x, at->y));
    if (from == ASTAR_FROM_NOWHERE)
        return ASTAR_OK;
    if (astar_notes_steps(search))
        search->tracing.said += astar_pages_value(&search->said, at->x, at->y);
    AstarStatus status = from == ASTAR_FROM_LINK ? add_link(search, path)
                                                 : add_run(search, from, 1, path);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// The same where bends count.
static AstarStatus trace_state(AstarSearch *search, AstarPath *path)
{
    const AstarState *state = search->tracing.state;
    const AstarState *parent = astar_states_parent(search, state);
    if (parent == state)
        return ASTAR_OK;
    int direction = astar_states_direction(search, state);
    AstarStatus status = direction == ASTAR_FROM_LINK ? add_link(search, path)
                                                      : add_run(search, direction, 1, path);
    search->tracing.said += state->step;
    search->tracing.state = parent;
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// The same where some cells are irregular.
static AstarStatus trace_legs(AstarSearch *search, AstarPath *path)
{
    const AstarCell *at = &search->tracing.at;
    AstarStatus status = ASTAR_OK;
    if (at->x == search->start_x && at->y == search->start_y)
        return ASTAR_OK;
    uint32_t cell = astar_cell(search->grid, at->x, at->y);
    const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
    if (astar_jump_arrival(node) == ASTAR_ARRIVED_BY_LINK) {
        status = add_link(search, path);
    } else {
        AstarLegs legs = astar_jump_legs(search, astar_jump_parent(node), cell);
        if (legs.steps[1] > 0)
            status = add_run(search, legs.directions[1], legs.steps[1], path);
        if (status == ASTAR_OK && legs.steps[0] > 0)
            status = add_run(search, legs.directions[0], legs.steps[0], path);
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

static AstarStatus trace_node(AstarSearch *search, AstarPath *path)
{
    if (search->bends)
        return trace_state(search, path);
    return search->algorithm == ASTAR_JPSW ? trace_legs(search, path) : trace_step(search, path);
}

// ---- routes ----

static bool counts_steps(const AstarSearch *search)
{
    return !search->bends && (search->algorithm == ASTAR_JPS || astar_is_baked(search->algorithm));
}

// The cells from the start to 'found' over uniform ground, where steps are counted.
static AstarStatus trace_jumps(AstarSearch *search, AstarPath *path)
{
    AstarTracing *sum = &search->tracing;
    AstarStatus status;
    if (ASTAR_HAS_BAKING && astar_is_baked(search->algorithm)) {
        status = astar_baked_route_trace(search, path, &sum->straight, &sum->diagonal);
    } else {
        status = astar_jps_trace(search, path, &sum->straight, &sum->diagonal);
        astar_path_turn(path);
    }
    path->length = sum->straight + sum->diagonal * ASTAR_SQRT2;
    sum->straight *= search->finder->min_cost;
    sum->diagonal *= search->finder->min_cost;
    return status;
}

// Gathers the same from its end, a node at a time.
static AstarStatus trace_nodes(AstarSearch *search, AstarPath *path, int64_t *work)
{
    AstarTracing *tracing = &search->tracing;
    AstarStatus status = tracing->is_begun ? ASTAR_OK : add_end(search, path);
    if (!tracing->is_begun && search->bends)
        tracing->state = astar_states_end(search);
    tracing->is_begun = true;
    for (status = status == ASTAR_OK ? ASTAR_RUNNING : status; status == ASTAR_RUNNING;) {
        int before = path->cells;
        if (*work <= 0)
            return ASTAR_RUNNING;
        status = trace_node(search, path);
        *work -= (int64_t)(path->cells - before) * WORK_OF_A_TRACED_CELL;
    }
    astar_path_turn(path);
    return status;
}

// Whether zigzags are to be taken out of the route. What callbacks say of other cells is not known.
static bool is_to_be_straightened(const AstarSearch *search)
{
    return search->question.bends == ASTAR_BENDS_FEWER && !search->bends &&
           !astar_finder_has_callbacks(search->finder);
}

static void begin_found_path(const AstarSearch *search, AstarPath *found)
{
    astar_path_clear(found, &search->allocator);
    found->goal_x = search->goal.x;
    found->goal_y = search->goal.y;
    found->offset = search->grid->shape->offset;
    found->question = search->question;
    found->best_at = 0;
}

// Notes what the path is besides its cells.
static void describe_found_path(const AstarSearch *search, AstarPath *found)
{
    const AstarOptions *options = &search->finder->options;
    const AstarTracing *sum = &search->tracing;
    if (is_to_be_straightened(search))
        astar_take_out_zigzags(found, search->finder);
    found->cost = sum->straight + sum->diagonal * options->diagonal_cost + sum->links;
    if (options->step_cost != NULL)
        found->cost = search->bends || astar_notes_steps(search)
                          ? sum->said
                          : astar_node_g(search, search->found);
    if (options->bend_cost > 0)
        found->cost += options->bend_cost * astar_path_bends(found);
    found->expanded = search->expanded;
    found->algorithm = search->algorithm;
    found->partial = search->found == search->goal.nearest ||
                     search->goal.kind == ASTAR_GOAL_NEAR ||
                     search->goal.kind == ASTAR_GOAL_SET_NEAR;
    found->orthogonal = !search->finder->rule->has_diagonals;
    if (search->question.weight == 1 && options->estimate == NULL && options->bend_cost == 0 &&
        !astar_finder_has_callbacks(search->finder))
        found->best_at = search->costs.version + 1;
    if (!counts_steps(search) || is_to_be_straightened(search))
        astar_path_measure(found);
}

AstarStatus astar_search_trace_on(AstarSearch *search, int64_t *work)
{
    AstarTracing *tracing = &search->tracing;
    AstarPath *found = &search->parts[0]; // how many points there are only shows in the end
    if (!tracing->is_begun) {
        *tracing = (AstarTracing){.state = NULL};
        begin_found_path(search, found);
    }
    AstarStatus status = counts_steps(search) ? trace_jumps(search, found)
                                              : trace_nodes(search, found, work);
    if (status != ASTAR_RUNNING)
        tracing->is_begun = false;
    if (status == ASTAR_OK)
        describe_found_path(search, found);
    return status;
}

AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path)
{
    AstarTracing *tracing = &search->tracing;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = tracing->is_whole ? ASTAR_OK : astar_search_trace_on(search, &work);
    return status == ASTAR_OK ? astar_path_assign(&search->parts[0], path) : status;
}
