// hierarchy.c -- Builds a contraction hierarchy over subgoals.
//
// Subgoals are removed one by one. A subgoal is removed early if few new edges must replace it and
// if few of its neighbours have been removed before. This priority is computed again only for the
// subgoal on top of the queue. If its priority is now worse than that of the next subgoal, the
// subgoal goes back into the queue.

#include "parts/baking/hierarchy.h"

#include <string.h>

enum {
    PRIORITY_BASE = 1 << 20, // base of all priorities, so that none is below 0
    ADDED_WEIGHT = 4,        // priority added for each edge that removing the subgoal adds
    LEFT_OUT_WEIGHT = 2,     // priority subtracted for each edge that is removed
    LEVEL_WEIGHT = 8,        // per level of removed neighbours; spreads high subgoals evenly
    // Maximum number of nodes that a search for another path settles (a witness search). GLANCE is
    // the maximum if only a priority is computed.
    GLANCE = 30,
    LOOK = 60,       // the maximum when a subgoal is removed
    LONG_LOOK = 200, // the maximum when fewer than FEW_LEFT are left
    FEW_LEFT = 4000,
    DENSE = 32,          // average edges of the subgoals left above which the rest counts as dense
    DENSE_TO_ORDER = 20, // the same limit if only the order is needed
    // The remaining subgoals may be densely connected if at most MOST_DENSE of them remain, or at
    // most 1 / SHARE_OF_DENSE of all subgoals.
    MOST_DENSE = 1000,
    SHARE_OF_DENSE = 50,
    FIRST_EDGES = 4,
    WORK_OF_SUBGOAL = 16, // work of storing the edges of a subgoal
    WORK_OF_LOOK = 4,     // work of settling a node, apart from its edges
    WORK_OF_TAKING = 64
};

// Memory.

AstarHierarchy *astar_hierarchy_alloc(const AstarAllocator *allocator, uint32_t count,
                                      uint32_t edges)
{
    AstarHierarchy *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->allocator = *allocator;
    made->count = count;
    made->first = astar_alloc(allocator, (size_t)count + 1, sizeof *made->first);
    made->edges = astar_alloc(allocator, (size_t)edges + 1, sizeof *made->edges);
    if (made->first != NULL)
        made->first[count] = edges;
    if (made->first != NULL && made->edges != NULL)
        return made;
    astar_release(allocator, made->edges, (size_t)edges + 1, sizeof *made->edges);
    made->edges = NULL;
    astar_hierarchy_free(made);
    return NULL;
}

void astar_hierarchy_free(AstarHierarchy *hierarchy)
{
    if (hierarchy == NULL)
        return;
    AstarAllocator allocator = hierarchy->allocator;
    size_t count = hierarchy->count;
    if (hierarchy->edges != NULL)
        astar_release(&allocator, hierarchy->edges, (size_t)hierarchy->first[count] + 1,
                      sizeof *hierarchy->edges);
    astar_release(&allocator, hierarchy->first, count + 1, sizeof *hierarchy->first);
    astar_release(&allocator, hierarchy, 1, sizeof *hierarchy);
}

static size_t bytes_of_hierarchy(uint32_t count, size_t edges)
{
    return sizeof(AstarHierarchy) + ((size_t)count + 1) * sizeof(uint32_t) +
           (edges + 1) * sizeof(AstarUpEdge);
}

size_t astar_hierarchy_bytes(const AstarHierarchy *hierarchy)
{
    return hierarchy != NULL
               ? bytes_of_hierarchy(hierarchy->count, hierarchy->first[hierarchy->count])
               : 0;
}

const AstarUpEdge *astar_hierarchy_edge(const AstarHierarchy *hierarchy, uint32_t a, uint32_t b)
{
    for (int i = 0; i < 2; i++) {
        uint32_t from = i == 0 ? a : b, to = i == 0 ? b : a;
        for (uint32_t k = hierarchy->first[from]; k < hierarchy->first[from + 1]; k++)
            if (hierarchy->edges[k].to == to)
                return &hierarchy->edges[k];
    }
    return NULL;
}

