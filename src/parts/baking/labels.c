// labels.c -- hub labels over subgoals, laid out flat.
//
// What a query reads of a subgoal lies together: hubs to be found in another's, then distances,
// then the ways, which only the route found asks for.

#include "parts/baking/labels.h"

#include "layers/jump_turns.h"

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

// ------------------------------------------------------------------------------------------------
// What the runs of a search read that leaves some turns out.
//
// What runs read of turns beside a diagonal or ahead of a node is the reach in the slants' words;
// where no step is diagonal, runs along the row stop at each cell that has reach, and at no other.
// A search that leaves turns out reads a copy of those, in which a run that ends at such a turn has
// no reach: 2 bytes a cell, or 3 bits. Nobody reads the copy while it is written, and an edit need
// not mend it: the stretches about it are copied when dead ends are looked for again. A turn may
// then be shown to some cells from which it is seen, and hidden from those nearer to it; never the
// other way round.
//
// To hide turns in the words that all searches read, with a mark for who is to follow all, would
// want no copy; but each search on a map of which nothing is known would look for marks.
// ------------------------------------------------------------------------------------------------

enum { PRUNED_LINE = ASTAR_LINE_WORDS * sizeof(uint64_t), PART_WORDS = 2048 };

// ---- turns ----

bool astar_is_stop(const AstarRunBits *runs, AstarJumpTurn at)
{
    bool turned = astar_is_turned(at.direction);
    return astar_tile_bit(&runs->stops[at.direction], turned ? at.x : at.y, turned ? at.y : at.x) !=
           0;
}

bool astar_sees_turn(const AstarRunBits *runs, AstarJumpTurn at)
{
    return runs->slants[0] == NULL
               ? astar_tile_bit(&runs->reach[at.direction], at.y, at.x) != 0
               : astar_slant_bit(*astar_slant_word(runs, at.direction, at.x, at.y), ASTAR_ASIDE,
                                 at.x) != 0;
}

// ---- memory ----

// The arrays that are copied: of all slants; or of rows their stops, and their reach to the south
// and north.
static int copied_arrays(const AstarJumpBitmaps *jump)
{
    return jump->rule->has_diagonals ? 1 : 3;
}

static uint64_t **copied_array(AstarRunBits *runs, int i)
{
    if (runs->slants[0] != NULL)
        return &runs->slants[i];
    return i == 0 ? &runs->stops[ASTAR_EAST].words
                  : &runs->reach[i == 1 ? ASTAR_SOUTH : ASTAR_NORTH].words;
}

// How many words each has.
static size_t words_of_array(const AstarJumpBitmaps *jump)
{
    size_t columns = (size_t)jump->width + 2, rows = (size_t)jump->height + 2;
    return jump->rule->has_diagonals
               ? (columns + ASTAR_STRIP - 1) / ASTAR_STRIP * jump->runs.strip
               : (rows + 7) / 8 * jump->runs.stops[ASTAR_EAST].stride * ASTAR_LINE_WORDS;
}

// One more, for the block may begin within one.
static size_t pruned_lines(const AstarJumpBitmaps *jump)
{
    return (size_t)copied_arrays(jump) * words_of_array(jump) / ASTAR_LINE_WORDS + 1;
}

bool astar_pruned_new(AstarJumpBitmaps *jump)
{
    AstarDeadEnds *ends = jump->dead_ends;
    ends->block = astar_alloc(&jump->allocator, pruned_lines(jump), PRUNED_LINE);
    if (ends->block == NULL)
        return false;
    size_t within = (uintptr_t)ends->block % PRUNED_LINE;
    char *first = (char *)ends->block + (within > 0 ? PRUNED_LINE - within : 0);
    ends->runs = jump->runs;
    for (int i = 0; i < copied_arrays(jump); i++)
        *copied_array(&ends->runs, i) = (uint64_t *)(void *)first +
                                        (size_t)i * words_of_array(jump);
    if (jump->rule->has_diagonals)
        astar_slants_at(&ends->runs, ends->runs.slants[0]);
    else
        ends->runs.stops[ASTAR_WEST] = ends->runs.stops[ASTAR_EAST];
    return true;
}

void astar_pruned_free(AstarJumpBitmaps *jump)
{
    astar_release(&jump->allocator, jump->dead_ends->block, pruned_lines(jump), PRUNED_LINE);
}

size_t astar_pruned_bytes(const AstarJumpBitmaps *jump)
{
    return pruned_lines(jump) * PRUNED_LINE;
}

// ---- reach ----

static void put_pruned_aside(const AstarRunBits *runs, int slant, AstarOnSlant kind, int x, int y,
                             bool reach)
{
    astar_put_in(astar_slant_word(runs, slant, x, y),
                 (uint64_t)1 << ((int)kind * ASTAR_STRIP + (x & (ASTAR_STRIP - 1))), reach);
}

