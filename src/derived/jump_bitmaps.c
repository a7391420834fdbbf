// jump_bitmaps.c -- bitmaps of where a search over uniform ground must stop.
//
// Jump point search (D. Harabor and A. Grastien, AAAI 2011; by words of bits, ICAPS 2014) runs
// straight on until a cell where a best path can turn, for an obstacle beside the run opens a way
// that no other best path takes. The stops of a direction are those cells and the cells that cannot
// be entered, so a run is a search for the next set bit. Where no corner is cut, a run can turn
// just past the end of an obstacle beside it; where corners are cut, just before: beside its last
// cell. A step past one obstacle only needs the cell ahead free as well.
//
// A diagonal run must look aside at every cell: does the straight run from here, to one of its two
// sides, end at a cell where it can turn? One bit of a cell and slant says so, or that the run ends
// here, or that it can itself turn here, past a corner it cuts: an event. Events lie in the bitmap
// by diagonals, each a row of its own, so a diagonal run is a search for the next set bit, too.
// Diagonals wrap: (x + y) or (x - y), modulo as many rows as the longer side, never fold two cells
// of one column together.
//
// Where no step is diagonal (J. Baum, "Jump point search pathfinding in 4-connected grids", 2025),
// runs to the east and west do what diagonal ones do elsewhere, and of all best routes those that
// go along rows first are followed. Runs to the south and north stop just past the end of an
// obstacle; the bitmaps of stops to the east and west hold their events instead.
//
// A straight stop at a cell that can be entered is called a turn here; whether the next stop of a
// cell is one is the cell's reach in that direction.
//
// All of it is built 64 cells at a time: stops are a few operations on words of the cells around;
// reach spreads from each turn against its direction, along a row within a word and from word to
// word, along columns a row of 64 after the other; events are turned to lie by diagonals in squares
// of 64 x 64. What lies far apart in memory is written square by square.
//
// Runs end at irregular cells, whatever the direction (see irregular.c): those are turns of every
// straight run and events of every diagonal one.

#include "derived/jump_bitmaps.h"

#include "base/transpose.h"
#include "derived/jump_words.h"
#include "derived/layer.h"

// ---- memory ----

static int slants_of(const AstarCornerRule *rule)
{
    return rule->has_diagonals ? 4 : 0;
}

static size_t reach_words(const AstarJumpBitmaps *jump)
{
    return jump->reach_stride * (((size_t)jump->width + 2 + 15) / 16);
}

// Without diagonals runs to the west stop where those to the east do.
static bool has_own_stops(const AstarCornerRule *rule, int direction)
{
    return rule->has_diagonals || direction != ASTAR_WEST;
}

// How many times 64 rows, and columns, there are.
static size_t bands_of(const AstarJumpBitmaps *jump)
{
    return ((size_t)jump->height + 2 + 63) / 64 + ((size_t)jump->width + 2 + 63) / 64;
}

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out)
{
    AstarJumpBitmaps *jump = astar_alloc(allocator, 1, sizeof *jump);
    if (jump == NULL)
        return ASTAR_NO_MEMORY;
    jump->allocator = *allocator;
    jump->rule = &astar_corner_rules[rule];
    jump->width = width;
    jump->height = height;
    jump->wrap = (width > height ? width : height) + 2;
    jump->columns = astar_bits_new(allocator, height, width);
    jump->reach_stride = (size_t)height + 2;
    jump->reach = astar_alloc(allocator, reach_words(jump), sizeof *jump->reach);
    jump->bands = astar_alloc(allocator, bands_of(jump), sizeof *jump->bands);
    bool complete = jump->columns.words != NULL && jump->reach != NULL && jump->bands != NULL;
    for (int i = 0; i < 4; i++) {
        if (has_own_stops(jump->rule, i))
            jump->stops[i] = astar_is_turned(i) ? astar_bits_new(allocator, height, width)
                                                : astar_bits_new(allocator, width, height);
        else
            jump->stops[i] = jump->stops[ASTAR_EAST];
        complete = complete && jump->stops[i].words != NULL;
    }
    for (int i = 0; i < slants_of(jump->rule); i++) {
        jump->events[i] = astar_bits_new(allocator, width, jump->wrap - 2);
        complete = complete && jump->events[i].words != NULL;
    }
    if (!complete) {
        astar_jump_free(jump);
        return ASTAR_NO_MEMORY;
    }
    astar_jump_outdate(jump);
    *out = jump;
    return ASTAR_OK;
}

