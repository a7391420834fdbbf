// queries.c -- what the fuzzer asks of a unit on a world, each answer held against the oracle.

#include "queries.h"
#include "layers/jump_bitmaps.h"

#include "finder/finder.h"
#include "search/jump_scan.h"

#include "../c/path_calls.h"
#include "../unit/rebuild.h"

#include <math.h>

// A question of a path and what is true of it.
typedef struct Asked {
    int sx, sy, gx, gy;
    Reach reach;
    double best;  // the least cost of coming within range of the goal; INFINITY: no way
    bool blocked; // the goal cannot be entered
    bool keeps;   // part of an old path is kept, so the answer need not be the cheapest
} Asked;

bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static bool at_most(double a, double b)
{
    return a <= b || near(a, b);
}

void random_cell(Input *input, const World *world, int *x, int *y)
{
    *x = next_below(input, world->width);
    *y = next_below(input, world->height);
}

int cell_at(const World *world, const AstarPath *path, int index)
{
    int x, y;
    astar_path_cell(path, index, &x, &y);
    REQUIRE(x >= 0 && y >= 0 && x < world->width && y < world->height);
    return y * world->width + x;
}

static bool is_within(const World *world, const Unit *unit, int cell, int gx, int gy)
{
    int range = unit->options.range, dx, dy;
    oracle_away(&unit->options, range, cell % world->width, cell / world->width, gx, gy, &dx, &dy);
    return dx <= range && dy <= range;
}

double best_within(const World *world, const Unit *unit, const Reach *reach, int gx, int gy)
{
    double best = INFINITY;
    for (int cell = 0; cell < world->width * world->height; cell++)
        if (is_within(world, unit, cell, gx, gy))
            best = fmin(best, reach->distance[cell]);
    return best;
}

static void judge(const World *world, const Unit *unit, int sx, int sy, int gx, int gy,
                  Asked *asked)
{
    asked->sx = sx;
    asked->sy = sy;
    asked->gx = gx;
    asked->gy = gy;
    oracle_reach(world, &unit->options, sx, sy, &asked->reach);
    asked->best = best_within(world, unit, &asked->reach, gx, gy);
    asked->blocked = isinf(asked->reach.entry[gy * world->width + gx]) && (sx != gx || sy != gy);
    asked->keeps = false;
}

static void pose(Input *input, const World *world, const Unit *unit, Asked *asked)
{
    int sx, sy, gx, gy;
    random_cell(input, world, &sx, &sy);
    random_cell(input, world, &gx, &gy);
    judge(world, unit, sx, sy, gx, gy, asked);
}

// ---- answers ----

// The cost of the step after the cell at 'index', INFINITY when it is not legal.
static double step_after(const World *world, const Unit *unit, const Reach *reach,
                         const AstarPath *path, int index)
{
    int from = cell_at(world, path, index), to = cell_at(world, path, index + 1);
    return astar_path_link(path, index, NULL) ? oracle_link(world, &unit->options, reach, from, to)
                                              : oracle_step(world, &unit->options, reach, from, to);
}

int walk(const World *world, const Unit *unit, const Reach *reach, const AstarPath *path,
         double *cost)
{
    *cost = 0;
    for (int i = 0; i + 1 < path->cells; i++) {
        *cost += step_after(world, unit, reach, path, i);
        if (isinf(*cost))
            return i + 1;
    }
    return -1;
}

// Every step is legal and the cost is their sum.
static void check_steps(const World *world, const Unit *unit, const Asked *asked,
                        const AstarPath *path)
{
    double cost;
    REQUIRE(path->cells >= 1);
    REQUIRE(cell_at(world, path, 0) == asked->sy * world->width + asked->sx);
    REQUIRE(walk(world, unit, &asked->reach, path, &cost) == -1);
    REQUIRE(near(cost, path->cost));
}

// Whether paths are the best, or by the weight as good.
static bool is_exact(const Asked *asked, const AstarOptions *options)
{
    return options->estimate == NULL && !options->any_angle && !asked->keeps;
}

