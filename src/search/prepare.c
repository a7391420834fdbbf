// prepare.c -- what a question needs of the map, built within the expansions of its steps.
//
// Of a map not asked about before, or much edited, a search needs more than a frame has time for:
// walkable bits, components, jump bitmaps. A question asked in steps builds them so many cells for
// an expansion, not by the clock. Where an edit comes between, it is started anew; what is half
// built stays with the grid, for whoever comes next. Edits may outdate as much as is built: then
// the search begins anew, see frozen.c.

#include "search/search.h"
#include "search/start_query.h"

#include <stdlib.h>

// Some twice what it takes on a map at rest.
enum { MOST_WORK_A_CELL = 16 };

int64_t astar_step_work(const AstarSearch *search, uint64_t expansions)
{
    uint64_t at_once = search->slices.preparing.at_once;
    return astar_work_of(expansions < UINT64_MAX - at_once ? expansions + at_once : UINT64_MAX);
}

void astar_charge_step(const AstarSearch *search, uint64_t *expansions, int64_t work)
{
    work -= astar_work_of(search->slices.preparing.at_once);
    uint64_t count = work > 0 ? (uint64_t)work / ASTAR_CELLS_AN_EXPANSION : 0;
    *expansions -= count < *expansions ? count : *expansions;
}

AstarStatus astar_search_start_on_map(AstarSearch *search, int64_t *work)
{
    AstarPreparing *preparing = &search->slices.preparing;
    astar_unstand(search);
    AstarStatus status = astar_finder_advance(search->finder, work);
    if (status == ASTAR_OK)
        status = astar_search_build_components(search, work);
    if (status == ASTAR_OK && search->costs.version != astar_finder_version(search->finder))
        status = astar_costs_begin(&search->costs, search->finder, &search->allocator);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_refusal(search, &search->question); // it was none when it was asked
    if (status != ASTAR_OK)
        return status;
    status = astar_search_start_noted(search, work);
    if (status == ASTAR_OK)
        return ASTAR_RUNNING; // it takes more work
    preparing->is_started = status == ASTAR_RUNNING;
    preparing->version = search->costs.version;
    return preparing->is_started ? ASTAR_OK : status;
}

static AstarStatus prepare_in_steps(AstarSearch *search, int64_t *work)
{
    AstarPreparing *preparing = &search->slices.preparing;
    AstarStatus status = ASTAR_OK;
    uint64_t version = astar_finder_version(search->finder);
    if (!preparing->is_started || preparing->version != version) {
        bool is_in_vain = preparing->spent > (int64_t)MOST_WORK_A_CELL * search->grid->cells;
        if (is_in_vain && search->costs.version != version)
            return ASTAR_GRID_CHANGED;
        preparing->is_started = false;
        status = astar_search_start_on_map(search, work);
    }
    if (status == ASTAR_OK)
        status = astar_search_build_for(search->finder,
                                        astar_search_algorithm_for(search, &search->goal), work);
    if (status == ASTAR_OK && astar_grid_has_links(search->grid))
        status = astar_search_advance_links(search, work);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_prepare(search);
    preparing->is_due = status != ASTAR_RUNNING;
    if (preparing->is_due)
        search->algorithm = ASTAR_AUTO; // there is nothing to see yet
    return preparing->is_due ? status : ASTAR_OK;
}

AstarStatus astar_search_get_ready(AstarSearch *search, uint64_t *expansions)
{
    const AstarPreparing *preparing = &search->slices.preparing;
    bool in_steps = preparing->in_steps;
    int64_t all = in_steps ? astar_step_work(search, *expansions) : ASTAR_ALL_WORK, work = all;
    AstarStatus status = preparing->is_due ? prepare_in_steps(search, &work)
                                           : astar_resume(search, &work);
    search->status = status == ASTAR_OK || status == ASTAR_NO_MEMORY ? ASTAR_RUNNING : status;
    search->slices.preparing.spent += all - work;
    if (in_steps)
        astar_charge_step(search, expansions, all - work);
    return status == ASTAR_OK && in_steps && *expansions == 0 ? ASTAR_RUNNING : status;
}

