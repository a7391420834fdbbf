// smooth.c -- fewer, straighter legs along a path.
//
// A leg may begin and end at any two cells of the path, if the line between them is clear and its
// steps cost no more than the part of the path it replaces: a shortcut never leads through the
// swamp that the path went around. Breadth first over the cells, legs as its steps, each is reached
// by the fewest legs.
//
// Pairs of cells are many, but few need a line of their own. What lies straight on along the path
// is in sight anyway; what the view from a cell has in shadow is not (sight.h). And where no path
// can be cheaper, which holds of the path as found on ground of one cost, a line that is clear
// costs just what the path between its ends does: no cell is in sight from which the path has since
// made a detour, by the count of its steps. Such detours only grow, so each cell looks no farther
// along the path than to the first.
//
// What may still be too much is bounded: each cell looks for the nearer ones first, and no longer
// than its share of WORK and what those before it left. So it takes O(cells + WORK), and legs are
// the fewest unless WORK runs out.

#include "path/path.h"
#include "path/sight.h"
#include "search/clearance.h"
#include "search/path_validity.h"

#include <math.h>

// Steps of lines: some 60 ms of them, and of callbacks.
static const uint64_t WORK = UINT64_C(1) << 23, WORK_ASKING = UINT64_C(1) << 20;
enum { LEAST_SHARE_OF_LEGS = 32, QUICK_SHARE = 64 };

