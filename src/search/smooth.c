// smooth.c -- smooths a path: fewer, straighter legs, found by galloping.
//
// A leg may lead from one cell of the path to any later cell under two conditions. The unit's body
// can go along the line between them (search/sight.h), and the steps along the line cost no more
// than the part of the path that it replaces. A line therefore never crosses a swamp that the path
// avoids.
//
// From each turn, later cells are tried in strides of 1, 2, 4, ... cells until one is out of sight.
// Halving the last stride then finds how far sight reaches, and the next turn is there. The lines
// tried are together about as long as the path, times a logarithm. The visible cells need not be
// one stretch of the path, so the leg is not always the longest possible. An earlier version found
// the fewest legs by breadth-first search over all cells. On the benchmark maps that took 6 to 40
// times as long, and the routes were 0.2 % longer on average.
//
// A turn that is found by strides lies as far along the path as can be seen, often past the corner
// around which the route leads. Therefore each turn is then moved along the path, by strides that
// are halved, as long as this makes the route shorter. A turn is dropped if the turns before and
// after it see each other.
//
// Straight legs of the path itself are never checked.
//
// If bends count and the first leg follows the unit's heading, a first leg in another direction
// would add a bend at the start. Therefore the first turn is only moved along that leg, or dropped.
//
// All state is kept in an AstarSmoothing and in the search's arrays, so the work can stop after any
// line and continue later. A line that a callback interrupts is followed again.

#include "search/smooth.h"

#include "base/array.h"
#include "search/bends.h"
#include "search/path.h"
#include "search/reachable.h"
#include "search/search.h"
#include "search/sight.h"

enum { LONGEST_MOVE = 32 }; // maximum distance of the first move of a turn, in cells

// The functions below list the cells of the part that is being smoothed.

static double distance_between(const AstarSearch *search, int from, int to)
{
    const AstarSpot *a = &search->lines.spots[from], *b = &search->lines.spots[to];
    const AstarShape *shape = search->grid->shape;
    return shape->has_corners ? astar_distance(a->x, a->y, b->x, b->y)
                              : shape->length(shape, a->x, a->y, b->x, b->y);
}

// Lists the cells of a leg after its first cell. If the line passes through the centres of all its
// cells, the rest of the leg is straight from each of them. Otherwise only the next step is
// straight: the line from a cell beside the leg to the end of the leg is another line.
static void list_leg(const AstarSearch *search, const AstarPoint *from, AstarSpot *spots)
{
    const AstarPath *part = &search->parts[0];
    const AstarPoint *to = from + 1;
    AstarLine line = astar_line_on(search->grid->shape, from->x, from->y, to->x, to->y,
                                   part->orthogonal);
    bool is_even = line.offset == ASTAR_NO_OFFSET &&
                   (line.dx == 0 || line.dy == 0 || (line.dx == line.dy && !line.orthogonal));
    bool is_straight = is_even || (line.offset != ASTAR_NO_OFFSET &&
                                   (line.dx == 0 || line.dy == 0 || line.dx + line.dy == 0));
    int dx = line.dx > 0 ? line.sign_x : 0, dy = line.dy > 0 ? line.sign_y : 0;
    for (int i = 1; i <= to->index - from->index; i++) {
        AstarSpot *spot = &spots[from->index + i];
        spot->x = from->x + i * dx;
        spot->y = from->y + i * dy;
        if (!is_even)
            astar_line_cell(&line, i, &spot->x, &spot->y);
        spot->end = is_straight ? to->index : from->index + i + 1;
        spot->is_straight = is_straight;
    }
    spots[from->index].end = to->index;
    spots[from->index].is_straight = is_straight;
}

// Lists the cells of the part, one leg at a time.
static AstarStatus list_cells(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    const AstarPath *part = &search->parts[0];
    AstarSpot *spots = search->lines.spots;
    if (smoothing->listed == 0)
        spots[0] = (AstarSpot){part->points[0].x, part->points[0].y, 0, false};
    for (; smoothing->listed < part->count - 1; smoothing->listed++) {
        const AstarPoint *from = &part->points[smoothing->listed];
        if (*work <= 0)
            return ASTAR_RUNNING;
        list_leg(search, from, spots);
        *work -= 1 + (from[1].index - from->index) / 8;
    }
    return ASTAR_OK;
}

