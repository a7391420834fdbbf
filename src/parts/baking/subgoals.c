// subgoals.c -- computes the subgoals of a map, the bitmaps with which the subgoals that a cell
// sees are found, the edges between subgoals, and the sights: the subgoals that each cell sees.
//
// A straight scan ends at a jump point or before an obstacle; the next set bit of a bitmap of stops
// gives the place. A diagonal scan starts straight scans at each of its events: cells where a
// straight scan to one side ends at a subgoal, where the diagonal scan ends, or where it can turn.
// The stops are those of jump_bitmaps.c, but a cell that is a stop for one direction is a subgoal
// for all directions.

#include "parts/baking/subgoals.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/transpose.h"
#include "layers/jump_turns.h"
#include "layers/jump_words.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/labels.h"

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
    EVENT_WORDS = 4,    // words of a row whose events are computed together
    TURNED_SQUARES = 8, // squares of a band of rows that are transposed together
    WORK_OF_WORD = 4    // work of copying a word of bits
};

// Memory.

static bool open_bits(AstarBits *bits, const AstarAllocator *allocator, int width, int height)
{
    *bits = astar_bits_new(allocator, width, height);
    return bits->words != NULL;
}

// Allocates the bitmaps. Without diagonal steps there are no bitmaps of stops to the east and west,
// and one bitmap of events serves both of these directions.
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

ASTAR_COLD AstarStatus astar_subgoals_new(const AstarAllocator *allocator, int width, int height,
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

ASTAR_COLD AstarStatus astar_subgoals_copy(AstarSubgoals *subgoals, const AstarBits *bits,
                                           int64_t *work)
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

ASTAR_COLD void astar_subgoals_free(AstarSubgoals *subgoals)
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

// Stops.

// Returns the free cells of a word at which a diagonal scan that arrives can turn, because the scan
// has passed the corner of an obstacle.
static uint64_t diagonal_turns(AstarCorners corners, const AstarNeighbors *around, int diagonal)
{
    return astar_diagonal_turns(corners, around, diagonal) &
           astar_can_diagonal(corners, around, (diagonal + 2) & 3);
}

// Computes the subgoals of a word of a row, and the stops to the east and west. No scan can arrive
// over a blocked cell, so a stop behind a blocked cell is not a subgoal.
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
            found |= diagonal_turns(corners, &around, i);
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

// Events.

// Returns true if the straight scan from the cell (x, y) ends at a subgoal rather than at an
// obstacle.
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

// Marks the free cell (x, y) as an event for the diagonal scans that have one there. 'ends' has a
// bit for each straight direction whose scan ends at a subgoal.
static void put_diagonally_events(AstarSubgoals *s, int x, int y, unsigned ends)
{
    for (int diagonal = 0; diagonal < 4; diagonal++) {
        int dx = astar_diagonal_dx((AstarDiagonal)diagonal),
            dy = astar_diagonal_dy((AstarDiagonal)diagonal);
        unsigned aside = 1u << diagonal | 1u << ((diagonal + 1) & 3);
        if ((ends & aside) != 0 ||
            !astar_subgoals_can_diagonal(&s->rows, s->rule->corners, x, y, dx, dy))
            put_event(&s->events[diagonal],
                      astar_diagonal_of(s->wrap, (AstarDiagonal)diagonal, x, y), x);
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
        put_diagonally_events(s, x, y, ends);
    else if (ends != 0)
        put_event(&s->events[0], y, x);
}

// Marks as events the cells of a word at which a diagonal scan can turn. The scan ends there,
// because such a cell is a subgoal.
static void put_diagonal_turns(AstarSubgoals *s, int y, size_t word)
{
    AstarNeighbors around = astar_around_row(&s->rows, y, word);
    for (int diagonal = 0; diagonal < 4; diagonal++) {
        uint64_t turns = diagonal_turns(s->rule->corners, &around, diagonal);
        for (; turns != 0; turns &= turns - 1) {
            int x = (int)(64 * word) + astar_lowest_bit(turns);
            put_event(&s->events[diagonal],
                      astar_diagonal_of(s->wrap, (AstarDiagonal)diagonal, x, y), x);
        }
    }
}

// Returns the number of parts into which a row is divided, with 'words' words per part.
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
            put_diagonal_turns(s, y, word);
        for (uint64_t free = s->rows.words[at + word]; free != 0; free &= free - 1)
            find_events_of_free(s, (int)(64 * word) + astar_lowest_bit(free), y);
    }
}

// The subgoals.

// Numbers the subgoals of a row. The row may be a border row, which has none.
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

// Returns the number of parts into which the current pass of the computation is divided.
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

// Computes the next part of the current pass.
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

ASTAR_COLD AstarStatus astar_subgoals_advance(AstarSubgoals *subgoals, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (subgoals->pass != BUILT && status == ASTAR_OK)
        status = *work > 0 ? build_subgoals_unit(subgoals, work) : ASTAR_RUNNING;
    return status;
}

