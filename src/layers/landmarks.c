// landmarks.c -- Landmarks: the distances of all cells from a few cells far apart, for better
// estimates.
//
// Distances are integers. The cost of each single step is rounded down, so that the sum over a
// route never exceeds the cost of the route, and the estimate never falls by more than a step
// costs.

#include "layers/landmarks.h"

#include "base/array.h"
#include "base/directions.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t MOST_WEIGHT = UINT32_C(1) << 30;

// The following functions compute the costs of steps.

// Converts a cost to an integer. A cost is lowered a little before it is rounded down, because the
// finder rounds costs to multiples of its unit of cost, which may make a cost smaller by 2^-32 of
// the cost. Costs that are multiples already are converted exactly.
static uint32_t weigh(const AstarLandmarks *landmarks, double cost)
{
    double exact = cost * landmarks->scale, whole = floor(exact);
    if (whole != exact)
        whole = floor(exact * (1 - 0x1p-31));
    return whole < MOST_WEIGHT ? (uint32_t)whole : MOST_WEIGHT;
}

uint32_t astar_landmark_link(const AstarLandmarks *landmarks, double cost)
{
    return landmarks->scale == 0 ? 0 : weigh(landmarks, cost);
}

double astar_landmark_price(const AstarGrid *grid, const AstarLandmarks *landmarks, int terrain)
{
    double own = (size_t)terrain < landmarks->own_count ? landmarks->own_cost[terrain]
                                                        : (double)NAN;
    return isnan(own) ? grid->terrains.prices[terrain].cost : own;
}

bool astar_landmarks_weigh(const AstarGrid *grid, AstarLandmarks *landmarks)
{
    bool is_cheaper = false;
    landmarks->palette_version = grid->palette_version;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        double price = i < grid->terrains.count ? astar_landmark_price(grid, landmarks, i)
                                                : (double)INFINITY;
        uint32_t straight = landmarks->straight, diagonal = landmarks->diagonal;
        if (landmarks->scale > 0) {
            straight = weigh(landmarks, price);
            diagonal = weigh(landmarks, price * landmarks->diagonal_cost);
        }
        is_cheaper |= straight < landmarks->weight[0][i] && i < grid->terrains.count &&
                      grid->terrains.present[i] > 0;
        landmarks->weight[0][i] = straight;
        landmarks->weight[1][i] = diagonal;
    }
    return is_cheaper;
}

void astar_landmarks_reprice(const AstarGrid *grid, void *layer)
{
    AstarLandmarks *landmarks = layer;
    if (landmarks->palette_version == grid->palette_version || landmarks->scale == 0)
        return;
    if (astar_landmarks_weigh(grid, landmarks))
        for (int i = 0; i < landmarks->tables; i++)
            landmarks->deficit[i] = ASTAR_FAR;
}

AstarLandmarkBounds astar_landmarks_bounds(const AstarLandmarks *landmarks, uint32_t goal)
{
    AstarLandmarkBounds bounds;
    for (int i = 0; i < ASTAR_MOST_TABLES; i++) {
        bounds.low[i] = 0;
        bounds.high[i] = INT32_MAX;
        if (i >= landmarks->tables || *astar_landmark_distance(landmarks, goal, i) == ASTAR_FAR)
            continue;
        int64_t here = *astar_landmark_distance(landmarks, goal, i);
        int64_t deficit = landmarks->deficit[i];
        bool is_one_way = landmarks->scale > 0, is_back = astar_table_is_back(landmarks, i);
        if (!is_back && here > deficit)
            bounds.low[i] = (int32_t)(here - deficit);
        if ((!is_one_way || is_back) && here + deficit < INT32_MAX)
            bounds.high[i] = (int32_t)(here + deficit);
    }
    return bounds;
}

// The following definitions make landmarks a layer of a grid, and copy landmarks for snapshots.

// Maximum number of distances that an edit may lower in a table: 1 / SHARE_OF_FEW of the map,
// within these bounds.
enum { LEAST_FEW = 64, SHARE_OF_FEW = 64, MOST_FEW = 4096 };

static bool is_another(const void *layer, const void *key)
{
    (void)layer;
    (void)key;
    return false;
}

static bool open_landmarks(const AstarGrid *grid, void *layer)
{
    AstarLandmarks *landmarks = layer;
    const AstarAllocator *allocator = &grid->allocator;
    landmarks->walkable->layer.references++;
    if (landmarks->footprints != NULL)
        landmarks->footprints->layer.references++;
    landmarks->distances = astar_alloc(allocator, grid->cells,
                                       (size_t)landmarks->capacity * sizeof *landmarks->distances);
    landmarks->mended = astar_alloc(allocator, 2 * landmarks->few, sizeof *landmarks->mended);
    landmarks->changed = astar_alloc(allocator, astar_landmarks_memory(landmarks),
                                     sizeof *landmarks->changed);
    return landmarks->distances != NULL && landmarks->mended != NULL && landmarks->changed != NULL;
}

static void close_landmarks(const AstarGrid *grid, void *layer)
{
    AstarLandmarks *landmarks = layer;
    const AstarAllocator *allocator = &grid->allocator;
    astar_release(allocator, landmarks->distances, grid->cells,
                  (size_t)landmarks->capacity * sizeof *landmarks->distances);
    astar_release(allocator, landmarks->mended, 2 * landmarks->few, sizeof *landmarks->mended);
    astar_release(allocator, landmarks->changed, astar_landmarks_memory(landmarks),
                  sizeof *landmarks->changed);
    astar_layer_drop(grid, landmarks->walkable);
    astar_layer_drop(grid, landmarks->footprints);
}

static size_t landmarks_bytes(const AstarGrid *grid, const void *layer)
{
    const AstarLandmarks *landmarks = layer;
    return astar_landmarks_bytes(landmarks, grid) + 2 * landmarks->few * sizeof *landmarks->mended +
           astar_landmarks_memory(landmarks) * sizeof *landmarks->changed;
}

// Landmarks are measured before they are published, so this kind of layer is never built.
ASTAR_LAYER_KIND(landmarks_kind, AstarLandmarks, ASTAR_LANDMARKS, 0, is_another, open_landmarks,
                 close_landmarks, landmarks_bytes, NULL, NULL, astar_landmarks_repair,
                 astar_landmarks_reprice, NULL);

// The kind of layer for the landmarks of a snapshot. Only astar_landmarks_follow changes such a
// layer.
ASTAR_LAYER_KIND(copied_kind, AstarLandmarks, ASTAR_LANDMARKS, 0, is_another, open_landmarks,
                 close_landmarks, landmarks_bytes, NULL, NULL, NULL, NULL, NULL);

// The following functions copy landmarks to a snapshot of the grid.

// Acquires the layer of a snapshot that corresponds to a layer of the grid: to 'footprints' if it
// is not NULL, else to 'walkable'. Returns NULL if memory runs out.
static void *acquire_like(const AstarGrid *snapshot, const AstarWalkable *walkable,
                          const AstarFootprints *footprints)
{
    if (footprints != NULL) {
        AstarFootprints key = *footprints;
        key.layer = (AstarLayer){.kind = key.layer.kind, .ignored = key.layer.ignored};
        return astar_layer_acquire(snapshot, &key);
    }
    AstarWalkable key = {
        .layer = {.kind = walkable->layer.kind, .ignored = walkable->layer.ignored},
        .enterable = walkable->enterable,
        .body = walkable->body};
    return astar_layer_acquire(snapshot, &key);
}

