// squares.c -- closed squares of a world: made when they are needed, forgotten, let go.
//
// The lines x = 64 i and y = 64 j are separators: a step changes x and y by at most one, so every
// way out of a closed square leads over a cell on its lines, diagonal steps included (as in
// customizable route planning: Delling, Goldberg, Pajor and Werneck, 2011). The nodes of a square
// are on those lines (square_nodes.c); distances between them are measured (square_rows.c), and
// those of them kept that are no sums of others (square_edges.c). What is kept depends on the world
// alone, not on what was built before.

#include "world/square_building.h"

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

static AstarSquare *make_square(AstarWorldFinder *finder, int32_t i, int32_t j)
{
    AstarWorld *world = finder->world;
    AstarSquare *square = astar_alloc(&world->allocator, 1, sizeof *square);
    if (square == NULL)
        return NULL;
    square->finder = finder;
    square->plot.kind = 1;
    square->plot.i = i;
    square->plot.j = j;
    if (astar_plots_add(&finder->squares, &world->allocator, &square->plot) != ASTAR_OK) {
        astar_release(&world->allocator, square, 1, sizeof *square);
        return NULL;
    }
    world->bytes += sizeof *square;
    return square;
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

// Lets go of all squares that read any of the cells.
AstarWorldFinder *astar_world_finder_forget(AstarWorldFinder *finder, AstarWorldEdit edit)
{
    int32_t reach = finder->size; // to the east and south of a square
    for (int32_t j = astar_chunk_of(edit.y0 - reach); j <= astar_chunk_of(edit.y1); j++)
        for (int32_t i = astar_chunk_of(edit.x0 - reach); i <= astar_chunk_of(edit.x1); i++) {
            AstarPlot *plot = astar_plots_find(&finder->squares, i, j);
            if (plot != NULL)
                astar_square_let_go(finder->world, plot);
        }
    return finder->next;
}

// ---- building ----

AstarStatus astar_square_need(AstarWorldFinder *finder, int32_t i, int32_t j, void *context,
                              AstarSquare **out)
{
    AstarWorld *world = finder->world;
    AstarSquare *square = (AstarSquare *)astar_plots_find(&finder->squares, i, j);
    if (square == NULL || !square->is_built) {
        AstarStatus status = astar_world_make_room(world, sizeof *square, context);
        if (status != ASTAR_OK)
            return status;
        // That may have let go of it.
        square = (AstarSquare *)astar_plots_find(&finder->squares, i, j);
        if (square == NULL)
            square = make_square(finder, i, j);
        if (square == NULL)
            return ASTAR_NO_MEMORY;
    }
    astar_plot_use(&world->recent, &square->plot, world->tick);
    *out = square;
    return square->is_built ? ASTAR_OK : astar_square_build(square, context);
}
