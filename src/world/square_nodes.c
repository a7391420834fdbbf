// square_nodes.c -- where the nodes of a square lie.
//
// With every free cell of the lines a node the graph would be exact; with one in the middle of
// every 'spacing' cells of a run of free cells it is near that, and what hangs together stays so:
// the cells of a run are joined by steps along the line. The four corners are nodes always, for a
// diagonal step may lead over nothing else. Ends of links are nodes, wherever they lie, and so are
// cells beside chunks that are not there.

#include "world/squares.h"

enum { LINE_STEPS = ASTAR_CHUNK_SIDE, CELLS_OF_ROW = LINE_STEPS + 1 };

// Which cells of a closed square are to be nodes, and which of them lie beside what is not there.
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

// ---- marking ----

static void mark_node(NodeMarks *marks, int column, int row, uint32_t flags)
{
    int cell = row * CELLS_OF_ROW + column;
    marks->nodes[cell / 64] |= UINT64_C(1) << cell % 64;
    if (flags != 0)
        marks->frontier[cell / 64] |= UINT64_C(1) << cell % 64;
}

// Whether a step leads from a cell of a cutout to the next one of a line, and back.
static bool are_joined(const AstarCutout *cutout, size_t at, AstarNodeLine line)
{
    int there = line.dx != 0 ? 2 : 4, back = line.dx != 0 ? 6 : 0;
    size_t next = at + (line.dx != 0 ? 1 : (size_t)cutout->stride);
    return (astar_cutout_legal(cutout, at) >> there & 1) != 0 &&
           (astar_cutout_legal(cutout, next) >> back & 1) != 0;
}

// Puts nodes on a run.
static void mark_run_nodes(NodeMarks *marks, AstarNodeLine line, int begin, int length)
{
    int spacing = marks->square->finder->spacing, pieces = (length + spacing - 1) / spacing;
    for (int i = 0; i < pieces; i++) {
        int at = begin + (2 * i + 1) * length / (2 * pieces);
        mark_node(marks, line.column + line.dx * at, line.row + line.dy * at, line.flags);
    }
}

// Puts the nodes of the runs of free cells of a line.
static void mark_line(NodeMarks *marks, AstarNodeLine line)
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

int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
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

// Puts nodes there. Of a square that is not there itself all are.
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

// ---- listing ----

// Makes room for the nodes, and for what is measured between them.
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

AstarStatus astar_square_list_nodes(AstarSquare *square, const AstarCutout *cutout)
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
