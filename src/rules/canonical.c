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

#include "base/bits.h"

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

// ------------------------------------------------------------------------------------------------
// Canonical ordering over sides, by the argument at the top of this file.
//
// Of the steps from x, reached from p, some lead back to p or to neighbours of p, which it reaches
// by one step at less cost. Where p reaches n by two steps past x, it may do so past another cell,
// y, too, by steps over the same two sides in the other order; where y costs what x does, one order
// is enough. Every other side, going round, is the better one to enter n by: a step to n over one
// of the others is left out where y gives the better.
// ------------------------------------------------------------------------------------------------

// Adds what is worth following of a step from x to its neighbour in a direction.
static void add_step(const AstarShape *shape, AstarCell p, AstarCell x, int direction,
                     bool is_better, AstarSideArrival *arrival)
{
    AstarCell n = {x.x + astar_dx[direction], x.y + astar_dy[direction]};
    if (astar_cells_apart(shape, p.x, p.y, n.x, n.y) != 2)
        return;
    arrival->ahead |= (uint8_t)(1u << direction);
    for (unsigned rest = astar_shape_around(shape, x.x, x.y); is_better && rest != 0;
         rest &= rest - 1) {
        int past = astar_lowest_bit(rest);
        AstarCell y = {x.x + astar_dx[past], x.y + astar_dy[past]};
        if (astar_cells_apart(shape, p.x, p.y, y.x, y.y) != 1 ||
            astar_cells_apart(shape, y.x, y.y, n.x, n.y) != 1)
            continue;
        int turn = arrival->past[0] != 0;
        arrival->past[turn] = (uint8_t)(1u << past);
        arrival->turn[turn] = (uint8_t)(1u << direction);
    }
}

// After a step in a direction from a cell.
static void work_out_arrival(const AstarShape *shape, AstarCell p, int d,
                             AstarSideArrival arrivals[2][ASTAR_ARRIVALS])
{
    AstarCell x = {p.x + astar_dx[d], p.y + astar_dy[d]};
    AstarSideArrival *arrival = &arrivals[astar_phase(shape, x.x, x.y)][d];
    int side = shape->sides_of[astar_phase(shape, p.x, p.y)][d];
    bool is_better = astar_side_is_better(shape, side);
    *arrival = (AstarSideArrival){0};
    for (unsigned rest = astar_shape_around(shape, x.x, x.y); rest != 0; rest &= rest - 1)
        add_step(shape, p, x, astar_lowest_bit(rest), is_better, arrival);
}

void astar_side_order_work_out(const AstarShape *shape,
                               AstarSideArrival arrivals[2][ASTAR_ARRIVALS])
{
    for (int i = 0; i < 2 * ASTAR_ARRIVALS; i++)
        arrivals[i / ASTAR_ARRIVALS][i % ASTAR_ARRIVALS] = (AstarSideArrival){.ahead = 0xFF};
    for (int i = 0; i < 4; i++) { // of both phases
        AstarCell p = {8 + i % 2, 8 + i / 2};
        for (unsigned rest = astar_shape_around(shape, p.x, p.y); rest != 0; rest &= rest - 1)
            work_out_arrival(shape, p, astar_lowest_bit(rest), arrivals);
    }
}
