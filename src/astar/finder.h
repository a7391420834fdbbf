// finder.h -- Finders: how one kind of unit moves over a grid, and which algorithm its queries use.

// Rules for a diagonal step, which passes between the two cells beside it.
typedef enum AstarDiagonals {
    ASTAR_ALWAYS,                  // allowed whatever is beside it
    ASTAR_IF_AT_MOST_ONE_OBSTACLE, // allowed if at most one of the two cells is blocked
    ASTAR_ONLY_WHEN_NO_OBSTACLES,  // allowed if both cells are free, so that no corner is cut
    ASTAR_NEVER,                   // never allowed: four directions only
    ASTAR_DIAGONALS_COUNT
} AstarDiagonals;

// Heuristics: estimates of the cost that remains, from the distance to the goal in columns, dx >=
// 0, and rows, dy >= 0. The distance is multiplied by the cheapest cost on the map. If the corner
// rule and diagonal_cost require it, the estimate is scaled down so that it never overestimates and
// paths stay optimal. Hexagons allow only ASTAR_HEURISTIC_DEFAULT, ASTAR_EUCLIDEAN and ASTAR_ZERO.
typedef enum AstarHeuristicName {
    ASTAR_HEURISTIC_DEFAULT, // octile; manhattan without diagonal steps; steps on hexagons
    ASTAR_OCTILE,            // max(dx, dy) - min(dx, dy) straight and min(dx, dy) diagonal steps
    ASTAR_MANHATTAN,         // dx + dy
    ASTAR_EUCLIDEAN,         // the length of the straight line
    ASTAR_CHEBYSHEV,         // max(dx, dy)
    ASTAR_ZERO,              // 0, as in Dijkstra's algorithm
    ASTAR_HEURISTIC_COUNT
} AstarHeuristicName;

// Algorithms of a finder.
typedef enum AstarAlgorithm {
    ASTAR_AUTO,     // the fastest algorithm that honours the other options
    ASTAR_ASTAR,    // A* (Hart, Nilsson and Raphael, 1968)
    ASTAR_DIJKSTRA, // Dijkstra's algorithm (1959): A* without an estimate
    // Jump point search (Harabor and Grastien, 2011, 2014; without diagonals Baum, 2025), for
    // ground of one cost. Needs range 0, weight 1, the default heuristic, and no callback, 'avoid',
    // links or walls.
    ASTAR_JPS,
    // Jump point search on any ground, with links, walls and 'avoid'. Cells near links, walls,
    // values of 'avoid', or ground of another cost are expanded step by step (for several costs see
    // Carlson, Moghadam, Harabor, Stuckey and Ebendt, 2023).
    ASTAR_JPSW,
    ASTAR_ALGORITHM_COUNT,
    // The following values occur only as results of queries on a baked map. These values cannot be
    // chosen.
    ASTAR_LABELS,   // hub labels over subgoals, see astar_baking_new
    ASTAR_HIERARCHY // a contraction hierarchy over subgoals
} AstarAlgorithm;

// Treatments of bends by a search. A bend is a change of direction along a route.
typedef enum AstarBends {
    ASTAR_BENDS_ANY, // bends do not matter
    // Any algorithm may run. Zigzags are removed from the route that it has found if this does not
    // raise the cost. Has no effect if a callback is called.
    ASTAR_BENDS_FEWER,
    ASTAR_BENDS_FEWEST, // among equally cheap routes the search finds one with the fewest bends
    ASTAR_BENDS_COUNT
} AstarBends;

// The direction that a unit faces: 1 + the number of the direction of a step. Directions are
// numbered clockwise from north.
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

// Return the name of a value as the Lua option spells it, such as "never", "octile" or "jps", or
// NULL beyond the last value.
ASTAR_API const char *astar_diagonals_name(AstarDiagonals diagonals);
ASTAR_API const char *astar_heuristic_name(AstarHeuristicName heuristic);
ASTAR_API const char *astar_algorithm_name(AstarAlgorithm algorithm);
ASTAR_API const char *astar_bends_name(AstarBends bends);
// Returns the name of a heading, or NULL for ASTAR_NO_HEADING and beyond the last heading.
ASTAR_API const char *astar_heading_name(AstarHeading heading);

