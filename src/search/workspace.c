// workspace.c -- the memory that searches work in, kept from one question to the next.
//
// A few searches lie at rest, of different sizes, the one used last first. A search serves every
// grid that it has room for and that is not much smaller, so that the memory of a map left behind
// is not held by questions about small ones: what was not taken for a while goes.

#include "search/search.h"

#include "path/path.h"
#include "search/any_angle.h"
#include "search/baked_scratch.h"
#include "search/bends.h"
#include "search/goal_set.h"
#include "search/links.h"
#include "search/smooth.h"

enum {
    MOST_IDLE = 4,      // searches at rest
    LONGEST_REST = 256, // while so many others are taken
    LARGEST_SHARE = 4   // times a grid's cells that its search may have room for
};

struct AstarWorkspace {
    AstarAllocator allocator;
    uint32_t references; // its owners', and one of each search taken out
    uint64_t taken;      // counts searches
    AstarSearch *idle;
};

AstarStatus astar_workspace_new(const AstarAllocator *allocator, AstarWorkspace **out)
{
    AstarAllocator from = astar_allocator(allocator);
    AstarWorkspace *workspace = astar_alloc(&from, 1, sizeof *workspace);
    if (workspace == NULL)
        return ASTAR_NO_MEMORY;
    workspace->allocator = from;
    workspace->references = 1;
    *out = workspace;
    return ASTAR_OK;
}

// Frees a search that is at rest.
static void discard(AstarSearch *search)
{
    AstarAllocator allocator = search->allocator;
    astar_pages_free(&search->front.nodes, &allocator);
    astar_pages_free(&search->many.goal_marks, &allocator);
    astar_pages_free(&search->own.said, &allocator);
    astar_release(&allocator, search->own.cut.cells, search->own.cut.capacity,
                  sizeof *search->own.cut.cells);
    astar_slotted_free(&search->front.open, &allocator);
    astar_jump_nodes_free(&search->jumps.nodes, &allocator);
    astar_heap64_free(&search->jumps.open, &allocator);
    astar_costs_free(&search->costs, &allocator);
    astar_links_free(search);
    if (ASTAR_HAS_BAKING)
        astar_baked_scratch_free(search);
    for (int i = 0; i < 3; i++)
        astar_path_destroy(&search->parts[i]);
    astar_states_free(search);
    astar_any_angle_free(search);
    astar_range_free(&search->many.around, &allocator);
    astar_release(&allocator, search->many.nears, search->rest.cells, sizeof *search->many.nears);
    astar_release(&allocator, search->known.labels, search->known.label_capacity,
                  sizeof *search->known.labels);
    astar_release(&allocator, search->lines.spots, search->lines.spot_capacity,
                  sizeof *search->lines.spots);
    astar_release(&allocator, search->lines.costs, search->lines.cost_capacity,
                  sizeof *search->lines.costs);
    astar_release(&allocator, search->lines.turns, search->lines.turn_capacity,
                  sizeof *search->lines.turns);
    astar_release(&allocator, search->lines.smoothing, 1, sizeof *search->lines.smoothing);
    astar_release(&allocator, search, 1, sizeof *search);
}

ASTAR_HOT const AstarAllocator *astar_workspace_allocator(const AstarWorkspace *workspace)
{
    return &workspace->allocator;
}

void astar_workspace_retain(AstarWorkspace *workspace)
{
    workspace->references++;
}

void astar_workspace_free(AstarWorkspace *workspace)
{
    if (workspace == NULL || --workspace->references > 0)
        return;
    while (workspace->idle != NULL) {
        AstarSearch *search = workspace->idle;
        workspace->idle = search->rest.next;
        discard(search);
    }
    AstarAllocator allocator = workspace->allocator;
    astar_release(&allocator, workspace, 1, sizeof *workspace);
}

size_t astar_workspace_bytes(const AstarWorkspace *workspace)
{
    size_t bytes = sizeof *workspace;
    for (const AstarSearch *each = workspace->idle; each != NULL; each = each->rest.next)
        bytes += astar_search_bytes(each);
    return bytes;
}

// ---- searches ----

// Whether a search has the room for a grid of so many cells, and not much more.
static bool suits_grid(const AstarSearch *search, uint32_t cells)
{
    return search->rest.cells >= cells && search->rest.cells / LARGEST_SHARE <= cells;
}

// Takes the search used last of those at rest that suit a grid of so many cells.
static AstarSearch *take_idle(AstarWorkspace *workspace, uint32_t cells)
{
    for (AstarSearch **link = &workspace->idle; *link != NULL; link = &(*link)->rest.next) {
        AstarSearch *search = *link;
        if (suits_grid(search, cells)) {
            *link = search->rest.next;
            return search;
        }
    }
    return NULL;
}

static AstarSearch *new_search(const AstarWorkspace *workspace, uint32_t cells)
{
    AstarSearch *search = astar_alloc(&workspace->allocator, 1, sizeof *search);
    if (search != NULL) {
        search->allocator = workspace->allocator;
        search->rest.cells = cells;
    }
    return search;
}

AstarStatus astar_search_take(AstarWorkspace *workspace, AstarFinder *finder, AstarSearch **out)
{
    AstarStatus status = astar_finder_update(finder);
    return status == ASTAR_OK ? astar_search_take_unbuilt(workspace, finder, out) : status;
}