// Whether a map is so wide that a part of a layer takes longer than what is built at once.
static bool is_wide(const AstarGrid *grid, uint64_t at_once)
{
    int side = grid->width > grid->height ? grid->width : grid->height;
    return (int64_t)64 * side > astar_work_of(at_once);
}

void astar_search_will_prepare(AstarSearch *search, uint64_t at_once)
{
    search->slices.preparing = (AstarPreparing){
        .in_steps = true,
        .is_due = true,
        .at_once = search->slices.builds_by_steps || is_wide(search->grid, at_once) ? 0 : at_once,
    };
}

void astar_search_prepare_anew(AstarSearch *search, int gx, int gy, const AstarQuestion *question)
{
    uint64_t at_once = search->slices.preparing.at_once;
    astar_search_note(search, search->start_x, search->start_y, gx, gy, question);
    astar_search_will_prepare(search, at_once);
}

void astar_search_build_by_steps(AstarSearch *search)
{
    search->slices.preparing.at_once = 0;
    search->slices.builds_by_steps = true;
}

AstarStatus astar_search_begin_in_steps(AstarSearch *search, int sx, int sy, int gx, int gy,
                                        const AstarQuestion *question, uint64_t at_once)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return search->status = ASTAR_BAD_CELL;
    AstarStatus status = astar_search_refusal(search, question);
    if (status != ASTAR_OK)
        return search->status = status;
    astar_search_note(search, sx, sy, gx, gy, question);
    status = astar_search_look_at_ground(search);
    if (status != ASTAR_RUNNING)
        return search->status = status;
    uint64_t none = 0;
    astar_search_will_prepare(search, at_once);
    status = astar_search_get_ready(search, &none);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// ---- without a search ----

// Builds what questions as the finder's options have them need; 'algorithm' answers those.
static AstarStatus prepare_finder(AstarFinder *finder, AstarAlgorithm *algorithm, int64_t *work)
{
    AstarStatus status = astar_finder_advance(finder, work);
    if (status == ASTAR_OK)
        status = astar_walkable_advance_components(finder->grid, finder->on.walkable,
                                                   finder->rule->joins_corners, work);
    if (status != ASTAR_OK)
        return status;
    const AstarRefusal *refusal = astar_finder_refusal(finder, &finder->question);
    if (refusal != NULL)
        return refusal->status;
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(&finder->question);
    *algorithm = finder->options.algorithm != ASTAR_AUTO ? finder->options.algorithm
                                                         : astar_auto_algorithm(finder, needs);
    return astar_search_build_for(finder, *algorithm, work);
}

AstarStatus astar_finder_prepare(AstarFinder *finder, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    AstarAlgorithm algorithm;
    return prepare_finder(finder, &algorithm, &work);
}

// The bitmaps by which an algorithm jumps, that are current; NULL: it does not.
static AstarJumpBitmaps *bitmaps_jumped_by(const AstarFinder *finder, AstarAlgorithm algorithm)
{
    AstarDiagonals rule = finder->options.diagonals;
    AstarJumpBitmaps *jump = NULL;
    if (algorithm == ASTAR_JPS)
        jump = astar_get(&astar_finder_shared_walkable(finder)->jumps[rule]);
    else if (algorithm == ASTAR_JPSW)
        jump = astar_get(&finder->on.irregular->jumps[rule]);
    return astar_jump_is_current(jump) ? jump : NULL;
}

AstarStatus astar_finder_advance_settling(AstarFinder *finder, int64_t *work)
{
    AstarAlgorithm algorithm = ASTAR_AUTO;
    AstarStatus status = prepare_finder(finder, &algorithm, work);
    AstarJumpBitmaps *jump = status == ASTAR_OK ? bitmaps_jumped_by(finder, algorithm) : NULL;
    return jump != NULL ? astar_walkable_settle(finder->grid, astar_finder_shared_walkable(finder),
                                                jump, work)
                        : status;
}

AstarStatus astar_finder_settle(AstarFinder *finder, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    return astar_finder_advance_settling(finder, &work);
}
