// pibt.c -- turns of units of all rules and sizes, looked at from outside: nobody overlaps, ever.
//
// Random maps, units, goals and constraints. What is looked at: each step is legal by the rule,
// told from the map alone; no two units are in a cell; discs of radius size / 2 - 0.15, or whole
// squares of exclusive units, do not touch at any of many moments between. In slices the steps are
// the same. Distances are those that one neighbour after the other lowers until nothing changes.

#include "support.h"

#include "parts/crowd/goal_fields.h"
#include "parts/crowd/pibt.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAPS = ALL_OR_FEW(300, 100),
    TURNS = 40,
    MOST_UNITS = 60,
    MOMENTS = 20,
    MOST_SIDE = 20,
    KINDS = 3
};

static uint32_t state = 1;

static AstarGrid *grid;
static int width, height;
static AstarDiagonals rule;
static AstarCrowdKind kinds[KINDS];
static int kind_count;
static AstarPibtUnit units[MOST_UNITS];
static AstarGoalField fields[MOST_UNITS];
static uint32_t order[MOST_UNITS], trail[MOST_UNITS];
static AstarPlace places[MOST_SIDE * MOST_SIDE];
static AstarPibt pibt;
static AstarFieldBuild build;
static uint32_t count;

static void make_map(void)
{
    static const double costs[] = {2, 1.3, 30};
    width = 3 + random_below(&state, MOST_SIDE - 2);
    height = 1 + random_below(&state, MOST_SIDE);
    CHECK(astar_grid_new(NULL, width, height, &grid) == ASTAR_OK);
    int wall, other;
    CHECK(astar_grid_add_terrain(grid, INFINITY, &wall) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, costs[random_below(&state, 3)], &other) == ASTAR_OK);
    int walls = random_below(&state, 4), costly = random_below(&state, 3) == 0 ? 5 : 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int dice = random_below(&state, 10);
            if (dice < walls)
                astar_grid_set(grid, x, y, wall);
            else if (dice < walls + costly)
                astar_grid_set(grid, x, y, other);
        }
    for (int i = random_below(&state, 4) == 0 ? 6 : 0; i > 0; i--)
        astar_grid_wall(grid, random_below(&state, width), random_below(&state, height),
                        (AstarSide)(2 * random_below(&state, 4)), random_below(&state, 2) == 0);
    for (int i = random_below(&state, 4) == 0 ? 3 : 0; i > 0; i--)
        astar_grid_link(grid, random_below(&state, width), random_below(&state, height),
                        random_below(&state, width), random_below(&state, height),
                        random_below(&state, 3), 1, random_below(&state, 2) == 0);
}

static void make_kinds(bool has_sizes)
{
    kind_count = has_sizes ? KINDS : 1;
    rule = (AstarDiagonals)random_below(&state, ASTAR_DIAGONALS_COUNT);
    for (int i = 0; i < kind_count; i++) {
        AstarOptions options = astar_options_default();
        options.diagonals = rule;
        options.size = has_sizes ? 1 + random_below(&state, i == 0 ? 2 : 8) : 1;
        AstarFinder *finder;
        CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
        CHECK(astar_kind_open(&kinds[i], finder) == ASTAR_OK);
        astar_finder_release(finder);
    }
}

static void make_field(AstarGoalField *field, int kind)
{
    *field = (AstarGoalField){.goal = (uint32_t)random_below(&state, width * height),
                              .size = (uint16_t)astar_kind_size(&kinds[kind]),
                              .goal_size = 1};
    CHECK(astar_field_build_begin(&build, &kinds[kind], astar_aim_of_field(field)) == ASTAR_OK);
    for (;;) {
        uint64_t work = 1 + (uint64_t)random_below(&state, 100);
        if (astar_field_build_step(&build, &work) == ASTAR_OK)
            break;
    }
    astar_field_build_deliver(&build, &field->now);
}

static void make_units(void)
{
    for (int cell = 0; cell < width * height; cell++)
        places[cell] = (AstarPlace){ASTAR_NOBODY, ASTAR_NOBODY};
    pibt = (AstarPibt){.grid = grid,
                       .kinds = kinds,
                       .units = units,
                       .places = places,
                       .trail = trail,
                       .is_exclusive = random_below(&state, 4) == 0,
                       .has_sizes = kind_count > 1,
                       .prefers_free = random_below(&state, 2) == 0,
                       .top = ASTAR_NOBODY};
    count = 0;
    int wanted = 1 + random_below(&state, MOST_UNITS);
    for (int tries = 0; tries < 300 && (int)count < wanted; tries++) {
        int kind = random_below(&state, kind_count), x = random_below(&state, width),
            y = random_below(&state, height);
        if (!astar_bits_get(kinds[kind].bits, x, y) ||
            !astar_pibt_is_free(&pibt, &kinds[kind], x, y, ASTAR_NOBODY))
            continue;
        units[count] = (AstarPibtUnit){
            .cell = astar_cell(grid, x, y), .next = ASTAR_NOWHERE, .kind = (uint16_t)kind};
        if (random_below(&state, 8) > 0) {
            make_field(&fields[count], kind);
            units[count].field = &fields[count];
        } else {
            fields[count] = (AstarGoalField){0};
        }
        astar_pibt_place(&pibt, count);
        order[count] = count;
        count++;
    }
}

