// graph_save.c -- Graphs as strings of bytes, in this format:
//
// "astar graph 1\n"
// the labels: their number as a varint; for each its name
// the nodes: their number as a varint; for each its key, written like a name, a byte of flags and,
// if it has a position, 8 bytes each for x and y
// for each node its arcs: their number as a varint; for each the number of the node it leads to as
// a varint, and a byte of flags; unless the arc is marked absent, the number of its label as a
// varint; unless its cost is the distance between the positions, 8 bytes of cost
// the 64-bit FNV-1a hash of all bytes before it
//
// A name is a letter for its kind, followed by 8 bytes of a number, a byte for a boolean, or a
// varint of length and a text. Every count is checked. Therefore even a forged string can only fail
// to load, in time and memory proportional to its length.

#include "parts/graph/graph.h"

#include "base/archive.h"
#include "parts/graph/keys.h"

static const char saved_graph[] = "astar graph ";

// The saved form of a node, and the flags in it.
enum { SAVED_BLOCKED = 1, SAVED_PLACED = 2 };
typedef struct SavedNode {
    AstarName key;
    unsigned flags;
    double x, y;
} SavedNode;

// The saved form of an arc, and the flags in it.
enum { SAVED_ARC_BLOCKED = 1, SAVED_ABSENT = 2, SAVED_BY_DISTANCE = 4 };
typedef struct SavedArc {
    uint32_t to, label;
    unsigned flags;
    double cost;
} SavedArc;

static void carry_node(AstarArchive *archive, SavedNode *node)
{
    node->key = astar_carry_name(archive, node->key, true);
    node->flags = astar_carry_byte(archive, node->flags);
    if (!(node->flags & SAVED_PLACED))
        return;
    node->x = astar_carry_double(archive, node->x);
    node->y = astar_carry_double(archive, node->y);
}

static void carry_arc(AstarArchive *archive, SavedArc *arc)
{
    arc->to = astar_carry_varint(archive, arc->to);
    arc->flags = astar_carry_byte(archive, arc->flags);
    if (arc->flags & SAVED_ABSENT)
        return;
    arc->label = astar_carry_varint(archive, arc->label);
    if (!(arc->flags & SAVED_BY_DISTANCE))
        arc->cost = astar_carry_double(archive, arc->cost);
}

// Saving.

static void save_node(AstarArchive *archive, const AstarGraph *graph, uint32_t number)
{
    const AstarGraphNode *node = &graph->nodes[number];
    SavedNode saved = {astar_keys_get(&graph->keys, number), 0, node->x, node->y};
    if (node->flags & ASTAR_NODE_BLOCKED)
        saved.flags |= SAVED_BLOCKED;
    if (astar_is_placed(node))
        saved.flags |= SAVED_PLACED;
    carry_node(archive, &saved);
}

static void save_arc(AstarArchive *archive, const AstarGraphArc *arc, uint32_t to)
{
    SavedArc saved = {to, arc->label, 0, arc->cost};
    if (arc->to & ASTAR_ARC_BLOCKED)
        saved.flags |= SAVED_ARC_BLOCKED;
    if (arc->to & ASTAR_ARC_ABSENT)
        saved.flags |= SAVED_ABSENT;
    if (arc->to & ASTAR_ARC_BY_DISTANCE)
        saved.flags |= SAVED_BY_DISTANCE;
    carry_arc(archive, &saved);
}

// Saves the arcs of all nodes. 'numbers' contains for each node its number in the saved graph,
// which has no removed nodes.
static void save_arcs(AstarArchive *archive, const AstarGraph *graph, const uint32_t *numbers)
{
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        if (!astar_has_node(graph, node))
            continue;
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        astar_carry_varint(archive, graph->nodes[node].count);
        for (uint32_t i = 0; i < graph->nodes[node].count; i++)
            save_arc(archive, &arcs[i], numbers[astar_arc_to(&arcs[i])]);
    }
}

AstarStatus astar_graph_save(const AstarGraph *graph, const AstarSaving *saving, void *bytes,
                             size_t capacity, size_t *length)
{
    AstarArchive archive = astar_archive_save(bytes, capacity, saved_graph, 1);
    astar_carry_labels(&archive, saving, true);
    size_t count = graph->keys.count;
    uint32_t *numbers = astar_alloc(&graph->alloc, count + 1, sizeof *numbers);
    if (numbers == NULL)
        return ASTAR_NO_MEMORY;
    astar_carry_varint(&archive, astar_graph_count(graph));
    uint32_t saved = 0;
    for (uint32_t node = 0; node < count; node++)
        if (astar_has_node(graph, node)) {
            numbers[node] = saved++;
            save_node(&archive, graph, node);
        }
    save_arcs(&archive, graph, numbers);
    astar_release(&graph->alloc, numbers, count + 1, sizeof *numbers);
    *length = astar_archive_close(&archive);
    return ASTAR_OK;
}

// Loading.

static AstarStatus load_node(AstarArchive *archive, AstarGraph *graph, uint32_t number)
{
    SavedNode saved = {.x = (double)NAN, .y = (double)NAN};
    carry_node(archive, &saved);
    bool is_placed = (saved.flags & SAVED_PLACED) != 0;
    if (archive->is_bad || saved.flags > (SAVED_BLOCKED | SAVED_PLACED) ||
        (is_placed && isnan(saved.x)))
        return ASTAR_BAD_DATA;
    uint32_t node;
    AstarStatus status = astar_graph_put(graph, &saved.key, saved.x, saved.y, &node);
    if (status != ASTAR_OK || node != number) // the same key occurs twice
        return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
    astar_graph_block(graph, node, (saved.flags & SAVED_BLOCKED) != 0);
    return ASTAR_OK;
}

