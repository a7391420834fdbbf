// pibt.h -- priority inheritance with backtracking (PIBT): computes the next configuration of units
// from the current one. The crowd makes a turn of PIBT in each tick, and plans use it as well.
//
// A configuration is a cell for every unit. Units choose their steps in order of priority. Each
// unit takes the best step that is free. If an undecided unit occupies the cell, that unit is
// pushed: it chooses next, with the priority of the unit that pushes it. If the pushed unit cannot
// leave, the pushing unit tries its next best step (Okumura, Machida, Defago and Tamura, AIJ 2022).
// Two units that want to pass each other in a corridor too narrow for both swap places where it
// widens (the swap rule: Okumura, IJCAI 2023). An undecided unit can always stay where it is.
// Without constraints every configuration therefore has a successor.
//
// A unit of size n covers n x n cells. A large unit pushes all units in the cells that it would
// newly cover. If one of them cannot leave, the step fails and all decisions that depend on it are
// undone. A unit that could not leave when it was pushed is not pushed again in the same turn of
// the pushing unit. Such a unit starts to move away in its own turn. This rule bounds the work, and
// large units that need several steps to leave make these steps.
//
// Guarantees for each pair of steps, which are checked: two units are never in one cell. If all
// units move in straight lines at constant speed, discs of radius size / 2 - 0.15 never overlap.
// Therefore units never swap cells or cross each other, and no unit enters a cell by a diagonal
// step while another leaves that cell at 45 degrees towards it. Exclusive units enter only empty
// cells, and their whole squares never overlap.
//
//     astar_pibt_begin(pibt, order, count, seed);
//     astar_pibt_decide(pibt, unit, cell);            constraints; false: impossible
//     while (astar_pibt_step(pibt, &work) == ASTAR_RUNNING) ...
//     astar_pibt_is_complete(pibt)                    all units have decided, within the
//     constraints
//     astar_pibt_move(pibt), or astar_pibt_forget(pibt)
//
// No memory is allocated during a turn. The stack of pushing units is linked through the units. A
// unit takes 32 bytes, so a cache line holds two.

#ifndef ASTAR_PIBT_H
#define ASTAR_PIBT_H

#include "base/bits.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/kind.h"
#include "rules/corner_rules.h"

#define ASTAR_NOBODY UINT32_MAX  // value in place of a unit number: no unit
#define ASTAR_NOWHERE UINT32_MAX // value in place of a cell: no cell
// A way is a possible move of a unit in a turn. The ways are the eight directions, 0 to 7, and
// staying and taking a link. ASTAR_WAYS is the number of ways.
enum { ASTAR_WAY_STAY = 8, ASTAR_WAY_LINK = 9, ASTAR_WAYS = 10 };

// Flag of a unit that has arrived. This flag stays set between turns, unlike all other flags of a
// unit.
enum { ASTAR_PIBT_ARRIVED = 1 }; // units with the same goal do not push a unit with this flag away

typedef struct AstarPibtUnit {
    uint32_t cell; // current cell of the unit; the north-west one if the unit covers several
    uint32_t next; // cell of the unit after the turn; ASTAR_NOWHERE: not decided yet
    // Distances to the goal of the unit. If it is NULL or has no distances, the unit may go
    // anywhere.
    const AstarGoalField *field;
    // State of a unit while it decides. The low bits are the list of moves that the unit tries,
    // best first, four bits for each. The top bits are three numbers: the move towards its partner
    // in a swap, the last step of the unit, and the index of the move that the unit tries now.
    uint64_t ways;
    uint32_t pusher; // unit that pushes this one; ASTAR_NOBODY: this unit decides in its own turn
    uint16_t kind;
    uint8_t way; // the move (way) by which the unit goes from 'cell' to 'next'
    uint8_t flags;
} AstarPibtUnit;

// The entry of a cell: the unit that is in the cell now, and the unit that will be there after the
// turn.
typedef struct AstarPlace {
    uint32_t now, next;
} AstarPlace;

