// search.h -- one search: everything it needs to go on, and the memory it works in.
//
// A search object serves query after query, about any grid that its memory is large enough for. At
// rest it lies in its workspace.

#ifndef ASTAR_SEARCH_H
#define ASTAR_SEARCH_H

#include "base/directions.h"
#include "finder/costs.h"
#include "finder/finder.h"
#include "map/grid.h"
#include "openlist/slotted_queue.h"
#include "search/goal.h"
#include "search/jump_nodes.h"

// goal.c: how near every cell of a map lies to the nearest of many, as the crow
// flies.

typedef struct AstarNear {
    double distance; // INFINITY: of none yet
    uint32_t cell;   // the nearest; of equally near ones the lowest
} AstarNear;

static inline bool astar_is_nearer(const AstarNear *near, const AstarNear *other)
{
    return near->distance < other->distance ||
           (near->distance == other->distance && near->cell < other->cell);
}

// Makes a cell one of those that distances are measured from.
static inline void astar_near_put(AstarNear *cells, uint32_t cell)
{
    cells[cell] = (AstarNear){0, cell};
}

// Measuring in slices: how many rows are cleared, how many lines done of both passes, and how many
// rows are widened of all passes.
typedef struct AstarNearMeasuring {
    int32_t cleared, lines;
    int64_t widened;
} AstarNearMeasuring;

// Makes the next row one with nothing to measure from.
void astar_near_clear_row(AstarNear *cells, const AstarGrid *grid, AstarNearMeasuring *measuring,
                          int64_t *work);
// Measures, obstacles or not, by a distance that is not euclidean; false where the work is used up
// before.
bool astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance,
                        AstarNearMeasuring *measuring, int64_t *work);
// Gives each cell what the nearest has of those that a unit of some size covers there; or, with
// 'covered', of those from which it covers the cell. False where the work is used up before.
bool astar_near_widen(AstarNear *cells, const AstarGrid *grid, int size, bool covered,
                      AstarNearMeasuring *measuring, int64_t *work);

// goal.c: the cells within range of goals.

// A cell that has a value from the outset.
typedef struct AstarSeed {
    uint32_t cell;
    double value;
} AstarSeed;

// Goals, and the memory to go over the cells around them.
typedef struct AstarRange {
    AstarSeed *goals;
    size_t count, capacity;
    // The band of rows at hand: a bit for each cell that is marked, and of those the goal.
    uint64_t *marked;
    uint32_t *whose;
    size_t cells;  // room for so many
    int32_t y0, y; // its first row, and the next one to be told
    size_t left;   // cells without a mark
    size_t goal;   // how many have marked their runs,
    int64_t runs;  // and how many runs the next one has
} AstarRange;

// Makes room for so many goals and what is no farther from them, and empties it.
AstarStatus astar_range_begin(AstarRange *range, const AstarAllocator *allocator,
                              const AstarGrid *grid, size_t goals, int reach);
void astar_range_free(AstarRange *range, const AstarAllocator *allocator);
size_t astar_range_bytes(const AstarRange *range);

static inline void astar_range_add(AstarRange *range, uint32_t cell, double value)
{
    range->goals[range->count++] = (AstarSeed){cell, value};
}

// Told of a cell, and of the goal within range of it whose value is the least.
typedef AstarStatus (*AstarRangeTake)(void *context, uint32_t cell, const AstarSeed *goal);

// Goes over all cells where a unit of some size is within 'reach' columns and rows of a goal, or
// without corners as many steps away, each once, in order; until one is not taken. The reach is 0
// where the size is 1 alone.
AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach, int size,
                              AstarRangeTake take, void *context);
// The same in slices, of a reach above 0; ASTAR_RUNNING where the work is used up before.
void astar_range_begin_sweep(AstarRange *range, const AstarGrid *grid);
AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach, int size,
                                 AstarRangeTake take, void *context, int64_t *work);

