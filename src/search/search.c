// search.c -- a search asked, stepped and read; workspace.c takes it out and puts it to rest.

#include "search/search.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "search/clearance.h"
#include "search/distance_transform.h"
#include "search/expand_layers.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/lazy_theta.h"
#include "search/links.h"
#include "search/reachable.h"
#include "search/resume.h"
#include "unit/heuristic.h"

#include <assert.h>

// How finely the open list sorts before it has to: measured on maps of all kinds.
enum { SLOTS_A_STEP = 32 };

const char *astar_status_text(AstarStatus status)
{
    switch (status) {
    case ASTAR_OK: return "found";
    case ASTAR_RUNNING: return "running";
    case ASTAR_START_BLOCKED: return "start blocked";
    case ASTAR_GOAL_BLOCKED: return "goal blocked";
    case ASTAR_UNREACHABLE: return "unreachable";
    case ASTAR_MAX_COST: return "max_cost";
    case ASTAR_MAX_EXPANSIONS: return "max_expansions";
    case ASTAR_GRID_CHANGED: return "grid changed";
    case ASTAR_BAD_COST: return "cost out of range";
    case ASTAR_BAD_OPTION: return "option out of range";
    case ASTAR_NO_MEMORY: return "not enough memory";
    case ASTAR_BAD_EDGES: return "algorithm cannot honour links and walls";
    case ASTAR_BAD_GROUND: return "algorithm cannot honour ground of several costs";
    case ASTAR_BAD_CELL: return "cell outside the grid";
    }
    return "unknown status";
}

// ---- the question ----

static bool in_region(const AstarSearch *search, int x, int y)
{
    int range = search->question.range;
    return abs(x - search->goal_x) <= range && abs(y - search->goal_y) <= range;
}

// Whether only trying can tell if the goal will be reached.
static bool only_trying_tells(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    return astar_finder_has_callbacks(finder) || finder->options.estimate != NULL ||
           isfinite(question->max_cost) || question->max_expansions != UINT64_MAX;
}

// Answers without a search where the terrain or the components can; ASTAR_RUNNING otherwise.
static AstarStatus answer_without_search(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    int gx = search->goal_x, gy = search->goal_y;
    if (!astar_can_stand(finder, search->start_x, search->start_y))
        return ASTAR_START_BLOCKED;
    search->connected = in_region(search, search->start_x, search->start_y);
    if (search->connected)
        return ASTAR_RUNNING;
    bool goal_free = astar_bits_get(&finder->walkable->bits, gx, gy);
    if (!goal_free && question->range == 0 && !question->partial)
        return ASTAR_GOAL_BLOCKED;

    AstarReachable reach;
    AstarStatus status = astar_reachable_from(search, search->start_x, search->start_y, &reach);
    if (status != ASTAR_OK)
        return status;
    search->connected = astar_reachable_has_within(&reach, gx, gy, question->range);
    search->certain = reach.certain;
    bool uncertain = !reach.certain || only_trying_tells(search);
    if (search->connected) {
        search->tracks = question->partial && uncertain;
        search->asks_goal = goal_free && finder->options.cost != NULL && question->range == 0;
    } else if (!question->partial) {
        return ASTAR_UNREACHABLE;
    } else if (uncertain) {
        search->tracks = true;
    } else {
        double here = astar_estimate(&finder->distance, search->start_x - gx, search->start_y - gy);
        search->region = ASTAR_GOAL_NEAR;
        search->near = astar_reachable_nearest(&reach, gx, gy, here);
        search->near_cost = search->near * finder->min_cost * (1 + 1e-6);
    }
    return ASTAR_RUNNING;
}

