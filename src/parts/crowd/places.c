// places.c -- Rooms, in which plans are made, and the places where the units of a plan are to end.
// The file also finds the reachable cell nearest to a goal.

#include "parts/crowd/places.h"

#include "parts/crowd/crowd.h"
#include "parts/crowd/pibt.h"

#include <string.h>

// Number of cells that are examined for one work unit.
enum { CELLS_A_LOOK = 8 };

// The functions below create and free rooms.

AstarStatus astar_room_new(AstarRoom *room, AstarBytes *bytes, const AstarGrid *grid,
                           size_t kind_count, int x, int y, int width, int height, int margin)
{
    *room = (AstarRoom){.pile = {.bytes = bytes},
                        .grid = grid,
                        .x = x,
                        .y = y,
                        .width = width,
                        .height = height,
                        .kind_count = kind_count,
                        .nearest = UINT32_MAX};
    int x0 = astar_greater(x - margin, 0), y0 = astar_greater(y - margin, 0);
    int x1 = astar_lesser(x + width + margin, grid->width);
    int y1 = astar_lesser(y + height + margin, grid->height);
    room->build.allocator = room->flood.allocator = bytes->from;
    room->kinds = astar_pile_take(&room->pile, kind_count, sizeof *room->kinds);
    room->more = astar_pile_take(&room->pile, kind_count, sizeof *room->more);
    room->places = astar_pile_take(&room->pile, grid->cells, sizeof *room->places);
    room->groups = astar_pile_take(&room->pile, grid->cells, sizeof *room->groups);
    AstarStatus status = astar_pile_status(&room->pile);
    for (int row = y0; row < y1 && status == ASTAR_OK; row++)
        memset(&room->places[astar_cell(grid, x0, row)], 0xFF,
               (size_t)(x1 - x0) * sizeof *room->places);
    return status;
}

void astar_room_free(AstarRoom *room)
{
    astar_field_build_free(&room->build);
    astar_field_build_free(&room->flood);
    for (size_t i = 0; i < room->kind_count && room->more != NULL; i++) {
        astar_numbering_release(room->kinds[i].numbering);
        astar_numbering_release(room->more[i].whole.numbering);
    }
    astar_pile_drop(&room->pile);
    *room = (AstarRoom){0};
}

// The functions below prepare the data of finders (kinds) for a room.

static AstarBits copy_bits_inside(AstarRoom *room, const AstarBits *bits)
{
    AstarBits copy = {NULL, bits->stride, bits->count};
    copy.words = astar_pile_take(&room->pile, bits->count, sizeof *copy.words);
    size_t first = (size_t)room->x + 1, last = first + (size_t)room->width - 1;
    for (int y = room->y; y < room->y + room->height && copy.words != NULL; y++)
        for (size_t word = first >> 6; word <= last >> 6; word++)
            astar_bits_row(&copy, y)[word] = astar_bits_row(bits, y)[word] &
                                             astar_bits_mask(word, first, last);
    return copy;
}

// Makes all steps in a room cost the same, independent of terrain, because a plan should take few
// ticks.
static void count_steps(AstarCrowdKind *kind)
{
    kind->is_uniform = true;
    kind->lengths[0] = kind->lengths[1] = kind->shortest = 1;
    if (kind->has_one_way_walls)
        kind->packing = (AstarPacking){5, 0};
    else if (kind->finder->rule->has_diagonals)
        kind->packing = (AstarPacking){1, 3};
    else
        kind->packing = (AstarPacking){0, 4};
}

AstarStatus astar_room_open(AstarRoom *room, uint32_t kind, const AstarCrowdKind *whole)
{
    AstarRoomKind *more = &room->more[kind];
    if (more->is_open)
        return ASTAR_OK;
    more->free = copy_bits_inside(room, whole->bits);
    more->bits = copy_bits_inside(room, whole->bits);
    AstarStatus status = astar_pile_status(&room->pile);
    if (status != ASTAR_OK)
        return status;
    more->whole = room->kinds[kind] = *whole;
    more->whole.numbering = room->kinds[kind].numbering = NULL;
    count_steps(&room->kinds[kind]);
    room->kinds[kind].bits = &more->bits;
    room->kinds[kind].table = (AstarMoveTable){0};
    more->is_open = true;
    return ASTAR_OK;
}

