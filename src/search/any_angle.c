// any_angle.c -- finds the shortest route at any angle.
//
// The route by steps is found first, as for any query: it shows whether there is a route, and where
// it ends. Smoothed (smooth.c), it is an any-angle route already. If sight is plain, a search then
// looks for the shortest route of all. The length of the known route is an upper bound.
//
// Smoothing first makes that bound smaller. The bound limits the search to an ellipse (see below).
// If the route is much longer than the straight line, the ellipse is nearly a circle, and a bound
// that is a few percent smaller hardly makes the ellipse smaller. Such a route is only smoothed if
// the search finds no shorter one.
//
// For the unit's body every blocked cell is an open square or diamond around its centre (see
// search/sight.h). The shortest path of a point among these obstacles turns only at their corners,
// which are centres of cells. A route is taut if at each turn an obstacle lies within the turn.
// Every shortest route is taut, so the search is A* over corners. A node is a corner with the cone
// of directions in which a taut route can go on. The successors of a node are the corners visible
// within its cone at which a taut route can turn. The estimate is the straight distance. The search
// ends when it takes a node that sees the goal off the open list: the shortest route leads over
// this node.
//
// The corners that a node sees are found by sweeping its cone over the rows of the bitmap, as Anya
// does (Harabor, Grastien, Oz and Aksakalli, JAIR 2016). A cone is bounded by two rays through
// centres of cells. Blocked cells in a row cut it into narrower cones, bounded by the corners of
// those cells. Anya puts each interval of a row on its open list. This file sweeps the whole cone
// of a node when the node is expanded, but only within an ellipse. A route that leaves the ellipse
// is no shorter than the known one. The sweep needs no open list for the rows. The sweep visits no
// more rows than an A* over intervals, which would reach nearly all of them before it ends. RayScan
// (Hechenberger and others, ICAPS 2020) takes only corners of the obstacle that blocks the straight
// line to the goal. RayScan was considered, but it prunes few of the corners that a sweep finds.
//
// All numbers except lengths are whole numbers, so rounding cannot hide a gap between two corners
// that lie on one ray.
//
// The work can stop between any two rows and continue later, so a search in steps finds the same
// route.

#include "search/any_angle.h"

#include "openlist/heap.h"
#include "search/bends.h"
#include "search/path.h"
#include "search/reachable.h"
#include "search/run.h"
#include "search/sight.h"
#include "search/smooth.h"
#include "search/trace.h"

#include <math.h>

// A direction into the northern or southern half of the plane: 'dx' columns to the east and 'rows'
// rows away from the corner. A direction with 0 rows points along the row, east or west.
typedef struct Ray {
    int32_t dx, rows;
} Ray;

static const Ray west = {-1, 0}, east = {1, 0}, ahead = {0, 1};

// A node: a corner, and the cone of directions in which a taut route can continue from there.
typedef struct Corner {
    double g;
    int32_t x, y;
    uint32_t parent; // number of the node that the route comes from
    uint32_t before; // another node of this corner; NO_CORNER: none
    Ray left, right; // bounds of the cone, seen with its rows ahead and east to the right
    int8_t half; // 1: the cone's rows lie to the south; -1: to the north; 0: the start, all around
    // The part of the corner's row that belongs to the cone. 1: the part to the east of the corner;
    // -1: the part to the west; 0: neither part.
    int8_t flat;
} Corner;

#define NO_CORNER UINT32_MAX

// One of the two bounds of a cone, at one row of cell centres. The bound lies 'at' columns to the
// east of the corner, plus the fraction rest / ray.rows of a column. If a wall bounds the cone,
// 'at' is the wall's column, and the ray to the last cell of the wall differs from row to row.
typedef struct Edge {
    Ray ray;                 // for a wall any ray of one row
    int32_t each, rest_each; // added per row; 0 for a wall
    int32_t at, rest;
    bool is_wall;
} Edge;

// The part of a cone that begins at the row 'row' and is still to be swept.
typedef struct Cone {
    Edge left, right;
    int32_t row; // counted from the corner; the bounds are those at this row
    int8_t half;
} Cone;

// The part of one half of the plane through which a route over a corner can pass and still be short
// enough: an ellipse whose foci are the corner and the goal.
typedef struct ReachEllipse {
    double along, start, each, rest, inverse; // coefficients used by ellipse_at
    double west, east;                        // the ellipse's extent in columns
    double west_row, east_row;                // the rows at which that extent is reached
    double last_row;
} ReachEllipse;

// The phase that the search runs next. If memory cannot be allocated, the phase runs again from its
// beginning.
typedef enum AnglePhase {
    TO_TRACE,  // read the route by steps
    TO_SMOOTH, // start to smooth this route, before or after the search for a shorter one
    SMOOTHING,
    TO_LOOK, // start to search for a shorter route
    LOOKING,
    TO_GATHER, // build the route found
    READY
} AnglePhase;

typedef struct AstarAngles {
    AnglePhase phase;
    AstarPath route; // the best route so far
    AstarPath other; // a route being built, or the route by steps while it is smoothed
    AstarSmoothing smoothing;
    Corner *corners; // the first is the start
    size_t count, capacity;
    AstarMove move; // progress of moving the corners to a larger array
    AstarJumpNodes
        places;     // for each cell the number of its newest corner, stored as a node's parent
    AstarHeap open; // numbers of corners, ordered by f
    Cone *cones;    // parts of the cone being swept that are still to be swept
    size_t cone_count, cone_capacity;
    uint32_t expanding;    // the corner being expanded
    ReachEllipse reach[2]; // the ellipses around it, to the north and to the south
    AstarStatus fault;     // an error during its expansion
    AstarPoint goal;
    uint64_t expanded; // expansions of the search by steps
    double bound;      // only routes shorter than this are searched for
    bool is_smoothed;  // true after SMOOTHING
    bool is_searched;  // true after the search for a shorter route
} AstarAngles;

enum {
    CORNERS_AHEAD = 256,  // room for corners; with less room left, the array grows in steps
    MOVED_AT_ONCE = 1024, // corners that a call of make_room moves
    SWEPT_AT_ONCE = 8,    // rows without obstacles that a sweep passes in one step
    TRIED_AFTER = 4       // most rows after which a sweep tries this again
};

// Tolerance for rounding of lengths, in cells.
static const double SLACK = 1e-6;
// Two lengths are treated as equal if they differ by less than this fraction of their value.
static const double SAME = 1e-9;
// A route by steps is smoothed first unless it is longer than the straight line by this factor.
static const double MOST_DETOUR = 2;

// Memory.

static AstarStatus need_angles(AstarSearch *search)
{
    if (search->lines.angles != NULL)
        return ASTAR_OK;
    search->lines.angles = astar_alloc(&search->allocator, 1, sizeof *search->lines.angles);
    if (search->lines.angles == NULL)
        return ASTAR_NO_MEMORY;
    astar_path_init(&search->lines.angles->route);
    astar_path_init(&search->lines.angles->other);
    return ASTAR_OK;
}

void astar_any_angle_reset(AstarSearch *search)
{
    if (search->lines.angles != NULL)
        search->lines.angles->phase = TO_TRACE;
}

void astar_any_angle_free(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    if (angles == NULL)
        return;
    astar_path_destroy(&angles->route);
    astar_path_destroy(&angles->other);
    astar_array_drop_move(&search->allocator, sizeof *angles->corners, &angles->move);
    astar_release(&search->allocator, angles->corners, angles->capacity, sizeof *angles->corners);
    astar_jump_nodes_free(&angles->places, &search->allocator);
    astar_release(&search->allocator, angles->cones, angles->cone_capacity, sizeof *angles->cones);
    astar_heap_free(&angles->open, &search->allocator);
    astar_release(&search->allocator, angles, 1, sizeof *angles);
    search->lines.angles = NULL;
}

size_t astar_any_angle_bytes(const AstarSearch *search)
{
    const AstarAngles *angles = search->lines.angles;
    if (angles == NULL)
        return 0;
    return sizeof *angles + angles->open.capacity * sizeof *angles->open.items +
           astar_path_bytes(&angles->route) + astar_path_bytes(&angles->other) +
           (angles->capacity + angles->move.capacity) * sizeof *angles->corners +
           astar_jump_nodes_bytes(&angles->places) + angles->cone_capacity * sizeof *angles->cones;
}

