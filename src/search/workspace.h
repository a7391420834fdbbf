// workspace.h -- Workspaces: the memory of searches, kept from one query to the next.
//
// A workspace holds a few idle searches with their memory. A query takes one of them, or makes a
// new one, and puts it back when it has ended.

#ifndef ASTAR_WORKSPACE_H
#define ASTAR_WORKSPACE_H

#include "map/grid.h"

// The data that a workspace stores in each of its searches, see workspace.c.
typedef struct AstarRest {
    AstarWorkspace *workspace; // the workspace, retained while the search is not idle
    AstarSearch *next;         // in the list of idle searches: the next, used longer ago
    uint64_t used;             // of an idle search: the value of 'taken' when it was last used
    uint32_t cells;            // number of cells that the memory of the search is made for
} AstarRest;

// Returns the allocator for the memory of the workspace's searches and for the points of paths.
const AstarAllocator *astar_workspace_allocator(const AstarWorkspace *workspace);
// Returns the most recently used idle search, for a query in one call without callbacks. The search
// stays in the workspace and holds no references, so the caller must give it back before any other
// query runs.
// Returns NULL if its memory does not suit the finder's grid.
AstarSearch *astar_workspace_borrow(AstarWorkspace *workspace, AstarFinder *finder);
// Ends the use of a search that astar_workspace_borrow() returned.
void astar_workspace_give_back(AstarWorkspace *workspace, AstarSearch *search);

#endif
