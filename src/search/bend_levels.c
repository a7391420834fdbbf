// bend_levels.c -- Finds the fewest bends of a route from the start to each cell, whatever the
// route costs.
//
// The level of a cell is the fewest number of bends of any route to it. The cells of level 0 lie on
// straight lines out of the start. The cells of level k lie on straight lines out of the cells of
// level k - 1, and are not of a lower level (S. Suri, 1986, finds minimum-link paths in this way).
// A line ends at a cell of a lower level: the lines out of that cell are no worse than the rest of
// this line.
//
// The search handles the 64 cells of a word of a bitmap together. A pass follows all lines of one
// direction out of the cells of the last level. A line along a row runs through a word by the carry
// of an addition, or by shifts of 1, 2, 4 and more bits. A line in any other direction runs from
// row to row.
//
// For the 64 cells of a word, a LevelWord holds the results: the binary digits of their levels, one
// word per digit, and for each direction the cells at which a line of their level arrives in this
// direction.

#include "search/bend_levels.h"

#include "base/directions.h"
#include "rules/corner_rules.h"
#include "search/search.h"

#include <string.h>

enum {
    LEVEL_DIGITS = 7,                  // binary digits of a level
    WORDS_A_LEVEL_EXPANSION = 8,       // words of a pass that count as one expansion
    KEPT_LEVEL_BYTES = 4 * 1024 * 1024 // memory that a search at rest keeps
};

// The results of 64 cells of a row.
typedef struct LevelWord {
    uint64_t reached;
    uint64_t digits[LEVEL_DIGITS];
    uint64_t headings[ASTAR_DIRECTIONS];
} LevelWord;

// A set of cells, as a bitmap of the box. Each row has a range of words outside of which all words
// are 0. The range is empty if 'low' is greater than 'high'.
typedef struct LevelSet {
    uint64_t *bits;
    int32_t *low, *high;
    int first, last; // the rows that may have cells
} LevelSet;

struct AstarLevels {
    LevelWord *words;
    size_t capacity; // number of words that memory is allocated for
    uint64_t *bits;  // memory of both sets and of 'line'
    size_t bit_capacity;
    int32_t *ranges; // memory of the ranges of both sets
    size_t range_capacity;
    LevelSet seeds, fresh; // the cells of the last level, and those of the next level
    uint64_t *line;        // the lines that run from row to row, in the current row
    int first_word, width; // first word of a row of the map, and number of words, in the box
    int top, rows;         // first row of the box, and number of rows
    unsigned directions;   // set of the directions of travel
    unsigned left;         // set of the directions whose passes of the current level are due
    unsigned level;        // number of the level that the passes find
    unsigned goal_level;   // level of the goal; UINT32_MAX if the search has not reached it
    bool is_complete;      // true if no more cells can be reached
};

void astar_levels_free(AstarSearch *search)
{
    struct AstarLevels *all = search->own.levels;
    const AstarAllocator *allocator = &search->allocator;
    if (all == NULL)
        return;
    astar_release_unwritten(allocator, all->words, all->capacity, sizeof *all->words);
    astar_release_unwritten(allocator, all->bits, all->bit_capacity, sizeof *all->bits);
    astar_release_unwritten(allocator, all->ranges, all->range_capacity, sizeof *all->ranges);
    astar_release(allocator, all, 1, sizeof *all);
    search->own.levels = NULL;
}

size_t astar_levels_bytes(const AstarSearch *search)
{
    const struct AstarLevels *all = search->own.levels;
    return all == NULL ? 0
                       : sizeof *all + all->capacity * sizeof *all->words +
                             all->bit_capacity * sizeof *all->bits +
                             all->range_capacity * sizeof *all->ranges;
}

void astar_levels_rest(AstarSearch *search)
{
    if (astar_levels_bytes(search) > KEPT_LEVEL_BYTES)
        astar_levels_free(search);
}

// Makes room for 'count' items of an array whose contents are not needed any more. Returns NULL if
// there is no memory.
static void *make_room_for_levels(const AstarAllocator *allocator, void *items, size_t *capacity,
                                  size_t count, size_t size)
{
    if (*capacity >= count)
        return items;
    astar_release_unwritten(allocator, items, *capacity, size);
    items = astar_alloc_unwritten(allocator, count, size);
    *capacity = items != NULL ? count : 0;
    return items;
}

static bool reserve_levels(AstarSearch *search, size_t words, size_t width, size_t rows)
{
    struct AstarLevels *all = search->own.levels;
    const AstarAllocator *allocator = &search->allocator;
    all->words = make_room_for_levels(allocator, all->words, &all->capacity, words,
                                      sizeof *all->words);
    all->bits = make_room_for_levels(allocator, all->bits, &all->bit_capacity, 2 * words + width,
                                     sizeof *all->bits);
    all->ranges = make_room_for_levels(allocator, all->ranges, &all->range_capacity, 4 * rows,
                                       sizeof *all->ranges);
    return all->words != NULL && all->bits != NULL && all->ranges != NULL;
}

