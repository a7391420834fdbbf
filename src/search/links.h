// links.h -- searches over links: the steps over them, and admissible estimates on maps with links.
// Searches that go step by step use this file, and so does jpsw.c.

#ifndef ASTAR_LINKS_H
#define ASTAR_LINKS_H

#include "map/links_and_walls.h"
#include "search/search.h"

// The link over which a search reached a cell. All fields of the link are copied, so that a route
// can be read after its links were removed.
typedef struct AstarLinkArrival {
    uint32_t cell, from;
    uint32_t label;
    double cost;
} AstarLinkArrival;

// The data of a search about the links of its grid, for one direction: towards the goal or back to
// the start. Arrivals are kept beside the nodes, because a node has no room for the cell at the
// other end of a link.
struct AstarLinks {
    uint32_t capacity;          // number of arcs that fit
    AstarLinkArrival *arrivals; // an entry for each arc, sorted by the cell it leads to
    uint32_t arrival_count;
    struct AstarShortcut *shortcuts;
    uint32_t count;      // number of shortcuts kept
    AstarHeuristic walk; // lower bound of the cost of steps that are not links
    // True if the shortcuts give the exact estimate; otherwise 'scale' and 'beyond' are used.
    bool exact;
    double scale;  // factor of the plain estimate that no link undercuts
    double beyond; // least cost from the entrance of any shortcut to the goal
    // The fields from here on are the progress of computing the shortcuts.
    bool is_begun;
    uint64_t version; // version of the map when it began
    uint32_t looked_at, found,
        settled; // arcs examined; shortcuts found, including those to be dropped; shortcuts settled
};

// A callback that relaxes a step: compares it with the best known path to the cell that it enters.
typedef AstarStatus (*AstarRelax)(AstarSearch *search, const AstarSuccessor *step);

// Computes what a search needs for the links of its grid, in one direction, within the work budget.
// Returns ASTAR_OK, or ASTAR_RUNNING if the budget is used up first. 'walk' gives the least cost of
// steps. The data is kept for later calls on the same version of the map with the same 'walk',
// until astar_links_forget, which a new query calls.
AstarStatus astar_links_advance(AstarSearch *search, bool backward, AstarHeuristic walk,
                                int64_t *work);
void astar_links_forget(AstarSearch *search);
void astar_links_free(AstarSearch *search);
size_t astar_links_bytes(const AstarSearch *search);

// Relaxes the steps over links out of the current cell.
AstarStatus astar_links_expand(AstarSearch *search, AstarRelax relax);
// Computes the current cost of an arc. The cost is INFINITY if the cell that the arc enters is
// blocked.
AstarStatus astar_links_cost(AstarSearch *search, const AstarArc *arc, double *cost);
// Stores an arc as the last step of the path to the cell that the arc enters.
void astar_links_note_arrival(AstarSearch *search, const AstarArc *arc);
// Returns the estimate from (x, y). 'straight' is the estimate from (x, y) without links.
double astar_links_estimate(const AstarSearch *search, bool backward, int x, int y,
                            double straight);

// Returns the cell from which the search reached a cell. The cell must not be the root.
uint32_t astar_search_parent(const AstarSearch *search, uint32_t cell);
// Returns the entry for the link over which a search reached a cell. If the cell has several
// entries, the first one is returned.
AstarLinkArrival *astar_links_arrival(const AstarSearch *search, uint32_t cell);

#endif
