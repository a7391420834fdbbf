// side_order.c -- canonical ordering over sides, by the argument of canonical.c.
//
// Of the steps from x, reached from p, some lead back to p or to neighbours of p, which it reaches
// by one step at less cost. Where p reaches n by two steps past x, it may do so past another cell,
// y, too, by steps over the same two sides in the other order; where y costs what x does, one order
// is enough. Every other side, going round, is the better one to enter n by: a step to n over one
// of the others is left out where y gives the better.

#include "rules/canonical.h"

#include "base/bits.h"

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
    bool is_better = (astar_count_bits(shape->sides & ((1u << side) - 1)) & 1) != 0;
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
