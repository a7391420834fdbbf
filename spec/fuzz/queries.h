// queries.h -- what the fuzzer asks of a unit on a world, each answer held against the oracle.

#ifndef QUERIES_H
#define QUERIES_H

#include "input.h"
#include "oracle.h"

enum { MOST_GOALS = 3 };

// One kind of unit, the last path it was told, and a flow field that edits go on under.
typedef struct Unit {
    AstarOptions options;
    double costs[ASTAR_MAX_TERRAINS];
    AstarWorkspace *workspace; // the same of all units
    AstarFinder *finder;
    AstarPath path;
    AstarFlow *flow; // NULL: none yet
    AstarFlowGoal goals[MOST_GOALS];
    int goal_count; // 0: a reach, from the first one
} Unit;

typedef void (*Query)(Input *input, const World *world, Unit *unit);

void ask_path(Input *input, const World *world, Unit *unit);
void ask_stepped(Input *input, const World *world, Unit *unit);
void ask_nearest(Input *input, const World *world, Unit *unit);
void ask_where(Input *input, const World *world, Unit *unit);
void ask_reachable(Input *input, const World *world, Unit *unit);
void ask_line(Input *input, const World *world, Unit *unit);
void ask_clearance(Input *input, const World *world, Unit *unit);
void ask_check(Input *input, const World *world, Unit *unit);
void ask_repair(Input *input, const World *world, Unit *unit);
void ask_smooth(Input *input, const World *world, Unit *unit);
void ask_reverse(Input *input, const World *world, Unit *unit);
void ask_new_flow(Input *input, const World *world, Unit *unit);
void query_flow(Input *input, const World *world, Unit *unit);
void ask_bake(Input *input, const World *world, Unit *unit);

// Everything that edits keep in repair for this unit is what is built anew.
void check_repairs(const World *world, Unit *unit);

// ---- what the questions share ----

bool near(double a, double b);
bool same_path(const AstarPath *a, const AstarPath *b);
void random_cell(Input *input, const World *world, int *x, int *y);
int cell_at(const World *world, const AstarPath *path, int index);
// The least cost of coming within range of a cell.
double best_within(const World *world, const Unit *unit, const Reach *reach, int gx, int gy);
// The first cell of a path that cannot be stepped on, -1 when all can, and the cost of the steps.
int walk(const World *world, const Unit *unit, const Reach *reach, const AstarPath *path,
         double *cost);

#endif
