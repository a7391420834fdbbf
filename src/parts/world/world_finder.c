// world_finder.c -- finders of a world. A finder is one kind of unit and how it moves over the
// world.
//
// The options and costs are those of a finder of the world's palette, a small grid that contains
// each terrain. The costs of a world are therefore rounded like those of a grid, and their sums are
// exact.

#include "parts/world/world_finder.h"

#include "parts/world/plots.h"
#include "parts/world/squares.h"

// Returns true if all options that a world does not support have their default values.
static bool are_plain(const AstarOptions *options)
{
    return options->cost == NULL && options->step_cost == NULL && options->estimate == NULL &&
           options->avoid == NULL && astar_option_refused_by_world(options) == NULL &&
           options->size <= ASTAR_WORLD_MAX_SIZE && options->size == options->height &&
           options->ignore <= 1;
}

// Computes the costs of the steps into each terrain.
static void work_out_steps(AstarWorldFinder *finder)
{
    const AstarFinder *unit = finder->finder;
    double diagonal = unit->options.diagonal_cost, unknown = finder->world->options.unknown;
    int count = astar_grid_terrain_count(finder->world->palette);
    for (int i = 0; i < 256; i++) {
        double cost = i == ASTAR_UNKNOWN_GROUND ? unknown : (double)INFINITY;
        finder->cost[i] = i < count ? unit->costs.cell[i] : cost;
        finder->step[0][i] = astar_finder_round(unit, finder->cost[i]);
        finder->step[1][i] = astar_finder_round(unit, finder->cost[i] * diagonal);
    }
    finder->least = (double)INFINITY;
    double least_diagonal = (double)INFINITY;
    for (int i = 0; i < 256; i++) {
        if (isinf(finder->step[0][i]))
            continue;
        finder->least = fmin(finder->least, finder->step[0][i]);
        least_diagonal = fmin(least_diagonal, finder->step[1][i]);
    }
    if (isinf(finder->least)) // the unit cannot enter any terrain
        finder->least = least_diagonal = 1;
    finder->heuristic = astar_heuristic(ASTAR_HEURISTIC_DEFAULT, finder->rule, finder->least,
                                        least_diagonal);
}

static void work_out_worth(AstarWorldFinder *finder)
{
    for (int d = 0; d <= ASTAR_DIRECTIONS; d++)
        for (unsigned free = 0; free < 256; free++)
            finder->worth[d][free] = (uint8_t)astar_canonical_uniform(
                &finder->finder->arrivals[1][d], free, finder->rule->legal[0][free]);
}

AstarStatus astar_world_finder_new(AstarWorld *world, AstarFinder *finder, int spacing,
                                   AstarWorldFinder **out)
{
    if (finder->grid != world->palette || spacing < 1 || spacing > ASTAR_CHUNK_SIDE ||
        !are_plain(&finder->options))
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_finder_update_tables(finder);
    if (status != ASTAR_OK)
        return status;
    AstarWorldFinder *made = astar_alloc(&world->allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->references = 1;
    made->world = world;
    made->finder = finder;
    made->rule = finder->rule;
    made->leads_back = memcmp(made->rule->legal[0], made->rule->legal[1], 256) == 0;
    made->is_canonical = made->leads_back && made->rule->corners != ASTAR_CORNERS_OTHER;
    made->size = finder->options.size;
    made->spacing = spacing;
    work_out_steps(made);
    work_out_worth(made);
    astar_world_retain(world);
    astar_finder_retain(finder);
    made->next = world->finders;
    world->finders = made;
    *out = made;
    return ASTAR_OK;
}

AstarStatus astar_world_finder_avoid(AstarWorldFinder *finder, AstarField *field, int32_t x,
                                     int32_t y, double weight)
{
    bool fits = astar_is_of_world(x, y) && field->shape == finder->world->palette->shape;
    if (!fits || finder->field != NULL || finder->squares.count > 0 ||
        !(weight >= 0 && weight <= ASTAR_COST_MAX))
        return ASTAR_BAD_OPTION;
    astar_field_retain(field);
    finder->field = field;
    finder->field_x = x;
    finder->field_y = y;
    finder->field_weight = weight;
    finder->field_version = field->version;
    return ASTAR_OK;
}

void astar_world_finder_sync(AstarWorldFinder *finder)
{
    uint32_t tile = 0;
    AstarEdit square;
    AstarWorldEdit all = astar_no_cells;
    if (finder->field == NULL || finder->field->version == finder->field_version ||
        finder->world->is_asking)
        return;
    while (astar_field_next_change(finder->field, finder->field_version, &tile, &square))
        all = astar_cells_joined(all, (AstarWorldEdit){square.x, square.y, square.x + square.width,
                                                       square.y + square.height});
    finder->field_version = finder->field->version;
    astar_world_edited(finder->world, finder->field_x + all.x0, finder->field_y + all.y0,
                       finder->field_x + all.x1, finder->field_y + all.y1);
}

void astar_world_finder_retain(AstarWorldFinder *finder)
{
    finder->references++;
}

void astar_world_finder_release(AstarWorldFinder *finder)
{
    if (--finder->references > 0)
        return;
    AstarWorld *world = finder->world;
    for (AstarPlot *plot = NULL; (plot = astar_plots_next(&finder->squares, plot)) != NULL;)
        astar_square_empty((AstarSquare *)plot);
    astar_plots_free(&finder->squares, &world->allocator);
    AstarWorldFinder **place = &world->finders;
    while (*place != finder)
        place = &(*place)->next;
    *place = finder->next;
    world->cutout->is_plain = false; // a finder that is made later may have the address of this one
    astar_finder_release(finder->finder);
    astar_field_release(finder->field);
    astar_release(&world->allocator, finder, 1, sizeof *finder);
    astar_world_release(world);
}