// Grows the array of corners, and the hash table that finds a corner by its cell, by a limited
// amount per call. There is then room for more corners than an expansion usually adds. Returns
// false if there is no memory. Moving many thousand corners in one call would take milliseconds.
static bool make_room(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    if (angles->places.count >= angles->places.crowd || angles->places.growth.numbered > 0)
        return astar_jump_nodes_make_room(&angles->places, &search->allocator);
    Corner *corners = astar_array_move(&search->allocator, angles->corners, angles->count,
                                       sizeof *corners, &angles->capacity, 2 * angles->capacity,
                                       &angles->move, MOVED_AT_ONCE);
    angles->corners = corners != NULL ? corners : angles->corners;
    return corners != NULL;
}

static bool lacks_room(const AstarAngles *angles)
{
    return angles->capacity - angles->count < CORNERS_AHEAD ||
           angles->places.count >= angles->places.crowd || angles->places.growth.numbered > 0;
}

// The ellipse.

// Returns the ellipse of all points over which a route from a corner to the goal is at most
// 'length' long. The goal lies 'columns' columns to the east of the corner and 'rows' rows ahead.
static ReachEllipse ellipse_about(double columns, double rows, double length)
{
    ReachEllipse reach;
    double apart = sqrt(columns * columns + rows * rows);
    double across = (length - apart) * (length + apart) / 4; // the square of half the minor axis
    across = across > 0 ? across : 0;
    double turn_x = apart > 0 ? columns / apart : 1, turn_y = apart > 0 ? rows / apart : 0;
    double most = length * length / 4 - across; // the difference of the squares of the half axes
    double half_x = sqrt(across + most * turn_x * turn_x);
    double half_y = sqrt(across + most * turn_y * turn_y);
    double tilt = half_x > 0 ? most * turn_x * turn_y / half_x : 0;
    reach.along = columns / length;
    reach.start = 2 * across / length;
    reach.each = rows / length;
    reach.rest = (length - columns) * (length + columns) / (length * length);
    reach.inverse = 1 / reach.rest;
    reach.west = columns / 2 - half_x;
    reach.east = columns / 2 + half_x;
    reach.west_row = rows / 2 - tilt;
    reach.east_row = rows / 2 + tilt;
    reach.last_row = rows / 2 + half_y;
    return reach;
}

// Stores where a row enters and leaves the ellipse, in columns from the corner. A point p is inside
// if |p| + |p - goal| <= length. Squaring this inequality once gives |p| <= start + (p * goal) /
// length.
static void ellipse_at(const ReachEllipse *reach, double row, double *low, double *high)
{
    double across = reach->start + row * reach->each;
    double root = across * across - reach->rest * row * row;
    root = root > 0 ? sqrt(root) : 0;
    *low = (reach->along * across - root) * reach->inverse;
    *high = (reach->along * across + root) * reach->inverse;
}

// Stores the first and the last column of a range that contains every point of the ellipse in the
// rows 'first' to 'last'.
static void ellipse_between(const ReachEllipse *reach, int32_t first, int32_t last, int64_t *low,
                            int64_t *high)
{
    double end = last < reach->last_row ? last : reach->last_row;
    double low0, high0, low1, high1;
    ellipse_at(reach, first, &low0, &high0);
    ellipse_at(reach, end, &low1, &high1);
    low0 = low0 < low1 ? low0 : low1;
    high0 = high0 > high1 ? high0 : high1;
    if (reach->west_row > first && reach->west_row < end)
        low0 = reach->west;
    if (reach->east_row > first && reach->east_row < end)
        high0 = reach->east;
    // Rounding extends each side of the range by at most two columns.
    *low = (int64_t)(low0 - SLACK) - 1;
    *high = (int64_t)(high0 + SLACK) + 1;
}

// Rays.

// Returns a number above 0 if a ray lies to the right of the ray 'other', 0 if both have the same
// direction, and a number below 0 if the ray lies to the left.
ASTAR_SPECIALIZE int64_t beyond_ray(Ray ray, Ray other)
{
    return (int64_t)ray.dx * other.rows - (int64_t)ray.rows * other.dx;
}

// Returns the bound of a cone along a ray that passes through a cell's centre. The bound is
// computed at the row of that centre.
ASTAR_SPECIALIZE Edge edge_at_middle(Ray ray)
{
    Edge edge = {.ray = ray, .each = ray.dx / ray.rows, .rest_each = ray.dx % ray.rows};
    if (edge.rest_each < 0) {
        edge.rest_each += ray.rows;
        edge.each--;
    }
    edge.at = ray.dx;
    return edge;
}

// Returns the bound of a cone along a ray, computed at the first row beside the corner's row.
static Edge edge_in_first_row(Ray ray)
{
    Edge edge = edge_at_middle(ray);
    edge.at = edge.each;
    edge.rest = edge.rest_each;
    return edge;
}

// Returns the bound of a cone that a wall forms, 'at' columns to the east of the corner.
ASTAR_SPECIALIZE Edge edge_of_wall(int32_t at)
{
    return (Edge){.ray = {0, 1}, .at = at, .is_wall = true};
}

// The position of a cone's bound in a row: 'at' columns to the east of the corner, plus a remainder
// over the rows of the bound's ray.
typedef struct Place {
    int32_t at, rest;
} Place;

// Returns the position of a bound at the row after the row where its position is 'place'.
ASTAR_SPECIALIZE Place place_after_place(const Edge *edge, Place place)
{
    int32_t rest = place.rest + edge->rest_each - edge->ray.rows;
    return rest >= 0 ? (Place){place.at + edge->each + 1, rest}
                     : (Place){place.at + edge->each, rest + edge->ray.rows};
}

// Returns the position of a bound at the next row.
ASTAR_SPECIALIZE Place place_after(const Edge *edge)
{
    return place_after_place(edge, (Place){edge->at, edge->rest});
}

ASTAR_SPECIALIZE void next_row(Edge *edge)
{
    Place place = place_after(edge);
    edge->at = place.at;
    edge->rest = place.rest;
}

// Returns the ray from the corner to the point where a bound crosses the row 'row'.
ASTAR_SPECIALIZE Ray ray_of(const Edge *edge, int32_t row)
{
    return edge->is_wall ? (Ray){edge->at, row} : edge->ray;
}

// Corners.

// Returns the length of a route that leads to the corner 'number' and from there in a straight line
// to (x, y).
static double length_over(const AstarAngles *angles, uint32_t number, int x, int y)
{
    const Corner *corner = &angles->corners[number];
    return corner->g + astar_distance(corner->x, corner->y, x, y);
}

static double estimate(const AstarAngles *angles, int x, int y)
{
    return astar_distance(x, y, angles->goal.x, angles->goal.y);
}

static bool same_cone(const Corner *a, const Corner *b)
{
    return a->half == b->half && a->flat == b->flat && beyond_ray(a->left, b->left) == 0 &&
           beyond_ray(a->right, b->right) == 0;
}

// Returns true if the search already has a node for the same corner with a shorter route, or with a
// route of the same length and the same cone. 'number' is the newest node of that corner.
static bool is_reached_better(const AstarAngles *angles, const Corner *corner, uint32_t number)
{
    for (; number != NO_CORNER; number = angles->corners[number].before) {
        const Corner *other = &angles->corners[number];
        if (corner->g > other->g * (1 + SAME))
            return true;
        if (corner->g >= other->g * (1 - SAME) && same_cone(corner, other))
            return true;
    }
    return false;
}

