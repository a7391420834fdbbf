// walkable.h -- The layer of walkable cells: one bit for each position that a unit can occupy.
// Components, bitmaps for jumps and baked data are attached to it.

#ifndef ASTAR_WALKABLE_H
#define ASTAR_WALKABLE_H

#include "base/bits.h"
#include "layers/components.h"
#include "layers/jump_bits.h"
#include "layers/layer.h"

// A set of terrains that a unit may enter, one bit each.
typedef struct AstarTerrainSet {
    uint64_t words[ASTAR_MAX_TERRAINS / 64];
} AstarTerrainSet;

// The walkable cells of one kind of unit.
typedef struct AstarWalkable {
    AstarLayer layer;
    AstarTerrainSet enterable;
    AstarBody body; // the columns and rows that the unit covers
    // For units of several cells, the layer of units of one cell from which this layer is made;
    // NULL for units of one cell. For a private copy, the layer that it was copied from, see
    // walkable.c.
    struct AstarWalkable *base;
    uint64_t version; // private copy: version of the grid when the copy was last up to date
    // For a private copy: the result of astar_version_beside for the grid when the copy was last up
    // to date.
    uint64_t version_beside;
    int32_t x, y; // private copy: position of the unit
    // One bit per position of the unit: 1 if the unit can enter the terrain of all cells that it
    // covers and none of them has a block.
    AstarBits bits;
    // Connected components by straight steps only, and with diagonal steps; NULL until a query
    // needs them.
    ASTAR_ATOMIC(AstarComponents *)
    components[2];
    // Bitmaps for jumps by corner rule; NULL until a search needs them.
    ASTAR_ATOMIC(AstarJumpBitmaps *)
    jumps[ASTAR_DIAGONALS_COUNT];
    // List of all bitmaps for jumps that depend on 'bits': those in 'jumps' and those in layers of
    // non-uniform cells.
    AstarJumpBitmaps *all_jumps;
    struct AstarBakedMap *baked; // list of baked data, by corner rule and costs of steps
} AstarWalkable;

// Identifies bitmaps for jumps: where the pointer to them is stored, their corner rule, and the
// non-uniform cells at which their jumps stop.
typedef struct AstarJumpKey {
    ASTAR_ATOMIC(AstarJumpBitmaps *) * place;
    AstarDiagonals rule;
    // Non-uniform cells, and the same bitmap transposed. NULL if all ground is uniform.
    const AstarBits *nonuniform, *nonuniform_columns;
} AstarJumpKey;

// Returns true if a terrain is in a set of terrains.
static inline bool astar_terrain_set_has(const AstarTerrainSet *set, int terrain)
{
    return (set->words[terrain >> 6] >> (terrain & 63)) & 1;
}

// Acquires the layer for a set of terrains, a body of units and a set of ignored layers of blocks.
// Creates the layer if the grid has none. The caller receives a reference.
AstarStatus astar_walkable_acquire(const AstarGrid *grid, const AstarTerrainSet *enterable,
                                   AstarBody body, uint64_t ignored, AstarWalkable **out);
// Stores the connected components of the layer, after bringing them up to date.
AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out);
// Stores the bitmaps for jumps under a corner rule, after bringing them up to date.
AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJumpBitmaps **out);

// The following functions build components and bitmaps for jumps in steps. The functions return
// ASTAR_RUNNING when the work is used up before the data are complete.
AstarStatus astar_walkable_advance_components(const AstarGrid *grid, AstarWalkable *walkable,
                                              bool diagonal, int64_t *work);
AstarStatus astar_walkable_advance_jump(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarDiagonals rule, int64_t *work);
AstarStatus astar_walkable_advance_jumps(const AstarGrid *grid, AstarWalkable *walkable,
                                         const AstarJumpKey *key, int64_t *work);

// Finds the dead ends of bitmaps for jumps that are up to date; see dead_ends.c. Returns
// ASTAR_RUNNING when the work is used up first.
AstarStatus astar_walkable_advance_dead_ends(const AstarGrid *grid, const AstarWalkable *walkable,
                                             AstarJumpBitmaps *jump, int64_t *work);

// Sets or clears the bit of a cell and repairs the components and bitmaps that depend on it.
void astar_walkable_put(AstarWalkable *walkable, int x, int y, bool value);

// Maximum number of bits that are repaired one by one. If more bits change, they are set together
// and the data that depend on them are marked stale.
enum { ASTAR_MOST_FLIPS = 16 };
// Sets the bits of an area to those of 'like', or to those of the present map if 'like' is NULL. If
// at most '*most' bits change, each change is repaired immediately, and '*most' is reduced by their
// number. Otherwise components and bitmaps for jumps are only marked stale in the area.
void astar_walkable_copy_area(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                              int x, int y, int width, int height, int *most);

