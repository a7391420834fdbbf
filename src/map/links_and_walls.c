// links_and_walls.c -- what joins cells that are not neighbours, and what parts cells that are.
//
// A link is one arc or two, each from a cell to a cell. They lie in the order of the cells they
// leave, and once more in that of the cells they enter, see arcs.c; a bitmap marks the cells that
// are ends, so that nothing is looked for elsewhere.
//
// A wall stands between two neighbours, on the side of a cell: a bit of the cell's byte says that
// it cannot be left that way. A wall is two such bits, one in each of the two cells; one alone can
// be passed from the other side. Nothing of this exists until the first link or wall.
// What walls mean for steps is a corner rule's: see corner_rules.h.

#include "map/links_and_walls.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- order ----

uint32_t astar_arcs_first_from(const AstarLinksAndWalls *links, uint32_t cell)
{
    return astar_arcs_place(&links->arcs, cell, 0);
}

uint32_t astar_arcs_first_to(const AstarLinksAndWalls *links, uint32_t cell)
{
    return astar_arcs_place(&links->back, 0, cell);
}

const AstarArc *astar_arcs_find(const AstarLinksAndWalls *links, uint32_t from, uint32_t to)
{
    const AstarArc *arc = astar_arc_at(&links->arcs, astar_arcs_place(&links->arcs, from, to));
    return arc != NULL && arc->from == from && arc->to == to ? arc : NULL;
}

bool astar_links_end_in(const AstarGrid *grid, const AstarEdit *area)
{
    for (int y = area->y; y < area->y + area->height; y++)
        if (astar_any_bit(&grid->links_and_walls->ends, area->x, y, area->width))
            return true;
    return false;
}

uint32_t astar_arcs_room(const AstarLinksAndWalls *links)
{
    uint32_t room = 8;
    while (room < links->arcs.count)
        room *= 2;
    return room;
}

// Only two kinds of layers mind.
static void tell_of_cell(AstarGrid *grid, int x, int y)
{
    if (grid->layers[ASTAR_IRREGULARS] != NULL || grid->layers[ASTAR_LANDMARKS] != NULL)
        astar_grid_tell(grid, x, y, 1, 1);
}

// ---- links ----

