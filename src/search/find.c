// find.c -- Queries in one call. Shortcuts answer most queries without starting a search. The other
// queries take a search out of the workspace, run it and put it back. The end of the file has the
// queries about existing paths, for which the caller has taken a search.

#include "search/find.h"

#include "layers/jump_turns.h"
#include "layers/jump_words.h"
#include "map/links_and_walls.h"
#include "search/baked.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/jump_scan.h"
#include "search/path.h"
#include "search/repair.h"
#include "search/run.h"
#include "search/smooth.h"
#include "search/trace.h"
#include "search/workspace.h"

#include <limits.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// The shortcut for a plain route on a map with some non-uniform cells.
//
// On open terrain, jumps reach the same few non-uniform cells from everywhere, so the first
// expansion of JPSW finds hundreds of nodes. But most goals in games are near and have no
// non-uniform cell before them. The plain route consists of a diagonal leg and a straight leg over
// cells that are all uniform, so each of its steps has the same cost per length. If no terrain is
// cheaper and no link exists, no route costs less. The same holds if the cheaper cells are far
// away: the steps of another route before its first cheaper cell and after its last one alone cost
// as much as the plain route.
//
// In these cases the plain route is the answer, and JPSW would open no node but the goal. A query
// in one call checks these conditions without a search, and returns exactly the route that the
// search would return.
// ------------------------------------------------------------------------------------------------

// Maximum distance in cells at which cheaper cells are looked for. Examining a larger area would
// take as long as a search.
enum { FARTHEST = 32 };

// Returns true if a unit can move along a row of bits from one end to the other, and all cells
// except the last are uniform. In this case no wall is near, and each step has the cost of the cell
// it leaves.
static bool is_plain_leg(const AstarBits *free, const AstarBits *nonuniform, int row, int from,
                         int to)
{
    int steps = abs(to - from), first = from < to ? from : to;
    if (steps == 0)
        return true;
    return astar_bits_count(free, first, row, steps + 1) == (uint32_t)steps + 1 &&
           !astar_any_bit(nonuniform, from < to ? first : first + 1, row, steps);
}

// Returns true if the diagonal first leg is free and crosses no non-uniform cell. The bits of a
// diagonal jump stop at non-uniform cells, including the first cell.
static bool is_plain_diagonal(const AstarJumpBitmaps *jump, int sx, int sy,
                              const AstarBentWay *view)
{
    AstarBentWay way;
    return view->first == 0 ||
           astar_direct_way(&jump->runs, sx + 1, sy + 1, view->turn_x + 1, view->turn_y + 1, &way);
}

// Returns true if any cell within 'steps' steps of (x, y), obstacles ignored, costs less than
// 'cost'. Only non-uniform cells are examined: the first cheaper cell on a route has a neighbour of
// another cost, so it is non-uniform.
static bool is_cheaper_around(const AstarFinder *finder, int x, int y, int steps, double cost)
{
    const AstarGrid *grid = finder->grid;
    const AstarBits *nonuniform = &finder->on.nonuniform->bits;
    int last_row = astar_lesser(y + steps, grid->height - 1);
    for (int row = astar_greater(y - steps, 0); row <= last_row; row++) {
        int columns = finder->rule->has_diagonals ? steps : steps - abs(row - y);
        int at = astar_greater(x - columns, 0), last = astar_lesser(x + columns, grid->width - 1);
        for (; at <= last && astar_any_bit(nonuniform, at, row, last - at + 1); at++)
            if (astar_bits_get(nonuniform, at, row) &&
                astar_finder_cell_cost(finder, astar_cell(grid, at, row)) < cost)
                return true;
    }
    return false;
}

// Returns true if cheaper cells are so far from both ends of a plain route that no route over them
// costs less. 'cost' is the cost of each cell of the plain route.
static bool is_far_from_cheaper(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                                const AstarBentWay *view, double cost)
{
    bool has_diagonals = finder->rule->has_diagonals;
    double straight = astar_finder_round(finder, cost);
    double first = has_diagonals ? astar_finder_round(finder, cost * finder->options.diagonal_cost)
                                 : straight;
    double all = view->first * first + view->then * straight;
    if (all > 2 * FARTHEST * straight)
        return false;
    int steps = (int)(all / (2 * straight));
    if ((2 * steps + 1) * straight < all) // the last step towards a cheaper cell is cheaper, too
        steps++;
    return !is_cheaper_around(finder, sx, sy, steps, cost) &&
           !is_cheaper_around(finder, gx, gy, steps, cost);
}

bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy, AstarBentWay *view)
{
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    const AstarBits *rows = &finder->on.walkable->bits;
    const AstarJumpBitmaps *jump = astar_get(&nonuniform->jumps[finder->options.diagonals]);
    bool has_diagonals = finder->rule->has_diagonals;
    if (finder->original != NULL || astar_grid_has_links(finder->grid) ||
        !astar_bits_get(rows, sx, sy))
        return false;
    *view = astar_bent_way(has_diagonals, sx, sy, gx, gy);
    bool is_plain = has_diagonals ? is_plain_diagonal(jump, sx, sy, view)
                                  : is_plain_leg(rows, &nonuniform->bits, sy, sx, gx);
    if (view->turn_x == gx)
        is_plain = is_plain &&
                   is_plain_leg(&jump->columns, &nonuniform->columns, gx, view->turn_y, gy);
    else
        is_plain = is_plain && is_plain_leg(rows, &nonuniform->bits, gy, view->turn_x, gx);
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, sx, sy));
    return is_plain &&
           (cost == finder->min_cost || is_far_from_cheaper(finder, sx, sy, gx, gy, view, cost));
}

// Returns the cost of 'cells' cells, added up one by one. The rounding is then the same as for a
// path that a search has found.
static double add_up(double cost, int cells)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += cost;
    return sum;
}

AstarStatus astar_answer_in_view(AstarFindCall *asked)
{
    const AstarFinder *finder = asked->finder;
    AstarPath *path = asked->path;
    AstarBentWay view;
    if (!astar_plain_view(finder, asked->sx, asked->sy, asked->gx, asked->gy, &view) ||
        astar_path_renew(path, 3, asked->allocator) != ASTAR_OK)
        return ASTAR_RUNNING;
    astar_put_leg(path, asked->sx, asked->sy, 1);
    astar_put_leg(path, view.turn_x, view.turn_y, view.first);
    astar_put_leg(path, asked->gx, asked->gy, view.then);
    int diagonal = finder->rule->has_diagonals ? view.first : 0;
    int straight = view.first + view.then - diagonal;
    AstarStatus status = astar_call_describe(asked, ASTAR_JPSW, path->count > 1, straight,
                                             diagonal);
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, asked->sx, asked->sy));
    path->cost = add_up(cost, straight) + add_up(cost, diagonal) * finder->options.diagonal_cost;
    return status;
}

// ------------------------------------------------------------------------------------------------
// The shortcut for the direct route: a diagonal leg and a straight one, on terrain of one cost.
//
// Many queries in games are for a goal to which the direct route is free. Jump point search answers
// these by one expansion. But checking components, taking a search, adding the start and reading
// the route back takes ten times as long as checking the two legs. Therefore a query in one call
// checks the legs first. If both legs are free, the direct route is exactly the route that a search
// would return.
// ------------------------------------------------------------------------------------------------

// Returns true if 'steps' diagonal steps can be made from a free cell.
static bool is_free_diagonally(const AstarJumpBits *runs, AstarDiagonal diagonal, int x, int y,
                               int steps)
{
    const bool eastward = astar_diagonal_dx(diagonal) > 0;
    const ptrdiff_t strip = (ptrdiff_t)runs->strip * astar_diagonal_dx(diagonal) +
                            ASTAR_STRIP * astar_diagonal_dy(diagonal);
    const uint64_t *word = astar_diagonal_word(runs, (int)diagonal, x, y);
    int column = x & (ASTAR_STRIP - 1); // number of columns of the strip that lie behind
    column = eastward ? column : ASTAR_STRIP - 1 - column;
    for (int made = 0; made < steps; made += ASTAR_STRIP - column, word += strip, column = 0) {
        unsigned ends = (unsigned)(*word >> ASTAR_ENDS * ASTAR_STRIP) & 0xFFFF;
        ends = eastward ? ends >> column : ends << column & 0xFFFF;
        if (ends != 0) {
            int most = eastward ? astar_lowest_bit(ends)
                                : ASTAR_STRIP - 1 - astar_highest_bit(ends);
            return made + most >= steps;
        }
    }
    return true;
}

