// jump_repair.c -- what the flip of one bit changes of the jump bitmaps.
//
// The stops of the nine cells about it change, and with them the reach of the free cells that run
// to one of these: a stretch of a row or column for each direction, up to the stop before. Where
// that changes, so does what the two slants beside it see aside. On open ground a stretch is as
// long as the map is wide, so it is mended by words: its cells lie on diagonals after each other.

#include "derived/jump_bits.h"
#include "derived/jump_making.h"
#include "derived/jump_turns.h"

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
