// pibt.h -- priority inheritance with backtracking: from one configuration of units to the next.
//
// A configuration is a cell for every unit. Each unit, the one of highest priority first, takes the
// best step that is free; who stands there undecided is pushed: it chooses next, in its pusher's
// name, and if it cannot leave, the pusher tries its next best step (Okumura, Machida, Defago and
// Tamura, AIJ 2022). Two units that want past each other where only one fits swap where the way
// widens (the swap rule: Okumura, IJCAI 2023). A unit that is not decided can always stay where it
// is, so without constraints every configuration has a next.
//
// A unit of size n covers n x n cells. It pushes all who stand in the cells it would newly cover,
// all or nothing: what was decided for a step that fails is taken back. A unit that could not leave
// when it was pushed is not pushed again in the turn of who began that; in its own it begins to go
// out of the way. So the work is bounded, and large units that need several steps to leave take
// them.
//
// What is promised of any step, and checked for every pair: no two units in a cell; and, all moving
// in straight lines at even speed at once, discs of radius size / 2 - 0.15 never overlap. So no two
// swap or cross, and by diagonal steps none enters a cell that another leaves at 45 degrees towards
// it. Exclusive units enter only what is empty, and their whole squares never overlap.
//
//     astar_pibt_begin(pibt, order, count, seed);
//     astar_pibt_decide(pibt, unit, cell);            constraints: false where one cannot be met
//     while (astar_pibt_step(pibt, &work) == ASTAR_RUNNING) ...
//     astar_pibt_is_complete(pibt)                    whether all are, within the constraints
//     astar_pibt_move(pibt), or astar_pibt_forget(pibt)
//
// Nothing is allocated in between. The stack of those who push lies in the units themselves, which
// take 32 bytes each, two to a line of a processor's cache.

#ifndef ASTAR_PIBT_H
#define ASTAR_PIBT_H

#include "base/bits.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/kind.h"
#include "rules/corner_rules.h"

#define ASTAR_NOBODY UINT32_MAX                                   // no unit
#define ASTAR_NOWHERE UINT32_MAX                                  // no cell
enum { ASTAR_WAY_STAY = 8, ASTAR_WAY_LINK = 9, ASTAR_WAYS = 10 }; // beside the eight directions

// What there is to a unit beside where it is and wants to be; what else its flags hold is the
// turn's.
enum { ASTAR_PIBT_SETTLED = 1 }; // units of the same goal do not push it aside

typedef struct AstarPibtUnit {
    uint32_t cell;               // where it is: its north-west cell
    uint32_t next;               // where it will be; ASTAR_NOWHERE: not decided
    const AstarGoalField *field; // where it wants to be; NULL, or without distances: anywhere
    // While it is being decided: its ways, four bits each, the best first, the way to who is to
    // follow it in a swap, and which is being tried; and in whose name, ASTAR_NOBODY in its own.
    uint64_t ways;
    uint32_t pusher;
    uint16_t kind;
    uint8_t way; // how it gets from where it is to where it will be
    uint8_t flags;
} AstarPibtUnit;

// Who is at a cell, and who will be.
typedef struct AstarPlace {
    uint32_t now, next;
} AstarPlace;

typedef struct AstarPibt {
    const AstarGrid *grid;
    const AstarCrowdKind *kinds;
    AstarPibtUnit *units;
    AstarPlace *places;   // of each cell of the grid
    uint32_t *trail;      // room for all units: those decided, in order
    const uint8_t *sides; // NULL, or of each unit: those of two do not make way for each other
    const uint8_t *leads; // NULL, or of each unit the way it goes while there are no distances
    bool is_exclusive;
    bool takes_steps_in_turn; // the steps of exclusive units are taken one after another, see
                              // beat.h
    bool has_sizes;           // some unit is larger than a cell
    bool is_of_one_kind;      // all units are, which saves looks
    bool prefers_free;        // of equally good steps rather one to where nobody is
    // The turn under way.
    const uint32_t *order;
    uint32_t count, at; // of the order; how many of it have had their turn
    uint32_t top;       // who is being decided
    uint32_t decided;   // on the trail
    uint64_t seed;
    uint64_t pushes; // counts all, since ever
    uint64_t left;   // how many may still be pushed in this one
    int64_t pressed; // by how much those pressing on, together, come nearer: less than 0
    uint32_t pushed; // who was last,
    bool has_left;   // and whether it could leave
    bool has_failed; // some constraint could not be met
} AstarPibt;

