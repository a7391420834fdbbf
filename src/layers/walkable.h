// walkable.h -- The layer of walkable cells: one bit for each position where a unit can stand.
// Components, bitmaps for jumps and baked data are attached to it.

#ifndef ASTAR_WALKABLE_H
#define ASTAR_WALKABLE_H

#include "base/bits.h"
#include "layers/components.h"
#include "layers/jump_bits.h"
#include "layers/layer.h"

// The terrains that a unit may enter, one bit each.
typedef struct AstarTerrainSet {
    uint64_t words[ASTAR_MAX_TERRAINS / 64];
} AstarTerrainSet;

// The walkable cells of one kind of unit.
typedef struct AstarWalkable {
    AstarLayer layer;
    AstarTerrainSet enterable;
    int32_t size;               // size of the unit, which covers size x size cells
    struct AstarWalkable *base; // the layer of units of one cell, from which this one is made, or
                                // NULL for such units; for a private copy the layer that it was
                                // copied from, see walkable.c
    uint64_t version;           // private copy: version of the grid when the copy was up to date
    uint64_t version_beside;    // private copy: number of edits at that time, without edits of
                                // ignored layers
    int32_t x, y;               // private copy: position of the unit
    AstarBits bits;             // 1: all cells that the unit covers have enterable terrain and no
                                // block
    // Connected components by straight steps, and with diagonal steps; NULL until a query needs
    // them.
    ASTAR_ATOMIC(AstarComponents *)
    components[2];
    // Bitmaps for jumps by corner rule; NULL until a search needs them.
    ASTAR_ATOMIC(AstarJumpBitmaps *)
    jumps[ASTAR_DIAGONALS_COUNT];
    AstarJumpBitmaps *all_jumps; // list of these bitmaps and of those in the layers of irregular.c
    struct AstarBakedMap *baked; // list of baked data, by corner rule and costs of steps
} AstarWalkable;

// Identifies bitmaps for jumps: where the pointer to them is stored, and at which cells they stop.
typedef struct AstarJumpKey {
    ASTAR_ATOMIC(AstarJumpBitmaps *) * place;
    AstarDiagonals rule;
    const AstarBits *irregular, *irregular_columns; // non-uniform cells; NULL if all ground is
                                                    // uniform
} AstarJumpKey;

// Returns true if a set contains a terrain.
static inline bool astar_terrain_set_has(const AstarTerrainSet *set, int terrain)
{
    return (set->words[terrain >> 6] >> (terrain & 63)) & 1;
}

// Returns the layer for these terrains, this size and these ignored layers of blocks, and creates
// it if the grid has none. The caller receives a reference.
AstarStatus astar_walkable_acquire(const AstarGrid *grid, const AstarTerrainSet *enterable,
                                   int size, uint64_t ignored, AstarWalkable **out);
// Stores the connected components of the layer, up to date.
AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out);
// Stores the bitmaps for jumps under a corner rule, up to date.
AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJumpBitmaps **out);

// Build components or bitmaps for jumps in steps. They return ASTAR_RUNNING when the work is used
// up.
AstarStatus astar_walkable_advance_components(const AstarGrid *grid, AstarWalkable *walkable,
                                              bool diagonal, int64_t *work);
AstarStatus astar_walkable_advance_jump(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarDiagonals rule, int64_t *work);
AstarStatus astar_walkable_advance_jumps(const AstarGrid *grid, AstarWalkable *walkable,
                                         const AstarJumpKey *key, int64_t *work);

// Finds the dead ends of bitmaps that are up to date, until the work is used up; see dead_ends.c.
AstarStatus astar_walkable_settle(const AstarGrid *grid, const AstarWalkable *walkable,
                                  AstarJumpBitmaps *jump, int64_t *work);

// Sets the bit of a cell and repairs what depends on it.
void astar_walkable_put(AstarWalkable *walkable, int x, int y, bool value);

enum {
    ASTAR_MOST_FLIPS = 16
}; // most bits repaired one by one; after more changes bits are set
   // together and the rest is marked stale
// Sets the bits of an area to those of 'like', or to the present map if 'like' is NULL. If at most
// '*most' bits change, each is repaired by itself and '*most' is reduced by their number. Otherwise
// components and bitmaps for jumps are only marked stale in the area.
void astar_walkable_copy_area(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                              int x, int y, int width, int height, int *most);

// Notes that any bit may have been written.
void astar_walkable_outdate(AstarWalkable *walkable);

// Frees the data of the layer, or of a private copy.
void astar_walkable_close(const AstarGrid *grid, void *layer);
// Returns the bytes of the layer, or of a private copy.
size_t astar_walkable_bytes(const AstarGrid *grid, const void *layer);

// Units that stand among their own blocks.

// Makes a private copy of the bits for a unit at (x, y) that ignores the blocks on the cells it
// covers there. '*lifted' is NULL or an earlier copy, even of another layer or position; it is
// updated or replaced, whichever is less work, and after a failure it is unchanged. 'base' must be
// up to date. One query at a time may use the copy.
AstarStatus astar_walkable_lift(const AstarGrid *grid, AstarWalkable *base, int x, int y,
                                AstarWalkable **lifted);
// Stores the connected components of a private copy. Returns ASTAR_GRID_CHANGED if the copy is
// outdated by an edit.
AstarStatus astar_lifted_components(const AstarGrid *grid, AstarWalkable *lifted, bool diagonal,
                                    AstarComponents **out);

// Squares of free cells.

// Clears all bits except those that are the north-west corner of a size x size square of set bits.
void astar_erode(AstarBits *bits, int height, int size);

// Computes the same for up to 64 rows from y on, in one word of each row; 'bits' do not change.
void astar_erode_words(const AstarBits *bits, int height, int size, int y, int rows, size_t word,
                       uint64_t eroded[64]);

// Returns the last cell of the run of set bits that extends from x to the east in a row, at most
// 'limit'; x - 1 if the bit of x is not set.
int astar_stretch_east(const uint64_t *row, int x, int limit);

// The costliest terrain under a unit of several cells.

// A layer shared by finders for which the terrains have the same order by cost.
typedef struct AstarFootprints {
    AstarLayer layer;
    int32_t size;                        // size of the unit
    uint8_t rank[ASTAR_MAX_TERRAINS];    // rank of each terrain by cost, then by number
    uint8_t terrain[ASTAR_MAX_TERRAINS]; // terrain of each rank
    uint8_t *along;  // per cell, the greatest rank among 'size' cells from it to the east
    uint8_t *ground; // per cell, the costliest terrain in the square with this north-west corner
} AstarFootprints;

// Returns the layer for this order by cost and this size, and creates it if the grid has none. The
// caller receives a reference.
AstarStatus astar_footprints_acquire(const AstarGrid *grid, const double *cost, int size,
                                     AstarFootprints **out);

// Random obstacles, judged by a sample of the map.

// Scale of the result of astar_scattered_turns.
enum { ASTAR_SCATTERED_ALL = 1024 };

// Returns, per ASTAR_SCATTERED_ALL free cells, how many may be turning points past a corner of an
// obstacle, if the map has random obstacles; otherwise 0. The result depends on the bits only, so
// it is the same for each caller at any time.
uint32_t astar_scattered_turns(const AstarBits *walkable, int height);
// Returns true if hardly any square of 2 x 2 cells is free, as in a maze whose corridors are one
// cell wide. Looks at a sample of the bits alone, as astar_scattered_turns() does.
bool astar_is_narrow(const AstarBits *walkable, int height);

#endif
