// world.c -- creates, counts and frees worlds, and follows lines of sight over them.

#include "parts/world/world.h"

#include "base/line.h"
#include "parts/world/chunks.h"
#include "parts/world/cutout.h"
#include "parts/world/plots.h"

#include <math.h>

AstarWorldOptions astar_world_options_default(void)
{
    return (AstarWorldOptions){.bytes = (size_t)64 << 20, .unknown = (double)INFINITY};
}

AstarStatus astar_world_new(const AstarAllocator *allocator, AstarGrid *palette,
                            const AstarWorldOptions *options, AstarWorld **out)
{
    AstarWorldOptions given = options != NULL ? *options : astar_world_options_default();
    if (astar_grid_offset(palette) != ASTAR_NO_OFFSET ||
        astar_grid_terrain_count(palette) > ASTAR_WORLD_MAX_TERRAINS ||
        given.bytes < ASTAR_WORLD_MIN_BYTES || !astar_is_terrain_cost(given.unknown))
        return ASTAR_BAD_OPTION;
    AstarAllocator from = astar_allocator(allocator);
    AstarWorld *world = astar_alloc(&from, 1, sizeof *world);
    AstarCutout *cutout = astar_alloc(&from, 1, sizeof *cutout);
    if (world == NULL || cutout == NULL) {
        astar_release(&from, world, 1, sizeof *world);
        astar_release(&from, cutout, 1, sizeof *cutout);
        return ASTAR_NO_MEMORY;
    }
    world->references = 1;
    world->allocator = from;
    world->options = given;
    world->cutout = cutout;
    world->recent.newer = world->recent.older = &world->recent;
    world->bytes = sizeof *world + sizeof *cutout;
    world->palette = palette;
    astar_grid_retain(palette);
    *out = world;
    return ASTAR_OK;
}

void astar_world_retain(AstarWorld *world)
{
    world->references++;
}

void astar_world_release(AstarWorld *world)
{
    if (--world->references > 0)
        return;
    AstarAllocator allocator = world->allocator;
    for (AstarPlot *plot = NULL; (plot = astar_plots_next(&world->chunks, plot)) != NULL;)
        astar_chunk_empty(world, (AstarChunk *)plot);
    astar_plots_free(&world->chunks, &allocator);
    astar_cutout_free(world->cutout, &allocator);
    astar_release(&allocator, world->cutout, 1, sizeof *world->cutout);
    astar_release(&allocator, world->links, world->link_capacity, sizeof *world->links);
    astar_grid_release(world->palette);
    astar_release(&allocator, world, 1, sizeof *world);
}

uint64_t astar_world_version(const AstarWorld *world)
{
    return world->version;
}

AstarWorldStats astar_world_stats(const AstarWorld *world)
{
    AstarWorldStats stats = {.bytes = astar_world_bytes(world),
                             .loaded = world->loaded,
                             .saved = world->saved,
                             .unloaded = world->unloaded};
    for (const AstarPlot *plot = NULL; (plot = astar_plots_next(&world->chunks, plot)) != NULL;) {
        const AstarChunk *chunk = (const AstarChunk *)plot;
        stats.chunks += chunk->is_asked && !chunk->is_absent;
    }
    for (const AstarPlot *plot = world->recent.newer; plot != &world->recent; plot = plot->newer)
        stats.squares += plot->kind != 0;
    return stats;
}

size_t astar_world_bytes(const AstarWorld *world)
{
    return world->bytes + world->bytes_of_floods;
}

// ------------------------------------------------------------------------------------------------
// The functions below follow lines of sight over a world. A line passes the same cells as in
// search/sight.c over a grid.
// ------------------------------------------------------------------------------------------------

enum { RAY_PIECE = 16 }; // maximum number of steps of a line whose cells are laid out together

// Returns the direction of the cell or wall that prevents a step, or ASTAR_NO_SIDE if the step is
// legal.
static int stop_of_step(const AstarCutout *cutout, size_t at, int direction)
{
    if ((cutout->exits[at] >> direction & 1) != 0)
        return direction;
    return astar_stop_of_step(cutout->finder->rule, cutout->has_walls ? &cutout->walls[at] : NULL,
                              cutout->stride, cutout->around[at], direction);
}

// Copies the cells that the next steps of a line touch into the cutout of the world.
static AstarStatus lay_out_steps(AstarWorldFinder *finder, const AstarLine *line, int64_t step,
                                 void *context)
{
    int x0, y0, x1, y1;
    int64_t last = step + RAY_PIECE < line->steps ? step + RAY_PIECE : line->steps;
    astar_line_cell(line, step, &x0, &y0);
    astar_line_cell(line, last, &x1, &y1);
    int left = x0 < x1 ? x0 : x1, top = y0 < y1 ? y0 : y1;
    AstarLifted lifted = {line->x, line->y, finder->size};
    finder->world->tick++;
    return astar_cutout_fill(finder->world->cutout, finder, left, top, abs(x1 - x0) + 1,
                             abs(y1 - y0) + 1, lifted, context);
}

AstarStatus astar_world_raycast(AstarWorldFinder *finder, int32_t x0, int32_t y0, int32_t x1,
                                int32_t y1, void *context, bool *stopped, int32_t *x, int32_t *y)
{
    if (!astar_is_of_world(x0, y0) || !astar_is_of_world(x1, y1))
        return ASTAR_BAD_CELL;
    if (finder->world->is_asking)
        return ASTAR_GRID_CHANGED;
    const AstarCutout *cutout = finder->world->cutout;
    AstarLine line = astar_line(x0, y0, x1, y1, !finder->rule->has_diagonals);
    *x = x0;
    *y = y0;
    AstarStatus status = lay_out_steps(finder, &line, 0, context);
    *stopped = status == ASTAR_OK && !astar_cutout_is_open(cutout, astar_cutout_at(cutout, x0, y0));
    for (int64_t i = 1; status == ASTAR_OK && !*stopped && i <= line.steps; i++) {
        int to_x, to_y;
        astar_line_cell(&line, i, &to_x, &to_y);
        int d = astar_direction(to_x - *x, to_y - *y);
        int stop = stop_of_step(cutout, astar_cutout_at(cutout, *x, *y), d);
        *stopped = stop != ASTAR_NO_SIDE;
        *x += astar_dx[*stopped ? stop : d];
        *y += astar_dy[*stopped ? stop : d];
        if (i % RAY_PIECE == 0 && !*stopped)
            status = lay_out_steps(finder, &line, i, context);
    }
    return status;
}
