// square_building.h -- the stages in which a square is built; each goes on by one piece.

#ifndef ASTAR_SQUARE_BUILDING_H
#define ASTAR_SQUARE_BUILDING_H

#include "world/cutout.h"
#include "world/squares.h"

// A line of cells of a square, of which runs are told and nodes put.
typedef struct AstarNodeLine {
    int column, row; // where it begins
    int dx, dy, length;
    uint32_t flags;
} AstarNodeLine;

// Lists the nodes of a closed chunk; begins anew where memory ran out in the middle.
AstarStatus astar_square_list_nodes(AstarSquare *square, AstarCutout *cutout);

enum { ASTAR_FRONTIER_LINES = 3 };

// The cells of a closed chunk where the unit stands beside a chunk that is not there, as lines; how
// many: the last cells before it to the east and south, and where it is this one all that it has.
int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                          AstarNodeLine lines[ASTAR_FRONTIER_LINES]);

// Has the world count what it takes now.
void astar_square_count_bytes(AstarSquare *square);
// Frees what only building it takes.
void astar_square_drop_unpacked(AstarSquare *square);

// Goes on building once all distances are measured; ASTAR_OK: the square is built.
AstarStatus astar_square_choose_edges(AstarSquare *square);

#endif
