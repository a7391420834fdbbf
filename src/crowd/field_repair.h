// field_repair.h -- mends the distances to a goal after edits, a few cells at a time.

#ifndef ASTAR_FIELD_REPAIR_H
#define ASTAR_FIELD_REPAIR_H

#include "crowd/field_build.h"

// Begins with the distances to a field's goal, of a kind that is current: by mending those in force
// where that can be, else anew. On failure none is begun.
AstarStatus astar_field_repair_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                     const AstarGoalField *field);
// Goes on with either, as astar_field_build_step does.
AstarStatus astar_field_repair_step(AstarFieldBuild *build, uint64_t *work);

#endif