AstarStatus astar_search_take_unbuilt(AstarWorkspace *workspace, AstarFinder *finder,
                                      AstarSearch **out)
{
    AstarStatus status = astar_finder_update_tables(finder);
    if (status != ASTAR_OK)
        return status;
    const AstarGrid *grid = finder->grid;
    AstarSearch *search = take_idle(workspace, grid->cells);
    if (search == NULL)
        search = new_search(workspace, grid->cells);
    if (search == NULL)
        return ASTAR_NO_MEMORY;
    search->rest.workspace = workspace;
    astar_workspace_retain(workspace);
    workspace->taken++;
    search->grid = grid;
    search->finder = finder;
    search->slices.preparing = (AstarPreparing){.in_steps = false};
    search->slices.begun_anew = 0;
    astar_finder_retain(finder);
    status = astar_costs_begin(&search->costs, finder, &search->allocator);
    if (status != ASTAR_OK) {
        astar_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

// Puts a search to rest, the first. Where one for as many cells is at rest already the one with
// more memory stays: to give much back takes longer than a step of a search has time.
static void put_to_rest(AstarWorkspace *workspace, AstarSearch *search)
{
    AstarSearch **link = &workspace->idle, *other;
    while (*link != NULL && (*link)->rest.cells != search->rest.cells)
        link = &(*link)->rest.next;
    other = *link;
    if (other != NULL) {
        *link = other->rest.next;
        bool is_larger = astar_search_bytes(other) > astar_search_bytes(search);
        discard(is_larger ? search : other);
        search = is_larger ? other : search;
    }
    search->rest.used = workspace->taken;
    search->rest.next = workspace->idle;
    workspace->idle = search;
}

// Lets go of searches that are too many, or no longer used.
static void tidy(AstarWorkspace *workspace)
{
    int count = 1;
    for (AstarSearch **link = &workspace->idle->rest.next; *link != NULL;) {
        AstarSearch *each = *link;
        if (count == MOST_IDLE || workspace->taken - each->rest.used > LONGEST_REST) {
            *link = each->rest.next;
            discard(each);
        } else {
            count++;
            link = &each->rest.next;
        }
    }
}

void astar_search_free(AstarSearch *search)
{
    if (search == NULL)
        return;
    AstarWorkspace *workspace = search->rest.workspace;
    AstarFinder *finder = search->finder;
    if (search->slices.continuation != NULL)
        search->slices.continuation->free(search);
    search->slices.continuation = NULL;
    if (search->slices.given.cells > 0)
        astar_path_destroy(&search->slices.given);
    search->finder = NULL;
    search->grid = NULL;
    search->own.ignores_baked = search->slices.builds_by_steps = false;
    search->costs.context = NULL;
    astar_costs_rest(&search->costs, &search->allocator);
    astar_pages_rest(&search->front.nodes, &search->allocator);
    astar_pages_rest(&search->many.goal_marks, &search->allocator);
    astar_pages_rest(&search->own.said, &search->allocator);
    astar_jump_nodes_rest(&search->jumps.nodes, &search->allocator);
    astar_heap64_rest(&search->jumps.open, &search->allocator);
    put_to_rest(workspace, search);
    tidy(workspace);
    astar_finder_release(finder); // it may hold the last reference to the grid
    astar_workspace_free(workspace);
}

ASTAR_HOT AstarSearch *astar_workspace_borrow(AstarWorkspace *workspace, AstarFinder *finder)
{
    AstarSearch *search = workspace->idle;
    if (search == NULL || !suits_grid(search, finder->grid->cells))
        return NULL;
    search->rest.used = ++workspace->taken;
    search->grid = finder->grid;
    search->finder = finder;
    return search;
}

ASTAR_HOT void astar_workspace_give_back(AstarWorkspace *workspace, AstarSearch *search)
{
    search->grid = NULL;
    search->finder = NULL;
    astar_jump_nodes_rest(&search->jumps.nodes, &search->allocator);
    astar_heap64_rest(&search->jumps.open, &search->allocator);
    if (search->rest.next != NULL)
        tidy(workspace);
}

size_t astar_search_bytes(const AstarSearch *search)
{
    size_t bytes = sizeof *search + search->lines.cost_capacity * sizeof *search->lines.costs;
    bytes += search->lines.spot_capacity * sizeof *search->lines.spots;
    bytes += search->lines.turn_capacity * sizeof *search->lines.turns;
    bytes += search->lines.smoothing != NULL ? sizeof *search->lines.smoothing : 0;
    bytes += (ASTAR_HAS_BAKING ? astar_baked_scratch_bytes(search) : 0) +
             astar_states_bytes(search);
    bytes += astar_links_bytes(search) + astar_any_angle_bytes(search);
    bytes += astar_range_bytes(&search->many.around) +
             search->known.label_capacity * sizeof *search->known.labels;
    bytes += search->slices.continuation != NULL ? search->slices.continuation->bytes : 0;
    bytes += search->slices.given.cells > 0 ? astar_path_bytes(&search->slices.given) : 0;
    bytes += search->many.nears != NULL ? search->rest.cells * sizeof *search->many.nears : 0;
    bytes += astar_slotted_bytes(&search->front.open) + astar_pages_bytes(&search->front.nodes);
    bytes += astar_pages_bytes(&search->many.goal_marks) + astar_pages_bytes(&search->own.said);
    bytes += search->own.cut.capacity * sizeof *search->own.cut.cells;
    for (int i = 0; i < 3; i++)
        bytes += astar_path_bytes(&search->parts[i]);
    bytes += search->jumps.open.capacity * sizeof *search->jumps.open.items;
    bytes += astar_jump_nodes_bytes(&search->jumps.nodes);
    return bytes + astar_costs_bytes(&search->costs);
}
