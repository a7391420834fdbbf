// landmarks.h -- distances from and to a few far-off cells, for a better estimate of what remains.
//
// The differential heuristic (N. Sturtevant, A. Felner, M. Barer, J. Schaeffer and N. Burch,
// "Memory-Based Heuristics for Explicit State Spaces", IJCAI 2009; over one-way steps A. Goldberg
// and C. Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005): a
// route from n to the goal is no shorter than what the goal lies farther from a cell p than n does,
// nor than what n lies farther on the way to p. Over ground of one cost both ways are as long, and
// one table of distances tells both. Elsewhere a step costs what the cell entered does, so a
// landmark has two tables, of the ways from it and of those to it.
//
// All that the estimate needs of a table is that no step leads farther than it costs. So ground
// that became dearer, or closed, leaves the tables good. Where a step became possible or cheaper
// they are repaired, see landmarks.c.

#ifndef ASTAR_LANDMARKS_H
#define ASTAR_LANDMARKS_H

#include "layers/baked_head.h"
#include "layers/walkable.h"
#include "openlist/bucket_queue.h"
#include "rules/corner_rules.h"

enum { ASTAR_MOST_TABLES = 2 * ASTAR_MAX_PIVOTS };

// The distance of a cell that was not reached, and the deficit of a table that is void.
#define ASTAR_FAR UINT32_C(0x7F7F7F7F)

// A distance that a repair lowered, and what it was.
typedef struct AstarMended {
    uint32_t cell, before;
} AstarMended;

// One finder's own. The layer is told of edits.
typedef struct AstarLandmarks {
    AstarLayer layer;
    AstarWalkable *walkable;
    AstarFootprints *footprints; // NULL: the ground is the grid's
    const AstarCornerRule *rule;
    const double *own_cost; // the finder's, which owns them: see there
    size_t own_count;
    double diagonal_cost;
    double scale; // whole numbers for each unit of cost; 0: they count lengths of steps, whatever
                  // the ground, and one table tells both ways
    uint32_t straight, diagonal;            // then
    uint64_t palette_version;               // of the grid, when these were worked out:
    uint32_t weight[2][ASTAR_MAX_TERRAINS]; // what steps into a terrain cost, straight, diagonal;
                                            // rounded down
    int32_t tables, capacity;               // in use, and all
    size_t cell_step, table_step;           // from one distance to that of the next cell, table
    uint32_t *distances;
    uint32_t deficit[ASTAR_MOST_TABLES]; // so much farther than by the table a way may lead
    uint32_t few;                        // distances of a table an edit may lower, a power of two
    AstarMended *mended;                 // by the repair under way: room for twice as many
    uint32_t *changed; // a ring of 8 times as many: the cells whose distances changed last
    uint64_t changes;  // how many ever did
} AstarLandmarks;

// What a finder wants measured. 'cost': of each terrain, INFINITY: closed.
typedef struct AstarLandmarkPlan {
    AstarWalkable *walkable;
    AstarFootprints *footprints;
    const AstarCornerRule *rule;
    const double *cost, *own_cost;
    size_t own_count;
    double diagonal_cost;
    bool is_whole;               // count lengths of steps:
    uint32_t straight, diagonal; // so many whole numbers each
    int count;                   // of landmarks
} AstarLandmarkPlan;

// Works out what steps cost anew; true where one into ground that is there became cheaper.
bool astar_landmarks_weigh(const AstarGrid *grid, AstarLandmarks *landmarks);
// Brings what steps cost up to date with the palette; where any became cheaper, nothing holds.
void astar_landmarks_reprice(const AstarGrid *grid, void *layer);
// Whether a finder that reads these layers can go by them.
static inline bool astar_landmarks_fit(const AstarLandmarks *landmarks,
                                       const AstarWalkable *walkable,
                                       const AstarFootprints *footprints)
{
    return landmarks->walkable == walkable &&
           (landmarks->scale == 0 || landmarks->footprints == footprints);
}

// Whether any of them still tells something.
static inline bool astar_landmarks_hold(const AstarLandmarks *landmarks)
{
    bool holds = false;
    for (int i = 0; landmarks != NULL && i < landmarks->tables; i++)
        holds |= landmarks->deficit[i] < ASTAR_FAR;
    return holds;
}

