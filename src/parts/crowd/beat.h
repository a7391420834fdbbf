// beat.h -- one tick of a crowd: all units choose their next steps, and then take them together.
//
// An exclusive unit may start a step only if all cells that it passes over are empty. If one unit
// follows another, the first one steps in one tick and the second one in the next. The steps that
// units have chosen together can be taken if there is an order in which each unit finds its cells
// empty.

#ifndef ASTAR_BEAT_H
#define ASTAR_BEAT_H

#include "parts/crowd/cells.h"
#include "parts/crowd/pibt.h"

// Three rectangles of cells: the cells that a unit covers before its step, after it, and at any
// time during it.
typedef struct AstarStepBoxes {
    AstarCellBox from, to, all;
} AstarStepBoxes;

static inline bool astar_boxes_overlap(const AstarCellBox *a, const AstarCellBox *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

// Returns the cells that a unit covers before, after and during a step. 'to' is a cell next to the
// unit's own cell, or the unit's own cell.
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

// Returns true if the step 'first' can be taken while the unit of 'second' has not stepped yet, and
// 'second' can be taken afterwards.
static inline bool astar_step_can_be_first(const AstarStepBoxes *first,
                                           const AstarStepBoxes *second)
{
    return !astar_boxes_overlap(&first->all, &second->from) &&
           !astar_boxes_overlap(&first->to, &second->all);
}

// Determines the tick in which each of the first 'count' units takes the step that it has chosen,
// and writes it to 'beats'. Ticks count from 1. A unit that stays gets 0. Units that do not block
// each other step in the same tick. If some steps have no possible order, for example those of
// units that move around in a ring, their units stay where they are. Returns the number of ticks
// that all steps take, at least 1.
uint32_t astar_order_steps(AstarPibt *pibt, uint32_t count, uint32_t *beats);

// Sorts the units by the order in which they choose their steps in the next tick.
void astar_crowd_order_turns(AstarCrowd *crowd);
// Determines, after a tick, which units have arrived, and how long the others have waited.
void astar_crowd_take_stock(AstarCrowd *crowd);
// Returns true if a unit has come no nearer to its goal for so long that waiting is unlikely to
// help. The time required doubles with each of 'tries' failed attempts to plan for the unit.
bool astar_crowd_is_stuck(const AstarCrowd *crowd, uint32_t unit, unsigned tries);

#endif
