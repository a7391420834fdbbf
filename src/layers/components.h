// components.h -- the connected components of a bitmap, kept current as bits flip.

#ifndef ASTAR_COMPONENTS_H
#define ASTAR_COMPONENTS_H

#include "base/array.h"
#include "base/bits.h"
#include "base/directions.h"
#include "base/shape.h"
#include "base/thread.h"

// components.c: the connected components inside one tile.

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

#endif
