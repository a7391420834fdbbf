// links.h -- searching over links: the steps over them, and estimates that they cannot belie.

#ifndef ASTAR_LINKS_H
#define ASTAR_LINKS_H

#include "map/links_and_walls.h"
#include "search/search.h"

// The link a cell was reached over. It is all copied, so that a route can be read after its links
// are gone.
typedef struct AstarLinkArrival {
    uint32_t cell, from;
    uint32_t label;
    double cost;
} AstarLinkArrival;

// What a search knows of links, towards the goal or back to the start. Arrivals are kept beside the
// nodes, for a node's byte cannot name the cell at the other end.
struct AstarLinks {
    uint32_t capacity;          // arcs there is room for
    AstarLinkArrival *arrivals; // a place for each arc, in the order of the cells they lead to
    uint32_t arrival_count;
    struct AstarShortcut *shortcuts;
    uint32_t count;      // of shortcuts
    AstarHeuristic walk; // what steps that are no links cost at least
    bool exact;          // the shortcuts tell it all; else:
    double scale;        // of a straight estimate, what no link can undercut
    double beyond;       // the least cost from the entrance of any shortcut
    // how far that is worked out
    bool is_begun;
    uint64_t version;                   // of the map, then
    uint32_t looked_at, found, settled; // arcs; shortcuts, before those of no use are dropped
};

// Notes a way to a cell; what best_first.c does with every step.
typedef AstarStatus (*AstarRelax)(AstarSearch *search, const AstarSuccessor *step);

// Makes a search ready for the links of its grid, on one side and as far as the work goes:
// ASTAR_OK, ASTAR_RUNNING where that is used up before. Steps cost at least what 'walk' says. What
// was worked out on the map as it is, by the same walk, stays until it is forgotten: for another
// question.
AstarStatus astar_links_advance(AstarSearch *search, bool backward, AstarHeuristic walk,
                                int64_t *work);
void astar_links_forget(AstarSearch *search);
void astar_links_free(AstarSearch *search);
size_t astar_links_bytes(const AstarSearch *search);

// Relaxes the steps over links out of the current cell.
AstarStatus astar_links_expand(AstarSearch *search, AstarRelax relax);
// The cost of an arc now, INFINITY where the cell it leads to cannot be entered.
AstarStatus astar_links_cost(AstarSearch *search, const AstarArc *arc, double *cost);
// Remembers an arc of the grid as the way to the cell it enters.
void astar_links_note_arrival(AstarSearch *search, const AstarArc *arc);
// The estimate from (x, y) where it would be 'straight' without links.
double astar_links_estimate(const AstarSearch *search, bool backward, int x, int y,
                            double straight);

// The cell before this one on the tree, which is not the root.
uint32_t astar_search_parent(const AstarSearch *search, uint32_t cell);
// The place for the link that led to a cell: the first of those with its number.
AstarLinkArrival *astar_links_arrival(const AstarSearch *search, uint32_t cell);

#endif