// The functions below check whether paths of two legs are free.

// Returns true if all bits of a row are set from the position 'first' to the position 'last', in
// either order.
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

// Returns true if the cells of a column are free from the row 'y' to the row 'to_y', by the bitmap
// of rows.
static bool is_column_free(const AstarBits *rows, int x, int y, int to_y)
{
    for (int step = to_y > y ? 1 : -1;; y += step) {
        if (!astar_bit_at(rows, y, x))
            return false;
        if (y == to_y)
            return true;
    }
}

ASTAR_COLD bool astar_subgoals_is_free(const AstarSubgoals *subgoals, const AstarBits *rows, int x,
                                       int y, int to_x, int to_y)
{
    const AstarCornerRule *rule = subgoals->rule;
    int dx = to_x > x ? 1 : -1, dy = to_y > y ? 1 : -1;
    AstarTwoLegs legs = astar_two_legs(rule->has_diagonals, to_x - x, to_y - y);
    if (!astar_bit_at(rows, y, x))
        return false;
    if (rule->has_diagonals) {
        for (int i = 0; i < legs.first; i++, x += dx, y += dy)
            if (!astar_subgoals_can_diagonal(rows, rule->corners, x, y, dx, dy))
                return false;
    } else {
        if (!are_set(rows, y, x, to_x))
            return false;
        x = to_x;
    }
    return y == to_y ? are_set(rows, y, x, to_x) : is_column_free(rows, x, y, to_y);
}

// Returns true if a diagonal leg of 'steps' steps is free, by the bitmap of events.
static bool is_diagonal_jump_free(const AstarSubgoals *s, AstarDiagonal diagonal, int x, int y,
                                  int steps)
{
    int dx = astar_diagonal_dx(diagonal), dy = astar_diagonal_dy(diagonal);
    const uint64_t *events = astar_row_at(&s->events[diagonal],
                                          astar_diagonal_of(s->wrap, diagonal, x, y));
    while (astar_subgoals_can_diagonal(&s->rows, s->rule->corners, x, y, dx, dy)) {
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

ASTAR_COLD bool astar_subgoals_see(const AstarSubgoals *subgoals, int x, int y, int to_x, int to_y)
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
    AstarDiagonal diagonal = to_x > x ? (to_y > y ? ASTAR_SOUTH_EAST : ASTAR_NORTH_EAST)
                                      : (to_y > y ? ASTAR_SOUTH_WEST : ASTAR_NORTH_WEST);
    return is_diagonal_jump_free(subgoals, diagonal, x, y, legs.first);
}

// ------------------------------------------------------------------------------------------------
// The functions below find the subgoals where a route from a cell can turn first.
//
// The scans are those of jump point search from a start: straight scans to the next subgoal, and
// diagonal scans that start straight scans at their events. A scan that arrives at a subgoal ends
// there.
// ------------------------------------------------------------------------------------------------

AstarSubgoalScan astar_subgoal_scan(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, const AstarAllocator *allocator)
{
    bool has_diagonals = subgoals->rule->has_diagonals;
    return (AstarSubgoalScan){subgoals, allocator, straight, has_diagonals ? diagonal : straight,
                              has_diagonals ? diagonal : 2 * straight};
}

static bool grow_hits(const AstarSubgoalScan *scan, AstarRouteEnd *end)
{
    bool has_grown = ASTAR_RESERVE(scan->allocator, end->hits, end->count, 1, &end->capacity, 64);
    end->has_failed |= !has_grown;
    return has_grown;
}

ASTAR_ONCE void add_hit(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y,
                        uint32_t cost, uint32_t bound)
{
    if (end->count == end->capacity && !grow_hits(scan, end))
        return;
    uint32_t subgoal = astar_subgoal_at(scan->subgoals, x, y);
    end->hits[end->count++] = (AstarSubgoalHit){astar_place(x, y), subgoal, cost, bound};
}

// Adds the subgoal at (x, y) to the subgoals found from an end, if a route over it may cost less
// than 'limit'.
static inline void note_hit(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y,
                            uint32_t cost, uint32_t limit)
{
    uint32_t bound = cost + astar_scan_estimate(scan, x - end->other_x, y - end->other_y);
    if (bound < limit)
        add_hit(scan, end, x, y, cost, bound);
}

// Scans straight from (x, y) and adds the subgoal where the scan ends. 'cost' is the cost from the
// end of the route to (x, y).
ASTAR_SPECIALIZE void run_straight(const AstarSubgoalScan *scan, AstarRouteEnd *end,
                                   AstarStraight direction, int x, int y, uint32_t cost,
                                   uint32_t limit)
{
    const AstarSubgoals *s = scan->subgoals;
    bool turned = astar_is_turned((int)direction), upward = astar_is_upward((int)direction);
    int row = turned ? x : y, position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&s->stops[direction], row);
    int stop = upward ? astar_bit_from(stops, position + 1) : astar_bit_until(stops, position - 1);
    int steps = upward ? stop - position : position - stop;
    if (astar_bit_at(turned ? &s->columns : &s->rows, row, stop))
        note_hit(scan, end, turned ? x : stop, turned ? stop : y,
                 cost + (uint32_t)steps * scan->straight, limit);
}

