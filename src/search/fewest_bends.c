// fewest_bends.c -- Finds a route with the fewest bends among the cheapest routes to a cell.
//
// First A* finds C, the cost of the cheapest routes. When A* has ended, every cell with f < C is
// closed, so its cost g is known. All other cells have an f of at least C. Since the estimate h is
// never more than the remaining cost, a cheapest route can enter such a cell only at a cost of C -
// h. Each cell on a cheapest route therefore has one level cost: g if g + h is C or less, otherwise
// C - h. A step is called tight if the level costs of its ends differ by the cost of the step. The
// cheapest routes are exactly the chains of tight steps from the start to the goal.
//
// The search then draws rays from the goal, against the direction of travel. A ray is a straight
// line of tight steps. Rays with 0 bends are drawn first, then rays with 1 bend, which branch off
// the rays with 0 bends, and so on, as S. Suri (1986) finds minimum-link paths. Each cell is marked
// with the lowest number of bends of a ray through it, and with the directions of the rays that
// have this number. A ray ends at a cell where it is no better than the marks: the rays that marked
// the cell can turn there and reach all that a longer ray could reach.
//
// Rays of tight steps out of the start are computed before all others. A ray from the goal that
// crosses one of these completes a route, which has one bend more than the ray. No ray with fewer
// bends completed a route before, so this route has the fewest bends.
//
// Two stages come before the rays. A route that changes its direction at most once, if it is a
// cheapest one, has the fewest bends. If all ground has one cost and a cheapest route is no longer
// than on an empty map, bend_levels.c finds the fewest bends by the directions towards the goal.
//
// If bends have a cost, bend_levels.c counts the fewest bends of any route. If a known cheapest
// route has no more bends, it is the best one. Otherwise priced_bends.c finds the best route by a
// search from the goal.

#include "search/fewest_bends.h"

#include "base/array.h"
#include "search/bend_levels.h"
#include "search/bends.h"
#include "search/best_first.h"
#include "search/priced_bends.h"
#include "search/search.h"
#include "search/trace.h"

#include <math.h>

enum {
    NO_RAY = -1,
    FIRST_RAYS = 64,         // initial capacity of the array of rays
    LONGEST_RAY = 1024,      // maximum cells of a ray; a longer line is stored as several rays
    CELLS_AN_EXPANSION = 32, // cells of rays that count as one expansion
    STEPS_AT_A_TIME = 64,    // maximum number of steps read back at a time
    // Maximum size of the box in which bend_levels.c counts bends, in words of 64 cells.
    MOST_LEVEL_WORDS = 1 << 16,
    // Number of levels that bend_levels.c counts after it has reached the goal. The estimate of a
    // cell that it has not reached is lower than the cell's number of bends.
    LEVELS_BEYOND_GOAL = 1
};

// The stages of a search, in their order.
typedef enum RayStage {
    STAGE_CELLS,    // A* over cells
    STAGE_DIRECT,   // counts the bends of routes that never lead away from the goal
    STAGE_RAYS,     // draws rays over the cheapest routes
    STAGE_ESTIMATE, // counts the bends of all routes, for the estimate of the next stage
    STAGE_PRICED    // A* of priced_bends.c
} RayStage;

// A ray: a line of tight steps, drawn from the end that is nearer to the goal.
typedef struct BendRay {
    int32_t x, y;    // the cell from which the ray was drawn, which is not part of it
    int32_t parent;  // index of the ray that contains (x, y); NO_RAY if (x, y) is the goal
    int32_t cells;   // number of cells on the ray
    uint32_t bends;  // number of bends of the route from the ray to the goal
    uint8_t heading; // direction of travel, towards (x, y)
    uint64_t level;  // the level cost of (x, y)
} BendRay;

// The data of a search by rays.

struct AstarRays {
    BendRay *rays;
    size_t capacity, count;
    RayStage stage;
    uint64_t total;     // the cost C of the cheapest routes
    bool has_diagonals; // true if diagonal steps are allowed
    // For each direction in which a cell is left, on open terrain of one cost: the set of
    // directions of the tight steps by which it may have been entered.
    uint8_t near[ASTAR_DIRECTIONS];
    // Number of consecutive tight steps out of the start in each direction.
    int32_t reach[ASTAR_DIRECTIONS];
    // The best route found so far. The route leaves the start in a straight line and then follows
    // 'ray' from its cell number 'at', counted from 1. 'fewest' is its number of bends.
    uint32_t fewest;
    int32_t ray, at;
    double known; // cost of a route that was found, bends included
    // The work to be done next.
    int32_t unfinished;     // index of a ray whose line continues beyond it; NO_RAY for none
    size_t turning;         // index of the current ray, which new rays turn off
    int32_t turning_at;     // number of cells of the current ray that were handled
    uint64_t turning_level; // level cost of the last cell that was handled
    // Corners of the route found, from the start; two consecutive ones may be the same cell.
    AstarPoint *corners;
    size_t corner_capacity, corner_count;
};

void astar_rays_free(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    if (all == NULL)
        return;
    astar_release(&search->allocator, all->rays, all->capacity, sizeof *all->rays);
    astar_release(&search->allocator, all->corners, all->corner_capacity, sizeof *all->corners);
    astar_release(&search->allocator, all, 1, sizeof *all);
    search->own.rays = NULL;
}

size_t astar_rays_bytes(const AstarSearch *search)
{
    const struct AstarRays *all = search->own.rays;
    return all == NULL ? 0
                       : sizeof *all + all->capacity * sizeof *all->rays +
                             all->corner_capacity * sizeof *all->corners;
}

bool astar_rays_are_drawn(const AstarSearch *search)
{
    return search->own.by_rays && search->own.rays->stage != STAGE_CELLS;
}

bool astar_can_go_by_rays(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    return search->algorithm == ASTAR_ASTAR && finder->options.estimate == NULL &&
           astar_best_first_goes_to_cell(search);
}