// Lists the cost from the start of the part to each of its cells, rounded in the same way as in
// searches. For the cells after a step that cannot be made now, the cost is INFINITY.
static AstarStatus list_costs(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    const AstarSpot *spots = search->lines.spots;
    double *costs = search->lines.costs;
    costs[0] = 0;
    for (; smoothing->priced < smoothing->count; smoothing->priced++) {
        if ((*work)-- <= 0)
            return ASTAR_RUNNING;
        int i = smoothing->priced;
        int direction = astar_direction(spots[i].x - spots[i - 1].x, spots[i].y - spots[i - 1].y);
        double step;
        AstarStatus status = astar_costs_step(&search->costs, spots[i - 1].x, spots[i - 1].y,
                                              direction, &step, NULL);
        if (status != ASTAR_OK)
            return status;
        costs[i] = costs[i - 1] + astar_finder_round(search->finder, step);
    }
    return ASTAR_OK;
}

static AstarStatus list_part(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status = list_cells(search, smoothing, work);
    return status == ASTAR_OK && !smoothing->is_plain ? list_costs(search, smoothing, work)
                                                      : status;
}

// Legs.

// Finds out whether the new path may lead straight from one cell of the part to a later cell.
static AstarStatus try_leg(AstarSearch *search, const AstarSmoothing *smoothing, int from, int to,
                           bool *may, int64_t *work)
{
    const AstarSpot *a = &search->lines.spots[from], *b = &search->lines.spots[to];
    uint64_t spent = 1;
    AstarStatus status = ASTAR_OK;
    *may = to == a->end || (to < a->end && a->is_straight);
    if (!*may && smoothing->is_plain) {
        *may = astar_sees_plainly(search->finder, a->x, a->y, b->x, b->y, &spent);
    } else if (!*may) {
        const double *costs = search->lines.costs;
        double limit = ASTAR_LENIENCE * (costs[to] - costs[from]);
        status = astar_sees(&search->costs, a->x, a->y, b->x, b->y, limit, may, &spent);
    }
    *work -= (int64_t)spent;
    return status;
}

// Galloping.

static void add_turn(AstarSearch *search, AstarSmoothing *smoothing, int index)
{
    search->lines.turns[smoothing->turns++] = index;
    smoothing->reached = -1;
}

// Finds the next turn: the last cell that the strides show to be visible from the last turn.
static AstarStatus gallop(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    const int last = smoothing->count - 1, from = search->lines.turns[smoothing->turns - 1];
    if (smoothing->reached < 0) {
        smoothing->reached = search->lines.spots[from].end;
        smoothing->stride = 1;
        smoothing->doubles = true;
    }
    // The end of the part is tried first, since most goals nearby are in sight.
    bool to_end = !smoothing->looked;
    const bool keeps_heading = from == 0 && smoothing->along_heading > 0;
    while (smoothing->reached < last && smoothing->stride > 0) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        int to = last - smoothing->reached < smoothing->stride || to_end
                     ? last
                     : smoothing->reached + smoothing->stride;
        bool may;
        AstarStatus status = try_leg(search, smoothing, from, to, &may, work);
        if (status != ASTAR_OK)
            return status;
        smoothing->looked = true;
        if (may)
            smoothing->reached = to;
        if (keeps_heading)
            break;
        if (to_end) {
            to_end = false;
            continue;
        }
        smoothing->doubles &= may;
        smoothing->stride = smoothing->doubles ? 2 * smoothing->stride : smoothing->stride / 2;
    }
    add_turn(search, smoothing, smoothing->reached);
    return ASTAR_OK;
}

static AstarStatus choose_turns(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK && search->lines.turns[smoothing->turns - 1] < smoothing->count - 1) {
        if (!ASTAR_RESERVE(&search->allocator, search->lines.turns, (size_t)smoothing->turns, 1,
                           &search->lines.turn_capacity, 16))
            return ASTAR_NO_MEMORY;
        status = gallop(search, smoothing, work);
    }
    return status;
}

