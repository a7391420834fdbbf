// hello.c -- a route through C alone. Build it with `make core-test`, or by hand:
//
//     make core-test
//     cc -Isrc -o hello examples/hello.c build/libastar.a -lm

#include "astar.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 20, HEIGHT = 8 };

static void check(AstarStatus status)
{
    if (status == ASTAR_OK)
        return;
    fprintf(stderr, "astar: %s\n", astar_status_text(status));
    exit(1);
}

static void draw(const AstarGrid *grid, const AstarPath *path)
{
    char picture[HEIGHT][WIDTH + 1] = {{0}};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            picture[y][x] = !astar_grid_is_walkable(grid, x, y) ? '#'
                            : astar_grid_get(grid, x, y) == 0   ? '.'
                                                                : '~';
    for (int i = 0; i < path->cells; i++) {
        int x, y;
        astar_path_cell(path, i, &x, &y);
        picture[y][x] = '*';
    }
    for (int y = 0; y < HEIGHT; y++)
        puts(picture[y]);
}

int main(void)
{
    AstarGrid *grid;
    check(astar_grid_new(NULL, WIDTH, HEIGHT, &grid)); // of terrain 0, which costs 1
    int swamp;
    check(astar_grid_add_terrain(grid, 4, &swamp));
    astar_grid_fill(grid, 9, 0, 4, 6, swamp);
    check(astar_grid_block(grid, 4, 2, 1, 5)); // a wall

    AstarOptions options = astar_options_default();
    options.diagonals = ASTAR_IF_AT_MOST_ONE_OBSTACLE;
    AstarFinder *finder;
    check(astar_finder_new(grid, &options, &finder));

    AstarWorkspace *workspace; // what searches work in
    check(astar_workspace_new(NULL, &workspace));

    AstarPath path;
    astar_path_init(&path);
    check(astar_find_path(workspace, finder, 1, 4, 18, 3, NULL, NULL, &path));
    printf("%d cells, cost %.3f\n", path.cells, path.cost);
    draw(grid, &path);

    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_grid_release(grid);
    return 0;
}