static AstarAlgorithm algorithm_for(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    AstarAlgorithm asked = finder->options.algorithm;
    if (asked == ASTAR_ASTAR || asked == ASTAR_DIJKSTRA)
        return asked;
    bool is_exact = search->question.weight == 1;
    bool to_one_cell = search->region == ASTAR_GOAL_CELL && !search->tracks;
    if (!to_one_cell || (asked == ASTAR_BIDIRECTIONAL && search->start == search->goal))
        return ASTAR_ASTAR;
    if (asked == ASTAR_BIDIRECTIONAL)
        return asked;
    if (asked != ASTAR_JPSW && is_exact && astar_jps_applies(finder))
        return ASTAR_JPS;
    return asked != ASTAR_JPS && is_exact && astar_jpsw_apply(finder) ? ASTAR_JPSW : ASTAR_ASTAR;
}

// Runs are worth jumping over where there are some.
static AstarStatus choose_algorithm(AstarSearch *search)
{
    search->algorithm = algorithm_for(search);
    if (search->algorithm != ASTAR_JPSW)
        return ASTAR_OK;
    AstarStatus status = astar_finder_need_uniform_areas(search->finder);
    if (status == ASTAR_OK && search->finder->options.algorithm == ASTAR_AUTO &&
        !astar_jpsw_pay(search->finder))
        search->algorithm = ASTAR_ASTAR;
    return status;
}

// Works out what A* may leave out and how simple its question is.
static void simplify(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    bool exact = search->question.weight == 1;
    astar_canonical_work_out(&finder->options, exact, search->arrivals);
    search->no_pruning = finder->options.step_cost != NULL || astar_finder_is_layered(finder);
    search->is_plain = exact && search->region == ASTAR_GOAL_CELL && !search->tracks &&
                       !finder->heuristic.euclidean && finder->options.estimate == NULL;
}

AstarStatus astar_search_plant(AstarSearch *search, AstarFront *front, uint32_t root)
{
    if (front->nodes == NULL) {
        front->nodes = astar_alloc(&search->allocator, search->cells, sizeof *front->nodes);
        if (front->nodes == NULL)
            return ASTAR_NO_MEMORY;
    }
    if (!astar_slotted_reserve(&front->open, &search->allocator, 1))
        return ASTAR_NO_MEMORY;
    if (++front->stamp == 0) { // the stamps have come round
        memset(front->nodes, 0, search->cells * sizeof *front->nodes);
        front->stamp = 1;
    }
    front->nodes[root] = (AstarNode){0, front->stamp, ASTAR_FROM_NOWHERE, false, 0, 0};
    front->current = ASTAR_NO_CELL;
    front->backward = front == &search->fronts[1];
    search->sound_below = INFINITY;
    if (!front->backward)
        simplify(search);
    astar_slotted_clear(&front->open, search->finder->min_cost / SLOTS_A_STEP);
    astar_slotted_push(&front->open, 0, astar_open(0, 0, root));
    return ASTAR_OK;
}

static AstarStatus plant_roots(AstarSearch *search)
{
    if (search->algorithm == ASTAR_JPS)
        return astar_jps_begin(search);
    AstarStatus status = astar_search_plant(search, &search->fronts[0], search->start);
    if (status == ASTAR_OK && search->algorithm == ASTAR_BIDIRECTIONAL)
        status = astar_search_plant(search, &search->fronts[1], search->goal);
    return status;
}

// What answer_without_search() finds out, before it has.
static void forget_verdict(AstarSearch *search)
{
    search->region = search->question.range > 0 ? ASTAR_GOAL_BOX : ASTAR_GOAL_CELL;
    search->connected = search->tracks = search->asks_goal = false;
    search->certain = true;
}

AstarStatus astar_search_pose(AstarSearch *search, int sx, int sy, int gx, int gy,
                              const AstarQuestion *question)
{
    const AstarGrid *grid = search->grid;
    const AstarOptions *options = &search->finder->options;
    assert(astar_inside(grid, sx, sy) && astar_inside(grid, gx, gy));
    search->question = question != NULL ? *question : search->finder->question;
    search->start_x = sx;
    search->start_y = sy;
    search->goal_x = gx;
    search->goal_y = gy;
    search->start = astar_cell(grid, sx, sy);
    search->goal = astar_cell(grid, gx, gy);
    forget_verdict(search);
    search->limit = search->question.max_cost * ASTAR_LENIENCE;
    search->reopens = search->question.weight == 1 || options->estimate != NULL;
    search->pruned = search->linked = search->is_found = false;
    search->straightens = options->any_angle;
    astar_lazy_theta_reset(search);
    search->expanded = 0;
    search->found = search->nearest = ASTAR_NO_CELL;
    search->found_cost = INFINITY;
    search->least_f[0] = search->least_f[1] = 0;

    search->algorithm = ASTAR_AUTO;
    search->status = astar_stand(search, sx, sy);
    if (search->status == ASTAR_OK)
        search->status = answer_without_search(search);
    return search->status;
}

