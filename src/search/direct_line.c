// direct_line.c -- The direct line: the route of two legs from start to goal. If no step of it is
// barred and no other route can cost less, it is the answer of a query, and no search is needed.
//
// Many queries in games are for a near goal with no obstacle between. Checking two legs takes a
// tenth of the time of a search that expands only the start, because a search also compares the
// components of the two ends, adds the start to an open list and reads the route back. A free line
// to the goal proves that the goal is not blocked and can be reached, so this check comes before
// all others.
//
// A function that finds a line stores exactly the path that a search would return.

#include "search/direct_line.h"

#include "layers/jump_turns.h"
#include "layers/jump_words.h"
#include "map/links_and_walls.h"
#include "search/query_plan.h"
#include "search/run.h"

#include <stdlib.h>

// Fills in a path of two legs: 'first' steps from the start to the turning point, then 'then' steps
// to the goal. Returns false if there is no memory for the points of the path.
static bool put_two_legs(const AstarFindCall *call, int turn_x, int turn_y, int first, int then)
{
    if (astar_path_renew(call->path, 3, call->allocator) != ASTAR_OK)
        return false;
    astar_put_leg(call->path, call->sx, call->sy, 1);
    astar_put_leg(call->path, turn_x, turn_y, first);
    astar_put_leg(call->path, call->gx, call->gy, then);
    return true;
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

// ------------------------------------------------------------------------------------------------
// Terrain of one cost, with diagonal steps: a diagonal leg and a straight one.
// ------------------------------------------------------------------------------------------------

// Returns true if 'steps' diagonal steps can be made from a free cell. The bits of a diagonal lie
// in words, each of which covers a strip of 16 columns (jump_bits.h).
static bool is_free_diagonally(const AstarJumpBits *runs, AstarDiagonal diagonal, int x, int y,
                               int steps)
{
    const bool eastward = astar_diagonal_dx(diagonal) > 0;
    const ptrdiff_t strip = (ptrdiff_t)runs->strip * astar_diagonal_dx(diagonal) +
                            ASTAR_STRIP * astar_diagonal_dy(diagonal);
    const uint64_t *word = astar_diagonal_word(runs, (int)diagonal, x, y);
    // Number of columns of the strip that lie behind the cell that the leg has reached.
    int column = x & (ASTAR_STRIP - 1);
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

ASTAR_HOT bool astar_find_line_on_one_cost(const AstarJumpBits *runs, int x, int y, int goal_x,
                                           int goal_y, AstarBentWay *way)
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

// Tries the line on terrain of one cost. The bitmaps for jumps must be up to date.
ASTAR_HOT static bool try_on_one_cost(AstarFindCall *call)
{
    const AstarFinder *finder = call->finder;
    AstarBentWay line;
    call->is_line_barred = !astar_find_line_on_one_cost(
        &finder->plan.jump->runs, call->sx + 1, call->sy + 1, call->gx + 1, call->gy + 1, &line);
    if (call->is_line_barred ||
        !astar_whole_is_exact(finder, (uint64_t)line.first * finder->whole.diagonal +
                                          (uint64_t)line.then * finder->whole.straight) ||
        !put_two_legs(call, line.turn_x - 1, line.turn_y - 1, line.first, line.then))
        return false;
    // A search would have expanded only the start, or no cell if start and goal are one cell. This
    // number becomes path->expanded.
    bool moves = call->path->count > 1;
    astar_call_describe(call, ASTAR_JPS, moves, line.then, line.first);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Terrain of one cost, without diagonal steps: a leg along a column and one along a row.
//
// A* would expand the cells of this line and no others: it tries a step along a column first, see
// best_first.c, and each step of the line leads nearer to the goal. The line is therefore tried
// only if A* would answer the query.
// ------------------------------------------------------------------------------------------------

static bool try_without_diagonals(const AstarFindCall *call)
{
    const AstarBits *free = &call->finder->on.walkable->bits;
    const int columns = abs(call->gx - call->sx), rows = abs(call->gy - call->sy);
    const int first = call->sx < call->gx ? call->sx : call->gx;
    for (int y = call->sy; y != call->gy; y += y < call->gy ? 1 : -1)
        if (!astar_bits_get(free, call->sx, y))
            return false;
    if (astar_bits_count(free, first, call->gy, columns + 1) != (uint32_t)columns + 1 ||
        !put_two_legs(call, call->sx, call->gy, rows, columns))
        return false;
    astar_call_describe(call, ASTAR_ASTAR, (uint64_t)(columns + rows), columns + rows, 0);
    call->path->cost = add_up(call->finder->min_cost, columns + rows);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Terrain of several costs: two legs over cells that are all uniform.
//
// On open terrain, jumps reach the same few non-uniform cells from everywhere, so the first
// expansion of JPSW finds hundreds of nodes. But most goals in games are near, and no non-uniform
// cell lies on the way. The plain route consists of a diagonal leg and a straight leg over
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
// except the last are uniform. A cell near a wall or beside other ground counts as non-uniform
// (nonuniform.c). Therefore no wall bars a step of the leg, and each step enters a cell of the same
// cost as the cell that it leaves.
static bool is_plain_leg(const AstarBits *free, const AstarBits *nonuniform, int row, int from,
                         int to)
{
    int steps = abs(to - from), first = from < to ? from : to;
    if (steps == 0)
        return true;
    return astar_bits_count(free, first, row, steps + 1) == (uint32_t)steps + 1 &&
           !astar_any_bit(nonuniform, from < to ? first : first + 1, row, steps);
}

// Returns true if the diagonal first leg is free and leaves no non-uniform cell. By the bits of
// 'jump', a diagonal jump ends at every non-uniform cell, even at the cell where it starts. A line
// that reaches its end by these bits has therefore left uniform cells only.
static bool is_plain_diagonal(const AstarJumpBitmaps *jump, int sx, int sy,
                              const AstarBentWay *line)
{
    AstarBentWay way;
    return line->first == 0 ||
           astar_find_line_on_one_cost(&jump->runs, sx + 1, sy + 1, line->turn_x + 1,
                                       line->turn_y + 1, &way);
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
                                const AstarBentWay *line, double cost)
{
    bool has_diagonals = finder->rule->has_diagonals;
    double straight = astar_finder_round(finder, cost);
    double first = has_diagonals ? astar_finder_round(finder, cost * finder->options.diagonal_cost)
                                 : straight;
    double all = line->first * first + line->then * straight;
    if (all > 2 * FARTHEST * straight)
        return false;
    int steps = (int)(all / (2 * straight));
    // A route over cheaper cells that are more than 'steps' steps from both ends costs more than
    // 2 * steps + 1 steps. The step into its first cheaper cell costs less than 'straight' and is
    // not counted.
    if ((2 * steps + 1) * straight < all)
        steps++;
    return !is_cheaper_around(finder, sx, sy, steps, cost) &&
           !is_cheaper_around(finder, gx, gy, steps, cost);
}

bool astar_find_line_on_several_costs(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                                      AstarBentWay *line)
{
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    const AstarBits *rows = &finder->on.walkable->bits;
    const AstarJumpBitmaps *jump = astar_get(&nonuniform->jumps[finder->options.diagonals]);
    bool has_diagonals = finder->rule->has_diagonals;
    if (finder->original != NULL || astar_grid_has_links(finder->grid) ||
        !astar_bits_get(rows, sx, sy))
        return false;
    *line = astar_bent_way(has_diagonals, sx, sy, gx, gy);
    bool is_plain = has_diagonals ? is_plain_diagonal(jump, sx, sy, line)
                                  : is_plain_leg(rows, &nonuniform->bits, sy, sx, gx);
    if (line->turn_x == gx)
        is_plain = is_plain &&
                   is_plain_leg(&jump->columns, &nonuniform->columns, gx, line->turn_y, gy);
    else
        is_plain = is_plain && is_plain_leg(rows, &nonuniform->bits, gy, line->turn_x, gx);
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, sx, sy));
    return is_plain &&
           (cost == finder->min_cost || is_far_from_cheaper(finder, sx, sy, gx, gy, line, cost));
}

// Tries the line on terrain of several costs. The non-uniform cells and their bitmaps for jumps
// must be up to date.
static bool try_on_several_costs(const AstarFindCall *call)
{
    const AstarFinder *finder = call->finder;
    AstarBentWay line;
    if (!astar_find_line_on_several_costs(finder, call->sx, call->sy, call->gx, call->gy, &line) ||
        !put_two_legs(call, line.turn_x, line.turn_y, line.first, line.then))
        return false;
    int diagonal = finder->rule->has_diagonals ? line.first : 0;
    int straight = line.first + line.then - diagonal;
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, call->sx, call->sy));
    astar_call_describe(call, ASTAR_JPSW, call->path->count > 1, straight, diagonal);
    call->path->cost = add_up(cost, straight) +
                       add_up(cost, diagonal) * finder->options.diagonal_cost;
    return true;
}

