// chunks.h -- the chunks of a world: loading them from the host, packing, saving and unloading.

#ifndef ASTAR_CHUNKS_H
#define ASTAR_CHUNKS_H

#include "base/alloc.h"
#include "parts/world/world.h"

// Unloads the chunks and squares used longest ago until 'more' bytes fit. Those in use stay, and so
// do edited chunks that cannot be saved.
AstarStatus astar_world_make_room(AstarWorld *world, size_t more, void *context);
// Gives the entry of a chunk. Loads the chunk if it is not loaded.
AstarStatus astar_world_need(AstarWorld *world, int32_t cx, int32_t cy, void *context,
                             AstarChunk **out);
// Records that the blocks, walls or links of a chunk were edited, so that it is saved before it is
// unloaded.
void astar_world_note_furnished(AstarWorld *world, int32_t cx, int32_t cy);
// Returns true if a chunk is loaded and the host has it. Only such chunks can be edited.
bool astar_world_is_loaded(const AstarWorld *world, int32_t cx, int32_t cy);
// Returns the entry of a chunk, or NULL if there is none. The chunk may be absent or not loaded.
AstarChunk *astar_world_chunk(const AstarWorld *world, int32_t cx, int32_t cy);
// Ensures that a chunk has an array of walls, or an array of blocks if 'of_walls' is false. Adds an
// entry for the chunk if there is none.
AstarStatus astar_world_need_array(AstarWorld *world, int32_t cx, int32_t cy, bool of_walls);
// Frees the data of a chunk, but not its entry.
void astar_chunk_empty(AstarWorld *world, AstarChunk *chunk);
// Replaces the ground of a chunk by 'cells'.
AstarStatus astar_chunk_pack(AstarWorld *world, AstarChunk *chunk, const uint8_t *cells);
// Copies the ground of 'count' cells of a row of a loaded chunk, from the cell at 'x' on.
void astar_chunk_row(const AstarChunk *chunk, int x, int y, int count, uint8_t *out);

#endif