// ---- looked at from outside ----

static bool fits(int size, int x, int y)
{
    for (int row = y; row < y + size; row++)
        for (int column = x; column < x + size; column++)
            if (!astar_grid_is_walkable(grid, column, row))
                return false;
    return true;
}

static bool is_walled(int x, int y, int dx, int dy)
{
    AstarSide side = dx > 0   ? ASTAR_SIDE_EAST
                     : dx < 0 ? ASTAR_SIDE_WEST
                     : dy > 0 ? ASTAR_SIDE_SOUTH
                              : ASTAR_SIDE_NORTH;
    return astar_grid_has_wall(grid, x, y, side);
}

// A way around a diagonal step, by the cell beside it: two straight steps.
static bool goes_around(int size, int x, int y, int dx, int dy, bool sideways)
{
    int mx = sideways ? dx : 0, my = sideways ? 0 : dy;
    return fits(size, x + mx, y + my) && !is_walled(x, y, mx, my) &&
           !is_walled(x + mx, y + my, dx - mx, dy - my);
}

static bool is_parted(int x, int y, int dx, int dy)
{
    bool by_x = is_walled(x, y, dx, 0) || is_walled(x + dx, y, 0, dy);
    bool by_y = is_walled(x, y, 0, dy) || is_walled(x, y + dy, dx, 0);
    return by_x && by_y;
}

static bool is_legal_step(int size, int x, int y, int dx, int dy)
{
    if (!fits(size, x + dx, y + dy))
        return false;
    if (dx == 0 || dy == 0)
        return !is_walled(x, y, dx, dy);
    int ways = goes_around(size, x, y, dx, dy, true) + goes_around(size, x, y, dx, dy, false);
    int least = rule == ASTAR_ALWAYS ? 0 : rule == ASTAR_IF_AT_MOST_ONE_OBSTACLE ? 1 : 2;
    return rule != ASTAR_NEVER && ways >= least && !is_parted(x, y, dx, dy);
}

static bool is_legal(const AstarPibtUnit *unit)
{
    int size = astar_kind_size(&kinds[unit->kind]), x, y, to_x, to_y;
    AstarLink link;
    astar_cell_xy(grid, unit->cell, &x, &y);
    astar_cell_xy(grid, unit->next, &to_x, &to_y);
    if (unit->next == unit->cell)
        return true;
    if (unit->way == ASTAR_WAY_LINK)
        return astar_grid_find_link(grid, x, y, to_x, to_y, &link) && fits(size, to_x, to_y);
    return abs(to_x - x) <= 1 && abs(to_y - y) <= 1 &&
           is_legal_step(size, x, y, to_x - x, to_y - y);
}

// Where the middle of a unit is at a moment. Over a link it leaps at the end.
static void middle_at(const AstarPibtUnit *unit, double t, double *mx, double *my)
{
    double half = astar_kind_size(&kinds[unit->kind]) / 2.0;
    int x, y, to_x, to_y;
    astar_cell_xy(grid, unit->cell, &x, &y);
    astar_cell_xy(grid, unit->next, &to_x, &to_y);
    if (unit->way == ASTAR_WAY_LINK)
        t = t < 1 ? 0 : 1;
    *mx = x + half + t * (to_x - x);
    *my = y + half + t * (to_y - y);
}

static bool keeps_apart(const AstarPibtUnit *a, const AstarPibtUnit *b, double t)
{
    double ax, ay, bx, by;
    middle_at(a, t, &ax, &ay);
    middle_at(b, t, &bx, &by);
    double dx = fabs(ax - bx), dy = fabs(ay - by);
    double both = (astar_kind_size(&kinds[a->kind]) + astar_kind_size(&kinds[b->kind])) / 2.0;
    if (t == 0 || t == 1 || pibt.is_exclusive)
        return dx >= both - 1e-9 || dy >= both - 1e-9;
    return sqrt(dx * dx + dy * dy) >= both - 0.3 - 1e-9;
}

static void look(void)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK(units[i].next != ASTAR_NOWHERE);
        CHECK(is_legal(&units[i]));
        for (uint32_t j = 0; j < i; j++)
            for (int moment = 0; moment <= MOMENTS; moment++)
                CHECK(keeps_apart(&units[i], &units[j], moment / (double)MOMENTS));
    }
}

