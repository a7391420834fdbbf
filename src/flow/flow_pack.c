// flow_pack.c -- Pages of distances, and flows that keep only packed steps.
//
// A flow whose distances will not be queried is computed like any other flow. Afterwards the step
// of each cell is packed, block by block, and the distances are freed. Repairs need distances, so
// such a flow is recomputed after an edit.

#include "flow/flow_pack.h"

#include "base/array.h"
#include "flow/flow.h"
#include "flow/flow_life.h"
#include "flow/flow_query.h"

#include <math.h>
#include <string.h>

// Returns true if a page exists for one of the cells 'first' to 'last' or for a neighbour of one.
static bool is_any_around(const AstarFlow *flow, uint32_t first, uint32_t last)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t beside = (uint32_t)grid->width + 1;
    uint32_t from = first > beside ? first - beside : 0;
    uint32_t to = grid->cells - last > beside ? last + beside : grid->cells - 1;
    bool is_any = false;
    for (from /= ASTAR_FLOW_PAGE_CELLS; !is_any && from <= to / ASTAR_FLOW_PAGE_CELLS; from++)
        is_any = astar_flow_page_at(&flow->pages, from) != NULL;
    return is_any;
}

// Returns true if none of 'count' cells can have a step, because no distance, seed or link is near
// them.
static bool is_untouched(const AstarFlow *flow, uint32_t first, uint32_t count)
{
    size_t seed = astar_flow_first_seed(flow, first);
    return flow->fled.source == NULL && !astar_grid_has_links(flow->finder->grid) &&
           flow->finder->grid->shape->wraps == 0 &&
           (seed == flow->sown.count || flow->sown.seeds[seed].cell - first >= count) &&
           !is_any_around(flow, first, first + count - 1);
}

// Returns true if the walkable bits and the terrain alone determine the steps of a flow.
static bool tells_steps(const AstarFlow *flow)
{
    return flow->sweeps && !flow->forward && flow->fled.source == NULL &&
           !astar_grid_has_links(flow->finder->grid) && !astar_finder_goes_by_sides(flow->finder);
}

// Returns the packed step of a cell that is no seed. The step is the same that astar_flow_pull()
// would find. Returns 0 if the step has to be looked up. Diagonal steps come first. No neighbour
// offers less than the cell's distance, so the step leads to the first neighbour that offers
// exactly that distance.
static uint8_t plain_step(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    static const uint8_t order[] = {1, 3, 5, 7, 0, 2, 4, 6};
    const AstarFinder *finder = flow->finder;
    const double distance = astar_flow_at(flow, cell);
    unsigned moves = finder->rule->legal[0][astar_bits_around(&finder->on.walkable->bits, x, y)];
    for (int i = 0; distance < 1e300 && i < ASTAR_DIRECTIONS; i++) {
        int d = order[i];
        uint32_t next = cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]);
        if ((moves >> d & 1) != 0 &&
            astar_flow_at(flow, next) +
                    astar_flow_step_costs(flow)[d & 1][finder->on.ground[next]] <=
                distance)
            return (uint8_t)(d + 1);
    }
    return 0;
}

// Returns the packed step of a cell that is surrounded by free ground of one cost. The cell is at
// index 'at' of the middle one of three rows of distances.
ASTAR_SPECIALIZE uint8_t open_step(double *const rows[3], uint32_t at, double straight,
                                   double diagonal)
{
    const double *above = rows[0] + at, *here = rows[1] + at, *below = rows[2] + at;
    return *here > 1e300                   ? 0
           : above[1] + diagonal <= *here  ? 1 + 1
           : below[1] + diagonal <= *here  ? 3 + 1
           : below[-1] + diagonal <= *here ? 5 + 1
           : above[-1] + diagonal <= *here ? 7 + 1
           : above[0] + straight <= *here  ? 0 + 1
           : here[1] + straight <= *here   ? 2 + 1
           : below[0] + straight <= *here  ? 4 + 1
                                           : 6 + 1;
}

// Returns the cells of a row, from (x, y) on, whose neighbours are all free, one bit each. Only
// cells within one word of bits are found.
static uint64_t open_cells(const AstarBits *bits, int x, int y)
{
    const uint64_t *row = astar_bits_row(bits, y) + ((unsigned)x >> 6);
    ptrdiff_t stride = (ptrdiff_t)bits->stride;
    uint64_t free = row[-stride] & row[0] &
                    row[stride]; // the first bit belongs to the cell before (x, y)
    return (free & free >> 1 & free >> 2) >> (x & 63);
}

