// label_order.c -- in which order subgoals become hubs.

#include "derived/label_order.h"

#include "base/array.h"
#include "derived/layer.h"

enum {
    TREES = 64,             // nodes wanted alive, for each subgoal
    MOST_NODES = 1 << 21,   // in all, where there are many subgoals
    REFILLED_SHARE = 4,     // of those wanted: from there down more trees are grown
    LARGEST_ROUND = 2,      // times the nodes wanted, that a round may settle
    LONGEST = 6,            // the same of all rounds together
    ROUNDS = 64,            // about, over all hubs
    DEGREES = 64,           // edges decide between equal scores
    WORK_OF_PAGE = 4096,    // to make or free it
    WORK_OF_SCORE = 16,     // to bring it up to date
    WORK_OF_TREE_NODE = 16, // to add it to its tree, or keep it: memory all over is read
    WORK_OF_STAGE_PART = 4  // of another stage
};

static inline AstarTreeNode *tree_node(const AstarLabelOrder *order, size_t number)
{
    return &order->pages[number / ASTAR_TREE_PAGE][number % ASTAR_TREE_PAGE];
}

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
    return ASTAR_OK;
}

bool astar_label_order_clear(AstarLabelOrder *order, int64_t *work)
{
    for (; order->page_count > 0 && *work > 0; *work -= WORK_OF_PAGE)
        astar_release(&order->search->graph->subgoals->allocator, order->pages[--order->page_count],
                      ASTAR_TREE_PAGE, sizeof **order->pages);
    return order->page_count == 0;
}

