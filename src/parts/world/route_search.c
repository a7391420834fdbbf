// route_search.c -- The search for a route over a world, phase by phase: A* over the nodes of
// squares, or block A*.
//
// A goal in a closed room would make the search explore an endless world. Therefore a flood
// backward from the goal runs beside the search (cutout.c), in a small part of the time.
//
// An edit in the area that a search has read restarts the search, but only a few times. After the
// last restart the search uses block A*, which needs no measured distances that edits could
// invalidate, and it ignores further edits. In the end, the cost of its route is computed again in
// the current world.

#include "parts/world/route_search.h"

#include "base/array.h"
#include "base/job_kind.h"
#include "openlist/indexed_heap.h"
#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"
#include "parts/world/route.h"
#include "parts/world/squares.h"
#include "parts/world/world_joints.h"

// ------------------------------------------------------------------------------------------------
// The functions below store the nodes of a search by their cells, and put them on the open list.
//
// Ties are broken by the order in which nodes are reached. This order depends on the world and the
// query, and not on the squares that were built before.
// ------------------------------------------------------------------------------------------------

enum { LEAST_NODES = 256 };

// Weight of the heuristic for a search over nodes. Edges between nodes may cost a little too much
// (squares.c), so without a weight the search would follow many paths of nearly equal cost. With
// the weight the search does 1 / 20 of the work across open ground. In caves the search does 1 / 8
// less work than with the weight 1.01, for routes of the same cost.
static const double LEANING = 1.02;

