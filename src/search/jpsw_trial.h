// jpsw_trial.h -- whether A* is tried before JPSW.

#ifndef ASTAR_JPSW_TRIAL_H
#define ASTAR_JPSW_TRIAL_H

#include "search/search.h"

// So many expansions A* is to have first; 0: none. 'common' is the commonest terrain, 'node_share'
// the share of cells that are nodes of JPSW; what that needs must be current.
uint64_t astar_jpsw_trial(const AstarSearch *search, int common, double node_share);

#endif
