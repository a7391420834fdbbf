// priced_bends.c -- Finds the best route to a cell if bends have a cost, by A* from the goal to the
// start over states. A state is a cell and the direction in which the route leaves it.
//
// The estimate of a state is the cost, bends excluded, of the cheapest route from the start to its
// cell. A search by A* over cells has computed this cost before. (The exact cost of a relaxed
// problem never overestimates: Pearl, Heuristics, 1984.) Let C be the cost, bends excluded, of the
// cheapest routes to the goal. The search over cells has closed every cell with f < C, so the cost
// g of these cells is known. For all other cells the cost is at least C - h. A search over states
// from the start to the goal would have no such estimate.
//
// Costs are whole numbers as in the nodes of A*, where the lowest 5 bits of a cost are 0. This
// search uses these bits to count bends: it adds 1 to the cost of each bend. Of equally cheap
// routes it thus finds the one with the fewest bends. After 31 bends the count overflows into the
// cost and adds 2^-31 of the cheapest cost. This is less than the rounding error of a route of that
// length.
//
// Every continuation of a route from a state is also possible from any other state of the same
// cell, at the cost of at most one additional bend. A state is therefore pruned if another state of
// its cell is cheaper by at least the cost of the costliest bend. The steps into a state that is
// not the cheapest of its cell are relaxed only if the cheapest state is no better for them. If all
// bends cost the same, only the step straight on is relaxed.

#include "search/priced_bends.h"

#include "base/array.h"
#include "openlist/lifo_queue.h"
#include "search/bend_levels.h"
#include "search/best_first.h"
#include "search/search.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

enum {
    LAST_STEP = ASTAR_DIRECTIONS, // in place of a next direction: the next cell is the goal
    SLOTS_A_STEP = 64,            // buckets of the open list per cheapest step
    KEPT_STATE_BYTES = 8 * 1024 * 1024
};

// The states of a cell. The fields that decide whether a new state is useless come first, and lie
// in one cache line.
typedef struct CellStates {
    alignas(64) uint64_t least;     // least g of the cell
    uint64_t before;                // estimate of a state whose direction is in 'headings'
    uint8_t best;                   // direction of the state with the least g
    uint8_t reached;                // set of directions for which g is valid
    uint8_t closed;                 // set of directions whose states are closed
    uint8_t headings;               // set; the estimate of other directions is one bend higher
    uint8_t next[ASTAR_DIRECTIONS]; // direction of the step after the first one
    alignas(64) uint64_t g[ASTAR_DIRECTIONS]; // cost of the best path found to the goal
} CellStates;

// The states of the cells in a block of 8 x 8 cells.
typedef struct StatePage {
    CellStates cells[ASTAR_PAGE_CELLS];
} StatePage;

struct AstarPriced {
    StatePage **directory; // page of each block of 8 x 8 cells; NULL: no cell reached
    size_t blocks, columns;
    AstarPagePool pool;
    uint64_t total; // cost of the cheapest routes without bends
    uint64_t bound; // routes that cost more are pruned
    // The cost of a bend for each angle, in steps of 45 degrees, and the lowest and the highest of
    // these costs.
    uint64_t prices[ASTAR_BEND_ANGLES + 1], cheapest, costliest;
    uint64_t best;   // cost of the best route found; UINT64_MAX for none
    int first;       // direction in which this route leaves the start
    uint64_t held;   // name of the state to expand next; NO_STATE: none
    bool has_levels; // true if bend_levels.c has counted the bends of routes from the start
};

// A state is named by a number: 8 times the number of its cell, plus its direction. NO_STATE is not
// the name of any state.
#define NO_STATE UINT64_MAX

void astar_priced_rest(AstarSearch *search)
{
    struct AstarPriced *all = search->own.priced;
    if (all == NULL || all->pool.used == 0)
        return;
    memset(all->directory, 0, all->blocks * sizeof *all->directory);
    astar_pool_forget(&all->pool);
    astar_pool_shrink(&all->pool, &search->allocator, sizeof(StatePage), KEPT_STATE_BYTES);
}

void astar_priced_free(AstarSearch *search)
{
    struct AstarPriced *all = search->own.priced;
    if (all == NULL)
        return;
    astar_pool_shrink(&all->pool, &search->allocator, sizeof(StatePage), 0);
    astar_release(&search->allocator, all->directory, all->blocks, sizeof *all->directory);
    astar_release(&search->allocator, all, 1, sizeof *all);
    search->own.priced = NULL;
}

size_t astar_priced_bytes(const AstarSearch *search)
{
    const struct AstarPriced *all = search->own.priced;
    return all == NULL ? 0
                       : sizeof *all + all->blocks * sizeof *all->directory +
                             astar_pool_bytes(&all->pool, sizeof(StatePage));
}

