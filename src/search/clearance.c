// clearance.c -- how large a unit fits, and what it stands on.
//
// The clearance of a cell is the side of the largest free square of which it is the north-west
// corner. It is found row by row, words of bits at a time: n rows hold a square of side n as long
// as the shortest of their free stretches from that column on is no shorter than n.
//
// A unit that a game has put into its map as blocks would be in its own way: wherever it steps, it
// still covers cells of its start. A query of such a unit therefore works with a copy of the finder
// whose bitmap lacks these blocks; see lifted_walkable.c. A unit of one cell leaves its block
// behind and needs none, but where the way past its corner may be better than the way out:
// step_cost may bar that, and a unit may come by, or back over a link, in a direction in which it
// goes on without a bend.

#include "search/search.h"

#include "derived/walkable.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <math.h>

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

bool astar_can_stand(const AstarFinder *finder, int x, int y)
{
    const AstarGrid *grid = finder->grid;
    int size = finder->options.size;
    if (size > grid->width - x || size > grid->height - y)
        return false;
    for (int row = y; row < y + size; row++)
        for (int column = x; column < x + size; column++)
            if (isinf(finder->costs.cell[grid->ground[astar_cell(grid, column, row)]]))
                return false;
    return true;
}

// ---- a unit among its own blocks ----

// Whether a way may lead past a corner of its start, or there again over a link.
static bool may_come_by(const AstarFinder *finder)
{
    return finder->rule->has_diagonals || astar_grid_has_links(finder->grid);
}

bool astar_covers_block(const AstarFinder *finder, int x, int y, bool bends)
{
    const AstarGrid *grid = finder->grid;
    int size = finder->options.size;
    if (size == 1 && finder->options.step_cost == NULL && !(bends && may_come_by(finder)))
        return false; // a step out of its cell is as good as any past it
    const uint64_t ignored = finder->options.ignore;
    return astar_blocks_first(grid, ignored) != NULL && astar_can_stand(finder, x, y) &&
           astar_blocks_any(grid, ignored, x, y, size, size);
}

static void change_finder(AstarSearch *search, AstarFinder *finder)
{
    AstarFinder *before = search->finder;
    search->finder = search->costs.finder = finder;
    astar_finder_release(before);
}

void astar_unstand(AstarSearch *search)
{
    AstarFinder *plain = search->finder->original;
    if (plain == NULL)
        return;
    astar_finder_retain(plain);
    change_finder(search, plain);
}

AstarStatus astar_stand(AstarSearch *search, int x, int y, bool bends)
{
    const AstarFinder *finder = search->finder;
    search->costs.stands = (AstarCell){x, y};
    if (finder->original != NULL && finder->on.walkable->x == x && finder->on.walkable->y == y)
        return ASTAR_OK;
    astar_unstand(search);
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
