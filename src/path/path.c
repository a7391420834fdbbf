// path.c -- a path as its ends and turning points.
//
// A route over open ground turns seldom, so its points are few however long it is; any cell of it
// is found by a binary search for its leg and a division along it. The cells are never listed.

#include "path/path.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/directions.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void astar_path_init(AstarPath *path)
{
    *path = (AstarPath){.goal_x = -1, .goal_y = -1, .allocator = astar_allocator(NULL)};
}

// Gives its memory back and leaves the rest as it is.
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
    path->question = model->question;
    path->best_at = path->least.at = 0;
}

static AstarStatus reserve_links(AstarPath *path, size_t more)
{
    size_t count = (size_t)path->link_count, capacity = (size_t)path->link_capacity;
    if (!ASTAR_RESERVE(&path->allocator, path->links, count, more, &capacity, more))
        return ASTAR_NO_MEMORY;
    path->link_capacity = (int)capacity;
    return ASTAR_OK;
}

// Makes a path with room for another the same as that.
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

// Whether the leg from a to b goes on to (x, y), 'cells' cells further, at the same slope.
static bool goes_on(const AstarShape *shape, const AstarPoint *a, const AstarPoint *b, int x, int y,
                    int cells)
{
    int64_t before = b->index - a->index;
    AstarMiddle from = astar_middle(shape, a->x, a->y), by = astar_middle(shape, b->x, b->y);
    AstarMiddle to = astar_middle(shape, x, y);
    return (to.along - by.along) * before == (by.along - from.along) * cells &&
           (to.across - by.across) * before == (by.across - from.across) * cells;
}

// Whether the leg that ends at the last point is a link.
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
    // Straight and diagonal cells are counted, so that the common case rounds but once.
    const AstarShape *shape = &astar_shapes[path->offset];
    double straight = path->link_count, diagonal = 0, slanted = 0;
    for (int i = 1; i < path->count; i++) {
        if (path->link_count > 0 && astar_path_link(path, path->points[i - 1].index, NULL))
            continue;
        if (!shape->has_corners) {
            straight += shape->length(shape, path->points[i - 1].x, path->points[i - 1].y,
                                      path->points[i].x, path->points[i].y);
            continue;
        }
        double dx = fabs((double)path->points[i].x - path->points[i - 1].x);
        double dy = fabs((double)path->points[i].y - path->points[i - 1].y);
        if (dx == 0 || dy == 0)
            straight += dx + dy;
        else if (dx == dy)
            diagonal += dx;
        else
            slanted += sqrt(dx * dx + dy * dy);
    }
    path->length = straight + diagonal * ASTAR_SQRT2 + slanted;
}

// The way of the leg that leads on from a point, and of the heading before the first; none over a
// link.
static AstarMiddle way_from(const AstarPath *path, int point)
{
    const AstarShape *shape = &astar_shapes[path->offset];
    const AstarPoint *points = path->points;
    int heading = (int)path->question.heading;
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

// Counts the bends by how sharp they are, as astar_turn() has it.
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

// The last point at or before a cell of the path.
static int leg_of(const AstarPath *path, int index)
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

// The line from one point to the next; a link has no cells between its ends.
static AstarLine line_of(const AstarPath *path, int leg)
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
    int leg = leg_of(path, index);
    const AstarPoint *from = &path->points[leg];
    *x = from->x;
    *y = from->y;
    if (index > from->index) {
        AstarLine line = line_of(path, leg);
        astar_line_cell(&line, index - from->index, x, y);
    }
}

int astar_path_place(const AstarPath *path, int index, double *x, double *y)
{
    const AstarShape *shape = &astar_shapes[path->offset];
    AstarPoint at = {.index = index};
    astar_path_cell(path, index, &at.x, &at.y);
    astar_shape_center(shape, at.x, at.y, x, y);
    int leg = leg_of(path, index);
    if (leg == path->count - 1)
        return index;
    const AstarPoint *from = &path->points[leg], *to = from + 1;
    if (goes_on(shape, from, &at, to->x, to->y, to->index - index))
        return to->index; // the line goes through its middle
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

// ---- cell after cell ----

AstarPathCursor astar_path_cursor(const AstarPath *path)
{
    AstarPathCursor cursor = {.path = path, .leg = -1};
    return cursor;
}

AstarPathCursor astar_path_cursor_at(const AstarPath *path, int index)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    if (index > 0) {
        cursor.leg = leg_of(path, index - 1);
        cursor.line = line_of(path, cursor.leg);
        cursor.step = index - 1 - path->points[cursor.leg].index;
    }
    return cursor;
}

bool astar_path_next(AstarPathCursor *cursor, int *x, int *y)
{
    const AstarPath *path = cursor->path;
    if (cursor->leg < 0) { // the first cell belongs to no line's steps
        cursor->leg = 0;
        if (path->count == 0)
            return false;
        if (path->count > 1)
            cursor->line = line_of(path, 0);
        *x = path->points[0].x;
        *y = path->points[0].y;
        return true;
    }
    if (cursor->step == cursor->line.steps) {
        if (cursor->leg + 2 >= path->count)
            return false;
        cursor->line = line_of(path, ++cursor->leg);
        cursor->step = 0;
    }
    astar_line_cell(&cursor->line, ++cursor->step, x, y);
    return true;
}
