// snapshots.c -- eight threads share maps, publish, clone, query and release them all together.
//
// Each thread owns a map: it edits the map, shares it under a name, publishes it, clones it, gives
// queries about it to workers, and ends the sharing. Each thread also reads the maps of the other
// threads through views, clones the views, and steps searches and flows while the owners publish.
// One more map belongs to no thread and is never edited: all threads clone it, edit their clones,
// and run searches and flows on snapshots of it, which they join while another thread copies rows.
// The notes of each published version hold the cost of one route, so a reader knows what its view
// must answer. `make tsan` runs this program under ThreadSanitizer.

#ifndef ASTAR_NO_THREADS
#define _POSIX_C_SOURCE 200809L // barriers
#include <pthread.h>
#endif

#include "astar.h"
#include "check.h"

#ifdef ASTAR_NO_THREADS

int main(void)
{
    CHECK(true); // without threads a map has one reader
    return report();
}

#else

#include "expect.h"

#include <string.h>

enum { THREADS = 8, SIDE = 40, ROUNDS = ALL_OR_FEW(400, 60), MOST_ANSWERS = 512, END = SIDE - 1 };

static pthread_barrier_t all_are_ready;

// The cost of the route from corner to corner in each version that a search has seen.
typedef struct Answers {
    double costs[MOST_ANSWERS];
    int count;
} Answers;

typedef struct Actor {
    pthread_t thread;
    int number;
    uint32_t seed;
    AstarGrid *common; // the map that all threads share and no thread edits
    double common_cost;
    AstarWorkspace *workspace;
    AstarGrid *grid; // the map of this thread
    AstarFinder *finder;
    AstarSearch *search; // a search of this thread's map, over several versions
    Answers of_search;
    AstarFlow *flow;
    AstarGrid *clone; // a clone of this thread's map, and the cost when it was cloned
    double cost_of_clone;
    AstarGrid *view; // a view of another thread's map
    AstarFinder *reader;
    AstarSearch *reading;
    Answers of_reading;
    AstarWorkers *workers;
    int views, snapshots;
} Actor;

static void remember(Answers *answers, double cost)
{
    if (answers->count < MOST_ANSWERS)
        answers->costs[answers->count++] = cost;
}

static void expect_remembered(const Answers *answers, double cost)
{
    bool is_known = answers->count == MOST_ANSWERS;
    for (int i = 0; i < answers->count; i++)
        is_known |= near(answers->costs[i], cost);
    EXPECT(is_known);
}

// The cost of the route from corner to corner; -1 if there is none.
static double cost_of(AstarWorkspace *workspace, AstarFinder *finder)
{
    AstarPath path;
    astar_path_init(&path);
    AstarStatus status = astar_find_path(workspace, finder, 0, 0, END, END, NULL, NULL, &path);
    double cost = status == ASTAR_OK ? path.cost : -1;
    EXPECT(status == ASTAR_OK || status == ASTAR_UNREACHABLE);
    astar_path_destroy(&path);
    return cost;
}

