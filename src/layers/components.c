// components.c -- The connected components of the walkable cells of a map, kept up to date as cells
// change.
//
// A change of one cell may connect or separate cells far away: if a corridor is closed, another
// path between its ends may lead through any part of the map. The map is therefore divided into
// squares on several levels. The lowest squares are tiles of 16 x 16 cells, and each larger square
// consists of 4 x 4 squares. Each square stores its connected components. Only components that
// touch a side of the square (open components) can be connected to anything outside. The next
// larger square joins the open components of its parts along the seams between the parts
// (union-find), and ignores the closed ones. There are few open components, since only sides
// matter.
//
// A change recomputes one tile and the larger squares around it, up to the first square whose sides
// do not change. The work for a square is proportional to the length of its seams, so a change
// takes at worst time proportional to the side of the map. A flood fill takes time proportional to
// all cells.
//
// Labels of four bytes per cell would need more memory than the map itself. A cell stores one byte
// instead: the number of its component within the tile. Its label is found in one step per level,
// at the first square in which the component is closed.

#include "layers/components.h"

#include "layers/layer.h"
#include "map/grid.h"

#include <assert.h>
#include <string.h>

static_assert(ASTAR_MAX_SIDE <= 1 << (4 + 2 * (ASTAR_COMPONENT_LEVELS - 1)),
              "the largest square must hold any map");

static void count_squares(AstarComponents *c)
{
    uint32_t count = 0;
    int least = c->shape->wraps != 0
                    ? 2
                    : 1; // at least 2 tiles, so that a tile is never joined to itself
    for (c->levels = 0; c->levels < least || count - c->begin[c->levels - 1] > 1; c->levels++) {
        c->begin[c->levels] = count;
        count += astar_squares_along(c->width, c->levels) *
                 astar_squares_along(c->height, c->levels);
    }
    c->begin[c->levels] = count;
}

// Sets the directions in which cells are connected. With 'diagonal' cells are also connected at
// corners.
static void choose_joins(AstarComponents *c, bool diagonal)
{
    unsigned all = c->shape->has_corners && !diagonal ? ASTAR_STRAIGHTS : 0xFF;
    for (unsigned phase = 0; phase < 2; phase++)
        c->joins[phase] = (uint8_t)(c->shape->around[phase] & all);
    c->of_tile = (AstarTileJoins){.by_sides = all == ASTAR_STRAIGHTS};
    for (int i = 0; i < 4; i++)
        c->of_tile.sets[i / 2][i % 2] = c->joins[astar_phase(c->shape, i % 2, i / 2)];
}

// The following functions manage the memory of components.

AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out)
{
    const AstarAllocator *allocator = &grid->allocator;
    AstarComponents *c = astar_alloc(allocator, 1, sizeof *c);
    if (c == NULL)
        return ASTAR_NO_MEMORY;
    c->allocator = *allocator;
    c->shape = grid->shape;
    choose_joins(c, diagonal);
    c->width = grid->width;
    c->height = grid->height;
    count_squares(c);
    c->local_size = grid->cells;
    c->local = astar_alloc(allocator, c->local_size, 1);
    c->squares = astar_alloc(allocator, c->begin[c->levels], sizeof *c->squares);
    if (c->local == NULL || c->squares == NULL) {
        astar_components_free(c);
        return ASTAR_NO_MEMORY;
    }
    astar_components_outdate(c);
    *out = c;
    return ASTAR_OK;
}

AstarComponents *astar_components_copy(const AstarGrid *grid, bool diagonal,
                                       const AstarComponents *from)
{
    AstarComponents *c;
    bool is_whole = from != NULL && !astar_get(&from->stale) && from->overlay == NULL;
    if (!is_whole || astar_components_new(grid, diagonal, &c) != ASTAR_OK)
        return NULL;
    c->numbers = astar_alloc(&c->allocator, from->label_capacity, sizeof *c->numbers);
    if (c->numbers == NULL && from->label_capacity > 0) {
        astar_components_free(c);
        return NULL;
    }
    c->label_count = from->label_count;
    c->label_capacity = from->label_capacity;
    c->emptied = from->emptied;
    memcpy(c->local, from->local, grid->cells);
    memcpy(c->squares, from->squares, c->begin[c->levels] * sizeof *c->squares);
    if (from->label_count > 0)
        memcpy(c->numbers, from->numbers, from->label_count * sizeof *c->numbers);
    astar_put(&c->stale, false);
    return c;
}

void astar_components_free(AstarComponents *c)
{
    if (c == NULL)
        return;
    AstarAllocator allocator = c->allocator;
    if (c->overlay != NULL)
        astar_release(&allocator, c->overlay->squares, c->overlay->capacity,
                      sizeof *c->overlay->squares);
    astar_release(&allocator, c->overlay, 1, sizeof *c->overlay);
    astar_release(&allocator, c->local, c->local_size, 1);
    astar_release(&allocator, c->squares, c->begin[c->levels], sizeof *c->squares);
    astar_release(&allocator, c->numbers, c->label_capacity - c->first_label, sizeof *c->numbers);
    astar_release(&allocator, c, 1, sizeof *c);
}

