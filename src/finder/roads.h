// roads.h -- A better lower bound of the remaining cost on a map with some cheap ground, such as
// roads.

#ifndef ASTAR_ROADS_H
#define ASTAR_ROADS_H

#include "finder/finder.h"

// The distances of the pages of a map (blocks of 8 x 8 cells) from cheap ground. Ground is cheap if
// it costs less than 'costly'.
//
// Let c0 be the lowest cost, c1 = 'costly', o the length of a walk from a cell n to the goal g
// without obstacles, and D the length of such a walk from a cell to the nearest cheap cell. A route
// that enters no cheap cell costs at least c1 * o. Any other route begins with a walk to a cheap
// cell, of length D(n) or more. All steps of this walk enter cells that are not cheap, except the
// last step, whose length is at most 'diagonal'. After its last cheap cell the route enters only
// cells that are not cheap, over a length of D(g) or more. All steps of the route cost at least c0
// per unit of length, and its length is at least o. The remaining cost is therefore at least
//
//     h(n) = min(c1 * o, c0 * o + (c1 - c0) * (max(0, D(n) - diagonal) + D(g))).
//
// For all cells of a page, 'far' holds a lower bound of D, from the distances between pages. The
// bound is admissible. The bound is not consistent, because it changes abruptly from page to page.
// Therefore a search must open a closed cell again when it finds a cheaper path to the cell.
//
// Two other bounds were tried and rejected. The first bound used, for each block of 16 x 16 cells,
// the smallest box around its cheap cells: a route enters cheap ground in some box and leaves it in
// some box. With this bound a search made 0.9 times as many expansions on maps with one road, and
// 1.4 times as many on maps with a network of roads. The second bound used the exact distances on
// the map without obstacles. With this bound a search made a quarter of the expansions, but
// computing the distances took longer than the search.
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

// Brings the bound of a finder up to date with the map. Returns NULL if there is no bound: the map
// has no cheap ground or too much of it, searches of the finder cannot use the bound, or memory ran
// out.
const AstarRoads *astar_roads_update(AstarFinder *finder);
// Returns the length of the shortest walk, without obstacles, from (x, y) to a cheap cell. Returns
// 0 if there is no cheap cell.
double astar_roads_length_from(const AstarFinder *finder, const AstarRoads *roads, int x, int y);
// Returns true if the map has more than 128 cheap cells and they lie close together, as in roads:
// the pages with cheap cells have three or more of them on average. Brings the bound up to date.
bool astar_roads_are_lines(AstarFinder *finder);
// Returns the number of changes of the bound since the finder was made.
uint64_t astar_roads_changes(const AstarFinder *finder);
void astar_roads_free(const AstarAllocator *allocator, AstarRoads *roads);

#endif
