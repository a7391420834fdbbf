// jump.c -- bitmaps of where a search over uniform ground must stop.
//
// Jump point search (D. Harabor and A. Grastien, AAAI 2011; by words of bits, ICAPS 2014) runs
// straight on until a cell where a best path can turn: here, under the rule that no corner is cut,
// a cell just past the end of an obstacle beside the run. The stops of a direction are those cells
// and the cells that cannot be entered, so a run is a search for the next set bit.
//
// A diagonal run must look aside at every cell: does the straight run from here, to one of its two
// sides, end at a cell where it can turn? One bit of a cell and slant says so, or that the run ends
// here: an event. Events lie in the bitmap by diagonals, each a row of its own, so a diagonal run
// is a search for the next set bit, too. Diagonals wrap: (x + y) or (x - y), modulo as many rows as
// the longer side, never fold two cells of one column together.
//
// A straight stop at a cell that can be entered is called a turn here; whether the next stop of a
// cell is one is the cell's reach in that direction.

#include "jump.h"

#include "moves.h"

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

// ---- memory ----

static size_t reach_bytes(const AstarJump *jump)
{
    return jump->reach_stride * ((size_t)jump->height + 2);
}

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height, AstarJump **out)
{
    AstarJump *jump = astar_alloc(allocator, 1, sizeof *jump);
    if (jump == NULL)
        return ASTAR_NO_MEMORY;
    jump->allocator = *allocator;
    jump->stale = true;
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
        jump->events[i] = astar_bits_new(allocator, width, jump->wrap - 2);
        complete = complete && jump->stops[i].words != NULL && jump->events[i].words != NULL;
    }
    if (!complete) {
        astar_jump_free(jump);
        return ASTAR_NO_MEMORY;
    }
    *out = jump;
    return ASTAR_OK;
}

void astar_jump_free(AstarJump *jump)
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

size_t astar_jump_bytes(const AstarJump *jump)
{
    if (jump == NULL)
        return 0;
    size_t words = jump->columns.count;
    for (int i = 0; i < 4; i++)
        words += jump->stops[i].count + jump->events[i].count;
    return sizeof *jump + words * sizeof(uint64_t) + reach_bytes(jump);
}

// ---- stops ----

// Sets both stops of a row, upward and downward, from the rows of free bits above, at and below it.
static void build_stops(const uint64_t *above, const uint64_t *row, const uint64_t *below,
                        size_t stride, uint64_t *upward, uint64_t *downward)
{
    for (size_t i = 0; i < stride; i++) {
        uint64_t a = above[i], b = below[i];
        uint64_t a_low = a << 1, b_low = b << 1, a_high = a >> 1, b_high = b >> 1;
        if (i > 0) {
            a_low |= above[i - 1] >> 63;
            b_low |= below[i - 1] >> 63;
        }
        if (i + 1 < stride) {
            a_high |= above[i + 1] << 63;
            b_high |= below[i + 1] << 63;
        }
        upward[i] = ~row[i] | (a & ~a_low) | (b & ~b_low);
        downward[i] = ~row[i] | (a & ~a_high) | (b & ~b_high);
    }
}

static void build_all_stops(const AstarBits *free, int rows, AstarBits *upward, AstarBits *downward)
{
    for (int y = 0; y < rows; y++) {
        const uint64_t *row = astar_bits_row(free, y);
        build_stops(row - free->stride, row, row + free->stride, free->stride,
                    astar_bits_row(upward, y), astar_bits_row(downward, y));
    }
}

// Writes 'from', of 'rows' rows, turned into 'to'.
static void turn_bits(const AstarBits *from, int rows, AstarBits *to)
{
    memset(to->words, 0, to->count * sizeof *to->words);
    for (int y = 1; y <= rows; y++) {
        const uint64_t *row = astar_row_at(from, y);
        for (size_t i = 0; i < from->stride; i++)
            for (uint64_t word = row[i]; word != 0; word &= word - 1) {
                size_t x = (i << 6) + (size_t)astar_lowest_bit(word);
                to->words[x * to->stride + ((size_t)y >> 6)] |= (uint64_t)1 << (y & 63);
            }
    }
}

// ---- events ----

// A direction's runs go along the rows of these free bits.
static const AstarBits *runs_of(const AstarJump *jump, const AstarBits *walkable, int direction)
{
    return is_turned(direction) ? &jump->columns : walkable;
}

// Where the run from a position ends.
static int next_stop(const AstarJump *jump, int direction, int row, int position)
{
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    return is_upward(direction) ? astar_bit_from(stops, position + 1)
                                : astar_bit_until(stops, position - 1);
}

static bool has_reach(const AstarJump *jump, const AstarBits *walkable, int direction, int row,
                      int position)
{
    int stop = next_stop(jump, direction, row, position);
    return astar_bit_at(runs_of(jump, walkable, direction), row, stop);
}

static void put_reach(AstarJump *jump, int direction, int x, int y, bool reach)
{
    uint8_t *both = &jump->reach[(size_t)y * jump->reach_stride + ((size_t)x >> 1)];
    unsigned bit = 1u << direction << ((x & 1) * 4);
    *both = (uint8_t)(reach ? *both | bit : *both & ~bit);
}

