// pruned_runs.c -- what the runs of a search read that leaves some turns out.
//
// What runs read of turns beside a diagonal or ahead of a node is the reach in the slants' words;
// where no step is diagonal, runs along the row stop at each cell that has reach, and at no other.
// A search that leaves turns out reads a copy of those, in which a run that ends at such a turn has
// no reach: 2 bytes a cell, or 3 bits. Nobody reads the copy while it is written, and an edit need
// not mend it: the stretches about it are copied when dead ends are looked for again. A turn may
// then be shown to some cells from which it is seen, and hidden from those nearer to it; never the
// other way round.
//
// To hide turns in the words that all searches read, with a mark for who is to follow all, would
// want no copy; but each search on a map of which nothing is known would look for marks.

#include "derived/jump_turns.h"

enum { PRUNED_LINE = ASTAR_LINE_WORDS * sizeof(uint64_t), PART_WORDS = 2048 };

// ---- turns ----

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

// The arrays that are copied: of all slants; or of rows their stops, and their reach to the south
// and north.
static int copied_arrays(const AstarJumpBitmaps *jump)
{
    return jump->rule->has_diagonals ? 1 : 3;
}

static uint64_t **copied_array(AstarRunBits *runs, int i)
{
    if (runs->slants[0] != NULL)
        return &runs->slants[i];
    return i == 0 ? &runs->stops[ASTAR_EAST].words
                  : &runs->reach[i == 1 ? ASTAR_SOUTH : ASTAR_NORTH].words;
}

// How many words each has.
static size_t words_of_array(const AstarJumpBitmaps *jump)
{
    size_t columns = (size_t)jump->width + 2, rows = (size_t)jump->height + 2;
    return jump->rule->has_diagonals
               ? (columns + ASTAR_STRIP - 1) / ASTAR_STRIP * jump->runs.strip
               : (rows + 7) / 8 * jump->runs.stops[ASTAR_EAST].stride * ASTAR_LINE_WORDS;
}

// One more, for the block may begin within one.
static size_t pruned_lines(const AstarJumpBitmaps *jump)
{
    return (size_t)copied_arrays(jump) * words_of_array(jump) / ASTAR_LINE_WORDS + 1;
}

bool astar_pruned_new(AstarJumpBitmaps *jump)
{
    AstarDeadEnds *ends = jump->dead_ends;
    ends->block = astar_alloc(&jump->allocator, pruned_lines(jump), PRUNED_LINE);
    if (ends->block == NULL)
        return false;
    size_t within = (uintptr_t)ends->block % PRUNED_LINE;
    char *first = (char *)ends->block + (within > 0 ? PRUNED_LINE - within : 0);
    ends->runs = jump->runs;
    for (int i = 0; i < copied_arrays(jump); i++)
        *copied_array(&ends->runs, i) = (uint64_t *)(void *)first +
                                        (size_t)i * words_of_array(jump);
    if (jump->rule->has_diagonals)
        astar_slants_at(&ends->runs, ends->runs.slants[0]);
    else
        ends->runs.stops[ASTAR_WEST] = ends->runs.stops[ASTAR_EAST];
    return true;
}

void astar_pruned_free(AstarJumpBitmaps *jump)
{
    astar_release(&jump->allocator, jump->dead_ends->block, pruned_lines(jump), PRUNED_LINE);
}

size_t astar_pruned_bytes(const AstarJumpBitmaps *jump)
{
    return pruned_lines(jump) * PRUNED_LINE;
}

// ---- reach ----

static void put_pruned_aside(const AstarRunBits *runs, int slant, AstarOnSlant kind, int x, int y,
                             bool reach)
{
    astar_put_in(astar_slant_word(runs, slant, x, y),
                 (uint64_t)1 << ((int)kind * ASTAR_STRIP + (x & (ASTAR_STRIP - 1))), reach);
}

