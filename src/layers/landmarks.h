// landmarks.h -- Landmarks: the distances of all cells from a few cells far apart, for better
// estimates of the cost that remains.
//
// This is the differential heuristic (N. Sturtevant, A. Felner, M. Barer, J. Schaeffer and N.
// Burch, "Memory-Based Heuristics for Explicit State Spaces", IJCAI 2009; for directed graphs A.
// Goldberg and C. Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA
// 2005). Let d(a, b) be the cost from a to b. A route from n to the goal costs at least d(p, goal)
// - d(p, n), for every landmark p, and at least d(n, p) - d(goal, p). On ground of one cost the two
// directions cost the same and one table per landmark is enough. Otherwise the cost of a step is
// the cost of the cell that it enters. A landmark then has two tables: distances from the landmark
// and distances to it.
//
// The estimate only requires of a table that no step increases the distance by more than the step
// costs. Tables therefore remain valid if ground becomes costlier or blocked. If a step becomes
// possible or cheaper they are repaired, see landmarks.c.

#ifndef ASTAR_LANDMARKS_H
#define ASTAR_LANDMARKS_H

#include "layers/baked_head.h"
#include "layers/walkable.h"
#include "openlist/bucket_queue.h"
#include "rules/corner_rules.h"

enum { ASTAR_MOST_TABLES = 2 * ASTAR_MAX_PIVOTS };

// Distance of a cell that was not reached, and deficit of a table that is no longer valid.
#define ASTAR_FAR UINT32_C(0x7F7F7F7F)

// A cell whose distance a repair has lowered, and its previous distance.
typedef struct AstarMended {
    uint32_t cell, before;
} AstarMended;

// The landmarks of one finder. The landmarks are a layer of the grid.
typedef struct AstarLandmarks {
    AstarLayer layer;
    AstarWalkable *walkable;
    AstarFootprints *footprints; // terrain under large units; NULL for units of one cell
    const AstarCornerRule *rule;
    const double *own_cost; // costs of terrains of the finder, which owns the array
    size_t own_count;
    double diagonal_cost;
    // Integer distance per unit of cost, a power of two. If the value is 0, distances are lengths
    // of steps, independent of terrain, and one table serves both directions.
    double scale;
    uint32_t straight,
        diagonal; // integer lengths of a straight and a diagonal step if 'scale' is 0
    // Version of the palette from which 'weight' was computed.
    uint64_t palette_version;
    // Integer costs of straight and of diagonal steps into each terrain, rounded down.
    uint32_t weight[2][ASTAR_MAX_TERRAINS];
    int32_t tables, capacity; // number of tables in use; number of tables allocated
    // Offset in 'distances' from a cell to the next one; offset from a table to the next one.
    size_t cell_step, table_step;
    uint32_t *distances;
    // For each table, the amount by which a route may be cheaper than its distances in the table.
    uint32_t deficit[ASTAR_MOST_TABLES];
    // Maximum number of distances that an edit may lower in a table, a power of two.
    uint32_t few;
    // Distances lowered by the present repair; room for 2 * 'few' entries.
    AstarMended *mended;
    uint32_t *changed; // ring of 8 * 'few' entries: cells whose distances changed last
    uint64_t changes;  // number of changes of distances so far
} AstarLandmarks;

// The parameters for measuring the landmarks of a finder. 'cost' has the cost of each terrain,
// INFINITY if it is blocked.
typedef struct AstarLandmarkPlan {
    AstarWalkable *walkable;
    AstarFootprints *footprints;
    const AstarCornerRule *rule;
    const double *cost, *own_cost;
    size_t own_count;
    double diagonal_cost;
    bool is_whole;               // true: distances are lengths of steps, whatever the terrain
    uint32_t straight, diagonal; // integer lengths of a straight and a diagonal step if 'is_whole'
    int count;                   // number of landmarks
} AstarLandmarkPlan;

// Recomputes the integer costs of steps. Returns true if a step into a terrain that is on the map
// became cheaper.
bool astar_landmarks_weigh(const AstarGrid *grid, AstarLandmarks *landmarks);
// Updates the costs of steps after a change of the palette. If a step became cheaper, all tables
// become invalid.
void astar_landmarks_reprice(const AstarGrid *grid, void *layer);
// Returns true if a finder that uses the layers 'walkable' and 'footprints' can use the landmarks.
static inline bool astar_landmarks_fit(const AstarLandmarks *landmarks,
                                       const AstarWalkable *walkable,
                                       const AstarFootprints *footprints)
{
    return landmarks->walkable == walkable &&
           (landmarks->scale == 0 || landmarks->footprints == footprints);
}

// Returns true if at least one table of the landmarks is valid.
static inline bool astar_landmarks_hold(const AstarLandmarks *landmarks)
{
    bool holds = false;
    for (int i = 0; landmarks != NULL && i < landmarks->tables; i++)
        holds |= landmarks->deficit[i] < ASTAR_FAR;
    return holds;
}

// Returns the number of entries of the ring of latest changes.
static inline uint32_t astar_landmarks_memory(const AstarLandmarks *landmarks)
{
    return 8 * landmarks->few;
}

