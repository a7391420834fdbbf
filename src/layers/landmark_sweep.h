// landmark_sweep.h -- the distances of all cells from one, or to it, a part at a time.
//
// Edits in between leave distances that fit the map as it was or as it is, each cell's own way:
// where a step became possible or cheaper since, they are to be repaired.

#ifndef ASTAR_LANDMARK_SWEEP_H
#define ASTAR_LANDMARK_SWEEP_H

#include "layers/landmarks.h"
#include "openlist/bucket_queue.h"

typedef struct AstarSweep {
    const AstarGrid *grid; // NULL: there is nothing to end
    const AstarLandmarks *landmarks;
    const uint8_t *ground;
    uint32_t least[2], most; // of the weights that are there: straight and diagonal steps; all
    uint32_t from;           // where it began
    bool back;               // it measures the ways to that cell
    bool is_open;            // it has begun to spread
    size_t cleared;          // of the last one's distances
    uint32_t *distances;     // of every cell, ASTAR_FAR: not reached
    AstarBucketQueue open;
} AstarSweep;

// Takes memory for sweeps over a map whose costs and links stay as they are.
AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks);
// Begins a sweep.
void astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back);
// Goes on; ASTAR_RUNNING where the work is used up before all is reached, ASTAR_BAD_COST where
// distances do not fit.
AstarStatus astar_sweep_advance(AstarSweep *sweep, int64_t *work);
void astar_sweep_end(AstarSweep *sweep);

// landmarks.c: what landmarks gain, by a sample of questions that nobody has to search for.

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
