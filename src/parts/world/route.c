// route.c -- routes over a world: their legs, and the cells over which a unit follows a route.
//
// A route is the list of nodes that the search passed. The cells of the route are found one stretch
// at a time, by searches over cells. A window is a group of four successive legs of the route. Each
// stretch takes two searches. The first search finds the best path of cells through the next
// window, and only the middle cell of this path is kept. The second search finds the stretch from
// the middle cell of the last window to the middle cell of the next window. The path over the cells
// therefore need not pass the nodes exactly.

#include "parts/world/route.h"

#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"
#include "parts/world/route_search.h"
#include "parts/world/squares.h"
#include "parts/world/world_joints.h"
#include "search/path.h"

enum { LEGS_A_WINDOW = 4 };

// A stretch is first searched for within a small multiple of its expected cost. If this fails, the
// search is repeated with DETOUR times the expected cost, and then without limit.
static const double DETOUR = 1.25;

// A node of a route, and the kind of the leg from the previous node.
typedef struct RoutePoint {
    int32_t x, y;
    double g;     // cost from the start to this node
    uint8_t kind; // one of the values of AstarLegKind
} RoutePoint;

// The position that a unit has reached on a route.
typedef struct RoutePlace {
    int32_t x, y;
    int before;  // index of the node at which the last window begins
    int at;      // index of the node at which the next window begins
    double rest; // upper bound of the cost from (x, y) to the node with index 'at'
} RoutePlace;

struct AstarRoute {
    AstarWorldFinder *finder;
    RoutePoint *points;
    size_t count;
    RoutePlace place;
    // Version of the world in which the whole route was last found valid.
    uint64_t checked_version;
    AstarRouteFacts facts;
};

// The functions below make a route from a search that has ended, and free it.

static size_t count_legs(const AstarRouteSearch *search)
{
    size_t legs = 0;
    for (uint32_t node = search->end.last; search->tree.nodes[node].kind != ASTAR_LEG_NONE; legs++)
        node = search->tree.nodes[node].parent;
    return legs;
}

// Copies the nodes of a search's route, except the start, to an array of points. 'last' is the last
// element of the array.
static void copy_points(const AstarRouteSearch *search, RoutePoint *last)
{
    for (uint32_t i = search->end.last; search->tree.nodes[i].kind != ASTAR_LEG_NONE;) {
        const AstarRouteNode *node = &search->tree.nodes[i];
        *last-- = (RoutePoint){node->x, node->y, node->g, node->kind};
        i = node->parent;
    }
}

static bool is_known(const AstarRoute *route)
{
    const AstarWorld *world = route->finder->world;
    for (size_t i = 0; i < route->count; i++) {
        const RoutePoint *point = &route->points[i];
        const AstarChunk *chunk = astar_world_chunk(world, astar_chunk_of(point->x),
                                                    astar_chunk_of(point->y));
        if (chunk != NULL && chunk->is_absent)
            return false;
    }
    return true;
}

static void work_out_facts(AstarRoute *route, const AstarRouteSearch *search)
{
    const AstarRouteNode *last = &search->tree.nodes[search->end.last];
    bool is_partial = !astar_route_is_goal(search, last->x, last->y);
    double least = is_partial ? astar_world_estimate(route->finder, search->sx, search->sy, last->x,
                                                     last->y)
                              : astar_route_left(search, search->sx, search->sy);
    least = fmin(least, is_partial ? astar_route_least_over_links(search, last->x, last->y)
                                   : astar_route_left_over_links(search, search->sx, search->sy));
    bool is_best = search->query.weight == 1 && search->floods.is_on && !search->edits.is_behind;
    route->facts = (AstarRouteFacts){.cost = last->g,
                                     .bound = is_best ? 0 : fmax(last->g - least, 0),
                                     .is_partial = is_partial,
                                     .is_known = is_known(route),
                                     .gx = last->x,
                                     .gy = last->y,
                                     .expanded = search->expanded};
}

