// jump_slants.c -- the words of slants: where diagonal runs end, and what is seen aside from them.
//
// Rows of 64 cells are laid down by diagonals, a square at once: bits are moved down by powers of
// two, each as often as its column asks for. Then each strip has its own put into its words. Where
// an edit changes what is seen along a stretch of a row or column, that alone is put.

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
    uint64_t bits[DIAGONALS], met[DIAGONALS];
} Diagonals;

static void lay_by_diagonals(Diagonals *diagonals, const uint64_t cells[64], int rows, bool rising)
{
    *diagonals = (Diagonals){.count = rows + ASTAR_STRIP - 1};
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

// ---- mending words ----

// On open ground an edit's time is spent here: counts that are known, and are multiples of four,
// let a compiler do several words at a time.

// Sets or clears the same bits in some words on end.
ASTAR_SPECIALIZE void put_same_by(uint64_t *words, int count, uint64_t bits, bool value)
{
    for (; count >= 8; words += 8, count -= 8)
        for (int i = 0; i < 8; i++)
            astar_put_in(&words[i], bits, value);
    for (int i = 0; i < count; i++)
        astar_put_in(&words[i], bits, value);
}

static void put_same(uint64_t *words, int count, uint64_t bits, bool value)
{
    if (value)
        put_same_by(words, count, bits, true);
    else
        put_same_by(words, count, bits, false);
}

// Of the diagonals through a row of a strip, from above, the bits of its cells; and of those
// through it and the next but one.
enum { ROW_WORDS = ASTAR_STRIP, TWO_ROW_WORDS = ASTAR_STRIP + 2 };

static const uint64_t row_bits[2][ROW_WORDS] = {{0x8000, 0x4000, 0x2000, 0x1000, 0x800, 0x400,
                                                 0x200, 0x100, 0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1},
                                                {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200,
                                                 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000}};
static const uint64_t two_row_bits[2][TWO_ROW_WORDS] = {
    {0x8000, 0x4000, 0xA000, 0x5000, 0x2800, 0x1400, 0xA00, 0x500, 0x280, 0x140, 0xA0, 0x50, 0x28,
     0x14, 0xA, 5, 2, 1},
    {1, 2, 5, 0xA, 0x14, 0x28, 0x50, 0xA0, 0x140, 0x280, 0x500, 0xA00, 0x1400, 0x2800, 0x5000,
     0xA000, 0x4000, 0x8000}};

// Strips lie far apart: their lines are fetched so many ahead.
enum { STRIPS_AHEAD = 4 };

// A row of cells, or that and the next but one, on the diagonals of a slant.
ASTAR_SPECIALIZE void put_row_by(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, int y,
                                 int from, int to, bool two, bool value)
{
    const bool rising = astar_is_rising(slant);
    const uint64_t *bits = two ? two_row_bits[rising] : row_bits[rising];
    const int shift = (int)kind * ASTAR_STRIP, count = two ? TWO_ROW_WORDS : ROW_WORDS;
    for (int x = from & ~(ASTAR_STRIP - 1); x <= to; x += ASTAR_STRIP) {
        uint64_t *words = astar_strip_at(&jump->runs, slant, x) + y;
        const uint64_t *ahead = words + STRIPS_AHEAD * jump->runs.strip;
        for (int i = 0; i < count; i += ASTAR_LINE_WORDS)
            ASTAR_PREFETCH(ahead + i);
        ASTAR_PREFETCH(ahead + count - 1);
        if (x >= from && x + ASTAR_STRIP - 1 <= to) {
            for (int i = 0; i < count; i++)
                astar_put_in(&words[i], bits[i] << shift, value);
            continue;
        }
        int first = x < from ? from - x : 0, last = to - x < ASTAR_STRIP ? to - x : ASTAR_STRIP - 1;
        for (int i = first; i <= last; i++) {
            uint64_t *word = &words[rising ? i : ASTAR_STRIP - 1 - i];
            astar_put_in(word, (uint64_t)1 << (shift + i), value);
            if (two)
                astar_put_in(word + 2, (uint64_t)1 << (shift + i), value);
        }
    }
}

static void put_row_on_slant(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, int y, int from,
                             int to, bool two, bool value)
{
    if (two && value)
        put_row_by(jump, slant, kind, y, from, to, true, true);
    else if (two)
        put_row_by(jump, slant, kind, y, from, to, true, false);
    else if (value)
        put_row_by(jump, slant, kind, y, from, to, false, true);
    else
        put_row_by(jump, slant, kind, y, from, to, false, false);
}

// The same of columns. Of two in one strip all words but two at each end are the same.
static void put_column_on_slant(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, int x,
                                int from, int to, bool two, bool value)
{
    const int column = x & (ASTAR_STRIP - 1), count = to - from + 1;
    uint64_t bit = (uint64_t)1 << ((int)kind * ASTAR_STRIP + column), next = bit << 2;
    uint64_t *words = astar_slant_word(&jump->runs, slant, x, from);
    if (!two) {
        put_same(words, count, bit, value);
    } else if (column + 2 >= ASTAR_STRIP || count < 2) {
        put_column_on_slant(jump, slant, kind, x, from, to, false, value);
        put_column_on_slant(jump, slant, kind, x + 2, from, to, false, value);
    } else {
        const bool rising = astar_is_rising(slant);
        words -= rising ? 0 : 2;
        put_same(words, 2, rising ? bit : next, value);
        put_same(words + 2, count - 2, bit | next, value);
        put_same(words + count, 2, rising ? next : bit, value);
    }
}

// ---- stretches ----

// Without slants, runs along rows stop at those of a stretch of a column from which there is
// something to see.
static void put_stretch_of_column(AstarJumpBitmaps *jump, AstarStretch stretch, bool reach)
{
    const size_t word = (size_t)stretch.row >> 6;
    const uint64_t bit = (uint64_t)1 << (stretch.row & 63);
    for (int y = stretch.from, rows; y <= stretch.to; y += rows) {
        uint64_t *tile = astar_reach_word(jump, stretch.direction, y, word);
        const uint64_t *other = astar_reach_word(jump, stretch.direction ^ 2, y, word);
        uint64_t *stops = astar_tile_word(&jump->runs.stops[ASTAR_EAST], y, (int)word);
        rows = stretch.to - y < 7 - (y & 7) ? stretch.to - y + 1 : 8 - (y & 7);
        for (int i = 0; i < rows; i++) {
            uint64_t stop = astar_irregular_word(jump->irregular, y + i, word) | other[i];
            astar_put_in(&tile[i], bit, reach);
            stops[i] = (stops[i] & ~bit) | (reach ? bit : stop & bit);
        }
    }
}

void astar_jump_put_stretch(AstarJumpBitmaps *jump, AstarStretch stretch, bool two, bool reach)
{
    int direction = stretch.direction, before = (direction + 3) & 3;
    if (!jump->rule->has_diagonals) {
        put_stretch_of_column(jump, stretch, reach);
        return;
    }
    void (*put)(AstarJumpBitmaps *, int, AstarOnSlant, int, int, int, bool,
                bool) = astar_is_turned(direction) ? put_column_on_slant : put_row_on_slant;
    put(jump, direction, ASTAR_ASIDE, stretch.row, stretch.from, stretch.to, two, reach);
    put(jump, before, ASTAR_ASIDE_NEXT, stretch.row, stretch.from, stretch.to, two, reach);
}

static AstarStretch stretch_between(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                    int direction, int row, int from, int to)
{
    const AstarBits *runs = astar_runs_of(jump, walkable, direction);
    AstarStretch stretch = {direction, row, from, to};
    if (!astar_bit_at(runs, row, from))
        stretch.from++;
    if (!astar_bit_at(runs, row, to))
        stretch.to--;
    return stretch;
}

AstarStretch astar_jump_stretch_over(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                     int direction, int row, int position)
{
    const AstarTiles *stops = &jump->runs.stops[direction];
    if (astar_is_upward(direction))
        return stretch_between(jump, walkable, direction, row,
                               astar_tiles_until(stops, row, position), position);
    return stretch_between(jump, walkable, direction, row, position,
                           astar_tiles_from(stops, row, position));
}