AstarStatus astar_contraction_new(const AstarSubgoalGraph *graph, size_t bytes,
                                  AstarContraction **out)
{
    const AstarAllocator *allocator = &graph->subgoals->allocator;
    uint32_t count = graph->subgoals->count;
    if (count >= ASTAR_CELL_MASK)
        return ASTAR_BAD_OPTION;
    AstarContraction *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    size_t besides = bytes_of_hierarchy(count, 0), room = (size_t)count + 1;
    made->graph = graph;
    made->count = count;
    made->leaving = ASTAR_NO_SUBGOAL;
    made->most_edges = bytes > besides ? (bytes - besides) / sizeof(AstarUpEdge) : 0;
    made->subgoals = astar_alloc(allocator, room, sizeof *made->subgoals);
    made->queue = astar_alloc(allocator, room, sizeof *made->queue);
    made->distances = astar_alloc(allocator, room, sizeof *made->distances);
    made->touched = astar_alloc(allocator, room, sizeof *made->touched);
    if (bytes == 0)
        made->order = astar_alloc(allocator, room, sizeof *made->order);
    if ((bytes == 0 && made->order == NULL) || made->subgoals == NULL || made->queue == NULL ||
        made->distances == NULL || made->touched == NULL) {
        astar_contraction_free(made);
        return ASTAR_NO_MEMORY;
    }
    *out = made;
    return ASTAR_OK;
}

bool astar_contraction_clear(AstarContraction *contraction, int64_t *work)
{
    return astar_arena_clear(&contraction->arena, &contraction->graph->subgoals->allocator, work);
}

void astar_contraction_free(AstarContraction *contraction)
{
    if (contraction == NULL)
        return;
    AstarAllocator allocator = contraction->graph->subgoals->allocator;
    size_t room = (size_t)contraction->count + 1;
    int64_t work = INT64_MAX;
    astar_contraction_clear(contraction, &work);
    astar_hierarchy_free(contraction->made);
    astar_release(&allocator, contraction->subgoals, room, sizeof *contraction->subgoals);
    astar_release(&allocator, contraction->queue, room, sizeof *contraction->queue);
    astar_release(&allocator, contraction->distances, room, sizeof *contraction->distances);
    astar_release(&allocator, contraction->touched, room, sizeof *contraction->touched);
    astar_release(&allocator, contraction->order, room, sizeof *contraction->order);
    astar_heap64_free(&contraction->open, &allocator);
    astar_release(&allocator, contraction, 1, sizeof *contraction);
}

// Edges.

// Adds an edge from a subgoal to another one. If the edge exists already, lowers its cost.
static AstarStatus join_to(AstarContraction *c, uint32_t from, AstarUpEdge edge)
{
    AstarContracted *subgoal = &c->subgoals[from];
    for (uint32_t i = 0; i < subgoal->count; i++)
        if (subgoal->edges[i].to == edge.to) {
            if (edge.cost < subgoal->edges[i].cost)
                subgoal->edges[i] = edge;
            return ASTAR_OK;
        }
    if (subgoal->count == subgoal->capacity) {
        AstarUpEdge *edges = astar_arena_grow(&c->arena, &c->graph->subgoals->allocator,
                                              subgoal->edges, subgoal->count, sizeof *edges,
                                              &subgoal->capacity, FIRST_EDGES);
        if (edges == NULL)
            return ASTAR_NO_MEMORY;
        subgoal->edges = edges;
    }
    subgoal->edges[subgoal->count++] = edge;
    c->ends++;
    return ASTAR_OK;
}