size_t astar_components_bytes(const AstarComponents *c)
{
    if (c == NULL)
        return 0;
    size_t squares = c->overlay == NULL
                         ? c->begin[c->levels] * sizeof *c->squares
                         : sizeof *c->overlay + c->overlay->capacity * sizeof *c->overlay->squares;
    return sizeof *c + squares + c->local_size +
           (c->label_capacity - c->first_label) * sizeof *c->numbers;
}

// The following functions find the labels of components.

// Returns the label of the component that has the number 'number' in the square of level '*level'
// at (x, y). Stores in '*level' the level of the smallest square in which the component is closed.
static uint32_t label_of_number(const AstarComponents *c, int *level, int x, int y, uint32_t number)
{
    const AstarComponentSquare *square = astar_square_at(c, *level, x, y);
    if (number >= square->open)
        return square->first + number - (*level == 0 ? square->open : 0);
    for (++*level;; ++*level) {
        uint32_t counted = square->at + number;
        square = astar_square_at(c, *level, x, y);
        number = *astar_numbers_at(c, square->first + counted);
        if (number >= square->open)
            return square->first + number;
    }
}

// Returns the label of the component that has the number 'number' in the tile of (x, y).
static uint32_t label_of_local(const AstarComponents *c, int x, int y, uint32_t number)
{
    int level = 0;
    return label_of_number(c, &level, x, y, number);
}

uint32_t astar_components_label(const AstarComponents *c, int x, int y)
{
    assert(!astar_get(&c->stale));
    return label_of_local(c, x, y, astar_local_number(c, x, y));
}

bool astar_components_tile_may_have(const AstarComponents *c, int x, int y, uint32_t label)
{
    const AstarComponentSquare *tile = astar_square_at(c, 0, x, y);
    for (uint32_t number = 0; number < tile->open + tile->count; number++)
        if (label_of_local(c, x, y, number) == label)
            return true;
    return false;
}

int astar_components_level(const AstarComponents *c, int x, int y)
{
    assert(!astar_get(&c->stale));
    int level = 0;
    label_of_number(c, &level, x, y, astar_local_number(c, x, y));
    return level;
}

bool astar_components_square_has(const AstarComponents *c, int level, int x, int y, uint32_t label)
{
    const AstarComponentSquare *square = astar_square_at(c, level, x, y);
    for (uint32_t number = 0; number < square->open; number++) {
        int closed_at = level;
        if (label_of_number(c, &closed_at, x, y, number) == label)
            return true;
    }
    return false;
}

ASTAR_HOT bool astar_components_join(const AstarComponents *c, int x0, int y0, int x1, int y1)
{
    assert(!astar_get(&c->stale));
    if (c->overlay != NULL)
        return astar_components_label(c, x0, y0) == astar_components_label(c, x1, y1);
    uint32_t number = astar_local_number(c, x0, y0), other = astar_local_number(c, x1, y1);
    const AstarComponentSquare *square = astar_square_at(c, 0, x0, y0),
                               *beside = astar_square_at(c, 0, x1, y1);
    for (int level = 1; square != beside; level++) {
        // One of the two components ends inside its square, so they are not connected.
        if (number >= square->open || other >= beside->open)
            return false;
        uint32_t counted = square->at + number, other_counted = beside->at + other;
        square = astar_square_at(c, level, x0, y0);
        beside = astar_square_at(c, level, x1, y1);
        number = c->numbers[square->first + counted];
        other = c->numbers[beside->first + other_counted];
    }
    return number == other ||
           (number < square->open && other < square->open &&
            astar_components_label(c, x0, y0) == astar_components_label(c, x1, y1));
}

// The following functions mark the squares that an edit has changed.

void astar_components_outdate(AstarComponents *c)
{
    c->emptied = 0;
    c->label_count = 0;
    astar_put(&c->stale, true);
}

void astar_components_edited(AstarComponents *c, int x, int y, int width, int height)
{
    for (int row = y & ~(ASTAR_TILE - 1); row < y + height; row += ASTAR_TILE)
        for (int column = x & ~(ASTAR_TILE - 1); column < x + width; column += ASTAR_TILE)
            for (int level = 0; level < c->levels; level++) {
                AstarComponentSquare *square = astar_own_square(c, level, column, row);
                if (square->outdated)
                    break;
                square->outdated = true;
            }
    astar_put(&c->stale, true);
}

// The following functions find the squares of an overlay in a hash table.

AstarOverlaidSquare *astar_overlaid_square(const AstarComponentOverlay *overlay, uint32_t place)
{
    uint32_t at = place * 0x9E3779B1u;
    for (at ^= at >> 15;; at++) {
        AstarOverlaidSquare *square = &overlay->squares[at & (overlay->capacity - 1)];
        if (square->key == place + 1 || square->key == 0)
            return square;
    }
}

AstarComponentSquare *astar_overlay_square(const AstarComponentOverlay *overlay, uint32_t place)
{
    AstarOverlaidSquare *own = astar_overlaid_square(overlay, place);
    if (own->key == 0) {
        own->key = place + 1;
        own->square = overlay->under->squares[place];
        // The entries of 'numbers' belong to the components below the overlay and must not be
        // written.
        own->square.capacity = 0;
    }
    return &own->square;
}

