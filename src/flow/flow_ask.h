// flow_ask.h -- Queries of flow fields, and the steps that they consist of.

#ifndef ASTAR_FLOW_ASK_H
#define ASTAR_FLOW_ASK_H

#include "flow/flow.h"
#include "map/grid.h"
#include "map/links_and_walls.h"

// Computes the legal steps among 'wanted' out of a cell, or into it, and calls callbacks for their
// costs. Returns ASTAR_RUNNING if a callback has changed the flow; then everything read before must
// be read again.
AstarStatus astar_flow_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                             unsigned wanted, AstarFlowSteps *steps);
// Stores true in '*enters' if a cell can have a distance. Returns ASTAR_RUNNING like
// astar_flow_steps.
AstarStatus astar_flow_enters(AstarFlow *flow, uint32_t cell, int x, int y, bool *enters);
// Returns true if the terrain allows the unit to be on a cell.
bool astar_flow_bears(const AstarFlow *flow, uint32_t cell);
// Stores the next link out of a cell, or into it. '*index' must be 0 before the first call. Returns
// false after the last link.
bool astar_flow_next_link(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                          AstarArc *arc);
// Stores the next cell whose distance may come from this one over a link.
bool astar_flow_next_over_link(const AstarFlow *flow, uint32_t cell, uint32_t *index,
                               uint32_t *other);
// Stores the cost of the step over a link, whether or not the step is possible. Returns
// ASTAR_RUNNING like astar_flow_steps.
AstarStatus astar_flow_link_cost(AstarFlow *flow, const AstarArc *arc, double *cost);
// Replaces 'offer' by the best way over a link of a cell, if that is better.
AstarStatus astar_flow_best_link(AstarFlow *flow, uint32_t cell, AstarFlowOffer *offer);
// Returns the index of the first seed at a cell or after it.
size_t astar_flow_first_seed(const AstarFlow *flow, uint32_t cell);
// Returns the seed value of a cell, or INFINITY.
double astar_flow_seed(const AstarFlow *flow, uint32_t cell);
// Stores the best way from a cell through its neighbours and links.
AstarStatus astar_flow_pull(AstarFlow *flow, uint32_t cell, int x, int y, AstarFlowOffer *offer);
// Returns the greatest cost of a step by terrain and fields.
double astar_flow_dearest_step(const AstarFinder *finder);
// Stores what is known of a cell: its distance and, unless 'direction' is NULL, its next step.
AstarStatus astar_flow_look_up(AstarFlow *flow, uint32_t cell, int x, int y, double *best,
                               int *direction);
// Searches some cells for a step to a cell beyond the limit, and stores such a cell in 'beyond.at',
// else UINT32_MAX. The flow must be complete. Returns ASTAR_RUNNING like astar_flow_steps.
AstarStatus astar_flow_find_cut(AstarFlow *flow, uint32_t first, uint32_t count);
// Returns the reason why a cell has no distance; the flow must be complete. Returns ASTAR_RUNNING
// like astar_flow_steps.
AstarStatus astar_flow_reason(AstarFlow *flow, int x, int y, void *context);
// Works on the flow like astar_flow_step, but never on a snapshot.
AstarStatus astar_flow_step_on_map(AstarFlow *flow, uint64_t expansions, void *context);

#endif
