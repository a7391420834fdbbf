// jpsw.c -- jump point search on maps with non-uniform cells: ground of several costs, fields,
// walls, links.
//
// Away from non-uniform cells the ground is uniform, and the pruning of jps.c holds. (For ground of
// several costs see M. Carlson, S. Moghadam, D. Harabor, P. Stuckey and M. Ebendt, "Optimal
// Pathfinding on Weighted Grid Maps", AAAI 2023.) Therefore jumps cross uniform ground, at its
// cost, and end at non-uniform cells (see nonuniform.c). Non-uniform cells, the start and the ends
// of links are expanded step by step, at true costs; see the section on steps and links below.
//
// Costs are multiples of the finder's unit, as in A*, so both find routes of the same cost.

#include "search/jpsw.h"

#include "finder/roads.h"
#include "layers/nonuniform.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/best_first.h"
#include "search/estimate.h"
#include "search/jps.h"
#include "search/jump_scan.h"
#include "search/links.h"
#include "search/trace.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// A cost model: predicts whether JPSW answers a query faster than A*.
//
// JPSW makes a node of every non-uniform cell that it reaches, and a node takes it about ten times
// as long as a cell takes A*. Therefore JPSW is used only if non-uniform cells are a small share of
// the cells that can be entered. Without diagonal steps a node scans up and down from its whole
// row, and the share must be smaller still. Where walls are close, a jump ends soon, so the share
// may be larger. On maps of 256 x 256 cells with patches of two or four costs, JPSW and A* were
// equally fast at these shares of non-uniform cells, in percent:
//
//     mean run of free cells        eight moves, far    within 24    four moves
//     caves, 11 cells                       21 to 23     14 to 20      3 to 6
//     rooms, mazes, narrow game
//     maps, 15 to 18 cells                  26 to 31     16 to 29      7 to 14
//     houses, wide game maps,
//     32 to 62 cells                        11 to 20      8 to 19      3 to 5
//     no walls                              13 to 15     10 to 13      below 3
//
// Among random obstacles each corner is a node, too. On such maps jumping saves time only if much
// of the ground costs more than the cheapest ground, because the estimates of A* are weak then. If
// the estimates are so weak that a search floods the map, jumping saves time only if almost no cell
// is non-uniform.
//
// The first expansion reaches all non-uniform cells in sight. A* reaches a near goal faster than
// JPSW if no obstacle lies between. The weaker its estimate, the nearer the goal must be. If
// cheaper cells are listed one by one (see below), the estimate of JPSW is much better than that of
// A*.
//
// The limits were measured on six kinds of game maps, an open map and random obstacles on 5 to 40 %
// of the cells, with shares of non-uniform cells from one cell to 30 % of the map, with ground of
// higher and of lower cost, and with near and far goals.
// ------------------------------------------------------------------------------------------------

// Minimum numbers of enterable cells per non-uniform cell at which jumping is chosen.
enum {
    LEAST_IN_VIEW = 3,               // below this, no jump bitmaps are built
    LEAST_BY_LANDMARKS = 8,          // with landmarks, whose good estimates help A* more
    LEAST_FAR = 7,                   // for a far goal
    LEAST_NEAR = 9,                  // for a near goal
    LEAST_STRAIGHT = 36,             // without diagonal steps
    LEAST_AMONG_WALLS = 5,           // if walls are close
    LEAST_AMONG_WALLS_STRAIGHT = 16, // if walls are close, without diagonal steps
    LEAST_AMONG_SCATTERED = 25,
    LEAST_IN_FLOOD = 300,
    LEAST_CELLS_OF_TOLD = 512, // per cheaper cell; below this, the cheaper cells are not listed
    STRAIGHT_STEPS_TIMES = 4,  // factor for the limits if there are no diagonal steps
    STRAIGHT_STEPS_IN_VIEW = 2 // that factor for LEAST_IN_VIEW
};
// Distances in cells along one axis.
enum { NEAR_BY_STEPS = 32, FAR_FOR_TOLD = 16, FAR_ON_PATCHES = 48 };
#define MUCH_CHEAPER 0.6

