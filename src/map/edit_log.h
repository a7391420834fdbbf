// edit_log.h -- the latest edits, for what would rather mend than work out anew.

#ifndef ASTAR_EDIT_LOG_H
#define ASTAR_EDIT_LOG_H

#include "base/alloc.h"

enum { ASTAR_EDITS = 256 }; // so many are kept at most

typedef struct AstarEdit {
    int32_t x, y, width, height; // no width: what is there stays, see below
    uint64_t version;            // of the grid, that it made
} AstarEdit;

// Edits that leave all cells as they are have no width. One of links or walls is at a cell that
// they concern; one of the palette, or of nothing on the map, is not at any.
enum { ASTAR_AT_NO_CELL = -1 };

static inline bool astar_edit_is_at_cells(const AstarEdit *edit)
{
    return edit->x != ASTAR_AT_NO_CELL;
}

static inline bool astar_edit_covers(const AstarEdit *edit, int x, int y)
{
    return x >= edit->x && x < edit->x + edit->width && y >= edit->y && y < edit->y + edit->height;
}

typedef struct AstarEditLog {
    AstarEdit *edits;       // a ring: the n-th edit lies at n % capacity
    size_t count, capacity; // how many of the latest are known; 0, or a power of two
    uint64_t made;          // how many there were
    uint64_t forgotten;     // the version that the latest made which is not known any more
} AstarEditLog;

// Makes room for the first ones; false without memory.
bool astar_edit_log_begin(AstarEditLog *log, const AstarAllocator *allocator);
// Without memory for it, it is forgotten at once, or an earlier one.
void astar_edit_log_add(AstarEditLog *log, const AstarAllocator *allocator, AstarEdit edit);
// Makes it the same as another one: it forgets earlier where there is no memory for all of that.
void astar_edit_log_take(AstarEditLog *log, const AstarAllocator *allocator,
                         const AstarEditLog *from);
void astar_edit_log_free(AstarEditLog *log, const AstarAllocator *allocator);

// The n-th edit, which must be known.
static inline const AstarEdit *astar_edit_log_at(const AstarEditLog *log, uint64_t n)
{
    return &log->edits[n & (log->capacity - 1)];
}

// How many of the latest were made since a version.
static inline uint64_t astar_edit_log_since(const AstarEditLog *log, uint64_t version)
{
    uint64_t since = 0;
    while (since < log->count && astar_edit_log_at(log, log->made - 1 - since)->version > version)
        since++;
    return since;
}

#endif
