// path_area.c -- Decides from the log of edits whether a path that could be walked can still be
// walked.
//
// A path depends only on cells near the path, and most edits are far away from it. The first test
// of an edit compares two rectangles. The second test looks up the squares that the path crosses,
// in a bitmap of at most 16 x 16 squares. Only an edit that meets one of these squares is compared
// with the legs of the path, each of which is halved until its parts are clear of the edit.

#include "base/line.h"
#include "finder/finder.h"
#include "search/path.h"

enum {
    PATH_SQUARES = 16, // number of squares in a row, and of rows
    // Number of cells beside the cells of a path on which its steps may depend: the cells beside a
    // diagonal step, and those that the line between two cells of a slanted leg crosses.
    PATH_MARGIN = 2,
    // Number of columns or rows by which a line between two hexagons may leave the rectangle
    // between its ends.
    PATH_MARGIN_OF_HEXAGONS = 1
};
static_assert(PATH_SQUARES * PATH_SQUARES == 64 * sizeof((AstarPathArea *)0)->squares / 8,
              "a bit per square");

// The cells from (x0, y0) to (x1, y1), both included.
typedef struct Region {
    int x0, y0, x1, y1;
} Region;

static Region region_of(int x0, int y0, int x1, int y1)
{
    return (Region){x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0};
}

