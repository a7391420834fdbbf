// irregular.h -- the cells around which ground is not uniform, as bits.

#ifndef ASTAR_IRREGULAR_H
#define ASTAR_IRREGULAR_H

#include "layers/walkable.h"
#include "map/field.h"

// Shared by finders that enter the same cells, to whom the same terrains cost the same, and that
// avoid the same field.
typedef struct AstarIrregular {
    AstarLayer layer;
    AstarWalkable *walkable;             // retained, and so are the next two
    AstarFootprints *footprints;         // NULL: the ground counts as it is
    AstarField *field;                   // NULL: none
    uint8_t classes[ASTAR_MAX_TERRAINS]; // of each terrain: the first that costs the same
    uint32_t count;                      // of their cells
    ASTAR_ATOMIC(uint32_t) scattered;    // see astar_irregular_scattered; 0: not looked at yet
    int32_t turned;                      // while they are built: rows turned and counted
    AstarBits bits, columns;             // the latter turned: a row for each column
    uint64_t *common;                    // while they are built, see irregular.c
    uint64_t version;           // of the field, when the bits were last brought up to date with it
    ASTAR_ATOMIC(uint32_t) low; // its lower half: published
    uint64_t version_to_be;     // what it will be, once all squares that changed are looked at
    uint32_t tile;              // the next of these; 0: not begun
    uint32_t overtaken;         // so often the field has changed before that was done
    ASTAR_ATOMIC(AstarJumpBitmaps *)
    jumps[ASTAR_DIAGONALS_COUNT]; // with stops at these cells; NULL: no search has jumped by it
} AstarIrregular;

// The layer for what a unit enters at which cost, made if the grid has none; counts a reference.
// 'cost' is of each terrain; 'footprints' and 'field' may be NULL.
AstarStatus astar_irregular_acquire(const AstarGrid *grid, AstarWalkable *walkable,
                                    AstarFootprints *footprints, AstarField *field,
                                    const double *cost, AstarIrregular **out);
// Makes it current, with its field, too; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_irregular_advance(const AstarGrid *grid, AstarIrregular *irregular,
                                    int64_t *work);
// Whether it is.
bool astar_irregular_is_current(const AstarIrregular *irregular);
// What walkable.c tells of the walkable bits. The layer must be current.
uint32_t astar_irregular_scattered(const AstarGrid *grid, AstarIrregular *irregular);
// The bitmaps for jumping by a rule, current. The layer must be.
AstarStatus astar_irregular_jump(const AstarGrid *grid, AstarIrregular *irregular,
                                 AstarDiagonals rule, AstarJumpBitmaps **out);
// Goes on with these; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_irregular_advance_jump(const AstarGrid *grid, AstarIrregular *irregular,
                                         AstarDiagonals rule, int64_t *work);

#endif