// Returns the cell of the change number 'number', which must be one of the latest changes.
static inline uint32_t astar_landmarks_change(const AstarLandmarks *landmarks, uint64_t change)
{
    return landmarks->changed[change & (astar_landmarks_memory(landmarks) - 1)];
}

// Returns the bytes of the tables of distances.
static inline size_t astar_landmarks_bytes(const AstarLandmarks *landmarks, const AstarGrid *grid)
{
    return landmarks == NULL
               ? 0
               : grid->cells * (size_t)landmarks->capacity * sizeof *landmarks->distances;
}

// Returns a pointer to the distance of a cell in a table.
static inline uint32_t *astar_landmark_distance(const AstarLandmarks *landmarks, uint32_t cell,
                                                int table)
{
    return landmarks->distances + (size_t)cell * landmarks->cell_step +
           (size_t)table * landmarks->table_step;
}

// The following declarations are for estimates by landmarks.

// Bounds for one goal, per table. The cost from a cell to the goal is at least the amount by which
// the cell's distance in the table is below 'low' or above 'high'. If a table gives only one of the
// two bounds, the other one has a value that no distance reaches.
typedef struct AstarLandmarkBounds {
    int32_t low[ASTAR_MOST_TABLES], high[ASTAR_MOST_TABLES];
} AstarLandmarkBounds;

// Returns the bounds of all tables for a goal.
AstarLandmarkBounds astar_landmarks_bounds(const AstarLandmarks *landmarks, uint32_t goal);

// Returns an estimate of the cost from a cell to the goal by 'count' tables. The integer never
// overestimates. The distances of the cell in the tables lie 'step' entries apart.
static inline uint32_t astar_landmarks_estimate(const uint32_t *distances, size_t step,
                                                const AstarLandmarkBounds *bounds, int count)
{
    int32_t most = 0;
    for (int i = 0; i < count; i++) {
        int32_t distance = (int32_t)distances[(size_t)i * step];
        int32_t below = bounds->low[i] - distance, above = distance - bounds->high[i];
        most = below > most ? below : most;
        most = above > most ? above : most;
    }
    return (uint32_t)most;
}

// The following functions are about steps and their costs.

// Returns the terrain of each cell that costs depend on: for large units the costliest terrain that
// they cover.
static inline const uint8_t *astar_landmarks_ground(const AstarLandmarks *landmarks,
                                                    const AstarGrid *grid)
{
    return landmarks->footprints != NULL ? landmarks->footprints->ground : grid->ground;
}

// Returns true if a table holds distances to its landmark, and false if it holds distances from its
// landmark.
static inline bool astar_table_is_back(const AstarLandmarks *landmarks, int table)
{
    return landmarks->scale > 0 && (table & 1) != 0;
}

// Returns the directions of legal steps out of a cell, or into it with 'back'. If one table serves
// both directions, the result contains a direction if the step out of the cell or the step into it
// is legal.
static inline unsigned astar_landmark_moves(const AstarLandmarks *landmarks, const AstarGrid *grid,
                                            int x, int y, bool back)
{
    unsigned free = astar_bits_around(&landmarks->walkable->bits, x, y);
    unsigned moves = astar_legal_moves_on(grid, landmarks->rule, x, y, free, back);
    if (landmarks->scale == 0 && astar_grid_has_walls(grid))
        moves |= astar_legal_moves_on(grid, landmarks->rule, x, y, free, !back);
    return moves;
}

// Returns the cost of a terrain for the finder of the landmarks, per unit of length.
double astar_landmark_price(const AstarGrid *grid, const AstarLandmarks *landmarks, int terrain);
// Returns the integer cost of a link. The cost is 0 if distances are lengths of steps.
uint32_t astar_landmark_link(const AstarLandmarks *landmarks, double cost);

// The following functions measure landmarks in steps, while the map may be edited.

typedef struct AstarLandmarkMaking AstarLandmarkMaking;

// Creates a job that measures landmarks.
AstarStatus astar_landmark_making_new(const AstarGrid *grid, AstarLandmarkMaking **out);
// Frees a job. NULL is allowed.
void astar_landmark_making_free(AstarLandmarkMaking *making);
// Continues measuring 'plan->count' landmarks in the largest connected component, and their gain.
// The layers of the plan must be up to date. Returns ASTAR_RUNNING when the work is used up before
// the landmarks are finished. Returns ASTAR_BAD_COST if distances do not fit into their integers or
// no cell is walkable. If costs, links or walls change meanwhile, measuring restarts; after eight
// restarts the function returns ASTAR_BAD_COST.
AstarStatus astar_landmark_making_advance(AstarLandmarkMaking *making,
                                          const AstarLandmarkPlan *plan, int64_t *work);
// Returns the finished landmarks; a second call returns NULL. The landmarks are valid for the
// present map.
AstarLandmarks *astar_landmark_making_take(AstarLandmarkMaking *making);
// Returns the gain: about how many times fewer cells a search expands with the landmarks.
double astar_landmark_making_gain(const AstarLandmarkMaking *making);

// The following functions create landmarks as a layer of a grid, and copy landmarks for snapshots.

