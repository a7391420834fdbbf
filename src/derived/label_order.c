// label_order.c -- in which order subgoals become hubs.

#include "derived/label_order.h"

#include "base/array.h"

#include <string.h>

enum {
    TREES = 64,           // nodes wanted alive, for each subgoal
    MOST_NODES = 1 << 21, // in all, where there are many subgoals
    REFILLED_SHARE = 4,   // of those wanted: from there down more trees are grown
    LARGEST_ROUND = 2,    // times the nodes wanted, that a round may settle
    LONGEST = 6,          // the same of all rounds together
    ROUNDS = 64,          // about, over all hubs
    DEGREES = 64          // edges decide between equal scores
};

AstarStatus astar_label_order_init(AstarLabelOrder *order, AstarPrunedSearch *search)
{
    const AstarAllocator *allocator = &search->graph->subgoals->allocator;
    size_t count = (size_t)search->count + 1;
    *order = (AstarLabelOrder){
        .search = search, .random = 88172645463325252u, .covering = ASTAR_NO_SUBGOAL};
    order->wanted = (uint64_t)TREES * search->count;
    order->wanted = order->wanted < MOST_NODES ? order->wanted : MOST_NODES;
    order->most_spent = LONGEST * order->wanted;
    order->heads = astar_alloc(allocator, count, sizeof *order->heads);
    order->scores = astar_alloc(allocator, count, sizeof *order->scores);
    order->places = astar_alloc(allocator, count, sizeof *order->places);
    order->free = astar_alloc(allocator, count, sizeof *order->free);
    order->sizes = astar_alloc(allocator, count, sizeof *order->sizes);
    order->candidates = astar_alloc(allocator, count, sizeof *order->candidates);
    order->heap = astar_alloc(allocator, count, sizeof *order->heap);
    if (order->heads == NULL || order->scores == NULL || order->places == NULL ||
        order->free == NULL || order->sizes == NULL || order->candidates == NULL ||
        order->heap == NULL)
        return ASTAR_NO_MEMORY;
    memset(order->heads, 0xFF, count * sizeof *order->heads);
    return ASTAR_OK;
}

void astar_label_order_destroy(AstarLabelOrder *order)
{
    if (order->search == NULL)
        return;
    const AstarAllocator *allocator = &order->search->graph->subgoals->allocator;
    size_t count = (size_t)order->search->count + 1;
    astar_release(allocator, order->nodes, order->capacity, sizeof *order->nodes);
    astar_release(allocator, order->heads, count, sizeof *order->heads);
    astar_release(allocator, order->scores, count, sizeof *order->scores);
    astar_release(allocator, order->places, count, sizeof *order->places);
    astar_release(allocator, order->free, count, sizeof *order->free);
    astar_release(allocator, order->sizes, count, sizeof *order->sizes);
    astar_release(allocator, order->candidates, count, sizeof *order->candidates);
    astar_release(allocator, order->heap, count, sizeof *order->heap);
    order->search = NULL;
}

// ---- scores ----

static uint64_t score_of(const AstarLabelOrder *order, uint32_t subgoal)
{
    uint32_t degree = order->search->graph->degrees[subgoal];
    return order->scores[subgoal] * DEGREES + (degree < DEGREES ? degree : DEGREES - 1);
}

// Of equal scores the lesser subgoal comes first.
static bool is_better(const AstarScore *a, const AstarScore *b)
{
    return a->score != b->score ? a->score > b->score : a->subgoal < b->subgoal;
}

static void sink_score(AstarLabelOrder *order, uint32_t at)
{
    AstarScore *heap = order->heap, item = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < order->heap_count; at = child) {
        if (child + 1 < order->heap_count && is_better(&heap[child + 1], &heap[child]))
            child++;
        if (!is_better(&heap[child], &item))
            break;
        heap[at] = heap[child];
    }
    heap[at] = item;
}

// Gathers the scores of all that are no hubs yet.
static void rank_subgoals(AstarLabelOrder *order)
{
    order->heap_count = 0;
    for (uint32_t i = 0; i < order->search->count; i++)
        if (order->search->hubs[i] == ASTAR_NO_SUBGOAL)
            order->heap[order->heap_count++] = (AstarScore){score_of(order, i), i};
    for (uint32_t i = order->heap_count / 2; i-- > 0;)
        sink_score(order, i);
}

uint32_t astar_label_order_choose(AstarLabelOrder *order)
{
    AstarScore *top = order->heap;
    for (uint64_t now; (now = score_of(order, top->subgoal)) != top->score;) {
        top->score = now;
        sink_score(order, 0);
    }
    uint32_t chosen = top->subgoal;
    *top = order->heap[--order->heap_count];
    if (order->heap_count > 0)
        sink_score(order, 0);
    order->hubs++;
    order->covering = order->heads[chosen];
    return chosen;
}

// ---- trees ----

static uint32_t draw(AstarLabelOrder *order, uint32_t count)
{
    order->random ^= order->random << 13;
    order->random ^= order->random >> 7;
    order->random ^= order->random << 17;
    return (uint32_t)((order->random >> 11) % count);
}

