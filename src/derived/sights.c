// sights.c -- the subgoals that each cell sees, worked out beforehand.
//
// What a scan from a cell finds is the same for most of its neighbors: lists of subgoals are kept,
// and each row tells from where on which list holds. A list is read in a small part of the time of
// the scans, and in a few lines of memory that lie side by side.
//
// Cells are scanned from in the order of rows. Where the same is seen hangs together nearly always,
// so a list is looked for among those written last, which a small table tells by a hash.

#include "derived/baked_map.h"

#include "base/array.h"
#include "derived/labels.h"

#include <string.h>

enum {
    WORD_BITS = 64,
    WORK_OF_SCAN = 64,
    WORK_OF_SIGHT_PAGE = 1024, // to free it
    RECENT_BITS = 13,
    RECENT = 1 << RECENT_BITS
};
#define NO_LIST UINT32_MAX

// ---- memory ----

AstarStatus astar_sights_new(const AstarSubgoals *subgoals, AstarSights **out)
{
    const AstarAllocator *allocator = &subgoals->allocator;
    AstarSights *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->allocator = *allocator;
    made->wide = astar_is_wide(subgoals->count);
    made->stride = subgoals->rows.stride;
    made->count = subgoals->rows.count;
    made->cells = astar_alloc(allocator, made->count, sizeof *made->cells);
    made->recent = astar_alloc(allocator, RECENT, sizeof *made->recent);
    if (made->cells == NULL || made->recent == NULL) {
        astar_sights_free(made);
        return ASTAR_NO_MEMORY;
    }
    memset(made->recent, 0xFF, RECENT * sizeof *made->recent); // NO_LIST
    *out = made;
    return ASTAR_OK;
}

// Lets go of what is only needed for building.
static void drop_sight_tools(AstarSights *sights)
{
    const AstarAllocator *allocator = &sights->allocator;
    astar_release(allocator, sights->end.hits, sights->end.capacity, sizeof *sights->end.hits);
    astar_release(allocator, sights->recent, RECENT, sizeof *sights->recent);
    sights->end = (AstarRouteEnd){.capacity = 0};
    sights->recent = NULL;
}

// The last page may be shorter than the others.
static void drop_sight_page(AstarSights *sights)
{
    astar_release(&sights->allocator, sights->pages[--sights->page_count], sights->last,
                  sizeof **sights->pages);
    sights->last = ASTAR_SIGHT_PAGE;
}

bool astar_sights_clear(AstarSights *sights, int64_t *work)
{
    for (; sights->page_count > 0 && *work > 0; *work -= WORK_OF_SIGHT_PAGE)
        drop_sight_page(sights);
    return sights->page_count == 0;
}

void astar_sights_free(AstarSights *sights)
{
    if (sights == NULL)
        return;
    AstarAllocator allocator = sights->allocator;
    drop_sight_tools(sights);
    while (sights->page_count > 0)
        drop_sight_page(sights);
    astar_release(&allocator, sights->pages, sights->page_capacity, sizeof *sights->pages);
    astar_release(&allocator, sights->cells, sights->count, sizeof *sights->cells);
    astar_release(&allocator, sights, 1, sizeof *sights);
}

size_t astar_sights_bytes(const AstarSights *sights)
{
    if (sights == NULL)
        return 0;
    size_t full = sights->page_count > 0 ? sights->page_count - 1 : 0;
    return sizeof *sights + sights->count * sizeof *sights->cells +
           sights->page_capacity * sizeof *sights->pages +
           (full * ASTAR_SIGHT_PAGE + sights->used) * sizeof **sights->pages;
}

static AstarStatus add_sight_page(AstarSights *sights)
{
    if (sights->page_count == UINT32_MAX >> ASTAR_SIGHT_PAGE_BITS)
        return ASTAR_TOO_LARGE;
    if (!ASTAR_RESERVE(&sights->allocator, sights->pages, sights->page_count, 1,
                       &sights->page_capacity, 1))
        return ASTAR_NO_MEMORY;
    uint32_t *page = astar_alloc(&sights->allocator, ASTAR_SIGHT_PAGE, sizeof *page);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    sights->pages[sights->page_count++] = page;
    sights->used = 0;
    sights->last = ASTAR_SIGHT_PAGE;
    return ASTAR_OK;
}

// Makes room for words, none of which lie in two pages; where they begin.
static AstarStatus take_sight_words(AstarSights *sights, uint32_t words, uint32_t *at)
{
    if (words > ASTAR_SIGHT_PAGE)
        return ASTAR_TOO_LARGE;
    AstarStatus status = sights->used + words > sights->last ? add_sight_page(sights) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    *at = ((sights->page_count - 1) << ASTAR_SIGHT_PAGE_BITS) + sights->used;
    sights->used += words;
    return ASTAR_OK;
}

// Gives back what is left of the last page.
static AstarStatus tidy_sights(AstarSights *sights)
{
    const AstarAllocator *allocator = &sights->allocator;
    drop_sight_tools(sights);
    if (sights->used == sights->last)
        return ASTAR_OK;
    uint32_t *page = astar_alloc(allocator, sights->used, sizeof *page);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t **last = &sights->pages[sights->page_count - 1];
    memcpy(page, *last, sights->used * sizeof *page);
    astar_release(allocator, *last, sights->last, sizeof *page);
    *last = page;
    sights->last = sights->used;
    return ASTAR_OK;
}

// ---- building ----

