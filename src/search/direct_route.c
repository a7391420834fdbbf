// direct_route.c -- the route that goes diagonally, then straight, where nothing is in its way.
//
// Many questions of a game are about a cell in plain view. Jump point search answers those by one
// expansion, but to ask about components, take a search, plant its root and trace its nodes takes
// ten times as long as to look along two lines. So a question in one call looks along them first.
// Its answer is that of the search, to the bit.

#include "search/jps.h"

#include "derived/jump_turns.h"
#include "derived/jump_words.h"
#include "search/asked.h"

// ---- the way ----

// Whether so many diagonal steps can be made from a free cell.
static bool is_free_slanted(const AstarRunBits *runs, AstarSlant slant, int x, int y, int steps)
{
    const bool eastward = astar_slant_dx(slant) > 0;
    const ptrdiff_t strip = (ptrdiff_t)runs->strip * astar_slant_dx(slant) +
                            ASTAR_STRIP * astar_slant_dy(slant);
    const uint64_t *word = astar_slant_word(runs, (int)slant, x, y);
    int column = x & (ASTAR_STRIP - 1); // of those still to come in the strip
    column = eastward ? column : ASTAR_STRIP - 1 - column;
    for (int made = 0; made < steps; made += ASTAR_STRIP - column, word += strip, column = 0) {
        unsigned ends = (unsigned)(*word >> ASTAR_ENDS * ASTAR_STRIP) & 0xFFFF;
        ends = eastward ? ends >> column : ends << column & 0xFFFF;
        if (ends != 0) {
            int most = eastward ? astar_lowest_bit(ends)
                                : ASTAR_STRIP - 1 - astar_highest_bit(ends);
            return made + most >= steps;
        }
    }
    return true;
}

// The same of straight ones, over turns.
static bool is_free_straight(const AstarRunBits *runs, AstarStraight direction, int x, int y,
                             int steps)
{
    const bool turned = astar_is_turned((int)direction), upward = astar_is_upward((int)direction);
    const AstarTiles *stops = &runs->stops[direction];
    int row = turned ? x : y, at = turned ? y : x, goal = upward ? at + steps : at - steps;
    while (at != goal) {
        at = upward ? astar_tiles_from(stops, row, at + 1) : astar_tiles_until(stops, row, at - 1);
        if (upward ? at > goal : at < goal)
            return true;
        if (!astar_is_free_at(runs, turned ? row : at, turned ? at : row))
            return false;
    }
    return true;
}

ASTAR_HOT bool astar_direct_way(const AstarRunBits *runs, int x, int y, int goal_x, int goal_y,
                                AstarBentWay *way)
{
    int dx = goal_x - x, dy = goal_y - y;
    AstarSlant slant = dy < 0   ? dx < 0 ? ASTAR_NORTH_WEST : ASTAR_NORTH_EAST
                       : dx < 0 ? ASTAR_SOUTH_WEST
                                : ASTAR_SOUTH_EAST;
    *way = astar_bent_way(true, x, y, goal_x, goal_y);
    AstarStraight direction = way->turn_x != goal_x ? dx < 0 ? ASTAR_WEST : ASTAR_EAST
                              : dy < 0              ? ASTAR_NORTH
                                                    : ASTAR_SOUTH;
    return astar_is_free_at(runs, x, y) && is_free_slanted(runs, slant, x, y, way->first) &&
           is_free_straight(runs, direction, way->turn_x, way->turn_y, way->then);
}

// ---- the route ----

ASTAR_HOT AstarStatus astar_answer_directly(AstarAsked *asked)
{
    const AstarFinder *finder = asked->finder;
    const AstarJumpBitmaps *jump = finder->plan.jump;
    int sx = asked->sx, sy = asked->sy, gx = asked->gx, gy = asked->gy;
    AstarPath *path = asked->path;
    AstarBentWay way;
    asked->is_unseen = !astar_direct_way(&jump->runs, sx + 1, sy + 1, gx + 1, gy + 1, &way);
    if (asked->is_unseen ||
        !astar_whole_is_exact(finder, (uint64_t)way.first * finder->whole.diagonal +
                                          (uint64_t)way.then * finder->whole.straight) ||
        astar_path_renew(path, 3, asked->allocator) != ASTAR_OK)
        return ASTAR_RUNNING;
    astar_put_leg(path, sx, sy, 1);
    astar_put_leg(path, way.turn_x - 1, way.turn_y - 1, way.first);
    astar_put_leg(path, gx, gy, way.then);
    bool moves = path->count > 1; // as by a search, which expands the start
    return astar_asked_describe(asked, ASTAR_JPS, moves, way.then, way.first);
}