typedef struct AstarPibt {
    const AstarGrid *grid;
    const AstarCrowdKind *kinds;
    AstarPibtUnit *units;
    AstarPlace *places; // one entry per cell of the grid
    uint32_t *trail;    // the units that have decided so far, in that order; has room for all units
    // The side of each unit. Units do not leave their cells for units of other sides. NULL: all
    // units are of one side.
    const uint8_t *sides;
    // The direction in which each unit goes while its goal has no distances. NULL: no unit follows
    // a route.
    const uint8_t *leads;
    bool is_exclusive;
    // True if exclusive units may choose steps that can only be taken one after another, see
    // beat.h.
    bool takes_steps_in_turn;
    bool has_sizes;      // true if some unit is larger than a cell
    bool is_of_one_kind; // true if all units have the same finder, which saves some checks
    bool prefers_free;   // true if of two equally good steps units prefer the one to an empty cell
    // The following members are the state of the current turn.
    const uint32_t *order;
    uint32_t count, at; // number of units in 'order', and number of these units whose turn has come
    uint32_t top;       // the unit that is deciding now, or ASTAR_NOBODY
    uint32_t decided;   // number of units on the trail, so the number of units that have decided
    uint64_t seed;
    uint64_t pushes; // number of pushes in all turns so far
    uint64_t left;   // number of pushes that are left for this turn
    // Units that make room at a shared goal push each other away from it in a chain. 'pressed' is
    // the sum of the changes of their distances to the goal, and must stay below 0.
    int64_t pressed;
    uint32_t pushed; // the unit that was pushed last
    bool has_left;   // true if the unit 'pushed' could leave its cell
    bool has_failed; // true if a constraint could not be met, so the turn has failed
} AstarPibt;

// ------------------------------------------------------------------------------------------------
// The ways of a unit, which are its possible moves in a turn, and the order in which the unit tries
// them.
//
// A way is a step in one of the eight directions, staying, or the best link that begins in the
// unit's cell. While a unit decides, its ways are packed into the word 'ways', best first, four
// bits for each way.
// ------------------------------------------------------------------------------------------------

// Costs by which a unit sorts its possible steps and links ("ways"): ASTAR_WAY_COST_STAY is the
// cost of staying, and ASTAR_WAY_COST_LAST is the cost of a move that must be tried last. Moves
// that lead nearer to the goal cost less than staying, and all others cost more.
enum { ASTAR_WAY_COST_STAY = 0x8000, ASTAR_WAY_COST_LAST = 0x1FFFF };

// Capacity of a list of sort keys: the greatest number of possible moves, rounded up to a multiple
// of four for vector instructions.
enum { ASTAR_WAY_LANES = 12 };

// The possible moves of a unit as sort keys, in no particular order. A key consists of the cost of
// the move, whether a unit occupies its end, a random number that breaks ties, and the move itself.
typedef struct AstarWayKeys {
    int32_t keys[ASTAR_WAY_LANES]; // unused keys are 0
    int count;
} AstarWayKeys;

// ASTAR_NO_WAY means "no move" in the member 'ways' of a unit. The two other numbers are bit
// offsets in 'ways': of the unit's last step + 1, and of the index of the move that the unit tries
// now.
enum { ASTAR_NO_WAY = 15, ASTAR_LAST_WAY_AT = 52, ASTAR_WAYS_AT = 60 };
static const uint64_t ASTAR_LAST_WAY = UINT64_C(15) << ASTAR_LAST_WAY_AT;

// ------------------------------------------------------------------------------------------------
// The cells of units during a turn, before and after their steps.
//
// When a unit has decided, the cells that it will cover are reserved, and the unit is put on the
// trail. The trail is in the order of the decisions. Decisions that depend on a failed step can
// therefore be undone from the end of the trail.
// ------------------------------------------------------------------------------------------------

// Flags of a unit. The flags are valid during the current turn only.
enum {
    ASTAR_PIBT_WAITS = 2, // the unit waits until a unit that it has pushed has decided
    // The unit stays while other units leave the cells that it wants to enter.
    ASTAR_PIBT_YIELDS = 4,
    // The unit could not leave when it was pushed, and stays even if other decisions are undone.
    ASTAR_PIBT_FIXED = 8,
    // The unit was pushed by a unit with another goal, directly or through other units.
    ASTAR_PIBT_DRIVEN = 16,
    // The unit is driven (ASTAR_PIBT_DRIVEN). The unit, or one of those that push it directly or
    // through others, is larger than a cell.
    ASTAR_PIBT_PRESSED = 32,
    // The unit could not leave when it was pushed, and is not pushed again in the turn of the same
    // pushing unit.
    ASTAR_PIBT_FIRM = 64,
    // The unit could not leave when it was pushed by a unit with the same goal. In the turn of the
    // same unit, only units with another goal push it again.
    ASTAR_PIBT_ASKED = 128,
    ASTAR_PIBT_OF_TURN = ASTAR_PIBT_WAITS | ASTAR_PIBT_YIELDS | ASTAR_PIBT_FIXED |
                         ASTAR_PIBT_DRIVEN | ASTAR_PIBT_PRESSED | ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED
};