// In place of the direction that led to a cell: it is a start; it was reached over a link.
enum { ASTAR_FROM_NOWHERE = 8, ASTAR_FROM_LINK = 9 };

// The state of a node: 1 more than the direction of the step that led there, and whether it is
// closed. 0: not reached yet.
enum { ASTAR_NODE_CLOSED = 0x80 };

// A tree of paths growing from the start.
typedef struct AstarFront {
    AstarPages nodes; // g and the state of each cell
    AstarSlottedQueue open;
    uint32_t current; // the cell being expanded; a callback may break that off, and it is redone
    int32_t x, y;     // where it lies
} AstarFront;

// The same by jumps.
typedef struct AstarJumpFront {
    AstarJumpNodes nodes;
    AstarHeap64 open;   // over uniform ground; elsewhere that of the other front
    uint32_t current;   // the cell being expanded
    int32_t x, y;       // where it lies
    uint32_t number;    // of its node
    double steps_up_to; // nodes of no greater g take single steps, see jps.c; below 0: none
    unsigned rank_bits; // below what steps cost, of the rank of a root, see jps.h
    AstarCell to;       // where it leads: of a way back the start
} AstarJumpFront;

// An estimate by one kind of ground: the way at its cost, less what cheaper ground can save.
typedef struct AstarSlope {
    double along, across, saving;
} AstarSlope;

// A cell that is cheaper than a ground: what a step there saves, what remains from there at least,
// and what is saved then from that step on.
typedef struct AstarCheaperCell {
    int32_t x, y;
    double saving, on, gain;
} AstarCheaperCell;

enum { ASTAR_MOST_CHEAPER = 512, ASTAR_MOST_ACTIVE = 6 };

// A table of landmarks, compared in one sense.
typedef struct AstarActiveTable {
    const uint32_t *distances;
    int32_t table;
    int32_t bound;   // what they are compared with
    int32_t sign;    // 1: a cell lies as much farther, -1: nearer
    int32_t promise; // what that makes at the start
} AstarActiveTable;

// Of the landmarks of a finder: the few distances that promise most for the way from start to goal,
// see active_landmarks.c.
typedef struct AstarActiveLandmarks {
    int count;     // 0: it goes by none
    size_t stride; // of the distances
    AstarActiveTable chosen[ASTAR_MOST_ACTIVE];
    double worth;                         // of one whole number
    uint32_t bakings;                     // of the finder, when the search began
    uint32_t deficits[ASTAR_MOST_TABLES]; // of the landmarks, then
    uint64_t changes;                     // the same when it last looked
} AstarActiveLandmarks;

// Of what is taken off the open list so much at most is passed over in an expansion.
enum { ASTAR_MOST_PASSED = 64 };

// How finely the open list sorts before it has to: measured on maps of all kinds. By jumps there is
// less in each slot, and f grows by more at once.
enum { ASTAR_SLOTS_A_STEP = 64, ASTAR_SLOTS_A_JUMP = 8 };

// Of jump point search where some cells are irregular, see jpsw.c.
typedef struct AstarJpsw {
    AstarSlope slope;      // that promises most; 0: none
    AstarSlope few;        // of a ground than which few cells are cheaper,
    int32_t window[2][2];  // of columns and rows: from and to where those are looked for,
    int32_t cheaper_count; // how many there are; below 0: they are not told
    AstarCheaperCell cheaper[ASTAR_MOST_CHEAPER]; // what remains from which is least first
    double f;                                     // of the node being expanded
} AstarJpsw;

// See baked_route.c.
typedef struct AstarBakedScratch AstarBakedScratch;

// How far the map had come when a search last looked; see frozen.c.
typedef struct AstarSeenMap {
    uint64_t grid, field, links_and_walls; // versions
    uint64_t tables;                       // of the finder
} AstarSeenMap;

// What is known of a question before it is searched for.
typedef struct AstarVerdict {
    bool connected; // nothing but a callback or a wall can keep the unit from the goal
    bool certain;   // nor can a wall
} AstarVerdict;

