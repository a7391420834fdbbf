// links.c -- searching over links: the steps over them, and admissible estimates on maps with
// links.
//
// A link may be shorter than any walk, so the plain estimate, the walk without obstacles, may be
// too high. From a cell n the cheapest path to the goal is either a walk without links, or a walk
// to the entrance of some link and the rest of the route from there:
//
//     h(n) = min(walk(n, goal), min over entrances e of walk(n, e) + rest(e))
//
// The rest of e, rest(e), is the least cost from e over its link to the goal, by walks without
// obstacles and further links. This h is the cost of a shortest path on a map with fewer obstacles,
// so it is consistent. The rests are computed by Dijkstra's algorithm over the links, backward from
// the goal, once per query. Only links that are shortcuts are used. A link is dropped if it is no
// cheaper than the walk between its ends, if it is useless for this goal, or if another link gives
// a cheaper path to its entrance. Usually few links or none are left to check for each cell.
//
// The time for computing the rests grows with the square of the number of shortcuts. On a map of
// 256 x 256 cells computing the rests saves time up to about 500 directed links. Beyond that number
// the estimate is
//
//     h(n) = max(scale * walk(n, goal), min(walk(n, goal), beyond))
//
// where no link costs less than 'scale' times the walk between its ends, and 'beyond' is the least
// rest.

#include "search/links.h"

#include "search/estimate.h"

#include <stdlib.h>

enum { MOST_SHORTCUTS = 512, WORK_OF_A_LINK = 32, WORK_OF_A_SHORTCUT = 16 };

// A link as used for the estimate: its entrance, and its exit while the remaining costs ('rest')
// are computed.
typedef struct AstarShortcut {
    int32_t x, y, to_x, to_y;
    double cost; // cost of the link
    double rest; // least cost from the entrance to the goal over the link
} AstarShortcut;

// Memory.

static uint32_t shortcut_room(uint32_t capacity)
{
    return capacity < MOST_SHORTCUTS ? capacity : MOST_SHORTCUTS;
}

static void free_side(const AstarAllocator *allocator, struct AstarLinks *links)
{
    astar_release(allocator, links->arrivals, links->capacity, sizeof *links->arrivals);
    astar_release(allocator, links->shortcuts, shortcut_room(links->capacity),
                  sizeof *links->shortcuts);
    *links = (struct AstarLinks){0};
}

static AstarStatus reserve_arrivals(const AstarAllocator *allocator, struct AstarLinks *links,
                                    uint32_t count)
{
    if (count <= links->capacity)
        return ASTAR_OK;
    free_side(allocator, links);
    links->capacity = count;
    links->arrivals = astar_alloc(allocator, count, sizeof *links->arrivals);
    links->shortcuts = astar_alloc(allocator, shortcut_room(count), sizeof *links->shortcuts);
    if (links->arrivals != NULL && links->shortcuts != NULL)
        return ASTAR_OK;
    free_side(allocator, links);
    return ASTAR_NO_MEMORY;
}

void astar_links_free(AstarSearch *search)
{
    const AstarAllocator *allocator = &search->allocator;
    for (int side = 0; side < 2 && search->own.links != NULL; side++)
        free_side(allocator, &search->own.links[side]);
    astar_release(allocator, search->own.links, 2, sizeof *search->own.links);
    search->own.links = NULL;
}

size_t astar_links_bytes(const AstarSearch *search)
{
    size_t bytes = 0;
    for (int side = 0; side < 2 && search->own.links != NULL; side++) {
        const struct AstarLinks *links = &search->own.links[side];
        bytes += sizeof *links + links->capacity * sizeof *links->arrivals;
        bytes += shortcut_room(links->capacity) * sizeof *links->shortcuts;
    }
    return bytes;
}

// Shortcuts.

static double walk(const AstarSearch *search, const struct AstarLinks *links, int x0, int y0,
                   int x1, int y1)
{
    astar_come_nearest(search->grid, &x0, &y0, x1, y1);
    return astar_estimate_between(search->grid->shape, &links->walk, x0, y0, x1, y1);
}

// Returns the estimate of a walk from the exit of a link to the cell that this direction of the
// search leads to: the goal, or the start if 'backward' is true.
static double walk_on(const AstarSearch *search, bool backward, int x, int y)
{
    const struct AstarLinks *links = &search->own.links[backward];
    if (!backward && search->goal.kind == ASTAR_GOAL_CELL)
        return walk(search, links, x, y, search->goal.x, search->goal.y);
    return astar_walk_estimate(search, backward, x, y);
}

static double through(const AstarSearch *search, const struct AstarLinks *links, int x, int y,
                      double straight)
{
    double h = straight;
    for (uint32_t i = 0; i < links->count && links->shortcuts[i].rest < h; i++) {
        const AstarShortcut *each = &links->shortcuts[i]; // sorted, the least rest first
        double cost = walk(search, links, x, y, each->x, each->y) + each->rest;
        if (cost < h)
            h = cost;
    }
    return h;
}

