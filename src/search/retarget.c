// retarget.c -- a path whose goal has moved.
//
// What is good of it is kept but for its end, from which a short search leads on to the new goal.
// How dear that may be is told by the triangle inequality: where a best path was found last, the
// mark, is known, and how far it is at least; the new goal is no less far away, but for what it
// takes from there to the mark, which is near, by another short search. Nor is it less than the
// estimate. Where the path made costs more than 'bound' times that, or nothing is known, the whole
// is searched for anew, and the mark is there.
//
// Before all that, the goal may lie in plain view of the unit, which takes less to see.

#include "path/path.h"
#include "search/asked.h"
#include "search/path_validity.h"

#include <math.h>

// How many cells of the path's end are given up; where the end is then too dear, for each also that
// the goal is away from the mark.
enum { SHORT_END = 8, END_A_CELL = 3 };

// What is known of the way on from where the unit is.
typedef struct Retargeting {
    AstarSearch *search;
    const AstarPath *path;
    int from;
    AstarCell goal;
    double bound;
    AstarLeast least; // of the mark
    AstarKept kept;
} Retargeting;

// Takes note of the mark that the path has; false where it has none on the map as it is now.
static bool find_mark(Retargeting *moved)
{
    const AstarPath *path = moved->path;
    uint64_t now = moved->search->costs.version + 1;
    moved->least = path->least;
    if (path->best_at == now && !path->partial) {
        moved->least = (AstarLeast){.cost = path->cost, .at = now};
        astar_path_goal(path, &moved->least.x, &moved->least.y);
    }
    return moved->least.at == now && path->question.range == 0 &&
           !moved->search->finder->options.any_angle;
}

// Takes off what the unit has walked; false where that cannot be walked.
static bool take_off_walked(Retargeting *moved, double *walked)
{
    AstarWalk walk;
    AstarSearch *search = moved->search;
    if (moved->from == 0) {
        *walked = 0;
        return true;
    }
    int64_t work = (int64_t)moved->from * ASTAR_WORK_A_STEP;
    AstarStatus status = astar_walk_begin(search, moved->path, 0, &walk);
    if (status == ASTAR_RUNNING)
        astar_walk_on(search, &walk, &work);
    *walked = walk.sums[0] + walk.sums[1] * search->finder->options.diagonal_cost + walk.links;
    moved->least.cost -= *walked;
    return walk.index == moved->from;
}

static double estimate_of(const AstarSearch *search, int x, int y, AstarCell goal)
{
    return astar_grid_has_links(search->grid)
               ? 0
               : astar_estimate_between(search->grid->shape, &search->finder->costs.heuristic, x, y,
                                        goal.x, goal.y);
}

// What it takes from the new goal to the mark; INFINITY where that is more than 'most'.
static double cost_to_mark(Retargeting *moved, double most, AstarPath *out)
{
    AstarSearch *search = moved->search;
    AstarCell goal = moved->goal, mark = {moved->least.x, moved->least.y};
    AstarQuestion question = moved->path->question;
    if (goal.x == mark.x && goal.y == mark.y)
        return 0;
    if (!(estimate_of(search, goal.x, goal.y, mark) <= most))
        return INFINITY;
    question.max_cost = most;
    question.partial = false;
    AstarStatus status = astar_search_begin(search, goal.x, goal.y, mark.x, mark.y, &question);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, search->costs.context);
    moved->kept.expanded = search->expanded;
    return status == ASTAR_OK && astar_search_way(search, out) == ASTAR_OK ? out->cost : INFINITY;
}

// Adds the part up to a cell to what may be kept.
static void add_kept(Retargeting *moved, int last, double walked)
{
    AstarKept *kept = &moved->kept;
    double rest;
    int bad;
    if (last > moved->from &&
        astar_walk_from(moved->search, moved->path, last, &rest, &bad) == ASTAR_OK && bad < 0) {
        kept->parts[kept->count].last = last;
        kept->parts[kept->count++].cost = moved->path->cost - walked - rest;
    }
}

// How dear the path may be, where something is kept.
static double dearest(Retargeting *moved, AstarPath *out)
{
    const AstarPath *path = moved->path;
    const AstarKept *kept = &moved->kept;
    int x, y;
    astar_path_cell(path, kept->parts[0].last, &x, &y);
    double dear = kept->parts[0].cost + estimate_of(moved->search, x, y, moved->goal);
    double away = cost_to_mark(moved, moved->least.cost - dear / moved->bound, out);
    astar_path_cell(path, moved->from, &x, &y);
    double least = estimate_of(moved->search, x, y, moved->goal);
    return fmin(moved->bound * fmax(moved->least.cost - away, least), path->question.max_cost);
}

// Looks for what may be kept.
static void look_for_kept(Retargeting *moved, AstarPath *out)
{
    const AstarShape *shape = moved->search->grid->shape;
    int last = moved->path->cells - 1 - SHORT_END;
    double walked;
    if (last <= moved->from || !find_mark(moved) || !take_off_walked(moved, &walked))
        return;
    int64_t away = astar_cells_apart(shape, moved->goal.x, moved->goal.y, moved->least.x,
                                     moved->least.y);
    add_kept(moved, last, walked);
    add_kept(moved, (int)(last - END_A_CELL * away), walked);
    if (moved->kept.count > 0)
        moved->kept.most = dearest(moved, out);
}

// Answers by the direct way, if that is free; else ASTAR_RUNNING.
static AstarStatus retarget_in_sight(const Retargeting *moved, AstarPath *out)
{
    AstarSearch *search = moved->search;
    AstarAsked asked = {.finder = search->finder,
                        .gx = moved->goal.x,
                        .gy = moved->goal.y,
                        .question = &moved->path->question,
                        .allocator = &search->allocator,
                        .path = out};
    astar_path_cell(moved->path, moved->from, &asked.sx, &asked.sy);
    return astar_answer_in_sight(&asked);
}

AstarStatus astar_retarget(AstarSearch *search, const AstarPath *path, int from, AstarCell goal,
                           double bound, AstarPath *out)
{
    Retargeting moved = {
        .search = search, .path = path, .from = from, .goal = goal, .bound = bound};
    AstarPath aim = *path;
    AstarStatus status = retarget_in_sight(&moved, out);
    if (status != ASTAR_RUNNING)
        return status;
    look_for_kept(&moved, out);
    aim.goal_x = goal.x;
    aim.goal_y = goal.y;
    status = astar_repair_end(search, &aim, from, &moved.kept, out);
    if (status != ASTAR_OK)
        return status;
    out->question.max_cost = path->question.max_cost;
    out->expanded += moved.kept.expanded;
    if (out->best_at == 0 && moved.kept.count > 0)
        out->least = moved.least;
    return ASTAR_OK;
}
