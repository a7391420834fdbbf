// finder.h -- how one kind of unit moves.

// When a diagonal step between two cells beside it is allowed.
typedef enum AstarDiagonals {
    ASTAR_ALWAYS,                  // whatever stands beside it
    ASTAR_IF_AT_MOST_ONE_OBSTACLE, // one of the two may be blocked
    ASTAR_ONLY_WHEN_NO_OBSTACLES,  // both must be free: no corner is cut
    ASTAR_NEVER,                   // four directions only
    ASTAR_DIAGONALS_COUNT
} AstarDiagonals;

// The estimate of the cost that remains, from the distance to the goal dx, dy >= 0, scaled by the
// cheapest cost there is. Each is scaled down where the corner rule and diagonal_cost need it, so
// that it never overestimates and paths stay optimal.
typedef enum AstarHeuristicName {
    ASTAR_HEURISTIC_DEFAULT, // octile; manhattan when diagonals are never allowed; on hexagons,
                             // that know only ASTAR_EUCLIDEAN and ASTAR_ZERO besides, their number
    ASTAR_OCTILE,            // max - min straight steps and min diagonal ones
    ASTAR_MANHATTAN,         // dx + dy
    ASTAR_EUCLIDEAN,         // the straight line
    ASTAR_CHEBYSHEV,         // max(dx, dy)
    ASTAR_ZERO,              // 0: Dijkstra's algorithm
    ASTAR_HEURISTIC_COUNT
} AstarHeuristicName;

typedef enum AstarAlgorithm {
    ASTAR_AUTO,     // the fastest that honours the other options
    ASTAR_ASTAR,    // A* (Hart, Nilsson and Raphael, 1968)
    ASTAR_DIJKSTRA, // Dijkstra, 1959: A* without an estimate
    ASTAR_JPS,      // jump point search (Harabor and Grastien, 2011, 2014; without diagonals Baum,
                    // 2025): for ground of one cost; needs range 0, weight 1, the default
                    // heuristic, no callback, no 'avoid', no links and walls
    ASTAR_JPSW,     // the same on any ground, with links, walls and 'avoid': by steps where those
                    // or other costs are near (for several costs see Carlson, Moghadam, Harabor,
                    // Stuckey and Ebendt, 2023)
    ASTAR_ALGORITHM_COUNT,
    // What answers of itself where it was baked, and is not asked for by name:
    ASTAR_LABELS,   // hub labels over subgoals, see astar_baking_new
    ASTAR_HIERARCHY // a contraction hierarchy over them
} AstarAlgorithm;

// What is made of bends, the changes of direction along a route.
typedef enum AstarBends {
    ASTAR_BENDS_ANY,    // nothing
    ASTAR_BENDS_FEWER,  // zigzags are taken out of the route found, by any algorithm, where that
                        // costs the same without them; not where callbacks are asked
    ASTAR_BENDS_FEWEST, // of equally cheap routes one with the fewest is found
    ASTAR_BENDS_COUNT
} AstarBends;

// The direction a unit faces: 1 added to the number of a step's direction, clockwise from north.
typedef enum AstarHeading {
    ASTAR_NO_HEADING,
    ASTAR_HEADING_NORTH,
    ASTAR_HEADING_NORTH_EAST,
    ASTAR_HEADING_EAST,
    ASTAR_HEADING_SOUTH_EAST,
    ASTAR_HEADING_SOUTH,
    ASTAR_HEADING_SOUTH_WEST,
    ASTAR_HEADING_WEST,
    ASTAR_HEADING_NORTH_WEST,
    ASTAR_HEADING_COUNT
} AstarHeading;

// Each as the option of Lua has it, "never", "octile", "jps"; NULL beyond the last.
ASTAR_API const char *astar_diagonals_name(AstarDiagonals diagonals);
ASTAR_API const char *astar_heuristic_name(AstarHeuristicName heuristic);
ASTAR_API const char *astar_algorithm_name(AstarAlgorithm algorithm);
ASTAR_API const char *astar_bends_name(AstarBends bends);
ASTAR_API const char *astar_heading_name(AstarHeading heading); // NULL of ASTAR_NO_HEADING, too

// The cost of a cell to this unit, per unit of length: within ASTAR_COST_MIN (or min_cost) and
// ASTAR_COST_MAX (or 'cost'), or INFINITY when it cannot be entered. 'cost' is what the data says.
// Asked at most once a cell a query, and only about cells the data lets the unit enter.
typedef double (*AstarCellCost)(void *context, int x, int y, int terrain, double cost);
// The full cost of the step from (x, y) to (to_x, to_y), a neighbour or the other end of a link;
// 'cost' is what it would be. At least min_cost times the step's length, over a link at least the
// lesser of its cost and min_cost, or INFINITY when the step cannot be made.
typedef double (*AstarStepCost)(void *context, int x, int y, int to_x, int to_y, double cost);
// An estimate for a goal dx >= 0 columns and dy >= 0 rows away, finite and >= 0. On hexagons dx is
// the number of steps over open ground, and dy 0.
typedef double (*AstarEstimate)(void *context, int dx, int dy);

