// workspace.h -- the memory that searches work in: of one thread, for any number of grids.
//
// A query takes a search out and puts it to rest again, so that a query made by a callback of
// another one finds that search gone and takes another. Nothing is locked, no flag can stick.

#ifndef ASTAR_WORKSPACE_H
#define ASTAR_WORKSPACE_H

#include "search/search.h"

// A workspace goes with the last reference to it.
void astar_workspace_retain(AstarWorkspace *workspace);
// Takes a search at rest, or makes one, for a query of 'finder', whose tables it updates. It keeps
// the workspace alive.
AstarStatus astar_search_take(AstarWorkspace *workspace, AstarFinder *finder, AstarSearch **out);
// Puts a search to rest; NULL is fine.
void astar_search_give_back(AstarSearch *search);
size_t astar_search_bytes(const AstarSearch *search);

#endif
