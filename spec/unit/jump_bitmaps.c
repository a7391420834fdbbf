// jump_bitmaps.c -- where a jump must stop, by the definition of jump points, cell by cell.
//
// A run goes on from p to x; a neighbour n of x is forced where x has a legal step to it and no way
// from p to n past x, inside the 3 x 3 around x, is cheaper, or as cheap and preferred: after a
// straight step any as cheap is, which then goes diagonally first; after a diagonal one none is (D.
// Harabor and A. Grastien, 2011). With diagonals "never" a way along the row first is preferred. A
// straight run stops at a forced neighbour's x; a diagonal one, or with "never" one along a row,
// also where a straight run aside stops so. What is asked of the bitmaps is looked at wherever a
// run can come to. (That edits give what is built anew is repairs.c's to show.)

#include "layers/jump_bitmaps.h"
#include "support.h"

#include "base/directions.h"
#include "layers/jump_bits.h"
#include "layers/layer.h"

enum { MAPS = 120 };

static const double DIAGONAL = 1.41421356237309515;

static uint32_t state;

static AstarBits bits;
static int width, height;
static AstarDiagonals rule;
static AstarJumpBitmaps *jump;

static bool is_free(int x, int y)
{
    return is_set(&bits, width, height, x, y);
}

static bool is_legal(int x, int y, int d)
{
    int beside = is_free(x + astar_dx[d], y) + is_free(x, y + astar_dy[d]);
    if (!is_free(x + astar_dx[d], y + astar_dy[d]))
        return false;
    if ((d & 1) == 0 || rule == ASTAR_ALWAYS)
        return true;
    return rule == ASTAR_IF_AT_MOST_ONE_OBSTACLE  ? beside >= 1
           : rule == ASTAR_ONLY_WHEN_NO_OBSTACLES ? beside == 2
                                                  : false;
}

static double length_of(int direction)
{
    return direction & 1 ? DIAGONAL : 1;
}

// ---- the definition ----

// The least cost from the neighbour of (x, y) in direction 'from' to all others, inside the 3 x 3
// and not over (x, y): a round for each cell a way can have, over all steps.
static void costs_past(int x, int y, int from, double costs[3][3])
{
    for (int i = 0; i < 9; i++)
        costs[i / 3][i % 3] = INFINITY;
    costs[1 + astar_dy[from]][1 + astar_dx[from]] = 0;
    for (int i = 0; i < 8 * 8 * 8; i++) {
        int at = i / 8 % 8, d = i % 8;
        int column = 1 + astar_dx[at] + astar_dx[d], row = 1 + astar_dy[at] + astar_dy[d];
        if (column < 0 || row < 0 || column > 2 || row > 2 || (column == 1 && row == 1) ||
            !is_legal(x + astar_dx[at], y + astar_dy[at], d))
            continue;
        double way = costs[1 + astar_dy[at]][1 + astar_dx[at]] + length_of(d);
        if (way < costs[row][column])
            costs[row][column] = way;
    }
}

// Whether a run in a direction has a forced neighbour at (x, y), which it can come to.
static bool find_forced(int x, int y, int direction)
{
    double costs[3][3];
    bool goes_aside = rule == ASTAR_NEVER ? direction % 4 == 2 : direction % 2 == 1;
    costs_past(x, y, direction ^ 4, costs);
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        if (d == direction || d == (direction ^ 4) || !is_legal(x, y, d))
            continue;
        double over = length_of(direction) + length_of(d);
        double past = costs[1 + astar_dy[d]][1 + astar_dx[d]];
        // The natural neighbours of a run that goes aside are not forced.
        bool natural = goes_aside && (rule == ASTAR_NEVER || d == (direction + 1) % 8 ||
                                      d == (direction + 7) % 8);
        if (!natural && (goes_aside ? past >= over - 1e-9 : past > over + 1e-9))
            return true;
    }
    return false;
}

