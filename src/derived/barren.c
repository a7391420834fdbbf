// barren.c -- turns that lead nowhere.
//
// A turn with a direction that leads to it is barren if each run that it would send out ends within
// a few steps at nothing, or at a turn that is barren, too: an alcove, the foot of a tree, a dead
// end. Of the turns of game maps that are 10 to 20 in a hundred, and a search for a goal that none
// of their runs can see need not follow them: it expands 5 to 50 in a hundred nodes fewer.
//
// What runs read of turns beside a diagonal or ahead of a node is the reach in the slants' words.
// There a run that ends at a barren turn has none: the turn is hidden, and the search the same,
// line for line. The fourth bit of the cells it is hidden from says that something is: who is to
// follow barren turns, too, for one of them sees the goal or not all are found, looks where the
// runs of such a cell end. So that bit may stand where it need not. Where diagonal runs end in
// nodes, past corners they cut or at irregular cells, the bit says so of the cells where runs end;
// at those all are looked at that are to follow hidden turns.
//
// Other threads may search meanwhile. All of these follow hidden turns, for what is known is
// published when nothing is left to be found out, and until the next edit no word is written after
// that. A word that hides a turn is written whole, with both bits, so they see the turn one way or
// the other.
//
// The routes found are the same, too, whether barren turns are known or not. Nodes that are left
// out have successors that are left out, so what is followed comes in the order it did. But a node
// has one direction, that which came first at the least cost: a barren one could have kept another
// at the same cost from being followed. All that the other can see has a shorter way past the cell
// before it in the barren one's run, or is seen by both; all but diagonal runs ahead of the barren
// turn that it does not send out itself. So those that what comes to it otherwise can send out must
// end at nothing, too. (This wants diagonal steps cheaper than two straight ones.) Nodes at which
// diagonal runs end are all followed: 1 to 4 in a hundred are barren, and to leave those out saved
// 0 to 3 expansions in a hundred.
//
// Found are barren turns tile by tile, each looked at until no turn beside it becomes barren any
// more ("peeling"). That takes longer than to build the bitmaps, and who asks once has no use for
// it, so searches pay for it: each adds what a share of its expansions would take. Which turns are
// barren hangs on cells near to them. After an edit those near it, and those that hang on them, are
// taken for fruitful, then peeled anew; until then searches follow all. Where few turns are barren
// all are shown again, and the rest forgotten.
//
// Only where there are diagonal steps: what runs read elsewhere are no slants.

#include "derived/barren.h"

#include "derived/jump_turns.h"
#include "derived/jump_words.h"

// How far the runs of a barren turn come; at twice as many steps some more turns are barren, and
// they see many more cells.
enum { BARREN_RADIUS = 12 };

// What is to be done in a tile: whether its barren turns are still that; whether others are; and
// whether they were counted.
enum { BARREN_TILE = 16, VERIFY_TILE = 1, PEEL_TILE = 2, COUNTED_TILE = 4 };

// Of so many turns one must be barren; which is judged in the end, and by so many of them before.
enum { MOST_FRUITFUL = 16, SAMPLED_TURNS = 4096 };

// What there is of work at a time at most, in turns looked at; and of so many expansions one pays.
enum { MOST_BARREN_WORK = 1024, PAID_SHARE = 4 };

// More than a step of a search has time to begin.
enum { LARGE_BARREN_MAP = 4096 * 4096 };

// ---- memory ----

// Of all four slants.
static int strips_of(const AstarJumpBitmaps *jump)
{
    return (jump->width + 2 + ASTAR_STRIP - 1) / ASTAR_STRIP * 4;
}

static size_t tiles_of(const AstarBarren *barren)
{
    return (size_t)barren->across * (size_t)barren->down;
}

void astar_barren_free(AstarJumpBitmaps *jump)
{
    AstarBarren *barren = jump->barren;
    if (barren == NULL)
        return;
    astar_put(&jump->pruned, NULL);
    jump->barren = NULL;
    astar_release(&jump->allocator, barren->tiles, tiles_of(barren), sizeof *barren->tiles);
    astar_bits_free(&jump->allocator, &barren->seen);
    astar_release(&jump->allocator, barren, 1, sizeof *barren);
}

