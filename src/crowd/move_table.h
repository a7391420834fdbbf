// move_table.h -- the legal steps out of every cell, for units of one kind.
//
// Who stands where is looked at many times a turn, and each look asks which steps are legal. So
// they are worked out once, a byte a cell, and again around the cells that edits have changed.

#ifndef ASTAR_MOVE_TABLE_H
#define ASTAR_MOVE_TABLE_H

#include "base/bits.h"
#include "rules/corner_rules.h"

typedef struct AstarMoveTable {
    uint8_t *moves; // of each cell of the grid, whoever can stand there
    AstarBits bits; // where units could stand as it was worked out
    uint64_t walls_version;
} AstarMoveTable;

// Brings it up to date with where units can stand and with walls; the first time it is made. What
// ASTAR_NO_MEMORY leaves is outdated.
AstarStatus astar_move_table_update(AstarMoveTable *table, const AstarGrid *grid,
                                    const AstarCornerRule *rule, const AstarBits *bits);
void astar_move_table_free(AstarMoveTable *table, const AstarGrid *grid);
size_t astar_move_table_bytes(const AstarMoveTable *table, const AstarGrid *grid);

#endif