// Makes a posed question ready to be searched for.
static AstarStatus prepare_search(AstarSearch *search)
{
    AstarStatus planted = choose_algorithm(search);
    if (planted == ASTAR_OK)
        planted = plant_roots(search);
    if (planted == ASTAR_OK && astar_grid_has_links(search->grid)) {
        planted = astar_links_begin(search, search->algorithm == ASTAR_BIDIRECTIONAL ? 2 : 1);
        search->linked = planted == ASTAR_OK;
    }
    astar_resume_look(search);
    if (planted != ASTAR_OK)
        search->status = planted;
    return search->status;
}

// What is found out about a question before it is searched for.
typedef struct Verdict {
    bool connected, certain, tracks;
    AstarRegion region;
    double near, near_cost;
    AstarAlgorithm algorithm;
} Verdict;

static Verdict verdict_on(const AstarSearch *search)
{
    return (Verdict){
        .connected = search->connected,
        .certain = search->certain,
        .tracks = search->tracks,
        .region = search->region,
        .near = search->near,
        .near_cost = search->near_cost,
        .algorithm = search->algorithm,
    };
}

static void put_verdict(AstarSearch *search, const Verdict *verdict)
{
    search->connected = verdict->connected;
    search->certain = verdict->certain;
    search->tracks = verdict->tracks;
    search->region = verdict->region;
    search->near = verdict->near;
    search->near_cost = verdict->near_cost;
    search->algorithm = verdict->algorithm;
}

static bool is_same_verdict(const Verdict *a, const Verdict *b)
{
    return a->connected == b->connected && a->certain == b->certain && a->tracks == b->tracks &&
           a->region == b->region && (a->region != ASTAR_GOAL_NEAR || a->near == b->near) &&
           a->algorithm == b->algorithm;
}

AstarStatus astar_search_pose_again(AstarSearch *search)
{
    Verdict before = verdict_on(search);
    forget_verdict(search);
    AstarStatus status = answer_without_search(search), chosen = choose_algorithm(search);
    Verdict after = verdict_on(search);
    put_verdict(search, &before);
    if (status == ASTAR_NO_MEMORY || chosen != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    bool same = status == ASTAR_RUNNING && is_same_verdict(&before, &after);
    return same ? ASTAR_RUNNING : ASTAR_GRID_CHANGED;
}

AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQuestion *question)
{
    const AstarFinder *finder = search->finder;
    if (question != NULL && !astar_question_suits(finder, question))
        return ASTAR_BAD_OPTION;
    if (finder->options.algorithm == ASTAR_JPS && !finder->is_uniform)
        return ASTAR_BAD_GROUND;
    if (finder->options.algorithm >= ASTAR_JPS && astar_grid_has_edges(search->grid))
        return ASTAR_BAD_EDGES;
    return ASTAR_OK;
}

AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQuestion *question)
{
    AstarStatus status = astar_search_refusal(search, question);
    if (status != ASTAR_OK)
        return search->status = status;
    status = astar_search_pose(search, sx, sy, gx, gy, question);
    return status == ASTAR_RUNNING ? prepare_search(search) : status;
}

// The cost callback may refuse the goal itself.
static AstarStatus ask_about_goal(AstarSearch *search)
{
    double cost;
    AstarStatus status = astar_costs_cell(&search->costs, search->goal_x, search->goal_y, &cost);
    if (status != ASTAR_OK)
        return status;
    search->asks_goal = false;
    if (isinf(cost) && !search->question.partial)
        return ASTAR_GOAL_BLOCKED;
    return ASTAR_RUNNING;
}

