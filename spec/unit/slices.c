// slices.c -- what is built a little at a time, cut anywhere, with edits between, is what a fresh
// map gives.
//
// Several finders of a small random map, some of which share their layers, ask in steps, by all
// corner rules and for units of several sizes; all are advanced in turn by the least there is, now
// and then one of them as a whole, now and then without memory, and between any two steps the map
// may be edited. Every answer must be that of a finder of a copy of the map, and all that is
// current of what was built must be what the copy gives. The seed of the map that fails is printed.

#include "chance.h"
#include "rebuild.h"
#include "support.h"

#include "layers/nonuniform.h"
#include "search/search.h"

enum { MAPS = 250, FINDERS = 5, STEPS = 1500, TERRAINS = 4 };

static bool has_memory;
static int answers[ASTAR_STATUS_COUNT];    // how often each was compared
static int failed, half_built;             // steps without memory; edits of something half built
static int restarted, copied;              // searches after edits; of those, on a copy
static int compared_nonuniform, half_seen; // with a field of which some changes were taken in

typedef struct Asker {
    AstarFinder *finder;
    AstarSearch *search; // NULL: asks nothing
    AstarCell from, to;
    AstarQueryOptions query;
} Asker;

typedef struct World {
    AstarGrid *grid;
    AstarField *field; // that some of them avoid
    AstarWorkspace *workspace;
    Asker askers[FINDERS];
} World;

// ---- the map ----

static double cost_of(int terrain)
{
    static const double costs[TERRAINS] = {1, 3, 0.5, INFINITY};
    return costs[terrain];
}

// Mostly of one cell; some terrains are rare, that the ground be of one cost at times.
static void edit(AstarGrid *grid, int most)
{
    int x = below(grid->width), y = below(grid->height);
    int width = 1 + below(most < grid->width - x ? most : grid->width - x);
    int height = 1 + below(most < grid->height - y ? most : grid->height - y);
    int terrain = below(3) == 0 ? TERRAINS - 1 : below(30) == 0 ? below(TERRAINS) : 0;
    switch (below(4)) {
    case 0: need(astar_grid_block(grid, x, y, width, height)); break;
    case 1: need(astar_grid_unblock(grid, x, y, width, height)); break;
    default: need(astar_grid_fill(grid, x, y, width, height, terrain)); break;
    }
}

static int random_side(void)
{
    return below(3) == 0 ? sides[below(SIDES)] : 1 + below(70);
}

// Here and there, or fading everywhere.
static void change_field(AstarField *field)
{
    int x = below(astar_field_width(field)), y = below(astar_field_height(field));
    if (below(8) == 0)
        astar_field_decay(field, 0.5);
    else
        need(astar_field_stamp(field, x, y, below(8), 1 + below(3)));
}

static AstarOptions random_options(AstarField *field)
{
    AstarOptions options = astar_options_default();
    options.diagonals = (AstarDiagonals)below(ASTAR_DIAGONALS_COUNT);
    options.size = below(2) == 0 ? 1 : 1 + below(3);
    options.algorithm = below(4) == 0 ? ASTAR_ASTAR : ASTAR_AUTO;
    if (options.size == 1 && below(2) == 0)
        options.avoid = field;
    return options;
}

static World new_world(void)
{
    World world = {.grid = NULL};
    AstarAllocator allocator = allocator_while(&has_memory);
    need(astar_grid_new(&allocator, random_side(), random_side(), &world.grid));
    need(astar_workspace_new(&allocator, &world.workspace));
    for (int i = 1, terrain; i < TERRAINS; i++)
        need(astar_grid_add_terrain(world.grid, cost_of(i), &terrain));
    for (int i = below((int)world.grid->cells / 4 + 2); i > 0; i--)
        edit(world.grid, 2);
    need(astar_field_new(&allocator, world.grid->width, world.grid->height, &world.field));
    for (int i = 0; i < FINDERS; i++) {
        AstarOptions options = random_options(world.field);
        need(astar_finder_new(world.grid, &options, &world.askers[i].finder));
    }
    return world;
}

