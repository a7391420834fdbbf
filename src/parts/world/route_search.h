// route_search.h -- A* over the nodes of a world.

#ifndef ASTAR_ROUTE_SEARCH_H
#define ASTAR_ROUTE_SEARCH_H

#include "openlist/indexed_heap.h"
#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"
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

// ------------------------------------------------------------------------------------------------
// The parts of a route's search.
// ------------------------------------------------------------------------------------------------

// The slot of the hash where the node of a cell is, or would be.
uint32_t astar_route_slot(const AstarRouteSearch *search, int32_t x, int32_t y);
// The number of the node on a cell, 1 added; a new one where there is none.
AstarStatus astar_route_number(AstarRouteSearch *search, int32_t x, int32_t y, uint32_t *number);
// Takes a way to a node, which is cheaper than any yet.
void astar_route_improve(AstarRouteSearch *search, uint32_t node, double g, uint32_t parent,
                         AstarLegKind kind);
// Takes a way to a cell, where it is the cheapest yet.
AstarStatus astar_route_reach(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind);
// Notes where it has been: an edit there has it begin anew.
void astar_route_note_square(AstarRouteSearch *search, int32_t i, int32_t j);

// Takes a way that comes in at a cell, where it is the cheapest yet to there.
AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding entrance);
// Floods the next boundary; ASTAR_OK: there is none, or none that could lead to a better end.
AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context);
void astar_route_free_boundaries(AstarRouteSearch *search);
// Makes nodes of the way to the best end, of which one was reached: 'last'.
AstarStatus astar_route_trace(AstarRouteSearch *search);

// The boundary of a square that the search has come to, or NULL.
static inline AstarBoundary *astar_route_boundary(const AstarRouteSearch *search, int32_t i,
                                                  int32_t j)
{
    return (AstarBoundary *)astar_plots_find(&search->floods.boundaries.plots, i, j);
}

// What the way on from a cell to the goal costs at least, by the search's weight.
double astar_route_rest(const AstarRouteSearch *search, int32_t x, int32_t y);

// What the way on from a cell to the nearest goal costs at least, but over links.
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

// Whether a cell is a goal, or near enough to one.
static inline bool astar_route_is_goal(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    return astar_route_left(search, x, y) == 0;
}

// All cells at which the unit is near enough to a goal.
static inline AstarWorldEdit astar_route_goal_box(const AstarRouteGoal *goal)
{
    int32_t before = goal->range + goal->size - 1;
    return (AstarWorldEdit){goal->x - before, goal->y - before, goal->x + goal->range,
                            goal->y + goal->range};
}

// Whether the cell lies in a chunk that is known not to be there.
static inline bool astar_route_is_absent(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(search->finder->world, astar_chunk_of(x),
                                                astar_chunk_of(y));
    return chunk != NULL && chunk->is_absent;
}

// Lays out a closed chunk, the start's blocks lifted.
AstarStatus astar_route_fill_square(AstarRouteSearch *search, int32_t i, int32_t j, void *context);

// The numbers that the nodes of a square have, which is built.
AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out);
// Whether they are more than can be held: they would be measured again and again.
bool astar_route_is_too_much(const AstarRouteSearch *search);
void astar_route_forget_squares(AstarRouteSearch *search);

// Sees whether start and goal can be stood on. ASTAR_OK: so it goes on.
AstarStatus astar_route_judge_ends(AstarRouteSearch *search, void *context);
// Measures an end in all squares that it lies in; these must be built first.
AstarStatus astar_route_measure_ends(AstarRouteSearch *search, bool is_goal, void *context);
// What every way to a cell that leads over a link costs at least: the last one, and from its end.
double astar_route_least_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
// Works out what ways over links to the goal cost at least.
void astar_route_measure_links(const AstarRouteSearch *search, AstarWaysOver *out);
// What the way over links from a cell costs at least.
double astar_route_left_over_links(const AstarRouteSearch *search, int32_t x, int32_t y);
bool astar_route_are_links_belied(const AstarRouteSearch *search);

// Of the cells beside what is not there, and nearer to the goal than the start, keeps the one over
// which the goal may be the nearest; of equal ones the one nearest to the goal. Whether it is this.
bool astar_route_note_frontier(AstarRouteSearch *search, AstarRouteReach cell);

// Takes the next node off the open list; ASTAR_OK: it is the goal, or the list is empty.
AstarStatus astar_route_advance(AstarRouteSearch *search, void *context);
// Whether no node that is still open can be a better end than the one at the frontier.
bool astar_route_is_frontier_best(AstarRouteSearch *search);

#endif