// Finds the packed steps of consecutive cells that are surrounded by free ground of one cost.
// Returns the number of these cells, which is 0 if fewer than 16 cells follow each other.
static uint32_t find_open_steps(const AstarFlow *flow, uint32_t first, int x, int y, uint32_t count,
                                uint8_t *steps)
{
    const AstarFinder *finder = flow->finder;
    const uint32_t width = (uint32_t)finder->grid->width;
    double *rows[3];
    uint32_t open = (uint32_t)astar_lowest_bit(~open_cells(&finder->on.walkable->bits, x, y));
    if (!finder->is_uniform || !finder->rule->has_diagonals || open < 16 ||
        !astar_flow_rows(&flow->pages, finder->grid->cells, width, first, rows))
        return 0;
    count = count < open ? count : open;
    for (uint32_t i = 0, at = first - width; i < 3; i++, at += width) {
        uint32_t on_page = ASTAR_FLOW_PAGE_CELLS - 1 - at % ASTAR_FLOW_PAGE_CELLS;
        count = count < on_page ? count : on_page;
    }
    const double straight = astar_flow_step_costs(flow)[0][finder->on.ground[first]];
    const double diagonal = astar_flow_step_costs(flow)[1][finder->on.ground[first]];
    for (uint32_t i = 0; i < count; i++)
        steps[i] = open_step(rows, i, straight, diagonal);
    return count;
}

// Data of the steps of consecutive cells of a row.
typedef struct RowSteps {
    const AstarFinder *finder;
    double *rows[3];          // distances of the first cell's row and of the rows beside it
    const uint8_t *ground[3]; // terrain of the same cells
    double *const *steps;     // costs of straight and of diagonal steps, by terrain
    double uniform[2];        // costs of straight and of diagonal steps, on ground of one cost
} RowSteps;

// Returns the bit of a direction if a step from a cell in that direction leads to a distance of at
// most 'distance', else 0. The cell is at index 'at' of its row.
ASTAR_SPECIALIZE unsigned if_leads(const RowSteps *row, uint32_t at, double distance, int d, int dx,
                                   int dy, bool is_uniform)
{
    double step = is_uniform ? row->uniform[d & 1]
                             : row->steps[d & 1][(row->ground[1 + dy] + at)[dx]];
    return (unsigned)((row->rows[1 + dy] + at)[dx] + step <= distance) << d;
}

// Returns the directions of those steps of a cell that lead to a lower distance, whether or not the
// steps are legal. The function has no branches, because a processor cannot predict which steps
// lead on.
ASTAR_SPECIALIZE unsigned leading_steps(const RowSteps *row, uint32_t at, bool is_uniform,
                                        bool has_diagonals)
{
    const double distance = row->rows[1][at];
    unsigned leading = if_leads(row, at, distance, 0, 0, -1, is_uniform) |
                       if_leads(row, at, distance, 2, 1, 0, is_uniform) |
                       if_leads(row, at, distance, 4, 0, 1, is_uniform) |
                       if_leads(row, at, distance, 6, -1, 0, is_uniform);
    if (has_diagonals)
        leading |= if_leads(row, at, distance, 1, 1, -1, is_uniform) |
                   if_leads(row, at, distance, 3, 1, 1, is_uniform) |
                   if_leads(row, at, distance, 5, -1, 1, is_uniform) |
                   if_leads(row, at, distance, 7, -1, -1, is_uniform);
    return leading;
}

// Returns the steps among 'leading' that the corner rule allows, or only the diagonal ones if there
// are any, because diagonal steps come first. The walkable bits of three rows are passed as words
// whose bit number 'at' belongs to the cell before the cell.
ASTAR_SPECIALIZE unsigned allowed_steps(const RowSteps *row, const uint64_t free[3], uint32_t at,
                                        unsigned leading)
{
    const unsigned diagonal = 0xAA;
    unsigned nine = (unsigned)((free[0] >> at & 7) | (free[1] >> at & 7) << 3 |
                               (free[2] >> at & 7) << 6);
    unsigned moves = leading & row->finder->rule->legal[0][astar_bits_ring(nine)];
    return (moves & diagonal) != 0 ? moves & diagonal : moves;
}

