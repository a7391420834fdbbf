// graph_ask.c -- the questions to a graph: how a search begins, and what is read from it.

#include "graph/graph_search.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

// ---- taking one ----

AstarGraphOptions astar_graph_options_default(void)
{
    AstarGraphQuestion question = {1, (double)INFINITY, UINT64_MAX, false};
    return (AstarGraphOptions){.min_cost = (double)NAN, .question = question};
}

static bool is_graph_question(const AstarGraphQuestion *question)
{
    return question->weight >= 1 && question->weight <= ASTAR_MAX_WEIGHT &&
           question->max_cost >= 0 && question->max_expansions >= 1;
}

static void clear_graph_search(AstarGraphSearch *search)
{
    astar_array_drop_move(&search->alloc, 1, &search->growth);
    astar_heap_clear(&search->open);
    astar_keys_clear(&search->states);
    search->status = ASTAR_RUNNING;
    search->expanded = 0;
    search->current = ASTAR_NO_NODE;
    search->aim = (AstarGraphAim){.goal = ASTAR_NO_NODE, .x = (double)NAN, .y = (double)NAN};
    search->found = (AstarGraphFound){.node = ASTAR_NO_NODE, .nearest = ASTAR_NO_NODE};
    search->listed.count = search->order.count = 0;
    search->was_cut = search->is_tested = false;
    if (++search->epoch > UINT32_MAX >> 1) {
        if (search->records != NULL)
            memset(search->records, 0, search->record_capacity * sizeof *search->records);
        search->epoch = 1;
    }
}

AstarStatus astar_graph_search_new(AstarGraph *graph, const AstarGraphOptions *options,
                                   AstarGraphSearch **out)
{
    AstarGraphOptions given = options != NULL ? *options : astar_graph_options_default();
    // NAN is "not given". It is not compared: a host may have floating-point traps on.
    bool is_bad_cost = !isnan(given.min_cost) &&
                       (given.min_cost < 0 || given.min_cost > ASTAR_GRAPH_COST_MAX);
    if (!is_graph_question(&given.question) || is_bad_cost)
        return ASTAR_BAD_OPTION;
    AstarGraphSearch *search = graph->resting_count > 0 ? graph->resting[--graph->resting_count]
                                                        : NULL;
    if (search == NULL && (search = astar_alloc(&graph->alloc, 1, sizeof *search)) == NULL)
        return ASTAR_NO_MEMORY;
    search->alloc = graph->alloc;
    search->graph = graph;
    search->options = given;
    search->question = given.question;
    clear_graph_search(search);
    astar_graph_retain(graph);
    *out = search;
    return ASTAR_OK;
}

void astar_graph_search_free(AstarGraphSearch *search)
{
    if (search == NULL)
        return;
    AstarGraph *graph = search->graph;
    astar_graph_search_thaw(search);
    if (graph->resting_count < ASTAR_RESTING_GRAPH_SEARCHES)
        graph->resting[graph->resting_count++] = search;
    else
        astar_graph_search_destroy(search);
    astar_graph_release(graph);
}

// ---- beginning ----

static bool has_node_or_state(const AstarGraphSearch *search, uint32_t node)
{
    return search->options.neighbours != NULL ? node < search->states.count
                                              : astar_has_node(search->graph, node);
}

// Whether a goal can be entered; spaces have no blocks.
static bool is_open_goal(const AstarGraphSearch *search, uint32_t node)
{
    return search->options.neighbours != NULL ||
           !(search->graph->nodes[node].flags & ASTAR_NODE_BLOCKED);
}

