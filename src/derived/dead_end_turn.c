// dead_end_turn.c -- whether a turn leads nowhere, and which cells can be seen from it.
//
// A turn with a direction that leads to it is a dead end if each run that it would send out ends
// within a few steps at nothing, or at a turn that is a dead end, too. Goals that none of its runs
// can see are searched for without it.
//
// The routes found are the same, too, whether dead ends are known or not. Nodes that are left out
// have successors that are left out, so what is followed comes in the order it did. But a node has
// one direction, that which came first at the least cost: a dead end could have kept another at the
// same cost from being followed. All that the other can see has a shorter way past the cell before
// it in the dead end's run, or is seen by both; all but diagonal runs ahead of the dead end that it
// does not send out itself, or where no step is diagonal runs along its row. So those that what
// comes to it otherwise can send out must end at nothing, too. (This wants diagonal steps cheaper
// than two straight ones.) Nodes at which diagonal runs end are all followed: 1 to 4 in a hundred
// are dead ends, and to leave those out saved 0 to 3 expansions in a hundred.

#include "derived/jump_turns.h"

// ---- runs ----

// Whether a run ends soon, and at nothing but a dead end.
static bool ends_at_nothing(const AstarRunBits *runs, AstarJumpTurn at, int most)
{
    bool turned = astar_is_turned(at.direction), upward = astar_is_upward(at.direction);
    int row = turned ? at.x : at.y, position = turned ? at.y : at.x;
    const AstarTiles *stops = &runs->stops[at.direction];
    if (astar_sees_turn(runs, at))
        return false;
    return upward ? astar_tiles_from(stops, row, position + 1) - position <= most
                  : position - astar_tiles_until(stops, row, position - 1) <= most;
}

// Whether runs end at a cell because it is irregular.
static bool stops_all_runs(const AstarJumpBitmaps *jump, int x, int y)
{
    return jump->irregular != NULL && astar_bit_at(jump->irregular, y, x) != 0;
}

static bool has_on_slant(const AstarRunBits *runs, int slant, AstarOnSlant kind, int x, int y)
{
    return astar_slant_bit(*astar_slant_word(runs, slant, x, y), kind, x) != 0;
}

// Whether runs of a slant end at a cell in a node.
static bool ends_in_node(const AstarJumpBitmaps *jump, int slant, int x, int y)
{
    return stops_all_runs(jump, x, y) ||
           (astar_has_slant_turns(jump) && has_on_slant(&jump->runs, slant, ASTAR_ENDS, x, y) &&
            has_on_slant(&jump->runs, slant, ASTAR_TURNS, x, y));
}

// The same of a run along a slant, whose first step is legal.
static bool slant_ends_at_nothing(const AstarJumpBitmaps *jump, int slant, int x, int y)
{
    const AstarRunBits *runs = &jump->dead_ends->runs;
    for (int left = ASTAR_DEAD_END_RADIUS - 1; left >= 0; left--) {
        x += astar_slant_dx((AstarSlant)slant);
        y += astar_slant_dy((AstarSlant)slant);
        if (!ends_at_nothing(runs, (AstarJumpTurn){slant, x, y}, left) ||
            !ends_at_nothing(runs, (AstarJumpTurn){(slant + 1) & 3, x, y}, left))
            return false;
        if (has_on_slant(runs, slant, ASTAR_ENDS, x, y))
            return !ends_in_node(jump, slant, x, y);
    }
    return false;
}

// The same of a run along a row, where no step is diagonal.
static bool row_ends_at_nothing(const AstarJumpBitmaps *jump, int side, int x, int y)
{
    const AstarRunBits *runs = &jump->dead_ends->runs;
    for (int left = ASTAR_DEAD_END_RADIUS; left > 0; left--) {
        x += astar_straight_dx((AstarStraight)side);
        if (!astar_is_free_at(runs, x, y))
            return true;
        if (stops_all_runs(jump, x, y) ||
            !ends_at_nothing(runs, (AstarJumpTurn){ASTAR_SOUTH, x, y}, ASTAR_DEAD_END_RADIUS) ||
            !ends_at_nothing(runs, (AstarJumpTurn){ASTAR_NORTH, x, y}, ASTAR_DEAD_END_RADIUS))
            return false;
    }
    return false;
}

// ---- turns ----

// The slant between two straight directions that stand across each other.
static int slant_between(int direction, int other)
{
    return other == ((direction + 1) & 3) ? direction : other;
}

// As in jump_turns.h; compiled once.
ASTAR_ONCE bool may_leave_slanted(const AstarJumpBitmaps *jump, unsigned around, int slant)
{
    return astar_may_slant(around, jump->rule->corners, (AstarSlant)(slant & 3));
}

ASTAR_ONCE bool opens_side(const AstarJumpBitmaps *jump, unsigned around, int direction, int side)
{
    return astar_opens(around, jump->rule->corners, (AstarStraight)direction, (AstarStraight)side);
}

// Whether a cell is entered straight on in a direction.
static bool is_entered(unsigned around, int direction)
{
    return astar_is_free_by(around, -astar_straight_dx((AstarStraight)direction),
                            -astar_straight_dy((AstarStraight)direction)) != 0;
}

