// workspace.c -- Workspaces: the memory of searches, kept from one query to the next.
//
// A workspace keeps a short list of idle searches of different sizes, with the one used last first.
// A search serves every grid that it has room for and that is not much smaller. Queries about small
// maps therefore do not use the memory made for a large map. An idle search that was not used for a
// while is freed.

#include "search/workspace.h"

#include "base/job_kind.h"
#include "search/active_landmarks.h"
#include "search/any_angle.h"
#include "search/baked.h"
#include "search/bend_levels.h"
#include "search/bends.h"
#include "search/estimate.h"
#include "search/fewest_bends.h"
#include "search/goal.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/jump_scan.h"
#include "search/links.h"
#include "search/path.h"
#include "search/priced_bends.h"
#include "search/search.h"
#include "search/search_life.h"
#include "search/smooth.h"

enum {
    MOST_IDLE = 4,      // maximum number of idle searches
    LONGEST_REST = 256, // an idle search is freed after so many other searches were taken
    LARGEST_SHARE = 4   // a search may be made for so many times the cells of its grid
};

struct AstarWorkspace {
    AstarAllocator allocator;
    uint32_t references; // number of owners plus number of searches in use
    uint64_t taken;      // number of searches taken so far
    AstarSearch *idle;   // list of idle searches, the one used last first
};

AstarStatus astar_workspace_new(const AstarAllocator *allocator, AstarWorkspace **out)
{
    AstarAllocator from = astar_allocator(allocator);
    AstarWorkspace *workspace = astar_alloc(&from, 1, sizeof *workspace);
    if (workspace == NULL)
        return ASTAR_NO_MEMORY;
    workspace->allocator = from;
    workspace->references = 1;
    *out = workspace;
    return ASTAR_OK;
}

// Frees an idle search.
static void discard(AstarSearch *search)
{
    AstarAllocator allocator = search->allocator;
    astar_pages_free(&search->front.nodes, &allocator);
    astar_nodes_free(&search->core.nodes, &allocator);
    astar_lifo_free(&search->core.open, &allocator);
    astar_pages_free(&search->many.goal_marks, &allocator);
    astar_pages_free(&search->own.step_costs, &allocator);
    astar_release(&allocator, search->own.cut.cells, search->own.cut.capacity,
                  sizeof *search->own.cut.cells);
    astar_slotted_free(&search->front.open, &allocator);
    astar_jump_nodes_free(&search->jumps.nodes, &allocator);
    astar_heap64_free(&search->jumps.open, &allocator);
    astar_costs_free(&search->costs, &allocator);
    astar_links_free(search);
    if (ASTAR_HAS_BAKING)
        astar_baked_scratch_free(search);
    for (int i = 0; i < 3; i++)
        astar_path_destroy(&search->parts[i]);
    astar_states_free(search);
    astar_rays_free(search);
    astar_levels_free(search);
    astar_priced_free(search);
    astar_any_angle_free(search);
    astar_range_free(&search->many.around, &allocator);
    astar_release(&allocator, search->many.nears, search->rest.cells, sizeof *search->many.nears);
    astar_release(&allocator, search->many.lists, 1, sizeof *search->many.lists);
    astar_release(&allocator, search->known.labels, search->known.label_capacity,
                  sizeof *search->known.labels);
    astar_release(&allocator, search->lines.spots, search->lines.spot_capacity,
                  sizeof *search->lines.spots);
    astar_release(&allocator, search->lines.costs, search->lines.cost_capacity,
                  sizeof *search->lines.costs);
    astar_release(&allocator, search->lines.turns, search->lines.turn_capacity,
                  sizeof *search->lines.turns);
    astar_release(&allocator, search->lines.smoothing, 1, sizeof *search->lines.smoothing);
    astar_release(&allocator, search, 1, sizeof *search);
}

ASTAR_HOT const AstarAllocator *astar_workspace_allocator(const AstarWorkspace *workspace)
{
    return &workspace->allocator;
}

void astar_workspace_retain(AstarWorkspace *workspace)
{
    workspace->references++;
}

