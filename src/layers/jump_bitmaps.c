// jump_bitmaps.c -- Bitmaps for jump point search on uniform ground: at which cells jumps stop, so
// that a jump is a search for the next set bit (D. Harabor and A. Grastien, AAAI 2011; by blocks of
// bits, ICAPS 2014).
//
// A straight jump continues to the next jump point: a cell at which a best path may turn, because
// no other best path leads to one of its neighbours (a forced neighbour), past an obstacle beside
// the jump. The stops of a straight direction are its jump points and the cells that cannot be
// entered. Under a rule that cuts no corner, a jump point lies just past the end of an obstacle
// beside the jump. Under a rule that cuts corners, a jump point lies one cell earlier: beside the
// last blocked cell. If a diagonal step may pass one obstacle, the cell ahead must be free as well.
//
// At every cell of a diagonal jump, the search must find out for both sides whether a straight jump
// from the cell ends at a jump point. One bit per cell, diagonal direction and side stores this.
// Two more bits are set if the diagonal jump ends at the cell, and if it ends in a node because it
// can itself turn past a corner. A cell with one of these bits is an event. The bits are stored
// along diagonals, so a diagonal jump is a search for the next set bit as well. A word holds all
// four kinds of bits of 16 columns, and eight neighbouring diagonals share a cache line. One line
// thus covers 128 cells.
//
// On maps without diagonal steps (J. Baum, "Jump point search pathfinding in 4-connected grids",
// 2025), jumps to the east and west replace diagonal jumps. Among all best routes, the search
// follows those that go along rows first. Jumps to the south and north stop just past the end of an
// obstacle. The stops to the east and west are events: cells from which such a jump ends at a jump
// point.
//
// In the code a jump point of a straight jump is called a turn. The reach bit of a cell in a
// direction is 1 if the next stop in that direction is a turn.
//
// All bitmaps are built 64 cells at a time. Computing stops takes a few operations on the words of
// neighbouring cells. Reach bits are computed from the stops by the section on reach bits below,
// and the bits along diagonals are written by the section on diagonals. Memory that lies far apart
// is written square by square.
//
// Jumps end at non-uniform cells in every direction (see nonuniform.c). A non-uniform cell is
// treated as a jump point of every straight jump and as a node of every diagonal jump.

#include "layers/jump_bitmaps.h"

#include "base/transpose.h"
#include "layers/dead_ends.h"
#include "layers/jump_bits.h"
#include "layers/jump_making.h"
#include "layers/jump_turns.h"
#include "layers/layer.h"

#include <string.h>

// The following functions manage the memory of the bitmaps.

enum { LINE = ASTAR_LINE_WORDS * sizeof(uint64_t) };

// Number of cache lines up to which bitmaps stay in the cache, so that they need not start at a
// cache line.
enum { SMALL_LINES = 64 };

// Returns the number of bands of 64 rows plus the number of bands of 64 columns.
static size_t bands_of(const AstarJumpBitmaps *jump)
{
    return ((size_t)jump->height + 2 + 63) / 64 + ((size_t)jump->width + 2 + 63) / 64;
}

// Takes 'count' cache lines from a block and returns a pointer to them. If 'block' is NULL, the
// lines are only counted.
static void *take_lines(char *block, size_t *lines, size_t count)
{
    size_t at = *lines;
    *lines += count;
    return block != NULL ? block + at * LINE : NULL;
}

