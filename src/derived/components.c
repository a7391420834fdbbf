// components.c -- the connected components of a bitmap, kept current as bits flip.
//
// What one flip may cut apart, or join, cannot be told from near by: a corridor that is closed may
// have another way round anywhere. So the map is cut into squares of several levels, tiles of 16 x
// 16 cells and squares of 4 x 4 squares of the level below, and each square knows what hangs
// together inside of it. Of that only what touches a side of the square, the open components, can
// be joined further out: they alone count in the square above, of which a component is what hangs
// together of its parts' open ones along the seams between them (union-find). As only sides matter,
// there are few.
//
// A flip makes one tile anew and then each square around it, up to the first whose sides show
// nothing of it. The largest takes as long as its seams are long, the others together as long as
// that: in proportion to the side of the map at worst, where flooding is to all its cells.
//
// Labels of four bytes a cell would cost more than the map itself. A cell stores one byte, its
// component's number in the tile; from there it is one step a level to the first square in which
// its component is closed.
#include "derived/components.h"

#include "derived/component_squares.h"
#include "map/grid.h"

#include <assert.h>
#include <string.h>

static_assert(ASTAR_MAX_SIDE <= 1 << (4 + 2 * (ASTAR_COMPONENT_LEVELS - 1)),
              "the largest square must hold any map");

static void count_squares(AstarComponents *c)
{
    uint32_t count = 0;
    int least = c->shape->wraps != 0 ? 2 : 1; // tiles are not joined to themselves
    for (c->levels = 0; c->levels < least || count - c->begin[c->levels - 1] > 1; c->levels++) {
        c->begin[c->levels] = count;
        count += astar_squares_along(c->width, c->levels) *
                 astar_squares_along(c->height, c->levels);
    }
    c->begin[c->levels] = count;
}

// Says in which directions cells meet: all neighbours, at corners only where 'diagonal'.
static void choose_joins(AstarComponents *c, bool diagonal)
{
    unsigned all = c->shape->has_corners && !diagonal ? ASTAR_STRAIGHTS : 0xFF;
    for (unsigned phase = 0; phase < 2; phase++)
        c->joins[phase] = (uint8_t)(c->shape->around[phase] & all);
    c->of_tile = (AstarTileJoins){.by_sides = all == ASTAR_STRAIGHTS};
    for (int i = 0; i < 4; i++)
        c->of_tile.sets[i / 2][i % 2] = c->joins[astar_phase(c->shape, i % 2, i / 2)];
}

// ---- memory ----

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

// ---- labels ----

// The label of a component by its number in the tile of a cell.
static uint32_t label_of_local(const AstarComponents *c, int x, int y, uint32_t number)
{
    const AstarComponentSquare *square = astar_square_at(c, 0, x, y);
    if (number >= square->open)
        return square->first + number - square->open;
    for (int level = 1;; level++) {
        uint32_t counted = square->at + number;
        square = astar_square_at(c, level, x, y);
        number = *astar_numbers_at(c, square->first + counted);
        if (number >= square->open)
            return square->first + number;
    }
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

ASTAR_HOT bool astar_components_join(const AstarComponents *c, int x0, int y0, int x1, int y1)
{
    assert(!astar_get(&c->stale));
    if (c->overlay != NULL)
        return astar_components_label(c, x0, y0) == astar_components_label(c, x1, y1);
    uint32_t number = astar_local_number(c, x0, y0), other = astar_local_number(c, x1, y1);
    const AstarComponentSquare *square = astar_square_at(c, 0, x0, y0),
                               *beside = astar_square_at(c, 0, x1, y1);
    for (int level = 1; square != beside; level++) {
        if (number >= square->open || other >= beside->open) // it ends inside the square
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

// ---- edits ----

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
