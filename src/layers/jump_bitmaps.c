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
// sides, end at a cell where it can turn? A bit of a cell and slant for each side says so; others
// that the run ends here, and that it does in a node, for it can itself turn here, past a corner it
// cuts. A cell with one of them is an event. They lie by diagonals, so a diagonal run is a search
// for the next set bit, too: of 16 columns the bits of all kinds are one word, and eight diagonals
// next to each other are a line, which is all that is read of 128 cells.
//
// Where no step is diagonal (J. Baum, "Jump point search pathfinding in 4-connected grids", 2025),
// runs to the east and west do what diagonal ones do elsewhere, and of all best routes those that
// go along rows first are followed. Runs to the south and north stop just past the end of an
// obstacle; the bitmaps of stops to the east and west hold their events instead.
//
// A straight stop at a cell that can be entered is called a turn here; whether the next stop of a
// cell is one is the cell's reach in that direction.
//
// All of it is built 64 cells at a time: stops are a few operations on words of the cells around,
// of which reach is spread in the section on reach below, and the bits of diagonals are set in the
// section on what lies on diagonals. What lies far apart in memory is written square by square.
//
// Runs end at irregular cells, whatever the direction (see irregular.c): those are turns of every
// straight run and nodes of every diagonal one.

#include "layers/jump_bitmaps.h"

#include "base/transpose.h"
#include "layers/dead_ends.h"
#include "layers/jump_bits.h"
#include "layers/jump_making.h"
#include "layers/jump_turns.h"
#include "layers/layer.h"

#include <string.h>

// ---- memory ----

enum { LINE = ASTAR_LINE_WORDS * sizeof(uint64_t) };

// What is no longer stays in the cache, and need not begin at a line.
enum { SMALL_LINES = 64 };

// How many times 64 rows, and columns, there are.
static size_t bands_of(const AstarJumpBitmaps *jump)
{
    return ((size_t)jump->height + 2 + 63) / 64 + ((size_t)jump->width + 2 + 63) / 64;
}

// Takes so many lines of a block that begins at a line; of none the memory is only counted.
static void *take_lines(char *block, size_t *lines, size_t count)
{
    size_t at = *lines;
    *lines += count;
    return block != NULL ? block + at * LINE : NULL;
}

// Lays out what runs read, one after the other; how many lines that takes.
static size_t lay_out_jump_bits(AstarJumpBitmaps *jump, void *block)
{
    AstarRunBits *runs = &jump->runs;
    size_t columns = (size_t)jump->width + 2, rows = (size_t)jump->height + 2, lines = 0;
    for (int i = 0; i < 4; i++) {
        AstarTiles *stops = &runs->stops[i];
        size_t across = astar_is_turned(i) ? columns : rows;
        stops->stride = ((astar_is_turned(i) ? rows : columns) + 63) / 64;
        // Without diagonals runs to the west stop where those to the east do.
        stops->words = jump->rule->has_diagonals || i != ASTAR_WEST
                           ? take_lines(block, &lines, (across + 7) / 8 * stops->stride)
                           : runs->stops[ASTAR_EAST].words;
    }
    for (int i = ASTAR_SOUTH; i <= ASTAR_NORTH && !jump->rule->has_diagonals; i += 2) {
        AstarTiles *reach = &runs->reach[i];
        reach->stride = (columns + 63) / 64;
        reach->words = take_lines(block, &lines, (rows + 7) / 8 * reach->stride);
    }
    size_t strip = (rows + ASTAR_STRIP - 1 + 7) / 8,
           strips = (columns + ASTAR_STRIP - 1) / ASTAR_STRIP;
    runs->strip = 4 * strip * ASTAR_LINE_WORDS;
    if (jump->rule->has_diagonals)
        astar_slants_at(runs, take_lines(block, &lines, 4 * strip * strips));
    runs->patch_stride = (columns + 7) / 8;
    runs->patches = take_lines(
        block, &lines,
        (runs->patch_stride * ((rows + 7) / 8) * sizeof *runs->patches + LINE - 1) / LINE);
    return lines;
}

