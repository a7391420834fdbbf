// jump_turns.h -- where runs may turn at a cell, by the cells around it.

#ifndef ASTAR_JUMP_TURNS_H
#define ASTAR_JUMP_TURNS_H

#include "layers/jump_bits.h"
#include "layers/jump_words.h"

#include <assert.h>

ASTAR_SPECIALIZE int astar_slant_dx(AstarSlant slant)
{
    return slant == ASTAR_SOUTH_EAST || slant == ASTAR_NORTH_EAST ? 1 : -1;
}

ASTAR_SPECIALIZE int astar_slant_dy(AstarSlant slant)
{
    return slant == ASTAR_SOUTH_EAST || slant == ASTAR_SOUTH_WEST ? 1 : -1;
}

ASTAR_SPECIALIZE AstarSlant astar_next_slant(AstarSlant slant, int quarters)
{
    return (AstarSlant)(((int)slant + quarters) & 3);
}

static_assert(ASTAR_CORNERS_ANY == 0 && ASTAR_CORNERS_ONE_FREE == 1 && ASTAR_CORNERS_BOTH_FREE == 2,
              "so many of the two cells beside a diagonal step must be free");

// Whether a diagonal step out of a cell is legal, by the cells around.
ASTAR_SPECIALIZE bool astar_may_slant(unsigned around, AstarCorners corners, AstarSlant slant)
{
    unsigned beside = astar_is_free_by(around, astar_slant_dx(slant), 0);
    unsigned upright = astar_is_free_by(around, 0, astar_slant_dy(slant));
    unsigned across = astar_is_free_by(around, astar_slant_dx(slant), astar_slant_dy(slant));
    return (across & (beside + upright >= (unsigned)corners)) != 0;
}

// The slants beside one, each past the corner of a blocked cell behind: the next one turns about in
// the part that leads sideways if the slant's number is even.
ASTAR_SPECIALIZE bool astar_may_turn(unsigned around, AstarCorners corners, AstarSlant slant,
                                     int quarters)
{
    bool sideways = ((slant & 1) == 0) == (quarters == 1);
    unsigned behind = sideways ? astar_is_free_by(around, -astar_slant_dx(slant), 0)
                               : astar_is_free_by(around, 0, -astar_slant_dy(slant));
    return behind == 0 && astar_may_slant(around, corners, astar_next_slant(slant, quarters));
}

// Whether an obstacle opens a turn to a side of a node reached by a straight run: where no corner
// is cut, if the cell behind is blocked and the one beside free; else if the cell beside is
// blocked.
ASTAR_SPECIALIZE bool astar_opens(unsigned around, AstarCorners corners, AstarStraight direction,
                                  AstarStraight side)
{
    int dx = astar_straight_dx(direction), dy = astar_straight_dy(direction);
    int side_dx = astar_straight_dx(side), side_dy = astar_straight_dy(side);
    unsigned beside = astar_is_free_by(around, side_dx, side_dy);
    unsigned behind = astar_is_free_by(around, side_dx - dx, side_dy - dy);
    return corners == ASTAR_CORNERS_BOTH_FREE ? beside > behind : !beside;
}

// ---- turns, which dead_ends.c may have a search leave out ----

// A turn, or a cell on the way to one, and the direction of the runs.
typedef struct AstarJumpTurn {
    int direction, x, y;
} AstarJumpTurn;

static inline AstarJumpTurn astar_step_back(AstarJumpTurn at)
{
    at.x -= astar_straight_dx((AstarStraight)at.direction);
    at.y -= astar_straight_dy((AstarStraight)at.direction);
    return at;
}

// ---- of a map's AstarDeadEnds ----

// How far the runs of a dead end come; at twice as many steps some more turns are dead ends, and
// they see many more cells.
enum { ASTAR_DEAD_END_RADIUS = 12 };

enum { ASTAR_DEAD_END_FLIPS = 32 };

typedef struct AstarDeadEnds {
    AstarBits seen; // cells, among them all that the runs of some dead end come to
    uint8_t *tiles; // of 16 x 16 cells: what is to be done there; see the file
    int32_t across, down;
    int32_t to_verify, to_peel; // tiles
    int32_t next;               // tile to be looked at
    int32_t parts;              // of 'runs' that are copied
    int32_t flip_count;         // of cells that were edited since
    int32_t copied_flips;       // so many of those: what they changed is copied
    AstarCell flips[ASTAR_DEAD_END_FLIPS];
    AstarRunBits runs; // what searches read that leave dead ends out; see dead_ends.c
    void *block;       // of memory, in which those lie
} AstarDeadEnds;
#endif
