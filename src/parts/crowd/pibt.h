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

#include "parts/crowd/kind.h"

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
                              // steps_in_turn.h
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

#endif
