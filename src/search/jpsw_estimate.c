// jpsw_estimate.c -- what remains of a way over ground of several costs, at least.
//
// The estimate by the cheapest ground is weak where there is little of it. For each dearer ground
//
//     h(n) = walk(n, goal) at its cost - the sum over all cheaper cells of what a step there saves
//
// holds as well, for a best path enters a cell once. Where few cells are cheaper, a better one is
// what the way would cost were nothing blocked: straight to the goal, or to a cheaper cell and on
// from there. Ways that leave a window around start and goal are told by the sum, of a walk that
// does. The greatest counts. It is not consistent: so f never falls along a way, and a closed node
// found cheaper is opened again. How many cells are cheaper, those under blocks left out, is
// rounded up, so that few edits change an estimate under way.

#include "search/jps.h"

#include "map/blocks.h"
#include "rules/corner_rules.h"
#include "search/links.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_GROUNDS = 32, // with more of them, only the cheapest is estimated by
    LEAST_TOLD = 32,   // cheaper cells, and two more for each step of the way; but fewer near by,
    NEAR_TOLD = 32,    // one for so many squares as wide as that: to tell takes long, too
    LEAST_MARGIN = 16, // of the window, and a quarter of the way
    FAR_AWAY = 1 << 26,
    COUNTED_BITS = 3 // of how many cells are cheaper
};

// A ground that is there, and how many cells have it.
typedef struct Ground {
    double straight, diagonal; // what steps cost
    double count;
    int terrain;
} Ground;

// A number of cells rounded up to few bits.
static double round_up(uint32_t count)
{
    uint32_t step = (uint32_t)1 << astar_highest_bit(count) >> COUNTED_BITS;
    return step > 0 ? count | (step - 1) : count;
}

// Gathers the grounds, the cheapest first; how many, 0 for too many.
static int sort_grounds(const AstarFinder *finder, Ground grounds[MOST_GROUNDS])
{
    const AstarGrid *grid = finder->grid;
    int count = 0;
    for (int i = 0; i < grid->terrains.count; i++) {
        uint32_t spare = astar_blocks_spare(grid, finder->options.ignore, i);
        if (spare == 0 || isinf(finder->costs.cell[i]))
            continue;
        if (count == MOST_GROUNDS)
            return 0;
        Ground ground = {finder->costs.step[0][i],
                         finder->costs.step[finder->rule->has_diagonals][i], round_up(spare), i};
        int place = count++;
        for (; place > 0 && grounds[place - 1].straight > ground.straight; place--)
            grounds[place] = grounds[place - 1];
        grounds[place] = ground;
    }
    return count;
}

static double slope_walk(const AstarSlope *slope, int dx, int dy)
{
    dx = abs(dx);
    dy = abs(dy);
    return dx > dy ? slope->along * dx + slope->across * dy
                   : slope->along * dy + slope->across * dx;
}

static double slope_estimate(const AstarSearch *search, const AstarSlope *slope, int x, int y)
{
    return slope_walk(slope, x - search->goal.x, y - search->goal.y) - slope->saving;
}

// ---- few cheaper cells ----

// How far it is from one column or row to another by way of one beyond the window, at least.
static int apart_by_outside(int from, int to, const int32_t window[2])
{
    int low = astar_lesser(from, to), high = astar_greater(from, to);
    int aside = astar_lesser(low - window[0], window[1] - high) + 1;
    return high - low + (aside > 0 ? 2 * aside : 0);
}

static double few_estimate(const AstarSearch *search, const AstarJpsw *jpsw, int x, int y)
{
    const AstarSlope *few = &jpsw->few;
    int dx = x - search->goal.x, dy = y - search->goal.y;
    double walk = slope_walk(few, dx, dy), h = walk;
    for (int i = jpsw->cheaper_count; i-- > 0;) {
        const AstarCheaperCell *cell = &jpsw->cheaper[i];
        if (cell->on - cell->saving >= h || walk - cell->gain >= h)
            continue;
        double by = slope_walk(few, x - cell->x, y - cell->y) + cell->on - cell->saving;
        h = by < h ? by : h;
    }
    double aside = slope_walk(few, apart_by_outside(x, search->goal.x, jpsw->window[0]), dy);
    double off = slope_walk(few, dx, apart_by_outside(y, search->goal.y, jpsw->window[1]));
    double outside = (aside < off ? aside : off) - few->saving;
    return outside < h ? outside : h;
}

