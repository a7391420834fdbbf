// jpsw.c -- jump point search where some cells are irregular: ground of several costs, fields,
// walls, links.
//
// Away from all of these ground is uniform, and jps.c's pruning holds (for ground of several costs
// see M. Carlson, S. Moghadam, D. Harabor, P. Stuckey and M. Ebendt, "Optimal Pathfinding on
// Weighted Grid Maps", AAAI 2023). So runs jump over it, at what it costs there, and end where a
// cell is irregular (see irregular.c). Such cells, the start and the ends of links are expanded
// step by step, at true costs; canonical.c leaves out some of those steps.
//
// Why nothing is lost: of the cells that a best path may enter a cell from, one has a last step
// that is never left out. One out of an irregular cell, the start or a link is left out by
// canonical.c only; a straight one out of another cell only for a strictly cheaper way; a diagonal
// one only if a way as good enters straight. All ways past a cell compared lie in the 3 x 3 cells
// around it, and around a cell that is not irregular those cost the same and hold no wall.
//
// Costs and sums are those of A*, multiples of the finder's unit, and so are the best routes.
//
// The estimate by the cheapest ground is weak where there is little of it. For each dearer ground
//
//     h(n) = walk(n, goal) at its cost - the sum over all cheaper cells of what a step there saves
//
// holds as well, for a best path enters a cell once; the greatest counts. It is not consistent: so
// f never falls along a way, and a closed node found cheaper is opened again. How many cells are
// cheaper, those under blocks left out, is rounded up, so that few edits change an estimate under
// way.

#include "search/jpsw.h"

#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/active_landmarks.h"
#include "search/jps.h"
#include "search/links.h"
#include "search/own_blocks.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_GROUNDS = 32, // with more of them, only the cheapest is estimated by
    COUNTED_BITS = 3   // of how many cells are cheaper
};

// ---- estimates ----

// A ground that is there, and how many cells have it.
typedef struct Ground {
    double straight, diagonal; // what steps cost
    double count;
} Ground;

// A number of cells rounded up to few bits.
static double round_up(uint32_t count)
{
    uint32_t step = 1;
    while (count >> COUNTED_BITS >= step)
        step *= 2;
    return ((double)count + step - 1) - (double)((count + step - 1) % step);
}

// Gathers the grounds, the cheapest first; how many, 0 for too many.
static int sort_grounds(const AstarFinder *finder, Ground grounds[MOST_GROUNDS])
{
    const AstarGrid *grid = finder->grid;
    int count = 0;
    for (int i = 0; i < grid->terrain_count; i++) {
        uint32_t spare = astar_blocks_spare(grid, finder->options.ignore, i);
        if (spare == 0 || isinf(finder->cell_cost[i]))
            continue;
        if (count == MOST_GROUNDS)
            return 0;
        Ground ground = {finder->step[0][i], finder->step[finder->rule->has_diagonals][i],
                         round_up(spare)};
        int place = count++;
        for (; place > 0 && grounds[place - 1].straight > ground.straight; place--)
            grounds[place] = grounds[place - 1];
        grounds[place] = ground;
    }
    return count;
}

static double slope_estimate(const AstarSlope *slope, int dx, int dy)
{
    int greater = dx > dy ? dx : dy, lesser = dx > dy ? dy : dx;
    return slope->along * greater + slope->across * lesser - slope->saving;
}

// Keeps the slopes that promise most for the way from start to goal.
static void keep_slope(AstarJpsw *jpsw, const AstarSlope *slope, int dx, int dy)
{
    double h = slope_estimate(slope, dx, dy);
    int place = jpsw->slope_count;
    while (place > 0 && slope_estimate(&jpsw->slopes[place - 1], dx, dy) < h)
        place--;
    if (h <= 0 || place == ASTAR_SLOPES)
        return;
    if (jpsw->slope_count < ASTAR_SLOPES)
        jpsw->slope_count++;
    for (int i = jpsw->slope_count - 1; i > place; i--)
        jpsw->slopes[i] = jpsw->slopes[i - 1];
    jpsw->slopes[place] = *slope;
}