// Stores the packed steps of cells of a row. Without diagonal steps no corner rule is needed: a
// neighbour that cannot be entered has no distance, so no step leads to it.
ASTAR_SPECIALIZE void step_along(const RowSteps *row, const uint64_t free[3], uint32_t count,
                                 uint8_t *steps, bool is_uniform, bool has_diagonals)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned moves = leading_steps(row, i, is_uniform, has_diagonals);
        if (has_diagonals)
            moves = allowed_steps(row, free, i, moves);
        bool has_step = moves != 0 && row->rows[1][i] < 1e300;
        steps[i] = has_step ? (uint8_t)(1 + astar_lowest_bit(moves)) : 0;
    }
}

static RowSteps prepare_rows(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    RowSteps row = {.finder = finder, .steps = astar_flow_step_costs(flow)};
    for (int i = 0; i < finder->grid->terrains.count; i++)
        if (finder->grid->terrains.present[i] > 0 && isfinite(finder->costs.cell[i]))
            for (int d = 0; d < 2; d++)
                row.uniform[d] = row.steps[d][i];
    return row;
}

// Finds the packed steps of consecutive cells, with the results of plain_step(). Returns the number
// of these cells. The number is 0 if the first cell or one of its neighbours lies at the edge of a
// word, of a page or of the map.
static uint32_t find_steps_along(const AstarFlow *flow, RowSteps row, uint32_t first, int x, int y,
                                 uint32_t count, uint8_t *steps)
{
    const AstarFinder *finder = flow->finder;
    const AstarBits *bits = &finder->on.walkable->bits;
    const uint32_t width = (uint32_t)finder->grid->width;
    const unsigned shift = (unsigned)x & 63;
    // The first cell of a row follows the last cell of the row above in memory. step_along() would
    // treat these two cells as neighbours, so cells of the first and last column are left out.
    if (x == 0 || shift > 61 ||
        !astar_flow_rows(&flow->pages, finder->grid->cells, width, first, row.rows))
        return 0;
    const uint64_t *here = astar_bits_row(bits, y) + ((unsigned)x >> 6);
    const uint64_t free[3] = {*(here - bits->stride) >> shift, *here >> shift,
                              *(here + bits->stride) >> shift};
    count = count < 62 - shift ? count : 62 - shift;
    count = count < width - 1 - (uint32_t)x ? count : width - 1 - (uint32_t)x;
    // The last cell of the map has no cell after it, whose terrain if_leads() would read.
    uint32_t before_end = finder->grid->cells - 1 - (first + width);
    count = count < before_end ? count : before_end;
    for (uint32_t i = 0, at = first - width; i < 3; i++, at += width) {
        uint32_t on_page = ASTAR_FLOW_PAGE_CELLS - 1 - at % ASTAR_FLOW_PAGE_CELLS;
        count = count < on_page ? count : on_page;
        row.ground[i] = finder->on.ground + at;
    }
    const bool has_diagonals = finder->rule->has_diagonals;
    if (finder->is_uniform && has_diagonals)
        step_along(&row, free, count, steps, true, true);
    else if (finder->is_uniform)
        step_along(&row, free, count, steps, true, false);
    else if (has_diagonals)
        step_along(&row, free, count, steps, false, true);
    else
        step_along(&row, free, count, steps, false, false);
    return count;
}

// Finds the packed steps of 'count' cells, except steps of seeds and steps that have to be looked
// up.
static void find_plain_steps(const AstarFlow *flow, uint32_t first, uint32_t count, uint8_t *steps)
{
    const RowSteps row = prepare_rows(flow);
    for (uint32_t i = 0, found; i < count && tells_steps(flow); i += found) {
        int x, y;
        astar_cell_xy(flow->finder->grid, first + i, &x, &y);
        found = find_open_steps(flow, first + i, x, y, count - i, steps + i);
        if (found == 0)
            found = find_steps_along(flow, row, first + i, x, y, count - i, steps + i);
        if (found == 0)
            steps[i + found++] = plain_step(flow, first + i, x, y);
    }
    for (size_t i = astar_flow_first_seed(flow, first);
         i < flow->sown.count && flow->sown.seeds[i].cell - first < count; i++)
        steps[flow->sown.seeds[i].cell - first] = 0;
}

