// repair.c -- a path that the world has changed under, made good again.
//
// What is good of the path, from where the unit stands to the last cell before the first bad one,
// is kept, and a new search leads on from there. Behind a door that has closed that search may come
// back the way the kept part went in, a corridor say; both then part where they last meet, so no
// cell is walked twice. The result need not be the best path, for no search looks back before the
// bad cell; where the kept part turns out to be of no use, the whole is searched for anew.

#include "search/repair.h"

#include "path/path.h"
#include "search/bends.h"
#include "search/path_validity.h"

#include <stdlib.h>

// A cell of the kept part: its place on the grid, and on the path.
typedef struct Kept {
    uint32_t cell;
    int32_t index;
} Kept;

static int compare_kept(const void *a, const void *b)
{
    uint32_t left = ((const Kept *)a)->cell, right = ((const Kept *)b)->cell;
    return (left > right) - (left < right);
}

// Where the kept part and the rest last meet, in indices of each. They do at least at the join.
static AstarStatus find_parting(const AstarSearch *search, const AstarPath *path, int from,
                                int *last, const AstarPath *rest, int *first)
{
    const AstarGrid *grid = search->grid;
    size_t count = (size_t)(*last - from + 1);
    Kept *kept = astar_alloc(&search->allocator, count, sizeof *kept);
    if (kept == NULL)
        return ASTAR_NO_MEMORY;
    AstarPathCursor cursor = astar_path_cursor_at(path, from);
    Kept key = {0, 0};
    int x, y;
    for (size_t i = 0; i < count && astar_path_next(&cursor, &x, &y); i++)
        kept[i] = (Kept){astar_cell(grid, x, y), from + (int32_t)i};
    qsort(kept, count, sizeof *kept, compare_kept);
    cursor = astar_path_cursor(rest);
    for (int i = 0; astar_path_next(&cursor, &x, &y); i++) {
        key.cell = astar_cell(grid, x, y);
        const Kept *met = bsearch(&key, kept, count, sizeof *kept, compare_kept);
        if (met != NULL) {
            *last = met->index;
            *first = i;
        }
    }
    astar_release(&search->allocator, kept, count, sizeof *kept);
    return ASTAR_OK;
}

// Adds what lies of a leg between two cells of the path, the first of which is there already. A
// line that is cut need not have the cells of a shorter one, so its own are added one by one.
static AstarStatus keep_part_of_leg(AstarPath *out, const AstarPath *path, int leg, int first,
                                    int last)
{
    const AstarPoint *from = &path->points[leg], *to = from + 1;
    uint32_t label;
    if (astar_path_link(path, from->index, &label))
        return astar_path_add_link(out, to->x, to->y, label);
    if (first <= from->index && to->index <= last)
        return astar_path_add(out, to->x, to->y, to->index - from->index);
    int begin_repaired = first > from->index ? first : from->index;
    int end = last < to->index ? last : to->index;
    AstarStatus status = ASTAR_OK;
    for (int i = begin_repaired + 1; i <= end && status == ASTAR_OK; i++) {
        int x, y;
        astar_path_cell(path, i, &x, &y);
        status = astar_path_add(out, x, y, 1);
    }
    return status;
}

// Adds the cells of a path from one index to another; the first may be the last there is already.
static AstarStatus add_part(AstarPath *out, const AstarPath *path, int first, int last)
{
    AstarStatus status = ASTAR_OK;
    if (out->cells == 0) {
        int x, y;
        astar_path_cell(path, first, &x, &y);
        status = astar_path_add(out, x, y, 1);
    }
    for (int leg = 0; leg + 1 < path->count && status == ASTAR_OK; leg++)
        if (path->points[leg].index < last && path->points[leg + 1].index > first)
            status = keep_part_of_leg(out, path, leg, first, last);
    return status;
}

