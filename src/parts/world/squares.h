// squares.h -- nodes on the lines between chunks, and true distances between those of a square.

#ifndef ASTAR_SQUARES_H
#define ASTAR_SQUARES_H

#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"
#include "parts/world/world_finder.h"

typedef struct AstarSquareEdge {
    double cost;
    uint32_t to; // node
} AstarSquareEdge;

// A closed square: its cells and those of the lines to the east and south of them. What it holds
// is complete once 'is_built'.
typedef struct AstarSquare {
    AstarPlot plot; // its kind is 1
    AstarWorldFinder *finder;
    bool is_built;
    bool is_symmetric;  // every way back costs the same
    uint32_t count;     // of nodes
    uint32_t rows_done; // of 'rows', while it is being built; then of edges chosen of them
    uint32_t edge_count;
    size_t edge_capacity;
    uint16_t *places; // of the nodes, ascending, and flags
    uint32_t *first;  // of each node's edges, and one more, while it is being built; NULL: none yet
    AstarSquareEdge *edges; // and they
    uint16_t *packed;       // afterwards: first edges, places, costs in units, where edges lead
    double unit;
    double *rows; // distances from each node to all others, while it is being built
    size_t bytes; // of it that the world has counted
} AstarSquare;

enum { ASTAR_NO_PLACE = -1, ASTAR_MOST_NODES = (ASTAR_CHUNK_SIDE + 1) * (ASTAR_CHUNK_SIDE + 1) };

// A place is a row and a column; above them the flag of nodes beside what is not there.
enum { ASTAR_COLUMN_BITS = 7, ASTAR_PLACE = 0x7FFF, ASTAR_AT_FRONTIER = 0x8000 };

// Goes on building a square, by one piece; ASTAR_OK: '*out' is built, and stays until the world's
// next use begins. 'context' is the host's.
AstarStatus astar_square_need(AstarWorldFinder *finder, int32_t i, int32_t j, void *context,
                              AstarSquare **out);
// The number of the node on a cell; ASTAR_NO_PLACE where there is none.
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

// The ends of edges among few nodes take a byte each, and the numbers of the edges two.
static inline bool astar_has_short_ends(const AstarSquare *square)
{
    return square->count <= 256;
}

// What nodes and edges take once they are packed.
static inline size_t astar_square_packed_bytes(const AstarSquare *square)
{
    size_t more = !astar_has_short_ends(square), count = square->count;
    return square->edge_count * (3 + more) + (count + 1) * (2 + 2 * more) + 2 * count;
}

// The first edge out of a node, or of the one behind the last.
static inline uint32_t astar_square_first(const AstarSquare *square, uint32_t node)
{
    const void *first = square->packed;
    return astar_has_short_ends(square) ? ((const uint16_t *)first)[node]
                                        : ((const uint32_t *)first)[node];
}

// What edges cost, in units.
static inline uint16_t *astar_square_costs(const AstarSquare *square)
{
    return square->packed + (square->count + 1) * (astar_has_short_ends(square) ? 2 : 3) - 1;
}

// The node that an edge leads to.
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

// The squares that hold a cell, at most four: from '(i0, j0)' to '(i1, j1)'.
typedef struct AstarSquares {
    int32_t i0, j0, i1, j1;
} AstarSquares;

static inline AstarSquares astar_squares_of(int32_t x, int32_t y)
{
    int32_t i = astar_chunk_of(x), j = astar_chunk_of(y);
    return (AstarSquares){i - (astar_in_chunk(x) == 0), j - (astar_in_chunk(y) == 0), i, j};
}

// ---- closed places (cutout.c): whether the goal of a route lies in one ----

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

// ---- the stages in which a square is built; each goes on by one piece ----

// A line of cells of a square, of which runs are told and nodes put.
typedef struct AstarNodeLine {
    int column, row; // where it begins
    int dx, dy, length;
    uint32_t flags;
} AstarNodeLine;

// Lists the nodes of a closed chunk, and makes room for all distances.
AstarStatus astar_square_list_nodes(AstarSquare *square, const AstarCutout *cutout);

enum { ASTAR_FRONTIER_LINES = 3 };

// The cells of a closed chunk where the unit stands beside a chunk that is not there, as lines; how
// many: the last cells before it to the east and south, and where it is this one all that it has.
int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                          AstarNodeLine lines[ASTAR_FRONTIER_LINES]);

// Has the world count what it takes now.
void astar_square_count_bytes(AstarSquare *square);
// Frees what only building it takes; all that it has but itself, which is in no list then.
void astar_square_drop_unpacked(AstarSquare *square);
void astar_square_empty(AstarSquare *square);

// Goes on building once all distances are measured; ASTAR_OK: the square is built.
AstarStatus astar_square_choose_edges(AstarSquare *square);

// Whether any of the edits made since 'version' touches the cells, both corners included.
bool astar_world_is_touched(const AstarWorld *world, uint64_t version, AstarWorldEdit cells);
// Notes an edit, and has finders forget what they have measured there.
void astar_world_edited(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
// Lets go of a measured square: any plot whose kind is not 0.
void astar_square_let_go(AstarWorld *world, AstarPlot *plot);

#endif