// Returns true if every route over (x, y) costs at least 'limit'. 'cost' is the cost from the end
// of the route to (x, y).
ASTAR_SPECIALIZE bool is_beyond_limit(const AstarSubgoalScan *scan, const AstarRouteEnd *end, int x,
                                      int y, uint32_t cost, uint32_t limit)
{
    return cost + astar_scan_estimate(scan, x - end->other_x, y - end->other_y) >= limit;
}

// Scans diagonally from an end of the route, and starts straight scans at the events of the
// diagonal.
ASTAR_SPECIALIZE void run_quarter_by(const AstarSubgoalScan *scan, AstarRouteEnd *end,
                                     AstarDiagonal diagonal, uint32_t limit)
{
    const AstarSubgoals *s = scan->subgoals;
    const AstarCorners corners = s->rule->corners;
    const int dx = astar_diagonal_dx(diagonal), dy = astar_diagonal_dy(diagonal);
    const AstarStraight sideways = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    const AstarStraight upright = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    const uint64_t *events = astar_row_at(&s->events[diagonal],
                                          astar_diagonal_of(s->wrap, diagonal, end->x, end->y));
    int x = end->x, y = end->y;
    uint32_t cost = 0;
    while (astar_subgoals_can_diagonal(&s->rows, corners, x, y, dx, dy)) {
        int at = dx > 0 ? astar_bit_from(events, x + 1) : astar_bit_until(events, x - 1);
        int steps = (at - x) * dx;
        x = at;
        y += steps * dy;
        cost += (uint32_t)steps * scan->diagonal;
        if (is_beyond_limit(scan, end, x, y, cost, limit))
            return;
        if (astar_bit_at(&s->corners, y, x)) {
            note_hit(scan, end, x, y, cost, limit);
            return;
        }
        if (!is_beyond_limit(scan, end, x + dx, y, cost + scan->straight, limit))
            run_straight(scan, end, sideways, x, y, cost, limit);
        if (!is_beyond_limit(scan, end, x, y + dy, cost + scan->straight, limit))
            run_straight(scan, end, upright, x, y, cost, limit);
    }
}

// Scans along the row from an end of the route, and starts scans up and down at the events of the
// row. Used by rules without diagonal steps.
static void run_along_row(const AstarSubgoalScan *scan, AstarRouteEnd *end, int dx, uint32_t limit)
{
    const AstarSubgoals *s = scan->subgoals;
    const uint64_t *events = astar_row_at(&s->events[0], end->y);
    uint32_t cost = 0;
    for (int x = end->x;;) {
        int at = dx > 0 ? astar_bit_from(events, x + 1) : astar_bit_until(events, x - 1);
        cost += (uint32_t)((at - x) * dx) * scan->straight;
        x = at;
        if (!astar_bit_at(&s->rows, end->y, x) ||
            is_beyond_limit(scan, end, x, end->y, cost, limit))
            return;
        if (astar_bit_at(&s->corners, end->y, x)) {
            note_hit(scan, end, x, end->y, cost, limit);
            return;
        }
        run_straight(scan, end, ASTAR_SOUTH, x, end->y, cost, limit);
        run_straight(scan, end, ASTAR_NORTH, x, end->y, cost, limit);
    }
}

static void run_quarter(const AstarSubgoalScan *scan, AstarRouteEnd *end, AstarDiagonal diagonal,
                        uint32_t limit)
{
    switch (diagonal) {
    case ASTAR_SOUTH_EAST: run_quarter_by(scan, end, ASTAR_SOUTH_EAST, limit); return;
    case ASTAR_SOUTH_WEST: run_quarter_by(scan, end, ASTAR_SOUTH_WEST, limit); return;
    case ASTAR_NORTH_WEST: run_quarter_by(scan, end, ASTAR_NORTH_WEST, limit); return;
    default: run_quarter_by(scan, end, ASTAR_NORTH_EAST, limit);
    }
}

static AstarDiagonal diagonal_ahead(const AstarRouteEnd *end)
{
    if (end->other_x >= end->x)
        return end->other_y >= end->y ? ASTAR_SOUTH_EAST : ASTAR_NORTH_EAST;
    return end->other_y >= end->y ? ASTAR_SOUTH_WEST : ASTAR_NORTH_WEST;
}

static int dx_ahead(const AstarRouteEnd *end)
{
    return end->other_x >= end->x ? 1 : -1;
}