void astar_jump_free(AstarJumpBitmaps *jump)
{
    if (jump == NULL)
        return;
    AstarAllocator allocator = jump->allocator;
    astar_release(&allocator, jump->reach, reach_words(jump), sizeof *jump->reach);
    astar_release(&allocator, jump->bands, bands_of(jump), sizeof *jump->bands);
    astar_bits_free(&allocator, &jump->columns);
    for (int i = 0; i < 4; i++) {
        if (has_own_stops(jump->rule, i))
            astar_bits_free(&allocator, &jump->stops[i]);
        astar_bits_free(&allocator, &jump->events[i]);
    }
    astar_release(&allocator, jump, 1, sizeof *jump);
}

size_t astar_jump_bytes(const AstarJumpBitmaps *jump)
{
    if (jump == NULL)
        return 0;
    size_t words = jump->columns.count;
    for (int i = 0; i < 4; i++)
        words += (has_own_stops(jump->rule, i) ? jump->stops[i].count : 0) + jump->events[i].count;
    return sizeof *jump + (words + reach_words(jump)) * sizeof(uint64_t) +
           bands_of(jump) * sizeof *jump->bands;
}

// ---- stops ----

static int lesser_of(int a, int b)
{
    return a < b ? a : b;
}

static int greater_of(int a, int b)
{
    return a > b ? a : b;
}

// Up to the border, which stops all runs.
static void build_row_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    AstarCorners corners = jump->rule->corners;
    size_t last = (size_t)lesser_of(cells.x1, jump->width + 1) >> 6;
    for (int y = greater_of(cells.y0, 1); y <= lesser_of(cells.y1, jump->height); y++)
        for (size_t word = (size_t)cells.x0 >> 6; word <= last; word++) {
            AstarNeighbors around = astar_around_row(walkable, y, word);
            uint64_t irregular = astar_irregular_word(jump->irregular, y, word);
            size_t at = (size_t)y * walkable->stride + word;
            jump->stops[ASTAR_EAST].words[at] = astar_stops_of(corners, &around, ASTAR_EAST) |
                                                irregular;
            jump->stops[ASTAR_WEST].words[at] = astar_stops_of(corners, &around, ASTAR_WEST) |
                                                irregular;
        }
}

static void build_column_stops(AstarJumpBitmaps *jump, AstarJumpCells cells)
{
    AstarCorners corners = jump->rule->corners;
    size_t last = (size_t)lesser_of(cells.y1, jump->height + 1) >> 6;
    for (int x = greater_of(cells.x0, 1); x <= lesser_of(cells.x1, jump->width); x++)
        for (size_t word = (size_t)cells.y0 >> 6; word <= last; word++) {
            AstarNeighbors around = astar_around_column(&jump->columns, x, word);
            uint64_t irregular = astar_irregular_word(jump->irregular_columns, x, word);
            size_t at = (size_t)x * jump->columns.stride + word;
            jump->stops[ASTAR_SOUTH].words[at] = astar_stops_of(corners, &around, ASTAR_SOUTH) |
                                                 irregular;
            jump->stops[ASTAR_NORTH].words[at] = astar_stops_of(corners, &around, ASTAR_NORTH) |
                                                 irregular;
        }
}

void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    if (jump->rule->has_diagonals)
        build_row_stops(jump, walkable, cells);
    build_column_stops(jump, cells);
}

// ---- reach ----

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