static AstarStatus prepare_search(AstarGraphSearch *search, const AstarGraphQuestion *question)
{
    if (question != NULL && !is_graph_question(question))
        return ASTAR_BAD_OPTION;
    if (question != NULL)
        search->question = *question;
    size_t count = search->options.neighbours != NULL ? search->states.count
                                                      : (size_t)search->graph->keys.count + 1;
    search->version = search->graph->version;
    return astar_graph_make_room(search, count) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Readies a search from a node or a state.
static AstarStatus begin_from(AstarGraphSearch *search, uint32_t start, AstarGraphGoal kind,
                              const AstarGraphQuestion *question)
{
    search->aim.kind = kind;
    search->aim.start = start;
    return has_node_or_state(search, start) ? prepare_search(search, question) : ASTAR_BAD_OPTION;
}

// The search goes on from its start.
static AstarStatus open_start(AstarGraphSearch *search, void *context)
{
    AstarStatus status = astar_graph_relax(search, ASTAR_NO_NODE, search->aim.start, 0, context,
                                           NULL);
    return status != ASTAR_OK ? status : ASTAR_RUNNING;
}

// Chooses what to estimate by, for a goal at (x, y), NAN where that is not known; a unit of length
// costs 'most' where no edge leads.
static void choose_graph_estimate(AstarGraphSearch *search, double x, double y, double most)
{
    search->aim.x = x;
    search->aim.y = y;
    if (search->options.estimate != NULL)
        search->aim.estimate = ASTAR_BY_HOST;
    if (search->options.estimate != NULL || search->options.neighbours != NULL)
        return;
    AstarGraph *graph = search->graph;
    double scale = isnan(x) ? 0 : astar_graph_scale(graph);
    if (search->options.cost != NULL && !isnan(search->options.min_cost) && scale > 0)
        scale = search->options.min_cost;
    search->aim.scale = (scale < most ? scale : most) * ASTAR_ROUNDED_DOWN;
    bool may_be_less = search->options.cost != NULL && !search->options.dearer_only;
    bool has_landmarks = !may_be_less && search->aim.goal < graph->keys.count &&
                         astar_graph_landmarks_hold(graph);
    search->aim.estimate = has_landmarks           ? ASTAR_BY_LANDMARKS
                           : search->aim.scale > 0 ? ASTAR_BY_POSITION
                                                   : ASTAR_NO_ESTIMATE;
}

AstarStatus astar_graph_search_to(AstarGraphSearch *search, uint32_t start, uint32_t goal,
                                  const AstarGraphQuestion *question, void *context)
{
    if (!has_node_or_state(search, goal))
        return ASTAR_BAD_OPTION;
    AstarStatus status = begin_from(search, start, ASTAR_TO_NODE, question);
    if (status != ASTAR_OK)
        return status;
    search->aim.goal = goal;
    bool is_space = search->options.neighbours != NULL;
    double x = is_space ? (double)NAN : search->graph->nodes[goal].x;
    double y = is_space ? (double)NAN : search->graph->nodes[goal].y;
    choose_graph_estimate(search, x, y, (double)INFINITY);
    if (search->question.partial && search->options.estimate == NULL && isnan(x))
        return ASTAR_BAD_OPTION;
    if (start != goal && !is_open_goal(search, goal) && !search->question.partial)
        return search->status = ASTAR_GOAL_BLOCKED;
    return open_start(search, context);
}

static int compare_listed(const void *left, const void *right)
{
    const AstarListed *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->cost < b->cost || b->cost < a->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static AstarStatus reserve_listed(AstarGraphSearch *search, size_t count)
{
    return ASTAR_RESERVE(&search->alloc, search->listed.items, (size_t)0, count,
                         &search->listed.capacity, count)
               ? ASTAR_OK
               : ASTAR_NO_MEMORY;
}

static void sort_listed(AstarGraphSearch *search)
{
    if (search->listed.count > 1)
        qsort(search->listed.items, search->listed.count, sizeof *search->listed.items,
              compare_listed);
}

AstarStatus astar_graph_search_nearest(AstarGraphSearch *search, uint32_t start,
                                       const uint32_t *goals, size_t count,
                                       const AstarGraphQuestion *question)
{
    AstarStatus status = begin_from(search, start, ASTAR_TO_NEAREST, question);
    if (status != ASTAR_OK || (status = reserve_listed(search, count)) != ASTAR_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (!has_node_or_state(search, goals[i]))
            return ASTAR_BAD_OPTION;
        if (goals[i] == start || is_open_goal(search, goals[i]))
            search->listed.items[search->listed.count++] = (AstarListed){goals[i], (uint32_t)i, 0};
    }
    sort_listed(search);
    if (search->question.partial)
        return ASTAR_BAD_OPTION;
    if (search->listed.count == 0)
        return search->status = count > 0 ? ASTAR_GOAL_BLOCKED : ASTAR_UNREACHABLE;
    return open_start(search, NULL);
}

// A search without a goal that is known beforehand.
static AstarStatus begin_unaimed(AstarGraphSearch *search, uint32_t start, AstarGraphGoal kind,
                                 const AstarGraphQuestion *question)
{
    AstarStatus status = begin_from(search, start, kind, question);
    if (status == ASTAR_OK && search->question.partial)
        status = ASTAR_BAD_OPTION;
    return status == ASTAR_OK ? open_start(search, NULL) : status;
}

AstarStatus astar_graph_search_where(AstarGraphSearch *search, uint32_t start, AstarNodeTest test,
                                     const AstarGraphQuestion *question)
{
    search->aim.test = test;
    return begin_unaimed(search, start, ASTAR_TO_PASSING, question);
}

AstarStatus astar_graph_search_reach(AstarGraphSearch *search, uint32_t start, double max_cost)
{
    const AstarGraphQuestion *usual = &search->options.question;
    double most = max_cost < usual->max_cost ? max_cost : usual->max_cost;
    AstarGraphQuestion question = {1, most, usual->max_expansions, false};
    return begin_unaimed(search, start, ASTAR_TO_ALL, &question);
}

AstarStatus astar_graph_search_between(AstarGraphSearch *search, const AstarWayIn *ways_in,
                                       size_t in_count, const AstarWayIn *ways_out,
                                       size_t out_count, double goal_x, double goal_y,
                                       const AstarGraphQuestion *question, void *context)
{
    AstarStatus status = prepare_search(search, question);
    if (status != ASTAR_OK || (status = reserve_listed(search, out_count)) != ASTAR_OK)
        return status;
    search->aim.kind = ASTAR_TO_NODE;
    search->aim.goal = search->graph->keys.count;
    search->aim.start = ASTAR_NO_NODE;
    if (search->question.partial || search->options.neighbours != NULL)
        return ASTAR_BAD_OPTION;
    choose_graph_estimate(search, goal_x, goal_y, 1);
    if (search->aim.estimate == ASTAR_BY_HOST)
        search->aim.estimate = ASTAR_NO_ESTIMATE;
    for (size_t i = 0; i < out_count; i++)
        if (is_open_goal(search, ways_out[i].node))
            search->listed.items[search->listed.count++] = (AstarListed){
                ways_out[i].node, (uint32_t)i, ways_out[i].cost};
    sort_listed(search);
    for (size_t i = 0; status == ASTAR_OK && i < in_count; i++)
        if (is_open_goal(search, ways_in[i].node))
            status = astar_graph_relax(search, ASTAR_NO_NODE, ways_in[i].node, ways_in[i].cost,
                                       context, NULL);
    return status != ASTAR_OK ? status : ASTAR_RUNNING;
}

// ---- what came of it ----

AstarStatus astar_graph_search_status(const AstarGraphSearch *search)
{
    return search->status;
}

uint64_t astar_graph_search_expanded(const AstarGraphSearch *search)
{
    return search->expanded;
}

size_t astar_graph_search_index(const AstarGraphSearch *search)
{
    return search->found.index;
}

bool astar_graph_search_node(const AstarGraphSearch *search, uint32_t node, double *g,
                             uint32_t *parent)
{
    if (node >= search->record_capacity || !astar_is_seen(search, node) ||
        !(search->records[node].stamp & 1))
        return false;
    *g = search->records[node].g;
    *parent = search->records[node].parent;
    return true;
}

bool astar_graph_search_reached(const AstarGraphSearch *search, uint64_t *cursor, uint32_t *node,
                                double *g)
{
    if (*cursor >= search->order.count)
        return false;
    *node = search->order.nodes[(*cursor)++];
    *g = search->records[*node].g;
    return true;
}

bool astar_graph_search_waypoint(const AstarGraphSearch *search, uint32_t node, AstarWaypoint *out)
{
    const AstarGraph *graph = search->graph;
    if (!astar_is_frozen(search))
        return astar_graph_node(graph, node, out);
    if (node >= search->kept.node_count)
        return false;
    const AstarGraphNode *found = astar_node_seen(search, node);
    *out = (AstarWaypoint){astar_keys_get(&graph->keys, node), found->x, found->y,
                           (found->flags & ASTAR_NODE_BLOCKED) != 0};
    return !(found->flags & ASTAR_NODE_REMOVED);
}

void astar_graph_path_init(AstarGraphPath *path)
{
    *path = (AstarGraphPath){.allocator = astar_allocator(NULL)};
}

void astar_graph_path_destroy(AstarGraphPath *path)
{
    astar_release(&path->allocator, path->nodes, path->capacity, sizeof *path->nodes);
    astar_graph_path_init(path);
}

// Makes room for so many nodes, none of which need be kept.
static bool make_room_in_path(AstarGraphPath *path, const AstarAllocator *allocator, size_t count)
{
    if (count <= path->capacity)
        return true;
    uint32_t *nodes = astar_alloc(allocator, count, sizeof *nodes);
    if (nodes == NULL)
        return false;
    astar_release(&path->allocator, path->nodes, path->capacity, sizeof *path->nodes);
    path->allocator = *allocator;
    path->nodes = nodes;
    path->capacity = count;
    return true;
}

AstarStatus astar_graph_search_path_to(const AstarGraphSearch *search, uint32_t node,
                                       AstarGraphPath *path)
{
    if (node >= search->record_capacity || !astar_is_seen(search, node))
        return ASTAR_UNREACHABLE;
    bool leaves = search->options.neighbours == NULL && node == search->graph->keys.count;
    double cost = search->records[node].g;
    if (leaves)
        node = search->records[node].parent; // the last that is a node
    size_t count = 0;
    for (uint32_t at = node; at != ASTAR_NO_NODE; at = search->records[at].parent)
        count++;
    if (!make_room_in_path(path, &search->alloc, count))
        return ASTAR_NO_MEMORY;
    path->count = count;
    path->cost = cost;
    path->expanded = search->expanded;
    path->partial = search->found.is_partial;
    for (uint32_t at = node; at != ASTAR_NO_NODE; at = search->records[at].parent)
        path->nodes[--count] = at;
    return ASTAR_OK;
}

AstarStatus astar_graph_search_path(const AstarGraphSearch *search, AstarGraphPath *path)
{
    if (search->status != ASTAR_OK || search->aim.kind == ASTAR_TO_ALL)
        return search->status == ASTAR_OK ? ASTAR_BAD_OPTION : search->status;
    return astar_graph_search_path_to(search, search->found.node, path);
}

AstarStatus astar_graph_find_path(AstarGraph *graph, const AstarGraphOptions *options,
                                  uint32_t start, uint32_t goal, void *context,
                                  AstarGraphPath *path)
{
    AstarGraphSearch *search;
    AstarStatus status = astar_graph_search_new(graph, options, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_graph_search_to(search, start, goal, NULL, context);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search, UINT64_MAX, context);
    if (status == ASTAR_OK)
        status = astar_graph_search_path(search, path);
    astar_graph_search_free(search);
    return status;
}

size_t astar_graph_search_bytes(const AstarGraphSearch *search)
{
    return sizeof *search + search->record_capacity * sizeof *search->records +
           search->estimate_capacity * sizeof *search->estimates +
           search->open.capacity * sizeof *search->open.items + astar_keys_bytes(&search->states) +
           astar_kept_bytes(&search->kept) + search->growth.capacity +
           search->listed.capacity * sizeof *search->listed.items +
           search->order.capacity * sizeof *search->order.nodes;
}

size_t astar_graph_bytes(const AstarGraph *graph)
{
    size_t landmarks, bytes = sizeof *graph + astar_keys_bytes(&graph->keys);
    astar_graph_landmarks(graph, &landmarks);
    bytes += graph->node_capacity * sizeof *graph->nodes;
    bytes += graph->arc_capacity * sizeof *graph->arcs + landmarks;
    bytes += graph->components.capacity * sizeof *graph->components.parents;
    for (int i = 0; i < graph->resting_count; i++)
        bytes += astar_graph_search_bytes(graph->resting[i]);
    return bytes;
}