// Tells a cell whether the run from it ends at a turn that is not left out.
static void put_pruned_reach(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool reach)
{
    const AstarRunBits *runs = &jump->dead_ends->runs;
    const int word = at.x >> 6;
    const uint64_t bit = (uint64_t)1 << (at.x & 63);
    if (jump->rule->has_diagonals) {
        put_pruned_aside(runs, at.direction, ASTAR_ASIDE, at.x, at.y, reach);
        put_pruned_aside(runs, (at.direction + 3) & 3, ASTAR_ASIDE_NEXT, at.x, at.y, reach);
        return;
    }
    uint64_t stops = *astar_tile_word(&runs->reach[at.direction ^ 2], at.y, word) |
                     astar_irregular_word(jump->irregular, at.y, (size_t)word);
    bool is_stop = reach || (stops & bit) != 0 || !astar_is_free_at(runs, at.x, at.y);
    astar_put_in(astar_tile_word(&runs->reach[at.direction], at.y, word), bit, reach);
    astar_put_in(astar_tile_word(&runs->stops[ASTAR_EAST], at.y, word), bit, is_stop);
}

void astar_pruned_show(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown)
{
    for (bool is_last = false; !is_last; at = astar_step_back(at)) {
        is_last = astar_is_stop(&jump->runs, at);
        if (is_last && !astar_is_free_at(&jump->runs, at.x, at.y))
            return;
        put_pruned_reach(jump, at, is_shown);
    }
}

// ---- copies ----

static int parts_of_array(const AstarJumpBitmaps *jump)
{
    return (int)((words_of_array(jump) + PART_WORDS - 1) / PART_WORDS);
}

int astar_pruned_parts(const AstarJumpBitmaps *jump)
{
    return copied_arrays(jump) * parts_of_array(jump);
}

void astar_pruned_copy_part(AstarJumpBitmaps *jump, int part)
{
    int array = part / parts_of_array(jump);
    size_t first = (size_t)(part % parts_of_array(jump)) * PART_WORDS;
    size_t left = words_of_array(jump) - first;
    memcpy(*copied_array(&jump->dead_ends->runs, array) + first,
           *copied_array(&jump->runs, array) + first,
           (left < PART_WORDS ? left : PART_WORDS) * sizeof(uint64_t));
}

static bool is_inside_bitmaps(const AstarJumpBitmaps *jump, int x, int y)
{
    return x >= 1 && x <= jump->width && y >= 1 && y <= jump->height;
}

// Copies the reach of the cells from which a flip can be seen, along a row or column through it or
// beside it: from it back to the last stop that it has not changed; how many.
static int copy_reach(const AstarJumpBitmaps *jump, AstarJumpTurn at)
{
    int steps = 0;
    for (bool ends = false; !ends && is_inside_bitmaps(jump, at.x, at.y);
         at = astar_step_back(at)) {
        put_pruned_reach(jump, at, astar_sees_turn(&jump->runs, at));
        ends = steps++ >= 2 && astar_is_stop(&jump->runs, at);
    }
    return steps;
}

// Copies where diagonal runs end at a cell, and turn.
static void copy_ends(const AstarJumpBitmaps *jump, int x, int y)
{
    const uint64_t ends =
        (UINT64_C(1) << ASTAR_ENDS * ASTAR_STRIP | UINT64_C(1) << ASTAR_TURNS * ASTAR_STRIP)
        << (x & (ASTAR_STRIP - 1));
    for (int slant = 0; slant < 4; slant++) {
        uint64_t *word = astar_slant_word(&jump->dead_ends->runs, slant, x, y);
        *word = (*word & ~ends) | (*astar_slant_word(&jump->runs, slant, x, y) & ends);
    }
}

int astar_pruned_copy_about(const AstarJumpBitmaps *jump, AstarCell flip)
{
    int x = flip.x + 1, y = flip.y + 1, cells = 0;
    for (int side = -1; side <= 1; side++)
        for (int direction = 0; direction < 4; direction++) {
            bool turned = astar_is_turned(direction);
            AstarJumpTurn at = {direction, turned ? x + side : x, turned ? y : y + side};
            if (!astar_looks_aside(jump, direction))
                cells += copy_reach(jump, at);
        }
    for (int i = 0; i < 9 && jump->rule->has_diagonals; i++)
        if (is_inside_bitmaps(jump, x + i % 3 - 1, y + i / 3 - 1))
            copy_ends(jump, x + i % 3 - 1, y + i / 3 - 1);
    return cells;
}

// ------------------------------------------------------------------------------------------------
// Labels while they are made: searches from one subgoal after the other, each as
// far as those before do not tell the distance.
//
// Pruned landmark labelling (T. Akiba, Y. Iwata and Y. Yoshida, "Fast Exact Shortest-Path Distance
// Queries on Large Networks by Pruned Landmark Labeling", SIGMOD 2013). The subgoals become hubs in
// some order. A search from the next one stops at each subgoal to which two labels already tell so
// short a way; all others it reaches note hub and distance in their labels. Then the least sum over
// the hubs that two labels share is the distance of their subgoals.
//
// Of ways equally short a label keeps the one of fewest subgoals, of those the one over the least.
// ------------------------------------------------------------------------------------------------

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
