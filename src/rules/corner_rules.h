// corner_rules.h -- Corner rules: which steps are legal beside obstacles. Each rule is an object
// that defines which steps are legal, whether there are diagonal steps, what they connect, and what
// pruning may assume. A new rule needs a name in astar.h and an entry in corner_rules.c.

#ifndef ASTAR_CORNER_RULES_H
#define ASTAR_CORNER_RULES_H

#include "base/directions.h"
#include "base/shape.h"
#include "map/links_and_walls.h"

// Requirements of a corner rule on the two cells beside a diagonal step. Pruning, jumps and lines
// of sight are defined for the first three; for any other rule they assume nothing.
typedef enum AstarCorners {
    ASTAR_CORNERS_ANY, // nothing is required
    // At least one of the two cells beside a diagonal step must be free.
    ASTAR_CORNERS_ONE_FREE,
    // Both cells beside a diagonal step must be free.
    ASTAR_CORNERS_BOTH_FREE,
    // Any other rule.
    ASTAR_CORNERS_OTHER
} AstarCorners;

// A corner rule. Straight steps into free cells are legal under every rule. A diagonal step depends
// on the cell that it enters and on the two cells beside it.
typedef struct AstarCornerRule {
    const char *name; // name as the option spells it
    AstarCorners corners;
    // True if there are steps of two lengths, in the eight directions of squares.
    bool has_diagonals;
    // True if diagonal steps can connect cells that straight steps do not. Each diagonal step is
    // then legal in both directions.
    bool joins_corners;
    AstarHeuristicName heuristic; // default heuristic of the rule
    // Two tables, indexed by the set of free neighbours of a cell. The first one has the legal
    // steps out of the cell. The second one has the directions of neighbours from which a step into
    // the cell is legal.
    const uint8_t *legal[2];
} AstarCornerRule;

// Table of the corner rules, in the order of AstarDiagonals.
extern const AstarCornerRule astar_corner_rules[];
// The corner rule of hexagons, which have no corners.
extern const AstarCornerRule astar_side_rule;

// Returns the set of neighbours of a cell that are free, out of the eight free cells 'free' around
// it.
static inline unsigned astar_neighbours(const AstarGrid *grid, int x, int y, unsigned free)
{
    return free & astar_shape_around(grid->shape, x, y);
}

// Returns the legal steps out of a cell with the free neighbours 'free'.
static inline unsigned astar_legal_moves(const AstarCornerRule *rule, unsigned free)
{
    return rule->legal[0][free];
}

// Returns the legal steps out of a cell beside thin walls, or with 'backward' the directions of
// neighbours from which a step into it is legal. 'walls' points to the walls of the cell, 'exits'
// to the directions in which the cell may not be left; NULL for 'exits' means that no cell is
// restricted. Rows of both are 'stride' apart.
unsigned astar_legal_moves_past_walls(const AstarCornerRule *rule, const uint8_t *walls,
                                      const uint8_t *exits, int stride, unsigned free,
                                      bool backward);
// Returns the legal steps like astar_legal_moves_past_walls, but for a grid with or without walls.
// 'free' is the set of free cells around the cell.
static inline unsigned astar_legal_moves_on(const AstarGrid *grid, const AstarCornerRule *rule,
                                            int x, int y, unsigned free, bool backward)
{
    free = astar_neighbours(grid, x, y, free);
    return astar_grid_has_walls(grid)
               ? astar_legal_moves_past_walls(rule, astar_walls_at(grid, x, y),
                                              astar_exits_at(grid, x, y), grid->width, free,
                                              backward)
               : rule->legal[backward][free];
}

// Returns the directions of those cells beside a diagonal step that cannot be passed because of
// walls. The end of the step must be inside the grid.
unsigned astar_sides_closed_by_walls(const uint8_t *walls, int stride, int direction,
                                     bool backward);
// Returns true if a step is legal beside the cells in the set 'closed', which count as blocked
// because of walls. Walls on both sides of a diagonal step make it illegal under every rule.
static inline bool astar_is_legal_past(const AstarCornerRule *rule, unsigned free, int direction,
                                       unsigned closed, bool backward)
{
    bool are_both_closed = (closed & (closed - 1)) != 0;
    return !are_both_closed && (rule->legal[backward][free & ~closed] >> direction & 1) != 0;
}

// Returns the direction of the cell or wall that prevents a step, or ASTAR_NO_SIDE if the step is
// legal. A diagonal step may be prevented by one of the two cells beside it. If both of these cells
// prevent it, the one to the east or west is returned. 'free' has the directions of free
// neighbours; only the cell that the step enters and the cells beside a diagonal step matter.
// 'walls' points to the walls of the cell, NULL if there are no walls. Restrictions are ignored.
static inline int astar_stop_of_step(const AstarCornerRule *rule, const uint8_t *walls, int stride,
                                     unsigned free, int direction)
{
    const bool is_diagonal = (direction & 1) != 0 && rule->has_diagonals;
    unsigned closed = 0;
    if (walls != NULL && is_diagonal)
        closed = astar_sides_closed_by_walls(walls, stride, direction, false);
    else if (walls != NULL && (*walls >> direction & 1) != 0)
        return direction;
    if (astar_is_legal_past(rule, free, direction, closed, false))
        return ASTAR_NO_SIDE;
    if (!is_diagonal || (free >> direction & 1) == 0)
        return direction;
    int sideways = astar_direction(astar_dx[direction], 0);
    int upright = astar_direction(0, astar_dy[direction]);
    return ((free & ~closed) >> sideways & 1) == 0 ? sideways : upright;
}

#endif
