// canonical.c -- canonical ordering (N. Sturtevant and S. Rabin, "Canonical Orderings on Grids",
// 2016), by rules that hold on ground of differing costs, too.
//
// Where a cell n can be reached from p through x, but as well from p past x, one way is enough. A
// step from x to n is left out where the other way costs less, or costs the same and enters n
// straight while this one enters n diagonally (with diagonals "never": horizontally, while this one
// enters vertically). Nothing is lost by it: of all cells from which a best path may enter n, one
// with the best kind of last step never has that step left out, for a way past it that made it so
// would enter n by a better kind at no more cost. So if that cell is reached at its best cost, n
// is, whatever parents were chosen among equals; and costs grow along a path, so all are.
//
// The ways past x looked at stay beside it:
// - Two turns aside of a straight arrival: one diagonal step, where the corner allows it.
// - One turn aside of it: that diagonal step and a straight one.
// - Two turns aside of a diagonal arrival: two straight steps, past the corner.
// They are compared only where the cells they enter, and n, cost the same as x. With diagonals of
// length 2 the first costs no less than the steps it replaces; with length 1 the last as much, and
// ends straight.

#include "rules/canonical.h"

static AstarArrival arrival_by(const AstarCornerRule *rule, double diagonal_cost, bool exact,
                               int direction)
{
    unsigned ahead_of = 1u << direction,
             wings = astar_rotate(ahead_of, 1) | astar_rotate(ahead_of, 7);
    unsigned sides = astar_rotate(ahead_of, 2) | astar_rotate(ahead_of, 6);
    AstarArrival arrival = {.ahead = (uint8_t)(ahead_of | wings | sides)};
    bool straight = (direction & 1) == 0, four = !rule->has_diagonals;
    if (four && (!exact || (direction & 3) == 0))
        return arrival;
    arrival.left = (uint8_t)astar_rotate(ahead_of, 6);
    arrival.right = (uint8_t)astar_rotate(ahead_of, 2);
    if (four || !straight)
        arrival.if_same = 0xFF;
    else if (rule->corners == ASTAR_CORNERS_BOTH_FREE)
        arrival.if_free = 0xFF;
    else if (rule->corners != ASTAR_CORNERS_OTHER)
        arrival.all = 0xFF;
    if (four || (straight ? diagonal_cost < 2 : exact || diagonal_cost > 1))
        arrival.sides = (uint8_t)sides;
    if (straight && exact && !four)
        arrival.fore = (uint8_t)wings;
    return arrival;
}

void astar_canonical_work_out(const AstarCornerRule *rule, double diagonal_cost, bool exact,
                              AstarArrival arrivals[ASTAR_ARRIVALS])
{
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        arrivals[d] = arrival_by(rule, diagonal_cost, exact, d);
    for (int i = ASTAR_DIRECTIONS; i < ASTAR_ARRIVALS; i++)
        arrivals[i] = (AstarArrival){.ahead = 0xFF};
}
