// lazy_theta.c -- routes at any angle.
//
// The way by steps comes first, as ever: it tells whether there is one, and where it ends. The
// fewest lines of sight over its cells, or the shortest (smooth.c), are close to the best that keep
// to its side of every obstacle. Where a line costs what its steps do, Lazy Theta* (Nash, Koenig
// and Tovey, 2010), A* whose cells may have any cell for a parent, looks for one on another side,
// leaving out what cannot become shorter. Both are then drawn taut (string_pulling.c); the shorter
// one is taken.
//
// The cells are jump points, one in fifty of those that Lazy Theta* by itself expands: a route
// bends at corners alone. A run between two may lead past others that it need not touch, so where a
// parent is not seen the way is drawn taut at once: turns are put where the view along the run
// ends.
//
// Lengths are straight, between middles of cells. All goes on where it stopped, after any line: a
// search in slices finds the same route.

#include "search/smooth.h"

#include "map/links_and_walls.h"
#include "openlist/heap.h"
#include "path/path.h"
#include "search/jps.h"
#include "search/jump_scan.h"
#include "search/start_query.h"

#include <stdlib.h>

// A way to a cell. Its parent is another's, whose cell is yet to be looked from, or that one
// itself.
typedef struct AngleNode {
    double g;
    int32_t x, y;
    uint32_t parent;      // a number of these
    uint32_t from : 28;   // the one that was expanded; NO_NODE once the parent is known to see this
    uint32_t arrival : 4; // the direction that led here, see jump_scan.h
} AngleNode;

#define NO_NODE ((UINT32_C(1) << 28) - 1)

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
    AstarPath route, other; // the best yet, one being made
    union {
        AstarSmoothing smoothing;
        AstarPulling pulling;
        AstarWalk walk;
        AstarView view; // while looking
    } at;
    uint64_t *closed; // a bit of each cell: one of the nodes was expanded there
    uint32_t width;   // of the map that they are of
    AngleNode *nodes; // the start is the first
    size_t count, capacity;
    AstarMove move;    // of the nodes, to more room
    AstarHeap open;    // their numbers
    uint32_t viewer;   // the node whose cell the view is from
    uint32_t found;    // the node of the goal
    AstarPoint goal;   // its cell
    uint64_t expanded; // before
    double bound;      // no route is looked for that is not shorter
} AstarAngles;

// How much longer than the route known one may be while it is looked for: drawn taut it is shorter.
static const double LENIENT = 1.01;

// Of ways of no more cells the shortest route over them is found whatever is looked for after it.
enum { FEW_CELLS = 128 };
enum { NODES_AHEAD = 512, MOVED_AT_ONCE = 1024 };

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
    astar_release(&search->allocator, angles->closed, search->rest.cells / 64 + 1,
                  sizeof *angles->closed);
    astar_array_drop_move(&search->allocator, sizeof *angles->nodes, &angles->move);
    astar_release(&search->allocator, angles->nodes, angles->capacity, sizeof *angles->nodes);
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
    bytes += (angles->capacity + angles->move.capacity) * sizeof *angles->nodes;
    return bytes +
           (angles->closed != NULL ? (search->rest.cells / 64 + 1) * sizeof *angles->closed : 0);
}

// ---- routes ----

// Keeps the route made last if it is shorter, or the first, and not too dear.
static void take_better(const AstarSearch *search)
{
    AstarPath *route = &search->lines.angles->route, *other = &search->lines.angles->other;
    bool is_line = !isinf(other->cost); // a part of a line of sight need not be one
    if (!is_line || other->length >= route->length * ASTAR_SHORTER || other->cost > search->limit)
        return;
    AstarPath path = *route;
    *route = *other;
    *other = path;
}

// Makes a route of the points that are left of one drawn taut.
static AstarStatus join_points(AstarPath *path)
{
    AstarStatus status = ASTAR_OK;
    AstarPoint from = path->points[0];
    int count = path->count;
    path->count = path->cells = 0;
    for (int i = 0; i < count && status == ASTAR_OK; i++) {
        AstarPoint to = path->points[i];
        AstarLine line = astar_line(from.x, from.y, to.x, to.y, path->orthogonal);
        status = astar_path_add(path, to.x, to.y, i > 0 ? (int)line.steps : 1);
        from = to;
    }
    astar_path_measure(path);
    return status;
}

