// square_rows.c -- distances between the nodes of one closed chunk, flood by flood.

#include "world/cutout_flood.h"
#include "world/square_building.h"

// Over ground of several costs a row takes many times as long.
enum { UNIFORM_ROWS_AT_ONCE = 8, WEIGHTED_ROWS_AT_ONCE = 2 };

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
    AstarStatus status = astar_cutout_measure(cutout, astar_square_x(square, from),
                                              astar_square_y(square, from), wanted, row + first);
    if (square->is_symmetric)
        mirror_row(square, from);
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

AstarStatus astar_square_build(AstarSquare *square, void *context)
{
    AstarCutout *cutout = square->finder->world->cutout;
    if (square->is_listed && square->rows_done >= square->count)
        return astar_square_choose_edges(square);
    AstarStatus status = astar_cutout_fill_chunk(cutout, square->finder, square->plot.i,
                                                 square->plot.j, context);
    bool is_begun = square->is_listed;
    if (status == ASTAR_OK && !is_begun) {
        square->is_symmetric = cutout->is_uniform;
        status = astar_square_list_nodes(square, cutout);
        if (status == ASTAR_OK)
            status = astar_square_begin_rows(square);
    }
    if (status != ASTAR_OK)
        return status;
    // With its rows that would be a long piece, where it is not uniform.
    return is_begun || cutout->is_uniform ? measure_some_rows(square, cutout) : ASTAR_RUNNING;
}
