// jpsw_trial.h -- whether A* is tried before JPSW.

#ifndef ASTAR_JPSW_TRIAL_H
#define ASTAR_JPSW_TRIAL_H

#include "search/search.h"

// So many expansions A* is to have first; 0: none. 'common' is the commonest terrain, 'node_share'
// the share of cells that are nodes of JPSW; what that needs must be current.
uint64_t astar_jpsw_trial(const AstarSearch *search, int common, double node_share);

enum {
    ASTAR_MOST_LOOKS = 128, // that are counted from a cell
    ASTAR_PARTS_OF_LOOK = 64
};

// Without diagonal steps: how many nodes an irregular cell sees above and below its row, by a
// sample of them; in parts of a look. The layer and its bitmaps must be current.
uint32_t astar_jpsw_looks(AstarIrregular *irregular);

#endif