// The functions below put units into cells and run a turn.

// A rectangle of cells: its north-west cell, its number of columns and its number of rows.
typedef struct AstarCellArea {
    uint32_t cell;
    int columns, rows;
} AstarCellArea;

// Puts a unit into the cells that it covers.
void astar_pibt_place(AstarPibt *pibt, uint32_t unit);
// Removes a unit from the cells that it covers, except those that another unit has entered.
void astar_pibt_lift(AstarPibt *pibt, uint32_t unit);
// Returns true if a unit of a kind could occupy (x, y) without overlapping any unit other than
// 'unit'.
bool astar_pibt_is_free(const AstarPibt *pibt, const AstarCrowdKind *kind, int x, int y,
                        uint32_t unit);

// Starts a turn, in which the units in 'order' choose one step each, the first units first. A unit
// that is not in 'order' must be decided with astar_pibt_decide, or not block other units. Ties are
// broken by a hash of 'seed' and the unit.
void astar_pibt_begin(AstarPibt *pibt, const uint32_t *order, uint32_t count, uint64_t seed);
// Decides that a unit will be in 'cell' after the turn. Returns false and changes nothing if no
// legal step leads to the cell, or if the step conflicts with the steps that are already decided.
bool astar_pibt_decide(AstarPibt *pibt, uint32_t unit, uint32_t cell);
// Continues the turn, by as many pushes of units as 'work' allows. Returns ASTAR_RUNNING if units
// are still undecided and no constraint has failed, otherwise ASTAR_OK.
AstarStatus astar_pibt_step(AstarPibt *pibt, uint64_t *work);
static inline bool astar_pibt_is_complete(const AstarPibt *pibt)
{
    return !pibt->has_failed && pibt->at == pibt->count && pibt->top == ASTAR_NOBODY;
}
// Ends the turn by moving all units to the cells that they have decided on.
void astar_pibt_move(AstarPibt *pibt);
// Ends the turn by discarding all decisions.
void astar_pibt_forget(AstarPibt *pibt);

// Writes to 'cells' all cells in which a unit could be after the turn if no other unit were there.
// The unit's own cell comes last. Returns the number of cells, at most ASTAR_WAYS.
int astar_pibt_steps(AstarPibt *pibt, uint32_t unit, uint32_t cells[ASTAR_WAYS]);

static inline bool astar_pibt_is_decided(const AstarPibtUnit *unit)
{
    return unit->next != ASTAR_NOWHERE;
}

// Returns true if two units come too near to each other when one enters a cell in the direction
// 'entering' and the other one leaves that cell in the direction 'leaving'.
static inline bool astar_is_against(int entering, int leaving)
{
    unsigned turn = (unsigned)(entering - leaving) & 7;
    return turn >= 3 && turn <= 5;
}

static inline uint32_t astar_pibt_towards(const AstarPibt *pibt, uint32_t cell, int way)
{
    return cell + (uint32_t)(astar_dy[way] * pibt->grid->width + astar_dx[way]);
}

// ------------------------------------------------------------------------------------------------
// The functions below check a step against the steps that are already decided, and list and sort
// the possible moves of a unit.
//
// The guarantees for two steps are listed at the top of this file. For units of size 1, a few
// lookups of cells are enough. Large units are compared in pairs, as discs that move in straight
// lines.
// ------------------------------------------------------------------------------------------------