// ------------------------------------------------------------------------------------------------
// The steps that a unit may take, the best first, and which of them it is trying.
//
// A way is a direction, to stay, or the best link that begins where the unit is. The order is
// packed into a word, four bits a way, and lies in the unit while it is being decided.
// ------------------------------------------------------------------------------------------------

// Ways that lead nearer cost less than to stay, all others more.
enum { ASTAR_WAY_COST_STAY = 0x8000, ASTAR_WAY_COST_LAST = 0x1FFFF };

// How many keys are compared at a time: as many as there can be, in whole vectors of four.
enum { ASTAR_WAY_LANES = 12 };

// The ways of a unit as keys, the least first: cost, whether somebody is there, a tie, the way.
typedef struct AstarWayKeys {
    int32_t keys[ASTAR_WAY_LANES]; // behind the last zeros
    int count;
} AstarWayKeys;

// Where in a unit's ways its last step is, + 1, and which way is being tried.
enum { ASTAR_NO_WAY = 15, ASTAR_LAST_WAY_AT = 52, ASTAR_WAYS_AT = 60 };
static const uint64_t ASTAR_LAST_WAY = UINT64_C(15) << ASTAR_LAST_WAY_AT;

// ------------------------------------------------------------------------------------------------
// Who is where during a turn, and who will be: what all parts of it ask and note.
//
// A decided unit has the cells that it will cover reserved, and stands on the trail, in the order
// in which units decided: what depends on a step that fails is taken back from there.
// ------------------------------------------------------------------------------------------------

// Of the turn, in a unit's flags.
enum {
    ASTAR_PIBT_WAITS = 2,    // for who was pushed to have decided
    ASTAR_PIBT_YIELDS = 4,   // stays, while others leave the cells it would enter
    ASTAR_PIBT_FIXED = 8,    // could not leave when it was pushed: stays, whatever is taken back
    ASTAR_PIBT_DRIVEN = 16,  // makes way for who has another goal, as do all whom it pushes in turn
    ASTAR_PIBT_PRESSED = 32, // so, and a large one is among them
    ASTAR_PIBT_FIRM = 64,    // could not leave when it was pushed: is not pushed again
    ASTAR_PIBT_ASKED = 128,  // so, but those of another goal may push it
    ASTAR_PIBT_OF_TURN = ASTAR_PIBT_WAITS | ASTAR_PIBT_YIELDS | ASTAR_PIBT_FIXED |
                         ASTAR_PIBT_DRIVEN | ASTAR_PIBT_PRESSED | ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED
};

// ---- who is there ----

// The cells from one on, 'columns' wide and 'rows' high.
typedef struct AstarCellArea {
    uint32_t cell;
    int columns, rows;
} AstarCellArea;

// Puts a unit down at its cell, or takes it up from there, but where others have come already.
void astar_pibt_place(AstarPibt *pibt, uint32_t unit);
void astar_pibt_lift(AstarPibt *pibt, uint32_t unit);
// Whether no unit but 'unit' stands in any cell that one of that kind would cover at (x, y).
bool astar_pibt_is_free(const AstarPibt *pibt, const AstarCrowdKind *kind, int x, int y,
                        uint32_t unit);

