// irregular_steps.c -- the steps and links out of irregular cells, and the nodes at their ends.
//
// Why nothing is lost: of the cells that a best path may enter a cell from, one has a last step
// that is never left out. One out of an irregular cell, the start or a link is left out by
// canonical.c only; a straight one out of another cell only for a strictly cheaper way; a diagonal
// one only if a way as good enters straight. All ways past a cell compared lie in the 3 x 3 cells
// around it, and around a cell that is not irregular those cost the same and hold no wall.

#include "search/jump_scan.h"

#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/estimate.h"
#include "search/jps.h"
#include "search/links.h"

// ---- nodes ----

// Notes a way to a cell, if it is the cheapest yet.
static void note_node(AstarScan *scan, int x, int y, double g, unsigned arrival)
{
    AstarSearch *search = scan->search;
    AstarSlottedQueue *open = &search->front.open;
    uint32_t cell = astar_cell(search->grid, x, y);
    uint32_t *slot = astar_jump_slot(scan->nodes, cell, x, y);
    AstarJumpNode *node = astar_jump_named(scan->nodes, slot);
    if (node != NULL && node->g.real <= g)
        return;
    if (node == NULL)
        astar_fetch_ahead(scan->runs, x + 1, y + 1, arrival);
    double f = g + astar_active_landmarks_improve(&search->own.active, cell,
                                                  astar_jpsw_estimate(search, x, y));
    f = f > search->own.jpsw.f ? f : search->own.jpsw.f;
    if (f > search->limit) {
        search->failure = ASTAR_MAX_COST;
        return;
    }
    bool has_room = astar_slotted_reserve(open, &search->allocator, 1);
    if (has_room && node == NULL)
        node = astar_jump_nodes_add(scan->nodes, &search->allocator, slot, cell);
    if (!has_room || node == NULL) {
        scan->fault = ASTAR_NO_MEMORY;
        return;
    }
    node->g.real = g;
    node->parent = scan->from | arrival << ASTAR_CELL_BITS;
    node->cell = cell;
    astar_slotted_push(open, f, astar_open(f, g, cell));
}

void astar_note_irregular(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival)
{
    double g = scan->real_g + before * scan->costs[1] + steps * scan->costs[0];
    note_node(scan, x - 1, y - 1, g, arrival);
}

// ---- steps out of irregular cells ----

// The neighbours of a cell, 'free' ones, that cost what it does.
static unsigned same_around(const AstarFinder *finder, uint32_t cell, unsigned free)
{
    if (finder->options.avoid == NULL)
        return astar_canonical_same(finder->on.ground, finder->grid, cell, free);
    unsigned same = 0;
    double here = astar_finder_cell_cost(finder, cell);
    for (unsigned rest = free; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d]);
        same |= (unsigned)(astar_finder_cell_cost(finder, next) == here) << d;
    }
    return same;
}

// Whether any of the 3 x 3 cells around a cell has a wall.
static bool is_near_wall(const AstarGrid *grid, int x, int y)
{
    const uint8_t *walls = grid->links_and_walls->walls;
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++)
            if (walls[astar_cell(grid, column, row)] != 0)
                return true;
    return false;
}

// By arrival, see expand_jps.c: the direction of directions.h.
static const uint8_t step_by_arrival[] = {2, 4, 6, 0, ASTAR_FROM_NOWHERE,
                                          3, 5, 7, 1, ASTAR_FROM_LINK};
// The other way round.
static const uint8_t arrival_by_step[ASTAR_DIRECTIONS] = {
    ASTAR_NORTH, ASTAR_ARRIVED_SLANTED + ASTAR_NORTH_EAST,
    ASTAR_EAST,  ASTAR_ARRIVED_SLANTED + ASTAR_SOUTH_EAST,
    ASTAR_SOUTH, ASTAR_ARRIVED_SLANTED + ASTAR_SOUTH_WEST,
    ASTAR_WEST,  ASTAR_ARRIVED_SLANTED + ASTAR_NORTH_WEST,
};