uint32_t astar_route_slot(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    uint64_t key = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = search->tree.slot_count - 1, slot = (uint32_t)(key >> 40) & mask;
    while (search->tree.slots[slot] != 0) {
        const AstarRouteNode *node = &search->tree.nodes[search->tree.slots[slot] - 1];
        if (node->x == x && node->y == y)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static AstarStatus reserve_route_node(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    if (!ASTAR_RESERVE(allocator, search->tree.nodes, search->tree.count, 1u,
                       &search->tree.capacity, LEAST_NODES) ||
        !astar_indexed_heap_reserve(&search->open, allocator, (uint32_t)search->tree.capacity))
        return ASTAR_NO_MEMORY;
    if (2 * (search->tree.count + 1) <= search->tree.slot_count)
        return ASTAR_OK;
    uint32_t wanted = search->tree.slot_count > 0 ? 2 * search->tree.slot_count : 2 * LEAST_NODES;
    uint32_t *slots = astar_alloc(allocator, wanted, sizeof *slots);
    if (slots == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(allocator, search->tree.slots, search->tree.slot_count, sizeof *slots);
    search->tree.slots = slots;
    search->tree.slot_count = wanted;
    for (uint32_t i = 0; i < search->tree.count; i++)
        slots[astar_route_slot(search, search->tree.nodes[i].x, search->tree.nodes[i].y)] = i + 1;
    return ASTAR_OK;
}

double astar_route_rest(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    double weight = search->floods.is_on ? search->query.weight : LEANING;
    return weight * fmin(astar_route_left(search, x, y), astar_route_left_over_links(search, x, y));
}

AstarStatus astar_route_number(AstarRouteSearch *search, int32_t x, int32_t y, uint32_t *number)
{
    AstarStatus status = reserve_route_node(search);
    if (status != ASTAR_OK)
        return status;
    uint32_t *slot = &search->tree.slots[astar_route_slot(search, x, y)];
    if (*slot == 0) {
        search->tree.nodes[search->tree.count] = (AstarRouteNode){
            .x = x, .y = y, .g = (double)INFINITY, .rest = astar_route_rest(search, x, y)};
        *slot = ++search->tree.count;
    }
    *number = *slot;
    return ASTAR_OK;
}

void astar_route_improve(AstarRouteSearch *search, uint32_t at, double g, uint32_t parent,
                         AstarLegKind kind)
{
    AstarRouteNode *node = &search->tree.nodes[at];
    node->g = g;
    node->parent = parent;
    node->kind = (uint8_t)kind;
    node->closed = false;
    astar_indexed_heap_put(&search->open, astar_open(g + node->rest, g, at));
}

AstarStatus astar_route_reach(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                              uint32_t parent, AstarLegKind kind)
{
    uint32_t number;
    AstarStatus status = astar_route_number(search, x, y, &number);
    if (status != ASTAR_OK)
        return status;
    if (g < search->tree.nodes[number - 1].g)
        astar_route_improve(search, number - 1, g, parent, kind);
    return ASTAR_OK;
}

void astar_route_note_square(AstarRouteSearch *search, int32_t i, int32_t j)
{
    int32_t side = ASTAR_CHUNK_SIDE, more = side + search->finder->size;
    search->been = astar_cells_joined(
        search->been,
        (AstarWorldEdit){i * side - 1, j * side - 1, i * side + more, j * side + more});
}

// The squares that a search has reached.
//
// A search follows about fifty edges for each node that it reaches. A node belongs to up to four
// squares. It is looked up by its cell only once for each of them, and its number is then stored in
// the square's record.
//
// If a search needs more squares than the world's memory can hold, it restarts as block A*, because
// A* returns to all of its squares again and again. The number of squares depends on the world and
// the query alone.

// Part of the world's memory that the squares of a search may take. The rest is for chunks.
static const double SQUARES_OF_BYTES = 0.75;

AstarStatus astar_route_come_to(AstarRouteSearch *search, const AstarSquare *square,
                                AstarRouteSquare **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarPlots *squares = &search->squares_seen.plots;
    size_t before = squares->count;
    *out = (AstarRouteSquare *)astar_plots_need(squares, allocator, square->plot.i, square->plot.j,
                                                sizeof **out + square->count * sizeof(uint32_t));
    if (squares->count > before)
        search->squares_seen.bytes += astar_square_packed_bytes(square);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

bool astar_route_is_too_much(const AstarRouteSearch *search)
{
    return (double)search->squares_seen.bytes >
           SQUARES_OF_BYTES * (double)search->finder->world->options.bytes;
}

void astar_route_forget_squares(AstarRouteSearch *search)
{
    astar_plots_free(&search->squares_seen.plots, &search->finder->world->allocator);
    search->squares_seen.bytes = 0;
}

// ------------------------------------------------------------------------------------------------
// The functions below check the start and the goals, and connect them to nodes.
// ------------------------------------------------------------------------------------------------

static AstarStatus add_end_leg(const AstarRouteSearch *search, AstarEndLegs *ends, int32_t x,
                               int32_t y, double cost)
{
    if (!ASTAR_RESERVE(&search->finder->world->allocator, ends->legs, ends->count, 1,
                       &ends->capacity, 32))
        return ASTAR_NO_MEMORY;
    ends->legs[ends->count++] = (AstarEndLeg){x, y, cost};
    return ASTAR_OK;
}

static AstarLifted lifted_at_start(const AstarRouteSearch *search)
{
    return (AstarLifted){search->sx, search->sy, search->finder->size};
}

AstarStatus astar_route_fill_square(AstarRouteSearch *search, int32_t i, int32_t j, void *context)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    return astar_cutout_fill(search->finder->world->cutout, search->finder, i * SIDE, j * SIDE,
                             SIDE + 1, SIDE + 1, lifted_at_start(search), context);
}

// Measures the costs between the start (or the goal, if 'is_goal' is true) and the nodes of a
// square that contains it. The square must be completely built.
static AstarStatus measure_end(AstarRouteSearch *search, const AstarSquare *square, bool is_goal,
                               void *context)
{
    AstarCutout *cutout = search->finder->world->cutout;
    int32_t x = is_goal ? search->gx : search->sx, y = is_goal ? search->gy : search->sy;
    AstarStatus status = astar_route_fill_square(search, square->plot.i, square->plot.j, context);
    if (status == ASTAR_OK)
        status = astar_cutout_flood(cutout, x, y, is_goal, NULL);
    for (uint32_t i = 0; i < square->count && status == ASTAR_OK; i++) {
        int32_t to_x = astar_square_x(square, i), to_y = astar_square_y(square, i);
        double cost = cutout->g[astar_cutout_at(cutout, to_x, to_y)];
        if (!isinf(cost))
            status = add_end_leg(search, is_goal ? &search->to_goal : &search->from_start, to_x,
                                 to_y, cost);
    }
    return status;
}

ASTAR_COLD AstarStatus astar_route_measure_ends(AstarRouteSearch *search, bool is_goal,
                                                void *context)
{
    int32_t x = is_goal ? search->gx : search->sx, y = is_goal ? search->gy : search->sy;
    AstarSquares in = astar_squares_of(x, y);
    AstarSquare *square;
    AstarStatus status = ASTAR_OK;
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1; i++) {
            astar_route_note_square(search, i, j);
            status = astar_square_need(search->finder, i, j, context, &square);
            if (status != ASTAR_OK)
                return status;
        }
    AstarEndLegs *ends = is_goal ? &search->to_goal : &search->from_start;
    ends->count = 0;
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++) {
            status = astar_square_need(search->finder, i, j, context, &square);
            if (status == ASTAR_OK)
                status = measure_end(search, square, is_goal, context);
        }
    return status;
}

// Sets '*can' to true if the unit can occupy a cell. Blocks at the start are ignored, because they
// are the unit itself.
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

// Sets '*there' to true if all chunks under a unit of size 'size' are present in the world.
ASTAR_COLD static AstarStatus is_there(AstarRouteSearch *search, int32_t x, int32_t y, int size,
                                       void *context, bool *there)
{
    int32_t more = size - 1;
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

// Selects the goals that the search looks for. If 'are_away' is true, these are the goals in absent
// chunks, otherwise the other goals that the unit can occupy.
ASTAR_COLD static AstarStatus judge_goals(AstarRouteSearch *search, bool are_away, void *context)
{
    size_t count = 0;
    search->is_goal_absent = are_away;
    search->aims.away = 0;
    for (size_t i = 0; i < search->aims.all; i++) {
        AstarRouteGoal goal = search->aims.goals[i];
        bool there = true, can = true;
        // If the goal has a range, the unit need not reach the goal itself.
        AstarStatus status = is_there(search, goal.x, goal.y,
                                      goal.range > 0 ? 1 : search->finder->size, context, &there);
        bool is_away = !there && astar_has_frontier(search->finder);
        if (status == ASTAR_OK && !is_away && goal.range == 0)
            status = can_stand(search, goal.x, goal.y, context, &can);
        if (status != ASTAR_OK)
            return status;
        search->aims.away += is_away;
        if (is_away != are_away || !can)
            continue;
        search->aims.goals[i] = search->aims.goals[count];
        search->aims.goals[count++] = goal;
    }
    search->aims.count = count;
    return count > 0 ? ASTAR_OK : ASTAR_GOAL_BLOCKED;
}

AstarStatus astar_route_judge_ends(AstarRouteSearch *search, void *context)
{
    bool there = true, can = false;
    AstarStatus status = is_there(search, search->sx, search->sy, search->finder->size, context,
                                  &there);
    if (status == ASTAR_OK && astar_has_frontier(search->finder) && !there)
        return ASTAR_NOT_LOADED;
    if (status == ASTAR_OK)
        status = can_stand(search, search->sx, search->sy, context, &can);
    if (status != ASTAR_OK || !can)
        return status != ASTAR_OK ? status : ASTAR_START_BLOCKED;
    bool turns_away = search->aims.turns_away;
    status = judge_goals(search, turns_away, context);
    return status == ASTAR_GOAL_BLOCKED ? judge_goals(search, !turns_away, context) : status;
}

// Marks the absent chunks next to a cell as wanted, with a priority. The lower the number, the
// sooner the chunk is wanted. The number is the difference between the least cost of a route
// through the cell and the middle of the chunk, and the cost of the best possible route. If the
// numbers of two chunks are equal, the chunk that the unit reaches first is wanted sooner.
static void wish_for_chunks(const AstarRouteSearch *search, AstarRouteReach cell, double best)
{
    int32_t side = ASTAR_CHUNK_SIDE, size = search->finder->size;
    for (int32_t cy = astar_chunk_of(cell.y - 1); cy <= astar_chunk_of(cell.y + size); cy++)
        for (int32_t cx = astar_chunk_of(cell.x - 1); cx <= astar_chunk_of(cell.x + size); cx++) {
            AstarChunk *chunk = astar_world_chunk(search->finder->world, cx, cy);
            int32_t x = cx * side + side / 2, y = cy * side + side / 2;
            double wish = cell.g * 9 / 8 - best + astar_route_left(search, x, y);
            if (chunk != NULL && chunk->is_absent &&
                (chunk->wish_of != search->number || chunk->wish > wish)) {
                chunk->wish = wish;
                chunk->wish_of = search->number;
            }
        }
}

ASTAR_COLD bool astar_route_note_frontier(AstarRouteSearch *search, AstarRouteReach cell)
{
    AstarRouteReach *best = &search->floods.boundaries.frontier;
    if (isinf(cell.g))
        return false;
    search->end.has_seen_frontier = true;
    double left = astar_route_left(search, cell.x, cell.y);
    double best_left = astar_route_left(search, search->sx, search->sy);
    wish_for_chunks(search, cell, best_left);
    if (left >= best_left)
        return false;
    double its = isinf(best->g) ? 0 : astar_route_left(search, best->x, best->y);
    bool is_best = cell.g + left < best->g + its || (cell.g + left == best->g + its && left < its);
    if (is_best)
        *best = cell;
    return is_best;
}

// ------------------------------------------------------------------------------------------------
// Lower bounds of the cost of routes over links.
//
// A heuristic that ignores links is wrong near any portal. If there are few links, the search
// computes for each link a lower bound of the cost from its start over the link, and possibly over
// further links, to the goal. This is Dijkstra's algorithm over the links alone. A link is dropped
// if the bound without links is no greater at its start. The heuristic of a cell is the least of
// the bound without links and the bounds over each link. This heuristic is as consistent as the
// heuristic without links. If there are many links, only the cost of the cheapest one is used.
// ------------------------------------------------------------------------------------------------

enum { MOST_MEASURED = 64 };

static double cost_of_link(const AstarRouteSearch *search, const AstarLink *link)
{
    return astar_finder_round_link(search->finder->finder, link->cost);
}

ASTAR_COLD double astar_route_least_over_links(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarWorld *world = search->finder->world;
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        least = fmin(least, cost_of_link(search, link) +
                                astar_world_estimate(search->finder, link->x1, link->y1, x, y));
    }
    return least;
}

// Returns the index of the link with the least bound among the links that are not done, or
// UINT32_MAX if all are done.
static uint32_t least_of_ways(const double rest[MOST_MEASURED], const bool done[MOST_MEASURED],
                              uint32_t count)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (!done[i] && (least == UINT32_MAX || rest[i] < rest[least]))
            least = i;
    return least;
}

// Computes for each link a lower bound of the cost from its start, over the link, to the goal.
// Writes the bounds to 'rest'.
static void measure_over_links(const AstarRouteSearch *search, double rest[MOST_MEASURED])
{
    const AstarWorldFinder *finder = search->finder;
    const AstarLink *links = finder->world->links;
    uint32_t count = finder->world->link_count;
    bool done[MOST_MEASURED] = {false};
    for (uint32_t i = 0; i < count; i++)
        rest[i] = cost_of_link(search, &links[i]) +
                  astar_route_left(search, links[i].x1, links[i].y1);
    for (uint32_t i; (i = least_of_ways(rest, done, count)) != UINT32_MAX;) {
        done[i] = true;
        for (uint32_t j = 0; j < count; j++) {
            double between = astar_world_estimate(finder, links[j].x1, links[j].y1, links[i].x0,
                                                  links[i].y0);
            rest[j] = fmin(rest[j], cost_of_link(search, &links[j]) + between + rest[i]);
        }
    }
}