// Where in the block its first line is.
static char *first_line(const AstarJumpBitmaps *jump)
{
    size_t within = jump->block_lines <= SMALL_LINES ? 0 : (uintptr_t)jump->block % LINE;
    return (char *)jump->block + (within > 0 ? LINE - within : 0);
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
    jump->columns = astar_bits_new(allocator, height, width);
    jump->bands = astar_alloc(allocator, bands_of(jump), sizeof *jump->bands);
    size_t lines = lay_out_jump_bits(jump, NULL);
    jump->block_lines = lines + (lines > SMALL_LINES); // for it may begin within one
    jump->block = astar_alloc(allocator, jump->block_lines, LINE);
    if (jump->columns.words == NULL || jump->bands == NULL || jump->block == NULL) {
        astar_jump_free(jump);
        return ASTAR_NO_MEMORY;
    }
    lay_out_jump_bits(jump, first_line(jump));
    astar_jump_outdate(jump);
    *out = jump;
    return ASTAR_OK;
}

AstarJumpBitmaps *astar_jump_copy(AstarDiagonals rule, const AstarJumpBitmaps *from)
{
    AstarJumpBitmaps *jump;
    if (from == NULL || astar_get(&from->stale) ||
        astar_jump_new(&from->allocator, from->width, from->height, rule, &jump) != ASTAR_OK)
        return NULL;
    memcpy(jump->columns.words, from->columns.words, from->columns.count * sizeof(uint64_t));
    memcpy(first_line(jump), first_line(from), lay_out_jump_bits(jump, first_line(jump)) * LINE);
    memcpy(jump->bands, from->bands, bands_of(jump) * sizeof *jump->bands);
    astar_put(&jump->stale, false);
    return jump;
}

void astar_jump_free(AstarJumpBitmaps *jump)
{
    if (jump == NULL)
        return;
    AstarAllocator allocator = jump->allocator;
    astar_dead_ends_free(jump);
    astar_release(&allocator, jump->block, jump->block_lines, LINE);
    astar_release(&allocator, jump->bands, bands_of(jump), sizeof *jump->bands);
    astar_bits_free(&allocator, &jump->columns);
    astar_release(&allocator, jump, 1, sizeof *jump);
}

size_t astar_jump_bytes(const AstarJumpBitmaps *jump)
{
    if (jump == NULL)
        return 0;
    return sizeof *jump + jump->columns.count * sizeof *jump->columns.words +
           jump->block_lines * LINE + bands_of(jump) * sizeof *jump->bands +
           astar_dead_ends_bytes(jump);
}

// ---- stops ----

static void put_stops(AstarJumpBitmaps *jump, const AstarNeighbors *around, int direction, int row,
                      size_t word, uint64_t irregular)
{
    *astar_tile_word(&jump->runs.stops[direction], row,
                     (int)word) = astar_stops_of(jump->rule->corners, around, direction) |
                                  irregular;
}

// Up to the border, which stops all runs.
static void build_row_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    size_t last = (size_t)astar_lesser(cells.x1, jump->width + 1) >> 6;
    for (int y = astar_greater(cells.y0, 1); y <= astar_lesser(cells.y1, jump->height); y++)
        for (size_t word = (size_t)cells.x0 >> 6; word <= last; word++) {
            AstarNeighbors around = astar_around_row(walkable, y, word);
            uint64_t irregular = astar_irregular_word(jump->irregular, y, word);
            put_stops(jump, &around, ASTAR_EAST, y, word, irregular);
            put_stops(jump, &around, ASTAR_WEST, y, word, irregular);
        }
}

static void build_column_stops(AstarJumpBitmaps *jump, AstarJumpCells cells)
{
    size_t last = (size_t)astar_lesser(cells.y1, jump->height + 1) >> 6;
    for (int x = astar_greater(cells.x0, 1); x <= astar_lesser(cells.x1, jump->width); x++)
        for (size_t word = (size_t)cells.y0 >> 6; word <= last; word++) {
            AstarNeighbors around = astar_around_column(&jump->columns, x, word);
            uint64_t irregular = astar_irregular_word(jump->irregular_columns, x, word);
            put_stops(jump, &around, ASTAR_SOUTH, x, word, irregular);
            put_stops(jump, &around, ASTAR_NORTH, x, word, irregular);
        }
}

void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    if (jump->rule->has_diagonals)
        build_row_stops(jump, walkable, cells);
    build_column_stops(jump, cells);
}

// ---- free bits ----

