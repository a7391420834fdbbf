// graph.c -- graphs by the C API: routes against all shortest distances (Floyd, 1962), a space of
// states, saving; and all of it again with each of its allocations failing.

#include "astar.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 24, EDGES = 60 };

typedef struct Memory {
    long left;   // allocations until one fails; -1: none will
    long blocks; // that are held
} Memory;

static void *take_block(void *context, size_t size)
{
    Memory *memory = context;
    if (memory->left == 0)
        return NULL;
    if (memory->left > 0)
        memory->left--;
    memory->blocks++;
    return calloc(1, size > 0 ? size : 1);
}

static void give_block(void *context, void *block, size_t size)
{
    Memory *memory = context;
    (void)size;
    memory->blocks--;
    free(block);
}

static AstarAllocator allocator_of(Memory *memory)
{
    return (AstarAllocator){take_block, give_block, memory};
}

static AstarName number_name(double number)
{
    return (AstarName){.kind = ASTAR_NAME_NUMBER, .number = number};
}

// ---- routes ----

typedef struct Plain {
    double cost[NODES][NODES];
} Plain;

static void find_all_distances(Plain *plain)
{
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                plain->cost[i][j] = fmin(plain->cost[i][j], plain->cost[i][k] + plain->cost[k][j]);
}

static AstarGraph *new_graph(uint32_t seed, Plain *plain)
{
    AstarGraph *graph;
    CHECK(astar_graph_new(NULL, &graph) == ASTAR_OK);
    for (uint32_t i = 0; i < NODES; i++) {
        AstarName key = number_name(100.0 + i);
        uint32_t node;
        CHECK(astar_graph_put(graph, &key, random_below(&seed, 9), random_below(&seed, 9), &node) ==
              ASTAR_OK);
        CHECK(node == i && astar_graph_find(graph, &key) == i);
        for (int j = 0; j < NODES; j++)
            plain->cost[i][j] = (int)i == j ? 0 : (double)INFINITY;
    }
    for (int i = 0; i < EDGES; i++) {
        int a = random_below(&seed, NODES), b = random_below(&seed, NODES);
        double cost = random_below(&seed, 20);
        bool one_way = random_below(&seed, 3) == 0;
        AstarStatus status = astar_graph_connect(graph, (uint32_t)a, (uint32_t)b, cost, 7, one_way);
        CHECK(status == (a == b ? ASTAR_BAD_OPTION : ASTAR_OK));
        if (a == b)
            continue;
        plain->cost[a][b] = cost;
        if (!one_way)
            plain->cost[b][a] = cost;
    }
    find_all_distances(plain);
    return graph;
}

static void check_route(const AstarGraph *graph, const AstarGraphPath *path)
{
    double sum = 0;
    for (size_t i = 1; i < path->count; i++) {
        AstarEdge edge;
        CHECK(astar_graph_edge(graph, path->nodes[i - 1], path->nodes[i], &edge));
        CHECK(edge.label == 7);
        sum += edge.cost;
    }
    CHECK(sum == path->cost);
}

static void check_routes(AstarGraph *graph, const Plain *plain)
{
    AstarGraphPath path;
    astar_graph_path_init(&path);
    for (uint32_t a = 0; a < NODES; a++)
        for (uint32_t b = 0; b < NODES; b++) {
            AstarStatus status = astar_graph_find_path(graph, NULL, a, b, NULL, &path);
            CHECK(status == (isinf(plain->cost[a][b]) ? ASTAR_UNREACHABLE : ASTAR_OK));
            if (status == ASTAR_OK) {
                CHECK(path.cost == plain->cost[a][b]);
                check_route(graph, &path);
            }
        }
    astar_graph_path_destroy(&path);
}

// How many nodes a search at one go expands, and what it comes to.
static uint64_t expanded_on_the_way(AstarGraph *graph, uint32_t a, uint32_t b, AstarStatus expected)
{
    AstarGraphSearch *search;
    CHECK(astar_graph_search_new(graph, NULL, &search) == ASTAR_OK);
    CHECK(astar_graph_search_to(search, a, b, NULL, NULL) == ASTAR_RUNNING);
    CHECK(astar_graph_search_step(search, UINT64_MAX, NULL) == expected);
    uint64_t expanded = astar_graph_search_expanded(search);
    astar_graph_search_free(search);
    return expanded;
}