ASTAR_COLD void astar_route_measure_links(const AstarRouteSearch *search, AstarWaysOver *out)
{
    const AstarWorld *world = search->finder->world;
    double rest[MOST_MEASURED];
    *out = (AstarWaysOver){.least = (double)INFINITY};
    if (world->link_count > MOST_MEASURED) {
        for (uint32_t i = 0; i < world->link_count; i++)
            out->least = fmin(out->least,
                              cost_of_link(search, &world->links[i]) +
                                  astar_route_left(search, world->links[i].x1, world->links[i].y1));
        return;
    }
    measure_over_links(search, rest);
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        if (rest[i] >= astar_route_left(search, link->x0, link->y0))
            continue; // the bound without links is not greater, so this link does not matter
        if (out->count < ASTAR_WAYS_OVER)
            out->list[out->count++] = (AstarWayOver){link->x0, link->y0, rest[i]};
        else
            out->least = fmin(out->least, rest[i]);
    }
}

ASTAR_COLD double astar_route_left_over_links(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarWaysOver *ways = &search->over_links;
    double least = ways->least;
    for (int i = 0; i < ways->count; i++) {
        const AstarWayOver *way = &ways->list[i];
        least = fmin(least, astar_world_estimate(search->finder, x, y, way->x, way->y) + way->rest);
    }
    return least;
}

// Returns true if an edit has made a route over links cheaper than the lower bounds that the search
// uses.
bool astar_route_are_links_belied(const AstarRouteSearch *search)
{
    AstarWaysOver now;
    astar_route_measure_links(search, &now);
    if (now.least < search->over_links.least)
        return true;
    for (int i = 0; i < now.count; i++)
        if (astar_route_left_over_links(search, now.list[i].x, now.list[i].y) > now.list[i].rest)
            return true;
    return false;
}

// ------------------------------------------------------------------------------------------------
// The functions below expand one node.
//
// The squares of a node are built before the node is removed from the open list, piece by piece. A
// step can therefore end at any time, because of a budget or an error of the program. Block A*
// builds no squares.
// ------------------------------------------------------------------------------------------------

// The squares that contain a node and in which the node is expanded; at most four.
typedef struct Crossed {
    AstarSquare *squares[4];
    AstarRouteSquare *seen[4];
    int nodes[4];
    int count;
} Crossed;

static AstarStatus need_crossed(AstarRouteSearch *search, int32_t i, int32_t j,
                                const AstarRouteNode *node, Crossed *crossed, void *context)
{
    AstarSquare *square;
    AstarStatus status = astar_square_need(search->finder, i, j, context, &square);
    astar_route_note_square(search, i, j);
    if (status != ASTAR_OK)
        return status;
    int at = astar_square_node(square, node->x, node->y);
    status = astar_route_come_to(search, square, &crossed->seen[crossed->count]);
    if (status != ASTAR_OK || at == ASTAR_NO_PLACE)
        return status;
    crossed->squares[crossed->count] = square;
    crossed->nodes[crossed->count++] = at;
    return ASTAR_OK;
}

// Builds all squares that contain a node. Writes to 'crossed' the squares in which the node is
// expanded.
static AstarStatus need_squares(AstarRouteSearch *search, const AstarRouteNode *node,
                                Crossed *crossed, void *context)
{
    AstarStatus status = ASTAR_OK;
    AstarSquares in = astar_squares_of(node->x, node->y);
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++)
            status = need_crossed(search, i, j, node, crossed, context);
    return status;
}

bool astar_route_is_frontier_best(AstarRouteSearch *search)
{
    if (search->end.frontier == UINT32_MAX || search->open.count == 0)
        return search->end.frontier != UINT32_MAX;
    const AstarRouteNode *node = &search->tree.nodes[astar_open_cell(search->open.items[0])];
    const AstarRouteReach *best = &search->floods.boundaries.frontier;
    return node->g + astar_route_left(search, node->x, node->y) >
           best->g + astar_route_left(search, best->x, best->y);
}

// Follows the edges out of a node in one of its squares, and lowers the costs of the nodes at their
// ends. 'k' is the index of the square in 'crossed'.
static AstarStatus follow_edges(AstarRouteSearch *search, uint32_t number, const Crossed *crossed,
                                int k)
{
    const AstarSquare *square = crossed->squares[k];
    uint32_t *numbers = crossed->seen[k]->numbers, node = (uint32_t)crossed->nodes[k];
    double g = search->tree.nodes[number].g;
    AstarRouteReach here = {
        .x = search->tree.nodes[number].x, .y = search->tree.nodes[number].y, .g = g};
    if ((square->places[node] & ASTAR_AT_FRONTIER) != 0 && astar_route_note_frontier(search, here))
        search->end.frontier = number;
    AstarStatus status = ASTAR_OK;
    const uint16_t *costs = astar_square_costs(square);
    uint32_t last = astar_square_first(square, node + 1);
    for (uint32_t edge = astar_square_first(square, node); edge < last; edge++) {
        uint32_t to = astar_square_to(square, edge);
        double way = g + costs[edge] * square->unit;
        if (numbers[to] == 0)
            status = astar_route_number(search, astar_square_x(square, to),
                                        astar_square_y(square, to), &numbers[to]);
        if (status != ASTAR_OK)
            return status;
        if (way < search->tree.nodes[numbers[to] - 1].g)
            astar_route_improve(search, numbers[to] - 1, way, number, ASTAR_LEG_SQUARE);
    }
    return ASTAR_OK;
}

// Follows the links that begin in the cell of a node. The square at the other end of a link is
// built later, when the node at that end is expanded. If the unit cannot occupy that end, no square
// has such a node, and the node is dropped.
static AstarStatus follow_links(AstarRouteSearch *search, uint32_t number)
{
    const AstarWorld *world = search->finder->world;
    int32_t x = search->tree.nodes[number].x, y = search->tree.nodes[number].y;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = astar_world_links_from(world, x, y);
         i < world->link_count && world->links[i].x0 == x && world->links[i].y0 == y &&
         status == ASTAR_OK;
         i++) {
        const AstarLink *link = &world->links[i];
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        status = astar_route_reach(search, link->x1, link->y1, search->tree.nodes[number].g + cost,
                                   number, ASTAR_LEG_LINK);
    }
    return status;
}

// Follows the measured paths out of a node that begin at the start or end at the goal.
static AstarStatus follow_end_legs(AstarRouteSearch *search, uint32_t number)
{
    AstarRouteNode node = search->tree.nodes[number];
    AstarStatus status = ASTAR_OK;
    if (number == 0)
        for (size_t i = 0; i < search->from_start.count && status == ASTAR_OK; i++) {
            const AstarEndLeg *leg = &search->from_start.legs[i];
            status = astar_route_reach(search, leg->x, leg->y, node.g + leg->cost, 0,
                                       ASTAR_LEG_SQUARE);
        }
    bool is_near = abs(search->gx - node.x) <= ASTAR_CHUNK_SIDE &&
                   abs(search->gy - node.y) <= ASTAR_CHUNK_SIDE;
    for (size_t i = 0; is_near && i < search->to_goal.count && status == ASTAR_OK; i++) {
        const AstarEndLeg *leg = &search->to_goal.legs[i];
        if (leg->x == node.x && leg->y == node.y)
            status = astar_route_reach(search, search->gx, search->gy, node.g + leg->cost, number,
                                       ASTAR_LEG_SQUARE);
    }
    return status;
}

