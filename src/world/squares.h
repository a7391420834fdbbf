// squares.h -- nodes on the lines between chunks, and true distances between those of a square.

#ifndef ASTAR_SQUARES_H
#define ASTAR_SQUARES_H

#include "world/world_finder.h"

typedef struct AstarMerge AstarMerge;

// A closed square: its cells and those of the lines to the east and south of them. What it holds
// is complete once 'is_built'.
typedef struct AstarSquare {
    AstarPlot plot; // its kind is the level, 1 added
    AstarWorldFinder *finder;
    bool is_built;
    bool is_listed;     // the nodes are
    bool is_symmetric;  // every way back costs the same
    bool is_too_large;  // for distances between all nodes: those of the level below serve
    uint32_t count;     // of nodes
    uint32_t rows_done; // of 'rows', while it is being built; then of edges chosen of them
    uint32_t capacity;  // of nodes
    uint32_t edge_count, edge_capacity;
    uint32_t *places; // of the nodes, ascending, and flags
    uint32_t *first;  // of each node's edges, and one more
    uint16_t *to;     // of each edge, while it is being built
    double *cost;     // the same
    uint16_t *packed; // afterwards: costs in units, then the nodes they lead to
    double unit;
    double *rows;      // distances from each node to all others, while it is being built
    AstarMerge *merge; // of an upper one: what it has been put together from
} AstarSquare;

enum {
    ASTAR_NO_PLACE = -1,
    ASTAR_BELOW = 8, // squares of a row of an upper one
    ASTAR_MOST_NODES = 1024,
    ASTAR_MOST_LOWER_NODES = (ASTAR_CHUNK_SIDE + 1) * (ASTAR_CHUNK_SIDE + 1)
};

#define ASTAR_AT_FRONTIER UINT32_C(0x80000000) // the flag of nodes beside what is not there
#define ASTAR_IS_ABOVE UINT32_C(0x40000000)    // of those that an upper square has, too
#define ASTAR_AT_LINK UINT32_C(0x20000000)     // of ends of links
#define ASTAR_PLACE (~(ASTAR_AT_FRONTIER | ASTAR_IS_ABOVE | ASTAR_AT_LINK))

// Goes on building a square, by one piece; ASTAR_OK: '*out' is built, and stays until the world's
// next use begins. 'context' is the host's.
AstarStatus astar_square_need(AstarWorldFinder *finder, int level, int32_t i, int32_t j,
                              void *context, AstarSquare **out);
// The number of the node on a cell; ASTAR_NO_PLACE where there is none.
int astar_square_node(const AstarSquare *square, int32_t x, int32_t y);

// A place is a row and a column.
enum { ASTAR_COLUMN_BITS = 10 };

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

// What an edge costs.
static inline double astar_square_cost(const AstarSquare *square, uint32_t edge)
{
    return square->packed != NULL ? square->packed[edge] * square->unit : square->cost[edge];
}

// The ends of edges among few nodes take a byte each.
static inline bool astar_has_short_ends(const AstarSquare *square)
{
    return square->count <= 256;
}

// The node that an edge leads to.
static inline uint32_t astar_square_to(const AstarSquare *square, uint32_t edge)
{
    if (square->packed == NULL)
        return square->to[edge];
    const uint16_t *ends = square->packed + square->edge_count;
    return astar_has_short_ends(square) ? ((const uint8_t *)ends)[edge] : ends[edge];
}

static inline int32_t astar_square_x(const AstarSquare *square, uint32_t node)
{
    return square->plot.i * astar_side_of_level(square->plot.kind - 1) +
           astar_place_column(square->places[node]);
}

static inline int32_t astar_square_y(const AstarSquare *square, uint32_t node)
{
    return square->plot.j * astar_side_of_level(square->plot.kind - 1) +
           astar_place_row(square->places[node]);
}

// The squares of a level that hold a cell, at most four: from '(i0, j0)' to '(i1, j1)'.
typedef struct AstarSquares {
    int32_t i0, j0, i1, j1;
} AstarSquares;

static inline AstarSquares astar_squares_of(int level, int32_t x, int32_t y)
{
    int32_t side = astar_side_of_level(level);
    int32_t i = astar_square_of(x, side), j = astar_square_of(y, side);
    return (AstarSquares){i - (i * side == x), j - (j * side == y), i, j};
}

#endif