// Places the bitmaps that jumps read one after another in a block. Returns the number of cache
// lines that they take.
static size_t lay_out_jump_bits(AstarJumpBitmaps *jump, void *block)
{
    AstarJumpBits *runs = &jump->runs;
    size_t columns = (size_t)jump->width + 2, rows = (size_t)jump->height + 2, lines = 0;
    for (int i = 0; i < 4; i++) {
        AstarTiles *stops = &runs->stops[i];
        size_t across = astar_is_turned(i) ? columns : rows;
        stops->stride = ((astar_is_turned(i) ? rows : columns) + 63) / 64;
        // Without diagonal steps jumps to the west have the same stops as jumps to the east.
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
        astar_diagonals_at(runs, take_lines(block, &lines, 4 * strip * strips));
    runs->patch_stride = (columns + 7) / 8;
    runs->patches = take_lines(
        block, &lines,
        (runs->patch_stride * ((rows + 7) / 8) * sizeof *runs->patches + LINE - 1) / LINE);
    return lines;
}

// Returns the first cache line that lies completely in the block.
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
    // Reserves one more cache line, because the block may begin inside a cache line.
    jump->block_lines = lines + (lines > SMALL_LINES);
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

// The following functions compute the stops of straight jumps.

static void put_stops(AstarJumpBitmaps *jump, const AstarNeighbors *around, int direction, int row,
                      size_t word, uint64_t nonuniform)
{
    *astar_tile_word(&jump->runs.stops[direction], row,
                     (int)word) = astar_stops_of(jump->rule->corners, around, direction) |
                                  nonuniform;
}

// Computes the stops of jumps along rows. The cells of the border are stops, so that every jump
// ends.
static void build_row_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    size_t last = (size_t)astar_lesser(cells.x1, jump->width + 1) >> 6;
    for (int y = astar_greater(cells.y0, 1); y <= astar_lesser(cells.y1, jump->height); y++)
        for (size_t word = (size_t)cells.x0 >> 6; word <= last; word++) {
            AstarNeighbors around = astar_around_row(walkable, y, word);
            uint64_t nonuniform = astar_nonuniform_word(jump->nonuniform, y, word);
            put_stops(jump, &around, ASTAR_EAST, y, word, nonuniform);
            put_stops(jump, &around, ASTAR_WEST, y, word, nonuniform);
        }
}

static void build_column_stops(AstarJumpBitmaps *jump, AstarJumpCells cells)
{
    size_t last = (size_t)astar_lesser(cells.y1, jump->height + 1) >> 6;
    for (int x = astar_greater(cells.x0, 1); x <= astar_lesser(cells.x1, jump->width); x++)
        for (size_t word = (size_t)cells.y0 >> 6; word <= last; word++) {
            AstarNeighbors around = astar_around_column(&jump->columns, x, word);
            uint64_t nonuniform = astar_nonuniform_word(jump->nonuniform_columns, x, word);
            put_stops(jump, &around, ASTAR_SOUTH, x, word, nonuniform);
            put_stops(jump, &around, ASTAR_NORTH, x, word, nonuniform);
        }
}

void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells)
{
    if (jump->rule->has_diagonals)
        build_row_stops(jump, walkable, cells);
    build_column_stops(jump, cells);
}

// The following functions fill the patches, which hold the free bits of 8 x 8 cells (see
// AstarPatch).

// Fills a patch from ten rows of bits. The patch begins at bit 'shift' of each row's word.
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
            AstarWindow rows[10] = {{0}}; // rows outside the map stay 0
            for (int i = astar_greater(1 - y, 0); i < 10 && y - 1 + i <= jump->height + 1; i++)
                rows[i] = astar_window_at(walkable, y - 1 + i, (size_t)x >> 6);
            end = (x | 63) + 1;
            for (int at = x; at < end && at <= last; at += 8)
                put_patch(astar_patch_at(&jump->runs, at, y), rows, at & 63);
        }
}

// Updates in steps.
//
// An update takes all bands of 64 rows and of 64 columns in which a bit has changed, and rebuilds
// them in several passes. A band whose bits change meanwhile is marked again and processed next.
// Everything that depends on a bit lies in the band of rows and in the band of columns that contain
// the bit. The bitmaps are therefore correct when no marked band is left.
//
// The work of a pass is divided into work units, most of which are one square of 64 x 64 cells. A
// unit takes little time if its square need not be rebuilt.

enum {
    TAKE_BANDS,
    TURN_BITS, // transposes the bits of squares in which two taken bands cross
    PUT_STOPS,
    REACH_COLUMNS,
    REACH_ROWS,
    FIND_ASIDES, // only without diagonal steps; needs the reach of all cells
    PASSES
};

// Number of rows and of columns of squares that are processed in one group. The transposed words of
// a column of squares share a cache line.
enum { CROSSED_ROWS = 8, CROSSED_COLUMNS = 16 };

