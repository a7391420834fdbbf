// edit_log.c -- A log of the latest edits of a grid, from which layers and searches are updated
// instead of being rebuilt.

#include "map/edit_log.h"

enum { FIRST_EDITS = 4 }; // number of edits that a new log has room for

// Doubles the room of a log. If memory runs out, the log keeps its size, and new edits replace the
// oldest ones.
static void grow_edits(AstarEditLog *log, const AstarAllocator *allocator)
{
    size_t capacity = log->capacity == 0 ? FIRST_EDITS : 2 * log->capacity;
    AstarEdit *edits = astar_alloc(allocator, capacity, sizeof *edits);
    if (edits == NULL)
        return;
    for (uint64_t n = log->made - log->count; n < log->made; n++)
        edits[n & (capacity - 1)] = *astar_edit_log_at(log, n);
    astar_release(allocator, log->edits, log->capacity, sizeof *edits);
    log->edits = edits;
    log->capacity = capacity;
}

bool astar_edit_log_begin(AstarEditLog *log, const AstarAllocator *allocator)
{
    if (log->capacity == 0)
        grow_edits(log, allocator);
    return log->capacity > 0;
}

void astar_edit_log_add(AstarEditLog *log, const AstarAllocator *allocator, AstarEdit edit)
{
    if (log->count == log->capacity && log->capacity < ASTAR_EDITS)
        grow_edits(log, allocator);
    if (log->capacity == 0)
        log->forgotten = edit.version;
    else if (log->count == log->capacity)
        log->forgotten = astar_edit_log_at(log, log->made)->version;
    else
        log->count++;
    if (log->capacity > 0)
        log->edits[log->made & (log->capacity - 1)] = edit;
    log->made++;
}

void astar_edit_log_take(AstarEditLog *log, const AstarAllocator *allocator,
                         const AstarEditLog *from)
{
    size_t before = SIZE_MAX;
    log->count = 0; // the previous edits of the log are dropped
    while (log->capacity < from->count && log->capacity != before) {
        before = log->capacity;
        grow_edits(log, allocator);
    }
    log->made = from->made;
    log->count = from->count < log->capacity ? from->count : log->capacity;
    log->forgotten = from->forgotten;
    if (log->count < from->count)
        log->forgotten = astar_edit_log_at(from, from->made - log->count - 1)->version;
    for (uint64_t n = log->made - log->count; n < log->made; n++)
        log->edits[n & (log->capacity - 1)] = *astar_edit_log_at(from, n);
}

void astar_edit_log_free(AstarEditLog *log, const AstarAllocator *allocator)
{
    astar_release(allocator, log->edits, log->capacity, sizeof *log->edits);
    *log = (AstarEditLog){0};
}
