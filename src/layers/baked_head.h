// baked_head.h -- The header of saved baked data. The header identifies the map, the unit and the
// rule for which the data were baked.

#ifndef ASTAR_BAKED_HEAD_H
#define ASTAR_BAKED_HEAD_H

#include "base/archive.h"
#include "base/bits.h"

// The kinds of baked data. The numbers are stored in files.
typedef enum AstarSavedKind {
    ASTAR_SAVED_LABELS = 1,
    ASTAR_SAVED_HIERARCHY,
    ASTAR_SAVED_LANDMARKS
} AstarSavedKind;

// The header of saved baked data.
typedef struct AstarBakedHead {
    uint32_t width, height;
    uint32_t diagonals; // number of the corner rule
    // The columns that the unit covers, plus 65536 times the rows if there are not as many rows as
    // columns.
    uint32_t size;
    // Costs of a straight and of a diagonal step.
    uint32_t straight, diagonal;
    uint64_t map; // hash of the walkable bits
    double gain;
    uint32_t near; // goals within this many cells are searched for, without the baked data
    uint32_t kind;
} AstarBakedHead;

// Name and version of the format of baked data.
#define ASTAR_SAVED_BAKED "astar baked "
enum { ASTAR_BAKED_VERSION = 3 };

enum { ASTAR_NEAR_GOALS = 64 }; // greatest value of 'near' in AstarBakedHead

extern const char astar_baked_is_damaged[]; // error message for damaged data

// Returns a hash of a bitmap.
uint64_t astar_baked_hash(const AstarBits *bits);
// Reads or writes a header.
void astar_baked_head_carry(AstarArchive *archive, AstarBakedHead *head);
// Compares the header that was loaded with the header that is wanted; 'kind' and 'gain' may differ.
// Returns an error message, or NULL if the headers match.
const char *astar_baked_head_fault(const AstarBakedHead *head, const AstarBakedHead *wanted);

#endif
