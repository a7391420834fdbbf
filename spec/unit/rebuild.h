// rebuild.h -- whether what edits have repaired is what is built anew.

#ifndef REBUILD_H
#define REBUILD_H

#include "derived/components.h"
#include "derived/jump_bitmaps.h"

#include <stdlib.h>
#include <string.h>

static inline bool same_bits(const AstarBits *a, const AstarBits *b)
{
    return memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

static inline bool same_jump(const AstarJumpBitmaps *a, const AstarJumpBitmaps *b)
{
    bool same = same_bits(&a->columns, &b->columns) &&
                memcmp(a->reach, b->reach,
                       a->reach_stride * (((size_t)a->width + 17) / 16) * sizeof *a->reach) == 0;
    for (int i = 0; i < 4; i++)
        same = same && same_bits(&a->stops[i], &b->stops[i]) &&
               (!a->rule->has_diagonals || same_bits(&a->events[i], &b->events[i]));
    return same;
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
