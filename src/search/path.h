// path.h -- building a path.

#ifndef ASTAR_PATH_H
#define ASTAR_PATH_H

#include "base/alloc.h"
#include "base/line.h"
#include "finder/costs.h"
#include "finder/finder.h"

// Empties the path and lets its points come from 'allocator'.
void astar_path_clear(AstarPath *path, const AstarAllocator *allocator);
// The same, with room for so many points; ASTAR_NO_MEMORY, and the path as it was, without memory.
AstarStatus astar_path_renew(AstarPath *path, size_t points, const AstarAllocator *allocator);
// Empties a path that is to be made of another: what was asked, and what answered, stay the same.
void astar_path_begin(AstarPath *path, const AstarPath *model, const AstarAllocator *allocator);
// The bytes that its points and links take up.
size_t astar_path_bytes(const AstarPath *path);
// Makes 'copy' equal to a path; its points come from the allocator of that.
AstarStatus astar_path_copy(const AstarPath *path, AstarPath *copy);
// The same, in the memory that 'to' has, where that is enough and of the same allocator.
AstarStatus astar_path_assign(const AstarPath *path, AstarPath *to);
// Puts a newly built path in the place of another, which is destroyed.
void astar_path_replace(AstarPath *path, const AstarPath *built);
// Makes room for so many points.
AstarStatus astar_path_reserve(AstarPath *path, size_t points);
// Adds a point 'cells' cells after the last one; where a leg goes straight on it is lengthened.
AstarStatus astar_path_add(AstarPath *path, int x, int y, int cells);
// Adds the cell that a link leads to, or comes from where the path is gathered from its end.
AstarStatus astar_path_add_link(AstarPath *path, int x, int y, uint32_t label);
// Turns the points round.
void astar_path_turn(AstarPath *path);
// The cell that the path was to lead to, wherever it ends.
void astar_path_goal(const AstarPath *path, int *x, int *y);
// Works out the length of the line through the points.
void astar_path_measure(AstarPath *path);
// What the bends come to by a finder's own options, those at any angle as the next larger ones.
double astar_path_bend_cost(const AstarPath *path, const AstarOptions *options);

// Returns the turn, as astar_turn() counts it, between the legs before and after a point. At the
// first point that is the turn from the heading in the path's question to the first leg. The last
// point has none.
int astar_path_bend_at(const AstarPath *path, int point);
// What the bend at one of its points costs, which the step from there on pays for.
double astar_path_bend_cost_at(const AstarPath *path, int point, const AstarOptions *options);

// A cursor before the cell at 'index'.
AstarPathCursor astar_path_cursor_at(const AstarPath *path, int index);

// ---- routes that turn no more often than they need to, where that costs nothing ----

// Takes zigzags out of a path by steps that the finder, whose tables are current, has found: its
// cost stays the same, bit for bit. For finders without callbacks.
void astar_take_out_zigzags(AstarPath *path, const AstarFinder *finder);

#endif
