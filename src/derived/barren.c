// barren.c -- turns that lead nowhere.
//
// A turn with a direction that leads to it is barren if each run that it would send out ends within
// a few steps at nothing, or at a turn that is barren, too: an alcove, the foot of a tree, a dead
// end. Of the turns of game maps that are 10 to 20 in a hundred, and a search for a goal that none
// of their runs can see need not follow them: it expands 5 to 50 in a hundred nodes fewer.
//
// The turn is hidden (hidden_turns.c), and a search that leaves it out the same, line for line. Who
// is to follow barren turns, too, for one of them sees the goal or not all are found, looks for
// hidden ones as well. Other threads may search meanwhile: all of these do so, for what is known is
// published when nothing is left to be found out, and until the next edit no word is written after
// that. What is barren, and why the routes found are the same, barren_turn.c says.
//
// Found are barren turns tile by tile, each looked at until no turn beside it becomes barren any
// more ("peeling"). That takes longer than to build the bitmaps, and who asks once has no use for
// it, so searches pay for it: each adds what a share of its expansions would take. Which turns are
// barren hangs on cells near to them. After an edit those near it, and those that hang on them, are
// taken for fruitful, then peeled anew; until then searches follow all. Where few turns are barren
// all are shown again, and the rest forgotten.

#include "derived/barren.h"

#include "derived/barren_turn.h"

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
    astar_hidden_rows_free(jump);
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
                                barren->seen.count * sizeof *barren->seen.words +
                                astar_hidden_rows_bytes(jump);
}

// Begins anew: all is to be shown, and nothing known to be barren.
static void restart_barren(AstarBarren *barren)
{
    barren->is_given_up = false;
    memset(barren->tiles, 0, tiles_of(barren));
    barren->to_verify = barren->to_peel = barren->next = 0;
    barren->parts = barren->flip_count = barren->shown_flips = 0;
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
    if (!astar_hidden_rows_new(jump) || barren->tiles == NULL || barren->seen.words == NULL) {
        astar_barren_free(jump);
        return false;
    }
    restart_barren(barren);
    return true;
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

static bool is_barren_yet(const AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    return !astar_sees_turn(&jump->barren->runs, astar_step_back(turn));
}

static void make_barren_turn(AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    astar_put(&jump->hides, true);
    astar_show_turn(jump, astar_step_back(turn), false);
    astar_see_from_turn(jump, &jump->barren->seen, turn);
    jump->barren->barren++;
    mark_tiles(jump->barren, cells_about(jump, turn.x, turn.y, ASTAR_BARREN_RADIUS), PEEL_TILE);
}

static void make_fruitful(const AstarJumpBitmaps *jump, AstarJumpTurn turn)
{
    astar_show_turn(jump, astar_step_back(turn), true);
    jump->barren->barren--;
    mark_tiles(jump->barren, cells_about(jump, turn.x, turn.y, ASTAR_BARREN_RADIUS), VERIFY_TILE);
}

// What is done to a turn.
static void treat_turn(AstarJumpBitmaps *jump, AstarJumpTurn turn, int what, bool near_edit)
{
    bool was_barren = is_barren_yet(jump, turn);
    if (what == PEEL_TILE && !was_barren) {
        if (astar_is_barren_turn(jump, turn))
            make_barren_turn(jump, turn);
    } else if (what == VERIFY_TILE && was_barren) {
        if (near_edit || !astar_is_barren_turn(jump, turn))
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
                AstarJumpTurn before = astar_step_back(turn);
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

// Shows the next part. After the last all turns are looked at.
static int show_next_part(const AstarJumpBitmaps *jump)
{
    AstarBarren *barren = jump->barren;
    int done = astar_show_part(jump, barren->parts);
    if (++barren->parts == astar_hidden_parts(jump) && !barren->is_given_up) {
        memset(barren->seen.words, 0, barren->seen.count * sizeof *barren->seen.words);
        mark_tiles(barren, (AstarJumpCells){1, 1, jump->width, jump->height}, PEEL_TILE);
    }
    return done;
}

// What is seen from the cells about an edit, and from what can see those, is shown. Of all edits,
// before turns are looked at: then each turn is one of the map as it is.
static int show_next_flip(const AstarJumpBitmaps *jump)
{
    AstarBarren *barren = jump->barren;
    return astar_show_about(jump, barren->flips[barren->shown_flips++]);
}

// The turns near an edit are looked at anew.
static int take_flip(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    AstarBarren *barren = jump->barren;
    AstarCell flip = barren->flips[--barren->flip_count];
    AstarJumpCells near = cells_about(jump, flip.x + 1, flip.y + 1, ASTAR_BARREN_RADIUS + 2);
    barren->shown_flips = barren->flip_count;
    mark_tiles(barren, near, PEEL_TILE);
    return treat_turns(jump, walkable, near, VERIFY_TILE, true);
}

static bool has_few_barren(const AstarBarren *barren)
{
    return barren->barren * MOST_FRUITFUL <= barren->turns;
}

// All are shown again before what is known is forgotten, but in rows that nobody else reads.
static void give_up_barren(AstarBarren *barren)
{
    barren->is_given_up = true;
    if (barren->rows == NULL)
        barren->parts = 0;
}

// Does a little; how much, in turns looked at. 0: nothing is left to be done.
static int do_a_little(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    AstarBarren *barren = jump->barren;
    if (!barren->is_given_up && barren->turns >= SAMPLED_TURNS && has_few_barren(barren))
        give_up_barren(barren);
    if (barren->parts < astar_hidden_parts(jump))
        return show_next_part(jump);
    if (barren->is_given_up)
        return 0;
    if (barren->shown_flips < barren->flip_count)
        return show_next_flip(jump);
    if (barren->flip_count > 0)
        return take_flip(jump, walkable);
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
    if ((int64_t)jump->width * jump->height > LARGE_BARREN_MAP ||
        (jump->rule->has_diagonals && !ASTAR_HAS_SHARED_WORDS)) {
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
    if (barren->parts < astar_hidden_parts(jump))
        barren->parts = 0;
    else
        barren->flips[barren->flip_count++] = (AstarCell){x, y};
}
