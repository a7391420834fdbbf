// squares.c -- closed squares of a world: forgotten after edits, let go.
//
// The lines x = 64 i and y = 64 j are separators: a step changes x and y by at most one, so every
// way out of a closed square leads over a cell on its lines, diagonal steps included (as in
// customizable route planning: Delling, Goldberg, Pajor and Werneck, 2011). The nodes of a square
// are on those lines (square_nodes.c); distances between them are measured (square_building.c), and
// those of them kept that are no sums of others (square_edges.c). What is kept depends on the world
// alone, not on what was built before.

#include "world/squares.h"

// ---- memory ----

static size_t square_bytes(const AstarSquare *square)
{
    size_t bytes = sizeof *square;
    bytes += (size_t)square->capacity * sizeof *square->places;
    if (square->first != NULL)
        bytes += ((size_t)square->count + 1) * sizeof *square->first;
    if (square->rows != NULL)
        bytes += (size_t)square->count * square->count * sizeof *square->rows;
    if (square->packed != NULL)
        return bytes + astar_square_packed_bytes(square);
    return bytes + square->edge_capacity * (sizeof *square->to + sizeof *square->cost);
}

static void free_rows(AstarSquare *square, const AstarAllocator *allocator)
{
    astar_release(allocator, square->rows, (size_t)square->count * square->count,
                  sizeof *square->rows);
    square->rows = NULL;
}

void astar_square_let_go(AstarWorld *world, AstarPlot *plot)
{
    AstarSquare *square = (AstarSquare *)plot;
    const AstarAllocator *allocator = &world->allocator;
    world->bytes -= square_bytes(square);
    free_rows(square, allocator);
    astar_release(allocator, square->places, square->capacity, sizeof *square->places);
    astar_release(allocator, square->first, (size_t)square->count + 1, sizeof *square->first);
    astar_release(allocator, square->to, square->edge_capacity, sizeof *square->to);
    astar_release(allocator, square->cost, square->edge_capacity, sizeof *square->cost);
    astar_release(allocator, square->packed, astar_square_packed_bytes(square), 1);
    astar_plot_unlink(plot);
    astar_plots_remove(&square->finder->squares, plot);
    astar_release(allocator, square, 1, sizeof *square);
}

AstarStatus astar_square_begin_rows(AstarSquare *square)
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

void astar_square_end_rows(AstarSquare *square)
{
    AstarWorld *world = square->finder->world;
    world->bytes -= (size_t)square->count * square->count * sizeof *square->rows;
    free_rows(square, &world->allocator);
}

// ---- edits ----

// Lets go of all squares of a finder that read any of the cells.
static void forget_squares(AstarWorldFinder *finder, AstarWorldEdit edit)
{
    int32_t reach = finder->size; // to the east and south of a square
    for (int32_t j = astar_chunk_of(edit.y0 - reach); j <= astar_chunk_of(edit.y1); j++)
        for (int32_t i = astar_chunk_of(edit.x0 - reach); i <= astar_chunk_of(edit.x1); i++) {
            AstarPlot *plot = astar_plots_find(&finder->squares, i, j);
            if (plot != NULL)
                astar_square_let_go(finder->world, plot);
        }
}

void astar_world_edited(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    AstarWorldEdit edit = {x0, y0, x1, y1};
    world->log[world->version % ASTAR_WORLD_LOG] = edit;
    world->version++;
    for (AstarWorldFinder *finder = world->finders; finder != NULL; finder = finder->next)
        forget_squares(finder, edit);
}

bool astar_world_is_touched(const AstarWorld *world, uint64_t version, int32_t x0, int32_t y0,
                            int32_t x1, int32_t y1)
{
    if (world->version - version > ASTAR_WORLD_LOG)
        return true;
    for (; version != world->version; version++) {
        const AstarWorldEdit *edit = &world->log[version % ASTAR_WORLD_LOG];
        if (edit->x0 <= x1 && edit->x1 >= x0 && edit->y0 <= y1 && edit->y1 >= y0)
            return true;
    }
    return false;
}
