// jump_bitmaps.c -- bitmaps of where a search over uniform ground must stop.
//
// Jump point search (D. Harabor and A. Grastien, AAAI 2011; by words of bits, ICAPS 2014) runs
// straight on until a cell where a best path can turn, for an obstacle beside the run opens a way
// that no other best path takes. The stops of a direction are those cells and the cells that cannot
// be entered, so a run is a search for the next set bit. Where no corner is cut, a run can turn
// just past the end of an obstacle beside it; where corners are cut, just before: beside its last
// cell. A step past one obstacle only needs the cell ahead free as well.
//
// A diagonal run must look aside at every cell: does the straight run from here, to one of its two
// sides, end at a cell where it can turn? One bit of a cell and slant says so, or that the run ends
// here, or that it can itself turn here, past a corner it cuts: an event. Events lie in the bitmap
// by diagonals, each a row of its own, so a diagonal run is a search for the next set bit, too.
// Diagonals wrap: (x + y) or (x - y), modulo as many rows as the longer side, never fold two cells
// of one column together.
//
// Where no step is diagonal (J. Baum, "Jump point search pathfinding in 4-connected grids", 2025),
// runs to the east and west do what diagonal ones do elsewhere, and of all best routes those that
// go along rows first are followed. Runs to the south and north stop just past the end of an
// obstacle; the bitmaps of stops to the east and west hold their events instead.
//
// A straight stop at a cell that can be entered is called a turn here; whether the next stop of a
// cell is one is the cell's reach in that direction.
//
// Runs end at irregular cells, whatever the direction (see irregular.c): those are turns of every
// straight run and events of every diagonal one.

#include "derived/jump_bitmaps.h"

#include "base/transpose.h"

#include <string.h>

// South and north run along the turned bitmaps; east and south towards higher positions.
static bool is_turned(int direction)
{
    return direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
}

static bool is_upward(int direction)
{
    return direction == ASTAR_EAST || direction == ASTAR_SOUTH;
}

// East and west, too, are searched along their rows for what lies aside.
static bool looks_aside(const AstarJumpBitmaps *jump, int direction)
{
    return !jump->rule->has_diagonals && !is_turned(direction);
}

static bool is_irregular(const AstarJumpBitmaps *jump, int x, int y)
{
    return jump->irregular != NULL && astar_bit_at(jump->irregular, y, x);
}

static int slants_of(const AstarCornerRule *rule)
{
    return rule->has_diagonals ? 4 : 0;
}

// ---- memory ----

static size_t reach_bytes(const AstarJumpBitmaps *jump)
{
    return jump->reach_stride * ((size_t)jump->height + 2);
}

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out)
{
    AstarJumpBitmaps *jump = astar_alloc(allocator, 1, sizeof *jump);
    if (jump == NULL)
        return ASTAR_NO_MEMORY;
    jump->allocator = *allocator;
    jump->rule = &astar_corner_rules[rule];
    astar_put(&jump->stale, true);
    jump->width = width;
    jump->height = height;
    jump->wrap = (width > height ? width : height) + 2;
    jump->columns = astar_bits_new(allocator, height, width);
    jump->reach_stride = ((size_t)width + 3) / 2;
    jump->reach = astar_alloc(allocator, reach_bytes(jump), 1);
    bool complete = jump->columns.words != NULL && jump->reach != NULL;
    for (int i = 0; i < 4; i++) {
        jump->stops[i] = is_turned(i) ? astar_bits_new(allocator, height, width)
                                      : astar_bits_new(allocator, width, height);
        complete = complete && jump->stops[i].words != NULL;
    }
    for (int i = 0; i < slants_of(jump->rule); i++) {
        jump->events[i] = astar_bits_new(allocator, width, jump->wrap - 2);
        complete = complete && jump->events[i].words != NULL;
    }
    if (!complete) {
        astar_jump_free(jump);
        return ASTAR_NO_MEMORY;
    }
    *out = jump;
    return ASTAR_OK;
}

void astar_jump_free(AstarJumpBitmaps *jump)
{
    if (jump == NULL)
        return;
    AstarAllocator allocator = jump->allocator;
    astar_release(&allocator, jump->reach, reach_bytes(jump), 1);
    astar_bits_free(&allocator, &jump->columns);
    for (int i = 0; i < 4; i++) {
        astar_bits_free(&allocator, &jump->stops[i]);
        astar_bits_free(&allocator, &jump->events[i]);
    }
    astar_release(&allocator, jump, 1, sizeof *jump);
}

