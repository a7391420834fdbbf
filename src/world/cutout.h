// cutout.h -- a rectangle of a world laid out for one unit, and distances inside it.

#ifndef ASTAR_CUTOUT_H
#define ASTAR_CUTOUT_H

#include "openlist/bucket_queue.h"
#include "world/world_finder.h"

// A cell where runs fork, and the directions they are to go in; the next of its bucket.
typedef struct AstarTurn {
    uint32_t cell, next;
} AstarTurn;

// Of (width + 2) * (height + 2) cells, those around the rectangle closed.
typedef struct AstarCutout {
    const AstarWorldFinder *finder;
    int32_t x0, y0; // of the first cell inside
    int width, height, stride;
    bool has_walls;
    bool is_uniform;        // all its ground costs the same
    double width_of_bucket; // its cheapest step
    double longest;         // its dearest
    size_t capacity;        // of each of the arrays below, in cells
    uint8_t *ground;        // what entering the unit there costs, as a kind of ground
    uint8_t *legal;         // steps out of each cell, once known
    uint8_t *around;        // free neighbours
    uint8_t *known;         // whether they are
    uint8_t *walls;         // by the directions they bar
    double *g;              // distances, INFINITY: none
    uint8_t *from;          // the direction that led there, 8: none
    AstarBucketQueue queue;
    AstarTurn *turns; // over ground of one cost: cells that wait, and the first of each bucket
    uint32_t *first_turns;
    size_t turn_capacity, first_turn_count;
    uint8_t *raw; // cells as they are loaded, before a wide unit is laid over them
    size_t raw_capacity;
} AstarCutout;

// Where blocks do not count, as the unit itself stands there; 'size' 0: nowhere.
typedef struct AstarLifted {
    int32_t x, y;
    int size;
} AstarLifted;

void astar_cutout_free(AstarCutout *cutout, const AstarAllocator *allocator);
// Lays out a rectangle; its chunks are loaded.
AstarStatus astar_cutout_fill(AstarCutout *cutout, AstarWorldFinder *finder, int32_t x0, int32_t y0,
                              int width, int height, AstarLifted lifted, void *context);

static inline bool astar_cutout_holds(const AstarCutout *cutout, int32_t x, int32_t y)
{
    return x >= cutout->x0 && y >= cutout->y0 && x < cutout->x0 + cutout->width &&
           y < cutout->y0 + cutout->height;
}

// The place of a cell inside.
static inline size_t astar_cutout_at(const AstarCutout *cutout, int32_t x, int32_t y)
{
    return (size_t)(y - cutout->y0 + 1) * (size_t)cutout->stride + (size_t)(x - cutout->x0 + 1);
}

static inline bool astar_cutout_is_open(const AstarCutout *cutout, size_t at)
{
    return !isinf(cutout->finder->step[0][cutout->ground[at]]);
}

// The legal steps out of an open cell.
unsigned astar_cutout_legal(AstarCutout *cutout, size_t at);

// What a flood may leave out: it ends once it has settled the cell (x, y), and follows no way that
// must cost more than 'limit' to there.
typedef struct AstarAim {
    int32_t x, y;
    double limit;
} AstarAim;

// Distances from a cell, or to it where 'backward', over the cells inside. NULL: to all of them.
AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim);
// Some cells of a cutout, by their places.
typedef struct AstarWantedCells {
    const size_t *cells;
    size_t count;
} AstarWantedCells;

// Distances from a cell to those wanted at least.
AstarStatus astar_cutout_flood_to(AstarCutout *cutout, int32_t x, int32_t y,
                                  AstarWantedCells wanted);
// After a flood from a start: adds the way to a cell that it has reached to a path that ends at the
// start.
AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path);

#endif
