// direct_route.c -- A query in one call (find.c), whose phases read the plan of the finder, returns
// the same path as a search in steps, in every field. The maps have non-uniform cells, walls, links
// and baked data. The seed of the map that fails is printed.

#include "search/query_plan.h"

#include "chance.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAPS = ALL_OR_FEW(240, 60), ROUNDS = 3, QUERIES = 40 };

// Numbers of queries that the plan of the finder has answered, by kind.
typedef struct Direct {
    int even, odd;         // ground
    int baked;             // by what was baked
    int baked_differently; // by jumps, though something was
} Direct;

// Few obstacles, so that many goals are in plain view.
static void scatter(AstarGrid *grid, int boxes, bool blocks)
{
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    for (int i = 0; i < boxes; i++) {
        int x = below(width), y = below(height), w = 1 + below(3), h = 1 + below(3);
        w = x + w <= width ? w : width - x;
        h = y + h <= height ? h : height - y;
        if (blocks)
            astar_grid_block(grid, x, y, w, h);
        else
            astar_grid_unblock(grid, x, y, w, h);
    }
}

// Cells of another cost here and there; on every other map walls and links, too.
static void make_nonuniform(AstarGrid *grid)
{
    static const double costs[] = {0.3, 0.7, 1.1, 4};
    int width = astar_grid_width(grid), height = astar_grid_height(grid), common, odd;
    bool is_all_ground = below(2) == 0;
    need(astar_grid_add_terrain(grid, costs[below(4)], &common));
    need(astar_grid_add_terrain(grid, costs[below(4)], &odd));
    need(astar_grid_fill(grid, 0, 0, width, height, common));
    for (int i = below(1 + width * height / 30); i > 0; i--) {
        int x = below(width), y = below(height);
        if (is_all_ground || below(8) > 0)
            need(astar_grid_fill(grid, x, y, 1, 1, odd));
        else if (below(40) == 0)
            astar_grid_link(grid, x, y, below(width), below(height), 9, 0, false);
        else
            astar_grid_wall(grid, x, y, ASTAR_SIDE_EAST, false);
    }
}

static AstarFinder *new_finder(AstarGrid *grid, const AstarOptions *given, AstarAlgorithm algorithm)
{
    AstarOptions options = *given;
    AstarFinder *finder = NULL;
    options.algorithm = algorithm;
    need(astar_finder_new(grid, &options, &finder));
    return finder;
}

static AstarOptions any_options(void)
{
    static const double costs[] = {1, 1.25, 1.4, 1.5, 1.75, 2};
    AstarOptions options = astar_options_default();
    options.diagonals = (AstarDiagonals)below(ASTAR_DIAGONALS_COUNT);
    options.size = below(4) == 0 ? 2 : 1;
    options.partial = below(4) == 0;
    options.any_angle = below(8) == 0;
    if (below(2) == 0)
        options.diagonal_cost = costs[below(6)];
    return options;
}

// ---- questions ----

static AstarStatus search_for(AstarWorkspace *workspace, AstarFinder *finder, const int at[4],
                              const AstarQueryOptions *query, AstarPath *path)
{
    AstarSearch *search = NULL;
    need(astar_search_take(workspace, finder, &search));
    AstarStatus status = astar_search_begin(search, at[0], at[1], at[2], at[3], query);
    while (status == ASTAR_RUNNING)
        status = astar_search_step(search, below(2) == 0 ? UINT64_MAX : 1, NULL);
    if (status == ASTAR_OK)
        status = astar_search_path(search, path);
    astar_search_free(search);
    return status;
}

static bool same_path(const AstarPath *a, const AstarPath *b)
{
    for (int i = 0; i < a->count && i < b->count; i++)
        if (a->points[i].x != b->points[i].x || a->points[i].y != b->points[i].y ||
            a->points[i].index != b->points[i].index)
            return false;
    return a->count == b->count && a->cells == b->cells && a->cost == b->cost &&
           a->length == b->length && a->expanded == b->expanded && a->algorithm == b->algorithm &&
           a->partial == b->partial && a->goal_x == b->goal_x && a->goal_y == b->goal_y &&
           a->query.partial == b->query.partial && a->query.bends == b->query.bends &&
           a->orthogonal == b->orthogonal && a->offset == b->offset && a->best_at == b->best_at &&
           a->link_count == b->link_count;
}

