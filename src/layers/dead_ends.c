// dead_ends.c -- Dead ends of jump point search: jump points that lead nowhere.
//
// A jump point, reached in a certain direction, is a dead end if every jump from it ends within a
// few steps at an obstacle or at another dead end: an alcove, the foot of a tree. (N. Pochter and
// others call such regions swamps, AAAI 2010.) On game maps 10 to 20 of 100 jump points are dead
// ends. A search leaves out a dead end unless the goal lies on a cell that its jumps pass. It then
// expands 5 to 50 % fewer nodes, and finds the same route, cell for cell. The jumps of such a
// search read special bitmaps (see the end of this file).
//
// Finding dead ends takes one to eight times as long as building the bitmaps, and seventy times in
// narrow mazes. Dead ends save this time again after 600 to 2,400 queries without an edit.
// Therefore no query finds dead ends; only astar_finder_settle and baking do. Tiles are examined
// one by one. A tile is examined again when a jump point next to the tile has become a dead end
// ("peeling"), until no tile is left to examine. Whether a jump point is a dead end depends on
// cells near it. After an edit, dead ends near it, and those that depend on them, are treated as
// ordinary jump points until they are examined again.

#include "layers/dead_ends.h"

#include "layers/jump_turns.h"

// Side of a tile in cells. The other two values are kinds of work that remains in a tile: verifying
// that its dead ends still are dead ends, and looking for new dead ends.
enum { DEAD_END_TILE = 16, VERIFY_TILE = 1, PEEL_TILE = 2 };

// Amounts of work, as the number of cells of a layer that can be built in the same time.
enum { WORK_OF_A_TURN = 64, WORK_OF_A_TILE = 256, WORK_OF_A_PART = 2048, WORK_OF_A_COPY = 8 };

// The following functions manage the memory of dead ends.

static size_t tiles_of(const AstarDeadEnds *ends)
{
    return (size_t)ends->across * (size_t)ends->down;
}

void astar_dead_ends_free(AstarJumpBitmaps *jump)
{
    AstarDeadEnds *ends = jump->dead_ends;
    if (ends == NULL)
        return;
    astar_pruned_free(jump);
    jump->dead_ends = NULL;
    astar_release(&jump->allocator, ends->tiles, tiles_of(ends), sizeof *ends->tiles);
    astar_bits_free(&jump->allocator, &ends->seen);
    astar_release(&jump->allocator, ends, 1, sizeof *ends);
}

size_t astar_dead_ends_bytes(const AstarJumpBitmaps *jump)
{
    const AstarDeadEnds *ends = jump->dead_ends;
    return ends == NULL
               ? 0
               : sizeof *ends + tiles_of(ends) + ends->seen.count * sizeof *ends->seen.words +
                     astar_pruned_bytes(jump);
}

static bool make_dead_ends(AstarJumpBitmaps *jump)
{
    AstarDeadEnds *ends = astar_alloc(&jump->allocator, 1, sizeof *ends);
    if (ends == NULL)
        return false;
    jump->dead_ends = ends;
    ends->across = jump->width / DEAD_END_TILE + 1;
    ends->down = jump->height / DEAD_END_TILE + 1;
    ends->tiles = astar_alloc(&jump->allocator, tiles_of(ends), sizeof *ends->tiles);
    ends->seen = astar_bits_new(&jump->allocator, jump->width, jump->height);
    if (!astar_pruned_new(jump) || ends->tiles == NULL || ends->seen.words == NULL) {
        astar_dead_ends_free(jump);
        return false;
    }
    return true;
}

// The following functions examine jump points tile by tile.

static void mark_tile(AstarDeadEnds *ends, uint8_t *tile, int what)
{
    ends->to_verify += (what & VERIFY_TILE & ~*tile) != 0;
    ends->to_peel += (what & PEEL_TILE & ~*tile) != 0;
    *tile |= (uint8_t)what;
}

