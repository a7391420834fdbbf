// conflicts.h -- whether the step of a unit goes together with those decided before.
//
// What is promised of any two steps is written in pibt.h. Of units of one cell it is told by few
// looks at cells; large ones are looked at two by two, as discs that move in straight lines.

#ifndef ASTAR_CONFLICTS_H
#define ASTAR_CONFLICTS_H

#include "parts/crowd/reservations.h"

// Of units of one cell: steps past each other are told by few looks.
static inline bool astar_goes_beside_small(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                           uint32_t to, int way)
{
    uint32_t leaver = pibt->places[to].now, follower = pibt->places[unit->cell].next;
    if (pibt->places[to].next != ASTAR_NOBODY)
        return false;
    if (way >= ASTAR_WAY_STAY)
        return pibt->places[unit->cell].next == ASTAR_NOBODY;
    if (leaver != ASTAR_NOBODY) {
        const AstarPibtUnit *other = &pibt->units[leaver];
        if (astar_pibt_is_decided(other) && other->way < ASTAR_WAY_STAY &&
            astar_is_against(way, other->way))
            return false;
    }
    if (follower != ASTAR_NOBODY) {
        const AstarPibtUnit *other = &pibt->units[follower];
        if (other->way < ASTAR_WAY_STAY && astar_is_against(other->way, way))
            return false;
    }
    if ((way & 1) == 0)
        return true;
    uint32_t left = astar_pibt_towards(pibt, unit->cell, (way + 7) & 7);
    uint32_t right = astar_pibt_towards(pibt, unit->cell, (way + 1) & 7);
    uint32_t from_left = pibt->places[left].now, from_right = pibt->places[right].now;
    return !(from_left != ASTAR_NOBODY && pibt->units[from_left].next == right) &&
           !(from_right != ASTAR_NOBODY && pibt->units[from_right].next == left);
}

// Of any units: looks at all that come near.
bool astar_goes_beside_others(const AstarPibt *pibt, uint32_t index, uint32_t to, int way);

static inline bool astar_goes_beside(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    return astar_pibt_is_all_small(pibt)
               ? astar_goes_beside_small(pibt, &pibt->units[index], to, way)
               : astar_goes_beside_others(pibt, index, to, way);
}

#endif