// Adds the nodes of the tree just grown, each before those its ways go on to.
static void place_nodes(AstarLabelOrder *order)
{
    const AstarPrunedSearch *search = order->search;
    uint32_t *sizes = order->sizes;
    const uint32_t *settled = search->settled;
    uint32_t count = search->settled_count, first = (uint32_t)order->count;
    for (uint32_t i = 0; i < count; i++)
        sizes[settled[i]] = 1;
    for (uint32_t i = count; --i > 0;)
        sizes[search->reached[settled[i]].parent] += sizes[settled[i]];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t subgoal = settled[i], parent = search->reached[subgoal].parent;
        uint32_t size = sizes[subgoal];
        order->places[subgoal] = i == 0 ? first : order->free[parent];
        if (i > 0)
            order->free[parent] += size;
        order->free[subgoal] = order->places[subgoal] + 1;
        order->nodes[order->places[subgoal]] = (AstarTreeNode){subgoal, order->places[parent], size,
                                                               size, order->heads[subgoal]};
        order->heads[subgoal] = order->places[subgoal];
        order->scores[subgoal] += i > 0 ? size : 0;
    }
    order->count += count;
    order->alive += count;
}

// Adds the tree just grown.
static AstarStatus add_tree(AstarLabelOrder *order)
{
    uint32_t count = order->search->settled_count;
    if (count < 2)
        return ASTAR_OK;
    if (order->count + count > order->capacity) {
        AstarTreeNode *nodes = astar_array_grow(&order->search->graph->subgoals->allocator,
                                                order->nodes, order->count, sizeof *nodes,
                                                &order->capacity, order->count + count, 1024);
        if (nodes == NULL)
            return ASTAR_NO_MEMORY;
        order->nodes = nodes;
    }
    place_nodes(order);
    return ASTAR_OK;
}

// Lets go of the nodes that hubs cover. What the ways to a node that is left come from is left,
// too, and each is again followed by those that its ways go on to.
static void compact_trees(AstarLabelOrder *order)
{
    AstarTreeNode *nodes = order->nodes;
    uint32_t kept = 0, depth = 0, *open = order->free; // the nodes whose followers are to come
    memset(order->heads, 0xFF, order->search->count * sizeof *order->heads);
    for (size_t i = 0; i < order->count; i++) {
        AstarTreeNode node = nodes[i];
        if (node.alive == 0)
            continue;
        while (depth > 0 && kept >= open[depth - 1] + nodes[open[depth - 1]].size)
            depth--;
        node.parent = depth > 0 ? open[depth - 1] : kept;
        node.size = node.alive;
        node.next = order->heads[node.subgoal];
        order->heads[node.subgoal] = kept;
        open[depth++] = kept;
        nodes[kept++] = node;
    }
    order->count = kept;
}

// Takes what is alive from one node on out of the scores.
static int64_t cover_from(AstarLabelOrder *order, uint32_t node)
{
    AstarTreeNode *nodes = order->nodes;
    uint32_t alive = nodes[node].alive, at = node, end = node + nodes[node].size;
    int64_t looked = 1;
    for (; alive > 0 && nodes[at].parent != at; looked++) {
        at = nodes[at].parent;
        nodes[at].alive -= alive;
        if (nodes[at].parent != at) // at the root a way begins, and none leads over it
            order->scores[nodes[at].subgoal] -= alive;
    }
    for (at = node; alive > 0 && at < end; at++, looked++) {
        if (nodes[at].parent != at)
            order->scores[nodes[at].subgoal] -= nodes[at].alive;
        order->alive -= nodes[at].alive > 0;
        nodes[at].alive = 0;
    }
    return looked;
}

// ---- rounds ----

static bool is_round_due(const AstarLabelOrder *order)
{
    return order->hubs >= order->next_round && order->hubs < order->search->count &&
           (order->hubs == 0 ||
            (order->spent <= order->most_spent && order->alive < order->wanted / REFILLED_SHARE));
}

static void begin_round(AstarLabelOrder *order)
{
    compact_trees(order);
    order->is_in_round = true;
    order->tries = order->hubs == 0 ? TREES : TREES * 16;
    order->round_end = order->spent + LARGEST_ROUND * order->wanted;
    uint32_t left = order->search->count - order->hubs;
    order->next_round = order->hubs + left / ROUNDS + 1;
    order->candidate_count = 0;
    for (uint32_t i = 0; i < order->search->count; i++)
        if (order->search->hubs[i] == ASTAR_NO_SUBGOAL)
            order->candidates[order->candidate_count++] = i;
}

// Grows the next tree of the round, or ends it.
static AstarStatus grow_tree(AstarLabelOrder *order, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (!order->is_growing) {
        uint32_t root = order->candidates[draw(order, order->candidate_count)];
        status = astar_pruned_search_begin(order->search, root, ASTAR_SUBGOALS_FAR);
        order->is_growing = status == ASTAR_OK;
    }
    if (status == ASTAR_OK)
        status = astar_pruned_search_advance(order->search, work);
    if (status == ASTAR_OK)
        status = add_tree(order);
    if (status != ASTAR_OK)
        return status;
    order->is_growing = false;
    order->spent += order->search->settled_count;
    if (order->alive >= order->wanted || --order->tries == 0 || order->spent > order->round_end) {
        rank_subgoals(order);
        order->is_in_round = false;
    }
    return ASTAR_OK;
}

AstarStatus astar_label_order_advance(AstarLabelOrder *order, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (order->covering != ASTAR_NO_SUBGOAL && *work > 0) {
        uint32_t node = order->covering;
        order->covering = order->nodes[node].next;
        *work -= cover_from(order, node);
    }
    if (order->covering != ASTAR_NO_SUBGOAL)
        return ASTAR_RUNNING;
    if (!order->is_in_round && is_round_due(order))
        begin_round(order);
    while (order->is_in_round && status == ASTAR_OK)
        status = *work > 0 ? grow_tree(order, work) : ASTAR_RUNNING;
    return status;
}
