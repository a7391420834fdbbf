// workspace.h -- the memory that searches work in, kept from one question to the next.

#ifndef ASTAR_WORKSPACE_H
#define ASTAR_WORKSPACE_H

#include "map/grid.h"

// What a workspace has of a search at rest, see workspace.c.
typedef struct AstarRest {
    AstarWorkspace *workspace; // retained, but at rest
    AstarSearch *next;         // at rest: used longer ago
    uint64_t used;             // at rest: how many searches had been taken then
    uint32_t cells;            // that the memory is for
} AstarRest;

// Where the memory of its searches, and of the points of paths, comes from.
const AstarAllocator *astar_workspace_allocator(const AstarWorkspace *workspace);
// Lends the most recently used idle search for one shortcut. It stays in the workspace and retains
// nothing, so give it back before any other query runs. Returns NULL if its memory does not suit
// the finder's grid.
AstarSearch *astar_workspace_borrow(AstarWorkspace *workspace, AstarFinder *finder);
void astar_workspace_give_back(AstarWorkspace *workspace, AstarSearch *search);

#endif