AstarStatus astar_rays_begin(AstarSearch *search)
{
    if (search->own.rays == NULL)
        search->own.rays = astar_alloc(&search->allocator, 1, sizeof *search->own.rays);
    if (search->own.rays == NULL)
        return ASTAR_NO_MEMORY;
    search->own.rays->stage = STAGE_CELLS;
    return astar_best_first_begin(search);
}

// Returns the cost of a step in a direction into a cell.
static inline uint64_t cost_of_entering(const AstarFinder *finder, uint32_t cell, int direction)
{
    return finder->costs.whole[direction & 1][finder->on.ground[cell]];
}

// Returns true if a cell of the map can be entered and its level cost is 'level'. 'node' is the
// cell's node.
static inline bool is_level_of(const AstarSearch *search, uint64_t node, int x, int y,
                               uint64_t level)
{
    if ((node ^ level) <= ASTAR_STATE_MASK && node != ASTAR_CELL_BARRED)
        return true;
    return node > level &&
           level + astar_least_between(search, x, y, search->goal.x, search->goal.y) ==
               search->own.rays->total &&
           level >= astar_least_between(search, x, y, search->start_x, search->start_y) &&
           astar_bits_get(&search->finder->on.walkable->bits, x, y);
}

// Returns true if a step into or out of (x, y) obeys the corner rule. Both ends of the step must be
// free.
static inline bool is_legal(const AstarFinder *finder, int x, int y, int direction)
{
    return (direction & 1) == 0 ||
           (astar_legal_moves(finder->rule, astar_bits_around(&finder->on.walkable->bits, x, y)) >>
                direction &
            1) != 0;
}

// Makes room for all rays out of one cell. A long line is stored as several rays, whose number is
// bounded by the width or height of the map. Returns false if there is no memory.
static bool reserve_rays(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    int side = astar_greater(search->grid->width, search->grid->height);
    size_t more = ASTAR_DIRECTIONS * ((size_t)side / LONGEST_RAY + 2);
    return ASTAR_RESERVE(&search->allocator, all->rays, all->count, more, &all->capacity,
                         FIRST_RAYS);
}

// Returns the number of consecutive tight steps that lead out of the start in a direction.
static int32_t reach_of_start(const AstarSearch *search, int direction)
{
    const AstarGrid *grid = search->grid;
    int32_t steps = 0;
    int x = search->start_x, y = search->start_y;
    for (uint64_t level = 0;; steps++) {
        int to_x = x + astar_dx[direction], to_y = y + astar_dy[direction];
        if (!astar_inside(grid, to_x, to_y))
            return steps;
        level += cost_of_entering(search->finder, astar_cell(grid, to_x, to_y), direction);
        if (level + astar_least_between(search, to_x, to_y, search->goal.x, search->goal.y) >
                search->own.rays->total ||
            !is_level_of(search, astar_nodes_at(&search->core.nodes, to_x, to_y), to_x, to_y,
                         level) ||
            !is_legal(search->finder, x, y, direction))
            return steps;
        x = to_x;
        y = to_y;
    }
}

// Returns the number of bends at the start, 0 or 1: 1 if the unit's heading differs from the
// direction in which it leaves.
static uint32_t bends_of_leaving(const AstarSearch *search, int direction)
{
    AstarHeading heading = search->query.heading;
    return heading != ASTAR_NO_HEADING && (int)heading - 1 != direction;
}

// Stores a route as the best one if it has fewer bends than the best one so far.
static void note_route(struct AstarRays *all, uint32_t bends, size_t ray, int32_t at)
{
    if (bends >= all->fewest)
        return;
    all->fewest = bends;
    all->ray = (int32_t)ray;
    all->at = at;
}

// Checks whether a new ray contains the start or crosses a line of tight steps out of the start,
// and stores the route that this completes.
static void look_for_start(AstarSearch *search, size_t number)
{
    struct AstarRays *all = search->own.rays;
    const BendRay *ray = &all->rays[number];
    const int dx = astar_dx[ray->heading], dy = astar_dy[ray->heading];
    const int right = search->start_x - ray->x, down = search->start_y - ray->y;
    // (right, down) is the offset of the start from the first cell of the ray. The route to be
    // found takes j steps from the start in direction d and then i steps along the ray, towards
    // its first cell: (right, down) == -i * (dx, dy) - j * (astar_dx[d], astar_dy[d]).
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        int across = dx * astar_dy[d] - dy * astar_dx[d];
        if (across == 0 || all->reach[d] == 0)
            continue;
        int i = -(right * astar_dy[d] - down * astar_dx[d]) / across;
        int j = -(dx * down - dy * right) / across;
        if (i < 1 || i > ray->cells || j < 1 || j > all->reach[d] ||
            -i * dx - j * astar_dx[d] != right || -i * dy - j * astar_dy[d] != down)
            continue;
        note_route(all, ray->bends + 1 + bends_of_leaving(search, d), number, i);
    }
    int i = dx != 0 ? -right * dx : -down * dy;
    if (i >= 1 && i <= ray->cells && -i * dx == right && -i * dy == down)
        note_route(all, ray->bends + bends_of_leaving(search, ray->heading), number, i);
}

// The current cell while a ray is drawn. The current cell moves along the ray, away from the goal.
typedef struct Walk {
    int x, y;             // column and row of the cell
    ptrdiff_t cell;       // number of the cell
    uint64_t level;       // level cost of the cell
    AstarNodePage *nodes; // page of its node; NULL if no cell of the page was reached
    AstarPage *marks;     // page of its marks; NULL if no cell of the page is marked
    unsigned place;       // place of the cell on both pages
} Walk;

// Returns true if two neighbouring cells lie on different pages.
static inline bool leaves_page(int x, int y, int to_x, int to_y)
{
    return ((unsigned)(x ^ to_x) | (unsigned)(y ^ to_y)) >= ASTAR_PAGE_SIDE;
}

static inline void find_pages(const AstarSearch *search, Walk *walk)
{
    walk->nodes = astar_nodes_page(&search->core.nodes, walk->x, walk->y);
    walk->marks = *astar_page_entry(&search->front.nodes, walk->x, walk->y);
}

