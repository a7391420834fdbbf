// canonical.c -- which steps the canonical order leaves out, and that no best cost is lost by it.
//
// By brute force over all neighbourhoods of 3 x 3: a step from x, come to from p, is left out
// exactly where there is another way from p to the same cell, past x and by at most two steps over
// cells that cost what x does, that costs less, or as much and is preferred: it enters the cell
// straight, and the step diagonally; with diagonals "never" horizontally, and the step vertically.
// (And wherever the cell is p itself, or one straight step from p.) Then a search that follows no
// other steps, whatever parents it chooses among equals, against one that follows all: on all
// maps of 3 x 3 cells of two costs and obstacles, and on random ones of 5 x 5.

#include "support.h"

#include "finder/finder.h"
#include "rules/canonical.h"

#include <string.h>

enum { MIDDLE = 4, STRAIGHT = 100, RANDOM_MAPS = ALL_OR_FEW(30000, 5000) };

static const int diagonal_costs[] = {100, 140, 150, 199, 200}; // in hundredths
enum { COSTS = sizeof diagonal_costs / sizeof *diagonal_costs };

static AstarDiagonals rule;
static int diagonal; // cost of a step

static int length_of(int direction)
{
    return direction & 1 ? diagonal : STRAIGHT;
}

static void work_out(bool exact, AstarArrival arrivals[ASTAR_ARRIVALS])
{
    astar_canonical_work_out(&astar_corner_rules[rule], diagonal / 100.0, exact, arrivals);
}

// ---- a map of a few cells, by the rules ----

typedef struct Map {
    int side;
    int cost[25]; // 0: cannot be entered
} Map;

static bool is_free(const Map *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < map->side && y < map->side && map->cost[y * map->side + x] > 0;
}

static bool is_legal(const Map *map, int x, int y, int d)
{
    if (!is_free(map, x + astar_dx[d], y + astar_dy[d]))
        return false;
    if ((d & 1) == 0)
        return true;
    int beside = is_free(map, x + astar_dx[d], y) + is_free(map, x, y + astar_dy[d]);
    switch (rule) {
    case ASTAR_ALWAYS: return true;
    case ASTAR_IF_AT_MOST_ONE_OBSTACLE: return beside >= 1;
    case ASTAR_ONLY_WHEN_NO_OBSTACLES: return beside == 2;
    default: return false;
    }
}

static int step_to(const Map *map, int cell, int d)
{
    return cell + astar_dy[d] * map->side + astar_dx[d];
}

static bool has_step(const Map *map, int cell, int d)
{
    return is_legal(map, cell % map->side, cell / map->side, d);
}

// ---- one step: is it left out? ----

// The way to a cell by its last step 'd', at 'cost', against the step 'by' over the middle.
static bool is_preferred(int cost, int d, int cost_over, int by, bool exact)
{
    if (cost != cost_over || !exact)
        return cost < cost_over;
    return rule == ASTAR_NEVER ? (d & 3) == 2 && (by & 3) == 0 : (d & 1) == 0 && (by & 1) == 1;
}

// Whether a way from p past the middle is preferred to the middle's step 'by'. All lengths are of
// steps, since the cells entered cost the same.
static bool is_needless(const Map *map, int p, int arrival, int by, unsigned same, bool exact)
{
    int n = step_to(map, MIDDLE, by), over = length_of(arrival) + length_of(by);
    if (n == p)
        return true;
    for (int first = 0; first < ASTAR_DIRECTIONS; first++) {
        int q = step_to(map, p, first);
        if (!has_step(map, p, first) || q == MIDDLE)
            continue;
        bool aside = (same >> by & 1) != 0;
        if (q == n &&
            ((first & 1) == 0 || (aside && is_preferred(length_of(first), first, over, by, exact))))
            return true;
        for (int d = 0; d < ASTAR_DIRECTIONS && aside; d++) {
            int x = q % 3 - 1, y = q / 3 - 1, cost = length_of(first) + length_of(d);
            if (q != n && (same >> astar_direction(x, y) & 1) != 0 && has_step(map, q, d) &&
                step_to(map, q, d) == n && is_preferred(cost, d, over, by, exact))
                return true;
        }
    }
    return false;
}

// A neighbourhood of free cells; what they cost is in the set of those that cost the same.
static Map neighbourhood(unsigned free)
{
    Map map = {.side = 3};
    map.cost[MIDDLE] = 1;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        map.cost[step_to(&map, MIDDLE, d)] = (int)(free >> d & 1);
    return map;
}