ASTAR_HOT bool astar_try_direct_line(AstarFindCall *call)
{
    const AstarFinder *finder = call->finder;
    const AstarQueryPlan *plan = &finder->plan;
    bool has_diagonals = finder->rule->has_diagonals;
    if (call->algorithm == ASTAR_JPS && has_diagonals)
        return plan->jump != NULL && try_on_one_cost(call);
    if (call->algorithm == ASTAR_JPS) {
        call->prefers_astar = astar_plan_prefers_astar(call);
        return call->prefers_astar && finder->grid->shape->has_corners &&
               call->query->weight == 1 && try_without_diagonals(call);
    }
    return call->algorithm == ASTAR_JPSW && plan->has_nonuniform_jumps &&
           try_on_several_costs(call);
}

AstarStatus astar_find_direct_line(AstarFindCall *call, bool *is_found)
{
    AstarFinder *finder = call->finder;
    int64_t work = ASTAR_ALL_WORK;
    *is_found = false;
    call->algorithm = astar_plan_algorithm(finder, call->query);
    if (!finder->rule->has_diagonals || call->algorithm != ASTAR_JPS)
        return ASTAR_OK;
    AstarStatus status = astar_search_build_for(finder, ASTAR_JPS, &work);
    if (status == ASTAR_OK)
        *is_found = astar_plan_make(finder) && astar_try_direct_line(call);
    return status;
}
