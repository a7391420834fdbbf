// jump_turns.h -- Where jumps may turn at a cell, depending on the cells around it; and the records
// of dead ends.

#ifndef ASTAR_JUMP_TURNS_H
#define ASTAR_JUMP_TURNS_H

#include "layers/jump_bits.h"
#include "layers/jump_words.h"

#include <assert.h>

// Returns the change of x along a diagonal direction.
ASTAR_SPECIALIZE int astar_diagonal_dx(AstarDiagonal diagonal)
{
    return diagonal == ASTAR_SOUTH_EAST || diagonal == ASTAR_NORTH_EAST ? 1 : -1;
}

// Returns the change of y along a diagonal direction.
ASTAR_SPECIALIZE int astar_diagonal_dy(AstarDiagonal diagonal)
{
    return diagonal == ASTAR_SOUTH_EAST || diagonal == ASTAR_SOUTH_WEST ? 1 : -1;
}

// Returns the diagonal direction after a turn by 'quarters' quarter turns.
ASTAR_SPECIALIZE AstarDiagonal astar_next_diagonal(AstarDiagonal diagonal, int quarters)
{
    return (AstarDiagonal)(((int)diagonal + quarters) & 3);
}

static_assert(ASTAR_CORNERS_ANY == 0 && ASTAR_CORNERS_ONE_FREE == 1 && ASTAR_CORNERS_BOTH_FREE == 2,
              "so many of the two cells beside a diagonal step must be free");

// Returns true if a diagonal step out of a cell is legal.
ASTAR_SPECIALIZE bool astar_may_diagonal(unsigned around, AstarCorners corners,
                                         AstarDiagonal diagonal)
{
    unsigned beside = astar_is_free_by(around, astar_diagonal_dx(diagonal), 0);
    unsigned upright = astar_is_free_by(around, 0, astar_diagonal_dy(diagonal));
    unsigned across = astar_is_free_by(around, astar_diagonal_dx(diagonal),
                                       astar_diagonal_dy(diagonal));
    return (across & (beside + upright >= (unsigned)corners)) != 0;
}

// Returns true if a diagonal jump may turn by 'quarters' quarter turns, 1 or 3, at a cell. The jump
// turns past the corner of a blocked cell behind the cell. If the number of the direction is even,
// a turn by 1 quarter passes the blocked cell beside the cell in x, else the one in y.
ASTAR_SPECIALIZE bool astar_may_turn(unsigned around, AstarCorners corners, AstarDiagonal diagonal,
                                     int quarters)
{
    bool sideways = ((diagonal & 1) == 0) == (quarters == 1);
    unsigned behind = sideways ? astar_is_free_by(around, -astar_diagonal_dx(diagonal), 0)
                               : astar_is_free_by(around, 0, -astar_diagonal_dy(diagonal));
    return behind == 0 &&
           astar_may_diagonal(around, corners, astar_next_diagonal(diagonal, quarters));
}

// Returns true if an obstacle forces a turn to 'side' at a cell that a straight jump has reached
// (forced neighbour). Under a rule that cuts no corner, the cell behind on that side must be
// blocked, and the cell beside on that side must be free. Under other rules the cell beside on that
// side must be blocked.
ASTAR_SPECIALIZE bool astar_opens(unsigned around, AstarCorners corners, AstarStraight direction,
                                  AstarStraight side)
{
    int dx = astar_straight_dx(direction), dy = astar_straight_dy(direction);
    int side_dx = astar_straight_dx(side), side_dy = astar_straight_dy(side);
    unsigned beside = astar_is_free_by(around, side_dx, side_dy);
    unsigned behind = astar_is_free_by(around, side_dx - dx, side_dy - dy);
    return corners == ASTAR_CORNERS_BOTH_FREE ? beside > behind : !beside;
}

// The following declarations are about jump points, some of which dead_ends.c lets a search leave
// out.

// A jump point, or a cell that jumps to it pass, and the direction of these jumps.
typedef struct AstarJumpPoint {
    int direction, x, y;
} AstarJumpPoint;

// Returns the cell one step before 'at', with the same direction.
static inline AstarJumpPoint astar_step_back(AstarJumpPoint at)
{
    at.x -= astar_straight_dx((AstarStraight)at.direction);
    at.y -= astar_straight_dy((AstarStraight)at.direction);
    return at;
}

// The following declarations are about the dead ends of a map.

// Maximum number of steps of jumps from a dead end. With twice as many steps a few more jump points
// would be dead ends, but their jumps would pass many more cells.
enum { ASTAR_DEAD_END_RADIUS = 12 };

// Maximum number of edits after which dead ends are repaired. After more edits all dead ends are
// searched for again.
enum { ASTAR_DEAD_END_FLIPS = 32 };

// The record of a map's dead ends.
typedef struct AstarDeadEnds {
    AstarBits seen; // a set of cells that includes all cells passed by the jumps of any dead end
    uint8_t *tiles; // work that is left in each tile of 16 x 16 cells; see dead_ends.c
    int32_t across, down;
    int32_t to_verify, to_peel; // number of tiles to verify; number of tiles to peel
    int32_t next;               // number of the next tile to examine
    int32_t parts;              // number of parts of 'runs' copied so far
    int32_t flip_count;         // number of cells in 'flips', edited since dead ends were complete
    int32_t copied_flips;       // number of cells of 'flips' whose changes are copied to 'runs'
    AstarCell flips[ASTAR_DEAD_END_FLIPS];
    AstarJumpBits runs; // pruned bitmaps for searches that leave out dead ends; see dead_ends.c
    void *block;        // memory of the pruned bitmaps
} AstarDeadEnds;
#endif
