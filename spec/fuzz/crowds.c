// crowds.c -- fuzzes crowds: a map, units of all kinds, orders and edits drawn from bytes.
//
// Two crowds on equal grids are told the same; the second works its beats out in slices, some of
// them before orders and edits that change what was worked out, and must go the same way. Each beat
// is looked at from outside, by the plain rules of oracle.c: steps are legal, no two units are in a
// cell, and all moving in straight lines at even speed none comes too near another at any moment.
// Plans are made in between, in slices that all else may come between, and followed; those that are
// made to their end are the same in slices of any size. No block of memory may be left.

#include "counted.h"
#include "input.h"
#include "oracle.h"

#include <math.h>
#include <string.h>

enum { KINDS = 3, MOST_UNITS = 48, MOST_ACTIONS = 60, SIDES = 2, PLANS = 2 };

typedef struct Watched {
    AstarUnit unit; // 0: there is none
    int kind, period;
    bool is_held;
    int rested; // beats since it stepped
    int x, y, to_x, to_y;
    double dx, dy; // how it moves: over a link not before the beat is over
} Watched;

typedef struct Fuzz {
    Input input;
    World world;
    bool is_exclusive;
    AstarOptions options[KINDS];
    AstarGrid *grids[SIDES];
    AstarFinder *finders[SIDES][KINDS];
    AstarCrowd *crowds[SIDES];
    Watched units[MOST_UNITS];
    Reach entries[KINDS]; // what each kind finds, of which only 'entry' is told
    int goals[4];
    AstarResolving *plans[PLANS][SIDES]; // NULL: there is none
} Fuzz;

// ---- looking at a beat ----

// What entering a cell costs, where every block is in the way.
static double entry_of(const World *world, const AstarOptions *options, int x, int y)
{
    if (!oracle_can_stand(world, options, x, y))
        return INFINITY;
    for (int row = y; row < y + options->size; row++)
        for (int column = x; column < x + options->size; column++)
            if (oracle_is_blocked(world, options, column, row))
                return INFINITY;
    return 1;
}

static void look_at_cells(Fuzz *fuzz)
{
    const World *world = &fuzz->world;
    for (int kind = 0; kind < KINDS; kind++)
        for (int y = 0; y < world->height; y++)
            for (int x = 0; x < world->width; x++)
                fuzz->entries[kind].entry[y * world->width + x] = entry_of(
                    world, &fuzz->options[kind], x, y);
}

static void look_at_step(Fuzz *fuzz, Watched *one)
{
    const World *world = &fuzz->world;
    const AstarOptions *options = &fuzz->options[one->kind];
    const Reach *reach = &fuzz->entries[one->kind];
    int from = one->y * world->width + one->x, to = one->to_y * world->width + one->to_x;
    one->dx = one->to_x - one->x;
    one->dy = one->to_y - one->y;
    one->rested++;
    if (from == to)
        return;
    REQUIRE(!one->is_held && one->rested >= one->period);
    one->rested = 0;
    if (isfinite(oracle_step(world, options, reach, from, to)))
        return;
    REQUIRE(isfinite(oracle_link(world, options, reach, from, to)));
    one->dx = one->dy = 0;
}

// By how much the nearest that two come, of discs of radius size / 2 - 0.15, is more than none.
static double room_between(const Watched *a, const Watched *b, int a_size, int b_size)
{
    double x = b->x + b_size / 2.0 - a->x - a_size / 2.0;
    double y = b->y + b_size / 2.0 - a->y - a_size / 2.0;
    double dx = b->dx - a->dx, dy = b->dy - a->dy, speed = dx * dx + dy * dy;
    double t = speed > 0 ? fmax(0, fmin(1, -(x * dx + y * dy) / speed)) : 0;
    return hypot(x + t * dx, y + t * dy) - ((a_size + b_size) / 2.0 - 0.3);
}

