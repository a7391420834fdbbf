// lazy_theta.c -- routes at any angle.
//
// The way by steps is found first, as ever: it tells whether there is one, and where it ends. The
// fewest lines of sight over its cells, or the shortest (smooth.c), are already close to the best
// that keep to the same side of every obstacle. Where a line costs what its steps do, another side
// may be better yet: Lazy Theta* (Nash, Koenig and Tovey, 2010), A* whose cells may have any cell
// for a parent, looks for one, leaving out all that cannot become shorter than what is known. Both
// are then drawn taut (string_pulling.c), and the shorter one is taken.
//
// The cells are jump points, one in fifty or fewer of those that Lazy Theta* by itself expands: a
// route bends at corners alone. What lies between two, a run of jps.c, may still lead past others
// that it need not touch, being no longer by steps. So where a parent is not seen the way is drawn
// taut at once: turns are put where the view from one node along the run ends.
//
// Lengths are straight, from middle to middle of the cells. All of this goes on where it stopped,
// after any line: a search in slices finds the same route.

#include "search/smooth.h"

#include "map/links_and_walls.h"
#include "openlist/heap.h"
#include "path/path.h"
#include "search/jps.h"
#include "search/jump_scan.h"
#include "search/pose.h"

#include <math.h>
#include <stdlib.h>

// A way to a cell. Its parent is another's, whose cell is yet to be looked from, or that one
// itself.
typedef struct AngleNode {
    double g;
    uint32_t parent; // a number of these, and PARENT_SEES
    uint32_t from;   // the one that was expanded
    uint32_t cell;   // above ASTAR_CELL_BITS: the direction that led here, see jump_scan.h
} AngleNode;

#define PARENT_SEES (UINT32_C(1) << 31)
#define NO_NODE (PARENT_SEES - 1)

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
    uint32_t *closed; // of each cell: the stamp of the last search that expanded it
    uint32_t stamp;
    AngleNode *nodes; // the start is the first
    size_t count, capacity;
    AstarHeap open;  // their numbers
    uint32_t viewer; // the node whose cell the view is from
    uint32_t goal;   // the cell; once found the node
    int32_t goal_x, goal_y;
    uint64_t expanded; // before
    double bound;      // no route is looked for that is not shorter
} AstarAngles;

static const double SHORTER = 1 - 1e-9; // by less is none
// How much longer than the route known one may be while it is looked for: drawn taut it is shorter.
static const double LENIENT = 1.01;

// Of ways of no more cells the shortest route over them is found whatever is looked for after it.
enum { FEW_CELLS = 128 };

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
    astar_release(&search->allocator, angles->closed, search->rest.cells, sizeof *angles->closed);
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
    bytes += astar_path_bytes(&angles->drawn);
    bytes += angles->capacity * sizeof *angles->nodes;
    return bytes + (angles->closed != NULL ? search->rest.cells * sizeof *angles->closed : 0);
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
    return node->parent & ~PARENT_SEES;
}

static void cell_of_node(const AstarSearch *search, uint32_t number, int *x, int *y)
{
    astar_cell_xy(search->grid, search->lines.angles->nodes[number].cell & ASTAR_CELL_MASK, x, y);
}

// How long the way over one node is to a cell.
static double length_by(const AstarSearch *search, uint32_t number, int x, int y)
{
    int from_x, from_y;
    cell_of_node(search, number, &from_x, &from_y);
    return search->lines.angles->nodes[number].g + distance(from_x, from_y, x, y);
}

// Adds a node; false when there is no memory.
static bool add_angle_node(AstarSearch *search, AngleNode node)
{
    AstarAngles *angles = search->lines.angles;
    if (!ASTAR_RESERVE(&search->allocator, angles->nodes, angles->count, 1, &angles->capacity, 64))
        return false;
    angles->nodes[angles->count++] = node;
    return true;
}

