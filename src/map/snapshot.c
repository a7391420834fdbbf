// snapshot.c -- Snapshots of a map, grids that show a snapshot, and clones.
//
// A snapshot is a grid that holds a copy of the map of another grid, as that map was at one
// version. Reference counts keep the memory of a snapshot. The marks of readers (snapshot_set.h)
// and the count 'holders' keep its map: only astar_snapshot_renew changes a complete snapshot, and
// only while no reader has marked it and nothing holds it. All code that needs the map of another
// thread, or the map of an earlier moment, reads a snapshot: clones, readers of a published map,
// worker threads, and jobs that edits would restart too often.

#include "map/snapshot.h"

#include "map/blocks.h"
#include "map/field.h"
#include "map/grid.h"
#include "map/links_and_walls.h"

#include <stddef.h>
#include <string.h>

// Snapshots that are made in one call.

static void take_versions(AstarGrid *snapshot, const AstarGrid *grid)
{
    snapshot->palette_version = grid->palette_version;
    snapshot->links_and_walls_version = grid->links_and_walls_version;
    snapshot->has_all_layers = grid->has_all_layers;
    astar_grid_take_log(snapshot, grid);
}

AstarStatus astar_snapshot_new(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *snapshot;
    AstarStatus status = astar_grid_copy(grid, &snapshot);
    if (status != ASTAR_OK)
        return status;
    snapshot->is_snapshot = true;
    take_versions(snapshot, grid);
    *out = snapshot;
    return ASTAR_OK;
}

// The functions below renew a snapshot: they apply the edits made since, so that its layers are
// repaired and need not be rebuilt.
//
// The cells named in the logs of edits are compared with the grid, or all cells if the logs do not
// contain all edits since the last update. Each difference is applied to the snapshot as an edit.
// The grid therefore records nothing for its snapshots, edits may be made in any order, and the
// edits of the snapshot update its layers as usual. Finally the snapshot takes over the version and
// the logs of the grid. A view that switches between two snapshots of one map meets the same
// versions and logs as if one map had been edited.

static AstarStatus follow_palette(AstarGrid *snapshot, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (int i = 0; status == ASTAR_OK && i < grid->terrains.count; i++) {
        int added;
        if (i == snapshot->terrains.count)
            status = astar_grid_add_terrain(snapshot, grid->terrains.prices[i].asked, &added);
        if (status == ASTAR_OK)
            astar_grid_take_price(snapshot, i, grid->terrains.prices[i]);
    }
    return status;
}

// Copies the terrains and the layers of blocks that the snapshot lacks. These terrains and layers
// must exist before cells are copied.
static AstarStatus follow_kinds(AstarGrid *snapshot, const AstarGrid *grid)
{
    AstarStatus status = follow_palette(snapshot, grid);
    return status == ASTAR_OK ? astar_blocks_follow_names(snapshot, grid) : status;
}

