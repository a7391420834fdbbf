// graph_search.c -- keys are found while their table grows, and a space of many states is searched
// in steps, cut anywhere and now and then without memory, as in one go.

#include "chance.h"
#include "parts/graph/keys.h"
#include "support.h"

#include "parts/graph/graph.h"

#include <string.h>

static bool has_memory;

// Keys of both kinds; what one is called depends on its number alone.
static AstarName name_of(int number, char *text)
{
    AstarName name = {.kind = ASTAR_NAME_NUMBER, .number = number / 2};
    if (number % 2 == 0)
        return name;
    name.kind = ASTAR_NAME_TEXT;
    name.text = text;
    name.length = (size_t)sprintf(text, "key %d", number);
    return name;
}

// ---- keys ----

enum { KEYS = 6000 };

static void expect_key(const AstarKeys *keys, const uint32_t *numbers, int key)
{
    char text[32];
    AstarName name = name_of(key, text);
    CHECK(astar_keys_find(keys, &name) == numbers[key]);
}

// Adds keys, takes some out again, and looks for those and others all the while.
static void test_keys(void)
{
    static uint32_t numbers[KEYS];
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarKeys keys = {0};
    for (int i = 0; i < KEYS; i++)
        numbers[i] = ASTAR_NO_NODE;
    for (int i = 0; i < 3 * KEYS; i++) {
        char text[32];
        int key = below(1 + i / 2 < KEYS ? 1 + i / 2 : KEYS);
        AstarName name = name_of(key, text);
        has_memory = below(8) > 0;
        if (numbers[key] == ASTAR_NO_NODE) {
            numbers[key] = astar_keys_add(&keys, &allocator, &name);
        } else if (below(16) == 0) {
            astar_keys_remove(&keys, numbers[key]);
            numbers[key] = ASTAR_NO_NODE;
        }
        expect_key(&keys, numbers, key);
        expect_key(&keys, numbers, below(KEYS));
    }
    for (int i = 0; i < KEYS; i++)
        expect_key(&keys, numbers, i);
    astar_keys_clear(&keys);
    for (int i = 0; i < KEYS; i++)
        numbers[i] = ASTAR_NO_NODE;
    for (int i = 0; i < KEYS; i += 7)
        expect_key(&keys, numbers, i);
    astar_keys_free(&keys, &allocator);
    CHECK(astar_keys_bytes(&keys) == 0);
}

// ---- spaces ----

enum { SIDE = 150, STATES = SIDE * SIDE };

static int cells[STATES]; // of each state

static AstarStatus state_of(AstarGraphSearch *search, int cell, uint32_t *state)
{
    char text[32];
    AstarName name = name_of(cell, text);
    bool is_new;
    AstarStatus status = astar_graph_search_state(search, &name, state, &is_new);
    if (status == ASTAR_OK)
        cells[*state] = cell;
    return status;
}

// Straight steps of the cost 1.
static AstarStatus tell_neighbours(void *context, AstarGraphSearch *search, uint32_t state)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    for (int i = 0; i < 4; i++) {
        int x = cells[state] % SIDE + dx[i], y = cells[state] / SIDE + dy[i];
        uint32_t other;
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE)
            continue;
        AstarStatus status = state_of(search, y * SIDE + x, &other);
        if (status == ASTAR_OK)
            status = astar_graph_search_reach_state(search, other, 1, context, NULL);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

static double tell_nothing(void *context, uint32_t node, uint32_t goal)
{
    (void)context;
    (void)node;
    (void)goal;
    return 0;
}

static AstarGraphSearch *begin_in_space(AstarGraph *graph, bool has_estimate)
{
    AstarGraphOptions options = astar_graph_options_default();
    AstarGraphSearch *search = NULL;
    uint32_t start, goal;
    options.neighbours = tell_neighbours;
    options.estimate = has_estimate ? tell_nothing : NULL;
    has_memory = true;
    need(astar_graph_search_new(graph, &options, &search));
    need(state_of(search, 0, &start));
    need(state_of(search, STATES - 1, &goal));
    CHECK(astar_graph_search_to(search, start, goal, NULL, NULL) == ASTAR_RUNNING);
    return search;
}

// From one corner to the opposite one, of which the way costs 2 * (SIDE - 1).
static uint64_t search_space(AstarGraph *graph, bool has_estimate, bool in_steps)
{
    AstarGraphSearch *search = begin_in_space(graph, has_estimate);
    AstarGraphPath path;
    AstarStatus status = ASTAR_RUNNING;
    while (status == ASTAR_RUNNING) {
        has_memory = !in_steps || below(10) > 0;
        status = astar_graph_search_step(search, in_steps ? 1 + (uint64_t)below(40) : UINT64_MAX,
                                         NULL);
        status = status == ASTAR_NO_MEMORY ? ASTAR_RUNNING : status;
    }
    CHECK(status == ASTAR_OK);
    has_memory = true;
    astar_graph_path_init(&path);
    need(astar_graph_search_path(search, &path));
    CHECK(path.cost == 2 * (SIDE - 1) && path.count == 2 * SIDE - 1);
    for (size_t i = 1; i < path.count; i++) {
        int from = cells[path.nodes[i - 1]], to = cells[path.nodes[i]];
        CHECK(abs(from % SIDE - to % SIDE) + abs(from / SIDE - to / SIDE) == 1);
    }
    uint64_t expanded = path.expanded;
    astar_graph_path_destroy(&path);
    astar_graph_search_free(search);
    return expanded;
}

// What it had is left to the next search.
static void drop_half_way(AstarGraph *graph)
{
    AstarGraphSearch *search = begin_in_space(graph, true);
    CHECK(astar_graph_search_step(search, 1 + (uint64_t)below(STATES / 2), NULL) == ASTAR_RUNNING);
    astar_graph_search_free(search);
}

static void test_spaces(void)
{
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarGraph *graph = NULL;
    has_memory = true;
    need(astar_graph_new(&allocator, &graph));
    for (int i = 0; i < 4; i++) {
        drop_half_way(graph);
        uint64_t expanded = search_space(graph, i % 2 == 0, false);
        CHECK(search_space(graph, i % 2 == 0, true) == expanded);
    }
    astar_graph_release(graph);
}

int main(void)
{
    chance = 29;
    for (int i = 0; i < 5; i++)
        test_keys();
    test_spaces();
    return report();
}
