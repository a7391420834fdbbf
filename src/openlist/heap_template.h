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

// Stores an item in node 'at' or moves it down from there to where it belongs. The subtrees below
// 'at' must be heaps.
static inline void HEAP_FUNCTION(sink_from)(HEAP_ITEM *items, size_t count, size_t at,
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

// Replaces the top of a heap by another item, and moves that item down to where it belongs.
static inline void HEAP_FUNCTION(sink)(HEAP_ITEM *items, size_t count, HEAP_ITEM item)
{
    HEAP_FUNCTION(sink_from)(items, count, 0, item);
}

// Moves the item of node 'at' down to where it belongs. The subtrees below 'at' must be heaps.
static inline void HEAP_FUNCTION(settle)(HEAP_ITEM *items, size_t count, size_t at)
{
    HEAP_FUNCTION(sink_from)(items, count, at, items[at]);
}

// Adds an item: moves it up from the last node 'at' to where it belongs.
static inline void HEAP_FUNCTION(rise)(HEAP_ITEM *items, size_t at, HEAP_ITEM item)
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
