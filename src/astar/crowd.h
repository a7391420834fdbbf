// crowd.h -- Crowds: many units that move on one grid and never collide. A crowd moves in beats. In
// one beat each unit makes at most one step, straight or diagonal. Two units never share a cell,
// swap cells or cross each other. A unit is drawn on the straight line from its last cell to its
// present one. Discs of radius size / 2 - 0.15 drawn there never overlap.
//
// A unit that wants to move on pushes aside units that need not stay where they are (priority
// inheritance with backtracking, PIBT: Okumura et al., 2022). A crowd belongs to one thread, like
// its finders. The grid may be edited between calls. The same calls lead to the same beats on every
// machine.
typedef struct AstarCrowd AstarCrowd;
typedef uint64_t AstarUnit; // handle of a unit of a crowd; never 0

#define ASTAR_MAX_PERIOD 1000       // the most beats that one step of a unit may take
#define ASTAR_BEAT 65536            // one beat, in the unit in which durations of steps are given
#define ASTAR_MAX_UNIT_PRIORITY 100 // the highest priority of a unit; the lowest is -100
#define ASTAR_MAX_UNIT_SIDE 255     // the highest number of a side
#define ASTAR_MAX_CROWD_KINDS 65535 // the most finders that a crowd may use

typedef struct AstarCrowdOptions {
    // Maximum number of bytes for the distances to goals and for routes. The tables that number the
    // cells are not included. Default: 64 MB.
    size_t bytes;
    // About the number of cells that may be expanded per beat to compute distances, at least 1.
    // Routes for units that wait for distances may take up to 50 % more expansions. Default: 2^18.
    uint64_t expansions;
    // If true, a unit enters only cells that are empty already, so that the squares of two units
    // never overlap even between cells. Default: false.
    bool is_exclusive;
    // If true, units that block each other get a plan only if the host calls astar_crowd_resolving.
    // Default: false.
    bool leaves_deadlocks;
    // If true, a diagonal step takes 1.41 times as long as a straight one. Default: false.
    bool is_even;
    // Seed that breaks ties between equally good steps. Default: 0.
    uint64_t seed;
} AstarCrowdOptions;

// Returns the default options.
ASTAR_API AstarCrowdOptions astar_crowd_options_default(void);
// Returns in words which option of a finder a crowd cannot honour, such as "a cost function", or
// NULL if the crowd can honour all of them.
ASTAR_API const char *astar_crowd_refusal(const AstarFinder *finder);
// Creates a crowd and retains 'finder', by which its units move unless they are added with another
// one. NULL for 'options' means the defaults. Returns ASTAR_BAD_OPTION if astar_crowd_refusal names
// an option of the finder.
ASTAR_API AstarStatus astar_crowd_new(AstarFinder *finder, const AstarCrowdOptions *options,
                                      AstarCrowd **out);
// Returns true if another crowd was created later on the same grid. The two crowds do not see each
// other, so their units may share a cell.
ASTAR_API bool astar_crowd_is_outdated(const AstarCrowd *crowd);
// Adds a reference to a crowd.
ASTAR_API void astar_crowd_retain(AstarCrowd *crowd);
// Drops a reference to a crowd, which is freed with the last one. NULL is allowed.
ASTAR_API void astar_crowd_release(AstarCrowd *crowd);
// Returns the finder that the crowd was created with.
ASTAR_API AstarFinder *astar_crowd_finder(const AstarCrowd *crowd);
// Returns the number of bytes that the crowd occupies. If 'distances' is not NULL, stores in
// '*distances' how many of these bytes hold distances to goals.
ASTAR_API size_t astar_crowd_bytes(const AstarCrowd *crowd, size_t *distances);

// Adds a unit whose north-west cell is (x, y), and stores its handle in '*out'. The unit moves by
// 'finder', which must be a finder of the same grid; NULL means the finder of the crowd. The unit
// makes at most one step in 'period' beats, 1 to ASTAR_MAX_PERIOD. Returns ASTAR_START_BLOCKED if
// the unit cannot be at (x, y), ASTAR_OCCUPIED if another unit is there, and ASTAR_BAD_OPTION for a
// finder of another grid or one that a crowd cannot honour.
ASTAR_API AstarStatus astar_crowd_add(AstarCrowd *crowd, AstarFinder *finder, int x, int y,
                                      int period, AstarUnit *out);
