// search_life.c -- a search in steps: runs its steps, continues it after edits of the map, restarts
// it, and at last runs it on a snapshot of the map. All work that runs in steps while the map is
// edited follows the rules of this file.
//
// A search restarts, a few times, if an edit may have changed its result. On a map that is edited
// all the time a search might never end, because each edit may undo the progress since the previous
// edit. Therefore a search runs on a snapshot after some restarts (map/snapshot.c). A
// snapshot is never edited, so an ordinary search of it ends, and each step of that search keeps to
// its budget.
//
// The caller's search object then only wraps the search of the snapshot, which is its continuation.
// If the steps of the search served a larger query (the nearest of many goals, or a repair), that
// query is run on the snapshot.

#include "search/search_life.h"

#include "base/alloc.h"
#include "base/mapped_blocks.h"
#include "finder/finder.h"
#include "finder/roads.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "map/snapshot.h"
#include "search/active_landmarks.h"
#include "search/baked.h"
#include "search/estimate.h"
#include "search/fewest_bends.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/jump_scan.h"
#include "search/path.h"
#include "search/run.h"

#include <assert.h>
#include <math.h>

// Maximum number of restarts on the map itself. After them the search runs on a snapshot.
enum { MOST_RESTARTS_ON_MAP = 3 };

// The continuation of a search that runs on a snapshot of its map.
typedef struct SearchOnSnapshot {
    AstarContinuation continuation;
    AstarContinuation *before; // the continuation before; NULL: a search for a path to one goal
    AstarStoredQuery stored;   // the whole query
    AstarJobSnapshot *map;
    AstarSearch *search; // the search of the snapshot; NULL until the snapshot is complete
} SearchOnSnapshot;

static SearchOnSnapshot *snapshot_of(const AstarSearch *search)
{
    return (SearchOnSnapshot *)search->stepped.continuation;
}

static size_t snapshot_bytes(const SearchOnSnapshot *snapshot)
{
    size_t bytes = sizeof *snapshot + (snapshot->before != NULL ? snapshot->before->bytes : 0);
    bytes += astar_snapshot_bytes(snapshot->map);
    return bytes + (snapshot->search != NULL ? astar_search_bytes(snapshot->search) : 0);
}

// Continues to build the snapshot and, once the snapshot is complete, starts the query on it.
// Returns ASTAR_RUNNING, or the result if the query is answered without a search. The step ends
// after this start, because the caller must know the finder whose callbacks the next step calls.
static AstarStatus advance_snapshot(const AstarSearch *search, SearchOnSnapshot *snapshot,
                                    uint64_t expansions)
{
    AstarFinder *finder;
    AstarStatus status = astar_finder_on_snapshot(search->finder, snapshot->map, expansions,
                                                  &finder);
    if (status != ASTAR_OK)
        return status;
    AstarSearch *started;
    status = astar_search_take_unbuilt(search->rest.workspace, finder, &started);
    astar_finder_release(finder);
    if (status != ASTAR_OK)
        return status;
    if (search->stepped.builds_by_steps)
        astar_search_build_by_steps(started);
    status = astar_stored_query_begin(&snapshot->stored, started,
                                      search->stepped.preparing.at_once);
    if (status == ASTAR_NO_MEMORY)
        astar_search_free(started);
    else
        snapshot->search = started;
    return status;
}

// Copies the result of the snapshot's search to the caller's search: the path, and which of many
// goals was reached.
static AstarStatus take_result(AstarSearch *search, const SearchOnSnapshot *snapshot)
{
    const AstarStoredQuery *stored = &snapshot->stored;
    if (stored->goals != NULL)
        astar_search_set_goal_met(search, stored->goals, stored->goal_count,
                                  astar_search_index(snapshot->search));
    return astar_search_path(snapshot->search, &search->stepped.given);
}

static AstarStatus step_on_snapshot(AstarSearch *search, uint64_t expansions, void *context)
{
    SearchOnSnapshot *snapshot = snapshot_of(search);
    uint64_t version = astar_finder_version(search->finder);
    AstarStatus status;
    if (snapshot->search == NULL) {
        status = advance_snapshot(search, snapshot, expansions);
    } else {
        status = astar_search_step(snapshot->search, expansions, context);
        search->expanded = snapshot->search->expanded;
    }
    if (status == ASTAR_OK)
        status = take_result(search, snapshot);
    snapshot->continuation.bytes = snapshot_bytes(snapshot);
    bool is_edited = astar_finder_version(search->finder) != version; // a callback edited the map
    return is_edited ? ASTAR_GRID_CHANGED : status;
}