size_t astar_barren_bytes(const AstarJumpBitmaps *jump)
{
    const AstarBarren *barren = jump->barren;
    return barren == NULL ? 0
                          : sizeof *barren + tiles_of(barren) +
                                barren->seen.count * sizeof *barren->seen.words;
}

// Begins anew: all is to be shown, and nothing known to be barren.
static void restart_barren(AstarBarren *barren)
{
    barren->is_given_up = false;
    memset(barren->tiles, 0, tiles_of(barren));
    barren->to_verify = barren->to_peel = barren->next = 0;
    barren->strips = barren->flip_count = 0;
    barren->turns = barren->barren = 0;
}

static bool make_barren(AstarJumpBitmaps *jump)
{
    AstarBarren *barren = astar_alloc(&jump->allocator, 1, sizeof *barren);
    if (barren == NULL)
        return false;
    jump->barren = barren;
    barren->across = jump->width / BARREN_TILE + 1;
    barren->down = jump->height / BARREN_TILE + 1;
    barren->tiles = astar_alloc(&jump->allocator, tiles_of(barren), sizeof *barren->tiles);
    barren->seen = astar_bits_new(&jump->allocator, jump->width, jump->height);
    if (barren->tiles == NULL || barren->seen.words == NULL) {
        astar_barren_free(jump);
        return false;
    }
    restart_barren(barren);
    return true;
}

// ---- turns and their reach ----

typedef struct AstarJumpTurn {
    int direction, x, y;
} AstarJumpTurn;

static AstarJumpTurn step_back(AstarJumpTurn at)
{
    at.x -= astar_straight_dx((AstarStraight)at.direction);
    at.y -= astar_straight_dy((AstarStraight)at.direction);
    return at;
}

// The slant between two straight directions that stand across each other.
static int slant_between(int direction, int other)
{
    return other == ((direction + 1) & 3) ? direction : other;
}

static bool is_stop(const AstarRunBits *runs, AstarJumpTurn at)
{
    bool turned = astar_is_turned(at.direction);
    return astar_tile_bit(&runs->stops[at.direction], turned ? at.x : at.y, turned ? at.y : at.x) !=
           0;
}

static bool is_free(const AstarRunBits *runs, int x, int y)
{
    return astar_is_free_by(astar_around(runs, x, y), 0, 0) != 0;
}

// Whether the run from a cell ends at a turn.
static bool leads_to_turn(const AstarRunBits *runs, AstarJumpTurn at)
{
    bool turned = astar_is_turned(at.direction);
    int row = turned ? at.x : at.y, position = turned ? at.y : at.x;
    const AstarTiles *stops = &runs->stops[at.direction];
    int stop = astar_is_upward(at.direction) ? astar_tiles_from(stops, row, position + 1)
                                             : astar_tiles_until(stops, row, position - 1);
    return is_free(runs, turned ? row : stop, turned ? stop : row);
}

// The same, but for turns that are hidden.
static bool sees_turn_from(const AstarRunBits *runs, AstarJumpTurn at)
{
    return astar_slant_bit(*astar_slant_word(runs, at.direction, at.x, at.y), ASTAR_ASIDE, at.x) !=
           0;
}

// ---- hidden turns ----

// Has a slant see the turn that the run from a cell to one of its sides ends at, or hides it. Where
// runs end in nodes the fourth bit tells that; then there is no room for a mark.
static void show_to_slant(const AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, int x, int y,
                          bool is_shown)
{
    uint64_t *word = astar_slant_word(&jump->runs, slant, x, y);
    uint64_t cell = (uint64_t)1 << (x & (ASTAR_STRIP - 1)), aside = cell << (int)kind * ASTAR_STRIP;
    bool has_room = !astar_has_nodes(jump) || (*word & cell << ASTAR_ENDS * ASTAR_STRIP) == 0;
    uint64_t mark = has_room ? cell << ASTAR_HIDDEN * ASTAR_STRIP : 0;
    astar_word_put(word, is_shown ? *word | aside : (*word & ~aside) | mark);
}

