// repairs.c -- after any sequence of edits, the repaired bitmaps and components equal rebuilt ones.
//
// Random maps of all shapes, sides around a word's 64 bits among them, are flipped cell by cell;
// and grids, with units of several sizes on them that ignore some layers of blocks or other, edited
// by rectangles of ground and blocks. The seed of the map that fails is printed.

#include "chance.h"
#include "layers/jump_bitmaps.h"
#include "rebuild.h"

#include "layers/nonuniform.h"
#include "layers/walkable.h"
#include "map/blocks.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAPS = ALL_OR_FEW(80, 10), GRIDS = ALL_OR_FEW(60, 10) };
enum { FLIPS = 150, EDITS = 60, UNITS = 5, TERRAINS = 4, LAYERS = 4 };

// The walkable cells of a map and what is kept beside them: 'kept' by repairs, 'built' anew.
typedef struct World {
    AstarGrid *grid;
    AstarBits bits;
    AstarJumpBitmaps *kept_jumps[4], *built_jumps[4]; // by AstarDiagonals
    AstarComponents *kept[2], *built[2];              // without and with diagonals
} World;

static World new_world(int width, int height, int density)
{
    World world;
    need(astar_grid_new(NULL, width, height, &world.grid));
    const AstarAllocator *allocator = &world.grid->allocator;
    world.bits = astar_bits_new(allocator, width, height);
    need(world.bits.words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            astar_bits_put(&world.bits, x, y, below(100) >= density);
    for (AstarDiagonals rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++) {
        need(astar_jump_new(allocator, width, height, rule, &world.kept_jumps[rule]));
        need(astar_jump_new(allocator, width, height, rule, &world.built_jumps[rule]));
    }
    for (int i = 0; i < 2; i++) {
        need(astar_components_new(world.grid, i == 1, &world.kept[i]));
        need(astar_components_new(world.grid, i == 1, &world.built[i]));
    }
    return world;
}

static void free_world(World *world)
{
    for (int i = 0; i < 4; i++) {
        astar_jump_free(world->kept_jumps[i]);
        astar_jump_free(world->built_jumps[i]);
    }
    for (int i = 0; i < 2; i++) {
        astar_components_free(world->kept[i]);
        astar_components_free(world->built[i]);
    }
    astar_bits_free(&world->grid->allocator, &world->bits);
    astar_grid_release(world->grid);
}

// Flips some bits of a rectangle, of which the jump bitmaps are told at once.
static void flip_some(World *world)
{
    int x = below(world->grid->width), y = below(world->grid->height);
    int width = 1 + below(world->grid->width - x), height = 1 + below(world->grid->height - y);
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            if (below(3) == 0) {
                astar_bits_put(&world->bits, column, row,
                               !astar_bits_get(&world->bits, column, row));
                for (int i = 0; i < 2; i++)
                    astar_components_edited(world->kept[i], column, row, 1, 1);
            }
    for (int i = 0; i < 4; i++)
        astar_jump_area_edited(world->kept_jumps[i], x, y, width, height);
}

static void flip(World *world)
{
    int x = below(world->grid->width), y = below(world->grid->height);
    astar_bits_put(&world->bits, x, y, !astar_bits_get(&world->bits, x, y));
    for (int i = 0; i < 4; i++)
        astar_jump_edited(world->kept_jumps[i], &world->bits, x, y, false);
    for (int i = 0; i < 2; i++)
        astar_components_edited(world->kept[i], x, y, 1, 1);
}

// Brings everything up to date and compares it.
static bool agrees(World *world)
{
    bool same = true;
    for (int i = 0; i < 4; i++) {
        astar_jump_advance(world->kept_jumps[i], &world->bits, &(int64_t){ASTAR_ALL_WORK});
        astar_jump_outdate(world->built_jumps[i]);
        astar_jump_advance(world->built_jumps[i], &world->bits, &(int64_t){ASTAR_ALL_WORK});
        same = same && same_jump(world->kept_jumps[i], world->built_jumps[i]);
    }
    for (int i = 0; i < 2; i++) {
        need(astar_components_advance(world->kept[i], &world->bits, &(int64_t){ASTAR_ALL_WORK}));
        astar_components_outdate(world->built[i]);
        need(astar_components_advance(world->built[i], &world->bits, &(int64_t){ASTAR_ALL_WORK}));
        same = same && refines(world->kept[i], world->built[i], &world->bits) &&
               refines(world->built[i], world->kept[i], &world->bits);
    }
    return same;
}

static int random_side(void)
{
    static const int sides[] = {1, 2, 3, 7, 16, 17, 33, 62, 63, 64, 65, 66, 126, 128, 130};
    return sides[below(sizeof sides / sizeof *sides)];
}

static bool test_map(uint32_t seed)
{
    chance = seed;
    int width = random_side(), height = random_side();
    World world = new_world(width, height, below(101));
    bool same = agrees(&world);
    for (int i = 0; i < FLIPS && same; i++) {
        if (below(20) == 0)
            flip_some(&world);
        else
            flip(&world);
        if (width * height < 1000 || i % 10 == 0)
            same = agrees(&world);
    }
    free_world(&world);
    return same;
}

// ---- units of several sizes ----

// Avoided by units of size 1.
static AstarField *field;

// What a unit of some size needs to know of a grid.
typedef struct Unit {
    AstarBody body;
    uint64_t ignored;
    AstarWalkable *walkable;
    AstarFootprints *covered;
    AstarNonUniform *nonuniform;
} Unit;

// The cost of each terrain: in order, but for the last, which cannot be entered.
static double unit_cost(int terrain)
{
    return terrain < TERRAINS - 1 ? (double)terrain + 1 : INFINITY;
}

// To judge what is alike: two of the terrains cost the same.
static double even_cost(int terrain)
{
    return unit_cost(terrain == 1 ? 2 : terrain);
}

// A square, or a body of which one side is shorter.
static AstarBody random_body(int size)
{
    AstarBody body = {size, size};
    if (below(2) == 0)
        *(below(2) == 0 ? &body.width : &body.height) = 1 + below(size);
    return body;
}

static Unit new_unit(AstarGrid *grid, AstarBody body, uint64_t ignored)
{
    AstarTerrainSet enterable = {{0}};
    double cost[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        cost[i] = unit_cost(i);
        if (isfinite(cost[i]))
            enterable.words[i >> 6] |= (uint64_t)1 << (i & 63);
    }
    Unit unit = {.body = body, .ignored = ignored};
    need(astar_walkable_acquire(grid, &enterable, body, ignored, &unit.walkable));
    need(astar_footprints_acquire(grid, cost, body, &unit.covered));
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        cost[i] = even_cost(i);
    need(astar_nonuniform_acquire(grid, unit.walkable, unit.covered,
                                  astar_is_one_cell(body) ? field : NULL, cost, &unit.nonuniform));
    return unit;
}

static void update_unit(AstarGrid *grid, Unit *unit)
{
    AstarComponents *components;
    AstarJumpBitmaps *jump;
    int64_t work = ASTAR_ALL_WORK;
    need(astar_layer_advance(grid, unit->walkable, &work));
    need(astar_layer_advance(grid, unit->covered, &work));
    need(astar_nonuniform_advance(grid, unit->nonuniform, &work));
    need(astar_walkable_components(grid, unit->walkable, false, &components));
    need(astar_walkable_components(grid, unit->walkable, true, &components));
    for (AstarDiagonals rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++)
        need(astar_walkable_jump(grid, unit->walkable, rule, &jump));
    for (AstarDiagonals rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++)
        need(astar_nonuniform_jump(grid, unit->nonuniform, rule, &jump));
}

// Whether a block stands on a cell that the unit does not ignore.
static bool is_barred(const AstarGrid *grid, const Unit *unit, int x, int y)
{
    bool is = false;
    for (int i = 0; i < LAYERS; i++)
        is |= (unit->ignored >> i & 1) == 0 && astar_grid_is_blocked_layer(grid, i, x, y);
    return is;
}

// The dearest terrain that the unit covers at a cell; that which cannot be entered where a block is
// covered, or the unit juts out.
static int costliest(const AstarGrid *grid, const Unit *unit, int x, int y, bool blocks)
{
    int most = 0;
    for (int row = y; row < y + unit->body.height; row++)
        for (int column = x; column < x + unit->body.width; column++) {
            bool inside = astar_inside(grid, column, row);
            if (blocks && (!inside || is_barred(grid, unit, column, row)))
                return TERRAINS - 1;
            if (inside && astar_grid_get(grid, column, row) > most)
                most = astar_grid_get(grid, column, row);
        }
    return most;
}

// Whether two cells cost the unit the same, or one of them cannot be entered.
static bool costs_alike(const AstarGrid *grid, const Unit *unit, int x, int y, int to_x, int to_y)
{
    int a = costliest(grid, unit, x, y, true), b = costliest(grid, unit, to_x, to_y, true);
    const AstarField *values = unit->nonuniform->field;
    if (a == TERRAINS - 1 || b == TERRAINS - 1)
        return true;
    return even_cost(a) == even_cost(b) &&
           (values == NULL || astar_field_get(values, x, y) == astar_field_get(values, to_x, to_y));
}

// Whether a wall stands between two of the cells from (x0, y0) to (x1, y1), or at the map's edge.
static bool has_wall_between(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            if ((x < x1 && astar_grid_has_wall(grid, x, y, ASTAR_SIDE_EAST)) ||
                (x > x0 && astar_grid_has_wall(grid, x, y, ASTAR_SIDE_WEST)) ||
                (y < y1 && astar_grid_has_wall(grid, x, y, ASTAR_SIDE_SOUTH)) ||
                (y > y0 && astar_grid_has_wall(grid, x, y, ASTAR_SIDE_NORTH)))
                return true;
    return false;
}

static bool leaves_by_link(const AstarGrid *grid, int x, int y)
{
    for (uint32_t i = 0; i < astar_grid_link_count(grid); i++) {
        AstarLink link;
        astar_grid_link_at(grid, i, &link);
        if (link.x0 == x && link.y0 == y)
            return true;
    }
    return false;
}

static bool is_nonuniform(const AstarGrid *grid, const Unit *unit, int x, int y)
{
    if (costliest(grid, unit, x, y, true) == TERRAINS - 1)
        return false;
    bool is = has_wall_between(grid, x - 1, y - 1, x + 1, y + 1) || leaves_by_link(grid, x, y);
    for (int row = y - 1; row <= y + 1; row++)
        for (int column = x - 1; column <= x + 1; column++)
            is |= astar_inside(grid, column, row) && !costs_alike(grid, unit, x, y, column, row);
    return is;
}

static bool nonuniform_agrees(const AstarGrid *grid, const Unit *unit)
{
    uint32_t count = 0;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            bool is = is_nonuniform(grid, unit, x, y);
            count += is;
            if (is != astar_bits_get(&unit->nonuniform->bits, x, y))
                return false;
        }
    return count == unit->nonuniform->count;
}

