// chunks.h -- the chunks of a world: loading them from the program, packing, saving and unloading.

#ifndef ASTAR_CHUNKS_H
#define ASTAR_CHUNKS_H

#include "base/alloc.h"
#include "parts/world/world.h"

// Unloads the chunks and squares that were used longest ago, until 'more' bytes fit. Chunks and
// squares in use stay in memory, and so do edited chunks that cannot be saved.
AstarStatus astar_world_make_room(AstarWorld *world, size_t more, void *context);
// Writes the entry of a chunk to '*out'. Loads the chunk first if it is not loaded.
AstarStatus astar_world_need(AstarWorld *world, int32_t cx, int32_t cy, void *context,
                             AstarChunk **out);
// Records that the blocks, walls, restrictions or links of a chunk were edited. The chunk will be
// saved before it is unloaded.
void astar_world_note_furnished(AstarWorld *world, int32_t cx, int32_t cy);
// Returns true if a chunk is loaded and not absent (unknown to the program). Only such chunks can
// be edited.
bool astar_world_is_loaded(const AstarWorld *world, int32_t cx, int32_t cy);
// Returns the entry of a chunk in a world, or NULL if the world has none. The chunk of an entry may
// be absent or not loaded.
AstarChunk *astar_world_chunk(const AstarWorld *world, int32_t cx, int32_t cy);
// The arrays of a chunk that exist only if a cell of the chunk needs them.
typedef enum AstarChunkArray {
    ASTAR_CHUNK_BLOCKS,
    ASTAR_CHUNK_WALLS,
    ASTAR_CHUNK_EXITS
} AstarChunkArray;

// Ensures that a chunk has an array of its blocks, walls or restrictions. Adds an entry for the
// chunk if the world has none.
AstarStatus astar_world_need_array(AstarWorld *world, int32_t cx, int32_t cy, AstarChunkArray kind);
// Frees the data of a chunk, but not its entry.
void astar_chunk_empty(AstarWorld *world, AstarChunk *chunk);
// Packs 'cells' and replaces the ground of a chunk by them.
AstarStatus astar_chunk_pack(AstarWorld *world, AstarChunk *chunk, const uint8_t *cells);
// Copies the terrains of 'count' cells of row 'y' of a loaded chunk to 'out'. The first cell is at
// column 'x'.
void astar_chunk_row(const AstarChunk *chunk, int x, int y, int count, uint8_t *out);

#endif