// Shows a turn to the free cells from one back to the last stop before it, or hides it from them.
static void show_turn(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown)
{
    for (;; at = step_back(at)) {
        bool is_last = is_stop(&jump->runs, at);
        if (is_last && !is_free(&jump->runs, at.x, at.y))
            return;
        show_to_slant(jump, at.direction, ASTAR_ASIDE, at.x, at.y, is_shown);
        show_to_slant(jump, (at.direction + 3) & 3, ASTAR_ASIDE_NEXT, at.x, at.y, is_shown);
        if (is_last)
            return;
    }
}

uint64_t astar_barren_show(const AstarJumpBitmaps *jump, int slant, int x, int y, uint64_t bits,
                           unsigned columns)
{
    const bool has_nodes = astar_has_nodes(jump);
    uint64_t ends = bits << (ASTAR_NODE - ASTAR_ENDS) * ASTAR_STRIP;
    uint64_t shown = bits & (has_nodes ? ~ASTAR_ALL_HIDDEN | ends : ~ASTAR_ALL_HIDDEN);
    uint64_t hidden = (bits ^ shown) >> ASTAR_HIDDEN * ASTAR_STRIP;
    if (has_nodes && astar_get(&jump->hides))
        hidden |= bits >> ASTAR_ENDS * ASTAR_STRIP;
    for (hidden &= columns; hidden != 0; hidden &= hidden - 1) {
        int column = astar_lowest_bit(hidden), from_here = column - (x & (ASTAR_STRIP - 1));
        int at_x = x + from_here, at_y = y + (astar_is_rising(slant) ? -from_here : from_here);
        AstarJumpTurn aside = {slant, at_x, at_y}, next = {(slant + 1) & 3, at_x, at_y};
        shown |= (uint64_t)leads_to_turn(&jump->runs, aside)
                 << (ASTAR_ASIDE * ASTAR_STRIP + column);
        shown |= (uint64_t)leads_to_turn(&jump->runs, next)
                 << (ASTAR_ASIDE_NEXT * ASTAR_STRIP + column);
    }
    return shown;
}

// ---- whether a turn is barren ----

static bool is_barren_yet(const AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    return !sees_turn_from(&jump->runs, step_back(turn));
}

// Whether a run ends soon, and at nothing but what is barren.
static bool ends_at_nothing(const AstarRunBits *runs, AstarJumpTurn at, int most)
{
    bool turned = astar_is_turned(at.direction), upward = astar_is_upward(at.direction);
    int row = turned ? at.x : at.y, position = turned ? at.y : at.x;
    const AstarTiles *stops = &runs->stops[at.direction];
    if (sees_turn_from(runs, at))
        return false;
    return upward ? astar_tiles_from(stops, row, position + 1) - position <= most
                  : position - astar_tiles_until(stops, row, position - 1) <= most;
}

static bool has_on_slant(const AstarRunBits *runs, int slant, AstarOnSlant kind, int x, int y)
{
    return astar_slant_bit(*astar_slant_word(runs, slant, x, y), kind, x) != 0;
}

// Whether runs of a slant end at a cell in a node.
static bool ends_in_node(const AstarJumpBitmaps *jump, int slant, int x, int y)
{
    return astar_has_nodes(jump) && has_on_slant(&jump->runs, slant, ASTAR_ENDS, x, y) &&
           has_on_slant(&jump->runs, slant, ASTAR_NODE, x, y);
}