// Whether the grid knows how many cells of each terrain are blocked.
static bool counts_agree(const AstarGrid *grid)
{
    bool agree = true;
    for (int layer = 0; layer < LAYERS; layer++) {
        uint32_t counts[TERRAINS] = {0};
        for (int y = 0; y < grid->height; y++)
            for (int x = 0; x < grid->width; x++)
                counts[astar_grid_get(grid, x, y)] += astar_grid_is_blocked_layer(grid, layer, x,
                                                                                  y);
        for (int i = 0; i < TERRAINS; i++)
            agree &= counts[i] == grid->terrains.present[i] -
                                      astar_blocks_spare(grid, ~(UINT64_C(1) << layer), i);
    }
    return agree;
}

// Whether jump bitmaps, which know irregular cells or none, are what is built anew.
static bool jump_agrees(const AstarGrid *grid, const AstarBits *bits, const AstarJumpBitmaps *kept,
                        AstarDiagonals rule)
{
    AstarJumpBitmaps *restart;
    need(astar_jump_new(&grid->allocator, grid->width, grid->height, rule, &restart));
    restart->nonuniform = kept->nonuniform;
    restart->nonuniform_columns = kept->nonuniform_columns;
    astar_jump_advance(restart, bits, &(int64_t){ASTAR_ALL_WORK});
    bool same = same_jump(restart, kept);
    astar_jump_free(restart);
    return same;
}

