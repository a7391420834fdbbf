// jpsw_estimate.c -- what remains of a way over ground of several costs, at least.
//
// The estimate by the cheapest ground is weak where there is little of it. For each dearer ground
//
//     h(n) = walk(n, goal) at its cost - the sum over all cheaper cells of what a step there saves
//
// holds as well, for a best path enters a cell once; the greatest counts. A way that saves anything
// leads through the box around those cells: where that lies aside, the walk is to it and on. It is
// not consistent: so f never falls along a way, and a closed node found cheaper is opened again.
// How many cells are cheaper, those under blocks left out, is rounded up, so that few edits change
// an estimate under way.

#include "search/jpsw.h"

#include "map/blocks.h"
#include "rules/corner_rules.h"
#include "search/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_GROUNDS = 32, // with more of them, only the cheapest is estimated by
    COUNTED_BITS = 3   // of how many cells are cheaper
};

// A ground that is there, and how many cells have it.
typedef struct Ground {
    double straight, diagonal; // what steps cost
    double count;
    const AstarBox *box;
} Ground;

// A number of cells rounded up to few bits.
static double round_up(uint32_t count)
{
    uint32_t step = 1;
    while (count >> COUNTED_BITS >= step)
        step *= 2;
    return ((double)count + step - 1) - (double)((count + step - 1) % step);
}

// Gathers the grounds, the cheapest first; how many, 0 for too many.
static int sort_grounds(const AstarFinder *finder, Ground grounds[MOST_GROUNDS])
{
    const AstarGrid *grid = finder->grid;
    int count = 0;
    for (int i = 0; i < grid->terrain_count; i++) {
        uint32_t spare = astar_blocks_spare(grid, finder->options.ignore, i);
        if (spare == 0 || isinf(finder->cell_cost[i]))
            continue;
        if (count == MOST_GROUNDS)
            return 0;
        Ground ground = {finder->step[0][i], finder->step[finder->rule->has_diagonals][i],
                         round_up(spare), &grid->prices[i].box};
        int place = count++;
        for (; place > 0 && grounds[place - 1].straight > ground.straight; place--)
            grounds[place] = grounds[place - 1];
        grounds[place] = ground;
    }
    return count;
}

// How far it is from one column or row to another by way of one of some.
static int apart_by(int from, int to, int low, int high)
{
    int first = from < to ? from : to, last = from < to ? to : from;
    int aside = first > high ? first - high : last < low ? low - last : 0;
    return last - first + 2 * aside;
}

static double slope_walk(const AstarSlope *slope, int dx, int dy)
{
    int greater = dx > dy ? dx : dy, lesser = dx > dy ? dy : dx;
    return slope->along * greater + slope->across * lesser;
}

static double slope_estimate(const AstarSearch *search, const AstarSlope *slope, int x, int y)
{
    const AstarBox *box = &slope->box;
    double straight = slope_walk(slope, abs(x - search->goal.x), abs(y - search->goal.y));
    double by_box = slope_walk(slope, apart_by(x, search->goal.x, box->low[0], box->high[0]),
                               apart_by(y, search->goal.y, box->low[1], box->high[1]));
    return fmin(straight, by_box - slope->saving);
}

static double promise_of(const AstarSearch *search, const AstarSlope *slope)
{
    return slope_estimate(search, slope, search->start_x, search->start_y);
}

// Keeps the slopes that promise most for the way from start to goal.
static void keep_slope(const AstarSearch *search, AstarJpsw *jpsw, const AstarSlope *slope)
{
    double h = promise_of(search, slope);
    int place = jpsw->slope_count;
    while (place > 0 && promise_of(search, &jpsw->slopes[place - 1]) < h)
        place--;
    if (h <= 0 || place == ASTAR_SLOPES)
        return;
    if (jpsw->slope_count < ASTAR_SLOPES)
        jpsw->slope_count++;
    for (int i = jpsw->slope_count - 1; i > place; i--)
        jpsw->slopes[i] = jpsw->slopes[i - 1];
    jpsw->slopes[place] = *slope;
}