// Adds a node for a corner, unless routes over it are too long or the node is useless.
static AstarStatus add_corner(AstarSearch *search, Corner corner)
{
    AstarAngles *angles = search->lines.angles;
    const AstarAllocator *allocator = &search->allocator;
    double f = corner.g + estimate(angles, corner.x, corner.y);
    if (f >= angles->bound)
        return ASTAR_OK;
    uint32_t cell = astar_cell(search->grid, corner.x, corner.y);
    uint32_t *slot = astar_jump_slot(&angles->places, cell, corner.x, corner.y);
    AstarJumpNode *place = astar_jump_named(&angles->places, slot);
    corner.before = place != NULL ? place->parent : NO_CORNER;
    if (place != NULL && is_reached_better(angles, &corner, corner.before))
        return ASTAR_OK;
    if (angles->count >= NO_CORNER ||
        !ASTAR_RESERVE(allocator, angles->corners, angles->count, 1, &angles->capacity,
                       2 * CORNERS_AHEAD) ||
        !astar_heap_reserve(&angles->open, allocator, 1))
        return ASTAR_NO_MEMORY;
    if (place == NULL)
        place = astar_jump_nodes_add(&angles->places, allocator, slot, cell);
    if (place == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t number = (uint32_t)angles->count++;
    angles->corners[number] = corner;
    place->parent = number;
    astar_heap_push(&angles->open, astar_open(f, corner.g, number));
    return ASTAR_OK;
}

// Records that a route from the corner being expanded may turn at the visible cell (x, y) and go on
// in the cone between two rays.
static void note_turn(AstarSearch *search, int x, int y, int half, int flat, Ray left, Ray right)
{
    AstarAngles *angles = search->lines.angles;
    Corner corner = {.g = length_over(angles, angles->expanding, x, y),
                     .x = x,
                     .y = y,
                     .parent = angles->expanding,
                     .left = left,
                     .right = right,
                     .half = (int8_t)half,
                     .flat = (int8_t)flat};
    AstarStatus status = add_corner(search, corner);
    if (status != ASTAR_OK)
        angles->fault = status;
}

// Records that a route may turn to one side at the cell (x, y) and go on in the cone between the
// rays 'from' and 'to'. The ray 'to' is nearer to that side.
static void note_turn_to(AstarSearch *search, int x, int y, int half, int side, int flat, Ray to,
                         Ray from)
{
    if (side > 0)
        note_turn(search, x, y, half, flat, from, to);
    else
        note_turn(search, x, y, half, flat, to, from);
}

// Rows.

ASTAR_SPECIALIZE bool is_free(const uint64_t *row, int x)
{
    size_t bit = (size_t)(x + 1);
    return (row[bit >> 6] >> (bit & 63) & 1) != 0;
}

// Returns the first column from 'x' to 'last' in which the cells of both rows are free, or last + 1
// if there is none. The two rows may be the same row.
static int first_free(const uint64_t *row, const uint64_t *other, int x, int last)
{
    size_t bit = (size_t)(x + 1), end = (size_t)(last + 1) >> 6, word = bit >> 6;
    uint64_t free = row[word] & other[word] & UINT64_MAX << (bit & 63);
    while (free == 0 && word < end)
        word++, free = row[word] & other[word];
    int found = free != 0 ? (int)(word * 64) + astar_lowest_bit(free) - 1 : last + 1;
    return found <= last ? found : last + 1;
}

// Returns the last column of the stretch that begins at column 'x' and is free in both rows, or
// 'last' if the stretch is longer. The cells at 'x' must be free.
static int end_of_free(const uint64_t *row, const uint64_t *other, int x, int last)
{
    size_t bit = (size_t)(x + 1), end = (size_t)(last + 1) >> 6, word = bit >> 6;
    uint64_t blocked = ~(row[word] & other[word]) & UINT64_MAX << (bit & 63);
    while (blocked == 0 && word < end)
        word++, blocked = ~(row[word] & other[word]);
    int found = blocked != 0 ? (int)(word * 64) + astar_lowest_bit(blocked) - 2 : last;
    return found <= last ? found : last;
}

// Returns the first column of the stretch that ends at column 'x' and is free in both rows, or
// 'first' if the stretch is longer. The cells at 'x' must be free.
static int start_of_free(const uint64_t *row, const uint64_t *other, int x, int first)
{
    size_t bit = (size_t)(x + 1), end = (size_t)(first + 1) >> 6, word = bit >> 6;
    uint64_t blocked = ~(row[word] & other[word]) & UINT64_MAX >> (63 - (bit & 63));
    while (blocked == 0 && word > end)
        word--, blocked = ~(row[word] & other[word]);
    int found = blocked != 0 ? (int)(word * 64) + astar_highest_bit(blocked) : first;
    return found >= first ? found : first;
}

// Turns.

// Three neighbouring rows of the bitmap: the row that the rays have reached, the row behind it and
// the row beyond it.
typedef struct Rows {
    const uint64_t *behind, *here, *beyond;
} Rows;

// Records the turn that a ray can make at a cell whose centre it crosses, past a square obstacle on
// one side. If the ray leans away from that side, the obstacle is the blocked cell diagonally
// ahead, otherwise the blocked cell diagonally behind.
static void turn_at_square(AstarSearch *search, Rows rows, int x, int y, int half, int side,
                           Ray ray)
{
    bool leans_away = side > 0 ? ray.dx < 0 : ray.dx > 0;
    if (leans_away) {
        if (is_free(rows.beyond, x) && !is_free(rows.beyond, x + side))
            note_turn_to(search, x, y, half, side, 0, ahead, ray);
    } else if (is_free(rows.here, x + side) && !is_free(rows.behind, x + side)) {
        note_turn_to(search, x, y, half, side, side, side > 0 ? east : west, ray);
    }
}

// Records the turn that a ray can make at a cell whose centre it crosses, past a diamond-shaped
// obstacle on one side. The obstacle, whose corner is at the cell, may lie behind, beside or ahead
// of the cell. If there are several obstacles, the function uses the one that a turning ray would
// meet last.
static void turn_at_diamond(AstarSearch *search, Rows rows, int x, int y, int half, int side,
                            Ray ray)
{
    const AstarCorners rule = search->finder->rule->corners;
    const int64_t dx = (int64_t)ray.dx * side;
    const bool any = rule == ASTAR_CORNERS_ANY, beside = is_free(rows.here, x + side);
    const bool past = is_free(rows.beyond, x + side), straight = is_free(rows.beyond, x);
    Ray diagonally = {side, 1};
    if (dx >= ray.rows && !is_free(rows.behind, x)) {
        Ray flat = side > 0 ? east : west;
        if (beside)
            note_turn_to(search, x, y, half, side, side, flat, ray);
        if (is_free(rows.behind, x + side) &&
            (beside || any)) // along the row, and back behind the diamond
            note_turn_to(search, x, y, -half, -side, 0, diagonally, flat);
    } else if (dx < ray.rows && !beside) {
        bool diagonals = past && (straight || any);
        if (dx < 0 ? straight || diagonals : diagonals)
            note_turn_to(search, x, y, half, side, 0, diagonally, ray);
    } else if (dx < -ray.rows && !straight) {
        Ray away = {-side, 1};
        if (is_free(rows.beyond, x - side) && (is_free(rows.here, x - side) || any))
            note_turn_to(search, x, y, half, side, 0, away, ray);
    }
}

ASTAR_SPECIALIZE void turn_at(AstarSearch *search, bool cuts, Rows rows, int x, int y, int half,
                              int side, Ray ray)
{
    if (cuts)
        turn_at_diamond(search, rows, x, y, half, side, ray);
    else
        turn_at_square(search, rows, x, y, half, side, ray);
}

// Walks east or west along a row from column 'x' to column 'last'. Returns the first column at
// which an obstacle in the neighbouring row 'beside' has a corner, or the column after 'last' if
// there is none. For squares a corner is where that row becomes free; for diamonds, where it is
// about to become free.
static int next_beside(const uint64_t *beside, bool cuts, int side, int x, int last)
{
    const int low = side > 0 ? x : last, high = side > 0 ? last : x;
    const int none = last + side;
    if (low > high)
        return none;
    size_t first = (size_t)(low + 1), end = (size_t)(high + 1);
    size_t from = (side > 0 ? first : end) >> 6, to = (side > 0 ? end : first) >> 6;
    for (size_t word = from;; word = side > 0 ? word + 1 : word - 1) {
        uint64_t free = beside[word];
        // Bitmaps with a bit for each cell of a word: whether the cell to its west, or to its east,
        // is free. Border cells are never free.
        uint64_t west_of = free << 1 | (word > 0 ? beside[word - 1] >> 63 : 0);
        uint64_t east_of = free >> 1 | ((high + 2) >> 6 > (int)word ? beside[word + 1] << 63 : 0);
        uint64_t before = side > 0 ? west_of : east_of, after = side > 0 ? east_of : west_of;
        uint64_t found = (cuts ? ~free & after : free & ~before) &
                         astar_bits_mask(word, first, end);
        if (found != 0)
            return (int)(word * 64) +
                   (side > 0 ? astar_lowest_bit(found) : astar_highest_bit(found)) - 1;
        if (word == to)
            return none;
    }
}

// Walks east or west along the row of a corner and records the cells at which a route may turn to
// the north or to the south.
static void look_along_row(AstarSearch *search, const Corner *corner, int side)
{
    AstarAngles *angles = search->lines.angles;
    const AstarBits *bits = &search->finder->on.walkable->bits;
    const bool cuts = astar_body_cuts_corners(search->finder->rule);
    const bool any = search->finder->rule->corners == ASTAR_CORNERS_ANY;
    const uint64_t *row = astar_bits_row(bits, corner->y);
    const Ray flat = side > 0 ? east : west;
    int64_t low, high;
    ellipse_between(&angles->reach[corner->half > 0], 0, 0, &low, &high);
    int x = corner->x, next = x + side, last;
    if (!is_free(row, next))
        return;
    if (side > 0)
        last = end_of_free(
            row, row, next,
            (int)(high < search->grid->width - 1 - x ? x + high : search->grid->width - 1));
    else
        last = start_of_free(row, row, next, (int)(low > -x ? x + low : 0));
    for (int half = -1; half <= 1; half += 2) {
        const uint64_t *beside = row + half * (ptrdiff_t)bits->stride;
        for (x = next_beside(beside, cuts, side, next, last); side > 0 ? x <= last : x >= last;
             x = next_beside(beside, cuts, side, x + side, last)) {
            if (!cuts)
                note_turn_to(search, x, corner->y, half, -side, 0, ahead, flat);
            else if (any || is_free(row, x + side))
                note_turn_to(search, x, corner->y, half, -side, 0, (Ray){side, 1}, flat);
        }
    }
}

// Sweeping.

static bool push_cone(AstarSearch *search, const Cone *cone)
{
    AstarAngles *angles = search->lines.angles;
    if (!ASTAR_RESERVE(&search->allocator, angles->cones, angles->cone_count, 1,
                       &angles->cone_capacity, 16)) {
        angles->fault = ASTAR_NO_MEMORY;
        return false;
    }
    angles->cones[angles->cone_count++] = *cone;
    return true;
}

static int clip(int64_t x, const AstarGrid *grid)
{
    return x < -1 ? -1 : x > grid->width ? grid->width : (int)x;
}

// The state of a sweep: the pass over a cone, row by row, that finds the corners visible in it.
typedef struct Sweep {
    AstarSearch *search;
    int32_t x, y; // the corner
    Cone cone;
    Rows rows;
    Place left, right;   // places of the bounds at the next row
    int32_t first, last; // columns, from the corner, to examine in both rows of a band
    int32_t low, high;   // the ends within the ellipse and the map, valid before row 'known_to'
    int32_t known_to;
} Sweep;

static void take_up_cone(AstarSearch *search, Sweep *sweep)
{
    AstarAngles *angles = search->lines.angles;
    const AstarBits *bits = &search->finder->on.walkable->bits;
    const Corner *corner = &angles->corners[angles->expanding];
    sweep->search = search;
    sweep->cone = angles->cones[--angles->cone_count];
    sweep->x = corner->x;
    sweep->y = corner->y;
    const ptrdiff_t stride = sweep->cone.half * (ptrdiff_t)bits->stride;
    sweep->rows.here = astar_bits_row(bits, corner->y) + sweep->cone.row * stride;
    sweep->rows.behind = sweep->rows.here - stride;
    sweep->rows.beyond = sweep->rows.here + stride;
    sweep->known_to = -1;
    sweep->first = sweep->last = 0;
}

// Computes the first and the last column within the ellipse and the map, for the next few rows
// together.
static void look_at_reach(Sweep *sweep)
{
    const ReachEllipse *reach = &sweep->search->lines.angles->reach[sweep->cone.half > 0];
    const AstarGrid *grid = sweep->search->grid;
    int64_t low, high;
    int32_t rows = reach->last_row < 8 * SWEPT_AT_ONCE ? SWEPT_AT_ONCE : 4 * SWEPT_AT_ONCE;
    rows = reach->last_row < 32 * SWEPT_AT_ONCE ? rows : 8 * SWEPT_AT_ONCE;
    sweep->known_to = sweep->cone.row + rows;
    ellipse_between(reach, sweep->cone.row, sweep->known_to, &low, &high);
    sweep->low = clip(sweep->x + low, grid) - sweep->x;
    sweep->high = clip(sweep->x + high, grid) - sweep->x;
}

// Computes where the bounds of the cone cross the next row, and the range of columns to examine in
// the row reached and the next row. The range lies within the ellipse. Returns false if the range
// is empty.
ASTAR_SPECIALIZE bool enter_band(Sweep *sweep)
{
    const Edge *left = &sweep->cone.left, *right = &sweep->cone.right;
    sweep->left = place_after(left);
    sweep->right = place_after(right);
    int32_t at = right->at + (right->rest > 0), next = sweep->right.at + (sweep->right.rest > 0);
    sweep->first = left->at < sweep->left.at ? left->at : sweep->left.at;
    sweep->last = at > next ? at : next;
    sweep->first = sweep->first > sweep->low ? sweep->first : sweep->low;
    sweep->last = sweep->last < sweep->high ? sweep->last : sweep->high;
    return sweep->first <= sweep->last;
}

// Returns true if the bounds of the cone cross before the next row: the ray on one side has reached
// the wall on the other side.
ASTAR_SPECIALIZE bool is_closed(const Sweep *sweep)
{
    return sweep->left.at > sweep->right.at ||
           (sweep->left.at == sweep->right.at && sweep->left.rest > 0 && sweep->cone.right.is_wall);
}

// Moves the sweep on by one row.
ASTAR_SPECIALIZE void enter_row(Sweep *sweep)
{
    const ptrdiff_t stride = sweep->rows.here - sweep->rows.behind;
    sweep->cone.row++;
    sweep->rows.behind = sweep->rows.here;
    sweep->rows.here = sweep->rows.beyond;
    sweep->rows.beyond += stride;
}

// Moves the sweep on by one row in which no obstacle cuts the cone.
ASTAR_SPECIALIZE void enter_row_as_is(Sweep *sweep)
{
    sweep->cone.left.at = sweep->left.at;
    sweep->cone.left.rest = sweep->left.rest;
    sweep->cone.right.at = sweep->right.at;
    sweep->cone.right.rest = sweep->right.rest;
    enter_row(sweep);
}

// Records the turn that a route may make where a bound of the cone crosses the row that the sweep
// has reached.
ASTAR_SPECIALIZE void turn_at_bound(Sweep *sweep, bool cuts, const Edge *edge, int side)
{
    const Cone *cone = &sweep->cone;
    const int x = sweep->x + edge->at;
    // Obstacles outside the ellipse are ignored, so a bound may have left the map.
    if (x >= 0 && x < sweep->search->grid->width)
        turn_at(sweep->search, cuts, sweep->rows, x, sweep->y + cone->half * cone->row, cone->half,
                side, ray_of(edge, cone->row));
}

// Records a turn to one side, past an obstacle in the next row, at a cell of the row that the sweep
// has reached. The turn at the bound on that side was recorded when the sweep reached the row.
ASTAR_SPECIALIZE void turn_ahead(Sweep *sweep, bool cuts, int32_t column, int side)
{
    const Cone *cone = &sweep->cone;
    int32_t left = cone->left.at + (cone->left.rest > 0);
    int32_t right = cone->right.at + (cone->right.rest > 0);
    bool is_seen = side > 0 ? column >= left && column < right
                            : column > cone->left.at && column <= cone->right.at;
    if (is_seen)
        turn_at(sweep->search, cuts, sweep->rows, sweep->x + column,
                sweep->y + cone->half * cone->row, cone->half, side, (Ray){column, cone->row});
}

// The next two functions and cut_by_squares sweep a cone past obstacles that are squares.

// Replaces a bound that is a wall by the ray to the wall's last cell, if the wall ends at the row
// that the sweep has reached.
ASTAR_SPECIALIZE void leave_wall(const Sweep *sweep, Edge *edge, int side)
{
    const int x = sweep->x + edge->at + side;
    if (is_free(sweep->rows.here, x) && is_free(sweep->rows.beyond, x))
        *edge = edge_at_middle((Ray){edge->at, sweep->cone.row});
}

// Returns one bound, at the next row, of the part of the cone that passes through a stretch of free
// cells. 'column' is the last cell of that stretch on the side 'side'. The bound is the wall beyond
// that cell if the cell lies to that side of the corner; otherwise it is the ray to the cell.
static Edge edge_of_stretch(const Sweep *sweep, int32_t column, int side)
{
    if (side > 0 ? column >= 0 : column <= 0)
        return edge_of_wall(column);
    Edge edge = edge_at_middle((Ray){column, sweep->cone.row});
    next_row(&edge);
    return edge;
}

// Cuts the cone into the parts that pass between square obstacles of the row reached and the next
// row. Stores all parts but the last one and continues with the last. Returns false if no part
// passes, or if there is no memory.
static bool cut_by_squares(Sweep *sweep)
{
    const uint64_t *here = sweep->rows.here, *beyond = sweep->rows.beyond;
    const int32_t next = sweep->cone.row + 1;
    const int last = sweep->x + sweep->last;
    Cone part = {.row = next, .half = sweep->cone.half}, whole = sweep->cone;
    bool passes = false;
    next_row(&whole.left);
    next_row(&whole.right);
    for (int at = sweep->x + sweep->first; at <= last;) {
        int from = first_free(here, beyond, at, last);
        if (from > last)
            break;
        int to = end_of_free(here, beyond, from, last);
        int32_t low = from - sweep->x, high = to - sweep->x;
        bool is_left = low > sweep->first, is_right = high < sweep->last;
        at = to + 1;
        if (is_left && low > 0)
            turn_ahead(sweep, false, low, -1);
        if (is_right && high < 0)
            turn_ahead(sweep, false, high, 1);
        Edge part_left = is_left ? edge_of_stretch(sweep, low, -1) : whole.left;
        Edge part_right = is_right ? edge_of_stretch(sweep, high, 1) : whole.right;
        if (beyond_ray(ray_of(&part_left, next), ray_of(&part_right, next)) > 0)
            continue;
        if (passes && !push_cone(sweep->search, &part))
            return false;
        part.left = part_left;
        part.right = part_right;
        passes = true;
    }
    if (!passes)
        return false;
    sweep->cone.left = part.left;
    sweep->cone.right = part.right;
    enter_row(sweep);
    return true;
}

// The functions from here to cut_by_diamonds sweep a cone past obstacles that are diamonds.

// A gap through which rays may pass from one row of centres to the next, as columns on both rows.
// An end outside the examined columns is unknown; no useful ray passes there.
typedef struct Passage {
    int32_t low, high, next_low, next_high;
    bool has_low, has_high; // true if the end is known
} Passage;

// Iterates over the passages between two rows. Each passage leads from a stretch of free cells of
// the row reached to a stretch of free cells of the next row.
typedef struct Passages {
    int first, last;  // columns of the map
    int at;           // the next column to examine
    int low, high;    // the current stretch of the row
    int next_at, end; // columns of the next row that are still to be examined
} Passages;

// Finds the next stretch of free cells in the row that the sweep has reached. Returns false after
// the last stretch.
static bool next_stretch(const Sweep *sweep, Passages *band)
{
    const uint64_t *here = sweep->rows.here;
    if (band->at > band->last)
        return false;
    band->low = first_free(here, here, band->at, band->last);
    if (band->low > band->last)
        return false;
    band->high = end_of_free(here, here, band->low, band->last);
    band->at = band->high + 1;
    band->next_at = astar_greater(band->low - 1, band->first);
    band->end = astar_lesser(band->high + 1, band->last);
    return true;
}

// Computes the passage from the current stretch of free cells to the stretch from 'low' to 'high'
// of the next row. On each row the passage extends at most one cell beyond the stretch of the other
// row.
static void measure_passage(const Sweep *sweep, const Passages *band, int low, int high,
                            Passage *passage)
{
    const int begin = astar_greater(band->low - 1, band->first);
    bool has_low = band->low > band->first, next_has_low = low > begin;
    bool has_high = band->high < band->last, next_has_high = high < band->end;
    int from = has_low ? band->low : low - 1, to = has_high ? band->high : high + 1;
    int next_from = next_has_low ? low : from - 1, next_to = next_has_high ? high : to + 1;
    passage->has_low = has_low || next_has_low;
    passage->has_high = has_high || next_has_high;
    passage->low = astar_greater(from, next_from - 1) - sweep->x;
    passage->next_low = astar_greater(next_from, from - 1) - sweep->x;
    passage->high = astar_lesser(to, next_to + 1) - sweep->x;
    passage->next_high = astar_lesser(next_to, to + 1) - sweep->x;
}

// Finds the next passage. 'touching' is 1 if the corner rule allows both cells beside a diagonal
// step to be blocked. In this case a single ray passes between two stretches that touch only at a
// corner.
static bool next_passage(const Sweep *sweep, Passages *band, int touching, Passage *passage)
{
    const uint64_t *beyond = sweep->rows.beyond;
    for (;;) {
        if (band->next_at > band->end && !next_stretch(sweep, band))
            return false;
        int low = first_free(beyond, beyond, band->next_at, band->end);
        if (low > band->end) {
            band->next_at = low;
            continue;
        }
        int high = end_of_free(beyond, beyond, low, band->end);
        band->next_at = high + 1;
        if (low > band->high + touching || high < band->low - touching)
            continue;
        measure_passage(sweep, band, low, high, passage);
        return true;
    }
}

// Returns the bound of a cone at the row 'next', along a ray that passes through a cell's centre in
// that row or in the row before.
static Edge edge_through(Ray ray, int32_t next)
{
    Edge edge = edge_at_middle(ray);
    if (ray.rows != next)
        next_row(&edge);
    return edge;
}

// Narrows the cone to the rays that pass through a passage and stores it in 'part'. 'left' and
// 'right' are the cone's bounds at the next row. Returns false if no ray passes.
static bool narrow(const Sweep *sweep, const Passage *passage, const Edge *left, const Edge *right,
                   Cone *part)
{
    const int32_t row = sweep->cone.row, next = row + 1;
    const Ray low = {passage->low, row}, next_low = {passage->next_low, next};
    const Ray high = {passage->high, row}, next_high = {passage->next_high, next};
    Ray from = left->ray, to = right->ray;
    bool is_left = false, is_right = false;
    if (passage->has_low && beyond_ray(low, from) > 0)
        from = low, is_left = true;
    if (passage->has_low && beyond_ray(next_low, from) > 0)
        from = next_low, is_left = true;
    if (passage->has_high && beyond_ray(high, to) < 0)
        to = high, is_right = true;
    if (passage->has_high && beyond_ray(next_high, to) < 0)
        to = next_high, is_right = true;
    if (beyond_ray(from, to) > 0)
        return false;
    part->left = is_left ? edge_through(from, next) : *left;
    part->right = is_right ? edge_through(to, next) : *right;
    return true;
}

// Cuts the cone into the parts that pass between diamond-shaped obstacles of the row reached and
// the next row. Stores all parts but the last one and continues with the last. Returns false if no
// part passes, or if there is no memory.
static bool cut_by_diamonds(Sweep *sweep)
{
    const int touching = sweep->search->finder->rule->corners == ASTAR_CORNERS_ANY;
    const int first = sweep->x + sweep->first, last = sweep->x + sweep->last;
    Passages band = {first, last, first, first, first, first, first - 1};
    Cone part = {.row = sweep->cone.row + 1, .half = sweep->cone.half}, found = part,
         whole = sweep->cone;
    bool passes = false;
    Passage passage;
    next_row(&whole.left);
    next_row(&whole.right);
    while (next_passage(sweep, &band, touching, &passage)) {
        // If an end of the passage lies further inwards on the next row, the corner of an obstacle
        // at this end is a turning point.
        if (passage.has_low && passage.low < passage.next_low)
            turn_ahead(sweep, true, passage.low, -1);
        if (passage.has_high && passage.high > passage.next_high)
            turn_ahead(sweep, true, passage.high, 1);
        if (!narrow(sweep, &passage, &whole.left, &whole.right, &part))
            continue;
        if (passes && !push_cone(sweep->search, &found))
            return false;
        found = part;
        passes = true;
    }
    if (!passes)
        return false;
    sweep->cone.left = found.left;
    sweep->cone.right = found.right;
    enter_row(sweep);
    return true;
}

// The functions below sweep a whole cone.

// Returns true if a bound needs no action at the row 'here', where it crosses the centre of the
// cell in column 'x': no wall ends there, and no turn can be recorded there. The function may
// return false although no action is needed.
ASTAR_SPECIALIZE bool bound_is_quiet(const uint64_t *here, ptrdiff_t stride, int x, int width,
                                     const Edge *edge, int side, bool cuts)
{
    if (cuts)
        return false;
    if (edge->is_wall)
        return !is_free(here, x + side);
    if (x < 0 || x >= width)
        return true;
    if (side > 0 ? edge->ray.dx < 0 : edge->ray.dx > 0)
        return is_free(here + stride, x + side) || !is_free(here + stride, x);
    return is_free(here - stride, x + side) || !is_free(here, x + side);
}

// Returns true if a bound stays in the same column from row to row: a wall, or the ray straight
// ahead.
ASTAR_SPECIALIZE bool is_upright(const Edge *edge)
{
    return (edge->each | edge->rest_each) == 0;
}

// Returns the position of a bound 'rows' rows, at most SWEPT_AT_ONCE, after the row that the sweep
// has reached. An earlier version doubled the shift of the bound per row up to three times, without
// a division. With a number of rows that varies, that version took 3 to 6 % longer per query.
ASTAR_SPECIALIZE Place place_later(const Edge *edge, int rows)
{
    if (is_upright(edge))
        return (Place){edge->at, edge->rest};
    const uint64_t each = (uint32_t)edge->ray.rows;
    const uint64_t rest = (uint64_t)edge->rest + (uint64_t)edge->rest_each * (uint64_t)rows;
    return (Place){edge->at + rows * edge->each + (int32_t)(rest / each), (int32_t)(rest % each)};
}

// Columns of the map to examine in each row that a sweep is to pass. The columns 'first' to 'last'
// must be free. The cells in the columns 'low' and 'high' must stay as they are, if the bound on
// that side is upright.
typedef struct Strip {
    int first, last, low, high;
    bool keeps_low, keeps_high;
} Strip;

// Computes the columns to examine in order to move the sweep on by up to SWEPT_AT_ONCE rows. 'left'
// and 'right' are the places of the bounds after SWEPT_AT_ONCE rows. Beside an upright bound a turn
// can be recorded, or a wall ends, only where the column beside the bound changes. Beside another
// bound the column must be free.
ASTAR_SPECIALIZE Strip strip_of(const Sweep *sweep, Place left, Place right)
{
    const Edge *from = &sweep->cone.left, *to = &sweep->cone.right;
    Strip strip = {.keeps_low = is_upright(from), .keeps_high = is_upright(to)};
    int32_t first = from->at < left.at ? from->at : left.at;
    int32_t last = to->at > right.at ? to->at : right.at;
    first -= !strip.keeps_low;
    last += strip.keeps_high ? 0 : 2;
    first = first > sweep->low ? first : sweep->low;
    last = last < sweep->high ? last : sweep->high;
    strip.first = sweep->x + first;
    strip.last = sweep->x + last;
    strip.low = strip.keeps_low ? sweep->x + from->at - 1 : strip.first;
    strip.high = strip.keeps_high ? sweep->x + to->at + 1 : strip.last;
    return strip;
}

// Returns 64 cells of a row, or those up to the end of the word 'high', moved to the lowest bits of
// a word. The first of these cells is the cell number 'shift' of the word 'low'.
ASTAR_SPECIALIZE uint64_t cells_from(const uint64_t *low, const uint64_t *high, int shift)
{
    return low == high ? *low >> shift : *low >> shift | *high << 1 << (63 - shift);
}

// Returns how many rows, at most 'rows', a sweep can move on from the row 'here': no obstacle lies
// in the strip, and no column beside an upright bound changes before the row then reached. The
// strip is at most 64 columns wide. Stores whether an obstacle limits the number of rows.
ASTAR_SPECIALIZE int free_rows_of_narrow(const Strip *strip, const uint64_t *here, ptrdiff_t stride,
                                         int rows, bool *is_blocked)
{
    const size_t bit = (size_t)(strip->low + 1), end = (size_t)(strip->high + 1);
    const uint64_t *low = here + (bit >> 6), *high = here + (end >> 6);
    const int shift = (int)(bit & 63), width = strip->last - strip->first;
    const uint64_t free = UINT64_MAX >> (63 - width) << (strip->first - strip->low);
    const uint64_t beside = (uint64_t)strip->keeps_low | (uint64_t)strip->keeps_high
                                                             << (strip->high - strip->low);
    const uint64_t before = cells_from(low, high, shift), care = free | beside;
    const uint64_t want = free | (before & beside);
    *is_blocked = true;
    if ((before & free) != free)
        return 0;
    int row = 1;
    if (low == high) {
        low += stride;
        while (row <= rows && ((*low >> shift ^ want) & care) == 0)
            low += stride, row++;
        high = low;
    } else {
        low += stride, high += stride;
        while (row <= rows && ((cells_from(low, high, shift) ^ want) & care) == 0)
            low += stride, high += stride, row++;
    }
    if (row > rows || (cells_from(low, high, shift) & free) == free) {
        *is_blocked = false;
        return row > rows ? rows : row;
    }
    return row - 1;
}

// Does the work of free_rows_of_narrow for a strip of any width.
static int free_rows_of_wide(const Strip *strip, const uint64_t *here, ptrdiff_t stride, int rows,
                             bool *is_blocked)
{
    const size_t first = (size_t)(strip->first + 1), last = (size_t)(strip->last + 1);
    const int limit = rows;
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        const uint64_t *row = here + word;
        uint64_t mask = astar_bits_mask(word, first, last);
        for (int i = 0; i <= rows; i++, row += stride)
            if ((*row & mask) != mask)
                rows = i - 1;
    }
    *is_blocked = rows < limit;
    for (int i = 1; i < rows; i++) {
        const uint64_t *row = here + i * stride;
        if ((strip->keeps_low && is_free(row, strip->low) != is_free(here, strip->low)) ||
            (strip->keeps_high && is_free(row, strip->high) != is_free(here, strip->high))) {
            *is_blocked = false;
            return i;
        }
    }
    return rows;
}

