// subgoals.c -- building the bitmaps by which a cell finds the subgoals it sees.
//
// A straight run ends where jump point search can turn, or before an obstacle, and the next set bit
// tells where. A diagonal run looks aside at each of its events: where a straight run to one of its
// sides ends at a subgoal, or it can go no further, or may itself turn. The stops are those of
// jump_bitmaps.c; but whatever direction it is a stop of, a cell is a subgoal for all.

#include "derived/subgoals.h"

#include "base/bits.h"
#include "derived/jump_turns.h"
#include "derived/jump_words.h"

#include <string.h>

enum {
    TURN_ROWS,
    STOP_ROWS,
    STOP_COLUMNS,
    FIND_EVENTS_ASIDE,
    COUNT_SUBGOALS,
    PLACE_SUBGOALS,
    BUILT
};
enum {
    EVENT_WORDS = 4,    // of a row, whose events are found at once
    TURNED_SQUARES = 8, // of a band of rows, at once
    WORK_OF_WORD = 4    // of bits that are copied
};

// ---- memory ----

static bool open_bits(AstarBits *bits, const AstarAllocator *allocator, int width, int height)
{
    *bits = astar_bits_new(allocator, width, height);
    return bits->words != NULL;
}

// Without diagonals there are no stops of east and west, and one bitmap of events for both.
static bool open_bitmaps(AstarSubgoals *s)
{
    const AstarAllocator *allocator = &s->allocator;
    bool has_diagonals = s->rule->has_diagonals;
    bool complete = open_bits(&s->rows, allocator, s->width, s->height) &&
                    open_bits(&s->columns, allocator, s->height, s->width) &&
                    open_bits(&s->corners, allocator, s->width, s->height);
    for (int i = 0; i < 4 && complete; i++) {
        if (astar_is_turned(i))
            complete = open_bits(&s->stops[i], allocator, s->height, s->width);
        else if (has_diagonals)
            complete = open_bits(&s->stops[i], allocator, s->width, s->height);
        if (has_diagonals)
            complete = complete && open_bits(&s->events[i], allocator, s->width, s->wrap - 2);
    }
    if (!has_diagonals)
        complete = complete && open_bits(&s->events[0], allocator, s->width, s->height);
    if (complete)
        s->ranks = astar_alloc(allocator, s->corners.count, sizeof *s->ranks);
    return complete && s->ranks != NULL;
}

AstarStatus astar_subgoals_new(const AstarAllocator *allocator, int width, int height,
                               AstarDiagonals diagonals, AstarSubgoals **out)
{
    if (width > ASTAR_SUBGOALS_SIDE || height > ASTAR_SUBGOALS_SIDE)
        return ASTAR_BAD_OPTION;
    AstarSubgoals *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->allocator = *allocator;
    made->diagonals = diagonals;
    made->rule = &astar_corner_rules[diagonals];
    made->width = width;
    made->height = height;
    made->wrap = (width > height ? width : height) + 2;
    if (!open_bitmaps(made)) {
        astar_subgoals_free(made);
        return ASTAR_NO_MEMORY;
    }
    *out = made;
    return ASTAR_OK;
}

AstarStatus astar_subgoals_copy(AstarSubgoals *subgoals, const AstarBits *bits, int64_t *work)
{
    const size_t stride = bits->stride;
    for (; subgoals->copied < bits->count; subgoals->copied += stride) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        const uint64_t *row = bits->words + subgoals->copied;
        memcpy(subgoals->rows.words + subgoals->copied, row, stride * sizeof *row);
        for (size_t i = 0; i < stride; i++)
            subgoals->free_cells += astar_count_bits(row[i]);
        *work -= WORK_OF_WORD * (int64_t)stride;
    }
    return ASTAR_OK;
}

void astar_subgoals_free(AstarSubgoals *subgoals)
{
    if (subgoals == NULL)
        return;
    AstarAllocator allocator = subgoals->allocator;
    astar_release(&allocator, subgoals->ranks, subgoals->corners.count, sizeof *subgoals->ranks);
    astar_release(&allocator, subgoals->places, (size_t)subgoals->count + 1,
                  sizeof *subgoals->places);
    astar_bits_free(&allocator, &subgoals->rows);
    astar_bits_free(&allocator, &subgoals->columns);
    astar_bits_free(&allocator, &subgoals->corners);
    for (int i = 0; i < 4; i++) {
        astar_bits_free(&allocator, &subgoals->stops[i]);
        astar_bits_free(&allocator, &subgoals->events[i]);
    }
    astar_release(&allocator, subgoals, 1, sizeof *subgoals);
}

