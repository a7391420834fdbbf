// rebuild.h -- whether what edits have repaired is what is built anew.

#ifndef REBUILD_H
#define REBUILD_H

#include "layers/components.h"
#include "layers/jump_bits.h"

#include <stdlib.h>
#include <string.h>

static inline bool same_bits(const AstarBits *a, const AstarBits *b)
{
    return memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

// What runs read lies in a block of lines, which begins where its memory was found.
static inline const void *lines_of(const AstarJumpBitmaps *jump)
{
    return jump->runs.stops[0].words;
}

static inline bool same_jump(const AstarJumpBitmaps *a, const AstarJumpBitmaps *b)
{
    size_t bytes = (a->block_lines - 1) * ASTAR_LINE_WORDS * sizeof(uint64_t);
    return same_bits(&a->columns, &b->columns) && memcmp(lines_of(a), lines_of(b), bytes) == 0;
}

// Whether each label of 'a' stands for one label of 'b' only, on all set cells.
static inline bool refines(AstarComponents *a, AstarComponents *b, const AstarBits *bits)
{
    uint32_t *partner = calloc(a->label_count + 1, sizeof *partner);
    bool same = partner != NULL;
    for (int y = 0; y < a->height && same; y++)
        for (int x = 0; x < a->width && same; x++) {
            if (!astar_bits_get(bits, x, y))
                continue;
            uint32_t label = astar_components_label(a, x, y);
            uint32_t other = astar_components_label(b, x, y) + 1;
            same = partner[label] == 0 || partner[label] == other;
            partner[label] = other;
        }
    free(partner);
    return same;
}

#endif