static void empty_level_set(const struct AstarLevels *all, LevelSet *set)
{
    for (int row = set->first; row <= set->last; row++) {
        if (set->low[row] <= set->high[row])
            memset(&set->bits[(size_t)row * (size_t)all->width + (size_t)set->low[row]], 0,
                   (size_t)(set->high[row] - set->low[row] + 1) * sizeof *set->bits);
        set->low[row] = all->width;
        set->high[row] = -1;
    }
    set->first = all->rows;
    set->last = -1;
}

// Makes the ranges of a set include the words from 'low' to 'high' of a row.
static inline void include_words(LevelSet *set, int row, int low, int high)
{
    set->low[row] = astar_lesser(set->low[row], low);
    set->high[row] = astar_greater(set->high[row], high);
    set->first = astar_lesser(set->first, row);
    set->last = astar_greater(set->last, row);
}

// Returns the results of the word that holds (x, y). '*bit' is set to the cell's bit. Returns NULL
// outside the box. Bit 0 of a row of a bitmap belongs to its border, see bits.h.
static inline LevelWord *level_word_of(const struct AstarLevels *all, int x, int y, unsigned *bit)
{
    const int word = (x + 1) / 64 - all->first_word, row = y - all->top;
    *bit = (unsigned)(x + 1) % 64;
    if ((unsigned)word >= (unsigned)all->width || (unsigned)row >= (unsigned)all->rows)
        return NULL;
    return &all->words[(size_t)row * (size_t)all->width + (size_t)word];
}

// Adds the start to the seeds.
static void seed_start(AstarSearch *search)
{
    struct AstarLevels *all = search->own.levels;
    const int row = search->start_y - all->top, bit = search->start_x + 1;
    const int word = bit / 64 - all->first_word;
    all->seeds.bits[row * all->width + word] |= (uint64_t)1 << bit % 64;
    include_words(&all->seeds, row, word, word);
}

// Returns the directions of the passes of the first level.
static unsigned first_directions(const AstarSearch *search)
{
    const AstarHeading heading = search->query.heading;
    return heading != ASTAR_NO_HEADING ? 1u << (heading - 1) : 0xFF;
}

bool astar_levels_begin(AstarSearch *search, unsigned directions, AstarLevelBox box)
{
    if (search->own.levels == NULL)
        search->own.levels = astar_alloc(&search->allocator, 1, sizeof *search->own.levels);
    struct AstarLevels *all = search->own.levels;
    if (all == NULL)
        return false;
    all->first_word = (box.left + 1) / 64;
    all->width = (box.right + 1) / 64 - all->first_word + 1;
    all->top = box.top;
    all->rows = box.bottom - box.top + 1;
    const size_t width = (size_t)all->width, rows = (size_t)all->rows, words = width * rows;
    if (!reserve_levels(search, words, width, rows))
        return false;
    memset(all->words, 0, words * sizeof *all->words);
    memset(all->bits, 0, (2 * words + width) * sizeof *all->bits);
    all->seeds = (LevelSet){all->bits, all->ranges, all->ranges + rows, 0, all->rows - 1};
    all->fresh = (LevelSet){all->bits + words, all->ranges + 2 * rows, all->ranges + 3 * rows, 0,
                            all->rows - 1};
    all->line = all->bits + 2 * words;
    for (int row = 0; row < all->rows; row++) {
        all->seeds.low[row] = all->fresh.low[row] = all->width;
        all->seeds.high[row] = all->fresh.high[row] = -1;
    }
    empty_level_set(all, &all->seeds);
    empty_level_set(all, &all->fresh);
    all->directions = directions;
    all->left = directions & first_directions(search);
    all->level = 0;
    all->goal_level = UINT32_MAX;
    all->is_complete = false;
    unsigned bit;
    LevelWord *word = level_word_of(all, search->start_x, search->start_y, &bit);
    word->reached = (uint64_t)1 << bit;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        word->headings[d] = (uint64_t)(first_directions(search) >> d & 1) << bit;
    seed_start(search);
    return true;
}

// Returns the cells of all lines that start at the cells 'entries' and run to higher bits as long
// as the cells belong to 'mask'.
static inline uint64_t run_up(uint64_t entries, uint64_t mask)
{
    return (((mask + entries) ^ mask) & mask) | entries;
}

// Returns the cells of all lines that start at the cells 'entries' and run to lower bits as long as
// the cells belong to 'mask'.
static inline uint64_t run_down(uint64_t entries, uint64_t mask)
{
    for (int shift = 1; shift < 64; shift *= 2) {
        entries |= mask & entries >> shift;
        mask &= mask >> shift;
    }
    return entries;
}

