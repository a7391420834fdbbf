// route_expand.c -- what a route's search does with one node.
//
// What a node needs is built before it is taken off the open list, piece by piece: so a step can be
// broken off anywhere, by a budget or by the host. By floods nothing is built (route_boundaries.c).

#include "world/route_searching.h"

// The squares whose edges out of a node are to be followed.
typedef struct Crossed {
    AstarSquare *squares[4];
    AstarRouteSquare *seen[4];
    int nodes[4];
    int count;
} Crossed;

static AstarStatus need_crossed(AstarRouteSearch *search, int32_t i, int32_t j,
                                const AstarRouteNode *node, Crossed *crossed, void *context)
{
    AstarSquare *square;
    AstarStatus status = astar_square_need(search->finder, i, j, context, &square);
    astar_route_note_square(search, i, j);
    if (status != ASTAR_OK)
        return status;
    int at = astar_square_node(square, node->x, node->y);
    status = astar_route_come_to(search, square, &crossed->seen[crossed->count]);
    if (status != ASTAR_OK || at == ASTAR_NO_PLACE)
        return status;
    crossed->squares[crossed->count] = square;
    crossed->nodes[crossed->count++] = at;
    return ASTAR_OK;
}

// Has all squares built that a node is to be expanded in.
static AstarStatus need_squares(AstarRouteSearch *search, const AstarRouteNode *node,
                                Crossed *crossed, void *context)
{
    AstarStatus status = ASTAR_OK;
    AstarSquares in = astar_squares_of(node->x, node->y);
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++)
            status = need_crossed(search, i, j, node, crossed, context);
    return status;
}

bool astar_route_is_frontier_best(AstarRouteSearch *search)
{
    if (search->end.frontier == UINT32_MAX || search->open.count == 0)
        return search->end.frontier != UINT32_MAX;
    const AstarRouteNode *node = &search->tree.nodes[astar_open_cell(search->open.items[0])];
    const AstarRouteReach *best = &search->floods.boundaries.frontier;
    return node->g + astar_route_left(search, node->x, node->y) >
           best->g + astar_route_left(search, best->x, best->y);
}

// Follows the edges out of the node that is the 'k'th of those crossed.
static AstarStatus follow_edges(AstarRouteSearch *search, uint32_t number, const Crossed *crossed,
                                int k)
{
    const AstarSquare *square = crossed->squares[k];
    uint32_t *numbers = crossed->seen[k]->numbers, node = (uint32_t)crossed->nodes[k];
    double g = search->tree.nodes[number].g;
    AstarRouteReach here = {
        .x = search->tree.nodes[number].x, .y = search->tree.nodes[number].y, .g = g};
    if ((square->places[node] & ASTAR_AT_FRONTIER) != 0 && astar_route_note_frontier(search, here))
        search->end.frontier = number;
    AstarStatus status = ASTAR_OK;
    const uint16_t *costs = astar_square_costs(square);
    uint32_t last = astar_square_first(square, node + 1);
    for (uint32_t edge = astar_square_first(square, node); edge < last; edge++) {
        uint32_t to = astar_square_to(square, edge);
        double way = g + costs[edge] * square->unit;
        if (numbers[to] == 0)
            status = astar_route_number(search, astar_square_x(square, to),
                                        astar_square_y(square, to), &numbers[to]);
        if (status != ASTAR_OK)
            return status;
        if (way < search->tree.nodes[numbers[to] - 1].g)
            astar_route_improve(search, numbers[to] - 1, way, number, ASTAR_LEG_SQUARE);
    }
    return ASTAR_OK;
}

// Whether an end of a link can be stood on: its node is there. Its squares need not be built for
// the way over it: they are when it is expanded, and there is no such node where it cannot.
static AstarStatus follow_links(AstarRouteSearch *search, uint32_t number)
{
    const AstarWorld *world = search->finder->world;
    int32_t x = search->tree.nodes[number].x, y = search->tree.nodes[number].y;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = astar_world_links_from(world, x, y);
         i < world->link_count && world->links[i].x0 == x && world->links[i].y0 == y &&
         status == ASTAR_OK;
         i++) {
        const AstarLink *link = &world->links[i];
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        status = astar_route_reach(search, link->x1, link->y1, search->tree.nodes[number].g + cost,
                                   number, ASTAR_LEG_LINK);
    }
    return status;
}

// Follows the legs between an end and the nodes near it.
static AstarStatus follow_end_legs(AstarRouteSearch *search, uint32_t number)
{
    AstarRouteNode node = search->tree.nodes[number];
    AstarStatus status = ASTAR_OK;
    if (number == 0)
        for (size_t i = 0; i < search->from_start.count && status == ASTAR_OK; i++) {
            const AstarEndLeg *leg = &search->from_start.legs[i];
            status = astar_route_reach(search, leg->x, leg->y, node.g + leg->cost, 0,
                                       ASTAR_LEG_SQUARE);
        }
    bool is_near = abs(search->gx - node.x) <= ASTAR_CHUNK_SIDE &&
                   abs(search->gy - node.y) <= ASTAR_CHUNK_SIDE;
    for (size_t i = 0; is_near && i < search->to_goal.count && status == ASTAR_OK; i++) {
        const AstarEndLeg *leg = &search->to_goal.legs[i];
        if (leg->x == node.x && leg->y == node.y)
            status = astar_route_reach(search, search->gx, search->gy, node.g + leg->cost, number,
                                       ASTAR_LEG_SQUARE);
    }
    return status;
}

// Whether the unit can stand where a link ends, for which some square must have a node; start and
// goal are cells of their own.
static bool is_of_square(const AstarRouteSearch *search, const AstarRouteNode *node, bool is_there)
{
    return is_there || node->kind != ASTAR_LEG_LINK ||
           (node->x == search->gx && node->y == search->gy);
}

static AstarStatus expand_route_node(AstarRouteSearch *search, uint32_t number,
                                     const Crossed *crossed)
{
    AstarStatus status = ASTAR_OK;
    if (!is_of_square(search, &search->tree.nodes[number], crossed->count > 0)) {
        search->end.has_seen_frontier |= astar_route_is_absent(search, search->tree.nodes[number].x,
                                                               search->tree.nodes[number].y);
        return ASTAR_OK;
    }
    for (int k = 0; k < crossed->count && status == ASTAR_OK; k++)
        status = follow_edges(search, number, crossed, k);
    if (status == ASTAR_OK)
        status = follow_links(search, number);
    return status == ASTAR_OK ? follow_end_legs(search, number) : status;
}

AstarStatus astar_route_advance(AstarRouteSearch *search, void *context)
{
    if (search->open.count == 0)
        return ASTAR_OK;
    uint32_t number = astar_open_cell(search->open.items[0]);
    AstarRouteNode node = search->tree.nodes[number];
    if (node.x == search->gx && node.y == search->gy && !search->is_goal_absent) {
        search->end.last = number;
        return ASTAR_OK;
    }
    Crossed crossed = {.count = 0};
    AstarStatus status = need_squares(search, &node, &crossed, context);
    if (status != ASTAR_OK)
        return status;
    astar_indexed_heap_drop(&search->open);
    search->tree.nodes[number].closed = true;
    status = expand_route_node(search, number, &crossed);
    if (status != ASTAR_OK) { // it is expanded once more, before all others
        search->tree.nodes[number].closed = false;
        astar_indexed_heap_put(&search->open, astar_open(0, 0, number));
        return status;
    }
    search->expanded++;
    return ASTAR_RUNNING;
}
