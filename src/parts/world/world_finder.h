// world_finder.h -- how one kind of unit moves over a world, and what was measured for it.

#ifndef ASTAR_WORLD_FINDER_H
#define ASTAR_WORLD_FINDER_H

#include "finder/finder.h"
#include "map/field.h"
#include "parts/world/plots.h"
#include "parts/world/world.h"

struct AstarWorldFinder {
    uint32_t references;
    AstarWorld *world;
    AstarFinder *finder; // of the palette, up to date
    AstarWorldFinder *next;
    const AstarCornerRule *rule;
    bool leads_back;   // every step that the rule allows
    bool is_canonical; // 'worth' is known of the rule
    int size, spacing;
    double cost[256];    // of each kind of ground
    double step[2][256]; // into each kind of ground: straight, diagonal; rounded
    double least;        // of the straight ones
    AstarHeuristic heuristic;
    // Over ground of one cost: the steps worth following, by the direction of arrival and the free
    // cells around.
    uint8_t worth[ASTAR_DIRECTIONS + 1][256]; // the last: from nowhere
    AstarPlots squares;
    // What it avoids, NULL: nothing; where its first cell lies, what its values are multiplied by,
    // and which version of it squares were measured by.
    AstarField *field;
    int32_t field_x, field_y;
    double field_weight;
    uint64_t field_version;
};

// Has cells of the field that it avoids, if they have changed since, be as edited ones.
void astar_world_finder_sync(AstarWorldFinder *finder);

// Whether chunks that are not there end the way.
static inline bool astar_has_frontier(const AstarWorldFinder *finder)
{
    return isinf(finder->step[0][ASTAR_UNKNOWN_GROUND]);
}

// What the way between two cells costs at least, but over links.
static inline double astar_world_estimate(const AstarWorldFinder *finder, int32_t x0, int32_t y0,
                                          int32_t x1, int32_t y1)
{
    return astar_estimate(&finder->heuristic, x1 - x0, y1 - y0);
}

#endif
