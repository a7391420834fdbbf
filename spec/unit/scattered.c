// walkable.c -- the statistics of obstacles, compared with statistics that examine each cell.
//
// The maps are small enough that the sample contains every word. The first and the last cell of a
// word are never counted as turns, because some of their neighbours belong to other words.

#include "layers/walkable.h"
#include "support.h"

#include "layers/nonuniform.h"

static uint32_t state = 1;

static AstarBits bits;
static int width, height;

static bool is_turn(int x, int y)
{
    int bit = (x + 1) & 63;
    if (bit == 0 || bit == 63 || !astar_bits_get(&bits, x, y))
        return false;
    for (int dy = -1; dy <= 1; dy += 2)
        for (int dx = -1; dx <= 1; dx += 2)
            if (is_set(&bits, width, height, x + dx, y) &&
                is_set(&bits, width, height, x, y + dy) &&
                !is_set(&bits, width, height, x + dx, y + dy))
                return true;
    return false;
}

// Returns how the obstacles lie: random if one in 5 free cells is a turn, close if runs of free
// cells in rows and columns have at most 24 cells on average.
static AstarObstacles expected_obstacles(void)
{
    uint32_t free = 0, turns = 0, runs = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (!astar_bits_get(&bits, x, y))
                continue;
            free++;
            turns += is_turn(x, y);
            runs += !is_set(&bits, width, height, x - 1, y);
            runs += !is_set(&bits, width, height, x, y - 1);
        }
    if (free > 0 && turns * 5 >= free)
        return ASTAR_OBSTACLES_RANDOM;
    return runs * 24 >= 2 * free ? ASTAR_OBSTACLES_CLOSE : ASTAR_OBSTACLES_APART;
}

// Squares whose first cell is the last bit of a word are not counted.
static bool is_narrow(void)
{
    uint32_t free = 0, squares = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            bool has_space = ((x + 1) & 63) != 63;
            free += astar_bits_get(&bits, x, y);
            for (int i = 0; i < 4; i++)
                has_space = has_space && is_set(&bits, width, height, x + i % 2, y + i / 2);
            squares += has_space;
        }
    return squares * 16 < free;
}

int main(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    static const int percents[] = {0, 30, 60, 66, 70, 80, 90, 95, 98, 99, 100};
    int scattered = 0, narrow = 0, apart = 0;
    for (int i = 0; i < SIDES; i++)
        for (int j = 0; j < 11; j++) {
            width = sides[i];
            height = 1 + random_below(&state, 80);
            bits = astar_bits_new(&allocator, width, height);
            CHECK(bits.words != NULL);
            put_random_bits(&bits, width, height, percents[j], &state);
            AstarObstacles expected = expected_obstacles();
            CHECK(expected == astar_obstacles_of(&bits, width, height));
            scattered += expected == ASTAR_OBSTACLES_RANDOM;
            apart += expected == ASTAR_OBSTACLES_APART;
            bool expected_narrow = is_narrow();
            AstarClutter seen = astar_look_at_clutter(&bits, width, height);
            CHECK(expected_narrow == astar_is_narrow(&seen));
            CHECK((expected == ASTAR_OBSTACLES_RANDOM) == astar_is_scattered(&seen));
            CHECK(seen.cells == (uint32_t)(width * height));
            narrow += expected_narrow;
            astar_bits_free(&allocator, &bits);
        }
    CHECK(scattered > 20 && narrow > 20 && apart > 5);
    return report();
}
