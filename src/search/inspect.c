// inspect.c -- what a search has come to know of each cell, for those who want to watch it.
//
// Nothing is kept for this: nodes tell by their state whether they are open or closed and
// by the way they were reached who their parent is, and the estimate is worked out again.

#include "search/baked_scratch.h"
#include "search/bends.h"
#include "search/estimate.h"
#include "search/jps.h"

// In the order of AstarStatus.
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
    "worlds that go round cannot honour this",
};
static_assert(sizeof status_texts / sizeof *status_texts == ASTAR_STATUS_COUNT,
              "a text for each of AstarStatus");

const char *astar_status_text(AstarStatus status)
{
    return status < ASTAR_STATUS_COUNT ? status_texts[status] : "unknown status";
}

// What the search knows of a cell; nothing where it was answered unsearched.
static AstarCellState state_of(const AstarSearch *search, uint32_t cell)
{
    bool is_known, is_closed;
    if (search->algorithm == ASTAR_AUTO || astar_is_baked(search->algorithm))
        return ASTAR_UNSEEN;
    if (search->algorithm == ASTAR_JPS || search->algorithm == ASTAR_JPSW) {
        const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
        is_known = node != NULL;
        is_closed = is_known && astar_jump_is_closed(node);
    } else {
        uint8_t state = astar_node_state(search, cell);
        is_known = state != 0;
        is_closed = search->own.bends ? astar_states_has_closed(search, cell)
                                      : (state & ASTAR_NODE_CLOSED) != 0;
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
    seen->has_parent = astar_node_from(astar_node_state(search, cell)) != ASTAR_FROM_NOWHERE;
    if (seen->has_parent)
        cell = astar_search_parent(search, cell);
    astar_cell_xy(search->grid, cell, &seen->parent_x, &seen->parent_y);
}

// Of the ways to a cell by all directions the best one.
static void describe_best_state(const AstarSearch *search, uint32_t cell, AstarSeen *seen)
{
    const AstarState *state = astar_states_best(search, cell);
    const AstarState *parent = astar_states_parent(search, state);
    seen->g = state->g;
    seen->has_parent = parent != state;
    astar_cell_xy(search->grid, parent->cell, &seen->parent_x, &seen->parent_y);
}

// The estimate by which the search orders the cell. The search may be in the middle of a step, so
// its own context stays as it is.
static double inspect_estimate(const AstarSearch *search, void *context, const AstarSeen *seen)
{
    if (search->algorithm == ASTAR_JPSW)
        return astar_jpsw_estimate(search, seen->x, seen->y);
    if (astar_jumps_back(search))
        return astar_walk_estimate(search, true, seen->x, seen->y);
    if (astar_active_landmarks_are_old(search)) { // its landmarks are gone, and it is to begin anew
        double h = astar_walk_estimate(search, false, seen->x, seen->y);
        return search->own.linked ? astar_links_estimate(search, false, seen->x, seen->y, h) : h;
    }
    return astar_goal_estimate(search, context, seen->x, seen->y, search->own.linked);
}

static void describe(const AstarSearch *search, uint32_t cell, void *context, AstarSeen *seen)
{
    *seen = (AstarSeen){.closed = state_of(search, cell) == ASTAR_CLOSED};
    astar_cell_xy(search->grid, cell, &seen->x, &seen->y);
    if (search->own.bends)
        describe_best_state(search, cell, seen);
    else if (search->algorithm == ASTAR_JPS || search->algorithm == ASTAR_JPSW)
        describe_jump_node(search, cell, seen);
    else
        describe_node(search, cell, seen);
    seen->h = inspect_estimate(search, context, seen);
    seen->f = seen->g + search->question.weight * seen->h;
}

bool astar_search_seen(const AstarSearch *search, uint64_t *cursor, void *context, AstarSeen *seen)
{
    search = astar_search_searching(search);
    astar_jump_nodes_settle(&search->jumps.nodes);
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
    astar_jump_nodes_settle(&search->jumps.nodes);
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