// ---- Lazy Theta* ----

// How long the way over one node is to a cell.
static double length_by(const AstarAngles *angles, uint32_t number, int x, int y)
{
    const AngleNode *node = &angles->nodes[number];
    return node->g + astar_distance(node->x, node->y, x, y);
}

// Makes some of the room for more nodes than one expansion adds as a rule; false when there is no
// memory. A step that moved all of many thousand would take milliseconds.
static bool make_room(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AngleNode *nodes = astar_array_move(&search->allocator, angles->nodes, angles->count,
                                        sizeof *nodes, &angles->capacity, 2 * angles->capacity,
                                        &angles->move, MOVED_AT_ONCE);
    angles->nodes = nodes != NULL ? nodes : angles->nodes;
    return nodes != NULL;
}

// Adds a node; false when there is no memory.
static bool add_angle_node(AstarSearch *search, AngleNode node)
{
    AstarAngles *angles = search->lines.angles;
    if (angles->count == NO_NODE || !ASTAR_RESERVE(&search->allocator, angles->nodes, angles->count,
                                                   1, &angles->capacity, 2 * NODES_AHEAD))
        return false;
    angles->nodes[angles->count++] = node;
    return true;
}

// Opens a node, unless no route over it is short enough.
static bool open_angle_node(AstarSearch *search, uint32_t number)
{
    AstarAngles *angles = search->lines.angles;
    const AngleNode *node = &angles->nodes[number];
    double f = node->g + astar_distance(node->x, node->y, angles->goal.x, angles->goal.y);
    if (f >= angles->bound)
        return true;
    if (!astar_heap_reserve(&angles->open, &search->allocator, 1))
        return false;
    astar_heap_push(&angles->open, astar_open(f, node->g, number));
    return true;
}

// Notes a way to a node of the scan, as if the parent of the one expanded saw it.
static void note_angle_node(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival)
{
    AstarSearch *search = scan->search;
    AstarAngles *angles = search->lines.angles;
    x--, y--;
    uint32_t cell = astar_cell(search->grid, x, y);
    if ((angles->closed[cell >> 6] >> (cell & 63) & 1) != 0)
        return;
    uint32_t parent = angles->nodes[scan->from].parent;
    double g = length_by(angles, parent, x, y);
    if (g + astar_distance(x, y, angles->goal.x, angles->goal.y) >= angles->bound)
        return;
    bool sees = parent == scan->from && (before == 0 || steps == 0);
    AngleNode node = {.g = g,
                      .x = x,
                      .y = y,
                      .parent = parent,
                      .from = (sees ? NO_NODE : scan->from) & NO_NODE,
                      .arrival = arrival & 15};
    if (!add_angle_node(search, node) || !open_angle_node(search, (uint32_t)angles->count - 1))
        scan->fault = ASTAR_NO_MEMORY;
}

static AstarStatus plant(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = astar_search_build_for(search->finder, ASTAR_JPS, work);
    if (status != ASTAR_OK)
        return status;
    if (angles->closed == NULL)
        angles->closed = astar_alloc(&search->allocator, search->rest.cells / 64 + 1,
                                     sizeof *angles->closed);
    if (angles->closed == NULL)
        return ASTAR_NO_MEMORY;
    for (const AngleNode *node = angles->nodes; angles->count > 0; angles->count--, node++)
        angles->closed[((uint32_t)node->y * angles->width + (uint32_t)node->x) >> 6] = 0;
    angles->width = (uint32_t)search->grid->width;
    const AstarPoint *first = angles->route.points;
    angles->goal = first[angles->route.count - 1];
    angles->bound = angles->route.length * LENIENT;
    angles->viewer = NO_NODE;
    astar_array_drop_move(&search->allocator, sizeof *angles->nodes, &angles->move);
    angles->expanded = search->expanded;
    search->jumps.to = (AstarCell){angles->goal.x, angles->goal.y};
    astar_view_open(&angles->at.view, &search->costs);
    astar_heap_clear(&angles->open);
    AngleNode start = {
        .x = first->x, .y = first->y, .from = NO_NODE, .arrival = ASTAR_ARRIVED_NOWHERE};
    if (!add_angle_node(search, start) || !open_angle_node(search, 0))
        return ASTAR_NO_MEMORY;
    angles->has_looked = true;
    angles->phase = LOOKING;
    return ASTAR_OK;
}

