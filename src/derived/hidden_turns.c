// hidden_turns.c -- turns that runs are not told of, though they are there.
//
// What runs read of turns beside a diagonal or ahead of a node is the reach in the slants' words.
// There a run that ends at a hidden turn has none. The fourth bit of the cells it is hidden from
// says that something is: who is to follow hidden turns, too, looks where the runs of such a cell
// end. So that bit may stand where it need not. Where corners are cut, of the cells where diagonal
// runs end the bit says that they can turn; at those all are looked at that are to follow hidden
// turns. Other threads may search meanwhile, and all of these follow
// hidden turns: a word that hides one is written whole, with both bits, so they see it one way or
// the other.
//
// Without slants the bits have no room for a mark: a run along the row stops at each cell that has
// reach, and at no other. So who leaves hidden turns out reads rows of its own, 3 bits a cell:
// where such runs stop, and the reach to the south and north. Nobody else reads those, and an edit
// need not mend them: the stretches about it are copied anew when it is paid for. Measured over 16
// maps, other ways would want less memory, but more time: stops left where nothing is seen, as
// marks, 1.04 times as much; only stops of its own, 1 bit a cell, 1.03; a bit where a turn is,
// looked at when a run has come there, 1.07.

#include "derived/hidden_turns.h"

#include "derived/barren.h"

enum { HIDDEN_LINE = ASTAR_LINE_WORDS * sizeof(uint64_t), HIDDEN_ROWS = 3 };

static bool has_own_rows(const AstarJumpBitmaps *jump)
{
    return !jump->rule->has_diagonals;
}

// ---- turns ----

bool astar_is_free_at(const AstarRunBits *runs, int x, int y)
{
    return astar_is_free_by(astar_around(runs, x, y), 0, 0) != 0;
}

bool astar_is_stop(const AstarRunBits *runs, AstarJumpTurn at)
{
    bool turned = astar_is_turned(at.direction);
    return astar_tile_bit(&runs->stops[at.direction], turned ? at.x : at.y, turned ? at.y : at.x) !=
           0;
}

bool astar_sees_turn(const AstarRunBits *runs, AstarJumpTurn at)
{
    return runs->slants[0] == NULL
               ? astar_tile_bit(&runs->reach[at.direction], at.y, at.x) != 0
               : astar_slant_bit(*astar_slant_word(runs, at.direction, at.x, at.y), ASTAR_ASIDE,
                                 at.x) != 0;
}

// ---- memory ----

// Rows of tiles of a bitmap, and the words in one.
static int tile_rows_of(const AstarJumpBitmaps *jump)
{
    return (jump->height + 2 + 7) / 8;
}

static size_t tile_row_words(const AstarJumpBitmaps *jump)
{
    return jump->runs.stops[ASTAR_EAST].stride * ASTAR_LINE_WORDS;
}

// One more, for the block may begin within one.
static size_t hidden_lines(const AstarJumpBitmaps *jump)
{
    return HIDDEN_ROWS * tile_row_words(jump) / ASTAR_LINE_WORDS * (size_t)tile_rows_of(jump) + 1;
}

bool astar_hidden_rows_new(AstarJumpBitmaps *jump)
{
    AstarRunBits *runs = &jump->barren->runs;
    *runs = jump->runs;
    if (!has_own_rows(jump))
        return true;
    jump->barren->rows = astar_alloc(&jump->allocator, hidden_lines(jump), HIDDEN_LINE);
    if (jump->barren->rows == NULL)
        return false;
    size_t within = (uintptr_t)jump->barren->rows % HIDDEN_LINE;
    char *first = (char *)jump->barren->rows + (within > 0 ? HIDDEN_LINE - within : 0);
    size_t words = tile_row_words(jump) * (size_t)tile_rows_of(jump);
    runs->stops[ASTAR_EAST].words = runs->stops[ASTAR_WEST].words = (uint64_t *)(void *)first;
    runs->reach[ASTAR_SOUTH].words = runs->stops[ASTAR_EAST].words + words;
    runs->reach[ASTAR_NORTH].words = runs->reach[ASTAR_SOUTH].words + words;
    return true;
}

void astar_hidden_rows_free(AstarJumpBitmaps *jump)
{
    astar_release(&jump->allocator, jump->barren->rows, hidden_lines(jump), HIDDEN_LINE);
}

