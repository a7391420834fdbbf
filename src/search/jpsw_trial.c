// jpsw_trial.c -- whether A* is tried before JPSW.
//
// The first expansion of JPSW scans the map to all sides, as far as the next cells that are
// irregular or blocked. Over open ground with a few odd cells it sees hundreds of nodes, and notes
// them all, while A* is at a near goal by then. How many the start's diagonal runs would see is
// soon counted: where that is more than A* is likely to expand, A* goes first. It is given some
// more than that, for something may be in the way after all; then JPSW takes its place. So what is
// lost is less than about what JPSW would have taken to begin with.
//
// Where no step is diagonal, each node of JPSW looks along its row, and up and down from all of it.
// Where estimates fall short, too, both searches flood the map between; then what JPSW is to look
// at in all, reckoned from what start and goal see, is compared with the cells of A*.
//
// The count depends on the map, not on what other searches have found out of turns that lead
// nowhere: it is the same whoever asked before.

#include "search/jpsw_trial.h"

#include "derived/hidden_turns.h"
#include "derived/jump_turns.h"
#include "rules/heuristic.h"

#include <stdlib.h>

// Measured, over shares from 0.01 to 50 % of odd cells on six maps.
enum {
    SPARE = 8, // expansions
    TIMES = 2, // of those that are likely
    FLOOD = 3, // of these, for a step of a walk and one that its estimate falls short by
    // Without diagonal steps time is counted in looks up or down from a row:
    LOOKS_OF_TWO_CELLS = 5, // what A* takes to expand two
    LOOKS_OF_NODE = 15,     // what JPSW takes for one, besides looking from it
    MOST_LIKELY = 4096      // expansions: of ground farther off, start and goal tell little
};

// ---- what the start sees ----

// Of a word of a slant on which a cell lies, what it tells of some columns, whatever is hidden.
static uint64_t word_shown(const AstarJumpBitmaps *jump, AstarSlant slant, int x, int y,
                           uint64_t bits, unsigned columns)
{
    bool hides = (bits & (ASTAR_ALL_HIDDEN | ASTAR_WHOLE_STRIP)) != 0 && astar_get(&jump->hides);
    return hides ? astar_show_hidden(jump, (int)slant, x, y, bits, columns) : bits;
}

// The nodes to both sides of a diagonal run from a cell, counted until there are 'most'.
static uint32_t count_beside_slant(const AstarJumpBitmaps *jump, AstarSlant slant, int x, int y,
                                   uint32_t most)
{
    const int dx = astar_slant_dx(slant), dy = astar_slant_dy(slant);
    const ptrdiff_t strip = (ptrdiff_t)jump->runs.strip * dx + ASTAR_STRIP * dy;
    int first = x & ~(ASTAR_STRIP - 1);
    unsigned columns = dx > 0 ? 0xFFFEu << (x - first) & 0xFFFF : (1u << (x - first)) - 1;
    unsigned around = astar_around(&jump->runs, x, y), ends = 0;
    uint32_t count = 0;
    if (!astar_may_slant(around, jump->rule->corners, slant))
        return 0;
    for (const uint64_t *word = astar_slant_word(&jump->runs, (int)slant, x, y); count < most;
         word += strip, first += ASTAR_STRIP * dx, columns = ASTAR_WHOLE_STRIP) {
        uint64_t bits = astar_word_get(word);
        ends = (unsigned)bits & columns;
        if (ends != 0)
            columns &= dx > 0 ? ends ^ (ends - 1) : ~0u << astar_highest_bit(ends);
        bits = word_shown(jump, slant, first, y + (first - x) * dx * dy, bits, columns);
        count += astar_count_bits((bits >> ASTAR_ASIDE * ASTAR_STRIP & columns) |
                                  (bits >> ASTAR_ASIDE_NEXT * ASTAR_STRIP & columns)
                                      << ASTAR_STRIP);
        if (ends != 0)
            break;
    }
    return count;
}

// The same above and below a run along the row, where no step is diagonal.
static uint32_t count_beside_row(const AstarJumpBitmaps *jump, int dx, int x, int y, uint32_t most)
{
    const AstarRunBits *runs = &jump->runs;
    const AstarTiles *stops = &runs->stops[dx > 0 ? ASTAR_EAST : ASTAR_WEST];
    uint32_t count = 0;
    while (count < most) {
        x = dx > 0 ? astar_tiles_from(stops, y, x + 1) : astar_tiles_until(stops, y, x - 1);
        if (!astar_is_free_by(astar_around(runs, x, y), 0, 0))
            break;
        count += astar_tile_bit(&runs->reach[ASTAR_SOUTH], y, x) +
                 astar_tile_bit(&runs->reach[ASTAR_NORTH], y, x);
        if (astar_bit_at(jump->irregular, y, x))
            break;
    }
    return count;
}

// The same to both sides.
static uint32_t count_beside_rows(const AstarJumpBitmaps *jump, int x, int y, uint32_t most)
{
    return count_beside_row(jump, 1, x, y, most) + count_beside_row(jump, -1, x, y, most);
}

enum {
    MOST_WORDS_LOOKED_AT = 4096, // or until so many cells are found:
    SAMPLED_CELLS = 256
};

