// canonical.c -- Canonical ordering (N. Sturtevant and S. Rabin, "Canonical Orderings on Grids",
// 2016), extended to ground of several costs.
//
// Suppose that a cell n can be reached from a cell p through x and also by another path beside x.
// One of the two paths is enough. The step from x to n is pruned in two cases: the other path costs
// less; or it costs the same and its last step into n is straight, while the step from x is
// diagonal. With the option diagonals = "never", horizontal last steps are preferred to vertical
// ones instead.
//
// Pruning loses no best path. Consider all cells from which a best path may enter n. Among them is
// one with the most preferred kind of last step. Its step into n is never pruned: a path that
// caused the pruning would enter n by an even more preferred kind of step at no higher cost. If
// that cell is reached at its best cost, so is n, for any choice among several equal parents. Costs
// grow along a path, so by induction all cells are reached at their best costs.
//
// The other paths that are examined stay close to x:
// - Two turns aside of a straight arrival: one diagonal step, if the corner rule allows it.
// - One turn aside of a straight arrival: that diagonal step and a straight one.
// - Two turns aside of a diagonal arrival: two straight steps past the corner. Another path is
// compared only if the cells that it enters, and n, cost as much as x. With a diagonal step of
// length 2, the first path in this list costs no less than the steps that it replaces. With length
// 1, the last path in the list costs as much and ends with a straight step.

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

// Canonical ordering on hexagons, by the argument at the top of this file.
//
// Some steps from x, reached from p, lead back to p or to neighbours of p, which p reaches by one
// step at lower cost. If p reaches n by two steps through x, it may also reach n through another
// cell y, by steps across the same two sides in the other order. If y costs as much as x, one of
// the two orders is enough. Around a cell, every second side is preferred for entering it. A step
// into n across one of the other sides is pruned if the path through y crosses a preferred side.

// Adds to 'arrival' the step from x in a direction, and the condition under which another path
// prunes that step. 'is_better' is true if the other path crosses a preferred side.
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

// Fills in the steps that can be pruned after a step from p in direction d.
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
    for (int i = 0; i < 4; i++) { // two columns and two rows, which have cells of both phases
        AstarCell p = {8 + i % 2, 8 + i / 2};
        for (unsigned rest = astar_shape_around(shape, p.x, p.y); rest != 0; rest &= rest - 1)
            work_out_arrival(shape, p, astar_lowest_bit(rest), arrivals);
    }
}
