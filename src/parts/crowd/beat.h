// beat.h -- a beat of a crowd: all units choose their next steps, and then take them.
//
// An exclusive unit needs all cells that it passes over empty when its step begins. Where one unit
// follows another, the first steps in one beat and the second in the next. A turn of such steps can
// be taken if the units can be put in an order in which each finds its cells empty.

#ifndef ASTAR_BEAT_H
#define ASTAR_BEAT_H

#include "parts/crowd/cells.h"
#include "parts/crowd/pibt.h"

// The cells that a unit covers before its step, after it, and all that it covers meanwhile.
typedef struct AstarStepBoxes {
    AstarCellBox from, to, all;
} AstarStepBoxes;

static inline bool astar_boxes_overlap(const AstarCellBox *a, const AstarCellBox *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

// Returns the boxes of a step to a cell beside where the unit is, or of a unit that stays.
static inline AstarStepBoxes astar_step_boxes(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                              uint32_t to)
{
    AstarStepBoxes boxes;
    int size = astar_pibt_size(pibt, unit);
    boxes.from = astar_cells_about(pibt->grid, unit->cell, size, 0);
    boxes.to = astar_cells_about(pibt->grid, to, size, 0);
    boxes.all = (AstarCellBox){
        astar_lesser(boxes.from.x0, boxes.to.x0), astar_lesser(boxes.from.y0, boxes.to.y0),
        astar_greater(boxes.from.x1, boxes.to.x1), astar_greater(boxes.from.y1, boxes.to.y1)};
    return boxes;
}

// Returns whether a unit can step while another has not stepped yet, and that one can after it.
static inline bool astar_step_can_be_first(const AstarStepBoxes *first,
                                           const AstarStepBoxes *second)
{
    return !astar_boxes_overlap(&first->all, &second->from) &&
           !astar_boxes_overlap(&first->to, &second->all);
}

// Determines in which beat each of the first 'count' units takes the step that it has decided on,
// from 1 on; 0 for a unit that stays. Units that are not in each other's way step in the same beat.
// Units whose steps cannot be put in order, for example because they go round in a ring, decide to
// stay instead. Returns how many beats all steps take, at least 1.
uint32_t astar_order_steps(AstarPibt *pibt, uint32_t count, uint32_t *beats);

// Puts units in the order of their turns in the coming beat.
void astar_crowd_order_turns(AstarCrowd *crowd);
// After a beat: who has arrived, who has waited.
void astar_crowd_take_stock(AstarCrowd *crowd);
// Whether a unit has come no nearer for so long that waiting will hardly help, nor has helped after
// so many tries.
bool astar_crowd_is_stuck(const AstarCrowd *crowd, uint32_t unit, unsigned tries);

#endif