size_t astar_hidden_rows_bytes(const AstarJumpBitmaps *jump)
{
    return jump->barren->rows == NULL ? 0 : hidden_lines(jump) * HIDDEN_LINE;
}

// ---- slants ----

// Whether the run from a cell ends at a turn.
static bool leads_to_turn(const AstarRunBits *runs, AstarJumpTurn at)
{
    bool turned = astar_is_turned(at.direction);
    int row = turned ? at.x : at.y, position = turned ? at.y : at.x;
    const AstarTiles *stops = &runs->stops[at.direction];
    int stop = astar_is_upward(at.direction) ? astar_tiles_from(stops, row, position + 1)
                                             : astar_tiles_until(stops, row, position - 1);
    return astar_is_free_at(runs, turned ? row : stop, turned ? stop : row);
}

uint64_t astar_show_hidden(const AstarJumpBitmaps *jump, int slant, int x, int y, uint64_t bits,
                           unsigned columns)
{
    const bool has_turns = astar_has_slant_turns(jump);
    uint64_t ends = bits << (ASTAR_TURNS - ASTAR_ENDS) * ASTAR_STRIP;
    uint64_t shown = bits & (has_turns ? ~ASTAR_ALL_HIDDEN | ends : ~ASTAR_ALL_HIDDEN);
    uint64_t hidden = (bits ^ shown) >> ASTAR_HIDDEN * ASTAR_STRIP;
    if (has_turns && astar_get(&jump->hides))
        hidden |= bits >> ASTAR_ENDS * ASTAR_STRIP;
    for (hidden &= columns; hidden != 0; hidden &= hidden - 1) {
        int column = astar_lowest_bit(hidden), from_here = column - (x & (ASTAR_STRIP - 1));
        int at_x = x + from_here, at_y = y + (astar_is_rising(slant) ? -from_here : from_here);
        AstarJumpTurn aside = {slant, at_x, at_y}, next = {(slant + 1) & 3, at_x, at_y};
        shown |= (uint64_t)leads_to_turn(&jump->runs, aside)
                 << (ASTAR_ASIDE * ASTAR_STRIP + column);
        shown |= (uint64_t)leads_to_turn(&jump->runs, next)
                 << (ASTAR_ASIDE_NEXT * ASTAR_STRIP + column);
    }
    return shown;
}

// Has a slant see the turn that the run from a cell to one of its sides ends at, or hides it. Where
// the fourth bit tells that runs can turn, there is no room for a mark.
static void show_to_slant(const AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, int x, int y,
                          bool is_shown)
{
    uint64_t *word = astar_slant_word(&jump->runs, slant, x, y);
    uint64_t cell = (uint64_t)1 << (x & (ASTAR_STRIP - 1)), aside = cell << (int)kind * ASTAR_STRIP;
    bool has_room = !astar_has_slant_turns(jump) || (*word & cell << ASTAR_ENDS * ASTAR_STRIP) == 0;
    uint64_t mark = has_room ? cell << ASTAR_HIDDEN * ASTAR_STRIP : 0;
    astar_word_put(word, is_shown ? *word | aside : (*word & ~aside) | mark);
}

// Shows what is hidden from a strip of a slant.
static void show_to_strip(const AstarJumpBitmaps *jump, int slant, int strip)
{
    int x = strip * ASTAR_STRIP, y = astar_is_rising(slant) ? 0 : 1 - ASTAR_STRIP;
    uint64_t *words = astar_strip_at(&jump->runs, slant, x);
    for (int i = 0; i < (int)jump->runs.strip; i++) {
        if (words[i] == 0)
            continue;
        uint64_t shown = astar_show_hidden(jump, slant, x, y + i, words[i], ASTAR_WHOLE_STRIP);
        if (shown != words[i])
            astar_word_put(&words[i], shown);
    }
}

// ---- rows ----

// Tells a cell of its own rows whether the run from it ends at a turn.
static void put_own_reach(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool reach)
{
    const AstarRunBits *runs = &jump->barren->runs;
    const int word = at.x >> 6;
    const uint64_t bit = (uint64_t)1 << (at.x & 63);
    uint64_t *told = astar_tile_word(&runs->reach[at.direction], at.y, word);
    uint64_t stops = *astar_tile_word(&runs->reach[at.direction ^ 2], at.y, word) |
                     astar_irregular_word(jump->irregular, at.y, (size_t)word);
    bool is_stop = reach || (stops & bit) != 0 || !astar_is_free_at(runs, at.x, at.y);
    astar_put_in(told, bit, reach);
    astar_put_in(astar_tile_word(&runs->stops[ASTAR_EAST], at.y, word), bit, is_stop);
}