// Returns the cost of a bend by an angle in steps of 45 degrees.
static double price_of_angle(const AstarOptions *options, int angle)
{
    return options->bend_costs != NULL ? options->bend_costs[angle - 1] : options->bend_cost;
}

// The search can use costs of bends that fulfil two conditions. No bend costs more than a bend of
// 180 degrees; otherwise a step straight back could be part of a best route, and the search leaves
// these steps out. No bend costs more than a limit; otherwise sums of costs might not fit into an
// entry of the open list.
bool astar_can_price_bends(const AstarSearch *search)
{
    const AstarOptions *options = &search->finder->options;
    const double back = price_of_angle(options, ASTAR_BEND_ANGLES);
    for (int angle = 1; angle <= ASTAR_BEND_ANGLES; angle++)
        if (price_of_angle(options, angle) > back ||
            !(price_of_angle(options, angle) * search->core.per_unit < 0x1p48))
            return false;
    return true;
}

static void fill_prices(struct AstarPriced *all, const AstarSearch *search)
{
    const bool has_diagonals = search->finder->rule->has_diagonals;
    all->prices[0] = all->costliest = 0;
    all->cheapest = UINT64_MAX;
    for (int angle = 1; angle <= ASTAR_BEND_ANGLES; angle++) {
        uint64_t price = 1 + astar_whole_cost(price_of_angle(&search->finder->options, angle),
                                              search->core.per_unit);
        all->prices[angle] = price;
        if (angle % 2 != 0 && !has_diagonals)
            continue; // without diagonal steps bends have 90 or 180 degrees
        all->cheapest = price < all->cheapest ? price : all->cheapest;
        all->costliest = price > all->costliest ? price : all->costliest;
    }
}

// Returns the angle between two directions in steps of 45 degrees.
static inline int angle_between(int one, int other)
{
    int apart = abs(one - other);
    return apart > ASTAR_DIRECTIONS / 2 ? ASTAR_DIRECTIONS - apart : apart;
}

// Adds a page at an index of the directory and returns the page. Returns NULL if memory runs out.
ASTAR_ONCE StatePage *add_page_of_states(AstarSearch *search, size_t block)
{
    struct AstarPriced *all = search->own.priced;
    StatePage *page = astar_pool_take(&all->pool, &search->allocator, sizeof *page);
    if (page == NULL)
        return NULL;
    for (int i = 0; i < ASTAR_PAGE_CELLS; i++) {
        page->cells[i].least = UINT64_MAX;
        page->cells[i].reached = page->cells[i].closed = 0;
    }
    return all->directory[block] = page;
}

// Returns the index in the directory of the page of a cell.
static inline size_t block_of_states(const struct AstarPriced *all, int x, int y)
{
    return (size_t)((unsigned)y / ASTAR_PAGE_SIDE) * all->columns + (unsigned)x / ASTAR_PAGE_SIDE;
}

// Returns the states of a cell that the search has reached.
static inline CellStates *states_of(const struct AstarPriced *all, int x, int y)
{
    return &all->directory[block_of_states(all, x, y)]->cells[astar_page_place(x, y)];
}

// Returns a lower bound of the cost of any route from the start to (x, y), bends excluded.
static inline uint64_t least_from_start(const AstarSearch *search, int x, int y)
{
    const uint64_t total = search->own.priced->total;
    const uint64_t to_goal = astar_least_between(search, x, y, search->goal.x, search->goal.y);
    const uint64_t g = astar_nodes_at(&search->core.nodes, x, y) & ~(uint64_t)ASTAR_STATE_MASK;
    uint64_t least = total > to_goal ? total - to_goal : 0;
    least = g < least ? g : least;
    const uint64_t walk = astar_least_between(search, x, y, search->start_x, search->start_y);
    return walk > least ? walk : least;
}

// Returns true if straight steps in a direction lead from the start to (x, y) on a map without
// obstacles.
static inline bool is_start_behind(const AstarSearch *search, int x, int y, int direction)
{
    const int right = x - search->start_x, down = y - search->start_y;
    const int steps = astar_greater(abs(right), abs(down));
    return right == steps * astar_dx[direction] && down == steps * astar_dy[direction];
}

// Stores the estimate of the states of a cell that the search reaches for the first time. Returns
// false if the cell is on no route within the bound.
static bool estimate_cell(const AstarSearch *search, CellStates *cell, int x, int y)
{
    const struct AstarPriced *all = search->own.priced;
    uint32_t bends = 0;
    unsigned headings = 0;
    if (all->has_levels)
        bends = astar_levels_at(search, x, y, &headings);
    else
        for (int d = 0; d < ASTAR_DIRECTIONS; d++)
            headings |= (unsigned)is_start_behind(search, x, y, d) << d;
    cell->headings = (uint8_t)headings;
    if (bends != UINT32_MAX)
        cell->before = least_from_start(search, x, y) + bends * all->cheapest;
    return bends != UINT32_MAX;
}

