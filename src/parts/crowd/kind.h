// kind.h -- how the units of one finder move in a crowd: legal steps, and step lengths as whole
// numbers. A crowd has one kind per finder.
//
// Distances of a crowd are sums of whole numbers. Without diagonal steps, a straight step has
// length 1. With diagonal steps, a straight step has length 5 and a diagonal step about 7. The
// length is multiplied by the cost of the ground, divided by the cost of the cheapest ground. A
// best route "by the crowd's lengths" is a route with the least sum of these lengths.

#ifndef ASTAR_KIND_H
#define ASTAR_KIND_H

#include "finder/finder.h"

// A numbering of the cells that units of one kind can occupy, row by row, for one version of the
// map. The numbering is reference-counted and shared by fields.
typedef struct AstarNumbering {
    uint32_t references;
    uint32_t in_force; // number of fields whose distances in use have this numbering
    AstarBits bits;
    // For each word of 'bits', the number of bits that are set in all words before this word.
    uint32_t *before;
    uint32_t count;
    AstarAllocator allocator;
} AstarNumbering;

// The packing of the distances for units of one kind.
typedef struct AstarPacking {
    uint8_t shift;    // each cell takes 1 << shift bits
    uint32_t modulus; // distances are stored modulo this number; 0: they are stored whole
} AstarPacking;

// The legal steps out of every cell for units of one kind, computed in pibt.c. A tick reads the
// steps of a cell many times. Therefore the steps are computed once, and are computed again only
// for the cells around edits.

typedef struct AstarMoveTable {
    // For each cell of the grid, the directions of its legal steps as bits. Other units are not
    // considered.
    uint8_t *moves;
    AstarBits bits; // the walkable cells for which 'moves' was computed
    uint64_t walls_version;
} AstarMoveTable;

typedef struct AstarCrowdKind {
    // The finder of the kind, which is retained. The finder and the fields below are up to date
    // since the last update.
    AstarFinder *finder;
    const AstarBits *bits; // the cells where a unit of this kind can stand
    AstarMoveTable table;
    uint64_t seen; // version of the map that was read last: astar_finder_version + 1
    // Hash of the map, used as its version. A block that is set and removed again leaves it
    // unchanged.
    uint64_t version;
    uint64_t last_version;  // value of 'version' at the last tick
    uint64_t rules_version; // a number that changes with every edit of the palette, links or walls
    AstarPacking packing;   // the packing for new fields of distances
    bool is_uniform;        // true if all ground that units can enter costs the same
    double scale; // a step of cost c has the length c * scale * lengths[is_diagonal], rounded
    uint32_t free_cells; // number of cells where a unit of this kind can stand
    uint32_t lengths[2]; // lengths of a straight and a diagonal step on the cheapest ground
    uint32_t shortest;   // length of the shortest step, links excepted
    // Lengths of the steps into each terrain, indexed by is_diagonal (0 or 1) and by terrain.
    uint32_t steps[2][ASTAR_MAX_TERRAINS];
    // Numbering of the walkable cells of the current map. NULL if no field was started since the
    // map changed.
    AstarNumbering *numbering;
    uint64_t walls_version; // version of the walls for which 'has_one_way_walls' was computed
    bool has_one_way_walls;
    // The finder for the routes of single units, see astar_kind_scout. NULL if it was not needed
    // yet.
    AstarFinder *scout;
} AstarCrowdKind;

// Upper bound of the length of any step.
enum { ASTAR_LONGEST_STEP = 0xFFFF };

AstarStatus astar_kind_open(AstarCrowdKind *kind, AstarFinder *finder);
void astar_kind_close(AstarCrowdKind *kind);
// Brings the data that a crowd keeps for a finder (a kind) up to date with the map.
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

// Returns the directions of the legal steps out of a cell, as bits. Other units are not considered.
static inline unsigned astar_kind_moves(const AstarCrowdKind *kind, uint32_t cell)
{
    return kind->table.moves[cell];
}

// Returns the length, as a whole number, of a step that costs 'cost'. A link counts as a straight
// step.
uint32_t astar_kind_length_of(const AstarCrowdKind *kind, double cost, bool is_diagonal);
// Returns the length, as a whole number, of a step into a cell.
static inline uint32_t astar_kind_step(const AstarCrowdKind *kind, uint32_t cell, bool is_diagonal)
{
    if (kind->is_uniform)
        return kind->lengths[is_diagonal];
    if (kind->finder->options.avoid == NULL)
        return kind->steps[is_diagonal][kind->finder->on.ground[cell]];
    return astar_kind_length_of(kind, astar_finder_cell_cost(kind->finder, cell), is_diagonal);
}

// Writes to '*out' the finder for the routes of single units, which follow such a route while their
// goal has no distances. The finder is made in the first call. The finder has the options of the
// kind's finder, except the options of a single query. The costs of its diagonal and straight steps
// have the same ratio as the crowd's whole-number lengths.
AstarStatus astar_kind_scout(AstarCrowdKind *kind, AstarFinder **out);

#endif
