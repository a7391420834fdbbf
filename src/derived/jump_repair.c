// jump_repair.c -- what the flip of one bit changes of the jump bitmaps.
//
// The stops of the nine cells about it change, and with them the reach of the free cells that run
// to one of these: a stretch of a row or column for each direction, up to the stop before. Where
// that changes, so does what the two slants beside it see aside. On open ground a stretch is as
// long as the map is wide, so it is mended by words: its cells lie on diagonals after each other.

#include "derived/dead_ends.h"
#include "derived/jump_bits.h"
#include "derived/jump_words.h"

// A direction's runs go along the rows of these free bits.
static const AstarBits *runs_of(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                int direction)
{
    return astar_is_turned(direction) ? &jump->columns : walkable;
}

// ---- where reach may change ----

// Free cells between two stops of a row, one of which may be a turn and so free, as well.
typedef struct Stretch {
    int direction, row;
    int from, to;
} Stretch;

static Stretch stretch_between(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                               int direction, int row, int from, int to)
{
    const AstarBits *runs = runs_of(jump, walkable, direction);
    Stretch stretch = {direction, row, from, to};
    if (!astar_bit_at(runs, row, from))
        stretch.from++;
    if (!astar_bit_at(runs, row, to))
        stretch.to--;
    return stretch;
}

// Whether the run from a position ends at a turn; if that is the flipped position, as it was.
static bool runs_to_turn(const AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                         int row, int position, int flipped)
{
    const AstarTiles *stops = &jump->runs.stops[direction];
    int stop = astar_is_upward(direction) ? astar_tiles_from(stops, row, position + 1)
                                          : astar_tiles_until(stops, row, position - 1);
    return astar_bit_at(runs_of(jump, walkable, direction), row, stop) != (stop == flipped);
}

// The cells of a row whose reach in one direction may change with a flip on it or beside it: those
// that lead to the position of the flip.
typedef struct Reach {
    Stretch stretch;
    int nearest; // to the flip
    bool before; // it happened
} Reach;

enum { REACHES = 12 }; // four directions, three rows each

// Looks at a row before its stops are repaired: those of the flipped position and of one to either
// side may change. 'flipped' is the position of the flipped cell if it is on this row, else -1: its
// own bit is new already.
static Reach look_at(const AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                     int row, int position, int flipped)
{
    const AstarTiles *stops = &jump->runs.stops[direction];
    int border = (astar_is_turned(direction) ? jump->height : jump->width) + 1;
    Reach reach = {.before = false};
    if (astar_is_upward(direction)) {
        reach.nearest = position > 2 ? position - 2 : 0;
        reach.stretch = stretch_between(jump, walkable, direction, row,
                                        astar_tiles_until(stops, row, reach.nearest),
                                        reach.nearest);
    } else {
        reach.nearest = position < border - 2 ? position + 2 : border;
        reach.stretch = stretch_between(jump, walkable, direction, row, reach.nearest,
                                        astar_tiles_from(stops, row, reach.nearest));
    }
    if (reach.stretch.from <= reach.stretch.to)
        reach.before = runs_to_turn(jump, walkable, direction, row, reach.nearest, flipped);
    return reach;
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
enum { STRIPS_AHEAD = 12 };

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
static void put_stretch_of_column(AstarJumpBitmaps *jump, Stretch stretch, bool reach)
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

// Gives the cells of a stretch their reach: to the two slants beside it. 'two': and those of the
// same stretch of the row next but one.
static void put_stretch(AstarJumpBitmaps *jump, Stretch stretch, bool two, bool reach)
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

// Whether the reach of a stretch is another one now.
static bool is_changed_reach(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                             const Reach *reach)
{
    Stretch stretch = reach->stretch;
    return stretch.from <= stretch.to &&
           runs_to_turn(jump, walkable, stretch.direction, stretch.row, reach->nearest, -1) !=
               reach->before;
}

// Whether two stretches lie beside a row and are alike.
static bool are_beside(const Stretch *a, const Stretch *b)
{
    return a->direction == b->direction && a->row + 2 == b->row && a->from == b->from &&
           a->to == b->to;
}

// Brings the cells of stretches up to date with their reach. On open ground those on both sides of
// the flip change alike: they are put together, for they lie in the same words.
static void repair_reaches(AstarJumpBitmaps *jump, const AstarBits *walkable, const Reach *reaches,
                           int count)
{
    bool is_due[REACHES + 2] = {false};
    for (int i = 0; i < count; i++)
        is_due[i] = is_changed_reach(jump, walkable, &reaches[i]);
    for (int i = 0; i < count; i++) {
        const Reach *reach = &reaches[i], *other = reach + 2;
        if (!is_due[i])
            continue;
        bool two = is_due[i + 2] && jump->rule->has_diagonals && other->before == reach->before &&
                   are_beside(&reach->stretch, &other->stretch);
        put_stretch(jump, reach->stretch, two, !reach->before);
        if (two)
            is_due[i + 2] = false;
    }
}

// ---- the cells about the flip ----

// Works out the reach of one cell again.
static void repair_reach_of_cell(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    bool is_free = astar_bit_at(walkable, y, x);
    for (int d = 0; d < 4; d++) {
        int row = astar_is_turned(d) ? x : y, position = astar_is_turned(d) ? y : x;
        if (astar_looks_aside(jump, d))
            continue;
        bool reach = is_free && runs_to_turn(jump, walkable, d, row, position, -1);
        if (reach != astar_has_reach(jump, d, x, y))
            put_stretch(jump, (Stretch){d, row, position, position}, false, reach);
    }
}

// Works out where runs end again, at those of 64 cells of a row that a mask has.
static void repair_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, int y, size_t word,
                        uint64_t mask)
{
    AstarSlantEnds ends[4];
    if (!jump->rule->has_diagonals) {
        uint64_t *stops = astar_tile_word(&jump->runs.stops[ASTAR_EAST], y, (int)word);
        *stops = (*stops & ~mask) | (astar_find_aside(jump, walkable, y, word) & mask);
        return;
    }
    astar_find_ends(jump, walkable, y, word, ends);
    for (; mask != 0; mask &= mask - 1) {
        int bit = astar_lowest_bit(mask), x = (int)(64 * word) + bit;
        for (int slant = 0; slant < 4; slant++) {
            uint64_t *here = astar_slant_word(&jump->runs, slant, x, y);
            uint64_t cell = (uint64_t)1 << (x & (ASTAR_STRIP - 1));
            astar_put_in(here, cell << ASTAR_ENDS * ASTAR_STRIP, ends[slant].ends >> bit & 1);
            if (astar_has_slant_turns(jump))
                astar_put_in(here, cell << ASTAR_TURNS * ASTAR_STRIP, ends[slant].turns >> bit & 1);
        }
    }
}

