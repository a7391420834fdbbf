// components.h -- The connected components of the walkable cells of a map, kept up to date as cells
// change. A query can thus find out without a search that there is no route.

#ifndef ASTAR_COMPONENTS_H
#define ASTAR_COMPONENTS_H

#include "base/array.h"
#include "base/bits.h"
#include "base/directions.h"
#include "base/shape.h"
#include "base/thread.h"

// The following declarations are about the connected components inside one tile.

enum {
    ASTAR_TILE = 16,         // number of cells per side of a tile
    ASTAR_NO_COMPONENT = 255 // number of a cell whose bit is not set
};

// Sides of a square; a set of sides is the sum of its members.
enum { ASTAR_WEST_SIDE = 1, ASTAR_EAST_SIDE = 2, ASTAR_NORTH_SIDE = 4, ASTAR_SOUTH_SIDE = 8 };

// The components of a tile.
typedef struct AstarTileLabels {
    uint8_t cells[ASTAR_TILE]
                 [ASTAR_TILE]; // number of the component that each cell belongs to, row by row
    // Number of components that touch one of the given sides; number of all components.
    int open, count;
} AstarTileLabels;

// The directions in which cells are connected to their neighbours.
typedef struct AstarTileJoins {
    // Sets of directions, indexed by the parity of the cell's row and then of its column.
    uint8_t sets[2][2];
    bool by_sides; // true if cells are connected in the four straight directions only
} AstarTileJoins;

// Numbers the connected components of the set bits of a tile. Components that touch one of 'sides'
// get the lowest numbers. 'width' and 'height' are the numbers of columns and rows of the tile that
// lie inside the map.
void astar_tile_label(const uint16_t rows[ASTAR_TILE], const AstarTileJoins *joins, unsigned sides,
                      int width, int height, AstarTileLabels *labels);

// A square of 4 x 4 squares of the level below, which are called its parts. On the lowest level a
// square is a tile. The components inside a square are numbered from 0. Components that touch a
// side beyond which the map continues are called open; they have the lowest numbers.
typedef struct AstarComponentSquare {
    // The range of the array 'numbers' of AstarComponents that belongs to the square: its first
    // entry and its number of entries.
    uint32_t first, capacity;
    // Number of open components of all parts of the square; for a tile, number of closed
    // components.
    uint32_t count;
    uint32_t open; // number of open components
    // Number of open components in the preceding parts of the same larger square. This sum is added
    // to the number of an open component of this part.
    uint32_t at;
    bool outdated;   // true if the square or one of its parts has to be updated
    bool is_changed; // true if a part has changed since the square was merged last
    // Set of the sides at which numbers have changed: ASTAR_WEST_SIDE and so on.
    uint8_t changed;
} AstarComponentSquare;

enum { ASTAR_COMPONENT_LEVELS = 11 }; // the largest square is as wide as the largest map

// A square that an overlay has changed.
typedef struct AstarOverlaidSquare {
    AstarComponentSquare square;
    uint32_t key; // 1 + index of the square; 0: the entry is empty
    // For a tile, 1 + index of the overlay's cells of the tile; 0: the cells are read below the
    // overlay.
    uint32_t cells;
} AstarOverlaidSquare;

// The difference between an overlay and the components below it. An overlay has the components of a
// bitmap that differs from another bitmap in a few places. Only the squares that change are stored.
// See components.c.
typedef struct AstarComponentOverlay {
    // The components below the overlay.
    const struct AstarComponents *under;
    AstarOverlaidSquare *squares;  // hash table of the squares that differ
    uint32_t capacity;             // number of entries of the hash table, a power of two
    uint32_t tile_count;           // number of tiles whose cells are stored in the overlay
    const AstarRectangle *changed; // rectangles in which the bits differ
    // Number of rectangles in 'changed'.
    size_t count;
    // Number of columns and rows by which each rectangle extends further to the west and north.
    int wider, higher;
    bool is_barred; // true if all bits in the rectangles are 0 in the overlay
} AstarComponentOverlay;

