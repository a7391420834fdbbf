// route_nodes.c -- the nodes a route's search has come to, by their cells, and its open list.
//
// Ties break by the order in which nodes are met, which depends on the world and the question, not
// on what was built before.

#include "world/route_searching.h"

#include "base/array.h"

enum { LEAST_NODES = 256 };

// Over nodes what is left counts as so much more: edges between them may cost that much more, too
// (square_edges.c), and of all ways that are about as good few are followed then. Across open
// ground that is a twentieth; in caves an eighth less than with 1.01, for routes as short.
static const double LEANING = 1.02;

uint32_t astar_route_slot(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    uint64_t key = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = search->tree.slot_count - 1, slot = (uint32_t)(key >> 40) & mask;
    while (search->tree.slots[slot] != 0) {
        const AstarRouteNode *node = &search->tree.nodes[search->tree.slots[slot] - 1];
        if (node->x == x && node->y == y)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static AstarStatus reserve_route_node(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    if (!ASTAR_RESERVE(allocator, search->tree.nodes, search->tree.count, 1u,
                       &search->tree.capacity, LEAST_NODES) ||
        !astar_indexed_heap_reserve(&search->open, allocator, (uint32_t)search->tree.capacity))
        return ASTAR_NO_MEMORY;
    if (2 * (search->tree.count + 1) <= search->tree.slot_count)
        return ASTAR_OK;
    uint32_t wanted = search->tree.slot_count > 0 ? 2 * search->tree.slot_count : 2 * LEAST_NODES;
    uint32_t *slots = astar_alloc(allocator, wanted, sizeof *slots);
    if (slots == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(allocator, search->tree.slots, search->tree.slot_count, sizeof *slots);
    search->tree.slots = slots;
    search->tree.slot_count = wanted;
    for (uint32_t i = 0; i < search->tree.count; i++)
        slots[astar_route_slot(search, search->tree.nodes[i].x, search->tree.nodes[i].y)] = i + 1;
    return ASTAR_OK;
}

double astar_route_rest(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    double weight = search->floods.is_on ? search->question.weight : LEANING;
    return weight * fmin(astar_route_left(search, x, y), astar_route_left_over_links(search, x, y));
}

AstarStatus astar_route_number(AstarRouteSearch *search, int32_t x, int32_t y, uint32_t *number)
{
    AstarStatus status = reserve_route_node(search);
    if (status != ASTAR_OK)
        return status;
    uint32_t *slot = &search->tree.slots[astar_route_slot(search, x, y)];
    if (*slot == 0) {
        search->tree.nodes[search->tree.count] = (AstarRouteNode){
            .x = x, .y = y, .g = (double)INFINITY, .rest = astar_route_rest(search, x, y)};
        *slot = ++search->tree.count;
    }
    *number = *slot;
    return ASTAR_OK;
}

void astar_route_improve(AstarRouteSearch *search, uint32_t at, double g, uint32_t parent,
                         AstarLegKind kind)
{
    AstarRouteNode *node = &search->tree.nodes[at];
    node->g = g;
    node->parent = parent;
    node->kind = (uint8_t)kind;
    node->closed = false;
    astar_indexed_heap_put(&search->open, astar_open(g + node->rest, g, at));
}

AstarStatus astar_route_reach(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind)
{
    uint32_t number;
    AstarStatus status = astar_route_number(search, x, y, &number);
    if (status != ASTAR_OK)
        return status;
    if (g < search->tree.nodes[number - 1].g)
        astar_route_improve(search, number - 1, g, parent, kind);
    return ASTAR_OK;
}

void astar_route_note_square(AstarRouteSearch *search, int32_t i, int32_t j)
{
    int32_t side = ASTAR_CHUNK_SIDE, more = side + search->finder->size;
    search->been = astar_cells_joined(
        search->been,
        (AstarWorldEdit){i * side - 1, j * side - 1, i * side + more, j * side + more});
}

// ---- in squares ----
//
// A search follows some fifty edges for each node that it comes to: so a node is looked up by its
// cell but once in each square that it lies in, and has a number there from then on.
//
// A search that comes to more squares than the world's bytes can hold goes on as one with a weight
// does (route_boundaries.c): A* comes back to all of them again and again. Which they are depends
// on the world and the question alone.

// The part of the world's bytes that they may take; the rest is for chunks.
static const double SQUARES_OF_BYTES = 0.75;

AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarPlots *squares = &search->squares_seen.plots;
    size_t before = squares->count;
    *out = (AstarRouteSquare *)astar_plots_need(squares, allocator, square->plot.i, square->plot.j,
                                                sizeof **out + square->count * sizeof(uint32_t));
    if (squares->count > before)
        search->squares_seen.bytes += astar_square_packed_bytes(square);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

bool astar_route_is_too_much(const AstarRouteSearch *search)
{
    return (double)search->squares_seen.bytes >
           SQUARES_OF_BYTES * (double)search->finder->world->options.bytes;
}

void astar_route_forget_squares(AstarRouteSearch *search)
{
    astar_plots_free(&search->squares_seen.plots, &search->finder->world->allocator);
    search->squares_seen.bytes = 0;
}