// Makes a route of the nodes that a search has found.
static AstarStatus make_route(const AstarRouteSearch *search, AstarRoute **out)
{
    AstarWorld *world = search->finder->world;
    AstarRoute *route = astar_alloc(&world->allocator, 1, sizeof *route);
    size_t legs = count_legs(search);
    RoutePoint *points = astar_alloc(&world->allocator, legs + 1, sizeof *points);
    if (route == NULL || points == NULL) {
        astar_release(&world->allocator, route, 1, sizeof *route);
        astar_release(&world->allocator, points, legs + 1, sizeof *points);
        return ASTAR_NO_MEMORY;
    }
    route->finder = search->finder;
    astar_world_finder_retain(route->finder);
    route->points = points;
    route->count = legs + 1;
    points[0] = (RoutePoint){search->sx, search->sy, 0, ASTAR_LEG_NONE};
    copy_points(search, points + legs);
    route->place = (RoutePlace){.x = search->sx, .y = search->sy};
    route->checked_version = search->edits.version;
    work_out_facts(route, search);
    *out = route;
    return ASTAR_OK;
}

AstarStatus astar_route_search_route(const AstarRouteSearch *search, AstarRoute **out)
{
    return search->status == ASTAR_OK ? make_route(search, out) : search->status;
}

AstarRouteFacts astar_route_facts(const AstarRoute *route)
{
    AstarRouteFacts facts = route->facts;
    facts.left = route->points[route->count - 1].g - route->points[route->place.at].g +
                 route->place.rest;
    facts.x = route->place.x;
    facts.y = route->place.y;
    facts.legs = (int)((route->count - 1 - (size_t)route->place.at + LEGS_A_WINDOW - 1) /
                       LEGS_A_WINDOW);
    return facts;
}

void astar_route_free(AstarRoute *route)
{
    if (route == NULL)
        return;
    AstarWorldFinder *finder = route->finder;
    const AstarAllocator *allocator = &finder->world->allocator;
    astar_release(allocator, route->points, route->count, sizeof *route->points);
    astar_release(allocator, route, 1, sizeof *route);
    astar_world_finder_release(finder);
}

// The functions below determine which cells the legs of a route depend on.

// Returns the rectangle of the squares that contain both ends of a leg. If no square contains both
// ends, the rectangle is empty.
static AstarWorldEdit box_of_squares(const RoutePoint *a, const RoutePoint *b)
{
    int32_t side = ASTAR_CHUNK_SIDE;
    AstarSquares one = astar_squares_of(a->x, a->y), other = astar_squares_of(b->x, b->y);
    AstarWorldEdit in = astar_cells_shared(
        (AstarWorldEdit){one.i0, one.j0, one.i1, one.j1},
        (AstarWorldEdit){other.i0, other.j0, other.i1, other.j1});
    return (AstarWorldEdit){in.x0 * side, in.y0 * side, (in.x1 + 1) * side, (in.y1 + 1) * side};
}

// Returns a rectangle that contains the leg from the previous node to the node with index 'to'.
static AstarWorldEdit box_of_leg(const AstarRoute *route, size_t to)
{
    const RoutePoint *a = &route->points[to - 1], *b = &route->points[to];
    if (b->kind == ASTAR_LEG_SQUARE)
        return box_of_squares(a, b);
    return astar_cells_between(a->x, a->y, b->x, b->y, 0);
}

static bool is_box_touched(const AstarRoute *route, uint64_t version, AstarWorldEdit box)
{
    int more = route->finder->size;
    box = (AstarWorldEdit){box.x0 - 1, box.y0 - 1, box.x1 + more, box.y1 + more};
    return astar_world_is_touched(route->finder->world, version, box);
}

// The functions below find the cells of a route's stretches.

// Returns the index of the node at which the window ends that begins at the node 'at'. '*is_last'
// becomes true if the route ends at that node or a link begins there.
static size_t end_of_window(const AstarRoute *route, size_t at, bool *is_last)
{
    size_t to = at;
    while (to + 1 < route->count && to < at + LEGS_A_WINDOW &&
           route->points[to + 1].kind != ASTAR_LEG_LINK)
        to++;
    *is_last = to + 1 == route->count || route->points[to + 1].kind == ASTAR_LEG_LINK;
    return to;
}

// A stretch: a part of a route whose cells are found by a search over the cells of a rectangle.
typedef struct RouteStretch {
    AstarWorldEdit box;
    AstarCell from, to;
    double expected; // upper bound of the cost of the stretch, if the world has not changed
    AstarLifted lifted;
} RouteStretch;

