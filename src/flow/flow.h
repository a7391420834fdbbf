// flow.h -- Flow fields: the distances of cells to goals, or from a start. Only distances that
// queries have needed are computed. This header has the struct of a flow and helper functions for
// the files of this folder.

#ifndef ASTAR_FLOW_H
#define ASTAR_FLOW_H

#include "finder/finder.h"
#include "flow/flow_flood.h"
#include "flow/flow_life.h"
#include "flow/flow_pack.h"
#include "map/links_and_walls.h"
#include "openlist/bucket_queue.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

// A list of cells that are handled in the order in which they were added. It consists of 'count'
// cells from index 'first' on.
typedef struct AstarCells {
    uint32_t *cells;
    size_t first, count, capacity;
} AstarCells;

// A flow field.
struct AstarFlow {
    uint32_t references;
    AstarFinder *finder; // retained; may be a copy of the finder, see astar_flow_stand
    AstarCosts costs;
    // True: the distances are from the single seed. False: they are to the nearest seed.
    bool forward;
    double max_cost; // cost limit of the flow; the finder may have a lower one
    struct {
        AstarSeed *seeds; // seeds sorted by cell, at most one per cell
        size_t count, capacity, planted;
    } sown;
    struct {
        AstarFlow *source; // flow from whose goals this flow leads away, retained; NULL: none
        AstarFlow *skip;   // another flow further up in the chain of sources, see first_to_settle()
        uint32_t depth;    // number of flows in the chain of sources
        double factor;
    } fled;

    bool steps_only; // true: once the flow is complete, it keeps only the steps
    // The steps of all cells, which replace the distances if 'steps_only' is set.
    AstarPackedSteps packed;

    bool begun;
    bool lacks_memory; // memory for a page ran out while a bucket was expanded
    // True: flow_sweep.c computes the flow. This is possible because terrain and walkable bits
    // determine all steps and costs.
    bool sweeps;
    // True: cells are expanded in the order of astar_flow_turn_of, which is used for ground of
    // several costs and for floods.
    bool looks_ahead;
    // For each cell, its distance, which is final once the cell is settled, and its next step: 0 if
    // the step is not stored, else 1 + the direction.
    AstarFlowPages pages;
    struct {
        bool nexts; // true if next steps of some cells are stored
        // True if next steps are stored for some cells that have no distance.
        bool told;
        // True if following straight lines over patches of one cost saved work in the last bucket
        // in which it was tried, see flow_sweep.c.
        bool patches;
    } has;
    // For each cell, the number of steps at the beginning of its path that cost nothing. NULL while
    // there are no such steps. Among paths of equal cost the path with the lowest number is kept.
    uint32_t *hops;
    AstarBucketQueue open;
    AstarFlood flood;
    // The unit of all distances that the flow stores, of its buckets and of its limit: a distance
    // of n is a cost of n * multiple / parts. With whole numbers all sums are exact, so that Dial's
    // algorithm needs no comparison of sums. 'parts' is 0 if the distances are costs.
    struct {
        double parts, multiple;
    } unit;
    struct {
        double limit; // greatest distance that is stored
        bool is_cut;  // true if there may be cells beyond the limit, see flow_query.c
        // A cell from which a step leads to a cell beyond the limit, or UINT32_MAX if none is
        // known.
        uint32_t at;
    } beyond;
    // All buckets below this bucket have been expanded once. When the flow is complete, all buckets
    // are below it.
    int64_t reached;
    struct {
        // Number of cells expanded so far.
        uint64_t done;
        // Remaining budget of the present call, in expansions. One expanded cell takes about 1.
        uint64_t left;
    } work;
    // Number of changes of the flow. A caller compares it to detect that a callback has queried the
    // flow.
    uint32_t turn;

    const AstarFlowMoves *moves; // tables of steps of the finder if 'sweeps' is set, else NULL

    // The versions of the data for which the distances were computed.
    struct {
        uint64_t grid;   // version of the grid
        uint64_t finder; // astar_finder_version of the finder
        uint64_t field;
        uint64_t costs; // number of changes of the finder's costs
        double unit;
    } of;
    // Cells that are left to handle after edits, in three lists. The cells in 'raise' are handled
    // first: their distance may have come through an edited cell. The cells in 'lower', which may
    // get a lower distance, are handled next. The cells in 'expand', which kept their distance, are
    // expanded last.
    struct {
        AstarCells raise, lower, expand;
        // A cell is put into 'expand' only if its distance lies in a bucket below this one.
        int64_t left_out_below;
    } mend;

