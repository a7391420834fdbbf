// baking_gain.c -- how much less work questions are by what was baked, told by a sample of them.
//
// Work is counted, not timed, so that what is kept is the same on every machine.

#include "search/baked_scratch.h"
#include "search/baking_parts.h"

#include <math.h>

enum {
    SAMPLE = 32,        // questions
    STEP_OF_SAMPLE = 8, // expansions
    WORK_BESIDES = 1024 // of each question, however it is answered
};

// A free cell of the sample: the first from one drawn on.
static AstarCell place_sample(const AstarBaked *baked, uint32_t number)
{
    const AstarSubgoals *subgoals = baked->map->subgoals;
    uint64_t cells = (uint64_t)subgoals->width * (uint64_t)subgoals->height;
    uint64_t cell = (number + 1) * UINT64_C(0x9E3779B97F4A7C15) % cells;
    for (;; cell = (cell + 1) % cells) {
        int x = (int)(cell % (uint64_t)subgoals->width),
            y = (int)(cell / (uint64_t)subgoals->width);
        if (astar_bits_get(&subgoals->rows, x, y))
            return (AstarCell){x, y};
    }
}

// Asks the next question of the sample.
static AstarStatus begin_sample(AstarBaked *baked)
{
    AstarFinder *finder = baked->finder;
    AstarQuestion question = {.weight = 1, .max_cost = INFINITY, .max_expansions = UINT64_MAX};
    AstarCell ends[2] = {place_sample(baked, 2 * baked->sampled),
                         place_sample(baked, 2 * baked->sampled + 1)};
    AstarStatus status = ASTAR_OK;
    if (baked->workspace == NULL)
        status = astar_workspace_new(&finder->grid->allocator, &baked->workspace);
    if (status == ASTAR_OK)
        status = astar_search_take_unbuilt(baked->workspace, finder, &baked->search);
    if (status != ASTAR_OK)
        return status;
    baked->search->own.ignores_baked = true;
    status = astar_search_begin_in_steps(baked->search, ends[0].x, ends[0].y, ends[1].x, ends[1].y,
                                         &question, 0);
    baked->search->lines.any_angle = false;
    return status == ASTAR_NO_MEMORY ? status : ASTAR_OK;
}

// Compares the search that was made with the route by what was baked.
static AstarStatus end_sample(AstarBaked *baked)
{
    AstarSearch *search = baked->search;
    double work;
    AstarStatus status = ASTAR_OK;
    if (search->status == ASTAR_OK)
        status = astar_baked_route_measure(search, baked->map, &work);
    if (search->status == ASTAR_OK && status == ASTAR_OK) {
        baked->searched += WORK_BESIDES + (double)search->expanded * ASTAR_CELLS_AN_EXPANSION;
        baked->read += WORK_BESIDES + work;
    }
    astar_search_free(search);
    baked->search = NULL;
    baked->sampled++;
    return status;
}

AstarStatus astar_baking_measure_gain(AstarBaked *baked, int64_t *work)
{
    uint32_t count = baked->map->subgoals->count > 0 ? SAMPLE : 0;
    while (baked->sampled < count) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = baked->search == NULL ? begin_sample(baked) : ASTAR_OK;
        if (status == ASTAR_OK)
            status = astar_search_step(baked->search, STEP_OF_SAMPLE, NULL);
        *work -= astar_work_of(STEP_OF_SAMPLE);
        if (status == ASTAR_NO_MEMORY)
            return status;
        if (status != ASTAR_RUNNING && (status = end_sample(baked)) != ASTAR_OK)
            return status;
    }
    baked->facts.gain = baked->read > 0 ? baked->searched / baked->read : 1;
    baked->facts.gain = baked->facts.gain > 1 ? baked->facts.gain : 1;
    return ASTAR_OK;
}
