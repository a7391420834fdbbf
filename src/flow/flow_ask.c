// flow_ask.c -- questions to flow fields.
//
// Each first brings the flow up with its grid and then settles as much of it as the answer needs.

#include "flow/flow.h"

#include "path/path.h"

#include <math.h>

// Makes a flow, whose source is current, fit for the grid as it is, ready to settle.
// ASTAR_RUNNING: once more.
static AstarStatus prepare_alone(AstarFlow *flow, void *context)
{
    flow->costs.context = context; // a question to it has put its own there
    AstarStatus status = astar_flow_sync(flow);
    return status == ASTAR_OK ? astar_flow_plant(flow) : status;
}

// Settles buckets of such a flow, as far as there is anything left to do now, until all are or
// those below 'until' are: ASTAR_OK; ASTAR_RUNNING: there is more to do.
static AstarStatus settle_alone(AstarFlow *flow, void *context, int64_t until)
{
    for (;;) {
        AstarStatus status = prepare_alone(flow, context);
        if (status == ASTAR_OK) {
            bool is_complete = astar_bucket_queue_are_empty(&flow->open);
            if (!is_complete && flow->open.current >= until)
                return ASTAR_OK;
            if (is_complete)
                status = flow->steps_only ? astar_flow_pack(flow) : ASTAR_OK;
            if (is_complete && status == ASTAR_OK)
                return ASTAR_OK;
            if (!is_complete)
                status = flow->work.left > 0 ? astar_flow_settle_bucket(flow) : ASTAR_RUNNING;
        }
        if (status != ASTAR_OK && (status != ASTAR_RUNNING || flow->work.left == 0))
            return status;
    }
}

// Of those that a flow flees from, in a long row perhaps, the one that is to be worked out next: it
// flees from none, or from one that is current; the flow itself where its source is.
static AstarFlow *first_to_settle(AstarFlow *flow)
{
    while (flow->fled.source != NULL && !astar_flow_is_current(flow->fled.source))
        flow = astar_flow_is_current(flow->fled.skip) ? flow->fled.source : flow->fled.skip;
    return flow;
}

// Works out all that a flow flees from, the farthest first.
static AstarStatus settle_sources(AstarFlow *flow, void *context)
{
    AstarStatus status = ASTAR_OK;
    for (AstarFlow *each; status == ASTAR_OK && (each = first_to_settle(flow)) != flow;) {
        uint64_t outer = each->work.left;
        each->work.left = flow->work.left;
        status = settle_alone(each, context, INT64_MAX);
        flow->work.left = each->work.left;
        each->work.left = outer;
    }
    return status;
}

// Settles them all, then the flow. A callback may ask the flow in between.
static AstarStatus settle_some(AstarFlow *flow, void *context, int64_t until, uint64_t most)
{
    uint64_t outer = flow->work.left;
    flow->work.left = most;
    AstarStatus status = settle_sources(flow, context);
    if (status == ASTAR_OK)
        status = settle_alone(flow, context, until);
    flow->work.left = outer;
    return status;
}

AstarStatus astar_flow_complete(AstarFlow *flow, void *context)
{
    return settle_some(flow, context, INT64_MAX, UINT64_MAX);
}

AstarStatus astar_flow_step_on_map(AstarFlow *flow, uint64_t expansions, void *context)
{
    int64_t work = astar_work_of(expansions);
    AstarStatus status = astar_finder_advance(astar_finder_original(flow->finder), &work);
    return status == ASTAR_OK ? settle_some(flow, context, INT64_MAX, expansions) : status;
}

AstarStatus astar_flow_update(AstarFlow *flow, void *context)
{
    int64_t until = astar_flow_is_worked_out(flow) ? INT64_MAX : flow->reached;
    return settle_some(flow, context, until, UINT64_MAX);
}

// ---- questions ----

// Whether steps are all that is known of the grid as it is.
static bool is_packed_now(const AstarFlow *flow)
{
    return astar_packed_steps_are_whole(&flow->packed) &&
           flow->of.finder == astar_finder_version(flow->finder);
}

// Settles the flow as far as a cell needs; its distance and where that comes from, unless
// 'direction' is NULL. ASTAR_RUNNING where a callback has had the flow packed meanwhile.
static AstarStatus settle_as_far_as(AstarFlow *flow, uint32_t cell, int x, int y, void *context,
                                    double *best, int *direction)
{
    uint64_t outer = flow->work.left;
    AstarStatus status;
    bool is_known = false;
    flow->work.left = UINT64_MAX;
    do {
        status = settle_sources(flow, context);
        if (status == ASTAR_OK)
            status = prepare_alone(flow, context);
        if (status == ASTAR_OK && is_packed_now(flow)) {
            status = ASTAR_RUNNING;
            break;
        }
        if (status == ASTAR_OK)
            status = astar_flow_look_up(flow, cell, x, y, best, direction);
        if (status == ASTAR_OK) {
            is_known = astar_flow_is_settled(flow, *best);
            status = is_known ? ASTAR_OK : astar_flow_settle_bucket(flow);
        }
    } while ((status == ASTAR_RUNNING && !is_packed_now(flow)) ||
             (status == ASTAR_OK && !is_known));
    flow->work.left = outer;
    return status;
}