// Returns true if a step of a unit of size 1 keeps the guarantees listed at the top of this file
// with respect to all steps that are decided. All units must have size 1.
static inline bool astar_goes_beside_small(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                           uint32_t to, int way)
{
    uint32_t leaver = pibt->places[to].now, follower = pibt->places[unit->cell].next;
    if (pibt->places[to].next != ASTAR_NOBODY)
        return false;
    if (way >= ASTAR_WAY_STAY)
        return pibt->places[unit->cell].next == ASTAR_NOBODY;
    if (leaver != ASTAR_NOBODY) {
        const AstarPibtUnit *other = &pibt->units[leaver];
        if (astar_pibt_is_decided(other) && other->way < ASTAR_WAY_STAY &&
            astar_is_against(way, other->way))
            return false;
    }
    if (follower != ASTAR_NOBODY) {
        const AstarPibtUnit *other = &pibt->units[follower];
        if (other->way < ASTAR_WAY_STAY && astar_is_against(other->way, way))
            return false;
    }
    if ((way & 1) == 0)
        return true;
    uint32_t left = astar_pibt_towards(pibt, unit->cell, (way + 7) & 7);
    uint32_t right = astar_pibt_towards(pibt, unit->cell, (way + 1) & 7);
    uint32_t from_left = pibt->places[left].now, from_right = pibt->places[right].now;
    return !(from_left != ASTAR_NOBODY && pibt->units[from_left].next == right) &&
           !(from_right != ASTAR_NOBODY && pibt->units[from_right].next == left);
}

// Returns true if a step of a unit of any size keeps the guarantees listed at the top of this file
// with respect to all steps that are decided.
bool astar_goes_beside_others(const AstarPibt *pibt, uint32_t index, uint32_t to, int way);

// Returns true if all units have size 1 and none is exclusive. In such a crowd a step affects few
// other units.
static inline bool astar_pibt_is_all_small(const AstarPibt *pibt)
{
    return !pibt->has_sizes && !pibt->is_exclusive;
}

static inline bool astar_goes_beside(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    return astar_pibt_is_all_small(pibt)
               ? astar_goes_beside_small(pibt, &pibt->units[index], to, way)
               : astar_goes_beside_others(pibt, index, to, way);
}

static inline bool astar_pibt_is_led(const AstarPibtUnit *unit)
{
    return unit->field != NULL && unit->field->now.numbering != NULL;
}

// Returns the direction in which a unit follows its route while its goal has no distances, or
// ASTAR_WAYS if it follows no route.
static inline int astar_pibt_lead(const AstarPibt *pibt, uint32_t index)
{
    return pibt->leads != NULL ? pibt->leads[index] : ASTAR_WAYS;
}

// Result of astar_farther if the distance of one of the two cells is not known.
static const int64_t ASTAR_UNKNOWN_FARTHER = INT64_C(1) << 40;
// Returns the distance from 'to' to a field's goal minus the distance from 'from' to that goal. The
// result is negative if 'to' is nearer to the goal.
int64_t astar_farther(const AstarPibt *pibt, const AstarGoalField *field, uint32_t from,
                      uint32_t to);
static inline bool astar_pibt_is_nearer(const AstarPibt *pibt, const AstarGoalField *field,
                                        uint32_t from, uint32_t to)
{
    return astar_farther(pibt, field, from, to) < 0;
}

uint64_t astar_mix_seed(uint64_t seed);

// Lists the possible moves of a unit as sort keys. 'stay_cost' is the cost by which staying is
// sorted.
void astar_list_ways(const AstarPibt *pibt, uint32_t index, uint32_t stay_cost, AstarWayKeys *ways);
// Lists the possible moves of 'unit' as sort keys. 'unit' may be a changed copy of the unit with
// number 'index'.
void astar_list_ways_of(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index,
                        uint32_t stay_cost, AstarWayKeys *ways);

static inline int astar_count_nearer(const AstarWayKeys *ways)
{
    // The loop also counts the unused keys, because they are 0. Their number is therefore
    // subtracted first.
    int count = ways->count - ASTAR_WAY_LANES;
    for (int i = 0; i < ASTAR_WAY_LANES; i++)
        count += ways->keys[i] < ASTAR_WAY_COST_STAY << 11;
    return count;
}

// Adds 1 to less[i] for each of four sort keys keys[i] that is greater than 'key'.
static inline void astar_note_less(uint32_t less[4], const int32_t keys[4], int32_t key)
{
    for (int i = 0; i < 4; i++)
        less[i] += key < keys[i];
}

