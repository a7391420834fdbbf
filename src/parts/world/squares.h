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
    uint32_t to; // number of the node that the edge leads to
} AstarSquareEdge;

// A square and its nodes and edges. It is complete once 'is_built' is true.
typedef struct AstarSquare {
    AstarPlot plot; // has kind 1
    AstarWorldFinder *finder;
    bool is_built;
    bool is_symmetric; // all distances are the same in both directions
    uint32_t count;    // number of nodes
    // While it is built: the number of 'rows' measured, and after that of nodes whose edges are
    // chosen.
    uint32_t rows_done;
    uint32_t edge_count;
    size_t edge_capacity;
    uint16_t *places; // place of each node in ascending order, with flags; see astar_place_at
    // Index of the first edge of each node, and the number of edges. NULL: not started yet, or
    // packed.
    uint32_t *first;
    AstarSquareEdge *edges; // while it is built
    uint16_t *packed;       // when built: first edges, places, costs in units, ends of edges
    double unit;            // cost of an edge = packed cost * unit
    double *rows;           // distances from each node to all others, while it is built
    size_t bytes;           // memory counted in world->bytes
} AstarSquare;

enum { ASTAR_NO_PLACE = -1, ASTAR_MOST_NODES = (ASTAR_CHUNK_SIDE + 1) * (ASTAR_CHUNK_SIDE + 1) };

// A place is the column and row of a cell in its square. The flag above these bits marks nodes next
// to absent chunks.
enum { ASTAR_COLUMN_BITS = 7, ASTAR_PLACE = 0x7FFF, ASTAR_AT_FRONTIER = 0x8000 };

// Continues to build a square, one piece of work per call. Returns ASTAR_OK if '*out' is complete.
// It then stays in memory until the world is used next. 'context' is passed to the functions of the
// host.
AstarStatus astar_square_need(AstarWorldFinder *finder, int32_t i, int32_t j, void *context,
                              AstarSquare **out);
// Returns the number of the node on a cell, or ASTAR_NO_PLACE.
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

// Returns true if ends of edges take one byte and edge numbers two, because there are few nodes.
static inline bool astar_has_short_ends(const AstarSquare *square)
{
    return square->count <= 256;
}

// Returns the memory of the packed nodes and edges, in bytes.
static inline size_t astar_square_packed_bytes(const AstarSquare *square)
{
    size_t more = !astar_has_short_ends(square), count = square->count;
    return square->edge_count * (3 + more) + (count + 1) * (2 + 2 * more) + 2 * count;
}

// Returns the index of the first edge of a node. For the node after the last, returns the number of
// edges.
static inline uint32_t astar_square_first(const AstarSquare *square, uint32_t node)
{
    const void *first = square->packed;
    return astar_has_short_ends(square) ? ((const uint16_t *)first)[node]
                                        : ((const uint32_t *)first)[node];
}

// Returns the costs of all edges, in units.
static inline uint16_t *astar_square_costs(const AstarSquare *square)
{
    return square->packed + (square->count + 1) * (astar_has_short_ends(square) ? 2 : 3) - 1;
}

// Returns the node at the end of an edge.
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

// The squares that contain a cell, from (i0, j0) to (i1, j1); at most four.
typedef struct AstarSquares {
    int32_t i0, j0, i1, j1;
} AstarSquares;

static inline AstarSquares astar_squares_of(int32_t x, int32_t y)
{
    int32_t i = astar_chunk_of(x), j = astar_chunk_of(y);
    return (AstarSquares){i - (astar_in_chunk(x) == 0), j - (astar_in_chunk(y) == 0), i, j};
}

// ---- enclosed goals (cutout.c) ----

enum { ASTAR_SQUARE_WORDS = ASTAR_MOST_NODES / 64 + 1 }; // a bit for each cell of a square

// A square, and those of its cells from which a way leads to the goal.
typedef struct AstarEnclosedSquare {
    AstarPlot plot;
    struct AstarEnclosedSquare *next; // next square that waits to be flooded
    bool waits;                       // the square is in the list
    uint64_t reached[ASTAR_SQUARE_WORDS];
    // Cells that were reached since the last flood of the square.
    uint64_t fresh[ASTAR_SQUARE_WORDS];
} AstarEnclosedSquare;

// The set of cells from which the goal can be reached, computed backward from the goal.
typedef struct AstarEnclosure {
    AstarPlots plots;                  // of AstarEnclosedSquare
    AstarEnclosedSquare *first, *last; // squares that wait to be flooded
    uint64_t floods;                   // number of floods so far
    bool is_over;                      // ended without proof that there is no way
} AstarEnclosure;

// ---- stages of building a square; each call does one piece of work ----

// A line of cells of a square on which nodes are placed.
typedef struct AstarNodeLine {
    int column, row; // first cell
    int dx, dy, length;
    uint32_t flags;
} AstarNodeLine;

// Lists the nodes of a square and allocates the array of distances.
AstarStatus astar_square_list_nodes(AstarSquare *square, const AstarCutout *cutout);

enum { ASTAR_FRONTIER_LINES = 3 };

// Gives the lines of cells of a square on which the unit stands next to a chunk that is absent: the
// last cells before such a chunk in the east and south. If the chunk itself is absent, gives the
// cells on its border. Returns the number of lines.
int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                          AstarNodeLine lines[ASTAR_FRONTIER_LINES]);

// Updates the memory of a square in world->bytes.
void astar_square_count_bytes(AstarSquare *square);
// Frees the data that is needed only to build a square.
void astar_square_drop_unpacked(AstarSquare *square);
// Frees all data of a square and removes it from the ring of plots that can be unloaded, but does
// not free the square itself.
void astar_square_empty(AstarSquare *square);

// Continues to build a square whose distances are all measured. Returns ASTAR_OK when it is
// complete.
AstarStatus astar_square_choose_edges(AstarSquare *square);

// Returns true if an edit since 'version' of the world touches a rectangle of cells.
bool astar_world_is_touched(const AstarWorld *world, uint64_t version, AstarWorldEdit cells);
// Records an edit, and makes all finders forget what they have measured there.
void astar_world_edited(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
// Frees a measured square. Its plot has a kind other than 0.
void astar_square_let_go(AstarWorld *world, AstarPlot *plot);

#endif