// The same, found once for each neighbourhood.
static bool has_forced(int x, int y, int direction)
{
    static enum { UNKNOWN, NONE, SOME } known[4][ASTAR_DIRECTIONS][256];
    unsigned around = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        around |= (unsigned)is_free(x + astar_dx[d], y + astar_dy[d]) << d;
    if (known[rule][direction][around] == UNKNOWN)
        known[rule][direction][around] = find_forced(x, y, direction) ? SOME : NONE;
    return known[rule][direction][around] == SOME;
}

// Whether the straight run from a cell ends at one where it can turn.
static bool runs_to_turn(int x, int y, int direction)
{
    do {
        x += astar_dx[direction];
        y += astar_dy[direction];
    } while (is_free(x, y) && !has_forced(x, y, direction));
    return is_free(x, y);
}

// ---- the bitmaps ----

// The direction of moves.h.
static int direction_of(AstarStraight straight)
{
    return 2 * ((int)straight + 1) % 8;
}

static int slanting(AstarDiagonal diagonal)
{
    return (2 * (int)diagonal + 3) % 8;
}

// Whether a run in a direction can come to a cell.
static bool can_arrive(int x, int y, int direction)
{
    int px = x - astar_dx[direction], py = y - astar_dy[direction];
    return is_free(x, y) && is_free(px, py) && is_legal(px, py, direction);
}

static bool stop_at(AstarStraight straight, int x, int y)
{
    bool transposed = straight == ASTAR_SOUTH || straight == ASTAR_NORTH;
    int row = 1 + (transposed ? x : y), position = 1 + (transposed ? y : x);
    return astar_tile_bit(&jump->runs.stops[straight], row, position) != 0;
}

static bool on_diagonal(AstarDiagonal diagonal, AstarOnDiagonal kind, int x, int y)
{
    uint64_t word = *astar_diagonal_word(&jump->runs, diagonal, x + 1, y + 1);
    return astar_diagonal_bit(word, kind, x + 1) != 0;
}

static bool stop_is_right(AstarStraight straight, int x, int y)
{
    int direction = direction_of(straight);
    if (!is_free(x, y))
        return stop_at(straight, x, y);
    if (!can_arrive(x, y, direction))
        return true;
    bool stops = rule == ASTAR_NEVER && direction % 4 == 2
                     ? runs_to_turn(x, y, 0) || runs_to_turn(x, y, 4)
                     : has_forced(x, y, direction);
    return stop_at(straight, x, y) == stops;
}

// Beyond both ends of a row every run stops.
static bool ends_are_stops(AstarStraight straight)
{
    bool right = true, transposed = straight == ASTAR_SOUTH || straight == ASTAR_NORTH;
    for (int x = 0; x < width && transposed; x++)
        right = right && stop_at(straight, x, -1) && stop_at(straight, x, height);
    for (int y = 0; y < height && !transposed; y++)
        right = right && stop_at(straight, -1, y) && stop_at(straight, width, y);
    return right;
}

// Where no step is diagonal; elsewhere see diagonal_is_right().
static bool reach_is_right(int x, int y)
{
    bool right = true;
    for (int i = ASTAR_SOUTH; i <= ASTAR_NORTH && rule == ASTAR_NEVER; i += 2) {
        bool reach = is_free(x, y) && runs_to_turn(x, y, direction_of((AstarStraight)i));
        right = right && astar_tile_bit(&jump->runs.reach[i], y + 1, x + 1) == reach;
    }
    return right;
}

static bool around_is_right(int x, int y)
{
    bool right = true;
    for (int i = 0; i < 9; i++) {
        int dx = i % 3 - 1, dy = i / 3 - 1;
        right = right && astar_is_free_by(astar_around(&jump->runs, x + 1, y + 1), dx, dy) ==
                             is_free(x + dx, y + dy);
    }
    return right;
}