// Rings of cells around one, looked through inside to outside, some at a time.
typedef struct AstarRings {
    int radius;     // of the next one
    double nearest; // of the cells that can be reached, so far; at first the most there may be
} AstarRings;

// How far links have been followed from component to component.
typedef struct AstarBeyond {
    uint32_t count; // of components they lead to, whose labels the search has
    uint32_t passes, arc;
    bool found, leads_on; // one more in this pass, in the one before
} AstarBeyond;

// What was seen around the goal of the map at a version.
typedef struct AstarLookout {
    uint64_t version;
    AstarBeyond beyond;
    AstarRings within, near; // as far as the range; for the nearest cell
} AstarLookout;

// Which steps out of a cell best-first search follows.
typedef enum AstarExpansion {
    ASTAR_EXPAND_ALL,       // what other ways cost is not known, or there are many goals
    ASTAR_EXPAND_CANONICAL, // those of the canonical order alone
    ASTAR_EXPAND_TO_CELL,   // the same: to one cell, exactly, by an estimate that is linear
    ASTAR_EXPAND_HEXAGONS   // the same of hexagons
} AstarExpansion;

// Of A* and Dijkstra's algorithm, see best_first.c.
typedef struct AstarBestFirst {
    AstarExpansion expansion;
    bool reopens;                      // a closed cell found cheaper is opened again
    const AstarArrival *arrivals;      // of the finder: what is left out, by canonical order
    int32_t offsets[ASTAR_DIRECTIONS]; // from a cell to its neighbours
    double spread;                     // of ties on the open list, see best_first.c
} AstarBestFirst;

// The cells that a way was too dear to, where nothing but the search tells whether any way leads to
// the goal: functions of the host's say what can be entered, or what a goal is. A cell may be
// reached later by a cheaper way, so what is cut off is known at the end.
typedef struct AstarCutWays {
    uint32_t *cells;
    size_t count, capacity;
    bool are_noted;
} AstarCutWays;

// How far a question is prepared for that is asked in steps.
typedef struct AstarPreparing {
    bool in_steps;   // what is built of the map counts as expansions
    bool is_due;     // before the first expansion
    bool is_started; // on the map as it was at this version:
    uint64_t version;
    uint64_t at_once; // what each step may build besides, in expansions
    int64_t spent;    // work that has gone into it
} AstarPreparing;

// What a step of a search goes on with.
typedef enum AstarPhase {
    ASTAR_ASK_GOAL,  // the cost callback is to tell whether the goal can be entered
    ASTAR_FIND_WAY,  // by steps
    ASTAR_TRACE,     // the way found is read back
    ASTAR_STRAIGHTEN // it becomes a route at any angle
} AstarPhase;

struct AstarState; // see bends.h

// The way found, as far as it was read back, from its end; see trace.c.
typedef struct AstarTracing {
    AstarCell at;                   // where that begins
    const struct AstarState *state; // of it, where bends count
    double straight, diagonal; // cost of the steps, the latter's to be multiplied by their length
    double links;
    double said;             // by the step_cost callback, of all of them, where they are noted
    bool is_begun, is_whole; // parts[0] is all of it
} AstarTracing;

// A way to search for a question that is started: a row of the table of run.c.
typedef struct AstarSearchWay {
    AstarStatus (*begin)(AstarSearch *search);
    AstarStatus (*step)(AstarSearch *search, uint64_t expansions);
    // The cost of the best way yet to a cell that was reached; NULL: it has no use for a nearest
    // one.
    double (*g)(const AstarSearch *search, uint32_t cell);
    // Goes back by a node of the way found: ASTAR_RUNNING; ASTAR_OK at the start.
    AstarStatus (*trace)(AstarSearch *search, AstarPath *path);
    // In place of that, over uniform ground: all of it, and how many steps there are.
    AstarStatus (*trace_counted)(const AstarSearch *search, AstarPath *path, double *straight,
                                 double *diagonal);
} AstarSearchWay;

