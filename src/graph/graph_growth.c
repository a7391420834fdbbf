// graph_growth.c -- arrays of a search that grow a little at a time.
//
// Of a space nobody knows how many states there are, so what is kept of them grows as they are met.
// To copy a large array takes longer than a step of a search has time: one that is nearly full
// moves, a part in place of an expansion, before there is no room left. Meanwhile nothing is added
// to any. An expansion that adds more than was left has it copied in one go all the same.

#include "graph/graph_search.h"

enum {
    MANY_GROWN = 8192,   // elements; fewer are copied in one go
    LEFT_SHARE = 8,      // of the room, for the expansion before
    GROWN_AT_ONCE = 2048 // bytes in place of an expansion
};

static bool is_nearly_full(size_t count, size_t capacity)
{
    return capacity >= MANY_GROWN && count + capacity / LEFT_SHARE >= capacity;
}

// Moves a part of an array to room for twice as many; NULL where there is no memory.
static void *grow_part(AstarGraphSearch *search, void *array, size_t count, size_t size,
                       size_t *capacity)
{
    size_t bytes = *capacity * size;
    void *grown = astar_array_move(&search->alloc, array, count * size, 1, &bytes, 2 * bytes,
                                   &search->growth, GROWN_AT_ONCE);
    *capacity = bytes / size;
    return grown;
}

static AstarStatus grow_records(AstarGraphSearch *search)
{
    AstarRecord *records = grow_part(search, search->records, search->states.count, sizeof *records,
                                     &search->record_capacity);
    if (records == NULL)
        return ASTAR_NO_MEMORY;
    search->records = records;
    return ASTAR_RUNNING;
}

static AstarStatus grow_estimates(AstarGraphSearch *search)
{
    double *estimates = grow_part(search, search->estimates, search->states.count,
                                  sizeof *estimates, &search->estimate_capacity);
    if (estimates == NULL)
        return ASTAR_NO_MEMORY;
    search->estimates = estimates;
    return ASTAR_RUNNING;
}

static AstarStatus grow_keys(AstarGraphSearch *search)
{
    AstarKeys *states = &search->states;
    AstarKey *keys = grow_part(search, states->keys, states->count, sizeof *keys,
                               &states->capacity);
    if (keys == NULL)
        return ASTAR_NO_MEMORY;
    states->keys = keys;
    return ASTAR_RUNNING;
}

static AstarStatus grow_text(AstarGraphSearch *search)
{
    AstarKeys *states = &search->states;
    char *text = grow_part(search, states->text, states->text_length, 1, &states->text_capacity);
    if (text == NULL)
        return ASTAR_NO_MEMORY;
    states->text = text;
    return ASTAR_RUNNING;
}

static AstarStatus grow_open(AstarGraphSearch *search)
{
    AstarHeap *open = &search->open;
    AstarOpen *items = grow_part(search, open->items, open->count, sizeof *items, &open->capacity);
    if (items == NULL)
        return ASTAR_NO_MEMORY;
    open->items = items;
    return ASTAR_RUNNING;
}

AstarStatus astar_graph_grow_ahead(AstarGraphSearch *search)
{
    const AstarKeys *states = &search->states;
    bool is_of_space = search->options.neighbours != NULL;
    if (is_nearly_full(search->open.count, search->open.capacity))
        return grow_open(search);
    if (!is_of_space)
        return ASTAR_OK;
    if (is_nearly_full(states->count, search->record_capacity))
        return grow_records(search);
    if (search->options.estimate != NULL &&
        is_nearly_full(states->count, search->estimate_capacity))
        return grow_estimates(search);
    if (is_nearly_full(states->count, states->capacity))
        return grow_keys(search);
    return is_nearly_full(states->text_length, states->text_capacity) ? grow_text(search)
                                                                      : ASTAR_OK;
}
