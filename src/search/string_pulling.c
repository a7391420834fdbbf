// string_pulling.c -- a route at any angle is drawn taut.
//
// Turning points are moved to a neighbouring cell or let go for as long as that makes the route
// shorter and the cells before and after still see each other. That shortens a route little by
// little and has no end in sight on some maps, so it is bounded by the steps of the lines followed.

#include "search/smooth.h"

#include "base/directions.h"

// How many steps of lines a route is drawn taut by, at most.
static const uint64_t PULLING_WORK = UINT64_C(1) << 22;

static double length_over(const AstarPulling *pulling, int x, int y)
{
    const AstarView *from = &pulling->from, *to = &pulling->to;
    return astar_distance(from->x, from->y, x, y) + astar_distance(x, y, to->x, to->y);
}

// Moves the turning point to the neighbouring cell that makes the route shortest, if any does.
static void move_point(AstarPulling *pulling)
{
    AstarPoint *point = &pulling->point;
    double best = length_over(pulling, point->x, point->y) * ASTAR_SHORTER;
    int best_d = -1;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        int x = point->x + astar_dx[d], y = point->y + astar_dy[d];
        if (!astar_inside(pulling->grid, x, y) || length_over(pulling, x, y) >= best ||
            !astar_view_sees_plain(&pulling->from, x, y) ||
            !astar_view_sees_plain(&pulling->to, x, y))
            continue;
        best = length_over(pulling, x, y);
        best_d = d;
    }
    pulling->moves = best_d >= 0;
    if (!pulling->moves)
        return;
    point->x += astar_dx[best_d];
    point->y += astar_dy[best_d];
    pulling->changed = true;
}

// Takes up the next turning point; false where those before and after it see each other.
static bool take_point(AstarPulling *pulling)
{
    const AstarPoint *points = pulling->path->points, *next = &points[pulling->at + 1];
    const AstarPoint *before = &points[pulling->kept];
    pulling->point = points[pulling->at];
    astar_view_from(&pulling->from, before->x, before->y);
    astar_view_from(&pulling->to, next->x, next->y);
    pulling->moves = !astar_view_sees_plain(&pulling->from, next->x, next->y);
    return pulling->moves;
}

// Goes on with a turning point until it is let go or stays where it is.
static void pull_point(AstarPulling *pulling)
{
    if (!pulling->moves && !take_point(pulling)) {
        pulling->changed = true;
        pulling->at++;
        return;
    }
    move_point(pulling);
    if (pulling->moves)
        return;
    pulling->path->points[++pulling->kept] = pulling->point;
    pulling->at++;
}

static uint64_t spent_by(const AstarPulling *pulling)
{
    return pulling->from.spent + pulling->to.spent;
}

static void go_over_again(AstarPulling *pulling)
{
    pulling->at = 1;
    pulling->kept = 0;
    pulling->changed = pulling->moves = false;
}

void astar_pulling_begin(AstarPulling *pulling, AstarCosts *costs, AstarPath *path)
{
    pulling->grid = costs->finder->grid;
    pulling->path = path;
    astar_view_open(&pulling->from, costs);
    astar_view_open(&pulling->to, costs);
    go_over_again(pulling);
}

AstarStatus astar_pulling_run(AstarPulling *pulling, int64_t *work)
{
    AstarPath *path = pulling->path;
    for (;;) {
        for (; pulling->at + 1 < path->count;) {
            if (*work <= 0)
                return ASTAR_RUNNING;
            uint64_t before = spent_by(pulling);
            pull_point(pulling);
            *work -= (int64_t)(spent_by(pulling) - before);
        }
        if (path->count > 1)
            path->points[++pulling->kept] = path->points[path->count - 1];
        path->count = pulling->kept + 1;
        if (!pulling->changed || spent_by(pulling) >= PULLING_WORK)
            return ASTAR_OK;
        go_over_again(pulling);
    }
}