// How far whole squares reach into each other at most, looked at in many moments.
static double overlap_of(const Watched *a, const Watched *b, int a_size, int b_size)
{
    double most = -1, both = (a_size + b_size) / 2.0;
    for (int moment = 0; moment <= 16; moment++) {
        double t = moment / 16.0;
        double x = fabs(b->x + b_size / 2.0 - a->x - a_size / 2.0 + t * (b->dx - a->dx));
        double y = fabs(b->y + b_size / 2.0 - a->y - a_size / 2.0 + t * (b->dy - a->dy));
        most = fmax(most, fmin(both - x, both - y));
    }
    return most;
}

static bool do_share_cells(int ax, int ay, int a_size, int bx, int by, int b_size)
{
    return ax < bx + b_size && bx < ax + a_size && ay < by + b_size && by < ay + a_size;
}

static void look_at_pair(const Fuzz *fuzz, const Watched *a, const Watched *b)
{
    int a_size = fuzz->options[a->kind].size, b_size = fuzz->options[b->kind].size;
    REQUIRE(!do_share_cells(a->to_x, a->to_y, a_size, b->to_x, b->to_y, b_size));
    REQUIRE(room_between(a, b, a_size, b_size) > -1e-9);
    if (!fuzz->is_exclusive)
        return;
    REQUIRE(overlap_of(a, b, a_size, b_size) < 1e-9);
    REQUIRE(!do_share_cells(a->to_x, a->to_y, a_size, b->x, b->y, b_size));
    REQUIRE(!do_share_cells(a->x, a->y, a_size, b->to_x, b->to_y, b_size));
}

static void look_at_beat(Fuzz *fuzz)
{
    look_at_cells(fuzz);
    for (int i = 0; i < MOST_UNITS; i++)
        if (fuzz->units[i].unit != 0)
            look_at_step(fuzz, &fuzz->units[i]);
    for (int i = 0; i < MOST_UNITS; i++)
        for (int j = 0; j < i; j++)
            if (fuzz->units[i].unit != 0 && fuzz->units[j].unit != 0)
                look_at_pair(fuzz, &fuzz->units[i], &fuzz->units[j]);
}

// ---- orders and edits ----

static int next_cell(Fuzz *fuzz, int *x, int *y)
{
    *x = next_below(&fuzz->input, fuzz->world.width);
    *y = next_below(&fuzz->input, fuzz->world.height);
    return *y * fuzz->world.width + *x;
}

static void add_unit(Fuzz *fuzz)
{
    int x, y, kind = next_below(&fuzz->input, KINDS), period = 1 + next_below(&fuzz->input, 8) / 5;
    next_cell(fuzz, &x, &y);
    int i = 0;
    while (i < MOST_UNITS && fuzz->units[i].unit != 0)
        i++;
    if (i == MOST_UNITS)
        return;
    AstarUnit units[SIDES];
    AstarStatus statuses[SIDES];
    for (int side = 0; side < SIDES; side++)
        statuses[side] = astar_crowd_add(fuzz->crowds[side], fuzz->finders[side][kind], x, y,
                                         period, &units[side]);
    REQUIRE(statuses[0] == statuses[1]);
    bool can_stand = isfinite(entry_of(&fuzz->world, &fuzz->options[kind], x, y));
    REQUIRE((statuses[0] == ASTAR_START_BLOCKED) == !can_stand);
    if (statuses[0] != ASTAR_OK)
        return;
    REQUIRE(units[0] == units[1]);
    fuzz->units[i] = (Watched){.unit = units[0],
                               .kind = kind,
                               .period = period,
                               .rested = period,
                               .x = x,
                               .y = y,
                               .to_x = x,
                               .to_y = y};
}

static Watched *next_unit(Fuzz *fuzz)
{
    int first = next_below(&fuzz->input, MOST_UNITS);
    for (int i = 0; i < MOST_UNITS; i++)
        if (fuzz->units[(first + i) % MOST_UNITS].unit != 0)
            return &fuzz->units[(first + i) % MOST_UNITS];
    return NULL;
}