// Returns the possible moves of a unit in the order of their sort keys, four bits for each move,
// the smallest key first. The position of a move is the number of keys that are smaller than its
// own key. Counting smaller keys takes more comparisons than a usual sort. However, counting has no
// branches that the processor could mispredict, and compilers make vector instructions of it.
static inline uint64_t astar_sort_ways(const AstarWayKeys *ways)
{
    uint32_t less[ASTAR_WAY_LANES] = {0};
    uint64_t sorted = 0;
    for (int i = 0; i < ways->count; i++) {
        astar_note_less(less, ways->keys, ways->keys[i]);
        astar_note_less(less + 4, ways->keys + 4, ways->keys[i]);
        astar_note_less(less + 8, ways->keys + 8, ways->keys[i]);
    }
    for (int i = 0; i < ways->count; i++)
        sorted |= (uint64_t)(ways->keys[i] & 15) << 4 * less[i];
    return sorted;
}

static inline int astar_way_at(uint64_t ways, int at)
{
    return (int)(ways >> 4 * at & 15);
}

static inline unsigned astar_ways_tried(const AstarPibtUnit *unit)
{
    return (unsigned)(unit->ways >> ASTAR_WAYS_AT);
}

// Returns the move that a unit is trying now, or ASTAR_NO_WAY if it has tried all its moves.
static inline int astar_way_tried(const AstarPibtUnit *unit)
{
    return (int)(unit->ways >> 4 * astar_ways_tried(unit) & 15);
}

// Returns the cell at the end of the best link that begins in a unit's cell, or ASTAR_NOWHERE if
// there is no such link.
uint32_t astar_end_of_link(const AstarPibt *pibt, const AstarPibtUnit *unit);

// Returns the cell that a move of a unit leads to, or ASTAR_NOWHERE if the move takes a link that
// does not exist.
static inline uint32_t astar_cell_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, int way)
{
    if (way == ASTAR_WAY_STAY)
        return unit->cell;
    return way < ASTAR_WAY_STAY ? astar_pibt_towards(pibt, unit->cell, way)
                                : astar_end_of_link(pibt, unit);
}

// Returns the move that leads from a unit's cell to another cell, or -1 if no legal move does.
int astar_way_to(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t cell);

// Rules that let large units get past each other.
//
// Large units seldom fit past each other where they meet, so each must move aside before they meet.
// If at least one of two units that meet is large, both therefore keep right from a few steps away.
// A unit that a large unit pushes moves straight ahead of it. The units in front of a large unit
// thus move side by side and do not compete for the same cells.

// Changes the order of the possible moves of a unit so that the unit keeps right if another unit
// comes towards it. The unit turns half right, or right if the other unit is directly ahead. If its
// right is occupied by a unit that goes in the same direction, it waits while there is time, and
// then moves to the right behind that unit. In 1 of 4 cases, chosen at random, the order stays
// unchanged, because otherwise some units would turn to and fro in front of each other for ever.
// Returns true if the order was changed.
bool astar_keep_right(const AstarPibt *pibt, uint32_t index, uint64_t *sorted, int count,
                      int *nearer);
// Returns the possible moves of a unit that was pushed, sorted again: moves in about the direction
// 'push' come first. A unit that is moving to a goal keeps its own order, unless a large unit
// pushes it in a direction that is not its own.
uint64_t astar_give_way(const AstarPibtUnit *unit, int push, const AstarWayKeys *ways,
                        uint64_t sorted);

static inline const AstarCrowdKind *astar_pibt_kind(const AstarPibt *pibt,
                                                    const AstarPibtUnit *unit)
{
    return &pibt->kinds[unit->kind];
}

static inline int astar_pibt_size(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    return pibt->has_sizes ? astar_kind_size(astar_pibt_kind(pibt, unit)) : 1;
}

static inline bool astar_are_of_two_sides(const AstarPibt *pibt, uint32_t index, uint32_t other)
{
    return pibt->sides != NULL && pibt->sides[index] != pibt->sides[other];
}

// Returns the next unit in an area of cells, or ASTAR_NOBODY after the last one. The search starts
// at position '*at' of the area, and '*at' is advanced. The unit 'index' is skipped.
static inline uint32_t astar_next_in_area(const AstarPibt *pibt, const AstarCellArea *area,
                                          uint32_t index, int *at)
{
    for (; *at < area->columns * area->rows; ++*at) {
        int row = *at / area->columns, column = *at % area->columns;
        uint32_t who = pibt->places[area->cell + (uint32_t)(row * pibt->grid->width + column)].now;
        if (who != ASTAR_NOBODY && who != index) {
            ++*at;
            return who;
        }
    }
    return ASTAR_NOBODY;
}

