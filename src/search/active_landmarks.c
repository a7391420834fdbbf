// active_landmarks.c -- Estimates by landmarks: which landmarks a search uses, and whether their
// distances are still valid after edits.
//
// Each cell found is compared with the distances of a few landmarks only, those with the highest
// estimate at the start. More landmarks add little, and each takes time. Jump point search over
// uniform ground finds so few cells that it uses all landmarks; it computes bounds in another way,
// see jps.c.

#include "search/active_landmarks.h"

#include "search/estimate.h"

#include <math.h>

// Choosing.

// Returns true if a search may use estimates by landmarks for its query.
static bool suits(const AstarSearch *search)
{
    const AstarGoal *goal = &search->goal;
    const AstarPrecheckResult *outcome = &search->known.outcome;
    bool is_guided = search->algorithm == ASTAR_ASTAR || search->algorithm == ASTAR_JPSW;
    // If a query has 'max_cost' and its goal may be unreachable, the reason for its failure depends
    // on whether some route exceeded the limit. Higher estimates would change that reason.
    bool tells_why = isinf(search->limit) || (outcome->connected && outcome->certain);
    return is_guided && goal->kind == ASTAR_GOAL_CELL && !goal->tracks && goal->range == 0 &&
           tells_why;
}

// Returns the cost that the landmarks' tables store as a distance of 1, or a little less. The
// tables hold whole numbers, so the cost is rounded.
static double worth_of(const AstarFinder *finder)
{
    const AstarLandmarks *landmarks = finder->on.landmarks;
    if (landmarks->scale > 0)
        return 1 / landmarks->scale;
    double straight = 1.0 / landmarks->straight;
    double diagonal = finder->options.diagonal_cost / landmarks->diagonal;
    return fmin(straight, diagonal) * finder->min_cost * (1 - 0x1p-30);
}

// Adds a table to the chosen ones if it is among the ASTAR_MOST_ACTIVE tables with the highest
// estimate at the start.
static void keep_table(AstarActiveLandmarks *active, AstarActiveTable choice)
{
    AstarActiveTable *best = active->chosen;
    int place = active->count;
    while (place > 0 && best[place - 1].promise < choice.promise)
        place--;
    if (choice.promise <= 0 || place == ASTAR_MOST_ACTIVE)
        return;
    active->count += active->count < ASTAR_MOST_ACTIVE;
    for (int i = active->count - 1; i > place; i--)
        best[i] = best[i - 1];
    best[place] = choice;
}

void astar_active_landmarks_choose(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarLandmarks *landmarks = finder->on.landmarks;
    AstarActiveLandmarks *active = &search->own.active;
    active->count = 0;
    active->bakings = finder->bakings;
    if (!ASTAR_HAS_BAKING || landmarks == NULL)
        return;
    active->changes = landmarks->changes;
    memcpy(active->deficits, landmarks->deficit, sizeof active->deficits);
    if (!suits(search))
        return;
    AstarLandmarkBounds bounds = astar_landmarks_bounds(landmarks, search->goal.cell);
    active->stride = landmarks->cell_step;
    active->worth = worth_of(finder);
    for (int i = 0; i < landmarks->tables; i++) {
        const uint32_t *distances = astar_landmark_distance(landmarks, 0, i);
        int32_t here = (int32_t)*astar_landmark_distance(landmarks, search->start, i);
        int32_t low = bounds.low[i], high = bounds.high[i];
        keep_table(active, (AstarActiveTable){distances, i, low, -1, low - here});
        keep_table(active, (AstarActiveTable){distances, i, high, 1, here - high});
    }
}

// Edits.

bool astar_active_landmarks_are_uneven(const AstarActiveLandmarks *active)
{
    for (int i = 0; i < active->count; i++)
        if (active->deficits[active->chosen[i].table] > 0)
            return true;
    return false;
}

void astar_active_landmarks_look(AstarSearch *search)
{
    const AstarLandmarks *landmarks = search->finder->on.landmarks;
    search->own.active.changes = landmarks != NULL ? landmarks->changes : 0;
}

bool astar_active_landmarks_are_old(const AstarSearch *search)
{
    bool jumps = search->algorithm == ASTAR_JPS;
    return (jumps || suits(search)) && search->own.active.bakings != search->finder->bakings;
}

static bool has_noted(const AstarSearch *search, uint32_t cell)
{
    if (search->algorithm == ASTAR_ASTAR)
        return astar_node(search, cell) != ASTAR_UNREACHED;
    astar_jump_nodes_finish_table(&search->jumps.nodes);
    return astar_jump_node(&search->jumps.nodes, cell) != NULL;
}

// Returns true if the tables that the search uses have the same deficits as when it began. A table
// that was not chosen may have a larger deficit now; that only lowers its estimates.
static bool are_deficits_same(const AstarSearch *search, const AstarLandmarks *landmarks)
{
    const AstarActiveLandmarks *active = &search->own.active;
    if (search->algorithm == ASTAR_JPS)
        return memcmp(active->deficits, landmarks->deficit, sizeof active->deficits) == 0;
    for (int i = 0; i < active->count; i++)
        if (active->deficits[active->chosen[i].table] !=
            landmarks->deficit[active->chosen[i].table])
            return false;
    return true;
}

bool astar_active_landmarks_are_same(const AstarSearch *search)
{
    const AstarLandmarks *landmarks = search->finder->on.landmarks;
    const AstarActiveLandmarks *active = &search->own.active;
    if (landmarks == NULL || active->bakings != search->finder->bakings ||
        (search->algorithm != ASTAR_JPS && !suits(search)))
        return true;
    if (!are_deficits_same(search, landmarks) ||
        landmarks->changes - active->changes > astar_landmarks_memory(landmarks))
        return false;
    for (uint64_t i = active->changes; i != landmarks->changes; i++) {
        uint32_t cell = astar_landmarks_change(landmarks, i);
        if (cell == search->goal.cell || has_noted(search, cell))
            return false;
    }
    return true;
}