// Whether a node's cell sees another.
static bool node_sees(AstarAngles *angles, uint32_t number, int x, int y)
{
    if (angles->viewer != number) {
        angles->viewer = number;
        astar_view_from(&angles->at.view, angles->nodes[number].x, angles->nodes[number].y);
    }
    return astar_view_sees_plain(&angles->at.view, x, y);
}

// The line from a node's cell to another.
static AstarLine line_from(const AstarSearch *search, uint32_t number, int x, int y)
{
    const AngleNode *node = &search->lines.angles->nodes[number];
    return astar_line(node->x, node->y, x, y, !search->finder->rule->has_diagonals);
}

static void set_parent(AstarAngles *angles, uint32_t number, uint32_t parent)
{
    AngleNode *node = &angles->nodes[number];
    node->parent = parent;
    node->from = NO_NODE;
    node->g = length_by(angles, parent, node->x, node->y);
}

// About the last step of a line that the view sees, from one that it does towards one that it does
// not.
static int64_t last_seen(AstarView *view, const AstarLine *line, int64_t seen, int64_t unseen)
{
    while (llabs(unseen - seen) > 1) {
        int64_t middle = (seen + unseen) / 2;
        int x, y;
        astar_line_cell(line, middle, &x, &y);
        *(astar_view_sees_plain(view, x, y) ? &seen : &unseen) = middle;
    }
    return seen;
}

// Adds a turn at a cell that a node sees; NO_NODE where there is no memory.
static uint32_t add_turn(AstarSearch *search, uint32_t number, int x, int y)
{
    double g = length_by(search->lines.angles, number, x, y);
    AngleNode turn = {.g = g, .x = x, .y = y, .parent = number, .from = NO_NODE};
    return add_angle_node(search, turn) ? (uint32_t)search->lines.angles->count - 1 : NO_NODE;
}

// Takes the turns that lead from a node to the end of a line, whose beginning it sees, drawn taut:
// the last of them; NO_NODE where there is no memory. Each is on the way to the last cell that is
// seen, as soon as the next one can be.
static uint32_t take_turns(AstarSearch *search, uint32_t at, const AstarLine *line, int x, int y)
{
    AstarAngles *angles = search->lines.angles;
    AstarView *view = &angles->at.view;
    int64_t seen = 0;
    int turn_x, turn_y, next_x, next_y;
    while (at != NO_NODE && seen < line->steps && !node_sees(angles, at, x, y)) {
        seen = last_seen(view, line, seen, line->steps);
        astar_line_cell(line, seen, &turn_x, &turn_y);
        astar_line_cell(line, ++seen, &next_x, &next_y);
        AstarLine way = line_from(search, at, turn_x, turn_y);
        angles->viewer = NO_NODE;
        astar_view_from(view, next_x, next_y);
        astar_line_cell(&way, last_seen(view, &way, way.steps, 0), &turn_x, &turn_y);
        at = add_turn(search, at, turn_x, turn_y);
    }
    return at;
}

static int64_t cross(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    return ax * by - ay * bx;
}

