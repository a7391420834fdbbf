// incremental.c -- searches that take edits in and go on.
//
// On a map that is edited all the time a search begun anew after each edit may never end. This is
// Differential A* (K. I. Trovato and L. Dorst, IEEE Transactions on Knowledge and Data Engineering,
// 2002): of the tree of ways found, the cells about an edit are cut, and the branches that grow
// from them; closed cells beside what was cut are opened again. What is left is a tree of the map
// as it is now, of which every closed cell has been expanded as it would be now, or is open: so the
// search goes on as A* does, and finds a best route of the map as it is when it ends. Of equally
// cheap ones that may be another than a search begun then would find.
//
// A cell cut is marked closed, so that the items it has left on the open list are passed over.
// Where it is reached again, those of a lesser g than it has now are, see best_first.c.
//
// A unit that stands among its own blocks has them lifted again from the map as it is now.
//
// A search that has found its way by steps and makes a route at any angle of it does not look at
// edits; that the route can be walked is seen at its end.

#include "search/incremental.h"

#include "base/array.h"
#include "map/links_and_walls.h"
#include "search/active_landmarks.h"
#include "search/clearance.h"
#include "search/resume.h"

// Of edited areas; more of them are as well begun anew.
enum { MOST_CELLS_TAKEN_IN = 1 << 16, LEAST_CUTS_IN_VAIN = 64, CUTS_OF_PAGE = 1 << 13 };

// Whether a search that is to take edits in can: it makes its steps one by one, towards one goal.
static bool can_take_edits(const AstarSearch *search)
{
    return !search->bends && search->question.max_expansions == UINT64_MAX && !search->goal.tracks;
}

// ---- the tree ----

// The state of a cell that a way leads to; NULL where none does.
static uint8_t *reached_state(const AstarSearch *search, int x, int y)
{
    AstarPage *page = *astar_page_entry(&search->front.nodes, x, y);
    uint8_t *state = page != NULL ? &page->states[astar_page_place(x, y)] : NULL;
    return state != NULL && (*state & ~ASTAR_NODE_CLOSED) != 0 ? state : NULL;
}

static bool add_cuts_page(AstarSearch *search)
{
    AstarCuts *cuts = &search->cuts;
    if (cuts->page_count == cuts->page_capacity) {
        uint32_t **pages = astar_array_grow(&search->allocator, cuts->pages, cuts->page_count,
                                            sizeof *pages, &cuts->page_capacity, 0, 4);
        if (pages == NULL)
            return false;
        cuts->pages = pages;
    }
    uint32_t *page = astar_alloc(&search->allocator, CUTS_OF_PAGE, sizeof *page);
    if (page != NULL)
        cuts->pages[cuts->page_count++] = page;
    return page != NULL;
}

void astar_cuts_free(AstarSearch *search)
{
    AstarCuts *cuts = &search->cuts;
    while (cuts->page_count > 0)
        astar_release(&search->allocator, cuts->pages[--cuts->page_count], CUTS_OF_PAGE,
                      sizeof **cuts->pages);
    astar_release(&search->allocator, cuts->pages, cuts->page_capacity, sizeof *cuts->pages);
}

size_t astar_cuts_bytes(const AstarSearch *search)
{
    const AstarCuts *cuts = &search->cuts;
    return cuts->page_count * CUTS_OF_PAGE * sizeof **cuts->pages +
           cuts->page_capacity * sizeof *cuts->pages;
}

// Makes room to cut so many cells more, and to open as many again.
static bool reserve_cuts(AstarSearch *search, size_t more)
{
    AstarCuts *cuts = &search->cuts;
    if (!astar_slotted_reserve(&search->front.open, &search->allocator, more))
        return false;
    while (cuts->page_count * CUTS_OF_PAGE - cuts->count < more)
        if (!add_cuts_page(search))
            return false;
    return true;
}

static uint32_t *cut_at(const AstarCuts *cuts, size_t i)
{
    return &cuts->pages[i / CUTS_OF_PAGE][i % CUTS_OF_PAGE];
}

// Cuts a cell that was reached; its branches follow.
static void cut_cell(AstarSearch *search, uint32_t cell, int x, int y)
{
    AstarFront *front = &search->front;
    AstarPage *page = *astar_page_entry(&front->nodes, x, y);
    page->states[astar_page_place(x, y)] = ASTAR_NODE_CLOSED;
    page->values[astar_page_place(x, y)] = INFINITY;
    *cut_at(&search->cuts, search->cuts.count++) = cell;
    search->cuts.total++;
    if (front->current == cell)
        front->current = ASTAR_NO_CELL;
}

