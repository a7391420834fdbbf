// sight.c -- decides whether a unit can go straight from one cell to another, for smoothing and
// any-angle routes, and finds out how far it can go (finder:raycast and finder:sweep).
//
// If the bitmap of walkable cells decides everything, a line is examined one row at a time. Between
// the centres of one row and of the next the line covers a range of columns, and all cells of both
// rows in that range must be free. One word of the bitmap holds 64 cells. All numbers are whole, so
// a line that touches a corner is distinguished from a line that cuts it.
//
// Otherwise a line is followed step by step over the cells of a path along the line, and the cost
// of the line is the sum of the costs of these steps. The unit's body also needs cells beside this
// path. At each step the squares between four centres that the line crosses are determined. The
// squares are numbered by the columns and rows of centres that the line has crossed.

#include "search/sight.h"

#include "base/directions.h"
#include "search/reachable.h"
#include "search/search.h"

#include <math.h>

// Work, in units, of a step whose cost is computed. One unit is the work of reading a cell from the
// bitmap.
enum { COSTLY = 8 };

bool astar_sight_is_plain(const AstarFinder *finder)
{
    return astar_finder_allows(finder, ASTAR_BITMAP_LINES);
}

// The functions below examine lines by the bitmap of walkable cells.

// The columns of a band, which lies between two rows of centres: where a line crosses the first and
// the second of these rows, in columns from the start of the line.
typedef struct Band {
    int64_t low, low_up, high_down,
        high; // at the first row rounded down and up, at the next row rounded down and up
} Band;

// A line that is examined one band of rows at a time.
typedef struct Glance {
    const uint64_t *row, *next;
    int64_t columns, rows; // the extent of the line
    int64_t each, rest_each, at, rest;
    int64_t each_block, rest_each_block; // 'each' and 'rest_each' for PASSED_AT_ONCE rows together
} Glance;

ASTAR_SPECIALIZE Band next_band(Glance *glance)
{
    Band band = {.low = glance->at, .low_up = glance->at + (glance->rest > 0)};
    glance->at += glance->each;
    glance->rest += glance->rest_each;
    if (glance->rest >= glance->rows) {
        glance->rest -= glance->rows;
        glance->at++;
    }
    band.high_down = glance->at;
    band.high = glance->at + (glance->rest > 0);
    return band;
}

ASTAR_SPECIALIZE bool row_is_free(const uint64_t *row, int x, int sign, int64_t first, int64_t last)
{
    return sign > 0 ? astar_row_is_full(row, x + first, x + last)
                    : astar_row_is_full(row, x - last, x - first);
}

ASTAR_SPECIALIZE bool is_free_at(const uint64_t *row, int64_t x)
{
    return (row[(size_t)(x + 1) >> 6] >> ((size_t)(x + 1) & 63) & 1) != 0;
}

// Returns true if a square body can pass a band. Must not be called for the band where the line
// begins.
ASTAR_SPECIALIZE bool square_passes(const Glance *glance, const Band *band, int x, int sign)
{
    int64_t first = sign > 0 ? x + band->low : x - band->high;
    return astar_rows_are_full(glance->row, glance->next, first, first + band->high - band->low);
}

// Returns true if a body can pass a band under a rule that cuts corners. If the line crosses
// between two centres side by side, both of these cells must be free, and so must the next cell
// that the line reaches. A line from one corner of a square to the opposite corner needs the same
// free cells as a diagonal step.
static bool diamond_passes(const AstarCornerRule *rule, const Glance *glance, const Band *band,
                           int x, int sign, bool begins)
{
    int64_t near_to = band->high - 1 > band->low_up ? band->high - 1 : band->low_up;
    int64_t far_from = band->low + 1 < band->high_down ? band->low + 1 : band->high_down;
    if (!row_is_free(glance->row, x, sign, band->low + begins, near_to) ||
        !row_is_free(glance->next, x, sign, far_from, band->high))
        return false;
    return glance->columns != glance->rows || rule->corners == ASTAR_CORNERS_ANY ||
           is_free_at(glance->row, x + sign * band->high) ||
           is_free_at(glance->next, x + sign * band->low);
}

enum { PASSED_AT_ONCE = 8 };

