// links_and_walls.c -- Links, which join cells that need not be neighbours, and thin walls, which
// separate neighbouring cells.
//
// A link consists of one or two arcs, each from one cell to another. The arcs are stored in two
// sorted lists: by the cell they leave, and by the cell they enter. A bitmap marks the cells at the
// ends of arcs, so that the lists are not searched for any other cell.
//
// Walls and restricted cells are stored as bits of their cells, see walls.h. No memory is allocated
// before the first link or wall.

#include "map/links_and_walls.h"

#include "base/array.h"
#include "map/snapshot.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The following functions search the sorted arcs.

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

// Notifies the layers of an edit of links or walls at a cell. Of all layers only those of
// non-uniform cells and of landmarks depend on links and walls. A new kind of layer that depends on
// them must be notified here.
static void tell_of_cell(AstarGrid *grid, int x, int y)
{
    if (grid->layers[ASTAR_NONUNIFORMS] != NULL || grid->layers[ASTAR_LANDMARKS] != NULL)
        astar_grid_notify_layers(grid, x, y, 1, 1);
}

// The following functions edit links.

// Makes room for two arcs: the arc from 'from' to 'to', and the arc in the opposite direction.
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

// Updates the mark of a cell in the bitmap of ends, after an arc that began or ended at the cell
// was removed.
static void mark_end(AstarGrid *grid, uint32_t cell)
{
    AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *out = astar_arc_at(&links->arcs, astar_arcs_first_from(links, cell));
    const AstarArc *in = astar_arc_at(&links->back, astar_arcs_first_to(links, cell));
    mark_link_end(grid, cell, (out != NULL && out->from == cell) || (in != NULL && in->to == cell));
}

// Adds an arc, or changes its cost and label if it exists. The lists must have room. Returns true
// if something changed.
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

// Logs an edit of a link and notifies the layers at the two ends of the link. Cells between the
// ends are not affected.
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
    // One entry in the log is enough for all links, because no query has used the new grid yet.
    astar_grid_note_links_and_walls(grid, 0, 0);
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

// The following functions edit walls.

// Sets or clears the wall bit of a cell in a direction, unless the cell is outside the grid.
// Returns true if the bit changed.
static bool put_side(AstarGrid *grid, int x, int y, int direction, bool barred)
{
    return astar_inside(grid, x, y) && astar_walls_turn(&grid->links_and_walls->walls,
                                                        astar_cell(grid, x, y), direction, barred);
}

// Returns the direction of the step across a side of a cell.
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
    tell_of_cell(grid, x, y); // diagonal steps out of neighbouring cells are affected, too
}

AstarStatus astar_walls_put(AstarGrid *grid, uint32_t cell, uint32_t count, uint8_t directions)
{
    assert(cell < grid->cells && count <= grid->cells - cell);
    AstarStatus status = astar_need_walls(grid);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t i = cell; i < cell + count; i++)
        astar_walls_set(&grid->links_and_walls->walls, i, directions);
    // One entry in the log is enough for all walls, because no query has used the new grid yet.
    astar_grid_note_links_and_walls(grid, 0, 0);
    astar_grid_notify_layers(grid, 0, 0, grid->width, grid->height);
    return ASTAR_OK;
}

// The following functions edit restricted cells.

// Returns the directions across some sides of a cell, as bits.
static unsigned directions_over(const AstarGrid *grid, int x, int y, unsigned sides)
{
    unsigned directions = 0;
    for (int side = 0; side < ASTAR_DIRECTIONS; side++) {
        int d = step_over(grid, x, y, (AstarSide)side);
        if ((sides >> side & 1) != 0 && d != ASTAR_NO_SIDE)
            directions |= 1u << d;
    }
    return directions;
}

// Sets the directions in which a cell may not be left.
static void put_exits(AstarGrid *grid, int x, int y, unsigned barred)
{
    if (!astar_walls_restrict(&grid->links_and_walls->walls, astar_cell(grid, x, y), barred))
        return;
    astar_grid_note_links_and_walls(grid, x, y);
    tell_of_cell(grid, x, y);
}

