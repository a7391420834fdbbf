// landmark_gain.h -- what landmarks gain, by a sample of questions that nobody has to search for.

#ifndef ASTAR_LANDMARK_GAIN_H
#define ASTAR_LANDMARK_GAIN_H

#include "derived/landmark_sweep.h"

enum { ASTAR_GAIN_CELLS = 1024 };

// Begins as zeros.
typedef struct AstarLandmarkGain {
    uint32_t cells[ASTAR_GAIN_CELLS]; // the sample
    int count;
    int pass;             // over the map, that gathers it,
    size_t cell;          // which has come to this one
    uint64_t total, seen; // of cells that could be in it
    int start, goal;      // of the questions, the one looked at
    uint64_t expanded[2]; // half cells: by the estimate without landmarks, and with them
} AstarLandmarkGain;

// Goes on by sweeps over what their landmarks were measured of; ASTAR_RUNNING where the work is
// used up before. ASTAR_NO_MEMORY, or ASTAR_BAD_COST: it ends early.
AstarStatus astar_landmark_gain_advance(AstarLandmarkGain *gain, AstarSweep *sweep, int64_t *work);
// About how many times fewer cells a search expands with the landmarks.
double astar_landmark_gain_of(const AstarLandmarkGain *gain);

#endif