// Shortening.

// Moves a turn by 'move' cells along the part if that makes the route shorter and both legs at the
// turn stay allowed.
static AstarStatus try_move(AstarSearch *search, const AstarSmoothing *smoothing, int from,
                            int *turn, int to, int move, double *length, int64_t *work)
{
    int moved = *turn + move;
    if (moved <= from || moved >= to)
        return ASTAR_OK;
    if (from == 0 && *turn <= smoothing->along_heading && moved > smoothing->along_heading)
        return ASTAR_OK;
    double over = distance_between(search, from, moved) + distance_between(search, moved, to);
    if (over >= *length * ASTAR_SHORTER)
        return ASTAR_OK;
    bool may;
    AstarStatus status = try_leg(search, smoothing, from, moved, &may, work);
    if (status == ASTAR_OK && may)
        status = try_leg(search, smoothing, moved, to, &may, work);
    if (status == ASTAR_OK && may) {
        *turn = moved;
        *length = over;
    }
    return status;
}

// Returns true if the route is taut at a turn: moving the turn cannot make the route shorter unless
// the route then passes an obstacle on its other side.
static bool is_taut(const AstarSearch *search, const AstarSmoothing *smoothing, int from, int turn,
                    int to)
{
    const AstarSpot *spots = search->lines.spots;
    AstarCell a = {spots[from].x, spots[from].y}, b = {spots[turn].x, spots[turn].y},
              c = {spots[to].x, spots[to].y};
    return smoothing->is_plain && search->finder->options.margin == 0 &&
           astar_is_taut(search->finder, a, b, c);
}

// Moves a turn of the route along the cells of the original path as long as that shortens the
// route. Sets '*turn' below 0 if the turn is dropped because the turns before and after it see each
// other.
static AstarStatus shorten_turn(AstarSearch *search, const AstarSmoothing *smoothing, int from,
                                int *turn, int to, int64_t *work)
{
    bool may;
    if (is_taut(search, smoothing, from, *turn, to))
        return ASTAR_OK;
    AstarStatus status = try_leg(search, smoothing, from, to, &may, work);
    if (status != ASTAR_OK)
        return status;
    double length = distance_between(search, from, *turn) + distance_between(search, *turn, to);
    int longer = *turn - from > to - *turn ? *turn - from : to - *turn;
    for (int move = may ? 0 : astar_lesser(longer / 2, LONGEST_MOVE); move > 0;) {
        int before = *turn;
        status = try_move(search, smoothing, from, turn, to, -move, &length, work);
        if (status == ASTAR_OK && *turn == before)
            status = try_move(search, smoothing, from, turn, to, move, &length, work);
        if (status != ASTAR_OK)
            return status;
        move = *turn == before ? move / 2 : move;
    }
    *turn = may ? -1 : *turn;
    return ASTAR_OK;
}

// Shortens the route at each turn once. If a callback interrupts the work on a turn, that turn is
// done again.
static AstarStatus shorten(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    int32_t *turns = search->lines.turns;
    for (; smoothing->turn + 1 < smoothing->turns; smoothing->turn++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        int turn = turns[smoothing->turn];
        AstarStatus status = shorten_turn(search, smoothing, turns[smoothing->kept], &turn,
                                          turns[smoothing->turn + 1], work);
        if (status != ASTAR_OK)
            return status;
        if (turn >= 0)
            turns[++smoothing->kept] = turn;
    }
    turns[++smoothing->kept] = smoothing->count - 1;
    smoothing->turns = smoothing->kept + 1;
    return ASTAR_OK;
}

// The new path.

// Builds the path of the chosen legs.
static AstarStatus build_legs(const AstarSearch *search, const AstarSmoothing *smoothing,
                              AstarPath *out)
{
    const int32_t *turns = search->lines.turns;
    const AstarSpot *from = search->lines.spots;
    AstarStatus status = astar_path_add(out, from->x, from->y, 1);
    for (int i = 1; i < smoothing->turns && status == ASTAR_OK; i++) {
        const AstarSpot *to = &search->lines.spots[turns[i]];
        AstarLine line = astar_line_on(search->grid->shape, from->x, from->y, to->x, to->y,
                                       out->orthogonal);
        status = astar_path_add(out, to->x, to->y, (int)line.steps);
        from = to;
    }
    return status;
}

