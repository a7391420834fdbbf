// jump_reach.c -- reach: whether the straight run from a cell ends at a turn.
//
// It spreads from each turn against the run's direction, along a row within a word and from word to
// word, along columns a row of 64 cells after the other; square by square, so that it can be left
// off after each. Beyond a square without flips, out of which as much spreads as before, it ends.

#include "derived/jump_making.h"

// Puts the reach of up to 64 rows of 64 cells in a direction: what the two slants beside it see.
static void put_reach(AstarJumpBitmaps *jump, int direction, size_t word, int y0, int rows,
                      const uint64_t reach[64])
{
    if (jump->rule->has_diagonals) {
        astar_jump_put_aside(jump, direction, ASTAR_ASIDE, word, y0, rows, reach);
        astar_jump_put_aside(jump, (direction + 3) & 3, ASTAR_ASIDE_NEXT, word, y0, rows, reach);
        return;
    }
    for (int i = 0; i < rows; i++)
        *astar_reach_word(jump, direction, y0 + i, word) = reach[i];
}

// Of the squares of 64 x 64 cells of a band those that are made at a time, the first where reach
// begins to spread; 'jump->carry' is what spreads on to the next ones.
typedef struct JumpPart {
    int first, end;
} JumpPart;

// A square of those: the bands that it lies in, and what spread out of it before it is made anew.
typedef struct JumpSquare {
    int column, row;
    AstarBandRows rows;
    uint64_t before;
} JumpSquare;

static JumpSquare square_of_band(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                 int direction, int band, int i)
{
    int last = astar_is_turned(direction) ? astar_jump_row_bands(jump) - 1
                                          : (int)walkable->stride - 1;
    int at = astar_is_upward(direction) ? last - i : i;
    int column = astar_is_turned(direction) ? band : at,
        row = astar_is_turned(direction) ? at : band;
    return (JumpSquare){column, row, astar_rows_of_band(jump, row), 0};
}

// What spreads out of a square as its reach is: a bit for each of its rows, or of its columns where
// runs go along those.
static uint64_t spread_out_of(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                              int direction, const JumpSquare *square)
{
    const bool upward = astar_is_upward(direction), is_turned = astar_is_turned(direction);
    const AstarBandRows *rows = &square->rows;
    uint64_t leads = 0;
    for (int k = 0; k < (is_turned && rows->count > 0 ? 64 : rows->count); k++) {
        int x = 64 * square->column + (is_turned ? k : upward ? 0 : 63);
        int y = rows->y0 + (!is_turned ? k : upward ? 0 : rows->count - 1);
        if (!astar_bit_at(walkable, y, x))
            continue;
        bool is_stop = astar_tile_bit(&jump->runs.stops[direction], is_turned ? x : y,
                                      is_turned ? y : x);
        leads |= (uint64_t)(is_stop || astar_has_reach(jump, direction, x, y)) << k;
    }
    return leads;
}

static bool has_flips(const AstarJumpBitmaps *jump, const JumpSquare *square)
{
    return astar_is_column_taken(jump, square->column) && astar_is_row_taken(jump, square->row);
}

// Makes ready for a square of a band; false where nothing in it has flipped and what spreads into
// it is what did before. Beyond such a one it spreads as it did.
static bool reach_spreads_into(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                               int band, int i, JumpSquare *square)
{
    *square = square_of_band(jump, walkable, direction, band, i);
    jump->spreads = jump->spreads && i > 0;
    if (!jump->spreads && !has_flips(jump, square))
        return false;
    JumpSquare last = square_of_band(jump, walkable, direction, band, i - 1);
    if (!jump->spreads)
        jump->carry = i == 0 ? 0 : spread_out_of(jump, walkable, direction, &last);
    if (!has_flips(jump, square))
        square->before = spread_out_of(jump, walkable, direction, square);
    return true;
}

static void spread_reach(AstarJumpBitmaps *jump, const JumpSquare *square, uint64_t carry)
{
    jump->carry = carry;
    jump->spreads = has_flips(jump, square) || carry != square->before;
}

// Of 64 cells of a row those from which, or from a cell before the next stop, there is a turn at or
// ahead of them; 'carry' tells it of the cell ahead of all.
ASTAR_SPECIALIZE uint64_t spread_turns(uint64_t turns, uint64_t passed, bool carry, bool upward)
{
    uint64_t leads = turns | (passed & (uint64_t)carry << (upward ? 63 : 0));
    for (int by = 1; by < 64; by <<= 1) {
        leads |= passed & (upward ? leads >> by : leads << by);
        passed &= upward ? passed >> by : passed << by;
    }
    return leads;
}

