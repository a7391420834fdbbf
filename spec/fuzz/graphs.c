// graphs.c -- fuzzes navigation graphs: nodes, edges, edits, landmarks and questions, drawn from
// bytes.
//
// The same edits are made to a table of what leads where, over which plain relaxation until nothing
// changes (Bellman, 1958) finds all distances. Every answer is held against those. No block of
// memory may be left.

#include "counted.h"
#include "input.h"

#include <math.h>
#include <string.h>

enum { NODES = 20, MOST_ACTIONS = 60, MOST_GOALS = 4 };

typedef struct PlainEdge {
    bool there, blocked;
    double cost; // NAN: by distance
    uint32_t label;
} PlainEdge;

// A graph as it should be. Nodes go by their keys, which are numbers.
typedef struct Plain {
    bool there[NODES], blocked[NODES];
    double x[NODES], y[NODES]; // NAN: nowhere
    int made[NODES];           // the order they were made in
    PlainEdge edges[NODES][NODES];
    int count;
} Plain;

typedef struct Fuzz {
    Input input;
    Plain plain;
    AstarGraph *graph;
    AstarGraphBaking *baking; // NULL: none is under way
} Fuzz;

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static double pick(Input *input, const double *values, int count)
{
    return values[next_below(input, count)];
}

#define PICK(input, ...)                                                                           \
    pick((input), (const double[]){__VA_ARGS__},                                                   \
         (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

static AstarName name_of(int key)
{
    return (AstarName){.kind = ASTAR_NAME_NUMBER, .number = key};
}

static uint32_t number_of(const Fuzz *fuzz, int key)
{
    AstarName name = name_of(key);
    uint32_t node = astar_graph_find(fuzz->graph, &name);
    REQUIRE((node != ASTAR_NO_NODE) == fuzz->plain.there[key]);
    return node;
}

static int key_of(const Fuzz *fuzz, uint32_t node)
{
    AstarWaypoint waypoint;
    REQUIRE(astar_graph_node(fuzz->graph, node, &waypoint));
    return (int)waypoint.key.number;
}

// ---- what should be answered ----

static double length_between(const Plain *plain, int a, int b)
{
    return hypot(plain->x[a] - plain->x[b], plain->y[a] - plain->y[b]);
}

static double own_cost(const Plain *plain, int a, int b)
{
    double cost = plain->edges[a][b].cost, length = length_between(plain, a, b);
    return !isnan(cost) ? cost : isnan(length) ? 1 : length;
}

// What a function makes of an edge's cost: never less, so that estimates by positions hold.
static double asked_cost(uint32_t label, double cost)
{
    return label == 3 ? INFINITY : cost * (1 + label % 3);
}

static double tell_cost(void *context, uint32_t from, uint32_t to, uint32_t label, double cost)
{
    (void)context, (void)from, (void)to;
    return asked_cost(label, cost);
}

static double no_estimate(void *context, uint32_t node, uint32_t goal)
{
    (void)context, (void)node, (void)goal;
    return 0;
}

static double step_cost(const Plain *plain, const AstarGraphOptions *options, int a, int b)
{
    const PlainEdge *edge = &plain->edges[a][b];
    if (!edge->there || edge->blocked || plain->blocked[b])
        return INFINITY;
    double cost = own_cost(plain, a, b);
    return options->cost != NULL ? asked_cost(edge->label, cost) : cost;
}

static void find_distances(const Plain *plain, const AstarGraphOptions *options, int start,
                           double distances[NODES])
{
    for (int i = 0; i < NODES; i++)
        distances[i] = i == start ? 0 : INFINITY;
    for (bool changes = true; changes;) {
        changes = false;
        for (int a = 0; a < NODES; a++)
            for (int b = 0; b < NODES && isfinite(distances[a]); b++) {
                double way = distances[a] + step_cost(plain, options, a, b);
                changes |= way < distances[b];
                distances[b] = fmin(distances[b], way);
            }
    }
}

// ---- edits ----

static int next_key(Fuzz *fuzz)
{
    return next_below(&fuzz->input, NODES);
}

static void put_node(Fuzz *fuzz)
{
    Plain *plain = &fuzz->plain;
    int key = next_key(fuzz), place = next_byte(&fuzz->input);
    bool has_place = place < 192;
    double x = has_place ? place % 8 : (double)NAN, y = has_place ? place / 8 % 8 : (double)NAN;
    AstarName name = name_of(key);
    uint32_t node;
    REQUIRE(astar_graph_put(fuzz->graph, &name, x, y, &node) == ASTAR_OK);
    if (!plain->there[key]) {
        plain->there[key] = true;
        plain->made[key] = plain->count++;
    }
    if (has_place) {
        plain->x[key] = x;
        plain->y[key] = y;
    }
    REQUIRE(node == number_of(fuzz, key));
}

static void remove_node(Fuzz *fuzz)
{
    Plain *plain = &fuzz->plain;
    int key = next_key(fuzz);
    uint32_t node = number_of(fuzz, key);
    REQUIRE(astar_graph_remove(fuzz->graph, node) == plain->there[key]);
    plain->there[key] = plain->blocked[key] = false;
    plain->x[key] = plain->y[key] = NAN;
    for (int i = 0; i < NODES; i++)
        plain->edges[key][i] = plain->edges[i][key] = (PlainEdge){0};
}

static void connect(Fuzz *fuzz)
{
    Plain *plain = &fuzz->plain;
    int a = next_key(fuzz), b = next_key(fuzz), how = next_byte(&fuzz->input);
    double cost = PICK(&fuzz->input, NAN, 1, 2, 5, 0.5, 30, NAN, 0);
    bool one_way = (how & 1) != 0, can = plain->there[a] && plain->there[b] && a != b;
    uint32_t label = (uint32_t)(how >> 1 & 3);
    AstarStatus status = astar_graph_connect(fuzz->graph, number_of(fuzz, a), number_of(fuzz, b),
                                             cost, label, one_way);
    REQUIRE(status == (can ? ASTAR_OK : ASTAR_BAD_OPTION));
    for (int back = 0; can && back < (one_way ? 1 : 2); back++) {
        PlainEdge *edge = back ? &plain->edges[b][a] : &plain->edges[a][b];
        *edge = (PlainEdge){true, edge->blocked, cost, label};
    }
}

static void disconnect(Fuzz *fuzz)
{
    Plain *plain = &fuzz->plain;
    int a = next_key(fuzz), b = next_key(fuzz);
    bool one_way = next_below(&fuzz->input, 2) == 1;
    bool any = plain->edges[a][b].there || (!one_way && plain->edges[b][a].there);
    REQUIRE(astar_graph_disconnect(fuzz->graph, number_of(fuzz, a), number_of(fuzz, b), one_way) ==
            any);
    plain->edges[a][b] = (PlainEdge){0};
    if (!one_way)
        plain->edges[b][a] = (PlainEdge){0};
}

static void block(Fuzz *fuzz)
{
    Plain *plain = &fuzz->plain;
    int a = next_key(fuzz), b = next_key(fuzz), how = next_byte(&fuzz->input);
    bool blocked = (how & 1) != 0;
    if (how & 2) {
        REQUIRE(astar_graph_block(fuzz->graph, number_of(fuzz, a), blocked) == plain->there[a]);
        plain->blocked[a] = blocked && plain->there[a];
        return;
    }
    bool any = plain->edges[a][b].there || plain->edges[b][a].there;
    REQUIRE(astar_graph_block_edge(fuzz->graph, number_of(fuzz, a), number_of(fuzz, b), blocked) ==
            any);
    plain->edges[a][b].blocked = blocked && plain->edges[a][b].there;
    plain->edges[b][a].blocked = blocked && plain->edges[b][a].there;
}

// ---- landmarks, bytes ----

static void bake(Fuzz *fuzz)
{
    AstarStatus status = ASTAR_RUNNING;
    int landmarks = next_below(&fuzz->input, 6), steps = next_below(&fuzz->input, 40);
    if (fuzz->baking == NULL)
        REQUIRE(astar_graph_baking_new(fuzz->graph, landmarks, &fuzz->baking) == ASTAR_OK);
    for (int i = 0; i < steps && status == ASTAR_RUNNING; i++)
        status = astar_graph_baking_step(fuzz->baking, 1 + (uint64_t)i);
    REQUIRE(status == ASTAR_OK || status == ASTAR_RUNNING);
    if (status == ASTAR_RUNNING)
        return;
    astar_graph_baking_free(fuzz->baking);
    fuzz->baking = NULL;
}

static AstarName name_label(void *context, uint32_t number)
{
    (void)context;
    return name_of((int)number);
}

// What was saved and loaded takes the graph's place.
static void save_and_load(Fuzz *fuzz)
{
    static unsigned char bytes[1 << 16], again[1 << 16];
    const AstarSaving saving = {.label_count = 3, .label = name_label};
    AstarNames names;
    AstarGraph *copy;
    size_t length, length_again;
    REQUIRE(astar_graph_save(fuzz->graph, &saving, bytes, sizeof bytes, &length) == ASTAR_OK);
    REQUIRE(length <= sizeof bytes);
    if (length > 0 && next_below(&fuzz->input, 4) == 0) // damaged: refused, or taken for another
        bytes[(size_t)next_byte(&fuzz->input) * length / 256] ^= (unsigned char)next_byte(
            &fuzz->input);
    AstarStatus status = astar_graph_load(&allocator, bytes, length, &copy, &names);
    if (status != ASTAR_OK) {
        REQUIRE(status == ASTAR_BAD_DATA);
        return;
    }
    REQUIRE(astar_graph_save(copy, &saving, again, sizeof again, &length_again) == ASTAR_OK);
    REQUIRE(length == length_again && memcmp(bytes, again, length) == 0);
    astar_graph_baking_free(fuzz->baking);
    fuzz->baking = NULL;
    astar_graph_release(fuzz->graph);
    fuzz->graph = copy;
}

// ---- questions ----

static AstarGraphOptions next_options(Fuzz *fuzz)
{
    AstarGraphOptions options = astar_graph_options_default();
    int kind = next_byte(&fuzz->input);
    if ((kind & 3) == 3)
        options.cost = tell_cost;
    if ((kind & 12) == 12)
        options.estimate = no_estimate;
    if ((kind & 48) == 48)
        options.min_cost = 0;
    if (kind & 64)
        options.query.weight = PICK(&fuzz->input, 1, 1.5, 4);
    if (kind & 128)
        options.query.max_cost = PICK(&fuzz->input, 0, 2, 5, 10, 1000);
    return options;
}

// A path is of steps that can be made, and costs what they do.
static void check_path(const Fuzz *fuzz, const AstarGraphOptions *options,
                       const AstarGraphPath *path, int start, int goal)
{
    double cost = 0;
    REQUIRE(path->count > 0 && key_of(fuzz, path->nodes[0]) == start);
    REQUIRE(key_of(fuzz, path->nodes[path->count - 1]) == goal);
    for (size_t i = 0; i + 1 < path->count; i++)
        cost += step_cost(&fuzz->plain, options, key_of(fuzz, path->nodes[i]),
                          key_of(fuzz, path->nodes[i + 1]));
    REQUIRE(isfinite(cost) && near(cost, path->cost));
}

// That an answer is right where the best way costs 'best'; of a path, that it is good enough.
static void check_answer(const AstarGraphOptions *options, AstarStatus status, double best,
                         double cost)
{
    const AstarGraphQueryOptions *query = &options->query;
    if (status == ASTAR_OK) {
        REQUIRE(cost <= query->weight * best || near(cost, query->weight * best));
        REQUIRE(cost <= query->max_cost || near(cost, query->max_cost));
    } else if (status == ASTAR_MAX_COST) {
        REQUIRE(best * query->weight > query->max_cost ||
                near(best * query->weight, query->max_cost));
    } else {
        REQUIRE(status == ASTAR_UNREACHABLE && isinf(best));
    }
}

static AstarStatus run_to_end(Fuzz *fuzz, AstarGraphSearch *search, AstarStatus status)
{
    int slice = next_below(&fuzz->input, 8);
    while (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search, slice > 0 ? (uint64_t)slice : UINT64_MAX, NULL);
    return status;
}

static void ask_path(Fuzz *fuzz)
{
    const Plain *plain = &fuzz->plain;
    AstarGraphOptions options = next_options(fuzz);
    int a = next_key(fuzz), b = next_key(fuzz);
    if (!plain->there[a] || !plain->there[b])
        return;
    double distances[NODES];
    find_distances(plain, &options, a, distances);
    AstarGraphSearch *search;
    AstarGraphPath path;
    astar_graph_path_init(&path);
    REQUIRE(astar_graph_search_new(fuzz->graph, &options, &search) == ASTAR_OK);
    AstarStatus status = astar_graph_search_to(search, number_of(fuzz, a), number_of(fuzz, b), NULL,
                                               NULL);
    status = run_to_end(fuzz, search, status);
    if (status == ASTAR_OK) {
        REQUIRE(astar_graph_search_path(search, &path) == ASTAR_OK);
        check_path(fuzz, &options, &path, a, b);
    }
    if (status == ASTAR_GOAL_BLOCKED)
        REQUIRE(plain->blocked[b] && a != b);
    else
        check_answer(&options, status, distances[b], path.cost);
    astar_graph_path_destroy(&path);
    astar_graph_search_free(search);
}

// The route over positions to the node nearest to a goal that cannot be reached.
static void ask_partial(Fuzz *fuzz)
{
    const Plain *plain = &fuzz->plain;
    AstarGraphOptions options = astar_graph_options_default();
    int a = next_key(fuzz), b = next_key(fuzz);
    double distances[NODES], least = INFINITY;
    for (int i = 0; i < NODES; i++)
        if (plain->there[i] && isnan(plain->x[i]))
            return;
    if (!plain->there[a] || !plain->there[b])
        return;
    options.query.partial = true;
    find_distances(plain, &options, a, distances);
    for (int i = 0; i < NODES; i++)
        if (isfinite(distances[i]))
            least = fmin(least, length_between(plain, i, b));
    AstarGraphPath path;
    astar_graph_path_init(&path);
    REQUIRE(astar_graph_find_path(fuzz->graph, &options, number_of(fuzz, a), number_of(fuzz, b),
                                  NULL, &path) == ASTAR_OK);
    int last = key_of(fuzz, path.nodes[path.count - 1]);
    check_path(fuzz, &options, &path, a, last);
    REQUIRE(near(length_between(plain, last, b), least));
    REQUIRE(near(path.cost, distances[last]));
    REQUIRE(path.partial == (last != b));
    astar_graph_path_destroy(&path);
}

static bool is_goal_number(void *context, uint32_t node)
{
    return (node + 1) % 5 == *(const uint32_t *)context;
}

static void ask_nearest(Fuzz *fuzz)
{
    const Plain *plain = &fuzz->plain;
    AstarGraphOptions options = next_options(fuzz);
    int a = next_key(fuzz), count = next_below(&fuzz->input, MOST_GOALS + 1), goals[MOST_GOALS];
    uint32_t numbers[MOST_GOALS], rest = 1;
    double distances[NODES], best = INFINITY;
    if (!plain->there[a])
        return;
    find_distances(plain, &options, a, distances);
    for (int i = 0; i < count; i++) {
        goals[i] = next_key(fuzz);
        if (!plain->there[goals[i]])
            return;
        numbers[i] = number_of(fuzz, goals[i]);
        best = fmin(best, distances[goals[i]]);
    }
    for (int i = 0; count == 0 && i < NODES; i++)
        if (plain->there[i] && is_goal_number(&rest, number_of(fuzz, i)))
            best = fmin(best, distances[i]);
    AstarGraphSearch *search;
    AstarGraphPath path;
    astar_graph_path_init(&path);
    REQUIRE(astar_graph_search_new(fuzz->graph, &options, &search) == ASTAR_OK);
    AstarStatus status = count > 0 ? astar_graph_search_nearest(search, number_of(fuzz, a), numbers,
                                                                (size_t)count, NULL)
                                   : astar_graph_search_where(search, number_of(fuzz, a),
                                                              is_goal_number, NULL);
    while (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search, 3, &rest);
    if (status == ASTAR_OK) {
        REQUIRE(astar_graph_search_path(search, &path) == ASTAR_OK);
        int last = key_of(fuzz, path.nodes[path.count - 1]);
        check_path(fuzz, &options, &path, a, last);
        size_t index = count > 0 ? astar_graph_search_index(search) : 0;
        REQUIRE(count == 0 || (index < (size_t)count && goals[index] == last));
        for (size_t i = 0; count > 0 && i < index; i++)
            REQUIRE(goals[i] != last);
    }
    if (status != ASTAR_GOAL_BLOCKED)
        check_answer(&options, status, best, path.cost);
    else
        REQUIRE(count > 0 && isinf(best));
    astar_graph_path_destroy(&path);
    astar_graph_search_free(search);
}

static void ask_reach(Fuzz *fuzz)
{
    const Plain *plain = &fuzz->plain;
    AstarGraphOptions options = next_options(fuzz);
    int a = next_key(fuzz), reached = 0, expected = 0;
    double limit = PICK(&fuzz->input, 0, 1, 3, 8, INFINITY), distances[NODES], before = 0, g;
    if (!plain->there[a])
        return;
    find_distances(plain, &options, a, distances);
    AstarGraphSearch *search;
    REQUIRE(astar_graph_search_new(fuzz->graph, &options, &search) == ASTAR_OK);
    AstarStatus status = astar_graph_search_reach(search, number_of(fuzz, a), limit);
    if (options.query.max_cost < limit)
        limit = options.query.max_cost; // a reach keeps within its finder's
    REQUIRE(run_to_end(fuzz, search, status) == ASTAR_OK);
    uint64_t cursor = 0;
    for (uint32_t node; astar_graph_search_reached(search, &cursor, &node, &g); before = g) {
        REQUIRE(near(g, distances[key_of(fuzz, node)]) && g >= before);
        reached++;
    }
    for (int i = 0; i < NODES; i++) {
        expected += distances[i] <= limit;
        if (isfinite(distances[i]) && near(distances[i], limit) && distances[i] != limit)
            expected = reached = -NODES * 2; // sums beside the limit: either is right
    }
    REQUIRE(reached == expected || reached < 0);
    astar_graph_search_free(search);
}

static void ask_place(Fuzz *fuzz)
{
    const Plain *plain = &fuzz->plain;
    double x = next_below(&fuzz->input, 20) / 2.0 - 1, y = next_below(&fuzz->input, 20) / 2.0 - 1;
    int best = -1;
    for (int i = 0; i < NODES; i++) {
        if (!plain->there[i] || isnan(plain->x[i]))
            continue;
        double d = best < 0 ? -1
                            : hypot(plain->x[i] - x, plain->y[i] - y) -
                                  hypot(plain->x[best] - x, plain->y[best] - y);
        if (d < 0 || (d == 0 && plain->made[i] < plain->made[best]))
            best = i;
    }
    uint32_t node = astar_graph_nearest(fuzz->graph, x, y);
    REQUIRE(node == (best < 0 ? ASTAR_NO_NODE : number_of(fuzz, best)));
}

// A search that an edit comes between ends.
static void edit_under_search(Fuzz *fuzz)
{
    int a = next_key(fuzz), b = next_key(fuzz);
    AstarGraphOptions options = astar_graph_options_default();
    if (!fuzz->plain.there[a] || !fuzz->plain.there[b])
        return;
    AstarGraphSearch *search;
    REQUIRE(astar_graph_search_new(fuzz->graph, &options, &search) == ASTAR_OK);
    AstarStatus status = astar_graph_search_to(search, number_of(fuzz, a), number_of(fuzz, b), NULL,
                                               NULL);
    bool is_on_snapshot = a % 2 == 1 && status == ASTAR_RUNNING;
    if (is_on_snapshot)
        REQUIRE(astar_graph_search_take_snapshot(search) == ASTAR_OK);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search, 1, NULL);
    uint64_t version = astar_graph_version(fuzz->graph);
    connect(fuzz);
    bool edited = astar_graph_version(fuzz->graph) != version;
    if (status == ASTAR_RUNNING) {
        status = astar_graph_search_step(search, UINT64_MAX, NULL);
        REQUIRE((status == ASTAR_GRID_CHANGED) == (edited && !is_on_snapshot));
    }
    astar_graph_search_free(search);
}

// Nodes in the order they were made, and edges, are those there should be.
static void look_at_all(Fuzz *fuzz)
{
    const Plain *plain = &fuzz->plain;
    uint32_t cursor = 0, node;
    int count = 0, before = -1;
    while (astar_graph_next(fuzz->graph, &cursor, &node)) {
        int a = key_of(fuzz, node);
        AstarEdge edge;
        REQUIRE(plain->there[a] && plain->made[a] > before);
        before = plain->made[a];
        count++;
        for (uint32_t at = 0; astar_graph_next_edge(fuzz->graph, node, &at, &edge);) {
            int b = key_of(fuzz, edge.to);
            REQUIRE(plain->edges[a][b].there && edge.blocked == plain->edges[a][b].blocked);
            REQUIRE(near(edge.cost, own_cost(plain, a, b)));
            REQUIRE(edge.label == plain->edges[a][b].label);
        }
        for (int b = 0; b < NODES; b++)
            if (plain->there[b])
                REQUIRE(astar_graph_edge(fuzz->graph, node, number_of(fuzz, b), &edge) ==
                        plain->edges[a][b].there);
    }
    REQUIRE(count == (int)astar_graph_count(fuzz->graph));
}

// ---- the whole ----

// Nodes and edges by a generator the input seeds.
static void begin(Fuzz *fuzz, const uint8_t *data, size_t size)
{
    memset(fuzz, 0, sizeof *fuzz);
    REQUIRE(astar_graph_new(&allocator, &fuzz->graph) == ASTAR_OK);
    for (int i = 0; i < NODES; i++)
        fuzz->plain.x[i] = fuzz->plain.y[i] = NAN;
    uint8_t drawn[256];
    uint32_t seed = 1 + (size > 0 ? data[0] : 0u);
    for (size_t i = 0; i < sizeof drawn; i++)
        drawn[i] = (uint8_t)(draw(&seed) >> 8);
    fuzz->input = (Input){drawn, drawn + sizeof drawn};
    for (int i = size > 1 ? data[1] % 32 : 0; i > 0; i--)
        put_node(fuzz);
    for (int i = size > 2 ? data[2] % 48 : 0; i > 0; i--)
        connect(fuzz);
    fuzz->input = (Input){data + (size < 3 ? size : 3), data + size};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const actions[])(Fuzz *) = {
        put_node,  remove_node, connect,     connect,   disconnect,    block,
        block,     bake,        bake,        ask_path,  ask_path,      ask_path,
        ask_reach, ask_nearest, ask_partial, ask_place, save_and_load, edit_under_search,
    };
    static Fuzz fuzz;
    begin(&fuzz, data, size);
    for (int i = 0; i < MOST_ACTIONS && fuzz.input.at < fuzz.input.end; i++)
        actions[next_below(&fuzz.input, sizeof actions / sizeof *actions)](&fuzz);
    look_at_all(&fuzz);
    astar_graph_baking_free(fuzz.baking);
    astar_graph_release(fuzz.graph);
    REQUIRE(blocks_held == 0);
    return 0;
}
