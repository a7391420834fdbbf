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

// The functions of the layers of a grid, which are data built for searches (see layer.h). The grid
// calls these functions when it is edited, measured, freed or copied. The grid contains no other
// code for layers. The first layer of a grid sets the pointer to these functions.
typedef struct AstarAttachment {
    // Called after an edit. 'layer' is the bit of the layer of blocks that was edited, or 0 for any
    // other edit.
    void (*edited)(AstarGrid *grid, const AstarEdit *edit, uint64_t layer);
    void (*repriced)(AstarGrid *grid); // called after a change of the palette
    // Returns the bytes of all layers of the grid.
    size_t (*bytes)(const AstarGrid *grid);
    // Frees all layers of the grid.
    void (*free)(AstarGrid *grid);
    // Copies the layers of the equal grid 'from' that are in use to 'grid', if memory allows.
    void (*copy)(AstarGrid *grid, const AstarGrid *from);
} AstarAttachment;

// The functions of a grid that shares its map: a shared grid, a view or a clone.
typedef struct AstarTie {
    // Returns the bytes of all copies of the map.
    size_t (*bytes)(const AstarGrid *grid);
    // Ends the sharing when the grid is freed.
    void (*free)(AstarGrid *grid);
} AstarTie;

// The kinds of layers. Each kind may be built from the kinds before it.
enum { ASTAR_WALKABLES, ASTAR_FOOTPRINTS, ASTAR_NONUNIFORMS, ASTAR_LANDMARKS, ASTAR_LAYER_LISTS };

// Cost of a terrain per unit of length; INFINITY if it cannot be entered.
typedef struct AstarPrice {
    double cost; // cost for which the layers were built
    // Cost set by the host. This cost takes effect when the first cell gets the terrain.
    double asked;
} AstarPrice;

// A layer of blocks. The layer without a name is part of the grid. Layers with names follow it in a
// list, in the order of creation. See blocks.h.
typedef struct AstarBlocks {
    // Next layer of the grid. A reader may append a layer while it holds the lock of the grid.
    ASTAR_ATOMIC(struct AstarBlocks *)
    next;
    uint64_t bit;   // 1 << number of the layer
    AstarBits bits; // blocked cells; without memory until the first block
    // For each terrain, the number of cells that have the terrain and a block of this layer; NULL
    // until the first block.
    uint32_t *covered;
    size_t covered_capacity;
    AstarEditLog log;
    char *name; // NULL for the layer without a name
    size_t length;
} AstarBlocks;

struct AstarGrid {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    // True for a snapshot: a copy of the map of another grid, which no caller edits. See
    // snapshot.h.
    bool is_snapshot;
    // Number of jobs that need the map of this snapshot unchanged.
    ASTAR_ATOMIC(uint32_t)
    holders;
    // The newest snapshot that jobs of this grid have begun. NULL if no job uses it any more.
    struct AstarJobSnapshot *snapshot;
    // A lock that is held while layers are created, updated or released. Readers hold it for these
    // changes, too, although no thread edits the map while they read.
    AstarMutex mutex;
    const AstarTie *tie; // functions of a shared grid, view or clone; NULL for any other grid
    void *tied;          // data of the functions 'tie'
    struct AstarLayer *layers[ASTAR_LAYER_LISTS];
    const AstarAttachment *attachment; // functions of the layers; NULL before the first layer
    const AstarCrowd *crowd;           // the crowd created last on this grid; may be freed already
    struct {
        // True while a clone shares the map of 'home'. An edit of the clone or of 'home' ends the
        // sharing, see snapshot.c.
        bool is_clone;
        AstarGrid *first, *next; // first clone of this grid; next clone of the grid 'home'
    } copies;
    // Number of changes of baked data. A query by a reader may change baked data, too.
    ASTAR_ATOMIC(uint32_t)
    bakings;
    // Grid whose map, lock and layers are used: another grid for a view or a clone, else this grid
    // itself.
    AstarGrid *home;

