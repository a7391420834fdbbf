// sight.c -- looking along many lines from one cell.
//
// Turned into its octant, a line of n steps that gains b across them is, after k of them, at
// m = k * b / n, rounded: all lines whose slope b / n lies in one range make the same step out of
// the same cell. Where no step may enter that the range is in shadow from there on, and so are
// those beside it that end at the same wall. For a line by four directions n is the sum of both
// distances and a step goes along or across, else along or along and across at once; all the rest
// is alike.
//
// Where the ground costs the same everywhere a line cannot cost more than a path between its ends:
// there the bitmap tells all. Elsewhere the steps are asked for their costs one by one, and a line
// is given up as soon as the least that the rest of it may cost is too much.

#include "path/path.h"

#include "base/line.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DEAR = 8 };          // what a step that is asked for its cost counts, next to one looked up
enum { LONGEST_WALL = 64 }; // looked along for what else it hides

// A line turned into its octant.
typedef struct Gaze {
    int64_t steps, across; // how many, and how many of them go across
    int64_t half;          // for rounding, see line.h
    bool forward;          // halves are rounded up
    int octant;
    int along_x, along_y, across_x, across_y; // the two kinds of steps
} Gaze;

static Gaze gaze_at(const AstarView *view, int x, int y)
{
    bool orthogonal = !view->costs->finder->rule->has_diagonals;
    AstarLine line = astar_line(view->x, view->y, x, y, orthogonal);
    bool steep = orthogonal || line.dx < line.dy; // its long way is north or south
    Gaze gaze = {.steps = line.steps, .half = line.half, .forward = line.half == line.steps};
    gaze.across = steep ? line.dx : line.dy;
    gaze.octant = (line.sign_x < 0) | (line.sign_y < 0) << 1 | steep << 2;
    gaze.along_x = steep ? 0 : line.sign_x;
    gaze.along_y = steep ? line.sign_y : 0;
    gaze.across_x = line.sign_x;
    gaze.across_y = orthogonal ? 0 : line.sign_y;
    return gaze;
}

// ---- shadows ----

// Whether a line is in a shadow; along an edge of it where that edge counts.
static bool is_shadowed(const Gaze *gaze, const AstarShadow *shadow, bool low_counts,
                        bool high_counts)
{
    int64_t at = 2 * gaze->across * shadow->behind;
    int64_t low = at - shadow->low * gaze->steps, high = at - shadow->high * gaze->steps;
    return gaze->steps >= shadow->behind && low > -(int64_t)low_counts && high < high_counts;
}

// Whether a line is in one of the shadows; that one comes first from now on.
static bool in_shadow(AstarView *view, const Gaze *gaze)
{
    AstarShadow *shadows = view->shadows[gaze->octant];
    for (int i = 0; i < view->counts[gaze->octant]; i++) {
        view->spent++;
        if (!is_shadowed(gaze, &shadows[i], gaze->forward, !gaze->forward))
            continue;
        AstarShadow found = shadows[i];
        memmove(&shadows[1], &shadows[0], (size_t)i * sizeof *shadows);
        shadows[0] = found;
        return true;
    }
    return false;
}

// Shadows are convex: one that holds the corners holds all between them.
bool astar_view_hides(AstarView *view, AstarPoint low, AstarPoint high)
{
    Gaze corners[4];
    for (int i = 0; i < 4; i++)
        corners[i] = gaze_at(view, i < 2 ? low.x : high.x, i % 2 == 0 ? low.y : high.y);
    const int octant = corners[0].octant;
    view->spent++;
    for (int i = 0, hidden = 0; i < view->counts[octant]; i++, hidden = 0) {
        while (corners[hidden].octant == octant &&
               is_shadowed(&corners[hidden], &view->shadows[octant][i], false, false))
            if (++hidden == 4)
                return true;
    }
    return false;
}

// How far the wall beside a blocked cell goes on, by steps of (dx, dy), 'most' at most; what lies
// beyond the map is wall.
static int64_t wall_beside(const AstarView *view, int x, int y, int dx, int dy, int64_t most)
{
    const AstarFinder *finder = view->costs->finder;
    int64_t count = 0;
    for (most = most < LONGEST_WALL ? most : LONGEST_WALL; count < most; count++) {
        x += dx, y += dy;
        if (astar_inside(finder->grid, x, y) && astar_bits_get(&finder->on.walkable->bits, x, y))
            break;
    }
    return count;
}

// Remembers that the cell after so many steps, 'across' of them across, cannot be entered, nor what
// of the wall lies beside it.
static void cast_shadow(AstarView *view, const Gaze *gaze, int64_t step, int64_t across)
{
    const int dx = gaze->across_x - gaze->along_x, dy = gaze->across_y - gaze->along_y;
    const int x = view->x + gaze->along_x * (int)step + dx * (int)across;
    const int y = view->y + gaze->along_y * (int)step + dy * (int)across;
    int64_t low = across - wall_beside(view, x, y, -dx, -dy, across);
    int64_t high = across + wall_beside(view, x, y, dx, dy, step - across);
    AstarShadow shadow = {2 * low - 1, 2 * high + 1, step};
    AstarShadow *shadows = view->shadows[gaze->octant];
    int count = view->counts[gaze->octant];
    if (count < ASTAR_SHADOWS)
        view->counts[gaze->octant] = (uint8_t)(count + 1);
    else
        count--; // the one not met for longest is forgotten
    memmove(&shadows[1], &shadows[0], (size_t)count * sizeof *shadows);
    shadows[0] = shadow;
}