// Moves the sweep on by up to 'rows' rows, at most SWEPT_AT_ONCE, as long as no obstacle lies in
// the cone and nothing has to be done at its bounds. Returns the number of rows. Stores whether the
// next row is known to need a single step.
ASTAR_SPECIALIZE int pass_free_rows(Sweep *sweep, int rows, bool *is_blocked)
{
    Edge *left = &sweep->cone.left, *right = &sweep->cone.right;
    const ptrdiff_t stride = sweep->rows.here - sweep->rows.behind;
    Place to_left = place_later(left, SWEPT_AT_ONCE), to_right = place_later(right, SWEPT_AT_ONCE);
    *is_blocked = true;
    if (to_left.at > to_right.at ||
        (to_left.at == to_right.at && to_left.rest > to_right.rest && right->is_wall))
        return 0;
    const Strip strip = strip_of(sweep, to_left, to_right);
    if (strip.first > strip.last)
        return 0;
    if (strip.high - strip.low < 64 && strip.low <= strip.first && strip.high >= strip.last)
        rows = free_rows_of_narrow(&strip, sweep->rows.here, stride, rows, is_blocked);
    else
        rows = free_rows_of_wide(&strip, sweep->rows.here, stride, rows, is_blocked);
    if (rows <= 0)
        return 0;
    if (rows < SWEPT_AT_ONCE) {
        to_left = place_later(left, rows);
        to_right = place_later(right, rows);
    }
    left->at = to_left.at;
    left->rest = to_left.rest;
    right->at = to_right.at;
    right->rest = to_right.rest;
    sweep->cone.row += rows;
    sweep->rows.here += rows * stride;
    sweep->rows.behind = sweep->rows.here - stride;
    sweep->rows.beyond = sweep->rows.here + stride;
    return rows;
}

