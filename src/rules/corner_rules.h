// corner_rules.h -- what each corner rule allows, one object a rule.
//
// Whoever moves asks the object: which steps are legal, whether there are diagonal ones, what they
// join, what pruning may assume. A new rule is a name in astar.h and an entry in corner_rules.c.

#ifndef ASTAR_CORNER_RULES_H
#define ASTAR_CORNER_RULES_H

#include "base/directions.h"
#include "map/links_and_walls.h"

// What a rule wants of the two cells beside a diagonal step. Pruning, jumps and lines of sight are
// worked out for the first three; of any other rule they assume nothing.
typedef enum AstarCorners {
    ASTAR_CORNERS_ANY, // nothing
    ASTAR_CORNERS_ONE_FREE,
    ASTAR_CORNERS_BOTH_FREE,
    ASTAR_CORNERS_OTHER
} AstarCorners;

// Straight steps into free cells are legal by every rule; whether a diagonal one is depends on the
// cell it enters and the two beside it.
typedef struct AstarCornerRule {
    const char *name; // as options have it
    AstarCorners corners;
    bool has_diagonals;           // steps of two lengths, eight directions of squares
    bool joins_corners;           // a diagonal step joins what straight ones do not; then it leads
                                  // back, too
    AstarHeuristicName heuristic; // the one that fits its steps
    const uint8_t *legal[2]; // by the free neighbours of a cell: the legal steps out of it, and the
                             // directions of the neighbours that one leads here from
} AstarCornerRule;

// By AstarDiagonals.
extern const AstarCornerRule astar_corner_rules[];
// That of hexagons: no corners, each neighbour is beside the cell.
extern const AstarCornerRule astar_side_rule;

// Of the free cells around one those that are its neighbours.
static inline unsigned astar_neighbours(const AstarGrid *grid, int x, int y, unsigned free)
{
    return free & astar_shape_around(grid->shape, x, y);
}

// The legal steps from a cell whose free neighbours are 'free'.
static inline unsigned astar_legal_moves(const AstarCornerRule *rule, unsigned free)
{
    return rule->legal[0][free];
}

// The same past thin walls, which lie 'stride' a row, those of the cell first; or the directions of
// the neighbours that a legal step leads here from, where 'backward'.
unsigned astar_legal_moves_past_walls(const AstarCornerRule *rule, const uint8_t *walls, int stride,
                                      unsigned free, bool backward);
// The same of a grid that may have walls or none, where 'free' are the free cells around.
static inline unsigned astar_legal_moves_on(const AstarGrid *grid, const AstarCornerRule *rule,
                                            int x, int y, unsigned free, bool backward)
{
    free = astar_neighbours(grid, x, y, free);
    return astar_grid_has_walls(grid)
               ? astar_legal_moves_past_walls(rule, astar_walls_at(grid, x, y), grid->width, free,
                                              backward)
               : rule->legal[backward][free];
}

// Of the cells beside a diagonal step those past which a wall closes the way. The cell the step
// leads to must be inside.
unsigned astar_sides_closed_by_walls(const uint8_t *walls, int stride, int direction,
                                     bool backward);
// Whether no diagonal step leads past what walls close beside it, whatever the rule.
static inline bool astar_are_both_sides_closed(unsigned closed)
{
    return (closed & (closed - 1)) != 0;
}

#endif
