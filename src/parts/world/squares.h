// squares.h -- squares of a world: the nodes on their borders, and the measured distances between
// the nodes of a square. The search for routes expands these nodes. A square is a chunk together
// with the lines of cells to the east and south of it, 65 x 65 cells.

#ifndef ASTAR_SQUARES_H
#define ASTAR_SQUARES_H

#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"
#include "parts/world/world_finder.h"

typedef struct AstarSquareEdge {
    double cost;
    uint32_t to; // number of the node at the end of the edge
} AstarSquareEdge;

// A square of a world, with its nodes and edges. It is complete when 'is_built' is true.
typedef struct AstarSquare {
    AstarPlot plot; // entry in the finder's table of squares; has kind 1
    AstarWorldFinder *finder;
    bool is_built;
    bool is_symmetric; // true if all distances are the same in both directions
    uint32_t count;    // number of nodes
    // Progress of building. Up to 'count', the number of nodes whose distances are measured. Beyond
    // that, 'count' plus the number of nodes whose edges are chosen.
    uint32_t rows_done;
    uint32_t edge_count;
    size_t edge_capacity;
    // The position of each node in ascending order, with flags. A position is packed as described
    // at astar_place_at.
    uint16_t *places;
    // Index of the first edge of each node, and after the last node the number of edges. NULL: the
    // list of nodes does not exist yet, or the square is complete.
    uint32_t *first;
    AstarSquareEdge *edges; // the edges chosen so far; used while the square is built
    // The packed data of a complete square, in this order: index of the first edge of each node,
    // positions of the nodes (see astar_place_at), costs of edges, ends of edges.
    uint16_t *packed;
    double unit;  // the cost of an edge is its packed number times 'unit'
    double *rows; // distances from each node to all others; used while the square is built
    size_t bytes; // number of bytes of this square that are counted in world->bytes
} AstarSquare;

enum { ASTAR_NO_PLACE = -1, ASTAR_MOST_NODES = (ASTAR_CHUNK_SIDE + 1) * (ASTAR_CHUNK_SIDE + 1) };

// A place is the position of a cell in its square: column and row, packed. The flag
// ASTAR_AT_FRONTIER above these bits marks nodes next to absent chunks.
enum { ASTAR_COLUMN_BITS = 7, ASTAR_PLACE = 0x7FFF, ASTAR_AT_FRONTIER = 0x8000 };

// Stores the square (i, j) in '*out' and, if the square is not complete, continues to build it by
// one piece of work. Returns ASTAR_OK if the square is complete, and ASTAR_RUNNING if it is not.
// The square stays in memory until the world is used next. 'context' is passed to the program's
// functions that load and save chunks.
AstarStatus astar_square_need(AstarWorldFinder *finder, int32_t i, int32_t j, void *context,
                              AstarSquare **out);
// Returns the number of the node on a cell, or ASTAR_NO_PLACE if the cell has no node.
int astar_square_node(const AstarSquare *square, int32_t x, int32_t y);

static inline uint32_t astar_place_at(int32_t column, int32_t row)
{
    return (uint32_t)row << ASTAR_COLUMN_BITS | (uint32_t)column;
}

static inline int32_t astar_place_column(uint32_t place)
{
    return (int32_t)(place & ((1u << ASTAR_COLUMN_BITS) - 1));
}

static inline int32_t astar_place_row(uint32_t place)
{
    return (int32_t)((place & ASTAR_PLACE) >> ASTAR_COLUMN_BITS);
}

static inline uint32_t astar_square_place(const AstarSquare *square, uint32_t node)
{
    return square->places[node] & ASTAR_PLACE;
}

// Returns true if the square has so few nodes that the end of an edge takes one byte and the number
// of an edge two bytes.
static inline bool astar_has_short_ends(const AstarSquare *square)
{
    return square->count <= 256;
}

// Returns the number of bytes that the packed nodes and edges of a square take.
static inline size_t astar_square_packed_bytes(const AstarSquare *square)
{
    size_t more = !astar_has_short_ends(square), count = square->count;
    return square->edge_count * (3 + more) + (count + 1) * (2 + 2 * more) + 2 * count;
}

// Returns the index of the first edge of a node. If 'node' is the number of nodes, returns the
// number of edges.
static inline uint32_t astar_square_first(const AstarSquare *square, uint32_t node)
{
    const void *first = square->packed;
    return astar_has_short_ends(square) ? ((const uint16_t *)first)[node]
                                        : ((const uint32_t *)first)[node];
}