// Draws a ray of at most LONGEST_RAY cells from (ray.x, ray.y), as long as its steps are tight, and
// stores the ray. There must be room for the ray. Adds the number of cells examined to '*cells'.
ASTAR_SPECIALIZE AstarStatus draw_to(AstarSearch *search, BendRay ray, uint64_t *cells,
                                     bool diagonal)
{
    struct AstarRays *all = search->own.rays;
    const AstarFinder *finder = search->finder;
    const int dx = astar_dx[ray.heading], dy = astar_dy[ray.heading];
    const ptrdiff_t offset = (ptrdiff_t)dy * search->grid->width + dx;
    const unsigned width = (unsigned)search->grid->width, height = (unsigned)search->grid->height;
    const uint8_t bit = (uint8_t)(1u << ray.heading), *const ground = finder->on.ground;
    const uint64_t *const costs = finder->costs.whole[diagonal];
    const int back = (ray.heading + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS;
    const double bends = ray.bends;
    Walk at = {.x = ray.x,
               .y = ray.y,
               .cell = (ptrdiff_t)ray.y * search->grid->width + ray.x,
               .level = ray.level};
    find_pages(search, &at);
    for (ray.cells = 0; ray.cells < LONGEST_RAY; ray.cells++) {
        const uint64_t cost = costs[ground[at.cell]], level = at.level - cost;
        const int x = at.x - dx, y = at.y - dy;
        if (cost > at.level || (unsigned)x >= width || (unsigned)y >= height)
            break;
        bool is_free = !diagonal || is_legal(finder, at.x, at.y, back);
        bool leaves = leaves_page(at.x, at.y, x, y);
        at.x = x;
        at.y = y;
        at.cell -= offset;
        if (leaves)
            find_pages(search, &at);
        at.place = astar_page_place(x, y);
        const uint64_t node = at.nodes != NULL ? at.nodes->nodes[at.place] : ASTAR_UNREACHED;
        if (!is_free || !is_level_of(search, node, x, y, level))
            break;
        if (at.marks == NULL) {
            at.marks = astar_pages_add(&search->front.nodes, &search->allocator, x, y);
            if (at.marks == NULL)
                return ASTAR_NO_MEMORY;
        }
        unsigned headings = at.marks->states[at.place];
        if (headings == 0)
            at.marks->values[at.place] = bends;
        else if (at.marks->values[at.place] < bends || (headings & bit) != 0)
            break;
        at.marks->states[at.place] = (uint8_t)(headings | bit);
        at.level = level;
    }
    *cells += (uint64_t)ray.cells + 1;
    all->unfinished = NO_RAY;
    if (ray.cells == 0)
        return ASTAR_OK;
    search->expanded++;
    if (ray.cells == LONGEST_RAY)
        all->unfinished = (int32_t)all->count;
    all->rays[all->count++] = ray;
    look_for_start(search, all->count - 1);
    return ASTAR_OK;
}

ASTAR_ONCE AstarStatus draw_straight(AstarSearch *search, BendRay ray, uint64_t *cells)
{
    return draw_to(search, ray, cells, false);
}

ASTAR_ONCE AstarStatus draw_diagonally(AstarSearch *search, BendRay ray, uint64_t *cells)
{
    return draw_to(search, ray, cells, true);
}

static AstarStatus draw_part(AstarSearch *search, BendRay ray, uint64_t *cells)
{
    return ray.heading & 1 ? draw_diagonally(search, ray, cells)
                           : draw_straight(search, ray, cells);
}

// Returns the ray that continues the line of the unfinished ray.
static BendRay rest_of_ray(const AstarSearch *search)
{
    const struct AstarRays *all = search->own.rays;
    BendRay ray = all->rays[all->unfinished];
    for (int i = 0; i < ray.cells; i++) {
        ray.level -= cost_of_entering(search->finder, astar_cell(search->grid, ray.x, ray.y),
                                      ray.heading);
        ray.x -= astar_dx[ray.heading];
        ray.y -= astar_dy[ray.heading];
    }
    ray.parent = all->unfinished;
    return ray;
}

// Draws a line of tight steps, as several rays if it is long.
static AstarStatus draw_ray(AstarSearch *search, BendRay ray, uint64_t *cells)
{
    AstarStatus status = draw_part(search, ray, cells);
    while (status == ASTAR_OK && search->own.rays->unfinished != NO_RAY)
        status = draw_part(search, rest_of_ray(search), cells);
    return status;
}

// Fills in 'near': for each direction of a step, the directions of the steps that may come before
// it on a cheapest route over open terrain of one cost. A step in any other direction is left out,
// because a single step or two other steps lead to the same cell at a lower cost.
static void fill_near(struct AstarRays *all, const AstarFinder *finder)
{
    double length = finder->options.diagonal_cost;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        unsigned near = 1u << d;
        bool is_square = d & 1 ? length < 1 + 1e-6 : !all->has_diagonals || length > 2 - 1e-6;
        if (all->has_diagonals)
            near |= astar_rotate(1u << d, 1) | astar_rotate(1u << d, 7);
        if (is_square)
            near |= astar_rotate(1u << d, 2) | astar_rotate(1u << d, 6);
        all->near[d] = (uint8_t)near;
    }
}

// Returns true if the eight cells around a cell cost as much as the cell itself. The cell must not
// be at the edge of the map.
static bool is_ground_same(const AstarSearch *search, int x, int y)
{
    const AstarFinder *finder = search->finder;
    return finder->is_uniform || astar_canonical_same(finder->on.ground, search->grid,
                                                      astar_cell(search->grid, x, y), 0xFF) == 0xFF;
}

