// flow_life.c -- How flow fields are created, restarted, computed on snapshots, and freed.
//
// Distances grow backward from the goals: a cell n with a step into cell c gets the distance of c
// plus the cost of entering c. For movement ranges they grow forward from a start. Distances are
// computed as far as a query needs. flow_sweep.c computes them with the help of flow_query.c, which
// finds the steps and answers queries. flow_repair.c updates distances after edits.

#include "flow/flow_life.h"

#include "base/array.h"
#include "base/job_kind.h"
#include "flow/flow.h"
#include "flow/flow_pack.h"
#include "flow/flow_query.h"
#include "flow/flow_sweep.h"
#include "search/goal.h"
#include "search/reachable.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

static const double LOWEST_FACTOR = -1000, HIGHEST_FACTOR = -1;

// The following functions create and release flows.

const char *astar_flow_refusal(const AstarFinder *finder)
{
    return astar_option_refused_by_flow(&finder->options);
}

AstarStatus astar_flow_make(AstarFinder *finder, double max_cost, AstarFlow **out)
{
    if (astar_flow_refusal(finder) != NULL)
        return ASTAR_BAD_OPTION;
    const AstarAllocator *allocator = &finder->grid->allocator;
    AstarFlow *flow = astar_alloc(allocator, 1, sizeof *flow);
    if (flow == NULL)
        return ASTAR_NO_MEMORY;
    flow->references = 1;
    flow->finder = finder;
    astar_finder_retain(finder);
    flow->max_cost = max_cost;
    *out = flow;
    return ASTAR_OK;
}

void astar_flow_snapshot_free(AstarFlowSnapshot *snapshot, const AstarAllocator *allocator)
{
    astar_flow_release(snapshot->twin);
    astar_snapshot_leave(snapshot->map);
    astar_release(allocator, snapshot, 1, sizeof *snapshot);
}

static void free_flow_snapshots(AstarFlow *flow)
{
    while (flow->stepped.snapshot != NULL) {
        AstarFlowSnapshot *snapshot = flow->stepped.snapshot;
        flow->stepped.snapshot = snapshot->before;
        astar_flow_snapshot_free(snapshot, astar_flow_allocator(flow));
    }
}

static size_t flow_snapshots_bytes(const AstarFlow *flow)
{
    size_t bytes = 0;
    for (const AstarFlowSnapshot *each = flow->stepped.snapshot; each != NULL; each = each->before)
        bytes += sizeof *each + astar_snapshot_bytes(each->map) +
                 (each->twin != NULL ? astar_flow_bytes(each->twin) : 0);
    return bytes;
}

static void free_flow(AstarFlow *flow)
{
    AstarFinder *finder = flow->finder;
    const AstarAllocator *allocator = &finder->grid->allocator;
    free_flow_snapshots(flow);
    astar_release(allocator, flow->sown.seeds, flow->sown.capacity, sizeof *flow->sown.seeds);
    astar_flow_drop_distances(flow);
    astar_packed_steps_free(&flow->packed, allocator);
    astar_bucket_queue_free(&flow->open, allocator);
    astar_cells_free(&flow->mend.raise, allocator);
    astar_cells_free(&flow->mend.lower, allocator);
    astar_cells_free(&flow->mend.expand, allocator);
    astar_flood_end(flow);
    astar_costs_free(&flow->costs, allocator);
    astar_release(allocator, flow, 1, sizeof *flow);
    astar_finder_release(finder); // may release the last reference to the grid
}

void astar_flow_release(AstarFlow *flow)
{
    while (flow != NULL && --flow->references == 0) {
        AstarFlow *source = flow->fled.source;
        free_flow(flow);
        flow = source;
    }
}

