// kind.h -- how units of one finder move in a crowd: legal steps, and their lengths as whole
// numbers.
//
// Distances of a crowd are sums of whole numbers: a straight step is 1 where there are no diagonal
// ones, else about in the ratio of the lengths 5 to 7, times what the ground costs beside the
// cheapest there is. "The best route by the crowd's lengths" is the one whose sum of them is least.

#ifndef ASTAR_KIND_H
#define ASTAR_KIND_H

#include "finder/finder.h"

// The cells where units of one kind could stand on the map of one version, in order. Counted.
typedef struct AstarNumbering {
    uint32_t references;
    uint32_t in_force; // of those of distances in force
    AstarBits bits;
    uint32_t *before; // of each word of them: how many bits are set in those before it
    uint32_t count;
    AstarAllocator allocator;
} AstarNumbering;

// How distances of a kind are packed.
typedef struct AstarPacking {
    uint8_t shift;    // 1 << shift bits a cell
    uint32_t modulus; // 0: whole distances
} AstarPacking;

// The legal steps out of every cell, for units of one kind: a byte a cell, filled in by pibt.c. A
// turn looks at these steps many times, so they are computed once, and again around edited cells.

typedef struct AstarMoveTable {
    uint8_t *moves; // of each cell of the grid, whoever can stand there
    AstarBits bits; // where units could stand as it was worked out
    uint64_t walls_version;
} AstarMoveTable;

typedef struct AstarCrowdKind {
    AstarFinder *finder;   // retained; current, as all that follows, since the last update
    const AstarBits *bits; // where the unit can stand
    AstarMoveTable table;
    uint64_t seen;          // one more than astar_finder_version
    uint64_t version;       // of what is seen: an edit that is undone has made none
    uint64_t last_version;  // as the last beat took place
    uint64_t rules_version; // counts changes of the palette, of links and walls
    AstarPacking packing;   // of fields to be made
    bool is_uniform;        // all ground is of one cost
    double scale;           // of costs to lengths
    uint32_t free_cells;    // where the unit can stand
    uint32_t lengths[2];    // of steps over ground of one cost, straight and diagonal
    uint32_t shortest;      // of all steps but links
    uint32_t steps[2][ASTAR_MAX_TERRAINS]; // of steps into a terrain
    AstarNumbering *numbering; // as the cells are now; NULL: no field was begun since they changed
    uint64_t walls_version;    // for which it is known whether
    bool has_one_way_walls;
    AstarFinder *scout; // NULL: not made yet; see astar_kind_scout
} AstarCrowdKind;

// The longest step there is.
enum { ASTAR_LONGEST_STEP = 0xFFFF };

AstarStatus astar_kind_open(AstarCrowdKind *kind, AstarFinder *finder);
void astar_kind_close(AstarCrowdKind *kind);
// Brings it up to date with the grid.
AstarStatus astar_kind_update(AstarCrowdKind *kind);
bool astar_kind_is_current(const AstarCrowdKind *kind);

static inline const AstarGrid *astar_kind_grid(const AstarCrowdKind *kind)
{
    return kind->finder->grid;
}

static inline int astar_kind_size(const AstarCrowdKind *kind)
{
    return kind->finder->options.size;
}

// The legal steps out of a cell, whatever else stands there.
static inline unsigned astar_kind_moves(const AstarCrowdKind *kind, uint32_t cell)
{
    return kind->table.moves[cell];
}

// The length of what costs so much; a link is straight.
uint32_t astar_kind_length_of(const AstarCrowdKind *kind, double cost, bool is_diagonal);
// The length of a step into a cell.
static inline uint32_t astar_kind_step(const AstarCrowdKind *kind, uint32_t cell, bool is_diagonal)
{
    if (kind->is_uniform)
        return kind->lengths[is_diagonal];
    if (kind->finder->options.avoid == NULL)
        return kind->steps[is_diagonal][kind->finder->on.ground[cell]];
    return astar_kind_length_of(kind, astar_finder_cell_cost(kind->finder, cell), is_diagonal);
}

// The finder that routes of its units are found by before there are distances: as theirs, but for
// all that is a question's, and diagonal steps in the ratio of the lengths.
AstarStatus astar_kind_scout(AstarCrowdKind *kind, AstarFinder **out);

#endif