// Of the cells that can be reached, the path leads to the one nearest to the goal.
static void check_partial(const World *world, const Unit *unit, const Asked *asked,
                          const AstarPath *path)
{
    double least = INFINITY, cheapest = INFINITY, reached = INFINITY;
    int last = cell_at(world, path, path->cells - 1);
    for (int cell = 0; cell < world->width * world->height; cell++) {
        if (isinf(asked->reach.distance[cell]))
            continue;
        int dx, dy;
        oracle_away(&unit->options, unit->options.range, cell % world->width, cell / world->width,
                    asked->gx, asked->gy, &dx, &dy);
        double distance = oracle_ground_distance(&unit->options, dx, dy);
        if (distance < least - 1e-9)
            cheapest = INFINITY;
        if (distance < least + 1e-9)
            cheapest = fmin(cheapest, asked->reach.distance[cell]);
        least = fmin(least, distance);
        if (cell == last)
            reached = distance;
    }
    REQUIRE(near(reached, least));
    if (is_exact(asked, &unit->options))
        REQUIRE(at_most(path->cost, cheapest * unit->options.weight));
}

static bool has_budget(const AstarOptions *options)
{
    return isfinite(options->max_cost) || options->max_expansions != UINT64_MAX;
}

static void check_path(const World *world, const Unit *unit, const Asked *asked,
                       const AstarPath *path)
{
    const AstarOptions *options = &unit->options;
    check_steps(world, unit, asked, path);
    // The limit leaves room for rounding, as much as at_most does.
    REQUIRE(at_most(path->cost, options->max_cost * (1 + 1e-9)) || options->any_angle);
    if (path->partial) {
        REQUIRE(options->partial && (has_budget(options) || isinf(asked->best)));
        if (!has_budget(options))
            check_partial(world, unit, asked, path);
        return;
    }
    int last = cell_at(world, path, path->cells - 1);
    REQUIRE(is_within(world, unit, last, asked->gx, asked->gy));
    if (is_exact(asked, options))
        REQUIRE(at_most(path->cost, asked->best * options->weight));
}

static void check_refusal(const World *world, const Unit *unit, const Asked *asked,
                          AstarStatus status)
{
    const AstarOptions *options = &unit->options;
    if (!oracle_can_stand(world, options, asked->sx, asked->sy)) {
        REQUIRE(status == ASTAR_START_BLOCKED);
        return;
    }
    REQUIRE(!options->partial);
    if (asked->blocked && options->range == 0) // what no way leads to, no callback is asked about
        REQUIRE(status == ASTAR_GOAL_BLOCKED ||
                (options->cost != NULL && status == ASTAR_UNREACHABLE));
    else if (status == ASTAR_MAX_EXPANSIONS)
        REQUIRE(options->max_expansions != UINT64_MAX);
    else if (isinf(asked->best))
        REQUIRE(status == ASTAR_UNREACHABLE || isfinite(options->max_cost));
    else
        REQUIRE(status == ASTAR_MAX_COST &&
                (asked->best * options->weight >= options->max_cost || options->estimate != NULL));
}

// An algorithm asked for by name may have to refuse the world as it is now.
static bool is_refused(const Unit *unit, AstarStatus status)
{
    return unit->options.algorithm >= ASTAR_JPS &&
           (status == ASTAR_BAD_GROUND || status == ASTAR_BAD_LINKS_AND_WALLS);
}

static void check_answer(const World *world, const Unit *unit, const Asked *asked,
                         AstarStatus status, const AstarPath *path)
{
    if (status == ASTAR_OK) {
        REQUIRE(oracle_can_stand(world, &unit->options, asked->sx, asked->sy));
        check_path(world, unit, asked, path);
    } else if (!is_refused(unit, status)) {
        check_refusal(world, unit, asked, status);
    }
}

bool same_path(const AstarPath *a, const AstarPath *b)
{
    bool same = a->cells == b->cells && a->count == b->count && a->cost == b->cost &&
                a->partial == b->partial && a->link_count == b->link_count;
    for (int i = 0; same && i < a->count; i++)
        same = memcmp(&a->points[i], &b->points[i], sizeof *a->points) == 0;
    return same;
}

