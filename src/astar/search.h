// search.h -- Queries: paths, nearest goals and lines of sight, answered in one call or in steps,
// and the memory that they work in.

// Creates a workspace: memory for queries that is kept from one query to the next. A workspace
// serves grids of any size. A callback may run another query with the same workspace. The allocator
// is copied. Paths found with the workspace use it, too.
ASTAR_API AstarStatus astar_workspace_new(const AstarAllocator *allocator, AstarWorkspace **out);
// Adds a reference to a workspace.
ASTAR_API void astar_workspace_retain(AstarWorkspace *workspace);
// Drops a reference to a workspace, which is freed with the last one. Searches in progress keep the
// memory that they need. NULL is allowed.
ASTAR_API void astar_workspace_free(AstarWorkspace *workspace);
// Returns the bytes of the memory that is ready for use. Memory that a search in progress uses is
// included only after that search is freed.
ASTAR_API size_t astar_workspace_bytes(const AstarWorkspace *workspace);

// The following functions answer queries in one call.

// If 'query' of a query is NULL, astar_query_default is used. All queries return
// ASTAR_BAD_OPTION if an option in 'query' is out of range or the algorithm chosen by name
// cannot honour it.

// Finds the cheapest path from (sx, sy) to (gx, gy). Blocks on the cells that the unit covers at
// the start are ignored, because they are the unit itself. The terrain of the start must allow the
// unit. 'path' changes only with ASTAR_OK.
ASTAR_API AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQueryOptions *query,
                                      void *context, AstarPath *path);

// Finds the fewest blocks, of layers that bar the finder's unit, whose removal would open a path.
// Stores their number in '*count' and at most 'room' of them in the order along such a path. The
// number is 0 if there is a path already. Blocks under the start are ignored; blocks on the goal
// are not. If there are several such sets, the result is always the same one. Returns
// ASTAR_UNREACHABLE if removing blocks does not help, ASTAR_BAD_OPTION for a size above 1 or cost
// callbacks, and ASTAR_BAD_WRAP on a map that wraps around.
ASTAR_API AstarStatus astar_blockers(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                     AstarBlock *blocks, size_t room, size_t *count);

// A cell, for example a goal.
typedef struct AstarCell {
    int x, y;
} AstarCell;

// A callback that returns true if a cell, which the unit can reach, is a goal. The callback is
// called once per cell, the nearest first. The rules for cost callbacks apply to it, too.
typedef bool (*AstarGoalTest)(void *context, int x, int y, int terrain);

// Finds the cheapest path to any of 'count' goals, and stores in '*index' which goal it leads to.
// Among equally cheap goals it is the one with the lowest y, then the lowest x, unless 'weight' is
// above 1; if a cell is listed twice, the index of the first entry is stored. With 'partial', goals
// that are missed equally closely at the same cost are chosen in the same way. Goals that are
// blocked or unreachable are skipped. Returns ASTAR_GOAL_BLOCKED if all goals are blocked, and
// ASTAR_UNREACHABLE if no other goal can be reached or the list is empty. All options have the same
// effect as in astar_find_path, but a heuristic callback is not called, and Dijkstra's algorithm is
// used if A* would not be faster. Time and memory grow with the map, not with the number of goals
// and their range.
ASTAR_API AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                         int sy, const AstarCell *goals, size_t count,
                                         const AstarQueryOptions *query, void *context,
                                         AstarPath *path, size_t *index);
// Finds the cheapest path to a cell that passes a test; the start is tested, too. 'partial' and
// 'range' have no effect, because there is no goal from which distances can be measured. This
// function and astar_find_nearest refuse the same algorithms as astar_find_path, for any goals.
ASTAR_API AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                       int sy, AstarGoalTest test, const AstarQueryOptions *query,
                                       void *context, AstarPath *path);

// Work, in expansions, that each step of a search and its creation may spend on building data, in
// addition to the budget of the step. On a small map it is enough for all data, so searches start
// to expand in the first step. On a very large map it hardly matters.
#define ASTAR_EXPANSIONS_AT_ONCE 1024

// Creates a search that answers the query of astar_find_path a few expansions at a time. The search
// retains its finder and owns its memory until it is freed. Data of the map that are missing or
// outdated by edits are built by the steps too, in proportion to their expansions. The search
// starts as ASTAR_RUNNING, or with its result if that is known without a search.
ASTAR_API AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                       int sy, int gx, int gy, const AstarQueryOptions *query,
                                       AstarSearch **out);
