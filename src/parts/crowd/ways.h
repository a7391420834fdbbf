// ways.h -- the steps that a unit may take, the best first, and which of them it is trying.
//
// A way is a direction, to stay, or the best link that begins where the unit is. The order is
// packed into a word, four bits a way, and lies in the unit while it is being decided.

#ifndef ASTAR_WAYS_H
#define ASTAR_WAYS_H

#include "parts/crowd/reservations.h"

// Ways that lead nearer cost less than to stay, all others more.
enum { ASTAR_WAY_COST_STAY = 0x8000, ASTAR_WAY_COST_LAST = 0x1FFFF };

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

// How many keys are compared at a time: as many as there can be, in whole vectors of four.
enum { ASTAR_WAY_LANES = 12 };

// The ways of a unit as keys, the least first: cost, whether somebody is there, a tie, the way.
typedef struct AstarWayKeys {
    int32_t keys[ASTAR_WAY_LANES]; // behind the last zeros
    int count;
} AstarWayKeys;

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

// Where in a unit's ways its last step is, + 1, and which way is being tried.
enum { ASTAR_NO_WAY = 15, ASTAR_LAST_WAY_AT = 52, ASTAR_WAYS_AT = 60 };
static const uint64_t ASTAR_LAST_WAY = UINT64_C(15) << ASTAR_LAST_WAY_AT;

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

// pibt.c: how large units get past each other, and out of each other's way.
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

#endif
