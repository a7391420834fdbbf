// flow.h -- the distances of all cells to goals.

// A goal of a flow: what arriving there costs, or earns below 0, on top of the way.
typedef struct AstarFlowGoal {
    int x, y;
    double value;
} AstarFlowGoal;

// Distances of all cells to the cheapest of several goals, also known as a distance map,
// integration field or Dijkstra map: one search for any number of units. A flow retains its finder
// and works out what it is asked, as far as that needs; asked more, it goes on from there. After an
// edit of the grid, its links and walls or the field to avoid, all of which are honoured, the next
// question first repairs what that changed, or begins anew where that is less work or costs are
// others. Cost callbacks are asked about a cell once a flow, and again after a change there; they
// may ask the flow itself.
//
// Of a finder's options 'range' and 'max_cost' count; 'weight', 'partial', 'max_expansions',
// 'bends', 'heading', heuristic and algorithm do not. Distances cannot take bends in: of a finder
// with a 'bend_cost' there is no flow (ASTAR_BAD_OPTION).

// A flow to 'count' goals, values finite (ASTAR_BAD_OPTION). Goals that are blocked, also with all
// of 'range' around, count only for a unit that stands there. Cells farther than 'max_cost'
// (INFINITY: no limit) are not reached.
ASTAR_API AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                                     double max_cost, AstarFlow **out);
// The same with a range of its own in place of the finder's, from 0 to ASTAR_MAX_SIDE
// (ASTAR_BAD_OPTION): as of a question of astar_search_nearest, every cell is a goal at which the
// unit is within that range of one.
ASTAR_API AstarStatus astar_flow_new_within(AstarFinder *finder, const AstarFlowGoal *goals,
                                            size_t count, int range, double max_cost,
                                            AstarFlow **out);
// The other way round: the distances from one cell to all that can be reached from there at a cost
// of at most 'max_cost' >= 0 (ASTAR_BAD_OPTION): where a unit may move in a turn. 'range' does not
// count.
ASTAR_API AstarStatus astar_reach_new(AstarFinder *finder, int x, int y, double max_cost,
                                      AstarFlow **out);
// The flow that leads away from the goals of 'flow': its distances times 'factor', -1000 to -1,
// are what all its cells begin with, and it is scanned again (Brogue's safety maps).
// ASTAR_BAD_OPTION for a factor out of range or a flow of astar_reach_new.
ASTAR_API AstarStatus astar_flow_flee(AstarFlow *flow, double factor, AstarFlow **out);
// Has the flow keep steps only once it has been worked out as a whole, by astar_flow_complete or
// the like: about half a byte for each cell that has one, where distances take eight for every
// cell. Of such a flow none are told, at any time: astar_flow_distance, astar_flow_cell and
// astar_flow_flee are ASTAR_BAD_OPTION. After an edit it is worked out anew, not repaired. To be
// called before it is asked anything.
ASTAR_API void astar_flow_keep_steps_only(AstarFlow *flow);
ASTAR_API bool astar_flow_keeps_steps_only(const AstarFlow *flow);
ASTAR_API void astar_flow_release(AstarFlow *flow);
ASTAR_API size_t astar_flow_bytes(const AstarFlow *flow);
ASTAR_API AstarFinder *astar_flow_finder(const AstarFlow *flow);
// How many cells it has expanded in all.
ASTAR_API uint64_t astar_flow_expanded(const AstarFlow *flow);