// Moves a line over several rows together, if all cells near the line in these rows are free.
// Otherwise returns false.
static bool pass_rows(Glance *glance, int x, int sign, ptrdiff_t stride)
{
    const int64_t rest = glance->rest + glance->rest_each_block;
    const bool carries = rest >= glance->rows;
    const int64_t at = glance->at + glance->each_block + carries;
    const int64_t after = carries ? rest - glance->rows : rest, high = at + (after > 0);
    size_t first = (size_t)((sign > 0 ? x + glance->at : x - high) + 1);
    size_t last = (size_t)((sign > 0 ? x + high : x - glance->at) + 1);
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        const uint64_t *row = glance->row + word;
        uint64_t mask = astar_bits_mask(word, first, last), all = UINT64_MAX;
        for (int i = 0; i <= PASSED_AT_ONCE; i++, row += stride)
            all &= *row;
        if ((all & mask) != mask)
            return false;
    }
    glance->at = at;
    glance->rest = after;
    glance->row += PASSED_AT_ONCE * stride;
    return true;
}

ASTAR_SPECIALIZE bool sees_by(const AstarFinder *finder, bool cuts, int x0, int y0, int x1, int y1,
                              uint64_t *spent)
{
    const AstarBits *bits = &finder->on.walkable->bits;
    const int sign = x1 < x0 ? -1 : 1;
    const ptrdiff_t stride = (y1 < y0 ? -1 : 1) * (ptrdiff_t)bits->stride;
    Glance glance = {.row = astar_bits_row(bits, y0),
                     .columns = llabs((int64_t)x1 - x0),
                     .rows = llabs((int64_t)y1 - y0)};
    *spent += 1 + (uint64_t)glance.columns / 64;
    if (glance.rows == 0)
        return row_is_free(glance.row, x0, sign, 1, glance.columns);
    glance.each = glance.columns / glance.rows;
    glance.rest_each = glance.columns % glance.rows;
    if (glance.rows > PASSED_AT_ONCE) {
        glance.each_block = PASSED_AT_ONCE * glance.columns / glance.rows;
        glance.rest_each_block = PASSED_AT_ONCE * glance.columns % glance.rows;
    }
    int64_t at_once = 1; // the next row at which several rows are tried in one go
    for (int64_t y = 0; y < glance.rows; y++, glance.row = glance.next) {
        if (y == at_once && y + PASSED_AT_ONCE < glance.rows) {
            while (y + PASSED_AT_ONCE < glance.rows && pass_rows(&glance, x0, sign, stride))
                y += PASSED_AT_ONCE;
            at_once = y + PASSED_AT_ONCE;
        }
        glance.next = glance.row + stride;
        Band band = next_band(&glance);
        bool passes;
        if (cuts)
            passes = diamond_passes(finder->rule, &glance, &band, x0, sign, y == 0);
        else if (y > 0)
            passes = square_passes(&glance, &band, x0, sign);
        else // the unit's own cell may hold its own block
            passes = row_is_free(glance.row, x0, sign, 1, band.high) &&
                     row_is_free(glance.next, x0, sign, 0, band.high);
        if (!passes) {
            *spent += (uint64_t)y;
            return false;
        }
    }
    *spent += (uint64_t)glance.rows;
    return true;
}

static bool sees_by_bits(const AstarFinder *finder, int x0, int y0, int x1, int y1, uint64_t *spent)
{
    return astar_body_cuts_corners(finder->rule) ? sees_by(finder, true, x0, y0, x1, y1, spent)
                                                 : sees_by(finder, false, x0, y0, x1, y1, spent);
}

// The functions below examine lines with a margin.

// The swath of a line: the cells that a unit's square, widened by the margin, touches along the
// line. A swath is a range of rows, with a range of columns for each row.
typedef struct Swath {
    const AstarFinder *finder;
    double x, y, dx, dy; // the start of the line, and its extent
    double reach;        // half the side of the square that no blocked cell's centre may enter
    int first, last;     // the rows of the swath
} Swath;

// Numbers whose distance to a whole number is at most this value are treated as whole.
static const double NEARLY_WHOLE = 1e-9;

// Stores the first and the last whole number strictly between 'low' and 'high', limited to the
// range 0 to 'most'.
static void between(double low, double high, int most, int *first, int *last)
{
    low = floor(low + NEARLY_WHOLE) + 1;
    high = ceil(high - NEARLY_WHOLE) - 1;
    *first = low > 0 ? (int)low : 0;
    *last = high < most ? (int)high : most;
}