// Records that any bit may have been changed, so that components and bitmaps for jumps are stale.
void astar_walkable_outdate(AstarWalkable *walkable);

// Frees the data of a layer of walkable cells, or of a private copy.
void astar_walkable_close(const AstarGrid *grid, void *layer);
// Returns the bytes of a layer of walkable cells, or of a private copy.
size_t astar_walkable_bytes(const AstarGrid *grid, const void *layer);

// The following functions are for units whose own blocks lie on the cells that they cover.

// Makes a private copy of the bits of 'base' for a unit at (x, y). In the copy the blocks on the
// cells that the unit covers are ignored. '*lifted' is NULL or an earlier copy, even of another
// layer or for another position. An earlier copy is updated or replaced, whichever is less work;
// after a failure it is unchanged. 'base' must be up to date. Only one query at a time may use the
// copy.
AstarStatus astar_walkable_lift(const AstarGrid *grid, AstarWalkable *base, int x, int y,
                                AstarWalkable **lifted);
// Stores the connected components of a private copy. Returns ASTAR_GRID_CHANGED if an edit was made
// since the copy was made.
AstarStatus astar_lifted_components(const AstarGrid *grid, AstarWalkable *lifted, bool diagonal,
                                    AstarComponents **out);

// The following functions compute the rectangles of free cells in which a body fits.

// Clears all bits except those at the north-west corner of a rectangle of set bits that has the
// columns and rows of a body.
void astar_erode(AstarBits *bits, int height, AstarBody body);

// Computes the result of astar_erode for one word of each of up to 64 rows, from row y on. The bits
// of 'bits' do not change.
void astar_erode_words(const AstarBits *bits, int height, AstarBody body, int y, int rows,
                       size_t word, uint64_t eroded[64]);

// Returns the last cell of the run of set bits that begins at x in a row, at most 'limit'. Returns
// x - 1 if the bit of x is not set.
int astar_stretch_east(const uint64_t *row, int x, int limit);

// The following declarations are about the costliest terrain under a unit of several cells.

// The layer of the costliest terrain under a unit. Finders share a layer if their costs put the
// terrains in the same order.
typedef struct AstarFootprints {
    AstarLayer layer;
    AstarBody body; // the columns and rows that the unit covers
    // Rank of each terrain. Terrains are ordered by cost, equal ones by number.
    uint8_t rank[ASTAR_MAX_TERRAINS];
    uint8_t terrain[ASTAR_MAX_TERRAINS]; // terrain with each rank
    // For each cell, the greatest rank of as many cells as the body has columns: the cell itself
    // and those to its east.
    uint8_t *along;
    // For each cell, the costliest terrain in the rectangle whose north-west corner the cell is.
    uint8_t *ground;
} AstarFootprints;

// Acquires the layer for terrains of the given costs and a body of units. Creates the layer if the
// grid has none. The caller receives a reference.
AstarStatus astar_footprints_acquire(const AstarGrid *grid, const double *cost, AstarBody body,
                                     AstarFootprints **out);

// The following functions detect random obstacles by a sample of the map.

// Statistics of a sample of a map. All numbers are numbers of cells of the sample.
typedef struct AstarClutter {
    uint32_t cells; // cells that were looked at
    uint32_t free;  // cells that can be entered
    // Free cells that may be turning points past a corner: a diagonal neighbour is blocked, and
    // both cells beside that diagonal step are free.
    uint32_t turns;
    uint32_t squares; // squares of 2 x 2 free cells
    uint32_t runs;    // first cells of the runs of free cells in a row or in a column
} AstarClutter;

// Takes the sample. The result depends only on the bits, so it is the same for each caller at any
// time.
AstarClutter astar_look_at_clutter(const AstarBits *walkable, int width, int height);
// Returns true if the map has random obstacles: on about 6 % of its cells or more.
bool astar_is_scattered(const AstarClutter *seen);
// Returns true if most obstacles of the map are single cells, even if the map has few obstacles.
// Around a single blocked cell there are four turning points, around an obstacle of 2 x 2 cells one
// per cell, and along a wall few.
bool astar_is_sprinkled(const AstarClutter *seen);
// Returns true if hardly any square of 2 x 2 cells is free, as in a maze whose corridors are one
// cell wide.
bool astar_is_narrow(const AstarClutter *seen);

// Arrangements of the obstacles on a map. If obstacles are close to each other, jumps are short.
typedef enum AstarObstacles {
    ASTAR_OBSTACLES_RANDOM = 1, // random obstacles, see astar_is_scattered
    ASTAR_OBSTACLES_CLOSE,      // walls end a straight line after 24 cells or fewer, on average
    ASTAR_OBSTACLES_APART       // all other maps
} AstarObstacles;

// Returns how the obstacles lie, by a sample of the map.
AstarObstacles astar_obstacles_of(const AstarBits *walkable, int width, int height);

#endif
