// route_rims.h -- block A*: a search that crosses chunk after chunk by one flood each.

#ifndef ASTAR_ROUTE_RIMS_H
#define ASTAR_ROUTE_RIMS_H

#include "world/cutout_flood.h"

enum { ASTAR_LINE_CELLS = 4 * ASTAR_CHUNK_SIDE }; // around a closed chunk

// A closed chunk that a search has come to, and what the ways to the cells of its lines cost.
typedef struct AstarRim {
    AstarPlot plot;
    uint32_t number;
    double least; // f of the best cell that it is to be flooded from; INFINITY: there is none
    double left;  // and what the way on from there costs at least
    uint64_t improved[ASTAR_LINE_CELLS / 64]; // the cells that it is to be flooded from
    double g[ASTAR_LINE_CELLS];               // INFINITY: none leads there yet
    uint16_t before[ASTAR_LINE_CELLS]; // where their ways come from, as packed in route_rims.c
} AstarRim;

// A cell that a flood has reached, and the one of its sources that the way comes from.
typedef struct AstarRouteReach {
    int32_t x, y;
    double g; // INFINITY: it was not reached
    int32_t before_x, before_y;
} AstarRouteReach;

// Where a way comes in but over lines: the start, or the end of a link that leads from another
// cell.
typedef struct AstarLanding {
    int32_t x, y;
    double g;
    AstarRouteReach from;
} AstarLanding;

// What a search by floods knows.
typedef struct AstarRims {
    AstarPlots plots;
    AstarRim **list; // by their numbers
    size_t count, capacity;
    AstarLanding *landings;
    size_t landing_count, landing_capacity;
    AstarSource *sources; // of the square being flooded
    size_t source_capacity;
    AstarRouteReach goal;
    AstarRouteReach frontier; // the best cell beside what is not there
} AstarRims;

#endif
