// flow.h -- Flows: the distances of all cells to some goals, for any number of units with the same
// goals.

// A goal of a flow, and its value.
typedef struct AstarFlowGoal {
    // Cell of the goal.
    int x, y;
    double value; // cost of arriving at the goal, added to the cost of the path; a bonus below 0
} AstarFlowGoal;

// A flow stores, for each cell, the distance to the cheapest of several goals. Other names for it
// are distance map, integration field and Dijkstra map. A flow retains its finder. A flow computes
// distances only as far as a query needs, and a later query continues the computation. Links, walls
// and a field to avoid are respected. After an edit of the grid or of the field the next query
// repairs the distances. The query recomputes the distances if this is less work or if costs of
// terrain have changed. The cost callbacks are called once per cell and flow, and again after a
// change at that cell. The callbacks may query the flow itself.
//
// The options 'range' and 'max_cost' of the finder are used. 'weight', 'partial', 'max_expansions',
// 'bends', 'heading', heuristic and algorithm have no effect. Distances cannot include bends, so a
// finder with a 'bend_cost' has no flows (ASTAR_BAD_OPTION).

// Returns the name of an option of the finder that flows cannot honour, or NULL.
ASTAR_API const char *astar_flow_refusal(const AstarFinder *finder);
// Creates a flow to 'count' goals with finite values (else ASTAR_BAD_OPTION). If a goal and all
// cells in 'range' of the goal are blocked, only a unit that is there already can have this goal.
// Cells farther away than 'max_cost' are not reached; INFINITY means no limit.
ASTAR_API AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                                     double max_cost, AstarFlow **out);
// Creates a flow with its own range, 0 to ASTAR_MAX_SIDE (else ASTAR_BAD_OPTION), in place of the
// finder's. Every cell from which the unit is within that range of a goal counts as a goal, as in
// astar_search_nearest.
ASTAR_API AstarStatus astar_flow_new_within(AstarFinder *finder, const AstarFlowGoal *goals,
                                            size_t count, int range, double max_cost,
                                            AstarFlow **out);
// Creates a flow in the opposite direction: the distances from one cell to all cells that can be
// reached at a cost of at most 'max_cost', for example the movement range in a turn. Returns
// ASTAR_BAD_OPTION for a negative 'max_cost'. 'range' has no effect.
ASTAR_API AstarStatus astar_reach_new(AstarFinder *finder, int x, int y, double max_cost,
                                      AstarFlow **out);
// Creates a flow that leads away from the goals of 'flow'. Each cell starts with its distance times
// 'factor', which is -1000 to -1, and distances are then computed again from these values (Brogue's
// safety maps). Returns ASTAR_BAD_OPTION for a factor out of range or for a flow of
// astar_reach_new.
ASTAR_API AstarStatus astar_flow_flee(AstarFlow *flow, double factor, AstarFlow **out);
// Makes a flow keep only its steps, and drop its distances, once it is complete. The flow becomes
// complete by astar_flow_complete or another call. Steps take about half a byte for each cell that
// has one; distances take eight bytes for every cell. astar_flow_distance, astar_flow_cell and
// astar_flow_flee return ASTAR_BAD_OPTION for such a flow, even before it is complete. After an
// edit the flow is recomputed, not repaired. Call this function before the first query.
ASTAR_API void astar_flow_keep_steps_only(AstarFlow *flow);
// Returns true if astar_flow_keep_steps_only was called.
ASTAR_API bool astar_flow_keeps_steps_only(const AstarFlow *flow);
// Drops a reference to a flow, which is freed with the last one.
ASTAR_API void astar_flow_release(AstarFlow *flow);
// Returns the bytes that a flow occupies.
ASTAR_API size_t astar_flow_bytes(const AstarFlow *flow);
// Returns the finder of a flow.
ASTAR_API AstarFinder *astar_flow_finder(const AstarFlow *flow);
// Returns how many cells the flow has expanded so far.
ASTAR_API uint64_t astar_flow_expanded(const AstarFlow *flow);

// Computes the distances of all cells. This function and all queries below may also return
// ASTAR_NO_MEMORY, ASTAR_BAD_COST, or ASTAR_GRID_CHANGED if a callback edits the grid; the flow can
// be queried again afterwards. Callbacks may leave by longjmp.
ASTAR_API AstarStatus astar_flow_complete(AstarFlow *flow, void *context);
// Computes part of the distances, by about as much work as 'expansions' expansions, at least one.
// Returns ASTAR_RUNNING while there is more to do, and ASTAR_OK when the flow is complete. Between
// two steps the flow may be queried and the grid edited. If edits would restart the flow without
// end, the next steps copy the map and complete the flow for that snapshot; queries then take later
// edits into account.
ASTAR_API AstarStatus astar_flow_step(AstarFlow *flow, uint64_t expansions, void *context);
// Returns the finder whose callbacks the next step calls, like astar_search_asking.
ASTAR_API AstarFinder *astar_flow_asking(const AstarFlow *flow);
// Applies all edits of the grid to a flow. Distances that were computed before are computed again
// if edits have changed them.
ASTAR_API AstarStatus astar_flow_update(AstarFlow *flow, void *context);
// Stores the cost of the path from a cell to the cheapest goal, including the value of the goal.
// For a flow of astar_reach_new it is the cost from the origin to the cell. Returns
// ASTAR_START_BLOCKED if the unit cannot be on the cell, ASTAR_GOAL_BLOCKED if all goals are
// blocked, ASTAR_MAX_COST if the limit may exclude every path, and ASTAR_UNREACHABLE if no path
// exists. The function returns ASTAR_UNREACHABLE only if the connected components show that no path
// exists, or if no cells lie beyond the limit.
ASTAR_API AstarStatus astar_flow_distance(AstarFlow *flow, int x, int y, void *context,
                                          double *distance);
