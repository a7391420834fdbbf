// lacam.h -- a way from one configuration of units to another, found wherever there is one.
//
// LaCAM (Okumura, AAAI and IJCAI 2023): a depth-first search over configurations, each of which is
// a cell for every unit. The successor of a configuration is what priority inheritance with
// backtracking makes of it (pibt.h). Where that was known already it is made again under one
// constraint more, who must go where; each configuration keeps a queue of those, such that in the
// end all its successors have been made. So the search is fast where units find their way by
// themselves, and complete.
//
//     astar_lacam_begin(lacam, ...)
//     while (astar_lacam_step(lacam, &work) == ASTAR_RUNNING) ...
//
// All units are of one cell, and go by the cells and steps of their kinds, with no links.
//
// Exclusive units enter only cells that are empty, so few of them step in one turn, and a search
// over such turns comes to nothing in a crowd. So a configuration is made as for units that follow
// each other, and a turn that makes it is taken apart into steps that exclusive units take one
// after another (beat.h). Units whose steps cannot be put in order stay. The search is
// still complete, because a single step of a single unit is a turn, too.

#ifndef ASTAR_LACAM_H
#define ASTAR_LACAM_H

#include "parts/crowd/bytes.h"
#include "parts/crowd/pibt.h"

typedef struct AstarLacamConstraint AstarLacamConstraint;

// A configuration that was reached.
typedef struct AstarLacamNode {
    struct AstarLacamNode *parent, *next_in_slot;
    struct AstarLacamNode *above, *below;    // in the stack of those with constraints left
    AstarLacamConstraint *first, *at, *last; // its constraints, and the next to be tried
    uint32_t depth;                          // steps from the start; of exclusive units, beats
    uint64_t hash;
    bool is_open;
    // Of each unit, then all units in the order of their turns; then, if they are exclusive, in
    // which of the beats that lead here from the parent each steps, from 1 on; 0: in none.
    uint32_t cells[];
} AstarLacamNode;

typedef struct AstarLacam {
    AstarPile pile; // all it holds; configurations and constraints are many
    AstarPibt pibt;
    uint32_t count;                   // units
    uint32_t wants;                   // of them those that want to be somewhere
    uint32_t *lists;                  // the trail, room for an order, and for beats of steps
    uint32_t beats;                   // that the last turn takes
    const uint32_t *places_of_groups; // of each cell: whose place it is, 0 nobody's
    const uint32_t *groups;           // of each unit: which places are its own, 0: all are
    size_t node_size;                 // in bytes
    AstarLacamNode **slots;           // by hash
    size_t slot_count;
    AstarLacamNode *root, *top;
    AstarLacamNode *at;               // where units stand
    AstarLacamNode *found;            // where all are where they want to be
    bool is_turning;                  // a successor of 'at' is being made
    AstarLacamConstraint *first_free; // of those that are free again
    uint64_t turns;                   // that were begun
} AstarLacam;

// Begins a search from where 'units' are; they, the places of all cells, and what tells who wants
// to be where stay the caller's. 'pibt' needs its grid, kinds, units, places and the two flags.
// On failure nothing is held.
AstarStatus astar_lacam_begin(AstarLacam *lacam, AstarBytes *bytes, const AstarPibt *pibt,
                              uint32_t count, const uint32_t *places_of_groups,
                              const uint32_t *groups);
// Works on, for as many pushes: ASTAR_OK when 'found' is set, ASTAR_UNSOLVABLE when there is no
// way, ASTAR_OUT_OF_BYTES, or ASTAR_NO_MEMORY, after which it may go on.
AstarStatus astar_lacam_step(AstarLacam *lacam, uint64_t *work);
// The cell of a unit so many beats before it is where a node has it: there, or at the parent's.
static inline uint32_t astar_lacam_cell_before(const AstarLacam *lacam, const AstarLacamNode *node,
                                               uint32_t unit, uint32_t beats)
{
    bool has_stepped = beats == 0 || node->cells[2 * lacam->count + unit] + beats <=
                                         node->depth - node->parent->depth;
    return has_stepped ? node->cells[unit] : node->parent->cells[unit];
}
// Whether a unit wants to be nowhere but in a cell.
static inline bool astar_lacam_is_place(const AstarLacam *lacam, uint32_t unit, uint32_t cell)
{
    return lacam->groups[unit] == 0 || lacam->places_of_groups[cell] == lacam->groups[unit];
}

#endif
