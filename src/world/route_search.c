// route_search.c -- A* over the nodes of a world.
//
// Squares of the upper level that hold neither end are crossed in one go, where the ends are far
// apart; which squares those are depends on the question alone. What a node needs is built before
// it is taken off the open list, piece by piece: so a step can be broken off anywhere, by a budget
// or by the host. Ties break by the order in which nodes are met, which depends on the world and
// the question, not on what was built before.
//
// A goal in a small place of its own would have all of an endless world searched: so it is looked
// for from there first, for a while.

#include "world/route_search.h"

#include "base/array.h"
#include "world/cutout.h"

enum {
    POCKET_NODES = 64, // expanded from the goal before the search begins
    NEAR = 128,        // ends so many cells apart are joined directly, too
    UPPER_FROM = 1024, // the upper level serves ends so far apart
    LEAST_NODES = 256
};

// ---- nodes ----

static uint32_t node_slot(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    uint64_t key = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = search->slot_count - 1, slot = (uint32_t)(key >> 40) & mask;
    while (search->slots[slot] != 0) {
        const AstarRouteNode *node = &search->nodes[search->slots[slot] - 1];
        if (node->x == x && node->y == y)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static AstarStatus reserve_route_node(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    if (search->count == search->capacity) {
        size_t capacity = search->capacity;
        AstarRouteNode *nodes = astar_array_grow(allocator, search->nodes, search->count,
                                                 sizeof *nodes, &capacity, 0, LEAST_NODES);
        if (nodes == NULL)
            return ASTAR_NO_MEMORY;
        search->nodes = nodes;
        search->capacity = (uint32_t)capacity;
    }
    if (2 * (search->count + 1) <= search->slot_count)
        return ASTAR_OK;
    uint32_t wanted = search->slot_count > 0 ? 2 * search->slot_count : 2 * LEAST_NODES;
    uint32_t *slots = astar_alloc(allocator, wanted, sizeof *slots);
    if (slots == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(allocator, search->slots, search->slot_count, sizeof *slots);
    search->slots = slots;
    search->slot_count = wanted;
    for (uint32_t i = 0; i < search->count; i++)
        slots[node_slot(search, search->nodes[i].x, search->nodes[i].y)] = i + 1;
    return ASTAR_OK;
}

static double rest_of_way(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    if (search->is_pocket_search)
        return 0;
    double estimate = astar_world_estimate(search->finder, x, y, search->gx, search->gy);
    return estimate < search->over_links ? estimate : search->over_links;
}

// Takes a way to a cell, where it is the cheapest yet.
static AstarStatus reach_node(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind)
{
    AstarStatus status = reserve_route_node(search);
    if (status != ASTAR_OK)
        return status;
    // One more, for the node being expanded, should that have to wait.
    if (!astar_heap_reserve(&search->heap, &search->finder->world->allocator, 2))
        return ASTAR_NO_MEMORY;
    uint32_t slot = node_slot(search, x, y), number = search->slots[slot];
    if (number == 0) {
        search->nodes[search->count] = (AstarRouteNode){.x = x, .y = y, .g = (double)INFINITY};
        number = search->slots[slot] = ++search->count;
    }
    AstarRouteNode *node = &search->nodes[number - 1];
    if (g >= node->g)
        return ASTAR_OK;
    node->g = g;
    node->parent = parent;
    node->kind = (uint8_t)kind;
    node->closed = false;
    astar_heap_push(&search->heap, astar_open(g + rest_of_way(search, x, y), g, number - 1));
    return ASTAR_OK;
}

// Empties the open list and forgets the nodes.
static void clear_nodes(AstarRouteSearch *search)
{
    search->count = 0;
    if (search->slot_count > 0)
        memset(search->slots, 0, search->slot_count * sizeof *search->slots);
    astar_heap_clear(&search->heap);
    search->last = search->frontier = UINT32_MAX;
}

// ---- where it has been ----

static void note_cells(AstarRouteSearch *search, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    search->x0 = x0 < search->x0 ? x0 : search->x0;
    search->y0 = y0 < search->y0 ? y0 : search->y0;
    search->x1 = x1 > search->x1 ? x1 : search->x1;
    search->y1 = y1 > search->y1 ? y1 : search->y1;
}

static void note_square(AstarRouteSearch *search, int level, int32_t i, int32_t j)
{
    int32_t side = astar_side_of_level(level), more = side + search->finder->size;
    note_cells(search, i * side - 1, j * side - 1, i * side + more, j * side + more);
}

// ---- the ends ----

static AstarStatus add_end_leg(const AstarRouteSearch *search, AstarEndLegs *ends, int32_t x,
                               int32_t y, double cost)
{
    if (ends->count == ends->capacity) {
        AstarEndLeg *legs = astar_array_grow(&search->finder->world->allocator, ends->legs,
                                             ends->count, sizeof *legs, &ends->capacity, 0, 32);
        if (legs == NULL)
            return ASTAR_NO_MEMORY;
        ends->legs = legs;
    }
    ends->legs[ends->count++] = (AstarEndLeg){x, y, cost};
    return ASTAR_OK;
}

static AstarLifted lifted_at_start(const AstarRouteSearch *search)
{
    return (AstarLifted){search->sx, search->sy, search->finder->size};
}

static AstarStatus fill_square_cutout(AstarRouteSearch *search, int32_t i, int32_t j, void *context)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    return astar_cutout_fill(search->finder->world->cutout, search->finder, i * SIDE, j * SIDE,
                             SIDE + 1, SIDE + 1, lifted_at_start(search), context);
}

// Measures from an end, or to it, to the nodes of a square that it lies in, which is built.
static AstarStatus measure_end(AstarRouteSearch *search, const AstarSquare *square, bool is_goal,
                               void *context)
{
    AstarCutout *cutout = search->finder->world->cutout;
    int32_t x = is_goal ? search->gx : search->sx, y = is_goal ? search->gy : search->sy;
    AstarStatus status = fill_square_cutout(search, square->plot.i, square->plot.j, context);
    if (status == ASTAR_OK)
        status = astar_cutout_flood(cutout, x, y, is_goal, NULL);
    for (uint32_t i = 0; i < square->count && status == ASTAR_OK; i++) {
        int32_t to_x = astar_square_x(square, i), to_y = astar_square_y(square, i);
        double cost = cutout->g[astar_cutout_at(cutout, to_x, to_y)];
        if (!isinf(cost))
            status = add_end_leg(search, is_goal ? &search->to_goal : &search->from_start, to_x,
                                 to_y, cost);
    }
    if (status == ASTAR_OK && !is_goal && astar_cutout_holds(cutout, search->gx, search->gy))
        search->direct = fmin(search->direct,
                              cutout->g[astar_cutout_at(cutout, search->gx, search->gy)]);
    return status;
}

// Measures an end in all squares that it lies in; these must be built first.
static AstarStatus measure_ends(AstarRouteSearch *search, bool is_goal, void *context)
{
    int32_t x = is_goal ? search->gx : search->sx, y = is_goal ? search->gy : search->sy;
    AstarSquares in = astar_squares_of(0, x, y);
    AstarSquare *square;
    AstarStatus status = ASTAR_OK;
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1; i++) {
            status = astar_square_need(search->finder, 0, i, j, context, &square);
            if (status != ASTAR_OK)
                return status;
            note_square(search, 0, i, j);
        }
    AstarEndLegs *ends = is_goal ? &search->to_goal : &search->from_start;
    ends->count = 0;
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++) {
            status = astar_square_need(search->finder, 0, i, j, context, &square);
            if (status == ASTAR_OK)
                status = measure_end(search, square, is_goal, context);
        }
    return status;
}