AstarStatus astar_exits_put(AstarGrid *grid, uint32_t cell, uint32_t count, uint8_t barred)
{
    assert(cell < grid->cells && count <= grid->cells - cell && barred != 0);
    AstarStatus status = astar_need_exits(grid);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t i = cell; i < cell + count; i++)
        astar_walls_restrict(&grid->links_and_walls->walls, i, barred);
    // One entry in the log is enough for all restrictions, because no query has used the new grid
    // yet.
    astar_grid_note_links_and_walls(grid, 0, 0);
    astar_grid_notify_layers(grid, 0, 0, grid->width, grid->height);
    return ASTAR_OK;
}

// Returns the set of all sides of a cell of a grid. On squares it contains all eight directions.
static unsigned all_exits(const AstarGrid *grid)
{
    return grid->shape->has_corners ? 0xFF : grid->shape->sides;
}

AstarStatus astar_grid_restrict(AstarGrid *grid, int x, int y, int width, int height,
                                unsigned sides)
{
    if (!astar_inside(grid, x, y) || width < 1 || height < 1 || width > grid->width - x ||
        height > grid->height - y)
        return ASTAR_BAD_CELL;
    unsigned all = all_exits(grid);
    if ((sides & ~all) != 0)
        return ASTAR_BAD_OPTION;
    bool is_free = sides == all;
    if (!is_free && grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    if (is_free && !astar_grid_has_exits(grid))
        return ASTAR_OK;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_need_exits(grid);
    for (int row = y; row < y + height && status == ASTAR_OK; row++)
        for (int column = x; column < x + width; column++)
            put_exits(grid, column, row, directions_over(grid, column, row, all & ~sides));
    return status;
}

AstarStatus astar_grid_unrestrict(AstarGrid *grid, int x, int y, int width, int height)
{
    return astar_grid_restrict(grid, x, y, width, height, all_exits(grid));
}

unsigned astar_grid_exits(const AstarGrid *grid, int x, int y)
{
    unsigned open = all_exits(grid);
    if (!astar_inside(grid, x, y) || !astar_grid_has_exits(grid))
        return open;
    const int8_t *sides = grid->shape->sides_of[astar_phase(grid->shape, x, y)];
    for (unsigned rest = *astar_exits_at(grid, x, y); rest != 0; rest &= rest - 1)
        open &= ~(1u << sides[astar_lowest_bit(rest)]);
    return open;
}

bool astar_grid_next_restricted(const AstarGrid *grid, uint64_t *cell, int *x, int *y,
                                unsigned *sides)
{
    if (!astar_grid_has_exits(grid))
        return false;
    const uint8_t *exits = grid->links_and_walls->walls.exits;
    while (*cell < grid->cells && exits[*cell] == 0)
        ++*cell;
    if (*cell >= grid->cells)
        return false;
    astar_cell_xy(grid, (uint32_t)(*cell)++, x, y);
    *sides = astar_grid_exits(grid, *x, *y);
    return true;
}

static AstarStatus set_wall(AstarGrid *grid, int x, int y, AstarSide side, bool one_way,
                            bool barred)
{
    if (!astar_inside(grid, x, y))
        return ASTAR_BAD_CELL;
    if (!astar_has_side(grid->shape, side))
        return ASTAR_BAD_OPTION;
    if (barred && grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    bool has_walls = grid->links_and_walls != NULL && grid->links_and_walls->walls.sides != NULL;
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
    return astar_inside(grid, x, y) && astar_grid_has_walls(grid) &&
           astar_has_side(grid->shape, side) &&
           astar_walls_bar(grid, x, y, step_over(grid, x, y, side));
}

bool astar_grid_next_walls(const AstarGrid *grid, uint64_t *cell, int *x, int *y, unsigned *sides)
{
    if (!astar_grid_has_walls(grid))
        return false;
    const uint8_t *walls = grid->links_and_walls->walls.sides;
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

// The following functions copy links and walls from another grid.

static AstarStatus follow_walls(AstarGrid *grid, const AstarGrid *from)
{
    const uint8_t *theirs = from->links_and_walls->walls.sides;
    if (astar_need_walls(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    const uint8_t *walls = grid->links_and_walls->walls.sides;
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

static AstarStatus follow_exits(AstarGrid *grid, const AstarGrid *from)
{
    const uint8_t *theirs = from->links_and_walls->walls.exits;
    if (astar_need_exits(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    for (uint32_t cell = 0; cell < grid->cells; cell++) {
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        put_exits(grid, x, y, theirs != NULL ? theirs[cell] : 0u);
    }
    return ASTAR_OK;
}

// Removes the links that the grid 'from' does not have.
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
        return ASTAR_OK; // neither grid has ever had links or walls
    AstarStatus status = astar_need_links_and_walls(grid);
    bool has_walls = astar_grid_has_walls(grid) || astar_grid_has_walls(from);
    if (status == ASTAR_OK && has_walls)
        status = follow_walls(grid, from);
    if (status == ASTAR_OK && (astar_grid_has_exits(grid) || astar_grid_has_exits(from)))
        status = follow_exits(grid, from);
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

// The following functions manage the memory of links and walls. No memory is allocated before the
// first link or wall.

AstarStatus astar_need_links_and_walls(AstarGrid *grid)
{
    if (grid->links_and_walls != NULL)
        return ASTAR_OK;
    AstarLinksAndWalls *none = astar_alloc(&grid->allocator, 1, sizeof *none);
    if (none == NULL)
        return ASTAR_NO_MEMORY;
    none->back.back = true;
    grid->links_and_walls = none;
    return ASTAR_OK;
}

AstarStatus astar_need_walls(AstarGrid *grid)
{
    bool has_room = astar_need_links_and_walls(grid) == ASTAR_OK &&
                    astar_walls_need_sides(&grid->links_and_walls->walls, &grid->allocator,
                                           grid->cells);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_need_exits(AstarGrid *grid)
{
    bool has_room = astar_need_walls(grid) == ASTAR_OK &&
                    astar_walls_need_exits(&grid->links_and_walls->walls, &grid->allocator,
                                           grid->cells);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_need_ends(AstarGrid *grid)
{
    AstarStatus status = astar_need_links_and_walls(grid);
    if (status != ASTAR_OK || grid->links_and_walls->ends.words != NULL)
        return status;
    AstarBits *ends = &grid->links_and_walls->ends;
    *ends = astar_bits_new(&grid->allocator, grid->width, grid->height);
    return ends->words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_links_clone(const AstarGrid *grid, AstarGrid *copy)
{
    const AstarLinksAndWalls *links = grid->links_and_walls;
    if (links == NULL || links->arcs.count == 0)
        return ASTAR_OK;
    if (astar_need_ends(copy) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    const AstarAllocator *allocator = &copy->allocator;
    AstarLinksAndWalls *copied = copy->links_and_walls;
    if (!astar_arcs_copy(&copied->arcs, allocator, &links->arcs) ||
        !astar_arcs_copy(&copied->back, allocator, &links->back)) {
        astar_arcs_free(&copied->arcs, allocator);
        return ASTAR_NO_MEMORY;
    }
    memcpy(copied->ends.words, links->ends.words, links->ends.count * sizeof *links->ends.words);
    copied->least_cost = links->least_cost;
    copied->most_cost = links->most_cost;
    return ASTAR_OK;
}

// Copies the restricted cells in some rows from another grid.
static AstarStatus copy_exits(AstarGrid *grid, const AstarGrid *from, int y, int height)
{
    const AstarLinksAndWalls *copied = from->links_and_walls, *links = grid->links_and_walls;
    const uint8_t *theirs = copied != NULL ? copied->walls.exits : NULL;
    if (theirs == NULL && (links == NULL || links->walls.exits == NULL))
        return ASTAR_OK;
    if (astar_need_exits(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    uint32_t first = (uint32_t)y * (uint32_t)grid->width;
    uint32_t end = first + (uint32_t)height * (uint32_t)grid->width;
    for (uint32_t cell = first; cell < end; cell++)
        astar_walls_restrict(&grid->links_and_walls->walls, cell,
                             theirs != NULL ? theirs[cell] : 0);
    return ASTAR_OK;
}

AstarStatus astar_walls_copy(AstarGrid *grid, const AstarGrid *from, int y, int height)
{
    if (copy_exits(grid, from, y, height) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    const AstarLinksAndWalls *copied = from->links_and_walls, *links = grid->links_and_walls;
    const uint8_t *theirs = copied != NULL ? copied->walls.sides : NULL;
    if (theirs == NULL && (links == NULL || links->walls.sides == NULL))
        return ASTAR_OK;
    if (astar_need_walls(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    uint32_t first = (uint32_t)y * (uint32_t)grid->width;
    uint32_t end = first + (uint32_t)height * (uint32_t)grid->width;
    for (uint32_t cell = first; cell < end; cell++)
        astar_walls_set(&grid->links_and_walls->walls, cell, theirs != NULL ? theirs[cell] : 0);
    return ASTAR_OK;
}

AstarStatus astar_links_and_walls_clone(const AstarGrid *grid, AstarGrid *copy)
{
    AstarStatus status = astar_walls_copy(copy, grid, 0, grid->height);
    return status == ASTAR_OK ? astar_links_clone(grid, copy) : status;
}

void astar_links_and_walls_free(AstarGrid *grid)
{
    AstarLinksAndWalls *links = grid->links_and_walls;
    if (links == NULL)
        return;
    astar_walls_free(&links->walls, &grid->allocator, grid->cells);
    astar_bits_free(&grid->allocator, &links->ends);
    astar_arcs_free(&links->arcs, &grid->allocator);
    astar_arcs_free(&links->back, &grid->allocator);
    astar_release(&grid->allocator, links, 1, sizeof *links);
    grid->links_and_walls = NULL;
}

size_t astar_links_and_walls_bytes(const AstarGrid *grid)
{
    const AstarLinksAndWalls *links = grid->links_and_walls;
    if (links == NULL)
        return 0;
    size_t bytes = sizeof *links + astar_walls_bytes(&links->walls, grid->cells);
    if (links->ends.words != NULL)
        bytes += links->ends.count * sizeof *links->ends.words;
    return bytes + astar_arcs_bytes(&links->arcs) + astar_arcs_bytes(&links->back);
}

// Sorted lists of arcs.
//
// A list consists of blocks of up to 128 arcs. The arcs are sorted within each block and from block
// to block. An edit moves the arcs of one block and renumbers the blocks after it, which takes a
// few kilobytes of writes for 100,000 arcs. Each block stores the index of its first arc in the
// whole list. The arc with an index is found by binary search over these indices, and the block of
// a key by binary search over the keys of first arcs. A full block is split before an arc is added
// to it.

enum { FULL = ASTAR_ARCS_A_BLOCK, ADDED_AT_ONCE = 2 };

// Position of an arc in a list of blocks, or position where an arc would be inserted.
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

// Finds the position of a key. The position lies in the last block that begins at or before the
// key, or else in the first block.
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

// The following functions edit a list of arcs.

// Inserts an empty block into a list, after the first 'block' blocks.
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
    // Splitting off only the last arc keeps blocks full while arcs are added in ascending order.
    uint32_t kept = spot.at == count ? count - 1 : count / 2;
    if (!add_arc_block(arcs, allocator, spot.block + 1))
        return false;
    AstarArcBlock *split = &arcs->blocks[spot.block];
    split[1].start = split->start + kept;
    memcpy(split[1].arcs, split->arcs + kept, (count - kept) * sizeof *split->arcs);
    return true;
}

// Adds 'by', which is 1 or -1, to the number of arcs and to the start of each block after 'block'.
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

// The following functions fill, copy and free lists of arcs.

// Appends to a list a block of 'count' arcs that come after all arcs of the list. Returns false if
// memory runs out.
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
