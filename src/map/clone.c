// clone.c -- Clones, replicas, snapshots and views: grids that share or copy the map of another
// grid.
//
// A clone starts as a view of the original grid. A clone needs only the memory of the struct of a
// grid, and layers built for one of the two grids serve both. The two grids separate before one of
// them is edited. If a clone is edited, it copies the map and the layers in use. Copying takes a
// small part of the time of building layers. If the original grid is edited, all its clones first
// get one copy of its map, which they share. The finders of a clone treat the separation as an edit
// that changed no cell.

#include "map/clone.h"

#include "map/blocks.h"
#include "map/grid.h"
#include "map/links_and_walls.h"

#include <stddef.h>
#include <string.h>

static size_t bytes_of_clone(const AstarGrid *grid)
{
    return sizeof *grid;
}

static void leave_list(AstarGrid *clone)
{
    AstarGrid *home = clone->home;
    astar_grid_lock(home); // other readers may clone 'home' at the same time
    AstarGrid **link = &home->copies.first;
    while (*link != clone)
        link = &(*link)->copies.next;
    *link = clone->copies.next;
    astar_grid_unlock(home);
    clone->copies.next = NULL;
    clone->copies.is_clone = false;
    clone->tie = NULL;
}

static void free_clone(AstarGrid *clone)
{
    leave_list(clone);
    astar_view_blind(clone);
}

static const AstarTie clone_tie = {bytes_of_clone, free_clone};

AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *home = grid->home, *clone;
    if (home != grid && !grid->copies.is_clone)
        return astar_grid_copy(grid, out); // a view of a map that another Lua state edits is copied
    AstarStatus status = astar_view_of(home, &clone);
    if (status != ASTAR_OK)
        return status;
    clone->copies.is_clone = true;
    clone->tie = &clone_tie;
    astar_grid_lock(home);
    clone->copies.next = home->copies.first;
    home->copies.first = clone;
    astar_grid_unlock(home);
    *out = clone;
    return ASTAR_OK;
}

// Copies those layers of an equal grid that are in use.
static void copy_layers(AstarGrid *grid, const AstarGrid *from)
{
    if (from->attachment != NULL)
        from->attachment->copy(grid, from);
}

// Gives all clones of a grid a copy of its map, which they share. Adds the bytes of the copy to
// '*bytes'.
static AstarStatus leave_to_clones(AstarGrid *grid, size_t *bytes)
{
    AstarGrid *copy;
    AstarStatus status = astar_grid_copy(grid, &copy);
    if (status != ASTAR_OK)
        return status;
    copy->copies.first = grid->copies.first;
    grid->copies.first = NULL;
    // True if a finder uses one of the clones. If no finder uses a clone, the clone may be garbage,
    // so its layers are not copied.
    bool is_held = false;
    for (AstarGrid *each = copy->copies.first; each != NULL; each = each->copies.next)
        is_held |= astar_get(&each->references) > 1;
    if (is_held) {
        copy_layers(copy, grid);
        astar_grid_note_edit(copy);
    }
    for (AstarGrid *each = copy->copies.first; each != NULL; each = each->copies.next)
        astar_view_show(each, copy);
    *bytes += astar_grid_bytes(copy);
    astar_grid_release(copy);
    return ASTAR_OK;
}

// Gives a clone a map of its own. Adds the bytes of the map to '*bytes'.
static AstarStatus leave_home(AstarGrid *clone, size_t *bytes)
{
    AstarGrid *home = clone->home, *copy;
    AstarStatus status = astar_grid_copy(home, &copy);
    if (status != ASTAR_OK)
        return status;
    leave_list(clone);
    astar_grid_retain(home);
    astar_view_adopt(clone, copy);
    copy_layers(clone, home);
    astar_grid_release(home);
    if (astar_get(&clone->references) > 1)
        astar_grid_note_edit(clone);
    *bytes += astar_grid_bytes(clone);
    return ASTAR_OK;
}

AstarStatus astar_grid_part(AstarGrid *grid, size_t *bytes)
{
    size_t taken = 0;
    AstarStatus status = grid->copies.first != NULL ? leave_to_clones(grid, &taken) : ASTAR_OK;
    if (status == ASTAR_OK && grid->copies.is_clone)
        status = leave_home(grid, &taken);
    if (bytes != NULL)
        *bytes = taken;
    return status;
}