// Returns the lower 32 bits of the handle that the next unit will get. These numbers are small, so
// a host can use them to index an array of its own.
ASTAR_API uint32_t astar_crowd_next_number(const AstarCrowd *crowd);
// Returns true if the unit is still in the crowd.
ASTAR_API bool astar_crowd_has(const AstarCrowd *crowd, AstarUnit unit);
// Removes a unit. Returns false if the unit is not in the crowd.
ASTAR_API bool astar_crowd_remove(AstarCrowd *crowd, AstarUnit unit);
// Cancels the order of a unit. The unit stays where it is, but other units can push it aside.
// Returns false if the unit is not in the crowd.
ASTAR_API bool astar_crowd_stop(AstarCrowd *crowd, AstarUnit unit);
// Holds a unit, or releases it if 'holds' is false. A held unit neither moves nor can be pushed
// aside. Returns false if the unit is not in the crowd.
ASTAR_API bool astar_crowd_hold(AstarCrowd *crowd, AstarUnit unit, bool holds);
// Sets the priority of a unit, -100 to 100, 0 by default. Units of higher priority move first, even
// if other units have waited longer. Returns false if the priority is out of range or the unit is
// not in the crowd.
ASTAR_API bool astar_crowd_set_priority(AstarCrowd *crowd, AstarUnit unit, int priority);
// Sets how a unit moves. 'pace' is the duration of a straight step, from ASTAR_BEAT (one beat) to
// ASTAR_MAX_PERIOD * ASTAR_BEAT. 'turn' is the largest turn in one beat in radians; 0 means that
// the unit turns immediately. Returns ASTAR_BAD_OPTION for other values or if the unit is not in
// the crowd.
ASTAR_API AstarStatus astar_crowd_set_motion(AstarCrowd *crowd, AstarUnit unit, uint32_t pace,
                                             double turn);
// Sets the side of a unit, 0 to ASTAR_MAX_UNIT_SIDE; every unit starts on side 0. Units of
// different sides do not push each other aside. A unit walks around a unit of another side that has
// stood still for some beats. Returns ASTAR_BAD_OPTION for another number or if the unit is not in
// the crowd, or ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_crowd_set_side(AstarCrowd *crowd, AstarUnit unit, int side);

// The largest 'range' of an order to go or to chase.
#define ASTAR_MAX_CROWD_RANGE 64

typedef struct AstarGoOptions {
    // If true and no route leads to the goal, the unit goes to the reachable cell that is nearest
    // to the goal in a straight line. Default: false.
    bool partial;
    // Number of columns and rows that may lie between the goal and the nearest cell of a unit that
    // has arrived, 0 to ASTAR_MAX_CROWD_RANGE. With 0, the default, the north-west cell of the unit
    // has to be on the goal.
    int range;
} AstarGoOptions;

// Sends a unit to a cell by a shortest route. Lengths are rounded to whole numbers: a straight step
// counts 5 and a diagonal one 7, times the cost of the terrain relative to the cheapest terrain.
// Units with the same goal fill the cells around it. One of these units has arrived if no free step
// leads it nearer to the goal. Units with the same goal never push each other aside. Returns
// ASTAR_GOAL_BLOCKED and changes nothing if the unit cannot be at the goal now, and
// ASTAR_BAD_OPTION if the unit is not in the crowd.
ASTAR_API AstarStatus astar_crowd_go(AstarCrowd *crowd, AstarUnit unit, int x, int y);
// Sends a unit to a cell with options; NULL means the defaults. With a 'range' the unit goes to the
// cell within that range to which its route is shortest. Returns ASTAR_GOAL_BLOCKED if the unit
// cannot be in any cell within the range, ASTAR_BAD_OPTION for a range out of bounds, and otherwise
// the same as astar_crowd_go.
ASTAR_API AstarStatus astar_crowd_send(AstarCrowd *crowd, AstarUnit unit, int x, int y,
                                       const AstarGoOptions *options);

// Returns true if a unit can be in a cell and a route leads there from its present cell. Other
// units are ignored.
ASTAR_API bool astar_crowd_reaches(AstarCrowd *crowd, AstarUnit unit, int x, int y);
// Slows a unit down to one step in 'period' beats until its next order. A unit that is slower
// anyway keeps its own period. Returns ASTAR_BAD_OPTION for a period out of range or if the unit is
// not in the crowd, or ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_crowd_keep_pace(AstarCrowd *crowd, AstarUnit unit, int period);

// Sends a unit after another unit, its target, until the target is removed or the unit gets another
// order. The unit has arrived while at most 'range' columns and rows, 1 to ASTAR_MAX_CROWD_RANGE,
// lie between the nearest cells of the two. The unit moves again when the target moves away. From
// far off the unit follows a route. From nearby it follows distances around the target; the memory
// of these distances does not count towards 'bytes'. Returns ASTAR_BAD_OPTION for a range out of
// bounds, if a unit would chase itself, if one of the two is not in the crowd, or if the grid has
// links.
ASTAR_API AstarStatus astar_crowd_chase(AstarCrowd *crowd, AstarUnit unit, AstarUnit other,
                                        int range);
// Returns the unit that a unit chases, or 0 if it chases none.
ASTAR_API AstarUnit astar_crowd_chased(const AstarCrowd *crowd, AstarUnit unit);

