// shared.c -- one map, edited by one thread and read by eight, as it was published last.
//
// Before every publish the owner writes down what the map is then, as bytes. Whoever enters a view
// reads the version it shows, takes the bytes written down for that, and must see just those, and
// be told just the routes, distances and walls that a grid loaded of them tells: an edit is seen
// whole or not at all. Searches and flows of readers go on from one version to the next; some
// readers sleep inside, let go of all they have and come back, or ask for names that come and go.
// `make tsan` runs it under ThreadSanitizer.

#ifndef ASTAR_NO_THREADS
#define _POSIX_C_SOURCE 200809L // nanosleep
#include <pthread.h>
#include <time.h>
#endif

#include "astar.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

#ifdef ASTAR_NO_THREADS

int main(void)
{
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new(NULL, 4, 4, &grid) == ASTAR_OK);
    CHECK(astar_grid_share(grid, "map", 3, NULL, 0) == ASTAR_WITHOUT_THREADS);
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_BAD_OPTION);
    CHECK(astar_shared_find("map", 3) == NULL && astar_grid_shared(grid) == NULL);
    astar_view_leave(grid, astar_view_enter(grid));
    astar_grid_unshare(grid);
    astar_grid_release(grid);
    return report();
}

#else

#include "expect.h"

enum { SIDE = 48, READERS = 8, VERSIONS = 4096, HELD = 12, RED = 1 };

// ---- what the map was ----

typedef struct Written {
    void *bytes;
    size_t length;
} Written;

static Written history[VERSIONS];
static int written; // how many have been

static void write_down(const AstarGrid *grid)
{
    uint64_t version = astar_grid_version(grid);
    size_t length = astar_grid_save(grid, NULL, NULL, 0);
    void *bytes = malloc(length);
    astar_grid_save(grid, NULL, bytes, length);
    pthread_mutex_lock(&book);
    CHECK(version < VERSIONS);
    if (version < VERSIONS && history[version].bytes == NULL) {
        history[version] = (Written){bytes, length};
        written++;
        bytes = NULL;
    }
    pthread_mutex_unlock(&book);
    free(bytes);
}

static Written read_of(uint64_t version)
{
    pthread_mutex_lock(&book);
    Written found = version < VERSIONS ? history[version] : (Written){NULL, 0};
    pthread_mutex_unlock(&book);
    return found;
}

static void forget_all(void)
{
    for (int i = 0; i < VERSIONS; i++) {
        free(history[i].bytes);
        history[i] = (Written){NULL, 0};
    }
    written = 0;
}

// ---- the owner ----

static void sleep_for(long microseconds)
{
    nanosleep(&(struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000}, NULL);
}

static AstarGrid *new_map(void)
{
    AstarGrid *grid = NULL;
    int terrain, layer;
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, INFINITY, &terrain) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 3, &terrain) == ASTAR_OK);
    CHECK(astar_grid_layer(grid, "red", 3, &layer) == ASTAR_OK && layer == RED);
    return grid;
}

static void edit_once(AstarGrid *grid, uint32_t *seed)
{
    int x = random_below(seed, SIDE), y = random_below(seed, SIDE), terrain;
    int width = 1 + random_below(seed, SIDE - x < 6 ? SIDE - x : 6);
    int height = 1 + random_below(seed, SIDE - y < 6 ? SIDE - y : 6);
    switch (random_below(seed, 40)) {
    case 0: astar_grid_fill(grid, 0, 0, SIDE, SIDE, 0); break;
    case 1: astar_grid_set_cost(grid, 2, 2 + random_below(seed, 3)); break;
    case 2:
        if (astar_grid_terrain_count(grid) < 6)
            astar_grid_add_terrain(grid, 2, &terrain);
        break;
    case 3: astar_grid_link(grid, x, y, y, SIDE - 1 - x, 2, 1, x % 2 == 0); break;
    case 4: astar_grid_unlink(grid, x, y, y, SIDE - 1 - x, false); break;
    case 5: astar_grid_wall(grid, x, y, ASTAR_SIDE_EAST, y % 2 == 0); break;
    case 6: astar_grid_unwall(grid, x, y, ASTAR_SIDE_EAST, false); break;
    case 7: astar_grid_unblock(grid, 0, 0, SIDE, SIDE); break;
    case 8:
    case 9: astar_grid_fill(grid, x, y, width, height, 2); break;
    case 10:
    case 11: astar_grid_block(grid, x, y, width, height); break;
    case 12: astar_grid_unblock_layer(grid, RED, 0, 0, SIDE, SIDE); break;
    case 13:
    case 14: astar_grid_block_layer(grid, RED, x, y, width, height); break;
    case 15:
    case 16:
    case 17: astar_grid_block_layer(grid, RED, x, y, 1, 1); break;
    case 18:
    case 19: astar_grid_unblock_layer(grid, RED, x, y, 1, 1); break;
    default:
        if (random_below(seed, 2) == 0)
            astar_grid_set(grid, x, y, random_below(seed, 2));
        else if (random_below(seed, 3) > 0)
            astar_grid_block(grid, x, y, 1, 1);
        else
            astar_grid_unblock(grid, x, y, 1, 1);
    }
}

