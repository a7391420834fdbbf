// flow.h -- Flow fields: the distances of cells to goals, or from a start, as far as they are
// computed. This header has the struct and helpers for the files of this folder.

#ifndef ASTAR_FLOW_H
#define ASTAR_FLOW_H

#include "finder/finder.h"
#include "flow/flow_life.h"
#include "flow/flow_pack.h"
#include "map/links_and_walls.h"
#include "openlist/bucket_queue.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

// A list of cells that are handled in the order in which they were added: 'count' cells from index
// 'first' on.
typedef struct AstarCells {
    uint32_t *cells;
    size_t first, count, capacity;
} AstarCells;

// A flow field.
struct AstarFlow {
    uint32_t references;
    AstarFinder *finder; // retained; may be a copy of the finder, see astar_flow_stand
    AstarCosts costs;
    bool forward;    // true: distances from the seed; false: distances to the nearest seed
    double max_cost; // limit of the flow; the finder may have a lower one
    struct {
        AstarSeed *seeds; // sorted by cell, one per cell
        size_t count, capacity, planted;
    } sown;
    struct {
        AstarFlow *source; // flow from whose goals this one leads away, retained; NULL: none
        AstarFlow *skip;   // an earlier flow in the chain of sources, see first_to_settle()
        uint32_t depth;    // number of flows in the chain of sources
        double factor;
    } fled;

    bool steps_only;         // true: only steps are kept once the flow is complete
    AstarPackedSteps packed; // with 'steps_only': the steps, which replace the distances

    bool begun;
    bool lacks_memory;    // memory for a page ran out while a bucket was expanded
    bool sweeps;          // true: flow_sweep.c is used, because terrain and walkable bits give all
                          // steps and costs
    bool looks_ahead;     // used on ground of several costs, see astar_flow_turn_of
    AstarFlowPages pages; // per cell, its distance, which is final once the cell is settled; and 0,
                          // or 1 + the direction of its next step
    struct {
        bool nexts;   // the next step of some cells is stored
        bool told;    // the next step of some cells without a distance is stored, too
        bool patches; // long straight steps paid off in the last bucket in which they were tried,
                      // see flow_sweep.c
    } has;
    uint32_t *hops; // per cell, the least number of steps of no cost that its way begins with; NULL
                    // while there are no such steps
    AstarBucketQueue open;
    struct {
        double limit; // larger distances are not stored
        bool is_cut;  // there may be cells beyond the limit, see flow_ask.c
        // A cell with a step to a cell beyond the limit, or UINT32_MAX.
        uint32_t at;
    } beyond;
    int64_t reached; // all lower buckets have been expanded once; when the flow is complete, all
                     // buckets
    struct {
        // Number of cells expanded so far.
        uint64_t done;
        uint64_t left; // remaining budget of the present call, about one per expanded cell
    } work;
    uint32_t turn; // number of changes of the flow; detects queries made by callbacks

    const AstarFlowMoves *moves; // tables of steps of the finder if 'sweeps', else NULL

    // Versions for which the distances were computed.
    struct {
        uint64_t grid;   // version of the grid
        uint64_t finder; // astar_finder_version
        uint64_t field;
        uint64_t costs; // version of the finder's costs
        double unit;
    } of;
    // Work that edits leave, in three lists: cells to raise, whose distance may have come through
    // an edited cell; then cells to lower; then cells that kept their distance and have to be
    // expanded.
    struct {
        AstarCells raise, lower, expand;
        int64_t left_out_below; // cells in lower buckets may belong to the last list
    } mend;

    // Records for steps, see flow_life.c.
    struct {
        AstarFrozenFlow *frozen; // computation on a snapshot; NULL: none
        uint64_t in_vain;        // expansions wasted because of edits
        uint64_t at;             // astar_finder_version after the last step
        uint32_t begun_anew;     // number of restarts
        uint32_t anew;           // 'begun_anew' after the last step
    } stepped;
};

// Values used in place of a direction. ASTAR_FLOW_BEYOND occurs in packed steps only: a unit on
// that cell would be beyond the limit.
enum { ASTAR_FLOW_STAY = 8, ASTAR_FLOW_LINK = 9, ASTAR_FLOW_BEYOND = 10 };