// ---- questions ----

void ask_path(Input *input, const World *world, Unit *unit)
{
    Asked asked;
    pose(input, world, unit, &asked);
    AstarStatus status = astar_find_path(unit->workspace, unit->finder, asked.sx, asked.sy,
                                         asked.gx, asked.gy, NULL, NULL, &unit->path);
    check_answer(world, unit, &asked, status, &unit->path);
}

// Looks at every cell that a search has reached. A search that jumps back counts g from the goals.
static void look(const World *world, const Asked *asked, const AstarSearch *search)
{
    AstarSeen seen;
    bool jumps_back = astar_jumps_back(astar_search_searching(search));
    uint64_t cursor = 0;
    while (astar_search_seen(search, &cursor, NULL, &seen)) {
        REQUIRE(seen.x >= 0 && seen.y >= 0 && seen.x < world->width && seen.y < world->height);
        double distance = asked->reach.distance[seen.y * world->width + seen.x];
        if (!jumps_back)
            REQUIRE(seen.g >= distance * (1 - 1e-6));
        else if (isfinite(asked->best)) // else the path leads to other cells near the goal
            REQUIRE(seen.g >= (asked->best - distance) * (1 - 1e-6));
    }
}

// The answer is the same however the steps fall.
void ask_stepped(Input *input, const World *world, Unit *unit)
{
    Asked asked;
    AstarSearch *search;
    pose(input, world, unit, &asked);
    int step = 1 + next_below(input, 20), look_at = next_below(input, 8);
    AstarStatus status = astar_search_new(unit->workspace, unit->finder, asked.sx, asked.sy,
                                          asked.gx, asked.gy, NULL, &search);
    AstarStatus at_once = astar_find_path(unit->workspace, unit->finder, asked.sx, asked.sy,
                                          asked.gx, asked.gy, NULL, NULL, &unit->path);
    if (status != ASTAR_OK) {
        REQUIRE(status == at_once && is_refused(unit, status));
        return;
    }
    for (int i = 0; (status = astar_search_step(search, (uint64_t)step, NULL)) == ASTAR_RUNNING;
         i++)
        if (i == look_at)
            look(world, &asked, search);
    REQUIRE(status == at_once);
    if (status == ASTAR_OK) {
        AstarPath path;
        astar_path_init(&path);
        REQUIRE(astar_search_path(search, &path) == ASTAR_OK && same_path(&path, &unit->path));
        astar_path_destroy(&path);
    }
    astar_search_free(search);
    check_answer(world, unit, &asked, status, &unit->path);
}

void ask_nearest(Input *input, const World *world, Unit *unit)
{
    enum { MOST = 6 };
    AstarCell goals[MOST];
    Asked asked;
    AstarPath path;
    size_t count = (size_t)next_below(input, MOST + 1), index = MOST;
    pose(input, world, unit, &asked);
    double best = INFINITY;
    bool blocked = true; // all of them
    for (size_t i = 0; i < count; i++) {
        random_cell(input, world, &goals[i].x, &goals[i].y);
        Asked one;
        judge(world, unit, asked.sx, asked.sy, goals[i].x, goals[i].y, &one);
        if (unit->options.range > 0 || !one.blocked) {
            best = fmin(best, one.best);
            blocked = false;
        }
    }
    astar_path_init(&path);
    AstarStatus status = astar_find_nearest(unit->workspace, unit->finder, asked.sx, asked.sy,
                                            goals, count, NULL, NULL, &path, &index);
    if (status == ASTAR_OK) {
        check_steps(world, unit, &asked, &path);
        REQUIRE(index < count || path.partial);
        int last = cell_at(world, &path, path.cells - 1);
        if (!path.partial) {
            REQUIRE(is_within(world, unit, last, goals[index].x, goals[index].y));
            REQUIRE(at_most(path.cost, best * unit->options.weight) ||
                    !is_exact(&asked, &unit->options));
        }
    } else if (!is_refused(unit, status)) {
        bool stands = oracle_can_stand(world, &unit->options, asked.sx, asked.sy);
        REQUIRE((status == ASTAR_START_BLOCKED) == !stands);
        REQUIRE(status != ASTAR_GOAL_BLOCKED || (blocked && count > 0));
        REQUIRE(isinf(best) || !stands || has_budget(&unit->options));
    }
    astar_path_destroy(&path);
}