static void free_world(World *world)
{
    for (int i = 0; i < FINDERS; i++) {
        astar_search_free(world->askers[i].search);
        astar_finder_release(world->askers[i].finder);
    }
    astar_workspace_free(world->workspace);
    astar_field_release(world->field);
    astar_grid_release(world->grid);
}

// ---- what a fresh map gives ----

static bool same_path(const AstarPath *a, const AstarPath *b)
{
    return a->count == b->count && a->cells == b->cells && a->cost == b->cost &&
           a->partial == b->partial && a->expanded == b->expanded && a->algorithm == b->algorithm &&
           memcmp(a->points, b->points, (size_t)a->count * sizeof *a->points) == 0;
}

// The same of where its ground is irregular.
static bool same_nonuniform(const AstarFinder *finder, AstarFinder *fresh)
{
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    int64_t work = ASTAR_ALL_WORK;
    if (nonuniform == NULL || astar_layer_is_stale(nonuniform) ||
        (nonuniform->field != NULL && nonuniform->low != (uint32_t)nonuniform->field->version))
        return true;
    need(astar_finder_need_nonuniform(fresh, &work));
    const AstarNonUniform *restart = fresh->on.nonuniform;
    bool same = same_bits(&nonuniform->bits, &restart->bits) &&
                nonuniform->count == restart->count &&
                same_bits(&nonuniform->columns, &restart->columns);
    for (AstarDiagonals rule = 0; rule < ASTAR_DIAGONALS_COUNT && same; rule++) {
        AstarJumpBitmaps *jump = nonuniform->jumps[rule], *other;
        if (jump == NULL || jump->stale)
            continue;
        need(astar_nonuniform_jump(fresh->grid, fresh->on.nonuniform, rule, &other));
        same = same_jump(jump, other);
    }
    compared_nonuniform++;
    return same;
}

// Whether all that is current of what is built for a finder is what a fresh one has.
static bool same_layers(const AstarFinder *finder, AstarFinder *fresh)
{
    const AstarWalkable *walkable = finder->on.walkable;
    if (walkable == NULL || finder->costs.palette != finder->grid->palette_version ||
        astar_layer_is_stale(walkable))
        return true;
    bool same = same_bits(&walkable->bits, &fresh->on.walkable->bits);
    for (AstarDiagonals rule = 0; rule < ASTAR_DIAGONALS_COUNT && same; rule++) {
        AstarJumpBitmaps *jump = walkable->jumps[rule], *restart;
        if (jump == NULL || jump->stale)
            continue;
        need(astar_walkable_jump(fresh->grid, fresh->on.walkable, rule, &restart));
        same = same_jump(jump, restart);
    }
    for (int i = 0; i < 2 && same; i++) {
        AstarComponents *components = walkable->components[i], *restart;
        if (components == NULL || components->stale)
            continue;
        need(astar_walkable_components(fresh->grid, fresh->on.walkable, i == 1, &restart));
        same = refines(components, restart, &walkable->bits) &&
               refines(restart, components, &walkable->bits);
    }
    return same && same_nonuniform(finder, fresh);
}

// Asks the same of a fresh finder.
static bool is_fresh_answer(const World *world, const Asker *asker, AstarStatus status,
                            const AstarPath *path)
{
    AstarGrid *copy;
    AstarFinder *fresh;
    AstarPath expected;
    need(astar_grid_clone(world->grid, &copy));
    need(astar_finder_new(copy, astar_finder_options(asker->finder), &fresh));
    astar_path_init(&expected);
    AstarStatus answer = astar_find_path(world->workspace, fresh, asker->from.x, asker->from.y,
                                         asker->to.x, asker->to.y, &asker->query, NULL, &expected);
    bool same = answer == status && (status != ASTAR_OK || same_path(path, &expected)) &&
                same_layers(asker->finder, fresh);
    answers[status]++;
    astar_path_destroy(&expected);
    astar_finder_release(fresh);
    astar_grid_release(copy);
    return same;
}

