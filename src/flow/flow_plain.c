// flow_plain.c -- flow fields grown over ground whose terrain tells all.
//
// Over ground of one cost most of the eight steps out of a cell lead where another way of the same
// length or less leads as well. Those are left out by canonical order (canonical.h): of two equally
// long ways that differ in the order of their steps the one that goes diagonally first stands. That
// needs the diagonal step longer than a straight one and shorter than two. The straight step after
// that diagonal one is never left out where it is on a best way, so the cell gets its distance by
// it whichever way its neighbour was reached.
//
// A straight step then leads on straight alone until something stands beside the way. Such a run is
// followed at once, a limited way, instead of cell by cell through the open list: distances ahead
// of the current bucket are upper bounds as any others there, and a cell that comes nearer later
// has a run of its own.
//
// Links are followed from the cells that have any, and the cell that one leads to begins anew, as a
// goal does. Where there are links no runs are followed, for those would pass their ends by. Links
// cheaper than any step are not for here: sums with them depend on the order of steps.

#include "flow/flow.h"
#include "rules/canonical.h"

#include <math.h>

enum { ALL_FREE = 511 }; // of astar_bits_nine

bool astar_flow_leaves_out(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double length = finder->options.diagonal_cost;
    bool has_order = finder->rule->has_diagonals && length > 1.0001 && length < 1.9999;
    return finder->is_uniform && flow->source == NULL &&
           (has_order || astar_finder_goes_by_sides(finder));
}

// The same of cells without corners.
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

// The steps to follow out of a cell reached by a direction.
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

// The finder's, made where it has none yet; NULL without memory.
static const AstarFlowMoves *need_flow_moves(AstarFlow *flow)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    AstarFinder *finder = astar_finder_plain(flow->finder);
    bool leaves_out = astar_flow_leaves_out(flow);
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

// Whether any step adds to any distance as much as the cheapest step over ground: beyond so many of
// those, sums round it away.
static bool every_step_adds(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double most = astar_flow_dearest_step(finder);
    if (astar_grid_has_links(finder->grid)) {
        const AstarLinksAndWalls *links = finder->grid->links_and_walls;
        if (links->least_cost < finder->min_cost)
            return false;
        most = fmax(most, links->most_cost);
    }
    most *= (double)finder->grid->cells;
    return most * fmax(1, -flow->factor) < finder->min_cost * 0x1p51;
}

AstarStatus astar_flow_learn_moves(AstarFlow *flow)
{
    bool is_plain = astar_finder_allows(flow->finder, ASTAR_SWEEPING) && every_step_adds(flow);
    const AstarFlowMoves *moves = is_plain ? need_flow_moves(flow) : NULL;
    if (is_plain && moves == NULL)
        return ASTAR_NO_MEMORY;
    flow->plain = is_plain;
    flow->moves = moves;
    return ASTAR_OK;
}

// ---- emptying a bucket ----

// What the sweep of a bucket reads, taken out of what its stores could change, for all the compiler
// knows.
typedef struct FlowSweep {
    AstarFlow *flow;
    AstarBits bits;
    const AstarBits *link_ends; // NULL: there are no links
    const uint8_t *ground;
    const double *steps[2]; // the finder's
    double *distances;
    const uint8_t *made;
    const AstarFlowMoves *following;
    AstarBucket *ring;
    size_t mask;
    int64_t current;
    double least, per_width, limit;
    bool mends, flees;
    const AstarShape *phased_by; // NULL: all cells go by the same table
    int longest_run;
    uint32_t offsets[ASTAR_DIRECTIONS]; // what a step adds to a cell's number
} FlowSweep;

