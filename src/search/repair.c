// repair.c -- a path that the world has changed under, made good again.
//
// What is good of the path, from where the unit stands to the last cell before the first bad one,
// is kept, and a new search leads on from there. Behind a door that has closed that search may come
// back the way the kept part went in, a corridor say; both then part where they last meet, so no
// cell is walked twice. The result need not be the best path, for no search looks back before the
// bad cell; where the kept part turns out to be of no use, the whole is searched for anew.
//
// It is made in one go, or in steps. Then an edit in between has it begun anew, but for those that
// the search outlasts, see resume.c: what they did to the kept part is seen in the end. Where that
// comes to pass again and again the path is repaired on the map as it was at one moment, see
// frozen.c.

#include "path/path.h"
#include "search/bends.h"
#include "search/path_validity.h"
#include "search/search.h"
#include "search/search_twin.h"

#include <math.h>
#include <stdlib.h>

enum { WORK_OF_A_KEPT_CELL = 8 };

// What is to be done next.
typedef enum RepairStage {
    REPAIR_TO_WALK,    // the path, to its first bad cell
    REPAIR_TO_LEAD_ON, // by a search
    REPAIR_TO_KEEP,    // the cells before
    REPAIR_TO_MEET,    // them again
    REPAIR_TO_CHECK    // what was made of both
} RepairStage;

// A path being repaired.
typedef struct PathRepair {
    AstarContinuation continuation;
    AstarSearch *search;
    const AstarPath *path;
    AstarPath *out;
    int from;
    bool optimal;
    AstarKept *kept; // NULL: what is good
    int part;        // of what may be kept
    RepairStage stage;
    bool is_begun;          // the stage
    bool is_made;           // what it is to check
    int last, first;        // cells of the path that are kept end there, those of the rest begin
    int at;                 // the cell that has been come to
    AstarPathCursor cursor; // before it
    AstarWalk walk;
    // in steps
    uint64_t version; // of the map, but while a search leads on; UINT64_MAX: it was not looked at
    uint64_t at_once; // what each step may build besides
    AstarPath copy, made;
} PathRepair;

// ---- where the kept part and the rest last meet ----

// The first cell that the rest may come back to: a new end is short, and goes back no farther.
static int first_to_mark(const PathRepair *repair)
{
    int first = repair->last - 2 * repair->out->cells;
    return repair->kept != NULL && first > repair->from ? first : repair->from;
}

// Marks the cells of the kept part with their indices.
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

// Finds the last cell of the rest that is marked. There is one at the join.
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

// Whether a leg goes by one of the eight directions, so that each part of it has its cells.
static bool is_leg_even(const AstarPath *path, const AstarPoint *from)
{
    int columns = abs(from[1].x - from->x), rows = abs(from[1].y - from->y);
    int most = columns > rows ? columns : rows;
    return path->offset == ASTAR_NO_OFFSET && from[1].index - from->index == most &&
           (columns == rows || columns == 0 || rows == 0);
}

// Adds what lies of a leg between two cells of the path, the first of which is there already. A
// line that is cut need not have the cells of a shorter one, so its own are added one by one.
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

// Adds the cells of a path from one index to another; the first may be the last there is already.
static AstarStatus add_part(const AstarFinder *finder, AstarPath *out, const AstarPath *path,
                            int first, int last)
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

// Puts the kept part before the path in 'out'.
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

// ---- stages ----

static void go_to_repair_stage(PathRepair *repair, RepairStage stage)
{
    repair->stage = stage;
    repair->is_begun = repair->is_made = false;
}

// Has a search lead on from a cell of the path, the last one to be kept.
static void lead_on_from(PathRepair *repair, int index)
{
    repair->last = index;
    go_to_repair_stage(repair, REPAIR_TO_LEAD_ON);
}

// What was kept will not do.
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

// Each of the functions below does what a stage is for, and says what the next one is:
// ASTAR_RUNNING, or what all ends with.

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

// Begins to search from the last cell that is kept for where the path was to lead.
static AstarStatus begin_leading_on(PathRepair *repair)
{
    AstarSearch *search = repair->search;
    const AstarPath *path = repair->path;
    AstarQuestion question = path->question;
    int x, y, goal_x, goal_y;
    astar_path_cell(path, repair->last, &x, &y);
    astar_path_goal(path, &goal_x, &goal_y);
    question.heading = heading_at(search, path, repair->last);
    if (repair->kept != NULL)
        question.max_cost = fmax(0, repair->kept->most - repair->kept->parts[repair->part].cost);
    if (repair->continuation.step == NULL)
        return astar_search_begin(search, x, y, goal_x, goal_y, &question);
    return astar_search_begin_in_steps(search, x, y, goal_x, goal_y, &question, repair->at_once);
}

static AstarStatus lead_on(PathRepair *repair, uint64_t expansions)
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
        status = astar_search_way(search, repair->out);
    if (status != ASTAR_OK || !keeps)
        return status;
    repair->version = search->costs.version;
    // It falls short of the goal for want of a way, not of expansions.
    if (repair->out->partial && repair->out->question.max_expansions == UINT64_MAX)
        keep_less(repair);
    else
        go_to_repair_stage(repair, REPAIR_TO_KEEP);
    return ASTAR_RUNNING;
}

// Makes the path that is to be checked: of the kept part and the rest, or all of it.
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
    out->question.heading = heading_at(repair->search, path, repair->from);
    return status;
}

// Whether all of what was to be kept is, and all that was found: then it is known what both cost.
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
    double most = repair->kept != NULL ? repair->kept->most : repair->path->question.max_cost;
    if (walk->bad < 0 && out->cost <= most * (1 + 1e-9))
        return ASTAR_OK;
    keep_less(repair);
    return ASTAR_RUNNING;
}

// Goes on with a stage that is no search.
static AstarStatus run_repair_stage(PathRepair *repair, int64_t *work)
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

// ---- in steps ----

static PathRepair *repair_of(const AstarSearch *search)
{
    return (PathRepair *)search->slices.continuation;
}

static void repair_anew(AstarSearch *search)
{
    PathRepair *repair = repair_of(search);
    go_to_repair_stage(repair, REPAIR_TO_WALK);
    repair->version = UINT64_MAX;
}

// Before the first stage: brings up to date what the path is walked by.
static AstarStatus attend_to_map(PathRepair *repair, int64_t *work)
{
    AstarSearch *search = repair->search;
    astar_unstand(search);
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

static AstarStatus step_repair(AstarSearch *search, uint64_t expansions, void *context)
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
        search->slices.given = repair->made;
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

static void tell_repair(const AstarSearch *search, AstarInquiry *inquiry)
{
    const PathRepair *repair = (const PathRepair *)search->slices.continuation;
    inquiry->path = repair->copy;
    inquiry->from = repair->from;
    inquiry->optimal = repair->optimal;
}

AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                  bool optimal, uint64_t at_once)
{
    PathRepair *repair = astar_alloc(&search->allocator, 1, sizeof *repair);
    if (repair == NULL)
        return search->status = ASTAR_NO_MEMORY;
    search->slices.continuation = &repair->continuation;
    *repair = (PathRepair){
        .continuation = {step_repair, free_repair, repair_anew, sizeof *repair, tell_repair},
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