// Applies to the snapshot the edits that were logged since a version: first edits of terrain, then
// the edits of blocks, layer by layer.
static AstarStatus follow_edits(AstarGrid *snapshot, const AstarGrid *grid, uint64_t from)
{
    AstarStatus status = ASTAR_OK;
    AstarEditsSince edits = astar_edits_since(grid, 0, from);
    for (const AstarEdit *edit; status == ASTAR_OK && (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            status = astar_grid_copy_cells(snapshot, grid, edit->x, edit->y, edit->width,
                                           edit->height);
    return status;
}

static bool is_row_like(const AstarGrid *snapshot, const AstarGrid *grid, int y, int x, int width)
{
    uint32_t cell = astar_cell(grid, x, y);
    return memcmp(snapshot->ground + cell, grid->ground + cell, (size_t)width) == 0 &&
           astar_blocks_are_like(snapshot, grid, x, y, width);
}

// Compares all cells of the two grids. After many differences it copies the remaining rows as one
// edit.
static AstarStatus follow_cells(AstarGrid *snapshot, const AstarGrid *grid)
{
    enum { STRETCH = 64, MOST_EDITS = 1024 };
    AstarStatus status = ASTAR_OK;
    int edits = 0;
    for (int y = 0; status == ASTAR_OK && y < grid->height; y++) {
        if (is_row_like(snapshot, grid, y, 0, grid->width))
            continue;
        if (edits > MOST_EDITS)
            return astar_grid_copy_cells(snapshot, grid, 0, y, grid->width, grid->height - y);
        for (int x = 0, width; status == ASTAR_OK && x < grid->width; x += width) {
            width = grid->width - x < STRETCH ? grid->width - x : STRETCH;
            if (is_row_like(snapshot, grid, y, x, width))
                continue;
            status = astar_grid_copy_cells(snapshot, grid, x, y, width, 1);
            edits++;
        }
    }
    return status;
}

// Updates everything in a snapshot except links and walls to the present map of the grid.
static AstarStatus follow_since(AstarGrid *snapshot, const AstarGrid *grid, uint64_t from)
{
    AstarStatus status = follow_kinds(snapshot, grid);
    if (status != ASTAR_OK)
        return status;
    return astar_knows_edits_since(grid, 0, from) ? follow_edits(snapshot, grid, from)
                                                  : follow_cells(snapshot, grid);
}

AstarStatus astar_snapshot_renew(AstarGrid *snapshot, const AstarGrid *grid)
{
    AstarStatus status = follow_since(snapshot, grid, snapshot->version);
    if (status == ASTAR_OK && snapshot->links_and_walls_version != grid->links_and_walls_version)
        status = astar_links_and_walls_follow(snapshot, grid);
    if (status == ASTAR_OK)
        take_versions(snapshot, grid);
    return status;
}

// Snapshots that are made in steps.
//
// The rows of the map and of the field are copied while both may be edited. When all rows are
// copied, the edits made since the beginning are applied in the same call, so edits need not record
// anything for the copy. A grid that shows a snapshot already needs no copy of its map: that
// snapshot is held instead, at the moment at which the copy of the field is complete. The map and
// the field are therefore of the same moment in both cases.
//
// Several jobs may need a snapshot of the same grid. The grid refers to the snapshot that was begun
// last, so a job joins that snapshot while it is being made, or while the map has not been edited
// since. The mutex of the grid protects this reference, the counts and the progress of the copy,
// because several threads may run jobs on a grid that no thread edits.

// Returns true if a grid shows a snapshot in place of a map of its own.
static bool shows_snapshot(const AstarGrid *grid)
{
    return grid->home != grid && grid->home->is_snapshot;
}

// Returns true if a job that needs the present map and field may use a snapshot that exists.
static bool may_join(const AstarJobSnapshot *snapshot, const AstarField *field)
{
    const AstarGrid *grid = snapshot->grid;
    if (field != NULL && snapshot->from != field)
        return false;
    if (!snapshot->is_complete)
        return true;
    // Naming a layer of blocks is no edit, but a finder may ignore only layers that its map has.
    return snapshot->map->version == grid->version &&
           astar_grid_layer_count(snapshot->map) == astar_grid_layer_count(grid) &&
           (field == NULL || snapshot->field->version == field->version);
}

// Frees a snapshot that no job uses any more.
static void free_job_snapshot(AstarJobSnapshot *snapshot)
{
    AstarGrid *grid = snapshot->grid;
    if (snapshot->is_holding)
        astar_unmark(&snapshot->map->holders);
    astar_grid_release(snapshot->map);
    astar_field_release(snapshot->from);
    astar_field_release(snapshot->field);
    astar_release(&grid->allocator, snapshot, 1, sizeof *snapshot);
    astar_grid_release(grid);
}

// Creates a snapshot of which no row is copied yet.
static AstarStatus begin_snapshot(AstarGrid *grid, AstarField *field, AstarJobSnapshot **out)
{
    AstarJobSnapshot *snapshot = astar_alloc(&grid->allocator, 1, sizeof *snapshot);
    if (snapshot == NULL)
        return ASTAR_NO_MEMORY;
    astar_grid_retain(grid);
    snapshot->grid = grid;
    AstarStatus status = ASTAR_OK;
    if (field != NULL)
        status = astar_field_new_shaped(&field->allocator, field->shape->offset, field->width,
                                        field->height, &snapshot->field);
    if (status != ASTAR_OK) {
        free_job_snapshot(snapshot);
        return status;
    }
    if (field != NULL) {
        astar_field_retain(field);
        snapshot->from = field;
        snapshot->field_version = field->version;
    }
    *out = snapshot;
    return ASTAR_OK;
}

AstarStatus astar_snapshot_need(AstarGrid *grid, AstarField *field, AstarJobSnapshot **out)
{
    AstarStatus status = ASTAR_OK;
    astar_mutex_lock(&grid->mutex);
    AstarJobSnapshot *snapshot = grid->snapshot;
    if (snapshot == NULL || !may_join(snapshot, field))
        status = begin_snapshot(grid, field, &snapshot);
    if (status == ASTAR_OK) {
        snapshot->jobs++;
        grid->snapshot = snapshot;
        *out = snapshot;
    }
    astar_mutex_unlock(&grid->mutex);
    return status;
}

void astar_snapshot_leave(AstarJobSnapshot *snapshot)
{
    if (snapshot == NULL)
        return;
    AstarGrid *grid = snapshot->grid;
    astar_mutex_lock(&grid->mutex);
    bool is_last = --snapshot->jobs == 0;
    if (is_last && grid->snapshot == snapshot)
        grid->snapshot = NULL;
    astar_mutex_unlock(&grid->mutex);
    if (is_last)
        free_job_snapshot(snapshot);
}

size_t astar_snapshot_bytes(const AstarJobSnapshot *snapshot)
{
    if (snapshot == NULL)
        return 0;
    AstarGrid *grid = snapshot->grid;
    size_t bytes = sizeof *snapshot;
    astar_mutex_lock(&grid->mutex);
    if (snapshot->map != NULL && !snapshot->is_holding)
        bytes += astar_grid_bytes(snapshot->map);
    if (snapshot->field != NULL)
        bytes += astar_field_bytes(snapshot->field);
    bytes /= snapshot->jobs;
    astar_mutex_unlock(&grid->mutex);
    return bytes;
}

// Creates the grid into which the rows of a map are copied.
static AstarStatus begin_map(AstarJobSnapshot *snapshot)
{
    const AstarGrid *grid = snapshot->grid;
    AstarStatus status = astar_grid_new_shaped(&grid->allocator, grid->shape->offset, grid->width,
                                               grid->height, &snapshot->map);
    if (status != ASTAR_OK)
        return status;
    snapshot->map->is_snapshot = true;
    snapshot->map->links_and_walls_version = grid->links_and_walls_version;
    snapshot->version = grid->version;
    return ASTAR_OK;
}

// Copies further rows of the map. Returns ASTAR_RUNNING when '*work' is used up.
static AstarStatus copy_rows(AstarJobSnapshot *snapshot, int64_t *work)
{
    const AstarGrid *grid = snapshot->grid;
    AstarStatus status = snapshot->map == NULL ? begin_map(snapshot) : ASTAR_OK;
    for (; status == ASTAR_OK && snapshot->rows < grid->height; *work -= grid->width) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        status = follow_kinds(snapshot->map, grid);
        if (status == ASTAR_OK)
            status = astar_grid_copy_cells(snapshot->map, grid, 0, snapshot->rows, grid->width, 1);
        if (status == ASTAR_OK)
            status = astar_walls_copy(snapshot->map, grid, snapshot->rows, 1);
        if (status == ASTAR_OK)
            snapshot->rows++;
    }
    return status;
}

static void copy_values(const AstarJobSnapshot *snapshot, int x, int y, int width)
{
    size_t cell = (size_t)y * (size_t)snapshot->from->width + (size_t)x;
    memcpy(snapshot->field->values + cell, snapshot->from->values + cell,
           (size_t)width * sizeof *snapshot->field->values);
}

// Copies further rows of the field. Returns ASTAR_RUNNING when '*work' is used up.
static AstarStatus copy_field_rows(AstarJobSnapshot *snapshot, int64_t *work)
{
    const AstarField *from = snapshot->from;
    for (; from != NULL && snapshot->field_rows < from->height; *work -= from->width) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        copy_values(snapshot, 0, snapshot->field_rows++, from->width);
    }
    return ASTAR_OK;
}