ASTAR_COLD static AstarStatus new_copy(const AstarGrid *snapshot, const AstarLandmarks *from,
                                       AstarLandmarks **out)
{
    AstarLandmarks key = *from;
    key.layer = (AstarLayer){.kind = &copied_kind, .ignored = from->layer.ignored};
    key.few = 1; // a copy is never repaired
    key.distances = NULL;
    key.mended = NULL;
    key.changed = NULL;
    key.walkable = acquire_like(snapshot, from->walkable, NULL);
    if (key.walkable != NULL && from->footprints != NULL)
        key.footprints = acquire_like(snapshot, NULL, from->footprints);
    bool is_whole = key.walkable != NULL && (from->footprints == NULL || key.footprints != NULL);
    *out = is_whole ? astar_layer_acquire(snapshot, &key) : NULL;
    if (is_whole)
        astar_layer_release(snapshot, key.footprints);
    astar_layer_release(snapshot, key.walkable);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void copy_distances(const AstarGrid *grid, const AstarLandmarks *from, AstarLandmarks *copy)
{
    if (from->changes - copy->changes > astar_landmarks_memory(from)) {
        memcpy(copy->distances, from->distances, astar_landmarks_bytes(from, grid));
        return;
    }
    for (uint64_t i = copy->changes; i != from->changes; i++)
        for (int table = 0; table < from->tables; table++) {
            uint32_t cell = astar_landmarks_change(from, i);
            *astar_landmark_distance(copy, cell, table) = *astar_landmark_distance(from, cell,
                                                                                   table);
        }
}

ASTAR_COLD AstarStatus astar_landmarks_follow(const AstarGrid *snapshot, const AstarLandmarks *from,
                                              AstarLandmarks **copy)
{
    if (*copy == NULL) {
        AstarStatus status = new_copy(snapshot, from, copy);
        if (status != ASTAR_OK)
            return status;
        memcpy((*copy)->distances, from->distances, astar_landmarks_bytes(from, snapshot));
        astar_put(&(*copy)->layer.stale, false);
    } else {
        copy_distances(snapshot, from, *copy);
    }
    memcpy((*copy)->deficit, from->deficit, sizeof from->deficit);
    memcpy((*copy)->weight, from->weight, sizeof from->weight);
    (*copy)->palette_version = from->palette_version;
    (*copy)->changes = from->changes;
    return ASTAR_OK;
}

// The following functions create and copy landmarks.

ASTAR_COLD AstarLandmarks *astar_landmarks_new(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                               double scale)
{
    int tables = plan->is_whole ? plan->count : 2 * plan->count, capacity = (tables + 3) / 4 * 4;
    AstarLandmarks key = {
        .layer = {.kind = &landmarks_kind, .ignored = plan->walkable->layer.ignored},
        .walkable = plan->walkable,
        .footprints = plan->footprints,
        .rule = plan->rule,
        .own_cost = plan->own_cost,
        .own_count = plan->own_count,
        .diagonal_cost = plan->diagonal_cost,
        .scale = scale,
        .straight = plan->straight,
        .diagonal = plan->diagonal,
        .capacity = capacity,
        .cell_step = plan->is_whole ? (size_t)capacity : 1,
        .table_step = plan->is_whole ? 1 : grid->cells};
    astar_landmarks_weigh(grid, &key);
    key.few = LEAST_FEW;
    while (key.few < MOST_FEW && key.few < grid->cells / SHARE_OF_FEW)
        key.few *= 2;
    return astar_layer_acquire(grid, &key);
}

ASTAR_COLD AstarStatus astar_landmarks_copy(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                            const AstarGrid *snapshot, const AstarLandmarks *from,
                                            AstarLandmarks **out)
{
    uint64_t version = snapshot->version;
    *out = NULL;
    if (grid->palette_version != snapshot->palette_version ||
        grid->links_and_walls_version != snapshot->links_and_walls_version ||
        !astar_knows_edits_since(grid, from->layer.ignored, version))
        return ASTAR_OK;
    AstarLandmarks *landmarks = astar_landmarks_new(grid, plan, from->scale);
    if (landmarks == NULL)
        return ASTAR_NO_MEMORY;
    int64_t work = ASTAR_ALL_WORK;
    landmarks->tables = from->tables;
    memcpy(landmarks->distances, from->distances, astar_landmarks_bytes(from, grid));
    memcpy(landmarks->deficit, from->deficit, sizeof from->deficit);
    AstarEditsSince edits = astar_edits_since(grid, from->layer.ignored, version);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            astar_landmarks_repair(grid, landmarks, edit);
    AstarStatus status = astar_layer_advance(grid, landmarks, &work);
    if (status == ASTAR_OK)
        *out = landmarks;
    else
        astar_layer_release(grid, landmarks);
    return status;
}

// Choosing and measuring landmarks while the map may be edited.
//
// The first landmark is the cell farthest from some cell of the largest component. Each further
// landmark is the cell farthest from all landmarks before it. (The authors of the differential
// heuristic, see landmarks.h, found no much better method.)
//
// A sweep reads each part of the map at the time when it reaches that part. If a step behind the
// sweep becomes possible or cheaper, the distance may increase by more than the step costs. Edits
// made meanwhile are therefore logged, and the tables are repaired at the end as after any edit.

enum {
    LEAST_WEIGHT = 4096, // initial integer cost of the cheapest step
    TRIES =
        3, // maximum number of attempts; each one has a sixteenth of the scale of the previous one
    // Maximum number of restarts after edits. If edits cause more restarts, the landmarks would be
    // outdated when they are finished.
    RESTARTS = 8,
    WORK_OF_REPAIR = 64, // least work of repairing the tables after an edit
    PART_OF_EDIT = 16,   // side, in cells, of the parts in which an edit is repaired
    MOST_IN_PARTS = 1 << 14
};

typedef enum MakingPhase {
    MAKE_LARGEST, // finds a cell of the largest component
    MAKE_FIRST,   // measures the distances from that cell
    MAKE_CHOICE,  // chooses the next landmark
    MAKE_TABLE,   // measures the distances of the landmark
    MAKE_TAKING,  // copies these distances into the next table
    MAKE_GAIN,
    MAKE_REPAIR,
    MAKE_DONE
} MakingPhase;

struct AstarLandmarkMaking {
    const AstarGrid *grid;
    AstarLandmarks *landmarks; // retained; NULL: measuring has not begun
    AstarSweep sweep;
    MakingPhase phase;
    int row;         // number of rows of the map that the phase has finished
    uint32_t *sizes; // number of cells of each component, by label
    // Number of entries of 'sizes'.
    size_t labels;
    uint32_t largest;      // number of cells of the largest component so far
    uint32_t first;        // a cell of the largest component; UINT32_MAX: no cell is walkable
    uint32_t chosen, most; // farthest cell found so far; its distance from the nearest landmark
    bool back;             // true if the present table holds distances to the landmark
    double scale;
    int tries, restarts;
    AstarLandmarkGain gain;
    AstarEdit *edits; // edits made since measuring began
    size_t edit_count, edit_capacity, repaired;
    int table; // next table to repair after edit number 'repaired'
    // Versions of the grid at the time when its edits were last examined.
    uint64_t version, palette_version, links_and_walls_version;
};

// The following functions manage the memory of a measurement.

AstarStatus astar_landmark_making_new(const AstarGrid *grid, AstarLandmarkMaking **out)
{
    AstarLandmarkMaking *made = astar_alloc(&grid->allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->grid = grid;
    *out = made;
    return ASTAR_OK;
}

static void drop_sizes(AstarLandmarkMaking *making)
{
    astar_release(&making->grid->allocator, making->sizes, making->labels, sizeof *making->sizes);
    making->sizes = NULL;
}

static void drop_landmarks(AstarLandmarkMaking *making)
{
    astar_sweep_end(&making->sweep);
    astar_layer_release(making->grid, making->landmarks);
    making->landmarks = NULL;
}

void astar_landmark_making_free(AstarLandmarkMaking *making)
{
    if (making == NULL)
        return;
    const AstarAllocator *allocator = &making->grid->allocator;
    drop_sizes(making);
    drop_landmarks(making);
    astar_release(allocator, making->edits, making->edit_capacity, sizeof *making->edits);
    astar_release(allocator, making, 1, sizeof *making);
}

// The following functions choose landmarks.

static void enter_phase(AstarLandmarkMaking *making, MakingPhase phase)
{
    making->phase = phase;
    making->row = 0;
}

static AstarStatus open_sizes(AstarLandmarkMaking *making, const AstarComponents *components)
{
    making->labels = components->label_count + 1;
    making->sizes = astar_alloc(&making->grid->allocator, making->labels, sizeof *making->sizes);
    making->largest = 0;
    making->first = UINT32_MAX;
    return making->sizes != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Counts the cells of a row by component. An edit during the count may change the label of a
// component. A cell of another component may then be chosen, which does no harm.
static void count_row(AstarLandmarkMaking *making, const AstarWalkable *walkable,
                      const AstarComponents *components)
{
    int y = making->row;
    for (int x = 0; x < making->grid->width; x++) {
        if (!astar_bits_get(&walkable->bits, x, y))
            continue;
        uint32_t label = astar_components_label(components, x, y);
        if (label < making->labels && ++making->sizes[label] > making->largest) {
            making->largest = making->sizes[label];
            making->first = astar_cell(making->grid, x, y);
        }
    }
}

static AstarStatus find_largest(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan,
                                int64_t *work)
{
    const AstarGrid *grid = making->grid;
    AstarComponents *components;
    AstarStatus status = astar_walkable_advance_components(grid, plan->walkable,
                                                           plan->rule->joins_corners, work);
    if (status == ASTAR_OK)
        status = astar_walkable_components(grid, plan->walkable, plan->rule->joins_corners,
                                           &components);
    if (status == ASTAR_OK && making->sizes == NULL)
        status = open_sizes(making, components);
    for (; status == ASTAR_OK && making->row < grid->height; making->row++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        count_row(making, plan->walkable, components);
        *work -= grid->width;
    }
    if (status != ASTAR_OK)
        return status;
    drop_sizes(making);
    enter_phase(making, MAKE_FIRST);
    return making->first != UINT32_MAX ? ASTAR_OK : ASTAR_BAD_COST;
}

// Returns the scale from costs to integers: a power of two, so that the conversion back is exact.
static double scale_for(const AstarGrid *grid, const AstarLandmarkPlan *plan)
{
    double least = INFINITY;
    for (int i = 0; i < grid->terrains.count; i++)
        if (grid->terrains.present[i] > 0)
            least = fmin(least, plan->cost[i]);
    int exponent;
    frexp(isfinite(least) ? least : 1, &exponent);
    return ldexp(LEAST_WEIGHT, 1 - exponent);
}

// Creates the tables, and starts the first sweep. The scale is computed at the first attempt.
static AstarStatus open_tables(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan)
{
    if (making->tries == 0)
        making->scale = plan->is_whole ? 0 : scale_for(making->grid, plan);
    making->landmarks = astar_landmarks_new(making->grid, plan, making->scale);
    if (making->landmarks == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_sweep_begin(&making->sweep, making->grid, making->landmarks);
    if (status == ASTAR_OK)
        astar_sweep_from(&making->sweep, making->first, false);
    return status;
}

static AstarStatus sweep_first(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan,
                               int64_t *work)
{
    AstarStatus status = making->landmarks == NULL ? open_tables(making, plan) : ASTAR_OK;
    if (status == ASTAR_OK)
        status = astar_sweep_advance(&making->sweep, work);
    if (status == ASTAR_OK)
        enter_phase(making, plan->count > 0 ? MAKE_CHOICE : MAKE_GAIN);
    return status;
}

// Finds the cell of a row that is farthest from all landmarks so far, or from the start of the
// sweep if there are no landmarks. Cells that the sweep has not reached are ignored.
static void choose_in_row(AstarLandmarkMaking *making)
{
    const AstarLandmarks *landmarks = making->landmarks;
    uint32_t first = astar_cell(making->grid, 0, making->row);
    for (uint32_t cell = first; cell < first + (uint32_t)making->grid->width; cell++) {
        uint32_t nearest = making->sweep.distances[cell];
        if (nearest == ASTAR_FAR)
            continue;
        for (int i = 0; i < landmarks->tables; i++) {
            uint32_t distance = *astar_landmark_distance(landmarks, cell, i);
            nearest = distance < nearest ? distance : nearest;
        }
        if (nearest >= making->most) {
            making->most = nearest;
            making->chosen = cell;
        }
    }
}

static AstarStatus choose_landmark(AstarLandmarkMaking *making, int64_t *work)
{
    if (making->row == 0)
        making->chosen = making->most = 0;
    for (; making->row < making->grid->height; making->row++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        choose_in_row(making);
        *work -= making->grid->width;
    }
    making->back = false;
    astar_sweep_from(&making->sweep, making->chosen, false);
    enter_phase(making, MAKE_TABLE);
    return ASTAR_OK;
}

// The following functions measure the tables of landmarks.

static AstarStatus sweep_table(AstarLandmarkMaking *making, int64_t *work)
{
    AstarStatus status = astar_sweep_advance(&making->sweep, work);
    if (status == ASTAR_OK)
        enter_phase(making, MAKE_TAKING);
    return status;
}

static void take_table_row(AstarLandmarkMaking *making)
{
    AstarLandmarks *landmarks = making->landmarks;
    uint32_t first = astar_cell(making->grid, 0, making->row);
    for (uint32_t cell = first; cell < first + (uint32_t)making->grid->width; cell++)
        *astar_landmark_distance(landmarks, cell,
                                 landmarks->tables) = making->sweep.distances[cell];
}

// Copies the distances of a finished sweep into the next table.
static AstarStatus take_distances(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan,
                                  int64_t *work)
{
    AstarLandmarks *landmarks = making->landmarks;
    for (; making->row < making->grid->height; making->row++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        take_table_row(making);
        *work -= making->grid->width;
    }
    landmarks->tables++;
    if (landmarks->scale > 0 && !making->back) {
        making->back = true;
        astar_sweep_from(&making->sweep, making->chosen, true);
        enter_phase(making, MAKE_TABLE);
    } else {
        int each = landmarks->scale > 0 ? 2 : 1;
        enter_phase(making, landmarks->tables < each * plan->count ? MAKE_CHOICE : MAKE_GAIN);
    }
    return ASTAR_OK;
}

static AstarStatus measure_landmark_gain(AstarLandmarkMaking *making, int64_t *work)
{
    AstarStatus status = astar_landmark_gain_advance(&making->gain, &making->sweep, work);
    if (status != ASTAR_OK && status != ASTAR_BAD_COST)
        return status;
    enter_phase(making, MAKE_REPAIR);
    return ASTAR_OK;
}

// The following functions handle edits during the measurement.

// Repairs the tables after all logged edits, and makes the landmarks available. Returns
// ASTAR_RUNNING when the work is used up first.
static AstarStatus make_up_for_edits(AstarLandmarkMaking *making, int64_t *work)
{
    AstarLandmarks *landmarks = making->landmarks;
    while (making->repaired < making->edit_count) {
        const AstarEdit *edit = &making->edits[making->repaired];
        if (making->table == landmarks->tables) {
            making->table = 0;
            making->repaired++;
            continue;
        }
        if (*work <= 0)
            return ASTAR_RUNNING;
        int64_t lowered = astar_landmarks_repair_table(making->grid, landmarks, edit,
                                                       making->table++);
        *work -= WORK_OF_REPAIR * (1 + lowered) + (int64_t)edit->width * edit->height;
    }
    int64_t all = ASTAR_ALL_WORK;
    enter_phase(making, MAKE_DONE);
    return astar_layer_advance(making->grid, landmarks, &all);
}

static AstarStatus note_part(AstarLandmarkMaking *making, const AstarEdit *edit)
{
    if (!ASTAR_RESERVE(&making->grid->allocator, making->edits, making->edit_count, 1,
                       &making->edit_capacity, 16))
        return ASTAR_NO_MEMORY;
    making->edits[making->edit_count++] = *edit;
    return ASTAR_OK;
}

// Logs an edit. Small edits are logged in parts, which are repaired one at a time.
static AstarStatus note_edit(AstarLandmarkMaking *making, const AstarEdit *edit)
{
    int right = edit->x + edit->width, below = edit->y + edit->height;
    AstarStatus status = ASTAR_OK;
    if ((int64_t)edit->width * edit->height > MOST_IN_PARTS)
        return note_part(making, edit);
    for (int y = edit->y; y < below; y += PART_OF_EDIT)
        for (int x = edit->x; x < right && status == ASTAR_OK; x += PART_OF_EDIT) {
            AstarEdit part = {x, y, right - x, below - y, edit->version};
            part.width = part.width < PART_OF_EDIT ? part.width : PART_OF_EDIT;
            part.height = part.height < PART_OF_EDIT ? part.height : PART_OF_EDIT;
            status = note_part(making, &part);
        }
    return status;
}

// Returns true if measuring can continue after the edits so far, because the plan, the costs, links
// and walls are unchanged. Edits of cells can be repaired.
static bool is_as_begun(const AstarLandmarkMaking *making, const AstarLandmarkPlan *plan)
{
    const AstarGrid *grid = making->grid;
    const AstarLandmarks *landmarks = making->landmarks;
    return astar_landmarks_fit(landmarks, plan->walkable, plan->footprints) &&
           (landmarks->scale == 0) == plan->is_whole &&
           making->palette_version == grid->palette_version &&
           making->links_and_walls_version == grid->links_and_walls_version &&
           astar_knows_edits_since(grid, landmarks->layer.ignored, making->version);
}

static void restart_measuring(AstarLandmarkMaking *making)
{
    drop_sizes(making);
    drop_landmarks(making);
    making->gain = (AstarLandmarkGain){.count = 0};
    making->edit_count = making->repaired = 0;
    making->table = making->tries = 0;
    making->restarts++;
    enter_phase(making, MAKE_LARGEST);
}

// Logs the edits since the last step, or restarts measuring if an edit cannot be repaired.
static AstarStatus look_at_edits(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan)
{
    const AstarGrid *grid = making->grid;
    AstarStatus status = ASTAR_OK;
    if (making->landmarks != NULL && !is_as_begun(making, plan)) {
        restart_measuring(making);
    } else if (making->landmarks != NULL && making->version != grid->version) {
        AstarEditsSince edits = astar_edits_since(grid, plan->walkable->layer.ignored,
                                                  making->version);
        for (const AstarEdit *edit; status == ASTAR_OK && (edit = astar_next_edit(&edits)) != NULL;)
            if (edit->width > 0)
                status = note_edit(making, edit);
    }
    making->version = grid->version;
    making->palette_version = grid->palette_version;
    making->links_and_walls_version = grid->links_and_walls_version;
    return status;
}

// The following functions run the phases of a measurement.

static AstarStatus make_on(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan,
                           int64_t *work)
{
    switch (making->phase) {
    case MAKE_LARGEST: return find_largest(making, plan, work);
    case MAKE_FIRST: return sweep_first(making, plan, work);
    case MAKE_CHOICE: return choose_landmark(making, work);
    case MAKE_TABLE: return sweep_table(making, work);
    case MAKE_TAKING: return take_distances(making, plan, work);
    case MAKE_GAIN: return measure_landmark_gain(making, work);
    default: return make_up_for_edits(making, work);
    }
}

// Restarts measuring with a smaller scale if distances did not fit into their integers. Returns
// true if the function has done so.
static bool may_try_again(AstarLandmarkMaking *making, AstarStatus status)
{
    if (status != ASTAR_BAD_COST || making->landmarks == NULL || making->scale == 0 ||
        ++making->tries == TRIES)
        return false;
    making->scale /= 16;
    drop_landmarks(making);
    making->edit_count = 0;
    enter_phase(making, MAKE_FIRST);
    return true;
}

ASTAR_COLD AstarStatus astar_landmark_making_advance(AstarLandmarkMaking *making,
                                                     const AstarLandmarkPlan *plan, int64_t *work)
{
    AstarStatus status = look_at_edits(making, plan);
    if (making->restarts > RESTARTS)
        return ASTAR_BAD_COST;
    while (status == ASTAR_OK && making->phase != MAKE_DONE) {
        status = *work > 0 ? make_on(making, plan, work) : ASTAR_RUNNING;
        if (may_try_again(making, status))
            status = ASTAR_OK;
    }
    return status;
}

AstarLandmarks *astar_landmark_making_take(AstarLandmarkMaking *making)
{
    AstarLandmarks *made = making->landmarks;
    making->landmarks = NULL;
    return made;
}

double astar_landmark_making_gain(const AstarLandmarkMaking *making)
{
    return astar_landmark_gain_of(&making->gain);
}

// Sweeps: the distances of all cells from one cell, or to it, computed in steps.
//
// The open list has buckets as wide as the cheapest step. No cell of a bucket can shorten the path
// to another cell of the same bucket, so the cells of a bucket are expanded in any order (E. Dinic,
// 1978). If costs differ very much, buckets are wider and some cells are expanded twice.

enum {
    MOST_BUCKETS = 2048, // maximum number of buckets that a step may span
    WORK_OF_ENTRY = 12,  // work of an entry in a bucket
    CLEARED = 1 << 14,   // number of cells that are cleared at a time
    CLEARED_A_CELL = 4   // number of cells that can be cleared in the time of handling one cell
};

static const uint32_t MOST_DISTANCE = UINT32_C(0x7F000000);

// The following functions expand cells of a sweep.

// Stores the distance of a cell if it is the least one found so far.
static AstarStatus reach_swept(AstarSweep *sweep, uint32_t cell, int x, int y, unsigned from,
                               uint32_t distance)
{
    if (distance >= sweep->distances[cell])
        return ASTAR_OK;
    if (distance > MOST_DISTANCE)
        return ASTAR_BAD_COST;
    sweep->distances[cell] = distance;
    return astar_bucket_queue_put(&sweep->open, &sweep->grid->allocator, astar_entry(x, y, from),
                                  distance);
}

static AstarStatus spread_over_links(AstarSweep *sweep, uint32_t cell)
{
    const AstarGrid *grid = sweep->grid;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArcs *arcs = sweep->back ? &links->back : &links->arcs;
    const AstarArc *arc;
    uint32_t i = sweep->back ? astar_arcs_first_to(links, cell)
                             : astar_arcs_first_from(links, cell);
    AstarStatus status = ASTAR_OK;
    for (; status == ASTAR_OK && (arc = astar_arc_at(arcs, i)) != NULL; i++) {
        uint32_t here = sweep->back ? arc->to : arc->from;
        uint32_t next = sweep->back ? arc->from : arc->to;
        if (here != cell)
            break;
        int x, y;
        astar_cell_xy(grid, next, &x, &y);
        if (astar_bits_get(&sweep->landmarks->walkable->bits, x, y))
            status = reach_swept(sweep, next, x, y, ASTAR_DIRECTIONS,
                                 sweep->distances[cell] +
                                     astar_landmark_link(sweep->landmarks, arc->cost));
    }
    return status;
}

static AstarStatus sweep_on_from(AstarSweep *sweep, uint64_t entry, uint32_t cell)
{
    const AstarLandmarks *landmarks = sweep->landmarks;
    const AstarGrid *grid = sweep->grid;
    int x = astar_entry_x(entry), y = astar_entry_y(entry);
    uint32_t distance = sweep->distances[cell];
    unsigned moves = astar_landmark_moves(landmarks, grid, x, y, sweep->back);
    AstarStatus status = ASTAR_OK;
    moves &= ~(1u << (astar_entry_from(entry) ^ 4)); // no step leads back to the previous cell
    for (; moves != 0 && status == ASTAR_OK; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        uint8_t entered = sweep->ground[sweep->back ? cell : next];
        uint32_t way = distance + landmarks->weight[d & 1][entered];
        if (way < sweep->distances[next])
            status = reach_swept(sweep, next, x + astar_dx[d], y + astar_dy[d], (unsigned)d, way);
    }
    if (status == ASTAR_OK && astar_grid_has_links(grid) &&
        astar_bits_get(&grid->links_and_walls->ends, x, y))
        status = spread_over_links(sweep, cell);
    return status;
}

// Expands the current bucket, including entries that are added meanwhile. Returns ASTAR_RUNNING
// when the work is used up before the bucket is empty.
static AstarStatus spread_bucket(AstarSweep *sweep, int64_t *work)
{
    AstarBucketQueue *open = &sweep->open;
    const AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    AstarStatus status = ASTAR_OK;
    for (; open->position<bucket->count && * work> 0 && status == ASTAR_OK; open->position++) {
        uint64_t entry = bucket->entries[open->position];
        int x = astar_entry_x(entry), y = astar_entry_y(entry);
        uint32_t cell = astar_cell(sweep->grid, x, y);
        *work -= WORK_OF_ENTRY;
        if (astar_bucket_of(open, sweep->distances[cell]) == open->current &&
            // The cell may have been blocked since the entry was added.
            astar_bits_get(&sweep->landmarks->walkable->bits, x, y))
            status = sweep_on_from(sweep, entry, cell);
    }
    if (status == ASTAR_OK && open->position == bucket->count)
        status = astar_bucket_queue_advance(open, &sweep->grid->allocator, NULL, NULL);
    return status;
}

// The following functions run a sweep.

AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks)
{
    *sweep = (AstarSweep){.grid = grid, .landmarks = landmarks, .least = {UINT32_MAX, UINT32_MAX}};
    for (int i = 0; i < grid->terrains.count; i++)
        for (int j = 0; j < 2 && grid->terrains.present[i] > 0; j++) {
            uint32_t weight = landmarks->weight[j][i];
            if (landmarks->scale > 0 && isinf(astar_landmark_price(grid, landmarks, i)))
                continue;
            sweep->least[j] = weight < sweep->least[j] ? weight : sweep->least[j];
            sweep->most = weight > sweep->most ? weight : sweep->most;
        }
    if (astar_grid_has_links(grid)) {
        const AstarArcs *arcs = &grid->links_and_walls->arcs;
        for (uint32_t i = 0; i < arcs->count; i++) {
            uint32_t weight = astar_landmark_link(landmarks, astar_arc_at(arcs, i)->cost);
            sweep->most = weight > sweep->most ? weight : sweep->most;
        }
    }
    sweep->distances = astar_alloc(&grid->allocator, grid->cells, sizeof *sweep->distances);
    return sweep->distances != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

void astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back)
{
    sweep->from = cell;
    sweep->back = back;
    sweep->cleared = 0;
    sweep->is_open = false;
}

// Clears the distances of the previous sweep. Returns false when the work is used up first.
static bool clear_distances(AstarSweep *sweep, int64_t *work)
{
    size_t cells = sweep->grid->cells;
    while (sweep->cleared<cells && * work> 0) {
        size_t left = cells - sweep->cleared, count = left < CLEARED ? left : CLEARED;
        memset(sweep->distances + sweep->cleared, ASTAR_FAR & 0xFF,
               count * sizeof *sweep->distances);
        sweep->cleared += count;
        *work -= (int64_t)(count / CLEARED_A_CELL) + 1;
    }
    return sweep->cleared == cells;
}

static AstarStatus open_sweep(AstarSweep *sweep)
{
    double width = fmax(fmax(sweep->least[0], 1), (double)sweep->most / MOST_BUCKETS);
    int x, y;
    astar_cell_xy(sweep->grid, sweep->from, &x, &y);
    AstarStatus status = astar_bucket_queue_begin(&sweep->open, &sweep->grid->allocator, 0, width,
                                                  sweep->most / width);
    if (status == ASTAR_OK)
        status = reach_swept(sweep, sweep->from, x, y, ASTAR_DIRECTIONS, 0);
    sweep->is_open = status == ASTAR_OK;
    return status;
}

AstarStatus astar_sweep_advance(AstarSweep *sweep, int64_t *work)
{
    sweep->ground = astar_landmarks_ground(sweep->landmarks, sweep->grid);
    if (!clear_distances(sweep, work))
        return ASTAR_RUNNING;
    AstarStatus status = sweep->is_open ? ASTAR_OK : open_sweep(sweep);
    while (status == ASTAR_OK && !astar_bucket_queue_are_empty(&sweep->open))
        status = *work > 0 ? spread_bucket(sweep, work) : ASTAR_RUNNING;
    return status;
}

void astar_sweep_end(AstarSweep *sweep)
{
    if (sweep->grid == NULL)
        return;
    const AstarAllocator *allocator = &sweep->grid->allocator;
    astar_release(allocator, sweep->distances, sweep->grid->cells, sizeof *sweep->distances);
    astar_bucket_queue_free(&sweep->open, allocator);
    *sweep = (AstarSweep){.grid = NULL};
}

// Repairs after edits.
//
// A table is valid while no step increases the distance by more than it costs: distance(v) <=
// distance(u) + cost(u, v). An edit that blocks cells or makes them costlier keeps the table valid.
// After any other edit the steps around the edited cells are examined. Distances that these steps
// shorten are lowered, and then the distances of cells around those, cell by cell. Usually few
// cells change. Distances are never raised again, so an estimate may become weaker but never wrong.
//
// An edit of a cell through which many paths lead may shorten thousands of distances. In that case
// the table is left unchanged, and its deficit is raised by the amount by which the steps around
// the edit break the rule. A route makes at most one step out of each cell and one step into it, so
// its cost can fall by at most the sum of the worst steps. From then on estimates by this table are
// reduced by its deficit.
//
// An edit repairs the tables immediately and with limited work. The contents of the tables thus
// depend only on the edits, not on when queries are made.

enum { LARGEST_AREA = 1 << 16 }; // number of cells of the largest edit that is repaired

// The state of the repair of one table.
typedef struct Repair {
    const AstarGrid *grid;
    AstarLandmarks *landmarks;
    const uint8_t *ground;
    AstarEdit area; // rectangle of the edited cells and their neighbours
    int table;
    bool back;
    bool only_new;        // true: only cells that had no distance before get one
    uint32_t count, most; // number of distances lowered; maximum number
} Repair;

static uint32_t *repaired_distance(const Repair *repair, uint32_t cell)
{
    return astar_landmark_distance(repair->landmarks, cell, repair->table);
}

// The following functions lower distances.

// Lowers the distance of a cell, if 'distance' is less than the present one. Returns false if the
// limit 'most' is reached.
static bool lower(Repair *repair, uint32_t cell, uint32_t distance)
{
    uint32_t *place = repaired_distance(repair, cell);
    if (distance >= *place || (repair->only_new && *place != ASTAR_FAR))
        return true;
    if (repair->count == repair->most)
        return false;
    repair->landmarks->mended[repair->count++] = (AstarMended){cell, *place};
    *place = distance;
    return true;
}

// Lowers the distance of a link's end by the distance of its other end. The other end may lie
// outside the area, so both ends are checked.
ASTAR_COLD static bool lower_by_arc(Repair *repair, const AstarArc *arc, bool back)
{
    const AstarBits *bits = &repair->landmarks->walkable->bits;
    uint32_t from = back ? arc->to : arc->from, to = back ? arc->from : arc->to;
    int x, y, to_x, to_y;
    astar_cell_xy(repair->grid, from, &x, &y);
    astar_cell_xy(repair->grid, to, &to_x, &to_y);
    if (!astar_bits_get(bits, x, y) || !astar_bits_get(bits, to_x, to_y) ||
        *repaired_distance(repair, from) == ASTAR_FAR)
        return true;
    return lower(repair, to,
                 *repaired_distance(repair, from) +
                     astar_landmark_link(repair->landmarks, arc->cost));
}

// Lowers distances along the links of a cell. If one table serves both directions, each link is
// followed in both directions. Returns false if the limit is reached.
ASTAR_COLD static bool lower_over_links(Repair *repair, uint32_t cell)
{
    const AstarLinksAndWalls *links = repair->grid->links_and_walls;
    bool is_both = repair->landmarks->scale == 0, enough = true;
    for (int into = 0; into < 2; into++) {
        const AstarArcs *arcs = into ? &links->back : &links->arcs;
        const AstarArc *arc;
        uint32_t i = into ? astar_arcs_first_to(links, cell) : astar_arcs_first_from(links, cell);
        for (; enough && (arc = astar_arc_at(arcs, i)) != NULL; i++) {
            if ((into ? arc->to : arc->from) != cell)
                break;
            enough = lower_by_arc(repair, arc, repair->back) &&
                     (!is_both || lower_by_arc(repair, arc, true));
        }
    }
    return enough;
}

static bool is_link_end(const AstarGrid *grid, int x, int y)
{
    return astar_grid_has_links(grid) && astar_bits_get(&grid->links_and_walls->ends, x, y);
}

static uint32_t weight_into(const Repair *repair, int direction, uint32_t entered)
{
    return repair->landmarks->weight[direction & 1][repair->ground[entered]];
}

// Lowers the distances that the steps out of a cell shorten. For a table of distances to the
// landmark these are the steps into the cell. Returns false if the limit is reached.
ASTAR_COLD static bool lower_around(Repair *repair, int x, int y)
{
    const AstarGrid *grid = repair->grid;
    uint32_t cell = astar_cell(grid, x, y), distance = *repaired_distance(repair, cell);
    if (distance == ASTAR_FAR)
        return !is_link_end(grid, x, y) || lower_over_links(repair, cell);
    unsigned moves = astar_landmark_moves(repair->landmarks, grid, x, y, repair->back);
    bool enough = true;
    for (; moves != 0 && enough; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        enough = lower(repair, next, distance + weight_into(repair, d, repair->back ? cell : next));
    }
    return enough && (!is_link_end(grid, x, y) || lower_over_links(repair, cell));
}

// Lowers all distances that steps of the area shorten, and then further distances that the lowered
// ones shorten. With 'only_new' only cells without a distance get one. Returns false if the limit
// is reached.
ASTAR_COLD static bool lower_from_area(Repair *repair, bool only_new)
{
    const AstarEdit *area = &repair->area;
    const AstarBits *bits = &repair->landmarks->walkable->bits;
    bool enough = true;
    repair->only_new = only_new;
    repair->count = 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width && enough; x++)
            if (astar_bits_get(bits, x, y))
                enough = lower_around(repair, x, y);
    for (uint32_t i = 0; i < repair->count && enough; i++) {
        int x, y;
        astar_cell_xy(repair->grid, repair->landmarks->mended[i].cell, &x, &y);
        enough = lower_around(repair, x, y);
    }
    return enough;
}

static void undo(Repair *repair)
{
    while (repair->count > 0) {
        const AstarMended *mended = &repair->landmarks->mended[--repair->count];
        *repaired_distance(repair, mended->cell) = mended->before;
    }
}

static void publish_changes(const Repair *repair)
{
    AstarLandmarks *landmarks = repair->landmarks;
    for (uint32_t i = 0; i < repair->count; i++)
        landmarks->changed[landmarks->changes++ & (astar_landmarks_memory(landmarks) - 1)] =
            landmarks->mended[i].cell;
}

// The following functions compute the deficit of a table: the amount by which a route may be
// cheaper than its distances in the table.

static uint32_t excess(uint32_t distance, uint32_t before, uint32_t weight)
{
    return before != ASTAR_FAR && distance > before + weight ? distance - before - weight : 0;
}

// Returns the greatest excess of a step out of a cell or, if 'reversed' is true, into it. The
// excess is the amount by which the step increases the distance, minus the cost of the step.
ASTAR_COLD static uint32_t worst_step(const Repair *repair, int x, int y, bool reversed)
{
    const AstarGrid *grid = repair->grid;
    bool back = repair->back != reversed;
    uint32_t cell = astar_cell(grid, x, y), here = *repaired_distance(repair, cell), worst = 0;
    unsigned moves = astar_landmark_moves(repair->landmarks, grid, x, y, back);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        uint32_t weight = weight_into(repair, d, back ? cell : next);
        uint32_t there = *repaired_distance(repair, next);
        uint32_t more = reversed ? excess(here, there, weight) : excess(there, here, weight);
        worst = more > worst ? more : worst;
    }
    return worst;
}

// Returns true if the gain by an edit cannot be bounded, because the edit touches a link, or
// because cells outside its area are reached for the first time.
static bool is_beyond_measure(const Repair *repair)
{
    const AstarEdit *area = &repair->area;
    int x, y;
    for (uint32_t i = 0; i < repair->count; i++) {
        astar_cell_xy(repair->grid, repair->landmarks->mended[i].cell, &x, &y);
        if (!astar_edit_covers(area, x, y))
            return true;
    }
    return astar_grid_has_links(repair->grid) && astar_links_end_in(repair->grid, area);
}

// Returns an upper bound of the amount by which the steps around an edit can make a route cheaper
// than its distances in the table.
static uint64_t most_gained(const Repair *repair)
{
    const AstarEdit *area = &repair->area;
    const AstarBits *bits = &repair->landmarks->walkable->bits;
    uint64_t out = 0, in = 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            if (astar_bits_get(bits, x, y)) {
                out += worst_step(repair, x, y, false);
                in += worst_step(repair, x, y, true);
            }
    return out < in ? out : in;
}

// Raises the deficit of the table after an edit: the amount by which a route may be cheaper than
// its distances in the table. Existing distances stay unchanged; only cells without a distance get
// one.
static void note_deficit(Repair *repair)
{
    uint32_t *deficit = &repair->landmarks->deficit[repair->table];
    uint64_t gained = ASTAR_FAR;
    repair->most = 2 * repair->landmarks->few;
    if (lower_from_area(repair, true) && !is_beyond_measure(repair))
        gained = most_gained(repair);
    publish_changes(repair);
    *deficit = gained + *deficit < ASTAR_FAR ? *deficit + (uint32_t)gained : ASTAR_FAR;
}

// The following functions repair tables after edits.

// Prepares the repair of a table after an edit of an area. At most 'most' distances may be lowered.
static Repair open_repair(const AstarGrid *grid, AstarLandmarks *landmarks, AstarEdit area,
                          int table, int64_t most)
{
    return (Repair){.grid = grid,
                    .landmarks = landmarks,
                    .ground = astar_landmarks_ground(landmarks, grid),
                    .area = area,
                    .table = table,
                    .back = astar_table_is_back(landmarks, table),
                    .most = (uint32_t)most};
}

bool astar_landmarks_table_is_good(const AstarGrid *grid, AstarLandmarks *landmarks, int table)
{
    AstarEdit all = {.width = grid->width, .height = grid->height};
    Repair repair = open_repair(grid, landmarks, all, table, 0);
    return lower_from_area(&repair, false);
}

// Repairs a table. Returns how many distances were lowered, including those whose old values were
// restored.
static int64_t repair_table(Repair *repair)
{
    bool enough = lower_from_area(repair, false);
    int64_t lowered = repair->count;
    if (enough) {
        publish_changes(repair);
        return lowered;
    }
    undo(repair);
    note_deficit(repair);
    return lowered + repair->count;
}

ASTAR_COLD int64_t astar_landmarks_repair_table(const AstarGrid *grid, AstarLandmarks *landmarks,
                                                const AstarEdit *edit, int table)
{
    AstarEdit area = astar_cells_concerned(grid, edit, landmarks->walkable->body);
    int64_t cells = (int64_t)area.width * area.height;
    astar_landmarks_reprice(grid, landmarks);
    if (cells > LARGEST_AREA || astar_layer_is_stale(landmarks->walkable) ||
        (landmarks->footprints != NULL && astar_layer_is_stale(landmarks->footprints)))
        landmarks->deficit[table] = ASTAR_FAR;
    if (landmarks->deficit[table] == ASTAR_FAR)
        return 0;
    int64_t most = landmarks->few + (2 * cells < landmarks->few ? 2 * cells : landmarks->few);
    Repair repair = open_repair(grid, landmarks, area, table, most);
    return repair_table(&repair);
}

void astar_landmarks_repair(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarLandmarks *landmarks = layer;
    for (int i = 0; i < landmarks->tables; i++)
        astar_landmarks_repair_table(grid, landmarks, edit, i);
}

// The gain of landmarks, measured without a search.
//
// A* expands the cells n with g(n) + h(n, goal) < g(goal). A sweep from a start gives all g.
// Therefore the cells that a search with either estimate would expand can be counted, on a sample
// of cells and for a sample of goals. On ground of one cost only cells at corners of obstacles are
// counted, because jump point search expands few other cells.

enum {
    SAMPLE_STARTS = 4,
    SAMPLE_GOALS = 64,
    WORK_OF_CELL = 2,     // work of examining a cell for the sample
    WORK_OF_ESTIMATES = 2 // work of both estimates of a cell of the sample
};

// Returns true if a cell touches a corner of an obstacle. The bit of the cell must be set.
static bool is_at_corner(const AstarGrid *grid, const AstarBits *bits, size_t cell)
{
    int x, y;
    astar_cell_xy(grid, (uint32_t)cell, &x, &y);
    unsigned around = astar_bits_around(bits, x, y), straights = around & ASTAR_STRAIGHTS;
    return (astar_rotate(straights, 1) & astar_rotate(straights, 7) & ~around) != 0;
}

// Returns true if a cell may be in the sample: the landmarks have reached it and, on ground of one
// cost, it is at a corner.
static bool is_for_sample(const AstarGrid *grid, const AstarLandmarks *landmarks, size_t cell)
{
    return *astar_landmark_distance(landmarks, (uint32_t)cell, 0) != ASTAR_FAR &&
           (landmarks->scale != 0 || is_at_corner(grid, &landmarks->walkable->bits, cell));
}

// Collects the cells of the sample, evenly spread over the map. A first pass over the map counts
// the cells that may be in the sample.
static AstarStatus gather_sample(AstarLandmarkGain *gain, const AstarSweep *sweep, int64_t *work)
{
    const AstarGrid *grid = sweep->grid;
    for (; gain->pass < 2; gain->pass++, gain->cell = 0)
        for (; gain->cell < grid->cells; gain->cell++) {
            if (*work <= 0)
                return ASTAR_RUNNING;
            *work -= WORK_OF_CELL;
            if (!is_for_sample(grid, sweep->landmarks, gain->cell))
                continue;
            uint64_t due = gain->total * (uint64_t)gain->count / ASTAR_GAIN_CELLS;
            if (gain->pass == 0)
                gain->total++;
            else if (gain->seen++ >= due && gain->count < ASTAR_GAIN_CELLS)
                gain->cells[gain->count++] = (uint32_t)gain->cell;
        }
    return ASTAR_OK;
}

// Returns the estimate by the default heuristic of the corner rule, on the cheapest ground.
static uint32_t plain_estimate(const AstarSweep *sweep, uint32_t from, uint32_t to)
{
    uint32_t straight = sweep->least[0], diagonal = sweep->least[1];
    int x0, y0, x1, y1;
    astar_cell_xy(sweep->grid, from, &x0, &y0);
    astar_cell_xy(sweep->grid, to, &x1, &y1);
    uint32_t dx = (uint32_t)abs(x1 - x0), dy = (uint32_t)abs(y1 - y0);
    uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    bool steps = !sweep->landmarks->rule->has_diagonals || diagonal > 2 * straight;
    return steps ? (dx + dy) * straight : less * diagonal + (more - less) * straight;
}

// Returns the expected number of expansions of a cell, in halves: 0, 1 or 2. If the f of a cell
// equals the f of the goal, ties decide whether the cell is expanded, so it counts as half an
// expansion.
static unsigned count_halves(uint32_t left, uint32_t estimate)
{
    return (unsigned)(estimate < left) + (unsigned)(estimate <= left);
}

// Counts the cells of the sample that a search from the start of the sweep to a goal would expand,
// with and without landmarks.
static void count_expanded(AstarLandmarkGain *gain, const AstarSweep *sweep, uint32_t goal)
{
    const AstarLandmarks *landmarks = sweep->landmarks;
    AstarLandmarkBounds bounds = astar_landmarks_bounds(landmarks, goal);
    if (sweep->distances[goal] == ASTAR_FAR)
        return;
    for (int i = 0; i < gain->count; i++) {
        uint32_t cell = gain->cells[i];
        if (sweep->distances[cell] >= sweep->distances[goal])
            continue;
        uint32_t left = sweep->distances[goal] - sweep->distances[cell];
        uint32_t plain = plain_estimate(sweep, cell, goal);
        uint32_t landmark = astar_landmarks_estimate(astar_landmark_distance(landmarks, cell, 0),
                                                     landmarks->table_step, &bounds,
                                                     landmarks->tables);
        gain->expanded[0] += count_halves(left, plain);
        gain->expanded[1] += count_halves(left, landmark > plain ? landmark : plain);
    }
}

// For searches from the start of the sweep to all goals of the sample, counts the expansions with
// and without landmarks.
static AstarStatus compare_estimates(AstarLandmarkGain *gain, const AstarSweep *sweep,
                                     int64_t *work)
{
    for (; gain->goal < SAMPLE_GOALS; gain->goal++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        count_expanded(gain, sweep, gain->cells[gain->count * gain->goal / SAMPLE_GOALS]);
        *work -= (int64_t)gain->count * WORK_OF_ESTIMATES;
    }
    gain->goal = 0;
    return ASTAR_OK;
}

ASTAR_COLD AstarStatus astar_landmark_gain_advance(AstarLandmarkGain *gain, AstarSweep *sweep,
                                                   int64_t *work)
{
    AstarStatus status = gather_sample(gain, sweep, work);
    while (status == ASTAR_OK && gain->count > 0 && gain->start <= SAMPLE_STARTS) {
        if (gain->start > 0)
            status = astar_sweep_advance(sweep, work);
        if (gain->start > 0 && status == ASTAR_OK)
            status = compare_estimates(gain, sweep, work);
        if (status == ASTAR_OK && ++gain->start <= SAMPLE_STARTS)
            astar_sweep_from(sweep, gain->cells[gain->count * gain->start / (SAMPLE_STARTS + 1)],
                             false);
    }
    return status;
}

double astar_landmark_gain_of(const AstarLandmarkGain *gain)
{
    return (double)(gain->expanded[0] + 1) / (double)(gain->expanded[1] + 1);
}

// Saving and loading.
//
// The header (see baked_head.h) is followed by:
//     number of landmarks: 4 bytes; scale: 8 bytes, a double, 0 if distances count lengths
//     for each table 4 bytes, 1 if it is saved; then the distance of each free cell, 4 bytes, row
//         by row
// Landmarks are saved as edits have left them. A table with a deficit is not saved, because a
// loader could not recompute the deficit. The costs on which tables were measured are not saved
// either: a table is valid if no step increases the distance by more than it costs, and the loader
// checks that for every step.

enum { LEAST_EXPONENT = -900, MOST_EXPONENT = 900 }; // least and greatest exponent of a valid scale

// Reads or writes the distances of free cells. When loading, all other cells get the distance
// ASTAR_FAR.
ASTAR_COLD static void carry_table(AstarArchive *archive, const AstarGrid *grid,
                                   const AstarLandmarks *landmarks, int table)
{
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            uint32_t *distance = astar_landmark_distance(landmarks, astar_cell(grid, x, y), table);
            if (astar_bits_get(&landmarks->walkable->bits, x, y))
                astar_carry_words(archive, distance, 1);
            else if (archive->is_loaded)
                *distance = ASTAR_FAR;
            archive->is_bad |= *distance > ASTAR_FAR;
        }
}