static FlowSweep begin_sweep(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    const AstarBucketQueue *open = &flow->open;
    FlowSweep sweep = {
        .flow = flow,
        .bits = finder->walkable->bits,
        .link_ends = astar_grid_has_links(finder->grid) ? &finder->grid->links_and_walls->ends
                                                        : NULL,
        .ground = finder->ground,
        .steps = {finder->step[0], finder->step[1]},
        .distances = flow->distances,
        .made = flow->made,
        .following = flow->moves,
        .ring = open->ring,
        .mask = open->size - 1,
        .current = open->current,
        .least = open->least,
        .per_width = open->per_width,
        .limit = flow->limit,
        .mends = astar_flow_mends(flow),
        .flees = flow->source != NULL,
        .phased_by = astar_finder_goes_by_sides(finder) ? finder->grid->shape : NULL};
    // A quarter of the way that has been come at most, so that little is done that nobody asks for.
    int64_t longest = open->current / 4;
    sweep.longest_run = longest < ASTAR_FLOW_LONGEST_RUN ? (int)longest : ASTAR_FLOW_LONGEST_RUN;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        sweep.offsets[d] = (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]);
    return sweep;
}

// A cell that has come nearer, by a step in a direction.
typedef struct Reached {
    int x, y;
    uint32_t cell;
    double distance;
} Reached;

// Takes a step from a cell to '*to', which may be the same, if it makes that one nearer.
ASTAR_SPECIALIZE bool reach_next(const FlowSweep *sweep, const Reached *from, int d, double step,
                                 Reached *to)
{
    uint32_t next = from->cell + sweep->offsets[d];
    double way = from->distance + step;
    if (!sweep->made[next >> ASTAR_FLOW_BLOCK_SHIFT])
        astar_flow_make(sweep->flow, next);
    if (way >= sweep->distances[next])
        return false;
    if (way > sweep->limit) {
        sweep->flow->cut = true;
        return false;
    }
    *to = (Reached){from->x + astar_dx[d], from->y + astar_dy[d], next, way};
    return true;
}

ASTAR_SPECIALIZE void note_reached(const FlowSweep *sweep, const Reached *at)
{
    sweep->distances[at->cell] = at->distance;
    if (sweep->mends)
        astar_flow_forget_around(sweep->flow, at->x, at->y);
}

// Has a cell that was reached expanded in its turn.
ASTAR_SPECIALIZE AstarStatus open_reached(const FlowSweep *sweep, const Reached *at, int d)
{
    uint64_t entry = astar_entry(at->x, at->y, (unsigned)d);
    int64_t index = (int64_t)((at->distance - sweep->least) * sweep->per_width);
    AstarBucket *into = &sweep->ring[(size_t)index & sweep->mask];
    AstarBucketQueue *open = &sweep->flow->open;
    if ((uint64_t)(index - sweep->current) > sweep->mask || into->count == into->capacity)
        return astar_bucket_queue_put(open, astar_flow_allocator(sweep->flow), entry, at->distance);
    into->entries[into->count++] = entry;
    open->waiting++;
    return ASTAR_OK;
}

