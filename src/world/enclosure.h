// enclosure.h -- whether the goal of a route lies in a closed place.

#ifndef ASTAR_ENCLOSURE_H
#define ASTAR_ENCLOSURE_H

#include "world/squares.h"

enum { ASTAR_SQUARE_WORDS = ASTAR_MOST_NODES / 64 + 1 }; // a bit for each cell of a closed square

// A closed square, and which of its cells a way leads from to the goal.
typedef struct AstarEnclosedSquare {
    AstarPlot plot;
    struct AstarEnclosedSquare *next; // that is to be flooded, too
    bool waits;
    uint64_t reached[ASTAR_SQUARE_WORDS];
    uint64_t fresh[ASTAR_SQUARE_WORDS]; // those that it is to be flooded from
} AstarEnclosedSquare;

typedef struct AstarEnclosure {
    AstarPlots plots;                  // AstarEnclosedSquare
    AstarEnclosedSquare *first, *last; // that are to be flooded
    uint64_t floods;                   // so far
    bool is_over;                      // it cannot show any more that there is no way
} AstarEnclosure;

#endif
