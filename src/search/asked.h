// asked.h -- a question asked in one call, and where its answer goes.

#ifndef ASTAR_ASKED_H
#define ASTAR_ASKED_H

#include "path/path.h"
#include "search/search.h"

typedef struct AstarAsked {
    AstarFinder *finder;
    AstarWorkspace *workspace; // NULL: what needs a search is not answered
    int sx, sy, gx, gy;
    const AstarQuestion *question;
    const AstarAllocator *allocator; // of the path's points
    AstarPath *path;
} AstarAsked;

// Makes what a path says of itself that of a route of so many steps, whose points are in it.
ASTAR_SPECIALIZE AstarStatus astar_asked_describe(const AstarAsked *asked, AstarAlgorithm algorithm,
                                                  uint64_t expanded, double straight,
                                                  double diagonal)
{
    const AstarFinder *finder = asked->finder;
    AstarPath *path = asked->path;
    path->length = straight + diagonal * ASTAR_SQRT2;
    straight *= finder->min_cost;
    diagonal *= finder->min_cost;
    path->cost = straight + diagonal * finder->options.diagonal_cost;
    path->expanded = expanded;
    path->algorithm = algorithm;
    path->partial = false;
    path->orthogonal = !finder->rule->has_diagonals;
    path->goal_x = asked->gx;
    path->goal_y = asked->gy;
    path->question = *asked->question;
    path->offset = finder->grid->shape->offset;
    path->best_at = astar_finder_version(finder) + 1;
    return ASTAR_OK;
}

// Adds where a leg of so many steps ends to a path that has room for it; none to stay where it is.
ASTAR_SPECIALIZE void astar_put_leg(AstarPath *path, int x, int y, int steps)
{
    if (steps == 0)
        return;
    path->cells += steps;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
}

// Whether a way is known to lead from one free cell to the other.
static inline bool astar_asked_is_connected(const AstarAsked *asked)
{
    const AstarFinder *finder = asked->finder;
    const AstarBits *bits = &finder->walkable->bits;
    const AstarComponents *components = finder->plan.components;
    return components != NULL && astar_bits_get(bits, asked->sx, asked->sy) &&
           astar_bits_get(bits, asked->gx, asked->gy) &&
           astar_components_join(components, asked->sx, asked->sy, asked->gx, asked->gy);
}

// Ways to answer, see planner.c: ASTAR_RUNNING, and the path as it was, where it is not answered
// so.
AstarStatus astar_answer_by_baked(const AstarAsked *asked);
AstarStatus astar_answer_directly(const AstarAsked *asked);
AstarStatus astar_answer_by_jumps(const AstarAsked *asked);
AstarStatus astar_answer_in_view(const AstarAsked *asked);
AstarStatus astar_answer_over_costs(const AstarAsked *asked);

#endif