// How many cells on from one whose neighbours are all free, in a straight direction, are like it,
// itself included, as far as a glance tells.
ASTAR_SPECIALIZE int open_ahead(const AstarBits *bits, int x, int y, int d)
{
    const uint64_t *row = astar_bits_row(bits, y) + ((unsigned)x >> 6);
    ptrdiff_t stride = (ptrdiff_t)bits->stride;
    unsigned shift = (unsigned)x & 63; // of the cell before
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

// Goes straight on over so many cells at most: how many of them came nearer.
ASTAR_SPECIALIZE int cross_open(const FlowSweep *sweep, Reached *at, int d, double step, int most)
{
    int count = 0;
    while (count < most && reach_next(sweep, at, d, step, at)) {
        note_reached(sweep, at);
        count++;
    }
    return count;
}

// Goes straight on from a cell that has been reached while no other step is worth following. False
// where not even that one is.
ASTAR_SPECIALIZE bool follow_run(const FlowSweep *sweep, Reached *at, int d, double step)
{
    unsigned on;
    int left = sweep->longest_run;
    for (;;) {
        unsigned nine = astar_bits_nine(&sweep->bits, at->x, at->y);
        on = sweep->following->after[d][nine];
        if (on != 1u << d || left == 0)
            break;
        int open = nine == ALL_FREE ? open_ahead(&sweep->bits, at->x, at->y, d) : 1;
        int most = open < left ? open : left;
        int crossed = cross_open(sweep, at, d, step, most);
        left -= crossed;
        if (crossed < most) {
            on = 0;
            break;
        }
    }
    sweep->flow->expanded += (uint64_t)(sweep->longest_run - left) + (on == 0);
    return on != 0;
}

// Takes the steps from a cell. 'uniform': all ground costs the same; 'forward': a step costs what
// the cell does that it leads to, not the one it is expanded from; 'runs': straight steps go on.
ASTAR_SPECIALIZE AstarStatus sweep_cell(const FlowSweep *sweep, const Reached *from, unsigned moves,
                                        bool uniform, bool forward, bool runs)
{
    int terrain = sweep->ground[from->cell];
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = from->cell + sweep->offsets[d];
        Reached at;
        if (forward && !uniform)
            terrain = sweep->ground[next];
        double step = sweep->steps[d & 1][terrain];
        if (!reach_next(sweep, from, d, step, &at))
            continue;
        if (!uniform && sweep->flees && !astar_flow_covers(sweep->flow, next))
            continue;
        note_reached(sweep, &at);
        if (runs && (d & 1) == 0 && !follow_run(sweep, &at, d, step))
            continue;
        AstarStatus status = open_reached(sweep, &at, d);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Empties the current bucket, or as much of it as is to be done now.
ASTAR_SPECIALIZE AstarStatus sweep_bucket(AstarFlow *flow, bool uniform, bool forward, bool runs)
{
    const FlowSweep sweep = begin_sweep(flow);
    AstarBucketQueue *open = &flow->open;
    const AstarBucket *bucket = &sweep.ring[(size_t)sweep.current & sweep.mask];
    const uint32_t width = (uint32_t)flow->finder->grid->width;
    const uint64_t before = flow->expanded;
    AstarStatus status = ASTAR_OK;
    while (open->position < bucket->count && flow->expanded - before < flow->left) {
        uint64_t entry = bucket->entries[open->position];
        Reached from = {astar_entry_x(entry), astar_entry_y(entry), 0, 0};
        from.cell = (uint32_t)from.y * width + (uint32_t)from.x;
        from.distance = sweep.distances[from.cell];
        double at = (from.distance - sweep.least) * sweep.per_width;
        if (at >= (double)sweep.current && at < (double)(sweep.current + 1)) {
            unsigned nine = astar_bits_nine(&sweep.bits, from.x, from.y);
            const AstarFlowMoves *following = sweep.following;
            if (!runs && sweep.phased_by != NULL)
                following += astar_phase(sweep.phased_by, from.x, from.y);
            unsigned moves = following->after[astar_entry_from(entry)][nine];
            flow->expanded++;
            status = sweep_cell(&sweep, &from, moves, uniform, forward, runs);
            if (!runs && status == ASTAR_OK && sweep.link_ends != NULL &&
                astar_bits_get(sweep.link_ends, from.x, from.y))
                status = astar_flow_expand_links(flow, from.cell);
            if (status != ASTAR_OK)
                break;
        }
        open->position++;
    }
    astar_flow_spend(flow, flow->expanded - before);
    return status;
}

AstarStatus astar_flow_sweep(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    bool has_runs = astar_flow_leaves_out(flow) && !astar_grid_has_links(finder->grid) &&
                    !astar_finder_goes_by_sides(finder);
    AstarStatus status;
    if (!finder->is_uniform || flow->source != NULL)
        status = flow->forward ? sweep_bucket(flow, false, true, false)
                               : sweep_bucket(flow, false, false, false);
    else
        status = has_runs ? sweep_bucket(flow, true, false, true)
                          : sweep_bucket(flow, true, false, false);
    if (status != ASTAR_OK)
        flow->begun = false; // cells have come nearer that nothing will expand
    return status;
}
