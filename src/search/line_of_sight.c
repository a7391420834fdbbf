// line_of_sight.c -- decides whether one cell sees another (finder:sees); the rules are in
// line_of_sight.h.

#include "search/line_of_sight.h"

#include "map/links_and_walls.h"
#include "search/search.h"

static AstarSightPlace sight_step_over(const AstarShape *shape, int side)
{
    return (AstarSightPlace){shape->along[side], shape->across[side]};
}

AstarSightSector astar_sight_around(const AstarFinder *finder, int x, int y, bool through_walls)
{
    const AstarGrid *grid = finder->grid;
    const AstarWalkable *walkable = finder->on.walkable;
    AstarSightSector sector = {.grid = grid,
                               .bits = &(walkable->base != NULL ? walkable->base : walkable)->bits,
                               .eye = {x, y},
                               .has_walls = !through_walls && astar_grid_has_walls(grid)};
    if (grid->shape->by_halves) {
        AstarMiddle middle = astar_middle(grid->shape, x, y);
        sector.eye = (AstarSightPlace){(int)middle.along, (int)middle.across};
    }
    return sector;
}

// On squares there are two sectors per side of the viewer's cell, one to the right and one to the
// left of the side.
bool astar_sight_to_sector(AstarSightSector *sector, int number)
{
    const AstarShape *shape = sector->grid->shape;
    int each = shape->by_halves ? 1 : 2, side = -1;
    for (int left = number / each; left >= 0; left--) {
        do
            side++;
        while (side < ASTAR_DIRECTIONS && (shape->sides >> side & 1) == 0);
        if (side == ASTAR_DIRECTIONS)
            return false;
    }
    int after = (side + 1) % ASTAR_DIRECTIONS;
    while ((shape->sides >> after & 1) == 0)
        after = (after + 1) % ASTAR_DIRECTIONS;
    if (number % each == 1)
        after = (after + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS;
    sector->side = side;
    sector->diagonal = after;
    sector->step = sight_step_over(shape, side);
    sector->aside = sight_step_over(shape, after);
    if (shape->by_halves) {
        sector->aside.along -= sector->step.along;
        sector->aside.across -= sector->step.across;
    }
    return true;
}

bool astar_sight_cell(const AstarSightSector *sector, int row, int64_t number, int *x, int *y)
{
    const AstarGrid *grid = sector->grid;
    const AstarShape *shape = grid->shape;
    int64_t along = sector->eye.along + (int64_t)row * sector->step.along +
                    number * sector->aside.along;
    int64_t across = sector->eye.across + (int64_t)row * sector->step.across +
                     number * sector->aside.across;
    *x = (int)along;
    *y = (int)across;
    if (shape->by_halves)
        astar_cell_of_middle(shape, (AstarMiddle){along, across}, x, y);
    if ((shape->wraps & 1) != 0)
        *x = (*x % grid->width + grid->width) % grid->width;
    if ((shape->wraps & 2) != 0)
        *y = (*y % grid->height + grid->height) % grid->height;
    return astar_inside(grid, *x, *y);
}

static bool sight_passes(const AstarSightSector *sector, int row, int64_t number)
{
    int x, y;
    return astar_sight_cell(sector, row, number, &x, &y) && astar_bits_get(sector->bits, x, y);
}

// Returns true if a wall bars both directions over the side between two cells of the sector. Both
// cells must be on the map.
static bool is_wall_between(const AstarSightSector *sector, int row, int64_t number, int to_row,
                            int64_t to_number, int side)
{
    const AstarShape *shape = sector->grid->shape;
    int x, y, to_x, to_y, back = (side + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS;
    if (!astar_sight_cell(sector, row, number, &x, &y) ||
        !astar_sight_cell(sector, to_row, to_number, &to_x, &to_y))
        return false;
    return astar_walls_bar(sector->grid, x, y, shape->steps_over[astar_phase(shape, x, y)][side]) &&
           astar_walls_bar(sector->grid, to_x, to_y,
                           shape->steps_over[astar_phase(shape, to_x, to_y)][back]);
}

bool astar_sight_is_walled(const AstarSightSector *sector, int row, int64_t number,
                           AstarSightStep step)
{
    int next = row + 1;
    if (step == ASTAR_SIGHT_STRAIGHT)
        return is_wall_between(sector, row, number, next, number, sector->side);
    if (sector->grid->shape->by_halves)
        return is_wall_between(sector, row, number, next, number + 1, sector->diagonal);
    bool is_early_walled = is_wall_between(sector, row, number, row, number + 1,
                                           sector->diagonal) ||
                           is_wall_between(sector, row, number + 1, next, number + 1, sector->side);
    bool is_late_walled = is_wall_between(sector, row, number, next, number, sector->side) ||
                          is_wall_between(sector, next, number, next, number + 1, sector->diagonal);
    if (step == ASTAR_SIGHT_EARLY)
        return is_early_walled || (is_late_walled && !sight_passes(sector, row, number + 1));
    return is_late_walled || (is_early_walled && !sight_passes(sector, next, number));
}

// The point where a line crosses a row: the number of its cell, and whether the line runs exactly
// between this cell and the cell before it.
typedef struct SightCrossing {
    int64_t number;
    bool is_between;
} SightCrossing;

static SightCrossing cross_row(int64_t rise, int64_t run, int row)
{
    int64_t halves = 2 * rise * row + run;
    return (SightCrossing){halves / (2 * run), halves % (2 * run) == 0};
}

// Returns true if no wall stops a line in the slanted step from a cell of a row to the next row.
// The cells of the line in both rows are not checked.
static bool makes_diagonal(const AstarSightSector *sector, int row, int64_t number, int64_t rise,
                           int64_t run)
{
    int64_t column = (2 * number + 1) * run, middle = (2 * (int64_t)row + 1) * rise;
    return (column <= middle && !astar_sight_is_walled(sector, row, number, ASTAR_SIGHT_EARLY)) ||
           (column >= middle && !astar_sight_is_walled(sector, row, number, ASTAR_SIGHT_LATE));
}

// Returns true if no wall stops a line between a row and the next row. 'last' is the row where the
// line ends. If the line runs between two cells of one of the rows, it suffices that the line can
// pass over one of these two cells.
static bool makes_step(const AstarSightSector *sector, SightCrossing from, int row,
                       SightCrossing to, int last, int64_t rise, int64_t run)
{
    bool ends = row + 1 == last;
    if (from.is_between) // a slanted step from the cell before, or a straight one
        return (sight_passes(sector, row, from.number - 1) &&
                !astar_sight_is_walled(sector, row, from.number - 1, ASTAR_SIGHT_EARLY)) ||
               (sight_passes(sector, row, from.number) &&
                !astar_sight_is_walled(sector, row, from.number, ASTAR_SIGHT_STRAIGHT));
    if (to.is_between) // a straight step, or a slanted one to the cell after
        return ((ends || sight_passes(sector, row + 1, from.number)) &&
                !astar_sight_is_walled(sector, row, from.number, ASTAR_SIGHT_STRAIGHT)) ||
               ((ends || sight_passes(sector, row + 1, to.number)) &&
                !astar_sight_is_walled(sector, row, from.number, ASTAR_SIGHT_LATE));
    return to.number > from.number
               ? makes_diagonal(sector, row, from.number, rise, run)
               : !astar_sight_is_walled(sector, row, from.number, ASTAR_SIGHT_STRAIGHT);
}

// Returns true if a wall lies between a cell of a row and the cell before it.
static bool is_wall_beside(const AstarSightSector *sector, int row, int64_t number)
{
    int side = sector->diagonal;
    if (sector->grid->shape->by_halves) { // the side after that of the slanted step
        do
            side = (side + 1) % ASTAR_DIRECTIONS;
        while ((sector->grid->shape->sides >> side & 1) == 0);
    }
    return is_wall_between(sector, row, number - 1, row, number, side);
}

// For a line that runs exactly between two cells of a row which have a wall between them: returns
// true if the line can pass on one side of the wall, over the previous cell or over the cell
// 'number'. Between squares every such line crosses to the other side.
static bool passes_beside_wall(const AstarSightSector *sector, int row, int64_t number)
{
    bool before = sight_passes(sector, row, number - 1) &&
                  !astar_sight_is_walled(sector, row - 1, number - 1, ASTAR_SIGHT_STRAIGHT) &&
                  !astar_sight_is_walled(sector, row, number - 1, ASTAR_SIGHT_EARLY);
    return before || (sight_passes(sector, row, number) &&
                      !astar_sight_is_walled(sector, row - 1, number - 1, ASTAR_SIGHT_LATE) &&
                      !astar_sight_is_walled(sector, row, number, ASTAR_SIGHT_STRAIGHT));
}

bool astar_sight_line_is_open(const AstarSightSector *sector, int64_t rise, int64_t run, int row)
{
    SightCrossing from = {0, false};
    for (int next = 1; next <= row; next++) {
        SightCrossing to = cross_row(rise, run, next);
        if (sector->has_walls && !makes_step(sector, from, next - 1, to, row, rise, run))
            return false;
        from = to;
        if (next == row)
            break;
        if (!sight_passes(sector, next, to.number) &&
            !(to.is_between && sight_passes(sector, next, to.number - 1)))
            return false;
        if (sector->has_walls && to.is_between && is_wall_beside(sector, next, to.number) &&
            !passes_beside_wall(sector, next, to.number))
            return false;
    }
    return true;
}

// The functions below decide whether one cell sees another.

// Finds the row of a position in the sector, and the number of the position in that row. Returns
// false if the position lies outside the sector.
static bool find_in_sector(const AstarSightSector *sector, AstarMiddle to, int *row,
                           int64_t *number)
{
    int64_t along = to.along - sector->eye.along, across = to.across - sector->eye.across;
    const AstarSightPlace *step = &sector->step, *aside = &sector->aside;
    int64_t det = step->along * aside->across - step->across * aside->along;
    int64_t d = (along * aside->across - across * aside->along) / det;
    *number = (across * step->along - along * step->across) / det;
    *row = (int)d;
    return *number >= 0 && *number <= d;
}

// Returns true if the viewer sees the position 'to'. On a map that wraps around, the position may
// lie beyond the edge.
static bool sees_place(AstarSightSector *sector, AstarMiddle to)
{
    int row;
    int64_t number;
    for (int i = 0; astar_sight_to_sector(sector, i); i++)
        if (find_in_sector(sector, to, &row, &number))
            return row == 0 || astar_sight_line_is_open(sector, number, row, row);
    return false;
}

AstarStatus astar_line_of_sight(AstarFinder *finder, int x0, int y0, int x1, int y1,
                                bool through_walls, bool *sees)
{
    const AstarGrid *grid = finder->grid;
    const AstarShape *shape = grid->shape;
    if (!astar_inside(grid, x0, y0) || !astar_inside(grid, x1, y1))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    AstarSightSector sector = astar_sight_around(finder, x0, y0, through_walls);
    int columns = (shape->wraps & 1) != 0, rows = (shape->wraps & 2) != 0;
    *sees = false;
    for (int down = -rows; down <= rows && !*sees; down++)
        for (int right = -columns; right <= columns && !*sees; right++)
            *sees = sees_place(
                &sector, astar_middle(shape, x1 + right * grid->width, y1 + down * grid->height));
    return ASTAR_OK;
}
