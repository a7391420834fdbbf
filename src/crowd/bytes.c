// bytes.c -- memory that is counted, and given back bit by bit.
//
// What was taken last is given back first: so the heap can shrink a page at a time, not all at once
// in the end, which takes milliseconds.

#include "crowd/bytes.h"

enum { BYTES_A_WORK = 2048 };

static void *take_counted(void *context, size_t size)
{
    AstarBytes *bytes = context;
    bool may_have = size <= bytes->most - bytes->used;
    void *block = may_have ? astar_alloc(&bytes->from, 1, size) : NULL;
    if (block == NULL)
        bytes->status = may_have ? ASTAR_NO_MEMORY : ASTAR_OUT_OF_BYTES;
    else
        bytes->used += size;
    return block;
}

static void give_counted(void *context, void *block, size_t size)
{
    AstarBytes *bytes = context;
    bytes->used -= size;
    astar_release(&bytes->from, block, 1, size);
}

static AstarAllocator counted(AstarBytes *bytes)
{
    return (AstarAllocator){take_counted, give_counted, bytes};
}

AstarStatus astar_pile_need(AstarPile *pile, size_t size)
{
    AstarAllocator allocator = counted(pile->bytes);
    (void)astar_arena_reserve(&pile->arena, &allocator, size);
    return astar_pile_status(pile);
}

void *astar_pile_take(AstarPile *pile, size_t count, size_t size)
{
    AstarAllocator allocator = counted(pile->bytes);
    if (count > pile->bytes->most / size) {
        pile->bytes->status = ASTAR_OUT_OF_BYTES;
        return NULL;
    }
    return astar_arena_take(&pile->arena, &allocator, count * size);
}

AstarStatus astar_pile_status(AstarPile *pile)
{
    AstarStatus status = pile->bytes->status;
    pile->bytes->status = ASTAR_OK;
    return status;
}

bool astar_pile_clear(AstarPile *pile, uint64_t *work)
{
    while (pile->arena.page != NULL) {
        size_t before = pile->bytes->used;
        AstarAllocator allocator = counted(pile->bytes);
        if (*work == 0)
            return false;
        astar_arena_drop_page(&pile->arena, &allocator);
        uint64_t worth = (before - pile->bytes->used) / BYTES_A_WORK;
        *work -= worth < *work ? worth : *work;
    }
    return true;
}

void astar_pile_drop(AstarPile *pile)
{
    uint64_t work = UINT64_MAX;
    astar_pile_clear(pile, &work);
}