// Whether the unit can stand on a cell; the start may be blocked.
static AstarStatus can_stand(AstarRouteSearch *search, int32_t x, int32_t y, void *context,
                             bool *can)
{
    AstarCutout *cutout = search->finder->world->cutout;
    AstarStatus status = astar_cutout_fill(cutout, search->finder, x, y, 1, 1,
                                           lifted_at_start(search), context);
    if (status == ASTAR_OK)
        *can = astar_cutout_is_open(cutout, astar_cutout_at(cutout, x, y));
    return status;
}

// Whether all chunks are there that the unit covers on a cell.
static AstarStatus is_there(AstarRouteSearch *search, int32_t x, int32_t y, void *context,
                            bool *there)
{
    int32_t more = search->finder->size - 1;
    *there = true;
    for (int32_t cy = astar_chunk_of(y); cy <= astar_chunk_of(y + more); cy++)
        for (int32_t cx = astar_chunk_of(x); cx <= astar_chunk_of(x + more); cx++) {
            AstarChunk *chunk;
            AstarStatus status = astar_world_need(search->finder->world, cx, cy, context, &chunk);
            if (status != ASTAR_OK)
                return status;
            *there &= !chunk->is_absent;
        }
    return ASTAR_OK;
}

// Sees whether start and goal can be stood on. ASTAR_OK: so it goes on.
static AstarStatus judge_route_ends(AstarRouteSearch *search, void *context)
{
    bool there = true, can = false, has_frontier = astar_has_frontier(search->finder);
    AstarStatus status = is_there(search, search->sx, search->sy, context, &there);
    if (status == ASTAR_OK && has_frontier && !there)
        return ASTAR_NOT_LOADED;
    if (status == ASTAR_OK)
        status = can_stand(search, search->sx, search->sy, context, &can);
    if (status != ASTAR_OK || !can)
        return status != ASTAR_OK ? status : ASTAR_START_BLOCKED;
    status = is_there(search, search->gx, search->gy, context, &there);
    search->is_goal_absent = has_frontier && !there;
    if (status != ASTAR_OK || search->is_goal_absent)
        return status;
    status = can_stand(search, search->gx, search->gy, context, &can);
    return status != ASTAR_OK || can ? status : ASTAR_GOAL_BLOCKED;
}