uint8_t *astar_overlay_cells(AstarComponents *c, uint32_t place)
{
    AstarOverlaidSquare *own = astar_overlaid_square(c->overlay, place);
    own->cells = ++c->overlay->tile_count;
    return &c->local[(size_t)(own->cells - 1) * ASTAR_TILE * ASTAR_TILE];
}

void astar_overlay_bar(const AstarComponentOverlay *overlay, int x, int y,
                       uint16_t rows[ASTAR_TILE])
{
    for (size_t i = 0; i < overlay->count && overlay->is_barred; i++) {
        AstarRectangle r = astar_changed_cells(overlay, i);
        int west = r.x > x ? r.x - x : 0, east = r.x + r.width - x;
        int north = r.y > y ? r.y - y : 0, south = r.y + r.height - y;
        if (west >= ASTAR_TILE || east <= 0)
            continue;
        unsigned barred = (1u << (east < ASTAR_TILE ? east : ASTAR_TILE)) - (1u << west);
        for (int row = north; row < south && row < ASTAR_TILE; row++)
            rows[row] &= (uint16_t)~barred;
    }
}

// The connected components inside one tile.
//
// The components of a tile are found by a flood fill over rows of bits. A component grows from one
// cell. Row by row, downwards and upwards, all runs of set bits that touch the component are added,
// until no run is left to add. The number of operations per row does not depend on its bits, so
// branches are predicted well even among random obstacles.

enum { WHOLE_ROW = 0xFFFF };

// The bits of a tile that have no number yet, and the component that is growing. The bits and the
// component are arrays of rows.
typedef struct TileFlood {
    uint32_t rest[ASTAR_TILE], part[ASTAR_TILE];
    int first, last; // first and last row of the component
    const AstarTileJoins *joins;
    // For each direction, the set of cells of a row that are connected to their neighbours in this
    // direction, as bits. Index 0 is for even rows and index 1 for odd rows. Unused if all
    // directions are straight.
    uint16_t meeting[2][ASTAR_DIRECTIONS];
} TileFlood;

// Returns the runs of set bits in 'row' that contain at least one of 'bits'.
static uint32_t runs_over(uint32_t row, uint32_t bits)
{
    // The carry of the sum marks the upper end of each run.
    uint32_t runs = row & (((row + bits) ^ row) | bits);
    for (int by = 1; by < ASTAR_TILE; by <<= 1) {
        runs |= row & runs >> by;
        row &= row >> by;
    }
    return runs;
}

// Adds to the component the runs of row y that touch its cells in row 'beside'. Returns true if the
// component has grown.
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

// Sets the numbers of up to four cells to 'number': the cells whose bits in 'four' are set.
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

// Gives a number to the component that contains the lowest of 'bits' in row y, and removes the
// component from the bits without a number.
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

// Returns the cells of row y of a tile that lie at one of the sides in 'sides'.
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
    if (all == WHOLE_ROW) // as in most tiles on open ground
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

// The following functions update components: tiles first, and then squares merged from their parts.

enum {
    WORK_OF_A_SEAM = 16, // work per cell of the side of a square, for all seams of the square
    ALL_SIDES = ASTAR_WEST_SIDE | ASTAR_EAST_SIDE | ASTAR_NORTH_SIDE | ASTAR_SOUTH_SIDE
};

// Returns true if a cell is connected to its neighbour in a direction.
static bool meets_in(const AstarComponents *c, int x, int y, int direction)
{
    return (c->joins[astar_phase(c->shape, x, y)] >> direction & 1) != 0;
}

// Makes room for 'count' further entries of 'numbers'.
static bool reserve_numbers(AstarComponents *c, uint32_t count)
{
    if (c->label_capacity - c->label_count >= count)
        return true;
    size_t used = c->label_count - c->first_label, room = c->label_capacity - c->first_label;
    uint32_t *numbers = astar_array_resize(&c->allocator, c->numbers, used, sizeof *numbers, &room,
                                           used + used / 2 + count);
    if (numbers == NULL)
        return false;
    c->numbers = numbers;
    c->label_capacity = c->first_label + (uint32_t)room;
    return true;
}

// Gives a square a range of 'numbers' with at least 'count' entries and some spare ones.
static bool reserve_room(AstarComponents *c, AstarComponentSquare *square, uint32_t count)
{
    if (square->capacity >= count)
        return true;
    uint32_t capacity = square->capacity == 0 ? count : count + count / 4 + 4;
    if (!reserve_numbers(c, capacity))
        return false;
    square->first = c->label_count;
    square->capacity = capacity;
    c->label_count += capacity;
    return true;
}

// The following functions update tiles.

static uint16_t bits_of_tile(const AstarBits *bits, int x, int y, int width)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t bit = (size_t)(x + 1);
    unsigned shift = bit & 63;
    uint64_t word = row[bit >> 6] >> shift;
    if (shift + (unsigned)width > 64)
        word |= row[(bit >> 6) + 1] << (64 - shift);
    return (uint16_t)(word & (((uint64_t)1 << width) - 1));
}

