// replan.h -- makes a plan better: units arrive sooner, on the whole.
//
// Large neighbourhood search (Li, Chen, Harabor, Stuckey and Koenig, IJCAI 2021): a few units that
// are in each other's way are taken out of the plan, and each gets, one after the other, the way by
// which it arrives soonest among all others as they are. If that makes the sum of arrivals no
// greater it is kept.
//
// The way of one unit among others that move is found by A* over cells and steps (Silver, 2005),
// for no longer than it could pay; the estimate is how many steps it would take alone
// (replan_way.c). On small maps it is found by sets of cells (replan_sweep.c), several times as
// fast.
//
// What takes memory by cells and steps, or by cells and units, is taken and given back a row at a
// time, so that neither takes long at once.

#ifndef ASTAR_REPLAN_H
#define ASTAR_REPLAN_H

#include "crowd/places.h"
#include "crowd/plan.h"

enum { ASTAR_REPLAN_MOST = 8 }; // units at a time

typedef enum AstarReplanStage {
    ASTAR_REPLAN_NUMBER, // cells get numbers
    ASTAR_REPLAN_FILL,   // who is where
    ASTAR_REPLAN_ARRIVALS,
    ASTAR_REPLAN_PICK,
    ASTAR_REPLAN_MEASURE, // distances to where a unit arrives
    ASTAR_REPLAN_SEARCH,
    ASTAR_REPLAN_OVER // what it holds is given back
} AstarReplanStage;

// How far the distances of the unit in hand are.
typedef enum AstarReplanMeasure {
    ASTAR_REPLAN_UNKNOWN,
    ASTAR_REPLAN_SPREADS,
    ASTAR_REPLAN_COPIES, // to its table
    ASTAR_REPLAN_KNOWN
} AstarReplanMeasure;

// A cell that a unit may be in after some step.
typedef struct AstarReplanEntry {
    uint32_t cell, step; // the cell's number
    uint32_t parent;     // the entry before
    uint32_t next;       // in its bucket
} AstarReplanEntry;

// What replan_sweep.c goes by, where it does.
typedef struct AstarReplanSweep {
    uint32_t kind;      // of all units
    uint32_t width;     // words of a row
    size_t words;       // of a set; 0: it does not
    uint32_t *bits;     // of each number: its bit
    uint64_t *ways;     // sets of cells out of which a step leads, north, east, south and west
    uint32_t low, high; // rows in which the unit in hand can be
} AstarReplanSweep;

typedef struct AstarReplan {
    AstarBytes *bytes;
    AstarPlan *plan;
    AstarRoom *room;
    const AstarPibtUnit *units;
    const uint32_t *groups; // of each unit, see places.h; 0: it wants to be nowhere
    AstarReplanStage stage;
    uint32_t *numbers;         // of each cell of the grid, from 1 on; 0: no unit can be there
    uint32_t *cells;           // of each number
    uint32_t cell_count, rows; // cells, and rows of the plan as it was first
    uint32_t at, numbered;     // of what the stage goes through; cells that have numbers
    uint16_t **takers;         // by step and number: who is there, + 1; 0: nobody
    uint32_t *arrivals;        // of each unit
    uint32_t *shortest;        // of each unit: how soon it could arrive alone, as far as is known
    uint64_t sum, barren;      // of arrivals; rounds since that was made less
    uint64_t dice;
    uint64_t debt; // work done beyond what there was: the next step pays, so slices change nothing
    // The units in hand, and what they did before.
    uint32_t picked[ASTAR_REPLAN_MOST], picked_count, wanted, turn;
    bool has_taken_out; // of the plan
    uint32_t *before;   // their cells
    uint64_t sum_before, sum_after;
    // Steps to where units arrive: tables by number, as many as there is room for. That of a unit
    // has the number of the unit modulo how many there may be.
    uint16_t **tables, *distances; // of the unit in hand
    uint32_t *owners;              // of each table: whose it is, + 1
    uint32_t table_count;
    AstarCrowdKind pace; // of the unit in hand, every step of which is of length 1
    uint32_t target;     // where it arrives
    uint64_t unpaid;     // cells that distances were spread to, less than a work
    bool has_diagonals;  // some units take diagonal steps
    AstarReplanMeasure measure;
    // Its search: entries, in buckets by how soon it might arrive, and whether there is one, by
    // step and number.
    AstarReplanEntry *entries;
    uint32_t entry_count;
    size_t entry_capacity;
    uint64_t **seen; // or the sets of a step
    AstarReplanSweep sweep;
    uint32_t *buckets;                // of arrivals
    uint32_t bucket, most, free_from; // arrivals: the soonest, the latest that pays, see replan.c
} AstarReplan;

// On failure nothing is held.
AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, AstarPlan *plan,
                               AstarRoom *room, const AstarPibtUnit *units, const uint32_t *groups);
// Gives back what it holds; false where the work is used up before.
bool astar_replan_free(AstarReplan *replan, uint64_t *work);
// Works on: ASTAR_OK when there is hardly anything left to be made better.
AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work);
// Counts what something is worth, all of it, whatever is left.
void astar_replan_spend(AstarReplan *replan, uint64_t *work, uint64_t worth);
// Has the plan be whole again, after any step.
void astar_replan_stop(AstarReplan *replan);

// ---- replan_way.c ----

// Counts the steps from all cells to where the unit in hand arrives.
AstarStatus astar_replan_measure(AstarReplan *replan, uint64_t *work);
// Begins the search for the way of the unit in hand, which arrives at 'most' at the latest.
AstarStatus astar_replan_begin_way(AstarReplan *replan, uint32_t most);
// Goes on with it: ASTAR_OK when the plan has it, ASTAR_UNREACHABLE where there is none that pays.
AstarStatus astar_replan_search_way(AstarReplan *replan, uint64_t *work);
// The steps out of a cell, by direction, and where they lead: numbers.
unsigned astar_replan_steps(const AstarReplan *replan, uint32_t unit, uint32_t cell);
static inline uint32_t astar_replan_beside(const AstarReplan *replan, uint32_t cell, int direction)
{
    int offset = astar_dy[direction] * replan->room->grid->width + astar_dx[direction];
    return replan->numbers[replan->cells[cell] + (uint32_t)offset];
}

// How many steps it takes the unit in hand from a cell to where it arrives.
#define ASTAR_REPLAN_NO_WAY UINT16_MAX
static inline uint32_t astar_replan_steps_left(const AstarReplan *replan, uint32_t cell)
{
    return replan->distances[cell];
}

// Puts a unit where the plan has it, or takes it out.
void astar_replan_put(AstarReplan *replan, uint32_t unit, bool is_there);
// A number below another, by lot.
uint32_t astar_replan_roll(AstarReplan *replan, uint32_t below);

// ---- replan_sweep.c ----

// Whether ways are found by sets of cells, and how many words those of a step take.
void astar_replan_sweep_choose(AstarReplan *replan);
size_t astar_replan_sweep_words(const AstarReplan *replan);
// Notes a cell that has got its number, and the steps out of it.
void astar_replan_sweep_number(AstarReplan *replan, uint32_t number);
// Notes that somebody is in a cell after a step, and in another one after the next; or not.
void astar_replan_sweep_put(AstarReplan *replan, uint32_t step, uint32_t cell, uint32_t next,
                            bool is_there);
// Begins a search from a cell, and goes on with it: ASTAR_OK when the way is in the plan.
void astar_replan_sweep_begin(AstarReplan *replan, uint32_t start);
AstarStatus astar_replan_sweep(AstarReplan *replan, uint32_t unit, uint64_t *work);

#endif
