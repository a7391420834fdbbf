// fov.c -- fields of view: symmetric shadowcasting (after Albert Ford, 2017), exact in integers.
//
// Around the viewer lie sectors, eight of squares, six of hexagons, each scanned row by row: row d
// holds the cells 0 to d, and a line of slope s from 0 to 1 crosses it at s * d. A cell that stops
// sight stops the lines that cross its row less than half a cell from its middle, as a diamond in
// it would; where a line passes between two cells, both must stop it. Only the rows between two
// cells count, which are the same from either, so what can be entered sees alike both ways. Of what
// stops sight is seen what a line reaches.
//
// The slopes not stopped yet are closed spans, apart from each other by the shadow of a cell at
// least: of row d there are d + 1 at most. A span may be a single slope, along a line that touches
// cells on both sides. Where its edges cross a row is counted on from row to row, in half cells, so
// nothing is divided.

#include "map/field.h"
#include "search/search.h"

#include <math.h>

enum { COSINE_OF_0 = 1 << 14 };
static const double PI = 3.14159265358979323846;

// A slope of n / d half cells a row; it crosses the row at hand 'at' and rest / d half cells from
// the middle of the first cell.
typedef struct SightEdge {
    int32_t n, d, at, rest;
} SightEdge;

typedef struct SightSpan {
    SightEdge from, to;
} SightSpan;

// A place by columns and rows, of hexagons as AstarMiddle has it.
typedef struct SightPlace {
    int along, across;
} SightPlace;

