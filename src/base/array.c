// array.c -- Growing arrays.

#include "base/array.h"

void *astar_array_resize(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                         size_t *capacity, size_t wanted)
{
    void *grown = astar_alloc(allocator, wanted, size);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, array, count * size);
    astar_release(allocator, array, *capacity, size);
    *capacity = wanted;
    return grown;
}

void *astar_array_grow(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t need, size_t least)
{
    size_t wanted = 2 * *capacity; // no overflow: no array occupies half of the address space
    wanted = wanted < least ? least : wanted;
    return astar_array_resize(allocator, array, count, size, capacity,
                              wanted < need ? need : wanted);
}

bool astar_array_extend(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                        size_t *capacity, size_t need, size_t least)
{
    void *grown; // the type of the pointer is not known, so the pointer is copied byte by byte
    memcpy(&grown, array, sizeof grown);
    grown = astar_array_grow(allocator, grown, count, size, capacity, need, least);
    if (grown != NULL)
        memcpy(array, &grown, sizeof grown);
    return grown != NULL;
}

void *astar_array_shrink(const AstarAllocator *allocator, void *array, size_t size,
                         size_t *capacity, size_t wanted)
{
    astar_release(allocator, array, *capacity, size);
    array = astar_alloc(allocator, wanted, size);
    *capacity = array != NULL ? wanted : 0;
    return array;
}

void *astar_array_move(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t wanted, AstarMove *move, size_t most)
{
    if (move->to == NULL) {
        move->to = astar_alloc(allocator, wanted, size);
        if (move->to == NULL)
            return NULL;
        move->capacity = wanted;
    }
    size_t left = count - move->moved, part = left < most ? left : most;
    size_t at = move->moved * size;
    memcpy((char *)move->to + at, (const char *)array + at, part * size);
    move->moved += part;
    if (move->moved < count)
        return array;
    void *moved = move->to;
    astar_release(allocator, array, *capacity, size);
    *capacity = move->capacity;
    *move = (AstarMove){0};
    return moved;
}

void astar_array_drop_move(const AstarAllocator *allocator, size_t size, AstarMove *move)
{
    astar_release(allocator, move->to, move->capacity, size);
    *move = (AstarMove){0};
}
