// upper_squares.c -- squares of the upper level: 8 x 8 of those below, the nodes on their lines,
// and distances over the squares inside.

#include "world/square_building.h"

#include "openlist/heap.h"

enum { UPPER_ROWS_AT_ONCE = 16, BELOW = 8 };

// The nodes of the 8 x 8 squares inside an upper one, numbered by place, and their edges.
typedef struct LowerGraph {
    AstarSquare *squares[BELOW * BELOW];
    uint32_t *places; // of the nodes in the upper square, ascending
    uint32_t count, capacity;
    uint32_t *first; // of each node's edges, and one more
    uint32_t *to;
    double *cost;
    uint32_t edge_count;
    double *g;
    AstarHeap heap;
} LowerGraph;

static void free_lower_graph(LowerGraph *graph, const AstarAllocator *allocator)
{
    astar_release(allocator, graph->places, graph->capacity, sizeof *graph->places);
    astar_release(allocator, graph->g, graph->capacity, sizeof *graph->g);
    astar_release(allocator, graph->first, (size_t)graph->capacity + 1, sizeof *graph->first);
    astar_release(allocator, graph->to, graph->edge_count, sizeof *graph->to);
    astar_release(allocator, graph->cost, graph->edge_count, sizeof *graph->cost);
    astar_heap_free(&graph->heap, allocator);
}

// Has all squares below built; they stay until the world's next use.
static AstarStatus need_lower(const AstarSquare *square, LowerGraph *graph, void *context)
{
    for (int k = 0; k < BELOW * BELOW; k++) {
        AstarStatus status = astar_square_need(
            square->finder, 0, square->plot.i * BELOW + k % BELOW,
            square->plot.j * BELOW + k / BELOW, context, &graph->squares[k]);
        if (status != ASTAR_OK) {
            graph->squares[k] = NULL;
            return status;
        }
    }
    return ASTAR_OK;
}

// The place in an upper square of a node of one below.
static uint32_t place_above(const AstarSquare *upper, const AstarSquare *lower, uint32_t node)
{
    int32_t side = astar_side_of_level(1);
    int32_t column = astar_square_x(lower, node) - upper->plot.i * side;
    int32_t row = astar_square_y(lower, node) - upper->plot.j * side;
    return (uint32_t)row * (uint32_t)(side + 1) + (uint32_t)column;
}

static int order_of_places(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

static uint32_t number_of_place(const LowerGraph *graph, uint32_t place)
{
    uint32_t first = 0, last = graph->count;
    while (last - first > 1) {
        uint32_t middle = (first + last) / 2;
        if (graph->places[middle] <= place)
            first = middle;
        else
            last = middle;
    }
    return first;
}

// Numbers the nodes of all squares below.
static void number_nodes(const AstarSquare *upper, LowerGraph *graph)
{
    uint32_t listed = 0;
    for (int k = 0; k < BELOW * BELOW; k++)
        for (uint32_t node = 0; node < graph->squares[k]->count; node++)
            graph->places[listed++] = place_above(upper, graph->squares[k], node);
    qsort(graph->places, listed, sizeof *graph->places, order_of_places);
    for (uint32_t i = 0; i < listed; i++)
        if (graph->count == 0 || graph->places[graph->count - 1] != graph->places[i])
            graph->places[graph->count++] = graph->places[i];
}

// Puts the edges of a square below among all; 'at' is where the next one of each node goes.
static void put_lower_edges(const AstarSquare *upper, LowerGraph *graph, const AstarSquare *lower,
                            uint32_t *at)
{
    uint32_t numbers[ASTAR_MOST_LOWER_NODES];
    for (uint32_t node = 0; node < lower->count; node++)
        numbers[node] = number_of_place(graph, place_above(upper, lower, node));
    for (uint32_t node = 0; node < lower->count; node++)
        for (uint32_t edge = lower->first[node]; edge < lower->first[node + 1]; edge++) {
            uint32_t put = at[numbers[node]]++;
            graph->to[put] = numbers[lower->to[edge]];
            graph->cost[put] = astar_square_cost(lower, edge);
        }
}

// Adds up where the edges of each node begin.
static void place_lower_edges(const AstarSquare *upper, LowerGraph *graph)
{
    for (int k = 0; k < BELOW * BELOW; k++) {
        const AstarSquare *lower = graph->squares[k];
        for (uint32_t node = 0; node < lower->count; node++) {
            uint32_t number = number_of_place(graph, place_above(upper, lower, node));
            graph->first[number + 1] += lower->first[node + 1] - lower->first[node];
        }
    }
    for (uint32_t i = 0; i < graph->count; i++)
        graph->first[i + 1] += graph->first[i];
}

// Makes one graph of all squares below.
static AstarStatus join_lower(const AstarSquare *upper, LowerGraph *graph)
{
    const AstarAllocator *allocator = &upper->finder->world->allocator;
    size_t nodes = 1, edges = 1;
    for (int k = 0; k < BELOW * BELOW; k++) {
        nodes += graph->squares[k]->count;
        edges += graph->squares[k]->edge_count;
    }
    graph->capacity = (uint32_t)nodes;
    graph->edge_count = (uint32_t)edges;
    graph->places = astar_alloc(allocator, nodes, sizeof *graph->places);
    graph->g = astar_alloc(allocator, nodes, sizeof *graph->g);
    graph->first = astar_alloc(allocator, nodes + 1, sizeof *graph->first);
    graph->to = astar_alloc(allocator, edges, sizeof *graph->to);
    graph->cost = astar_alloc(allocator, edges, sizeof *graph->cost);
    if (graph->places == NULL || graph->g == NULL || graph->first == NULL || graph->to == NULL ||
        graph->cost == NULL)
        return ASTAR_NO_MEMORY;
    number_nodes(upper, graph);
    place_lower_edges(upper, graph);
    for (int k = 0; k < BELOW * BELOW; k++)
        put_lower_edges(upper, graph, graph->squares[k], graph->first);
    // Each has come to where the next one's begin.
    memmove(graph->first + 1, graph->first, graph->count * sizeof *graph->first);
    graph->first[0] = 0;
    return ASTAR_OK;
}

// Whether a cell inside an upper square is an end of a link.
static bool is_end_of_link(const AstarWorld *world, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        if ((link->x0 == x && link->y0 == y) || (link->x1 == x && link->y1 == y))
            return true;
    }
    return false;
}

