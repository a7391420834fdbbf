// lazy_theta.c -- routes at any angle.
//
// The way by steps is found first, as ever: it tells whether there is one, and where it ends. The
// shortest route over its cells, legs as lines of sight (smooth.c), is already close to the best
// that keeps to the same side of every obstacle. Where a line costs what its steps do, another side
// may be better yet: Lazy Theta* (Nash, Koenig and Tovey, 2010), A* whose cells may have any cell
// for a parent, looks for one, leaving out all that cannot become shorter than what is known. On
// open ground there is little to look for. Both are then drawn taut (string pulling): turning
// points are moved by a cell or let go for as long as that makes the route shorter, and the shorter
// one is taken.
//
// Lengths are straight, from middle to middle of the cells.

#include "search/lazy_theta.h"

#include "map/links_and_walls.h"
#include "openlist/heap.h"
#include "path/path.h"
#include "path/sight.h"
#include "rules/corner_rules.h"
#include "search/path_validity.h"

#include <assert.h>
#include <math.h>

// Flags in the bits that the number of a cell leaves.
enum { SEEN = 1 << 28, EXPANDED = 1 << 29 }; // the parent sees it; it was expanded

typedef struct AngleNode {
    double g;
    uint32_t stamp;
    uint32_t parent; // and flags
} AngleNode;

static_assert(ASTAR_MAX_CELLS <= SEEN, "flags must not be bits of cells");

typedef enum Phase { TO_STRAIGHTEN, LOOKING, READY } Phase;

typedef struct AstarAngles {
    Phase phase;
    AstarPath route, other; // the best yet, and one being made
    AngleNode *nodes;       // a cell each
    AstarHeap open;
    AstarView view;
    uint32_t viewer; // the cell that the view is from
    uint32_t start, goal;
    int32_t goal_x, goal_y;
    double bound; // no route is looked for that is not shorter
} AstarAngles;

// How many steps of lines a route is drawn taut by, at most.
static const uint64_t TAUT_WORK = UINT64_C(1) << 22;
static const double SHORTER = 1 - 1e-9; // by less is none

// ---- memory ----

static AstarStatus need_angles(AstarSearch *search)
{
    if (search->angles != NULL)
        return ASTAR_OK;
    search->angles = astar_alloc(&search->allocator, 1, sizeof *search->angles);
    if (search->angles == NULL)
        return ASTAR_NO_MEMORY;
    astar_path_init(&search->angles->route);
    astar_path_init(&search->angles->other);
    return ASTAR_OK;
}

void astar_lazy_theta_reset(AstarSearch *search)
{
    if (search->angles != NULL)
        search->angles->phase = TO_STRAIGHTEN;
}

void astar_lazy_theta_free(AstarSearch *search)
{
    AstarAngles *angles = search->angles;
    if (angles == NULL)
        return;
    astar_path_destroy(&angles->route);
    astar_path_destroy(&angles->other);
    astar_release(&search->allocator, angles->nodes, search->cells, sizeof *angles->nodes);
    astar_heap_free(&angles->open, &search->allocator);
    astar_release(&search->allocator, angles, 1, sizeof *angles);
    search->angles = NULL;
}

size_t astar_lazy_theta_bytes(const AstarSearch *search)
{
    const AstarAngles *angles = search->angles;
    if (angles == NULL)
        return 0;
    size_t bytes = sizeof *angles + angles->open.capacity * sizeof *angles->open.items;
    bytes += astar_path_bytes(&angles->route) + astar_path_bytes(&angles->other);
    return bytes + (angles->nodes != NULL ? search->cells * sizeof *angles->nodes : 0);
}

// ---- routes ----

static void swap(AstarPath *a, AstarPath *b)
{
    AstarPath path = *a;
    *a = *b;
    *b = path;
}

// Keeps the route made last if it is shorter, or the first, and not too dear.
static void take_better(const AstarSearch *search)
{
    AstarAngles *angles = search->angles;
    if (angles->other.length < angles->route.length * SHORTER &&
        angles->other.cost <= search->limit)
        swap(&angles->route, &angles->other);
}

