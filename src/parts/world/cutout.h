// cutout.h -- A cutout: a rectangle of a world as one kind of unit sees it. A cutout stores which
// cells the unit can enter, at what cost, and which steps are legal. Distances in a world are
// computed in cutouts.

#ifndef ASTAR_CUTOUT_H
#define ASTAR_CUTOUT_H

#include "parts/world/world_finder.h"

// An entry of a bucket: a cell, packed together with directions, and the index of the next entry of
// the bucket.
typedef struct AstarTurn {
    uint32_t cell, next;
} AstarTurn;

// A cutout: a rectangle of a world as one kind of unit sees it. Around the rectangle a cutout has
// extra cells, which are blocked. Its arrays therefore have (width + 2) * (height + 2) cells.
typedef struct AstarCutout {
    const AstarWorldFinder *finder;
    int32_t x0, y0; // position in the world of the north-west cell of the rectangle
    int width, height, stride;
    bool is_plain;    // true if the cutout shows the world as it is, with no blocks ignored
    uint64_t version; // version of the world when the cutout was laid out
    bool has_walls;   // true if a cell has walls or is restricted
    bool has_exits;   // true if a cell is restricted
    // True if canonical ordering applies: all ground costs the same, and there are no walls and no
    // restricted cells.
    bool is_uniform;
    double width_of_bucket; // cost of the cheapest step
    double longest;         // cost of the most expensive step
    size_t capacity;        // number of cells for which each of the arrays below has room
    uint8_t *ground;        // terrain whose cost is paid to enter each cell
    uint8_t *open;          // 1 for each cell that the unit can enter, otherwise 0
    // For each cell the directions of the neighbours that the unit can enter, as bits.
    uint8_t *around;
    // For each cell the directions of the legal steps, as bits; only used if there are walls.
    uint8_t *legal;
    uint8_t *walls; // for each cell the directions that walls bar, as bits
    uint8_t *exits; // for each cell the directions in which it may not be left, as bits
    double *g;      // distance of each cell; INFINITY: it has none
    double lowest;  // lower bound of all distances that were ever stored
    struct {
        bool is_told;  // true if 'costs' is used, because the finder avoids some of the cells
        double *costs; // for each cell the costs of a straight and a diagonal step into the cell
        size_t capacity;
        // For a unit of several cells: the value of the field in each cell that units in the cutout
        // cover, and then the highest of the values under the unit.
        float *values;
        size_t value_capacity;
    } fear;
    // Over ground of several costs, the direction of the step that led to each cell; 8: none.
    uint8_t *from;
    // After a flood from several sources: for each cell the index of the source from which its path
    // comes.
    uint16_t *origin;
    struct {
        // 'turns' are the entries of all buckets, and 'first' is the index of the first entry of
        // each bucket.
        AstarTurn *turns;
        uint32_t *first;
        size_t capacity, first_count;
    } queue;
    struct {
        // The terrain of each cell by itself, before the cells that a large unit covers are
        // combined.
        uint8_t *cells;
        size_t capacity;
    } raw_laid;
} AstarCutout;

// A square of cells in which blocks are ignored, because they are the unit itself. If 'size' is 0,
// no blocks are ignored.
typedef struct AstarLifted {
    int32_t x, y;
    int size;
} AstarLifted;

void astar_cutout_free(AstarCutout *cutout, const AstarAllocator *allocator);
// Copies a rectangle of the world into the cutout, as the units of 'finder' see it. Loads the
// chunks that it needs. Blocks in 'lifted' are ignored.
AstarStatus astar_cutout_fill(AstarCutout *cutout, AstarWorldFinder *finder, int32_t x0, int32_t y0,
                              int width, int height, AstarLifted lifted, void *context);
// Copies the square (i, j) of the world into the cutout. Does nothing if the cutout contains this
// square already and the world has not changed.
AstarStatus astar_cutout_fill_chunk(AstarCutout *cutout, AstarWorldFinder *finder, int32_t i,
                                    int32_t j, void *context);

