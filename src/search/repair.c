// repair.c -- checks a path against the current map, repairs it after edits, and leads it to a goal
// that has moved.
//
// A repair keeps the good part of the path, from the unit's cell to the last cell before the first
// bad one. A new search continues from that last cell. If a door was closed, the new search may
// lead back through the corridor by which the kept part has reached the door. In this case both
// parts are cut where they last meet, so that no cell is walked twice. The result need not be the
// best path, because no search starts before the bad cell. If the kept part turns out to be
// useless, a new search finds a path from the unit's cell to the goal.
//
// A repair runs in one call or in steps. An edit between two steps restarts the repair, unless its
// search is not affected by the edit, see search_life.c. The effect of the edit on the kept part is
// checked at the end. After several restarts the repair runs on a snapshot of the map, see
// search_life.c.

#include "search/repair.h"

#include "finder/costs.h"
#include "finder/finder.h"
#include "map/links_and_walls.h"
#include "search/bends.h"
#include "search/direct_line.h"
#include "search/path.h"
#include "search/reachable.h"
#include "search/run.h"
#include "search/search.h"
#include "search/search_life.h"

#include <math.h>
#include <stdlib.h>

// The functions below compute what a path costs on the current map, step by step.

// Adds the cost of a step to (x, y) to the sums of a walk. The costs of cells are summed up
// separately for straight and for diagonal steps, so that equal terms are rounded only once.
static void add_walked_step(const AstarCosts *costs, int x, int y, int direction, double step,
                            double sums[2])
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost != NULL)
        sums[0] += step;
    else
        sums[direction & 1] += astar_costs_known(costs, x, y);
}

// Returns the link from one cell to another, or NULL if the map has no such link now.
static const AstarArc *link_between(const AstarGrid *grid, int x, int y, int to_x, int to_y)
{
    return astar_grid_has_links(grid)
               ? astar_arcs_find(grid->links_and_walls, astar_cell(grid, x, y),
                                 astar_cell(grid, to_x, to_y))
               : NULL;
}

// Returns true if the two cells are one step apart. Whether the step is legal is not checked.
static bool is_step_apart(const AstarFinder *finder, int x, int y, int to_x, int to_y)
{
    bool is_straight = x == to_x || y == to_y || astar_finder_goes_by_sides(finder);
    return astar_cells_apart(finder->grid->shape, x, y, to_x, to_y) == 1 &&
           (is_straight || finder->rule->has_diagonals);
}

// Computes the cost of a link. The cost is INFINITY if the cell that the link enters is blocked.
static AstarStatus cost_over_link(AstarCosts *costs, AstarArc arc, double *step)
{
    int x, y;
    astar_cell_xy(costs->finder->grid, arc.to, &x, &y);
    AstarStatus status = astar_costs_cell(costs, x, y, step);
    if (status != ASTAR_OK || isinf(*step))
        return status;
    *step = arc.cost;
    return astar_costs_of_link(costs, arc.from, arc.to, step);
}

// Computes the cost of the step that a path makes over a link. A step across the edge of a map that
// wraps around is stored in a path like a link. If the map also has a link between the two cells,
// the walk uses the cheaper of the step and the link, as the search did that found the path. If the
// map has neither now, the cost is that of a plain step, provided that the two cells are one step
// apart.
static AstarStatus link_step(AstarCosts *costs, int x, int y, int to_x, int to_y, double *step)
{
    const AstarArc *arc = link_between(costs->finder->grid, x, y, to_x, to_y);
    AstarStatus status = ASTAR_OK;
    *step = INFINITY;
    if (arc != NULL)
        status = cost_over_link(costs, *arc, step);
    int d = astar_wrap_direction(costs->finder, x, y, to_x, to_y);
    if (d >= 0) {
        uint32_t cell = astar_cell(costs->finder->grid, x, y);
        *step = fmin(*step, astar_wrap_arc(costs->finder, cell, d, false).cost);
    }
    if (arc != NULL || d >= 0)
        return status;
    return is_step_apart(costs->finder, x, y, to_x, to_y)
               ? astar_costs_step(costs, x, y, astar_direction(to_x - x, to_y - y), step, NULL)
               : ASTAR_OK;
}

// Makes the next step of the walk, to (x, y), along a leg or over a link. If a callback interrupts
// the step, the step is made again.
static AstarStatus walk_step(AstarSearch *search, AstarWalk *walk, AstarLeg leg, int x, int y)
{
    AstarCosts *costs = &search->costs;
    bool is_link = astar_path_link(walk->cursor.path, walk->index, NULL), clear = true;
    int direction = is_link ? 0 : astar_direction(x - walk->x, y - walk->y);
    double step;
    AstarStatus status = is_link
                             ? link_step(costs, walk->x, walk->y, x, y, &step)
                             : astar_costs_step(costs, walk->x, walk->y, direction, &step, NULL);
    walk->bad = walk->index + 1;
    if (status != ASTAR_OK || isinf(step))
        return status;
    if (!is_link)
        status = astar_leg_step(costs, &leg, &clear);
    if (status != ASTAR_OK || !clear)
        return status;
    walk->leg = leg;
    walk->has_leg = !is_link;
    if (is_link)
        walk->links += step;
    else
        add_walked_step(costs, x, y, direction, step, walk->sums);
    walk->index++;
    walk->x = x;
    walk->y = y;
    return ASTAR_RUNNING;
}

