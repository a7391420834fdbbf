// flow_sweep.c -- Computing flow fields: Dijkstra's algorithm bucket by bucket, and faster sweeps
// where terrain alone gives the costs of steps.
//
// On ground of one cost most of the eight steps out of a cell lead to cells that another path
// reaches at the same length or less. These steps are pruned by canonical ordering (canonical.h):
// of two equally long paths that differ in the order of their steps, the path that starts
// diagonally is kept. This requires a diagonal step longer than a straight step and shorter than
// two. The straight step after a diagonal step is never pruned if it lies on a best path, so each
// cell gets its distance by whichever path its neighbour was reached.
//
// A straight step then has one successor only, the next straight step, until an obstacle is beside
// it. Such a line of steps is followed directly, for a limited number of cells, without the open
// list. The distances of a line may lie ahead of the current bucket, where all distances are upper
// bounds. A cell whose distance is lowered later starts a new line.
//
// Links are relaxed at the cells that have some, and the cell at the other end starts without a
// direction of arrival, like a goal. On maps with links no lines are followed, because they would
// skip the ends of links. Links cheaper than any step are handled by the slower code, because sums
// with them depend on the order of steps.

#include "flow/flow_sweep.h"

#include "finder/finder.h"
#include "flow/flow.h"
#include "flow/flow_query.h"
#include "rules/canonical.h"
#include "search/run.h"
#include "search/suppose.h"

#include <math.h>

enum { ALL_FREE = 511, ANY = 255 }; // values of astar_bits_nine, and of a set of steps

bool astar_flow_leaves_out(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double length = finder->options.diagonal_cost;
    bool has_order = finder->rule->has_diagonals && length > 1.0001 && length < 1.9999;
    return flow->fled.source == NULL && (has_order || astar_finder_goes_by_sides(finder));
}

// Returns the steps that a flow follows out of a hexagon. 'from' is the direction of the step that
// led to the hexagon.
static unsigned moves_after_side(const AstarFlow *flow, unsigned phase, unsigned from,
                                 unsigned free, bool leaves_out)
{
    const AstarFinder *finder = flow->finder;
    free &= finder->grid->shape->around[phase];
    if (from == ASTAR_FLOW_STAY)
        return free;
    const AstarSideArrival *arrival = &finder->side_arrivals[phase][from];
    unsigned left_out = leaves_out ? astar_side_order_left_out(arrival, free) : 0;
    return free & arrival->ahead & ~left_out;
}

// Returns the steps that a flow follows out of a square cell. 'from' is the direction of the step
// that led to the cell.
static unsigned moves_after(const AstarFlow *flow, unsigned from, unsigned free, bool leaves_out)
{
    const AstarFinder *finder = flow->finder;
    unsigned moves = finder->rule->legal[!flow->forward][free];
    if (from == ASTAR_FLOW_STAY)
        return moves;
    return leaves_out ? astar_canonical_uniform(&finder->arrivals[1][from], free, moves)
                      : moves & ~(1u << ((from + 4) & 7));
}

static void fill_flow_moves(const AstarFlow *flow, bool leaves_out, AstarFlowMoves *moves)
{
    bool goes_by_sides = astar_finder_goes_by_sides(flow->finder);
    for (unsigned i = 0; i < 512 * astar_finder_phases(flow->finder); i++) {
        unsigned nine = i % 512, phase = i / 512;
        unsigned free = astar_bits_ring(nine);
        for (unsigned from = 0; from <= ASTAR_FLOW_STAY; from++)
            moves[phase].after[from][nine] =
                (uint8_t)(goes_by_sides ? moves_after_side(flow, phase, from, free, leaves_out)
                                        : moves_after(flow, from, free, leaves_out));
    }
}

// Returns the finder's tables of steps for a flow, and creates them if they do not exist. Returns
// NULL if memory runs out.
static const AstarFlowMoves *need_flow_moves(AstarFlow *flow)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    AstarFinder *finder = astar_finder_original(flow->finder);
    bool leaves_out = finder->is_uniform && astar_flow_leaves_out(flow);
    if (finder->flow_moves == NULL)
        finder->flow_moves = astar_alloc(allocator, 4, sizeof *finder->flow_moves);
    if (finder->flow_moves == NULL)
        return NULL;
    AstarFlowMoves **moves = &finder->flow_moves[2 * flow->forward + leaves_out];
    if (*moves != NULL)
        return *moves;
    *moves = astar_alloc(allocator, astar_finder_phases(finder), sizeof **moves);
    if (*moves != NULL)
        fill_flow_moves(flow, leaves_out, *moves);
    return *moves;
}

// Returns true if every step increases every distance by about the cost of the step. In very large
// sums the cost of a cheap step would be lost by rounding.
static bool every_step_adds(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double most = astar_flow_costliest_step(finder);
    if (astar_grid_has_links(finder->grid)) {
        const AstarLinksAndWalls *links = finder->grid->links_and_walls;
        if (links->least_cost < finder->min_cost)
            return false;
        most = fmax(most, links->most_cost);
    }
    most *= (double)finder->grid->cells;
    return most * fmax(1, -flow->fled.factor) < finder->min_cost * 0x1p51;
}

