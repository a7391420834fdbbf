// landmark_making.c -- where landmarks lie, and how they are measured while the map may be edited.
//
// The first landmark lies farthest from some cell of the largest component, each next one farthest
// from those before it (the heuristic's authors found nothing better by far).
//
// What is measured is the map as each part of it is when a sweep comes there. A step that became
// possible or cheaper behind the sweep may then lead farther than it costs; so the edits made
// meanwhile are noted, and made up for at the end, as edits of a map with landmarks are.

#include "derived/landmarks.h"

#include "base/array.h"
#include "derived/landmark_sweep.h"
#include "map/blocks.h"

#include <math.h>

enum {
    LEAST_WEIGHT = 4096, // of the cheapest step, at first
    TRIES = 3,           // with a sixteenth of that each time
    RESTARTS = 8,        // then it is given up: they would be outdated as soon as they are made
    WORK_OF_REPAIR = 64, // of an edit, at least
    PART_OF_EDIT = 16,   // cells a side
    MOST_IN_PARTS = 1 << 14
};

typedef enum MakingPhase {
    MAKE_LARGEST, // some cell of the largest component
    MAKE_FIRST,   // the distances from there
    MAKE_CHOICE,  // of the next landmark
    MAKE_TABLE,   // its distances
    MAKE_TAKING,  // of those
    MAKE_GAIN,
    MAKE_REPAIR,
    MAKE_DONE
} MakingPhase;

struct AstarLandmarkMaking {
    const AstarGrid *grid;
    AstarLandmarks *landmarks; // retained; NULL: not begun
    AstarSweep sweep;
    MakingPhase phase;
    int row;         // of the map, that the phase has come to
    uint32_t *sizes; // of components, by labels, and how many
    size_t labels;
    uint32_t largest;      // of those sizes
    uint32_t first;        // a cell of that component; UINT32_MAX: there is no ground
    uint32_t chosen, most; // the cell found, and how far it lies from all landmarks
    bool back;             // the table is that of the ways to it
    double scale;
    int tries, restarts;
    AstarLandmarkGain gain;
    AstarEdit *edits; // made meanwhile
    size_t edit_count, edit_capacity, repaired;
    int table; // of the next one of these to be repaired
    // of the grid, when it was last looked at
    uint64_t version, palette_version, links_and_walls_version;
};

// ---- memory ----

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

// ---- where they lie ----

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

// After an edit components may have other labels: that may find another cell, which does no harm.
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

// The whole numbers for each unit of cost: a power of two, so that estimates are exact.
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

// Begins to measure by the scale.
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

// The cells of a row that the sweep reached: one that lies farthest from the landmarks there are;
// without any, from where the sweep began.
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

// ---- their tables ----

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

// Takes the distances of a sweep as the next table.
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

// ---- edits meanwhile ----

// Makes up for them, and makes the landmarks fit to be read.
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

// Notes an edit in parts that are made up for one at a time.
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

// Whether the landmarks can still be what is wanted: edits of cells can be made up for.
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

static void begin_anew(AstarLandmarkMaking *making)
{
    drop_sizes(making);
    drop_landmarks(making);
    making->gain = (AstarLandmarkGain){.count = 0};
    making->edit_count = making->repaired = 0;
    making->table = making->tries = 0;
    making->restarts++;
    enter_phase(making, MAKE_LARGEST);
}

// Takes note of what was edited since the last part.
static AstarStatus look_at_edits(AstarLandmarkMaking *making, const AstarLandmarkPlan *plan)
{
    const AstarGrid *grid = making->grid;
    AstarStatus status = ASTAR_OK;
    if (making->landmarks != NULL && !is_as_begun(making, plan)) {
        begin_anew(making);
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

// ---- all of it ----

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

// Where distances do not fit, they may by smaller numbers.
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

AstarStatus astar_landmark_making_advance(AstarLandmarkMaking *making,
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
