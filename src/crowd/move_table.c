// move_table.c -- the legal steps out of every cell, worked out once and kept up with edits.

#include "crowd/kind.h"

void astar_move_table_free(AstarMoveTable *table, const AstarGrid *grid)
{
    astar_release(&grid->allocator, table->moves, grid->cells, 1);
    astar_bits_free(&grid->allocator, &table->bits);
    *table = (AstarMoveTable){0};
}

size_t astar_move_table_bytes(const AstarMoveTable *table, const AstarGrid *grid)
{
    return table->moves == NULL ? 0 : grid->cells + table->bits.count * sizeof *table->bits.words;
}

// Works out the steps of some cells of one word of a row.
static void note_moves(AstarMoveTable *table, const AstarGrid *grid, const AstarCornerRule *rule,
                       const AstarBits *bits, int y, size_t word, uint64_t cells)
{
    if (y < 0 || y >= grid->height || word > (size_t)grid->width >> 6)
        return;
    cells &= astar_bits_mask(word, 1, (size_t)grid->width);
    for (; cells != 0; cells &= cells - 1) {
        int x = (int)(word * 64) + astar_lowest_bit(cells) - 1;
        unsigned free = astar_bits_around(bits, x, y);
        table->moves[astar_cell(grid, x, y)] = (uint8_t)astar_legal_moves_on(grid, rule, x, y, free,
                                                                             false);
    }
}

// The same of those that changed and all beside them.
static void note_moves_near(AstarMoveTable *table, const AstarGrid *grid,
                            const AstarCornerRule *rule, const AstarBits *bits, int row,
                            size_t word, uint64_t changed)
{
    for (int y = row - 1; y <= row + 1; y++) {
        note_moves(table, grid, rule, bits, y, word, changed | changed << 1 | changed >> 1);
        if ((changed & 1) != 0 && word > 0)
            note_moves(table, grid, rule, bits, y, word - 1, UINT64_C(1) << 63);
        if (changed >> 63 != 0)
            note_moves(table, grid, rule, bits, y, word + 1, 1);
    }
}

static AstarStatus need_moves(AstarMoveTable *table, const AstarGrid *grid)
{
    if (table->moves != NULL)
        return ASTAR_OK;
    table->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    table->moves = astar_alloc(&grid->allocator, grid->cells, 1);
    if (table->bits.words != NULL && table->moves != NULL)
        return ASTAR_OK;
    astar_move_table_free(table, grid);
    return ASTAR_NO_MEMORY;
}

// Where no unit can stand nearby there are no steps: so all begins with nobody standing anywhere.
AstarStatus astar_move_table_update(AstarMoveTable *table, const AstarGrid *grid,
                                    const AstarCornerRule *rule, const AstarBits *bits)
{
    AstarStatus status = need_moves(table, grid);
    if (status != ASTAR_OK)
        return status;
    if (table->walls_version != grid->links_and_walls_version) {
        memset(table->bits.words, 0, bits->count * sizeof *bits->words);
        memset(table->moves, 0, grid->cells);
        table->walls_version = grid->links_and_walls_version;
    }
    for (int y = 0; y < grid->height; y++) {
        uint64_t *before = astar_bits_row(&table->bits, y);
        const uint64_t *now = astar_bits_row(bits, y);
        for (size_t word = 0; word < bits->stride; word++)
            if (before[word] != now[word]) {
                note_moves_near(table, grid, rule, bits, y, word, before[word] ^ now[word]);
                before[word] = now[word];
            }
    }
    return ASTAR_OK;
}