static Swath swath_along(const AstarFinder *finder, int x0, int y0, int x1, int y1)
{
    Swath swath = {
        .finder = finder, .x = x0, .y = y0, .dx = x1 - (double)x0, .dy = y1 - (double)y0};
    swath.reach = 1 + finder->options.margin;
    between(fmin(y0, y1) - swath.reach, fmax(y0, y1) + swath.reach,
            finder->grid->height - finder->options.height, &swath.first, &swath.last);
    return swath;
}

static void columns_of_swath(const Swath *swath, int row, int *first, int *last)
{
    double from = 0, to = 1; // the part of the line that is near the row
    if (swath->dy != 0) {
        double before = (row - swath->reach - swath->y) / swath->dy;
        double after = (row + swath->reach - swath->y) / swath->dy;
        from = fmax(from, fmin(before, after));
        to = fmin(to, fmax(before, after));
    }
    double x0 = swath->x + from * swath->dx, x1 = swath->x + to * swath->dx;
    between(fmin(x0, x1) - swath->reach, fmax(x0, x1) + swath->reach,
            swath->finder->grid->width - swath->finder->options.size, first, last);
}

// Returns true if the widened square of the unit touches only free cells, by the bitmap. The unit's
// own cell may hold its own block.
static bool keeps_margin_by_bits(const Swath *swath, uint64_t *spent)
{
    const AstarBits *bits = &swath->finder->on.walkable->bits;
    for (int row = swath->first; row <= swath->last; row++) {
        int first, last, own = (int)swath->x;
        const uint64_t *words = astar_bits_row(bits, row);
        columns_of_swath(swath, row, &first, &last);
        *spent += 2;
        bool has_own = row == (int)swath->y && first <= own && last >= own;
        if (has_own ? !astar_row_is_full(words, first, own - 1) ||
                          !astar_row_is_full(words, own + 1, last)
                    : !astar_row_is_full(words, first, last))
            return false;
    }
    return true;
}

bool astar_sees_plainly(const AstarFinder *finder, int x0, int y0, int x1, int y1, uint64_t *spent)
{
    if (finder->options.margin > 0) {
        Swath swath = swath_along(finder, x0, y0, x1, y1);
        if (!keeps_margin_by_bits(&swath, spent))
            return false;
    }
    return sees_by_bits(finder, x0, y0, x1, y1, spent);
}

// Turns.

static int64_t cross(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    return ax * by - ay * bx;
}

bool astar_is_taut(const AstarFinder *finder, AstarCell from, AstarCell turn, AstarCell to)
{
    const bool cuts = astar_body_cuts_corners(finder->rule);
    const int64_t back_x = from.x - turn.x, back_y = from.y - turn.y;
    const int64_t on_x = to.x - turn.x, on_y = to.y - turn.y;
    const int64_t side = cross(on_x, on_y, back_x, back_y) > 0 ? 1 : -1;
    const unsigned free = astar_bits_around(&finder->on.walkable->bits, turn.x, turn.y);
    // For a square body, a slanted direction is barred if any of the three cells ahead is blocked.
    // For a diamond, it is barred only if the cell diagonally ahead is blocked.
    for (int d = cuts ? 0 : 1; d < ASTAR_DIRECTIONS; d += 2) {
        unsigned needed = cuts ? 1u << d : 1u << d | 1u << (d - 1) | 1u << ((d + 1) & 7);
        if ((free & needed) != needed && side * cross(on_x, on_y, astar_dx[d], astar_dy[d]) > 0 &&
            side * cross(astar_dx[d], astar_dy[d], back_x, back_y) > 0)
            return true;
    }
    return false;
}

// The functions below check lines cell by cell, by the costs of cells and steps.

// Finds out whether the unit can be at a cell. The unit can always be at its own cell, even if that
// cell is blocked.
static AstarStatus can_be_at(AstarCosts *costs, int x, int y, bool *can)
{
    double cost = INFINITY;
    AstarStatus status = ASTAR_OK;
    *can = x == costs->own_start.x && y == costs->own_start.y;
    if (*can || !astar_inside(costs->finder->grid, x, y))
        return ASTAR_OK;
    status = astar_costs_cell(costs, x, y, &cost);
    *can = isfinite(cost);
    return status;
}

