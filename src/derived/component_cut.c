// component_cut.c -- what clearing one cell has cut off.
//
// The neighbours of the cleared cell that no longer hold together grow, a cell of each in turn, as
// breadth-first searches. Where two meet they are one. Once all but one are complete, those are cut
// off: the work is that of the smaller parts, or of the shortest way round. A cell that closes a
// long corridor may take too many cells; the caller then rebuilds.

#include "derived/component_cut.h"

#include "base/directions.h"

#include <string.h>

int astar_component_cut_part(const AstarComponentCut *split, int i)
{
    while (split->sides[i].joined != i)
        i = split->sides[i].joined;
    return i;
}

// The place of a cell in the table, or the empty one for it.
static uint32_t find_slot(const AstarComponentCut *split, uint32_t cell)
{
    const uint32_t mask = 2 * ASTAR_CUT_CELLS - 1;
    uint32_t slot = cell * 2654435769u >> 16 & mask;
    while (split->keys[slot] != 0 && split->keys[slot] != cell + 1)
        slot = (slot + 1) & mask;
    return slot;
}

// Side 'i' has come to a cell: a new one, or one that makes it and another the same.
static void meet_side(AstarComponentCut *split, int i, uint32_t cell)
{
    uint32_t slot = find_slot(split, cell);
    if (split->keys[slot] != 0) {
        split->sides[astar_component_cut_part(split, split->owners[slot])].joined =
            astar_component_cut_part(split, i);
        return;
    }
    split->keys[slot] = cell + 1;
    split->owners[slot] = (uint8_t)i;
    AstarCutSide *side = &split->sides[i];
    side->cells[side->count++] = cell;
    split->met++;
}

// Begins a side at one neighbour of each stretch of the ring around the cell that holds together.
static void begin_cut_side(AstarComponentCut *split, int width, bool diagonal, int x, int y,
                           unsigned around)
{
    unsigned seeds = diagonal ? around : around & ASTAR_STRAIGHTS;
    for (; seeds != 0; seeds &= seeds - 1) {
        int d = astar_lowest_bit(seeds);
        // The neighbour before it on the ring, over a corner where need be, has begun its side.
        unsigned before = astar_rotate(1u << d, 7), second = astar_rotate(1u << d, 6);
        bool straight = (d & 1) == 0;
        bool held = diagonal ? (around & before) != 0 || (straight && (around & second) != 0)
                             : (around & before) != 0 && (around & second) != 0;
        if (held)
            continue;
        uint32_t cell = (uint32_t)(y + astar_dy[d]) * (uint32_t)width + (uint32_t)(x + astar_dx[d]);
        int i = split->count++;
        split->sides[i].count = split->sides[i].looked = 0;
        split->sides[i].joined = i;
        meet_side(split, i, cell);
    }
}

// Looks around the next cell of a side.
static void grow_cut_side(AstarComponentCut *split, const AstarBits *bits, int width, bool diagonal,
                          int i)
{
    AstarCutSide *side = &split->sides[i];
    uint32_t cell = side->cells[side->looked++];
    int y = (int)(cell / (uint32_t)width), x = (int)(cell % (uint32_t)width);
    unsigned around = astar_bits_around(bits, x, y);
    for (unsigned rest = diagonal ? around : around & ASTAR_STRAIGHTS; rest != 0;
         rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        meet_side(split, i, cell + (uint32_t)(astar_dy[d] * width + astar_dx[d]));
    }
}

static bool is_whole(const AstarComponentCut *split, int part)
{
    for (int i = 0; i < split->count; i++)
        if (astar_component_cut_part(split, i) == part &&
            split->sides[i].looked < split->sides[i].count)
            return false;
    return true;
}

int astar_component_cut_rest(const AstarComponentCut *split)
{
    for (int i = 0; i < split->count; i++)
        if (!is_whole(split, astar_component_cut_part(split, i)))
            return astar_component_cut_part(split, i);
    return astar_component_cut_part(split, 0);
}

// How many parts are still growing.
static int count_growing(const AstarComponentCut *split)
{
    int growing = 0;
    for (int i = 0; i < split->count; i++)
        growing += astar_component_cut_part(split, i) == i && !is_whole(split, i);
    return growing;
}

bool astar_component_cut_find(AstarComponentCut *split, const AstarBits *bits, int width,
                              bool diagonal, int x, int y, unsigned around)
{
    split->count = split->met = 0;
    memset(split->keys, 0, sizeof split->keys);
    begin_cut_side(split, width, diagonal, x, y, around);
    while (count_growing(split) > 1) {
        if (split->met > ASTAR_CUT_CELLS - ASTAR_CUT_SIDES * ASTAR_DIRECTIONS)
            return false;
        for (int i = 0; i < split->count; i++)
            if (split->sides[i].looked < split->sides[i].count)
                grow_cut_side(split, bits, width, diagonal, i);
    }
    return true;
}