// Applies all edits of the map that were made since its first row was copied.
static AstarStatus end_map(const AstarJobSnapshot *snapshot)
{
    const AstarGrid *grid = snapshot->grid;
    AstarGrid *map = snapshot->map;
    AstarStatus status = follow_since(map, grid, snapshot->version);
    if (status == ASTAR_OK && map->links_and_walls_version != grid->links_and_walls_version)
        status = astar_walls_copy(map, grid, 0, grid->height);
    if (status == ASTAR_OK)
        status = astar_links_clone(grid, map);
    if (status == ASTAR_OK)
        take_versions(map, grid);
    return status;
}

// Holds the snapshot that the grid shows, so that its map need not be copied.
static void hold_shown(AstarJobSnapshot *snapshot)
{
    // The rows that were copied before the grid began to show a snapshot are not needed any more. A
    // clone begins to show a snapshot when its original grid is edited.
    astar_grid_release(snapshot->map);
    snapshot->map = snapshot->grid->home;
    astar_grid_retain(snapshot->map);
    astar_mark(&snapshot->map->holders);
    snapshot->is_holding = true;
}

// Applies all changes of the field that were made since its first row was copied.
static void end_field(const AstarJobSnapshot *snapshot)
{
    const AstarField *from = snapshot->from;
    AstarField *field = snapshot->field;
    AstarEdit square;
    uint32_t tile = 0;
    while (astar_field_next_change(from, snapshot->field_version, &tile, &square))
        for (int y = square.y; y < astar_lesser(square.y + square.height, from->height); y++)
            copy_values(snapshot, square.x, y, astar_lesser(square.width, from->width - square.x));
    field->version = from->version;
    astar_field_extend(field, from->west, from->north, from->east, from->south);
}