// ---- a reader ----

typedef struct Reader {
    pthread_t thread;
    uint32_t seed;
    bool sleeps;
    const bool *stop; // under the book's mutex
    int answers;
    AstarGrid *view;
    AstarWorkspace *workspace;
    AstarField *field;
    AstarFinder *finders[HELD];
    AstarSearch *search; // of the first finder's kinds, over several versions
    AstarFlow *flow;
    int kind_of_flow, kind_of_search;
    int sx, sy, gx, gy;
    uint64_t last;    // version seen
    AstarGrid *clone; // of a version seen before; NULL: none is kept
    uint64_t cloned;
} Reader;

static AstarOptions options_of(const Reader *reader, int kind)
{
    AstarOptions options = astar_options_default();
    options.diagonals = (AstarDiagonals)(kind % 4);
    options.size = kind % 3 == 2 ? 2 : 1;
    options.algorithm = kind == 5 ? ASTAR_ASTAR : ASTAR_AUTO;
    options.ignore = kind == 4 || kind == 8 ? 1 << RED : 0;
    if (kind == 7 || kind == 10)
        options.avoid = reader->field;
    return options;
}

static AstarFinder *finder_for(Reader *reader, int kind)
{
    AstarOptions options = options_of(reader, kind);
    if (reader->finders[kind] == NULL)
        EXPECT(astar_finder_new(reader->view, &options, &reader->finders[kind]) == ASTAR_OK);
    return reader->finders[kind];
}

// The grid as it was at a version, by what was written down.
static AstarGrid *load_of(uint64_t version)
{
    AstarGrid *grid = NULL;
    AstarSaved saved;
    int layer;
    Written bytes = read_of(version);
    EXPECT(bytes.bytes != NULL);
    if (bytes.bytes != NULL)
        EXPECT(astar_grid_load(NULL, bytes.bytes, bytes.length, SIDE * SIDE, &grid, &saved) ==
               ASTAR_OK);
    if (grid != NULL) // a layer without blocks is not saved
        EXPECT(astar_grid_layer(grid, "red", 3, &layer) == ASTAR_OK && layer == RED);
    return grid;
}

// Whether a grid is the map as it was at a version.
static void expect_version(const AstarGrid *grid, uint64_t version)
{
    Written bytes = read_of(version);
    size_t length = astar_grid_save(grid, NULL, NULL, 0);
    EXPECT(bytes.bytes != NULL && length == bytes.length);
    void *seen = malloc(length);
    astar_grid_save(grid, NULL, seen, length);
    EXPECT(bytes.bytes == NULL || length != bytes.length || memcmp(seen, bytes.bytes, length) == 0);
    free(seen);
}

// A clone of a view stays the map that it was made of, whatever is published since; then it goes.
static void keep_or_drop_clone(Reader *reader)
{
    if (reader->clone == NULL) {
        EXPECT(astar_grid_clone(reader->view, &reader->clone) == ASTAR_OK);
        reader->cloned = astar_grid_version(reader->view);
        return;
    }
    expect_version(reader->clone, reader->cloned);
    astar_grid_release(reader->clone);
    reader->clone = NULL;
}

static void expect_map(const Reader *reader)
{
    expect_version(reader->view, astar_grid_version(reader->view));
    size_t notes_length;
    const void *notes = astar_view_notes(reader->view, &notes_length);
    uint64_t noted = 0;
    EXPECT(notes_length == sizeof noted);
    memcpy(&noted, notes, sizeof noted);
    EXPECT(noted == astar_grid_version(reader->view));
}

static void expect_same_path(const AstarPath *a, const AstarPath *b)
{
    EXPECT(a->count == b->count && a->cells == b->cells && a->cost == b->cost);
    for (int i = 0; i < a->count && i < b->count; i++)
        EXPECT(a->points[i].x == b->points[i].x && a->points[i].y == b->points[i].y);
}

// Asks for a path of the view and of the map as it was written down.
static void expect_path(Reader *reader, int kind)
{
    AstarGrid *grid = load_of(astar_grid_version(reader->view));
    AstarFinder *finder = finder_for(reader, kind), *plain = NULL;
    AstarOptions options = options_of(reader, kind);
    AstarPath path, expected;
    astar_path_init(&path);
    astar_path_init(&expected);
    if (grid == NULL)
        return;
    EXPECT(astar_finder_new(grid, &options, &plain) == ASTAR_OK);
    AstarStatus status = astar_find_path(reader->workspace, finder, reader->sx, reader->sy,
                                         reader->gx, reader->gy, NULL, NULL, &path);
    EXPECT(status == astar_find_path(reader->workspace, plain, reader->sx, reader->sy, reader->gx,
                                     reader->gy, NULL, NULL, &expected));
    if (status == ASTAR_OK)
        expect_same_path(&path, &expected);
    astar_path_destroy(&path);
    astar_path_destroy(&expected);
    astar_finder_release(plain);
    astar_grid_release(grid);
}