static void free_snapshot(AstarSearch *search)
{
    SearchOnSnapshot *snapshot = snapshot_of(search);
    search->stepped.continuation = snapshot->before;
    if (snapshot->before != NULL)
        snapshot->before->free(search);
    astar_search_free(snapshot->search);
    astar_snapshot_leave(snapshot->map);
    astar_stored_query_free(&snapshot->stored, &search->allocator);
    astar_release(&search->allocator, snapshot, 1, sizeof *snapshot);
}

const AstarSearch *astar_search_searching(const AstarSearch *search)
{
    bool is_on_snapshot = search->stepped.continuation != NULL &&
                          search->stepped.continuation->step == step_on_snapshot;
    const AstarSearch *copy = is_on_snapshot ? snapshot_of(search)->search : NULL;
    return copy != NULL ? copy : search;
}

AstarFinder *astar_search_asking(const AstarSearch *search)
{
    return astar_finder_original(astar_search_searching(search)->finder);
}

uint64_t astar_search_restarts(const AstarSearch *search)
{
    return (uint64_t)search->stepped.restarts;
}

AstarStatus astar_search_take_snapshot(AstarSearch *search)
{
    AstarContinuation *before = search->stepped.continuation;
    if (search->status != ASTAR_RUNNING || (before != NULL && before->describe == NULL))
        return ASTAR_BAD_OPTION;
    SearchOnSnapshot *snapshot = astar_alloc(&search->allocator, 1, sizeof *snapshot);
    if (snapshot == NULL)
        return ASTAR_NO_MEMORY;
    snapshot->continuation = (AstarContinuation){
        .step = step_on_snapshot, .free = free_snapshot, .bytes = sizeof *snapshot};
    AstarStatus status = astar_stored_query_copy(&snapshot->stored, search, &search->allocator);
    search->stepped.continuation = &snapshot->continuation;
    if (status == ASTAR_OK)
        status = astar_snapshot_need(search->finder->grid, search->finder->options.avoid,
                                     &snapshot->map);
    if (status != ASTAR_OK) {
        free_snapshot(search);
        search->stepped.continuation = before;
        return status;
    }
    snapshot->before = before;
    search->algorithm = ASTAR_AUTO; // there are no nodes of the map to inspect
    return ASTAR_OK;
}

// Restarts a search whose result an edit may have changed. After the last restart the search runs
// on a snapshot. Returns ASTAR_RUNNING or ASTAR_NO_MEMORY.
static AstarStatus restart_search(AstarSearch *search)
{
    if (search->stepped.continuation != NULL)
        search->stepped.continuation->restart(search);
    else
        astar_search_prepare_again(search, search->goal.x, search->goal.y, &search->query);
    search->status = ASTAR_RUNNING;
    if (search->stepped.restarts++ < MOST_RESTARTS_ON_MAP)
        return ASTAR_RUNNING;
    AstarStatus status = astar_search_take_snapshot(search);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Runs one step of a search. If the map was edited since the previous step, sets '*is_between' to
// true and returns ASTAR_GRID_CHANGED.
static AstarStatus step_once(AstarSearch *search, uint64_t expansions, void *context,
                             bool *is_between)
{
    const AstarContinuation *continuation = search->stepped.continuation;
    uint64_t version = astar_finder_version(search->finder);
    AstarStatus status = continuation != NULL ? continuation->step(search, expansions, context)
                                              : astar_search_go_on(search, expansions, context);
    // If the version has changed since the beginning of this step, a callback edited the map.
    *is_between = status == ASTAR_GRID_CHANGED &&
                  (continuation == NULL || continuation->restart != NULL) &&
                  astar_finder_version(search->finder) == version;
    return status;
}

AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context)
{
    if (search->status != ASTAR_RUNNING)
        return search->status;
    astar_blocks_give_back();
    bool is_between;
    uint64_t before = search->expanded;
    AstarStatus status = step_once(search, expansions, context, &is_between);
    if (is_between) {
        bool has_time = search->expanded == before;
        status = restart_search(search);
        if (status == ASTAR_RUNNING && has_time)
            status = step_once(search, expansions, context, &is_between);
    }
    bool goes_on = status == ASTAR_NO_MEMORY || status == ASTAR_BAD_COST;
    search->status = goes_on ? ASTAR_RUNNING : status;
    return status;
}