static AstarStatus load_nodes(AstarArchive *archive, AstarGraph *graph)
{
    uint32_t count = astar_carry_varint(archive, 0);
    AstarStatus status = astar_archive_status(archive);
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
        status = load_node(archive, graph, i);
    return status;
}

static AstarStatus load_arc(AstarArchive *archive, AstarGraph *graph, uint32_t node,
                            uint32_t label_count)
{
    SavedArc saved = {0};
    carry_arc(archive, &saved);
    bool is_absent = (saved.flags & SAVED_ABSENT) != 0;
    bool is_by_distance = (saved.flags & SAVED_BY_DISTANCE) != 0;
    if (archive->is_bad || saved.to >= graph->keys.count || saved.to == node || saved.flags > 5 ||
        !(saved.cost >= 0 && saved.cost <= ASTAR_GRAPH_COST_MAX) || saved.label > label_count ||
        (is_absent && saved.flags != SAVED_ABSENT))
        return ASTAR_BAD_DATA;
    AstarGraphArc *arc = astar_add_arc(graph, node, saved.to);
    if (arc == NULL)
        return ASTAR_NO_MEMORY;
    arc->to |= (saved.flags & SAVED_ARC_BLOCKED ? ASTAR_ARC_BLOCKED : 0) |
               (is_absent ? ASTAR_ARC_ABSENT : 0) | (is_by_distance ? ASTAR_ARC_BY_DISTANCE : 0);
    arc->label = saved.label;
    arc->cost = is_by_distance ? astar_distance_cost(graph, node, saved.to) : saved.cost;
    astar_count_arc(graph, node, arc);
    return ASTAR_OK;
}

static AstarStatus load_arcs(AstarArchive *archive, AstarGraph *graph, uint32_t label_count)
{
    AstarStatus status = ASTAR_OK;
    for (uint32_t node = 0; node < graph->keys.count && status == ASTAR_OK; node++) {
        uint32_t count = astar_carry_varint(archive, 0);
        for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
            status = load_arc(archive, graph, node, label_count);
    }
    return status == ASTAR_OK ? astar_archive_end(archive) : status;
}

// Lists for each node, in order, the nodes that have an arc to it. All lists are in the array
// 'sources'; 'ends' holds the end of each list.
static void list_sources(const AstarGraph *graph, uint32_t *ends, uint32_t *sources)
{
    uint32_t count = graph->keys.count;
    for (uint32_t node = 0; node < count; node++)
        for (uint32_t i = 0; i < graph->nodes[node].count; i++)
            ends[astar_arc_to(astar_arcs_of(graph, node) + i)]++;
    for (uint32_t node = 0, begin = 0; node < count; node++) {
        uint32_t length = ends[node];
        ends[node] = begin;
        begin += length;
    }
    for (uint32_t node = 0; node < count; node++)
        for (uint32_t i = 0; i < graph->nodes[node].count; i++)
            sources[ends[astar_arc_to(astar_arcs_of(graph, node) + i)]++] = node;
}

// Returns true if every arc has a counterpart in the opposite direction, which may be marked
// absent, and no node has two arcs to the same node. 'marks' must contain zeros.
static bool are_paired(const AstarGraph *graph, const uint32_t *ends, const uint32_t *sources,
                       uint32_t *marks)
{
    for (uint32_t node = 0, begin = 0; node < graph->keys.count; begin = ends[node++]) {
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        for (uint32_t i = 0; i < graph->nodes[node].count; i++) {
            uint32_t to = astar_arc_to(&arcs[i]);
            if (marks[to] == node + 1)
                return false;
            marks[to] = node + 1;
        }
        if (ends[node] - begin != graph->nodes[node].count)
            return false;
        for (uint32_t i = begin; i < ends[node]; i++)
            if (marks[sources[i]] != node + 1)
                return false;
    }
    return true;
}

static AstarStatus check_pairs(AstarGraph *graph)
{
    size_t count = graph->keys.count, arcs = graph->arc_count;
    uint32_t *ends = astar_alloc(&graph->alloc, count + 1, sizeof *ends);
    uint32_t *marks = astar_alloc(&graph->alloc, count + 1, sizeof *marks);
    uint32_t *sources = astar_alloc(&graph->alloc, arcs + 1, sizeof *sources);
    AstarStatus status = ASTAR_NO_MEMORY;
    if (ends != NULL && marks != NULL && sources != NULL) {
        list_sources(graph, ends, sources);
        status = are_paired(graph, ends, sources, marks) ? ASTAR_OK : ASTAR_BAD_DATA;
    }
    astar_release(&graph->alloc, ends, count + 1, sizeof *ends);
    astar_release(&graph->alloc, marks, count + 1, sizeof *marks);
    astar_release(&graph->alloc, sources, arcs + 1, sizeof *sources);
    return status;
}

static AstarStatus load_graph(AstarArchive *archive, AstarGraph *graph, AstarNames *labels)
{
    *labels = astar_carry_labels(archive, NULL, true);
    AstarStatus status = load_nodes(archive, graph);
    if (status == ASTAR_OK)
        status = load_arcs(archive, graph, labels->count);
    return status == ASTAR_OK ? check_pairs(graph) : status;
}

AstarStatus astar_graph_load(const AstarAllocator *allocator, const void *bytes, size_t length,
                             AstarGraph **out, AstarNames *labels)
{
    AstarArchive archive = astar_archive_load(bytes, length, saved_graph, 1);
    AstarGraph *graph;
    AstarStatus status = astar_archive_status(&archive);
    if (status == ASTAR_OK)
        status = astar_graph_new(allocator, &graph);
    if (status != ASTAR_OK)
        return status;
    status = load_graph(&archive, graph, labels);
    if (status == ASTAR_OK)
        *out = graph;
    else
        astar_graph_release(graph);
    return status;
}
