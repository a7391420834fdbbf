// capabilities.h -- What each algorithm can honour: the table of algorithms and needs.
//
// A need is anything that a query, its finder or its map require beyond a shortest path of a unit
// of one cell on ground of one cost. An algorithm answers a query if it honours all needs of the
// query. Otherwise a more general algorithm answers, if the algorithm was not chosen by name or the
// table allows that; else the query is refused.

#ifndef ASTAR_CAPABILITIES_H
#define ASTAR_CAPABILITIES_H

#include "map/grid.h"

// Needs, in the order in which a refusal names them. They are rows of the table options.def.
typedef enum AstarNeed {
#define NEED(name, ...) ASTAR_NEED_##name,
#include "rules/options.def"
    ASTAR_NEED_COUNT,
    // Values of the column 'need' of options that have no need, or one that capabilities.c
    // computes. They are not part of any set.
    ASTAR_NEED_NONE = ASTAR_NEED_COUNT,
    ASTAR_NEED_OWN = ASTAR_NEED_COUNT
} AstarNeed;

// A set of needs, one bit, 1 << need, for each.
typedef uint32_t AstarNeeds;

// Returns the set that contains only 'need' if 'needed' is true, otherwise the empty set.
static inline AstarNeeds astar_need_if(bool needed, AstarNeed need)
{
    return (AstarNeeds)needed << need;
}

// Methods other than the values of AstarAlgorithm. Each of them is a shortcut that is taken if it
// honours all needs.
typedef enum AstarMethod {
    ASTAR_PRUNING = ASTAR_ALGORITHM_COUNT, // A* with pruning by canonical ordering
    ASTAR_MANY_ESTIMATES,                  // the least of the estimates for several goals
    ASTAR_RESUMING,                        // continuing a search after edits far from it
    ASTAR_BITMAP_LINES,                    // lines of sight computed from the walkable bits
    ASTAR_ANY_ANGLE,                       // any-angle routes computed from the walkable bits
    ASTAR_SWEEPING,                        // flows with tables of steps by terrain
    ASTAR_GOING_ROUND,                     // steps over the edge of a map that wraps around
    ASTAR_METHOD_COUNT
} AstarMethod;

// The reason why a method cannot answer a query.
typedef struct AstarRefusal {
    const char *what; // option or property of the map that the method cannot honour, in words
    AstarStatus status;
} AstarRefusal;

// Returns the needs of valid options, except those options that a query may replace.
AstarNeeds astar_needs_of_options(const AstarOptions *options);
// Returns the needs of a query that affect how a reachable goal is searched for.
AstarNeeds astar_needs_of_query(const AstarQueryOptions *query);
// Returns the needs of a query that an algorithm chosen by name has to honour on every map.
AstarNeeds astar_needs_asked(const AstarQueryOptions *query);
// Returns the needs that follow from the shape and size of a map.
AstarNeeds astar_needs_of_shape(const AstarGrid *grid);

// Returns true if a method honours all needs without the help of another method. 'method' is an
// AstarMethod or an AstarAlgorithm.
bool astar_honours(unsigned method, AstarNeeds needs);
// Returns the first need that makes a method chosen by name refuse a query, or NULL if the method
// can answer it.
const AstarRefusal *astar_refusal_of(unsigned method, AstarNeeds needs);

#endif
