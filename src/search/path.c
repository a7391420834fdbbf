// path.c -- stores a path as its ends and turning points, and finds its cells, length and bends.
//
// A route over open ground seldom turns, so even a long route has few points. Any cell of the path
// is found by a binary search for its leg and a division along the leg. The cells are never listed.

#include "search/path.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/directions.h"
#include "finder/finder.h"
#include "map/blocks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void astar_path_init(AstarPath *path)
{
    *path = (AstarPath){.goal_x = -1, .goal_y = -1, .allocator = astar_allocator(NULL)};
}

// Frees the memory of a path and leaves its other fields as they are.
static void release_path(const AstarPath *path)
{
    if (!path->is_lent)
        astar_release(&path->allocator, path->points, (size_t)path->capacity, sizeof *path->points);
    astar_release(&path->allocator, path->links, (size_t)path->link_capacity, sizeof *path->links);
}

void astar_path_destroy(AstarPath *path)
{
    release_path(path);
    astar_path_init(path);
}

size_t astar_path_bytes(const AstarPath *path)
{
    return (size_t)path->capacity * sizeof *path->points +
           (size_t)path->link_capacity * sizeof *path->links;
}

static inline bool comes_from(const AstarPath *path, const AstarAllocator *allocator)
{
    return (path->is_lent && path->links == NULL) ||
           (path->allocator.context == allocator->context &&
            path->allocator.release == allocator->release);
}

ASTAR_HOT void astar_path_clear(AstarPath *path, const AstarAllocator *allocator)
{
    if (path->points == NULL || !comes_from(path, allocator))
        astar_path_destroy(path);
    path->count = path->cells = path->link_count = 0;
    path->goal_x = path->goal_y = -1;
    path->best_at = path->least.at = 0; // they were about the earlier cells
    path->allocator = *allocator;
}

void astar_path_begin(AstarPath *path, const AstarPath *model, const AstarAllocator *allocator)
{
    astar_path_clear(path, allocator);
    path->expanded = model->expanded;
    path->algorithm = model->algorithm;
    path->partial = model->partial;
    path->orthogonal = model->orthogonal;
    path->offset = model->offset;
    path->goal_x = model->goal_x;
    path->goal_y = model->goal_y;
    path->query = model->query;
}

static AstarStatus reserve_links(AstarPath *path, size_t more)
{
    size_t count = (size_t)path->link_count, capacity = (size_t)path->link_capacity;
    if (!ASTAR_RESERVE(&path->allocator, path->links, count, more, &capacity, more))
        return ASTAR_NO_MEMORY;
    path->link_capacity = (int)capacity;
    return ASTAR_OK;
}

// Makes 'to' equal to 'path'. The memory of 'to' must have room for the points and links.
static void fill_path(AstarPath *to, const AstarPath *path)
{
    AstarPath before = *to;
    *to = *path;
    to->points = before.points;
    to->capacity = before.capacity;
    to->is_lent = before.is_lent;
    to->links = before.links;
    to->link_capacity = before.link_capacity;
    if (path->count > 0)
        memcpy(to->points, path->points, (size_t)path->count * sizeof *path->points);
    if (path->link_count > 0)
        memcpy(to->links, path->links, (size_t)path->link_count * sizeof *path->links);
}

AstarStatus astar_path_copy(const AstarPath *path, AstarPath *copy)
{
    AstarPath built = {.allocator = path->allocator};
    AstarStatus status = astar_path_reserve(&built, (size_t)path->count);
    if (status == ASTAR_OK && path->link_count > 0)
        status = reserve_links(&built, (size_t)path->link_count);
    if (status != ASTAR_OK) {
        astar_path_destroy(&built);
        return status;
    }
    fill_path(&built, path);
    astar_path_replace(copy, &built);
    return ASTAR_OK;
}

ASTAR_HOT AstarStatus astar_path_assign(const AstarPath *path, AstarPath *to)
{
    if (to->capacity < path->count || to->link_capacity < path->link_count ||
        !comes_from(to, &path->allocator))
        return astar_path_copy(path, to);
    fill_path(to, path);
    return ASTAR_OK;
}

void astar_path_replace(AstarPath *path, const AstarPath *built)
{
    release_path(path);
    *path = *built;
}

