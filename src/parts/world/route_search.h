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

// A square that block A* has reached, and the costs found so far to the cells on its border.
typedef struct AstarBoundary {
    AstarPlot plot;
    uint32_t number; // index of this entry in the list of all boundaries
    // Least f of the border cells from which the square must be flooded; INFINITY: it need not be
    // flooded.
    double least;
    double left; // lower bound of the cost to the goal from the border cell with the least f
    // The border cells from which the square must be flooded, one bit for each cell.
    uint64_t improved[ASTAR_LINE_CELLS / 64];
    double g[ASTAR_LINE_CELLS]; // cost of each border cell; INFINITY: the cell was not reached
    // Predecessor of each border cell, packed by pack_before in route_search.c.
    uint16_t before[ASTAR_LINE_CELLS];
} AstarBoundary;

// A cell that a flood has reached, and the source of the flood from which the path to the cell
// comes.
typedef struct AstarRouteReach {
    int32_t x, y;
    double g; // cost of the cell; INFINITY: not reached
    int32_t before_x, before_y;
} AstarRouteReach;

// A cell at which a path enters a square without crossing the border of the square. Such a cell is
// the start, or the end of a link from another square.
typedef struct AstarLanding {
    int32_t x, y;
    double g;
    AstarRouteReach from;
} AstarLanding;

// The state of block A*.
typedef struct AstarBoundaries {
    AstarPlots plots;
    AstarBoundary **list; // all squares that were reached, indexed by AstarBoundary.number
    size_t count, capacity;
    AstarLanding *entrances;
    size_t entrance_count, entrance_capacity;
    AstarSource *sources; // sources of the flood of the square that is flooded now
    size_t source_capacity;
    AstarRouteReach goal;
    AstarRouteReach frontier; // the best cell next to an absent chunk at which a route may end
} AstarBoundaries;

// Kind of the leg that leads from the previous node of a route to a node.
typedef enum AstarLegKind {
    ASTAR_LEG_NONE,   // the node is the start, so no leg leads to it
    ASTAR_LEG_SQUARE, // the leg is a way through a square
    ASTAR_LEG_LINK,
} AstarLegKind;

typedef struct AstarRouteNode {
    int32_t x, y;
    double g;
    double rest; // lower bound of the cost from the node to the goal, times the weight
    uint32_t parent;
    bool closed;
    uint8_t kind; // one of the values of AstarLegKind, for the leg from the parent
} AstarRouteNode;

// A node near the start or the goal, and the cost of the path between the node and that end.
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
    // Size of the unit if the range is measured from the nearest cell that the unit covers. The
    // size is 1 if the range is measured from the unit's north-west cell.
    int32_t size;
} AstarRouteGoal;

// A square whose nodes a search has reached.
typedef struct AstarRouteSquare {
    AstarPlot plot;
    // For each node of the square, its number in the search + 1; 0: the search has not reached it.
    uint32_t numbers[];
} AstarRouteSquare;

// The start cell of a link, and a lower bound of the cost from that cell over the link to the goal.
typedef struct AstarWayOver {
    int32_t x, y;
    double rest;
} AstarWayOver;

enum { ASTAR_WAYS_OVER = 16 };

typedef struct AstarWaysOver {
    AstarWayOver list[ASTAR_WAYS_OVER];
    int count;
    double least; // lower bound of the cost over any link that is not in the list
} AstarWaysOver;

// The phase in which the next step continues a search.
typedef enum AstarRoutePhase {
    ASTAR_ROUTE_ENDS,   // measures the costs from the start to nodes and from nodes to the goal
    ASTAR_ROUTE_SEARCH, // searches for the goal
    ASTAR_ROUTE_DONE    // the search is complete
} AstarRoutePhase;

struct AstarRouteSearch {
    AstarWorldFinder *finder;
    int32_t sx, sy, gx, gy; // (gx, gy) is the goal of a search over nodes, which has only one goal
    struct {
        AstarRouteGoal *goals;
        // 'all' is the number of goals in the list, and 'count' the number of goals that are
        // searched for now. The goals searched for now are the first ones in the list.
        size_t count, all, capacity;
        size_t away; // number of goals that lie in absent chunks
        // True if the search looks for the goals in absent chunks, because no route leads to any
        // other goal.
        bool turns_away;
    } aims;
    AstarQueryOptions query; // only its weight and its limits are used
    // True if the search must find a cheapest route, independent of the finder's options.
    bool is_exact;
    uint64_t number; // number of the search, unique in its world
    AstarRoutePhase phase;
    AstarStatus status;
    struct {
        // Version of the world up to which no edit has affected the search.
        uint64_t version;
        uint32_t restarts; // number of restarts because of edits so far
        // True if the search has ignored edits, so that the cost of its route must be computed
        // again in the end.
        bool is_behind;
    } edits;
    struct {
        AstarRouteNode *nodes;
        uint32_t count;
        size_t capacity;
        uint32_t *slots; // hash table of nodes by their cells: node number + 1; 0: empty slot
        uint32_t slot_count;
    } tree;
    AstarIndexedHeap open;
    struct {
        // True if the search uses block A*, which floods whole chunks and needs no measured nodes.
        bool is_on;
        // Open list of the squares that block A* has reached, ordered by the least f of each
        // square.
        AstarHeap open;
        AstarBoundaries boundaries;
    } floods;
    AstarEndLegs from_start, to_goal;
    AstarWaysOver over_links;
    bool is_goal_absent;
    struct {
        AstarPlots plots; // entries of the type AstarRouteSquare, one for each square reached
        size_t bytes;     // number of bytes that the edges of these squares take
    } squares_seen;
    AstarEnclosure enclosure; // the set of cells from which the goal can be reached
    uint64_t work;            // work done so far, counted in expansions
    struct {
        bool has_seen_frontier;
        bool is_cut_off;   // true if all ways that remain cost more than max_cost
        uint32_t last;     // number of the route's last node
        uint32_t frontier; // number of the best node next to an absent chunk
    } end;
    AstarWorldEdit been; // smallest rectangle that contains all cells that the search has read
    uint64_t expanded;
};