// Work of a work unit in which no square is rebuilt, as the number of cells of a layer that can be
// built in the same time.
enum { WORK_OF_A_UNIT = 8 };

// Takes the marked bands for an update. Returns false if no band is marked.
static bool take_bands(AstarJumpBitmaps *jump)
{
    bool any = false;
    for (size_t i = 0; i < bands_of(jump); i++) {
        jump->bands[i] = (jump->bands[i] & ASTAR_BAND_FLIPPED) != 0 ? ASTAR_BAND_TAKEN : 0;
        any = any || jump->bands[i] == ASTAR_BAND_TAKEN;
    }
    return any;
}

// Transposes the bits of a square of 64 x 64 cells, or computes the stops in it, depending on the
// pass.
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

// Processes the square of a work unit if the update includes both bands that cross in this square.
// Returns the number of squares processed.
static int make_crossing(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int across = astar_crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int crossing = unit / (CROSSED_COLUMNS * CROSSED_ROWS);
    int column = crossing % across * CROSSED_COLUMNS + unit / CROSSED_ROWS % CROSSED_COLUMNS;
    int row = crossing / across * CROSSED_ROWS + unit % CROSSED_ROWS;
    if (column >= (int)walkable->stride || !astar_is_column_taken(jump, column))
        jump->unit |= CROSSED_ROWS -
                      1; // the other squares of the group in this column are not taken either
    else if (row < astar_jump_row_bands(jump) && astar_is_row_taken(jump, row))
        return put_crossing(jump, walkable, column, row);
    return 0;
}

// Computes the stops of jumps along rows in several squares of a band, on a map without diagonal
// steps. Such a stop is a cell that cannot be entered, or a cell from which a jump point is visible
// to the north or south. Returns the number of squares processed.
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

// Rebuilds the next work unit of the present pass.
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

// The following functions record edits.

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
    // The cells around the rectangle change as well. Positions of bits include the border, so the
    // changed positions range from one before the rectangle to one after it.
    for (int row = y >> 6; row <= (y + height + 1) >> 6; row++)
        jump->bands[row] |= ASTAR_BAND_FLIPPED;
    uint8_t *columns = jump->bands + astar_jump_row_bands(jump);
    for (int column = x >> 6; column <= (x + width + 1) >> 6; column++)
        columns[column] |= ASTAR_BAND_FLIPPED;
    astar_put(&jump->stale, true);
    astar_dead_ends_outdate(jump);
}

// Words of diagonals: where diagonal jumps end, and from where a jump point is visible to a side.
//
// Rows of 64 cells are rearranged into diagonals a square at a time. Each column of bits is moved
// down by a distance of its own, in steps of powers of two. Afterwards each strip of 16 columns is
// written into its words. If an edit changes what is visible along a stretch of a row or column,
// only that stretch is written.

enum {
    DIAGONALS = 64 + ASTAR_STRIP
}; // number of diagonals through 64 rows of a strip, and one more

// Masks for a word of a diagonal. A word has 16 bits of each of four kinds (see AstarOnDiagonal).
// The first mask has all bits of the first kind, the second one has the first bit of each kind.
#define OF_ONE_KIND UINT64_C(0xFFFF)
#define ONE_OF_EACH UINT64_C(0x0001000100010001)

// Copies rows and moves the bits in 'moved' down by 'by' rows. 'by' rows of zeros must lie before
// the first row of 'from'.
ASTAR_SPECIALIZE void move_down(const uint64_t *from, uint64_t *to, uint64_t moved, int by)
{
    for (int row = 0; row < DIAGONALS; row++)
        to[row] = (from[row] & ~moved) | (from[row - by] & moved);
}

// Rearranges rows of four strips into diagonals. The bits of column k in each strip move down by k
// rows if diagonals are 'rising', else by 15 - k rows. The rows after the first 64 must be empty.
static void diagonal_rows(uint64_t rows[DIAGONALS], bool rising)
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

// Returns the columns of a strip in which a diagonal crosses the first 'rows' rows. Diagonals are
// counted from above.
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

// Rows of four strips, rearranged into diagonals. For each diagonal 'bits' has 16 bits per strip,
// one per column. 'met' has the columns in which the diagonal crosses one of the rows, repeated for
// each kind of bits.
typedef struct Diagonals {
    int count;
    uint64_t bits[DIAGONALS], met[DIAGONALS];
} Diagonals;