// A few steps of a search that goes on over versions. When it has found its way, that is as short
// as there is now, unless it was made on a copy.
static void step_search(Reader *reader)
{
    if (reader->search == NULL) {
        reader->kind_of_search = random_below(&reader->seed, HELD);
        AstarFinder *finder = finder_for(reader, reader->kind_of_search);
        EXPECT(astar_search_new(reader->workspace, finder, reader->sx, reader->sy, reader->gx,
                                reader->gy, NULL, &reader->search) == ASTAR_OK);
    }
    AstarStatus status = astar_search_step(reader->search, 4, NULL);
    if (status == ASTAR_RUNNING)
        return;
    if (status == ASTAR_OK && astar_search_restarts(reader->search) <= 3) {
        AstarGrid *grid = load_of(astar_grid_version(reader->view));
        AstarOptions options = options_of(reader, reader->kind_of_search);
        AstarFinder *plain = NULL;
        AstarPath path, expected;
        int sx, sy, gx, gy;
        astar_path_init(&path);
        astar_path_init(&expected);
        astar_search_ends(reader->search, &sx, &sy, &gx, &gy);
        EXPECT(astar_search_path(reader->search, &path) == ASTAR_OK);
        EXPECT(astar_finder_new(grid, &options, &plain) == ASTAR_OK);
        EXPECT(astar_find_path(reader->workspace, plain, sx, sy, gx, gy, NULL, NULL, &expected) ==
               ASTAR_OK);
        expect_same_path(&path, &expected);
        astar_path_destroy(&path);
        astar_path_destroy(&expected);
        astar_finder_release(plain);
        astar_grid_release(grid);
    }
    astar_search_free(reader->search);
    reader->search = NULL;
}

static void query_flow(Reader *reader)
{
    const AstarFlowGoal goals[] = {{SIDE / 2, SIDE / 2, 0}, {3, SIDE - 3, 2}};
    if (reader->flow == NULL) {
        reader->kind_of_flow = random_below(&reader->seed, HELD);
        EXPECT(astar_flow_new(finder_for(reader, reader->kind_of_flow), goals, 2, INFINITY,
                              &reader->flow) == ASTAR_OK);
    }
    AstarGrid *grid = load_of(astar_grid_version(reader->view));
    AstarOptions options = options_of(reader, reader->kind_of_flow);
    AstarFinder *plain = NULL;
    AstarFlow *flow = NULL;
    double distance = -1, expected = -1;
    EXPECT(astar_finder_new(grid, &options, &plain) == ASTAR_OK);
    EXPECT(astar_flow_new(plain, goals, 2, INFINITY, &flow) == ASTAR_OK);
    AstarStatus status = astar_flow_distance(reader->flow, reader->sx, reader->sy, NULL, &distance);
    EXPECT(status == astar_flow_distance(flow, reader->sx, reader->sy, NULL, &expected));
    EXPECT(status != ASTAR_OK || distance == expected);
    astar_flow_release(flow);
    astar_finder_release(plain);
    astar_grid_release(grid);
}

static void close_made(Reader *reader, bool all)
{
    if (all || random_below(&reader->seed, 2) == 0) {
        astar_search_free(reader->search);
        reader->search = NULL;
    }
    if (all || random_below(&reader->seed, 2) == 0) {
        astar_flow_release(reader->flow);
        reader->flow = NULL;
    }
    for (int i = 0; i < HELD; i++)
        if (all || random_below(&reader->seed, 4) == 0) {
            astar_finder_release(reader->finders[i]);
            reader->finders[i] = NULL;
        }
}

// Finders and what is made of them outlive the handle of the view, sometimes, if not for long.
static void close_some(Reader *reader, bool all)
{
    if (all || random_below(&reader->seed, 8) == 0) {
        bool first = random_below(&reader->seed, 2) == 0;
        if (first)
            astar_grid_release(reader->view);
        close_made(reader, true);
        if (!first)
            astar_grid_release(reader->view);
        reader->view = NULL;
    } else {
        close_made(reader, false);
    }
}
static bool open_view(Reader *reader)
{
    AstarShared *shared = astar_shared_find("town", 4);
    if (shared == NULL)
        return false;
    EXPECT(astar_view_new(shared, &reader->view) == ASTAR_OK);
    astar_shared_release(shared);
    reader->last = 0;
    return reader->view != NULL;
}

static bool has_stopped(const Reader *reader)
{
    pthread_mutex_lock(&book);
    bool stopped = *reader->stop;
    pthread_mutex_unlock(&book);
    return stopped;
}

static void read_once(Reader *reader)
{
    uint32_t *seed = &reader->seed;
    if (reader->view == NULL && !open_view(reader)) {
        sleep_for(50);
        return;
    }
    unsigned entered = astar_view_enter(reader->view);
    uint64_t version = astar_grid_version(reader->view);
    EXPECT(version >= reader->last);
    reader->last = version;
    reader->sx = random_below(seed, SIDE - 1), reader->sy = random_below(seed, SIDE - 1);
    reader->gx = random_below(seed, SIDE - 1), reader->gy = random_below(seed, SIDE - 1);
    switch (random_below(seed, 9)) {
    case 0: expect_map(reader); break;
    case 1: query_flow(reader); break;
    case 2:
    case 3: step_search(reader); break;
    case 4:
        EXPECT(astar_grid_bytes(reader->view) > SIDE * SIDE);
        EXPECT(astar_shared_version(astar_grid_shared(reader->view)) >= version);
        break;
    case 5: keep_or_drop_clone(reader); break;
    default: expect_path(reader, random_below(seed, HELD));
    }
    if (reader->field != NULL && random_below(seed, 16) == 0)
        astar_field_stamp(reader->field, reader->sx, reader->sy, 4, 2);
    if (reader->sleeps && random_below(seed, 20) == 0)
        sleep_for(3000);
    EXPECT(astar_grid_version(reader->view) == version);
    if (random_below(seed, 50) == 0)
        (void)astar_view_enter(reader->view); // as one that is left by longjmp
    astar_view_leave(reader->view, entered);
    reader->answers++;
    if (random_below(seed, 60) == 0)
        close_some(reader, false);
}

