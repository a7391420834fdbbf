// bucket_astar.c -- compares astar_find_path with an A* of forty lines, as a programmer writes it.
//
//     make bench-plain
//
// The plain search has costs as small whole numbers, an array of stacks by f, and a node of twelve
// bytes for each cell of the map. It has one kind of cost table, one heuristic and no other
// feature. The library should be faster although it has many more features. A row is a kind of
// ground: the time of the plain search divided by the time of the library, above 1 if the library
// is faster. Both programs answer the same queries alternately in one thread, and the shortest time
// of several passes counts. If the two programs find routes of different cost, the exit code is 1.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "astar.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- the plain search ----

enum { STRAIGHT = 5, DIAGONAL = 7, MOST_BUCKETS = 1 << 14, MOST_SIDE = 512 };

typedef struct Node {
    uint32_t g, query; // 'query' is the query that wrote the node last
    uint8_t from, closed;
} Node;

typedef struct Stack {
    uint32_t *cells, count, capacity;
} Stack;

static int width, height;                                // size of the map with a border of walls
static uint16_t cost[(MOST_SIDE + 2) * (MOST_SIDE + 2)]; // 0: a wall
static Node nodes[(MOST_SIDE + 2) * (MOST_SIDE + 2)];
static Stack open[MOST_BUCKETS];
static uint32_t query, buckets, least_cost;
static bool has_diagonals;

static void push(uint32_t f, uint32_t cell)
{
    Stack *stack = &open[f & (buckets - 1)];
    if (stack->count == stack->capacity) {
        stack->capacity = stack->capacity * 2 + 16;
        stack->cells = realloc(stack->cells, stack->capacity * sizeof *stack->cells);
        if (stack->cells == NULL)
            abort();
    }
    stack->cells[stack->count++] = cell;
}

static uint32_t estimate(uint32_t cell, int goal_x, int goal_y)
{
    int dx = abs((int)(cell % (uint32_t)width) - goal_x);
    int dy = abs((int)(cell / (uint32_t)width) - goal_y);
    int least = dx < dy ? dx : dy, most = dx < dy ? dy : dx;
    return least_cost * (uint32_t)(has_diagonals ? STRAIGHT * most + (DIAGONAL - STRAIGHT) * least
                                                 : STRAIGHT * (dx + dy));
}

// Returns the cost of the best path in fifths, or UINT32_MAX if there is no path.
static uint32_t find(uint32_t start, int goal_x, int goal_y)
{
    const int w = width, step[8] = {-w, 1, w, -1, 1 - w, 1 + w, w - 1, -1 - w};
    const int beside[8][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {2, 1}, {2, 3}, {0, 3}};
    const uint32_t goal = (uint32_t)(goal_y * w + goal_x);
    uint32_t f = estimate(start, goal_x, goal_y), waiting = 1;
    for (uint32_t i = 0; i < buckets; i++)
        open[i].count = 0;
    query++;
    nodes[start] = (Node){0, query, 0, 0};
    push(f, start);
    for (; waiting > 0; f++) {
        Stack *stack = &open[f & (buckets - 1)];
        while (stack->count > 0) {
            uint32_t cell = stack->cells[--stack->count];
            Node *node = &nodes[cell];
            waiting--;
            if (node->closed)
                continue;
            node->closed = 1;
            if (cell == goal)
                return node->g;
            for (int d = 0; d < (has_diagonals ? 8 : 4); d++) {
                uint32_t to = cell + (uint32_t)step[d];
                if (cost[to] == 0 || cost[cell + (uint32_t)step[beside[d][0]]] == 0 ||
                    cost[cell + (uint32_t)step[beside[d][1]]] == 0)
                    continue;
                uint32_t g = node->g + (d < 4 ? STRAIGHT : DIAGONAL) * (uint32_t)cost[to];
                Node *next = &nodes[to];
                if (next->query == query && (next->closed || next->g <= g))
                    continue;
                *next = (Node){g, query, (uint8_t)d, 0};
                push(g + estimate(to, goal_x, goal_y), to);
                waiting++;
            }
        }
    }
    return UINT32_MAX;
}

