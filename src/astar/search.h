// search.h -- questions, at once or in steps, and the memory they work in.

// The memory that searches work in, kept from one question to the next, for grids of any size. A
// callback may ask with the same workspace again. The allocator is copied; paths that are found
// have theirs from it, too.
ASTAR_API AstarStatus astar_workspace_new(const AstarAllocator *allocator, AstarWorkspace **out);
// Counts one more to be freed.
ASTAR_API void astar_workspace_retain(AstarWorkspace *workspace);
// Searches that are still there keep what they need of it; NULL is fine.
ASTAR_API void astar_workspace_free(AstarWorkspace *workspace);
// The bytes it holds ready; what a search under way has taken counts again once that is freed.
ASTAR_API size_t astar_workspace_bytes(const AstarWorkspace *workspace);

// ---- questions ----

// NULL for a 'question' is astar_question_default. One out of its ranges, or that the algorithm
// asked for by name cannot honour, is answered ASTAR_BAD_OPTION.

// The cheapest path from (sx, sy) to (gx, gy). The start may be blocked (the unit itself stands
// there: blocks on cells that it covers do not count) but not of terrain the unit cannot enter.
// Fills 'path' when ASTAR_OK, else leaves it.
ASTAR_API AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQuestion *question,
                                      void *context, AstarPath *path);

// The fewest blocks, of layers that bar the finder's unit, without which there would be a way:
// '*count' of them, in the order of one, of which as many are stored as there is 'room' for. None
// where nothing parts the cells; ASTAR_UNREACHABLE where to lift blocks does not help. Those under
// the start do not count, those on the goal do. Of several such sets it is always the same one.
// ASTAR_BAD_OPTION for a size above 1 and for cost callbacks.
ASTAR_API AstarStatus astar_blockers(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                     AstarBlock *blocks, size_t room, size_t *count);

// A cell that may be a goal.
typedef struct AstarCell {
    int x, y;
} AstarCell;

// Whether a cell the unit can reach is a goal. Asked once a cell, the nearest first; may do and not
// do what cost callbacks may.
typedef bool (*AstarGoalTest)(void *context, int x, int y, int terrain);

// The cheapest path to any of 'count' goals, and which of them that leads to: of equally cheap ones
// the one of the lowest y, then x (but where 'weight' is above 1), of several goals in one cell the
// first. With 'partial' that goes for goals come equally near to at the same cost. Goals that are
// blocked or that no way leads to are passed over: ASTAR_GOAL_BLOCKED when all are blocked,
// ASTAR_UNREACHABLE when none of the others can be reached, or there are none. All options count as
// for astar_find_path, but a heuristic of the host's is not asked, and where A* would not do better
// Dijkstra's algorithm runs. Time and memory grow with the map, not with the goals and their range.
ASTAR_API AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                         int sy, const AstarCell *goals, size_t count,
                                         const AstarQuestion *question, void *context,
                                         AstarPath *path, size_t *index);
// The cheapest path to a cell that passes a test, the start among them. 'partial' and 'range' do
// not count, there is no goal to measure by. Both refuse the algorithms that astar_find_path
// refuses, by the options and the grid, whatever the goals.
ASTAR_API AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                       int sy, AstarGoalTest test, const AstarQuestion *question,
                                       void *context, AstarPath *path);

// What each step of a search, and the making of it, may build besides: on small maps all there is,
// so that their searches begin with the first step; on very wide ones nothing.
#define ASTAR_EXPANSIONS_AT_ONCE 1024

// The same as astar_find_path, a few expansions at a time. A search retains its finder and has its
// memory to itself until it is freed. What it needs of the map that is not built yet, or outdated
// by edits, is built by its steps, too: so much for each expansion as takes about as long. It
// starts ASTAR_RUNNING, or with its answer where that is known without a search.
ASTAR_API AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                       int sy, int gx, int gy, const AstarQuestion *question,
                                       AstarSearch **out);
