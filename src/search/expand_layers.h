// expand_layers.h -- the successors of a cell on a grid with more to it than its ground.

#ifndef ASTAR_EXPAND_LAYERS_H
#define ASTAR_EXPAND_LAYERS_H

#include "map/links_and_walls.h"
#include "search/search.h"

// Whether the finder needs this expansion.
static inline bool astar_finder_is_layered(const AstarFinder *finder)
{
    return finder->options.avoid != NULL || astar_grid_has_walls(finder->grid);
}

// As astar_expand, for a finder without callbacks.
void astar_expand_layers(const AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count);

#endif