// Whether nothing keeps the turn at a node from being drawn taut, on the way from its parent to a
// cell: none of its neighbours within that turn is blocked.
static bool is_loose(const AstarSearch *search, uint32_t number, int x, int y)
{
    const AngleNode *at = &search->lines.angles->nodes[number];
    const AngleNode *from = &search->lines.angles->nodes[at->parent];
    int from_x = from->x - at->x, from_y = from->y - at->y;
    x -= at->x, y -= at->y;
    int64_t turn = cross(from_x, from_y, x, y);
    unsigned blocked = ~astar_bits_around(&search->finder->on.walkable->bits, at->x, at->y) & 0xFF;
    for (; turn != 0 && blocked != 0; blocked &= blocked - 1) {
        int d = astar_lowest_bit(blocked);
        int64_t one = cross(from_x, from_y, astar_dx[d], astar_dy[d]);
        int64_t other = cross(astar_dx[d], astar_dy[d], x, y);
        if (turn > 0 ? one >= 0 && other >= 0 : one <= 0 && other <= 0)
            return false;
    }
    return turn != 0;
}

// Draws the way to a node taut where its parent is no turn that it must take.
static bool draw_taut(AstarSearch *search, uint32_t number)
{
    AstarAngles *angles = search->lines.angles;
    AngleNode node = angles->nodes[number];
    uint32_t at = angles->nodes[node.parent].parent;
    if (at == node.parent || !is_loose(search, node.parent, node.x, node.y))
        return true;
    AstarLine line = line_from(search, node.parent, node.x, node.y);
    at = take_turns(search, at, &line, node.x, node.y);
    if (at != NO_NODE && length_by(angles, at, node.x, node.y) < node.g)
        set_parent(angles, number, at);
    return at != NO_NODE;
}

// Gives a node that its parent does not see another one: the one it was reached from, or the cell
// at which the run from there turned.
static bool go_around(AstarSearch *search, uint32_t number)
{
    AstarAngles *angles = search->lines.angles;
    bool has_diagonals = search->finder->rule->has_diagonals;
    AngleNode node = angles->nodes[number], before = angles->nodes[node.from];
    uint32_t parent = node.from;
    AstarBentWay way = astar_bent_way(has_diagonals, before.x, before.y, node.x, node.y);
    if (way.first > 0 && way.then > 0 && !node_sees(angles, parent, node.x, node.y)) {
        if (node_sees(angles, before.parent, way.turn_x, way.turn_y))
            parent = before.parent;
        parent = add_turn(search, parent, way.turn_x, way.turn_y);
    }
    if (parent == NO_NODE)
        return false;
    set_parent(angles, number, parent);
    return draw_taut(search, number) && open_angle_node(search, number);
}

// Gathers the route found, to have it drawn taut.
static AstarStatus gather_route(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    astar_path_begin(&angles->other, &angles->route, &search->allocator);
    const AngleNode *node = &angles->nodes[angles->found];
    AstarStatus status = astar_path_add(&angles->other, node->x, node->y, 1);
    while (status == ASTAR_OK && node != angles->nodes) {
        node = &angles->nodes[node->parent];
        status = astar_path_add(&angles->other, node->x, node->y, 1);
    }
    astar_path_turn(&angles->other);
    return status;
}

// Whether some of a cell and those around it are free but for the unit's own blocks. Runs that the
// bitmaps tell of know nothing of that: from there it takes single steps.
static bool is_among_own_blocks(const AstarFinder *finder, int x, int y)
{
    const AstarBits *shared = &astar_finder_shared_walkable(finder)->bits;
    const AstarBits *own = &finder->on.walkable->bits;
    return own != shared && (!astar_bits_get(shared, x, y) ||
                             astar_bits_around(shared, x, y) != astar_bits_around(own, x, y));
}