// The connected components of a bitmap.
typedef struct AstarComponents {
    AstarAllocator allocator;
    const AstarShape *shape;
    uint8_t joins[2];       // directions in which a cell is connected to its neighbours, by phase
    AstarTileJoins of_tile; // the directions of 'joins' in the form that tiles need
    // True if the components must be updated before use. The squares that must be updated have
    // 'outdated' set.
    ASTAR_ATOMIC(bool)
    stale;
    int32_t width, height;
    uint8_t *local; // for each cell, the number of its component within its tile
    size_t local_size;
    AstarComponentSquare *squares;
    uint32_t begin[ASTAR_COMPONENT_LEVELS + 1]; // index of the first square of each level
    // Number of levels. The highest level has one square.
    int levels;
    // Number of squares that were reset so far, during a complete rebuild.
    uint32_t emptied;
    // For each square, a range of entries: the numbers that the open components of the parts have
    // in the square.
    uint32_t *numbers;
    // Number of entries of 'numbers'; number of allocated entries. Labels are less than
    // 'label_count'.
    uint32_t label_count, label_capacity;
    uint32_t first_label; // first entry of 'numbers' that belongs to an overlay
    // In an overlay, the difference to the components below it; else NULL.
    AstarComponentOverlay *overlay;
} AstarComponents;

// Creates the components of a grid. With 'diagonal' cells are also connected at corners.
AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out);
// Creates a copy of the components of an equal grid. Returns NULL if they are not up to date or
// memory runs out.
AstarComponents *astar_components_copy(const AstarGrid *grid, bool diagonal,
                                       const AstarComponents *from);
// Frees components. NULL is allowed.
void astar_components_free(AstarComponents *components);
// Returns the bytes of components.
size_t astar_components_bytes(const AstarComponents *components);

// Updates the components after edits. Returns ASTAR_RUNNING when the work is used up before they
// are up to date.
AstarStatus astar_components_advance(AstarComponents *components, const AstarBits *bits,
                                     int64_t *work);
// Records that bits in a rectangle may have changed.
void astar_components_edited(AstarComponents *components, int x, int y, int width, int height);
// Records that any bit may have changed.
void astar_components_outdate(AstarComponents *components);
// Returns the label of the component of a cell, whose bit must be set. Two cells have the same
// label exactly if they are connected. The components must be up to date.
uint32_t astar_components_label(const AstarComponents *components, int x, int y);
// Returns true if some cell in the tile of (x, y) may belong to the component with a label.
bool astar_components_tile_may_have(const AstarComponents *components, int x, int y,
                                    uint32_t label);
// Returns the level of the smallest square that holds the whole component of a cell. The bit of the
// cell must be set.
int astar_components_level(const AstarComponents *components, int x, int y);
// Returns true if the square of 'level' at (x, y) contains cells of the component with a label. The
// square must be smaller than the smallest one that holds the whole component.
bool astar_components_square_has(const AstarComponents *components, int level, int x, int y,
                                 uint32_t label);
// Returns true if two cells are connected. The bits of both cells must be set. If the cells are
// connected inside the smallest square that contains both of them, the function reads no larger
// square.
bool astar_components_join(const AstarComponents *components, int x0, int y0, int x1, int y1);

// Returns the number of cells that are connected to a cell, including the cell. The bit of the cell
// must be set.
uint64_t astar_components_count(const AstarComponents *components, int x, int y);

// Creates an overlay: the components of 'bits'. The bitmap 'bits' may differ from the one of
// 'under' only in the rectangles of 'changed'. 'under' must not change while the overlay exists.
AstarStatus astar_components_over(const AstarComponents *under, const AstarBits *bits,
                                  const AstarComponentOverlay *changed, AstarComponents **out);

// The following functions find squares by level and position.

// Returns the binary logarithm of the side in cells of a square of a level.
static inline int astar_square_shift(int level)
{
    return 4 + 2 * level;
}

