// flow.h -- a flow field: distances of cells to goals, or from a start, as far as they are known.

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

// Cells to be dealt with in the order they came in: 'count' of them, from 'first' on.
typedef struct AstarCells {
    uint32_t *cells;
    size_t first, count, capacity;
} AstarCells;

struct AstarFlow {
    uint32_t references;
    AstarFinder *finder; // retained; or a copy of it, see astar_flow_stand
    AstarCosts costs;
    bool forward;    // distances from its seed, else to the nearest of them
    double max_cost; // asked for; the finder may want less
    struct {
        AstarSeed *seeds; // in the order of their cells, one each
        size_t count, capacity, planted;
    } sown;
    struct {
        AstarFlow *source; // from whose goals, retained; NULL: it does not flee
        AstarFlow *skip;   // that one or one farther back, see first_to_settle()
        uint32_t depth;    // how many there are back to the one with goals
        double factor;
    } fled;

    bool steps_only;         // of its answers only steps will be asked
    AstarPackedSteps packed; // of such a one: the steps, once all are known in place of distances

    bool begun;
    bool lacks_memory;    // for a page, while a bucket is swept
    bool sweeps;          // flow_sweep.c serves: terrain tells what steps cost, and which there are
    bool looks_ahead;     // of several costs: see astar_flow_turn_of
    AstarFlowPages pages; // of each cell: its distance; that of a settled one is final. 0: it is
                          // not known where units go on from there, else 1 + the direction
    struct {
        bool nexts;   // of some cells that is known
        bool told;    // of cells without a distance, too, by those around
        bool patches; // runs paid in the last bucket where they were tried, see flow_sweep.c
    } has;
    uint32_t *hops; // of each cell: how many steps that add nothing to its distance lead on from
                    // there, the fewest; NULL: there is no such step, or it was not come to
    AstarBucketQueue open;
    struct {
        double limit; // distances beyond are not kept
        bool is_cut;  // there may be some, see flow_ask.c
        uint32_t at;
    } beyond;
    int64_t reached; // all buckets below have been done with once; once complete, all there are
    struct {
        uint64_t done;
        uint64_t left; // how much more may be done now: about a cell expanded each
    } work;
    uint32_t turn; // counts what changes the flow, for calls made by callbacks of others

    const AstarFlowMoves *moves; // of a plain one, the finder's; else NULL

    // What it was worked out for.
    struct {
        uint64_t grid;   // its version
        uint64_t finder; // astar_finder_version
        uint64_t field;
        uint64_t costs; // of the finder
        double unit;
    } of;
    // What edits leave to be done: cells to be raised, which may have lost the neighbour their
    // distance comes from, then to be lowered, and last those that kept theirs to be expanded.
    struct {
        AstarCells raise, lower, expand;
        int64_t left_out_below; // cells in these buckets may be among the last
    } mend;

    // What steps have come to, see flow_life.c.
    struct {
        AstarFrozenFlow *frozen; // NULL: none
        uint64_t in_vain;        // expansions that edits have made of no use
        uint64_t at;             // astar_finder_version of the last
        uint32_t begun_anew;     // how often it was begun anew
        uint32_t anew;           // the same by the last
    } stepped;
};

// In place of a direction. The last, once packed: there a unit would be beyond the limit.
enum { ASTAR_FLOW_STAY = 8, ASTAR_FLOW_LINK = 9, ASTAR_FLOW_BEYOND = 10 };

// How many cells a straight run is followed at once.
enum { ASTAR_FLOW_LONGEST_RUN = 16 };

// The steps that distances come from or go to, by direction from a cell.
typedef struct AstarFlowSteps {
    unsigned moves;
    double costs[ASTAR_DIRECTIONS];
} AstarFlowSteps;

// The way that is best by what cells around one have, and by its own value.
typedef struct AstarFlowOffer {
    double distance; // INFINITY: there is none
    uint32_t hops;   // see AstarFlow; of equally long ways the one with fewer is better
    int direction;
    AstarArc arc; // of ASTAR_FLOW_LINK
} AstarFlowOffer;

// What decides when a cell of such a distance is expanded. Over ground of several costs, where the
// step into any cell costs the same times its length, that is the least a neighbour may come to
// have by it: so the first of a cell's neighbours to be expanded offers the best straight step, and
// few cells come nearer twice. What has been expanded is final all the same, and so is any distance
// below the current bucket: what is open leads to none less than that.
static inline double astar_flow_turn_of(const AstarFlow *flow, uint32_t cell, double distance)
{
    const AstarFinder *finder = flow->finder;
    return flow->looks_ahead ? distance + finder->costs.step[0][finder->on.ground[cell]] : distance;
}

static inline void astar_cells_free(AstarCells *list, const AstarAllocator *allocator)
{
    astar_release(allocator, list->cells, list->capacity, sizeof *list->cells);
    *list = (AstarCells){0};
}

