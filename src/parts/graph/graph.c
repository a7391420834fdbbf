// graph.c -- navigation graphs: building and editing them, and the node nearest to a position.

#include "parts/graph/graph.h"

#include "base/array.h"
#include "base/bits.h"
#include "parts/graph/graph_baking.h"
#include "parts/graph/graph_search.h"
#include "parts/graph/keys.h"

#include <assert.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Storage of arcs: one array, divided into runs of consecutive arcs of a few sizes, here called
// blocks. Each node owns one block for its arcs.
//
// When a block is full, its arcs move to a block that is half or a third larger. The old block can
// then be used by any node that needs a block of its size. Arcs keep the order in which they were
// added.
// ------------------------------------------------------------------------------------------------

// Returns the number of arcs in a block of a size class. The sizes are 2, 4, 6, 8, 12, 16, 24, 32,
// ...
static uint32_t block_size(int class)
{
    return class == 0 ? 2 : class % 2 == 1 ? 2u << (class + 1) / 2 : 3u << class / 2;
}

static int class_for(uint32_t count)
{
    int class = 0;
    while (block_size(class) < count)
        class ++;
    return class;
}

AstarGraphArc *astar_find_arc(const AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphArc *arcs = astar_arcs_of(graph, from);
    for (uint32_t i = 0; i < graph->nodes[from].count; i++)
        if (astar_arc_to(&arcs[i]) == to)
            return &arcs[i];
    return NULL;
}

// Returns the index of the first arc of a free block of a size class, or UINT32_MAX if there is no
// memory.
static uint32_t take_block(AstarGraph *graph, int class)
{
    uint32_t size = block_size(class), first = graph->free_blocks[class];
    if (first > 0) {
        graph->free_blocks[class] = graph->arcs[first - 1].label;
        return first - 1;
    }
    if (graph->arc_count + size >= UINT32_MAX)
        return UINT32_MAX;
    if (!ASTAR_RESERVE(&graph->alloc, graph->arcs, graph->arc_count, size, &graph->arc_capacity,
                       16))
        return UINT32_MAX;
    first = (uint32_t)graph->arc_count;
    graph->arc_count += size;
    return first;
}

static void give_block(AstarGraph *graph, uint32_t first, uint32_t size)
{
    int class = class_for(size);
    graph->arcs[first].label = graph->free_blocks[class];
    graph->free_blocks[class] = first + 1;
}

AstarGraphArc *astar_add_arc(AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphNode *node = &graph->nodes[from];
    if (node->count == node->capacity) {
        int class = class_for(node->count + 1);
        uint32_t first = take_block(graph, class);
        if (first == UINT32_MAX)
            return NULL;
        if (node->count > 0)
            memcpy(graph->arcs + first, graph->arcs + node->arcs,
                   node->count * sizeof *graph->arcs);
        astar_free_arcs(graph, from);
        node->arcs = first;
        node->capacity = block_size(class);
    }
    AstarGraphArc *arc = graph->arcs + node->arcs + node->count++;
    *arc = (AstarGraphArc){.to = to};
    return arc;
}

void astar_remove_arc(AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphNode *node = &graph->nodes[from];
    AstarGraphArc *arc = astar_find_arc(graph, from, to);
    size_t after = (size_t)(astar_arcs_of(graph, from) + --node->count - arc);
    memmove(arc, arc + 1, after * sizeof *arc);
}

void astar_free_arcs(AstarGraph *graph, uint32_t node)
{
    if (graph->nodes[node].capacity > 0)
        give_block(graph, graph->nodes[node].arcs, graph->nodes[node].capacity);
    graph->nodes[node].capacity = 0;
}

// ------------------------------------------------------------------------------------------------
// The functions below find the node nearest to a position.
//
// The first few queries compare all nodes. If more queries come and no node moves in between, the
// nodes are sorted into square buckets, about one bucket per two nodes. A query then examines rings
// of buckets around its own bucket until no ring can hold a nearer node. The two methods have the
// same result: among equally near nodes the one that was added first.
// ------------------------------------------------------------------------------------------------

enum { LOOKS_BEFORE_SORTING = 4, FEWEST_TO_SORT = 64, MOST_BUCKETS_A_SIDE = 4096 };

