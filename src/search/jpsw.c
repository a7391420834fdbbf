// jpsw.c -- runs over equal ground, jumped over.
//
// Jump point search for ground of several costs (M. Carlson, S. Moghadam, D. Harabor, P. Stuckey
// and M. Ebendt, "Optimal Pathfinding on Weighted Grid Maps", AAAI 2023), by the rules of
// canonical.h. Where all nine cells around and at a cell cost the same, those leave out all steps
// but one after a straight arrival, the step on, and all but three after a diagonal one: on, and
// straight to both sides. So a straight run over such cells, see uniform_areas.h, is a search for
// the next clear bit, and a diagonal run sends straight ones out to both its sides from each of its
// cells. Only what ends a run becomes a node: a cell near other ground or a wall, and the goal.
// Without diagonals, vertical runs send out the horizontal ones.
//
// Nothing is lost by it: a cell jumped over would do nothing but go on, at the cost it has here.
//
// Most of what a diagonal run would send out far away is found cheaper by another run before its
// turn comes. So it ends after a few cells, in a node that waits for its turn; its cells are noted
// on the way, and where another run was there before, at no more cost, it ends at once.

#include "search/jpsw.h"

#include <math.h>
#include <stdlib.h>

// One cell of that many, of the ground that can be entered: measured.
enum { LEAST_SHARE_OF_AREAS = 3 };

bool astar_jpsw_pay(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    uint32_t enterable = 0;
    for (int i = 0; i < grid->terrain_count; i++)
        if (isfinite(finder->cell_cost[i]))
            enterable += grid->present[i];
    return finder->areas->count >= enterable / LEAST_SHARE_OF_AREAS;
}

// ---- runs ----

// A cell on a run and what the way there costs.
typedef struct Runner {
    int32_t x, y;
    uint32_t cell;
    double g;
} Runner;

static inline bool is_better(const AstarFront *front, const Runner *at)
{
    const AstarNode *node = &front->nodes[at->cell];
    return node->stamp != front->stamp || at->g < node->g;
}

static inline bool is_run_goal(const AstarSearch *search, const Runner *at)
{
    return at->cell == search->goal.cell;
}

static inline bool is_in_uniform_area(const AstarSearch *search, const Runner *at)
{
    return astar_bits_get(&search->finder->areas->rows, at->x, at->y);
}

// The turn of an arrival straight after a run in another direction; see AstarNode.
static inline AstarNode run_node_at(const AstarFront *front, const Runner *at, int direction,
                                    int turn, int run)
{
    return (AstarNode){at->g, front->stamp, (uint8_t)direction,
                       false, (int8_t)turn, (uint8_t)(run - 1)};
}

// Opens a cell, the way to which is the cheapest yet.
static inline void open(AstarSearch *search, AstarFront *front, const Runner *at, int direction,
                        int turn, int run)
{
    const AstarHeuristic *heuristic = &search->finder->heuristic;
    int columns = abs(at->x - search->goal.x), rows = abs(at->y - search->goal.y);
    int greater = columns > rows ? columns : rows;
    double f = at->g +
               (heuristic->along * greater + heuristic->across * (columns + rows - greater));
    if (f > search->limit) {
        search->failure = ASTAR_MAX_COST;
        return;
    }
    front->nodes[at->cell] = run_node_at(front, at, direction, turn, run);
    astar_slotted_push(&front->open, f, astar_open(f, at->g, at->cell));
}

static inline void step_on(const AstarFinder *finder, Runner *at, int direction, double cost)
{
    at->x += astar_dx[direction];
    at->y += astar_dy[direction];
    at->cell += (uint32_t)(astar_dy[direction] * finder->grid->width + astar_dx[direction]);
    at->g += cost;
}

// How far the next clear bit is after a position of a row, and before it. There is one.
static inline int clear_after(const uint64_t *row, int position)
{
    size_t word = (size_t)position >> 6;
    uint64_t bits = ~row[word] & ~(uint64_t)0 << (position & 63);
    while (bits == 0)
        bits = ~row[++word];
    return (int)(word << 6) + astar_lowest_bit(bits) - position;
}