bool astar_grid_may_change(AstarGrid *grid)
{
    return (grid->copies.first == NULL && !grid->copies.is_clone) ||
           astar_grid_part(grid, NULL) == ASTAR_OK;
}

// Replicas and snapshots.
//
// A replica is updated by comparison. The cells named in the logs of edits are compared with the
// grid, or all cells if the logs do not contain all edits since the last update. Each difference is
// applied to the replica as an edit. The grid therefore records nothing for its replicas, edits may
// be made in any order, and the edits of the replica update its layers as usual. Finally the
// replica takes over the version and the logs of the grid. A reader that switches between two
// replicas sees a single map that was edited meanwhile.
//
// A snapshot is copied row by row while the map may be edited. When all rows are copied, the
// snapshot is updated once like a replica, so edits need not record anything for it.

static void take_versions(AstarGrid *replica, const AstarGrid *grid)
{
    replica->palette_version = grid->palette_version;
    replica->links_and_walls_version = grid->links_and_walls_version;
    replica->has_all_layers = grid->has_all_layers;
    astar_grid_take_log(replica, grid);
}

AstarStatus astar_replica_new(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *replica;
    AstarStatus status = astar_grid_copy(grid, &replica);
    if (status != ASTAR_OK)
        return status;
    replica->is_replica = true;
    take_versions(replica, grid);
    *out = replica;
    return ASTAR_OK;
}

// The following functions update a replica.

static AstarStatus follow_palette(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (int i = 0; status == ASTAR_OK && i < grid->terrains.count; i++) {
        int added;
        if (i == replica->terrains.count)
            status = astar_grid_add_terrain(replica, grid->terrains.prices[i].asked, &added);
        if (status == ASTAR_OK)
            astar_grid_take_price(replica, i, grid->terrains.prices[i]);
    }
    return status;
}

// Copies the terrains and the layers of blocks that the replica lacks. These terrains and layers
// must exist before cells are copied.
static AstarStatus follow_kinds(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = follow_palette(replica, grid);
    return status == ASTAR_OK ? astar_blocks_follow_names(replica, grid) : status;
}