// Counts of the cells that a finder can enter, by what their terrain costs.
typedef struct Enterable {
    uint32_t cells, most; // all of them, and those of the commonest terrain
    int common;           // the commonest terrain
    uint32_t cheaper;     // cells of terrain that costs less than 'common'
} Enterable;

ASTAR_ONCE Enterable look_at_ground(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    uint32_t spare[ASTAR_MAX_TERRAINS];
    Enterable ground = {0};
    for (int i = 0; i < grid->terrains.count; i++) {
        bool enters = !isinf(finder->costs.cell[i]);
        spare[i] = enters ? astar_blocks_spare(grid, finder->options.ignore, i) : 0;
        ground.cells += spare[i];
        ground.common = spare[i] > ground.most ? i : ground.common;
        ground.most = spare[i] > ground.most ? spare[i] : ground.most;
    }
    for (int i = 0; i < grid->terrains.count; i++)
        if (finder->costs.cell[i] < finder->costs.cell[ground.common])
            ground.cheaper += spare[i];
    return ground;
}

// Returns true if there are at least 'least' enterable cells per non-uniform cell or, without
// diagonal steps, at least 'least' times 'times' such cells.
static bool are_few(const AstarFinder *finder, uint32_t cells, uint32_t least, uint32_t times)
{
    if (!finder->rule->has_diagonals)
        least *= times;
    return (uint64_t)finder->on.nonuniform->count * least <= cells;
}

// Returns true if non-uniform cells are few enough for patches of ground on a map without random
// obstacles. 'cells' is the number of enterable cells, 'far' the distance of the goal in columns or
// rows.
static bool are_few_on_patches(const AstarFinder *finder, uint32_t cells, bool walls_are_close,
                               int far)
{
    uint32_t least;
    if (!finder->rule->has_diagonals)
        least = walls_are_close ? LEAST_AMONG_WALLS_STRAIGHT : LEAST_STRAIGHT;
    else if (walls_are_close)
        least = LEAST_AMONG_WALLS;
    else
        least = far < FAR_ON_PATCHES ? LEAST_NEAR : LEAST_FAR;
    return (uint64_t)finder->on.nonuniform->count * least <= cells;
}

bool astar_jpsw_may_pay(const AstarFinder *finder)
{
    uint32_t least = finder->on.landmarks != NULL ? LEAST_BY_LANDMARKS : LEAST_IN_VIEW;
    return are_few(finder, look_at_ground(finder).cells, least, STRAIGHT_STEPS_IN_VIEW);
}

// Returns true if a goal is at most 'left' steps away from (x, y) and no blocked cell lies on the
// direct path.
static bool is_near(const AstarFinder *finder, int x, int y, const AstarGoal *goal, int left)
{
    const AstarBits *bits = &finder->on.walkable->bits;
    for (; left >= 0 && astar_bits_get(bits, x, y) && (x != goal->x || y != goal->y); left--) {
        x += (goal->x > x) - (goal->x < x);
        y += (goal->y > y) - (goal->y < y);
    }
    return x == goal->x && y == goal->y;
}