// Returns a leg that is positioned before the step that a cursor has just made.
static AstarLeg leg_of_step(const AstarFinder *finder, const AstarPathCursor *cursor)
{
    return astar_leg_at(finder, &cursor->line, cursor->step - 1);
}

// The rule for single steps alone decides whether the step is legal. A walker may follow a
// leg that an older version of astar has drawn, or a leg beside which a cell has been blocked
// since. The walker follows such a leg until it gets another path.
AstarStatus astar_walk_one_step(AstarSearch *search, const AstarPath *path, int index, bool back,
                                bool *may_go)
{
    AstarWalk walk = {.cursor = astar_path_cursor(path), .index = index};
    AstarLeg plain = {.is_diagonal = false};
    int x, y;
    astar_path_cell(path, back ? index + 1 : index, &walk.x, &walk.y);
    astar_path_cell(path, back ? index : index + 1, &x, &y);
    if (!astar_inside(search->grid, walk.x, walk.y) || !astar_inside(search->grid, x, y))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_ignore_own_blocks(search, walk.x, walk.y, false);
    if (status == ASTAR_OK)
        status = walk_step(search, &walk, plain, x, y);
    *may_go = status == ASTAR_RUNNING;
    return *may_go ? ASTAR_OK : status;
}

AstarStatus astar_walk_begin(AstarSearch *search, const AstarPath *path, int first, AstarWalk *walk)
{
    *walk = (AstarWalk){.cursor = astar_path_cursor_at(path, first),
                        .index = first,
                        .cost = INFINITY,
                        .bad = first};
    if (!astar_path_next(&walk->cursor, &walk->x, &walk->y) ||
        !astar_terrain_allows(search->finder, walk->x, walk->y))
        return ASTAR_OK;
    bool bends = astar_counts_bends(search->finder, &path->query);
    AstarStatus status = astar_ignore_own_blocks(search, walk->x, walk->y, bends);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Returns the cost of the walk's steps so far.
static double cost_of_walk(const AstarSearch *search, const AstarWalk *walk)
{
    return walk->sums[0] + walk->sums[1] * search->finder->options.diagonal_cost + walk->links;
}

AstarStatus astar_walk_on(AstarSearch *search, AstarWalk *walk, int64_t *work)
{
    for (; *work > 0; *work -= ASTAR_WORK_A_STEP) {
        AstarPathCursor cursor = walk->cursor;
        int x, y;
        if (!astar_path_next(&cursor, &x, &y)) {
            walk->bad = -1;
            walk->cost = cost_of_walk(search, walk);
            return ASTAR_OK;
        }
        AstarLeg leg = walk->has_leg && cursor.step > 1 ? walk->leg
                                                        : leg_of_step(search->finder, &cursor);
        AstarStatus status = walk_step(search, walk, leg, x, y);
        if (status != ASTAR_RUNNING)
            return status;
        walk->cursor = cursor;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad)
{
    AstarWalk walk;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_walk_begin(search, path, first, &walk);
    if (status == ASTAR_RUNNING)
        status = astar_walk_on(search, &walk, &work);
    *cost = walk.cost;
    *bad = walk.bad;
    return status;
}

AstarStatus astar_walk_within(AstarSearch *search, const AstarPath *path, int first, int last,
                              double most, int *reached, double *cost, int *bad)
{
    AstarWalk walk;
    double bends = 0;
    AstarStatus status = astar_walk_begin(search, path, first, &walk);
    *reached = first;
    *cost = 0;
    *bad = status == ASTAR_OK ? first : -1;
    while (status == ASTAR_RUNNING && *reached < last) {
        int64_t work = ASTAR_WORK_A_STEP;
        int leg = walk.cursor.step == walk.cursor.line.steps ? walk.cursor.leg + 1
                                                             : walk.cursor.leg;
        if (path->points[leg].index == *reached)
            bends += astar_path_bend_cost_at(path, leg, &search->finder->options);
        status = astar_walk_on(search, &walk, &work);
        double now = cost_of_walk(search, &walk) + bends;
        if (status == ASTAR_OK && walk.index == *reached)
            *bad = walk.bad;
        if (status != ASTAR_RUNNING || now > most * ASTAR_LENIENCE)
            break;
        *reached = walk.index;
        *cost = now;
    }
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}

AstarStatus astar_add_link_now(const AstarFinder *finder, AstarPath *out, int x, int y,
                               uint32_t label)
{
    const AstarPoint *last = &out->points[out->count - 1];
    const AstarArc *arc = link_between(finder->grid, last->x, last->y, x, y);
    if (arc == NULL && is_step_apart(finder, last->x, last->y, x, y))
        return astar_path_add(out, x, y, 1);
    return astar_path_add_link(out, x, y, arc != NULL ? arc->label : label);
}

// Walking back.

// Adds the step back from the cell 'index' + 1 of the path to the cell 'index': an ordinary step or
// a link, whichever is cheaper. If neither is possible now, adds a link if the path has a link
// there, otherwise an ordinary step.
static AstarStatus add_way_back(AstarSearch *search, const AstarPath *path, int index,
                                AstarPath *out)
{
    AstarCosts *costs = &search->costs;
    bool over_link = astar_path_link(path, index, NULL);
    int x, y, to_x, to_y;
    astar_path_cell(path, index + 1, &x, &y);
    astar_path_cell(path, index, &to_x, &to_y);
    const AstarArc *arc = link_between(search->grid, x, y, to_x, to_y);
    if (arc != NULL && is_step_apart(search->finder, x, y, to_x, to_y)) {
        int direction = astar_direction(to_x - x, to_y - y);
        double by_link, by_step;
        AstarStatus status = cost_over_link(costs, *arc, &by_link);
        if (status == ASTAR_OK)
            status = astar_costs_step(costs, x, y, direction, &by_step, NULL);
        if (status != ASTAR_OK)
            return status;
        over_link = by_link < by_step || (by_link == by_step && over_link);
    }
    return over_link ? astar_add_link_now(search->finder, out, to_x, to_y, 0)
                     : astar_path_add(out, to_x, to_y, 1);
}

// Returns true if a link may lead back along a leg of the path.
static bool may_go_over_link(const AstarGrid *grid, const AstarPath *path, int leg)
{
    const AstarPoint *first = &path->points[leg];
    AstarPathCursor cursor = astar_path_cursor_at(path, first->index);
    int x, y, before_x = 0, before_y = 0;
    bool may = false;
    for (int i = first->index; i <= first[1].index && astar_grid_has_links(grid) && !may; i++) {
        astar_path_next(&cursor, &x, &y);
        may = i > first->index && link_between(grid, x, y, before_x, before_y) != NULL;
        before_x = x;
        before_y = y;
    }
    return may || astar_path_link(path, first->index, NULL);
}

// Sets '*clear' to true if the unit can follow a leg of the path in reverse. A one-way wall, a
// restricted cell or a step_cost callback may bar the slanted line in this direction alone,
// although each single step from cell to cell is legal.
static AstarStatus is_clear_back(AstarSearch *search, const AstarPoint *first, bool *clear)
{
    const AstarFinder *finder = search->finder;
    AstarLine line = astar_line_on(finder->grid->shape, first[1].x, first[1].y, first->x, first->y,
                                   !finder->rule->has_diagonals);
    AstarLeg leg = astar_leg_at(finder, &line, 0);
    AstarStatus status = ASTAR_OK;
    *clear = true;
    while (leg.is_diagonal && leg.step < line.steps && *clear && status == ASTAR_OK)
        status = astar_leg_step(&search->costs, &leg, clear);
    return status;
}

// Adds a leg of the path in reverse. The leg is split into single steps only if a link may replace
// one, or if the unit cannot follow the line in reverse.
static AstarStatus add_leg_back(AstarSearch *search, const AstarPath *path, int leg, AstarPath *out)
{
    const AstarPoint *first = &path->points[leg];
    bool is_clear = !may_go_over_link(search->grid, path, leg);
    AstarStatus status = is_clear ? is_clear_back(search, first, &is_clear) : ASTAR_OK;
    if (status == ASTAR_OK && is_clear)
        return astar_path_add(out, first->x, first->y, first[1].index - first->index);
    for (int i = first[1].index - 1; i >= first->index && status == ASTAR_OK; i--)
        status = add_way_back(search, path, i, out);
    return status;
}

AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    astar_path_begin(out, path, &search->allocator);
    out->goal_x = out->goal_y = -1; // the goal is the cell where the path began
    out->query.heading = ASTAR_NO_HEADING;
    AstarStatus status = ASTAR_OK;
    if (path->count > 0) {
        const AstarPoint *goal = &path->points[path->count - 1];
        bool bends = astar_counts_bends(search->finder, &out->query);
        status = astar_ignore_own_blocks(search, goal->x, goal->y, bends);
        if (status == ASTAR_OK)
            status = astar_path_add(out, goal->x, goal->y, 1);
    }
    for (int leg = path->count - 2; leg >= 0 && status == ASTAR_OK; leg--)
        status = add_leg_back(search, path, leg, out);
    if (status != ASTAR_OK)
        return status;
    out->expanded = 0;
    astar_path_measure(out);
    int bad;
    status = astar_walk_from(search, out, 0, &out->cost, &bad);
    out->cost += astar_path_bend_cost(out, &search->finder->options);
    return status;
}

// ------------------------------------------------------------------------------------------------
// The functions below cut a path into the parts between its links, and join such parts.
//
// The ends of a link must stay where they are, and no line leads across a link. Therefore a path to
// be reworked is cut at its links: each part between two links is reworked as a path of its own,
// and the parts are joined again.
// ------------------------------------------------------------------------------------------------

int astar_part_end(const AstarPath *path, int first)
{
    int last = first;
    while (last < path->count - 1 && !astar_path_link(path, path->points[last].index, NULL))
        last++;
    return last;
}

AstarStatus astar_cut_part(const AstarPath *path, int first, int last,
                           const AstarAllocator *allocator, AstarPath *part)
{
    astar_path_begin(part, path, allocator);
    part->best_at = path->best_at;
    AstarStatus status = ASTAR_OK;
    for (int i = first; i <= last && status == ASTAR_OK; i++) {
        const AstarPoint *point = &path->points[i];
        int cells = i == first ? 1 : point->index - point[-1].index;
        status = astar_path_add(part, point->x, point->y, cells);
    }
    return status;
}

ASTAR_COLD AstarStatus astar_append_part(const AstarFinder *finder, const AstarPath *path,
                                         int first, int last, const AstarPath *reworked,
                                         AstarPath *out)
{
    AstarStatus status = ASTAR_OK;
    for (int i = first > 0 ? 1 : 0; i < reworked->count && status == ASTAR_OK; i++) {
        const AstarPoint *point = &reworked->points[i];
        int cells = i == 0 ? 1 : point->index - point[-1].index;
        status = astar_path_add(out, point->x, point->y, cells);
    }
    uint32_t label;
    if (status != ASTAR_OK || !astar_path_link(path, path->points[last].index, &label))
        return status;
    const AstarPoint *next = &path->points[last + 1];
    return astar_add_link_now(finder, out, next->x, next->y, label);
}

// The functions below repair a path.

enum { WORK_OF_A_KEPT_CELL = 8 };

// The stage that a repair runs next.
typedef enum RepairStage {
    REPAIR_TO_WALK,    // walk along the path to its first bad cell
    REPAIR_TO_LEAD_ON, // search for a path from the kept part to the goal
    REPAIR_TO_KEEP,    // mark the cells of the kept part
    REPAIR_TO_MEET,    // find where the new part last meets a marked cell
    REPAIR_TO_CHECK    // check the path made of both parts
} RepairStage;

// A repair and its progress.
typedef struct PathRepair {
    AstarContinuation continuation;
    AstarSearch *search;
    const AstarPath *path;
    AstarPath *out;
    int from;
    bool optimal;
    AstarKept *kept; // parts that may be kept; NULL: all cells before the first bad one
    int part;        // index into 'kept' of the part now tried
    RepairStage stage;
    bool is_begun;          // true if the stage has begun
    bool is_made;           // true if the path to be checked is built
    int last, first;        // last cell kept of the path, and first cell taken from the new part
    int at;                 // the next cell to process
    AstarPathCursor cursor; // stands before cell 'at'
    AstarWalk walk;
    // The fields from here on are for a repair in steps.
    uint64_t version;
    uint64_t at_once; // extra work per step for building layers
    AstarPath copy, made;
} PathRepair;

// The functions below find the last cell that the kept part and the new part have in common.

// Returns the index of the first cell of the kept part to which the new part may return. If only
// the end of the path is replaced, the new part goes back at most its own length.
static int first_to_mark(const PathRepair *repair)
{
    int first = repair->last - 2 * repair->out->cells;
    return repair->kept != NULL && first > repair->from ? first : repair->from;
}

// Marks the cells of the kept part, from first_to_mark() on, with their index in the path.
static AstarStatus mark_kept(PathRepair *repair, int64_t *work)
{
    AstarSearch *search = repair->search;
    const AstarGrid *grid = search->grid;
    AstarPages *marks = &search->many.goal_marks;
    int x, y;
    if (!repair->is_begun) {
        if (!astar_pages_begin(marks, &search->allocator, grid->width, grid->height))
            return ASTAR_NO_MEMORY;
        repair->at = first_to_mark(repair);
        repair->cursor = astar_path_cursor_at(repair->path, repair->at);
        repair->is_begun = true;
    }
    for (; repair->at <= repair->last; repair->at++) {
        if ((*work -= WORK_OF_A_KEPT_CELL) < 0)
            return ASTAR_RUNNING;
        astar_path_next(&repair->cursor, &x, &y);
        AstarPage *page = astar_page_for(marks, &search->allocator, x, y);
        if (page == NULL) {
            repair->is_begun = false;
            return ASTAR_NO_MEMORY;
        }
        page->states[astar_page_place(x, y)] = 1;
        page->values[astar_page_place(x, y)] = repair->at;
    }
    return ASTAR_OK;
}

// Finds the last cell of the new part that is a marked cell of the kept part. The cell where the
// two parts join is always marked, so there is such a cell.
static AstarStatus find_parting(PathRepair *repair, int64_t *work)
{
    const AstarPages *marks = &repair->search->many.goal_marks;
    int x, y;
    if (!repair->is_begun) {
        repair->cursor = astar_path_cursor(repair->out);
        repair->at = repair->first = 0;
        repair->is_begun = true;
    }
    for (; repair->at < repair->out->cells; repair->at++) {
        if ((*work -= WORK_OF_A_KEPT_CELL) < 0)
            return ASTAR_RUNNING;
        astar_path_next(&repair->cursor, &x, &y);
        if (astar_pages_state(marks, x, y) == 0)
            continue;
        repair->last = (int)astar_pages_value(marks, x, y);
        repair->first = repair->at;
    }
    return ASTAR_OK;
}

// Returns true if a leg has one of the eight directions, so that every part of the leg is a
// straight row of cells.
static bool is_leg_even(const AstarPath *path, const AstarPoint *from)
{
    int columns = abs(from[1].x - from->x), rows = abs(from[1].y - from->y);
    int most = columns > rows ? columns : rows;
    return path->offset == ASTAR_NO_OFFSET && from[1].index - from->index == most &&
           (columns == rows || columns == 0 || rows == 0);
}

// Adds the part of a leg that lies between two cells of the path. The first cell must be in 'out'
// already. A part of a slanted line may have other cells than the line between the ends of the
// part. Therefore the cells of the part are added one by one.
static AstarStatus keep_part_of_leg(const AstarFinder *finder, AstarPath *out,
                                    const AstarPath *path, int leg, int first, int last)
{
    const AstarPoint *from = &path->points[leg], *to = from + 1;
    uint32_t label;
    if (astar_path_link(path, from->index, &label))
        return astar_add_link_now(finder, out, to->x, to->y, label);
    if (first <= from->index && to->index <= last)
        return astar_path_add(out, to->x, to->y, to->index - from->index);
    int begin_repaired = first > from->index ? first : from->index;
    int end = last < to->index ? last : to->index;
    int cells = begin_repaired < end && is_leg_even(path, from) ? end - begin_repaired : 1;
    AstarStatus status = ASTAR_OK;
    for (int i = begin_repaired + cells; i <= end && status == ASTAR_OK; i += cells) {
        int x, y;
        astar_path_cell(path, i, &x, &y);
        status = astar_path_add(out, x, y, cells);
    }
    return status;
}

// Adds the cells 'first' to 'last' of a path. The first cell may be the last cell of 'out' already.
ASTAR_COLD static AstarStatus add_part(const AstarFinder *finder, AstarPath *out,
                                       const AstarPath *path, int first, int last)
{
    AstarStatus status = ASTAR_OK;
    if (out->cells == 0) {
        int x, y;
        astar_path_cell(path, first, &x, &y);
        status = astar_path_add(out, x, y, 1);
    }
    for (int leg = 0; leg + 1 < path->count && status == ASTAR_OK; leg++)
        if (path->points[leg].index < last && path->points[leg + 1].index > first)
            status = keep_part_of_leg(finder, out, path, leg, first, last);
    return status;
}

// Puts the kept part in front of the path in 'out'.
static AstarStatus prepend_kept(const PathRepair *repair)
{
    const AstarFinder *finder = repair->search->finder;
    AstarPath *out = repair->out;
    AstarPath joined = *out;
    joined.points = NULL;
    joined.count = joined.capacity = joined.cells = 0;
    joined.best_at = joined.least.at = 0;
    joined.links = NULL;
    joined.link_count = joined.link_capacity = 0;
    AstarStatus status = astar_path_reserve(&joined, (size_t)(repair->path->count + out->count));
    if (status == ASTAR_OK)
        status = add_part(finder, &joined, repair->path, repair->from, repair->last);
    if (status == ASTAR_OK)
        status = add_part(finder, &joined, out, repair->first, out->cells - 1);
    if (status != ASTAR_OK) {
        astar_path_destroy(&joined);
        return status;
    }
    astar_path_measure(&joined);
    astar_path_replace(out, &joined);
    return ASTAR_OK;
}

// Returns true if a search ended without a path, as opposed to an error.
static bool found_none(AstarStatus status)
{
    return status == ASTAR_START_BLOCKED || status == ASTAR_GOAL_BLOCKED ||
           status == ASTAR_UNREACHABLE || status == ASTAR_MAX_COST ||
           status == ASTAR_MAX_EXPANSIONS;
}

// Returns the heading of a unit that walks the path, at a cell of it, if bends count.
ASTAR_COLD static AstarHeading heading_at(const AstarSearch *search, const AstarPath *path,
                                          int index)
{
    int x, y, before_x, before_y;
    if (index == 0)
        return path->query.heading;
    if (!astar_counts_bends(search->finder, &path->query) || astar_path_link(path, index - 1, NULL))
        return ASTAR_NO_HEADING;
    astar_path_cell(path, index - 1, &before_x, &before_y);
    astar_path_cell(path, index, &x, &y);
    return (AstarHeading)(1 + astar_shape_side(search->grid->shape, before_x, before_y, x, y));
}

// Stages.

static void go_to_repair_stage(PathRepair *repair, RepairStage stage)
{
    repair->stage = stage;
    repair->is_begun = repair->is_made = false;
}

// Starts the search for the new part. The new part begins at the cell 'index' of the path, which is
// the last cell that is kept.
static void lead_on_from(PathRepair *repair, int index)
{
    repair->last = index;
    go_to_repair_stage(repair, REPAIR_TO_LEAD_ON);
}

// Rejects the part kept so far, and tries to keep a shorter part, or none.
static void keep_less(PathRepair *repair)
{
    AstarKept *kept = repair->kept;
    if (kept != NULL)
        kept->expanded += repair->search->expanded;
    if (kept != NULL && ++repair->part < kept->count) {
        lead_on_from(repair, kept->parts[repair->part].last);
        return;
    }
    repair->kept = NULL;
    lead_on_from(repair, repair->from);
}

// Each function below runs one stage of a repair and sets the next one. Each function returns
// ASTAR_RUNNING, or the status with which the repair ends.

static AstarStatus walk_to_bad_cell(PathRepair *repair, int64_t *work)
{
    const AstarPath *path = repair->path;
    AstarWalk *walk = &repair->walk;
    AstarStatus status = ASTAR_RUNNING;
    if (repair->optimal || path->partial) {
        lead_on_from(repair, repair->from);
        return ASTAR_RUNNING;
    }
    if (!repair->is_begun)
        status = astar_walk_begin(repair->search, path, repair->from, walk);
    repair->is_begun = status == ASTAR_RUNNING;
    if (status == ASTAR_RUNNING)
        status = astar_walk_on(repair->search, walk, work);
    if (status != ASTAR_OK)
        return status;
    if (walk->bad >= 0) {
        lead_on_from(repair, walk->bad > repair->from + 1 ? walk->bad - 1 : repair->from);
        return ASTAR_RUNNING;
    }
    repair->last = path->cells - 1;
    repair->first = -1;
    go_to_repair_stage(repair, REPAIR_TO_CHECK);
    return ASTAR_RUNNING;
}

// Starts the search that leads from the last kept cell to the goal of the path.
static AstarStatus begin_leading_on(PathRepair *repair)
{
    AstarSearch *search = repair->search;
    const AstarPath *path = repair->path;
    AstarQueryOptions query = path->query;
    int x, y, goal_x, goal_y;
    astar_path_cell(path, repair->last, &x, &y);
    astar_path_goal(path, &goal_x, &goal_y);
    query.heading = heading_at(search, path, repair->last);
    if (repair->kept != NULL)
        query.max_cost = fmax(0, repair->kept->most - repair->kept->parts[repair->part].cost);
    if (repair->continuation.step == NULL)
        return astar_search_begin(search, x, y, goal_x, goal_y, &query);
    return astar_search_begin_in_steps(search, x, y, goal_x, goal_y, &query, repair->at_once);
}

ASTAR_COLD static AstarStatus lead_on(PathRepair *repair, uint64_t expansions)
{
    AstarSearch *search = repair->search;
    bool keeps = repair->last > repair->from;
    AstarStatus status = repair->is_begun ? ASTAR_RUNNING : begin_leading_on(repair);
    repair->is_begun = status == ASTAR_RUNNING;
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, expansions, search->costs.context);
    if (keeps && found_none(status)) {
        keep_less(repair);
        return ASTAR_RUNNING;
    }
    if (status == ASTAR_OK)
        status = astar_search_trace_path(search, repair->out);
    if (status != ASTAR_OK || !keeps)
        return status;
    repair->version = search->costs.version;
    // In this case the new part ends before the goal because no path leads there, not because the
    // expansions were used up.
    if (repair->out->partial && repair->out->query.max_expansions == UINT64_MAX)
        keep_less(repair);
    else
        go_to_repair_stage(repair, REPAIR_TO_KEEP);
    return ASTAR_RUNNING;
}