// Stores the cell that a unit on (x, y) should step to: (x, y) itself at a goal, where the unit
// should stay. Among equally good steps diagonal ones come first, then clockwise order from north.
// For a flow of astar_reach_new the function stores the previous cell on the path to (x, y).
// Returns the same reasons as astar_flow_distance if there is no path.
ASTAR_API AstarStatus astar_flow_next(AstarFlow *flow, int x, int y, void *context, int *next_x,
                                      int *next_y);
// Stores the same cell as astar_flow_next, if that function was called for (x, y) before and
// nothing has changed since. Returns false if astar_flow_next must be called.
ASTAR_API bool astar_flow_recall(const AstarFlow *flow, int x, int y, int *next_x, int *next_y);
// Stores in 'path' all steps from (x, y) to a goal, or for a flow of astar_reach_new from the
// origin to (x, y). The cost of the path is the sum of its steps, without the value of the goal.
// 'path' changes only with ASTAR_OK.
ASTAR_API AstarStatus astar_flow_path(AstarFlow *flow, int x, int y, void *context,
                                      AstarPath *path);
// Completes the flow and stores the next cell that has a distance, and the distance. Cells come row
// by row from the north-west. '*cell' must be 0 before the first call; each call changes it.
// Returns ASTAR_UNREACHABLE after the last cell.
ASTAR_API AstarStatus astar_flow_cell(AstarFlow *flow, uint64_t *cell, void *context, int *x,
                                      int *y, double *distance);
// Counts the free cells that would lose every path to a goal if a rectangle were blocked. Cells in
// the rectangle are not counted, and the grid is not changed. The time mostly depends on the number
// of cells that are cut off. On a grid with links or walls, or if the finder or the flow has a cost
// limit, it is the time of two complete flows. Returns ASTAR_BAD_OPTION for finders with callbacks
// and for flows of astar_flow_flee and astar_reach_new.
ASTAR_API AstarStatus astar_flow_count_cut_off(AstarFlow *flow, const AstarRectangle *blocked,
                                               uint64_t *count);
// Completes the flow and raises values of a field, which must have the size and shape of the grid.
// A cell with the distance d gets at least value * (1 - falloff * d / (max_cost + 1)), or at least
// 'value' if the flow has no limit. 'value' is 0 to ASTAR_COST_MAX. 'falloff' is 0 to 1. With 0 all
// cells get the same value. With 1 the result over open ground equals that of astar_field_stamp.
// Returns ASTAR_BAD_OPTION for other arguments.
ASTAR_API AstarStatus astar_flow_spread(AstarFlow *flow, double value, double falloff,
                                        AstarField *field, void *context);
// Raises values of a field as astar_flow_spread does, but adds to the values of the field, up to
// ASTAR_COST_MAX.
ASTAR_API AstarStatus astar_flow_spread_more(AstarFlow *flow, double value, double falloff,
                                             AstarField *field, void *context);

// The cells between which a unit chooses, and for each cell the sum by which a desire map compares
// the cells. The first cell is that of the unit. The cells that a step leads to follow, in the
// order in which equally good steps are taken.
typedef struct AstarWeighed {
    int count, x[9], y[9];
    double sums[9];
} AstarWeighed;

// Fills 'weighed' with (x, y) and the cells that the flow's finder may step to now, without links,
// and sets the sums to 0. The goals of the flow do not matter. Returns ASTAR_START_BLOCKED if the
// unit cannot be on the terrain of (x, y).
ASTAR_API AstarStatus astar_flow_around(AstarFlow *flow, int x, int y, void *context,
                                        AstarWeighed *weighed);
// Adds the distance of each cell, times 'weight', to the sum of the cell. A cell without a distance
// is treated as if its distance was 'missing'. If 'missing' is INFINITY, cells without a distance
// are left out. In this case, if the first cell has no distance, the function returns the reason.
ASTAR_API AstarStatus astar_flow_weigh(AstarFlow *flow, double weight, double missing,
                                       void *context, AstarWeighed *weighed);
