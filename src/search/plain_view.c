// plain_view.c -- a goal in plain view where some cells are irregular.
//
// A few odd cells on open ground are seen from everywhere, so that the first expansion of JPSW
// finds hundreds of nodes; yet most goals of a game are near, with nothing odd before them. The way
// that goes diagonally, then straight, over cells that are all regular costs the same at each step.
// Where no ground is cheaper and no link leads elsewhere, no way is. Then it is the answer, as it
// is over uniform ground (see direct_route.c), and JPSW opens no node but the goal. A question in
// one call needs no search to find that out: its answer is that of the search, to the bit.

#include "search/plain_view.h"

#include "map/links_and_walls.h"
#include "search/direct_route.h"
#include "search/jpsw.h"

#include <stdlib.h>

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
           astar_bits_count(irregular, from < to ? first : first + 1, row, steps) == 0;
}

// The same of a first leg that is diagonal: its runs end at irregular cells, be it where they
// begin.
static bool is_plain_slant(const AstarJumpBitmaps *jump, int sx, int sy, const AstarPlainView *view)
{
    AstarDirectWay way;
    return view->first == 0 ||
           astar_direct_way(&jump->runs, sx + 1, sy + 1, view->turn_x + 1, view->turn_y + 1, &way);
}

static AstarPlainView view_of(bool has_diagonals, int sx, int sy, int gx, int gy)
{
    int dx = gx - sx, dy = gy - sy, columns = abs(dx), rows = abs(dy);
    int both = columns < rows ? columns : rows;
    if (!has_diagonals)
        return (AstarPlainView){columns, rows, gx, sy};
    return (AstarPlainView){both, columns + rows - 2 * both, dx < 0 ? sx - both : sx + both,
                            dy < 0 ? sy - both : sy + both};
}

bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                      AstarPlainView *view)
{
    const AstarIrregular *irregular = finder->irregular;
    const AstarBits *rows = &finder->walkable->bits;
    const AstarJumpBitmaps *jump = astar_get(&irregular->jumps[finder->options.diagonals]);
    bool has_diagonals = finder->rule->has_diagonals;
    double cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, sx, sy));
    if (finder->plain != NULL || astar_grid_has_links(finder->grid) || cost != finder->min_cost ||
        !astar_bits_get(rows, sx, sy))
        return false;
    *view = view_of(has_diagonals, sx, sy, gx, gy);
    bool is_plain = has_diagonals ? is_plain_slant(jump, sx, sy, view)
                                  : is_plain_leg(rows, &irregular->bits, sy, sx, gx);
    if (view->turn_x == gx)
        return is_plain && is_plain_leg(&jump->columns, &irregular->columns, gx, view->turn_y, gy);
    return is_plain && is_plain_leg(rows, &irregular->bits, gy, view->turn_x, gx);
}

// ---- the question ----

// Whether a question is one for JPSW, and asks for a route alone.
static bool is_for_jpsw(AstarFinder *finder, const AstarQuestion *question)
{
    const AstarOptions *options = &finder->options;
    const AstarQuestion *q = question != NULL ? question : &finder->question;
    bool is_nearest = q->partial && astar_grid_has_walls(finder->grid); // see reachable.c
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(q) |
                       astar_need_if(is_nearest, ASTAR_NEED_NEAREST);
    bool is_chosen = options->algorithm == ASTAR_JPSW && astar_honours(ASTAR_JPSW, needs);
    if (options->algorithm == ASTAR_AUTO)
        is_chosen = astar_auto_algorithm(finder, needs) == ASTAR_JPSW && astar_jpsw_may_pay(finder);
    return is_chosen && !options->any_angle && isinf(q->max_cost) &&
           q->max_expansions == UINT64_MAX && q->bends == ASTAR_BENDS_ANY &&
           (question == NULL || astar_finder_refusal(finder, question) == NULL);
}

static bool has_current_jumps(const AstarFinder *finder)
{
    const AstarIrregular *irregular = finder->irregular;
    if (irregular == NULL || !astar_irregular_is_current(irregular))
        return false;
    const AstarJumpBitmaps *jump = astar_get(&irregular->jumps[finder->options.diagonals]);
    return jump != NULL && !astar_get(&jump->stale);
}

bool astar_plain_view_answers(AstarFinder *finder, int sx, int sy, int gx, int gy,
                              const AstarQuestion *question, AstarPlainView *view)
{
    return has_current_jumps(finder) && astar_plain_view(finder, sx, sy, gx, gy, view) &&
           is_for_jpsw(finder, question);
}