// Builds the path to be checked: the kept part and the new part, or only the kept part if all of
// the path is good.
static AstarStatus make_repaired(PathRepair *repair)
{
    const AstarPath *path = repair->path;
    AstarPath *out = repair->out;
    AstarStatus status;
    if (repair->first >= 0) {
        status = prepend_kept(repair);
    } else {
        astar_path_begin(out, path, &repair->search->allocator);
        out->expanded = 0;
        status = add_part(repair->search->finder, out, path, repair->from, repair->last);
        astar_path_measure(out);
    }
    out->query.heading = heading_at(repair->search, path, repair->from);
    return status;
}

// Returns true if the path keeps all of the part that was to be kept, and uses all of the newly
// found part. In this case the costs of both parts are known.
static bool is_joined_as_kept(const PathRepair *repair)
{
    return repair->kept != NULL && repair->first == 0 &&
           repair->last == repair->kept->parts[repair->part].last;
}

static AstarStatus check_repaired(PathRepair *repair, int64_t *work)
{
    AstarSearch *search = repair->search;
    AstarWalk *walk = &repair->walk;
    AstarPath *out = repair->out;
    AstarStatus status = ASTAR_RUNNING;
    if (!repair->is_made) {
        double rest = out->cost;
        status = make_repaired(repair);
        if (status == ASTAR_OK && is_joined_as_kept(repair)) {
            out->cost = repair->kept->parts[repair->part].cost + rest;
            return ASTAR_OK;
        }
        repair->is_made = status == ASTAR_OK;
        if (status != ASTAR_OK)
            return status;
    }
    if (!repair->is_begun)
        status = astar_walk_begin(search, out, 0, walk);
    repair->is_begun = status == ASTAR_RUNNING;
    if (status == ASTAR_RUNNING)
        status = astar_walk_on(search, walk, work);
    if (status != ASTAR_OK)
        return status;
    out->cost = walk->cost + astar_path_bend_cost(out, &search->finder->options);
    double most = repair->kept != NULL ? repair->kept->most : repair->path->query.max_cost;
    if (walk->bad < 0 && out->cost <= most * (1 + 1e-9))
        return ASTAR_OK;
    keep_less(repair);
    return ASTAR_RUNNING;
}