// Makes at most 'expansions' more expansions and returns the status of the search. ASTAR_NO_MEMORY
// and ASTAR_BAD_COST leave the search unchanged. Every other status except ASTAR_RUNNING is final.
//
// If an edit cannot have changed the result, the search continues, and finds the path that a search
// started after the edit would find. An edit cannot have changed the result if the edited cells are
// not next to a cell reached so far. For jump point search, an edit cannot have changed the result
// if no route as short as the result can pass the edited cells. After any other edit the search
// restarts by itself. The search also restarts after any edit if callbacks are used, and after more
// than 256 edits between two steps. The search restarts three times. The fourth time it takes a
// snapshot of the map, as by astar_search_take_snapshot. The search therefore ends even if the map
// is edited all the time. Its result is a best path on a version that the map had since the search
// was created.
//
// If a callback edits the map, the search ends with ASTAR_GRID_CHANGED. If the algorithm chosen by
// name cannot honour what was edited, the search ends with the status that astar_find_path would
// return.
ASTAR_API AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context);
// Stops a search from building data beyond the budget of its steps (ASTAR_EXPANSIONS_AT_ONCE or
// 'at_once'). Hosts that limit steps by time call it.
ASTAR_API void astar_search_build_by_steps(AstarSearch *search);
// Stores the path of a search that ended with ASTAR_OK. Returns ASTAR_GRID_CHANGED if the grid was
// edited since.
ASTAR_API AstarStatus astar_search_path(AstarSearch *search, AstarPath *path);
// Frees a search and returns its memory to the workspace. NULL is allowed.
ASTAR_API void astar_search_free(AstarSearch *search);

// Returns the status: ASTAR_RUNNING, ASTAR_OK or the reason why there is no path.
ASTAR_API AstarStatus astar_search_status(const AstarSearch *search);
// Returns how many cells a search has expanded.
ASTAR_API uint64_t astar_search_expanded(const AstarSearch *search);
// Returns how often edits have restarted a search.
ASTAR_API uint64_t astar_search_restarts(const AstarSearch *search);
// Returns the algorithm of a search, or ASTAR_AUTO if the query was answered without a search.
ASTAR_API AstarAlgorithm astar_search_algorithm(const AstarSearch *search);
// Returns the finder of a search.
ASTAR_API AstarFinder *astar_search_finder(const AstarSearch *search);
// Stores the start and the goal of a search.
ASTAR_API void astar_search_ends(const AstarSearch *search, int *sx, int *sy, int *gx, int *gy);
// Returns the bytes that a search occupies.
ASTAR_API size_t astar_search_bytes(const AstarSearch *search);

// Creates a search for a host whose callbacks may leave by longjmp, as errors of scripts do. The
// query functions above would leak what they have allocated. A search created here owns that memory
// until astar_search_free, and it can answer one query after another. In the functions below 'out'
// is an initialised path, not the same as 'path'; after a failure it holds nothing useful.
ASTAR_API AstarStatus astar_search_take(AstarWorkspace *workspace, AstarFinder *finder,
                                        AstarSearch **out);
// Starts the query of astar_find_path. Returns ASTAR_RUNNING, or a final status if the result is
// known without a search. Afterwards call astar_search_step and astar_search_path.
ASTAR_API AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQueryOptions *query);
// Starts the query of astar_find_path as astar_search_new does, without building data first.
// 'at_once', 0 or more, replaces ASTAR_EXPANSIONS_AT_ONCE.
ASTAR_API AstarStatus astar_search_begin_in_steps(AstarSearch *search, int sx, int sy, int gx,
                                                  int gy, const AstarQueryOptions *query,
                                                  uint64_t at_once);
// Makes a search in steps use a snapshot of the map and of the fields to avoid. Call it before the
// first step. The first steps copy the map, a little at a time. Searches and flows in steps share a
// copy that suits all of them. Later edits do not affect the copy, so the search ends even if the
// map is edited all the time. The path is a best one on the map as
// it was when copying ended. Searches for the nearest goal and repairs can use a snapshot, too.
// Results of callbacks are not copied. While the steps copy, astar_search_seen shows nothing, and
// the search does not use baked data. Returns ASTAR_BAD_OPTION and does nothing if the search has
// ended or uses a snapshot already; also returns ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_search_take_snapshot(AstarSearch *search);
// Returns the finder whose callbacks the next step calls: the finder of the search, or a copy of it
// on a snapshot. Results of callbacks must respect astar_finder_least_cost of that finder.
ASTAR_API AstarFinder *astar_search_asking(const AstarSearch *search);
// Creates a search like astar_search_take, without building data. The next call must start a query
// in steps.
ASTAR_API AstarStatus astar_search_take_unbuilt(AstarWorkspace *workspace, AstarFinder *finder,
                                                AstarSearch **out);
// Answers the query of astar_find_nearest; astar_search_path then stores the path.
ASTAR_API AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy,
                                           const AstarCell *goals, size_t count,
                                           const AstarQueryOptions *query, void *context,
                                           size_t *index);
