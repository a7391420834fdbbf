// graph_save.c -- graphs as strings of bytes.
//
//     "astar graph 1\n"
//     the labels: how many, as a varint; of each its name
//     the nodes: how many, as a varint; of each its key, like a name, a byte of flags and, where it
//         has a position, 8 bytes each of x and y
//     of each node its arcs: how many, as a varint; of each the number of the node it leads to, as
//     a
//         varint, a byte of flags, the number of its label, as a varint, and 8 bytes of cost, both
//         but where it only tells of one that leads here, the cost but where the positions say it
//     the 64-bit FNV-1a hash of all before it
//
// A name is a letter for its kind, then 8 bytes of a number, a byte for a boolean, or a varint of
// length and a text. Every count is checked, so that not even a forged string can do more than
// fail, in time and memory that go with its length.

#include "graph/graph.h"

#include "base/bytes.h"

static const char graph_heading[] = "astar graph 1\n";

enum { GRAPH_HEADING_LENGTH = sizeof graph_heading - 1, GRAPH_HASH_LENGTH = 8 };
// Flags of nodes and of arcs.
#define SAVED_BLOCKED 1u
#define SAVED_PLACED 2u
#define SAVED_ARC_BLOCKED 1u
#define SAVED_ABSENT 2u
#define SAVED_BY_DISTANCE 4u

// ---- saving ----

static void put_saved_name(AstarWriter *writer, AstarName name)
{
    if (name.kind == ASTAR_NAME_TEXT) {
        astar_put_byte(writer, 's');
        astar_put_varint(writer, (uint32_t)name.length);
        astar_put_text(writer, name.text, name.length);
    } else if (name.kind == ASTAR_NAME_BOOLEAN) {
        astar_put_byte(writer, 'b');
        astar_put_byte(writer, name.number != 0);
    } else {
        astar_put_byte(writer, 'n');
        astar_put_double(writer, name.number);
    }
}

static void put_saved_node(AstarWriter *writer, const AstarGraph *graph, uint32_t node)
{
    const AstarGraphNode *saved = &graph->nodes[node];
    unsigned flags = saved->flags & ASTAR_NODE_BLOCKED ? SAVED_BLOCKED : 0u;
    put_saved_name(writer, astar_keys_get(&graph->keys, node));
    astar_put_byte(writer, flags | (astar_is_placed(saved) ? SAVED_PLACED : 0u));
    if (astar_is_placed(saved)) {
        astar_put_double(writer, saved->x);
        astar_put_double(writer, saved->y);
    }
}

static void put_saved_arc(AstarWriter *writer, const AstarGraphArc *arc, uint32_t to)
{
    unsigned flags = (arc->to & ASTAR_ARC_BLOCKED ? SAVED_ARC_BLOCKED : 0u) |
                     (arc->to & ASTAR_ARC_ABSENT ? SAVED_ABSENT : 0u) |
                     (arc->to & ASTAR_ARC_BY_DISTANCE ? SAVED_BY_DISTANCE : 0u);
    astar_put_varint(writer, to);
    astar_put_byte(writer, flags);
    if (flags & SAVED_ABSENT)
        return;
    astar_put_varint(writer, arc->label);
    if (!(flags & SAVED_BY_DISTANCE))
        astar_put_double(writer, arc->cost);
}

// The number of a node once gaps are closed.
static uint32_t saved_number(const AstarGraph *graph, const uint32_t *gaps, uint32_t node)
{
    return graph->removed == 0 ? node : node - gaps[node];
}

static void put_saved_arcs(AstarWriter *writer, const AstarGraph *graph, const uint32_t *gaps)
{
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        if (!astar_has_node(graph, node))
            continue;
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        astar_put_varint(writer, graph->nodes[node].count);
        for (uint32_t i = 0; i < graph->nodes[node].count; i++)
            put_saved_arc(writer, &arcs[i], saved_number(graph, gaps, astar_arc_to(&arcs[i])));
    }
}