// Runs the current stage of the repair, which is not the search.
ASTAR_COLD static AstarStatus run_repair_stage(PathRepair *repair, int64_t *work)
{
    AstarStatus status;
    switch (repair->stage) {
    case REPAIR_TO_WALK: return walk_to_bad_cell(repair, work);
    case REPAIR_TO_KEEP:
        status = mark_kept(repair, work);
        if (status != ASTAR_OK)
            return status;
        go_to_repair_stage(repair, REPAIR_TO_MEET);
        return ASTAR_RUNNING;
    case REPAIR_TO_MEET:
        status = find_parting(repair, work);
        if (status != ASTAR_OK)
            return status;
        go_to_repair_stage(repair, REPAIR_TO_CHECK);
        return ASTAR_RUNNING;
    default: return check_repaired(repair, work);
    }
}

static AstarStatus repair_at_once(PathRepair *repair)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = ASTAR_RUNNING;
    while (status == ASTAR_RUNNING)
        status = repair->stage == REPAIR_TO_LEAD_ON ? lead_on(repair, UINT64_MAX)
                                                    : run_repair_stage(repair, &work);
    return status;
}

AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out)
{
    PathRepair repair = {
        .search = search, .path = path, .out = out, .from = from, .optimal = optimal};
    return repair_at_once(&repair);
}

