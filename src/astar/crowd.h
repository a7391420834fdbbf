// crowd.h -- many units on one grid that never bump. They move in beats, all at once and at most
// one step each, a diagonal one too; no two are ever in a cell, none swap or cross. Drawn in
// straight lines from where they were to where they are, discs of radius size / 2 - 0.15 never
// overlap. Who wants to go on pushes those aside who need not stand where they do (priority
// inheritance with backtracking: Okumura et al., 2022). A crowd belongs to one thread, as its
// finders do; the grid may be edited between calls. The same calls give the same beats on every
// machine.
typedef struct AstarCrowd AstarCrowd;
typedef uint64_t AstarUnit; // a unit of a crowd; never 0

#define ASTAR_MAX_PERIOD 1000       // the most beats a step of a unit may take
#define ASTAR_BEAT 65536            // what times of steps are counted in: so much is a beat
#define ASTAR_MAX_UNIT_PRIORITY 100 // the highest of a unit; the lowest is -100
#define ASTAR_MAX_UNIT_SIDE 255     // the highest number of a side
#define ASTAR_MAX_CROWD_KINDS 65535 // finders of a crowd

typedef struct AstarCrowdOptions {
    size_t bytes; // of distances to goals and routes, at most, not of what numbers cells; 64 MB
    uint64_t expansions; // >= 1: of how many cells a beat may work out distances, about; 2^18. Half
                         // as much more goes into routes of units that wait for some
    bool is_exclusive;   // false; true: units enter only what is empty, and whole squares of them
                         // never overlap
    bool leaves_knots;   // false; true: units in each other's way get no plan but by
                         // astar_crowd_resolving
    bool is_even;        // false; true: diagonal steps take 1.41 times as long as straight ones
    uint64_t seed;       // 0; ties between equally good steps are broken by it
} AstarCrowdOptions;

ASTAR_API AstarCrowdOptions astar_crowd_options_default(void);
// What of a finder a crowd cannot honour, in words: "a cost function", ...; NULL: nothing.
ASTAR_API const char *astar_crowd_refusal(const AstarFinder *finder);
// A crowd whose units go by 'finder' unless told otherwise, which it retains. NULL options mean the
// defaults. ASTAR_BAD_OPTION where that is refused.
ASTAR_API AstarStatus astar_crowd_new(AstarFinder *finder, const AstarCrowdOptions *options,
                                      AstarCrowd **out);
// Whether another crowd was made of its grid since. The two do not see each other: their units may
// be in one cell.
ASTAR_API bool astar_crowd_is_outdated(const AstarCrowd *crowd);
ASTAR_API void astar_crowd_retain(AstarCrowd *crowd);
ASTAR_API void astar_crowd_release(AstarCrowd *crowd);
ASTAR_API AstarFinder *astar_crowd_finder(const AstarCrowd *crowd);
// The bytes it takes up, distances included, and those of the distances.
ASTAR_API size_t astar_crowd_bytes(const AstarCrowd *crowd, size_t *distances);

// Puts a unit of a finder on the same grid, NULL: the crowd's, at its north-west cell. It steps
// once in 'period' beats at most, 1 to ASTAR_MAX_PERIOD. ASTAR_START_BLOCKED where it cannot stand,
// ASTAR_OCCUPIED where a unit stands, ASTAR_BAD_OPTION for another grid or a finder that is
// refused.
ASTAR_API AstarStatus astar_crowd_add(AstarCrowd *crowd, AstarFinder *finder, int x, int y,
                                      int period, AstarUnit *out);