// Finds out whether the unit can be at two neighbouring cells, and no wall bars the step from the
// first to the second. Slanted lines must not cross restricted cells, which allow single steps
// only.
static AstarStatus can_step_between(AstarCosts *costs, AstarLeg *leg, AstarCell from, AstarCell to,
                                    bool *can)
{
    const AstarGrid *grid = costs->finder->grid;
    leg->stop = from;
    AstarStatus status = can_be_at(costs, from.x, from.y, can);
    if (status != ASTAR_OK || !*can)
        return status;
    leg->stop = to;
    status = can_be_at(costs, to.x, to.y, can);
    if (status == ASTAR_OK && *can && astar_grid_has_walls(grid))
        *can = !astar_walls_bar(grid, from.x, from.y,
                                astar_direction(to.x - from.x, to.y - from.y)) &&
               !astar_is_restricted(grid, from.x, from.y) && !astar_is_restricted(grid, to.x, to.y);
    return status;
}

// Returns how far along a line the widened square first touches a cell, as a fraction of the line
// from 0 to 1.
static double arrival_at(const Swath *swath, int x, int y)
{
    double arrival = 0, apart[2] = {x - swath->x, y - swath->y}, way[2] = {swath->dx, swath->dy};
    for (int i = 0; i < 2; i++)
        if (way[i] != 0)
            arrival = fmax(arrival, (fabs(apart[i]) - swath->reach) / fabs(way[i]));
    return arrival;
}

// Finds out whether the widened square touches a cell that the unit cannot enter. Stores in '*stop'
// the first such cell along the line.
static AstarStatus look_over_swath(AstarCosts *costs, const Swath *swath, bool *stopped,
                                   AstarCell *stop)
{
    double nearest = INFINITY;
    for (int row = swath->first; row <= swath->last; row++) {
        int first, last;
        columns_of_swath(swath, row, &first, &last);
        for (int column = first; column <= last; column++) {
            bool can;
            AstarStatus status = can_be_at(costs, column, row, &can);
            if (status != ASTAR_OK)
                return status;
            double arrival = arrival_at(swath, column, row);
            if (can || arrival >= nearest)
                continue;
            nearest = arrival;
            *stop = (AstarCell){column, row};
        }
    }
    *stopped = isfinite(nearest);
    return ASTAR_OK;
}

// The functions below follow lines step by step, on squares.

// Returns the cell that lies 'i' columns and 'j' rows along a line from its start.
static AstarCell cell_along(const AstarLine *line, int64_t i, int64_t j)
{
    return (AstarCell){line->x + line->sign_x * (int)i, line->y + line->sign_y * (int)j};
}

// Finds out whether the body can cross the square that the leg has reached, in the direction of the
// line. The corners of that square are four centres of cells.
static AstarStatus square_is_clear(AstarCosts *costs, AstarLeg *leg, bool *clear)
{
    const AstarLine *line = &leg->line;
    const AstarGrid *grid = costs->finder->grid;
    for (int corner = 0; corner < 4; corner++) {
        leg->stop = cell_along(line, leg->i + (corner & 1), leg->j + (corner >> 1));
        AstarStatus status = can_be_at(costs, leg->stop.x, leg->stop.y, clear);
        if (status != ASTAR_OK || !*clear)
            return status;
        *clear = !astar_grid_has_walls(grid) ||
                 !astar_is_restricted(grid, leg->stop.x, leg->stop.y);
        if (!*clear)
            return ASTAR_OK;
    }
    AstarCell cell = cell_along(line, leg->i, leg->j);
    if (astar_grid_has_walls(grid))
        *clear = astar_sides_closed_by_walls(astar_walls_at(grid, cell.x, cell.y), grid->width,
                                             astar_direction(line->sign_x, line->sign_y),
                                             false) == 0;
    return ASTAR_OK;
}

