// inspect.c -- what a search has come to know of each cell, for those who want to watch it.
//
// Nothing is kept for this: nodes tell by their stamp and flag whether they are open or closed and
// by the way they were reached who their parent is, and the estimate is worked out again. A cell
// that a search from both ends has reached twice is told twice.

#include "search/bends.h"
#include "search/estimate.h"
#include "search/jpsw.h"

// How many fronts it has: 2 where it grows from both ends, 0 where it was answered unsearched.
static int front_count(const AstarSearch *search)
{
    switch (search->algorithm) {
    case ASTAR_AUTO: return 0;
    case ASTAR_BIDIRECTIONAL: return 2;
    default: return 1;
    }
}

// What the front from the start, or backward from the goal, knows of a cell.
static AstarCellState front_state(const AstarSearch *search, bool backward, uint32_t cell)
{
    bool is_known, is_closed;
    if (search->bends) {
        is_known = astar_states_first(search, cell) != NULL;
        is_closed = is_known && astar_states_has_closed(search, cell);
    } else if (search->algorithm == ASTAR_JPS) {
        const AstarJumpNode *node = &search->jumps.nodes[cell];
        is_known = node->whole.stamp == search->jumps.stamp;
        is_closed = node->whole.closed;
    } else if (search->algorithm == ASTAR_JPSW) {
        const AstarJumpNode *node = &search->jumps.nodes[cell];
        is_known = astar_jump_is_known(node, search->jumps.stamp);
        is_closed = (node->real.stamp & ASTAR_JUMP_CLOSED) != 0;
    } else {
        const AstarFront *front = &search->fronts[backward];
        is_known = front->nodes[cell].stamp == front->stamp;
        is_closed = front->nodes[cell].closed;
    }
    return !is_known ? ASTAR_UNSEEN : is_closed ? ASTAR_CLOSED : ASTAR_OPENED;
}

static void describe_jump_node(const AstarSearch *search, uint32_t cell, AstarSeen *seen)
{
    const AstarFinder *finder = search->finder;
    const AstarJumpNode *node = &search->jumps.nodes[cell];
    bool is_whole = search->algorithm == ASTAR_JPS;
    uint32_t parent = is_whole ? node->whole.parent : astar_jump_parent(node);
    seen->g = is_whole ? node->whole.g * (finder->min_cost / finder->whole.straight) : node->real.g;
    seen->has_parent = parent != cell;
    astar_cell_xy(search->grid, parent, &seen->parent_x, &seen->parent_y);
}

static void describe_node(const AstarSearch *search, uint32_t cell, AstarSeen *seen)
{
    const AstarNode *node = &search->fronts[seen->from_goal].nodes[cell];
    seen->g = node->g;
    seen->has_parent = node->from != ASTAR_FROM_NOWHERE;
    if (seen->has_parent)
        cell = astar_search_parent(search, &search->fronts[seen->from_goal], cell);
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

// The estimate by which the search orders the cell; of a search from both ends, what it would be
// without links. The search may be in the middle of a step, so its own context stays as it is.
static double inspect_estimate(const AstarSearch *search, void *context, const AstarSeen *seen)
{
    if (search->algorithm == ASTAR_BIDIRECTIONAL)
        return astar_walk_estimate(search, seen->from_goal, seen->x, seen->y);
    if (search->algorithm == ASTAR_JPSW)
        return astar_jpsw_estimate(search, seen->x, seen->y);
    return astar_goal_estimate(search, context, seen->x, seen->y, search->linked);
}

static void describe(const AstarSearch *search, uint32_t cell, bool backward, void *context,
                     AstarSeen *seen)
{
    *seen = (AstarSeen){
        .closed = front_state(search, backward, cell) == ASTAR_CLOSED,
        .from_goal = backward,
    };
    astar_cell_xy(search->grid, cell, &seen->x, &seen->y);
    if (search->bends)
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
    uint64_t fronts = (uint64_t)front_count(search);
    for (; *cursor < fronts * search->grid->cells; ++*cursor) {
        uint32_t cell = (uint32_t)(*cursor / fronts);
        bool backward = *cursor % fronts == 1;
        if (front_state(search, backward, cell) == ASTAR_UNSEEN)
            continue;
        describe(search, cell, backward, context, seen);
        ++*cursor;
        return true;
    }
    return false;
}

AstarCellState astar_search_cell(const AstarSearch *search, int x, int y)
{
    AstarCellState state = ASTAR_UNSEEN;
    if (!astar_inside(search->grid, x, y))
        return state;
    for (int i = 0, count = front_count(search); i < count; i++) {
        AstarCellState known = front_state(search, i == 1, astar_cell(search->grid, x, y));
        state = known > state ? known : state;
    }
    return state;
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
    return search->algorithm;
}

AstarFinder *astar_search_finder(const AstarSearch *search)
{
    return astar_finder_plain(search->finder);
}

void astar_search_ends(const AstarSearch *search, int *sx, int *sy, int *gx, int *gy)
{
    *sx = search->start_x;
    *sy = search->start_y;
    *gx = search->goal.x;
    *gy = search->goal.y;
}
