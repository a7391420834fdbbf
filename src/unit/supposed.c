// supposed.c -- free cells that count as blocked for one finder.
//
// What a cost callback refuses is blocked to a unit in all it asks: corners, the cells that a large
// unit covers, lines of sight, goals. So a supposition is one more such refusal (ask_cell of
// costs.c), of a finder made for it that is else like another. The map is not touched, and nothing
// is derived of it anew.

#include "unit/supposed.h"

double astar_cost_as_given(void *context, int x, int y, int terrain, double cost)
{
    (void)context, (void)x, (void)y, (void)terrain;
    return cost;
}

static size_t supposed_size(size_t count)
{
    return sizeof(AstarSupposed) + count * sizeof(AstarRectangle);
}

void astar_supposed_free(const AstarAllocator *allocator, AstarSupposed *supposed)
{
    if (supposed != NULL)
        astar_release(allocator, supposed, supposed_size(supposed->count), 1);
}

static AstarRectangle around_both(AstarRectangle a, AstarRectangle b)
{
    int x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    int east = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int south = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (AstarRectangle){x, y, east - x, south - y};
}

AstarSupposed *astar_supposed_new(const AstarAllocator *allocator, const AstarRectangle *blocked,
                                  size_t count)
{
    AstarSupposed *supposed = astar_alloc(allocator, supposed_size(count), 1);
    if (supposed == NULL)
        return NULL;
    supposed->count = count;
    for (size_t i = 0; i < count; i++) {
        supposed->blocked[i] = blocked[i];
        supposed->all = i == 0 ? blocked[0] : around_both(supposed->all, blocked[i]);
    }
    return supposed;
}