    // State of completing the flow in steps, see flow_life.c.
    struct {
        AstarFlowSnapshot *snapshot; // computation on a snapshot; NULL: none
        uint64_t in_vain;            // number of expansions wasted because of edits
        uint64_t at;                 // astar_finder_version of the finder after the last step
        uint32_t restarts;           // number of restarts of the flow
        uint32_t restarts_seen;      // value of 'restarts' after the last step
    } stepped;
};

// Values that are used in place of a direction. ASTAR_FLOW_BEYOND occurs in packed steps only and
// means that the cell is beyond the cost limit.
enum { ASTAR_FLOW_STAY = 8, ASTAR_FLOW_LINK = 9, ASTAR_FLOW_BEYOND = 10 };

// Maximum number of cells for which a straight line of steps is followed without the open list.
enum { ASTAR_FLOW_LONGEST_RUN = 16 };

// Steps between a cell and its neighbours, by direction from the cell: the directions of legal
// steps, and their costs.
typedef struct AstarFlowSteps {
    unsigned moves;
    double costs[ASTAR_DIRECTIONS];
} AstarFlowSteps;

// The best path found from a cell: the cell's own seed value, or a path through a neighbour or
// link.
typedef struct AstarFlowOffer {
    double distance; // INFINITY: no path exists
    // Number of steps that cost nothing at the beginning of the path, see 'hops' of AstarFlow.
    // Among paths of equal distance, the path with fewer such steps is preferred.
    uint32_t hops;
    int direction;
    AstarArc arc; // the link of the first step, if 'direction' is ASTAR_FLOW_LINK
} AstarFlowOffer;

// In a flow with a unit of its own, costs that are no whole numbers of this unit, such as those of
// links, are rounded to a multiple of this fraction.
#define ASTAR_FLOW_FRACTION 0x1p-26

// Returns the costs of straight and of diagonal steps by terrain, in the unit of the flow.
static inline double *const *astar_flow_step_costs(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    return flow->unit.parts != 0 ? finder->costs.counts : finder->costs.step;
}

// Returns a cost in the unit of the flow, without rounding.
static inline double astar_flow_in_unit(const AstarFlow *flow, double cost)
{
    return flow->unit.parts != 0 ? cost * flow->unit.parts / flow->unit.multiple : cost;
}

// Returns the cost of a distance in the unit of the flow.
static inline double astar_flow_cost_of(const AstarFlow *flow, double distance)
{
    return flow->unit.parts != 0 ? distance * flow->unit.multiple / flow->unit.parts : distance;
}

// Returns a cost of a step or a seed in the unit of the flow. The result is rounded, so that sums
// are exact.
static inline double astar_flow_round(const AstarFlow *flow, double cost)
{
    return flow->unit.parts != 0 ? astar_round(astar_flow_in_unit(flow, cost), ASTAR_FLOW_FRACTION)
                                 : astar_finder_round(flow->finder, cost);
}

// Returns the value by which the open list orders a cell with this distance.
//
// On ground of one cost the value is the distance. On ground of several costs, where every step
// into a cell costs the same times its length, it is the least distance that a neighbour can get
// through this cell. Among all neighbours of a cell, the first one to be expanded then offers the
// best straight step, and few cells are lowered twice. The distances of expanded cells and all
// distances below the current bucket are final nevertheless, because open cells lead only to
// distances of the current bucket or above.
static inline double astar_flow_turn_of(const AstarFlow *flow, uint32_t cell, double distance)
{
    const AstarFinder *finder = flow->finder;
    return flow->looks_ahead ? distance + astar_flow_step_costs(flow)[0][finder->on.ground[cell]]
                             : distance;
}

// Frees a list of cells.
static inline void astar_cells_free(AstarCells *list, const AstarAllocator *allocator)
{
    astar_release(allocator, list->cells, list->capacity, sizeof *list->cells);
    *list = (AstarCells){0};
}

// Reduces the remaining budget of the present call.
static inline void astar_flow_spend(AstarFlow *flow, uint64_t count)
{
    flow->work.left -= count < flow->work.left ? count : flow->work.left;
}

// Returns the allocator of a flow.
static inline const AstarAllocator *astar_flow_allocator(const AstarFlow *flow)
{
    return &flow->finder->grid->allocator;
}

// Returns the page of a cell, or NULL if no cell of the page was written.
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

// Deletes the stored next step of a cell.
static inline void astar_flow_forget(const AstarFlow *flow, uint32_t cell)
{
    AstarFlowPage *page = astar_flow_page(flow, cell);
    if (page != NULL)
        page->nexts[cell % ASTAR_FLOW_PAGE_CELLS] = 0;
}

// Returns the first cell, from 'cell' on, that has a page. Returns the number of cells of the grid
// if there is no such cell.
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

