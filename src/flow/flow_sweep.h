// flow_sweep.h -- Computing flow fields: Dijkstra's algorithm, and faster sweeps over terrain.

#ifndef ASTAR_FLOW_SWEEP_H
#define ASTAR_FLOW_SWEEP_H

#include "map/grid.h"

// Gives a cell a distance and adds it to the open list.
AstarStatus astar_flow_lower(AstarFlow *flow, uint32_t cell, int x, int y, double distance,
                             uint32_t hops);
// Relaxes the links of a cell.
AstarStatus astar_flow_expand_links(AstarFlow *flow, uint32_t cell);
// Relaxes the steps and links of a cell.
AstarStatus astar_flow_expand(AstarFlow *flow, uint32_t cell, int x, int y);
// Returns true if successors are pruned by canonical ordering, see flow_sweep.c.
bool astar_flow_leaves_out(const AstarFlow *flow);
// Finds out whether terrain gives all steps and costs, and then sets 'moves' to the tables of the
// finder.
AstarStatus astar_flow_learn_moves(AstarFlow *flow);
// Opens the seeds that can be entered.
AstarStatus astar_flow_plant(AstarFlow *flow);
// Expands the current bucket and moves on to the next one. A callback may leave at any cell; that
// cell is then expanded again.
AstarStatus astar_flow_settle_bucket(AstarFlow *flow);
// Expands the current bucket of a flow whose steps and costs are given by terrain.
AstarStatus astar_flow_sweep(AstarFlow *flow);
// Forgets the next steps from a cell and the cells around it.
void astar_flow_forget_around(AstarFlow *flow, int x, int y);

#endif