// The skip pointers are those of E. Myers ("An applicative random-access stack", 1983). With them
// first_to_settle() finds any flow in a chain of n flows by following about 2 * log(n) pointers.
void astar_flow_flee_from(AstarFlow *flow, AstarFlow *source)
{
    const AstarFlow *skip = source->fled.skip;
    bool is_alike = skip != NULL && skip->fled.skip != NULL &&
                    source->fled.depth - skip->fled.depth ==
                        skip->fled.depth - skip->fled.skip->fled.depth;
    flow->fled.source = source;
    flow->fled.depth = source->fled.depth + 1;
    flow->fled.skip = is_alike ? skip->fled.skip : source;
}

size_t astar_flow_bytes(const AstarFlow *flow)
{
    size_t hops = flow->hops != NULL ? flow->finder->grid->cells : 0;
    return sizeof *flow + astar_flow_pages_bytes(&flow->pages) + hops * sizeof *flow->hops +
           astar_packed_steps_bytes(&flow->packed) + astar_costs_bytes(&flow->costs) +
           flow->sown.capacity * sizeof *flow->sown.seeds + astar_bucket_queue_bytes(&flow->open) +
           (flow->mend.raise.capacity + flow->mend.lower.capacity + flow->mend.expand.capacity) *
               sizeof(uint32_t) +
           astar_flood_bytes(flow) + flow_snapshots_bytes(flow) +
           (flow->finder->original != NULL ? astar_finder_lifted_bytes(flow->finder) : 0);
}

void astar_flow_keep_steps_only(AstarFlow *flow)
{
    flow->steps_only = true;
}

bool astar_flow_keeps_steps_only(const AstarFlow *flow)
{
    return flow->steps_only;
}

AstarFinder *astar_flow_finder(const AstarFlow *flow)
{
    return astar_finder_original(flow->finder);
}

uint64_t astar_flow_expanded(const AstarFlow *flow)
{
    return flow->work.done;
}

// The following functions find the seeds: the cells that distances grow from.

static AstarStatus add_seed(AstarFlow *flow, uint32_t cell, double value)
{
    if (!ASTAR_RESERVE(astar_flow_allocator(flow), flow->sown.seeds, flow->sown.count, 1,
                       &flow->sown.capacity, 8))
        return ASTAR_NO_MEMORY;
    flow->sown.seeds[flow->sown.count++] = (AstarSeed){cell, value};
    return ASTAR_OK;
}

static AstarStatus seed_in_range(void *context, uint32_t cell, const AstarSeed *goal)
{
    return add_seed(context, cell, goal->value);
}

// Makes a seed of each cell from which the unit is within 'reach' of a goal.
static AstarStatus add_goals(AstarFlow *flow, const AstarFlowGoal *goals, size_t count, int reach)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarRange range = {0};
    AstarStatus status = astar_range_begin(&range, &grid->allocator, grid, count, reach);
    for (size_t i = 0; status == ASTAR_OK && i < count; i++) {
        assert(astar_inside(grid, goals[i].x, goals[i].y) && isfinite(goals[i].value));
        astar_range_add(&range, astar_cell(grid, goals[i].x, goals[i].y), goals[i].value);
    }
    if (status == ASTAR_OK)
        status = astar_range_sweep(&range, grid, reach, astar_finder_body_in(flow->finder, reach),
                                   seed_in_range, flow);
    astar_range_free(&range, &grid->allocator);
    return status;
}

AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                           double max_cost, AstarFlow **out)
{
    return astar_flow_new_within(finder, goals, count, finder->options.range, max_cost, out);
}

