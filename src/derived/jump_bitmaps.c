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
// All of it is built 64 cells at a time: stops are a few operations on words of the cells around;
// reach spreads from each turn against its direction, along a row within a word and from word to
// word, along columns a row of 64 after the other; rows of 16 columns are moved down, bit by bit,
// to lie by diagonals. What lies far apart in memory is written square by square.
//
// Runs end at irregular cells, whatever the direction (see irregular.c): those are turns of every
// straight run and nodes of every diagonal one.

#include "derived/jump_bits.h"

#include "base/transpose.h"
#include "derived/dead_ends.h"
#include "derived/jump_words.h"
#include "derived/layer.h"

#include <string.h>

// ---- memory ----

enum { LINE = ASTAR_LINE_WORDS * sizeof(uint64_t) };

// What is no longer stays in the cache, and need not begin at a line.
enum { SMALL_LINES = 64 };

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
        stops->words = has_own_stops(jump->rule, i)
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

// ---- bands ----

static int row_bands_of(const AstarJumpBitmaps *jump)
{
    return (jump->height + 2 + 63) / 64;
}

// The rows of a band that are not the border's; of the last there may be none.
typedef struct BandRows {
    int y0, count;
} BandRows;

static BandRows rows_of_band(const AstarJumpBitmaps *jump, int band)
{
    int y0 = astar_greater(64 * band, 1);
    return (BandRows){y0, astar_lesser(64 * band + 63, jump->height) - y0 + 1};
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

// ---- what lies on diagonals ----

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

// Puts what up to 64 rows of 64 cells have of a kind on the diagonals of a slant.
static void put_kind(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, size_t word, int y0,
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

// Puts where diagonal runs end in up to 64 rows of 64 cells.
static void put_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
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

// Puts the reach of up to 64 rows of 64 cells in a direction: what the two slants beside it see.
static void put_reach(AstarJumpBitmaps *jump, int direction, size_t word, int y0, int rows,
                      const uint64_t reach[64])
{
    if (jump->rule->has_diagonals) {
        put_kind(jump, direction, ASTAR_ASIDE, word, y0, rows, reach);
        put_kind(jump, (direction + 3) & 3, ASTAR_ASIDE_NEXT, word, y0, rows, reach);
        return;
    }
    for (int i = 0; i < rows; i++)
        *astar_reach_word(jump, direction, y0 + i, word) = reach[i];
}

// ---- reach ----

enum { FLIPPED = 1, TAKEN = 2 }; // what is noted of a band, the latter for as long as the passes

// Of the squares of 64 x 64 cells of a band those that are made at a time, the first where reach
// begins to spread; 'jump->carry' is what spreads on to the next ones.
typedef struct JumpPart {
    int first, end;
} JumpPart;

static bool is_row_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[band] & TAKEN) != 0;
}

static bool is_column_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[row_bands_of(jump) + band] & TAKEN) != 0;
}

// A square of those: the bands that it lies in, and what spread out of it before it is made anew.
typedef struct JumpSquare {
    int column, row;
    BandRows rows;
    uint64_t before;
} JumpSquare;

static JumpSquare square_of_band(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                 int direction, int band, int i)
{
    int last = astar_is_turned(direction) ? row_bands_of(jump) - 1 : (int)walkable->stride - 1;
    int at = astar_is_upward(direction) ? last - i : i;
    int column = astar_is_turned(direction) ? band : at,
        row = astar_is_turned(direction) ? at : band;
    return (JumpSquare){column, row, rows_of_band(jump, row), 0};
}

