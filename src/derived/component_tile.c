// component_tile.c -- the connected components inside one tile.
//
// By runs of set bits: each is united with those it touches in the row above (union-find), and
// takes the number of its root.

#include "derived/component_tile.h"

#include <assert.h>
#include <string.h>

enum { MOST_RUNS = ASTAR_TILE * ASTAR_TILE / 2 };

static_assert((int)MOST_RUNS <= (int)ASTAR_NO_COMPONENT, "a number must fit a byte");

typedef struct TileRuns {
    int begin[ASTAR_TILE + 1];                  // of each row the first; then the number of all
    uint8_t from[MOST_RUNS], to[MOST_RUNS];     // columns
    uint8_t parent[MOST_RUNS], open[MOST_RUNS]; // of a root: whether it touches one of the sides
    uint8_t number[MOST_RUNS];                  // of its component
} TileRuns;

static int root_of_run(TileRuns *runs, int run)
{
    while (runs->parent[run] != run)
        run = runs->parent[run] = runs->parent[runs->parent[run]];
    return run;
}

static void unite_runs(TileRuns *runs, int a, int b)
{
    a = root_of_run(runs, a);
    b = root_of_run(runs, b);
    int first = a < b ? a : b, second = a < b ? b : a;
    runs->parent[second] = (uint8_t)first;
    runs->open[first] |= runs->open[second];
}

// Whether a run touches one of the sides.
static bool is_open(int from, int to, int y, unsigned sides)
{
    return ((sides & ASTAR_WEST_SIDE) != 0 && from == 0) ||
           ((sides & ASTAR_EAST_SIDE) != 0 && to == ASTAR_TILE - 1) ||
           ((sides & ASTAR_NORTH_SIDE) != 0 && y == 0) ||
           ((sides & ASTAR_SOUTH_SIDE) != 0 && y == ASTAR_TILE - 1);
}

// Collects the runs of a row and unites them with those they touch in the row above, which begin
// with 'above'; 'aside' is 1 where corners touch. Returns the number of runs so far.
static int collect_row(TileRuns *runs, uint32_t row, int y, unsigned sides, int above, int aside)
{
    const int end = runs->begin[y];
    int count = end;
    for (; row != 0; count++) {
        int from = astar_lowest_bit(row), to = astar_lowest_bit(~(row >> from)) + from - 1;
        row &= ~(uint32_t)1 << to;
        runs->from[count] = (uint8_t)from;
        runs->to[count] = (uint8_t)to;
        runs->parent[count] = (uint8_t)count;
        runs->open[count] = is_open(from, to, y, sides);
        while (above < end && runs->to[above] + aside < from)
            above++;
        for (int i = above; i < end && runs->from[i] <= to + aside; i++)
            unite_runs(runs, i, count);
    }
    return count;
}

static void number_runs(TileRuns *runs, AstarTileLabels *labels)
{
    int all = runs->begin[ASTAR_TILE], open = 0, closed = 0;
    for (int run = 0; run < all; run++)
        open += runs->parent[run] == run && runs->open[run];
    labels->open = open;
    open = 0;
    for (int run = 0; run < all; run++) { // a parent comes before
        if (runs->parent[run] != run)
            runs->number[run] = runs->number[runs->parent[run]];
        else
            runs->number[run] = (uint8_t)(runs->open[run] ? open++ : labels->open + closed++);
    }
    labels->count = open + closed;
}

// What is written too much is written over by what comes next.
static void write_numbers(const TileRuns *runs, AstarTileLabels *labels)
{
    for (int y = 0; y < ASTAR_TILE; y++) {
        memset(labels->cells[y], ASTAR_NO_COMPONENT, ASTAR_TILE);
        for (int run = runs->begin[y]; run < runs->begin[y + 1]; run++) {
            uint8_t *cells = &labels->cells[0][0] + y * ASTAR_TILE;
            memset(cells + runs->from[run], runs->number[run], ASTAR_TILE);
            memset(cells + runs->to[run] + 1, ASTAR_NO_COMPONENT, ASTAR_TILE);
        }
    }
}

// A tile in which all bits are the same, as most are on open ground.
static void label_plain_tile(bool set, unsigned sides, AstarTileLabels *labels)
{
    memset(labels->cells, set ? 0 : ASTAR_NO_COMPONENT, sizeof labels->cells);
    labels->count = set;
    labels->open = set && sides != 0;
}

void astar_tile_label(const uint16_t rows[ASTAR_TILE], bool diagonal, unsigned sides,
                      AstarTileLabels *labels)
{
    unsigned all = 0xFFFF, any = 0;
    for (int y = 0; y < ASTAR_TILE; y++) {
        all &= rows[y];
        any |= rows[y];
    }
    if (all == 0xFFFF || any == 0) {
        label_plain_tile(any != 0, sides, labels);
        return;
    }
    TileRuns runs;
    runs.begin[0] = 0;
    for (int y = 0; y < ASTAR_TILE; y++)
        runs.begin[y + 1] = collect_row(&runs, rows[y], y, sides, runs.begin[y > 0 ? y - 1 : 0],
                                        diagonal);
    number_runs(&runs, labels);
    write_numbers(&runs, labels);
}
