// grid.h -- The struct of a grid and its helper functions, for the files of the core that read or
// edit the map directly.

#ifndef ASTAR_GRID_H
#define ASTAR_GRID_H

#include "base/bits.h"
#include "base/shape.h"
#include "base/thread.h"
#include "map/edit_log.h"

#include <string.h>

struct AstarLinksAndWalls;

// The functions of the data built for searches on a grid (the layers, see layer.h). The grid calls
// them when it is edited, measured, freed or copied, and knows nothing else about layers. The first
// layer attaches them to the grid.
typedef struct AstarAttachment {
    // Called after an edit. 'layer' is the bit of the layer of blocks that was edited, 0 for any
    // other edit.
    void (*edited)(AstarGrid *grid, const AstarEdit *edit, uint64_t layer);
    void (*repriced)(AstarGrid *grid); // called after a change of the palette
    // Returns the bytes of all layers of the grid.
    size_t (*bytes)(const AstarGrid *grid);
    // Frees all layers of the grid.
    void (*free)(AstarGrid *grid);
    // Copies to 'grid' the layers of the equal grid 'from' that are in use, as far as memory
    // allows.
    void (*copy)(AstarGrid *grid, const AstarGrid *from);
} AstarAttachment;

// The functions of a grid that shares its map: a shared grid, a view or a clone.
typedef struct AstarTie {
    // Returns the bytes of the copies of the map.
    size_t (*bytes)(const AstarGrid *grid);
    // Ends the sharing when the grid is freed.
    void (*free)(AstarGrid *grid);
} AstarTie;

// The kinds of layers. Each kind may be built from the kinds before it.
enum { ASTAR_WALKABLES, ASTAR_FOOTPRINTS, ASTAR_IRREGULARS, ASTAR_LANDMARKS, ASTAR_LAYER_LISTS };

// Cost of a terrain per unit of length; INFINITY if it cannot be entered.
typedef struct AstarPrice {
    double cost;  // cost that the layers were built with
    double asked; // cost set by the host; takes effect when the first cell gets the terrain
} AstarPrice;

// A layer of blocks. The layer without a name is part of the grid. Layers with names follow it in a
// list, in the order of creation. See blocks.h.
typedef struct AstarBlocks {
    ASTAR_ATOMIC(struct AstarBlocks *)
    next;              // a reader may append a layer while it holds the lock
                       // of the grid
    uint64_t bit;      // 1 << number of the layer
    AstarBits bits;    // blocked cells; without words until the first block
    uint32_t *covered; // per terrain, the number of blocked cells; NULL until the first block
    size_t covered_capacity;
    AstarEditLog log;
    char *name; // NULL for the layer without a name
    size_t length;
} AstarBlocks;

struct AstarGrid {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    bool is_replica;  // true for a copy that views show
    AstarMutex mutex; // lock, held while layers are created, updated or released; readers lock too,
                      // while no thread edits
    const AstarTie *tie; // functions of a shared grid, view or clone; NULL for any other grid
    void *tied;          // data of 'tie'
    struct AstarLayer *layers[ASTAR_LAYER_LISTS];
    const AstarAttachment *attachment; // functions of the layers; NULL before the first layer
    const AstarCrowd *crowd;           // the crowd created last on this grid; may be freed already
    struct {
        bool is_clone;           // true while the map is that of 'home', until one of them is
                                 // edited: see clone.c
        AstarGrid *first, *next; // first clone of this grid; next clone of the same home
    } copies;
    ASTAR_ATOMIC(uint32_t)
    bakings;         // number of changes of baked data; queries of readers may
                     // change them, too
    AstarGrid *home; // grid whose map, lock and layers are used: for a view or clone another grid,
                     // else this grid itself

    // The map. A view or clone copies all fields from here on from the grid that it shows; see
    // clone.h.
    const AstarShape *shape;
    int32_t width, height;
    uint32_t cells; // width * height; cell = y * width + x
    struct {
        int shift; // row of a cell: y = cell * inverse >> shift, a division by the width
        uint64_t inverse;
    } rows;
    uint64_t version;                 // number of edits
    uint64_t palette_version;         // number of changes of costs, and of which terrains are
                                      // present
    uint64_t links_and_walls_version; // number of changes of links and walls
    struct {
        int count;
        AstarPrice *prices; // cost of each terrain
        uint32_t *present;  // number of cells with each terrain
        uint32_t price_capacity, present_capacity;
    } terrains;
    uint8_t *ground; // terrain of each cell
    AstarBlocks blocks;
    struct AstarLinksAndWalls *links_and_walls; // NULL until the first link or wall; see
                                                // links_and_walls.h
    AstarEditLog log;                           // all edits except those of blocks
    bool has_all_layers;                        // true if no further layer of blocks may be named
};

