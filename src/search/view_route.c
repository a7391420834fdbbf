// view_route.c -- the route to a goal in plain view where some cells are irregular, see
// plain_view.c: in one call, without a search. The answer is that of JPSW, to the bit.

#include "search/asked.h"
#include "search/jpsw.h"
#include "search/plain_view.h"

// Whether JPSW may be what answers a question that it can honour.
static bool may_jump_over_costs(AstarFinder *finder)
{
    return finder->options.algorithm == ASTAR_JPSW ||
           (!astar_finder_avoids_rough_field(finder) && astar_jpsw_may_pay(finder));
}

static bool has_current_jumps(const AstarFinder *finder)
{
    const AstarIrregular *irregular = finder->irregular;
    return irregular != NULL && astar_irregular_is_current(irregular) &&
           astar_jump_is_current(astar_get(&irregular->jumps[finder->options.diagonals]));
}

// What so many cells cost, added up as along any other path over irregular ground.
static double add_up(double cost, int cells)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += cost;
    return sum;
}

AstarStatus astar_answer_in_view(const AstarAsked *asked)
{
    AstarFinder *finder = asked->finder;
    AstarPath *path = asked->path;
    AstarPlainView view;
    if (!has_current_jumps(finder) ||
        !astar_plain_view(finder, asked->sx, asked->sy, asked->gx, asked->gy, &view) ||
        !may_jump_over_costs(finder) || astar_path_renew(path, 3, asked->allocator) != ASTAR_OK)
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