static void put_event(AstarJump *jump, int slant, int x, int y, bool event)
{
    AstarBits *events = &jump->events[slant];
    size_t row = (size_t)astar_event_row(jump->wrap, (AstarSlant)slant, x, y);
    uint64_t *word = &events->words[row * events->stride + ((size_t)x >> 6)];
    uint64_t bit = (uint64_t)1 << (x & 63);
    *word = event ? *word | bit : *word & ~bit;
}

// The free cells between two stops of a row, one of which may be a turn and so free, as well.
typedef struct Stretch {
    int direction, row;
    int from, to;
} Stretch;

static Stretch stretch_between(const AstarJump *jump, const AstarBits *walkable, int direction,
                               int row, int from, int to)
{
    const AstarBits *runs = runs_of(jump, walkable, direction);
    Stretch stretch = {direction, row, from, to};
    if (!astar_bit_at(runs, row, from))
        stretch.from++;
    if (!astar_bit_at(runs, row, to))
        stretch.to--;
    return stretch;
}

// Gives reach to the cells of a stretch, the events left for later.
static void mark_stretch(AstarJump *jump, Stretch stretch)
{
    bool turned = is_turned(stretch.direction);
    for (int position = stretch.from; position <= stretch.to; position++)
        put_reach(jump, stretch.direction, turned ? stretch.row : position,
                  turned ? position : stretch.row, true);
}

// Marks the cells of a row that reach a turn: those between the turn and the stop before it.
static void mark_reaches(AstarJump *jump, const AstarBits *walkable, int direction, int row)
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

// The slants, bit by number, that are events at a free cell whose reach is known.
static unsigned events_at(const AstarJump *jump, const AstarBits *walkable, int x, int y)
{
    unsigned reach = astar_reach_at(jump->reach, jump->reach_stride, x, y);
    unsigned free = astar_bits_around(walkable, x - 1, y - 1);
    unsigned legal = astar_legal_moves(ASTAR_ONLY_WHEN_NO_OBSTACLES, free);
    // South-east is direction 3 of moves.h, and each next slant two further.
    unsigned can = (legal >> 3 & 1) | (legal >> 4 & 2) | (legal >> 5 & 4) | (legal << 2 & 8);
    return (reach | reach >> 1 | reach << 3 | ~can) & 0xF;
}

// Marks the events of all free cells, from nothing.
static void mark_events(AstarJump *jump, const AstarBits *walkable)
{
    for (int y = 1; y <= jump->height; y++) {
        const uint64_t *row = astar_row_at(walkable, y);
        for (size_t i = 0; i < walkable->stride; i++)
            for (uint64_t word = row[i]; word != 0; word &= word - 1) {
                int x = (int)(i << 6) + astar_lowest_bit(word);
                for (unsigned rest = events_at(jump, walkable, x, y); rest != 0; rest &= rest - 1)
                    put_event(jump, astar_lowest_bit(rest), x, y, true);
            }
    }
}

void astar_jump_update(AstarJump *jump, const AstarBits *walkable)
{
    if (!jump->stale)
        return;
    turn_bits(walkable, jump->height, &jump->columns);
    build_all_stops(walkable, jump->height, &jump->stops[ASTAR_EAST], &jump->stops[ASTAR_WEST]);
    build_all_stops(&jump->columns, jump->width, &jump->stops[ASTAR_SOUTH],
                    &jump->stops[ASTAR_NORTH]);
    for (int slant = 0; slant < 4; slant++)
        memset(jump->events[slant].words, 0,
               jump->events[slant].count * sizeof *jump->events[slant].words);
    memset(jump->reach, 0, reach_bytes(jump));
    for (int direction = 0; direction < 4; direction++) {
        int rows = is_turned(direction) ? jump->width : jump->height;
        for (int row = 1; row <= rows; row++)
            mark_reaches(jump, walkable, direction, row);
    }
    mark_events(jump, walkable);
    jump->stale = false;
}

// ---- edits ----

// The cells of a row whose reach in one direction may change with a flip on it or beside it: those
// that lead to the position of the flip.
typedef struct Reach {
    Stretch stretch;
    int nearest; // to the flip
    bool before; // it happened
} Reach;

enum { REACHES = 12 }; // four directions, three rows each

// Looks at a row before its stops are repaired. 'flipped' is the position of the flipped cell if it
// is on this row, else -1: its own bit is new already.
static Reach look_at(const AstarJump *jump, const AstarBits *walkable, int direction, int row,
                     int position, int flipped)
{
    const uint64_t *stops = astar_row_at(&jump->stops[direction], row);
    Reach reach;
    if (is_upward(direction)) {
        reach.nearest = position - 1;
        reach.stretch = stretch_between(jump, walkable, direction, row,
                                        astar_bit_until(stops, position - 1), position - 1);
    } else {
        reach.nearest = position + 1;
        reach.stretch = stretch_between(jump, walkable, direction, row, position + 1,
                                        astar_bit_from(stops, position + 1));
    }
    int stop = next_stop(jump, direction, row, reach.nearest);
    bool turn = astar_bit_at(runs_of(jump, walkable, direction), row, stop);
    reach.before = turn != (stop == flipped);
    return reach;
}

