// flow_flood.c -- The flood: breadth-first search and Dial's algorithm for flows whose costs are
// multiples of one number.
//
// In a flow towards goals, a cell offers all its straight neighbours the same distance: the
// distance of the cell plus the cost of entering the cell. Cells are expanded in the order of the
// distances that they offer, not of their own distances. The first straight step that reaches a
// cell therefore offers its final distance. If all costs are multiples of one number, and buckets
// (R. Dial, 1969) are as wide as that number, all cells of a bucket offer the same distance. The
// number of the bucket then replaces all computations of distances. On ground of one cost without
// diagonal steps this is breadth-first search.
//
// A diagonal step offers more than a straight step out of the same cell, but its distance is that
// of a later bucket, so it is a number of a bucket, too. A cell that was reached by a diagonal step
// may be reached again by a better step before it is expanded. It is then entered in a second
// bucket, and its entry in the first one is skipped. With a diagonal cost of the square root of 2,
// costs have no common measure; with 1.4 they are multiples of a fifth (see work_out_counts() in
// finder.c).
//
// The only data that the search reads and writes of a neighbour is a mark of four bytes: the number
// of the bucket of its distance. The array of marks has a border, so that no step needs a check of
// the map's edges. Queries read the marks, too. The distances are written to pages, which repairs
// need, after the first edit. An edit ends the flood: flow_repair.c then repairs the distances, and
// flow_sweep.c, which can continue with the buckets of the flood, computes the remaining distances.
// Flows with links, steps over the edge of the map, costs without a common measure, or goals of
// different extra costs are computed by flow_sweep.c from the beginning, and so are flows with
// diagonal steps on ground of one cost.
//
// Two alternatives were tried and rejected:
// - A set of cells with one bit each in place of the marks. Reading the neighbours of a cell from
//   three rows of bits takes shifts, masks and a branch at the ends of words. Expanding the 64
//   cells of a word together would not compensate for this: without diagonal steps the front of the
//   flood runs diagonally, so that a word contains about one cell of the front.
// - Floods with diagonal steps whose sums are rounded, as those of searches are. The distances that
//   the cells of a bucket offer then differ in their last bits and have to be compared. In a
//   program of its own such a flood took twice as long as one with whole numbers.

#include "flow/flow_flood.h"

#include "flow/flow.h"
#include "flow/flow_query.h"
#include "flow/flow_sweep.h"

#include <math.h>
#include <string.h>

enum { FLOOD_DIAGONALS = 0xAA }; // set of the four diagonal directions

// A copy of the data that the loop of the flood reads. Because it is a copy, the compiler knows
// that stores do not change it.
typedef struct Flood {
    AstarFlow *flow;
    const uint8_t *ground;
    // Number of buckets that a straight step out of a cell skips, and number of further buckets
    // that a diagonal step skips, by terrain.
    const uint8_t *skips, *further;
    const uint8_t *diagonals; // see AstarFlood
    AstarBucket *ring;
    size_t mask;
    ptrdiff_t stride;       // difference between the marks of two cells of one column
    uint32_t most;          // greatest mark within the limit of the flow
    int width, first, last; // marks exist in the rows from first - 1 to last + 1
} Flood;

// A bucket to which cells are added. The fields are copied from the open list, because the compiler
// would read them again after each store.
typedef struct Opened {
    AstarBucket bucket;
    size_t slot;  // index of the bucket in the ring
    size_t count; // number of cells that were opened in any bucket
} Opened;

// The following functions find out whether a flood fits a flow.

// Returns the greatest power of two that divides a number above 0.
static double lowest_bit_of(double value)
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    for (; mantissa != floor(mantissa); exponent--)
        mantissa *= 2;
    return ldexp(1, exponent);
}