void astar_room_fill(AstarRoom *room, uint32_t cell, int size)
{
    int x, y;
    astar_cell_xy(room->grid, cell, &x, &y);
    for (size_t kind = 0; kind < room->kind_count; kind++) {
        int before = room->more[kind].is_open ? astar_kind_size(&room->kinds[kind]) - 1 : 0;
        int x0 = x > before ? x - before : 0, y0 = y > before ? y - before : 0;
        for (int row = y0; row < y + size && room->more[kind].is_open; row++)
            astar_bits_put_row(&room->more[kind].bits, x0, row, x + size - x0, false);
    }
}

AstarStatus astar_room_note_moves(AstarRoom *room)
{
    for (size_t i = 0; i < room->kind_count; i++) {
        AstarCrowdKind *kind = &room->kinds[i];
        AstarMoveTable *table = &kind->table;
        if (!room->more[i].is_open)
            continue;
        table->bits = *kind->bits;
        table->bits.words = astar_pile_take(&room->pile, kind->bits->count, sizeof(uint64_t));
        table->moves = astar_pile_take(&room->pile, room->grid->cells, 1);
        AstarStatus status = astar_pile_status(&room->pile);
        if (status == ASTAR_OK)
            status = astar_move_table_update(table, room->grid, kind->finder->rule, kind->bits);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Checks whether edits of the map concern the data of one finder in a room. Returns
// ASTAR_GRID_CHANGED if the plan may have become invalid.
static AstarStatus look_at_kind(AstarRoom *room, AstarRoomKind *more)
{
    uint64_t rules_version = more->whole.rules_version;
    AstarStatus status = astar_kind_update(&more->whole);
    if (status != ASTAR_OK)
        return status;
    if (more->whole.rules_version != rules_version)
        return ASTAR_GRID_CHANGED;
    size_t first = (size_t)room->x + 1, last = first + (size_t)room->width - 1;
    for (int y = room->y; y < room->y + room->height; y++)
        for (size_t word = first >> 6; word <= last >> 6; word++) {
            uint64_t now = astar_bits_row(more->whole.bits, y)[word] &
                           astar_bits_mask(word, first, last);
            if ((astar_bits_row(&more->bits, y)[word] & ~now) != 0)
                return ASTAR_GRID_CHANGED;
            room->has_opened |= (now & ~astar_bits_row(&more->free, y)[word]) != 0;
        }
    return ASTAR_OK;
}

AstarStatus astar_room_update(AstarRoom *room)
{
    for (size_t kind = 0; kind < room->kind_count; kind++) {
        AstarRoomKind *more = &room->more[kind];
        if (!more->is_open || astar_kind_is_current(&more->whole))
            continue;
        AstarStatus status = look_at_kind(room, more);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// The functions below find the places where units are to end.

// Computes the distances of all cells to an aim, unless they are computed already.
static AstarStatus spread_from(AstarFieldBuild *build, AstarCrowdKind *kind, AstarCrowdAim aim,
                               uint64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (build->kind != kind || !astar_is_same_aim(&build->aim, &aim)) {
        astar_field_build_stop(build);
        status = astar_field_build_begin(build, kind, aim);
    }
    return status == ASTAR_OK ? astar_field_build_spread(build, work) : status;
}

AstarStatus astar_room_flood(AstarRoom *room, AstarCrowdAim aim, uint32_t kind, uint64_t *work)
{
    return spread_from(&room->flood, &room->more[kind].whole, aim, work);
}

uint32_t astar_room_distance(const AstarRoom *room, uint32_t cell)
{
    const AstarFieldBuild *flood = &room->flood;
    bool is_known = astar_field_build_has(flood, cell);
    return is_known ? flood->distances[cell] - (uint32_t)flood->base : UINT32_MAX;
}

ASTAR_ONCE bool take_cells(AstarRoom *room, uint32_t cell, int size, uint32_t group)
{
    uint32_t *groups = room->groups + cell;
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (groups[row * room->grid->width + column] != 0)
                return false;
    for (int row = 0; row < size && group != 0; row++)
        memset(groups + row * room->grid->width, 0xFF, (size_t)size * sizeof *groups);
    *groups = group;
    return true;
}

bool astar_room_take(AstarRoom *room, uint32_t cell, int size, uint32_t group)
{
    return take_cells(room, cell, size, group);
}

// Searches one row of the room for a place that is nearer to the goal than the place found so far.
// A place must be reachable and free. If 'may_have_goal' is true, the goal itself is treated as
// free.
static void look_at_row(AstarRoom *room, int y, int size, bool may_have_goal)
{
    for (int x = room->x; x < room->x + room->width; x++) {
        uint32_t cell = astar_cell(room->grid, x, y), distance = astar_room_distance(room, cell);
        if (distance < room->nearest && astar_field_build_has(&room->build, cell) &&
            ((may_have_goal && cell == room->flood.aim.cell) || take_cells(room, cell, size, 0))) {
            room->nearest = distance;
            room->nearest_cell = cell;
        }
    }
}

AstarStatus astar_room_find_place(AstarRoom *room, const AstarPibtUnit *unit, uint32_t group,
                                  bool may_have_goal, uint64_t *work, uint32_t *place)
{
    AstarCrowdAim itself = {unit->cell, 0, 1};
    AstarStatus status = spread_from(&room->build, &room->kinds[unit->kind], itself, work);
    if (status != ASTAR_OK)
        return status;
    uint64_t worth = 1 + (uint64_t)room->width / CELLS_A_LOOK;
    int size = astar_kind_size(&room->kinds[unit->kind]);
    for (; room->looked < (uint32_t)room->height; room->looked++) {
        if (*work == 0)
            return ASTAR_RUNNING;
        look_at_row(room, room->y + (int)room->looked, size, may_have_goal);
        *work -= worth < *work ? worth : *work;
    }
    bool is_any = room->nearest < UINT32_MAX;
    astar_field_build_stop(&room->build);
    room->looked = 0;
    room->nearest = UINT32_MAX;
    if (!is_any)
        return ASTAR_UNSOLVABLE;
    *place = room->nearest_cell;
    take_cells(room, *place, size, group);
    return ASTAR_OK;
}

AstarStatus astar_room_build(AstarRoom *room, uint32_t place, uint32_t kind, uint64_t *work,
                             AstarDistances *out)
{
    AstarFieldBuild *build = &room->build;
    AstarStatus status = ASTAR_OK;
    if (build->kind == NULL)
        status = astar_field_build_begin(build, &room->kinds[kind], (AstarCrowdAim){place, 0, 1});
    if (status == ASTAR_OK)
        status = astar_field_build_step(build, work);
    if (status == ASTAR_OK)
        astar_field_build_deliver(build, out);
    return status;
}

// ------------------------------------------------------------------------------------------------
// The functions below find the cell nearest to a goal that a unit can reach. If the goal has a
// range, the distance is measured from the nearest cell that the unit covers.
//
// If a goal cannot be reached, for example because it lies in a walled town, the nearest reachable
// cell may be far away. Therefore cells are not examined one by one. Connected components are
// numbered by tiles. The tiles are visited in order of their distance from the goal. A tile is
// skipped if it has no cell of the unit's component, or none that is near enough. The last result
// is kept, so that a group that is sent to one goal needs one search.
// ------------------------------------------------------------------------------------------------

// The arguments of a search for the cell nearest to a goal, and its best result so far.
typedef struct NearSearch {
    const AstarCrowdKind *kind;
    const AstarComponents *components;
    uint32_t label; // label of the connected component in which the unit is
    AstarCell to, best;
    int size;      // size of the unit, or 1 if the distance counts from its north-west cell only
    int64_t least; // square of the straight-line distance between 'best' and the goal
} NearSearch;

static int64_t squared(int dx, int dy)
{
    return (int64_t)dx * dx + (int64_t)dy * dy;
}

// Returns the distance, in columns or in rows, between 'at' and the nearest cells that a unit
// covers. The north-west cell of the unit may lie anywhere in a tile that starts at 'first'.
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

// Examines the tiles at distance 'ring' from the tile of the goal, counted in columns or rows of
// tiles, whichever number is greater.
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
    if (!astar_bits_get(kind->bits, x, y)) // the unit is on a blocked cell, which it may only leave
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
