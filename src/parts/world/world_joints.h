// world_joints.h -- the links and walls of a world.

#ifndef ASTAR_WORLD_JOINTS_H
#define ASTAR_WORLD_JOINTS_H

#include "map/grid.h"

// Returns the index of the first link that leads from a cell. If no link does, returns the index
// where such a link would be inserted.
uint32_t astar_world_links_from(const AstarWorld *world, int32_t x, int32_t y);

#endif