// Works out all there is. Every question may return, besides what it says, ASTAR_NO_MEMORY,
// ASTAR_BAD_COST and ASTAR_GRID_CHANGED (by a callback); the flow can be asked again then.
// Callbacks may leave by longjmp.
ASTAR_API AstarStatus astar_flow_complete(AstarFlow *flow, void *context);
// The same in slices: does about as much as to expand so many cells, at least one. ASTAR_RUNNING:
// there is more to do, ASTAR_OK: nothing is. Questions may be asked in between, and the grid
// edited. Where edits would have it begin anew for ever, it is worked out for the map as it is at
// one moment, which steps copy first: ASTAR_OK then leaves what was edited since to the questions.
ASTAR_API AstarStatus astar_flow_step(AstarFlow *flow, uint64_t expansions, void *context);
// The finder by which the next step asks its functions, as astar_search_asking.
ASTAR_API AstarFinder *astar_flow_asking(const AstarFlow *flow);
// Takes in all edits of the grid now and works out again what was worked out before.
ASTAR_API AstarStatus astar_flow_update(AstarFlow *flow, void *context);
// What it costs from a cell to the goals (to the cell, of astar_reach_new), their value included.
// ASTAR_START_BLOCKED, ASTAR_GOAL_BLOCKED (all of them), ASTAR_MAX_COST where no way is within the
// limit, ASTAR_UNREACHABLE where components prove that there is none, or nothing is beyond it.
ASTAR_API AstarStatus astar_flow_distance(AstarFlow *flow, int x, int y, void *context,
                                          double *distance);
// The cell that a unit steps on from (x, y): itself where it should stay, at a goal. Of equally
// good steps the diagonal ones come first, then clockwise from north. Of astar_reach_new the cell
// before on the way there. Without a way as astar_flow_distance.
ASTAR_API AstarStatus astar_flow_next(AstarFlow *flow, int x, int y, void *context, int *next_x,
                                      int *next_y);
// The same, if it was asked before and nothing has changed since: false where astar_flow_next must
// be asked.
ASTAR_API bool astar_flow_recall(const AstarFlow *flow, int x, int y, int *next_x, int *next_y);
// All of those steps, or those of the way to the cell for astar_reach_new; the cost of the path is
// that of its steps. Fills 'path' when ASTAR_OK, else leaves it.
ASTAR_API AstarStatus astar_flow_path(AstarFlow *flow, int x, int y, void *context,
                                      AstarPath *path);
// Works out all and stores the next cell that has a distance, row by row from the north-west, and
// that distance; '*cell' is 0 at first and where to go on then. ASTAR_UNREACHABLE after the last.
ASTAR_API AstarStatus astar_flow_cell(AstarFlow *flow, uint64_t *cell, void *context, int *x,
                                      int *y, double *distance);
// How many free cells that have a way to a goal would have none, were a rectangle blocked, whose
// own cells are not counted. The grid stays as it is. Mostly it takes as long as what is cut off is
// large; where the grid has links or walls, or the finder 'max_cost', or the flow a
// limit, as long as two whole flows. ASTAR_BAD_OPTION where callbacks are asked, and of flows that
// flee or are of astar_reach_new.
ASTAR_API AstarStatus astar_flow_count_cut_off(AstarFlow *flow, const AstarRectangle *blocked,
                                               uint64_t *count);
// Works out all and has each cell with a distance d count at least as much in a field, of the
// grid's size and shape, as comes to it from the seed: value * (1 - falloff * d / (max_cost + 1)),
// all of the value where there is no limit. 'value' from 0 to ASTAR_COST_MAX, 'falloff' from 0, as
// much everywhere, to 1, as astar_field_stamp has it over open ground (ASTAR_BAD_OPTION).
ASTAR_API AstarStatus astar_flow_spread(AstarFlow *flow, double value, double falloff,
                                        AstarField *field, void *context);

// A cell, first, and those that a step leads to from there, in the order in which equally good
// ones are taken, each with a sum: what a desire map weighs.
typedef struct AstarWeighed {
    int count, x[9], y[9];
    double sums[9];
} AstarWeighed;

// Fills 'weighed' by the steps that the flow's finder may make now, links aside, with sums of 0. A
// flow without goals tells as much. ASTAR_START_BLOCKED on ground that the unit cannot be on.
ASTAR_API AstarStatus astar_flow_around(AstarFlow *flow, int x, int y, void *context,
                                        AstarWeighed *weighed);
// Adds each cell's distance times a weight to its sum. Where there is none it counts as 'missing';
// where that is INFINITY the cell is left out, and if it is the first the reason is returned.
ASTAR_API AstarStatus astar_flow_weigh(AstarFlow *flow, double weight, double missing,
                                       void *context, AstarWeighed *weighed);