static AstarStatus run_algorithm(AstarSearch *search, uint64_t expansions)
{
    if (search->asks_goal) {
        AstarStatus status = ask_about_goal(search);
        if (status != ASTAR_RUNNING)
            return status;
    }
    if (search->algorithm == ASTAR_JPS) {
        AstarStatus status = astar_run_jps(search, expansions);
        if (status != ASTAR_BAD_COST || isfinite(search->sound_below))
            return status;
        // Beyond the whole numbers: begun again with A*, whose costs are real ones.
        status = astar_search_plant(search, &search->fronts[0], search->start);
        if (status != ASTAR_OK)
            return status;
        search->algorithm = ASTAR_ASTAR;
        search->expanded = 0;
    }
    if (search->algorithm == ASTAR_BIDIRECTIONAL)
        return astar_run_bidirectional(search, expansions);
    return astar_run_best_first(search, expansions);
}

AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context)
{
    if (search->status != ASTAR_RUNNING)
        return search->status;
    AstarStatus status = astar_resume(search);
    if (status != ASTAR_RUNNING) {
        if (status != ASTAR_NO_MEMORY)
            search->status = status;
        return status;
    }
    search->costs.context = context;
    uint64_t before = search->expanded;
    status = search->is_found ? ASTAR_OK
                              : astar_resume_trust(search, run_algorithm(search, expansions));
    if (search->expanded < before) // begun again
        before = 0;
    if (status == ASTAR_OK && search->straightens) {
        uint64_t spent = search->is_found ? 0 : search->expanded - before;
        search->is_found = true;
        status = astar_run_lazy_theta(search, expansions > spent ? expansions - spent : 0);
    }
    if (status != ASTAR_NO_MEMORY && status != ASTAR_BAD_COST)
        search->status = status;
    return status;
}

AstarStatus astar_search_exists(AstarSearch *search, int sx, int sy, int gx, int gy, void *context,
                                bool *exists)
{
    AstarStatus status = astar_search_pose(search, sx, sy, gx, gy, NULL);
    if (status == ASTAR_NO_MEMORY)
        return status;
    *exists = search->connected;
    if (!search->connected || (search->certain && !astar_finder_has_callbacks(search->finder)))
        return ASTAR_OK;
    status = prepare_search(search);
    if (status != ASTAR_RUNNING)
        return status;
    search->question.max_expansions = UINT64_MAX;
    search->limit = INFINITY;
    search->tracks = search->straightens = false;
    status = astar_search_step(search, UINT64_MAX, context);
    *exists = status == ASTAR_OK;
    return status == ASTAR_UNREACHABLE || status == ASTAR_GOAL_BLOCKED ? ASTAR_OK : status;
}

// ---- the answer ----

// What the steps into the cells of a path cost, from the costs as given.
typedef struct Sum {
    double straight, diagonal; // the latter still to be multiplied by the step's length
    double links;
} Sum;

static void add_traced_step(const AstarSearch *search, uint32_t entered, int direction, Sum *sum)
{
    double cost = astar_costs_known(&search->costs, entered);
    if (direction & 1)
        sum->diagonal += cost;
    else
        sum->straight += cost;
}

static AstarStatus add_cell(const AstarSearch *search, AstarPath *path, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_path_add(path, x, y, 1);
}

// Follows the link that led a side to a cell; '*cell' becomes the one at its other end.
static AstarStatus add_link(const AstarSearch *search, bool backward, uint32_t *cell,
                            AstarPath *path, Sum *sum)
{
    const AstarLinkArrival *arrival = astar_links_arrival(search, backward, *cell);
    int x, y;
    *cell = arrival->from;
    astar_cell_xy(search->grid, *cell, &x, &y);
    sum->links += arrival->cost;
    return astar_path_add_link(path, x, y, arrival->label);
}

