// flow_pack.c -- flows that keep nothing but steps, once all of them are known.
//
// A flow of whose distances nothing is asked is worked out like any other. Then the step of each
// cell is packed, block by block, and the distances go: with them what repairs after an edit begin
// with, so that it is worked out anew.

#include "flow/flow.h"

#include <string.h>

enum { ALL_AROUND = 255 }; // of astar_bits_around

// What is read of a plain flow to squares without links, where all around has pages: there steps
// can be told without asking what they may be and cost, in a quarter of the time.
typedef struct PlainSteps {
    AstarBits bits;
    double rows[3][ASTAR_STEP_BLOCK + 2]; // distances of the cells above, of them, and below
    const uint8_t *ground;
    const double *costs[2]; // of a straight step and of a diagonal one, by ground
    const uint8_t *legal;
    int32_t offsets[ASTAR_DIRECTIONS];
} PlainSteps;

// Whether any page of the cells from 'first' to 'last' and of those around them is there, or not.
static bool is_any_around(const AstarFlow *flow, uint32_t first, uint32_t last, bool made)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t beside = (uint32_t)grid->width + 1;
    uint32_t from = first > beside ? first - beside : 0;
    uint32_t to = grid->cells - last > beside ? last + beside : grid->cells - 1;
    bool is_any = false;
    for (from /= ASTAR_FLOW_PAGE_CELLS; !is_any && from <= to / ASTAR_FLOW_PAGE_CELLS; from++)
        is_any = (astar_flow_page_at(&flow->pages, from) != NULL) == made;
    return is_any;
}

// Whether nothing is near so many cells from which they could have a step.
static bool is_untouched(const AstarFlow *flow, uint32_t first, uint32_t count)
{
    size_t seed = astar_flow_first_seed(flow, first);
    return flow->source == NULL && !astar_grid_has_links(flow->finder->grid) &&
           flow->finder->grid->shape->wraps == 0 &&
           (seed == flow->seed_count || flow->seeds[seed].cell - first >= count) &&
           !is_any_around(flow, first, first + count - 1, true);
}

// Puts the distances of cells that have pages side by side.
static void gather_distances(const AstarFlow *flow, uint32_t first, uint32_t count, double *to)
{
    for (uint32_t i = 0, some; i < count; i += some) {
        uint32_t place = (first + i) % ASTAR_FLOW_PAGE_CELLS;
        some = ASTAR_FLOW_PAGE_CELLS - place;
        some = some < count - i ? some : count - i;
        if (first + i < flow->finder->grid->cells) // else no step leads there
            memcpy(to + i, astar_flow_page(flow, first + i)->distances + place, some * sizeof *to);
    }
}

// False where cells from 'first' to 'last' are to be looked up.
static bool begin_plain_steps(const AstarFlow *flow, uint32_t first, uint32_t last,
                              PlainSteps *plain)
{
    const AstarFinder *finder = flow->finder;
    if (!flow->plain || flow->forward || flow->source != NULL ||
        astar_grid_has_links(finder->grid) || astar_finder_goes_by_sides(finder) ||
        is_any_around(flow, first, last, false))
        return false;
    plain->bits = finder->walkable->bits;
    plain->ground = finder->ground;
    plain->costs[0] = finder->step[0];
    plain->costs[1] = finder->step[1];
    plain->legal = finder->rule->legal[0];
    uint32_t width = (uint32_t)finder->grid->width, at = first - width - 1;
    for (int i = 0; i < 3; i++, at += width)
        gather_distances(flow, at, last - first + 3, plain->rows[i]);
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        plain->offsets[d] = astar_dy[d] * finder->grid->width + astar_dx[d];
    return true;
}

