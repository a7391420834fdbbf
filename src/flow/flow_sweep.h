// flow_sweep.h -- Computing flow fields: Dijkstra's algorithm, and faster sweeps over terrain.

#ifndef ASTAR_FLOW_SWEEP_H
#define ASTAR_FLOW_SWEEP_H

#include "map/grid.h"

// Gives a cell a lower distance and adds the cell to the open list.
AstarStatus astar_flow_lower(AstarFlow *flow, uint32_t cell, int x, int y, double distance,
                             uint32_t hops);
// Relaxes all links of a cell.
AstarStatus astar_flow_expand_links(AstarFlow *flow, uint32_t cell);
// Relaxes all steps and links of a cell.
AstarStatus astar_flow_expand(AstarFlow *flow, uint32_t cell, int x, int y);
// Returns true if a flow prunes successors by canonical ordering, see flow_sweep.c.
bool astar_flow_leaves_out(const AstarFlow *flow);
// Finds out whether terrain determines all steps and costs of a flow. If so, sets 'moves' to the
// finder's tables of steps.
AstarStatus astar_flow_learn_moves(AstarFlow *flow);
// Adds the seeds that can be entered to the open list, within the budget.
AstarStatus astar_flow_plant(AstarFlow *flow);
// Expands the current bucket within the budget, and moves on to the next bucket. If a callback
// leaves by longjmp at a cell, the next call expands this cell again.
AstarStatus astar_flow_settle_bucket(AstarFlow *flow);
// Expands the current bucket of a flow whose steps and costs are determined by terrain.
AstarStatus astar_flow_sweep(AstarFlow *flow);
// Deletes the stored next steps of a cell and of the cells around it.
void astar_flow_forget_around(AstarFlow *flow, int x, int y);

#endif