// Stores a path from (x, y) to the goal whose first step has the direction 'direction', unless a
// known path makes it useless. 'next' is the direction of the second step of the path, and 'g' is
// the cost of the path. The open list must have room.
static AstarStatus relax_way(AstarSearch *search, int x, int y, int direction, int next, uint64_t g)
{
    struct AstarPriced *all = search->own.priced;
    const size_t block = block_of_states(all, x, y);
    StatePage *page = all->directory[block];
    if (page == NULL)
        page = add_page_of_states(search, block);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    CellStates *cell = &page->cells[astar_page_place(x, y)];
    const unsigned bit = 1u << direction;
    if ((cell->reached != 0 && g >= cell->least + all->costliest) ||
        ((cell->reached & bit) != 0 && g >= cell->g[direction]))
        return ASTAR_OK;
    if (cell->reached == 0 && !estimate_cell(search, cell, x, y))
        return ASTAR_OK;
    const uint64_t f = g + cell->before + ((cell->headings & bit) != 0 ? 0 : all->cheapest);
    if (f > all->bound || f >= all->best)
        return ASTAR_OK;
    cell->g[direction] = g;
    cell->next[direction] = (uint8_t)next;
    cell->reached |= (uint8_t)bit;
    cell->closed &= (uint8_t)~bit;
    if (g < cell->least) {
        cell->least = g;
        cell->best = (uint8_t)direction;
    }
    astar_lifo_push(&search->core.open, f,
                    (uint64_t)astar_cell(search->grid, x, y) * ASTAR_DIRECTIONS +
                        (unsigned)direction);
    return ASTAR_OK;
}