static inline int clear_before(const uint64_t *row, int position)
{
    size_t word = (size_t)position >> 6;
    uint64_t bits = ~row[word] & ~(uint64_t)0 >> (63 - (position & 63));
    while (bits == 0)
        bits = ~row[--word];
    return position - (int)(word << 6) - astar_highest_bit(bits);
}

// How many steps lead straight from a cell of a uniform area to the first outside, or to the goal.
static inline int uniform_run_length(const AstarSearch *search, const Runner *at, int direction)
{
    const AstarUniformAreas *areas = search->finder->areas;
    bool is_turned = (direction & 3) == 0, is_upward = direction == 2 || direction == 4;
    int row = is_turned ? at->x : at->y, position = is_turned ? at->y : at->x;
    const uint64_t *bits = astar_bits_row(is_turned ? &areas->columns : &areas->rows, row);
    int run = is_upward ? clear_after(bits, position + 1) : clear_before(bits, position + 1);
    if (row == (is_turned ? search->goal.x : search->goal.y)) {
        int to_goal = (is_turned ? search->goal.y : search->goal.x) - position;
        to_goal = is_upward ? to_goal : -to_goal;
        if (to_goal > 0 && to_goal < run)
            run = to_goal;
    }
    return run;
}

// Follows a straight run that has come 'run' steps, after 'turn' steps in another direction.
static inline void follow_straight_run(AstarSearch *search, AstarFront *front, Runner at,
                                       int direction, int turn, int run, double cost)
{
    if (is_in_uniform_area(search, &at) && !is_run_goal(search, &at)) {
        int more = uniform_run_length(search, &at, direction);
        if (more > ASTAR_LONGEST_RUN - run)
            more = ASTAR_LONGEST_RUN - run;
        int offset = astar_dy[direction] * search->grid->width + astar_dx[direction];
        at.x += more * astar_dx[direction];
        at.y += more * astar_dy[direction];
        at.cell += (uint32_t)(more * offset);
        at.g += more * cost;
        run += more;
    }
    if (is_better(front, &at))
        open(search, front, &at, direction, turn, run);
}

// Sends a straight run out from a cell of another run.
static inline void send_run_aside(AstarSearch *search, AstarFront *front, Runner at, int direction,
                                  int turn, double cost)
{
    step_on(search->finder, &at, direction, cost);
    if (is_better(front, &at))
        follow_straight_run(search, front, at, direction, turn, 1, cost);
}

// Follows a run that sends out others, two turns of 'aside' each, from its first cell on.
static void run_and_turn(AstarSearch *search, AstarFront *front, Runner at, int direction,
                         int aside, const double cost[2])
{
    int run = 1;
    for (; run < ASTAR_LONGEST_TURN && is_in_uniform_area(search, &at) && !is_run_goal(search, &at);
         run++) {
        if (!is_better(front, &at))
            return;
        front->nodes[at.cell] = run_node_at(front, &at, direction, 0, run);
        front->nodes[at.cell].closed = true;
        send_run_aside(search, front, at, (direction + aside) & 7, -run, cost[0]);
        send_run_aside(search, front, at, (direction - aside) & 7, run, cost[0]);
        step_on(search->finder, &at, direction, cost[direction & 1]);
    }
    if (is_better(front, &at))
        open(search, front, &at, direction, 0, run);
}

void astar_expand_run(AstarSearch *search, AstarFront *front, int x, int y, int direction)
{
    const AstarFinder *finder = search->finder;
    uint32_t cell = front->current;
    Runner at = {x, y, cell, front->nodes[cell].g};
    step_on(finder, &at, direction, 0);
    uint8_t ground = finder->ground[at.cell];
    double cost[2] = {finder->step[0][ground], finder->step[1][ground]};
    at.g += cost[direction & 1];
    if (direction & 1)
        run_and_turn(search, front, at, direction, 1, cost);
    else if (!finder->rule->has_diagonals && (direction & 3) == 0)
        run_and_turn(search, front, at, direction, 2, cost);
    else
        follow_straight_run(search, front, at, direction, 0, 1, cost[0]);
}