void astar_scan_ahead(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y, int other_x,
                      int other_y)
{
    *end = (AstarRouteEnd){.x = x,
                           .y = y,
                           .other_x = other_x,
                           .other_y = other_y,
                           .hits = end->hits,
                           .capacity = end->capacity};
    end->is_subgoal = astar_bit_at(&scan->subgoals->corners, y, x);
    if (end->is_subgoal) {
        note_hit(scan, end, x, y, 0, UINT32_MAX);
        return;
    }
    run_straight(scan, end, ASTAR_SOUTH, x, y, 0, UINT32_MAX);
    run_straight(scan, end, ASTAR_NORTH, x, y, 0, UINT32_MAX);
    if (!scan->subgoals->rule->has_diagonals) {
        run_along_row(scan, end, dx_ahead(end), UINT32_MAX);
        return;
    }
    run_straight(scan, end, ASTAR_EAST, x, y, 0, UINT32_MAX);
    run_straight(scan, end, ASTAR_WEST, x, y, 0, UINT32_MAX);
    run_quarter(scan, end, diagonal_ahead(end), UINT32_MAX);
}

void astar_scan_around(const AstarSubgoalScan *scan, AstarRouteEnd *end, uint32_t limit)
{
    if (end->is_subgoal)
        return;
    if (!scan->subgoals->rule->has_diagonals) {
        run_along_row(scan, end, -dx_ahead(end), limit);
        return;
    }
    for (int i = 1; i < 4; i++)
        run_quarter(scan, end, (AstarDiagonal)((diagonal_ahead(end) + (unsigned)i) & 3), limit);
}

// ------------------------------------------------------------------------------------------------
// The functions below build the graph of subgoals and the paths between them.
//
// An edge leads to each subgoal that a path of two legs reaches without passing another subgoal. A
// straight scan goes no farther than the parallel scan beside it that started nearer to the
// subgoal. Cells beyond that point are reached as cheaply over another subgoal, at the corner that
// ended the other scan. Finally every edge is removed that two shorter edges replace.
// ------------------------------------------------------------------------------------------------

enum { STOP_WORDS = 4096 }; // words of stops per step

// Memory.

static bool open_stops(AstarSubgoalGraph *graph)
{
    const AstarSubgoals *s = graph->subgoals;
    graph->stops[0] = astar_bits_new(&s->allocator, s->width, s->height);
    graph->stops[1] = astar_bits_new(&s->allocator, s->height, s->width);
    return graph->stops[0].words != NULL && graph->stops[1].words != NULL;
}

ASTAR_COLD AstarStatus astar_subgoal_graph_new(const AstarSubgoals *subgoals, uint32_t straight,
                                               uint32_t diagonal, AstarSubgoalGraph **out)
{
    const AstarAllocator *allocator = &subgoals->allocator;
    size_t count = (size_t)subgoals->count + 1;
    AstarSubgoalGraph *graph = astar_alloc(allocator, 1, sizeof *graph);
    if (graph == NULL)
        return ASTAR_NO_MEMORY;
    graph->subgoals = subgoals;
    graph->straight = straight;
    graph->diagonal = diagonal;
    graph->first = astar_alloc(allocator, count, sizeof *graph->first);
    graph->degrees = astar_alloc(allocator, count, sizeof *graph->degrees);
    graph->costs = astar_alloc(allocator, count, sizeof *graph->costs);
    if (graph->first == NULL || graph->degrees == NULL || graph->costs == NULL ||
        !open_stops(graph)) {
        astar_subgoal_graph_free(graph);
        return ASTAR_NO_MEMORY;
    }
    *out = graph;
    return ASTAR_OK;
}

bool astar_subgoal_graph_clear(AstarSubgoalGraph *graph, int64_t *work)
{
    return astar_arena_clear(&graph->arena, &graph->subgoals->allocator, work);
}

ASTAR_COLD void astar_subgoal_graph_free(AstarSubgoalGraph *graph)
{
    if (graph == NULL)
        return;
    const AstarAllocator *allocator = &graph->subgoals->allocator;
    size_t count = (size_t)graph->subgoals->count + 1;
    astar_release(allocator, graph->first, count, sizeof *graph->first);
    astar_release(allocator, graph->degrees, count, sizeof *graph->degrees);
    astar_release(allocator, graph->costs, count, sizeof *graph->costs);
    astar_release(allocator, graph->found, graph->found_capacity, sizeof *graph->found);
    int64_t work = INT64_MAX;
    astar_subgoal_graph_clear(graph, &work);
    astar_bits_free(allocator, &graph->stops[0]);
    astar_bits_free(allocator, &graph->stops[1]);
    astar_release(allocator, graph, 1, sizeof *graph);
}

// Scanning.

