// graph_search.c -- A* over a graph, or over states that the host describes as they are met.
//
// Estimates come of the host, of landmarks, of positions, or there are none. A node is taken from
// the open list, tested and expanded; the host's functions may leave by longjmp anywhere in
// between, so the search remembers which node it is at and goes on with that one: to note a way
// twice does no harm. An estimate that is not consistent has nodes expanded again, so that the
// route is the cheapest all the same; only where 'weight' allows for dearer ones they are left.

#include "graph/graph_search.h"

#include "base/bits.h"

#include <string.h>

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

// ---- what it sees ----

const AstarGraphNode *astar_node_frozen(const AstarGraphSearch *search, uint32_t node)
{
    uint32_t place = search->kept.places[node];
    return place != 0 ? &search->kept.nodes[place - 1] : &search->graph->nodes[node];
}

const AstarGraphArc *astar_arcs_seen(const AstarGraphSearch *search, uint32_t node)
{
    bool is_kept = astar_is_frozen(search) && search->kept.places[node] != 0;
    return is_kept ? search->kept.arcs + astar_node_frozen(search, node)->arcs
                   : astar_arcs_of(search->graph, node);
}

// ---- estimates ----

static double distance_to_goal(const AstarGraphSearch *search, uint32_t node)
{
    if (search->options.neighbours != NULL || node >= search->graph->keys.count)
        return (double)INFINITY;
    const AstarGraphNode *at = astar_node_seen(search, node);
    double distance = astar_straight(at->x - search->aim.x, at->y - search->aim.y);
    return isnan(distance) ? (double)INFINITY : distance;
}

// What the rest of the way costs at least, as far as the graph tells.
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
    return isgreater(straight, h) ? straight : h; // NAN where there is no position
}

// The same, or the host's word, which is asked for once a node.
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
    double h = estimate_rest(search, to, context), most = search->question.max_cost;
    if (search->options.estimate != NULL && was_edited(search))
        return ASTAR_GRID_CHANGED;
    bool trusts = search->aim.estimate != ASTAR_BY_HOST && !search->question.partial;
    if (g > most || (trusts && g + h > most)) {
        search->was_cut = true;
        return ASTAR_OK;
    }
    if (!astar_heap_reserve(&search->open, &search->alloc, 1))
        return ASTAR_NO_MEMORY;
    if (search->aim.estimate == ASTAR_BY_HOST)
        search->estimates[to] = h;
    search->records[to] = (AstarRecord){g, from, search->epoch << 1};
    astar_heap_push(&search->open, astar_open(g + search->question.weight * h, g, to));
    if (is_better != NULL)
        *is_better = true;
    return ASTAR_OK;
}

// ---- expanding ----

// What a step over an arc costs: INFINITY where there is none, NAN after a fault in '*status'.
static double cost_of_arc(AstarGraphSearch *search, uint32_t from, const AstarGraphArc *arc,
                          void *context, AstarStatus *status)
{
    double cost = arc->cost;
    uint32_t to = astar_arc_to(arc);
    if (search->options.cost == NULL)
        return cost;
    if (astar_is_seen(search, to) && search->records[to].g <= search->records[from].g)
        return (double)INFINITY; // no cost makes this way the better one
    cost = search->options.cost(context, from, to, arc->label, cost);
    if (was_edited(search))
        *status = ASTAR_GRID_CHANGED;
    else if (!(cost >= astar_graph_search_least(search, from, to, arc->cost) &&
               (cost <= ASTAR_GRAPH_COST_MAX || isinf(cost))))
        *status = ASTAR_BAD_COST;
    return cost;
}

// Arc by arc: where the host is asked, or some nodes are to be seen as they were.
static AstarStatus expand_by_host(AstarGraphSearch *search, uint32_t node, void *context)
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

// Where nothing is asked of the host, which is most of what a search does, an expansion goes
// through so many arcs at a time: first which of them lead anywhere new or cheaper, then these.
enum { ASTAR_ARCS_AT_ONCE = 32 };

// Stores the places of the arcs that may be worth noting, and how many. Most ways lead back, which
// no processor can guess of an arc: so nothing branches here, and nothing waits for memory twice.
static uint32_t pick_better_arcs(const AstarGraphSearch *search, double g,
                                 const AstarGraphArc *arcs, uint32_t count, uint32_t *places)
{
    const AstarGraphNode *nodes = search->graph->nodes;
    const AstarRecord *records = search->records;
    const uint32_t opened = search->epoch << 1; // what was reached is stamped with this or 1 more
    uint32_t picked = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = astar_arc_to(&arcs[i]);
        const AstarRecord *record = &records[to];
        bool is_better = (record->stamp < opened) | (g + arcs[i].cost < record->g);
        bool is_open = !(arcs[i].to & (ASTAR_ARC_ABSENT | ASTAR_ARC_BLOCKED));
        ASTAR_PREFETCH(&nodes[to]);
        places[picked] = i;
        picked += is_better & is_open;
    }
    return picked;
}

