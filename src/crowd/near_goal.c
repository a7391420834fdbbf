// near_goal.c -- the nearest cell to one that a way leads to from where a unit is: with a range
// counted from the nearest cell that the unit covers.
//
// Where no way leads to a goal, as in a walled town, what can be reached may lie half a map off. So
// the cells are not gone over one by one: of the tiles whose components are numbered, nearest
// first, those are skipped that have no cell of the unit's component, or none near enough. A group
// that is sent to one place is answered at once.

#include "crowd/crowd.h"

// What is looked for, and the best so far.
typedef struct NearSearch {
    const AstarCrowdKind *kind;
    const AstarComponents *components;
    uint32_t label; // of the unit's component
    AstarCell to, best;
    int size;      // of the unit, as what is near is counted: from all that it covers, or 1
    int64_t least; // its distance by straight line, squared
} NearSearch;

static int64_t squared(int dx, int dy)
{
    return (int64_t)dx * dx + (int64_t)dy * dy;
}

// How far a column or row lies from what a unit covers in those from 'first' on, as many as a tile
// has.
static int apart_from_tile(int at, int first, int size)
{
    return abs(at - astar_nearest_covered(first, ASTAR_TILE + size - 1, at));
}

static void look_at_near_tile(NearSearch *search, int x0, int y0)
{
    const AstarGrid *grid = astar_kind_grid(search->kind);
    AstarCell to = search->to;
    if (!astar_inside(grid, x0, y0) ||
        squared(apart_from_tile(to.x, x0, search->size), apart_from_tile(to.y, y0, search->size)) >=
            search->least ||
        !astar_components_tile_may_have(search->components, x0, y0, search->label))
        return;
    for (int y = y0; y < y0 + ASTAR_TILE && y < grid->height; y++)
        for (int x = x0; x < x0 + ASTAR_TILE && x < grid->width; x++) {
            int64_t apart = squared(astar_nearest_covered(x, search->size, to.x) - to.x,
                                    astar_nearest_covered(y, search->size, to.y) - to.y);
            if (apart < search->least && astar_bits_get(search->kind->bits, x, y) &&
                astar_components_label(search->components, x, y) == search->label) {
                search->least = apart;
                search->best = (AstarCell){x, y};
            }
        }
}

// Looks at the tiles that lie so many tiles from that of the goal, along a row or a column.
static void look_at_near_ring(NearSearch *search, int ring)
{
    int x = search->to.x / ASTAR_TILE, y = search->to.y / ASTAR_TILE;
    for (int dy = -ring; dy <= ring; dy++)
        for (int dx = -ring; dx <= ring; dx += abs(dy) == ring || ring == 0 ? 1 : 2 * ring)
            look_at_near_tile(search, (x + dx) * ASTAR_TILE, (y + dy) * ASTAR_TILE);
}

static AstarCell search_near(NearSearch *search)
{
    const AstarGrid *grid = astar_kind_grid(search->kind);
    int side = grid->width > grid->height ? grid->width : grid->height;
    search->best = search->to;
    search->least = INT64_MAX;
    for (int ring = 0; ring * ASTAR_TILE <= side + ASTAR_TILE; ring++) {
        int nearest = astar_greater((ring - 1) * ASTAR_TILE + 2 - search->size, 0);
        if (squared(nearest, 0) >= search->least)
            break;
        look_at_near_ring(search, ring);
    }
    return search->best;
}

AstarStatus astar_crowd_find_near(AstarCrowd *crowd, uint32_t unit, uint32_t *goal, uint32_t *range)
{
    const AstarCrowdKind *kind = &crowd->kinds[crowd->units[unit].kind];
    AstarNearGoal *last = &crowd->near;
    AstarComponents *components;
    AstarStatus status = astar_finder_components(kind->finder, &components);
    if (status != ASTAR_OK)
        return status;
    int x, y, to_x, to_y;
    astar_cell_xy(crowd->grid, crowd->units[unit].cell, &x, &y);
    astar_cell_xy(crowd->grid, *goal, &to_x, &to_y);
    if (!astar_bits_get(kind->bits, x, y)) // it may only leave
        return ASTAR_OK;
    uint32_t label = astar_components_label(components, x, y);
    int size = *range > 0 ? astar_kind_size(kind) : 1;
    if (last->version != kind->seen || last->kind != crowd->units[unit].kind ||
        last->goal != *goal || last->label != label || last->size != size) {
        NearSearch search = {.kind = kind,
                             .components = components,
                             .label = label,
                             .to = {to_x, to_y},
                             .size = size};
        AstarCell best = search_near(&search);
        *last = (AstarNearGoal){.version = kind->seen,
                                .kind = crowd->units[unit].kind,
                                .goal = *goal,
                                .label = label,
                                .best = astar_cell(crowd->grid, best.x, best.y),
                                .size = size};
    }
    AstarCrowdAim aim = {*goal, *range, 1};
    if (astar_apart_from_aim(crowd->grid, last->best, size, &aim) > *range)
        *range = 0;
    if (*range == 0)
        *goal = last->best;
    return ASTAR_OK;
}

bool astar_crowd_reaches(AstarCrowd *crowd, AstarUnit unit, int x, int y)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || !astar_inside(crowd->grid, x, y))
        return false;
    AstarCrowdKind *kind = &crowd->kinds[crowd->units[index].kind];
    AstarComponents *components;
    int from_x, from_y;
    astar_cell_xy(crowd->grid, crowd->units[index].cell, &from_x, &from_y);
    if (!astar_kind_is_current(kind))
        astar_crowd_disturb(crowd);
    return astar_kind_update(kind) == ASTAR_OK &&
           astar_finder_components(kind->finder, &components) == ASTAR_OK &&
           astar_bits_get(kind->bits, x, y) && astar_bits_get(kind->bits, from_x, from_y) &&
           astar_components_join(components, from_x, from_y, x, y);
}