// Returns the rectangle of cells at most 'by' columns and rows from (x, y), clipped to the map.
// Coordinates include the border.
static AstarJumpCells cells_about(const AstarJumpBitmaps *jump, int x, int y, int by)
{
    return (AstarJumpCells){x - by > 1 ? x - by : 1, y - by > 1 ? y - by : 1,
                            x + by < jump->width ? x + by : jump->width,
                            y + by < jump->height ? y + by : jump->height};
}

static void mark_tiles(AstarDeadEnds *ends, AstarJumpCells cells, int what)
{
    for (int row = cells.y0 / DEAD_END_TILE; row <= cells.y1 / DEAD_END_TILE; row++)
        for (int column = cells.x0 / DEAD_END_TILE; column <= cells.x1 / DEAD_END_TILE; column++)
            mark_tile(ends, &ends->tiles[row * ends->across + column], what);
}

static void prune_turn(AstarJumpBitmaps *jump, AstarJumpPoint turn)
{
    astar_pruned_show(jump, astar_step_back(turn), false);
    astar_see_from_turn(jump, &jump->dead_ends->seen, turn);
    mark_tiles(jump->dead_ends, cells_about(jump, turn.x, turn.y, ASTAR_DEAD_END_RADIUS),
               PEEL_TILE);
}

static void take_turn_in(const AstarJumpBitmaps *jump, AstarJumpPoint turn)
{
    astar_pruned_show(jump, astar_step_back(turn), true);
    mark_tiles(jump->dead_ends, cells_about(jump, turn.x, turn.y, ASTAR_DEAD_END_RADIUS),
               VERIFY_TILE);
}

// Examines one jump point. Hides the jump point if it is a dead end, and makes it visible again if
// it no longer is a dead end.
static void treat_turn(AstarJumpBitmaps *jump, AstarJumpPoint turn, int what, bool near_edit)
{
    bool was_pruned = !astar_sees_turn(&jump->dead_ends->runs, astar_step_back(turn));
    if (what == PEEL_TILE && !was_pruned) {
        if (astar_is_dead_end(jump, turn))
            prune_turn(jump, turn);
    } else if (what == VERIFY_TILE && was_pruned) {
        if (near_edit || !astar_is_dead_end(jump, turn))
            take_turn_in(jump, turn);
    }
}

// Examines the jump points of a direction in a rectangle of cells, except those that no free cell
// leads to. Returns the number of jump points examined.
static int treat_turns_of(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                          AstarJumpCells cells, int what, bool near_edit)
{
    const bool turned = astar_is_turned(direction);
    const AstarBits *rows = turned ? &jump->columns : walkable;
    int first = turned ? cells.x0 : cells.y0, last = turned ? cells.x1 : cells.y1;
    int from = turned ? cells.y0 : cells.x0, to = turned ? cells.y1 : cells.x1, count = 0;
    for (int row = first; row <= last; row++)
        for (size_t word = (size_t)from >> 6; word <= (size_t)to >> 6; word++) {
            uint64_t turns = *astar_tile_word(&jump->runs.stops[direction], row, (int)word) &
                             astar_row_at(rows, row)[word] &
                             astar_bits_mask(word, (size_t)from, (size_t)to);
            for (; turns != 0; turns &= turns - 1) {
                int at = (int)(64 * word) + astar_lowest_bit(turns);
                AstarJumpPoint turn = {direction, turned ? row : at, turned ? at : row};
                AstarJumpPoint before = astar_step_back(turn);
                if (!astar_is_free_at(&jump->runs, before.x, before.y))
                    continue;
                count++;
                treat_turn(jump, turn, what, near_edit);
            }
        }
    return count;
}

static int treat_turns(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells,
                       int what, bool near_edit)
{
    int count = 0;
    for (int direction = 0; direction < 4; direction++)
        if (!astar_looks_aside(jump, direction))
            count += treat_turns_of(jump, walkable, direction, cells, what, near_edit);
    return count;
}