static void work_out_slopes(const AstarSearch *search, AstarJpsw *jpsw)
{
    const AstarFinder *finder = search->finder;
    int dx = abs(search->start_x - search->goal.x), dy = abs(search->start_y - search->goal.y);
    Ground grounds[MOST_GROUNDS];
    int count = sort_grounds(finder, grounds);
    *jpsw = (AstarJpsw){.slope_count = 0};
    double cells = 0, costs = 0; // of cheaper grounds
    for (int i = 0; i < count; i++) {
        const Ground *ground = &grounds[i];
        AstarHeuristic walk = astar_heuristic(finder->rule->heuristic, finder->rule,
                                              ground->straight, ground->diagonal);
        double saving = cells * ground->diagonal * (1 + 0x1p-40) - costs; // rounded up
        if (walk.along > finder->heuristic.along)
            keep_slope(jpsw, &(AstarSlope){walk.along, walk.across, saving}, dx, dy);
        cells += ground->count;
        costs += ground->count * ground->diagonal;
    }
}

// Estimates over links are made of walks over one ground, the most promising; none is left if that
// is the cheapest.
static void leave_one_slope(const AstarSearch *search, AstarJpsw *jpsw)
{
    const AstarHeuristic *walk = &search->finder->heuristic;
    int dx = abs(search->start_x - search->goal.x), dy = abs(search->start_y - search->goal.y);
    bool promises = jpsw->slope_count > 0 &&
                    slope_estimate(&jpsw->slopes[0], dx, dy) > astar_estimate(walk, dx, dy);
    jpsw->slope_count = promises;
}

double astar_jpsw_promise(const AstarSearch *search)
{
    AstarJpsw jpsw;
    int dx = abs(search->start_x - search->goal.x), dy = abs(search->start_y - search->goal.y);
    work_out_slopes(search, &jpsw);
    return jpsw.slope_count > 0 ? slope_estimate(&jpsw.slopes[0], dx, dy) : 0;
}

bool astar_jpsw_is_same(const AstarSearch *search)
{
    AstarJpsw now;
    work_out_slopes(search, &now);
    if (search->own.linked)
        leave_one_slope(search, &now);
    bool same = now.slope_count == search->own.jpsw.slope_count;
    for (int i = 0; i < now.slope_count && same; i++) {
        const AstarSlope *a = &now.slopes[i], *b = &search->own.jpsw.slopes[i];
        same = a->along == b->along && a->across == b->across && a->saving == b->saving;
    }
    return same;
}

static AstarHeuristic walk_by_slope(const AstarSearch *search, AstarJpsw *jpsw)
{
    leave_one_slope(search, jpsw);
    return jpsw->slope_count > 0
               ? (AstarHeuristic){jpsw->slopes[0].along, jpsw->slopes[0].across, false}
               : search->finder->heuristic;
}

AstarHeuristic astar_jpsw_walk(const AstarSearch *search)
{
    AstarJpsw jpsw;
    work_out_slopes(search, &jpsw);
    return walk_by_slope(search, &jpsw);
}

static double saving_over_links(const AstarSearch *search)
{
    return search->own.jpsw.slope_count > 0 ? search->own.jpsw.slopes[0].saving : 0;
}

static double estimate_over_links(const AstarSearch *search, int x, int y)
{
    double straight = astar_estimate(&search->own.links[0].walk, x - search->goal.x,
                                     y - search->goal.y);
    double h = astar_links_estimate(search, false, x, y, straight) - saving_over_links(search);
    return h > 0 ? h : 0;
}

double astar_jpsw_least_on(const AstarSearch *search, int x, int y)
{
    // The way on from there to the node may save once more.
    double least = estimate_over_links(search, x, y) - saving_over_links(search);
    return least > 0 ? least : 0;
}

double astar_jpsw_estimate(const AstarSearch *search, int x, int y)
{
    int dx = abs(x - search->goal.x), dy = abs(y - search->goal.y);
    if (search->own.linked)
        return estimate_over_links(search, x, y);
    double h = astar_estimate(&search->finder->heuristic, dx, dy);
    for (int i = 0; i < search->own.jpsw.slope_count; i++) {
        double other = slope_estimate(&search->own.jpsw.slopes[i], dx, dy);
        h = other > h ? other : h;
    }
    return h;
}

// ---- nodes ----

