// baked_head.h -- The header of saved baked data. It says for which map, unit and rule the data
// were baked.

#ifndef ASTAR_BAKED_HEAD_H
#define ASTAR_BAKED_HEAD_H

#include "base/archive.h"
#include "base/bits.h"

// Kinds of baked data. The numbers are stored in files.
typedef enum AstarSavedKind {
    ASTAR_SAVED_LABELS = 1,
    ASTAR_SAVED_HIERARCHY,
    ASTAR_SAVED_LANDMARKS
} AstarSavedKind;

// The header of saved baked data.
typedef struct AstarBakedHead {
    uint32_t width, height;
    uint32_t diagonals, size; // corner rule, and size of the unit
    // Costs of steps.
    uint32_t straight, diagonal;
    uint64_t map; // hash of the walkable bits
    double gain;
    uint32_t near; // goals within this many cells are searched for
    uint32_t kind;
} AstarBakedHead;

// The name and version of the format.
#define ASTAR_SAVED_BAKED "astar baked "
enum { ASTAR_BAKED_VERSION = 3 };

enum { ASTAR_NEAR_GOALS = 64 }; // the largest 'near'

extern const char astar_baked_is_damaged[]; // error message for damaged data

// Returns a hash of a bitmap.
uint64_t astar_baked_hash(const AstarBits *bits);
// Reads or writes a header.
void astar_baked_head_carry(AstarArchive *archive, AstarBakedHead *head);
// Compares a loaded header with the wanted one; kind and gain may differ. Returns an error message,
// or NULL if they match.
const char *astar_baked_head_fault(const AstarBakedHead *head, const AstarBakedHead *wanted);

#endif