// Returns true if 'steps' straight steps can be made from a free cell. Cells with forced
// neighbours, at which a jump would stop, do not end the walk.
static bool is_free_straight(const AstarJumpBits *runs, AstarStraight direction, int x, int y,
                             int steps)
{
    const bool turned = astar_is_turned((int)direction), upward = astar_is_upward((int)direction);
    const AstarTiles *stops = &runs->stops[direction];
    int row = turned ? x : y, at = turned ? y : x, goal = upward ? at + steps : at - steps;
    while (at != goal) {
        at = upward ? astar_tiles_from(stops, row, at + 1) : astar_tiles_until(stops, row, at - 1);
        if (upward ? at > goal : at < goal)
            return true;
        if (!astar_is_free_at(runs, turned ? row : at, turned ? at : row))
            return false;
    }
    return true;
}

ASTAR_HOT bool astar_direct_way(const AstarJumpBits *runs, int x, int y, int goal_x, int goal_y,
                                AstarBentWay *way)
{
    int dx = goal_x - x, dy = goal_y - y;
    AstarDiagonal diagonal = dy < 0   ? dx < 0 ? ASTAR_NORTH_WEST : ASTAR_NORTH_EAST
                             : dx < 0 ? ASTAR_SOUTH_WEST
                                      : ASTAR_SOUTH_EAST;
    *way = astar_bent_way(true, x, y, goal_x, goal_y);
    AstarStraight direction = way->turn_x != goal_x ? dx < 0 ? ASTAR_WEST : ASTAR_EAST
                              : dy < 0              ? ASTAR_NORTH
                                                    : ASTAR_SOUTH;
    return astar_is_free_at(runs, x, y) && is_free_diagonally(runs, diagonal, x, y, way->first) &&
           is_free_straight(runs, direction, way->turn_x, way->turn_y, way->then);
}

ASTAR_HOT AstarStatus astar_answer_directly(AstarFindCall *asked)
{
    const AstarFinder *finder = asked->finder;
    const AstarJumpBitmaps *jump = finder->plan.jump;
    int sx = asked->sx, sy = asked->sy, gx = asked->gx, gy = asked->gy;
    AstarPath *path = asked->path;
    AstarBentWay way;
    asked->is_unseen = !astar_direct_way(&jump->runs, sx + 1, sy + 1, gx + 1, gy + 1, &way);
    if (asked->is_unseen ||
        !astar_whole_is_exact(finder, (uint64_t)way.first * finder->whole.diagonal +
                                          (uint64_t)way.then * finder->whole.straight) ||
        astar_path_renew(path, 3, asked->allocator) != ASTAR_OK)
        return ASTAR_RUNNING;
    astar_put_leg(path, sx, sy, 1);
    astar_put_leg(path, way.turn_x - 1, way.turn_y - 1, way.first);
    astar_put_leg(path, gx, gy, way.then);
    bool moves = path->count > 1; // then a search would have expanded the start only
    return astar_call_describe(asked, ASTAR_JPS, moves, way.then, way.first);
}

// ------------------------------------------------------------------------------------------------
// Plain searches in one call, for queries that want a route and nothing else: by jump point search
// on terrain of one cost, and by JPSW or A* on terrain of several costs.
//
// Starting a search in the general way reads as much memory and runs as many instructions as a
// short search, and with a cold cache even more memory. The general start handles all kinds of
// queries, chooses an algorithm and stores the data that the search needs if the map is edited
// between two steps. A plain search skips this.
// ------------------------------------------------------------------------------------------------

enum {
    NEARBY = 32,       // columns or rows from which on a goal is far, and takes more expansions
    FEW_EXPANSIONS = 4 // maximum expansions before the components are checked
};

// Stores in a search those fields of a query that jump point search reads.
static void note_plain_query(AstarSearch *search, const AstarFindCall *asked)
{
    search->query = *asked->query;
    search->start_x = asked->sx;
    search->start_y = asked->sy;
    search->start = astar_cell(search->grid, asked->sx, asked->sy);
    search->goal = astar_goal_at(search->grid, asked->gx, asked->gy, 0, ASTAR_ONE_CELL);
    search->limit = INFINITY;
    search->expanded = 0;
    search->failure = ASTAR_UNREACHABLE;
}