struct AstarInquiry; // see frozen.h

// What the steps of a search are for, where that is more than the way to one goal: see nearest.c,
// repair.c.
typedef struct AstarContinuation {
    AstarStatus (*step)(AstarSearch *search, uint64_t expansions, void *context);
    void (*free)(AstarSearch *search);
    void (*anew)(
        AstarSearch *search); // after an edit that may have changed the answer, see frozen.c
    size_t bytes;             // of it and all that it owns
    // Tells what was asked, whose goals and path stay its own; NULL: that is not to be told.
    void (*tell)(const AstarSearch *search, struct AstarInquiry *inquiry);
} AstarContinuation;

// What a workspace has of a search at rest, see workspace.c.
typedef struct AstarRest {
    AstarWorkspace *workspace; // retained, but at rest
    AstarSearch *next;         // at rest: used longer ago
    uint64_t used;             // at rest: how many searches had been taken then
    uint32_t cells;            // that the memory is for
} AstarRest;

// Of a question with many goals, see goal.c.
typedef struct AstarMany {
    AstarGoalSet goals;
    AstarPages goal_marks;   // the cells that count as one, and as which
    AstarRange around;       // what is within range of them
    struct AstarNear *nears; // and how near each cell lies to them; NULL: nobody asked yet
} AstarMany;

// What is known of a question before it is searched for, see run.c.
typedef struct AstarKnown {
    AstarVerdict verdict;
    AstarLookout lookout;
    uint32_t *labels; // of components that links lead to
    size_t label_capacity;
} AstarKnown;

// A cell of a path being smoothed.
typedef struct AstarSpot {
    int32_t x, y;
    int32_t end;      // number of the last cell of the straight leg that leads on from it
    bool is_straight; // the leg goes through the middles of the cells in between, too
} AstarSpot;

// Of routes made of lines at any angle, see any_angle.c and smooth.c.
typedef struct AstarLines {
    bool any_angle; // the route is to go so
    AstarSpot *spots;
    size_t spot_capacity;
    double *costs; // up to each of these
    size_t cost_capacity;
    int32_t *turns; // numbers of cells of such a path at which the smoothed one turns
    size_t turn_capacity;
    struct AstarSmoothing *smoothing; // of a path smoothed at once; NULL: there was none yet
    struct AstarAngles *angles;       // NULL: there was no such route yet
} AstarLines;

// Of a search made in steps, between which its map may be edited.
typedef struct AstarSlices {
    AstarContinuation *continuation; // NULL: none
    AstarPath given; // what a continuation, or another search, has found; no cells: nothing
    int begun_anew;  // how often it was, see frozen.c
    AstarPreparing preparing;
    AstarPhase phase;
    AstarTracing tracing;
    AstarSeenMap seen;
    double sound_below;   // edits have not changed anything whose f is less
    bool builds_by_steps; // nothing is built besides; until it is put to rest
} AstarSlices;

// What each of the ways to search has of its own.
typedef struct AstarOwn {
    AstarBestFirst best_first;
    AstarPages said; // what the step to each cell costs, where astar_notes_steps
    AstarCutWays cut;
    AstarJpsw jpsw;
    AstarActiveLandmarks active;
    struct AstarLinks *links;   // towards the goal, and back to the start; NULL: none were met yet
    AstarBakedScratch *baked;   // of routes by what was baked; NULL: there was none yet
    struct AstarStates *states; // cells with headings, where bends count; NULL: they never did
    bool linked;                // the grid has links, and 'links' is ready
    bool bends;         // they count: the search is one over cells and headings, see bends.h
    bool ignores_baked; // searches as if nothing were baked; until it is put to rest
} AstarOwn;