typedef struct AstarPlaces {
    uint64_t moves; // the graph's 'moves' at the last query
    uint32_t looks; // queries since then that compared all nodes
    bool is_sorted;
    double x0, y0, side; // corner of the buckets, and side of one bucket
    int across, down;
    uint32_t *first; // for each bucket, and one more, the index of its first node in 'nodes'
    uint32_t *nodes;
    size_t bucket_count, node_count; // allocated sizes
} AstarPlaces;

static void free_buckets(AstarGraph *graph, AstarPlaces *places)
{
    astar_release(&graph->alloc, places->first, places->bucket_count + 1, sizeof *places->first);
    astar_release(&graph->alloc, places->nodes, places->node_count, sizeof *places->nodes);
    *places = (AstarPlaces){.moves = graph->moves};
}

void astar_places_free(AstarGraph *graph)
{
    if (graph->places != NULL)
        free_buckets(graph, graph->places);
    astar_release(&graph->alloc, graph->places, 1, sizeof *graph->places);
    graph->places = NULL;
}

// The position of a query, and the nearest node found so far.
typedef struct NearestNode {
    double x, y;
    double square; // the square of the distance
    uint32_t node;
} NearestNode;

static void consider_node(NearestNode *nearest, const AstarGraph *graph, uint32_t node)
{
    double dx = graph->nodes[node].x - nearest->x, dy = graph->nodes[node].y - nearest->y;
    double square = dx * dx + dy * dy;
    if (square < nearest->square || (square == nearest->square && node < nearest->node)) {
        nearest->square = square;
        nearest->node = node;
    }
}

// Buckets.

static int bucket_along(double offset, double side, int count)
{
    double at = floor(offset / side);
    return at < 0 ? 0 : at >= count ? count - 1 : (int)at;
}

static size_t bucket_of(const AstarPlaces *places, const AstarGraphNode *node)
{
    int column = bucket_along(node->x - places->x0, places->side, places->across);
    int row = bucket_along(node->y - places->y0, places->side, places->down);
    return (size_t)row * (size_t)places->across + (size_t)column;
}

// Computes the position and number of the buckets from the positions of all nodes. Returns false if
// too few nodes have a position.
static bool lay_out(const AstarGraph *graph, AstarPlaces *places)
{
    double x1 = -(double)INFINITY, y1 = x1;
    places->x0 = places->y0 = (double)INFINITY;
    places->node_count = 0;
    for (uint32_t i = 0; i < graph->keys.count; i++) {
        const AstarGraphNode *node = &graph->nodes[i];
        if (!astar_is_placed(node))
            continue;
        places->node_count++;
        places->x0 = node->x < places->x0 ? node->x : places->x0;
        places->y0 = node->y < places->y0 ? node->y : places->y0;
        x1 = node->x > x1 ? node->x : x1;
        y1 = node->y > y1 ? node->y : y1;
    }
    double width = x1 - places->x0, height = y1 - places->y0;
    double longest = width > height ? width : height, buckets = (double)places->node_count / 2;
    if (places->node_count < FEWEST_TO_SORT || !(longest > 0))
        return false;
    places->side = sqrt(width * height / buckets);
    if (!(places->side > longest / MOST_BUCKETS_A_SIDE)) // nearly a line
        places->side = longest / (buckets < MOST_BUCKETS_A_SIDE ? buckets : MOST_BUCKETS_A_SIDE);
    places->across = bucket_along(width, places->side, MOST_BUCKETS_A_SIDE) + 1;
    places->down = bucket_along(height, places->side, MOST_BUCKETS_A_SIDE) + 1;
    places->bucket_count = (size_t)places->across * (size_t)places->down;
    return true;
}

// Sorts the nodes into buckets. If memory runs out, queries continue to compare all nodes.
static void sort_places(AstarGraph *graph, AstarPlaces *places)
{
    if (!lay_out(graph, places)) {
        places->bucket_count = places->node_count = 0;
        return;
    }
    places->first = astar_alloc(&graph->alloc, places->bucket_count + 1, sizeof *places->first);
    places->nodes = astar_alloc(&graph->alloc, places->node_count, sizeof *places->nodes);
    if (places->first == NULL || places->nodes == NULL) {
        free_buckets(graph, places);
        return;
    }
    for (uint32_t i = 0; i < graph->keys.count; i++)
        if (astar_is_placed(&graph->nodes[i]))
            places->first[bucket_of(places, &graph->nodes[i])]++;
    for (size_t i = 1; i <= places->bucket_count; i++)
        places->first[i] += places->first[i - 1];
    for (uint32_t i = graph->keys.count; i-- > 0;)
        if (astar_is_placed(&graph->nodes[i]))
            places->nodes[--places->first[bucket_of(places, &graph->nodes[i])]] = i;
    places->is_sorted = true;
}