// Returns the sides of a square that do not lie on the edge of the map.
static unsigned open_sides(const AstarComponents *c, int level, int x, int y)
{
    int shift = astar_square_shift(level), column = x >> shift, row = y >> shift;
    // A map that wraps around continues beyond its edges, except in the square that contains the
    // whole map.
    bool is_inner = level < c->levels - 1;
    bool east = is_inner && (c->shape->wraps & 1) != 0, south = is_inner && c->shape->wraps >= 2;
    return (east || column > 0 ? ASTAR_WEST_SIDE : 0) | (south || row > 0 ? ASTAR_NORTH_SIDE : 0) |
           (east || column < (c->width - 1) >> shift ? ASTAR_EAST_SIDE : 0) |
           (south || row < (c->height - 1) >> shift ? ASTAR_SOUTH_SIDE : 0);
}

// Returns the sides of a tile at which at least one cell has a new number.
static unsigned changed_sides(const AstarComponents *c, int x, int y, int width, int height,
                              const AstarTileLabels *labels)
{
    unsigned changed = 0;
    size_t all = (size_t)width, last = all - 1, stride;
    const uint8_t *local = astar_local_at(c, x, y, &stride);
    for (int row = 0; row < height; row++, local += stride) {
        const uint8_t *cells = labels->cells[row];
        changed |= (local[0] != cells[0] ? ASTAR_WEST_SIDE : 0) |
                   (local[last] != cells[last] ? ASTAR_EAST_SIDE : 0);
        if (row == 0 && memcmp(local, cells, all) != 0)
            changed |= ASTAR_NORTH_SIDE;
        if (row == height - 1 && memcmp(local, cells, all) != 0)
            changed |= ASTAR_SOUTH_SIDE;
    }
    return changed;
}

static void store_labels(AstarComponents *c, int x, int y, int width, int height,
                         const AstarTileLabels *labels)
{
    size_t stride = c->overlay != NULL ? ASTAR_TILE : (size_t)c->width;
    uint8_t *local = c->overlay != NULL ? astar_overlay_cells(c, astar_component_place(c, 0, x, y))
                                        : &c->local[(size_t)y * stride + (size_t)x];
    for (int row = 0; row < height; row++, local += stride) {
        if (width == ASTAR_TILE)
            memcpy(local, labels->cells[row], ASTAR_TILE);
        else
            memcpy(local, labels->cells[row], (size_t)width);
    }
}

// The result of updating a square.
typedef struct Change {
    AstarStatus status; // ASTAR_RUNNING if the work is used up; ASTAR_NO_MEMORY
    unsigned sides;     // sides at which at least one cell has a new number
} Change;

static Change update_tile(AstarComponents *c, const AstarBits *bits, AstarComponentSquare *tile,
                          int x, int y, int64_t *work)
{
    if (*work < 1)
        return (Change){.status = ASTAR_RUNNING};
    *work -= ASTAR_TILE * ASTAR_TILE;
    int width = c->width - x < ASTAR_TILE ? c->width - x : ASTAR_TILE;
    int height = c->height - y < ASTAR_TILE ? c->height - y : ASTAR_TILE;
    uint16_t rows[ASTAR_TILE] = {0};
    for (int row = 0; row < height; row++)
        rows[row] = bits_of_tile(bits, x, y + row, width);
    if (c->overlay != NULL)
        astar_overlay_bar(c->overlay, x, y, rows);
    AstarTileLabels labels;
    unsigned sides = open_sides(c, 0, x, y);
    astar_tile_label(rows, &c->of_tile, sides, width, height, &labels);
    tile->open = (uint32_t)labels.open;
    tile->count = (uint32_t)(labels.count - labels.open);
    if (!reserve_room(c, tile, tile->count))
        return (Change){.status = ASTAR_NO_MEMORY};
    // When a tile is labelled for the first time, its old numbers are not read, because their
    // memory has never been written.
    if (!tile->is_changed)
        sides &= changed_sides(c, x, y, width, height, &labels);
    store_labels(c, x, y, width, height, &labels);
    tile->outdated = tile->is_changed = false;
    return (Change){.sides = sides};
}

// The following functions merge squares from their parts.

// A square that is being merged. The open components of its parts are numbered consecutively. Each
// component has a link to a component to which it is connected. Following the links leads to the
// connected component with the lowest number.
typedef struct Merge {
    const AstarComponents *c;
    uint32_t *links;
    int level;
    int x0, y0, x1, y1; // first and last column and row of the part of the square inside the map
} Merge;

// Mark in the link of the first component of a connected group. The mark means that the group
// touches a side of the square.
static const uint32_t TOUCHES_SIDE = (uint32_t)1 << 31;

// Converts the number of an open component of a tile to its number among the parts of a larger
// square. The conversion looks up one table per level.
typedef struct Ascent {
    const uint32_t *numbers[ASTAR_COMPONENT_LEVELS];
    int count;
    uint32_t at; // offset that is added after the last table
    // Number of squares, from the tile upwards without a gap, that have a single open component.
    int whole;
} Ascent;

