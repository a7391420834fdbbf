// repair.h -- a path is checked against its map, repaired, or led to a goal that has moved.
//
// Each function takes a search that the caller has taken for it and not started: its callbacks may
// then leave by longjmp, and what was allocated for them still has an owner.

#ifndef ASTAR_REPAIR_H
#define ASTAR_REPAIR_H

#include "search/search.h"
#include "search/sight.h"

// Walks the path step by step: what it costs now, or the index of the first cell that cannot be
// stepped on, or to which the unit's body cannot go along the line, and an infinite cost; '*bad' is
// -1 where there is none. Where a link between
// neighbours is gone, a step leads on. Only from the cell at 'first' on, whose terrain must still
// bear the unit; bends are not counted.
AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad);

// The same in slices.
typedef struct AstarWalk {
    AstarPathCursor cursor;
    int index, x, y; // of the cell it has come to
    AstarLeg leg;    // that it goes along
    bool has_leg;
    double sums[2], links;
    double cost; // once it is over; INFINITY before
    int bad;
} AstarWalk;

enum { ASTAR_WORK_A_STEP = 4 }; // in cells, and callbacks

// ASTAR_RUNNING, or ASTAR_OK where there is no first step.
AstarStatus astar_walk_begin(AstarSearch *search, const AstarPath *path, int first,
                             AstarWalk *walk);
// Goes on while the work lasts: ASTAR_RUNNING while there are more steps. A callback may break that
// off.
AstarStatus astar_walk_on(AstarSearch *search, AstarWalk *walk, int64_t *work);

// Walks the path from the cell at 'first' to the one at 'last', bends counted, as long as that
// costs at most 'most': stores the index of the cell it comes to and what it costs up to there, and
// in
// '*bad' the index of a cell that it cannot step on, or -1.
AstarStatus astar_walk_within(AstarSearch *search, const AstarPath *path, int first, int last,
                              double most, int *reached, double *cost, int *bad);

// Whether one step of the path can be made now, that from the cell at 'index' to the next one, or
// back from there; the unit may be where it is.
AstarStatus astar_walk_one_step(AstarSearch *search, const AstarPath *path, int index, bool back,
                                bool *may_go);

// Makes another path of one; 'out' is one to be built.
typedef AstarStatus (*AstarRework)(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out);
// Adds a cell to which a link of the path being reworked led from the last one, its label that; as
// a step where there is no link now and that is all it takes.
AstarStatus astar_add_link_now(const AstarFinder *finder, AstarPath *out, int x, int y,
                               uint32_t label);

// Where the part of a path that begins at a point ends: the point that a link leads on from, or the
// last one.
int astar_part_end(const AstarPath *path, int first);
// Copies that part as a path of its own.
AstarStatus astar_cut_part(const AstarPath *path, int first, int last,
                           const AstarAllocator *allocator, AstarPath *part);
// Adds a reworked part after its first cell, which is there already where it is not the first part,
// and the link that leads on.
AstarStatus astar_append_part(const AstarFinder *finder, const AstarPath *path, int first, int last,
                              const AstarPath *reworked, AstarPath *out);

// ---- a path that edits have broken, repaired ----

// Makes 'out' a path from the cell at 'from' of 'path' to where that one was to lead. Takes a
// search that the caller has taken for it and not started.
AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out);
// What of a path to another goal is kept: as much as can be, then less.
typedef struct AstarKept {
    struct {
        int last; // cell of it
        double cost;
    } parts[2];
    int count;         // of those
    double most;       // that all may cost; INFINITY: anything
    uint64_t expanded; // in vain
} AstarKept;

// The same, but one of these parts is kept, all of which can be walked; anew where none will do.
AstarStatus astar_repair_end(AstarSearch *search, const AstarPath *path, int from, AstarKept *kept,
                             AstarPath *out);
// A path to another goal that costs at most 'bound' times the best; see repair.c.
AstarStatus astar_retarget(AstarSearch *search, const AstarPath *path, int from, AstarCell goal,
                           double bound, AstarPath *out);
// As astar_repair, but as what the search's steps are for; ASTAR_RUNNING, or ASTAR_NO_MEMORY.
AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                  bool optimal, uint64_t at_once);

#endif
