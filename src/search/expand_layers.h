// expand_layers.h -- the successors of a cell on a grid with more to it than its ground.

#ifndef ASTAR_EXPAND_LAYERS_H
#define ASTAR_EXPAND_LAYERS_H

#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/search.h"

// Whether the finder needs this expansion.
static inline bool astar_finder_is_layered(const AstarFinder *finder)
{
    return finder->options.avoid != NULL || astar_grid_has_walls(finder->grid);
}

// The legal steps out of a cell whose free neighbours are 'free', walls considered; 'backward', of
// the steps that lead here.
static inline unsigned astar_layers_legal_moves(const AstarFinder *finder, int x, int y,
                                                unsigned free, bool backward)
{
    AstarDiagonals rule = finder->options.diagonals;
    return astar_grid_has_walls(finder->grid)
               ? astar_legal_moves_past_walls(finder->grid, rule, x, y, free, backward)
               : astar_legal_moves(rule, free);
}

// As astar_expand, for a finder without callbacks.
void astar_expand_layers(const AstarSearch *search, const AstarFront *front, uint32_t cell,
                         AstarSuccessor successors[ASTAR_DIRECTIONS], int *count);

#endif
