// parting.h -- what supposed blocks part: the pieces into which components fall round them.

#ifndef ASTAR_PARTING_H
#define ASTAR_PARTING_H

#include "base/pages.h"
#include "search/goal.h"
#include "unit/finder.h"
#include "unit/supposed.h"

enum { ASTAR_MOST_PIECES = 255 };

// Cells flooded from some beside the blocks, those to go on from in a list.
typedef struct AstarPiece {
    uint32_t first, last; // of the list; ASTAR_NO_CELL: it is empty, the piece is whole
    uint32_t cells;       // flooded
    uint32_t label;       // of its component without the blocks
    int root;             // the piece that it hangs together with
} AstarPiece;

typedef struct AstarParting {
    const AstarFinder *finder;
    const AstarComponents *components;
    const AstarSupposed *supposed;
    const AstarAllocator *allocator;
    AstarPages *pages; // of each cell flooded: 1 + its piece, and the next one of a list
    int count;
    AstarPiece pieces[ASTAR_MOST_PIECES];
} AstarParting;

// Finds the cells beside the blocks; the components are current. ASTAR_MAX_EXPANSIONS where they
// lie in too many pieces. What 'parting' points to must stay.
AstarStatus astar_parting_begin(AstarParting *parting);
// Floods the pieces of a component in turn, until at most one of them is not whole.
AstarStatus astar_parting_flood(AstarParting *parting, uint32_t label);
// Floods the piece that is not whole.
AstarStatus astar_parting_complete(AstarParting *parting, int piece);
// The piece of a free cell of a component that was flooded so; -1: no block is beside any of it.
int astar_parting_piece(AstarParting *parting, uint32_t label, int x, int y);
// Whether the unit would stand on a block at (x, y).
bool astar_parting_bars(const AstarParting *parting, int x, int y);

#endif
