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
    c->local_size = (tiles < c->begin[1] ? tiles : c->begin[1]) * ASTAR_TILE * ASTAR_TILE;
    c->local = astar_alloc(&c->allocator, c->local_size + 1, 1);
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