// A field to avoid, and what its values are multiplied by.
typedef struct AstarAvoid {
    AstarField *field;
    double weight; // within ASTAR_COST_MAX of 0
} AstarAvoid;

// Callbacks may query any grid. They may not edit the grid they are asked about
// (ASTAR_GRID_CHANGED). Out of astar_search_step they may leave by longjmp: the search can go on
// later; the other questions would leave their memory behind. Their 'context' is an argument of
// the call that asks them, never stored.
typedef struct AstarOptions {
    AstarDiagonals diagonals;     // ASTAR_ONLY_WHEN_NO_OBSTACLES
    double diagonal_cost;         // length of a diagonal step, 1 to 2; the square root of 2
    const double *costs;          // NULL, or ASTAR_MAX_TERRAINS costs: this unit's own, NAN where
                                  // the grid's holds, INFINITY where it cannot go; copied
    AstarCellCost cost;           // NULL
    AstarStepCost step_cost;      // NULL
    double min_cost;              // the least a callback may return per unit of length;
                                  // 0 (default): the cheapest terrain present
    bool dearer_only;             // false; true: nor less than the cost it is told, so that what is
                                  // measured by the data, landmarks, holds for this unit
    AstarHeuristicName heuristic; // ASTAR_HEURISTIC_DEFAULT
    AstarEstimate estimate;   // NULL, or the host's own heuristic, the host's to keep admissible
    double weight;            // 1 to ASTAR_MAX_WEIGHT, default 1: the path costs at most
                              // 'weight' times the best, and is found sooner
    double max_cost;          // >= 0, default INFINITY: give up beyond this cost
    uint64_t max_expansions;  // >= 1, default UINT64_MAX: give up after this many
    bool partial;             // false; true: when the goal cannot be reached, the path to the
                              // reachable cell nearest to it, among those the cheapest
    int range;                // 0 to ASTAR_MAX_SIDE, default 0: where dx and dy from the nearest
                              // cell that the unit covers to the goal are both within it counts as
                              // the goal, on hexagons so many steps; 0: where its north-west cell
                              // is the goal
    int size;                 // 1 to ASTAR_MAX_SIZE, default 1: the unit covers size x size cells,
                              // see below
    AstarAlgorithm algorithm; // ASTAR_AUTO
    AstarField *avoid;        // NULL, or a field of the grid's size and shape, whose values are
                              // added to the costs of cells, before any callback is asked; retained
    double avoid_weight;      // 0 to ASTAR_COST_MAX, default 1: what they are multiplied by
    const AstarAvoid *avoids; // NULL, or more of them: what is added to a cell is the sum of all,
    int avoid_count;          // 0 where that is less; 0 to ASTAR_MAX_AVOIDS; copied
    const double *breach;     // NULL, or astar_grid_layer_count numbers: the price of a block of
                              // each layer, NAN where it bars this unit; copied. See below
    bool any_angle;           // false; true: the shortest routes of straight lines, see below
    double margin;            // 0 to ASTAR_MAX_SIZE, default 0: how much wider than the cells it
                              // covers the unit is on each side along straight lines, see below
    AstarBends bends;         // ASTAR_BENDS_ANY
    double bend_cost;         // 0 (default) to ASTAR_COST_MAX: what each bend adds to the cost
    const double *bend_costs; // NULL, or what each of 45, 90, 135 and 180 degrees adds instead, on
                              // hexagons of 60, 120, 120 and 180; within 'bend_cost'; copied
    AstarHeading heading;     // ASTAR_NO_HEADING: the first step is no bend, whichever way it
                              // leads; else one in another direction is
    uint64_t ignore;          // 0; a bit, 1 << its number, for each layer of blocks that does not
                              // bar this unit. Edits there are none to its finder: searches and
                              // flows go on as if nothing had been. There must be such layers
} AstarOptions;

// What one question may have its own way: see the options of the same names.
typedef struct AstarQuestion {
    double weight;
    double max_cost;
    uint64_t max_expansions;
    bool partial;
    int range;
    AstarBends bends;
    AstarHeading heading;
} AstarQuestion;

// A unit of size n covers n x n cells and is where its north-west cell is: start, goal, path and
// distances are of that cell. It fits where all cells it covers are inside the grid and free, and
// moves by the corner rule among the cells where it fits. A step costs its length times the dearest
// cell covered after it. A cost callback is asked about each cell covered, at most once a query,
// and INFINITY for any means the unit does not fit; a step_cost callback about north-west cells.
// Links lead from one to another and walls bar the steps of those only; 'avoid' needs size 1.