// Whether what came along a slant, and turned so many quarters at a node, goes on along another.
static bool comes_slanted(const AstarJumpBitmaps *jump, unsigned around, AstarJumpTurn at,
                          int slant, int quarters)
{
    int from = (slant + 4 - quarters) & 3;
    return ends_in_node(jump, from, at.x, at.y) && may_leave_slanted(jump, around, from + 2) &&
           (quarters == 0 ||
            astar_may_turn(around, jump->rule->corners, (AstarSlant)from, quarters));
}

// Whether what comes to a turn otherwise, at the same cost perhaps, goes on along the slant between
// its direction and a side.
static bool others_take(const AstarJumpBitmaps *jump, unsigned around, AstarJumpTurn turn, int side)
{
    int slant = slant_between(turn.direction, side);
    return (is_entered(around, side) && opens_side(jump, around, side, turn.direction)) ||
           comes_slanted(jump, around, turn, slant, 0) ||
           comes_slanted(jump, around, turn, slant, 1) ||
           comes_slanted(jump, around, turn, slant, 3);
}

// Whether what a turn sends out to a side along its row, or what comes there from ahead of it does,
// ends at nothing.
static bool row_beside_ends_at_nothing(const AstarJumpBitmaps *jump, unsigned around,
                                       AstarJumpTurn turn, int side)
{
    int back = (turn.direction + 2) & 3;
    bool is_opened = opens_side(jump, around, turn.direction, side) ||
                     (is_entered(around, back) && opens_side(jump, around, back, side));
    return !is_opened || row_ends_at_nothing(jump, side, turn.x, turn.y);
}

// Whether what a turn sends out to a side, or others there do, ends at nothing.
static bool side_ends_at_nothing(const AstarJumpBitmaps *jump, unsigned around, AstarJumpTurn turn,
                                 int side)
{
    int slant = slant_between(turn.direction, side);
    bool opens = opens_side(jump, around, turn.direction, side);
    if (!jump->rule->has_diagonals)
        return row_beside_ends_at_nothing(jump, around, turn, side);
    if (opens && jump->rule->corners == ASTAR_CORNERS_BOTH_FREE &&
        !ends_at_nothing(&jump->dead_ends->runs, (AstarJumpTurn){side, turn.x, turn.y},
                         ASTAR_DEAD_END_RADIUS))
        return false;
    return !may_leave_slanted(jump, around, slant) ||
           (!opens && !others_take(jump, around, turn, side)) ||
           slant_ends_at_nothing(jump, slant, turn.x, turn.y);
}

bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    unsigned around = astar_around(&jump->runs, turn.x, turn.y);
    return !stops_all_runs(jump, turn.x, turn.y) &&
           ends_at_nothing(&jump->dead_ends->runs, turn, ASTAR_DEAD_END_RADIUS) &&
           side_ends_at_nothing(jump, around, turn, (turn.direction + 1) & 3) &&
           side_ends_at_nothing(jump, around, turn, (turn.direction + 3) & 3);
}

// ---- what it sees ----

static void see_cell(AstarBits *seen, int x, int y)
{
    seen->words[(size_t)y * seen->stride + ((size_t)x >> 6)] |= (uint64_t)1 << (x & 63);
}

ASTAR_ONCE void see_straight(const AstarRunBits *runs, AstarBits *seen, AstarJumpTurn at)
{
    do {
        at.x += astar_straight_dx((AstarStraight)at.direction);
        at.y += astar_straight_dy((AstarStraight)at.direction);
        see_cell(seen, at.x, at.y);
    } while (!astar_is_stop(runs, at));
}

static void see_aside(const AstarRunBits *runs, AstarBits *seen, int slant, int x, int y)
{
    see_straight(runs, seen, (AstarJumpTurn){slant, x, y});
    see_straight(runs, seen, (AstarJumpTurn){(slant + 1) & 3, x, y});
}

static void see_slanted(const AstarRunBits *runs, AstarBits *seen, int slant, int x, int y)
{
    do {
        x += astar_slant_dx((AstarSlant)slant);
        y += astar_slant_dy((AstarSlant)slant);
        see_cell(seen, x, y);
        see_aside(runs, seen, slant, x, y);
    } while (!has_on_slant(runs, slant, ASTAR_ENDS, x, y));
}

static void see_row(const AstarRunBits *runs, AstarBits *seen, int side, int x, int y)
{
    int dx = astar_straight_dx((AstarStraight)side);
    for (x += dx; astar_is_free_at(runs, x, y); x += dx) {
        see_cell(seen, x, y);
        see_straight(runs, seen, (AstarJumpTurn){ASTAR_SOUTH, x, y});
        see_straight(runs, seen, (AstarJumpTurn){ASTAR_NORTH, x, y});
    }
}

// To a side that the turn opens, and on the slant between.
ASTAR_ONCE void see_side(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn,
                         unsigned around, int side)
{
    int slant = slant_between(turn.direction, side);
    if (!jump->rule->has_diagonals) {
        see_row(&jump->runs, seen, side, turn.x, turn.y);
        return;
    }
    see_aside(&jump->runs, seen, slant, turn.x, turn.y);
    if (may_leave_slanted(jump, around, slant))
        see_slanted(&jump->runs, seen, slant, turn.x, turn.y);
}

void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn)
{
    unsigned around = astar_around(&jump->runs, turn.x, turn.y);
    see_straight(&jump->runs, seen, turn);
    for (int quarters = 1; quarters <= 3; quarters += 2) {
        int side = (turn.direction + quarters) & 3;
        if (opens_side(jump, around, turn.direction, side))
            see_side(jump, seen, turn, around, side);
    }
}