// Makes the route from the points of 'made', which become those of another.
static AstarStatus join_points(AstarSearch *search, const AstarPoint *points, int count,
                               AstarPath *made)
{
    const AstarPath *route = &search->angles->route;
    astar_path_begin(made, route, &search->allocator);
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < count && status == ASTAR_OK; i++) {
        const AstarPoint *to = &points[i], *from = i > 0 ? to - 1 : to;
        AstarLine line = astar_line(from->x, from->y, to->x, to->y, made->orthogonal);
        status = astar_path_add(made, to->x, to->y, i > 0 ? (int)line.steps : 1);
    }
    if (status != ASTAR_OK)
        return status;
    astar_path_measure(made);
    int bad;
    return astar_walk(search, made, &made->cost, &bad);
}

// ---- string pulling ----

static double distance(int x0, int y0, int x1, int y1)
{
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    return sqrt(dx * dx + dy * dy);
}

// Two cells and what they see.
typedef struct RouteEnds {
    const AstarGrid *grid;
    AstarView from, to;
} RouteEnds;

static double length_over(const RouteEnds *ends, int x, int y)
{
    return distance(ends->from.x, ends->from.y, x, y) + distance(x, y, ends->to.x, ends->to.y);
}

static bool both_see(RouteEnds *ends, int x, int y)
{
    return astar_view_sees_plain(&ends->from, x, y) && astar_view_sees_plain(&ends->to, x, y);
}

// Moves a turning point to the neighbouring cell that makes the route shortest, again and again.
static void move_point(RouteEnds *ends, AstarPoint *point, bool *moved)
{
    for (bool again = true; again;) {
        double best = length_over(ends, point->x, point->y) * SHORTER;
        int best_d = -1;
        for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
            int x = point->x + astar_dx[d], y = point->y + astar_dy[d];
            if (!astar_inside(ends->grid, x, y) || length_over(ends, x, y) >= best ||
                !both_see(ends, x, y))
                continue;
            best = length_over(ends, x, y);
            best_d = d;
        }
        again = best_d >= 0;
        if (again) {
            point->x += astar_dx[best_d];
            point->y += astar_dy[best_d];
            *moved = true;
        }
    }
}

// Goes over the turning points once: lets them go or moves them.
static void pull(RouteEnds *ends, AstarPoint *points, int *count, bool *changed)
{
    int kept = 0; // the last point that stays so far
    for (int i = 1; i + 1 < *count; i++) {
        AstarPoint point = points[i];
        astar_view_from(&ends->from, points[kept].x, points[kept].y);
        astar_view_from(&ends->to, points[i + 1].x, points[i + 1].y);
        if (astar_view_sees_plain(&ends->from, points[i + 1].x, points[i + 1].y)) {
            *changed = true;
            continue;
        }
        move_point(ends, &point, changed);
        points[++kept] = point;
    }
    if (*count > 1)
        points[++kept] = points[*count - 1];
    *count = kept + 1;
}

// Draws 'path' taut.
static void draw_taut(AstarSearch *search, AstarPath *path)
{
    RouteEnds ends = {.grid = search->grid};
    astar_view_open(&ends.from, &search->costs);
    astar_view_open(&ends.to, &search->costs);
    bool changed = true;
    while (changed && ends.from.spent + ends.to.spent < TAUT_WORK) {
        changed = false;
        pull(&ends, path->points, &path->count, &changed);
    }
}

// Draws the best route taut.
static AstarStatus tighten(AstarSearch *search)
{
    AstarAngles *angles = search->angles;
    AstarPath *route = &angles->route, *other = &angles->other;
    AstarStatus status = join_points(search, route->points, route->count, other);
    if (status != ASTAR_OK)
        return status;
    draw_taut(search, other);
    AstarPath drawn = *other;
    astar_path_init(other);
    status = join_points(search, drawn.points, drawn.count, other);
    astar_path_destroy(&drawn);
    if (status == ASTAR_OK)
        take_better(search);
    return status;
}

// ---- Lazy Theta* ----

static uint32_t parent_of(const AngleNode *node)
{
    return node->parent & (SEEN - 1);
}

static AngleNode *angle_node_at(AstarSearch *search, uint32_t cell)
{
    AngleNode *node = &search->angles->nodes[cell];
    if (node->stamp != search->angle_stamp)
        *node = (AngleNode){.g = INFINITY, .stamp = search->angle_stamp};
    return node;
}