// Returns the part of a stretch's rectangle that paths of at most the cost 'limit' can reach. A
// path that leaves the rectangle around both ends and returns is at least as long as a path from
// one end to the mirror image of the other end.
static AstarWorldEdit box_within(const AstarRoute *route, const RouteStretch *stretch, double limit)
{
    const AstarHeuristic *heuristic = &route->finder->heuristic;
    AstarCell a = stretch->from, b = stretch->to;
    int32_t dx = abs(b.x - a.x), dy = abs(b.y - a.y), more = 0;
    while (!isinf(limit) && fmin(astar_estimate(heuristic, dx + 2 * more, dy),
                                 astar_estimate(heuristic, dx, dy + 2 * more)) <= limit)
        more++;
    AstarWorldEdit around = astar_cells_between(a.x, a.y, b.x, b.y, more);
    return isinf(limit) ? stretch->box : astar_cells_shared(stretch->box, around);
}

// Finds the path of a stretch by a flood. The first flood covers only cells near that path. If it
// finds no path, because the world has changed, the next floods cover more cells.
static AstarStatus flood_stretch(AstarRoute *route, RouteStretch stretch, void *context)
{
    AstarCutout *cutout = route->finder->world->cutout;
    for (double detour = ASTAR_LENIENCE;;) {
        AstarAim aim = {stretch.to.x, stretch.to.y, stretch.expected * detour};
        AstarWorldEdit box = box_within(route, &stretch, aim.limit);
        AstarStatus status = astar_cutout_fill(cutout, route->finder, box.x0, box.y0,
                                               box.x1 - box.x0 + 1, box.y1 - box.y0 + 1,
                                               stretch.lifted, context);
        if (status == ASTAR_OK)
            status = astar_cutout_flood(cutout, stretch.from.x, stretch.from.y, false, &aim);
        if (status != ASTAR_OK ||
            !isinf(cutout->g[astar_cutout_at(cutout, stretch.to.x, stretch.to.y)]))
            return status;
        if (isinf(aim.limit))
            return ASTAR_UNREACHABLE;
        detour = detour < DETOUR ? DETOUR : (double)INFINITY;
    }
}

// Appends the cells of a stretch to a path, which must end at the beginning of the stretch. '*cost'
// becomes the cost of the stretch.
static AstarStatus add_stretch(AstarRoute *route, RouteStretch stretch, void *context,
                               AstarPath *path, double *cost)
{
    const AstarCutout *cutout = route->finder->world->cutout;
    AstarStatus status = flood_stretch(route, stretch, context);
    if (status != ASTAR_OK)
        return status;
    *cost = cutout->g[astar_cutout_at(cutout, stretch.to.x, stretch.to.y)];
    if (path->cells == 0)
        status = astar_path_add(path, stretch.from.x, stretch.from.y, 1);
    return status == ASTAR_OK
               ? astar_cutout_trace(route->finder->world->cutout, stretch.to.x, stretch.to.y, path)
               : status;
}

static AstarWorldEdit box_of_legs(const AstarRoute *route, size_t from, size_t to)
{
    int32_t x = route->points[to].x, y = route->points[to].y;
    AstarWorldEdit box = {x, y, x, y};
    for (size_t i = from + 1; i <= to; i++)
        box = astar_cells_joined(box, box_of_leg(route, i));
    return box;
}

static AstarLifted lifted_at(const AstarRoute *route, RoutePlace place)
{
    return (AstarLifted){place.x, place.y, route->finder->size};
}

// The cell in the middle of the best path through a window, the cost of the path up to that cell,
// and the cost of the path after it.
typedef struct Middle {
    int32_t x, y;
    double before, after;
} Middle;

static AstarStatus middle_of_window(AstarRoute *route, RoutePlace place, size_t end, void *context,
                                    Middle *middle)
{
    const RoutePoint *a = &route->points[place.at], *b = &route->points[end];
    AstarWorldEdit box = box_of_legs(route, (size_t)place.at, end);
    RouteStretch stretch = {box, {a->x, a->y}, {b->x, b->y}, b->g - a->g, lifted_at(route, place)};
    AstarPath way;
    double cost;
    astar_path_init(&way);
    astar_path_clear(&way, &route->finder->world->allocator);
    AstarStatus status = add_stretch(route, stretch, context, &way, &cost);
    if (status == ASTAR_OK) {
        int x, y;
        astar_path_cell(&way, way.cells / 2, &x, &y);
        const AstarCutout *cutout = route->finder->world->cutout;
        double before = cutout->g[astar_cutout_at(cutout, x, y)];
        *middle = (Middle){x, y, before, cost - before};
    }
    astar_path_destroy(&way);
    return status;
}

