// square_edges.c -- which of the distances between the nodes of a square are kept.
//
// Those that no other node lies on the way of: the rest are sums of those.

#include "world/squares.h"

#include "base/array.h"
#include "openlist/heap.h"

enum { CHOICES_AT_ONCE = 64, COST_UNIT_BITS = 8 };

// How much dearer a way over several nodes may be that stands for a way past them. By 1.02 as
// walked 3 of 10,000 routes through rooms are over 2 % longer than the best, by 1.06 8.
static const double ROUND_ABOUT = 1.05;

// Chooses the unit of costs: a power of two, about a 256th of the cheapest step, or what the
// dearest way needs to stay within 16 bits, but at most a quarter of that step: what costs still
// more, amid what is feared much, is told as the dearest that there is.
static void choose_unit(AstarSquare *square)
{
    size_t ways = (size_t)square->count * square->count;
    double most = 0;
    for (size_t i = 0; i < ways; i++)
        most = !isinf(square->rows[i]) && square->rows[i] > most ? square->rows[i] : most;
    int exponent;
    frexp(square->finder->least, &exponent);
    square->unit = ldexp(1, exponent - 1 - COST_UNIT_BITS);
    most = fmin(most, ldexp(UINT16_MAX, exponent - 3));
    while (most > square->unit * UINT16_MAX)
        square->unit *= 2;
}

static AstarStatus keep_edge(AstarSquare *square, uint32_t to, double cost)
{
    if (!ASTAR_RESERVE(&square->finder->world->allocator, square->edges, square->edge_count, 1u,
                       &square->edge_capacity, 64))
        return ASTAR_NO_MEMORY;
    double told = fmin(ceil(cost / square->unit), UINT16_MAX) * square->unit;
    square->edges[square->edge_count++] = (AstarSquareEdge){told, to};
    return ASTAR_OK;
}

// Whether one of the edges kept out of a node leads to another on a best way, or on one that costs
// but a little more for every bit that it comes nearer: so all ways stay within that little.
static bool is_on_the_way(const AstarSquare *square, uint32_t from, uint32_t to, double distance)
{
    for (uint32_t edge = square->first[from]; edge < square->edge_count; edge++) {
        const double *row = square->rows + (size_t)square->edges[edge].to * square->count;
        if (square->edges[edge].cost <= ROUND_ABOUT * (distance - fabs(row[to])))
            return true;
    }
    return false;
}

// Keeps of the distances from one node those that are no sums of others, the nearest first. Where a
// square is symmetric the way back is kept, too: its distance is marked by its sign.
static AstarStatus choose_edges(AstarSquare *square, uint32_t from, AstarHeap *heap)
{
    const AstarAllocator *allocator = &square->finder->world->allocator;
    const double *row = square->rows + (size_t)from * square->count;
    astar_heap_clear(heap);
    if (!astar_heap_reserve(heap, allocator, square->count))
        return ASTAR_NO_MEMORY;
    for (uint32_t to = 0; to < square->count; to++) {
        bool is_dropped = square->is_symmetric && to < from && row[to] > 0;
        if (to != from && !is_dropped && !isinf(row[to]))
            astar_heap_push(heap, astar_open(fabs(row[to]), 0, to));
    }
    square->edge_count = square->first[from];
    while (astar_heap_count(heap) > 0) {
        uint32_t to = astar_open_cell(astar_heap_pop(heap));
        double distance = fabs(row[to]);
        if (!(square->is_symmetric && to < from) && is_on_the_way(square, from, to, distance))
            continue;
        if (square->is_symmetric)
            square->rows[(size_t)to * square->count + from] = -distance;
        AstarStatus status = keep_edge(square, to, distance);
        if (status != ASTAR_OK)
            return status;
    }
    square->first[from + 1] = square->edge_count;
    return ASTAR_OK;
}

// Keeps the nodes and their edges in one piece, three or four bytes an edge.
static AstarStatus pack_edges(AstarSquare *square)
{
    const AstarAllocator *allocator = &square->finder->world->allocator;
    uint32_t count = square->count, edges = square->edge_count;
    bool is_short = astar_has_short_ends(square);
    square->packed = astar_alloc(allocator, astar_square_packed_bytes(square), 1);
    if (square->packed == NULL)
        return ASTAR_NO_MEMORY;
    void *first = square->packed;
    uint16_t *costs = astar_square_costs(square), *ends = costs + edges, *places = costs - count;
    for (uint32_t node = 0; node <= count; node++)
        if (is_short)
            ((uint16_t *)first)[node] = (uint16_t)square->first[node];
        else
            ((uint32_t *)first)[node] = square->first[node];
    for (uint32_t node = 0; node < count; node++)
        places[node] = square->places[node];
    for (uint32_t i = 0; i < edges; i++) {
        costs[i] = (uint16_t)(square->edges[i].cost / square->unit);
        if (is_short)
            ((uint8_t *)ends)[i] = (uint8_t)square->edges[i].to;
        else
            ends[i] = (uint16_t)square->edges[i].to;
    }
    astar_square_drop_unpacked(square);
    square->places = places;
    return ASTAR_OK;
}

AstarStatus astar_square_choose_edges(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    AstarHeap heap = {0};
    AstarStatus status = ASTAR_OK;
    uint32_t all = 2 * square->count;
    if (square->unit == 0)
        choose_unit(square);
    for (int i = 0; status == ASTAR_OK && i < CHOICES_AT_ONCE && square->rows_done < all; i++) {
        status = choose_edges(square, square->rows_done - square->count, &heap);
        square->rows_done += status == ASTAR_OK;
    }
    astar_heap_free(&heap, &world->allocator);
    if (status != ASTAR_OK)
        return status;
    if (square->rows_done < all)
        return ASTAR_RUNNING;
    status = pack_edges(square);
    square->is_built = status == ASTAR_OK;
    return status;
}
