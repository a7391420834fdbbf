// arcs.c -- the ways over links, in order.
//
// They lie in blocks of up to 128, sorted in each and from block to block, so that an edit moves
// the arcs of one block and counts the blocks after it: of 100,000 arcs a few kilobytes. Each block
// tells the place of its first arc, by which the arc at any place is found; by its first arc, which
// block a key belongs to. A full block is split before anything is added.

#include "map/links_and_walls.h"

#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FULL = ASTAR_ARCS_A_BLOCK, ADDED_AT_ONCE = 2 };

// Where an arc lies, or would.
typedef struct ArcSpot {
    size_t block;
    uint32_t at;
} ArcSpot;

static uint64_t arc_key(const AstarArcs *arcs, uint32_t from, uint32_t to)
{
    return arcs->back ? (uint64_t)to << 32 | from : (uint64_t)from << 32 | to;
}

static uint64_t key_in(const AstarArcs *arcs, size_t block, uint32_t at)
{
    const AstarArc *arc = &arcs->blocks[block].arcs[at];
    return arc_key(arcs, arc->from, arc->to);
}

static uint32_t count_in(const AstarArcs *arcs, size_t block)
{
    bool is_last = block + 1 == arcs->block_count;
    return (is_last ? arcs->count : arcs->blocks[block + 1].start) - arcs->blocks[block].start;
}