// Does the remaining work of the kind 'what' in the next tile. Returns the number of jump points in
// the tile.
static int treat_tile(AstarJumpBitmaps *jump, const AstarBits *walkable, int what)
{
    AstarDeadEnds *ends = jump->dead_ends;
    while ((ends->tiles[ends->next] & what) == 0)
        ends->next = (ends->next + 1) % (int)tiles_of(ends);
    uint8_t *tile = &ends->tiles[ends->next];
    int x = ends->next % ends->across * DEAD_END_TILE,
        y = ends->next / ends->across * DEAD_END_TILE;
    *(what == VERIFY_TILE ? &ends->to_verify : &ends->to_peel) -= 1;
    *tile &= (uint8_t)~what;
    AstarJumpCells cells = {x > 1 ? x : 1, y > 1 ? y : 1,
                            x + DEAD_END_TILE <= jump->width ? x + DEAD_END_TILE - 1 : jump->width,
                            y + DEAD_END_TILE <= jump->height ? y + DEAD_END_TILE - 1
                                                              : jump->height};
    return treat_turns(jump, walkable, cells, what, false);
}

// The following functions examine jump points in steps.

// Copies the next part of the bitmaps, and clears the marks of seen cells in that part. After the
// last part all tiles are marked to be examined.
static void copy_next_part(AstarJumpBitmaps *jump)
{
    AstarDeadEnds *ends = jump->dead_ends;
    size_t parts = (size_t)astar_pruned_parts(jump), part = (size_t)ends->parts;
    size_t first = ends->seen.count * part / parts, end = ends->seen.count * (part + 1) / parts;
    memset(ends->seen.words + first, 0, (end - first) * sizeof *ends->seen.words);
    astar_pruned_copy_part(jump, ends->parts++);
    if (part + 1 < parts)
        return;
    memset(ends->tiles, 0, tiles_of(ends));
    ends->to_verify = ends->to_peel = ends->next = 0;
    ends->flip_count = ends->copied_flips = 0;
    mark_tiles(ends, (AstarJumpCells){1, 1, jump->width, jump->height}, PEEL_TILE);
}

// Examines again the jump points near an edited cell. All edits have already been copied, so every
// jump point in the copy exists on the present map.
static int take_flip(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    AstarDeadEnds *ends = jump->dead_ends;
    AstarCell flip = ends->flips[--ends->flip_count];
    AstarJumpCells near = cells_about(jump, flip.x + 1, flip.y + 1, ASTAR_DEAD_END_RADIUS + 2);
    ends->copied_flips = ends->flip_count;
    mark_tiles(ends, near, PEEL_TILE);
    return treat_turns(jump, walkable, near, VERIFY_TILE, true);
}

// Does a small piece of work and returns its amount. Returns 0 if nothing is left to do.
static int do_a_little(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    AstarDeadEnds *ends = jump->dead_ends;
    if (ends->parts < astar_pruned_parts(jump)) {
        copy_next_part(jump);
        return WORK_OF_A_PART;
    }
    if (ends->copied_flips < ends->flip_count)
        return WORK_OF_A_COPY * astar_pruned_copy_about(jump, ends->flips[ends->copied_flips++]);
    if (ends->flip_count > 0)
        return WORK_OF_A_TILE + WORK_OF_A_TURN * take_flip(jump, walkable);
    if (ends->to_verify > 0)
        return WORK_OF_A_TILE + WORK_OF_A_TURN * treat_tile(jump, walkable, VERIFY_TILE);
    return ends->to_peel > 0
               ? WORK_OF_A_TILE + WORK_OF_A_TURN * treat_tile(jump, walkable, PEEL_TILE)
               : 0;
}

AstarStatus astar_dead_ends_advance(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                    int64_t *work)
{
    if (astar_get(&jump->known_dead_ends) != NULL)
        return ASTAR_OK;
    if (jump->dead_ends == NULL && !make_dead_ends(jump))
        return ASTAR_NO_MEMORY;
    for (int done = 1; done > 0; *work -= done) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        done = do_a_little(jump, walkable);
    }
    astar_put(&jump->known_dead_ends, jump->dead_ends);
    return ASTAR_OK;
}

// The following functions record edits.

void astar_dead_ends_outdate(AstarJumpBitmaps *jump)
{
    astar_put(&jump->known_dead_ends, NULL);
    if (jump->dead_ends != NULL)
        jump->dead_ends->parts = 0;
}