// Follows the lines along the rows, to the east or to the west. Returns the number of words that
// were examined.
ASTAR_SPECIALIZE uint64_t follow_rows(struct AstarLevels *all, const AstarBits *walkable, bool east)
{
    uint64_t words = 0;
    for (int row = all->seeds.first; row <= all->seeds.last; row++) {
        const uint64_t *free = astar_bits_row(walkable, row + all->top) + all->first_word;
        const size_t at = (size_t)row * (size_t)all->width;
        const int low = all->seeds.low[row], high = all->seeds.high[row];
        uint64_t carry = 0;
        int first = all->width, last = -1;
        for (int word = east ? low : high; east ? word < all->width && (word <= high || carry != 0)
                                                : word >= 0 && (word >= low || carry != 0);
             word += east ? 1 : -1, words++) {
            const uint64_t seeds = all->seeds.bits[at + (size_t)word];
            const uint64_t mask = free[word] & ~all->words[at + (size_t)word].reached;
            const uint64_t entries = (east ? seeds << 1 | carry : seeds >> 1 | carry << 63) & mask;
            const uint64_t cells = east ? run_up(entries, mask) : run_down(entries, mask);
            carry = east ? (cells | seeds) >> 63 : (cells | seeds) & 1;
            if (cells == 0)
                continue;
            all->fresh.bits[at + (size_t)word] |= cells;
            all->words[at + (size_t)word].headings[east ? 2 : 6] |= cells;
            first = astar_lesser(first, word);
            last = astar_greater(last, word);
        }
        if (last >= 0)
            include_words(&all->fresh, row, first, last);
    }
    return words;
}

// Returns the word with the index 'word' of a row whose bits are moved to the east by 'dx' columns,
// -1, 0 or 1. 'count' is the number of words of the row.
ASTAR_SPECIALIZE uint64_t moved_row(const uint64_t *row, int word, int count, int dx)
{
    if (dx > 0)
        return row[word] << 1 | (word > 0 ? row[word - 1] >> 63 : 0);
    if (dx < 0)
        return row[word] >> 1 | (word + 1 < count ? row[word + 1] << 63 : 0);
    return row[word];
}

// Follows the lines from row to row, in the direction (dx, dy). Returns the number of words that
// were examined.
ASTAR_SPECIALIZE uint64_t follow_columns(struct AstarLevels *all, const AstarBits *walkable,
                                         AstarCorners corners, int dx, int dy)
{
    const int direction = astar_direction(dx, dy), stride = (int)walkable->stride;
    const LevelSet *seeds = &all->seeds;
    uint64_t *line = all->line, words = 0;
    int low = all->width, high = -1; // the range of the words of 'line' that may not be 0
    for (int row = dy > 0 ? seeds->first : seeds->last;
         dy > 0 ? row < all->rows - 1 && (row <= seeds->last || high >= 0)
                : row > 0 && (row >= seeds->first || high >= 0);
         row += dy) {
        if (row >= seeds->first && row <= seeds->last && seeds->low[row] <= seeds->high[row]) {
            for (int word = seeds->low[row]; word <= seeds->high[row]; word++)
                line[word] |= seeds->bits[(size_t)row * (size_t)all->width + (size_t)word];
            low = astar_lesser(low, seeds->low[row]);
            high = astar_greater(high, seeds->high[row]);
        }
        if (high < 0)
            continue;
        const uint64_t *beside = astar_bits_row(walkable, row + all->top);
        const uint64_t *free = beside + dy * stride;
        const size_t at = (size_t)(row + dy) * (size_t)all->width;
        LevelWord *known = &all->words[at];
        uint64_t *fresh = &all->fresh.bits[at];
        int from = dx < 0 && low > 0 ? low - 1 : low;
        int to = dx > 0 && high + 1 < all->width ? high + 1 : high;
        low = all->width;
        high = -1;
        uint64_t carry = 0; // the bit of 'line' that crosses from word to word
        for (int i = 0; i <= to - from; i++) {
            const int word = dx > 0 ? from + i : to - i, of_map = word + all->first_word;
            const uint64_t before = line[word];
            uint64_t cells = before;
            if (dx != 0) {
                cells = dx > 0 ? before << 1 | carry : before >> 1 | carry << 63;
                carry = dx > 0 ? before >> 63 : before & 1;
            }
            cells &= free[of_map] & ~known[word].reached;
            if (dx != 0 && corners == ASTAR_CORNERS_ONE_FREE)
                cells &= beside[of_map] | moved_row(free, of_map, stride, dx);
            else if (dx != 0 && corners == ASTAR_CORNERS_BOTH_FREE)
                cells &= beside[of_map] & moved_row(free, of_map, stride, dx);
            line[word] = cells;
            if (cells == 0)
                continue;
            fresh[word] |= cells;
            known[word].headings[direction] |= cells;
            low = astar_lesser(low, word);
            high = astar_greater(high, word);
        }
        if (high >= 0)
            include_words(&all->fresh, row + dy, low, high);
        words += (uint64_t)(to - from) + 1;
    }
    if (high >= 0)
        memset(&line[low], 0, (size_t)(high - low + 1) * sizeof *line);
    return words;
}