// Of a patch, whose bits begin at one of a word's, from those of ten rows.
static void put_patch(AstarPatch *patch, const AstarWindow rows[10], int shift)
{
    uint64_t ten[10], free[2] = {0};
    for (int i = 0; i < 10; i++)
        ten[i] = shift < 56 ? rows[i].low >> shift & 0x3FF
                            : rows[i].low >> 56 | rows[i].high >> 62 << 8;
    for (int i = 0; i < 6; i++) {
        free[0] |= ten[i] << 10 * i;
        free[1] |= ten[4 + i] << 10 * i;
    }
    patch->free[0] = free[0];
    patch->free[1] = free[1];
}

void astar_jump_put_free(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    const int last = astar_lesser(cells.x1, jump->width + 1);
    for (int y = cells.y0 & ~7; y <= astar_lesser(cells.y1, jump->height + 1); y += 8)
        for (int x = cells.x0 & ~7, end; x <= last; x = end) {
            AstarWindow rows[10] = {{0}}; // those around the map have none
            for (int i = astar_greater(1 - y, 0); i < 10 && y - 1 + i <= jump->height + 1; i++)
                rows[i] = astar_window_at(walkable, y - 1 + i, (size_t)x >> 6);
            end = (x | 63) + 1;
            for (int at = x; at < end && at <= last; at += 8)
                put_patch(astar_patch_at(&jump->runs, at, y), rows, at & 63);
        }
}

// ---- a little at a time ----
//
// The bands of 64 rows and of 64 columns through what has flipped are taken together and made anew,
// pass by pass. What flips meanwhile makes bands outdated that are taken next: whatever hangs on a
// flip lies in its bands, so all is right once none are left.

enum {
    TAKE_BANDS,
    TURN_BITS, // where rows and columns cross: the bits and stops that change lie about a flip
    PUT_STOPS,
    REACH_COLUMNS,
    REACH_ROWS,
    FIND_ASIDES, // without slants; all reach must be known
    PASSES
};

// Squares are made in this order, so many rows of so many columns: of a column their words lie in
// one line.
enum { CROSSED_ROWS = 8, CROSSED_COLUMNS = 16 };

// Of a unit that none is made in, in cells.
enum { WORK_OF_A_UNIT = 8 };

// Takes the bands that are outdated; false where there are none.
static bool take_bands(AstarJumpBitmaps *jump)
{
    bool any = false;
    for (size_t i = 0; i < bands_of(jump); i++) {
        jump->bands[i] = (jump->bands[i] & ASTAR_BAND_FLIPPED) != 0 ? ASTAR_BAND_TAKEN : 0;
        any = any || jump->bands[i] == ASTAR_BAND_TAKEN;
    }
    return any;
}

// Turns the bits, or puts the stops, of a square.
static int put_crossing(AstarJumpBitmaps *jump, const AstarBits *walkable, int column, int row)
{
    AstarBandRows band = astar_rows_of_band(jump, row);
    int x = 64 * column, y = 64 * row;
    if (jump->pass == TURN_BITS) {
        astar_bits_turn_square(walkable, jump->height, &jump->columns, x, y);
        return 1;
    }
    astar_jump_put_free(jump, walkable, (AstarJumpCells){x, y, x + 63, y + 63});
    astar_jump_put_stops(jump, walkable, (AstarJumpCells){x, y, x + 63, y + 63});
    if (jump->rule->has_diagonals && band.count > 0)
        astar_jump_put_ends(jump, walkable, (size_t)column, band.y0, band.count);
    return 1;
}

// Does so where a row and a column cross that are taken; how many squares that is.
static int make_crossing(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int across = astar_crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int crossing = unit / (CROSSED_COLUMNS * CROSSED_ROWS);
    int column = crossing % across * CROSSED_COLUMNS + unit / CROSSED_ROWS % CROSSED_COLUMNS;
    int row = crossing / across * CROSSED_ROWS + unit % CROSSED_ROWS;
    if (column >= (int)walkable->stride || !astar_is_column_taken(jump, column))
        jump->unit |= CROSSED_ROWS - 1; // nor are the squares below
    else if (row < astar_jump_row_bands(jump) && astar_is_row_taken(jump, row))
        return put_crossing(jump, walkable, column, row);
    return 0;
}

