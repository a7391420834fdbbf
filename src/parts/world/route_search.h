// route_search.h -- the search for a route over a world: A* over nodes on the borders of chunks, or
// block A*, which floods one chunk at a time.

#ifndef ASTAR_ROUTE_SEARCH_H
#define ASTAR_ROUTE_SEARCH_H

#include "openlist/indexed_heap.h"
#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"
#include "parts/world/squares.h"

enum { ASTAR_LINE_CELLS = 4 * ASTAR_CHUNK_SIDE }; // number of cells on the border of a square

// A square that block A* has reached, and the costs of the cells on its border.
typedef struct AstarBoundary {
    AstarPlot plot;
    uint32_t number; // index in the list of all boundaries
    // Least f of the border cells from which the square must be flooded; INFINITY: none.
    double least;
    double left; // lower bound of the cost from the cell with that f to the goal
    // Border cells from which the square must be flooded, a bit each.
    uint64_t improved[ASTAR_LINE_CELLS / 64];
    double g[ASTAR_LINE_CELLS];        // cost of each border cell; INFINITY: not reached
    uint16_t before[ASTAR_LINE_CELLS]; // predecessor of each cell, packed as in route_search.c
} AstarBoundary;

// A cell that a flood has reached, and the flood's source from which the way to the cell comes.
typedef struct AstarRouteReach {
    int32_t x, y;
    double g; // INFINITY: not reached
    int32_t before_x, before_y;
} AstarRouteReach;

// A cell where a way enters a square without crossing its border: the start, or the end of a link
// that begins elsewhere.
typedef struct AstarLanding {
    int32_t x, y;
    double g;
    AstarRouteReach from;
} AstarLanding;

// The state of block A*.
typedef struct AstarBoundaries {
    AstarPlots plots;
    AstarBoundary **list; // indexed by 'number'
    size_t count, capacity;
    AstarLanding *entrances;
    size_t entrance_count, entrance_capacity;
    AstarSource *sources; // of the square that is flooded now
    size_t source_capacity;
    AstarRouteReach goal;
    AstarRouteReach frontier; // the best cell next to an absent chunk, where a route may end
} AstarBoundaries;

// How a route leads from the previous node to a node.
typedef enum AstarLegKind {
    ASTAR_LEG_NONE,   // the node is the start and has no leg
    ASTAR_LEG_SQUARE, // the leg leads through a square
    ASTAR_LEG_LINK,
} AstarLegKind;

typedef struct AstarRouteNode {
    int32_t x, y;
    double g;
    double rest; // lower bound of the cost from here to the goal
    uint32_t parent;
    bool closed;
    uint8_t kind; // an AstarLegKind
} AstarRouteNode;

// A node near the start or goal, and the cost of the way between the two.
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
    // Size of the unit if the range counts from all cells that it covers. 1: it counts from the
    // north-west cell.
    int32_t size;
} AstarRouteGoal;

// A square that the search has reached.
typedef struct AstarRouteSquare {
    AstarPlot plot;
    // For each node of the square: its number in the search + 1; 0: not reached.
    uint32_t numbers[];
} AstarRouteSquare;

// The start of a link, and a lower bound of the cost from there over the link to the goal.
typedef struct AstarWayOver {
    int32_t x, y;
    double rest;
} AstarWayOver;

enum { ASTAR_WAYS_OVER = 16 };

typedef struct AstarWaysOver {
    AstarWayOver list[ASTAR_WAYS_OVER];
    int count;
    double least; // lower bound for all links that are not listed
} AstarWaysOver;

// The phase of a search, in which the next step continues.
typedef enum AstarRoutePhase {
    ASTAR_ROUTE_ENDS,   // measures the ways from the start and to the goal
    ASTAR_ROUTE_SEARCH, // searches for the goal
    ASTAR_ROUTE_DONE    // is complete
} AstarRoutePhase;

struct AstarRouteSearch {
    AstarWorldFinder *finder;
    int32_t sx, sy, gx, gy; // (gx, gy) is the only goal of a search over nodes
    struct {
        AstarRouteGoal *goals;
        // The list 'goals' has 'all' entries. Only the first 'count' of them are searched for now.
        size_t count, all, capacity;
        size_t away; // number of goals in absent chunks
        // The search looks for goals in absent chunks, because no route leads to a goal in a
        // present one.
        bool turns_away;
    } aims;
    AstarQuestion question; // of its options, only the weight and the limits are used
    bool is_exact;          // must find a cheapest route, whatever the finder's options are
    uint64_t number;        // number of the search in its world
    AstarRoutePhase phase;
    AstarStatus status;
    struct {
        // Version of the world up to which no edit has affected the search.
        uint64_t version;
        uint32_t restarts; // number of restarts because of edits
        // The search has ignored edits, so the cost of its route must be computed again in the end.
        bool is_behind;
    } edits;
    struct {
        AstarRouteNode *nodes;
        uint32_t count;
        size_t capacity;
        uint32_t *slots; // hash table of nodes: number + 1; 0: empty
        uint32_t slot_count;
    } tree;
    AstarIndexedHeap open;
    struct {
        bool is_on; // block A* is in use, which floods whole chunks and needs no measured nodes
        // Open list of the squares that block A* has reached, ordered by their least f.
        AstarHeap open;
        AstarBoundaries boundaries;
    } floods;
    AstarEndLegs from_start, to_goal;
    AstarWaysOver over_links;
    bool is_goal_absent;
    struct {
        AstarPlots plots; // squares reached, of AstarRouteSquare
        size_t bytes;     // memory of the edges of these squares
    } squares_seen;
    AstarEnclosure enclosure; // cells from which the goal can be reached
    uint64_t work;            // work done, in expansions
    struct {
        bool has_seen_frontier;
        bool is_cut_off;   // all remaining ways cost more than max_cost
        uint32_t last;     // last node of the route
        uint32_t frontier; // the best node next to an absent chunk
    } end;
    AstarWorldEdit been; // smallest rectangle with all cells that the search has read
    uint64_t expanded;
};

