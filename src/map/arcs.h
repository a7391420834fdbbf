// arcs.h -- the ways over links, in order.

#ifndef ASTAR_ARCS_H
#define ASTAR_ARCS_H

#include "base/alloc.h"

// One way over a link.
typedef struct AstarArc {
    uint32_t from, to;
    uint32_t label;
    double cost;
} AstarArc;

typedef struct AstarArcBlock {
    uint32_t start; // the place of its first arc among all
    AstarArc *arcs; // room for ASTAR_ARCS_A_BLOCK; one at least is used
} AstarArcBlock;

typedef struct AstarArcs {
    AstarArcBlock *blocks;
    size_t block_count, block_capacity;
    uint32_t count; // of arcs
    bool back;      // ordered by 'to', then 'from'; else by 'from', then 'to'
} AstarArcs;

enum { ASTAR_ARCS_A_BLOCK = 128 };

// The arc at a place in order, NULL beyond the last.
const AstarArc *astar_arc_at(const AstarArcs *arcs, uint32_t place);
// The place of an arc or, where there is none, the one it would have.
uint32_t astar_arcs_place(const AstarArcs *arcs, uint32_t from, uint32_t to);

// Makes sure that adding an arc, and then its way back, cannot fail; false without memory.
bool astar_arcs_reserve(AstarArcs *arcs, const AstarAllocator *allocator, uint32_t from,
                        uint32_t to);
// Adds an arc that is not there, for which there is room; gives one that is there another cost and
// label; removes one that is there.
void astar_arcs_add(AstarArcs *arcs, AstarArc arc);
void astar_arcs_change(AstarArcs *arcs, AstarArc arc);
void astar_arcs_remove(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc arc);

// Gives an empty one all arcs of an array in the order of 'from', then 'to', which it sorts if it
// is ordered otherwise; false without memory, with some of them.
bool astar_arcs_fill(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc *all,
                     uint32_t count);
// Gives an empty one the arcs of another; false without memory.
bool astar_arcs_copy(AstarArcs *arcs, const AstarAllocator *allocator, const AstarArcs *from);
void astar_arcs_free(AstarArcs *arcs, const AstarAllocator *allocator);
size_t astar_arcs_bytes(const AstarArcs *arcs);

#endif
