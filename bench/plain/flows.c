// flows.c -- compares a complete flow of the library with breadth-first search and Dial's
// algorithm, as a programmer writes them in thirty lines.
//
//     make bench-plain
//
// The plain programs have costs as small whole numbers and arrays that they keep from one run to
// the next. A row is a kind of ground: the time of the faster plain program divided by the time of
// the library, above 1 if the library is faster. The last two columns are a flow that keeps steps
// only, and the first query after a block beside the goal. The programs alternate in one thread,
// and the least of several passes counts. A wrong distance makes the exit code 1.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "astar.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- the plain programs ----

enum { STRAIGHT = 5, DIAGONAL = 7, MOST_COST = 20, BUCKETS = 256, MOST_SIDE = 1024 };

typedef struct Bucket {
    uint32_t *cells, count, capacity;
} Bucket;

static uint32_t width;                                       // map with its border of walls
static uint8_t cost[(MOST_SIDE + 2) * (MOST_SIDE + 2)];      // 0: a wall
static uint32_t distance[(MOST_SIDE + 2) * (MOST_SIDE + 2)]; // in fifths
static uint32_t queue[MOST_SIDE * MOST_SIDE];
static Bucket buckets[BUCKETS];

static void push(uint32_t at, uint32_t cell)
{
    Bucket *bucket = &buckets[at % BUCKETS];
    if (bucket->count == bucket->capacity) {
        bucket->capacity = bucket->capacity * 2 + 16;
        bucket->cells = realloc(bucket->cells, bucket->capacity * sizeof *bucket->cells);
        if (bucket->cells == NULL)
            abort();
    }
    bucket->cells[bucket->count++] = cell;
}

static void clear_distances(uint32_t goal)
{
    memset(distance, 255, (size_t)width * width * sizeof *distance);
    distance[goal] = 0;
}

// Computes the distances of all cells to 'goal' on ground of cost 1 without diagonal steps. Returns
// the number of cells.
static uint32_t breadth_first(uint32_t goal)
{
    const uint32_t step[4] = {-width, 1, width, UINT32_MAX};
    uint32_t first = 0, end = 0;
    clear_distances(goal);
    for (queue[end++] = goal; first < end; first++) {
        uint32_t cell = queue[first];
        for (int d = 0; d < 4; d++) {
            uint32_t to = cell + step[d];
            if (cost[to] == 0 || distance[to] != UINT32_MAX)
                continue;
            distance[to] = distance[cell] + STRAIGHT;
            queue[end++] = to;
        }
    }
    return end;
}

// Offers a distance to a cell. Returns 1 if the cell is opened, else 0.
static inline uint32_t offer(uint32_t to, uint32_t way)
{
    if (way >= distance[to])
        return 0;
    distance[to] = way;
    push(way, to);
    return 1;
}

// Computes the distances of all cells to 'goal'. Returns the number of cells.
static uint32_t dial(uint32_t goal, bool has_diagonals)
{
    const uint32_t w = width, straight[4] = {-w, 1, w, UINT32_MAX};
    const uint32_t diagonal[4] = {1 - w, w + 1, w - 1, UINT32_MAX - w};
    uint32_t count = 0, waiting = 1;
    clear_distances(goal);
    push(0, goal);
    for (uint32_t now = 0; waiting > 0; now++) {
        Bucket *bucket = &buckets[now % BUCKETS];
        for (uint32_t i = 0; i < bucket->count; i++, waiting--) {
            uint32_t cell = bucket->cells[i], here = cost[cell];
            bool is_free[4];
            if (distance[cell] != now)
                continue;
            count++;
            for (int d = 0; d < 4; d++) {
                uint32_t to = cell + straight[d];
                is_free[d] = cost[to] != 0;
                if (is_free[d])
                    waiting += offer(to, now + here * STRAIGHT);
            }
            for (int d = 0; has_diagonals && d < 4; d++)
                if (is_free[d] && is_free[(d + 1) % 4] && cost[cell + diagonal[d]] != 0)
                    waiting += offer(cell + diagonal[d], now + here * DIAGONAL);
        }
        bucket->count = 0;
    }
    return count;
}

// ---- the maps ----

typedef struct Ground {
    const char *name;
    int costs;   // the terrains cost 1 to this number
    int patch;   // size of patches of one terrain; 0: each cell has its own terrain
    int blocked; // percentage of blocked cells
} Ground;

static const Ground grounds[] = {{"one cost, open", 1, 0, 0},
                                 {"one cost, 20 % blocked", 1, 0, 20},
                                 {"one cost, 35 % blocked", 1, 0, 35},
                                 {"noise of 1 to 4", 4, 0, 0},
                                 {"noise of 1 to 4, 20 % blocked", 4, 0, 20},
                                 {"patches of 1 to 4", 4, 40, 0},
                                 {"noise of 1 to 20", MOST_COST, 0, 0},
                                 {"patches of 1 to 20", MOST_COST, 40, 0}};

static uint32_t state = 1;

static int below(int count)
{
    state = state * 1664525u + 1013904223u;
    return (int)((uint64_t)state * (uint32_t)count >> 32);
}

static void check(AstarStatus status)
{
    if (status != ASTAR_OK) {
        fprintf(stderr, "astar: status %d\n", (int)status);
        exit(2);
    }
}

