// squares.c -- squares of a world: their nodes, the distances that are kept, and how squares are
// built in stages, released, and forgotten after edits.
//
// The lines of cells x = 64 i and y = 64 j are separators. A step changes x and y by at most one,
// so every path out of a square crosses a cell on its border, also by diagonal steps. (Customizable
// route planning: Delling, Goldberg, Pajor and Werneck, 2011.) The nodes of a square lie on its
// border. The distances between the nodes are measured. A distance is kept only if it is not the
// sum of other distances. The result depends on the world alone, and not on what was built before.

#include "parts/world/squares.h"

#include "base/array.h"
#include "openlist/heap.h"
#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"

// ------------------------------------------------------------------------------------------------
// The functions below choose the nodes of a square.
//
// If every free cell of the borders were a node, the graph would be exact. A run of free cells gets
// one node in the middle of every 'spacing' cells. With these nodes costs are nearly exact, and
// connectivity is preserved, because steps along the border join the cells of a run. The four
// corners are always nodes, because a diagonal step may touch no other cell of the border. The ends
// of links are nodes, wherever they lie, and so are cells next to absent chunks.
// ------------------------------------------------------------------------------------------------

enum { LINE_STEPS = ASTAR_CHUNK_SIDE, CELLS_OF_ROW = LINE_STEPS + 1 };

// The cells of a square that become nodes, and the nodes among them that lie next to absent chunks,
// one bit for each cell.
typedef struct NodeMarks {
    AstarSquare *square;
    const AstarCutout *cutout;
    uint64_t nodes[ASTAR_SQUARE_WORDS], frontier[ASTAR_SQUARE_WORDS];
} NodeMarks;

