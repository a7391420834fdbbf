// layer.h -- Layers: data derived from a grid. A layer is built when it is first needed, shared by
// all finders that need the same data, and kept up to date after edits.
//
// The struct of a layer begins with an AstarLayer. The key by which the layer is found follows, and
// then the data. Many threads may read layers. The lists of layers and their reference counts
// change only while the grid is locked. One thread builds a stale layer and publishes it by
// clearing its flag, so a layer that is up to date is read without a lock. Only edits make a layer
// stale, and no thread reads during an edit.
//
// A layer can be built in steps by the searches that need it. A half-built layer stays in its list,
// and no search reads it. Edits made between the steps repair the part that is built.

#ifndef ASTAR_LAYER_H
#define ASTAR_LAYER_H

#include "map/grid.h"

#include <assert.h>
#include <stddef.h>

// The common part of all layers. The struct of each layer begins with it.
typedef struct AstarLayer {
    const struct AstarLayerKind *kind;
    struct AstarLayer
        *next; // next layer in the list of the grid; the most recently acquired layer comes first
    // Grid that owns the layer. For a view it is the copy that the view showed when the layer was
    // acquired.
    AstarGrid *home;
    uint32_t references;      // number of users of the layer, including other layers
    ASTAR_ATOMIC(bool) stale; // true if the layer has to be built before it is read
    int32_t built;            // number of rows built so far, while the layer is stale
    uint64_t ignored;         // set of the layers of blocks that the data do not depend on
} AstarLayer;

// Value that means unlimited work. Work on layers is measured in cells that are built.
#define ASTAR_ALL_WORK INT64_MAX

// The functions of one kind of layer. These functions are called while the grid is locked or
// edited.
typedef struct AstarLayerKind {
    size_t size; // size of the layer's struct in bytes
    int list;    // index of the grid's list that holds layers of this kind
    int spares;  // number of unused layers that are kept for later finders
    // Returns true if a layer matches a key. NULL: a layer has one owner and is in no list.
    bool (*is_like)(const void *layer, const void *key);
    // Allocates the memory of a layer, and acquires the layers that it is built from. If it fails,
    // 'close' is called.
    bool (*open)(const AstarGrid *grid, void *layer);
    // Frees the memory of a layer and releases the layers that it was built from.
    void (*close)(const AstarGrid *grid, void *layer);
    // Returns the bytes of a layer, without the bytes of its struct.
    size_t (*bytes)(const AstarGrid *grid, const void *layer);
    // Builds further rows. Returns ASTAR_RUNNING when the work is used up before the layer is
    // complete. NULL: there is nothing to build.
    AstarStatus (*build)(const AstarGrid *grid, void *layer, int64_t *work);
    // Returns true if an edit changes so much that the layer should be rebuilt instead of repaired.
    // NULL: the layer is always repaired.
    bool (*is_outdated)(const AstarGrid *grid, const void *layer, const AstarEdit *edit);
    // Repairs a layer after an edit.
    void (*repair)(const AstarGrid *grid, void *layer, const AstarEdit *edit);
    // Updates a layer after a change of the palette. NULL: the layer does not depend on costs.
    void (*reprice)(const AstarGrid *grid, void *layer);
    // Adds a copy of a layer to an equal grid, if memory allows. NULL: layers of this kind are not
    // copied.
    void (*copy)(AstarGrid *grid, const void *layer);
} AstarLayerKind;

// Defines a kind of layer. The arguments have the order of the fields of AstarLayerKind. Every
// function is an argument, so a definition that omits one does not compile. NULL means that the
// kind does not need the function. The struct of the layer must begin with an AstarLayer named
// 'layer'.
#define ASTAR_LAYER_KIND(name, type, list, spares, is_like, open, close, bytes, build,             \
                         is_outdated, repair, reprice, copy)                                       \
    static_assert(offsetof(type, layer) == 0, "a layer's struct begins with its AstarLayer");      \
    static const AstarLayerKind name = {sizeof(type), list,  spares,      is_like, open,    close, \
                                        bytes,        build, is_outdated, repair,  reprice, copy}

// Acquires the layer that matches a key, and creates the layer if there is none. The key is a
// struct of the same kind as the layer. The caller receives a reference. Returns NULL if memory
// runs out.
void *astar_layer_acquire(const AstarGrid *grid, const void *key);
// Adds a reference to a layer.
void astar_layer_retain(const AstarGrid *grid, void *layer);
// Drops a reference to a layer. NULL is allowed.
void astar_layer_release(const AstarGrid *grid, void *layer);
// Builds a stale layer; the layers that it is built from must be up to date. Returns ASTAR_RUNNING
// when the work is used up before the layer is complete.
AstarStatus astar_layer_advance(const AstarGrid *grid, void *layer, int64_t *work);
// Returns the bytes of a layer.
size_t astar_layer_bytes(const AstarGrid *grid, const void *layer);

// The following functions work like astar_layer_acquire, astar_layer_release and
// astar_layer_advance, but the grid must be locked already.
void *astar_layer_take(const AstarGrid *grid, const void *key);
void astar_layer_drop(const AstarGrid *grid, void *layer);
AstarStatus astar_layer_build(const AstarGrid *grid, void *layer, int64_t *work);

// Returns true if a part of a layer is built, so that edits have to repair the layer.
static inline bool astar_layer_is_begun(const void *layer)
{
    const AstarLayer *begun = layer;
    return !astar_get(&begun->stale) || begun->built > 0;
}

// Returns true if a layer has to be built before it is read.
static inline bool astar_layer_is_stale(const void *layer)
{
    return astar_get(&((const AstarLayer *)layer)->stale);
}

#endif