AstarStatus astar_flow_learn_moves(AstarFlow *flow)
{
    bool is_plain = astar_finder_allows(flow->finder, ASTAR_SWEEPING) && every_step_adds(flow);
    const AstarFlowMoves *moves = is_plain ? need_flow_moves(flow) : NULL;
    if (is_plain && moves == NULL)
        return ASTAR_NO_MEMORY;
    flow->sweeps = is_plain;
    flow->looks_ahead = is_plain && !flow->forward &&
                        (!flow->finder->is_uniform || flow->flood.has_run) &&
                        !astar_grid_has_links(flow->finder->grid);
    flow->moves = moves;
    return ASTAR_OK;
}

// Returns true if a straight step over free ground of one cost has one successor only.
static bool may_run(const AstarFlow *flow)
{
    return astar_flow_leaves_out(flow) && !astar_grid_has_links(flow->finder->grid) &&
           !astar_finder_goes_by_sides(flow->finder);
}

// The following functions expand a bucket.

// A copy of the data that the sweep of a bucket reads. Because it is a copy, the compiler knows
// that stores do not change it.
typedef struct FlowSweep {
    AstarFlow *flow;
    AstarBits bits;
    const AstarBits *link_ends; // NULL: the map has no links
    const uint8_t *ground;
    const double *steps[2]; // costs of straight steps and of diagonal steps, by terrain
    const double *ahead;    // difference between astar_flow_turn_of and the distance, by terrain
    const AstarFlowPages *pages;
    const AstarFlowMoves *following;
    AstarBucket *ring;
    size_t mask;
    int64_t current;
    double from, to; // interval of the bucket, in widths of a bucket
    double least, per_width, limit;
    // Greatest distance up to which straight lines are followed over patches of one cost.
    double farthest;
    bool mends, flees, is_uniform;
    const AstarShape *phased_by; // shape of hexagons; NULL: one table of steps serves all cells
    int longest_run;
    // Difference between the numbers of two cells joined by a step, by direction.
    uint32_t cells, offsets[ASTAR_DIRECTIONS];
    // Difference between the entries of the open list for two cells joined by a step, by direction.
    uint64_t onwards[ASTAR_DIRECTIONS];
} FlowSweep;

static FlowSweep begin_sweep(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    const AstarBucketQueue *open = &flow->open;
    static const double nothing[ASTAR_MAX_TERRAINS];
    FlowSweep sweep = {
        .flow = flow,
        .bits = finder->on.walkable->bits,
        .link_ends = astar_grid_has_links(finder->grid) ? &finder->grid->links_and_walls->ends
                                                        : NULL,
        .ground = finder->on.ground,
        .steps = {astar_flow_step_costs(flow)[0], astar_flow_step_costs(flow)[1]},
        .ahead = flow->looks_ahead ? astar_flow_step_costs(flow)[0] : nothing,
        .pages = &flow->pages,
        .following = flow->moves,
        .ring = open->ring,
        .mask = open->size - 1,
        .current = open->current,
        .from = (double)open->current,
        .to = (double)(open->current + 1),
        .least = open->least,
        .per_width = open->per_width,
        .limit = flow->beyond.limit,
        .cells = finder->grid->cells,
        .mends = astar_flow_mends(flow),
        .flees = flow->fled.source != NULL,
        .is_uniform = finder->is_uniform,
        .phased_by = astar_finder_goes_by_sides(finder) ? finder->grid->shape : NULL};
    // A line may be at most a quarter as long as the path so far, so that few cells are computed
    // that no query needs.
    int64_t longest = open->current / 4;
    sweep.longest_run = longest < ASTAR_FLOW_LONGEST_RUN ? (int)longest : ASTAR_FLOW_LONGEST_RUN;
    sweep.farthest = open->least + (double)(open->current + sweep.longest_run) / open->per_width;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        sweep.offsets[d] = (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]);
        sweep.onwards[d] = (uint64_t)astar_dx[d] + ((uint64_t)astar_dy[d] << 24);
    }
    return sweep;
}

// A cell whose distance was lowered: its entry of the open list, without a direction, and a pointer
// to its distance.
typedef struct Reached {
    uint64_t entry;
    uint32_t cell;
    double distance, *kept;
} Reached;

// Relaxes a step. If the step lowers the distance of the neighbour, it stores the neighbour in
// '*to' and returns true. 'to' may be the same pointer as 'from'.
ASTAR_SPECIALIZE bool reach_next(const FlowSweep *sweep, const Reached *from, int d, double step,
                                 Reached *to)
{
    uint32_t next = from->cell + sweep->offsets[d];
    double way = from->distance + step;
    AstarFlowPage *page = astar_flow_page_at(sweep->pages, next / ASTAR_FLOW_PAGE_CELLS);
    if (page != NULL && way >= page->distances[next % ASTAR_FLOW_PAGE_CELLS])
        return false;
    if (way > sweep->limit) {
        sweep->flow->beyond.is_cut = true;
        return false;
    }
    if (page == NULL && (page = astar_flow_page_for(sweep->flow, next)) == NULL) {
        sweep->flow->lacks_memory = true;
        return false;
    }
    *to = (Reached){from->entry + sweep->onwards[d], next, way,
                    &page->distances[next % ASTAR_FLOW_PAGE_CELLS]};
    return true;
}

ASTAR_SPECIALIZE void note_reached(const FlowSweep *sweep, const Reached *at)
{
    *at->kept = at->distance;
    if (sweep->mends)
        astar_flow_forget_around(sweep->flow, astar_entry_x(at->entry), astar_entry_y(at->entry));
}

