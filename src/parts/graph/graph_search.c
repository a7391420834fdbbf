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

#define USUAL_QUERY                                                                                \
    {                                                                                              \
        1, (double)INFINITY, UINT64_MAX, false                                                     \
    }

AstarGraphOptions astar_graph_options_default(void)
{
    return (AstarGraphOptions){.min_cost = (double)NAN, .query = USUAL_QUERY};
}

static bool is_graph_query(const AstarGraphQueryOptions *query)
{
    return query->weight >= 1 && query->weight <= ASTAR_MAX_WEIGHT && query->max_cost >= 0 &&
           query->max_expansions >= 1;
}

static inline void clear_graph_search(AstarGraphSearch *search)
{
    if (search->growth.to != NULL)
        astar_array_drop_move(&search->alloc, 1, &search->growth);
    astar_heap_clear(&search->open);
    astar_heap64_clear(&search->coarse);
    search->loop = NULL;
    if (search->states.count > 0)
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

// Takes an idle search of the graph, or creates a search.
ASTAR_SPECIALIZE AstarStatus take_search(AstarGraph *graph, const AstarGraphOptions *options,
                                         AstarGraphSearch **out)
{
    static const AstarGraphOptions usual = {.min_cost = (double)NAN, .query = USUAL_QUERY};
    const AstarGraphOptions *given = options != NULL ? options : &usual;
    // NAN means "not given". NAN is not compared, since the host program may have floating-point
    // traps enabled.
    bool is_bad_cost = !isnan(given->min_cost) &&
                       (given->min_cost < 0 || given->min_cost > ASTAR_GRAPH_COST_MAX);
    if (!is_graph_query(&given->query) || is_bad_cost)
        return ASTAR_BAD_OPTION;
    AstarGraphSearch *search;
    if (graph->resting_count > 0) {
        search = graph->resting[--graph->resting_count];
    } else {
        if ((search = astar_alloc(&graph->alloc, 1, sizeof *search)) == NULL)
            return ASTAR_NO_MEMORY;
        search->alloc = graph->alloc;
        search->graph = graph;
    }
    search->options = *given;
    search->query = given->query;
    clear_graph_search(search);
    graph->references++;
    *out = search;
    return ASTAR_OK;
}

AstarStatus astar_graph_search_new(AstarGraph *graph, const AstarGraphOptions *options,
                                   AstarGraphSearch **out)
{
    return take_search(graph, options, out);
}

ASTAR_SPECIALIZE void give_search_back(AstarGraphSearch *search)
{
    AstarGraph *graph = search->graph;
    if (astar_is_held(search))
        astar_graph_search_leave_snapshot(search);
    if (graph->resting_count < ASTAR_RESTING_GRAPH_SEARCHES)
        graph->resting[graph->resting_count++] = search;
    else
        astar_graph_search_destroy(search);
    if (graph->references > 1)
        graph->references--;
    else
        astar_graph_release(graph);
}

void astar_graph_search_free(AstarGraphSearch *search)
{
    if (search != NULL)
        give_search_back(search);
}

// Starting.

// Returns true if run_usual, the loop of most searches, can run a search.
static bool is_usual(const AstarGraphSearch *search)
{
    return search->aim.kind == ASTAR_TO_NODE && search->options.neighbours == NULL &&
           !search->query.partial && search->listed.count == 0;
}

static_assert(ASTAR_MAX_NODES <= ASTAR_CELL_MASK + UINT32_C(1),
              "a node's number fits into an item of the heap");

// Returns the item of the heap of single words for a node. The item leaves out the sign of f, which
// is never negative.
static inline uint64_t coarse_item(double f, uint32_t low_bits)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits << 1 & ~(uint64_t)ASTAR_CELL_MASK) | low_bits;
}

// Returns the bits of an item that break ties of f by the estimate. 'h' is not negative.
static inline uint32_t tie_bits(const AstarGraphAim *aim, double h)
{
    double units = h * aim->tie_scale;
    return (uint32_t)(int32_t)(units < aim->tie_most ? units : aim->tie_most) & ~aim->node_mask;
}

// Chooses which bits of an item break ties.
static inline void choose_ties(AstarGraphSearch *search)
{
    AstarGraphAim *aim = &search->aim;
    aim->node_mask = ASTAR_CELL_MASK;
    if (aim->estimate != ASTAR_BY_HOST)
        return;
    while (aim->node_mask >> 1 >= search->graph->keys.count)
        aim->node_mask >>= 1;
    double rest = search->estimates[aim->start];
    aim->tie_most = ASTAR_CELL_MASK;
    aim->tie_scale = rest > 0 ? aim->tie_most / rest : 0;
}

