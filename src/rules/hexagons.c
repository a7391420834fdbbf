// hexagons.c -- canonical ordering on hexagons, by the argument of canonical.c.
//
// Of the six steps from x, reached from p, three lead back to p or to neighbours of p, which it
// reaches by one step at less cost. Of those that are left one goes straight on, and two turn by a
// sixth. Where p reaches n by a step and one that turns, it may do so by the same two steps in the
// other order, past a cell y that is two turns aside of x; where y costs what x does, one order is
// enough. Every other direction, going round, is the better one to enter n by: a step to n by one
// of the others is left out where y gives the better.

#include "rules/hexagons.h"

enum { SIDES = 6 };

// The sides of a shape clockwise.
static void list_sides(const AstarShape *shape, int sides[SIDES])
{
    int count = 0;
    for (int side = 0; side < ASTAR_DIRECTIONS; side++)
        if ((shape->sides >> side & 1) != 0)
            sides[count++] = side;
}

// After a step over the side at a place among the six.
static AstarHexagonArrival arrival_over(const AstarShape *shape, unsigned phase, int place)
{
    int sides[SIDES];
    unsigned to[SIDES]; // the step over the side so many turns on
    list_sides(shape, sides);
    for (int turns = 0; turns < SIDES; turns++)
        to[turns] = 1u << shape->steps_over[phase][sides[(place + turns) % SIDES]];
    AstarHexagonArrival arrival = {.ahead = (uint8_t)(to[5] | to[0] | to[1])};
    bool is_better = place % 2 == 1;
    if (is_better)
        arrival = (AstarHexagonArrival){
            arrival.ahead, {(uint8_t)to[4], (uint8_t)to[2]}, {(uint8_t)to[5], (uint8_t)to[1]}};
    return arrival;
}

void astar_hexagons_work_out(const AstarShape *shape,
                             AstarHexagonArrival arrivals[2][ASTAR_ARRIVALS])
{
    int sides[SIDES];
    list_sides(shape, sides);
    for (int i = 0; i < 2 * ASTAR_ARRIVALS; i++)
        arrivals[i / ASTAR_ARRIVALS][i % ASTAR_ARRIVALS] = (AstarHexagonArrival){.ahead = 0xFF};
    for (unsigned before = 0; before < 2; before++)
        for (int place = 0; place < SIDES; place++) {
            int d = shape->steps_over[before][sides[place]];
            bool goes_across = ((shape->by_row ? astar_dy[d] : astar_dx[d]) & 1) != 0;
            unsigned phase = before ^ goes_across;
            arrivals[phase][d] = arrival_over(shape, phase, place);
        }
}