static void ascend(const Merge *merge, int x, int y, Ascent *ascent)
{
    const AstarComponents *c = merge->c;
    const AstarComponentSquare *part = astar_square_at(c, 0, x, y);
    ascent->count = merge->level - 1;
    ascent->whole = part->open == 1;
    for (int level = 1; level < merge->level; level++) {
        const AstarComponentSquare *square = astar_square_at(c, level, x, y);
        ascent->numbers[level - 1] = astar_numbers_at(c, square->first) + part->at;
        ascent->whole += ascent->whole == level && square->open == 1;
        part = square;
    }
    ascent->at = part->at;
}

static inline uint32_t counted_by(const Ascent *ascent, uint32_t number)
{
    for (int i = 0; i < ascent->count; i++)
        number = ascent->numbers[i][number];
    return ascent->at + number;
}

// Returns the number of cells from position 'at' on a seam to the end of the square there. The
// square has the level 'whole' - 1.
static inline int rest_of_whole(int whole, int at)
{
    int side = 1 << astar_square_shift(whole - 1);
    return side - (at & (side - 1));
}

// Returns the number of a cell's open component among the parts of the square that is being merged.
// The cell lies at the side of a part.
static uint32_t counted_at(const Merge *merge, int x, int y)
{
    Ascent ascent;
    ascend(merge, x, y, &ascent);
    return counted_by(&ascent, astar_local_number(merge->c, x, y));
}

static uint32_t first_link(uint32_t *links, uint32_t node)
{
    while (links[node] != node)
        node = links[node] = links[links[node]];
    return node;
}

static void link_components(const Merge *merge, uint32_t a, uint32_t b)
{
    a = first_link(merge->links, a);
    b = first_link(merge->links, b);
    merge->links[a < b ? b : a] = a < b ? a : b;
}

// Moves a cell to the other side of a seam. On a map that wraps around, each edge is a seam to the
// opposite edge.
static inline void cross_seam(const AstarComponents *c, bool upright, int *x, int *y)
{
    if (upright)
        *x = *x > 0 ? *x - 1 : c->width - 1;
    else
        *y = *y > 0 ? *y - 1 : c->height - 1;
}

// Links the components of two cells that touch only at a corner on a seam. The other two cells at
// this corner do not connect them.
static void link_corner(const Merge *merge, int x, int y, int other_x, int other_y)
{
    link_components(merge, counted_at(merge, x, y), counted_at(merge, other_x, other_y));
}

// Links components across two corners of a seam. Exactly one of two cells is set: the cell (x, y)
// at the seam if 'set', else the cell across the seam. The corners are those that these two cells
// share with the two cells before them along the seam.
static void link_corners(const Merge *merge, bool upright, int x, int y, bool set)
{
    const AstarComponents *c = merge->c;
    int dx = !upright, dy = upright, other_x = x, other_y = y;
    cross_seam(c, upright, &other_x, &other_y);
    bool was_set = astar_local_number(c, x - dx, y - dy) != ASTAR_NO_COMPONENT;
    bool was_other_set = astar_local_number(c, other_x - dx, other_y - dy) != ASTAR_NO_COMPONENT;
    if (set && was_other_set && !was_set && meets_in(c, x, y, 7))
        link_corner(merge, x, y, other_x - dx, other_y - dy);
    if (!set && was_set && !was_other_set && meets_in(c, x, y - 1, 5))
        link_corner(merge, other_x, other_y, x - dx, y - dy);
}

// Links components that touch across a seam between two tiles. The cells start at (x, y) and extend
// 'count' cells downwards if 'upright', else to the east. The corners that the first two cells
// share with the cells before them are included unless 'is_first' is true. Returns the number of
// processed cells. The number exceeds 'count' if two larger squares with a single open component
// each were linked as a whole.
static int link_tiles(const Merge *merge, bool upright, int x, int y, int count, bool is_first)
{
    const AstarComponents *c = merge->c;
    int dx = !upright, dy = upright, last = -1; // 'last' is the pair of numbers linked last
    int other_x = x, other_y = y;
    size_t stride, other_stride;
    cross_seam(c, upright, &other_x, &other_y);
    const uint8_t *here = astar_local_at(c, x, y, &stride);
    const uint8_t *before = astar_local_at(c, other_x, other_y, &other_stride);
    stride = upright ? stride : 1;
    other_stride = upright ? other_stride : 1;
    Ascent ascent, other_ascent;
    for (int i = 0; i < count; i++, here += stride, before += other_stride) {
        bool set = *here != ASTAR_NO_COMPONENT, other_set = *before != ASTAR_NO_COMPONENT;
        if (set != other_set && !c->of_tile.by_sides && (i > 0 || !is_first))
            link_corners(merge, upright, x + dx * i, y + dy * i, set);
        int pair = *here << 8 | *before;
        if (!set || !other_set || pair == last ||
            !meets_in(c, x + dx * i, y + dy * i, upright ? 6 : 0))
            continue;
        if (last < 0) {
            ascend(merge, x, y, &ascent);
            ascend(merge, other_x, other_y, &other_ascent);
        }
        link_components(merge, counted_by(&ascent, *here), counted_by(&other_ascent, *before));
        int whole = ascent.whole < other_ascent.whole ? ascent.whole : other_ascent.whole;
        if (whole > 0)
            return rest_of_whole(whole, upright ? y : x);
        last = pair;
    }
    return count;
}