// Adds an edge from the subgoal being scanned to the subgoal at (x, y).
ASTAR_COLD static AstarStatus add_edge(AstarSubgoalGraph *graph, int x, int y, uint32_t cost)
{
    uint32_t *degree = &graph->degrees[graph->scanned];
    if (!ASTAR_RESERVE(&graph->subgoals->allocator, graph->found, *degree, 1,
                       &graph->found_capacity, 64))
        return ASTAR_NO_MEMORY;
    graph->found[(*degree)++] = (AstarSubgoalEdge){astar_subgoal_at(graph->subgoals, x, y), cost};
    return ASTAR_OK;
}

// Stores the edges found from the subgoal being scanned in the memory of all edges. Thus no step of
// a job has to move more than the edges of one subgoal.
static AstarStatus keep_edges(AstarSubgoalGraph *graph)
{
    size_t bytes = graph->degrees[graph->scanned] * sizeof *graph->found;
    AstarSubgoalEdge *kept = astar_arena_take(&graph->arena, &graph->subgoals->allocator, bytes);
    if (kept == NULL)
        return ASTAR_NO_MEMORY;
    if (bytes > 0)
        memcpy(kept, graph->found, bytes);
    graph->first[graph->scanned] = kept;
    return ASTAR_OK;
}

// Scans straight to the next subgoal or obstacle. 'before' is the cost of the path so far. If the
// scan is at least '*limit' steps long, does nothing. Otherwise lowers '*limit' to that length and
// adds an edge if the scan ends at a subgoal.
ASTAR_COLD static AstarStatus look_straight(AstarSubgoalGraph *graph, AstarStraight direction,
                                            int x, int y, uint32_t before, int *limit)
{
    bool turned = astar_is_turned((int)direction);
    int position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&graph->stops[turned], turned ? x : y);
    int stop = astar_is_upward((int)direction) ? astar_bit_from(stops, position + 1)
                                               : astar_bit_until(stops, position - 1);
    int steps = astar_is_upward((int)direction) ? stop - position : position - stop;
    if (steps >= *limit)
        return ASTAR_OK;
    *limit = steps;
    int to_x = turned ? x : stop, to_y = turned ? stop : y;
    bool is_subgoal = astar_bit_at(&graph->subgoals->corners, to_y, to_x);
    return is_subgoal ? add_edge(graph, to_x, to_y, before + (uint32_t)steps * graph->straight)
                      : ASTAR_OK;
}

// Scans to both sides from each cell of a first leg, until the leg ends at an obstacle or a
// subgoal. 'limits' are the lengths of the straight scans from the cell where the leg starts.
static AstarStatus look_along(AstarSubgoalGraph *graph, int x, int y, int dx, int dy,
                              const int limits[4])
{
    const AstarSubgoals *s = graph->subgoals;
    AstarStraight one = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    AstarStraight other = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    uint32_t step = graph->diagonal, cost = 0;
    if (dy == 0) { // along the row
        one = ASTAR_SOUTH;
        other = ASTAR_NORTH;
        step = graph->straight;
    }
    int limit_one = limits[one], limit_other = limits[other];
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK) {
        bool is_free = dy != 0
                           ? astar_subgoals_can_diagonal(&s->rows, s->rule->corners, x, y, dx, dy)
                           : astar_bit_at(&s->rows, y, x + dx) != 0;
        if (!is_free)
            return ASTAR_OK;
        x += dx;
        y += dy;
        cost += step;
        if (astar_bit_at(&s->corners, y, x))
            return add_edge(graph, x, y, cost);
        if (limit_one > 1)
            status = look_straight(graph, one, x, y, cost, &limit_one);
        if (status == ASTAR_OK && limit_other > 1)
            status = look_straight(graph, other, x, y, cost, &limit_other);
    }
    return status;
}

static AstarStatus scan_next(AstarSubgoalGraph *graph)
{
    uint32_t number = graph->scanned;
    bool has_diagonals = graph->subgoals->rule->has_diagonals;
    uint32_t place = graph->subgoals->places[number];
    int x = astar_place_x(place), y = astar_place_y(place);
    int limits[4] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    AstarStatus status = ASTAR_OK;
    graph->degrees[number] = 0; // clears what a scan without enough memory may have left
    for (int i = 0; i < 4 && status == ASTAR_OK; i++)
        if (has_diagonals || astar_is_turned(i))
            status = look_straight(graph, (AstarStraight)i, x, y, 0, &limits[i]);
    for (int i = 0; i < 4 && status == ASTAR_OK; i++) {
        int dx = i & 1 ? 1 : -1, dy = i & 2 ? 1 : -1;
        if (has_diagonals || i < 2)
            status = look_along(graph, x, y, dx, has_diagonals ? dy : 0, limits);
    }
    return status == ASTAR_OK ? keep_edges(graph) : status;
}

// The functions below remove an edge if two other edges together lead to the same subgoal at no
// higher cost.

