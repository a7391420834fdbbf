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

static inline uint32_t astar_square_place(const AstarSquare *square, uint32_t node)
{
    return square->places[node] & ASTAR_PLACE;
}

// What 'edge_count' edges take once they are packed.
static inline size_t astar_square_packed_bytes(const AstarSquare *square)
{
    return (size_t)square->edge_count * (astar_has_short_ends(square) ? 3 : 4);
}

// Adds a node on a cell of the square, or a flag to the one there.
AstarStatus astar_square_add_node(AstarSquare *square, int column, int row, uint32_t flags);
// Lists the nodes of a closed chunk; begins anew where memory ran out in the middle.
AstarStatus astar_square_list_nodes(AstarSquare *square, AstarCutout *cutout);

enum { ASTAR_FRONTIER_LINES = 3 };

// The cells of a closed chunk where the unit stands beside a chunk that is not there, as lines; how
// many: the last cells before it to the east and south, and where it is this one all that it has.
int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                          AstarNodeLine lines[ASTAR_FRONTIER_LINES]);

// Makes room for all distances, once the nodes are listed.
AstarStatus astar_square_begin_rows(AstarSquare *square);
void astar_square_end_rows(AstarSquare *square);

// Go on building; ASTAR_OK once the square is built. 'context' is the host's.
AstarStatus astar_square_build_lower(AstarSquare *square, void *context);
AstarStatus astar_square_build_upper(AstarSquare *square, void *context);
// The same once all distances are measured.
AstarStatus astar_square_choose_edges(AstarSquare *square);

// The place and flags that a node of a square below has in an upper one.
uint32_t astar_square_place_above(const AstarSquare *upper, const AstarSquare *lower,
                                  uint32_t node);
void astar_square_free_merge(AstarSquare *square);
// An edit touches the square (i, j) below an upper one; false: that is not built, and has to be
// begun anew.
bool astar_square_doubt(AstarSquare *upper, int32_t i, int32_t j);
// Forgets what is known of a square.
void astar_square_empty(AstarSquare *square);

#endif