// ------------------------------------------------------------------------------------------------
// The functions below are the parts of the search that the files of this folder share.
// ------------------------------------------------------------------------------------------------

// Returns the slot of the hash table that holds the node on a cell. If no node is on the cell,
// returns the empty slot for it.
uint32_t astar_route_slot(const AstarRouteSearch *search, int32_t x, int32_t y);
// Writes the number + 1 of the node on a cell to '*number'. Adds a node if the cell has none.
AstarStatus astar_route_number(AstarRouteSearch *search, int32_t x, int32_t y, uint32_t *number);
// Records a cheaper path to a node, and puts the node on the open list. 'g' is the cost of the
// path.
void astar_route_improve(AstarRouteSearch *search, uint32_t node, double g, uint32_t parent,
                         AstarLegKind kind);
// Records a path to the node on a cell, if the path is cheaper than the node's best path so far.
// Adds a node if the cell has none.
AstarStatus astar_route_reach(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind);
// Adds the square (i, j) to the area that the search has read. Edits in this area affect the
// search.
void astar_route_note_square(AstarRouteSearch *search, int32_t i, int32_t j);

// Records a path that enters a square without crossing its border, if the path is cheaper than all
// earlier paths to its cell.
AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding entrance);
// Floods the square that is next in the open list of block A*. Returns ASTAR_RUNNING after a flood,
// and ASTAR_OK if no further flood can lead to a cheaper end of the route.
AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context);
void astar_route_free_boundaries(AstarRouteSearch *search);
// Makes the nodes of the route to the best end that block A* has found.
AstarStatus astar_route_trace(AstarRouteSearch *search);

// Returns the data of the square (i, j) if block A* has reached it, otherwise NULL.
static inline AstarBoundary *astar_route_boundary(const AstarRouteSearch *search, int32_t i,
                                                  int32_t j)
{
    return (AstarBoundary *)astar_plots_find(&search->floods.boundaries.plots, i, j);
}

// Returns the heuristic of a cell: a lower bound of the cost from the cell to the goal, times the
// weight of the search.
double astar_route_rest(const AstarRouteSearch *search, int32_t x, int32_t y);

// Returns a lower bound of the cost from a cell to the nearest goal, over paths without links.
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

// Returns true if a cell is a goal or within the range of a goal.
static inline bool astar_route_is_goal(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    return astar_route_left(search, x, y) == 0;
}

// Returns the rectangle of cells at which the unit is within range of a goal.
static inline AstarWorldEdit astar_route_goal_box(const AstarRouteGoal *goal)
{
    int32_t before = goal->range + goal->size - 1;
    return (AstarWorldEdit){goal->x - before, goal->y - before, goal->x + goal->range,
                            goal->y + goal->range};
}

// Returns true if the chunk of a cell is recorded as absent in the search's world.
static inline bool astar_route_is_absent(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(search->finder->world, astar_chunk_of(x),
                                                astar_chunk_of(y));
    return chunk != NULL && chunk->is_absent;
}

// Copies the square (i, j) of the world into the world's cutout. Blocks at the start are ignored,
// because they are the unit itself.
AstarStatus astar_route_fill_square(AstarRouteSearch *search, int32_t i, int32_t j, void *context);

// Writes the search's record of a square to '*out'. The record contains the numbers of the square's
// nodes in the search. Makes the record if there is none.
AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out);
// Returns true if the squares of the search do not fit in the world's memory. In this case squares
// would be unloaded and measured again and again.
bool astar_route_is_too_much(const AstarRouteSearch *search);
void astar_route_forget_squares(AstarRouteSearch *search);

// Checks that the unit can occupy the start and some goal. Returns ASTAR_OK if it can, and selects
// the goals to search for.
AstarStatus astar_route_judge_ends(AstarRouteSearch *search, void *context);
// Measures the costs between the start (or the goal, if 'is_goal' is true) and the nodes of all
// squares that contain it. Builds these squares first.
AstarStatus astar_route_measure_ends(AstarRouteSearch *search, bool is_goal, void *context);
// Returns a lower bound of the cost to a cell over at least one link. The bound includes only the
// last link and the path from its end to the cell.
double astar_route_least_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
// Computes lower bounds of the cost to the goal over each link, and writes them to '*out'.
void astar_route_measure_links(const AstarRouteSearch *search, AstarWaysOver *out);
// Returns a lower bound of the cost from a cell to the goal over at least one link.
double astar_route_left_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
// Returns true if an edit has made some route over links cheaper than the lower bounds that the
// search uses.
bool astar_route_are_links_belied(const AstarRouteSearch *search);

// Considers a cell next to an absent chunk as the end of the route. The cell must be nearer to the
// goal than the start is. The best cell is the one with the least bound for the cost of a route
// over it to the goal. If the bounds of two cells are equal, the cell nearest to the goal is
// better. Returns true if this cell is the best one so far.
bool astar_route_note_frontier(AstarRouteSearch *search, AstarRouteReach cell);

// Expands the next node of the open list. Returns ASTAR_RUNNING after an expansion, and ASTAR_OK if
// that node is the goal or the list is empty.
AstarStatus astar_route_advance(AstarRouteSearch *search, void *context);
// Returns true if no node of the open list can lead to a better end of the route than the best cell
// next to an absent chunk.
bool astar_route_is_frontier_best(AstarRouteSearch *search);

#endif