// Returns true if a node may be expanded. 'is_there' is true if some square has a node in its cell.
// If no square has one, and a link led to the node, the unit cannot occupy its cell. The goal is an
// exception.
static bool is_of_square(const AstarRouteSearch *search, const AstarRouteNode *node, bool is_there)
{
    return is_there || node->kind != ASTAR_LEG_LINK ||
           (node->x == search->gx && node->y == search->gy);
}

static AstarStatus expand_route_node(AstarRouteSearch *search, uint32_t number,
                                     const Crossed *crossed)
{
    AstarStatus status = ASTAR_OK;
    if (!is_of_square(search, &search->tree.nodes[number], crossed->count > 0)) {
        search->end.has_seen_frontier |= astar_route_is_absent(search, search->tree.nodes[number].x,
                                                               search->tree.nodes[number].y);
        return ASTAR_OK;
    }
    for (int k = 0; k < crossed->count && status == ASTAR_OK; k++)
        status = follow_edges(search, number, crossed, k);
    if (status == ASTAR_OK)
        status = follow_links(search, number);
    return status == ASTAR_OK ? follow_end_legs(search, number) : status;
}

AstarStatus astar_route_advance(AstarRouteSearch *search, void *context)
{
    if (search->open.count == 0)
        return ASTAR_OK;
    uint32_t number = astar_open_cell(search->open.items[0]);
    AstarRouteNode node = search->tree.nodes[number];
    if (node.x == search->gx && node.y == search->gy && !search->is_goal_absent) {
        search->end.last = number;
        return ASTAR_OK;
    }
    Crossed crossed = {.count = 0};
    AstarStatus status = need_squares(search, &node, &crossed, context);
    if (status != ASTAR_OK)
        return status;
    astar_indexed_heap_drop(&search->open);
    search->tree.nodes[number].closed = true;
    status = expand_route_node(search, number, &crossed);
    if (status != ASTAR_OK) { // the node will be expanded again, before all other nodes
        search->tree.nodes[number].closed = false;
        astar_indexed_heap_put(&search->open, astar_open(0, 0, number));
        return status;
    }
    search->expanded++;
    return ASTAR_RUNNING;
}

// ------------------------------------------------------------------------------------------------
// The functions below run a search phase by phase.
// ------------------------------------------------------------------------------------------------

enum {
    PIECE = 256,     // number of expansions that a piece of measuring counts for
    FLOOD_RIMS = 32, // number of expansions that the flood of one square counts for
    // Number of expansions of A* after which the flood from the goal continues by one square.
    ENCLOSED = 1024,
    // Number of floods of block A* after which the flood from the goal continues by one square.
    ENCLOSED_RIMS = 8,
    NEAR = 128, // block A* searches for goals at most this number of columns and rows away
    // Maximum number of restarts because of edits; after the last one the search uses block A*.
    MOST_RESTARTS = 4,
    // For a search in a hurry, greatest distance of a near goal in columns and rows.
    CLOSE_BY = 1024,
    // For a search in a hurry, maximum number of expansions if the goal is near. These expansions
    // take a few ms if all squares are measured.
    SOON_CLOSE_BY = 4096,
    // For a search in a hurry, maximum number of expansions if the goal is distant. Measuring more
    // squares might not lead to a route.
    SOON = 256,
    SOON_FLOODS = 64 // for a search in a hurry, maximum number of floods of block A*
};

// Each function below does one phase of a search, or a part of a phase.

// Removes all nodes of a search and clears its open lists.
static void clear_route(AstarRouteSearch *search)
{
    search->tree.count = 0;
    astar_route_forget_squares(search);
    astar_route_free_boundaries(search);
    if (search->tree.slot_count > 0)
        memset(search->tree.slots, 0, search->tree.slot_count * sizeof *search->tree.slots);
    astar_indexed_heap_clear(&search->open);
    astar_heap_clear(&search->floods.open);
    search->end.last = search->end.frontier = UINT32_MAX;
}

// Starts the search at the start cell. If memory is short, the next step repeats the previous
// phase.
ASTAR_COLD static AstarStatus begin_at_start(AstarRouteSearch *search)
{
    clear_route(search);
    AstarStatus status = search->floods.is_on
                             ? astar_route_land(search,
                                                (AstarLanding){.x = search->sx, .y = search->sy})
                             : astar_route_reach(search, search->sx, search->sy, 0, 0,
                                                 ASTAR_LEG_NONE);
    search->phase = status == ASTAR_OK ? ASTAR_ROUTE_SEARCH : ASTAR_ROUTE_ENDS;
    return status;
}

// Measures the costs from the start to the nodes around it, and from the nodes around the goal to
// the goal.
static AstarStatus join_ends(AstarRouteSearch *search, void *context)
{
    AstarStatus status = astar_route_measure_ends(search, false, context);
    if (status == ASTAR_OK && !search->is_goal_absent)
        status = astar_route_measure_ends(search, true, context);
    return status;
}

// Returns true if a query must be answered by block A*. The costs of block A* are exact, which the
// search for a cheapest route and the limit max_cost need. If the query has a weight, any route
// will do, and block A* finds one quickly. For near goals block A* is faster, because few nodes lie
// between the start and the goal. Ranges and several goals also need block A*, because a search
// over nodes does not support them.
static bool goes_by_floods(const AstarRouteSearch *search)
{
    const AstarQueryOptions *query = &search->query;
    bool is_near = abs(search->sx - search->gx) <= NEAR && abs(search->sy - search->gy) <= NEAR;
    return is_near || search->is_exact || search->finder->spacing == 1 || query->weight > 1 ||
           search->aims.all > 1 || search->aims.goals[0].range > 0 || !isinf(query->max_cost);
}

