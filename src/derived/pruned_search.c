// pruned_search.c -- labels while they are made: searches from one subgoal after the other, each as
// far as those before do not tell the distance.
//
// Pruned landmark labelling (T. Akiba, Y. Iwata and Y. Yoshida, "Fast Exact Shortest-Path Distance
// Queries on Large Networks by Pruned Landmark Labeling", SIGMOD 2013). The subgoals become hubs in
// some order. A search from the next one stops at each subgoal to which two labels already tell so
// short a way; all others it reaches note hub and distance in their labels. Then the least sum over
// the hubs that two labels share is the distance of their subgoals.
//
// Of ways equally short a label keeps the one of fewest subgoals, of those the one over the least.

#include "derived/labels.h"

enum {
    WORK_OF_SETTLED = 16,
    WORK_OF_RELAXED = 4,
    LEAST_LABEL_PART = 8,
    MOST_LABEL_PART = 64 // of a part of a label
};

AstarStatus astar_pruned_search_init(AstarPrunedSearch *search, const AstarSubgoalGraph *graph)
{
    const AstarAllocator *allocator = &graph->subgoals->allocator;
    size_t count = graph->subgoals->count;
    *search = (AstarPrunedSearch){.graph = graph, .count = (uint32_t)count};
    if (count >= ASTAR_MOST_SUBGOALS)
        return ASTAR_BAD_OPTION;
    search->labels = astar_alloc(allocator, count + 1, sizeof *search->labels);
    search->hubs = astar_alloc(allocator, count + 1, sizeof *search->hubs);
    search->spread = astar_alloc(allocator, count + 1, sizeof *search->spread);
    search->reached = astar_alloc(allocator, count + 1, sizeof *search->reached);
    search->touched = astar_alloc(allocator, count + 1, sizeof *search->touched);
    if (search->labels == NULL || search->hubs == NULL || search->spread == NULL ||
        search->reached == NULL || search->touched == NULL)
        return ASTAR_NO_MEMORY;
    return ASTAR_OK;
}

bool astar_pruned_search_empty(AstarPrunedSearch *search, int64_t *work)
{
    for (; search->emptied < search->count; search->emptied++, *work -= 1) {
        if (*work <= 0)
            return false;
        uint32_t i = search->emptied;
        search->hubs[i] = search->spread[i] = ASTAR_NO_SUBGOAL;
        search->reached[i].distance = ASTAR_NO_SUBGOAL;
    }
    return true;
}

void astar_pruned_search_destroy(AstarPrunedSearch *search)
{
    if (search->graph == NULL)
        return;
    const AstarAllocator *allocator = &search->graph->subgoals->allocator;
    size_t count = (size_t)search->count + 1;
    int64_t work = INT64_MAX;
    astar_arena_clear(&search->arena, allocator, &work);
    astar_release(allocator, search->labels, count, sizeof *search->labels);
    astar_release(allocator, search->hubs, count, sizeof *search->hubs);
    astar_release(allocator, search->spread, count, sizeof *search->spread);
    astar_release(allocator, search->reached, count, sizeof *search->reached);
    astar_release(allocator, search->touched, count, sizeof *search->touched);
    astar_heap64_free(&search->open, allocator);
    search->graph = NULL;
}

// ---- a search ----

static AstarStatus open_subgoal(AstarPrunedSearch *search, uint32_t number, AstarReached reached)
{
    if (reached.distance >= ASTAR_SUBGOALS_FAR)
        return ASTAR_BAD_COST;
    if (!astar_heap64_has_room(&search->open) &&
        !astar_heap64_grow(&search->open, &search->graph->subgoals->allocator))
        return ASTAR_NO_MEMORY;
    if (search->reached[number].distance == ASTAR_NO_SUBGOAL)
        search->touched[search->touched_count++] = number;
    search->reached[number] = reached;
    astar_heap64_push(&search->open, (uint64_t)reached.distance << ASTAR_CELL_BITS | number);
    return ASTAR_OK;
}

static void spread_label(AstarPrunedSearch *search, bool spreads)
{
    const AstarGrowingLabel *label = &search->labels[search->root];
    for (const AstarLabelPart *part = label->first; part != NULL; part = part->next)
        for (uint32_t i = 0; i < part->count; i++)
            search->spread[part->entries[i].hub] = spreads ? part->entries[i].distance
                                                           : ASTAR_NO_SUBGOAL;
}

// Forgets what was reached; ASTAR_RUNNING where the work is used up before.
static AstarStatus end_search(AstarPrunedSearch *search, int64_t *work)
{
    for (; search->touched_count > 0; *work -= 1) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        search->reached[search->touched[--search->touched_count]].distance = ASTAR_NO_SUBGOAL;
    }
    spread_label(search, false);
    astar_heap64_clear(&search->open);
    return ASTAR_OK;
}

