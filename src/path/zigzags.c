// zigzags.c -- routes that turn no more often than they need to, where that costs nothing.
//
// Searches keep one of several equally good ways into a cell, whichever comes first, so their
// routes may wind through open ground. Of three legs, the first and the last of which go the same
// way, the middle one can change places with one of its neighbours where the cells there are free:
// then two of the three are one leg, a bend or two fewer. From the start to the goal each leg is
// tried so against those that are left before it. That is not the fewest bends there can be
// (search/bends.c finds those), but most of the way there for next to nothing.
//
// All cells entered by the one way and the other must be of one terrain and value to avoid: then
// the same costs are summed up in the same order, and the cost is the same to its last bit.

#include "path/path.h"

#include "base/directions.h"

// A number of steps over one side.
typedef struct Leg {
    int direction, steps;
} Leg;

// The point after a leg from another.
static AstarPoint step_on(const AstarFinder *finder, AstarPoint point, Leg leg)
{
    int x = point.x, y = point.y;
    astar_shape_go(finder->grid->shape, &x, &y, leg.direction, leg.steps);
    return (AstarPoint){x, y, point.index + leg.steps};
}

// Whether all cells that a leg enters cost, by terrain and field, what another cell does.
static bool has_cost_of(const AstarFinder *finder, AstarPoint point, Leg leg, uint32_t like)
{
    const AstarGrid *grid = finder->grid;
    const AstarField *avoid = finder->options.avoid;
    Leg step = {leg.direction, 1};
    for (int i = 0; i < leg.steps; i++) {
        point = step_on(finder, point, step);
        uint32_t cell = astar_cell(grid, point.x, point.y);
        if (finder->on.ground[cell] != finder->on.ground[like] ||
            (avoid != NULL && avoid->values[cell] != avoid->values[like]))
            return false;
    }
    return true;
}

// ---- runs of free cells ----

// The 'steps' cells after (x, y) to the north or south.
static bool is_upright_free(const AstarBits *bits, int x, int y, int dy, int steps)
{
    size_t bit = (size_t)(x + 1);
    const uint64_t *word = astar_bits_row(bits, y) + (bit >> 6);
    ptrdiff_t stride = dy * (ptrdiff_t)bits->stride;
    uint64_t free = UINT64_MAX;
    for (int i = 0; i < steps; i++)
        free &= *(word += stride);
    return (free >> (bit & 63) & 1) != 0;
}

// To the east or west.
static bool is_row_free(const AstarBits *bits, int x, int y, int dx, int steps)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)(dx > 0 ? x + 2 : x + 1 - steps), last = first + (size_t)steps - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++)
        if ((~row[word] & astar_bits_mask(word, first, last)) != 0)
            return false;
    return true;
}

// Whether diagonal steps can be made by the rule, one of those that count the free cells beside.
static bool is_diagonal_free(const AstarFinder *finder, AstarPoint point, Leg leg)
{
    const AstarBits *bits = &finder->on.walkable->bits;
    AstarCorners corners = finder->rule->corners;
    int dx = astar_dx[leg.direction], dy = astar_dy[leg.direction], wanted = (int)corners;
    size_t bit = (size_t)(point.x + 1);
    const uint64_t *row = astar_bits_row(bits, point.y);
    ptrdiff_t stride = dy * (ptrdiff_t)bits->stride;
    for (int i = 0; i < leg.steps; i++) {
        const uint64_t *next = row + stride;
        size_t on = bit + (size_t)(ptrdiff_t)dx;
        if ((next[on >> 6] >> (on & 63) & 1) == 0)
            return false;
        int beside = (int)(row[on >> 6] >> (on & 63) & 1) + (int)(next[bit >> 6] >> (bit & 63) & 1);
        if (beside < wanted)
            return false;
        row = next;
        bit = on;
    }
    return true;
}
static_assert(ASTAR_CORNERS_ANY == 0 && ASTAR_CORNERS_ONE_FREE == 1 && ASTAR_CORNERS_BOTH_FREE == 2,
              "how many cells beside a diagonal step are to be free");

// The same step by step, by any rule and past walls.
static bool is_each_step_legal(const AstarFinder *finder, AstarPoint point, Leg leg)
{
    const AstarShape *shape = finder->grid->shape;
    Leg step = {leg.direction, 1};
    for (int i = 0; i < leg.steps; i++, point = step_on(finder, point, step)) {
        unsigned free = astar_bits_around(&finder->on.walkable->bits, point.x, point.y);
        unsigned legal = astar_legal_moves_on(finder->grid, finder->rule, point.x, point.y, free,
                                              false);
        int d = shape->steps_over[astar_phase(shape, point.x, point.y)][leg.direction];
        if (d == ASTAR_NO_SIDE || (legal >> d & 1) == 0)
            return false;
    }
    return true;
}