AstarStatus astar_repair_end(AstarSearch *search, const AstarPath *path, int from, AstarKept *kept,
                             AstarPath *out)
{
    PathRepair repair = {.search = search, .path = path, .out = out, .from = from};
    if (kept->count > 0)
        repair.kept = kept;
    lead_on_from(&repair, kept->count > 0 ? kept->parts[0].last : from);
    return repair_at_once(&repair);
}

// The functions below run a repair in steps.

static PathRepair *repair_of(const AstarSearch *search)
{
    return (PathRepair *)search->stepped.continuation;
}

static void repair_again(AstarSearch *search)
{
    PathRepair *repair = repair_of(search);
    go_to_repair_stage(repair, REPAIR_TO_WALK);
    repair->version = UINT64_MAX;
}

// Brings the finder and its costs up to date with the map before the first stage of a repair.
static AstarStatus attend_to_map(PathRepair *repair, int64_t *work)
{
    AstarSearch *search = repair->search;
    astar_stop_ignoring_own_blocks(search);
    AstarStatus status = astar_finder_advance(search->finder, work);
    uint64_t version = astar_finder_version(search->finder);
    if (status == ASTAR_OK && search->costs.version != version)
        status = astar_costs_begin(&search->costs, search->finder, &search->allocator);
    if (status != ASTAR_OK)
        return status;
    repair->version = version;
    return ASTAR_RUNNING;
}