// Blocks of a layer with a price, from 0 to ASTAR_COST_MAX, in sixteenths, bar a unit no more than
// ignored ones: a cell that holds some costs that much more, per unit of length, as if a field to
// avoid had the sum of their prices there. A larger unit pays the dearest ground and the dearest
// sum. So 'avoid' is what an algorithm must honour. A cost callback is told a cell's cost so.

// Bends count where 'bends' is ASTAR_BENDS_FEWEST or 'bend_cost' is above 0, and only there may
// there be a heading (ASTAR_BAD_OPTION), one that cells of the grid have. A step in another
// direction than the one before is a bend, on hexagons one over another side; turning back is one,
// too; after a link, as at the start, every direction is as good. The search is A*, or Dijkstra's
// algorithm, over cells and directions of arrival, and expands each pair of them by itself.
// max_cost and path->cost take in what bends cost; of equally cheap routes the one found has the
// fewest bends even where each costs something, but for a 'weight' above 1. A step_cost callback's
// words are rounded to a part in 2^31 of the least it may say, so that routes can be equally cheap.
// 'any_angle' cannot honour either option (ASTAR_BAD_OPTION).

// The legs of routes at any angle, and of smoothed paths, are straight lines between middles of
// cells. A unit of size n is a square of n x n cells that goes along such a line: no cell that the
// square covers, even in part, is one that the unit cannot enter. Under a rule that cuts corners
// the square may cover as much of such a cell's corner as a diagonal step lets it; the line of a
// unit of one cell then touches blocked cells at corners only. Thin walls bar a unit where its
// north-west cell goes. A 'margin' widens the square on each side, whatever the rule; legs of the
// way by steps stay. On hexagons there is none (ASTAR_BAD_OPTION): a line goes between two cells
// only where the unit may step from one to the other.

// With 'any_angle' the way by steps is found first by all other options, and tells whether there is
// one, where it ends and what a budget allows. On ground of one cost without callbacks, 'avoid',
// links, walls and a margin the route is then the shortest of all such legs; its search's
// expansions count, and when they are spent it is the way by steps smoothed. Elsewhere it is that,
// each leg no dearer than the part it replaces.

ASTAR_API AstarOptions astar_options_default(void);
// What of the options the algorithm that they ask for by name cannot honour, in words: "weight",
// "a heuristic function", "diagonal_cost 2", ...; NULL: nothing. No finder can be made of options
// with that (ASTAR_BAD_OPTION). What is on the map counts only when a question is asked.
ASTAR_API const char *astar_options_refusal(const AstarOptions *options);

// The same of options that cells of the grid's shape cannot honour: of hexagons "this heuristic",
// "size", "any_angle", "this heading" or "this algorithm".
ASTAR_API const char *astar_grid_refusal(const AstarGrid *grid, const AstarOptions *options);

// A finder on 'grid', which it retains. NULL options mean the defaults. It belongs to the thread
// that makes it, and so do its flows.
ASTAR_API AstarStatus astar_finder_new(AstarGrid *grid, const AstarOptions *options,
                                       AstarFinder **out);
ASTAR_API void astar_finder_retain(AstarFinder *finder);
ASTAR_API void astar_finder_release(AstarFinder *finder);
ASTAR_API AstarGrid *astar_finder_grid(const AstarFinder *finder);
// The options it was made with, but for 'costs', which is NULL: see astar_finder_cost. Of several
// fields, or prices, 'avoid' is the sum, and layers with a price are among those ignored.
ASTAR_API const AstarOptions *astar_finder_options(const AstarFinder *finder);
// Counts the changes of all that its questions read: the grid, but for layers that it ignores, and
// fields that it avoids.
ASTAR_API uint64_t astar_finder_changes(const AstarFinder *finder);
// Builds what searches by this finder need of the grid, about as much as so many expansions take:
// ASTAR_RUNNING until nothing of that is missing, or outdated by edits. Else a question does.
ASTAR_API AstarStatus astar_finder_prepare(AstarFinder *finder, uint64_t expansions);
// The same, and finds where jump point search leads nowhere, which takes one to eight times as long
// on game maps, and no question does: later ones then take down to half the time, and their routes
// stay the same. From an edit on all turns are followed, until a call has looked at those near it.
ASTAR_API AstarStatus astar_finder_settle(AstarFinder *finder, uint64_t expansions);
// A question as the finder's options have it.
ASTAR_API AstarQuestion astar_question_default(const AstarFinder *finder);
// What of a question the finder's algorithm cannot honour, as astar_options_refusal says it.
ASTAR_API const char *astar_question_refusal(const AstarFinder *finder,
                                             const AstarQuestion *question);
// The cost of a terrain to this finder by its data, INFINITY where it cannot go, NAN where there is
// no such terrain.
ASTAR_API double astar_finder_cost(AstarFinder *finder, int terrain);
// The least that the callbacks may return by which a question is being asked: the cost callback,
// and the step_cost callback that was asked last.
ASTAR_API double astar_finder_least_cost(const AstarFinder *finder);
ASTAR_API double astar_finder_least_step(const AstarFinder *finder);
