// baked_head.h -- what baked data are of: the head of all that is saved of them.

#ifndef ASTAR_BAKED_HEAD_H
#define ASTAR_BAKED_HEAD_H

#include "base/archive.h"
#include "base/bits.h"

// Numbers that are in the bytes.
typedef enum AstarSavedKind {
    ASTAR_SAVED_LABELS = 1,
    ASTAR_SAVED_HIERARCHY,
    ASTAR_SAVED_LANDMARKS
} AstarSavedKind;

typedef struct AstarBakedHead {
    uint32_t width, height;
    uint32_t diagonals, size; // of the unit
    uint32_t straight, diagonal;
    uint64_t map; // a hash of the walkable bits
    double gain;
    uint32_t near; // goals within so many cells are left to a search
    uint32_t kind;
} AstarBakedHead;

// The version that is written, and read.
#define ASTAR_SAVED_BAKED "astar baked "
enum { ASTAR_BAKED_VERSION = 3 };

enum { ASTAR_NEAR_GOALS = 64 }; // no others are, at most

extern const char astar_baked_is_damaged[]; // in words

uint64_t astar_baked_hash(const AstarBits *bits);
void astar_baked_head_carry(AstarArchive *archive, AstarBakedHead *head);
// What is wrong with a head that was loaded, where one of another kind and gain is wanted; NULL:
// nothing.
const char *astar_baked_head_fault(const AstarBakedHead *head, const AstarBakedHead *wanted);

#endif
