// component_patch.h -- the components of a bitmap in which a few more bits are set.

#ifndef ASTAR_COMPONENT_PATCH_H
#define ASTAR_COMPONENT_PATCH_H

#include "derived/components.h"

// The components of 'bits', which are those of 'under' as they were 'before' but for more bits set
// in a rectangle. The work and the memory are in proportion to that. They hold as long as 'under'
// does not change.
AstarStatus astar_component_patch_new(const AstarComponents *under, const AstarBits *before,
                                      const AstarBits *bits, int x, int y, int width, int height,
                                      AstarComponents **out);

#endif