// Applies to the replica the edits that were logged since a version: first edits of terrain, then
// the edits of blocks, layer by layer.
static AstarStatus follow_edits(AstarGrid *replica, const AstarGrid *grid, uint64_t from)
{
    AstarStatus status = ASTAR_OK;
    AstarEditsSince edits = astar_edits_since(grid, 0, from);
    for (const AstarEdit *edit; status == ASTAR_OK && (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            status = astar_grid_copy_cells(replica, grid, edit->x, edit->y, edit->width,
                                           edit->height);
    return status;
}

static bool is_row_like(const AstarGrid *replica, const AstarGrid *grid, int y, int x, int width)
{
    uint32_t cell = astar_cell(grid, x, y);
    return memcmp(replica->ground + cell, grid->ground + cell, (size_t)width) == 0 &&
           astar_blocks_are_like(replica, grid, x, y, width);
}

// Compares all cells of the two grids. After many differences it copies the remaining rows as one
// edit.
static AstarStatus follow_cells(AstarGrid *replica, const AstarGrid *grid)
{
    enum { STRETCH = 64, MOST_EDITS = 1024 };
    AstarStatus status = ASTAR_OK;
    int edits = 0;
    for (int y = 0; status == ASTAR_OK && y < grid->height; y++) {
        if (is_row_like(replica, grid, y, 0, grid->width))
            continue;
        if (edits > MOST_EDITS)
            return astar_grid_copy_cells(replica, grid, 0, y, grid->width, grid->height - y);
        for (int x = 0, width; status == ASTAR_OK && x < grid->width; x += width) {
            width = grid->width - x < STRETCH ? grid->width - x : STRETCH;
            if (is_row_like(replica, grid, y, x, width))
                continue;
            status = astar_grid_copy_cells(replica, grid, x, y, width, 1);
            edits++;
        }
    }
    return status;
}

// Updates everything in a replica except links and walls to the present map of the grid.
static AstarStatus follow_since(AstarGrid *replica, const AstarGrid *grid, uint64_t from)
{
    AstarStatus status = follow_kinds(replica, grid);
    if (status != ASTAR_OK)
        return status;
    return astar_knows_edits_since(grid, 0, from) ? follow_edits(replica, grid, from)
                                                  : follow_cells(replica, grid);
}

AstarStatus astar_replica_follow(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = follow_since(replica, grid, replica->version);
    if (status == ASTAR_OK && replica->links_and_walls_version != grid->links_and_walls_version)
        status = astar_links_and_walls_follow(replica, grid);
    if (status == ASTAR_OK)
        take_versions(replica, grid);
    return status;
}

// The following functions make a snapshot in steps.

AstarStatus astar_snapshot_begin(AstarSnapshot *snapshot, AstarGrid *grid)
{
    AstarStatus status = astar_grid_new_shaped(&grid->allocator, grid->shape->offset, grid->width,
                                               grid->height, &snapshot->copy);
    if (status != ASTAR_OK)
        return status;
    astar_grid_retain(grid);
    snapshot->grid = grid;
    snapshot->rows = 0;
    snapshot->version = grid->version;
    snapshot->copy->is_replica = true;
    snapshot->copy->links_and_walls_version = grid->links_and_walls_version;
    return ASTAR_OK;
}

AstarStatus astar_snapshot_advance(AstarSnapshot *snapshot, int64_t *work)
{
    const AstarGrid *grid = snapshot->grid;
    for (; snapshot->rows < grid->height; snapshot->rows++, *work -= grid->width) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = follow_kinds(snapshot->copy, grid);
        if (status == ASTAR_OK)
            status = astar_grid_copy_cells(snapshot->copy, grid, 0, snapshot->rows, grid->width, 1);
        if (status == ASTAR_OK)
            status = astar_walls_copy(snapshot->copy, grid, snapshot->rows, 1);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

AstarStatus astar_snapshot_end(AstarSnapshot *snapshot)
{
    AstarGrid *grid = snapshot->grid, *copy = snapshot->copy;
    AstarStatus status = follow_since(copy, grid, snapshot->version);
    if (status == ASTAR_OK && copy->links_and_walls_version != grid->links_and_walls_version)
        status = astar_walls_copy(copy, grid, 0, grid->height);
    if (status == ASTAR_OK)
        status = astar_links_clone(grid, copy);
    if (status != ASTAR_OK)
        return status;
    take_versions(copy, grid);
    snapshot->grid = NULL;
    astar_grid_release(grid);
    return ASTAR_OK;
}

// Views.
//
// A view has the struct of a grid, but its fields about the map are copied from the grid that it
// shows. The view keeps its finders, searches and flows when it switches to another replica.

AstarStatus astar_view_of(AstarGrid *replica, AstarGrid **out)
{
    AstarGrid *view = astar_alloc(&replica->allocator, 1, sizeof *view);
    if (view == NULL)
        return ASTAR_NO_MEMORY;
    view->allocator = replica->allocator;
    astar_put(&view->references, 1);
    astar_mutex_init(&view->mutex);
    view->home = view;
    astar_view_show(view, replica);
    *out = view;
    return ASTAR_OK;
}

// Copies the fields of a grid about the map: all fields from 'shape' on.
static void copy_map(AstarGrid *view, const AstarGrid *replica)
{
    size_t own = offsetof(AstarGrid, shape);
    memcpy((char *)view + own, (const char *)replica + own, sizeof *view - own);
}

void astar_view_show(AstarGrid *view, AstarGrid *replica)
{
    AstarGrid *before = view->home;
    if (before == replica && view->version == replica->version)
        return;
    copy_map(view, replica);
    if (before == replica)
        return;
    astar_grid_retain(replica);
    view->home = replica;
    if (before != view)
        astar_grid_release(before);
}

// Makes a view show the map of 'map', which becomes the view's own, and releases the grid that the
// view showed before.
static void show_own(AstarGrid *view, const AstarGrid *map)
{
    AstarGrid *before = view->home;
    copy_map(view, map);
    view->home = view;
    astar_grid_release(before);
}

void astar_view_adopt(AstarGrid *view, AstarGrid *copy)
{
    show_own(view, copy);
    copy_map(copy, &(AstarGrid){0});
    astar_grid_release(copy);
}

void astar_view_blind(AstarGrid *view)
{
    show_own(view, &(AstarGrid){0});
}
