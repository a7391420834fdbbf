// baked_head.h -- what all baked data begin and end with as bytes.

#ifndef ASTAR_BAKED_HEAD_H
#define ASTAR_BAKED_HEAD_H

#include "base/bytes.h"
#include "derived/walkable.h"
#include "map/grid.h"

// What baked data must be of.
typedef struct AstarBakedKey {
    AstarDiagonals diagonals;
    int32_t size; // of the unit
    uint32_t straight, diagonal;
} AstarBakedKey;

// Numbers that are in the bytes.
typedef enum AstarSavedKind {
    ASTAR_SAVED_LABELS = 1,
    ASTAR_SAVED_HIERARCHY,
    ASTAR_SAVED_LANDMARKS
} AstarSavedKind;

typedef struct AstarBakedHead {
    AstarBakedKey key;
    AstarSavedKind kind;
    double gain;
} AstarBakedHead;

extern const char astar_baked_is_damaged[]; // in words

void astar_baked_head_write(AstarWriter *writer, const AstarBakedHead *head, const AstarBits *bits,
                            int32_t width, int32_t height);
// Writes what tells that bytes were cut or altered. Returns how many there are.
size_t astar_baked_end_write(AstarWriter *writer);

// Reads the head, and takes the end away, of bytes that must be of these walkable bits and this
// key. NULL, or what is wrong with them.
const char *astar_baked_head_read(AstarReader *reader, const AstarGrid *grid,
                                  const AstarWalkable *walkable, AstarBakedKey key,
                                  AstarBakedHead *head);

#endif