bool astar_jpsw_pays(const AstarSearch *search, const AstarGoal *goal)
{
    const AstarFinder *finder = search->finder;
    const bool has_diagonals = finder->rule->has_diagonals;
    Enterable ground = look_at_ground(finder);
    double step = finder->costs.step[0][ground.common], along = finder->costs.heuristic.along;
    double share = along < step ? along / step : 1; // the lower this share, the more cells A* opens
    int near = (int)(NEAR_BY_STEPS * share * share);
    if (has_diagonals && !astar_grid_has_links_or_walls(finder->grid) &&
        is_near(finder, search->start_x, search->start_y, goal, near))
        return false;
    if (finder->on.landmarks != NULL || !astar_finder_allows(finder, ASTAR_PRUNING))
        return true;
    // If cheaper cells are listed, the estimates of JPSW towards a distant goal are good, and those
    // of A* are not. If much of the ground has other costs, estimates may be too low even for the
    // most common ground.
    bool tells = ground.cheaper <= ASTAR_MOST_CHEAPER &&
                 ground.cheaper * LEAST_CELLS_OF_TOLD <= ground.cells;
    int far = astar_greater(abs(goal->x - search->start_x), abs(goal->y - search->start_y));
    if (share < 1 && tells && has_diagonals && far > FAR_FOR_TOLD)
        return true;
    AstarObstacles obstacles = astar_nonuniform_obstacles(search->grid, finder->on.nonuniform);
    if (obstacles != ASTAR_OBSTACLES_RANDOM)
        return are_few_on_patches(finder, ground.cells, obstacles == ASTAR_OBSTACLES_CLOSE, far);
    if (share == 1) // the estimates of A* are as good
        return false;
    // A* has good estimates towards roads, and takes a third of the time there.
    if (!tells && has_diagonals && astar_roads_are_lines(search->finder))
        return false;
    bool floods = !tells && share < (has_diagonals ? MUCH_CHEAPER : 1) &&
                  ground.cells - ground.most > ASTAR_MOST_CHEAPER;
    return are_few(finder, ground.cells, floods ? LEAST_IN_FLOOD : LEAST_AMONG_SCATTERED,
                   STRAIGHT_STEPS_TIMES);
}

// ------------------------------------------------------------------------------------------------
// A lower bound of the remaining cost over ground of several costs.
//
// The estimate by the cheapest ground is weak if there is little of that ground. For each ground of
// higher cost another lower bound holds: h(n) = the cost of the walk from n to the goal over that
// ground, minus the sum over all cheaper cells of what a step onto each saves. The bound holds
// because a best route enters a cell only once.
//
// If few cells are cheaper, a better bound is the cost of a route on a map without obstacles:
// straight to the goal, or to a cheaper cell and on from there. This bound includes only the
// cheaper cells in a window around start and goal. For routes that leave the window the first bound
// is used, with the cost of a walk that leaves the window. The greatest of all bounds is the
// estimate.
//
// The estimate is not consistent. Therefore f is never lowered along a route, and a closed node is
// opened again if a cheaper path to it is found. The number of cheaper cells, without those under
// blocks, is rounded up, so that few edits change the estimate of a running search.
// ------------------------------------------------------------------------------------------------

enum {
    MOST_GROUNDS = 32, // with more grounds, only the estimate by the cheapest is used
    LEAST_TOLD = 32,   // cheaper cells that are always listed, plus two per step of the distance
    // If the goal is near, listing many cheaper cells takes longer than it saves. Therefore walk *
    // walk / NEAR_TOLD is another upper limit of their number, where walk is the distance to the
    // goal.
    NEAR_TOLD = 32,
    LEAST_MARGIN = 16, // cells of the window's margin, to which a quarter of the distance is added
    FAR_AWAY = 1 << 26,
    COUNTED_BITS = 3
};

// A kind of ground that exists on the map, and how many cells have it.
typedef struct Ground {
    double straight, diagonal; // costs of steps
    double count;
    int terrain;
} Ground;

// Returns a number of cells rounded up to a number with COUNTED_BITS + 1 significant bits.
static double round_up(uint32_t count)
{
    uint32_t step = (uint32_t)1 << astar_highest_bit(count) >> COUNTED_BITS;
    return step > 0 ? count | (step - 1) : count;
}

// Lists the kinds of ground on the map, the cheapest first. Returns their number, or 0 if there are
// more than MOST_GROUNDS.
static int sort_grounds(const AstarFinder *finder, Ground grounds[MOST_GROUNDS])
{
    const AstarGrid *grid = finder->grid;
    int count = 0;
    for (int i = 0; i < grid->terrains.count; i++) {
        uint32_t spare = astar_blocks_spare(grid, finder->options.ignore, i);
        if (spare == 0 || isinf(finder->costs.cell[i]))
            continue;
        if (count == MOST_GROUNDS)
            return 0;
        Ground ground = {finder->costs.step[0][i],
                         finder->costs.step[finder->rule->has_diagonals][i], round_up(spare), i};
        int place = count++;
        for (; place > 0 && grounds[place - 1].straight > ground.straight; place--)
            grounds[place] = grounds[place - 1];
        grounds[place] = ground;
    }
    return count;
}