// Takes the best node off the open list and expands it, if its parent sees it.
static AstarStatus look_on(AstarScan *scan)
{
    AstarSearch *search = scan->search;
    AstarAngles *angles = search->lines.angles;
    uint32_t number = astar_open_cell(astar_heap_pop(&angles->open));
    AngleNode node = angles->nodes[number];
    uint32_t cell = astar_cell(search->grid, node.x, node.y);
    uint64_t *closed = &angles->closed[cell >> 6], bit = UINT64_C(1) << (cell & 63);
    if ((*closed & bit) != 0)
        return ASTAR_OK;
    if (node.from != NO_NODE) {
        if (!node_sees(angles, node.parent, node.x, node.y))
            return go_around(search, number) ? ASTAR_OK : ASTAR_NO_MEMORY;
        angles->nodes[number].from = NO_NODE;
        if (!draw_taut(search, number))
            return ASTAR_NO_MEMORY;
    }
    *closed |= bit;
    if (node.x == angles->goal.x && node.y == angles->goal.y) {
        angles->found = number;
        angles->phase = TO_GATHER;
        return ASTAR_OK;
    }
    scan->from = number;
    search->expanded++;
    astar_expand_lines(scan, is_among_own_blocks(search->finder, node.x, node.y), node.arrival,
                       node.x + 1, node.y + 1);
    return scan->fault;
}

static AstarStatus look_for_route(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarView *view = &angles->at.view;
    const AstarFinder *finder = search->finder;
    AstarStatus status = astar_search_build_for(search->finder, ASTAR_JPS, work);
    if (status != ASTAR_OK)
        return status;
    AstarScan scan = {.search = search,
                      .note = note_angle_node,
                      .rule = finder->rule,
                      .rows = &finder->on.walkable->bits,
                      .goal.x = angles->goal.x + 1,
                      .goal.y = angles->goal.y + 1};
    const AstarJumpBitmaps *jump =
        astar_finder_shared_walkable(finder)->jumps[finder->options.diagonals];
    astar_scan_bitmaps(&scan, search, jump);
    scan.runs = &jump->runs;
    while (angles->phase == LOOKING && status == ASTAR_OK) {
        if (astar_heap_count(&angles->open) == 0 ||
            search->expanded >= search->question.max_expansions) {
            angles->phase = READY;
            break;
        }
        if (*work <= 0)
            return ASTAR_RUNNING;
        uint64_t before = view->spent;
        if (angles->capacity - angles->count < NODES_AHEAD)
            status = make_room(search) ? ASTAR_OK : ASTAR_NO_MEMORY;
        else
            status = look_on(&scan);
        *work -= ASTAR_CELLS_AN_EXPANSION + (int64_t)(view->spent - before);
    }
    if (status == ASTAR_NO_MEMORY) { // in the middle of it: it is begun again
        search->expanded = angles->expanded;
        angles->phase = TO_LOOK;
    }
    return status;
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
    if (is_first && angles->route.count >= 3 &&
        (search->parts[2].cells <= FEW_CELLS || !may_be_shorter(search))) {
        astar_smoothing_begin(search, smoothing, ASTAR_SHORTEST_ROUTE, &search->parts[2],
                              &angles->other);
        angles->phase = SHORTENING;
    } else if (may_be_shorter(search)) {
        angles->phase = TO_PULL;
    }
    return ASTAR_OK;
}

static AstarStatus begin_pulling(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = angles->phase == TO_GATHER
                             ? gather_route(search)
                             : astar_path_assign(&angles->route, &angles->other);
    astar_pulling_begin(&angles->at.pulling, &search->costs, &angles->other);
    if (status == ASTAR_OK)
        angles->phase = PULLING;
    return status;
}

static AstarStatus begin_walk(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = join_points(&angles->other);
    if (status == ASTAR_OK)
        status = astar_walk_begin(search, &angles->other, 0, &angles->at.walk);
    if (status != ASTAR_RUNNING && status != ASTAR_OK)
        return status;
    angles->phase = WALKING;
    return ASTAR_OK;
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

// Goes on with a phase; ASTAR_OK once the next one is to follow.
static AstarStatus run_phase(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status;
    switch (angles->phase) {
    case TO_TRACE: return begin_angles(search);
    case SMOOTHING:
    case SHORTENING: return smooth_on(search, work);
    case PULLING:
        status = astar_pulling_run(&angles->at.pulling, work);
        if (status == ASTAR_OK)
            angles->phase = TO_WALK;
        return status;
    case TO_WALK: return begin_walk(search);
    case WALKING: return walk_drawn(search, work);
    case TO_LOOK: return plant(search, work);
    case LOOKING: return look_for_route(search, work);
    default: return begin_pulling(search);
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
