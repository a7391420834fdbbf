// component_cut.h -- what clearing one cell has cut off.

#ifndef ASTAR_COMPONENT_CUT_H
#define ASTAR_COMPONENT_CUT_H

#include "base/bits.h"

enum {
    ASTAR_CUT_SIDES = 4,   // parts a cell's neighbours can fall into
    ASTAR_CUT_CELLS = 1024 // looked at before giving up
};

// A part of the map that grows from one neighbour of the cleared cell.
typedef struct AstarCutSide {
    uint32_t cells[ASTAR_CUT_CELLS]; // in the order they were met
    int count, looked;               // how many are met, and how many were looked around
    int joined;                      // the side this one was found to be part of; itself at first
} AstarCutSide;

typedef struct AstarComponentCut {
    AstarCutSide sides[ASTAR_CUT_SIDES];
    int count;
    int met;                            // cells, of all sides
    uint32_t keys[2 * ASTAR_CUT_CELLS]; // a hash table of the cells met, plus 1; 0: empty
    uint8_t owners[2 * ASTAR_CUT_CELLS];
} AstarComponentCut;

// Grows the sides around the cleared cell (x, y) until all parts but one are whole; false where
// that takes too many cells. 'around' are the cell's set neighbours.
bool astar_component_cut_find(AstarComponentCut *split, const AstarBits *bits, int width,
                              bool diagonal, int x, int y, unsigned around);
// The part that side 'i' belongs to: the number of one of its sides.
int astar_component_cut_part(const AstarComponentCut *split, int i);
// The part that need not be given a new label: the one not whole, or else the first.
int astar_component_cut_rest(const AstarComponentCut *split);

#endif