// Where the host estimates it is the next to be expanded: nothing is asked here.
static void open_again(AstarSearch *search, uint8_t *state, uint32_t cell, int x, int y)
{
    bool by_host = search->goal.estimate != NULL;
    double h = by_host ? 0 : astar_goal_estimate(search, NULL, x, y, search->linked);
    double g = astar_pages_value(&search->front.nodes, x, y), f = g + search->question.weight * h;
    *state &= (uint8_t)~ASTAR_NODE_CLOSED;
    astar_slotted_settle(&search->front.open);
    astar_slotted_push(&search->front.open, f, astar_open(f, g, cell));
}

// What becomes of a cell to which a step leads from one that was cut: a branch, or to be expanded
// again.
static void look_beyond_cut(AstarSearch *search, uint32_t cut, int x, int y)
{
    if (!astar_inside(search->grid, x, y))
        return;
    uint32_t cell = astar_cell(search->grid, x, y);
    uint8_t *state = reached_state(search, x, y);
    if (state == NULL)
        return;
    bool is_root = astar_node_from(*state) == ASTAR_FROM_NOWHERE;
    if (!is_root && astar_search_parent(search, cell) == cut)
        cut_cell(search, cell, x, y);
    else if ((*state & ASTAR_NODE_CLOSED) != 0)
        open_again(search, state, cell, x, y);
}

static bool is_at_link(const AstarSearch *search, int x, int y)
{
    return search->linked && astar_bits_get(&search->grid->links_and_walls->ends, x, y);
}

// How many links lead from a cell, and to it.
static size_t count_links_at(const AstarSearch *search, uint32_t cell)
{
    const AstarLinksAndWalls *links = search->grid->links_and_walls;
    return astar_arcs_first_from(links, cell + 1) - astar_arcs_first_from(links, cell) +
           astar_arcs_first_to(links, cell + 1) - astar_arcs_first_to(links, cell);
}

// Looks at the cells that links lead to, and from.
static void look_over_links(AstarSearch *search, uint32_t cut)
{
    const AstarLinksAndWalls *links = search->grid->links_and_walls;
    uint32_t from = astar_arcs_first_from(links, cut), to = astar_arcs_first_to(links, cut);
    const AstarArc *arc;
    int x, y;
    for (; (arc = astar_arc_at(&links->arcs, from)) != NULL && arc->from == cut; from++) {
        astar_cell_xy(search->grid, arc->to, &x, &y);
        look_beyond_cut(search, cut, x, y);
    }
    for (; (arc = astar_arc_at(&links->back, to)) != NULL && arc->to == cut; to++) {
        astar_cell_xy(search->grid, arc->from, &x, &y);
        look_beyond_cut(search, cut, x, y);
    }
}

// Cuts the branches of all that was cut.
static AstarStatus cut_branches(AstarSearch *search, int64_t *work)
{
    AstarCuts *cuts = &search->cuts;
    for (; cuts->count > 0; *work -= ASTAR_DIRECTIONS) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        uint32_t cut = *cut_at(cuts, cuts->count - 1);
        int x, y;
        astar_cell_xy(search->grid, cut, &x, &y);
        bool at_link = is_at_link(search, x, y);
        if (!reserve_cuts(search, ASTAR_DIRECTIONS + (at_link ? count_links_at(search, cut) : 0)))
            return ASTAR_NO_MEMORY;
        cuts->count--;
        for (int d = 0; d < ASTAR_DIRECTIONS; d++)
            look_beyond_cut(search, cut, x + astar_dx[d], y + astar_dy[d]);
        if (at_link)
            look_over_links(search, cut);
    }
    return ASTAR_OK;
}

// ---- edits ----

// Forgets what functions have said of a cell.
static void forget_answer(AstarSearch *search, int x, int y)
{
    AstarCosts *costs = &search->costs;
    if (search->finder->options.cost == NULL)
        return;
    astar_pages_forget(&costs->answers, x, y);
    if (search->finder->options.size > 1)
        astar_pages_forget(&costs->covered, x, y);
}

static void cut_if_reached(AstarSearch *search, int x, int y)
{
    uint32_t cell = astar_cell(search->grid, x, y);
    uint8_t *state = reached_state(search, x, y);
    forget_answer(search, x, y);
    if (state == NULL)
        return;
    if (cell != search->start)
        cut_cell(search, cell, x, y);
    else if ((*state & ASTAR_NODE_CLOSED) != 0)
        open_again(search, state, cell, x, y);
}