// Marks those edges from a subgoal that are no shorter than a pair of other edges: one from the
// subgoal, and one from the end of that edge. Sets the costs of the marked edges to 0. Returns the
// number of edges examined.
static int64_t strike_out(AstarSubgoalGraph *graph, const AstarSubgoalEdge *edges, uint32_t degree)
{
    int64_t looked = 0;
    for (uint32_t i = 0; i < degree; i++) {
        const AstarSubgoalEdge *on = graph->first[edges[i].to];
        uint32_t count = graph->degrees[edges[i].to];
        for (uint32_t k = 0; k < count; k++)
            if (edges[i].cost + on[k].cost <= graph->costs[on[k].to])
                graph->costs[on[k].to] = 0;
        looked += count;
    }
    return looked;
}

static int64_t thin_out_edges(AstarSubgoalGraph *graph, uint32_t number)
{
    AstarSubgoalEdge *edges = graph->first[number];
    uint32_t degree = graph->degrees[number], kept = 0;
    for (uint32_t i = 0; i < degree; i++)
        graph->costs[edges[i].to] = edges[i].cost;
    int64_t looked = strike_out(graph, edges, degree);
    for (uint32_t i = 0; i < degree; i++) {
        AstarSubgoalEdge edge = edges[i];
        if (graph->costs[edge.to] != 0)
            edges[kept++] = edge;
        graph->costs[edge.to] = 0;
    }
    graph->degrees[number] = kept;
    graph->kept += kept;
    return looked;
}

// Sets in some words of 'to' the bits that are set in 'from', and the bits of cells that are not
// free.
static void add_obstacles(const AstarBits *from, const AstarBits *free, AstarBits *to, size_t i,
                          size_t count)
{
    for (size_t end = i + count < to->count ? i + count : to->count; i < end; i++)
        to->words[i] = from->words[i] | ~free->words[i];
}

// Computes the next part of the bitmaps of stops, first by rows and then by columns. For the
// columns the bitmap of subgoals is transposed first.
static void make_stops(AstarSubgoalGraph *graph, int64_t *work)
{
    const AstarSubgoals *s = graph->subgoals;
    AstarBits *rows = &graph->stops[0], *columns = &graph->stops[1];
    int height = s->height + 2, y = graph->stopped_rows;
    if (y < height) {
        astar_bits_turn_rows(&s->corners, s->height, columns, y);
        add_obstacles(&s->corners, &s->rows, rows, (size_t)y * rows->stride,
                      ASTAR_TURNED_ROWS * rows->stride);
        graph->stopped_rows = y + ASTAR_TURNED_ROWS;
        *work -= (int64_t)ASTAR_TURNED_ROWS * s->width / 32;
    } else {
        add_obstacles(columns, &s->columns, columns, graph->stopped_words, STOP_WORDS);
        graph->stopped_words += STOP_WORDS;
        *work -= STOP_WORDS / 4;
    }
}

ASTAR_COLD AstarStatus astar_subgoal_graph_advance(AstarSubgoalGraph *graph, int64_t *work)
{
    uint32_t count = graph->subgoals->count;
    while (graph->stopped_words < graph->stops[1].count) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        make_stops(graph, work);
    }
    for (; graph->scanned < count; graph->scanned++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = scan_next(graph);
        if (status != ASTAR_OK)
            return status;
        *work -= 64 + 16 * (int64_t)graph->degrees[graph->scanned];
    }
    for (; graph->thinned < count; graph->thinned++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        *work -= 16 + thin_out_edges(graph, graph->thinned);
    }
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// Sights: the subgoals that each cell sees, computed beforehand.
//
// A scan from a cell and scans from most of its neighbours find the same subgoals. Therefore lists
// of subgoals are stored, and each row stores the cells at which another list begins to apply.
// Reading a list takes a small part of the time of the scans, and reads a few adjacent cache lines.
//
// Cells are scanned in the order of rows. Cells that see the same subgoals almost always form a
// connected area. Therefore a small hash table is used to find an equal list among the lists
// written last.
// ------------------------------------------------------------------------------------------------

enum {
    WORD_BITS = 64,
    WORK_OF_SCAN = 64,
    WORK_OF_SIGHT_PAGE = 1024, // work of freeing a page
    RECENT_BITS = 13,
    RECENT = 1 << RECENT_BITS
};
#define NO_LIST UINT32_MAX

// Memory.

AstarStatus astar_sights_new(const AstarSubgoals *subgoals, AstarSights **out)
{
    const AstarAllocator *allocator = &subgoals->allocator;
    AstarSights *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->allocator = *allocator;
    made->wide = astar_is_wide(subgoals->count);
    made->stride = subgoals->rows.stride;
    made->count = subgoals->rows.count;
    made->cells = astar_alloc(allocator, made->count, sizeof *made->cells);
    made->recent = astar_alloc(allocator, RECENT, sizeof *made->recent);
    if (made->cells == NULL || made->recent == NULL) {
        astar_sights_free(made);
        return ASTAR_NO_MEMORY;
    }
    memset(made->recent, 0xFF, RECENT * sizeof *made->recent); // NO_LIST
    *out = made;
    return ASTAR_OK;
}