static uint32_t first_node_from(const AstarSquare *square, uint32_t place)
{
    uint32_t first = 0, last = square->count;
    while (first < last) {
        uint32_t middle = (first + last) / 2;
        if (astar_square_place(square, middle) < place)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

int astar_square_node(const AstarSquare *square, int32_t x, int32_t y)
{
    int32_t column = x - square->plot.i * ASTAR_CHUNK_SIDE;
    int32_t row = y - square->plot.j * ASTAR_CHUNK_SIDE;
    uint32_t place = astar_place_at(column, row);
    uint32_t node = first_node_from(square, place);
    return node < square->count && astar_square_place(square, node) == place ? (int)node
                                                                             : ASTAR_NO_PLACE;
}

// The functions below mark the cells of a square that become nodes.

static void mark_node(NodeMarks *marks, int column, int row, uint32_t flags)
{
    int cell = row * CELLS_OF_ROW + column;
    marks->nodes[cell / 64] |= UINT64_C(1) << cell % 64;
    if (flags != 0)
        marks->frontier[cell / 64] |= UINT64_C(1) << cell % 64;
}

// Returns true if steps lead from a cell of a line to the next cell of the line and back.
static bool are_joined(const AstarCutout *cutout, size_t at, AstarNodeLine line)
{
    int there = line.dx != 0 ? 2 : 4, back = line.dx != 0 ? 6 : 0;
    size_t next = at + (line.dx != 0 ? 1 : (size_t)cutout->stride);
    return (astar_cutout_legal(cutout, at) >> there & 1) != 0 &&
           (astar_cutout_legal(cutout, next) >> back & 1) != 0;
}

// Marks the nodes of a run of free cells: cells 'begin' to 'begin' + 'length' - 1 of a line.
static void mark_run_nodes(NodeMarks *marks, AstarNodeLine line, int begin, int length)
{
    int spacing = marks->square->finder->spacing, pieces = (length + spacing - 1) / spacing;
    for (int i = 0; i < pieces; i++) {
        int at = begin + (2 * i + 1) * length / (2 * pieces);
        mark_node(marks, line.column + line.dx * at, line.row + line.dy * at, line.flags);
    }
}

// Marks the nodes of all runs of free cells of a line.
ASTAR_COLD static void mark_line(NodeMarks *marks, AstarNodeLine line)
{
    const AstarCutout *cutout = marks->cutout;
    size_t step = line.dx != 0 ? 1 : (size_t)cutout->stride;
    size_t at = astar_cutout_at(cutout, cutout->x0 + line.column, cutout->y0 + line.row);
    for (int i = 0, run; i < line.length; i += run) {
        run = 1;
        if (!astar_cutout_is_open(cutout, at + (size_t)i * step))
            continue;
        while (i + run < line.length && are_joined(cutout, at + (size_t)(i + run - 1) * step, line))
            run++;
        mark_run_nodes(marks, line, i, run);
    }
}

static void mark_cell(NodeMarks *marks, int32_t x, int32_t y)
{
    const AstarCutout *cutout = marks->cutout;
    if (astar_cutout_holds(cutout, x, y) &&
        astar_cutout_is_open(cutout, astar_cutout_at(cutout, x, y)))
        mark_node(marks, x - cutout->x0, y - cutout->y0, 0);
}

static void mark_lines(NodeMarks *marks)
{
    static const AstarNodeLine lines[] = {{0, 0, 1, 0, LINE_STEPS, 0},
                                          {0, 0, 0, 1, LINE_STEPS, 0},
                                          {LINE_STEPS, 0, 0, 1, LINE_STEPS, 0},
                                          {0, LINE_STEPS, 1, 0, LINE_STEPS, 0}};
    const AstarCutout *cutout = marks->cutout;
    for (int i = 0; i < 4; i++) {
        mark_line(marks, lines[i]);
        mark_cell(marks, cutout->x0 + LINE_STEPS * (i & 1), cutout->y0 + LINE_STEPS * (i >> 1));
    }
}

static void mark_link_ends(NodeMarks *marks)
{
    const AstarWorld *world = marks->square->finder->world;
    for (uint32_t i = 0; i < world->link_count; i++) {
        mark_cell(marks, world->links[i].x0, world->links[i].y0);
        mark_cell(marks, world->links[i].x1, world->links[i].y1);
    }
}

static bool is_absent(const AstarWorld *world, int32_t cx, int32_t cy)
{
    const AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    return chunk == NULL || chunk->is_absent;
}

ASTAR_COLD int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                                     AstarNodeLine lines[ASTAR_FRONTIER_LINES])
{
    const AstarWorld *world = finder->world;
    int last = LINE_STEPS - finder->size, count = 0;
    uint32_t flag = ASTAR_AT_FRONTIER;
    bool is_itself = is_absent(world, i, j);
    if (is_itself || is_absent(world, i + 1, j))
        lines[count++] = (AstarNodeLine){
            is_itself ? LINE_STEPS : last, 0, 0, 1, LINE_STEPS + 1, flag};
    if (is_itself || is_absent(world, i, j + 1))
        lines[count++] = (AstarNodeLine){0,   is_itself ? LINE_STEPS : last, 1, 0, LINE_STEPS + 1,
                                         flag};
    if (!is_itself && is_absent(world, i + 1, j + 1))
        lines[count++] = (AstarNodeLine){last, last, 1, 0, 1, flag};
    return count;
}

// Marks the nodes that lie next to absent chunks. If the chunk of the square itself is absent, this
// is true of all its nodes.
static void mark_frontier(NodeMarks *marks)
{
    int32_t i = marks->square->plot.i, j = marks->square->plot.j;
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    int count = astar_square_frontier(marks->square->finder, i, j, lines);
    if (is_absent(marks->square->finder->world, i, j))
        memcpy(marks->frontier, marks->nodes, sizeof marks->nodes);
    else
        for (int k = 0; k < count; k++)
            mark_line(marks, lines[k]);
}

// The functions below make the list of a square's nodes.

// Allocates the arrays for the nodes of a square and for the distances between them.
static AstarStatus make_square_arrays(AstarSquare *square, const NodeMarks *marks)
{
    const AstarAllocator *allocator = &square->finder->world->allocator;
    size_t count = 0;
    for (int i = 0; i < ASTAR_SQUARE_WORDS; i++)
        count += astar_count_bits(marks->nodes[i]);
    square->count = (uint32_t)count;
    square->places = astar_alloc(allocator, count + 1, sizeof *square->places);
    square->first = astar_alloc(allocator, count + 1, sizeof *square->first);
    square->rows = astar_alloc(allocator, count * count + 1, sizeof *square->rows);
    if (square->places != NULL && square->first != NULL && square->rows != NULL)
        return ASTAR_OK;
    astar_square_drop_unpacked(square);
    return ASTAR_NO_MEMORY;
}

ASTAR_COLD AstarStatus astar_square_list_nodes(AstarSquare *square, const AstarCutout *cutout)
{
    NodeMarks marks = {.square = square, .cutout = cutout};
    mark_lines(&marks);
    mark_link_ends(&marks);
    if (astar_has_frontier(square->finder))
        mark_frontier(&marks);
    AstarStatus status = make_square_arrays(square, &marks);
    uint32_t node = 0;
    for (int word = 0; word < ASTAR_SQUARE_WORDS && status == ASTAR_OK; word++)
        for (uint64_t rest = marks.nodes[word]; rest != 0; rest &= rest - 1) {
            int bit = astar_lowest_bit(rest), cell = word * 64 + bit;
            bool is_beside = (marks.frontier[word] >> bit & 1) != 0;
            square->places[node++] = (uint16_t)(astar_place_at(cell % CELLS_OF_ROW,
                                                               cell / CELLS_OF_ROW) |
                                                (is_beside ? ASTAR_AT_FRONTIER : 0));
        }
    return status;
}

// ------------------------------------------------------------------------------------------------
// The functions below select the edges of a square. A distance between two nodes is kept as an edge
// if no path of the same length passes another node. All other distances are sums of edges.
// ------------------------------------------------------------------------------------------------

enum { CHOICES_AT_ONCE = 64, COST_UNIT_BITS = 8 };

// A path over several nodes replaces a direct edge if the path costs at most ROUND_ABOUT times as
// much as the edge. This was measured on 10,000 routes through rooms. With the value 1.02, 3 of the
// routes were more than 2 % longer than the best route, and with 1.06, 8 routes were.
static const double ROUND_ABOUT = 1.05;

// Chooses the unit in which a square stores costs, a power of two. Usually it is about 1 / 256 of
// the cheapest step. It is larger if the greatest cost would not fit in 16 bits, but at most a
// quarter of the cheapest step. Costs that still do not fit, because a field makes cells very
// expensive, are stored as the greatest number.
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

// Returns true if a path from 'from' to 'to' begins with an edge that is already kept and costs at
// most ROUND_ABOUT times the least cost. The same condition applies again at the end of that edge,
// so whole paths stay within the factor.
static bool is_on_the_way(const AstarSquare *square, uint32_t from, uint32_t to, double distance)
{
    for (uint32_t edge = square->first[from]; edge < square->edge_count; edge++) {
        const double *row = square->rows + (size_t)square->edges[edge].to * square->count;
        if (square->edges[edge].cost <= ROUND_ABOUT * (distance - fabs(row[to])))
            return true;
    }
    return false;
}

// Chooses the edges out of the node 'from', nearest first. A distance that is nearly the sum of two
// other distances does not become an edge. In a symmetric square, an edge is kept in both
// directions. A negative distance marks an edge that must be kept.
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

// Packs the nodes and edges of a square into one array, with three or four bytes for each edge.
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

// ------------------------------------------------------------------------------------------------
// The memory of squares, and the edits after which finders forget squares.
// ------------------------------------------------------------------------------------------------

// The functions below count and free the memory of a square.

void astar_square_count_bytes(AstarSquare *square)
{
    size_t count = square->count;
    size_t bytes = sizeof *square + square->edge_capacity * sizeof *square->edges;
    if (square->first != NULL)
        bytes += (count + 1) * (sizeof *square->places + sizeof *square->first) +
                 (count * count + 1) * sizeof *square->rows;
    if (square->packed != NULL)
        bytes += astar_square_packed_bytes(square);
    square->finder->world->bytes += bytes - square->bytes;
    square->bytes = bytes;
}

void astar_square_drop_unpacked(AstarSquare *square)
{
    const AstarAllocator *allocator = &square->finder->world->allocator;
    size_t count = square->count;
    astar_release(allocator, square->rows, count * count + 1, sizeof *square->rows);
    astar_release(allocator, square->first, count + 1, sizeof *square->first);
    astar_release(allocator, square->places, count + 1, sizeof *square->places);
    astar_release(allocator, square->edges, square->edge_capacity, sizeof *square->edges);
    square->rows = NULL;
    square->first = NULL;
    square->edges = NULL;
    square->places = NULL;
    square->edge_capacity = 0;
}

void astar_square_empty(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    world->bytes -= square->bytes;
    if (!square->is_built)
        astar_square_drop_unpacked(square);
    astar_release(&world->allocator, square->packed, astar_square_packed_bytes(square), 1);
    astar_plot_unlink(&square->plot);
}

void astar_square_evict(AstarWorld *world, AstarPlot *plot)
{
    AstarSquare *square = (AstarSquare *)plot;
    astar_square_empty(square);
    astar_plots_remove(&square->finder->squares, &world->allocator, plot);
}

// The functions below record edits of the world and find out which cells edits have touched.

// Frees all squares of a finder that depend on any of the edited cells.
static void forget_squares(AstarWorldFinder *finder, AstarWorldEdit edit)
{
    // The number of cells that a square reads beyond its eastern and southern borders.
    int32_t reach = finder->size;
    for (int32_t j = astar_chunk_of(edit.y0 - reach); j <= astar_chunk_of(edit.y1); j++)
        for (int32_t i = astar_chunk_of(edit.x0 - reach); i <= astar_chunk_of(edit.x1); i++) {
            AstarPlot *plot = astar_plots_find(&finder->squares, i, j);
            if (plot != NULL)
                astar_square_evict(finder->world, plot);
        }
}

ASTAR_COLD void astar_world_edited(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1,
                                   int32_t y1)
{
    AstarWorldEdit edit = {x0, y0, x1, y1};
    world->log[world->version % ASTAR_WORLD_LOG] = edit;
    world->version++;
    for (AstarWorldFinder *finder = world->finders; finder != NULL; finder = finder->next)
        forget_squares(finder, edit);
}

bool astar_world_is_touched(const AstarWorld *world, uint64_t version, AstarWorldEdit cells)
{
    if (world->version - version > ASTAR_WORLD_LOG)
        return true;
    for (; version != world->version; version++) {
        AstarWorldEdit both = astar_cells_shared(world->log[version % ASTAR_WORLD_LOG], cells);
        if (both.x0 <= both.x1 && both.y0 <= both.y1)
            return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// The functions below build squares when they are needed. They measure the distances between nodes,
// a few nodes per call.
// ------------------------------------------------------------------------------------------------

// Number of rows of distances that one call measures. Over ground of several costs a row takes many
// times as long as over ground of one cost.
enum { UNIFORM_ROWS_AT_ONCE = 8, WEIGHTED_ROWS_AT_ONCE = 2 };

// Measures the distances from the next node to all other nodes or, in a symmetric square, to the
// nodes after it.
static AstarStatus measure_row(AstarSquare *square, AstarCutout *cutout, const size_t *cells)
{
    uint32_t from = square->rows_done, first = square->is_symmetric ? from : 0;
    double *row = square->rows + (size_t)from * square->count;
    AstarWantedCells wanted = {cells + first, square->count - first};
    AstarStatus status = astar_cutout_measure(cutout, astar_square_x(square, from),
                                              astar_square_y(square, from), wanted, row + first);
    // In a symmetric square the distance is the same in both directions.
    for (uint32_t to = from + 1; square->is_symmetric && to < square->count; to++)
        square->rows[(size_t)to * square->count + from] =
            square->rows[(size_t)from * square->count + to];
    return status;
}

ASTAR_COLD static AstarStatus measure_some_rows(AstarSquare *square, AstarCutout *cutout)
{
    size_t cells[ASTAR_MOST_NODES];
    for (uint32_t node = 0; node < square->count; node++)
        cells[node] = astar_cutout_at(cutout, astar_square_x(square, node),
                                      astar_square_y(square, node));
    AstarStatus status = ASTAR_OK;
    int rows = cutout->is_uniform ? UNIFORM_ROWS_AT_ONCE : WEIGHTED_ROWS_AT_ONCE;
    for (int i = 0; status == ASTAR_OK && i < rows; i++) {
        if (square->rows_done == square->count)
            return astar_square_choose_edges(square);
        status = measure_row(square, cutout, cells);
        square->rows_done += status == ASTAR_OK;
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

static AstarStatus build_square(AstarSquare *square, void *context)
{
    AstarCutout *cutout = square->finder->world->cutout;
    bool is_begun = square->first != NULL;
    if (is_begun && square->rows_done >= square->count)
        return astar_square_choose_edges(square);
    AstarStatus status = astar_cutout_fill_chunk(cutout, square->finder, square->plot.i,
                                                 square->plot.j, context);
    if (status == ASTAR_OK && !is_begun) {
        square->is_symmetric = cutout->is_uniform;
        status = astar_square_list_nodes(square, cutout);
    }
    if (status != ASTAR_OK)
        return status;
    // Over ground of several costs, measuring distances in the same call would take too long. In
    // this case the next call measures them.
    return is_begun || cutout->is_uniform ? measure_some_rows(square, cutout) : ASTAR_RUNNING;
}

ASTAR_COLD AstarStatus astar_square_need(AstarWorldFinder *finder, int32_t i, int32_t j,
                                         void *context, AstarSquare **out)
{
    AstarWorld *world = finder->world;
    AstarSquare *square = (AstarSquare *)astar_plots_find(&finder->squares, i, j);
    if (square == NULL || !square->is_built) {
        AstarStatus status = astar_world_make_room(world, sizeof *square, context);
        if (status != ASTAR_OK)
            return status;
        // The square is looked up again, because making room in memory may have freed it.
        square = (AstarSquare *)astar_plots_need(&finder->squares, &world->allocator, i, j,
                                                 sizeof *square);
        if (square == NULL)
            return ASTAR_NO_MEMORY;
        square->finder = finder;
        square->plot.kind = 1;
    }
    astar_plot_use(&world->recent, &square->plot, world->tick);
    *out = square;
    if (square->is_built)
        return ASTAR_OK;
    AstarStatus status = build_square(square, context);
    astar_square_count_bytes(square);
    return status;
}