// The following functions save landmarks.

static bool is_table_saved(const AstarLandmarks *landmarks, int table)
{
    return landmarks->deficit[table] == 0;
}

bool astar_landmarks_can_be_saved(const AstarLandmarks *landmarks)
{
    bool can = false;
    for (int i = 0; i < landmarks->tables; i++)
        can |= is_table_saved(landmarks, i);
    return can;
}

void astar_landmarks_save(const AstarGrid *grid, const AstarLandmarks *landmarks,
                          AstarArchive *archive)
{
    int count = landmarks->scale == 0 ? landmarks->tables : landmarks->tables / 2;
    astar_carry_word(archive, (uint32_t)count);
    astar_carry_double(archive, landmarks->scale);
    for (int i = 0; i < landmarks->tables; i++)
        if (astar_carry_word(archive, is_table_saved(landmarks, i)) != 0)
            carry_table(archive, grid, landmarks, i);
}

// The following functions load landmarks.

// Loads the tables. A table that was not saved gets the deficit that marks a table as invalid.
static AstarStatus load_tables(AstarArchive *archive, const AstarGrid *grid,
                               AstarLandmarks *landmarks, int tables)
{
    for (int i = 0; i < tables && !archive->is_bad; i++) {
        uint32_t is_there = astar_carry_word(archive, 0);
        landmarks->tables = i + 1;
        landmarks->deficit[i] = is_there == 1 ? 0 : ASTAR_FAR;
        archive->is_bad |= is_there > 1;
        if (is_there == 1)
            carry_table(archive, grid, landmarks, i);
    }
    return astar_archive_end(archive);
}

