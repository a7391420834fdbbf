// jump_scan.h -- the working data of the expansions of jump point search, shared by jps.c and
// jpsw.c.

#ifndef ASTAR_JUMP_SCAN_H
#define ASTAR_JUMP_SCAN_H

#include "base/bits.h"
#include "layers/jump_bits.h"
#include "layers/landmarks.h"
#include "openlist/heap64.h"
#include "rules/corner_rules.h"
#include "search/jps.h"
#include "search/jump_nodes.h"
#include "search/search.h"

// The arrival of a node: how the search reached it. The value is an AstarStraight for a straight
// jump, ASTAR_ARRIVED_DIAGONALLY plus an AstarDiagonal for a diagonal jump, ASTAR_ARRIVED_BY_LINK
// for a link, and ASTAR_ARRIVED_NOWHERE for a start. ASTAR_ARRIVED_UNSEEN marks a start from which
// the direct path to the goal is known to be blocked.
enum {
    ASTAR_ARRIVED_NOWHERE = 4,
    ASTAR_ARRIVED_DIAGONALLY = 5,
    ASTAR_ARRIVED_BY_LINK = 9,
    ASTAR_ARRIVED_UNSEEN = 10
};

// The greatest f allowed. With it, the cost of one more jump still fits 32 bits.
#define ASTAR_MOST_F (UINT32_C(1) << 31)

// The working data of the expansions of a search. Coordinates include the border of the bitmaps:
// the cell (x, y) is at (x + 1, y + 1), see jump_bitmaps.c.
typedef struct AstarScan {
    AstarSearch *search;
    AstarJumpNodes *nodes;
    const AstarJumpBits *runs;
    uint64_t turn; // bits of a cell at which a diagonal jump ends and can turn
    uint32_t width;
    const AstarCornerRule *rule;
    AstarCell goal;
    uint32_t from; // the cell of the node being expanded
    // Records a path to the node at (x, y): 'before' steps of a first leg, then 'steps' steps of a
    // straight leg. The function is NULL in searches over uniform ground alone. The coordinates
    // include the border of the bitmaps.
    void (*note)(struct AstarScan *scan, int x, int y, int before, int steps, unsigned arrival);
    AstarStatus fault; // ASTAR_NO_MEMORY, or ASTAR_BAD_COST if a sum of costs grows too large

    // The fields from here to 'steps_below' are for uniform ground.
    AstarHeap64 *open;
    uint32_t g; // g of the node being expanded
    uint32_t straight,
        before; // the cost of a straight step, and of a step of the first leg of a jump
    // The share of one step in the estimate, times the weight: of a step along the longer axis
    // only ('ahead') and of a step along both axes ('across').
    uint64_t ahead, across;
    const uint32_t *landmarks; // distances of all cells from the landmarks; NULL: not baked
    int landmark_stride;
    AstarLandmarkBounds bounds;
    uint64_t limit; // the greatest f that max_cost allows
    // Nodes whose g is below this value are expanded by single steps, on the bitmap without the
    // unit's blocks.
    uint32_t steps_below;

    const AstarBits *rows; // the bitmap of cells where the unit can stand

    // The fields from here on are for maps with non-uniform cells, see jpsw.c.
    AstarBits nonuniform;
    bool by_steps;   // true if the node being expanded takes single steps only
    double real_g;   // g of the node being expanded
    double costs[2]; // of a straight and a diagonal step on the ground that the jump crosses
} AstarScan;

// Prefetches the cache lines that the expansion of a new node will read. A node is usually expanded
// some nodes later, so its expansion then need not wait for memory. If a search's memory does not
// fit the processor's caches, waiting for memory would take most of its time. Of the two diagonal
// bitmaps beside a straight direction one is for rising diagonals.
static inline void astar_fetch_ahead(const AstarJumpBits *runs, int x, int y, unsigned arrival)
{
    size_t across = (size_t)(unsigned)x, down = (size_t)(unsigned)y;
    ASTAR_PREFETCH(runs->patches + (down >> 3) * runs->patch_stride + (across >> 3));
    if (arrival >= ASTAR_ARRIVED_NOWHERE || runs->diagonals[0] == NULL)
        return;
    size_t word = across / ASTAR_STRIP * runs->strip + down, column = across & (ASTAR_STRIP - 1);
    ASTAR_PREFETCH(runs->diagonals[arrival & 2] + word + (column ^ (ASTAR_STRIP - 1)));
    ASTAR_PREFETCH(runs->diagonals[((arrival + 3) & 2) | 1] + word + column);
}

// Runs up to 'expansions' expansions of a search. 'take' makes the next node the current one; it
// may return without a current node and is then called again. 'expand' adds the successors of the
// current node.
ASTAR_SPECIALIZE AstarStatus astar_run_scan(AstarScan *scan, uint64_t expansions,
                                            AstarStatus (*take)(AstarSearch *),
                                            void (*expand)(AstarScan *, uint32_t))
{
    AstarSearch *search = scan->search;
    AstarJumpFront *front = &search->jumps;
    for (; expansions > 0; expansions--) {
        if (front->nodes.count >= front->nodes.crowd) {
            if (!astar_jump_nodes_make_room(&front->nodes, &search->allocator))
                return ASTAR_NO_MEMORY;
            continue;
        }
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = take(search);
            if (status != ASTAR_RUNNING)
                return status;
            if (front->current == ASTAR_NO_CELL)
                continue;
        }
        expand(scan, front->current);
        if (scan->fault != ASTAR_OK)
            return scan->fault;
        search->expanded++;
        front->current = ASTAR_NO_CELL;
    }
    return ASTAR_RUNNING;
}

// Returns the cell where a jump point search ends.
static inline uint32_t astar_jps_target(const AstarSearch *search)
{
    return astar_cell(search->grid, search->jumps.to.x, search->jumps.to.y);
}

// Returns true if the search jumps back from its goals to its start.
static inline bool astar_jumps_back(const AstarSearch *search)
{
    return search->algorithm == ASTAR_JPS && search->goal.kind != ASTAR_GOAL_CELL;
}

#endif