// What a question about a cell comes to: its distance and where that comes from.
static AstarStatus ask_flow(AstarFlow *flow, int x, int y, void *context, double *best,
                            int *direction)
{
    if (!astar_inside(flow->finder->grid, x, y))
        return ASTAR_BAD_CELL;
    uint32_t cell = astar_cell(flow->finder->grid, x, y);
    AstarStatus status = settle_as_far_as(flow, cell, x, y, context, best, direction);
    if (status != ASTAR_OK)
        return status;
    if (!astar_flow_bears(flow, cell) || *best > 1e300)
        return astar_flow_reason(flow, x, y, context);
    return *best > flow->beyond.limit ? ASTAR_MAX_COST : ASTAR_OK;
}

AstarStatus astar_flow_distance(AstarFlow *flow, int x, int y, void *context, double *distance)
{
    if (flow->steps_only)
        return ASTAR_BAD_OPTION;
    double best;
    AstarStatus status;
    do
        status = ask_flow(flow, x, y, context, &best, NULL);
    while (status == ASTAR_RUNNING); // it was asked by a callback
    if (status == ASTAR_OK)
        *distance = best;
    return status;
}

// Keeps where units go on from a cell. A cell without a distance, at which
// a blocked goal may be worth more than all that was reached, is asked about again until all is.
static AstarStatus remember_next(AstarFlow *flow, uint32_t cell, int direction)
{
    bool is_told = astar_flow_at(flow, cell) > 1e300;
    if (is_told && !astar_bucket_queue_are_empty(&flow->open))
        return ASTAR_OK;
    flow->has.told |= is_told;
    AstarFlowPage *page = astar_flow_page_for(flow, cell);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    flow->has.nexts = true;
    page->nexts[cell % ASTAR_FLOW_PAGE_CELLS] = (uint8_t)(direction + 1);
    return ASTAR_OK;
}

static AstarStatus find_next(AstarFlow *flow, int x, int y, void *context, int *direction)
{
    if (!astar_inside(flow->finder->grid, x, y))
        return ASTAR_BAD_CELL;
    uint32_t cell = astar_cell(flow->finder->grid, x, y);
    AstarStatus status;
    do {
        flow->costs.context = context;
        *direction = astar_flow_recalled(flow, cell);
        if (*direction >= 0)
            return *direction == ASTAR_FLOW_BEYOND ? ASTAR_MAX_COST : ASTAR_OK;
        double best;
        status = is_packed_now(flow) ? astar_flow_reason(flow, x, y, context)
                                     : ask_flow(flow, x, y, context, &best, direction);
    } while (status == ASTAR_RUNNING);
    return status == ASTAR_OK ? remember_next(flow, cell, *direction) : status;
}

// Where the link leads that a cell's distance comes from, or begins, of astar_reach_new.
static AstarStatus pass_link(AstarFlow *flow, int x, int y, int *next_x, int *next_y, AstarArc *arc)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarFlowOffer best;
    AstarStatus status;
    do {
        best = (AstarFlowOffer){.distance = INFINITY};
        uint32_t cell = astar_cell(grid, x, y);
        if (is_packed_now(flow)) {
            best.arc = *astar_packed_link(&flow->packed, cell);
            status = ASTAR_OK;
        } else {
            status = astar_flow_best_link(flow, cell, &best);
        }
    } while (status == ASTAR_RUNNING); // the flow was asked by a callback
    uint32_t other = flow->forward ? best.arc.from : best.arc.to;
    *next_x = (int)(other % (uint32_t)grid->width);
    *next_y = (int)(other / (uint32_t)grid->width);
    if (arc != NULL)
        *arc = best.arc;
    return status;
}

// The cell that a remembered direction, none over a link, leads to.
static void go_on(int x, int y, int direction, int *next_x, int *next_y)
{
    *next_x = x + (direction < ASTAR_FLOW_STAY ? astar_dx[direction] : 0);
    *next_y = y + (direction < ASTAR_FLOW_STAY ? astar_dy[direction] : 0);
}

AstarStatus astar_flow_next(AstarFlow *flow, int x, int y, void *context, int *next_x, int *next_y)
{
    int direction;
    AstarStatus status = find_next(flow, x, y, context, &direction);
    if (status != ASTAR_OK)
        return status;
    if (direction == ASTAR_FLOW_LINK)
        return pass_link(flow, x, y, next_x, next_y, NULL);
    go_on(x, y, direction, next_x, next_y);
    return ASTAR_OK;
}