// Counts what has been done of what may be done now.
static inline void astar_flow_spend(AstarFlow *flow, uint64_t count)
{
    flow->work.left -= count < flow->work.left ? count : flow->work.left;
}

static inline const AstarAllocator *astar_flow_allocator(const AstarFlow *flow)
{
    return &flow->finder->grid->allocator;
}

// The page of a cell; NULL where nothing near was written.
static inline AstarFlowPage *astar_flow_page(const AstarFlow *flow, uint32_t cell)
{
    return astar_flow_page_at(&flow->pages, cell / ASTAR_FLOW_PAGE_CELLS);
}

// The same to write; NULL when there is no memory.
static inline AstarFlowPage *astar_flow_page_for(AstarFlow *flow, uint32_t cell)
{
    AstarFlowPage *page = astar_flow_page(flow, cell);
    return page != NULL ? page
                        : astar_flow_pages_add(&flow->pages, astar_flow_allocator(flow), cell);
}

// Forgets where units go on from a cell.
static inline void astar_flow_forget(const AstarFlow *flow, uint32_t cell)
{
    AstarFlowPage *page = astar_flow_page(flow, cell);
    if (page != NULL)
        page->nexts[cell % ASTAR_FLOW_PAGE_CELLS] = 0;
}

// The first cell, from one on, that has a page; as many as there are cells if none has.
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

// The distance of a cell, INFINITY where it has none yet.
static inline double astar_flow_at(const AstarFlow *flow, uint32_t cell)
{
    const AstarFlowPage *page = astar_flow_page(flow, cell);
    return page != NULL ? page->distances[cell % ASTAR_FLOW_PAGE_CELLS] : (double)INFINITY;
}

// Whether a cell is of those that the flow covers: of one that flees, where there is a way from.
static inline bool astar_flow_covers(const AstarFlow *flow, uint32_t cell)
{
    return flow->fled.source == NULL || astar_flow_at(flow->fled.source, cell) < 1e300;
}

static inline uint32_t astar_flow_hops(const AstarFlow *flow, uint32_t cell)
{
    return flow->hops != NULL ? flow->hops[cell] : 0;
}

// The hops of a way that goes on by a cell.
static inline uint32_t astar_flow_hops_by(const AstarFlow *flow, uint32_t cell, double way)
{
    return way == astar_flow_at(flow, cell) ? astar_flow_hops(flow, cell) + 1 : 0;
}

// Whether a cell's distance may come from that of a cell at the other end of a step. Links may cost
// nothing, and to a very large sum a step may add nothing: there the hops tell cells of equal
// distance apart, or they could lead to each other in a circle.
static inline bool astar_flow_leads_on(const AstarFlow *flow, uint32_t cell, uint32_t other)
{
    double distance = astar_flow_at(flow, cell), on = astar_flow_at(flow, other);
    return on < distance || (on == distance && on < 1e300 &&
                             astar_flow_hops(flow, other) < astar_flow_hops(flow, cell));
}

// Whether a way, with so many hops, is better than the one that a cell has.
static inline bool astar_flow_is_better(const AstarFlow *flow, uint32_t cell, double way,
                                        uint32_t hops)
{
    double distance = astar_flow_at(flow, cell);
    return way < distance ||
           (flow->hops != NULL && way == distance && way < 1e300 && hops < flow->hops[cell]);
}

// Whether nothing is left to be done of edits that were taken in.
static inline bool astar_flow_is_mended(const AstarFlow *flow)
{
    return flow->mend.raise.count + flow->mend.lower.count + flow->mend.expand.count == 0;
}

static inline size_t astar_flow_seeds_to_plant(const AstarFlow *flow)
{
    return flow->fled.source != NULL ? flow->finder->grid->cells : flow->sown.count;
}

// Whether nothing is left to be done for the map as it was when last looked at.
static inline bool astar_flow_is_worked_out(const AstarFlow *flow)
{
    return flow->begun && astar_bucket_queue_are_empty(&flow->open) &&
           flow->sown.planted == astar_flow_seeds_to_plant(flow) && astar_flow_is_mended(flow);
}

// Whether nothing is left to be done for the map as it is.
static inline bool astar_flow_is_current(const AstarFlow *flow)
{
    return astar_flow_is_worked_out(flow) && flow->of.finder == astar_finder_version(flow->finder);
}

// Whether a distance is final.
static inline bool astar_flow_is_settled(const AstarFlow *flow, double distance)
{
    return astar_bucket_queue_are_empty(&flow->open) ||
           (distance < 1e300 && astar_bucket_of(&flow->open, distance) < flow->open.current);
}

// Whether cells are brought nearer that may have been asked about.
static inline bool astar_flow_mends(const AstarFlow *flow)
{
    return flow->has.nexts && (flow->has.told || flow->open.current < flow->reached);
}

// The direction remembered of a cell while the grid is as it was, ASTAR_FLOW_STAY and
// ASTAR_FLOW_LINK among them; -1: nothing is. After an edit what may still come nearer is not.
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
