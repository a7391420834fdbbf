// glides.h -- where units are drawn during a tick, and in which direction they face. A step may
// take longer than a tick. So units must be drawn in such a way that they do not overlap while they
// are between cells.

#ifndef ASTAR_GLIDES_H
#define ASTAR_GLIDES_H

#include "map/grid.h"

// Allocates the data of how all units are drawn (their glides), if there is none yet. Returns false
// if memory is short.
bool astar_crowd_make_glides(AstarCrowd *crowd);
// Returns the number of ticks per step at a unit's own pace. Its current period may be longer, if
// it keeps pace with slower units.
uint32_t astar_crowd_own_period(const AstarCrowd *crowd, uint32_t unit);
// Computes how units are drawn at the end of the last tick. It must be called when the steps of a
// tick are decided, before units are moved to their new cells.
void astar_crowd_end_glides(AstarCrowd *crowd);
// Computes how units are drawn during the next tick. It must be called when units have been moved
// to their new cells.
void astar_crowd_begin_glides(AstarCrowd *crowd);
// Gives the place where the north-west cell of a unit is drawn, at a moment of the tick from 0 to
// 1.
void astar_crowd_locate(const AstarCrowd *crowd, uint32_t index, double moment, double *x,
                        double *y);
// Returns true if a unit of size 'size' at (x, y) would be drawn too near to another unit, which
// may still be on the way between two cells.
bool astar_crowd_is_drawn_near(const AstarCrowd *crowd, int x, int y, int size);
// Returns the angle at which a unit is drawn facing, at a moment of the tick from 0 to 1, see
// AstarUnitFacts.
double astar_crowd_angle(const AstarCrowd *crowd, uint32_t index, double moment);

#endif
