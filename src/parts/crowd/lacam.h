// lacam.h -- a complete search for a sequence of steps from one configuration of units to another.
// Plans for units in a gridlock are made with it.
//
// LaCAM (Okumura, AAAI and IJCAI 2023) is a depth-first search over configurations. A configuration
// is a cell for every unit. Priority inheritance with backtracking (pibt.h) makes the successor of
// a configuration. If that successor is already known, it is made again under one more constraint:
// a certain unit must go to a certain cell. Each configuration has a queue of constraints, which
// ensures that all its successors are made in the end. The search is therefore complete, and it is
// fast if priority inheritance alone finds good steps.
//
//     astar_lacam_begin(lacam, ...)
//     while (astar_lacam_step(lacam, &work) == ASTAR_RUNNING) ...
//
// Units use the cells and steps of their kinds, without links. Units larger than a cell occur only
// in plans that the crowd itself starts (deadlocks.c).
//
// Exclusive units enter only cells that are empty, so few of them can step in one turn. A search
// over such turns makes no progress in a crowd. Therefore a configuration is made as if units could
// follow each other. The turn that makes it is then divided into steps that exclusive units take
// one after another (beat.h). Units whose steps have no possible order stay where they are. The
// search is still complete, because a single step of a single unit is a turn as well.

#ifndef ASTAR_LACAM_H
#define ASTAR_LACAM_H

#include "parts/crowd/bytes.h"
#include "parts/crowd/pibt.h"

typedef struct AstarLacamConstraint AstarLacamConstraint;

// A node of the search: a configuration that the search has reached.
typedef struct AstarLacamNode {
    struct AstarLacamNode *parent, *next_in_slot;
    // The nodes above and below this one in the stack of nodes that still have constraints to try.
    struct AstarLacamNode *above, *below;
    // List of the constraints under which successors are made: the first one, the next one to try,
    // and the last one.
    AstarLacamConstraint *first, *at, *last;
    uint32_t depth; // number of ticks from the start to this configuration
    uint64_t hash;
    bool is_open;
    // Two or three lists of 'count' entries each. The first list has the cell of each unit. The
    // second one has all units in the order in which they choose their steps. The third list exists
    // if units are exclusive. The third list has for each unit the number of the tick, counted from
    // the parent node, in which the unit steps; 0: it does not step.
    uint32_t cells[];
} AstarLacamNode;

typedef struct AstarLacam {
    AstarPile pile; // memory of the whole search
    AstarPibt pibt;
    uint32_t count; // number of units
    uint32_t wants; // number of units that have a group, and so must end at a place
    // Buffers for the list of units that have decided, for an order of units, and for the ticks of
    // their steps.
    uint32_t *lists;
    uint32_t beats; // number of ticks that the steps of the last turn take
    // For each cell, the number of the group of units that have this cell as a place; 0 if there is
    // none.
    const uint32_t *places_of_groups;
    // For each unit, the number of its group. The unit may end on any place of that group. 0 means
    // that it may end on any cell.
    const uint32_t *groups;
    size_t node_size;       // size of a node in bytes
    AstarLacamNode **slots; // hash table of nodes
    size_t slot_count;
    AstarLacamNode *root, *top;
    AstarLacamNode *at;               // the node whose configuration the units are in now
    AstarLacamNode *found;            // the node in which every unit is at a place of its group
    bool is_turning;                  // true while PIBT makes a successor of the node 'at'
    AstarLacamConstraint *first_free; // list of constraints whose memory can be used again
    uint64_t turns;                   // number of turns of PIBT that were started
} AstarLacam;

// Starts a search from the current cells of the units in 'pibt'. The caller must keep the units,
// the places of all cells, and the two arrays of groups until the search ends. In 'pibt', the grid,
// kinds, units, places and flags must be set. On failure nothing is allocated.
AstarStatus astar_lacam_begin(AstarLacam *lacam, AstarBytes *bytes, const AstarPibt *pibt,
                              uint32_t count, const uint32_t *places_of_groups,
                              const uint32_t *groups);
// Continues the search. 'work' limits how often units are pushed. Returns ASTAR_OK when 'found' is
// set, ASTAR_UNSOLVABLE if there is no solution, ASTAR_RUNNING if 'work' is used up,
// ASTAR_OUT_OF_BYTES, or ASTAR_NO_MEMORY. After ASTAR_NO_MEMORY the search can be continued.
AstarStatus astar_lacam_step(AstarLacam *lacam, uint64_t *work);
// Returns the cell in which a unit is 'beats' ticks before the configuration of a node is reached.
static inline uint32_t astar_lacam_cell_before(const AstarLacam *lacam, const AstarLacamNode *node,
                                               uint32_t unit, uint32_t beats)
{
    bool has_stepped = beats == 0 || node->cells[2 * lacam->count + unit] + beats <=
                                         node->depth - node->parent->depth;
    return has_stepped ? node->cells[unit] : node->parent->cells[unit];
}
// Returns true if a unit may end on a cell: the cell is a place of its group, or the unit has no
// group.
static inline bool astar_lacam_is_place(const AstarLacam *lacam, uint32_t unit, uint32_t cell)
{
    return lacam->groups[unit] == 0 || lacam->places_of_groups[cell] == lacam->groups[unit];
}

#endif
