// snapshot.h -- searches that are cut at every step, with edits between.

#ifndef FROZEN_H
#define FROZEN_H

#include "queries.h"

// An edit drawn from the input.
typedef void (*Edit)(void *fuzz);

// Asks for a path, of the map as it is at one moment, or for the nearest of some goals, which comes
// to that after as many edits as spoil it; edits between any two steps. What comes of it is what a
// finder of a copy of the map answers, of one of the versions there were since asking.
void ask_under_edits(Input *input, const World *world, Unit *unit, AstarGrid *grid, Edit edit,
                     void *fuzz);

#endif
