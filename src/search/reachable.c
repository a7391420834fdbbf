// reachable.c -- Reachability checks by connected components, before a search starts.
//
// The start of a unit may be a blocked cell, usually because the unit itself is the block. A
// blocked cell belongs to no component, so the unit can reach those components that it can step
// into from its start. Links, including one-way links, lead to further components. Walls are not
// considered, so on a grid with walls the result is uncertain.

#include "search/reachable.h"

#include "base/array.h"
#include "finder/costs.h"
#include "finder/finder.h"
#include "layers/walkable.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "rules/heuristic.h"
#include "search/goal.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

// Work units spent on examining a cell, and on following an arc.
enum { WORK_OF_A_VISIT = 8, WORK_OF_AN_ARC = 32 };

// Adds the component that contains a free cell, if it was not added before.
static void add_component_of(AstarReachable *reach, int x, int y)
{
    uint32_t label = astar_components_label(reach->components, x, y);
    for (int i = 0; i < reach->count; i++)
        if (reach->labels[i] == label)
            return;
    reach->of_label[reach->count] = (AstarCell){x, y};
    reach->labels[reach->count++] = label;
}

// Adds the components that a unit can step into from (x, y).
static void add_near(AstarReachable *reach, int x, int y)
{
    const AstarFinder *finder = reach->finder;
    const AstarBits *bits = &finder->on.walkable->bits;
    if (astar_bits_get(bits, x, y)) {
        add_component_of(reach, x, y);
        return;
    }
    unsigned around = astar_neighbours(finder->grid, x, y, astar_bits_around(bits, x, y));
    unsigned moves = astar_legal_moves(finder->rule, around);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        add_component_of(reach, x + astar_dx[d], y + astar_dy[d]);
    }
    uint32_t cell = astar_cell(finder->grid, x, y);
    moves = astar_wrap_moves(finder, cell, false, UINT32_MAX);
    for (; moves != 0; moves &= moves - 1) {
        uint32_t to = astar_wrap_arc(finder, cell, astar_lowest_bit(moves), false).to;
        astar_cell_xy(finder->grid, to, &x, &y);
        add_component_of(reach, x, y);
    }
}

// Returns the position of a label in the sorted list of the labels of components that links lead
// to.
static uint32_t place_beyond(const AstarReachable *reach, uint32_t label)
{
    return (uint32_t)astar_count_below(reach->beyond, reach->beyond_count, sizeof label, label);
}

static bool has_label(const AstarReachable *reach, uint32_t label)
{
    for (int i = 0; i < reach->count; i++)
        if (reach->labels[i] == label)
            return true;
    uint32_t place = place_beyond(reach, label);
    return place < reach->beyond_count && reach->beyond[place] == label;
}

bool astar_reachable_has(const AstarReachable *reach, int x, int y)
{
    return astar_bits_get(&reach->finder->on.walkable->bits, x, y) &&
           has_label(reach, astar_components_label(reach->components, x, y));
}

// Follows an arc if its start is reachable. Returns true if it leads to a component that was not
// reachable before, and adds this component.
static bool follow_arc_out(AstarReachable *reach, const AstarArc *arc, uint32_t start)
{
    const AstarGrid *grid = reach->finder->grid;
    uint32_t width = (uint32_t)grid->width;
    int x = (int)(arc->to % width), y = (int)(arc->to / width);
    bool from_here = arc->from == start ||
                     astar_reachable_has(reach, (int)(arc->from % width), (int)(arc->from / width));
    if (!from_here || !astar_bits_get(&reach->finder->on.walkable->bits, x, y))
        return false;
    uint32_t label = astar_components_label(reach->components, x, y);
    if (has_label(reach, label))
        return false;
    uint32_t place = place_beyond(reach, label);
    memmove(&reach->beyond[place + 1], &reach->beyond[place],
            (reach->beyond_count - place) * sizeof *reach->beyond);
    reach->beyond[place] = label;
    reach->beyond_count++;
    return true;
}