// Adds a cell whose distance was lowered to the open list.
ASTAR_SPECIALIZE AstarStatus open_reached(const FlowSweep *sweep, const Reached *at, int d,
                                          bool runs)
{
    uint64_t entry = at->entry | (uint64_t)d << 48;
    double turn = at->distance + (runs ? 0 : sweep->ahead[sweep->ground[at->cell]]);
    int64_t index = (int64_t)((turn - sweep->least) * sweep->per_width);
    AstarBucket *into = &sweep->ring[(size_t)index & sweep->mask];
    AstarBucketQueue *open = &sweep->flow->open;
    if ((uint64_t)(index - sweep->current) > sweep->mask || into->count == into->capacity)
        return astar_bucket_queue_put(open, astar_flow_allocator(sweep->flow), entry, turn);
    into->entries[into->count++] = entry;
    open->waiting++;
    return ASTAR_OK;
}

// Returns how many consecutive cells, from (x, y) on in a straight direction, have only free
// neighbours. Only cells within one word of bits are counted. The first cell must have only free
// neighbours.
ASTAR_SPECIALIZE int open_ahead(const AstarBits *bits, int x, int y, int d)
{
    const uint64_t *row = astar_bits_row(bits, y) + ((unsigned)x >> 6);
    ptrdiff_t stride = (ptrdiff_t)bits->stride;
    unsigned shift = (unsigned)x & 63; // position of the cell before (x, y) in its word
    if (shift > 61)
        return 1;
    if (d == 2 || d == 6) {
        uint64_t free = row[-stride] & row[0] & row[stride];
        return d == 2 ? astar_lowest_bit(~(free >> shift) | UINT64_C(1) << 63) - 2
                      : 61 - astar_highest_bit(~(free << (61 - shift)) | 1);
    }
    stride = d == 0 ? -stride : stride;
    int count = 1;
    for (row += 2 * stride; count < ASTAR_FLOW_LONGEST_RUN && (*row >> shift & 7) == 7;
         row += stride)
        count++;
    return count;
}

// Follows a line of straight steps from a cell whose distance was lowered, while the next cell has
// no other successor. Returns false if the end of the line need not be expanded.
ASTAR_SPECIALIZE bool follow_run(const FlowSweep *sweep, Reached *at, int d, double step)
{
    unsigned on;
    int left = sweep->longest_run;
    for (;;) {
        int x = astar_entry_x(at->entry), y = astar_entry_y(at->entry);
        unsigned nine = astar_bits_nine(&sweep->bits, x, y);
        on = sweep->following->after[d][nine];
        if (on != 1u << d || left == 0)
            break;
        int open = nine == ALL_FREE ? open_ahead(&sweep->bits, x, y, d) : 1;
        for (; open > 0 && left > 0; open--, left--) {
            if (!reach_next(sweep, at, d, step, at)) {
                sweep->flow->work.done += (uint64_t)(sweep->longest_run - left) + 1;
                return false;
            }
            note_reached(sweep, at);
        }
    }
    sweep->flow->work.done += (uint64_t)(sweep->longest_run - left) + (on == 0);
    return on != 0;
}

// Returns the bit of a direction if a step in that direction lowers the neighbour, whose distance
// is 'now'; else 0.
ASTAR_SPECIALIZE unsigned if_nearer(const FlowSweep *sweep, const Reached *from, int d, double now,
                                    bool forward)
{
    uint8_t terrain = sweep->ground[forward ? from->cell + sweep->offsets[d] : from->cell];
    return (unsigned)(from->distance + sweep->steps[d & 1][terrain] < now) << d;
}

// Returns the directions of steps that lower neighbours. 'rows' has the distances around the cell,
// see astar_flow_rows; NULL if they are not known. Most steps do not lower neighbours, and a branch
// predictor cannot tell which steps do. All neighbours are therefore compared without branches. A
// loop with branches would take 20 % longer.
ASTAR_SPECIALIZE unsigned nearer_around(const FlowSweep *sweep, const Reached *at,
                                        double *const rows[3], bool forward)
{
    if (rows == NULL)
        return UINT8_MAX;
    const double *above = rows[0], *here = rows[1], *below = rows[2];
    return if_nearer(sweep, at, 0, above[0], forward) | if_nearer(sweep, at, 1, above[1], forward) |
           if_nearer(sweep, at, 2, here[1], forward) | if_nearer(sweep, at, 3, below[1], forward) |
           if_nearer(sweep, at, 4, below[0], forward) |
           if_nearer(sweep, at, 5, below[-1], forward) |
           if_nearer(sweep, at, 6, here[-1], forward) | if_nearer(sweep, at, 7, above[-1], forward);
}

// Returns true if all cells around a cell are free and cost the same. This condition must already
// be true for the previous cell of a straight line in direction 'd'.
ASTAR_SPECIALIZE bool stays_amid(const FlowSweep *sweep, const Reached *at, int d)
{
    int x = astar_entry_x(at->entry), y = astar_entry_y(at->entry);
    const uint8_t *ground = &sweep->ground[at->cell], *ahead = ground + (int32_t)sweep->offsets[d];
    int32_t aside = (int32_t)sweep->offsets[(d + 2) & 7];
    return astar_bits_nine(&sweep->bits, x, y) == ALL_FREE && *ahead == *ground &&
           ahead[aside] == *ground && ahead[-aside] == *ground;
}

