// flow_query.h -- Queries of flow fields, and the steps that they consist of.

#ifndef ASTAR_FLOW_QUERY_H
#define ASTAR_FLOW_QUERY_H

#include "flow/flow.h"
#include "map/grid.h"
#include "map/links_and_walls.h"

// Stores the legal steps among 'wanted' out of a cell, or into the cell if 'out' is false, and
// their costs. Calls the cost callbacks if there are any. Returns ASTAR_RUNNING if a callback has
// changed the flow; the caller must then read all data of the flow again.
AstarStatus astar_flow_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                             unsigned wanted, AstarFlowSteps *steps);
// Stores true in '*enters' if a cell can have a distance. Returns ASTAR_RUNNING if a callback has
// changed the flow.
AstarStatus astar_flow_enters(AstarFlow *flow, uint32_t cell, int x, int y, bool *enters);
// Returns true if the terrain allows the unit to be at a cell. Blocks are ignored.
bool astar_flow_bears(const AstarFlow *flow, uint32_t cell);
// Stores the next link out of a cell, or into the cell if 'out' is false. '*index' must be 0 before
// the first call. Returns false after the last link.
bool astar_flow_next_link(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                          AstarArc *arc);
// Finds the next link over which a distance may come from 'cell', and stores the cell at its other
// end in '*other'. '*index' must be 0 before the first call. Returns false after the last link.
bool astar_flow_next_over_link(const AstarFlow *flow, uint32_t cell, uint32_t *index,
                               uint32_t *other);
// Stores the cost of the step over a link, whether or not the step is possible. Returns
// ASTAR_RUNNING if a callback has changed the flow.
AstarStatus astar_flow_link_cost(AstarFlow *flow, const AstarArc *arc, double *cost);
// Replaces 'offer' by the best path from a cell over one of its links, if that path is better.
AstarStatus astar_flow_best_link(AstarFlow *flow, uint32_t cell, AstarFlowOffer *offer);
// Returns the index of the first seed whose cell is 'cell' or comes after it.
size_t astar_flow_first_seed(const AstarFlow *flow, uint32_t cell);
// Returns the seed value of a cell, or INFINITY if the cell is no seed.
double astar_flow_seed(const AstarFlow *flow, uint32_t cell);
// Stores in 'offer' the best path from a cell through its neighbours and links.
AstarStatus astar_flow_pull(AstarFlow *flow, uint32_t cell, int x, int y, AstarFlowOffer *offer);
// Returns the greatest cost of a step by terrain and fields, without callbacks and links.
double astar_flow_costliest_step(const AstarFinder *finder);
// Stores the distance of a cell and, unless 'direction' is NULL, its next step, as far as they are
// known.
AstarStatus astar_flow_look_up(AstarFlow *flow, uint32_t cell, int x, int y, double *best,
                               int *direction);
// Searches 'count' cells, from 'first' on, for a cell from which a step leads to a cell beyond the
// limit. Stores that cell in 'beyond.at' of the flow, or UINT32_MAX if no such cell exists. The
// flow must be complete. Returns ASTAR_RUNNING if a callback has changed the flow.
AstarStatus astar_flow_find_cut(AstarFlow *flow, uint32_t first, uint32_t count);
// Returns the reason why a cell of a complete flow has no distance: ASTAR_UNREACHABLE,
// ASTAR_MAX_COST, ASTAR_START_BLOCKED or ASTAR_GOAL_BLOCKED. Returns ASTAR_RUNNING if a callback
// has changed the flow.
AstarStatus astar_flow_reason(AstarFlow *flow, int x, int y, void *context);
// Computes part of the distances as astar_flow_step does, but never on a snapshot.
AstarStatus astar_flow_step_on_map(AstarFlow *flow, uint64_t expansions, void *context);

#endif