// Every cell of a terrain is a goal.
static bool is_terrain(void *context, int x, int y, int terrain)
{
    (void)x;
    (void)y;
    return terrain == *(int *)context;
}

void ask_where(Input *input, const World *world, Unit *unit)
{
    int sx, sy, terrain = next_below(input, TERRAINS);
    random_cell(input, world, &sx, &sy);
    Asked asked;
    judge(world, unit, sx, sy, sx, sy, &asked);
    double best = INFINITY;
    for (int cell = 0; cell < world->width * world->height; cell++)
        if (world->ground[cell] == terrain)
            best = fmin(best, asked.reach.distance[cell]);
    AstarPath path;
    astar_path_init(&path);
    AstarStatus status = astar_find_where(unit->workspace, unit->finder, sx, sy, is_terrain, NULL,
                                          &terrain, &path);
    if (status == ASTAR_OK) {
        check_steps(world, unit, &asked, &path);
        REQUIRE(near(path.cost, best) || unit->options.any_angle);
        REQUIRE(world->ground[cell_at(world, &path, path.cells - 1)] == terrain);
    } else if (!is_refused(unit, status)) {
        bool stands = oracle_can_stand(world, &unit->options, sx, sy);
        REQUIRE((status == ASTAR_START_BLOCKED) == !stands);
        REQUIRE(isinf(best) || has_budget(&unit->options));
    }
    astar_path_destroy(&path);
}

void ask_reachable(Input *input, const World *world, Unit *unit)
{
    Asked asked;
    pose(input, world, unit, &asked);
    bool reachable = false;
    AstarStatus status = astar_reachable(unit->workspace, unit->finder, asked.sx, asked.sy,
                                         asked.gx, asked.gy, NULL, &reachable);
    REQUIRE(status == ASTAR_OK);
    REQUIRE(reachable == isfinite(asked.best));
}

// Over a line with nothing in the way a path leads from end to end.
void ask_line(Input *input, const World *world, Unit *unit)
{
    Asked asked;
    pose(input, world, unit, &asked);
    bool stopped;
    int x, y;
    REQUIRE(astar_raycast(unit->workspace, unit->finder, asked.sx, asked.sy, asked.gx, asked.gy,
                          NULL, &stopped, &x, &y) == ASTAR_OK);
    REQUIRE(stopped || oracle_can_stand(world, &unit->options, asked.sx, asked.sy));
    if (stopped)
        REQUIRE(x >= 0 && y >= 0 && x < world->width && y < world->height);
    else
        REQUIRE(isfinite(asked.reach.distance[asked.gy * world->width + asked.gx]));
}

void ask_clearance(Input *input, const World *world, Unit *unit)
{
    int x, y, size, expected = 0;
    random_cell(input, world, &x, &y);
    AstarOptions plain = unit->options;
    plain.cost = NULL;
    for (bool fits = true; fits; expected += fits) {
        plain.size = expected + 1;
        fits = oracle_can_stand(world, &plain, x, y);
        for (int row = y; fits && row <= y + expected; row++)
            for (int column = x; fits && column <= x + expected; column++)
                fits = !oracle_is_blocked(world, &unit->options, column, row);
    }
    REQUIRE(astar_clearance(unit->finder, x, y, &size) == ASTAR_OK);
    REQUIRE(size == expected);
}

// ---- paths that are there ----