size_t astar_jump_bytes(const AstarJumpBitmaps *jump)
{
    if (jump == NULL)
        return 0;
    size_t words = jump->columns.count;
    for (int i = 0; i < 4; i++)
        words += jump->stops[i].count + jump->events[i].count;
    return sizeof *jump + words * sizeof(uint64_t) + reach_bytes(jump);
}

// ---- stops ----

// A word of a row, and the row moved by one position so that a cell's bit is that of the cell
// before it ('low') or after it ('high').
typedef struct Window {
    uint64_t here, low, high;
} Window;

static Window window_at(const uint64_t *row, size_t word, size_t stride)
{
    Window window = {row[word], row[word] << 1, row[word] >> 1};
    if (word > 0)
        window.low |= row[word - 1] >> 63;
    if (word + 1 < stride)
        window.high |= row[word + 1] << 63;
    return window;
}

// Where a run can turn past an obstacle on one side, from the bits of the cells beside it, beside
// the cell before, beside the cell after, and of the cell after.
static uint64_t turns(AstarCorners corners, uint64_t beside, uint64_t behind, uint64_t ahead,
                      uint64_t next)
{
    switch (corners) {
    case ASTAR_CORNERS_ANY: return ~beside & ahead;
    case ASTAR_CORNERS_ONE_FREE: return ~beside & ahead & next;
    default: return beside & ~behind;
    }
}

// Sets both stops of a row, upward and downward, from the rows of free bits above, at and below it.
static void build_stops(AstarCorners corners, const uint64_t *above, const uint64_t *row,
                        const uint64_t *below, size_t stride, uint64_t *upward, uint64_t *downward)
{
    for (size_t i = 0; i < stride; i++) {
        Window a = window_at(above, i, stride), b = window_at(below, i, stride);
        Window r = window_at(row, i, stride);
        upward[i] = ~r.here | turns(corners, a.here, a.low, a.high, r.high) |
                    turns(corners, b.here, b.low, b.high, r.high);
        downward[i] = ~r.here | turns(corners, a.here, a.high, a.low, r.low) |
                      turns(corners, b.here, b.high, b.low, r.low);
    }
}

static void build_all_stops(AstarCorners corners, const AstarBits *free, int rows,
                            AstarBits *upward, AstarBits *downward)
{
    for (int y = 0; y < rows; y++) {
        const uint64_t *row = astar_bits_row(free, y);
        build_stops(corners, row - free->stride, row, row + free->stride, free->stride,
                    astar_bits_row(upward, y), astar_bits_row(downward, y));
    }
}

// Stops at the cells that cannot be entered only; what there is to see aside comes later.
static void build_blind_stops(const AstarBits *free, AstarBits *upward, AstarBits *downward)
{
    for (size_t i = 0; i < free->count; i++)
        upward->words[i] = downward->words[i] = ~free->words[i];
}

static void put_jump_bit(AstarBits *bits, int row, int position, bool value)
{
    uint64_t *word = &bits->words[(size_t)row * bits->stride + ((size_t)position >> 6)];
    uint64_t bit = (uint64_t)1 << (position & 63);
    *word = value ? *word | bit : *word & ~bit;
}

// Adds the irregular cells.
static void add_irregular_stops(AstarJumpBitmaps *jump)
{
    const AstarBits *irregular = jump->irregular;
    for (size_t i = 0; i < irregular->count; i++) {
        jump->stops[ASTAR_EAST].words[i] |= irregular->words[i];
        jump->stops[ASTAR_WEST].words[i] |= irregular->words[i];
        int y = (int)(i / irregular->stride), x = (int)(i % irregular->stride) << 6;
        for (uint64_t word = irregular->words[i]; word != 0; word &= word - 1) {
            put_jump_bit(&jump->stops[ASTAR_SOUTH], x + astar_lowest_bit(word), y, true);
            put_jump_bit(&jump->stops[ASTAR_NORTH], x + astar_lowest_bit(word), y, true);
        }
    }
}

// ---- events ----

// A direction's runs go along the rows of these free bits.
static const AstarBits *runs_of(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                int direction)
{
    return is_turned(direction) ? &jump->columns : walkable;
}