// For each node how many before it were removed; NULL where none was.
static AstarStatus count_gaps(const AstarGraph *graph, uint32_t **gaps)
{
    *gaps = NULL;
    if (graph->removed == 0)
        return ASTAR_OK;
    *gaps = astar_alloc(&graph->alloc, graph->keys.count, sizeof **gaps);
    if (*gaps == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t count = 0;
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        (*gaps)[node] = count;
        count += !astar_has_node(graph, node);
    }
    return ASTAR_OK;
}

AstarStatus astar_graph_save(const AstarGraph *graph, const AstarName *labels, uint32_t label_count,
                             void *bytes, size_t capacity, size_t *length)
{
    AstarWriter writer = {.bytes = bytes, .capacity = capacity};
    uint32_t *gaps;
    AstarStatus status = count_gaps(graph, &gaps);
    if (status != ASTAR_OK)
        return status;
    astar_put_text(&writer, graph_heading, GRAPH_HEADING_LENGTH);
    astar_put_varint(&writer, label_count);
    for (uint32_t i = 0; i < label_count; i++)
        put_saved_name(&writer, labels[i]);
    astar_put_varint(&writer, astar_graph_count(graph));
    for (uint32_t node = 0; node < graph->keys.count; node++)
        if (astar_has_node(graph, node))
            put_saved_node(&writer, graph, node);
    put_saved_arcs(&writer, graph, gaps);
    astar_release(&graph->alloc, gaps, graph->keys.count, sizeof *gaps);
    astar_put_integer(&writer,
                      writer.length < capacity ? astar_hash_bytes(bytes, writer.length) : 0,
                      GRAPH_HASH_LENGTH);
    *length = writer.length;
    return ASTAR_OK;
}

// ---- loading ----

static AstarName get_saved_name(AstarReader *reader)
{
    AstarName name = {.kind = ASTAR_NAME_NUMBER};
    switch (astar_get_integer(reader, 1)) {
    case 'n': name.number = astar_get_double(reader); break;
    case 'b':
        name.kind = ASTAR_NAME_BOOLEAN;
        name.number = (double)astar_get_integer(reader, 1);
        reader->is_bad = reader->is_bad || name.number > 1;
        break;
    case 's':
        name.kind = ASTAR_NAME_TEXT;
        name.length = astar_get_varint(reader);
        name.text = (const char *)astar_get_bytes(reader, name.length);
        break;
    default: reader->is_bad = true;
    }
    return name;
}

static AstarStatus get_saved_nodes(AstarReader *reader, AstarGraph *graph)
{
    uint32_t count = astar_get_varint(reader);
    for (uint32_t i = 0; i < count && !reader->is_bad; i++) {
        AstarName key = get_saved_name(reader);
        uint64_t flags = astar_get_integer(reader, 1);
        bool is_placed = (flags & SAVED_PLACED) != 0;
        double x = is_placed ? astar_get_double(reader) : (double)NAN;
        double y = is_placed ? astar_get_double(reader) : (double)NAN;
        if (reader->is_bad || flags > (SAVED_BLOCKED | SAVED_PLACED) || (is_placed && isnan(x)))
            return ASTAR_BAD_DATA;
        uint32_t node;
        AstarStatus status = astar_graph_put(graph, &key, x, y, &node);
        if (status != ASTAR_OK || node != i) // the same key once more
            return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
        astar_graph_block(graph, node, (flags & SAVED_BLOCKED) != 0);
    }
    return reader->is_bad ? ASTAR_BAD_DATA : ASTAR_OK;
}