size_t astar_subgoals_bytes(const AstarSubgoals *subgoals)
{
    size_t words = subgoals->rows.count + subgoals->columns.count + subgoals->corners.count;
    for (int i = 0; i < 4; i++)
        words += subgoals->stops[i].count + subgoals->events[i].count;
    return sizeof *subgoals + words * sizeof(uint64_t) +
           (subgoals->corners.count + subgoals->count + 1) * sizeof(uint32_t);
}

// ---- stops ----

// The free cells at which a run of a slant that comes there can itself turn, past a corner that it
// cuts.
static uint64_t slant_turns(AstarCorners corners, const AstarNeighbors *around, int slant)
{
    return astar_slant_turns(corners, around, slant) &
           astar_can_slant(corners, around, (slant + 2) & 3);
}

// The subgoals of a word of a row, and its stops of east and west. No run comes to a stop over a
// cell that is blocked.
static void stop_word(AstarSubgoals *s, int y, size_t word)
{
    AstarCorners corners = s->rule->corners;
    AstarNeighbors around = astar_around_row(&s->rows, y, word);
    size_t at = (size_t)y * s->rows.stride + word;
    uint64_t found = 0;
    for (int i = 0; i < 4; i++) {
        if (!s->rule->has_diagonals && !astar_is_turned(i))
            continue;
        uint64_t stops = astar_stops_of(corners, &around, i);
        found |= stops & around.here & around.straight[(i + 2) & 3];
        if (s->rule->has_diagonals)
            found |= slant_turns(corners, &around, i);
        if (!astar_is_turned(i))
            s->stops[i].words[at] = stops;
    }
    s->corners.words[at] = found;
}

static void stop_row(AstarSubgoals *s, int y)
{
    for (size_t word = 0; word < s->rows.stride; word++)
        stop_word(s, y, word);
}

static void stop_column(AstarSubgoals *s, int x)
{
    for (size_t word = 0; word < s->columns.stride; word++) {
        AstarNeighbors around = astar_around_column(&s->columns, x, word);
        size_t at = (size_t)x * s->columns.stride + word;
        s->stops[ASTAR_SOUTH].words[at] = astar_stops_of(s->rule->corners, &around, ASTAR_SOUTH);
        s->stops[ASTAR_NORTH].words[at] = astar_stops_of(s->rule->corners, &around, ASTAR_NORTH);
    }
}

// ---- events ----

// Whether the straight run from a cell ends at a turn.
static bool ends_at_turn(const AstarSubgoals *s, AstarStraight direction, int x, int y)
{
    bool turned = astar_is_turned((int)direction);
    int row = turned ? x : y, position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&s->stops[direction], row);
    int stop = astar_is_upward((int)direction) ? astar_bit_from(stops, position + 1)
                                               : astar_bit_until(stops, position - 1);
    return astar_bit_at(turned ? &s->columns : &s->rows, row, stop);
}

static void put_event(const AstarBits *events, int row, int x)
{
    astar_bits_row(events, row - 1)[(size_t)x >> 6] |= (uint64_t)1 << (x & 63);
}

// The events of a free cell by the runs from it that end at a turn, a bit for each direction.
static void put_slanted_events(AstarSubgoals *s, int x, int y, unsigned ends)
{
    for (int slant = 0; slant < 4; slant++) {
        int dx = astar_slant_dx((AstarSlant)slant), dy = astar_slant_dy((AstarSlant)slant);
        unsigned aside = 1u << slant | 1u << ((slant + 1) & 3);
        if ((ends & aside) != 0 ||
            !astar_subgoals_can_slant(&s->rows, s->rule->corners, x, y, dx, dy))
            put_event(&s->events[slant], astar_diagonal_of(s->wrap, (AstarSlant)slant, x, y), x);
    }
}

static void find_events_of_free(AstarSubgoals *s, int x, int y)
{
    bool has_diagonals = s->rule->has_diagonals;
    unsigned ends = 0;
    for (int i = 0; i < 4; i++)
        if (has_diagonals || astar_is_turned(i))
            ends |= (unsigned)ends_at_turn(s, (AstarStraight)i, x, y) << i;
    if (has_diagonals)
        put_slanted_events(s, x, y, ends);
    else if (ends != 0)
        put_event(&s->events[0], y, x);
}

