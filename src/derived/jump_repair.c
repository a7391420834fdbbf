// jump_repair.c -- what the flip of one bit changes of the jump bitmaps.
//
// The stops of the nine cells about it change, and with them the reach of the free cells that run
// to one of these: a stretch of a row or column for each direction, up to the stop before. Where
// that changes, so do the events beside it. On open ground a stretch is as long as the map is wide,
// so it is mended by words: reach and events lie in strips, in which a stretch of either kind is
// one word after the other.

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
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    int stop = astar_is_upward(direction) ? astar_bit_from(stops, position + 1)
                                          : astar_bit_until(stops, position - 1);
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
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    int border = (astar_is_turned(direction) ? jump->height : jump->width) + 1;
    Reach reach = {.before = false};
    if (astar_is_upward(direction)) {
        reach.nearest = position > 2 ? position - 2 : 0;
        reach.stretch = stretch_between(jump, walkable, direction, row,
                                        astar_bit_until(stops, reach.nearest), reach.nearest);
    } else {
        reach.nearest = position < border - 2 ? position + 2 : border;
        reach.stretch = stretch_between(jump, walkable, direction, row, reach.nearest,
                                        astar_bit_from(stops, reach.nearest));
    }
    if (reach.stretch.from <= reach.stretch.to)
        reach.before = runs_to_turn(jump, walkable, direction, row, reach.nearest, flipped);
    return reach;
}

// ---- mending words ----

// The bits of a word from one position to another.
static uint64_t mask_between(size_t word, int from, int to)
{
    int first = from - (int)(64 * word), last = to - (int)(64 * word);
    uint64_t mask = ~(uint64_t)0;
    if (first > 0)
        mask &= mask << first;
    return last < 63 ? mask & ~(uint64_t)0 >> (63 - last) : mask;
}

ASTAR_SPECIALIZE void put_in(uint64_t *word, uint64_t bits, bool value)
{
    *word = value ? *word | bits : *word & ~bits;
}

// Sets or clears a bit in some words on end, and in each that bit or the one after that of the word
// before. By fours, so that none waits for another: on open ground an edit's time is spent here.
ASTAR_SPECIALIZE void put_along(uint64_t *words, int count, uint64_t bit, bool moves, bool value)
{
    uint64_t a = bit, b = a << moves, c = b << moves, d = c << moves;
    const uint64_t *end = words + count;
    for (; end - words >= 4; words += 4) {
        put_in(words, a, value);
        put_in(words + 1, b, value);
        put_in(words + 2, c, value);
        put_in(words + 3, d, value);
        a <<= 4 * moves;
        b <<= 4 * moves;
        c <<= 4 * moves;
        d <<= 4 * moves;
    }
    for (; words < end; words++, a <<= moves)
        put_in(words, a, value);
}

static void put_bits_along(uint64_t *words, int count, uint64_t bit, bool moves, bool value)
{
    if (moves && value)
        put_along(words, count, bit, true, true);
    else if (moves)
        put_along(words, count, bit, true, false);
    else if (value)
        put_along(words, count, bit, false, true);
    else
        put_along(words, count, bit, false, false);
}

// Puts the events of cells of a strip on neighbouring diagonals, from the first one on.
static void put_diagonals(AstarJumpBitmaps *jump, int slant, int x, int diagonal, int count,
                          bool moves, bool value)
{
    uint64_t *strip = astar_event_word(&jump->events[slant], jump->wrap, 0, x);
    uint64_t bit = (uint64_t)1 << (x & 63);
    int rest = jump->wrap - diagonal < count ? jump->wrap - diagonal : count;
    put_bits_along(strip + diagonal, rest, bit, moves, value);
    if (count > rest)
        put_bits_along(strip, count - rest, moves ? bit << (rest & 63) : bit, moves, value);
}

// A row's cells, from x to x + count - 1, of one strip, go up with the diagonals; so do a column's,
// but against falling slants from the last.
static void put_event_cells(AstarJumpBitmaps *jump, int slant, bool turned, int x, int y, int count,
                            bool value)
{
    bool rising = slant == ASTAR_NORTH_EAST || slant == ASTAR_SOUTH_WEST;
    int first_y = turned && !rising ? y + count - 1 : y;
    put_diagonals(jump, slant, x, astar_diagonal_of(jump->wrap, (AstarSlant)slant, x, first_y),
                  count, !turned, value);
}

