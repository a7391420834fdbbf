// chunks.h -- the chunks of a world: asked of the host, kept packed, saved and let go.

#ifndef ASTAR_CHUNKS_H
#define ASTAR_CHUNKS_H

#include "base/alloc.h"
#include "parts/world/world.h"

// Lets go of what was used longest ago until 'more' bytes fit; what is in use, and chunks that
// cannot be saved, stay.
AstarStatus astar_world_make_room(AstarWorld *world, size_t more, void *context);
// The chunk, asked of the host where it is not there.
AstarStatus astar_world_need(AstarWorld *world, int32_t cx, int32_t cy, void *context,
                             AstarChunk **out);
// What is kept of the chunk was edited: it is saved before it is let go of, where it can be.
void astar_world_note_furnished(AstarWorld *world, int32_t cx, int32_t cy);
// Whether the chunk is there: only then is it edited.
bool astar_world_is_loaded(const AstarWorld *world, int32_t cx, int32_t cy);
// The chunk as far as it is there; NULL: not at all.
AstarChunk *astar_world_chunk(const AstarWorld *world, int32_t cx, int32_t cy);
// Sees that the chunk, made where it is not there, has its walls, or else its blocks: none yet.
AstarStatus astar_world_need_array(AstarWorld *world, int32_t cx, int32_t cy, bool of_walls);
// Frees all that a chunk has but itself.
void astar_chunk_empty(AstarWorld *world, AstarChunk *chunk);
// Takes a chunk's cells in place of those it has.
AstarStatus astar_chunk_pack(AstarWorld *world, AstarChunk *chunk, const uint8_t *cells);
// The ground of a row of a chunk that is there, from the cell at 'x' on.
void astar_chunk_row(const AstarChunk *chunk, int x, int y, int count, uint8_t *out);

#endif