// Where the run from a position ends.
static int next_stop(const AstarJumpBitmaps *jump, int direction, int row, int position)
{
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    return is_upward(direction) ? astar_bit_from(stops, position + 1)
                                : astar_bit_until(stops, position - 1);
}

static bool has_reach(const AstarJumpBitmaps *jump, const AstarBits *walkable, int direction,
                      int row, int position)
{
    int stop = next_stop(jump, direction, row, position);
    return astar_bit_at(runs_of(jump, walkable, direction), row, stop);
}

static void put_reach(AstarJumpBitmaps *jump, int direction, int x, int y, bool reach)
{
    uint8_t *both = &jump->reach[(size_t)y * jump->reach_stride + ((size_t)x >> 1)];
    unsigned bit = 1u << direction << ((x & 1) * 4);
    *both = (uint8_t)(reach ? *both | bit : *both & ~bit);
}

static void put_event(AstarJumpBitmaps *jump, int slant, int x, int y, bool event)
{
    put_jump_bit(&jump->events[slant], astar_event_row(jump->wrap, (AstarSlant)slant, x, y), x,
                 event);
}

// Puts the events of a cell, bit by slant.
static void put_events(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                       unsigned events)
{
    if (jump->rule->has_diagonals) {
        for (int slant = 0; slant < 4; slant++)
            put_event(jump, slant, x, y, events >> slant & 1);
        return;
    }
    bool stop = events != 0 || !astar_bit_at(walkable, y, x);
    put_jump_bit(&jump->stops[ASTAR_EAST], y, x, stop);
    put_jump_bit(&jump->stops[ASTAR_WEST], y, x, stop);
}

// The free cells between two stops of a row, one of which may be a turn and so free, as well.
typedef struct BlockedStretch {
    int direction, row;
    int from, to;
} BlockedStretch;

static BlockedStretch stretch_between(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                      int direction, int row, int from, int to)
{
    const AstarBits *runs = runs_of(jump, walkable, direction);
    BlockedStretch stretch = {direction, row, from, to};
    if (!astar_bit_at(runs, row, from))
        stretch.from++;
    if (!astar_bit_at(runs, row, to))
        stretch.to--;
    return stretch;
}

// Gives reach to the cells of a stretch, the events left for later.
static void mark_stretch(AstarJumpBitmaps *jump, BlockedStretch stretch)
{
    bool turned = is_turned(stretch.direction);
    for (int position = stretch.from; position <= stretch.to; position++)
        put_reach(jump, stretch.direction, turned ? stretch.row : position,
                  turned ? position : stretch.row, true);
}

// Marks the cells of a row that reach a turn: those between the turn and the stop before it.
static void mark_reaches(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction, int row)
{
    const AstarBits *runs = runs_of(jump, walkable, direction);
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    const uint64_t *cells = astar_row_at(runs, row);
    for (size_t i = 0; i < runs->stride; i++)
        for (uint64_t turns = stops[i] & cells[i]; turns != 0; turns &= turns - 1) {
            int turn = (int)(i << 6) + astar_lowest_bit(turns);
            int from = turn + 1, to = turn - 1;
            if (is_upward(direction))
                from = astar_bit_until(stops, to);
            else
                to = astar_bit_from(stops, from);
            mark_stretch(jump, stretch_between(jump, walkable, direction, row, from, to));
        }
}

// Of four bits, the one 'turns' quarters further for each.
static unsigned quarters_on(unsigned four, int turns)
{
    return (four >> turns | four << (4 - turns)) & 0xF;
}

// The slants whose runs can turn at a cell with these free neighbours: a cell beside the one they
// came from is blocked, and past that corner the way is legal.
static unsigned cut_corners(unsigned free, unsigned can)
{
    unsigned straight = (free >> 2 & 1) | (free >> 3 & 2) | (free >> 4 & 4) | (free << 3 & 8);
    unsigned blocked = ~straight & 0xF;
    return (quarters_on(blocked, 2) & quarters_on(can, 1)) |
           (quarters_on(blocked, 3) & quarters_on(can, 3));
}