// Copies the reach of the cells from which an edit can be seen, along a column through it or beside
// it: from it back to the last stop that it has not changed; how many.
static int copy_reach(const AstarJumpBitmaps *jump, AstarJumpTurn at)
{
    int steps = 0;
    for (bool ends = false; !ends && at.y >= 1 && at.y <= jump->height; at = astar_step_back(at)) {
        put_own_reach(jump, at, astar_sees_turn(&jump->runs, at));
        ends = steps++ >= 2 && astar_is_stop(&jump->runs, at);
    }
    return steps;
}

static void copy_tiles(const AstarTiles *from, const AstarTiles *to, size_t first, size_t count)
{
    memcpy(to->words + first, from->words + first, count * sizeof *to->words);
}

static void copy_tile_row(const AstarJumpBitmaps *jump, int row)
{
    const AstarRunBits *from = &jump->runs, *to = &jump->barren->runs;
    size_t count = tile_row_words(jump), first = (size_t)row * count;
    copy_tiles(&from->stops[ASTAR_EAST], &to->stops[ASTAR_EAST], first, count);
    copy_tiles(&from->reach[ASTAR_SOUTH], &to->reach[ASTAR_SOUTH], first, count);
    copy_tiles(&from->reach[ASTAR_NORTH], &to->reach[ASTAR_NORTH], first, count);
}

// ---- both ----

void astar_show_turn(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown)
{
    for (;; at = astar_step_back(at)) {
        bool is_last = astar_is_stop(&jump->runs, at);
        if (is_last && !astar_is_free_at(&jump->runs, at.x, at.y))
            return;
        if (has_own_rows(jump)) {
            put_own_reach(jump, at, is_shown);
        } else {
            show_to_slant(jump, at.direction, ASTAR_ASIDE, at.x, at.y, is_shown);
            show_to_slant(jump, (at.direction + 3) & 3, ASTAR_ASIDE_NEXT, at.x, at.y, is_shown);
        }
        if (is_last)
            return;
    }
}

// Of its own rows the columns change that run past an edit.
static int copy_about(const AstarJumpBitmaps *jump, int x, int y)
{
    int cells = 0;
    for (int column = x > 1 ? x - 1 : 1; column <= x + 1 && column <= jump->width; column++) {
        cells += copy_reach(jump, (AstarJumpTurn){ASTAR_SOUTH, column, y});
        cells += copy_reach(jump, (AstarJumpTurn){ASTAR_NORTH, column, y});
    }
    return 1 + cells / 8;
}

// Slants are mended with what is hidden in them.
static int show_about(const AstarJumpBitmaps *jump, int x, int y)
{
    for (int row = y > 2 ? y - 2 : 1; row <= y + 2 && row <= jump->height; row++)
        for (int column = x > 2 ? x - 2 : 1; column <= x + 2 && column <= jump->width; column++)
            for (int i = 0; i < 4; i++)
                if (leads_to_turn(&jump->runs, (AstarJumpTurn){i, column, row}))
                    astar_show_turn(jump, (AstarJumpTurn){i, column, row}, true);
    return 64;
}

int astar_show_about(const AstarJumpBitmaps *jump, AstarCell flip)
{
    return has_own_rows(jump) ? copy_about(jump, flip.x + 1, flip.y + 1)
                              : show_about(jump, flip.x + 1, flip.y + 1);
}

// Strips of all four slants, or rows of tiles.
int astar_hidden_parts(const AstarJumpBitmaps *jump)
{
    return has_own_rows(jump) ? tile_rows_of(jump)
                              : (jump->width + 2 + ASTAR_STRIP - 1) / ASTAR_STRIP * 4;
}

int astar_show_part(const AstarJumpBitmaps *jump, int part)
{
    if (has_own_rows(jump))
        copy_tile_row(jump, part);
    else
        show_to_strip(jump, part & 3, part >> 2);
    return (int)(has_own_rows(jump) ? tile_row_words(jump) / 64 : jump->runs.strip / 32) + 1;
}