// Returns the directions in which new rays may turn off at a cell that rays with the directions
// 'headings' pass.
static unsigned turns_at(const AstarSearch *search, int x, int y, unsigned headings)
{
    const struct AstarRays *all = search->own.rays;
    unsigned turns = (all->has_diagonals ? 0xFF : ASTAR_STRAIGHTS) & ~headings;
    unsigned nine = astar_bits_nine(&search->finder->on.walkable->bits, x, y);
    if (nine == 511 && is_ground_same(search, x, y))
        for (; headings != 0; headings &= headings - 1)
            turns &= all->near[astar_lowest_bit(headings)];
    return turns;
}

// Makes a ray the current one, which the next rays turn off.
static void turn_to(AstarSearch *search, size_t number)
{
    struct AstarRays *all = search->own.rays;
    all->turning = number;
    all->turning_at = 0;
    if (number < all->count)
        all->turning_level = all->rays[number].level;
}

// Draws the rays that turn off the current ray at its cell 'turning_at'.
static AstarStatus turn_off(AstarSearch *search, const BendRay *ray, unsigned turns,
                            uint64_t *cells)
{
    struct AstarRays *all = search->own.rays;
    BendRay next = {.x = ray->x - all->turning_at * astar_dx[ray->heading],
                    .y = ray->y - all->turning_at * astar_dy[ray->heading],
                    .parent = (int32_t)all->turning,
                    .bends = ray->bends + 1,
                    .level = all->turning_level};
    AstarStatus status = reserve_rays(search) ? ASTAR_OK : ASTAR_NO_MEMORY;
    for (; status == ASTAR_OK && turns != 0; turns &= turns - 1) {
        next.heading = (uint8_t)astar_lowest_bit(turns);
        status = draw_ray(search, next, cells);
    }
    return status;
}

// Returns the directions, out of 'turns', in which a new ray with 'bends' bends is to be drawn from
// a cell. A direction is left out if the next cell in it is marked with fewer bends. Cells on
// other pages are not examined. 'marks' is the page of the cell.
static unsigned unmarked(const AstarPage *marks, unsigned place, unsigned turns, double bends)
{
    const int column = (int)(place % ASTAR_PAGE_SIDE), row = (int)(place / ASTAR_PAGE_SIDE);
    unsigned worth = 0;
    for (; turns != 0; turns &= turns - 1) {
        int d = astar_lowest_bit(turns), x = column - astar_dx[d], y = row - astar_dy[d];
        unsigned next = (unsigned)(y * ASTAR_PAGE_SIDE + x);
        bool is_useless = !leaves_page(column, row, x, y) && marks->states[next] != 0 &&
                          marks->values[next] < bends;
        worth |= (unsigned)!is_useless << d;
    }
    return worth;
}

// Follows the current ray and draws the rays that turn off it. Stops at the end of the ray, when
// the best route has at most 'enough' bends, or when '*cells' reaches 'most'.
static AstarStatus turn_off_all(AstarSearch *search, uint32_t enough, uint64_t most,
                                uint64_t *cells)
{
    struct AstarRays *all = search->own.rays;
    const AstarFinder *finder = search->finder;
    const BendRay ray = all->rays[all->turning];
    const int dx = astar_dx[ray.heading], dy = astar_dy[ray.heading];
    const uint64_t *const costs = finder->costs.whole[ray.heading & 1];
    int x = ray.x - all->turning_at * dx, y = ray.y - all->turning_at * dy;
    const AstarPage *marks = NULL;
    while (all->turning_at < ray.cells && *cells < most && all->fewest > enough) {
        all->turning_level -= costs[finder->on.ground[astar_cell(search->grid, x, y)]];
        all->turning_at++;
        ++*cells;
        bool leaves = marks == NULL || leaves_page(x, y, x - dx, y - dy);
        x -= dx;
        y -= dy;
        if (leaves)
            marks = astar_page_at(&search->front.nodes, x, y);
        unsigned headings = marks->states[astar_page_place(x, y)];
        if (astar_lowest_bit(headings) != ray.heading)
            continue;
        unsigned turns = unmarked(marks, astar_page_place(x, y), turns_at(search, x, y, headings),
                                  ray.bends + 1);
        AstarStatus status = turns != 0 ? turn_off(search, &ray, turns, cells) : ASTAR_OK;
        if (status != ASTAR_OK)
            return status;
    }
    if (all->turning_at == ray.cells)
        turn_to(search, all->turning + 1);
    return ASTAR_OK;
}

// Starts the stage of rays, and draws the rays that come straight from the goal, without a bend.
static AstarStatus begin_rays(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    uint64_t cells = 0;
    all->stage = STAGE_RAYS;
    all->count = 0;
    all->ray = NO_RAY;
    all->unfinished = NO_RAY;
    fill_near(all, search->finder);
    if (!astar_pages_begin(&search->front.nodes, &search->allocator, search->grid->width,
                           search->grid->height) ||
        !reserve_rays(search))
        return ASTAR_NO_MEMORY;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        all->reach[d] = all->has_diagonals || (d & 1) == 0 ? reach_of_start(search, d) : 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        if (!all->has_diagonals && (d & 1) != 0)
            continue;
        BendRay ray = {.x = search->goal.x,
                       .y = search->goal.y,
                       .parent = NO_RAY,
                       .heading = (uint8_t)d,
                       .level = all->total};
        if (draw_ray(search, ray, &cells) != ASTAR_OK)
            return ASTAR_NO_MEMORY;
    }
    turn_to(search, 0);
    return ASTAR_RUNNING;
}

// Returns the cost of the bend between two directions of travel.
static double price_of_bend(const AstarSearch *search, int from, int to)
{
    const AstarOptions *options = &search->finder->options;
    int apart = abs(from - to);
    apart = apart > ASTAR_DIRECTIONS / 2 ? ASTAR_DIRECTIONS - apart : apart;
    if (apart == 0)
        return 0;
    return options->bend_costs != NULL ? options->bend_costs[apart - 1] : options->bend_cost;
}

// Returns the cost of the bend at the start when the unit leaves it in a direction.
static double price_of_leaving(const AstarSearch *search, int direction)
{
    AstarHeading heading = search->query.heading;
    return heading != ASTAR_NO_HEADING ? price_of_bend(search, (int)heading - 1, direction) : 0;
}