static void *read_on(void *context)
{
    Reader *reader = context;
    EXPECT(astar_workspace_new(NULL, &reader->workspace) == ASTAR_OK);
    EXPECT(astar_field_new(NULL, SIDE, SIDE, &reader->field) == ASTAR_OK);
    while (!has_stopped(reader))
        read_once(reader);
    if (reader->clone != NULL)
        keep_or_drop_clone(reader);
    close_some(reader, true);
    astar_field_release(reader->field);
    astar_workspace_free(reader->workspace);
    return NULL;
}

// ---- all at once ----

static void publish(AstarGrid *grid)
{
    uint64_t version = astar_grid_version(grid);
    write_down(grid);
    AstarStatus status = astar_grid_publish(grid, &version, sizeof version);
    CHECK(status == ASTAR_OK || status == ASTAR_BUSY);
    if (status == ASTAR_OK)
        CHECK(astar_shared_version(astar_grid_shared(grid)) == version);
}

// The owner asks its own grid between its edits, at once.
static void ask_own(AstarWorkspace *workspace, AstarFinder *finder)
{
    AstarPath path;
    astar_path_init(&path);
    (void)astar_find_path(workspace, finder, 1, 1, SIDE - 2, SIDE - 2, NULL, NULL, &path);
    astar_path_destroy(&path);
}

static void test_readers(uint32_t seed, int publishes, bool name_dies)
{
    static Reader readers[READERS];
    bool stop = false;
    uint64_t version;
    AstarGrid *grid = new_map();
    AstarWorkspace *workspace = NULL;
    AstarFinder *own = NULL;
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &own) == ASTAR_OK);
    for (int i = 0; i < 200; i++)
        edit_once(grid, &seed);
    write_down(grid);
    version = astar_grid_version(grid);
    CHECK(astar_grid_share(grid, "town", 4, &version, sizeof version) == ASTAR_OK);
    for (int i = 0; i < READERS; i++) { // all with first questions to fresh layers
        readers[i] = (Reader){.seed = seed + (uint32_t)i, .sleeps = i % 3 == 0, .stop = &stop};
        CHECK(pthread_create(&readers[i].thread, NULL, read_on, &readers[i]) == 0);
    }
    for (int i = 0; i < publishes; i++) {
        for (int edits = random_below(&seed, 8); edits > 0; edits--)
            edit_once(grid, &seed);
        if (i % 5 == 0)
            ask_own(workspace, own);
        publish(grid);
        if (name_dies && i % 50 == 49) {
            astar_grid_unshare(grid);
            CHECK(astar_shared_find("town", 4) == NULL);
            sleep_for(500);
            version = astar_grid_version(grid);
            write_down(grid);
            CHECK(astar_grid_share(grid, "town", 4, &version, sizeof version) == ASTAR_OK);
        }
        if (i % 4 == 0)
            sleep_for(700);
    }
    astar_finder_release(own);
    if (name_dies) // the map is gone before its readers are
        astar_grid_release(grid);
    sleep_for(2000);
    pthread_mutex_lock(&book);
    stop = true;
    pthread_mutex_unlock(&book);
    for (int i = 0; i < READERS; i++) {
        CHECK(pthread_join(readers[i].thread, NULL) == 0);
        CHECK(readers[i].answers > 0);
    }
    if (!name_dies)
        astar_grid_release(grid);
    CHECK(astar_shared_find("town", 4) == NULL);
    CHECK(wrongs == 0);
    astar_workspace_free(workspace);
    forget_all();
}

// ---- one thread, step by step ----

static int copies_of(AstarGrid *grid)
{
    int copies = 0;
    CHECK(astar_shared_bytes(astar_grid_shared(grid), &copies) > 0);
    return copies;
}