// Opens a node of the cell (x, y), unless no route over it is short enough.
static bool open_angle_node(AstarSearch *search, int x, int y, uint32_t number)
{
    AstarAngles *angles = search->lines.angles;
    double g = angles->nodes[number].g, f = g + distance(x, y, angles->goal_x, angles->goal_y);
    if (f >= angles->bound)
        return true;
    if (!astar_heap_reserve(&angles->open, &search->allocator, 1))
        return false;
    astar_heap_push(&angles->open, astar_open(f, g, number));
    return true;
}

// Notes a way to a node of the scan, as if the parent of the one expanded saw it.
static void note_angle_node(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival)
{
    AstarSearch *search = scan->search;
    AstarAngles *angles = search->lines.angles;
    uint32_t cell = astar_cell(search->grid, x - 1, y - 1);
    if (angles->closed[cell] == angles->stamp)
        return;
    uint32_t parent = parent_of(&angles->nodes[scan->from]);
    bool sees = parent == scan->from && (before == 0 || steps == 0);
    double g = length_by(search, parent, x - 1, y - 1);
    if (g + distance(x - 1, y - 1, angles->goal_x, angles->goal_y) >= angles->bound)
        return;
    if (!add_angle_node(search, (AngleNode){.g = g,
                                            .parent = parent | (sees ? PARENT_SEES : 0),
                                            .from = scan->from,
                                            .cell = cell | arrival << ASTAR_CELL_BITS}) ||
        !open_angle_node(search, x - 1, y - 1, (uint32_t)angles->count - 1))
        scan->fault = ASTAR_NO_MEMORY;
}

static AstarStatus plant(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = astar_search_build_for(search->finder, ASTAR_JPS, work);
    if (status == ASTAR_OK)
        status = astar_own_blocks_measure(search);
    if (status != ASTAR_OK)
        return status;
    if (angles->closed == NULL)
        angles->closed = astar_alloc(&search->allocator, search->rest.cells,
                                     sizeof *angles->closed);
    if (angles->closed == NULL)
        return ASTAR_NO_MEMORY;
    if (++angles->stamp == 0) { // the stamps have come round
        memset(angles->closed, 0, search->rest.cells * sizeof *angles->closed);
        angles->stamp = 1;
    }
    const AstarPoint *first = angles->route.points, *last = first + angles->route.count - 1;
    angles->goal = astar_cell(search->grid, last->x, last->y);
    angles->goal_x = last->x;
    angles->goal_y = last->y;
    angles->bound = angles->route.length * LENIENT;
    angles->viewer = NO_NODE;
    angles->count = 0;
    angles->expanded = search->expanded;
    search->jumps.to = (AstarCell){last->x, last->y};
    astar_view_open(&angles->at.view, &search->costs);
    astar_heap_clear(&angles->open);
    uint32_t start = astar_cell(search->grid, first->x, first->y);
    if (!add_angle_node(search, (AngleNode){.parent = PARENT_SEES,
                                            .cell = start | (uint32_t)ASTAR_ARRIVED_NOWHERE
                                                                << ASTAR_CELL_BITS}) ||
        !open_angle_node(search, first->x, first->y, 0))
        return ASTAR_NO_MEMORY;
    angles->has_looked = true;
    angles->phase = LOOKING;
    return ASTAR_OK;
}

// Whether a node's cell sees another.
static bool node_sees(AstarSearch *search, uint32_t number, int x, int y)
{
    AstarAngles *angles = search->lines.angles;
    if (angles->viewer != number) {
        int from_x, from_y;
        cell_of_node(search, number, &from_x, &from_y);
        angles->viewer = number;
        astar_view_from(&angles->at.view, from_x, from_y);
    }
    return astar_view_sees_plain(&angles->at.view, x, y);
}

// The line from a node's cell to another.
static AstarLine line_from(const AstarSearch *search, uint32_t number, int x, int y)
{
    int from_x, from_y;
    cell_of_node(search, number, &from_x, &from_y);
    return astar_line(from_x, from_y, x, y, !search->finder->rule->has_diagonals);
}