AstarStatus astar_search_path(AstarSearch *search, AstarPath *path)
{
    assert(search->status == ASTAR_OK);
    return search->stepped.given.cells > 0 ? astar_path_copy(&search->stepped.given, path)
                                           : astar_search_trace_path(search, path);
}

// ------------------------------------------------------------------------------------------------
// Searches that continue although their map was edited between two steps.
//
// A search may continue if its state is the state that a search started on the edited map would
// have by now. In this case both searches find the same route. Everything that a query computes
// from the whole map is therefore computed again and must come out the same: costs, components, the
// algorithm chosen. For the edited cells there are two criteria.
//
// A search that goes step by step reads only the cells that it has reached and their neighbours. An
// edit elsewhere has changed nothing yet, and the search will read the edited cells later.
//
// Jump point search may read cells far from its nodes. An edited cell changes nodes whose jumps end
// there, and nodes beyond. All of these lie on routes through that cell or past its corner. No such
// route is shorter than the walk, without obstacles, from the start to that cell and on to the
// goal. Nodes of lower f are the same as in a new search, and so is the order in which they leave
// the open list. The search is therefore valid below that bound, and a goal found below the bound
// is reached by the best route.
//
// A callback of a script may depend on anything. Therefore a search with a callback does not
// continue after an edit. A search whose unit ignores its own blocks does not continue either,
// because it uses a bitmap of its own.
// ------------------------------------------------------------------------------------------------

// Largest edited area, in cells, that is examined cell by cell on a map with links; a larger area
// is treated as an edit that changes everything.
enum { MOST_CELLS_MEASURED = 4096 };

// The next functions are for searches that go from cell to cell, step by step.

// Returns true if a search that goes step by step has read a cell. The ends of all links were read
// when it began.
static bool has_read(const AstarSearch *search, int x, int y)
{
    return astar_has_reached(search, x, y) ||
           (search->own.linked && astar_bits_get(&search->grid->links_and_walls->ends, x, y));
}

static bool has_read_any(const AstarSearch *search, const AstarEdit *area)
{
    if (astar_edit_covers(area, search->start_x,
                          search->start_y)) // saves looking through a large area
        return true;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            if (has_read(search, x, y))
                return true;
    return false;
}

// The next functions are for jump point searches.

// Returns true if the search adds up costs as whole numbers.
static bool counts_whole(const AstarSearch *search)
{
    return search->algorithm == ASTAR_JPS || astar_is_baked(search->algorithm);
}

static bool jumps(const AstarSearch *search)
{
    return counts_whole(search) || search->algorithm == ASTAR_JPSW;
}

// Returns how many positions 'position' lies outside the interval of 'count' positions that begins
// at 'first'; 0 if it lies inside.
static int distance_to(int position, int first, int count)
{
    if (position < first)
        return first - position;
    return position >= first + count ? position - (first + count - 1) : 0;
}

// Returns a lower bound of f for any route through an area of a map with links. The bound is
// computed cell by cell. The bound is 0 if the area is too large or if a link ends in it.
static double least_f_over_links(const AstarSearch *search, const AstarEdit *area)
{
    double least = INFINITY;
    if ((int64_t)area->width * area->height > MOST_CELLS_MEASURED ||
        astar_links_end_in(search->grid, area))
        return 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            least = fmin(least, astar_front_estimate(search, true, x, y, true) +
                                    astar_jpsw_least_on(search, x, y));
    return least * (1 - 1e-9);
}

// Returns a lower bound of f for any route from (x, y) to the goal that passes through an area. The
// bound is in the unit in which the search counts costs.
static double least_f_from(const AstarSearch *search, int x, int y, const AstarEdit *area)
{
    int dx0 = distance_to(x, area->x, area->width);
    int dy0 = distance_to(y, area->y, area->height);
    const AstarGoal *goal = &search->goal;
    int near_x = astar_nearest_covered(area->x, area->width, goal->x);
    int near_y = astar_nearest_covered(area->y, area->height, goal->y);
    int dx1 = astar_goal_columns(goal, near_x, goal->x);
    int dy1 = astar_goal_rows(goal, near_y, goal->y);
    if (counts_whole(search))
        return astar_jps_least_f(search, dx0, dy0, dx1, dy1);
    const AstarHeuristic *heuristic = &search->finder->costs.heuristic;
    double least = astar_estimate(heuristic, dx0, dy0) + astar_estimate(heuristic, dx1, dy1);
    return least * (1 - 1e-9);
}

