// component_tile.c -- the connected components inside one tile.
//
// Flood fill by rows of bits: from some cell on a component takes, row by row down and up again,
// all runs of set bits that touch what it has, until there are none. A row is a few operations
// whatever it looks like, so that even noise leaves a processor little to guess.

#include "derived/components.h"

#include <string.h>

enum { WHOLE_ROW = 0xFFFF };

// What is left of a tile, and a component that grows in it; both as bits by row.
typedef struct TileFlood {
    uint32_t rest[ASTAR_TILE], part[ASTAR_TILE];
    int first, last; // rows of the component
    const AstarTileJoins *joins;
    uint16_t meeting[2][ASTAR_DIRECTIONS]; // cells of even and odd rows, unless all go by sides
} TileFlood;

// The runs of set bits of a row that some of these bits lie in.
static uint32_t runs_over(uint32_t row, uint32_t bits)
{
    uint32_t runs = row & (((row + bits) ^ row) | bits); // a sum carries to the upper end of a run
    for (int by = 1; by < ASTAR_TILE; by <<= 1) {
        runs |= row & runs >> by;
        row &= row >> by;
    }
    return runs;
}

// Adds the runs of a row that touch those of another beside it; true if there are any.
static bool grow_row(TileFlood *flood, int y, int beside)
{
    uint32_t touched = flood->part[beside];
    if (!flood->joins->by_sides) {
        const uint16_t *cells = flood->meeting[beside & 1];
        int straight = y > beside ? 4 : 0, east = y > beside ? 3 : 1, west = 8 - east;
        touched = (touched & cells[straight]) | (touched & cells[east]) << 1 |
                  (touched & cells[west]) >> 1;
    }
    touched &= flood->rest[y];
    if ((touched & ~flood->part[y]) == 0)
        return false;
    flood->part[y] = runs_over(flood->rest[y], touched | flood->part[y]);
    return true;
}

static bool grow_down(TileFlood *flood)
{
    bool grows = false;
    for (int y = flood->first + 1; y <= flood->last + 1 && y < ASTAR_TILE; y++)
        if (grow_row(flood, y, y - 1)) {
            grows = true;
            flood->last = y > flood->last ? y : flood->last;
        }
    return grows;
}

static bool grow_up(TileFlood *flood)
{
    bool grows = false;
    for (int y = flood->last - 1; y >= flood->first - 1 && y >= 0; y--)
        if (grow_row(flood, y, y + 1)) {
            grows = true;
            flood->first = y < flood->first ? y : flood->first;
        }
    return grows;
}

// Gives those of four cells, one a bit, a number.
static void number_four(uint8_t cells[4], uint32_t four, int number)
{
    static const uint8_t bytes[16][4] = {
        {0, 0, 0, 0},     {255, 0, 0, 0},     {0, 255, 0, 0},     {255, 255, 0, 0},
        {0, 0, 255, 0},   {255, 0, 255, 0},   {0, 255, 255, 0},   {255, 255, 255, 0},
        {0, 0, 0, 255},   {255, 0, 0, 255},   {0, 255, 0, 255},   {255, 255, 0, 255},
        {0, 0, 255, 255}, {255, 0, 255, 255}, {0, 255, 255, 255}, {255, 255, 255, 255},
    };
    uint32_t mask, old;
    memcpy(&mask, bytes[four], sizeof mask);
    memcpy(&old, cells, sizeof old);
    old = (old & ~mask) | ((uint32_t)number * 0x01010101 & mask);
    memcpy(cells, &old, sizeof old);
}

// Numbers the component that the lowest of some bits of a row is in, and takes it from the rest.
static void take_part(TileFlood *flood, int y, uint32_t bits, AstarTileLabels *labels)
{
    memset(flood->part, 0, sizeof flood->part);
    flood->first = flood->last = y;
    flood->part[y] = runs_over(flood->rest[y], bits & (~bits + 1));
    grow_down(flood);
    while (grow_up(flood) && grow_down(flood))
        ;
    for (int row = flood->first; row <= flood->last; row++) {
        for (int x = 0; x < ASTAR_TILE; x += 4)
            number_four(&labels->cells[row][x], flood->part[row] >> x & 0xF, labels->count);
        flood->rest[row] &= ~flood->part[row];
    }
    labels->count++;
}

// The cells of a row at some of the sides of a tile of so many rows and columns.
static uint32_t cells_at_sides(int y, unsigned sides, int width, int height)
{
    if ((y == 0 && (sides & ASTAR_NORTH_SIDE) != 0) ||
        (y == height - 1 && (sides & ASTAR_SOUTH_SIDE) != 0))
        return WHOLE_ROW;
    return ((sides & ASTAR_WEST_SIDE) != 0 ? 1 : 0) |
           ((sides & ASTAR_EAST_SIDE) != 0 ? 1u << (width - 1) : 0);
}

void astar_tile_label(const uint16_t rows[ASTAR_TILE], const AstarTileJoins *joins, unsigned sides,
                      int width, int height, AstarTileLabels *labels)
{
    TileFlood flood = {.joins = joins};
    uint32_t all = WHOLE_ROW, bits;
    for (int y = 0; y < ASTAR_TILE; y++)
        all &= flood.rest[y] = rows[y];
    labels->count = all == WHOLE_ROW;
    labels->open = all == WHOLE_ROW && sides != 0;
    memset(labels->cells, all == WHOLE_ROW ? 0 : ASTAR_NO_COMPONENT, sizeof labels->cells);
    if (all == WHOLE_ROW) // as most are on open ground
        return;
    for (int i = 0; i < 2 * ASTAR_DIRECTIONS && !joins->by_sides; i++)
        flood.meeting[i / 8][i & 7] = (uint16_t)((joins->sets[i / 8][0] >> (i & 7) & 1) * 0x5555 +
                                                 (joins->sets[i / 8][1] >> (i & 7) & 1) * 0xAAAA);
    for (int y = 0; y < ASTAR_TILE; y++)
        while ((bits = flood.rest[y] & cells_at_sides(y, sides, width, height)) != 0)
            take_part(&flood, y, bits, labels);
    labels->open = labels->count;
    for (int y = 0; y < ASTAR_TILE; y++)
        while ((bits = flood.rest[y]) != 0)
            take_part(&flood, y, bits, labels);
}