// The slants, bit by number, that are events at a free cell whose reach is known. Without slants
// all bits, or none, tell whether there is something to see aside.
static unsigned events_at(const AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (is_irregular(jump, x, y))
        return 0xF;
    unsigned reach = astar_reachable_at(jump->reach, jump->reach_stride, x, y);
    if (!jump->rule->has_diagonals)
        return reach != 0 ? 0xF : 0;
    unsigned free = astar_bits_around(walkable, x - 1, y - 1);
    unsigned legal = astar_legal_moves(jump->rule, free);
    // South-east is direction 3 of directions.h, and each next slant two further.
    unsigned can = (legal >> 3 & 1) | (legal >> 4 & 2) | (legal >> 5 & 4) | (legal << 2 & 8);
    unsigned events = reach | reach >> 1 | reach << 3 | ~can;
    if (jump->rule->corners != ASTAR_CORNERS_BOTH_FREE)
        events |= cut_corners(free, can);
    return events & 0xF;
}

// Marks the events of all free cells, from nothing.
static void mark_events(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    for (int y = 1; y <= jump->height; y++) {
        const uint64_t *row = astar_row_at(walkable, y);
        for (size_t i = 0; i < walkable->stride; i++)
            for (uint64_t word = row[i]; word != 0; word &= word - 1) {
                int x = (int)(i << 6) + astar_lowest_bit(word);
                unsigned events = events_at(jump, walkable, x, y);
                if (events != 0)
                    put_events(jump, walkable, x, y, events);
            }
    }
}

void astar_jump_update(AstarJumpBitmaps *jump, const AstarBits *walkable)
{
    if (!astar_get(&jump->stale))
        return;
    astar_bits_turn(walkable, jump->height, &jump->columns);
    if (!jump->rule->has_diagonals)
        build_blind_stops(walkable, &jump->stops[ASTAR_EAST], &jump->stops[ASTAR_WEST]);
    else
        build_all_stops(jump->rule->corners, walkable, jump->height, &jump->stops[ASTAR_EAST],
                        &jump->stops[ASTAR_WEST]);
    build_all_stops(jump->rule->corners, &jump->columns, jump->width, &jump->stops[ASTAR_SOUTH],
                    &jump->stops[ASTAR_NORTH]);
    if (jump->irregular != NULL)
        add_irregular_stops(jump);
    for (int slant = 0; slant < slants_of(jump->rule); slant++)
        memset(jump->events[slant].words, 0,
               jump->events[slant].count * sizeof *jump->events[slant].words);
    memset(jump->reach, 0, reach_bytes(jump));
    for (int direction = 0; direction < 4; direction++) {
        int rows = is_turned(direction) ? jump->width : jump->height;
        for (int row = 1; row <= rows && !looks_aside(jump, direction); row++)
            mark_reaches(jump, walkable, direction, row);
    }
    mark_events(jump, walkable);
    astar_put(&jump->stale, false);
}

// ---- edits ----

// The cells of a row whose reach in one direction may change with a flip on it or beside it: those
// that lead to the position of the flip.
typedef struct Reach {
    BlockedStretch stretch;
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
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    int border = (is_turned(direction) ? jump->height : jump->width) + 1;
    Reach reach;
    if (is_upward(direction)) {
        reach.nearest = position > 2 ? position - 2 : 0;
        reach.stretch = stretch_between(jump, walkable, direction, row,
                                        astar_bit_until(stops, reach.nearest), reach.nearest);
    } else {
        reach.nearest = position < border - 2 ? position + 2 : border;
        reach.stretch = stretch_between(jump, walkable, direction, row, reach.nearest,
                                        astar_bit_from(stops, reach.nearest));
    }
    if (reach.stretch.from > reach.stretch.to)
        return reach;
    int stop = next_stop(jump, direction, row, reach.nearest);
    bool turn = astar_bit_at(runs_of(jump, walkable, direction), row, stop);
    reach.before = turn != (stop == flipped);
    return reach;
}

// Works out the stop bit of one cell again.
static void repair_stop(AstarJumpBitmaps *jump, const AstarBits *walkable, int direction, int row,
                        int position)
{
    const AstarBits *runs = runs_of(jump, walkable, direction);
    int ahead = is_upward(direction) ? position + 1 : position - 1, back = 2 * position - ahead;
    uint64_t next = astar_bit_at(runs, row, ahead), stop = ~astar_bit_at(runs, row, position);
    for (int side = row - 1; side <= row + 1; side += 2)
        stop |= turns(jump->rule->corners, astar_bit_at(runs, side, position),
                      astar_bit_at(runs, side, back), astar_bit_at(runs, side, ahead), next);
    if (is_turned(direction) ? is_irregular(jump, row, position)
                             : is_irregular(jump, position, row))
        stop = 1;
    put_jump_bit(&jump->stops[direction], row, position, stop & 1);
}

