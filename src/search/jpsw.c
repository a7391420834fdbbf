// jpsw.c -- jump point search where some cells are irregular: ground of several costs, fields,
// walls, links.
//
// Away from all of these ground is uniform, and jps.c's pruning holds (for ground of several costs
// see M. Carlson, S. Moghadam, D. Harabor, P. Stuckey and M. Ebendt, "Optimal Pathfinding on
// Weighted Grid Maps", AAAI 2023). So runs jump over it, at what it costs there, and end where a
// cell is irregular (see irregular.c). Such cells, the start and the ends of links are expanded
// step by step, at true costs (see irregular_steps.c).
//
// Costs and sums are those of A*, multiples of the finder's unit, and so are the best routes.

#include "search/jps.h"
#include "search/jump_scan.h"
#include "search/links.h"

#include <math.h>

// ---- the search ----

static void prepare_irregular_scan(AstarScan *scan, AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarIrregular *irregular = finder->on.irregular;
    const AstarJumpBitmaps *jump = astar_get(&irregular->jumps[finder->options.diagonals]);
    *scan = (AstarScan){
        .search = search,
        .nodes = &search->jumps.nodes,
        .width = (uint32_t)search->grid->width,
        .rule = finder->rule,
        .goal.x = search->goal.x + 1,
        .goal.y = search->goal.y + 1,
        .irregular = irregular->bits,
        .note = astar_note_irregular,
    };
    astar_scan_bitmaps(scan, search, jump);
}

AstarStatus astar_jpsw_begin(AstarSearch *search)
{
    AstarSlottedQueue *open = &search->front.open;
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_irregular_jump(search->grid, search->finder->on.irregular,
                                              search->finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = astar_jps_plant(search, ASTAR_ARRIVED_NOWHERE);
    if (status != ASTAR_OK)
        return status;
    if (!astar_slotted_reserve(open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    astar_jpsw_work_out(search, &search->own.jpsw);
    if (search->own.linked) { // made ready by the same walk already, but where it is begun again
        int64_t work = ASTAR_ALL_WORK;
        AstarHeuristic walk = astar_jpsw_walk(search, &search->own.jpsw);
        status = astar_links_advance(search, false, walk, &work);
    }
    if (status == ASTAR_OK)
        status = astar_own_blocks_measure(search);
    if (status != ASTAR_OK)
        return status;
    astar_slotted_clear(open, search->finder->min_cost / ASTAR_SLOTS_A_JUMP);
    astar_slotted_push(open, 0, astar_open(0, 0, search->start));
    return ASTAR_OK;
}

// Takes the next node off the open list and makes it the current one; there is none yet where many
// were passed over, or the open list takes long.
static AstarStatus take_irregular_node(AstarSearch *search)
{
    AstarSlottedQueue *open = &search->front.open;
    AstarOpen item;
    int passed = 0;
    do {
        if (astar_slotted_count(open) == 0)
            return astar_search_exhausted(search);
        if (passed++ == ASTAR_MOST_PASSED || !astar_slotted_is_ready(open))
            return ASTAR_RUNNING;
        item = astar_slotted_pop(open);
    } while (!astar_jump_close(&search->jumps, astar_open_cell(item)));
    uint32_t cell = astar_open_cell(item);
    if (cell == search->goal.cell) {
        search->found = cell;
        return ASTAR_OK;
    }
    if (search->expanded == search->question.max_expansions)
        return ASTAR_MAX_EXPANSIONS;
    search->own.jpsw.f = astar_open_f(item);
    search->jumps.current = cell;
    return ASTAR_RUNNING;
}

AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions)
{
    AstarScan scan;
    if (isinf(search->jumps.steps_up_to))
        return ASTAR_BAD_COST;
    prepare_irregular_scan(&scan, search);
    return astar_run_scan(&scan, expansions, take_irregular_node, astar_expand_irregular);
}

// ---- the route ----

// Traces a leg between two cells, which may be one.
static AstarStatus trace_leg(AstarSearch *search, int dx, int dy, int steps, AstarPath *path)
{
    int direction = astar_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0));
    return steps > 0 ? astar_trace_run(search, direction, steps, path) : ASTAR_OK;
}

AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path)
{
    const AstarCell *at = &search->slices.tracing.at;
    AstarStatus status = ASTAR_OK;
    if (at->x == search->start_x && at->y == search->start_y)
        return ASTAR_OK;
    uint32_t cell = astar_cell(search->grid, at->x, at->y);
    const AstarJumpNode *node = astar_jump_node(&search->jumps.nodes, cell);
    if (astar_jump_arrival(node) == ASTAR_ARRIVED_BY_LINK) {
        status = astar_trace_link(search, path);
    } else {
        int x, y, to_x = at->x, to_y = at->y;
        astar_cell_xy(search->grid, astar_jump_parent(node), &x, &y);
        AstarBentWay way = astar_bent_way(search->finder->rule->has_diagonals, x, y, to_x, to_y);
        status = trace_leg(search, to_x - way.turn_x, to_y - way.turn_y, way.then, path);
        if (status == ASTAR_OK)
            status = trace_leg(search, way.turn_x - x, way.turn_y - y, way.first, path);
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