AstarStatus astar_pruned_search_begin(AstarPrunedSearch *search, uint32_t root, uint32_t hub)
{
    search->root = root;
    AstarStatus status = open_subgoal(search, root, (AstarReached){0, root, 0});
    if (status != ASTAR_OK)
        return status;
    spread_label(search, true);
    search->hubs[root] = hub;
    return ASTAR_OK;
}

// Whether labels made before tell so short a way from the root.
static bool is_covered(const AstarPrunedSearch *search, uint32_t number, uint32_t distance)
{
    const AstarGrowingLabel *label = &search->labels[number];
    for (const AstarLabelPart *part = label->first; part != NULL; part = part->next)
        for (uint32_t i = 0; i < part->count; i++) {
            const AstarLabelEntry *entry = &part->entries[i];
            uint32_t to_root = search->spread[entry->hub];
            if (to_root != ASTAR_NO_SUBGOAL && to_root + entry->distance <= distance)
                return true;
        }
    return false;
}

// Makes room for as many entries as there are, within limits; false when there is no memory.
static bool add_label_part(AstarPrunedSearch *search, AstarGrowingLabel *label)
{
    uint32_t room = label->count > LEAST_LABEL_PART ? label->count : LEAST_LABEL_PART;
    room = room < MOST_LABEL_PART ? room : MOST_LABEL_PART;
    AstarLabelPart *part = astar_arena_take(&search->arena, &search->graph->subgoals->allocator,
                                            sizeof *part + room * sizeof *part->entries);
    if (part == NULL)
        return false;
    *part = (AstarLabelPart){.capacity = room};
    *(label->first != NULL ? &label->last->next : &label->first) = part;
    label->last = part;
    return true;
}

static AstarStatus add_entry(AstarPrunedSearch *search, uint32_t number)
{
    AstarGrowingLabel *label = &search->labels[number];
    const AstarReached *reached = &search->reached[number];
    uint32_t before = number == search->root ? label->count
                                             : search->labels[reached->parent].count - 1;
    if (label->count + 1 >= ASTAR_LONGEST_LABEL)
        return ASTAR_BAD_COST;
    AstarLabelPart *last = label->last;
    if (last == NULL || last->count == last->capacity) {
        if (!add_label_part(search, label))
            return ASTAR_NO_MEMORY;
        last = label->last;
    }
    uint32_t way = reached->parent | before << ASTAR_WAY_BITS;
    last->entries[last->count++] = (AstarLabelEntry){search->hubs[search->root], reached->distance,
                                                     way};
    label->count++;
    search->entries++;
    return ASTAR_OK;
}

static AstarStatus relax_edges(AstarPrunedSearch *search, uint32_t number)
{
    const AstarSubgoalGraph *graph = search->graph;
    const AstarSubgoalEdge *edges = graph->first[number];
    const AstarReached from = search->reached[number];
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < graph->degrees[number] && status == ASTAR_OK; i++) {
        uint32_t to = edges[i].to;
        AstarReached *known = &search->reached[to];
        AstarReached way = {from.distance + edges[i].cost, number, from.hops + 1};
        if (search->hubs[to] != ASTAR_NO_SUBGOAL || way.distance > known->distance)
            continue;
        if (way.distance < known->distance)
            status = open_subgoal(search, to, way);
        else if (way.hops < known->hops || (way.hops == known->hops && number < known->parent))
            *known = way;
    }
    return status;
}

static AstarStatus take_subgoal(AstarPrunedSearch *search, int64_t *work)
{
    uint64_t item = astar_heap64_pop(&search->open);
    uint32_t number = (uint32_t)item & ASTAR_CELL_MASK;
    uint32_t distance = (uint32_t)(item >> ASTAR_CELL_BITS);
    if (distance > search->reached[number].distance)
        return ASTAR_OK;
    *work -= WORK_OF_SETTLED + (int64_t)search->labels[number].count;
    if (number != search->root && is_covered(search, number, distance))
        return ASTAR_OK;
    *work -= WORK_OF_RELAXED * (int64_t)search->graph->degrees[number];
    AstarStatus status = add_entry(search, number);
    return status == ASTAR_OK ? relax_edges(search, number) : status;
}

AstarStatus astar_pruned_search_advance(AstarPrunedSearch *search, int64_t *work)
{
    while (!astar_heap64_is_empty(&search->open)) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = take_subgoal(search, work);
        if (status != ASTAR_OK)
            return status;
    }
    return end_search(search, work);
}