// Makes at most 'expansions' more; returns the state of the search. ASTAR_NO_MEMORY and
// ASTAR_BAD_COST leave it where it was; every other outcome but ASTAR_RUNNING is final. After edits
// that cannot have changed its answer a search goes on, and finds the path of one begun after them:
// edits of cells not next to one it has reached, or, where it jumps, of cells that no route as
// short as its own can pass. After others it begins anew by itself: also where callbacks are asked,
// and after more than 256 at once. That it does three times; the fourth it is of the map as it is
// at one moment, as by astar_search_freeze. So it ends however much is edited, with a best path of
// a version that the map had since it was begun. Where a callback edits the map ASTAR_GRID_CHANGED
// is the end, and where the algorithm asked for by name cannot honour what was edited what
// astar_find_path answers then.
ASTAR_API AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context);
// From now on no step builds anything besides, by ASTAR_EXPANSIONS_AT_ONCE or 'at_once': for hosts
// that step by the clock.
ASTAR_API void astar_search_build_by_steps(AstarSearch *search);
// Stores the path of a search that ended ASTAR_OK; ASTAR_GRID_CHANGED when the grid was edited
// since.
ASTAR_API AstarStatus astar_search_path(AstarSearch *search, AstarPath *path);
// Gives what it was taken or made of back to the workspace; NULL is fine.
ASTAR_API void astar_search_free(AstarSearch *search);

// ASTAR_RUNNING, ASTAR_OK or why there is no path.
ASTAR_API AstarStatus astar_search_status(const AstarSearch *search);
ASTAR_API uint64_t astar_search_expanded(const AstarSearch *search);
// How often edits have had it begin anew.
ASTAR_API uint64_t astar_search_restarts(const AstarSearch *search);
// ASTAR_AUTO where the question was answered without a search.
ASTAR_API AstarAlgorithm astar_search_algorithm(const AstarSearch *search);
ASTAR_API AstarFinder *astar_search_finder(const AstarSearch *search);
ASTAR_API void astar_search_ends(const AstarSearch *search, int *sx, int *sy, int *gx, int *gy);
ASTAR_API size_t astar_search_bytes(const AstarSearch *search);

// For hosts whose callbacks may leave by longjmp, as errors of scripts do: what the questions above
// allocate would then belong to nobody. A search that was taken owns it until astar_search_free,
// and may be asked one question after another. 'out' is an initialised path, another than 'path';
// on failure it holds nothing of use.
ASTAR_API AstarStatus astar_search_take(AstarWorkspace *workspace, AstarFinder *finder,
                                        AstarSearch **out);
// The question of astar_find_path: ASTAR_RUNNING, or final where no search is needed to answer.
// Then comes astar_search_step, and astar_search_path.
ASTAR_API AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQuestion *question);
// The same of astar_search_new, for which nothing need be built; by 'at_once', 0 or more, in place
// of ASTAR_EXPANSIONS_AT_ONCE.
ASTAR_API AstarStatus astar_search_begin_in_steps(AstarSearch *search, int sx, int sy, int gx,
                                                  int gy, const AstarQuestion *question,
                                                  uint64_t at_once);
// Has a search made in steps, before its first one, be of the map and the field to avoid as they
// are at one moment: its steps copy them first, a little at a time, and edits do not concern it
// once they are copied, so it ends however much is edited. It finds a best path of the map as it
// was then; so do searches for the nearest goal, and repairs. What callbacks say is not copied.
// Nothing can be seen of it before that is copied, and what was baked it does not use.
// ASTAR_BAD_OPTION, and nothing done, where the search has ended or is frozen already;
// ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_search_freeze(AstarSearch *search);
// The finder by which the next step asks its functions, whose bounds (astar_finder_least_cost) hold
// for what they return: the search's, or of the copy that it is made on.
ASTAR_API AstarFinder *astar_search_asking(const AstarSearch *search);
// As astar_search_take, and builds nothing: a question in steps must come next.
ASTAR_API AstarStatus astar_search_take_unbuilt(AstarWorkspace *workspace, AstarFinder *finder,
                                                AstarSearch **out);
// As astar_find_nearest and astar_find_where; astar_search_path then stores the path.
ASTAR_API AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy,
                                           const AstarCell *goals, size_t count,
                                           const AstarQuestion *question, void *context,
                                           size_t *index);