// The steps out of a cell that a best path may need.
static unsigned steps_worth(const AstarScan *scan, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = scan->search->finder;
    const AstarGrid *grid = finder->grid;
    unsigned free = astar_bits_around(scan->rows, x, y);
    if (astar_grid_has_walls(grid) && is_near_wall(grid, x, y))
        return astar_legal_moves_past_walls(finder->rule, astar_walls_at(grid, x, y), grid->width,
                                            free, false);
    unsigned legal = astar_legal_moves(finder->rule, free);
    // Canonical order without diagonals is another than that of the runs.
    bool prunes = scan->rule->has_diagonals && finder->options.diagonal_cost < 2;
    const AstarArrival *arrival =
        &finder->arrivals[1][step_by_arrival[astar_jump_arrival(astar_jump_current(scan->search))]];
    if (!prunes || arrival->ahead == 0xFF)
        return legal;
    unsigned same = same_around(finder, cell, free);
    return legal & arrival->ahead & ~astar_canonical_left_out(arrival, free, same);
}

// What a step in a direction into a cell costs.
static inline double cost_of_step(const AstarFinder *finder, int direction, uint32_t cell)
{
    if (finder->options.avoid == NULL)
        return finder->costs.step[direction & 1][finder->on.ground[cell]];
    double cost = astar_finder_cell_cost(finder, cell);
    return astar_finder_round(finder, direction & 1 ? cost * finder->options.diagonal_cost : cost);
}

void astar_choose_bits(AstarScan *scan)
{
    const AstarSearch *search = scan->search;
    scan->by_steps = scan->real_g <= search->jumps.steps_up_to;
    scan->rows = &(scan->by_steps ? search->finder->on.walkable
                                  : astar_finder_shared_walkable(search->finder))
                      ->bits;
}

unsigned astar_expand_steps(AstarScan *scan, uint32_t cell)
{
    const AstarFinder *finder = scan->search->finder;
    int x, y;
    astar_cell_xy(finder->grid, cell, &x, &y);
    unsigned steps = steps_worth(scan, cell, x, y);
    unsigned irregular = steps;
    if (!scan->by_steps)
        irregular &= astar_bits_around(&scan->irregular, x, y);
    for (unsigned rest = irregular; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest), offset = astar_dy[d] * finder->grid->width + astar_dx[d];
        uint32_t next = cell + (uint32_t)offset;
        double g = scan->real_g + cost_of_step(finder, d, next);
        note_node(scan, x + astar_dx[d], y + astar_dy[d], g, arrival_by_step[d]);
    }
    return steps & ~irregular;
}

void astar_scan_ground(AstarScan *scan, uint32_t cell)
{
    const AstarFinder *finder = scan->search->finder;
    scan->costs[0] = cost_of_step(finder, 0, cell);
    scan->costs[1] = cost_of_step(finder, scan->rule->has_diagonals, cell);
}

// ---- links ----

static void jump_over_link(AstarScan *scan, const AstarArc *arc)
{
    AstarSearch *search = scan->search;
    int x, y;
    astar_cell_xy(search->grid, arc->to, &x, &y);
    if (!astar_bits_get(scan->rows, x, y))
        return;
    const AstarJumpNode *node = astar_jump_node(scan->nodes, arc->to);
    double g = scan->real_g + astar_finder_round_link(search->finder, arc->cost);
    bool better = node == NULL || g < node->g.real;
    note_node(scan, x, y, g, ASTAR_ARRIVED_BY_LINK);
    node = astar_jump_node(scan->nodes, arc->to);
    if (better && node != NULL && node->g.real == g)
        astar_links_note_arrival(search, arc);
}

void astar_follow_links(AstarScan *scan, uint32_t cell)
{
    const AstarLinksAndWalls *links = scan->search->grid->links_and_walls;
    if (!scan->search->own.linked)
        return;
    const AstarArc *arc;
    for (uint32_t i = astar_arcs_first_from(links, cell);
         (arc = astar_arc_at(&links->arcs, i)) != NULL && arc->from == cell; i++)
        jump_over_link(scan, arc);
}