// The mean over one irregular cell of each of some words, spread by the golden ratio as those of
// scattered.c, which counts for all of its word; in parts of a look.
static uint32_t sample_looks(const AstarIrregular *irregular)
{
    const AstarJumpBitmaps *jump = astar_get(&irregular->jumps[ASTAR_NEVER]);
    const AstarBits *bits = &irregular->bits;
    uint32_t words = (uint32_t)(bits->stride * (size_t)jump->height), sum = 0, count = 0;
    for (uint32_t i = 0, found = 0; i < MOST_WORDS_LOOKED_AT && found < SAMPLED_CELLS; i++) {
        size_t word = (size_t)((uint64_t)(i * UINT32_C(0x9E3779B1)) * words >> 32);
        int row = 1 + (int)(word / bits->stride), column = (int)(word % bits->stride);
        uint64_t cells = astar_row_at(bits, row)[column];
        uint32_t all = (uint32_t)astar_count_bits(cells);
        if (all == 0)
            continue;
        for (uint32_t skipped = i % all; skipped > 0; skipped--)
            cells &= cells - 1;
        int x = 64 * column + astar_lowest_bit(cells);
        sum += all * count_beside_rows(jump, x, row, ASTAR_MOST_LOOKS / 2);
        count += all;
        found++;
    }
    return count > 0 ? sum * ASTAR_PARTS_OF_LOOK / count : 0;
}

uint32_t astar_jpsw_looks(AstarIrregular *irregular)
{
    uint32_t known = astar_get(&irregular->looks);
    if (known == 0) { // whoever else looks at once finds the same
        known = 1 + sample_looks(irregular);
        astar_put(&irregular->looks, known);
    }
    return known - 1;
}

// The cell that JPSW begins to jump from: on the way to the goal the first that is not irregular.
// It counts the border, as do those below.
static AstarCell first_regular(const AstarSearch *search, const AstarJumpBitmaps *jump)
{
    AstarCell at = {search->start_x + 1, search->start_y + 1}, start = at;
    const AstarGoal *goal = &search->goal;
    while (astar_bit_at(jump->irregular, at.y, at.x)) { // no blocked cell is
        at.x += (goal->x + 1 > at.x) - (goal->x + 1 < at.x);
        at.y += (goal->y + 1 > at.y) - (goal->y + 1 < at.y);
        if (at.x == goal->x + 1 && at.y == goal->y + 1)
            return start;
    }
    return at;
}

static bool sees_as_many(const AstarSearch *search, const AstarJumpBitmaps *jump, uint32_t most)
{
    AstarCell at = first_regular(search, jump);
    uint32_t count = 0;
    if (!search->finder->rule->has_diagonals)
        return count_beside_rows(jump, at.x, at.y, most) >= most;
    for (int slant = 0; slant < 4 && count < most; slant++)
        count += count_beside_slant(jump, (AstarSlant)slant, at.x, at.y, most - count);
    return count >= most;
}

// ---- the trial ----

// The cells that A* is likely to expand where nothing is in the way.
typedef struct Likely {
    double walk, flood; // of a walk; to its sides
} Likely;

// It expands those to the sides as the estimate falls short of what it costs over the commonest
// ground.
static Likely likely_expansions(const AstarSearch *search, int common)
{
    const AstarFinder *finder = search->finder;
    const AstarCornerRule *rule = finder->rule;
    int dx = search->start_x - search->goal.x, dy = search->start_y - search->goal.y;
    AstarHeuristic walk = astar_heuristic(rule->heuristic, rule, finder->step[0][common],
                                          finder->step[rule->has_diagonals][common]);
    double steps = astar_estimate(&walk, dx, dy) / walk.along;
    double short_by = steps - astar_estimate(&finder->heuristic, dx, dy) / walk.along;
    return (Likely){steps, FLOOD * steps * short_by};
}

// Whether JPSW, without diagonal steps, is likely to take longer than A*. Of the cells of the flood
// that share are nodes of it, which look half as far as start and goal do.
static bool looks_farther(const AstarSearch *search, const AstarJumpBitmaps *jump, Likely likely,
                          double node_share)
{
    double nodes = likely.flood * node_share;
    double most = (LOOKS_OF_TWO_CELLS * (likely.walk + likely.flood) / 2 - LOOKS_OF_NODE * nodes) /
                  (1 + nodes / 2);
    if (most < 0)
        return true;
    uint32_t both = (uint32_t)(2 * most) + 1;
    uint32_t seen = count_beside_rows(jump, search->start_x + 1, search->start_y + 1, both);
    return seen >= both ||
           seen + count_beside_rows(jump, search->goal.x + 1, search->goal.y + 1, both) >= both;
}

uint64_t astar_jpsw_trial(const AstarSearch *search, int common, double node_share)
{
    const AstarFinder *finder = search->finder;
    Likely likely = likely_expansions(search, common);
    double all = likely.walk + likely.flood;
    const AstarJumpBitmaps *jump = astar_get(&finder->irregular->jumps[finder->options.diagonals]);
    bool floods = likely.flood > 0 && all <= MOST_LIKELY && !finder->rule->has_diagonals;
    if (search->question.max_expansions != UINT64_MAX || all >= UINT32_MAX)
        return 0;
    bool is_tried = floods ? looks_farther(search, jump, likely, node_share)
                           : sees_as_many(search, jump, (uint32_t)all + 1);
    return is_tried ? (uint64_t)(TIMES * all) + SPARE : 0;
}