void astar_dead_ends_edited(AstarJumpBitmaps *jump, int x, int y)
{
    AstarDeadEnds *ends = jump->dead_ends;
    if (ends == NULL || ends->parts < astar_pruned_parts(jump) ||
        ends->flip_count == ASTAR_DEAD_END_FLIPS) {
        astar_dead_ends_outdate(jump);
        return;
    }
    astar_put(&jump->known_dead_ends, NULL);
    ends->flips[ends->flip_count++] = (AstarCell){x, y};
}

// The functions below find the jump points that are dead ends, and the cells that their jumps pass.
//
// A jump point is a dead end if every jump from it ends within a few steps at an obstacle or at
// another dead end. A search leaves out a dead end unless the goal lies on a cell that its jumps
// pass.
//
// The route found is the same whether dead ends are known or not. All successors of a node that is
// left out are left out as well, so the other nodes are expanded in the same order. One case needs
// care. A node stores only one direction of arrival: the direction of the first of its cheapest
// paths. Without the jump from a dead end, the first of these paths may come from another
// direction. Jumps in this other direction may see further cells. Each of these cells is reached by
// a shorter path, which passes the cell before the node on the dead end's jump. There are two
// exceptions: diagonal jumps ahead that the dead end does not make itself and, without diagonal
// steps, jumps along its row. Therefore a jump point is a dead end only if these jumps lead to no
// node, too. (This requires that a diagonal step costs less than two straight ones.)
//
// Nodes at which diagonal jumps end are always followed. Only 1 to 4 of 100 such nodes are dead
// ends, and leaving them out saved at most 3 % of the expansions.

// The following functions find out whether jumps end at nothing: at an obstacle or at a dead end.

// Returns true if a straight jump from 'at' ends within 'most' steps, at an obstacle or at a dead
// end.
static bool ends_at_nothing(const AstarJumpBits *runs, AstarJumpPoint at, int most)
{
    bool turned = astar_is_turned(at.direction), upward = astar_is_upward(at.direction);
    int row = turned ? at.x : at.y, position = turned ? at.y : at.x;
    const AstarTiles *stops = &runs->stops[at.direction];
    if (astar_sees_turn(runs, at))
        return false;
    return upward ? astar_tiles_from(stops, row, position + 1) - position <= most
                  : position - astar_tiles_until(stops, row, position - 1) <= most;
}

// Returns true if all jumps stop at a cell because the cell is non-uniform.
static bool stops_all_runs(const AstarJumpBitmaps *jump, int x, int y)
{
    return jump->nonuniform != NULL && astar_bit_at(jump->nonuniform, y, x) != 0;
}

static bool has_on_diagonal(const AstarJumpBits *runs, int diagonal, AstarOnDiagonal kind, int x,
                            int y)
{
    return astar_diagonal_bit(*astar_diagonal_word(runs, diagonal, x, y), kind, x) != 0;
}

// Returns true if diagonal jumps in direction 'diagonal' end at a cell and have a node there.
static bool ends_in_node(const AstarJumpBitmaps *jump, int diagonal, int x, int y)
{
    return stops_all_runs(jump, x, y) ||
           (astar_has_forced_on_diagonals(jump) &&
            has_on_diagonal(&jump->runs, diagonal, ASTAR_ENDS, x, y) &&
            has_on_diagonal(&jump->runs, diagonal, ASTAR_FORCED, x, y));
}

// Returns true if a diagonal jump from (x, y) ends within the radius at nothing but obstacles and
// dead ends. Its first step must be legal.
static bool diagonal_ends_at_nothing(const AstarJumpBitmaps *jump, int diagonal, int x, int y)
{
    const AstarJumpBits *runs = &jump->dead_ends->runs;
    for (int left = ASTAR_DEAD_END_RADIUS - 1; left >= 0; left--) {
        x += astar_diagonal_dx((AstarDiagonal)diagonal);
        y += astar_diagonal_dy((AstarDiagonal)diagonal);
        if (!ends_at_nothing(runs, (AstarJumpPoint){diagonal, x, y}, left) ||
            !ends_at_nothing(runs, (AstarJumpPoint){(diagonal + 1) & 3, x, y}, left))
            return false;
        if (has_on_diagonal(runs, diagonal, ASTAR_ENDS, x, y))
            return !ends_in_node(jump, diagonal, x, y);
    }
    return false;
}