// Computes for each terrain how many buckets its steps skip. Returns false if a step skips too many
// buckets, or if its cost is not a multiple of the buckets' width.
static bool count_skips(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    AstarFlood *flood = &flow->flood;
    for (int i = 0; i < finder->grid->terrains.count; i++) {
        // The tables of costs may lack a terrain that was added but is not on the map yet.
        if (finder->grid->terrains.present[i] == 0 || !isfinite(finder->costs.cell[i]))
            continue;
        double step = astar_flow_step_costs(flow)[0][i];
        double diagonal = finder->rule->has_diagonals ? astar_flow_step_costs(flow)[1][i] : step;
        if (diagonal > UINT8_MAX * flood->width || fmod(step, flood->width) != 0)
            return false;
        flood->skips[0][i] = (uint8_t)(step / flood->width + 0.5);
        flood->skips[1][i] = (uint8_t)((diagonal - step) / flood->width + 0.5);
    }
    return true;
}

// Returns true if all goals have the same extra cost, and if sums of the extra cost and of steps
// are exact.
static bool has_exact_sums(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    if (flow->sown.count == 0)
        return false;
    const double value = astar_flow_round(flow, flow->sown.seeds[0].value);
    for (size_t i = 1; i < flow->sown.count; i++)
        if (flow->sown.seeds[i].value != flow->sown.seeds[0].value)
            return false;
    double most = astar_flow_in_unit(flow, astar_flow_costliest_step(finder)) *
                  (double)finder->grid->cells;
    double bit = lowest_bit_of(flow->flood.width);
    return fmod(value, bit) == 0 && fabs(value) + most < bit * 0x1p51 &&
           most < flow->flood.width * 0x1p31; // marks have 32 bits
}

bool astar_flood_fits(AstarFlow *flow, double *width)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    bool is_plain = flow->sweeps && !flow->forward && flow->fled.source == NULL &&
                    !astar_finder_goes_by_sides(finder) && !astar_grid_has_links(grid) &&
                    grid->shape->wraps == 0;
    if (!is_plain)
        return false;
    if (finder->rule->has_diagonals) {
        // On ground of one cost flow_sweep.c follows lines of straight steps, which is faster.
        if (flow->unit.parts == 0 || finder->is_uniform)
            return false;
        flow->flood.width = 1;
    } else {
        if (finder->costs.divisor == 0)
            return false;
        // Whole costs are multiples of 1/32 of the unit, see astar_whole_cost.
        flow->flood.width = (double)finder->costs.divisor * astar_finder_exact_unit(finder) / 32;
    }
    *width = flow->flood.width;
    return count_skips(flow) && has_exact_sums(flow);
}

// The following functions maintain the marks of cells.

static void write_row(const AstarFlow *flow, int y)
{
    const AstarBits *walkable = &flow->finder->on.walkable->bits;
    const uint64_t *bits = astar_bits_row(walkable, y);
    const int width = flow->finder->grid->width;
    uint32_t *marks = astar_flood_row(flow, y);
    int x = 0;
    marks[-1] = marks[width] = ASTAR_FLOOD_BLOCKED;
    for (; x < width - 64; x += 64) {
        uint64_t word = bits[x >> 6] >> 1 | bits[(x >> 6) + 1] << 63;
        for (int i = 0; i < 64; i++)
            marks[x + i] = (uint32_t)0 - (uint32_t)(word >> i & 1); // 0 or ASTAR_FLOOD_FRESH
    }
    for (; x < width; x++)
        marks[x] = astar_bits_get(walkable, x, y) ? ASTAR_FLOOD_FRESH : ASTAR_FLOOD_BLOCKED;
}

// Writes the marks of the rows around row y, if they are missing: 16 rows in each direction,
// because the flood will soon need them.
ASTAR_ONCE void need_rows(AstarFlow *flow, int y)
{
    enum { MORE = 16 };
    AstarFlood *flood = &flow->flood;
    int first = astar_greater(y - MORE, -1);
    int last = astar_lesser(y + MORE, flow->finder->grid->height);
    if (flood->first > flood->last) {
        flood->first = first;
        flood->last = first - 1;
    }
    while (flood->first > first)
        write_row(flow, --flood->first);
    while (flood->last < last)
        write_row(flow, ++flood->last);
}

// The following functions start and end a flood.

