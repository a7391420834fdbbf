// core.c -- fuzzes the C core: a map, units of all kinds, edits and questions, drawn from bytes.
//
// The same edits are made to a plain world, whose answers oracle.c works out by the rules; every
// answer of the core is held against those, and in the end what edits have repaired against what
// is built anew. No block of memory may be left.

#include "counted.h"
#include "snapshot.h"

#include <math.h>
#include <string.h>

enum { UNITS = 3, MOST_ACTIONS = 40 };

// ---- units ----

// Some cells cost two or three times as much, some cannot be entered.
static double cost_of_cell(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    int kind = (5 * x + 3 * y + terrain) % 7;
    return kind == 0 ? INFINITY : fmax(cost, fmin(cost * (1 + kind % 3), ASTAR_COST_MAX));
}

// Steps to the east cost more, some from the north cannot be made.
static double cost_of_step(void *context, int x, int y, int to_x, int to_y, double cost)
{
    (void)context;
    if (to_y > y && (x + 2 * y) % 5 == 0)
        return INFINITY;
    return to_x > x ? fmax(cost, fmin(cost * 1.5, 2 * ASTAR_COST_MAX)) : cost;
}

static double odd_estimate(void *context, int dx, int dy)
{
    (void)context;
    return dx * 37 % 11 + dy;
}

static double pick(Input *input, const double *values, int count)
{
    return values[next_below(input, count)];
}

#define PICK(input, ...)                                                                           \
    pick((input), (const double[]){__VA_ARGS__},                                                   \
         (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

static double next_cost(Input *input)
{
    return PICK(input, 1, 1, 2, 0.5, 1.1, 3.75, 0.001, 1000000, INFINITY, 10);
}

// Own costs of a unit for some of the terrains.
static void draw_costs(Input *input, Unit *unit)
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        unit->costs[i] = NAN;
    int mask = next_below(input, 1 << TERRAINS);
    for (int i = 0; i < TERRAINS; i++)
        if (mask >> i & 1)
            unit->costs[i] = next_cost(input);
    unit->options.costs = unit->costs;
}

static void draw_callbacks(Input *input, AstarOptions *options)
{
    switch (next_below(input, 8)) {
    case 0: options->cost = cost_of_cell; break;
    case 1: options->step_cost = cost_of_step; break;
    case 2:
        options->cost = cost_of_cell;
        options->step_cost = cost_of_step;
        break;
    case 3: options->estimate = odd_estimate; break;
    default: break;
    }
}

static void draw_limits(Input *input, AstarOptions *options)
{
    options->weight = PICK(input, 1, 1, 1, 1.5, 8);
    options->max_cost = PICK(input, INFINITY, INFINITY, INFINITY, 0, 3, 10, 1e6);
    options->max_expansions = (uint64_t)PICK(input, 0, 0, 0, 0, 1, 2, 5, 30);
    if (options->max_expansions == 0)
        options->max_expansions = UINT64_MAX;
    options->partial = next_below(input, 4) == 0;
    options->any_angle = next_below(input, 8) == 0;
    options->range = (int)PICK(input, 0, 0, 0, 0, 1, 2, 20);
    if (!options->any_angle && next_below(input, 4) == 0) {
        options->bends = (AstarBends)(1 + next_below(input, 2));
        if (options->bends == ASTAR_BENDS_FEWEST)
            options->heading = (AstarHeading)next_below(input, ASTAR_HEADING_COUNT);
    }
}

// A byte says which of the options are drawn, so that most units are plain.
static void draw_options(Input *input, Unit *unit, AstarField *field)
{
    AstarOptions *options = &unit->options;
    int extras = next_byte(input);
    *options = astar_options_default();
    options->diagonals = (AstarDiagonals)(extras & 3);
    int kind = next_byte(input);
    options->algorithm = (AstarAlgorithm)(kind % (ASTAR_JPSW + 1));
    options->ignore = (uint64_t)(kind / (ASTAR_JPSW + 1) % (1 << LAYERS));
    options->size = (int)PICK(input, 1, 1, 1, 2, 3, 5);
    if (extras & 4)
        options->diagonal_cost = PICK(input, 1, 1.4, 1.5, 2);
    if (extras & 8)
        draw_costs(input, unit);
    if (extras & 16)
        draw_limits(input, options);
    if (extras & 32)
        options->heuristic = (AstarHeuristicName)next_below(input, ASTAR_ZERO + 1);
    if (extras & 64)
        draw_callbacks(input, options);
    if ((extras & 128) && options->size == 1) {
        options->avoid = field;
        options->avoid_weight = PICK(input, 1, 0, 0.5, 3);
    }
}

static void remove_unit(Unit *unit)
{
    astar_flow_release(unit->flow);
    unit->flow = NULL;
    astar_finder_release(unit->finder);
    astar_path_destroy(&unit->path);
    unit->finder = NULL;
}

static void draw_unit(Input *input, AstarGrid *grid, AstarField *field, Unit *unit)
{
    if (unit->finder != NULL)
        remove_unit(unit);
    draw_options(input, unit, field);
    AstarStatus status = astar_finder_new(grid, &unit->options, &unit->finder);
    if (status == ASTAR_BAD_OPTION) { // what was asked for by name cannot honour the rest
        REQUIRE(unit->options.algorithm >= ASTAR_JPS);
        unit->options.algorithm = ASTAR_AUTO;
        status = astar_finder_new(grid, &unit->options, &unit->finder);
    }
    REQUIRE(status == ASTAR_OK);
    astar_path_init(&unit->path);
}

// ---- edits ----

typedef struct Fuzz {
    Input input;
    World world;
    AstarGrid *grid;
    AstarField *field;
    AstarWorkspace *workspace;
    Unit units[UNITS];
} Fuzz;

typedef struct Area {
    int x, y, width, height;
} Area;

static Area next_area(Fuzz *fuzz)
{
    Area area;
    area.x = next_below(&fuzz->input, fuzz->world.width);
    area.y = next_below(&fuzz->input, fuzz->world.height);
    int sides = next_byte(&fuzz->input); // mostly a cell
    area.width = 1 + (sides & 7 ? 0 : (sides >> 3) % (fuzz->world.width - area.x));
    area.height = 1 + (sides & 7 ? 0 : (sides >> 5) % (fuzz->world.height - area.y));
    return area;
}

static void edit_ground(Fuzz *fuzz)
{
    Area area = next_area(fuzz);
    int terrain = next_below(&fuzz->input, TERRAINS);
    if (area.width * area.height == 1)
        astar_grid_set(fuzz->grid, area.x, area.y, terrain);
    else
        astar_grid_fill(fuzz->grid, area.x, area.y, area.width, area.height, terrain);
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++)
            fuzz->world.ground[y * fuzz->world.width + x] = (uint8_t)terrain;
}