// Returns true if jumps along the row of (x, y), on a map without diagonal steps, end within the
// radius at nothing but obstacles and dead ends.
static bool row_ends_at_nothing(const AstarJumpBitmaps *jump, int side, int x, int y)
{
    const AstarJumpBits *runs = &jump->dead_ends->runs;
    for (int left = ASTAR_DEAD_END_RADIUS; left > 0; left--) {
        x += astar_straight_dx((AstarStraight)side);
        if (!astar_is_free_at(runs, x, y))
            return true;
        if (stops_all_runs(jump, x, y) ||
            !ends_at_nothing(runs, (AstarJumpPoint){ASTAR_SOUTH, x, y}, ASTAR_DEAD_END_RADIUS) ||
            !ends_at_nothing(runs, (AstarJumpPoint){ASTAR_NORTH, x, y}, ASTAR_DEAD_END_RADIUS))
            return false;
    }
    return false;
}

// The following functions find out whether a jump point is a dead end.

// Returns the diagonal direction that lies between two perpendicular straight directions.
static int diagonal_between(int direction, int other)
{
    return other == ((direction + 1) & 3) ? direction : other;
}

// The following functions wrap functions of jump_turns.h, so that the compiler makes only one copy
// of each.
ASTAR_ONCE bool may_leave_diagonally(const AstarJumpBitmaps *jump, unsigned around, int diagonal)
{
    return astar_may_diagonal(around, jump->rule->corners, (AstarDiagonal)(diagonal & 3));
}

ASTAR_ONCE bool opens_side(const AstarJumpBitmaps *jump, unsigned around, int direction, int side)
{
    return astar_opens(around, jump->rule->corners, (AstarStraight)direction, (AstarStraight)side);
}

// Returns true if a cell can be entered by a step in 'direction': the neighbour where that step
// begins is free.
static bool is_entered(unsigned around, int direction)
{
    return astar_is_free_by(around, -astar_straight_dx((AstarStraight)direction),
                            -astar_straight_dy((AstarStraight)direction)) != 0;
}

// Returns true if a diagonal jump that ends at the cell 'at' continues from there in direction
// 'diagonal', after a turn by 'quarters' quarter turns.
static bool comes_diagonally(const AstarJumpBitmaps *jump, unsigned around, AstarJumpPoint at,
                             int diagonal, int quarters)
{
    int from = (diagonal + 4 - quarters) & 3;
    return ends_in_node(jump, from, at.x, at.y) && may_leave_diagonally(jump, around, from + 2) &&
           (quarters == 0 ||
            astar_may_turn(around, jump->rule->corners, (AstarDiagonal)from, quarters));
}

// Returns true if a route that reaches the jump point's cell from another direction may continue
// diagonally, between the direction of the jump point and 'side'.
static bool others_take(const AstarJumpBitmaps *jump, unsigned around, AstarJumpPoint turn,
                        int side)
{
    int diagonal = diagonal_between(turn.direction, side);
    return (is_entered(around, side) && opens_side(jump, around, side, turn.direction)) ||
           comes_diagonally(jump, around, turn, diagonal, 0) ||
           comes_diagonally(jump, around, turn, diagonal, 1) ||
           comes_diagonally(jump, around, turn, diagonal, 3);
}

// Returns true if jumps along the row to 'side' end at nothing. These are the jumps from the jump
// point, and the jumps of a route that reaches the cell from the opposite direction.
static bool row_beside_ends_at_nothing(const AstarJumpBitmaps *jump, unsigned around,
                                       AstarJumpPoint turn, int side)
{
    int back = (turn.direction + 2) & 3;
    bool is_opened = opens_side(jump, around, turn.direction, side) ||
                     (is_entered(around, back) && opens_side(jump, around, back, side));
    return !is_opened || row_ends_at_nothing(jump, side, turn.x, turn.y);
}