// Frees the memory that is needed only for building sights.
static void drop_sight_tools(AstarSights *sights)
{
    const AstarAllocator *allocator = &sights->allocator;
    astar_release(allocator, sights->end.hits, sights->end.capacity, sizeof *sights->end.hits);
    astar_release(allocator, sights->recent, RECENT, sizeof *sights->recent);
    sights->end = (AstarRouteEnd){.capacity = 0};
    sights->recent = NULL;
}

// Frees the last page of lists, which may be shorter than the other pages.
static void drop_sight_page(AstarSights *sights)
{
    astar_release(&sights->allocator, sights->pages[--sights->page_count], sights->last,
                  sizeof **sights->pages);
    sights->last = ASTAR_SIGHT_PAGE;
}

bool astar_sights_clear(AstarSights *sights, int64_t *work)
{
    for (; sights->page_count > 0 && *work > 0; *work -= WORK_OF_SIGHT_PAGE)
        drop_sight_page(sights);
    return sights->page_count == 0;
}

ASTAR_COLD void astar_sights_free(AstarSights *sights)
{
    if (sights == NULL)
        return;
    AstarAllocator allocator = sights->allocator;
    drop_sight_tools(sights);
    while (sights->page_count > 0)
        drop_sight_page(sights);
    astar_release(&allocator, sights->pages, sights->page_capacity, sizeof *sights->pages);
    astar_release(&allocator, sights->cells, sights->count, sizeof *sights->cells);
    astar_release(&allocator, sights, 1, sizeof *sights);
}

size_t astar_sights_bytes(const AstarSights *sights)
{
    if (sights == NULL)
        return 0;
    size_t full = sights->page_count > 0 ? sights->page_count - 1 : 0;
    return sizeof *sights + sights->count * sizeof *sights->cells +
           sights->page_capacity * sizeof *sights->pages +
           (full * ASTAR_SIGHT_PAGE + sights->used) * sizeof **sights->pages;
}

static AstarStatus add_sight_page(AstarSights *sights)
{
    if (sights->page_count == UINT32_MAX >> ASTAR_SIGHT_PAGE_BITS)
        return ASTAR_TOO_LARGE;
    if (!ASTAR_RESERVE(&sights->allocator, sights->pages, sights->page_count, 1,
                       &sights->page_capacity, 1))
        return ASTAR_NO_MEMORY;
    uint32_t *page = astar_alloc(&sights->allocator, ASTAR_SIGHT_PAGE, sizeof *page);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    sights->pages[sights->page_count++] = page;
    sights->used = 0;
    sights->last = ASTAR_SIGHT_PAGE;
    return ASTAR_OK;
}

// Reserves words for a list that lie in one page. Stores in '*at' where they begin.
static AstarStatus take_sight_words(AstarSights *sights, uint32_t words, uint32_t *at)
{
    if (words > ASTAR_SIGHT_PAGE)
        return ASTAR_TOO_LARGE;
    AstarStatus status = sights->used + words > sights->last ? add_sight_page(sights) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    *at = ((sights->page_count - 1) << ASTAR_SIGHT_PAGE_BITS) + sights->used;
    sights->used += words;
    return ASTAR_OK;
}

// Frees the unused rest of the last page of lists.
static AstarStatus tidy_sights(AstarSights *sights)
{
    const AstarAllocator *allocator = &sights->allocator;
    drop_sight_tools(sights);
    if (sights->used == sights->last)
        return ASTAR_OK;
    uint32_t *page = astar_alloc(allocator, sights->used, sizeof *page);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t **last = &sights->pages[sights->page_count - 1];
    memcpy(page, *last, sights->used * sizeof *page);
    astar_release(allocator, *last, sights->last, sizeof *page);
    *last = page;
    sights->last = sights->used;
    return ASTAR_OK;
}

// Building.

// Returns true if a stored list contains exactly the subgoals found from 'end'.
static bool is_list_of(const AstarSights *sights, uint32_t at, const AstarRouteEnd *end)
{
    const uint32_t *list = astar_sight_words(sights, at);
    if (list[0] != end->count)
        return false;
    for (uint32_t i = 0; i < end->count; i++)
        if (astar_hub_at(list + 1, sights->wide, i) != end->hits[i].subgoal)
            return false;
    return true;
}

static AstarStatus write_sight_list(AstarSights *sights, uint32_t *at)
{
    const AstarRouteEnd *end = &sights->end;
    uint32_t words = 1 + (uint32_t)astar_hub_words(sights->wide, end->count);
    AstarStatus status = take_sight_words(sights, words, at);
    if (status != ASTAR_OK)
        return status;
    uint32_t *list = sights->pages[*at >> ASTAR_SIGHT_PAGE_BITS] + (*at & (ASTAR_SIGHT_PAGE - 1));
    list[0] = end->count;
    for (uint32_t i = 0; i < end->count; i++)
        astar_hub_put(list + 1, sights->wide, i, end->hits[i].subgoal);
    return ASTAR_OK;
}

