// layer.c -- what is derived of a grid: built when first needed, shared, and kept current.

#include "layers/layer.h"

#include <assert.h>

// Finders of a view leave the layers of a copy when they go on to the next, and are soon back.
enum { SPARES_OF_REPLICA = 16 };

// The lists are no part of the map's value: readers change them, one at a time.
static AstarLayer **list_of(const AstarGrid *grid, int list)
{
    return &grid->home->layers[list];
}

static void free_layer(const AstarGrid *grid, AstarLayer *layer)
{
    layer->kind->close(grid, layer);
    astar_release(&grid->allocator, layer, 1, layer->kind->size);
}

static AstarLayer *new_layer(const AstarGrid *grid, const AstarLayer *key)
{
    AstarLayer *layer = astar_alloc(&grid->allocator, 1, key->kind->size);
    if (layer == NULL)
        return NULL;
    memcpy(layer, key, key->kind->size);
    layer->home = grid->home;
    astar_put(&layer->stale, true);
    if (!layer->kind->open(grid, layer)) {
        free_layer(grid, layer);
        return NULL;
    }
    return layer;
}

// Takes the layer like a key off its list; NULL when there is none.
static AstarLayer *unlink_like(AstarLayer **link, const AstarLayer *key)
{
    while (*link != NULL && !key->kind->is_like(*link, key))
        link = &(*link)->next;
    AstarLayer *layer = *link;
    if (layer != NULL)
        *link = layer->next;
    return layer;
}

// Takes one off a list that nobody has used for longer than 'spares' others; NULL when there is
// none.
static AstarLayer *unlink_surplus(AstarLayer **link, int spares)
{
    while (*link != NULL && ((*link)->references > 0 || --spares >= 0))
        link = &(*link)->next;
    AstarLayer *layer = *link;
    if (layer != NULL)
        *link = layer->next;
    return layer;
}

// A layer that is freed may leave another one, of the same list even, that nobody uses.
static void free_surplus(const AstarGrid *grid, int list, int spares)
{
    for (AstarLayer *layer; (layer = unlink_surplus(list_of(grid, list), spares)) != NULL;)
        free_layer(grid, layer);
}

// ---- what the grid does with all of them ----

// Whether an edit, perhaps of a layer of blocks, is to be made up for.
static bool concerns(uint64_t blocks, const AstarLayer *layer)
{
    return (blocks & layer->ignored) == 0 && astar_layer_is_begun(layer);
}

// Those that may be built from others come after them, and look at their flags.
static void edit_layers(AstarGrid *grid, const AstarEdit *edit, uint64_t blocks)
{
    for (int i = 0; i < ASTAR_LAYER_LISTS; i++) {
        for (AstarLayer *each = grid->layers[i]; each != NULL; each = each->next)
            if (concerns(blocks, each) && each->kind->is_outdated != NULL &&
                each->kind->is_outdated(grid, each, edit)) {
                astar_put(&each->stale, true);
                each->built = 0;
            }
        for (AstarLayer *each = grid->layers[i]; each != NULL; each = each->next)
            if (concerns(blocks, each) && each->kind->repair != NULL)
                each->kind->repair(grid, each, edit);
    }
}

static void reprice_layers(AstarGrid *grid)
{
    for (int i = 0; i < ASTAR_LAYER_LISTS; i++)
        for (AstarLayer *each = grid->layers[i]; each != NULL; each = each->next)
            if (each->kind->reprice != NULL)
                each->kind->reprice(grid, each);
}

static size_t count_layers(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (int i = 0; i < ASTAR_LAYER_LISTS; i++)
        for (const AstarLayer *each = grid->layers[i]; each != NULL; each = each->next)
            bytes += astar_layer_bytes(grid, each);
    return bytes;
}

static void free_layers(AstarGrid *grid)
{
    for (int i = ASTAR_LAYER_LISTS; i-- > 0;) {
        free_surplus(grid, i, 0);
        assert(grid->layers[i] == NULL);
    }
}