typedef struct FieldOfView {
    const AstarBits *bits; // 1: sight passes
    AstarField *field;
    int radius;
    SightPlace eye, facing;
    int64_t cosine; // of half the angle of view, in parts of COSINE_OF_0
    bool is_cone, by_halves;
    SightPlace step, aside; // in the sector: to the next row, to the next cell of one
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

// The sum of products, by which the length of a place and its angle to another are told.
static int64_t sight_product(const FieldOfView *view, SightPlace a, SightPlace b)
{
    int64_t across = (int64_t)a.across * b.across;
    return (int64_t)a.along * b.along + (view->by_halves ? 3 * across : across);
}

// Whether a place, seen from the eye, lies within the angle of view.
static bool is_in_cone(const FieldOfView *view, SightPlace place)
{
    int64_t ahead = sight_product(view, place, view->facing), cosine = view->cosine;
    int64_t lengths = sight_product(view, place, place) *
                      sight_product(view, view->facing, view->facing);
    int64_t square = ahead * ahead * COSINE_OF_0 * COSINE_OF_0, least = cosine * cosine * lengths;
    return cosine >= 0 ? ahead >= 0 && square >= least : ahead >= 0 || square <= least;
}

static inline bool cell_in_view(const FieldOfView *view, SightPlace place, int *x, int *y)
{
    const AstarField *field = view->field;
    *x = view->eye.along + place.along;
    *y = view->eye.across + place.across;
    if (view->by_halves)
        astar_cell_of_middle(field->shape, (AstarMiddle){*x, *y}, x, y);
    if ((field->shape->wraps & 1) != 0)
        *x = (*x % field->width + field->width) % field->width;
    if ((field->shape->wraps & 2) != 0)
        *y = (*y % field->height + field->height) % field->height;
    return (unsigned)*x < (unsigned)field->width && (unsigned)*y < (unsigned)field->height;
}

// The cells of a row that a span touches, and those it sees, by whether sight passes them: of those
// that it passes the middle must be within, of others any of the half cells to both sides.
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

// Whether sight passes a cell of a row; sees it where the span does.
static inline bool see_by_span(const FieldOfView *view, const SightRow *seen, SightPlace place,
                               int number)
{
    int x, y;
    if (!cell_in_view(view, place, &x, &y))
        return false;
    bool passes = astar_bits_get(view->bits, x, y);
    if (number >= seen->seen_first[passes] && number <= seen->seen_last[passes] &&
        (!view->is_cone || is_in_cone(view, place)))
        view->field->values[(size_t)y * (size_t)view->field->width + (size_t)x] = 1;
    return passes;
}

// Scans a row as far as a span sees it, 'last' its last cell within the radius. Appends what of the
// span goes on; how many there are then.
static int scan_span(const FieldOfView *view, const SightSpan *span, int row, int last,
                     SightSpan *next, int count)
{
    SightRow seen = row_in_span(span);
    SightPlace place = {row * view->step.along + seen.first * view->aside.along,
                        row * view->step.across + seen.first * view->aside.across};
    bool is_open = false;
    int end = seen.last < last ? seen.last : last;
    for (int number = seen.first; number <= end; number++) {
        bool passes = see_by_span(view, &seen, place, number);
        place.along += view->aside.along;
        place.across += view->aside.across;
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

static void scan_sector(const FieldOfView *view, SightSpan *spans, SightSpan *next)
{
    int count = 1, last = view->radius;
    spans[0] = (SightSpan){{0, 1, 0, 0}, {2, 1, 0, 0}};
    for (int row = 1; row <= view->radius && count > 0; row++) {
        while (!view->by_halves && row * row + last * last > view->radius * view->radius)
            last--;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            to_next_row(&spans[i].from);
            to_next_row(&spans[i].to);
            kept = scan_span(view, &spans[i], row, last, next, kept);
        }
        SightSpan *scanned = spans;
        spans = next;
        next = scanned;
        count = kept;
    }
}

// One step over a side.
static SightPlace sight_step(const AstarShape *shape, int side)
{
    return (SightPlace){shape->along[side], shape->across[side]};
}

static void scan_sectors(FieldOfView *view)
{
    SightSpan spans[2][ASTAR_MAX_SIGHT + 1];
    const AstarShape *shape = view->field->shape;
    for (int side = 0; side < ASTAR_DIRECTIONS; side++) {
        if ((shape->sides >> side & 1) == 0)
            continue;
        int after = (side + 1) % ASTAR_DIRECTIONS;
        while ((shape->sides >> after & 1) == 0)
            after = (after + 1) % ASTAR_DIRECTIONS;
        view->step = sight_step(shape, side);
        view->aside = sight_step(shape, after);
        if (view->by_halves) {
            view->aside.along -= view->step.along;
            view->aside.across -= view->step.across;
        }
        scan_sector(view, spans[0], spans[1]);
        if (view->by_halves)
            continue;
        view->aside = (SightPlace){-view->aside.along, -view->aside.across};
        scan_sector(view, spans[0], spans[1]);
    }
}

static bool sight_is_valid(const AstarGrid *grid, const AstarSight *sight)
{
    return sight->radius >= 0 && sight->radius <= ASTAR_MAX_SIGHT && sight->angle >= 0 &&
           sight->angle <= 360 && sight->facing < ASTAR_HEADING_COUNT &&
           (sight->facing == ASTAR_NO_HEADING || grid->shape->has_corners ||
            (grid->shape->sides >> (sight->facing - 1) & 1) != 0);
}

// Notes that cells so near may be other than 0.
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
    const AstarWalkable *walkable = finder->on.walkable;
    FieldOfView view = {.bits = &(walkable->base != NULL ? walkable->base : walkable)->bits,
                        .field = field,
                        .radius = sight->radius,
                        .eye = {x, y},
                        .is_cone = sight->facing != ASTAR_NO_HEADING,
                        .by_halves = grid->shape->by_halves};
    if (view.by_halves) {
        AstarMiddle middle = astar_middle(grid->shape, x, y);
        view.eye = (SightPlace){(int)middle.along, (int)middle.across};
    }
    if (view.is_cone) {
        view.facing = sight_step(grid->shape, (int)sight->facing - 1);
        view.cosine = (int64_t)floor(cos(sight->angle * (PI / 360)) * COSINE_OF_0 + 1e-6);
    }
    astar_field_wipe(field);
    field->values[astar_cell(grid, x, y)] = 1;
    scan_sectors(&view);
    note_seen(field, x, y, sight->radius);
    return ASTAR_OK;
}