// Whether what is kept for a unit is what its cells say, one by one, and what hangs on its bitmap
// is what is built from that.
static bool unit_agrees(AstarGrid *grid, Unit *unit)
{
    update_unit(grid, unit);
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            bool fits = costliest(grid, unit, x, y, true) < TERRAINS - 1;
            if (fits != astar_bits_get(&unit->walkable->bits, x, y) ||
                costliest(grid, unit, x, y, false) != unit->covered->ground[astar_cell(grid, x, y)])
                return false;
        }
    const AstarBits *bits = &unit->walkable->bits;
    bool same = nonuniform_agrees(grid, unit) && counts_agree(grid);
    for (AstarDiagonals rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++)
        same = same && jump_agrees(grid, bits, unit->walkable->jumps[rule], rule) &&
               jump_agrees(grid, bits, unit->nonuniform->jumps[rule], rule);
    for (int i = 0; i < 2; i++) {
        AstarComponents *kept = unit->walkable->components[i], *restart;
        need(astar_components_new(grid, i == 1, &restart));
        need(astar_components_advance(restart, bits, &(int64_t){ASTAR_ALL_WORK}));
        same = same && refines(kept, restart, bits) && refines(restart, kept, bits);
        astar_components_free(restart);
    }
    return same;
}

// A wall or a link from a cell, set or taken away; or what is to be avoided there.
static void edit_cell(AstarGrid *grid, int x, int y)
{
    int to_x = below(grid->width), to_y = below(grid->height);
    AstarSide side = (AstarSide)(2 * below(4));
    switch (below(6)) {
    case 0: need(astar_grid_wall(grid, x, y, side, below(2) == 0)); break;
    case 1: need(astar_grid_unwall(grid, x, y, side, below(2) == 0)); break;
    case 2:
        if (x != to_x || y != to_y)
            need(astar_grid_link(grid, x, y, to_x, to_y, 1, 0, below(2) == 0));
        break;
    case 3:
        for (AstarLink link; astar_grid_link_count(grid) > 3;) {
            astar_grid_link_at(grid, 0, &link);
            astar_grid_unlink(grid, link.x0, link.y0, link.x1, link.y1, below(2) == 0);
        }
        break;
    case 4: need(astar_field_set(field, x, y, below(3))); break;
    default: need(astar_field_stamp(field, x, y, below(9), below(3)));
    }
    if (below(30) == 0)
        astar_field_decay(field, 0);
}

