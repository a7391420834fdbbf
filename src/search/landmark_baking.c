// landmark_baking.c -- what can be worked out once, for all queries to come.
//
// Landmarks make an expansion dearer, for each node found reads their distances; on maps where the
// plain estimate is nearly right they cost more than they save. So they are kept only where they
// make a search expand far fewer cells, which is the same on every machine.

#include "search/baking_parts.h"

#include "derived/landmarks.h"

// By how much they must cut the expansions to be kept.
static const double LEAST_GAIN = 1.4;

// What estimates by landmarks honour beside what jump point search does.
static const AstarNeeds BAKED_NEEDS = 1u << ASTAR_NEED_SEVERAL_COSTS | 1u << ASTAR_NEED_LINKS |
                                      1u << ASTAR_NEED_WALLS | 1u << ASTAR_NEED_SHAPE |
                                      1u << ASTAR_NEED_DIAGONAL_2 | 1u << ASTAR_NEED_CORNERS;

// A weight is the search's affair: estimates are the same. So they are by callbacks that only add.
static AstarNeeds needs_of_baking(const AstarFinder *finder)
{
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(&finder->question);
    AstarNeeds asked = 1u << ASTAR_NEED_COST | 1u << ASTAR_NEED_STEP_COST;
    return needs & ~(1u << ASTAR_NEED_WEIGHT | (finder->options.dearer_only ? asked : 0));
}

static AstarLandmarkPlan plan_landmarks(AstarFinder *finder, int count)
{
    return (AstarLandmarkPlan){
        .walkable = finder->on.walkable,
        .footprints = finder->on.footprints,
        .rule = finder->rule,
        .cost = finder->costs.cell,
        .own_cost = finder->own.cost,
        .own_count = finder->own.count,
        .diagonal_cost = finder->options.diagonal_cost,
        .is_whole = astar_honours(ASTAR_JPS, needs_of_baking(finder)),
        .straight = finder->whole.straight,
        .diagonal = finder->whole.diagonal,
        .count = count,
    };
}

// They outlive edits, and so the map is to be this grid's alone; false without memory.
static bool keeps_landmarks(AstarFinder *finder)
{
    return !finder->grid->copies.is_clone || astar_grid_part(finder->grid, NULL) == ASTAR_OK;
}

// Puts landmarks, NULL for none, in the place of those the finder has.
static void put_landmarks(AstarFinder *finder, AstarLandmarks *landmarks)
{
    astar_layer_release(finder->grid, finder->landmarks);
    finder->landmarks = landmarks;
    finder->bakings++;
}

// Measures on, where anything is to be measured.
static AstarStatus measure_landmarks(AstarFinder *finder, int count, AstarLandmarkMaking **making,
                                     int64_t *work)
{
    if (count == 0 || (needs_of_baking(finder) & ~BAKED_NEEDS) != 0)
        return ASTAR_BAD_COST;
    AstarLandmarkPlan plan = plan_landmarks(finder, count);
    AstarStatus status = *making == NULL ? astar_landmark_making_new(finder->grid, making)
                                         : ASTAR_OK;
    return status == ASTAR_OK ? astar_landmark_making_advance(*making, &plan, work) : status;
}

AstarStatus astar_finder_advance_landmarks(AstarFinder *finder, int count,
                                           AstarLandmarkMaking **making, int64_t *work,
                                           AstarBaking *out)
{
    AstarLandmarks *measured = NULL;
    if (!keeps_landmarks(finder))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_finder_advance(finder, work);
    *out = (AstarBaking){0, 0, 1};
    if (status == ASTAR_OK)
        status = measure_landmarks(finder, count, making, work);
    if (status == ASTAR_OK) {
        out->gain = astar_landmark_making_gain(*making);
        if (out->gain >= LEAST_GAIN)
            measured = astar_landmark_making_take(*making);
    } else if (status != ASTAR_BAD_COST) {
        return status;
    }
    put_landmarks(finder, measured);
    out->bytes = astar_landmarks_bytes(measured, finder->grid);
    out->pivots = measured != NULL ? count : 0;
    return ASTAR_OK;
}

AstarStatus astar_finder_bake(AstarFinder *finder, int landmarks, AstarBaking *out)
{
    if (landmarks < 0 || landmarks > ASTAR_MAX_PIVOTS)
        return ASTAR_BAD_OPTION;
    int64_t work = ASTAR_ALL_WORK;
    AstarLandmarkMaking *making = NULL;
    AstarStatus status = astar_finder_advance_landmarks(finder, landmarks, &making, &work, out);
    astar_landmark_making_free(making);
    return status;
}

AstarStatus astar_finder_take_landmarks(AstarFinder *finder, const AstarFinder *twin, bool *taken)
{
    const AstarLandmarks *from = twin->landmarks;
    int tables = from != NULL ? from->tables : 0;
    AstarLandmarks *landmarks = NULL;
    AstarStatus status = keeps_landmarks(finder) ? astar_finder_update(finder) : ASTAR_NO_MEMORY;
    *taken = false;
    if (status != ASTAR_OK || from == NULL || (needs_of_baking(finder) & ~BAKED_NEEDS) != 0)
        return status;
    AstarLandmarkPlan plan = plan_landmarks(finder, from->scale == 0 ? tables : tables / 2);
    if (plan.is_whole == (from->scale == 0))
        status = astar_landmarks_copy(finder->grid, &plan, twin->grid, from, &landmarks);
    *taken = landmarks != NULL;
    if (*taken)
        put_landmarks(finder, landmarks);
    return status;
}

AstarStatus astar_finder_load_landmarks(AstarFinder *finder, AstarArchive *archive,
                                        const char **why)
{
    if (!keeps_landmarks(finder) || astar_finder_update(finder) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarLandmarkPlan plan = plan_landmarks(finder, 0);
    AstarLandmarks *landmarks;
    *why = "nothing can be baked for this finder";
    if ((needs_of_baking(finder) & ~BAKED_NEEDS) != 0)
        return ASTAR_BAD_DATA;
    AstarStatus status = astar_landmarks_load(finder->grid, &plan, archive, why, &landmarks);
    if (status == ASTAR_OK)
        put_landmarks(finder, landmarks);
    return status;
}