// Returns the area of the cells within 'reach' columns and rows of the square that a unit covers.
static inline AstarCellArea astar_area_about(const AstarPibt *pibt, uint32_t cell, int size,
                                             int reach)
{
    AstarCellBox box = astar_cells_about(pibt->grid, cell, size, reach);
    return (AstarCellArea){astar_cell(pibt->grid, box.x0, box.y0), box.x1 - box.x0 + 1,
                           box.y1 - box.y0 + 1};
}

// The functions below reserve the cells that units will cover after the turn.

static inline bool astar_pibt_is_next_free(const AstarPibt *pibt, int size, uint32_t cell)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next !=
                ASTAR_NOBODY)
                return false;
    return true;
}

// Changes the reservations of the cells that a unit of size 'size' would cover at 'cell': replaces
// the value 'from' by 'to'.
static inline void astar_pibt_stamp_next(AstarPibt *pibt, int size, uint32_t cell, uint32_t from,
                                         uint32_t to)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            uint32_t *next =
                &pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next;
            if (*next == from)
                *next = to;
        }
}

static inline void astar_pibt_reserve(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit);
    astar_pibt_stamp_next(pibt, size, to, ASTAR_NOBODY, index);
    // A unit that takes a link stays at the entrance of the link until the turn is over, so its old
    // cells are reserved, too.
    if (way == ASTAR_WAY_LINK)
        astar_pibt_stamp_next(pibt, size, unit->cell, ASTAR_NOBODY, index);
    unit->next = to;
    unit->way = (uint8_t)way;
    pibt->trail[pibt->decided++] = index;
}

static inline void astar_pibt_withdraw(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit);
    astar_pibt_stamp_next(pibt, size, unit->next, index, ASTAR_NOBODY);
    if (unit->way == ASTAR_WAY_LINK)
        astar_pibt_stamp_next(pibt, size, unit->cell, index, ASTAR_NOBODY);
    unit->next = ASTAR_NOWHERE;
}

// Undoes the decision of the unit 'since' and all later decisions. Units with the flag
// ASTAR_PIBT_FIXED keep their decisions.
void astar_pibt_take_back(AstarPibt *pibt, uint32_t since);

// The functions below let a unit decide, by priority inheritance with backtracking.
//
// A unit that is pushed chooses with the priority of the unit that pushes it. If it cannot leave,
// the pusher tries its next best move. The stack of pushing units is linked through the units.

// Starts the decision of a unit, in its own turn or because 'pusher' wants to enter its cells. A
// pusher with the same goal does not drive the unit away: the unit just decides earlier.
void astar_push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher);
// Continues the decision of a unit. The unit decides on a move, has no move left to try, or pushes
// another unit.
void astar_push_on(AstarPibt *pibt, uint32_t index);

// Returns the cells that must be empty, or that other units must leave, before a unit can make a
// move. The result contains the cells that the unit will cover. For an exclusive unit they also
// include all cells that it passes over.
AstarCellArea astar_area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                                int way);

// The swap of two units that want to pass each other in a corridor that is wide enough for only
// one.
//
// The unit whose turn it is tries its moves in reverse order, worst first, and the other unit
// follows it until the corridor widens. Where the corridor widens, the two units pass each other
// (Okumura, IJCAI 2023).

// Returns the direction from a unit towards its partner in a swap. The partner will follow the
// unit, which leaves its cell for the partner. Returns ASTAR_NO_WAY if no swap is needed.
int astar_find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer);

// Brings a table of legal steps up to date with the walkable cells and the walls. The first call
// allocates the table. After ASTAR_NO_MEMORY the table is outdated.
AstarStatus astar_move_table_update(AstarMoveTable *table, const AstarGrid *grid,
                                    const AstarCornerRule *rule, const AstarBits *bits);
void astar_move_table_free(AstarMoveTable *table, const AstarGrid *grid);
size_t astar_move_table_bytes(const AstarMoveTable *table, const AstarGrid *grid);

#endif
