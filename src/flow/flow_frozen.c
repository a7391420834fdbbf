// flow_frozen.c -- flows worked out in steps whatever is edited between them.
//
// An edit may have a flow begin anew, or spoil as much as a step mends. Where steps have come to
// nothing so for as long as several whole flows take, the flow is worked out on a copy of its map
// (unit/frozen_map.c), by a twin (flow_twin.c) that no edit concerns, and takes what that has found
// in the end: all of it where the map is as the copy is, else what a repair can bring up to date.
//
// A function that the twin asks may step the flow, too, to its end even: the twin then stays until
// who asked returns to it. If that never does, for the function raised an error, it stays as long
// as the flow.

#include "flow/flow.h"

enum { MOST_FLOWS_IN_VAIN = 6 };

static void thaw_flow(AstarFlow *flow)
{
    flow->stepped.in_vain = 0;
    if (flow->stepped.frozen != NULL)
        flow->stepped.frozen->is_over = true;
    for (AstarFrozenFlow **link = &flow->stepped.frozen; *link != NULL;) {
        AstarFrozenFlow *frozen = *link;
        if (frozen->at_work > 0) {
            link = &frozen->before;
            continue;
        }
        *link = frozen->before;
        astar_frozen_flow_free(frozen, astar_flow_allocator(flow));
    }
}

bool astar_flow_is_frozen(const AstarFlow *flow)
{
    return flow->stepped.frozen != NULL && !flow->stepped.frozen->is_over;
}

static AstarStatus freeze_flow(AstarFlow *flow)
{
    AstarFrozenFlow *frozen = astar_alloc(astar_flow_allocator(flow), 1, sizeof *frozen);
    if (frozen == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_frozen_map_begin(&frozen->map, flow->finder);
    if (status != ASTAR_OK) {
        astar_frozen_flow_free(frozen, astar_flow_allocator(flow));
        return status;
    }
    frozen->before = flow->stepped.frozen;
    flow->stepped.frozen = frozen;
    flow->stepped.in_vain = 0;
    return ASTAR_OK;
}

// Whether a step, so long, that did not end the flow is one of too many: it is frozen from then on.
// ASTAR_RUNNING, or ASTAR_NO_MEMORY.
static AstarStatus note_flow_step(AstarFlow *flow, uint64_t expansions)
{
    uint64_t cells = flow->finder->grid->cells, version = astar_finder_version(flow->finder);
    if (flow->stepped.at != version)
        flow->stepped.in_vain += expansions < cells ? expansions : cells;
    if (flow->stepped.anew != flow->stepped.begun_anew)
        flow->stepped.in_vain += cells;
    flow->stepped.at = version;
    flow->stepped.anew = flow->stepped.begun_anew;
    if (flow->stepped.in_vain < MOST_FLOWS_IN_VAIN * cells)
        return ASTAR_RUNNING;
    AstarStatus status = freeze_flow(flow);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// ---- steps ----

// Copies on, and makes the twin of what is copied then. A step ends with that: the host is to know
// whose functions the next one asks.
static AstarStatus step_flow_copies(const AstarFlow *flow, AstarFrozenFlow *frozen,
                                    uint64_t expansions)
{
    AstarFinder *finder;
    AstarStatus status = astar_frozen_map_advance(&frozen->map, flow->finder, expansions, &finder);
    if (status != ASTAR_OK)
        return status;
    status = astar_flow_twin(flow, finder, &frozen->twin);
    astar_finder_release(finder);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Takes what the twin has found, unless questions have found all there is on the map as it is.
// Where that is no longer as the copy, it is of use only if it can be repaired, and not to a flow
// that flees: others may flee from the same one as it is now.
static AstarStatus take_frozen(AstarFlow *flow, const AstarFrozenFlow *frozen, uint64_t expansions)
{
    uint64_t version = astar_finder_version(flow->finder);
    int64_t work = astar_work_of(expansions);
    if (astar_flow_is_worked_out(flow) && flow->of.finder == version)
        return ASTAR_OK;
    bool is_current = frozen->twin->of.finder == version;
    AstarStatus status = ASTAR_OK;
    if (is_current)
        status = astar_finder_advance(astar_finder_original(flow->finder), &work);
    if (status == ASTAR_OK && is_current)
        status = astar_flow_stand(flow);
    if (status == ASTAR_OK && (is_current || astar_flow_may_have_twin(flow)))
        status = astar_flow_adopt(flow, frozen->twin);
    return status == ASTAR_RUNNING && !is_current ? ASTAR_OK : status;
}

static AstarStatus step_frozen_flow(AstarFlow *flow, uint64_t expansions, void *context)
{
    AstarFrozenFlow *frozen = flow->stepped.frozen;
    uint64_t version = astar_finder_version(flow->finder);
    if (frozen->twin == NULL)
        return step_flow_copies(flow, frozen, expansions);
    frozen->at_work++;
    AstarStatus status = astar_flow_step(frozen->twin, expansions, context);
    frozen->at_work--;
    if (astar_finder_version(flow->finder) != version)
        return ASTAR_GRID_CHANGED; // by a function that was asked
    return status == ASTAR_OK && !frozen->is_over ? take_frozen(flow, frozen, expansions) : status;
}

AstarFinder *astar_flow_asking(const AstarFlow *flow)
{
    const AstarFlow *twin = astar_flow_is_frozen(flow) ? flow->stepped.frozen->twin : NULL;
    return astar_finder_original(twin != NULL ? twin->finder : flow->finder);
}

AstarStatus astar_flow_step(AstarFlow *flow, uint64_t expansions, void *context)
{
    AstarStatus status = astar_flow_is_frozen(flow)
                             ? step_frozen_flow(flow, expansions, context)
                             : astar_flow_step_on_map(flow, expansions, context);
    if (status == ASTAR_OK)
        thaw_flow(flow);
    if (status == ASTAR_RUNNING && !astar_flow_is_frozen(flow))
        status = note_flow_step(flow, expansions);
    return status;
}
