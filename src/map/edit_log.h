// edit_log.h -- A log of the latest edits of a grid, from which layers and searches are updated
// instead of being rebuilt.

#ifndef ASTAR_EDIT_LOG_H
#define ASTAR_EDIT_LOG_H

#include "base/alloc.h"

enum { ASTAR_EDITS = 256 }; // maximum number of edits in a log

// An edit of a grid: a rectangle of cells.
typedef struct AstarEdit {
    int32_t x, y, width, height; // a width of 0 means that no cell changed, see below
    uint64_t version;            // version of the grid after the edit
} AstarEdit;

// An edit that changes no cell has the width 0. For an edit of links or walls, (x, y) is a cell
// that the edit concerns. For an edit of the palette, or an edit without any effect on the map, x
// is ASTAR_AT_NO_CELL.
enum { ASTAR_AT_NO_CELL = -1 };

// Returns true if an edit concerns particular cells: it is an edit of terrain, blocks, links or
// walls.
static inline bool astar_edit_is_at_cells(const AstarEdit *edit)
{
    return edit->x != ASTAR_AT_NO_CELL;
}

// Returns true if the rectangle of an edit contains a cell.
static inline bool astar_edit_covers(const AstarEdit *edit, int x, int y)
{
    return x >= edit->x && x < edit->x + edit->width && y >= edit->y && y < edit->y + edit->height;
}

// The latest edits, in a ring buffer.
typedef struct AstarEditLog {
    AstarEdit *edits; // ring buffer; the edit with number n lies at n % capacity
    // Number of edits in the log; number of edits that there is room for, 0 or a power of two.
    size_t count, capacity;
    uint64_t made;      // number of edits ever added to the log
    uint64_t forgotten; // version of the grid after the latest edit that the log has lost
} AstarEditLog;

// Allocates room for the first edits of a log. Returns false if memory runs out.
bool astar_edit_log_begin(AstarEditLog *log, const AstarAllocator *allocator);
// Adds an edit to a log. If the log is full, its oldest edit is lost. If memory runs out, the
// oldest edit or the new one is lost.
void astar_edit_log_add(AstarEditLog *log, const AstarAllocator *allocator, AstarEdit edit);
// Replaces a log by a copy of another one. If memory runs out, the oldest edits are lost.
void astar_edit_log_take(AstarEditLog *log, const AstarAllocator *allocator,
                         const AstarEditLog *from);
// Frees the memory of a log.
void astar_edit_log_free(AstarEditLog *log, const AstarAllocator *allocator);

// Returns the edit number n, which must be in the log. Edits are numbered from 0 in the order in
// which they were added.
static inline const AstarEdit *astar_edit_log_at(const AstarEditLog *log, uint64_t n)
{
    return &log->edits[n & (log->capacity - 1)];
}

// Returns how many edits in the log were made after a version of the grid.
static inline uint64_t astar_edit_log_since(const AstarEditLog *log, uint64_t version)
{
    uint64_t since = 0;
    while (since < log->count && astar_edit_log_at(log, log->made - 1 - since)->version > version)
        since++;
    return since;
}

#endif
