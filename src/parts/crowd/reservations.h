// reservations.h -- who is where during a turn, and who will be: what all parts of it ask and note.
//
// A decided unit has the cells that it will cover reserved, and stands on the trail, in the order
// in which units decided: what depends on a step that fails is taken back from there.

#ifndef ASTAR_RESERVATIONS_H
#define ASTAR_RESERVATIONS_H

#include "parts/crowd/pibt.h"

// Of the turn, in a unit's flags.
enum {
    ASTAR_PIBT_WAITS = 2,    // for who was pushed to have decided
    ASTAR_PIBT_YIELDS = 4,   // stays, while others leave the cells it would enter
    ASTAR_PIBT_FIXED = 8,    // could not leave when it was pushed: stays, whatever is taken back
    ASTAR_PIBT_DRIVEN = 16,  // makes way for who has another goal, as do all whom it pushes in turn
    ASTAR_PIBT_PRESSED = 32, // so, and a large one is among them
    ASTAR_PIBT_FIRM = 64,    // could not leave when it was pushed: is not pushed again
    ASTAR_PIBT_ASKED = 128,  // so, but those of another goal may push it
    ASTAR_PIBT_OF_TURN = ASTAR_PIBT_WAITS | ASTAR_PIBT_YIELDS | ASTAR_PIBT_FIXED |
                         ASTAR_PIBT_DRIVEN | ASTAR_PIBT_PRESSED | ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED
};

static inline const AstarCrowdKind *astar_pibt_kind(const AstarPibt *pibt,
                                                    const AstarPibtUnit *unit)
{
    return &pibt->kinds[unit->kind];
}

static inline int astar_pibt_size(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    return pibt->has_sizes ? astar_kind_size(astar_pibt_kind(pibt, unit)) : 1;
}

// Whether units fill a cell each and mind nothing but that: then a step concerns few of them.
static inline bool astar_pibt_is_all_small(const AstarPibt *pibt)
{
    return !pibt->has_sizes && !pibt->is_exclusive;
}

static inline bool astar_pibt_is_decided(const AstarPibtUnit *unit)
{
    return unit->next != ASTAR_NOWHERE;
}

static inline uint32_t astar_pibt_towards(const AstarPibt *pibt, uint32_t cell, int way)
{
    return cell + (uint32_t)(astar_dy[way] * pibt->grid->width + astar_dx[way]);
}

static inline bool astar_are_of_two_sides(const AstarPibt *pibt, uint32_t index, uint32_t other)
{
    return pibt->sides != NULL && pibt->sides[index] != pibt->sides[other];
}

// Whether two directions, of who enters a cell and who leaves it, bring them too near.
static inline bool astar_is_against(int entering, int leaving)
{
    unsigned turn = (unsigned)(entering - leaving) & 7;
    return turn >= 3 && turn <= 5;
}

// ---- who is there ----

// The cells from one on, 'columns' wide and 'rows' high.
typedef struct AstarCellArea {
    uint32_t cell;
    int columns, rows;
} AstarCellArea;

// The next unit in an area, in the order of its cells, from 'at' on; its number, or ASTAR_NOBODY.
static inline uint32_t astar_next_in_area(const AstarPibt *pibt, const AstarCellArea *area,
                                          uint32_t index, int *at)
{
    for (; *at < area->columns * area->rows; ++*at) {
        int row = *at / area->columns, column = *at % area->columns;
        uint32_t who = pibt->places[area->cell + (uint32_t)(row * pibt->grid->width + column)].now;
        if (who != ASTAR_NOBODY && who != index) {
            ++*at;
            return who;
        }
    }
    return ASTAR_NOBODY;
}

// The cells within reach of those that a unit of some size covers.
static inline AstarCellArea astar_area_about(const AstarPibt *pibt, uint32_t cell, int size,
                                             int reach)
{
    AstarCellBox box = astar_cells_about(pibt->grid, cell, size, reach);
    return (AstarCellArea){astar_cell(pibt->grid, box.x0, box.y0), box.x1 - box.x0 + 1,
                           box.y1 - box.y0 + 1};
}

// ---- who will be ----

static inline bool astar_pibt_is_next_free(const AstarPibt *pibt, int size, uint32_t cell)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next !=
                ASTAR_NOBODY)
                return false;
    return true;
}

// Gives the cells that a unit would cover from one value to another.
static inline void astar_pibt_stamp_next(AstarPibt *pibt, int size, uint32_t cell, uint32_t from,
                                         uint32_t to)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            uint32_t *next =
                &pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next;
            if (*next == from)
                *next = to;
        }
}

static inline void astar_pibt_reserve(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit);
    astar_pibt_stamp_next(pibt, size, to, ASTAR_NOBODY, index);
    if (way == ASTAR_WAY_LINK) // it stands at the entrance until the turn is over
        astar_pibt_stamp_next(pibt, size, unit->cell, ASTAR_NOBODY, index);
    unit->next = to;
    unit->way = (uint8_t)way;
    pibt->trail[pibt->decided++] = index;
}

static inline void astar_pibt_withdraw(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit);
    astar_pibt_stamp_next(pibt, size, unit->next, index, ASTAR_NOBODY);
    if (unit->way == ASTAR_WAY_LINK)
        astar_pibt_stamp_next(pibt, size, unit->cell, index, ASTAR_NOBODY);
    unit->next = ASTAR_NOWHERE;
}

// Takes back what was decided since a unit was, and that, but that some could not leave.
void astar_pibt_take_back(AstarPibt *pibt, uint32_t since);

// pibt.c: a unit decides, and has who stands where it goes decide before it.
//
// This is priority inheritance with backtracking itself. Who is pushed chooses in its pusher's
// name; if it cannot leave, the pusher tries its next best way. The stack of those who push lies in
// the units.

// Has a unit decide, in its own name or that of who wants its cells. By one of its own goal it is
// not driven away: it only goes first.
void astar_push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher);
// Goes on with who is being decided: it takes a way, fails, or pushes somebody.
void astar_push_on(AstarPibt *pibt, uint32_t index);

// What a unit must find empty or have emptied: the cells it will cover, and of one that is
// exclusive all that it passes over.
AstarCellArea astar_area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                                int way);

// pibt.c: two units that want past each other where only one fits.
//
// The one whose turn it is goes the other way round through its steps, the worst first, and has the
// other follow it, until the corridor widens: there they pass (Okumura, IJCAI 2023).

// By which way one comes to who is to follow a unit that makes way for it to pass; ASTAR_NO_WAY: it
// just takes its best way.
int astar_find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer);

#endif