// Follows all links until they lead to no new component. Each arc adds at most one component. The
// passes over the arcs alternate in direction. Few passes therefore suffice if each link leads on
// from the previous link or from the next one. Returns false if the work budget is used up first.
static bool add_beyond(AstarReachable *reach, uint32_t start, AstarBeyond *beyond, int64_t *work)
{
    const AstarLinksAndWalls *links = reach->finder->grid->links_and_walls;
    uint32_t count = links->arcs.count;
    for (; beyond->passes == 0 || beyond->leads_on; beyond->passes++) {
        for (; beyond->arc < count; beyond->arc++, *work -= WORK_OF_AN_ARC) {
            uint32_t arc = beyond->passes % 2 == 0 ? beyond->arc : count - 1 - beyond->arc;
            if (*work <= 0)
                return false;
            beyond->found |= follow_arc_out(reach, astar_arc_at(&links->arcs, arc), start);
        }
        beyond->leads_on = beyond->found;
        beyond->found = false;
        beyond->arc = 0;
    }
    return true;
}

AstarStatus astar_reachable_from(AstarSearch *search, int x, int y, AstarReachable *reach)
{
    AstarBeyond none = {0};
    int64_t work = ASTAR_ALL_WORK;
    return astar_reachable_advance(search, x, y, &none, reach, &work);
}

AstarStatus astar_reachable_advance(AstarSearch *search, int x, int y, AstarBeyond *beyond,
                                    AstarReachable *reach, int64_t *work)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = search->grid;
    *reach = (AstarReachable){.finder = finder, .certain = !astar_grid_has_walls(grid)};
    AstarStatus status = astar_finder_components(finder, &reach->components);
    if (status != ASTAR_OK)
        return status;
    add_near(reach, x, y);
    if (!astar_grid_has_links(grid))
        return ASTAR_OK;
    if (!ASTAR_RESERVE(&search->allocator, search->known.labels, 0,
                       astar_arcs_room(grid->links_and_walls), &search->known.label_capacity, 0))
        status = ASTAR_NO_MEMORY;
    reach->beyond = search->known.labels;
    reach->beyond_count = beyond->count;
    if (status == ASTAR_OK && !add_beyond(reach, astar_cell(grid, x, y), beyond, work))
        status = ASTAR_RUNNING;
    beyond->count = reach->beyond_count;
    return status;
}

// Rings of cells around a goal, from the inside to the outside.
//
// The position of a unit is the north-west cell of the rectangle that it covers. The positions near
// a goal therefore lie around a point that is half the unit's body to the north-west of the goal.
// This point, the middle of the rings, is one cell or 2 x 2 cells for a square body. For another
// body it is one or two rows or columns, as long as the body is longer than wide. In the first
// rings the unit covers the goal. From then on its distance grows by one with each ring.

// The parameters of a search through rings.
typedef struct Ring {
    AstarReachable *reach;
    int x, y;       // the goal
    AstarBody body; // the columns and rows that the unit covers
    // First column and row of the middle, and its last column and row, relative to the goal.
    int west, north, last;
    int64_t range; // cells farther away are ignored
    AstarRings *found;
} Ring;

// Examines a cell. Stores the cell if it is reachable and at most as far away as the nearest cell
// stored so far.
static void visit(Ring *ring, int x, int y)
{
    const AstarFinder *finder = ring->reach->finder;
    int at_x = x, at_y = y;
    ring->reach->visited++;
    if (!astar_go_round(finder->grid, &at_x, &at_y) ||
        !astar_reachable_has(ring->reach, at_x, at_y))
        return;
    if (!astar_is_one_cell(ring->body)) {
        x = astar_nearest_covered(x, ring->body.width, ring->x);
        y = astar_nearest_covered(y, ring->body.height, ring->y);
    }
    double distance = astar_estimate_between(finder->grid->shape, &finder->costs.distance, x, y,
                                             ring->x, ring->y);
    AstarRings *found = ring->found;
    if (distance > found->nearest ||
        astar_cells_apart(finder->grid->shape, x, y, ring->x, ring->y) > ring->range)
        return;
    if (distance < found->nearest)
        found->count = 0;
    found->nearest = distance;
    if (found->count < ASTAR_MANY_NEAREST)
        found->cells[found->count] = (AstarCell){at_x, at_y};
    found->count += found->count <= ASTAR_MANY_NEAREST;
}

