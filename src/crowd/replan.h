// replan.h -- makes a plan better: units arrive sooner, on the whole.
//
// Large neighbourhood search (Li, Chen, Harabor, Stuckey and Koenig, IJCAI 2021): a few units that
// are in each other's way are taken out of the plan, and each gets, one after the other, the way by
// which it arrives soonest among all others as they are. If that makes the sum of arrivals no
// greater it is kept.
//
// The way of one unit among others that move is found by A* over cells and steps (Silver, 2005),
// for no longer than it could pay. The estimate is how many steps it would take alone.

#ifndef ASTAR_REPLAN_H
#define ASTAR_REPLAN_H

#include "crowd/places.h"
#include "crowd/plan.h"

enum { ASTAR_REPLAN_MOST = 8 }; // units at a time

typedef enum AstarReplanStage {
    ASTAR_REPLAN_FILL, // who is where
    ASTAR_REPLAN_PICK,
    ASTAR_REPLAN_MEASURE, // distances to where a unit arrives
    ASTAR_REPLAN_SEARCH
} AstarReplanStage;

// A cell that a unit may be in after some step.
typedef struct AstarReplanEntry {
    uint32_t cell, step;
    uint32_t parent; // the entry before
    uint32_t next;   // in its bucket
    uint32_t slot;   // of the table
} AstarReplanEntry;

typedef struct AstarReplan {
    AstarBytes *bytes;
    AstarPlan *plan;
    const AstarRoom *room;
    const AstarPibtUnit *units;
    const uint32_t *groups; // of each unit, see places.h; 0: it wants to be nowhere
    AstarReplanStage stage;
    uint32_t *numbers;         // of each cell of the grid, from 1 on; 0: no unit can be there
    uint32_t cell_count, rows; // cells, and rows of the plan as it was first
    uint16_t *takers;          // by step and cell: who is there, + 1; 0: nobody
    uint32_t *arrivals;        // of each unit
    uint32_t *shortest;        // of each unit: how soon it could arrive alone, as far as is known
    uint64_t sum, barren;      // of arrivals; rounds since that was made less
    uint64_t dice;
    uint32_t filled; // steps whose takers are known
    // The units in hand, and what they did before.
    uint32_t picked[ASTAR_REPLAN_MOST], picked_count, wanted, turn;
    bool has_taken_out; // of the plan
    uint32_t *before;   // their cells
    uint64_t sum_before, sum_after;
    // Steps to where units arrive: tables of all cells, as many as there is room for. That of a
    // unit has the number of the unit modulo how many there are.
    uint16_t *tables, *distances; // of the unit in hand
    uint32_t *owners;             // of each table: whose it is, + 1
    uint32_t table_count;
    bool has_diagonals; // some units take diagonal steps
    bool is_measured;
    uint32_t *queue, head, tail, target;
    // Its search: entries, in buckets by how soon it might arrive, and in a table by cell and step.
    AstarReplanEntry *entries;
    uint32_t entry_count;
    size_t entry_capacity;
    uint32_t *slots;   // twice as many as entries; what is in them counts if an entry is of them
    uint32_t *buckets; // of arrivals
    uint32_t bucket, most, free_from; // arrivals: the soonest, the latest that pays, see replan.c
} AstarReplan;

// On failure nothing is held.
AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, AstarPlan *plan,
                               const AstarRoom *room, const AstarPibtUnit *units,
                               const uint32_t *groups);
void astar_replan_free(AstarReplan *replan);
// Works on: ASTAR_OK when there is hardly anything left to be made better.
AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work);
// Has the plan be whole again, after any step, and no longer than it needs to be.
void astar_replan_stop(AstarReplan *replan);

#endif