static bool diagonal_is_right(AstarDiagonal diagonal, int x, int y)
{
    int direction = slanting(diagonal);
    bool turns = has_forced(x, y, direction), stuck = !is_legal(x, y, direction);
    return on_diagonal(diagonal, ASTAR_ENDS, x, y) == (stuck || turns) &&
           on_diagonal(diagonal, ASTAR_FORCED, x, y) == turns &&
           on_diagonal(diagonal, ASTAR_STRAIGHT_JUMP, x, y) ==
               runs_to_turn(x, y, (direction + 7) % 8) &&
           on_diagonal(diagonal, ASTAR_STRAIGHT_JUMP_NEXT, x, y) ==
               runs_to_turn(x, y, (direction + 1) % 8);
}

static bool cell_is_right(int x, int y)
{
    bool right = reach_is_right(x, y) && around_is_right(x, y);
    right = right && astar_bit_at(&jump->columns, x + 1, y + 1) == is_free(x, y);
    for (AstarStraight i = ASTAR_EAST; i <= ASTAR_NORTH; i++)
        right = right && stop_is_right(i, x, y);
    for (AstarDiagonal i = ASTAR_SOUTH_EAST; i <= ASTAR_NORTH_EAST && rule != ASTAR_NEVER; i++)
        if (can_arrive(x, y, slanting(i)))
            right = right && diagonal_is_right(i, x, y);
    return right;
}

// What is built of a map, by one rule.
static bool is_right(const AstarAllocator *allocator)
{
    bool right = astar_jump_new(allocator, width, height, rule, &jump) == ASTAR_OK;
    if (!right)
        return false;
    astar_jump_advance(jump, &bits, &(int64_t){ASTAR_ALL_WORK});
    for (AstarStraight i = ASTAR_EAST; i <= ASTAR_NORTH; i++)
        right = right && ends_are_stops(i);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width && right; x++) {
            right = cell_is_right(x, y);
            if (!right)
                printf("cell (%d, %d) of %d x %d differs by rule %d\n", x, y, width, height,
                       (int)rule);
        }
    astar_jump_free(jump);
    return right;
}

static void test_map(const AstarAllocator *allocator, uint32_t seed)
{
    state = seed;
    width = sides[random_below(&state, SIDES)];
    height = seed % 2 == 0 ? 1 + random_below(&state, 12) : sides[random_below(&state, 8)];
    bits = astar_bits_new(allocator, width, height);
    CHECK(bits.words != NULL);
    put_random_bits(&bits, width, height, random_below(&state, 101), &state);
    for (rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++) {
        bool right = is_right(allocator);
        CHECK(right);
        if (!right)
            printf("the map of seed %u differs\n", (unsigned)seed);
    }
    astar_bits_free(allocator, &bits);
}

// ---- finding bits ----

static int plain_from(int position, int by)
{
    while (!astar_bits_get(&bits, position - 1, 0))
        position += by;
    return position;
}

// The next bit either way, where there is one.
static void test_next_bit(const AstarAllocator *allocator)
{
    enum { ROWS = 11, WORDS = 5 };
    static uint64_t words[(ROWS + 7) / 8 * WORDS * ASTAR_LINE_WORDS];
    const AstarTiles tiles = {words, WORDS};
    bool right = true;
    width = 300;
    bits = astar_bits_new(allocator, width, 1);
    CHECK(bits.words != NULL);
    for (int i = 0; i < 100; i++) {
        put_random_bits(&bits, width, 1, i % 10, &state);
        int low = random_below(&state, 150), high = 150 + random_below(&state, 150);
        astar_bits_put(&bits, low, 0, true);
        astar_bits_put(&bits, high, 0, true);
        for (int word = 0; word < WORDS; word++)
            *astar_tile_word(&tiles, i % ROWS, word) = astar_bits_row(&bits, 0)[word];
        for (int x = low; x <= high; x++)
            right = right && astar_tiles_from(&tiles, i % ROWS, x + 1) == plain_from(x + 1, 1) &&
                    astar_tiles_until(&tiles, i % ROWS, x + 1) == plain_from(x + 1, -1);
    }
    CHECK(right);
    astar_bits_free(allocator, &bits);
}

int main(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    for (uint32_t seed = 1; seed <= MAPS; seed++)
        test_map(&allocator, seed);
    test_next_bit(&allocator);
    return report();
}