// Sorts the subgoals found by number, so that the list does not depend on the order of the scans.
static void sort_by_subgoal(AstarRouteEnd *end)
{
    for (uint32_t i = 1; i < end->count; i++) {
        AstarSubgoalHit hit = end->hits[i];
        uint32_t at = i;
        for (; at > 0 && end->hits[at - 1].subgoal > hit.subgoal; at--)
            end->hits[at] = end->hits[at - 1];
        end->hits[at] = hit;
    }
}

static uint32_t hash_of_list(const AstarRouteEnd *end)
{
    uint32_t hash = end->count;
    for (uint32_t i = 0; i < end->count; i++)
        hash = (hash ^ end->hits[i].subgoal) * UINT32_C(0x9E3779B1);
    return hash >> (32 - RECENT_BITS);
}

// Finds a list that equals the subgoals just found, among the lists written last, or writes a new
// list. Stores in '*at' where the list begins.
static AstarStatus find_sight_list(AstarSights *sights, uint32_t *at)
{
    uint32_t *recent = &sights->recent[hash_of_list(&sights->end)];
    if (*recent != NO_LIST && is_list_of(sights, *recent, &sights->end)) {
        *at = *recent;
        return ASTAR_OK;
    }
    AstarStatus status = write_sight_list(sights, at);
    if (status == ASTAR_OK)
        *recent = *at;
    return status;
}

ASTAR_COLD static AstarStatus build_sight_word(AstarSights *sights, const AstarSubgoalScan *scan,
                                               int64_t *work)
{
    const AstarBits *rows = &scan->subgoals->rows;
    AstarRouteEnd *end = &sights->end;
    AstarSightWord *word = &sights->cells[sights->next];
    int y = (int)(sights->next / sights->stride);
    int x0 = (int)(sights->next % sights->stride) * WORD_BITS;
    uint32_t lists[WORD_BITS], count = 0;
    uint64_t turns = 0;
    for (uint64_t left = rows->words[sights->next]; left != 0; left &= left - 1) {
        int bit = astar_lowest_bit(left), x = x0 + bit;
        astar_scan_ahead(scan, end, x, y, x, y);
        astar_scan_around(scan, end, UINT32_MAX);
        if (end->has_failed)
            return ASTAR_NO_MEMORY;
        sort_by_subgoal(end);
        *work -= WORK_OF_SCAN + (int64_t)end->count;
        if (count > 0 && is_list_of(sights, lists[count - 1], end))
            continue;
        AstarStatus status = find_sight_list(sights, &lists[count]);
        if (status != ASTAR_OK)
            return status;
        turns |= (uint64_t)1 << bit;
        count++;
    }
    if (count == 0)
        return ASTAR_OK;
    uint32_t at;
    AstarStatus status = take_sight_words(sights, count, &at);
    if (status != ASTAR_OK)
        return status;
    memcpy(sights->pages[at >> ASTAR_SIGHT_PAGE_BITS] + (at & (ASTAR_SIGHT_PAGE - 1)), lists,
           count * sizeof *lists);
    *word = (AstarSightWord){turns, at};
    return ASTAR_OK;
}

ASTAR_COLD AstarStatus astar_sights_advance(AstarSights *sights, const AstarSubgoalScan *scan,
                                            size_t most_bytes, int64_t *work)
{
    for (; sights->next < sights->count; sights->next++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = build_sight_word(sights, scan, work);
        if (status == ASTAR_OK && astar_sights_bytes(sights) > most_bytes)
            status = ASTAR_TOO_LARGE;
        if (status != ASTAR_OK)
            return status;
        *work -= 1;
    }
    return tidy_sights(sights);
}

// Reading.

ASTAR_COLD void astar_sights_look(const AstarSights *sights, const AstarSubgoalScan *scan,
                                  AstarRouteEnd *end, int x, int y, int other_x, int other_y)
{
    const uint32_t *list = astar_sight_list(sights, x, y);
    const uint32_t *places = scan->subgoals->places;
    uint32_t count = list[0];
    end->x = x;
    end->y = y;
    end->other_x = other_x;
    end->other_y = other_y;
    end->count = 0;
    end->is_subgoal = false;
    end->has_failed = !ASTAR_RESERVE(scan->allocator, end->hits, (size_t)0, count, &end->capacity,
                                     64);
    if (end->has_failed)
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t subgoal = astar_hub_at(list + 1, sights->wide, i), place = places[subgoal];
        int at_x = astar_place_x(place), at_y = astar_place_y(place);
        uint32_t cost = astar_scan_estimate(scan, at_x - x, at_y - y);
        uint32_t rest = astar_scan_estimate(scan, at_x - other_x, at_y - other_y);
        end->hits[i] = (AstarSubgoalHit){place, subgoal, cost, cost + rest};
    }
    end->count = count;
}
