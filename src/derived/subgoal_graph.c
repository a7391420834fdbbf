// subgoal_graph.c -- the subgoals and the ways between them.
//
// An edge leads to each subgoal that a way of two legs reaches with no other subgoal on it. A
// straight run looks no further than the one beside it, nearer to the subgoal, came: what lies
// beyond is reached as cheaply over another subgoal, one at the corner that ended that run. Then
// every edge is left out that two shorter ones replace.

#include "derived/subgoals.h"

#include "base/array.h"
#include "base/bits.h"
#include "derived/jump_words.h"

#include <string.h>

enum { STOP_WORDS = 4096 }; // of stops

// ---- memory ----

static bool open_stops(AstarSubgoalGraph *graph)
{
    const AstarSubgoals *s = graph->subgoals;
    graph->stops[0] = astar_bits_new(&s->allocator, s->width, s->height);
    graph->stops[1] = astar_bits_new(&s->allocator, s->height, s->width);
    return graph->stops[0].words != NULL && graph->stops[1].words != NULL;
}

AstarStatus astar_subgoal_graph_new(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, AstarSubgoalGraph **out)
{
    const AstarAllocator *allocator = &subgoals->allocator;
    size_t count = (size_t)subgoals->count + 1;
    AstarSubgoalGraph *graph = astar_alloc(allocator, 1, sizeof *graph);
    if (graph == NULL)
        return ASTAR_NO_MEMORY;
    graph->subgoals = subgoals;
    graph->straight = straight;
    graph->diagonal = diagonal;
    graph->first = astar_alloc(allocator, count, sizeof *graph->first);
    graph->degrees = astar_alloc(allocator, count, sizeof *graph->degrees);
    graph->costs = astar_alloc(allocator, count, sizeof *graph->costs);
    if (graph->first == NULL || graph->degrees == NULL || graph->costs == NULL ||
        !open_stops(graph)) {
        astar_subgoal_graph_free(graph);
        return ASTAR_NO_MEMORY;
    }
    *out = graph;
    return ASTAR_OK;
}

bool astar_subgoal_graph_clear(AstarSubgoalGraph *graph, int64_t *work)
{
    return astar_arena_clear(&graph->arena, &graph->subgoals->allocator, work);
}

void astar_subgoal_graph_free(AstarSubgoalGraph *graph)
{
    if (graph == NULL)
        return;
    const AstarAllocator *allocator = &graph->subgoals->allocator;
    size_t count = (size_t)graph->subgoals->count + 1;
    astar_release(allocator, graph->first, count, sizeof *graph->first);
    astar_release(allocator, graph->degrees, count, sizeof *graph->degrees);
    astar_release(allocator, graph->costs, count, sizeof *graph->costs);
    astar_release(allocator, graph->found, graph->found_capacity, sizeof *graph->found);
    int64_t work = INT64_MAX;
    astar_subgoal_graph_clear(graph, &work);
    astar_bits_free(allocator, &graph->stops[0]);
    astar_bits_free(allocator, &graph->stops[1]);
    astar_release(allocator, graph, 1, sizeof *graph);
}

// ---- scanning ----

// Adds an edge of the subgoal being scanned.
static AstarStatus add_edge(AstarSubgoalGraph *graph, int x, int y, uint32_t cost)
{
    uint32_t *degree = &graph->degrees[graph->scanned];
    if (!ASTAR_RESERVE(&graph->subgoals->allocator, graph->found, *degree, 1,
                       &graph->found_capacity, 64))
        return ASTAR_NO_MEMORY;
    graph->found[(*degree)++] = (AstarSubgoalEdge){astar_subgoal_at(graph->subgoals, x, y), cost};
    return ASTAR_OK;
}

// Keeps what was found of it, so that no step of a job has to move more than that.
static AstarStatus keep_edges(AstarSubgoalGraph *graph)
{
    size_t bytes = graph->degrees[graph->scanned] * sizeof *graph->found;
    AstarSubgoalEdge *kept = astar_arena_take(&graph->arena, &graph->subgoals->allocator, bytes);
    if (kept == NULL)
        return ASTAR_NO_MEMORY;
    if (bytes > 0)
        memcpy(kept, graph->found, bytes);
    graph->first[graph->scanned] = kept;
    return ASTAR_OK;
}

// Runs straight, 'before' spent on the way, to the next subgoal or obstacle, but adds an edge only
// where that is nearer than '*limit', which it then is.
static AstarStatus look_straight(AstarSubgoalGraph *graph, AstarStraight direction, int x, int y,
                                 uint32_t before, int *limit)
{
    bool turned = astar_is_turned((int)direction);
    int position = turned ? y : x;
    const uint64_t *stops = astar_row_at(&graph->stops[turned], turned ? x : y);
    int stop = astar_is_upward((int)direction) ? astar_bit_from(stops, position + 1)
                                               : astar_bit_until(stops, position - 1);
    int steps = astar_is_upward((int)direction) ? stop - position : position - stop;
    if (steps >= *limit)
        return ASTAR_OK;
    *limit = steps;
    int to_x = turned ? x : stop, to_y = turned ? stop : y;
    bool is_subgoal = astar_bit_at(&graph->subgoals->corners, to_y, to_x);
    return is_subgoal ? add_edge(graph, to_x, to_y, before + (uint32_t)steps * graph->straight)
                      : ASTAR_OK;
}