// The reach along up to 64 rows, of which the carry has a bit each, in some of their words.
ASTAR_SPECIALIZE void build_reach_of_rows(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                          int direction, int row, JumpPart part)
{
    const bool upward = astar_is_upward(direction);
    uint64_t reach[64];
    for (int i = part.first; i < part.end; i++) {
        JumpSquare square;
        if (!reach_spreads_into(jump, walkable, direction, row, i, &square))
            continue;
        const size_t word = (size_t)square.column;
        const int y0 = square.rows.y0, rows = square.rows.count;
        uint64_t carries = jump->carry;
        for (int k = 0; k < rows; k++) {
            uint64_t free = astar_row_at(walkable, y0 + k)[word];
            uint64_t stops = *astar_tile_word(&jump->runs.stops[direction], y0 + k, (int)word);
            bool carry = carries >> k & 1;
            uint64_t leads = spread_turns(free & stops, ~stops, carry, upward);
            uint64_t ahead = upward ? leads >> 1 | (uint64_t)carry << 63 : leads << 1 | carry;
            reach[k] = ahead & free;
            carries &= ~((uint64_t)1 << k);
            carries |= (upward ? leads & 1 : leads >> 63) << k;
        }
        put_reach(jump, direction, word, y0, rows, reach);
        spread_reach(jump, &square, carries);
    }
}

// The reach along the 64 columns of a word, in some of the bands of rows.
ASTAR_SPECIALIZE void build_reach_of_columns(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                             int direction, size_t word, JumpPart part)
{
    uint64_t reach[64];
    for (int i = part.first; i < part.end; i++) {
        JumpSquare square;
        if (!reach_spreads_into(jump, walkable, direction, (int)word, i, &square))
            continue;
        const AstarBandRows band = square.rows;
        uint64_t leads = jump->carry; // from the row before
        for (int k = 0; k < band.count; k++) {
            int row = direction == ASTAR_SOUTH ? band.count - 1 - k : k, y = band.y0 + row;
            AstarNeighbors around = astar_around_row(walkable, y, word);
            uint64_t stops = astar_stops_of(jump->rule->corners, &around, direction) |
                             astar_irregular_word(jump->irregular, y, word);
            reach[row] = around.here & leads;
            leads = (around.here & stops) | (reach[row] & ~stops);
        }
        if (band.count > 0)
            put_reach(jump, direction, word, band.y0, band.count, reach);
        spread_reach(jump, &square, leads);
    }
}

// The part of a band of so many squares that a unit is for.
static JumpPart part_of_band(int unit, int squares)
{
    int first = unit % astar_crossings_of(squares, ASTAR_SPREAD_AT_A_TIME) * ASTAR_SPREAD_AT_A_TIME;
    return (JumpPart){first, astar_lesser(first + ASTAR_SPREAD_AT_A_TIME, squares)};
}

int astar_jump_reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = astar_jump_row_bands(jump),
        band = unit / astar_crossings_of(squares, ASTAR_SPREAD_AT_A_TIME);
    JumpPart part = part_of_band(unit, squares);
    if (!astar_is_column_taken(jump, band / 2))
        return 0;
    if (band % 2 == 0)
        build_reach_of_columns(jump, walkable, ASTAR_SOUTH, (size_t)band / 2, part);
    else
        build_reach_of_columns(jump, walkable, ASTAR_NORTH, (size_t)band / 2, part);
    return part.end - part.first;
}

int astar_jump_reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = (int)walkable->stride,
        row = unit / astar_crossings_of(squares, ASTAR_SPREAD_AT_A_TIME);
    JumpPart part = part_of_band(unit, squares);
    AstarBandRows band = astar_rows_of_band(jump, row / 2);
    if (!astar_is_row_taken(jump, row / 2) || !jump->rule->has_diagonals || band.count <= 0)
        return 0;
    if (row % 2 == 0)
        build_reach_of_rows(jump, walkable, ASTAR_EAST, row / 2, part);
    else
        build_reach_of_rows(jump, walkable, ASTAR_WEST, row / 2, part);
    return part.end - part.first;
}