// The bit of the layer that was edited.
static uint64_t edit_layer(Fuzz *fuzz)
{
    Area area = next_area(fuzz);
    int how = next_byte(&fuzz->input), layer = how / 2 % LAYERS;
    bool blocks = how % 2 == 0;
    AstarStatus status = (blocks ? astar_grid_block_layer : astar_grid_unblock_layer)(
        fuzz->grid, layer, area.x, area.y, area.width, area.height);
    REQUIRE(status == ASTAR_OK);
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++) {
            uint8_t *blocked = &fuzz->world.blocked[y * fuzz->world.width + x];
            *blocked = (uint8_t)(blocks ? *blocked | 1 << layer : *blocked & ~(1 << layer));
            REQUIRE(astar_grid_is_blocked_in_any(fuzz->grid, x, y) == (*blocked != 0));
        }
    return UINT64_C(1) << layer;
}

static void edit_blocks(Fuzz *fuzz)
{
    edit_layer(fuzz);
}

static void edit_walls(Fuzz *fuzz)
{
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    World *world = &fuzz->world;
    Area area = next_area(fuzz);
    int side = next_below(&fuzz->input, 4), how = next_below(&fuzz->input, 4);
    bool one_way = (how & 1) != 0, builds = how < 2;
    AstarSide name = (AstarSide)(2 * side);
    if (builds)
        REQUIRE(astar_grid_wall(fuzz->grid, area.x, area.y, name, one_way) == ASTAR_OK);
    else
        astar_grid_unwall(fuzz->grid, area.x, area.y, name, one_way);
    int x = area.x + dx[side], y = area.y + dy[side];
    world->walls[area.y * world->width + area.x][side] = builds;
    if (!one_way && x >= 0 && y >= 0 && x < world->width && y < world->height)
        world->walls[y * world->width + x][side ^ 2] = builds;
}

