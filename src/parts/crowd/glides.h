// glides.h -- Computes where units are drawn during a tick, and in which direction they face. A
// step may take longer than a tick. Units must therefore be drawn in such a way that they do not
// overlap while they are between cells.

#ifndef ASTAR_GLIDES_H
#define ASTAR_GLIDES_H

#include "map/grid.h"

// Allocates the data that describes how all units are drawn (their glides), if it is not allocated
// yet. Returns false if memory is short.
bool astar_crowd_make_glides(AstarCrowd *crowd);
// Returns the number of ticks that a step of a unit takes at the unit's own pace. The unit's
// current period is longer while it keeps pace with slower units.
uint32_t astar_crowd_own_period(const AstarCrowd *crowd, uint32_t unit);
// Computes the position and direction of all drawn units at the end of the last tick. Must be
// called when the steps of a tick are decided, before units are moved to their new cells.
void astar_crowd_end_glides(AstarCrowd *crowd);
// Computes how units are drawn during the next tick. Must be called after units have been moved to
// their new cells.
void astar_crowd_begin_glides(AstarCrowd *crowd);
// Computes where a unit is drawn, at a moment of the tick from 0 to 1. '*x' and '*y' become the
// position of its north-west cell.
void astar_crowd_locate(const AstarCrowd *crowd, uint32_t index, double moment, double *x,
                        double *y);
// Returns true if a unit of size 'size' at (x, y) would be drawn too near to another unit. The
// other unit may still be moving between two cells.
bool astar_crowd_is_drawn_near(const AstarCrowd *crowd, int x, int y, int size);
// Returns the direction in which a unit is drawn facing, at a moment of the tick from 0 to 1. The
// angle is in radians, as in AstarUnitFacts.
double astar_crowd_angle(const AstarCrowd *crowd, uint32_t index, double moment);

#endif
