// sight.h -- looking along many lines from one cell.
//
// What stops a line stops every line by the same way as far: a whole range of slopes, behind that
// many steps. A view remembers such shadows, so that it follows few lines of the many asked for.

#ifndef ASTAR_SIGHT_H
#define ASTAR_SIGHT_H

#include "unit/costs.h"

enum { ASTAR_OCTANTS = 8, ASTAR_SHADOWS = 12 };

// Of lines of at least 'behind' steps those that by then have gone from low / 2 to high / 2 across.
typedef struct AstarShadow {
    int64_t low, high, behind;
} AstarShadow;

typedef struct AstarView {
    AstarCosts *costs;
    bool plain;     // the bitmap tells all
    int32_t x, y;   // where it looks from
    uint64_t spent; // steps followed and shadows compared, so far
    uint8_t counts[ASTAR_OCTANTS];
    AstarShadow shadows[ASTAR_OCTANTS][ASTAR_SHADOWS];
} AstarView;

// For a query that has begun, on a finder whose tables are current.
void astar_view_open(AstarView *view, AstarCosts *costs);
// Goes to another cell.
void astar_view_from(AstarView *view, int x, int y);
// Whether the straight line to a cell can be walked, and its steps cost no more than 'limit'.
AstarStatus astar_view_sees(AstarView *view, int x, int y, double limit, bool *sees);
// Whether it can be walked, of a view that is plain: its steps cost no more than any path's.
bool astar_view_sees_plain(AstarView *view, int x, int y);
// Whether it is known that none sees any cell of a box.
bool astar_view_hides(AstarView *view, AstarPoint low, AstarPoint high);

// Whether the ground makes lines cost in proportion to their steps, so that the bitmap and the
// corner rule tell of all lines.
bool astar_sight_is_plain(const AstarFinder *finder);

#endif
