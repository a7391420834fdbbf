// plain_view.c -- a goal in plain view where some cells are irregular.
//
// A few odd cells on open ground are seen from everywhere, so that the first expansion of JPSW
// finds hundreds of nodes; yet most goals of a game are near, with nothing odd before them. The way
// that goes diagonally, then straight, over cells that are all regular costs the same at each step.
// Where no ground is cheaper and no link leads elsewhere, no way is. Nor is one where cheaper cells
// are far: a way's steps before the first of them, and after the last, alone cost as much then.
//
// Then the plain way is the answer, as it is over uniform ground (see direct_route.c), and JPSW
// opens no node but the goal. A question in one call needs no search to find that out: its answer
// is that of the search, to the bit.

#include "search/jps.h"

#include "map/links_and_walls.h"
#include "search/asked.h"

#include <stdlib.h>

enum { FARTHEST = 32 }; // cells to each side: to look over more takes as long as to search

// ---- the way ----

// Whether a unit can go along a row of bits, and all its cells but the last are regular. A step
// from or to such a cell costs what that does, and no wall is near.
static bool is_plain_leg(const AstarBits *free, const AstarBits *irregular, int row, int from,
                         int to)
{
    int steps = abs(to - from), first = from < to ? from : to;
    if (steps == 0)
        return true;
    return astar_bits_count(free, first, row, steps + 1) == (uint32_t)steps + 1 &&
           !astar_any_bit(irregular, from < to ? first : first + 1, row, steps);
}

// The same of a first leg that is diagonal: its runs end at irregular cells, be it where they
// begin.
static bool is_plain_slant(const AstarJumpBitmaps *jump, int sx, int sy, const AstarBentWay *view)
{
    AstarBentWay way;
    return view->first == 0 ||
           astar_direct_way(&jump->runs, sx + 1, sy + 1, view->turn_x + 1, view->turn_y + 1, &way);
}

// ---- whether it is the best ----

// Whether a cell is cheaper than that, of those that so few steps lead to from one, whatever is in
// their way: the first one on a way is irregular, for it is entered from one that is not.
static bool is_cheaper_around(const AstarFinder *finder, int x, int y, int steps, double cost)
{
    const AstarGrid *grid = finder->grid;
    const AstarBits *irregular = &finder->on.irregular->bits;
    int last_row = astar_lesser(y + steps, grid->height - 1);
    for (int row = astar_greater(y - steps, 0); row <= last_row; row++) {
        int columns = finder->rule->has_diagonals ? steps : steps - abs(row - y);
        int at = astar_greater(x - columns, 0), last = astar_lesser(x + columns, grid->width - 1);
        for (; at <= last && astar_any_bit(irregular, at, row, last - at + 1); at++)
            if (astar_bits_get(irregular, at, row) &&
                astar_finder_cell_cost(finder, astar_cell(grid, at, row)) < cost)
                return true;
    }
    return false;
}

// Whether cheaper cells are so far from both ends of a plain way, each step of which is over ground
// of that cost, that no way past them costs less.
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
    if ((2 * steps + 1) * straight < all) // of those up to a cheaper cell the last one is cheap
        steps++;
    return !is_cheaper_around(finder, sx, sy, steps, cost) &&
           !is_cheaper_around(finder, gx, gy, steps, cost);
}

bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy, AstarBentWay *view)
{
    const AstarIrregular *irregular = finder->on.irregular;
    const AstarBits *rows = &finder->on.walkable->bits;
    const AstarJumpBitmaps *jump = astar_get(&irregular->jumps[finder->options.diagonals]);
    bool has_diagonals = finder->rule->has_diagonals;
    if (finder->original != NULL || astar_grid_has_links(finder->grid) ||
        !astar_bits_get(rows, sx, sy))
        return false;
    *view = astar_bent_way(has_diagonals, sx, sy, gx, gy);
    bool is_plain = has_diagonals ? is_plain_slant(jump, sx, sy, view)
                                  : is_plain_leg(rows, &irregular->bits, sy, sx, gx);
    if (view->turn_x == gx)
        is_plain = is_plain &&
                   is_plain_leg(&jump->columns, &irregular->columns, gx, view->turn_y, gy);
    else
        is_plain = is_plain && is_plain_leg(rows, &irregular->bits, gy, view->turn_x, gx);
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, sx, sy));
    return is_plain &&
           (cost == finder->min_cost || is_far_from_cheaper(finder, sx, sy, gx, gy, view, cost));
}

// ---- the route ----

// What so many cells cost, added up as along any other path over irregular ground.
static double add_up(double cost, int cells)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += cost;
    return sum;
}

AstarStatus astar_answer_in_view(AstarAsked *asked)
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
    AstarStatus status = astar_asked_describe(asked, ASTAR_JPSW, path->count > 1, straight,
                                              diagonal);
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, asked->sx, asked->sy));
    path->cost = add_up(cost, straight) + add_up(cost, diagonal) * finder->options.diagonal_cost;
    return status;
}