// Where a run of a slant can turn it ends, for that is a subgoal.
static void put_slant_turns(AstarSubgoals *s, int y, size_t word)
{
    AstarNeighbors around = astar_around_row(&s->rows, y, word);
    for (int slant = 0; slant < 4; slant++) {
        uint64_t turns = slant_turns(s->rule->corners, &around, slant);
        for (; turns != 0; turns &= turns - 1) {
            int x = (int)(64 * word) + astar_lowest_bit(turns);
            put_event(&s->events[slant], astar_diagonal_of(s->wrap, (AstarSlant)slant, x, y), x);
        }
    }
}

// How many parts of so many words a row has.
static int parts_of_row(const AstarSubgoals *s, int words)
{
    return (int)((s->rows.stride + (size_t)words - 1) / (size_t)words);
}

static void find_row_events(AstarSubgoals *s, int y, int part)
{
    size_t at = (size_t)y * s->rows.stride, first = (size_t)part * EVENT_WORDS;
    size_t left = s->rows.stride - first, count = left < EVENT_WORDS ? left : EVENT_WORDS;
    for (size_t word = first; word < first + count; word++) {
        if (!s->rule->has_diagonals)
            s->events[0].words[at + word] |= ~s->rows.words[at + word];
        else
            put_slant_turns(s, y, word);
        for (uint64_t free = s->rows.words[at + word]; free != 0; free &= free - 1)
            find_events_of_free(s, (int)(64 * word) + astar_lowest_bit(free), y);
    }
}

// ---- the subgoals ----

// Numbers those of a row, the border's among them.
static void number_row(AstarSubgoals *s, int y)
{
    size_t stride = s->corners.stride, at = (size_t)y * stride;
    for (size_t word = at; word < at + stride; word++) {
        s->ranks[word] = s->count;
        s->count += astar_count_bits(s->corners.words[word]);
    }
}