// Returns true if all jumps to 'side' end at nothing. These are the jumps from the jump point, and
// the jumps of any other route that reaches its cell.
static bool side_ends_at_nothing(const AstarJumpBitmaps *jump, unsigned around, AstarJumpPoint turn,
                                 int side)
{
    int diagonal = diagonal_between(turn.direction, side);
    bool opens = opens_side(jump, around, turn.direction, side);
    if (!jump->rule->has_diagonals)
        return row_beside_ends_at_nothing(jump, around, turn, side);
    if (opens && jump->rule->corners == ASTAR_CORNERS_BOTH_FREE &&
        !ends_at_nothing(&jump->dead_ends->runs, (AstarJumpPoint){side, turn.x, turn.y},
                         ASTAR_DEAD_END_RADIUS))
        return false;
    return !may_leave_diagonally(jump, around, diagonal) ||
           (!opens && !others_take(jump, around, turn, side)) ||
           diagonal_ends_at_nothing(jump, diagonal, turn.x, turn.y);
}

bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpPoint turn)
{
    unsigned around = astar_around(&jump->runs, turn.x, turn.y);
    return !stops_all_runs(jump, turn.x, turn.y) &&
           ends_at_nothing(&jump->dead_ends->runs, turn, ASTAR_DEAD_END_RADIUS) &&
           side_ends_at_nothing(jump, around, turn, (turn.direction + 1) & 3) &&
           side_ends_at_nothing(jump, around, turn, (turn.direction + 3) & 3);
}

// The following functions mark the cells that the jumps of a dead end pass.

static void see_cell(AstarBits *seen, int x, int y)
{
    seen->words[(size_t)y * seen->stride + ((size_t)x >> 6)] |= (uint64_t)1 << (x & 63);
}

ASTAR_ONCE void see_straight(const AstarJumpBits *runs, AstarBits *seen, AstarJumpPoint at)
{
    do {
        at.x += astar_straight_dx((AstarStraight)at.direction);
        at.y += astar_straight_dy((AstarStraight)at.direction);
        see_cell(seen, at.x, at.y);
    } while (!astar_is_stop(runs, at));
}

static void see_aside(const AstarJumpBits *runs, AstarBits *seen, int diagonal, int x, int y)
{
    see_straight(runs, seen, (AstarJumpPoint){diagonal, x, y});
    see_straight(runs, seen, (AstarJumpPoint){(diagonal + 1) & 3, x, y});
}

static void see_diagonally(const AstarJumpBits *runs, AstarBits *seen, int diagonal, int x, int y)
{
    do {
        x += astar_diagonal_dx((AstarDiagonal)diagonal);
        y += astar_diagonal_dy((AstarDiagonal)diagonal);
        see_cell(seen, x, y);
        see_aside(runs, seen, diagonal, x, y);
    } while (!has_on_diagonal(runs, diagonal, ASTAR_ENDS, x, y));
}

static void see_row(const AstarJumpBits *runs, AstarBits *seen, int side, int x, int y)
{
    int dx = astar_straight_dx((AstarStraight)side);
    for (x += dx; astar_is_free_at(runs, x, y); x += dx) {
        see_cell(seen, x, y);
        see_straight(runs, seen, (AstarJumpPoint){ASTAR_SOUTH, x, y});
        see_straight(runs, seen, (AstarJumpPoint){ASTAR_NORTH, x, y});
    }
}

// Marks the cells that jumps from a jump point pass on one side, if an obstacle forces turns to
// that side: cells straight to the side, and cells in the diagonal direction between the side and
// the direction of the jump point.
ASTAR_ONCE void see_side(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpPoint turn,
                         unsigned around, int side)
{
    int diagonal = diagonal_between(turn.direction, side);
    if (!jump->rule->has_diagonals) {
        see_row(&jump->runs, seen, side, turn.x, turn.y);
        return;
    }
    see_aside(&jump->runs, seen, diagonal, turn.x, turn.y);
    if (may_leave_diagonally(jump, around, diagonal))
        see_diagonally(&jump->runs, seen, diagonal, turn.x, turn.y);
}

