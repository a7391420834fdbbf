// repair.h -- checks a path against its map, repairs it, or leads it to a goal that has moved.
//
// The caller of each function takes a search from the workspace and does not start it. A callback
// may then leave the function by longjmp, and the memory allocated still has an owner.

#ifndef ASTAR_REPAIR_H
#define ASTAR_REPAIR_H

#include "search/search.h"
#include "search/sight.h"

// Walks along the path, step by step, from the cell at 'first' on. Stores the current cost of that
// part of the path, without bends. If a cell cannot be entered, or the unit's body cannot follow
// the line to that cell, '*bad' is the index of the first such cell and the cost is INFINITY;
// otherwise '*bad' is -1. A link that was removed is replaced by a step if its ends are neighbours.
// The terrain of the first cell must still allow the unit.
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

enum { ASTAR_WORK_A_STEP = 4 }; // work of a step in cells, callbacks included

// Begins a walk along a path at the cell 'first'. Returns ASTAR_RUNNING, or ASTAR_OK if the unit
// cannot be at that cell.
AstarStatus astar_walk_begin(AstarSearch *search, const AstarPath *path, int first,
                             AstarWalk *walk);
// Continues a walk while the work budget lasts. Returns ASTAR_RUNNING if steps are left. A callback
// may interrupt the walk.
AstarStatus astar_walk_on(AstarSearch *search, AstarWalk *walk, int64_t *work);

// Walks along the path from the cell at 'first' to the cell at 'last', while the cost, bends
// included, is at most 'most'. Stores the index of the last cell reached, the cost up to that cell,
// and in '*bad' the index of a cell that cannot be entered, or -1.
AstarStatus astar_walk_within(AstarSearch *search, const AstarPath *path, int first, int last,
                              double most, int *reached, double *cost, int *bad);

// Stores in '*may_go' whether the step from the cell at 'index' to the next cell is legal now. If
// 'back' is true, judges the step in the opposite direction instead. A block on the unit's own cell
// is ignored.
AstarStatus astar_walk_one_step(AstarSearch *search, const AstarPath *path, int index, bool back,
                                bool *may_go);

// A function that makes a new path 'out' from another path.
typedef AstarStatus (*AstarRework)(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out);
// Adds to the path 'out' the cell that a link of another path leads to. The link gets the label
// that it has on the map now. If the link is gone and the cells are one step apart, adds a step.
AstarStatus astar_add_link_now(const AstarFinder *finder, AstarPath *out, int x, int y,
                               uint32_t label);

// Returns the last point of the part of a path that begins at the point 'first': the point where
// the next link begins, or the last point of the path.
int astar_part_end(const AstarPath *path, int first);
// Copies the points 'first' to 'last' of a path to 'part', as a path of its own. The points lie
// between two links.
AstarStatus astar_cut_part(const AstarPath *path, int first, int last,
                           const AstarAllocator *allocator, AstarPath *part);
// Appends a reworked part to 'out', and the link after the part. Unless it is the first part, the
// first cell of the part is in 'out' already.
AstarStatus astar_append_part(const AstarFinder *finder, const AstarPath *path, int first, int last,
                              const AstarPath *reworked, AstarPath *out);

// The functions below repair a path that edits have broken.

// Makes 'out' a path from the cell at 'from' of 'path' to the goal of 'path'. The search must come
// from the workspace and must not be started.
AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out);
// The parts of a path that may be kept while it is led to another goal, the longest part first.
typedef struct AstarKept {
    struct {
        int last; // index of its last cell
        double cost;
    } parts[2];
    int count;         // number of parts
    double most;       // the greatest cost of the new path; INFINITY: no limit
    uint64_t expanded; // expansions of searches that were given up
} AstarKept;

// Makes 'out' a path as astar_repair does, but keeps one of the parts in 'kept', all of which can
// be walked. If no part is good enough, a new search runs from the cell at 'from'.
AstarStatus astar_repair_end(AstarSearch *search, const AstarPath *path, int from, AstarKept *kept,
                             AstarPath *out);
// Makes 'out' a path to another goal that costs at most 'bound' times as much as the best one; see
// repair.c.
AstarStatus astar_retarget(AstarSearch *search, const AstarPath *path, int from, AstarCell goal,
                           double bound, AstarPath *out);
// Starts a repair in steps, as the continuation of the search. Returns ASTAR_RUNNING or
// ASTAR_NO_MEMORY.
AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                  bool optimal, uint64_t at_once);

#endif