bool astar_flow_recall(const AstarFlow *flow, int x, int y, int *next_x, int *next_y)
{
    if (!astar_inside(flow->finder->grid, x, y))
        return false;
    int direction = astar_flow_recalled(flow, astar_cell(flow->finder->grid, x, y));
    if (direction < 0 || direction > ASTAR_FLOW_STAY)
        return false;
    go_on(x, y, direction, next_x, next_y);
    return true;
}

AstarStatus astar_flow_cell(AstarFlow *flow, uint64_t *cell, void *context, int *x, int *y,
                            double *distance)
{
    if (flow->steps_only)
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_flow_complete(flow, context);
    if (status != ASTAR_OK)
        return status;
    const AstarGrid *grid = flow->finder->grid;
    *distance = INFINITY;
    while (*distance > 1e300 && (*cell = astar_flow_next_paged(flow, *cell)) < grid->cells) {
        const double *distances = astar_flow_page(flow, (uint32_t)*cell)->distances;
        do
            *distance = distances[*cell % ASTAR_FLOW_PAGE_CELLS];
        while (*distance > 1e300 && ++*cell % ASTAR_FLOW_PAGE_CELLS != 0);
    }
    if (*cell >= grid->cells)
        return ASTAR_UNREACHABLE;
    *x = (int)(*cell % (uint32_t)grid->width);
    *y = (int)(*cell / (uint32_t)grid->width);
    ++*cell;
    return ASTAR_OK;
}

// ---- paths ----

// Adds what a step costs to the sums of straight and diagonal ones, so that like terms round but
// once.
static AstarStatus add_cost(AstarFlow *flow, int x, int y, int direction, double sums[2])
{
    double cost;
    AstarStatus status;
    if (flow->finder->options.step_cost == NULL) {
        status = astar_costs_cell(&flow->costs, x + astar_dx[direction], y + astar_dy[direction],
                                  &cost);
        sums[direction & 1] += cost;
    } else {
        status = astar_costs_step(&flow->costs, x, y, direction, &cost, NULL);
        sums[0] += cost;
    }
    return status;
}

// Adds the step over the link that goes on from (x, y), and goes there.
static AstarStatus follow_link(AstarFlow *flow, int *x, int *y, AstarPath *path, double sums[2])
{
    AstarArc arc;
    AstarStatus status = pass_link(flow, *x, *y, x, y, &arc);
    double cost = arc.cost;
    if (status == ASTAR_OK)
        status = astar_costs_of_link(&flow->costs, arc.from, arc.to, &cost);
    sums[0] += cost;
    return status == ASTAR_OK ? astar_path_add_link(path, *x, *y, arc.label) : status;
}

// Adds the step in a direction, and goes there.
static AstarStatus follow_step(AstarFlow *flow, int d, int *x, int *y, AstarPath *path,
                               double sums[2])
{
    int from_x = *x, from_y = *y;
    *x += astar_dx[d];
    *y += astar_dy[d];
    AstarStatus status = flow->forward ? add_cost(flow, *x, *y, (d + 4) & 7, sums)
                                       : add_cost(flow, from_x, from_y, d, sums);
    return status == ASTAR_OK ? astar_path_add(path, *x, *y, 1) : status;
}

// Adds the cells from (x, y) on.
static AstarStatus follow_flow(AstarFlow *flow, int x, int y, void *context, AstarPath *path,
                               double sums[2])
{
    AstarStatus status = astar_path_add(path, x, y, 1);
    while (status == ASTAR_OK) {
        int d;
        status = find_next(flow, x, y, context, &d);
        if (status != ASTAR_OK || d == ASTAR_FLOW_STAY)
            break;
        flow->costs.context = context;
        status = d == ASTAR_FLOW_LINK ? follow_link(flow, &x, &y, path, sums)
                                      : follow_step(flow, d, &x, &y, path, sums);
    }
    return status;
}

AstarStatus astar_flow_path(AstarFlow *flow, int x, int y, void *context, AstarPath *path)
{
    int d;
    AstarStatus status = find_next(flow, x, y, context, &d);
    if (status != ASTAR_OK)
        return status;
    double sums[2] = {0, 0};
    astar_path_clear(path, astar_flow_allocator(flow));
    path->offset = flow->finder->grid->shape->offset;
    status = follow_flow(flow, x, y, context, path, sums);
    if (status != ASTAR_OK)
        return status;
    if (flow->forward)
        astar_path_turn(path);
    const AstarOptions *options = &flow->finder->options;
    path->cost = sums[0] + sums[1] * options->diagonal_cost;
    path->expanded = 0;
    path->algorithm = ASTAR_DIJKSTRA;
    path->partial = false;
    path->question = flow->finder->question;
    path->orthogonal = !flow->finder->rule->has_diagonals;
    astar_path_measure(path);
    return ASTAR_OK;
}