// Whether a list is what was found.
static bool is_list_of(const AstarSights *sights, uint32_t at, const AstarRouteEnd *end)
{
    const uint32_t *list = astar_sight_words(sights, at);
    if (list[0] != end->count)
        return false;
    for (uint32_t i = 0; i < end->count; i++)
        if (astar_hub_at(list + 1, sights->wide, i) != end->hits[i].subgoal)
            return false;
    return true;
}

static AstarStatus write_sight_list(AstarSights *sights, uint32_t *at)
{
    const AstarRouteEnd *end = &sights->end;
    uint32_t words = 1 + (uint32_t)astar_hub_words(sights->wide, end->count);
    AstarStatus status = take_sight_words(sights, words, at);
    if (status != ASTAR_OK)
        return status;
    uint32_t *list = sights->pages[*at >> ASTAR_SIGHT_PAGE_BITS] + (*at & (ASTAR_SIGHT_PAGE - 1));
    list[0] = end->count;
    for (uint32_t i = 0; i < end->count; i++)
        astar_hub_put(list + 1, sights->wide, i, end->hits[i].subgoal);
    return ASTAR_OK;
}

// The same list whichever way it was found: the subgoals in rising order.
static void sort_by_subgoal(AstarRouteEnd *end)
{
    for (uint32_t i = 1; i < end->count; i++) {
        AstarSubgoalHit hit = end->hits[i];
        uint32_t at = i;
        for (; at > 0 && end->hits[at - 1].subgoal > hit.subgoal; at--)
            end->hits[at] = end->hits[at - 1];
        end->hits[at] = hit;
    }
}

static uint32_t hash_of_list(const AstarRouteEnd *end)
{
    uint32_t hash = end->count;
    for (uint32_t i = 0; i < end->count; i++)
        hash = (hash ^ end->hits[i].subgoal) * UINT32_C(0x9E3779B1);
    return hash >> (32 - RECENT_BITS);
}

// Finds the list of what was found among those written last, or writes one.
static AstarStatus find_sight_list(AstarSights *sights, uint32_t *at)
{
    uint32_t *recent = &sights->recent[hash_of_list(&sights->end)];
    if (*recent != NO_LIST && is_list_of(sights, *recent, &sights->end)) {
        *at = *recent;
        return ASTAR_OK;
    }
    AstarStatus status = write_sight_list(sights, at);
    if (status == ASTAR_OK)
        *recent = *at;
    return status;
}

static AstarStatus build_sight_word(AstarSights *sights, const AstarSubgoalScan *scan,
                                    int64_t *work)
{
    const AstarBits *rows = &scan->subgoals->rows;
    AstarRouteEnd *end = &sights->end;
    AstarSightWord *word = &sights->cells[sights->next];
    int y = (int)(sights->next / sights->stride);
    int x0 = (int)(sights->next % sights->stride) * WORD_BITS;
    uint32_t lists[WORD_BITS], count = 0;
    uint64_t turns = 0;
    for (uint64_t left = rows->words[sights->next]; left != 0; left &= left - 1) {
        int bit = astar_lowest_bit(left), x = x0 + bit;
        astar_scan_ahead(scan, end, x, y, x, y);
        astar_scan_around(scan, end, UINT32_MAX);
        if (end->has_failed)
            return ASTAR_NO_MEMORY;
        sort_by_subgoal(end);
        *work -= WORK_OF_SCAN + (int64_t)end->count;
        if (count > 0 && is_list_of(sights, lists[count - 1], end))
            continue;
        AstarStatus status = find_sight_list(sights, &lists[count]);
        if (status != ASTAR_OK)
            return status;
        turns |= (uint64_t)1 << bit;
        count++;
    }
    if (count == 0)
        return ASTAR_OK;
    uint32_t at;
    AstarStatus status = take_sight_words(sights, count, &at);
    if (status != ASTAR_OK)
        return status;
    memcpy(sights->pages[at >> ASTAR_SIGHT_PAGE_BITS] + (at & (ASTAR_SIGHT_PAGE - 1)), lists,
           count * sizeof *lists);
    *word = (AstarSightWord){turns, at};
    return ASTAR_OK;
}

AstarStatus astar_sights_advance(AstarSights *sights, const AstarSubgoalScan *scan,
                                 size_t most_bytes, int64_t *work)
{
    for (; sights->next < sights->count; sights->next++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = build_sight_word(sights, scan, work);
        if (status == ASTAR_OK && astar_sights_bytes(sights) > most_bytes)
            status = ASTAR_TOO_LARGE;
        if (status != ASTAR_OK)
            return status;
        *work -= 1;
    }
    return tidy_sights(sights);
}

// ---- looking ----

void astar_sights_look(const AstarSights *sights, const AstarSubgoalScan *scan, AstarRouteEnd *end,
                       int x, int y, int other_x, int other_y)
{
    const uint32_t *list = astar_sight_list(sights, x, y);
    const uint32_t *places = scan->subgoals->places;
    uint32_t count = list[0];
    end->x = x;
    end->y = y;
    end->other_x = other_x;
    end->other_y = other_y;
    end->count = 0;
    end->is_subgoal = false;
    end->has_failed = !ASTAR_RESERVE(scan->allocator, end->hits, (size_t)0, count, &end->capacity,
                                     64);
    if (end->has_failed)
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t subgoal = astar_hub_at(list + 1, sights->wide, i), place = places[subgoal];
        int at_x = astar_place_x(place), at_y = astar_place_y(place);
        uint32_t cost = astar_scan_estimate(scan, at_x - x, at_y - y);
        uint32_t rest = astar_scan_estimate(scan, at_x - other_x, at_y - other_y);
        end->hits[i] = (AstarSubgoalHit){place, subgoal, cost, cost + rest};
    }
    end->count = count;
}