// Reads back the path of a search that has found the goal.
static AstarStatus trace_plainly(const AstarFindCall *asked, AstarSearch *search)
{
    AstarPath *found = &search->parts[0]; // the number of points is known only after the trace
    double straight = 0, diagonal = 0;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = astar_jps_trace(search, found, &straight, &diagonal);
    if (status == ASTAR_OK)
        status = astar_path_assign(found, asked->path);
    return status == ASTAR_OK
               ? astar_call_describe(asked, ASTAR_JPS, search->expanded, straight, diagonal)
               : status;
}

// Returns true if start and goal are free, according to the bitmaps for jumps.
static bool has_free_ends(const AstarFindCall *asked, const AstarJumpBits *runs)
{
    unsigned free = astar_around(runs, asked->sx + 1, asked->sy + 1) &
                    astar_around(runs, asked->gx + 1, asked->gy + 1);
    return astar_is_free_by(free, 0, 0) != 0;
}

// Runs a jump point search. If it is not known yet whether the goal is connected, a few expansions
// are made first. These expansions find most near goals in less time than a check of the components
// takes.
static AstarStatus jump_plainly(const AstarFindCall *asked, AstarSearch *search, bool is_connected)
{
    const AstarJumpBitmaps *jump = asked->finder->plan.jump;
    note_plain_query(search, asked);
    AstarStatus status = astar_jps_begin_on_bitmaps(
        search, asked->is_unseen ? ASTAR_ARRIVED_UNSEEN : ASTAR_ARRIVED_NOWHERE);
    if (status == ASTAR_OK && !is_connected) {
        status = astar_run_jps_by(search, jump, FEW_EXPANSIONS);
        if (status != ASTAR_RUNNING)
            return status == ASTAR_OK ? trace_plainly(asked, search) : status;
        status = astar_call_components(asked);
    }
    if (status == ASTAR_OK)
        status = astar_run_jps_by(search, jump, UINT64_MAX);
    return status == ASTAR_OK ? trace_plainly(asked, search) : status;
}

// Converts the status of a plain search to the status that the shortcut returns. Unless the status
// answers the query, the shortcut returns ASTAR_RUNNING, so that a search is started.
static AstarStatus judge_plainly(const AstarFindCall *asked, AstarStatus status)
{
    bool is_known = status == ASTAR_OK || status == ASTAR_NO_MEMORY ||
                    (status == ASTAR_UNREACHABLE && !asked->query->partial);
    return is_known ? status : ASTAR_RUNNING;
}

