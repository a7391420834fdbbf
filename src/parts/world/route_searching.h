// route_searching.h -- the parts of a route's search.

#ifndef ASTAR_ROUTE_SEARCHING_H
#define ASTAR_ROUTE_SEARCHING_H

#include "parts/world/route_search.h"

// The slot of the hash where the node of a cell is, or would be.
uint32_t astar_route_slot(const AstarRouteSearch *search, int32_t x, int32_t y);
// The number of the node on a cell, 1 added; a new one where there is none.
AstarStatus astar_route_number(AstarRouteSearch *search, int32_t x, int32_t y, uint32_t *number);
// Takes a way to a node, which is cheaper than any yet.
void astar_route_improve(AstarRouteSearch *search, uint32_t node, double g, uint32_t parent,
                         AstarLegKind kind);
// Takes a way to a cell, where it is the cheapest yet.
AstarStatus astar_route_reach(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind);
// Notes where it has been: an edit there has it begin anew.
void astar_route_note_square(AstarRouteSearch *search, int32_t i, int32_t j);

// Takes a way that comes in at a cell, where it is the cheapest yet to there.
AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding entrance);
// Floods the next boundary; ASTAR_OK: there is none, or none that could lead to a better end.
AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context);
void astar_route_free_boundaries(AstarRouteSearch *search);
// Makes nodes of the way to the best end, of which one was reached: 'last'.
AstarStatus astar_route_trace(AstarRouteSearch *search);

// The boundary of a square that the search has come to, or NULL.
static inline AstarBoundary *astar_route_boundary(const AstarRouteSearch *search, int32_t i,
                                                  int32_t j)
{
    return (AstarBoundary *)astar_plots_find(&search->floods.boundaries.plots, i, j);
}

// What the way on from a cell to the goal costs at least, by the search's weight.
double astar_route_rest(const AstarRouteSearch *search, int32_t x, int32_t y);

// What the way on from a cell to the nearest goal costs at least, but over links.
static inline double astar_route_left(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    double least = (double)INFINITY;
    for (const AstarRouteGoal *goal = search->aims.goals;
         goal < search->aims.goals + search->aims.count; goal++) {
        int32_t dx = abs(goal->x - astar_nearest_covered(x, goal->size, goal->x)) - goal->range;
        int32_t dy = abs(goal->y - astar_nearest_covered(y, goal->size, goal->y)) - goal->range;
        least = fmin(least,
                     astar_estimate(&search->finder->heuristic, dx > 0 ? dx : 0, dy > 0 ? dy : 0));
    }
    return least;
}

// Whether a cell is a goal, or near enough to one.
static inline bool astar_route_is_goal(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    return astar_route_left(search, x, y) == 0;
}

// All cells at which the unit is near enough to a goal.
static inline AstarWorldEdit astar_route_goal_box(const AstarRouteGoal *goal)
{
    int32_t before = goal->range + goal->size - 1;
    return (AstarWorldEdit){goal->x - before, goal->y - before, goal->x + goal->range,
                            goal->y + goal->range};
}

// Whether the cell lies in a chunk that is known not to be there.
static inline bool astar_route_is_absent(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(search->finder->world, astar_chunk_of(x),
                                                astar_chunk_of(y));
    return chunk != NULL && chunk->is_absent;
}

// Lays out a closed chunk, the start's blocks lifted.
AstarStatus astar_route_fill_square(AstarRouteSearch *search, int32_t i, int32_t j, void *context);

// Begins to see how far back ways to the goal lead.
AstarStatus astar_enclosure_begin(AstarRouteSearch *search);
// Goes on by a square; ASTAR_UNREACHABLE: no way leads from the start to the goal.
AstarStatus astar_enclosure_flood_next(AstarRouteSearch *search, void *context);
void astar_enclosure_free(AstarRouteSearch *search);

// The numbers that the nodes of a square have, which is built.
AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out);
// Whether they are more than can be held: they would be measured again and again.
bool astar_route_is_too_much(const AstarRouteSearch *search);
void astar_route_forget_squares(AstarRouteSearch *search);

// Sees whether start and goal can be stood on. ASTAR_OK: so it goes on.
AstarStatus astar_route_judge_ends(AstarRouteSearch *search, void *context);
// Measures an end in all squares that it lies in; these must be built first.
AstarStatus astar_route_measure_ends(AstarRouteSearch *search, bool is_goal, void *context);
// What every way to a cell that leads over a link costs at least: the last one, and from its end.
double astar_route_least_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
// Works out what ways over links to the goal cost at least.
void astar_route_measure_links(const AstarRouteSearch *search, AstarWaysOver *out);
// What the way over links from a cell costs at least.
double astar_route_left_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
bool astar_route_are_links_belied(const AstarRouteSearch *search);

// Of the cells beside what is not there, and nearer to the goal than the start, keeps the one over
// which the goal may be the nearest; of equal ones the one nearest to the goal. Whether it is this.
bool astar_route_note_frontier(AstarRouteSearch *search, AstarRouteReach cell);

// Takes the next node off the open list; ASTAR_OK: it is the goal, or the list is empty.
AstarStatus astar_route_advance(AstarRouteSearch *search, void *context);
// Whether no node that is still open can be a better end than the one at the frontier.
bool astar_route_is_frontier_best(AstarRouteSearch *search);

#endif