static AstarStatus advance_locked(AstarJobSnapshot *snapshot, int64_t *work)
{
    if (snapshot->is_complete)
        return ASTAR_OK;
    AstarStatus status = ASTAR_OK;
    if (!shows_snapshot(snapshot->grid))
        status = copy_rows(snapshot, work);
    if (status == ASTAR_OK)
        status = copy_field_rows(snapshot, work);
    if (status == ASTAR_OK && shows_snapshot(snapshot->grid))
        hold_shown(snapshot);
    else if (status == ASTAR_OK)
        status = end_map(snapshot);
    if (status != ASTAR_OK)
        return status;
    if (snapshot->from != NULL)
        end_field(snapshot);
    snapshot->is_complete = true;
    return ASTAR_OK;
}

AstarStatus astar_snapshot_advance(AstarJobSnapshot *snapshot, int64_t *work)
{
    astar_mutex_lock(&snapshot->grid->mutex);
    AstarStatus status = advance_locked(snapshot, work);
    astar_mutex_unlock(&snapshot->grid->mutex);
    return status;
}

// Views: grids that show the map of another grid.
//
// A view has the struct of a grid, but its fields about the map are copied from the grid that it
// shows. The view keeps its finders, searches and flows when it switches to another grid. There are
// two kinds of views: clones, see below, and the views of a shared map, through which readers see
// it (shared_map.c). The public function astar_grid_is_view returns true for the second kind only.

AstarStatus astar_view_of(AstarGrid *shown, AstarGrid **out)
{
    AstarGrid *view = astar_alloc(&shown->allocator, 1, sizeof *view);
    if (view == NULL)
        return ASTAR_NO_MEMORY;
    view->allocator = shown->allocator;
    astar_put(&view->references, 1);
    astar_mutex_init(&view->mutex);
    view->home = view;
    astar_view_show(view, shown);
    *out = view;
    return ASTAR_OK;
}

// Copies the fields of a grid about the map: all fields from 'shape' on.
static void copy_map(AstarGrid *view, const AstarGrid *shown)
{
    size_t own = offsetof(AstarGrid, shape);
    memcpy((char *)view + own, (const char *)shown + own, sizeof *view - own);
}

void astar_view_show(AstarGrid *view, AstarGrid *shown)
{
    AstarGrid *before = view->home;
    if (before == shown && view->version == shown->version)
        return;
    copy_map(view, shown);
    if (before == shown)
        return;
    astar_grid_retain(shown);
    view->home = shown;
    if (before != view)
        astar_grid_release(before);
}

// Gives a view the map of the grid 'map' as its own, and releases the grid that the view showed
// before.
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
    copy_map(copy, &(AstarGrid){0}); // the copy loses its map, so its release does not free the map
    astar_grid_release(copy);
}

void astar_view_blind(AstarGrid *view)
{
    show_own(view, &(AstarGrid){0});
}

// Clones.
//
// A clone starts as a view of the original grid. A clone needs only the memory of the struct of a
// grid, and layers built for one of the two grids serve both. The two grids separate before one of
// them is edited. If a clone is edited, it copies the map and the layers in use. Copying takes a
// small part of the time of building layers. If the original grid is edited, all its clones first
// get one snapshot of its map, which they share. The finders of a clone treat the separation as an
// edit that changed no cell.

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
        return astar_grid_copy(grid, out); // a clone must not hold a published snapshot for long
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

// Copies those layers of a grid with the same map that are in use.
static void copy_layers(AstarGrid *grid, const AstarGrid *from)
{
    astar_grid_lock(from); // another thread may acquire the first layer of 'from' meanwhile
    const AstarAttachment *attachment = from->attachment;
    astar_grid_unlock(from);
    if (attachment != NULL)
        attachment->copy(grid, from);
}

// Makes all clones of a grid show a snapshot of its map, which they share. Adds the bytes of the
// snapshot to '*bytes'.
static AstarStatus leave_to_clones(AstarGrid *grid, size_t *bytes)
{
    AstarGrid *snapshot;
    AstarStatus status = astar_snapshot_new(grid, &snapshot);
    if (status != ASTAR_OK)
        return status;
    snapshot->copies.first = grid->copies.first;
    grid->copies.first = NULL;
    // True if a finder uses one of the clones. If no finder uses a clone, the clone may be garbage,
    // so its layers are not copied.
    bool is_held = false;
    for (AstarGrid *each = snapshot->copies.first; each != NULL; each = each->copies.next)
        is_held |= astar_get(&each->references) > 1;
    if (is_held) {
        copy_layers(snapshot, grid);
        astar_grid_note_edit(snapshot);
    }
    for (AstarGrid *each = snapshot->copies.first; each != NULL; each = each->copies.next)
        astar_view_show(each, snapshot);
    *bytes += astar_grid_bytes(snapshot);
    astar_grid_release(snapshot);
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