void astar_workspace_free(AstarWorkspace *workspace)
{
    if (workspace == NULL || --workspace->references > 0)
        return;
    while (workspace->idle != NULL) {
        AstarSearch *search = workspace->idle;
        workspace->idle = search->rest.next;
        discard(search);
    }
    AstarAllocator allocator = workspace->allocator;
    astar_release(&allocator, workspace, 1, sizeof *workspace);
}

size_t astar_workspace_bytes(const AstarWorkspace *workspace)
{
    size_t bytes = sizeof *workspace;
    for (const AstarSearch *each = workspace->idle; each != NULL; each = each->rest.next)
        bytes += astar_search_bytes(each);
    return bytes;
}

// Returns true if the memory of a search is large enough for a grid of 'cells' cells, and not much
// larger.
static bool suits_grid(const AstarSearch *search, uint32_t cells)
{
    return search->rest.cells >= cells && search->rest.cells / LARGEST_SHARE <= cells;
}

// Removes from the list the first idle search that suits a grid of 'cells' cells, and returns that
// search. Returns NULL if no idle search suits the grid.
static AstarSearch *take_idle(AstarWorkspace *workspace, uint32_t cells)
{
    for (AstarSearch **link = &workspace->idle; *link != NULL; link = &(*link)->rest.next) {
        AstarSearch *search = *link;
        if (suits_grid(search, cells)) {
            *link = search->rest.next;
            return search;
        }
    }
    return NULL;
}

static AstarSearch *new_search(const AstarWorkspace *workspace, uint32_t cells)
{
    AstarSearch *search = astar_alloc(&workspace->allocator, 1, sizeof *search);
    if (search != NULL) {
        search->allocator = workspace->allocator;
        search->rest.cells = cells;
    }
    return search;
}

AstarStatus astar_search_take(AstarWorkspace *workspace, AstarFinder *finder, AstarSearch **out)
{
    AstarStatus status = astar_finder_update(finder);
    return status == ASTAR_OK ? astar_search_take_unbuilt(workspace, finder, out) : status;
}