// Those in use; the original is locked meanwhile.
static void copy_layers_in_use(AstarGrid *grid, const AstarGrid *from)
{
    astar_grid_lock(from);
    for (int i = 0; i < ASTAR_LAYER_LISTS; i++)
        for (const AstarLayer *each = from->layers[i]; each != NULL; each = each->next)
            if (each->kind->copy != NULL && each->references > 0 && !astar_layer_is_stale(each))
                each->kind->copy(grid, each);
    astar_grid_unlock(from);
}

static const AstarAttachment layers_attachment = {
    edit_layers, reprice_layers, count_layers, free_layers, copy_layers_in_use,
};

// ---- taking and giving back ----

void *astar_layer_take(const AstarGrid *grid, const void *key)
{
    const AstarLayerKind *kind = ((const AstarLayer *)key)->kind;
    AstarLayer **list = list_of(grid, kind->list);
    AstarLayer *layer = kind->is_like != NULL ? unlink_like(list, key) : NULL;
    if (layer == NULL)
        layer = new_layer(grid, key);
    if (layer == NULL)
        return NULL;
    layer->references++;
    if (kind->is_like != NULL) {
        layer->next = *list;
        *list = layer;
        grid->home->attachment = &layers_attachment;
    }
    return layer;
}

// A layer acquired through a view also retains the copy that it belongs to, because the view may
// switch copies.
static void hold_home(const AstarGrid *grid, const AstarLayer *layer)
{
    if (layer != NULL && layer->home != grid)
        astar_grid_retain(layer->home);
}

void *astar_layer_acquire(const AstarGrid *grid, const void *key)
{
    astar_grid_lock(grid);
    void *layer = astar_layer_take(grid, key);
    astar_grid_unlock(grid);
    hold_home(grid, layer);
    return layer;
}

void astar_layer_retain(const AstarGrid *grid, void *layer)
{
    AstarLayer *retained = layer;
    astar_grid_lock(retained->home);
    retained->references++;
    astar_grid_unlock(retained->home);
    hold_home(grid, retained);
}

void astar_layer_drop(const AstarGrid *grid, void *layer)
{
    AstarLayer *dropped = layer;
    if (dropped == NULL || --dropped->references > 0)
        return;
    int spares = dropped->kind->spares;
    if (spares > 0 && grid->home->is_replica)
        spares = SPARES_OF_REPLICA;
    if (dropped->kind->is_like == NULL)
        free_layer(grid, dropped);
    else
        free_surplus(grid, dropped->kind->list, spares);
}

void astar_layer_release(const AstarGrid *grid, void *layer)
{
    if (layer == NULL)
        return;
    AstarGrid *home = ((AstarLayer *)layer)->home;
    astar_grid_lock(home);
    astar_layer_drop(home, layer);
    astar_grid_unlock(home);
    if (home != grid)
        astar_grid_release(home);
}

// ---- building ----

// The one place where layers are built and published. What is built is read by nobody before, so
// the lock keeps others from building, not from reading.
AstarStatus astar_layer_build(const AstarGrid *grid, void *layer, int64_t *work)
{
    AstarLayer *built = layer;
    if (!astar_get(&built->stale))
        return ASTAR_OK;
    AstarStatus status = built->kind->build != NULL ? built->kind->build(grid, built, work)
                                                    : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    built->built = 0;
    astar_put(&built->stale, false);
    return ASTAR_OK;
}

AstarStatus astar_layer_advance(const AstarGrid *grid, void *layer, int64_t *work)
{
    if (!astar_layer_is_stale(layer))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = astar_layer_build(grid, layer, work);
    astar_grid_unlock(grid);
    return status;
}

size_t astar_layer_bytes(const AstarGrid *grid, const void *layer)
{
    const AstarLayerKind *kind = ((const AstarLayer *)layer)->kind;
    return kind->size + kind->bytes(grid, layer);
}
