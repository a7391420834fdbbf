// repairs.c -- after any sequence of flips, the repaired bitmaps and components equal rebuilt ones.
//
// Random maps of all shapes, sides around a word's 64 bits among them, are flipped cell by cell.
// The seed of the map that fails is printed.

#include "check.h"

#include "components.h"
#include "grid.h"
#include "jump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = 200, FLIPS = 150 };

static uint32_t state;

static int below(int limit)
{
    return random_below(&state, limit);
}

static void need(AstarStatus status)
{
    if (status == ASTAR_OK)
        return;
    printf("%s\n", astar_status_text(status));
    exit(1);
}

static bool same_bits(const AstarBits *a, const AstarBits *b)
{
    return memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

static bool same_jump(const AstarJump *a, const AstarJump *b)
{
    bool same = same_bits(&a->columns, &b->columns) &&
                memcmp(a->reach, b->reach, a->reach_stride * ((size_t)a->height + 2)) == 0;
    for (int i = 0; i < 4; i++)
        same = same && same_bits(&a->stops[i], &b->stops[i]) &&
               (a->rule == ASTAR_NEVER || same_bits(&a->events[i], &b->events[i]));
    return same;
}

// Whether each label of 'a' stands for one label of 'b' only, on all set cells.
static bool refines(AstarComponents *a, AstarComponents *b, const AstarBits *bits)
{
    uint32_t *partner = calloc(a->node_count, sizeof *partner);
    bool same = partner != NULL;
    for (int y = 0; y < a->height && same; y++)
        for (int x = 0; x < a->width && same; x++) {
            if (!astar_bits_get(bits, x, y))
                continue;
            uint32_t label = astar_components_label(a, x, y);
            uint32_t other = astar_components_label(b, x, y) + 1;
            same = partner[label] == 0 || partner[label] == other;
            partner[label] = other;
        }
    free(partner);
    return same;
}

// The walkable cells of a map and what is kept beside them: 'kept' by repairs, 'built' anew.
typedef struct World {
    AstarGrid *grid;
    AstarBits bits;
    AstarJump *kept_jumps[4], *built_jumps[4]; // by AstarDiagonals
    AstarComponents *kept[2], *built[2];       // without and with diagonals
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

static void flip(World *world)
{
    int x = below(world->grid->width), y = below(world->grid->height);
    astar_bits_put(&world->bits, x, y, !astar_bits_get(&world->bits, x, y));
    for (int i = 0; i < 4; i++)
        astar_jump_edited(world->kept_jumps[i], &world->bits, x, y);
    for (int i = 0; i < 2; i++)
        astar_components_edited(world->kept[i], &world->bits, x, y);
}

// Brings everything up to date and compares it.
static bool agrees(World *world)
{
    bool same = true;
    for (int i = 0; i < 4; i++) {
        astar_jump_update(world->kept_jumps[i], &world->bits);
        world->built_jumps[i]->stale = true;
        astar_jump_update(world->built_jumps[i], &world->bits);
        same = same && same_jump(world->kept_jumps[i], world->built_jumps[i]);
    }
    for (int i = 0; i < 2; i++) {
        need(astar_components_update(world->kept[i], &world->bits));
        world->built[i]->stale = true;
        need(astar_components_update(world->built[i], &world->bits));
        same = same && refines(world->kept[i], world->built[i], &world->bits) &&
               refines(world->built[i], world->kept[i], &world->bits);
    }
    return same;
}

static bool test_map(uint32_t seed)
{
    static const int sides[] = {1, 2, 3, 7, 16, 17, 33, 62, 63, 64, 65, 66, 126, 128, 130};
    enum { SIDES = sizeof sides / sizeof *sides };
    state = seed;
    int width = sides[below(SIDES)], height = sides[below(SIDES)];
    World world = new_world(width, height, below(101));
    bool same = agrees(&world);
    for (int i = 0; i < FLIPS && same; i++) {
        flip(&world);
        if (width * height < 1000 || i % 10 == 0)
            same = agrees(&world);
    }
    free_world(&world);
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
    return report();
}