// Works out the stop bit of one cell again.
static void repair_stop(AstarJump *jump, const AstarBits *walkable, int direction, int row,
                        int position)
{
    const AstarBits *runs = runs_of(jump, walkable, direction);
    int back = is_upward(direction) ? position - 1 : position + 1;
    bool stop = !astar_bit_at(runs, row, position);
    for (int side = -1; side <= 1; side += 2)
        stop |= astar_bit_at(runs, row + side, position) && !astar_bit_at(runs, row + side, back);
    AstarBits *stops = &jump->stops[direction];
    uint64_t *word = &stops->words[(size_t)row * stops->stride + ((size_t)position >> 6)];
    uint64_t bit = (uint64_t)1 << (position & 63);
    *word = stop ? *word | bit : *word & ~bit;
}

static void repair_events(AstarJump *jump, const AstarBits *walkable, int x, int y)
{
    unsigned events = events_at(jump, walkable, x, y);
    for (int slant = 0; slant < 4; slant++)
        put_event(jump, slant, x, y, events >> slant & 1);
}

// Works out the reach and the events of one cell again.
static void repair_cell(AstarJump *jump, const AstarBits *walkable, int x, int y)
{
    bool free = astar_bit_at(walkable, y, x);
    for (int d = 0; d < 4; d++) {
        bool turned = is_turned(d);
        bool reach = has_reach(jump, walkable, d, turned ? x : y, turned ? y : x);
        put_reach(jump, d, x, y, free && reach);
    }
    if (free) {
        repair_events(jump, walkable, x, y);
        return;
    }
    for (int slant = 0; slant < 4; slant++)
        put_event(jump, slant, x, y, false);
}

// Gives the cells of a stretch their reach, and the two slants beside it their events.
static void put_stretch(AstarJump *jump, const AstarBits *walkable, Stretch stretch, bool reach)
{
    int direction = stretch.direction, before = (direction + 3) & 3;
    bool turned = is_turned(direction);
    for (int position = stretch.from; position <= stretch.to; position++) {
        int x = turned ? stretch.row : position, y = turned ? position : stretch.row;
        put_reach(jump, direction, x, y, reach);
        unsigned events = reach ? 0xF : events_at(jump, walkable, x, y);
        put_event(jump, direction, x, y, events >> direction & 1);
        put_event(jump, before, x, y, events >> before & 1);
    }
}

// Brings the cells of a stretch up to date with their reach.
static void repair_reach(AstarJump *jump, const AstarBits *walkable, const Reach *reach)
{
    Stretch stretch = reach->stretch;
    bool now = has_reach(jump, walkable, stretch.direction, stretch.row, reach->nearest);
    if (now != reach->before)
        put_stretch(jump, walkable, stretch, now);
}

// Whether a row holds cells: the border's rows have no runs.
static bool has_runs(const AstarJump *jump, int direction, int row)
{
    return row >= 1 && row <= (is_turned(direction) ? jump->width : jump->height);
}

static bool is_cell(const AstarJump *jump, int direction, int position)
{
    return position >= 1 && position <= (is_turned(direction) ? jump->height : jump->width);
}

void astar_jump_edited(AstarJump *jump, const AstarBits *walkable, int x, int y)
{
    if (jump->stale)
        return;
    x++; // count the border
    y++;
    AstarBits *columns = &jump->columns;
    uint64_t bit = (uint64_t)1 << (y & 63);
    columns->words[(size_t)x * columns->stride + ((size_t)y >> 6)] ^= bit;

    Reach reaches[REACHES];
    int count = 0;
    for (int direction = 0; direction < 4; direction++) {
        int row = is_turned(direction) ? x : y, position = is_turned(direction) ? y : x;
        for (int side = -1; side <= 1; side++)
            if (has_runs(jump, direction, row + side))
                reaches[count++] = look_at(jump, walkable, direction, row + side, position,
                                           side == 0 ? position : -1);
    }
    for (int direction = 0; direction < 4; direction++) {
        int row = is_turned(direction) ? x : y, position = is_turned(direction) ? y : x;
        int next = is_upward(direction) ? position + 1 : position - 1;
        for (int side = -1; side <= 1; side++) {
            if (!has_runs(jump, direction, row + side))
                continue;
            repair_stop(jump, walkable, direction, row + side, position);
            if (side != 0 && is_cell(jump, direction, next))
                repair_stop(jump, walkable, direction, row + side, next);
        }
    }
    for (int i = 0; i < count; i++)
        repair_reach(jump, walkable, &reaches[i]);
    for (int near_y = y - 1; near_y <= y + 1; near_y++)
        for (int near_x = x - 1; near_x <= x + 1; near_x++)
            if (is_cell(jump, ASTAR_EAST, near_x) && is_cell(jump, ASTAR_SOUTH, near_y))
                repair_cell(jump, walkable, near_x, near_y);
}