// The lower half of the next unit's number: hosts may keep what is theirs of units in an array.
ASTAR_API uint32_t astar_crowd_next_number(const AstarCrowd *crowd);
// Each of these is false where there is no such unit any more.
ASTAR_API bool astar_crowd_has(const AstarCrowd *crowd, AstarUnit unit);
ASTAR_API bool astar_crowd_remove(AstarCrowd *crowd, AstarUnit unit);
// It wants nothing any more: it stays, and makes way for others.
ASTAR_API bool astar_crowd_stop(AstarCrowd *crowd, AstarUnit unit);
// It does not move, nor make way, until it is let go.
ASTAR_API bool astar_crowd_hold(AstarCrowd *crowd, AstarUnit unit, bool holds);
// Units of a higher priority go first, whoever has waited longer: -100 to 100, 0 at first.
ASTAR_API bool astar_crowd_set_priority(AstarCrowd *crowd, AstarUnit unit, int priority);
// How long its straight steps take, ASTAR_BEAT to ASTAR_MAX_PERIOD times that, and how far it turns
// in a beat at most, in radians, 0: at once. ASTAR_BAD_OPTION else, or where there is no such unit.
ASTAR_API AstarStatus astar_crowd_set_motion(AstarCrowd *crowd, AstarUnit unit, uint32_t pace,
                                             double turn);
// Units of two sides do not make way for each other, nor push one another; who stands for some
// beats is gone round. All are of side 0 at first. ASTAR_BAD_OPTION for a number above
// ASTAR_MAX_UNIT_SIDE, or where there is no such unit; ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_crowd_set_side(AstarCrowd *crowd, AstarUnit unit, int side);

#define ASTAR_MAX_CROWD_RANGE 64

typedef struct AstarGoOptions {
    bool partial; // false; true: where no way leads there, to the nearest cell to it, by straight
                  // line, of those that one leads to from where the unit is
    int range; // 0, to ASTAR_MAX_CROWD_RANGE: it has arrived where dx and dy from the nearest cell
               // that it covers are no more than that; 0: where its north-west cell is there
} AstarGoOptions;

// Sends a unit to a cell, by the way that is shortest by the crowd's lengths (straight steps 5 and
// diagonal ones 7, times what the ground costs beside the cheapest, rounded). Units of one goal
// fill the cells around it: each has arrived where no step nearer is open, and never pushes another
// of them aside. ASTAR_GOAL_BLOCKED, and nothing changed, where it cannot stand there now,
// ASTAR_BAD_OPTION where there is no such unit.
ASTAR_API AstarStatus astar_crowd_go(AstarCrowd *crowd, AstarUnit unit, int x, int y);
// The same with options, NULL: none. Within a range it is the nearest cell by its way that it goes
// to; ASTAR_GOAL_BLOCKED where it can stand in none of them, ASTAR_BAD_OPTION for another range.
ASTAR_API AstarStatus astar_crowd_send(AstarCrowd *crowd, AstarUnit unit, int x, int y,
                                       const AstarGoOptions *options);

// Whether a unit can stand in a cell, and a way leads there from where it is, whoever is in it.
ASTAR_API bool astar_crowd_reaches(AstarCrowd *crowd, AstarUnit unit, int x, int y);
// Has a unit step once in 'period' beats, or less often if its own is longer, until its next order.
// ASTAR_BAD_OPTION for a period out of its range, or where there is no such unit; ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_crowd_keep_pace(AstarCrowd *crowd, AstarUnit unit, int period);

// Has a unit go after another until that is removed, or it is told something else: it has arrived
// where dx and dy between the nearest cells that the two cover are no more than 'range', 1 to
// ASTAR_MAX_CROWD_RANGE, and goes on when it is not. Far off it goes by routes, near by distances
// about the other, for which there is no room in 'bytes'. ASTAR_BAD_OPTION for another range,
// itself, where there is no such unit, or on a grid with links.
ASTAR_API AstarStatus astar_crowd_chase(AstarCrowd *crowd, AstarUnit unit, AstarUnit other,
                                        int range);
// Whom a unit chases; 0: nobody.
ASTAR_API AstarUnit astar_crowd_chased(const AstarCrowd *crowd, AstarUnit unit);

