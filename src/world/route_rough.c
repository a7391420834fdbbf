// route_rough.c -- how a search with a weight crosses a chunk: what it needs is measured on the
// way.
//
// A route that may cost more is found by looking at little more than the chunks it leads through.
// To measure between all nodes of those would take longer than to search: so there is one flood for
// each node that is expanded, and nothing is kept of it. That does not depend on what was measured
// for others, and neither does the answer.

#include "world/cutout_flood.h"
#include "world/route_searching.h"
#include "world/square_building.h"

AstarStatus astar_route_list_square(AstarRouteSearch *search, int32_t i, int32_t j, void *context,
                                    AstarSquare **out)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    AstarSquare *square = &search->listed;
    AstarCutout *cutout = search->finder->world->cutout;
    square->finder = search->finder;
    square->plot = (AstarPlot){.i = i, .j = j, .kind = 1};
    *out = square;
    astar_route_note_square(search, 0, i, j);
    AstarStatus status = astar_cutout_fill(cutout, search->finder, i * SIDE, j * SIDE, SIDE + 1,
                                           SIDE + 1, (AstarLifted){0, 0, 0}, context);
    return status == ASTAR_OK ? astar_square_list_nodes(square, cutout) : status;
}

void astar_route_free_listed(AstarRouteSearch *search)
{
    AstarWorld *world = search->finder->world;
    AstarSquare *square = &search->listed;
    world->bytes -= square->capacity * sizeof *square->places;
    astar_release(&world->allocator, square->places, square->capacity, sizeof *square->places);
}

// Follows the ways from a node to all others of the square that was laid out and listed last.
static AstarStatus flood_square(AstarRouteSearch *search, uint32_t number)
{
    size_t cells[ASTAR_MOST_LOWER_NODES];
    AstarRouteNode node = search->nodes[number];
    const AstarSquare *square = &search->listed;
    AstarCutout *cutout = search->finder->world->cutout;
    for (uint32_t i = 0; i < square->count; i++)
        cells[i] = astar_cutout_at(cutout, astar_square_x(square, i), astar_square_y(square, i));
    AstarStatus status = astar_cutout_flood_to(cutout, node.x, node.y,
                                               (AstarWantedCells){cells, square->count});
    for (uint32_t i = 0; i < square->count && status == ASTAR_OK; i++) {
        int32_t x = astar_square_x(square, i), y = astar_square_y(square, i);
        double way = cutout->g[cells[i]];
        if (isinf(way))
            continue;
        status = astar_route_reach(search, x, y, node.g + way, number, ASTAR_LEG_LOWER);
        if (status == ASTAR_OK && (square->places[i] & ASTAR_AT_FRONTIER) != 0)
            search->nodes[search->slots[astar_route_slot(search, x, y)] - 1].is_at_frontier = true;
    }
    return status;
}

// The bit of a square among those that a node lies in; 0: it does not.
static unsigned bit_of_square(const AstarRouteNode *node, int32_t i, int32_t j)
{
    AstarSquares in = astar_squares_of(0, node->x, node->y);
    bool is_in = i >= in.i0 && i <= in.i1 && j >= in.j0 && j <= in.j1;
    return is_in ? 1u << (i - in.i0 + 2 * (j - in.j0)) : 0;
}

// Whether a node was reached by a flood of a square: then so were all others of it, no dearer.
static bool was_flooded(const AstarRouteSearch *search, const AstarRouteNode *node, int32_t i,
                        int32_t j)
{
    const AstarRouteNode *parent = &search->nodes[node->parent];
    unsigned flooded = 0;
    if (node->kind != ASTAR_LEG_LOWER || node->parent == 0)
        return false;
    AstarSquares in = astar_squares_of(0, node->x, node->y);
    for (int32_t row = in.j0; row <= in.j1; row++)
        for (int32_t column = in.i0; column <= in.i1; column++)
            flooded |= parent->flooded & bit_of_square(parent, column, row);
    return flooded == bit_of_square(parent, i, j) && flooded != 0;
}

AstarStatus astar_route_cross(AstarRouteSearch *search, uint32_t number, int32_t i, int32_t j,
                              void *context, uint32_t *flags)
{
    AstarSquare *square;
    AstarRouteNode node = search->nodes[number];
    if (was_flooded(search, &node, i, j))
        return ASTAR_OK;
    AstarStatus status = astar_route_list_square(search, i, j, context, &square);
    int at = status == ASTAR_OK ? astar_square_node(square, node.x, node.y) : ASTAR_NO_PLACE;
    if (at == ASTAR_NO_PLACE)
        return status;
    *flags |= square->places[at] | ASTAR_IS_ABOVE;
    search->nodes[number].flooded |= (uint8_t)bit_of_square(&node, i, j);
    return flood_square(search, number);
}