// Follows all lines of a direction out of the cells of the last level. Returns the number of words
// that were examined.
static uint64_t follow_lines(AstarSearch *search, int direction)
{
    struct AstarLevels *all = search->own.levels;
    const AstarBits *walkable = &search->finder->on.walkable->bits;
    const AstarCorners corners = search->finder->rule->corners;
    switch (direction) {
    case 0: return follow_columns(all, walkable, corners, 0, -1);
    case 1: return follow_columns(all, walkable, corners, 1, -1);
    case 2: return follow_rows(all, walkable, true);
    case 3: return follow_columns(all, walkable, corners, 1, 1);
    case 4: return follow_columns(all, walkable, corners, 0, 1);
    case 5: return follow_columns(all, walkable, corners, -1, 1);
    case 6: return follow_rows(all, walkable, false);
    default: return follow_columns(all, walkable, corners, -1, -1);
    }
}

// Stores the level of the cells that all passes of this level have found, and makes them the seeds
// of the next level.
static void end_level(AstarSearch *search)
{
    struct AstarLevels *all = search->own.levels;
    const LevelSet *fresh = &all->fresh;
    for (int row = fresh->first; row <= fresh->last; row++)
        for (int word = fresh->low[row]; word <= fresh->high[row]; word++) {
            const size_t at = (size_t)row * (size_t)all->width + (size_t)word;
            all->words[at].reached |= fresh->bits[at];
            for (int i = 0; i < LEVEL_DIGITS; i++)
                all->words[at].digits[i] |= all->level >> i & 1 ? fresh->bits[at] : 0;
        }
    if (all->goal_level == UINT32_MAX &&
        astar_levels_reached(search, search->goal.x, search->goal.y))
        all->goal_level = all->level;
    empty_level_set(all, &all->seeds);
    const LevelSet old = all->seeds;
    all->seeds = all->fresh;
    all->fresh = old;
    // If the unit has a heading at the start, the lines in all other directions have one bend.
    if (all->level == 0 && first_directions(search) != 0xFF)
        seed_start(search);
    all->is_complete = all->seeds.last < 0 || all->level == ASTAR_MOST_LEVEL;
    all->level++;
    all->left = all->directions;
}

AstarStatus astar_levels_run(AstarSearch *search, unsigned beyond, uint64_t *expansions)
{
    struct AstarLevels *all = search->own.levels;
    while (!all->is_complete &&
           (all->goal_level == UINT32_MAX || all->level <= all->goal_level + beyond)) {
        if (*expansions == 0)
            return ASTAR_RUNNING;
        uint64_t spent = 1;
        if (all->left != 0) {
            spent += follow_lines(search, astar_lowest_bit(all->left)) / WORDS_A_LEVEL_EXPANSION;
            all->left &= all->left - 1;
        }
        if (all->left == 0)
            end_level(search);
        *expansions -= spent < *expansions ? spent : *expansions;
    }
    return ASTAR_OK;
}

bool astar_levels_reached(const AstarSearch *search, int x, int y)
{
    unsigned bit;
    const LevelWord *word = level_word_of(search->own.levels, x, y, &bit);
    return word != NULL && (word->reached >> bit & 1) != 0;
}

uint32_t astar_levels_at(const AstarSearch *search, int x, int y, unsigned *headings)
{
    const struct AstarLevels *all = search->own.levels;
    unsigned bit;
    const LevelWord *word = level_word_of(all, x, y, &bit);
    *headings = 0xFF;
    if (word == NULL)
        return UINT32_MAX;
    if ((word->reached >> bit & 1) == 0)
        return all->level;
    uint32_t level = 0;
    *headings = 0;
    for (unsigned i = 0; all->level >> i != 0; i++)
        level |= (uint32_t)(word->digits[i] >> bit & 1) << i;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        *headings |= (unsigned)(word->headings[d] >> bit & 1) << d;
    return level;
}

void astar_levels_back(const AstarSearch *search, int *x, int *y)
{
    unsigned headings, others;
    const uint32_t level = astar_levels_at(search, *x, *y, &headings);
    const int direction = astar_lowest_bit(headings);
    do {
        *x -= astar_dx[direction];
        *y -= astar_dy[direction];
    } while (astar_levels_at(search, *x, *y, &others) == level &&
             !(*x == search->start_x && *y == search->start_y));
}
