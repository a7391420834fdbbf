// repair.h -- checks a path against its map, repairs it, or leads it to a goal that has moved.
//
// The caller of each function takes a search from the workspace for it, without starting the
// search. A callback may then leave the function by longjmp, and the memory allocated still has an
// owner.

#ifndef ASTAR_REPAIR_H
#define ASTAR_REPAIR_H

#include "search/search.h"
#include "search/sight.h"

// Walks along the path, step by step, from the cell at 'first' on, and stores its cost now, without
// bends. If a cell cannot be entered, or the unit's body cannot follow the line to it, '*bad' is
// the index of the first such cell and the cost is INFINITY; otherwise '*bad' is -1. A link that
// was removed is replaced by a step if its ends are neighbours. The terrain of the first cell must
// still bear the unit.
AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad);

// The state of a walk in steps.
typedef struct AstarWalk {
    AstarPathCursor cursor;
    int index, x, y; // index and coordinates of the cell reached
    AstarLeg leg;    // the leg being walked
    bool has_leg;
    double sums[2], links;
    double cost; // the total cost when the walk is over; INFINITY before
    int bad;
} AstarWalk;

enum { ASTAR_WORK_A_STEP = 4 }; // in cells, callbacks included

// Begins a walk. Returns ASTAR_RUNNING, or ASTAR_OK if the first cell is bad already.
AstarStatus astar_walk_begin(AstarSearch *search, const AstarPath *path, int first,
                             AstarWalk *walk);
// Continues a walk while the work budget lasts. Returns ASTAR_RUNNING while there are more steps. A
// callback may interrupt the walk.
AstarStatus astar_walk_on(AstarSearch *search, AstarWalk *walk, int64_t *work);

// Walks along the path from the cell at 'first' to the cell at 'last', while the cost, bends
// included, is at most 'most'. Stores the index of the cell reached, the cost up to it, and in
// '*bad' the index of a cell that cannot be entered, or -1.
AstarStatus astar_walk_within(AstarSearch *search, const AstarPath *path, int first, int last,
                              double most, int *reached, double *cost, int *bad);

// Checks whether the step from the cell at 'index' to the next cell can be made now; with 'back',
// the step in the other direction. A block on the unit's own cell is ignored.
AstarStatus astar_walk_one_step(AstarSearch *search, const AstarPath *path, int index, bool back,
                                bool *may_go);

// A function that makes a path of another one; 'out' receives it.
typedef AstarStatus (*AstarRework)(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out);
// Adds the cell that a link of the reworked path leads to, with the label of that link. If the link
// is gone now and the cells are one step apart, it adds a step.
AstarStatus astar_add_link_now(const AstarFinder *finder, AstarPath *out, int x, int y,
                               uint32_t label);

// Returns the point where the part of a path that begins at a point ends: the point where a link
// begins, or the last one.
int astar_part_end(const AstarPath *path, int first);
// Copies the points 'first' to 'last' of a path, which lie between two links, as a path of their
// own.
AstarStatus astar_cut_part(const AstarPath *path, int first, int last,
                           const AstarAllocator *allocator, AstarPath *part);
// Appends a reworked part, and the link after it. Unless it is the first part, its first cell is in
// 'out' already.
AstarStatus astar_append_part(const AstarFinder *finder, const AstarPath *path, int first, int last,
                              const AstarPath *reworked, AstarPath *out);

// Repairing a path that edits have broken.

// Makes 'out' a path from the cell at 'from' of 'path' to the goal of 'path'. The search must be
// taken for this call and not started.
AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out);
// The parts of a path to another goal that may be kept: the longest first.
typedef struct AstarKept {
    struct {
        int last; // index of its last cell
        double cost;
    } parts[2];
    int count;         // number of parts
    double most;       // the greatest cost of the new path; INFINITY: no limit
    uint64_t expanded; // expansions of searches that were given up
} AstarKept;

// Makes 'out' like astar_repair, but keeps one of the parts in 'kept', all of which can be walked.
// If none is good enough, a new search is made.
AstarStatus astar_repair_end(AstarSearch *search, const AstarPath *path, int from, AstarKept *kept,
                             AstarPath *out);
// Makes a path to another goal that costs at most 'bound' times the best one; see repair.c.
AstarStatus astar_retarget(AstarSearch *search, const AstarPath *path, int from, AstarCell goal,
                           double bound, AstarPath *out);
// Starts a repair in steps, as the continuation of the search. Returns ASTAR_RUNNING or
// ASTAR_NO_MEMORY.
AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                  bool optimal, uint64_t at_once);

#endif