// The rectangle of whole chunks in which ends that are near are joined.
static AstarWorldEdit box_of_direct(const AstarRouteSearch *search)
{
    int32_t west = search->sx < search->gx ? search->sx : search->gx;
    int32_t east = search->sx > search->gx ? search->sx : search->gx;
    int32_t north = search->sy < search->gy ? search->sy : search->gy;
    int32_t south = search->sy > search->gy ? search->sy : search->gy;
    enum { HALF = ASTAR_CHUNK_SIDE / 2 };
    return (AstarWorldEdit){west - HALF, north - HALF, east + HALF, south + HALF};
}

// Where nodes are few, ends that are near are joined without them as well.
static AstarStatus join_directly(AstarRouteSearch *search, void *context)
{
    bool is_near = llabs((long long)search->sx - search->gx) <= NEAR &&
                   llabs((long long)search->sy - search->gy) <= NEAR;
    if (!is_near || search->is_goal_absent || search->finder->spacing == 1)
        return ASTAR_OK;
    AstarCutout *cutout = search->finder->world->cutout;
    AstarWorldEdit box = box_of_direct(search);
    AstarAim aim = {search->gx, search->gy, (double)INFINITY};
    AstarStatus status = astar_cutout_fill(cutout, search->finder, box.x0, box.y0,
                                           box.x1 - box.x0 + 1, box.y1 - box.y0 + 1,
                                           lifted_at_start(search), context);
    if (status == ASTAR_OK)
        status = astar_cutout_flood(cutout, search->sx, search->sy, false, &aim);
    note_cells(search, box.x0 - 1, box.y0 - 1, box.x1 + search->finder->size,
               box.y1 + search->finder->size);
    if (status == ASTAR_OK)
        search->direct = fmin(search->direct, cutout->g[astar_cutout_at(cutout, aim.x, aim.y)]);
    return status;
}

// What every way that leads over a link costs at least: the last one, and from its end to the goal.
static double least_over_links(const AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        least = fmin(least, cost + astar_world_estimate(search->finder, link->x1, link->y1,
                                                        search->gx, search->gy));
    }
    return least;
}

// ---- expanding ----

// Whether a square of the upper level holds an end.
static bool holds_end(const AstarRouteSearch *search, int32_t i, int32_t j)
{
    int32_t side = astar_side_of_level(1), x = i * side, y = j * side;
    bool start = search->sx >= x && search->sx <= x + side && search->sy >= y &&
                 search->sy <= y + side;
    return start ||
           (search->gx >= x && search->gx <= x + side && search->gy >= y && search->gy <= y + side);
}

// The squares whose edges out of a node are to be followed.
typedef struct Crossed {
    AstarSquare *squares[8];
    int nodes[8];
    int count;
} Crossed;

static bool is_crossed_above(const Crossed *crossed, int above, int32_t i, int32_t j)
{
    for (int k = 0; k < above; k++) {
        const AstarPlot *plot = &crossed->squares[k]->plot;
        if (astar_square_of(i, 8) == plot->i && astar_square_of(j, 8) == plot->j)
            return true;
    }
    return false;
}

