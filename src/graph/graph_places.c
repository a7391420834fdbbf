// graph_places.c -- the node nearest to a position.
//
// A few questions look at every node. Where more come and nothing moves in between, nodes are put
// into square buckets, about one for each two of them, and a question looks at rings of buckets
// around its own until none can hold a nearer one. Both answer the same: of equally near nodes the
// one that was made first.

#include "graph/graph_arcs.h"

enum { LOOKS_BEFORE_SORTING = 4, FEWEST_TO_SORT = 64, MOST_BUCKETS_A_SIDE = 4096 };

typedef struct AstarPlaces {
    uint64_t moves; // of the graph when last asked
    uint32_t looks; // at every node, since
    bool is_sorted;
    double x0, y0, side; // where the buckets begin, and how wide one is
    int across, down;
    uint32_t *first; // for each bucket, and one more, where its nodes begin
    uint32_t *nodes;
    size_t bucket_count, node_count; // allocated
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

// The nearest of what was looked at.
typedef struct NearestNode {
    double x, y;
    double square; // of the distance
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

// ---- buckets ----

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

// Lays the buckets out over all that have a position; false where there are too few.
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

// Sorts the nodes by counting; where there is no memory every question goes on to look at all.
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

// Looks into the buckets of a row from one column to another, as far as there are any.
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

// Looks into the buckets at 'ring' columns or rows from one.
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
        // All that is nearer than this was looked at: a ring more than it seems, for rounding.
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