// Computes part of the coming beat in advance, by about 'expansions' expansions. Returns ASTAR_OK
// once nothing is left to compute, ASTAR_RUNNING before. If units, orders or the grid change before
// the beat takes place, it is computed again, so the result does not depend on how the work was
// divided into steps.
ASTAR_API AstarStatus astar_crowd_step(AstarCrowd *crowd, uint64_t expansions);
// Makes the coming beat take place. Returns ASTAR_NO_MEMORY and changes nothing if memory runs out.
ASTAR_API AstarStatus astar_crowd_beat(AstarCrowd *crowd);
// Lets 'beats' beats of time pass; the number need not be whole. The beats that are due take place.
// A share of the next beat is computed in advance, in proportion to the time that has passed of it.
// After astar_crowd_beat the next beat starts with no time passed.
ASTAR_API AstarStatus astar_crowd_update(AstarCrowd *crowd, double beats);
// Returns how many beats have taken place.
ASTAR_API uint64_t astar_crowd_beats(const AstarCrowd *crowd);
// Returns how many units the crowd has.
ASTAR_API uint32_t astar_crowd_count(const AstarCrowd *crowd);
// Returns how many units have not yet arrived at the place to which they were sent.
ASTAR_API uint32_t astar_crowd_under_way(const AstarCrowd *crowd);
// Stores the next unit, in the order of the lower 32 bits of the handles. '*cursor' must be 0
// before the first call. Returns false after the last unit.
ASTAR_API bool astar_crowd_next_unit(const AstarCrowd *crowd, uint32_t *cursor, AstarUnit *unit);

typedef enum AstarUnitState {
    ASTAR_UNIT_MOVING,  // The unit stepped in its last beat, or its next step is not yet due.
    ASTAR_UNIT_WAITING, // The unit wants to go on, and could not in its last beat.
    ASTAR_UNIT_ARRIVED, // The unit has no order, or it is where it was sent.
    ASTAR_UNIT_HELD,    // The unit is held by astar_crowd_hold.
    // The distances to the unit's goal are not computed yet, and the unit has no route of its own.
    ASTAR_UNIT_PLANNING,
    // No route leads to the unit's goal, or the unit has come no nearer to its goal for a long
    // time.
    ASTAR_UNIT_STUCK,
    ASTAR_UNIT_LOST, // The unit that it chased was removed, and it has got no order since.
    ASTAR_UNIT_STATE_COUNT
} AstarUnitState;

// Returns the name of a state, such as "moving", or NULL for a number beyond the last state.
ASTAR_API const char *astar_unit_state_name(AstarUnitState state);

typedef struct AstarUnitFacts {
    int x, y;           // the cell of the unit
    int from_x, from_y; // the cell where the unit was before the last beat
    // The point at which to draw the unit. The point lies on the line between the two cells, or the
    // unit is still moving to the first cell. During a step over a link, the point is the entrance
    // of the link.
    double at_x, at_y;
    AstarHeading heading; // direction of the last step; ASTAR_NO_HEADING before the first step
    // Direction that the unit faces, in radians, clockwise from east, above -pi and at most pi; NaN
    // before the first step.
    double angle;
    AstarUnitState state;
    int size, period, priority, side; // 'period' is the pace in beats, rounded up
    uint32_t pace;                    // duration of a straight step; ASTAR_BEAT is one beat
    bool has_goal;
    int goal_x, goal_y;
} AstarUnitFacts;

// Stores the facts about a unit after the last beat and the orders since then. Computing in advance
// by astar_crowd_step does not change them. Returns false if the unit is not in the crowd.
ASTAR_API bool astar_crowd_unit(const AstarCrowd *crowd, AstarUnit unit, AstarUnitFacts *facts);
// Stores in '*blocker' the unit that occupies the cell which 'unit' would enter next. If several
// units block the next step, the result is the unit in the cell nearest to the goal. Stores 0 if no
// unit blocks it or 'unit' does not want to move. If memory runs out while tables are updated after
// an edit, the function stores 0 and returns ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_crowd_blocker(AstarCrowd *crowd, AstarUnit unit, AstarUnit *blocker);
// Position of a unit for drawing.
typedef struct AstarUnitPlace {
    AstarUnit unit;
    double x, y; // 'at_x' and 'at_y' of AstarUnitFacts
    AstarHeading heading;
} AstarUnitPlace;

// Stores the position of the next unit, in the order of astar_crowd_next_unit. '*cursor' must be 0
// before the first call. To read many units, this function is faster than astar_crowd_unit. Returns
// false after the last unit.
ASTAR_API bool astar_crowd_next_place(const AstarCrowd *crowd, uint32_t *cursor,
                                      AstarUnitPlace *place);