static bool leaves_out_needless(const AstarArrival *arrival, int by, unsigned free, unsigned same,
                                bool exact)
{
    Map map = neighbourhood(free);
    unsigned legal = astar_legal_moves(&astar_corner_rules[rule], free);
    unsigned left = astar_canonical_left_out(arrival, free, same) | ~(unsigned)arrival->ahead;
    bool right = true;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        right = right && (legal >> d & 1) == has_step(&map, MIDDLE, d);
        if (has_step(&map, MIDDLE, d))
            right = right && (left >> d & 1) == is_needless(&map, step_to(&map, MIDDLE, by ^ 4), by,
                                                            d, same, exact);
    }
    return right;
}

// All free neighbours, and all sets of those that cost the same. The parent may be a start that
// is blocked.
static bool test_arrival(const AstarArrival *arrival, int by, bool exact)
{
    for (unsigned free = 0; free < 256; free++)
        for (unsigned same = free;; same = (same - 1) & free) {
            if (!leaves_out_needless(arrival, by, free, same, exact)) {
                printf("rule %d, diagonals %d, arrival %d, free %02x, same %02x, exact %d\n",
                       (int)rule, diagonal, by, free, same, exact);
                return false;
            }
            if (same == 0)
                break;
        }
    return true;
}

static void test_steps(void)
{
    for (int exact = 0; exact <= 1; exact++) {
        AstarArrival arrivals[ASTAR_ARRIVALS];
        work_out(exact, arrivals);
        for (int d = 0; d < ASTAR_DIRECTIONS; d += rule == ASTAR_NEVER ? 2 : 1)
            CHECK(test_arrival(&arrivals[d], d, exact));
        // A start leaves out nothing, nor the other end of a link.
        for (int i = ASTAR_DIRECTIONS; i < ASTAR_ARRIVALS; i++) {
            CHECK(arrivals[i].ahead == 0xFF);
            CHECK(astar_canonical_left_out(&arrivals[i], 0xFF, 0xFF) == 0);
        }
    }
}

// On open ground the natural neighbours of jump point search are left, and no others.
static void test_open_ground(void)
{
    AstarArrival arrivals[ASTAR_ARRIVALS];
    work_out(true, arrivals);
    for (int d = 0; d < ASTAR_DIRECTIONS; d += rule == ASTAR_NEVER ? 2 : 1) {
        unsigned left = astar_legal_moves(&astar_corner_rules[rule], 0xFF) & arrivals[d].ahead &
                        ~astar_canonical_left_out(&arrivals[d], 0xFF, 0xFF);
        unsigned on = 1u << d, aside = astar_rotate(on, 2) | astar_rotate(on, 6);
        unsigned wings = astar_rotate(on, 1) | astar_rotate(on, 7);
        if (rule == ASTAR_NEVER)
            CHECK(left == ((d & 3) == 2 ? on : on | aside));
        else if (diagonal < 2 * STRAIGHT)
            CHECK(left == ((d & 1) == 0 ? on : on | wings));
    }
}

// ---- searches ----

static uint32_t state = 1;

// Every cell's cost from a start, by Dijkstra over all steps, or over those that are not left out.
typedef struct Search {
    const Map *map;
    const AstarArrival *arrivals; // NULL: over all
    int g[25], from[25];          // -1: not met
    bool closed[25];
} Search;

static unsigned neighbours(const Map *map, int cell, bool same)
{
    unsigned set = 0;
    int x = cell % map->side, y = cell / map->side;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if (is_free(map, x + astar_dx[d], y + astar_dy[d]))
            set |= (unsigned)(!same || map->cost[step_to(map, cell, d)] == map->cost[cell]) << d;
    return set;
}

// The open cell to expand next: any of the cheapest.
static int choose(const Search *search)
{
    int best = -1, cells = search->map->side * search->map->side, equals = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (search->g[cell] < 0 || search->closed[cell])
            continue;
        if (best < 0 || search->g[cell] < search->g[best])
            equals = 0;
        if (best < 0 || search->g[cell] < search->g[best] ||
            (search->g[cell] == search->g[best] && random_below(&state, ++equals + 1) == 0))
            best = cell;
    }
    return best;
}

static void expand(Search *search, int cell)
{
    const Map *map = search->map;
    unsigned wanted = 0xFF;
    if (search->arrivals != NULL) {
        const AstarArrival *arrival = &search->arrivals[search->from[cell]];
        wanted = arrival->ahead & ~astar_canonical_left_out(arrival, neighbours(map, cell, false),
                                                            neighbours(map, cell, true));
    }
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        if ((wanted >> d & 1) == 0 || !has_step(map, cell, d))
            continue;
        int next = step_to(map, cell, d), *g = &search->g[next];
        int way = search->g[cell] + length_of(d) * map->cost[next];
        if (*g < 0 || way < *g || (way == *g && random_below(&state, 2) == 0)) {
            *g = way;
            search->from[next] = d;
        }
    }
}

