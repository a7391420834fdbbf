// world_finder.h -- finders of a world. A finder is one kind of unit, how it moves over the world,
// and the squares that were measured for that unit.

#ifndef ASTAR_WORLD_FINDER_H
#define ASTAR_WORLD_FINDER_H

#include "finder/finder.h"
#include "map/field.h"
#include "parts/world/plots.h"
#include "parts/world/world.h"

struct AstarWorldFinder {
    uint32_t references;
    AstarWorld *world;
    AstarFinder *finder; // a finder of the world's palette, whose tables are up to date
    AstarWorldFinder *next;
    const AstarCornerRule *rule;
    bool leads_back; // true if each step that the corner rule allows can also be made backward
    // True if canonical ordering applies, so that 'worth' is valid for the corner rule.
    bool is_canonical;
    int size, spacing;
    double cost[256]; // cost of each terrain, not rounded
    // Rounded costs of a straight step (0) and a diagonal step (1) into each terrain.
    double step[2][256];
    double least; // least cost of a straight step into any terrain
    AstarHeuristic heuristic;
    // The directions that canonical ordering keeps for a cell over ground of one cost, as bits. The
    // first index is the direction of arrival, and the second one has a bit for each free
    // neighbour. The last row is for the start, where there is no direction of arrival.
    uint8_t worth[ASTAR_DIRECTIONS + 1][256];
    AstarPlots squares;
    // The field that the finder avoids, or NULL. The next members are the cell of the world where
    // the field begins, the weight of the field's values, and the version of the field for which
    // squares were measured.
    AstarField *field;
    int32_t field_x, field_y;
    double field_weight;
    uint64_t field_version;
};

// If the avoided field has changed, records an edit of the world for its changed cells.
void astar_world_finder_sync(AstarWorldFinder *finder);

// Returns true if the units of a finder cannot enter absent chunks.
static inline bool astar_has_frontier(const AstarWorldFinder *finder)
{
    return isinf(finder->step[0][ASTAR_UNKNOWN_GROUND]);
}

// Returns a lower bound of the cost between two cells over paths without links.
static inline double astar_world_estimate(const AstarWorldFinder *finder, int32_t x0, int32_t y0,
                                          int32_t x1, int32_t y1)
{
    return astar_estimate(&finder->heuristic, x1 - x0, y1 - y0);
}

#endif
