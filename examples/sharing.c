// sharing.c -- one map in several threads: one edits, the others ask. Build it with `make
// core-test`, or by hand:
//
//     make core-test
//     cc -pthread -Isrc -o sharing examples/sharing.c build/libastar.a -lm
//
// A gate in a long wall opens and closes; guards on both sides go by what was published last. With
// Lua a thread does the same by astar.shared: see docs/cores.md.

#ifndef ASTAR_NO_THREADS
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>
#endif

#include "astar.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, GUARDS = 3, EDITS = 200 };

static void check(AstarStatus status)
{
    if (status == ASTAR_OK)
        return;
    fprintf(stderr, "astar: %s\n", astar_status_text(status));
    exit(1);
}

#ifdef ASTAR_NO_THREADS

int main(void)
{
    AstarGrid *grid;
    check(astar_grid_new(NULL, SIDE, SIDE, &grid));
    printf("%s\n", astar_status_text(astar_grid_share(grid, "yard", 4, NULL, 0)));
    astar_grid_release(grid);
    return 0;
}

#else

typedef struct Guard {
    pthread_t thread;
    AstarShared *shared; // found before the thread starts, which may be after the map is unshared
    int found, barred, versions;
} Guard;

// A thread has a view, finders of it and a workspace of its own, and the map by its name.
static void *patrol(void *context)
{
    Guard *guard = context;
    AstarShared *shared = guard->shared;
    AstarGrid *view;
    AstarFinder *finder;
    AstarWorkspace *workspace;
    AstarPath path;
    check(astar_view_new(shared, &view));
    check(astar_finder_new(view, NULL, &finder));
    check(astar_workspace_new(NULL, &workspace));
    astar_path_init(&path);
    uint64_t last = 0;
    for (int i = 0; astar_shared_is_owned(shared); i++) {
        unsigned entered = astar_view_enter(view); // the version published last, until it is left
        AstarStatus status = astar_find_path(workspace, finder, 2, i % SIDE, SIDE - 3, i * 7 % SIDE,
                                             NULL, NULL, &path);
        guard->versions += astar_grid_version(view) != last;
        last = astar_grid_version(view);
        astar_view_leave(view, entered);
        guard->found += status == ASTAR_OK;
        guard->barred += status == ASTAR_UNREACHABLE;
    }
    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_grid_release(view);
    astar_shared_release(shared);
    return NULL;
}

int main(void)
{
    AstarGrid *grid;
    Guard guards[GUARDS] = {{0}};
    check(astar_grid_new(NULL, SIDE, SIDE, &grid));
    check(astar_grid_block(grid, SIDE / 2, 0, 1, SIDE));
    check(astar_grid_share(grid, "yard", 4, NULL, 0));
    for (int i = 0; i < GUARDS; i++) {
        guards[i].shared = astar_shared_find("yard", 4);
        if (pthread_create(&guards[i].thread, NULL, patrol, &guards[i]) != 0)
            return 1;
    }
    for (int i = 0; i < EDITS; i++) {
        if (i % 2 == 0)
            check(astar_grid_unblock(grid, SIDE / 2, i % SIDE, 1, 3 < SIDE - i % SIDE ? 3 : 1));
        else
            check(astar_grid_block(grid, SIDE / 2, 0, 1, SIDE));
        check(astar_grid_publish(grid, NULL, 0));       // all of it at once
        nanosleep(&(struct timespec){0, 200000}, NULL); // a frame, of a hasty game
    }
    astar_grid_unshare(grid); // the guards go home
    int least = EDITS;
    for (int i = 0; i < GUARDS; i++) {
        pthread_join(guards[i].thread, NULL);
        least = guards[i].versions < least ? guards[i].versions : least;
        printf("guard %d: %d ways through, %d times barred, over %d versions\n", i + 1,
               guards[i].found, guards[i].barred, guards[i].versions);
    }
    printf("%d edits published, %d threads kept up: %s\n", EDITS, GUARDS, least > 0 ? "yes" : "no");
    astar_grid_release(grid);
    return least > 0 ? 0 : 1;
}

#endif
