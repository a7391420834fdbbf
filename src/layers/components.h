// components.h -- The connected components of the walkable cells of a map, kept up to date as cells
// change. Queries use them to see without a search that there is no route.

#ifndef ASTAR_COMPONENTS_H
#define ASTAR_COMPONENTS_H

#include "base/array.h"
#include "base/bits.h"
#include "base/directions.h"
#include "base/shape.h"
#include "base/thread.h"

// The connected components inside one tile.

enum {
    ASTAR_TILE = 16,         // cells per side of a tile
    ASTAR_NO_COMPONENT = 255 // number of a cell that is not set
};

// Sets of sides of a square.
enum { ASTAR_WEST_SIDE = 1, ASTAR_EAST_SIDE = 2, ASTAR_NORTH_SIDE = 4, ASTAR_SOUTH_SIDE = 8 };

// The components of a tile.
typedef struct AstarTileLabels {
    uint8_t cells[ASTAR_TILE][ASTAR_TILE]; // number of the component of each cell, by row
    int open, count;                       // number of components that touch one of the given
                                           // sides; number of all components
} AstarTileLabels;

// The directions in which cells are connected, by the parity of row and column.
typedef struct AstarTileJoins {
    // Sets of directions, by parity of the row, then of the column.
    uint8_t sets[2][2];
    bool by_sides; // true if cells are connected in the four straight directions only
} AstarTileJoins;

// Numbers the connected components of the set bits of a tile. Components that touch one of 'sides'
// come first. 'width' and 'height' are the columns and rows of the tile inside the map.
void astar_tile_label(const uint16_t rows[ASTAR_TILE], const AstarTileJoins *joins, unsigned sides,
                      int width, int height, AstarTileLabels *labels);

// A square of 4 x 4 squares of the level below, which are its parts; on the lowest level a tile.
// The components inside the square are numbered from 0. Components that touch a side beyond which
// the map continues are called open, and come first.
typedef struct AstarComponentSquare {
    uint32_t first, capacity; // its range in the array of numbers and labels
    uint32_t count;           // number of open components of all its parts; for a tile, number of
                              // closed components
    uint32_t open;            // number of open components
    uint32_t at;     // number of open components in the parts of the same larger square that come
                     // before this part; added to the number of an open component
    bool outdated;   // true if the square or one of its parts has to be updated
    bool is_changed; // true if a part has changed since the square was merged from its parts
    uint8_t changed; // the sides at which numbers have changed, a set of ASTAR_WEST_SIDE and so on
} AstarComponentSquare;

enum { ASTAR_COMPONENT_LEVELS = 11 }; // the largest square is as wide as the largest map

// A square that an overlay has changed.
typedef struct AstarOverlaidSquare {
    AstarComponentSquare square;
    uint32_t key;   // 1 + index of the square; 0: an empty entry
    uint32_t cells; // for a tile, 1 + index of its own cells; 0: the cells are those below the
                    // overlay
} AstarOverlaidSquare;

// Components of a bitmap that differs from another one in a few places. Only the squares that
// change are stored; all others are read from the components below. See components.c.
typedef struct AstarComponentOverlay {
    // The components below.
    const struct AstarComponents *under;
    AstarOverlaidSquare *squares;  // hash table of changed squares
    uint32_t capacity;             // size of the table, a power of two
    uint32_t tile_count;           // number of tiles with cells of their own
    const AstarRectangle *changed; // rectangles in which the bits differ
    // Number of rectangles.
    size_t count;
    int wider;      // how much the rectangles extend further to the west and north
    bool is_barred; // true if all bits in the rectangles are cleared
} AstarComponentOverlay;

// The connected components of a bitmap.
typedef struct AstarComponents {
    AstarAllocator allocator;
    const AstarShape *shape;
    uint8_t joins[2];       // by phase, the directions in which a cell is connected to others
    AstarTileJoins of_tile; // the directions of 'joins' in the form that tiles need
    ASTAR_ATOMIC(bool)
    stale; // true if they have to be updated before use; squares mark what
           // changed by 'outdated'
    int32_t width, height;
    uint8_t *local; // per cell, the number of its component within the tile
    size_t local_size;
    AstarComponentSquare *squares;
    uint32_t begin[ASTAR_COMPONENT_LEVELS + 1]; // index of the first square of each level
    int levels;                                 // number of levels; the highest level has one
                                                // square
    uint32_t emptied;                           // number of squares reset so far in a complete
                                                // rebuild
    uint32_t *numbers; // per square, the numbers that the open components of its parts have in the
                       // square
    uint32_t label_count, label_capacity; // number and room of the entries of 'numbers'; labels are
                                          // less than 'label_count'
    uint32_t first_label;                 // first entry that belongs to an overlay itself
    AstarComponentOverlay *overlay;       // the differences to the components below; NULL unless
                                          // this is an overlay
} AstarComponents;

// Creates the components of a grid. 'diagonal' says if cells are connected at corners, too.
AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out);
// Returns a copy of the components of an equal grid, or NULL if they are not up to date or memory
// runs out.
AstarComponents *astar_components_copy(const AstarGrid *grid, bool diagonal,
                                       const AstarComponents *from);