// ---- distances ----

// Lowers what the distance of a cell is by those of its neighbours and of where links lead.
static bool relax(const AstarCrowdKind *kind, int64_t *distances, int x, int y)
{
    int64_t *here = &distances[y * width + x], before = *here;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if ((dx == 0 && dy == 0) || !is_legal_step(astar_kind_size(kind), x, y, dx, dy))
                continue;
            int64_t there = distances[(y + dy) * width + x + dx] +
                            astar_kind_step(kind, astar_cell(grid, x + dx, y + dy),
                                            dx != 0 && dy != 0);
            *here = there < *here ? there : *here;
        }
    for (uint32_t i = 0; i < astar_grid_link_count(grid); i++) {
        AstarLink link;
        astar_grid_link_at(grid, i, &link);
        AstarArc arc = {.cost = link.cost};
        int64_t there = distances[link.y1 * width + link.x1] +
                        astar_kind_length_of(kind, arc.cost, false);
        if (link.x0 == x && link.y0 == y && there < *here)
            *here = there;
    }
    return *here < before;
}

// All distances of a field are those that hold each other up (Bellman, 1958), by its modulus.
static void check_field(const AstarGoalField *field, const AstarCrowdKind *kind)
{
    static int64_t distances[MOST_SIDE * MOST_SIDE];
    const int64_t none = INT64_C(1) << 40;
    int size = astar_kind_size(kind);
    for (int cell = 0; cell < width * height; cell++)
        distances[cell] = none;
    if (fits(size, (int)field->goal % width, (int)field->goal / width))
        distances[field->goal] = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (int cell = 0; cell < width * height; cell++)
            if (fits(size, cell % width, cell / width))
                changes |= relax(kind, distances, cell % width, cell / width);
    }
    for (int cell = 0; cell < width * height; cell++) {
        uint32_t value = astar_goal_field_value(astar_kind_grid(kind), field, (uint32_t)cell);
        uint32_t modulus = field->now.packing.modulus;
        if (distances[cell] >= none)
            CHECK(value == ASTAR_NO_VALUE);
        else
            CHECK(value == (modulus == 0 ? distances[cell] : distances[cell] % modulus));
    }
}

// ---- turns ----

static void take_turn(uint64_t seed, uint64_t slice)
{
    astar_pibt_begin(&pibt, order, count, seed);
    for (uint32_t i = (uint32_t)seed % 5; i < count; i += 9)
        CHECK(astar_pibt_decide(&pibt, i, units[i].cell));
    for (;;) {
        uint64_t work = slice;
        if (astar_pibt_step(&pibt, &work) == ASTAR_OK)
            break;
    }
    CHECK(astar_pibt_is_complete(&pibt));
}

static void take_turns(void)
{
    uint32_t next[MOST_UNITS];
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        take_turn(turn, UINT64_MAX);
        for (uint32_t i = 0; i < count; i++)
            next[i] = units[i].next;
        astar_pibt_forget(&pibt);
        take_turn(turn, 1 + turn % 7);
        for (uint32_t i = 0; i < count; i++)
            CHECK(next[i] == units[i].next);
        look();
        astar_pibt_move(&pibt);
        for (int cell = 0; cell < width * height; cell++)
            CHECK(places[cell].next == ASTAR_NOBODY);
    }
}

// What was decided by hand first, any of the steps listed, is kept to.
static void constrain(void)
{
    astar_pibt_begin(&pibt, order, count, 7);
    uint32_t unit = (uint32_t)random_below(&state, (int)count), cells[ASTAR_WAYS];
    int steps = astar_pibt_steps(&pibt, unit, cells);
    CHECK(steps > 0 && cells[steps - 1] == units[unit].cell);
    uint32_t cell = cells[random_below(&state, steps)];
    bool decided = astar_pibt_decide(&pibt, unit, cell);
    uint64_t work = UINT64_MAX;
    CHECK(astar_pibt_step(&pibt, &work) == ASTAR_OK);
    if (decided && astar_pibt_is_complete(&pibt)) {
        CHECK(units[unit].next == cell);
        look();
    }
    astar_pibt_forget(&pibt);
}

int main(void)
{
    for (int map = 0; map < MAPS; map++) {
        make_map();
        build.allocator = grid->allocator;
        make_kinds(map % 2 == 1);
        make_units();
        if (count > 0) {
            if (units[0].field != NULL)
                check_field(&fields[0], &kinds[units[0].kind]);
            take_turns();
            constrain();
        }
        for (uint32_t i = 0; i < count; i++)
            astar_distances_free(&fields[i].now, &build.allocator);
        astar_field_build_free(&build);
        for (int i = 0; i < kind_count; i++)
            astar_kind_close(&kinds[i]);
        astar_grid_release(grid);
    }
    return report();
}