static void put_link(World *world, int from, int to, double cost)
{
    int i = 0;
    while (i < world->link_count && (world->links[i].from != from || world->links[i].to != to))
        i++;
    if (i == world->link_count)
        world->link_count++;
    world->links[i] = (WorldLink){from, to, cost};
}

static void take_link(World *world, int from, int to)
{
    for (int i = 0; i < world->link_count; i++)
        if (world->links[i].from == from && world->links[i].to == to)
            world->links[i] = world->links[--world->link_count];
}

static void edit_links(Fuzz *fuzz)
{
    World *world = &fuzz->world;
    Area a = next_area(fuzz), b = next_area(fuzz);
    int from = a.y * world->width + a.x, to = b.y * world->width + b.x;
    int how = next_below(&fuzz->input, 6);
    bool one_way = (how & 1) != 0;
    if (how >= 4) {
        astar_grid_unlink(fuzz->grid, a.x, a.y, b.x, b.y, one_way);
        take_link(world, from, to);
        if (!one_way)
            take_link(world, to, from);
    } else if (from == to) {
        REQUIRE(astar_grid_link(fuzz->grid, a.x, a.y, b.x, b.y, 1, 0, one_way) == ASTAR_BAD_OPTION);
    } else if (world->link_count + 2 <= MOST_LINKS) {
        double cost = PICK(&fuzz->input, 1, 0, 0.25, 3, 50);
        REQUIRE(astar_grid_link(fuzz->grid, a.x, a.y, b.x, b.y, cost, 7, one_way) == ASTAR_OK);
        put_link(world, from, to, cost);
        if (!one_way)
            put_link(world, to, from, cost);
    }
    REQUIRE(astar_grid_link_count(fuzz->grid) == (uint32_t)world->link_count);
}

static void edit_cost(Fuzz *fuzz)
{
    int terrain = next_below(&fuzz->input, TERRAINS);
    double cost = next_cost(&fuzz->input);
    REQUIRE(astar_grid_set_cost(fuzz->grid, terrain, cost) == ASTAR_OK);
    fuzz->world.cost[terrain] = cost;
}

static void edit_field(Fuzz *fuzz)
{
    Area area = next_area(fuzz);
    double value = PICK(&fuzz->input, 1, 0.25, 5, 1000, 2e6, -1);
    switch (next_below(&fuzz->input, 5)) {
    case 0: astar_field_set(fuzz->field, area.x, area.y, value); break;
    case 1: astar_field_add(fuzz->field, area.x, area.y, value); break;
    case 2: astar_field_stamp(fuzz->field, area.x, area.y, 3, value); break;
    case 3: astar_field_decay(fuzz->field, 0.5); break;
    default: astar_field_fill(fuzz->field, area.x, area.y, area.width, area.height, value); break;
    }
}

// Something comes to stand on a path just told, or stands there no more, and it is repaired.
static void edit_path(Fuzz *fuzz)
{
    World *world = &fuzz->world;
    Unit *unit = &fuzz->units[next_below(&fuzz->input, UNITS)];
    ask_path(&fuzz->input, world, unit);
    if (unit->path.cells == 0)
        return;
    int x, y;
    astar_path_cell(&unit->path, next_below(&fuzz->input, unit->path.cells), &x, &y);
    uint8_t *blocked = &world->blocked[y * world->width + x];
    if ((*blocked & 1) != 0)
        astar_grid_unblock(fuzz->grid, x, y, 1, 1);
    else
        REQUIRE(astar_grid_block(fuzz->grid, x, y, 1, 1) == ASTAR_OK);
    *blocked ^= 1;
    ask_check(&fuzz->input, world, unit);
    ask_repair(&fuzz->input, world, unit);
}

// The copy takes the grid's place, with all units.
static void clone_grid(Fuzz *fuzz)
{
    AstarGrid *copy;
    REQUIRE(astar_grid_clone(fuzz->grid, &copy) == ASTAR_OK);
    for (int i = 0; i < UNITS; i++) {
        Unit *unit = &fuzz->units[i];
        astar_flow_release(unit->flow);
        unit->flow = NULL;
        astar_finder_release(unit->finder);
        REQUIRE(astar_finder_new(copy, &unit->options, &unit->finder) == ASTAR_OK);
    }
    astar_grid_release(fuzz->grid);
    fuzz->grid = copy;
}