static double slope_walk(const AstarSlope *slope, int dx, int dy)
{
    dx = abs(dx);
    dy = abs(dy);
    return dx > dy ? slope->along * dx + slope->across * dy
                   : slope->along * dy + slope->across * dx;
}

static double slope_estimate(const AstarSearch *search, const AstarSlope *slope, int x, int y)
{
    return slope_walk(slope, x - search->goal.x, y - search->goal.y) - slope->saving;
}

// The functions below compute the estimate that is used if few cells are cheaper.

// Returns a lower bound of the number of columns (or rows) that a path from one column (or row) to
// another crosses if the path leaves the window.
static int apart_by_outside(int from, int to, const int32_t window[2])
{
    int low = astar_lesser(from, to), high = astar_greater(from, to);
    int aside = astar_lesser(low - window[0], window[1] - high) + 1;
    return high - low + (aside > 0 ? 2 * aside : 0);
}

static double few_estimate(const AstarSearch *search, const AstarJpsw *jpsw, int x, int y)
{
    const AstarSlope *few = &jpsw->few;
    int dx = x - search->goal.x, dy = y - search->goal.y;
    double walk = slope_walk(few, dx, dy), h = walk;
    for (int i = jpsw->cheaper_count; i-- > 0;) {
        const AstarCheaperCell *cell = &jpsw->cheaper[i];
        if (cell->on - cell->saving >= h || walk - cell->gain >= h)
            continue;
        double by = slope_walk(few, x - cell->x, y - cell->y) + cell->on - cell->saving;
        h = by < h ? by : h;
    }
    double aside = slope_walk(few, apart_by_outside(x, search->goal.x, jpsw->window[0]), dy);
    double off = slope_walk(few, dx, apart_by_outside(y, search->goal.y, jpsw->window[1]));
    double outside = (aside < off ? aside : off) - few->saving;
    return outside < h ? outside : h;
}

// Lists the cells of a kind of ground within the window. Returns false if more than 'most' cells
// would be listed.
static bool find_cheaper(const AstarFinder *finder, AstarJpsw *jpsw, const Ground *ground,
                         double cost, int most)
{
    int low = astar_greater(jpsw->window[0][0], 0);
    int end = astar_lesser(jpsw->window[0][1] + 1, finder->grid->width);
    int last = astar_lesser(jpsw->window[1][1], finder->grid->height - 1);
    for (int y = astar_greater(jpsw->window[1][0], 0); y <= last; y++) {
        const uint8_t *row = finder->on.ground + astar_cell(finder->grid, 0, y), *at = row + low;
        for (; (at = memchr(at, ground->terrain, (size_t)(row + end - at))) != NULL; at++) {
            if (jpsw->cheaper_count == most)
                return false;
            jpsw->cheaper[jpsw->cheaper_count++] = (AstarCheaperCell){
                (int)(at - row), y, cost - ground->diagonal, INFINITY, 0};
        }
    }
    return true;
}

// Computes the least cost from each cheaper cell to the goal, by Dijkstra's algorithm from the
// goal. A step onto a cheaper cell saves cost, but the cost of a path is never less than that of a
// walk over the cheapest ground.
static void compute_cheaper_costs(const AstarSearch *search, AstarJpsw *jpsw)
{
    AstarCheaperCell *cells = jpsw->cheaper, from = {search->goal.x, search->goal.y, 0, 0, 0};
    for (int done = 0; done < jpsw->cheaper_count; done++) {
        int nearest = done;
        for (int i = done; i < jpsw->cheaper_count; i++) {
            int dx = cells[i].x - from.x, dy = cells[i].y - from.y;
            double by = slope_walk(&jpsw->few, dx, dy) - from.saving;
            double least = astar_estimate(&search->finder->costs.heuristic, dx, dy);
            by = (by > least ? by : least) + from.on;
            cells[i].on = by < cells[i].on ? by : cells[i].on;
            nearest = cells[i].on < cells[nearest].on ? i : nearest;
        }
        from = cells[nearest];
        cells[nearest] = cells[done];
        int dx = from.x - search->goal.x, dy = from.y - search->goal.y;
        from.gain = slope_walk(&jpsw->few, dx, dy) - from.on + from.saving;
        cells[done] = from;
    }
}

