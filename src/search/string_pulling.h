// string_pulling.h -- a route at any angle is drawn taut.

#ifndef ASTAR_STRING_PULLING_H
#define ASTAR_STRING_PULLING_H

#include "path/sight.h"

// A route being drawn taut. No callbacks are asked: the bitmap tells of all lines.
typedef struct AstarPulling {
    const AstarGrid *grid;
    AstarPath *path;
    AstarView from, to; // what the cells before and after a turning point see
    int at, kept;       // the turning point at hand; the last one that stays so far
    AstarPoint point;   // where it is now
    bool moves;         // it may be moved on
    bool changed;       // by going over the turning points this time
} AstarPulling;

// Begins to draw the points of 'path' taut; what else the path holds is no longer true then.
void astar_pulling_begin(AstarPulling *pulling, AstarCosts *costs, AstarPath *path);
// Goes on as far as the work lasts: ASTAR_RUNNING, or ASTAR_OK when it is taut.
AstarStatus astar_pulling_run(AstarPulling *pulling, int64_t *work);

#endif
