// route_squares.c -- the squares that a route's search has come to, and their nodes' numbers in it.
//
// A search follows some fifty edges for each node that it comes to: so a node is looked up by its
// cell but once in each square that it lies in, and has a number there from then on.
//
// A search that comes to more squares of the upper level than the world's bytes can hold goes on as
// one with a weight does (route_rims.c): A* comes back to all of them again and again. Which they
// are depends on the world and the question alone.

#include "world/route_searching.h"
#include "world/square_building.h"

enum { ABOVE_OF_BYTES = 4 }; // squares of the upper level may take such a part

// Of so many nodes.
static size_t bytes_of_numbers(uint32_t count)
{
    return sizeof(AstarRouteSquare) + count * sizeof(uint32_t);
}

AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarPlots *squares = &search->squares[square->plot.kind - 1];
    *out = (AstarRouteSquare *)astar_plots_find(squares, square->plot.i, square->plot.j);
    if (*out != NULL)
        return ASTAR_OK;
    AstarRouteSquare *made = astar_alloc(allocator, bytes_of_numbers(square->count), 1);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->plot = (AstarPlot){.i = square->plot.i, .j = square->plot.j, .kind = square->plot.kind};
    made->count = square->count;
    AstarStatus status = astar_plots_add(squares, allocator, &made->plot);
    if (status != ASTAR_OK) {
        astar_release(allocator, made, bytes_of_numbers(made->count), 1);
        return status;
    }
    if (made->plot.kind > 1)
        search->above_bytes += astar_square_packed_bytes(square);
    *out = made;
    return ASTAR_OK;
}

bool astar_route_is_too_much(const AstarRouteSearch *search)
{
    return search->above_bytes > search->finder->world->options.bytes / ABOVE_OF_BYTES;
}

void astar_route_forget_squares(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    for (int level = 0; level < ASTAR_LEVELS; level++) {
        AstarRouteSquare *square;
        while ((square = (AstarRouteSquare *)astar_plots_next(&search->squares[level], NULL)) !=
               NULL) {
            astar_plots_remove(&search->squares[level], &square->plot);
            astar_release(allocator, square, bytes_of_numbers(square->count), 1);
        }
        astar_plots_free(&search->squares[level], allocator);
    }
    search->above_bytes = 0;
}
