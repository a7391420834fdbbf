// snapshot.c -- searches that are cut at every step, with edits between.

#include "snapshot.h"

#include <math.h>

enum { MOST_VERSIONS = 24, MOST_ASKED_GOALS = 3, MOST_BEGINNINGS = 20 };

typedef struct Asking {
    AstarCell from, to;
    AstarCell goals[MOST_ASKED_GOALS];
    size_t goal_count; // 0: for a path to one cell
} Asking;

typedef struct Answer {
    AstarStatus status;
    double cost;
} Answer;

static Asking draw_asking(Input *input, const World *world)
{
    Asking asking = {.goal_count = (size_t)next_below(input, MOST_ASKED_GOALS + 1)};
    random_cell(input, world, &asking.from.x, &asking.from.y);
    random_cell(input, world, &asking.to.x, &asking.to.y);
    for (size_t i = 0; i < asking.goal_count; i++)
        random_cell(input, world, &asking.goals[i].x, &asking.goals[i].y);
    return asking;
}

// What the map of now answers, asked of a copy of it of which nothing was asked before.
static Answer answer_now(const Unit *unit, AstarGrid *grid, const Asking *asking)
{
    AstarGrid *copy;
    AstarFinder *finder;
    AstarPath path;
    size_t index;
    astar_path_init(&path);
    REQUIRE(astar_grid_clone(grid, &copy) == ASTAR_OK);
    REQUIRE(astar_finder_new(copy, &unit->options, &finder) == ASTAR_OK);
    Answer answer;
    if (asking->goal_count > 0)
        answer.status = astar_find_nearest(unit->workspace, finder, asking->from.x, asking->from.y,
                                           asking->goals, asking->goal_count, NULL, NULL, &path,
                                           &index);
    else
        answer.status = astar_find_path(unit->workspace, finder, asking->from.x, asking->from.y,
                                        asking->to.x, asking->to.y, NULL, NULL, &path);
    answer.cost = answer.status == ASTAR_OK ? path.cost : 0;
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(copy);
    return answer;
}

// ASTAR_RUNNING, or what it is answered by at once.
static AstarStatus begin_asking(AstarSearch *search, const Asking *asking)
{
    if (asking->goal_count > 0)
        return astar_search_nearest_in_steps(search, asking->from.x, asking->from.y, asking->goals,
                                             asking->goal_count, NULL, 0);
    AstarStatus status = astar_search_begin_in_steps(search, asking->from.x, asking->from.y,
                                                     asking->to.x, asking->to.y, NULL, 0);
    bool is_on_snapshot = status == ASTAR_RUNNING &&
                          asking->from.x % 2 == 1; // else edits have it so
    if (is_on_snapshot)
        REQUIRE(astar_search_take_snapshot(search) == ASTAR_OK);
    return status;
}

static Answer answer_of(AstarSearch *search, AstarStatus status)
{
    AstarPath path;
    astar_path_init(&path);
    if (status == ASTAR_OK)
        REQUIRE(astar_search_path(search, &path) == ASTAR_OK);
    Answer answer = {status, status == ASTAR_OK ? path.cost : 0};
    astar_path_destroy(&path);
    return answer;
}

// By landmarks, or by other ties, a path that need not be the best one may be another.
static bool is_told_alike(const Unit *unit, Answer told, Answer version)
{
    bool is_best = unit->options.weight == 1 && !unit->options.any_angle &&
                   unit->options.estimate == NULL;
    return told.status == version.status && (near(told.cost, version.cost) || !is_best);
}

void ask_under_edits(Input *input, const World *world, Unit *unit, AstarGrid *grid, Edit edit,
                     void *fuzz)
{
    Answer versions[MOST_VERSIONS];
    Asking asking = draw_asking(input, world);
    AstarSearch *search;
    REQUIRE(astar_search_take_unbuilt(unit->workspace, unit->finder, &search) == ASTAR_OK);
    AstarStatus status = begin_asking(search, &asking);
    int count = 0;
    bool is_known = status != ASTAR_RUNNING;
    while (status == ASTAR_RUNNING && count < MOST_VERSIONS) {
        versions[count++] = answer_now(unit, grid, &asking);
        status = astar_search_step(search, 1 + (uint64_t)next_below(input, 4), NULL);
        if (status == ASTAR_RUNNING && count < MOST_VERSIONS)
            edit(fuzz);
    }
    for (int i = 0; i < MOST_BEGINNINGS && status == ASTAR_RUNNING; i++)
        status = astar_search_step(search, UINT64_MAX, NULL);
    REQUIRE(status != ASTAR_RUNNING);
    Answer answer = answer_of(search, status);
    for (int i = 0; i < count; i++)
        is_known = is_known || is_told_alike(unit, answer, versions[i]);
    REQUIRE(is_known || unit->options.max_expansions != UINT64_MAX);
    astar_search_free(search);
}