// Without slants runs along a row stop at what they cannot enter and where there is something to
// see aside. Of some columns of a band; how many squares that is.
static int find_asides_of_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int across = astar_crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int row = unit / across, first = unit % across * CROSSED_COLUMNS, squares = 0;
    int end = astar_lesser(first + CROSSED_COLUMNS, (int)walkable->stride);
    AstarBandRows band = astar_rows_of_band(jump, row);
    for (int column = first; column < end && !jump->rule->has_diagonals; column++) {
        if (!astar_is_row_taken(jump, row) || !astar_is_column_taken(jump, column))
            continue;
        for (int y = band.y0; y < band.y0 + band.count; y++)
            *astar_tile_word(&jump->runs.stops[ASTAR_EAST], y,
                             column) = astar_find_aside(jump, walkable, y, (size_t)column);
        squares++;
    }
    return squares;
}

// Makes the next part of the bands anew, in the pass it is at.
static void make_unit(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work)
{
    int squares, rows = astar_jump_row_bands(jump), columns = (int)walkable->stride,
                 end = 2 * columns * rows;
    switch (jump->pass) {
    case REACH_COLUMNS: squares = astar_jump_reach_column(jump, walkable, jump->unit); break;
    case REACH_ROWS: squares = astar_jump_reach_row(jump, walkable, jump->unit); break;
    case FIND_ASIDES:
        squares = find_asides_of_row(jump, walkable, jump->unit);
        end = rows * astar_crossings_of(columns, CROSSED_COLUMNS);
        break;
    default:
        squares = make_crossing(jump, walkable, jump->unit);
        end = astar_crossings_of(rows, CROSSED_ROWS) * CROSSED_ROWS * CROSSED_COLUMNS *
              astar_crossings_of(columns, CROSSED_COLUMNS);
    }
    *work -= WORK_OF_A_UNIT + 64 * 64 * (int64_t)squares;
    if (++jump->unit < end)
        return;
    jump->unit = 0;
    jump->pass = (uint8_t)((jump->pass + 1) % PASSES);
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

// ---- edits ----

void astar_jump_outdate(AstarJumpBitmaps *jump)
{
    memset(jump->bands, ASTAR_BAND_FLIPPED, bands_of(jump));
    jump->pass = TAKE_BANDS;
    jump->unit = 0;
    astar_put(&jump->stale, true);
    astar_dead_ends_outdate(jump);
}

void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height)
{
    // With the cells about them: one less, and one more, than theirs, which count the border.
    for (int row = y >> 6; row <= (y + height + 1) >> 6; row++)
        jump->bands[row] |= ASTAR_BAND_FLIPPED;
    uint8_t *columns = jump->bands + astar_jump_row_bands(jump);
    for (int column = x >> 6; column <= (x + width + 1) >> 6; column++)
        columns[column] |= ASTAR_BAND_FLIPPED;
    astar_put(&jump->stale, true);
    astar_dead_ends_outdate(jump);
}

// ------------------------------------------------------------------------------------------------
// The words of slants: where diagonal runs end, and what is seen aside from them.
//
// Rows of 64 cells are laid down by diagonals, a square at once: bits are moved down by powers of
// two, each as often as its column asks for. Then each strip has its own put into its words. Where
// an edit changes what is seen along a stretch of a row or column, that alone is put.
// ------------------------------------------------------------------------------------------------

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

// ------------------------------------------------------------------------------------------------
// Reach: whether the straight run from a cell ends at a turn.
//
// It spreads from each turn against the run's direction, along a row within a word and from word to
// word, along columns a row of 64 cells after the other; square by square, so that it can be left
// off after each. Into squares without flips it spreads by those rows alone along which another
// comes than before, as far as their next stops.
// ------------------------------------------------------------------------------------------------

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

// ------------------------------------------------------------------------------------------------
// What the flip of one bit changes of the jump bitmaps.
//
// The stops of the nine cells about it change, and with them the reach of the free cells that run
// to one of these: a stretch of a row or column for each direction, up to the stop before. Where
// that changes, so does what the two slants beside it see aside. On open ground a stretch is as
// long as the map is wide, so it is mended by words: its cells lie on diagonals after each other.
// ------------------------------------------------------------------------------------------------

// ---- where reach may change ----