static void send_unit(Fuzz *fuzz, const Watched *one, int goal)
{
    AstarStatus statuses[SIDES];
    int x = goal % fuzz->world.width, y = goal / fuzz->world.width;
    for (int side = 0; side < SIDES; side++)
        statuses[side] = astar_crowd_go(fuzz->crowds[side], one->unit, x, y);
    REQUIRE(statuses[0] == statuses[1]);
    bool can_stand = isfinite(entry_of(&fuzz->world, &fuzz->options[one->kind], x, y));
    REQUIRE(statuses[0] == (can_stand ? ASTAR_OK : ASTAR_GOAL_BLOCKED));
}

static void send_one(Fuzz *fuzz)
{
    int x, y, cell = next_cell(fuzz, &x, &y);
    const Watched *one = next_unit(fuzz);
    if (one != NULL)
        send_unit(fuzz, one, cell);
}

static void send_group(Fuzz *fuzz)
{
    int goal = fuzz->goals[next_below(&fuzz->input, 4)], every = 1 + next_below(&fuzz->input, 3);
    for (int i = 0; i < MOST_UNITS; i += every)
        if (fuzz->units[i].unit != 0)
            send_unit(fuzz, &fuzz->units[i], goal);
}

static void order_unit(Fuzz *fuzz)
{
    int how = next_byte(&fuzz->input);
    Watched *one = next_unit(fuzz);
    if (one == NULL)
        return;
    AstarUnit unit = one->unit;
    for (int side = 0; side < SIDES; side++) {
        AstarCrowd *crowd = fuzz->crowds[side];
        switch (how % 5) {
        case 0: REQUIRE(astar_crowd_stop(crowd, unit)); break;
        case 1: REQUIRE(astar_crowd_hold(crowd, unit, how >= 128)); break;
        case 2: REQUIRE(astar_crowd_set_priority(crowd, unit, how % 3 - 1)); break;
        default: REQUIRE(astar_crowd_remove(crowd, unit) && !astar_crowd_has(crowd, unit)); break;
        }
    }
    if (how % 5 == 1)
        one->is_held = how >= 128;
    if (how % 5 >= 3)
        one->unit = 0;
}

static void edit_blocks(Fuzz *fuzz)
{
    int x, y, how = next_byte(&fuzz->input), cell = next_cell(fuzz, &x, &y);
    int width = 1 + (how & 12 ? 0 : (how >> 4) % (fuzz->world.width - x));
    for (int side = 0; side < SIDES; side++)
        if (how & 1)
            REQUIRE(astar_grid_block(fuzz->grids[side], x, y, width, 1) == ASTAR_OK);
        else
            astar_grid_unblock(fuzz->grids[side], x, y, width, 1);
    memset(fuzz->world.blocked + cell, how & 1, (size_t)width);
}

static void edit_ground(Fuzz *fuzz)
{
    int x, y, terrain = next_below(&fuzz->input, TERRAINS), cell = next_cell(fuzz, &x, &y);
    for (int side = 0; side < SIDES; side++)
        astar_grid_set(fuzz->grids[side], x, y, terrain);
    fuzz->world.ground[cell] = (uint8_t)terrain;
}

static void edit_walls(Fuzz *fuzz)
{
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    World *world = &fuzz->world;
    int x, y, how = next_byte(&fuzz->input), cell = next_cell(fuzz, &x, &y), way = how & 3;
    bool builds = (how & 4) != 0, one_way = (how & 8) != 0;
    AstarSide name = (AstarSide)(2 * way);
    for (int side = 0; side < SIDES; side++)
        if (builds)
            REQUIRE(astar_grid_wall(fuzz->grids[side], x, y, name, one_way) == ASTAR_OK);
        else
            astar_grid_unwall(fuzz->grids[side], x, y, name, one_way);
    world->walls[cell][way] = builds;
    int to_x = x + dx[way], to_y = y + dy[way];
    if (!one_way && to_x >= 0 && to_y >= 0 && to_x < world->width && to_y < world->height)
        world->walls[to_y * world->width + to_x][way ^ 2] = builds;
}