// Begins a turn of the units in 'order', the first of which go first; all units else stay undecided
// until astar_pibt_decide, and must not be in the way. Ties are broken by a hash of seed and unit.
void astar_pibt_begin(AstarPibt *pibt, const uint32_t *order, uint32_t count, uint64_t seed);
// Decides where a unit will be: false, and nothing done, where it cannot, by a legal step beside
// those decided before.
bool astar_pibt_decide(AstarPibt *pibt, uint32_t unit, uint32_t cell);
// Works on, for as many pushes: ASTAR_RUNNING until all of the order are decided, or cannot be.
AstarStatus astar_pibt_step(AstarPibt *pibt, uint64_t *work);
static inline bool astar_pibt_is_complete(const AstarPibt *pibt)
{
    return !pibt->has_failed && pibt->at == pibt->count && pibt->top == ASTAR_NOBODY;
}
// Makes the next configuration the present one, or forgets it.
void astar_pibt_move(AstarPibt *pibt);
void astar_pibt_forget(AstarPibt *pibt);

// The cells that a unit may be in next by itself, its own last: how many, at most ASTAR_WAYS.
int astar_pibt_steps(AstarPibt *pibt, uint32_t unit, uint32_t cells[ASTAR_WAYS]);

static inline bool astar_pibt_is_decided(const AstarPibtUnit *unit)
{
    return unit->next != ASTAR_NOWHERE;
}

// Whether two directions, of who enters a cell and who leaves it, bring them too near.
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
// Whether the step of a unit goes together with those decided before.
//
// What is promised of any two steps is written in pibt.h. Of units of one cell it is told by few
// looks at cells; large ones are looked at two by two, as discs that move in straight lines.
// ------------------------------------------------------------------------------------------------

// Of units of one cell: steps past each other are told by few looks.
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

// Of any units: looks at all that come near.
bool astar_goes_beside_others(const AstarPibt *pibt, uint32_t index, uint32_t to, int way);

// Whether units fill a cell each and mind nothing but that: then a step concerns few of them.
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

// The way of a unit along its route, while there are no distances; ASTAR_WAYS: it has none.
static inline int astar_pibt_lead(const AstarPibt *pibt, uint32_t index)
{
    return pibt->leads != NULL ? pibt->leads[index] : ASTAR_WAYS;
}

// By how much farther from a field's goal a step leads, or that this is not known.
static const int64_t ASTAR_UNKNOWN_FARTHER = INT64_C(1) << 40;
int64_t astar_farther(const AstarPibt *pibt, const AstarGoalField *field, uint32_t from,
                      uint32_t to);
static inline bool astar_pibt_is_nearer(const AstarPibt *pibt, const AstarGoalField *field,
                                        uint32_t from, uint32_t to)
{
    return astar_farther(pibt, field, from, to) < 0;
}

uint64_t astar_mix_seed(uint64_t seed);

void astar_list_ways(const AstarPibt *pibt, uint32_t index, uint32_t stay_cost, AstarWayKeys *ways);
// The same of a unit of that number as it is given.
void astar_list_ways_of(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index,
                        uint32_t stay_cost, AstarWayKeys *ways);

static inline int astar_count_nearer(const AstarWayKeys *ways)
{
    int count = ways->count - ASTAR_WAY_LANES; // those behind the last are zeros
    for (int i = 0; i < ASTAR_WAY_LANES; i++)
        count += ways->keys[i] < ASTAR_WAY_COST_STAY << 11;
    return count;
}

// The ways in their order, four bits each. How many keys are less is where one goes: that takes
// more comparisons than sorting does, but none that a processor would have to guess, and compilers
// make vectors of them.
static inline void astar_note_less(uint32_t less[4], const int32_t keys[4], int32_t key)
{
    for (int i = 0; i < 4; i++)
        less[i] += key < keys[i];
}

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

// The way that is being tried; ASTAR_NO_WAY: all have been.
static inline int astar_way_tried(const AstarPibtUnit *unit)
{
    return (int)(unit->ways >> 4 * astar_ways_tried(unit) & 15);
}

