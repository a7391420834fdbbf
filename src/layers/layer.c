// layer.c -- Layers: data derived from a grid, built when first needed, shared by finders and kept
// up to date after edits.

#include "layers/layer.h"

#include <assert.h>

// Number of unused layers that a snapshot keeps. When a view switches to another snapshot, the
// finders of the view release their layers, but will soon need these layers again.
enum { SPARES_OF_SNAPSHOT = 16 };

// Returns the first layer of one of the lists of layers. The lists are not part of the map: readers
// change them while they hold the lock.
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

// Removes from a list the layer that matches a key, and returns it. Returns NULL if no layer
// matches.
static AstarLayer *unlink_like(AstarLayer **link, const AstarLayer *key)
{
    while (*link != NULL && !key->kind->is_like(*link, key))
        link = &(*link)->next;
    AstarLayer *layer = *link;
    if (layer != NULL)
        *link = layer->next;
    return layer;
}

// Removes an unused layer from a list and returns it, if more than 'spares' layers of the list are
// unused. The layer removed is the unused layer that follows the first 'spares' unused layers in
// the list. Returns NULL otherwise.
static AstarLayer *unlink_surplus(AstarLayer **link, int spares)
{
    while (*link != NULL && ((*link)->references > 0 || --spares >= 0))
        link = &(*link)->next;
    AstarLayer *layer = *link;
    if (layer != NULL)
        *link = layer->next;
    return layer;
}

// Frees all unused layers of a list except the first 'spares'. Freeing a layer may leave another
// layer unused, even in the same list.
static void free_surplus(const AstarGrid *grid, int list, int spares)
{
    for (AstarLayer *layer; (layer = unlink_surplus(list_of(grid, list), spares)) != NULL;)
        free_layer(grid, layer);
}

// The following functions are called by a grid for all its layers.

// Returns true if an edit may change the data of a layer that is at least partly built. 'blocks' is
// the bit of the layer of blocks that was edited, or 0 for any other edit.
static bool concerns(uint64_t blocks, const AstarLayer *layer)
{
    return (blocks & layer->ignored) == 0 && astar_layer_is_begun(layer);
}

// Updates all layers of a grid after an edit. A layer is updated after the layers that it is built
// from, because it reads their 'stale' flags.
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

// Copies those layers of an equal grid that are in use. The equal grid is locked meanwhile.
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

// The following functions acquire and release layers.

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

// Retains the copy of the map to which a layer belongs, because a view may switch to another copy
// while the layer is in use.
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
    if (spares > 0 && grid->home->is_snapshot)
        spares = SPARES_OF_SNAPSHOT;
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

// The following functions build a layer.

// Builds a layer and publishes it. Layers are published only here. No thread reads a stale layer,
// so the lock is only needed to keep other threads from building the same layer.
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