static AstarStatus join(AstarContraction *c, uint32_t a, uint32_t b, uint32_t cost, uint32_t middle)
{
    AstarStatus status = join_to(c, a, (AstarUpEdge){b, cost, middle});
    return status == ASTAR_OK ? join_to(c, b, (AstarUpEdge){a, cost, middle}) : status;
}

static void part_from(AstarContraction *c, uint32_t from, uint32_t to)
{
    AstarContracted *subgoal = &c->subgoals[from];
    for (uint32_t i = 0; i < subgoal->count; i++)
        if (subgoal->edges[i].to == to) {
            subgoal->edges[i] = subgoal->edges[--subgoal->count];
            c->ends--;
            return;
        }
}

static AstarStatus join_neighbours(AstarContraction *c, uint32_t number)
{
    const AstarSubgoalEdge *edges = c->graph->first[number];
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < c->graph->degrees[number] && status == ASTAR_OK; i++)
        status = join(c, number, edges[i].to, edges[i].cost, ASTAR_NO_SUBGOAL);
    return status;
}

// The functions below look for other paths between two subgoals. An edge need not be added if
// another path is as cheap.

static AstarStatus reach_subgoal(AstarContraction *c, uint32_t number, uint32_t distance)
{
    if (!astar_heap64_has_room(&c->open) &&
        !astar_heap64_grow(&c->open, &c->graph->subgoals->allocator))
        return ASTAR_NO_MEMORY;
    if (c->distances[number] == ASTAR_NO_SUBGOAL)
        c->touched[c->touched_count++] = number;
    c->distances[number] = distance;
    astar_heap64_push(&c->open, (uint64_t)distance << ASTAR_CELL_BITS | number);
    return ASTAR_OK;
}

// Computes the distances from the subgoal 'from' to others along paths that avoid the subgoal
// 'avoided'. Stops at the distance 'limit', or after 'most' settled nodes.
static AstarStatus look_for_others(AstarContraction *c, uint32_t from, uint32_t avoided,
                                   uint32_t limit, int most, int64_t *work)
{
    *work -= c->touched_count;
    for (uint32_t i = 0; i < c->touched_count; i++)
        c->distances[c->touched[i]] = ASTAR_NO_SUBGOAL;
    c->touched_count = 0;
    astar_heap64_clear(&c->open);
    AstarStatus status = reach_subgoal(c, from, 0);
    while (status == ASTAR_OK && !astar_heap64_is_empty(&c->open) && most-- > 0) {
        uint64_t item = astar_heap64_pop(&c->open);
        uint32_t number = (uint32_t)item & ASTAR_CELL_MASK;
        uint32_t distance = (uint32_t)(item >> ASTAR_CELL_BITS);
        if (distance > limit)
            break;
        if (distance > c->distances[number])
            continue;
        const AstarContracted *subgoal = &c->subgoals[number];
        *work -= WORK_OF_LOOK + (int64_t)subgoal->count;
        for (uint32_t i = 0; i < subgoal->count && status == ASTAR_OK; i++) {
            uint32_t to = subgoal->edges[i].to, way = distance + subgoal->edges[i].cost;
            if (to != avoided && way <= limit && way < c->distances[to])
                status = reach_subgoal(c, to, way);
        }
    }
    return status;
}

// Removing subgoals.

static uint32_t longest_edge(const AstarContracted *subgoal)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < subgoal->count; i++)
        longest = subgoal->edges[i].cost > longest ? subgoal->edges[i].cost : longest;
    return longest;
}