static void make_costs(const Ground *ground, int side)
{
    width = (uint32_t)side + 2;
    memset(cost, 0, sizeof cost);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            cost[(uint32_t)(y + 1) * width + (uint32_t)x + 1] =
                (uint8_t)(ground->patch > 0 ? 1 : 1 + below(ground->costs));
    for (int i = 0; ground->patch > 0 && i < 2 * side * side / (ground->patch * ground->patch);
         i++) {
        int kind = 1 + below(ground->costs), x0 = below(side), y0 = below(side);
        int reach = ground->patch / 4 + below(ground->patch / 2);
        for (int y = y0 - reach; y < y0 + reach; y++)
            for (int x = x0 - reach; x < x0 + reach; x++)
                if (x >= 0 && y >= 0 && x < side && y < side)
                    cost[(uint32_t)(y + 1) * width + (uint32_t)x + 1] = (uint8_t)kind;
    }
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            if (below(100) < ground->blocked && (x != side / 2 || y != side / 2))
                cost[(uint32_t)(y + 1) * width + (uint32_t)x + 1] = 0;
}

// Makes the map for the library and for the plain programs.
static AstarGrid *make_map(const Ground *ground, int side)
{
    static uint8_t terrains[MOST_SIDE * MOST_SIDE];
    int number[MOST_COST + 1] = {0}, wall;
    AstarGrid *grid;
    make_costs(ground, side);
    check(astar_grid_new(NULL, side, side, &grid));
    for (int i = 2; i <= ground->costs; i++)
        check(astar_grid_add_terrain(grid, i, &number[i]));
    check(astar_grid_add_terrain(grid, INFINITY, &wall));
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            uint8_t here = cost[(uint32_t)(y + 1) * width + (uint32_t)x + 1];
            terrains[y * side + x] = (uint8_t)(here == 0 ? wall : number[here]);
        }
    check(astar_grid_set_cells(grid, 0, 0, side, side, terrains));
    return grid;
}

// ---- the measurement ----

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void keep_least(double *least, double begin)
{
    double took = seconds() - begin;
    *least = took < *least ? took : *least;
}

static AstarFlow *complete_flow(AstarFinder *finder, int side, bool steps_only, double *least)
{
    AstarFlow *flow;
    const AstarFlowGoal goal = {side / 2, side / 2, 0};
    double begin = seconds();
    check(astar_flow_new(finder, &goal, 1, INFINITY, &flow));
    if (steps_only)
        astar_flow_keep_steps_only(flow);
    check(astar_flow_complete(flow, NULL));
    keep_least(least, begin);
    return flow;
}

// Returns true if some distances of the flow differ from the plain ones.
static bool is_wrong(AstarFlow *flow, int side)
{
    for (int i = 0; i < 2000; i++) {
        int x = below(side), y = below(side);
        uint32_t plain = distance[(uint32_t)(y + 1) * width + (uint32_t)x + 1];
        double found;
        bool is_known = astar_flow_distance(flow, x, y, NULL, &found) == ASTAR_OK;
        if (is_known != (plain != UINT32_MAX) ||
            (is_known && fabs(found * STRAIGHT - plain) > 1e-9 * plain))
            return true;
    }
    return false;
}

// Measures a row and prints it. Returns the ratio, or 0 after a wrong distance.
static double measure(const Ground *ground, int side, bool has_diagonals)
{
    enum { PASSES = 5 };
    AstarGrid *grid = make_map(ground, side);
    AstarOptions options = astar_options_default();
    options.diagonals = has_diagonals ? ASTAR_ONLY_WHEN_NO_OBSTACLES : ASTAR_NEVER;
    options.diagonal_cost = (double)DIAGONAL / STRAIGHT;
    AstarFinder *finder;
    check(astar_finder_new(grid, &options, &finder));
    double plain = INFINITY, flow_time = INFINITY, steps_time = INFINITY, repair = INFINITY;
    bool wrong = false;
    uint32_t cells = 0, goal = (uint32_t)(side / 2 + 1) * width + (uint32_t)(side / 2) + 1;
    for (int pass = 0; pass < PASSES; pass++) {
        double begin = seconds();
        cells = dial(goal, has_diagonals);
        keep_least(&plain, begin);
        begin = seconds();
        if (ground->costs == 1 && !has_diagonals) {
            cells = breadth_first(goal);
            keep_least(&plain, begin);
        }
        astar_flow_release(complete_flow(finder, side, true, &steps_time));
        AstarFlow *flow = complete_flow(finder, side, false, &flow_time);
        wrong |= is_wrong(flow, side);
        check(astar_grid_block(grid, side / 2 + 1, side / 2, 1, 1));
        begin = seconds();
        check(astar_flow_update(flow, NULL));
        keep_least(&repair, begin);
        check(astar_grid_unblock(grid, side / 2 + 1, side / 2, 1, 1));
        astar_flow_release(flow);
    }
    const double each = 1e9 / cells;
    printf("%-30s %4d %5s %9.1f %9.1f %6.2f %9.1f %9.1f%s\n", ground->name, side,
           has_diagonals ? "eight" : "four", plain * each, flow_time * each, plain / flow_time,
           steps_time * each, repair * each, wrong ? "  WRONG DISTANCE" : "");
    fflush(stdout);
    astar_finder_release(finder);
    astar_grid_release(grid);
    return wrong ? 0 : plain / flow_time;
}

int main(void)
{
    double logarithms = 0, worst = INFINITY;
    int rows = 0, wrong = 0;
    printf("%-30s %4s %5s %9s %9s %6s %9s %9s\n", "ground (times in ns per cell)", "side", "moves",
           "plain", "flow", "ratio", "steps", "repair");
    for (int side = 256; side <= MOST_SIDE; side *= 4)
        for (int moves = 0; moves < 2; moves++)
            for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
                double ratio = measure(&grounds[i], side, moves == 1);
                wrong += ratio == 0;
                logarithms += ratio > 0 ? log(ratio) : 0;
                worst = ratio < worst ? ratio : worst;
                rows++;
            }
    printf("geometric mean %.2f, least %.2f, of %d rows\n", exp(logarithms / rows), worst, rows);
    return wrong > 0;
}
