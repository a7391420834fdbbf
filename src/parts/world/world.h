// world.h -- a world: a plane of chunks that are loaded when they are needed and unloaded to save
// memory. This file has the data structures that all files of this folder share.

#ifndef ASTAR_WORLD_H
#define ASTAR_WORLD_H

#include "map/grid.h"
#include "parts/world/plots.h"

enum {
    ASTAR_CHUNK_BITS = 6,
    ASTAR_CHUNK_CELLS = ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE,
    ASTAR_BYTES_OF_BLOCKS = ASTAR_CHUNK_CELLS / 8,
    ASTAR_SOLID_GROUND = 254,   // terrain that no unit can enter
    ASTAR_UNKNOWN_GROUND = 255, // terrain of a chunk that is absent
    ASTAR_WORLD_LOG = 256,      // number of the latest edits of which the cells are recorded
};

// A chunk. Each cell takes as few bits as the number of its terrains allows.
typedef struct AstarChunk {
    AstarPlot plot;
    bool is_asked;  // the host was asked for it, or has put it
    bool is_absent; // the host was asked for it and does not have it
    bool is_edited; // edited since it was loaded or saved
    bool is_kept;   // the host has its blocks and walls as well, so they can be unloaded
    // Priority of an absent chunk: the lower, the sooner a route needs it. INFINITY: no route does.
    double wish;
    uint64_t wish_of; // number of the last search that set 'wish'
    uint8_t bits;     // bits per cell: 0, 1, 2, 4 or 8
    uint8_t palette[16];
    uint8_t *ground;  // NULL if 'bits' is 0 or the chunk is not loaded
    uint64_t *blocks; // a word per row; NULL: no blocks
    // For each cell the directions that walls bar, as bits. NULL: no walls.
    uint8_t *walls;
} AstarChunk;

struct AstarWorld {
    uint32_t references;
    AstarAllocator allocator;
    AstarGrid *palette;
    AstarWorldOptions options;
    AstarPlots chunks;
    // Head of the ring of all chunks and squares that can be unloaded, of this world and its
    // finders.
    AstarPlot recent;
    uint64_t tick; // number of the current use; chunks and squares used in it stay in memory
    size_t bytes;  // memory of chunks, squares and the world itself
    size_t bytes_of_floods; // memory of searches in progress
    uint64_t version;       // number of edits
    AstarWorldEdit log[ASTAR_WORLD_LOG];
    AstarLink *links; // sorted by the cells that they lead from
    uint32_t link_count;
    size_t link_capacity;
    AstarWorldFinder *finders;
    struct AstarCutout *cutout;       // one buffer for all computations of distances
    bool is_asking;                   // the host is loading or saving a chunk
    AstarChunk *saving;               // the chunk that the host is saving
    uint8_t cells[ASTAR_CHUNK_CELLS]; // buffer for cells that come from or go to the host
    uint64_t loaded, saved, let_go;   // how many chunks were loaded, saved and unloaded
};
#endif
