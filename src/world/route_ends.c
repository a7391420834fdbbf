// route_ends.c -- how start and goal of a route's search are joined to nodes.

#include "world/route_searching.h"

#include "base/array.h"
#include "world/cutout.h"

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

// Measures from an end, or to it, to the nodes of a square that it lies in, which is built.
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

AstarStatus astar_route_measure_ends(AstarRouteSearch *search, bool is_goal, void *context)
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

// Whether all chunks are there that a unit of some size covers on a cell.
static AstarStatus is_there(AstarRouteSearch *search, int32_t x, int32_t y, int size, void *context,
                            bool *there)
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

// Has those goals count that can be stood on, or else those that are not there.
static AstarStatus judge_goals(AstarRouteSearch *search, bool are_away, void *context)
{
    size_t count = 0;
    search->is_goal_absent = are_away;
    search->aims.away = 0;
    for (size_t i = 0; i < search->aims.all; i++) {
        AstarRouteGoal goal = search->aims.goals[i];
        bool there = true, can = true;
        // Within a range the unit need not stand on the goal.
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

// Has the chunks beside a cell that are not there be wished for: by what the way to the cell and
// from their middle costs more than the best there may, and among those by how soon the unit comes.
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

bool astar_route_note_frontier(AstarRouteSearch *search, AstarRouteReach cell)
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
