// fov.c -- Fields of view: which cells can be seen from a cell (finder:fov). The algorithm is
// symmetric shadowcasting (after Albert Ford, 2017), computed exactly in integers.
//
// The cells around the viewer are divided into sectors, eight on squares and six on hexagons. Each
// sector is scanned row by row. Row d holds the cells 0 to d, and a line of slope s from 0 to 1
// crosses it at s * d. A cell that stops sight stops all lines that cross its row less than half a
// cell from its centre, as a diamond in the cell would. If a line passes exactly between two cells,
// it is stopped only if both stop sight. Whether two cells see each other depends only on the rows
// between them, which are the same from either end. Sight between two cells that can be entered is
// therefore symmetric: if one sees the other, the other sees it, too. A cell that stops sight is
// seen if a line reaches any part of it.
//
// The slopes that are not stopped yet form closed spans. Between two spans lies the shadow of at
// least one cell, so there are at most d + 1 spans in row d. A span may be a single slope, of a
// line that touches cells on both sides. The positions where the edges of a span cross a row are
// updated from row to row, in half cells, so there are no divisions.

#include "map/field.h"
#include "search/line_of_sight.h"
#include "search/search.h"

#include <math.h>

enum { COSINE_OF_0 = 1 << 14, MOST_SPANS = 2 * (ASTAR_MAX_SIGHT + 1) };
// FACING_PARTS is the length of the vector for a facing that is given in radians. MOST_TURNS is the
// greatest such angle that is allowed, in radians.
enum { FACING_PARTS = 1 << 14, MOST_TURNS = 1000000 };
static const double PI = 3.14159265358979323846;

// An edge of a span of slopes: a line from the viewer with a slope of n / d half cells per row. The
// line crosses the current row 'at' + rest / d half cells from the centre of the first cell of the
// row.
typedef struct SightEdge {
    int32_t n, d, at, rest;
} SightEdge;

// A span: a closed interval of slopes of lines that nothing has stopped so far.
typedef struct SightSpan {
    SightEdge from, to;
    // True if some lines of the span may be stopped, so that each line must be checked.
    bool is_loose;
} SightSpan;

// The state of a field of view query.
typedef struct FieldOfView {
    AstarSightSector sector; // the sector that is scanned now
    AstarField *field;
    int radius;
    AstarSightPlace facing;
    int64_t cosine; // cosine of half the angle of view, times COSINE_OF_0
    bool is_cone, is_turned, by_halves;
} FieldOfView;

static SightEdge edge_at(int half_cells, int row)
{
    return (SightEdge){half_cells, row, half_cells, 0};
}

static inline void to_next_row(SightEdge *edge)
{
    edge->rest += edge->n;
    for (; edge->rest >= edge->d; edge->rest -= edge->d)
        edge->at++;
}

// Returns the scalar product of two vectors. Lengths and angles are computed from such products.
static int64_t sight_product(const FieldOfView *view, AstarSightPlace a, AstarSightPlace b)
{
    int64_t across = (int64_t)a.across * b.across;
    return (int64_t)a.along * b.along + (view->by_halves ? 3 * across : across);
}

// Returns the same result as is_in_cone for a facing that is given in radians. The products of such
// a facing are too large for integers. 'ahead' is the scalar product of the facing and the place.
static bool is_in_turned_cone(const FieldOfView *view, AstarSightPlace place, double ahead)
{
    double lengths = (double)sight_product(view, place, place) *
                     (double)sight_product(view, view->facing, view->facing);
    double cosine = (double)view->cosine / COSINE_OF_0;
    double square = ahead * ahead, least = cosine * cosine * lengths;
    return cosine >= 0 ? ahead >= 0 && square >= least : ahead >= 0 || square <= least;
}

// Returns true if a place lies within the angle of view. The place is given relative to the viewer.
static bool is_in_cone(const FieldOfView *view, AstarSightPlace place)
{
    int64_t ahead = sight_product(view, place, view->facing), cosine = view->cosine;
    if (view->is_turned)
        return is_in_turned_cone(view, place, (double)ahead);
    int64_t lengths = sight_product(view, place, place) *
                      sight_product(view, view->facing, view->facing);
    int64_t square = ahead * ahead * COSINE_OF_0 * COSINE_OF_0, least = cosine * cosine * lengths;
    return cosine >= 0 ? ahead >= 0 && square >= least : ahead >= 0 || square <= least;
}

// Ranges of cells in a row: the cells that a span touches (first to last), and the cells that are
// seen through it. Index 1 of the seen cells is for cells that sight passes: they are seen if the
// span contains their centre. Index 0 is for cells that stop sight: they are seen if the span
// touches them.
typedef struct SightRow {
    int first, last, seen_first[2], seen_last[2];
} SightRow;