AstarStatus astar_search_take_unbuilt(AstarWorkspace *workspace, AstarFinder *finder,
                                      AstarSearch **out)
{
    AstarStatus status = astar_finder_update_tables(finder);
    if (status != ASTAR_OK)
        return status;
    const AstarGrid *grid = finder->grid;
    AstarSearch *search = take_idle(workspace, grid->cells);
    if (search == NULL)
        search = new_search(workspace, grid->cells);
    if (search == NULL)
        return ASTAR_NO_MEMORY;
    search->rest.workspace = workspace;
    astar_workspace_retain(workspace);
    workspace->taken++;
    search->grid = grid;
    search->finder = finder;
    search->stepped.preparing = (AstarPreparing){.in_steps = false};
    search->stepped.restarts = 0;
    astar_finder_retain(finder);
    status = astar_costs_begin(&search->costs, finder, &search->allocator);
    if (status != ASTAR_OK) {
        astar_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

// Puts a search at the head of the list of idle searches. If the list has a search for the same
// number of cells already, only the one with more memory is kept. Freeing the larger one would take
// longer than a step of a search may take.
static void put_to_rest(AstarWorkspace *workspace, AstarSearch *search)
{
    AstarSearch **link = &workspace->idle, *other;
    while (*link != NULL && (*link)->rest.cells != search->rest.cells)
        link = &(*link)->rest.next;
    other = *link;
    if (other != NULL) {
        *link = other->rest.next;
        bool is_larger = astar_search_bytes(other) > astar_search_bytes(search);
        discard(is_larger ? search : other);
        search = is_larger ? other : search;
    }
    search->rest.used = workspace->taken;
    search->rest.next = workspace->idle;
    workspace->idle = search;
}

// Frees idle searches that are too many or that were not used for a while.
static void tidy(AstarWorkspace *workspace)
{
    int count = 1;
    for (AstarSearch **link = &workspace->idle->rest.next; *link != NULL;) {
        AstarSearch *each = *link;
        if (count == MOST_IDLE || workspace->taken - each->rest.used > LONGEST_REST) {
            *link = each->rest.next;
            discard(each);
        } else {
            count++;
            link = &each->rest.next;
        }
    }
}

void astar_search_free(AstarSearch *search)
{
    if (search == NULL)
        return;
    AstarWorkspace *workspace = search->rest.workspace;
    AstarFinder *finder = search->finder;
    if (search->stepped.continuation != NULL)
        search->stepped.continuation->free(search);
    search->stepped.continuation = NULL;
    if (search->stepped.given.cells > 0)
        astar_path_destroy(&search->stepped.given);
    search->finder = NULL;
    search->grid = NULL;
    search->own.ignores_baked = search->stepped.builds_by_steps = false;
    search->costs.context = NULL;
    astar_costs_rest(&search->costs, &search->allocator);
    astar_pages_rest(&search->front.nodes, &search->allocator);
    astar_nodes_rest(&search->core.nodes, &search->allocator);
    astar_lifo_rest(&search->core.open, &search->allocator);
    astar_levels_rest(search);
    astar_priced_rest(search);
    astar_pages_rest(&search->many.goal_marks, &search->allocator);
    astar_pages_rest(&search->own.step_costs, &search->allocator);
    astar_jump_nodes_rest(&search->jumps.nodes, &search->allocator);
    astar_heap64_rest(&search->jumps.open, &search->allocator);
    put_to_rest(workspace, search);
    tidy(workspace);
    astar_finder_release(finder); // it may hold the last reference to the grid
    astar_workspace_free(workspace);
}

ASTAR_HOT AstarSearch *astar_workspace_borrow(AstarWorkspace *workspace, AstarFinder *finder)
{
    AstarSearch *search = workspace->idle;
    if (search == NULL || !suits_grid(search, finder->grid->cells))
        return NULL;
    search->rest.used = ++workspace->taken;
    search->grid = finder->grid;
    search->finder = finder;
    return search;
}

ASTAR_HOT void astar_workspace_give_back(AstarWorkspace *workspace, AstarSearch *search)
{
    search->grid = NULL;
    search->finder = NULL;
    astar_jump_nodes_rest(&search->jumps.nodes, &search->allocator);
    astar_heap64_rest(&search->jumps.open, &search->allocator);
    if (search->rest.next != NULL)
        tidy(workspace);
}

size_t astar_search_bytes(const AstarSearch *search)
{
    size_t bytes = sizeof *search + search->lines.cost_capacity * sizeof *search->lines.costs;
    bytes += search->lines.spot_capacity * sizeof *search->lines.spots;
    bytes += search->lines.turn_capacity * sizeof *search->lines.turns;
    bytes += search->lines.smoothing != NULL ? sizeof *search->lines.smoothing : 0;
    bytes += (ASTAR_HAS_BAKING ? astar_baked_scratch_bytes(search) : 0) +
             astar_states_bytes(search) + astar_rays_bytes(search) + astar_levels_bytes(search) +
             astar_priced_bytes(search);
    bytes += astar_links_bytes(search) + astar_any_angle_bytes(search);
    bytes += astar_range_bytes(&search->many.around) +
             search->known.label_capacity * sizeof *search->known.labels;
    bytes += search->stepped.continuation != NULL ? search->stepped.continuation->bytes : 0;
    bytes += search->stepped.given.cells > 0 ? astar_path_bytes(&search->stepped.given) : 0;
    bytes += search->many.nears != NULL ? search->rest.cells * sizeof *search->many.nears : 0;
    bytes += search->many.lists != NULL ? sizeof *search->many.lists : 0;
    bytes += astar_slotted_bytes(&search->front.open) + astar_pages_bytes(&search->front.nodes);
    bytes += astar_lifo_bytes(&search->core.open) + astar_nodes_bytes(&search->core.nodes);
    bytes += astar_pages_bytes(&search->many.goal_marks) +
             astar_pages_bytes(&search->own.step_costs);
    bytes += search->own.cut.capacity * sizeof *search->own.cut.cells;
    for (int i = 0; i < 3; i++)
        bytes += astar_path_bytes(&search->parts[i]);
    bytes += search->jumps.open.capacity * sizeof *search->jumps.open.items;
    bytes += astar_jump_nodes_bytes(&search->jumps.nodes);
    return bytes + astar_costs_bytes(&search->costs);
}

// ------------------------------------------------------------------------------------------------
// Kinds of jobs: searches, and jobs that build the layers that queries need.
// ------------------------------------------------------------------------------------------------

ASTAR_JOB_STEPS(step_search_job, astar_search_step(job, expansions, context))
ASTAR_JOB_TELLS(AstarStatus, status_of_search_job, astar_search_status(job))
ASTAR_JOB_TELLS(uint64_t, expanded_of_search_job, astar_search_expanded(job))
ASTAR_JOB_TELLS(size_t, bytes_of_search_job, astar_search_bytes(job))
ASTAR_JOB_CLOSES(close_search_job, astar_search_free(job))

const AstarJobKind astar_search_job = {"search",
                                       step_search_job,
                                       status_of_search_job,
                                       expanded_of_search_job,
                                       bytes_of_search_job,
                                       close_search_job};

ASTAR_JOB_STEPS(step_preparing_job, astar_finder_prepare(job, expansions))
ASTAR_JOB_STEPS(step_settling_job, astar_finder_settle(job, expansions))
ASTAR_JOB_CLOSES(close_preparing_job, astar_finder_release(job))

const AstarJobKind astar_preparing_job = {
    .name = "preparing", .step = step_preparing_job, .close = close_preparing_job};
const AstarJobKind astar_settling_job = {
    .name = "settling", .step = step_settling_job, .close = close_preparing_job};

// ------------------------------------------------------------------------------------------------
// Inspection of a search: the state, g, h and parent of each cell that it has reached.
//
// No data is stored for this purpose. A node itself holds whether it is open or closed and the step
// that led to it, from which its parent follows. The estimate is computed again.
// ------------------------------------------------------------------------------------------------

// The message for each status, in the order of AstarStatus.
static const char *const status_texts[] = {
    "found",
    "running",
    "start blocked",
    "goal blocked",
    "unreachable",
    "max_cost",
    "max_expansions",
    "grid changed",
    "cost out of range",
    "option out of range",
    "not enough memory",
    "algorithm cannot honour links and walls",
    "algorithm cannot honour ground of several costs",
    "cell outside the grid",
    "not a saved grid, or a damaged one",
    "more cells than max_cells",
    "occupied",
    "not loaded",
    "every copy is being read",
    "name taken",
    "built without threads",
    "no more threads can be started",
    "cancelled",
    "unsolvable",
    "bytes",
    "maps that wrap around cannot honour this",
};
static_assert(sizeof status_texts / sizeof *status_texts == ASTAR_STATUS_COUNT,
              "a text for each of AstarStatus");

const char *astar_status_text(AstarStatus status)
{
    return status < ASTAR_STATUS_COUNT ? status_texts[status] : "unknown status";
}

// Returns the state of a cell in a search: ASTAR_UNSEEN, ASTAR_OPENED or ASTAR_CLOSED. The result
// is ASTAR_UNSEEN for all cells if the query was answered without a search.
ASTAR_COLD static AstarCellState state_of(const AstarSearch *search, uint32_t cell)
{
    bool is_known, is_closed;
    if (search->algorithm == ASTAR_AUTO || astar_is_baked(search->algorithm))
        return ASTAR_UNSEEN;
    if (search->algorithm == ASTAR_JPS || search->algorithm == ASTAR_JPSW) {
        const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
        is_known = node != NULL;
        is_closed = is_known && astar_jump_is_closed(node);
    } else {
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        is_known = astar_has_reached(search, x, y);
        is_closed = astar_goes_over_states(search) ? astar_states_has_closed(search, cell)
                                                   : astar_node_is_closed(astar_node(search, cell));
    }
    return !is_known ? ASTAR_UNSEEN : is_closed ? ASTAR_CLOSED : ASTAR_OPENED;
}

static void describe_jump_node(const AstarSearch *search, uint32_t cell, AstarSeen *seen)
{
    const AstarFinder *finder = search->finder;
    const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
    bool is_whole = search->algorithm == ASTAR_JPS;
    uint32_t parent = astar_jump_parent(node);
    seen->g = is_whole ? (node->g.whole >> search->jumps.rank_bits) *
                             (finder->min_cost / finder->whole.straight)
                       : node->g.real;
    seen->has_parent = parent != cell;
    astar_cell_xy(search->grid, parent, &seen->parent_x, &seen->parent_y);
}

static void describe_node(const AstarSearch *search, uint32_t cell, AstarSeen *seen)
{
    seen->g = astar_node_g(search, cell);
    seen->has_parent = astar_node_from(astar_node(search, cell)) != ASTAR_FROM_NOWHERE;
    if (seen->has_parent)
        cell = astar_search_parent(search, cell);
    astar_cell_xy(search->grid, cell, &seen->parent_x, &seen->parent_y);
}

// Fills in the cost and the parent of the best path to a cell. The paths compared arrive with
// different headings.
static void describe_best_state(const AstarSearch *search, uint32_t cell, AstarSeen *seen)
{
    const AstarState *state = astar_states_best(search, cell);
    const AstarState *parent = astar_states_parent(search, state);
    seen->g = state->g;
    seen->has_parent = parent != state;
    astar_cell_xy(search->grid, parent->cell, &seen->parent_x, &seen->parent_y);
}

// Returns the estimate by which the search orders a cell. The search may be in the middle of a
// step, so 'context' is passed to callbacks and the search's own context stays unchanged.
static double inspect_estimate(const AstarSearch *search, void *context, const AstarSeen *seen)
{
    if (search->algorithm == ASTAR_JPSW)
        return astar_jpsw_estimate(search, seen->x, seen->y);
    if (astar_jumps_back(search))
        return astar_walk_estimate(search, true, seen->x, seen->y);
    if (astar_active_landmarks_are_old(search)) { // its landmarks are stale, so it will restart
        double h = astar_walk_estimate(search, false, seen->x, seen->y);
        return search->own.linked ? astar_links_estimate(search, false, seen->x, seen->y, h) : h;
    }
    return astar_goal_estimate(search, context, seen->x, seen->y, search->own.linked);
}

static void describe(const AstarSearch *search, uint32_t cell, void *context, AstarSeen *seen)
{
    *seen = (AstarSeen){.closed = state_of(search, cell) == ASTAR_CLOSED};
    astar_cell_xy(search->grid, cell, &seen->x, &seen->y);
    if (astar_goes_over_states(search))
        describe_best_state(search, cell, seen);
    else if (search->algorithm == ASTAR_JPS || search->algorithm == ASTAR_JPSW)
        describe_jump_node(search, cell, seen);
    else
        describe_node(search, cell, seen);
    seen->h = inspect_estimate(search, context, seen);
    seen->f = seen->g + search->own.weight * seen->h;
}

ASTAR_COLD bool astar_search_seen(const AstarSearch *search, uint64_t *cursor, void *context,
                                  AstarSeen *seen)
{
    search = astar_search_searching(search);
    astar_jump_nodes_finish_table(&search->jumps.nodes);
    for (; *cursor < search->grid->cells; ++*cursor) {
        uint32_t cell = (uint32_t)*cursor;
        if (state_of(search, cell) == ASTAR_UNSEEN)
            continue;
        describe(search, cell, context, seen);
        ++*cursor;
        return true;
    }
    return false;
}

AstarCellState astar_search_cell(const AstarSearch *search, int x, int y)
{
    search = astar_search_searching(search);
    if (!astar_inside(search->grid, x, y))
        return ASTAR_UNSEEN;
    astar_jump_nodes_finish_table(&search->jumps.nodes);
    return state_of(search, astar_cell(search->grid, x, y));
}

AstarStatus astar_search_status(const AstarSearch *search)
{
    return search->status;
}

uint64_t astar_search_expanded(const AstarSearch *search)
{
    return search->expanded;
}

AstarAlgorithm astar_search_algorithm(const AstarSearch *search)
{
    return astar_search_searching(search)->algorithm;
}

AstarFinder *astar_search_finder(const AstarSearch *search)
{
    return astar_finder_original(search->finder);
}

void astar_search_ends(const AstarSearch *search, int *sx, int *sy, int *gx, int *gy)
{
    *sx = search->start_x;
    *sy = search->start_y;
    *gx = search->goal.x;
    *gy = search->goal.y;
}