// Visits the cells from 'from' to 'to' of a row or, if 'upright' is true, of a column. Cells
// outside the grid are left out.
static void visit_line(Ring *ring, bool upright, int line, int from, int to)
{
    const AstarGrid *grid = ring->reach->finder->grid;
    unsigned along = upright ? 2 : 1, wraps = grid->shape->wraps;
    int lines = upright ? grid->width : grid->height, end = upright ? grid->height : grid->width;
    if ((line < 0 || line >= lines) && (wraps & ~along) == 0)
        return;
    bool goes_on = (wraps & along) != 0;
    for (int at = from < 0 && !goes_on ? 0 : from; at <= to && (goes_on || at < end); at++)
        visit(ring, upright ? line : at, upright ? at : line);
}

// Visits the cells at distance 'radius' from the middle of the rings.
static void visit_ring(Ring *ring, int radius)
{
    int x0 = ring->x + ring->west - radius, x1 = ring->x + ring->last + radius;
    int y0 = ring->y + ring->north - radius, y1 = ring->y + ring->last + radius;
    if (x0 == x1 || y0 == y1) { // the middle of the rings, which is one line
        visit_line(ring, x0 == x1, x0 == x1 ? x0 : y0, x0 == x1 ? y0 : x0, x0 == x1 ? y1 : x1);
        return;
    }
    visit_line(ring, false, y0, x0, x1);
    visit_line(ring, false, y1, x0, x1);
    visit_line(ring, true, x0, y0 + 1, y1 - 1);
    visit_line(ring, true, x1, y0 + 1, y1 - 1);
}

// Returns the largest radius at which a ring still contains cells of the grid.
static int last_radius(const Ring *ring)
{
    const AstarGrid *grid = ring->reach->finder->grid;
    int x = ring->x, y = ring->y;
    int across = astar_greater(x + ring->west, grid->width - 1 - x - ring->last);
    int down = astar_greater(y + ring->north, grid->height - 1 - y - ring->last);
    return astar_greater(across, down);
}

// The search through squares of components, the nearest square first.
//
// The cells that a unit can reach may lie far from the goal. Rings around the goal would then
// become as wide as the map. But each component lies inside one square of the layer of components,
// and each smaller square stores whether it contains a part of the component. The search for the
// nearest cell therefore descends from that square into smaller squares (branch and bound), and
// leaves out squares that are farther away than the nearest cell so far.

// Returns true if the search may descend into squares. The search must not descend if links lead to
// further components, of which no cell is known, or if the map wraps around. In these cases only
// rings are used.
static bool may_descend(const AstarReachable *reach)
{
    return reach->beyond_count == 0 && reach->finder->grid->shape->wraps == 0;
}

// Returns the least distance to the goal of a unit at any cell of a square, INFINITY if it is out
// of range.
static double least_distance(const Ring *ring, int x, int y, int side)
{
    const AstarFinder *finder = ring->reach->finder;
    // Units in the square cover cells up to these offsets.
    int east = side + ring->body.width - 2, south = side + ring->body.height - 2;
    int dx = ring->x < x ? x - ring->x : astar_greater(ring->x - x - east, 0);
    int dy = ring->y < y ? y - ring->y : astar_greater(ring->y - y - south, 0);
    if (astar_greater(dx, dy) > ring->range)
        return INFINITY;
    // With any shape of cells, a step leads at most one column and one row away.
    return finder->grid->shape->has_corners ? astar_estimate(&finder->costs.distance, dx, dy)
                                            : finder->costs.distance.along * astar_greater(dx, dy);
}