static AstarStatus get_saved_arc(AstarReader *reader, AstarGraph *graph, uint32_t node,
                                 uint32_t *most_label)
{
    uint32_t to = astar_get_varint(reader);
    uint64_t flags = astar_get_integer(reader, 1);
    bool is_absent = (flags & SAVED_ABSENT) != 0, is_measured = (flags & SAVED_BY_DISTANCE) != 0;
    uint32_t label = is_absent ? 0 : astar_get_varint(reader);
    double cost = is_absent || is_measured ? 0 : astar_get_double(reader);
    if (reader->is_bad || to >= graph->keys.count || to == node || flags > 5 ||
        !(cost >= 0 && cost <= ASTAR_GRAPH_COST_MAX) || (is_absent && flags != SAVED_ABSENT))
        return ASTAR_BAD_DATA;
    AstarGraphArc *arc = astar_add_arc(graph, node, to);
    if (arc == NULL)
        return ASTAR_NO_MEMORY;
    const AstarGraphNode *a = &graph->nodes[node], *b = &graph->nodes[to];
    if (is_measured)
        cost = astar_is_placed(a) && astar_is_placed(b) ? astar_straight(a->x - b->x, a->y - b->y)
                                                        : 1;
    arc->to |= (flags & SAVED_ARC_BLOCKED ? ASTAR_ARC_BLOCKED : 0) |
               (is_absent ? ASTAR_ARC_ABSENT : 0) | (is_measured ? ASTAR_ARC_BY_DISTANCE : 0);
    arc->label = label;
    arc->cost = cost;
    *most_label = label > *most_label ? label : *most_label;
    astar_count_arc(graph, node, arc);
    return ASTAR_OK;
}

static AstarStatus get_saved_arcs(AstarReader *reader, AstarGraph *graph, uint32_t *most_label)
{
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        uint32_t count = astar_get_varint(reader);
        AstarStatus status = ASTAR_OK;
        for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
            status = get_saved_arc(reader, graph, node, most_label);
        if (status != ASTAR_OK)
            return status;
    }
    return reader->is_bad || reader->at != reader->end ? ASTAR_BAD_DATA : ASTAR_OK;
}

// Lists for each node those that have an arc to it, in their order, all lists in one: 'ends' tells
// where each ends.
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

// Whether every arc has one back, be it marked absent, and no node has two to the same one. 'marks'
// holds zeros.
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

static bool check_graph_heading(AstarReader *reader, const uint8_t *bytes, size_t length)
{
    if (length < GRAPH_HEADING_LENGTH + GRAPH_HASH_LENGTH ||
        memcmp(bytes, graph_heading, GRAPH_HEADING_LENGTH) != 0)
        return false;
    AstarReader tail = {bytes + length - GRAPH_HASH_LENGTH, bytes + length, false};
    *reader = (AstarReader){bytes + GRAPH_HEADING_LENGTH, tail.at, false};
    return astar_get_integer(&tail, GRAPH_HASH_LENGTH) ==
           astar_hash_bytes(bytes, length - GRAPH_HASH_LENGTH);
}

static AstarStatus get_graph(AstarReader *reader, AstarGraph *graph, AstarGraphLabels *labels)
{
    uint32_t count = astar_get_varint(reader), most_label = 0;
    *labels = (AstarGraphLabels){reader->at, reader->end, count};
    for (uint32_t i = 0; i < count && !reader->is_bad; i++)
        get_saved_name(reader);
    AstarStatus status = reader->is_bad ? ASTAR_BAD_DATA : get_saved_nodes(reader, graph);
    if (status == ASTAR_OK)
        status = get_saved_arcs(reader, graph, &most_label);
    if (status == ASTAR_OK)
        status = check_pairs(graph);
    return status == ASTAR_OK && most_label > count ? ASTAR_BAD_DATA : status;
}

AstarStatus astar_graph_load(const AstarAllocator *allocator, const void *bytes, size_t length,
                             AstarGraph **out, AstarGraphLabels *labels)
{
    AstarReader reader;
    if (!check_graph_heading(&reader, bytes, length))
        return ASTAR_BAD_DATA;
    AstarGraph *graph;
    AstarStatus status = astar_graph_new(allocator, &graph);
    if (status != ASTAR_OK)
        return status;
    status = get_graph(&reader, graph, labels);
    if (status == ASTAR_OK)
        *out = graph;
    else
        astar_graph_release(graph);
    return status;
}

bool astar_graph_next_label(AstarGraphLabels *labels, AstarName *name)
{
    if (labels->count == 0)
        return false;
    labels->count--;
    AstarReader reader = {labels->at, labels->end, false};
    *name = get_saved_name(&reader);
    labels->at = reader.at;
    return !reader.is_bad;
}