// Relaxes steps from a cell that is surrounded by ground of one cost, and follows straight ones as
// long as such ground surrounds them. The code of sweep_cell is not reused, because its branches
// would be predicted worse.
ASTAR_ONCE AstarStatus sweep_amid(const FlowSweep *sweep, const Reached *from, unsigned moves)
{
    AstarStatus status = ASTAR_OK;
    for (; moves != 0 && status == ASTAR_OK; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        double step = sweep->steps[d & 1][sweep->ground[from->cell]];
        Reached at;
        bool is_nearer = reach_next(sweep, from, d, step, &at);
        while (is_nearer) {
            note_reached(sweep, &at);
            if ((d & 1) != 0 || at.distance > sweep->farthest || !stays_amid(sweep, &at, d))
                break;
            sweep->flow->work.done++;
            is_nearer = reach_next(sweep, &at, d, step, &at);
        }
        if (is_nearer)
            status = open_reached(sweep, &at, d, false);
    }
    return status;
}

// Relaxes the steps from a cell. If 'forward' is true, the cost of a step is that of the cell it
// leads to, else that of the expanded cell. If 'runs' is true, all ground has the same cost, and
// lines of straight steps are followed.
ASTAR_SPECIALIZE AstarStatus sweep_cell(const FlowSweep *sweep, const Reached *from, unsigned moves,
                                        bool forward, bool runs)
{
    int terrain = sweep->ground[from->cell];
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = from->cell + sweep->offsets[d];
        Reached at;
        if (forward)
            terrain = sweep->ground[next];
        double step = sweep->steps[d & 1][terrain];
        if (!reach_next(sweep, from, d, step, &at))
            continue;
        if (!runs && sweep->flees && !astar_flow_covers(sweep->flow, next))
            continue;
        note_reached(sweep, &at);
        if (runs && (d & 1) == 0 && !follow_run(sweep, &at, d, step))
            continue;
        AstarStatus status = open_reached(sweep, &at, d, runs);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Relaxes steps that lower neighbours, like sweep_cell without runs. 'rows' has the distances
// around the cell, so no page is looked up again.
ASTAR_SPECIALIZE AstarStatus sweep_rows(const FlowSweep *sweep, const Reached *from,
                                        double *const rows[3], unsigned nearer, bool forward)
{
    for (; nearer != 0; nearer &= nearer - 1) {
        const int d = astar_lowest_bit(nearer);
        const uint32_t next = from->cell + sweep->offsets[d];
        const double way = from->distance +
                           sweep->steps[d & 1][sweep->ground[forward ? next : from->cell]];
        if (way > sweep->limit) {
            sweep->flow->beyond.is_cut = true;
            continue;
        }
        if (sweep->flees && !astar_flow_covers(sweep->flow, next))
            continue;
        const Reached at = {from->entry + sweep->onwards[d], next, way,
                            &rows[1 + astar_dy[d]][astar_dx[d]]};
        note_reached(sweep, &at);
        AstarStatus status = open_reached(sweep, &at, d, false);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// A cell that will be expanded soon.
typedef struct Upcoming {
    double *rows[3]; // distances around the cell, see astar_flow_rows
    bool has_rows;   // true if 'rows' is valid
} Upcoming;

// CELLS_AHEAD: the distances around a cell are looked up this number of cells before the cell is
// expanded. UPCOMING_RING: size of the ring that holds these cells, a power of two.
enum { CELLS_AHEAD = 2, UPCOMING_RING = 4 };

// Looks up where the distances around a cell are stored, and prefetches what its expansion reads.
// The pointers stay valid because pages never move.
ASTAR_SPECIALIZE void find_rows_of(const FlowSweep *sweep, uint64_t entry, Upcoming *upcoming)
{
    const uint32_t width = sweep->offsets[4];
    const uint32_t cell = (uint32_t)astar_entry_y(entry) * width + (uint32_t)astar_entry_x(entry);
    upcoming->has_rows = astar_flow_rows(sweep->pages, sweep->cells, width, cell, upcoming->rows);
    ASTAR_PREFETCH(&sweep->ground[cell]);
    if (!upcoming->has_rows)
        return;
    ASTAR_PREFETCH(upcoming->rows[0]);
    ASTAR_PREFETCH(upcoming->rows[1]);
    ASTAR_PREFETCH(upcoming->rows[2]);
}

// Expands the current bucket within the budget. If 'by_patches' is true, steps are pruned and
// straight lines are followed from cells that are surrounded by ground of one cost. Pruning is
// tried in every sixteenth bucket, and also after a bucket in which pruning saved at least one
// expansion per four expanded cells.
ASTAR_SPECIALIZE AstarStatus sweep_bucket(AstarFlow *flow, bool forward, bool runs, bool by_patches)
{
    // Successors by direction of arrival, as bits. After a straight step: straight ahead. After a
    // diagonal step: diagonally ahead and to both sides.
    static const uint8_t onwards[] = {1, 7, 4, 28, 16, 112, 64, 193, ANY};
    const FlowSweep sweep = begin_sweep(flow);
    AstarBucketQueue *open = &flow->open;
    const AstarBucket *bucket = &sweep.ring[(size_t)sweep.current & sweep.mask];
    const uint32_t width = (uint32_t)flow->finder->grid->width;
    const uint64_t before = flow->work.done;
    AstarStatus status = ASTAR_OK;
    size_t swept = 0, seen = open->position;
    Upcoming upcoming[UPCOMING_RING];
    while (open->position < bucket->count && flow->work.done - before < flow->work.left) {
        // The ring is filled inside the loop, because a link may add cells to the bucket meanwhile.
        for (; !runs && seen <= open->position + CELLS_AHEAD && seen < bucket->count; seen++)
            find_rows_of(&sweep, bucket->entries[seen], &upcoming[seen % UPCOMING_RING]);
        uint64_t entry = bucket->entries[open->position];
        int x = astar_entry_x(entry), y = astar_entry_y(entry);
        uint32_t cell = (uint32_t)y * width + (uint32_t)x;
        const Upcoming *here = &upcoming[open->position % UPCOMING_RING];
        double *const *rows = !runs && here->has_rows ? here->rows : NULL;
        double *kept = rows != NULL
                           ? rows[1]
                           : &astar_flow_page(flow, cell)->distances[cell % ASTAR_FLOW_PAGE_CELLS];
        Reached from = {entry & ASTAR_ENTRY_CELL, cell, *kept, kept};
        double turn = from.distance + (runs ? 0 : sweep.ahead[sweep.ground[from.cell]]);
        double at = (turn - sweep.least) * sweep.per_width;
        if (at >= sweep.from && at < sweep.to) {
            unsigned nine = astar_bits_nine(&sweep.bits, x, y);
            const AstarFlowMoves *following = sweep.following;
            if (!runs && sweep.phased_by != NULL)
                following += astar_phase(sweep.phased_by, x, y);
            unsigned moves = following->after[astar_entry_from(entry)][nine];
            flow->work.done++;
            swept++;
            if (by_patches && nine == ALL_FREE &&
                astar_canonical_same(sweep.ground, flow->finder->grid, cell, ANY) == ANY) {
                moves &= onwards[astar_entry_from(entry)];
                status = sweep_amid(&sweep, &from,
                                    moves & nearer_around(&sweep, &from, rows, false));
            } else if (rows != NULL) {
                moves &= nearer_around(&sweep, &from, rows, forward);
                status = sweep_rows(&sweep, &from, rows, moves, forward);
            } else {
                status = sweep_cell(&sweep, &from, moves, forward, runs);
            }
            if (!runs && status == ASTAR_OK && sweep.link_ends != NULL &&
                astar_bits_get(sweep.link_ends, x, y))
                status = astar_flow_expand_links(flow, from.cell);
            if (status == ASTAR_OK && flow->lacks_memory)
                status = ASTAR_NO_MEMORY;
            if (status != ASTAR_OK)
                break;
        }
        open->position++;
    }
    if (by_patches)
        flow->has.patches = 4 * (flow->work.done - before - swept) >= swept;
    astar_flow_spend(flow, flow->work.done - before);
    return status;
}

AstarStatus astar_flow_sweep(AstarFlow *flow)
{
    bool runs = may_run(flow), is_uniform = flow->finder->is_uniform;
    bool by_patches = !flow->forward && (flow->has.patches || flow->open.current % 16 == 0);
    AstarStatus status = runs && is_uniform   ? sweep_bucket(flow, false, true, false)
                         : flow->forward      ? sweep_bucket(flow, true, false, false)
                         : runs && by_patches ? sweep_bucket(flow, false, false, true)
                                              : sweep_bucket(flow, false, false, false);
    if (status != ASTAR_OK)
        flow->begun = flow->lacks_memory =
            false; // some cells whose distance was lowered will not be expanded
    return status;
}

// Flow fields by Dijkstra's algorithm, bucket by bucket.
//
// Distances in a bucket that has been expanded (bucket_queue.h) are final. A query is answered as
// soon as the bucket of its cell is expanded, and the next query continues from there. A link may
// cost less than the width of a bucket. Such a link may lower a cell of the current bucket, and
// that cell is expanded again.

AstarStatus astar_flow_plant(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    size_t count = astar_flow_seeds_to_plant(flow);
    if (flow->sown.planted < count && flow->fled.source != NULL) {
        AstarStatus status = astar_flood_write_pages(flow->fled.source);
        if (status != ASTAR_OK)
            return status;
    }
    while (flow->sown.planted < count) {
        if (flow->work.left == 0)
            return ASTAR_RUNNING;
        if (flow->fled.source != NULL)
            flow->sown.planted = (size_t)astar_flow_next_paged(flow->fled.source,
                                                               flow->sown.planted);
        if (flow->sown.planted == count)
            break;
        uint32_t cell = flow->fled.source != NULL ? (uint32_t)flow->sown.planted
                                                  : flow->sown.seeds[flow->sown.planted].cell;
        int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
        bool enters;
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &enters);
        if (status != ASTAR_OK)
            return status;
        double value = flow->fled.source != NULL
                           ? astar_flow_seed(flow, cell)
                           : astar_flow_round(flow, flow->sown.seeds[flow->sown.planted].value);
        if (enters && value > flow->beyond.limit)
            flow->beyond.is_cut = true;
        else if (enters && flow->flood.marks != NULL)
            status = astar_flood_plant(flow, cell, x, y, value);
        else if (enters && astar_flow_is_better(flow, cell, value, 0))
            status = astar_flow_lower(flow, cell, x, y, value, 0);
        if (status != ASTAR_OK)
            return status;
        flow->turn++;
        flow->sown.planted++;
        astar_flow_spend(flow, 1);
    }
    return ASTAR_OK;
}

// Returns the directions of neighbours whose distance a step from a cell may lower.
static unsigned improvable(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    double least = astar_flow_at(flow, cell) + astar_flow_in_unit(flow, finder->min_cost);
    // With hops, a path is also better if it is as long as another one but has fewer hops.
    const bool has_hops = flow->hops != NULL;
    double *rows[3];
    unsigned wanted = 0;
    bool is_inner = (unsigned)x - 1 < (unsigned)grid->width - 2;
    if (!has_hops && is_inner &&
        astar_flow_rows(&flow->pages, grid->cells, (uint32_t)grid->width, cell, rows)) {
        for (int d = 0; d < ASTAR_DIRECTIONS; d++)
            wanted |= (unsigned)(rows[1 + astar_dy[d]][astar_dx[d]] > least) << d;
        return wanted;
    }
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) &&
            (astar_flow_at(flow, next) > least ||
             (has_hops && astar_flow_is_better(flow, next, least, 0))))
            wanted |= 1u << d;
    }
    return wanted;
}