static void link_seam(const Merge *merge, bool upright, int x, int y, int count)
{
    for (int i = 0; i < count;) {
        int at_x = upright ? x : x + i, at_y = upright ? y + i : y;
        int rest = count - i < ASTAR_TILE ? count - i : ASTAR_TILE;
        i += link_tiles(merge, upright, at_x, at_y, rest, i == 0);
    }
}

static void link_far_corner(const Merge *merge, int x, int y, int other_x, int other_y)
{
    const AstarComponents *c = merge->c;
    if (!c->of_tile.by_sides && astar_local_number(c, x, y) != ASTAR_NO_COMPONENT &&
        astar_local_number(c, other_x, other_y) != ASTAR_NO_COMPONENT)
        link_corner(merge, x, y, other_x, other_y);
}

// Links components that touch across the edges of a map that wraps around.
static void link_edges(const Merge *merge)
{
    unsigned wraps = merge->c->shape->wraps;
    if (merge->level < merge->c->levels - 1)
        return;
    if ((wraps & 1) != 0)
        link_seam(merge, true, 0, 0, merge->y1 + 1);
    if ((wraps & 2) != 0)
        link_seam(merge, false, 0, 0, merge->x1 + 1);
    if (wraps == 3) {
        link_far_corner(merge, 0, 0, merge->x1, merge->y1);
        link_far_corner(merge, merge->x1, 0, 0, merge->y1);
    }
}

static void link_seams(const Merge *merge)
{
    link_edges(merge);
    int side = 1 << astar_square_shift(merge->level - 1);
    for (int x = merge->x0 + side; x <= merge->x1; x += side)
        link_seam(merge, true, x, merge->y0, merge->y1 - merge->y0 + 1);
    for (int y = merge->y0 + side; y <= merge->y1; y += side)
        link_seam(merge, false, merge->x0, y, merge->x1 - merge->x0 + 1);
}

// Marks the groups of connected components whose cells touch one side of the square.
static void mark_side(const Merge *merge, bool upright, int x, int y)
{
    const AstarComponents *c = merge->c;
    Ascent ascent = {.count = 0};
    int last = -1, *along = upright ? &y : &x, end = upright ? merge->y1 : merge->x1;
    for (; *along <= end; ++*along) {
        int number = astar_local_number(c, x, y);
        if ((*along & (ASTAR_TILE - 1)) == 0)
            last = -1;
        if (number == ASTAR_NO_COMPONENT || number == last)
            continue;
        if (last < 0)
            ascend(merge, x, y, &ascent);
        uint32_t *links = merge->links, node = counted_by(&ascent, (uint32_t)number);
        while ((links[node] & ~TOUCHES_SIDE) != node)
            node = links[node];
        links[node] |= TOUCHES_SIDE;
        last = number;
        if (ascent.whole > 0)
            *along += rest_of_whole(ascent.whole, *along) - 1;
    }
}

static void mark_sides(const Merge *merge)
{
    unsigned sides = open_sides(merge->c, merge->level, merge->x0, merge->y0);
    if ((sides & ASTAR_WEST_SIDE) != 0)
        mark_side(merge, true, merge->x0, merge->y0);
    if ((sides & ASTAR_EAST_SIDE) != 0)
        mark_side(merge, true, merge->x1, merge->y0);
    if ((sides & ASTAR_NORTH_SIDE) != 0)
        mark_side(merge, false, merge->x0, merge->y0);
    if ((sides & ASTAR_SOUTH_SIDE) != 0)
        mark_side(merge, false, merge->x0, merge->y1);
}

// Replaces the links of components by their final numbers: open components get numbers from 0
// upwards, closed ones from 'count' - 1 downwards. The component that a link leads to comes first
// and has its number already. Returns the number of open components.
static uint32_t number_links(uint32_t *links, uint32_t count)
{
    uint32_t open = 0, closed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t link = links[i] & ~TOUCHES_SIDE;
        if (link < i)
            links[i] = links[link];
        else
            links[i] = (links[i] & TOUCHES_SIDE) != 0 ? open++ : count - ++closed;
    }
    return open;
}

enum { PARTS_OF_SQUARE = 16 }; // maximum number of parts of a square

// Numbers the open components of all parts of a square consecutively, and returns how many there
// are. Each part gets the number of its first open component. Stores in 'before' the first numbers
// that the parts had when the square was merged last, followed by 'counted', the number of
// components at that time.
static uint32_t count_parts(AstarComponents *c, const Merge *merge, uint32_t *before,
                            uint32_t counted)
{
    int side = 1 << astar_square_shift(merge->level - 1);
    uint32_t count = 0;
    for (int y = merge->y0; y <= merge->y1; y += side)
        for (int x = merge->x0; x <= merge->x1; x += side) {
            AstarComponentSquare *part = astar_own_square(c, merge->level - 1, x, y);
            *before++ = part->at;
            part->at = count;
            count += part->open;
        }
    *before = counted;
    return count;
}

// Returns the sides of a square that the part at (x, y) touches.
static unsigned sides_of_part(const Merge *merge, int x, int y)
{
    int side = 1 << astar_square_shift(merge->level - 1);
    return (x == merge->x0 ? ASTAR_WEST_SIDE : 0) | (y == merge->y0 ? ASTAR_NORTH_SIDE : 0) |
           (x + side > merge->x1 ? ASTAR_EAST_SIDE : 0) |
           (y + side > merge->y1 ? ASTAR_SOUTH_SIDE : 0);
}