void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw)
{
    const AstarFinder *finder = search->finder;
    Ground grounds[MOST_GROUNDS];
    int count = sort_grounds(finder, grounds);
    *jpsw = (AstarJpsw){.slope_count = 0};
    double cells = 0, costs = 0; // of cheaper grounds
    AstarBox box = count > 0 ? *grounds[0].box : (AstarBox){{0}, {0}};
    for (int i = 0; i < count; i++) {
        const Ground *ground = &grounds[i];
        AstarHeuristic walk = astar_heuristic(finder->rule->heuristic, finder->rule,
                                              ground->straight, ground->diagonal);
        double saving = cells * ground->diagonal * (1 + 0x1p-40) - costs; // rounded up
        if (walk.along > finder->heuristic.along)
            keep_slope(search, jpsw, &(AstarSlope){walk.along, walk.across, saving, box});
        box = astar_box_around(box, ground->box);
        cells += ground->count;
        costs += ground->count * ground->diagonal;
    }
}

// Estimates over links are made of walks over one ground, the most promising; none is left if that
// is the cheapest.
static void leave_one_slope(const AstarSearch *search, AstarJpsw *jpsw)
{
    const AstarHeuristic *walk = &search->finder->heuristic;
    int dx = abs(search->start_x - search->goal.x), dy = abs(search->start_y - search->goal.y);
    bool promises = jpsw->slope_count > 0 &&
                    promise_of(search, &jpsw->slopes[0]) > astar_estimate(walk, dx, dy);
    jpsw->slope_count = promises;
}

double astar_jpsw_promise(const AstarSearch *search)
{
    AstarJpsw jpsw;
    astar_jpsw_work_out(search, &jpsw);
    return jpsw.slope_count > 0 ? promise_of(search, &jpsw.slopes[0]) : 0;
}

bool astar_jpsw_is_same(const AstarSearch *search)
{
    AstarJpsw now;
    astar_jpsw_work_out(search, &now);
    if (search->own.linked)
        leave_one_slope(search, &now);
    return now.slope_count == search->own.jpsw.slope_count &&
           memcmp(now.slopes, search->own.jpsw.slopes,
                  (size_t)now.slope_count * sizeof *now.slopes) == 0;
}

AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw)
{
    astar_jpsw_work_out(search, jpsw);
    leave_one_slope(search, jpsw);
    return jpsw->slope_count > 0
               ? (AstarHeuristic){jpsw->slopes[0].along, jpsw->slopes[0].across, false}
               : search->finder->heuristic;
}

static double saving_over_links(const AstarSearch *search)
{
    return search->own.jpsw.slope_count > 0 ? search->own.jpsw.slopes[0].saving : 0;
}

static double estimate_over_links(const AstarSearch *search, int x, int y)
{
    double straight = astar_estimate(&search->own.links[0].walk, x - search->goal.x,
                                     y - search->goal.y);
    double h = astar_links_estimate(search, false, x, y, straight) - saving_over_links(search);
    return h > 0 ? h : 0;
}

double astar_jpsw_least_on(const AstarSearch *search, int x, int y)
{
    // The way on from there to the node may save once more.
    double least = estimate_over_links(search, x, y) - saving_over_links(search);
    return least > 0 ? least : 0;
}

double astar_jpsw_estimate(const AstarSearch *search, int x, int y)
{
    int dx = abs(x - search->goal.x), dy = abs(y - search->goal.y);
    if (search->own.linked)
        return estimate_over_links(search, x, y);
    double h = astar_estimate(&search->finder->heuristic, dx, dy);
    for (int i = 0; i < search->own.jpsw.slope_count; i++) {
        double other = slope_estimate(search, &search->own.jpsw.slopes[i], x, y);
        h = other > h ? other : h;
    }
    return h;
}