// Whether units can stand there may have changed with an edit of the ground or of blocks: estimates
// over links were made of that.
static bool may_open_link(const AstarSearch *search, const AstarEdit *edit, int x, int y)
{
    int before = search->finder->options.size - 1;
    return is_at_link(search, x, y) && x >= edit->x - before && x < edit->x + edit->width &&
           y >= edit->y - before && y < edit->y + edit->height;
}

// Cuts what an edit, or a change of the field, may make a difference to.
static AstarStatus cut_area(AstarSearch *search, const AstarEdit *edit, bool of_field, size_t *left)
{
    if (edit->width == 0) // what such edits change is looked at as a whole
        return ASTAR_OK;
    AstarEdit area = astar_edited_area(search, edit);
    size_t cells = (size_t)area.width * (size_t)area.height;
    if (cells > *left)
        return ASTAR_GRID_CHANGED;
    *left -= cells;
    if (!reserve_cuts(search, cells))
        return ASTAR_NO_MEMORY;
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++) {
            if (!of_field && may_open_link(search, edit, x, y))
                return ASTAR_GRID_CHANGED;
            cut_if_reached(search, x, y);
        }
    return ASTAR_OK;
}

static AstarStatus cut_areas(AstarSearch *search, int64_t *work)
{
    const uint64_t ignored = search->finder->options.ignore, seen = search->seen.grid;
    size_t most = MOST_CELLS_TAKEN_IN, left = most;
    AstarStatus status = ASTAR_OK;
    if (!astar_knows_edits_since(search->grid, ignored, seen))
        return ASTAR_GRID_CHANGED;
    AstarEditsSince edits = astar_edits_since(search->grid, ignored, seen);
    for (const AstarEdit *edit; status == ASTAR_OK && (edit = astar_next_edit(&edits)) != NULL;)
        status = cut_area(search, edit, false, &left);
    AstarEdit change;
    for (uint32_t tile = 0; status == ASTAR_OK && astar_next_field_change(search, &tile, &change);)
        status = cut_area(search, &change, true, &left);
    *work -= (int64_t)(most - left);
    return status;
}

// Brings what the finder reads up to date. A unit's own blocks are lifted from the map as it is
// now, where they are still there.
static AstarStatus advance_finder(AstarSearch *search, int64_t *work)
{
    AstarFinder *copy = search->finder, *finder = astar_finder_plain(copy);
    AstarStatus status = astar_finder_advance(finder, work);
    if (status != ASTAR_OK)
        return status;
    bool is_lifted = copy->plain != NULL;
    if (finder->tables != search->seen.tables ||
        astar_covers_block(finder, search->start_x, search->start_y, search->bends) != is_lifted)
        return ASTAR_GRID_CHANGED;
    return is_lifted ? astar_stand_again(search) : ASTAR_OK;
}

// Whether the search would be made in another way now.
static AstarStatus is_still_asked_so(AstarSearch *search, int64_t *work)
{
    AstarStatus status = advance_finder(search, work);
    if (status == ASTAR_OK && search->grid->links_and_walls_version != search->seen.links_and_walls)
        status = ASTAR_GRID_CHANGED;
    if (status == ASTAR_OK)
        status = astar_search_build_components(search, work);
    return status == ASTAR_OK ? astar_search_pose_again(search, work) : status;
}

// Whether edits cut nearly as much as the steps between them make.
static bool is_in_vain(const AstarSearch *search)
{
    uint64_t cut = search->cuts.total;
    return cut > LEAST_CUTS_IN_VAIN && cut - cut / 4 > search->expanded / 2;
}

AstarStatus astar_take_edits(AstarSearch *search, int64_t *work)
{
    if (astar_active_landmarks_are_old(search)) // what its estimates went by is gone
        return ASTAR_GRID_CHANGED;
    AstarStatus status = cut_branches(search, work);
    uint64_t version = astar_finder_version(search->finder);
    if (status != ASTAR_OK || version == search->costs.version)
        return status;
    if (!can_take_edits(search) || is_in_vain(search))
        return ASTAR_GRID_CHANGED;
    status = is_still_asked_so(search, work);
    if (status == ASTAR_OK && search->phase == ASTAR_STRAIGHTEN)
        search->walks_again = true;
    else if (status == ASTAR_OK)
        status = cut_areas(search, work);
    if (status != ASTAR_OK)
        return status;
    if (search->failure == ASTAR_MAX_COST)
        search->failure = ASTAR_GRID_CHANGED; // what was too dear may be no way now
    search->costs.version = version;
    astar_resume_look(search);
    return cut_branches(search, work);
}
