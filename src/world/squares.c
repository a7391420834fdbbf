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

void astar_square_let_go(AstarWorld *world, AstarPlot *plot)
{
    AstarSquare *square = (AstarSquare *)plot;
    astar_square_empty(square);
    astar_plots_remove(&square->finder->squares, &world->allocator, plot);
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