static AstarStatus run_current_stage(PathRepair *repair, int64_t *work)
{
    if (repair->version == UINT64_MAX)
        return attend_to_map(repair, work);
    if (repair->version != astar_finder_version(repair->search->finder))
        return ASTAR_GRID_CHANGED;
    return run_repair_stage(repair, work);
}

ASTAR_COLD static AstarStatus step_repair(AstarSearch *search, uint64_t expansions, void *context)
{
    PathRepair *repair = repair_of(search);
    AstarStatus status = ASTAR_RUNNING;
    search->costs.context = context;
    while (status == ASTAR_RUNNING && expansions > 0) {
        if (repair->stage == REPAIR_TO_LEAD_ON) {
            status = lead_on(repair, expansions);
            if (repair->stage == REPAIR_TO_LEAD_ON || search->expanded >= expansions)
                expansions = 0;
            else
                expansions -= search->expanded;
        } else {
            int64_t all = astar_work_of(expansions), work = all;
            while (status == ASTAR_RUNNING && work > 0 && repair->stage != REPAIR_TO_LEAD_ON)
                status = run_current_stage(repair, &work);
            astar_charge_step(search, &expansions, all - work);
        }
    }
    if (status == ASTAR_OK) {
        search->stepped.given = repair->made;
        astar_path_init(&repair->made);
    }
    return status;
}

