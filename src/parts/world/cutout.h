// cutout.h -- a rectangle of a world laid out for one unit.

#ifndef ASTAR_CUTOUT_H
#define ASTAR_CUTOUT_H

#include "parts/world/world_finder.h"

// A cell that waits, and where to go on from there or which step led there; the next of its bucket.
typedef struct AstarTurn {
    uint32_t cell, next;
} AstarTurn;

// Of (width + 2) * (height + 2) cells, those around the rectangle closed.
typedef struct AstarCutout {
    const AstarWorldFinder *finder;
    int32_t x0, y0; // of the first cell inside
    int width, height, stride;
    bool is_plain;    // laid out whole, no block lifted
    uint64_t version; // of the world then
    bool has_walls;
    bool is_uniform;        // all its ground costs the same, no walls: ways in canonical order do
    double width_of_bucket; // its cheapest step
    double longest;         // its dearest
    size_t capacity;        // of each of the arrays below, in cells
    uint8_t *ground;        // what entering the unit there costs, as a kind of ground
    uint8_t *open;          // 1 where it can be entered
    uint8_t *around;        // neighbours that can
    uint8_t *legal;         // steps out of each cell; only where there are walls
    uint8_t *walls;         // by the directions they bar
    double *g;              // distances, INFINITY: none
    double lowest;          // none of them has been below that
    struct {
        bool is_told;  // the finder avoids some of it: 'costs' hold
        double *costs; // of a straight step into each cell, and a diagonal one
        size_t capacity;
    } fear;
    uint8_t *from;    // the direction that led there over ground of several costs, 8: none
    uint16_t *origin; // the number of the source whose way leads there, after a flood from several
    struct {
        AstarTurn *turns; // cells that wait, and the first of each bucket
        uint32_t *first;
        size_t capacity, first_count;
    } queue;
    struct {
        uint8_t *cells; // as they are loaded, before a wide unit is laid over them
        size_t capacity;
    } raw_laid;
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
// Lays out the closed chunk (i, j), unless that was done last and nothing has changed.
AstarStatus astar_cutout_fill_chunk(AstarCutout *cutout, AstarWorldFinder *finder, int32_t i,
                                    int32_t j, void *context);

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
    return cutout->open[at] != 0;
}

// What a step in a direction into a cell costs.
static inline double astar_cutout_step(const AstarCutout *cutout, size_t at, int direction)
{
    return cutout->fear.is_told ? cutout->fear.costs[2 * at + (size_t)(direction & 1)]
                                : cutout->finder->step[direction & 1][cutout->ground[at]];
}

// The place of a neighbour.
static inline size_t astar_cutout_beside(const AstarCutout *cutout, size_t at, int direction)
{
    return (size_t)((ptrdiff_t)at + astar_step_offset(cutout->stride, direction));
}

// The legal steps out of an open cell.
static inline unsigned astar_cutout_legal(const AstarCutout *cutout, size_t at)
{
    return cutout->has_walls ? cutout->legal[at]
                             : cutout->finder->rule->legal[0][cutout->around[at]];
}

// The directions of the neighbours that a legal step leads here from.
unsigned astar_cutout_legal_into(const AstarCutout *cutout, size_t at);

// ---- distances inside ----

// What a flood may leave out: it ends once it has settled the cell (x, y), and follows no way that
// must cost more than 'limit' to there.
typedef struct AstarAim {
    int32_t x, y;
    double limit;
} AstarAim;

// A cell that a flood starts from, by its place, and what it costs to be there.
typedef struct AstarSource {
    size_t at;
    double g;
} AstarSource;

typedef struct AstarSources {
    const AstarSource *list;
    size_t count;
    bool are_told; // 'origin' is to tell them apart
    double zero;   // what their costs count from, none of which is below it
} AstarSources;

// Has no cell a distance.
void astar_cutout_clear(AstarCutout *cutout);
// Brings cells nearer by the ways from several, in any order, all open and without a distance.
// Those that had one keep it where it is no farther, and no way leads on from them.
AstarStatus astar_cutout_flood_from(AstarCutout *cutout, AstarSources sources);
// Distances from a cell, or to it where 'backward', over the cells inside. NULL: to all of them.
AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim);
// Some cells of a cutout, by their places.
typedef struct AstarWantedCells {
    const size_t *cells;
    size_t count;
} AstarWantedCells;

// Distances from a cell to those wanted.
AstarStatus astar_cutout_measure(AstarCutout *cutout, int32_t x, int32_t y, AstarWantedCells wanted,
                                 double *distances);
// After a flood from a start: adds the way to a cell that it has reached to a path that ends at the
// start.
AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path);

// Begins to see how far back ways to the goal lead.
AstarStatus astar_enclosure_begin(AstarRouteSearch *search);
// Goes on by a square; ASTAR_UNREACHABLE: no way leads from the start to the goal.
AstarStatus astar_enclosure_flood_next(AstarRouteSearch *search, void *context);
void astar_enclosure_free(AstarRouteSearch *search);

#endif