// Sweeps the most recently stored cone, row by row, until nothing is left of it. If the work budget
// is used up first, stores the rest of the cone for a later call. Parts that obstacles cut off are
// stored, too.
ASTAR_SPECIALIZE void sweep_next(AstarSearch *search, bool cuts, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    Sweep sweep;
    take_up_cone(search, &sweep);
    Cone *cone = &sweep.cone;
    // The sweep ends with the ellipse or with the map, whichever ends first. Rows are counted from
    // the corner.
    const double last_row = angles->reach[cone->half > 0].last_row;
    const int32_t to_border = cone->half > 0 ? search->grid->height - 1 - sweep.y : sweep.y;
    const int32_t end = last_row < to_border ? (int32_t)last_row : to_border;
    const ptrdiff_t stride = sweep.rows.here - sweep.rows.behind;
    const int width = search->grid->width;
    int32_t try_at = 0; // the row from which passing several rows in one go is tried
    int wait = 1;       // rows after which this is tried again
    while (cone->row <= end) {
        if (*work <= 0 || angles->fault != ASTAR_OK) {
            push_cone(search, cone);
            return;
        }
        if (cone->row >= sweep.known_to)
            look_at_reach(&sweep);
        if (cone->left.rest == 0 &&
            !bound_is_quiet(sweep.rows.here, stride, sweep.x + cone->left.at, width, &cone->left,
                            -1, cuts)) {
            turn_at_bound(&sweep, cuts, &cone->left, -1);
            if (cone->left.is_wall)
                leave_wall(&sweep, &cone->left, -1);
        }
        if (cone->right.rest == 0 &&
            !bound_is_quiet(sweep.rows.here, stride, sweep.x + cone->right.at, width, &cone->right,
                            1, cuts)) {
            turn_at_bound(&sweep, cuts, &cone->right, 1);
            if (cone->right.is_wall)
                leave_wall(&sweep, &cone->right, 1);
        }
        if (!cuts && cone->row >= try_at && cone->row < end) {
            const int32_t left = end - cone->row;
            if (cone->row + SWEPT_AT_ONCE > sweep.known_to)
                look_at_reach(&sweep);
            bool is_blocked;
            int rows = pass_free_rows(&sweep, left < SWEPT_AT_ONCE ? left : SWEPT_AT_ONCE,
                                      &is_blocked);
            wait = rows > 0 ? 1 : astar_lesser(2 * wait, TRIED_AFTER);
            try_at = cone->row + (is_blocked ? wait : 0);
            *work -= 1 + rows / 2;
            if (rows > 0)
                continue;
        }
        if (!enter_band(&sweep))
            return;
        *work -= 2 + ((sweep.last - sweep.first) >> 6);
        if (astar_rows_are_full(sweep.rows.here, sweep.rows.beyond, sweep.x + sweep.first,
                                sweep.x + sweep.last)) {
            if (is_closed(&sweep))
                return;
            enter_row_as_is(&sweep);
        } else if (!(cuts ? cut_by_diamonds(&sweep) : cut_by_squares(&sweep))) {
            return;
        }
    }
}

