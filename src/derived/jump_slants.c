// jump_slants.c -- the words of slants: where diagonal runs end, and what is seen aside from them.
//
// Rows of 64 cells are laid down by diagonals, a square at once: bits are moved down by powers of
// two, each as often as its column asks for. Then each strip has its own put into its words.

#include "derived/jump_making.h"

#include <string.h>

enum { DIAGONALS = 64 + ASTAR_STRIP }; // through 64 rows of a strip, and one

// Bits of a word of a slant: those of one kind, the first one, and one of each.
#define OF_ONE_KIND UINT64_C(0xFFFF)
#define ONE_OF_EACH UINT64_C(0x0001000100010001)

// Rows with some of their bits moved down by as many rows; those before the first are empty.
ASTAR_SPECIALIZE void move_down(const uint64_t *from, uint64_t *to, uint64_t moved, int by)
{
    for (int row = 0; row < DIAGONALS; row++)
        to[row] = (from[row] & ~moved) | (from[row - by] & moved);
}

// Lays rows of four strips down by diagonals: the bits of column k of each come k rows lower, or so
// many less than 15. The rows after the last 64 are empty.
static void slant_rows(uint64_t rows[DIAGONALS], bool rising)
{
    const uint64_t falling = rising ? 0 : UINT64_MAX;
    uint64_t from[ASTAR_STRIP + DIAGONALS], to[ASTAR_STRIP + DIAGONALS];
    memset(from, 0, ASTAR_STRIP * sizeof *from);
    memset(to, 0, ASTAR_STRIP * sizeof *to);
    memcpy(from + ASTAR_STRIP, rows, DIAGONALS * sizeof *rows);
    move_down(from + ASTAR_STRIP, to + ASTAR_STRIP, UINT64_C(0xAAAAAAAAAAAAAAAA) ^ falling, 1);
    move_down(to + ASTAR_STRIP, from + ASTAR_STRIP, UINT64_C(0xCCCCCCCCCCCCCCCC) ^ falling, 2);
    move_down(from + ASTAR_STRIP, to + ASTAR_STRIP, UINT64_C(0xF0F0F0F0F0F0F0F0) ^ falling, 4);
    move_down(to + ASTAR_STRIP, rows, UINT64_C(0xFF00FF00FF00FF00) ^ falling, 8);
}

// The columns of a strip in which a diagonal, from above, meets one of so many rows.
static uint64_t columns_met(int diagonal, int rows, bool rising)
{
    const int last = ASTAR_STRIP - 1;
    unsigned begun = diagonal < last
                         ? (rising ? (2u << diagonal) - 1 : 0xFFFFu << (last - diagonal))
                         : 0xFFFF;
    int past = diagonal - rows + 1;
    unsigned left = past <= 0 ? 0xFFFF : rising ? 0xFFFFu << past : 0xFFFFu >> past;
    return begun & left & 0xFFFF;
}

// Rows of four strips by diagonals, of each 16 bits of a word; and which of these are of the rows,
// for each kind.
typedef struct Diagonals {
    int count;
    bool rising;
    uint64_t bits[DIAGONALS], met[DIAGONALS];
} Diagonals;

static void lay_by_diagonals(Diagonals *diagonals, const uint64_t cells[64], int rows, bool rising)
{
    *diagonals = (Diagonals){.count = rows + ASTAR_STRIP - 1, .rising = rising};
    memcpy(diagonals->bits, cells, (size_t)rows * sizeof *cells);
    slant_rows(diagonals->bits, rising);
    for (int i = 0; i < diagonals->count; i++)
        diagonals->met[i] = i >= ASTAR_STRIP && i < rows
                                ? UINT64_MAX
                                : columns_met(i, rows, rising) * ONE_OF_EACH;
}

// Of the strip from column x on. Counts that are known, and are multiples of four, let a compiler
// do several words at a time.
static void take_strip(const Diagonals *diagonals, int x, int shift, uint64_t bits[DIAGONALS])
{
    for (int i = 0; i < DIAGONALS; i++)
        bits[i] = (diagonals->bits[i] >> (x & 63) & OF_ONE_KIND) << shift;
}

