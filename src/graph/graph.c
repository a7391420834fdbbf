// graph.c -- navigation graphs: making and editing them.

#include "base/array.h"
#include "graph/graph_arcs.h"
#include "graph/graph_search.h"

#include <assert.h>
#include <string.h>

static_assert(ASTAR_MAX_NODES <= ASTAR_ARC_NODE, "a node's number fits below an arc's flags");

AstarStatus astar_graph_new(const AstarAllocator *allocator, AstarGraph **out)
{
    AstarAllocator alloc = astar_allocator(allocator);
    AstarGraph *graph = astar_alloc(&alloc, 1, sizeof *graph);
    if (graph == NULL)
        return ASTAR_NO_MEMORY;
    *graph = (AstarGraph){.alloc = alloc, .references = 1, .least = (double)INFINITY};
    *out = graph;
    return ASTAR_OK;
}

void astar_graph_retain(AstarGraph *graph)
{
    graph->references++;
}

void astar_graph_release(AstarGraph *graph)
{
    if (graph == NULL || --graph->references > 0)
        return;
    while (graph->resting_count > 0)
        astar_graph_search_destroy(graph->resting[--graph->resting_count]);
    astar_places_free(graph);
    astar_graph_landmarks_drop(graph);
    astar_graph_components_drop(graph);
    astar_keys_free(&graph->keys, &graph->alloc);
    astar_release(&graph->alloc, graph->nodes, graph->node_capacity, sizeof *graph->nodes);
    astar_release(&graph->alloc, graph->arcs, graph->arc_capacity, sizeof *graph->arcs);
    AstarAllocator alloc = graph->alloc;
    astar_release(&alloc, graph, 1, sizeof *graph);
}

uint64_t astar_graph_version(const AstarGraph *graph)
{
    return graph->version;
}

uint32_t astar_graph_count(const AstarGraph *graph)
{
    return graph->keys.count - graph->removed;
}

// ---- nodes ----

