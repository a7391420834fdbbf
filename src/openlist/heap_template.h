// heap_template.h -- A template of heaps with four children per node, for items of any type.
//
// There is no include guard, because two headers include this file: heap.h for items of 128 bits,
// and heap64.h for items of 64 bits. Before the include, each header defines three macros: the type
// HEAP_ITEM, the total order HEAP_BEFORE(a, b), and HEAP_FUNCTION(name) for the names of the
// functions. The end of this file undefines the macros.

// Returns the least child of a node that has at least one child.
static inline size_t HEAP_FUNCTION(least_child)(const HEAP_ITEM *items, size_t count, size_t at)
{
    size_t child = 4 * at + 1, least = child;
    if (child + 4 <= count) {
        size_t left = child + HEAP_BEFORE(items[child + 1], items[child]);
        size_t right = child + 2 + HEAP_BEFORE(items[child + 3], items[child + 2]);
        return HEAP_BEFORE(items[right], items[left]) ? right : left;
    }
    while (++child < count)
        if (HEAP_BEFORE(items[child], items[least]))
            least = child;
    return least;
}

// Sifts an item down from node 'at', whose own item is overwritten. The subtrees below 'at' must be
// heaps.
static inline void HEAP_FUNCTION(sift_down_item)(HEAP_ITEM *items, size_t count, size_t at,
                                                 HEAP_ITEM item)
{
    while (4 * at + 1 < count) {
        size_t least = HEAP_FUNCTION(least_child)(items, count, at);
        if (!HEAP_BEFORE(items[least], item))
            break;
        items[at] = items[least];
        at = least;
    }
    items[at] = item;
}

// Replaces the top of a heap by another item, and sifts that item down.
static inline void HEAP_FUNCTION(replace_top)(HEAP_ITEM *items, size_t count, HEAP_ITEM item)
{
    HEAP_FUNCTION(sift_down_item)(items, count, 0, item);
}

// Sifts the item of node 'at' down. The subtrees below 'at' must be heaps.
static inline void HEAP_FUNCTION(sift_down)(HEAP_ITEM *items, size_t count, size_t at)
{
    HEAP_FUNCTION(sift_down_item)(items, count, at, items[at]);
}

// Adds an item: sifts it up from the node 'at', which is the first free one.
static inline void HEAP_FUNCTION(sift_up)(HEAP_ITEM *items, size_t at, HEAP_ITEM item)
{
    while (at > 0) {
        size_t parent = (at - 1) / 4;
        if (!HEAP_BEFORE(item, items[parent]))
            break;
        items[at] = items[parent];
        at = parent;
    }
    items[at] = item;
}

#undef HEAP_ITEM
#undef HEAP_BEFORE
#undef HEAP_FUNCTION
