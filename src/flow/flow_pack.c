// flow_pack.c -- flows that keep nothing but steps, once all of them are known.
//
// A flow of whose distances nothing is asked is worked out like any other. Then the step of each
// cell is packed, block by block, and the distances go: with them what repairs after an edit begin
// with, so that it is worked out anew.

#include "flow/flow.h"

// What is read of a plain flow to squares without links, of cells all about whom is made: there
// steps can be told without asking what they may be and cost, in a quarter of the time.
typedef struct PlainSteps {
    const AstarFlow *flow;
    const double *distances;
    const uint8_t *ground;
    const double *costs[2]; // of a straight step and of a diagonal one, by ground
    const uint8_t *legal;
    int32_t offsets[ASTAR_DIRECTIONS];
} PlainSteps;

static bool has_made_around(const AstarFlow *flow, uint32_t first, uint32_t last)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t beside = (uint32_t)grid->width + 1;
    uint32_t from = first > beside ? first - beside : 0;
    uint32_t to = last < grid->cells - beside ? last + beside : grid->cells - 1;
    for (uint32_t i = from >> ASTAR_FLOW_BLOCK_SHIFT; i <= to >> ASTAR_FLOW_BLOCK_SHIFT; i++)
        if (flow->made[i] == 0)
            return false;
    return true;
}

// False where cells from 'first' to 'last' are to be looked up.
static bool begin_plain_steps(const AstarFlow *flow, uint32_t first, uint32_t last,
                              PlainSteps *plain)
{
    const AstarFinder *finder = flow->finder;
    if (!flow->plain || flow->forward || flow->source != NULL ||
        astar_grid_has_links(finder->grid) || astar_finder_is_on_hexagons(finder) ||
        !has_made_around(flow, first, last))
        return false;
    *plain = (PlainSteps){.flow = flow,
                          .distances = flow->distances,
                          .ground = finder->ground,
                          .costs = {finder->step[0], finder->step[1]},
                          .legal = finder->rule->legal[0]};
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        plain->offsets[d] = astar_dy[d] * finder->grid->width + astar_dx[d];
    return true;
}

typedef struct BestStep {
    double here, way;
    int direction;
} BestStep;

ASTAR_SPECIALIZE void try_step(const PlainSteps *plain, uint32_t cell, unsigned moves, int d,
                               BestStep *best)
{
    if ((moves >> d & 1) == 0)
        return;
    uint32_t next = cell + (uint32_t)plain->offsets[d];
    double on = plain->distances[next], way = on + plain->costs[d & 1][plain->ground[next]];
    bool is_better = (way < best->way) & (on < best->here);
    best->way = is_better ? way : best->way;
    best->direction = is_better ? d : best->direction;
}

// The step of a cell as astar_flow_pull() has it, diagonal ones first.
static uint8_t plain_step(const PlainSteps *plain, uint32_t cell, int x, int y)
{
    const AstarFlow *flow = plain->flow;
    BestStep best = {plain->distances[cell], astar_flow_seed(flow, cell), ASTAR_FLOW_STAY};
    unsigned moves = plain->legal[astar_bits_around(&flow->finder->walkable->bits, x, y)];
    try_step(plain, cell, moves, 1, &best);
    try_step(plain, cell, moves, 3, &best);
    try_step(plain, cell, moves, 5, &best);
    try_step(plain, cell, moves, 7, &best);
    try_step(plain, cell, moves, 0, &best);
    try_step(plain, cell, moves, 2, &best);
    try_step(plain, cell, moves, 4, &best);
    try_step(plain, cell, moves, 6, &best);
    return best.way <= 1e300 && best.way <= flow->limit ? (uint8_t)(best.direction + 1) : 0;
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
    if (status != ASTAR_OK || best > 1e300 || best > flow->limit)
        return status;
    *step = (uint8_t)(direction + 1);
    if (direction != ASTAR_FLOW_LINK)
        return ASTAR_OK;
    AstarFlowOffer offer = {.distance = INFINITY};
    status = astar_flow_best_link(flow, cell, &offer);
    return status == ASTAR_OK
               ? astar_packed_steps_link(&flow->packed, astar_flow_allocator(flow), cell,
                                         &offer.arc)
               : status;
}

static AstarStatus pack_block(AstarFlow *flow)
{
    uint8_t steps[ASTAR_STEP_BLOCK] = {0};
    AstarStatus status = ASTAR_OK;
    uint32_t first = (uint32_t)flow->packed.count * ASTAR_STEP_BLOCK;
    uint32_t count = flow->finder->grid->cells - first;
    count = count < ASTAR_STEP_BLOCK ? count : ASTAR_STEP_BLOCK;
    PlainSteps plain = {0};
    bool is_plain = begin_plain_steps(flow, first, first + count - 1, &plain);
    for (uint32_t i = 0; status == ASTAR_OK && i < count; i++) {
        int x, y;
        astar_cell_xy(flow->finder->grid, first + i, &x, &y);
        if (is_plain && plain.distances[first + i] < 1e300)
            steps[i] = plain_step(&plain, first + i, x, y);
        else
            status = find_step(flow, first + i, x, y, &steps[i]);
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
    }
    if (flow->left == 0)
        return ASTAR_RUNNING;
    AstarStatus status = pack_block(flow);
    if (status != ASTAR_OK || !astar_packed_steps_are_whole(&flow->packed))
        return status == ASTAR_OK ? ASTAR_RUNNING : status;
    astar_flow_drop_distances(flow);
    return ASTAR_OK;
}