// A callback that returns the cost of a cell to this unit per unit of length. The cost is
// ASTAR_COST_MIN (or min_cost) to ASTAR_COST_MAX, or INFINITY if the unit cannot enter the cell.
// With 'dearer_only' it is at least 'cost', the cost by terrain and fields. A query calls the
// callback at most once per cell, and only for cells that the map lets the unit enter.
typedef double (*AstarCellCost)(void *context, int x, int y, int terrain, double cost);
// A callback that returns the full cost of the step from (x, y) to (to_x, to_y), a neighbour or the
// other end of a link, or INFINITY if the step cannot be made. 'cost' is the cost of the step
// without the callback. The result must be at least min_cost times the length of the step, and over
// a link at least the lesser of min_cost and the link's cost.
typedef double (*AstarStepCost)(void *context, int x, int y, int to_x, int to_y, double cost);
// A callback that returns an estimate, finite and >= 0, for a goal dx >= 0 columns and dy >= 0 rows
// away. On hexagons dx is the number of steps over open ground and dy is 0.
typedef double (*AstarEstimate)(void *context, int dx, int dy);

// A field to avoid, and its weight.
typedef struct AstarAvoid {
    // Field whose values are added to the costs of cells.
    AstarField *field;
    double weight; // factor of the values, from -ASTAR_COST_MAX to ASTAR_COST_MAX
} AstarAvoid;

// Options of a finder. Callbacks may query any grid, but may not edit the grid that they are called
// for (ASTAR_GRID_CHANGED). A callback may leave astar_search_step by longjmp, and the search can
// continue later; in other queries a longjmp leaks memory. The 'context' of callbacks is an
// argument of each call and is never stored.
typedef struct AstarOptions {
    // Rule for diagonal steps. Default: ASTAR_ONLY_WHEN_NO_OBSTACLES.
    AstarDiagonals diagonals;
    // Length of a diagonal step, 1 to 2. Default: the square root of 2.
    double diagonal_cost;
    // NULL (default), or ASTAR_MAX_TERRAINS costs for this unit, one per terrain: NAN for the cost
    // in the grid's palette, INFINITY for terrain that the unit cannot enter. The array is copied.
    const double *costs;
    // Callback for the cost of a cell. Default: NULL.
    AstarCellCost cost;
    // Callback for the cost of a step. Default: NULL.
    AstarStepCost step_cost;
    // Least result of a callback per unit of length. 0 (default) means the cost of the cheapest
    // terrain on the map.
    double min_cost;
    // Heuristic, by its name. Default: ASTAR_HEURISTIC_DEFAULT.
    AstarHeuristicName heuristic;
    // Heuristic of the host, which must keep it admissible. Default: NULL.
    AstarEstimate estimate;
    // 1 to ASTAR_MAX_WEIGHT. The path costs at most 'weight' times the optimum and is found sooner.
    // Default: 1.
    double weight;
    // Greatest cost of a path, >= 0. Paths that cost more are not found. Default: INFINITY.
    double max_cost;
    // Maximum number of expansions of a query, >= 1. Default: UINT64_MAX.
    uint64_t max_expansions;
    // If true and the goal cannot be reached, the result is a cheapest path to a reachable cell
    // nearest to the goal. Default: false.
    bool partial;
    // Number of columns and rows (on hexagons of steps) that may lie between the goal and the
    // nearest cell of the unit, 0 to ASTAR_MAX_SIDE. With 0, the default, the north-west cell of
    // the unit has to be on the goal.
    int range;
    // Algorithm, by its name. Default: ASTAR_AUTO.
    AstarAlgorithm algorithm;
    // NULL (default), or a field of the size and shape of the grid. Its values are added to the
    // costs of cells before callbacks are called. The field is retained.
    AstarField *avoid;
    // Factor of the values of 'avoid', 0 to ASTAR_COST_MAX. Default: 1.
    double avoid_weight;
    // NULL (default), or further fields to avoid. The sum of all their values is added to the cost
    // of a cell, unless the sum is negative. The array is copied.
    const AstarAvoid *avoids;
    // Number of entries of 'avoids', 0 to ASTAR_MAX_AVOIDS. Default: 0.
    int avoid_count;
    // Number of columns that the unit covers, 1 to ASTAR_MAX_SIZE. See "Units of several cells"
    // below. Default: 1.
    int size;
    // Number of rows that the unit covers, 1 to ASTAR_MAX_SIZE, or 0 (default) for as many rows as
    // columns. In Lua the option 'size' has both numbers.
    int height;
    // If true, routes are shortest sequences of straight lines. See "Any-angle routes" below.
    // Default: false.
    bool any_angle;
    // Width in cells by which the unit is wider on each side along straight lines, 0 to
    // ASTAR_MAX_SIZE. See "Straight legs" below. Default: 0.
    double margin;
    // Treatment of bends. Default: ASTAR_BENDS_ANY.
    AstarBends bends;
    // Cost that is added for each bend of a path, 0 to ASTAR_COST_MAX. Default: 0.
    double bend_cost;
    // NULL (default), or four costs in place of 'bend_cost': for bends of 45, 90, 135 and 180
    // degrees, on hexagons 60, 120, 120 and 180. Each is at most 'bend_cost'. The array is copied.
    const double *bend_costs;
    // Direction that the unit faces at the start, so that the first step may be a bend. Default:
    // ASTAR_NO_HEADING, with which the first step is never a bend.
    AstarHeading heading;
    // Set of the layers of blocks that do not bar the unit, one bit, 1 << number, for each. The
    // layers must exist. The finder's searches and flows ignore edits of these layers. Default: 0.
    uint64_t ignore;
    // NULL (default), or astar_grid_layer_count prices for passing a block, one per layer of
    // blocks; NAN for a layer that bars the unit. The array is copied. See "Breaching" below.
    const double *breach;
    // If true, callbacks never return less than the 'cost' they are passed, so that distances to
    // landmarks stay valid. Default: false.
    bool dearer_only;
} AstarOptions;

