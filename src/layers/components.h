// components.h -- the connected components of a bitmap, kept current as bits flip.

#ifndef ASTAR_COMPONENTS_H
#define ASTAR_COMPONENTS_H

#include "base/array.h"
#include "base/bits.h"
#include "base/directions.h"
#include "base/shape.h"
#include "base/thread.h"

// ---- the connected components inside one tile ----

enum {
    ASTAR_TILE = 16,         // cells a side
    ASTAR_NO_COMPONENT = 255 // of a cell that is not set
};

// Sides, as sets.
enum { ASTAR_WEST_SIDE = 1, ASTAR_EAST_SIDE = 2, ASTAR_NORTH_SIDE = 4, ASTAR_SOUTH_SIDE = 8 };

typedef struct AstarTileLabels {
    uint8_t cells[ASTAR_TILE][ASTAR_TILE]; // by row
    int open, count;                       // those below 'open' touch one of the sides
} AstarTileLabels;

// The directions in which cells meet others, by whether row and column are even or odd.
typedef struct AstarTileJoins {
    uint8_t sets[2][2];
    bool by_sides; // nothing but all that lies north and south
} AstarTileJoins;

// Numbers the components of the set bits, those first that touch one of these sides of a tile that
// has so many columns and rows inside the map.
void astar_tile_label(const uint16_t rows[ASTAR_TILE], const AstarTileJoins *joins, unsigned sides,
                      int width, int height, AstarTileLabels *labels);

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

// A square of an overlay.
typedef struct AstarOverlaidSquare {
    AstarComponentSquare square;
    uint32_t key;   // 1 + its place among all squares; 0: there is none here
    uint32_t cells; // of a tile: 1 + where its own cells are; 0: they are as below
} AstarOverlaidSquare;

// See components.c.
typedef struct AstarComponentOverlay {
    const struct AstarComponents *under;
    AstarOverlaidSquare *squares;  // a hash table
    uint32_t capacity;             // a power of two
    uint32_t tile_count;           // tiles with cells of their own
    const AstarRectangle *changed; // where its bits are others, each
    size_t count;
    int wider;      // by so much to the west and north
    bool is_barred; // and that they are cleared there
} AstarComponentOverlay;

typedef struct AstarComponents {
    AstarAllocator allocator;
    const AstarShape *shape;
    uint8_t joins[2];         // by phase: the directions in which a cell meets others
    AstarTileJoins of_tile;   // the same, by bits
    ASTAR_ATOMIC(bool) stale; // to be updated before it is asked: what squares tell by 'outdated'
    int32_t width, height;
    uint8_t *local; // of each cell the number of its component in the tile
    size_t local_size;
    AstarComponentSquare *squares;
    uint32_t begin[ASTAR_COMPONENT_LEVELS + 1]; // of each level, in 'squares'
    int levels;                                 // the highest has one square
    uint32_t emptied;                           // squares, of all that are to be made anew
    uint32_t *numbers; // of the open components of a square's parts: their numbers in the square
    uint32_t label_count, label_capacity; // of numbers in use, and room; labels are below
    uint32_t first_label;                 // of an overlay's own numbers
    AstarComponentOverlay *overlay;       // over others
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
// Returns the level of the smallest square that holds the whole component of a set cell.
int astar_components_level(const AstarComponents *components, int x, int y);
// Returns true if a part of a component lies in the square of a level, smaller than the square that
// holds the whole component, at (x, y).
bool astar_components_square_has(const AstarComponents *components, int level, int x, int y,
                                 uint32_t label);
// Whether two set cells share it. It looks no farther than the least square that holds both, where
// they hang together inside that.
bool astar_components_join(const AstarComponents *components, int x0, int y0, int x1, int y1);

// How many set cells share a set cell's number.
uint64_t astar_components_count(const AstarComponents *components, int x, int y);

// The components of 'bits', which are as 'under' is of but in some rectangles, each wider by as
// much to the west and north; or have none there where these are barred. 'under' must stay as it
// is.
AstarStatus astar_components_over(const AstarComponents *under, const AstarBits *bits,
                                  const AstarComponentOverlay *changed, AstarComponents **out);

// ------------------------------------------------------------------------------------------------
// Where the squares of components lie, for those who make them.
// ------------------------------------------------------------------------------------------------

// The binary logarithm of a square's side in cells.
static inline int astar_square_shift(int level)
{
    return 4 + 2 * level;
}

// How many squares of a level a length takes.
static inline uint32_t astar_squares_along(int32_t length, int level)
{
    return ((uint32_t)(length - 1) >> astar_square_shift(level)) + 1;
}

// The place among all squares of the one of a level that (x, y) lies in.
static inline uint32_t astar_component_place(const AstarComponents *c, int level, int x, int y)
{
    int shift = astar_square_shift(level);
    return c->begin[level] + (uint32_t)(y >> shift) * astar_squares_along(c->width, level) +
           (uint32_t)(x >> shift);
}

// One of the rectangles in which an overlay's bits are others.
static inline AstarRectangle astar_changed_cells(const AstarComponentOverlay *overlay, size_t i)
{
    AstarRectangle r = overlay->changed[i];
    int west = r.x < overlay->wider ? r.x : overlay->wider;
    int north = r.y < overlay->wider ? r.y : overlay->wider;
    return (AstarRectangle){r.x - west, r.y - north, r.width + west, r.height + north};
}

// The entry of an overlay for a square, by its place; its key is 0 where it has none.
AstarOverlaidSquare *astar_overlaid_square(const AstarComponentOverlay *overlay, uint32_t place);
// The square of an overlay that is its own from now on.
AstarComponentSquare *astar_overlay_square(const AstarComponentOverlay *overlay, uint32_t place);
// The cells of a tile that is an overlay's own, from now on its own, too.
uint8_t *astar_overlay_cells(AstarComponents *c, uint32_t place);
// Clears the bits of a tile that an overlay bars.
void astar_overlay_bar(const AstarComponentOverlay *overlay, int x, int y,
                       uint16_t rows[ASTAR_TILE]);

// The square of a level that (x, y) lies in, to be read.
static inline AstarComponentSquare *astar_square_at(const AstarComponents *c, int level, int x,
                                                    int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    if (c->overlay == NULL)
        return &c->squares[place];
    AstarOverlaidSquare *own = astar_overlaid_square(c->overlay, place);
    return own->key != 0 ? &own->square : &c->overlay->under->squares[place];
}

// The same, to be written.
static inline AstarComponentSquare *astar_own_square(const AstarComponents *c, int level, int x,
                                                     int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    return c->overlay == NULL ? &c->squares[place] : astar_overlay_square(c->overlay, place);
}

// What a cell stores, followed by those to its east in the same tile; the rows of the tile are
// 'stride' apart.
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

static inline uint8_t astar_local_number(const AstarComponents *c, int x, int y)
{
    size_t stride;
    return *astar_local_at(c, x, y, &stride);
}

// The numbers from one on, by what 'first' of a square counts.
static inline uint32_t *astar_numbers_at(const AstarComponents *c, uint32_t first)
{
    return first < c->first_label ? &c->overlay->under->numbers[first]
                                  : &c->numbers[first - c->first_label];
}

#endif