void astar_label_order_destroy(AstarLabelOrder *order)
{
    if (order->search == NULL)
        return;
    const AstarAllocator *allocator = &order->search->graph->subgoals->allocator;
    size_t count = (size_t)order->search->count + 1;
    int64_t all = ASTAR_ALL_WORK;
    astar_label_order_clear(order, &all);
    astar_release(allocator, order->pages, order->page_capacity, sizeof *order->pages);
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

// Gathers the score of the next subgoal that is no hub yet.
static void score_next(AstarLabelOrder *order)
{
    uint32_t i = order->at++;
    if (order->search->hubs[i] == ASTAR_NO_SUBGOAL)
        order->heap[order->heap_count++] = (AstarScore){score_of(order, i), i};
}

// Brings the greatest score up to date; false where that was so.
static bool freshen_top(AstarLabelOrder *order)
{
    AstarScore *top = order->heap;
    uint64_t now = score_of(order, top->subgoal);
    if (now == top->score)
        return false;
    top->score = now;
    sink_score(order, 0);
    return true;
}

uint32_t astar_label_order_choose(AstarLabelOrder *order)
{
    AstarScore *top = order->heap;
    uint32_t chosen = top->subgoal;
    *top = order->heap[--order->heap_count];
    if (order->heap_count > 0)
        sink_score(order, 0);
    order->hubs++;
    order->covering = order->heads[chosen];
    order->stage = ASTAR_ORDER_COVER;
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

// Makes room for the nodes of the tree just grown; ASTAR_RUNNING where the work is used up before.
static AstarStatus make_room(AstarLabelOrder *order, int64_t *work)
{
    const AstarAllocator *allocator = &order->search->graph->subgoals->allocator;
    size_t wanted = (order->count + order->search->settled_count) / ASTAR_TREE_PAGE + 1;
    if (wanted > order->page_count &&
        !ASTAR_RESERVE(allocator, order->pages, order->page_count, wanted - order->page_count,
                       &order->page_capacity, 16))
        return ASTAR_NO_MEMORY;
    for (; order->page_count < wanted; order->page_count++, *work -= WORK_OF_PAGE) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarTreeNode *page = astar_alloc(allocator, ASTAR_TREE_PAGE, sizeof *page);
        if (page == NULL)
            return ASTAR_NO_MEMORY;
        order->pages[order->page_count] = page;
    }
    return ASTAR_OK;
}

// The nodes that follow each are summed up from the last one on; those of the last have none.
static void sum_next(AstarLabelOrder *order)
{
    const AstarPrunedSearch *search = order->search;
    uint32_t *sizes = order->sizes, count = search->settled_count, i = order->at++;
    if (i < count) {
        sizes[search->settled[i]] = 1;
        return;
    }
    uint32_t subgoal = search->settled[2 * count - 1 - i];
    if (subgoal != search->root)
        sizes[search->reached[subgoal].parent] += sizes[subgoal];
}

// Adds the next node of the tree just grown: each comes before those its ways go on to.
static void place_next(AstarLabelOrder *order)
{
    const AstarPrunedSearch *search = order->search;
    uint32_t i = order->at++, subgoal = search->settled[i];
    uint32_t parent = search->reached[subgoal].parent, size = order->sizes[subgoal];
    order->places[subgoal] = i == 0 ? (uint32_t)order->count : order->free[parent];
    if (i > 0)
        order->free[parent] += size;
    order->free[subgoal] = order->places[subgoal] + 1;
    *tree_node(order, order->places[subgoal]) = (AstarTreeNode){subgoal, order->places[parent],
                                                                size, size, order->heads[subgoal]};
    order->heads[subgoal] = order->places[subgoal];
    order->scores[subgoal] += i > 0 ? size : 0;
}

// Lets go of the next node if hubs cover it. What the ways to a node that is left come from is
// left, too, and each is again followed by those that its ways go on to.
static void keep_next(AstarLabelOrder *order)
{
    AstarTreeNode node = *tree_node(order, order->at++);
    uint32_t *open = order->free, kept = order->kept; // the nodes whose followers are to come
    if (node.alive == 0)
        return;
    while (order->depth > 0 &&
           kept >= open[order->depth - 1] + tree_node(order, open[order->depth - 1])->size)
        order->depth--;
    node.parent = order->depth > 0 ? open[order->depth - 1] : kept;
    node.size = node.alive;
    node.next = order->heads[node.subgoal];
    order->heads[node.subgoal] = kept;
    open[order->depth++] = kept;
    *tree_node(order, kept) = node;
    order->kept++;
}

// Begins to take what is alive from the next node on out of the scores.
static void begin_to_cover(AstarLabelOrder *order)
{
    uint32_t node = order->covering;
    const AstarTreeNode *first = tree_node(order, node);
    order->covering = first->next;
    order->covered = first->alive;
    order->above = order->below = node;
    order->below_end = node + (first->alive > 0 ? first->size : 0);
}

// Takes it out of the scores of those that ways to the node come over.
static void cover_above(AstarLabelOrder *order, int64_t *work)
{
    AstarTreeNode *above = tree_node(order, order->above);
    for (; *work > 0 && above->parent != order->above; *work -= WORK_OF_STAGE_PART) {
        order->above = above->parent;
        above = tree_node(order, order->above);
        above->alive -= order->covered;
        if (above->parent != order->above) // at the root a way begins, and none leads over it
            order->scores[above->subgoal] -= order->covered;
    }
}

// And out of those of the nodes that follow.
static void cover_below(AstarLabelOrder *order, int64_t *work)
{
    for (; *work > 0 && order->below < order->below_end;
         order->below++, *work -= WORK_OF_STAGE_PART) {
        AstarTreeNode *below = tree_node(order, order->below);
        if (below->parent != order->below)
            order->scores[below->subgoal] -= below->alive;
        order->alive -= below->alive > 0;
        below->alive = 0;
    }
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
    order->tries = order->hubs == 0 ? TREES : TREES * 16;
    order->round_end = order->spent + LARGEST_ROUND * order->wanted;
    uint32_t left = order->search->count - order->hubs;
    order->next_round = order->hubs + left / ROUNDS + 1;
    order->kept = order->depth = 0;
    order->candidate_count = 0;
}

static void gather_next(AstarLabelOrder *order)
{
    uint32_t i = order->at++;
    if (order->search->hubs[i] == ASTAR_NO_SUBGOAL)
        order->candidates[order->candidate_count++] = i;
}

// Goes on to another stage.
static void turn_to(AstarLabelOrder *order, AstarOrderStage stage)
{
    order->stage = stage;
    order->at = 0;
}

// Grows the next tree of the round.
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
    if (status == ASTAR_OK && order->search->settled_count > 1)
        status = make_room(order, work);
    if (status == ASTAR_OK)
        turn_to(order, ASTAR_ORDER_SUM);
    return status;
}