static inline SightRow row_in_span(const SightSpan *span)
{
    int from = span->from.at, to = span->to.at;
    int from_up = from + (span->from.rest > 0), to_up = to + (span->to.rest > 0);
    return (SightRow){
        from_up >> 1, (to + 1) >> 1, {(from + 1) >> 1, (from_up + 1) >> 1}, {to_up >> 1, to >> 1}};
}

// Marks a cell as seen, unless its place lies outside the angle of view. The place is given
// relative to the viewer.
static inline void see(const FieldOfView *view, AstarSightPlace place, int x, int y)
{
    if (!view->is_cone || is_in_cone(view, place))
        view->field->values[(size_t)y * (size_t)view->field->width + (size_t)x] = 1;
}

static AstarSightPlace place_in_row(const AstarSightSector *sector, int row, int number)
{
    return (AstarSightPlace){row * sector->step.along + number * sector->aside.along,
                             row * sector->step.across + number * sector->aside.across};
}

// Writes the cell at a place to '*x' and '*y'. The place is given relative to the viewer. Returns
// false if it lies outside the map.
static inline bool cell_in_view(const FieldOfView *view, AstarSightPlace place, int *x, int *y)
{
    const AstarField *field = view->field;
    *x = view->sector.eye.along + place.along;
    *y = view->sector.eye.across + place.across;
    if (view->by_halves)
        astar_cell_of_middle(field->shape, (AstarMiddle){*x, *y}, x, y);
    if ((field->shape->wraps & 1) != 0)
        *x = (*x % field->width + field->width) % field->width;
    if ((field->shape->wraps & 2) != 0)
        *y = (*y % field->height + field->height) % field->height;
    return (unsigned)*x < (unsigned)field->width && (unsigned)*y < (unsigned)field->height;
}

// Marks the cell with index 'number' in a row as seen if a span sees it. Returns true if sight
// passes the cell.
static inline bool see_by_span(const FieldOfView *view, const SightRow *seen, AstarSightPlace place,
                               int number)
{
    int x, y;
    if (!cell_in_view(view, place, &x, &y))
        return false;
    bool passes = astar_bits_get(view->sector.bits, x, y);
    if (number >= seen->seen_first[passes] && number <= seen->seen_last[passes])
        see(view, place, x, y);
    return passes;
}

// Scans the cells of a row that a span touches. 'last' is the index of the last cell within the
// radius. Appends the parts of the span that continue in the next row to the array 'next', which
// has 'count' spans. Returns the new number of spans.
static int scan_span(const FieldOfView *view, const SightSpan *span, int row, int last,
                     SightSpan *next, int count)
{
    SightRow seen = row_in_span(span);
    AstarSightPlace place = place_in_row(&view->sector, row, seen.first);
    bool is_open = false;
    int end = seen.last < last ? seen.last : last;
    for (int number = seen.first; number <= end; number++) {
        bool passes = see_by_span(view, &seen, place, number);
        place.along += view->sector.aside.along;
        place.across += view->sector.aside.across;
        if (passes && !is_open)
            next[count].from = number > seen.first ? edge_at(2 * number - 1, row) : span->from;
        if (!passes && is_open)
            next[count++].to = edge_at(2 * number - 1, row);
        is_open = passes;
    }
    if (is_open)
        next[count++].to = seen.last > last ? edge_at(2 * last + 1, row) : span->to;
    return count;
}

// The functions below scan maps with thin walls.
//
// Lines from the viewer are grouped: the lines of a group go from the same cell of one row to the
// same cell of the next row. Walls stop either all lines of a group or none of them. Therefore the
// slopes of a row are divided into intervals, one for each group. Only a line at the edge of an
// interval may still be stopped. If a cell is seen only by such a line, line_of_sight.c follows the
// line from the viewer.

static SightEdge slope_edge(int half_cells, int rows, int row)
{
    return (SightEdge){half_cells, rows, half_cells * row / rows, half_cells * row % rows};
}

// Compares two slopes. Returns a negative number if the first slope is less than the second, 0 if
// they are equal, and otherwise a positive number.
static inline int compare_slopes(SightEdge a, SightEdge b)
{
    return a.n * b.d - b.n * a.d;
}

static bool line_is_open(const FieldOfView *view, SightEdge slope, int row)
{
    return astar_sight_line_is_open(&view->sector, slope.n, 2 * (int64_t)slope.d, row);
}

// Returns true if sight passes the cell with index 'number' in a row. The viewer's own cell never
// stops sight.
static bool passes_row(const FieldOfView *view, int row, int number)
{
    int x, y;
    return row == 0 || (astar_sight_cell(&view->sector, row, number, &x, &y) &&
                        astar_bits_get(view->sector.bits, x, y));
}