// Looks aside to both sides from each cell of a first leg, as far as that is free and comes to no
// subgoal; 'limits' are those of the runs from where it begins.
static AstarStatus look_along(AstarSubgoalGraph *graph, int x, int y, int dx, int dy,
                              const int limits[4])
{
    const AstarSubgoals *s = graph->subgoals;
    AstarStraight one = dx > 0 ? ASTAR_EAST : ASTAR_WEST;
    AstarStraight other = dy > 0 ? ASTAR_SOUTH : ASTAR_NORTH;
    uint32_t step = graph->diagonal, cost = 0;
    if (dy == 0) { // along the row
        one = ASTAR_SOUTH;
        other = ASTAR_NORTH;
        step = graph->straight;
    }
    int limit_one = limits[one], limit_other = limits[other];
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK) {
        bool is_free = dy != 0 ? astar_subgoals_can_slant(&s->rows, s->rule->corners, x, y, dx, dy)
                               : astar_bit_at(&s->rows, y, x + dx) != 0;
        if (!is_free)
            return ASTAR_OK;
        x += dx;
        y += dy;
        cost += step;
        if (astar_bit_at(&s->corners, y, x))
            return add_edge(graph, x, y, cost);
        if (limit_one > 1)
            status = look_straight(graph, one, x, y, cost, &limit_one);
        if (status == ASTAR_OK && limit_other > 1)
            status = look_straight(graph, other, x, y, cost, &limit_other);
    }
    return status;
}

static AstarStatus scan_next(AstarSubgoalGraph *graph)
{
    uint32_t number = graph->scanned;
    bool has_diagonals = graph->subgoals->rule->has_diagonals;
    uint32_t place = graph->subgoals->places[number];
    int x = astar_place_x(place), y = astar_place_y(place);
    int limits[4] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    AstarStatus status = ASTAR_OK;
    graph->degrees[number] = 0; // there may be some of a scan for which memory was short
    for (int i = 0; i < 4 && status == ASTAR_OK; i++)
        if (has_diagonals || astar_is_turned(i))
            status = look_straight(graph, (AstarStraight)i, x, y, 0, &limits[i]);
    for (int i = 0; i < 4 && status == ASTAR_OK; i++) {
        int dx = i & 1 ? 1 : -1, dy = i & 2 ? 1 : -1;
        if (has_diagonals || i < 2)
            status = look_along(graph, x, y, dx, has_diagonals ? dy : 0, limits);
    }
    return status == ASTAR_OK ? keep_edges(graph) : status;
}

// ---- leaving out what is replaced ----

// Strikes out the edges from a subgoal that some edge from it and one more replace: their costs
// become 0.
static int64_t strike_out(AstarSubgoalGraph *graph, const AstarSubgoalEdge *edges, uint32_t degree)
{
    int64_t looked = 0;
    for (uint32_t i = 0; i < degree; i++) {
        const AstarSubgoalEdge *on = graph->first[edges[i].to];
        uint32_t count = graph->degrees[edges[i].to];
        for (uint32_t k = 0; k < count; k++)
            if (edges[i].cost + on[k].cost <= graph->costs[on[k].to])
                graph->costs[on[k].to] = 0;
        looked += count;
    }
    return looked;
}

static int64_t thin_out_edges(AstarSubgoalGraph *graph, uint32_t number)
{
    AstarSubgoalEdge *edges = graph->first[number];
    uint32_t degree = graph->degrees[number], kept = 0;
    for (uint32_t i = 0; i < degree; i++)
        graph->costs[edges[i].to] = edges[i].cost;
    int64_t looked = strike_out(graph, edges, degree);
    for (uint32_t i = 0; i < degree; i++) {
        AstarSubgoalEdge edge = edges[i];
        if (graph->costs[edge.to] != 0)
            edges[kept++] = edge;
        graph->costs[edge.to] = 0;
    }
    graph->degrees[number] = kept;
    graph->kept += kept;
    return looked;
}

// Some words of bitmaps: one with what is not free set, too.
static void add_obstacles(const AstarBits *from, const AstarBits *free, AstarBits *to, size_t i,
                          size_t count)
{
    for (size_t end = i + count < to->count ? i + count : to->count; i < end; i++)
        to->words[i] = from->words[i] | ~free->words[i];
}

// Makes the next stops, by rows and then by columns: the subgoals turned first.
static void make_stops(AstarSubgoalGraph *graph, int64_t *work)
{
    const AstarSubgoals *s = graph->subgoals;
    AstarBits *rows = &graph->stops[0], *columns = &graph->stops[1];
    int height = s->height + 2, y = graph->stopped_rows;
    if (y < height) {
        astar_bits_turn_rows(&s->corners, s->height, columns, y);
        add_obstacles(&s->corners, &s->rows, rows, (size_t)y * rows->stride,
                      ASTAR_TURNED_ROWS * rows->stride);
        graph->stopped_rows = y + ASTAR_TURNED_ROWS;
        *work -= (int64_t)ASTAR_TURNED_ROWS * s->width / 32;
    } else {
        add_obstacles(columns, &s->columns, columns, graph->stopped_words, STOP_WORDS);
        graph->stopped_words += STOP_WORDS;
        *work -= STOP_WORDS / 4;
    }
}

AstarStatus astar_subgoal_graph_advance(AstarSubgoalGraph *graph, int64_t *work)
{
    uint32_t count = graph->subgoals->count;
    while (graph->stopped_words < graph->stops[1].count) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        make_stops(graph, work);
    }
    for (; graph->scanned < count; graph->scanned++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = scan_next(graph);
        if (status != ASTAR_OK)
            return status;
        *work -= 64 + 16 * (int64_t)graph->degrees[graph->scanned];
    }
    for (; graph->thinned < count; graph->thinned++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        *work -= 16 + thin_out_edges(graph, graph->thinned);
    }
    return ASTAR_OK;
}