// Returns the distance of cells whose mark is 'mark'.
static inline double astar_flow_of_mark(const AstarFlow *flow, uint32_t mark)
{
    return flow->open.least + ((double)mark + 0.5) * flow->flood.width;
}

// Returns the mark of the first cell of a row. Row -1 is the border above the map. Between two rows
// lies one mark, which is both the eastern border of one row and the western border of the next.
static inline uint32_t *astar_flood_row(const AstarFlow *flow, int y)
{
    size_t stride = (size_t)flow->finder->grid->width + 1;
    return flow->flood.marks + (size_t)(y + 1) * stride + 1;
}

// Returns the distance of a cell by its mark, or INFINITY if the cell has no distance yet.
static inline double astar_flood_at(const AstarFlow *flow, uint32_t cell)
{
    const uint32_t width = (uint32_t)flow->finder->grid->width;
    const int x = (int)(cell % width), y = (int)(cell / width);
    if (y < flow->flood.first || y > flow->flood.last)
        return INFINITY;
    const uint32_t mark = astar_flood_row(flow, y)[x];
    bool is_known = mark != ASTAR_FLOOD_BLOCKED && mark != ASTAR_FLOOD_FRESH;
    return is_known ? astar_flow_of_mark(flow, mark) : (double)INFINITY;
}

// Returns the distance of a cell, or INFINITY if the cell has no distance yet.
static inline double astar_flow_at(const AstarFlow *flow, uint32_t cell)
{
    if (flow->flood.marks != NULL)
        return astar_flood_at(flow, cell);
    const AstarFlowPage *page = astar_flow_page(flow, cell);
    return page != NULL ? page->distances[cell % ASTAR_FLOW_PAGE_CELLS] : (double)INFINITY;
}

// Returns true if a flow may give a cell a distance. A flow that leads away from goals covers only
// the cells that have a distance in its source.
static inline bool astar_flow_covers(const AstarFlow *flow, uint32_t cell)
{
    return flow->fled.source == NULL || astar_flow_at(flow->fled.source, cell) < 1e300;
}

// Returns the hops of a cell: the number of steps that cost nothing at the beginning of its path.
// See 'hops' of AstarFlow.
static inline uint32_t astar_flow_hops(const AstarFlow *flow, uint32_t cell)
{
    return flow->hops != NULL ? flow->hops[cell] : 0;
}

// Returns the hops of a path that continues through a cell and has the length 'way'.
static inline uint32_t astar_flow_hops_by(const AstarFlow *flow, uint32_t cell, double way)
{
    return way == astar_flow_at(flow, cell) ? astar_flow_hops(flow, cell) + 1 : 0;
}

// Returns true if the distance of 'cell' may come from the distance of 'other', the cell at the
// other end of a step. The distance of 'other' must be lower or equal. The distances may be equal
// because links may cost nothing, and because adding a step to a very large sum may not change the
// sum. Cells of equal distance are ordered by hops, because otherwise they could lead to each other
// in a circle.
static inline bool astar_flow_leads_on(const AstarFlow *flow, uint32_t cell, uint32_t other)
{
    double distance = astar_flow_at(flow, cell), on = astar_flow_at(flow, other);
    return on < distance || (on == distance && on < 1e300 &&
                             astar_flow_hops(flow, other) < astar_flow_hops(flow, cell));
}

// Returns true if a path to a cell, of length 'way' and with 'hops' hops, is better than the
// present path of the cell.
static inline bool astar_flow_is_better(const AstarFlow *flow, uint32_t cell, double way,
                                        uint32_t hops)
{
    double distance = astar_flow_at(flow, cell);
    return way < distance ||
           (flow->hops != NULL && way == distance && way < 1e300 && hops < flow->hops[cell]);
}

// Returns true if no cells are left to handle after edits.
static inline bool astar_flow_is_mended(const AstarFlow *flow)
{
    return flow->mend.raise.count + flow->mend.lower.count + flow->mend.expand.count == 0;
}

// Returns the number of seeds from which the flow must start.
static inline size_t astar_flow_seeds_to_plant(const AstarFlow *flow)
{
    return flow->fled.source != NULL ? flow->finder->grid->cells : flow->sown.count;
}

// Returns true if the flow is complete for the version of the map that it examined last.
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

// Returns true if the flow may store next steps that become wrong when a distance is lowered.
static inline bool astar_flow_mends(const AstarFlow *flow)
{
    return flow->has.nexts && (flow->has.told || flow->open.current < flow->reached);
}

// Returns the stored next step of a cell, which may be ASTAR_FLOW_STAY or ASTAR_FLOW_LINK. Returns
// -1 if no step is stored or the grid has changed. After an edit, the steps of cells whose distance
// may still be lowered are not returned.
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