// For the edge 'replaced' of a subgoal and each later edge, counts the new edge that is needed to
// replace the path over the subgoal. Adds these new edges if 'adds' is true.
static AstarStatus replace_edge(AstarContraction *c, uint32_t number, bool adds, int most,
                                int64_t *work)
{
    const AstarContracted *subgoal = &c->subgoals[number];
    AstarUpEdge one = subgoal->edges[c->replaced];
    AstarStatus status = look_for_others(c, one.to, number, one.cost + c->longest, most, work);
    *work -= subgoal->count;
    for (uint32_t k = c->replaced + 1; k < subgoal->count && status == ASTAR_OK; k++) {
        AstarUpEdge other = subgoal->edges[k];
        if (c->distances[other.to] <= one.cost + other.cost)
            continue;
        c->added++;
        if (one.cost + other.cost >= ASTAR_SUBGOALS_FAR)
            return ASTAR_BAD_COST;
        if (!adds)
            continue;
        *work -= (int64_t)c->subgoals[one.to].count + c->subgoals[other.to].count;
        status = join(c, one.to, other.to, one.cost + other.cost, number);
    }
    return status;
}

// Counts the edges that replace a subgoal, or adds them if 'adds' is true. Returns ASTAR_RUNNING if
// the work budget is used up first.
static AstarStatus replace_subgoal(AstarContraction *c, uint32_t number, bool adds, int most,
                                   int64_t *work)
{
    const AstarContracted *subgoal = &c->subgoals[number];
    AstarStatus status = ASTAR_OK;
    if (c->replaced == 0) {
        c->longest = longest_edge(subgoal);
        c->added = 0;
    }
    for (; c->replaced + 1 < subgoal->count && status == ASTAR_OK; c->replaced++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        status = replace_edge(c, number, adds, most, work);
    }
    c->replaced = 0;
    return status;
}

static void enqueue(AstarContraction *c, uint32_t number, uint32_t priority)
{
    astar_heap64_sift_up(c->queue, c->queued++, (uint64_t)priority << ASTAR_CELL_BITS | number);
}

static AstarStatus judge(AstarContraction *c, uint32_t number, uint32_t *priority, int64_t *work)
{
    AstarStatus status = replace_subgoal(c, number, false, GLANCE, work);
    const AstarContracted *subgoal = &c->subgoals[number];
    *priority = PRIORITY_BASE + ADDED_WEIGHT * c->added - LEFT_OUT_WEIGHT * subgoal->count +
                LEVEL_WEIGHT * subgoal->level;
    return status;
}

// Marks a subgoal as removed and, if the order of subgoals is wanted, appends it to the order.
static void count_taken(AstarContraction *c, uint32_t number)
{
    c->taken++;
    if (c->order != NULL)
        c->order[c->count - c->taken] = number;
}

// Removes the subgoal 'leaving' of the contraction. The edges that remain at the subgoal are its
// edges that lead up.
static AstarStatus take_out(AstarContraction *c, int64_t *work)
{
    uint32_t number = c->leaving;
    AstarContracted *subgoal = &c->subgoals[number];
    AstarStatus status = replace_subgoal(c, number, true,
                                         c->count - c->taken < FEW_LEFT ? LONG_LOOK : LOOK, work);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t i = 0; i < subgoal->count; i++) {
        AstarContracted *above = &c->subgoals[subgoal->edges[i].to];
        *work -= above->count;
        part_from(c, subgoal->edges[i].to, number);
        above->level = above->level > subgoal->level ? above->level : subgoal->level + 1;
    }
    c->edges += subgoal->count;
    c->ends -= subgoal->count;
    count_taken(c, number);
    c->leaving = ASTAR_NO_SUBGOAL;
    return ASTAR_OK;
}

// Works on the removal of one subgoal. If an earlier call chose the subgoal, removes it from the
// graph. Otherwise takes the subgoal on top of the queue: chooses it for removal, or puts it back
// if its priority is worse than that of the next subgoal. Once the graph is too dense, the
// subgoal on top is only counted as removed.
static AstarStatus take_next(AstarContraction *c, int64_t *work)
{
    if (c->leaving != ASTAR_NO_SUBGOAL)
        return take_out(c, work);
    uint32_t number = (uint32_t)c->queue[0] & ASTAR_CELL_MASK, priority = 0;
    AstarStatus status = c->is_dense ? ASTAR_OK : judge(c, number, &priority, work);
    if (status != ASTAR_OK)
        return status;
    uint64_t last = c->queue[--c->queued];
    if (c->queued > 0)
        astar_heap64_replace_top(c->queue, c->queued, last);
    *work -= WORK_OF_TAKING;
    if (c->is_dense)
        count_taken(c, number);
    else if (c->queued > 0 && priority > c->queue[0] >> ASTAR_CELL_BITS)
        enqueue(c, number, priority);
    else
        c->leaving = number;
    return ASTAR_OK;
}

