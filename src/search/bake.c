// bake.c -- what can be worked out once, for all queries to come.
//
// Landmarks make an expansion dearer, for each node found reads their distances; on maps where the
// plain estimate is nearly right they cost more than they save. So a sample of queries is asked
// with and without them, and what counts is what is the same on every machine: expansions.

#include "search/jps.h"
#include "unit/finder.h"

enum { SAMPLE = 64 };

// By how much they must cut the expansions to be kept.
static const double LEAST_GAIN = 1.5;

// Gathers cells of the part of the map that the landmarks measured, evenly spread.
static int gather(const AstarFinder *finder, uint32_t cells[2 * SAMPLE])
{
    const AstarGrid *grid = finder->grid;
    const AstarLandmarks *landmarks = &finder->landmarks;
    uint64_t total = 0, seen = 0;
    for (int pass = 0;; pass++) {
        int count = 0;
        for (size_t cell = 0; cell < grid->cells; cell++) {
            const uint32_t *distances = landmarks->distances + cell * (size_t)landmarks->stride;
            if (distances[0] == 0 && distances[1] == 0)
                continue;
            if (pass == 0)
                total++;
            else if (count < 2 * SAMPLE && seen++ == total * (uint64_t)count / (2 * SAMPLE))
                cells[count++] = (uint32_t)cell;
        }
        if (pass == 1)
            return count;
    }
}

// Adds up the expansions of a query for each pair of cells.
static AstarStatus expand_sample(AstarWorkspace *workspace, AstarFinder *finder,
                                 const uint32_t *cells, int count, uint64_t *expanded)
{
    *expanded = 0;
    for (int i = 0; i < count / 2; i++) {
        int from_x, from_y, to_x, to_y;
        astar_cell_xy(finder->grid, cells[i], &from_x, &from_y);
        astar_cell_xy(finder->grid, cells[count / 2 + i * 37 % (count / 2)], &to_x, &to_y);
        AstarSearch *search;
        AstarStatus status = astar_search_new(workspace, finder, from_x, from_y, to_x, to_y, NULL,
                                              &search);
        if (status != ASTAR_OK)
            return status;
        search->any_angle = false;
        status = astar_search_step(search, UINT64_MAX, NULL);
        *expanded += search->expanded;
        astar_search_free(search);
        if (status == ASTAR_NO_MEMORY)
            return status;
    }
    return ASTAR_OK;
}

// What the landmarks just measured gain.
static AstarStatus weigh(AstarWorkspace *workspace, AstarFinder *finder, double *gain)
{
    uint32_t cells[2 * SAMPLE];
    int count = gather(finder, cells);
    AstarLandmarks landmarks = finder->landmarks;
    uint64_t with = 0, without = 0;
    AstarStatus status = expand_sample(workspace, finder, cells, count, &with);
    finder->landmarks.distances = NULL;
    if (status == ASTAR_OK)
        status = expand_sample(workspace, finder, cells, count, &without);
    finder->landmarks = landmarks;
    if (status == ASTAR_OK)
        *gain = with > 0 ? (double)without / (double)with : 1;
    return status;
}

AstarStatus astar_finder_bake(AstarWorkspace *workspace, AstarFinder *finder, int landmarks,
                              AstarBaking *out)
{
    if (landmarks < 0 || landmarks > ASTAR_MAX_PIVOTS)
        return ASTAR_BAD_OPTION;
    AstarGrid *grid = finder->grid;
    *out = (AstarBaking){0, 0, 1};
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    AstarLandmarks measured = {NULL, 0, 0};
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(&finder->question);
    if (landmarks > 0 && astar_honours(ASTAR_JPS, needs)) {
        status = astar_landmarks_measure(grid, finder->walkable, finder->rule,
                                         finder->whole.straight, finder->whole.diagonal, landmarks,
                                         &measured);
        if (status != ASTAR_OK && status != ASTAR_BAD_COST)
            return status;
    }
    AstarLandmarks before = finder->landmarks;
    finder->landmarks = measured;
    if (measured.distances != NULL)
        status = weigh(workspace, finder, &out->gain);
    if (status == ASTAR_NO_MEMORY) {
        astar_landmarks_free(&finder->landmarks, grid);
        finder->landmarks = before;
        return status;
    }
    finder->bakings++;
    astar_landmarks_free(&before, grid);
    if (out->gain < LEAST_GAIN)
        astar_landmarks_free(&finder->landmarks, grid);
    out->bytes = astar_landmarks_bytes(&finder->landmarks, grid);
    out->pivots = out->bytes > 0 ? landmarks : 0;
    return ASTAR_OK;
}
