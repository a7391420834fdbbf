// cutout.h -- a rectangle of a world as one kind of unit sees it: which cells it can enter, at what
// cost, and which steps are legal. Distances in a world are computed in cutouts.

#ifndef ASTAR_CUTOUT_H
#define ASTAR_CUTOUT_H

#include "parts/world/world_finder.h"

// An entry of a bucket: a cell, packed with one or several directions, and the next entry of the
// bucket.
typedef struct AstarTurn {
    uint32_t cell, next;
} AstarTurn;

// A cutout. The arrays have (width + 2) * (height + 2) cells; those around the rectangle are
// blocked.
typedef struct AstarCutout {
    const AstarWorldFinder *finder;
    int32_t x0, y0; // world cell of the first cell of the rectangle
    int width, height, stride;
    bool is_plain;    // contains the rectangle as it is in the world, with no blocks ignored
    uint64_t version; // version of the world when it was laid out
    bool has_walls;
    // All its ground costs the same and it has no walls, so canonical ordering applies.
    bool is_uniform;
    double width_of_bucket; // cost of the cheapest step
    double longest;         // cost of the most expensive step
    size_t capacity;        // of each of the arrays below, in cells
    uint8_t *ground;        // terrain that gives the cost of entering a cell
    uint8_t *open;          // 1 if the unit can enter the cell
    uint8_t *around;        // neighbours that the unit can enter, a bit each
    uint8_t *legal;         // legal steps out of each cell; only if there are walls
    uint8_t *walls;         // directions that walls bar, a bit each
    double *g;              // distances; INFINITY: none
    double lowest;          // lower bound of all distances ever stored
    struct {
        bool is_told;  // 'costs' is in use, because the finder avoids some of the cells
        double *costs; // cost of a straight and a diagonal step into each cell
        size_t capacity;
    } fear;
    uint8_t *from; // direction that led to each cell over ground of several costs; 8: none
    // For each cell: index of the source from which its way comes, after a flood from several
    // sources.
    uint16_t *origin;
    struct {
        // Entries of the buckets, and the first entry of each bucket.
        AstarTurn *turns;
        uint32_t *first;
        size_t capacity, first_count;
    } queue;
    struct {
        // Terrain of each cell itself, before the cells under a wide unit are combined.
        uint8_t *cells;
        size_t capacity;
    } raw_laid;
} AstarCutout;

// A square of cells in which blocks are ignored, because the unit itself stands there. 'size' 0: no
// cells.
typedef struct AstarLifted {
    int32_t x, y;
    int size;
} AstarLifted;

void astar_cutout_free(AstarCutout *cutout, const AstarAllocator *allocator);
// Lays out a rectangle of the world. Loads its chunks.
AstarStatus astar_cutout_fill(AstarCutout *cutout, AstarWorldFinder *finder, int32_t x0, int32_t y0,
                              int width, int height, AstarLifted lifted, void *context);
// Lays out the square (i, j), unless the cutout contains it already and the world has not changed.
AstarStatus astar_cutout_fill_chunk(AstarCutout *cutout, AstarWorldFinder *finder, int32_t i,
                                    int32_t j, void *context);

static inline bool astar_cutout_holds(const AstarCutout *cutout, int32_t x, int32_t y)
{
    return x >= cutout->x0 && y >= cutout->y0 && x < cutout->x0 + cutout->width &&
           y < cutout->y0 + cutout->height;
}

// Returns the index of a cell of the rectangle.
static inline size_t astar_cutout_at(const AstarCutout *cutout, int32_t x, int32_t y)
{
    return (size_t)(y - cutout->y0 + 1) * (size_t)cutout->stride + (size_t)(x - cutout->x0 + 1);
}

static inline bool astar_cutout_is_open(const AstarCutout *cutout, size_t at)
{
    return cutout->open[at] != 0;
}

// Returns the cost of a step in a direction into a cell.
static inline double astar_cutout_step(const AstarCutout *cutout, size_t at, int direction)
{
    return cutout->fear.is_told ? cutout->fear.costs[2 * at + (size_t)(direction & 1)]
                                : cutout->finder->step[direction & 1][cutout->ground[at]];
}

// Returns the index of a neighbour.
static inline size_t astar_cutout_beside(const AstarCutout *cutout, size_t at, int direction)
{
    return (size_t)((ptrdiff_t)at + astar_step_offset(cutout->stride, direction));
}

// Returns the legal steps out of a cell that the unit can enter.
static inline unsigned astar_cutout_legal(const AstarCutout *cutout, size_t at)
{
    return cutout->has_walls ? cutout->legal[at]
                             : cutout->finder->rule->legal[0][cutout->around[at]];
}

// Returns the directions of those neighbours from which a legal step leads to a cell.
unsigned astar_cutout_legal_into(const AstarCutout *cutout, size_t at);

// ---- distances in a cutout ----

// Limits of a flood: it ends when the distance of (x, y) is known, and ignores ways that must cost
// more than 'limit' to get there.
typedef struct AstarAim {
    int32_t x, y;
    double limit;
} AstarAim;

// A cell where a flood starts, and the cost of being there.
typedef struct AstarSource {
    size_t at;
    double g;
} AstarSource;

typedef struct AstarSources {
    const AstarSource *list;
    size_t count;
    bool are_told; // 'origin' records the source of each cell
    double zero;   // lower bound of the costs of the sources
} AstarSources;

// Clears all distances.
void astar_cutout_clear(AstarCutout *cutout);
// Computes distances from several sources, which may be in any order. The sources must be cells
// that the unit can enter. A cell that has a distance already keeps it if it is not greater, and
// the flood does not continue from it.
AstarStatus astar_cutout_flood_from(AstarCutout *cutout, AstarSources sources);
// Computes the distances from a cell, or to it if 'backward' is true, within the cutout. Without an
// aim, those of all cells.
AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim);
// Indices of some cells of a cutout.
typedef struct AstarWantedCells {
    const size_t *cells;
    size_t count;
} AstarWantedCells;

// Computes the distances from a cell to the wanted cells.
AstarStatus astar_cutout_measure(AstarCutout *cutout, int32_t x, int32_t y, AstarWantedCells wanted,
                                 double *distances);
// Appends the way to a cell to a path. The cutout was flooded from the last cell of the path.
AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path);

// Starts to compute the cells from which the goal can be reached.
AstarStatus astar_enclosure_begin(AstarRouteSearch *search);
// Continues to compute the cells from which the goal can be reached, by one square. Returns
// ASTAR_UNREACHABLE if the start is not among them.
AstarStatus astar_enclosure_flood_next(AstarRouteSearch *search, void *context);
void astar_enclosure_free(AstarRouteSearch *search);

#endif