static AstarStatus need_spots(AstarSearch *search, size_t count)
{
    const AstarAllocator *allocator = &search->allocator;
    if (count <= search->spot_capacity)
        return ASTAR_OK;
    AstarSpot *spots = astar_alloc(allocator, count, sizeof *spots);
    if (spots == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(allocator, search->spots, search->spot_capacity, sizeof *search->spots);
    search->spots = spots;
    search->spot_capacity = count;
    return ASTAR_OK;
}

// ---- the cells of the path ----

// What the last step to a spot costs, as the searches add it up.
static AstarStatus last_step(AstarSearch *search, const AstarSpot *spot, double *cost)
{
    const AstarFinder *finder = search->finder;
    int dx = spot->x - spot[-1].x, dy = spot->y - spot[-1].y;
    double step = dx != 0 && dy != 0 ? finder->options.diagonal_cost : 1;
    AstarStatus status = ASTAR_OK;
    step *= finder->min_cost;
    if (!astar_sight_is_plain(finder))
        status = astar_costs_step(&search->costs, spot[-1].x, spot[-1].y, astar_direction(dx, dy),
                                  &step, NULL);
    *cost = astar_finder_round(finder, step);
    return status;
}

// Lists the cells of the path and what it costs to get to each.
static AstarStatus list_spots(AstarSearch *search, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    AstarSpot *spots = search->spots;
    for (int i = 0; i < path->cells; i++) {
        int x, y;
        astar_path_next(&cursor, &x, &y);
        spots[i] = (AstarSpot){.x = x, .y = y, .before = -1, .reach = path->cells - 1};
        if (i == 0)
            continue;
        double step;
        AstarStatus status = last_step(search, &spots[i], &step);
        if (status != ASTAR_OK)
            return status;
        spots[i].cost = spots[i - 1].cost + step;
    }
    return ASTAR_OK;
}

// Whether the step from b to c is over the same side as the one from a to b.
static bool leads_on(const AstarShape *shape, const AstarSpot *a, const AstarSpot *b,
                     const AstarSpot *c)
{
    int first = astar_direction(b->x - a->x, b->y - a->y);
    int second = astar_direction(c->x - b->x, c->y - b->y);
    return shape->sides_of[astar_phase(shape, a->x, a->y)][first] ==
           shape->sides_of[astar_phase(shape, b->x, b->y)][second];
}

// Works out how far the path leads straight on from each spot.
static void find_runs(const AstarShape *shape, AstarSpot *spots, int count)
{
    spots[count - 1].run = count - 1;
    for (int i = count - 2; i >= 0; i--) {
        const AstarSpot *a = &spots[i], *b = a + 1, *c = b + 1;
        spots[i].run = i + 2 < count && leads_on(shape, a, b, c) ? b->run : i + 1;
    }
}

// What a line between two spots costs on the plain.
static double line_cost(const AstarFinder *finder, const AstarSpot *a, const AstarSpot *b)
{
    bool orthogonal = !finder->rule->has_diagonals;
    AstarLine line = astar_line(a->x, a->y, b->x, b->y, orthogonal);
    int64_t slanted = orthogonal ? 0 : line.dx < line.dy ? line.dx : line.dy;
    double diagonal = astar_finder_round(finder, finder->min_cost * finder->options.diagonal_cost);
    double straight = astar_finder_round(finder, finder->min_cost);
    return (double)(line.steps - slanted) * straight + (double)slanted * diagonal;
}

// Works out how far along a cheapest path on the plain a cell in sight may lie from each spot.
static void find_reaches(const AstarFinder *finder, AstarSpot *spots, int count)
{
    int reach = 0;
    for (int i = 0; i < count; i++) {
        reach = reach < spots[i].run ? spots[i].run : reach;
        while (reach + 1 < count &&
               spots[reach + 1].cost - spots[i].cost <=
                   ASTAR_LENIENCE * line_cost(finder, &spots[i], &spots[reach + 1]))
            reach++;
        spots[i].reach = reach;
    }
}

static AstarStatus survey(AstarSearch *search, const AstarPath *path)
{
    AstarStatus status = astar_stand(search, path->points[0].x, path->points[0].y);
    if (status == ASTAR_OK)
        status = need_spots(search, (size_t)path->cells);
    if (status == ASTAR_OK)
        status = list_spots(search, path);
    if (status != ASTAR_OK)
        return status;
    find_runs(search->grid->shape, search->spots, path->cells);
    if (path->best_at == search->costs.version + 1 && astar_sight_is_plain(search->finder))
        find_reaches(search->finder, search->spots, path->cells);
    return ASTAR_OK;
}

// ---- the fewest legs ----

typedef struct Smoothing {
    AstarView view;
    AstarSpot *spots;
    int count, queued;
} Smoothing;

// The first spot from 'i' on that no leg has reached yet.
static int unreached(const Smoothing *smoothing, int i)
{
    AstarSpot *spots = smoothing->spots;
    while (i < smoothing->count && spots[i].before >= 0) {
        int next = spots[i].skip;
        if (next < smoothing->count && spots[next].before >= 0)
            spots[i].skip = spots[next].skip;
        i = next;
    }
    return i;
}

static void add_smooth_leg(Smoothing *smoothing, int from, int to)
{
    AstarSpot *spots = smoothing->spots;
    spots[to].before = from;
    spots[to].skip = to + 1;
    spots[smoothing->queued++].queued = to;
}

static AstarStatus try_leg(Smoothing *smoothing, int from, int to)
{
    const AstarSpot *a = &smoothing->spots[from], *b = &smoothing->spots[to];
    bool sees;
    AstarStatus status = astar_view_sees(&smoothing->view, b->x, b->y,
                                         ASTAR_LENIENCE * (b->cost - a->cost), &sees);
    if (status == ASTAR_OK && sees)
        add_smooth_leg(smoothing, from, to);
    return status;
}

// Finds the legs that begin at a spot and end where none did yet: straight on, then the farthest
// there may be, then the others, the nearer first, while no more than 'most' has been spent.
static AstarStatus leave(Smoothing *smoothing, int from, uint64_t most)
{
    const AstarSpot *spot = &smoothing->spots[from];
    int to = unreached(smoothing, from + 1);
    for (; to <= spot->run; to = unreached(smoothing, to + 1))
        add_smooth_leg(smoothing, from, to);
    if (to > spot->reach)
        return ASTAR_OK;
    astar_view_from(&smoothing->view, spot->x, spot->y);
    AstarStatus status = ASTAR_OK;
    if (unreached(smoothing, spot->reach) == spot->reach)
        status = try_leg(smoothing, from, spot->reach);
    for (; to < spot->reach && status == ASTAR_OK && smoothing->view.spent < most &&
           smoothing->spots[smoothing->count - 1].before < 0;
         to = unreached(smoothing, to + 1))
        status = try_leg(smoothing, from, to);
    return status;
}

// Finds a way of the fewest legs to the last of 'count' spots.
static AstarStatus find_legs(AstarSearch *search, const AstarPath *path)
{
    const int count = path->cells;
    Smoothing smoothing = {.spots = search->spots, .count = count};
    uint64_t work = astar_finder_has_callbacks(search->finder) ? WORK_ASKING : WORK;
    uint64_t share = work / 2 / (uint64_t)count;
    share = share < LEAST_SHARE_OF_LEGS ? LEAST_SHARE_OF_LEGS : share;
    astar_view_open(&smoothing.view, &search->costs);
    add_smooth_leg(&smoothing, 0, 0);
    AstarStatus status = ASTAR_OK;
    for (int next = 0; search->spots[count - 1].before < 0 && status == ASTAR_OK; next++)
        status = leave(&smoothing, search->spots[next].queued,
                       work / 2 + share * ((uint64_t)next + 1));
    return status;
}

// ---- the shortest route ----

static double line_length(const AstarSpot *a, const AstarSpot *b)
{
    double dx = (double)b->x - a->x, dy = (double)b->y - a->y;
    return sqrt(dx * dx + dy * dy);
}

// Finds what becomes shorter by a leg from a spot, the nearer ones first, until 'most' is spent.
static AstarStatus relax_spots(AstarView *view, AstarSpot *spots, int from, uint64_t most)
{
    const double SHORTER = 1 - 1e-9; // by less is none
    AstarSpot *spot = &spots[from];
    AstarStatus status = ASTAR_OK;
    astar_view_from(view, spot->x, spot->y);
    int to = spot->run + 1; // straight on, step by step is as short
    for (; to <= spot->reach && view->spent < most && status == ASTAR_OK; to++) {
        AstarSpot *end = &spots[to];
        double length = spot->length + line_length(spot, end);
        bool sees;
        view->spent++;
        if (end->before >= 0 && length >= end->length * SHORTER)
            continue;
        status = astar_view_sees(view, end->x, end->y, ASTAR_LENIENCE * (end->cost - spot->cost),
                                 &sees);
        if (status == ASTAR_OK && sees) {
            end->length = length;
            end->before = from;
        }
    }
    return status;
}

// Finds the shortest route to the last of 'count' spots: legs lead on along the path, so all that
// lead to a spot are known when it is its turn.
static AstarStatus find_shortest(AstarSearch *search, const AstarPath *path)
{
    const int count = path->cells;
    AstarSpot *spots = search->spots;
    uint64_t work = astar_finder_has_callbacks(search->finder) ? WORK_ASKING : WORK;
    uint64_t share = work / 2 / (uint64_t)count;
    share = share < LEAST_SHARE_OF_LEGS ? LEAST_SHARE_OF_LEGS : share;
    AstarView view;
    astar_view_open(&view, &search->costs);
    spots[0].before = 0;
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i + 1 < count && status == ASTAR_OK; i++) {
        AstarSpot *next = &spots[i + 1];
        double length = spots[i].length + line_length(&spots[i], next);
        if (next->before < 0 || length < next->length) {
            next->before = i;
            next->length = length;
        }
        status = relax_spots(&view, spots, i, work / 2 + share * ((uint64_t)i + 1));
    }
    return status;
}