ASTAR_ONCE AstarStatus move_points(AstarPath *path, size_t points)
{
    AstarPoint *made = astar_alloc(&path->allocator, points, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    for (int i = 0; i < path->count; i++)
        made[i] = path->points[i];
    if (!path->is_lent)
        astar_release(&path->allocator, path->points, (size_t)path->capacity, sizeof *made);
    path->points = made;
    path->capacity = (int)points;
    path->is_lent = false;
    return ASTAR_OK;
}

AstarStatus astar_path_reserve(AstarPath *path, size_t points)
{
    return points <= (size_t)path->capacity ? ASTAR_OK : move_points(path, points);
}

ASTAR_HOT AstarStatus astar_path_renew(AstarPath *path, size_t points,
                                       const AstarAllocator *allocator)
{
    if ((size_t)path->capacity >= points && comes_from(path, allocator)) {
        astar_path_clear(path, allocator);
        return ASTAR_OK;
    }
    AstarPath made = {.goal_x = -1, .goal_y = -1, .allocator = *allocator};
    AstarStatus status = astar_path_reserve(&made, points);
    if (status == ASTAR_OK)
        astar_path_replace(path, &made);
    return status;
}

static AstarStatus reserve_point(AstarPath *path)
{
    size_t count = (size_t)path->count;
    return path->count < path->capacity ? ASTAR_OK : move_points(path, count < 4 ? 8 : 2 * count);
}

// Returns true if the leg from a to b continues to (x, y), 'cells' cells farther, at the same
// slope.
static bool goes_on(const AstarShape *shape, const AstarPoint *a, const AstarPoint *b, int x, int y,
                    int cells)
{
    int64_t before = b->index - a->index;
    AstarMiddle from = astar_middle(shape, a->x, a->y), by = astar_middle(shape, b->x, b->y);
    AstarMiddle to = astar_middle(shape, x, y);
    return (to.along - by.along) * before == (by.along - from.along) * cells &&
           (to.across - by.across) * before == (by.across - from.across) * cells;
}

// Returns true if the leg that ends at the last point of the path is a link.
static bool ends_by_link(const AstarPath *path)
{
    int last = path->link_count - 1;
    return last >= 0 && path->links[last].index == path->cells - 2;
}

ASTAR_HOT AstarStatus astar_path_add(AstarPath *path, int x, int y, int cells)
{
    AstarPoint *points = path->points;
    int count = path->count;
    if (count >= 2 && !ends_by_link(path) &&
        goes_on(&astar_shapes[path->offset], &points[count - 2], &points[count - 1], x, y, cells)) {
        path->count--;
    } else {
        AstarStatus status = reserve_point(path);
        if (status != ASTAR_OK)
            return status;
    }
    path->cells += cells;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
    return ASTAR_OK;
}

AstarStatus astar_path_add_link(AstarPath *path, int x, int y, uint32_t label)
{
    AstarStatus status = reserve_links(path, 1);
    if (status == ASTAR_OK)
        status = reserve_point(path);
    if (status != ASTAR_OK)
        return status;
    path->links[path->link_count++] = (AstarPathLink){path->cells - 1, label};
    path->points[path->count++] = (AstarPoint){x, y, path->cells++};
    return ASTAR_OK;
}

ASTAR_HOT void astar_path_turn(AstarPath *path)
{
    AstarPoint *points = path->points;
    for (int i = 0, j = path->count - 1; i < j; i++, j--) {
        AstarPoint point = points[i];
        points[i] = points[j];
        points[j] = point;
    }
    for (int i = 0; i < path->count; i++)
        points[i].index = path->cells - 1 - points[i].index;
    AstarPathLink *links = path->links;
    for (int i = 0, j = path->link_count - 1; i < j; i++, j--) {
        AstarPathLink link = links[i];
        links[i] = links[j];
        links[j] = link;
    }
    for (int i = 0; i < path->link_count; i++)
        links[i].index = path->cells - 2 - links[i].index;
}

void astar_path_measure(AstarPath *path)
{
    // Straight and diagonal steps are counted, so that the length of most paths is rounded only
    // once.
    const AstarShape *shape = &astar_shapes[path->offset];
    double straight = path->link_count, diagonal = 0, diagonally = 0;
    for (int i = 1; i < path->count; i++) {
        if (path->link_count > 0 && astar_path_link(path, path->points[i - 1].index, NULL))
            continue;
        if (!shape->has_corners) {
            straight += shape->length(shape, path->points[i - 1].x, path->points[i - 1].y,
                                      path->points[i].x, path->points[i].y);
            continue;
        }
        int dx = abs(path->points[i].x - path->points[i - 1].x);
        int dy = abs(path->points[i].y - path->points[i - 1].y);
        if (dx == 0 || dy == 0)
            straight += dx + dy;
        else if (dx == dy)
            diagonal += dx;
        else
            diagonally += sqrt((double)dx * dx + (double)dy * dy);
    }
    path->length = straight + diagonal * ASTAR_SQRT2 + diagonally;
}

// Returns the direction of the leg that begins at the point number 'point'. For the number -1
// returns the heading at the start. Returns (0, 0) for a link, or if there is no heading.
static AstarMiddle way_from(const AstarPath *path, int point)
{
    const AstarShape *shape = &astar_shapes[path->offset];
    const AstarPoint *points = path->points;
    int heading = (int)path->query.heading;
    if (point < 0)
        return heading == ASTAR_NO_HEADING
                   ? (AstarMiddle){0, 0}
                   : (AstarMiddle){shape->along[heading - 1], shape->across[heading - 1]};
    if (astar_path_link(path, points[point].index, NULL))
        return (AstarMiddle){0, 0};
    AstarMiddle from = astar_middle(shape, points[point].x, points[point].y);
    AstarMiddle to = astar_middle(shape, points[point + 1].x, points[point + 1].y);
    return (AstarMiddle){to.along - from.along, to.across - from.across};
}

// Counts the bends of a path by their angle, as astar_turn() classifies them.
static void count_bends(const AstarPath *path, int counts[1 + ASTAR_BEND_ANGLES])
{
    AstarMiddle before = way_from(path, -1);
    for (int i = 0; i + 1 < path->count; i++) {
        AstarMiddle way = way_from(path, i);
        counts[astar_turn(&astar_shapes[path->offset], before, way)]++;
        before = way;
    }
}

int astar_path_bends(const AstarPath *path)
{
    int counts[1 + ASTAR_BEND_ANGLES] = {0};
    count_bends(path, counts);
    return counts[1] + counts[2] + counts[3] + counts[4];
}

double astar_path_bend_cost(const AstarPath *path, const AstarOptions *options)
{
    const double *costs = options->bend_costs;
    int counts[1 + ASTAR_BEND_ANGLES] = {0};
    double sum = 0;
    if (costs == NULL)
        return options->bend_cost > 0 ? options->bend_cost * astar_path_bends(path) : 0;
    count_bends(path, counts);
    for (int i = 0; i < ASTAR_BEND_ANGLES; i++)
        sum += counts[i + 1] * costs[i];
    return sum;
}

int astar_path_bend_at(const AstarPath *path, int point)
{
    return astar_turn(&astar_shapes[path->offset], way_from(path, point - 1),
                      way_from(path, point));
}

double astar_path_bend_cost_at(const AstarPath *path, int point, const AstarOptions *options)
{
    if (options->bend_cost <= 0 || point + 1 >= path->count)
        return 0;
    int turn = astar_path_bend_at(path, point);
    if (turn == 0)
        return 0;
    return options->bend_costs != NULL ? options->bend_costs[turn - 1] : options->bend_cost;
}

int astar_path_leg(const AstarPath *path, int index)
{
    int low = 0, high = path->count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (path->points[middle].index <= index)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool astar_path_link(const AstarPath *path, int index, uint32_t *label)
{
    size_t count = (size_t)path->link_count;
    size_t place = astar_count_below(path->links, count, sizeof *path->links, (uint32_t)index);
    if (place == count || path->links[place].index != index)
        return false;
    if (label != NULL)
        *label = path->links[place].label;
    return true;
}

AstarLine astar_path_line(const AstarPath *path, int leg)
{
    const AstarPoint *from = &path->points[leg];
    if (astar_path_link(path, from->index, NULL))
        return astar_line_jump(from->x, from->y, from[1].x, from[1].y);
    return astar_line_on(&astar_shapes[path->offset], from->x, from->y, from[1].x, from[1].y,
                         path->orthogonal);
}

void astar_path_cell(const AstarPath *path, int index, int *x, int *y)
{
    assert(index >= 0 && index < path->cells);
    int leg = astar_path_leg(path, index);
    const AstarPoint *from = &path->points[leg];
    *x = from->x;
    *y = from->y;
    if (index > from->index) {
        AstarLine line = astar_path_line(path, leg);
        astar_line_cell(&line, index - from->index, x, y);
    }
}

int astar_path_place(const AstarPath *path, int index, double *x, double *y)
{
    const AstarShape *shape = &astar_shapes[path->offset];
    AstarPoint at = {.index = index};
    astar_path_cell(path, index, &at.x, &at.y);
    astar_shape_center(shape, at.x, at.y, x, y);
    int leg = astar_path_leg(path, index);
    if (leg == path->count - 1)
        return index;
    const AstarPoint *from = &path->points[leg], *to = from + 1;
    if (goes_on(shape, from, &at, to->x, to->y, to->index - index))
        return to->index; // the line passes through the centre of this cell
    double end_x, end_y, part = index - from->index, whole = to->index - from->index;
    astar_shape_center(shape, from->x, from->y, x, y);
    astar_shape_center(shape, to->x, to->y, &end_x, &end_y);
    *x += (end_x - *x) * part / whole;
    *y += (end_y - *y) * part / whole;
    return to->index;
}

void astar_path_goal(const AstarPath *path, int *x, int *y)
{
    const AstarPoint *last = &path->points[path->count - 1];
    *x = path->goal_x >= 0 ? path->goal_x : last->x;
    *y = path->goal_x >= 0 ? path->goal_y : last->y;
}

// The functions below visit the cells of a path one after another.

AstarPathCursor astar_path_cursor(const AstarPath *path)
{
    AstarPathCursor cursor = {.path = path, .leg = -1};
    return cursor;
}

AstarPathCursor astar_path_cursor_at(const AstarPath *path, int index)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    if (index > 0) {
        cursor.leg = astar_path_leg(path, index - 1);
        cursor.line = astar_path_line(path, cursor.leg);
        cursor.step = index - 1 - path->points[cursor.leg].index;
    }
    return cursor;
}

bool astar_path_next(AstarPathCursor *cursor, int *x, int *y)
{
    const AstarPath *path = cursor->path;
    if (cursor->leg < 0) { // the first cell is the end of no step
        cursor->leg = 0;
        if (path->count == 0)
            return false;
        if (path->count > 1)
            cursor->line = astar_path_line(path, 0);
        *x = path->points[0].x;
        *y = path->points[0].y;
        return true;
    }
    if (cursor->step == cursor->line.steps) {
        if (cursor->leg + 2 >= path->count)
            return false;
        cursor->line = astar_path_line(path, ++cursor->leg);
        cursor->step = 0;
    }
    astar_line_cell(&cursor->line, ++cursor->step, x, y);
    return true;
}

// The functions below list the blocks that a path breaks through: blocks of layers that the finder
// may breach at a price.

// The list of blocks found so far. At most 'room' blocks are stored; 'count' counts all blocks
// found.
typedef struct Breaches {
    const AstarFinder *finder;
    AstarBlock *blocks;
    size_t room, count;
} Breaches;

// Returns true if a block at (x, y) is listed already. A large unit that goes around a corner may
// cover the same cell twice.
static bool is_listed(const Breaches *breaches, int x, int y)
{
    size_t known = breaches->count < breaches->room ? breaches->count : breaches->room;
    for (size_t i = known; i > 0 && !astar_is_one_cell(astar_finder_body(breaches->finder)); i--)
        if (breaches->blocks[i - 1].x == x && breaches->blocks[i - 1].y == y)
            return true;
    return false;
}

// Lists the blocks in the cells that the unit covers at (x, y) but does not cover at (from_x,
// from_y).
static void list_blocks_of_step(Breaches *breaches, int from_x, int from_y, int x, int y)
{
    const AstarGrid *grid = breaches->finder->grid;
    const AstarBody body = astar_finder_body(breaches->finder);
    for (int row = y; row < y + body.height; row++)
        for (int column = x; column < x + body.width; column++) {
            bool is_new = column < from_x || column >= from_x + body.width || row < from_y ||
                          row >= from_y + body.height;
            if (is_new && astar_inside(grid, column, row) && !is_listed(breaches, column, row))
                breaches->count = astar_blocks_list(grid, ~breaches->finder->breached, column, row,
                                                    breaches->blocks, breaches->room,
                                                    breaches->count);
        }
}

ASTAR_COLD size_t astar_path_breaches(const AstarPath *path, const AstarFinder *finder,
                                      AstarBlock *blocks, size_t room)
{
    Breaches breaches = {.finder = finder, .blocks = blocks, .room = room};
    AstarPathCursor cursor = astar_path_cursor(path);
    int from_x, from_y, x, y;
    if (finder->breached == 0 || !astar_path_next(&cursor, &from_x, &from_y))
        return 0;
    for (; astar_path_next(&cursor, &x, &y); from_x = x, from_y = y)
        list_blocks_of_step(&breaches, from_x, from_y, x, y);
    return breaches.count;
}

// ------------------------------------------------------------------------------------------------
// The functions below remove needless turns from a route without changing its cost.
//
// If several equally cheap paths lead into a cell, a search keeps the first one that it finds, so
// its route may wind over open ground. Consider three legs of which the first and the last have the
// same direction. The middle leg can change places with one of its neighbours if the cells entered
// in the new order are free. Two of the three legs then join, which removes one or two bends. From
// the start to the goal, each leg is tried in this way together with the remaining legs before it.
// The result does not always have the fewest bends (search/bends.c finds the route with the fewest
// bends), but it comes close in very little time.
//
// All cells entered in either order must have the same terrain and the same value in the field to
// avoid. In this case the same costs are added in the same order, and the cost stays the same to
// the last bit.
// ------------------------------------------------------------------------------------------------

// A straight leg of a route: 'steps' steps over the same side.
typedef struct Leg {
    int direction, steps;
} Leg;

// Returns the point where a leg ends that begins at 'point'.
static AstarPoint step_on(const AstarFinder *finder, AstarPoint point, Leg leg)
{
    int x = point.x, y = point.y;
    astar_shape_go(finder->grid->shape, &x, &y, leg.direction, leg.steps);
    return (AstarPoint){x, y, point.index + leg.steps};
}

// Returns true if all cells that a leg enters have the same terrain as the cell 'like', and the
// same value in the field to avoid.
ASTAR_COLD static bool has_cost_of(const AstarFinder *finder, AstarPoint point, Leg leg,
                                   uint32_t like)
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

// The functions below find out whether runs of cells are free.

// Returns true if the 'steps' cells to the north or south of (x, y) are free.
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

// Returns true if the 'steps' cells to the east or west of (x, y) are free.
static bool is_row_free(const AstarBits *bits, int x, int y, int dx, int steps)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)(dx > 0 ? x + 2 : x + 1 - steps), last = first + (size_t)steps - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++)
        if ((~row[word] & astar_bits_mask(word, first, last)) != 0)
            return false;
    return true;
}

