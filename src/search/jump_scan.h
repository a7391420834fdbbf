// jump_scan.h -- what the expansions of jump points need at hand.

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

// The direction that led to a node: one of AstarStraight, none to the start, a slant, or a link;
// none to a start from where the goal is known not to lie in plain view.
enum {
    ASTAR_ARRIVED_NOWHERE = 4,
    ASTAR_ARRIVED_SLANTED = 5,
    ASTAR_ARRIVED_BY_LINK = 9,
    ASTAR_ARRIVED_UNSEEN = 10
};

// No f is higher, so that one run more still fits 32 bits.
#define ASTAR_MOST_F (UINT32_C(1) << 31)

// What expansions need at hand. Coordinates count the border, as in jump_bitmaps.c.
typedef struct AstarScan {
    AstarSearch *search;
    AstarJumpNodes *nodes;
    const AstarRunBits *runs;
    uint64_t turn; // a cell's bits of slants where runs end, and can turn themselves
    uint32_t width;
    const AstarCornerRule *rule;
    AstarCell goal;
    uint32_t from; // the node being expanded
    // Notes a way to a node, 'before' steps of a first leg, then 'steps' straight ones, in a scan
    // that is not over uniform ground alone. Coordinates count the border.
    void (*note)(struct AstarScan *scan, int x, int y, int before, int steps, unsigned arrival);
    AstarStatus fault; // ASTAR_NO_MEMORY, or ASTAR_BAD_COST when a sum grows too large

    // over uniform ground
    AstarHeap64 *open;
    uint32_t g;                // of the node being expanded
    uint32_t straight, before; // what steps cost, the latter of a run's first leg
    // The estimate for a step along the longer axis, and for one in both axes: times the weight.
    uint64_t ahead, across;
    const uint32_t *landmarks; // the distances of all cells from them; NULL: not baked
    int landmark_stride;
    AstarLandmarkBounds bounds;
    uint64_t limit;       // for f
    uint32_t steps_below; // nodes of less g take single steps, by 'rows'

    const AstarBits *rows; // where the unit can stand

    // where some cells are irregular, see jpsw.c
    AstarBits irregular;
    bool by_steps;   // the node being expanded takes single steps
    double real_g;   // of that node
    double costs[2]; // of straight and diagonal steps on the ground that a run is over
} AstarScan;

// Has the lines fetched that the expansion of a new node will read. It comes some nodes later, and
// does not wait for them then; in a search whose memory has left the caches that is most of its
// time. Of the slants beside a straight direction one is rising.
static inline void astar_fetch_ahead(const AstarRunBits *runs, int x, int y, unsigned arrival)
{
    size_t across = (size_t)(unsigned)x, down = (size_t)(unsigned)y;
    ASTAR_PREFETCH(runs->patches + (down >> 3) * runs->patch_stride + (across >> 3));
    if (arrival >= ASTAR_ARRIVED_NOWHERE || runs->slants[0] == NULL)
        return;
    size_t word = across / ASTAR_STRIP * runs->strip + down, column = across & (ASTAR_STRIP - 1);
    ASTAR_PREFETCH(runs->slants[arrival & 2] + word + (column ^ (ASTAR_STRIP - 1)));
    ASTAR_PREFETCH(runs->slants[((arrival + 3) & 2) | 1] + word + column);
}

// Goes on with a search: 'take' makes a node the current one, or leaves none for want of time, and
// 'expand' opens its successors.
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

// Returns the target cell of a search by jumps.
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
