// grid.h -- what the other core files may know of a grid.

#ifndef ASTAR_GRID_H
#define ASTAR_GRID_H

#include "base/bits.h"
#include "base/shape.h"
#include "base/thread.h"
#include "map/edit_log.h"

#include <string.h>

struct AstarLinksAndWalls;

// What is built of a grid and hangs on it: it is told of edits, counted and freed with the grid,
// which knows no more of it. It attaches itself; see layer.h.
typedef struct AstarAttachment {
    // 'layer': the bit of the layer of blocks that was edited; 0: anything else
    void (*edited)(AstarGrid *grid, const AstarEdit *edit, uint64_t layer);
    void (*repriced)(AstarGrid *grid); // the palette has changed
    size_t (*bytes)(const AstarGrid *grid);
    void (*free)(AstarGrid *grid);
    // Copies to a grid what is in use of this equal one, as far as there is memory.
    void (*copy)(AstarGrid *grid, const AstarGrid *from);
} AstarAttachment;

// What a grid has to do with others: the copies it is shared by, or those a view or a clone shows.
typedef struct AstarTie {
    size_t (*bytes)(const AstarGrid *grid);
    void (*free)(AstarGrid *grid);
} AstarTie;

// The lists of layers, each kind after those it may be built from.
enum { ASTAR_WALKABLES, ASTAR_FOOTPRINTS, ASTAR_IRREGULARS, ASTAR_LANDMARKS, ASTAR_LAYER_LISTS };

// What a terrain costs per unit of length; INFINITY: it cannot be entered.
typedef struct AstarPrice {
    double cost;  // as what is built of the grid has it
    double asked; // the same, but where no cell has the terrain: what it is to cost then
} AstarPrice;

// A layer of blocks: the one without a name is part of the grid, those with names come after it, in
// the order they were named. See blocks.h.
typedef struct AstarBlocks {
    ASTAR_ATOMIC(struct AstarBlocks *) next; // readers may name one, with the grid locked
    uint64_t bit;                            // 1 << its number
    AstarBits bits;                          // no words until the first block
    uint32_t *covered; // of each terrain, how many cells are blocked; NULL as well
    size_t covered_capacity;
    AstarEditLog log;
    char *name; // NULL: none
    size_t length;
} AstarBlocks;

struct AstarGrid {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    bool is_replica;  // views show it
    AstarMutex mutex; // held while what is built of the grid is taken, made, brought up to date or
                      // given back: by readers, too, while nobody edits
    const AstarTie *tie; // NULL: it is neither shared nor a view
    void *tied;          // what that is about
    struct AstarLayer *layers[ASTAR_LAYER_LISTS];
    const AstarAttachment *attachment; // NULL until there is a layer
    const AstarCrowd *crowd;           // the last that was made of it, maybe gone by now
    struct {
        bool is_clone;           // the map is another grid's until one is edited: see clone.c
        AstarGrid *first, *next; // of this one; of the same home
    } copies;
    ASTAR_ATOMIC(uint32_t) bakings; // counts changes of what is baked, by readers' queries, too
    AstarGrid *home; // whose mutex and layers count: of a view or clone what it shows, else itself

    // The map: from here on a view or clone is as what it shows; see clone.h.
    const AstarShape *shape;
    int32_t width, height;
    uint32_t cells; // width * height; cell = y * width + x
    struct {
        int shift; // of the width: row y = cell * inverse >> shift
        uint64_t inverse;
    } rows;
    uint64_t version;                 // counts edits
    uint64_t palette_version;         // counts changes of what terrains cost and which are present
    uint64_t links_and_walls_version; // counts changes of links and walls
    struct {
        int count;
        AstarPrice *prices; // of each
        uint32_t *present;  // how many cells have it
        uint32_t price_capacity, present_capacity;
    } terrains;
    uint8_t *ground; // the terrain of each cell
    AstarBlocks blocks;
    struct AstarLinksAndWalls *links_and_walls; // NULL until the first; see links_and_walls.h
    AstarEditLog log;                           // of all edits but those of blocks
};