// Works ahead on the coming beat, by about as many expansions: ASTAR_OK when nothing of it is left
// to be done. What changes before it takes place, units, orders or the grid, has it worked out
// anew; so a beat is the same however it was sliced.
ASTAR_API AstarStatus astar_crowd_step(AstarCrowd *crowd, uint64_t expansions);
// The coming beat takes place. ASTAR_NO_MEMORY: it does not, and all is as it was.
ASTAR_API AstarStatus astar_crowd_beat(AstarCrowd *crowd);
// Time passes, in beats: those due take place, and of the next a share is worked out that fits the
// time gone by. After astar_crowd_beat a beat is at its end, and the next begins at once.
ASTAR_API AstarStatus astar_crowd_update(AstarCrowd *crowd, double beats);
ASTAR_API uint64_t astar_crowd_beats(const AstarCrowd *crowd); // that took place
// How many units there are, and how many of them have not arrived where they were sent.
ASTAR_API uint32_t astar_crowd_count(const AstarCrowd *crowd);
ASTAR_API uint32_t astar_crowd_under_way(const AstarCrowd *crowd);
// Stores the next unit, those added first before others; '*cursor' is 0 at first.
ASTAR_API bool astar_crowd_next_unit(const AstarCrowd *crowd, uint32_t *cursor, AstarUnit *unit);

typedef enum AstarUnitState {
    ASTAR_UNIT_MOVING,
    ASTAR_UNIT_WAITING,  // it wants to go on, and could not in its last beat
    ASTAR_UNIT_ARRIVED,  // it wants nothing, or is where it was sent
    ASTAR_UNIT_HELD,     //
    ASTAR_UNIT_PLANNING, // there are neither distances to its goal yet nor a route of its own
    ASTAR_UNIT_STUCK,    // no way leads to its goal, or it has come no nearer for long
    ASTAR_UNIT_LOST,     // whom it chased has been removed; it wants nothing since
    ASTAR_UNIT_STATE_COUNT
} AstarUnitState;

// "moving", ...; NULL beyond the last.
ASTAR_API const char *astar_unit_state_name(AstarUnitState state);

typedef struct AstarUnitFacts {
    int x, y;             // its cell
    int from_x, from_y;   // where it was before the last beat
    double at_x, at_y;    // where it is drawn now: on the line between them, or still on its way to
                          // the first; over a link at its entrance until the beat is over
    AstarHeading heading; // of its last step, ASTAR_NO_HEADING before the first
    double angle;         // which way it is turned: radians, 0 is east, clockwise, more than -pi to
                          // pi; NaN before its first step
    AstarUnitState state;
    int size, period, priority, side; // the period is that which is not less than its pace
    uint32_t pace;
    bool has_goal;
    int goal_x, goal_y;
} AstarUnitFacts;

// False where there is no such unit. The facts are those of the last beat, and of the orders since:
// they do not depend on how far astar_crowd_step worked ahead.
ASTAR_API bool astar_crowd_unit(const AstarCrowd *crowd, AstarUnit unit, AstarUnitFacts *facts);
// Stores who stands where the unit would go on to, of several the one on the nearest cell to its
// goal; 0 where nobody does, or the unit does not want to go on. ASTAR_NO_MEMORY, and 0, where the
// map was edited and there is none to see how it is now.
ASTAR_API AstarStatus astar_crowd_blocker(AstarCrowd *crowd, AstarUnit unit, AstarUnit *blocker);
// What of its facts there is to draw, of many units sooner: all of them in the order of
// astar_crowd_next_unit, '*cursor' being 0 at first.
typedef struct AstarUnitPlace {
    AstarUnit unit;
    double x, y; // at_x and at_y of its facts
    AstarHeading heading;
} AstarUnitPlace;

ASTAR_API bool astar_crowd_next_place(const AstarCrowd *crowd, uint32_t *cursor,
                                      AstarUnitPlace *place);
// The unit that stands in a cell, and 0 where there is none, or outside.
ASTAR_API AstarUnit astar_crowd_unit_at(const AstarCrowd *crowd, int x, int y);

