// square_edges.c -- which of the distances between the nodes of a square are kept.
//
// Those that no other node lies on the way of: the rest are sums of those.

#include "world/square_building.h"

#include "base/array.h"
#include "openlist/heap.h"

enum { CHOICES_AT_ONCE = 64 };

// How much dearer a way over several nodes may be that stands for a way past them: of what was
// measured that leaves half to be kept, and is less than what nodes a few cells off cost anyway.
static const double ROUND_ABOUT = 1.02;

static bool is_exact_square(const AstarSquare *square)
{
    return square->finder->spacing == 1;
}

// What is told of a cost: no less, in the precision that it is kept in.
static double told_cost(const AstarSquare *square, double cost)
{
    float rough = (float)cost;
    if (rough < cost)
        rough = nextafterf(rough, INFINITY);
    return is_exact_square(square) ? cost : rough;
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
    double lenience = is_exact_square(square) ? 1 : ROUND_ABOUT;
    for (uint32_t edge = square->first[from]; edge < square->edge_count; edge++) {
        const double *row = square->rows + (size_t)square->to[edge] * square->count;
        if (square->cost[edge] <= lenience * (distance - fabs(row[to])))
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

// Cuts the room for nodes to what they need; if there is no memory for that, they keep it.
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

// Puts the costs of edges where there is room for all of them, in the precision they are told in.
static void move_costs(AstarSquare *square, void *costs)
{
    if (is_exact_square(square)) {
        square->cost = memcpy(costs, square->cost, square->edge_count * sizeof *square->cost);
        return;
    }
    square->rough = costs;
    for (size_t i = 0; i < square->edge_count; i++)
        square->rough[i] = (float)square->cost[i];
    square->cost = NULL;
}

// Cuts the room for edges to what they need; if there is no memory for that, they keep it.
static void trim_edges(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    size_t count = square->edge_count, capacity = square->edge_capacity;
    size_t size = is_exact_square(square) ? sizeof *square->cost : sizeof *square->rough;
    if (count == 0)
        return;
    uint16_t *ends = astar_alloc(&world->allocator, count, sizeof *ends);
    void *costs = astar_alloc(&world->allocator, count, size);
    if (ends == NULL || costs == NULL) {
        astar_release(&world->allocator, ends, count, sizeof *ends);
        astar_release(&world->allocator, costs, count, size);
        return;
    }
    uint16_t *old_ends = square->to;
    double *old_costs = square->cost;
    world->bytes -= capacity * astar_square_edge_bytes(square);
    square->to = memcpy(ends, old_ends, count * sizeof *ends);
    move_costs(square, costs);
    square->edge_capacity = (uint32_t)count;
    world->bytes += count * astar_square_edge_bytes(square);
    astar_release(&world->allocator, old_ends, capacity, sizeof *ends);
    astar_release(&world->allocator, old_costs, capacity, sizeof *old_costs);
}

AstarStatus astar_square_choose_edges(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    AstarHeap heap = {0};
    AstarStatus status = ASTAR_OK;
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
    astar_square_end_rows(square);
    trim_nodes(square);
    trim_edges(square);
    square->is_built = true;
    return ASTAR_OK;
}