// One of the smaller squares of which a square consists.
typedef struct NearSquare {
    double distance; // least distance of a cell in it to the goal
    int x, y;        // its first cell
} NearSquare;

// Inserts a square into a list of 'count' squares that is sorted by distance, the nearest first.
static void put_square(NearSquare *squares, int count, NearSquare square)
{
    for (; count > 0 && squares[count - 1].distance > square.distance; count--)
        squares[count] = squares[count - 1];
    squares[count] = square;
}

// Visits the cells of a component that lie in a square of a level, if they may be the nearest ones.
static void descend_into(Ring *ring, uint32_t label, int level, int x, int y)
{
    const AstarComponents *components = ring->reach->components;
    const AstarGrid *grid = ring->reach->finder->grid;
    if (level == 0) {
        for (int row = y; row < y + ASTAR_TILE && row < grid->height; row++)
            for (int at = x; at < x + ASTAR_TILE && at < grid->width; at++)
                visit(ring, at, row);
        return;
    }
    int side = 1 << astar_square_shift(level - 1), count = 0;
    NearSquare parts[16];
    for (int i = 0; i < 16; i++) {
        NearSquare part = {.x = x + i % 4 * side, .y = y + i / 4 * side};
        if (!astar_inside(grid, part.x, part.y) ||
            !astar_components_square_has(components, level - 1, part.x, part.y, label))
            continue;
        part.distance = least_distance(ring, part.x, part.y, side);
        put_square(parts, count++, part);
    }
    ring->reach->visited += 16;
    for (int i = 0;
         i < count && parts[i].distance <= ring->found->nearest && parts[i].distance < INFINITY;
         i++)
        descend_into(ring, label, level - 1, parts[i].x, parts[i].y);
}

// Visits all reachable cells that may be the nearest ones.
static void descend(Ring *ring)
{
    AstarReachable *reach = ring->reach;
    ring->found->count = 0; // the cells found in rings will be found again
    for (int i = 0; i < reach->count; i++) {
        AstarCell cell = reach->of_label[i];
        int level = astar_components_level(reach->components, cell.x, cell.y);
        int shift = astar_square_shift(level);
        descend_into(ring, reach->labels[i], level, cell.x >> shift << shift,
                     cell.y >> shift << shift);
    }
}

