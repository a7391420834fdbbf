// world_joints.c -- the links and walls of a world.
//
// There are few links. Links are stored in an array that is sorted by the cells that they lead
// from. Walls are stored in the chunks.

#include "parts/world/world_joints.h"

#include "base/array.h"
#include "base/directions.h"
#include "parts/world/chunks.h"
#include "parts/world/squares.h"
#include "parts/world/world.h"

// The functions below keep the links of a world.

static int order_of_cells(int32_t ax, int32_t ay, int32_t bx, int32_t by)
{
    if (ay != by)
        return ay < by ? -1 : 1;
    return ax < bx ? -1 : ax > bx;
}

// Returns true if a link comes before a link from (x0, y0) to (x1, y1) in the order of the array of
// links.
static bool comes_before(const AstarLink *link, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    int order = order_of_cells(link->x0, link->y0, x0, y0);
    return order != 0 ? order < 0 : order_of_cells(link->x1, link->y1, x1, y1) < 0;
}

static uint32_t place_of_link(const AstarWorld *world, int32_t x0, int32_t y0, int32_t x1,
                              int32_t y1)
{
    uint32_t first = 0, last = world->link_count;
    while (first < last) {
        uint32_t middle = (first + last) / 2;
        if (comes_before(&world->links[middle], x0, y0, x1, y1))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

uint32_t astar_world_links_from(const AstarWorld *world, int32_t x, int32_t y)
{
    return place_of_link(world, x, y, INT32_MIN, INT32_MIN);
}

static bool is_link_at(const AstarWorld *world, uint32_t at, int32_t x0, int32_t y0, int32_t x1,
                       int32_t y1)
{
    const AstarLink *link = &world->links[at];
    return at < world->link_count && link->x0 == x0 && link->y0 == y0 && link->x1 == x1 &&
           link->y1 == y1;
}

const AstarLink *astar_world_links(const AstarWorld *world, uint32_t *count)
{
    *count = world->link_count;
    return world->links;
}

static void note_link_ends(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    astar_world_edited(world, x0, y0, x0, y0);
    astar_world_edited(world, x1, y1, x1, y1);
    astar_world_note_furnished(world, astar_chunk_of(x0), astar_chunk_of(y0));
}

// Adds a link to a world, or replaces the link between the same cells. The array of links must have
// room for it.
static void put_link(AstarWorld *world, AstarLink link)
{
    uint32_t at = place_of_link(world, link.x0, link.y0, link.x1, link.y1);
    bool is_there = is_link_at(world, at, link.x0, link.y0, link.x1, link.y1);
    if (is_there && world->links[at].cost == link.cost && world->links[at].label == link.label)
        return;
    if (!is_there) {
        memmove(world->links + at + 1, world->links + at,
                (world->link_count - at) * sizeof *world->links);
        world->link_count++;
    }
    world->links[at] = link;
    note_link_ends(world, link.x0, link.y0, link.x1, link.y1);
}

AstarStatus astar_world_link(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                             double cost, uint32_t label, bool one_way)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (!astar_is_of_world(x0, y0) || !astar_is_of_world(x1, y1))
        return ASTAR_BAD_CELL;
    if (x0 == x1 && y0 == y1)
        return ASTAR_BAD_OPTION;
    if (!(cost >= 0 && cost <= ASTAR_COST_MAX))
        return ASTAR_BAD_COST;
    if (world->link_count + (one_way ? 1 : 2) > ASTAR_WORLD_MAX_LINKS)
        return ASTAR_TOO_LARGE;
    size_t before = world->link_capacity;
    if (!ASTAR_RESERVE(&world->allocator, world->links, world->link_count, 2u,
                       &world->link_capacity, 8))
        return ASTAR_NO_MEMORY;
    world->bytes += (world->link_capacity - before) * sizeof *world->links;
    put_link(world, (AstarLink){x0, y0, x1, y1, cost, label});
    if (!one_way)
        put_link(world, (AstarLink){x1, y1, x0, y0, cost, label});
    return ASTAR_OK;
}

static bool take_link(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    uint32_t at = place_of_link(world, x0, y0, x1, y1);
    if (!is_link_at(world, at, x0, y0, x1, y1))
        return false;
    world->link_count--;
    memmove(world->links + at, world->links + at + 1,
            (world->link_count - at) * sizeof *world->links);
    note_link_ends(world, x0, y0, x1, y1);
    return true;
}

bool astar_world_unlink(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                        bool one_way)
{
    if (world->is_asking)
        return false;
    bool there = take_link(world, x0, y0, x1, y1);
    bool back = !one_way && take_link(world, x1, y1, x0, y0);
    return there || back;
}

// The functions below keep the walls of a world.

bool astar_world_has_wall(const AstarWorld *world, int32_t x, int32_t y, AstarSide side)
{
    const AstarChunk *chunk = astar_world_chunk(world, astar_chunk_of(x), astar_chunk_of(y));
    return chunk != NULL && chunk->walls.sides != NULL &&
           astar_has_side(world->palette->shape, side) &&
           (chunk->walls.sides[astar_cell_in_chunk(x, y)] >> side & 1) != 0;
}

static AstarStatus need_chunk_walls(AstarWorld *world, int32_t x, int32_t y, bool stands)
{
    if (!astar_world_is_loaded(world, astar_chunk_of(x), astar_chunk_of(y)))
        return ASTAR_NOT_LOADED;
    return stands ? astar_world_need_array(world, astar_chunk_of(x), astar_chunk_of(y),
                                           ASTAR_CHUNK_WALLS)
                  : ASTAR_OK;
}

// Adds the wall on one side of a cell or, if 'stands' is false, removes the wall.
static void put_world_wall(AstarWorld *world, int32_t x, int32_t y, AstarSide side, bool stands)
{
    AstarChunk *chunk = astar_world_chunk(world, astar_chunk_of(x), astar_chunk_of(y));
    if (chunk->walls.sides == NULL ||
        !astar_walls_turn(&chunk->walls, astar_cell_in_chunk(x, y), (int)side, stands))
        return;
    astar_world_note_furnished(world, astar_chunk_of(x), astar_chunk_of(y));
    // The edited area is larger than the cell, because diagonal steps past the wall are affected,
    // too.
    astar_world_edited(world, x - 1, y - 1, x + 1, y + 1);
}

// Adds or removes a wall. A one-way wall bars only steps out of the cell. Any other wall also bars
// the steps into the cell.
static AstarStatus change_world_wall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                     bool one_way, bool stands)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (!astar_has_side(world->palette->shape, side))
        return ASTAR_BAD_OPTION;
    int32_t to_x = x + astar_dx[side], to_y = y + astar_dy[side];
    if (!astar_is_of_world(x, y))
        return ASTAR_BAD_CELL;
    // The side lies at the edge of the world, so no cell is on the other side.
    one_way |= !astar_is_of_world(to_x, to_y);
    AstarStatus status = need_chunk_walls(world, x, y, stands);
    if (status == ASTAR_OK && !one_way)
        status = need_chunk_walls(world, to_x, to_y, stands);
    if (status != ASTAR_OK)
        return status;
    put_world_wall(world, x, y, side, stands);
    if (!one_way)
        put_world_wall(world, to_x, to_y, (AstarSide)((side + 4) & 7), stands);
    return ASTAR_OK;
}

AstarStatus astar_world_wall(AstarWorld *world, int32_t x, int32_t y, AstarSide side, bool one_way)
{
    return change_world_wall(world, x, y, side, one_way, true);
}

AstarStatus astar_world_unwall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                               bool one_way)
{
    return change_world_wall(world, x, y, side, one_way, false);
}