// Whether a cell has its distance by a step.
ASTAR_SPECIALIZE bool comes_by_step(const PlainSteps *plain, uint32_t cell, uint32_t at,
                                    unsigned moves, int d)
{
    uint32_t next = cell + (uint32_t)plain->offsets[d];
    const double *on = &plain->rows[1 + astar_dy[d]][at + 1];
    return (moves >> d & 1) != 0 &&
           on[astar_dx[d]] + plain->costs[d & 1][plain->ground[next]] == plain->rows[1][at + 1];
}

// The step that astar_flow_pull() finds for a cell that is no seed, diagonal ones first, as it is
// packed; 0: it is to be looked up. Nothing offers less than the cell has, so the first that offers
// as much is it.
ASTAR_SPECIALIZE int plain_step(const PlainSteps *plain, uint32_t cell, uint32_t at, int x, int y,
                                bool is_open)
{
    if (plain->rows[1][at + 1] > 1e300)
        return 0;
    unsigned moves = plain->legal[is_open ? ALL_AROUND : astar_bits_around(&plain->bits, x, y)];
    if (comes_by_step(plain, cell, at, moves, 1))
        return 1 + 1;
    if (comes_by_step(plain, cell, at, moves, 3))
        return 3 + 1;
    if (comes_by_step(plain, cell, at, moves, 5))
        return 5 + 1;
    if (comes_by_step(plain, cell, at, moves, 7))
        return 7 + 1;
    for (int d = 0; d < ASTAR_DIRECTIONS; d += 2)
        if (comes_by_step(plain, cell, at, moves, d))
            return d + 1;
    return 0;
}

// The cells in a row, one a bit, with nothing but free ones around them: from (x, y) on, as far as
// a glance tells.
static uint64_t open_cells(const AstarBits *bits, int x, int y)
{
    const uint64_t *row = astar_bits_row(bits, y) + ((unsigned)x >> 6);
    ptrdiff_t stride = (ptrdiff_t)bits->stride;
    uint64_t free = row[-stride] & row[0] & row[stride]; // the first bit is that of the cell before
    return (free & free >> 1 & free >> 2) >> (x & 63);
}

// The same of cells one after another, all but seeds and those to be looked up.
static void find_plain_steps(const AstarFlow *flow, uint32_t first, uint32_t count, uint8_t *steps)
{
    PlainSteps plain;
    if (!begin_plain_steps(flow, first, first + count - 1, &plain))
        return;
    const int width = flow->finder->grid->width;
    int x, y;
    astar_cell_xy(flow->finder->grid, first, &x, &y);
    for (uint32_t i = 0; i < count;) {
        uint64_t open = open_cells(&plain.bits, x, y);
        int in_word = 64 - (x & 63), in_row = width - x;
        uint32_t end = i + (uint32_t)(in_word < in_row ? in_word : in_row);
        for (end = end < count ? end : count; i < end; i++, x++, open >>= 1)
            steps[i] = (uint8_t)plain_step(&plain, first + i, i, x, y, (open & 1) != 0);
        if (x == width) {
            x = 0;
            y++;
        }
    }
    for (size_t i = astar_flow_first_seed(flow, first);
         i < flow->seed_count && flow->seeds[i].cell - first < count; i++)
        steps[flow->seeds[i].cell - first] = 0;
}

// The step of a cell, as it is packed.
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
    *step = (uint8_t)((best > flow->limit ? ASTAR_FLOW_BEYOND : direction) + 1);
    if (best > flow->limit)
        return ASTAR_OK;
    if (direction != ASTAR_FLOW_LINK)
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
    if (flow->cut && flow->cut_at == UINT32_MAX)
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
        flow->cut_at = UINT32_MAX;
    }
    if (flow->left == 0)
        return ASTAR_RUNNING;
    AstarStatus status = pack_block(flow);
    if (status != ASTAR_OK || !astar_packed_steps_are_whole(&flow->packed))
        return status == ASTAR_OK ? ASTAR_RUNNING : status;
    flow->cut &= flow->cut_at != UINT32_MAX;
    astar_flow_drop_distances(flow);
    return ASTAR_OK;
}