// Returns the sides, out of 'sides', at which a number of the square has changed although the
// number of the part has not. A change from one closed component to another is ignored.
static unsigned renumbered_sides(const Merge *merge, unsigned sides, const uint32_t *before,
                                 const uint32_t *old, uint32_t old_open, uint32_t open)
{
    int side = 1 << astar_square_shift(merge->level - 1);
    unsigned changed = 0;
    for (int y = merge->y0; y <= merge->y1; y += side)
        for (int x = merge->x0; x <= merge->x1; x += side, before++) {
            const AstarComponentSquare *part = astar_square_at(merge->c, merge->level - 1, x, y);
            unsigned here = sides_of_part(merge, x, y) & sides & ~changed;
            for (uint32_t i = 0; here != 0 && i < part->open && before[0] + i < before[1]; i++) {
                uint32_t was = old[before[0] + i], is = merge->links[part->at + i];
                if (was != is && (was < old_open || is < open))
                    changed |= here;
            }
        }
    return changed;
}

// Merges a square from its parts.
static Change merge_parts(AstarComponents *c, AstarComponentSquare *square, Merge *merge,
                          int64_t *work)
{
    if (*work < 1)
        return (Change){.status = ASTAR_RUNNING};
    *work -= (int64_t)WORK_OF_A_SEAM << astar_square_shift(merge->level);
    uint32_t before[PARTS_OF_SQUARE + 1], first = square->first;
    uint32_t count = count_parts(c, merge, before, square->count);
    unsigned sides = square->changed, open_ones = open_sides(c, merge->level, merge->x0, merge->y0);
    square->changed = ALL_SIDES; // this value stays if memory runs out
    // The links are stored after all entries in use, so that the old numbers can be compared with
    // the new numbers.
    if (!reserve_room(c, square, count) || !reserve_numbers(c, count + 1))
        return (Change){.status = ASTAR_NO_MEMORY};
    uint32_t *links = merge->links = astar_numbers_at(c, c->label_count);
    for (uint32_t i = 0; i < count; i++)
        links[i] = i;
    link_seams(merge);
    mark_sides(merge);
    uint32_t open = number_links(links, count);
    sides |= renumbered_sides(merge, open_ones & ~sides, before, astar_numbers_at(c, first),
                              square->open, open);
    memcpy(astar_numbers_at(c, square->first), links, count * sizeof *links);
    square->count = count;
    square->open = open;
    return (Change){.sides = sides};
}

// Updates a square whose parts are up to date. If the work is used up, the squares updated so far
// are kept.
static Change update_square(AstarComponents *c, const AstarBits *bits, int level, int x, int y,
                            int64_t *work)
{
    AstarComponentSquare *square = astar_square_at(c, level, x, y);
    if (!square->outdated)
        return (Change){.sides = 0};
    if (level == 0)
        return update_tile(c, bits, square, x, y, work);
    int size = 1 << astar_square_shift(level), side = 1 << astar_square_shift(level - 1);
    Merge merge = {.c = c, .level = level, .x0 = x, .y0 = y};
    merge.x1 = c->width - x < size ? c->width - 1 : x + size - 1;
    merge.y1 = c->height - y < size ? c->height - 1 : y + size - 1;
    for (int part_y = y; part_y <= merge.y1; part_y += side)
        for (int part_x = x; part_x <= merge.x1; part_x += side) {
            Change part = update_square(c, bits, level - 1, part_x, part_y, work);
            if (part.status != ASTAR_OK)
                return part;
            square->is_changed |= part.sides != 0;
            square->changed |= (uint8_t)(part.sides & sides_of_part(&merge, part_x, part_y));
        }
    Change change = square->is_changed ? merge_parts(c, square, &merge, work)
                                       : (Change){.sides = square->changed};
    if (change.status != ASTAR_OK)
        return change;
    square->outdated = square->is_changed = false;
    square->changed = 0;
    return change;
}

// Resets all squares, so that all components are computed again. Stops when the work is used up.
static void empty_squares(AstarComponents *c, int64_t *work)
{
    for (; c->emptied < c->begin[c->levels] && *work > 0; c->emptied++, *work -= 4)
        c->squares[c->emptied] = (AstarComponentSquare){.outdated = true, .is_changed = true};
}

AstarStatus astar_components_advance(AstarComponents *c, const AstarBits *bits, int64_t *work)
{
    if (!astar_get(&c->stale))
        return ASTAR_OK;
    empty_squares(c, work);
    if (c->emptied < c->begin[c->levels])
        return ASTAR_RUNNING;
    Change change = update_square(c, bits, c->levels - 1, 0, 0, work);
    if (change.status == ASTAR_OK)
        astar_put(&c->stale, false);
    return change.status;
}

// Overlays: the components of a bitmap that differs from another bitmap in a few places.
//
// An overlay stores its own squares where the bitmaps differ, and the larger squares around them as
// far as an edit would have changed them. All other squares are read from the components below the
// overlay, which do not change. Creating an overlay takes as long as updating the components after
// an edit. The labels of an overlay continue after those of the components below.