// Pockets.

enum { LONGEST_WALL = 24 }; // steps along a wall

ASTAR_SPECIALIZE bool is_bit_set(const uint64_t *words, ptrdiff_t bit)
{
    return (words[bit >> 6] >> (bit & 63) & 1) != 0;
}

// Returns true if a route that turns at a corner enters a pocket that has no other exit and does
// not contain the goal. The function follows the wall from the corner until the wall meets the ray
// from the parent of the corner again. If the corner sees the meeting point, the wall and the line
// from the corner to that point enclose the pocket. A route that leaves the pocket would cross the
// line, and the line is a shorter path to that crossing. If the wall meets the ray from the other
// side, the wall belongs to an island.
static bool leads_into_pocket(const AstarSearch *search, const Corner *corner)
{
    // The four directions, clockwise from north. Where a wall on the right ends, the next direction
    // is to the right; where a wall on the left ends, to the left.
    static const int8_t way_x[4] = {0, 1, 0, -1}, way_y[4] = {-1, 0, 1, 0};
    const AstarAngles *angles = search->lines.angles;
    const AstarBits *bits = &search->finder->on.walkable->bits;
    const Corner *from = &angles->corners[corner->parent];
    int turns = 0, way, hand;
    if (abs(angles->goal.x - corner->x) + abs(angles->goal.y - corner->y) <= LONGEST_WALL)
        return false;
    // The following lines choose the first step and the side on which the wall lies. One bound of
    // the cone points straight ahead, on the side of the wall, or along the row, with the wall
    // behind it.
    if (corner->flat != 0) {
        way = corner->flat > 0 ? 1 : 3;
        hand = corner->flat == corner->half ? 3 : 1;
    } else {
        way = corner->half > 0 ? 2 : 0;
        hand = (corner->left.dx == 0) == (corner->half > 0) ? 1 : 3;
    }
    // The bitmap is one long row of bits. step[i] leads to the next bit in direction i, and
    // beyond[i] is how far that step leads away from the ray of the parent.
    const uint64_t *words = bits->words;
    const ptrdiff_t row = (ptrdiff_t)bits->stride * 64, step[4] = {-row, 1, row, -1};
    const ptrdiff_t begin = (corner->y + 1) * row + corner->x + 1;
    int64_t ray_x = (int64_t)corner->x - from->x, ray_y = (int64_t)corner->y - from->y;
    int64_t side = ray_x * way_y[way] - ray_y * way_x[way] > 0 ? 1 : -1, beyond[4], at;
    for (int i = 0; i < 4; i++)
        beyond[i] = side * (ray_x * way_y[i] - ray_y * way_x[i]);
    at = beyond[way];
    ptrdiff_t bit = begin + step[way];
    // 'most' is how far the remaining steps can lead back to the ray.
    const int64_t each = llabs(ray_x) > llabs(ray_y) ? llabs(ray_x) : llabs(ray_y);
    int64_t most = (LONGEST_WALL - 1) * each;
    while (at > 0) {
        // As long as the wall continues straight, the steps need no choice of a direction.
        const ptrdiff_t along = step[way], to_wall = step[(way + hand) & 3];
        const int64_t away = beyond[way];
        while (at > 0 && at <= most && !is_bit_set(words, bit + to_wall) &&
               is_bit_set(words, bit + along)) {
            bit += along;
            at += away;
            most -= each;
        }
        if (at <= 0)
            break;
        if (at > most)
            return false;
        if (is_bit_set(words, bit + to_wall)) {
            way = (way + hand) & 3;
            turns++;
        } else {
            for (; !is_bit_set(words, bit + step[way]); turns--)
                way = (way - hand) & 3;
        }
        bit += step[way];
        at += beyond[way];
        most -= each;
    }
    uint64_t spent = 0;
    int y = (int)(bit / row) - 1, x = (int)(bit % row) - 1;
    return turns < 0 && astar_sees_plainly(search->finder, corner->x, corner->y, x, y, &spent);
}