// Returns the number of the cell where the first leg of the path ends, if bends count and that leg
// follows the unit's heading; else 0.
static int end_along_heading(const AstarSearch *search, const AstarSmoothing *smoothing)
{
    const AstarPath *part = &search->parts[0];
    if (smoothing->first > 0 || part->count < 2 || part->query.heading == ASTAR_NO_HEADING ||
        !astar_counts_bends(search->finder, &part->query))
        return 0;
    return astar_path_bend_at(part, 0) == 0 ? part->points[1].index : 0;
}

// Starts to smooth the next part of the path.
static AstarStatus begin_part(AstarSearch *search, AstarSmoothing *smoothing)
{
    const AstarPath *path = smoothing->path;
    AstarPath *part = &search->parts[0];
    AstarLines *lines = &search->lines;
    smoothing->last = astar_part_end(path, smoothing->first);
    AstarStatus status = astar_cut_part(path, smoothing->first, smoothing->last, &search->allocator,
                                        part);
    bool bends = astar_counts_bends(search->finder, &path->query);
    if (status == ASTAR_OK)
        status = astar_ignore_own_blocks(search, part->points[0].x, part->points[0].y, bends);
    smoothing->is_plain = astar_sight_is_plain(search->finder);
    if (!ASTAR_RESERVE(&search->allocator, lines->spots, 0, (size_t)part->cells,
                       &lines->spot_capacity, 0) ||
        (!smoothing->is_plain && !ASTAR_RESERVE(&search->allocator, lines->costs, 0,
                                                (size_t)part->cells, &lines->cost_capacity, 0)) ||
        !ASTAR_RESERVE(&search->allocator, lines->turns, 0, 2, &lines->turn_capacity, 16))
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK)
        return status;
    smoothing->stage = ASTAR_SMOOTH_LIST;
    smoothing->count = part->cells;
    smoothing->along_heading = end_along_heading(search, smoothing);
    smoothing->listed = smoothing->turns = smoothing->kept = 0;
    smoothing->priced = smoothing->turn = 1;
    smoothing->looked = false;
    add_turn(search, smoothing, 0);
    return ASTAR_OK;
}

// Returns true if a part of the path should be kept. The legs of this part already have any angle,
// and the new legs, which lead over cells beside these legs, would be longer and no fewer.
static bool is_better_as_it_was(AstarPath *part, AstarPath *reworked)
{
    if (reworked->count < part->count)
        return false;
    astar_path_measure(part);
    astar_path_measure(reworked);
    return reworked->count > part->count || part->length < reworked->length;
}

static AstarStatus finish_part(AstarSearch *search, AstarSmoothing *smoothing)
{
    AstarPath *part = &search->parts[0], *reworked = &search->parts[1];
    astar_path_begin(reworked, part, &search->allocator);
    AstarStatus status = build_legs(search, smoothing, reworked);
    if (status == ASTAR_OK && is_better_as_it_was(part, reworked))
        reworked = part;
    if (status == ASTAR_OK)
        status = astar_append_part(search->finder, smoothing->path, smoothing->first,
                                   smoothing->last, reworked, smoothing->out);
    smoothing->first = smoothing->last + 1;
    smoothing->stage = ASTAR_SMOOTH_CUT;
    return status;
}

double astar_cost_of_lines(const AstarFinder *finder, const AstarPath *path)
{
    double straight = 0, diagonal = 0;
    for (int i = 1; i < path->count; i++) {
        const AstarPoint *from = &path->points[i - 1], *to = &path->points[i];
        AstarLine line = astar_line(from->x, from->y, to->x, to->y, path->orthogonal);
        int64_t diagonally = path->orthogonal ? 0 : line.dx < line.dy ? line.dx : line.dy;
        straight += (double)(line.steps - diagonally);
        diagonal += (double)diagonally;
    }
    return finder->min_cost * straight +
           finder->min_cost * diagonal * finder->options.diagonal_cost;
}

