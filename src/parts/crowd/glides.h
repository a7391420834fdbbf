// glides.h -- how far each unit is drawn on its way during a beat, which way it is turned, along
// that or as fast as told, and who has to hurry.

#ifndef ASTAR_GLIDES_H
#define ASTAR_GLIDES_H

#include "map/grid.h"

// Room for glides of all units; false without memory.
bool astar_crowd_make_glides(AstarCrowd *crowd);
// The period of a unit by its own pace; what it has may be longer, to keep pace with others.
uint32_t astar_crowd_own_period(const AstarCrowd *crowd, uint32_t unit);
// After a beat was decided, before and after units are in their new cells: what is drawn of it.
void astar_crowd_end_glides(AstarCrowd *crowd);
void astar_crowd_begin_glides(AstarCrowd *crowd);
// Where a unit is drawn, by its north-west cell, at a moment of the beat from 0 to 1.
void astar_crowd_locate(const AstarCrowd *crowd, uint32_t index, double moment, double *x,
                        double *y);
// Whether somebody is still drawn, or comes before its step is over, too near to a unit that would
// stand there.
bool astar_crowd_is_drawn_near(const AstarCrowd *crowd, int x, int y, int size);
// Which way it is turned at such a moment, see AstarUnitFacts.
double astar_crowd_angle(const AstarCrowd *crowd, uint32_t index, double moment);

#endif
