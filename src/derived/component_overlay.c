// component_overlay.c -- the components of a bitmap that differs from another in a few places.
//
// An overlay has squares of its own where the bitmap differs and around those, as far as an edit
// would have made them anew, and reads all others where they are. So it takes what an edit does,
// and leaves what it is over untouched. Its labels go on where those of the other end.

#include "derived/component_squares.h"
#include "derived/layer.h"
#include "map/grid.h"

enum { PARTS_OF_A_SQUARE = 16 };

// How many squares of a level the rectangles lie in, some counted more than once.
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

// Makes room for all squares that there can be, so that none of them ever moves.
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

// Notes what is to be made anew, and makes it.
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

AstarStatus astar_components_over(const AstarComponents *under, const AstarBits *bits,
                                  const AstarComponentOverlay *changed, AstarComponents **out)
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

// ---- counting ----

// How many cells of a square are in a component of it, which goes through 'number'.
static uint64_t count_in_square(const AstarComponents *c, int level, int x0, int y0,
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

uint64_t astar_components_count(const AstarComponents *c, int x, int y)
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
