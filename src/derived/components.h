// components.h -- the connected components of a bitmap, kept current as bits flip.

#ifndef ASTAR_COMPONENTS_H
#define ASTAR_COMPONENTS_H

#include "base/array.h"
#include "base/directions.h"
#include "base/shape.h"
#include "base/thread.h"
#include "derived/component_tile.h"

// A square of 4 x 4 squares of the level below, which are its parts; of the lowest level a tile.
// What hangs together inside it is numbered, from 0 on, those components first that touch a side
// beyond which there is more of the map: they are open.
typedef struct AstarComponentSquare {
    uint32_t first, capacity; // its room among the numbers and labels
    uint32_t count;           // of open components of all its parts; of a tile, of closed ones
    uint32_t open;
    uint32_t at;     // what is added to the number of an open one to be counted with those of the
                     // other parts of the same square
    bool outdated;   // it or one of its parts
    bool is_changed; // one of its parts, since it was made of them
    uint8_t changed; // the sides at which they have other numbers, of ASTAR_WEST_SIDE and so on
} AstarComponentSquare;

enum { ASTAR_COMPONENT_LEVELS = 11 }; // the largest square is as wide as any map

// What the bits set make of the labels there were. The nodes are the cells set, then the components
// that these touch.
typedef struct AstarComponentPatch {
    const struct AstarComponents *under; // of the bits without
    int32_t x, y, width, height;         // all cells set lie in this rectangle
    uint32_t cell_count;                 // of those set
    uint32_t label_count;                // of the components they touch
    uint32_t *cells;  // of each cell of the rectangle: 1 + its node, 0: not set here
    uint32_t *labels; // of the components, in order; at most 8 for each cell set
    uint32_t *roots;  // of each node: the first one of those that hang together; room for 9
} AstarComponentPatch;

typedef struct AstarComponents {
    AstarAllocator allocator;
    const AstarShape *shape;
    uint8_t joins[2];         // by phase: the directions in which a cell meets others
    AstarTileJoins of_tile;   // the same, by bits
    ASTAR_ATOMIC(bool) stale; // to be updated before it is asked: what squares tell by 'outdated'
    int32_t width, height;
    uint8_t *local; // of each cell the number of its component in the tile
    AstarComponentSquare *squares;
    uint32_t begin[ASTAR_COMPONENT_LEVELS + 1]; // of each level, in 'squares'
    int levels;                                 // the highest has one square
    uint32_t emptied;                           // squares, of all that are to be made anew
    uint32_t *numbers; // of the open components of a square's parts: their numbers in the square
    uint32_t label_count, label_capacity; // of numbers in use, and room; labels are below
    AstarComponentPatch *patch;           // of others, to which this adds; then it has no more
} AstarComponents;

AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out);
// Those of an equal grid, where they are current; NULL: they are not, or there is no memory.
AstarComponents *astar_components_copy(const AstarGrid *grid, bool diagonal,
                                       const AstarComponents *from);
void astar_components_free(AstarComponents *components);
size_t astar_components_bytes(const AstarComponents *components);

// Brings up to date what edits have left stale; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_components_advance(AstarComponents *components, const AstarBits *bits,
                                     int64_t *work);
// Takes note that bits of a rectangle may have flipped; or that any may.
void astar_components_edited(AstarComponents *components, int x, int y, int width, int height);
void astar_components_outdate(AstarComponents *components);
// A number that set cells share exactly when a way leads from one to the other. The components
// must be current and the cell set.
uint32_t astar_components_label(const AstarComponents *components, int x, int y);
// Whether some set cell of the tile that a cell lies in may have that number.
bool astar_components_tile_may_have(const AstarComponents *components, int x, int y,
                                    uint32_t label);
// Whether two set cells share it. It looks no farther than the least square that holds both, where
// they hang together inside that.
bool astar_components_join(const AstarComponents *components, int x0, int y0, int x1, int y1);

// ---- patches ----

// How many numbers one has: of each cell set the labels it may touch, and nodes.
static inline size_t astar_component_patch_numbers(const AstarComponentPatch *patch)
{
    return (size_t)patch->width * (size_t)patch->height +
           (size_t)patch->cell_count * (2 * ASTAR_DIRECTIONS + 1);
}

// The node of a cell set, or of a component by its label; UINT32_MAX for others.
static inline uint32_t astar_component_patch_cell(const AstarComponentPatch *patch, int x, int y)
{
    int column = x - patch->x, row = y - patch->y;
    bool inside = column >= 0 && row >= 0 && column < patch->width && row < patch->height;
    return inside ? patch->cells[row * patch->width + column] - 1 : UINT32_MAX;
}

static inline uint32_t astar_component_patch_label(const AstarComponentPatch *patch, uint32_t label)
{
    uint32_t count = patch->label_count;
    uint32_t place = (uint32_t)astar_count_below(patch->labels, count, sizeof label, label);
    bool is_there = place < count && patch->labels[place] == label;
    return is_there ? patch->cell_count + place : UINT32_MAX;
}

#endif