// Expanding.

// Stores the cones in which the rays between 'left' and 'right' lead from a corner to the next row:
// at most two, one on each side of an obstacle straight ahead. The corner may be the start, whose
// cell may hold the unit's own block.
static void begin_cones(AstarSearch *search, const Corner *corner, int half, Ray left, Ray right)
{
    AstarAngles *angles = search->lines.angles;
    const AstarBits *bits = &search->finder->on.walkable->bits;
    const bool cuts = astar_body_cuts_corners(search->finder->rule);
    const int touching = search->finder->rule->corners == ASTAR_CORNERS_ANY;
    const uint64_t *here = astar_bits_row(bits, corner->y);
    const uint64_t *beyond = here + half * (ptrdiff_t)bits->stride;
    const uint64_t *both = cuts ? beyond : here; // row in which the cells ahead must be free, too
    const int x = corner->x;
    int64_t low, high;
    if (angles->reach[half > 0].last_row < 1)
        return;
    ellipse_between(&angles->reach[half > 0], 0, 1, &low, &high);
    const int first = clip(x + low, search->grid), last = clip(x + high, search->grid);
    int own_low = x, own_high = x; // free stretch of the row itself
    if (cuts && is_free(here, x - 1))
        own_low = start_of_free(here, here, x - 1, first);
    if (cuts && is_free(here, x + 1))
        own_high = end_of_free(here, here, x + 1, last);
    for (int side = -1; side <= 1; side++) {
        int from = x + side;
        // If the cell straight ahead is free, one cone leads over it. If it is blocked, cones lead
        // past it on both sides, but only under a corner rule that cuts corners.
        if (is_free(beyond, x) ? side != 0 : side == 0 || !cuts)
            continue;
        if (!is_free(beyond, from))
            continue;
        int next_low = from, next_high = from;
        if (side <= 0 && is_free(beyond, from - 1) && is_free(both, from - 1))
            next_low = start_of_free(both, beyond, from - 1, first);
        if (side >= 0 && is_free(beyond, from + 1) && is_free(both, from + 1))
            next_high = end_of_free(both, beyond, from + 1, last);
        if (next_low > own_high + touching || (cuts && next_high < own_low - touching))
            continue;
        if (cuts) {
            next_low = astar_greater(next_low, own_low - 1);
            next_high = astar_lesser(next_high, own_high + 1);
        }
        Ray a = {next_low - x, 1}, b = {next_high - x, 1};
        bool is_left = beyond_ray(left, a) > 0, is_right = beyond_ray(right, b) < 0;
        if (beyond_ray(is_left ? left : a, is_right ? right : b) > 0)
            continue;
        Cone cone = {.left = is_left ? edge_in_first_row(left)
                             : cuts  ? edge_in_first_row(a)
                                     : edge_of_wall(a.dx),
                     .right = is_right ? edge_in_first_row(right)
                              : cuts   ? edge_in_first_row(b)
                                       : edge_of_wall(b.dx),
                     .row = 1,
                     .half = (int8_t)half};
        push_cone(search, &cone);
    }
}