// Returns true if many subgoals are left and have so many edges that building the hierarchy and
// searching it would take more time than they save.
static bool is_too_dense(const AstarContraction *c)
{
    uint32_t left = c->count - c->taken;
    return left > MOST_DENSE && left > c->count / SHARE_OF_DENSE &&
           c->ends > (uint64_t)(c->order != NULL ? DENSE_TO_ORDER : DENSE) * left;
}

// Stores the edges that lead up from the next subgoal in the finished hierarchy.
static void lay_out_edges(AstarContraction *c, int64_t *work)
{
    const AstarContracted *subgoal = &c->subgoals[c->laid_out];
    c->made->first[c->laid_out] = c->laid_edges;
    if (subgoal->count > 0)
        memcpy(c->made->edges + c->laid_edges, subgoal->edges,
               subgoal->count * sizeof *subgoal->edges);
    c->laid_edges += subgoal->count;
    *work -= WORK_OF_SUBGOAL + (int64_t)subgoal->count;
    c->laid_out++;
}

static AstarStatus lay_out_hierarchy(AstarContraction *c, int64_t *work)
{
    if (c->made == NULL)
        c->made = astar_hierarchy_alloc(&c->graph->subgoals->allocator, c->count,
                                        (uint32_t)c->edges);
    if (c->made == NULL)
        return ASTAR_NO_MEMORY;
    for (; c->laid_out<c->count && * work> 0;)
        lay_out_edges(c, work);
    return c->laid_out == c->count ? ASTAR_OK : ASTAR_RUNNING;
}

// Does the next small part of the contraction.
static AstarStatus contract_next(AstarContraction *c, int64_t *work)
{
    // Density is checked only between the removals of two subgoals, so that the result does not
    // depend on the size of the steps.
    if (c->replaced == 0 && c->leaving == ASTAR_NO_SUBGOAL && !c->is_dense) {
        c->is_dense = is_too_dense(c);
        if (c->order == NULL && (c->is_dense || c->edges + c->ends / 2 > c->most_edges))
            return ASTAR_TOO_LARGE;
    }
    if (c->joined < c->count) {
        *work -= 16 * (1 + (int64_t)c->graph->degrees[c->joined]);
        c->distances[c->joined] = ASTAR_NO_SUBGOAL;
        return join_neighbours(c, c->joined++);
    }
    if (c->judged == c->count)
        return take_next(c, work);
    uint32_t priority;
    AstarStatus status = judge(c, c->judged, &priority, work);
    if (status != ASTAR_OK)
        return status;
    enqueue(c, c->judged++, priority);
    *work -= WORK_OF_TAKING;
    return ASTAR_OK;
}

AstarStatus astar_contraction_advance(AstarContraction *contraction, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (contraction->taken < contraction->count && status == ASTAR_OK)
        status = *work > 0 ? contract_next(contraction, work) : ASTAR_RUNNING;
    return status == ASTAR_OK && contraction->order == NULL ? lay_out_hierarchy(contraction, work)
                                                            : status;
}

AstarHierarchy *astar_contraction_take(AstarContraction *contraction)
{
    AstarHierarchy *made = contraction->made;
    contraction->made = NULL;
    return made;
}

uint32_t *astar_contraction_take_order(AstarContraction *contraction)
{
    uint32_t *order = contraction->order;
    contraction->order = NULL;
    return order;
}
