// plain_route.c -- the route that jump point search finds, or that was baked, where nothing else is
// asked, all that it reads is current, and the components tell that there is one; the same over
// ground of several costs, by whatever is likely to be fastest.
//
// Most questions of a game are so. To pose a question that may be of any kind, choose what answers
// it and note all that an edit between two steps would want reads and runs as much as a short
// search does, and out of a cold cache more than that. So a question in one call goes this way
// first. Its answer is that of the search, to the bit.

#include "search/plain_route.h"

#include "derived/baked_map.h"
#include "map/links_and_walls.h"
#include "path/path.h"
#include "search/baked_route.h"
#include "search/direct_route.h"
#include "search/jps.h"
#include "search/plain_view.h"

// What is asked, and where the answer goes.
typedef struct Plain {
    AstarFinder *finder;
    AstarWorkspace *workspace; // or NULL
    int sx, sy, gx, gy;
    const AstarQuestion *question; // NULL: as the finder has it
    const AstarAllocator *allocator;
    AstarPath *path;
} Plain;

// ---- what is plain ----

static const AstarQuestion *asked_plainly(const Plain *plain)
{
    return plain->question != NULL ? plain->question : &plain->finder->question;
}

// Whether a route is all that is asked for, by a question that jumps of that kind can honour.
ASTAR_SPECIALIZE bool is_plain_question(const Plain *plain, AstarAlgorithm by)
{
    const AstarFinder *finder = plain->finder;
    const AstarOptions *options = &finder->options;
    const AstarQuestion *q = asked_plainly(plain);
    bool jumps = options->algorithm == ASTAR_AUTO || options->algorithm == by;
    bool is_nearest = by == ASTAR_JPSW && q->partial && // see reachable.c
                      astar_grid_has_walls(finder->grid);
    return jumps && !is_nearest && !options->any_angle && isinf(q->max_cost) &&
           q->max_expansions == UINT64_MAX && q->bends == ASTAR_BENDS_ANY &&
           (plain->question == NULL || astar_finder_refusal(finder, q) == NULL) &&
           astar_honours(by, astar_finder_needs(finder) | astar_needs_of_question(q));
}

// The bitmaps to jump by where there are diagonal steps, if they are current; else NULL.
static const AstarJumpBitmaps *current_bitmaps(const AstarFinder *finder)
{
    const AstarWalkable *walkable = finder->walkable;
    const AstarJumpBitmaps *jump = astar_get(&walkable->jumps[finder->options.diagonals]);
    bool is_usable = jump != NULL && !astar_get(&jump->stale) && finder->rule->has_diagonals;
    return is_usable ? jump : NULL;
}

// Whether a way is known to lead from one free cell to the other.
static bool is_surely_connected(const Plain *plain)
{
    const AstarWalkable *walkable = plain->finder->walkable;
    const AstarComponents *components = astar_get(
        &walkable->components[plain->finder->rule->joins_corners]);
    return components != NULL && !astar_get(&components->stale) &&
           astar_bits_get(&walkable->bits, plain->sx, plain->sy) &&
           astar_bits_get(&walkable->bits, plain->gx, plain->gy) &&
           astar_components_join(components, plain->sx, plain->sy, plain->gx, plain->gy);
}

// ---- the route ----

// Makes what a path says of itself that of a route of so many steps, whose points are in it.
ASTAR_SPECIALIZE AstarStatus describe_path(const Plain *plain, AstarAlgorithm algorithm,
                                           uint64_t expanded, double straight, double diagonal)
{
    const AstarFinder *finder = plain->finder;
    AstarPath *path = plain->path;
    path->length = straight + diagonal * ASTAR_SQRT2;
    straight *= finder->min_cost;
    diagonal *= finder->min_cost;
    path->cost = straight + diagonal * finder->options.diagonal_cost;
    path->expanded = expanded;
    path->algorithm = algorithm;
    path->partial = false;
    path->orthogonal = !finder->rule->has_diagonals;
    path->goal_x = plain->gx;
    path->goal_y = plain->gy;
    path->question = *asked_plainly(plain);
    path->offset = finder->grid->shape->offset;
    path->best_at = astar_finder_version(finder) + 1;
    return ASTAR_OK;
}

// Where nothing is in the way.
static AstarStatus answer_directly(const Plain *plain, const AstarJumpBitmaps *jump)
{
    AstarDirectWay way;
    if (!astar_direct_route(plain->finder, jump, plain->sx, plain->sy, plain->gx, plain->gy,
                            plain->allocator, plain->path, &way))
        return ASTAR_RUNNING;
    bool moves = plain->path->count > 1; // as by a search, which expands the start
    return describe_path(plain, ASTAR_JPS, moves, way.straight, way.slanted);
}

// Takes note of what jump point search reads of a question.
static void note_plain_question(AstarSearch *search, const Plain *plain)
{
    search->question = *asked_plainly(plain);
    search->start_x = plain->sx;
    search->start_y = plain->sy;
    search->start = astar_cell(search->grid, plain->sx, plain->sy);
    search->goal = astar_goal_at(search->grid, plain->gx, plain->gy, 0);
    search->limit = INFINITY;
    search->expanded = 0;
}

// The path, once the search has found the goal.
static AstarStatus trace_plainly(const Plain *plain, AstarSearch *search)
{
    AstarPath *found = &search->parts[0]; // how many points there are only shows in the end
    double straight = 0, diagonal = 0;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = astar_jps_trace(search, found, &straight, &diagonal);
    if (status != ASTAR_OK)
        return status;
    astar_path_turn(found);
    status = astar_path_assign(found, plain->path);
    return status == ASTAR_OK
               ? describe_path(plain, ASTAR_JPS, search->expanded, straight, diagonal)
               : status;
}

