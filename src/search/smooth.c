// smooth.c -- fewer, straighter legs along a path.
//
// A leg may begin and end at any two cells of the path, if the line between them is clear and its
// steps cost no more than the part of the path it replaces: a shortcut never leads through the
// swamp that the path went around. Breadth first over the cells, legs as its steps, each is reached
// by the fewest legs.
//
// Pairs of cells are many, but few need a line of their own. What lies straight on along the path
// is in sight anyway; what the view from a cell has in shadow, a span of cells at once, is not. And
// where no path can be cheaper, as the path found on ground of one cost, a clear line costs just
// what the path between its ends does: no cell is in sight from which the path has since made a
// detour, by the count of its steps. Detours only grow, so each cell looks no farther than to the
// first.
//
// The rest is bounded: each cell looks for the nearer ones first, and no longer than its share of
// WORK and what those before it left: O(cells + WORK), and the fewest legs unless that runs out.
//
// All that is known lies in an AstarSmoothing and in the search's spots, so that it can stop after
// any line and go on later. A line that a callback breaks off is followed again, and counts once.

#include "search/smooth.h"

#include "base/array.h"
#include "path/path.h"
#include "search/bends.h"
#include "search/search.h"

// Steps of lines: some 60 ms of them, and of callbacks.
static const uint64_t WORK = UINT64_C(1) << 23, WORK_ASKING = UINT64_C(1) << 20;
enum { LEAST_SHARE_OF_LEGS = 32, QUICK_SHARE = 64, SPAN = 8 };

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

