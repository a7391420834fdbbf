// heap_template.h -- the order of a heap with four children a node, for items of any kind.
//
// No include guard: heap.h includes it for items of 128 bits, heap64.h for those of 64. Each first
// defines the type HEAP_ITEM, HEAP_BEFORE(a, b), which is a total order, and HEAP_FUNCTION(name),
// the functions' own names; they are undefined at the end.

// The least of the children of a node, which has at least one.
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

// Puts an item in a place below which all are in order.
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

// Puts an item in the place of the top.
static inline void HEAP_FUNCTION(sink)(HEAP_ITEM *items, size_t count, HEAP_ITEM item)
{
    HEAP_FUNCTION(sink_from)(items, count, 0, item);
}

// Brings the item of a place to where it belongs among those below it.
static inline void HEAP_FUNCTION(settle)(HEAP_ITEM *items, size_t count, size_t at)
{
    HEAP_FUNCTION(sink_from)(items, count, at, items[at]);
}

// Puts an item in a place without children, the last one.
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