static AstarStatus do_ends(AstarRouteSearch *search, void *context)
{
    search->edits.version = search->finder->world->version;
    search->been = astar_no_cells;
    search->to_goal.count = 0;
    search->end.has_seen_frontier = false;
    search->floods.is_on = goes_by_floods(search) || search->edits.restarts >= MOST_RESTARTS;
    AstarStatus status = astar_route_judge_ends(search, context);
    if (status == ASTAR_OK && !search->floods.is_on)
        status = join_ends(search, context);
    if (status != ASTAR_OK)
        return status;
    astar_route_measure_links(search, &search->over_links);
    search->work = 0;
    astar_enclosure_free(search);
    if (!search->is_goal_absent)
        status = astar_enclosure_begin(search);
    if (status == ASTAR_OK)
        status = begin_at_start(search);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Ends a search that has found no path to a goal. Returns ASTAR_OK if the route can end next to an
// absent chunk instead.
static AstarStatus give_up_route(AstarRouteSearch *search)
{
    if (search->end.frontier == UINT32_MAX)
        return search->end.has_seen_frontier ? ASTAR_NOT_LOADED : ASTAR_UNREACHABLE;
    search->end.last = search->end.frontier;
    return ASTAR_OK;
}

// Returns the maximum number of expansions. If the query has no such limit, a fixed number applies,
// so that a search in an endless world ends.
static uint64_t most_expansions(const AstarRouteSearch *search)
{
    uint64_t most = search->query.max_expansions;
    if (most != UINT64_MAX)
        return most;
    return search->floods.is_on ? ASTAR_WORLD_FLOODS : ASTAR_WORLD_EXPANSIONS;
}

static AstarStatus do_flood_search(AstarRouteSearch *search, void *context)
{
    AstarStatus status = astar_route_flood_next(search, context);
    if (status != ASTAR_OK)
        return status;
    double found = fmin(search->floods.boundaries.goal.g, search->floods.boundaries.frontier.g);
    if (found > search->query.max_cost || (isinf(found) && search->end.is_cut_off))
        return ASTAR_MAX_COST;
    return isinf(found) ? give_up_route(search) : astar_route_trace(search);
}

// Returns true if the flood from the goal should now continue by one square. A search that has
// ignored edits does not continue the flood, because the result of the flood may be outdated.
static bool is_enclosure_due(const AstarRouteSearch *search)
{
    const AstarEnclosure *enclosure = &search->enclosure;
    uint64_t each = search->floods.is_on ? ENCLOSED_RIMS * FLOOD_RIMS : ENCLOSED;
    return !enclosure->is_over && !search->edits.is_behind &&
           search->work >= (enclosure->floods + 1) * each;
}

static AstarStatus do_search(AstarRouteSearch *search, void *context)
{
    if (search->expanded >= most_expansions(search))
        return ASTAR_MAX_EXPANSIONS;
    if (is_enclosure_due(search))
        return astar_enclosure_flood_next(search, context);
    if (search->floods.is_on)
        return do_flood_search(search, context);
    if (astar_route_is_too_much(search)) { // the search restarts as block A*
        search->floods.is_on = true;
        search->expanded = 0;
        search->end.has_seen_frontier = false;
        AstarStatus begun = begin_at_start(search);
        return begun == ASTAR_OK ? ASTAR_RUNNING : begun;
    }
    AstarStatus status = astar_route_advance(search, context);
    bool ends_at_frontier = search->is_goal_absent && astar_route_is_frontier_best(search);
    if (status != ASTAR_OK && (status != ASTAR_RUNNING || !ends_at_frontier))
        return status;
    return search->end.last != UINT32_MAX ? ASTAR_OK : give_up_route(search);
}

// Returns true if a status is an error after which the same search can be continued.
static bool is_fault(AstarStatus status)
{
    return status == ASTAR_NO_MEMORY || status == ASTAR_BAD_DATA || status == ASTAR_GRID_CHANGED;
}

static AstarStatus do_phase(AstarRouteSearch *search, void *context)
{
    search->finder->world->tick++;
    switch (search->phase) {
    case ASTAR_ROUTE_ENDS: return do_ends(search, context);
    case ASTAR_ROUTE_SEARCH: return do_search(search, context);
    default: return search->status;
    }
}

// Returns true if an edit since the last step affects the search. Such an edit has changed cells
// that the search has read, or has made routes over links cheaper.
static bool is_spoiled(const AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    return world->version != search->edits.version &&
           (astar_world_is_touched(world, search->edits.version, search->been) ||
            astar_route_are_links_belied(search));
}

// Restarts the search if edits since its last step affect it. A search that was restarted too often
// ignores the edits.
static void take_in_edits(AstarRouteSearch *search)
{
    bool is_spoiled_now = is_spoiled(search);
    search->edits.is_behind |= is_spoiled_now && search->edits.restarts >= MOST_RESTARTS;
    if (search->edits.is_behind)
        return;
    if (is_spoiled_now) {
        search->edits.restarts++;
        search->phase = ASTAR_ROUTE_ENDS;
        search->expanded = 0;
    }
    search->edits.version = search->finder->world->version;
}

// Ends a search with a status. If the search has ignored edits, the cost of its route is computed
// again. If it has ignored edits and found no route, its status becomes ASTAR_GRID_CHANGED. After
// an error, the next step tries again to end the search.
static AstarStatus end_route_search(AstarRouteSearch *search, AstarStatus status, void *context)
{
    if (search->edits.is_behind && status == ASTAR_OK)
        status = astar_route_recompute_cost(search, context);
    if (is_fault(status))
        return status;
    if (search->edits.is_behind && status != ASTAR_OK && status != ASTAR_MAX_EXPANSIONS)
        status = ASTAR_GRID_CHANGED;
    search->status = status;
    search->phase = ASTAR_ROUTE_DONE;
    astar_route_free_boundaries(search); // the nodes are enough to describe the route
    astar_enclosure_free(search);
    return status;
}

ASTAR_COLD AstarStatus astar_route_search_step(AstarRouteSearch *search, uint64_t expansions,
                                               void *context)
{
    if (search->finder->world->is_asking)
        return ASTAR_GRID_CHANGED;
    astar_world_finder_sync(search->finder);
    if (search->phase == ASTAR_ROUTE_DONE)
        return search->status;
    take_in_edits(search);
    for (uint64_t i = 0; i < expansions;) {
        uint64_t before = search->expanded;
        AstarStatus status = do_phase(search, context);
        uint64_t work = search->floods.is_on ? FLOOD_RIMS : search->expanded == before ? PIECE : 1;
        i += work;
        search->work += work;
        if (status == ASTAR_UNREACHABLE && search->aims.away > 0 && !search->is_goal_absent) {
            search->aims.turns_away = true;
            search->phase = ASTAR_ROUTE_ENDS;
        } else if (status != ASTAR_RUNNING)
            return is_fault(status) ? status : end_route_search(search, status, context);
    }
    return ASTAR_RUNNING;
}

// The functions below create searches, set their options, and return facts about them.

ASTAR_COLD AstarStatus astar_route_search_new(AstarWorldFinder *finder, int32_t sx, int32_t sy,
                                              int32_t gx, int32_t gy, AstarRouteSearch **out)
{
    if (!astar_is_of_world(sx, sy))
        return ASTAR_BAD_CELL;
    astar_world_finder_sync(finder);
    const AstarAllocator *allocator = &finder->world->allocator;
    AstarRouteSearch *search = astar_alloc(allocator, 1, sizeof *search);
    if (search == NULL)
        return ASTAR_NO_MEMORY;
    *search = (AstarRouteSearch){.finder = finder, .sx = sx, .sy = sy, .gx = gx, .gy = gy};
    search->query = astar_query_default(finder->finder);
    search->number = ++finder->world->tick;
    search->status = ASTAR_RUNNING;
    search->end.last = search->end.frontier = UINT32_MAX;
    search->edits.version = finder->world->version;
    search->been = astar_no_cells;
    astar_world_finder_retain(finder);
    AstarStatus status = astar_route_search_add_goal(search, gx, gy, search->query.range);
    if (status != ASTAR_OK) {
        astar_route_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

AstarStatus astar_route_search_add_goal(AstarRouteSearch *search, int32_t x, int32_t y, int range)
{
    if (!astar_is_of_world(x, y))
        return ASTAR_BAD_CELL;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, search->aims.goals, search->aims.all, 1,
                       &search->aims.capacity, 1))
        return ASTAR_NO_MEMORY;
    int size = astar_finder_body_in(search->finder->finder, range).width; // of a square unit
    search->aims.goals[search->aims.all++] = (AstarRouteGoal){x, y, range, size};
    return ASTAR_OK;
}

AstarStatus astar_route_search_count_from_corner(AstarRouteSearch *search, size_t goal)
{
    if (goal >= search->aims.all)
        return ASTAR_BAD_OPTION;
    search->aims.goals[goal].size = 1;
    return ASTAR_OK;
}

AstarStatus astar_route_search_ask(AstarRouteSearch *search, const AstarQueryOptions *query,
                                   bool exact)
{
    if (query->partial || query->bends != ASTAR_BENDS_ANY || query->heading != ASTAR_NO_HEADING)
        return ASTAR_BAD_OPTION;
    search->query = *query;
    search->aims.goals[0].range = query->range;
    search->aims.goals[0].size = astar_finder_body_in(search->finder->finder, query->range).width;
    search->is_exact = exact;
    if (!isinf(query->max_cost))
        search->query.weight = 1; // the cost of the way must be exact
    return ASTAR_OK;
}

ASTAR_COLD bool astar_route_search_hurry(AstarRouteSearch *search)
{
    AstarQueryOptions *query = &search->query;
    int32_t dx = abs(search->sx - search->gx), dy = abs(search->sy - search->gy);
    uint64_t soon = dx <= CLOSE_BY && dy <= CLOSE_BY ? SOON_CLOSE_BY : SOON;
    soon = goes_by_floods(search) ? SOON_FLOODS : soon;
    bool does_any = search->finder->spacing > 1 && !search->is_exact && query->weight == 1 &&
                    isinf(query->max_cost) && query->max_expansions > soon;
    if (does_any)
        query->max_expansions = soon;
    return does_any;
}

AstarStatus astar_route_search_status(const AstarRouteSearch *search)
{
    return search->status;
}

uint64_t astar_route_search_expanded(const AstarRouteSearch *search)
{
    return search->expanded;
}

ASTAR_COLD void astar_route_search_free(AstarRouteSearch *search)
{
    if (search == NULL)
        return;
    AstarWorldFinder *finder = search->finder;
    const AstarAllocator *allocator = &finder->world->allocator;
    astar_release(allocator, search->aims.goals, search->aims.capacity, sizeof *search->aims.goals);
    astar_release(allocator, search->tree.nodes, search->tree.capacity, sizeof *search->tree.nodes);
    astar_release(allocator, search->tree.slots, search->tree.slot_count,
                  sizeof *search->tree.slots);
    astar_release(allocator, search->from_start.legs, search->from_start.capacity,
                  sizeof *search->from_start.legs);
    astar_release(allocator, search->to_goal.legs, search->to_goal.capacity,
                  sizeof *search->to_goal.legs);
    astar_indexed_heap_free(&search->open, allocator);
    astar_heap_free(&search->floods.open, allocator);
    astar_route_free_boundaries(search);
    astar_enclosure_free(search);
    astar_route_forget_squares(search);
    astar_release(allocator, search, 1, sizeof *search);
    astar_world_finder_release(finder);
}

// ------------------------------------------------------------------------------------------------
// Block A*: a search that crosses chunks without measuring distances in advance or keeping them (P.
// Yap, N. Burch, R. Holte and J. Schaeffer, 2011; their algorithm reads distances inside blocks
// from a table).
//
// Block A* expands whole squares. A flood of a square starts from all cells of its border whose
// cost has fallen since the last flood, each with its cost so far. If the flood lowers the cost of
// other cells of the border, the neighbouring squares have to be flooded from those cells. The next
// square is the one that has such a cell with the least f.
//
// A square is flooded again if cheaper paths enter it. Some cell of a cheapest path is therefore
// always on the open list with its exact cost. The search ends at the first f that is not below the
// cost of the goal. The route found then costs at most 'weight' times as much as the cheapest
// route. If the query has no weight, the route found is a cheapest route.
// ------------------------------------------------------------------------------------------------

enum { SIDE = ASTAR_CHUNK_SIDE, BY_ENTRANCE = UINT16_MAX };

// The functions below number the cells on the border of a square.

// Returns the column of a cell on the border of a square, within the square. 'cell' is the number
// of the cell. The cells are numbered in this order: the northern line, the southern line, then the
// western and the eastern line between these two.
static int line_cell_column(int cell)
{
    if (cell < 2 * (SIDE + 1))
        return cell % (SIDE + 1);
    return cell < 3 * SIDE + 1 ? 0 : SIDE;
}

static int line_cell_row(int cell)
{
    if (cell < 2 * (SIDE + 1))
        return cell < SIDE + 1 ? 0 : SIDE;
    return cell < 3 * SIDE + 1 ? cell - 2 * SIDE - 1 : cell - 3 * SIDE;
}

static int line_cell_at(int column, int row)
{
    if (row == 0 || row == SIDE)
        return row == 0 ? column : SIDE + 1 + column;
    return column == 0 ? 2 * SIDE + 1 + row : 3 * SIDE + row;
}

static size_t line_cell_in(const AstarCutout *cutout, int cell)
{
    return astar_cutout_at(cutout, cutout->x0 + line_cell_column(cell),
                           cutout->y0 + line_cell_row(cell));
}

static bool is_on_lines(int column, int row)
{
    return column == 0 || row == 0 || column == SIDE || row == SIDE;
}

// The functions below store the squares that block A* has reached, and keep its open list.

static AstarStatus need_boundary(AstarRouteSearch *search, int32_t i, int32_t j,
                                 AstarBoundary **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarBoundaries *boundaries = &search->floods.boundaries;
    *out = astar_route_boundary(search, i, j);
    if (*out != NULL)
        return ASTAR_OK;
    if (!ASTAR_RESERVE(allocator, boundaries->list, boundaries->count, 1, &boundaries->capacity,
                       64))
        return ASTAR_NO_MEMORY;
    AstarBoundary *boundary = (AstarBoundary *)astar_plots_need(&boundaries->plots, allocator, i, j,
                                                                sizeof *boundary);
    if (boundary == NULL)
        return ASTAR_NO_MEMORY;
    boundary->least = (double)INFINITY;
    for (int cell = 0; cell < ASTAR_LINE_CELLS; cell++)
        boundary->g[cell] = (double)INFINITY;
    boundary->number = (uint32_t)boundaries->count;
    boundaries->list[boundaries->count++] = *out = boundary;
    search->finder->world->bytes_of_floods += sizeof *boundary;
    return ASTAR_OK;
}

void astar_route_free_boundaries(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarBoundaries *boundaries = &search->floods.boundaries;
    search->finder->world->bytes_of_floods -= boundaries->count * sizeof **boundaries->list;
    astar_release(allocator, boundaries->list, boundaries->capacity, sizeof *boundaries->list);
    astar_release(allocator, boundaries->entrances, boundaries->entrance_capacity,
                  sizeof *boundaries->entrances);
    astar_release(allocator, boundaries->sources, boundaries->source_capacity,
                  sizeof *boundaries->sources);
    astar_plots_free(&boundaries->plots, allocator);
    *boundaries = (AstarBoundaries){.goal = {.g = (double)INFINITY},
                                    .frontier = {.g = (double)INFINITY}};
}

// Adds a square to the open list, because it must be flooded from a border cell that has cost 'g'
// and priority 'f'. Does nothing if the square is in the list with a border cell of lower f.
static AstarStatus open_boundary(AstarRouteSearch *search, AstarBoundary *boundary, double g,
                                 double f)
{
    if (f >= boundary->least)
        return ASTAR_OK;
    // Memory is reserved for two entries, because the square that is flooded now may have to be
    // added again.
    if (!astar_heap_reserve(&search->floods.open, &search->finder->world->allocator, 2))
        return ASTAR_NO_MEMORY;
    boundary->least = f;
    boundary->left = (f - g) / search->query.weight;
    astar_heap_push(&search->floods.open, astar_open(f, g, boundary->number));
    return ASTAR_OK;
}

// Changes the weight of the search and rebuilds its open list. With the new weight, another cell of
// a square may have the least f. No cell of the square is nearer to the goal by more than the width
// of the square. The new entry of each square is therefore a lower bound of its least f.
ASTAR_COLD void astar_route_search_raise(AstarRouteSearch *search, double weight)
{
    const AstarBoundaries *boundaries = &search->floods.boundaries;
    double wide = astar_estimate(&search->finder->heuristic, SIDE, SIDE);
    double more = weight - search->query.weight;
    search->query.weight = weight;
    astar_heap_clear(&search->floods.open);
    for (size_t i = 0; i < boundaries->count; i++) {
        AstarBoundary *boundary = boundaries->list[i];
        if (isinf(boundary->least))
            continue;
        boundary->least += more * fmax(boundary->left - wide, 0);
        astar_heap_push(&search->floods.open,
                        astar_open(boundary->least, boundary->least, boundary->number));
    }
}

// Puts a square back on the open list, before all others, because its last flood has failed. The
// square will be flooded again from all cells of its border.
static void reopen_boundary(AstarRouteSearch *search, AstarBoundary *boundary)
{
    memset(boundary->improved, 0xFF, sizeof boundary->improved);
    boundary->least = 0;
    astar_heap_push(&search->floods.open, astar_open(0, 0, boundary->number));
}

// Returns the boundary of the square to flood next, which is on top of the open list. Returns NULL
// if no square in the list can lead to a cheaper end of the route.
static AstarBoundary *next_boundary(AstarRouteSearch *search)
{
    const AstarBoundaries *boundaries = &search->floods.boundaries;
    double enough = boundaries->goal.g, most = search->query.max_cost;
    if (search->is_goal_absent && !isinf(boundaries->frontier.g))
        enough = fmin(enough,
                      boundaries->frontier.g +
                          astar_route_left(search, boundaries->frontier.x, boundaries->frontier.y));
    while (astar_heap_count(&search->floods.open) > 0) {
        AstarOpen top = astar_heap_top(&search->floods.open);
        AstarBoundary *boundary = boundaries->list[astar_open_cell(top)];
        if (astar_open_f(top) == boundary->least) {
            search->end.is_cut_off = boundary->least > most;
            return boundary->least < enough && !search->end.is_cut_off ? boundary : NULL;
        }
        // This entry is outdated: the square was flooded since, or has another entry with a lower
        // f.
        astar_heap_pop(&search->floods.open);
    }
    return NULL;
}

// The functions below record paths to cells on the borders of squares.

// Packs the predecessor of a border cell into 16 bits: the number of the square that contains both
// cells, and the column and row of the predecessor in that square.
static uint16_t pack_before(const AstarRouteReach *way, const AstarBoundary *found_in)
{
    if (found_in == NULL)
        return BY_ENTRANCE;
    AstarSquares in = astar_squares_of(way->x, way->y);
    int square = found_in->plot.i - in.i0 + 2 * (found_in->plot.j - in.j0);
    int column = way->before_x - found_in->plot.i * SIDE;
    int row = way->before_y - found_in->plot.j * SIDE;
    return (uint16_t)(square << 14 | row << 7 | column);
}

// Records a path to a cell that is cheaper than all earlier paths to it. 'found_in' is the square
// whose flood has found the path, or NULL if no flood has. All other squares that contain the cell
// must be flooded from it.
ASTAR_COLD static AstarStatus take_way(AstarRouteSearch *search, AstarRouteReach way,
                                       const AstarBoundary *found_in)
{
    AstarSquares in = astar_squares_of(way.x, way.y);
    AstarBoundary *holders[4];
    int count = 0;
    double f = way.g + astar_route_rest(search, way.x, way.y);
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1; i++) {
            AstarStatus status = need_boundary(search, i, j, &holders[count]);
            if (status == ASTAR_OK && holders[count] != found_in)
                status = open_boundary(search, holders[count], way.g, f);
            if (status != ASTAR_OK)
                return status;
            count++;
        }
    uint16_t before = pack_before(&way, found_in);
    for (int k = 0; k < count; k++) {
        int column = way.x - holders[k]->plot.i * SIDE, row = way.y - holders[k]->plot.j * SIDE;
        if (!is_on_lines(column, row))
            continue;
        int cell = line_cell_at(column, row);
        holders[k]->g[cell] = way.g;
        holders[k]->before[cell] = before;
        if (holders[k] != found_in)
            holders[k]->improved[cell / 64] |= UINT64_C(1) << cell % 64;
    }
    return ASTAR_OK;
}

