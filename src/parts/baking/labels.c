// labels.c -- hub labels over subgoals: how they are computed, and how they are stored for queries.
//
// The data of a subgoal that a query reads lies together: first the hubs of its label, which are
// looked up in another label, then the distances. The next subgoals are stored last, because they
// are read only for the found route.

#include "parts/baking/labels.h"

#include "layers/jump_turns.h"

enum { WORK_OF_LABEL = 16, WORK_OF_WAY = 8 };

// Storage.

AstarLabels *astar_labels_alloc(const AstarAllocator *allocator, uint32_t count, size_t words)
{
    AstarLabels *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->allocator = *allocator;
    made->count = count;
    made->wide = astar_is_wide(count);
    made->word_count = words;
    made->labels = astar_alloc(allocator, (size_t)count + 1, sizeof *made->labels);
    made->order = astar_alloc(allocator, (size_t)count + 1, sizeof *made->order);
    made->words = astar_alloc(allocator, words + 1, sizeof *made->words);
    if (made->labels != NULL && made->order != NULL && made->words != NULL)
        return made;
    astar_labels_free(made);
    return NULL;
}

void astar_labels_free(AstarLabels *labels)
{
    if (labels == NULL)
        return;
    AstarAllocator allocator = labels->allocator;
    size_t count = (size_t)labels->count + 1;
    astar_release(&allocator, labels->labels, count, sizeof *labels->labels);
    astar_release(&allocator, labels->order, count, sizeof *labels->order);
    astar_release(&allocator, labels->words, labels->word_count + 1, sizeof *labels->words);
    astar_release(&allocator, labels, 1, sizeof *labels);
}

static size_t bytes_of(uint32_t count, size_t words)
{
    return sizeof(AstarLabels) + (words + 1) * sizeof(uint32_t) +
           ((size_t)count + 1) * (sizeof(AstarLabelAt) + sizeof(uint32_t));
}

size_t astar_labels_bytes(const AstarLabels *labels)
{
    return labels != NULL ? bytes_of(labels->count, labels->word_count) : 0;
}

// Building.

// Returns the number of entries that the labels of 'count' subgoals can have in 'bytes' bytes.
static uint64_t entries_in(uint32_t count, size_t bytes)
{
    size_t besides = bytes_of(count, 0) +
                     2 * (size_t)count; // each label may leave half a word unused
    size_t each = astar_is_wide(count) ? 12 : 10;
    return bytes > besides ? (bytes - besides) / each : 0;
}

AstarStatus astar_labelling_new(const AstarSubgoalGraph *graph, const uint32_t *order, size_t bytes,
                                AstarLabelling **out)
{
    const AstarAllocator *allocator = &graph->subgoals->allocator;
    AstarLabelling *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->order = order;
    made->most_entries = entries_in(graph->subgoals->count, bytes);
    AstarStatus status = astar_pruned_search_init(&made->search, graph);
    if (status == ASTAR_OK)
        *out = made;
    else
        astar_labelling_free(made);
    return status;
}

bool astar_labelling_clear(AstarLabelling *labelling, int64_t *work)
{
    AstarPrunedSearch *search = &labelling->search;
    return astar_arena_clear(&search->arena, &search->graph->subgoals->allocator, work);
}

void astar_labelling_free(AstarLabelling *labelling)
{
    if (labelling == NULL)
        return;
    AstarAllocator allocator = labelling->search.graph->subgoals->allocator;
    astar_labels_free(labelling->made);
    astar_pruned_search_destroy(&labelling->search);
    astar_release(&allocator, labelling, 1, sizeof *labelling);
}

// Starts to add the next hub to the labels.
static AstarStatus begin_hub(AstarLabelling *labelling)
{
    AstarStatus status = astar_pruned_search_begin(
        &labelling->search, labelling->order[labelling->hub], labelling->hub);
    labelling->is_labelling = status == ASTAR_OK;
    return status;
}

static void write_label(AstarLabels *labels, uint32_t number, uint32_t place,
                        const AstarGrowingLabel *from, size_t at)
{
    uint32_t count = from->count, *hubs = labels->words + at;
    uint32_t *distances = hubs + astar_hub_words(labels->wide, count), *ways = distances + count;
    labels->labels[number] = astar_label_at(labels->wide, at, count, place);
    labels->longest = count > labels->longest ? count : labels->longest;
    uint32_t written = 0;
    for (const AstarLabelPart *part = from->first; part != NULL; part = part->next)
        for (uint32_t i = 0; i < part->count; i++, written++) {
            astar_hub_put(hubs, labels->wide, written, part->entries[i].hub);
            distances[written] = part->entries[i].distance;
            ways[written] = part->entries[i].way;
        }
}

static size_t words_of_label(const AstarLabelling *labelling, uint32_t number)
{
    uint32_t count = labelling->search.labels[number].count;
    return astar_hub_words(astar_is_wide(labelling->search.count), count) + 2 * (size_t)count;
}