// ---- the maps ----

typedef struct Ground {
    const char *name;
    int costs[10], count; // costs of the terrains, and their number
    int patch;            // size of patches of one terrain; 0: each cell has its own terrain
    int blocked;          // percentage of blocked cells
} Ground;

static const Ground grounds[] = {
    {"noise of 1 to 9", {1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 0, 0},
    {"noise of 1 to 9, 20 % blocked", {1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 0, 20},
    {"noise of 1 and 2", {1, 2}, 2, 0, 0},
    {"noise of 1 and 50", {1, 50}, 2, 0, 0},
    {"patches of 1, 2, 4, 8", {1, 2, 4, 8}, 4, 20, 0},
    {"patches of 1 and 100", {1, 100}, 2, 20, 0},
    {"one cost, 10 % blocked", {1}, 1, 0, 10},
    {"one cost, 35 % blocked", {1}, 1, 0, 35},
    {"one cost, open", {1}, 1, 0, 0},
};

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

// Makes the map for the library and for the plain search. The grid's terrains are those of the
// ground, then the wall.
static AstarGrid *make_map(const Ground *ground, int side)
{
    static uint8_t terrains[MOST_SIDE * MOST_SIDE];
    int number[10] = {0}, wall;
    AstarGrid *grid;
    check(astar_grid_new(NULL, side, side, &grid));
    check(astar_grid_set_cost(grid, 0, ground->costs[0]));
    for (int i = 1; i < ground->count; i++)
        check(astar_grid_add_terrain(grid, ground->costs[i], &number[i]));
    check(astar_grid_add_terrain(grid, INFINITY, &wall));
    uint8_t kinds[MOST_SIDE * MOST_SIDE] = {0};
    for (int i = 0; i < side * side && ground->patch == 0; i++)
        kinds[i] = (uint8_t)below(ground->count);
    for (int i = 0; ground->patch > 0 && i < 2 * side * side / (ground->patch * ground->patch);
         i++) {
        int kind = below(ground->count), x0 = below(side), y0 = below(side);
        int reach = ground->patch / 4 + below(ground->patch / 2);
        for (int y = y0 - reach; y < y0 + reach; y++)
            for (int x = x0 - reach; x < x0 + reach; x++)
                if (x >= 0 && y >= 0 && x < side && y < side)
                    kinds[y * side + x] = (uint8_t)kind;
    }
    width = height = side + 2;
    memset(cost, 0, sizeof cost);
    memset(nodes, 0, sizeof nodes);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            bool is_blocked = below(100) < ground->blocked;
            int kind = kinds[y * side + x];
            terrains[y * side + x] = (uint8_t)(is_blocked ? wall : number[kind]);
            cost[(y + 1) * width + x + 1] = is_blocked ? 0 : (uint16_t)ground->costs[kind];
        }
    check(astar_grid_set_cells(grid, 0, 0, side, side, terrains));
    return grid;
}

// ---- the measurement ----

typedef struct Query {
    int sx, sy, gx, gy;
} Query;

enum { PASSES = 5, MOST_QUERIES = 150 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Answers all queries, 'times' times, by the plain search or by the library, and returns the time
// of one run over the queries.
static double answer_all(const Query *queries, int count, int times, AstarFinder *finder,
                         AstarWorkspace *workspace, AstarPath *path)
{
    double begin = seconds();
    for (int i = 0; i < times * count; i++) {
        const Query *q = &queries[i % count];
        if (finder != NULL)
            astar_find_path(workspace, finder, q->sx, q->sy, q->gx, q->gy, NULL, NULL, path);
        else
            find((uint32_t)((q->sy + 1) * width + q->sx + 1), q->gx + 1, q->gy + 1);
    }
    return (seconds() - begin) / times;
}

// Measures a row and prints it. Returns the ratio, or 0 after a wrong cost.
static double measure(const Ground *ground, int side, int reach)
{
    static Query queries[MOST_QUERIES];
    AstarGrid *grid = make_map(ground, side);
    AstarOptions options = astar_options_default();
    options.diagonals = has_diagonals ? ASTAR_ONLY_WHEN_NO_OBSTACLES : ASTAR_NEVER;
    options.diagonal_cost = (double)DIAGONAL / STRAIGHT;
    AstarFinder *finder;
    AstarWorkspace *workspace;
    AstarPath path;
    check(astar_finder_new(grid, &options, &finder));
    check(astar_workspace_new(NULL, &workspace));
    astar_path_init(&path);
    int costliest = 0;
    least_cost = UINT32_MAX;
    for (int i = 0; i < ground->count; i++) {
        costliest = ground->costs[i] > costliest ? ground->costs[i] : costliest;
        least_cost = (uint32_t)ground->costs[i] < least_cost ? (uint32_t)ground->costs[i]
                                                             : least_cost;
    }
    for (buckets = 1; buckets <= (uint32_t)(2 * DIAGONAL * costliest); buckets *= 2)
        ;
    bool is_wrong = false;
    int count = 0, wanted = reach > 0 ? MOST_QUERIES : 20;
    for (int tries = 0; count < wanted && tries < 10000; tries++) {
        Query q = {below(side), below(side), below(side), below(side)};
        if (reach > 0) {
            q.gx = q.sx + below(2 * reach + 1) - reach;
            q.gy = q.sy + below(2 * reach + 1) - reach;
        }
        if (q.gx < 0 || q.gy < 0 || q.gx >= side || q.gy >= side ||
            cost[(q.sy + 1) * width + q.sx + 1] == 0)
            continue;
        if (astar_find_path(workspace, finder, q.sx, q.sy, q.gx, q.gy, NULL, NULL, &path) !=
            ASTAR_OK)
            continue;
        uint32_t plain = find((uint32_t)((q.sy + 1) * width + q.sx + 1), q.gx + 1, q.gy + 1);
        is_wrong |= fabs(path.cost * STRAIGHT - plain) > 1e-9 * plain;
        queries[count++] = q;
    }
    double least[2] = {INFINITY, INFINITY};
    int times[2] = {1, 1};
    for (int k = 0; k < 2; k++)
        while (answer_all(queries, count, times[k], k ? finder : NULL, workspace, &path) *
                       times[k] <
                   0.005 &&
               times[k] < 4096)
            times[k] *= 2;
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = 0; k < 2; k++) {
            double took = answer_all(queries, count, times[k], k ? finder : NULL, workspace, &path);
            least[k] = took < least[k] ? took : least[k];
        }
    printf("%-30s %4d %6s %6s %10.2f %10.2f %8.2f%s\n", ground->name, side,
           has_diagonals ? "eight" : "four", reach > 0 ? "near" : "all", least[0] / count * 1e6,
           least[1] / count * 1e6, least[0] / least[1], is_wrong ? "  WRONG COST" : "");
    fflush(stdout);
    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_grid_release(grid);
    return is_wrong ? 0 : least[0] / least[1];
}

int main(void)
{
    double logarithms = 0, worst = INFINITY;
    int rows = 0, wrong = 0;
    printf("%-30s %4s %6s %6s %10s %10s %8s\n", "ground", "side", "moves", "goals", "plain, us",
           "astar, us", "ratio");
    for (int side = 128; side <= MOST_SIDE; side *= 4)
        for (int moves = 0; moves < 2; moves++)
            for (int reach = 0; reach <= 20; reach += 20)
                for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
                    has_diagonals = moves == 1;
                    double ratio = measure(&grounds[i], side, reach);
                    wrong += ratio == 0;
                    logarithms += ratio > 0 ? log(ratio) : 0;
                    worst = ratio < worst ? ratio : worst;
                    rows++;
                }
    printf("geometric mean %.2f, least %.2f, of %d rows\n", exp(logarithms / rows), worst, rows);
    return wrong > 0;
}
