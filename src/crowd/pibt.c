// pibt.c -- one turn of all units: who takes which step.

#include "crowd/reservations.h"

#include "crowd/conflicts.h"
#include "crowd/ways.h"

#include <assert.h>

// How often a unit is pushed in a turn, on the average, before all others stay where they are. Only
// where steps are taken back can it be more than once.
enum { PIBT_PUSHES = 16, PIBT_FEWEST_PUSHES = 64 };

// How many turns ahead what a unit reads is asked for: itself, and what lies about its cell.
enum { FAR_AHEAD = 16, NEXT_AHEAD = 6 };

void astar_pibt_begin(AstarPibt *pibt, const uint32_t *order, uint32_t count, uint64_t seed)
{
    pibt->order = order;
    pibt->count = count;
    pibt->at = pibt->decided = 0;
    pibt->top = ASTAR_NOBODY;
    pibt->seed = astar_mix_seed(seed + UINT64_C(0x9E3779B97F4A7C15));
    pibt->left = (uint64_t)PIBT_PUSHES * count + PIBT_FEWEST_PUSHES;
    pibt->has_failed = false;
}

// Whether one that is still to decide, and need not make way for a unit, is where that would be.
static bool would_drive_others(const AstarPibt *pibt, uint32_t unit, uint32_t cell)
{
    int size = astar_pibt_size(pibt, &pibt->units[unit]), at = 0;
    AstarCellArea area = {cell, size, size};
    for (uint32_t who; (who = astar_next_in_area(pibt, &area, unit, &at)) != ASTAR_NOBODY;)
        if (!astar_pibt_is_decided(&pibt->units[who]) && astar_are_of_two_sides(pibt, unit, who))
            return true;
    return false;
}

bool astar_pibt_decide(AstarPibt *pibt, uint32_t unit, uint32_t cell)
{
    int way = astar_way_to(pibt, &pibt->units[unit], cell);
    assert(!astar_pibt_is_decided(&pibt->units[unit]));
    if (way < 0 || !astar_goes_beside(pibt, unit, cell, way) ||
        (pibt->sides != NULL && would_drive_others(pibt, unit, cell)))
        return false;
    if (pibt->is_exclusive && !pibt->takes_steps_in_turn && way != ASTAR_WAY_STAY) {
        AstarCellArea area = astar_area_of_way(pibt, &pibt->units[unit], cell, way);
        int at = 0;
        if (astar_next_in_area(pibt, &area, unit, &at) != ASTAR_NOBODY)
            return false;
    }
    astar_pibt_reserve(pibt, unit, cell, way);
    return true;
}

// Turns go by who has waited longest, wherever those are: what the next ones will read is asked for
// before it is their turn.
static void look_ahead(const AstarPibt *pibt)
{
    if (pibt->at + FAR_AHEAD >= pibt->count)
        return;
    ASTAR_PREFETCH(&pibt->units[pibt->order[pibt->at + FAR_AHEAD]]);
    const AstarPibtUnit *unit = &pibt->units[pibt->order[pibt->at + NEXT_AHEAD]];
    const AstarPlace *place = &pibt->places[unit->cell];
    const uint8_t *moves = &astar_pibt_kind(pibt, unit)->table.moves[unit->cell];
    ptrdiff_t width = pibt->grid->width;
    ASTAR_PREFETCH((uintptr_t)place - (uintptr_t)width * sizeof *place);
    ASTAR_PREFETCH(place);
    ASTAR_PREFETCH((uintptr_t)place + (uintptr_t)width * sizeof *place);
    ASTAR_PREFETCH(moves);
}

AstarStatus astar_pibt_step(AstarPibt *pibt, uint64_t *work)
{
    for (; pibt->top != ASTAR_NOBODY || (pibt->at < pibt->count && !pibt->has_failed); --*work) {
        if (*work == 0)
            return ASTAR_RUNNING;
        if (pibt->top == ASTAR_NOBODY) {
            look_ahead(pibt);
            uint32_t index = pibt->order[pibt->at++];
            if (astar_pibt_is_decided(&pibt->units[index]))
                continue;
            astar_push_unit(pibt, index, ASTAR_NOBODY);
        }
        astar_push_on(pibt, pibt->top);
    }
    return ASTAR_OK;
}

static void end_turn(AstarPibt *pibt)
{
    pibt->count = pibt->at = pibt->decided = 0;
    pibt->top = ASTAR_NOBODY;
}

void astar_pibt_move(AstarPibt *pibt)
{
    for (uint32_t i = 0; i < pibt->decided; i++) {
        uint32_t index = pibt->trail[i];
        AstarPibtUnit *unit = &pibt->units[index];
        uint32_t to = unit->next;
        astar_pibt_withdraw(pibt, index);
        unit->flags &= (uint8_t)~ASTAR_PIBT_OF_TURN;
        if (to == unit->cell)
            continue;
        if (unit->way < ASTAR_WAY_STAY)
            unit->ways = (unit->ways & ~ASTAR_LAST_WAY) | (unit->way + UINT64_C(1))
                                                              << ASTAR_LAST_WAY_AT;
        astar_pibt_lift(pibt, index);
        unit->cell = to;
        astar_pibt_place(pibt, index);
    }
    end_turn(pibt);
}

void astar_pibt_forget(AstarPibt *pibt)
{
    for (uint32_t i = 0; i < pibt->decided; i++)
        astar_pibt_withdraw(pibt, pibt->trail[i]);
    for (uint32_t i = 0; i < pibt->count; i++)
        pibt->units[pibt->order[i]].flags &= (uint8_t)~ASTAR_PIBT_OF_TURN;
    end_turn(pibt);
}
