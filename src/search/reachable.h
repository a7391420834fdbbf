// reachable.h -- what can be reached from a cell, by components.

#ifndef ASTAR_REACHABLE_H
#define ASTAR_REACHABLE_H

#include "layers/components.h"
#include "map/grid.h"

// The components a unit at one cell is in touch with.
typedef struct AstarReachable {
    const AstarFinder *finder;
    AstarComponents *components;
    uint32_t labels[ASTAR_DIRECTIONS];
    AstarCell of_label[ASTAR_DIRECTIONS]; // a cell of each of these components
    int count;
    uint32_t *beyond; // the labels of those that links lead to, in order; the search's memory
    uint32_t beyond_count;
    bool certain;     // no wall may part what is in one component
    uint64_t visited; // cells looked at in rings
} AstarReachable;

// What is known of a question before it is searched for.
typedef struct AstarVerdict {
    bool connected; // nothing but a callback or a wall can keep the unit from the goal
    bool certain;   // nor can a wall
} AstarVerdict;

// Eight cells of squares lie at the same distance, unless diagonal steps cost 1 or two straight
// ones.
enum { ASTAR_MANY_NEAREST = 8 };

// Rings of cells around one, looked through inside to outside, some at a time.
typedef struct AstarRings {
    int radius;     // of the next one
    double nearest; // of the cells that can be reached, so far; at first the most there may be
    uint32_t count; // of reachable cells at that distance, one more than fit if there are more
    AstarCell cells[ASTAR_MANY_NEAREST];
} AstarRings;

// How far links have been followed from component to component.
typedef struct AstarBeyond {
    uint32_t count; // of components they lead to, whose labels the search has
    uint32_t passes, arc;
    bool found, leads_on; // one more in this pass, in the one before
} AstarBeyond;

// What was seen around the goal of the map at a version.
typedef struct AstarLookout {
    uint64_t version;
    AstarBeyond beyond;
    AstarRings within, near; // as far as the range; for the nearest cell
} AstarLookout;

// What is known of a question before it is searched for, see run.c.
typedef struct AstarKnown {
    AstarVerdict verdict;
    AstarLookout lookout;
    uint32_t *labels; // of components that links lead to
    size_t label_capacity;
} AstarKnown;

// The search lends its memory until the next such call.
AstarStatus astar_reachable_from(AstarSearch *search, int x, int y, AstarReachable *reach);
// The same as far as the work goes, with 'beyond' zero at first; ASTAR_RUNNING where that is used
// up before.
AstarStatus astar_reachable_advance(AstarSearch *search, int x, int y, AstarBeyond *beyond,
                                    AstarReachable *reach, int64_t *work);
// Whether a cell can be reached.
bool astar_reachable_has(const AstarReachable *reach, int x, int y);
// How near to (x, y) a unit of some size comes, of what can be reached, by the finder's distance,
// at most rings->nearest; with a 'range', not -1, whether it comes within so many columns and rows,
// which leaves that finite. False where the work is used up before.
bool astar_reachable_look(AstarReachable *reach, int x, int y, int size, int range,
                          AstarRings *rings, int64_t *work);

// Whether all the unit covers at (x, y) lies inside the grid and is ground it can enter; blocks do
// not count, which may be the unit itself.
bool astar_can_stand(const AstarFinder *finder, int x, int y);
// Whether the unit would stand on blocks there that could be in its way, and on nothing else that
// bars it. Of one no wider than a cell that can be, past a corner, only where step_cost is asked or
// 'bends' count.
bool astar_covers_block(const AstarFinder *finder, int x, int y, bool bends);
// Takes note that the unit stands at (x, y), where the query begins: blocks that it covers there
// are itself and must not be in its way.
AstarStatus astar_stand(AstarSearch *search, int x, int y, bool bends);
// Takes that back.
void astar_unstand(AstarSearch *search);

#endif