// How many of the latest changes are remembered.
static inline uint32_t astar_landmarks_memory(const AstarLandmarks *landmarks)
{
    return 8 * landmarks->few;
}

static inline uint32_t astar_landmarks_change(const AstarLandmarks *landmarks, uint64_t change)
{
    return landmarks->changed[change & (astar_landmarks_memory(landmarks) - 1)];
}

static inline size_t astar_landmarks_bytes(const AstarLandmarks *landmarks, const AstarGrid *grid)
{
    return landmarks == NULL
               ? 0
               : grid->cells * (size_t)landmarks->capacity * sizeof *landmarks->distances;
}

// The distance of a cell in a table.
static inline uint32_t *astar_landmark_distance(const AstarLandmarks *landmarks, uint32_t cell,
                                                int table)
{
    return landmarks->distances + (size_t)cell * landmarks->cell_step +
           (size_t)table * landmarks->table_step;
}

// ---- estimates ----

// What a cell's distances are compared with for one goal: less than 'low', or more than 'high', by
// so much it lies away. Tables that tell only one of the two have the other out of reach.
typedef struct AstarLandmarkBounds {
    int32_t low[ASTAR_MOST_TABLES], high[ASTAR_MOST_TABLES];
} AstarLandmarkBounds;

AstarLandmarkBounds astar_landmarks_bounds(const AstarLandmarks *landmarks, uint32_t goal);

// No more than the cost from a cell to the goal, in whole numbers, by 'count' tables; those of the
// cell lie 'step' apart.
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

// ---- steps ----

static inline const uint8_t *astar_landmarks_ground(const AstarLandmarks *landmarks,
                                                    const AstarGrid *grid)
{
    return landmarks->footprints != NULL ? landmarks->footprints->ground : grid->ground;
}

// Whether a table tells the ways to its landmark.
static inline bool astar_table_is_back(const AstarLandmarks *landmarks, int table)
{
    return landmarks->scale > 0 && (table & 1) != 0;
}

// The directions of the steps out of a cell, into it where 'back'; both where one table tells both.
static inline unsigned astar_landmark_moves(const AstarLandmarks *landmarks, const AstarGrid *grid,
                                            int x, int y, bool back)
{
    unsigned free = astar_bits_around(&landmarks->walkable->bits, x, y);
    unsigned moves = astar_legal_moves_on(grid, landmarks->rule, x, y, free, back);
    if (landmarks->scale == 0 && astar_grid_has_walls(grid))
        moves |= astar_legal_moves_on(grid, landmarks->rule, x, y, free, !back);
    return moves;
}

// What a unit of cost of a terrain is to the finder.
double astar_landmark_price(const AstarGrid *grid, const AstarLandmarks *landmarks, int terrain);
// What a link counts: over lengths of steps nothing.
uint32_t astar_landmark_link(const AstarLandmarks *landmarks, double cost);

// ---- landmarks being measured, a part at a time, while the map may be edited ----

typedef struct AstarLandmarkMaking AstarLandmarkMaking;

AstarStatus astar_landmark_making_new(const AstarGrid *grid, AstarLandmarkMaking **out);
// NULL is fine.
void astar_landmark_making_free(AstarLandmarkMaking *making);
// Measures on the distances of 'plan->count' landmarks in the largest connected component, and what
// they gain, as the plan's layers, which are current, are now. ASTAR_RUNNING where the work is used
// up before; ASTAR_BAD_COST where distances do not fit whole numbers, and where there is no ground.
// Where costs, links or walls change meanwhile, it begins anew; after a few times, in one go.
AstarStatus astar_landmark_making_advance(AstarLandmarkMaking *making,
                                          const AstarLandmarkPlan *plan, int64_t *work);
// The landmarks that are done, once, good for the map as it is.
AstarLandmarks *astar_landmark_making_take(AstarLandmarkMaking *making);
// About how many times fewer cells a search expands with them.
double astar_landmark_making_gain(const AstarLandmarkMaking *making);

// ---- landmarks as a layer of their grid, and those of copies of it ----