// What spreads out of a square as its reach is: a bit for each of its rows, or of its columns where
// runs go along those.
static uint64_t spread_out_of(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                              int direction, const JumpSquare *square)
{
    const bool upward = astar_is_upward(direction), is_turned = astar_is_turned(direction);
    const BandRows *rows = &square->rows;
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
    return is_column_taken(jump, square->column) && is_row_taken(jump, square->row);
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
        const BandRows band = square.rows;
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

// ---- without slants ----

// Runs along the row stop at what they cannot enter and where there is something to see aside.
static void build_orthogonal_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word,
                                   int y0, int rows)
{
    for (int y = y0; y < y0 + rows; y++)
        *astar_tile_word(&jump->runs.stops[ASTAR_EAST], y,
                         (int)word) = astar_find_aside(jump, walkable, y, word);
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

// Squares along which reach spreads at a time.
enum { SPREAD_AT_A_TIME = 4 };

// Of a unit that none is made in, in cells.
enum { WORK_OF_A_UNIT = 8 };

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

static void put_crossing(AstarJumpBitmaps *jump, const AstarBits *walkable, int column, int row)
{
    BandRows band = rows_of_band(jump, row);
    int x = 64 * column, y = 64 * row;
    astar_jump_put_free(jump, walkable, (AstarJumpCells){x, y, x + 63, y + 63});
    astar_jump_put_stops(jump, walkable, (AstarJumpCells){x, y, x + 63, y + 63});
    if (jump->rule->has_diagonals && band.count > 0)
        put_ends(jump, walkable, (size_t)column, band.y0, band.count);
}

// Turns the bits, or puts the stops, where a row and a column cross that are taken; how many
// squares that is.
static int make_crossing(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int across = crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int crossing = unit / (CROSSED_COLUMNS * CROSSED_ROWS);
    int column = crossing % across * CROSSED_COLUMNS + unit / CROSSED_ROWS % CROSSED_COLUMNS;
    int row = crossing / across * CROSSED_ROWS + unit % CROSSED_ROWS;
    if (column >= (int)walkable->stride || row >= row_bands_of(jump) ||
        !is_column_taken(jump, column) || !is_row_taken(jump, row))
        return 0;
    if (jump->pass == TURN_BITS)
        astar_bits_turn_square(walkable, jump->height, &jump->columns, 64 * column, 64 * row);
    else
        put_crossing(jump, walkable, column, row);
    return 1;
}

// The part of a band of so many squares that a unit is for.
static JumpPart part_of_band(int unit, int squares)
{
    int first = unit % crossings_of(squares, SPREAD_AT_A_TIME) * SPREAD_AT_A_TIME;
    return (JumpPart){first, astar_lesser(first + SPREAD_AT_A_TIME, squares)};
}

// Units go along a band of columns in one direction, then in the other.
static int reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = row_bands_of(jump), band = unit / crossings_of(squares, SPREAD_AT_A_TIME);
    JumpPart part = part_of_band(unit, squares);
    if (!is_column_taken(jump, band / 2))
        return 0;
    if (band % 2 == 0)
        build_reach_of_columns(jump, walkable, ASTAR_SOUTH, (size_t)band / 2, part);
    else
        build_reach_of_columns(jump, walkable, ASTAR_NORTH, (size_t)band / 2, part);
    return part.end - part.first;
}

// The same of rows.
static int reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int squares = (int)walkable->stride, row = unit / crossings_of(squares, SPREAD_AT_A_TIME);
    JumpPart part = part_of_band(unit, squares);
    BandRows band = rows_of_band(jump, row / 2);
    if (!is_row_taken(jump, row / 2) || !jump->rule->has_diagonals || band.count <= 0)
        return 0;
    if (row % 2 == 0)
        build_reach_of_rows(jump, walkable, ASTAR_EAST, row / 2, part);
    else
        build_reach_of_rows(jump, walkable, ASTAR_WEST, row / 2, part);
    return part.end - part.first;
}

// Of some columns of a row.
static int find_asides_of_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit)
{
    int across = crossings_of((int)walkable->stride, CROSSED_COLUMNS);
    int row = unit / across, first = unit % across * CROSSED_COLUMNS, squares = 0;
    int end = astar_lesser(first + CROSSED_COLUMNS, (int)walkable->stride);
    BandRows band = rows_of_band(jump, row);
    for (int column = first; column < end && !jump->rule->has_diagonals; column++)
        if (is_row_taken(jump, row) || is_column_taken(jump, column)) {
            build_orthogonal_stops(jump, walkable, (size_t)column, band.y0, band.count);
            squares++;
        }
    return squares;
}

// Makes the next part of the bands anew, in the pass it is at.
static void make_unit(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work)
{
    int squares, rows = row_bands_of(jump), columns = (int)walkable->stride, end;
    switch (jump->pass) {
    case REACH_COLUMNS:
        squares = reach_column(jump, walkable, jump->unit);
        end = 2 * columns * crossings_of(rows, SPREAD_AT_A_TIME);
        break;
    case REACH_ROWS:
        squares = reach_row(jump, walkable, jump->unit);
        end = 2 * rows * crossings_of(columns, SPREAD_AT_A_TIME);
        break;
    case FIND_ASIDES:
        squares = find_asides_of_row(jump, walkable, jump->unit);
        end = rows * crossings_of(columns, CROSSED_COLUMNS);
        break;
    default:
        squares = make_crossing(jump, walkable, jump->unit);
        end = crossings_of(rows, CROSSED_ROWS) * CROSSED_ROWS * CROSSED_COLUMNS *
              crossings_of(columns, CROSSED_COLUMNS);
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
    memset(jump->bands, FLIPPED, bands_of(jump));
    jump->pass = TAKE_BANDS;
    jump->unit = 0;
    astar_put(&jump->stale, true);
    astar_dead_ends_outdate(jump);
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
    astar_dead_ends_outdate(jump);
}