double astar_links_estimate(const AstarSearch *search, bool backward, int x, int y, double straight)
{
    const struct AstarLinks *links = &search->own.links[backward];
    if (links->exact)
        return through(search, links, x, y, straight);
    double h = straight < links->beyond ? straight : links->beyond;
    return links->scale * straight > h ? links->scale * straight : h;
}

// Returns the least cost that an arc can have: its own cost, or less if a step_cost callback may
// lower it.
static double least_arc_cost(const AstarFinder *finder, const AstarArc *arc)
{
    bool asks = finder->options.step_cost != NULL && finder->min_cost < arc->cost;
    return asks ? finder->min_cost : astar_finder_round_link(finder, arc->cost);
}

// Stores an arc in 'out' as a shortcut, for one direction of the search. Returns false if the unit
// cannot use the arc, or if a walk is as cheap.
static bool is_shortcut(const AstarSearch *search, const AstarArc *arc, bool backward,
                        AstarShortcut *out)
{
    const AstarGrid *grid = search->grid;
    const AstarBits *bits = &search->finder->on.walkable->bits;
    int x0, y0, x1, y1;
    astar_cell_xy(grid, arc->from, &x0, &y0);
    astar_cell_xy(grid, arc->to, &x1, &y1);
    if (!astar_bits_get(bits, x1, y1) ||
        (arc->from != search->start && !astar_bits_get(bits, x0, y0)))
        return false;
    double cost = least_arc_cost(search->finder, arc);
    if (cost >= walk(search, &search->own.links[backward], x0, y0, x1, y1))
        return false;
    *out = backward ? (AstarShortcut){x1, y1, x0, y0, cost, 0}
                    : (AstarShortcut){x0, y0, x1, y1, cost, 0};
    out->rest = cost + walk_on(search, backward, out->to_x, out->to_y);
    return true;
}

// Exchanges two shortcuts: the shortcut with the least remaining cost ('rest') among those from
// 'at' on, which are not settled yet, and the shortcut at 'at'.
static void choose_least(AstarShortcut *shortcuts, uint32_t at, uint32_t count)
{
    uint32_t least = at;
    for (uint32_t i = at + 1; i < count; i++)
        if (shortcuts[i].rest < shortcuts[least].rest)
            least = i;
    AstarShortcut chosen = shortcuts[least];
    shortcuts[least] = shortcuts[at];
    shortcuts[at] = chosen;
}

// Computes the remaining costs ('rest') of the shortcuts by Dijkstra's algorithm and keeps the
// shortcuts that are useful. Returns false if the work budget is used up first.
static bool compute_rests(const AstarSearch *search, struct AstarLinks *links, bool backward,
                          int64_t *work)
{
    AstarShortcut *shortcuts = links->shortcuts;
    for (; links->settled < links->found; links->settled++) {
        uint32_t i = links->settled;
        if (*work <= 0)
            return false;
        *work -= WORK_OF_A_SHORTCUT * (int64_t)links->found;
        choose_least(shortcuts, i, links->found);
        AstarShortcut least = shortcuts[i];
        double otherwise = through(search, links, least.x, least.y,
                                   walk_on(search, backward, least.x, least.y));
        if (least.rest >= otherwise)
            continue;
        for (uint32_t j = i + 1; j < links->found; j++) {
            AstarShortcut *each = &shortcuts[j];
            double rest = each->cost +
                          walk(search, links, each->to_x, each->to_y, least.x, least.y) +
                          least.rest;
            if (rest < each->rest)
                each->rest = rest;
        }
        shortcuts[links->count++] = least;
    }
    return true;
}

// Examines the arcs of the map and stores the arcs that are shortcuts. Returns false if the work
// budget is used up first.
static bool find_shortcuts(const AstarSearch *search, bool backward, int64_t *work)
{
    struct AstarLinks *links = &search->own.links[backward];
    const AstarLinksAndWalls *map_links = search->grid->links_and_walls;
    for (; links->looked_at < map_links->arcs.count; links->looked_at++) {
        AstarShortcut shortcut;
        if ((*work -= WORK_OF_A_LINK) < 0)
            return false;
        const AstarArc *arc = astar_arc_at(&map_links->arcs, links->looked_at);
        if (!is_shortcut(search, arc, backward, &shortcut))
            continue;
        double between = walk(search, links, shortcut.x, shortcut.y, shortcut.to_x, shortcut.to_y);
        if (shortcut.cost < links->scale * between)
            links->scale = shortcut.cost / between * (1 - 1e-9);
        if (shortcut.rest < links->beyond)
            links->beyond = shortcut.rest;
        if (links->found < MOST_SHORTCUTS)
            links->shortcuts[links->found++] = shortcut;
        else
            links->exact = false;
    }
    return true;
}