// A search that an edit has come between has the answer of one begun after it, or ends.
static void compare_with_fresh(Unit *unit, AstarSearch *search, AstarStatus status, Area a, Area b)
{
    AstarPath path;
    astar_path_init(&path);
    AstarStatus fresh = astar_find_path(unit->workspace, unit->finder, a.x, a.y, b.x, b.y, NULL,
                                        NULL, &unit->path);
    REQUIRE(status == fresh);
    if (status == ASTAR_OK)
        REQUIRE(astar_search_path(search, &path) == ASTAR_OK && same_path(&path, &unit->path) &&
                path.expanded == unit->path.expanded);
    astar_path_destroy(&path);
}

static void edit_under_search(Fuzz *fuzz)
{
    AstarSearch *search;
    Unit *unit = &fuzz->units[0];
    Area a = next_area(fuzz), b = next_area(fuzz);
    REQUIRE(astar_grid_part(fuzz->grid, NULL) == ASTAR_OK); // else the edit does: searches are told
    if (astar_search_new(unit->workspace, unit->finder, a.x, a.y, b.x, b.y, NULL, &search) !=
        ASTAR_OK)
        return;
    AstarStatus status = astar_search_step(search, 1 + (uint64_t)next_below(&fuzz->input, 8), NULL);
    uint64_t version = astar_grid_version(fuzz->grid);
    bool ignored = (edit_layer(fuzz) & unit->options.ignore) != 0;
    bool edited = astar_grid_version(fuzz->grid) != version && !ignored;
    if (edited && status == ASTAR_OK)
        REQUIRE(astar_search_path(search, &unit->path) == ASTAR_GRID_CHANGED);
    if (status == ASTAR_RUNNING) {
        do
            status = astar_search_step(search, UINT64_MAX, NULL);
        while (status == ASTAR_RUNNING);
        REQUIRE(astar_search_restarts(search) <= (edited ? 1 : 0));
        compare_with_fresh(unit, search, status, a, b);
    }
    astar_search_free(search);
}

// Any of those that are no question, too.
static void edit_anything(void *context)
{
    static void (*const edits[])(Fuzz *) = {
        edit_ground, edit_blocks, edit_blocks, edit_walls, edit_links, edit_cost, edit_field,
    };
    Fuzz *fuzz = context;
    edits[next_below(&fuzz->input, (int)(sizeof edits / sizeof *edits))](fuzz);
}

// ---- the whole ----

static void draw_shape(Input *input, World *world)
{
    static const uint8_t long_sides[] = {62, 63, 64, 65, 66, 130};
    int shape = next_byte(input);
    world->width = 1 + shape % 16;
    world->height = 1 + shape / 16;
    if (shape >= 240) {
        world->width = long_sides[shape % 6];
        world->height = 1 + next_below(input, MOST_CELLS / world->width);
        if (shape & 8) {
            int width = world->width;
            world->width = world->height;
            world->height = width;
        }
    }
}

// Ground and blocks of all cells, by a generator the input seeds; of other ground one cell in so
// many, or none.
static void draw_map(Fuzz *fuzz)
{
    static const uint32_t one_in[8] = {4, 0, 128, 1, 32, 2, 8, 0};
    World *world = &fuzz->world;
    uint32_t seed = 1 + (uint32_t)next_byte(&fuzz->input);
    uint32_t density = (uint32_t)next_byte(&fuzz->input), other = one_in[density & 7];
    for (int cell = 0; cell < world->width * world->height; cell++) {
        int x = cell % world->width, y = cell / world->width;
        draw(&seed);
        if ((seed >> 8) % 512 < density) {
            REQUIRE(astar_grid_block(fuzz->grid, x, y, 1, 1) == ASTAR_OK);
            world->blocked[cell] = 1;
        } else if (other != 0 && (seed >> 16) % other == 0) {
            world->ground[cell] = (uint8_t)((seed >> 24) % TERRAINS);
            astar_grid_set(fuzz->grid, x, y, world->ground[cell]);
        }
    }
}

static int random_below(uint32_t *seed, int limit)
{
    return (int)((draw(seed) >> 8) % (uint32_t)limit);
}