ASTAR_HOT AstarStatus astar_answer_by_jumps(AstarFindCall *asked)
{
    bool is_far = abs(asked->gx - asked->sx) >= NEARBY || abs(asked->gy - asked->sy) >= NEARBY;
    if (!has_free_ends(asked, &asked->finder->plan.jump->runs))
        return ASTAR_RUNNING;
    AstarStatus status = is_far ? astar_call_components(asked) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    AstarSearch *search = astar_workspace_borrow(asked->workspace, asked->finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    status = jump_plainly(asked, search, is_far);
    astar_workspace_give_back(asked->workspace, search);
    return judge_plainly(asked, status);
}

// Runs a search whose goal is known to be connected. With ASTAR_AUTO the search chooses its
// algorithm.
static AstarStatus search_connected(const AstarFindCall *asked, AstarSearch *search,
                                    AstarAlgorithm algorithm)
{
    AstarStatus status = astar_search_begin_connected(search, asked->sx, asked->sy, asked->gx,
                                                      asked->gy, asked->query, algorithm);
    search->costs.context = NULL;
    if (status == ASTAR_RUNNING)
        status = search->status = astar_search_run(search, UINT64_MAX);
    if (status == ASTAR_OK)
        status = astar_search_trace(search, asked->path);
    astar_nodes_rest(&search->core.nodes, &search->allocator);
    astar_lifo_rest(&search->core.open, &search->allocator);
    return status;
}

// Answers a query by a search if start and goal are free and connected.
static AstarStatus answer_by(AstarFindCall *asked, AstarAlgorithm algorithm)
{
    const AstarBits *bits = &asked->finder->on.walkable->bits;
    if (!astar_bits_get(bits, asked->sx, asked->sy) || !astar_bits_get(bits, asked->gx, asked->gy))
        return ASTAR_RUNNING;
    AstarStatus status = astar_call_components(asked);
    AstarSearch *search = status == ASTAR_OK
                              ? astar_workspace_borrow(asked->workspace, asked->finder)
                              : NULL;
    if (search == NULL)
        return status == ASTAR_UNREACHABLE ? status : ASTAR_RUNNING;
    status = search_connected(asked, search, algorithm);
    astar_workspace_give_back(asked->workspace, search);
    return judge_plainly(asked, status);
}

AstarStatus astar_answer_over_costs(AstarFindCall *asked)
{
    return answer_by(asked, ASTAR_AUTO);
}

// Answers a query without diagonal steps on terrain of one cost, if the route along a column and
// then along a row is free. A* would expand the cells of that route and no others: it tries a step
// along a column first, see best_first.c, and each step of the route leads nearer to the goal.
static AstarStatus answer_by_bent_way(const AstarFindCall *asked)
{
    const AstarFinder *finder = asked->finder;
    const AstarBits *free = &finder->on.walkable->bits;
    const int columns = abs(asked->gx - asked->sx), rows = abs(asked->gy - asked->sy);
    const int first = asked->sx < asked->gx ? asked->sx : asked->gx;
    for (int y = asked->sy; y != asked->gy; y += y < asked->gy ? 1 : -1)
        if (!astar_bits_get(free, asked->sx, y))
            return ASTAR_RUNNING;
    if (astar_bits_count(free, first, asked->gy, columns + 1) != (uint32_t)columns + 1 ||
        astar_path_renew(asked->path, 3, asked->allocator) != ASTAR_OK)
        return ASTAR_RUNNING;
    astar_put_leg(asked->path, asked->sx, asked->sy, 1);
    astar_put_leg(asked->path, asked->sx, asked->gy, rows);
    astar_put_leg(asked->path, asked->gx, asked->gy, columns);
    AstarStatus status = astar_call_describe(asked, ASTAR_ASTAR, (uint64_t)(columns + rows),
                                             columns + rows, 0);
    asked->path->cost = add_up(finder->min_cost, columns + rows);
    return status;
}

AstarStatus astar_answer_by_steps(AstarFindCall *asked)
{
    AstarFinder *finder = asked->finder;
    if (!astar_steps_pay(finder, asked->gx - asked->sx, asked->gy - asked->sy))
        return ASTAR_RUNNING;
    bool has_four = finder->grid->shape->has_corners && !finder->rule->has_diagonals &&
                    asked->query->weight == 1;
    AstarStatus status = has_four ? answer_by_bent_way(asked) : ASTAR_RUNNING;
    return status == ASTAR_RUNNING ? answer_by(asked, ASTAR_ASTAR) : status;
}

// ------------------------------------------------------------------------------------------------
// Choice of the shortcuts for a query in one call.
//
// Most queries in games want a route and nothing else, and the map was not edited since the last
// query. The properties of the finder and the map that decide which shortcuts apply are computed
// once per version and stored as the finder's plan. A query then tries the shortcuts of the plan in
// order. A shortcut returns exactly the answer of a search. If no shortcut answers the query, a
// search is started.
// ------------------------------------------------------------------------------------------------

// Properties of a finder and its map, as bits of a set.
enum {
    HAS_BAKED = 1,             // baked data
    HAS_JUMPS = 2,             // up-to-date bitmaps for jumps on terrain of one cost
    HAS_DIAGONALS = 4,         // diagonal steps
    HAS_NO_LANDMARKS = 8,      // no landmarks
    HAS_NONUNIFORM_JUMPS = 16, // up-to-date bitmaps for JPSW, on a map where it may beat A*
    HAS_NO_LINKS_OR_WALLS = 32
};

// The shortcuts, in the order in which they are tried.
static const struct Shortcut {
    AstarStatus (*answer)(AstarFindCall *asked);
    AstarAlgorithm
        by;         // algorithm with the same answers, which must honour all that the query wants
    unsigned needs; // properties that the shortcut needs
} shortcut_list[] = {
    {astar_answer_directly, ASTAR_JPS, HAS_JUMPS | HAS_DIAGONALS},           // direct route
    {ASTAR_HAS_BAKING ? astar_answer_by_baked : NULL, ASTAR_JPS, HAS_BAKED}, // baked data
    {astar_answer_by_steps, ASTAR_JPS, HAS_NO_LANDMARKS},                    // A*, if it is faster
    {astar_answer_by_jumps, ASTAR_JPS, HAS_JUMPS | HAS_NO_LANDMARKS},        // jump point search
    {astar_answer_in_view, ASTAR_JPSW, HAS_NONUNIFORM_JUMPS},                // plain route
    {astar_answer_over_costs, ASTAR_JPSW, HAS_NO_LINKS_OR_WALLS},            // JPSW or A*
};

// Returns true if a query wants a route and nothing else, and the jump point search 'by' honours
// all its options.
static bool is_plain_query(const AstarFinder *finder, const AstarQueryOptions *q, AstarAlgorithm by)
{
    const AstarOptions *options = &finder->options;
    bool jumps = options->algorithm == ASTAR_AUTO || options->algorithm == by;
    bool is_nearest = by == ASTAR_JPSW && q->partial && // walls make components uncertain
                      astar_grid_has_walls(finder->grid);
    return jumps && !is_nearest && astar_query_is_plain(options, q) &&
           (q == &finder->query || astar_finder_refusal(finder, q) == NULL) &&
           astar_honours(by, astar_finder_needs(finder) | astar_needs_of_query(q));
}

// Returns the algorithm for a query that wants a route and nothing else, ASTAR_AUTO for any other
// query.
static AstarAlgorithm algorithm_for(const AstarFinder *finder, const AstarQueryOptions *query)
{
    if (is_plain_query(finder, query, ASTAR_JPS))
        return ASTAR_JPS;
    return is_plain_query(finder, query, ASTAR_JPSW) ? ASTAR_JPSW : ASTAR_AUTO;
}

// Returns the shortcuts that may answer in place of an algorithm and whose needs are met by the
// properties 'has'.
static uint8_t ways_by(AstarAlgorithm algorithm, unsigned has)
{
    unsigned found = 0;
    for (unsigned i = 0; i < sizeof shortcut_list / sizeof *shortcut_list; i++)
        found |=
            (unsigned)(shortcut_list[i].by == algorithm && (shortcut_list[i].needs & ~has) == 0)
            << i;
    return (uint8_t)found;
}

// Returns the sum of the versions of all data that a plan depends on. The plan is up to date as
// long as the sum is unchanged, because each version only grows. If the field to avoid is made of
// others, their changes are taken first.
static inline uint64_t plan_version(const AstarFinder *finder)
{
    const AstarField *field = finder->plan.field;
    if (field != NULL && finder->avoided.sum != NULL)
        astar_field_sum_sync(finder->avoided.sum);
    return 1 + finder->grid->version + (field != NULL ? field->version : 0) + finder->bakings +
           astar_get(&finder->grid->home->bakings);
}

// Stores in the plan the layers that are up to date.
static void look_at_layers(AstarFinder *finder)
{
    AstarQueryPlan *plan = &finder->plan;
    const AstarWalkable *walkable = finder->on.walkable;
    const AstarOptions *options = &finder->options;
    const AstarJumpBitmaps *jump = astar_get(&walkable->jumps[options->diagonals]);
    const AstarComponents *components = astar_get(
        &walkable->components[finder->rule->joins_corners]);
    plan->jump = astar_jump_is_current(jump) ? jump : NULL;
    plan->components = components != NULL && !astar_get(&components->stale) ? components : NULL;
    plan->baked = NULL;
    if (ASTAR_HAS_BAKING && options->algorithm == ASTAR_AUTO)
        plan->baked = astar_baked_map_of(walkable, options->diagonals, finder->whole.straight,
                                         finder->whole.diagonal);
    unsigned has = plan->baked != NULL ? HAS_BAKED : 0;
    has |= plan->jump != NULL ? HAS_JUMPS : 0;
    has |= finder->rule->has_diagonals ? HAS_DIAGONALS : 0;
    has |= finder->on.landmarks == NULL ? HAS_NO_LANDMARKS : 0;
    has |= astar_grid_has_links_or_walls(finder->grid) ? 0 : HAS_NO_LINKS_OR_WALLS;
    plan->has = (uint8_t)has;
}

// Stores in the plan whether bitmaps for JPSW are up to date. Returns true if the plan is complete
// in this respect: the bitmaps are up to date, or JPSW would not be faster than A*.
static bool look_at_nonuniform(AstarFinder *finder)
{
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    bool is_known = nonuniform != NULL && astar_nonuniform_is_current(nonuniform);
    if (finder->options.algorithm != ASTAR_JPSW &&
        (astar_finder_avoids_rough_field(finder) || (is_known && !astar_jpsw_may_pay(finder))))
        return true;
    bool has_jumps = is_known && astar_jump_is_current(
                                     astar_get(&nonuniform->jumps[finder->options.diagonals]));
    if (has_jumps)
        finder->plan.has |= HAS_NONUNIFORM_JUMPS;
    return has_jumps;
}

// Makes the plan of a finder for the present map. Returns false if the finder is not up to date. If
// layers are still missing, the plan's version is set to 0, so that the next query makes it again.
static bool make_plan(AstarFinder *finder)
{
    AstarQueryPlan *plan = &finder->plan;
    if (!astar_finder_is_current(finder))
        return false;
    plan->field = finder->options.avoid;
    plan->best_at = astar_finder_version(finder) + 1;
    plan->offset = (uint8_t)finder->grid->shape->offset;
    look_at_layers(finder);
    AstarAlgorithm by = algorithm_for(finder, &finder->query);
    bool steps_pay = by == ASTAR_JPS && plan->jump == NULL && astar_steps_pay(finder, INT_MAX, 0);
    bool is_whole = by == ASTAR_JPS ? plan->jump != NULL || steps_pay
                                    : by != ASTAR_JPSW || look_at_nonuniform(finder);
    plan->ways = ways_by(by, plan->has);
    plan->version = is_whole ? plan_version(finder) : 0;
    return true;
}

ASTAR_HOT AstarStatus astar_try_shortcuts(AstarFindCall *asked)
{
    AstarFinder *finder = asked->finder;
    const AstarQueryPlan *plan = &finder->plan;
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, asked->sx, asked->sy) || !astar_inside(grid, asked->gx, asked->gy) ||
        ((plan->version != plan_version(finder) || finder->home != grid->home) &&
         !make_plan(finder)))
        return ASTAR_RUNNING;
    unsigned left = plan->ways;
    if (asked->query == NULL)
        asked->query = &finder->query;
    else
        left = ways_by(algorithm_for(finder, asked->query), plan->has);
    AstarStatus status = ASTAR_RUNNING;
    for (; left != 0 && status == ASTAR_RUNNING; left &= left - 1)
        status = shortcut_list[astar_lowest_bit(left)].answer(asked);
    return status;
}

