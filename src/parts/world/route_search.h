// route_search.h -- A* over the nodes of a world.

#ifndef ASTAR_ROUTE_SEARCH_H
#define ASTAR_ROUTE_SEARCH_H

#include "openlist/heap.h"
#include "parts/world/cutout.h"
#include "parts/world/squares.h"

enum { ASTAR_LINE_CELLS = 4 * ASTAR_CHUNK_SIDE }; // around a closed chunk

// A closed chunk that a search has come to, and what the ways to the cells of its lines cost.
typedef struct AstarBoundary {
    AstarPlot plot;
    uint32_t number;
    double least; // f of the best cell that it is to be flooded from; INFINITY: there is none
    double left;  // and what the way on from there costs at least
    uint64_t improved[ASTAR_LINE_CELLS / 64]; // the cells that it is to be flooded from
    double g[ASTAR_LINE_CELLS];               // INFINITY: none leads there yet
    uint16_t before[ASTAR_LINE_CELLS]; // where their ways come from, as packed in route_search.c
} AstarBoundary;

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
typedef struct AstarBoundaries {
    AstarPlots plots;
    AstarBoundary **list; // by their numbers
    size_t count, capacity;
    AstarLanding *entrances;
    size_t entrance_count, entrance_capacity;
    AstarSource *sources; // of the square being flooded
    size_t source_capacity;
    AstarRouteReach goal;
    AstarRouteReach frontier; // the best cell beside what is not there
} AstarBoundaries;

// How a leg leads to a node.
typedef enum AstarLegKind {
    ASTAR_LEG_NONE,   // it is the start
    ASTAR_LEG_SQUARE, // inside a closed chunk
    ASTAR_LEG_LINK,
} AstarLegKind;

typedef struct AstarRouteNode {
    int32_t x, y;
    double g;
    double rest; // what the way on to the goal costs at least
    uint32_t parent;
    bool closed;
    uint8_t kind; // AstarLegKind
} AstarRouteNode;

// A node near an end, and what the way from the start to it costs, or from it to the goal.
typedef struct AstarEndLeg {
    int32_t x, y;
    double cost;
} AstarEndLeg;

typedef struct AstarEndLegs {
    AstarEndLeg *legs;
    size_t count, capacity;
} AstarEndLegs;

typedef struct AstarRouteGoal {
    int32_t x, y, range;
    int32_t size; // of the unit, as its range is counted: from all that it covers, or 1: from where
                  // it is
} AstarRouteGoal;

// A square that a search has come to.
typedef struct AstarRouteSquare {
    AstarPlot plot;
    uint32_t
        numbers[]; // of those of its nodes in the search, 1 added; 0: it has not come to that one
} AstarRouteSquare;

// Where a link begins, and what the way from there over it to the goal costs at least.
typedef struct AstarWayOver {
    int32_t x, y;
    double rest;
} AstarWayOver;

enum { ASTAR_WAYS_OVER = 16 };

typedef struct AstarWaysOver {
    AstarWayOver list[ASTAR_WAYS_OVER];
    int count;
    double least; // of all that are not listed
} AstarWaysOver;

// What it is about to do.
typedef enum AstarRoutePhase {
    ASTAR_ROUTE_ENDS, // measure the ways from the start and to the goal
    ASTAR_ROUTE_SEARCH,
    ASTAR_ROUTE_DONE
} AstarRoutePhase;

struct AstarRouteSearch {
    AstarWorldFinder *finder;
    int32_t sx, sy, gx, gy; // (gx, gy): the one goal of a search over nodes
    struct {
        AstarRouteGoal *goals;
        size_t count, all, capacity; // the first are those that count
        size_t away;                 // of all: so many are not there
        bool turns_away;             // to those: no way leads to one that is there
    } aims;
    AstarQuestion question; // its weight and budgets; the rest is of grids
    bool is_exact;          // whatever the finder would do
    uint64_t number;        // of the search in its world
    AstarRoutePhase phase;
    AstarStatus status;
    struct {
        uint64_t version;  // of the world when it began, or since when no edit has touched it
        uint32_t restarts; // for edits
        bool is_behind;    // it has gone on over some: what it finds is to be settled
    } edits;
    struct {
        AstarRouteNode *nodes;
        uint32_t count;
        size_t capacity;
        uint32_t *slots; // of a hash of them: number and 1, 0: empty
        uint32_t slot_count;
    } tree;
    AstarIndexedHeap open;
    struct {
        bool is_on;     // over all cells, and nothing is measured but what it comes by
        AstarHeap open; // boundaries by the least f of what is new in them
        AstarBoundaries boundaries;
    } floods;
    AstarEndLegs from_start, to_goal;
    AstarWaysOver over_links;
    bool is_goal_absent;
    struct {
        AstarPlots plots; // that it has come to: AstarRouteSquare
        size_t bytes;     // what their edges take
    } squares_seen;
    AstarEnclosure enclosure; // of the goal
    uint64_t work;            // done since it began, in expansions
    struct {
        bool has_seen_frontier;
        bool is_cut_off;   // by what the question's route may cost
        uint32_t last;     // the node it ends at
        uint32_t frontier; // the best end beside what is not there
    } end;
    AstarWorldEdit been; // all cells that it has come by
    uint64_t expanded;
};

// Sees what the way found costs in the world as it is now. ASTAR_UNREACHABLE: it cannot be walked.
AstarStatus astar_route_settle(AstarRouteSearch *search, void *context);

#endif