// Links and one-way walls here and there, or none, likewise.
static void draw_layers(Fuzz *fuzz)
{
    World *world = &fuzz->world;
    int kind = next_byte(&fuzz->input), cells = world->width * world->height;
    uint32_t seed = 1 + (uint32_t)kind;
    for (int i = kind & 7; i > 0; i--) {
        int from = random_below(&seed, cells), to = random_below(&seed, cells);
        double cost = random_below(&seed, 4);
        if (from != to) {
            REQUIRE(astar_grid_link(fuzz->grid, from % world->width, from / world->width,
                                    to % world->width, to / world->width, cost, 1,
                                    true) == ASTAR_OK);
            put_link(world, from, to, cost);
        }
    }
    for (int i = (kind >> 3 & 3) * cells / 8; i > 0; i--) {
        int cell = random_below(&seed, cells), side = random_below(&seed, 4);
        REQUIRE(astar_grid_wall(fuzz->grid, cell % world->width, cell / world->width,
                                (AstarSide)(2 * side), true) == ASTAR_OK);
        world->walls[cell][side] = true;
    }
}

static void begin(Fuzz *fuzz, const uint8_t *data, size_t size)
{
    memset(fuzz, 0, sizeof *fuzz);
    fuzz->input = (Input){data, data + size};
    World *world = &fuzz->world;
    draw_shape(&fuzz->input, world);
    REQUIRE(astar_grid_new(&allocator, world->width, world->height, &fuzz->grid) == ASTAR_OK);
    REQUIRE(astar_field_new(&allocator, world->width, world->height, &fuzz->field) == ASTAR_OK);
    world->cost[0] = 1;
    for (int i = 1, terrain; i < TERRAINS; i++) {
        world->cost[i] = i == 1 ? INFINITY : next_cost(&fuzz->input);
        REQUIRE(astar_grid_add_terrain(fuzz->grid, world->cost[i], &terrain) == ASTAR_OK);
    }
    for (int i = 1, layer; i < LAYERS; i++)
        REQUIRE(astar_grid_layer(fuzz->grid, &"ab"[i - 1], 1, &layer) == ASTAR_OK);
    draw_map(fuzz);
    draw_layers(fuzz);
    REQUIRE(astar_workspace_new(&allocator, &fuzz->workspace) == ASTAR_OK);
    for (int i = 0; i < UNITS; i++) {
        fuzz->units[i].workspace = fuzz->workspace;
        draw_unit(&fuzz->input, fuzz->grid, fuzz->field, &fuzz->units[i]);
    }
}

static void act(Fuzz *fuzz)
{
    static void (*const edits[])(Fuzz *) = {
        edit_ground, edit_blocks, edit_walls, edit_links,        edit_cost,
        edit_field,  clone_grid,  edit_path,  edit_under_search, edit_path,
    };
    static const Query queries[] = {
        ask_path,    ask_stepped,   ask_nearest,  ask_where,  ask_reachable,
        ask_line,    ask_clearance, ask_check,    ask_repair, ask_smooth,
        ask_reverse, ask_bake,      ask_new_flow, query_flow,
    };
    enum { EDITS = sizeof edits / sizeof *edits, QUERIES = sizeof queries / sizeof *queries };
    int action = next_byte(&fuzz->input);
    Unit *unit = &fuzz->units[(action >> 6) % UNITS];
    action &= 63;
    if (action < EDITS)
        edits[action](fuzz);
    else if (action < EDITS + 3 * QUERIES)
        queries[(action - EDITS) % QUERIES](&fuzz->input, &fuzz->world, unit);
    else if (action < 57)
        check_repairs(&fuzz->world, unit);
    else if (action < 60)
        ask_under_edits(&fuzz->input, &fuzz->world, unit, fuzz->grid, edit_anything, fuzz);
    else
        draw_unit(&fuzz->input, fuzz->grid, fuzz->field, unit);
}

static void end(Fuzz *fuzz)
{
    for (int i = 0; i < UNITS; i++) {
        check_repairs(&fuzz->world, &fuzz->units[i]);
        remove_unit(&fuzz->units[i]);
    }
    astar_workspace_free(fuzz->workspace);
    astar_field_release(fuzz->field);
    astar_grid_release(fuzz->grid);
    REQUIRE(blocks_held == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Fuzz fuzz;
    begin(&fuzz, data, size);
    for (int i = 0; i < MOST_ACTIONS && fuzz.input.at < fuzz.input.end; i++)
        act(&fuzz);
    end(&fuzz);
    return 0;
}