void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpPoint turn)
{
    unsigned around = astar_around(&jump->runs, turn.x, turn.y);
    see_straight(&jump->runs, seen, turn);
    for (int quarters = 1; quarters <= 3; quarters += 2) {
        int side = (turn.direction + quarters) & 3;
        if (opens_side(jump, around, turn.direction, side))
            see_side(jump, seen, turn, around, side);
    }
}

// The pruned bitmaps, which a search reads if it leaves out dead ends.
//
// The words of diagonals contain the reach bits of each cell, which show whether a straight jump to
// a side ends at a jump point. Diagonal jumps read these words, and so does the expansion of a
// node. Without diagonal steps, a jump along a row stops exactly at the cells whose reach bit is 1.
// The pruned bitmaps are a copy of these words, in which the reach bit is 0 if the jump ends at a
// dead end. The copy takes 2 bytes per cell, or 3 bits without diagonal steps. No search reads the
// copy while it is written. An edit need not repair it: the stretches near an edit are copied again
// when dead ends are examined again. Until then a jump point may be visible to some cells and
// hidden from cells nearer to it, never the reverse.
//
// An alternative was rejected: hiding dead ends in the words that all searches read, with marks for
// the searches that must follow dead ends. The alternative needs no copy, but every search would
// have to check for marks, even on maps whose dead ends are not known.

enum { PRUNED_LINE = ASTAR_LINE_WORDS * sizeof(uint64_t), PART_WORDS = 2048 };

// The following functions read jump points from a set of bitmaps.

bool astar_is_stop(const AstarJumpBits *runs, AstarJumpPoint at)
{
    bool turned = astar_is_turned(at.direction);
    return astar_tile_bit(&runs->stops[at.direction], turned ? at.x : at.y, turned ? at.y : at.x) !=
           0;
}

bool astar_sees_turn(const AstarJumpBits *runs, AstarJumpPoint at)
{
    return runs->diagonals[0] == NULL
               ? astar_tile_bit(&runs->reach[at.direction], at.y, at.x) != 0
               : astar_diagonal_bit(*astar_diagonal_word(runs, at.direction, at.x, at.y),
                                    ASTAR_STRAIGHT_JUMP, at.x) != 0;
}

// The following functions manage the memory of the pruned bitmaps.

// Returns the number of arrays that are copied. With diagonal steps there is one array, which holds
// all diagonals. Without diagonal steps the arrays are the stops of rows, the reach bits to the
// south and those to the north.
static int copied_arrays(const AstarJumpBitmaps *jump)
{
    return jump->rule->has_diagonals ? 1 : 3;
}

static uint64_t **copied_array(AstarJumpBits *runs, int i)
{
    if (runs->diagonals[0] != NULL)
        return &runs->diagonals[i];
    return i == 0 ? &runs->stops[ASTAR_EAST].words
                  : &runs->reach[i == 1 ? ASTAR_SOUTH : ASTAR_NORTH].words;
}

// Returns the number of words in each array.
static size_t words_of_array(const AstarJumpBitmaps *jump)
{
    size_t columns = (size_t)jump->width + 2, rows = (size_t)jump->height + 2;
    return jump->rule->has_diagonals
               ? (columns + ASTAR_STRIP - 1) / ASTAR_STRIP * jump->runs.strip
               : (rows + 7) / 8 * jump->runs.stops[ASTAR_EAST].stride * ASTAR_LINE_WORDS;
}

// Returns the number of cache lines to allocate: one more than needed, because the block may begin
// inside a line.
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
        astar_diagonals_at(&ends->runs, ends->runs.diagonals[0]);
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

// The following functions hide jump points and show them again.

static void put_pruned_aside(const AstarJumpBits *runs, int diagonal, AstarOnDiagonal kind, int x,
                             int y, bool reach)
{
    astar_put_in(astar_diagonal_word(runs, diagonal, x, y),
                 (uint64_t)1 << ((int)kind * ASTAR_STRIP + (x & (ASTAR_STRIP - 1))), reach);
}