// Lists all cells that are cheaper than the ground grounds[count], if such cells are few.
// grounds[0] to grounds[count - 1] are the cheaper kinds of ground.
static void note_cheaper(const AstarSearch *search, AstarJpsw *jpsw, const Ground *grounds,
                         int count)
{
    const int ends[2][2] = {{search->start_x, search->goal.x}, {search->start_y, search->goal.y}};
    const int sides[2] = {search->grid->width, search->grid->height};
    int walk = abs(ends[0][0] - ends[0][1]) + abs(ends[1][0] - ends[1][1]);
    int margin = (int)(jpsw->few.saving / jpsw->few.along / 2) + walk / 4 + LEAST_MARGIN;
    // The window extends beyond an edge of the map that it touches, because no path leads around
    // that edge.
    for (int i = 0; i < 2; i++) {
        int low = astar_lesser(ends[i][0], ends[i][1]) - margin;
        int high = astar_greater(ends[i][0], ends[i][1]) + margin;
        jpsw->window[i][0] = low > 0 ? low : -FAR_AWAY;
        jpsw->window[i][1] = high < sides[i] - 1 ? high : FAR_AWAY;
    }
    jpsw->cheaper_count = 0;
    // Longer walks allow ASTAR_MOST_CHEAPER cells, too, but their square may not fit in an int.
    walk = astar_lesser(walk, ASTAR_MOST_CHEAPER);
    const int most = astar_lesser(astar_lesser(LEAST_TOLD + 2 * walk, walk * walk / NEAR_TOLD),
                                  ASTAR_MOST_CHEAPER);
    for (int i = 0; i < count; i++)
        if (!find_cheaper(search->finder, jpsw, &grounds[i], grounds[count].diagonal, most)) {
            jpsw->cheaper_count = -1;
            return;
        }
}

void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw)
{
    const AstarFinder *finder = search->finder;
    Ground grounds[MOST_GROUNDS];
    int count = sort_grounds(finder, grounds), told = 0;
    double promise = 0, cells = 0, costs = 0;      // 'cells' and 'costs' sum up the cheaper grounds
    memset(jpsw, 0, offsetof(AstarJpsw, cheaper)); // astar_jpsw_is_same compares all bytes
    jpsw->cheaper_count = -1;
    for (int i = 0; i < count; i++) {
        const Ground *ground = &grounds[i];
        AstarHeuristic walk = astar_heuristic(finder->rule->heuristic, finder->rule,
                                              ground->straight, ground->diagonal);
        double saving = cells * ground->diagonal * (1 + 0x1p-40) - costs; // rounded up
        AstarSlope slope = {walk.along, walk.across, saving};
        bool is_costlier = walk.along > finder->costs.heuristic.along;
        double h = slope_estimate(search, &slope, search->start_x, search->start_y);
        if (is_costlier && h > promise) {
            promise = h;
            jpsw->slope = slope;
        }
        if (is_costlier && cells <= ASTAR_MOST_CHEAPER) {
            jpsw->few = slope;
            told = i;
        }
        cells += ground->count;
        costs += ground->count * ground->diagonal;
    }
    if (told > 0 && !search->own.linked)
        note_cheaper(search, jpsw, grounds, told);
    compute_cheaper_costs(search, jpsw);
}

