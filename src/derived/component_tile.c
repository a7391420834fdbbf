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

static void collect_runs(TileRuns *runs, const uint16_t rows[ASTAR_TILE])
{
    int count = 0;
    for (int y = 0; y < ASTAR_TILE; y++) {
        runs->begin[y] = count;
        for (uint32_t row = rows[y]; row != 0; count++) {
            int from = astar_lowest_bit(row), to = astar_lowest_bit(~(uint64_t)row >> from << from);
            runs->from[count] = (uint8_t)from;
            runs->to[count] = (uint8_t)(to - 1);
            runs->parent[count] = (uint8_t)count;
            runs->open[count] = 0;
            row &= ~(uint32_t)0 << to;
        }
    }
    runs->begin[ASTAR_TILE] = count;
}

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
    runs->parent[a < b ? b : a] = (uint8_t)(a < b ? a : b);
}

// Unites the runs of a row with those they touch in the row above; 'aside' is 1 where corners do.
static void unite_with_above(TileRuns *runs, int y, int aside)
{
    int above = runs->begin[y - 1], end = runs->begin[y];
    for (int run = end; run < runs->begin[y + 1]; run++) {
        while (above < end && runs->to[above] + aside < runs->from[run])
            above++;
        for (int i = above; i < end && runs->from[i] <= runs->to[run] + aside; i++)
            unite_runs(runs, run, i);
    }
}

// Marks the roots of the runs that touch one of the sides.
static void open_runs(TileRuns *runs, unsigned sides)
{
    for (int y = 0; y < ASTAR_TILE; y++) {
        bool whole = (y == 0 && (sides & ASTAR_NORTH_SIDE) != 0) ||
                     (y == ASTAR_TILE - 1 && (sides & ASTAR_SOUTH_SIDE) != 0);
        for (int run = runs->begin[y]; run < runs->begin[y + 1]; run++)
            if (whole || (runs->from[run] == 0 && (sides & ASTAR_WEST_SIDE) != 0) ||
                (runs->to[run] == ASTAR_TILE - 1 && (sides & ASTAR_EAST_SIDE) != 0))
                runs->open[root_of_run(runs, run)] = 1;
    }
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
    collect_runs(&runs, rows);
    for (int y = 1; y < ASTAR_TILE; y++)
        unite_with_above(&runs, y, diagonal);
    open_runs(&runs, sides);
    number_runs(&runs, labels);
    write_numbers(&runs, labels);
}
