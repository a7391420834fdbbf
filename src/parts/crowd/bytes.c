// bytes.c -- memory that is counted against a limit and freed page by page.
//
// The newest memory is freed first, so the heap can shrink by one page at a time. To free all pages
// in one call would take milliseconds.

#include "parts/crowd/bytes.h"

// Number of bytes that are freed for one work unit.
enum { BYTES_A_WORK = 2048 };

static void drop_page_of_pile(AstarPile *pile)
{
    pile->bytes->used -= astar_arena_page_bytes(&pile->arena);
    astar_arena_drop_page(&pile->arena, &pile->bytes->from);
}

// Ensures that 'size' bytes can be taken from a pile without a further allocation. If this needs a
// new page and the page exceeds the limit, the page is freed again and the call fails.
static bool has_pile_room(AstarPile *pile, size_t size)
{
    AstarBytes *bytes = pile->bytes;
    const struct AstarArenaPage *before = pile->arena.page;
    bool may_have = size <= bytes->most;
    if (bytes->status != ASTAR_OK)
        return false;
    bool has = may_have && astar_arena_reserve(&pile->arena, &bytes->from, size);
    if (has && pile->arena.page != before) {
        bytes->used += astar_arena_page_bytes(&pile->arena);
        may_have = bytes->used <= bytes->most;
        if (!may_have)
            drop_page_of_pile(pile);
    }
    if (!has || !may_have)
        bytes->status = may_have ? ASTAR_NO_MEMORY : ASTAR_OUT_OF_BYTES;
    return has && may_have;
}

AstarStatus astar_pile_need(AstarPile *pile, size_t size)
{
    (void)has_pile_room(pile, size);
    return astar_pile_status(pile);
}

void *astar_pile_take(AstarPile *pile, size_t count, size_t size)
{
    size_t all = count <= SIZE_MAX / 2 / size ? (count * size + 7) & ~(size_t)7 : SIZE_MAX;
    return has_pile_room(pile, all) ? astar_arena_take(&pile->arena, &pile->bytes->from, all)
                                    : NULL;
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
        uint64_t worth = astar_arena_page_bytes(&pile->arena) / BYTES_A_WORK;
        if (*work == 0)
            return false;
        drop_page_of_pile(pile);
        *work -= worth < *work ? worth : *work;
    }
    return true;
}

void astar_pile_drop(AstarPile *pile)
{
    uint64_t work = UINT64_MAX;
    astar_pile_clear(pile, &work);
}