// Returns a lower bound of f for any route through an area that begins in a root of the search.
static double least_f(const AstarSearch *search, const AstarEdit *area)
{
    const AstarGoalSet *set = &search->many.goals;
    if (search->own.linked)
        return least_f_over_links(search, area);
    bool is_of_many = astar_goal_is_of_many(&search->goal);
    double least = is_of_many ? INFINITY
                              : least_f_from(search, search->start_x, search->start_y, area);
    for (size_t i = 0; is_of_many && i < set->estimated_count; i++)
        least = fmin(least, least_f_from(search, set->estimated[i].x, set->estimated[i].y, area));
    return least * (astar_jumps_back(search) ? 1 << search->jumps.rank_bits : 1);
}

// Returns true if the search has reached nodes that an edit may have changed.
static bool is_past_bound(AstarSearch *search)
{
    if (ASTAR_HAS_BAKING && astar_is_baked(search->algorithm))
        return astar_baked_route_cost(search) >= search->stepped.sound_below;
    if (search->algorithm == ASTAR_JPS)
        return (double)(search->jumps.open.least >> ASTAR_CELL_BITS) >= search->stepped.sound_below;
    return astar_slotted_least_f(&search->front.open) >= search->stepped.sound_below;
}

AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status)
{
    if (isinf(search->stepped.sound_below) || status == ASTAR_NO_MEMORY)
        return status;
    if (status == ASTAR_RUNNING)
        return is_past_bound(search) ? ASTAR_GRID_CHANGED : status;
    if (astar_is_baked(search->algorithm))
        return is_past_bound(search) ? ASTAR_GRID_CHANGED : status;
    if (status != ASTAR_OK)
        return ASTAR_GRID_CHANGED;
    const AstarJumpNode *goal = astar_jump_node(&search->jumps.nodes, astar_jps_target(search));
    double f = search->algorithm == ASTAR_JPS ? goal->g.whole
                                              : goal->g.real; // the search was a jump point search
    return f < search->stepped.sound_below ? status : ASTAR_GRID_CHANGED;
}

// The next functions are for searches of both kinds.

// Returns true if the search need not restart after an edit, because the edit changes nothing that
// the search has read so far. In that case the function also prepares the search for its next
// steps. For a search that goes step by step, it stores in the nodes which edited cells can be
// entered. For a jump point search, it lowers 'sound_below': the search restarts when it reaches
// that f.
static bool outlasts(AstarSearch *search, const AstarEdit *edit)
{
    if (edit->width == 0) // an edit of the whole map, such as its costs, is checked elsewhere
        return true;
    AstarEdit area = astar_cells_concerned(search->grid, edit, astar_finder_body(search->finder));
    if (!jumps(search) && has_read_any(search, &area))
        return false;
    if (!jumps(search)) {
        astar_best_first_take_in(search, &area);
        return true;
    }
    double f = least_f(search, &area);
    search->stepped.sound_below = f < search->stepped.sound_below ? f : search->stepped.sound_below;
    return !is_past_bound(search);
}

// Returns true if the search need not restart after any of the edits that were made since the
// search last looked at the map.
static bool outlasts_edits(AstarSearch *search)
{
    const uint64_t ignored = search->finder->options.ignore;
    if (!astar_knows_edits_since(search->grid, ignored, search->stepped.seen.grid))
        return false;
    AstarEditsSince edits = astar_edits_since(search->grid, ignored, search->stepped.seen.grid);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
        if (!outlasts(search, edit))
            return false;
    return true;
}

// Returns true if the search need not restart after the changes of the field to avoid. Values of a
// field do not change which cells can be entered, so a search that goes step by step may continue
// if it has not read a changed value. This matters if the whole field changes in each frame, as by
// field:decay().
static bool outlasts_changes(AstarSearch *search)
{
    const AstarField *field = search->finder->options.avoid;
    AstarEdit change;
    uint32_t tile = 0;
    while (field != NULL &&
           astar_field_next_change(field, search->stepped.seen.field, &tile, &change)) {
        AstarEdit area = astar_cells_concerned(search->grid, &change,
                                               astar_finder_body(search->finder));
        bool is_past = jumps(search) ? !outlasts(search, &change) : has_read_any(search, &area);
        if (is_past)
            return false;
    }
    return true;
}