// Drops 'slope', the estimate by a ground of higher cost, if the estimate by the cheapest ground is
// at least as high at the start of the search. Only one of the two estimates can be used, because
// estimates over links are built from walks over one kind of ground.
static void judge_slope(const AstarSearch *search, AstarJpsw *jpsw)
{
    int x = search->start_x, y = search->start_y;
    if (slope_estimate(search, &jpsw->slope, x, y) <=
        astar_estimate(&search->finder->costs.heuristic, x - search->goal.x, y - search->goal.y))
        jpsw->slope = (AstarSlope){0, 0, 0};
}

bool astar_jpsw_is_same(const AstarSearch *search)
{
    const AstarJpsw *then = &search->own.jpsw;
    AstarJpsw now;
    astar_jpsw_work_out(search, &now);
    if (search->own.linked)
        judge_slope(search, &now);
    return memcmp(&now, then, offsetof(AstarJpsw, cheaper)) == 0 &&
           (now.cheaper_count <= 0 || memcmp(now.cheaper, then->cheaper,
                                             (size_t)now.cheaper_count * sizeof *now.cheaper) == 0);
}

AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw)
{
    astar_jpsw_work_out(search, jpsw);
    judge_slope(search, jpsw);
    return jpsw->slope.along > 0 ? (AstarHeuristic){jpsw->slope.along, jpsw->slope.across, false}
                                 : search->finder->costs.heuristic;
}

static double estimate_over_links(const AstarSearch *search, int x, int y)
{
    double straight = astar_estimate(&search->own.links[0].walk, x - search->goal.x,
                                     y - search->goal.y);
    double h = astar_links_estimate(search, false, x, y, straight) - search->own.jpsw.slope.saving;
    return h > 0 ? h : 0;
}

double astar_jpsw_least_on(const AstarSearch *search, int x, int y)
{
    // The estimate is lowered by 'saving', because the part of the route before the node may also
    // save cost on cheaper ground.
    double least = estimate_over_links(search, x, y) - search->own.jpsw.slope.saving;
    return least > 0 ? least : 0;
}

double astar_jpsw_estimate(const AstarSearch *search, int x, int y)
{
    const AstarJpsw *jpsw = &search->own.jpsw;
    if (search->own.linked)
        return estimate_over_links(search, x, y);
    double h = astar_estimate(&search->finder->costs.heuristic, x - search->goal.x,
                              y - search->goal.y);
    double other = jpsw->cheaper_count >= 0 ? few_estimate(search, jpsw, x, y)
                                            : slope_estimate(search, &jpsw->slope, x, y);
    return other > h ? other : h;
}

// The search.

static void prepare_nonuniform_scan(AstarScan *scan, AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    const AstarJumpBitmaps *jump = astar_get(&nonuniform->jumps[finder->options.diagonals]);
    *scan = (AstarScan){
        .search = search,
        .nodes = &search->jumps.nodes,
        .width = (uint32_t)search->grid->width,
        .rule = finder->rule,
        .goal.x = search->goal.x + 1,
        .goal.y = search->goal.y + 1,
        .nonuniform = nonuniform->bits,
        .note = astar_note_nonuniform,
    };
    astar_scan_bitmaps(scan, search, jump);
}