// Prepares the computation of the shortcuts for one direction of the search.
static AstarStatus begin_side(AstarSearch *search, bool backward, AstarHeuristic walk)
{
    const AstarLinksAndWalls *map_links = search->grid->links_and_walls;
    struct AstarLinks *links = &search->own.links[backward];
    AstarStatus status = reserve_arrivals(&search->allocator, links, astar_arcs_room(map_links));
    if (status != ASTAR_OK)
        return status;
    links->walk = walk;
    links->looked_at = links->found = links->settled = links->count = 0;
    links->scale = 1;
    links->beyond = INFINITY;
    links->exact = true;
    links->arrival_count = map_links->back.count;
    for (uint32_t i = 0; i < map_links->back.count; i++)
        links->arrivals[i].cell = astar_arc_at(&map_links->back, i)->to;
    return ASTAR_OK;
}

AstarStatus astar_links_advance(AstarSearch *search, bool backward, AstarHeuristic walk,
                                int64_t *work)
{
    uint64_t version = astar_finder_version(search->finder);
    if (search->own.links == NULL)
        search->own.links = astar_alloc(&search->allocator, 2, sizeof *search->own.links);
    if (search->own.links == NULL)
        return ASTAR_NO_MEMORY;
    struct AstarLinks *links = &search->own.links[backward];
    if (!links->is_begun || links->version != version || links->walk.along != walk.along ||
        links->walk.across != walk.across) {
        AstarStatus status = begin_side(search, backward, walk);
        if (status != ASTAR_OK)
            return status;
        links->is_begun = true;
        links->version = version;
    }
    bool is_done = find_shortcuts(search, backward, work) &&
                   (!links->exact || compute_rests(search, links, backward, work));
    return is_done ? ASTAR_OK : ASTAR_RUNNING;
}

void astar_links_forget(AstarSearch *search)
{
    for (int side = 0; side < 2 && search->own.links != NULL; side++)
        search->own.links[side].is_begun = false;
}

// Steps.

AstarLinkArrival *astar_links_arrival(const AstarSearch *search, uint32_t cell)
{
    const struct AstarLinks *links = &search->own.links[0];
    return links->arrivals +
           astar_count_below(links->arrivals, links->arrival_count, sizeof *links->arrivals, cell);
}

AstarStatus astar_links_cost(AstarSearch *search, const AstarArc *arc, double *cost)
{
    const AstarFinder *finder = search->finder;
    int x, y;
    astar_cell_xy(search->grid, arc->to, &x, &y);
    AstarStatus status = astar_costs_cell(&search->costs, x, y, cost);
    if (status != ASTAR_OK || isinf(*cost))
        return status;
    *cost = astar_finder_round_link(finder, arc->cost);
    return astar_costs_of_link(&search->costs, arc->from, arc->to, cost);
}

// Relaxes one arc. Stores the arc as the last step of the path to the cell that it enters if that
// path is the best so far.
static AstarStatus follow_arc(AstarSearch *search, const AstarArc *arc, AstarRelax relax)
{
    uint32_t from = arc->from, to = arc->to;
    AstarSuccessor step = {.cell = to, .direction = ASTAR_FROM_LINK};
    astar_cell_xy(search->grid, to, &step.x, &step.y);
    AstarStatus status = astar_links_cost(search, arc, &step.cost);
    if (status != ASTAR_OK || isinf(step.cost))
        return status;
    if (!astar_lifo_reserve(&search->core.open, &search->allocator))
        return ASTAR_NO_MEMORY;
    uint64_t before = astar_node(search, to);
    status = relax(search, &step);
    uint64_t node = astar_node(search, to);
    if (node != before && astar_node_from(node) == ASTAR_FROM_LINK)
        *astar_links_arrival(search, to) = (AstarLinkArrival){to, from, arc->label, arc->cost};
    return status;
}

AstarStatus astar_links_expand(AstarSearch *search, AstarRelax relax)
{
    const AstarLinksAndWalls *map_links = search->grid->links_and_walls;
    const AstarFront *front = &search->front;
    uint32_t cell = front->current;
    if (!astar_bits_get(&map_links->ends, front->x, front->y))
        return ASTAR_OK;
    AstarStatus status = ASTAR_OK;
    const AstarArc *each;
    for (uint32_t i = astar_arcs_first_from(map_links, cell);
         status == ASTAR_OK && (each = astar_arc_at(&map_links->arcs, i)) != NULL; i++) {
        AstarArc arc = *each;
        if (arc.from != cell)
            break;
        status = follow_arc(search, &arc, relax);
    }
    return status;
}

void astar_links_note_arrival(AstarSearch *search, const AstarArc *arc)
{
    *astar_links_arrival(search, arc->to) = (AstarLinkArrival){arc->to, arc->from, arc->label,
                                                               arc->cost};
}

uint32_t astar_search_parent(const AstarSearch *search, uint32_t cell)
{
    int from = astar_node_from(astar_node(search, cell));
    if (from == ASTAR_FROM_LINK)
        return astar_links_arrival(search, cell)->from;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    x -= astar_dx[from];
    y -= astar_dy[from];
    astar_go_round(search->grid, &x, &y);
    return astar_cell(search->grid, x, y);
}