// Finds out whether a line may cross from a square between four centres to the next square: over a
// column of centres, over a row of centres, or where both meet.
static AstarStatus can_cross(AstarCosts *costs, AstarLeg *leg, bool column, bool row, bool *can)
{
    AstarCell to = cell_along(&leg->line, leg->i + 1, leg->j + 1);
    leg->stop = to;
    if (column && row)
        return can_be_at(costs, to.x, to.y, can);
    AstarCell from = cell_along(&leg->line, leg->i + column, leg->j + row);
    return can_step_between(costs, leg, from, to, can);
}

// Follows a leg to the end of a step, over the squares between centres that the line crosses.
static AstarStatus step_over_squares(AstarCosts *costs, AstarLeg *leg, bool *clear)
{
    const AstarLine *line = &leg->line;
    const bool cuts = astar_body_cuts_corners(costs->finder->rule);
    const int64_t n = line->steps, end = leg->step + 1;
    AstarStatus status = ASTAR_OK;
    if (!cuts)
        status = square_is_clear(costs, leg, clear);
    while (status == ASTAR_OK && *clear) {
        int64_t column_at = (leg->i + 1) * line->dy, row_at = (leg->j + 1) * line->dx;
        bool column = column_at <= row_at, row = row_at <= column_at;
        int64_t crossed = column ? (leg->i + 1) * n - end * line->dx
                                 : (leg->j + 1) * n -
                                       end * line->dy; // above 0: beyond the end of the step
        if (crossed > 0 || (crossed == 0 && end == n))
            break;
        if (cuts)
            status = can_cross(costs, leg, column, row, clear);
        leg->i += column;
        leg->j += row;
        if (crossed == 0)
            break; // the next step begins with the square that is entered here
        if (!cuts && status == ASTAR_OK)
            status = square_is_clear(costs, leg, clear);
    }
    return status;
}

// The functions below follow lines step by step, on hexagons.

