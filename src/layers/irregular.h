// irregular.h -- The layer of non-uniform cells: cells with a neighbour of another cost, a wall or
// a link, where jump point search must go step by step.

#ifndef ASTAR_IRREGULAR_H
#define ASTAR_IRREGULAR_H

#include "layers/walkable.h"
#include "map/field.h"

// Finders share the layer if they enter the same cells, the same terrains cost them the same, and
// they avoid the same field.
typedef struct AstarIrregular {
    AstarLayer layer;
    AstarWalkable *walkable;             // retained, like the next two
    AstarFootprints *footprints;         // terrain under large units; NULL for units of one cell
    AstarField *field;                   // field to avoid, or NULL
    uint8_t classes[ASTAR_MAX_TERRAINS]; // for each terrain, the first one of equal cost
    uint32_t count;                      // number of non-uniform cells
    ASTAR_ATOMIC(uint32_t) scattered;    // 1 + result of astar_irregular_scattered; 0: not computed
    int32_t turned;                      // during building: rows transposed and counted so far
    AstarBits bits, columns;             // one bit per non-uniform cell; 'columns' is transposed
    uint64_t *common;                    // during building: cells of the commonest class, see
                                         // irregular.c
    uint64_t version;                    // version of the field that the bits belong to
    ASTAR_ATOMIC(uint32_t) low;          // lower half of 'version'; other threads read it
    uint64_t version_to_be;              // version after the changes that are being applied
    uint32_t tile;                       // next changed square of the field; 0: not begun
    uint32_t overtaken;                  // how often the field changed before that was finished
    // Bitmaps for jumps that stop at these cells, by corner rule; NULL until a search needs them.
    ASTAR_ATOMIC(AstarJumpBitmaps *)
    jumps[ASTAR_DIAGONALS_COUNT];
} AstarIrregular;

// Returns the layer for what a unit enters at which cost, and creates it if the grid has none. The
// caller receives a reference. 'cost' has an entry per terrain; 'footprints' and 'field' may be
// NULL.
AstarStatus astar_irregular_acquire(const AstarGrid *grid, AstarWalkable *walkable,
                                    AstarFootprints *footprints, AstarField *field,
                                    const double *cost, AstarIrregular **out);
// Brings the layer and its field up to date. Returns ASTAR_RUNNING when the work is used up.
AstarStatus astar_irregular_advance(const AstarGrid *grid, AstarIrregular *irregular,
                                    int64_t *work);
// Returns true if the layer and its field are up to date.
bool astar_irregular_is_current(const AstarIrregular *irregular);
// Returns astar_scattered_turns of the walkable bits. The layer must be up to date.
uint32_t astar_irregular_scattered(const AstarGrid *grid, AstarIrregular *irregular);
// Returns the bitmaps for jumps under a corner rule, up to date. The layer must be up to date.
AstarStatus astar_irregular_jump(const AstarGrid *grid, AstarIrregular *irregular,
                                 AstarDiagonals rule, AstarJumpBitmaps **out);
// Builds these bitmaps. Returns ASTAR_RUNNING when the work is used up.
AstarStatus astar_irregular_advance_jump(const AstarGrid *grid, AstarIrregular *irregular,
                                         AstarDiagonals rule, int64_t *work);

#endif