struct AstarSearch {
    // First what the shortest question by jumps reads, and of the question and the state what that
    // does, in few lines. Memory is kept from query to query.
    AstarRest rest;
    AstarAllocator allocator; // the workspace's
    uint32_t start;
    const AstarGrid *grid; // NULL at rest
    AstarFinder *finder;   // retained; NULL at rest
    AstarJumpFront jumps;  // for jump point search
    AstarQuestion question;
    int32_t start_x, start_y;
    AstarGoal goal;
    double limit; // paths that cost more are not followed
    uint64_t expanded;
    AstarStatus failure; // if no way is found: ASTAR_MAX_COST once one was too dear
    uint32_t found;      // the cell the path ends at
    AstarPath parts[3];  // of a path that is reworked between its links; that path itself

    AstarCosts costs;
    AstarFront front; // of searches by steps
    AstarAlgorithm algorithm;
    const AstarSearchWay *way;
    AstarStatus status;
    AstarKnown known;
    AstarMany many;
    AstarOwn own;
    AstarLines lines;
    AstarSlices slices;
};

// Closes the node of a cell taken off the open list; false where that was done before.
static inline bool astar_jump_close(AstarJumpFront *front, uint32_t cell)
{
    astar_cell_xy(front->nodes.grid, cell, &front->x, &front->y);
    uint32_t *slot = astar_jump_slot(&front->nodes, cell, front->x, front->y);
    AstarJumpNode *node = &front->nodes.nodes[*slot];
    front->number = (uint32_t)(node - front->nodes.nodes);
    if (astar_jump_is_closed(node))
        return false;
    node->cell |= ASTAR_JUMP_CLOSED;
    return true;
}

// The node being expanded.
static inline const AstarJumpNode *astar_jump_current(const AstarSearch *search)
{
    return &search->jumps.nodes.nodes[search->jumps.number];
}

// One step out of a cell.
typedef struct AstarSuccessor {
    uint32_t cell;
    int32_t x, y;
    uint8_t direction;
    double cost;
} AstarSuccessor;

// Where the memory of its searches, and of the points of paths, comes from.
const AstarAllocator *astar_workspace_allocator(const AstarWorkspace *workspace);
// The search used last, for a question answered before anyone else asks: it stays at rest, and
// holds no references. NULL if its memory does not suit the finder's grid.
AstarSearch *astar_workspace_borrow(AstarWorkspace *workspace, AstarFinder *finder);
void astar_workspace_give_back(AstarWorkspace *workspace, AstarSearch *search);

// astar_search_begin of a question whose goal is known to be reached, by a search that was
// borrowed.
AstarStatus astar_search_begin_connected(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQuestion *question);
// As astar_finder_settle.
AstarStatus astar_finder_advance_settling(AstarFinder *finder, int64_t *work);
// Prepares for a question asked in steps: ASTAR_OK once it can be searched for, ASTAR_RUNNING where
// the expansions are used up before, which what is done takes off; else final.
AstarStatus astar_search_get_ready(AstarSearch *search, uint64_t *expansions);
// The work that a step of so many expansions may do, and what that leaves of them: some is free.
int64_t astar_step_work(const AstarSearch *search, uint64_t expansions);
void astar_charge_step(const AstarSearch *search, uint64_t *expansions, int64_t work);
// Takes note that the question just noted is asked in steps, each of which may do 'at_once'
// besides.
void astar_search_will_prepare(AstarSearch *search, uint64_t at_once);
// Has the next steps of a search ask so from its start, on the map as it is then.
void astar_search_prepare_anew(AstarSearch *search, int gx, int gy, const AstarQuestion *question);
// Poses it on the map as it is now: ASTAR_OK, ASTAR_RUNNING where the work is used up before, else
// final.
AstarStatus astar_search_start_on_map(AstarSearch *search, int64_t *work);
// The search that the steps of one are made by: it, or the one of the copy it is made on.
const AstarSearch *astar_search_searching(const AstarSearch *search);
// astar_search_step and astar_search_path but for continuations.
AstarStatus astar_search_go_on(AstarSearch *search, uint64_t expansions, void *context);
AstarStatus astar_search_way(AstarSearch *search, AstarPath *path);

