// component_squares.h -- where the squares of components lie, for those who make them.

#ifndef ASTAR_COMPONENT_SQUARES_H
#define ASTAR_COMPONENT_SQUARES_H

#include "layers/components.h"

// The binary logarithm of a square's side in cells.
static inline int astar_square_shift(int level)
{
    return 4 + 2 * level;
}

// How many squares of a level a length takes.
static inline uint32_t astar_squares_along(int32_t length, int level)
{
    return ((uint32_t)(length - 1) >> astar_square_shift(level)) + 1;
}

// The place among all squares of the one of a level that (x, y) lies in.
static inline uint32_t astar_component_place(const AstarComponents *c, int level, int x, int y)
{
    int shift = astar_square_shift(level);
    return c->begin[level] + (uint32_t)(y >> shift) * astar_squares_along(c->width, level) +
           (uint32_t)(x >> shift);
}

// One of the rectangles in which an overlay's bits are others.
static inline AstarRectangle astar_changed_cells(const AstarComponentOverlay *overlay, size_t i)
{
    AstarRectangle r = overlay->changed[i];
    int west = r.x < overlay->wider ? r.x : overlay->wider;
    int north = r.y < overlay->wider ? r.y : overlay->wider;
    return (AstarRectangle){r.x - west, r.y - north, r.width + west, r.height + north};
}

// The entry of an overlay for a square, by its place; its key is 0 where it has none.
AstarOverlaidSquare *astar_overlaid_square(const AstarComponentOverlay *overlay, uint32_t place);
// The square of an overlay that is its own from now on.
AstarComponentSquare *astar_overlay_square(const AstarComponentOverlay *overlay, uint32_t place);
// The cells of a tile that is an overlay's own, from now on its own, too.
uint8_t *astar_overlay_cells(AstarComponents *c, uint32_t place);
// Clears the bits of a tile that an overlay bars.
void astar_overlay_bar(const AstarComponentOverlay *overlay, int x, int y,
                       uint16_t rows[ASTAR_TILE]);

// The square of a level that (x, y) lies in, to be read.
static inline AstarComponentSquare *astar_square_at(const AstarComponents *c, int level, int x,
                                                    int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    if (c->overlay == NULL)
        return &c->squares[place];
    AstarOverlaidSquare *own = astar_overlaid_square(c->overlay, place);
    return own->key != 0 ? &own->square : &c->overlay->under->squares[place];
}

// The same, to be written.
static inline AstarComponentSquare *astar_own_square(const AstarComponents *c, int level, int x,
                                                     int y)
{
    uint32_t place = astar_component_place(c, level, x, y);
    return c->overlay == NULL ? &c->squares[place] : astar_overlay_square(c->overlay, place);
}

// What a cell stores, followed by those to its east in the same tile; the rows of the tile are
// 'stride' apart.
static inline const uint8_t *astar_local_at(const AstarComponents *c, int x, int y, size_t *stride)
{
    const uint8_t *local = c->local;
    *stride = (size_t)c->width;
    if (c->overlay != NULL) {
        uint32_t cells =
            astar_overlaid_square(c->overlay, astar_component_place(c, 0, x, y))->cells;
        if (cells != 0) {
            *stride = ASTAR_TILE;
            x &= ASTAR_TILE - 1;
            y &= ASTAR_TILE - 1;
            local += (size_t)(cells - 1) * ASTAR_TILE * ASTAR_TILE;
        } else {
            local = c->overlay->under->local;
        }
    }
    return &local[(size_t)y * *stride + (size_t)x];
}

static inline uint8_t astar_local_number(const AstarComponents *c, int x, int y)
{
    size_t stride;
    return *astar_local_at(c, x, y, &stride);
}

// The numbers from one on, by what 'first' of a square counts.
static inline uint32_t *astar_numbers_at(const AstarComponents *c, uint32_t first)
{
    return first < c->first_label ? &c->overlay->under->numbers[first]
                                  : &c->numbers[first - c->first_label];
}

#endif
