// flow_flood.c -- The flood: breadth-first search and Dial's algorithm for flows without diagonal
// steps.
//
// In a flow towards goals, a cell offers all its neighbours the same distance: the distance of the
// cell plus the cost of entering the cell. Cells are expanded in the order of the distances that
// they offer, not of their own distances. The first step that reaches a cell therefore offers its
// final distance, and no cell is opened twice. If all costs are multiples of one number, and
// buckets (R. Dial, 1969) are as wide as that number, all cells of a bucket offer the same
// distance. The number of the bucket then replaces all computations and comparisons of distances.
// On ground of one cost this is breadth-first search.
//
// A cell that has its distance is never changed again. Therefore the only data that the search
// reads of a neighbour is a state of one byte. The array of states has a border, so that no step
// needs a check of the map's edges.
//
// An edit ends the flood. flow_repair.c then repairs the distances, and flow_sweep.c, which can
// continue with the buckets of the flood, computes the remaining distances. Flows with diagonal
// steps, links, steps over the edge of the map, costs without a common divisor, or goals of
// different extra costs are computed by flow_sweep.c from the beginning.
//
// Two alternatives were tried and rejected:
// - A set of cells with one bit each in place of the states. Reading the neighbours of a cell from
//   three rows of bits takes shifts, masks and a branch at the ends of words. Expanding the 64
//   cells of a word together would not compensate for this: without diagonal steps the front of the
//   flood runs diagonally, so that a word contains about one cell of the front.
// - Floods with diagonal steps. A cell then offers two distances and is entered in two buckets. The
//   distances that the cells of a bucket offer differ, so that cells must be closed in a second
//   pass. Such a flood took 0.75 to 1.1 times as long as flow_sweep.c on maps with random costs,
//   but 1.3 to 5 times as long on other maps. A second attempt read the unclosed neighbours of a
//   cell as nine bits from three rows. With a diagonal cost of 1.4 it had 0.73 to 0.86 of the speed
//   of bench/plain/flows.c, in the mean of 16 maps; flow_sweep.c has 1.03. If a cell was closed
//   only when its own entry came up, in place of the second pass, the speed was 0.64 to 0.70. With
//   sums that are exact, so that no second pass is needed, the speed was 0.91 to 0.96.

#include "flow/flow_flood.h"

#include "flow/flow.h"
#include "flow/flow_query.h"
#include "flow/flow_sweep.h"

#include <math.h>
#include <string.h>

// The state of a cell.
enum {
    CLOSED, // the cell is blocked or has its distance
    FRESH   // the cell is walkable and has no distance yet
};