// In the last block that does not begin after it, else the first.
static ArcSpot find_spot(const AstarArcs *arcs, uint64_t key)
{
    size_t block = 0;
    for (size_t end = arcs->block_count; end - block > 1;) {
        size_t middle = block + (end - block) / 2;
        if (key_in(arcs, middle, 0) <= key)
            block = middle;
        else
            end = middle;
    }
    uint32_t low = 0, high = count_in(arcs, block);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_in(arcs, block, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return (ArcSpot){block, low};
}

const AstarArc *astar_arc_at(const AstarArcs *arcs, uint32_t place)
{
    if (place >= arcs->count)
        return NULL;
    size_t block = 0;
    for (size_t end = arcs->block_count; end - block > 1;) {
        size_t middle = block + (end - block) / 2;
        if (arcs->blocks[middle].start <= place)
            block = middle;
        else
            end = middle;
    }
    return &arcs->blocks[block].arcs[place - arcs->blocks[block].start];
}

uint32_t astar_arcs_place(const AstarArcs *arcs, uint32_t from, uint32_t to)
{
    if (arcs->count == 0)
        return 0;
    ArcSpot spot = find_spot(arcs, arc_key(arcs, from, to));
    return arcs->blocks[spot.block].start + spot.at;
}

// ---- edits ----

// Adds a block without arcs after so many others.
static bool add_arc_block(AstarArcs *arcs, const AstarAllocator *allocator, size_t block)
{
    if (!ASTAR_RESERVE(allocator, arcs->blocks, arcs->block_count, 1, &arcs->block_capacity, 1))
        return false;
    AstarArc *room = astar_alloc(allocator, FULL, sizeof *room);
    if (room == NULL)
        return false;
    memmove(&arcs->blocks[block + 1], &arcs->blocks[block],
            (arcs->block_count - block) * sizeof *arcs->blocks);
    arcs->block_count++;
    arcs->blocks[block] = (AstarArcBlock){arcs->count, room};
    return true;
}

bool astar_arcs_reserve(AstarArcs *arcs, const AstarAllocator *allocator, uint32_t from,
                        uint32_t to)
{
    if (arcs->block_count == 0)
        return add_arc_block(arcs, allocator, 0);
    ArcSpot spot = find_spot(arcs, arc_key(arcs, from, to));
    uint32_t count = count_in(arcs, spot.block);
    if (count + ADDED_AT_ONCE <= FULL)
        return true;
    // What comes in order leaves full blocks behind.
    uint32_t kept = spot.at == count ? count - 1 : count / 2;
    if (!add_arc_block(arcs, allocator, spot.block + 1))
        return false;
    AstarArcBlock *split = &arcs->blocks[spot.block];
    split[1].start = split->start + kept;
    memcpy(split[1].arcs, split->arcs + kept, (count - kept) * sizeof *split->arcs);
    return true;
}

// Counts one arc more, or one less, before all blocks after this one.
static void shift_arcs(AstarArcs *arcs, size_t block, uint32_t by)
{
    arcs->count += by;
    for (size_t i = block + 1; i < arcs->block_count; i++)
        arcs->blocks[i].start += by;
}

void astar_arcs_add(AstarArcs *arcs, AstarArc arc)
{
    ArcSpot spot = find_spot(arcs, arc_key(arcs, arc.from, arc.to));
    uint32_t count = count_in(arcs, spot.block);
    AstarArc *place = &arcs->blocks[spot.block].arcs[spot.at];
    assert(count < FULL);
    memmove(place + 1, place, (count - spot.at) * sizeof *place);
    *place = arc;
    shift_arcs(arcs, spot.block, 1);
}

void astar_arcs_change(AstarArcs *arcs, AstarArc arc)
{
    ArcSpot spot = find_spot(arcs, arc_key(arcs, arc.from, arc.to));
    arcs->blocks[spot.block].arcs[spot.at] = arc;
}

void astar_arcs_remove(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc arc)
{
    ArcSpot spot = find_spot(arcs, arc_key(arcs, arc.from, arc.to));
    uint32_t count = count_in(arcs, spot.block);
    AstarArc *block = arcs->blocks[spot.block].arcs;
    memmove(block + spot.at, block + spot.at + 1, (count - spot.at - 1) * sizeof *block);
    shift_arcs(arcs, spot.block, UINT32_MAX);
    if (count > 1)
        return;
    astar_release(allocator, block, FULL, sizeof *block);
    arcs->block_count--;
    memmove(&arcs->blocks[spot.block], &arcs->blocks[spot.block + 1],
            (arcs->block_count - spot.block) * sizeof *arcs->blocks);
}

// ---- as a whole ----

// Adds arcs that come after all others, no more than a block has room for; false without memory.
static bool append_arcs(AstarArcs *arcs, const AstarAllocator *allocator, const AstarArc *from,
                        uint32_t count)
{
    if (!add_arc_block(arcs, allocator, arcs->block_count))
        return false;
    memcpy(arcs->blocks[arcs->block_count - 1].arcs, from, count * sizeof *from);
    arcs->count += count;
    return true;
}

static int compare_back(const void *a, const void *b)
{
    const AstarArc *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

bool astar_arcs_fill(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc *all,
                     uint32_t count)
{
    if (arcs->back)
        qsort(all, count, sizeof *all, compare_back);
    while (arcs->count < count) {
        uint32_t left = count - arcs->count, taken = left < FULL ? left : FULL;
        if (!append_arcs(arcs, allocator, all + arcs->count, taken))
            return false;
    }
    return true;
}

bool astar_arcs_copy(AstarArcs *arcs, const AstarAllocator *allocator, const AstarArcs *from)
{
    arcs->back = from->back;
    for (size_t i = 0; i < from->block_count; i++)
        if (!append_arcs(arcs, allocator, from->blocks[i].arcs, count_in(from, i))) {
            astar_arcs_free(arcs, allocator);
            return false;
        }
    return true;
}

void astar_arcs_free(AstarArcs *arcs, const AstarAllocator *allocator)
{
    for (size_t i = 0; i < arcs->block_count; i++)
        astar_release(allocator, arcs->blocks[i].arcs, FULL, sizeof(AstarArc));
    astar_release(allocator, arcs->blocks, arcs->block_capacity, sizeof *arcs->blocks);
    *arcs = (AstarArcs){.back = arcs->back};
}

size_t astar_arcs_bytes(const AstarArcs *arcs)
{
    return arcs->block_count * FULL * sizeof(AstarArc) +
           arcs->block_capacity * sizeof *arcs->blocks;
}
