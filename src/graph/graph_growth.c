// graph_growth.c -- arrays of a search that grow a little at a time.
//
// Of a space nobody knows how many states there are, so what is kept of them grows as they are met.
// To copy a large array takes longer than a step of a search has time: one that is nearly full
// moves, a part in place of an expansion, before there is no room left. Meanwhile nothing is added
// to any. An expansion that adds more than was left has it copied in one go all the same.

#include "graph/graph_search.h"

#include <string.h>

enum {
    MANY_GROWN = 8192,   // elements; fewer are copied in one go
    LEFT_SHARE = 8,      // of the room, for the expansion before
    GROWN_AT_ONCE = 2048 // bytes in place of an expansion
};

// Where an array, whose address 'array' tells, is nearly full: moves a part of it to room for twice
// as many.
static AstarStatus grow_part(AstarGraphSearch *search, void *array, size_t count, size_t size,
                             size_t *capacity)
{
    if (*capacity < MANY_GROWN || count + *capacity / LEFT_SHARE < *capacity)
        return ASTAR_OK;
    void *grown;
    memcpy(&grown, array, sizeof grown);
    size_t bytes = *capacity * size;
    grown = astar_array_move(&search->alloc, grown, count * size, 1, &bytes, 2 * bytes,
                             &search->growth, GROWN_AT_ONCE);
    *capacity = bytes / size;
    if (grown == NULL)
        return ASTAR_NO_MEMORY;
    memcpy(array, &grown, sizeof grown);
    return ASTAR_RUNNING;
}

AstarStatus astar_graph_grow_ahead(AstarGraphSearch *search)
{
    AstarKeys *states = &search->states;
    AstarHeap *open = &search->open;
    size_t count = states->count;
    AstarStatus status = grow_part(search, &open->items, open->count, sizeof *open->items,
                                   &open->capacity);
    if (status != ASTAR_OK || search->options.neighbours == NULL)
        return status;
    status = grow_part(search, &search->records, count, sizeof *search->records,
                       &search->record_capacity);
    if (status == ASTAR_OK && search->options.estimate != NULL)
        status = grow_part(search, &search->estimates, count, sizeof *search->estimates,
                           &search->estimate_capacity);
    if (status == ASTAR_OK)
        status = grow_part(search, &states->keys, count, sizeof *states->keys, &states->capacity);
    if (status == ASTAR_OK)
        status = grow_part(search, &states->text, states->text_length, 1, &states->text_capacity);
    return status;
}
