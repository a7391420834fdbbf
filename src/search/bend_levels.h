// bend_levels.h -- Finds the fewest bends of a route from the start to each cell, whatever the
// route costs.
//
// fewest_bends.c limits the directions of travel so that every route by these directions is a
// cheapest one. priced_bends.c uses the numbers of bends as an estimate.

#ifndef ASTAR_BEND_LEVELS_H
#define ASTAR_BEND_LEVELS_H

#include "finder/finder.h"

enum {
    // The greatest number of bends that the search counts. A cell that needs more bends is reported
    // as a cell that needs one bend more than this number.
    ASTAR_MOST_LEVEL = 126
};

// A rectangle of cells, given by its north-west and its south-east cell, which both belong to it.
typedef struct AstarLevelBox {
    int left, top, right, bottom;
} AstarLevelBox;

// Prepares the search for the cells of a box, by steps in a set of directions. Cells beside the
// left and right edge of the box may be searched as well. Returns false if there is no memory.
bool astar_levels_begin(AstarSearch *search, unsigned directions, AstarLevelBox box);
// Continues the search and subtracts the work done from '*expansions'. Returns ASTAR_OK if the
// search has reached the goal and 'beyond' levels more, or if it cannot reach more cells; otherwise
// ASTAR_RUNNING.
AstarStatus astar_levels_run(AstarSearch *search, unsigned beyond, uint64_t *expansions);
// Returns a lower bound of the bends of a route from the start to (x, y); the number is exact if
// the search has reached the cell. A route that leaves the cell in a direction that is not in
// '*headings' has at least one bend more. Returns UINT32_MAX for a cell outside the box.
uint32_t astar_levels_at(const AstarSearch *search, int x, int y, unsigned *headings);
// Returns true if the search has reached (x, y).
bool astar_levels_reached(const AstarSearch *search, int x, int y);
// Moves '*x' and '*y' from a cell that the search has reached, other than the start, back along the
// last leg of a route with the fewest bends. The new cell is the one where this leg begins.
void astar_levels_back(const AstarSearch *search, int *x, int *y);

// Frees the memory of the search, unless it is small enough to be kept for the next search.
void astar_levels_rest(AstarSearch *search);
void astar_levels_free(AstarSearch *search);
size_t astar_levels_bytes(const AstarSearch *search);

#endif