static AstarStatus place_row(AstarSubgoals *s, int y)
{
    size_t stride = s->corners.stride, at = (size_t)y * stride;
    if (s->places == NULL)
        s->places = astar_alloc(&s->allocator, (size_t)s->count + 1, sizeof *s->places);
    if (s->places == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t i = s->ranks[at];
    for (size_t word = 0; word < stride; word++)
        for (uint64_t bits = s->corners.words[at + word]; bits != 0; bits &= bits - 1)
            s->places[i++] = astar_place((int)(64 * word) + astar_lowest_bit(bits), y);
    return ASTAR_OK;
}

// How many parts a pass has.
static int units_of_pass(const AstarSubgoals *s)
{
    switch (s->pass) {
    case TURN_ROWS: return (int)s->columns.stride * parts_of_row(s, TURNED_SQUARES);
    case STOP_COLUMNS: return s->width;
    case FIND_EVENTS_ASIDE: return s->height * parts_of_row(s, EVENT_WORDS);
    case COUNT_SUBGOALS:
    case PLACE_SUBGOALS: return s->height + 2;
    default: return s->height;
    }
}

static int64_t work_of_unit(const AstarSubgoals *s)
{
    switch (s->pass) {
    case TURN_ROWS: return 64 * 64 * TURNED_SQUARES;
    case FIND_EVENTS_ASIDE: return 64 * EVENT_WORDS;
    default: return s->width;
    }
}

static void turn_squares(AstarSubgoals *s, int unit)
{
    int parts = parts_of_row(s, TURNED_SQUARES), stride = (int)s->rows.stride;
    int first = unit % parts * TURNED_SQUARES, left = stride - first;
    for (int i = 0; i < TURNED_SQUARES && i < left; i++)
        astar_bits_turn_square(&s->rows, s->height, &s->columns, 64 * (first + i),
                               64 * (unit / parts));
}

// Builds the next part of the pass it is at.
static AstarStatus build_subgoals_unit(AstarSubgoals *s, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    int parts = parts_of_row(s, EVENT_WORDS);
    *work -= work_of_unit(s);
    switch (s->pass) {
    case TURN_ROWS: turn_squares(s, s->unit); break;
    case STOP_ROWS: stop_row(s, s->unit + 1); break;
    case STOP_COLUMNS: stop_column(s, s->unit + 1); break;
    case FIND_EVENTS_ASIDE: find_row_events(s, s->unit / parts + 1, s->unit % parts); break;
    case COUNT_SUBGOALS: number_row(s, s->unit); break;
    default: status = place_row(s, s->unit);
    }
    if (status == ASTAR_OK && ++s->unit == units_of_pass(s)) {
        s->unit = 0;
        s->pass++;
    }
    return status;
}

AstarStatus astar_subgoals_advance(AstarSubgoals *subgoals, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (subgoals->pass != BUILT && status == ASTAR_OK)
        status = *work > 0 ? build_subgoals_unit(subgoals, work) : ASTAR_RUNNING;
    return status;
}

// ---- ways of two legs ----

// Whether all bits of a row from one position to another are set.
static bool are_set(const AstarBits *bits, int row, int first, int last)
{
    if (last < first) {
        int swapped = first;
        first = last;
        last = swapped;
    }
    const uint64_t *words = astar_row_at(bits, row);
    for (size_t word = (size_t)first >> 6; word <= (size_t)last >> 6; word++)
        if ((~words[word] & astar_bits_mask(word, (size_t)first, (size_t)last)) != 0)
            return false;
    return true;
}

// Whether a column is free between two rows, by the rows alone.
static bool is_column_free(const AstarBits *rows, int x, int y, int to_y)
{
    for (int step = to_y > y ? 1 : -1;; y += step) {
        if (!astar_bit_at(rows, y, x))
            return false;
        if (y == to_y)
            return true;
    }
}

bool astar_subgoals_is_free(const AstarSubgoals *subgoals, const AstarBits *rows, int x, int y,
                            int to_x, int to_y)
{
    const AstarCornerRule *rule = subgoals->rule;
    int dx = to_x > x ? 1 : -1, dy = to_y > y ? 1 : -1;
    AstarTwoLegs legs = astar_two_legs(rule->has_diagonals, to_x - x, to_y - y);
    if (!astar_bit_at(rows, y, x))
        return false;
    if (rule->has_diagonals) {
        for (int i = 0; i < legs.first; i++, x += dx, y += dy)
            if (!astar_subgoals_can_slant(rows, rule->corners, x, y, dx, dy))
                return false;
    } else {
        if (!are_set(rows, y, x, to_x))
            return false;
        x = to_x;
    }
    return y == to_y ? are_set(rows, y, x, to_x) : is_column_free(rows, x, y, to_y);
}

// Whether a diagonal run of some steps is free, by the events of its slant.
static bool is_slant_free(const AstarSubgoals *s, AstarSlant slant, int x, int y, int steps)
{
    int dx = astar_slant_dx(slant), dy = astar_slant_dy(slant);
    const uint64_t *events = astar_row_at(&s->events[slant],
                                          astar_diagonal_of(s->wrap, slant, x, y));
    while (astar_subgoals_can_slant(&s->rows, s->rule->corners, x, y, dx, dy)) {
        int at = dx > 0 ? astar_bit_from(events, x + 1) : astar_bit_until(events, x - 1);
        int run = (at - x) * dx;
        if (run >= steps)
            return true;
        steps -= run;
        y += run * dy;
        x = at;
    }
    return false;
}

bool astar_subgoals_see(const AstarSubgoals *subgoals, int x, int y, int to_x, int to_y)
{
    const AstarBits *rows = &subgoals->rows, *columns = &subgoals->columns;
    if (!subgoals->rule->has_diagonals)
        return are_set(rows, y, x, to_x) && are_set(columns, to_x, y, to_y);
    AstarTwoLegs legs = astar_two_legs(true, to_x - x, to_y - y);
    int turn_x = to_x > x ? x + legs.first : x - legs.first;
    int turn_y = to_y > y ? y + legs.first : y - legs.first;
    bool straight = turn_y == to_y ? are_set(rows, to_y, turn_x, to_x)
                                   : are_set(columns, to_x, turn_y, to_y);
    if (!straight || legs.first == 0)
        return straight;
    AstarSlant slant = to_x > x ? (to_y > y ? ASTAR_SOUTH_EAST : ASTAR_NORTH_EAST)
                                : (to_y > y ? ASTAR_SOUTH_WEST : ASTAR_NORTH_WEST);
    return is_slant_free(subgoals, slant, x, y, legs.first);
}
