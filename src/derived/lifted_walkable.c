// lifted_walkable.c -- where a unit among its own blocks can stand, as bits.
//
// Only squares that overlap the unit's own are free without its blocks and not with them. A query
// of such a unit must not write to the map's bitmap, which others read, so it has a copy of it; but
// that is kept for the next query, which first takes back what the last one made of it, then makes
// up for the edits since. So a query costs what the unit and the edits take up, not the map. The
// components need no copy: those of the map hold, but for what the squares set join.

#include "derived/walkable.h"

#include "map/blocks.h"

#include <string.h>

// Cells from which on a copy of all bits is less work than making up for edits.
enum { LEAST_LARGE_CHANGE = 4096, LARGE_SHARE = 16 };

// The corners of the squares of a size that overlap a rectangle of cells.
static AstarRectangle corners_of(const AstarGrid *grid, int size, int x, int y, int width,
                                 int height)
{
    int x0 = x - size + 1 > 0 ? x - size + 1 : 0, y0 = y - size + 1 > 0 ? y - size + 1 : 0;
    int x1 = x + width < grid->width ? x + width : grid->width;
    int y1 = y + height < grid->height ? y + height : grid->height;
    return (AstarRectangle){x0, y0, x1 - x0, y1 - y0};
}

// ---- the squares that are free without the blocks ----

// The bits of the cells around the unit, as far as squares that overlap it reach, eroded; those
// that it covers count by their ground alone.
static AstarStatus erode_around_unit(const AstarGrid *grid, const AstarWalkable *base, int x, int y,
                                     AstarRectangle corners, AstarBits *out)
{
    int more = base->size - 1;
    int width = corners.width + more, height = corners.height + more;
    AstarBits bits = astar_bits_new(&grid->allocator, width, height);
    const AstarBits *cells = &(base->base != NULL ? base->base : base)->bits;
    if (bits.words == NULL)
        return ASTAR_NO_MEMORY;
    for (int row = 0; row < height && corners.y + row < grid->height; row++)
        for (int column = 0; column < width && corners.x + column < grid->width; column++)
            astar_bits_put(&bits, column, row,
                           astar_bits_get(cells, corners.x + column, corners.y + row));
    for (int row = y; row < y + base->size; row++)
        for (int column = x; column < x + base->size; column++)
            astar_bits_put(&bits, column - corners.x, row - corners.y,
                           astar_terrain_set_has(&base->enterable,
                                                 grid->ground[astar_cell(grid, column, row)]));
    astar_erode(&bits, height, base->size);
    *out = bits;
    return ASTAR_OK;
}

// ---- the copy ----

static bool open_lifted(const AstarGrid *grid, void *layer)
{
    AstarWalkable *copy = layer;
    copy->base->layer.references++;
    copy->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    return copy->bits.words != NULL;
}

// On no list: no edit repairs it.
static const AstarLayerKind lifted_kind = {
    .size = sizeof(AstarWalkable),
    .open = open_lifted,
    .close = astar_walkable_close,
    .bytes = astar_walkable_bytes,
};

static void copy_all(AstarWalkable *copy)
{
    const AstarBits *from = &copy->base->bits;
    memcpy(copy->bits.words, from->words, from->count * sizeof *from->words);
    astar_walkable_outdate(copy);
    astar_put(&copy->layer.stale, false);
}

static void copy_area(const AstarGrid *grid, AstarWalkable *copy, AstarRectangle area, int *most)
{
    astar_walkable_copy_area(grid, copy, &copy->base->bits, area.x, area.y, area.width, area.height,
                             most);
}

// Whether edits since leave most of the copy as it should be.
static bool can_catch_up(const AstarGrid *grid, const AstarWalkable *copy)
{
    const uint64_t ignored = copy->layer.ignored;
    if (astar_layer_is_stale(copy) || !astar_knows_edits_since(grid, ignored, copy->version))
        return false;
    uint64_t count = 0, most = LEAST_LARGE_CHANGE + grid->cells / LARGE_SHARE;
    AstarEditsSince edits = astar_edits_since(grid, ignored, copy->version);
    for (const AstarEdit *edit; count <= most && (edit = astar_next_edit(&edits)) != NULL;) {
        uint64_t width = (uint64_t)(edit->width + copy->size), height = (uint64_t)edit->height;
        count += edit->width > 0 ? width * (height + (uint64_t)copy->size) : 0;
    }
    return count <= most;
}

// Makes the copy the same as its base.
static void catch_up(const AstarGrid *grid, AstarWalkable *copy)
{
    if (!can_catch_up(grid, copy)) {
        copy_all(copy);
        return;
    }
    int size = copy->size, most = ASTAR_MOST_FLIPS;
    copy_area(grid, copy, corners_of(grid, size, copy->x, copy->y, size, size), &most);
    AstarEditsSince edits = astar_edits_since(grid, copy->layer.ignored, copy->version);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            copy_area(grid, copy,
                      corners_of(grid, size, edit->x, edit->y, edit->width, edit->height), &most);
}

static void forget_components(AstarWalkable *copy)
{
    for (int i = 0; i < 2; i++) {
        astar_components_free(copy->components[i]);
        astar_put(&copy->components[i], NULL);
    }
}

AstarStatus astar_walkable_lift(const AstarGrid *grid, AstarWalkable *base, int x, int y,
                                AstarWalkable **lifted)
{
    AstarRectangle corners = corners_of(grid, base->size, x, y, base->size, base->size);
    AstarBits squares;
    AstarStatus status = erode_around_unit(grid, base, x, y, corners, &squares);
    if (status != ASTAR_OK)
        return status;
    AstarWalkable *copy = *lifted;
    if (copy == NULL || copy->base != base) {
        AstarWalkable key = {.layer = {.kind = &lifted_kind, .ignored = base->layer.ignored},
                             .base = base,
                             .size = base->size};
        copy = astar_layer_acquire(grid, &key);
        if (copy == NULL) {
            astar_bits_free(&grid->allocator, &squares);
            return ASTAR_NO_MEMORY;
        }
        astar_layer_release(grid, *lifted);
    }
    forget_components(copy);
    catch_up(grid, copy);
    for (int row = 0; row < corners.height; row++)
        for (int column = 0; column < corners.width; column++)
            astar_walkable_put(copy, corners.x + column, corners.y + row,
                               astar_bits_get(&squares, column, row));
    astar_bits_free(&grid->allocator, &squares);
    copy->version = grid->version;
    copy->version_beside = astar_version_beside(grid, copy->layer.ignored);
    copy->x = x;
    copy->y = y;
    *lifted = copy;
    return ASTAR_OK;
}

AstarStatus astar_lifted_components(const AstarGrid *grid, AstarWalkable *lifted, bool diagonal,
                                    AstarComponents **out)
{
    AstarComponents *under, *patched = astar_get(&lifted->components[diagonal]);
    if (lifted->version_beside != astar_version_beside(grid, lifted->layer.ignored))
        return ASTAR_GRID_CHANGED;
    AstarStatus status = astar_walkable_components(grid, lifted->base, diagonal, &under);
    if (status == ASTAR_OK && patched == NULL) {
        int size = lifted->size;
        AstarRectangle lifts = corners_of(grid, size, lifted->x, lifted->y, size, size);
        status = astar_components_over(under, &lifted->bits,
                                       &(AstarComponentOverlay){.changed = &lifts, .count = 1},
                                       &patched);
        astar_put(&lifted->components[diagonal], patched);
    }
    *out = patched;
    return status;
}
