// roads.h -- A better lower bound of the remaining cost on a map with some cheap ground, such as
// roads.

#ifndef ASTAR_ROADS_H
#define ASTAR_ROADS_H

#include "finder/finder.h"

// How far the pages of a map, blocks of 8 x 8 cells, are from cheap ground. Ground is cheap if it
// costs less than 'costly'.
//
// Let c0 be the lowest cost, c1 = 'costly', o the length of a walk from a cell n to the goal g
// without obstacles, and D the length of such a walk from a cell to the nearest cheap cell. A route
// that enters no cheap cell costs at least c1 * o. Any other route first walks to a cheap cell, at
// least D(n) long, and enters dear cells by all these steps but the last, which is at most
// 'diagonal' long. After the last cheap cell it enters dear cells only, on at least D(g). All its
// steps cost at least c0 per length, and its length is at least o. So the remaining cost is at
// least
//
//     h(n) = min(c1 * o, c0 * o + (c1 - c0) * (max(0, D(n) - diagonal) + D(g))).
//
// For all cells of a page, 'far' holds a lower bound of D, from the distances between pages. The
// bound is admissible. It is not consistent, since it changes in jumps from page to page, so a
// search must open a closed cell again when it finds a cheaper way to it.
//
// Two other bounds were tried. Boxes around the cheap cells of 16 x 16 cells, through one of which
// a route enters cheap ground and through one of which it leaves it, led to 0.9 times as many
// expansions with one road and 1.4 times as many with a network of roads. The exact distances on
// the map without obstacles led to a quarter of the expansions, but take longer than the search.
typedef struct AstarRoads {
    float *far;     // for each page, a lower bound of the length of a walk to cheap ground
    bool *are;      // for each page, whether it has cheap ground
    uint32_t pages; // number of entries of 'far' and 'are'
    uint32_t count; // number of pages with cheap ground
    int columns, rows;
    double costly;    // lowest cost of ground that is not cheap; INFINITY: no bound is known
    double diagonal;  // length of the longest step
    uint64_t cheaper; // number of cheap cells that can be entered
    uint64_t seen;    // 1 + version of the grid that the entries belong to; 0: none
    uint64_t changes; // number of changes of 'far' or 'costly'
    bool is_cheap[ASTAR_MAX_TERRAINS];
} AstarRoads;

// Brings the bound of a finder up to date with the map. Returns NULL if there is none: the map has
// no cheap ground or too much of it, a search would not use the bound, or memory ran out.
const AstarRoads *astar_roads_update(AstarFinder *finder);
// Returns the length of the shortest walk, without obstacles, from (x, y) to a cheap cell, 0 if
// there is none.
double astar_roads_length_from(const AstarFinder *finder, const AstarRoads *roads, int x, int y);
// Returns true if more than 128 cheap cells lie close together, as roads do: three or more on each
// page that has any, on average. Brings the bound up to date.
bool astar_roads_are_lines(AstarFinder *finder);
// Returns the number of changes of the bound since the finder was made.
uint64_t astar_roads_changes(const AstarFinder *finder);
void astar_roads_free(const AstarAllocator *allocator, AstarRoads *roads);

#endif