// Marks a cell as seen if the lines of a span see it. Walls do not stop these lines, except perhaps
// the lines at the edges of the span.
static void see_by_lines(const FieldOfView *view, const SightSpan *span, int row, int number,
                         bool passes)
{
    int x, y;
    if (!astar_sight_cell(&view->sector, row, number, &x, &y))
        return;
    SightEdge middle = {2 * number, row, 0, 0};
    int after = compare_slopes(middle, span->from), before = compare_slopes(span->to, middle);
    bool is_line = compare_slopes(span->from, span->to) == 0;
    bool is_within = passes ? after >= 0 && before >= 0
                            : compare_slopes(span->from, edge_at(2 * number + 1, row)) < 0 &&
                                  compare_slopes(span->to, edge_at(2 * number - 1, row)) > 0;
    bool is_at_edge = span->is_loose || (passes ? after == 0 || before == 0 : is_line);
    if (is_within && (!is_at_edge || line_is_open(view, passes ? middle : span->from, row)))
        see(view, place_in_row(&view->sector, row, number), x, y);
}

// Marks the cell with index 'number' in a row as seen if at least one of some lines sees it. The
// lines come from a cell of the previous row, by the step 'step'. Returns true if sight continues
// beyond the cell along these lines.
static bool see_from(const FieldOfView *view, const SightSpan *lines, int row, int number,
                     AstarSightStep step)
{
    int from = step == ASTAR_SIGHT_STRAIGHT ? number : number - 1;
    if (!passes_row(view, row - 1, from) ||
        astar_sight_is_walled(&view->sector, row - 1, from, step))
        return false;
    bool passes = passes_row(view, row, number);
    see_by_lines(view, lines, row, number, passes);
    return passes;
}

// Reduces a span to the lines that reach the cell with index 'number' in a row by the step 'step'.
// Returns false if no line of the span does.
static bool keep_lines(SightSpan *lines, int row, int number, AstarSightStep step)
{
    static const SightEdge all_from = {0, 1, 0, 0};
    int before = row - 1, half = 2 * number - 1;
    SightEdge all_to = {2, 1, 2 * row, 0};
    // The slopes of three lines that pass exactly between this cell and the one before it in its
    // row. The lines meet that border in the row before, in this row, and at the corner between the
    // two rows.
    bool is_first = number == 0;
    SightEdge at_row = is_first ? all_from : slope_edge(half, row, row);
    SightEdge at_corner = is_first ? all_from : slope_edge(2 * half, 2 * before + 1, row);
    SightEdge at_before = is_first      ? all_from
                          : before == 0 ? all_to
                                        : slope_edge(half, before, row);
    SightEdge low = at_before, high = slope_edge(half + 2, row, row);
    if (step == ASTAR_SIGHT_EARLY) {
        low = at_corner;
        high = at_before;
    } else if (step == ASTAR_SIGHT_LATE) {
        low = at_row;
        high = at_corner;
    }
    if (compare_slopes(low, lines->from) > 0)
        lines->from = low;
    if (compare_slopes(high, lines->to) < 0)
        lines->to = high;
    return compare_slopes(lines->from, lines->to) <= 0;
}

// Appends the span 'lines' to the array of spans that continue in the next row. If 'joined' is
// true, extends the last span of the array instead. If the array is full, the last span is extended
// so that it includes the new lines, and is marked so that each of its lines is checked. Returns
// the new number of spans.
static int append_lines(const FieldOfView *view, const SightSpan *lines, bool joined, int row,
                        SightSpan *next, int count)
{
    if (joined || count == MOST_SPANS) {
        next[count - 1].is_loose |= !joined || lines->is_loose;
        next[count - 1].to = lines->to;
        return count;
    }
    if (compare_slopes(lines->from, lines->to) == 0 && !line_is_open(view, lines->from, row))
        return count;
    next[count] = *lines;
    return count + 1;
}

// Scans the cells of a row that a span touches on a map with thin walls. The arguments and the
// result are those of scan_span.
static int scan_span_among_walls(const FieldOfView *view, const SightSpan *span, int row, int last,
                                 SightSpan *next, int count)
{
    static const AstarSightStep steps[] = {ASTAR_SIGHT_LATE, ASTAR_SIGHT_EARLY,
                                           ASTAR_SIGHT_STRAIGHT};
    SightRow seen = row_in_span(span);
    int end = seen.last < last ? seen.last : last;
    bool was_open = false;
    for (int number = seen.first; number <= end; number++)
        for (int i = number > 0 ? 0 : 2; i < (number < row ? 3 : 2); i++) {
            SightSpan lines = *span;
            if (!keep_lines(&lines, row, number, steps[i]))
                continue;
            int had = count;
            bool is_open = see_from(view, &lines, row, number, steps[i]);
            if (is_open)
                count = append_lines(view, &lines, was_open, row, next, count);
            was_open = is_open && (was_open || count > had);
        }
    return count;
}