// Relaxes the steps that enter (x, y). 'direction' is the direction in which the route leaves (x,
// y), or LAST_STEP at the goal. 'g' is the cost of the route from (x, y) to the goal.
static AstarStatus relax_steps_into(AstarSearch *search, int x, int y, int direction, uint64_t g)
{
    const struct AstarPriced *all = search->own.priced;
    const AstarFinder *finder = search->finder;
    const uint8_t ground = finder->on.ground[astar_cell(search->grid, x, y)];
    unsigned back = astar_legal_moves(finder->rule,
                                      astar_bits_around(&finder->on.walkable->bits, x, y));
    uint64_t least = 0;
    int best = direction;
    if (direction != LAST_STEP) {
        const CellStates *cell = states_of(all, x, y);
        back &= ~(1u << direction); // a step straight back is never part of a best route
        best = cell->best;
        least = cell->least;
    }
    AstarStatus status = ASTAR_OK;
    for (; back != 0 && status == ASTAR_OK; back &= back - 1) {
        const int to = astar_lowest_bit(back), by = (to + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS;
        uint64_t cost = g + finder->costs.whole[by & 1][ground];
        if (direction != LAST_STEP) {
            const uint64_t price = all->prices[angle_between(by, direction)];
            if (best != direction && g + price >= least + all->prices[angle_between(by, best)])
                continue;
            cost += price;
        }
        status = relax_way(search, x + astar_dx[to], y + astar_dy[to], by, direction, cost);
    }
    return status;
}

AstarStatus astar_priced_begin(AstarSearch *search, uint64_t total, double known, bool has_levels)
{
    const AstarAllocator *allocator = &search->allocator;
    const AstarGrid *grid = search->grid;
    if (search->own.priced == NULL)
        search->own.priced = astar_alloc(allocator, 1, sizeof *search->own.priced);
    struct AstarPriced *all = search->own.priced;
    if (all == NULL)
        return ASTAR_NO_MEMORY;
    const size_t columns = ((size_t)grid->width + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    const size_t rows = ((size_t)grid->height + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    astar_pool_forget(&all->pool);
    if (all->blocks < columns * rows) {
        astar_release(allocator, all->directory, all->blocks, sizeof *all->directory);
        all->blocks = 0;
        all->directory = astar_alloc(allocator, columns * rows, sizeof *all->directory);
        if (all->directory == NULL)
            return ASTAR_NO_MEMORY;
        all->blocks = columns * rows;
    }
    memset(all->directory, 0, all->blocks * sizeof *all->directory);
    all->columns = columns;
    all->total = total;
    all->best = UINT64_MAX;
    all->held = NO_STATE;
    all->has_levels = has_levels;
    fill_prices(all, search);
    // 'known' is a sum of unrounded costs, so the bound is set a little higher than 'known'.
    all->bound = ASTAR_MOST_COST;
    if (known * search->core.per_unit < 0x1p56)
        all->bound = astar_whole_cost(known * (1 + 0x1p-20), search->core.per_unit);
    const uint64_t step = astar_whole_cost(search->finder->min_cost, search->core.per_unit);
    const int shift = astar_highest_bit(step / SLOTS_A_STEP);
    const uint64_t span = 2 * (search->finder->costs.costliest + all->costliest);
    if (!astar_lifo_begin(&search->core.open, allocator, (unsigned)shift, span, total, false))
        return ASTAR_NO_MEMORY;
    AstarStatus status = relax_steps_into(search, search->goal.x, search->goal.y, LAST_STEP, 0);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Stores the route that begins with a state of the start's cell, if the route is the best so far.
// 'direction' is the direction of the state, and 'g' is its cost to the goal. The state must be
// closed.
static void note_start(AstarSearch *search, int direction, uint64_t g)
{
    struct AstarPriced *all = search->own.priced;
    const AstarHeading heading = search->query.heading;
    if (heading != ASTAR_NO_HEADING)
        g += all->prices[angle_between((int)heading - 1, direction)];
    if (g > all->bound || g >= all->best)
        return;
    all->best = g;
    all->first = direction;
}

// Takes states off the open list until one is to be expanded, makes it 'held' and returns
// ASTAR_RUNNING. After ASTAR_MOST_PASSED stale entries the function returns ASTAR_RUNNING without
// such a state. Returns ASTAR_OK once the best route is known, and ASTAR_UNREACHABLE if there is no
// route within the bound.
static AstarStatus take_priced_state(AstarSearch *search)
{
    struct AstarPriced *all = search->own.priced;
    AstarLifoQueue *open = &search->core.open;
    for (int passed = 0; passed < ASTAR_MOST_PASSED; passed++) {
        while (open->tops[(size_t)open->current & (open->size - 1)] == NULL) {
            const bool is_last = open->current >= all->best >> open->shift;
            if (is_last && astar_lifo_is_past(open, all->best))
                return ASTAR_OK;
            if (!astar_lifo_advance(open))
                return all->best != UINT64_MAX ? ASTAR_OK : ASTAR_UNREACHABLE;
        }
        AstarEntry entry = astar_lifo_unstack(open, (size_t)open->current & (open->size - 1));
        if (entry.f >= all->best)
            continue;
        int x, y;
        const int direction = (int)(entry.node % ASTAR_DIRECTIONS);
        astar_cell_xy(search->grid, (uint32_t)(entry.node / ASTAR_DIRECTIONS), &x, &y);
        CellStates *cell = states_of(all, x, y);
        const uint64_t g = cell->g[direction];
        if ((cell->closed >> direction & 1) != 0 || g >= cell->least + all->costliest)
            continue;
        cell->closed |= (uint8_t)(1u << direction);
        if (x == search->start_x && y == search->start_y)
            note_start(search, direction, g);
        all->held = entry.node;
        return ASTAR_RUNNING;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_priced_run(AstarSearch *search, uint64_t expansions)
{
    struct AstarPriced *all = search->own.priced;
    for (; expansions > 0; expansions--) {
        if (!astar_lifo_reserve(&search->core.open, &search->allocator))
            return ASTAR_NO_MEMORY;
        if (all->held == NO_STATE) {
            AstarStatus status = take_priced_state(search);
            if (status != ASTAR_RUNNING)
                return status;
            if (all->held == NO_STATE)
                continue;
        }
        if (search->expanded >= search->query.max_expansions)
            return ASTAR_MAX_EXPANSIONS;
        int x, y;
        const int direction = (int)(all->held % ASTAR_DIRECTIONS);
        astar_cell_xy(search->grid, (uint32_t)(all->held / ASTAR_DIRECTIONS), &x, &y);
        const uint64_t g = states_of(all, x, y)->g[direction];
        if (relax_steps_into(search, x, y, direction, g) != ASTAR_OK)
            return ASTAR_NO_MEMORY;
        search->expanded++;
        all->held = NO_STATE;
    }
    return ASTAR_RUNNING;
}

double astar_priced_cost(const AstarSearch *search)
{
    return (double)(search->own.priced->best >> ASTAR_STATE_BITS) * search->core.unit;
}

int astar_priced_first(const AstarSearch *search)
{
    return search->own.priced->first;
}

int astar_priced_next(const AstarSearch *search, int *x, int *y, int direction)
{
    const struct AstarPriced *all = search->own.priced;
    int next = states_of(all, *x, *y)->next[direction];
    *x += astar_dx[direction];
    *y += astar_dy[direction];
    return next != LAST_STEP ? next : -1;
}