// Gives those of 64 cells of a row or column that a mask has their events, run by run of a kind.
static void put_event_word(AstarJumpBitmaps *jump, int slant, bool turned, int row, size_t word,
                           uint64_t mask, uint64_t events)
{
    while (mask != 0) {
        int first = astar_lowest_bit(mask);
        bool value = events >> first & 1;
        uint64_t other = (value ? ~events : events) | ~mask;
        other &= ~(uint64_t)0 << first;
        int count = (other != 0 ? astar_lowest_bit(other) : 64) - first;
        int position = (int)(64 * word) + first;
        put_event_cells(jump, slant, turned, turned ? row : position, turned ? position : row,
                        count, value);
        mask = first + count < 64 ? mask & ~(uint64_t)0 << (first + count) : 0;
    }
}

// ---- stretches ----

// The reach of 64 cells of a row, or of those of a column that a mask has, in a direction.
static uint64_t reach_of_row(const AstarJumpBitmaps *jump, int direction, int y, size_t word)
{
    uint64_t reach = 0;
    for (size_t i = 0; i < astar_strips_of(jump, word); i++) {
        uint64_t fours = *astar_reach_word(jump, (int)(64 * word + 16 * i), y) >> direction;
        if ((fours & UINT64_C(0x1111111111111111)) != 0) // on open ground it is seldom so
            reach |= astar_gather(fours) << 16 * i;
    }
    return reach;
}

static uint64_t reach_of_column(const AstarJumpBitmaps *jump, int direction, int x, size_t word,
                                uint64_t mask)
{
    uint64_t reach = 0;
    int first = astar_lowest_bit(mask), last = astar_highest_bit(mask);
    int bit = (x & 15) * 4 + direction;
    const uint64_t *fours = astar_reach_word(jump, x, (int)(64 * word));
    for (int i = first; i <= last; i++)
        reach |= (fours[i] >> bit & 1) << i;
    return reach;
}

// The directions in which one of those cells has reach: on open ground seldom any.
static unsigned any_reach_of_column(const AstarJumpBitmaps *jump, int x, size_t word, uint64_t mask)
{
    uint64_t any = 0;
    int first = astar_lowest_bit(mask), last = astar_highest_bit(mask);
    const uint64_t *fours = astar_reach_word(jump, x, (int)(64 * word));
    for (int i = first; i <= last; i++)
        any |= fours[i];
    return (unsigned)(any >> (x & 15) * 4) & 0xF;
}

// Gives those of 64 cells of a row or column that a mask has their reach.
static void put_reach_word(AstarJumpBitmaps *jump, int direction, int row, size_t word,
                           uint64_t mask, bool reach)
{
    for (size_t i = 0; i < astar_strips_of(jump, word) && !astar_is_turned(direction); i++)
        put_in(astar_reach_word(jump, (int)(64 * word + 16 * i), row),
               astar_spread(mask >> 16 * i & 0xFFFF) << direction, reach);
    if (!astar_is_turned(direction))
        return;
    int first = astar_lowest_bit(mask), count = astar_highest_bit(mask) - first + 1;
    put_bits_along(astar_reach_word(jump, row, (int)(64 * word) + first), count,
                   (uint64_t)1 << ((row & 15) * 4 + direction), false, reach);
}

// Without slants, the stops along rows of those cells of a column that a mask has.
static void put_stops_of_column(AstarJumpBitmaps *jump, int x, size_t word, uint64_t mask,
                                uint64_t stops)
{
    for (; mask != 0; mask &= mask - 1) {
        int bit = astar_lowest_bit(mask);
        astar_bits_put(&jump->stops[ASTAR_EAST], x - 1, (int)(64 * word) + bit - 1,
                       stops >> bit & 1);
    }
}

