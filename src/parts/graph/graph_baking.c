// graph_baking.c -- chooses landmarks of a graph and measures their distances, in steps; estimates
// by landmarks; connected components of graphs.

#include "parts/graph/graph_baking.h"

#include "base/array.h"
#include "openlist/heap.h"
#include "parts/graph/graph.h"
#include "parts/graph/graph_search.h"

#include <string.h>

enum { LOOKED_PAST = 64 }; // nodes examined in the time of one expansion

// The phases of a baking. PROBING, OUTWARD and INWARD are each a run of Dijkstra's algorithm.
typedef enum GraphBakingPhase {
    LOOKING_FOR_PART, // find a node that no probe has reached yet
    // Measure the size of the part of the graph that can be reached from the node 'probe_from', and
    // find the farthest node of that part.
    PROBING,
    OUTWARD, // distances from a landmark
    INWARD,  // distances to the landmark
} GraphBakingPhase;

typedef struct BakingRecord {
    double g;
    uint32_t run;   // the run that reached the node
    uint32_t probe; // 1 if a probe has expanded the node, else 0
} BakingRecord;

struct AstarGraphBaking {
    AstarGraph *graph;
    AstarGraphLandmarks *made; // the landmarks being measured, owned until they are complete
    uint32_t node_count;       // number of nodes when the baking began
    int wanted;
    bool is_done;
    GraphBakingPhase phase;
    BakingRecord *records;
    double *nearness; // 1 + distance from the nearest landmark to a node; 0: not known
    AstarHeap open;
    uint32_t run, probe_from;
    uint32_t settled, most_settled; // nodes expanded in this probe, and in the largest probe
    bool probe_is_symmetric;
    uint32_t landmark, farthest;
    double farthest_distance;
};

static void release_baking_arrays(AstarGraphBaking *baking)
{
    AstarGraph *graph = baking->graph;
    size_t count = baking->node_count;
    astar_release(&graph->alloc, baking->records, count, sizeof *baking->records);
    astar_release(&graph->alloc, baking->nearness, count, sizeof *baking->nearness);
    astar_heap_free(&baking->open, &graph->alloc);
    astar_graph_landmarks_free(graph, baking->made);
    baking->made = NULL;
    baking->records = NULL;
    baking->nearness = NULL;
}

static void begin_run(AstarGraphBaking *baking, uint32_t node)
{
    baking->run++;
    baking->settled = 0;
    astar_heap_clear(&baking->open);
    baking->records[node].g = 0;
    baking->records[node].run = baking->run;
    astar_heap_push(&baking->open, astar_open(0, 0, node));
}