static void lay_by_diagonals(Diagonals *diagonals, const uint64_t cells[64], int rows, bool rising)
{
    *diagonals = (Diagonals){.count = rows + ASTAR_STRIP - 1};
    memcpy(diagonals->bits, cells, (size_t)rows * sizeof *cells);
    diagonal_rows(diagonals->bits, rising);
    for (int i = 0; i < diagonals->count; i++)
        diagonals->met[i] = i >= ASTAR_STRIP && i < rows
                                ? UINT64_MAX
                                : columns_met(i, rows, rising) * ONE_OF_EACH;
}

// Extracts the bits of the strip that contains column x. The loop has a constant count, a multiple
// of four, so that the compiler can process several words at a time.
static void take_strip(const Diagonals *diagonals, int x, int shift, uint64_t bits[DIAGONALS])
{
    for (int i = 0; i < DIAGONALS; i++)
        bits[i] = (diagonals->bits[i] >> (x & 63) & OF_ONE_KIND) << shift;
}

// Replaces bits of the given kinds in consecutive words. In each word only the bits in its mask are
// replaced.
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

void astar_jump_put_aside(AstarJumpBitmaps *jump, int diagonal, AstarOnDiagonal kind, size_t word,
                          int y0, int rows, const uint64_t cells[64])
{
    const int x0 = (int)(64 * word), shift = (int)kind * ASTAR_STRIP;
    Diagonals diagonals;
    for (int x = x0; x < x0 + 64 && x < jump->width + 2; x += ASTAR_STRIP)
        for (int i = 0; i < rows + ASTAR_STRIP - 1; i += ASTAR_LINE_WORDS)
            ASTAR_PREFETCH(astar_strip_at(&jump->runs, diagonal, x) + y0 + i);
    lay_by_diagonals(&diagonals, cells, rows, astar_is_rising(diagonal));
    for (int x = x0; x < x0 + 64 && x < jump->width + 2; x += ASTAR_STRIP) {
        uint64_t bits[DIAGONALS];
        take_strip(&diagonals, x, shift, bits);
        put_masked(astar_strip_at(&jump->runs, diagonal, x) + y0, bits, diagonals.met,
                   OF_ONE_KIND << shift, diagonals.count);
    }
}

