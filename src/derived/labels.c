// labels.c -- hub labels over subgoals, laid out flat.
//
// What a query reads of a subgoal lies together: hubs to be found in another's, then distances,
// then the ways, which only the route found asks for.

#include "derived/labels.h"

enum { WORK_OF_LABEL = 16, WORK_OF_WAY = 8 };

// ---- laid out ----

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

// ---- being made ----

// How many entries labels of so many bytes can have.
static uint64_t entries_in(uint32_t count, size_t bytes)
{
    size_t besides = bytes_of(count, 0) + 2 * (size_t)count; // half a word of each may be idle
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

// Begins with the labels that name the next hub.
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

// Takes memory for the labels once their words are counted.
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

// Whether two ways, one after the other, are the straight and the diagonal leg of one.
static bool are_one_way(bool has_diagonals, uint32_t from, uint32_t over, uint32_t to)
{
    AstarTwoLegs before = astar_legs_between(has_diagonals, from, over);
    AstarTwoLegs after = astar_legs_between(has_diagonals, over, to);
    AstarTwoLegs both = astar_legs_between(has_diagonals, from, to);
    return (before.first == 0 || after.then == 0) && before.first + after.first == both.first &&
           before.then + after.then == both.then;
}

// Leads the ways of a label past subgoals at which a route does not begin another way of two legs:
// the route is the same, gathered in fewer steps.
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
