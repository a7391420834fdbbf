// field.h -- Fields: a number per cell, such as danger, that finders can add to the costs of cells.
// This header is for the core; the public functions are in astar/field.h.

#ifndef ASTAR_FIELD_H
#define ASTAR_FIELD_H

#include "base/alloc.h"
#include "base/shape.h"
#include "base/thread.h"
#include "map/edit_log.h"

// Side, in cells, of the squares for which a field records the version of the last change.
enum { ASTAR_FIELD_TILE = 16 };

struct AstarField {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    const AstarShape *shape;
    int32_t width, height;
    // Rectangle that contains all values other than 0. 'east' and 'south' are the first column and
    // row outside it.
    int32_t west, north, east, south;
    uint64_t version; // number of changes of the field
    uint64_t *tiles;  // for each square, row by row, the version of its last change
    float *values;    // value of each cell, row by row
};

// Records that a rectangle of cells differs between the present version of a field and the next
// one.
void astar_field_note(AstarField *field, int x, int y, int width, int height);
// Sets all values of a field to 0 without raising the version.
void astar_field_wipe(AstarField *field);

// Extends the rectangle that contains all values other than 0.
static inline void astar_field_extend(AstarField *field, int west, int north, int east, int south)
{
    field->west = west < field->west ? west : field->west;
    field->north = north < field->north ? north : field->north;
    field->east = east > field->east ? east : field->east;
    field->south = south > field->south ? south : field->south;
}

// Returns true if the values of neighbouring cells differ nearly everywhere. The result is
// estimated from a sample.
bool astar_field_is_rough(const AstarField *field);

// Stores the next square of cells, from number '*tile' on, that has changed after version 'since'.
// The square may extend beyond the field. Returns false if there is no such square.
bool astar_field_next_change(const AstarField *field, uint64_t since, uint32_t *tile,
                             AstarEdit *square);

// Returns the number of squares that cover a side of 'side' cells.
static inline int32_t astar_field_tiles(int32_t side)
{
    return (side + ASTAR_FIELD_TILE - 1) / ASTAR_FIELD_TILE;
}

#endif