// Sets the cost of the smoothed path. The smoothed path has no more bends than the old path, but
// some of its bends may be sharper.
static void tell_smoothed_cost(const AstarSearch *search, const AstarSmoothing *smoothing,
                               double cost)
{
    AstarPath *out = smoothing->out;
    out->cost = cost + astar_path_bend_cost(out, &search->finder->options);
}

// Starts to follow the new path in order to compute its cost. This is skipped if the old path can
// be walked and a line costs no more than the steps along it.
static AstarStatus begin_walking(AstarSearch *search, AstarSmoothing *smoothing)
{
    AstarPath *out = smoothing->out;
    astar_path_measure(out);
    smoothing->stage = ASTAR_SMOOTH_DONE;
    if (smoothing->is_sound && out->link_count == 0 && smoothing->is_plain) {
        tell_smoothed_cost(search, smoothing, astar_cost_of_lines(search->finder, out));
        return ASTAR_OK;
    }
    AstarStatus status = astar_walk_begin(search, out, 0, &smoothing->walk);
    tell_smoothed_cost(search, smoothing, smoothing->walk.cost);
    if (status == ASTAR_RUNNING)
        smoothing->stage = ASTAR_SMOOTH_WALK;
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}

static AstarStatus walk_smoothed(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status = astar_walk_on(search, &smoothing->walk, work);
    tell_smoothed_cost(search, smoothing, smoothing->walk.cost);
    if (status == ASTAR_OK)
        smoothing->stage = ASTAR_SMOOTH_DONE;
    return status;
}

// Runs the current stage of smoothing. Returns ASTAR_OK once the next stage can run.
static AstarStatus run_stage(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status;
    switch (smoothing->stage) {
    case ASTAR_SMOOTH_CUT:
        return smoothing->first < smoothing->path->count ? begin_part(search, smoothing)
                                                         : begin_walking(search, smoothing);
    case ASTAR_SMOOTH_LIST:
        status = list_part(search, smoothing, work);
        smoothing->stage = status == ASTAR_OK ? ASTAR_SMOOTH_GALLOP : ASTAR_SMOOTH_LIST;
        return status;
    case ASTAR_SMOOTH_GALLOP:
        status = choose_turns(search, smoothing, work);
        smoothing->stage = status == ASTAR_OK ? ASTAR_SMOOTH_SHORTEN : ASTAR_SMOOTH_GALLOP;
        return status;
    case ASTAR_SMOOTH_SHORTEN:
        status = shorten(search, smoothing, work);
        return status == ASTAR_OK ? finish_part(search, smoothing) : status;
    default: return walk_smoothed(search, smoothing, work);
    }
}

void astar_smoothing_begin(const AstarSearch *search, AstarSmoothing *smoothing,
                           const AstarPath *path, AstarPath *out)
{
    smoothing->stage = ASTAR_SMOOTH_CUT;
    smoothing->path = path;
    smoothing->out = out;
    smoothing->is_sound = path->best_at == search->costs.version + 1;
    smoothing->first = 0;
    astar_path_begin(out, path, &search->allocator);
}

AstarStatus astar_smoothing_run(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK && smoothing->stage != ASTAR_SMOOTH_DONE)
        status = run_stage(search, smoothing, work);
    if (status == ASTAR_NO_MEMORY)
        astar_smoothing_begin(search, smoothing, smoothing->path, smoothing->out);
    return status;
}

// The AstarSmoothing is memory of the search, not of the stack. The struct is large, and a callback
// may smooth another path before it returns, which would need a second struct on the stack. If a
// callback never returns, the memory still has an owner.
AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    if (search->grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    if (search->lines.smoothing == NULL)
        search->lines.smoothing = astar_alloc(&search->allocator, 1,
                                              sizeof *search->lines.smoothing);
    if (search->lines.smoothing == NULL)
        return ASTAR_NO_MEMORY;
    int64_t work = ASTAR_ALL_WORK;
    astar_smoothing_begin(search, search->lines.smoothing, path, out);
    return astar_smoothing_run(search, search->lines.smoothing, &work);
}