// Stores in the pruned bitmaps whether the jump from a cell ends at a jump point that is not left
// out.
static void put_pruned_reach(const AstarJumpBitmaps *jump, AstarJumpPoint at, bool reach)
{
    const AstarJumpBits *runs = &jump->dead_ends->runs;
    const int word = at.x >> 6;
    const uint64_t bit = (uint64_t)1 << (at.x & 63);
    if (jump->rule->has_diagonals) {
        put_pruned_aside(runs, at.direction, ASTAR_STRAIGHT_JUMP, at.x, at.y, reach);
        put_pruned_aside(runs, (at.direction + 3) & 3, ASTAR_STRAIGHT_JUMP_NEXT, at.x, at.y, reach);
        return;
    }
    uint64_t stops = *astar_tile_word(&runs->reach[at.direction ^ 2], at.y, word) |
                     astar_nonuniform_word(jump->nonuniform, at.y, (size_t)word);
    bool is_stop = reach || (stops & bit) != 0 || !astar_is_free_at(runs, at.x, at.y);
    astar_put_in(astar_tile_word(&runs->reach[at.direction], at.y, word), bit, reach);
    astar_put_in(astar_tile_word(&runs->stops[ASTAR_EAST], at.y, word), bit, is_stop);
}

void astar_pruned_show(const AstarJumpBitmaps *jump, AstarJumpPoint at, bool is_shown)
{
    for (bool is_last = false; !is_last; at = astar_step_back(at)) {
        is_last = astar_is_stop(&jump->runs, at);
        if (is_last && !astar_is_free_at(&jump->runs, at.x, at.y))
            return;
        put_pruned_reach(jump, at, is_shown);
    }
}

// The following functions copy parts of the bitmaps.

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

// Copies to the pruned bitmaps those reach bits in a row or column that a change may affect (a
// reach bit is 1 if the jump from the cell ends at a jump point). The cells concerned lie between
// the changed cell, or a cell beside it, and the nearest earlier stop that has not changed. Returns
// the number of cells.
static int copy_reach(const AstarJumpBitmaps *jump, AstarJumpPoint at)
{
    int steps = 0;
    for (bool ends = false; !ends && is_inside_bitmaps(jump, at.x, at.y);
         at = astar_step_back(at)) {
        put_pruned_reach(jump, at, astar_sees_turn(&jump->runs, at));
        ends = steps++ >= 2 && astar_is_stop(&jump->runs, at);
    }
    return steps;
}

// Copies the bits of a cell that are set if diagonal jumps end at the cell, and if they can turn
// there.
static void copy_ends(const AstarJumpBitmaps *jump, int x, int y)
{
    const uint64_t ends =
        (UINT64_C(1) << ASTAR_ENDS * ASTAR_STRIP | UINT64_C(1) << ASTAR_FORCED * ASTAR_STRIP)
        << (x & (ASTAR_STRIP - 1));
    for (int diagonal = 0; diagonal < 4; diagonal++) {
        uint64_t *word = astar_diagonal_word(&jump->dead_ends->runs, diagonal, x, y);
        *word = (*word & ~ends) | (*astar_diagonal_word(&jump->runs, diagonal, x, y) & ends);
    }
}

int astar_pruned_copy_about(const AstarJumpBitmaps *jump, AstarCell flip)
{
    int x = flip.x + 1, y = flip.y + 1, cells = 0;
    for (int side = -1; side <= 1; side++)
        for (int direction = 0; direction < 4; direction++) {
            bool turned = astar_is_turned(direction);
            AstarJumpPoint at = {direction, turned ? x + side : x, turned ? y : y + side};
            if (!astar_looks_aside(jump, direction))
                cells += copy_reach(jump, at);
        }
    for (int i = 0; i < 9 && jump->rule->has_diagonals; i++)
        if (is_inside_bitmaps(jump, x + i % 3 - 1, y + i / 3 - 1))
            copy_ends(jump, x + i % 3 - 1, y + i / 3 - 1);
    return cells;
}