static AstarStatus search_plainly(const Plain *plain, AstarSearch *search)
{
    note_plain_question(search, plain);
    AstarStatus status = astar_jps_begin_on_bitmaps(search);
    if (status == ASTAR_OK)
        status = astar_run_jps(search, UINT64_MAX);
    return status == ASTAR_OK ? trace_plainly(plain, search) : status;
}

// Answers by jumps, all being current.
ASTAR_HOT static AstarStatus jump_plainly(const Plain *plain)
{
    const AstarFinder *finder = plain->finder;
    const AstarJumpBitmaps *jump = current_bitmaps(finder);
    if (jump == NULL)
        return ASTAR_RUNNING;
    if (answer_directly(plain, jump) == ASTAR_OK)
        return ASTAR_OK;
    if (plain->workspace == NULL || finder->landmarks != NULL || !is_surely_connected(plain))
        return ASTAR_RUNNING;
    AstarSearch *search = astar_workspace_borrow(plain->workspace, plain->finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    AstarStatus status = search_plainly(plain, search);
    astar_workspace_give_back(plain->workspace, search);
    return status == ASTAR_OK || status == ASTAR_NO_MEMORY ? status : ASTAR_RUNNING;
}

// Answers by what was baked, or as if nothing was where that is not in force.
static AstarStatus follow_baked(const Plain *plain)
{
    AstarWorkspace *workspace = plain->workspace;
    AstarSearch *search = workspace != NULL ? astar_workspace_borrow(workspace, plain->finder)
                                            : NULL;
    AstarAlgorithm by = ASTAR_JPS;
    double straight = 0, diagonal = 0;
    if (ASTAR_HAS_BAKING)
        by = astar_baked_answer(plain->finder, search, plain->sx, plain->sy, plain->gx, plain->gy,
                                plain->allocator, plain->path, &straight, &diagonal);
    if (search != NULL)
        astar_workspace_give_back(workspace, search);
    if (by == ASTAR_JPS)
        return jump_plainly(plain);
    return by != ASTAR_AUTO ? describe_path(plain, by, 0, straight, diagonal) : ASTAR_RUNNING;
}

// ---- where ground is of several costs ----

// What so many cells cost, added up as along any other path over irregular ground.
static double add_up(double cost, int cells)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += cost;
    return sum;
}

// Where some cells are irregular, but none that is in the way.
static AstarStatus answer_in_view(const Plain *plain)
{
    const AstarFinder *finder = plain->finder;
    AstarPath *path = plain->path;
    AstarPlainView view;
    if (!astar_plain_view_answers(plain->finder, plain->sx, plain->sy, plain->gx, plain->gy,
                                  &view) ||
        astar_path_renew(path, 3, plain->allocator) != ASTAR_OK)
        return ASTAR_RUNNING;
    astar_put_leg(path, plain->sx, plain->sy, 1);
    astar_put_leg(path, view.turn_x, view.turn_y, view.first);
    astar_put_leg(path, plain->gx, plain->gy, view.then);
    int diagonal = finder->rule->has_diagonals ? view.first : 0;
    int straight = view.first + view.then - diagonal;
    AstarStatus status = describe_path(plain, ASTAR_JPSW, path->count > 1, straight, diagonal);
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, plain->sx, plain->sy));
    path->cost = add_up(cost, straight) + add_up(cost, diagonal) * finder->options.diagonal_cost;
    return status;
}

// Searches for a goal that is known to be reached, by what is likely to be fastest.
static AstarStatus search_over_costs(const Plain *plain, AstarSearch *search)
{
    AstarStatus status = astar_search_begin_connected(search, plain->sx, plain->sy, plain->gx,
                                                      plain->gy, plain->question);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, NULL);
    return status == ASTAR_OK ? astar_search_trace(search, plain->path) : status;
}

static AstarStatus answer_over_costs(const Plain *plain)
{
    const AstarGrid *grid = plain->finder->grid;
    if (!is_plain_question(plain, ASTAR_JPSW))
        return ASTAR_RUNNING;
    if (answer_in_view(plain) == ASTAR_OK)
        return ASTAR_OK;
    if (plain->workspace == NULL || astar_grid_has_links(grid) || astar_grid_has_walls(grid) ||
        !is_surely_connected(plain))
        return ASTAR_RUNNING;
    AstarSearch *search = astar_workspace_borrow(plain->workspace, plain->finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    AstarStatus status = search_over_costs(plain, search);
    astar_pages_rest(&search->front.nodes, &search->allocator);
    astar_workspace_give_back(plain->workspace, search);
    return status == ASTAR_OK || status == ASTAR_NO_MEMORY ? status : ASTAR_RUNNING;
}

// ---- any ----

ASTAR_HOT AstarStatus astar_plain_route(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                        int sy, int gx, int gy, const AstarQuestion *question,
                                        const AstarAllocator *allocator, AstarPath *path)
{
    Plain plain = {finder, workspace, sx, sy, gx, gy, question, allocator, path};
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, sx, sy) || !astar_inside(grid, gx, gy) ||
        !astar_finder_is_current(finder))
        return ASTAR_RUNNING;
    if (!is_plain_question(&plain, ASTAR_JPS))
        return answer_over_costs(&plain);
    return finder->walkable->baked != NULL ? follow_baked(&plain) : jump_plainly(&plain);
}

bool astar_find_directly(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                         int gy, const AstarQuestion *question, AstarPath *path)
{
    return astar_plain_route(workspace, finder, sx, sy, gx, gy, question, &path->allocator, path) ==
           ASTAR_OK;
}