static void test_names(void)
{
    AstarGrid *grid = new_map(), *other = new_map(), *view = NULL;
    CHECK(astar_shared_find("a", 1) == NULL);
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_share(grid, "a", 1, NULL, 0) == ASTAR_OK);
    CHECK(astar_grid_share(grid, "b", 1, NULL, 0) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_share(other, "a", 1, NULL, 0) == ASTAR_NAME_TAKEN);
    CHECK(astar_grid_shared(other) == NULL);
    CHECK(astar_grid_share(other, "a\0b", 3, NULL, 0) == ASTAR_OK); // names are bytes
    AstarShared *shared = astar_shared_find("a", 1);
    CHECK(shared != NULL && shared == astar_grid_shared(grid));
    CHECK(astar_shared_is_owned(shared));
    CHECK(astar_view_new(shared, &view) == ASTAR_OK);
    CHECK(astar_grid_shared(view) == shared);
    CHECK(astar_grid_share(view, "c", 1, NULL, 0) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_publish(view, NULL, 0) == ASTAR_BAD_OPTION);
    astar_grid_unshare(view); // does nothing
    astar_shared_release(shared);
    astar_grid_unshare(grid);
    astar_grid_unshare(grid);
    CHECK(astar_shared_find("a", 1) == NULL && !astar_shared_is_owned(shared));
    CHECK(astar_grid_share(grid, "a", 1, NULL, 0) == ASTAR_OK); // a new one
    CHECK(astar_grid_shared(grid) != shared);
    astar_grid_release(grid); // and its name is free
    CHECK(astar_shared_find("a", 1) == NULL);
    unsigned entered = astar_view_enter(view);
    CHECK(astar_grid_width(view) == SIDE && astar_grid_terrain_count(view) == 3);
    astar_view_leave(view, entered);
    astar_grid_release(view);
    AstarGrid *nameless = new_map();
    CHECK(astar_grid_share(nameless, NULL, 0, NULL, 0) == ASTAR_OK);
    CHECK(astar_shared_find("", 0) == NULL);
    astar_grid_release(nameless);
    astar_grid_release(other);
}

// A reader keeps what it is in; the owner never waits, and makes further copies up to a limit.
static void test_readers_asleep(void)
{
    enum { MOST = 8 };
    AstarGrid *grid = new_map(), *views[MOST] = {NULL}, *late = NULL;
    CHECK(astar_grid_share(grid, NULL, 0, NULL, 0) == ASTAR_OK);
    AstarShared *shared = astar_grid_shared(grid);
    CHECK(copies_of(grid) == 1);
    for (int i = 0; i < MOST; i++) {
        CHECK(astar_view_new(shared, &views[i]) == ASTAR_OK);
        CHECK(astar_view_enter(views[i]) == 0);
        CHECK(!astar_grid_is_blocked(views[i], i, 0));
        CHECK(astar_grid_block(grid, i, 0, 1, 1) == ASTAR_OK);
        CHECK(astar_grid_publish(grid, NULL, 0) == (i < MOST - 1 ? ASTAR_OK : ASTAR_BUSY));
    }
    CHECK(copies_of(grid) == MOST);
    for (int i = 0; i < MOST; i++) // each sees what it saw at first
        for (int x = 0; x < MOST; x++)
            CHECK(astar_grid_is_blocked(views[i], x, 0) == (x < i));
    CHECK(astar_view_new(shared, &late) == ASTAR_OK);
    CHECK(astar_view_enter_as(late, views[2]) == 0);
    CHECK(astar_grid_version(late) == astar_grid_version(views[2]));
    astar_view_leave(views[2], 0); // 'late' holds that version, too
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_BUSY);
    CHECK(astar_view_enter(late) == 1 && astar_view_enter(late) == 2);
    astar_view_leave(late, 1);
    CHECK(astar_grid_is_blocked(late, 1, 0) && !astar_grid_is_blocked(late, 2, 0));
    astar_view_leave(late, 0);
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
    CHECK(astar_view_enter(late) == 0);
    CHECK(astar_grid_is_blocked(late, MOST - 1, 0));
    CHECK(astar_grid_version(late) == astar_grid_version(grid));
    astar_grid_release(late);
    for (int i = 0; i < MOST; i++)
        astar_grid_release(views[i]); // entered, some of them
    for (int i = 0; i < 1000 && copies_of(grid) > 2; i++) {
        astar_grid_set(grid, i % SIDE, 5, i / SIDE % 2);
        CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
    }
    CHECK(copies_of(grid) == 2); // those too many are gone
    CHECK(astar_grid_bytes(grid) > 3 * SIDE * SIDE);
    astar_grid_release(grid);
}

// ---- a reader asleep inside a search ----

typedef struct Sleeper {
    AstarGrid *view;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool sleeps, may_wake;
    AstarStatus status;
    uint64_t version;
    double cost;
} Sleeper;

// Falls asleep at the first cell it is asked about.
static double sleep_at_cell(void *context, int x, int y, int terrain, double cost)
{
    Sleeper *sleeper = context;
    (void)x, (void)y, (void)terrain;
    pthread_mutex_lock(&sleeper->mutex);
    sleeper->sleeps = true;
    pthread_cond_signal(&sleeper->changed);
    while (!sleeper->may_wake)
        pthread_cond_wait(&sleeper->changed, &sleeper->mutex);
    pthread_mutex_unlock(&sleeper->mutex);
    return cost;
}