// Looks up the next step of a cell and stores it in packed form.
static AstarStatus find_step(AstarFlow *flow, uint32_t cell, int x, int y, uint8_t *step)
{
    int direction;
    double best;
    *step = 0;
    if (!astar_flow_bears(flow, cell))
        return ASTAR_OK;
    AstarStatus status = astar_flow_look_up(flow, cell, x, y, &best, &direction);
    if (status != ASTAR_OK || best > 1e300)
        return status;
    *step = (uint8_t)((best > flow->beyond.limit ? ASTAR_FLOW_BEYOND : direction) + 1);
    if (best > flow->beyond.limit || direction != ASTAR_FLOW_LINK)
        return ASTAR_OK;
    AstarFlowOffer offer = {.distance = INFINITY};
    status = astar_flow_best_link(flow, cell, &offer);
    return status == ASTAR_OK ? astar_packed_steps_link(&flow->packed, astar_flow_allocator(flow),
                                                        cell, &offer.arc)
                              : status;
}

static AstarStatus pack_block(AstarFlow *flow)
{
    uint8_t steps[ASTAR_STEP_BLOCK] = {0};
    uint32_t first = (uint32_t)flow->packed.count * ASTAR_STEP_BLOCK;
    uint32_t count = flow->finder->grid->cells - first;
    count = count < ASTAR_STEP_BLOCK ? count : ASTAR_STEP_BLOCK;
    AstarStatus status = ASTAR_OK;
    if (flow->beyond.is_cut && flow->beyond.at == UINT32_MAX)
        status = astar_flow_find_cut(flow, first, count);
    find_plain_steps(flow, first, count, steps);
    uint8_t *step = steps;
    if (status == ASTAR_OK && is_untouched(flow, first, count))
        step += count;
    while (status == ASTAR_OK && (step = memchr(step, 0, (size_t)(steps + count - step))) != NULL) {
        int x, y;
        uint32_t cell = first + (uint32_t)(step - steps);
        astar_cell_xy(flow->finder->grid, cell, &x, &y);
        status = find_step(flow, cell, x, y, step++);
    }
    if (status != ASTAR_OK)
        return status;
    status = astar_packed_steps_add(&flow->packed, astar_flow_allocator(flow), steps);
    flow->turn++;
    astar_flow_spend(flow, count);
    return status;
}

AstarStatus astar_flow_pack(AstarFlow *flow)
{
    if (astar_packed_steps_are_whole(&flow->packed))
        return ASTAR_OK;
    if (flow->packed.blocks == NULL) {
        AstarStatus status = astar_packed_steps_begin(&flow->packed, astar_flow_allocator(flow),
                                                      flow->finder->grid->cells);
        if (status != ASTAR_OK)
            return status;
        flow->beyond.at = UINT32_MAX;
    }
    if (flow->work.left == 0)
        return ASTAR_RUNNING;
    AstarStatus status = astar_flood_write_pages(flow);
    if (status == ASTAR_OK)
        status = pack_block(flow);
    if (status != ASTAR_OK || !astar_packed_steps_are_whole(&flow->packed))
        return status == ASTAR_OK ? ASTAR_RUNNING : status;
    flow->beyond.is_cut &= flow->beyond.at != UINT32_MAX;
    astar_flow_drop_distances(flow);
    return ASTAR_OK;
}

// Packed steps: half a byte for each cell that has a step.
//
// A block of packed steps has one bit per cell, which is set if the cell has a step. The steps of
// the cells whose bits are set follow, two steps per byte. The index of a cell's step is the number
// of set bits before the cell's own bit. The numbers of set bits before each quarter of the block
// are stored; the bits in the cell's quarter are counted. A block without steps, such as one of
// solid rock, takes no memory.

enum { WORDS = ASTAR_STEP_BLOCK / 64, QUARTER = WORDS / 4 };

// A block of packed steps of ASTAR_STEP_BLOCK cells.
typedef struct AstarStepBlock {
    uint64_t has[WORDS];
    uint16_t upto[4]; // number of steps from the beginning of the block to the end of each quarter
    uint8_t steps[];  // steps, two per byte; the first one is in the lower half
} StepBlock;