static void set_parent(AstarSearch *search, uint32_t number, uint32_t parent, int x, int y)
{
    AngleNode *node = &search->lines.angles->nodes[number];
    node->parent = parent | PARENT_SEES;
    node->g = length_by(search, parent, x, y);
}

// How many steps of a line a node sees, about, which sees so many.
static int64_t seen_of_line(AstarSearch *search, uint32_t number, const AstarLine *line,
                            int64_t low)
{
    for (int64_t high = line->steps; high - low > 1;) { // the last is not seen
        int64_t middle = (low + high) / 2;
        int x, y;
        astar_line_cell(line, middle, &x, &y);
        *(node_sees(search, number, x, y) ? &low : &high) = middle;
    }
    return low;
}

// Adds a turn at a cell that a node sees; NO_NODE where there is no memory.
static uint32_t add_turn(AstarSearch *search, uint32_t number, int x, int y)
{
    AngleNode turn = {.g = length_by(search, number, x, y),
                      .parent = number | PARENT_SEES,
                      .cell = astar_cell(search->grid, x, y)};
    return add_angle_node(search, turn) ? (uint32_t)search->lines.angles->count - 1 : NO_NODE;
}

// The same on the line from it to a cell, as soon as another one can be seen.
static uint32_t turn_on_line(AstarSearch *search, uint32_t number, const AstarLine *line, int x,
                             int y)
{
    AstarAngles *angles = search->lines.angles;
    int64_t low = 0, high = line->steps;
    int turn_x, turn_y;
    angles->viewer = NO_NODE;
    astar_view_from(&angles->at.view, x, y);
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        astar_line_cell(line, middle, &turn_x, &turn_y);
        *(astar_view_sees_plain(&angles->at.view, turn_x, turn_y) ? &high : &low) = middle;
    }
    astar_line_cell(line, high, &turn_x, &turn_y);
    return add_turn(search, number, turn_x, turn_y);
}