// Returns the link that the leg to the node with index 'to' uses, or NULL if the link does not
// exist any more.
static const AstarLink *link_to(const AstarRoute *route, size_t to)
{
    const AstarWorld *world = route->finder->world;
    const RoutePoint *a = &route->points[to - 1], *b = &route->points[to];
    for (uint32_t i = astar_world_links_from(world, a->x, a->y); i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        if (link->x0 != a->x || link->y0 != a->y)
            return NULL;
        if (link->x1 == b->x && link->y1 == b->y)
            return link;
    }
    return NULL;
}

// Appends the step over the next link of a route to a path, and moves the position 'place' over the
// link.
static AstarStatus walk_link(AstarRoute *route, RoutePlace *place, AstarPath *path)
{
    const RoutePoint *a = &route->points[place->at], *b = a + 1;
    const AstarLink *link = link_to(route, (size_t)place->at + 1);
    if (link == NULL)
        return ASTAR_UNREACHABLE;
    AstarStatus status = path->cells == 0 ? astar_path_add(path, a->x, a->y, 1) : ASTAR_OK;
    if (status == ASTAR_OK)
        status = astar_path_add_link(path, b->x, b->y, link->label);
    if (status != ASTAR_OK)
        return status;
    path->cost += astar_finder_round_link(route->finder->finder, link->cost);
    place->before = ++place->at;
    place->x = b->x;
    place->y = b->y;
    return ASTAR_OK;
}

// Appends the next stretch of a route to a path, and moves 'place' to the end of the stretch.
static AstarStatus walk_stretch(AstarRoute *route, RoutePlace *place, void *context,
                                AstarPath *path)
{
    bool is_last = false;
    AstarStatus status = ASTAR_OK;
    route->finder->world->tick++;
    size_t end = end_of_window(route, (size_t)place->at, &is_last);
    const RoutePoint *from = &route->points[place->at];
    if (end == (size_t)place->at && place->x == from->x && place->y == from->y)
        return walk_link(route, place, path);
    Middle middle = {route->points[end].x, route->points[end].y, route->points[end].g - from->g, 0};
    if (!is_last)
        status = middle_of_window(route, *place, end, context, &middle);
    if (status != ASTAR_OK)
        return status;
    AstarWorldEdit box = box_of_legs(route, (size_t)place->before, end);
    RouteStretch stretch = {box,
                            {place->x, place->y},
                            {middle.x, middle.y},
                            place->rest + middle.before,
                            lifted_at(route, *place)};
    double cost;
    status = add_stretch(route, stretch, context, path, &cost);
    if (status != ASTAR_OK)
        return status;
    path->cost += cost;
    *place = (RoutePlace){middle.x, middle.y, is_last ? (int)end : place->at, (int)end,
                          middle.after};
    return ASTAR_OK;
}

static bool is_at_end(const AstarRoute *route, RoutePlace place)
{
    const RoutePoint *last = &route->points[route->count - 1];
    return (size_t)place.at + 1 == route->count && place.x == last->x && place.y == last->y;
}

AstarStatus astar_route_walk(AstarRoute *route, int legs, bool goes_on, void *context,
                             AstarPath *path)
{
    AstarWorld *world = route->finder->world;
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    RoutePlace place = route->place;
    AstarStatus status = ASTAR_OK;
    astar_path_clear(path, &world->allocator);
    path->cost = 0;
    path->algorithm = ASTAR_DIJKSTRA;
    path->orthogonal = !route->finder->rule->has_diagonals;
    path->partial = route->facts.is_partial;
    path->query = route->finder->finder->query;
    if (route->count == 1 && place.before == 0)
        status = astar_path_add(path, place.x, place.y, 1);
    // A route of one cell has only one stretch, which is now done.
    place.before |= route->count == 1;
    for (int i = 0; i < legs && status == ASTAR_OK && !is_at_end(route, place); i++)
        status = walk_stretch(route, &place, context, path);
    if (status != ASTAR_OK) {
        astar_path_destroy(path);
        return status;
    }
    astar_path_measure(path);
    path->goal_x = route->facts.gx;
    path->goal_y = route->facts.gy;
    if (goes_on)
        route->place = place;
    return ASTAR_OK;
}