AstarStatus astar_answer_in_sight(AstarFindCall *asked)
{
    AstarFinder *finder = asked->finder;
    int64_t work = ASTAR_ALL_WORK;
    if (!finder->rule->has_diagonals || algorithm_for(finder, asked->query) != ASTAR_JPS)
        return ASTAR_RUNNING;
    AstarStatus status = astar_search_build_for(finder, ASTAR_JPS, &work);
    if (status != ASTAR_OK)
        return status;
    bool is_known = make_plan(finder) && finder->plan.jump != NULL;
    return is_known ? astar_answer_directly(asked) : ASTAR_RUNNING;
}

// ------------------------------------------------------------------------------------------------
// Queries in one call.
// ------------------------------------------------------------------------------------------------

AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                             int gy, const AstarQueryOptions *query, AstarSearch **out)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take_unbuilt(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_begin_in_steps(search, sx, sy, gx, gy, query, ASTAR_EXPANSIONS_AT_ONCE);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_CELL) {
        astar_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

// Ends a query: stores the path if the search has found one, and frees the search.
static AstarStatus end_find(AstarSearch *search, AstarStatus status, AstarPath *path)
{
    if (status == ASTAR_OK)
        status = astar_search_way(search, path);
    astar_search_free(search);
    return status;
}

ASTAR_HOT AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQueryOptions *query,
                                      void *context, AstarPath *path)
{
    AstarSearch *search;
    const AstarAllocator *allocator = astar_workspace_allocator(workspace);
    AstarFindCall asked = {finder, workspace, sx, sy, gx, gy, query, allocator, path, false};
    AstarStatus status = astar_try_shortcuts(&asked);
    if (status != ASTAR_RUNNING)
        return status;
    status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_begin(search, sx, sy, gx, gy, query);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, context);
    return end_find(search, status, path);
}

AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                               const AstarCell *goals, size_t count, const AstarQueryOptions *query,
                               void *context, AstarPath *path, size_t *index)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_nearest(search, sx, sy, goals, count, query, context, index);
    return end_find(search, status, path);
}

AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                             AstarGoalTest test, const AstarQueryOptions *query, void *context,
                             AstarPath *path)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_where(search, sx, sy, test, query, context);
    return end_find(search, status, path);
}

AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                            int gy, void *context, bool *reachable)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_reachable(search, sx, sy, gx, gy, context, reachable);
    astar_search_free(search);
    return status;
}

AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                          int y1, void *context, bool *stopped, int *x, int *y)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_raycast(search, x0, y0, x1, y1, context, stopped, x, y);
    astar_search_free(search);
    return status;
}

AstarStatus astar_sweep(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                        int y1, void *context, bool *stopped, int *x, int *y)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_sweep(search, x0, y0, x1, y1, context, stopped, x, y);
    astar_search_free(search);
    return status;
}

// Prepares a search for a query about an existing path. Returns ASTAR_BAD_CELL if the path does not
// lie inside the grid.
static AstarStatus attend_to_path(AstarSearch *search, const AstarPath *path, void *context)
{
    const AstarGrid *grid = search->grid;
    bool has_goal = path->goal_x != -1 || path->goal_y != -1;
    if (has_goal && !astar_inside(grid, path->goal_x, path->goal_y))
        return ASTAR_BAD_CELL;
    for (int i = 0; i < path->count; i++)
        if (!astar_inside(grid, path->points[i].x, path->points[i].y))
            return ASTAR_BAD_CELL;
    search->costs.context = context;
    return ASTAR_OK;
}