AstarStatus astar_flow_expand(AstarFlow *flow, uint32_t cell, int x, int y)
{
    unsigned wanted = improvable(flow, cell, x, y);
    AstarFlowSteps steps = {0};
    AstarStatus status = ASTAR_OK;
    if (wanted != 0)
        status = astar_flow_steps(flow, cell, x, y, flow->forward, wanted, &steps);
    for (unsigned rest = steps.moves; status == ASTAR_OK && rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * flow->finder->grid->width + astar_dx[d]);
        double way = astar_flow_at(flow, cell) + steps.costs[d];
        uint32_t hops = astar_flow_hops_by(flow, cell, way);
        if (!astar_flow_is_better(flow, next, way, hops) || !astar_flow_covers(flow, next))
            continue;
        if (way > flow->beyond.limit)
            flow->beyond.is_cut = true;
        else
            status = astar_flow_lower(flow, next, x + astar_dx[d], y + astar_dy[d], way, hops);
    }
    return status == ASTAR_OK ? astar_flow_expand_links(flow, cell) : status;
}

static AstarStatus empty_bucket(AstarFlow *flow)
{
    AstarBucketQueue *open = &flow->open;
    AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    size_t width = (size_t)flow->finder->grid->width;
    for (; open->position < bucket->count && flow->work.left > 0; open->position++) {
        uint64_t entry = bucket->entries[open->position];
        int x = astar_entry_x(entry), y = astar_entry_y(entry);
        uint32_t cell = (uint32_t)((size_t)y * width + (size_t)x);
        double distance = astar_flow_at(flow, cell);
        if (distance > 1e300 || astar_bucket_of(open, distance) != open->current)
            continue;
        AstarStatus status = astar_flow_expand(flow, cell, x, y);
        if (status != ASTAR_OK)
            return status;
        flow->turn++; // a query by a callback may end after any cell
        flow->work.done++;
        astar_flow_spend(flow, 1);
    }
    return ASTAR_OK;
}