void ask_check(Input *input, const World *world, Unit *unit)
{
    (void)input;
    if (unit->path.cells == 0)
        return;
    int x, y, bad;
    double cost;
    astar_path_cell(&unit->path, 0, &x, &y);
    Asked asked;
    judge(world, unit, x, y, x, y, &asked);
    REQUIRE(check_cells_of(unit->workspace, &unit->path, unit->finder, NULL, &bad) == ASTAR_OK);
    bool stands = oracle_can_stand(world, &unit->options, x, y);
    int first = stands ? walk(world, unit, &asked.reach, &unit->path, &cost) : 0;
    // On a slanted leg the body may touch a blocked cell before the step that enters this cell, or
    // although no step enters it.
    bool may_be_earlier = unit->options.any_angle && bad >= 0 && (first < 0 || bad < first);
    REQUIRE(bad == first || may_be_earlier);
}

void ask_repair(Input *input, const World *world, Unit *unit)
{
    if (unit->path.cells == 0)
        return;
    const AstarPath *old = &unit->path;
    int from = next_below(input, old->cells), x, y;
    bool optimal = next_below(input, 2) == 1;
    astar_path_cell(old, from, &x, &y);
    int gx = old->goal_x, gy = old->goal_y;
    if (gx < 0)
        astar_path_cell(old, old->cells - 1, &gx, &gy);
    Asked asked;
    judge(world, unit, x, y, gx, gy, &asked);
    AstarPath made;
    astar_path_init(&made);
    AstarStatus status = repair_path(unit->workspace, old, unit->finder, from, optimal, NULL,
                                     &made);
    asked.keeps = !optimal;
    if (optimal || !has_budget(&unit->options))
        check_answer(world, unit, &asked, status, &made);
    else if (status == ASTAR_OK)
        check_steps(world, unit, &asked, &made);
    astar_path_destroy(&made);
}

void ask_smooth(Input *input, const World *world, Unit *unit)
{
    (void)input;
    if (unit->path.cells == 0)
        return;
    AstarPath made;
    astar_path_init(&made);
    Asked asked;
    int x, y, bad;
    astar_path_cell(&unit->path, 0, &x, &y);
    judge(world, unit, x, y, x, y, &asked);
    REQUIRE(check_cells_of(unit->workspace, &unit->path, unit->finder, NULL, &bad) == ASTAR_OK);
    REQUIRE(smooth_path(unit->workspace, &unit->path, unit->finder, NULL, &made) == ASTAR_OK);
    if (bad < 0) {
        double cost;
        walk(world, unit, &asked.reach, &unit->path, &cost);
        check_steps(world, unit, &asked, &made);
        REQUIRE(at_most(made.cost, cost));
        REQUIRE(cell_at(world, &made, made.cells - 1) ==
                cell_at(world, &unit->path, unit->path.cells - 1));
    }
    astar_path_destroy(&made);
}

void ask_reverse(Input *input, const World *world, Unit *unit)
{
    (void)input;
    if (unit->path.cells == 0)
        return;
    AstarPath made;
    astar_path_init(&made);
    REQUIRE(reverse_path(unit->workspace, &unit->path, unit->finder, NULL, &made) == ASTAR_OK);
    REQUIRE(made.cells == unit->path.cells);
    for (int i = 0; i < made.cells; i++)
        REQUIRE(cell_at(world, &made, i) == cell_at(world, &unit->path, made.cells - 1 - i));
    Asked asked;
    double cost;
    int x, y;
    astar_path_cell(&made, 0, &x, &y);
    judge(world, unit, x, y, x, y, &asked);
    bool stands = oracle_can_stand(world, &unit->options, x, y);
    if (stands && walk(world, unit, &asked.reach, &made, &cost) < 0)
        REQUIRE(near(cost, made.cost));
    else
        REQUIRE(isinf(made.cost));
    astar_path_destroy(&made);
}

static void bake_by(Unit *unit, AstarBakingMethod method)
{
    AstarBakingOptions options = {method, SIZE_MAX, 0};
    AstarBaked *baked;
    REQUIRE(astar_baking_new(unit->finder, &options, &baked) == ASTAR_OK);
    REQUIRE(astar_baking_step(baked, UINT64_MAX) == ASTAR_OK);
    astar_baked_free(baked);
}