// The same of a run along a slant, whose first step is legal.
static bool slant_ends_at_nothing(const AstarJumpBitmaps *jump, int slant, int x, int y)
{
    const AstarRunBits *runs = &jump->runs;
    for (int left = BARREN_RADIUS - 1; left >= 0; left--) {
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

// Whether what a turn sends out to a side, or others there do, ends at nothing.
static bool side_ends_at_nothing(const AstarJumpBitmaps *jump, unsigned around, AstarJumpTurn turn,
                                 int side)
{
    int slant = slant_between(turn.direction, side);
    bool opens = opens_side(jump, around, turn.direction, side);
    if (opens && jump->rule->corners == ASTAR_CORNERS_BOTH_FREE &&
        !ends_at_nothing(&jump->runs, (AstarJumpTurn){side, turn.x, turn.y}, BARREN_RADIUS))
        return false;
    return !may_leave_slanted(jump, around, slant) ||
           (!opens && !others_take(jump, around, turn, side)) ||
           slant_ends_at_nothing(jump, slant, turn.x, turn.y);
}

static bool is_barren_turn(const AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    unsigned around = astar_around(&jump->runs, turn.x, turn.y);
    if (jump->irregular != NULL && astar_bit_at(jump->irregular, turn.y, turn.x))
        return false;
    return ends_at_nothing(&jump->runs, turn, BARREN_RADIUS) &&
           side_ends_at_nothing(jump, around, turn, (turn.direction + 1) & 3) &&
           side_ends_at_nothing(jump, around, turn, (turn.direction + 3) & 3);
}

// ---- what it sees ----

static void see_cell(AstarBits *seen, int x, int y)
{
    seen->words[(size_t)y * seen->stride + ((size_t)x >> 6)] |= (uint64_t)1 << (x & 63);
}

static void see_straight(const AstarRunBits *runs, AstarBits *seen, AstarJumpTurn at)
{
    do {
        at.x += astar_straight_dx((AstarStraight)at.direction);
        at.y += astar_straight_dy((AstarStraight)at.direction);
        see_cell(seen, at.x, at.y);
    } while (!is_stop(runs, at));
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

// Takes note of the cells that the runs of a turn come to.
static void see_from(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn)
{
    unsigned around = astar_around(&jump->runs, turn.x, turn.y);
    see_straight(&jump->runs, seen, turn);
    for (int quarters = 1; quarters <= 3; quarters += 2) {
        int side = (turn.direction + quarters) & 3, slant = slant_between(turn.direction, side);
        if (!opens_side(jump, around, turn.direction, side))
            continue;
        see_aside(&jump->runs, seen, slant, turn.x, turn.y);
        if (may_leave_slanted(jump, around, slant))
            see_slanted(&jump->runs, seen, slant, turn.x, turn.y);
    }
}

// ---- tiles ----

static void mark_tile(AstarBarren *barren, uint8_t *tile, int what)
{
    barren->to_verify += (what & VERIFY_TILE & ~*tile) != 0;
    barren->to_peel += (what & PEEL_TILE & ~*tile) != 0;
    *tile |= (uint8_t)what;
}

// Some cells that count the border, the last ones among them.
static AstarJumpCells cells_about(const AstarJumpBitmaps *jump, int x, int y, int by)
{
    return (AstarJumpCells){x - by > 1 ? x - by : 1, y - by > 1 ? y - by : 1,
                            x + by < jump->width ? x + by : jump->width,
                            y + by < jump->height ? y + by : jump->height};
}

static void mark_tiles(AstarBarren *barren, AstarJumpCells cells, int what)
{
    for (int row = cells.y0 / BARREN_TILE; row <= cells.y1 / BARREN_TILE; row++)
        for (int column = cells.x0 / BARREN_TILE; column <= cells.x1 / BARREN_TILE; column++)
            mark_tile(barren, &barren->tiles[row * barren->across + column], what);
}

static void make_barren_turn(AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    astar_put(&jump->hides, true);
    show_turn(jump, step_back(turn), false);
    see_from(jump, &jump->barren->seen, turn);
    jump->barren->barren++;
    mark_tiles(jump->barren, cells_about(jump, turn.x, turn.y, BARREN_RADIUS), PEEL_TILE);
}

static void make_fruitful(const AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    show_turn(jump, step_back(turn), true);
    jump->barren->barren--;
    mark_tiles(jump->barren, cells_about(jump, turn.x, turn.y, BARREN_RADIUS), VERIFY_TILE);
}

// What is done to a turn.
static void treat_turn(AstarJumpBitmaps *jump, AstarJumpTurn turn, int what, bool near_edit)
{
    bool was_barren = is_barren_yet(jump, turn);
    if (what == PEEL_TILE && !was_barren) {
        if (is_barren_turn(jump, turn))
            make_barren_turn(jump, turn);
    } else if (what == VERIFY_TILE && was_barren) {
        if (near_edit || !is_barren_turn(jump, turn))
            make_fruitful(jump, turn);
    }
}

// The turns of a direction among some cells, but those that no free cell leads to; how many.
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
                             astar_row_at(rows, row)[word] & astar_mask_between(word, from, to);
            for (; turns != 0; turns &= turns - 1) {
                int at = (int)(64 * word) + astar_lowest_bit(turns);
                AstarJumpTurn turn = {direction, turned ? row : at, turned ? at : row};
                AstarJumpTurn before = step_back(turn);
                if (!is_free(&jump->runs, before.x, before.y))
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
        count += treat_turns_of(jump, walkable, direction, cells, what, near_edit);
    return count;
}

// Does what is to be done in a tile; how many turns there are.
static int treat_tile(AstarJumpBitmaps *jump, const AstarBits *walkable, int what)
{
    AstarBarren *barren = jump->barren;
    while ((barren->tiles[barren->next] & what) == 0)
        barren->next = (barren->next + 1) % (int)tiles_of(barren);
    uint8_t *tile = &barren->tiles[barren->next];
    int x = barren->next % barren->across * BARREN_TILE,
        y = barren->next / barren->across * BARREN_TILE;
    *(what == VERIFY_TILE ? &barren->to_verify : &barren->to_peel) -= 1;
    *tile &= (uint8_t)~what;
    AstarJumpCells cells = {x > 1 ? x : 1, y > 1 ? y : 1,
                            x + BARREN_TILE <= jump->width ? x + BARREN_TILE - 1 : jump->width,
                            y + BARREN_TILE <= jump->height ? y + BARREN_TILE - 1 : jump->height};
    int turns = treat_turns(jump, walkable, cells, what, false);
    if ((*tile & COUNTED_TILE) == 0)
        barren->turns += turns;
    *tile |= COUNTED_TILE;
    return turns;
}

// ---- work ----

// Shows what is hidden from a strip of a slant.
static void show_to_strip(const AstarJumpBitmaps *jump, int slant, int strip)
{
    int x = strip * ASTAR_STRIP, y = astar_is_rising(slant) ? 0 : 1 - ASTAR_STRIP;
    uint64_t *words = astar_strip_at(&jump->runs, slant, x);
    for (int i = 0; i < (int)jump->runs.strip; i++) {
        if (words[i] == 0)
            continue;
        uint64_t shown = astar_barren_show(jump, slant, x, y + i, words[i], ASTAR_WHOLE_STRIP);
        if (shown != words[i])
            astar_word_put(&words[i], shown);
    }
}

// Does so with the next one. After the last all turns are looked at.
static int show_strips(const AstarJumpBitmaps *jump)
{
    AstarBarren *barren = jump->barren;
    show_to_strip(jump, barren->strips & 3, barren->strips >> 2);
    if (++barren->strips == strips_of(jump) && !barren->is_given_up) {
        memset(barren->seen.words, 0, barren->seen.count * sizeof *barren->seen.words);
        mark_tiles(barren, (AstarJumpCells){1, 1, jump->width, jump->height}, PEEL_TILE);
    }
    return (int)jump->runs.strip / 32 + 1;
}

// The turns that are seen from the cells about an edit, and from what can see those, are shown.
static int take_flip(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarCell flip)
{
    AstarBarren *barren = jump->barren;
    AstarJumpCells about = cells_about(jump, flip.x + 1, flip.y + 1, 2);
    for (int y = about.y0; y <= about.y1; y++)
        for (int x = about.x0; x <= about.x1; x++)
            for (int i = 0; i < 4; i++)
                if (leads_to_turn(&jump->runs, (AstarJumpTurn){i, x, y}))
                    show_turn(jump, (AstarJumpTurn){i, x, y}, true);
    AstarJumpCells near = cells_about(jump, flip.x + 1, flip.y + 1, BARREN_RADIUS + 2);
    mark_tiles(barren, near, PEEL_TILE);
    return 64 + treat_turns(jump, walkable, near, VERIFY_TILE, true);
}

static bool has_few_barren(const AstarBarren *barren)
{
    return barren->barren * MOST_FRUITFUL <= barren->turns;
}

// All are shown again before what is known is forgotten.
static void give_up_barren(AstarBarren *barren)
{
    barren->is_given_up = true;
    barren->strips = 0;
}

// Does a little; how much, in turns looked at. 0: nothing is left to be done.
static int do_a_little(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    AstarBarren *barren = jump->barren;
    if (!barren->is_given_up && barren->turns >= SAMPLED_TURNS && has_few_barren(barren))
        give_up_barren(barren);
    if (barren->strips < strips_of(jump))
        return show_strips(jump);
    if (barren->is_given_up)
        return 0;
    if (barren->flip_count > 0)
        return take_flip(jump, walkable, barren->flips[--barren->flip_count]);
    if (barren->to_verify > 0)
        return 4 + treat_tile(jump, walkable, VERIFY_TILE);
    return barren->to_peel > 0 ? 4 + treat_tile(jump, walkable, PEEL_TILE) : 0;
}

// What a map must have paid before memory is taken for it; and how many cells must be edited for it
// to be tried again where few turns were barren.
static int64_t barren_entry_of(const AstarJumpBitmaps *jump)
{
    return 256 + (int64_t)jump->width * jump->height / 64;
}

static void settle_barren(AstarJumpBitmaps *jump)
{
    AstarBarren *barren = jump->barren;
    bool is_worth_it = !barren->is_given_up && !has_few_barren(barren);
    if (!is_worth_it && !barren->is_given_up) {
        give_up_barren(barren);
        return;
    }
    if (is_worth_it) {
        astar_put(&jump->pruned, barren);
    } else {
        astar_barren_free(jump);
        jump->edits_to_wait = barren_entry_of(jump);
    }
    jump->paid = 0;
    astar_put(&jump->is_settled, true);
}

// Makes ready to find barren turns, if that is for such a map and was paid for.
static bool can_begin_barren(AstarJumpBitmaps *jump)
{
    if (!jump->rule->has_diagonals || (int64_t)jump->width * jump->height > LARGE_BARREN_MAP ||
        !ASTAR_HAS_SHARED_WORDS) {
        jump->edits_to_wait = INT64_MAX;
        astar_put(&jump->is_settled, true);
        return false;
    }
    if (jump->paid < barren_entry_of(jump))
        return false;
    if (!make_barren(jump))
        jump->paid = 0;
    return jump->barren != NULL;
}

void astar_barren_pay(AstarJumpBitmaps *jump, const AstarBits *walkable, uint64_t expanded)
{
    jump->paid += (int64_t)(expanded / PAID_SHARE);
    if (astar_get(&jump->is_settled) || (jump->barren == NULL && !can_begin_barren(jump)))
        return;
    for (int64_t most = MOST_BARREN_WORK; most > 0 && jump->paid > 0;) {
        int done = do_a_little(jump, walkable);
        most -= done;
        jump->paid -= done;
        if (done == 0) {
            settle_barren(jump);
            return;
        }
    }
}

// ---- edits ----

void astar_barren_outdate(AstarJumpBitmaps *jump, int64_t cells)
{
    astar_put(&jump->pruned, NULL);
    astar_put(&jump->hides, jump->barren != NULL);
    jump->edits_to_wait -= cells;
    astar_put(&jump->is_settled, jump->edits_to_wait > 0);
    if (jump->barren != NULL)
        restart_barren(jump->barren);
}

void astar_barren_edited(AstarJumpBitmaps *jump, int x, int y)
{
    AstarBarren *barren = jump->barren;
    if (barren == NULL || barren->is_given_up || barren->flip_count == ASTAR_BARREN_FLIPS) {
        astar_barren_outdate(jump, 1);
        return;
    }
    astar_put(&jump->pruned, NULL);
    astar_put(&jump->is_settled, false);
    if (barren->strips < strips_of(jump))
        barren->strips = 0;
    else
        barren->flips[barren->flip_count++] = (AstarCell){x, y};
}