// Opens the cell (x, y), unless no route over it is short enough.
static void open_angle_node(AstarSearch *search, int x, int y, const AngleNode *node)
{
    AstarAngles *angles = search->angles;
    double f = node->g + distance(x, y, angles->goal_x, angles->goal_y);
    if (f < angles->bound)
        astar_heap_push(&angles->open, astar_open(f, node->g, astar_cell(search->grid, x, y)));
}

static AstarStatus plant(AstarSearch *search)
{
    AstarAngles *angles = search->angles;
    const AstarGrid *grid = search->grid;
    if (angles->nodes == NULL)
        angles->nodes = astar_alloc(&search->allocator, search->cells, sizeof *angles->nodes);
    if (angles->nodes == NULL || !astar_heap_reserve(&angles->open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    if (++search->angle_stamp == 0) { // the stamps have come round
        memset(angles->nodes, 0, search->cells * sizeof *angles->nodes);
        search->angle_stamp = 1;
    }
    const AstarPoint *first = angles->route.points, *last = first + angles->route.count - 1;
    angles->start = astar_cell(grid, first->x, first->y);
    angles->goal = astar_cell(grid, last->x, last->y);
    angles->goal_x = last->x;
    angles->goal_y = last->y;
    angles->bound = angles->route.length * SHORTER;
    angles->viewer = ASTAR_NO_CELL;
    astar_view_open(&angles->view, &search->costs);
    astar_heap_clear(&angles->open);
    AngleNode *node = angle_node_at(search, angles->start);
    node->g = 0;
    node->parent = angles->start | SEEN;
    open_angle_node(search, first->x, first->y, node);
    return ASTAR_OK;
}

static unsigned moves_at(const AstarSearch *search, int x, int y)
{
    const AstarFinder *finder = search->finder;
    return astar_legal_moves(finder->rule, astar_bits_around(&finder->walkable->bits, x, y));
}

// Makes the best of the closed neighbours the parent of a cell that its own does not see. There is
// one, the cell that it was reached from: steps on the plain lead both ways, but to a blocked
// start, which sees where its steps lead.
static void take_neighbour(AstarSearch *search, int x, int y, AngleNode *node)
{
    node->g = INFINITY;
    for (unsigned moves = moves_at(search, x, y); moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t cell = astar_cell(search->grid, x + astar_dx[d], y + astar_dy[d]);
        const AngleNode *neighbour = angle_node_at(search, cell);
        double g = neighbour->g + (d & 1 ? sqrt(2) : 1);
        if ((neighbour->parent & EXPANDED) != 0 && g < node->g) {
            node->g = g;
            node->parent = cell;
        }
    }
}

// Whether the parent that was taken for a cell's sees it; else it gets another one.
static void check_parent(AstarSearch *search, int x, int y, AngleNode *node)
{
    AstarAngles *angles = search->angles;
    if (angles->viewer != parent_of(node)) {
        int parent_x, parent_y;
        angles->viewer = parent_of(node);
        astar_cell_xy(search->grid, angles->viewer, &parent_x, &parent_y);
        astar_view_from(&angles->view, parent_x, parent_y);
    }
    if (!astar_view_sees_plain(&angles->view, x, y))
        take_neighbour(search, x, y, node);
    node->parent |= SEEN;
}

static void expand_angle_node(AstarSearch *search, int x, int y, AngleNode *node)
{
    AstarAngles *angles = search->angles;
    uint32_t parent = parent_of(node);
    double parent_g = angles->nodes[parent].g;
    int parent_x, parent_y;
    astar_cell_xy(search->grid, parent, &parent_x, &parent_y);
    node->parent |= EXPANDED;
    for (unsigned moves = moves_at(search, x, y); moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves), next_x = x + astar_dx[d], next_y = y + astar_dy[d];
        AngleNode *successor = angle_node_at(search, astar_cell(search->grid, next_x, next_y));
        if ((successor->parent & EXPANDED) != 0)
            continue;
        double g = parent_g + distance(parent_x, parent_y, next_x, next_y);
        if (g >= successor->g)
            continue;
        successor->g = g;
        successor->parent = parent;
        open_angle_node(search, next_x, next_y, successor);
    }
}

// Makes the route found and has it drawn taut.
static AstarStatus trace(AstarSearch *search)
{
    AstarAngles *angles = search->angles;
    AstarPath found;
    astar_path_init(&found);
    found.allocator = search->allocator;
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = angles->goal; status == ASTAR_OK; cell = parent_of(&angles->nodes[cell])) {
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        status = astar_path_add(&found, x, y, 1);
        if (cell == angles->start)
            break;
    }
    astar_path_turn(&found);
    if (status == ASTAR_OK) {
        draw_taut(search, &found);
        status = join_points(search, found.points, found.count, &angles->other);
    }
    astar_path_destroy(&found);
    if (status == ASTAR_OK)
        take_better(search);
    return status;
}

