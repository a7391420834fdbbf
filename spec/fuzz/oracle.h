// oracle.h -- the rules of movement written plainly, and Dijkstra's algorithm over them.

#ifndef ORACLE_H
#define ORACLE_H

#include "astar.h"

enum { MOST_CELLS = 288, TERRAINS = 4, MOST_LINKS = 24, LAYERS = 3 };

typedef struct WorldLink {
    int from, to;
    double cost;
} WorldLink;

// A map as the rules see it. Cells are y * width + x.
typedef struct World {
    int width, height;
    double cost[TERRAINS]; // INFINITY: cannot be entered
    uint8_t ground[MOST_CELLS];
    uint8_t blocked[MOST_CELLS]; // a bit for each layer of blocks
    bool walls[MOST_CELLS][4];   // the steps barred: north, east, south, west
    WorldLink links[MOST_LINKS];
    int link_count;
} World;

// What a unit finds on a world: the cost of entering each cell, INFINITY where it cannot, and the
// least cost of coming there from its start, INFINITY where no way leads.
typedef struct Reach {
    double entry[MOST_CELLS];
    double distance[MOST_CELLS];
} Reach;

// Whether a block stands on a cell that the unit does not ignore.
bool oracle_is_blocked(const World *world, const AstarOptions *options, int x, int y);
// Whether the ground, whatever the blocks, lets the unit stand there.
bool oracle_can_stand(const World *world, const AstarOptions *options, int x, int y);
void oracle_reach(const World *world, const AstarOptions *options, int sx, int sy, Reach *reach);
// The cost of a step to a neighbour or over a link, INFINITY when it is not allowed.
double oracle_step(const World *world, const AstarOptions *options, const Reach *reach, int from,
                   int to);
double oracle_link(const World *world, const AstarOptions *options, const Reach *reach, int from,
                   int to);
// How near a cell is to the goal, on open ground by the unit's rule.
double oracle_ground_distance(const AstarOptions *options, int dx, int dy);
// How many columns and rows lie between a unit at (x, y) and a goal: with a range from the nearest
// cell that it covers, without one from where it is.
void oracle_away(const AstarOptions *options, int range, int x, int y, int gx, int gy, int *dx,
                 int *dy);

#endif