// Returns the lowest cost of a bend that can occur. Without diagonal steps, bends have 90 or 180
// degrees.
static double least_price(const AstarSearch *search)
{
    double least = INFINITY;
    for (int apart = 1; apart <= ASTAR_BEND_ANGLES; apart++)
        if (search->own.rays->has_diagonals || apart % 2 == 0)
            least = fmin(least, price_of_bend(search, 0, apart));
    return least;
}

// Returns the direction of the straight line from one cell to another.
static int heading_of_line(const AstarPoint *from, const AstarPoint *to)
{
    return astar_direction((to->x > from->x) - (to->x < from->x),
                           (to->y > from->y) - (to->y < from->y));
}

// The cost and the number of bends of a route.
typedef struct PricedRoute {
    double cost;    // cost of the route, including its bends
    uint32_t bends; // number of bends
} PricedRoute;

// Extends a route that ends at '*at' by a number of steps in a direction, and moves '*at'. 'from'
// is the direction of the last step, or ASTAR_FROM_NOWHERE if the route has none yet. Returns false
// if a step is illegal.
static bool add_priced_leg(const AstarSearch *search, AstarPoint *at, int from, int direction,
                           int steps, PricedRoute *route)
{
    const AstarFinder *finder = search->finder;
    const AstarBits *walkable = &finder->on.walkable->bits;
    uint64_t whole = 0;
    for (; steps > 0; steps--) {
        int x = at->x + astar_dx[direction], y = at->y + astar_dy[direction];
        if (!astar_bits_get(walkable, x, y) || !is_legal(finder, at->x, at->y, direction))
            return false;
        whole += cost_of_entering(finder, astar_cell(search->grid, x, y), direction);
        if (whole > ASTAR_MOST_COST) // two steps of ASTAR_TOO_COSTLY would add up to 0
            return false;
        at->x = x;
        at->y = y;
    }
    bool is_first = from >= ASTAR_DIRECTIONS;
    route->bends += is_first ? bends_of_leaving(search, direction) : from != direction;
    route->cost += (double)(whole >> ASTAR_STATE_BITS) * search->core.unit +
                   (is_first ? price_of_leaving(search, direction)
                             : price_of_bend(search, from, direction));
    return true;
}

// Returns the length of a step in a direction.
static double length_of_step(const AstarSearch *search, int direction)
{
    return direction & 1 ? search->finder->options.diagonal_cost : 1;
}

// Examines all routes to the goal with at most one change of direction. If one of them is better
// than '*best', stores its corners and its price.
static AstarStatus look_for_corner(AstarSearch *search, PricedRoute *best)
{
    struct AstarRays *all = search->own.rays;
    if (!ASTAR_RESERVE(&search->allocator, all->corners, 0, 3, &all->corner_capacity, FIRST_RAYS))
        return ASTAR_NO_MEMORY;
    const AstarPoint start = {.x = search->start_x, .y = search->start_y};
    const AstarPoint goal = {.x = search->goal.x, .y = search->goal.y};
    const int right = goal.x - start.x, down = goal.y - start.y;
    for (int pair = 0; pair < ASTAR_DIRECTIONS * ASTAR_DIRECTIONS; pair++) {
        int first = pair / ASTAR_DIRECTIONS, then = pair % ASTAR_DIRECTIONS, i, j = 0;
        int across = astar_dx[first] * astar_dy[then] - astar_dy[first] * astar_dx[then];
        if (((first | then) & 1) != 0 && !all->has_diagonals)
            continue;
        if (first == then) {
            i = astar_greater(abs(right), abs(down));
        } else if (across != 0) {
            i = (right * astar_dy[then] - down * astar_dx[then]) / across;
            j = (astar_dx[first] * down - astar_dy[first] * right) / across;
        } else {
            continue;
        }
        if (i < 1 || j < (first != then) || i * astar_dx[first] + j * astar_dx[then] != right ||
            i * astar_dy[first] + j * astar_dy[then] != down)
            continue;
        const double length = i * length_of_step(search, first) + j * length_of_step(search, then);
        if (length * search->finder->min_cost > best->cost * ASTAR_LENIENCE)
            continue;
        AstarPoint at = start;
        PricedRoute route = {.cost = 0};
        if (!add_priced_leg(search, &at, ASTAR_FROM_NOWHERE, first, i, &route))
            continue;
        const AstarPoint corner = at;
        if (j > 0 && !add_priced_leg(search, &at, first, then, j, &route))
            continue;
        double slack = search->core.unit; // twice the rounding error of a step
        if (route.cost > best->cost + slack ||
            (route.cost >= best->cost - slack && route.bends >= best->bends))
            continue;
        *best = route;
        all->corner_count = 0;
        all->corners[all->corner_count++] = start;
        all->corners[all->corner_count++] = corner;
        all->corners[all->corner_count++] = goal;
    }
    return ASTAR_OK;
}

// Stores the corners of the route found, from the start to the goal.
static AstarStatus note_corners(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    const BendRay *ray = &all->rays[all->ray];
    AstarPoint start = {.x = search->start_x, .y = search->start_y};
    AstarPoint entry = {.x = ray->x - all->at * astar_dx[ray->heading],
                        .y = ray->y - all->at * astar_dy[ray->heading]};
    all->corner_count = 0;
    for (int32_t number = all->ray;; number = all->rays[number].parent) {
        if (!ASTAR_RESERVE(&search->allocator, all->corners, all->corner_count, 3,
                           &all->corner_capacity, FIRST_RAYS))
            return ASTAR_NO_MEMORY;
        if (all->corner_count == 0) {
            all->corners[all->corner_count++] = start;
            all->corners[all->corner_count++] = entry;
        }
        if (number == NO_RAY)
            break;
        all->corners[all->corner_count++] = (AstarPoint){.x = all->rays[number].x,
                                                         .y = all->rays[number].y};
    }
    search->found = search->goal.cell;
    return ASTAR_OK;
}