// The reach along up to 64 rows, of which 'carries' has a bit each.
ASTAR_SPECIALIZE void build_reach_of_rows(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                          int direction, int y0, int rows)
{
    const bool upward = astar_is_upward(direction);
    const size_t stride = walkable->stride;
    uint64_t carries = 0;
    for (size_t i = 0; i < stride; i++) {
        size_t word = upward ? stride - 1 - i : i;
        for (int k = 0; k < rows; k++) {
            size_t at = (size_t)(y0 + k) * stride + word;
            uint64_t free = walkable->words[at], stops = jump->stops[direction].words[at];
            bool carry = carries >> k & 1;
            uint64_t leads = spread_turns(free & stops, ~stops, carry, upward);
            uint64_t ahead = upward ? leads >> 1 | (uint64_t)carry << 63 : leads << 1 | carry;
            astar_put_reach(jump, direction, y0 + k, word, ~(uint64_t)0, ahead & free);
            carries &= ~((uint64_t)1 << k);
            carries |= (upward ? leads & 1 : leads >> 63) << k;
        }
    }
}

// The reach along the 64 columns of a word.
ASTAR_SPECIALIZE void build_reach_of_columns(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                             int direction, size_t word)
{
    uint64_t leads = 0; // from the row before
    for (int i = 1; i <= jump->height; i++) {
        int y = direction == ASTAR_SOUTH ? jump->height + 1 - i : i;
        AstarNeighbors around = astar_around_row(walkable, y, word);
        uint64_t stops = astar_stops_of(jump->rule->corners, &around, direction) |
                         astar_irregular_word(jump->irregular, y, word);
        uint64_t reach = around.here & leads;
        astar_put_reach(jump, direction, y, word, ~(uint64_t)0, reach);
        leads = (around.here & stops) | (reach & ~stops);
    }
}

// ---- events ----

// Rows as they were, but each bit k of a row in the row k further, beyond the last the first again.
static void slant_square(uint64_t square[64])
{
    static const uint64_t moved[] = {UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC),
                                     UINT64_C(0xF0F0F0F0F0F0F0F0), UINT64_C(0xFF00FF00FF00FF00),
                                     UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000)};
    for (int i = 0; i < 6; i++) {
        uint64_t from[64];
        memcpy(from, square, sizeof from);
        for (int row = 0; row < 64; row++)
            square[row] = (from[row] & ~moved[i]) | (from[(row - (1 << i)) & 63] & moved[i]);
    }
}

// Puts the events of up to 64 rows of 64 cells, the first of them in the first row. Bit k of row i
// comes to the diagonal i + k after the first one.
static void put_square(AstarJumpBitmaps *jump, int slant, size_t word, int first, int rows,
                       uint64_t square[64])
{
    uint64_t *strip = jump->events[slant].words + word * (size_t)jump->wrap;
    int diagonal = first % jump->wrap + (first < 0 ? jump->wrap : 0);
    slant_square(square);
    for (int i = 0; i < rows + 63; i++, diagonal++) {
        if (diagonal >= jump->wrap)
            diagonal -= jump->wrap;
        uint64_t mask = i < 63 ? ~(uint64_t)0 >> (63 - i) : ~(uint64_t)0;
        if (i >= rows)
            mask &= ~(uint64_t)0 << (i - rows) << 1;
        strip[diagonal] = (strip[diagonal] & ~mask) | (square[i & 63] & mask);
    }
}