static void *search_asleep(void *context)
{
    Sleeper *sleeper = context;
    AstarWorkspace *workspace;
    AstarFinder *finder;
    AstarPath path;
    AstarOptions options = astar_options_default();
    options.cost = sleep_at_cell;
    astar_path_init(&path);
    EXPECT(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    EXPECT(astar_finder_new(sleeper->view, &options, &finder) == ASTAR_OK);
    unsigned entered = astar_view_enter(sleeper->view);
    sleeper->status = astar_find_path(workspace, finder, 0, 0, SIDE - 1, SIDE - 1, NULL, sleeper,
                                      &path);
    sleeper->version = astar_grid_version(sleeper->view);
    sleeper->cost = path.cost;
    astar_view_leave(sleeper->view, entered);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_workspace_free(workspace);
    return NULL;
}

static void wake(Sleeper *sleeper)
{
    pthread_mutex_lock(&sleeper->mutex);
    sleeper->may_wake = true;
    pthread_cond_signal(&sleeper->changed);
    pthread_mutex_unlock(&sleeper->mutex);
}

// It wakes once a hundred publishes have been made and others have asked about each of them: had
// anybody to wait for it, this would never end. What it finds is the way as it was.
static void test_reader_asleep_in_search(void)
{
    static Sleeper sleeper = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    AstarGrid *grid, *view;
    int swamp;
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 3, &swamp) == ASTAR_OK);
    CHECK(astar_grid_share(grid, NULL, 0, NULL, 0) == ASTAR_OK);
    CHECK(astar_view_new(astar_grid_shared(grid), &sleeper.view) == ASTAR_OK);
    CHECK(astar_view_new(astar_grid_shared(grid), &view) == ASTAR_OK);
    uint64_t version = astar_grid_version(grid);
    CHECK(pthread_create(&thread, NULL, search_asleep, &sleeper) == 0);
    pthread_mutex_lock(&sleeper.mutex);
    while (!sleeper.sleeps)
        pthread_cond_wait(&sleeper.changed, &sleeper.mutex);
    pthread_mutex_unlock(&sleeper.mutex);
    for (int i = 0; i < 100; i++) {
        astar_grid_set(grid, i % SIDE, 1, i % 2);
        astar_grid_block(grid, SIDE - 1 - i % SIDE, 0, 1, SIDE);
        CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
        unsigned entered = astar_view_enter(view);
        CHECK(astar_grid_version(view) == astar_grid_version(grid));
        CHECK(astar_grid_is_blocked(view, SIDE - 1 - i % SIDE, SIDE / 2));
        astar_view_leave(view, entered);
    }
    CHECK(copies_of(grid) <= 4);
    astar_grid_release(grid); // its name and its owner are gone before it wakes
    wake(&sleeper);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(sleeper.status == ASTAR_OK && sleeper.version == version);
    CHECK(fabs(sleeper.cost - (SIDE - 1) * sqrt(2)) < 1e-9);
    astar_grid_release(sleeper.view);
    astar_grid_release(view);
}

// More edits than the log keeps, and all kinds of them.
static void test_many_edits(uint32_t seed)
{
    AstarGrid *grid = new_map(), *view = NULL;
    CHECK(astar_grid_share(grid, NULL, 0, NULL, 0) == ASTAR_OK);
    CHECK(astar_view_new(astar_grid_shared(grid), &view) == ASTAR_OK);
    for (int i = 0; i < 60; i++) {
        for (int edits = i % 4 == 3 ? 600 : 9; edits > 0; edits--)
            edit_once(grid, &seed);
        CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
        (void)astar_view_enter(view);
        size_t length = astar_grid_save(grid, NULL, NULL, 0);
        char *expected = malloc(length), *seen = malloc(length);
        CHECK(astar_grid_save(view, NULL, seen, length) == length);
        astar_grid_save(grid, NULL, expected, length);
        CHECK(memcmp(seen, expected, length) == 0);
        CHECK(astar_grid_version(view) == astar_grid_version(grid));
        astar_view_leave(view, 0);
        free(expected);
        free(seen);
    }
    CHECK(copies_of(grid) == 2);
    astar_grid_release(view);
    astar_grid_release(grid);
}

// Layers are the owner's to name, and views have those that were published.
static void test_layers(void)
{
    AstarGrid *grid = new_map(), *view = NULL;
    AstarFinder *finder = NULL;
    AstarOptions options = astar_options_default();
    int layer = -1, named = -1;
    CHECK(astar_grid_share(grid, NULL, 0, NULL, 0) == ASTAR_OK);
    CHECK(astar_view_new(astar_grid_shared(grid), &view) == ASTAR_OK);
    CHECK(astar_grid_layer(view, "red", 3, &layer) == ASTAR_OK && layer == RED);
    CHECK(astar_grid_layer(view, "blue", 4, &layer) == ASTAR_BAD_OPTION);
    options.ignore = 1 << (RED + 1);
    CHECK(astar_finder_new(view, &options, &finder) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_layer(grid, "blue", 4, &named) == ASTAR_OK);
    CHECK(astar_grid_find_layer(view, "blue", 4) == -1);
    uint64_t version = astar_grid_version(grid);
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK && astar_grid_version(grid) > version);
    for (int i = 0; i < 600; i++) { // in each copy, more than a log keeps
        if (i % 3 == 0)
            CHECK(astar_grid_block_layer(grid, named, i % SIDE, i / SIDE, 1, 1) == ASTAR_OK);
        if (i % 50 == 0 || i == 599)
            CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
    }
    CHECK(copies_of(grid) == 2);
    unsigned entered = astar_view_enter(view);
    CHECK(astar_grid_layer(view, "blue", 4, &layer) == ASTAR_OK && layer == named);
    CHECK(astar_finder_new(view, &options, &finder) == ASTAR_OK);
    for (int i = 0; i < 600; i++)
        CHECK(astar_grid_is_blocked_layer(view, named, i % SIDE, i / SIDE) == (i % 3 == 0));
    CHECK(!astar_grid_is_blocked(view, 0, 0) && !astar_grid_is_walkable(view, 0, 0));
    astar_view_leave(view, entered);
    astar_finder_release(finder);
    astar_grid_release(view);
    astar_grid_release(grid);
}