// Stores the corners of the route that priced_bends.c has found, from the start to the goal.
static AstarStatus note_priced_corners(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    int x = search->start_x, y = search->start_y, before = -1;
    all->corner_count = 0;
    int direction = astar_priced_first(search);
    for (;;) {
        if (!ASTAR_RESERVE(&search->allocator, all->corners, all->corner_count, 1,
                           &all->corner_capacity, FIRST_RAYS))
            return ASTAR_NO_MEMORY;
        if (direction != before)
            all->corners[all->corner_count++] = (AstarPoint){.x = x, .y = y};
        if (direction < 0)
            break;
        before = direction;
        direction = astar_priced_next(search, &x, &y, direction);
    }
    search->found = search->goal.cell;
    return ASTAR_OK;
}

// Returns the cost of the route whose corners are stored, including its bends.
static PricedRoute price_route(const AstarSearch *search)
{
    const struct AstarRays *all = search->own.rays;
    PricedRoute route = {.cost = (double)(all->total >> ASTAR_STATE_BITS) * search->core.unit};
    int from = ASTAR_FROM_NOWHERE;
    for (size_t i = 1; i < all->corner_count; i++) {
        const AstarPoint *at = &all->corners[i - 1];
        if (at->x == all->corners[i].x && at->y == all->corners[i].y)
            continue;
        int direction = heading_of_line(at, &all->corners[i]);
        route.bends += from < ASTAR_DIRECTIONS ? from != direction
                                               : bends_of_leaving(search, direction);
        route.cost += from < ASTAR_DIRECTIONS ? price_of_bend(search, from, direction)
                                              : price_of_leaving(search, direction);
        from = direction;
    }
    return route;
}

// Returns a lower bound of the number of bends that every route to the goal has.
static uint32_t fewest_at_all(const AstarSearch *search)
{
    int dx = search->goal.x - search->start_x, dy = search->goal.y - search->start_y;
    bool is_straight = dx == 0 || dy == 0 ||
                       (search->finder->rule->has_diagonals && abs(dx) == abs(dy));
    if (!is_straight)
        return 1;
    return bends_of_leaving(search, astar_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)));
}