static bool is_run_legal(const AstarFinder *finder, AstarPoint point, Leg leg)
{
    const AstarBits *bits = &finder->on.walkable->bits;
    int dx = astar_dx[leg.direction], dy = astar_dy[leg.direction];
    if (finder->rule->corners == ASTAR_CORNERS_OTHER || astar_grid_has_walls(finder->grid))
        return is_each_step_legal(finder, point, leg);
    if (dx != 0 && dy != 0)
        return is_diagonal_free(finder, point, leg);
    return dx == 0 ? is_upright_free(bits, point.x, point.y, dy, leg.steps)
                   : is_row_free(bits, point.x, point.y, dx, leg.steps);
}

// ---- legs ----

// Whether two legs, one after the other from a point, can change places at the same cost.
static bool can_swap(const AstarFinder *finder, AstarPoint from, Leg first, Leg second)
{
    AstarPoint corner = step_on(finder, from, second), old = step_on(finder, from, first);
    // A look at the new corner spares most of what would be in vain. Where walls force a route to
    // turn back sharply it may lie outside.
    if (!astar_inside(finder->grid, corner.x, corner.y) ||
        !astar_bits_get(&finder->on.walkable->bits, corner.x, corner.y) ||
        !is_run_legal(finder, from, second) || !is_run_legal(finder, corner, first))
        return false;
    if (finder->is_uniform && finder->options.avoid == NULL)
        return true;
    uint32_t like = astar_cell(finder->grid, old.x, old.y);
    return has_cost_of(finder, from, first, like) && has_cost_of(finder, old, second, like) &&
           has_cost_of(finder, from, second, like) && has_cost_of(finder, corner, first, like);
}

// The legs gone over so far, as far as they are left.
typedef struct Trail {
    const AstarFinder *finder;
    AstarPoint *first, *last; // the points they lie between, since the start or a link
    uint64_t directions;      // of the last of them, the newest lowest: 8 added to each, in 4 bits
} Trail;

static int direction_between(const AstarFinder *finder, const AstarPoint *from,
                             const AstarPoint *to)
{
    return astar_shape_side(finder->grid->shape, from->x, from->y, to->x, to->y);
}

// The direction of the leg so many before the newest one, of those there are.
static int direction_of(const Trail *trail, int before)
{
    unsigned known = trail->directions >> 4 * before & 15;
    const AstarPoint *to = trail->last - before;
    return known != 0 ? (int)known - 8 : direction_between(trail->finder, to - 1, to);
}

// Puts others in the place of the directions of the newest legs, 'gone' of them.
static void put_directions(Trail *trail, int gone, int before, int newest)
{
    uint64_t rest = trail->directions >> 4 * gone;
    trail->directions = rest << 8 | (uint64_t)(8 + before) << 4 | (uint64_t)(8 + newest);
}

// Adds a leg, which may lengthen the one before.
static void add_leg(Trail *trail, AstarPoint to)
{
    int direction = direction_between(trail->finder, trail->last, &to);
    if (trail->last > trail->first && direction_of(trail, 0) == direction) {
        *trail->last = to;
        return;
    }
    *++trail->last = to;
    trail->directions = trail->directions << 4 | (uint64_t)(8 + direction);
}

// Swaps two of the last three legs, if the first and the last of them go the same way and that
// saves a bend; false where not.
static bool merge_legs(Trail *trail)
{
    AstarPoint *last = trail->last;
    int along = direction_of(trail, 0);
    if (last - trail->first < 3 || along != direction_of(trail, 2))
        return false;
    Leg first = {along, last[-2].index - last[-3].index};
    Leg middle = {direction_of(trail, 1), last[-1].index - last[-2].index};
    Leg final = {along, last->index - last[-1].index};
    if (can_swap(trail->finder, last[-2], middle, final)) {
        last[-2] = step_on(trail->finder, last[-2], final);
        put_directions(trail, 3, along, middle.direction);
    } else if (can_swap(trail->finder, last[-3], first, middle)) {
        bool joins = last - trail->first > 3 && direction_of(trail, 3) == middle.direction;
        AstarPoint corner = step_on(trail->finder, last[-3], middle);
        put_directions(trail, joins ? 4 : 3, middle.direction, along);
        last[joins ? -3 : -2] = corner;
        if (joins)
            last[-2] = *last;
        trail->last -= joins;
    } else {
        return false;
    }
    last[-1] = *last;
    trail->last--;
    return true;
}

void astar_take_out_zigzags(AstarPath *path, const AstarFinder *finder)
{
    Trail trail = {finder, path->points, path->points, 0};
    for (int i = 1; i < path->count; i++) {
        if (path->link_count > 0 && astar_path_link(path, trail.last->index, NULL)) {
            *++trail.last = path->points[i];
            trail.first = trail.last;
            continue;
        }
        add_leg(&trail, path->points[i]);
        while (merge_legs(&trail))
            continue;
    }
    path->count = (int)(trail.last - path->points) + 1;
}
