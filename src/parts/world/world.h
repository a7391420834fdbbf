// world.h -- A world: a plane of chunks that are loaded when they are needed and unloaded to save
// memory. This file has the data structures that all files of this folder share.

#ifndef ASTAR_WORLD_H
#define ASTAR_WORLD_H

#include "map/grid.h"
#include "map/walls.h"
#include "parts/world/plots.h"

enum {
    ASTAR_CHUNK_BITS = 6,
    ASTAR_CHUNK_CELLS = ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE,
    ASTAR_BYTES_OF_BLOCKS = ASTAR_CHUNK_CELLS / 8,
    ASTAR_SOLID_GROUND = 254,   // terrain value of ground that no unit can enter
    ASTAR_UNKNOWN_GROUND = 255, // terrain value of the cells of an absent chunk
    ASTAR_WORLD_LOG = 256,      // number of the latest edits whose cells are recorded
};

// A chunk. Each cell takes as few bits as the number of its terrains allows.
typedef struct AstarChunk {
    AstarPlot plot;
    bool is_asked;  // true if the program was asked for the chunk, or has put it into the world
    bool is_absent; // true if the program was asked for the chunk and does not have it
    bool is_edited; // true if the chunk was edited since it was loaded or saved
    // True if the program has the chunk's blocks, walls and restrictions as well, so that they can
    // be unloaded.
    bool is_kept;
    // Priority of an absent chunk. The lower the number, the sooner a route needs the chunk.
    // INFINITY: no route needs it.
    double wish;
    uint64_t wish_of; // number of the last search that has set 'wish'
    uint8_t bits;     // number of bits per cell in 'ground': 0, 1, 2, 4 or 8
    uint8_t palette[16];
    uint8_t *ground; // packed terrain of the cells; NULL if 'bits' is 0 or the chunk is not loaded
    // One 64-bit word per row, with a bit for each cell; NULL: no cell has a block.
    uint64_t *blocks;
    AstarWalls walls;
} AstarChunk;

struct AstarWorld {
    uint32_t references;
    AstarAllocator allocator;
    AstarGrid *palette;
    AstarWorldOptions options;
    AstarPlots chunks;
    // Head of the ring of all chunks and squares that can be unloaded. The ring contains those of
    // this world and of its finders, in the order of their last use.
    AstarPlot recent;
    // Number of the current use of the world; chunks and squares used in it stay in memory.
    uint64_t tick;
    size_t bytes;           // number of bytes of chunks, squares and the world itself
    size_t bytes_of_floods; // number of bytes of searches in progress
    uint64_t version;       // number of edits of the world so far
    AstarWorldEdit log[ASTAR_WORLD_LOG];
    AstarLink *links; // links of the world, sorted by the cells from which they lead
    uint32_t link_count;
    size_t link_capacity;
    AstarWorldFinder *finders;
    // The only cutout of the world, which all computations of distances use.
    struct AstarCutout *cutout;
    bool is_asking;     // true while the program loads or saves a chunk
    AstarChunk *saving; // the chunk that the program is saving now; NULL: none
    // Buffer for the cells of a chunk that the program loads or saves.
    uint8_t cells[ASTAR_CHUNK_CELLS];
    uint64_t loaded, saved,
        unloaded; // number of chunks that were loaded, saved and unloaded so far
};
#endif