// Gives 64 cells of a stretch, or those of them that a mask has, their reach, and the two slants
// beside it their events.
static void put_stretch_word(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                             int row, size_t word, uint64_t mask, bool reach)
{
    bool turned = astar_is_turned(direction);
    put_reach_word(jump, direction, row, word, mask, reach);
    AstarNeighbors around = {0};
    if (!reach && jump->rule->has_diagonals)
        around = turned ? astar_around_column(&jump->columns, row, word)
                        : astar_around_row(walkable, row, word);
    unsigned any = turned && !reach ? any_reach_of_column(jump, row, word, mask) : 0xF;
    uint64_t irregular = astar_irregular_word(turned ? jump->irregular_columns : jump->irregular,
                                              row, word);
    for (int quarters = 1; quarters <= 3; quarters += 2) { // the other side of each slant
        int other = (direction + quarters) & 3, slant = quarters == 1 ? direction : other;
        if (!jump->rule->has_diagonals)
            other = direction ^ 2;
        uint64_t events = ~(uint64_t)0;
        if (!reach && (any >> other & 1) == 0)
            events = 0;
        else if (!reach)
            events = turned ? reach_of_column(jump, other, row, word, mask)
                            : reach_of_row(jump, other, row, word);
        events |= irregular;
        if (!jump->rule->has_diagonals) {
            put_stops_of_column(jump, row, word, mask, events);
            return;
        }
        if (!reach)
            events |= astar_slant_ends(jump->rule->corners, &around, slant);
        put_event_word(jump, slant, turned, row, word, mask, events);
    }
}

// Brings the cells of a stretch up to date with their reach.
static void repair_reach(AstarJumpBitmaps *jump, const AstarBits *walkable, const Reach *reach)
{
    Stretch stretch = reach->stretch;
    if (stretch.from > stretch.to)
        return;
    bool now = runs_to_turn(jump, walkable, stretch.direction, stretch.row, reach->nearest, -1);
    if (now == reach->before)
        return;
    for (size_t word = (size_t)stretch.from >> 6; word <= (size_t)stretch.to >> 6; word++)
        put_stretch_word(jump, walkable, stretch.direction, stretch.row, word,
                         mask_between(word, stretch.from, stretch.to), now);
}

// ---- the cells about the flip ----

// Works out the reach of one cell again.
static void repair_reach_of_cell(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    uint64_t *fours = astar_reach_word(jump, x, y), reach = 0;
    int shift = (x & 15) * 4;
    if (astar_bit_at(walkable, y, x))
        for (int d = 0; d < 4; d++)
            if (!astar_looks_aside(jump, d))
                reach |= (uint64_t)runs_to_turn(jump, walkable, d, astar_is_turned(d) ? x : y,
                                                astar_is_turned(d) ? y : x, -1)
                         << d;
    *fours = (*fours & ~((uint64_t)0xF << shift)) | reach << shift;
}

// Works out the reach and the events of those of 64 cells of a row that a mask has.
static void repair_cells(AstarJumpBitmaps *jump, const AstarBits *walkable, int y, size_t word,
                         uint64_t mask)
{
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
        repair_reach_of_cell(jump, walkable, (int)(64 * word) + astar_lowest_bit(rest), y);
    uint64_t events[4] = {0};
    if (!jump->rule->has_diagonals) {
        uint64_t *stops = &jump->stops[ASTAR_EAST].words[(size_t)y * walkable->stride + word];
        astar_look_aside(jump, y, word, events);
        events[0] |= ~astar_row_at(walkable, y)[word];
        *stops = (*stops & ~mask) | (events[0] & mask);
        return;
    }
    astar_find_events(jump, walkable, y, word, events);
    for (int slant = 0; slant < 4; slant++)
        put_event_word(jump, slant, false, y, word, mask, events[slant]);
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
    astar_jump_put_stops(jump, walkable, cells);
    for (int i = 0; i < count; i++)
        repair_reach(jump, walkable, &reaches[i]);
    for (int row = cells.y0; row <= cells.y1; row++)
        for (size_t word = (size_t)cells.x0 >> 6; word <= (size_t)cells.x1 >> 6; word++)
            repair_cells(jump, walkable, row, word, mask_between(word, cells.x0, cells.x1));
}

void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (astar_get(&jump->stale)) {
        astar_jump_area_edited(jump, x, y, 1, 1);
        return;
    }
    astar_bits_put(&jump->columns, y, x, astar_bits_get(walkable, x, y));
    repair_around(jump, walkable, x + 1, y + 1, true);
}

void astar_jump_irregular_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (astar_get(&jump->stale))
        astar_jump_area_edited(jump, x, y, 1, 1);
    else
        repair_around(jump, walkable, x + 1, y + 1, false);
}