// Writes a crowd as bytes, the same on every machine: as many as fit into 'capacity', of 'length';
// ASTAR_NO_MEMORY. It lets go of its plans, and of finders that no unit has, and brings its
// distances up to date, as one that is loaded does: both go on alike, on maps that are.
ASTAR_API AstarStatus astar_crowd_save(AstarCrowd *crowd, void *bytes, size_t capacity,
                                       size_t *length);
// A crowd as that wrote it, on another map like that one. 'finders' are its own and then those of
// its units, each once, in the order of astar_crowd_next_unit; ASTAR_BAD_OPTION where they cannot
// be, ASTAR_BAD_DATA for other bytes, be they cut, altered or forged. Units come in the same order,
// by the same numbers but for the upper half.
ASTAR_API AstarStatus astar_crowd_load(const void *bytes, size_t length,
                                       AstarFinder *const *finders, size_t count, AstarCrowd **out);

// What makes a plan that brings units of a crowd to where they were sent, wherever there is one
// (LaCAM: Okumura, 2023), and then makes that better. Units without a goal may end anywhere; of
// units of one goal, and where the goal lies outside of the window, each has the nearest cell
// that is left. While it is made its units stay where they are; then the crowd follows it, one
// step a beat, and waits where others are in the way. An order to one of its units but to go where
// it goes, or taking one away, ends it; so do 17 beats of waiting. Its units go on by themselves
// then.
typedef struct AstarResolving AstarResolving;

typedef struct AstarResolvingOptions {
    size_t bytes;            // that it may take up; 256 MB
    uint64_t improve;        // how much may go into better plans, in expansions; 2^20
    int x, y, width, height; // the cells that its units may go to; 0: all
    int period;              // 0; else only units of this period that have no plan take part, and
                             // those of them that cannot get to their place may end anywhere
    int side;                // -1; else only units of this side take part
} AstarResolvingOptions;

ASTAR_API AstarResolvingOptions astar_resolving_options_default(void);
// What of these units and their crowd it cannot honour, in words: "links", "units larger than a
// cell", "units of several periods"; NULL: nothing. NULL for units means all.
ASTAR_API const char *astar_crowd_resolving_refusal(const AstarCrowd *crowd, const AstarUnit *units,
                                                    size_t count,
                                                    const AstarResolvingOptions *options);
// For units that are in the window, NULL: all; those that are held count as others, and others
// stand in the way. A unit that has another plan leaves that. ASTAR_BAD_OPTION where it is refused.
ASTAR_API AstarStatus astar_crowd_resolving(AstarCrowd *crowd, const AstarUnit *units, size_t count,
                                            const AstarResolvingOptions *options,
                                            AstarResolving **out);
// Works on it, by about as many expansions: ASTAR_OK when the crowd follows the plan, or nothing is
// left to be done; ASTAR_UNSOLVABLE when there is none, ASTAR_OUT_OF_BYTES, ASTAR_START_BLOCKED
// where a unit stands where it cannot, ASTAR_GRID_CHANGED where the map has changed under it,
// ASTAR_CANCELLED. The same plan however it was sliced.
ASTAR_API AstarStatus astar_resolving_step(AstarResolving *resolving, uint64_t expansions);
// Has the crowd follow what plan there is; false: there is none.
ASTAR_API bool astar_resolving_follow(AstarResolving *resolving);
// Ends it, unless the crowd follows the plan already.
ASTAR_API void astar_resolving_cancel(AstarResolving *resolving);
ASTAR_API void astar_resolving_release(AstarResolving *resolving);

typedef struct AstarResolvingFacts {
    AstarStatus status;
    uint32_t units;
    bool has_plan, is_followed;
    uint32_t beats, left; // of the plan, and how many are to come
    uint64_t cost;        // beats until each has arrived, summed up
    uint64_t expanded;    // turns of all units that were tried
    size_t bytes;
} AstarResolvingFacts;

ASTAR_API AstarResolvingFacts astar_resolving_facts(const AstarResolving *resolving);