// Works out the reach and the events of one cell again.
static void repair_jump_cell(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    bool free = astar_bit_at(walkable, y, x);
    for (int d = 0; d < 4; d++) {
        bool turned = is_turned(d);
        if (!looks_aside(jump, d))
            put_reach(jump, d, x, y,
                      free && has_reach(jump, walkable, d, turned ? x : y, turned ? y : x));
    }
    put_events(jump, walkable, x, y, free ? events_at(jump, walkable, x, y) : 0);
}

// Gives the cells of a stretch their reach, and the two slants beside it their events.
static void put_stretch(AstarJumpBitmaps *jump, const AstarBits *walkable, BlockedStretch stretch,
                        bool reach)
{
    int direction = stretch.direction, before = (direction + 3) & 3;
    bool turned = is_turned(direction);
    for (int position = stretch.from; position <= stretch.to; position++) {
        int x = turned ? stretch.row : position, y = turned ? position : stretch.row;
        put_reach(jump, direction, x, y, reach);
        unsigned events = reach ? 0xF : events_at(jump, walkable, x, y);
        if (!jump->rule->has_diagonals) {
            put_events(jump, walkable, x, y, events);
            continue;
        }
        put_event(jump, direction, x, y, events >> direction & 1);
        put_event(jump, before, x, y, events >> before & 1);
    }
}

// Brings the cells of a stretch up to date with their reach.
static void repair_reach(AstarJumpBitmaps *jump, const AstarBits *walkable, const Reach *reach)
{
    BlockedStretch stretch = reach->stretch;
    if (stretch.from > stretch.to)
        return;
    bool now = has_reach(jump, walkable, stretch.direction, stretch.row, reach->nearest);
    if (now != reach->before)
        put_stretch(jump, walkable, stretch, now);
}

// Whether a row holds runs to turns: the border's rows do not.
static bool has_runs(const AstarJumpBitmaps *jump, int direction, int row)
{
    return !looks_aside(jump, direction) && row >= 1 &&
           row <= (is_turned(direction) ? jump->width : jump->height);
}

static bool is_cell(const AstarJumpBitmaps *jump, int direction, int position)
{
    return position >= 1 && position <= (is_turned(direction) ? jump->height : jump->width);
}

// Repairs what the flip of a cell's walkable bit, or of its irregular one, has changed.
static void repair_around(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                          bool is_walkable_flipped)
{
    Reach reaches[REACHES];
    int count = 0;
    for (int direction = 0; direction < 4; direction++) {
        int row = is_turned(direction) ? x : y, position = is_turned(direction) ? y : x;
        for (int side = -1; side <= 1; side++)
            if (has_runs(jump, direction, row + side))
                reaches[count++] = look_at(jump, walkable, direction, row + side, position,
                                           side == 0 && is_walkable_flipped ? position : -1);
    }
    for (int direction = 0; direction < 4; direction++) {
        int row = is_turned(direction) ? x : y, position = is_turned(direction) ? y : x;
        for (int side = -1; side <= 1; side++)
            for (int near = -1; near <= 1; near++)
                if (has_runs(jump, direction, row + side) &&
                    is_cell(jump, direction, position + near))
                    repair_stop(jump, walkable, direction, row + side, position + near);
    }
    for (int i = 0; i < count; i++)
        repair_reach(jump, walkable, &reaches[i]);
    for (int near_y = y - 1; near_y <= y + 1; near_y++)
        for (int near_x = x - 1; near_x <= x + 1; near_x++)
            if (is_cell(jump, ASTAR_EAST, near_x) && is_cell(jump, ASTAR_SOUTH, near_y))
                repair_jump_cell(jump, walkable, near_x, near_y);
}

void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (astar_get(&jump->stale))
        return;
    AstarBits *columns = &jump->columns;
    uint64_t bit = (uint64_t)1 << ((y + 1) & 63);
    columns->words[(size_t)(x + 1) * columns->stride + ((size_t)(y + 1) >> 6)] ^= bit;
    repair_around(jump, walkable, x + 1, y + 1, true);
}

void astar_jump_irregular_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y)
{
    if (!astar_get(&jump->stale))
        repair_around(jump, walkable, x + 1, y + 1, false);
}