// Two rows of nodes: after a question in vain others cost nothing, until an edge joins the rows,
// and again some time after it was blocked.
static void check_hopeless_queries(void)
{
    enum { ROW = 50 };
    AstarGraph *graph;
    uint32_t node;
    CHECK(astar_graph_new(NULL, &graph) == ASTAR_OK);
    for (uint32_t i = 0; i < 2 * ROW; i++) {
        AstarName key = number_name(i);
        CHECK(astar_graph_put(graph, &key, NAN, NAN, &node) == ASTAR_OK && node == i);
        if (i % ROW > 0)
            CHECK(astar_graph_connect(graph, i - 1, i, 1, 0, false) == ASTAR_OK);
    }
    CHECK(expanded_on_the_way(graph, 0, ROW, ASTAR_UNREACHABLE) == ROW);
    CHECK(expanded_on_the_way(graph, ROW, 0, ASTAR_UNREACHABLE) == ROW);
    CHECK(expanded_on_the_way(graph, 3, ROW + 3, ASTAR_UNREACHABLE) == 0);
    CHECK(astar_graph_connect(graph, ROW - 1, ROW, 1, 0, false) == ASTAR_OK);
    CHECK(expanded_on_the_way(graph, 3, ROW + 3, ASTAR_OK) > 0);
    CHECK(astar_graph_block(graph, ROW, true));
    CHECK(expanded_on_the_way(graph, 3, ROW + 3, ASTAR_UNREACHABLE) == ROW);
    CHECK(expanded_on_the_way(graph, 3, ROW + 3, ASTAR_UNREACHABLE) == ROW);
    CHECK(expanded_on_the_way(graph, 3, ROW + 3, ASTAR_UNREACHABLE) == 0);
    CHECK(expanded_on_the_way(graph, ROW, ROW + 3, ASTAR_OK) > 0);
    CHECK(astar_graph_block(graph, ROW, false));
    CHECK(expanded_on_the_way(graph, 3, ROW + 3, ASTAR_OK) > 0);
    astar_graph_release(graph);
}

static void bake(AstarGraph *graph, int landmarks)
{
    AstarGraphBaking *baking;
    size_t bytes;
    CHECK(astar_graph_baking_new(graph, landmarks, &baking) == ASTAR_OK);
    while (astar_graph_baking_step(baking, 3) == ASTAR_RUNNING)
        continue;
    astar_graph_baking_free(baking);
    CHECK(astar_graph_landmarks(graph, &bytes) == landmarks && (bytes > 0) == (landmarks > 0));
}

static AstarName name_label(void *context, uint32_t number)
{
    CHECK(context == NULL);
    return number_name(number - 1);
}

static AstarGraph *copy_graph(const AstarGraph *graph)
{
    static unsigned char bytes[1 << 16];
    AstarSaving saving = {.label_count = 7, .label = name_label};
    size_t length;
    CHECK(astar_graph_save(graph, &saving, bytes, sizeof bytes, &length) == ASTAR_OK);
    CHECK(length <= sizeof bytes);
    AstarGraph *copy;
    AstarNames saved;
    CHECK(astar_graph_load(NULL, bytes, length - 1, &copy, &saved) == ASTAR_BAD_DATA);
    CHECK(astar_graph_load(NULL, bytes, length, &copy, &saved) == ASTAR_OK);
    AstarName name;
    int count = 0;
    while (astar_names_next(&saved, &name))
        CHECK(name.number == count++);
    CHECK(count == 7);
    return copy;
}

static void check_graphs(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        Plain plain;
        AstarGraph *graph = new_graph(seed, &plain);
        check_routes(graph, &plain);
        bake(graph, 3);
        check_routes(graph, &plain);
        AstarGraph *copy = copy_graph(graph);
        check_routes(copy, &plain);
        CHECK(astar_graph_bytes(copy) > 0 && astar_graph_count(copy) == NODES);
        astar_graph_release(copy);
        bake(graph, 0);
        CHECK(astar_graph_remove(graph, 3) && !astar_graph_remove(graph, 3));
        CHECK(astar_graph_block(graph, 4, true) && !astar_graph_block(graph, 3, true));
        AstarWaypoint node;
        CHECK(astar_graph_node(graph, 4, &node) && node.blocked && node.key.number == 104);
        CHECK(!astar_graph_node(graph, 3, &node) && !astar_graph_node(graph, 999, &node));
        CHECK(astar_graph_find_path(graph, NULL, 0, 3, NULL, NULL) == ASTAR_BAD_OPTION);
        CHECK(astar_graph_find_path(graph, NULL, 0, 4, NULL, NULL) == ASTAR_GOAL_BLOCKED);
        astar_graph_release(graph);
    }
}

// ---- states ----