// Puts the kept part, from one index to another, before the path in 'out'.
static AstarStatus prepend_kept(const AstarSearch *search, const AstarPath *path, int from,
                                int last, AstarPath *out)
{
    int first = 0;
    AstarStatus status = find_parting(search, path, from, &last, out, &first);
    if (status != ASTAR_OK)
        return status;
    AstarPath joined = *out;
    joined.points = NULL;
    joined.count = joined.capacity = joined.cells = 0;
    joined.best_at = 0;
    joined.links = NULL;
    joined.link_count = joined.link_capacity = 0;
    status = add_part(&joined, path, from, last);
    if (status == ASTAR_OK)
        status = add_part(&joined, out, first, out->cells - 1);
    if (status != ASTAR_OK) {
        astar_path_destroy(&joined);
        return status;
    }
    astar_path_measure(&joined);
    astar_path_replace(out, &joined);
    return ASTAR_OK;
}

// Whether a search found no path, rather than failed.
static bool found_none(AstarStatus status)
{
    return status == ASTAR_START_BLOCKED || status == ASTAR_GOAL_BLOCKED ||
           status == ASTAR_UNREACHABLE || status == ASTAR_MAX_COST ||
           status == ASTAR_MAX_EXPANSIONS;
}

// What a unit that walks the path faces at a cell of it, where bends count.
static AstarHeading heading_at(const AstarSearch *search, const AstarPath *path, int index)
{
    int x, y, before_x, before_y;
    if (index == 0)
        return path->question.heading;
    if (!astar_counts_bends(search->finder, &path->question) ||
        astar_path_link(path, index - 1, NULL))
        return ASTAR_NO_HEADING;
    astar_path_cell(path, index - 1, &before_x, &before_y);
    astar_path_cell(path, index, &x, &y);
    return (AstarHeading)(1 + astar_shape_side(search->grid->shape, before_x, before_y, x, y));
}

// Searches from a cell of the path for where it was to lead.
static AstarStatus search_on(AstarSearch *search, const AstarPath *path, int index, AstarPath *out)
{
    int x, y, goal_x, goal_y;
    astar_path_cell(path, index, &x, &y);
    astar_path_goal(path, &goal_x, &goal_y);
    AstarQuestion question = path->question;
    question.heading = heading_at(search, path, index);
    AstarStatus status = astar_search_begin(search, x, y, goal_x, goal_y, &question);
    if (status == ASTAR_RUNNING)
        status = astar_search_step(search, UINT64_MAX, search->costs.context);
    return status == ASTAR_OK ? astar_search_path(search, out) : status;
}

// The rest of a path that is good to its end.
static AstarStatus keep_all(AstarSearch *search, const AstarPath *path, int from, AstarPath *out)
{
    astar_path_begin(out, path, &search->allocator);
    AstarStatus status = add_part(out, path, from, path->cells - 1);
    if (status != ASTAR_OK)
        return status;
    out->question.heading = heading_at(search, path, from);
    out->expanded = 0;
    astar_path_measure(out);
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}

// Whether a search fell short of the goal for want of a way, not of expansions.
static bool falls_short(const AstarPath *path)
{
    return path->partial && path->question.max_expansions == UINT64_MAX;
}

// Keeps the cells up to 'last' and searches on; ASTAR_UNREACHABLE when that leads nowhere.
static AstarStatus keep_head(AstarSearch *search, const AstarPath *path, int from, int last,
                             AstarPath *out)
{
    AstarStatus status = search_on(search, path, last, out);
    if (found_none(status) || (status == ASTAR_OK && falls_short(out)))
        return ASTAR_UNREACHABLE;
    if (status == ASTAR_OK)
        status = prepend_kept(search, path, from, last, out);
    out->question.heading = heading_at(search, path, from);
    int bad = -1;
    if (status == ASTAR_OK)
        status = astar_walk(search, out, &out->cost, &bad);
    bool too_dear = out->cost > path->question.max_cost * (1 + 1e-9);
    return status == ASTAR_OK && (bad >= 0 || too_dear) ? ASTAR_UNREACHABLE : status;
}

AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out)
{
    double cost;
    int bad = from;
    if (!optimal && !path->partial) {
        AstarStatus status = astar_walk_from(search, path, from, &cost, &bad);
        if (status != ASTAR_OK)
            return status;
        if (bad < 0)
            return keep_all(search, path, from, out);
    }
    if (bad > from + 1) {
        AstarStatus status = keep_head(search, path, from, bad - 1, out);
        if (status != ASTAR_UNREACHABLE)
            return status;
    }
    return search_on(search, path, from, out);
}