    // The map begins here. A view or clone copies this field and all later ones from the grid that
    // it shows; see snapshot.h.
    const AstarShape *shape;
    int32_t width, height;
    uint32_t cells; // width * height; the number of a cell is y * width + x
    struct {
        // Shift that replaces a division by the width: the row of a cell is cell * inverse >>
        // shift.
        int shift;
        uint64_t inverse;
    } rows;
    uint64_t version; // number of edits of the map
    // Number of changes of costs, and of the set of terrains that cells have.
    uint64_t palette_version;
    uint64_t links_and_walls_version; // number of changes of links and walls
    struct {
        int count;
        AstarPrice *prices; // cost of each terrain
        uint32_t *present;  // number of cells with each terrain
        uint32_t price_capacity, present_capacity;
    } terrains;
    uint8_t *ground; // terrain of each cell, row by row
    AstarBlocks blocks;
    // NULL until the first link or wall; see links_and_walls.h.
    struct AstarLinksAndWalls *links_and_walls;
    AstarEditLog log;    // log of all edits except those of blocks
    bool has_all_layers; // true if no further layer of blocks may be named
};

// Locks a grid. If a reader needs a layer that is missing or stale, it locks the grid, checks
// again, builds the layer and publishes it. No callback is called while the grid is locked.
static inline void astar_grid_lock(const AstarGrid *grid)
{
    astar_mutex_lock(&grid->home->mutex);
}

// Unlocks a grid.
static inline void astar_grid_unlock(const AstarGrid *grid)
{
    astar_mutex_unlock(&grid->home->mutex);
}

// Creates a grid with a copy of the map of another grid.
AstarStatus astar_grid_copy(const AstarGrid *grid, AstarGrid **out);
// Makes room for 'need' terrains in the palette.
AstarStatus astar_grid_reserve_terrains(AstarGrid *grid, size_t need);

// Copies the terrain and the blocks of a rectangle from another grid of the same size. 'grid' must
// have all terrains and layers of blocks of the other grid. The copy is one edit of the terrain and
// one edit of each layer of blocks. After ASTAR_NO_MEMORY only a part of the rectangle is copied.
AstarStatus astar_grid_copy_cells(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                                  int height);
// Sets the price of a terrain to the price that it has in another grid.
void astar_grid_take_price(AstarGrid *grid, int terrain, AstarPrice price);
// Replaces the version and the logs of edits by those of an equal grid. If memory runs out, logged
// edits may be lost.
void astar_grid_take_log(AstarGrid *grid, const AstarGrid *from);
// Logs an edit that changes no cell and has no position.
void astar_grid_note_edit(AstarGrid *grid);
// Logs an edit of the links or walls of a cell.
void astar_grid_note_links_and_walls(AstarGrid *grid, int x, int y);
// Logs an edit of a rectangle of cells and notifies the layers.
void astar_grid_edited(AstarGrid *grid, int x, int y, int width, int height);
// Notifies the layers of an edit of cells in a rectangle, or of an edit of links or walls in it.
void astar_grid_notify_layers(AstarGrid *grid, int x, int y, int width, int height);
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

// Moves a cell outside the map by one side of the map if the map wraps around in that direction.
// The cell must lie less than one side outside. Returns true if the moved cell is inside the grid.
bool astar_go_round(const AstarGrid *grid, int *x, int *y);
// On a map that wraps around, each cell has images one map width or height away. Replaces a cell by
// its image nearest to (to_x, to_y), which may lie outside the grid.
void astar_come_nearest(const AstarGrid *grid, int *x, int *y, int to_x, int to_y);

// Returns the rectangle of cells at which units with a body may be affected by an edit. The
// position of a unit is its north-west cell, so units further to the north-west cover edited cells.
// Neighbours of the edited cells are included, too, because steps depend on them.
static inline AstarEdit astar_cells_concerned(const AstarGrid *grid, const AstarEdit *edit,
                                              AstarBody body)
{
    int x0 = edit->x > body.width ? edit->x - body.width : 0;
    int y0 = edit->y > body.height ? edit->y - body.height : 0;
    int x1 = edit->x + edit->width + 1, y1 = edit->y + edit->height + 1;
    x1 = x1 > grid->width ? grid->width : x1;
    y1 = y1 > grid->height ? grid->height : y1;
    return (AstarEdit){.x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
}

// Returns the length of the run of equal bytes at the beginning of 'bytes', at most 'count'.
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

// Returns true if a cost is valid for a terrain.
static inline bool astar_is_terrain_cost(double cost)
{
    return (cost >= ASTAR_COST_MIN && cost <= ASTAR_COST_MAX) || cost > 1.7976931348623157e308;
}

#endif
