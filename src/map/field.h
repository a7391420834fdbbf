// field.h -- a layer of numbers over a map: what to keep away from, and how much.

#ifndef ASTAR_FIELD_H
#define ASTAR_FIELD_H

#include "base/alloc.h"
#include "base/shape.h"
#include "base/thread.h"
#include "map/edit_log.h"

// Changes are noted for squares of cells of that side.
enum { ASTAR_FIELD_TILE = 16 };

// A copy being made of a field a little at a time, as a snapshot is of a map.
typedef struct AstarFieldCopy {
    AstarField *field; // retained; NULL: none is being made
    AstarField *copy;  // its maker's reference
    int32_t rows;      // copied
    uint64_t version;  // of the field, when it was begun
} AstarFieldCopy;

struct AstarField {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    const AstarShape *shape;
    int32_t width, height;
    int32_t west, north, east, south; // outside of that rectangle, east and south beyond its last
                                      // cells, all is 0
    uint64_t version;                 // counts changes
    uint64_t *tiles;                  // the version that changed each square last, row by row
    float *values;                    // a cell each, row by row
};

// Notes what the version to come changes in a rectangle of cells.
void astar_field_note(AstarField *field, int x, int y, int width, int height);
// Makes all 0; counts no change.
void astar_field_wipe(AstarField *field);

// Notes that values in there may be other than 0.
static inline void astar_field_extend(AstarField *field, int west, int north, int east, int south)
{
    field->west = west < field->west ? west : field->west;
    field->north = north < field->north ? north : field->north;
    field->east = east > field->east ? east : field->east;
    field->south = south > field->south ? south : field->south;
}

// Whether values change nearly everywhere, from a sample of them.
bool astar_field_is_rough(const AstarField *field);

// A square of cells, it may reach beyond the field, that a later version than 'since' has changed:
// the first from '*tile' on. False: there are no more.
bool astar_field_next_change(const AstarField *field, uint64_t since, uint32_t *tile,
                             AstarEdit *square);

// Begins a copy; ASTAR_NO_MEMORY.
AstarStatus astar_field_copy_begin(AstarFieldCopy *copying, AstarField *field);
// Copies on: ASTAR_OK once all rows are there, ASTAR_RUNNING where the work is used up before.
AstarStatus astar_field_copy_advance(AstarFieldCopy *copying, int64_t *work);
// Makes the copy, if one is being made, what the field is now, and lets go of that.
void astar_field_copy_end(AstarFieldCopy *copying);

// How many squares it takes to cover a side.
static inline int32_t astar_field_tiles(int32_t side)
{
    return (side + ASTAR_FIELD_TILE - 1) / ASTAR_FIELD_TILE;
}

#endif