// Returns the cell at an offset from the line's start, along the two axes of a line on hexagons.
static AstarCell hexagon_along(const AstarLine *line, int64_t aside, int64_t across)
{
    const AstarShape *shape = &astar_shapes[line->offset];
    AstarMiddle middle = astar_middle_by_halves(shape, line->x, line->y);
    AstarCell cell;
    middle.along += 2 * aside + across;
    middle.across += across;
    astar_cell_by_halves(shape, middle, &cell.x, &cell.y);
    return cell;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// Finds out whether a line on hexagons may cross the lines of centres along one axis that it
// reaches within a step. Each crossing lies between two centres, and the unit must be able to step
// from one of the two cells to the other. 'all' is the extent of the line across the axis. 'aside'
// and 'across' are the position of a crossing along the line's own two axes.
static AstarStatus crosses_axis(AstarCosts *costs, AstarLeg *leg, int axis, bool *clear)
{
    const AstarLine *line = &leg->line;
    const int64_t n = line->steps, before = leg->step, end = before + 1;
    const int64_t all = axis == 0 ? line->dx : axis == 1 ? line->dy : line->dx + line->dy;
    const int sign = all < 0 ? -1 : 1;
    int64_t crossed = before * llabs(all) / n;
    for (int64_t k = crossed + 1; k * n <= end * llabs(all); k++) {
        // The crossing lies at the fraction k / |all| of the line.
        int64_t whole = llabs(all), aside = k * line->dx, across = k * line->dy;
        if (aside % whole == 0 && across % whole == 0)
            continue; // the crossing is a centre, which is a cell of the step itself
        int64_t low_aside = floor_div(aside, whole), low_across = floor_div(across, whole);
        AstarCell a, b;
        bool forward;
        if (axis == 0) { // between two centres, one above the other
            a = hexagon_along(line, sign * k, low_across);
            b = hexagon_along(line, sign * k, low_across + 1);
            forward = line->dy > 0;
        } else if (axis == 1) {
            a = hexagon_along(line, low_aside, sign * k);
            b = hexagon_along(line, low_aside + 1, sign * k);
            forward = line->dx > 0;
        } else {
            a = hexagon_along(line, low_aside, sign * k - low_aside);
            b = hexagon_along(line, low_aside + 1, sign * k - low_aside - 1);
            forward = line->dx > line->dy;
        }
        AstarStatus status = can_step_between(costs, leg, forward ? a : b, forward ? b : a, clear);
        if (status != ASTAR_OK || !*clear)
            return status;
    }
    return ASTAR_OK;
}

static AstarStatus step_over_hexagons(AstarCosts *costs, AstarLeg *leg, bool *clear)
{
    AstarStatus status = ASTAR_OK;
    for (int axis = 0; axis < 3 && status == ASTAR_OK && *clear; axis++)
        status = crosses_axis(costs, leg, axis, clear);
    return status;
}

// The functions below follow lines step by step, on any grid.

AstarLeg astar_leg_at(const AstarFinder *finder, const AstarLine *line, int64_t step)
{
    AstarLeg leg = {.line = *line, .step = step};
    if (line->steps == 0 || line->jump)
        return leg;
    if (astar_finder_goes_by_sides(finder)) {
        leg.is_diagonal = line->dx != 0 && line->dy != 0 && line->dx + line->dy != 0;
        return leg;
    }
    leg.is_diagonal = line->dx != 0 && line->dy != 0 && (line->dx != line->dy || line->orthogonal);
    leg.i = step * line->dx / line->steps;
    leg.j = step * line->dy / line->steps;
    return leg;
}

AstarStatus astar_leg_step(AstarCosts *costs, AstarLeg *leg, bool *clear)
{
    AstarStatus status = ASTAR_OK;
    *clear = true;
    if (leg->is_diagonal)
        status = leg->line.offset == ASTAR_NO_OFFSET ? step_over_squares(costs, leg, clear)
                                                     : step_over_hexagons(costs, leg, clear);
    leg->step++;
    return status;
}

// Makes the step number 'step' of a line, counted from 1, from the cell (*x, *y), and computes its
// cost. If the step cannot be made, '*cost' is INFINITY and '*stop' is the cell that bars it. If a
// callback fails, '*cost' and '*stop' are not set.
ASTAR_SPECIALIZE AstarStatus step_to_cell(AstarCosts *costs, const AstarLine *line, int64_t step,
                                          int *x, int *y, double *cost, AstarCell *stop)
{
    int next_x, next_y, barred;
    astar_line_cell(line, step, &next_x, &next_y);
    AstarStatus status = astar_costs_step(costs, *x, *y, astar_direction(next_x - *x, next_y - *y),
                                          cost, &barred);
    if (status != ASTAR_OK)
        return status;
    if (isinf(*cost))
        *stop = (AstarCell){*x + astar_dx[barred], *y + astar_dy[barred]};
    *x = next_x;
    *y = next_y;
    return ASTAR_OK;
}

// Makes the next step of a leg like step_to_cell. The step cannot be made if the body cannot.
static AstarStatus make_next_step(AstarCosts *costs, AstarLeg *leg, int *x, int *y, double *cost,
                                  AstarCell *stop)
{
    bool clear = true;
    AstarStatus status = step_to_cell(costs, &leg->line, leg->step + 1, x, y, cost, stop);
    if (status != ASTAR_OK || isinf(*cost))
        return status;
    status = astar_leg_step(costs, leg, &clear);
    if (!clear) {
        *cost = INFINITY;
        *stop = leg->stop;
    }
    return status;
}

AstarStatus astar_sees(AstarCosts *costs, int x0, int y0, int x1, int y1, double limit, bool *sees,
                       uint64_t *spent)
{
    const AstarFinder *finder = costs->finder;
    AstarCell stop;
    if (astar_sight_is_plain(finder)) {
        *sees = astar_sees_plainly(finder, x0, y0, x1, y1, spent);
        return ASTAR_OK;
    }
    AstarLine line = astar_line_on(finder->grid->shape, x0, y0, x1, y1,
                                   !finder->rule->has_diagonals);
    AstarLeg leg = astar_leg_at(finder, &line, 0);
    *sees = false;
    if (finder->options.margin > 0) {
        Swath swath = swath_along(finder, x0, y0, x1, y1);
        bool stopped;
        *spent += COSTLY * (uint64_t)line.steps;
        AstarStatus status = look_over_swath(costs, &swath, &stopped, &stop);
        if (status != ASTAR_OK || stopped)
            return status;
    }
    double cost = 0;
    while (leg.step < line.steps) {
        double step, rest = (double)(line.steps - leg.step) * finder->min_cost * (1 - 1e-6);
        if (cost + rest > limit)
            return ASTAR_OK;
        *spent += COSTLY;
        AstarStatus status = make_next_step(costs, &leg, &x0, &y0, &step, &stop);
        if (status != ASTAR_OK || isinf(step))
            return status;
        cost += astar_finder_round(finder, step);
    }
    *sees = cost <= limit;
    return ASTAR_OK;
}

// The functions below answer finder:raycast and finder:sweep.
//
// A ray is a line without a body: each step along the cells of the line must be legal by the
// finder's corner rule. If no corner may be cut, a clear ray thus touches no blocked cell at all. A
// line has the same cells in both directions. The result of a ray is therefore the same in both
// directions if the unit can enter both ends, unless a one-way wall or a step_cost callback makes a
// difference. A sweep follows the line with the unit's body, as above.

// Follows a ray until a step is not legal. Sets '*stopped', and stores in '*stop' the cell that
// stops it.
static AstarStatus follow_ray(AstarCosts *costs, int x0, int y0, int x1, int y1, bool *stopped,
                              AstarCell *stop)
{
    const AstarFinder *finder = costs->finder;
    AstarLine line = astar_line_on(finder->grid->shape, x0, y0, x1, y1,
                                   !finder->rule->has_diagonals);
    for (int64_t i = 1; i <= line.steps; i++) {
        double cost;
        AstarStatus status = step_to_cell(costs, &line, i, &x0, &y0, &cost, stop);
        if (status != ASTAR_OK)
            return status;
        if (isinf(cost)) {
            *stopped = true;
            return ASTAR_OK;
        }
    }
    return ASTAR_OK;
}

// Follows a line like follow_ray, but until an obstacle stops the body of the unit.
static AstarStatus sweep_line(AstarCosts *costs, int x0, int y0, int x1, int y1, bool *stopped,
                              AstarCell *stop)
{
    const AstarFinder *finder = costs->finder;
    AstarLine line = astar_line_on(finder->grid->shape, x0, y0, x1, y1,
                                   !finder->rule->has_diagonals);
    AstarLeg leg = astar_leg_at(finder, &line, 0);
    if (finder->options.margin > 0) {
        Swath swath = swath_along(finder, x0, y0, x1, y1);
        AstarStatus status = look_over_swath(costs, &swath, stopped, stop);
        if (status != ASTAR_OK || *stopped)
            return status;
    }
    while (leg.step < line.steps && !*stopped) {
        double cost;
        AstarStatus status = make_next_step(costs, &leg, &x0, &y0, &cost, stop);
        if (status != ASTAR_OK)
            return status;
        *stopped = isinf(cost);
    }
    return ASTAR_OK;
}

// Follows a line for a query, by follow_ray or sweep_line. The blocks that the unit covers on the
// first cell are ignored, because they may be the unit itself. A unit that cannot be on that cell
// is stopped there.
ASTAR_SPECIALIZE AstarStatus follow_for_query(AstarSearch *search, int x0, int y0, int x1, int y1,
                                              bool has_body, bool *stopped, int *x, int *y)
{
    AstarCell stop = {x0, y0};
    AstarStatus status;
    if (!astar_inside(search->grid, x0, y0) || !astar_inside(search->grid, x1, y1))
        status = ASTAR_BAD_CELL;
    else if (search->grid->shape->wraps != 0)
        status = ASTAR_BAD_WRAP;
    else
        status = astar_ignore_own_blocks(search, x0, y0, false);
    *stopped = status == ASTAR_OK && !astar_terrain_allows(search->finder, x0, y0);
    if (status == ASTAR_OK && !*stopped)
        status = (has_body ? sweep_line : follow_ray)(&search->costs, x0, y0, x1, y1, stopped,
                                                      &stop);
    *x = stop.x;
    *y = stop.y;
    return status;
}

AstarStatus astar_search_sweep(AstarSearch *search, int x0, int y0, int x1, int y1, void *context,
                               bool *stopped, int *x, int *y)
{
    search->costs.context = context;
    return follow_for_query(search, x0, y0, x1, y1, true, stopped, x, y);
}

ASTAR_COLD AstarStatus astar_search_raycast(AstarSearch *search, int x0, int y0, int x1, int y1,
                                            void *context, bool *stopped, int *x, int *y)
{
    search->costs.context = context;
    return follow_for_query(search, x0, y0, x1, y1, false, stopped, x, y);
}