// Examines the nodes in the buckets of a row, from the column 'from' to the column 'to'. Buckets
// that do not exist are skipped.
static void consider_row(NearestNode *nearest, const AstarGraph *graph, int row, int from, int to)
{
    const AstarPlaces *places = graph->places;
    from = from < 0 ? 0 : from;
    to = to < places->across ? to : places->across - 1;
    if (row < 0 || row >= places->down || from > to)
        return;
    size_t begin = (size_t)row * (size_t)places->across;
    uint32_t end = places->first[begin + (size_t)to + 1];
    for (uint32_t i = places->first[begin + (size_t)from]; i < end; i++)
        consider_node(nearest, graph, places->nodes[i]);
}

// Examines the nodes in the ring of buckets that lie 'ring' columns or rows away from a bucket.
static void consider_ring(NearestNode *nearest, const AstarGraph *graph, int column, int row,
                          int ring)
{
    consider_row(nearest, graph, row - ring, column - ring, column + ring);
    if (ring == 0)
        return;
    consider_row(nearest, graph, row + ring, column - ring, column + ring);
    int last = graph->places->down - 1;
    int from = row - ring + 1 > 0 ? row - ring + 1 : 0;
    int to = row + ring - 1 < last ? row + ring - 1 : last;
    for (int y = from; y <= to; y++) {
        consider_row(nearest, graph, y, column - ring, column - ring);
        consider_row(nearest, graph, y, column + ring, column + ring);
    }
}

static void look_into_buckets(NearestNode *nearest, const AstarGraph *graph)
{
    const AstarPlaces *places = graph->places;
    int column = bucket_along(nearest->x - places->x0, places->side, places->across);
    int row = bucket_along(nearest->y - places->y0, places->side, places->down);
    int most = places->across > places->down ? places->across : places->down;
    for (int ring = 0; ring < most; ring++) {
        // All nodes within this distance were examined. One ring is subtracted as a margin for
        // rounding.
        double covered = (ring - 2) * places->side;
        if (nearest->node != ASTAR_NO_NODE && covered > 0 && covered * covered > nearest->square)
            return;
        consider_ring(nearest, graph, column, row, ring);
    }
}

uint32_t astar_graph_nearest(AstarGraph *graph, double x, double y)
{
    if (graph->places == NULL)
        graph->places = astar_alloc(&graph->alloc, 1, sizeof *graph->places);
    AstarPlaces *places = graph->places;
    if (places != NULL && places->moves != graph->moves)
        free_buckets(graph, places);
    if (places != NULL && !places->is_sorted && ++places->looks % LOOKS_BEFORE_SORTING == 0)
        sort_places(graph, places);
    NearestNode nearest = {x, y, (double)INFINITY, ASTAR_NO_NODE};
    if (places != NULL && places->is_sorted)
        look_into_buckets(&nearest, graph);
    else
        for (uint32_t i = 0; i < graph->keys.count; i++)
            if (astar_is_placed(&graph->nodes[i]))
                consider_node(&nearest, graph, i);
    return nearest.node;
}

// ------------------------------------------------------------------------------------------------
// The functions below compute the factor by which a straight distance becomes an estimate of cost.
//
// A route costs at least the straight distance times the least cost per length of any arc. A single
// cheap edge, such as a teleporter, lowers this bound for all queries. If an arc leads from or to a
// node without a position, there is no bound. The arcs of least cost are counted, so that an edit
// need not examine all arcs. The next query examines all arcs only if the last arc of least cost
// was removed. Blocked arcs are counted, too, so that opening a door changes no estimate.
// ------------------------------------------------------------------------------------------------

