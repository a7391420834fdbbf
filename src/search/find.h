// find.h -- a question asked in one call, and where its answer goes.

#ifndef ASTAR_FIND_H
#define ASTAR_FIND_H

#include "finder/finder.h"
#include "layers/jump_bits.h"
#include "search/bent_way.h"
#include "search/path.h"
#include "search/search.h"

typedef struct AstarAsked {
    AstarFinder *finder;
    AstarWorkspace *workspace;
    int sx, sy, gx, gy;
    const AstarQuestion *question;
    const AstarAllocator *allocator; // of the path's points
    AstarPath *path;
    bool is_unseen; // the goal is known not to lie in plain view of the start, see find.c
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
    path->offset = (AstarOffset)finder->plan.offset;
    path->best_at = asked->question->weight == 1 ? finder->plan.best_at : 0;
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

// What the components tell of two free cells: ASTAR_OK, ASTAR_UNREACHABLE, or ASTAR_RUNNING where
// they are not current, or a partial path is asked for. If the components are missing, marks the
// plan as stale, so that the next query looks again.
static inline AstarStatus astar_asked_components(const AstarAsked *asked)
{
    AstarQueryPlan *plan = &asked->finder->plan;
    if (plan->components == NULL) {
        plan->version = 0;
        return ASTAR_RUNNING;
    }
    if (astar_components_join(plan->components, asked->sx, asked->sy, asked->gx, asked->gy))
        return ASTAR_OK;
    return asked->question->partial ? ASTAR_RUNNING : ASTAR_UNREACHABLE;
}

// Answers a question as astar_find_path does, NULL: as its finder has it; ASTAR_RUNNING, and the
// path as it was, where that takes a search that is started; see find.c.
AstarStatus astar_answer_at_once(AstarAsked *asked);
// The same by the direct way alone, for an up to date finder. What that takes is built, so the
// answer is the map's, whatever was asked before.
AstarStatus astar_answer_in_sight(AstarAsked *asked);

// The ways to answer: ASTAR_RUNNING, and the path as it was, where it is not answered so.
AstarStatus astar_answer_by_baked(AstarAsked *asked);
AstarStatus astar_answer_directly(AstarAsked *asked);
AstarStatus astar_answer_by_jumps(AstarAsked *asked);
AstarStatus astar_answer_by_steps(AstarAsked *asked);
AstarStatus astar_answer_in_view(AstarAsked *asked);
AstarStatus astar_answer_over_costs(AstarAsked *asked);

// The way between two cells, if no step of it is barred, all cost the same, and no other way costs
// less. The finder's irregular cells, and the bitmaps of jumps over them, must be current.
bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                      AstarBentWay *view);
// The way between two cells, if no step of it is barred; no other costs less. Coordinates count the
// border, as in jump_bitmaps.c. There must be diagonal steps.
bool astar_direct_way(const AstarRunBits *runs, int x, int y, int goal_x, int goal_y,
                      AstarBentWay *way);

#endif