// ---- following lines ----

static bool is_set(const uint64_t *row, size_t bit)
{
    return (row[bit >> 6] >> (bit & 63)) & 1;
}

static bool follow_plain(AstarView *view, const Gaze *gaze)
{
    const AstarFinder *finder = view->costs->finder;
    const AstarBits *bits = &finder->on.walkable->bits;
    const int beside = finder->rule->has_diagonals ? (int)finder->rule->corners
                                                   : 0; // free at least
    const uint64_t *row = astar_bits_row(bits, view->y);
    size_t bit = (size_t)view->x + 1;
    ptrdiff_t along = gaze->along_y * (ptrdiff_t)bits->stride;
    ptrdiff_t across = gaze->across_y * (ptrdiff_t)bits->stride;
    int64_t rest = gaze->half, twice = 2 * gaze->steps, more = 2 * gaze->across, gained = 0;
    for (int64_t step = 0; step < gaze->steps; step++) {
        rest += more;
        bool goes_across = rest >= twice;
        const uint64_t *next_row = row + (goes_across ? across : along);
        size_t next = bit + (size_t)(goes_across ? gaze->across_x : gaze->along_x);
        bool whole = !is_set(next_row, next); // the cell entered is not free
        if (whole || (goes_across && is_set(row, next) + is_set(next_row, bit) < beside)) {
            if (whole)
                cast_shadow(view, gaze, step + 1, gained + goes_across);
            view->spent += (uint64_t)step + 1;
            return false;
        }
        rest -= goes_across ? twice : 0;
        gained += goes_across;
        row = next_row;
        bit = next;
    }
    view->spent += (uint64_t)gaze->steps;
    return true;
}

// Follows a line step by step; 'gaze' tells of the shadow that what stops it casts: NULL on cells
// without corners, where nothing is remembered.
static AstarStatus follow_costs(AstarView *view, const Gaze *gaze, int x, int y, double limit,
                                bool *sees)
{
    const AstarFinder *finder = view->costs->finder;
    AstarLine line = astar_line_on(finder->grid->shape, view->x, view->y, x, y,
                                   !finder->rule->has_diagonals);
    int at_x = view->x, at_y = view->y, next_x, next_y;
    int64_t across = 0;
    double cost = 0;
    for (int64_t step = 1; step <= line.steps; step++) {
        double added, rest = (double)(line.steps - step + 1) * finder->min_cost * (1 - 1e-6);
        if (cost + rest > limit)
            return ASTAR_OK;
        astar_line_cell(&line, step, &next_x, &next_y);
        int d = astar_direction(next_x - at_x, next_y - at_y);
        AstarStatus status = astar_costs_step(view->costs, at_x, at_y, d, &added, NULL);
        view->spent += DEAR;
        if (status != ASTAR_OK)
            return status;
        bool goes_across = gaze != NULL && (gaze->along_x == 0 ? next_x != at_x : next_y != at_y);
        if (isinf(added)) {
            if (gaze != NULL && !astar_bits_get(&finder->on.walkable->bits, next_x, next_y))
                cast_shadow(view, gaze, step, across + goes_across);
            return ASTAR_OK;
        }
        cost += astar_finder_round(finder, added);
        across += goes_across;
        at_x = next_x;
        at_y = next_y;
    }
    *sees = cost <= limit;
    return ASTAR_OK;
}

bool astar_sight_is_plain(const AstarFinder *finder)
{
    return astar_finder_allows(finder, ASTAR_BITMAP_LINES);
}

void astar_view_open(AstarView *view, AstarCosts *costs)
{
    view->costs = costs;
    view->plain = astar_sight_is_plain(costs->finder);
    view->spent = 0;
}

void astar_view_from(AstarView *view, int x, int y)
{
    view->x = x;
    view->y = y;
    memset(view->counts, 0, sizeof view->counts);
}

AstarStatus astar_view_sees(AstarView *view, int x, int y, double limit, bool *sees)
{
    *sees = false;
    if (astar_finder_goes_by_sides(view->costs->finder))
        return follow_costs(view, NULL, x, y, limit, sees);
    if (view->plain) {
        *sees = astar_view_sees_plain(view, x, y);
        return ASTAR_OK;
    }
    Gaze gaze = gaze_at(view, x, y);
    view->spent++;
    return in_shadow(view, &gaze) ? ASTAR_OK : follow_costs(view, &gaze, x, y, limit, sees);
}

bool astar_view_sees_plain(AstarView *view, int x, int y)
{
    assert(view->plain);
    Gaze gaze = gaze_at(view, x, y);
    view->spent++;
    return !in_shadow(view, &gaze) && follow_plain(view, &gaze);
}