static void free_repair(AstarSearch *search)
{
    PathRepair *repair = repair_of(search);
    astar_path_destroy(&repair->copy);
    astar_path_destroy(&repair->made);
    astar_release(&search->allocator, repair, 1, sizeof *repair);
}

static void describe_repair(const AstarSearch *search, AstarStoredQuery *stored)
{
    const PathRepair *repair = (const PathRepair *)search->stepped.continuation;
    stored->path = repair->copy;
    stored->from = repair->from;
    stored->optimal = repair->optimal;
}

ASTAR_COLD AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                             bool optimal, uint64_t at_once)
{
    PathRepair *repair = astar_alloc(&search->allocator, 1, sizeof *repair);
    if (repair == NULL)
        return search->status = ASTAR_NO_MEMORY;
    search->stepped.continuation = &repair->continuation;
    *repair = (PathRepair){
        .continuation = {step_repair, free_repair, repair_again, sizeof *repair, describe_repair},
        .search = search,
        .path = &repair->copy,
        .out = &repair->made,
        .from = from,
        .optimal = optimal,
        .version = UINT64_MAX,
        .at_once = at_once,
    };
    astar_path_init(&repair->copy);
    astar_path_init(&repair->made);
    astar_path_clear(&repair->copy, &search->allocator);
    astar_path_clear(&repair->made, &search->allocator);
    search->status = astar_path_copy(path, &repair->copy) == ASTAR_OK ? ASTAR_RUNNING
                                                                      : ASTAR_NO_MEMORY;
    repair->continuation.bytes += astar_path_bytes(&repair->copy);
    return search->status;
}

