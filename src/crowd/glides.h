// glides.h -- what is drawn of a crowd: steps that take longer than a beat, drawn evenly.
//
// Who moves when is decided beat by beat, and is not changed by this. Whose step takes several
// beats is in its new cell from the first on; drawn, it glides there for as long as the step takes.
//
// A drawn motion during a beat is from where it is, on the line from 'back' to its cell before the
// beat, to that cell, and on to its new one. There are four levels of haste: even, at the speed of
// the unit; as much that another may be in the cell behind it when the beat is over; so that it is
// in its own then; and at once, in its old cell after a third of the beat and in the new one at its
// end. What is kept of any two: drawn so, and then both going straight to their cells, they keep
// the distance that is promised of steps. Of two at once that is so by itself: in the first third
// they do what was looked at in the beat before, and in the rest steps that were found to go
// together when they were decided. So whoever would come too near is raised a level, until nobody
// does; each is three times at most. Where there are links, and of exclusive units, steps are drawn
// as long as a beat.

#ifndef ASTAR_GLIDES_H
#define ASTAR_GLIDES_H

#include "astar.h"

#include <math.h>

typedef enum AstarHaste {
    ASTAR_HASTE_NONE,
    ASTAR_HASTE_CLEAR, // of the cell behind
    ASTAR_HASTE_DONE,
    ASTAR_HASTE_AT_ONCE
} AstarHaste;

typedef struct AstarGlide {
    uint32_t back;  // the cell that it came from to where it was before the beat
    uint32_t pace;  // of a straight step, in parts of a beat
    uint32_t left;  // of its last step when the coming beat begins, the same
    float start;    // how far it is from 'back' when the beat begins; 1: it is there
    float at;       // when it is there, in beats
    float end;      // how far it is to its new cell when the beat is over
    float angle;    // when the beat began; NaN: it has not gone yet
    float turn;     // radians a beat, at most; 0: at once
    uint8_t haste;  // AstarHaste
    bool is_queued; // to be looked at
} AstarGlide;

// Of a unit that stands and has not gone yet.
#define ASTAR_NEW_GLIDE ((AstarGlide){.pace = ASTAR_BEAT, .start = 1, .end = 1, .angle = NAN})

#endif