// The most cells that a straight line of steps is followed without the open list.
enum { ASTAR_FLOW_LONGEST_RUN = 16 };

// The steps that a cell's distance may come from, or leads to, by direction from the cell.
typedef struct AstarFlowSteps {
    unsigned moves;
    double costs[ASTAR_DIRECTIONS];
} AstarFlowSteps;

// The best way from a cell, by its own seed value and the distances of its neighbours.
typedef struct AstarFlowOffer {
    double distance; // INFINITY: there is no way
    uint32_t hops;   // see 'hops' of AstarFlow; among equal distances fewer hops are better
    int direction;
    AstarArc arc; // the link, if 'direction' is ASTAR_FLOW_LINK
} AstarFlowOffer;

// Returns the value that decides when a cell with this distance is expanded. On ground of several
// costs, where every step into a cell costs the same times its length, it is the least distance
// that a neighbour can get through this cell. The first of a cell's neighbours to be expanded then
// offers the best straight step, and few cells are lowered twice. An expanded cell is final
// nevertheless, and so is each distance below the current bucket: open cells lead to no distance
// lower than that.
static inline double astar_flow_turn_of(const AstarFlow *flow, uint32_t cell, double distance)
{
    const AstarFinder *finder = flow->finder;
    return flow->looks_ahead ? distance + finder->costs.step[0][finder->on.ground[cell]] : distance;
}

// Frees a list of cells.
static inline void astar_cells_free(AstarCells *list, const AstarAllocator *allocator)
{
    astar_release(allocator, list->cells, list->capacity, sizeof *list->cells);
    *list = (AstarCells){0};
}

// Reduces the remaining budget.
static inline void astar_flow_spend(AstarFlow *flow, uint64_t count)
{
    flow->work.left -= count < flow->work.left ? count : flow->work.left;
}

// Returns the allocator of a flow.
static inline const AstarAllocator *astar_flow_allocator(const AstarFlow *flow)
{
    return &flow->finder->grid->allocator;
}

// Returns the page of a cell, or NULL if no cell on it was written.
static inline AstarFlowPage *astar_flow_page(const AstarFlow *flow, uint32_t cell)
{
    return astar_flow_page_at(&flow->pages, cell / ASTAR_FLOW_PAGE_CELLS);
}

// Returns the page of a cell for writing, or NULL if memory runs out.
static inline AstarFlowPage *astar_flow_page_for(AstarFlow *flow, uint32_t cell)
{
    AstarFlowPage *page = astar_flow_page(flow, cell);
    return page != NULL ? page
                        : astar_flow_pages_add(&flow->pages, astar_flow_allocator(flow), cell);
}

// Forgets the next step from a cell.
static inline void astar_flow_forget(const AstarFlow *flow, uint32_t cell)
{
    AstarFlowPage *page = astar_flow_page(flow, cell);
    if (page != NULL)
        page->nexts[cell % ASTAR_FLOW_PAGE_CELLS] = 0;
}

// Returns the first cell from 'cell' on that has a page, or the number of cells of the grid if
// there is none.
static inline uint64_t astar_flow_next_paged(const AstarFlow *flow, uint64_t cell)
{
    const AstarFlowPages *pages = &flow->pages;
    uint64_t index = cell / ASTAR_FLOW_PAGE_CELLS, at = index;
    at = at < pages->first ? pages->first : at;
    while (at <= pages->last && astar_flow_page_at(pages, (uint32_t)at) == NULL)
        at++;
    if (at > pages->last)
        return flow->finder->grid->cells;
    return at == index ? cell : at * ASTAR_FLOW_PAGE_CELLS;
}

// Returns the distance of a cell, INFINITY if it has none yet.
static inline double astar_flow_at(const AstarFlow *flow, uint32_t cell)
{
    const AstarFlowPage *page = astar_flow_page(flow, cell);
    return page != NULL ? page->distances[cell % ASTAR_FLOW_PAGE_CELLS] : (double)INFINITY;
}