// Notes a way to a cell, if it is the cheapest yet.
static void note_node(AstarScan *scan, int x, int y, double g, unsigned arrival)
{
    AstarSearch *search = scan->search;
    AstarSlottedQueue *open = &search->front.open;
    uint32_t cell = astar_cell(search->grid, x, y);
    uint32_t *slot = astar_jump_slot(scan->nodes, cell, x, y);
    AstarJumpNode *node = astar_jump_named(scan->nodes, slot);
    if (node != NULL && node->g.real <= g)
        return;
    if (node == NULL)
        astar_fetch_ahead(&scan->runs, x + 1, y + 1, arrival);
    double f = g + astar_active_landmarks_improve(&search->own.active, cell,
                                                  astar_jpsw_estimate(search, x, y));
    f = f > search->own.jpsw.f ? f : search->own.jpsw.f;
    if (f > search->limit) {
        search->failure = ASTAR_MAX_COST;
        return;
    }
    bool has_room = astar_slotted_reserve(open, &search->allocator, 1);
    if (has_room && node == NULL)
        node = astar_jump_nodes_add(scan->nodes, &search->allocator, slot, cell);
    if (!has_room || node == NULL) {
        scan->fault = ASTAR_NO_MEMORY;
        return;
    }
    node->g.real = g;
    node->parent = scan->from | arrival << ASTAR_CELL_BITS;
    node->cell = cell;
    astar_slotted_push(open, f, astar_open(f, g, cell));
}

void astar_note_irregular(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival)
{
    double g = scan->real_g + before * scan->costs[1] + steps * scan->costs[0];
    note_node(scan, x - 1, y - 1, g, arrival);
}

AstarLegs astar_jump_legs(const AstarSearch *search, uint32_t parent, uint32_t cell)
{
    int x, y, to_x, to_y;
    astar_cell_xy(search->grid, parent, &x, &y);
    astar_cell_xy(search->grid, cell, &to_x, &to_y);
    int dx = to_x - x, dy = to_y - y, columns = abs(dx), rows = abs(dy);
    int toward_x = (dx > 0) - (dx < 0), toward_y = (dy > 0) - (dy < 0);
    int sideways = astar_direction(toward_x, 0), upright = astar_direction(0, toward_y);
    if (!search->finder->rule->has_diagonals)
        return (AstarLegs){{sideways, upright}, {columns, rows}};
    int lesser = columns < rows ? columns : rows, rest = columns + rows - 2 * lesser;
    return (AstarLegs){{astar_direction(toward_x, toward_y), columns > rows ? sideways : upright},
                       {lesser, rest}};
}

// ---- steps out of irregular cells ----

// The neighbours of a cell, 'free' ones, that cost what it does.
static unsigned same_around(const AstarFinder *finder, uint32_t cell, unsigned free)
{
    if (finder->options.avoid == NULL)
        return astar_canonical_same(finder->ground, finder->grid, cell, free);
    unsigned same = 0;
    double here = astar_finder_cell_cost(finder, cell);
    for (unsigned rest = free; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]);
        same |= (unsigned)(astar_finder_cell_cost(finder, next) == here) << d;
    }
    return same;
}

// Whether any of the 3 x 3 cells around a cell has a wall.
static bool is_near_wall(const AstarGrid *grid, int x, int y)
{
    const uint8_t *walls = grid->links_and_walls->walls;
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++)
            if (walls[astar_cell(grid, column, row)] != 0)
                return true;
    return false;
}

// By arrival, see expand_jps.h: the direction of directions.h.
static const uint8_t step_by_arrival[] = {2, 4, 6, 0, ASTAR_FROM_NOWHERE,
                                          3, 5, 7, 1, ASTAR_FROM_LINK};
// The other way round.
static const uint8_t arrival_by_step[ASTAR_DIRECTIONS] = {
    ASTAR_NORTH, ASTAR_ARRIVED_SLANTED + ASTAR_NORTH_EAST,
    ASTAR_EAST,  ASTAR_ARRIVED_SLANTED + ASTAR_SOUTH_EAST,
    ASTAR_SOUTH, ASTAR_ARRIVED_SLANTED + ASTAR_SOUTH_WEST,
    ASTAR_WEST,  ASTAR_ARRIVED_SLANTED + ASTAR_NORTH_WEST,
};

