// swap_rule.h -- two units that want past each other where only one fits.
//
// The one whose turn it is goes the other way round through its steps, the worst first, and has the
// other follow it, until the corridor widens: there they pass (Okumura, IJCAI 2023).

#ifndef ASTAR_SWAP_RULE_H
#define ASTAR_SWAP_RULE_H

#include "crowd/reservations.h"

// By which way one comes to who is to follow a unit that makes way for it to pass; ASTAR_NO_WAY: it
// just takes its best way.
int astar_find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer);

#endif