// The same by a finder made for this query, which shares layers at most.
static double cost_on(AstarWorkspace *workspace, AstarGrid *grid)
{
    AstarFinder *finder = NULL;
    EXPECT(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    double cost = cost_of(workspace, finder);
    astar_finder_release(finder);
    return cost;
}

static double cost_of_search(AstarSearch *search)
{
    AstarPath path;
    astar_path_init(&path);
    double cost = -1;
    if (astar_search_path(search, &path) == ASTAR_OK)
        cost = path.cost;
    astar_path_destroy(&path);
    return cost;
}

static void edit(AstarGrid *grid, uint32_t *seed)
{
    int x = random_below(seed, SIDE - 4), y = 1 + random_below(seed, SIDE - 6);
    switch (random_below(seed, 8)) {
    case 0: astar_grid_fill(grid, x, y, 4, 4, random_below(seed, 2)); break;
    case 1: astar_grid_link(grid, x, y, y, x, 1, 2, true); break;
    case 2: astar_grid_unlink(grid, x, y, y, x, true); break;
    case 3: astar_grid_wall(grid, x, y, ASTAR_SIDE_EAST, false); break;
    case 4: astar_grid_set_cost(grid, 1, 2 + random_below(seed, 3)); break;
    case 5: astar_grid_unblock(grid, x, y, 4, 4); break;
    case 6: astar_grid_set(grid, x, y, random_below(seed, 2)); break;
    default: astar_grid_block(grid, x, y, 1 + random_below(seed, 3), 1); break;
    }
}

static AstarGrid *new_map(uint32_t *seed)
{
    AstarGrid *grid = NULL;
    int swamp;
    EXPECT(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    EXPECT(astar_grid_add_terrain(grid, 3, &swamp) == ASTAR_OK && swamp == 1);
    for (int i = 0; i < 80; i++)
        edit(grid, seed);
    return grid;
}

static void name_of(int number, char name[2])
{
    name[0] = 'm';
    name[1] = (char)('0' + number);
}

// ---- what a thread does to its own map ----

static void share_or_publish(Actor *actor)
{
    char name[2];
    name_of(actor->number, name);
    double cost = cost_of(actor->workspace, actor->finder);
    if (astar_grid_shared(actor->grid) == NULL) {
        EXPECT(astar_grid_share(actor->grid, name, 2, &cost, sizeof cost) == ASTAR_OK);
        return;
    }
    AstarStatus status = astar_grid_publish(actor->grid, &cost, sizeof cost);
    EXPECT(status == ASTAR_OK || status == ASTAR_BUSY);
    if (random_below(&actor->seed, 12) == 0)
        astar_grid_unshare(actor->grid);
}

// Steps a search of the thread's own map, which edits restart until it runs on a snapshot.
static void step_own_search(Actor *actor)
{
    if (actor->search == NULL) {
        actor->of_search.count = 0;
        EXPECT(astar_search_new(actor->workspace, actor->finder, 0, 0, END, END, NULL,
                                &actor->search) == ASTAR_OK);
    }
    remember(&actor->of_search, cost_on(actor->workspace, actor->grid));
    if (astar_search_step(actor->search, 3, NULL) == ASTAR_RUNNING)
        return;
    actor->snapshots += astar_search_restarts(actor->search) > 3;
    expect_remembered(&actor->of_search, cost_of_search(actor->search));
    astar_search_free(actor->search);
    actor->search = NULL;
}

static void step_own_flow(Actor *actor)
{
    const AstarFlowGoal goal = {END, END, 0};
    if (actor->flow == NULL)
        EXPECT(astar_flow_new(actor->finder, &goal, 1, INFINITY, &actor->flow) == ASTAR_OK);
    if (astar_flow_step(actor->flow, 40, NULL) == ASTAR_RUNNING)
        return;
    double distance = -1, cost = cost_on(actor->workspace, actor->grid);
    if (astar_flow_distance(actor->flow, 0, 0, NULL, &distance) != ASTAR_OK)
        distance = -1;
    EXPECT(near(distance, cost));
    astar_flow_release(actor->flow);
    actor->flow = NULL;
}

// Clones the thread's own map, or compares the clone with what it was cloned from and releases it.
static void clone_own(Actor *actor)
{
    if (actor->clone == NULL) {
        actor->cost_of_clone = cost_of(actor->workspace, actor->finder);
        EXPECT(astar_grid_clone(actor->grid, &actor->clone) == ASTAR_OK);
        return;
    }
    EXPECT(near(cost_on(actor->workspace, actor->clone), actor->cost_of_clone));
    edit(actor->clone, &actor->seed);
    (void)cost_on(actor->workspace, actor->clone);
    astar_grid_release(actor->clone);
    actor->clone = NULL;
}

static void ask_workers(Actor *actor)
{
    AstarBatch *batch = NULL;
    AstarPath path;
    if (actor->workers == NULL)
        return;
    double cost = cost_of(actor->workspace, actor->finder);
    EXPECT(astar_batch_new(actor->workers, &batch) == ASTAR_OK);
    EXPECT(astar_batch_add(batch, actor->finder, 0, 0, END, END, NULL) == ASTAR_OK);
    EXPECT(astar_batch_begin(batch) == ASTAR_OK);
    edit(actor->grid, &actor->seed);
    astar_batch_wait(batch);
    astar_path_init(&path);
    AstarStatus status = astar_batch_take(batch, 0, &path);
    EXPECT(near(status == ASTAR_OK ? path.cost : -1, cost));
    astar_path_destroy(&path);
    astar_batch_free(batch);
}

// ---- what a thread does with the maps of others ----

static void close_view(Actor *actor)
{
    astar_search_free(actor->reading);
    astar_finder_release(actor->reader);
    astar_grid_release(actor->view);
    actor->reading = NULL;
    actor->reader = NULL;
    actor->view = NULL;
}

static void open_view(Actor *actor)
{
    char name[2];
    name_of(random_below(&actor->seed, THREADS), name);
    AstarShared *shared = astar_shared_find(name, 2);
    if (shared == NULL)
        return;
    EXPECT(astar_view_new(shared, &actor->view) == ASTAR_OK);
    EXPECT(astar_finder_new(actor->view, NULL, &actor->reader) == ASTAR_OK);
    (void)astar_shared_bytes(shared, NULL);
    astar_shared_release(shared);
    actor->views++;
}

// Steps a search of a view across several published versions.
static void step_reading(Actor *actor, double cost)
{
    if (actor->reading == NULL) {
        actor->of_reading.count = 0;
        EXPECT(astar_search_new(actor->workspace, actor->reader, 0, 0, END, END, NULL,
                                &actor->reading) == ASTAR_OK);
        if (random_below(&actor->seed, 2) == 0)
            (void)astar_search_take_snapshot(actor->reading);
    }
    remember(&actor->of_reading, cost);
    if (astar_search_step(actor->reading, 3, NULL) == ASTAR_RUNNING)
        return;
    expect_remembered(&actor->of_reading, cost_of_search(actor->reading));
    astar_search_free(actor->reading);
    actor->reading = NULL;
}

static void read_view(Actor *actor)
{
    size_t length;
    double cost = 0;
    if (actor->view == NULL)
        open_view(actor);
    if (actor->view == NULL)
        return;
    unsigned entered = astar_view_enter(actor->view);
    const void *notes = astar_view_notes(actor->view, &length);
    EXPECT(length == sizeof cost);
    memcpy(&cost, notes, sizeof cost);
    EXPECT(near(cost_of(actor->workspace, actor->reader), cost));
    step_reading(actor, cost);
    if (random_below(&actor->seed, 8) == 0) {
        AstarGrid *clone = NULL;
        EXPECT(astar_grid_clone(actor->view, &clone) == ASTAR_OK);
        EXPECT(near(cost_on(actor->workspace, clone), cost));
        astar_grid_release(clone);
    }
    astar_view_leave(actor->view, entered);
    if (random_below(&actor->seed, 10) == 0)
        close_view(actor);
}

// ---- what all threads do with the common map ----

static void clone_common(Actor *actor)
{
    AstarGrid *clone = NULL;
    EXPECT(astar_grid_clone(actor->common, &clone) == ASTAR_OK);
    AstarFinder *finder = NULL;
    EXPECT(astar_finder_new(clone, NULL, &finder) == ASTAR_OK);
    EXPECT(near(cost_of(actor->workspace, finder), actor->common_cost));
    if (random_below(&actor->seed, 2) == 0) {
        edit(clone, &actor->seed);
        EXPECT(near(cost_of(actor->workspace, finder), cost_on(actor->workspace, clone)));
    }
    astar_finder_release(finder);
    astar_grid_release(clone);
}

// Runs a search on a snapshot of the common map. Other threads make or use the same snapshot.
static void search_common(Actor *actor)
{
    AstarFinder *finder = NULL;
    AstarSearch *search = NULL;
    EXPECT(astar_finder_new(actor->common, NULL, &finder) == ASTAR_OK);
    EXPECT(astar_search_new(actor->workspace, finder, 0, 0, END, END, NULL, &search) == ASTAR_OK);
    bool is_copied = astar_search_take_snapshot(search) == ASTAR_OK;
    uint64_t most = 1 + (uint64_t)random_below(&actor->seed, 12);
    while (astar_search_step(search, most, NULL) == ASTAR_RUNNING) {
        (void)astar_search_bytes(search);
        if (random_below(&actor->seed, 60) == 0)
            break;
    }
    if (astar_search_status(search) != ASTAR_RUNNING)
        EXPECT(near(cost_of_search(search), actor->common_cost));
    actor->snapshots += is_copied;
    astar_search_free(search);
    astar_finder_release(finder);
}

static void *act(void *context)
{
    Actor *actor = context;
    EXPECT(astar_workspace_new(NULL, &actor->workspace) == ASTAR_OK);
    actor->grid = new_map(&actor->seed);
    EXPECT(astar_finder_new(actor->grid, NULL, &actor->finder) == ASTAR_OK);
    if (actor->number % 4 == 0)
        EXPECT(astar_workers_new(NULL, 1, &actor->workers) == ASTAR_OK);
    pthread_barrier_wait(&all_are_ready);
    for (int i = 0; i < ROUNDS; i++) {
        edit(actor->grid, &actor->seed);
        share_or_publish(actor);
        step_own_search(actor);
        read_view(actor);
        switch (random_below(&actor->seed, 5)) {
        case 0: clone_own(actor); break;
        case 1: step_own_flow(actor); break;
        case 2: clone_common(actor); break;
        case 3: ask_workers(actor); break;
        default: search_common(actor); break;
        }
    }
    close_view(actor);
    astar_workers_release(actor->workers);
    astar_search_free(actor->search);
    astar_flow_release(actor->flow);
    astar_grid_release(actor->clone);
    astar_finder_release(actor->finder);
    astar_grid_release(actor->grid);
    astar_workspace_free(actor->workspace);
    return NULL;
}

static void test_all_together(uint32_t seed)
{
    static Actor actors[THREADS];
    AstarWorkspace *workspace = NULL;
    AstarGrid *common = new_map(&seed);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    double cost = cost_on(workspace, common);
    int views = 0, snapshots = 0;
    for (int i = 0; i < THREADS; i++) {
        actors[i] = (Actor){
            .number = i, .seed = seed + 7919 * (uint32_t)i, .common = common, .common_cost = cost};
        CHECK(pthread_create(&actors[i].thread, NULL, act, &actors[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(actors[i].thread, NULL) == 0);
        views += actors[i].views;
        snapshots += actors[i].snapshots;
    }
    CHECK(views > THREADS && snapshots > THREADS);
    CHECK(wrongs == 0);
    astar_workspace_free(workspace);
    astar_grid_release(common);
}

int main(void)
{
    CHECK(pthread_barrier_init(&all_are_ready, NULL, THREADS) == 0);
    for (uint32_t seed = 1; seed <= ALL_OR_FEW(4, 3); seed++)
        test_all_together(seed);
    pthread_barrier_destroy(&all_are_ready);
    return report();
}

#endif