// ASTAR_OK when there is no more to be found.
static AstarStatus look_for_route(AstarSearch *search, uint64_t expansions)
{
    AstarAngles *angles = search->angles;
    for (; astar_heap_count(&angles->open) > 0; expansions--) {
        if (search->expanded >= search->question.max_expansions)
            return ASTAR_OK;
        if (expansions == 0)
            return ASTAR_RUNNING;
        if (!astar_heap_reserve(&angles->open, &search->allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        uint32_t cell = astar_open_cell(astar_heap_pop(&angles->open));
        AngleNode *node = angle_node_at(search, cell);
        if ((node->parent & EXPANDED) != 0)
            continue;
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        if ((node->parent & SEEN) == 0) {
            double g = node->g;
            check_parent(search, x, y, node);
            if (node->g > g) {
                open_angle_node(search, x, y, node);
                continue;
            }
        }
        if (cell == angles->goal) {
            AstarStatus status = trace(search);
            if (status == ASTAR_NO_MEMORY)
                open_angle_node(search, x, y, node);
            return status;
        }
        expand_angle_node(search, x, y, node);
        search->expanded++;
    }
    return ASTAR_OK;
}

// ---- the route ----

// Makes the first route, of the path that the search has found. Callbacks may break this off.
static AstarStatus straighten_route(AstarSearch *search)
{
    AstarAngles *angles = search->angles;
    AstarStatus status = astar_search_trace(search, &search->parts[2]);
    if (status == ASTAR_OK)
        status = astar_smooth(search, &search->parts[2], &angles->route);
    if (status != ASTAR_OK || angles->route.count < 3)
        return status;
    status = astar_shorten(search, &search->parts[2], &angles->other);
    if (status == ASTAR_OK)
        take_better(search);
    return status;
}

static AstarStatus begin_angles(AstarSearch *search)
{
    AstarStatus status = need_angles(search);
    if (status == ASTAR_OK)
        status = straighten_route(search);
    if (status != ASTAR_OK)
        return status;
    AstarAngles *angles = search->angles;
    angles->phase = READY;
    if (angles->route.count < 3 || !astar_finder_allows(search->finder, ASTAR_LAZY_THETA))
        return ASTAR_OK;
    angles->phase = TO_STRAIGHTEN;
    status = tighten(search);
    if (status == ASTAR_OK)
        status = plant(search);
    if (status == ASTAR_OK)
        angles->phase = LOOKING;
    return status;
}

AstarStatus astar_run_lazy_theta(AstarSearch *search, uint64_t expansions)
{
    AstarStatus status = ASTAR_OK;
    if (search->angles == NULL || search->angles->phase == TO_STRAIGHTEN)
        status = begin_angles(search);
    if (status == ASTAR_OK && search->angles->phase == LOOKING)
        status = look_for_route(search, expansions);
    if (status == ASTAR_OK)
        search->angles->phase = READY;
    return status;
}

AstarStatus astar_lazy_theta_path(const AstarSearch *search, AstarPath *path)
{
    const AstarPath *route = &search->angles->route;
    AstarPath copy = *route;
    copy.points = NULL;
    copy.links = NULL;
    copy.capacity = copy.link_capacity = copy.count = copy.cells = copy.link_count = 0;
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < route->count && status == ASTAR_OK; i++) {
        const AstarPoint *point = &route->points[i];
        uint32_t label;
        int index = i > 0 ? point[-1].index : -1;
        status = i > 0 && astar_path_link(route, index, &label)
                     ? astar_path_add_link(&copy, point->x, point->y, label)
                     : astar_path_add(&copy, point->x, point->y, point->index - index);
    }
    if (status != ASTAR_OK) {
        astar_path_destroy(&copy);
        return status;
    }
    copy.expanded = search->expanded;
    astar_path_replace(path, &copy);
    return ASTAR_OK;
}