// Returns true if this kind of search can continue after edits at its present stage. A search that
// straightens a path at any angle or draws rays has read cells for which it has no nodes, so it
// always restarts.
static bool may_outlast_edits(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    return astar_finder_allows(finder, ASTAR_RESUMING) &&
           search->stepped.phase != ASTAR_STRAIGHTEN && !astar_rays_are_drawn(search);
}

// Checks whether a search started now for the same query would have the same goal, algorithm and
// connected components. Returns ASTAR_OK if it would, ASTAR_GRID_CHANGED if not, and ASTAR_RUNNING
// if the work budget is used up before the answer is known. The finder must be up to date.
static AstarStatus compare_new_start(AstarSearch *search, int64_t *work)
{
    AstarPrecheckResult outcome;
    AstarGoal goal;
    AstarAlgorithm algorithm;
    if (astar_goal_is_of_many(&search->goal)) // nearest.c has checked the goals before
        return astar_may_jump_back(search, &search->goal) == astar_jumps_back(search)
                   ? ASTAR_OK
                   : ASTAR_GRID_CHANGED;
    if (search->goal.kind == ASTAR_GOAL_NEAR &&
        astar_jumps_back(search)) // from other cells, perhaps
        return ASTAR_GRID_CHANGED;
    AstarStatus status = astar_search_check_reachable(search, &outcome, &goal, work);
    if (status == ASTAR_RUNNING)
        return status;
    AstarStatus chosen = astar_choose_algorithm(search, &goal, &algorithm);
    if (status == ASTAR_NO_MEMORY || chosen != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarAlgorithm searching = astar_is_baked(search->algorithm) ? ASTAR_JPS : search->algorithm;
    bool same = status == ASTAR_OK && outcome.connected == search->known.outcome.connected &&
                outcome.certain == search->known.outcome.certain && algorithm == searching &&
                astar_goal_is_same(&goal, &search->goal) &&
                (algorithm != ASTAR_JPSW || astar_jpsw_is_same(search));
    return same ? ASTAR_OK : ASTAR_GRID_CHANGED;
}

// Brings the finder, the layers and the estimates up to date with the map, and checks whether the
// search can continue. Returns the statuses of astar_resume.
static AstarStatus take_edits_of_map(AstarSearch *search, int64_t *work)
{
    AstarFinder *finder = search->finder;
    const AstarSeenMap *seen = &search->stepped.seen;
    AstarStatus status = astar_finder_advance(finder, work);
    if (status != ASTAR_OK)
        return status;
    if (jumps(search) && search->own.linked &&
        finder->grid->links_and_walls_version == seen->links_and_walls)
        status = astar_links_advance(search, true, finder->costs.heuristic, work);
    if (status != ASTAR_OK)
        return status;
    if (search->algorithm == ASTAR_ASTAR && astar_roads_changes(finder) > 0)
        astar_roads_update(finder);
    if (finder->costs.changes + astar_roads_changes(finder) != seen->tables ||
        !astar_active_landmarks_are_same(search) ||
        finder->grid->links_and_walls_version != seen->links_and_walls || !outlasts_edits(search) ||
        !outlasts_changes(search))
        return ASTAR_GRID_CHANGED;
    status = astar_search_build_components(search, work);
    if (status == ASTAR_OK)
        status = astar_search_build_for(search->finder,
                                        astar_search_algorithm_for(search, &search->goal), work);
    return status == ASTAR_OK ? compare_new_start(search, work) : status;
}

AstarStatus astar_resume(AstarSearch *search, int64_t *work)
{
    uint64_t version = astar_finder_version(search->finder);
    if (version == search->costs.version)
        return ASTAR_OK;
    if (!may_outlast_edits(search))
        return ASTAR_GRID_CHANGED;
    AstarStatus status = take_edits_of_map(search, work);
    if (status == ASTAR_OK) {
        search->costs.version = version;
        astar_search_look_at_map(search);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// A search that a worker thread runs, on a copy of its map.
//
// The worker's search gets a description of the query that is independent of the caller's search,
// which may continue or be closed meanwhile. The result of the worker's search then ends the
// caller's search.
// ------------------------------------------------------------------------------------------------

// The query.

bool astar_search_may_have_twin(const AstarSearch *search)
{
    AstarStoredQuery stored = {.test = NULL};
    if (search->status != ASTAR_RUNNING || search->finder->original != NULL)
        return false;
    if (search->stepped.continuation == NULL)
        return true;
    if (search->stepped.continuation->describe != NULL)
        search->stepped.continuation->describe(search, &stored);
    return search->stepped.continuation->describe != NULL && stored.test == NULL;
}

// Replaces the goals or the path of a stored query, which still belong to the search, by copies
// that belong to the stored query.
static AstarStatus copy_goals_and_path(AstarStoredQuery *stored, const AstarAllocator *allocator)
{
    const AstarCell *goals = stored->goals;
    AstarPath path = stored->path;
    AstarStatus status = ASTAR_OK;
    stored->goals = NULL;
    astar_path_init(&stored->path);
    if (goals != NULL) {
        stored->goals = astar_alloc(allocator, stored->goal_count + 1, sizeof *goals);
        status = stored->goals != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    }
    if (stored->goals != NULL && stored->goal_count > 0)
        memcpy(stored->goals, goals, stored->goal_count * sizeof *goals);
    return path.cells > 0 ? astar_path_copy(&path, &stored->path) : status;
}

AstarStatus astar_stored_query_copy(AstarStoredQuery *stored, const AstarSearch *search,
                                    const AstarAllocator *allocator)
{
    *stored = (AstarStoredQuery){.sx = search->start_x,
                                 .sy = search->start_y,
                                 .gx = search->goal.x,
                                 .gy = search->goal.y,
                                 .query = search->query};
    if (search->stepped.continuation != NULL)
        search->stepped.continuation->describe(search, stored);
    return copy_goals_and_path(stored, allocator);
}

void astar_stored_query_free(AstarStoredQuery *stored, const AstarAllocator *allocator)
{
    astar_release(allocator, stored->goals, stored->goal_count + 1, sizeof *stored->goals);
    astar_path_destroy(&stored->path);
}

AstarStatus astar_stored_query_begin(const AstarStoredQuery *stored, AstarSearch *twin,
                                     uint64_t at_once)
{
    if (stored->path.cells > 0)
        return astar_search_repair_in_steps(twin, &stored->path, stored->from, stored->optimal,
                                            at_once);
    if (stored->test != NULL)
        return astar_search_where_in_steps(twin, stored->sx, stored->sy, stored->test,
                                           &stored->query, at_once);
    if (stored->goals != NULL)
        return astar_search_nearest_in_steps(twin, stored->sx, stored->sy, stored->goals,
                                             stored->goal_count, &stored->query, at_once);
    return astar_search_begin_in_steps(twin, stored->sx, stored->sy, stored->gx, stored->gy,
                                       &stored->query, at_once);
}

// The result.

static bool is_end(AstarStatus status)
{
    return status == ASTAR_OK || (status >= ASTAR_START_BLOCKED && status <= ASTAR_MAX_EXPANSIONS);
}

void astar_search_set_goal_met(AstarSearch *search, const AstarCell *goals, size_t count,
                               size_t index)
{
    const AstarCell *goal = &goals[index];
    search->many.goals = (AstarGoalSet){.list = {.cells = goals, .count = count},
                                        .met = astar_cell(search->grid, goal->x, goal->y)};
}

static void set_goal_of_twin(AstarSearch *search, size_t index)
{
    AstarStoredQuery stored = {.goals = NULL};
    if (search->stepped.continuation != NULL)
        search->stepped.continuation->describe(search, &stored);
    if (stored.goals != NULL)
        astar_search_set_goal_met(search, stored.goals, stored.goal_count, index);
}

bool astar_search_adopt(AstarSearch *search, AstarTwinAnswer *answer)
{
    if (!is_end(answer->status) || !astar_search_may_have_twin(search))
        return false;
    if (answer->status == ASTAR_OK)
        set_goal_of_twin(search, answer->index);
    search->stepped.given = answer->path;
    astar_path_init(&answer->path);
    search->expanded = answer->expanded;
    search->status = answer->status;
    return true;
}