// Stores where diagonal jumps end in up to 64 rows of 64 cells. The words may be written here for
// the first time. The bits for jump points to the sides are stored later, so these words need not
// be read.
static void put_diagonal_ends(AstarJumpBitmaps *jump, int diagonal, size_t word, int y0, int rows,
                              const uint64_t ends[64], const uint64_t turns[64])
{
    const int x0 = (int)(64 * word), whole = rows > ASTAR_STRIP ? ASTAR_STRIP : rows;
    const bool has_turns = astar_has_forced_on_diagonals(jump);
    Diagonals diagonals, turn_diagonals;
    lay_by_diagonals(&diagonals, ends, rows, astar_is_rising(diagonal));
    if (has_turns)
        lay_by_diagonals(&turn_diagonals, turns, rows, astar_is_rising(diagonal));
    for (int x = x0; x < x0 + 64 && x < jump->width + 2; x += ASTAR_STRIP) {
        uint64_t bits[DIAGONALS], turn_bits[DIAGONALS];
        uint64_t *words = astar_strip_at(&jump->runs, diagonal, x) + y0;
        take_strip(&diagonals, x, ASTAR_ENDS * ASTAR_STRIP, bits);
        if (has_turns) {
            take_strip(&turn_diagonals, x, ASTAR_FORCED * ASTAR_STRIP, turn_bits);
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
    AstarDiagonalEnds found[4];
    uint64_t ends[4][64], turns[4][64];
    for (int i = 0; i < rows; i++) {
        astar_find_ends(jump, walkable, y0 + i, word, found);
        for (int diagonal = 0; diagonal < 4; diagonal++) {
            ends[diagonal][i] = found[diagonal].ends;
            turns[diagonal][i] = found[diagonal].turns;
        }
    }
    for (int diagonal = 0; diagonal < 4; diagonal++)
        put_diagonal_ends(jump, diagonal, word, y0, rows, ends[diagonal], turns[diagonal]);
}

// The following functions repair words of diagonals after edits.

// On open ground edits spend most of their time in the following functions. Their loops have
// constant counts, multiples of four, so that the compiler can process several words at a time.

// Sets or clears the bits 'bits' in each of 'count' consecutive words.
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

// Tables of bits for writing a row of cells within a strip. Entry i is for the i-th diagonal, from
// above, that crosses the row: it has the bit of the cell where the diagonal crosses the row. The
// second table is for two rows together: the row, and the row two further down.
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

// Number of strips by which prefetching runs ahead, because strips lie far apart in memory.
enum { STRIPS_AHEAD = 4 };

// Sets or clears the bits of a row of cells in the words of diagonals. If 'two' is true, the
// function also does so for the row two further down.
ASTAR_SPECIALIZE void put_row_by(AstarJumpBitmaps *jump, int diagonal, AstarOnDiagonal kind, int y,
                                 int from, int to, bool two, bool value)
{
    const bool rising = astar_is_rising(diagonal);
    const uint64_t *bits = two ? two_row_bits[rising] : row_bits[rising];
    const int shift = (int)kind * ASTAR_STRIP, count = two ? TWO_ROW_WORDS : ROW_WORDS;
    for (int x = from & ~(ASTAR_STRIP - 1); x <= to; x += ASTAR_STRIP) {
        uint64_t *words = astar_strip_at(&jump->runs, diagonal, x) + y;
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

static void put_row_on_diagonal(AstarJumpBitmaps *jump, int diagonal, AstarOnDiagonal kind, int y,
                                int from, int to, bool two, bool value)
{
    if (two && value)
        put_row_by(jump, diagonal, kind, y, from, to, true, true);
    else if (two)
        put_row_by(jump, diagonal, kind, y, from, to, true, false);
    else if (value)
        put_row_by(jump, diagonal, kind, y, from, to, false, true);
    else
        put_row_by(jump, diagonal, kind, y, from, to, false, false);
}

// Sets or clears the bits of a column of cells in the words of diagonals. If 'two' is true, the
// function also does so for the column two further to the east. If both columns lie in one strip,
// all words except two at each end change in the same way.
static void put_column_on_diagonal(AstarJumpBitmaps *jump, int diagonal, AstarOnDiagonal kind,
                                   int x, int from, int to, bool two, bool value)
{
    const int column = x & (ASTAR_STRIP - 1), count = to - from + 1;
    uint64_t bit = (uint64_t)1 << ((int)kind * ASTAR_STRIP + column), next = bit << 2;
    uint64_t *words = astar_diagonal_word(&jump->runs, diagonal, x, from);
    if (!two) {
        put_same(words, count, bit, value);
    } else if (column + 2 >= ASTAR_STRIP || count < 2) {
        put_column_on_diagonal(jump, diagonal, kind, x, from, to, false, value);
        put_column_on_diagonal(jump, diagonal, kind, x + 2, from, to, false, value);
    } else {
        const bool rising = astar_is_rising(diagonal);
        words -= rising ? 0 : 2;
        put_same(words, 2, rising ? bit : next, value);
        put_same(words + 2, count - 2, bit | next, value);
        put_same(words + count, 2, rising ? next : bit, value);
    }
}

// The following functions write stretches of a row or column.

// Sets the reach bits in a stretch of a column on a map without diagonal steps, and updates the
// stops of rows there. A reach bit is 1 if the straight jump from the cell ends at a jump point.
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
            uint64_t stop = astar_nonuniform_word(jump->nonuniform, y + i, word) | other[i];
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
    void (*put)(AstarJumpBitmaps *, int, AstarOnDiagonal, int, int, int, bool,
                bool) = astar_is_turned(direction) ? put_column_on_diagonal : put_row_on_diagonal;
    put(jump, direction, ASTAR_STRAIGHT_JUMP, stretch.row, stretch.from, stretch.to, two, reach);
    put(jump, before, ASTAR_STRAIGHT_JUMP_NEXT, stretch.row, stretch.from, stretch.to, two, reach);
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

// Reach bits: the reach bit of a cell in a direction is 1 if the straight jump from the cell ends
// at a jump point.
//
// The value 1 spreads from each jump point against the direction of the jump, up to the next stop.
// In a row it spreads within a word and from word to word, in columns from one row of 64 cells to
// the next. Squares are processed one by one, so that the work can be interrupted after each
// square. In squares without changed bits a row (or column) is updated only if it receives another
// value than before, up to its next stop.

// Stores the reach bits of up to 64 rows of 64 cells for one direction: whether straight jumps end
// at jump points. With diagonal steps the bits are stored in the words of both diagonal directions
// beside that direction.
static void put_reach(AstarJumpBitmaps *jump, int direction, size_t word, int y0, int rows,
                      const uint64_t reach[64])
{
    if (jump->rule->has_diagonals) {
        astar_jump_put_aside(jump, direction, ASTAR_STRAIGHT_JUMP, word, y0, rows, reach);
        astar_jump_put_aside(jump, (direction + 3) & 3, ASTAR_STRAIGHT_JUMP_NEXT, word, y0, rows,
                             reach);
        return;
    }
    for (int i = 0; i < rows; i++)
        *astar_reach_word(jump, direction, y0 + i, word) = reach[i];
}

// A square of 64 x 64 cells, given by the numbers of its bands.
typedef struct JumpSquare {
    int column, row;
    AstarBandRows rows;
} JumpSquare;

// Returns square number 'i' of a band, in the order in which reach bits spread. They start to
// spread in square 0.
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

// Returns cell number 'k' at a side of a square: the side where jumps in a direction leave the
// square if 'leave', else the side where they enter it.
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

// Returns the number of cells at the side where jumps in a direction enter or leave a square.
static int count_at_side(const JumpSquare *square, int direction)
{
    return astar_is_turned(direction) && square->rows.count > 0 ? 64 : square->rows.count;
}

// Returns the reach bits at the side of a square where jumps enter it. These bits spread to the
// next square. The result has one bit per row, or one bit per column for jumps along columns.
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

// Lets reach bits spread from the side of a square into that square, which has no changed bits, and
// into the squares behind it. A row or column is updated only where the bit that spreads ('carry')
// differs from the present one.
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

// Prepares square number 'i' of a band for the spreading of reach bits. Returns false if no bit in
// the square has changed; the carry is then complete.
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

// Returns the set of those of 64 cells of a row that are jump points or have a jump point ahead
// before the next stop. 'carry' is true if this holds for the cell ahead of all 64.
ASTAR_SPECIALIZE uint64_t spread_turns(uint64_t turns, uint64_t passed, bool carry, bool upward)
{
    uint64_t leads = turns | (passed & (uint64_t)carry << (upward ? 63 : 0));
    for (int by = 1; by < 64; by <<= 1) {
        leads |= passed & (upward ? leads >> by : leads << by);
        passed &= upward ? passed >> by : passed << by;
    }
    return leads;
}

// Rebuilds, along the rows of a square, the bits that show whether straight jumps end at jump
// points. Returns false if no bit in the square has changed.
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

// Rebuilds, along the columns of a square, the bits that show whether straight jumps end at jump
// points. Returns false if no bit in the square has changed.
ASTAR_SPECIALIZE bool build_reach_of_columns(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                             int direction, size_t word, int i)
{
    uint64_t reach[64];
    JumpSquare square;
    if (!reach_spreads_into(jump, walkable, direction, (int)word, i, &square))
        return false;
    const AstarBandRows band = square.rows;
    uint64_t leads = jump->carry; // reach that spreads from the row before
    for (int k = 0; k < band.count; k++) {
        int row = direction == ASTAR_SOUTH ? band.count - 1 - k : k, y = band.y0 + row;
        AstarNeighbors around = astar_around_row(walkable, y, word);
        uint64_t stops = astar_stops_of(jump->rule->corners, &around, direction) |
                         astar_nonuniform_word(jump->nonuniform, y, word);
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

// Repairs after the change of one bit.
//
// The stops of the nine cells around the changed cell may change, and with them the reach bits of
// free cells whose jumps lead to one of the nine cells. For each direction these free cells are a
// stretch of a row or column, back to the previous stop. If the reach bits of a stretch change, so
// do the bits for the two diagonal directions beside its direction. On open ground a stretch is as
// long as the map. Stretches are therefore written in whole words: their cells lie on consecutive
// diagonals.

// The following functions find the stretches in which reach bits may change.

// Returns true if the jump from a position in a row ends at a jump point. If the jump ends at
// position 'flipped', the state of that cell before the change is used.
static bool runs_to_turn(const AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                         int row, int position, int flipped)
{
    const AstarTiles *stops = &jump->runs.stops[direction];
    int stop = astar_is_upward(direction) ? astar_tiles_from(stops, row, position + 1)
                                          : astar_tiles_until(stops, row, position - 1);
    return astar_bit_at(astar_runs_of(jump, walkable, direction), row, stop) != (stop == flipped);
}

// A stretch of a row whose reach bits in one direction may change, because a bit in the row, or in
// the row beside it, has changed. The stretch consists of the cells whose jumps lead to the
// position of that bit.
typedef struct Reach {
    AstarStretch stretch;
    int nearest; // position in the stretch that is nearest to the changed bit
    bool before; // reach of the stretch before the change
} Reach;

enum { REACHES = 12 }; // four directions with three rows each

// Examines a row before its stops are repaired. The stops at 'position' and at the two positions
// beside it may change. 'flipped' is the position of the changed cell if the cell lies in this row,
// else -1. The bit of that cell has its new value already.
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

// The following functions update the reach bits of stretches.

// Updates the reach bits of stretches: whether straight jumps from their cells end at jump points.
// On open ground the stretches in the rows on both sides of the changed cell often change in the
// same way. Such a pair of stretches is written together, because the two stretches share words.
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

// The following functions update the cells around the changed cell.

// Recomputes the reach bits of the nine cells around a changed cell. The reach bit of a cell
// follows from the cell ahead of it, so that cell is computed first.
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

// Recomputes where diagonal jumps end, for those cells of a word of a row that are in 'mask'.
static void repair_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, int y, size_t word,
                        uint64_t mask)
{
    AstarDiagonalEnds ends[4];
    if (!jump->rule->has_diagonals) {
        uint64_t *stops = astar_tile_word(&jump->runs.stops[ASTAR_EAST], y, (int)word);
        *stops = (*stops & ~mask) | (astar_find_aside(jump, walkable, y, word) & mask);
        return;
    }
    astar_find_ends(jump, walkable, y, word, ends);
    for (; mask != 0; mask &= mask - 1) {
        int bit = astar_lowest_bit(mask), x = (int)(64 * word) + bit;
        for (int diagonal = 0; diagonal < 4; diagonal++) {
            uint64_t *here = astar_diagonal_word(&jump->runs, diagonal, x, y);
            uint64_t cell = (uint64_t)1 << (x & (ASTAR_STRIP - 1));
            astar_put_in(here, cell << ASTAR_ENDS * ASTAR_STRIP, ends[diagonal].ends >> bit & 1);
            if (astar_has_forced_on_diagonals(jump))
                astar_put_in(here, cell << ASTAR_FORCED * ASTAR_STRIP,
                             ends[diagonal].turns >> bit & 1);
        }
    }
}

// Returns true if a row may contain jump points at which jumps in a direction end. The rows of the
// border contain none.
static bool has_runs(const AstarJumpBitmaps *jump, int direction, int row)
{
    return !astar_looks_aside(jump, direction) && row >= 1 &&
           row <= (astar_is_turned(direction) ? jump->width : jump->height);
}

// Repairs the bitmaps after a change of a cell: of its walkable bit if 'is_walkable_flipped', else
// of its bit as a non-uniform cell.
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
                       bool is_nonuniform)
{
    if (astar_get(&jump->stale)) {
        astar_jump_area_edited(jump, x, y, 1, 1);
        return;
    }
    if (!is_nonuniform)
        astar_bits_put(&jump->columns, y, x, astar_bits_get(walkable, x, y));
    repair_around(jump, walkable, x + 1, y + 1, !is_nonuniform);
    astar_dead_ends_edited(jump, x, y);
}