static inline bool astar_cutout_holds(const AstarCutout *cutout, int32_t x, int32_t y)
{
    return x >= cutout->x0 && y >= cutout->y0 && x < cutout->x0 + cutout->width &&
           y < cutout->y0 + cutout->height;
}

// Returns the index of a cell in the arrays of a cutout. The cell must lie in the rectangle.
static inline size_t astar_cutout_at(const AstarCutout *cutout, int32_t x, int32_t y)
{
    return (size_t)(y - cutout->y0 + 1) * (size_t)cutout->stride + (size_t)(x - cutout->x0 + 1);
}

static inline bool astar_cutout_is_open(const AstarCutout *cutout, size_t at)
{
    return cutout->open[at] != 0;
}

// Returns the cost of a step in a direction into the cell with index 'at'.
static inline double astar_cutout_step(const AstarCutout *cutout, size_t at, int direction)
{
    return cutout->fear.is_told ? cutout->fear.costs[2 * at + (size_t)(direction & 1)]
                                : cutout->finder->step[direction & 1][cutout->ground[at]];
}

// Returns the index of the neighbour of the cell with index 'at' in a direction.
static inline size_t astar_cutout_beside(const AstarCutout *cutout, size_t at, int direction)
{
    return (size_t)((ptrdiff_t)at + astar_step_offset(cutout->stride, direction));
}

// Returns the directions of the legal steps out of a cell, as bits. The unit must be able to enter
// the cell.
static inline unsigned astar_cutout_legal(const AstarCutout *cutout, size_t at)
{
    return cutout->has_walls ? cutout->legal[at]
                             : cutout->finder->rule->legal[0][cutout->around[at]];
}

// Returns the directions, as bits, of those neighbours of a cell from which a legal step leads to
// the cell.
unsigned astar_cutout_legal_into(const AstarCutout *cutout, size_t at);

// The functions below compute distances in a cutout, and the cells from which a goal can be
// reached.

// The aim of a flood. The flood ends when the distance of (x, y) is final. The flood ignores cells
// from which (x, y) cannot be reached for a total cost of at most 'limit'.
typedef struct AstarAim {
    int32_t x, y;
    double limit;
} AstarAim;

// A source: a cell where a flood starts, and the cost with which the flood starts there.
typedef struct AstarSource {
    size_t at;
    double g;
} AstarSource;

typedef struct AstarSources {
    const AstarSource *list;
    size_t count;
    bool are_told; // true if the flood records the source of each cell in 'origin' of the cutout
    double zero;   // a number that no cost of a source is below
} AstarSources;

// Sets all distances of a cutout to infinity.
void astar_cutout_clear(AstarCutout *cutout);
// Computes the distances from several sources, which may be in any order. The unit must be able to
// enter the sources. If a cell already has a distance that is not greater, its distance is not
// changed and the flood does not continue from the cell.
AstarStatus astar_cutout_flood_from(AstarCutout *cutout, AstarSources sources);
// Computes the distances from a cell within the cutout or, if 'backward' is true, the distances to
// the cell. Ends when the distance of the aim is known. If 'aim' is NULL, computes the distances of
// all cells.
AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim);
// The cells whose distances a flood must find, as indices into the arrays of a cutout.
typedef struct AstarWantedCells {
    const size_t *cells;
    size_t count;
} AstarWantedCells;

// Computes the distances from the cell (x, y) to the wanted cells, and writes them to 'distances'
// in the order of these cells.
AstarStatus astar_cutout_measure(AstarCutout *cutout, int32_t x, int32_t y, AstarWantedCells wanted,
                                 double *distances);
// Appends the path to the cell (x, y) to another path. The last flood of the cutout must have
// started at the last cell of the path.
AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path);

// Starts to compute the set of cells from which the goal can be reached.
AstarStatus astar_enclosure_begin(AstarRouteSearch *search);
// Continues to compute the set of cells from which the goal can be reached, by one square. Returns
// ASTAR_UNREACHABLE if the set is complete and the start is not in it, and otherwise ASTAR_RUNNING
// or an error.
AstarStatus astar_enclosure_flood_next(AstarRouteSearch *search, void *context);
void astar_enclosure_free(AstarRouteSearch *search);

#endif