static AstarStatus need_crossed(AstarRouteSearch *search, int level, int32_t i, int32_t j,
                                const AstarRouteNode *node, Crossed *crossed, void *context)
{
    AstarSquare *square;
    AstarStatus status = astar_square_need(search->finder, level, i, j, context, &square);
    note_square(search, level, i, j);
    if (status != ASTAR_OK)
        return status;
    int at = square->is_too_large ? ASTAR_NO_PLACE : astar_square_node(square, node->x, node->y);
    if (at == ASTAR_NO_PLACE)
        return ASTAR_OK;
    crossed->squares[crossed->count] = square;
    crossed->nodes[crossed->count++] = at;
    return ASTAR_OK;
}

// Has all squares built that a node is to be expanded in.
static AstarStatus need_squares(AstarRouteSearch *search, const AstarRouteNode *node,
                                Crossed *crossed, void *context)
{
    AstarStatus status = ASTAR_OK;
    AstarSquares in = astar_squares_of(1, node->x, node->y);
    bool uses_upper = search->uses_upper && !search->is_pocket_search;
    for (int32_t j = in.j0; uses_upper && j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++)
            if (!holds_end(search, i, j))
                status = need_crossed(search, 1, i, j, node, crossed, context);
    int above = crossed->count;
    in = astar_squares_of(0, node->x, node->y);
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++) {
            bool is_outside = search->is_inside && (astar_square_of(i, 8) != search->box_i ||
                                                    astar_square_of(j, 8) != search->box_j);
            if (!is_outside && !is_crossed_above(crossed, above, i, j))
                status = need_crossed(search, 0, i, j, node, crossed, context);
        }
    return status;
}

static double left_to_goal(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    return astar_world_estimate(search->finder, x, y, search->gx, search->gy);
}

// Of the nodes beside what is not there, and nearer to the goal than the start, keeps the one over
// which the goal may be the nearest; of equal ones the one nearest to the goal.
static void note_frontier(AstarRouteSearch *search, uint32_t number)
{
    const AstarRouteNode *node = &search->nodes[number];
    double h = left_to_goal(search, node->x, node->y), f = node->g + h;
    if (search->is_pocket_search || h >= left_to_goal(search, search->sx, search->sy))
        return;
    if (search->frontier != UINT32_MAX) {
        const AstarRouteNode *best = &search->nodes[search->frontier];
        double its = left_to_goal(search, best->x, best->y);
        if (f > best->g + its || (f == best->g + its && h >= its))
            return;
    }
    search->frontier = number;
}

// Whether no node that is still open can be a better end than the one at the frontier.
static bool is_frontier_best(AstarRouteSearch *search)
{
    if (search->frontier == UINT32_MAX || astar_heap_count(&search->heap) == 0)
        return search->frontier != UINT32_MAX;
    const AstarRouteNode *node = &search->nodes[astar_open_cell(astar_heap_top(&search->heap))];
    const AstarRouteNode *best = &search->nodes[search->frontier];
    return node->g + left_to_goal(search, node->x, node->y) >
           best->g + left_to_goal(search, best->x, best->y);
}