static double turn_in_flow(const void *flow, int x, int y)
{
    const AstarFlow *of = flow;
    uint32_t cell = astar_cell(of->finder->grid, x, y);
    return astar_flow_turn_of(of, cell, astar_flow_at(of, cell));
}

AstarStatus astar_flow_settle_bucket(AstarFlow *flow)
{
    // A flood may have very small buckets. A call then expands several of them.
    enum { CELLS_OF_A_CALL = 64 };
    const AstarBucketQueue *open = &flow->open;
    const uint64_t before = flow->work.done;
    AstarStatus status;
    do {
        status = flow->flood.marks != NULL ? astar_flood_bucket(flow)
                 : flow->sweeps            ? astar_flow_sweep(flow)
                                           : empty_bucket(flow);
        if (status != ASTAR_OK)
            return status;
        if (open->position < open->ring[(size_t)open->current & (open->size - 1)].count)
            return ASTAR_RUNNING;
        status = astar_bucket_queue_advance(&flow->open, astar_flow_allocator(flow), turn_in_flow,
                                            flow);
    } while (status == ASTAR_OK && flow->flood.marks != NULL && flow->work.left > 0 &&
             !astar_bucket_queue_are_empty(open) && flow->work.done - before < CELLS_OF_A_CALL);
    bool is_complete = astar_bucket_queue_are_empty(&flow->open);
    // Number of buckets within which all cells of a straight line lie. The last lines may have
    // ended without adding cells to the open list.
    int64_t reached = flow->open.current + (is_complete ? ASTAR_FLOW_LONGEST_RUN + 3 : 0);
    if (reached > flow->reached)
        flow->reached = reached;
    if (is_complete) {
        astar_bucket_queue_trim(&flow->open, astar_flow_allocator(flow));
        // Marks are kept for the whole map, and pages only for its parts that have distances.
        if (flow->flood.marks != NULL && flow->flood.closed < flow->finder->grid->cells / 4 &&
            status == ASTAR_OK)
            status = astar_flood_write_pages(flow);
    }
    flow->turn++;
    return status;
}

// The following functions lower the distance of a cell, by a step or over a link.

