// layer.h -- Layers: data derived from a grid. A layer is built when it is first needed, shared by
// all finders that need the same data, and kept up to date after edits.
//
// The struct of a layer begins with an AstarLayer. Then comes its key, by which it is found, and
// then its data. Many threads may read layers. The lists of layers and their reference counts
// change only while the grid is locked. One thread builds a stale layer and publishes it by
// clearing its flag, so a layer that is up to date is read without a lock. Only edits make a layer
// stale, and no thread reads during an edit.
//
// A layer can be built in steps by the searches that need it. A half-built layer stays in its list,
// and no search reads it. Edits in between repair the part that is built.

#ifndef ASTAR_LAYER_H
#define ASTAR_LAYER_H

#include "map/grid.h"

#include <assert.h>
#include <stddef.h>

// The common part of all layers.
typedef struct AstarLayer {
    const struct AstarLayerKind *kind;
    struct AstarLayer *next;  // next layer in the list of the grid, most recently acquired first
    AstarGrid *home;          // grid that owns the layer; for a view the copy that it showed when
                              // the layer was acquired
    uint32_t references;      // number of users, including other layers
    ASTAR_ATOMIC(bool) stale; // true if it has to be built before it is read
    int32_t built;            // number of rows built of a stale layer; 0: not begun
    uint64_t ignored;         // layers of blocks that the data do not depend on
} AstarLayer;

// Work on layers is measured in cells. This value means no limit.
#define ASTAR_ALL_WORK INT64_MAX

// The functions of one kind of layer. They are called while the grid is locked or edited.
typedef struct AstarLayerKind {
    size_t size; // size of the struct in bytes
    int list;    // index of the list of the grid
    int spares;  // number of unused layers that are kept for later finders
    bool (*is_like)(const void *layer, const void *key); // returns true if a layer matches a key;
                                                         // NULL: a layer has one owner and is in no
                                                         // list
    // Allocates memory, and acquires the layers that it is built from. After a failure 'close' is
    // called.
    bool (*open)(const AstarGrid *grid, void *layer);
    // Frees the memory and releases the layers that it was built from.
    void (*close)(const AstarGrid *grid, void *layer);
    size_t (*bytes)(const AstarGrid *grid, const void *layer); // returns the bytes beside the
                                                               // struct
    // Builds more rows. Returns ASTAR_RUNNING when the work is used up. NULL: there is nothing to
    // build.
    AstarStatus (*build)(const AstarGrid *grid, void *layer, int64_t *work);
    // Returns true if an edit changes so much that the layer should be rebuilt; otherwise it is
    // repaired. NULL: it is always repaired.
    bool (*is_outdated)(const AstarGrid *grid, const void *layer, const AstarEdit *edit);
    // Repairs the layer after an edit.
    void (*repair)(const AstarGrid *grid, void *layer, const AstarEdit *edit);
    void (*reprice)(const AstarGrid *grid, void *layer); // updates the layer after a change of the
                                                         // palette; NULL: it does not depend on
                                                         // costs
    // Gives an equal grid a copy of the layer, as far as memory allows. NULL: the kind is not
    // copied.
    void (*copy)(AstarGrid *grid, const void *layer);
} AstarLayerKind;

// Defines a kind of layer; the arguments are in the order of AstarLayerKind. Every function is an
// argument, so a kind that forgets how it is built, repaired, measured or freed does not compile.
// NULL means that the kind does not need the function. The struct must begin with an AstarLayer
// named 'layer'.
#define ASTAR_LAYER_KIND(name, type, list, spares, is_like, open, close, bytes, build,             \
                         is_outdated, repair, reprice, copy)                                       \
    static_assert(offsetof(type, layer) == 0, "a layer's struct begins with its AstarLayer");      \
    static const AstarLayerKind name = {sizeof(type), list,  spares,      is_like, open,    close, \
                                        bytes,        build, is_outdated, repair,  reprice, copy}

// Returns the layer that matches a key, a struct of its kind, and creates the layer if there is
// none. Returns NULL if memory runs out. The caller receives a reference.
void *astar_layer_acquire(const AstarGrid *grid, const void *key);
// Adds a reference to a layer.
void astar_layer_retain(const AstarGrid *grid, void *layer);
// Drops a reference to a layer. NULL is allowed.
void astar_layer_release(const AstarGrid *grid, void *layer);
// Builds a stale layer, after the layers that it is built from. Returns ASTAR_RUNNING when the work
// is used up.
AstarStatus astar_layer_advance(const AstarGrid *grid, void *layer, int64_t *work);
// Returns the bytes of a layer.
size_t astar_layer_bytes(const AstarGrid *grid, const void *layer);

// Variants of acquire, release and advance for a grid that is locked.
void *astar_layer_take(const AstarGrid *grid, const void *key);
void astar_layer_drop(const AstarGrid *grid, void *layer);
AstarStatus astar_layer_build(const AstarGrid *grid, void *layer, int64_t *work);

// Returns true if some of the layer is built, so that edits have to repair it.
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
