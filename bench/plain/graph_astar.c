// graph_astar.c -- compares astar_graph_find_path with an A* over a graph of forty lines, as a
// programmer writes it.
//
//     make bench-plain
//
// The plain search has its arcs in three arrays (first arc of each node, target and cost of each
// arc), single precision and a binary heap. Its graph cannot be edited. A row is a kind of graph
// and of query: the time of the plain search divided by the time of the library, above 1 if the
// library is faster. The queries "far" have random ends, the queries "near" have goals within eight
// arcs. Both programs answer the same queries alternately in one thread, and the shortest time of
// several passes counts. If the two programs find paths of different cost, the exit code is 1.
//
// The column "moves" has four values. "A*" is a graph with positions of its nodes, and "Dijkstra"
// is a graph without positions. "cost" is a graph with positions and a cost function, which the
// search calls for each arc. "estimate" is a graph with an estimate function, which the search
// calls for each node.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "astar.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- the plain search ----

enum { MOST_NODES = 100000, MOST_ARCS = 16 * MOST_NODES };

typedef struct Node {
    float g;
    uint32_t from, query; // 'query' is the query that wrote the node last
} Node;

typedef struct Entry {
    float f;
    uint32_t node;
} Entry;

static uint32_t first[MOST_NODES + 1], to[MOST_ARCS], path[MOST_NODES], query;
static float cost[MOST_ARCS], xs[MOST_NODES], ys[MOST_NODES], scale;
static Node nodes[MOST_NODES];
static bool closed[MOST_NODES];
static Entry heap[MOST_ARCS];
static size_t heap_count;
static AstarEdgeCost cost_function;   // NULL: the cost of the arc
static AstarNodeEstimate estimate_of; // NULL: the distance, times 'scale'

static void push(float f, uint32_t node)
{
    size_t at = heap_count++;
    for (; at > 0 && heap[(at - 1) / 2].f > f; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = (Entry){f, node};
}

static uint32_t pop(void)
{
    uint32_t top = heap[0].node;
    Entry last = heap[--heap_count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < heap_count) {
        child += child + 1 < heap_count && heap[child + 1].f < heap[child].f;
        if (heap[child].f >= last.f)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

static float estimate(uint32_t node, uint32_t goal)
{
    if (estimate_of != NULL)
        return (float)estimate_of(NULL, node, goal);
    float dx = xs[node] - xs[goal], dy = ys[node] - ys[goal];
    return scale > 0 ? scale * sqrtf(dx * dx + dy * dy) : 0;
}

// Returns the cost of the best path, or INFINITY if there is none. Stores the path in 'path'.
static float find(uint32_t start, uint32_t goal)
{
    heap_count = 0;
    query++;
    nodes[start] = (Node){0, start, query};
    closed[start] = false;
    push(0, start);
    while (heap_count > 0) {
        uint32_t node = pop();
        if (closed[node])
            continue;
        closed[node] = true;
        if (node == goal) {
            size_t count = 0;
            for (; node != start; node = nodes[node].from)
                path[count++] = node;
            path[count] = start;
            return nodes[goal].g;
        }
        for (uint32_t i = first[node]; i < first[node + 1]; i++) {
            uint32_t next = to[i];
            double step = cost[i];
            if (cost_function != NULL)
                step = cost_function(NULL, node, next, 0, step);
            float g = nodes[node].g + (float)step;
            if (nodes[next].query == query && nodes[next].g <= g)
                continue;
            nodes[next] = (Node){g, node, query};
            closed[next] = false;
            push(g + estimate(next, goal), next);
        }
    }
    return INFINITY;
}

// ---- the graphs ----

typedef enum Kind { ROADS, GRID, SCATTERED } Kind;
static const char *const kind_names[] = {"roads", "grid", "scattered"};

static uint32_t state = 1, node_count;

static uint32_t below(uint32_t count)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * count >> 32);
}

static float fraction(void)
{
    return (float)below(1 << 24) / (1 << 24);
}

typedef struct Arc {
    uint32_t from, to;
    float cost;
} Arc;

static Arc arcs[MOST_ARCS];
static uint32_t arc_count;

static void join(uint32_t a, uint32_t b, float factor)
{
    float dx = xs[a] - xs[b], dy = ys[a] - ys[b];
    float length = factor * sqrtf(dx * dx + dy * dy);
    if (arc_count + 2 > MOST_ARCS)
        exit(2);
    arcs[arc_count++] = (Arc){a, b, length};
    arcs[arc_count++] = (Arc){b, a, length};
}

// Makes the arcs of a graph. Roads are crossings in a bent grid of which a quarter of the streets
// are missing, and some streets are slow. A scattered graph joins random points that are near.
static void make_arcs(Kind kind, uint32_t wanted)
{
    uint32_t side = (uint32_t)sqrt((double)wanted);
    node_count = side * side;
    arc_count = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        float bend = kind == GRID ? 0 : kind == ROADS ? 0.35f : 1;
        xs[i] = (float)(i % side) + bend * (2 * fraction() - 1);
        ys[i] = (float)(i / side) + bend * (2 * fraction() - 1);
    }
    for (uint32_t i = 0; i < node_count && kind != SCATTERED; i++) {
        bool is_last = i % side + 1 == side, is_lowest = i / side + 1 == side;
        bool all = kind == GRID;
        if (!is_last && (all || below(4) > 0))
            join(i, i + 1, all ? 1 : 1 + (float)below(3) * 0.5f);
        if (!is_lowest && (all || below(4) > 0))
            join(i, i + side, all ? 1 : 1 + (float)below(3) * 0.5f);
        if (all && !is_last && !is_lowest)
            join(i, i + side + 1, 1);
        if (all && i % side > 0 && !is_lowest)
            join(i, i + side - 1, 1);
    }
    for (uint32_t i = 0; i < node_count && kind == SCATTERED; i++)
        for (uint32_t dy = 0; dy <= 3; dy++) // a point is at most one cell from its place
            for (int dx = dy == 0 ? 1 : -3; dx <= 3; dx++) {
                int x = (int)(i % side) + dx;
                uint32_t y = i / side + dy, other = y * side + (uint32_t)x;
                if (x < 0 || x >= (int)side || y >= side)
                    continue;
                float ex = xs[i] - xs[other], ey = ys[i] - ys[other];
                if (ex * ex + ey * ey < 2)
                    join(i, other, 1);
            }
}