// What a unit ignores is published, and no edit for it; but the view shows another copy then, and
// the one before is the owner's to edit. Whatever goes on from one to the other leaves that alone.
static void test_ignored_publishes(AstarAlgorithm algorithm, uint32_t seed)
{
    const AstarFlowGoal goal = {SIDE - 1, SIDE - 1, 0};
    AstarGrid *grid = new_map(), *view = NULL, *plain = NULL;
    AstarFinder *finder = NULL, *plain_finder = NULL;
    AstarWorkspace *workspace = NULL;
    AstarSearch *search = NULL;
    AstarFlow *flow = NULL, *plain_flow = NULL, *steps = NULL;
    AstarOptions options = astar_options_default();
    AstarPath path, expected;
    double distance = -1, plain_distance = -2;
    int x, y, plain_x, plain_y;
    options.ignore = 1 << RED;
    options.algorithm = algorithm;
    astar_path_init(&path);
    astar_path_init(&expected);
    for (int i = 0; i < 300; i++)
        astar_grid_set(grid, random_below(&seed, SIDE - 2) + 1, random_below(&seed, SIDE - 2) + 1,
                       1);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_grid_share(grid, NULL, 0, NULL, 0) == ASTAR_OK);
    CHECK(astar_view_new(astar_grid_shared(grid), &view) == ASTAR_OK);
    CHECK(astar_finder_new(view, &options, &finder) == ASTAR_OK);
    unsigned entered = astar_view_enter(view);
    CHECK(astar_search_new(workspace, finder, 0, 0, SIDE - 1, SIDE - 1, NULL, &search) == ASTAR_OK);
    CHECK(astar_search_step(search, 5, NULL) == ASTAR_RUNNING);
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    CHECK(astar_flow_distance(flow, SIDE - 2, SIDE - 1, NULL, &distance) == ASTAR_OK);
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &steps) == ASTAR_OK);
    astar_flow_keep_steps_only(steps);
    CHECK(astar_flow_complete(steps, NULL) == ASTAR_OK);
    uint64_t expanded = astar_flow_expanded(steps);
    astar_view_leave(view, entered);
    astar_grid_block_layer(grid, RED, 3, 3, 9, 9);
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
    entered = astar_view_enter(view);
    CHECK(astar_grid_clone(grid, &plain) == ASTAR_OK);
    astar_grid_fill(grid, 0, 0, SIDE, SIDE, 1);
    CHECK(astar_grid_publish(grid, NULL, 0) == ASTAR_OK);
    CHECK(copies_of(grid) == 2); // the one that was left is all wall by now
    CHECK(astar_search_step(search, UINT64_MAX, NULL) == ASTAR_OK);
    CHECK(astar_search_path(search, &path) == ASTAR_OK);
    CHECK(astar_flow_distance(flow, 0, 0, NULL, &distance) == ASTAR_OK);
    CHECK(astar_finder_new(plain, &options, &plain_finder) == ASTAR_OK);
    CHECK(astar_find_path(workspace, plain_finder, 0, 0, SIDE - 1, SIDE - 1, NULL, NULL,
                          &expected) == ASTAR_OK);
    CHECK(astar_flow_new(plain_finder, &goal, 1, INFINITY, &plain_flow) == ASTAR_OK);
    CHECK(astar_flow_distance(plain_flow, 0, 0, NULL, &plain_distance) == ASTAR_OK);
    CHECK(distance == plain_distance);
    CHECK(astar_flow_next(plain_flow, 0, 0, NULL, &plain_x, &plain_y) == ASTAR_OK);
    CHECK(astar_flow_next(steps, 0, 0, NULL, &x, &y) == ASTAR_OK && x == plain_x && y == plain_y);
    CHECK(astar_flow_expanded(steps) == expanded); // it stays as it is
    expect_same_path(&path, &expected);
    CHECK(wrongs == 0);
    astar_view_leave(view, entered);
    astar_path_destroy(&path);
    astar_path_destroy(&expected);
    astar_flow_release(plain_flow);
    astar_flow_release(flow);
    astar_flow_release(steps);
    astar_search_free(search);
    astar_finder_release(plain_finder);
    astar_finder_release(finder);
    astar_grid_release(plain);
    astar_grid_release(view);
    astar_grid_release(grid);
    astar_workspace_free(workspace);
}

// ---- allocations that fail ----

typedef struct Memory {
    long left; // allocations until one fails, and all after it if it is 'for_ever'; -1: none will
    bool for_ever;
    bool failed;
    long blocks;
} Memory;