void astar_flow_forget_around(AstarFlow *flow, int x, int y)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t other, index = 0;
    if (!flow->has.nexts)
        return;
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++)
            astar_flow_forget(flow, astar_cell(grid, column, row));
    while (astar_flow_next_over_link(flow, astar_cell(grid, x, y), &index, &other))
        astar_flow_forget(flow, other);
}

AstarStatus astar_flow_lower(AstarFlow *flow, uint32_t cell, int x, int y, double distance,
                             uint32_t hops)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    if (hops > 0 && flow->hops == NULL) {
        flow->hops = astar_alloc(allocator, flow->finder->grid->cells, sizeof *flow->hops);
        if (flow->hops == NULL)
            return ASTAR_NO_MEMORY;
    }
    AstarFlowPage *page = astar_flow_page_for(flow, cell);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_bucket_queue_put(&flow->open, allocator,
                                                astar_entry(x, y, ASTAR_FLOW_STAY),
                                                astar_flow_turn_of(flow, cell, distance));
    if (status != ASTAR_OK)
        return status;
    page->distances[cell % ASTAR_FLOW_PAGE_CELLS] = distance;
    if (flow->hops != NULL)
        flow->hops[cell] = hops;
    if (astar_flow_mends(flow))
        astar_flow_forget_around(flow, x, y);
    return ASTAR_OK;
}

// Relaxes one link of a cell: lowers the distance of the cell at its other end if the link offers
// less.
static AstarStatus expand_link(AstarFlow *flow, uint32_t cell, const AstarArc *arc)
{
    uint32_t other = flow->forward ? arc->to : arc->from;
    int width = flow->finder->grid->width;
    int x = (int)(other % (uint32_t)width), y = (int)(other / (uint32_t)width);
    bool enters = false;
    double cost;
    double here = astar_flow_at(flow, cell);
    if (!astar_flow_is_better(flow, other, here, astar_flow_hops_by(flow, cell, here)))
        return ASTAR_OK;
    AstarStatus status = astar_flow_enters(flow, other, x, y, &enters);
    if (status == ASTAR_OK && enters)
        status = astar_flow_link_cost(flow, arc, &cost);
    if (status != ASTAR_OK || !enters)
        return status;
    double way = here + cost;
    uint32_t hops = astar_flow_hops_by(flow, cell, way);
    if (!astar_flow_is_better(flow, other, way, hops))
        return ASTAR_OK;
    if (way > flow->beyond.limit) {
        flow->beyond.is_cut = true;
        return ASTAR_OK;
    }
    return astar_flow_lower(flow, other, x, y, way, hops);
}

AstarStatus astar_flow_expand_links(AstarFlow *flow, uint32_t cell)
{
    AstarStatus status = ASTAR_OK;
    AstarArc arc;
    uint32_t index = 0;
    while (status == ASTAR_OK && astar_flow_next_link(flow, cell, flow->forward, &index, &arc))
        status = expand_link(flow, cell, &arc);
    return status;
}

// Counting the cells that would reach no goal if some cells were blocked.
//
// A block separates only cells that lie beside it. If connected components decide what is
// reachable, the function examines the components that the cells around the block would belong to
// if the block existed. A component is cut off if it has no goal, but its cells belonged to a
// component with a goal before. With links, walls or a limit two complete flows are computed, one
// of them with a finder that supposes the block.

// State of counting the cells that are cut off.
typedef struct CutOff {
    const AstarFlow *flow;
    AstarFinder *finder;
    const AstarSupposed *supposed; // the block: one rectangle
    AstarComponents *before, *after;
    uint32_t *labels; // labels of the components that were examined, as they are with the block
    size_t label_count, label_capacity;
    uint64_t count;
} CutOff;

ASTAR_ONCE bool is_left_free(const CutOff *cut, int x, int y)
{
    return astar_bits_get(&cut->finder->on.walkable->bits, x, y) &&
           !astar_supposed_bars(cut->supposed, astar_finder_body(cut->finder), x, y);
}

// Returns true if a component contains a goal. 'components' are those without the block or those
// with it.
ASTAR_COLD static bool has_goal(const CutOff *cut, const AstarComponents *components,
                                uint32_t label)
{
    const AstarFinder *finder = cut->finder;
    for (size_t i = 0; i < cut->flow->sown.count; i++) {
        int x, y;
        astar_cell_xy(finder->grid, cut->flow->sown.seeds[i].cell, &x, &y);
        bool is_there = components == cut->after ? is_left_free(cut, x, y)
                                                 : astar_bits_get(&finder->on.walkable->bits, x, y);
        if (is_there && astar_components_label(components, x, y) == label)
            return true;
    }
    return false;
}

// Adds the cells of the component of (x, y), a cell beside the block, if the component is cut off.
// Each component is counted once.
static AstarStatus count_beside(CutOff *cut, int x, int y)
{
    if (!astar_inside(cut->finder->grid, x, y) || !is_left_free(cut, x, y))
        return ASTAR_OK;
    uint32_t label = astar_components_label(cut->after, x, y);
    for (size_t i = cut->label_count; i > 0; i--)
        if (cut->labels[i - 1] == label)
            return ASTAR_OK;
    if (!ASTAR_RESERVE(&cut->finder->grid->allocator, cut->labels, cut->label_count, 1,
                       &cut->label_capacity, 16))
        return ASTAR_NO_MEMORY;
    cut->labels[cut->label_count++] = label;
    if (!has_goal(cut, cut->after, label) &&
        has_goal(cut, cut->before, astar_components_label(cut->before, x, y)))
        cut->count += astar_components_count(cut->after, x, y);
    return ASTAR_OK;
}