AstarStatus astar_jpsw_begin(AstarSearch *search)
{
    AstarSlottedQueue *open = &search->front.open;
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_nonuniform_jump(search->grid, search->finder->on.nonuniform,
                                               search->finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = astar_jps_plant(search, ASTAR_ARRIVED_NOWHERE);
    if (status != ASTAR_OK)
        return status;
    if (!astar_slotted_reserve(open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    astar_jpsw_work_out(search, &search->own.jpsw);
    if (search->own.linked) { // built by the same walk already, unless the search restarts
        int64_t work = ASTAR_ALL_WORK;
        AstarHeuristic walk = astar_jpsw_walk(search, &search->own.jpsw);
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

// Takes the next node off the open list and makes it the current one. Returns without a current
// node if many stale entries were skipped, or if the open list needs more time.
static AstarStatus take_nonuniform_node(AstarSearch *search)
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
    if (search->expanded == search->query.max_expansions)
        return ASTAR_MAX_EXPANSIONS;
    search->own.jpsw.f = astar_open_f(item);
    search->jumps.current = cell;
    return ASTAR_RUNNING;
}

AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions)
{
    AstarScan scan;
    if (isinf(search->jumps.steps_up_to))
        return ASTAR_BAD_COST;
    prepare_nonuniform_scan(&scan, search);
    return astar_run_scan(&scan, expansions, take_nonuniform_node, astar_expand_nonuniform);
}

// Reading the route.

// Appends one leg of the route, of 'steps' steps in the direction of (dx, dy).
static AstarStatus trace_leg(AstarSearch *search, int dx, int dy, int steps, AstarPath *path)
{
    int direction = astar_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0));
    return steps > 0 ? astar_trace_run(search, direction, steps, path) : ASTAR_OK;
}

AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path)
{
    const AstarCell *at = &search->stepped.tracing.at;
    AstarStatus status = ASTAR_OK;
    if (at->x == search->start_x && at->y == search->start_y)
        return ASTAR_OK;
    uint32_t cell = astar_cell(search->grid, at->x, at->y);
    const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
    if (astar_jump_arrival(node) == ASTAR_ARRIVED_BY_LINK) {
        status = astar_trace_link(search, path);
    } else {
        int x, y, to_x = at->x, to_y = at->y;
        astar_cell_xy(search->grid, astar_jump_parent(node), &x, &y);
        AstarBentWay way = astar_bent_way(search->finder->rule->has_diagonals, x, y, to_x, to_y);
        status = trace_leg(search, to_x - way.turn_x, to_y - way.turn_y, way.then, path);
        if (status == ASTAR_OK)
            status = trace_leg(search, way.turn_x - x, way.turn_y - y, way.first, path);
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// ------------------------------------------------------------------------------------------------
// The steps and links out of non-uniform cells, and the nodes at their ends.
//
// No best route is lost. To see this, consider all cells from which a cheapest route may enter a
// cell. For at least one of them the last step is never pruned. Three kinds of steps are pruned. A
// step out of a non-uniform cell, the start or the end of a link is pruned only by canonical.c. A
// straight step out of another cell is pruned only if another path is strictly cheaper. A diagonal
// step is pruned only if a path that costs no more enters by a straight step. All paths past a cell
// that are compared lie within the 3 x 3 cells around it; around a uniform cell these have equal
// costs and no walls.
// ------------------------------------------------------------------------------------------------

// Nodes.

// Records a path to the cell (x, y) with the cost 'g', if the path is the cheapest so far.
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
        astar_fetch_ahead(scan->runs, x + 1, y + 1, arrival);
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

void astar_note_nonuniform(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival)
{
    double g = scan->real_g + before * scan->costs[1] + steps * scan->costs[0];
    note_node(scan, x - 1, y - 1, g, arrival);
}

// The functions below follow the steps out of non-uniform cells.

// Returns those of the neighbours in 'free' that cost as much to enter as the cell itself, as bits
// by direction.
static unsigned same_around(const AstarFinder *finder, uint32_t cell, unsigned free)
{
    if (finder->options.avoid == NULL)
        return astar_canonical_same(finder->on.ground, finder->grid, cell, free);
    unsigned same = 0;
    double here = astar_finder_cell_cost(finder, cell);
    for (unsigned rest = free; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]);
        same |= (unsigned)(astar_finder_cell_cost(finder, next) == here) << d;
    }
    return same;
}

// Returns true if any of the 3 x 3 cells around a cell has a wall or is restricted.
static bool is_near_wall(const AstarGrid *grid, int x, int y)
{
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++)
            if (astar_barred_out_of(grid->links_and_walls, astar_cell(grid, column, row)) != 0)
                return true;
    return false;
}

// Table from the arrivals of jump_scan.h to the directions of directions.h.
static const uint8_t step_by_arrival[] = {2, 4, 6, 0, ASTAR_FROM_NOWHERE,
                                          3, 5, 7, 1, ASTAR_FROM_LINK};
