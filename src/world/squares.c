// squares.c -- nodes on the lines between chunks, and true distances between those of a square.
//
// The lines x = 64 i and y = 64 j are separators: a step changes x and y by at most one, so every
// way out of a closed square leads over a cell on its lines, diagonal steps included (as in
// customizable route planning: Delling, Goldberg, Pajor and Werneck, 2011). With every free cell of
// the lines a node the graph is exact; with one in the middle of every 'spacing' cells of a run of
// free cells it is near that, and what hangs together stays so: the cells of a run are joined by
// steps along the line. The four corners are nodes always, for a diagonal step may lead over
// nothing else. Ends of links are nodes, wherever they lie, and so are cells beside chunks that are
// not there.
//
// Squares of the upper level are 8 x 8 of those: the nodes on their lines, distances over the
// squares inside.
//
// Of the distances only those stay that no other node lies on the way of: the rest are sums of
// those. What is kept depends on the world alone, not on what was built before.

#include "world/squares.h"

#include "base/array.h"
#include "openlist/heap.h"
#include "world/cutout.h"

enum { LOWER_ROWS_AT_ONCE = 32, UPPER_ROWS_AT_ONCE = 16, CHOICES_AT_ONCE = 64, BELOW = 8 };

// How much dearer a way over several nodes may be that stands for a way past them: of what was
// measured that leaves half to be kept, and is less than what nodes a few cells off cost anyway.
static const double ROUND_ABOUT = 1.02;

// ---- memory ----

static size_t edge_bytes(const AstarSquare *square)
{
    return sizeof *square->to +
           (square->rough != NULL ? sizeof *square->rough : sizeof *square->cost);
}

static size_t square_bytes(const AstarSquare *square)
{
    size_t bytes = sizeof *square;
    bytes += (size_t)square->capacity * sizeof *square->places;
    if (square->first != NULL)
        bytes += ((size_t)square->count + 1) * sizeof *square->first;
    if (square->rows != NULL)
        bytes += (size_t)square->count * square->count * sizeof *square->rows;
    return bytes + (size_t)square->edge_capacity * edge_bytes(square);
}

static void free_rows(AstarSquare *square, const AstarAllocator *allocator)
{
    astar_release(allocator, square->rows, (size_t)square->count * square->count,
                  sizeof *square->rows);
    square->rows = NULL;
}

static void empty_square(AstarSquare *square, const AstarAllocator *allocator)
{
    free_rows(square, allocator);
    astar_release(allocator, square->places, square->capacity, sizeof *square->places);
    astar_release(allocator, square->first, (size_t)square->count + 1, sizeof *square->first);
    astar_release(allocator, square->to, square->edge_capacity, sizeof *square->to);
    astar_release(allocator, square->cost, square->edge_capacity, sizeof *square->cost);
    astar_release(allocator, square->rough, square->edge_capacity, sizeof *square->rough);
    *square = (AstarSquare){.plot = square->plot, .finder = square->finder};
}

void astar_square_let_go(AstarWorld *world, AstarPlot *plot)
{
    AstarSquare *square = (AstarSquare *)plot;
    world->bytes -= square_bytes(square);
    astar_plot_unlink(plot);
    astar_plots_remove(&square->finder->squares[plot->kind - 1], plot);
    empty_square(square, &world->allocator);
    astar_release(&world->allocator, square, 1, sizeof *square);
}

static AstarSquare *make_square(AstarWorldFinder *finder, int level, int32_t i, int32_t j)
{
    AstarWorld *world = finder->world;
    AstarSquare *square = astar_alloc(&world->allocator, 1, sizeof *square);
    if (square == NULL)
        return NULL;
    square->finder = finder;
    square->plot.kind = (uint8_t)(level + 1);
    square->plot.i = i;
    square->plot.j = j;
    if (astar_plots_add(&finder->squares[level], &world->allocator, &square->plot) != ASTAR_OK) {
        astar_release(&world->allocator, square, 1, sizeof *square);
        return NULL;
    }
    world->bytes += sizeof *square;
    return square;
}

// ---- edits ----

// Lets go of the squares of a level that read any of the cells.
static void forget_level(AstarWorldFinder *finder, int level, AstarWorldEdit edit)
{
    int32_t side = astar_side_of_level(level), more = finder->size - 1;
    int32_t i0 = astar_square_of(edit.x0 - side - more + side - 1, side);
    int32_t j0 = astar_square_of(edit.y0 - side - more + side - 1, side);
    int32_t i1 = astar_square_of(edit.x1, side), j1 = astar_square_of(edit.y1, side);
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++) {
            AstarPlot *plot = astar_plots_find(&finder->squares[level], i, j);
            if (plot != NULL)
                astar_square_let_go(finder->world, plot);
        }
}