static void *take_block(void *context, size_t size)
{
    Memory *memory = context;
    if (memory->left == 0) {
        memory->failed = true;
        memory->left = memory->for_ever ? 0 : -1;
        return NULL;
    }
    memory->left -= memory->left > 0;
    memory->blocks++;
    return calloc(1, size > 0 ? size : 1);
}

static void give_block(void *context, void *block, size_t size)
{
    (void)size;
    ((Memory *)context)->blocks--;
    free(block);
}

// Whether it failed for want of memory; there is some again then.
static bool ran_out(Memory *memory, AstarStatus status)
{
    CHECK(status != ASTAR_NO_MEMORY || memory->failed);
    if (status == ASTAR_NO_MEMORY)
        memory->left = -1;
    return status == ASTAR_NO_MEMORY;
}

#define RETRY(memory, call)                                                                        \
    do {                                                                                           \
        AstarStatus status_ = (call);                                                              \
        if (ran_out((memory), status_))                                                            \
            status_ = (call);                                                                      \
        CHECK(status_ == ASTAR_OK);                                                                \
    } while (0)

static AstarWorkspace *workspace_of_all;

static bool is_same_map(const AstarGrid *a, const AstarGrid *b)
{
    size_t length = astar_grid_save(a, NULL, NULL, 0);
    char *of_a = malloc(length), *of_b = malloc(length);
    bool same = astar_grid_save(b, NULL, of_b, length) == length;
    astar_grid_save(a, NULL, of_a, length);
    same = same && memcmp(of_a, of_b, length) == 0;
    free(of_a);
    free(of_b);
    return same;
}

// Publishes what was edited; where that fails, all is seen as it was before.
static void publish_or_retry(AstarGrid *grid, AstarGrid *view, AstarGrid *before, Memory *memory)
{
    AstarStatus status = astar_grid_publish(grid, "notes", 5);
    if (ran_out(memory, status)) {
        unsigned entered = astar_view_enter(view);
        CHECK(is_same_map(view, before));
        astar_view_leave(view, entered);
        status = astar_grid_publish(grid, "notes", 5);
    }
    CHECK(status == ASTAR_OK);
}

// Shares, edits, publishes and asks, with the allocation 'at' failing; whether any did.
static bool live(long at, bool for_ever)
{
    Memory memory = {.left = at, .for_ever = for_ever};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarGrid *grid = NULL, *view = NULL;
    AstarFinder *finder = NULL, *wide = NULL;
    AstarOptions options = astar_options_default();
    uint32_t seed = 11;
    int terrain, layer;
    options.size = 2;
    options.ignore = 1 << RED;
    RETRY(&memory, astar_grid_new(&allocator, SIDE, SIDE, &grid));
    RETRY(&memory, astar_grid_add_terrain(grid, INFINITY, &terrain));
    RETRY(&memory, astar_grid_add_terrain(grid, 3, &terrain));
    RETRY(&memory, astar_grid_layer(grid, "red", 3, &layer));
    RETRY(&memory, astar_grid_share(grid, "scarce", 6, "", 0));
    RETRY(&memory, astar_view_new(astar_grid_shared(grid), &view));
    RETRY(&memory, astar_finder_new(view, NULL, &finder));
    RETRY(&memory, astar_finder_new(view, &options, &wide));
    for (int i = 0; i < 8; i++) {
        AstarGrid *before = NULL;
        AstarPath path;
        astar_path_init(&path);
        long left = memory.left;
        memory.left = -1; // edits go without where they can; the copy is the test's own
        CHECK(astar_grid_clone(grid, &before) == ASTAR_OK);
        for (int edits = i == 5 ? 300 : 30; edits > 0; edits--)
            edit_once(grid, &seed);
        memory.left = left;
        publish_or_retry(grid, view, before, &memory);
        unsigned entered = astar_view_enter(view);
        CHECK(is_same_map(view, grid));
        AstarStatus status = astar_find_path(workspace_of_all, i % 2 == 0 ? finder : wide, 0, 0,
                                             SIDE - 2, SIDE - 2, NULL, NULL, &path);
        (void)ran_out(&memory, status);
        astar_view_leave(view, entered);
        astar_grid_release(before);
        astar_path_destroy(&path);
    }
    astar_finder_release(wide);
    astar_finder_release(finder);
    astar_grid_release(view);
    astar_grid_release(grid);
    CHECK(memory.blocks == 0);
    return memory.failed;
}

static void test_failing_allocations(void)
{
    int points = 0;
    CHECK(astar_workspace_new(NULL, &workspace_of_all) == ASTAR_OK);
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (long at = 0; live(at, for_ever != 0); at++)
            points++;
    astar_workspace_free(workspace_of_all);
    CHECK(points > 40);
    printf("%d allocations failed\n", points);
}

int main(void)
{
    test_names();
    test_layers();
    test_ignored_publishes(ASTAR_ASTAR, 7);
    test_ignored_publishes(ASTAR_AUTO, 8);
    test_failing_allocations();
    test_readers_asleep();
    test_reader_asleep_in_search();
    test_many_edits(5);
    test_many_edits(17);
    test_readers(3, 300, false);
    test_readers(4, 300, true);
    return report();
}

#endif