// One way only, and each but once; between neighbours it could not be told from a step.
static void edit_links(Fuzz *fuzz)
{
    World *world = &fuzz->world;
    int x, y, to_x, to_y, from = next_cell(fuzz, &x, &y), to = next_cell(fuzz, &to_x, &to_y);
    bool is_known = world->link_count == MOST_LINKS || (abs(to_x - x) <= 1 && abs(to_y - y) <= 1);
    for (int i = 0; i < world->link_count; i++)
        is_known |= world->links[i].from == from && world->links[i].to == to;
    if (is_known)
        return;
    for (int side = 0; side < SIDES; side++)
        REQUIRE(astar_grid_link(fuzz->grids[side], x, y, to_x, to_y, 2, 7, true) == ASTAR_OK);
    world->links[world->link_count++] = (WorldLink){from, to, 2};
}

static void slice(Fuzz *fuzz)
{
    astar_crowd_step(fuzz->crowds[1], (uint64_t)next_byte(&fuzz->input));
}

static void beat(Fuzz *fuzz)
{
    for (int side = 0; side < SIDES; side++)
        REQUIRE(astar_crowd_beat(fuzz->crowds[side]) == ASTAR_OK);
    uint32_t there = 0;
    for (int i = 0; i < MOST_UNITS; i++) {
        Watched *one = &fuzz->units[i];
        if (one->unit == 0)
            continue;
        AstarUnitFacts facts, other;
        REQUIRE(astar_crowd_unit(fuzz->crowds[0], one->unit, &facts));
        REQUIRE(astar_crowd_unit(fuzz->crowds[1], one->unit, &other));
        REQUIRE(facts.x == other.x && facts.y == other.y && facts.state == other.state);
        REQUIRE(facts.from_x == one->to_x && facts.from_y == one->to_y);
        REQUIRE(astar_crowd_unit_at(fuzz->crowds[0], facts.x, facts.y) == one->unit);
        one->x = facts.from_x;
        one->y = facts.from_y;
        one->to_x = facts.x;
        one->to_y = facts.y;
        there++;
    }
    REQUIRE(astar_crowd_count(fuzz->crowds[0]) == there);
    look_at_beat(fuzz);
}

// ---- plans ----

enum { PLAN_WORK = 20000 };

static AstarResolvingOptions next_plan_options(Fuzz *fuzz, int how)
{
    AstarResolvingOptions options = astar_resolving_options_default();
    options.bytes = how & 1 ? 20000 + 2000 * (size_t)next_byte(&fuzz->input) : 1000000;
    options.improve = how & 2 ? 20 * (uint64_t)next_byte(&fuzz->input) : 0;
    if (how & 4) {
        next_cell(fuzz, &options.x, &options.y);
        options.width = 1 + next_below(&fuzz->input, fuzz->world.width - options.x);
        options.height = 1 + next_below(&fuzz->input, fuzz->world.height - options.y);
    }
    return options;
}

// Lists units, those of one cell and one period unless 'any'; some of them may be gone.
static size_t list_units(const Fuzz *fuzz, bool any, AstarUnit list[MOST_UNITS])
{
    size_t count = 0;
    for (int i = 0; i < MOST_UNITS; i++) {
        const Watched *one = &fuzz->units[i];
        if (one->unit != 0 && (any || (fuzz->options[one->kind].size == 1 && one->period == 1)))
            list[count++] = one->unit;
    }
    return count;
}

static void drop_plan(Fuzz *fuzz, int plan)
{
    for (int side = 0; side < SIDES; side++) {
        astar_resolving_release(fuzz->plans[plan][side]);
        fuzz->plans[plan][side] = NULL;
    }
}