// Where the best link leads that a unit can take from where it is; ASTAR_NOWHERE: there is none.
uint32_t astar_end_of_link(const AstarPibt *pibt, const AstarPibtUnit *unit);

// Where a way leads; ASTAR_NOWHERE for a link that is not there.
static inline uint32_t astar_cell_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, int way)
{
    if (way == ASTAR_WAY_STAY)
        return unit->cell;
    return way < ASTAR_WAY_STAY ? astar_pibt_towards(pibt, unit->cell, way)
                                : astar_end_of_link(pibt, unit);
}

// The way from where a unit is to a cell, -1: there is no legal one.
int astar_way_to(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t cell);

// How large units get past each other, and out of each other's way.
//
// Large units seldom fit past each other where they meet: each has to be aside before. So where one
// of two is large they keep right, from a few steps off; and who makes way for a large one goes
// straight on before it, for the units in front of it then go side by side, and do not want the
// same cells.

// Where somebody comes against a unit it turns half right, and before them right; where another is
// on its right it waits, while there is time, and gets into that one's lane behind it. Whether so:
// not always, or some would turn to and fro before each other for ever.
bool astar_keep_right(const AstarPibt *pibt, uint32_t index, uint64_t *sorted, int count,
                      int *nearer);
// Who is pushed goes on the way it is pushed, or about so; but one on its way only where a large
// one pushes it, and its own way is another.
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

// The next unit in an area, in the order of its cells, from 'at' on; its number, or ASTAR_NOBODY.
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

// The cells within reach of those that a unit of some size covers.
static inline AstarCellArea astar_area_about(const AstarPibt *pibt, uint32_t cell, int size,
                                             int reach)
{
    AstarCellBox box = astar_cells_about(pibt->grid, cell, size, reach);
    return (AstarCellArea){astar_cell(pibt->grid, box.x0, box.y0), box.x1 - box.x0 + 1,
                           box.y1 - box.y0 + 1};
}

// ---- who will be ----

static inline bool astar_pibt_is_next_free(const AstarPibt *pibt, int size, uint32_t cell)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next !=
                ASTAR_NOBODY)
                return false;
    return true;
}

// Gives the cells that a unit would cover from one value to another.
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
    if (way == ASTAR_WAY_LINK) // it stands at the entrance until the turn is over
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

// Takes back what was decided since a unit was, and that, but that some could not leave.
void astar_pibt_take_back(AstarPibt *pibt, uint32_t since);

// A unit decides, and has who stands where it goes decide before it.
//
// This is priority inheritance with backtracking itself. Who is pushed chooses in its pusher's
// name; if it cannot leave, the pusher tries its next best way. The stack of those who push lies in
// the units.

// Has a unit decide, in its own name or that of who wants its cells. By one of its own goal it is
// not driven away: it only goes first.
void astar_push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher);
// Goes on with who is being decided: it takes a way, fails, or pushes somebody.
void astar_push_on(AstarPibt *pibt, uint32_t index);

// What a unit must find empty or have emptied: the cells it will cover, and of one that is
// exclusive all that it passes over.
AstarCellArea astar_area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                                int way);

// Two units that want past each other where only one fits.
//
// The one whose turn it is goes the other way round through its steps, the worst first, and has the
// other follow it, until the corridor widens: there they pass (Okumura, IJCAI 2023).

// By which way one comes to who is to follow a unit that makes way for it to pass; ASTAR_NO_WAY: it
// just takes its best way.
int astar_find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer);

// Brings it up to date with where units can stand and with walls; the first time it is made. What
// ASTAR_NO_MEMORY leaves is outdated.
AstarStatus astar_move_table_update(AstarMoveTable *table, const AstarGrid *grid,
                                    const AstarCornerRule *rule, const AstarBits *bits);
void astar_move_table_free(AstarMoveTable *table, const AstarGrid *grid);
size_t astar_move_table_bytes(const AstarMoveTable *table, const AstarGrid *grid);

#endif
