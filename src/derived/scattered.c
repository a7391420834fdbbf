// scattered.c -- whether blocks are scattered over the ground, by a sample of it.
//
// Over such ground jump points are many. Where it is open each sees many others: a step of a search
// by jumps costs as much as five of one that goes from cell to cell. Where it is narrow jumps are
// short. Neither game maps are so nor rooms or caves; of mazes those of the narrowest corridors.
//
// A count of all cells would take longer than a short search, and one kept by every edit would cost
// edits time. A few hundred words, spread by the golden ratio, tell well enough.

#include "derived/irregular.h"

enum {
    LOOKED_AT = 256, // words at most
    LEAST_TURNS = 5  // one of so many free cells
};

// The free cells of a word of a row past a corner of which a way may turn: a cell beside them
// diagonally is blocked, and both that lie between are free.
static uint64_t turns_of_word(const AstarBits *bits, size_t word)
{
    const uint64_t *row = bits->words + word;
    const uint64_t *rows[2] = {row - bits->stride, row + bits->stride};
    uint64_t free = *row, east = free >> 1, west = free << 1, turns = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t beside = *rows[i];
        turns |= beside & ((east & ~(beside >> 1)) | (west & ~(beside << 1)));
    }
    return turns & free & UINT64_C(0x7FFFFFFFFFFFFFFE); // others lie in other words, too
}

uint32_t astar_scattered_turns(const AstarBits *walkable, int height)
{
    uint32_t free = 0, turns = 0;
    size_t words = walkable->stride * (size_t)height; // the border's rows left out
    size_t count = words < LOOKED_AT ? words : LOOKED_AT;
    for (size_t i = 0; i < count; i++) {
        uint32_t spread = (uint32_t)i * UINT32_C(0x9E3779B1);
        size_t word = count == words ? i : (size_t)((uint64_t)spread * words >> 32);
        free += astar_count_bits(walkable->words[walkable->stride + word]);
        turns += astar_count_bits(turns_of_word(walkable, walkable->stride + word));
    }
    return free > 0 && turns * LEAST_TURNS >= free ? turns * ASTAR_SCATTERED_ALL / free : 0;
}