// Returns the number of consecutive steps in a direction that lead to (x, y) on cheapest routes
// over cells that A* has reached. '*level' is the level cost of (x, y), and is set to the level
// cost of the cell where these steps begin.
static int steps_back(const AstarSearch *search, int x, int y, int direction, uint64_t *level)
{
    const int back = (direction + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS;
    for (int steps = 0;; steps++) {
        const uint64_t cost = cost_of_entering(search->finder, astar_cell(search->grid, x, y),
                                               direction);
        const int from_x = x - astar_dx[direction], from_y = y - astar_dy[direction];
        if (cost > *level || !astar_inside(search->grid, from_x, from_y) ||
            !is_legal(search->finder, x, y, back) ||
            (astar_nodes_at(&search->core.nodes, from_x, from_y) ^ (*level - cost)) >
                ASTAR_STATE_MASK)
            return steps;
        *level -= cost;
        x = from_x;
        y = from_y;
    }
}

// Adds a corner of a route that is read from the goal back to the start.
static AstarStatus add_route_corner(AstarSearch *search, int x, int y)
{
    struct AstarRays *all = search->own.rays;
    if (!ASTAR_RESERVE(&search->allocator, all->corners, all->corner_count, 1,
                       &all->corner_capacity, FIRST_RAYS))
        return ASTAR_NO_MEMORY;
    all->corners[all->corner_count++] = (AstarPoint){.x = x, .y = y};
    return ASTAR_OK;
}

// Reverses the corners of a route that was read from the goal back to the start.
static void reverse_corners(struct AstarRays *all)
{
    for (size_t i = 0, j = all->corner_count; i + 1 < j; i++) {
        AstarPoint corner = all->corners[--j];
        all->corners[j] = all->corners[i];
        all->corners[i] = corner;
    }
}

// Stores the corners of a cheapest route with few bends: at each corner, counted from the goal, the
// route follows the longest straight line of cells that A* has reached.
static AstarStatus note_cheapest_route(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    int x = search->goal.x, y = search->goal.y;
    uint64_t level = all->total;
    all->corner_count = 0;
    AstarStatus status = add_route_corner(search, x, y);
    while (status == ASTAR_OK && !(x == search->start_x && y == search->start_y)) {
        int most = 0, best = 0;
        uint64_t best_level = level;
        for (int d = 0; d < ASTAR_DIRECTIONS; d += all->has_diagonals ? 1 : 2) {
            uint64_t begin = level;
            int steps = steps_back(search, x, y, d, &begin);
            if (steps <= most)
                continue;
            most = steps;
            best = d;
            best_level = begin;
        }
        x -= most * astar_dx[best];
        y -= most * astar_dy[best];
        level = best_level;
        status = add_route_corner(search, x, y);
    }
    reverse_corners(all);
    return status;
}

// Stores the corners of a route to the goal with the fewest bends, once bend_levels.c has found it.
static AstarStatus note_route_of_levels(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    int x = search->goal.x, y = search->goal.y;
    all->corner_count = 0;
    AstarStatus status = add_route_corner(search, x, y);
    while (status == ASTAR_OK && !(x == search->start_x && y == search->start_y)) {
        astar_levels_back(search, &x, &y);
        status = add_route_corner(search, x, y);
    }
    reverse_corners(all);
    return status;
}

// Ends the search with the route whose corners are stored.
static AstarStatus end_with_corners(AstarSearch *search)
{
    search->found = search->goal.cell;
    return ASTAR_OK;
}

// Returns the cost, bends excluded, of the cheapest routes.
static double cheapest_cost(const AstarSearch *search)
{
    return (double)(search->own.rays->total >> ASTAR_STATE_BITS) * search->core.unit;
}

// Returns the directions of travel of the cheapest routes if every route by these directions alone
// is a cheapest one. This is so if all ground has one cost and some cheapest route is no longer
// than on a map without obstacles. Otherwise returns 0.
static unsigned directions_of_cheapest(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const int right = search->goal.x - search->start_x, down = search->goal.y - search->start_y;
    const int columns = abs(right), rows = abs(down), sx = right < 0 ? -1 : 1,
              sy = down < 0 ? -1 : 1;
    const int lesser = astar_lesser(columns, rows), greater = astar_greater(columns, rows);
    const uint8_t ground = finder->on.ground[search->goal.cell];
    const uint64_t straight = finder->costs.whole[0][ground],
                   diagonal = finder->costs.whole[1][ground];
    const uint64_t total = search->own.rays->total;
    if (!finder->is_uniform || finder->rule->corners == ASTAR_CORNERS_OTHER)
        return 0;
    const unsigned along_row = 1u << astar_direction(sx, 0),
                   along_column = 1u << astar_direction(0, sy);
    if (!finder->rule->has_diagonals)
        return total == (uint64_t)(columns + rows) * straight ? along_row | along_column : 0;
    const unsigned main = columns > rows ? along_row : along_column;
    if (diagonal == straight && total == (uint64_t)greater * straight)
        return main | astar_rotate(main, 1) | astar_rotate(main, 7);
    if (diagonal <= straight || diagonal >= 2 * straight ||
        total != (uint64_t)(greater - lesser) * straight + (uint64_t)lesser * diagonal)
        return 0;
    return main | 1u << astar_direction(sx, sy);
}

// Returns the number of cells by which routes of a cost, bends excluded, may leave the box of the
// start and the goal.
static int cells_aside(const AstarSearch *search, double cost)
{
    const AstarHeuristic *heuristic = &search->finder->costs.heuristic;
    const int most = search->grid->width + search->grid->height;
    const uint64_t least = astar_least_between(search, search->start_x, search->start_y,
                                               search->goal.x, search->goal.y);
    const double more = cost - (double)(least >> ASTAR_STATE_BITS) * search->core.unit;
    // Each cell away from the box and back costs at least this much.
    const double aside = 2 * (search->finder->rule->has_diagonals ? heuristic->across
                                                                  : heuristic->along);
    return aside > 0 && more < aside * most ? (int)(fmax(more, 0) / aside) + 1 : most;
}

// Returns the box of the start and the goal, made larger on all sides by a number of cells.
static AstarLevelBox box_of_ends(const AstarSearch *search, int wider)
{
    const AstarGrid *grid = search->grid;
    const AstarPoint start = {.x = search->start_x, .y = search->start_y};
    const AstarPoint goal = {.x = search->goal.x, .y = search->goal.y};
    return (AstarLevelBox){
        .left = astar_greater(astar_lesser(start.x, goal.x) - wider, 0),
        .top = astar_greater(astar_lesser(start.y, goal.y) - wider, 0),
        .right = astar_lesser(astar_greater(start.x, goal.x) + wider, grid->width - 1),
        .bottom = astar_lesser(astar_greater(start.y, goal.y) + wider, grid->height - 1),
    };
}

// Starts to count bends in a box (bend_levels.c). Returns ASTAR_MAX_EXPANSIONS if the box is too
// large.
static AstarStatus begin_levels(AstarSearch *search, unsigned directions, AstarLevelBox box)
{
    if (((box.right - box.left) / 64 + 2) * (int64_t)(box.bottom - box.top + 1) > MOST_LEVEL_WORDS)
        return ASTAR_MAX_EXPANSIONS;
    return astar_levels_begin(search, directions, box) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Begins the stage that looks for the best route (priced_bends.c).
static AstarStatus begin_priced(AstarSearch *search, bool has_levels)
{
    struct AstarRays *all = search->own.rays;
    all->stage = STAGE_PRICED;
    return astar_priced_begin(search, all->total, fmin(all->known, search->limit), has_levels);
}

// Begins the search for the best route if bends have a cost. The corners of a cheapest route must
// have been stored.
static AstarStatus begin_estimate(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    const double least = least_price(search);
    all->known = fmin(all->known, price_route(search).cost);
    if (!astar_can_price_bends(search))
        return astar_search_go_over_states(search, all->known);
    if (!(least > 0))
        return begin_priced(search, false);
    const double most = fmin(all->known, search->limit) - least * fewest_at_all(search);
    AstarStatus status = begin_levels(search, all->has_diagonals ? 0xFF : ASTAR_STRAIGHTS,
                                      box_of_ends(search, cells_aside(search, most)));
    if (status == ASTAR_MAX_EXPANSIONS)
        return begin_priced(search, false);
    all->stage = STAGE_ESTIMATE;
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Ends the stage that counts the bends of all routes. If the stored route has as few bends as any
// route, it is the best one.
static AstarStatus end_estimate(AstarSearch *search)
{
    unsigned headings;
    const double bends = astar_levels_at(search, search->goal.x, search->goal.y, &headings);
    const double cost = price_route(search).cost;
    if (cost <= cheapest_cost(search) + bends * least_price(search) + search->core.unit &&
        cost <= search->limit)
        return end_with_corners(search);
    return begin_priced(search, true);
}

// Begins the next stage of a search for the fewest bends, or for the best route if bends have a
// cost, once the corners of a cheapest route are stored.
static AstarStatus improve_route(AstarSearch *search)
{
    return search->finder->options.bend_cost > 0 ? begin_estimate(search) : begin_rays(search);
}

// Ends the stage that counts the bends of routes that never lead away from the goal.
static AstarStatus end_direct(AstarSearch *search)
{
    if (!astar_levels_reached(search, search->goal.x, search->goal.y))
        return improve_route(search);
    AstarStatus status = note_route_of_levels(search);
    if (status != ASTAR_OK)
        return status;
    return search->finder->options.bend_cost > 0 ? begin_estimate(search)
                                                 : end_with_corners(search);
}

// Begins the stage after A*. Returns ASTAR_OK if a route that changes its direction at most once is
// the best one. All other routes have two bends or more.
static AstarStatus end_cells(AstarSearch *search)
{
    struct AstarRays *all = search->own.rays;
    PricedRoute route = {.cost = INFINITY, .bends = UINT32_MAX};
    all->stage = STAGE_DIRECT;
    all->has_diagonals = search->finder->rule->has_diagonals;
    all->total = astar_nodes_at(&search->core.nodes, search->goal.x, search->goal.y) &
                 ~(uint64_t)ASTAR_STATE_MASK;
    if (look_for_corner(search, &route) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    all->known = route.cost;
    if (route.cost <= cheapest_cost(search) + 2 * least_price(search) + search->core.unit &&
        route.cost <= search->limit)
        return end_with_corners(search);
    if (note_cheapest_route(search) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    all->fewest = price_route(search).bends;
    const unsigned directions = directions_of_cheapest(search);
    if (directions == 0)
        return improve_route(search);
    // Routes by three directions may leave the box of the start and the goal, and return.
    const int columns = abs(search->goal.x - search->start_x),
              rows = abs(search->goal.y - search->start_y);
    const bool are_two = (directions & (directions - 1) & ((directions & (directions - 1)) - 1)) ==
                         0;
    AstarStatus status = begin_levels(search, directions,
                                      box_of_ends(search, are_two ? 0 : abs(columns - rows)));
    if (status == ASTAR_MAX_EXPANSIONS)
        return improve_route(search);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Continues the search of priced_bends.c. If its route may cost more than the limit, or if there is
// none, the search is restarted over cells and headings. The restarted search compares exact costs
// with the limit and finds out why there is no route.
static AstarStatus run_priced(AstarSearch *search, uint64_t expansions)
{
    AstarStatus status = astar_priced_run(search, expansions);
    if (status == ASTAR_OK && astar_priced_cost(search) > search->limit * (1 - 0x1p-28))
        status = ASTAR_UNREACHABLE;
    if (status == ASTAR_OK)
        status = note_priced_corners(search);
    if (status != ASTAR_RUNNING && status != ASTAR_NO_MEMORY) {
        astar_priced_rest(search);
        astar_levels_rest(search);
    }
    return status == ASTAR_UNREACHABLE ? astar_search_go_over_states(search, INFINITY) : status;
}

// Continues to draw rays. Returns ASTAR_OK once the route is found. Rays may also show that no
// route has fewer bends than the one whose corners were stored before.
static AstarStatus draw_rays(AstarSearch *search, uint64_t expansions)
{
    struct AstarRays *all = search->own.rays;
    uint64_t cells = 0, most = UINT64_MAX;
    if (expansions < most / CELLS_AN_EXPANSION)
        most = expansions * CELLS_AN_EXPANSION;
    for (;;) {
        const BendRay *ray = all->turning < all->count ? &all->rays[all->turning] : NULL;
        if (ray == NULL || all->fewest <= ray->bends + 2)
            break;
        if (cells >= most)
            return ASTAR_RUNNING;
        if (search->expanded >= search->query.max_expansions)
            return ASTAR_MAX_EXPANSIONS;
        if (turn_off_all(search, ray->bends + 2, most, &cells) != ASTAR_OK)
            return ASTAR_NO_MEMORY;
    }
    return all->ray != NO_RAY ? note_corners(search) : end_with_corners(search);
}

// Continues to count bends. Returns ASTAR_OK if the route is found.
static AstarStatus count_levels(AstarSearch *search, uint64_t *expansions)
{
    const bool is_direct = search->own.rays->stage == STAGE_DIRECT;
    if (astar_levels_run(search, is_direct ? 0 : LEVELS_BEYOND_GOAL, expansions) != ASTAR_OK)
        return ASTAR_RUNNING;
    return is_direct ? end_direct(search) : end_estimate(search);
}

AstarStatus astar_run_rays(AstarSearch *search, uint64_t expansions)
{
    struct AstarRays *all = search->own.rays;
    AstarStatus status = ASTAR_RUNNING;
    if (all->stage == STAGE_CELLS) {
        uint64_t before = search->expanded;
        status = astar_run_best_first(search, expansions);
        if (status != ASTAR_OK || search->goal.cell == search->start)
            return status;
        uint64_t spent = search->expanded - before;
        expansions = expansions > spent ? expansions - spent : 0;
        status = search->core.coarser > 0 ? astar_search_go_over_states(search, INFINITY)
                                          : end_cells(search);
    }
    while (status == ASTAR_RUNNING && expansions > 0 && search->own.by_rays &&
           (all->stage == STAGE_DIRECT || all->stage == STAGE_ESTIMATE))
        status = count_levels(search, &expansions);
    if (status == ASTAR_RUNNING && expansions > 0 && search->own.by_rays)
        status = all->stage == STAGE_PRICED ? run_priced(search, expansions)
                                            : draw_rays(search, expansions);
    // A search that was restarted over cells and headings runs at once, so that a query in one call
    // ends in this call.
    return status == ASTAR_RUNNING && !search->own.by_rays ? astar_run_bends(search, expansions)
                                                           : status;
}

AstarStatus astar_rays_trace(AstarSearch *search, AstarPath *path)
{
    struct AstarRays *all = search->own.rays;
    const AstarCell at = search->stepped.tracing.at;
    if (at.x == search->start_x && at.y == search->start_y)
        return ASTAR_OK;
    size_t *left = &search->stepped.tracing.corners;
    if (*left == 0)
        *left = all->corner_count;
    while (all->corners[*left - 1].x == at.x && all->corners[*left - 1].y == at.y)
        --*left;
    const AstarPoint *to = &all->corners[*left - 1];
    int dx = at.x - to->x, dy = at.y - to->y;
    int steps = astar_greater(abs(dx), abs(dy));
    AstarStatus status = astar_trace_run(search,
                                         astar_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)),
                                         astar_lesser(steps, STEPS_AT_A_TIME), path);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
