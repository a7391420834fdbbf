// flow_ask.h -- questions to flow fields.

#ifndef ASTAR_FLOW_ASK_H
#define ASTAR_FLOW_ASK_H

#include "flow/flow.h"
#include "map/grid.h"
#include "map/links_and_walls.h"

// The legal ones among 'wanted' of the steps out of a cell, or into it, asking callbacks.
// ASTAR_RUNNING when one of them has changed the flow: all that was read before is to be read
// again.
AstarStatus astar_flow_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                             unsigned wanted, AstarFlowSteps *steps);
// Whether a cell can have a distance. ASTAR_RUNNING as above.
AstarStatus astar_flow_enters(AstarFlow *flow, uint32_t cell, int x, int y, bool *enters);
// Whether the unit can be on the ground it would cover there.
bool astar_flow_bears(const AstarFlow *flow, uint32_t cell);
// The links out of a cell, or into it, each in turn: 'index' is 0 first. False: there are no more.
bool astar_flow_next_link(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                          AstarArc *arc);
// The cells, one end of a link each, whose distances may come over it from another.
bool astar_flow_next_over_link(const AstarFlow *flow, uint32_t cell, uint32_t *index,
                               uint32_t *other);
// What the step over a link costs, whether or not it can be made. ASTAR_RUNNING as above.
AstarStatus astar_flow_link_cost(AstarFlow *flow, const AstarArc *arc, double *cost);
// Makes the best way over one of them the offer, if it is better than that.
AstarStatus astar_flow_best_link(AstarFlow *flow, uint32_t cell, AstarFlowOffer *offer);
// The place of the first seed that lies at a cell or after it.
size_t astar_flow_first_seed(const AstarFlow *flow, uint32_t cell);
// The value a cell begins with, INFINITY for none.
double astar_flow_seed(const AstarFlow *flow, uint32_t cell);
AstarStatus astar_flow_pull(AstarFlow *flow, uint32_t cell, int x, int y, AstarFlowOffer *offer);
// What the dearest step costs that there is by the data.
double astar_flow_dearest_step(const AstarFinder *finder);
// What is known of a cell: its distance and, unless 'direction' is NULL, where that comes from.
AstarStatus astar_flow_look_up(AstarFlow *flow, uint32_t cell, int x, int y, double *best,
                               int *direction);
// Looks for a way from one of so many cells to one beyond the limit: 'beyond.at' is such a cell
// then, else UINT32_MAX. All must be worked out. ASTAR_RUNNING as above.
AstarStatus astar_flow_find_cut(AstarFlow *flow, uint32_t first, uint32_t count);
// Why a cell has no distance, where all is worked out. ASTAR_RUNNING as above.
AstarStatus astar_flow_reason(AstarFlow *flow, int x, int y, void *context);
// Works on the flow, as astar_flow_step does, on the map itself.
AstarStatus astar_flow_step_on_map(AstarFlow *flow, uint64_t expansions, void *context);

#endif