// Locks a grid. A reader that misses a layer, or finds it stale, locks the grid, checks again,
// builds the layer and publishes it. No callback is called while the grid is locked.
static inline void astar_grid_lock(const AstarGrid *grid)
{
    astar_mutex_lock(&grid->home->mutex);
}

// Unlocks a grid.
static inline void astar_grid_unlock(const AstarGrid *grid)
{
    astar_mutex_unlock(&grid->home->mutex);
}

// Creates a grid with a copy of a grid's map.
AstarStatus astar_grid_copy(const AstarGrid *grid, AstarGrid **out);
// Makes room for 'need' terrains.
AstarStatus astar_grid_reserve_terrains(AstarGrid *grid, size_t need);

// Copies the terrain and the blocks of a rectangle from another grid of the same size, all of whose
// terrains and layers of blocks 'grid' must have. The copy is one edit of the terrain and one of
// each layer of blocks. After ASTAR_NO_MEMORY only a part is copied.
AstarStatus astar_grid_copy_cells(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                                  int height);
// Sets the price of a terrain to that of another grid.
void astar_grid_take_price(AstarGrid *grid, int terrain, AstarPrice price);
// Takes over the version and the logs of edits of an equal grid, as far as memory allows.
void astar_grid_take_log(AstarGrid *grid, const AstarGrid *from);
// Logs an edit that changes no cell.
void astar_grid_note_edit(AstarGrid *grid);
// Logs an edit of the links or walls of a cell.
void astar_grid_note_links_and_walls(AstarGrid *grid, int x, int y);
// Logs an edit of a rectangle of cells and notifies the layers.
void astar_grid_edited(AstarGrid *grid, int x, int y, int width, int height);
// Notifies the layers of an edit of a rectangle of cells, or of their links or walls.
void astar_grid_tell(AstarGrid *grid, int x, int y, int width, int height);
// Returns true if a rectangle lies inside the grid.
bool astar_grid_has_rectangle(const AstarGrid *grid, int x, int y, int width, int height);

// Returns the number of a cell.
static inline uint32_t astar_cell(const AstarGrid *grid, int x, int y)
{
    return (uint32_t)y * (uint32_t)grid->width + (uint32_t)x;
}

// Stores the coordinates of a cell. The multiplication replaces a division by the width.
static inline void astar_cell_xy(const AstarGrid *grid, uint32_t cell, int *x, int *y)
{
    *y = (int)(cell * grid->rows.inverse >> grid->rows.shift);
    *x = (int)(cell - (uint32_t)*y * (uint32_t)grid->width);
}

// Returns true if a cell lies inside the grid.
static inline bool astar_inside(const AstarGrid *grid, int x, int y)
{
    return (uint32_t)x < (uint32_t)grid->width && (uint32_t)y < (uint32_t)grid->height;
}

// Moves a cell that lies less than one side of the map outside back to the map, where the map wraps
// around. Returns true if the cell is then inside the grid.
bool astar_go_round(const AstarGrid *grid, int *x, int *y);
// On a map that wraps around, replaces a cell by its image nearest to (to_x, to_y). The image may
// lie outside the grid.
void astar_come_nearest(const AstarGrid *grid, int *x, int *y, int to_x, int to_y);

// Returns the cells on which an edit may have an effect, for units of 'size' cells. The position of
// a unit is its north-west cell, so a unit further north-west covers the edited cells. Neighbouring
// cells count because a step depends on them.
static inline AstarEdit astar_cells_concerned(const AstarGrid *grid, const AstarEdit *edit,
                                              int size)
{
    int x0 = edit->x > size ? edit->x - size : 0, y0 = edit->y > size ? edit->y - size : 0;
    int x1 = edit->x + edit->width + 1, y1 = edit->y + edit->height + 1;
    x1 = x1 > grid->width ? grid->width : x1;
    y1 = y1 > grid->height ? grid->height : y1;
    return (AstarEdit){.x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
}

// Returns how many of the first 'count' bytes equal the first one, up to the first that differs.
static inline uint32_t astar_run_length(const uint8_t *bytes, uint32_t count)
{
    uint64_t eight, pattern = bytes[0] * UINT64_C(0x0101010101010101);
    uint32_t length = 0;
    for (; length + 8 <= count; length += 8) {
        memcpy(&eight, bytes + length, sizeof eight);
        if (eight != pattern)
            break;
    }
    while (length < count && bytes[length] == bytes[0])
        length++;
    return length;
}

// Returns true if a terrain may have this cost.
static inline bool astar_is_terrain_cost(double cost)
{
    return (cost >= ASTAR_COST_MIN && cost <= ASTAR_COST_MAX) || cost > 1.7976931348623157e308;
}

#endif