// Returns the array of the costs of all edges, in multiples of 'unit' of the square.
static inline uint16_t *astar_square_costs(const AstarSquare *square)
{
    return square->packed + (square->count + 1) * (astar_has_short_ends(square) ? 2 : 3) - 1;
}

// Returns the number of the node at the end of an edge.
static inline uint32_t astar_square_to(const AstarSquare *square, uint32_t edge)
{
    const uint16_t *ends = astar_square_costs(square) + square->edge_count;
    return astar_has_short_ends(square) ? ((const uint8_t *)ends)[edge] : ends[edge];
}

static inline int32_t astar_square_x(const AstarSquare *square, uint32_t node)
{
    return square->plot.i * ASTAR_CHUNK_SIDE + astar_place_column(square->places[node]);
}

static inline int32_t astar_square_y(const AstarSquare *square, uint32_t node)
{
    return square->plot.j * ASTAR_CHUNK_SIDE + astar_place_row(square->places[node]);
}

// The squares that contain a cell, from (i0, j0) to (i1, j1). There are at most four.
typedef struct AstarSquares {
    int32_t i0, j0, i1, j1;
} AstarSquares;

static inline AstarSquares astar_squares_of(int32_t x, int32_t y)
{
    int32_t i = astar_chunk_of(x), j = astar_chunk_of(y);
    return (AstarSquares){i - (astar_in_chunk(x) == 0), j - (astar_in_chunk(y) == 0), i, j};
}

// The data below is used by cutout.c to detect enclosed goals, which no route reaches.

// Number of 64-bit words with a bit for each cell of a square.
enum { ASTAR_SQUARE_WORDS = ASTAR_MOST_NODES / 64 + 1 };

// A square, and the set of its cells from which a path leads to the goal.
typedef struct AstarEnclosedSquare {
    AstarPlot plot;
    struct AstarEnclosedSquare *next; // next square in the list of squares that wait to be flooded
    bool waits;                       // true if the square is in that list
    uint64_t reached[ASTAR_SQUARE_WORDS];
    // The cells that the flood has reached since this square was last flooded.
    uint64_t fresh[ASTAR_SQUARE_WORDS];
} AstarEnclosedSquare;

// The set of cells from which the goal can be reached, computed by a flood backward from the goal.
typedef struct AstarEnclosure {
    AstarPlots plots;                  // entries of the type AstarEnclosedSquare
    AstarEnclosedSquare *first, *last; // list of the squares that wait to be flooded
    uint64_t floods;                   // number of squares flooded so far
    bool is_over; // true if the flood has ended without proof that no route exists
} AstarEnclosure;

// The functions below build a square in stages, one piece of work per call. Some of these functions
// free squares and record edits.

// A line of cells of a square, along which nodes are placed.
typedef struct AstarNodeLine {
    int column, row; // column and row of the first cell in the square
    int dx, dy, length;
    uint32_t flags;
} AstarNodeLine;

// Lists the nodes of a square and allocates the array of distances between them.
AstarStatus astar_square_list_nodes(AstarSquare *square, const AstarCutout *cutout);

enum { ASTAR_FRONTIER_LINES = 3 };

// Writes to 'lines' the lines of cells of a square on which a unit is next to an absent chunk.
// These are the last lines before an absent chunk in the east or south. If the chunk of the square
// itself is absent, the lines lie on its border. Returns the number of lines.
int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                          AstarNodeLine lines[ASTAR_FRONTIER_LINES]);

// Recomputes the memory of a square, and corrects world->bytes.
void astar_square_count_bytes(AstarSquare *square);
// Frees the data of a square that is needed only to build it.
void astar_square_drop_unpacked(AstarSquare *square);
// Frees all data of a square, but not the AstarSquare itself. Removes the square from the ring of
// entries that can be unloaded.
void astar_square_empty(AstarSquare *square);

// Continues to build a square whose distances are all measured: chooses the edges of some nodes.
// Returns ASTAR_OK when the square is complete, and ASTAR_RUNNING before.
AstarStatus astar_square_choose_edges(AstarSquare *square);

// Returns true if an edit that was made after the world had version 'version' touches a rectangle
// of cells. Also returns true if more edits were made since then than the world records.
bool astar_world_is_touched(const AstarWorld *world, uint64_t version, AstarWorldEdit cells);
// Records an edit of the cells from (x0, y0) to (x1, y1). All finders forget the squares that they
// have measured there.
void astar_world_edited(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
// Removes a measured square from its finder and frees it. 'plot' is the header of the square.
void astar_square_evict(AstarWorld *world, AstarPlot *plot);

#endif