// What a question says that some searches have to be asked.
static const AstarQueryOptions *any_query(const AstarFinder *finder, AstarQueryOptions *query)
{
    *query = astar_query_default(finder);
    switch (below(13)) {
    case 0: query->max_cost = below(20); break;
    case 1: query->max_expansions = (uint64_t)below(2); break;
    case 2: query->range = 1 + below(2); break;
    case 3: query->bends = (AstarBends)below(ASTAR_BENDS_COUNT); break;
    case 4: query->weight = below(2) == 0 ? 1.5 : 0.5; break;
    case 5: query->weight = NAN; break;
    case 6: query->heading = (AstarHeading)below(ASTAR_HEADING_COUNT); break;
    case 7: query->partial = !query->partial; break;
    case 8: break;
    default: return NULL;
    }
    return query;
}

// Labels or a hierarchy, of the map as it is.
static void bake(AstarFinder *finder)
{
    AstarBakingOptions options = {below(2) == 0 ? ASTAR_BAKE_LABELS : ASTAR_BAKE_HIERARCHY,
                                  (size_t)1 << 24, 0};
    AstarBaked *baked = NULL;
    need(astar_baking_new(finder, &options, &baked));
    need(astar_baking_step(baked, UINT64_MAX));
    astar_baked_free(baked);
}

static bool agrees(AstarWorkspace *workspace, AstarFinder *finder, AstarFinder *oracle,
                   const int at[4], bool is_baked, Direct *direct)
{
    AstarQueryOptions asked;
    const AstarQueryOptions *query = any_query(finder, &asked);
    AstarPath path, searched, least;
    astar_path_init(&path);
    astar_path_init(&searched);
    astar_path_init(&least);
    AstarStatus by_search = search_for(workspace, finder, at, query, &searched);
    AstarStatus status = astar_find_path(workspace, finder, at[0], at[1], at[2], at[3], query, NULL,
                                         &path);
    bool same = status == by_search && same_path(&path, &searched);
    bool is_plain = same && status == ASTAR_OK && !path.partial &&
                    astar_plan_algorithm(finder, query != NULL ? query : &finder->query) !=
                        ASTAR_AUTO;
    if (is_plain && same) {
        need(search_for(workspace, oracle, at, NULL, &least));
        double weight = query != NULL ? query->weight : 1;
        same = path.cost >= least.cost * (1 - 1e-9) &&
               path.cost <= least.cost * weight * (1 + 1e-9);
    }
    bool by_baked = path.algorithm == ASTAR_LABELS || path.algorithm == ASTAR_HIERARCHY;
    direct->odd += is_plain && path.algorithm == ASTAR_JPSW;
    direct->even += is_plain && path.algorithm == ASTAR_JPS;
    direct->baked += is_plain && by_baked;
    direct->baked_differently += is_plain && !by_baked && is_baked;
    astar_path_destroy(&path);
    astar_path_destroy(&searched);
    astar_path_destroy(&least);
    return same;
}

static bool test_map(uint32_t seed, AstarWorkspace *workspace, Direct *direct)
{
    chance = seed;
    AstarGrid *grid = NULL;
    int width = 3 + below(90), height = 3 + below(90);
    need(astar_grid_new(NULL, width, height, &grid));
    AstarOptions options = any_options();
    bool is_odd = below(2) == 0;
    AstarAlgorithm algorithm = below(2) == 0 ? ASTAR_AUTO : is_odd ? ASTAR_JPSW : ASTAR_JPS;
    options.algorithm = algorithm;
    if (astar_options_refusal(&options) != NULL)
        algorithm = ASTAR_AUTO;
    if (is_odd)
        make_nonuniform(grid);
    AstarFinder *finder = new_finder(grid, &options, algorithm);
    options.any_angle = false;
    AstarFinder *oracle = new_finder(grid, &options, ASTAR_DIJKSTRA);
    bool same = true, is_baked = false;
    for (int round = 0; round < ROUNDS && same; round++) {
        scatter(grid, below(1 + width * height / 40), below(4) != 0);
        if (!is_odd && below(3) == 0) {
            bake(finder);
            is_baked = true;
        }
        for (int i = 0; i < QUERIES && same; i++) {
            const int at[4] = {below(width), below(height), below(width), below(height)};
            same = agrees(workspace, finder, oracle, at, is_baked, direct);
        }
    }
    astar_finder_release(finder);
    astar_finder_release(oracle);
    astar_grid_release(grid);
    return same;
}

int main(void)
{
    AstarWorkspace *workspace = NULL;
    Direct direct = {0, 0, 0, 0};
    need(astar_workspace_new(NULL, &workspace));
    for (uint32_t seed = 1; seed <= MAPS; seed++)
        if (!test_map(seed, workspace, &direct)) {
            printf("map of seed %u\n", (unsigned)seed);
            CHECK(false);
            break;
        }
    CHECK(direct.even > MAPS && direct.odd > MAPS); // or nothing was tested
    CHECK(direct.baked > MAPS / 2 && direct.baked_differently > MAPS / 2);
    astar_workspace_free(workspace);
    return report();
}
