// baking_order.c -- the order of hubs taken over from what was baked of the map before.
//
// Most subgoals are where they were before an edit, and the order that was good for them still is:
// to find it again would take longer than to make the labels by it.

#include "search/baking_parts.h"

enum {
    KEPT_ORDER = 8,  // of so many subgoals at most one is new where the old order is kept
    WORK_OF_HUB = 16 // to look it up in the new map
};

// What this finder's ratio and rule have in force; NULL: nothing.
static AstarBakedMap *map_in_force(const AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    return astar_baked_map_of(baked->walkable, finder->options.diagonals, finder->whole.straight,
                              finder->whole.diagonal);
}

static AstarStatus begin_order(AstarBaked *baked, AstarBakedMap *before)
{
    const AstarAllocator *allocator = &baked->finder->grid->allocator;
    AstarKeptOrder *order = &baked->order;
    size_t count = (size_t)baked->subgoals->count + 1;
    order->capacity = baked->subgoals->count;
    order->before = before;
    astar_count_up(&before->references);
    order->is_old = astar_alloc(allocator, count, sizeof *order->is_old);
    order->hubs = astar_alloc(allocator, count, sizeof *order->hubs);
    return order->is_old != NULL && order->hubs != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void drop_hubs(AstarBaked *baked)
{
    AstarKeptOrder *order = &baked->order;
    astar_release(&baked->finder->grid->allocator, order->hubs, (size_t)order->capacity + 1,
                  sizeof *order->hubs);
    order->hubs = NULL;
}

// Lets go of what is only read while the order is made.
static void drop_before(AstarBaked *baked)
{
    const AstarGrid *grid = baked->finder->grid;
    AstarKeptOrder *order = &baked->order;
    astar_release(&grid->allocator, order->is_old, (size_t)order->capacity + 1,
                  sizeof *order->is_old);
    astar_baked_map_release(grid, order->before);
    order->is_old = NULL;
    order->before = NULL;
}

void astar_baking_drop_order(AstarBaked *baked)
{
    drop_before(baked);
    drop_hubs(baked);
    baked->order = (AstarKeptOrder){0};
}

// Takes the next hub over, where there still is a subgoal.
static void keep_hub(AstarKeptOrder *order, const AstarSubgoals *subgoals)
{
    const AstarBakedMap *before = order->before;
    uint32_t place = before->subgoals->places[before->labels->order[order->read++]];
    int x = astar_place_x(place), y = astar_place_y(place);
    if (!astar_bit_at(&subgoals->corners, y, x))
        return;
    uint32_t subgoal = astar_subgoal_at(subgoals, x, y);
    order->is_old[subgoal] = true;
    order->hubs[order->count++] = subgoal;
    order->kept = order->count;
}

static AstarStatus take_order_over(AstarKeptOrder *order, const AstarSubgoals *subgoals,
                                   int64_t *work)
{
    for (; order->read < order->before->labels->count; *work -= WORK_OF_HUB) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        keep_hub(order, subgoals);
    }
    for (; order->added < subgoals->count; *work -= 1) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        uint32_t subgoal = order->added++;
        if (!order->is_old[subgoal])
            order->hubs[order->count++] = subgoal;
    }
    return ASTAR_OK;
}

AstarStatus astar_baking_keep_order(AstarBaked *baked, int64_t *work)
{
    AstarKeptOrder *order = &baked->order;
    AstarStatus status = ASTAR_OK;
    if (order->before == NULL) {
        AstarBakedMap *before = map_in_force(baked);
        if (before == NULL || before->labels == NULL)
            return ASTAR_OK;
        status = begin_order(baked, before);
    }
    if (status == ASTAR_OK)
        status = take_order_over(order, baked->subgoals, work);
    if (status != ASTAR_OK)
        return status;
    drop_before(baked);
    if (order->count - order->kept > order->count / KEPT_ORDER)
        drop_hubs(baked);
    return ASTAR_OK;
}