// The steps out of a cell that a best path may need.
static unsigned steps_worth(const AstarScan *scan, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = scan->search->finder;
    const AstarGrid *grid = finder->grid;
    unsigned free = astar_bits_around(&scan->rows, x, y);
    if (astar_grid_has_walls(grid) && is_near_wall(grid, x, y))
        return astar_legal_moves_past_walls(finder->rule, astar_walls_at(grid, x, y), grid->width,
                                            free, false);
    unsigned legal = astar_legal_moves(finder->rule, free);
    // Canonical order without diagonals is another than that of the runs.
    bool prunes = scan->rule->has_diagonals && finder->options.diagonal_cost < 2;
    const AstarArrival *arrival =
        &finder->arrivals[1][step_by_arrival[astar_jump_arrival(astar_jump_current(scan->search))]];
    if (!prunes || arrival->ahead == 0xFF)
        return legal;
    unsigned same = same_around(finder, cell, free);
    return legal & arrival->ahead & ~astar_canonical_left_out(arrival, free, same);
}

// What a step in a direction into a cell costs.
static inline double cost_of_step(const AstarFinder *finder, int direction, uint32_t cell)
{
    if (finder->options.avoid == NULL)
        return finder->step[direction & 1][finder->ground[cell]];
    double cost = astar_finder_cell_cost(finder, cell);
    return astar_finder_round(finder, direction & 1 ? cost * finder->options.diagonal_cost : cost);
}

void astar_choose_bits(AstarScan *scan)
{
    const AstarSearch *search = scan->search;
    scan->by_steps = scan->real_g <= search->jumps.steps_up_to;
    scan->rows = (scan->by_steps ? search->finder->walkable
                                 : astar_finder_shared_walkable(search->finder))
                     ->bits;
}

unsigned astar_expand_steps(AstarScan *scan, uint32_t cell)
{
    const AstarFinder *finder = scan->search->finder;
    int x, y;
    astar_cell_xy(finder->grid, cell, &x, &y);
    unsigned steps = steps_worth(scan, cell, x, y);
    unsigned irregular = steps;
    if (!scan->by_steps)
        irregular &= astar_bits_around(&scan->irregular, x, y);
    for (unsigned rest = irregular; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest), offset = astar_dy[d] * finder->grid->width + astar_dx[d];
        uint32_t next = cell + (uint32_t)offset;
        double g = scan->real_g + cost_of_step(finder, d, next);
        note_node(scan, x + astar_dx[d], y + astar_dy[d], g, arrival_by_step[d]);
    }
    return steps & ~irregular;
}

void astar_scan_ground(AstarScan *scan, uint32_t cell)
{
    const AstarFinder *finder = scan->search->finder;
    scan->costs[0] = cost_of_step(finder, 0, cell);
    scan->costs[1] = cost_of_step(finder, scan->rule->has_diagonals, cell);
}

// ---- links ----

static void jump_over_link(AstarScan *scan, const AstarArc *arc)
{
    AstarSearch *search = scan->search;
    int x, y;
    astar_cell_xy(search->grid, arc->to, &x, &y);
    if (!astar_bits_get(&scan->rows, x, y))
        return;
    const AstarJumpNode *node = astar_jump_node(scan->nodes, arc->to);
    double g = scan->real_g + astar_finder_round_link(search->finder, arc->cost);
    bool better = node == NULL || g < node->g.real;
    note_node(scan, x, y, g, ASTAR_ARRIVED_BY_LINK);
    node = astar_jump_node(scan->nodes, arc->to);
    if (better && node != NULL && node->g.real == g)
        astar_links_note_arrival(search, arc);
}

void astar_follow_links(AstarScan *scan, uint32_t cell)
{
    const AstarLinksAndWalls *links = scan->search->grid->links_and_walls;
    if (!scan->search->own.linked)
        return;
    const AstarArc *arc;
    for (uint32_t i = astar_arcs_first_from(links, cell);
         (arc = astar_arc_at(&links->arcs, i)) != NULL && arc->from == cell; i++)
        jump_over_link(scan, arc);
}

// ---- the search ----

