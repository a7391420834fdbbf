// component_patch.h -- the components of a bitmap in which a few more bits are set.

#ifndef ASTAR_COMPONENT_PATCH_H
#define ASTAR_COMPONENT_PATCH_H

#include "base/array.h"
#include "derived/components.h"

// What the bits set make of the labels there were. The nodes are the cells set, then the components
// that these touch.
typedef struct AstarComponentPatch {
    const AstarComponents *under; // of the bits without
    int32_t x, y, width, height;  // all cells set lie in this rectangle
    uint32_t cell_count;          // of those set
    uint32_t label_count;         // of the components they touch
    uint32_t *cells;              // of each cell of the rectangle: 1 + its node, 0: not set here
    uint32_t *labels;             // of the components, in order; at most 8 for each cell set
    uint32_t *roots; // of each node: the first one of those that hang together; room for 9
} AstarComponentPatch;

// The components of 'bits', which are those of 'under' as they were 'before' but for more bits set
// in a rectangle. The work and the memory are in proportion to that. They hold as long as 'under'
// does not change.
AstarStatus astar_component_patch_new(const AstarComponents *under, const AstarBits *before,
                                      const AstarBits *bits, int x, int y, int width, int height,
                                      AstarComponents **out);
void astar_component_patch_free(const AstarAllocator *allocator, AstarComponentPatch *patch);
size_t astar_component_patch_bytes(const AstarComponentPatch *patch);

// The node of a cell set, or of a component by its label; UINT32_MAX for others.
static inline uint32_t astar_component_patch_cell(const AstarComponentPatch *patch, int x, int y)
{
    int column = x - patch->x, row = y - patch->y;
    bool inside = column >= 0 && row >= 0 && column < patch->width && row < patch->height;
    return inside ? patch->cells[row * patch->width + column] - 1 : UINT32_MAX;
}

static inline uint32_t astar_component_patch_label(const AstarComponentPatch *patch, uint32_t label)
{
    uint32_t count = patch->label_count;
    uint32_t place = (uint32_t)astar_count_below(patch->labels, count, sizeof label, label);
    bool is_there = place < count && patch->labels[place] == label;
    return is_there ? patch->cell_count + place : UINT32_MAX;
}

#endif