// Takes the turns that lead from a node to the end of a line, whose beginning it sees, drawn taut:
// the last of them; NO_NODE where there is no memory.
static uint32_t take_turns(AstarSearch *search, uint32_t at, const AstarLine *line, int x, int y)
{
    int64_t seen = 0;
    int seen_x, seen_y, next_x, next_y;
    while (at != NO_NODE && seen < line->steps && !node_sees(search, at, x, y)) {
        seen = seen_of_line(search, at, line, seen);
        astar_line_cell(line, seen, &seen_x, &seen_y);
        astar_line_cell(line, ++seen, &next_x, &next_y);
        AstarLine to_seen = line_from(search, at, seen_x, seen_y);
        at = turn_on_line(search, at, &to_seen, next_x, next_y);
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
    int at_x, at_y, from_x, from_y;
    cell_of_node(search, number, &at_x, &at_y);
    cell_of_node(search, parent_of(&search->lines.angles->nodes[number]), &from_x, &from_y);
    from_x -= at_x, from_y -= at_y;
    x -= at_x, y -= at_y;
    int64_t turn = cross(from_x, from_y, x, y);
    unsigned blocked = ~astar_bits_around(&search->finder->walkable->bits, at_x, at_y) & 0xFF;
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
static bool draw_taut(AstarSearch *search, int x, int y, uint32_t number)
{
    AstarAngles *angles = search->lines.angles;
    uint32_t parent = parent_of(&angles->nodes[number]), at = parent_of(&angles->nodes[parent]);
    if (at == parent || !is_loose(search, parent, x, y))
        return true;
    AstarLine line = line_from(search, parent, x, y);
    at = take_turns(search, at, &line, x, y);
    if (at != NO_NODE && length_by(search, at, x, y) < angles->nodes[number].g)
        set_parent(search, number, at, x, y);
    return at != NO_NODE;
}

// Gives a node that its parent does not see another one: the one it was reached from, or the cell
// at which the run from there turned.
static bool go_around(AstarSearch *search, int x, int y, uint32_t number)
{
    AstarAngles *angles = search->lines.angles;
    uint32_t from = angles->nodes[number].from, before = parent_of(&angles->nodes[from]);
    bool has_diagonals = search->finder->rule->has_diagonals;
    int turn_x, turn_y;
    cell_of_node(search, from, &turn_x, &turn_y);
    int dx = x - turn_x, dy = y - turn_y, columns = abs(dx), rows = abs(dy);
    int first = has_diagonals && rows < columns ? rows : columns;
    bool is_straight = first == 0 || rows == 0 || (has_diagonals && columns == rows);
    turn_x += dx < 0 ? -first : first;
    turn_y += !has_diagonals ? 0 : dy < 0 ? -first : first;
    if (!is_straight && !node_sees(search, from, x, y)) {
        if (node_sees(search, before, turn_x, turn_y))
            from = before;
        from = add_turn(search, from, turn_x, turn_y);
    }
    if (from == NO_NODE)
        return false;
    set_parent(search, number, from, x, y);
    return draw_taut(search, x, y, number) && open_angle_node(search, x, y, number);
}

// Gathers the route found, to have it drawn taut.
static AstarStatus gather_route(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath *found = &angles->drawn;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = ASTAR_OK;
    for (uint32_t at = angles->goal; status == ASTAR_OK; at = parent_of(&angles->nodes[at])) {
        int x, y;
        cell_of_node(search, at, &x, &y);
        status = astar_path_add(found, x, y, 1);
        if (at == 0)
            break;
    }
    astar_path_turn(found);
    return status;
}

// Takes the best node off the open list and expands it, if its parent sees it.
static AstarStatus look_on(AstarScan *scan)
{
    AstarSearch *search = scan->search;
    AstarAngles *angles = search->lines.angles;
    uint32_t number = astar_open_cell(astar_heap_pop(&angles->open));
    AngleNode *node = &angles->nodes[number];
    uint32_t cell = node->cell & ASTAR_CELL_MASK;
    unsigned arrival = node->cell >> ASTAR_CELL_BITS;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    if (angles->closed[cell] == angles->stamp)
        return ASTAR_OK;
    if ((node->parent & PARENT_SEES) == 0) {
        if (!node_sees(search, parent_of(node), x, y))
            return go_around(search, x, y, number) ? ASTAR_OK : ASTAR_NO_MEMORY;
        node->parent |= PARENT_SEES;
        if (!draw_taut(search, x, y, number))
            return ASTAR_NO_MEMORY;
    }
    angles->closed[cell] = angles->stamp;
    if (cell == angles->goal) {
        angles->goal = number;
        angles->phase = TO_GATHER;
        return ASTAR_OK;
    }
    scan->from = number;
    search->expanded++;
    astar_expand_lines(scan, angles->nodes[number].g <= search->jumps.steps_up_to, (int)arrival,
                       x + 1, y + 1);
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
                      .rows = &finder->walkable->bits,
                      .goal_x = angles->goal_x + 1,
                      .goal_y = angles->goal_y + 1};
    const AstarJumpBitmaps *jump =
        astar_finder_shared_walkable(finder)->jumps[finder->options.diagonals];
    astar_scan_bitmaps(&scan, search, jump);
    scan.runs = jump->runs;
    while (angles->phase == LOOKING && status == ASTAR_OK) {
        if (astar_heap_count(&angles->open) == 0 ||
            search->expanded >= search->question.max_expansions) {
            angles->phase = READY;
            break;
        }
        if (*work <= 0)
            return ASTAR_RUNNING;
        uint64_t before = view->spent;
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
static AstarStatus begin_phase(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status;
    switch (angles->phase) {
    case TO_TRACE: return begin_angles(search);
    case TO_WALK: return begin_walk(search);
    case TO_LOOK: return plant(search, work);
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
    default: return begin_phase(search, work);
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