// Returns true if all steps of a diagonal leg are legal, under a corner rule that depends on the
// free cells beside a step.
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

// Returns true if all steps of a leg are legal, under any corner rule and with walls.
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

ASTAR_COLD static bool is_run_legal(const AstarFinder *finder, AstarPoint point, Leg leg)
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

// Legs.

// Returns true if two legs that follow each other from the point 'from' can change places at the
// same cost.
ASTAR_COLD static bool can_swap(const AstarFinder *finder, AstarPoint from, Leg first, Leg second)
{
    AstarPoint corner = step_on(finder, from, second), old = step_on(finder, from, first);
    // Checking the new corner first rejects most candidates quickly. If walls force a route to turn
    // back sharply, the corner may lie outside the grid.
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

// The legs processed so far, without the legs that were joined to others.
typedef struct Trail {
    const AstarFinder *finder;
    AstarPoint *first, *last; // first and last point of these legs, since the start or a link
    // The directions of the last 16 legs, 4 bits each, the newest lowest. 8 is added to each, so 0
    // means unknown.
    uint64_t directions;
} Trail;

ASTAR_COLD static int direction_between(const AstarFinder *finder, const AstarPoint *from,
                                        const AstarPoint *to)
{
    return astar_shape_side(finder->grid->shape, from->x, from->y, to->x, to->y);
}

// Returns the direction of a leg, counted back from the newest: 0 for the newest leg, 1 for the leg
// before it. The leg must exist.
static int direction_of(const Trail *trail, int before)
{
    unsigned known = trail->directions >> 4 * before & 15;
    const AstarPoint *to = trail->last - before;
    return known != 0 ? (int)known - 8 : direction_between(trail->finder, to - 1, to);
}

// Replaces the directions of the newest 'gone' legs by the directions 'before' and 'newest' of two
// legs.
static void put_directions(Trail *trail, int gone, int before, int newest)
{
    uint64_t rest = trail->directions >> 4 * gone;
    trail->directions = rest << 8 | (uint64_t)(8 + before) << 4 | (uint64_t)(8 + newest);
}

// Adds a leg that ends at 'to', or lengthens the last leg if the direction is the same.
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

// Swaps two of the last three legs if the first and the last of the three have the same direction
// and the swap saves a bend. Returns false if no swap is possible.
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

ASTAR_COLD void astar_take_out_zigzags(AstarPath *path, const AstarFinder *finder)
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
