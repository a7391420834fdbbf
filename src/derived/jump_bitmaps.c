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
// of which reach is spread in jump_reach.c, and what lies on diagonals is put there in
// jump_slants.c. What lies far apart in memory is written square by square.
//
// Runs end at irregular cells, whatever the direction (see irregular.c): those are turns of every
// straight run and nodes of every diagonal one.

#include "derived/jump_bits.h"

#include "derived/jump_making.h"
#include "derived/jump_turns.h"
#include "derived/layer.h"

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
