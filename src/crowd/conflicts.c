// conflicts.c -- two motions at once: whether discs, or whole squares, overlap on the way.

#include "crowd/conflicts.h"

#include "crowd/steps_in_turn.h"

#include <stdlib.h>

// A unit's motion during a turn, in half cells: its middle, and where that goes.
typedef struct Motion {
    int x, y, dx, dy, size;
} Motion;

static Motion motion_of(const AstarPibt *pibt, const AstarPibtUnit *unit, int way)
{
    Motion motion = {0, 0, 0, 0, astar_pibt_size(pibt, unit)};
    astar_cell_xy(pibt->grid, unit->cell, &motion.x, &motion.y);
    motion.x = 2 * motion.x + motion.size;
    motion.y = 2 * motion.y + motion.size;
    if (way < ASTAR_WAY_STAY) {
        motion.dx = 2 * astar_dx[way];
        motion.dy = 2 * astar_dy[way];
    }
    return motion;
}

// Whether whole squares overlap on the way. Where they begin and end to, all is at an eighth.
static bool squares_overlap(const Motion *a, const Motion *b)
{
    for (int eighth = 1; eighth < 8; eighth++) {
        int x = 8 * (b->x - a->x) + eighth * (b->dx - a->dx);
        int y = 8 * (b->y - a->y) + eighth * (b->dy - a->dy);
        if (abs(x) < 8 * (a->size + b->size) && abs(y) < 8 * (a->size + b->size))
            return true;
    }
    return false;
}

// Whether discs of radius size / 2 - 0.15 do, by the nearest that their middles come.
static bool discs_overlap(const Motion *a, const Motion *b)
{
    int64_t x = b->x - a->x, y = b->y - a->y, dx = b->dx - a->dx, dy = b->dy - a->dy;
    int64_t along = -(x * dx + y * dy), speed = dx * dx + dy * dy;
    if (along <= 0 || along >= speed)
        return false; // nearest at one end, where they lie beside each other
    int64_t room = 5 * (a->size + b->size) - 3; // fifths of half cells
    return 25 * ((x * x + y * y) * speed - along * along) < room * room * speed;
}

static bool goes_beside_unit(const AstarPibt *pibt, const Motion *motion,
                             const AstarPibtUnit *other)
{
    if (!astar_pibt_is_decided(other))
        return true;
    Motion others = motion_of(pibt, other, other->way);
    return pibt->is_exclusive ? !squares_overlap(motion, &others) : !discs_overlap(motion, &others);
}

// Returns whether a step would close a ring of units, each of which enters the cell that the next
// one leaves: then none of them could be first. Among units of one cell only.
static bool closes_a_ring(const AstarPibt *pibt, uint32_t index, uint32_t to)
{
    uint32_t who = pibt->places[to].now;
    while (who != ASTAR_NOBODY && who != index && astar_pibt_is_decided(&pibt->units[who]) &&
           pibt->units[who].next != pibt->units[who].cell)
        who = pibt->places[pibt->units[who].next].now;
    return who == index;
}

// Returns whether a step, or a stay, can be put in an order with each step that is decided.
static bool has_an_order(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    if (way < ASTAR_WAY_STAY && !pibt->has_sizes && closes_a_ring(pibt, index, to))
        return false;
    AstarStepBoxes step = astar_step_boxes(pibt, unit, to);
    AstarCellArea near = astar_area_about(pibt, unit->cell, astar_pibt_size(pibt, unit), 2);
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &near, index, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        if (!astar_pibt_is_decided(other))
            continue;
        AstarStepBoxes others = astar_step_boxes(pibt, other, other->next);
        if (!astar_step_can_be_first(&step, &others) && !astar_step_can_be_first(&others, &step))
            return false;
    }
    return true;
}

bool astar_goes_beside_others(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit);
    if (!astar_pibt_is_next_free(pibt, size, to) ||
        (way == ASTAR_WAY_LINK && !astar_pibt_is_next_free(pibt, size, unit->cell)))
        return false;
    if (pibt->takes_steps_in_turn)
        return has_an_order(pibt, index, to, way);
    if (way >= ASTAR_WAY_STAY)
        return true; // who passes by minds those who stand
    Motion motion = motion_of(pibt, unit, way);
    AstarCellBox near = astar_cells_about(pibt->grid, unit->cell, size, 2);
    for (int y = near.y0; y <= near.y1; y++)
        for (int x = near.x0; x <= near.x1; x++) {
            const AstarPlace *place = &pibt->places[astar_cell(pibt->grid, x, y)];
            const uint32_t who[] = {place->now, place->next};
            for (int i = 0; i < 2; i++)
                if (who[i] != ASTAR_NOBODY && who[i] != index &&
                    !goes_beside_unit(pibt, &motion, &pibt->units[who[i]]))
                    return false;
        }
    return true;
}