// Notes the ways over the arcs at some places. No two of a node's arcs lead to the same one.
static void relax_picked(AstarGraphSearch *search, uint32_t from, const AstarGraphArc *arcs,
                         const uint32_t *places, uint32_t count)
{
    const AstarGraph *graph = search->graph;
    const AstarGraphNode *nodes = graph->nodes;
    AstarRecord *records = search->records;
    const uint32_t opened = search->epoch << 1;
    const double g = records[from].g, weight = search->question.weight;
    const double most = search->question.max_cost;
    const bool keeps_closed = weight > 1 && !search->aim.reopens;
    for (uint32_t i = 0; i < count; i++) {
        const AstarGraphArc *arc = &arcs[places[i]];
        uint32_t to = astar_arc_to(arc);
        double to_g = g + arc->cost;
        if (nodes[to].flags & ASTAR_NODE_BLOCKED || (records[to].stamp > opened && keeps_closed))
            continue;
        ASTAR_PREFETCH(graph->arcs + nodes[to].arcs);
        double h = estimate_plainly(search, to);
        if (to_g > most || (to_g + h > most && !search->question.partial)) {
            search->was_cut = true;
            continue;
        }
        records[to] = (AstarRecord){to_g, from, opened};
        astar_heap_push(&search->open, astar_open(to_g + weight * h, to_g, to));
    }
}

static AstarStatus expand_plainly(AstarGraphSearch *search, uint32_t node)
{
    const AstarGraphArc *arcs = astar_arcs_of(search->graph, node);
    uint32_t places[ASTAR_ARCS_AT_ONCE], count = search->graph->nodes[node].count;
    if (!astar_heap_reserve(&search->open, &search->alloc, count))
        return ASTAR_NO_MEMORY;
    for (uint32_t part; count > 0; arcs += part, count -= part) {
        part = count < ASTAR_ARCS_AT_ONCE ? count : ASTAR_ARCS_AT_ONCE;
        uint32_t picked = pick_better_arcs(search, search->records[node].g, arcs, part, places);
        relax_picked(search, node, arcs, places, picked);
    }
    return ASTAR_OK;
}

// The goal, or way out, at a node; NULL for none.
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
    bool asks = search->options.cost != NULL || search->aim.estimate == ASTAR_BY_HOST ||
                astar_is_frozen(search);
    return asks ? expand_by_host(search, node, context) : expand_plainly(search, node);
}

// ---- steps ----

// Whether all that keeps the search from its goal is the graph, not the host or a budget.
static bool asks_graph_alone(const AstarGraphSearch *search)
{
    const AstarGraphQuestion *question = &search->question;
    return search->aim.kind == ASTAR_TO_NODE && search->aim.start != ASTAR_NO_NODE &&
           search->options.neighbours == NULL &&
           (search->options.cost == NULL || search->options.dearer_only) &&
           search->options.estimate == NULL && !question->partial && isinf(question->max_cost) &&
           question->max_expansions == UINT64_MAX;
}

static AstarStatus finish_graph_search(AstarGraphSearch *search, AstarStatus status)
{
    if (status == ASTAR_UNREACHABLE && !astar_is_frozen(search) && asks_graph_alone(search))
        astar_graph_components_note_vain(search->graph, search->expanded);
    bool leads_near = status == ASTAR_UNREACHABLE || status == ASTAR_MAX_COST ||
                      status == ASTAR_MAX_EXPANSIONS;
    if (leads_near && search->question.partial && search->found.nearest != ASTAR_NO_NODE) {
        search->found.node = search->found.nearest;
        search->found.is_partial = true;
        status = ASTAR_OK;
    }
    return search->status = status;
}

// Remembers the node nearest to the goal, of equally near ones the cheapest, then the first made.
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

// Takes the next node from the open list; false when there is none.
static bool take_next_node(AstarGraphSearch *search)
{
    while (astar_heap_count(&search->open) > 0) {
        uint32_t node = astar_open_cell(astar_heap_pop(&search->open));
        if (!(search->records[node].stamp & 1)) { // else pushed again since, at less
            search->records[node].stamp |= 1;
            search->current = node;
            search->is_tested = false;
            return true;
        }
    }
    return false;
}

// Tests the current node: ASTAR_RUNNING where it is to be expanded, else what the search came to.
static AstarStatus test_current(AstarGraphSearch *search, void *context)
{
    bool found = is_goal_node(search, search->current, context);
    if (was_edited(search))
        return search->status = ASTAR_GRID_CHANGED;
    if (found) {
        search->found.node = search->current;
        return search->status = ASTAR_OK;
    }
    if (search->question.partial)
        note_nearest_node(search, search->current);
    if (search->expanded == search->question.max_expansions) {
        search->records[search->current].stamp &= ~1u; // it is not expanded
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

// Whether there is no way, by components. What they know depends on what was asked before, so only
// a search that is made at one go asks them, of which nobody can tell how long it took.
static bool is_hopeless(const AstarGraphSearch *search, uint64_t expansions)
{
    return expansions == UINT64_MAX && search->expanded == 0 && !astar_is_frozen(search) &&
           asks_graph_alone(search) &&
           astar_graph_are_apart(search->graph, search->aim.start, search->aim.goal);
}

// One that is held goes on though its graph was edited.
static void see_edits(AstarGraphSearch *search)
{
    search->version = search->graph->version;
    if (search->aim.estimate != ASTAR_BY_LANDMARKS) // which edits make void
        return;
    search->aim.estimate = search->aim.scale > 0 ? ASTAR_BY_POSITION : ASTAR_NO_ESTIMATE;
    search->aim.reopens = true; // it has gone by greater estimates
}

AstarStatus astar_graph_search_step(AstarGraphSearch *search, uint64_t expansions, void *context)
{
    if (search->status != ASTAR_RUNNING)
        return search->status;
    if (was_edited(search) && astar_is_held(search))
        see_edits(search); // by callbacks it must not be edited all the same
    if (was_edited(search))
        return search->status = ASTAR_GRID_CHANGED;
    if (is_hopeless(search, expansions))
        return search->status = ASTAR_UNREACHABLE;
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

// ---- states ----

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
