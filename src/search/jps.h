// jps.h -- jump point search over uniform ground.

#ifndef ASTAR_JPS_H
#define ASTAR_JPS_H

#include "finder/finder.h"
#include "search/bent_way.h"
#include "search/search.h"

// Forgets the nodes of the search before.
AstarStatus astar_jps_clear(AstarSearch *search);
// Adds a node that a search begins at; its 'arrival' is as in jump_scan.h.
AstarStatus astar_jps_add_root(AstarSearch *search, int x, int y, unsigned arrival, uint32_t rank);
// Makes the nodes ready for a search by jumps of either kind, which begins at its start.
AstarStatus astar_jps_plant(AstarSearch *search, unsigned arrival);
// Plants the root of a search; astar_run_jps is its loop.
AstarStatus astar_jps_begin(AstarSearch *search);
// The same where the bitmaps are known to be current.
AstarStatus astar_jps_begin_on_bitmaps(AstarSearch *search, unsigned arrival);
AstarStatus astar_run_jps(AstarSearch *search, uint64_t expansions);
AstarStatus astar_run_jps_by(AstarSearch *search, const AstarJumpBitmaps *jump,
                             uint64_t expansions);
// Whether whole numbers tell that a route, the best by them at that cost, is the best; of so many
// straight and diagonal steps.
bool astar_jps_tells_apart(const AstarSearch *search, uint32_t whole, double straight,
                           double diagonal);
// The cell that it leads to.
static inline uint32_t astar_jps_target(const AstarSearch *search)
{
    return astar_cell(search->grid, search->jumps.to.x, search->jumps.to.y);
}

// The least f of any route that leads over a cell so far from the start and from the goal.
double astar_jps_least_f(const AstarSearch *search, int dx0, int dy0, int dx1, int dy1);
// Gathers the route, unless 'path' is NULL, and counts its straight and diagonal
// steps.
AstarStatus astar_jps_trace(const AstarSearch *search, AstarPath *path, double *straight,
                            double *diagonal);

// jps.c: how a search by jumps leaves the blocks that its unit stands among.

// Sets the cost from the start up to which a search by jumps goes by single steps, before its first
// expansion: below 0 where the unit has no blocks in its way, INFINITY where it cannot jump at all.
AstarStatus astar_own_blocks_measure(AstarSearch *search);

// jps.c: the nearest of a few goals, by jumps from all of them back to the start.

AstarStatus astar_back_jumps_begin(AstarSearch *search);
AstarStatus astar_run_back_jumps(AstarSearch *search, uint64_t expansions);

// Whether a search does.
static inline bool astar_jumps_back(const AstarSearch *search)
{
    return search->algorithm == ASTAR_JPS && search->goal.kind != ASTAR_GOAL_CELL;
}

// jpsw.c: the same on any ground.

// Whether jumping may be worth it, to some question: so few cells are irregular. The finder's layer
// must be current.
bool astar_jpsw_may_pay(const AstarFinder *finder);
// Whether it is to this one.
bool astar_jpsw_pays(const AstarSearch *search, const AstarGoal *goal);
// Plants the root of a search; astar_run_jpsw is its loop. That gives ASTAR_BAD_COST where A* is to
// search in its place.
AstarStatus astar_jpsw_begin(AstarSearch *search);
AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions);
AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path);

// jpsw.c: what remains of a way over ground of several costs, at least.

// Works out which grounds promise most, dearer than the cheapest.
void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw);
// The same where there are links: what estimates over those are to be made of, what steps cost at
// least.
AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw);
// Whether a search begun now would have the same estimates.
bool astar_jpsw_is_same(const AstarSearch *search);
// The estimate from a cell.
double astar_jpsw_estimate(const AstarSearch *search, int x, int y);
// On a map with links: so much more at least is the f of any node on a way through a cell than its
// cost so far.
double astar_jpsw_least_on(const AstarSearch *search, int x, int y);

// find.c: goals that nothing hides.

// The way between two cells, if no step of it is barred, all cost the same, and no other way costs
// less. The finder's irregular cells, and the bitmaps of jumps over them, must be current.
bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                      AstarBentWay *view);

// find.c: the route that goes diagonally, then straight, where nothing is in its way.

// The way between two cells, if no step of it is barred; no other costs less. Coordinates count the
// border, as in jump_bitmaps.c. There must be diagonal steps.
bool astar_direct_way(const AstarRunBits *runs, int x, int y, int goal_x, int goal_y,
                      AstarBentWay *way);

#endif