// A copy of the data that the loop of the flood reads. Because it is a copy, the compiler knows
// that stores do not change it.
typedef struct Flood {
    AstarFlow *flow;
    uint8_t *states; // state of the first cell
    const uint8_t *ground;
    AstarFlowSheet *const *sheets;
    AstarBucket *ring;
    size_t mask;
    int64_t current;
    double distance;        // distance that the cells of the current bucket offer
    int width, first, last; // states exist in the rows from first - 1 to last + 1
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

// Computes for each terrain how many buckets a step skips. Returns false if a step skips too many
// buckets, or if its cost is not a multiple of the buckets' width.
static bool count_skips(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    AstarFlood *flood = &flow->flood;
    for (int i = 0; i < finder->grid->terrains.count; i++) {
        double step = finder->costs.step[0][i];
        if (finder->grid->terrains.present[i] == 0 || !isfinite(step))
            continue;
        if (step > UINT8_MAX * flood->width || fmod(step, flood->width) != 0)
            return false;
        flood->skips[i] = (uint8_t)(step / flood->width + 0.5);
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
    const double value = astar_finder_round(finder, flow->sown.seeds[0].value);
    for (size_t i = 1; i < flow->sown.count; i++)
        if (flow->sown.seeds[i].value != flow->sown.seeds[0].value)
            return false;
    double most = fabs(value) + astar_flow_costliest_step(finder) * (double)finder->grid->cells;
    double bit = lowest_bit_of(flow->flood.width);
    return fmod(value, bit) == 0 && most < bit * 0x1p51;
}

bool astar_flood_fits(AstarFlow *flow, double *width)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    bool is_plain = flow->sweeps && !flow->forward && flow->fled.source == NULL &&
                    !finder->rule->has_diagonals && !astar_finder_goes_by_sides(finder) &&
                    !astar_grid_has_links(grid) && grid->shape->wraps == 0;
    if (!is_plain || finder->costs.divisor == 0)
        return false;
    // Whole costs are multiples of 1/32 of the unit, see astar_whole_cost.
    flow->flood.width = (double)finder->costs.divisor * astar_finder_exact_unit(finder) / 32;
    *width = flow->flood.width;
    return count_skips(flow) && has_exact_sums(flow);
}

// The following functions maintain the states of cells. Between two rows of states lies one border
// state, which is both the eastern border of one row and the western border of the next row.

// Returns the state of the first cell of a row. Row -1 is the border above the map.
static uint8_t *row_of_states(const AstarFlow *flow, int y)
{
    size_t stride = (size_t)flow->finder->grid->width + 1;
    return flow->flood.states + (size_t)(y + 1) * stride + 1;
}

static void write_row(const AstarFlow *flow, int y)
{
    // The states of four cells, indexed by their four walkable bits.
    static const uint8_t of_four[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0},
                                           {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
                                           {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
                                           {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    const AstarBits *walkable = &flow->finder->on.walkable->bits;
    const uint64_t *bits = astar_bits_row(walkable, y);
    const int width = flow->finder->grid->width;
    uint8_t *states = row_of_states(flow, y);
    int x = 0;
    states[-1] = states[width] = CLOSED;
    for (; x < width - 64; x += 64) {
        uint64_t word = bits[x >> 6] >> 1 | bits[(x >> 6) + 1] << 63;
        for (int i = 0; i < 64; i += 4, word >>= 4)
            memcpy(states + x + i, of_four[word & 15], sizeof of_four[0]);
    }
    for (; x < width; x++)
        states[x] = astar_bits_get(walkable, x, y);
}

// Writes the states of the rows around row y, if they are missing: 16 rows in each direction,
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
    flood->states = astar_alloc_unwritten(&grid->allocator, flood->count, sizeof *flood->states);
    flood->first = 0;
    flood->last = -1;
    flow->looks_ahead = flood->has_run = true;
    return flood->states != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

void astar_flood_end(AstarFlow *flow)
{
    AstarFlood *flood = &flow->flood;
    astar_release_unwritten(astar_flow_allocator(flow), flood->states, flood->count,
                            sizeof *flood->states);
    flood->states = NULL;
}

size_t astar_flood_bytes(const AstarFlow *flow)
{
    return flow->flood.states != NULL ? flow->flood.count * sizeof *flow->flood.states : 0;
}

AstarStatus astar_flood_plant(AstarFlow *flow, uint32_t cell, int x, int y, double value)
{
    need_rows(flow, y);
    AstarStatus status = astar_flow_lower(flow, cell, x, y, value, 0);
    if (status == ASTAR_OK)
        row_of_states(flow, y)[x] = CLOSED;
    return status;
}

// The following functions are the loop of the flood.

// A cell: its entry in the open list, its number, and a pointer to its state.
typedef struct FloodCell {
    uint64_t entry;
    uint32_t cell;
    uint8_t *state;
} FloodCell;

// Opens a cell in a bucket that is full.
ASTAR_ONCE void open_slowly(const Flood *flood, size_t slot, uint64_t entry)
{
    if (flood->ring[slot].capacity == 0)
        astar_bucket_hold(&flood->flow->open, slot);
    if (astar_bucket_push(&flood->ring[slot], astar_flow_allocator(flood->flow), entry) != ASTAR_OK)
        flood->flow->lacks_memory = true;
}

ASTAR_SPECIALIZE void open_flooded(const Flood *flood, const FloodCell *at, Opened *opened,
                                   bool is_uniform)
{
    opened->count++;
    if (is_uniform && opened->bucket.count < opened->bucket.capacity) {
        opened->bucket.entries[opened->bucket.count++] = at->entry;
        return;
    }
    uint8_t skipped = flood->flow->flood.skips[flood->ground[at->cell]];
    size_t slot = (size_t)(flood->current + skipped) & flood->mask;
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

// Sets the distance of a neighbour of a cell if the neighbour is FRESH, and opens the neighbour.
ASTAR_SPECIALIZE void flood_to(const Flood *flood, const FloodCell *from, int dx, int dy,
                               Opened *opened, bool is_uniform)
{
    const int64_t offset = (int64_t)dy * flood->width + dx;
    const FloodCell at = {from->entry + (uint64_t)dx + ((uint64_t)dy << 24),
                          from->cell + (uint32_t)offset, from->state + offset + dy};
    if (*at.state == CLOSED)
        return;
    uint32_t index = at.cell / ASTAR_FLOW_PAGE_CELLS;
    AstarFlowPage *page =
        flood->sheets[index / ASTAR_FLOW_SHEET_PAGES]->pages[index % ASTAR_FLOW_SHEET_PAGES];
    if (page == NULL && (page = astar_flow_page_for(flood->flow, at.cell)) == NULL) {
        flood->flow->lacks_memory = true;
        return;
    }
    page->distances[at.cell % ASTAR_FLOW_PAGE_CELLS] = flood->distance;
    *at.state = CLOSED;
    open_flooded(flood, &at, opened, is_uniform);
}

static Flood open_flood(AstarFlow *flow)
{
    const AstarBucketQueue *open = &flow->open;
    return (Flood){.flow = flow,
                   .states = row_of_states(flow, 0),
                   .ground = flow->finder->on.ground,
                   .sheets = flow->pages.sheets,
                   .ring = open->ring,
                   .mask = open->size - 1,
                   .current = open->current,
                   // The distances of a flood lie in the middle of the buckets' intervals.
                   .distance = open->least + ((double)open->current + 0.5) * flow->flood.width,
                   .width = flow->finder->grid->width,
                   .first = flow->flood.first + 1,
                   .last = flow->flood.last - 1};
}

// Expands the current bucket within the budget.
ASTAR_SPECIALIZE void flood_bucket(AstarFlow *flow, bool is_uniform)
{
    Flood flood = open_flood(flow);
    AstarBucketQueue *open = &flow->open;
    const AstarBucket bucket = flood.ring[(size_t)flood.current & flood.mask];
    size_t position = open->position, end = bucket.count;
    if (end - position > flow->work.left)
        end = position + (size_t)flow->work.left;
    Opened opened = {.bucket = {NULL, 0, 0}};
    for (; position < end; position++) {
        const uint64_t entry = bucket.entries[position] & ASTAR_ENTRY_CELL;
        const int x = astar_entry_x(entry), y = astar_entry_y(entry);
        if (y < flood.first || y > flood.last) {
            need_rows(flow, y);
            flood.first = flow->flood.first + 1;
            flood.last = flow->flood.last - 1;
        }
        const int64_t cell = (int64_t)y * flood.width + x;
        const FloodCell at = {entry, (uint32_t)cell, flood.states + cell + y};
        flood_to(&flood, &at, 0, -1, &opened, is_uniform);
        flood_to(&flood, &at, 1, 0, &opened, is_uniform);
        flood_to(&flood, &at, 0, 1, &opened, is_uniform);
        flood_to(&flood, &at, -1, 0, &opened, is_uniform);
    }
    if (is_uniform && opened.bucket.entries != NULL)
        flood.ring[opened.slot] = opened.bucket;
    open->waiting += opened.count;
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
        const uint8_t *state = row_of_states(flow, astar_entry_y(entry)) + astar_entry_x(entry);
        flow->beyond.is_cut |= (state[-stride] | state[1] | state[stride] | state[-1]) != CLOSED;
        flow->work.done++;
    }
}

AstarStatus astar_flood_bucket(AstarFlow *flow)
{
    if (open_flood(flow).distance > flow->beyond.limit)
        pass_over_bucket(flow);
    else if (flow->finder->is_uniform)
        flood_bucket(flow, true);
    else
        flood_bucket(flow, false);
    if (!flow->lacks_memory)
        return ASTAR_OK;
    flow->begun = flow->lacks_memory = false; // some steps were not relaxed: restart the flow
    return ASTAR_NO_MEMORY;
}