// Closes the gaps in the numbers; false when there is no memory to tell the new ones.
static bool close_number_gaps(AstarGraph *graph)
{
    uint32_t count = graph->keys.count, next = 0;
    uint32_t *renamed = astar_alloc(&graph->alloc, count, sizeof *renamed);
    if (renamed == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        renamed[i] = astar_has_node(graph, i) ? next++ : ASTAR_NO_NODE;
    astar_keys_renumber(&graph->keys, renamed);
    for (uint32_t i = 0; i < count; i++) {
        AstarGraphArc *arcs = astar_arcs_of(graph, i);
        for (uint32_t k = 0; k < graph->nodes[i].count; k++)
            arcs[k].to = (arcs[k].to & ~ASTAR_ARC_NODE) | renamed[astar_arc_to(&arcs[k])];
        if (renamed[i] != ASTAR_NO_NODE)
            graph->nodes[renamed[i]] = graph->nodes[i];
    }
    graph->removed = 0;
    graph->version++;
    graph->moves++;
    graph->openings++; // what was baked tells nodes by their numbers
    astar_graph_landmarks_drop(graph);
    astar_graph_components_drop(graph);
    astar_release(&graph->alloc, renamed, count, sizeof *renamed);
    return true;
}

// Makes room for one more node, closing the gaps where there are many.
static AstarStatus make_room_for_node(AstarGraph *graph)
{
    if (graph->keys.count < graph->node_capacity)
        return ASTAR_OK;
    bool is_worth_it = graph->removed > graph->keys.count / 4 && graph->held == NULL;
    if (is_worth_it && close_number_gaps(graph))
        return ASTAR_OK;
    if (graph->keys.count >= ASTAR_MAX_NODES)
        return ASTAR_TOO_LARGE;
    bool has_room = ASTAR_RESERVE(&graph->alloc, graph->nodes, graph->keys.count, 1,
                                  &graph->node_capacity, 8);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static AstarStatus add_graph_node(AstarGraph *graph, const AstarName *key, double x, double y,
                                  uint32_t *node)
{
    AstarStatus status = make_room_for_node(graph);
    if (status != ASTAR_OK)
        return status;
    *node = astar_keys_add(&graph->keys, &graph->alloc, key);
    if (*node == ASTAR_NO_NODE)
        return ASTAR_NO_MEMORY;
    graph->nodes[*node] = (AstarGraphNode){.x = x, .y = y};
    graph->version++;
    graph->moves++;
    return ASTAR_OK;
}

double astar_distance_cost(const AstarGraph *graph, uint32_t from, uint32_t to)
{
    const AstarGraphNode *a = &graph->nodes[from], *b = &graph->nodes[to];
    bool are_placed = astar_is_placed(a) && astar_is_placed(b);
    return are_placed ? astar_straight(a->x - b->x, a->y - b->y) : 1;
}

// Sets what an arc costs, which is not counted meanwhile.
static void set_arc_cost(AstarGraph *graph, uint32_t from, AstarGraphArc *arc, double cost)
{
    bool is_by_distance = isnan(cost);
    if (is_by_distance)
        cost = astar_distance_cost(graph, from, astar_arc_to(arc));
    if ((arc->to & ASTAR_ARC_ABSENT) || cost < arc->cost)
        graph->openings++;
    arc->to = (arc->to & ~(ASTAR_ARC_ABSENT | ASTAR_ARC_BY_DISTANCE)) |
              (is_by_distance ? ASTAR_ARC_BY_DISTANCE : 0);
    arc->cost = cost;
}

typedef void (*ArcVisit)(AstarGraph *graph, uint32_t from, AstarGraphArc *arc);

static void measure_visited(AstarGraph *graph, uint32_t from, AstarGraphArc *arc)
{
    if (arc->to & ASTAR_ARC_BY_DISTANCE)
        set_arc_cost(graph, from, arc, (double)NAN);
}

// Visits all arcs from a node and to it.
static void visit_arcs(AstarGraph *graph, uint32_t node, ArcVisit visit)
{
    AstarGraphArc *arcs = astar_arcs_of(graph, node);
    for (uint32_t i = 0; i < graph->nodes[node].count; i++) {
        uint32_t other = astar_arc_to(&arcs[i]);
        visit(graph, node, &arcs[i]);
        visit(graph, other, astar_find_arc(graph, other, node));
    }
}

static void move_node(AstarGraph *graph, uint32_t node, double x, double y)
{
    astar_graph_keep_around(graph, node);
    visit_arcs(graph, node, astar_discount_arc);
    graph->nodes[node].x = x;
    graph->nodes[node].y = y;
    visit_arcs(graph, node, measure_visited);
    visit_arcs(graph, node, astar_count_arc);
    graph->version++;
    graph->moves++;
}

static bool is_coordinate(double value)
{
    return fabs(value) <= ASTAR_GRAPH_COST_MAX;
}

AstarStatus astar_graph_put(AstarGraph *graph, const AstarName *key, double x, double y,
                            uint32_t *node)
{
    bool is_nowhere = isnan(x) && isnan(y);
    if (!is_nowhere && (!is_coordinate(x) || !is_coordinate(y)))
        return ASTAR_BAD_OPTION;
    if (key->kind == ASTAR_NAME_TEXT ? key->length > ASTAR_MAX_KEY : isnan(key->number))
        return ASTAR_BAD_OPTION;
    uint32_t found = astar_keys_find(&graph->keys, key);
    if (found == ASTAR_NO_NODE)
        return add_graph_node(graph, key, x, y, node);
    *node = found;
    const AstarGraphNode *known = &graph->nodes[found];
    if (!is_nowhere && !(known->x == x && known->y == y))
        move_node(graph, found, x, y);
    return ASTAR_OK;
}

uint32_t astar_graph_find(const AstarGraph *graph, const AstarName *key)
{
    return astar_keys_find(&graph->keys, key);
}

bool astar_graph_node(const AstarGraph *graph, uint32_t node, AstarWaypoint *out)
{
    if (!astar_has_node(graph, node))
        return false;
    const AstarGraphNode *found = &graph->nodes[node];
    bool is_blocked = (found->flags & ASTAR_NODE_BLOCKED) != 0;
    *out = (AstarWaypoint){astar_keys_get(&graph->keys, node), found->x, found->y, is_blocked};
    return true;
}

bool astar_graph_next(const AstarGraph *graph, uint32_t *cursor, uint32_t *node)
{
    while (*cursor < graph->keys.count)
        if (astar_has_node(graph, (*cursor)++)) {
            *node = *cursor - 1;
            return true;
        }
    return false;
}

bool astar_graph_remove(AstarGraph *graph, uint32_t node)
{
    if (!astar_has_node(graph, node))
        return false;
    astar_graph_keep_around(graph, node);
    visit_arcs(graph, node, astar_discount_arc);
    AstarGraphNode *gone = &graph->nodes[node];
    for (uint32_t i = 0; i < gone->count; i++)
        astar_remove_arc(graph, astar_arc_to(&graph->arcs[gone->arcs + i]), node);
    astar_free_arcs(graph, node);
    astar_keys_remove(&graph->keys, node);
    *gone = (AstarGraphNode){.x = (double)NAN, .y = (double)NAN, .flags = ASTAR_NODE_REMOVED};
    astar_graph_components_loosen(graph);
    graph->removed++;
    graph->version++;
    graph->moves++;
    return true;
}

// ---- edges ----

// Whether there is an arc from one node to the other. Where there is, one leads back, absent or
// not: so the node with fewer of them tells.
static bool are_linked(const AstarGraph *graph, uint32_t a, uint32_t b)
{
    bool is_shorter = graph->nodes[a].count <= graph->nodes[b].count;
    return (is_shorter ? astar_find_arc(graph, a, b) : astar_find_arc(graph, b, a)) != NULL;
}

// Adds arcs both ways, marked absent; false when there is no memory.
static bool link_nodes(AstarGraph *graph, uint32_t a, uint32_t b)
{
    AstarGraphArc *arc = astar_add_arc(graph, a, b);
    if (arc == NULL)
        return false;
    arc->to |= ASTAR_ARC_ABSENT;
    if ((arc = astar_add_arc(graph, b, a)) == NULL) {
        astar_remove_arc(graph, a, b);
        return false;
    }
    arc->to |= ASTAR_ARC_ABSENT;
    return true;
}

// The arc from one node to another: where it is new, the last one.
static AstarGraphArc *arc_between(AstarGraph *graph, uint32_t from, uint32_t to, bool is_new)
{
    return is_new ? astar_arcs_of(graph, from) + graph->nodes[from].count - 1
                  : astar_find_arc(graph, from, to);
}

static void set_graph_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc, double cost,
                          uint32_t label)
{
    astar_discount_arc(graph, from, arc);
    set_arc_cost(graph, from, arc, cost);
    arc->label = label;
    astar_count_arc(graph, from, arc);
}

static void keep_both(AstarGraph *graph, uint32_t a, uint32_t b)
{
    astar_graph_keep_node(graph, a);
    astar_graph_keep_node(graph, b);
}

AstarStatus astar_graph_connect(AstarGraph *graph, uint32_t from, uint32_t to, double cost,
                                uint32_t label, bool one_way)
{
    if (!astar_has_node(graph, from) || !astar_has_node(graph, to) || from == to)
        return ASTAR_BAD_OPTION;
    if (!isnan(cost) && !(cost >= 0 && cost <= ASTAR_GRAPH_COST_MAX))
        return ASTAR_BAD_COST;
    keep_both(graph, from, to);
    bool is_new = !are_linked(graph, from, to);
    if (is_new && !link_nodes(graph, from, to))
        return ASTAR_NO_MEMORY;
    set_graph_arc(graph, from, arc_between(graph, from, to, is_new), cost, label);
    if (!one_way)
        set_graph_arc(graph, to, arc_between(graph, to, from, is_new), cost, label);
    astar_graph_components_join(graph, from, to);
    graph->version++;
    return ASTAR_OK;
}

// Whether an arc leads from one node to the other; it is stored then.
static bool find_present(const AstarGraph *graph, uint32_t from, uint32_t to, AstarGraphArc **out)
{
    bool are_nodes = astar_has_node(graph, from) && astar_has_node(graph, to);
    *out = are_nodes ? astar_find_arc(graph, from, to) : NULL;
    return *out != NULL && !((*out)->to & ASTAR_ARC_ABSENT);
}

static bool close_arc(AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphArc *arc;
    if (!find_present(graph, from, to, &arc))
        return false;
    keep_both(graph, from, to);
    astar_discount_arc(graph, from, arc);
    *arc = (AstarGraphArc){.to = to | ASTAR_ARC_ABSENT};
    astar_graph_components_loosen(graph);
    graph->version++;
    return true;
}

bool astar_graph_disconnect(AstarGraph *graph, uint32_t from, uint32_t to, bool one_way)
{
    AstarGraphArc *arc;
    bool was_there = close_arc(graph, from, to);
    if (!one_way && close_arc(graph, to, from))
        was_there = true;
    if (was_there && !find_present(graph, from, to, &arc) && !find_present(graph, to, from, &arc)) {
        astar_remove_arc(graph, from, to);
        astar_remove_arc(graph, to, from);
    }
    return was_there;
}

static AstarEdge edge_of(const AstarGraphArc *arc)
{
    return (AstarEdge){astar_arc_to(arc), arc->label, arc->cost, (arc->to & ASTAR_ARC_BLOCKED) != 0,
                       (arc->to & ASTAR_ARC_BY_DISTANCE) != 0};
}

bool astar_graph_edge(const AstarGraph *graph, uint32_t from, uint32_t to, AstarEdge *edge)
{
    AstarGraphArc *arc;
    if (!find_present(graph, from, to, &arc))
        return false;
    *edge = edge_of(arc);
    return true;
}

bool astar_graph_next_edge(const AstarGraph *graph, uint32_t from, uint32_t *cursor,
                           AstarEdge *edge)
{
    while (astar_has_node(graph, from) && *cursor < graph->nodes[from].count) {
        const AstarGraphArc *arc = astar_arcs_of(graph, from) + (*cursor)++;
        if (!(arc->to & ASTAR_ARC_ABSENT)) {
            *edge = edge_of(arc);
            return true;
        }
    }
    return false;
}

// ---- blocks ----

static void join_visited(AstarGraph *graph, uint32_t from, AstarGraphArc *arc)
{
    astar_graph_components_join(graph, from, astar_arc_to(arc));
}

bool astar_graph_block(AstarGraph *graph, uint32_t node, bool blocked)
{
    if (!astar_has_node(graph, node))
        return false;
    AstarGraphNode *found = &graph->nodes[node];
    if (blocked != ((found->flags & ASTAR_NODE_BLOCKED) != 0)) {
        astar_graph_keep_node(graph, node);
        found->flags ^= ASTAR_NODE_BLOCKED;
        if (!blocked)
            visit_arcs(graph, node, join_visited);
        astar_graph_components_loosen(graph); // edges that are blocked were joined, too
        graph->version++;
    }
    return true;
}

static bool block_arc(AstarGraph *graph, uint32_t from, uint32_t to, bool blocked)
{
    AstarGraphArc *arc;
    if (!find_present(graph, from, to, &arc))
        return false;
    if (blocked != ((arc->to & ASTAR_ARC_BLOCKED) != 0)) {
        astar_graph_keep_node(graph, from);
        arc->to ^= ASTAR_ARC_BLOCKED;
        if (!blocked)
            astar_graph_components_join(graph, from, to);
        astar_graph_components_loosen(graph); // a node of an open edge may be blocked
        graph->version++;
    }
    return true;
}

bool astar_graph_block_edge(AstarGraph *graph, uint32_t a, uint32_t b, bool blocked)
{
    bool there = block_arc(graph, a, b, blocked), back = block_arc(graph, b, a, blocked);
    return there || back;
}
