// graph_search.c -- A* over a graph, or over a space of states that the caller describes as they
// are reached.
//
// Estimates come from the caller's heuristic, from landmarks or from positions, or there are none.
// A node is taken from the open list, tested and expanded. The caller's callbacks may leave by
// longjmp at any point of this sequence. Therefore the search stores its current node and continues
// with that node; recording a path twice does no harm. If the estimate is not consistent, nodes are
// expanded again, so that the route is still the cheapest. With a 'weight' above 1 nodes are not
// expanded again, because a route of higher cost is allowed.

#include "parts/graph/graph_search.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/job_kind.h"
#include "parts/graph/graph_baking.h"
#include "parts/graph/keys.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The functions below make the arrays of a search grow in steps.
//
// The number of states of a space is unknown, so the arrays for them grow as states are reached.
// Copying a large array takes longer than a step of a search may last. Therefore an array that is
// nearly full is moved to a larger one before it is full. A part of the array is moved in place of
// an expansion, and nothing is added to any array during such a move. If one expansion adds more
// than the remaining room, the whole array is copied immediately.
// ------------------------------------------------------------------------------------------------

enum {
    MANY_GROWN = 8192,   // elements; a smaller array is copied in one go
    LEFT_SHARE = 8,      // the share of the room that is left when growth begins: 1 in 8
    GROWN_AT_ONCE = 2048 // bytes moved in place of an expansion
};

// Returns true if an array is nearly full and has to grow in steps.
static inline bool is_nearly_full(size_t count, size_t capacity)
{
    return capacity >= MANY_GROWN && count + capacity / LEFT_SHARE >= capacity;
}

// If an array is nearly full, moves a part of it to an array for twice as many elements. 'array' is
// the address of the pointer to the array. Returns ASTAR_RUNNING if a part was moved.
static AstarStatus grow_part(AstarGraphSearch *search, void *array, size_t count, size_t size,
                             size_t *capacity)
{
    if (!is_nearly_full(count, *capacity))
        return ASTAR_OK;
    void *grown;
    memcpy(&grown, array, sizeof grown);
    size_t bytes = *capacity * size;
    grown = astar_array_move(&search->alloc, grown, count * size, 1, &bytes, 2 * bytes,
                             &search->growth, GROWN_AT_ONCE);
    *capacity = bytes / size;
    if (grown == NULL)
        return ASTAR_NO_MEMORY;
    memcpy(array, &grown, sizeof grown);
    return ASTAR_RUNNING;
}

ASTAR_COLD AstarStatus astar_graph_grow_ahead(AstarGraphSearch *search)
{
    AstarKeys *states = &search->states;
    AstarHeap *open = &search->open;
    size_t count = states->count;
    AstarStatus status = grow_part(search, &open->items, open->count, sizeof *open->items,
                                   &open->capacity);
    AstarHeap64 *coarse = &search->coarse;
    if (status == ASTAR_OK)
        status = grow_part(search, &coarse->items, coarse->count, sizeof *coarse->items,
                           &coarse->capacity);
    if (status != ASTAR_OK || search->options.neighbours == NULL)
        return status;
    status = grow_part(search, &search->records, count, sizeof *search->records,
                       &search->record_capacity);
    if (status == ASTAR_OK && search->options.estimate != NULL)
        status = grow_part(search, &search->estimates, count, sizeof *search->estimates,
                           &search->estimate_capacity);
    if (status == ASTAR_OK)
        status = grow_part(search, &states->keys, count, sizeof *states->keys, &states->capacity);
    if (status == ASTAR_OK)
        status = grow_part(search, &states->text, states->text_length, 1, &states->text_capacity);
    return status;
}

// The functions below start the queries of a graph and read their results.

// Taking a search.

AstarGraphOptions astar_graph_options_default(void)
{
    AstarGraphQueryOptions query = {1, (double)INFINITY, UINT64_MAX, false};
    return (AstarGraphOptions){.min_cost = (double)NAN, .query = query};
}

static bool is_graph_query(const AstarGraphQueryOptions *query)
{
    return query->weight >= 1 && query->weight <= ASTAR_MAX_WEIGHT && query->max_cost >= 0 &&
           query->max_expansions >= 1;
}

static void clear_graph_search(AstarGraphSearch *search)
{
    astar_array_drop_move(&search->alloc, 1, &search->growth);
    astar_heap_clear(&search->open);
    astar_heap64_clear(&search->coarse);
    search->goal_was_taken = false;
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
    AstarGraphOptions usual = astar_graph_options_default();
    const AstarGraphOptions *given = options != NULL ? options : &usual;
    // NAN means "not given". NAN is not compared, since the host program may have floating-point
    // traps enabled.
    bool is_bad_cost = !isnan(given->min_cost) &&
                       (given->min_cost < 0 || given->min_cost > ASTAR_GRAPH_COST_MAX);
    if (!is_graph_query(&given->query) || is_bad_cost)
        return ASTAR_BAD_OPTION;
    AstarGraphSearch *search = graph->resting_count > 0 ? graph->resting[--graph->resting_count]
                                                        : NULL;
    if (search == NULL && (search = astar_alloc(&graph->alloc, 1, sizeof *search)) == NULL)
        return ASTAR_NO_MEMORY;
    search->alloc = graph->alloc;
    search->graph = graph;
    search->options = *given;
    search->query = given->query;
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
    astar_graph_search_leave_snapshot(search);
    if (graph->resting_count < ASTAR_RESTING_GRAPH_SEARCHES)
        graph->resting[graph->resting_count++] = search;
    else
        astar_graph_search_destroy(search);
    astar_graph_release(graph);
}

// Starting.

static bool has_node_or_state(const AstarGraphSearch *search, uint32_t node)
{
    return search->options.neighbours != NULL ? node < search->states.count
                                              : astar_has_node(search->graph, node);
}

// Returns true if a goal can be entered. In a space of states nothing is ever blocked.
static bool is_open_goal(const AstarGraphSearch *search, uint32_t node)
{
    return search->options.neighbours != NULL ||
           !(search->graph->nodes[node].flags & ASTAR_NODE_BLOCKED);
}