// Prepares a search for a query about the rest of a path from cell number 'from' on. Returns
// ASTAR_BAD_OPTION if the path has no such cell.
static AstarStatus attend_from(AstarSearch *search, const AstarPath *path, int from, void *context)
{
    if (from < 0 || from >= path->cells)
        return ASTAR_BAD_OPTION;
    return attend_to_path(search, path, context);
}

AstarStatus astar_search_check(AstarSearch *search, const AstarPath *path, int from, void *context,
                               int *bad)
{
    AstarStatus status = attend_to_path(search, path, context);
    double cost;
    return status == ASTAR_OK ? astar_walk_from(search, path, from, &cost, bad) : status;
}

AstarStatus astar_search_check_step(AstarSearch *search, const AstarPath *path, int index,
                                    bool back, void *context, bool *may_go)
{
    search->costs.context = context;
    return astar_walk_one_step(search, path, index, back, may_go);
}

AstarStatus astar_search_walk(AstarSearch *search, const AstarPath *path, int from, int to,
                              double most, void *context, int *reached, double *cost, int *bad)
{
    if (from < 0 || to < from || to >= path->cells || !(most >= 0))
        return ASTAR_BAD_OPTION;
    AstarStatus status = attend_to_path(search, path, context);
    return status == ASTAR_OK ? astar_walk_within(search, path, from, to, most, reached, cost, bad)
                              : status;
}

static AstarStatus rework_path(AstarSearch *search, AstarRework function, const AstarPath *path,
                               void *context, AstarPath *out)
{
    AstarStatus status = attend_to_path(search, path, context);
    return status == ASTAR_OK ? function(search, path, out) : status;
}

AstarStatus astar_search_reverse(AstarSearch *search, const AstarPath *path, void *context,
                                 AstarPath *out)
{
    return rework_path(search, astar_walk_back, path, context, out);
}

AstarStatus astar_search_smooth(AstarSearch *search, const AstarPath *path, void *context,
                                AstarPath *out)
{
    return rework_path(search, astar_smooth, path, context, out);
}

AstarStatus astar_search_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                                void *context, AstarPath *out)
{
    AstarStatus status = attend_from(search, path, from, context);
    return status == ASTAR_OK ? astar_repair(search, path, from, optimal, out) : status;
}

AstarStatus astar_search_retarget(AstarSearch *search, const AstarPath *path, int from,
                                  AstarCell goal, double bound, void *context, AstarPath *out)
{
    if (!(bound >= 1))
        return ASTAR_BAD_OPTION;
    if (!astar_inside(search->grid, goal.x, goal.y))
        return ASTAR_BAD_CELL;
    AstarStatus status = attend_from(search, path, from, context);
    return status == ASTAR_OK ? astar_retarget(search, path, from, goal, bound, out) : status;
}

AstarStatus astar_search_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                         bool optimal, uint64_t at_once)
{
    AstarStatus status = attend_from(search, path, from, NULL);
    return status == ASTAR_OK ? astar_repair_in_steps(search, path, from, optimal, at_once)
                              : (search->status = status);
}
