// lazy_theta.c -- routes at any angle.
//
// The way by steps is found first, as ever: it tells whether there is one, and where it ends. The
// shortest route over its cells, legs as lines of sight (smooth.c), is already close to the best
// that keeps to the same side of every obstacle. Where a line costs what its steps do, another side
// may be better yet: Lazy Theta* (Nash, Koenig and Tovey, 2010), A* whose cells may have any cell
// for a parent, looks for one, leaving out all that cannot become shorter than what is known. On
// open ground there is little to look for. Both are then drawn taut (string_pulling.c), and the
// shorter one is taken.
//
// Lengths are straight, from middle to middle of the cells. All of this goes on where it stopped,
// after any line: a search in slices finds the same route.

#include "search/lazy_theta.h"

#include "map/links_and_walls.h"
#include "openlist/heap.h"
#include "path/path.h"
#include "rules/corner_rules.h"
#include "search/smooth.h"
#include "search/string_pulling.h"

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

// What comes next. Memory may fail where something is to begin: it is begun again then.
typedef enum AnglePhase {
    TO_TRACE, // the way by steps
    SMOOTHING,
    SHORTENING,
    TO_PULL, // what is known
    PULLING, // that, or what was found
    TO_WALK, // over what was drawn, for its cost
    WALKING,
    TO_LOOK,
    LOOKING,
    TO_GATHER, // what was found
    READY
} AnglePhase;

typedef struct AstarAngles {
    AnglePhase phase;
    bool has_looked;
    AstarPath route, other, drawn; // the best yet, one being made, one being drawn taut
    union {
        AstarSmoothing smoothing;
        AstarPulling pulling;
        AstarWalk walk;
        AstarView view; // while looking
    } at;
    AngleNode *nodes; // a cell each
    AstarHeap open;
    uint32_t viewer; // the cell that the view is from
    uint32_t start, goal;
    int32_t goal_x, goal_y;
    double bound; // no route is looked for that is not shorter
} AstarAngles;

static const double SHORTER = 1 - 1e-9; // by less is none

// ---- memory ----

static AstarStatus need_angles(AstarSearch *search)
{
    if (search->lines.angles != NULL)
        return ASTAR_OK;
    search->lines.angles = astar_alloc(&search->allocator, 1, sizeof *search->lines.angles);
    if (search->lines.angles == NULL)
        return ASTAR_NO_MEMORY;
    astar_path_init(&search->lines.angles->route);
    astar_path_init(&search->lines.angles->other);
    astar_path_init(&search->lines.angles->drawn);
    return ASTAR_OK;
}

void astar_lazy_theta_reset(AstarSearch *search)
{
    if (search->lines.angles != NULL)
        search->lines.angles->phase = TO_TRACE;
}

void astar_lazy_theta_free(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    if (angles == NULL)
        return;
    astar_path_destroy(&angles->route);
    astar_path_destroy(&angles->other);
    astar_path_destroy(&angles->drawn);
    astar_release(&search->allocator, angles->nodes, search->rest.cells, sizeof *angles->nodes);
    astar_heap_free(&angles->open, &search->allocator);
    astar_release(&search->allocator, angles, 1, sizeof *angles);
    search->lines.angles = NULL;
}

size_t astar_lazy_theta_bytes(const AstarSearch *search)
{
    const AstarAngles *angles = search->lines.angles;
    if (angles == NULL)
        return 0;
    size_t bytes = sizeof *angles + angles->open.capacity * sizeof *angles->open.items;
    bytes += astar_path_bytes(&angles->route) + astar_path_bytes(&angles->other);
    bytes += astar_path_bytes(&angles->drawn);
    return bytes + (angles->nodes != NULL ? search->rest.cells * sizeof *angles->nodes : 0);
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
    AstarAngles *angles = search->lines.angles;
    if (angles->other.length < angles->route.length * SHORTER &&
        angles->other.cost <= search->limit)
        swap(&angles->route, &angles->other);
}

// Makes a route of points, of which no cost is known yet.
static AstarStatus join_points(AstarSearch *search, const AstarPath *path, AstarPath *made)
{
    astar_path_begin(made, &search->lines.angles->route, &search->allocator);
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < path->count && status == ASTAR_OK; i++) {
        const AstarPoint *to = &path->points[i], *from = i > 0 ? to - 1 : to;
        AstarLine line = astar_line(from->x, from->y, to->x, to->y, made->orthogonal);
        status = astar_path_add(made, to->x, to->y, i > 0 ? (int)line.steps : 1);
    }
    return status;
}

