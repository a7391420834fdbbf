// square_nodes.c -- where the nodes of a square lie.
//
// With every free cell of the lines a node the graph would be exact; with one in the middle of
// every 'spacing' cells of a run of free cells it is near that, and what hangs together stays so:
// the cells of a run are joined by steps along the line. The four corners are nodes always, for a
// diagonal step may lead over nothing else. Ends of links are nodes, wherever they lie, and so are
// cells beside chunks that are not there.

#include "world/squares.h"

#include "base/array.h"

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

// Adds a node on a cell of the square, or a flag to the one there.
static AstarStatus add_node(AstarSquare *square, int column, int row, uint32_t flags)
{
    uint32_t place = astar_place_at(column, row);
    uint32_t node = first_node_from(square, place);
    if (node < square->count && astar_square_place(square, node) == place) {
        square->places[node] |= (uint16_t)flags;
        return ASTAR_OK;
    }
    if (!ASTAR_RESERVE(&square->finder->world->allocator, square->places, square->count, 1u,
                       &square->capacity, 16))
        return ASTAR_NO_MEMORY;
    memmove(square->places + node + 1, square->places + node,
            (square->count - node) * sizeof *square->places);
    square->places[node] = (uint16_t)(place | flags);
    square->count++;
    return ASTAR_OK;
}

// Whether a step leads from a cell of a cutout to the next one of a line, and back.
static bool are_joined(AstarCutout *cutout, size_t at, AstarNodeLine line)
{
    int there = line.dx != 0 ? 2 : 4, back = line.dx != 0 ? 6 : 0;
    size_t next = at + (line.dx != 0 ? 1 : (size_t)cutout->stride);
    return (astar_cutout_legal(cutout, at) >> there & 1) != 0 &&
           (astar_cutout_legal(cutout, next) >> back & 1) != 0;
}

// Puts nodes on a run.
static AstarStatus add_run_nodes(AstarSquare *square, AstarNodeLine line, int begin, int length)
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
static AstarStatus add_line(AstarSquare *square, AstarCutout *cutout, AstarNodeLine line)
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

static AstarStatus add_cell(AstarSquare *square, AstarCutout *cutout, int column, int row)
{
    size_t at = astar_cutout_at(cutout, cutout->x0 + column, cutout->y0 + row);
    return astar_cutout_is_open(cutout, at) ? add_node(square, column, row, 0) : ASTAR_OK;
}

static AstarStatus add_lines(AstarSquare *square, AstarCutout *cutout)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    static const AstarNodeLine lines[] = {{0, 0, 1, 0, SIDE, 0},
                                          {0, 0, 0, 1, SIDE, 0},
                                          {SIDE, 0, 0, 1, SIDE, 0},
                                          {0, SIDE, 1, 0, SIDE, 0}};
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < 4 && status == ASTAR_OK; i++)
        status = add_line(square, cutout, lines[i]);
    for (int i = 0; i < 4 && status == ASTAR_OK; i++)
        status = add_cell(square, cutout, SIDE * (i & 1), SIDE * (i >> 1));
    return status;
}

static bool is_absent(const AstarWorld *world, int32_t cx, int32_t cy)
{
    const AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    return chunk == NULL || chunk->is_absent;
}

int astar_square_frontier(const AstarWorldFinder *finder, int32_t i, int32_t j,
                          AstarNodeLine lines[ASTAR_FRONTIER_LINES])
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    const AstarWorld *world = finder->world;
    int last = SIDE - finder->size, count = 0;
    uint32_t flag = ASTAR_AT_FRONTIER;
    bool is_itself = is_absent(world, i, j);
    if (is_itself || is_absent(world, i + 1, j))
        lines[count++] = (AstarNodeLine){is_itself ? SIDE : last, 0, 0, 1, SIDE + 1, flag};
    if (is_itself || is_absent(world, i, j + 1))
        lines[count++] = (AstarNodeLine){0, is_itself ? SIDE : last, 1, 0, SIDE + 1, flag};
    if (!is_itself && is_absent(world, i + 1, j + 1))
        lines[count++] = (AstarNodeLine){last, last, 1, 0, 1, flag};
    return count;
}

// Puts nodes there. Of a square that is not there itself all are.
static AstarStatus add_frontier(AstarSquare *square, AstarCutout *cutout)
{
    int32_t i = square->plot.i, j = square->plot.j;
    if (is_absent(square->finder->world, i, j)) {
        for (uint32_t node = 0; node < square->count; node++)
            square->places[node] |= ASTAR_AT_FRONTIER;
        return ASTAR_OK;
    }
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    int count = astar_square_frontier(square->finder, i, j, lines);
    AstarStatus status = ASTAR_OK;
    for (int k = 0; k < count && status == ASTAR_OK; k++)
        status = add_line(square, cutout, lines[k]);
    return status;
}

static AstarStatus add_link_ends(AstarSquare *square, AstarCutout *cutout)
{
    const AstarWorld *world = square->finder->world;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < world->link_count && status == ASTAR_OK; i++) {
        const AstarLink *link = &world->links[i];
        if (astar_cutout_holds(cutout, link->x0, link->y0))
            status = add_cell(square, cutout, link->x0 - cutout->x0, link->y0 - cutout->y0);
        if (status == ASTAR_OK && astar_cutout_holds(cutout, link->x1, link->y1))
            status = add_cell(square, cutout, link->x1 - cutout->x0, link->y1 - cutout->y0);
    }
    return status;
}

AstarStatus astar_square_list_nodes(AstarSquare *square, AstarCutout *cutout)
{
    square->count = 0;
    AstarStatus status = add_lines(square, cutout);
    if (status == ASTAR_OK)
        status = add_link_ends(square, cutout);
    if (status == ASTAR_OK && astar_has_frontier(square->finder))
        status = add_frontier(square, cutout);
    return status;
}