// Lists the cells of the part and what it costs to get to each, those to come.
static AstarStatus list_spots(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarSpot *spots = search->lines.spots;
    for (; smoothing->at < smoothing->count; smoothing->at++) {
        if ((*work)-- <= 0)
            return ASTAR_RUNNING;
        AstarPathCursor cursor = smoothing->cursor;
        int i = smoothing->at, x, y;
        astar_path_next(&cursor, &x, &y);
        spots[i] = (AstarSpot){.x = x, .y = y, .before = -1, .reach = smoothing->count - 1};
        double step = 0;
        AstarStatus status = i > 0 ? last_step(search, &spots[i], &step) : ASTAR_OK;
        if (status != ASTAR_OK)
            return status;
        spots[i].cost = i > 0 ? spots[i - 1].cost + step : 0;
        smoothing->cursor = cursor;
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

// ---- the fewest legs ----

// The first spot from 'i' on that no leg has reached yet.
static int unreached(AstarSpot *spots, int count, int i)
{
    while (i < count && spots[i].before >= 0) {
        int next = spots[i].skip;
        if (next < count && spots[next].before >= 0)
            spots[i].skip = spots[next].skip;
        i = next;
    }
    return i;
}

static void add_smooth_leg(AstarSmoothing *smoothing, AstarSpot *spots, int from, int to)
{
    spots[to].before = from;
    spots[to].skip = to + 1;
    spots[smoothing->queued++].queued = to;
}

static AstarStatus try_leg(AstarSmoothing *smoothing, AstarSpot *spots, int from, int to)
{
    const AstarSpot *a = &spots[from], *b = &spots[to];
    bool sees;
    AstarStatus status = astar_view_sees(&smoothing->view, b->x, b->y,
                                         ASTAR_LENIENCE * (b->cost - a->cost), &sees);
    if (status == ASTAR_OK && sees)
        add_smooth_leg(smoothing, spots, from, to);
    return status;
}

// Counts what the view has spent since this was last asked.
static void note_spent(AstarSmoothing *smoothing, int64_t *work)
{
    *work -= (int64_t)(smoothing->view.spent - smoothing->spent) + 1;
    smoothing->spent = smoothing->view.spent;
}

// The legs straight on from a spot, which need no look.
static void begin_leaving(AstarSmoothing *smoothing, AstarSpot *spots, int from)
{
    const AstarSpot *spot = &spots[from];
    int to = unreached(spots, smoothing->count, from + 1);
    for (; to <= spot->run; to = unreached(spots, smoothing->count, to + 1))
        add_smooth_leg(smoothing, spots, from, to);
    smoothing->to = to;
    smoothing->looks_far = to <= spot->reach &&
                           unreached(spots, smoothing->count, spot->reach) == spot->reach;
    if (to <= spot->reach)
        astar_view_from(&smoothing->view, spot->x, spot->y);
}

// Whether it is known that the view sees none of a span of spots.
static bool hides_span(AstarView *view, const AstarSpot *spots, int from, int to)
{
    AstarPoint low = {.x = spots[from].x, .y = spots[from].y}, high = low;
    for (const AstarSpot *spot = &spots[from + 1]; spot <= &spots[to]; spot++) {
        low.x = spot->x < low.x ? spot->x : low.x;
        low.y = spot->y < low.y ? spot->y : low.y;
        high.x = spot->x > high.x ? spot->x : high.x;
        high.y = spot->y > high.y ? spot->y : high.y;
    }
    return astar_view_hides(view, low, high);
}

// Finds the legs that begin at a spot and end where none did yet: straight on, then the farthest
// there may be, then the others, the nearer first, while no more than 'most' has been spent.
static AstarStatus leave(AstarSmoothing *smoothing, AstarSpot *spots, uint64_t most, int64_t *work)
{
    int from = spots[smoothing->at].queued, reach = spots[from].reach;
    if (smoothing->to < 0)
        begin_leaving(smoothing, spots, from);
    while (smoothing->looks_far || (smoothing->to < reach && smoothing->spent < most &&
                                    spots[smoothing->count - 1].before < 0)) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        int to = smoothing->looks_far ? reach : smoothing->to, last = to | (SPAN - 1);
        bool hides = to % SPAN == 0 && last < reach &&
                     hides_span(&smoothing->view, spots, to, last);
        AstarStatus status = hides ? ASTAR_OK : try_leg(smoothing, spots, from, to);
        if (status != ASTAR_OK)
            return status;
        if (!smoothing->looks_far)
            smoothing->to = unreached(spots, smoothing->count, hides ? last + 1 : to + 1);
        smoothing->looks_far = false;
        note_spent(smoothing, work);
    }
    return ASTAR_OK;
}

// How much may be spent on lines until so many cells of the part have had their turn.
static uint64_t work_until(const AstarSearch *search, const AstarSmoothing *smoothing, int turns)
{
    uint64_t work = astar_finder_has_callbacks(search->finder) ? WORK_ASKING : WORK;
    uint64_t share = work / 2 / (uint64_t)smoothing->count;
    share = share < LEAST_SHARE_OF_LEGS ? LEAST_SHARE_OF_LEGS : share;
    return work / 2 + share * (uint64_t)turns;
}

// ---- the shortest route ----

// What becomes of a spot by a leg from another.
static AstarStatus relax_spot(AstarView *view, AstarSpot *spots, int from, int to)
{
    const AstarSpot *spot = &spots[from];
    AstarSpot *end = &spots[to];
    double length = spot->length + astar_distance(spot->x, spot->y, end->x, end->y);
    view->spent++;
    if (end->before >= 0 && length >= end->length * ASTAR_SHORTER)
        return ASTAR_OK;
    bool sees;
    AstarStatus status = astar_view_sees(view, end->x, end->y,
                                         ASTAR_LENIENCE * (end->cost - spot->cost), &sees);
    if (status == ASTAR_OK && sees) {
        end->length = length;
        end->before = from;
    }
    return status;
}

// Step by step on along the path, and straight on that is as short as any leg.
static void begin_relaxing(AstarSmoothing *smoothing, AstarSpot *spots, int from)
{
    AstarSpot *spot = &spots[from], *next = spot + 1;
    double length = spot->length + astar_distance(spot->x, spot->y, next->x, next->y);
    if (next->before < 0 || length < next->length) {
        next->before = from;
        next->length = length;
    }
    astar_view_from(&smoothing->view, spot->x, spot->y);
    smoothing->to = spot->run + 1;
}

// Finds what becomes shorter by a leg from a spot, the nearer ones first, until 'most' is spent.
static AstarStatus relax_spots(AstarSmoothing *smoothing, AstarSpot *spots, uint64_t most,
                               int64_t *work)
{
    int from = smoothing->at;
    if (smoothing->to < 0)
        begin_relaxing(smoothing, spots, from);
    for (; smoothing->to <= spots[from].reach && smoothing->spent < most; smoothing->to++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = relax_spot(&smoothing->view, spots, from, smoothing->to);
        if (status != ASTAR_OK)
            return status;
        note_spent(smoothing, work);
    }
    return ASTAR_OK;
}

// Finds a way of the fewest legs to the last of the spots, or the shortest: legs lead on along the
// path, so all that lead to a spot are known when it is its turn.
static AstarStatus find_legs(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarSpot *spots = search->lines.spots;
    bool is_shortest = smoothing->kind == ASTAR_SHORTEST_ROUTE;
    int last = smoothing->count - 1;
    if (smoothing->queued == 0)
        add_smooth_leg(smoothing, spots, 0, 0);
    for (; is_shortest ? smoothing->at < last : spots[last].before < 0; smoothing->at++) {
        if ((*work)-- <= 0)
            return ASTAR_RUNNING;
        uint64_t most = work_until(search, smoothing, smoothing->at + 1);
        AstarStatus status = (is_shortest ? relax_spots : leave)(smoothing, spots, most, work);
        if (status != ASTAR_OK)
            return status;
        smoothing->to = -1;
    }
    return ASTAR_OK;
}

// ---- fewer points, quickly ----

// Lets a point of the path go where those before and after it see each other. Lines that reach
// from where many points were let go take ever longer: they are followed for QUICK_SHARE steps a
// cell of the path and what WORK_ASKING adds.
static AstarStatus drop_point(const AstarPath *part, AstarSpot *spots, AstarSmoothing *smoothing)
{
    AstarView *view = &smoothing->view;
    int to = part->points[smoothing->at].index, kept = part->points[smoothing->at - 1].index;
    int anchor = smoothing->anchor;
    bool sees = kept == anchor;
    AstarStatus status = ASTAR_OK;
    if (!sees && smoothing->spent < WORK_ASKING + QUICK_SHARE * (uint64_t)to)
        status = astar_view_sees(view, spots[to].x, spots[to].y,
                                 ASTAR_LENIENCE * (spots[to].cost - spots[anchor].cost), &sees);
    if (!sees) {
        smoothing->anchor = kept;
        astar_view_from(view, spots[kept].x, spots[kept].y);
    }
    spots[to].before = smoothing->anchor;
    return status;
}

static AstarStatus drop_points(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    const AstarPath *part = &search->parts[0];
    AstarSpot *spots = search->lines.spots;
    if (smoothing->at == 0) {
        astar_view_from(&smoothing->view, spots[0].x, spots[0].y);
        spots[0].before = 0;
        smoothing->at = 1;
    }
    for (; smoothing->at < part->count; smoothing->at++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = drop_point(part, spots, smoothing);
        if (status != ASTAR_OK)
            return status;
        note_spent(smoothing, work);
    }
    return ASTAR_OK;
}

// ---- the new path ----

// Builds the path of the legs found, gathered from its end.
static AstarStatus build_legs(const AstarSearch *search, int count, AstarPath *out)
{
    const AstarSpot *spots = search->lines.spots;
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

// Takes up the next part.
static AstarStatus begin_part(AstarSearch *search, AstarSmoothing *smoothing)
{
    const AstarPath *path = smoothing->path;
    AstarPath *part = &search->parts[0];
    smoothing->last = astar_part_end(path, smoothing->first);
    AstarStatus status = astar_cut_part(path, smoothing->first, smoothing->last, &search->allocator,
                                        part);
    bool bends = astar_counts_bends(search->finder, &path->question);
    if (status == ASTAR_OK)
        status = astar_stand(search, part->points[0].x, part->points[0].y, bends);
    if (status == ASTAR_OK && !ASTAR_RESERVE(&search->allocator, search->lines.spots, 0,
                                             (size_t)part->cells, &search->lines.spot_capacity, 0))
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK)
        return status;
    smoothing->stage = ASTAR_SMOOTH_LIST;
    smoothing->cursor = astar_path_cursor(part);
    smoothing->count = part->cells;
    smoothing->at = 0;
    return ASTAR_OK;
}

// Works out of the cells listed how far the path and lines may lead from each.
static void begin_choosing(AstarSearch *search, AstarSmoothing *smoothing)
{
    find_runs(search->grid->shape, search->lines.spots, smoothing->count);
    if (smoothing->path->best_at == search->costs.version + 1 &&
        astar_sight_is_plain(search->finder))
        find_reaches(search->finder, search->lines.spots, smoothing->count);
    astar_view_open(&smoothing->view, &search->costs);
    smoothing->stage = ASTAR_SMOOTH_CHOOSE;
    smoothing->spent = 0;
    smoothing->at = smoothing->queued = smoothing->anchor = 0;
    smoothing->to = -1;
    smoothing->looks_far = false;
}

static AstarStatus choose_legs(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    smoothing->view.spent = smoothing->spent;
    bool is_quick = smoothing->kind == ASTAR_FEWER_POINTS;
    return (is_quick ? drop_points : find_legs)(search, smoothing, work);
}

// Whether other legs, through cells beside the lines of a part that goes at any angle, are no fewer
// and yet longer.
static bool is_better_as_it_was(const AstarSmoothing *smoothing, AstarPath *part,
                                AstarPath *reworked)
{
    if (smoothing->kind != ASTAR_FEWEST_LEGS || reworked->count < part->count)
        return false;
    astar_path_measure(part);
    astar_path_measure(reworked);
    return part->length < reworked->length;
}

static AstarStatus finish_part(AstarSearch *search, AstarSmoothing *smoothing)
{
    AstarPath *part = &search->parts[0], *reworked = &search->parts[1];
    astar_path_begin(reworked, part, &search->allocator);
    AstarStatus status = build_legs(search, smoothing->count, reworked);
    if (status == ASTAR_OK && is_better_as_it_was(smoothing, part, reworked))
        reworked = part;
    if (status == ASTAR_OK)
        status = astar_append_part(search->finder, smoothing->path, smoothing->first,
                                   smoothing->last, reworked, smoothing->out);
    smoothing->first = smoothing->last + 1;
    smoothing->stage = ASTAR_SMOOTH_CUT;
    return status;
}

// What is made bends no more often than what it is made of, though it may more sharply.
static void tell_smoothed_cost(const AstarSearch *search, const AstarSmoothing *smoothing)
{
    AstarPath *out = smoothing->out;
    out->cost = smoothing->walk.cost + astar_path_bend_cost(out, &search->finder->options);
}

// Begins to walk what has been made.
static AstarStatus begin_walking(AstarSearch *search, AstarSmoothing *smoothing)
{
    astar_path_measure(smoothing->out);
    AstarStatus status = astar_walk_begin(search, smoothing->out, 0, &smoothing->walk);
    tell_smoothed_cost(search, smoothing);
    smoothing->stage = status == ASTAR_OK ? ASTAR_SMOOTH_DONE : ASTAR_SMOOTH_WALK;
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}

static AstarStatus walk_smoothed(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status = astar_walk_on(search, &smoothing->walk, work);
    tell_smoothed_cost(search, smoothing);
    if (status == ASTAR_OK)
        smoothing->stage = ASTAR_SMOOTH_DONE;
    return status;
}

// Goes on with a stage; ASTAR_OK once the next one is to follow.
static AstarStatus run_stage(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status;
    switch (smoothing->stage) {
    case ASTAR_SMOOTH_CUT:
        return smoothing->first < smoothing->path->count ? begin_part(search, smoothing)
                                                         : begin_walking(search, smoothing);
    case ASTAR_SMOOTH_LIST:
        status = list_spots(search, smoothing, work);
        if (status == ASTAR_OK)
            begin_choosing(search, smoothing);
        return status;
    case ASTAR_SMOOTH_CHOOSE:
        status = choose_legs(search, smoothing, work);
        return status == ASTAR_OK ? finish_part(search, smoothing) : status;
    default: return walk_smoothed(search, smoothing, work);
    }
}

void astar_smoothing_begin(const AstarSearch *search, AstarSmoothing *smoothing,
                           AstarSmoothKind kind, const AstarPath *path, AstarPath *out)
{
    smoothing->kind = kind;
    smoothing->stage = ASTAR_SMOOTH_CUT;
    smoothing->path = path;
    smoothing->out = out;
    smoothing->first = 0;
    astar_path_begin(out, path, &search->allocator);
}

AstarStatus astar_smoothing_run(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK && smoothing->stage != ASTAR_SMOOTH_DONE)
        status = run_stage(search, smoothing, work);
    if (status == ASTAR_NO_MEMORY)
        astar_smoothing_begin(search, smoothing, smoothing->kind, smoothing->path, smoothing->out);
    return status;
}

// What smoothing holds is too much for a stack on which callbacks smooth again, and callbacks may
// never return: so the search has it.
static AstarStatus smooth_at_once(AstarSearch *search, AstarSmoothKind kind, const AstarPath *path,
                                  AstarPath *out)
{
    if (search->grid->shape->wraps != 0)
        return ASTAR_BAD_SEAM;
    if (search->lines.smoothing == NULL)
        search->lines.smoothing = astar_alloc(&search->allocator, 1,
                                              sizeof *search->lines.smoothing);
    if (search->lines.smoothing == NULL)
        return ASTAR_NO_MEMORY;
    int64_t work = ASTAR_ALL_WORK;
    astar_smoothing_begin(search, search->lines.smoothing, kind, path, out);
    return astar_smoothing_run(search, search->lines.smoothing, &work);
}

AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    return smooth_at_once(search, ASTAR_FEWEST_LEGS, path, out);
}

AstarStatus astar_smooth_quickly(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    return smooth_at_once(search, ASTAR_FEWER_POINTS, path, out);
}
