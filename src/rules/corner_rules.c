// corner_rules.c -- Corner rules: which steps are legal beside obstacles.
//
// Legal steps are looked up by the set of free neighbours, in tables of 256 entries that the
// compiler fills in. Steps out of a cell and steps into it differ only under a rule whose diagonal
// steps are not legal in both directions.
//
// Two paths lead around the corner of a diagonal step, each by two straight steps past one of the
// cells beside it. A wall across one of these paths counts as an obstacle on that side. Under a
// rule that ignores obstacles a wall across one path does not matter. Walls across both paths make
// the step illegal under every rule: otherwise a unit would slip diagonally through a wall without
// a gap.

#include "rules/corner_rules.h"

#include "base/bits.h"

#include <assert.h>

// The following tables hold the legal steps of each rule.

// NEXT returns the set of directions whose clockwise neighbour is in the set 'free'. BEFORE returns
// the set of directions whose counterclockwise neighbour is in 'free'.
#define NEXT(free) ((free) >> 1 | ((free)&1) << 7)
#define BEFORE(free) (((free) << 1 & 0xFF) | (free) >> 7)

// The legal steps of each rule, straight and diagonal, for a set of free neighbours.
#define PAST_ANY(free) (free)
#define PAST_ONE(free) ((free) & (ASTAR_STRAIGHTS | NEXT(free) | BEFORE(free)))
#define PAST_NONE(free) ((free) & (ASTAR_STRAIGHTS | (NEXT(free) & BEFORE(free))))
#define STRAIGHT_ONLY(free) ((free)&ASTAR_STRAIGHTS)

#define FOUR(moves, n) moves(n), moves((n) + 1), moves((n) + 2), moves((n) + 3)
#define SIXTEEN(moves, n)                                                                          \
    FOUR(moves, n), FOUR(moves, (n) + 4), FOUR(moves, (n) + 8), FOUR(moves, (n) + 12)
#define SIXTY_FOUR(moves, n)                                                                       \
    SIXTEEN(moves, n), SIXTEEN(moves, (n) + 16), SIXTEEN(moves, (n) + 32), SIXTEEN(moves, (n) + 48)
#define EACH_NEIGHBOURHOOD(moves)                                                                  \
    {                                                                                              \
        SIXTY_FOUR(moves, 0), SIXTY_FOUR(moves, 64), SIXTY_FOUR(moves, 128),                       \
            SIXTY_FOUR(moves, 192)                                                                 \
    }

static const uint8_t moves_past_any[] = EACH_NEIGHBOURHOOD(PAST_ANY);
static const uint8_t moves_past_one[] = EACH_NEIGHBOURHOOD(PAST_ONE);
static const uint8_t moves_past_none[] = EACH_NEIGHBOURHOOD(PAST_NONE);
static const uint8_t straight_moves[] = EACH_NEIGHBOURHOOD(STRAIGHT_ONLY);

// Rules in the order of AstarDiagonals.
const AstarCornerRule astar_corner_rules[] = {
    {"always", .heuristic = ASTAR_OCTILE, .has_diagonals = true, .joins_corners = true,
     .corners = ASTAR_CORNERS_ANY, .legal = {moves_past_any, moves_past_any}},
    {"if_at_most_one_obstacle", .heuristic = ASTAR_OCTILE, .has_diagonals = true,
     .corners = ASTAR_CORNERS_ONE_FREE, .legal = {moves_past_one, moves_past_one}},
    {"only_when_no_obstacles", .heuristic = ASTAR_OCTILE, .has_diagonals = true,
     .corners = ASTAR_CORNERS_BOTH_FREE, .legal = {moves_past_none, moves_past_none}},
    {"never", .heuristic = ASTAR_MANHATTAN, .corners = ASTAR_CORNERS_BOTH_FREE,
     .legal = {straight_moves, straight_moves}},
};
static_assert(sizeof astar_corner_rules / sizeof *astar_corner_rules == ASTAR_DIAGONALS_COUNT,
              "a rule for each of AstarDiagonals");

const AstarCornerRule astar_side_rule = {"hexagons", .heuristic = ASTAR_CHEBYSHEV,
                                         .corners = ASTAR_CORNERS_OTHER,
                                         .legal = {moves_past_any, moves_past_any}};
const char *astar_heading_name(AstarHeading heading)
{
    static const char *const names[] = {NULL,         "north",      "north_east",
                                        "east",       "south_east", "south",
                                        "south_west", "west",       "north_west"};
    static_assert(sizeof names / sizeof *names == ASTAR_HEADING_COUNT,
                  "a name for each of AstarHeading");
    return heading < ASTAR_HEADING_COUNT ? names[heading] : NULL;
}

const char *astar_diagonals_name(AstarDiagonals diagonals)
{
    return diagonals < ASTAR_DIAGONALS_COUNT ? astar_corner_rules[diagonals].name : NULL;
}

// The following functions compute legal steps beside walls.

// Returns true if a wall bars the straight step to the neighbour in a direction. If 'backward' is
// true, examines the step from that neighbour instead.
static bool bars_step(const uint8_t *walls, int stride, int direction, bool backward)
{
    unsigned barred = backward ? walls[astar_step_offset(stride, direction)] : *walls;
    return (barred >> (backward ? (direction + 4) & 7 : direction) & 1) != 0;
}

unsigned astar_sides_closed_by_walls(const uint8_t *walls, int stride, int direction, bool backward)
{
    int left = (direction + 7) & 7, right = (direction + 1) & 7;
    bool left_closed = bars_step(walls, stride, left, backward) ||
                       bars_step(walls + astar_step_offset(stride, left), stride, right, backward);
    bool right_closed = bars_step(walls, stride, right, backward) ||
                        bars_step(walls + astar_step_offset(stride, right), stride, left, backward);
    return (unsigned)left_closed << left | (unsigned)right_closed << right;
}

// Returns the steps, out of 'legal', that restricted cells allow. 'exits' points to the directions
// in which the cell may not be left.
static unsigned moves_through_exits(const uint8_t *exits, int stride, unsigned legal, bool backward)
{
    if (!backward)
        return legal & ~(unsigned)*exits;
    for (unsigned rest = legal; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        if (bars_step(exits, stride, d, true))
            legal &= ~(1u << d);
    }
    return legal;
}

unsigned astar_legal_moves_past_walls(const AstarCornerRule *rule, const uint8_t *walls,
                                      const uint8_t *exits, int stride, unsigned free,
                                      bool backward)
{
    unsigned legal = rule->legal[backward][free];
    for (unsigned rest = legal; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        bool fine = d & 1 && rule != &astar_side_rule
                        ? astar_is_legal_past(
                              rule, free, d,
                              astar_sides_closed_by_walls(walls, stride, d, backward), backward)
                        : !bars_step(walls, stride, d, backward);
        if (!fine)
            legal &= ~(1u << d);
    }
    return exits != NULL ? moves_through_exits(exits, stride, legal, backward) : legal;
}