// The events of up to 64 rows of 64 cells, whose reach is known.
static void build_slanted_square(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word,
                                 int y0, int rows)
{
    uint64_t squares[4][64] = {{0}};
    for (int i = 0; i < rows; i++) {
        uint64_t events[4];
        astar_find_events(jump, walkable, y0 + i, word, events);
        squares[ASTAR_SOUTH_EAST][rows - 1 - i] = events[ASTAR_SOUTH_EAST];
        squares[ASTAR_SOUTH_WEST][i] = events[ASTAR_SOUTH_WEST];
        squares[ASTAR_NORTH_WEST][rows - 1 - i] = events[ASTAR_NORTH_WEST];
        squares[ASTAR_NORTH_EAST][i] = events[ASTAR_NORTH_EAST];
    }
    int x0 = (int)(64 * word);
    put_square(jump, ASTAR_SOUTH_EAST, word, x0 - y0 - rows + 1, rows, squares[ASTAR_SOUTH_EAST]);
    put_square(jump, ASTAR_SOUTH_WEST, word, x0 + y0, rows, squares[ASTAR_SOUTH_WEST]);
    put_square(jump, ASTAR_NORTH_WEST, word, x0 - y0 - rows + 1, rows, squares[ASTAR_NORTH_WEST]);
    put_square(jump, ASTAR_NORTH_EAST, word, x0 + y0, rows, squares[ASTAR_NORTH_EAST]);
}

// Without slants, runs along the row stop at what they cannot enter and where there is something
// to see aside.
static void build_orthogonal_events(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word,
                                    int y0, int rows)
{
    for (int y = y0; y < y0 + rows; y++) {
        size_t at = (size_t)y * walkable->stride + word;
        uint64_t events[4] = {0};
        astar_look_aside(jump, y, word, events);
        jump->stops[ASTAR_EAST].words[at] = events[0] | ~walkable->words[at];
    }
}

static void build_events(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
                         int rows)
{
    if (jump->rule->has_diagonals)
        build_slanted_square(jump, walkable, word, y0, rows);
    else
        build_orthogonal_events(jump, walkable, word, y0, rows);
}

// ---- a little at a time ----
//
// The bands of 64 rows and of 64 columns through what has flipped are taken together and made anew,
// pass by pass. What flips meanwhile makes bands outdated that are taken next: whatever hangs on a
// flip lies in its bands, so all is right once none are left.

enum { FLIPPED = 1, TAKEN = 2 }; // what is noted of a band, the latter for as long as the passes

enum {
    TAKE_BANDS,
    TURN_BITS, // where rows and columns cross: the bits and stops that change lie about a flip
    PUT_STOPS,
    REACH_COLUMNS,
    REACH_ROWS,
    FIND_EVENTS, // for which all reach must be known
    PASSES
};

// At a time, of rows and of columns: of a column these words lie in one line.
enum { CROSSED_ROWS = 8, CROSSED_COLUMNS = 16 };

static int row_bands_of(const AstarJumpBitmaps *jump)
{
    return (jump->height + 2 + 63) / 64;
}

static bool is_row_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[band] & TAKEN) != 0;
}

static bool is_column_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[row_bands_of(jump) + band] & TAKEN) != 0;
}

// Takes the bands that are outdated; false where there are none.
static bool take_bands(AstarJumpBitmaps *jump)
{
    bool any = false;
    for (size_t i = 0; i < bands_of(jump); i++) {
        jump->bands[i] = (jump->bands[i] & FLIPPED) != 0 ? TAKEN : 0;
        any = any || jump->bands[i] == TAKEN;
    }
    return any;
}

// How many times as many rows and columns there are.
static int crossings_of(int bands, int at_a_time)
{
    return (bands + at_a_time - 1) / at_a_time;
}

// Turns the bits, or puts the stops, where some columns that are taken cross such rows; how many
// squares.
static int make_crossings(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = 0, across = crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int first_row = unit / across * CROSSED_ROWS, first_column = unit % across * CROSSED_COLUMNS;
    int end_row = lesser_of(first_row + CROSSED_ROWS, row_bands_of(jump));
    int end_column = lesser_of(first_column + CROSSED_COLUMNS, (int)walkable->stride);
    for (int column = first_column; column < end_column; column++)
        for (int row = first_row; row < end_row; row++) {
            int x = 64 * column, y = 64 * row;
            if (!is_row_taken(jump, row) || !is_column_taken(jump, column))
                continue;
            squares++;
            if (jump->pass == TURN_BITS)
                astar_bits_turn_square(walkable, jump->height, &jump->columns, x, y);
            else
                astar_jump_put_stops(jump, walkable, (AstarJumpCells){x, y, x + 63, y + 63});
        }
    return squares;
}

