// reservations.c -- units put down, taken up, and decisions taken back.

#include "crowd/reservations.h"

void astar_pibt_place(AstarPibt *pibt, uint32_t unit)
{
    const AstarPibtUnit *placed = &pibt->units[unit];
    int size = astar_pibt_size(pibt, placed), width = pibt->grid->width;
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            pibt->places[placed->cell + (uint32_t)(row * width + column)].now = unit;
}

void astar_pibt_lift(AstarPibt *pibt, uint32_t unit)
{
    const AstarPibtUnit *lifted = &pibt->units[unit];
    int size = astar_pibt_size(pibt, lifted);
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            AstarPlace *place =
                &pibt->places[lifted->cell + (uint32_t)(row * pibt->grid->width + column)];
            place->now = place->now == unit ? ASTAR_NOBODY : place->now;
        }
}

bool astar_pibt_is_free(const AstarPibt *pibt, const AstarCrowdKind *kind, int x, int y,
                        uint32_t unit)
{
    int size = astar_kind_size(kind), at = 0;
    if (x + size > pibt->grid->width || y + size > pibt->grid->height)
        return false;
    AstarCellArea area = {astar_cell(pibt->grid, x, y), size, size};
    return astar_next_in_area(pibt, &area, unit, &at) == ASTAR_NOBODY;
}

void astar_pibt_take_back(AstarPibt *pibt, uint32_t since)
{
    uint32_t kept = pibt->decided;
    do
        kept--;
    while (pibt->trail[kept] != since);
    for (uint32_t i = kept; i < pibt->decided; i++) {
        uint32_t index = pibt->trail[i];
        if ((pibt->units[index].flags & ASTAR_PIBT_FIXED) != 0)
            pibt->trail[kept++] = index;
        else
            astar_pibt_withdraw(pibt, index);
    }
    pibt->decided = kept;
}