// From a number to twice it and to one more.
static AstarStatus add_numbers(void *context, AstarGraphSearch *search, uint32_t state)
{
    double *numbers = context; // by state
    double next[] = {numbers[state] + 1, numbers[state] * 2};
    for (int i = 0; i < 2; i++) {
        AstarName key = number_name(next[i]);
        uint32_t to;
        bool is_new, is_better;
        AstarStatus status = astar_graph_search_state(search, &key, &to, &is_new);
        if (status == ASTAR_OK && is_new)
            numbers[to] = next[i];
        if (status == ASTAR_OK)
            status = astar_graph_search_reach_state(search, to, 1, context, &is_better);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

static void check_states(void)
{
    static double numbers[100000];
    AstarGraph *graph;
    AstarGraphSearch *search;
    AstarGraphOptions options = astar_graph_options_default();
    options.neighbours = add_numbers;
    options.query.max_expansions = 2000;
    CHECK(astar_graph_new(NULL, &graph) == ASTAR_OK);
    CHECK(astar_graph_search_new(graph, &options, &search) == ASTAR_OK);
    uint32_t start, goal;
    bool is_new;
    AstarName one = number_name(1), many = number_name(97);
    CHECK(astar_graph_search_state(search, &one, &start, &is_new) == ASTAR_OK && is_new);
    CHECK(astar_graph_search_state(search, &many, &goal, &is_new) == ASTAR_OK && is_new);
    numbers[start] = 1;
    numbers[goal] = 97;
    CHECK(astar_graph_search_to(search, start, goal, NULL, numbers) == ASTAR_RUNNING);
    CHECK(astar_graph_search_step(search, UINT64_MAX, numbers) == ASTAR_OK);
    AstarGraphPath path;
    astar_graph_path_init(&path);
    CHECK(astar_graph_search_path(search, &path) == ASTAR_OK);
    CHECK(path.cost == 8 && path.count == 9 && numbers[path.nodes[8]] == 97);
    astar_graph_path_destroy(&path);
    astar_graph_search_free(search);
    astar_graph_release(graph);
}

// ---- allocations that fail ----

// Uses all of it; whatever fails leaves what there is as it was, and is given up.
static AstarStatus use_all(Memory *memory)
{
    AstarAllocator allocator = allocator_of(memory);
    AstarGraph *graph, *copy = NULL;
    AstarGraphSearch *search = NULL;
    AstarGraphBaking *baking = NULL;
    AstarGraphPath path;
    astar_graph_path_init(&path);
    unsigned char bytes[4096];
    size_t length = 0;
    AstarStatus status = astar_graph_new(&allocator, &graph);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t i = 0, node; status == ASTAR_OK && i < 100; i++) {
        char text[8];
        snprintf(text, sizeof text, "n%d", (int)i);
        AstarName key = {.kind = ASTAR_NAME_TEXT, .text = text, .length = strlen(text)};
        status = astar_graph_put(graph, &key, i, i % 7, &node);
        if (status == ASTAR_OK && i > 0)
            status = astar_graph_connect(graph, i - 1, i, (double)NAN, 0, i % 2 == 0);
        if (i % 5 == 4)
            astar_graph_remove(graph, i - 3);
    }
    if (status == ASTAR_OK)
        status = astar_graph_baking_new(graph, 2, &baking);
    while (status == ASTAR_OK && (status = astar_graph_baking_step(baking, 9)) == ASTAR_RUNNING)
        status = ASTAR_OK;
    if (status == ASTAR_OK)
        status = astar_graph_search_new(graph, NULL, &search);
    if (status == ASTAR_OK)
        status = astar_graph_search_reach(search, 0, 50);
    while (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search, 7, NULL);
    if (status == ASTAR_OK)
        status = astar_graph_search_path_to(search, 0, &path);
    for (int i = 0; i < 6; i++)
        CHECK(astar_graph_nearest(graph, 0, 0) == 0 || astar_graph_count(graph) == 0);
    if (status == ASTAR_OK)
        status = astar_graph_save(graph, NULL, bytes, sizeof bytes, &length);
    AstarNames labels;
    if (status == ASTAR_OK)
        status = astar_graph_load(&allocator, bytes, length, &copy, &labels);
    astar_graph_path_destroy(&path);
    astar_graph_baking_free(baking);
    astar_graph_search_free(search);
    astar_graph_release(copy);
    astar_graph_release(graph);
    return status;
}

static void check_memory(void)
{
    AstarStatus status = ASTAR_NO_MEMORY;
    long at = 0;
    for (; status == ASTAR_NO_MEMORY; at++) {
        Memory memory = {.left = at};
        status = use_all(&memory);
        CHECK(memory.blocks == 0);
    }
    CHECK(status == ASTAR_OK && at > 20);
}

int main(void)
{
    check_hopeless_queries();
    check_graphs();
    check_states();
    check_memory();
    return report();
}
