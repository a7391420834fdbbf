// flow_sweep.h -- a flow is computed: Dijkstra's algorithm, and faster sweeps over terrain.

#ifndef ASTAR_FLOW_SWEEP_H
#define ASTAR_FLOW_SWEEP_H

#include "map/grid.h"

// Gives a cell a distance and has it expanded.
AstarStatus astar_flow_lower(AstarFlow *flow, uint32_t cell, int x, int y, double distance,
                             uint32_t hops);
// Brings nearer what a link from a cell does.
AstarStatus astar_flow_expand_links(AstarFlow *flow, uint32_t cell);
// The same, and what a step does.
AstarStatus astar_flow_expand(AstarFlow *flow, uint32_t cell, int x, int y);
// Whether steps are left out where other ways are as short, see flow_sweep.c.
bool astar_flow_leaves_out(const AstarFlow *flow);
// Finds out whether it is plain, and makes 'moves' those of the finder's rule then.
AstarStatus astar_flow_learn_moves(AstarFlow *flow);
// Begins with the seeds that can be entered.
AstarStatus astar_flow_plant(AstarFlow *flow);
// Empties the current bucket and goes on to the next. A callback may leave at any cell: it is
// expanded again then.
AstarStatus astar_flow_settle_bucket(AstarFlow *flow);
// The same for a plain flow, without going on.
AstarStatus astar_flow_sweep(AstarFlow *flow);
// Forgets where units go on from cells around one.
void astar_flow_forget_around(AstarFlow *flow, int x, int y);

#endif
