// world.h -- a world in chunks: cells that are loaded when asked for, and let go.

#ifndef ASTAR_WORLD_H
#define ASTAR_WORLD_H

#include "map/grid.h"
#include "parts/world/plots.h"

enum {
    ASTAR_CHUNK_BITS = 6,
    ASTAR_CHUNK_CELLS = ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE,
    ASTAR_BYTES_OF_BLOCKS = ASTAR_CHUNK_CELLS / 8,
    ASTAR_SOLID_GROUND = 254,   // nothing can enter
    ASTAR_UNKNOWN_GROUND = 255, // of a chunk that is not there
    ASTAR_WORLD_LOG = 256,      // edits that routes and searches can tell from each other
};

// A chunk's cells, as few bits each as its kinds of ground need.
typedef struct AstarChunk {
    AstarPlot plot;
    bool is_asked;    // the host has been asked for it, or has put it
    bool is_absent;   // and it is not there
    bool is_edited;   // since it was loaded, and not saved yet
    bool is_kept;     // by the host with all that stands in it: that may be let go
    double wish;      // while it is not there: how little it is waited for; INFINITY: by no route
    uint64_t wish_of; // the search that last came beside it
    uint8_t bits;     // a cell: 0, 1, 2, 4 or 8
    uint8_t palette[16];
    uint8_t *ground;  // NULL where 'bits' is 0, or nothing is loaded
    uint64_t *blocks; // a row each; NULL: none
    uint8_t *walls;   // of each cell the directions barred to leave by; NULL: none
} AstarChunk;

struct AstarWorld {
    uint32_t references;
    AstarAllocator allocator;
    AstarGrid *palette;
    AstarWorldOptions options;
    AstarPlots chunks;
    AstarPlot recent;       // the head of all that can be let go, of this world and its finders
    uint64_t tick;          // raised before each use: what was used since then is not let go
    size_t bytes;           // of what can be let go, and of what is the world's own
    size_t bytes_of_floods; // of what searches by floods hold until they end
    uint64_t version;       // counts the edits
    AstarWorldEdit log[ASTAR_WORLD_LOG];
    AstarLink *links; // in the order of the cells they lead from
    uint32_t link_count;
    size_t link_capacity;
    AstarWorldFinder *finders;
    struct AstarCutout *cutout;       // for whoever measures
    bool is_asking;                   // the host is loading or saving
    AstarChunk *saving;               // what it is saving
    uint8_t cells[ASTAR_CHUNK_CELLS]; // on their way from or to the host
    uint64_t loaded, saved, let_go;   // chunks
};
#endif