// Add the steps of a run, or the link, that led to the cell that 'tracing' is at, and go back
// there.
AstarStatus astar_trace_run(AstarSearch *search, int direction, int steps, AstarPath *path);
AstarStatus astar_trace_link(AstarSearch *search, AstarPath *path);
// Reads back some of the way that a search has found, by steps, into its 'parts[0]'; ASTAR_RUNNING
// where the work is used up before.
AstarStatus astar_search_trace_on(AstarSearch *search, int64_t *work);
// Stores it in a path.
AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path);

// The loops behind astar_search_step.
AstarStatus astar_best_first_begin(AstarSearch *search);
AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions);
AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path);
// What a search that found no way ends with.
AstarStatus astar_search_exhausted(AstarSearch *search);

// The direction of the step that led to a cell that a search by steps has reached.
static inline int astar_node_from(uint8_t state)
{
    return (state & (ASTAR_NODE_CLOSED - 1)) - 1;
}

// Whether a search by steps notes what each costs: where a heuristic of the host's is neither
// admissible nor consistent, a cell may be found cheaper after what lies beyond it was reached, and
// the search end before that is again; g is then more than the way costs.
static inline bool astar_notes_steps(const AstarSearch *search)
{
    return search->goal.estimate != NULL && search->finder->options.step_cost != NULL;
}

// What a search by steps knows of a cell.
static inline uint8_t astar_node_state(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_pages_state(&search->front.nodes, x, y);
}

// The same of the current one.
static inline int astar_current_from(const AstarSearch *search)
{
    const AstarFront *front = &search->front;
    return astar_node_from(astar_pages_state(&front->nodes, front->x, front->y));
}

static inline double astar_current_g(const AstarSearch *search)
{
    const AstarFront *front = &search->front;
    return astar_pages_value(&front->nodes, front->x, front->y);
}

static inline double astar_node_g(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_pages_value(&search->front.nodes, x, y);
}

// The estimate by walks over open ground.
ASTAR_SPECIALIZE double astar_walk_estimate(const AstarSearch *search, bool backward, int x, int y)
{
    const AstarGoal *goal = &search->goal;
    const AstarHeuristic *heuristic = &search->finder->costs.heuristic;
    if (search->grid->shape->wraps != 0)
        astar_come_nearest(search->grid, &x, &y, backward ? search->start_x : goal->x,
                           backward ? search->start_y : goal->y);
    if (backward)
        return astar_estimate_between(search->grid->shape, heuristic, x, y, search->start_x,
                                      search->start_y);
    if (goal->kind == ASTAR_GOAL_CELL)
        return astar_estimate_between(search->grid->shape, heuristic, x, y, goal->x, goal->y);
    double h = astar_goal_remaining(search->grid->shape, heuristic, goal, goal->x, goal->y, x, y);
    return h > goal->near_cost ? h - goal->near_cost : 0;
}

// The cost of the best way yet to a cell that a search by steps has reached.
static inline double astar_search_g(const AstarSearch *search, uint32_t cell)
{
    return search->way->g(search, cell);
}

// reachable.c: how large a unit fits, and what it stands on.

// Whether all the unit covers at (x, y) lies inside the grid and is ground it can enter; blocks do
// not count, which may be the unit itself.
bool astar_can_stand(const AstarFinder *finder, int x, int y);
// Whether the unit would stand on blocks there that could be in its way, and on nothing else that
// bars it. Of one no wider than a cell that can be, past a corner, only where step_cost is asked or
// 'bends' count.
bool astar_covers_block(const AstarFinder *finder, int x, int y, bool bends);
// Takes note that the unit stands at (x, y), where the query begins: blocks that it covers there
// are itself and must not be in its way.
AstarStatus astar_stand(AstarSearch *search, int x, int y, bool bends);
// Takes that back.
void astar_unstand(AstarSearch *search);

#endif