// Options that a single query may replace. The options mean the same as in AstarOptions.
typedef struct AstarQueryOptions {
    double weight;
    double max_cost;
    uint64_t max_expansions;
    bool partial;
    int range;
    AstarBends bends;
    AstarHeading heading;
} AstarQueryOptions;

// Units of several cells. A unit of 'size' w and 'height' h covers w columns and h rows and never
// turns. Its position is its north-west cell; start, goal, path and distances refer to that cell.
// The unit fits on a position if all w x h cells are inside the grid and free, and it moves by the
// corner rule among the positions where it fits. A step costs its length times the sum of two
// costs: the highest cost of terrain among the cells that the unit then covers, and the highest
// value of the fields to avoid among these cells, each of which may lie in another cell. A query
// calls the 'cost' callback at most once for each covered cell, with the terrain and the fields of
// that cell; the highest result counts, and INFINITY for one of them means that the unit does not
// fit. 'step_cost' is called with north-west cells. Links and walls apply to the north-west cell
// only. Crowds, worlds, cuts and blockers need a square unit, see there.

// Breaching. A block of a layer with a price, 0 to ASTAR_COST_MAX, rounded to sixteenths, does not
// bar the unit. Instead, a cell costs more per unit of length by the sum of the prices of its
// blocks, as if a field to avoid had that value there. A larger unit pays the highest cost of
// terrain, the highest value of its fields and the highest sum of prices among its cells. The
// algorithm must therefore support 'avoid'. The 'cost' of a callback includes the prices.

// Bends. Searches count bends if 'bends' is ASTAR_BENDS_FEWEST or 'bend_cost' is above 0. Only then
// may a heading be given, one of the directions of the grid (else ASTAR_BAD_OPTION). A bend is a
// step in another direction than the step before, including a step back. The first step after a
// link, or after a start without a heading, is never a bend. The search is A* or Dijkstra's
// algorithm over pairs of cell and direction of arrival, and each pair counts as one expansion.
// max_cost and path->cost include the costs of bends. Among equally cheap routes one with the
// fewest bends is found, even with a 'bend_cost', except with a 'weight' above 1. Results of
// 'step_cost' are rounded to 2^-31 of their least allowed value, so that routes can be equally
// cheap. 'any_angle' excludes both options (ASTAR_BAD_OPTION).