// ---- Lazy Theta* ----

static double distance(int x0, int y0, int x1, int y1)
{
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    return sqrt(dx * dx + dy * dy);
}

static uint32_t parent_of(const AngleNode *node)
{
    return node->parent & (SEEN - 1);
}

static AngleNode *angle_node_at(AstarSearch *search, uint32_t cell)
{
    AngleNode *node = &search->lines.angles->nodes[cell];
    if (node->stamp != search->lines.angle_stamp)
        *node = (AngleNode){.g = INFINITY, .stamp = search->lines.angle_stamp};
    return node;
}

// Opens the cell (x, y), unless no route over it is short enough.
static void open_angle_node(AstarSearch *search, int x, int y, const AngleNode *node)
{
    AstarAngles *angles = search->lines.angles;
    double f = node->g + distance(x, y, angles->goal_x, angles->goal_y);
    if (f < angles->bound)
        astar_heap_push(&angles->open, astar_open(f, node->g, astar_cell(search->grid, x, y)));
}

static AstarStatus plant(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    const AstarGrid *grid = search->grid;
    if (angles->nodes == NULL)
        angles->nodes = astar_alloc(&search->allocator, search->rest.cells, sizeof *angles->nodes);
    if (angles->nodes == NULL || !astar_heap_reserve(&angles->open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    if (++search->lines.angle_stamp == 0) { // the stamps have come round
        memset(angles->nodes, 0, search->rest.cells * sizeof *angles->nodes);
        search->lines.angle_stamp = 1;
    }
    const AstarPoint *first = angles->route.points, *last = first + angles->route.count - 1;
    angles->start = astar_cell(grid, first->x, first->y);
    angles->goal = astar_cell(grid, last->x, last->y);
    angles->goal_x = last->x;
    angles->goal_y = last->y;
    angles->has_looked = true;
    angles->bound = angles->route.length * SHORTER;
    angles->viewer = ASTAR_NO_CELL;
    astar_view_open(&angles->at.view, &search->costs);
    astar_heap_clear(&angles->open);
    AngleNode *node = angle_node_at(search, angles->start);
    node->g = 0;
    node->parent = angles->start | SEEN;
    open_angle_node(search, first->x, first->y, node);
    angles->phase = LOOKING;
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
    AstarAngles *angles = search->lines.angles;
    if (angles->viewer != parent_of(node)) {
        int parent_x, parent_y;
        angles->viewer = parent_of(node);
        astar_cell_xy(search->grid, angles->viewer, &parent_x, &parent_y);
        astar_view_from(&angles->at.view, parent_x, parent_y);
    }
    if (!astar_view_sees_plain(&angles->at.view, x, y))
        take_neighbour(search, x, y, node);
    node->parent |= SEEN;
}

static void expand_angle_node(AstarSearch *search, int x, int y, AngleNode *node)
{
    AstarAngles *angles = search->lines.angles;
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

// Gathers the route found, to have it drawn taut.
static AstarStatus gather_route(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath *found = &angles->drawn;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = angles->goal; status == ASTAR_OK; cell = parent_of(&angles->nodes[cell])) {
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        status = astar_path_add(found, x, y, 1);
        if (cell == angles->start)
            break;
    }
    astar_path_turn(found);
    return status;
}

// Takes the best cell off the open list and expands it, if its parent sees it.
static void look_on(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    uint32_t cell = astar_open_cell(astar_heap_pop(&angles->open));
    AngleNode *node = angle_node_at(search, cell);
    if ((node->parent & EXPANDED) != 0)
        return;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    if ((node->parent & SEEN) == 0) {
        double g = node->g;
        check_parent(search, x, y, node);
        if (node->g > g) {
            open_angle_node(search, x, y, node);
            return;
        }
    }
    if (cell == angles->goal) {
        angles->phase = TO_GATHER;
        return;
    }
    expand_angle_node(search, x, y, node);
    search->expanded++;
}

static AstarStatus look_for_route(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarView *view = &angles->at.view;
    while (angles->phase == LOOKING) {
        if (astar_heap_count(&angles->open) == 0 ||
            search->expanded >= search->question.max_expansions) {
            angles->phase = READY;
            break;
        }
        if (*work <= 0)
            return ASTAR_RUNNING;
        if (!astar_heap_reserve(&angles->open, &search->allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        uint64_t before = view->spent;
        look_on(search);
        *work -= ASTAR_CELLS_AN_EXPANSION + (int64_t)(view->spent - before);
    }
    return ASTAR_OK;
}

// ---- the route ----

// Whether another route may be shorter than the one known, and is looked for.
static bool may_be_shorter(const AstarSearch *search)
{
    return search->lines.angles->route.count >= 3 &&
           astar_finder_allows(search->finder, ASTAR_LAZY_THETA);
}

// Takes up the path by steps that the search has found.
static AstarStatus begin_angles(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath *steps = &search->parts[2];
    AstarStatus status = astar_search_trace(search, steps);
    if (status != ASTAR_OK)
        return status;
    angles->has_looked = false;
    astar_smoothing_begin(search, &angles->at.smoothing, ASTAR_FEWEST_LEGS, steps, &angles->route);
    angles->phase = SMOOTHING;
    return ASTAR_OK;
}

// After the fewest legs come the shortest, then the better are drawn taut.
static AstarStatus smooth_on(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarSmoothing *smoothing = &angles->at.smoothing;
    bool is_first = angles->phase == SMOOTHING;
    AstarStatus status = astar_smoothing_run(search, smoothing, work);
    if (status != ASTAR_OK)
        return status;
    if (!is_first)
        take_better(search);
    angles->phase = READY;
    if (is_first && angles->route.count >= 3) {
        astar_smoothing_begin(search, smoothing, ASTAR_SHORTEST_ROUTE, &search->parts[2],
                              &angles->other);
        angles->phase = SHORTENING;
    } else if (may_be_shorter(search)) {
        angles->phase = TO_PULL;
    }
    return ASTAR_OK;
}

static void begin_pulling(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    astar_pulling_begin(&angles->at.pulling, &search->costs, &angles->drawn);
    angles->phase = PULLING;
}

static AstarStatus pull_on(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = astar_pulling_run(&angles->at.pulling, work);
    if (status == ASTAR_OK)
        angles->phase = TO_WALK;
    return status;
}

static AstarStatus begin_walk(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath *other = &angles->other;
    AstarStatus status = join_points(search, &angles->drawn, other);
    if (status != ASTAR_OK)
        return status;
    astar_path_measure(other);
    status = astar_walk_begin(search, other, 0, &angles->at.walk);
    angles->phase = WALKING;
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}

// After what was known comes what is looked for.
static AstarStatus walk_drawn(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = astar_walk_on(search, &angles->at.walk, work);
    if (status != ASTAR_OK)
        return status;
    angles->other.cost = angles->at.walk.cost;
    take_better(search);
    angles->phase = angles->has_looked ? READY : TO_LOOK;
    return ASTAR_OK;
}

// Begins what has to be begun.
static AstarStatus begin_phase(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status;
    switch (angles->phase) {
    case TO_TRACE: return begin_angles(search);
    case TO_WALK: return begin_walk(search);
    case TO_LOOK: return plant(search);
    case TO_PULL: status = join_points(search, &angles->route, &angles->drawn); break;
    default: status = gather_route(search); break;
    }
    if (status == ASTAR_OK)
        begin_pulling(search);
    return status;
}

// Goes on with a phase; ASTAR_OK once the next one is to follow.
static AstarStatus run_phase(AstarSearch *search, int64_t *work)
{
    switch (search->lines.angles->phase) {
    case SMOOTHING:
    case SHORTENING: return smooth_on(search, work);
    case PULLING: return pull_on(search, work);
    case WALKING: return walk_drawn(search, work);
    case LOOKING: return look_for_route(search, work);
    default: return begin_phase(search);
    }
}

AstarStatus astar_run_lazy_theta(AstarSearch *search, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    AstarStatus status = need_angles(search);
    while (status == ASTAR_OK && search->lines.angles->phase != READY)
        status = work > 0 ? run_phase(search, &work) : ASTAR_RUNNING;
    return status;
}

AstarStatus astar_lazy_theta_path(const AstarSearch *search, AstarPath *path)
{
    AstarStatus status = astar_path_copy(&search->lines.angles->route, path);
    if (status == ASTAR_OK)
        path->expanded = search->expanded;
    return status;
}