// Counts the words that all labels need, then allocates them. Returns ASTAR_RUNNING if the work
// budget is used up first.
static AstarStatus open_labels(AstarLabelling *labelling, int64_t *work)
{
    const AstarPrunedSearch *search = &labelling->search;
    for (; labelling->measured < search->count; labelling->measured++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        labelling->words += words_of_label(labelling, labelling->measured);
        *work -= 1;
    }
    if (labelling->words > UINT32_MAX)
        return ASTAR_TOO_LARGE;
    labelling->made = astar_labels_alloc(&search->graph->subgoals->allocator, search->count,
                                         labelling->words);
    labelling->words = 0;
    return labelling->made != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void lay_out_label(AstarLabelling *labelling, uint32_t i, int64_t *work)
{
    const AstarPrunedSearch *search = &labelling->search;
    labelling->made->order[search->hubs[i]] = i;
    write_label(labelling->made, i, search->graph->subgoals->places[i], &search->labels[i],
                labelling->words);
    labelling->words += words_of_label(labelling, i);
    *work -= WORK_OF_LABEL + (int64_t)search->labels[i].count;
}

// Returns true if two paths, one after the other, form a single path of two legs.
static bool are_one_way(bool has_diagonals, uint32_t from, uint32_t over, uint32_t to)
{
    AstarTwoLegs before = astar_legs_between(has_diagonals, from, over);
    AstarTwoLegs after = astar_legs_between(has_diagonals, over, to);
    AstarTwoLegs both = astar_legs_between(has_diagonals, from, to);
    return (before.first == 0 || after.then == 0) && before.first + after.first == both.first &&
           before.then + after.then == both.then;
}

// Makes the entries of a label skip those subgoals at which the route does not begin another path
// of two legs. The route stays the same, but is read in fewer steps.
static void lengthen_ways(AstarLabels *labels, bool has_diagonals, uint32_t number)
{
    const AstarLabelAt *label = &labels->labels[number];
    const uint32_t *hubs = labels->words + label->at;
    for (uint32_t i = 0; i < label->count; i++) {
        uint32_t *way = &labels->words[label->ways + i];
        uint32_t last = labels->order[astar_hub_at(hubs, labels->wide, i)];
        uint32_t next = astar_way_subgoal(*way);
        while (number != last && next != last) {
            uint32_t on = labels->words[labels->labels[next].ways + astar_way_place(*way)];
            uint32_t over = labels->labels[next].place;
            next = astar_way_subgoal(on);
            if (!are_one_way(has_diagonals, label->place, over, labels->labels[next].place))
                break;
            *way = on;
        }
    }
}

static AstarStatus lay_out_labels(AstarLabelling *labelling, int64_t *work)
{
    const AstarSubgoals *subgoals = labelling->search.graph->subgoals;
    uint32_t count = labelling->search.count;
    AstarStatus status = labelling->made == NULL ? open_labels(labelling, work) : ASTAR_OK;
    for (; status == ASTAR_OK && labelling->laid_out < count; labelling->laid_out++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        lay_out_label(labelling, labelling->laid_out, work);
    }
    for (; status == ASTAR_OK && labelling->lengthened < count; labelling->lengthened++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        lengthen_ways(labelling->made, subgoals->rule->has_diagonals, labelling->lengthened);
        *work -= (int64_t)labelling->made->labels[labelling->lengthened].count * WORK_OF_WAY + 1;
    }
    if (status == ASTAR_OK && !astar_labelling_clear(labelling, work))
        status = ASTAR_RUNNING;
    return status;
}

AstarStatus astar_labelling_advance(AstarLabelling *labelling, int64_t *work)
{
    if (!astar_pruned_search_empty(&labelling->search, work))
        return ASTAR_RUNNING;
    while (labelling->hub < labelling->search.count) {
        AstarStatus status = labelling->is_labelling ? ASTAR_OK : begin_hub(labelling);
        if (status == ASTAR_OK)
            status = astar_pruned_search_advance(&labelling->search, work);
        if (labelling->search.entries > labelling->most_entries)
            return ASTAR_TOO_LARGE;
        if (status != ASTAR_OK)
            return status;
        labelling->is_labelling = false;
        labelling->hub++;
    }
    return lay_out_labels(labelling, work);
}

AstarLabels *astar_labelling_take(AstarLabelling *labelling)
{
    AstarLabels *made = labelling->made;
    labelling->made = NULL;
    return made;
}

// ------------------------------------------------------------------------------------------------
// Building labels: a search runs from one subgoal after another. The search is pruned at subgoals
// whose distance follows from the labels that were built before.
//
// Pruned landmark labelling (T. Akiba, Y. Iwata and Y. Yoshida, "Fast Exact Shortest-Path Distance
// Queries on Large Networks by Pruned Landmark Labeling", SIGMOD 2013). The subgoals become hubs in
// some order. A search from the next hub stops at each subgoal whose label and that of the hub
// already give a path as short. The labels of all other subgoals that the search reaches get an
// entry with the hub and its distance. In the end, the distance of two subgoals is the least sum of
// distances over the hubs that their labels share.
//
// Among equally short paths a label keeps the path with the fewest subgoals, then the path over the
// lowest subgoal.
// ------------------------------------------------------------------------------------------------

enum {
    WORK_OF_SETTLED = 16,
    WORK_OF_RELAXED = 4,
    LEAST_LABEL_PART = 8,
    MOST_LABEL_PART = 64 // entries of a part of a label
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

// The search.

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

// Clears the records of the subgoals that a search has reached. Returns ASTAR_RUNNING if the work
// budget is used up first.
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

// Returns true if the labels built before give a path from the root to a subgoal that is at most
// 'distance' long.
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

// Adds a part to a label. The part has room for as many entries as the label has already, within
// limits. Returns false if there is no memory.
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