static void begin_plan(Fuzz *fuzz, int plan)
{
    AstarUnit list[MOST_UNITS];
    int how = next_byte(&fuzz->input);
    AstarResolvingOptions options = next_plan_options(fuzz, how);
    size_t count = list_units(fuzz, (how & 48) == 48, list);
    AstarStatus statuses[SIDES];
    drop_plan(fuzz, plan);
    for (int side = 0; side < SIDES; side++) {
        AstarCrowd *crowd = fuzz->crowds[side];
        const char *refusal = astar_crowd_resolving_refusal(crowd, list, count, &options);
        statuses[side] = astar_crowd_resolving(crowd, list, count, &options,
                                               &fuzz->plans[plan][side]);
        REQUIRE((refusal != NULL) == (statuses[side] == ASTAR_BAD_OPTION));
    }
    REQUIRE(statuses[0] == statuses[1]);
    REQUIRE(statuses[0] == ASTAR_OK || statuses[0] == ASTAR_OUT_OF_BYTES ||
            statuses[0] == ASTAR_BAD_OPTION);
}

static void compare_plans(const Fuzz *fuzz, int plan)
{
    AstarResolvingFacts facts = astar_resolving_facts(fuzz->plans[plan][0]);
    AstarResolvingFacts other = astar_resolving_facts(fuzz->plans[plan][1]);
    REQUIRE(facts.status == other.status && facts.units == other.units);
    REQUIRE(facts.has_plan == other.has_plan && facts.is_followed == other.is_followed);
    REQUIRE(!facts.has_plan || (facts.beats == other.beats && facts.left == other.left));
    REQUIRE(!facts.has_plan || facts.cost == other.cost);
}

// A step of the same size on both sides, which stay at the same stage.
static void step_plan(Fuzz *fuzz, int plan)
{
    uint64_t work = 1 + (uint64_t)next_byte(&fuzz->input) * 4;
    for (int side = 0; side < SIDES; side++)
        astar_resolving_step(fuzz->plans[plan][side], work);
    compare_plans(fuzz, plan);
}

// Makes a plan to its end, in one step on one side and in many on the other. What takes long has
// all units stopped, for the sides may be at different stages.
static void finish_plan(Fuzz *fuzz, int plan)
{
    uint64_t slice = 1 + 2 * (uint64_t)next_byte(&fuzz->input);
    AstarStatus statuses[SIDES];
    statuses[0] = astar_resolving_step(fuzz->plans[plan][0], PLAN_WORK);
    uint64_t left = PLAN_WORK;
    do {
        statuses[1] = astar_resolving_step(fuzz->plans[plan][1], slice);
        left -= slice < left ? slice : left;
    } while (statuses[1] == ASTAR_RUNNING && left > 0);
    if (statuses[0] != ASTAR_RUNNING && statuses[1] != ASTAR_RUNNING) {
        compare_plans(fuzz, plan);
        return;
    }
    for (int i = 0; i < MOST_UNITS; i++)
        for (int side = 0; side < SIDES && fuzz->units[i].unit != 0; side++)
            REQUIRE(astar_crowd_stop(fuzz->crowds[side], fuzz->units[i].unit));
    drop_plan(fuzz, plan);
}

static void follow_plan(Fuzz *fuzz, int plan)
{
    bool follows = astar_resolving_follow(fuzz->plans[plan][0]);
    REQUIRE(astar_resolving_follow(fuzz->plans[plan][1]) == follows);
    compare_plans(fuzz, plan);
}

static void cancel_plan(Fuzz *fuzz, int plan)
{
    for (int side = 0; side < SIDES; side++)
        astar_resolving_cancel(fuzz->plans[plan][side]);
    compare_plans(fuzz, plan);
}

static void plan_on(Fuzz *fuzz, int how)
{
    typedef void (*Action)(Fuzz *, int);
    static const Action actions[] = {step_plan,   step_plan,   step_plan,   begin_plan,
                                     finish_plan, finish_plan, follow_plan, cancel_plan};
    int plan = how >> 3 & 1;
    (fuzz->plans[plan][0] == NULL ? begin_plan : actions[how & 7])(fuzz, plan);
}

// ---- the whole ----