enum { PARTS_OF_A_SQUARE = 16 };

// Returns how many squares of a level the rectangles of an overlay touch. A square that several
// rectangles touch is counted several times.
static size_t count_squares_in(const AstarComponentOverlay *overlay, int level)
{
    size_t count = 0;
    int shift = astar_square_shift(level);
    for (size_t i = 0; i < overlay->count; i++) {
        AstarRectangle r = astar_changed_cells(overlay, i);
        int across = ((r.x + r.width - 1) >> shift) - (r.x >> shift) + 1;
        int down = ((r.y + r.height - 1) >> shift) - (r.y >> shift) + 1;
        count += (size_t)across * (size_t)down;
    }
    return count;
}

// Allocates entries for all squares of an overlay that may change, so that no square moves in
// memory later.
static bool reserve_overlay(AstarComponents *c)
{
    AstarComponentOverlay *overlay = c->overlay;
    size_t tiles = count_squares_in(overlay, 0), all = tiles;
    for (int level = 1; level < c->levels; level++)
        all += PARTS_OF_A_SQUARE * count_squares_in(overlay, level);
    all = all + 1 < c->begin[c->levels] ? all + 1 : c->begin[c->levels];
    for (overlay->capacity = 2; overlay->capacity < 2 * all;)
        overlay->capacity *= 2;
    c->local_size = (tiles < c->begin[1] ? tiles : c->begin[1]) * ASTAR_TILE * ASTAR_TILE + 1;
    c->local = astar_alloc(&c->allocator, c->local_size, 1);
    overlay->squares = astar_alloc(&c->allocator, overlay->capacity, sizeof *overlay->squares);
    return c->local != NULL && overlay->squares != NULL;
}

// Marks the squares of an overlay that differ from the components below, and computes them.
static AstarStatus make_overlay(AstarComponents *c, const AstarBits *bits)
{
    int64_t work = ASTAR_ALL_WORK;
    if (!reserve_overlay(c))
        return ASTAR_NO_MEMORY;
    for (size_t i = 0; i < c->overlay->count; i++) {
        AstarRectangle r = astar_changed_cells(c->overlay, i);
        astar_components_edited(c, r.x, r.y, r.width, r.height);
    }
    return astar_components_advance(c, bits, &work);
}

ASTAR_COLD AstarStatus astar_components_over(const AstarComponents *under, const AstarBits *bits,
                                             const AstarComponentOverlay *changed,
                                             AstarComponents **out)
{
    AstarComponents *c = astar_alloc(&under->allocator, 1, sizeof *c);
    if (c == NULL)
        return ASTAR_NO_MEMORY;
    *c = *under;
    c->local = NULL;
    c->squares = NULL;
    c->numbers = NULL;
    c->local_size = 0;
    c->first_label = c->label_capacity = under->label_count;
    c->overlay = astar_alloc(&under->allocator, 1, sizeof *c->overlay);
    AstarStatus status = ASTAR_NO_MEMORY;
    if (c->overlay != NULL) {
        *c->overlay = *changed;
        c->overlay->under = under;
        status = make_overlay(c, bits);
    }
    if (status != ASTAR_OK)
        astar_components_free(c);
    else
        *out = c;
    return status;
}

// The following functions count the cells of a component.

// Returns how many cells of a square belong to component 'number' of the square.
ASTAR_COLD static uint64_t count_in_square(const AstarComponents *c, int level, int x0, int y0,
                                           uint32_t number)
{
    int size = 1 << astar_square_shift(level), part_size = size >> 2;
    int end_x = c->width - x0 < size ? c->width : x0 + size;
    int end_y = c->height - y0 < size ? c->height : y0 + size;
    uint64_t count = 0;
    size_t stride;
    const uint8_t *row = level == 0 ? astar_local_at(c, x0, y0, &stride) : NULL;
    for (int y = y0; row != NULL && y < end_y; y++, row += stride)
        for (int i = 0; i < end_x - x0; i++)
            count += row[i] == number;
    if (level == 0)
        return count;
    uint32_t first = astar_square_at(c, level, x0, y0)->first;
    for (int y = y0; y < end_y; y += part_size)
        for (int x = x0; x < end_x; x += part_size) {
            const AstarComponentSquare *part = astar_square_at(c, level - 1, x, y);
            for (uint32_t i = 0; i < part->open; i++)
                if (*astar_numbers_at(c, first + part->at + i) == number)
                    count += count_in_square(c, level - 1, x, y, i);
        }
    return count;
}

ASTAR_COLD uint64_t astar_components_count(const AstarComponents *c, int x, int y)
{
    uint32_t number = astar_local_number(c, x, y);
    int level = 0;
    for (;; level++) {
        const AstarComponentSquare *square = astar_square_at(c, level, x, y);
        if (number >= square->open)
            break;
        uint32_t first = astar_square_at(c, level + 1, x, y)->first;
        number = *astar_numbers_at(c, first + square->at + number);
    }
    int outside = ~((1 << astar_square_shift(level)) - 1);
    return count_in_square(c, level, x & outside, y & outside, number);
}
