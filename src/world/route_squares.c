// route_squares.c -- the squares that a route's search has come to, and their nodes' numbers in it.
//
// A search follows some fifty edges for each node that it comes to: so a node is looked up by its
// cell but once in each square that it lies in, and has a number there from then on.
//
// A search that comes to more squares than the world's bytes can hold goes on as one with a weight
// does (route_rims.c): A* comes back to all of them again and again. Which they are depends on the
// world and the question alone.

#include "world/route_searching.h"
#include "world/squares.h"

// The part of the world's bytes that they may take; the rest is for chunks.
static const double SQUARES_OF_BYTES = 0.75;

AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarPlots *squares = &search->squares_seen.plots;
    size_t before = squares->count;
    *out = (AstarRouteSquare *)astar_plots_need(squares, allocator, square->plot.i, square->plot.j,
                                                sizeof **out + square->count * sizeof(uint32_t));
    if (squares->count > before)
        search->squares_seen.bytes += astar_square_packed_bytes(square);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

bool astar_route_is_too_much(const AstarRouteSearch *search)
{
    return (double)search->squares_seen.bytes >
           SQUARES_OF_BYTES * (double)search->finder->world->options.bytes;
}

void astar_route_forget_squares(AstarRouteSearch *search)
{
    astar_plots_free(&search->squares_seen.plots, &search->finder->world->allocator);
    search->squares_seen.bytes = 0;
}
