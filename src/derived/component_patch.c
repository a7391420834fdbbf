// component_patch.c -- the components of a bitmap in which a few more bits are set.
//
// Bits that are set only ever join. So all labels stay as they are but those of components that a
// newly set cell touches: these, and the cells themselves, are united among each other, and what
// hangs together gets a label beyond all there were.

#include "derived/component_patch.h"

#include <stdlib.h>

static bool is_set_here(const AstarBits *before, const AstarBits *bits, int x, int y)
{
    return astar_bits_get(bits, x, y) && !astar_bits_get(before, x, y);
}

static uint32_t count_cells(const AstarComponentPatch *patch, const AstarBits *before,
                            const AstarBits *bits)
{
    uint32_t count = 0;
    for (int y = patch->y; y < patch->y + patch->height; y++)
        for (int x = patch->x; x < patch->x + patch->width; x++)
            count += is_set_here(before, bits, x, y);
    return count;
}

// The neighbours of a cell by the steps that join components.
static unsigned joined_to(const AstarComponentPatch *patch, const AstarBits *bits, int x, int y)
{
    const AstarComponents *under = patch->under;
    return astar_bits_around(bits, x, y) & under->joins[astar_phase(under->shape, x, y)];
}

// Numbers the cells set and gathers the labels they touch.
static void gather_nodes(AstarComponentPatch *patch, const AstarBits *before, const AstarBits *bits)
{
    uint32_t count = 0, *number = patch->cells;
    for (int y = patch->y; y < patch->y + patch->height; y++)
        for (int x = patch->x; x < patch->x + patch->width; x++, number++) {
            if (!is_set_here(before, bits, x, y))
                continue;
            *number = ++count;
            for (unsigned rest = joined_to(patch, before, x, y); rest != 0; rest &= rest - 1) {
                int d = astar_lowest_bit(rest);
                patch->labels[patch->label_count++] = astar_components_label(
                    patch->under, x + astar_dx[d], y + astar_dy[d]);
            }
        }
}

static int compare_labels(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

// Puts the labels in order, each once.
static void sort_labels(AstarComponentPatch *patch)
{
    uint32_t kept = 0;
    qsort(patch->labels, patch->label_count, sizeof *patch->labels, compare_labels);
    for (uint32_t i = 0; i < patch->label_count; i++)
        if (i == 0 || patch->labels[i] != patch->labels[i - 1])
            patch->labels[kept++] = patch->labels[i];
    patch->label_count = kept;
}

static uint32_t patch_root_of(const AstarComponentPatch *patch, uint32_t node)
{
    while (patch->roots[node] != node)
        node = patch->roots[node] = patch->roots[patch->roots[node]];
    return node;
}

static void unite_nodes(AstarComponentPatch *patch, uint32_t a, uint32_t b)
{
    a = patch_root_of(patch, a);
    b = patch_root_of(patch, b);
    patch->roots[a < b ? b : a] = a < b ? a : b;
}

// Unites a cell set with all it touches.
static void unite_cell(AstarComponentPatch *patch, const AstarBits *bits, uint32_t node, int x,
                       int y)
{
    for (unsigned rest = joined_to(patch, bits, x, y); rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest), to_x = x + astar_dx[d], to_y = y + astar_dy[d];
        uint32_t other = astar_component_patch_cell(patch, to_x, to_y);
        if (other == UINT32_MAX)
            other = astar_component_patch_label(patch,
                                                astar_components_label(patch->under, to_x, to_y));
        unite_nodes(patch, node, other);
    }
}

static void unite_all(AstarComponentPatch *patch, const AstarBits *bits)
{
    uint32_t nodes = patch->cell_count + patch->label_count;
    for (uint32_t i = 0; i < nodes; i++)
        patch->roots[i] = i;
    for (int y = patch->y; y < patch->y + patch->height; y++)
        for (int x = patch->x; x < patch->x + patch->width; x++) {
            uint32_t node = astar_component_patch_cell(patch, x, y);
            if (node != UINT32_MAX)
                unite_cell(patch, bits, node, x, y);
        }
    for (uint32_t i = 0; i < nodes; i++)
        patch->roots[i] = patch_root_of(patch, i);
}

AstarStatus astar_component_patch_new(const AstarComponents *under, const AstarBits *before,
                                      const AstarBits *bits, int x, int y, int width, int height,
                                      AstarComponents **out)
{
    const AstarAllocator *allocator = &under->allocator;
    AstarComponents *components = astar_alloc(allocator, 1, sizeof *components);
    if (components == NULL)
        return ASTAR_NO_MEMORY;
    components->allocator = *allocator;
    AstarComponentPatch *patch = components->patch = astar_alloc(allocator, 1, sizeof *patch);
    if (patch != NULL) {
        *patch = (AstarComponentPatch){.under = under, x, y, width, height};
        patch->cell_count = count_cells(patch, before, bits);
        patch->cells = astar_alloc(allocator, astar_component_patch_numbers(patch),
                                   sizeof *patch->cells);
    }
    if (patch == NULL || patch->cells == NULL) {
        astar_components_free(components);
        return ASTAR_NO_MEMORY;
    }
    patch->labels = patch->cells + (size_t)width * (size_t)height;
    patch->roots = patch->labels + (size_t)patch->cell_count * ASTAR_DIRECTIONS;
    gather_nodes(patch, before, bits);
    sort_labels(patch);
    unite_all(patch, bits);
    *out = components;
    return ASTAR_OK;
}