// Straight legs. The legs of any-angle routes and of smoothed paths are straight lines between
// middles of cells. A unit moves along a leg as a rectangle of its cells. The rectangle
// covers no part of a cell that the unit cannot enter, with one exception: under a rule that cuts
// corners it may overlap the corner of such a cell as much as a diagonal step does. The line of a
// unit of one cell then touches blocked cells at corners only. Thin walls bar a unit where its
// north-west cell moves. A 'margin' widens the rectangle on each side under every rule; legs that
// consist of ordinary steps are not affected. On hexagons 'margin' is ASTAR_BAD_OPTION, and a leg
// connects two cells only if the unit may step along the cells between them.

// Any-angle routes. With 'any_angle' the query first finds a path of steps by all other options.
// The path of steps decides whether there is a route, where it ends, and what a budget allows. On
// ground of one cost, without callbacks, 'avoid', links, walls and margin, a second search then
// finds the shortest route of straight legs. Its expansions count; if they run out, the result is
// the path of steps, smoothed. In all other cases the result is the smoothed path of steps as well,
// each leg of which costs at most as much as the part that it replaces.

// Returns the default options.
ASTAR_API AstarOptions astar_options_default(void);
// Returns in words which option the algorithm chosen by name cannot honour, such as "weight", "a
// heuristic function" or "diagonal_cost 2", or NULL if it can honour all. astar_finder_new refuses
// such options (ASTAR_BAD_OPTION). Links, walls and terrain on the map are checked only by a query.
ASTAR_API const char *astar_options_refusal(const AstarOptions *options);

// Returns in words which option the shape of the grid's cells cannot honour, or NULL. For hexagons
// that is "this heuristic", "size", "any_angle", "this heading" or "this algorithm".
ASTAR_API const char *astar_grid_refusal(const AstarGrid *grid, const AstarOptions *options);

// Creates a finder on 'grid' and retains the grid. NULL for 'options' means the defaults. The
// finder and its flows belong to the thread that creates it.
ASTAR_API AstarStatus astar_finder_new(AstarGrid *grid, const AstarOptions *options,
                                       AstarFinder **out);
// Adds a reference to a finder.
ASTAR_API void astar_finder_retain(AstarFinder *finder);
// Drops a reference to a finder, which is freed with the last one.
ASTAR_API void astar_finder_release(AstarFinder *finder);
// Returns the grid of a finder.
ASTAR_API AstarGrid *astar_finder_grid(const AstarFinder *finder);
// Returns the options of a finder, except that 'costs' is NULL: see astar_finder_cost. If there are
// several fields, or prices of blocks, 'avoid' is their sum. 'ignore' includes the layers that have
// a price.
ASTAR_API const AstarOptions *astar_finder_options(const AstarFinder *finder);
// Returns a number that grows with each change of the data that queries of the finder read: the
// grid, except layers that the finder ignores, and the fields that it avoids.
ASTAR_API uint64_t astar_finder_changes(const AstarFinder *finder);
// Builds the data that searches of this finder need, by about as much work as 'expansions'
// expansions. Returns ASTAR_RUNNING until all data exist and are up to date. Otherwise the next
// query builds them.
ASTAR_API AstarStatus astar_finder_prepare(AstarFinder *finder, uint64_t expansions);
// Does the work of astar_finder_prepare, and then finds the dead ends of jump point search: jump
// points from which no jump leads on. No query does that, because it takes one to eight times as
// long on game maps. Later queries take down to half the time and return the same routes. After an
// edit, dead ends near the edit are treated like other jump points until a call has examined them
// again.
ASTAR_API AstarStatus astar_finder_settle(AstarFinder *finder, uint64_t expansions);
// Returns the options that a query of the finder has by default.
ASTAR_API AstarQueryOptions astar_query_default(const AstarFinder *finder);
// Returns in words which option of a query the finder's algorithm cannot honour, or NULL if it can
// honour all.
ASTAR_API const char *astar_query_refusal(const AstarFinder *finder,
                                          const AstarQueryOptions *query);
// Returns the cost of a terrain to this finder without callbacks: INFINITY if the unit cannot enter
// it, NAN if there is no such terrain.
ASTAR_API double astar_finder_cost(AstarFinder *finder, int terrain);
// Returns the least valid result of the 'cost' callback of the query in progress.
ASTAR_API double astar_finder_least_cost(const AstarFinder *finder);
// Returns the least valid result of the latest call of the 'step_cost' callback.
ASTAR_API double astar_finder_least_step(const AstarFinder *finder);