// Readers that find something missing or stale lock the grid, look again, build it and publish it.
// No callback is ever asked meanwhile.
static inline void astar_grid_lock(const AstarGrid *grid)
{
    astar_mutex_lock(&grid->home->mutex);
}

static inline void astar_grid_unlock(const AstarGrid *grid)
{
    astar_mutex_unlock(&grid->home->mutex);
}

// Copies the map of a grid, and makes a further one of it.
AstarStatus astar_grid_copy(const AstarGrid *grid, AstarGrid **out);
// Makes room for so many terrains.
AstarStatus astar_grid_reserve_terrains(AstarGrid *grid, size_t need);

// Makes the ground of a rectangle and its blocks what they are on an equally large grid, whose
// terrains and layers this one has: an edit of the ground, and one of each layer of blocks. After
// ASTAR_NO_MEMORY only some of them are.
AstarStatus astar_grid_copy_cells(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                                  int height);
// Makes the price of a terrain another grid's.
void astar_grid_take_price(AstarGrid *grid, int terrain, AstarPrice price);
// Takes the version of an equal grid and its logs of edits, as far as there is memory for them.
void astar_grid_take_log(AstarGrid *grid, const AstarGrid *from);
// Counts an edit that changes no cell.
void astar_grid_note_edit(AstarGrid *grid);
// Notes that links or walls of a cell have changed.
void astar_grid_note_links_and_walls(AstarGrid *grid, int x, int y);
// Notes and tells that cells of a rectangle have changed.
void astar_grid_edited(AstarGrid *grid, int x, int y, int width, int height);
// Tells what is built of the grid that cells of a rectangle have changed, their links or walls.
void astar_grid_tell(AstarGrid *grid, int x, int y, int width, int height);
bool astar_grid_has_rectangle(const AstarGrid *grid, int x, int y, int width, int height);

static inline uint32_t astar_cell(const AstarGrid *grid, int x, int y)
{
    return (uint32_t)y * (uint32_t)grid->width + (uint32_t)x;
}

static inline void astar_cell_xy(const AstarGrid *grid, uint32_t cell, int *x, int *y)
{
    *y = (int)(cell * grid->rows.inverse >> grid->rows.shift);
    *x = (int)(cell - (uint32_t)*y * (uint32_t)grid->width);
}

static inline bool astar_inside(const AstarGrid *grid, int x, int y)
{
    return (uint32_t)x < (uint32_t)grid->width && (uint32_t)y < (uint32_t)grid->height;
}

// Brings what is less than a map's side beyond its edges back to it, where it goes round; whether
// that is inside then.
bool astar_go_round(const AstarGrid *grid, int *x, int *y);
// Makes a cell, where the map goes round, the one like it that is nearest to another: it may lie
// outside then.
void astar_come_nearest(const AstarGrid *grid, int *x, int *y, int to_x, int to_y);

// The cells to which an edit may make a difference: units so many cells wide that hold on to a cell
// cover others to the south and east of it, and what is next to a cell counts for it.
static inline AstarEdit astar_cells_concerned(const AstarGrid *grid, const AstarEdit *edit,
                                              int size)
{
    int x0 = edit->x > size ? edit->x - size : 0, y0 = edit->y > size ? edit->y - size : 0;
    int x1 = edit->x + edit->width + 1, y1 = edit->y + edit->height + 1;
    x1 = x1 > grid->width ? grid->width : x1;
    y1 = y1 > grid->height ? grid->height : y1;
    return (AstarEdit){.x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
}

// How many of 'count' bytes, from the first on, are like the first.
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

// Whether a cost may be given to a terrain.
static inline bool astar_is_terrain_cost(double cost)
{
    return (cost >= ASTAR_COST_MIN && cost <= ASTAR_COST_MAX) || cost > 1.7976931348623157e308;
}

#endif