// Starts the baking from its beginning, on the current graph.
static AstarStatus begin_graph_baking(AstarGraphBaking *baking)
{
    AstarGraph *graph = baking->graph;
    uint32_t count = graph->keys.count;
    release_baking_arrays(baking);
    *baking = (AstarGraphBaking){.graph = graph, .node_count = count, .wanted = baking->wanted};
    AstarGraphLandmarks *made = astar_alloc(&graph->alloc, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    baking->made = made;
    *made = (AstarGraphLandmarks){.openings = graph->openings, .node_count = count};
    made->count = baking->wanted;
    made->is_exact = true;
    if (count == 0)
        return ASTAR_OK;
    baking->records = astar_alloc(&graph->alloc, count, sizeof *baking->records);
    baking->nearness = astar_alloc(&graph->alloc, count, sizeof *baking->nearness);
    made->from = astar_alloc(&graph->alloc, (size_t)count * (size_t)made->count,
                             sizeof *made->from);
    bool has_room = astar_heap_reserve(&baking->open, &graph->alloc, 1);
    if (baking->records == NULL || baking->nearness == NULL || made->from == NULL || !has_room) {
        release_baking_arrays(baking);
        return ASTAR_NO_MEMORY;
    }
    return ASTAR_OK;
}

AstarStatus astar_graph_baking_new(AstarGraph *graph, int landmarks, AstarGraphBaking **out)
{
    if (landmarks < 0 || landmarks > ASTAR_MAX_LANDMARKS)
        return ASTAR_BAD_OPTION;
    AstarGraphBaking *baking = astar_alloc(&graph->alloc, 1, sizeof *baking);
    if (baking == NULL)
        return ASTAR_NO_MEMORY;
    *baking = (AstarGraphBaking){.graph = graph, .wanted = landmarks};
    astar_graph_retain(graph);
    *out = baking;
    return ASTAR_OK;
}

void astar_graph_baking_free(AstarGraphBaking *baking)
{
    if (baking == NULL)
        return;
    AstarGraph *graph = baking->graph;
    release_baking_arrays(baking);
    astar_release(&graph->alloc, baking, 1, sizeof *baking);
    astar_graph_release(graph);
}

static void relax_baking(AstarGraphBaking *baking, uint32_t node, double g)
{
    BakingRecord *record = &baking->records[node];
    if (record->run == baking->run && record->g <= g)
        return;
    record->g = g;
    record->run = baking->run;
    astar_heap_push(&baking->open, astar_open(g, g, node));
}

// Follows the arcs that lead from a node or, in the phase INWARD, the arcs that lead to it. The
// heap must have room for them.
static void expand_baking(AstarGraphBaking *baking, uint32_t node)
{
    const AstarGraph *graph = baking->graph;
    const AstarGraphArc *arcs = astar_arcs_of(graph, node);
    double g = baking->records[node].g;
    for (uint32_t i = 0; i < graph->nodes[node].count; i++) {
        uint32_t other = astar_arc_to(&arcs[i]);
        bool looks_back = baking->phase != OUTWARD;
        const AstarGraphArc *back = looks_back ? astar_find_arc(graph, other, node) : NULL;
        const AstarGraphArc *arc = baking->phase == INWARD ? back : &arcs[i];
        if (arc->to & ASTAR_ARC_ABSENT)
            continue;
        if (baking->phase == PROBING && (back->to & ASTAR_ARC_ABSENT || back->cost != arc->cost))
            baking->probe_is_symmetric = false;
        relax_baking(baking, other, g + arc->cost);
    }
}

// Stores the distance of a node whose distance is final.
static void note_distance(AstarGraphBaking *baking, uint32_t node)
{
    double distance = baking->records[node].g;
    AstarGraphLandmarks *made = baking->made;
    size_t at = (size_t)node * (size_t)made->count + baking->landmark;
    baking->settled++;
    if (baking->phase == PROBING) {
        baking->records[node].probe = 1;
    } else if (baking->phase == OUTWARD) {
        made->from[at] = astar_graph_landmarks_kept(distance, &made->is_exact);
        double known = baking->nearness[node];
        baking->nearness[node] = known == 0 || distance + 1 < known ? distance + 1 : known;
        distance = baking->nearness[node];
    } else {
        made->to[at] = astar_graph_landmarks_kept(distance, &made->is_exact);
        return;
    }
    if (distance > baking->farthest_distance ||
        (distance == baking->farthest_distance && node < baking->farthest)) {
        baking->farthest_distance = distance;
        baking->farthest = node;
    }
}

// Takes the next node of the current run of Dijkstra's algorithm and expands it. Returns ASTAR_OK
// if no node is left.
static AstarStatus settle_next(AstarGraphBaking *baking)
{
    while (astar_heap_count(&baking->open) > 0) {
        AstarOpen top = astar_heap_top(&baking->open);
        uint32_t node = astar_open_cell(top);
        if (!astar_heap_reserve(&baking->open, &baking->graph->alloc,
                                baking->graph->nodes[node].count + 1))
            return ASTAR_NO_MEMORY;
        astar_heap_pop(&baking->open);
        if (astar_open_f(top) != baking->records[node].g)
            continue; // a stale entry: the node was added again with a lower distance
        note_distance(baking, node);
        expand_baking(baking, node);
        return ASTAR_RUNNING;
    }
    return ASTAR_OK;
}

static void publish_landmarks(AstarGraphBaking *baking)
{
    AstarGraph *graph = baking->graph;
    astar_graph_landmarks_drop(graph);
    graph->landmarks = baking->made;
    baking->made = NULL;
    release_baking_arrays(baking);
    baking->is_done = true;
}

// Starts the run of Dijkstra's algorithm from the landmark chosen last.
static void begin_landmark(AstarGraphBaking *baking)
{
    baking->phase = OUTWARD;
    uint32_t chosen = baking->landmark == 0 ? baking->probe_from : baking->farthest;
    if (baking->landmark > 0)
        baking->probe_from = chosen; // kept for the run in the other direction
    baking->farthest_distance = -1;
    begin_run(baking, chosen);
}

// Chooses the first landmark after all parts of the graph were probed: a node on the rim of the
// largest part.
static AstarStatus take_first_landmark(AstarGraphBaking *baking)
{
    AstarGraphLandmarks *made = baking->made;
    if (baking->most_settled == 0) { // the graph has no edges
        baking->wanted = 0;
        return ASTAR_RUNNING;
    }
    if (!made->is_symmetric) {
        size_t count = (size_t)made->node_count * (size_t)made->count;
        if (made->to == NULL)
            made->to = astar_alloc(&baking->graph->alloc, count, sizeof *made->to);
        if (made->to == NULL)
            return ASTAR_NO_MEMORY;
    }
    baking->probe_from = baking->landmark;
    baking->landmark = 0;
    begin_landmark(baking);
    return ASTAR_RUNNING;
}

// Examines a few more nodes and probes the first part of the graph that was not probed yet. Ends
// the probing once fewer nodes are left than the largest part has.
static AstarStatus look_for_part(AstarGraphBaking *baking)
{
    uint32_t count = baking->node_count;
    for (int i = 0; i < LOOKED_PAST; i++) {
        if (count - baking->probe_from <= baking->most_settled)
            return take_first_landmark(baking);
        uint32_t from = baking->probe_from; // a part not probed yet may begin here
        if (baking->records[from].probe == 0 && baking->graph->nodes[from].count > 0) {
            baking->phase = PROBING;
            baking->farthest_distance = -1;
            baking->probe_is_symmetric = true;
            begin_run(baking, baking->probe_from);
            return ASTAR_RUNNING;
        }
        baking->probe_from++;
    }
    return ASTAR_RUNNING;
}

// Ends a probe. If the part is the largest so far, records its size and its farthest node.
static void end_probe(AstarGraphBaking *baking)
{
    if (baking->settled > baking->most_settled) {
        baking->most_settled = baking->settled;
        baking->landmark = baking->farthest;
        baking->made->is_symmetric = baking->probe_is_symmetric;
    }
    baking->phase = LOOKING_FOR_PART;
}

static AstarStatus end_run(AstarGraphBaking *baking)
{
    if (baking->phase == LOOKING_FOR_PART)
        return look_for_part(baking);
    if (baking->phase == PROBING) {
        end_probe(baking);
        return ASTAR_RUNNING;
    }
    if (baking->phase == OUTWARD && !baking->made->is_symmetric) {
        baking->phase = INWARD;
        begin_run(baking, baking->probe_from);
        return ASTAR_RUNNING;
    }
    if (++baking->landmark < (uint32_t)baking->made->count) {
        begin_landmark(baking);
        return ASTAR_RUNNING;
    }
    publish_landmarks(baking);
    return ASTAR_OK;
}

ASTAR_COLD AstarStatus astar_graph_baking_step(AstarGraphBaking *baking, uint64_t expansions)
{
    AstarGraph *graph = baking->graph;
    if (baking->is_done)
        return ASTAR_OK;
    if (baking->wanted == 0 || graph->keys.count == 0) {
        astar_graph_landmarks_drop(graph);
        baking->is_done = true;
        return ASTAR_OK;
    }
    if (baking->made == NULL || baking->made->openings != graph->openings) {
        AstarStatus status = begin_graph_baking(baking);
        if (status != ASTAR_OK)
            return status;
    }
    for (AstarStatus status; expansions > 0 && baking->wanted > 0; expansions--) {
        status = settle_next(baking);
        if (status == ASTAR_OK)
            status = end_run(baking);
        if (status != ASTAR_RUNNING)
            return status;
    }
    return ASTAR_RUNNING;
}

// ------------------------------------------------------------------------------------------------
// Estimates by landmarks (ALT: Goldberg and Harrelson, SODA 2005).
//
// For a few remote nodes, the landmarks, the distances to all other nodes are stored; if paths back
// may have other costs, the distances from all other nodes are also stored. The triangle inequality
// gives a lower bound of the distance between two nodes, even without positions. Blocked nodes and
// edges are treated as open, so that doors may open and close. After an edge was removed or a cost
// was raised, the estimates may be lower than necessary, but never too high. A new edge or a lower
// cost makes the landmarks invalid.
//
// Distances are stored in single precision, as their bits plus 1, so that 0 means unknown and
// freshly allocated memory need not be initialized. If a distance was rounded, estimates are
// lowered by the greatest possible error.
// ------------------------------------------------------------------------------------------------

void astar_graph_landmarks_free(AstarGraph *graph, AstarGraphLandmarks *landmarks)
{
    if (landmarks == NULL)
        return;
    size_t count = (size_t)landmarks->node_count * (size_t)landmarks->count;
    astar_release(&graph->alloc, landmarks->from, count, sizeof *landmarks->from);
    astar_release(&graph->alloc, landmarks->to, count, sizeof *landmarks->to);
    astar_release(&graph->alloc, landmarks, 1, sizeof *landmarks);
}

void astar_graph_landmarks_drop(AstarGraph *graph)
{
    astar_graph_landmarks_free(graph, graph->landmarks);
    graph->landmarks = NULL;
}

bool astar_graph_landmarks_hold(const AstarGraph *graph)
{
    return graph->landmarks != NULL && graph->landmarks->openings == graph->openings;
}

static double distance_of(uint32_t kept)
{
    float distance;
    kept--;
    memcpy(&distance, &kept, sizeof distance);
    return (double)distance;
}

uint32_t astar_graph_landmarks_kept(double distance, bool *is_exact)
{
    float coarse = (float)distance;
    uint32_t bits;
    memcpy(&bits, &coarse, sizeof bits);
    *is_exact = *is_exact && (double)coarse == distance;
    return bits + 1;
}

// Returns a lower bound of the difference of two stored distances.
static double farther_by(const AstarGraphLandmarks *landmarks, uint32_t far, uint32_t near)
{
    if (far == 0 || near == 0)
        return 0;
    double a = distance_of(far), b = distance_of(near);
    return landmarks->is_exact ? a - b : a - b - (a + b) * (1.0 / 8388608);
}

double astar_graph_landmarks_estimate(const AstarGraph *graph, uint32_t node, uint32_t goal)
{
    const AstarGraphLandmarks *landmarks = graph->landmarks;
    size_t count = (size_t)landmarks->count, at = node * count, there = goal * count;
    double most = 0;
    if (node >= landmarks->node_count || goal >= landmarks->node_count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t from_node = landmarks->from[at + i], from_goal = landmarks->from[there + i];
        const uint32_t *to = landmarks->is_symmetric ? landmarks->from : landmarks->to;
        double ahead = farther_by(landmarks, from_goal, from_node);
        double behind = farther_by(landmarks, to[at + i], to[there + i]);
        most = ahead > most ? ahead : most;
        most = behind > most ? behind : most;
    }
    return most;
}

int astar_graph_landmarks(const AstarGraph *graph, size_t *bytes)
{
    const AstarGraphLandmarks *landmarks = graph->landmarks;
    *bytes = 0;
    if (!astar_graph_landmarks_hold(graph))
        return 0;
    size_t count = (size_t)landmarks->node_count * (size_t)landmarks->count;
    *bytes = count * sizeof *landmarks->from * (landmarks->is_symmetric ? 1 : 2);
    return landmarks->count;
}

// ------------------------------------------------------------------------------------------------
// Connected components. Components show without a search that a query has no route.
//
// The components are a forest of nodes (union by the lower number, with path halving). There is no
// path between two nodes in different trees, in either direction. Two nodes in the same tree may or
// may not be connected: one-way edges are treated as edges in both directions, and edges that were
// removed or blocked after the build are still included. An edit therefore takes almost no time:
// adding or unblocking an edge joins two trees, and removing or blocking an edge only records that
// trees may be too large.
//
// The components are built when searches without a result, since the last build, have together
// expanded as many nodes as the graph has. The next query in one call then builds them, in about
// the time of those searches. A game whose queries all find a route never builds them.
// ------------------------------------------------------------------------------------------------

void astar_graph_components_drop(AstarGraph *graph)
{
    AstarGraphComponents *all = &graph->components;
    astar_release(&graph->alloc, all->parents, all->capacity, sizeof *all->parents);
    *all = (AstarGraphComponents){.in_vain = all->in_vain};
}

static uint32_t find_root(AstarGraphComponents *all, uint32_t node)
{
    if (node >= all->count)
        return node; // added since the build, and joined to no other node
    uint32_t *parents = all->parents;
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

// Makes room in the table of parents for a node and all nodes before it.
static bool cover_node(AstarGraph *graph, uint32_t node)
{
    AstarGraphComponents *all = &graph->components;
    size_t needed = (size_t)node + 1;
    if (needed > all->count && !ASTAR_RESERVE(&graph->alloc, all->parents, all->count,
                                              needed - all->count, &all->capacity, 16))
        return false;
    for (; all->count < needed; all->count++)
        all->parents[all->count] = all->count;
    return true;
}

static void join_roots(AstarGraphComponents *all, uint32_t a, uint32_t b)
{
    uint32_t first = find_root(all, a), second = find_root(all, b);
    all->parents[first < second ? second : first] = first < second ? first : second;
}

void astar_graph_components_join(AstarGraph *graph, uint32_t a, uint32_t b)
{
    if (graph->components.parents == NULL)
        return;
    if (cover_node(graph, a > b ? a : b))
        join_roots(&graph->components, a, b);
    else
        astar_graph_components_drop(graph);
}

void astar_graph_components_loosen(AstarGraph *graph)
{
    graph->components.may_be_split = true;
}

static void build_graph_components(AstarGraph *graph)
{
    AstarGraphComponents *all = &graph->components;
    all->count = 0;
    if (graph->keys.count == 0 || !cover_node(graph, graph->keys.count - 1)) {
        astar_graph_components_drop(graph); // without memory searches go on without components
        return;
    }
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        if (graph->nodes[node].flags & ASTAR_NODE_BLOCKED)
            continue;
        for (uint32_t i = 0; i < graph->nodes[node].count; i++) {
            uint32_t to = astar_arc_to(&arcs[i]);
            if (!(arcs[i].to & (ASTAR_ARC_ABSENT | ASTAR_ARC_BLOCKED)) &&
                !(graph->nodes[to].flags & ASTAR_NODE_BLOCKED))
                join_roots(all, node, to);
        }
    }
    all->may_be_split = false;
    all->in_vain = 0;
}

void astar_graph_components_note_vain(AstarGraph *graph, uint64_t expanded)
{
    AstarGraphComponents *all = &graph->components;
    all->in_vain += expanded;
}

ASTAR_COLD bool astar_graph_are_apart(AstarGraph *graph, uint32_t a, uint32_t b)
{
    AstarGraphComponents *all = &graph->components;
    if (all->in_vain >= graph->keys.count && (all->parents == NULL || all->may_be_split))
        build_graph_components(graph);
    return all->parents != NULL && !(graph->nodes[a].flags & ASTAR_NODE_BLOCKED) &&
           find_root(all, a) != find_root(all, b);
}