static void scan_sector(const FieldOfView *view, SightSpan *spans, SightSpan *next)
{
    int count = 1, last = view->radius;
    spans[0] = (SightSpan){{0, 1, 0, 0}, {2, 1, 0, 0}, false};
    for (int row = 1; row <= view->radius && count > 0; row++) {
        while (!view->by_halves && row * row + last * last > view->radius * view->radius)
            last--;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            to_next_row(&spans[i].from);
            to_next_row(&spans[i].to);
            kept = view->sector.has_walls
                       ? scan_span_among_walls(view, &spans[i], row, last, next, kept)
                       : scan_span(view, &spans[i], row, last, next, kept);
        }
        SightSpan *scanned = spans;
        spans = next;
        next = scanned;
        count = kept;
    }
}

static void scan_sectors(FieldOfView *view)
{
    SightSpan spans[2][MOST_SPANS];
    for (int i = 0; astar_sight_to_sector(&view->sector, i); i++)
        scan_sector(view, spans[0], spans[1]);
}

static bool sight_is_valid(const AstarGrid *grid, const AstarSight *sight)
{
    return sight->radius >= 0 && sight->radius <= ASTAR_MAX_SIGHT && sight->angle >= 0 &&
           sight->angle <= 360 && sight->facing < ASTAR_HEADING_COUNT &&
           (!sight->is_turned || fabs(sight->towards) <= MOST_TURNS) &&
           (sight->facing == ASTAR_NO_HEADING || grid->shape->has_corners ||
            (grid->shape->sides >> (sight->facing - 1) & 1) != 0);
}

// Returns the vector for an angle that is given clockwise from the east in radians. Its coordinates
// are rounded to whole numbers, so that they are the same on every machine. On hexagons 'along'
// counts half cells along a line of cells, and the lines are sqrt(3) half cells apart.
static AstarSightPlace facing_towards(const AstarShape *shape, double towards)
{
    double right = cos(towards), down = sin(towards);
    if (!shape->by_halves)
        return (AstarSightPlace){(int)floor(FACING_PARTS * right + 0.5),
                                 (int)floor(FACING_PARTS * down + 0.5)};
    double along = shape->in_columns ? down : right, across = shape->in_columns ? right : down;
    return (AstarSightPlace){(int)floor(2 * FACING_PARTS * along + 0.5),
                             (int)floor(2 * FACING_PARTS / sqrt(3) * across + 0.5)};
}

// Records for the field that all cells within the radius around (x, y) may have values other than
// 0.
static void note_seen(AstarField *field, int x, int y, int radius)
{
    int west = x > radius ? x - radius : 0, north = y > radius ? y - radius : 0;
    int east = field->width - x > radius ? x + radius + 1 : field->width;
    int south = field->height - y > radius ? y + radius + 1 : field->height;
    if ((field->shape->wraps & 1) != 0 && (x < radius || east - x <= radius)) {
        west = 0;
        east = field->width;
    }
    if ((field->shape->wraps & 2) != 0 && (y < radius || south - y <= radius)) {
        north = 0;
        south = field->height;
    }
    astar_field_note(field, west, north, east - west, south - north);
    field->version++;
}

AstarStatus astar_fov(AstarFinder *finder, int x, int y, const AstarSight *sight, AstarField *field)
{
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, x, y))
        return ASTAR_BAD_CELL;
    if (!sight_is_valid(grid, sight) || !astar_field_fits(field, grid))
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    FieldOfView view = {.sector = astar_sight_around(finder, x, y, sight->through_walls),
                        .field = field,
                        .radius = sight->radius,
                        .is_cone = sight->is_turned || sight->facing != ASTAR_NO_HEADING,
                        .is_turned = sight->is_turned,
                        .by_halves = grid->shape->by_halves};
    if (view.is_cone) {
        int side = (int)sight->facing - 1;
        view.facing = sight->is_turned
                          ? facing_towards(grid->shape, sight->towards)
                          : (AstarSightPlace){grid->shape->along[side], grid->shape->across[side]};
        view.cosine = (int64_t)floor(cos(sight->angle * (PI / 360)) * COSINE_OF_0 + 1e-6);
    }
    astar_field_wipe(field);
    field->values[astar_cell(grid, x, y)] = 1;
    scan_sectors(&view);
    note_seen(field, x, y, sight->radius);
    return ASTAR_OK;
}