// Returns the cost of an arc per unit of length, or INFINITY if its length is 0.
static double cost_per_length(const AstarGraph *graph, uint32_t from, const AstarGraphArc *arc)
{
    const AstarGraphNode *a = &graph->nodes[from], *b = &graph->nodes[astar_arc_to(arc)];
    double length = astar_straight(a->x - b->x, a->y - b->y);
    return length > 0 ? arc->cost / length : (double)INFINITY;
}

static bool is_unplaced(const AstarGraph *graph, uint32_t from, const AstarGraphArc *arc)
{
    return !astar_is_placed(&graph->nodes[from]) ||
           !astar_is_placed(&graph->nodes[astar_arc_to(arc)]);
}

static void take_least_arc(AstarGraph *graph, double cost)
{
    if (cost < graph->least) {
        graph->least = cost;
        graph->least_count = 0;
    }
    if (cost == graph->least) {
        graph->least_count++;
        graph->least_is_outdated = false; // all other arcs cost at least as much
    }
}

void astar_count_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc)
{
    if (arc->to & ASTAR_ARC_ABSENT)
        return;
    if (is_unplaced(graph, from, arc))
        graph->unplaced++;
    else
        take_least_arc(graph, cost_per_length(graph, from, arc));
}

void astar_discount_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc)
{
    if (arc->to & ASTAR_ARC_ABSENT)
        return;
    if (is_unplaced(graph, from, arc))
        graph->unplaced--;
    else if (cost_per_length(graph, from, arc) == graph->least && graph->least_count > 0)
        graph->least_is_outdated = --graph->least_count == 0;
}

ASTAR_COLD void astar_graph_find_least_arc(AstarGraph *graph)
{
    graph->least = (double)INFINITY;
    graph->least_count = 0;
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        for (uint32_t i = 0; i < graph->nodes[node].count; i++)
            if (!(arcs[i].to & ASTAR_ARC_ABSENT) && !is_unplaced(graph, node, &arcs[i]))
                take_least_arc(graph, cost_per_length(graph, node, &arcs[i]));
    }
    graph->least_is_outdated = false;
}

// The functions below create, edit and free a graph.

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

// Nodes.

// Renumbers the nodes so that no number of a removed node stays unused. Returns false if there is
// no memory for the table of new numbers.
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
    graph->openings++; // baked data refers to nodes by their numbers
    astar_graph_landmarks_drop(graph);
    astar_graph_components_drop(graph);
    astar_release(&graph->alloc, renamed, count, sizeof *renamed);
    return true;
}

// Makes room for one more node. If many numbers belong to removed nodes, renumbers the nodes
// instead.
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

// Sets the cost of an arc. The arc must have been taken out of the counts of astar_graph_scale
// before.
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

// Calls 'visit' for all arcs that lead from a node or to it.
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
    graph->blocked -= (gone->flags & ASTAR_NODE_BLOCKED) != 0;
    *gone = (AstarGraphNode){.x = (double)NAN, .y = (double)NAN, .flags = ASTAR_NODE_REMOVED};
    astar_graph_components_loosen(graph);
    graph->removed++;
    graph->version++;
    graph->moves++;
    return true;
}

// Edges.

// Returns true if there are arcs between two nodes. Arcs always exist in both directions, possibly
// marked absent, so it suffices to search the shorter list.
static bool are_linked(const AstarGraph *graph, uint32_t a, uint32_t b)
{
    bool is_shorter = graph->nodes[a].count <= graph->nodes[b].count;
    return (is_shorter ? astar_find_arc(graph, a, b) : astar_find_arc(graph, b, a)) != NULL;
}

// Adds arcs between two nodes in both directions and marks them absent. Returns false if there is
// no memory.
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

// Returns the arc from one node to another. If the arc was just added ('is_new'), it is the last
// arc of its node.
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

// Returns true if an edge leads from the node 'from' to the node 'to'. Stores the arc in '*out'.
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

// Blocks.

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
        graph->blocked += blocked ? 1 : UINT32_MAX; // one more or one less
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
        // Unblocked edges are included, too, because the node at the end of an edge may be blocked.
        astar_graph_components_loosen(graph);
        graph->version++;
    }
    return true;
}

bool astar_graph_block_edge(AstarGraph *graph, uint32_t a, uint32_t b, bool blocked)
{
    bool there = block_arc(graph, a, b, blocked), back = block_arc(graph, b, a, blocked);
    return there || back;
}