// ------------------------------------------------------------------------------------------------
// The parts of the search.
// ------------------------------------------------------------------------------------------------

// Returns the slot of the hash table that holds the node of a cell, or an empty one for it.
uint32_t astar_route_slot(const AstarRouteSearch *search, int32_t x, int32_t y);
// Gives the number + 1 of the node on a cell. Adds a node if there is none.
AstarStatus astar_route_number(AstarRouteSearch *search, int32_t x, int32_t y, uint32_t *number);
// Sets a cheaper way to a node, and puts the node on the open list.
void astar_route_improve(AstarRouteSearch *search, uint32_t node, double g, uint32_t parent,
                         AstarLegKind kind);
// Sets the way to the node of a cell, if it is cheaper than its last one.
AstarStatus astar_route_reach(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind);
// Adds a square to the area that the search has read. An edit in this area affects the search.
void astar_route_note_square(AstarRouteSearch *search, int32_t i, int32_t j);

// Records a way that enters a square without crossing its border, if it is the cheapest one to its
// cell.
AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding entrance);
// Floods the next square. Returns ASTAR_OK if none is left that could lead to a better end.
AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context);
void astar_route_free_boundaries(AstarRouteSearch *search);
// Makes the nodes of the way to the best end that block A* has found.
AstarStatus astar_route_trace(AstarRouteSearch *search);

// Returns the data of a square that block A* has reached, or NULL if it has not.
static inline AstarBoundary *astar_route_boundary(const AstarRouteSearch *search, int32_t i,
                                                  int32_t j)
{
    return (AstarBoundary *)astar_plots_find(&search->floods.boundaries.plots, i, j);
}

// Returns a lower bound of the cost from a cell to the goal, times the search's weight.
double astar_route_rest(const AstarRouteSearch *search, int32_t x, int32_t y);

// Returns a lower bound of the cost from a cell to the nearest goal, for ways without links.
static inline double astar_route_left(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    double least = (double)INFINITY;
    for (const AstarRouteGoal *goal = search->aims.goals;
         goal < search->aims.goals + search->aims.count; goal++) {
        int32_t dx = abs(goal->x - astar_nearest_covered(x, goal->size, goal->x)) - goal->range;
        int32_t dy = abs(goal->y - astar_nearest_covered(y, goal->size, goal->y)) - goal->range;
        least = fmin(least,
                     astar_estimate(&search->finder->heuristic, dx > 0 ? dx : 0, dy > 0 ? dy : 0));
    }
    return least;
}

// Returns true if a cell is a goal or within range of one.
static inline bool astar_route_is_goal(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    return astar_route_left(search, x, y) == 0;
}

// Returns the cells at which the unit is within range of a goal.
static inline AstarWorldEdit astar_route_goal_box(const AstarRouteGoal *goal)
{
    int32_t before = goal->range + goal->size - 1;
    return (AstarWorldEdit){goal->x - before, goal->y - before, goal->x + goal->range,
                            goal->y + goal->range};
}

// Returns true if a cell lies in a chunk that is known to be absent.
static inline bool astar_route_is_absent(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(search->finder->world, astar_chunk_of(x),
                                                astar_chunk_of(y));
    return chunk != NULL && chunk->is_absent;
}

// Lays out a square in the world's cutout. Blocks at the start are ignored, because the unit stands
// there.
AstarStatus astar_route_fill_square(AstarRouteSearch *search, int32_t i, int32_t j, void *context);

// Gives the search's record of a square: the numbers of its nodes in the search. Makes the record
// if there is none.
AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out);
// Returns true if the squares of the search do not fit in the world's memory. They would be
// unloaded and measured again and again.
bool astar_route_is_too_much(const AstarRouteSearch *search);
void astar_route_forget_squares(AstarRouteSearch *search);

// Checks that the unit can stand at the start and at a goal. Returns ASTAR_OK if it can.
AstarStatus astar_route_judge_ends(AstarRouteSearch *search, void *context);
// Measures the ways between the start or goal and the nodes of all squares that contain it. Builds
// these squares first.
AstarStatus astar_route_measure_ends(AstarRouteSearch *search, bool is_goal, void *context);
// Returns a lower bound of the cost to a cell over at least one link: the cost of the last link and
// of the way from its end.
double astar_route_least_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
// Computes lower bounds of the cost to the goal over links.
void astar_route_measure_links(const AstarRouteSearch *search, AstarWaysOver *out);
// Returns a lower bound of the cost from a cell to the goal over at least one link.
double astar_route_left_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
// Returns true if an edit has made some way over links cheaper than the bounds that the search
// uses.
bool astar_route_are_links_belied(const AstarRouteSearch *search);

// Considers a cell next to an absent chunk as the end of the route. It must be nearer to the goal
// than the start. The best cell is the one through which the goal may be nearest; of equals, the
// one nearest to the goal. Returns true if this cell is the best so far.
bool astar_route_note_frontier(AstarRouteSearch *search, AstarRouteReach cell);

// Expands the next node of the open list. Returns ASTAR_OK if it is the goal or the list is empty.
AstarStatus astar_route_advance(AstarRouteSearch *search, void *context);
// Returns true if no open node can lead to a better end than the best cell next to an absent chunk.
bool astar_route_is_frontier_best(AstarRouteSearch *search);

#endif
