// steps_in_turn.c -- in which order exclusive units take the steps of a turn.
//
// For any two steps that touch, which of them can be first is known beforehand. So it does no harm
// to take every step as soon as it can be taken: if some order exists, one is found.

#include "crowd/steps_in_turn.h"

#include <string.h>

// Returns whether a unit can step in a beat, given when another one does, or 0 if not yet.
static bool can_step_beside(const AstarPibt *pibt, const AstarStepBoxes *step, uint32_t beat,
                            const AstarPibtUnit *other, uint32_t others_beat)
{
    AstarStepBoxes others = astar_step_boxes(pibt, other, other->next);
    if (other->next == other->cell)
        return !astar_boxes_overlap(&step->all, &others.from);
    if (others_beat == 0)
        return astar_step_can_be_first(step, &others);
    return !astar_boxes_overlap(&step->all, others_beat == beat ? &others.all : &others.to);
}

// Returns whether a unit can step in a beat beside all who come near.
static bool can_step_now(const AstarPibt *pibt, uint32_t index, const uint32_t *beats,
                         uint32_t beat)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    AstarStepBoxes step = astar_step_boxes(pibt, unit, unit->next);
    AstarCellArea near = astar_area_about(pibt, unit->cell, astar_pibt_size(pibt, unit), 2);
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &near, index, &at)) != ASTAR_NOBODY;)
        if (!can_step_beside(pibt, &step, beat, &pibt->units[who], beats[who]))
            return false;
    return true;
}

static bool is_waiting(const AstarPibt *pibt, uint32_t index, const uint32_t *beats)
{
    return beats[index] == 0 && pibt->units[index].next != pibt->units[index].cell;
}

// Has all stay who have not stepped. The cells that they are in are still their own, because
// nobody steps to where another unit is.
static void keep_waiting_units(AstarPibt *pibt, uint32_t count, const uint32_t *beats)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_waiting(pibt, i, beats))
            astar_pibt_withdraw(pibt, i);
    for (uint32_t i = 0; i < count; i++) {
        AstarPibtUnit *unit = &pibt->units[i];
        if (astar_pibt_is_decided(unit))
            continue;
        astar_pibt_stamp_next(pibt, astar_pibt_size(pibt, unit), unit->cell, ASTAR_NOBODY, i);
        unit->next = unit->cell;
        unit->way = ASTAR_WAY_STAY;
    }
}

uint32_t astar_order_steps(AstarPibt *pibt, uint32_t count, uint32_t *beats)
{
    uint32_t left = 0, before = UINT32_MAX, beat = 0;
    memset(beats, 0, count * sizeof *beats);
    for (uint32_t i = 0; i < count; i++)
        left += is_waiting(pibt, i, beats);
    while (left > 0 && left < before) {
        before = left;
        beat++;
        for (uint32_t i = 0; i < count; i++)
            if (is_waiting(pibt, i, beats) && can_step_now(pibt, i, beats, beat)) {
                beats[i] = beat;
                left--;
            }
    }
    if (left == 0)
        return beat > 0 ? beat : 1;
    keep_waiting_units(pibt, count, beats);
    return beat > 1 ? beat - 1 : 1; // in the last beat nobody stepped
}
