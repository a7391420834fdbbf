// layer.h -- what is derived of a grid: built when first needed, shared, and kept current.
//
// The struct of a layer begins with an AstarLayer, then come its key, by which those who need the
// same find it, and what is built. Readers may be many: lists and counts of references change with
// the grid locked; one reader builds what is stale, and publishes it by the flag alone, so that
// where all is current nothing is locked. Only edits, which no reader is there to see, make a layer
// stale.
//
// A layer may be built a little at a time, by whoever needs it. What is half built stays with the
// layer, and nobody reads it; edits in between mend what is there of it.

#ifndef ASTAR_LAYER_H
#define ASTAR_LAYER_H

#include "map/grid.h"

#include <assert.h>
#include <stddef.h>

typedef struct AstarLayer {
    const struct AstarLayerKind *kind;
    struct AstarLayer *next;  // on its grid's list of that kind, the latest taken first
    AstarGrid *home;          // that grid: of what is made of a view the copy it showed then
    uint32_t references;      // of those who use it, other layers among them
    ASTAR_ATOMIC(bool) stale; // to be built before it is read
    int32_t built;            // rows of a stale one that is half built; 0: not begun
    uint64_t ignored;         // layers of blocks that are not read: no edit there matters
} AstarLayer;

// Work on layers is counted in cells, about: what may still be done, none below 1.
#define ASTAR_ALL_WORK INT64_MAX

// What is done by one kind of layer in its own way, always with the grid locked or being edited.
typedef struct AstarLayerKind {
    size_t size; // of its struct
    int list;    // which of the grid's
    int spares;  // kept though nobody uses them, for who asks next
    bool (*is_like)(const void *layer, const void *key); // NULL: each has one owner, and no list
    // Takes memory, and references of what it is built from. On failure, too, it is closed.
    bool (*open)(const AstarGrid *grid, void *layer);
    void (*close)(const AstarGrid *grid, void *layer);
    size_t (*bytes)(const AstarGrid *grid, const void *layer); // beside its struct
    // Builds on, from the first row that is not; ASTAR_RUNNING where the work is used up. NULL:
    // done
    AstarStatus (*build)(const AstarGrid *grid, void *layer, int64_t *work);
    // Whether an edit changes so much that it is better built anew; else it is repaired. NULL:
    // never
    bool (*is_outdated)(const AstarGrid *grid, const void *layer, const AstarEdit *edit);
    void (*repair)(const AstarGrid *grid, void *layer, const AstarEdit *edit);
    void (*reprice)(const AstarGrid *grid, void *layer); // the palette has changed; NULL: no matter
    // Leaves an equal grid one like it, as far as there is memory; NULL: none is copied.
    void (*copy)(AstarGrid *grid, const void *layer);
} AstarLayerKind;

// Defines a kind of layer, in the order of AstarLayerKind. All that can be done with a layer is an
// argument, so a kind that forgets to say how it is built, mended, counted or freed does not
// compile; NULL says that the kind has no need of it. The struct begins with an AstarLayer 'layer'.
#define ASTAR_LAYER_KIND(name, type, list, spares, is_like, open, close, bytes, build,             \
                         is_outdated, repair, reprice, copy)                                       \
    static_assert(offsetof(type, layer) == 0, "a layer's struct begins with its AstarLayer");      \
    static const AstarLayerKind name = {sizeof(type), list,  spares,      is_like, open,    close, \
                                        bytes,        build, is_outdated, repair,  reprice, copy}

// The layer like a key, a struct of its kind, made if there is none; NULL without memory. It counts
// a reference.
void *astar_layer_acquire(const AstarGrid *grid, const void *key);
void astar_layer_retain(const AstarGrid *grid, void *layer);
// Gives a reference back; NULL is fine.
void astar_layer_release(const AstarGrid *grid, void *layer);
// Builds it, and first what it is built from, if it is stale; ASTAR_RUNNING where the work is used
// up before.
AstarStatus astar_layer_advance(const AstarGrid *grid, void *layer, int64_t *work);
size_t astar_layer_bytes(const AstarGrid *grid, const void *layer);

// The same while the grid is locked.
void *astar_layer_take(const AstarGrid *grid, const void *key);
void astar_layer_drop(const AstarGrid *grid, void *layer);
AstarStatus astar_layer_build(const AstarGrid *grid, void *layer, int64_t *work);

// Whether there is something of it that edits are to mend.
static inline bool astar_layer_is_begun(const void *layer)
{
    const AstarLayer *begun = layer;
    return !astar_get(&begun->stale) || begun->built > 0;
}

static inline bool astar_layer_is_stale(const void *layer)
{
    return astar_get(&((const AstarLayer *)layer)->stale);
}

#endif