static void prepare_irregular_scan(AstarScan *scan, AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarIrregular *irregular = finder->irregular;
    const AstarJumpBitmaps *jump = astar_get(&irregular->jumps[finder->options.diagonals]);
    *scan = (AstarScan){
        .search = search,
        .nodes = &search->jumps.nodes,
        .width = (uint32_t)search->grid->width,
        .rule = finder->rule,
        .goal_x = search->goal.x + 1,
        .goal_y = search->goal.y + 1,
        .irregular = irregular->bits,
    };
    astar_scan_bitmaps(scan, search, jump);
}

AstarStatus astar_jpsw_begin(AstarSearch *search)
{
    AstarSlottedQueue *open = &search->front.open;
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_irregular_jump(search->grid, search->finder->irregular,
                                              search->finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = astar_jps_plant(search);
    if (status != ASTAR_OK)
        return status;
    if (!astar_slotted_reserve(open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    work_out_slopes(search, &search->own.jpsw);
    if (search->own.linked) { // made ready by the same walk already, but where it is begun again
        int64_t work = ASTAR_ALL_WORK;
        AstarHeuristic walk = walk_by_slope(search, &search->own.jpsw);
        status = astar_links_advance(search, false, walk, &work);
    }
    if (status == ASTAR_OK)
        status = astar_own_blocks_measure(search);
    if (status != ASTAR_OK)
        return status;
    astar_slotted_clear(open, search->finder->min_cost / ASTAR_SLOTS_A_JUMP);
    astar_slotted_push(open, 0, astar_open(0, 0, search->start));
    return ASTAR_OK;
}

// Takes the next node off the open list and makes it the current one; there is none yet where many
// were passed over, or the open list takes long.
static AstarStatus take_irregular_node(AstarSearch *search)
{
    AstarSlottedQueue *open = &search->front.open;
    AstarOpen item;
    int passed = 0;
    do {
        if (astar_slotted_count(open) == 0)
            return astar_search_exhausted(search);
        if (passed++ == ASTAR_MOST_PASSED || !astar_slotted_is_ready(open))
            return ASTAR_RUNNING;
        item = astar_slotted_pop(open);
    } while (!astar_jump_close(&search->jumps, astar_open_cell(item)));
    uint32_t cell = astar_open_cell(item);
    if (cell == search->goal.cell) {
        search->found = cell;
        return ASTAR_OK;
    }
    if (search->expanded == search->question.max_expansions)
        return ASTAR_MAX_EXPANSIONS;
    search->own.jpsw.f = astar_open_f(item);
    search->jumps.current = cell;
    return ASTAR_RUNNING;
}

static AstarStatus run_irregular_jumps(AstarSearch *search, uint64_t expansions)
{
    AstarJumpFront *front = &search->jumps;
    AstarScan scan;
    prepare_irregular_scan(&scan, search);
    for (; expansions > 0; expansions--) {
        if (astar_jump_nodes_are_crowded(&front->nodes)) {
            if (!astar_jump_nodes_make_room(&front->nodes, &search->allocator))
                return ASTAR_NO_MEMORY;
            continue;
        }
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = take_irregular_node(search);
            if (status != ASTAR_RUNNING)
                return status;
            if (front->current == ASTAR_NO_CELL)
                continue;
        }
        astar_expand_irregular(&scan, front->current);
        if (scan.fault != ASTAR_OK)
            return scan.fault;
        search->expanded++;
        front->current = ASTAR_NO_CELL;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions)
{
    return isinf(search->jumps.steps_up_to) ? ASTAR_BAD_COST
                                            : run_irregular_jumps(search, expansions);
}

AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path)
{
    const AstarCell *at = &search->slices.tracing.at;
    AstarStatus status = ASTAR_OK;
    if (at->x == search->start_x && at->y == search->start_y)
        return ASTAR_OK;
    uint32_t cell = astar_cell(search->grid, at->x, at->y);
    const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
    if (astar_jump_arrival(node) == ASTAR_ARRIVED_BY_LINK) {
        status = astar_trace_link(search, path);
    } else {
        AstarLegs legs = astar_jump_legs(search, astar_jump_parent(node), cell);
        if (legs.steps[1] > 0)
            status = astar_trace_run(search, legs.directions[1], legs.steps[1], path);
        if (status == ASTAR_OK && legs.steps[0] > 0)
            status = astar_trace_run(search, legs.directions[0], legs.steps[0], path);
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
