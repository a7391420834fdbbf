// square_edges.c -- which of the distances between the nodes of a square are kept.
//
// Those that no other node lies on the way of: the rest are sums of those.

#include "world/square_building.h"

#include "base/array.h"
#include "openlist/heap.h"

enum { CHOICES_AT_ONCE = 64, COST_UNIT_BITS = 8 };

// How much dearer a way over several nodes may be that stands for a way past them: of what was
// measured that leaves half to be kept, and is less than what nodes a few cells off cost anyway.
static const double ROUND_ABOUT = 1.02;

// Chooses the unit of costs: a power of two, about a 256th of the cheapest step, or what the
// dearest way needs to stay within 16 bits.
static void choose_unit(AstarSquare *square)
{
    size_t ways = (size_t)square->count * square->count;
    double most = 0;
    for (size_t i = 0; i < ways; i++)
        most = !isinf(square->rows[i]) && square->rows[i] > most ? square->rows[i] : most;
    int exponent;
    frexp(square->finder->least, &exponent);
    square->unit = ldexp(1, exponent - 1 - COST_UNIT_BITS);
    while (most > square->unit * UINT16_MAX)
        square->unit *= 2;
}

// What is told of a cost: no less, in the units that it is kept in.
static double told_cost(const AstarSquare *square, double cost)
{
    return ceil(cost / square->unit) * square->unit;
}

static AstarStatus keep_edge(AstarSquare *square, uint32_t to, double cost)
{
    if (square->edge_count == square->edge_capacity) {
        AstarWorld *world = square->finder->world;
        size_t capacity = square->edge_capacity, wanted = capacity < 32 ? 64 : capacity * 3 / 2;
        uint16_t *ends = astar_alloc(&world->allocator, wanted, sizeof *ends);
        double *costs = astar_alloc(&world->allocator, wanted, sizeof *costs);
        if (ends == NULL || costs == NULL) {
            astar_release(&world->allocator, ends, wanted, sizeof *ends);
            astar_release(&world->allocator, costs, wanted, sizeof *costs);
            return ASTAR_NO_MEMORY;
        }
        if (capacity > 0) {
            memcpy(ends, square->to, capacity * sizeof *ends);
            memcpy(costs, square->cost, capacity * sizeof *costs);
        }
        astar_release(&world->allocator, square->to, capacity, sizeof *ends);
        astar_release(&world->allocator, square->cost, capacity, sizeof *costs);
        world->bytes += (wanted - capacity) * (sizeof *ends + sizeof *costs);
        square->to = ends;
        square->cost = costs;
        square->edge_capacity = (uint32_t)wanted;
    }
    square->to[square->edge_count] = (uint16_t)to;
    square->cost[square->edge_count++] = told_cost(square, cost);
    return ASTAR_OK;
}

// Whether one of the edges kept out of a node leads to another on a best way, or on one that costs
// but a little more for every bit that it comes nearer: so all ways stay within that little.
static bool is_on_the_way(const AstarSquare *square, uint32_t from, uint32_t to, double distance)
{
    for (uint32_t edge = square->first[from]; edge < square->edge_count; edge++) {
        const double *row = square->rows + (size_t)square->to[edge] * square->count;
        if (square->cost[edge] <= ROUND_ABOUT * (distance - fabs(row[to])))
            return true;
    }
    return false;
}

// Keeps an edge; where a square is symmetric the way back, too, whose distance is marked by its
// sign.
static AstarStatus keep_both_ways(AstarSquare *square, uint32_t from, uint32_t to, double distance)
{
    if (square->is_symmetric)
        square->rows[(size_t)to * square->count + from] = -distance;
    return keep_edge(square, to, distance);
}

// Keeps of the distances from one node those that are no sums of others, the nearest first.
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
        bool is_kept = square->is_symmetric && to < from;
        if (!is_kept && is_on_the_way(square, from, to, distance))
            continue;
        AstarStatus status = keep_both_ways(square, from, to, distance);
        if (status != ASTAR_OK)
            return status;
    }
    square->first[from + 1] = square->edge_count;
    return ASTAR_OK;
}

// Cuts the room for nodes to what they need.
static void trim_nodes(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    size_t capacity = square->capacity;
    if (square->count == 0 || square->count == capacity)
        return;
    uint32_t *places = astar_array_resize(&world->allocator, square->places, square->count,
                                          sizeof *places, &capacity, square->count);
    if (places == NULL)
        return;
    world->bytes -= (square->capacity - capacity) * sizeof *places;
    square->places = places;
    square->capacity = (uint32_t)capacity;
}

static void drop_unpacked(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    size_t capacity = square->edge_capacity;
    astar_release(&world->allocator, square->to, capacity, sizeof *square->to);
    astar_release(&world->allocator, square->cost, capacity, sizeof *square->cost);
    world->bytes -= capacity * (sizeof *square->to + sizeof *square->cost);
    square->to = NULL;
    square->cost = NULL;
    square->edge_capacity = 0;
}

// Keeps the edges in three or four bytes each.
static void pack_edges(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    size_t count = square->edge_count, bytes = astar_square_packed_bytes(square);
    uint16_t *packed = astar_alloc(&world->allocator, bytes, 1);
    if (packed == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        packed[i] = (uint16_t)(square->cost[i] / square->unit);
        if (astar_has_short_ends(square))
            ((uint8_t *)(packed + count))[i] = (uint8_t)square->to[i];
        else
            packed[count + i] = square->to[i];
    }
    drop_unpacked(square);
    square->packed = packed;
    world->bytes += bytes;
}

// If there is no memory for less room, nodes and edges keep what they have.
static void end_choice(AstarSquare *square)
{
    astar_square_end_rows(square);
    trim_nodes(square);
    if (square->edge_count > 0)
        pack_edges(square);
    square->is_built = true;
}

AstarStatus astar_square_choose_edges(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    AstarHeap heap = {0};
    AstarStatus status = ASTAR_OK;
    if (square->unit == 0)
        choose_unit(square);
    for (int i = 0; i < CHOICES_AT_ONCE && square->rows_done < 2 * square->count; i++) {
        status = choose_edges(square, square->rows_done - square->count, &heap);
        if (status != ASTAR_OK)
            break;
        square->rows_done++;
    }
    astar_heap_free(&heap, &world->allocator);
    if (status != ASTAR_OK)
        return status;
    if (square->rows_done < 2 * square->count)
        return ASTAR_RUNNING;
    end_choice(square);
    return ASTAR_OK;
}
