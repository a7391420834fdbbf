// path.h -- builds paths and computes their cells, length and bends. path.c describes how a path is
// stored.

#ifndef ASTAR_PATH_H
#define ASTAR_PATH_H

#include "base/alloc.h"
#include "base/line.h"
#include "finder/costs.h"
#include "finder/finder.h"

// Empties a path and drops what is known about its costs. Its points will be allocated by
// 'allocator'.
void astar_path_clear(AstarPath *path, const AstarAllocator *allocator);
// Empties the path and reserves room for the given number of points. If memory runs out, returns
// ASTAR_NO_MEMORY and leaves the path unchanged.
AstarStatus astar_path_renew(AstarPath *path, size_t points, const AstarAllocator *allocator);
// Empties a path that is to be built from 'model', such as a smoothed version. The path keeps the
// query, algorithm and goal of 'model'.
void astar_path_begin(AstarPath *path, const AstarPath *model, const AstarAllocator *allocator);
// Returns the bytes of the path's points and links.
size_t astar_path_bytes(const AstarPath *path);
// Makes 'copy' equal to a path. The points of the copy are allocated by the allocator of the
// original.
AstarStatus astar_path_copy(const AstarPath *path, AstarPath *copy);
// Makes 'to' equal to a path, in the memory of 'to' if it is large enough and from the same
// allocator.
AstarStatus astar_path_assign(const AstarPath *path, AstarPath *to);
// Replaces a path by a newly built one; the old path is destroyed.
void astar_path_replace(AstarPath *path, const AstarPath *built);
// Reserves room for the given number of points.
AstarStatus astar_path_reserve(AstarPath *path, size_t points);
// Adds a point that lies 'cells' cells after the last point. If the line to the point continues the
// last leg, that leg is lengthened instead.
AstarStatus astar_path_add(AstarPath *path, int x, int y, int cells);
// Adds a point that lies 'cells' cells after the last point, if the line to the point has another
// direction than the last leg.
static inline AstarStatus astar_path_add_turned(AstarPath *path, int x, int y, int cells)
{
    if (path->count == path->capacity)
        return astar_path_add(path, x, y, cells);
    path->cells += cells;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
    return ASTAR_OK;
}
// Adds the cell that a link leads to. If the path is built from its end, adds the cell where the
// link begins.
AstarStatus astar_path_add_link(AstarPath *path, int x, int y, uint32_t label);
// Reverses the order of the points.
void astar_path_turn(AstarPath *path);
// Stores the goal cell of the path's query, even if the path ends elsewhere.
void astar_path_goal(const AstarPath *path, int *x, int *y);
// Computes the length of the line through the points.
void astar_path_measure(AstarPath *path);
// Returns the cost of all bends by a finder's options. If an angle has no cost of its own, a bend
// of this angle costs as much as one of the next larger angle.
double astar_path_bend_cost(const AstarPath *path, const AstarOptions *options);

// Returns the turn, in the unit of astar_turn(), between the legs before and after a point. At the
// first point it is the turn from the heading of the path's query to the first leg. The last point
// has no turn.
int astar_path_bend_at(const AstarPath *path, int point);
// Returns the cost of the bend at a point of the path. This cost is part of the cost of the step
// after the bend.
double astar_path_bend_cost_at(const AstarPath *path, int point, const AstarOptions *options);

// Returns the number of the last point that is at, or before, the cell 'index' of the path.
int astar_path_leg(const AstarPath *path, int index);
// Returns the line along which the leg number 'leg' leads from its first point to the next. A link
// has no cells between its ends.
AstarLine astar_path_line(const AstarPath *path, int leg);
// Returns a cursor whose next cell is the cell at 'index'.
AstarPathCursor astar_path_cursor_at(const AstarPath *path, int index);

// The function below straightens a path by removing needless turns.

// Removes zigzags from a path that the finder found step by step. The path's cost stays the same to
// the last bit. The finder's tables must be up to date, and it must have no callbacks.
void astar_take_out_zigzags(AstarPath *path, const AstarFinder *finder);

#endif
