// pulling.c -- compares the library's smoothing with string pulling by galloping, as a programmer
// writes it in thirty lines.
//
//     make bench-plain
//
// The plain program tries later cells of a path at doubled distances until one is out of sight, and
// then at shorter distances. It runs twice: over a line of sight of its own on an array of bytes,
// and over astar_raycast. A row is a kind of map: the time of the plain program divided by the time
// of astar_search_smooth, above 1 if the library is faster. The last column is the length of the
// smoothed paths divided by the length of the plain program's paths over astar_raycast. The
// programs alternate in one thread, and the shortest time of several passes counts. If the smoothed
// paths are more than 1 % longer than the plain program's, the exit code is 1.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "astar.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 512, PATHS = 40, PASSES = 7 };

static uint8_t is_blocked[SIDE][SIDE]; // by row and column
static int xs[SIDE * SIDE], ys[SIDE * SIDE];

// ---- the plain program ----

// Returns true if a line between the centres of two cells touches no blocked cell.
static bool sees_by_bytes(int x, int y, int to_x, int to_y)
{
    int dx = abs(to_x - x), dy = abs(to_y - y), right = to_x > x ? 1 : -1, down = to_y > y ? 1 : -1;
    for (int columns = 0, rows = 0; columns < dx || rows < dy;) {
        int64_t column_at = (1 + 2 * (int64_t)columns) * dy, row_at = (1 + 2 * (int64_t)rows) * dx;
        if (column_at == row_at && (is_blocked[y][x + right] || is_blocked[y + down][x]))
            return false;
        if (column_at <= row_at)
            x += right, columns++;
        if (row_at <= column_at)
            y += down, rows++;
        if (is_blocked[y][x])
            return false;
    }
    return true;
}

static AstarFinder *finder;
static AstarWorkspace *workspace;

static bool sees_by_raycast(int x, int y, int to_x, int to_y)
{
    bool stopped;
    int stop_x, stop_y;
    astar_raycast(workspace, finder, x, y, to_x, to_y, NULL, &stopped, &stop_x, &stop_y);
    return !stopped;
}

// Returns the length of the pulled path.
static double pull(const AstarPath *path, bool (*sees)(int, int, int, int))
{
    int count = 0;
    double length = 0;
    AstarPathCursor cursor = astar_path_cursor(path);
    while (astar_path_next(&cursor, &xs[count], &ys[count]))
        count++;
    for (int from = 0, to; from < count - 1; from = to) {
        to = from + 1;
        for (int step = 1, next; to < count - 1; to = next) {
            next = to + step < count ? to + step : count - 1;
            if (sees(xs[from], ys[from], xs[next], ys[next])) {
                step *= 2;
            } else {
                if (step == 1)
                    break;
                step = step < 8 ? 1 : step / 4;
                next = to;
            }
        }
        length += hypot(xs[to] - xs[from], ys[to] - ys[from]);
    }
    return length;
}

// ---- the maps ----

static uint32_t state = 1;

static int below(int count)
{
    state = state * 1664525u + 1013904223u;
    return (int)((uint64_t)state * (uint32_t)count >> 32);
}

static void fill(int x0, int y0, int columns, int rows, uint8_t blocked)
{
    for (int y = y0; y < y0 + rows; y++)
        for (int x = x0; x < x0 + columns; x++)
            if (x < SIDE && y < SIDE)
                is_blocked[y][x] = blocked;
}

static void scatter(int count, int side)
{
    for (int i = 0; i < count; i++)
        fill(below(SIDE), below(SIDE), side, side, 1);
}

static void make_single(void)
{
    scatter(SIDE * SIDE / 10, 1);
}

static void make_dense(void)
{
    scatter(SIDE * SIDE * 3 / 10, 1);
}

static void make_houses(void)
{
    scatter(SIDE * SIDE / 160, 7);
}

static void make_rooms(void)
{
    for (int at = 31; at < SIDE; at += 32) {
        fill(at, 0, 1, SIDE, 1);
        fill(0, at, SIDE, 1, 1);
    }
    for (int at = 31; at < SIDE; at += 32)
        for (int room = 0; room < SIDE; room += 32) {
            fill(at, room + below(29), 1, 2, 0);
            fill(room + below(29), at, 2, 1, 0);
        }
}

// ---- the measurement ----

static void check(AstarStatus status)
{
    if (status != ASTAR_OK) {
        fprintf(stderr, "astar: status %d\n", (int)status);
        exit(2);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void keep_least(double *least, double begin)
{
    double took = seconds() - begin;
    *least = took < *least ? took : *least;
}

static AstarGrid *make_map(void (*make)(void))
{
    static uint8_t terrains[SIDE * SIDE];
    AstarGrid *grid;
    int wall;
    fill(0, 0, SIDE, SIDE, 0);
    make();
    check(astar_grid_new(NULL, SIDE, SIDE, &grid));
    check(astar_grid_add_terrain(grid, INFINITY, &wall));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            terrains[y * SIDE + x] = (uint8_t)(is_blocked[y][x] ? wall : 0);
    check(astar_grid_set_cells(grid, 0, 0, SIDE, SIDE, terrains));
    return grid;
}

// Measures a row and prints it. Returns false if smoothed paths are more than 1 % longer.
static bool measure(const char *name, void (*make)(void))
{
    AstarGrid *grid = make_map(make);
    AstarOptions options = astar_options_default();
    AstarSearch *search;
    AstarPath paths[PATHS], smooth;
    check(astar_finder_new(grid, &options, &finder));
    check(astar_workspace_new(NULL, &workspace));
    astar_path_init(&smooth);
    for (int i = 0; i < PATHS;) {
        astar_path_init(&paths[i]);
        if (astar_find_path(workspace, finder, below(SIDE), below(SIDE), below(SIDE), below(SIDE),
                            NULL, NULL, &paths[i]) == ASTAR_OK)
            i++;
        else
            astar_path_destroy(&paths[i]);
    }
    check(astar_search_take(workspace, finder, &search));
    double by_bytes = INFINITY, by_raycast = INFINITY, smoothing = INFINITY, pulled = 0,
           smoothed = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        double begin = seconds();
        for (int i = 0; i < PATHS; i++)
            pull(&paths[i], sees_by_bytes);
        keep_least(&by_bytes, begin);
        begin = seconds();
        pulled = 0;
        for (int i = 0; i < PATHS; i++)
            pulled += pull(&paths[i], sees_by_raycast);
        keep_least(&by_raycast, begin);
        begin = seconds();
        smoothed = 0;
        for (int i = 0; i < PATHS; i++) {
            check(astar_search_smooth(search, &paths[i], NULL, &smooth));
            smoothed += smooth.length;
        }
        keep_least(&smoothing, begin);
    }
    printf("%-32s %9.1f us %9.2f %9.2f %10.4f\n", name, smoothing / PATHS * 1e6,
           by_bytes / smoothing, by_raycast / smoothing, smoothed / pulled);
    for (int i = 0; i < PATHS; i++)
        astar_path_destroy(&paths[i]);
    astar_path_destroy(&smooth);
    astar_search_free(search);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_grid_release(grid);
    return smoothed <= 1.01 * pulled;
}

int main(void)
{
    printf("\n%-32s %12s %9s %9s %10s\n", "smoothing, 512 x 512", "smooth", "bytes", "raycast",
           "length");
    bool fine = measure("10 % blocked, single cells", make_single);
    fine = measure("30 % blocked, single cells", make_dense) && fine;
    fine = measure("houses of 7 x 7", make_houses) && fine;
    fine = measure("rooms of 31 x 31", make_rooms) && fine;
    return !fine;
}