// Whether the run from a position ends at a turn; if that is the flipped position, as it was.
static bool runs_to_turn(const AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                         int row, int position, int flipped)
{
    const AstarTiles *stops = &jump->runs.stops[direction];
    int stop = astar_is_upward(direction) ? astar_tiles_from(stops, row, position + 1)
                                          : astar_tiles_until(stops, row, position - 1);
    return astar_bit_at(astar_runs_of(jump, walkable, direction), row, stop) != (stop == flipped);
}

// The cells of a row whose reach in one direction may change with a flip on it or beside it: those
// that lead to the position of the flip.
typedef struct Reach {
    AstarStretch stretch;
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
    int border = (astar_is_turned(direction) ? jump->height : jump->width) + 1;
    Reach reach = {.before = false};
    reach.nearest = astar_is_upward(direction) ? astar_greater(position - 2, 0)
                                               : astar_lesser(position + 2, border);
    reach.stretch = astar_jump_stretch_over(jump, walkable, direction, row, reach.nearest);
    if (reach.stretch.from <= reach.stretch.to)
        reach.before = runs_to_turn(jump, walkable, direction, row, reach.nearest, flipped);
    return reach;
}

// ---- stretches ----

// Brings the cells of stretches up to date with their reach. On open ground those on both sides of
// the flip change alike: they are put together, for they lie in the same words.
static void repair_reaches(AstarJumpBitmaps *jump, const AstarBits *walkable, const Reach *reaches,
                           int count)
{
    bool is_due[REACHES + 2] = {false};
    for (int i = 0; i < count; i++) {
        AstarStretch each = reaches[i].stretch;
        is_due[i] = each.from <= each.to &&
                    runs_to_turn(jump, walkable, each.direction, each.row, reaches[i].nearest,
                                 -1) != reaches[i].before;
    }
    for (int i = 0; i < count; i++) {
        const Reach *reach = &reaches[i], *other = reach + 2;
        if (!is_due[i])
            continue;
        const AstarStretch *a = &reach->stretch, *b = &other->stretch;
        bool two = is_due[i + 2] && jump->rule->has_diagonals && other->before == reach->before &&
                   a->direction == b->direction && a->row + 2 == b->row && a->from == b->from &&
                   a->to == b->to;
        astar_jump_put_stretch(jump, reach->stretch, two, !reach->before);
        if (two)
            is_due[i + 2] = false;
    }
}

// ---- the cells about the flip ----

// Works out the reach of the cells about the flip again, each after the next one: that tells.
static void repair_reach_around(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    for (int i = 0; i < 4 * 9; i++) {
        int d = i / 9, k = astar_is_upward(d) ? 8 - i % 9 : i % 9;
        AstarStraight ahead = (AstarStraight)d;
        AstarCell at = {x - 1 + k % 3, y - 1 + k / 3};
        AstarCell next = {at.x + astar_straight_dx(ahead), at.y + astar_straight_dy(ahead)};
        int row = astar_is_turned(d) ? at.x : at.y, position = at.x + at.y - row;
        if (astar_looks_aside(jump, d))
            continue;
        bool reach = astar_bit_at(walkable, at.y, at.x) != 0; // the border is not free
        if (reach && astar_tile_bit(&jump->runs.stops[d], row, next.x + next.y - row))
            reach = astar_bit_at(walkable, next.y, next.x) != 0;
        else if (reach)
            reach = astar_has_reach(jump, d, next.x, next.y);
        if (reach != astar_has_reach(jump, d, at.x, at.y))
            astar_jump_put_stretch(jump, (AstarStretch){d, row, position, position}, false, reach);
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
    repair_reach_around(jump, walkable, x, y);
    for (int row = cells.y0; row <= cells.y1; row++)
        for (size_t word = (size_t)cells.x0 >> 6; word <= (size_t)cells.x1 >> 6; word++)
            repair_ends(jump, walkable, row, word,
                        astar_bits_mask(word, (size_t)cells.x0, (size_t)cells.x1));
}

void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                       bool is_irregular)
{
    if (astar_get(&jump->stale)) {
        astar_jump_area_edited(jump, x, y, 1, 1);
        return;
    }
    if (!is_irregular)
        astar_bits_put(&jump->columns, y, x, astar_bits_get(walkable, x, y));
    repair_around(jump, walkable, x + 1, y + 1, !is_irregular);
    astar_dead_ends_edited(jump, x, y);
}
