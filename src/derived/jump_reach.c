// jump_reach.c -- reach: whether the straight run from a cell ends at a turn.
//
// It spreads from each turn against the run's direction, along a row within a word and from word to
// word, along columns a row of 64 cells after the other; square by square, so that it can be left
// off after each. Into squares without flips it spreads by those rows alone along which another
// comes than before, as far as their next stops.

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

// A square of 64 x 64 cells: the bands that it lies in.
typedef struct JumpSquare {
    int column, row;
    AstarBandRows rows;
} JumpSquare;

// A square of a band by its number in it, the first where reach begins to spread.
static JumpSquare square_of_band(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                 int direction, int band, int i)
{
    int last = astar_is_turned(direction) ? astar_jump_row_bands(jump) - 1
                                          : (int)walkable->stride - 1;
    int at = astar_is_upward(direction) ? last - i : i;
    int column = astar_is_turned(direction) ? band : at,
        row = astar_is_turned(direction) ? at : band;
    return (JumpSquare){column, row, astar_rows_of_band(jump, row)};
}

// A cell of the side of a square that a direction's runs leave it by, or come in by.
static AstarCell cell_at_side(const JumpSquare *square, int direction, int k, bool leave)
{
    const bool is_turned = astar_is_turned(direction), last = astar_is_upward(direction) == leave;
    return (AstarCell){64 * square->column + (is_turned ? k
                                              : last    ? 63
                                                        : 0),
                       square->rows.y0 + (!is_turned ? k
                                          : last     ? square->rows.count - 1
                                                     : 0)};
}

// How many of those cells there are.
static int count_at_side(const JumpSquare *square, int direction)
{
    return astar_is_turned(direction) && square->rows.count > 0 ? 64 : square->rows.count;
}

// What spreads out of a square as its reach is: a bit for each of its rows, or of its columns where
// runs go along those.
static uint64_t spread_out_of(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                              int direction, const JumpSquare *square)
{
    const bool is_turned = astar_is_turned(direction);
    uint64_t leads = 0;
    for (int k = 0; k < count_at_side(square, direction); k++) {
        AstarCell cell = cell_at_side(square, direction, k, false);
        if (!astar_bit_at(walkable, cell.y, cell.x))
            continue;
        bool is_stop = astar_tile_bit(&jump->runs.stops[direction], is_turned ? cell.x : cell.y,
                                      is_turned ? cell.y : cell.x);
        leads |= (uint64_t)(is_stop || astar_has_reach(jump, direction, cell.x, cell.y)) << k;
    }
    return leads;
}

// Spreads the carry into a square without flips where it is not what did before, and beyond.
static void spread_into(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                        const JumpSquare *square)
{
    for (int k = 0; k < count_at_side(square, direction); k++) {
        AstarCell cell = cell_at_side(square, direction, k, true);
        int row = astar_is_turned(direction) ? cell.x : cell.y;
        bool reach = jump->carry >> k & 1;
        if (astar_bit_at(walkable, cell.y, cell.x) &&
            astar_has_reach(jump, direction, cell.x, cell.y) != reach)
            astar_jump_put_stretch(
                jump,
                astar_jump_stretch_over(jump, walkable, direction, row, cell.x + cell.y - row),
                false, reach);
    }
}

static bool has_flips(const AstarJumpBitmaps *jump, const JumpSquare *square)
{
    return astar_is_column_taken(jump, square->column) && astar_is_row_taken(jump, square->row);
}

// Makes ready for a square of a band; false where nothing in it has flipped.
static bool reach_spreads_into(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                               int band, int i, JumpSquare *square)
{
    *square = square_of_band(jump, walkable, direction, band, i);
    bool was_made = jump->was_made && i > 0;
    jump->was_made = has_flips(jump, square);
    if (was_made && !jump->was_made)
        spread_into(jump, walkable, direction, square);
    if (!jump->was_made || was_made)
        return jump->was_made;
    JumpSquare last = square_of_band(jump, walkable, direction, band, i - 1);
    jump->carry = i == 0 ? 0 : spread_out_of(jump, walkable, direction, &last);
    return true;
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

// Makes the reach along the rows of a square of a band anew; false where nothing in it has flipped.
ASTAR_SPECIALIZE bool build_reach_of_rows(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                          int direction, int row, int i)
{
    const bool upward = astar_is_upward(direction);
    uint64_t reach[64];
    JumpSquare square;
    if (!reach_spreads_into(jump, walkable, direction, row, i, &square))
        return false;
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
    jump->carry = carries;
    return true;
}

// The same along its columns.
ASTAR_SPECIALIZE bool build_reach_of_columns(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                             int direction, size_t word, int i)
{
    uint64_t reach[64];
    JumpSquare square;
    if (!reach_spreads_into(jump, walkable, direction, (int)word, i, &square))
        return false;
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
    jump->carry = leads;
    return true;
}

bool astar_jump_reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = astar_jump_row_bands(jump), band = unit / squares, i = unit % squares;
    if (!astar_is_column_taken(jump, band / 2)) {
        jump->unit += squares - 1;
        return false;
    }
    return band % 2 == 0 ? build_reach_of_columns(jump, walkable, ASTAR_SOUTH, (size_t)band / 2, i)
                         : build_reach_of_columns(jump, walkable, ASTAR_NORTH, (size_t)band / 2, i);
}

bool astar_jump_reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = (int)walkable->stride, row = unit / squares, i = unit % squares;
    if (!astar_is_row_taken(jump, row / 2) || !jump->rule->has_diagonals ||
        astar_rows_of_band(jump, row / 2).count <= 0) {
        jump->unit += squares - 1;
        return false;
    }
    return row % 2 == 0 ? build_reach_of_rows(jump, walkable, ASTAR_EAST, row / 2, i)
                        : build_reach_of_rows(jump, walkable, ASTAR_WEST, row / 2, i);
}
