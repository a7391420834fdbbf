// priced_bends.h -- Finds the best route to a cell if bends have a cost.
//
// fewest_bends.c runs this search after A* has found the cost of the cheapest routes without
// bends, if its rays cannot show which route is the best one.

#ifndef ASTAR_PRICED_BENDS_H
#define ASTAR_PRICED_BENDS_H

#include "finder/finder.h"

// Returns true if the search can use the costs of bends that the finder's options give.
bool astar_can_price_bends(const AstarSearch *search);
// Starts the search. 'total' is the cost of the cheapest routes in A*, as its nodes store costs. No
// route that costs more than 'known' is looked for. 'has_levels' is true if bend_levels.c has
// counted the bends of all such routes. Returns ASTAR_RUNNING or ASTAR_NO_MEMORY.
AstarStatus astar_priced_begin(AstarSearch *search, uint64_t total, double known, bool has_levels);
// Continues the search for at most 'expansions' expansions. Returns ASTAR_OK if it has found the
// best route, ASTAR_RUNNING if it has not ended, ASTAR_UNREACHABLE if all routes cost more than
// 'known', ASTAR_MAX_EXPANSIONS or ASTAR_NO_MEMORY.
AstarStatus astar_priced_run(AstarSearch *search, uint64_t expansions);
// Returns the cost of the best route, bends included, up to rounding.
double astar_priced_cost(const AstarSearch *search);
// Returns the direction in which the best route leaves the start.
int astar_priced_first(const AstarSearch *search);
// Moves '*x' and '*y' one step along the best route, in the direction 'direction', and returns the
// direction of the step after it; -1 at the goal.
int astar_priced_next(const AstarSearch *search, int *x, int *y, int direction);

// Forgets the states and frees their memory, apart from a part that is kept for the next search.
void astar_priced_rest(AstarSearch *search);
void astar_priced_free(AstarSearch *search);
size_t astar_priced_bytes(const AstarSearch *search);

#endif
