// nonuniform.h -- The layer of non-uniform cells: cells with a neighbour of another cost, a wall or
// a link, where jump point search must go step by step.

#ifndef ASTAR_NONUNIFORM_H
#define ASTAR_NONUNIFORM_H

#include "layers/walkable.h"
#include "map/field.h"

// The layer of non-uniform cells. Finders share the layer if they can enter the same cells, have
// the same cost for each terrain, and avoid the same field.
typedef struct AstarNonUniform {
    AstarLayer layer;
    // Layer of the cells that can be entered; retained, like 'footprints' and 'field'.
    AstarWalkable *walkable;
    AstarFootprints *footprints;         // terrain under large units; NULL for units of one cell
    AstarField *field;                   // field to avoid, or NULL
    uint8_t classes[ASTAR_MAX_TERRAINS]; // for each terrain, the first terrain of equal cost
    uint32_t count;                      // number of non-uniform cells
    ASTAR_ATOMIC(uint32_t)
    obstacles;               // result of astar_nonuniform_obstacles; 0: not determined yet
    int32_t turned;          // during building: number of rows transposed and counted so far
    AstarBits bits, columns; // one bit per non-uniform cell; 'columns' is the transposed matrix
    // During building: cells of the most common class, see nonuniform.c.
    uint64_t *common;
    uint64_t version;           // version of the field that the bits belong to
    ASTAR_ATOMIC(uint32_t) low; // lower half of 'version', for other threads
    uint64_t version_to_be;     // version of the field after the changes that are being applied
    uint32_t tile;              // number of the next changed square of the field; 0: not begun
    uint32_t overtaken;         // number of changes of the field during the present update
    // Bitmaps for jumps that stop at non-uniform cells, by corner rule; NULL until a search needs
    // them.
    ASTAR_ATOMIC(AstarJumpBitmaps *)
    jumps[ASTAR_DIAGONALS_COUNT];
} AstarNonUniform;

// Acquires the layer for a unit, and creates it if the grid has none. The unit is given by the
// cells that it can enter ('walkable') and the cost of each terrain ('cost'). 'footprints' and
// 'field' may be NULL. The caller receives a reference.
AstarStatus astar_nonuniform_acquire(const AstarGrid *grid, AstarWalkable *walkable,
                                     AstarFootprints *footprints, AstarField *field,
                                     const double *cost, AstarNonUniform **out);
// Updates the layer for the present map and field. Returns ASTAR_RUNNING when the work is used up
// first.
AstarStatus astar_nonuniform_advance(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                     int64_t *work);
// Returns true if the layer is up to date with the map and the field.
bool astar_nonuniform_is_current(const AstarNonUniform *nonuniform);
// Returns how the obstacles lie, for the units of the layer. The layer must be up to date.
AstarObstacles astar_nonuniform_obstacles(const AstarGrid *grid, AstarNonUniform *nonuniform);
// Stores the bitmaps for jumps under a corner rule, after bringing them up to date. The layer must
// be up to date.
AstarStatus astar_nonuniform_jump(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                  AstarDiagonals rule, AstarJumpBitmaps **out);
// Builds the bitmaps for jumps under a corner rule. Returns ASTAR_RUNNING when the work is used up
// first.
AstarStatus astar_nonuniform_advance_jump(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                          AstarDiagonals rule, int64_t *work);

#endif
