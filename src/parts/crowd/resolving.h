// resolving.h -- a plan for units of a crowd that stand in each other's way, and how they follow
// it.
//
// While it is made its units stay where they are. Then each beat has all of them take the next step
// of the plan at once; where that cannot be, for somebody else is in the way, all of them wait.

#ifndef ASTAR_RESOLVING_H
#define ASTAR_RESOLVING_H

#include "parts/crowd/crowd.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/places.h"

typedef enum AstarResolvingStage {
    ASTAR_RESOLVING_PLACES, // where units are to go
    ASTAR_RESOLVING_FIELDS, // how far that is
    ASTAR_RESOLVING_SEARCH,
    ASTAR_RESOLVING_READ, // the plan is read off
    ASTAR_RESOLVING_SUM,  // what it costs, and where it ends
    ASTAR_RESOLVING_IMPROVE,
    ASTAR_RESOLVING_CLEAR, // what it was made with is given back
    ASTAR_RESOLVING_OVER
} AstarResolvingStage;

// Units of one goal.
typedef struct AstarPlaceGroup {
    uint32_t size;
    AstarCrowdAim aim; // by the least of their ranges
    int unit_size;
    bool has_goal; // one of them has been given that, or another group has
} AstarPlaceGroup;

// What there is only while a plan is made.
typedef struct AstarPlanMaking {
    AstarRoom room;
    AstarPile pile; // of the arrays that follow
    AstarPibtUnit *units;
    AstarGoalField *fields; // of each, to its place
    uint32_t *groups;       // of each: its group, from 1 on; 0: it wants to be nowhere
    uint32_t *places;       // of each
    AstarPlaceGroup *group_list;
    uint32_t group_count;
    uint32_t at;      // of what the stage goes through
    uint32_t cleared; // fields
    AstarLacam lacam;
    const AstarLacamNode *read; // the last configuration that is not in the plan yet
    AstarReplan replan;
    bool is_improved; // as far as it is to be
    uint64_t sum;     // of arrivals,
    uint32_t last;    // and the last step that changes anything, as far as units were looked at
} AstarPlanMaking;

struct AstarResolving {
    uint32_t references;
    AstarCrowd *crowd;           // NULL: it has been let go
    struct AstarResolving *next; // of the crowd's
    AstarStatus status;
    AstarResolvingStage stage;
    AstarStatus outcome; // that there will be once all is cleared
    AstarBytes bytes;
    AstarPile kept;        // of members and plan
    uint32_t *members;     // numbers of its units in the crowd
    uint32_t count, asked; // how many there are, and room for
    uint64_t improve;      // work left for that
    bool lets_down;        // who cannot get to its place may end anywhere
    uint64_t expanded;     // turns of the search
    uint64_t cost;
    AstarPlanMaking making;
    AstarPlan plan;
    bool has_plan;               // there is or was one
    uint32_t step;               // of the plan, that the crowd has taken
    uint32_t waited;             // beats, for others
    bool is_paused, is_stepping; // in the beat that is being made
};

// Whether a unit would take part if all were asked.
bool astar_crowd_takes_part(const AstarCrowd *crowd, const AstarResolvingOptions *options,
                            uint32_t index);
// Has the crowd let go of it, for some reason; its units go on by themselves.
void astar_resolving_leave(AstarResolving *resolving, AstarStatus status);

// ---- knots.c ----

// ---- orders.c ----

// Lets go of the plan of a unit, for that was told something else; of all plans.
void astar_crowd_drop_plan(AstarCrowd *crowd, uint32_t unit);
void astar_crowd_drop_plans(AstarCrowd *crowd);

// ---- knots.c ----
#endif