static AstarStatus prepare_search(AstarGraphSearch *search, const AstarGraphQueryOptions *query)
{
    if (query != NULL && !is_graph_query(query))
        return ASTAR_BAD_OPTION;
    if (query != NULL)
        search->query = *query;
    size_t count = search->options.neighbours != NULL ? search->states.count
                                                      : (size_t)search->graph->keys.count + 1;
    search->version = search->graph->version;
    return astar_graph_make_room(search, count) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Prepares a search that starts from a node or a state.
static AstarStatus begin_from(AstarGraphSearch *search, uint32_t start, AstarGraphGoal kind,
                              const AstarGraphQueryOptions *query)
{
    search->aim.kind = kind;
    search->aim.start = start;
    return has_node_or_state(search, start) ? prepare_search(search, query) : ASTAR_BAD_OPTION;
}

// Adds the start to the open list.
static AstarStatus open_start(AstarGraphSearch *search, void *context)
{
    AstarStatus status = astar_graph_relax(search, ASTAR_NO_NODE, search->aim.start, 0, context,
                                           NULL);
    return status != ASTAR_OK ? status : ASTAR_RUNNING;
}

// Chooses the kind of estimate for a goal at (x, y). The coordinates are NAN if the position is
// unknown. 'most' is an upper limit of the estimated cost per length. For a goal outside the graph,
// 'most' is the cost per length of the path to that goal.
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
                                  const AstarGraphQueryOptions *query, void *context)
{
    if (!has_node_or_state(search, goal))
        return ASTAR_BAD_OPTION;
    AstarStatus status = begin_from(search, start, ASTAR_TO_NODE, query);
    if (status != ASTAR_OK)
        return status;
    search->aim.goal = goal;
    bool is_space = search->options.neighbours != NULL;
    double x = is_space ? (double)NAN : search->graph->nodes[goal].x;
    double y = is_space ? (double)NAN : search->graph->nodes[goal].y;
    choose_graph_estimate(search, x, y, (double)INFINITY);
    if (search->query.partial && search->options.estimate == NULL && isnan(x))
        return ASTAR_BAD_OPTION;
    if (start != goal && !is_open_goal(search, goal) && !search->query.partial)
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

ASTAR_COLD AstarStatus astar_graph_search_nearest(AstarGraphSearch *search, uint32_t start,
                                                  const uint32_t *goals, size_t count,
                                                  const AstarGraphQueryOptions *query)
{
    AstarStatus status = begin_from(search, start, ASTAR_TO_NEAREST, query);
    if (status != ASTAR_OK || (status = reserve_listed(search, count)) != ASTAR_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (!has_node_or_state(search, goals[i]))
            return ASTAR_BAD_OPTION;
        if (goals[i] == start || is_open_goal(search, goals[i]))
            search->listed.items[search->listed.count++] = (AstarListed){goals[i], (uint32_t)i, 0};
    }
    sort_listed(search);
    if (search->query.partial)
        return ASTAR_BAD_OPTION;
    if (search->listed.count == 0)
        return search->status = count > 0 ? ASTAR_GOAL_BLOCKED : ASTAR_UNREACHABLE;
    return open_start(search, NULL);
}

// Starts a search without a single known goal: the goal is any node that passes a test, or all
// nodes are to be reached.
static AstarStatus begin_unaimed(AstarGraphSearch *search, uint32_t start, AstarGraphGoal kind,
                                 const AstarGraphQueryOptions *query)
{
    AstarStatus status = begin_from(search, start, kind, query);
    if (status == ASTAR_OK && search->query.partial)
        status = ASTAR_BAD_OPTION;
    return status == ASTAR_OK ? open_start(search, NULL) : status;
}

AstarStatus astar_graph_search_where(AstarGraphSearch *search, uint32_t start, AstarNodeTest test,
                                     const AstarGraphQueryOptions *query)
{
    search->aim.test = test;
    return begin_unaimed(search, start, ASTAR_TO_PASSING, query);
}

AstarStatus astar_graph_search_reach(AstarGraphSearch *search, uint32_t start, double max_cost)
{
    const AstarGraphQueryOptions *usual = &search->options.query;
    double most = max_cost < usual->max_cost ? max_cost : usual->max_cost;
    AstarGraphQueryOptions query = {1, most, usual->max_expansions, false};
    return begin_unaimed(search, start, ASTAR_TO_ALL, &query);
}

ASTAR_COLD AstarStatus astar_graph_search_between(AstarGraphSearch *search,
                                                  const AstarWayIn *ways_in, size_t in_count,
                                                  const AstarWayIn *ways_out, size_t out_count,
                                                  double goal_x, double goal_y,
                                                  const AstarGraphQueryOptions *query,
                                                  void *context)
{
    AstarStatus status = prepare_search(search, query);
    if (status != ASTAR_OK || (status = reserve_listed(search, out_count)) != ASTAR_OK)
        return status;
    search->aim.kind = ASTAR_TO_NODE;
    search->aim.goal = search->graph->keys.count;
    search->aim.start = ASTAR_NO_NODE;
    if (search->query.partial || search->options.neighbours != NULL)
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

// Results.

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
    if (!astar_is_on_snapshot(search))
        return astar_graph_node(graph, node, out);
    if (node >= search->held.node_count)
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

// Reserves room in a path for 'count' nodes. The nodes that are in the path may be lost.
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
        node = search->records[node].parent; // the last one that is a node of the graph
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

// Returns a search's part of the bytes of its snapshot.
static size_t snapshot_bytes_of(const AstarGraphSearch *search)
{
    const AstarGraphSnapshot *snapshot = search->held.snapshot;
    if (snapshot == NULL)
        return 0;
    size_t bytes = sizeof *snapshot + snapshot->node_count * sizeof *snapshot->places;
    bytes += snapshot->capacity * sizeof *snapshot->nodes;
    bytes += snapshot->arc_capacity * sizeof *snapshot->arcs;
    return bytes / snapshot->searches;
}

size_t astar_graph_search_bytes(const AstarGraphSearch *search)
{
    return sizeof *search + search->record_capacity * sizeof *search->records +
           search->estimate_capacity * sizeof *search->estimates +
           search->open.capacity * sizeof *search->open.items +
           search->coarse.capacity * sizeof *search->coarse.items +
           astar_keys_bytes(&search->states) + snapshot_bytes_of(search) + search->growth.capacity +
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

// The functions below run the search: they estimate costs, expand nodes and take steps.

void astar_graph_search_destroy(AstarGraphSearch *search)
{
    const AstarAllocator alloc = search->alloc;
    astar_array_drop_move(&alloc, 1, &search->growth);
    astar_release(&alloc, search->records, search->record_capacity, sizeof *search->records);
    astar_release(&alloc, search->estimates, search->estimate_capacity, sizeof *search->estimates);
    astar_release(&alloc, search->listed.items, search->listed.capacity,
                  sizeof *search->listed.items);
    astar_release(&alloc, search->order.nodes, search->order.capacity, sizeof *search->order.nodes);
    astar_heap_free(&search->open, &alloc);
    astar_heap64_free(&search->coarse, &alloc);
    astar_keys_free(&search->states, &alloc);
    astar_release(&alloc, search, 1, sizeof *search);
}

bool astar_graph_make_room(AstarGraphSearch *search, size_t count)
{
    size_t kept = search->options.neighbours != NULL ? search->states.count : 0;
    kept = kept < search->record_capacity ? kept : search->record_capacity;
    if (!ASTAR_RESERVE(&search->alloc, search->records, kept, count - kept,
                       &search->record_capacity, 16))
        return false;
    size_t estimates = search->estimate_capacity;
    return search->options.estimate == NULL || count <= estimates ||
           ASTAR_RESERVE(&search->alloc, search->estimates, estimates, count - estimates,
                         &search->estimate_capacity, 16);
}

// The functions below return nodes and arcs as the search must see them.

const AstarGraphNode *astar_node_in_snapshot(const AstarGraphSearch *search, uint32_t node)
{
    const AstarGraphSnapshot *snapshot = search->held.snapshot;
    uint32_t place = node < snapshot->node_count ? snapshot->places[node] : 0;
    return place != 0 ? &snapshot->nodes[place - 1] : &search->graph->nodes[node];
}

const AstarGraphArc *astar_arcs_seen(const AstarGraphSearch *search, uint32_t node)
{
    const AstarGraphSnapshot *snapshot = search->held.snapshot;
    if (snapshot == NULL || node >= snapshot->node_count || snapshot->places[node] == 0)
        return astar_arcs_of(search->graph, node);
    return snapshot->arcs + snapshot->nodes[snapshot->places[node] - 1].arcs;
}

// Estimates.

static double distance_to_goal(const AstarGraphSearch *search, uint32_t node)
{
    if (search->options.neighbours != NULL || node >= search->graph->keys.count)
        return (double)INFINITY;
    const AstarGraphNode *at = astar_node_seen(search, node);
    double distance = astar_straight(at->x - search->aim.x, at->y - search->aim.y);
    return isnan(distance) ? (double)INFINITY : distance;
}

// Returns a lower bound of the remaining cost, from landmarks and positions.
static inline double estimate_plainly(const AstarGraphSearch *search, uint32_t node)
{
    double h = 0;
    if (search->aim.estimate == ASTAR_BY_LANDMARKS)
        h = astar_graph_landmarks_estimate(search->graph, node, search->aim.goal);
    if (search->aim.scale == 0 || node >= search->graph->keys.count)
        return h;
    const AstarGraphNode *at = astar_node_seen(search, node);
    double dx = at->x - search->aim.x, dy = at->y - search->aim.y;
    double straight = search->aim.scale * astar_straight(dx, dy);
    return isgreater(straight, h) ? straight : h; // NAN if a node has no position
}

// Returns the estimate of the cost that remains from a node. The caller's heuristic is called only
// once per node.
static double estimate_rest(AstarGraphSearch *search, uint32_t node, void *context)
{
    if (search->aim.estimate != ASTAR_BY_HOST)
        return estimate_plainly(search, node);
    if (astar_is_seen(search, node))
        return search->estimates[node];
    return search->options.estimate(context, node, search->aim.goal);
}

static bool was_edited(AstarGraphSearch *search)
{
    return search->graph->version != search->version;
}

AstarStatus astar_graph_relax(AstarGraphSearch *search, uint32_t from, uint32_t to, double g,
                              void *context, bool *is_better)
{
    if (is_better != NULL)
        *is_better = false;
    if (!astar_improves(search, to, g))
        return ASTAR_OK;
    double h = estimate_rest(search, to, context), most = search->query.max_cost;
    if (search->options.estimate != NULL && was_edited(search))
        return ASTAR_GRID_CHANGED;
    bool trusts = search->aim.estimate != ASTAR_BY_HOST && !search->query.partial;
    if (g > most || (trusts && g + h > most)) {
        search->was_cut = true;
        return ASTAR_OK;
    }
    if (!astar_heap_reserve(&search->open, &search->alloc, 1))
        return ASTAR_NO_MEMORY;
    if (search->aim.estimate == ASTAR_BY_HOST)
        search->estimates[to] = h;
    search->records[to] = (AstarRecord){g, from, search->epoch << 1};
    astar_heap_push(&search->open, astar_open(g + search->query.weight * h, g, to));
    if (is_better != NULL)
        *is_better = true;
    return ASTAR_OK;
}

// Expanding.

// Returns the cost of a step over an arc, or INFINITY if the arc need not be followed. Sets
// '*status' if a callback returned an invalid cost or edited the graph.
static double cost_of_arc(AstarGraphSearch *search, uint32_t from, const AstarGraphArc *arc,
                          void *context, AstarStatus *status)
{
    double cost = arc->cost;
    uint32_t to = astar_arc_to(arc);
    if (search->options.cost == NULL)
        return cost;
    if (astar_is_seen(search, to) && search->records[to].g <= search->records[from].g)
        return (double)INFINITY; // no cost can make this path the better one
    cost = search->options.cost(context, from, to, arc->label, cost);
    if (was_edited(search))
        *status = ASTAR_GRID_CHANGED;
    else if (!(cost >= astar_graph_search_least(search, from, to, arc->cost) &&
               (cost <= ASTAR_GRAPH_COST_MAX || isinf(cost))))
        *status = ASTAR_BAD_COST;
    return cost;
}

// Expands a node. The function serves every kind of search. The loop run_usual below does the same
// for most searches in less time.
static AstarStatus expand_one_by_one(AstarGraphSearch *search, uint32_t node, void *context)
{
    AstarStatus status = ASTAR_OK;
    double g = search->records[node].g;
    for (uint32_t i = 0; i < astar_node_seen(search, node)->count; i++) {
        const AstarGraphArc *arc = astar_arcs_seen(search, node) + i;
        uint32_t to = astar_arc_to(arc);
        if (arc->to & (ASTAR_ARC_ABSENT | ASTAR_ARC_BLOCKED) ||
            astar_node_seen(search, to)->flags & ASTAR_NODE_BLOCKED)
            continue;
        double cost = cost_of_arc(search, node, arc, context, &status);
        if (status == ASTAR_OK && !isinf(cost))
            status = astar_graph_relax(search, node, to, g + cost, context, NULL);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Returns the entry in the list of goals, or in the list of nodes at which a route leaves the
// graph, for a node. Returns NULL if there is no such entry.
static const AstarListed *find_listed(const AstarGraphSearch *search, uint32_t node)
{
    size_t count = search->listed.count;
    size_t place = astar_count_below(search->listed.items, count, sizeof *search->listed.items,
                                     node);
    bool is_there = place < count && search->listed.items[place].node == node;
    return is_there ? &search->listed.items[place] : NULL;
}

static AstarStatus expand_current(AstarGraphSearch *search, void *context)
{
    uint32_t node = search->current;
    if (search->options.neighbours != NULL) {
        AstarStatus status = search->options.neighbours(context, search, node);
        return status == ASTAR_OK && was_edited(search) ? ASTAR_GRID_CHANGED : status;
    }
    const AstarListed *way_out = search->aim.kind == ASTAR_TO_NODE ? find_listed(search, node)
                                                                   : NULL;
    if (way_out != NULL) {
        double g = search->records[node].g + way_out->cost;
        AstarStatus status = astar_graph_relax(search, node, search->aim.goal, g, context, NULL);
        if (status != ASTAR_OK)
            return status;
    }
    return expand_one_by_one(search, node, context);
}

// Steps.

// Returns true if the graph alone decides whether the goal can be reached: there is no callback
// that may bar edges, and no limit.
static bool asks_graph_alone(const AstarGraphSearch *search)
{
    const AstarGraphQueryOptions *query = &search->query;
    return search->aim.kind == ASTAR_TO_NODE && search->aim.start != ASTAR_NO_NODE &&
           search->options.neighbours == NULL &&
           (search->options.cost == NULL || search->options.dearer_only) &&
           search->options.estimate == NULL && !query->partial && isinf(query->max_cost) &&
           query->max_expansions == UINT64_MAX;
}

static AstarStatus finish_graph_search(AstarGraphSearch *search, AstarStatus status)
{
    if (status == ASTAR_UNREACHABLE && !astar_is_on_snapshot(search) && asks_graph_alone(search))
        astar_graph_components_note_vain(search->graph, search->expanded);
    bool leads_near = status == ASTAR_UNREACHABLE || status == ASTAR_MAX_COST ||
                      status == ASTAR_MAX_EXPANSIONS;
    if (leads_near && search->query.partial && search->found.nearest != ASTAR_NO_NODE) {
        search->found.node = search->found.nearest;
        search->found.is_partial = true;
        status = ASTAR_OK;
    }
    return search->status = status;
}

// Records a node as the expanded node nearest to the goal if no recorded node is nearer. Among
// equally near nodes the cheapest is recorded, then the node that was added to the graph first.
static void note_nearest_node(AstarGraphSearch *search, uint32_t node)
{
    double distance = search->aim.estimate == ASTAR_BY_HOST ? search->estimates[node]
                                                            : distance_to_goal(search, node);
    uint32_t nearest = search->found.nearest;
    bool is_nearer = nearest == ASTAR_NO_NODE || distance < search->found.distance;
    if (!is_nearer && distance == search->found.distance) {
        double g = search->records[node].g, nearest_g = search->records[nearest].g;
        is_nearer = g < nearest_g || (g == nearest_g && node < nearest);
    }
    if (is_nearer) {
        search->found.nearest = node;
        search->found.distance = distance;
    }
}

static bool is_goal_node(AstarGraphSearch *search, uint32_t node, void *context)
{
    switch (search->aim.kind) {
    case ASTAR_TO_NODE: return node == search->aim.goal;
    case ASTAR_TO_PASSING: return search->aim.test(context, node);
    case ASTAR_TO_ALL: return false;
    case ASTAR_TO_NEAREST: break;
    }
    const AstarListed *goal = find_listed(search, node);
    if (goal != NULL)
        search->found.index = goal->index;
    return goal != NULL;
}

// Takes the next node from the open list and makes it the current node. Returns false if the list
// is empty.
static bool take_next_node(AstarGraphSearch *search)
{
    while (astar_heap_count(&search->open) > 0) {
        uint32_t node = astar_open_cell(astar_heap_pop(&search->open));
        if (!(search->records[node].stamp &
              1)) { // otherwise a stale entry: the node was added again with a lower cost
            search->records[node].stamp |= 1;
            search->current = node;
            search->is_tested = false;
            return true;
        }
    }
    return false;
}

// Tests whether the current node is the goal. Returns ASTAR_RUNNING if the node is to be expanded,
// otherwise the result of the search.
static AstarStatus test_current(AstarGraphSearch *search, void *context)
{
    bool found = is_goal_node(search, search->current, context);
    if (was_edited(search))
        return search->status = ASTAR_GRID_CHANGED;
    if (found) {
        search->found.node = search->current;
        return search->status = ASTAR_OK;
    }
    if (search->query.partial)
        note_nearest_node(search, search->current);
    if (search->expanded == search->query.max_expansions) {
        search->records[search->current].stamp &= ~1u; // the node is not expanded
        return finish_graph_search(search, ASTAR_MAX_EXPANSIONS);
    }
    if (search->aim.kind == ASTAR_TO_ALL) {
        if (!ASTAR_RESERVE(&search->alloc, search->order.nodes, search->order.count, 1,
                           &search->order.capacity, 64))
            return ASTAR_NO_MEMORY;
        search->order.nodes[search->order.count++] = search->current;
    }
    search->is_tested = true;
    search->expanded++;
    return ASTAR_RUNNING;
}

// Returns true if the connected components show that there is no path. The components depend on
// earlier queries. Therefore only a search in one call uses them, because a caller cannot observe
// how many steps that search took.
static bool is_hopeless(const AstarGraphSearch *search, uint64_t expansions)
{
    return expansions == UINT64_MAX && search->expanded == 0 && !astar_is_on_snapshot(search) &&
           asks_graph_alone(search) &&
           astar_graph_are_apart(search->graph, search->aim.start, search->aim.goal);
}

// Updates a search that reads a snapshot after an edit of the graph, so that the search can
// continue.
static void see_edits(AstarGraphSearch *search)
{
    search->version = search->graph->version;
    if (search->aim.estimate != ASTAR_BY_LANDMARKS) // edits may make landmarks invalid
        return;
    search->aim.estimate = search->aim.scale > 0 ? ASTAR_BY_POSITION : ASTAR_NO_ESTIMATE;
    search->aim.reopens = true; // the search has used higher estimates before
}

// The loop of most searches.
//
// A search for the path to one node of a graph without 'partial' runs in this loop, unless an edit
// made it read a snapshot. The loop does what take_next_node, test_current and expand_current do,
// with the kind of estimate and the presence of a cost function as constants.
//
// Without an estimate or with one by positions, the order of nodes with almost the same f matters
// little. The open list is then a heap of single words: the first 36 bits of f, above the number of
// the node. Different values of f may be equal in 36 bits, so a node may be expanded too early.
// A node that was expanded too early is expanded again if its path becomes cheaper. Because values
// of f may be equal in 36 bits, the search does not end when the goal is taken off the heap either.
// The search then expands the nodes whose f is equal to the goal's f in 36 bits, but whose exact f
// is less.

static bool is_usual(const AstarGraphSearch *search)
{
    return search->aim.kind == ASTAR_TO_NODE && search->options.neighbours == NULL &&
           !search->query.partial && search->listed.count == 0 && !astar_is_on_snapshot(search);
}

static bool is_coarse(const AstarGraphSearch *search)
{
    return search->query.weight == 1 &&
           (search->aim.estimate == ASTAR_NO_ESTIMATE || search->aim.estimate == ASTAR_BY_POSITION);
}

static_assert(ASTAR_MAX_NODES <= ASTAR_CELL_MASK + UINT32_C(1),
              "a node's number fits into an item of the heap");

// Returns the item of the heap of single words for a node. The item leaves out the sign of f, which
// is never negative.
static inline uint64_t coarse_item(double f, uint32_t node)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits << 1 & ~(uint64_t)ASTAR_CELL_MASK) | node;
}

ASTAR_SPECIALIZE void push_coarse(AstarHeap64 *open, uint64_t item)
{
    if (open->vacant) {
        open->vacant = false;
        astar_heap64_sink(open->items, open->count, item);
        return;
    }
    astar_heap64_rise(open->items, open->count++, item);
}

static inline bool reserve_coarse(AstarGraphSearch *search, size_t more)
{
    AstarHeap64 *open = &search->coarse;
    return ASTAR_RESERVE(&search->alloc, open->items, open->count, more, &open->capacity, 256);
}

// Moves the start from the open list of other searches to the heap of single words.
static bool begin_coarse(AstarGraphSearch *search)
{
    if (!reserve_coarse(search, astar_heap_count(&search->open)))
        return false;
    while (astar_heap_count(&search->open) > 0) {
        AstarOpen item = astar_heap_pop(&search->open);
        push_coarse(&search->coarse, coarse_item(astar_open_f(item), astar_open_cell(item)));
    }
    return true;
}

// Moves the open list to the heap of other searches, because the search must read a snapshot from
// now on. Returns false if there is no memory.
ASTAR_COLD static bool leave_coarse(AstarGraphSearch *search)
{
    AstarHeap64 *coarse = &search->coarse;
    if (!astar_heap_reserve(&search->open, &search->alloc, coarse->count + 1))
        return false;
    if (search->goal_was_taken)
        push_coarse(coarse, search->aim.goal); // in place of the vacant top
    for (size_t i = coarse->vacant; i < coarse->count; i++) {
        uint32_t node = (uint32_t)coarse->items[i] & ASTAR_CELL_MASK;
        double g = search->records[node].g;
        if (!(search->records[node].stamp & 1))
            astar_heap_push(&search->open, astar_open(g + estimate_plainly(search, node), g, node));
    }
    astar_heap64_clear(coarse);
    search->goal_was_taken = false;
    return true;
}

// Takes the next node from the heap of single words and makes it the current node. Returns false if
// no node is left that may lead to a cheaper path than the one known.
ASTAR_SPECIALIZE bool take_coarse(AstarGraphSearch *search, AstarEstimateKind kind)
{
    AstarHeap64 *open = &search->coarse;
    AstarRecord *records = search->records;
    const uint32_t goal = search->aim.goal;
    for (;;) {
        if (open->vacant) {
            if (search->goal_was_taken) {
                size_t least = open->count > 1
                                   ? astar_heap64_least_child(open->items, open->count, 0)
                                   : 0;
                if (least == 0 ||
                    open->items[least] > coarse_item(records[goal].g, ASTAR_CELL_MASK))
                    return false;
            }
            uint64_t last = open->items[--open->count];
            open->vacant = false;
            if (open->count == 0)
                return false;
            astar_heap64_sink(open->items, open->count, last);
        } else if (open->count == 0) {
            return false;
        }
        open->vacant = true;
        uint32_t node = (uint32_t)open->items[0] & ASTAR_CELL_MASK;
        if (records[node].stamp & 1)
            continue; // a stale item: the node was added again with a lower cost
        if (node == goal) {
            search->goal_was_taken = true;
            continue;
        }
        if (search->goal_was_taken) {
            double h = kind == ASTAR_NO_ESTIMATE ? 0 : estimate_plainly(search, node);
            if (records[node].g + h >= records[goal].g)
                continue;
        }
        records[node].stamp |= 1;
        search->current = node;
        search->is_tested = false;
        return true;
    }
}

// Returns true if a cost function may return 'cost' for an arc.
static inline bool is_valid_cost(const AstarGraphSearch *search, uint32_t from,
                                 const AstarGraphArc *arc, double cost)
{
    // The estimate of a search without 'min_cost' allows the cost of every arc.
    bool is_enough = cost >= arc->cost && isnan(search->options.min_cost);
    return (is_enough ||
            cost >= astar_graph_search_least(search, from, astar_arc_to(arc), arc->cost)) &&
           (cost <= ASTAR_GRAPH_COST_MAX || isinf(cost));
}

// Number of nodes above which the memory of a graph is too large for the fast caches of the CPU, so
// that expand_usual prefetches records and nodes.
enum { LARGE_GRAPH = 4096 };

// Expands a node in the loop of most searches. 'coarse' is true if the open list is the heap of
// single words.
ASTAR_SPECIALIZE AstarStatus expand_usual(AstarGraphSearch *search, uint32_t from, void *context,
                                          AstarEstimateKind kind, bool has_cost, bool coarse)
{
    const AstarGraph *graph = search->graph;
    const AstarGraphNode *nodes = graph->nodes;
    AstarRecord *records = search->records;
    const AstarGraphArc *arc = astar_arcs_of(graph, from), *end = arc + nodes[from].count;
    // The stamp of a node that this search has reached but not expanded. The stamp of an expanded
    // node is 1 more.
    const uint32_t opened = search->epoch << 1;
    const double g = records[from].g, weight = coarse ? 1 : search->query.weight;
    const double most = search->query.max_cost, scale = search->aim.scale;
    const double goal_x = search->aim.x, goal_y = search->aim.y;
    const bool keeps_closed = !coarse && weight > 1 && !search->aim.reopens;
    const bool is_large = graph->keys.count > LARGE_GRAPH, has_blocked = graph->blocked > 0;
    if (!(coarse ? reserve_coarse(search, nodes[from].count)
                 : astar_heap_reserve(&search->open, &search->alloc, nodes[from].count)))
        return ASTAR_NO_MEMORY;
    if (is_large)
        for (const AstarGraphArc *each = arc; each < end; each++) {
            ASTAR_PREFETCH(&records[astar_arc_to(each)]);
            ASTAR_PREFETCH(&nodes[astar_arc_to(each)]);
        }
    for (; arc < end; arc++) {
        uint32_t to = astar_arc_to(arc);
        AstarRecord *record = &records[to];
        double cost = arc->cost, to_g = g + cost;
        bool is_seen = record->stamp >= opened;
        double least_g = !has_cost || search->options.dearer_only ? to_g : g;
        if ((is_seen & (record->g <= least_g)) |
            ((arc->to & (ASTAR_ARC_ABSENT | ASTAR_ARC_BLOCKED)) != 0))
            continue;
        const AstarGraphNode *node = &nodes[to];
        if ((has_blocked && node->flags & ASTAR_NODE_BLOCKED) ||
            (keeps_closed && record->stamp > opened))
            continue;
        if (has_cost) {
            cost = search->options.cost(context, from, to, arc->label, cost);
            if (was_edited(search))
                return ASTAR_GRID_CHANGED;
            if (!is_valid_cost(search, from, arc, cost))
                return ASTAR_BAD_COST;
            to_g = g + cost;
            if (isinf(cost) || (is_seen && record->g <= to_g))
                continue;
        }
        double h = 0;
        if (kind == ASTAR_BY_POSITION) { // all nodes with arcs have a position
            h = scale * astar_straight(node->x - goal_x, node->y - goal_y);
        } else if (kind == ASTAR_BY_LANDMARKS) {
            h = estimate_plainly(search, to);
        } else if (kind == ASTAR_BY_HOST) {
            h = is_seen ? search->estimates[to]
                        : search->options.estimate(context, to, search->aim.goal);
            if (was_edited(search))
                return ASTAR_GRID_CHANGED;
            search->estimates[to] = h;
        }
        if ((kind == ASTAR_BY_HOST ? to_g : to_g + h) > most) {
            search->was_cut = true;
            continue;
        }
        if (is_large)
            ASTAR_PREFETCH(graph->arcs + node->arcs);
        *record = (AstarRecord){to_g, from, opened};
        if (coarse)
            push_coarse(&search->coarse, coarse_item(to_g + h, to));
        else
            astar_heap_push(&search->open, astar_open(to_g + weight * h, to_g, to));
    }
    return ASTAR_OK;
}

// Ends a search whose open list has no node left that may improve the path.
static AstarStatus end_usual(AstarGraphSearch *search)
{
    if (!search->goal_was_taken)
        return finish_graph_search(search, search->was_cut ? ASTAR_MAX_COST : ASTAR_UNREACHABLE);
    search->current = search->found.node = search->aim.goal;
    search->records[search->aim.goal].stamp |= 1;
    return search->status = ASTAR_OK;
}

// Runs the loop of most searches for at most 'expansions' expansions.
ASTAR_SPECIALIZE AstarStatus run_usual(AstarGraphSearch *search, uint64_t expansions, void *context,
                                       AstarEstimateKind kind, bool has_cost, bool coarse)
{
    for (; expansions > 0; expansions--) {
        if (coarse ? is_nearly_full(search->coarse.count, search->coarse.capacity)
                   : is_nearly_full(search->open.count, search->open.capacity)) {
            AstarStatus status = astar_graph_grow_ahead(search);
            if (status == ASTAR_RUNNING)
                continue;
            if (status != ASTAR_OK)
                return status;
        }
        if (search->current == ASTAR_NO_NODE &&
            !(coarse ? take_coarse(search, kind) : take_next_node(search)))
            return end_usual(search);
        uint32_t node = search->current;
        if (!search->is_tested) {
            if (node == search->aim.goal ||
                (search->expanded == search->query.max_expansions && !search->goal_was_taken))
                return test_current(search, context);
            search->is_tested = true;
            search->expanded++;
        }
        AstarStatus status = expand_usual(search, node, context, kind, has_cost, coarse);
        if (status != ASTAR_OK)
            return status == ASTAR_GRID_CHANGED ? search->status = status : status;
        search->current = ASTAR_NO_NODE;
    }
    return ASTAR_RUNNING;
}

// Calls run_usual with constants in place of variables, so that the compiler makes a loop for each
// kind of search.
static AstarStatus run_usual_search(AstarGraphSearch *search, uint64_t expansions, void *context)
{
    AstarEstimateKind kind = search->aim.estimate;
    bool has_cost = search->options.cost != NULL;
    if (!is_coarse(search))
        return run_usual(search, expansions, context, kind, has_cost, false);
    if (!begin_coarse(search))
        return ASTAR_NO_MEMORY;
    if (has_cost)
        return run_usual(search, expansions, context, kind, true, true);
    return kind == ASTAR_BY_POSITION
               ? run_usual(search, expansions, context, ASTAR_BY_POSITION, false, true)
               : run_usual(search, expansions, context, ASTAR_NO_ESTIMATE, false, true);
}

AstarStatus astar_graph_search_step(AstarGraphSearch *search, uint64_t expansions, void *context)
{
    if (search->status != ASTAR_RUNNING)
        return search->status;
    if (was_edited(search) && astar_is_held(search))
        see_edits(search); // an edit by a callback is an error all the same
    if (was_edited(search))
        return search->status = ASTAR_GRID_CHANGED;
    if (is_hopeless(search, expansions))
        return search->status = ASTAR_UNREACHABLE;
    if (is_usual(search))
        return run_usual_search(search, expansions, context);
    if (search->coarse.count > 0 && !leave_coarse(search))
        return ASTAR_NO_MEMORY;
    for (; expansions > 0; expansions--) {
        AstarStatus status = astar_graph_grow_ahead(search);
        if (status == ASTAR_RUNNING)
            continue;
        if (status != ASTAR_OK)
            return status;
        if (search->current == ASTAR_NO_NODE && !take_next_node(search))
            return finish_graph_search(search, search->aim.kind == ASTAR_TO_ALL ? ASTAR_OK
                                               : search->was_cut                ? ASTAR_MAX_COST
                                                                 : ASTAR_UNREACHABLE);
        status = search->is_tested ? ASTAR_RUNNING : test_current(search, context);
        if (status != ASTAR_RUNNING)
            return status;
        status = expand_current(search, context);
        if (status == ASTAR_GRID_CHANGED)
            return search->status = status;
        if (status != ASTAR_OK)
            return status;
        search->current = ASTAR_NO_NODE;
    }
    return ASTAR_RUNNING;
}

// States.

AstarStatus astar_graph_search_state(AstarGraphSearch *search, const AstarName *key, uint32_t *node,
                                     bool *is_new)
{
    if (key->kind == ASTAR_NAME_TEXT ? key->length > ASTAR_MAX_KEY : isnan(key->number))
        return ASTAR_BAD_OPTION;
    *node = astar_keys_find(&search->states, key);
    *is_new = *node == ASTAR_NO_NODE;
    if (!*is_new)
        return ASTAR_OK;
    if (search->states.count >= ASTAR_MAX_NODES)
        return ASTAR_TOO_LARGE;
    if (!astar_graph_make_room(search, (size_t)search->states.count + 1))
        return ASTAR_NO_MEMORY;
    *node = astar_keys_add(&search->states, &search->alloc, key);
    return *node != ASTAR_NO_NODE ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_graph_search_reach_state(AstarGraphSearch *search, uint32_t node, double cost,
                                           void *context, bool *is_better)
{
    if (search->current == ASTAR_NO_NODE || node >= search->states.count)
        return ASTAR_BAD_OPTION;
    if (!(cost >= 0 && cost <= ASTAR_GRAPH_COST_MAX))
        return ASTAR_BAD_COST;
    double g = search->records[search->current].g + cost;
    return astar_graph_relax(search, search->current, node, g, context, is_better);
}

double astar_graph_search_least(const AstarGraphSearch *search, uint32_t from, uint32_t to,
                                double cost)
{
    if (search->options.dearer_only)
        return cost;
    if (search->aim.scale == 0 || search->options.neighbours != NULL)
        return 0;
    const AstarGraphNode *a = astar_node_seen(search, from), *b = astar_node_seen(search, to);
    double length = astar_straight(a->x - b->x, a->y - b->y);
    return search->aim.scale * length * ASTAR_ROUNDED_DOWN;
}

// ------------------------------------------------------------------------------------------------
// Searches on a snapshot of a graph while the graph is edited.
//
// A search in steps sees the graph as it was when the search began. Only nodes that are edited
// later are copied for this. Before an edit changes a node or its arcs, each snapshot of the graph
// stores a copy of the node, and the searches read the copy from then on. An edit therefore takes a
// little longer, and the steps of the search take no longer. The first edit makes the snapshot for
// all searches that have begun since the edit before. Nodes added since the snapshot are connected
// to no node that the search sees. Grids have other snapshots (map/snapshot.c), because most edits
// of a map change the bitmaps and components that jump point search reads from the whole map.
// ------------------------------------------------------------------------------------------------

static void free_graph_snapshot(AstarGraphSnapshot *snapshot, const AstarAllocator *allocator)
{
    if (snapshot == NULL)
        return;
    astar_release(allocator, snapshot->places, snapshot->node_count, sizeof *snapshot->places);
    astar_release(allocator, snapshot->nodes, snapshot->capacity, sizeof *snapshot->nodes);
    astar_release(allocator, snapshot->arcs, snapshot->arc_capacity, sizeof *snapshot->arcs);
    astar_release(allocator, snapshot, 1, sizeof *snapshot);
}

// Creates a snapshot without copies of nodes. Returns NULL if there is no memory.
static AstarGraphSnapshot *new_graph_snapshot(const AstarGraph *graph)
{
    AstarGraphSnapshot *snapshot = astar_alloc(&graph->alloc, 1, sizeof *snapshot);
    if (snapshot == NULL)
        return NULL;
    snapshot->node_count = graph->keys.count;
    snapshot->places = astar_alloc(&graph->alloc, snapshot->node_count, sizeof *snapshot->places);
    if (snapshot->places != NULL)
        return snapshot;
    free_graph_snapshot(snapshot, &graph->alloc);
    return NULL;
}

// Stores a copy of a node in a snapshot, unless a copy is stored already or the node was added
// after the snapshot. Returns false if there is no memory.
ASTAR_COLD static bool keep_node(AstarGraphSnapshot *snapshot, const AstarGraph *graph,
                                 uint32_t node)
{
    if (node >= snapshot->node_count || snapshot->places[node] != 0)
        return true;
    AstarGraphNode as_it_is = graph->nodes[node];
    if (!ASTAR_RESERVE(&graph->alloc, snapshot->nodes, snapshot->count, 1, &snapshot->capacity,
                       16) ||
        !ASTAR_RESERVE(&graph->alloc, snapshot->arcs, snapshot->arc_count, as_it_is.count,
                       &snapshot->arc_capacity, 64))
        return false;
    if (as_it_is.count > 0)
        memcpy(snapshot->arcs + snapshot->arc_count, astar_arcs_of(graph, node),
               as_it_is.count * sizeof *snapshot->arcs);
    as_it_is.arcs = (uint32_t)snapshot->arc_count;
    snapshot->arc_count += as_it_is.count;
    snapshot->nodes[snapshot->count++] = as_it_is;
    snapshot->places[node] = (uint32_t)snapshot->count;
    return true;
}

// Makes a search read a snapshot. Does nothing if 'snapshot' is NULL.
static void join_snapshot(AstarGraphSearch *search, AstarGraphSnapshot *snapshot)
{
    search->held.snapshot = snapshot;
    if (snapshot != NULL)
        snapshot->searches++;
}

// The list of searches is ordered by their beginnings, so searches with the same snapshot are
// neighbours in the list.
void astar_graph_keep_node(AstarGraph *graph, uint32_t node)
{
    AstarGraphSnapshot *fresh = NULL, *done = NULL;
    for (AstarGraphSearch *each = graph->held; each != NULL; each = each->held.next) {
        if (each->status == ASTAR_NO_MEMORY)
            continue;
        if (each->held.snapshot == NULL) {
            fresh = fresh != NULL ? fresh : new_graph_snapshot(graph);
            join_snapshot(each, fresh);
        }
        AstarGraphSnapshot *snapshot = each->held.snapshot;
        if (snapshot != NULL && (snapshot == done || keep_node(snapshot, graph, node)))
            done = snapshot;
        else
            each->status = ASTAR_NO_MEMORY;
    }
}

ASTAR_COLD void astar_graph_keep_around(AstarGraph *graph, uint32_t node)
{
    if (graph->held == NULL)
        return;
    astar_graph_keep_node(graph, node);
    const AstarGraphArc *arcs = astar_arcs_of(graph, node);
    for (uint32_t i = 0; i < graph->nodes[node].count; i++)
        astar_graph_keep_node(graph, astar_arc_to(&arcs[i]));
}

bool astar_graph_has_snapshots(const AstarGraph *graph)
{
    return graph->held != NULL;
}

uint64_t astar_graph_snapshot_since(const AstarGraph *graph)
{
    uint64_t oldest = graph->version;
    for (const AstarGraphSearch *each = graph->held; each != NULL; each = each->held.next)
        oldest = each->held.since; // the oldest one is last in the list
    return oldest;
}

AstarStatus astar_graph_search_take_snapshot(AstarGraphSearch *search)
{
    AstarGraph *graph = search->graph;
    if (search->status != ASTAR_RUNNING || astar_is_held(search) || search->expanded > 0 ||
        search->version != graph->version || search->options.neighbours != NULL ||
        search->aim.start == ASTAR_NO_NODE) // a search from outside the graph
        return ASTAR_BAD_OPTION;
    search->held.node_count = graph->keys.count;
    search->held.since = graph->version;
    search->held.next = graph->held;
    graph->held = search;
    return ASTAR_OK;
}

void astar_graph_search_leave_snapshot(AstarGraphSearch *search)
{
    if (!astar_is_held(search))
        return;
    AstarGraphSearch **link = &search->graph->held;
    while (*link != search)
        link = &(*link)->held.next;
    *link = search->held.next;
    AstarGraphSnapshot *snapshot = search->held.snapshot;
    if (snapshot != NULL && --snapshot->searches == 0)
        free_graph_snapshot(snapshot, &search->graph->alloc);
    search->held.snapshot = NULL;
    search->held.node_count = 0;
}

uint32_t astar_graph_search_label(const AstarGraphSearch *search, uint32_t from, uint32_t to)
{
    const AstarGraphArc *arcs = astar_arcs_seen(search, from);
    uint32_t count = astar_node_seen(search, from)->count;
    for (uint32_t i = 0; i < count; i++)
        if (astar_arc_to(&arcs[i]) == to && !(arcs[i].to & ASTAR_ARC_ABSENT))
            return arcs[i].label;
    return 0;
}

// The tables below let searches and bakings of graphs run as jobs.

ASTAR_JOB_STEPS(step_graph_search_job, astar_graph_search_step(job, expansions, context))
ASTAR_JOB_TELLS(AstarStatus, status_of_graph_search_job, astar_graph_search_status(job))
ASTAR_JOB_TELLS(uint64_t, expanded_of_graph_search_job, astar_graph_search_expanded(job))
ASTAR_JOB_TELLS(size_t, bytes_of_graph_search_job, astar_graph_search_bytes(job))
ASTAR_JOB_CLOSES(close_graph_search_job, astar_graph_search_free(job))

const AstarJobKind astar_graph_search_job = {"graph search",
                                             step_graph_search_job,
                                             status_of_graph_search_job,
                                             expanded_of_graph_search_job,
                                             bytes_of_graph_search_job,
                                             close_graph_search_job};

ASTAR_JOB_STEPS(step_graph_baking_job, astar_graph_baking_step(job, expansions))
ASTAR_JOB_CLOSES(close_graph_baking_job, astar_graph_baking_free(job))

const AstarJobKind astar_graph_baking_job = {
    .name = "graph baking", .step = step_graph_baking_job, .close = close_graph_baking_job};