// Makes the arrays of the plain search from the list of arcs.
static void make_plain(void)
{
    memset(first, 0, sizeof first);
    for (uint32_t i = 0; i < arc_count; i++)
        first[arcs[i].from + 1]++;
    for (uint32_t i = 0; i < node_count; i++)
        first[i + 1] += first[i];
    static uint32_t next[MOST_NODES];
    memcpy(next, first, sizeof next);
    for (uint32_t i = 0; i < arc_count; i++) {
        uint32_t at = next[arcs[i].from]++;
        to[at] = arcs[i].to;
        cost[at] = arcs[i].cost;
    }
}

static void check(AstarStatus status)
{
    if (status != ASTAR_OK) {
        fprintf(stderr, "astar: status %d\n", (int)status);
        exit(2);
    }
}

static AstarGraph *make_graph(bool has_positions)
{
    AstarGraph *graph;
    check(astar_graph_new(NULL, &graph));
    for (uint32_t i = 0, node; i < node_count; i++) {
        AstarName key = {.kind = ASTAR_NAME_NUMBER, .number = i};
        double x = has_positions ? xs[i] : (double)NAN, y = has_positions ? ys[i] : (double)NAN;
        check(astar_graph_put(graph, &key, x, y, &node));
    }
    for (uint32_t i = 0; i < arc_count; i += 2)
        check(astar_graph_connect(graph, arcs[i].from, arcs[i].to, (double)arcs[i].cost, 0, false));
    return graph;
}

// ---- the measurement ----

typedef struct Query {
    uint32_t start, goal;
} Query;

typedef enum Moves { BY_POSITION, WITHOUT, BY_COST, BY_ESTIMATE } Moves;
static const char *const moves_names[] = {"A*", "Dijkstra", "cost", "estimate"};

enum { PASSES = 7, MOST_QUERIES = 100 };

// Doubles the cost of every eighth arc, by its nodes.
static double uneven_cost(void *context, uint32_t a, uint32_t b, uint32_t label, double usual)
{
    (void)context;
    (void)label;
    return (a + b) % 8 == 0 ? 2 * usual : usual;
}