// Returns true if the flow covers a cell. A flow that leads away from goals covers the cells that
// have a distance in its source.
static inline bool astar_flow_covers(const AstarFlow *flow, uint32_t cell)
{
    return flow->fled.source == NULL || astar_flow_at(flow->fled.source, cell) < 1e300;
}

// Returns the hops of a cell; see 'hops' of AstarFlow.
static inline uint32_t astar_flow_hops(const AstarFlow *flow, uint32_t cell)
{
    return flow->hops != NULL ? flow->hops[cell] : 0;
}

// Returns the hops of a way of length 'way' that continues through a cell.
static inline uint32_t astar_flow_hops_by(const AstarFlow *flow, uint32_t cell, double way)
{
    return way == astar_flow_at(flow, cell) ? astar_flow_hops(flow, cell) + 1 : 0;
}

// Returns true if the distance of a cell may come from that of 'other', at the other end of a step.
// Links may cost nothing, and adding a step to a very large sum may not change it. Then cells of
// equal distance are ordered by hops; otherwise they could lead to each other in a circle.
static inline bool astar_flow_leads_on(const AstarFlow *flow, uint32_t cell, uint32_t other)
{
    double distance = astar_flow_at(flow, cell), on = astar_flow_at(flow, other);
    return on < distance || (on == distance && on < 1e300 &&
                             astar_flow_hops(flow, other) < astar_flow_hops(flow, cell));
}

// Returns true if a way, with so many hops, is better than the present way of a cell.
static inline bool astar_flow_is_better(const AstarFlow *flow, uint32_t cell, double way,
                                        uint32_t hops)
{
    double distance = astar_flow_at(flow, cell);
    return way < distance ||
           (flow->hops != NULL && way == distance && way < 1e300 && hops < flow->hops[cell]);
}

// Returns true if no work is left from edits.
static inline bool astar_flow_is_mended(const AstarFlow *flow)
{
    return flow->mend.raise.count + flow->mend.lower.count + flow->mend.expand.count == 0;
}

// Returns how many seeds the flow has to start from.
static inline size_t astar_flow_seeds_to_plant(const AstarFlow *flow)
{
    return flow->fled.source != NULL ? flow->finder->grid->cells : flow->sown.count;
}

// Returns true if the flow is complete for the map as it was when the flow last examined it.
static inline bool astar_flow_is_worked_out(const AstarFlow *flow)
{
    return flow->begun && astar_bucket_queue_are_empty(&flow->open) &&
           flow->sown.planted == astar_flow_seeds_to_plant(flow) && astar_flow_is_mended(flow);
}

// Returns true if the flow is complete for the present map.
static inline bool astar_flow_is_current(const AstarFlow *flow)
{
    return astar_flow_is_worked_out(flow) && flow->of.finder == astar_finder_version(flow->finder);
}

// Returns true if a distance is final.
static inline bool astar_flow_is_settled(const AstarFlow *flow, double distance)
{
    return astar_bucket_queue_are_empty(&flow->open) ||
           (distance < 1e300 && astar_bucket_of(&flow->open, distance) < flow->open.current);
}

// Returns true if the next step of a cell may be stored that becomes wrong when distances are
// lowered.
static inline bool astar_flow_mends(const AstarFlow *flow)
{
    return flow->has.nexts && (flow->has.told || flow->open.current < flow->reached);
}

// Returns the stored next step of a cell, which may be ASTAR_FLOW_STAY or ASTAR_FLOW_LINK, or -1 if
// none is stored or the grid has changed. After an edit, steps of cells that may still be lowered
// do not count.
static inline int astar_flow_recalled(const AstarFlow *flow, uint32_t cell)
{
    if (astar_packed_steps_are_whole(&flow->packed))
        return flow->of.finder == astar_finder_version(flow->finder)
                   ? astar_packed_step(&flow->packed, cell)
                   : -1;
    if (!flow->has.nexts || flow->of.finder != astar_finder_version(flow->finder) ||
        !astar_flow_is_mended(flow) || astar_flow_page(flow, cell) == NULL ||
        !astar_flow_is_settled(flow, astar_flow_at(flow, cell)))
        return -1;
    return astar_flow_page(flow, cell)->nexts[cell % ASTAR_FLOW_PAGE_CELLS] - 1;
}

#endif