// Whether a row holds runs to turns: the border's rows do not.
static bool has_runs(const AstarJumpBitmaps *jump, int direction, int row)
{
    return !astar_looks_aside(jump, direction) && row >= 1 &&
           row <= (astar_is_turned(direction) ? jump->width : jump->height);
}

// Repairs what the flip of a cell's walkable bit, or of its irregular one, has changed.
static void repair_around(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                          bool is_walkable_flipped)
{
    Reach reaches[REACHES];
    int count = 0;
    for (int direction = 0; direction < 4; direction++) {
        int row = astar_is_turned(direction) ? x : y, position = astar_is_turned(direction) ? y : x;
        for (int side = -1; side <= 1; side++)
            if (has_runs(jump, direction, row + side))
                reaches[count++] = look_at(jump, walkable, direction, row + side, position,
                                           side == 0 && is_walkable_flipped ? position : -1);
    }
    AstarJumpCells cells = {x > 1 ? x - 1 : 1, y > 1 ? y - 1 : 1, x < jump->width ? x + 1 : x,
                            y < jump->height ? y + 1 : y};
    if (is_walkable_flipped)
        astar_jump_put_free(jump, walkable, (AstarJumpCells){x - 1, y - 1, x + 1, y + 1});
    astar_jump_put_stops(jump, walkable, cells);
    repair_reaches(jump, walkable, reaches, count);
    for (int row = cells.y0; row <= cells.y1; row++)
        for (int column = cells.x0; column <= cells.x1; column++)
            repair_reach_of_cell(jump, walkable, column, row);
    for (int row = cells.y0; row <= cells.y1; row++)
        for (size_t word = (size_t)cells.x0 >> 6; word <= (size_t)cells.x1 >> 6; word++)
            repair_ends(jump, walkable, row, word,
                        astar_bits_mask(word, (size_t)cells.x0, (size_t)cells.x1));
}

void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (astar_get(&jump->stale)) {
        astar_jump_area_edited(jump, x, y, 1, 1);
        return;
    }
    astar_bits_put(&jump->columns, y, x, astar_bits_get(walkable, x, y));
    repair_around(jump, walkable, x + 1, y + 1, true);
    astar_dead_ends_edited(jump, x, y);
}

void astar_jump_irregular_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (astar_get(&jump->stale)) {
        astar_jump_area_edited(jump, x, y, 1, 1);
        return;
    }
    repair_around(jump, walkable, x + 1, y + 1, false);
    astar_dead_ends_edited(jump, x, y);
}