// Landmarks without any table yet, of so many whole numbers for each unit of cost; NULL without
// memory.
AstarLandmarks *astar_landmarks_new(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                    double scale);
// Makes those of an equal copy of the grid, NULL at first, what these are: of the same landmarks
// always, and read by nobody. After ASTAR_NO_MEMORY they are NULL.
AstarStatus astar_landmarks_follow(const AstarGrid *replica, const AstarLandmarks *from,
                                   AstarLandmarks **copy);
// Makes landmarks of what a finder of the grid wants of those of a copy of it, which the grid's
// edits since are made up for; '*out' is NULL where those are not known, or costs, links or walls
// changed.
AstarStatus astar_landmarks_copy(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                 const AstarGrid *replica, const AstarLandmarks *from,
                                 AstarLandmarks **out);

// ---- keeps the distances of landmarks good while the map is edited ----

// What an edit does to one table; how many of its distances were lowered, if only to see that they
// are too many.
int64_t astar_landmarks_repair_table(const AstarGrid *grid, AstarLandmarks *landmarks,
                                     const AstarEdit *edit, int table);
// The same of all tables; of the layer.
void astar_landmarks_repair(const AstarGrid *grid, void *landmarks, const AstarEdit *edit);

// Whether no step and no link leads farther by a table than it costs: nothing of it is to be
// mended.
bool astar_landmarks_table_is_good(const AstarGrid *grid, AstarLandmarks *landmarks, int table);

// ---- landmarks as bytes ----

// Whether a table is left of which no edit has made more than can be made up for.
bool astar_landmarks_can_be_saved(const AstarLandmarks *landmarks);
// Saves those as the map is now.
void astar_landmarks_save(const AstarGrid *grid, const AstarLandmarks *landmarks,
                          AstarArchive *archive);
// The landmarks that are saved behind a head that fits the map, of a plan but for how many there
// are and what they count: an estimate by them is never too high, whatever the bytes are.
// ASTAR_BAD_DATA, and why, where one could be.
AstarStatus astar_landmarks_load(const AstarGrid *grid, AstarLandmarkPlan *plan,
                                 AstarArchive *archive, const char **why, AstarLandmarks **out);

// ------------------------------------------------------------------------------------------------
// The distances of all cells from one, or to it, a part at a time.
//
// Edits in between leave distances that fit the map as it was or as it is, each cell's own way:
// where a step became possible or cheaper since, they are to be repaired.
// ------------------------------------------------------------------------------------------------

typedef struct AstarSweep {
    const AstarGrid *grid; // NULL: there is nothing to end
    const AstarLandmarks *landmarks;
    const uint8_t *ground;
    uint32_t least[2], most; // of the weights that are there: straight and diagonal steps; all
    uint32_t from;           // where it began
    bool back;               // it measures the ways to that cell
    bool is_open;            // it has begun to spread
    size_t cleared;          // of the last one's distances
    uint32_t *distances;     // of every cell, ASTAR_FAR: not reached
    AstarBucketQueue open;
} AstarSweep;

// Takes memory for sweeps over a map whose costs and links stay as they are.
AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks);
// Begins a sweep.
void astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back);
// Goes on; ASTAR_RUNNING where the work is used up before all is reached, ASTAR_BAD_COST where
// distances do not fit.
AstarStatus astar_sweep_advance(AstarSweep *sweep, int64_t *work);
void astar_sweep_end(AstarSweep *sweep);

// ---- what landmarks gain, by a sample of questions that nobody has to search for ----

enum { ASTAR_GAIN_CELLS = 1024 };

// Begins as zeros.
typedef struct AstarLandmarkGain {
    uint32_t cells[ASTAR_GAIN_CELLS]; // the sample
    int count;
    int pass;             // over the map, that gathers it,
    size_t cell;          // which has come to this one
    uint64_t total, seen; // of cells that could be in it
    int start, goal;      // of the questions, the one looked at
    uint64_t expanded[2]; // half cells: by the estimate without landmarks, and with them
} AstarLandmarkGain;

// Goes on by sweeps over what their landmarks were measured of; ASTAR_RUNNING where the work is
// used up before. ASTAR_NO_MEMORY, or ASTAR_BAD_COST: it ends early.
AstarStatus astar_landmark_gain_advance(AstarLandmarkGain *gain, AstarSweep *sweep, int64_t *work);
// About how many times fewer cells a search expands with the landmarks.
double astar_landmark_gain_of(const AstarLandmarkGain *gain);

#endif