// Frees components. NULL is allowed.
void astar_components_free(AstarComponents *components);
// Returns the bytes of components.
size_t astar_components_bytes(const AstarComponents *components);

// Updates the components after edits. Returns ASTAR_RUNNING when the work is used up.
AstarStatus astar_components_advance(AstarComponents *components, const AstarBits *bits,
                                     int64_t *work);
// Notes that bits in a rectangle may have changed.
void astar_components_edited(AstarComponents *components, int x, int y, int width, int height);
// Notes that any bit may have changed.
void astar_components_outdate(AstarComponents *components);
// Returns the label of the component of a set cell. Two cells have the same label exactly if they
// are connected. The components must be up to date.
uint32_t astar_components_label(const AstarComponents *components, int x, int y);
// Returns true if a cell in the tile of (x, y) may have this label.
bool astar_components_tile_may_have(const AstarComponents *components, int x, int y,
                                    uint32_t label);
// Returns the level of the smallest square that holds the whole component of a set cell.
int astar_components_level(const AstarComponents *components, int x, int y);
// Returns true if a part of a component lies in the square of a level, smaller than the square that
// holds the whole component, at (x, y).
bool astar_components_square_has(const AstarComponents *components, int level, int x, int y,
                                 uint32_t label);
// Returns true if two set cells are connected. It looks only at the smallest square that contains
// both cells, if they are connected inside that square.
bool astar_components_join(const AstarComponents *components, int x0, int y0, int x1, int y1);

// Returns how many cells are connected to a set cell, including itself.
uint64_t astar_components_count(const AstarComponents *components, int x, int y);

// Creates an overlay: the components of 'bits', which differ from the bits of 'under' only in the
// rectangles of 'changed'. 'under' must not change while the overlay exists.
AstarStatus astar_components_over(const AstarComponents *under, const AstarBits *bits,
                                  const AstarComponentOverlay *changed, AstarComponents **out);

// Positions of squares.

// Returns the binary logarithm of the side of a square in cells.
static inline int astar_square_shift(int level)
{
    return 4 + 2 * level;
}

// Returns how many squares of a level cover a length.
static inline uint32_t astar_squares_along(int32_t length, int level)
{
    return ((uint32_t)(length - 1) >> astar_square_shift(level)) + 1;
}

// Returns the index of the square of a level that contains (x, y).
static inline uint32_t astar_component_place(const AstarComponents *c, int level, int x, int y)
{
    int shift = astar_square_shift(level);
    return c->begin[level] + (uint32_t)(y >> shift) * astar_squares_along(c->width, level) +
           (uint32_t)(x >> shift);
}

// Returns a rectangle in which the bits of an overlay differ, extended by 'wider'.
static inline AstarRectangle astar_changed_cells(const AstarComponentOverlay *overlay, size_t i)
{
    AstarRectangle r = overlay->changed[i];
    int west = r.x < overlay->wider ? r.x : overlay->wider;
    int north = r.y < overlay->wider ? r.y : overlay->wider;
    return (AstarRectangle){r.x - west, r.y - north, r.width + west, r.height + north};
}

// Returns the entry of an overlay for a square; its key is 0 if the overlay has not changed the
// square.
AstarOverlaidSquare *astar_overlaid_square(const AstarComponentOverlay *overlay, uint32_t place);
// Returns a square of an overlay for writing. The first call copies the square into the overlay.
AstarComponentSquare *astar_overlay_square(const AstarComponentOverlay *overlay, uint32_t place);
// Allocates cells of its own for a tile of an overlay.
uint8_t *astar_overlay_cells(AstarComponents *c, uint32_t place);
// Clears the bits of a tile in the rectangles of an overlay that is barred.
void astar_overlay_bar(const AstarComponentOverlay *overlay, int x, int y,
                       uint16_t rows[ASTAR_TILE]);

// Returns the square of a level that contains (x, y), for reading.
static inline AstarComponentSquare *astar_square_at(const AstarComponents *c, int level, int x,
                                                    int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    if (c->overlay == NULL)
        return &c->squares[place];
    AstarOverlaidSquare *own = astar_overlaid_square(c->overlay, place);
    return own->key != 0 ? &own->square : &c->overlay->under->squares[place];
}

// Returns the square of a level that contains (x, y), for writing.
static inline AstarComponentSquare *astar_own_square(const AstarComponents *c, int level, int x,
                                                     int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    return c->overlay == NULL ? &c->squares[place] : astar_overlay_square(c->overlay, place);
}

// Returns a pointer to the number of a cell. The numbers of the cells to its east in the same tile
// follow. Rows of the tile are 'stride' bytes apart.
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

// Returns a pointer to the entries of 'numbers' from 'first' on, in an overlay or below it.
static inline uint32_t *astar_numbers_at(const AstarComponents *c, uint32_t first)
{
    return first < c->first_label ? &c->overlay->under->numbers[first]
                                  : &c->numbers[first - c->first_label];
}

#endif
