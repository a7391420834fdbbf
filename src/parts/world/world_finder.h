// world_finder.h -- a finder of a world: how one kind of unit moves over it, and the squares that
// were measured for that unit.

#ifndef ASTAR_WORLD_FINDER_H
#define ASTAR_WORLD_FINDER_H

#include "finder/finder.h"
#include "map/field.h"
#include "parts/world/plots.h"
#include "parts/world/world.h"

struct AstarWorldFinder {
    uint32_t references;
    AstarWorld *world;
    AstarFinder *finder; // a finder of the palette, up to date
    AstarWorldFinder *next;
    const AstarCornerRule *rule;
    bool leads_back;   // each step that the rule allows can also be made backward
    bool is_canonical; // 'worth' is valid for the rule
    int size, spacing;
    double cost[256]; // cost of each terrain
    // Rounded cost of a straight and of a diagonal step into each terrain.
    double step[2][256];
    double least; // least cost of a straight step
    AstarHeuristic heuristic;
    // The steps worth following over ground of one cost (canonical ordering), by the direction of
    // arrival and the free cells around.
    // The last row is for the start, where there is no direction of arrival.
    uint8_t worth[ASTAR_DIRECTIONS + 1][256];
    AstarPlots squares;
    // The field that the finder avoids, or NULL. The cell of the world where the field begins. The
    // weight of the field's values. The version of the field for which squares were measured.
    AstarField *field;
    int32_t field_x, field_y;
    double field_weight;
    uint64_t field_version;
};

// Records an edit of the world for the cells of the avoided field that have changed.
void astar_world_finder_sync(AstarWorldFinder *finder);

// Returns true if units cannot enter absent chunks.
static inline bool astar_has_frontier(const AstarWorldFinder *finder)
{
    return isinf(finder->step[0][ASTAR_UNKNOWN_GROUND]);
}

// Returns a lower bound of the cost between two cells, for ways without links.
static inline double astar_world_estimate(const AstarWorldFinder *finder, int32_t x0, int32_t y0,
                                          int32_t x1, int32_t y1)
{
    return astar_estimate(&finder->heuristic, x1 - x0, y1 - y0);
}

#endif