static Search search_from(const Map *map, int start, const AstarArrival *arrivals)
{
    Search search = {.map = map, .arrivals = arrivals};
    memset(search.g, -1, sizeof search.g);
    search.g[start] = 0;
    search.from[start] = ASTAR_DIRECTIONS;
    for (int cell = start; cell >= 0; cell = choose(&search)) {
        search.closed[cell] = true;
        expand(&search, cell);
    }
    return search;
}

static bool keeps_costs(const Map *map, int start)
{
    AstarArrival arrivals[ASTAR_ARRIVALS];
    work_out(random_below(&state, 4) > 0, arrivals);
    Search all = search_from(map, start, NULL), some = search_from(map, start, arrivals);
    return memcmp(all.g, some.g, sizeof all.g) == 0;
}

static void print_map(const Map *map, int start)
{
    printf("rule %d, diagonals %d, from cell %d of\n", (int)rule, diagonal, start);
    for (int cell = 0; cell < map->side * map->side; cell++)
        printf("%d%s", map->cost[cell], (cell + 1) % map->side == 0 ? "\n" : " ");
}

static void test_search(const Map *map, int start)
{
    bool same = keeps_costs(map, start);
    if (!same)
        print_map(map, start);
    CHECK(same);
}

// One of the costs a cell may have: the dear one is once more, once less than a corner saves.
static const int costly_costs[] = {2, 3};

// All maps of 3 x 3, by every rule, from each cell.
static void test_small_maps(void)
{
    for (int number = 0; number < 19683; number++) {
        Map map = {.side = 3};
        int costly = costly_costs[random_below(&state, 2)];
        for (int cell = 0, rest = number; cell < 9; cell++, rest /= 3)
            map.cost[cell] = rest % 3 == 2 ? costly : rest % 3;
        for (rule = ASTAR_ALWAYS; rule < ASTAR_DIAGONALS_COUNT; rule++) {
            diagonal = diagonal_costs[random_below(&state, COSTS)];
            for (int start = 0; start < 9; start++)
                if (map.cost[start] > 0)
                    test_search(&map, start);
        }
    }
}

static void test_random_maps(void)
{
    for (int i = 0; i < RANDOM_MAPS; i++) {
        Map map = {.side = 5};
        int walls = random_below(&state, 40), dears = random_below(&state, 60);
        for (int cell = 0; cell < 25; cell++)
            map.cost[cell] = random_below(&state, 100) < walls   ? 0
                             : random_below(&state, 100) < dears ? 2 + random_below(&state, 3)
                                                                 : 1;
        rule = (AstarDiagonals)random_below(&state, ASTAR_DIAGONALS_COUNT);
        diagonal = diagonal_costs[random_below(&state, COSTS)];
        test_search(&map, random_below(&state, 25));
    }
}

// ---- which cells cost the same ----

// The neighbours that have a cell's ground, read from a grid with an edge.
static void test_same(void)
{
    enum { SIDE = 5, GROUNDS = 4 };
    AstarGrid *grid;
    AstarFinder *finder;
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    for (int i = 1, terrain; i < GROUNDS; i++)
        CHECK(astar_grid_add_terrain(grid, i + 1, &terrain) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    for (int i = 0; i < 300; i++) {
        Map map = {.side = SIDE};
        for (int cell = 0; cell < SIDE * SIDE; cell++) {
            map.cost[cell] = 1 + random_below(&state, i % 3 == 0 ? GROUNDS : 2);
            astar_grid_fill(grid, cell % SIDE, cell / SIDE, 1, 1, map.cost[cell] - 1);
        }
        CHECK(astar_finder_update(finder) == ASTAR_OK);
        for (int cell = 0; cell < SIDE * SIDE; cell++) {
            unsigned free = neighbours(&map, cell, false), same = neighbours(&map, cell, true);
            unsigned some = free & (unsigned)random_below(&state, 256);
            const uint8_t *ground = finder->on.ground;
            CHECK(astar_canonical_same(ground, grid, (uint32_t)cell, free) == same);
            CHECK(astar_canonical_same(ground, grid, (uint32_t)cell, some) == (same & some));
        }
    }
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    for (rule = ASTAR_ALWAYS; rule < ASTAR_DIAGONALS_COUNT; rule++)
        for (int i = 0; i < COSTS; i++) {
            if (astar_corner_rules[rule].corners == ASTAR_CORNERS_OTHER)
                continue; // pruning assumes nothing of it, so not all that is needless is left out
            diagonal = diagonal_costs[i];
            test_steps();
            test_open_ground();
        }
    test_small_maps();
    test_random_maps();
    test_same();
    return report();
}