// Returns how many squares of a level cover a length in cells.
static inline uint32_t astar_squares_along(int32_t length, int level)
{
    return ((uint32_t)(length - 1) >> astar_square_shift(level)) + 1;
}

// Returns the index, among all squares, of the square of a level that contains (x, y).
static inline uint32_t astar_component_place(const AstarComponents *c, int level, int x, int y)
{
    int shift = astar_square_shift(level);
    return c->begin[level] + (uint32_t)(y >> shift) * astar_squares_along(c->width, level) +
           (uint32_t)(x >> shift);
}

// Returns rectangle 'i' of an overlay, extended to the west by 'wider' and
// to the north by 'higher'.
static inline AstarRectangle astar_changed_cells(const AstarComponentOverlay *overlay, size_t i)
{
    AstarRectangle r = overlay->changed[i];
    int west = r.x < overlay->wider ? r.x : overlay->wider;
    int north = r.y < overlay->higher ? r.y : overlay->higher;
    return (AstarRectangle){r.x - west, r.y - north, r.width + west, r.height + north};
}

// Returns the entry of an overlay's hash table for square 'place'. The key of the entry is 0 if the
// overlay does not store the square.
AstarOverlaidSquare *astar_overlaid_square(const AstarComponentOverlay *overlay, uint32_t place);
// Returns the copy of square 'place' in an overlay, for writing. The first call for a square makes
// the copy.
AstarComponentSquare *astar_overlay_square(const AstarComponentOverlay *overlay, uint32_t place);
// Allocates memory for the cells of a tile in an overlay.
uint8_t *astar_overlay_cells(AstarComponents *c, uint32_t place);
// Clears the bits of a tile at (x, y) that lie in the rectangles of an overlay with 'is_barred'.
void astar_overlay_bar(const AstarComponentOverlay *overlay, int x, int y,
                       uint16_t rows[ASTAR_TILE]);

// Returns the square of a level that contains (x, y), for reading, whether or not it is in an
// overlay.
static inline AstarComponentSquare *astar_square_at(const AstarComponents *c, int level, int x,
                                                    int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    if (c->overlay == NULL)
        return &c->squares[place];
    AstarOverlaidSquare *own = astar_overlaid_square(c->overlay, place);
    return own->key != 0 ? &own->square : &c->overlay->under->squares[place];
}

// Returns the square of a level that contains (x, y), for writing. In an overlay it is copied
// first.
static inline AstarComponentSquare *astar_own_square(const AstarComponents *c, int level, int x,
                                                     int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    return c->overlay == NULL ? &c->squares[place] : astar_overlay_square(c->overlay, place);
}

// Returns a pointer to the number of a cell in 'local'. The numbers of the cells to its east in the
// same tile follow. Rows of the tile are '*stride' bytes apart.
static inline const uint8_t *astar_local_at(const AstarComponents *c, int x, int y, size_t *stride)
{
    const uint8_t *local = c->local;
    *stride = (size_t)c->width;
    if (c->overlay != NULL) {
        uint32_t cells =
            astar_overlaid_square(c->overlay, astar_component_place(c, 0, x, y))->cells;
        if (cells != 0) {
            *stride = ASTAR_TILE;
            x &= ASTAR_TILE - 1;
            y &= ASTAR_TILE - 1;
            local += (size_t)(cells - 1) * ASTAR_TILE * ASTAR_TILE;
        } else {
            local = c->overlay->under->local;
        }
    }
    return &local[(size_t)y * *stride + (size_t)x];
}

// Returns the number of the component of a cell within its tile.
static inline uint8_t astar_local_number(const AstarComponents *c, int x, int y)
{
    size_t stride;
    return *astar_local_at(c, x, y, &stride);
}

// Returns a pointer to entry 'first' of 'numbers'. The entries of an overlay continue after those
// of the components below it.
static inline uint32_t *astar_numbers_at(const AstarComponents *c, uint32_t first)
{
    return first < c->first_label ? &c->overlay->under->numbers[first]
                                  : &c->numbers[first - c->first_label];
}

#endif