static bool regions_meet(const Region *a, const Region *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

// A visitor: a function that is called with the region that contains a straight part of a path. If
// the visitor returns true, it is called for the two halves of the part, too.
typedef bool (*Visit)(void *context, const Region *part);

// A part of a leg that is still to be visited: the numbers of its first and last step, counted from
// the start of the leg.
typedef struct Span {
    int64_t first, last;
} Span;

enum { SPANS_OF_LEG = 40 }; // more than the times that a leg of 2^31 cells can be halved

// Visits a leg: first the whole leg, then the halves of each part for which the visitor returns
// true. The two ends of a link, or of a step over the edge of the map, are visited one by one.
// Returns true if the visitor has returned true for a single cell, which cannot be halved.
static bool visit_leg(const AstarPath *path, int leg, int from, Visit visit, void *context)
{
    AstarLine line = astar_path_line(path, leg);
    const AstarPoint *point = &path->points[leg];
    Span spans[SPANS_OF_LEG];
    int count = 0;
    bool met = false;
    spans[count++] = (Span){from > point->index ? from - point->index : 0, line.steps};
    while (count > 0) {
        Span span = spans[--count];
        int x0, y0, x1, y1;
        astar_line_cell(&line, span.first, &x0, &y0);
        astar_line_cell(&line, span.last, &x1, &y1);
        if (span.first == span.last || !line.jump) {
            Region part = region_of(x0, y0, x1, y1);
            if (!visit(context, &part))
                continue;
        }
        if (span.first == span.last) {
            met = true;
            continue;
        }
        int64_t middle = span.first + (span.last - span.first) / 2;
        spans[count++] = (Span){middle + 1, span.last};
        spans[count++] = (Span){span.first, middle};
    }
    return met;
}

// The functions below compute the area of a path.

static void find_box(const AstarPath *path, AstarPathArea *area)
{
    int x0 = path->points[0].x, y0 = path->points[0].y, x1 = x0, y1 = y0;
    for (int i = 1; i < path->count; i++) {
        const AstarPoint *point = &path->points[i];
        x0 = point->x < x0 ? point->x : x0;
        x1 = point->x > x1 ? point->x : x1;
        y0 = point->y < y0 ? point->y : y0;
        y1 = point->y > y1 ? point->y : y1;
    }
    area->x0 = x0;
    area->y0 = y0;
    area->x1 = x1;
    area->y1 = y1;
    int longer = x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0;
    for (area->shift = 0; longer >> area->shift >= PATH_SQUARES; area->shift++)
        continue;
    area->has_box = true;
}

// Returns the columns and rows of the squares that a region overlaps. The region must overlap the
// box of the path.
static Region squares_of(const AstarPathArea *area, const Region *region)
{
    Region in = {region->x0 > area->x0 ? region->x0 : area->x0,
                 region->y0 > area->y0 ? region->y0 : area->y0,
                 region->x1 < area->x1 ? region->x1 : area->x1,
                 region->y1 < area->y1 ? region->y1 : area->y1};
    return (Region){(in.x0 - area->x0) >> area->shift, (in.y0 - area->y0) >> area->shift,
                    (in.x1 - area->x0) >> area->shift, (in.y1 - area->y0) >> area->shift};
}

// Returns the bits of the consecutive squares x0 to x1 of a row, within the word that contains the
// row.
static uint64_t bits_of_row(const Region *squares, int row)
{
    uint64_t run = (UINT64_C(2) << (squares->x1 - squares->x0)) - 1;
    return run << squares->x0 << row % (64 / PATH_SQUARES) * PATH_SQUARES;
}

// Marks the squares in which a part of the path lies, if they are at most 2 x 2 squares. Otherwise
// returns true, so that the two halves of the part are visited.
static bool mark_part(void *context, const Region *part)
{
    AstarPathArea *area = context;
    Region squares = squares_of(area, part);
    if (squares.x1 - squares.x0 > 1 || squares.y1 - squares.y0 > 1)
        return true;
    for (int row = squares.y0; row <= squares.y1; row++)
        area->squares[row / (64 / PATH_SQUARES)] |= bits_of_row(&squares, row);
    return false;
}

static void mark_squares(const AstarPath *path, AstarPathArea *area)
{
    bool met = path->count == 1 &&
               mark_part(area, &(Region){area->x0, area->y0, area->x0, area->y0});
    for (int leg = 0; leg + 1 < path->count; leg++)
        met |= visit_leg(path, leg, 0, mark_part, area);
    assert(!met); // one cell lies in one square
    area->has_squares = true;
}

static bool meets_squares(const AstarPathArea *area, const Region *region)
{
    Region squares = squares_of(area, region);
    for (int row = squares.y0; row <= squares.y1; row++)
        if ((area->squares[row / (64 / PATH_SQUARES)] & bits_of_row(&squares, row)) != 0)
            return true;
    return false;
}

// The functions below compare an edit with a path.

static bool meets_part(void *context, const Region *part)
{
    return regions_meet(context, part);
}

// Returns true if a cell of the path, from the cell 'from' on, lies in a region.
static bool path_meets(const AstarPath *path, int from, Region *region)
{
    if (path->count == 1)
        return true;
    int first = from < path->cells - 1 ? astar_path_leg(path, from) : path->count - 2;
    for (int leg = first; leg + 1 < path->count; leg++) {
        const AstarPoint *point = &path->points[leg];
        Region ends = region_of(point->x, point->y, point[1].x, point[1].y);
        if (regions_meet(&ends, region) && visit_leg(path, leg, from, meets_part, region))
            return true;
    }
    return false;
}

// Returns a region around an edit: only paths with cells in this region depend on the edit. On a
// map that wraps around, a region that extends over an edge of the map is widened to all columns,
// or all rows.
static Region region_of_edit(const AstarFinder *finder, const AstarEdit *edit)
{
    const AstarGrid *grid = finder->grid;
    int after = grid->shape->has_corners ? PATH_MARGIN : PATH_MARGIN + PATH_MARGIN_OF_HEXAGONS;
    const AstarBody body = astar_finder_body(finder);
    int west = after + body.width - 1, north = after + body.height - 1;
    int width = edit->width > 0 ? edit->width : 1, height = edit->width > 0 ? edit->height : 1;
    Region region = {edit->x - west, edit->y - north, edit->x + width - 1 + after,
                     edit->y + height - 1 + after};
    if ((grid->shape->wraps & 1) != 0 && (region.x0 < 0 || region.x1 >= grid->width)) {
        region.x0 = 0;
        region.x1 = grid->width - 1;
    }
    if ((grid->shape->wraps & 2) != 0 && (region.y0 < 0 || region.y1 >= grid->height)) {
        region.y0 = 0;
        region.y1 = grid->height - 1;
    }
    return region;
}

bool astar_path_outlasts(const AstarPath *path, const AstarFinder *finder, int from,
                         uint64_t version, AstarPathArea *area)
{
    const AstarGrid *grid = finder->grid;
    uint64_t ignored = finder->options.ignore;
    if (path->count == 0 || from < 0 || from >= path->cells ||
        !astar_knows_edits_since(grid, ignored, version))
        return false;
    AstarEditsSince edits = astar_edits_since(grid, ignored, version);
    for (const AstarEdit *e = astar_next_edit(&edits); e != NULL; e = astar_next_edit(&edits)) {
        if (!astar_edit_is_at_cells(e))
            return false;
        if (!area->has_box)
            find_box(path, area);
        Region region = region_of_edit(finder, e);
        if (!regions_meet(&region, &(Region){area->x0, area->y0, area->x1, area->y1}))
            continue;
        if (!area->has_squares)
            mark_squares(path, area);
        if (meets_squares(area, &region) && path_meets(path, from, &region))
            return false;
    }
    return true;
}