ASTAR_API AstarStatus astar_search_where(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                                         const AstarQuestion *question, void *context);
// The same in steps, as astar_search_begin_in_steps; the goals are copied. ASTAR_RUNNING, or a
// fault.
ASTAR_API AstarStatus astar_search_nearest_in_steps(AstarSearch *search, int sx, int sy,
                                                    const AstarCell *goals, size_t count,
                                                    const AstarQuestion *question,
                                                    uint64_t at_once);
ASTAR_API AstarStatus astar_search_where_in_steps(AstarSearch *search, int sx, int sy,
                                                  AstarGoalTest test, const AstarQuestion *question,
                                                  uint64_t at_once);
// Which of the goals listed the path leads to, of a search that ended ASTAR_OK.
ASTAR_API size_t astar_search_index(const AstarSearch *search);
// As the functions of these names without a search of one's own.
ASTAR_API AstarStatus astar_search_reachable(AstarSearch *search, int sx, int sy, int gx, int gy,
                                             void *context, bool *reachable);
ASTAR_API AstarStatus astar_search_raycast(AstarSearch *search, int x0, int y0, int x1, int y1,
                                           void *context, bool *stopped, int *x, int *y);
ASTAR_API AstarStatus astar_search_sweep(AstarSearch *search, int x0, int y0, int x1, int y1,
                                         void *context, bool *stopped, int *x, int *y);

// Whether one cell sees another, as astar_fov says, at any distance: what stops sight is what the
// finder's data bars a unit of one cell from, and thin walls that bar both ways unless
// 'through_walls' is set. What stands on the two cells does not matter, nor do callbacks and links.
// On a map that wraps around a line may lead over its edge. Each cell sees the other, or neither.
ASTAR_API AstarStatus astar_line_of_sight(AstarFinder *finder, int x0, int y0, int x1, int y1,
                                          bool through_walls, bool *sees);

// Of a path found on the finder's grid, or on another as large: ASTAR_BAD_CELL where a cell of it
// is outside. 'out' is another path.
//
// The same cells from the goal to the start. Its cost is that of walking back, INFINITY when a step
// back cannot be made.
ASTAR_API AstarStatus astar_search_reverse(AstarSearch *search, const AstarPath *path,
                                           void *context, AstarPath *out);
// Few straight legs between cells of this path, which the unit's body can go along (see finder.h),
// each no dearer than the part it replaces. Links stay. It takes time about linear in
// the cells of the path.
ASTAR_API AstarStatus astar_search_smooth(AstarSearch *search, const AstarPath *path, void *context,
                                          AstarPath *out);
// A path from the cell at index 'from', where the unit stands now, to the goal of this one, which
// the world has changed under. What is still good of it is kept up to the cell before the first bad
// one, and searched on from there, by the path's own question: a path that can be walked, not
// always the cheapest. Anew from 'from', and the cheapest, if 'optimal', if the path was partial,
// or if the part to be kept leads nowhere; when that search finds none, its reason.
// ASTAR_BAD_OPTION where the path has no cell 'from'.
ASTAR_API AstarStatus astar_search_repair(AstarSearch *search, const AstarPath *path, int from,
                                          bool optimal, void *context, AstarPath *out);
// A path from the cell at index 'from' to another goal than this one's, which has moved: at most
// 'bound' times, 1 or more, as dear as the best, by this path's own question. What can be kept of
// it is, and a short search leads on from there, as long as that is known to be within the bound:
// on a map that was not edited since a best path was found, by the data alone, without 'any_angle',
// 'bend_cost', 'weight' and 'range', and of a finder's own path; else it is searched for anew.
ASTAR_API AstarStatus astar_search_retarget(AstarSearch *search, const AstarPath *path, int from,
                                            AstarCell goal, double bound, void *context,
                                            AstarPath *out);
// astar_search_repair in steps, of a copy of the path, as astar_search_nearest_in_steps;
// astar_search_path stores what came of it.
ASTAR_API AstarStatus astar_search_repair_in_steps(AstarSearch *search, const AstarPath *path,
                                                   int from, bool optimal, uint64_t at_once);