static AstarStatus count_by_components(CutOff *cut)
{
    const AstarRectangle *r = cut->supposed->blocked;
    const AstarBody body = astar_finder_body(cut->finder);
    const int west = r->x - body.width + 1, north = r->y - body.height + 1;
    AstarStatus status = astar_finder_components(cut->finder, &cut->before);
    if (status == ASTAR_OK)
        status = astar_components_over(cut->before, &cut->finder->on.walkable->bits,
                                       &(AstarComponentOverlay){.changed = r,
                                                                .count = 1,
                                                                .wider = body.width - 1,
                                                                .higher = body.height - 1,
                                                                .is_barred = true},
                                       &cut->after);
    for (int y = north - 1; y <= r->y + r->height && status == ASTAR_OK; y++) {
        bool is_beyond = y < north || y == r->y + r->height;
        int step = is_beyond ? 1 : r->width + body.width;
        for (int x = west - 1; x <= r->x + r->width && status == ASTAR_OK; x += step)
            status = count_beside(cut, x, y);
    }
    astar_components_free(cut->after);
    astar_release(&cut->finder->grid->allocator, cut->labels, cut->label_capacity,
                  sizeof *cut->labels);
    return status;
}

// Counts the cells that have a distance in the flow 'now' and none in the flow 'then'.
static AstarStatus count_lost(CutOff *cut, AstarFlow *now, AstarFlow *then)
{
    AstarStatus status;
    uint64_t cell = 0;
    double distance;
    int x, y;
    while ((status = astar_flow_cell(now, &cell, NULL, &x, &y, &distance)) == ASTAR_OK) {
        if (!is_left_free(cut, x, y))
            continue;
        status = astar_flow_distance(then, x, y, NULL, &distance);
        if (status == ASTAR_NO_MEMORY)
            return status;
        cut->count += status != ASTAR_OK;
    }
    return status == ASTAR_UNREACHABLE ? ASTAR_OK : status;
}

// Creates a flow with the same goals and options as another one, but for a map on which some more
// cells are blocked.
ASTAR_COLD static AstarStatus new_flow_supposing(const AstarFlow *flow,
                                                 const AstarSupposed *supposed, size_t count,
                                                 AstarFlow **out)
{
    AstarFinder *finder;
    AstarStatus status = astar_finder_suppose(flow->finder, supposed->blocked, count, &finder);
    if (status != ASTAR_OK)
        return status;
    const AstarAllocator *allocator = &finder->grid->allocator;
    AstarFlowGoal *goals = astar_alloc(allocator, flow->sown.count + 1, sizeof *goals);
    for (size_t i = 0; goals != NULL && i < flow->sown.count; i++) {
        astar_cell_xy(finder->grid, flow->sown.seeds[i].cell, &goals[i].x, &goals[i].y);
        goals[i].value = flow->sown.seeds[i].value;
    }
    status = goals == NULL
                 ? ASTAR_NO_MEMORY
                 : astar_flow_new_within(finder, goals, flow->sown.count,
                                         0, // all cells within range of a goal are goals already
                                         flow->max_cost, out);
    astar_release(allocator, goals, flow->sown.count + 1, sizeof *goals);
    astar_finder_release(finder);
    return status;
}

static AstarStatus count_by_flows(CutOff *cut)
{
    AstarFlow *now = NULL, *then = NULL;
    AstarStatus status = new_flow_supposing(cut->flow, cut->supposed, 0, &now);
    if (status == ASTAR_OK)
        status = new_flow_supposing(cut->flow, cut->supposed, 1, &then);
    if (status == ASTAR_OK)
        status = astar_flow_complete(then, NULL);
    if (status == ASTAR_OK)
        status = count_lost(cut, now, then);
    astar_flow_release(now);
    astar_flow_release(then);
    return status;
}

ASTAR_COLD AstarStatus astar_flow_count_cut_off(AstarFlow *flow, const AstarRectangle *blocked,
                                                uint64_t *count)
{
    AstarFinder *finder = flow->finder;
    const AstarAllocator *allocator = &finder->grid->allocator;
    if (flow->forward || flow->fled.source != NULL || astar_finder_has_callbacks(finder))
        return ASTAR_BAD_OPTION;
    if (!astar_grid_has_rectangle(finder->grid, blocked->x, blocked->y, blocked->width,
                                  blocked->height))
        return ASTAR_BAD_CELL;
    if (finder->grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    AstarStatus status = astar_finder_update(finder);
    AstarSupposed *supposed = astar_supposed_new(allocator, blocked, 1);
    if (status == ASTAR_OK && supposed == NULL)
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK) {
        astar_supposed_free(allocator, supposed);
        return status;
    }
    CutOff cut = {.flow = flow, .finder = finder, .supposed = supposed};
    bool is_limited = isfinite(flow->max_cost) || isfinite(finder->query.max_cost);
    status = astar_components_decide(finder) && !is_limited ? count_by_components(&cut)
                                                            : count_by_flows(&cut);
    astar_supposed_free(allocator, supposed);
    *count = cut.count;
    return status;
}