// Returns the unit that occupies a cell, or 0 if no unit does or the cell is outside the grid.
ASTAR_API AstarUnit astar_crowd_unit_at(const AstarCrowd *crowd, int x, int y);

// Writes a crowd as bytes, which are the same on every machine, and stores their number in
// '*length'. Bytes beyond 'capacity' are not written. The crowd drops its plans and the finders
// that no unit uses, and updates its distances. A crowd loaded from the bytes starts from the same
// state, so both crowds behave alike if their maps are equal. Returns ASTAR_NO_MEMORY if memory
// runs out.
ASTAR_API AstarStatus astar_crowd_save(AstarCrowd *crowd, void *bytes, size_t capacity,
                                       size_t *length);
// Creates a crowd from bytes that astar_crowd_save wrote. The grid of 'finders' must be like the
// grid of the saved crowd. 'finders' lists the finder of the crowd and then those of its units,
// each once, in the order of astar_crowd_next_unit. The units keep their order and the lower 32
// bits of their handles. Returns ASTAR_BAD_OPTION if the finders do not fit, and ASTAR_BAD_DATA for
// bytes that are truncated, altered or forged.
ASTAR_API AstarStatus astar_crowd_load(const void *bytes, size_t length,
                                       AstarFinder *const *finders, size_t count, AstarCrowd **out);

// A job that plans how units of a crowd get to their goals, and finds a plan whenever there is one
// (LaCAM: Okumura, 2023). Afterwards the job improves the plan. Units without a goal may end
// anywhere. If several units share a goal, or the goal lies outside the window, each unit goes to
// the nearest remaining cell.
//
// The units stay where they are until the plan is made. Afterwards the crowd follows the plan, one
// step per beat, and waits while other units block the next step. The plan ends if one of its units
// is removed or gets an order with another goal, and after 17 beats of waiting. After the end of
// the plan its units continue without it.
typedef struct AstarResolving AstarResolving;

typedef struct AstarResolvingOptions {
    size_t bytes;     // most bytes that the job may occupy; default 256 MB
    uint64_t improve; // expansions for improving the plan; default 2^20
    // The window: the rectangle of cells that the units may enter; a width of 0 means all cells.
    int x, y, width, height;
    // If not 0, only units of this period that have no plan take part. Units that cannot reach
    // their place may then end anywhere. Default: 0.
    int period;
    int side; // if not -1, only units of this side take part; default -1
} AstarResolvingOptions;

// Returns the default options.
ASTAR_API AstarResolvingOptions astar_resolving_options_default(void);
// Returns in words why the job cannot plan for these units, such as "links", "units larger than a
// cell" or "units of several periods", or NULL if it can. NULL for 'units' means all units.
ASTAR_API const char *astar_crowd_resolving_refusal(const AstarCrowd *crowd, const AstarUnit *units,
                                                    size_t count,
                                                    const AstarResolvingOptions *options);
// Creates a job that plans for the listed units inside the window; NULL means all units there. Held
// units and units that are not listed are obstacles. A unit leaves the plan that it followed
// before. Returns ASTAR_BAD_OPTION if astar_crowd_resolving_refusal names a reason.
ASTAR_API AstarStatus astar_crowd_resolving(AstarCrowd *crowd, const AstarUnit *units, size_t count,
                                            const AstarResolvingOptions *options,
                                            AstarResolving **out);
// Works on a plan, by about 'expansions' expansions; the plan does not depend on how the work is
// divided into steps. Returns ASTAR_RUNNING while there is more to do, and ASTAR_OK once the crowd
// follows the plan or nothing is left to do. Other results: ASTAR_UNSOLVABLE if there is no plan,
// ASTAR_OUT_OF_BYTES if 'bytes' are used up, ASTAR_START_BLOCKED if a unit is in a cell that it
// cannot enter, ASTAR_GRID_CHANGED if the map was edited, and ASTAR_CANCELLED.
ASTAR_API AstarStatus astar_resolving_step(AstarResolving *resolving, uint64_t expansions);
// Makes the crowd follow the best plan found so far. Returns false if there is none yet.
ASTAR_API bool astar_resolving_follow(AstarResolving *resolving);
// Cancels a job, unless the crowd already follows its plan.
ASTAR_API void astar_resolving_cancel(AstarResolving *resolving);
// Releases a job.
ASTAR_API void astar_resolving_release(AstarResolving *resolving);

typedef struct AstarResolvingFacts {
    AstarStatus status;
    uint32_t units;
    bool has_plan, is_followed;
    uint32_t beats, left; // number of beats of the whole plan, and number of beats left
    uint64_t cost;        // the sum over the units of the beats until each one arrives
    uint64_t expanded;    // number of moves of single units that were tried
    size_t bytes;
} AstarResolvingFacts;

// Returns the status and the size of a job and its plan.
ASTAR_API AstarResolvingFacts astar_resolving_facts(const AstarResolving *resolving);