static int reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int column)
{
    if (!is_column_taken(jump, column))
        return 0;
    build_reach_of_columns(jump, walkable, ASTAR_SOUTH, (size_t)column);
    build_reach_of_columns(jump, walkable, ASTAR_NORTH, (size_t)column);
    return row_bands_of(jump);
}

static int reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int row)
{
    int y0 = greater_of(64 * row, 1);
    int rows = lesser_of(64 * row + 63, jump->height) - y0 + 1;
    if (!is_row_taken(jump, row) || !jump->rule->has_diagonals)
        return 0;
    build_reach_of_rows(jump, walkable, ASTAR_EAST, y0, rows);
    build_reach_of_rows(jump, walkable, ASTAR_WEST, y0, rows);
    return (int)walkable->stride;
}

// Of some columns of a row.
static int find_events_of_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int across = crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int row = unit / across, first = unit % across * CROSSED_COLUMNS, squares = 0;
    int y0 = greater_of(64 * row, 1),
        end = lesser_of(first + CROSSED_COLUMNS, (int)walkable->stride);
    int rows = lesser_of(64 * row + 63, jump->height) - y0 + 1;
    for (int column = first; column < end; column++)
        if (is_row_taken(jump, row) || is_column_taken(jump, column)) {
            build_events(jump, walkable, (size_t)column, y0, rows);
            squares++;
        }
    return squares;
}

// Makes the next part of the bands anew, in the pass it is at.
static void make_unit(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work)
{
    int squares, end = row_bands_of(jump);
    switch (jump->pass) {
    case REACH_COLUMNS:
        squares = reach_column(jump, walkable, jump->unit);
        end = (int)walkable->stride;
        break;
    case REACH_ROWS: squares = reach_row(jump, walkable, jump->unit); break;
    case FIND_EVENTS:
        squares = find_events_of_row(jump, walkable, jump->unit);
        end *= crossings_of((int)walkable->stride, CROSSED_COLUMNS);
        break;
    default:
        squares = make_crossings(jump, walkable, jump->unit);
        end = crossings_of(end, CROSSED_ROWS) *
              crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    }
    *work -= 64 * 64 * (int64_t)squares + 64;
    if (++jump->unit < end)
        return;
    jump->unit = 0;
    jump->pass = (jump->pass + 1) % PASSES;
}

AstarStatus astar_jump_advance(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work)
{
    while (astar_get(&jump->stale)) {
        if (jump->pass == TAKE_BANDS && take_bands(jump)) {
            jump->pass = TURN_BITS;
        } else if (jump->pass == TAKE_BANDS) {
            astar_put(&jump->stale, false);
        } else if (*work > 0) {
            make_unit(jump, walkable, work);
        } else {
            return ASTAR_RUNNING;
        }
    }
    return ASTAR_OK;
}

void astar_jump_update(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    int64_t work = ASTAR_ALL_WORK;
    astar_jump_advance(jump, walkable, &work);
}

// ---- edits ----

void astar_jump_outdate(AstarJumpBitmaps *jump)
{
    memset(jump->bands, FLIPPED, bands_of(jump));
    jump->pass = TAKE_BANDS;
    jump->unit = 0;
    astar_put(&jump->stale, true);
}

void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height)
{
    // With the cells about them: one less, and one more, than theirs, which count the border.
    for (int row = y >> 6; row <= (y + height + 1) >> 6; row++)
        jump->bands[row] |= FLIPPED;
    uint8_t *columns = jump->bands + row_bands_of(jump);
    for (int column = x >> 6; column <= (x + width + 1) >> 6; column++)
        columns[column] |= FLIPPED;
    astar_put(&jump->stale, true);
}
