// plain_route.c -- the route that jump point search finds, or that was baked, where nothing else is
// asked, all that it reads is current, and the components tell that there is one.
//
// Most questions of a game are so. To pose a question that may be of any kind, choose what answers
// it and note all that an edit between two steps would want reads and runs as much as a short
// search does, and out of a cold cache more than that. So a question in one call goes this way
// first. Its answer is that of the search, to the bit.

#include "search/plain_route.h"

#include "derived/baked_map.h"
#include "path/path.h"
#include "search/baked_route.h"
#include "search/direct_route.h"
#include "search/jps.h"
#include "search/plain_view.h"

// ---- what is plain ----

// Whether a route over uniform ground is all that is asked for, by a question that can be honoured.
static bool is_plain_question(const AstarFinder *finder, const AstarQuestion *question)
{
    const AstarOptions *options = &finder->options;
    const AstarQuestion *q = question != NULL ? question : &finder->question;
    bool jumps = options->algorithm == ASTAR_AUTO || options->algorithm == ASTAR_JPS;
    return jumps && !options->any_angle && isinf(q->max_cost) && q->max_expansions == UINT64_MAX &&
           q->bends == ASTAR_BENDS_ANY &&
           (question == NULL || astar_finder_refusal(finder, question) == NULL) &&
           astar_honours(ASTAR_JPS, astar_finder_needs(finder) | astar_needs_of_question(q));
}

// Whether the finder's tables and layers are as the grid is.
static bool is_current(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    return finder->palette_version == grid->palette_version && finder->home == grid->home &&
           !astar_layer_is_stale(finder->walkable) &&
           (finder->footprints == NULL || !astar_layer_is_stale(finder->footprints));
}

// The bitmaps to jump by where there are diagonal steps, if they are current; else NULL.
static const AstarJumpBitmaps *current_bitmaps(const AstarFinder *finder)
{
    const AstarWalkable *walkable = finder->walkable;
    const AstarJumpBitmaps *jump = astar_get(&walkable->jumps[finder->options.diagonals]);
    bool is_usable = jump != NULL && !astar_get(&jump->stale) && finder->rule->has_diagonals;
    return is_usable ? jump : NULL;
}

// Whether a way is known to lead from one free cell to another.
static bool is_surely_connected(const AstarFinder *finder, int sx, int sy, int gx, int gy)
{
    const AstarWalkable *walkable = finder->walkable;
    const AstarComponents *components = astar_get(
        &walkable->components[finder->rule->joins_corners]);
    return components != NULL && !astar_get(&components->stale) &&
           astar_bits_get(&walkable->bits, sx, sy) && astar_bits_get(&walkable->bits, gx, gy) &&
           astar_components_join(components, sx, sy, gx, gy);
}

// ---- the route ----

// Takes note of what jump point search reads of a question.
static void note_plain_question(AstarSearch *search, int sx, int sy, int gx, int gy,
                                const AstarQuestion *question)
{
    search->question = question != NULL ? *question : search->finder->question;
    search->start_x = sx;
    search->start_y = sy;
    search->start = astar_cell(search->grid, sx, sy);
    search->goal = astar_goal_at(search->grid, gx, gy, 0);
    search->limit = INFINITY;
    search->expanded = 0;
}

// The path, once the search has found the goal.
static AstarStatus trace_plainly(AstarSearch *search, AstarPath *path)
{
    const AstarFinder *finder = search->finder;
    AstarPath *found = &search->parts[0]; // how many points there are only shows in the end
    double straight = 0, diagonal = 0;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = astar_jps_trace(search, found, &straight, &diagonal);
    if (status != ASTAR_OK)
        return status;
    astar_path_turn(found);
    found->length = straight + diagonal * ASTAR_SQRT2;
    straight *= finder->min_cost;
    diagonal *= finder->min_cost;
    found->cost = straight + diagonal * finder->options.diagonal_cost;
    found->expanded = search->expanded;
    found->algorithm = ASTAR_JPS;
    found->partial = found->orthogonal = false;
    found->goal_x = search->goal.x;
    found->goal_y = search->goal.y;
    found->question = search->question;
    found->offset = finder->grid->shape->offset;
    found->best_at = astar_finder_version(finder) + 1;
    return astar_path_assign(found, path);
}

static AstarStatus search_plainly(AstarSearch *search, AstarPath *path)
{
    AstarStatus status = astar_jps_begin_on_bitmaps(search);
    if (status == ASTAR_OK)
        status = astar_run_jps(search, UINT64_MAX);
    return status == ASTAR_OK ? trace_plainly(search, path) : status;
}

// Answers by jumps, all being current.
ASTAR_HOT static AstarStatus jump_plainly(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                          int sy, int gx, int gy, const AstarQuestion *question,
                                          const AstarAllocator *allocator, AstarPath *path)
{
    const AstarJumpBitmaps *jump = current_bitmaps(finder);
    if (jump == NULL)
        return ASTAR_RUNNING;
    if (astar_direct_route(finder, jump, sx, sy, gx, gy, question, allocator, path))
        return ASTAR_OK;
    if (workspace == NULL || finder->landmarks != NULL ||
        !is_surely_connected(finder, sx, sy, gx, gy))
        return ASTAR_RUNNING;
    AstarSearch *search = astar_workspace_borrow(workspace, finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    note_plain_question(search, sx, sy, gx, gy, question);
    AstarStatus status = search_plainly(search, path);
    astar_workspace_give_back(workspace, search);
    return status == ASTAR_OK || status == ASTAR_NO_MEMORY ? status : ASTAR_RUNNING;
}

// Answers by what was baked.
static AstarStatus follow_baked(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                                int gx, int gy, const AstarQuestion *question,
                                const AstarAllocator *allocator, AstarPath *path)
{
    AstarSearch *search = workspace != NULL ? astar_workspace_borrow(workspace, finder) : NULL;
    if (search == NULL)
        return ASTAR_RUNNING;
    bool is_told = astar_baked_answer(search, sx, sy, gx, gy, question, allocator, path);
    astar_workspace_give_back(workspace, search);
    return is_told ? ASTAR_OK : ASTAR_RUNNING;
}

ASTAR_HOT AstarStatus astar_plain_route(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                        int sy, int gx, int gy, const AstarQuestion *question,
                                        const AstarAllocator *allocator, AstarPath *path)
{
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, sx, sy) || !astar_inside(grid, gx, gy) || !is_current(finder))
        return ASTAR_RUNNING;
    if (!is_plain_question(finder, question))
        return astar_plain_view_route(finder, sx, sy, gx, gy, question, allocator, path)
                   ? ASTAR_OK
                   : ASTAR_RUNNING;
    if (finder->walkable->baked != NULL)
        return follow_baked(workspace, finder, sx, sy, gx, gy, question, allocator, path);
    return jump_plainly(workspace, finder, sx, sy, gx, gy, question, allocator, path);
}

bool astar_find_directly(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                         int gy, const AstarQuestion *question, AstarPath *path)
{
    return astar_plain_route(workspace, finder, sx, sy, gx, gy, question, &path->allocator, path) ==
           ASTAR_OK;
}
