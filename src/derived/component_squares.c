// component_squares.c -- the squares that an overlay has of its own, in a hash table.

#include "derived/component_squares.h"

AstarOverlaidSquare *astar_overlaid_square(const AstarComponentOverlay *overlay, uint32_t place)
{
    uint32_t at = place * 0x9E3779B1u;
    for (at ^= at >> 15;; at++) {
        AstarOverlaidSquare *square = &overlay->squares[at & (overlay->capacity - 1)];
        if (square->key == place + 1 || square->key == 0)
            return square;
    }
}

AstarComponentSquare *astar_overlay_square(const AstarComponentOverlay *overlay, uint32_t place)
{
    AstarOverlaidSquare *own = astar_overlaid_square(overlay, place);
    if (own->key == 0) {
        own->key = place + 1;
        own->square = overlay->under->squares[place];
        own->square.capacity = 0; // its room is not to be written to
    }
    return &own->square;
}

uint8_t *astar_overlay_cells(AstarComponents *c, uint32_t place)
{
    AstarOverlaidSquare *own = astar_overlaid_square(c->overlay, place);
    own->cells = ++c->overlay->tile_count;
    return &c->local[(size_t)(own->cells - 1) * ASTAR_TILE * ASTAR_TILE];
}

void astar_overlay_bar(const AstarComponentOverlay *overlay, int x, int y,
                       uint16_t rows[ASTAR_TILE])
{
    for (size_t i = 0; i < overlay->count && overlay->is_barred; i++) {
        AstarRectangle r = astar_changed_cells(overlay, i);
        int west = r.x > x ? r.x - x : 0, east = r.x + r.width - x;
        int north = r.y > y ? r.y - y : 0, south = r.y + r.height - y;
        if (west >= ASTAR_TILE || east <= 0)
            continue;
        unsigned barred = (1u << (east < ASTAR_TILE ? east : ASTAR_TILE)) - (1u << west);
        for (int row = north; row < south && row < ASTAR_TILE; row++)
            rows[row] &= (uint16_t)~barred;
    }
}