static bool are_tables_good(const AstarGrid *grid, AstarLandmarks *landmarks)
{
    for (int i = 0; i < landmarks->tables; i++)
        if (landmarks->deficit[i] == 0 && !astar_landmarks_table_is_good(grid, landmarks, i))
            return false;
    return true;
}

// Returns true if a scale converts costs to integers exactly and leads to finite estimates.
static bool is_scale_sound(double scale)
{
    int exponent;
    return isfinite(scale) && frexp(scale, &exponent) == 0.5 && exponent >= LEAST_EXPONENT &&
           exponent <= MOST_EXPONENT;
}

ASTAR_COLD AstarStatus astar_landmarks_load(const AstarGrid *grid, AstarLandmarkPlan *plan,
                                            AstarArchive *archive, const char **why,
                                            AstarLandmarks **out)
{
    uint32_t count = astar_carry_word(archive, 0);
    double scale = astar_carry_double(archive, 0);
    *why = astar_baked_is_damaged;
    if (count < 1 || count > ASTAR_MAX_PIVOTS || (scale != 0 && !is_scale_sound(scale)))
        return ASTAR_BAD_DATA;
    plan->is_whole = scale == 0;
    plan->count = (int)count;
    AstarLandmarks *landmarks = astar_landmarks_new(grid, plan, scale);
    if (landmarks == NULL)
        return ASTAR_NO_MEMORY;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = load_tables(archive, grid, landmarks,
                                     plan->is_whole ? plan->count : 2 * plan->count);
    if (status == ASTAR_OK && !are_tables_good(grid, landmarks)) {
        *why = "baked for other costs, links or walls";
        status = ASTAR_BAD_DATA;
    }
    if (status == ASTAR_OK)
        status = astar_layer_advance(grid, landmarks, &work);
    if (status == ASTAR_OK)
        *out = landmarks;
    else
        astar_layer_release(grid, landmarks);
    return status;
}