// A random rectangle of the grid, mostly of one cell.
static void edit(AstarGrid *grid)
{
    int x = below(grid->width), y = below(grid->height);
    if (below(5) == 0) {
        edit_cell(grid, x, y);
        return;
    }
    int most = below(10) > 0 ? 1 : below(10) > 0 ? 5 : 100;
    int width = 1 + below(most < grid->width - x ? most : grid->width - x);
    int height = 1 + below(most < grid->height - y ? most : grid->height - y);
    int layer = below(LAYERS);
    switch (below(4)) {
    case 0: need(astar_grid_block_layer(grid, layer, x, y, width, height)); break;
    case 1: need(astar_grid_unblock_layer(grid, layer, x, y, width, height)); break;
    default: astar_grid_fill(grid, x, y, width, height, below(TERRAINS)); break;
    }
}

static bool test_grid(uint32_t seed)
{
    static const int sizes[UNITS] = {1, 2, 3, 5, 40}; // the last: up to that
    chance = seed;
    AstarGrid *grid;
    need(astar_grid_new(NULL, random_side(), random_side(), &grid));
    need(astar_field_new(NULL, grid->width, grid->height, &field));
    for (int i = 1, terrain; i < TERRAINS; i++)
        need(astar_grid_add_terrain(grid, unit_cost(i), &terrain));
    for (int i = 1, layer; i < LAYERS; i++)
        need(astar_grid_layer(grid, &"abc"[i - 1], 1, &layer));
    for (int i = below(200); i > 0; i--)
        edit(grid);
    Unit units[UNITS];
    for (int i = 0; i < UNITS; i++)
        units[i] = new_unit(grid, random_body(i == UNITS - 1 ? 1 + below(sizes[i]) : sizes[i]),
                            (uint64_t)below(1 << LAYERS));
    bool same = true;
    for (int i = 0; i < EDITS && same; i++) {
        bool all = grid->cells < 300 || i % 20 == 0;
        for (int j = 0; j < UNITS && same && all; j++)
            same = unit_agrees(grid, &units[j]);
        edit(grid);
    }
    for (int i = 0; i < UNITS; i++) {
        astar_layer_release(grid, units[i].nonuniform);
        astar_layer_release(grid, units[i].walkable);
        astar_layer_release(grid, units[i].covered);
    }
    astar_grid_release(grid);
    astar_field_release(field);
    return same;
}

int main(void)
{
    for (uint32_t seed = 1; seed <= MAPS; seed++) {
        bool same = test_map(seed);
        if (!same)
            printf("the map of seed %u differs\n", (unsigned)seed);
        CHECK(same);
    }
    for (uint32_t seed = 1; seed <= GRIDS; seed++) {
        bool same = test_grid(seed);
        if (!same)
            printf("the grid of seed %u differs\n", (unsigned)seed);
        CHECK(same);
    }
    return report();
}