// Gives words on end the bits of a mask each, those that it has of some kinds.
static void put_masked(uint64_t *words, const uint64_t *bits, const uint64_t *masks, uint64_t kinds,
                       int count)
{
    for (; count >= 8; words += 8, bits += 8, masks += 8, count -= 8) {
        uint64_t put[8];
        for (int i = 0; i < 8; i++)
            put[i] = (words[i] & ~(masks[i] & kinds)) | bits[i];
        memcpy(words, put, sizeof put);
    }
    for (int i = 0; i < count; i++)
        words[i] = (words[i] & ~(masks[i] & kinds)) | bits[i];
}

void astar_jump_put_aside(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, size_t word, int y0,
                          int rows, const uint64_t cells[64])
{
    const int x0 = (int)(64 * word), shift = (int)kind * ASTAR_STRIP;
    Diagonals diagonals;
    for (int x = x0; x < x0 + 64 && x < jump->width + 2; x += ASTAR_STRIP)
        for (int i = 0; i < rows + ASTAR_STRIP - 1; i += ASTAR_LINE_WORDS)
            ASTAR_PREFETCH(astar_strip_at(&jump->runs, slant, x) + y0 + i);
    lay_by_diagonals(&diagonals, cells, rows, astar_is_rising(slant));
    for (int x = x0; x < x0 + 64 && x < jump->width + 2; x += ASTAR_STRIP) {
        uint64_t bits[DIAGONALS];
        take_strip(&diagonals, x, shift, bits);
        put_masked(astar_strip_at(&jump->runs, slant, x) + y0, bits, diagonals.met,
                   OF_ONE_KIND << shift, diagonals.count);
    }
}

// Puts where runs of a slant end in up to 64 rows of 64 cells. What is seen aside from there is put
// later: most memory is not read before it is written the first time.
static void put_slant_ends(AstarJumpBitmaps *jump, int slant, size_t word, int y0, int rows,
                           const uint64_t ends[64], const uint64_t turns[64])
{
    const int x0 = (int)(64 * word), whole = rows > ASTAR_STRIP ? ASTAR_STRIP : rows;
    const bool has_turns = astar_has_slant_turns(jump);
    Diagonals diagonals, turn_diagonals;
    lay_by_diagonals(&diagonals, ends, rows, astar_is_rising(slant));
    if (has_turns)
        lay_by_diagonals(&turn_diagonals, turns, rows, astar_is_rising(slant));
    for (int x = x0; x < x0 + 64 && x < jump->width + 2; x += ASTAR_STRIP) {
        uint64_t bits[DIAGONALS], turn_bits[DIAGONALS];
        uint64_t *words = astar_strip_at(&jump->runs, slant, x) + y0;
        take_strip(&diagonals, x, ASTAR_ENDS * ASTAR_STRIP, bits);
        if (has_turns) {
            take_strip(&turn_diagonals, x, ASTAR_TURNS * ASTAR_STRIP, turn_bits);
            for (int i = 0; i < DIAGONALS; i++)
                bits[i] |= turn_bits[i];
        }
        memcpy(words + whole, bits + whole, (size_t)(rows - whole) * sizeof *words);
        put_masked(words, bits, diagonals.met, UINT64_MAX, whole);
        put_masked(words + rows, bits + rows, diagonals.met + rows, UINT64_MAX, ASTAR_STRIP - 1);
    }
}

void astar_jump_put_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
                         int rows)
{
    AstarSlantEnds found[4];
    uint64_t ends[4][64], turns[4][64];
    for (int i = 0; i < rows; i++) {
        astar_find_ends(jump, walkable, y0 + i, word, found);
        for (int slant = 0; slant < 4; slant++) {
            ends[slant][i] = found[slant].ends;
            turns[slant][i] = found[slant].turns;
        }
    }
    for (int slant = 0; slant < 4; slant++)
        put_slant_ends(jump, slant, word, y0, rows, ends[slant], turns[slant]);
}