// ---- steps ----

static bool judge_answer(const World *world, Asker *asker, AstarStatus status)
{
    AstarPath path;
    astar_path_init(&path);
    if (status == ASTAR_OK)
        need(astar_search_path(asker->search, &path));
    uint64_t restarts = astar_search_restarts(asker->search);
    bool is_of_copy = restarts > 3;
    bool right = is_of_copy || is_fresh_answer(world, asker, status, &path);
    restarted += restarts > 0;
    copied += is_of_copy;
    astar_path_destroy(&path);
    astar_search_free(asker->search);
    asker->search = NULL;
    return right;
}

static AstarStatus ask(World *world, Asker *asker)
{
    const AstarGrid *grid = world->grid;
    asker->from = (AstarCell){below(grid->width), below(grid->height)};
    asker->to = (AstarCell){below(grid->width), below(grid->height)};
    asker->query = astar_query_default(asker->finder);
    asker->query.partial = below(4) == 0;
    asker->query.range = below(4) == 0 ? below(3) : 0;
    need(astar_search_take_unbuilt(world->workspace, asker->finder, &asker->search));
    return astar_search_begin_in_steps(asker->search, asker->from.x, asker->from.y, asker->to.x,
                                       asker->to.y, &asker->query, 0);
}

// Advances one of those who ask by the least there is, or to its end.
static bool step(World *world)
{
    Asker *asker = &world->askers[below(FINDERS)];
    AstarStatus status;
    if (asker->search == NULL) {
        status = ask(world, asker);
    } else {
        has_memory = below(20) > 0;
        status = astar_search_step(asker->search, below(60) == 0 ? UINT64_MAX : 1, NULL);
        has_memory = true;
    }
    failed += status == ASTAR_NO_MEMORY;
    if (status == ASTAR_RUNNING || status == ASTAR_NO_MEMORY)
        return true;
    return judge_answer(world, asker, status);
}

static bool is_half_built(const AstarFinder *finder)
{
    const AstarWalkable *walkable = finder->on.walkable;
    bool half = walkable != NULL && walkable->layer.built > 0;
    half_seen += finder->on.nonuniform != NULL && finder->on.nonuniform->tile > 0;
    for (int i = 0; walkable != NULL && i < 2; i++)
        half = half || (walkable->components[i] != NULL && walkable->components[i]->stale &&
                        walkable->components[i]->emptied > 0);
    for (int i = 0; walkable != NULL && i < ASTAR_DIAGONALS_COUNT; i++)
        half = half || (walkable->jumps[i] != NULL && walkable->jumps[i]->pass > 0);
    return half;
}

static bool test_map(uint32_t seed)
{
    chance = seed;
    has_memory = true;
    World world = new_world();
    int rarity = 1 + below(40);
    bool right = true;
    for (int i = 0; i < STEPS && right; i++) {
        right = step(&world);
        if (below(rarity) > 0)
            continue;
        half_built += is_half_built(world.askers[below(FINDERS)].finder);
        if (below(3) == 0)
            change_field(world.field);
        else
            edit(world.grid, below(10) > 0 ? 1 : below(10) > 0 ? 9 : 130);
    }
    free_world(&world);
    return right;
}

int main(void)
{
    for (uint32_t seed = 1; seed <= MAPS; seed++) {
        bool right = test_map(seed);
        if (!right)
            printf("the map of seed %u differs\n", (unsigned)seed);
        CHECK(right);
    }
    CHECK(answers[ASTAR_OK] > MAPS && answers[ASTAR_UNREACHABLE] > MAPS &&
          answers[ASTAR_START_BLOCKED] > MAPS && answers[ASTAR_GOAL_BLOCKED] > MAPS &&
          answers[ASTAR_GRID_CHANGED] == 0 && restarted > MAPS && copied > 0);
    CHECK(failed > MAPS / 4 && half_built > MAPS);
    CHECK(compared_nonuniform > MAPS && half_seen > MAPS / 4);
    return report();
}