// Ends a tree, and perhaps the round.
static void end_tree(AstarLabelOrder *order)
{
    uint32_t count = order->search->settled_count;
    if (count > 1) {
        order->count += count;
        order->alive += count;
    }
    order->is_growing = false;
    order->spent += count;
    order->heap_count = 0;
    bool is_last = order->alive >= order->wanted || --order->tries == 0 ||
                   order->spent > order->round_end;
    turn_to(order, is_last ? ASTAR_ORDER_SCORE : ASTAR_ORDER_GROW);
}

// How many parts a stage has.
static uint32_t parts_of_stage(const AstarLabelOrder *order)
{
    uint32_t settled = order->search->settled_count > 1 ? order->search->settled_count : 0;
    switch (order->stage) {
    case ASTAR_ORDER_LET_GO: return (uint32_t)order->count;
    case ASTAR_ORDER_SUM: return 2 * settled;
    case ASTAR_ORDER_PLACE: return settled;
    case ASTAR_ORDER_RANK: return order->heap_count / 2;
    default: return order->search->count;
    }
}

static int64_t work_of_part(const AstarLabelOrder *order)
{
    switch (order->stage) {
    case ASTAR_ORDER_LET_GO:
    case ASTAR_ORDER_SUM:
    case ASTAR_ORDER_PLACE: return WORK_OF_TREE_NODE;
    default: return WORK_OF_STAGE_PART;
    }
}

static void do_part(AstarLabelOrder *order)
{
    switch (order->stage) {
    case ASTAR_ORDER_EMPTY: order->heads[order->at++] = ASTAR_NO_SUBGOAL; break;
    case ASTAR_ORDER_LET_GO: keep_next(order); break;
    case ASTAR_ORDER_GATHER: gather_next(order); break;
    case ASTAR_ORDER_SUM: sum_next(order); break;
    case ASTAR_ORDER_PLACE: place_next(order); break;
    case ASTAR_ORDER_SCORE: score_next(order); break;
    default: sink_score(order, order->heap_count / 2 - ++order->at);
    }
}

static void end_stage(AstarLabelOrder *order)
{
    switch (order->stage) {
    case ASTAR_ORDER_LET_GO: order->count = order->kept; break;
    case ASTAR_ORDER_PLACE: end_tree(order); return;
    default: break;
    }
    turn_to(order, (AstarOrderStage)(order->stage + 1));
}

static void cover_next(AstarLabelOrder *order, int64_t *work)
{
    if (order->below < order->below_end) {
        cover_above(order, work);
        cover_below(order, work);
    } else if (order->covering != ASTAR_NO_SUBGOAL) {
        begin_to_cover(order);
        *work -= 1;
    } else if (is_round_due(order)) {
        begin_round(order);
        turn_to(order, ASTAR_ORDER_EMPTY);
    } else {
        turn_to(order, ASTAR_ORDER_FRESHEN);
    }
}

static void freshen_next(AstarLabelOrder *order, int64_t *work)
{
    *work -= WORK_OF_SCORE;
    if (!freshen_top(order))
        turn_to(order, ASTAR_ORDER_CHOOSE);
}

AstarStatus astar_label_order_advance(AstarLabelOrder *order, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (order->stage != ASTAR_ORDER_CHOOSE && status == ASTAR_OK) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        if (order->stage == ASTAR_ORDER_COVER) {
            cover_next(order, work);
        } else if (order->stage == ASTAR_ORDER_GROW) {
            status = grow_tree(order, work);
        } else if (order->stage == ASTAR_ORDER_FRESHEN) {
            freshen_next(order, work);
        } else {
            uint32_t parts = parts_of_stage(order);
            int64_t each = work_of_part(order);
            for (; order->at<parts && * work> 0; *work -= each)
                do_part(order);
            if (order->at == parts)
                end_stage(order);
        }
    }
    return status;
}