// Returns true if the goal lies in the directions in which a route over a corner may go on.
static bool may_lead_to_goal(const AstarAngles *angles, const Corner *corner)
{
    Ray way = {angles->goal.x - corner->x, angles->goal.y - corner->y};
    if (corner->half == 0)
        return true;
    way.rows *= corner->half;
    if (way.rows <= 0)
        return way.rows == 0 && corner->flat != 0 && (way.dx > 0) == (corner->flat > 0);
    return beyond_ray(way, corner->left) >= 0 && beyond_ray(way, corner->right) <= 0;
}

// Returns true if a shorter route to a corner was found since it was added to the open list.
static bool is_outdated(const AstarAngles *angles, const Corner *corner, const AstarGrid *grid)
{
    uint32_t cell = astar_cell(grid, corner->x, corner->y);
    const AstarJumpNode *place = astar_jump_node(&angles->places, cell);
    for (uint32_t i = place->parent; i != NO_CORNER; i = angles->corners[i].before)
        if (angles->corners[i].g < corner->g * (1 - SAME))
            return true;
    return false;
}

// Expands the best corner of the open list. If it sees the goal, the route is found.
static void expand_corner(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    uint32_t number = astar_open_cell(astar_heap_pop(&angles->open));
    const Corner corner = angles->corners[number];
    uint64_t spent = ASTAR_CELLS_AN_EXPANSION;
    if (is_outdated(angles, &corner, search->grid))
        return;
    if (corner.half != 0 && !astar_body_cuts_corners(search->finder->rule) &&
        leads_into_pocket(search, &corner)) {
        *work -= ASTAR_CELLS_AN_EXPANSION / 4;
        return;
    }
    search->expanded++;
    angles->expanding = number;
    if (may_lead_to_goal(angles, &corner) &&
        astar_sees_plainly(search->finder, corner.x, corner.y, angles->goal.x, angles->goal.y,
                           &spent)) {
        angles->phase = TO_GATHER;
        return;
    }
    double columns = (double)angles->goal.x - corner.x, rows = (double)angles->goal.y - corner.y;
    double length = angles->bound - corner.g + SLACK;
    if (corner.half <= 0)
        angles->reach[0] = ellipse_about(columns, -rows, length);
    if (corner.half >= 0)
        angles->reach[1] = ellipse_about(columns, rows, length);
    for (int side = -1; side <= 1; side += 2)
        if (corner.flat == side || corner.half == 0)
            look_along_row(search, &corner, side);
    for (int half = -1; half <= 1; half += 2)
        if (corner.half == half || corner.half == 0)
            begin_cones(search, &corner, half, corner.left, corner.right);
    *work -= (int64_t)spent;
}

// The functions below search for a route that is shorter than the known one.

// Ends the search, which has found no shorter route.
static void end_looking(AstarAngles *angles)
{
    angles->is_searched = true;
    angles->phase = angles->is_smoothed ? READY : TO_SMOOTH;
}

static AstarStatus plant(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    const AstarPoint *points = angles->route.points;
    Corner start = {.x = points->x,
                    .y = points->y,
                    .parent = NO_CORNER,
                    .before = NO_CORNER,
                    .left = west,
                    .right = east};
    bool bends = astar_counts_bends(search->finder, &angles->route.query);
    AstarStatus status = astar_ignore_own_blocks(search, start.x, start.y, bends);
    if (status != ASTAR_OK)
        return status;
    if (angles->route.count < 3 || search->finder->options.margin > 0 ||
        !astar_finder_allows(search->finder, ASTAR_ANY_ANGLE)) {
        end_looking(angles);
        return ASTAR_OK;
    }
    angles->goal = points[angles->route.count - 1];
    angles->bound = angles->route.length * ASTAR_SHORTER;
    angles->count = angles->cone_count = 0;
    angles->fault = ASTAR_OK;
    astar_array_drop_move(&search->allocator, sizeof *angles->corners, &angles->move);
    astar_heap_clear(&angles->open);
    if (!astar_jump_nodes_begin(&angles->places, &search->allocator, search->grid))
        return ASTAR_NO_MEMORY;
    angles->phase = LOOKING;
    return add_corner(search, start);
}

static AstarStatus look_on(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    while (angles->phase == LOOKING && angles->fault == ASTAR_OK) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        if (lacks_room(angles)) {
            *work -= ASTAR_CELLS_AN_EXPANSION;
            angles->fault = make_room(search) ? ASTAR_OK : ASTAR_NO_MEMORY;
        } else if (angles->cone_count > 0) {
            if (astar_body_cuts_corners(search->finder->rule))
                sweep_next(search, true, work);
            else
                sweep_next(search, false, work);
        } else if (astar_heap_count(&angles->open) == 0 ||
                   search->expanded >= search->query.max_expansions) {
            end_looking(angles);
        } else {
            expand_corner(search, work);
        }
    }
    return angles->fault;
}

// The route.

// Reads the route by steps that the search has found, and chooses the next phase.
static AstarStatus begin_angles(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath *route = &angles->route;
    AstarStatus status = astar_search_trace(search, route);
    if (status != ASTAR_OK)
        return status;
    astar_path_measure(route);
    angles->expanded = search->expanded;
    angles->is_smoothed = angles->is_searched = false;
    const AstarPoint *start = route->points, *end = &route->points[route->count - 1];
    bool winds = route->length > MOST_DETOUR * astar_distance(start->x, start->y, end->x, end->y);
    angles->phase = winds ? TO_LOOK : TO_SMOOTH;
    return ASTAR_OK;
}

// Starts to smooth the route by steps.
static void begin_smoothing(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath steps = angles->route;
    angles->route = angles->other;
    angles->other = steps;
    astar_smoothing_begin(search, &angles->smoothing, &angles->other, &angles->route);
    angles->smoothing.is_sound = true;
    angles->phase = SMOOTHING;
}

static AstarStatus smooth_on(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status = astar_smoothing_run(search, &angles->smoothing, work);
    if (status == ASTAR_OK) {
        angles->is_smoothed = true;
        angles->phase = angles->is_searched ? READY : TO_LOOK;
    }
    return status;
}

// Builds the route over the corners found. This route replaces the known route if it is shorter and
// its cost is within the limit.
static AstarStatus gather_route(AstarSearch *search)
{
    AstarAngles *angles = search->lines.angles;
    AstarPath *route = &angles->other;
    AstarPoint from = angles->goal;
    astar_path_begin(route, &angles->route, &search->allocator);
    AstarStatus status = astar_path_add(route, from.x, from.y, 1);
    for (uint32_t i = angles->expanding; i != NO_CORNER && status == ASTAR_OK;) {
        const Corner *to = &angles->corners[i];
        AstarLine line = astar_line(from.x, from.y, to->x, to->y, route->orthogonal);
        status = astar_path_add(route, to->x, to->y, (int)line.steps);
        from = (AstarPoint){.x = to->x, .y = to->y};
        i = to->parent;
    }
    if (status != ASTAR_OK)
        return status;
    astar_path_turn(route);
    astar_path_measure(route);
    route->cost = astar_cost_of_lines(search->finder, route);
    if (route->length < angles->route.length && route->cost <= search->limit) {
        AstarPath before = angles->route;
        angles->route = *route;
        *route = before;
        angles->phase = READY;
    } else {
        end_looking(angles);
    }
    return ASTAR_OK;
}

// Runs the current phase of the search. Returns ASTAR_OK when the next phase can run, and
// ASTAR_RUNNING if the work budget is used up first.
static AstarStatus run_phase(AstarSearch *search, int64_t *work)
{
    AstarAngles *angles = search->lines.angles;
    AstarStatus status;
    switch (angles->phase) {
    case TO_TRACE: return begin_angles(search);
    case TO_LOOK: status = plant(search); break;
    case LOOKING: status = look_on(search, work); break;
    case TO_GATHER: return gather_route(search);
    case TO_SMOOTH: begin_smoothing(search); return ASTAR_OK;
    default: return smooth_on(search, work);
    }
    if (status == ASTAR_NO_MEMORY) { // restart the search for a shorter route
        search->expanded = angles->expanded;
        angles->phase = TO_LOOK;
    }
    return status;
}

AstarStatus astar_run_any_angle(AstarSearch *search, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    AstarStatus status = need_angles(search);
    while (status == ASTAR_OK && search->lines.angles->phase != READY)
        status = work > 0 ? run_phase(search, &work) : ASTAR_RUNNING;
    return status;
}

AstarStatus astar_any_angle_path(const AstarSearch *search, AstarPath *path)
{
    AstarStatus status = astar_path_copy(&search->lines.angles->route, path);
    if (status == ASTAR_OK)
        path->expanded = search->expanded;
    return status;
}