// Table from the directions of directions.h to the arrivals of jump_scan.h.
static const uint8_t arrival_by_step[ASTAR_DIRECTIONS] = {
    ASTAR_NORTH, ASTAR_ARRIVED_DIAGONALLY + ASTAR_NORTH_EAST,
    ASTAR_EAST,  ASTAR_ARRIVED_DIAGONALLY + ASTAR_SOUTH_EAST,
    ASTAR_SOUTH, ASTAR_ARRIVED_DIAGONALLY + ASTAR_SOUTH_WEST,
    ASTAR_WEST,  ASTAR_ARRIVED_DIAGONALLY + ASTAR_NORTH_WEST,
};

// Returns the steps out of a cell that a best route may need, as bits by direction of directions.h.
static unsigned steps_worth(const AstarScan *scan, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = scan->search->finder;
    const AstarGrid *grid = finder->grid;
    unsigned free = astar_bits_around(scan->rows, x, y);
    if (astar_grid_has_walls(grid) && is_near_wall(grid, x, y))
        return astar_legal_moves_past_walls(finder->rule, astar_walls_at(grid, x, y),
                                            astar_exits_at(grid, x, y), grid->width, free, false);
    unsigned legal = astar_legal_moves(finder->rule, free);
    // Without diagonal steps the jumps use another canonical ordering than canonical.c, so the
    // pruning of canonical.c would not be right.
    bool prunes = scan->rule->has_diagonals && finder->options.diagonal_cost < 2;
    const AstarArrival *arrival =
        &finder->arrivals[1][step_by_arrival[astar_jump_arrival(astar_jump_current(scan->search))]];
    if (!prunes || arrival->ahead == 0xFF)
        return legal;
    unsigned same = same_around(finder, cell, free);
    return legal & arrival->ahead & ~astar_canonical_left_out(arrival, free, same);
}

// Returns the cost of a step in a direction into the cell 'cell'.
static inline double cost_of_step(const AstarFinder *finder, int direction, uint32_t cell)
{
    if (finder->options.avoid == NULL)
        return finder->costs.step[direction & 1][finder->on.ground[cell]];
    double cost = astar_finder_cell_cost(finder, cell);
    return astar_finder_round(finder, direction & 1 ? cost * finder->options.diagonal_cost : cost);
}

void astar_choose_bits(AstarScan *scan)
{
    const AstarSearch *search = scan->search;
    scan->by_steps = scan->real_g <= search->jumps.steps_up_to;
    scan->rows = &(scan->by_steps ? search->finder->on.walkable
                                  : astar_finder_shared_walkable(search->finder))
                      ->bits;
}

unsigned astar_expand_steps(AstarScan *scan, uint32_t cell)
{
    const AstarFinder *finder = scan->search->finder;
    int x, y;
    astar_cell_xy(finder->grid, cell, &x, &y);
    unsigned steps = steps_worth(scan, cell, x, y);
    unsigned nonuniform = steps;
    if (!scan->by_steps)
        nonuniform &= astar_bits_around(&scan->nonuniform, x, y);
    for (unsigned rest = nonuniform; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest), offset = astar_dy[d] * finder->grid->width + astar_dx[d];
        uint32_t next = cell + (uint32_t)offset;
        double g = scan->real_g + cost_of_step(finder, d, next);
        note_node(scan, x + astar_dx[d], y + astar_dy[d], g, arrival_by_step[d]);
    }
    return steps & ~nonuniform;
}

void astar_scan_ground(AstarScan *scan, uint32_t cell)
{
    const AstarFinder *finder = scan->search->finder;
    scan->costs[0] = cost_of_step(finder, 0, cell);
    scan->costs[1] = cost_of_step(finder, scan->rule->has_diagonals, cell);
}

// Links.

static void jump_over_link(AstarScan *scan, const AstarArc *arc)
{
    AstarSearch *search = scan->search;
    int x, y;
    astar_cell_xy(search->grid, arc->to, &x, &y);
    if (!astar_bits_get(scan->rows, x, y))
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