static unsigned count_bits(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(word * UINT64_C(0x0101010101010101) >> 56);
}

// Returns the index, in a block, of the step of a cell.
static unsigned rank_in_block(const StepBlock *block, unsigned cell)
{
    unsigned word = cell / 64, rank = word < QUARTER ? 0 : block->upto[word / QUARTER - 1];
    for (unsigned i = word - word % QUARTER; i < word; i++)
        rank += count_bits(block->has[i]);
    return rank + count_bits(block->has[word] & ((UINT64_C(1) << cell % 64) - 1));
}

static size_t block_bytes(size_t steps)
{
    return sizeof(StepBlock) + (steps + 1) / 2;
}

// Returns true if all of 64 cells have a step.
static bool have_all_steps(const uint8_t *steps)
{
    uint64_t eight, has = UINT64_MAX;
    for (size_t i = 0; i < 64; i += 8) {
        memcpy(&eight, steps + i, sizeof eight);
        has &= eight + UINT64_C(0x7F7F7F7F7F7F7F7F); // steps are small, so no byte overflows
    }
    return (has & UINT64_C(0x8080808080808080)) == UINT64_C(0x8080808080808080);
}

// Appends the steps of 64 cells to a block that has 'count' steps. Returns the new count. If all
// cells have a step, the steps are packed in pairs.
static size_t note_word(StepBlock *block, size_t word, const uint8_t *steps, size_t count)
{
    if (count % 2 == 0 && have_all_steps(steps)) {
        block->has[word] = UINT64_MAX;
        for (size_t i = 0; i < 32; i++)
            block->steps[count / 2 + i] = (uint8_t)((steps[2 * i] - 1) | (steps[2 * i + 1] - 1)
                                                                             << 4);
        return count + 64;
    }
    for (size_t i = 0; i < 64; i++) {
        if (steps[i] == 0)
            continue;
        block->has[word] |= UINT64_C(1) << i;
        block->steps[count / 2] |= (uint8_t)((steps[i] - 1) << count % 2 * 4);
        count++;
    }
    return count;
}

static void note_steps(StepBlock *block, const uint8_t *steps)
{
    size_t count = 0;
    for (size_t word = 0; word < WORDS; word++) {
        count = note_word(block, word, steps + 64 * word, count);
        block->upto[word / QUARTER] = (uint16_t)count;
    }
}

AstarStatus astar_packed_steps_begin(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                     uint32_t cells)
{
    size_t total = ((size_t)cells + ASTAR_STEP_BLOCK - 1) / ASTAR_STEP_BLOCK;
    struct AstarStepBlock **blocks = astar_alloc(allocator, total, sizeof(StepBlock *));
    if (blocks == NULL)
        return ASTAR_NO_MEMORY;
    *packed = (AstarPackedSteps){.blocks = blocks, .total = total};
    return ASTAR_OK;
}

AstarStatus astar_packed_steps_add(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                   const uint8_t steps[ASTAR_STEP_BLOCK])
{
    size_t count = 0;
    for (size_t i = 0; i < ASTAR_STEP_BLOCK; i++)
        count += steps[i] != 0;
    if (count == 0) {
        packed->count++;
        return ASTAR_OK;
    }
    StepBlock *block = astar_alloc(allocator, 1, block_bytes(count));
    if (block == NULL)
        return ASTAR_NO_MEMORY;
    note_steps(block, steps);
    packed->bytes += block_bytes(count);
    packed->blocks[packed->count++] = block;
    return ASTAR_OK;
}

AstarStatus astar_packed_steps_link(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                    uint32_t cell, const AstarArc *arc)
{
    if (packed->link_count > 0 && packed->links[packed->link_count - 1].cell >= cell)
        // The block of the cell is packed again after an interruption, and its links are listed
        // already.
        return ASTAR_OK;
    if (!ASTAR_RESERVE(allocator, packed->links, packed->link_count, 1, &packed->link_capacity, 4))
        return ASTAR_NO_MEMORY;
    packed->links[packed->link_count++] = (AstarPackedLink){cell, *arc};
    return ASTAR_OK;
}

