// corner_rules.c -- which steps a corner rule allows past thin walls.
//
// A diagonal step has two ways around, each past one of the cells beside it by two straight steps.
// A wall across either of those closes that way, and counts as an obstacle there. Where the rule
// does not mind obstacles, a wall on one way does not matter, but walls that close both do: else a
// unit would slip diagonally through a wall without a gap.

#include "rules/corner_rules.h"

#include "base/bits.h"
#include "map/links_and_walls.h"

// Whether the straight step to the neighbour in a direction is barred; backward, the one from
// there.
static bool bars_step(const AstarGrid *grid, int x, int y, int direction, bool backward)
{
    return backward ? astar_edges_bar(grid, x + astar_dx[direction], y + astar_dy[direction],
                                      (direction + 4) & 7)
                    : astar_edges_bar(grid, x, y, direction);
}

unsigned astar_sides_closed_by_walls(const AstarGrid *grid, int x, int y, int direction,
                                     bool backward)
{
    int left = (direction + 7) & 7, right = (direction + 1) & 7;
    bool left_closed = bars_step(grid, x, y, left, backward) ||
                       bars_step(grid, x + astar_dx[left], y + astar_dy[left], right, backward);
    bool right_closed = bars_step(grid, x, y, right, backward) ||
                        bars_step(grid, x + astar_dx[right], y + astar_dy[right], left, backward);
    return (unsigned)left_closed << left | (unsigned)right_closed << right;
}

// Whether a diagonal step can be made past what walls close beside it.
static bool is_legal_diagonal(AstarDiagonals rule, unsigned free, int direction, unsigned closed)
{
    if (rule == ASTAR_ALWAYS)
        return (closed & (closed - 1)) == 0; // not both
    return (astar_legal_moves(rule, free & ~closed) >> direction & 1) != 0;
}

unsigned astar_legal_moves_past_walls(const AstarGrid *grid, AstarDiagonals rule, int x, int y,
                                      unsigned free, bool backward)
{
    unsigned legal = astar_legal_moves(rule, free);
    for (unsigned rest = legal; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        bool fine = d & 1 ? is_legal_diagonal(rule, free, d,
                                              astar_sides_closed_by_walls(grid, x, y, d, backward))
                          : !bars_step(grid, x, y, d, backward);
        if (!fine)
            legal &= ~(1u << d);
    }
    return legal;
}
