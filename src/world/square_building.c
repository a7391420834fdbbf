// square_building.c -- squares made when they are needed: distances between nodes, flood by flood.

#include "world/cutout.h"
#include "world/squares.h"

// Over ground of several costs a row takes many times as long.
enum { UNIFORM_ROWS_AT_ONCE = 8, WEIGHTED_ROWS_AT_ONCE = 2 };

// Measures from one node to all others: to those after it where the square is symmetric.
static AstarStatus measure_row(AstarSquare *square, AstarCutout *cutout, const size_t *cells)
{
    uint32_t from = square->rows_done, first = square->is_symmetric ? from : 0;
    double *row = square->rows + (size_t)from * square->count;
    AstarWantedCells wanted = {cells + first, square->count - first};
    AstarStatus status = astar_cutout_measure(cutout, astar_square_x(square, from),
                                              astar_square_y(square, from), wanted, row + first);
    // The way back costs what the way there does, where a square is symmetric.
    for (uint32_t to = from + 1; square->is_symmetric && to < square->count; to++)
        square->rows[(size_t)to * square->count + from] =
            square->rows[(size_t)from * square->count + to];
    return status;
}

static AstarStatus measure_some_rows(AstarSquare *square, AstarCutout *cutout)
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
    // With its rows that would be a long piece, where it is not uniform.
    return is_begun || cutout->is_uniform ? measure_some_rows(square, cutout) : ASTAR_RUNNING;
}

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