void astar_packed_steps_free(AstarPackedSteps *packed, const AstarAllocator *allocator)
{
    for (size_t i = 0; i < packed->count; i++) {
        StepBlock *block = packed->blocks[i];
        if (block != NULL)
            astar_release(allocator, block, 1, block_bytes(block->upto[3]));
    }
    astar_release(allocator, packed->blocks, packed->total, sizeof *packed->blocks);
    astar_release(allocator, packed->links, packed->link_capacity, sizeof *packed->links);
    *packed = (AstarPackedSteps){0};
}

size_t astar_packed_steps_bytes(const AstarPackedSteps *packed)
{
    return packed->bytes + packed->total * sizeof *packed->blocks +
           packed->link_capacity * sizeof *packed->links;
}

int astar_packed_step(const AstarPackedSteps *packed, uint32_t cell)
{
    const StepBlock *block = packed->blocks[cell / ASTAR_STEP_BLOCK];
    unsigned at = cell % ASTAR_STEP_BLOCK;
    if (block == NULL || (block->has[at / 64] >> at % 64 & 1) == 0)
        return -1;
    unsigned rank = rank_in_block(block, at);
    return block->steps[rank / 2] >> rank % 2 * 4 & 15;
}

const AstarArc *astar_packed_link(const AstarPackedSteps *packed, uint32_t cell)
{
    const AstarPackedLink *links = packed->links;
    return &links[astar_count_below(links, packed->link_count, sizeof *links, cell)].arc;
}

// The following functions manage the memory of pages and sheets.

// A shared, read-only sheet in place of all sheets without pages.
static AstarFlowSheet blank_sheet;

bool astar_flow_pages_begin(AstarFlowPages *pages, const AstarAllocator *allocator, uint32_t cells)
{
    const size_t a_sheet = (size_t)ASTAR_FLOW_PAGE_CELLS * ASTAR_FLOW_SHEET_PAGES;
    bool is_new = pages->sheets == NULL;
    size_t count = (cells + a_sheet - 1) / a_sheet;
    if (is_new)
        pages->sheets = astar_alloc(allocator, count, sizeof *pages->sheets);
    if (pages->sheets == NULL)
        return false;
    pages->count = count;
    for (size_t i = 0; i < count; i++) {
        if (is_new)
            pages->sheets[i] = &blank_sheet;
        else if (pages->sheets[i] != &blank_sheet)
            memset(pages->sheets[i], 0, sizeof *pages->sheets[i]);
    }
    pages->first = UINT32_MAX;
    pages->last = 0;
    astar_pool_forget(&pages->pool);
    return true;
}

void astar_flow_pages_free(AstarFlowPages *pages, const AstarAllocator *allocator)
{
    for (size_t i = 0; i < pages->count; i++)
        if (pages->sheets[i] != &blank_sheet)
            astar_release(allocator, pages->sheets[i], 1, sizeof *pages->sheets[i]);
    astar_release(allocator, pages->sheets, pages->count, sizeof *pages->sheets);
    astar_pool_shrink(&pages->pool, allocator, sizeof(AstarFlowPage), 0);
    *pages = (AstarFlowPages){0};
}

size_t astar_flow_pages_bytes(const AstarFlowPages *pages)
{
    return pages->count * sizeof *pages->sheets + pages->added * sizeof **pages->sheets +
           astar_pool_bytes(&pages->pool, sizeof(AstarFlowPage));
}

AstarFlowPage *astar_flow_pages_add(AstarFlowPages *pages, const AstarAllocator *allocator,
                                    uint32_t cell)
{
    uint32_t index = cell / ASTAR_FLOW_PAGE_CELLS;
    AstarFlowSheet **sheet = &pages->sheets[index / ASTAR_FLOW_SHEET_PAGES];
    if (*sheet == &blank_sheet) {
        AstarFlowSheet *added = astar_alloc(allocator, 1, sizeof *added);
        if (added == NULL)
            return NULL;
        *sheet = added;
        pages->added++;
    }
    AstarFlowPage *page = astar_pool_take(&pages->pool, allocator, sizeof *page);
    if (page == NULL)
        return NULL;
    memset(page->nexts, 0, sizeof page->nexts);
    for (int i = 0; i < ASTAR_FLOW_PAGE_CELLS; i++)
        page->distances[i] = INFINITY;
    pages->first = index < pages->first ? index : pages->first;
    pages->last = index > pages->last ? index : pages->last;
    return (*sheet)->pages[index % ASTAR_FLOW_SHEET_PAGES] = page;
}
