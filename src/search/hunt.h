// hunt.h -- a search for one of many goals: which there are, which can be reached, how near they
// are.

#ifndef ASTAR_HUNT_H
#define ASTAR_HUNT_H

#include "search/distance_transform.h"
#include "search/nearest.h"
#include "search/reachable.h"

// From this many on goals are looked for without an estimate.
enum { ASTAR_MANY_GOALS = 16 };

typedef struct AstarHunt {
    AstarSearch *search;
    const AstarGoals *goals;
    AstarReachable reach;
    AstarCell
        kept[ASTAR_MANY_GOALS]; // the goals with an estimate; once one is met, those that are lower
    size_t kept_count;
    bool guided;      // by those estimates
    size_t reachable; // goals that may be reached
    size_t only;      // the last of them
    bool any_free;    // of the others, some are not blocked

    uint32_t met;      // the cell of the goal that search->found belongs to; ASTAR_NO_CELL: none
    uint32_t near_to;  // the one that search->nearest is nearest to
    uint64_t compared; // goals, to tell how near cells are
    bool is_measured;  // search->nears tells
} AstarHunt;

static inline uint32_t astar_goal_cell(const AstarHunt *hunt, const AstarCell *goal)
{
    return astar_cell(hunt->search->grid, goal->x, goal->y);
}

// Which goal is the first in a cell.
size_t astar_hunt_index(const AstarHunt *hunt, uint32_t cell);
// Marks the cells that count as goals with the lowest goal they are within range of.
AstarStatus astar_hunt_mark(AstarHunt *hunt);

// Whether a cell counts as a goal, and as which.
static inline bool astar_hunt_marked(const AstarHunt *hunt, uint32_t cell, uint32_t *goal)
{
    const AstarFront *marks = &hunt->search->fronts[1];
    const AstarNode *node = &marks->nodes[cell];
    if (node->stamp != marks->stamp)
        return false;
    *goal = (uint32_t)node->g;
    return true;
}

// How near a cell lies to the nearest goal, and which that is: of equally near ones the lowest.
AstarStatus astar_hunt_distance(AstarHunt *hunt, uint32_t cell, AstarNear *nearest);
// Sorts out the goals: what it would end with if none is reached, ASTAR_RUNNING if one may be.
AstarStatus astar_hunt_sort_out(AstarHunt *hunt);
// How near the reachable cell nearest to any goal lies to it.
AstarStatus astar_hunt_nearest_reachable(AstarHunt *hunt, double *nearest);

#endif