AstarStatus astar_flow_new_within(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                                  int range, double max_cost, AstarFlow **out)
{
    if (range < 0 || range > ASTAR_MAX_SIDE)
        return ASTAR_BAD_OPTION;
    for (size_t i = 0; i < count; i++) {
        if (!astar_inside(finder->grid, goals[i].x, goals[i].y))
            return ASTAR_BAD_CELL;
        if (!isfinite(goals[i].value))
            return ASTAR_BAD_OPTION;
    }
    if (finder->grid->shape->wraps != 0 && range > 0)
        return ASTAR_BAD_WRAP;
    AstarFlow *flow;
    AstarStatus status = astar_flow_make(finder, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    status = add_goals(flow, goals, count, range);
    if (status == ASTAR_OK)
        *out = flow;
    else
        astar_flow_release(flow);
    return status;
}

AstarStatus astar_reach_new(AstarFinder *finder, int x, int y, double max_cost, AstarFlow **out)
{
    if (!astar_inside(finder->grid, x, y))
        return ASTAR_BAD_CELL;
    if (!(max_cost >= 0))
        return ASTAR_BAD_OPTION;
    AstarFlow *flow;
    AstarStatus status = astar_flow_make(finder, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    status = add_seed(flow, astar_cell(finder->grid, x, y), 0);
    flow->forward = true;
    if (status == ASTAR_OK)
        *out = flow;
    else
        astar_flow_release(flow);
    return status;
}

AstarStatus astar_flow_flee(AstarFlow *flow, double factor, AstarFlow **out)
{
    if (flow->forward || flow->steps_only || !(factor >= LOWEST_FACTOR && factor <= HIGHEST_FACTOR))
        return ASTAR_BAD_OPTION;
    AstarFlow *flee;
    AstarStatus status = astar_flow_make(flow->finder, INFINITY, &flee);
    if (status != ASTAR_OK)
        return status;
    astar_flow_flee_from(flee, flow);
    flow->references++;
    flee->fled.factor = factor;
    *out = flee;
    return ASTAR_OK;
}

// The following functions start and restart flows.

void astar_flow_drop_distances(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarAllocator *allocator = &grid->allocator;
    astar_flood_end(flow);
    astar_flow_pages_free(&flow->pages, allocator);
    astar_release(allocator, flow->hops, grid->cells, sizeof *flow->hops);
    flow->hops = NULL;
    flow->has.nexts = false;
}

// Stores the least and the greatest seed value of a flow that leads away from goals. The seed
// values are distances of its source times the factor.
static void find_span_of_source(const AstarFlow *flow, double *least, double *most)
{
    const AstarFlow *source = flow->fled.source;
    const AstarBucketQueue *open = &source->open;
    const double last = open->least + (double)source->reached / open->per_width;
    *least = flow->fled.factor * astar_flow_cost_of(source, last);
    *most = flow->fled.factor * astar_flow_cost_of(source, open->least);
}

// Stores the least and the greatest seed value of a flow.
static void find_span(const AstarFlow *flow, double *least, double *most)
{
    *least = *most = flow->sown.count > 0 ? flow->sown.seeds[0].value : 0;
    if (flow->fled.source != NULL)
        find_span_of_source(flow, least, most);
    for (size_t i = 1; i < flow->sown.count; i++) {
        *least = fmin(*least, flow->sown.seeds[i].value);
        *most = fmax(*most, flow->sown.seeds[i].value);
    }
}

// Chooses the unit of the flow's distances. Whole numbers are used if costs have a common measure,
// and if all goals cost nothing. The unit must not depend on links, walls or blocks: a flow that
// was repaired after their edits must have the unit of a new flow.
static void choose_flow_unit(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    bool is_whole = !flow->forward && flow->fled.source == NULL && finder->options.avoid == NULL &&
                    !astar_finder_has_callbacks(finder) && finder->grid->shape->wraps == 0;
    for (size_t i = 0; i < flow->sown.count; i++)
        is_whole &= flow->sown.seeds[i].value == 0;
    flow->unit.parts = is_whole ? finder->costs.parts : 0;
    flow->unit.multiple = finder->costs.multiple;
}

static AstarStatus begin_open(AstarFlow *flow)
{
    const double least_step = astar_flow_in_unit(flow, flow->finder->min_cost);
    double least, most, width = least_step;
    find_span(flow, &least, &most);
    least = astar_flow_round(flow, least);
    double reach = astar_flow_in_unit(flow, astar_flow_costliest_step(flow->finder)) + most - least;
    AstarStatus status = ASTAR_OK;
    astar_flood_end(flow);
    if (astar_flood_fits(flow, &width)) {
        status = astar_flood_begin(flow);
        // The bounds of the buckets are shifted so that the distances of a flood lie in the middle
        // of their buckets. Rounding then does not change the bucket.
        least -= 1.5 * width;
    } else {
        width = least_step;
        least -= width;
    }
    double span = reach / width;
    if (!flow->sweeps)
        span = span < 64 ? 64 : span; // costs of callbacks are not known
    span += ASTAR_FLOW_LONGEST_RUN;
    return status == ASTAR_OK ? astar_bucket_queue_begin(&flow->open, astar_flow_allocator(flow),
                                                         least, width, span)
                              : status;
}

bool astar_flow_stands_among_blocks(const AstarFlow *flow)
{
    int x, y;
    if (!flow->forward || flow->finder->original != NULL)
        return flow->forward;
    astar_cell_xy(flow->finder->grid, flow->sown.seeds[0].cell, &x, &y);
    return astar_covers_block(flow->finder, x, y, false);
}

// Blocks under the unit at the start are the unit itself. The reach of the unit is therefore
// computed with a copy of the finder that ignores these blocks. The copy is kept until the flow is
// freed, because a callback may edit the grid and query the flow again, and then return to
// functions that still use the copy.
AstarStatus astar_flow_stand(AstarFlow *flow)
{
    AstarFinder *plain = astar_finder_original(flow->finder);
    AstarFinder *copy = flow->finder != plain ? flow->finder : NULL;
    int x, y;
    if (!astar_flow_stands_among_blocks(flow))
        return ASTAR_OK;
    astar_cell_xy(plain->grid, flow->sown.seeds[0].cell, &x, &y);
    AstarStatus status = astar_finder_lift(plain, x, y, &copy);
    if (status == ASTAR_OK && flow->finder == plain) {
        flow->finder = copy;
        astar_finder_release(plain);
    }
    return status;
}

AstarStatus astar_flow_restart(AstarFlow *flow, bool forgets)
{
    const AstarGrid *grid = flow->finder->grid;
    if (flow->fled.source != NULL && !astar_flow_is_current(flow->fled.source))
        return ASTAR_GRID_CHANGED; // a callback has changed the grid
    flow->stepped.restarts += flow->begun;
    flow->begun = flow->flood.has_run = false;
    astar_packed_steps_free(&flow->packed, &grid->allocator);
    AstarStatus status = astar_flow_stand(flow);
    if (status != ASTAR_OK)
        return status;
    AstarFinder *finder = flow->finder;
    status = astar_flow_learn_moves(flow);
    if (status == ASTAR_OK && !astar_flow_pages_begin(&flow->pages, &grid->allocator, grid->cells))
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK)
        return status;
    choose_flow_unit(flow);
    status = begin_open(flow);
    if (status == ASTAR_OK && (forgets || flow->costs.finder == NULL))
        status = astar_costs_begin(&flow->costs, finder, &grid->allocator);
    if (status != ASTAR_OK)
        return status;
    astar_release(&grid->allocator, flow->hops, grid->cells, sizeof *flow->hops);
    flow->hops = NULL;
    flow->mend.raise.count = flow->mend.lower.count = flow->mend.expand.count = 0;
    double limit = finder->options.max_cost;
    limit = flow->max_cost < limit ? flow->max_cost : limit;
    limit = flow->fled.source != NULL ? (double)INFINITY : limit * ASTAR_LENIENCE;
    flow->beyond.limit = astar_flow_in_unit(flow, limit);
    flow->beyond.is_cut = flow->has.told = flow->has.nexts = false;
    flow->sown.planted = 0;
    flow->reached = flow->mend.left_out_below = 0;
    flow->turn++;
    flow->of.grid = grid->version;
    flow->of.finder = flow->costs.version = astar_finder_version(finder);
    flow->of.field = astar_finder_field_version(finder);
    flow->of.costs = finder->costs.of_cells;
    flow->of.unit = finder->costs.unit;
    flow->begun = true;
    return ASTAR_OK;
}

// The following functions spread a value such as sound, scent or threat from the goals of a flow.
// The value spreads along a unit's distances, around walls.

static bool may_spread(const AstarFlow *flow, double value, double falloff, const AstarField *field)
{
    const AstarGrid *grid = flow->finder->grid;
    return value >= 0 && value <= ASTAR_COST_MAX && falloff >= 0 && falloff <= 1 &&
           field->width == grid->width && field->height == grid->height &&
           field->shape == grid->shape;
}

// Raises the value of a cell to 'reached' or, if 'adds' is true, by 'reached'. Returns false if the
// value does not change.
static bool spread_to(float *place, float reached, bool adds)
{
    float sum = (float)fmin((double)*place + (double)reached, ASTAR_COST_MAX);
    float value = adds ? sum : reached;
    if (!(value > *place))
        return false;
    *place = value;
    return true;
}

static AstarStatus spread_flow(AstarFlow *flow, double value, double falloff, AstarField *field,
                               bool adds, void *context)
{
    if (!may_spread(flow, value, falloff, field))
        return ASTAR_BAD_OPTION;
    uint64_t cell = 0;
    AstarStatus status;
    int x, y;
    double distance, loss = isfinite(flow->max_cost) ? falloff / (flow->max_cost + 1) : 0;
    bool changed = false;
    while ((status = astar_flow_cell(flow, &cell, context, &x, &y, &distance)) == ASTAR_OK) {
        float *place = &field->values[astar_cell(flow->finder->grid, x, y)];
        float reached = (float)(value * fmax(0, 1 - distance * loss));
        if (!spread_to(place, reached, adds))
            continue;
        astar_field_note(field, x, y, 1, 1);
        changed = true;
    }
    field->version += changed;
    return status == ASTAR_UNREACHABLE ? ASTAR_OK : status;
}

AstarStatus astar_flow_spread(AstarFlow *flow, double value, double falloff, AstarField *field,
                              void *context)
{
    return spread_flow(flow, value, falloff, field, false, context);
}

AstarStatus astar_flow_spread_more(AstarFlow *flow, double value, double falloff, AstarField *field,
                                   void *context)
{
    return spread_flow(flow, value, falloff, field, true, context);
}

// The following definitions make a job of completing a flow.

ASTAR_JOB_STEPS(step_completing_job, astar_flow_step(job, expansions, context))
ASTAR_JOB_TELLS(uint64_t, expanded_of_completing_job, astar_flow_expanded(job))
ASTAR_JOB_TELLS(size_t, bytes_of_completing_job, astar_flow_bytes(job))
ASTAR_JOB_CLOSES(close_completing_job, astar_flow_release(job))

const AstarJobKind astar_completing_job = {.name = "completing",
                                           .step = step_completing_job,
                                           .expanded = expanded_of_completing_job,
                                           .bytes = bytes_of_completing_job,
                                           .close = close_completing_job};

// Completing flows in steps while the map is edited.
//
// An edit may restart the flow, or undo as much work as a step achieves. When the wasted work
// amounts to several complete flows, the flow is computed on a snapshot of its map
// (map/snapshot.c). Another flow, called the twin, runs on the snapshot, and no edit
// concerns it. At the end the flow takes over the distances of the twin, if the map still equals
// the snapshot or if the distances can be repaired.
//
// A callback of the twin may step the flow, too, even until the flow is complete. In this case the
// twin is kept until the callback returns. If the callback raises an error and never returns, the
// twin is kept until the flow is freed.

// Number of wasted expansions, divided by those of a complete flow, after which the flow is
// computed on a snapshot.
enum { MOST_FLOWS_IN_VAIN = 6 };

static void leave_flow_snapshot(AstarFlow *flow)
{
    flow->stepped.in_vain = 0;
    if (flow->stepped.snapshot != NULL)
        flow->stepped.snapshot->is_over = true;
    for (AstarFlowSnapshot **link = &flow->stepped.snapshot; *link != NULL;) {
        AstarFlowSnapshot *snapshot = *link;
        if (snapshot->at_work > 0) {
            link = &snapshot->before;
            continue;
        }
        *link = snapshot->before;
        astar_flow_snapshot_free(snapshot, astar_flow_allocator(flow));
    }
}

bool astar_flow_is_on_snapshot(const AstarFlow *flow)
{
    return flow->stepped.snapshot != NULL && !flow->stepped.snapshot->is_over;
}

static AstarStatus take_flow_snapshot(AstarFlow *flow)
{
    AstarFlowSnapshot *snapshot = astar_alloc(astar_flow_allocator(flow), 1, sizeof *snapshot);
    if (snapshot == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_snapshot_need(flow->finder->grid, flow->finder->options.avoid,
                                             &snapshot->map);
    if (status != ASTAR_OK) {
        astar_flow_snapshot_free(snapshot, astar_flow_allocator(flow));
        return status;
    }
    snapshot->before = flow->stepped.snapshot;
    flow->stepped.snapshot = snapshot;
    flow->stepped.in_vain = 0;
    return ASTAR_OK;
}

// Counts the expansions that a step has wasted because of edits. Starts a snapshot if too many were
// wasted. Returns ASTAR_RUNNING or ASTAR_NO_MEMORY.
static AstarStatus note_flow_step(AstarFlow *flow, uint64_t expansions)
{
    uint64_t cells = flow->finder->grid->cells, version = astar_finder_version(flow->finder);
    if (flow->stepped.at != version)
        flow->stepped.in_vain += expansions < cells ? expansions : cells;
    if (flow->stepped.restarts_seen != flow->stepped.restarts)
        flow->stepped.in_vain += cells;
    flow->stepped.at = version;
    flow->stepped.restarts_seen = flow->stepped.restarts;
    if (flow->stepped.in_vain < MOST_FLOWS_IN_VAIN * cells)
        return ASTAR_RUNNING;
    AstarStatus status = take_flow_snapshot(flow);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// The following functions make a step of a flow that is computed on a snapshot.

// Continues copying the map, and creates the twin when everything is copied. The step then ends,
// because the host must know the finder whose callbacks the next step will call.
static AstarStatus step_flow_copies(const AstarFlow *flow, AstarFlowSnapshot *snapshot,
                                    uint64_t expansions)
{
    AstarFinder *finder;
    AstarStatus status = astar_finder_on_snapshot(flow->finder, snapshot->map, expansions, &finder);
    if (status != ASTAR_OK)
        return status;
    status = astar_flow_twin(flow, finder, &snapshot->twin);
    astar_finder_release(finder);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Makes the flow take over the distances of its complete twin, unless queries have completed the
// flow on the present map. If the map differs from the snapshot, the distances are useful only if
// they can be repaired. The distances of a flow that leads away from goals cannot be repaired,
// because other flows may share its source.
static AstarStatus take_snapshot(AstarFlow *flow, const AstarFlowSnapshot *snapshot,
                                 uint64_t expansions)
{
    uint64_t version = astar_finder_version(flow->finder);
    int64_t work = astar_work_of(expansions);
    if (astar_flow_is_worked_out(flow) && flow->of.finder == version)
        return ASTAR_OK;
    const AstarFlow *twin = snapshot->twin;
    // A finder on a view counts the edits of ignored layers, and a finder on the snapshot that the
    // view shows does not. Their versions may differ although the map is the same.
    bool is_same_map = twin->of.grid == flow->finder->grid->version &&
                       twin->of.field == astar_finder_field_version(flow->finder);
    bool is_current = is_same_map || twin->of.finder == version;
    AstarStatus status = ASTAR_OK;
    if (is_current)
        status = astar_finder_advance(astar_finder_original(flow->finder), &work);
    if (status == ASTAR_OK && is_current)
        status = astar_flow_stand(flow);
    if (status == ASTAR_OK && (is_current || astar_flow_may_have_twin(flow)))
        status = astar_flow_adopt(flow, snapshot->twin);
    for (AstarFlow *each = flow; status == ASTAR_OK && is_same_map && each != NULL;
         each = each->fled.source)
        each->of.finder = version;
    return status == ASTAR_RUNNING && !is_current ? ASTAR_OK : status;
}

static AstarStatus step_flow_on_snapshot(AstarFlow *flow, uint64_t expansions, void *context)
{
    AstarFlowSnapshot *snapshot = flow->stepped.snapshot;
    uint64_t version = astar_finder_version(flow->finder);
    if (snapshot->twin == NULL)
        return step_flow_copies(flow, snapshot, expansions);
    snapshot->at_work++;
    AstarStatus status = astar_flow_step(snapshot->twin, expansions, context);
    snapshot->at_work--;
    if (astar_finder_version(flow->finder) != version)
        return ASTAR_GRID_CHANGED; // a callback has changed the grid
    return status == ASTAR_OK && !snapshot->is_over ? take_snapshot(flow, snapshot, expansions)
                                                    : status;
}

AstarFinder *astar_flow_asking(const AstarFlow *flow)
{
    const AstarFlow *twin = astar_flow_is_on_snapshot(flow) ? flow->stepped.snapshot->twin : NULL;
    return astar_finder_original(twin != NULL ? twin->finder : flow->finder);
}

AstarStatus astar_flow_step(AstarFlow *flow, uint64_t expansions, void *context)
{
    AstarStatus status = astar_flow_is_on_snapshot(flow)
                             ? step_flow_on_snapshot(flow, expansions, context)
                             : astar_flow_step_on_map(flow, expansions, context);
    if (status == ASTAR_OK)
        leave_flow_snapshot(flow);
    if (status == ASTAR_RUNNING && !astar_flow_is_on_snapshot(flow))
        status = note_flow_step(flow, expansions);
    return status;
}

// Twins: a flow computed on a copy of its map, by another thread or while edits continue.
//
// A twin has the seeds of the flow and a finder of its own. If the flow leads away from another
// flow, the twin leads away from a twin of that flow. When the twin is complete, the flow takes
// over its data. The flow then is in the state in which it would be if it had computed the data
// itself on the copied map. Edits made after the copy are then applied as usual.

bool astar_flow_may_have_twin(const AstarFlow *flow)
{
    return flow->fled.source == NULL && flow->finder->original == NULL;
}

// Creates a twin of a flow: a flow with the same goals on another finder. If the flow leads away
// from another flow, the twin does not lead away from anything yet.
static AstarStatus new_flow_twin(const AstarFlow *flow, AstarFinder *finder, AstarFlow **out)
{
    AstarFlow *twin;
    AstarStatus status = astar_flow_make(finder, flow->max_cost, &twin);
    if (status != ASTAR_OK)
        return status;
    twin->forward = flow->forward;
    twin->steps_only = flow->steps_only;
    twin->sown.seeds = astar_alloc(&finder->grid->allocator, flow->sown.count,
                                   sizeof *twin->sown.seeds);
    if (twin->sown.seeds == NULL && flow->sown.count > 0) {
        astar_flow_release(twin);
        return ASTAR_NO_MEMORY;
    }
    if (flow->sown.count > 0)
        memcpy(twin->sown.seeds, flow->sown.seeds, flow->sown.count * sizeof *twin->sown.seeds);
    twin->sown.count = twin->sown.capacity = flow->sown.count;
    twin->fled.factor = flow->fled.factor;
    *out = twin;
    return ASTAR_OK;
}

AstarStatus astar_flow_twin(const AstarFlow *flow, AstarFinder *finder, AstarFlow **out)
{
    // At first the pointers lead in the opposite direction: each twin points to the twin that will
    // lead away from it.
    AstarFlow *twin = NULL;
    for (; flow != NULL; flow = flow->fled.source) {
        AstarFlow *above = twin;
        AstarStatus status = new_flow_twin(flow, finder, &twin);
        if (status != ASTAR_OK) {
            astar_flow_release(above);
            return status;
        }
        twin->fled.source = above;
    }
    AstarFlow *above = twin->fled.source;
    twin->fled.source = NULL;
    while (above != NULL) {
        AstarFlow *next = above->fled.source;
        astar_flow_flee_from(above, twin);
        twin = above;
        above = next;
    }
    *out = twin;
    return ASTAR_OK;
}

// Moves the distances and steps of a twin to the flow.
static void take_from_twin(AstarFlow *flow, AstarFlow *twin)
{
    flow->packed = twin->packed;
    flow->pages = twin->pages;
    flow->has.nexts = twin->has.nexts;
    flow->hops = twin->hops;
    flow->open = twin->open;
    flow->flood = twin->flood;
    flow->unit.parts = twin->unit.parts;
    flow->unit.multiple = twin->unit.multiple;
    twin->flood.marks = NULL;
    twin->packed = (AstarPackedSteps){.blocks = NULL};
    twin->pages = (AstarFlowPages){0};
    twin->hops = NULL;
    twin->open = (AstarBucketQueue){.ring = NULL};
    twin->begun = false;
    twin->turn++;
}

static double cost_to(const AstarFinder *finder, size_t terrain)
{
    return terrain < finder->costs.capacity ? finder->costs.cell[terrain] : (double)INFINITY;
}

// Returns true if each terrain costs the same for two finders. The tables of both must be up to
// date.
static bool costs_alike(const AstarFinder *a, const AstarFinder *b)
{
    size_t count = a->costs.capacity > b->costs.capacity ? a->costs.capacity : b->costs.capacity;
    for (size_t i = 0; i < count; i++)
        if (cost_to(a, i) != cost_to(b, i))
            return false;
    return true;
}

// Allocates everything that a flow needs to take over the data of a twin without failing.
static AstarStatus prepare_to_adopt(AstarFlow *flow, const AstarFlow *twin)
{
    AstarFinder *finder = flow->finder;
    if (twin->finder->original != NULL && finder->original == NULL)
        return ASTAR_RUNNING;
    AstarStatus status = astar_finder_update_tables(astar_finder_original(finder));
    if (status == ASTAR_OK)
        status = astar_costs_begin(&flow->costs, finder, astar_flow_allocator(flow));
    return status;
}

static void adopt_all(AstarFlow *flow, AstarFlow *twin)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    const AstarFinder *finder = flow->finder;
    astar_flow_drop_distances(flow);
    astar_packed_steps_free(&flow->packed, allocator);
    astar_bucket_queue_free(&flow->open, allocator);
    flow->mend.raise.count = flow->mend.lower.count = flow->mend.expand.count = 0;
    take_from_twin(flow, twin);
    flow->begun = true;
    flow->sweeps = twin->sweeps;
    flow->beyond.limit = twin->beyond.limit;
    flow->beyond.is_cut = twin->beyond.is_cut;
    flow->sown.planted = twin->sown.planted;
    flow->reached = twin->reached;
    flow->work.done += twin->work.done;
    flow->moves = NULL; // the pointer belongs to the finder of the twin
    flow->of.grid = twin->of.grid;
    flow->of.field = twin->of.field;
    flow->of.finder = twin->of.finder; // from now on callbacks describe the present map
    // If the costs of the two finders differ, this version matches no version of the finder, and
    // the flow restarts later.
    flow->of.costs = costs_alike(finder, twin->finder) ? finder->costs.of_cells : UINT64_MAX;
    flow->of.unit = twin->of.unit;
    flow->turn++;
}

AstarStatus astar_flow_adopt(AstarFlow *flow, AstarFlow *twin)
{
    AstarStatus status = ASTAR_OK;
    const AstarFlow *other = twin;
    for (AstarFlow *each = flow; status == ASTAR_OK && each != NULL; each = each->fled.source) {
        status = prepare_to_adopt(each, other);
        other = other->fled.source;
    }
    for (; status == ASTAR_OK && flow != NULL; flow = flow->fled.source, twin = twin->fled.source)
        adopt_all(flow, twin);
    return status;
}