// Creates landmarks without tables, for an integer scale. Returns NULL if memory runs out.
AstarLandmarks *astar_landmarks_new(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                    double scale);
// Updates the landmarks of a snapshot from those of the grid. '*copy' is NULL at first; later it
// must be a copy of the same landmarks. No thread may read the copy meanwhile. After
// ASTAR_NO_MEMORY '*copy' is NULL.
AstarStatus astar_landmarks_follow(const AstarGrid *snapshot, const AstarLandmarks *from,
                                   AstarLandmarks **copy);
// Copies the landmarks of a snapshot to a grid, for a finder of that grid, and repairs the copy
// after the edits of the grid since then. '*out' is NULL if these edits are not known, or if costs,
// links or walls have changed.
AstarStatus astar_landmarks_copy(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                 const AstarGrid *snapshot, const AstarLandmarks *from,
                                 AstarLandmarks **out);

// The following functions repair landmarks after edits.

// Repairs one table after an edit. Returns the number of lowered distances. If too many had to be
// lowered, the old values are restored, but the lowered distances are still counted.
int64_t astar_landmarks_repair_table(const AstarGrid *grid, AstarLandmarks *landmarks,
                                     const AstarEdit *edit, int table);
// Repairs all tables after an edit.
void astar_landmarks_repair(const AstarGrid *grid, void *landmarks, const AstarEdit *edit);

// Returns true if a table is valid: no step or link increases the distance by more than it costs.
bool astar_landmarks_table_is_good(const AstarGrid *grid, AstarLandmarks *landmarks, int table);

// The following functions save and load landmarks.

// Returns true if a table has no deficit, so that it can be saved.
bool astar_landmarks_can_be_saved(const AstarLandmarks *landmarks);
// Saves the landmarks for the present map.
void astar_landmarks_save(const AstarGrid *grid, const AstarLandmarks *landmarks,
                          AstarArchive *archive);
// Loads landmarks after a header that fits the map. The number of landmarks and the scale are read
// from the bytes; all other fields of the plan must be set. Each table is checked, so that no bytes
// can lead to an estimate that is too high. If a check fails, the function returns ASTAR_BAD_DATA
// and stores the reason in '*why'.
AstarStatus astar_landmarks_load(const AstarGrid *grid, AstarLandmarkPlan *plan,
                                 AstarArchive *archive, const char **why, AstarLandmarks **out);

// Sweeps: the distances of all cells from one cell, or to it, computed in steps.
//
// After edits during a sweep, some distances fit the old map and some the new one. If a step became
// possible or cheaper, the distances have to be repaired afterwards.

// The state of a sweep.
typedef struct AstarSweep {
    const AstarGrid *grid; // NULL: there is nothing to free
    const AstarLandmarks *landmarks;
    const uint8_t *ground;
    // Least integer costs of a straight and of a diagonal step on the map; greatest integer cost of
    // any step.
    uint32_t least[2], most;
    uint32_t from;  // cell where the sweep began
    bool back;      // true if the sweep measures distances to 'from', false for distances from it
    bool is_open;   // true once the sweep has begun to spread
    size_t cleared; // number of distances of the previous sweep that are cleared so far
    uint32_t *distances; // distance of each cell; ASTAR_FAR: not reached
    AstarBucketQueue open;
} AstarSweep;

// Allocates memory for sweeps. Costs and links of the map must not change until astar_sweep_end.
AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks);
// Starts a sweep of distances from a cell, or to the cell with 'back'.
void astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back);
// Continues a sweep. Returns ASTAR_RUNNING when the work is used up before the sweep is complete,
// and ASTAR_BAD_COST if distances do not fit into their integers.
AstarStatus astar_sweep_advance(AstarSweep *sweep, int64_t *work);
// Frees the memory of sweeps.
void astar_sweep_end(AstarSweep *sweep);

// The following declarations are for the gain of landmarks, which is measured on a sample of
// queries without a search.

enum { ASTAR_GAIN_CELLS = 1024 };

// State of the measurement of the gain. All fields are 0 at first.
typedef struct AstarLandmarkGain {
    uint32_t cells[ASTAR_GAIN_CELLS]; // cells of the sample
    // Number of cells of the sample.
    int count;
    int pass;    // number of the pass over the map that collects the sample, from 0
    size_t cell; // next cell of the pass
    // Number of cells that may be in the sample: all of them, and those that the second pass has
    // seen.
    uint64_t total, seen;
    int start, goal;      // indices of the start and the goal of the present query
    uint64_t expanded[2]; // expansions, counted in halves: without landmarks; with landmarks
} AstarLandmarkGain;

// Continues the measurement of the gain. 'sweep' must have the costs of the landmarks. Returns
// ASTAR_RUNNING when the work is used up first. ASTAR_NO_MEMORY and ASTAR_BAD_COST end the
// measurement.
AstarStatus astar_landmark_gain_advance(AstarLandmarkGain *gain, AstarSweep *sweep, int64_t *work);
// Returns the gain: about how many times fewer cells a search expands with the landmarks.
double astar_landmark_gain_of(const AstarLandmarkGain *gain);

#endif