AstarWorldFinder *astar_world_finder_forget(AstarWorldFinder *finder, AstarWorldEdit edit)
{
    for (int level = 0; level < ASTAR_LEVELS; level++)
        forget_level(finder, level, edit);
    return finder->next;
}

// ---- nodes ----

static uint32_t place_on(const AstarSquare *square, uint32_t node)
{
    return square->places[node] & ~ASTAR_AT_FRONTIER;
}

// The number of the first node that is not before a place.
static uint32_t first_node_at(const AstarSquare *square, uint32_t place)
{
    uint32_t first = 0, last = square->count;
    while (first < last) {
        uint32_t middle = (first + last) / 2;
        if (place_on(square, middle) < place)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

int astar_square_node(const AstarSquare *square, int32_t x, int32_t y)
{
    int32_t side = astar_side_of_level(square->plot.kind - 1);
    int32_t column = x - square->plot.i * side, row = y - square->plot.j * side;
    uint32_t place = (uint32_t)row * (uint32_t)(side + 1) + (uint32_t)column;
    uint32_t node = first_node_at(square, place);
    return node < square->count && place_on(square, node) == place ? (int)node : ASTAR_NO_PLACE;
}

// Adds a node on a cell of the square, or a flag to the one there.
static AstarStatus add_node(AstarSquare *square, int column, int row, uint32_t flags)
{
    int32_t side = astar_side_of_level(square->plot.kind - 1);
    uint32_t place = (uint32_t)row * (uint32_t)(side + 1) + (uint32_t)column;
    uint32_t node = first_node_at(square, place);
    if (node < square->count && place_on(square, node) == place) {
        square->places[node] |= flags;
        return ASTAR_OK;
    }
    if (square->count == square->capacity) {
        size_t capacity = square->capacity;
        AstarWorld *world = square->finder->world;
        uint32_t *places = astar_array_grow(&world->allocator, square->places, square->count,
                                            sizeof *places, &capacity, 0, 16);
        if (places == NULL)
            return ASTAR_NO_MEMORY;
        world->bytes += (capacity - square->capacity) * sizeof *places;
        square->places = places;
        square->capacity = (uint32_t)capacity;
    }
    memmove(square->places + node + 1, square->places + node,
            (square->count - node) * sizeof *square->places);
    square->places[node] = place | flags;
    square->count++;
    return ASTAR_OK;
}

// A line of cells of a square, of which runs are told and nodes put.
typedef struct NodeLine {
    int column, row; // where it begins
    int dx, dy, length;
    uint32_t flags;
} NodeLine;

// Whether a step leads from a cell of a cutout to the next one of a line, and back.
static bool are_joined(AstarCutout *cutout, size_t at, NodeLine line)
{
    int there = line.dx != 0 ? 2 : 4, back = line.dx != 0 ? 6 : 0;
    size_t next = at + (line.dx != 0 ? 1 : (size_t)cutout->stride);
    return (astar_cutout_legal(cutout, at) >> there & 1) != 0 &&
           (astar_cutout_legal(cutout, next) >> back & 1) != 0;
}

static AstarStatus add_run_nodes(AstarSquare *square, NodeLine line, int begin, int length)
{
    int spacing = square->finder->spacing, pieces = (length + spacing - 1) / spacing;
    for (int i = 0; i < pieces; i++) {
        int at = begin + (2 * i + 1) * length / (2 * pieces);
        AstarStatus status = add_node(square, line.column + line.dx * at, line.row + line.dy * at,
                                      line.flags);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Puts the nodes of the runs of free cells of a line.
static AstarStatus add_line(AstarSquare *square, AstarCutout *cutout, NodeLine line)
{
    size_t step = line.dx != 0 ? 1 : (size_t)cutout->stride;
    size_t at = astar_cutout_at(cutout, cutout->x0 + line.column, cutout->y0 + line.row);
    for (int i = 0, run; i < line.length; i += run) {
        run = 1;
        if (!astar_cutout_is_open(cutout, at + (size_t)i * step))
            continue;
        while (i + run < line.length && are_joined(cutout, at + (size_t)(i + run - 1) * step, line))
            run++;
        AstarStatus status = add_run_nodes(square, line, i, run);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

static AstarStatus add_cell(AstarSquare *square, AstarCutout *cutout, int column, int row,
                            uint32_t flags)
{
    size_t at = astar_cutout_at(cutout, cutout->x0 + column, cutout->y0 + row);
    return astar_cutout_is_open(cutout, at) ? add_node(square, column, row, flags) : ASTAR_OK;
}

static AstarStatus add_lines(AstarSquare *square, AstarCutout *cutout)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    static const NodeLine lines[] = {{0, 0, 1, 0, SIDE, 0},
                                     {0, 0, 0, 1, SIDE, 0},
                                     {SIDE, 0, 0, 1, SIDE, 0},
                                     {0, SIDE, 1, 0, SIDE, 0}};
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < 4 && status == ASTAR_OK; i++)
        status = add_line(square, cutout, lines[i]);
    for (int i = 0; i < 4 && status == ASTAR_OK; i++)
        status = add_cell(square, cutout, SIDE * (i & 1), SIDE * (i >> 1), 0);
    return status;
}

static bool is_absent(const AstarWorld *world, int32_t cx, int32_t cy)
{
    const AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    return chunk == NULL || chunk->is_absent;
}

// Nodes where the unit stands beside a chunk that is not there: the last cells before it to the
// east and south; where it is the square's own, all that there are.
static AstarStatus add_frontier(AstarSquare *square, AstarCutout *cutout)
{
    const AstarWorld *world = square->finder->world;
    int32_t i = square->plot.i, j = square->plot.j;
    int last = ASTAR_CHUNK_SIDE - square->finder->size;
    uint32_t flag = ASTAR_AT_FRONTIER;
    if (is_absent(world, i, j)) {
        for (uint32_t node = 0; node < square->count; node++)
            square->places[node] |= flag;
        return ASTAR_OK;
    }
    AstarStatus status = ASTAR_OK;
    if (is_absent(world, i + 1, j))
        status = add_line(square, cutout, (NodeLine){last, 0, 0, 1, ASTAR_CHUNK_SIDE + 1, flag});
    if (status == ASTAR_OK && is_absent(world, i, j + 1))
        status = add_line(square, cutout, (NodeLine){0, last, 1, 0, ASTAR_CHUNK_SIDE + 1, flag});
    if (status == ASTAR_OK && is_absent(world, i + 1, j + 1))
        status = add_cell(square, cutout, last, last, flag);
    return status;
}

static AstarStatus add_link_ends(AstarSquare *square, AstarCutout *cutout)
{
    const AstarWorld *world = square->finder->world;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < world->link_count && status == ASTAR_OK; i++) {
        const AstarLink *link = &world->links[i];
        if (astar_cutout_holds(cutout, link->x0, link->y0))
            status = add_cell(square, cutout, link->x0 - cutout->x0, link->y0 - cutout->y0, 0);
        if (status == ASTAR_OK && astar_cutout_holds(cutout, link->x1, link->y1))
            status = add_cell(square, cutout, link->x1 - cutout->x0, link->y1 - cutout->y0, 0);
    }
    return status;
}

// Begins anew where memory ran out in the middle.
static AstarStatus list_nodes(AstarSquare *square, AstarCutout *cutout)
{
    square->count = 0;
    AstarStatus status = add_lines(square, cutout);
    if (status == ASTAR_OK)
        status = add_link_ends(square, cutout);
    if (status == ASTAR_OK && astar_has_frontier(square->finder))
        status = add_frontier(square, cutout);
    return status;
}

// ---- distances ----

// Makes room for all distances, once the nodes are listed.
static AstarStatus begin_rows(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    size_t count = square->count;
    square->first = astar_alloc(&world->allocator, count + 1, sizeof *square->first);
    if (square->first == NULL)
        return ASTAR_NO_MEMORY;
    if (count > 0) {
        square->rows = astar_alloc(&world->allocator, count * count, sizeof *square->rows);
        if (square->rows == NULL) {
            astar_release(&world->allocator, square->first, count + 1, sizeof *square->first);
            square->first = NULL;
            return ASTAR_NO_MEMORY;
        }
    }
    world->bytes += (count + 1) * sizeof *square->first + count * count * sizeof *square->rows;
    square->is_listed = true;
    return ASTAR_OK;
}

// Of the nodes from one on the way back costs what the way there does, where a square is symmetric.
static void mirror_row(AstarSquare *square, uint32_t from)
{
    for (uint32_t to = from + 1; to < square->count; to++)
        square->rows[(size_t)to * square->count + from] =
            square->rows[(size_t)from * square->count + to];
}

// Measures from one node to all others: to those after it where the square is symmetric.
static AstarStatus measure_row(AstarSquare *square, AstarCutout *cutout, const size_t *cells)
{
    uint32_t from = square->rows_done, first = square->is_symmetric ? from : 0;
    double *row = square->rows + (size_t)from * square->count;
    AstarWantedCells wanted = {cells + first, square->count - first};
    AstarStatus status = astar_cutout_flood_to(cutout, astar_square_x(square, from),
                                               astar_square_y(square, from), wanted);
    for (uint32_t to = first; status == ASTAR_OK && to < square->count; to++)
        row[to] = cutout->g[cells[to]];
    if (square->is_symmetric)
        mirror_row(square, from);
    return status;
}

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
    world->bytes -= capacity * edge_bytes(square);
    square->to = memcpy(ends, old_ends, count * sizeof *ends);
    move_costs(square, costs);
    square->edge_capacity = (uint32_t)count;
    world->bytes += count * edge_bytes(square);
    astar_release(&world->allocator, old_ends, capacity, sizeof *ends);
    astar_release(&world->allocator, old_costs, capacity, sizeof *old_costs);
}

// Goes on choosing edges; ASTAR_OK once the square is built.
static AstarStatus choose_some(AstarSquare *square)
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
    world->bytes -= (size_t)square->count * square->count * sizeof *square->rows;
    free_rows(square, &world->allocator);
    trim_nodes(square);
    trim_edges(square);
    square->is_built = true;
    return ASTAR_OK;
}

static AstarStatus measure_some_rows(AstarSquare *square, AstarCutout *cutout)
{
    size_t cells[ASTAR_MOST_LOWER_NODES];
    for (uint32_t node = 0; node < square->count; node++)
        cells[node] = astar_cutout_at(cutout, astar_square_x(square, node),
                                      astar_square_y(square, node));
    AstarStatus status = ASTAR_OK;
    for (int i = 0; status == ASTAR_OK && i < LOWER_ROWS_AT_ONCE; i++) {
        if (square->rows_done == square->count)
            return choose_some(square);
        status = measure_row(square, cutout, cells);
        square->rows_done += status == ASTAR_OK;
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Goes on building a square of chunks.
static AstarStatus build_lower(AstarSquare *square, void *context)
{
    AstarWorldFinder *finder = square->finder;
    AstarCutout *cutout = finder->world->cutout;
    enum { SIDE = ASTAR_CHUNK_SIDE };
    if (square->is_listed && square->rows_done >= square->count)
        return choose_some(square);
    AstarStatus status = astar_cutout_fill(cutout, finder, square->plot.i * SIDE,
                                           square->plot.j * SIDE, SIDE + 1, SIDE + 1,
                                           (AstarLifted){0, 0, 0}, context);
    if (status == ASTAR_OK && !square->is_listed) {
        square->is_symmetric = cutout->is_uniform;
        status = list_nodes(square, cutout);
        if (status == ASTAR_OK)
            status = begin_rows(square);
    }
    return status == ASTAR_OK ? measure_some_rows(square, cutout) : status;
}

// ---- the upper level ----

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
            AstarStatus status = add_node(square, column, row, flag);
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
    uint32_t node = first_node_at(square, place);
    return node < square->count && place_on(square, node) == place;
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
        left -= place >= place_on(square, first) && is_node_of(square, place);
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
    AstarStatus status = settle_lower(square, graph, number_of_place(graph, place_on(square, from)),
                                      first);
    double *row = square->rows + (size_t)from * square->count;
    for (uint32_t to = first; status == ASTAR_OK && to < square->count; to++)
        row[to] = graph->g[number_of_place(graph, place_on(square, to))];
    if (square->is_symmetric)
        mirror_row(square, from);
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
            status = begin_rows(square);
    }
    for (int i = 0; status == ASTAR_OK && i < UPPER_ROWS_AT_ONCE; i++) {
        if (square->rows_done == square->count)
            return choose_some(square);
        status = measure_upper_row(square, graph);
        square->rows_done += status == ASTAR_OK;
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Goes on building a square of 8 x 8 chunks.
static AstarStatus build_upper(AstarSquare *square, void *context)
{
    if (square->is_listed && square->rows_done >= square->count)
        return choose_some(square);
    LowerGraph graph = {0};
    AstarStatus status = need_lower(square, &graph, context);
    if (status == ASTAR_OK)
        status = measure_upper(square, &graph);
    free_lower_graph(&graph, &square->finder->world->allocator);
    return status;
}

AstarStatus astar_square_need(AstarWorldFinder *finder, int level, int32_t i, int32_t j,
                              void *context, AstarSquare **out)
{
    AstarWorld *world = finder->world;
    AstarSquare *square = (AstarSquare *)astar_plots_find(&finder->squares[level], i, j);
    if (square == NULL || !square->is_built) {
        AstarStatus status = astar_world_make_room(world, sizeof *square, context);
        if (status != ASTAR_OK)
            return status;
        // That may have let go of it.
        square = (AstarSquare *)astar_plots_find(&finder->squares[level], i, j);
        if (square == NULL)
            square = make_square(finder, level, i, j);
        if (square == NULL)
            return ASTAR_NO_MEMORY;
    }
    astar_plot_use(&world->recent, &square->plot, world->tick);
    *out = square;
    if (square->is_built)
        return ASTAR_OK;
    return level == 0 ? build_lower(square, context) : build_upper(square, context);
}