// The functions below check whether a route can still be followed after edits.

// Returns ASTAR_OK if a unit can move from the cell 'from' to the node 'to' without leaving a
// rectangle.
static AstarStatus check_stretch(AstarRoute *route, AstarWorldEdit box, AstarCell from,
                                 const RoutePoint *to, void *context)
{
    RouteStretch stretch = {
        box, from, {to->x, to->y}, (double)INFINITY, lifted_at(route, route->place)};
    return flood_stretch(route, stretch, context);
}

// Returns ASTAR_OK if the leg to the node with index 'to' can still be followed. '*cost' becomes
// the current cost of the leg.
static AstarStatus check_leg(AstarRoute *route, size_t to, void *context, double *cost)
{
    const RoutePoint *a = &route->points[to - 1], *b = &route->points[to];
    if (b->kind == ASTAR_LEG_LINK) {
        const AstarLink *link = link_to(route, to);
        *cost = link != NULL ? astar_finder_round_link(route->finder->finder, link->cost) : 0;
        return link != NULL ? ASTAR_OK : ASTAR_UNREACHABLE;
    }
    AstarStatus status = check_stretch(route, box_of_leg(route, to), (AstarCell){a->x, a->y}, b,
                                       context);
    if (status == ASTAR_OK) {
        const AstarCutout *cutout = route->finder->world->cutout;
        *cost = cutout->g[astar_cutout_at(cutout, b->x, b->y)];
    }
    return status;
}

// Returns ASTAR_OK if a unit can get from its current position on the route to the next node.
static AstarStatus check_first_stretch(AstarRoute *route, void *context)
{
    RoutePlace place = route->place;
    AstarWorldEdit box = box_of_legs(route, (size_t)place.before, (size_t)place.at);
    if (place.before == place.at || !is_box_touched(route, route->checked_version, box))
        return ASTAR_OK;
    return check_stretch(route, box, (AstarCell){place.x, place.y}, &route->points[place.at],
                         context);
}

// Returns ASTAR_OK if all legs ahead of the unit can still be followed. Legs that edits have
// touched may cost more than before. Their additional cost is added to '*costlier'.
static AstarStatus check_legs(AstarRoute *route, void *context, double *costlier)
{
    AstarStatus status = ASTAR_OK;
    for (size_t to = (size_t)route->place.at + 1; status == ASTAR_OK && to < route->count; to++) {
        double cost = 0;
        if (!is_box_touched(route, route->checked_version, box_of_leg(route, to)))
            continue;
        status = check_leg(route, to, context, &cost);
        *costlier += cost - (route->points[to].g - route->points[to - 1].g);
    }
    return status;
}

AstarStatus astar_route_recompute_cost(AstarRouteSearch *search, void *context)
{
    AstarRoute *route;
    double costlier = 0;
    AstarStatus status = make_route(search, &route);
    if (status != ASTAR_OK)
        return status;
    status = check_legs(route, context, &costlier);
    search->tree.nodes[search->end.last].g += costlier;
    astar_route_measure_links(search, &search->over_links);
    search->edits.version = search->finder->world->version;
    astar_route_free(route);
    return status;
}

AstarStatus astar_route_check(AstarRoute *route, void *context, bool *is_valid)
{
    AstarWorld *world = route->finder->world;
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    AstarStatus status = ASTAR_OK;
    if (world->version != route->checked_version) {
        world->tick++;
        status = check_first_stretch(route, context);
        double costlier = 0;
        if (status == ASTAR_OK)
            status = check_legs(route, context, &costlier);
    }
    *is_valid = status == ASTAR_OK;
    if (*is_valid)
        route->checked_version = world->version;
    bool is_answer = status == ASTAR_UNREACHABLE || status == ASTAR_NOT_LOADED ||
                     status == ASTAR_MAX_EXPANSIONS;
    return is_answer ? ASTAR_OK : status;
}