// Answers the query of astar_find_where; astar_search_path then stores the path.
ASTAR_API AstarStatus astar_search_where(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                                         const AstarQueryOptions *query, void *context);
// Starts the query of astar_find_nearest in steps, like astar_search_begin_in_steps. The goals are
// copied. Returns ASTAR_RUNNING or an error.
ASTAR_API AstarStatus astar_search_nearest_in_steps(AstarSearch *search, int sx, int sy,
                                                    const AstarCell *goals, size_t count,
                                                    const AstarQueryOptions *query,
                                                    uint64_t at_once);
// Starts the query of astar_find_where in steps, like astar_search_begin_in_steps.
ASTAR_API AstarStatus astar_search_where_in_steps(AstarSearch *search, int sx, int sy,
                                                  AstarGoalTest test,
                                                  const AstarQueryOptions *query, uint64_t at_once);
// Returns the index of the goal that the path of a search leads to. The search must have ended with
// ASTAR_OK.
ASTAR_API size_t astar_search_index(const AstarSearch *search);
// The following functions answer the queries of astar_reachable, astar_raycast and astar_sweep,
// with a search that the host has created.
ASTAR_API AstarStatus astar_search_reachable(AstarSearch *search, int sx, int sy, int gx, int gy,
                                             void *context, bool *reachable);
ASTAR_API AstarStatus astar_search_raycast(AstarSearch *search, int x0, int y0, int x1, int y1,
                                           void *context, bool *stopped, int *x, int *y);
ASTAR_API AstarStatus astar_search_sweep(AstarSearch *search, int x0, int y0, int x1, int y1,
                                         void *context, bool *stopped, int *x, int *y);

// Stores true in '*sees' if one cell can be seen from another one, at any distance. As in
// astar_fov, a cell stops sight if the map does not let a unit of one cell enter it. A thin wall
// that bars both directions stops sight, unless 'through_walls' is set. Blocks on the two cells,
// callbacks and links do not matter. On a map that wraps around a line may lead over the edge. The
// result is the same if the two cells are exchanged.
ASTAR_API AstarStatus astar_line_of_sight(AstarFinder *finder, int x0, int y0, int x1, int y1,
                                          bool through_walls, bool *sees);

// The functions from here to astar_search_walk take a path found on the finder's grid or on another
// grid of the same size. These functions return ASTAR_BAD_CELL if a cell of the path is outside the
// grid. 'out' must be another path than 'path'.
//
// Stores a path over the same cells from the goal to the start. The cost of the new path is that of
// walking back, or INFINITY if a step back is impossible.
ASTAR_API AstarStatus astar_search_reverse(AstarSearch *search, const AstarPath *path,
                                           void *context, AstarPath *out);
// Stores a smoothed path: few straight legs between cells of 'path', which the unit can move along
// (see finder.h). Each leg costs at most as much as the part that it replaces. Links stay. The time
// is about linear in the number of cells.
ASTAR_API AstarStatus astar_search_smooth(AstarSearch *search, const AstarPath *path, void *context,
                                          AstarPath *out);
// Repairs a path after edits of the map: stores a path from the cell at index 'from', where the
// unit is, to the same goal. The part up to the cell before the first one that can no longer be
// entered is kept. A search with the options of the path continues from this cell. The result can
// be walked, but is not always the cheapest path. The whole path is searched for again, and is then
// the cheapest, if 'optimal' is set, if the path was partial, or if the kept part leads nowhere. If
// that search finds no path, its reason is returned. Returns ASTAR_BAD_OPTION if the path has no
// cell 'from'.
ASTAR_API AstarStatus astar_search_repair(AstarSearch *search, const AstarPath *path, int from,
                                          bool optimal, void *context, AstarPath *out);
// Leads a path to a goal that has moved: stores a path from the cell at index 'from' to 'goal'. The
// new path costs at most 'bound' times as much as the best path, by the options of the path;
// 'bound' is 1 or more. If the bound can be proved, a part of the path is kept, and a short search
// continues it. Otherwise the path is searched for again. The bound can be proved only if the path
// is a best path, the map was not edited since, and this finder found the path, without callbacks,
// 'any_angle', 'bend_cost', 'weight' and 'range'.
ASTAR_API AstarStatus astar_search_retarget(AstarSearch *search, const AstarPath *path, int from,
                                            AstarCell goal, double bound, void *context,
                                            AstarPath *out);
// Starts astar_search_repair in steps, like astar_search_nearest_in_steps. The path is copied.
// astar_search_path stores the result.
ASTAR_API AstarStatus astar_search_repair_in_steps(AstarSearch *search, const AstarPath *path,
                                                   int from, bool optimal, uint64_t at_once);
