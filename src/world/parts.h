// parts.h -- rectangles of squares below an upper one, joined to ever larger ones.

#ifndef ASTAR_PARTS_H
#define ASTAR_PARTS_H

#include "world/square_building.h"

// The nodes of a part that something outside of it may be joined to come first, then those that are
// only its own and are still to be eliminated; both by place in the upper square, with flags.
typedef struct AstarPart {
    int column, row, width, height; // in squares below
    uint32_t count, outer;          // of nodes; of those that stay
    uint32_t room;                  // for nodes
    uint32_t *places;
    double *ways; // rows of what ways inside the part cost at most, INFINITY: none is known
} AstarPart;

// What an upper square is put together from. The parts are ever smaller, each followed by its
// neighbour of the same size at last, which is joined to it.
struct AstarMerge {
    AstarPart parts[8];
    int count;     // of parts
    int taken;     // squares below
    uint32_t done; // rows of the last part that ways over are closed
    uint64_t fingerprints[ASTAR_BELOW * ASTAR_BELOW]; // of the squares below, row by row
    uint64_t doubted; // those of them that may have changed since, a bit each
};

// The part that a square below is; all its nodes.
AstarStatus astar_part_take(const AstarSquare *upper, const AstarSquare *lower, AstarPart *out);
// The part that two neighbours make.
AstarStatus astar_part_join(const AstarSquare *upper, const AstarPart *a, const AstarPart *b,
                            AstarPart *out);
// Takes the last node out, and has ways lead past it.
void astar_part_eliminate(AstarPart *part);
// Has ways lead over a node that stays; once for each, and they are the distances.
void astar_part_close(AstarPart *part, uint32_t node);
void astar_part_free(AstarPart *part, AstarWorld *world);

static inline size_t astar_part_stride(const AstarPart *part)
{
    return ((size_t)part->room + 3) & ~(size_t)3;
}

#endif