static void draw_map(Fuzz *fuzz)
{
    World *world = &fuzz->world;
    int shape = next_byte(&fuzz->input), density = next_byte(&fuzz->input) % 160;
    uint32_t seed = 1 + (uint32_t)next_byte(&fuzz->input);
    world->width = 1 + shape % 16;
    world->height = 1 + shape / 16;
    for (int side = 0; side < SIDES; side++)
        REQUIRE(astar_grid_new(&allocator, world->width, world->height, &fuzz->grids[side]) ==
                ASTAR_OK);
    static const double costs[TERRAINS] = {1, 2.5, INFINITY, 30};
    for (int i = 0; i < TERRAINS; i++)
        world->cost[i] = costs[i];
    for (int side = 0, number; side < SIDES; side++)
        for (int i = 1; i < TERRAINS; i++)
            REQUIRE(astar_grid_add_terrain(fuzz->grids[side], costs[i], &number) == ASTAR_OK);
    for (int cell = 0; cell < world->width * world->height; cell++) {
        int x = cell % world->width, y = cell / world->width;
        draw(&seed);
        if ((seed >> 8) % 512 >= (uint32_t)density)
            continue;
        world->blocked[cell] = 1;
        for (int side = 0; side < SIDES; side++)
            REQUIRE(astar_grid_block(fuzz->grids[side], x, y, 1, 1) == ASTAR_OK);
    }
}

static void draw_kinds(Fuzz *fuzz)
{
    static const int sizes[] = {1, 1, 1, 2, 3, 1, 8, 1};
    for (int kind = 0; kind < KINDS; kind++) {
        int how = next_byte(&fuzz->input);
        fuzz->options[kind] = astar_options_default();
        fuzz->options[kind].diagonals = (AstarDiagonals)(how & 3);
        fuzz->options[kind].size = sizes[how >> 2 & 7];
        for (int side = 0; side < SIDES; side++)
            REQUIRE(astar_finder_new(fuzz->grids[side], &fuzz->options[kind],
                                     &fuzz->finders[side][kind]) == ASTAR_OK);
    }
}

static void draw_crowds(Fuzz *fuzz)
{
    int how = next_byte(&fuzz->input), x, y;
    AstarCrowdOptions options = astar_crowd_options_default();
    options.is_exclusive = fuzz->is_exclusive = (how & 3) == 3;
    options.expansions = how & 4 ? options.expansions : 1 + (uint64_t)next_byte(&fuzz->input);
    options.bytes = how & 8 ? options.bytes : 300;
    options.seed = (uint64_t)how;
    for (int side = 0; side < SIDES; side++)
        REQUIRE(astar_crowd_new(fuzz->finders[side][0], &options, &fuzz->crowds[side]) == ASTAR_OK);
    for (int i = 0; i < 4; i++)
        fuzz->goals[i] = next_cell(fuzz, &x, &y);
    for (int i = next_below(&fuzz->input, MOST_UNITS + 1); i > 0; i--)
        add_unit(fuzz);
}

static void act(Fuzz *fuzz)
{
    typedef void (*Action)(Fuzz *);
    static const Action actions[] = {beat,     beat,        beat,        beat,       beat,
                                     add_unit, send_one,    send_group,  order_unit, slice,
                                     slice,    edit_blocks, edit_ground, edit_walls, edit_links};
    int how = next_byte(&fuzz->input);
    if (how >= 208)
        plan_on(fuzz, how);
    else
        actions[how % (int)(sizeof actions / sizeof *actions)](fuzz);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Fuzz fuzz;
    fuzz = (Fuzz){.input = {data, data + size}};
    blocks_held = 0;
    draw_map(&fuzz);
    draw_kinds(&fuzz);
    draw_crowds(&fuzz);
    send_group(&fuzz);
    for (int i = 0; i < MOST_ACTIONS && fuzz.input.at < fuzz.input.end; i++)
        act(&fuzz);
    for (int i = 0; i < 4; i++)
        beat(&fuzz);
    for (int plan = 0; plan < PLANS; plan++)
        drop_plan(&fuzz, plan);
    for (int side = 0; side < SIDES; side++) {
        astar_crowd_release(fuzz.crowds[side]);
        for (int kind = 0; kind < KINDS; kind++)
            astar_finder_release(fuzz.finders[side][kind]);
        astar_grid_release(fuzz.grids[side]);
    }
    REQUIRE(blocks_held == 0);
    return 0;
}
