// route_links.c -- what ways over links cost at least.
//
// An estimate that knows nothing of links is wrong beside the first portal. Of each link of few is
// worked out what the way from its entrance over it, and over others behind it, to the goal costs
// at least: Dijkstra's algorithm over the links alone. Those left out that lead nowhere sooner than
// the way past them, the estimate of a cell is the least of the way past all and of those over
// each: as consistent as the one without links. Of many all that is known is what the cheapest
// costs.

#include "world/route_searching.h"

enum { MOST_MEASURED = 64 };

static double cost_of_link(const AstarRouteSearch *search, const AstarLink *link)
{
    return astar_finder_round_link(search->finder->finder, link->cost);
}

double astar_route_least_over_links(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarWorld *world = search->finder->world;
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        least = fmin(least, cost_of_link(search, link) +
                                astar_world_estimate(search->finder, link->x1, link->y1, x, y));
    }
    return least;
}

// Which of the links not done yet costs least to the goal.
static uint32_t least_of_ways(const double rest[MOST_MEASURED], const bool done[MOST_MEASURED],
                              uint32_t count)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (!done[i] && (least == UINT32_MAX || rest[i] < rest[least]))
            least = i;
    return least;
}

// Works out what the way over each link costs at least, from where it begins to the goal.
static void measure_over_links(const AstarRouteSearch *search, double rest[MOST_MEASURED])
{
    const AstarWorldFinder *finder = search->finder;
    const AstarLink *links = finder->world->links;
    uint32_t count = finder->world->link_count;
    bool done[MOST_MEASURED] = {false};
    for (uint32_t i = 0; i < count; i++)
        rest[i] = cost_of_link(search, &links[i]) +
                  astar_route_left(search, links[i].x1, links[i].y1);
    for (uint32_t i; (i = least_of_ways(rest, done, count)) != UINT32_MAX;) {
        done[i] = true;
        for (uint32_t j = 0; j < count; j++) {
            double between = astar_world_estimate(finder, links[j].x1, links[j].y1, links[i].x0,
                                                  links[i].y0);
            rest[j] = fmin(rest[j], cost_of_link(search, &links[j]) + between + rest[i]);
        }
    }
}

void astar_route_measure_links(const AstarRouteSearch *search, AstarWaysOver *out)
{
    const AstarWorld *world = search->finder->world;
    double rest[MOST_MEASURED];
    *out = (AstarWaysOver){.least = (double)INFINITY};
    if (world->link_count > MOST_MEASURED) {
        for (uint32_t i = 0; i < world->link_count; i++)
            out->least = fmin(out->least,
                              cost_of_link(search, &world->links[i]) +
                                  astar_route_left(search, world->links[i].x1, world->links[i].y1));
        return;
    }
    measure_over_links(search, rest);
    for (uint32_t i = 0; i < world->link_count; i++) {
        const AstarLink *link = &world->links[i];
        if (rest[i] >= astar_route_left(search, link->x0, link->y0))
            continue; // the way past it is as short
        if (out->count < ASTAR_WAYS_OVER)
            out->list[out->count++] = (AstarWayOver){link->x0, link->y0, rest[i]};
        else
            out->least = fmin(out->least, rest[i]);
    }
}

double astar_route_left_over_links(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarWaysOver *ways = &search->over_links;
    double least = ways->least;
    for (int i = 0; i < ways->count; i++) {
        const AstarWayOver *way = &ways->list[i];
        least = fmin(least, astar_world_estimate(search->finder, x, y, way->x, way->y) + way->rest);
    }
    return least;
}

// Whether some way over links costs less now than it goes by.
bool astar_route_are_links_belied(const AstarRouteSearch *search)
{
    AstarWaysOver now;
    astar_route_measure_links(search, &now);
    if (now.least < search->over_links.least)
        return true;
    for (int i = 0; i < now.count; i++)
        if (astar_route_left_over_links(search, now.list[i].x, now.list[i].y) > now.list[i].rest)
            return true;
    return false;
}
