// capabilities.h -- what each algorithm can honour: the one table of algorithms and needs.
//
// A need is what a question, its finder or its map ask beyond the shortest way of a plain unit over
// ground of one cost. What meets all needs of a question answers it; else something more general
// does, where the algorithm was not asked for by name or the table says so; else it is refused.

#ifndef ASTAR_CAPABILITIES_H
#define ASTAR_CAPABILITIES_H

#include "map/grid.h"

// In the order in which they are named where an algorithm refuses several.
typedef enum AstarNeed {
    ASTAR_NEED_WEIGHT,        // a weight above 1
    ASTAR_NEED_RANGE,         // a range above 0
    ASTAR_NEED_ESTIMATE,      // the host's own heuristic
    ASTAR_NEED_COST,          // callbacks
    ASTAR_NEED_STEP_COST,     //
    ASTAR_NEED_AVOID,         // a field to avoid
    ASTAR_NEED_HEURISTIC,     // one that is not the rule's own
    ASTAR_NEED_DIAGONAL_2,    // diagonal steps past obstacles that cost two straight ones
    ASTAR_NEED_CORNERS,       // a corner rule that pruning knows nothing of
    ASTAR_NEED_SEVERAL_COSTS, // ground of several costs
    ASTAR_NEED_LINKS,         //
    ASTAR_NEED_WALLS,         //
    ASTAR_NEED_SIDES,         //
    ASTAR_NEED_SEAM,          // a map that wraps around
    ASTAR_NEED_SHAPE,         // a map for which jump bitmaps would be far larger than itself
    ASTAR_NEED_OWN_BLOCKS,    // a unit that stands among its own blocks
    ASTAR_NEED_BENDS,         // the fewest bends
    ASTAR_NEED_BEND_COST,     // bends that cost something
    ASTAR_NEED_NEAREST,       // the cell nearest to the goal, not the goal itself
    ASTAR_NEED_COUNT
} AstarNeed;

// A set of needs, bit by bit.
typedef uint32_t AstarNeeds;

static inline AstarNeeds astar_need_if(bool needed, AstarNeed need)
{
    return (AstarNeeds)needed << need;
}

// Who is asked for what it can honour: the algorithms, by AstarAlgorithm, and what else takes a
// shorter way where there is no need not to.
typedef enum AstarMethod {
    ASTAR_PRUNING = ASTAR_ALGORITHM_COUNT, // A* that leaves out steps by canonical order
    ASTAR_MANY_ESTIMATES,                  // the least estimate of several goals
    ASTAR_RESUMING,                        // a search that goes on after edits far from it
    ASTAR_BITMAP_LINES,                    // lines of sight by the walkable bits
    ASTAR_ANY_ANGLE,                       // the shortest routes at any angle by them
    ASTAR_SWEEPING,                        // flows that look steps up by terrain
    ASTAR_GOING_ROUND,                     // steps over the seam of a map that wraps around
    ASTAR_METHOD_COUNT
} AstarMethod;

// Why a method cannot answer.
typedef struct AstarRefusal {
    const char *what; // it cannot honour
    AstarStatus status;
} AstarRefusal;

// The needs of options that are in their ranges, but for what a question may have its own way.
AstarNeeds astar_needs_of_options(const AstarOptions *options);
// Those of a question whose goal can be reached.
AstarNeeds astar_needs_of_question(const AstarQuestion *question);
// Those of a question whatever the map is, which an algorithm asked for by name has to meet.
AstarNeeds astar_needs_asked(const AstarQuestion *question);
// Those of a map that never change.
AstarNeeds astar_needs_of_shape(const AstarGrid *grid);

// Whether a method by itself meets all needs; 'method' is an AstarAlgorithm, too.
bool astar_honours(unsigned method, AstarNeeds needs);
// The first need for which a method asked for by name refuses the question; NULL: none.
const AstarRefusal *astar_refusal_of(unsigned method, AstarNeeds needs);

#endif