static AstarLanding *find_entrance(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarBoundaries *boundaries = &search->floods.boundaries;
    for (size_t i = 0; i < boundaries->entrance_count; i++)
        if (boundaries->entrances[i].x == x && boundaries->entrances[i].y == y)
            return &boundaries->entrances[i];
    return NULL;
}

// Returns the least cost found so far to a cell, or INFINITY if the cell was not reached. The cell
// must lie on a border, or be the start or the end of a link.
ASTAR_COLD static double cost_to_cell(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarLanding *entrance = find_entrance(search, x, y);
    const AstarBoundary *boundary = astar_route_boundary(search, astar_chunk_of(x),
                                                         astar_chunk_of(y));
    int column = astar_in_chunk(x), row = astar_in_chunk(y);
    if (boundary != NULL && is_on_lines(column, row))
        return boundary->g[line_cell_at(column, row)];
    return entrance != NULL ? entrance->g : (double)INFINITY;
}

ASTAR_COLD AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding entrance)
{
    if (entrance.g >= cost_to_cell(search, entrance.x, entrance.y))
        return ASTAR_OK;
    AstarBoundaries *boundaries = &search->floods.boundaries;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, boundaries->entrances,
                       boundaries->entrance_count, 1, &boundaries->entrance_capacity, 4))
        return ASTAR_NO_MEMORY;
    AstarLanding *place = find_entrance(search, entrance.x, entrance.y);
    AstarStatus status = take_way(
        search, (AstarRouteReach){entrance.x, entrance.y, entrance.g, 0, 0}, NULL);
    if (status != ASTAR_OK)
        return status;
    if (place == NULL)
        place = &boundaries->entrances[boundaries->entrance_count++];
    *place = entrance;
    return ASTAR_OK;
}

