// world.c -- worlds made, counted and freed.

#include "world/world.h"

#include "world/cutout.h"

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
                             .let_go = world->let_go};
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