bool astar_reachable_look(AstarReachable *reach, int x, int y, AstarBody body, int range,
                          AstarRings *rings, int64_t *work)
{
    enum { RINGS = 12 }; // number of rings that take less time than a descent into squares
    // The last ring in which the unit covers the goal.
    const int over = (astar_lesser(body.width, body.height) - 1) / 2;
    Ring ring = {.reach = reach,
                 .x = x,
                 .y = y,
                 .body = body,
                 .west = over + 1 - body.width,
                 .north = over + 1 - body.height,
                 .last = -over,
                 .range = range >= 0 ? range : INT64_MAX,
                 .found = rings};
    int last = last_radius(&ring);
    for (; rings->radius <= last; rings->radius++) {
        // The least distance to the goal, in steps, of a unit in this ring.
        int least = rings->radius - over;
        if (range >= 0 ? least > range || isfinite(rings->nearest)
                       : reach->finder->costs.distance.along * least > rings->nearest)
            return true;
        if (*work < 1)
            return false;
        uint64_t before = reach->visited;
        if (rings->radius == RINGS && may_descend(reach)) {
            descend(&ring);
            rings->radius = last;
        } else {
            visit_ring(&ring, rings->radius);
        }
        *work -= (int64_t)(reach->visited - before) * WORK_OF_A_VISIT;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Clearance, and units that start on their own blocks.
//
// The clearance of a cell is the side of the largest free square of which it is the north-west
// corner. The clearance is found row by row, words of bits at a time: n rows contain a square of
// side n if each of them has at least n free cells in a row from the cell's column on.
//
// If a game marks a unit as blocks on the map, these blocks would bar the unit itself, because
// after a step it still covers cells of its start. A query for such a unit therefore uses a copy of
// the finder whose bitmap lacks these blocks, see walkable.c. A unit of one cell leaves its block
// behind, so it rarely needs a copy of the finder. A copy is needed if a route that cuts a corner
// of the start, or enters the start again, may be better than any other route. This is possible in
// two cases: a step_cost callback bars a step out of the start; or the unit passes the start again,
// also over a link, with a heading that saves a bend.
// ------------------------------------------------------------------------------------------------

AstarStatus astar_clearance(AstarFinder *finder, int x, int y, int *size)
{
    if (!astar_inside(finder->grid, x, y))
        return ASTAR_BAD_CELL;
    if (astar_finder_goes_by_sides(finder) || finder->grid->shape->wraps != 0)
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    const AstarGrid *grid = finder->grid;
    const AstarWalkable *walkable = finder->on.walkable;
    const AstarBits *bits = &(walkable->base != NULL ? walkable->base : walkable)->bits;
    int last = grid->width - 1, side = 0;
    for (int row = y; row < grid->height && x + side <= last; row++, side++) {
        last = astar_stretch_east(astar_bits_row(bits, row), x, last);
        if (x + side > last)
            break;
    }
    *size = side;
    return ASTAR_OK;
}

bool astar_terrain_allows(const AstarFinder *finder, int x, int y)
{
    const AstarGrid *grid = finder->grid;
    const AstarBody body = astar_finder_body(finder);
    if (body.width > grid->width - x || body.height > grid->height - y)
        return false;
    for (int row = y; row < y + body.height; row++)
        for (int column = x; column < x + body.width; column++)
            if (isinf(finder->costs.cell[grid->ground[astar_cell(grid, column, row)]]))
                return false;
    return true;
}

// Returns true if a best route may cut a corner of its start, or lead back to the start over a
// link.
static bool may_come_by(const AstarFinder *finder)
{
    return finder->rule->has_diagonals || astar_grid_has_links(finder->grid);
}

bool astar_covers_block(const AstarFinder *finder, int x, int y, bool bends)
{
    const AstarGrid *grid = finder->grid;
    const AstarBody body = astar_finder_body(finder);
    if (astar_is_one_cell(body) && finder->options.step_cost == NULL &&
        !(bends && may_come_by(finder)))
        return false; // a step out of the start is at least as good as any step past it
    const uint64_t ignored = finder->options.ignore;
    return astar_blocks_first(grid, ignored) != NULL && astar_terrain_allows(finder, x, y) &&
           astar_blocks_any(grid, ignored, x, y, body.width, body.height);
}

static void change_finder(AstarSearch *search, AstarFinder *finder)
{
    AstarFinder *before = search->finder;
    search->finder = search->costs.finder = finder;
    astar_finder_release(before);
}

void astar_stop_ignoring_own_blocks(AstarSearch *search)
{
    AstarFinder *plain = search->finder->original;
    if (plain == NULL)
        return;
    astar_finder_retain(plain);
    change_finder(search, plain);
}

AstarStatus astar_ignore_own_blocks(AstarSearch *search, int x, int y, bool bends)
{
    const AstarFinder *finder = search->finder;
    search->costs.own_start = (AstarCell){x, y};
    if (finder->original != NULL && finder->on.walkable->x == x && finder->on.walkable->y == y)
        return ASTAR_OK;
    astar_stop_ignoring_own_blocks(search);
    if (!astar_covers_block(search->finder, x, y, bends))
        return ASTAR_OK;
    AstarFinder *copy = NULL;
    AstarStatus status = astar_finder_lift(search->finder, x, y, &copy);
    if (status != ASTAR_OK)
        return status;
    copy->returns_bits = true;
    change_finder(search, copy);
    return ASTAR_OK;
}