// Whether the unit may go now from the cell at 'index' to the next one, or 'back' from that; where
// it is it may be, whatever has become of the ground.
ASTAR_API AstarStatus astar_search_check_step(AstarSearch *search, const AstarPath *path, int index,
                                              bool back, void *context, bool *may_go);
// Stores in '*bad' the index of the first cell that can no longer be stepped on, or -1; of those
// from the one at index 'from' on.
ASTAR_API AstarStatus astar_search_check(AstarSearch *search, const AstarPath *path, int from,
                                         void *context, int *bad);

// Walks a path from the cell at index 'from' to the one at 'to', as long as that costs at most
// 'most' on the map as it is, bends counted: stores the index of the cell that it comes to, what it
// costs up to there, and in '*bad' the index of a cell on the way that cannot be stepped on, or -1.
ASTAR_API AstarStatus astar_search_walk(AstarSearch *search, const AstarPath *path, int from,
                                        int to, double most, void *context, int *reached,
                                        double *cost, int *bad);

// What a search knows of a cell it has reached.
typedef struct AstarSeen {
    int x, y;
    bool closed;            // expanded or about to be, else on the open list
    bool has_parent;        // false for the start
    int parent_x, parent_y; // the cell before on the best way yet; of a jump point the one before
    double g;               // the cost of that way; of a jump point to four digits or more
    double h;               // the estimate of the rest
    double f;               // g + weight * h
} AstarSeen;

// Stores the next cell that is open or closed, row by row from the north-west; false after the
// last. '*cursor' is 0 at first. Asks the host's heuristic, if any.
ASTAR_API bool astar_search_seen(const AstarSearch *search, uint64_t *cursor, void *context,
                                 AstarSeen *seen);

typedef enum AstarCellState {
    ASTAR_UNSEEN,
    ASTAR_OPENED,
    ASTAR_CLOSED,
} AstarCellState;

// What has become of one cell; outside nothing.
ASTAR_API AstarCellState astar_search_cell(const AstarSearch *search, int x, int y);

// Whether a path exists. Known from the connected components, without a search, unless the finder
// has callbacks or the grid walls: then only a search can tell.
ASTAR_API AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, void *context, bool *reachable);

// A finder like another to which all cells of some rectangles count as blocked, too, but where the
// unit itself begins: for what would be. Nothing is done to the grid, and nothing derived of it
// anew; it makes no jumps, and the other one's algorithm holds only where that is ASTAR_DIJKSTRA.
// ASTAR_BAD_CELL where a rectangle is not within the grid.
ASTAR_API AstarStatus astar_finder_suppose(const AstarFinder *finder, const AstarRectangle *blocked,
                                           size_t count, AstarFinder **out);
// Whether what such a finder supposes leaves each step of a path of the other one's as it is: then
// that is a best path of this one, too, where it is of the other one.
ASTAR_API bool astar_suppose_spares(const AstarFinder *supposing, const AstarPath *path);

// Follows the straight line from one cell to another until a step of it cannot be made; '*stopped'
// says whether one was met and (*x, *y) which cell stops it: the first where the unit cannot stand
// on that ground. The way back is stopped where the way there is, but where the unit cannot enter
// an end, for a start may be blocked, past one-way walls, and by a step_cost callback's word.
// The line has no width: it stands for sight and shots, not for the unit's body.
ASTAR_API AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0,
                                    int x1, int y1, void *context, bool *stopped, int *x, int *y);
// The same of the unit's body, margin included, as it goes along legs of smoothed paths and routes
// at any angle; see finder.h. (*x, *y) is then a cell that is in its way, the first along the line
// but for the order of a step's.
ASTAR_API AstarStatus astar_sweep(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0,
                                  int x1, int y1, void *context, bool *stopped, int *x, int *y);

// The side of the largest square of cells, (x, y) its north-west one, that the unit's terrains and
// the blocks leave free; 0 where (x, y) itself is not. A unit of that size or less fits at (x, y).
// Callbacks are not asked. ASTAR_BAD_OPTION of hexagons.
ASTAR_API AstarStatus astar_clearance(AstarFinder *finder, int x, int y, int *size);