AstarStatus astar_flood_begin(AstarFlow *flow)
{
    AstarFlood *flood = &flow->flood;
    const AstarGrid *grid = flow->finder->grid;
    flood->count = ((size_t)grid->width + 1) * ((size_t)grid->height + 2) + 2;
    flood->marks = astar_alloc_unwritten(&grid->allocator, flood->count, sizeof *flood->marks);
    flood->first = 0;
    flood->last = -1;
    flood->closed = 0;
    flow->looks_ahead = flood->has_run = true;
    for (unsigned sides = 0; sides < 16; sides++) {
        const unsigned free = FLOOD_DIAGONALS | (sides & 1) | (sides & 2) << 1 | (sides & 4) << 2 |
                              (sides & 8) << 3;
        flood->diagonals[sides] = flow->finder->rule->legal[1][free] & FLOOD_DIAGONALS;
    }
    return flood->marks != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

void astar_flood_end(AstarFlow *flow)
{
    AstarFlood *flood = &flow->flood;
    astar_release_unwritten(astar_flow_allocator(flow), flood->marks, flood->count,
                            sizeof *flood->marks);
    flood->marks = NULL;
}

size_t astar_flood_bytes(const AstarFlow *flow)
{
    return flow->flood.marks != NULL ? flow->flood.count * sizeof *flow->flood.marks : 0;
}

// Writes the distances of one row to the pages.
static AstarStatus write_distances(AstarFlow *flow, int y)
{
    const uint32_t width = (uint32_t)flow->finder->grid->width;
    const uint32_t *marks = astar_flood_row(flow, y);
    AstarFlowPage *page = NULL;
    for (uint32_t x = 0, cell = (uint32_t)y * width; x < width; x++, cell++) {
        const uint32_t place = cell % ASTAR_FLOW_PAGE_CELLS;
        if (place == 0)
            page = NULL;
        if (marks[x] == ASTAR_FLOOD_BLOCKED || marks[x] == ASTAR_FLOOD_FRESH)
            continue;
        if (page == NULL && (page = astar_flow_page_for(flow, cell)) == NULL)
            return ASTAR_NO_MEMORY;
        page->distances[place] = astar_flow_of_mark(flow, marks[x]);
    }
    return ASTAR_OK;
}

AstarStatus astar_flood_write_pages(AstarFlow *flow)
{
    const int last = astar_lesser(flow->flood.last, flow->finder->grid->height - 1);
    AstarStatus status = ASTAR_OK;
    if (flow->flood.marks == NULL)
        return ASTAR_OK;
    for (int y = astar_greater(flow->flood.first, 0); status == ASTAR_OK && y <= last; y++)
        status = write_distances(flow, y);
    if (status == ASTAR_OK)
        astar_flood_end(flow);
    return status;
}

AstarStatus astar_flood_plant(AstarFlow *flow, uint32_t cell, int x, int y, double value)
{
    need_rows(flow, y);
    AstarStatus status = astar_bucket_queue_put(&flow->open, astar_flow_allocator(flow),
                                                astar_entry(x, y, ASTAR_FLOW_STAY),
                                                astar_flow_turn_of(flow, cell, value));
    if (status != ASTAR_OK)
        return status;
    astar_flood_row(flow, y)[x] = (uint32_t)astar_bucket_of(&flow->open, value);
    flow->flood.closed++;
    return ASTAR_OK;
}

// The following functions are the loop of the flood.

// A cell: its entry in the open list, its number, and a pointer to its mark.
typedef struct FloodCell {
    uint64_t entry;
    uint32_t cell, *mark;
} FloodCell;

// Opens a cell in a bucket that is full.
ASTAR_ONCE void open_slowly(const Flood *flood, size_t slot, uint64_t entry)
{
    if (flood->ring[slot].capacity == 0)
        astar_bucket_hold(&flood->flow->open, slot);
    if (astar_bucket_push(&flood->ring[slot], astar_flow_allocator(flood->flow), entry) != ASTAR_OK)
        flood->flow->lacks_memory = true;
}

ASTAR_SPECIALIZE void open_flooded(const Flood *flood, const FloodCell *at, uint32_t mark,
                                   Opened *opened, bool is_uniform)
{
    opened->count++;
    if (is_uniform && opened->bucket.count < opened->bucket.capacity) {
        opened->bucket.entries[opened->bucket.count++] = at->entry;
        return;
    }
    size_t slot = ((size_t)mark + flood->skips[flood->ground[at->cell]]) & flood->mask;
    AstarBucket *into = &flood->ring[slot];
    if (!is_uniform && into->count < into->capacity) {
        into->entries[into->count++] = at->entry;
        return;
    }
    if (is_uniform && opened->bucket.entries != NULL)
        *into = opened->bucket;
    open_slowly(flood, slot, at->entry);
    opened->bucket = *into;
    opened->slot = slot;
}

// Relaxes a step from a cell. If the neighbour has no mark as low as 'mark' yet, the function sets
// its mark and opens it. A blocked neighbour has the lowest mark.
ASTAR_SPECIALIZE void flood_to(const Flood *flood, const FloodCell *from, int dx, int dy,
                               uint32_t mark, Opened *opened, bool is_uniform)
{
    const int64_t offset = (int64_t)dy * flood->width + dx;
    const FloodCell at = {from->entry + (uint64_t)dx + ((uint64_t)dy << 24),
                          from->cell + (uint32_t)offset, from->mark + dy * flood->stride + dx};
    if (*at.mark <= mark)
        return;
    *at.mark = mark;
    open_flooded(flood, &at, mark, opened, is_uniform);
}

// Relaxes the legal diagonal steps from a cell.
ASTAR_SPECIALIZE void flood_diagonally(const Flood *flood, const FloodCell *from, uint32_t mark,
                                       Opened *opened)
{
    const uint32_t *here = from->mark, *above = here - flood->stride, *below = here + flood->stride;
    if (above[-1] <= mark && above[1] <= mark && below[-1] <= mark && below[1] <= mark)
        return;
    if (mark > flood->most) {
        flood->flow->beyond.is_cut = true;
        return;
    }
    const unsigned sides = (unsigned)(above[0] != ASTAR_FLOOD_BLOCKED) |
                           (unsigned)(here[1] != ASTAR_FLOOD_BLOCKED) << 1 |
                           (unsigned)(below[0] != ASTAR_FLOOD_BLOCKED) << 2 |
                           (unsigned)(here[-1] != ASTAR_FLOOD_BLOCKED) << 3;
    const unsigned moves = flood->diagonals[sides];
    if ((moves & 1u << 1) != 0)
        flood_to(flood, from, 1, -1, mark, opened, false);
    if ((moves & 1u << 3) != 0)
        flood_to(flood, from, 1, 1, mark, opened, false);
    if ((moves & 1u << 5) != 0)
        flood_to(flood, from, -1, 1, mark, opened, false);
    if ((moves & 1u << 7) != 0)
        flood_to(flood, from, -1, -1, mark, opened, false);
}

// Returns the greatest mark whose distance is within the limit of the flow.
static uint32_t most_mark(const AstarFlow *flow)
{
    double most = (flow->beyond.limit - flow->open.least) / flow->flood.width - 0.5;
    return most < 0 ? 0 : most < UINT32_MAX - 1.0 ? (uint32_t)most : UINT32_MAX - 1;
}

static Flood open_flood(AstarFlow *flow)
{
    const AstarBucketQueue *open = &flow->open;
    return (Flood){.flow = flow,
                   .ground = flow->finder->on.ground,
                   .skips = flow->flood.skips[0],
                   .further = flow->flood.skips[1],
                   .diagonals = flow->flood.diagonals,
                   .ring = open->ring,
                   .mask = open->size - 1,
                   .stride = (ptrdiff_t)flow->finder->grid->width + 1,
                   .most = most_mark(flow),
                   .width = flow->finder->grid->width,
                   .first = flow->flood.first + 1,
                   .last = flow->flood.last - 1};
}

// Expands the current bucket within the budget. All its cells offer the distance of mark 'mark'.
ASTAR_SPECIALIZE void flood_bucket(AstarFlow *flow, bool is_uniform, bool has_diagonals)
{
    Flood flood = open_flood(flow);
    AstarBucketQueue *open = &flow->open;
    const uint32_t mark = (uint32_t)open->current;
    const AstarBucket bucket = flood.ring[(size_t)mark & flood.mask];
    uint32_t *const marks = astar_flood_row(flow, 0);
    size_t position = open->position, end = bucket.count;
    if (end - position > flow->work.left)
        end = position + (size_t)flow->work.left;
    Opened opened = {.bucket = {NULL, 0, 0}};
    for (; position < end; position++) {
        const uint64_t entry = bucket.entries[position];
        const int x = astar_entry_x(entry), y = astar_entry_y(entry);
        if (y < flood.first || y > flood.last) {
            need_rows(flow, y);
            flood.first = flow->flood.first + 1;
            flood.last = flow->flood.last - 1;
        }
        const int64_t cell = (int64_t)y * flood.width + x;
        const FloodCell at = {entry, (uint32_t)cell, marks + cell + y};
        if (has_diagonals && *at.mark + flood.skips[flood.ground[cell]] != mark)
            continue; // the cell was reached by a better step and is expanded already
        flood_to(&flood, &at, 0, -1, mark, &opened, is_uniform);
        flood_to(&flood, &at, 1, 0, mark, &opened, is_uniform);
        flood_to(&flood, &at, 0, 1, mark, &opened, is_uniform);
        flood_to(&flood, &at, -1, 0, mark, &opened, is_uniform);
        if (has_diagonals)
            flood_diagonally(&flood, &at, mark + flood.further[flood.ground[cell]], &opened);
    }
    if (is_uniform && opened.bucket.entries != NULL)
        flood.ring[opened.slot] = opened.bucket;
    open->waiting += opened.count;
    flow->flood.closed += opened.count;
    flow->work.done += position - open->position;
    astar_flow_spend(flow, position - open->position);
    open->position = position;
}

// Skips all entries of the current bucket. Their cells offer distances above the limit of the flow.
// Finds out whether there are cells beyond the limit.
static void pass_over_bucket(AstarFlow *flow)
{
    AstarBucketQueue *open = &flow->open;
    const AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    const ptrdiff_t stride = (ptrdiff_t)flow->finder->grid->width + 1;
    for (; open->position < bucket->count; open->position++) {
        const uint64_t entry = bucket->entries[open->position];
        need_rows(flow, astar_entry_y(entry));
        const uint32_t *mark = astar_flood_row(flow, astar_entry_y(entry)) + astar_entry_x(entry);
        flow->beyond.is_cut |= mark[-stride] == ASTAR_FLOOD_FRESH || mark[1] == ASTAR_FLOOD_FRESH ||
                               mark[stride] == ASTAR_FLOOD_FRESH || mark[-1] == ASTAR_FLOOD_FRESH;
        if (flow->finder->rule->has_diagonals)
            flow->beyond.is_cut |= mark[1 - stride] == ASTAR_FLOOD_FRESH ||
                                   mark[1 + stride] == ASTAR_FLOOD_FRESH ||
                                   mark[stride - 1] == ASTAR_FLOOD_FRESH ||
                                   mark[-1 - stride] == ASTAR_FLOOD_FRESH;
        flow->work.done++;
    }
}

AstarStatus astar_flood_bucket(AstarFlow *flow)
{
    if (flow->open.current > (int64_t)most_mark(flow))
        pass_over_bucket(flow);
    else if (flow->finder->rule->has_diagonals)
        flood_bucket(flow, false, true);
    else if (flow->finder->is_uniform)
        flood_bucket(flow, true, false);
    else
        flood_bucket(flow, false, false);
    if (!flow->lacks_memory)
        return ASTAR_OK;
    flow->begun = flow->lacks_memory = false; // some steps were not relaxed: restart the flow
    return ASTAR_NO_MEMORY;
}