// Takes the nodes below that lie on the lines of an upper square, ends of links, and those beside
// what is not there.
static AstarStatus list_upper_nodes(AstarSquare *square, const LowerGraph *graph)
{
    int32_t side = astar_side_of_level(1);
    square->count = 0;
    for (int k = 0; k < BELOW * BELOW; k++)
        for (uint32_t node = 0; node < graph->squares[k]->count; node++) {
            const AstarSquare *lower = graph->squares[k];
            uint32_t flag = lower->places[node] & ASTAR_AT_FRONTIER;
            int32_t x = astar_square_x(lower, node), y = astar_square_y(lower, node);
            int column = x - square->plot.i * side, row = y - square->plot.j * side;
            bool is_on_line = column == 0 || row == 0 || column == side || row == side;
            if (!is_on_line && flag == 0 && !is_end_of_link(square->finder->world, x, y))
                continue;
            AstarStatus status = astar_square_add_node(square, column, row, flag);
            if (status != ASTAR_OK)
                return status;
            if (square->count > ASTAR_MOST_NODES) {
                square->count = 0;
                square->is_too_large = true;
                return ASTAR_OK;
            }
        }
    return ASTAR_OK;
}

// Whether a node of an upper square lies on a place.
static bool is_node_of(const AstarSquare *square, uint32_t place)
{
    uint32_t node = astar_square_first_node(square, place);
    return node < square->count && astar_square_place(square, node) == place;
}

static AstarStatus relax_lower(LowerGraph *graph, const AstarAllocator *allocator, uint32_t node,
                               double way)
{
    if (way >= graph->g[node])
        return ASTAR_OK;
    graph->g[node] = way;
    if (!astar_heap_reserve(&graph->heap, allocator, 1))
        return ASTAR_NO_MEMORY;
    astar_heap_push(&graph->heap, astar_open(way, 0, node));
    return ASTAR_OK;
}

// Distances from one node below until the nodes of an upper square from 'first' on are settled.
static AstarStatus settle_lower(const AstarSquare *square, LowerGraph *graph, uint32_t from,
                                uint32_t first)
{
    const AstarAllocator *allocator = &square->finder->world->allocator;
    astar_heap_clear(&graph->heap);
    for (uint32_t i = 0; i < graph->count; i++)
        graph->g[i] = (double)INFINITY;
    AstarStatus status = relax_lower(graph, allocator, from, 0);
    uint32_t left = square->count - first;
    while (status == ASTAR_OK && left > 0 && astar_heap_count(&graph->heap) > 0) {
        AstarOpen item = astar_heap_pop(&graph->heap);
        uint32_t number = astar_open_cell(item);
        double g = astar_open_f(item);
        if (g != graph->g[number])
            continue;
        uint32_t place = graph->places[number];
        left -= place >= astar_square_place(square, first) && is_node_of(square, place);
        for (uint32_t edge = graph->first[number];
             edge < graph->first[number + 1] && status == ASTAR_OK; edge++)
            status = relax_lower(graph, allocator, graph->to[edge], g + graph->cost[edge]);
    }
    return status;
}

// Distances from one node of an upper square, over the squares inside it.
static AstarStatus measure_upper_row(AstarSquare *square, LowerGraph *graph)
{
    uint32_t from = square->rows_done, first = square->is_symmetric ? from : 0;
    AstarStatus status = settle_lower(
        square, graph, number_of_place(graph, astar_square_place(square, from)), first);
    double *row = square->rows + (size_t)from * square->count;
    for (uint32_t to = first; status == ASTAR_OK && to < square->count; to++)
        row[to] = graph->g[number_of_place(graph, astar_square_place(square, to))];
    if (square->is_symmetric)
        astar_square_mirror_row(square, from);
    return status;
}

static AstarStatus measure_upper(AstarSquare *square, LowerGraph *graph)
{
    AstarStatus status = join_lower(square, graph);
    if (status == ASTAR_OK && !square->is_listed) {
        square->is_symmetric = true;
        for (int k = 0; k < BELOW * BELOW; k++)
            square->is_symmetric &= graph->squares[k]->is_symmetric;
        status = list_upper_nodes(square, graph);
        if (status == ASTAR_OK)
            status = astar_square_begin_rows(square);
    }
    for (int i = 0; status == ASTAR_OK && i < UPPER_ROWS_AT_ONCE; i++) {
        if (square->rows_done == square->count)
            return astar_square_choose_edges(square);
        status = measure_upper_row(square, graph);
        square->rows_done += status == ASTAR_OK;
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

AstarStatus astar_square_build_upper(AstarSquare *square, void *context)
{
    if (square->is_listed && square->rows_done >= square->count)
        return astar_square_choose_edges(square);
    LowerGraph graph = {0};
    AstarStatus status = need_lower(square, &graph, context);
    if (status == ASTAR_OK)
        status = measure_upper(square, &graph);
    free_lower_graph(&graph, &square->finder->world->allocator);
    return status;
}