// Finds the cells of a ground in the window; false for too many.
static bool find_cheaper(const AstarFinder *finder, AstarJpsw *jpsw, const Ground *ground,
                         double cost, int most)
{
    int low = astar_greater(jpsw->window[0][0], 0);
    int end = astar_lesser(jpsw->window[0][1] + 1, finder->grid->width);
    int last = astar_lesser(jpsw->window[1][1], finder->grid->height - 1);
    for (int y = astar_greater(jpsw->window[1][0], 0); y <= last; y++) {
        const uint8_t *row = finder->on.ground + astar_cell(finder->grid, 0, y), *at = row + low;
        for (; (at = memchr(at, ground->terrain, (size_t)(row + end - at))) != NULL; at++) {
            if (jpsw->cheaper_count == most)
                return false;
            jpsw->cheaper[jpsw->cheaper_count++] = (AstarCheaperCell){
                (int)(at - row), y, cost - ground->diagonal, INFINITY, 0};
        }
    }
    return true;
}

// Works out what remains from each of them, by Dijkstra's algorithm from the goal. A step onto one
// saves, but no way costs less than over the cheapest ground.
static void settle_cheaper(const AstarSearch *search, AstarJpsw *jpsw)
{
    AstarCheaperCell *cells = jpsw->cheaper, from = {search->goal.x, search->goal.y, 0, 0, 0};
    for (int done = 0; done < jpsw->cheaper_count; done++) {
        int nearest = done;
        for (int i = done; i < jpsw->cheaper_count; i++) {
            int dx = cells[i].x - from.x, dy = cells[i].y - from.y;
            double by = slope_walk(&jpsw->few, dx, dy) - from.saving;
            double least = astar_estimate(&search->finder->costs.heuristic, dx, dy);
            by = (by > least ? by : least) + from.on;
            cells[i].on = by < cells[i].on ? by : cells[i].on;
            nearest = cells[i].on < cells[nearest].on ? i : nearest;
        }
        from = cells[nearest];
        cells[nearest] = cells[done];
        int dx = from.x - search->goal.x, dy = from.y - search->goal.y;
        from.gain = slope_walk(&jpsw->few, dx, dy) - from.on + from.saving;
        cells[done] = from;
    }
}

// Finds all that are cheaper than a ground, where they are few; 'count' grounds are.
static void tell_cheaper(const AstarSearch *search, AstarJpsw *jpsw, const Ground *grounds,
                         int count)
{
    const int ends[2][2] = {{search->start_x, search->goal.x}, {search->start_y, search->goal.y}};
    const int sides[2] = {search->grid->width, search->grid->height};
    int walk = abs(ends[0][0] - ends[0][1]) + abs(ends[1][0] - ends[1][1]);
    int margin = (int)(jpsw->few.saving / jpsw->few.along / 2) + walk / 4 + LEAST_MARGIN;
    for (int i = 0; i < 2; i++) { // beyond an edge lies nothing
        int low = astar_lesser(ends[i][0], ends[i][1]) - margin;
        int high = astar_greater(ends[i][0], ends[i][1]) + margin;
        jpsw->window[i][0] = low > 0 ? low : -FAR_AWAY;
        jpsw->window[i][1] = high < sides[i] - 1 ? high : FAR_AWAY;
    }
    jpsw->cheaper_count = 0;
    for (int i = 0; i < count; i++)
        if (!find_cheaper(search->finder, jpsw, &grounds[i], grounds[count].diagonal,
                          astar_lesser(astar_lesser(LEAST_TOLD + 2 * walk, walk * walk / NEAR_TOLD),
                                       ASTAR_MOST_CHEAPER))) {
            jpsw->cheaper_count = -1;
            return;
        }
}