// ---- fewer points, quickly ----

// Lets a point of the path go where those before and after it see each other. Lines that reach
// from where many points were let go take ever longer: they are followed for QUICK_SHARE steps a
// cell of the path and what WORK_ASKING adds.
static AstarStatus drop_points(AstarSearch *search, const AstarPath *path)
{
    AstarView view;
    AstarSpot *spots = search->spots;
    astar_view_open(&view, &search->costs);
    astar_view_from(&view, spots[0].x, spots[0].y);
    spots[0].before = 0;
    AstarStatus status = ASTAR_OK;
    for (int i = 1, anchor = 0; i < path->count && status == ASTAR_OK; i++) {
        int to = path->points[i].index, kept = path->points[i - 1].index;
        bool sees = kept == anchor;
        if (!sees && view.spent < WORK_ASKING + QUICK_SHARE * (uint64_t)to)
            status = astar_view_sees(&view, spots[to].x, spots[to].y,
                                     ASTAR_LENIENCE * (spots[to].cost - spots[anchor].cost), &sees);
        if (!sees) {
            anchor = kept;
            astar_view_from(&view, spots[anchor].x, spots[anchor].y);
        }
        spots[to].before = anchor;
    }
    return status;
}

// ---- the new path ----

// Builds the path of the legs found, gathered from its end.
static AstarStatus build_legs(const AstarSearch *search, int count, AstarPath *out)
{
    const AstarSpot *spots = search->spots;
    AstarStatus status = astar_path_add(out, spots[count - 1].x, spots[count - 1].y, 1);
    for (int i = count - 1; i > 0 && status == ASTAR_OK; i = spots[i].before) {
        const AstarSpot *from = &spots[spots[i].before];
        AstarLine line = astar_line_on(search->grid->shape, spots[i].x, spots[i].y, from->x,
                                       from->y, out->orthogonal);
        status = astar_path_add(out, from->x, from->y, (int)line.steps);
    }
    astar_path_turn(out);
    return status;
}

static AstarStatus finish_smoothed(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    AstarStatus status = build_legs(search, path->cells, out);
    if (status != ASTAR_OK)
        return status;
    astar_path_measure(out);
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}

// Chooses among the cells that the survey has noted those where legs end.
typedef AstarStatus (*Choose)(AstarSearch *search, const AstarPath *path);

// 'self' is the function that asks: links stay, and what lies between them is its to do again.
static AstarStatus smooth_between_links(AstarSearch *search, const AstarPath *path, AstarPath *out,
                                        Choose choose, AstarRework self)
{
    if (path->link_count > 0)
        return astar_rework_between_links(search, path, self, out);
    astar_path_begin(out, path, &search->allocator);
    if (path->count == 0) { // there is nothing to walk
        out->cost = INFINITY;
        return ASTAR_OK;
    }
    AstarStatus status = survey(search, path);
    if (status == ASTAR_OK)
        status = choose(search, path);
    return status == ASTAR_OK ? finish_smoothed(search, path, out) : status;
}

AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    return smooth_between_links(search, path, out, find_legs, astar_smooth);
}

AstarStatus astar_smooth_quickly(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    return smooth_between_links(search, path, out, drop_points, astar_smooth_quickly);
}

AstarStatus astar_shorten(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    return smooth_between_links(search, path, out, find_shortest, astar_shorten);
}