static double distance(void *context, uint32_t node, uint32_t goal)
{
    (void)context;
    float dx = xs[node] - xs[goal], dy = ys[node] - ys[goal];
    return (double)sqrtf(dx * dx + dy * dy) * 0.99999;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Answers all queries, 'times' times, by the plain search or by the library, and returns the time
// of one run over the queries.
static double answer_all(const Query *queries, int count, int times, AstarGraph *graph,
                         const AstarGraphOptions *options, AstarGraphPath *found)
{
    double begin = seconds();
    for (int i = 0; i < times * count; i++) {
        const Query *q = &queries[i % count];
        if (graph != NULL)
            check(astar_graph_find_path(graph, options, q->start, q->goal, NULL, found));
        else
            find(q->start, q->goal);
    }
    return (seconds() - begin) / times;
}

// Returns a goal for a start: any node, or the end of a walk over eight arcs. Each arc of the walk
// is the one of two random arcs that leads farther from the start.
static uint32_t pick_goal(uint32_t start, bool is_near)
{
    if (!is_near)
        return below(node_count);
    uint32_t node = start;
    for (int i = 0; i < 8 && first[node] < first[node + 1]; i++) {
        uint32_t a = to[first[node] + below(first[node + 1] - first[node])];
        uint32_t b = to[first[node] + below(first[node + 1] - first[node])];
        float ax = xs[a] - xs[start], ay = ys[a] - ys[start];
        float bx = xs[b] - xs[start], by = ys[b] - ys[start];
        node = ax * ax + ay * ay > bx * bx + by * by ? a : b;
    }
    return node;
}

// Measures a row and prints it. Returns the ratio, or 0 after a wrong cost.
static double measure(AstarGraph *graph, Kind kind, Moves moves, bool is_near)
{
    static Query queries[MOST_QUERIES];
    AstarGraphOptions options = astar_graph_options_default();
    AstarGraphPath found;
    astar_graph_path_init(&found);
    cost_function = options.cost = moves == BY_COST ? uneven_cost : NULL;
    estimate_of = options.estimate = moves == BY_ESTIMATE ? distance : NULL;
    scale = moves == WITHOUT ? 0 : 0.99999f;
    bool is_wrong = false;
    int count = 0, wanted = is_near ? MOST_QUERIES : node_count > 20000 ? 10 : 40;
    for (int tries = 0; count < wanted && tries < 10000; tries++) {
        Query q = {below(node_count), 0};
        q.goal = pick_goal(q.start, is_near);
        float plain = find(q.start, q.goal);
        AstarStatus status = astar_graph_find_path(graph, &options, q.start, q.goal, NULL, &found);
        is_wrong |= (status == ASTAR_OK) != isfinite(plain);
        if (status != ASTAR_OK || q.start == q.goal)
            continue;
        is_wrong |= fabs(found.cost - (double)plain) > 1e-4 * (double)plain;
        queries[count++] = q;
    }
    double least[2] = {INFINITY, INFINITY};
    int times[2] = {1, 1};
    for (int k = 0; k < 2; k++)
        while (answer_all(queries, count, times[k], k ? graph : NULL, &options, &found) * times[k] <
                   0.004 &&
               times[k] < 4096)
            times[k] *= 2;
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = 0; k < 2; k++) {
            double took = answer_all(queries, count, times[k], k ? graph : NULL, &options, &found);
            least[k] = took < least[k] ? took : least[k];
        }
    printf("%-10s %7u %6.1f %9s %6s %10.2f %10.2f %8.2f%s\n", kind_names[kind],
           (unsigned)node_count, (double)arc_count / node_count, moves_names[moves],
           is_near ? "near" : "far", least[0] / count * 1e6, least[1] / count * 1e6,
           least[0] / least[1], is_wrong ? "  WRONG COST" : "");
    fflush(stdout);
    astar_graph_path_destroy(&found);
    return is_wrong ? 0 : least[0] / least[1];
}

int main(int argc, char **argv)
{
    double logarithms = 0, worst = INFINITY;
    int rows = 0, wrong = 0;
    uint32_t only = argc > 1 ? (uint32_t)atoi(argv[1]) : 0; // the only size of graphs to measure
    printf("%-10s %7s %6s %9s %6s %10s %10s %8s\n", "graph", "nodes", "arcs", "moves", "goals",
           "plain, us", "astar, us", "ratio");
    for (uint32_t wanted = 1000; wanted <= MOST_NODES; wanted *= 10)
        for (int kind = ROADS; kind <= SCATTERED && (only == 0 || only == wanted); kind++) {
            make_arcs((Kind)kind, wanted);
            make_plain();
            for (int moves = BY_POSITION; moves <= BY_ESTIMATE; moves++) {
                AstarGraph *graph = make_graph(moves != WITHOUT);
                for (int is_near = 0; is_near < 2; is_near++) {
                    double ratio = measure(graph, (Kind)kind, (Moves)moves, is_near == 1);
                    wrong += ratio == 0;
                    logarithms += ratio > 0 ? log(ratio) : 0;
                    worst = ratio < worst ? ratio : worst;
                    rows++;
                }
                astar_graph_release(graph);
            }
        }
    printf("geometric mean %.2f, least %.2f, of %d rows\n", exp(logarithms / rows), worst, rows);
    return wrong > 0;
}