void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw)
{
    const AstarFinder *finder = search->finder;
    Ground grounds[MOST_GROUNDS];
    int count = sort_grounds(finder, grounds), told = 0;
    double promise = 0, cells = 0, costs = 0;      // the latter two of cheaper grounds
    memset(jpsw, 0, offsetof(AstarJpsw, cheaper)); // compared whole, by astar_jpsw_is_same
    jpsw->cheaper_count = -1;
    for (int i = 0; i < count; i++) {
        const Ground *ground = &grounds[i];
        AstarHeuristic walk = astar_heuristic(finder->rule->heuristic, finder->rule,
                                              ground->straight, ground->diagonal);
        double saving = cells * ground->diagonal * (1 + 0x1p-40) - costs; // rounded up
        AstarSlope slope = {walk.along, walk.across, saving};
        bool is_dearer = walk.along > finder->costs.heuristic.along;
        double h = slope_estimate(search, &slope, search->start_x, search->start_y);
        if (is_dearer && h > promise) {
            promise = h;
            jpsw->slope = slope;
        }
        if (is_dearer && cells <= ASTAR_MOST_CHEAPER) {
            jpsw->few = slope;
            told = i;
        }
        cells += ground->count;
        costs += ground->count * ground->diagonal;
    }
    if (told > 0 && !search->own.linked)
        tell_cheaper(search, jpsw, grounds, told);
    settle_cheaper(search, jpsw);
}

// Estimates over links are made of walks over one ground, the most promising; none is left if that
// is the cheapest.
static void judge_slope(const AstarSearch *search, AstarJpsw *jpsw)
{
    int x = search->start_x, y = search->start_y;
    if (slope_estimate(search, &jpsw->slope, x, y) <=
        astar_estimate(&search->finder->costs.heuristic, x - search->goal.x, y - search->goal.y))
        jpsw->slope = (AstarSlope){0, 0, 0};
}

bool astar_jpsw_is_same(const AstarSearch *search)
{
    const AstarJpsw *then = &search->own.jpsw;
    AstarJpsw now;
    astar_jpsw_work_out(search, &now);
    if (search->own.linked)
        judge_slope(search, &now);
    return memcmp(&now, then, offsetof(AstarJpsw, cheaper)) == 0 &&
           (now.cheaper_count <= 0 || memcmp(now.cheaper, then->cheaper,
                                             (size_t)now.cheaper_count * sizeof *now.cheaper) == 0);
}

AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw)
{
    astar_jpsw_work_out(search, jpsw);
    judge_slope(search, jpsw);
    return jpsw->slope.along > 0 ? (AstarHeuristic){jpsw->slope.along, jpsw->slope.across, false}
                                 : search->finder->costs.heuristic;
}

static double estimate_over_links(const AstarSearch *search, int x, int y)
{
    double straight = astar_estimate(&search->own.links[0].walk, x - search->goal.x,
                                     y - search->goal.y);
    double h = astar_links_estimate(search, false, x, y, straight) - search->own.jpsw.slope.saving;
    return h > 0 ? h : 0;
}

double astar_jpsw_least_on(const AstarSearch *search, int x, int y)
{
    // The way on from there to the node may save once more.
    double least = estimate_over_links(search, x, y) - search->own.jpsw.slope.saving;
    return least > 0 ? least : 0;
}

double astar_jpsw_estimate(const AstarSearch *search, int x, int y)
{
    const AstarJpsw *jpsw = &search->own.jpsw;
    if (search->own.linked)
        return estimate_over_links(search, x, y);
    double h = astar_estimate(&search->finder->costs.heuristic, x - search->goal.x,
                              y - search->goal.y);
    double other = jpsw->cheaper_count >= 0 ? few_estimate(search, jpsw, x, y)
                                            : slope_estimate(search, &jpsw->slope, x, y);
    return other > h ? other : h;
}