// The functions below flood one square.

// Lists the cells from which a square will be flooded. Writes the known costs of its other border
// cells to the cutout. Returns the number of listed cells.
static size_t list_boundary_sources(AstarRouteSearch *search, const AstarBoundary *boundary,
                                    AstarCutout *cutout)
{
    AstarSource *sources = search->floods.boundaries.sources;
    size_t count = 0;
    for (int cell = 0; cell < ASTAR_LINE_CELLS; cell++) {
        size_t at = line_cell_in(cutout, cell);
        if (isinf(boundary->g[cell]) || !astar_cutout_is_open(cutout, at))
            continue;
        if ((boundary->improved[cell / 64] >> cell % 64 & 1) != 0)
            sources[count++] = (AstarSource){at, boundary->g[cell]};
        else
            cutout->g[at] = boundary->g[cell];
    }
    for (size_t i = 0; i < search->floods.boundaries.entrance_count; i++) {
        const AstarLanding *entrance = &search->floods.boundaries.entrances[i];
        int column = entrance->x - cutout->x0, row = entrance->y - cutout->y0;
        if (!astar_cutout_holds(cutout, entrance->x, entrance->y))
            continue;
        size_t at = astar_cutout_at(cutout, entrance->x, entrance->y);
        if (!astar_cutout_is_open(cutout, at))
            search->end.has_seen_frontier |= astar_route_is_absent(search, entrance->x,
                                                                   entrance->y);
        else if (!is_on_lines(column, row))
            sources[count++] = (AstarSource){at, entrance->g};
    }
    return count;
}

static AstarStatus flood_boundary(AstarRouteSearch *search, const AstarBoundary *boundary,
                                  void *context)
{
    AstarCutout *cutout = search->finder->world->cutout;
    astar_route_note_square(search, boundary->plot.i, boundary->plot.j);
    AstarBoundaries *boundaries = &search->floods.boundaries;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, boundaries->sources, (size_t)0,
                       ASTAR_LINE_CELLS + boundaries->entrance_count, &boundaries->source_capacity,
                       0))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_route_fill_square(search, boundary->plot.i, boundary->plot.j,
                                                 context);
    if (status != ASTAR_OK)
        return status;
    astar_cutout_clear(cutout);
    AstarSources sources = {boundaries->sources, list_boundary_sources(search, boundary, cutout),
                            true, 0};
    return sources.count > 0 ? astar_cutout_flood_from(cutout, sources) : ASTAR_OK;
}

// Returns the cost that the last flood has found for a cell, and the source from which the cell's
// path comes.
static AstarRouteReach route_reach_at(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    size_t at = astar_cutout_at(cutout, x, y);
    if (isinf(cutout->g[at]))
        return (AstarRouteReach){x, y, (double)INFINITY, x, y};
    size_t before = search->floods.boundaries.sources[cutout->origin[at]].at,
           stride = (size_t)cutout->stride;
    return (AstarRouteReach){x, y, cutout->g[at], cutout->x0 + (int32_t)(before % stride) - 1,
                             cutout->y0 + (int32_t)(before / stride) - 1};
}