// Seven and eight landmarks are no other than six: labels and a hierarchy in their place.
void ask_bake(Input *input, const World *world, Unit *unit)
{
    (void)world;
    AstarBaking baking;
    int landmarks = next_below(input, 9);
    if (landmarks > 6)
        bake_by(unit, landmarks == 7 ? ASTAR_BAKE_LABELS : ASTAR_BAKE_HIERARCHY);
    else
        REQUIRE(astar_finder_bake(unit->finder, landmarks, &baking) == ASTAR_OK);
}

// ---- what edits repair ----

static void check_bits(const World *world, const Unit *unit, const AstarBits *bits)
{
    AstarOptions plain = unit->options;
    for (int y = 0; y < world->height; y++)
        for (int x = 0; x < world->width; x++) {
            bool fits = oracle_can_stand(world, &plain, x, y);
            for (int row = y; fits && row < y + plain.size; row++)
                for (int column = x; fits && column < x + plain.size; column++)
                    fits = !oracle_is_blocked(world, &unit->options, column, row);
            REQUIRE(astar_bits_get(bits, x, y) == fits);
        }
}

static void check_components(AstarGrid *grid, AstarWalkable *walkable, bool diagonal)
{
    AstarComponents *kept, *restart;
    if (walkable->components[diagonal] == NULL)
        return;
    REQUIRE(astar_walkable_components(grid, walkable, diagonal, &kept) == ASTAR_OK);
    REQUIRE(astar_components_new(grid, diagonal, &restart) == ASTAR_OK);
    REQUIRE(astar_components_advance(restart, &walkable->bits, &(int64_t){ASTAR_ALL_WORK}) ==
            ASTAR_OK);
    REQUIRE(refines(kept, restart, &walkable->bits) && refines(restart, kept, &walkable->bits));
    astar_components_free(restart);
}

static void check_jumps(AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule)
{
    AstarJumpBitmaps *kept, *restart;
    if (walkable->jumps[rule] == NULL)
        return;
    REQUIRE(astar_walkable_jump(grid, walkable, rule, &kept) == ASTAR_OK);
    REQUIRE(astar_jump_new(&grid->allocator, grid->width, grid->height, rule, &restart) ==
            ASTAR_OK);
    astar_jump_advance(restart, &walkable->bits, &(int64_t){ASTAR_ALL_WORK});
    REQUIRE(same_jump(kept, restart));
    astar_jump_free(restart);
}

// The jump bitmaps that know which cells are irregular, for whom there are any.
static void check_nonuniform_jumps(AstarGrid *grid, AstarNonUniform *nonuniform,
                                   AstarDiagonals rule)
{
    AstarJumpBitmaps *kept, *restart;
    if (nonuniform == NULL || nonuniform->jumps[rule] == NULL)
        return;
    int64_t work = ASTAR_ALL_WORK;
    REQUIRE(astar_nonuniform_advance(grid, nonuniform, &work) == ASTAR_OK);
    REQUIRE(astar_nonuniform_jump(grid, nonuniform, rule, &kept) == ASTAR_OK);
    REQUIRE(astar_jump_new(&grid->allocator, grid->width, grid->height, rule, &restart) ==
            ASTAR_OK);
    restart->nonuniform = kept->nonuniform;
    restart->nonuniform_columns = kept->nonuniform_columns;
    astar_jump_advance(restart, &nonuniform->walkable->bits, &(int64_t){ASTAR_ALL_WORK});
    REQUIRE(same_jump(kept, restart));
    astar_jump_free(restart);
}

void check_repairs(const World *world, Unit *unit)
{
    AstarGrid *grid = astar_finder_grid(unit->finder);
    REQUIRE(astar_finder_update(unit->finder) == ASTAR_OK);
    AstarWalkable *walkable = unit->finder->on.walkable;
    check_bits(world, unit, &walkable->bits);
    check_components(grid, walkable, false);
    check_components(grid, walkable, true);
    for (AstarDiagonals rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++)
        check_jumps(grid, walkable, rule);
    for (AstarDiagonals rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++)
        check_nonuniform_jumps(grid, unit->finder->on.nonuniform, rule);
}