// Makes room for an arc and its way back.
static AstarStatus need_arcs(AstarGrid *grid, uint32_t from, uint32_t to)
{
    const AstarAllocator *allocator = &grid->allocator;
    if (astar_need_ends(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarLinksAndWalls *links = grid->links_and_walls;
    bool has_room = astar_arcs_reserve(&links->arcs, allocator, from, to) &&
                    astar_arcs_reserve(&links->arcs, allocator, to, from) &&
                    astar_arcs_reserve(&links->back, allocator, from, to) &&
                    astar_arcs_reserve(&links->back, allocator, to, from);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void mark_link_end(AstarGrid *grid, uint32_t cell, bool is_end)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    astar_bits_put(&grid->links_and_walls->ends, x, y, is_end);
}

// Marks a cell an arc was taken from as what it is now.
static void mark_end(AstarGrid *grid, uint32_t cell)
{
    AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *out = astar_arc_at(&links->arcs, astar_arcs_first_from(links, cell));
    const AstarArc *in = astar_arc_at(&links->back, astar_arcs_first_to(links, cell));
    mark_link_end(grid, cell, (out != NULL && out->from == cell) || (in != NULL && in->to == cell));
}

// Adds an arc, or changes the one there is; true when anything changed. There must be room.
static bool put_arc(AstarGrid *grid, uint32_t from, uint32_t to, double cost, uint32_t label)
{
    AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *before = astar_arcs_find(links, from, to), arc = {from, to, label, cost};
    if (before != NULL && before->cost == cost && before->label == label)
        return false;
    bool is_first = links->arcs.count == (before != NULL);
    void (*put)(AstarArcs *, AstarArc) = before != NULL ? astar_arcs_change : astar_arcs_add;
    put(&links->arcs, arc);
    put(&links->back, arc);
    links->least_cost = is_first ? cost : fmin(links->least_cost, cost);
    links->most_cost = is_first ? cost : fmax(links->most_cost, cost);
    mark_end(grid, from);
    mark_end(grid, to);
    return true;
}

static bool remove_arc(AstarGrid *grid, uint32_t from, uint32_t to)
{
    AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *found = astar_arcs_find(links, from, to);
    if (found == NULL)
        return false;
    AstarArc arc = *found;
    astar_arcs_remove(&links->arcs, &grid->allocator, arc);
    astar_arcs_remove(&links->back, &grid->allocator, arc);
    mark_end(grid, from);
    mark_end(grid, to);
    return true;
}

// The ends of a link have changed, and nothing between them.
static void note_link(AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    astar_grid_note_links_and_walls(grid, x0, y0);
    astar_grid_note_links_and_walls(grid, x1, y1);
    tell_of_cell(grid, x0, y0);
    tell_of_cell(grid, x1, y1);
}

AstarStatus astar_grid_link(AstarGrid *grid, int x0, int y0, int x1, int y1, double cost,
                            uint32_t label, bool one_way)
{
    if (!astar_inside(grid, x0, y0) || !astar_inside(grid, x1, y1))
        return ASTAR_BAD_CELL;
    if (!(cost >= 0 && cost <= ASTAR_COST_MAX))
        return ASTAR_BAD_COST;
    uint32_t from = astar_cell(grid, x0, y0), to = astar_cell(grid, x1, y1);
    if (from == to)
        return ASTAR_BAD_OPTION;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    AstarStatus status = need_arcs(grid, from, to);
    if (status != ASTAR_OK)
        return status;
    bool changed = put_arc(grid, from, to, cost, label);
    if (!one_way)
        changed |= put_arc(grid, to, from, cost, label);
    if (changed)
        note_link(grid, x0, y0, x1, y1);
    return ASTAR_OK;
}

AstarStatus astar_links_fill(AstarGrid *grid, AstarArc *arcs, uint32_t count)
{
    assert(!astar_grid_has_links(grid) && count > 0);
    const AstarAllocator *allocator = &grid->allocator;
    if (astar_need_ends(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarLinksAndWalls *links = grid->links_and_walls;
    if (!astar_arcs_fill(&links->arcs, allocator, arcs, count) ||
        !astar_arcs_fill(&links->back, allocator, arcs, count))
        return ASTAR_NO_MEMORY;
    links->least_cost = links->most_cost = arcs[0].cost;
    for (uint32_t i = 0; i < count; i++) {
        links->least_cost = fmin(links->least_cost, arcs[i].cost);
        links->most_cost = fmax(links->most_cost, arcs[i].cost);
        mark_link_end(grid, arcs[i].from, true);
        mark_link_end(grid, arcs[i].to, true);
    }
    astar_grid_note_links_and_walls(grid, 0, 0); // whoever reads the grid begins after that
    return ASTAR_OK;
}

bool astar_grid_unlink(AstarGrid *grid, int x0, int y0, int x1, int y1, bool one_way)
{
    if (!astar_grid_has_links(grid) || !astar_inside(grid, x0, y0) || !astar_inside(grid, x1, y1) ||
        !astar_grid_may_change(grid))
        return false;
    uint32_t from = astar_cell(grid, x0, y0), to = astar_cell(grid, x1, y1);
    bool changed = remove_arc(grid, from, to);
    if (!one_way)
        changed |= remove_arc(grid, to, from);
    if (changed)
        note_link(grid, x0, y0, x1, y1);
    return changed;
}

uint32_t astar_grid_link_count(const AstarGrid *grid)
{
    return grid->links_and_walls != NULL ? grid->links_and_walls->arcs.count : 0;
}

static void tell_link(const AstarGrid *grid, const AstarArc *arc, AstarLink *link)
{
    uint32_t width = (uint32_t)grid->width;
    *link = (AstarLink){
        .x0 = (int32_t)(arc->from % width),
        .y0 = (int32_t)(arc->from / width),
        .x1 = (int32_t)(arc->to % width),
        .y1 = (int32_t)(arc->to / width),
        .cost = arc->cost,
        .label = arc->label,
    };
}

void astar_grid_link_at(const AstarGrid *grid, uint32_t index, AstarLink *link)
{
    assert(index < astar_grid_link_count(grid));
    tell_link(grid, astar_arc_at(&grid->links_and_walls->arcs, index), link);
}

bool astar_grid_find_link(const AstarGrid *grid, int x0, int y0, int x1, int y1, AstarLink *link)
{
    if (!astar_grid_has_links(grid) || !astar_inside(grid, x0, y0) || !astar_inside(grid, x1, y1))
        return false;
    const AstarArc *arc = astar_arcs_find(grid->links_and_walls, astar_cell(grid, x0, y0),
                                          astar_cell(grid, x1, y1));
    if (arc != NULL)
        tell_link(grid, arc, link);
    return arc != NULL;
}

// ---- walls ----

// Bars or opens one side of a cell, unless the cell is outside; true when it was otherwise.
static bool put_side(AstarGrid *grid, int x, int y, int direction, bool barred)
{
    if (!astar_inside(grid, x, y))
        return false;
    uint8_t *walls = &grid->links_and_walls->walls[astar_cell(grid, x, y)];
    if ((*walls >> direction & 1) == barred)
        return false;
    *walls = (uint8_t)(*walls ^ 1u << direction);
    grid->links_and_walls->wall_count += barred ? 1 : UINT32_MAX;
    return true;
}

// The direction of the step over a side.
static int step_over(const AstarGrid *grid, int x, int y, AstarSide side)
{
    return grid->shape->steps_over[astar_phase(grid->shape, x, y)][side];
}

static void put_wall(AstarGrid *grid, int x, int y, int direction, bool one_way, bool barred)
{
    bool changed = put_side(grid, x, y, direction, barred);
    if (!one_way)
        changed |= put_side(grid, x + astar_dx[direction], y + astar_dy[direction],
                            (direction + 4) & 7, barred);
    if (!changed)
        return;
    astar_grid_note_links_and_walls(grid, x, y);
    tell_of_cell(grid, x, y); // for the cells around, too
}

AstarStatus astar_walls_put(AstarGrid *grid, uint32_t cell, uint32_t count, uint8_t directions)
{
    assert(cell < grid->cells && count <= grid->cells - cell);
    AstarStatus status = astar_need_walls(grid);
    if (status != ASTAR_OK)
        return status;
    assert(grid->links_and_walls->walls[cell] == 0);
    memset(grid->links_and_walls->walls + cell, directions, count);
    for (unsigned rest = directions; rest != 0; rest &= rest - 1)
        grid->links_and_walls->wall_count += count;
    astar_grid_note_links_and_walls(grid, 0, 0); // whoever reads the grid begins after that
    astar_grid_tell(grid, 0, 0, grid->width, grid->height);
    return ASTAR_OK;
}

static bool has_side(const AstarGrid *grid, AstarSide side)
{
    return (int)side < ASTAR_DIRECTIONS && (grid->shape->sides >> side & 1) != 0;
}

static AstarStatus set_wall(AstarGrid *grid, int x, int y, AstarSide side, bool one_way,
                            bool barred)
{
    if (!astar_inside(grid, x, y))
        return ASTAR_BAD_CELL;
    if (!has_side(grid, side))
        return ASTAR_BAD_OPTION;
    if (barred && grid->shape->wraps != 0)
        return ASTAR_BAD_SEAM;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    bool has_walls = grid->links_and_walls != NULL && grid->links_and_walls->walls != NULL;
    AstarStatus status = barred ? astar_need_walls(grid) : ASTAR_OK;
    if (status == ASTAR_OK && (barred || has_walls))
        put_wall(grid, x, y, step_over(grid, x, y, side), one_way, barred);
    return status;
}

AstarStatus astar_grid_wall(AstarGrid *grid, int x, int y, AstarSide side, bool one_way)
{
    return set_wall(grid, x, y, side, one_way, true);
}

AstarStatus astar_grid_unwall(AstarGrid *grid, int x, int y, AstarSide side, bool one_way)
{
    return set_wall(grid, x, y, side, one_way, false);
}

bool astar_grid_has_wall(const AstarGrid *grid, int x, int y, AstarSide side)
{
    return astar_inside(grid, x, y) && astar_grid_has_walls(grid) && has_side(grid, side) &&
           astar_walls_bar(grid, x, y, step_over(grid, x, y, side));
}

bool astar_grid_next_walls(const AstarGrid *grid, uint64_t *cell, int *x, int *y, unsigned *sides)
{
    if (!astar_grid_has_walls(grid))
        return false;
    const uint8_t *walls = grid->links_and_walls->walls;
    while (*cell < grid->cells && walls[*cell] == 0)
        ++*cell;
    if (*cell >= grid->cells)
        return false;
    astar_cell_xy(grid, (uint32_t)*cell, x, y);
    *sides = 0;
    for (unsigned rest = walls[(*cell)++]; rest != 0; rest &= rest - 1)
        *sides |=
            1u << grid->shape->sides_of[astar_phase(grid->shape, *x, *y)][astar_lowest_bit(rest)];
    return true;
}

// ---- another grid's ----

static AstarStatus follow_walls(AstarGrid *grid, const AstarGrid *from)
{
    const uint8_t *theirs = from->links_and_walls->walls;
    if (astar_need_walls(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    const uint8_t *walls = grid->links_and_walls->walls;
    for (uint32_t cell = 0; cell < grid->cells; cell++) {
        unsigned differ = walls[cell] ^ (theirs != NULL ? theirs[cell] : 0u);
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        for (; differ != 0; differ &= differ - 1) {
            int direction = astar_lowest_bit(differ);
            put_wall(grid, x, y, direction, true, (walls[cell] >> direction & 1) == 0);
        }
    }
    return ASTAR_OK;
}

// Takes away what the other grid does not have.
static void remove_other_arcs(AstarGrid *grid, const AstarGrid *from)
{
    for (uint32_t i = astar_grid_link_count(grid); i-- > 0;) {
        const AstarArc *arc = astar_arc_at(&grid->links_and_walls->arcs, i);
        AstarLink link;
        if (astar_arcs_find(from->links_and_walls, arc->from, arc->to) != NULL)
            continue;
        tell_link(grid, arc, &link);
        astar_grid_unlink(grid, link.x0, link.y0, link.x1, link.y1, true);
    }
}

AstarStatus astar_links_and_walls_follow(AstarGrid *grid, const AstarGrid *from)
{
    if (from->links_and_walls == NULL)
        return ASTAR_OK; // there never were any
    AstarStatus status = astar_need_links_and_walls(grid);
    bool has_walls = astar_grid_has_walls(grid) || astar_grid_has_walls(from);
    if (status == ASTAR_OK && has_walls)
        status = follow_walls(grid, from);
    if (status == ASTAR_OK)
        remove_other_arcs(grid, from);
    for (uint32_t i = 0; status == ASTAR_OK && i < from->links_and_walls->arcs.count; i++) {
        AstarLink link;
        astar_grid_link_at(from, i, &link);
        status = astar_grid_link(grid, link.x0, link.y0, link.x1, link.y1, link.cost, link.label,
                                 true);
    }
    return status;
}