// Records new paths to those border cells of a square whose cost the last flood has lowered.
static AstarStatus take_line_cells(AstarRouteSearch *search, AstarBoundary *boundary)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    AstarStatus status = ASTAR_OK;
    for (int cell = 0; cell < ASTAR_LINE_CELLS && status == ASTAR_OK; cell++)
        if (cutout->g[line_cell_in(cutout, cell)] < boundary->g[cell])
            status = take_way(search,
                              route_reach_at(search, cutout->x0 + line_cell_column(cell),
                                             cutout->y0 + line_cell_row(cell)),
                              boundary);
    return status;
}

// Follows the links that begin in cells that the last flood has reached, and records the paths to
// the ends of these links.
static AstarStatus follow_links_of_boundary(AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    const AstarCutout *cutout = world->cutout;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = astar_world_links_from(world, cutout->x0, cutout->y0);
         i < world->link_count && world->links[i].y0 <= cutout->y0 + SIDE && status == ASTAR_OK;
         i++) {
        const AstarLink *link = &world->links[i];
        if (!astar_cutout_holds(cutout, link->x0, link->y0))
            continue;
        AstarRouteReach from = route_reach_at(search, link->x0, link->y0);
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        if (!isinf(from.g))
            status = astar_route_land(search,
                                      (AstarLanding){link->x1, link->y1, from.g + cost, from});
    }
    return status;
}

// The functions below record where a route may end.

// Records the cheapest of the cells that are within range of a goal and that the last flood has
// reached.
static void note_goal_reached(AstarRouteSearch *search)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    AstarWorldEdit all = {cutout->x0, cutout->y0, cutout->x0 + SIDE, cutout->y0 + SIDE};
    for (size_t i = 0; i < search->aims.count; i++) {
        AstarWorldEdit box = astar_cells_shared(all, astar_route_goal_box(&search->aims.goals[i]));
        for (int32_t y = box.y0; y <= box.y1; y++)
            for (int32_t x = box.x0; x <= box.x1; x++) {
                AstarRouteReach goal = route_reach_at(search, x, y);
                if (goal.g < search->floods.boundaries.goal.g)
                    search->floods.boundaries.goal = goal;
            }
    }
}

static void note_frontier_cells(AstarRouteSearch *search, const AstarBoundary *boundary)
{
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    const AstarCutout *cutout = search->finder->world->cutout;
    int count = astar_square_frontier(search->finder, boundary->plot.i, boundary->plot.j, lines);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < lines[k].length; i++) {
            int32_t x = cutout->x0 + lines[k].column + lines[k].dx * i;
            int32_t y = cutout->y0 + lines[k].row + lines[k].dy * i;
            astar_route_note_frontier(search, route_reach_at(search, x, y));
        }
}

// The function below is one expansion of block A*.

ASTAR_COLD AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context)
{
    AstarBoundary *boundary = next_boundary(search);
    if (boundary == NULL)
        return ASTAR_OK;
    AstarStatus status = flood_boundary(search, boundary, context);
    if (status != ASTAR_OK)
        return status;
    astar_heap_pop(&search->floods.open);
    memset(boundary->improved, 0, sizeof boundary->improved);
    boundary->least = (double)INFINITY;
    status = take_line_cells(search, boundary);
    if (status == ASTAR_OK)
        status = follow_links_of_boundary(search);
    if (status != ASTAR_OK) {
        reopen_boundary(search, boundary);
        return status;
    }
    note_goal_reached(search);
    if (astar_has_frontier(search->finder))
        note_frontier_cells(search, boundary);
    search->expanded++;
    return ASTAR_RUNNING;
}

// The functions below trace the route that block A* has found, from its end back to the start.

// Adds a cell at the front of the route, unless the route already begins with that cell.
static AstarStatus lead_from(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                             AstarLegKind kind, uint32_t *first)
{
    uint32_t number;
    if (search->tree.nodes[*first].x == x && search->tree.nodes[*first].y == y)
        return ASTAR_OK;
    AstarStatus status = astar_route_number(search, x, y, &number);
    if (status != ASTAR_OK)
        return status;
    search->tree.nodes[*first].kind = (uint8_t)kind;
    search->tree.nodes[*first].parent = number - 1;
    search->tree.nodes[number - 1].g = g;
    *first = number - 1;
    return ASTAR_OK;
}

// Adds both cells of a link at the front of the route. 'entrance' is the end of the link.
static AstarStatus lead_over_link(AstarRouteSearch *search, const AstarLanding *entrance,
                                  uint32_t *first)
{
    AstarRouteReach from = entrance->from;
    AstarStatus status = lead_from(search, from.x, from.y, from.g, ASTAR_LEG_LINK, first);
    return status == ASTAR_OK ? lead_from(search, from.before_x, from.before_y,
                                          cost_to_cell(search, from.before_x, from.before_y),
                                          ASTAR_LEG_SQUARE, first)
                              : status;
}

// Adds the predecessor of the route's first node at the front of the route.
static AstarStatus lead_back(AstarRouteSearch *search, uint32_t *first)
{
    int32_t x = search->tree.nodes[*first].x, y = search->tree.nodes[*first].y;
    const AstarBoundary *boundary = astar_route_boundary(search, astar_chunk_of(x),
                                                         astar_chunk_of(y));
    bool is_on_boundary = is_on_lines(astar_in_chunk(x), astar_in_chunk(y));
    unsigned before = BY_ENTRANCE;
    if (is_on_boundary)
        before = boundary->before[line_cell_at(astar_in_chunk(x), astar_in_chunk(y))];
    if (before == BY_ENTRANCE)
        return lead_over_link(search, find_entrance(search, x, y), first);
    AstarSquares in = astar_squares_of(x, y);
    x = (in.i0 + (int32_t)(before >> 14 & 1)) * SIDE + (int32_t)(before & 127);
    y = (in.j0 + (int32_t)(before >> 15)) * SIDE + (int32_t)(before >> 7 & 127);
    return lead_from(search, x, y, cost_to_cell(search, x, y), ASTAR_LEG_SQUARE, first);
}

ASTAR_COLD AstarStatus astar_route_trace(AstarRouteSearch *search)
{
    AstarRouteReach end = isinf(search->floods.boundaries.goal.g)
                              ? search->floods.boundaries.frontier
                              : search->floods.boundaries.goal;
    uint32_t number;
    AstarStatus status = astar_route_number(search, end.x, end.y, &number);
    if (status != ASTAR_OK)
        return status;
    uint32_t first = number - 1;
    search->tree.nodes[first].g = end.g;
    search->tree.nodes[first].kind = ASTAR_LEG_NONE;
    status = lead_from(search, end.before_x, end.before_y,
                       cost_to_cell(search, end.before_x, end.before_y), ASTAR_LEG_SQUARE, &first);
    while (status == ASTAR_OK &&
           (search->tree.nodes[first].x != search->sx || search->tree.nodes[first].y != search->sy))
        status = lead_back(search, &first);
    search->end.last = number - 1;
    return status;
}

// ------------------------------------------------------------------------------------------------
// The functions and the table (AstarJobKind) by which other code runs this job.
// ------------------------------------------------------------------------------------------------

ASTAR_JOB_STEPS(step_route_search_job, astar_route_search_step(job, expansions, context))
ASTAR_JOB_TELLS(AstarStatus, status_of_route_search_job, astar_route_search_status(job))
ASTAR_JOB_TELLS(uint64_t, expanded_of_route_search_job, astar_route_search_expanded(job))
ASTAR_JOB_CLOSES(close_route_search_job, astar_route_search_free(job))

const AstarJobKind astar_route_search_job = {.name = "route search",
                                             .step = step_route_search_job,
                                             .status = status_of_route_search_job,
                                             .expanded = expanded_of_route_search_job,
                                             .close = close_route_search_job};