// Stores in '*may_go' if the unit may step from the cell at 'index' to the next cell on the map as
// it is now or, if 'back' is true, from the next cell to the cell at 'index'. The unit's own cell
// is always allowed.
ASTAR_API AstarStatus astar_search_check_step(AstarSearch *search, const AstarPath *path, int index,
                                              bool back, void *context, bool *may_go);
// Stores in '*bad' the index of the first cell from index 'from' on that can no longer be entered,
// or -1.
ASTAR_API AstarStatus astar_search_check(AstarSearch *search, const AstarPath *path, int from,
                                         void *context, int *bad);

// Follows a path from the cell at index 'from' to the one at 'to' as long as the cost on the map as
// it is now, bends included, is at most 'most'. Stores the index of the last cell reached and the
// cost of the path up to that cell. Stores in '*bad' the index of a cell that cannot be entered, or
// -1.
ASTAR_API AstarStatus astar_search_walk(AstarSearch *search, const AstarPath *path, int from,
                                        int to, double most, void *context, int *reached,
                                        double *cost, int *bad);

// The state of a cell that a search has reached. A jump point search for the nearest of a few
// goals, with a range, or with 'partial' for a goal that cannot be reached may begin at the cells
// where it may end. Then these cells have no parent, the parent of another cell is the next jump
// point on the way to them, g is the cost of that way, and h leads to the start.
typedef struct AstarSeen {
    // The cell.
    int x, y;
    // True if the cell was expanded or is about to be; false if it is on the open list.
    bool closed;
    bool has_parent; // false for a cell at which the search began
    // Previous cell on the best path found so far. For a jump point it is the previous jump point.
    int parent_x, parent_y;
    // Cost of the best path found so far to the cell. For a jump point it is exact to at least four
    // digits.
    double g;
    double h; // estimate of the cost that remains
    double f; // g + weight * h
} AstarSeen;

// Stores the next cell that is open or closed. Cells come row by row from the north-west. '*cursor'
// must be 0 before the first call. Calls the heuristic callback, if the finder has one. Returns
// false after the last cell.
ASTAR_API bool astar_search_seen(const AstarSearch *search, uint64_t *cursor, void *context,
                                 AstarSeen *seen);

// States of a cell in a search.
typedef enum AstarCellState {
    ASTAR_UNSEEN, // not reached
    ASTAR_OPENED, // on the open list
    ASTAR_CLOSED, // expanded
} AstarCellState;

// Returns the state of a cell in a search; ASTAR_UNSEEN outside the grid.
ASTAR_API AstarCellState astar_search_cell(const AstarSearch *search, int x, int y);

// Stores true in '*reachable' if a path exists. The connected components show that without a
// search, unless the finder has callbacks or the grid has walls.
ASTAR_API AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, void *context, bool *reachable);

// Creates a finder for what-if queries: it works like 'finder', but all cells of some rectangles
// count as blocked, except under the unit at the start. The grid does not change and no data are
// built for it again. The new finder makes no jumps; it takes over the algorithm of the other
// finder only if that is ASTAR_DIJKSTRA. Returns ASTAR_BAD_CELL if a rectangle is not inside the
// grid.
ASTAR_API AstarStatus astar_finder_suppose(const AstarFinder *finder, const AstarRectangle *blocked,
                                           size_t count, AstarFinder **out);
// Returns true if no supposed block lies on a cell of a path or beside a diagonal step of it. If
// the path is a best path of the original finder, it is then a best path with the supposed blocks,
// too.
ASTAR_API bool astar_suppose_spares(const AstarFinder *supposing, const AstarPath *path);

// Follows the straight line from one cell to another until a step of it is not possible. Stores in
// '*stopped' whether there is such a step, and in (*x, *y) the first cell that the unit cannot
// enter. The opposite line is stopped as well, with three exceptions: an end that the unit cannot
// enter, since a start may be blocked; a one-way wall; and results of 'step_cost'. The line has no
// width: it serves for sight and shots, not for the body of the unit.
ASTAR_API AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0,
                                    int x1, int y1, void *context, bool *stopped, int *x, int *y);
// Follows the straight line like astar_raycast, but with the body of the unit including 'margin',
// as along legs of smoothed paths and any-angle routes; see finder.h. Stores in (*x, *y) a cell
// that stops the unit: the first one along the line. Cells that are met within the same step have
// no fixed order.
ASTAR_API AstarStatus astar_sweep(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0,
                                  int x1, int y1, void *context, bool *stopped, int *x, int *y);

// Stores the side of the largest free square of cells whose north-west cell is (x, y), or 0 if (x,
// y) is not free. A cell is free if its terrain can be entered and no block bars the unit there. A
// unit of the stored size or less fits at (x, y). Callbacks are not called. Returns
// ASTAR_BAD_OPTION for hexagons.
ASTAR_API AstarStatus astar_clearance(AstarFinder *finder, int x, int y, int *size);
