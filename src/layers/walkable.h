// walkable.h -- where a unit can stand, as bits.

#ifndef ASTAR_WALKABLE_H
#define ASTAR_WALKABLE_H

#include "base/bits.h"
#include "layers/components.h"
#include "layers/jump_bits.h"
#include "layers/layer.h"

// The terrains a unit may enter, a bit for each.
typedef struct AstarTerrainSet {
    uint64_t words[ASTAR_MAX_TERRAINS / 64];
} AstarTerrainSet;

typedef struct AstarWalkable {
    AstarLayer layer;
    AstarTerrainSet enterable;
    int32_t size;               // of the unit: it covers size x size cells
    struct AstarWalkable *base; // the one of size 1; NULL: this is of that size; of a private one:
                                // that of whose bits it has a copy, see walkable.c
    uint64_t version;           // of a private one: the grid's when it was made current
    uint64_t version_beside;    // and that of the edits that count
    int32_t x, y;               // of a private one: where the unit stands
    AstarBits bits;             // 1: enterable terrain and no block, on all cells covered
    ASTAR_ATOMIC(AstarComponents *)
    components[2]; // by steps straight only, and with diagonals; NULL: not asked
    ASTAR_ATOMIC(AstarJumpBitmaps *)
    jumps[ASTAR_DIAGONALS_COUNT]; // NULL: no search has jumped by it
    AstarJumpBitmaps *all_jumps;  // a list of these and of those that irregular.c has
    struct AstarBakedMap *baked;  // a list of what was baked, by rules and ratios
} AstarWalkable;

// Bitmaps to jump by: where they are kept, and what they stop at.
typedef struct AstarJumpKey {
    ASTAR_ATOMIC(AstarJumpBitmaps *) * place;
    AstarDiagonals rule;
    const AstarBits *irregular, *irregular_columns; // NULL: none
} AstarJumpKey;

static inline bool astar_terrain_set_has(const AstarTerrainSet *set, int terrain)
{
    return (set->words[terrain >> 6] >> (terrain & 63)) & 1;
}

// The bitmap for these terrains, this size and layers of blocks that do not count, made if the grid
// has none yet; counts a reference.
AstarStatus astar_walkable_acquire(const AstarGrid *grid, const AstarTerrainSet *enterable,
                                   int size, uint64_t ignored, AstarWalkable **out);
// The connected components of the bits, current.
AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out);
// The bitmaps for jumping by a rule, current.
AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJumpBitmaps **out);

// The same, as far as the work goes; ASTAR_RUNNING where it is used up before they are current.
AstarStatus astar_walkable_advance_components(const AstarGrid *grid, AstarWalkable *walkable,
                                              bool diagonal, int64_t *work);
AstarStatus astar_walkable_advance_jump(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarDiagonals rule, int64_t *work);
AstarStatus astar_walkable_advance_jumps(const AstarGrid *grid, AstarWalkable *walkable,
                                         const AstarJumpKey *key, int64_t *work);

// Finds the turns that lead nowhere of some that are current, as far as the work goes: see
// dead_ends.c.
AstarStatus astar_walkable_settle(const AstarGrid *grid, const AstarWalkable *walkable,
                                  AstarJumpBitmaps *jump, int64_t *work);

// Gives a bit its value and repairs what hangs on it.
void astar_walkable_put(AstarWalkable *walkable, int x, int y, bool value);

enum { ASTAR_MOST_FLIPS = 16 }; // repaired one by one; more of them all at once
// Gives the bits of an area the values of others, or those of the map: where 'most' flip at most,
// which are taken off it, one by one; else what hangs on them is only outdated.
void astar_walkable_copy_area(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                              int x, int y, int width, int height, int *most);

// Takes note that any of the bits may have been written.
void astar_walkable_outdate(AstarWalkable *walkable);

// Of the layer, also where it is a private one.
void astar_walkable_close(const AstarGrid *grid, void *layer);
size_t astar_walkable_bytes(const AstarGrid *grid, const void *layer);

// ---- where a unit among its own blocks can stand, as bits ----

// A private copy of the bitmap of a unit in which no block counts that the unit covers at (x, y).
// '*lifted' is NULL, or was made so before, of whatever bitmap and for whatever place: it is made
// anew, or brought up to date where that is less work, and stays as it was on failure. 'base' is
// current. One query at a time may read it.
AstarStatus astar_walkable_lift(const AstarGrid *grid, AstarWalkable *base, int x, int y,
                                AstarWalkable **lifted);
// The connected components of its bits. ASTAR_GRID_CHANGED after an edit: it is no longer current.
AstarStatus astar_lifted_components(const AstarGrid *grid, AstarWalkable *lifted, bool diagonal,
                                    AstarComponents **out);

// ---- where a square of cells is free, as bits ----

// Leaves those bits set that are the north-west corner of a size x size square of set bits.
void astar_erode(AstarBits *bits, int height, int size);

// The same of up to 64 rows from y on, of one word of each; 'bits' stay as they are.
void astar_erode_words(const AstarBits *bits, int height, int size, int y, int rows, size_t word,
                       uint64_t eroded[64]);

// The last cell of the stretch of set bits that goes on from x to the east in a row, but at most
// 'limit'; x - 1 where the bit of x is not set.
int astar_stretch_east(const uint64_t *row, int x, int limit);

// ---- the dearest ground that a unit wider than a cell covers ----

// Shared by finders to whom the terrains' order by cost is the same.
typedef struct AstarFootprints {
    AstarLayer layer;
    int32_t size;                        // of the unit
    uint8_t rank[ASTAR_MAX_TERRAINS];    // of each terrain, by cost, then by number
    uint8_t terrain[ASTAR_MAX_TERRAINS]; // of each rank
    uint8_t *along;  // of each cell: the greatest rank from there on, 'size' cells to the east
    uint8_t *ground; // of each cell: the dearest terrain of the square of which it is the corner
} AstarFootprints;

// The layer for this order by cost and this size, made if the grid has none; counts a reference.
AstarStatus astar_footprints_acquire(const AstarGrid *grid, const double *cost, int size,
                                     AstarFootprints **out);

// ---- whether blocks are scattered over the ground, by a sample of it ----

enum { ASTAR_SCATTERED_ALL = 1024 };

// Of so many free cells, those past a corner of which a way may turn, if blocks are scattered;
// else 0. Depends on nothing but the bits: the same whoever asks, and when.
uint32_t astar_scattered_turns(const AstarBits *walkable, int height);
// Returns true if hardly any square of 2 x 2 cells is free, as in a maze whose corridors are one
// cell wide. Looks at a sample of the bits alone, as astar_scattered_turns() does.
bool astar_is_narrow(const AstarBits *walkable, int height);

#endif
