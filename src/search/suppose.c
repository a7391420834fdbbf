// suppose.c -- questions about a map on which a few more cells are blocked.
//
// To suppose blocks only ever takes ways away. So a best route that they leave as it is, is still a
// best one: a question is asked without them first, by all the quick ways there are.

#include "search/start_query.h"

#include "unit/supposed.h"

AstarStatus astar_finder_suppose(const AstarFinder *finder, const AstarRectangle *blocked,
                                 size_t count, AstarFinder **out)
{
    for (size_t i = 0; i < count; i++)
        if (!astar_grid_has_rectangle(finder->grid, blocked[i].x, blocked[i].y, blocked[i].width,
                                      blocked[i].height))
            return ASTAR_BAD_CELL;
    if (finder->grid->shape->wraps != 0)
        return ASTAR_BAD_SEAM;
    AstarFinder *made;
    AstarStatus status = astar_finder_new_supposing(finder, &made);
    if (status != ASTAR_OK)
        return status;
    made->supposed = astar_supposed_new(&made->grid->allocator, blocked, count);
    if (made->supposed == NULL) {
        astar_finder_release(made);
        return ASTAR_NO_MEMORY;
    }
    *out = made;
    return ASTAR_OK;
}

// Whether the unit would stand on what is supposed at (x, y), but for what is where it began.
static bool is_barred_at(const AstarFinder *finder, const AstarPoint *start, int x, int y)
{
    int size = finder->options.size;
    AstarRectangle own = {start->x, start->y, size, size};
    for (int row = y; row < y + size; row++)
        for (int column = x; column < x + size; column++)
            if (astar_supposed_has(finder->supposed, column, row) &&
                !astar_rectangle_has(&own, column, row))
                return true;
    return false;
}

bool astar_suppose_spares(const AstarFinder *supposing, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x, y, last_x = path->points[0].x, last_y = path->points[0].y;
    for (; astar_path_next(&cursor, &x, &y); last_x = x, last_y = y)
        if (is_barred_at(supposing, path->points, x, y) ||
            (x != last_x && y != last_y &&
             (is_barred_at(supposing, path->points, x, last_y) ||
              is_barred_at(supposing, path->points, last_x, y))))
            return false;
    return true;
}

bool astar_components_tell(const AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    return (options->cost == NULL || options->cost == astar_cost_as_given) &&
           options->step_cost == NULL && finder->original == NULL &&
           !astar_grid_has_links_or_walls(finder->grid);
}

AstarStatus astar_suppose_reachable(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                    bool *exists)
{
    const AstarSupposed *supposed = finder->supposed;
    const AstarBits *bits = &finder->on.walkable->bits;
    int size = finder->options.size;
    if (supposed == NULL || !astar_components_tell(finder) || finder->question.range > 0 ||
        !astar_bits_get(bits, sx, sy) || astar_supposed_bars(supposed, size, sx, sy))
        return ASTAR_RUNNING;
    *exists = false;
    if (!astar_bits_get(bits, gx, gy) || astar_supposed_bars(supposed, size, gx, gy))
        return ASTAR_OK;
    AstarComponents *components, *then;
    AstarStatus status = astar_finder_components(finder, &components);
    if (status != ASTAR_OK || !astar_components_join(components, sx, sy, gx, gy))
        return status;
    AstarComponentOverlay changed = {.changed = supposed->blocked,
                                     .count = supposed->count,
                                     .wider = size - 1,
                                     .is_barred = true};
    status = astar_components_over(components, bits, &changed, &then);
    if (status != ASTAR_OK)
        return status;
    *exists = astar_components_join(then, sx, sy, gx, gy);
    astar_components_free(then);
    return ASTAR_OK;
}