// The functions below are a heap of words with four children per node. At least FREE_WORDS words
// after the last item are the greatest number, so that every node has four children to compare.

enum { FREE_WORDS = 4 };

// Makes room in the heap of single words for 'more' items.
static inline bool reserve_coarse(AstarGraphSearch *search, size_t more)
{
    AstarHeap64 *open = &search->coarse;
    if (!ASTAR_RESERVE(&search->alloc, open->items, open->count, more + FREE_WORDS, &open->capacity,
                       256))
        return false;
    for (size_t i = 0; i < FREE_WORDS; i++)
        open->items[open->count + i] = UINT64_MAX;
    return true;
}

// Puts an item in the place of the vacant top and moves it down to where it belongs.
static inline void sink_coarse(uint64_t *items, size_t count, uint64_t item)
{
    size_t at = 0;
    for (size_t child = 1; child < count; child = 4 * at + 1) {
        size_t left = child + (items[child + 1] < items[child]);
        size_t right = child + 2 + (items[child + 3] < items[child + 2]);
        size_t least = items[right] < items[left] ? right : left;
        if (items[least] >= item)
            break;
        items[at] = items[least];
        at = least;
    }
    items[at] = item;
}

// Adds an item. 'count' is the number of items without the new one.
static inline void rise_coarse(uint64_t *items, size_t count, uint64_t item)
{
    size_t at = count;
    items[count + FREE_WORDS] = UINT64_MAX;
    for (size_t parent; at > 0 && items[parent = (at - 1) / 4] > item; at = parent)
        items[at] = items[parent];
    items[at] = item;
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

static bool was_edited(AstarGraphSearch *search)
{
    return search->graph->version != search->version;
}

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

static inline AstarStatus prepare_search(AstarGraphSearch *search,
                                         const AstarGraphQueryOptions *query)
{
    if (query != NULL && !is_graph_query(query))
        return ASTAR_BAD_OPTION;
    if (query != NULL)
        search->query = *query;
    size_t count = search->options.neighbours != NULL ? search->states.count
                                                      : (size_t)search->graph->keys.count + 1;
    search->version = search->graph->version;
    bool has_room = count <= search->record_capacity && search->options.estimate == NULL;
    return has_room || astar_graph_make_room(search, count) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Prepares a search that starts from a node or a state.
static inline AstarStatus begin_from(AstarGraphSearch *search, uint32_t start, AstarGraphGoal kind,
                                     const AstarGraphQueryOptions *query)
{
    search->aim.kind = kind;
    search->aim.start = start;
    return has_node_or_state(search, start) ? prepare_search(search, query) : ASTAR_BAD_OPTION;
}

// Moves the starts from the open list of other searches to the heap of single words.
static bool begin_coarse(AstarGraphSearch *search)
{
    AstarHeap64 *open = &search->coarse;
    if (!reserve_coarse(search, astar_heap_count(&search->open)))
        return false;
    choose_ties(search);
    while (astar_heap_count(&search->open) > 0) {
        AstarOpen item = astar_heap_pop(&search->open);
        rise_coarse(open->items, open->count++,
                    coarse_item(astar_open_f(item), astar_open_cell(item)));
    }
    return true;
}

static inline void choose_loop(AstarGraphSearch *search);
static inline bool uses_words(const AstarGraphSearch *search);

// Adds the start to the open list of a search that uses the heap of single words. The item of the
// start has no f, because the start is the first node in any case. The caller's heuristic is called
// because its estimate of the start scales the bits that break ties.
static inline AstarStatus open_start_in_words(AstarGraphSearch *search, void *context)
{
    uint32_t start = search->aim.start;
    if (!reserve_coarse(search, 1))
        return ASTAR_NO_MEMORY;
    if (search->aim.estimate == ASTAR_BY_HOST) {
        search->estimates[start] = search->options.estimate(context, start, search->aim.goal);
        if (was_edited(search))
            return ASTAR_GRID_CHANGED;
    } else if (!isinf(search->query.max_cost) &&
               estimate_plainly(search, start) > search->query.max_cost) {
        search->was_cut = true;
        return ASTAR_RUNNING;
    }
    choose_ties(search);
    search->records[start] = (AstarRecord){0, ASTAR_NO_NODE, search->epoch << 1};
    rise_coarse(search->coarse.items, search->coarse.count++, start);
    return ASTAR_RUNNING;
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
ASTAR_SPECIALIZE void choose_graph_estimate(AstarGraphSearch *search, double x, double y,
                                            double most)
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

ASTAR_SPECIALIZE AstarStatus begin_to(AstarGraphSearch *search, uint32_t start, uint32_t goal,
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
    choose_loop(search);
    return uses_words(search) ? open_start_in_words(search, context) : open_start(search, context);
}

AstarStatus astar_graph_search_to(AstarGraphSearch *search, uint32_t start, uint32_t goal,
                                  const AstarGraphQueryOptions *query, void *context)
{
    return begin_to(search, start, goal, query, context);
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
    choose_loop(search);
    if (status == ASTAR_OK && uses_words(search) && !begin_coarse(search))
        return ASTAR_NO_MEMORY;
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

static inline AstarStatus copy_path_to(const AstarGraphSearch *search, uint32_t node,
                                       AstarGraphPath *path)
{
    if (node >= search->record_capacity || !astar_is_seen(search, node))
        return ASTAR_UNREACHABLE;
    bool leaves = search->options.neighbours == NULL && node == search->graph->keys.count;
    double cost = search->records[node].g;
    if (leaves)
        node = search->records[node].parent; // the last one that is a node of the graph
    const AstarRecord *records = search->records;
    size_t count = 0;
    for (uint32_t at = node; at != ASTAR_NO_NODE; at = records[at].parent)
        count++;
    if (!make_room_in_path(path, &search->alloc, count))
        return ASTAR_NO_MEMORY;
    path->count = count;
    path->cost = cost;
    path->expanded = search->expanded;
    path->partial = search->found.is_partial;
    uint32_t *last = path->nodes + count;
    for (uint32_t at = node; at != ASTAR_NO_NODE; at = records[at].parent)
        *--last = at;
    return ASTAR_OK;
}

AstarStatus astar_graph_search_path_to(const AstarGraphSearch *search, uint32_t node,
                                       AstarGraphPath *path)
{
    return copy_path_to(search, node, path);
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
    AstarStatus status = take_search(graph, options, &search);
    if (status != ASTAR_OK)
        return status;
    status = begin_to(search, start, goal, NULL, context);
    if (status == ASTAR_RUNNING)
        status = search->loop != NULL && !astar_graph_has_components(graph)
                     ? search->loop(search, UINT64_MAX, context)
                     : astar_graph_search_step(search, UINT64_MAX, context);
    if (status == ASTAR_OK)
        status = copy_path_to(search, search->found.node, path);
    give_search_back(search);
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
    return astar_graph_has_components(search->graph) && expansions == UINT64_MAX &&
           search->expanded == 0 && !astar_is_on_snapshot(search) && asks_graph_alone(search) &&
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
// The loop differs from those functions in two ways. First, the goal is never put on the open list.
// Once a path to the goal is known, nodes whose f is not less than the cost of that path are not
// put on the open list either, and the search ends when the list has no node of less f. Second, an
// item of the open list is a single word unless the search has a 'weight' or uses landmarks. The
// word holds the first 36 bits of f above the number of the node. Different values of f may be
// equal in 36 bits, so a node may be expanded too early. A node that was expanded too early is
// expanded again if its path becomes cheaper. Nodes whose f is equal to the goal's f in 36 bits are
// expanded if their exact f is less.
//
// Many nodes of a graph like a grid have the same f if the caller's heuristic counts steps. The
// nodes near the goal are then expanded first: the bits between f and the number of the node hold
// the estimate, in proportion to the estimate of the start.

// Returns the estimate that the open list holds for a node that the search has reached.
static double recorded_estimate(const AstarGraphSearch *search, uint32_t node)
{
    return search->aim.estimate == ASTAR_BY_HOST ? search->estimates[node]
                                                 : estimate_plainly(search, node);
}

// Moves the open list to the heap of other searches, because the search must read a snapshot from
// now on. Returns false if there is no memory.
ASTAR_COLD static bool leave_usual(AstarGraphSearch *search)
{
    AstarHeap64 *coarse = &search->coarse;
    const AstarRecord *records = search->records;
    uint32_t goal = search->aim.goal;
    if (!astar_heap_reserve(&search->open, &search->alloc, coarse->count + 1))
        return false;
    for (size_t i = 0; i < coarse->count; i++) {
        if (coarse->items[i] == UINT64_MAX)
            continue; // the vacant top
        uint32_t node = (uint32_t)coarse->items[i] & search->aim.node_mask;
        double g = records[node].g;
        if (!(records[node].stamp & 1))
            astar_heap_push(&search->open,
                            astar_open(g + recorded_estimate(search, node), g, node));
    }
    astar_heap64_clear(coarse);
    astar_array_drop_move(&search->alloc, 1, &search->growth); // it may be a move of 'coarse'
    search->loop = NULL;
    if (astar_is_seen(search, goal)) {
        double g = records[goal].g;
        double f = g + search->query.weight * recorded_estimate(search, goal);
        astar_heap_push(&search->open, astar_open(f, g, goal));
    }
    return true;
}

// Returns true if a cost function may return 'cost' for an arc.
static bool is_valid_cost(const AstarGraphSearch *search, uint32_t from, const AstarGraphArc *arc,
                          double cost)
{
    return cost >= astar_graph_search_least(search, from, astar_arc_to(arc), arc->cost) &&
           (cost <= ASTAR_GRAPH_COST_MAX || isinf(cost));
}

// Number of nodes above which the memory of a graph is too large for the fast caches of the CPU, so
// that the loop prefetches records and nodes.
enum { LARGE_GRAPH = 4096 };

// Ends a search whose open list has no node left that may improve the path.
static AstarStatus end_usual(AstarGraphSearch *search)
{
    uint32_t goal = search->aim.goal;
    if (!astar_is_seen(search, goal))
        return finish_graph_search(search, search->was_cut ? ASTAR_MAX_COST : ASTAR_UNREACHABLE);
    search->current = search->found.node = goal;
    search->records[goal].stamp |= 1;
    return search->status = ASTAR_OK;
}

// Ends a search that has expanded as many nodes as it may, before the current node is expanded.
static AstarStatus stop_at_limit(AstarGraphSearch *search)
{
    search->records[search->current].stamp &= ~1u;
    return finish_graph_search(search, ASTAR_MAX_EXPANSIONS);
}

// Returns how many items the heap of single words may hold before it has to grow.
static inline size_t room_without_growth(const AstarHeap64 *open)
{
    size_t all = open->capacity;
    return all < MANY_GROWN ? all - FREE_WORDS : all - all / LEFT_SHARE - 1;
}

// Makes room for 'more' items in the heap of single words. Returns ASTAR_RUNNING if a part of the
// heap was moved to a larger array instead.
static AstarStatus make_room_in_coarse(AstarGraphSearch *search, size_t more)
{
    AstarStatus status = astar_graph_grow_ahead(search);
    return status != ASTAR_OK || reserve_coarse(search, more) ? status : ASTAR_NO_MEMORY;
}

// Makes room for 'more' items in the heap of other searches, like make_room_in_coarse.
static AstarStatus make_room_in_open(AstarGraphSearch *search, size_t more)
{
    AstarStatus status = is_nearly_full(search->open.count, search->open.capacity)
                             ? astar_graph_grow_ahead(search)
                             : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    return astar_heap_reserve(&search->open, &search->alloc, more) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Runs the loop of most searches for at most 'expansions' expansions. 'exact' is true if the open
// list is the heap of other searches, false if it is the heap of single words.
ASTAR_SPECIALIZE AstarStatus run_usual(AstarGraphSearch *search, uint64_t expansions, void *context,
                                       AstarEstimateKind kind, bool has_cost, bool exact)
{
    const AstarGraph *graph = search->graph;
    const AstarGraphNode *nodes = graph->nodes;
    const AstarGraphArc *arcs = astar_arcs_of(graph, 0) - nodes[0].arcs;
    AstarHeap64 *open = &search->coarse;
    AstarRecord *records = search->records;
    double *estimates = search->estimates;
    const uint32_t goal = search->aim.goal, node_mask = search->aim.node_mask;
    // The stamp of a node that this search has reached but not expanded. The stamp of an expanded
    // node is 1 more.
    const uint32_t opened = search->epoch << 1;
    const uint64_t version = search->version, most_expansions = search->query.max_expansions;
    const double weight = exact ? search->query.weight : 1;
    const double scale = search->aim.scale, goal_x = search->aim.x, goal_y = search->aim.y;
    const bool keeps_closed = exact && weight > 1 && !search->aim.reopens;
    const bool is_large = graph->keys.count > LARGE_GRAPH, has_blocked = graph->blocked > 0;
    const bool dearer_only = search->options.dearer_only;
    // Costs up to this number are valid if they are not less than the cost of the arc.
    const double plain_most = dearer_only || isnan(search->options.min_cost) ? ASTAR_GRAPH_COST_MAX
                                                                             : -1;
    // The goal's f, and the greatest item of the heap of single words whose f is equal in 36 bits.
    double bound = (double)INFINITY;
    uint64_t last = UINT64_MAX;
    if (records[goal].stamp >= opened) {
        bound = records[goal].g + weight * recorded_estimate(search, goal);
        last = coarse_item(bound, ASTAR_CELL_MASK);
    }
    // A node with less f is within 'max_cost' and better than the known path.
    double limit = bound < search->query.max_cost ? bound : search->query.max_cost;
    // Copies of the fields of the open list, which the compiler can keep in registers. STORE_OPEN
    // writes the count back before a callback or another function may read the open list.
    uint64_t *items = open->items;
    size_t count = open->count, room = room_without_growth(open);
    uint32_t from = search->current; // a node whose expansion a callback or a lack of memory ended
    AstarRecord *record = &records[from == ASTAR_NO_NODE ? 0 : from];
#define STORE_OPEN() (open->count = count)
    search->is_tested = true; // only nodes that are not the goal become current
    for (; expansions > 0; expansions--) {
        if (exact && from == ASTAR_NO_NODE) {
            if (astar_heap_count(&search->open) == 0 ||
                astar_open_f(astar_heap_top(&search->open)) >= bound || !take_next_node(search))
                return end_usual(search);
            search->is_tested = true;
            record = &records[from = search->current];
            if (search->expanded == most_expansions)
                return stop_at_limit(search);
            search->expanded++;
        }
        while (!exact && from == ASTAR_NO_NODE) {
            if (items[0] == UINT64_MAX && count > 0) {
                uint64_t moved = items[--count];
                items[count] = UINT64_MAX;
                sink_coarse(items, count, moved);
            }
            uint64_t top = items[0];
            if (count == 0 || top > last)
                return end_usual(search);
            items[0] = UINT64_MAX; // vacant
            uint32_t taken = (uint32_t)top & node_mask;
            record = &records[taken];
            if (record->stamp & 1)
                continue; // a stale item: the node was added again with a lower cost
            bool is_tie = (top | ASTAR_CELL_MASK) == last;
            if (is_tie && record->g + recorded_estimate(search, taken) >= bound)
                continue;
            search->current = from = taken;
            STORE_OPEN();
            if (search->expanded == most_expansions && !is_tie)
                return stop_at_limit(search);
            record->stamp |= 1;
            search->expanded++;
        }
        const AstarGraphArc *arc = arcs + nodes[from].arcs, *end = arc + nodes[from].count;
        if (exact) {
            AstarStatus status = make_room_in_open(search, nodes[from].count);
            if (status == ASTAR_RUNNING)
                continue;
            if (status != ASTAR_OK)
                return status;
        } else if (count + nodes[from].count > room) {
            AstarStatus status = make_room_in_coarse(search, nodes[from].count);
            items = open->items;
            room = room_without_growth(open);
            if (status == ASTAR_RUNNING)
                continue;
            if (status != ASTAR_OK)
                return status;
        }
        if (is_large)
            for (const AstarGraphArc *each = arc; each < end; each++) {
                ASTAR_PREFETCH(&records[astar_arc_to(each)]);
                ASTAR_PREFETCH(&nodes[astar_arc_to(each)]);
            }
        const double g = record->g;
        for (; arc < end; arc++) {
            uint32_t to = astar_arc_to(arc);
            double cost = arc->cost, to_g = g + cost;
            record = &records[to];
            bool is_seen = record->stamp >= opened;
            // A cost function may return 0.
            // Computing both tests without a branch was tried and took longer on all graphs.
            if ((is_seen && record->g <= (has_cost ? g : to_g)) ||
                (arc->to & (ASTAR_ARC_ABSENT | ASTAR_ARC_BLOCKED)) != 0)
                continue;
            if (has_cost && dearer_only && is_seen && record->g <= to_g)
                continue;
            const AstarGraphNode *node = &nodes[to];
            if ((has_blocked && node->flags & ASTAR_NODE_BLOCKED) ||
                (keeps_closed && record->stamp > opened))
                continue;
            if (has_cost) {
                STORE_OPEN();
                cost = search->options.cost(context, from, to, arc->label, cost);
                if (graph->version != version)
                    return search->status = ASTAR_GRID_CHANGED;
                if (!(cost >= arc->cost && cost <= plain_most)) {
                    if (!is_valid_cost(search, from, arc, cost))
                        return ASTAR_BAD_COST;
                    if (isinf(cost))
                        continue;
                }
                to_g = g + cost;
                if (is_seen && record->g <= to_g)
                    continue;
            }
            double h = 0;
            if (kind == ASTAR_BY_POSITION) { // all nodes with arcs have a position
                h = scale * astar_straight(node->x - goal_x, node->y - goal_y);
            } else if (kind == ASTAR_BY_LANDMARKS) {
                h = estimate_plainly(search, to);
            } else if (kind == ASTAR_BY_HOST && is_seen) {
                h = estimates[to];
            } else if (kind == ASTAR_BY_HOST) {
                STORE_OPEN();
                h = search->options.estimate(context, to, goal);
                if (graph->version != version)
                    return search->status = ASTAR_GRID_CHANGED;
                estimates[to] = h;
            }
            double f = to_g + weight * h;
            if (f >= limit && (kind == ASTAR_BY_HOST ? to_g : to_g + h) > search->query.max_cost) {
                search->was_cut = true;
                continue;
            }
            *record = (AstarRecord){to_g, from, opened};
            if (f >= limit && f >= bound)
                continue; // no path through the node is cheaper than the one known
            if (to == goal) {
                bound = f;
                last = coarse_item(f, ASTAR_CELL_MASK);
                limit = f < limit ? f : limit;
                continue;
            }
            if (is_large)
                ASTAR_PREFETCH(arcs + node->arcs);
            if (exact) {
                astar_heap_push(&search->open, astar_open(f, to_g, to));
                continue;
            }
            uint64_t item = coarse_item(f, to);
            if (kind == ASTAR_BY_HOST)
                item |= tie_bits(&search->aim, h);
            if (items[0] == UINT64_MAX)
                sink_coarse(items, count, item);
            else
                rise_coarse(items, count++, item);
        }
        from = ASTAR_NO_NODE;
    }
    STORE_OPEN();
#undef STORE_OPEN
    search->current = from;
    return ASTAR_RUNNING;
}

// The functions below call run_usual with constants in place of variables, so that the compiler
// makes a loop for each kind of search.

#define USUAL_LOOP(name, kind, has_cost, exact)                                                    \
    static AstarStatus name(AstarGraphSearch *search, uint64_t expansions, void *context)          \
    {                                                                                              \
        return run_usual(search, expansions, context, kind, has_cost, exact);                      \
    }

USUAL_LOOP(run_exact, search->aim.estimate, search->options.cost != NULL, true)
USUAL_LOOP(run_without, ASTAR_NO_ESTIMATE, false, false)
USUAL_LOOP(run_without_by_cost, ASTAR_NO_ESTIMATE, true, false)
USUAL_LOOP(run_by_position, ASTAR_BY_POSITION, false, false)
USUAL_LOOP(run_by_position_and_cost, ASTAR_BY_POSITION, true, false)
USUAL_LOOP(run_by_host, ASTAR_BY_HOST, false, false)
USUAL_LOOP(run_by_host_and_cost, ASTAR_BY_HOST, true, false)
#undef USUAL_LOOP

// Chooses the loop that runs a search, before anything is on an open list.
static inline void choose_loop(AstarGraphSearch *search)
{
    static const AstarGraphLoop loops[][2] = {
        [ASTAR_NO_ESTIMATE] = {run_without, run_without_by_cost},
        [ASTAR_BY_POSITION] = {run_by_position, run_by_position_and_cost},
        [ASTAR_BY_LANDMARKS] = {run_exact, run_exact},
        [ASTAR_BY_HOST] = {run_by_host, run_by_host_and_cost},
    };
    search->loop = !is_usual(search) ? NULL
                   : search->query.weight != 1
                       ? run_exact
                       : loops[search->aim.estimate][search->options.cost != NULL];
}

// Returns true if the open list of a search is the heap of single words.
static inline bool uses_words(const AstarGraphSearch *search)
{
    return search->loop != NULL && search->loop != run_exact;
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
    if (search->loop != NULL && !astar_is_on_snapshot(search))
        return search->loop(search, expansions, context);
    if (search->loop != NULL && !leave_usual(search))
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