// Follows steps in one direction back from a cell; '*cell' becomes the one they began at.
static AstarStatus add_run(const AstarSearch *search, int direction, int steps, uint32_t *cell,
                           AstarPath *path, Sum *sum)
{
    for (int i = 0; i < steps; i++) {
        add_traced_step(search, *cell, direction, sum);
        *cell = astar_parent(search->grid, *cell, direction);
    }
    int x, y;
    astar_cell_xy(search->grid, *cell, &x, &y);
    return astar_path_add(path, x, y, steps);
}

// The cells from the start to 'found', gathered from its end.
static AstarStatus trace_back(const AstarSearch *search, AstarPath *path, Sum *sum)
{
    const AstarNode *nodes = search->fronts[0].nodes;
    uint32_t cell = search->found;
    AstarStatus status = add_cell(search, path, cell);
    while (status == ASTAR_OK && nodes[cell].from != ASTAR_FROM_NOWHERE) {
        if (nodes[cell].from == ASTAR_FROM_LINK) {
            status = add_link(search, false, &cell, path, sum);
            continue;
        }
        const AstarNode *node = &nodes[cell];
        status = add_run(search, node->from, node->run + 1, &cell, path, sum);
        if (status == ASTAR_OK && node->turn != 0)
            status = add_run(search, astar_before_turn(search->finder, node), abs(node->turn),
                             &cell, path, sum);
    }
    astar_path_turn(path);
    return status;
}

static AstarStatus trace_jumps(const AstarSearch *search, AstarPath *path, Sum *sum)
{
    AstarStatus status = astar_jps_trace(search, path, &sum->straight, &sum->diagonal);
    astar_path_turn(path);
    sum->straight *= search->finder->min_cost;
    sum->diagonal *= search->finder->min_cost;
    return status;
}

// The cells after 'found' on to the goal, from the tree that grew from there.
static AstarStatus trace_on(const AstarSearch *search, AstarPath *path, Sum *sum)
{
    const AstarNode *nodes = search->fronts[1].nodes;
    uint32_t cell = search->found;
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK && nodes[cell].from != ASTAR_FROM_NOWHERE) {
        int from = nodes[cell].from;
        if (from == ASTAR_FROM_LINK) {
            status = add_link(search, true, &cell, path, sum);
            continue;
        }
        cell = astar_parent(search->grid, cell, from);
        add_traced_step(search, cell, from, sum);
        status = add_cell(search, path, cell);
    }
    return status;
}

AstarStatus astar_search_path(AstarSearch *search, AstarPath *path)
{
    assert(search->status == ASTAR_OK);
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED; // its costs are no longer known
    return search->straightens ? astar_lazy_theta_path(search, path)
                               : astar_search_trace(search, path);
}

AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path)
{
    const AstarOptions *options = &search->finder->options;
    bool both_ends = search->algorithm == ASTAR_BIDIRECTIONAL;
    Sum sum = {0, 0, 0};
    AstarPath found = {.goal_x = search->goal_x,
                       .goal_y = search->goal_y,
                       .question = search->question,
                       .allocator = search->allocator};
    AstarStatus status = search->algorithm == ASTAR_JPS ? trace_jumps(search, &found, &sum)
                                                        : trace_back(search, &found, &sum);
    if (status == ASTAR_OK && both_ends)
        status = trace_on(search, &found, &sum);
    if (status != ASTAR_OK) {
        astar_path_destroy(&found);
        return status;
    }
    found.cost = sum.straight + sum.diagonal * options->diagonal_cost + sum.links;
    if (options->step_cost != NULL)
        found.cost = both_ends ? search->found_cost : search->fronts[0].nodes[search->found].g;
    found.expanded = search->expanded;
    found.algorithm = search->algorithm;
    found.partial = search->found == search->nearest || search->region == ASTAR_GOAL_NEAR;
    found.orthogonal = options->diagonals == ASTAR_NEVER;
    if (search->question.weight == 1 && options->estimate == NULL &&
        !astar_finder_has_callbacks(search->finder))
        found.best_at = search->costs.version + 1;
    astar_path_measure(&found);
    astar_path_replace(path, &found);
    return ASTAR_OK;
}