static AstarStatus follow_edges(AstarRouteSearch *search, uint32_t number,
                                const AstarSquare *square, int node)
{
    double g = search->nodes[number].g;
    AstarLegKind kind = square->plot.kind == 1 ? ASTAR_LEG_LOWER : ASTAR_LEG_UPPER;
    if ((square->places[node] & ASTAR_AT_FRONTIER) != 0) {
        search->has_seen_frontier = true;
        note_frontier(search, number);
    }
    for (uint32_t edge = square->first[node]; edge < square->first[node + 1]; edge++) {
        uint32_t to = square->to[edge];
        AstarStatus status = reach_node(search, astar_square_x(square, to),
                                        astar_square_y(square, to),
                                        g + astar_square_cost(square, edge), number, kind);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Whether an end of a link can be stood on: its node is there. Its squares need not be built for
// the way over it: they are when it is expanded, and there is no such node where it cannot.
static AstarStatus follow_links(AstarRouteSearch *search, uint32_t number)
{
    const AstarWorld *world = search->finder->world;
    int32_t x = search->nodes[number].x, y = search->nodes[number].y;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = astar_world_links_from(world, x, y);
         i < world->link_count && world->links[i].x0 == x && world->links[i].y0 == y &&
         status == ASTAR_OK;
         i++) {
        const AstarLink *link = &world->links[i];
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        status = reach_node(search, link->x1, link->y1, search->nodes[number].g + cost, number,
                            ASTAR_LEG_LINK);
    }
    return status;
}

// Follows the legs between an end and the nodes near it.
static AstarStatus follow_end_legs(AstarRouteSearch *search, uint32_t number)
{
    AstarRouteNode node = search->nodes[number];
    AstarStatus status = ASTAR_OK;
    if (number == 0) {
        for (size_t i = 0; i < search->from_start.count && status == ASTAR_OK; i++) {
            const AstarEndLeg *leg = &search->from_start.legs[i];
            status = reach_node(search, leg->x, leg->y, node.g + leg->cost, 0, ASTAR_LEG_LOWER);
        }
        if (status == ASTAR_OK && !isinf(search->direct))
            status = reach_node(search, search->gx, search->gy, search->direct, 0,
                                ASTAR_LEG_DIRECT);
    }
    bool is_near = abs(search->gx - node.x) <= ASTAR_CHUNK_SIDE &&
                   abs(search->gy - node.y) <= ASTAR_CHUNK_SIDE;
    for (size_t i = 0; is_near && i < search->to_goal.count && status == ASTAR_OK; i++) {
        const AstarEndLeg *leg = &search->to_goal.legs[i];
        if (leg->x == node.x && leg->y == node.y)
            status = reach_node(search, search->gx, search->gy, node.g + leg->cost, number,
                                ASTAR_LEG_LOWER);
    }
    return status;
}

// Whether the unit can stand where a link ends, for which some square must have a node; start and
// goal are cells of their own.
static bool is_of_square(const AstarRouteSearch *search, const AstarRouteNode *node,
                         const Crossed *crossed)
{
    return crossed->count > 0 || node->kind != ASTAR_LEG_LINK ||
           (node->x == search->gx && node->y == search->gy);
}

static bool is_absent_there(const AstarRouteSearch *search, const AstarRouteNode *node)
{
    const AstarChunk *chunk = astar_world_chunk(search->finder->world, astar_chunk_of(node->x),
                                                astar_chunk_of(node->y));
    return chunk != NULL && chunk->is_absent;
}

static AstarStatus expand_route_node(AstarRouteSearch *search, uint32_t number,
                                     const Crossed *crossed)
{
    AstarStatus status = ASTAR_OK;
    for (int k = 0; k < crossed->count && status == ASTAR_OK; k++)
        status = follow_edges(search, number, crossed->squares[k], crossed->nodes[k]);
    if (status == ASTAR_OK && !search->is_inside)
        status = follow_links(search, number);
    if (status == ASTAR_OK && !search->is_pocket_search)
        status = follow_end_legs(search, number);
    return status;
}

// Takes the next node off the open list; ASTAR_OK: it is the goal, or the list is empty.
static AstarStatus advance_route(AstarRouteSearch *search, void *context)
{
    while (astar_heap_count(&search->heap) > 0) {
        uint32_t number = astar_open_cell(astar_heap_top(&search->heap));
        AstarRouteNode node = search->nodes[number];
        if (node.closed) {
            astar_heap_pop(&search->heap);
            continue;
        }
        if (!search->is_pocket_search && node.x == search->gx && node.y == search->gy &&
            !search->is_goal_absent) {
            search->last = number;
            return ASTAR_OK;
        }
        Crossed crossed = {.count = 0};
        AstarStatus status = need_squares(search, &node, &crossed, context);
        if (status != ASTAR_OK)
            return status;
        AstarOpen item = astar_heap_pop(&search->heap);
        search->nodes[number].closed = true;
        if (is_of_square(search, &node, &crossed))
            status = expand_route_node(search, number, &crossed);
        else
            search->has_seen_frontier |= is_absent_there(search, &node);
        if (status != ASTAR_OK) { // it is expanded once more
            search->nodes[number].closed = false;
            astar_heap_push(&search->heap, item);
            return status;
        }
        search->expanded++;
        return ASTAR_RUNNING;
    }
    return ASTAR_OK;
}

// ---- phases ----

static AstarStatus begin_route_phase(AstarRouteSearch *search, AstarRoutePhase phase)
{
    clear_nodes(search);
    search->phase = phase;
    search->is_pocket_search = phase == ASTAR_ROUTE_POCKET;
    AstarStatus status = ASTAR_OK;
    if (!search->is_pocket_search)
        return reach_node(search, search->sx, search->sy, 0, 0, ASTAR_LEG_NONE);
    for (size_t i = 0; i < search->to_goal.count && status == ASTAR_OK; i++) {
        const AstarEndLeg *leg = &search->to_goal.legs[i];
        status = reach_node(search, leg->x, leg->y, leg->cost, 0, ASTAR_LEG_NONE);
    }
    return status;
}

// Where no way leads one way only, what cannot be reached from the goal cannot reach it.
static bool can_look_from_goal(const AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    return !search->is_goal_absent && isinf(search->direct) && world->link_count == 0 &&
           world->one_way_count == 0;
}

static AstarStatus do_ends(AstarRouteSearch *search, void *context)
{
    search->version = search->finder->world->version;
    search->x0 = search->y0 = INT32_MAX;
    search->x1 = search->y1 = INT32_MIN;
    search->direct = (double)INFINITY;
    search->to_goal.count = 0;
    search->has_seen_frontier = false;
    AstarStatus status = judge_route_ends(search, context);
    if (status == ASTAR_OK)
        status = measure_ends(search, false, context);
    if (status == ASTAR_OK && !search->is_goal_absent)
        status = measure_ends(search, true, context);
    if (status == ASTAR_OK)
        status = join_directly(search, context);
    if (status != ASTAR_OK)
        return status;
    search->over_links = least_over_links(search);
    status = begin_route_phase(search, can_look_from_goal(search) ? ASTAR_ROUTE_POCKET
                                                                  : ASTAR_ROUTE_SEARCH);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Whether the search from the goal has come to a node near the start.
static bool has_met_start(const AstarRouteSearch *search)
{
    for (size_t i = 0; i < search->from_start.count; i++) {
        const AstarEndLeg *leg = &search->from_start.legs[i];
        if (search->count > 0 && search->slots[node_slot(search, leg->x, leg->y)] != 0)
            return true;
    }
    return false;
}

static AstarStatus do_pocket(AstarRouteSearch *search, void *context)
{
    uint32_t before = search->count;
    bool is_over = search->expanded >= POCKET_NODES;
    AstarStatus status = is_over ? ASTAR_OK : advance_route(search, context);
    if (status != ASTAR_OK && status != ASTAR_RUNNING)
        return status;
    bool has_met = search->count != before && has_met_start(search);
    if (status == ASTAR_RUNNING && !has_met)
        return ASTAR_RUNNING;
    if (status == ASTAR_OK && !is_over && !has_met_start(search)) {
        // All around the goal was seen, unless something is not there: then a way may lead up to
        // that from the start, too.
        if (!search->has_seen_frontier)
            return ASTAR_UNREACHABLE;
    }
    search->expanded = 0;
    search->has_seen_frontier = false;
    status = begin_route_phase(search, ASTAR_ROUTE_SEARCH);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// The search is over without a way to the goal.
static AstarStatus give_up_route(AstarRouteSearch *search)
{
    if (search->frontier == UINT32_MAX || search->is_inside)
        return search->has_seen_frontier ? ASTAR_NOT_LOADED : ASTAR_UNREACHABLE;
    search->last = search->frontier;
    return ASTAR_OK;
}

// Without a number of its own a search of a world without end gives up after so many.
static uint64_t most_expansions(const AstarWorldFinder *finder)
{
    uint64_t most = finder->finder->options.max_expansions;
    return most == UINT64_MAX ? ASTAR_WORLD_EXPANSIONS : most;
}

static AstarStatus do_search(AstarRouteSearch *search, void *context)
{
    if (search->expanded >= most_expansions(search->finder))
        return ASTAR_MAX_EXPANSIONS;
    AstarStatus status = advance_route(search, context);
    bool ends_at_frontier = search->is_goal_absent && is_frontier_best(search);
    if (status == ASTAR_RUNNING && !ends_at_frontier)
        return ASTAR_RUNNING;
    if (status != ASTAR_OK && status != ASTAR_RUNNING)
        return status;
    return search->last != UINT32_MAX ? ASTAR_OK : give_up_route(search);
}

// What leaves a search where it was.
static bool is_fault(AstarStatus status)
{
    return status == ASTAR_NO_MEMORY || status == ASTAR_BAD_DATA || status == ASTAR_GRID_CHANGED;
}

static AstarStatus do_phase(AstarRouteSearch *search, void *context)
{
    astar_world_begin_use(search->finder->world);
    switch (search->phase) {
    case ASTAR_ROUTE_ENDS: return do_ends(search, context);
    case ASTAR_ROUTE_POCKET: return do_pocket(search, context);
    case ASTAR_ROUTE_SEARCH: return do_search(search, context);
    default: return search->status;
    }
}

AstarStatus astar_route_search_step(AstarRouteSearch *search, uint64_t expansions, void *context)
{
    const AstarWorld *world = search->finder->world;
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (search->phase == ASTAR_ROUTE_DONE)
        return search->status;
    if (search->phase != ASTAR_ROUTE_ENDS &&
        astar_world_is_touched(world, search->version, search->x0, search->y0, search->x1,
                               search->y1)) {
        search->phase = ASTAR_ROUTE_ENDS;
        search->expanded = 0;
    } else if (search->phase != ASTAR_ROUTE_ENDS) {
        search->version = world->version;
    }
    for (uint64_t i = 0; i < expansions; i++) {
        AstarStatus status = do_phase(search, context);
        if (status == ASTAR_RUNNING)
            continue;
        if (!is_fault(status)) {
            search->status = status;
            search->phase = ASTAR_ROUTE_DONE;
        }
        return status;
    }
    return ASTAR_RUNNING;
}

// ---- making one ----

AstarStatus astar_route_search_new(AstarWorldFinder *finder, int32_t sx, int32_t sy, int32_t gx,
                                   int32_t gy, AstarRouteSearch **out)
{
    if (!astar_is_of_world(sx, sy) || !astar_is_of_world(gx, gy))
        return ASTAR_BAD_CELL;
    const AstarAllocator *allocator = &finder->world->allocator;
    AstarRouteSearch *search = astar_alloc(allocator, 1, sizeof *search);
    if (search == NULL)
        return ASTAR_NO_MEMORY;
    *search = (AstarRouteSearch){.finder = finder, .sx = sx, .sy = sy, .gx = gx, .gy = gy};
    search->status = ASTAR_RUNNING;
    search->last = search->frontier = UINT32_MAX;
    bool is_far = llabs((long long)sx - gx) >= UPPER_FROM ||
                  llabs((long long)sy - gy) >= UPPER_FROM;
    search->uses_upper = is_far && finder->spacing > 1;
    astar_world_finder_retain(finder);
    *out = search;
    return ASTAR_OK;
}

AstarStatus astar_route_search_inside(AstarWorldFinder *finder, AstarInside way,
                                      AstarRouteSearch **out)
{
    AstarStatus status = astar_route_search_new(finder, way.sx, way.sy, way.gx, way.gy, out);
    if (status != ASTAR_OK)
        return status;
    AstarRouteSearch *search = *out;
    int32_t side = astar_side_of_level(1), x = way.i * side, y = way.j * side;
    search->is_inside = true;
    search->uses_upper = false;
    search->over_links = (double)INFINITY;
    search->direct = (double)INFINITY;
    search->version = finder->world->version;
    search->box_i = way.i;
    search->box_j = way.j;
    note_cells(search, x, y, x + side, y + side);
    status = begin_route_phase(search, ASTAR_ROUTE_SEARCH);
    if (status != ASTAR_OK) {
        astar_route_search_free(search);
        *out = NULL;
    }
    return status;
}

AstarStatus astar_route_search_status(const AstarRouteSearch *search)
{
    return search->status;
}

uint64_t astar_route_search_expanded(const AstarRouteSearch *search)
{
    return search->expanded;
}

void astar_route_search_free(AstarRouteSearch *search)
{
    if (search == NULL)
        return;
    AstarWorldFinder *finder = search->finder;
    const AstarAllocator *allocator = &finder->world->allocator;
    astar_release(allocator, search->nodes, search->capacity, sizeof *search->nodes);
    astar_release(allocator, search->slots, search->slot_count, sizeof *search->slots);
    astar_release(allocator, search->from_start.legs, search->from_start.capacity,
                  sizeof *search->from_start.legs);
    astar_release(allocator, search->to_goal.legs, search->to_goal.capacity,
                  sizeof *search->to_goal.legs);
    astar_heap_free(&search->heap, allocator);
    astar_release(allocator, search, 1, sizeof *search);
    astar_world_finder_release(finder);
}