// ------------------------------------------------------------------------------------------------
// The functions below lead a path to a goal that has moved.
//
// The good part of the path is kept except for its end, and a short search continues to the new
// goal. The triangle inequality bounds the cost that the new path may have. The mark is the goal of
// the last best path; the least cost to the mark is known. The cost to the new goal is at least
// that cost, minus the cost from the new goal to the mark. Another short search finds the cost from
// the new goal to the mark, as these two cells are near each other. The cost to the new goal is
// also at least the estimate. If the new path costs more than 'bound' times this lower bound, or if
// no mark is known, a new search runs from the unit to the new goal, and its goal becomes the mark.
//
// Before all these steps, the direct path from the unit to the goal is tried, which takes less
// time.
// ------------------------------------------------------------------------------------------------

// The number of cells at the end of the path that are replaced first. If the new path costs too
// much, further cells are replaced: END_A_CELL for each cell of distance between the goal and the
// mark.
enum { SHORT_END = 8, END_A_CELL = 3 };

// The state of leading a path to a goal that has moved.
typedef struct Retargeting {
    AstarSearch *search;
    const AstarPath *path;
    int from;
    AstarCell goal;
    double bound;
    AstarLeast least; // the mark, and the least cost to it
    AstarKept kept;
} Retargeting;

// Finds the mark of the path. Returns false if the path has no mark on the current map.
static bool find_mark(Retargeting *moved)
{
    const AstarPath *path = moved->path;
    uint64_t now = moved->search->costs.version + 1;
    moved->least = path->least;
    if (path->best_at == now && !path->partial) {
        moved->least = (AstarLeast){.cost = path->cost, .at = now};
        astar_path_goal(path, &moved->least.x, &moved->least.y);
    }
    return moved->least.at == now && path->query.range == 0 &&
           !moved->search->finder->options.any_angle;
}

// Subtracts the cost of the part of the path that the unit has walked from the least cost to the
// mark. Returns false if that part cannot be walked now.
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

ASTAR_COLD static double estimate_of(const AstarSearch *search, int x, int y, AstarCell goal)
{
    return astar_grid_has_links(search->grid)
               ? 0
               : astar_estimate_between(search->grid->shape, &search->finder->costs.heuristic, x, y,
                                        goal.x, goal.y);
}

// Returns the cost from the new goal to the mark, or INFINITY if it is more than 'most'.
static double cost_to_mark(Retargeting *moved, double most, AstarPath *out)
{
    AstarSearch *search = moved->search;
    AstarCell goal = moved->goal, mark = {moved->least.x, moved->least.y};
    AstarQueryOptions query = moved->path->query;
    if (goal.x == mark.x && goal.y == mark.y)
        return 0;
    if (!(estimate_of(search, goal.x, goal.y, mark) <= most))
        return INFINITY;
    query.max_cost = most;
    query.partial = false;
    AstarStatus status = astar_search_begin(search, goal.x, goal.y, mark.x, mark.y, &query);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, search->costs.context);
    moved->kept.expanded = search->expanded;
    return status == ASTAR_OK && astar_search_trace_path(search, out) == ASTAR_OK ? out->cost
                                                                                  : INFINITY;
}

// Adds the part of the path up to the cell 'last' to the parts that may be kept, if the rest of the
// path can be walked.
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

// Returns the greatest cost that the new path may have if a part of the old path is kept.
static double costliest(Retargeting *moved, AstarPath *out)
{
    const AstarPath *path = moved->path;
    const AstarKept *kept = &moved->kept;
    int x, y;
    astar_path_cell(path, kept->parts[0].last, &x, &y);
    double costly = kept->parts[0].cost + estimate_of(moved->search, x, y, moved->goal);
    double away = cost_to_mark(moved, moved->least.cost - costly / moved->bound, out);
    astar_path_cell(path, moved->from, &x, &y);
    double least = estimate_of(moved->search, x, y, moved->goal);
    return fmin(moved->bound * fmax(moved->least.cost - away, least), path->query.max_cost);
}

// Lists the parts of the path that may be kept.
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
        moved->kept.most = costliest(moved, out);
}

// Stores the direct path to the new goal in 'out' if no step of it is barred. Sets '*is_found' to
// true in this case.
static AstarStatus retarget_in_sight(const Retargeting *moved, AstarPath *out, bool *is_found)
{
    AstarSearch *search = moved->search;
    AstarFindCall call = {.finder = search->finder,
                          .gx = moved->goal.x,
                          .gy = moved->goal.y,
                          .query = &moved->path->query,
                          .allocator = &search->allocator,
                          .path = out};
    astar_path_cell(moved->path, moved->from, &call.sx, &call.sy);
    return astar_find_direct_line(&call, is_found);
}

ASTAR_COLD AstarStatus astar_retarget(AstarSearch *search, const AstarPath *path, int from,
                                      AstarCell goal, double bound, AstarPath *out)
{
    Retargeting moved = {
        .search = search, .path = path, .from = from, .goal = goal, .bound = bound};
    AstarPath aim = *path;
    bool is_found;
    AstarStatus status = retarget_in_sight(&moved, out, &is_found);
    if (status != ASTAR_OK || is_found)
        return status;
    look_for_kept(&moved, out);
    aim.goal_x = goal.x;
    aim.goal_y = goal.y;
    status = astar_repair_end(search, &aim, from, &moved.kept, out);
    if (status != ASTAR_OK)
        return status;
    out->query.max_cost = path->query.max_cost;
    out->expanded += moved.kept.expanded;
    if (out->best_at == 0 && moved.kept.count > 0)
        out->least = moved.least;
    return ASTAR_OK;
}