// Tells a cell whether the run from it ends at a turn that is not left out.
static void put_pruned_reach(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool reach)
{
    const AstarRunBits *runs = &jump->dead_ends->runs;
    const int word = at.x >> 6;
    const uint64_t bit = (uint64_t)1 << (at.x & 63);
    if (jump->rule->has_diagonals) {
        put_pruned_aside(runs, at.direction, ASTAR_ASIDE, at.x, at.y, reach);
        put_pruned_aside(runs, (at.direction + 3) & 3, ASTAR_ASIDE_NEXT, at.x, at.y, reach);
        return;
    }
    uint64_t stops = *astar_tile_word(&runs->reach[at.direction ^ 2], at.y, word) |
                     astar_irregular_word(jump->irregular, at.y, (size_t)word);
    bool is_stop = reach || (stops & bit) != 0 || !astar_is_free_at(runs, at.x, at.y);
    astar_put_in(astar_tile_word(&runs->reach[at.direction], at.y, word), bit, reach);
    astar_put_in(astar_tile_word(&runs->stops[ASTAR_EAST], at.y, word), bit, is_stop);
}

void astar_pruned_show(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown)
{
    for (bool is_last = false; !is_last; at = astar_step_back(at)) {
        is_last = astar_is_stop(&jump->runs, at);
        if (is_last && !astar_is_free_at(&jump->runs, at.x, at.y))
            return;
        put_pruned_reach(jump, at, is_shown);
    }
}

// ---- copies ----

static int parts_of_array(const AstarJumpBitmaps *jump)
{
    return (int)((words_of_array(jump) + PART_WORDS - 1) / PART_WORDS);
}

int astar_pruned_parts(const AstarJumpBitmaps *jump)
{
    return copied_arrays(jump) * parts_of_array(jump);
}

void astar_pruned_copy_part(AstarJumpBitmaps *jump, int part)
{
    int array = part / parts_of_array(jump);
    size_t first = (size_t)(part % parts_of_array(jump)) * PART_WORDS;
    size_t left = words_of_array(jump) - first;
    memcpy(*copied_array(&jump->dead_ends->runs, array) + first,
           *copied_array(&jump->runs, array) + first,
           (left < PART_WORDS ? left : PART_WORDS) * sizeof(uint64_t));
}

static bool is_inside_bitmaps(const AstarJumpBitmaps *jump, int x, int y)
{
    return x >= 1 && x <= jump->width && y >= 1 && y <= jump->height;
}

// Copies the reach of the cells from which a flip can be seen, along a row or column through it or
// beside it: from it back to the last stop that it has not changed; how many.
static int copy_reach(const AstarJumpBitmaps *jump, AstarJumpTurn at)
{
    int steps = 0;
    for (bool ends = false; !ends && is_inside_bitmaps(jump, at.x, at.y);
         at = astar_step_back(at)) {
        put_pruned_reach(jump, at, astar_sees_turn(&jump->runs, at));
        ends = steps++ >= 2 && astar_is_stop(&jump->runs, at);
    }
    return steps;
}

// Copies where diagonal runs end at a cell, and turn.
static void copy_ends(const AstarJumpBitmaps *jump, int x, int y)
{
    const uint64_t ends =
        (UINT64_C(1) << ASTAR_ENDS * ASTAR_STRIP | UINT64_C(1) << ASTAR_TURNS * ASTAR_STRIP)
        << (x & (ASTAR_STRIP - 1));
    for (int slant = 0; slant < 4; slant++) {
        uint64_t *word = astar_slant_word(&jump->dead_ends->runs, slant, x, y);
        *word = (*word & ~ends) | (*astar_slant_word(&jump->runs, slant, x, y) & ends);
    }
}

int astar_pruned_copy_about(const AstarJumpBitmaps *jump, AstarCell flip)
{
    int x = flip.x + 1, y = flip.y + 1, cells = 0;
    for (int side = -1; side <= 1; side++)
        for (int direction = 0; direction < 4; direction++) {
            bool turned = astar_is_turned(direction);
            AstarJumpTurn at = {direction, turned ? x + side : x, turned ? y : y + side};
            if (!astar_looks_aside(jump, direction))
                cells += copy_reach(jump, at);
        }
    for (int i = 0; i < 9 && jump->rule->has_diagonals; i++)
        if (is_inside_bitmaps(jump, x + i % 3 - 1, y + i / 3 - 1))
            copy_ends(jump, x + i % 3 - 1, y + i / 3 - 1);
    return cells;
}
