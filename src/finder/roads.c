// roads.c -- A better lower bound of the remaining cost on a map with some cheap ground.

#include "finder/roads.h"

#include "base/pages.h"
#include "map/blocks.h"

#include <string.h>

enum {
    ROAD_PAGE = 8,             // cells along the side of a page
    MOST_ROAD_CELLS = 1 << 22, // on larger maps the bound would take too long to compute
    LEAST_COSTLY = 4,          // cells per cheap cell, at least
    MOST_ROAD_PAGES = 64       // after a larger edit all pages are read again
};

uint64_t astar_roads_changes(const AstarFinder *finder)
{
    return finder->roads != NULL ? finder->roads->changes : 0;
}

void astar_roads_free(const AstarAllocator *allocator, AstarRoads *roads)
{
    if (roads == NULL)
        return;
    astar_release(allocator, roads->far, roads->pages, sizeof *roads->far);
    astar_release(allocator, roads->are, roads->pages, sizeof *roads->are);
    astar_release(allocator, roads, 1, sizeof *roads);
}

// Returns the cost below which ground is cheap. The result is the greatest cost of a terrain for
// which at most one in LEAST_COSTLY cells costs less. Stores the number of these cheap cells in
// '*cheap'. Returns INFINITY if there is no cheap ground.
static double find_costly(const AstarFinder *finder, uint64_t *cheap)
{
    const AstarGrid *grid = finder->grid;
    uint32_t spare[ASTAR_MAX_TERRAINS];
    uint64_t all = 0;
    double costly = INFINITY;
    for (int i = 0; i < grid->terrains.count; i++) {
        bool enters = !isinf(finder->costs.cell[i]);
        spare[i] = enters ? astar_blocks_spare(grid, finder->options.ignore, i) : 0;
        all += spare[i];
    }
    for (int i = 0; i < grid->terrains.count; i++) {
        uint64_t cheaper = 0;
        for (int j = 0; j < grid->terrains.count; j++)
            cheaper += finder->costs.cell[j] < finder->costs.cell[i] ? spare[j] : 0;
        bool is_costly = spare[i] > 0 && cheaper > 0 && cheaper * LEAST_COSTLY <= all;
        if (is_costly && (isinf(costly) || finder->costs.cell[i] > costly)) {
            costly = finder->costs.cell[i];
            *cheap = cheaper;
        }
    }
    return costly;
}

// Determines whether a page has cheap ground. Returns true if the result differs from the stored
// one. Cheap ground under blocks is included, so that edits of blocks change nothing.
static bool read_page(const AstarFinder *finder, AstarRoads *roads, int column, int row)
{
    const AstarGrid *grid = finder->grid;
    int east = astar_lesser((column + 1) * ROAD_PAGE, grid->width);
    int south = astar_lesser((row + 1) * ROAD_PAGE, grid->height);
    bool has = false;
    for (int y = row * ROAD_PAGE; y < south && !has; y++) {
        const uint8_t *ground = finder->on.ground + astar_cell(grid, 0, y);
        for (int x = column * ROAD_PAGE; x < east; x++)
            has |= roads->is_cheap[ground[x]];
    }
    bool *known = &roads->are[(size_t)row * (size_t)roads->columns + (size_t)column];
    bool is_changed = *known != has;
    *known = has;
    if (is_changed)
        roads->count += has ? 1 : UINT32_MAX;
    return is_changed;
}

static bool read_pages(const AstarFinder *finder, AstarRoads *roads, const AstarEdit *area)
{
    bool is_changed = false;
    for (int row = area->y / ROAD_PAGE; row <= (area->y + area->height - 1) / ROAD_PAGE; row++)
        for (int column = area->x / ROAD_PAGE; column <= (area->x + area->width - 1) / ROAD_PAGE;
             column++)
            is_changed |= read_page(finder, roads, column, row);
    return is_changed;
}

// Updates the entries of all pages that were edited. Returns true if an entry has changed.
static bool read_edited(const AstarFinder *finder, AstarRoads *roads)
{
    const AstarGrid *grid = finder->grid;
    const AstarEdit all = {.width = grid->width, .height = grid->height};
    const uint64_t ignored = finder->options.ignore, since = roads->seen - 1;
    if (roads->seen == 0 || !astar_knows_edits_since(grid, ignored, since))
        return read_pages(finder, roads, &all);
    bool is_changed = false;
    AstarEditsSince edits = astar_edits_since(grid, ignored, since);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;) {
        bool is_large = edit->width == 0 || (int64_t)edit->width * edit->height >
                                                MOST_ROAD_PAGES * ROAD_PAGE * ROAD_PAGE;
        is_changed |= read_pages(finder, roads, is_large ? &all : edit);
    }
    return is_changed;
}

// Returns the lesser of 'least' and the distance of the page in column x and row y plus 'length'.
// Returns 'least' if there is no such page.
static float lesser_by(const AstarRoads *roads, float least, int x, int y, float length)
{
    if (x < 0 || y < 0 || x >= roads->columns || y >= roads->rows)
        return least;
    float by = roads->far[(size_t)y * (size_t)roads->columns + (size_t)x] + length;
    return by < least ? by : least;
}

// Computes the distance of each page to the nearest page with cheap ground, by two passes over all
// pages (G. Borgefors, "Distance transformations in digital images", 1986). Derives lower bounds
// for cells from these distances. Two cells of pages that are i columns and j rows apart are at
// least 8 i - 7 columns and 8 j - 7 rows apart.
static void measure_pages(const AstarFinder *finder, AstarRoads *roads)
{
    const bool has_diagonals = finder->rule->has_diagonals;
    const float diagonal = has_diagonals ? (float)finder->options.diagonal_cost * (1 - 0x1p-20f)
                                         : 2;
    const int columns = roads->columns, rows = roads->rows;
    const float far_away = (float)(2 * (columns + rows)); // farther than any page
    roads->diagonal = has_diagonals ? finder->options.diagonal_cost : 1;
    for (uint32_t i = 0; i < roads->pages; i++)
        roads->far[i] = roads->are[i] ? 0 : far_away;
    for (int pass = 0; pass < 2; pass++) {
        const int back = pass == 0 ? -1 : 1;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int y = pass == 0 ? i : rows - 1 - i, x = pass == 0 ? j : columns - 1 - j;
                float *at = &roads->far[(size_t)y * (size_t)columns + (size_t)x];
                float least = lesser_by(roads, *at, x + back, y, 1);
                least = lesser_by(roads, least, x, y + back, 1);
                least = lesser_by(roads, least, x + back, y + back, diagonal);
                *at = lesser_by(roads, least, x - back, y + back, diagonal);
            }
    }
    for (uint32_t i = 0; i < roads->pages; i++) {
        float cells = (roads->far[i] * ROAD_PAGE - (ROAD_PAGE - 1) * diagonal) * (1 - 0x1p-18f);
        roads->far[i] = cells > 0 ? cells : 0;
    }
}

// Creates the tables for the size of the map. Returns false if there is no memory.
static bool make_roads(AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    const AstarAllocator *allocator = &grid->allocator;
    int columns = (grid->width + ROAD_PAGE - 1) / ROAD_PAGE,
        rows = (grid->height + ROAD_PAGE - 1) / ROAD_PAGE;
    if (finder->roads != NULL)
        return true; // a grid keeps its size
    AstarRoads *roads = astar_alloc(allocator, 1, sizeof *roads);
    if (roads == NULL)
        return false;
    *roads = (AstarRoads){.columns = columns, .rows = rows, .pages = (uint32_t)(columns * rows)};
    roads->far = astar_alloc(allocator, roads->pages, sizeof *roads->far);
    roads->are = astar_alloc(allocator, roads->pages, sizeof *roads->are);
    if (roads->far == NULL || roads->are == NULL) {
        astar_roads_free(allocator, roads);
        return false;
    }
    memset(roads->are, 0, roads->pages * sizeof *roads->are);
    roads->costly = INFINITY;
    finder->roads = roads;
    return true;
}

// Returns true if searches of the finder can use the lower bound that this file computes. The cells
// must be squares, costs must depend on terrain alone, and the unit must cover one cell.
static bool may_use(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    return finder->original == NULL && !finder->is_uniform && finder->on.footprints == NULL &&
           finder->options.avoid == NULL && grid->shape->has_corners && grid->shape->wraps == 0 &&
           grid->cells <= MOST_ROAD_CELLS && !astar_finder_has_callbacks(finder) &&
           finder->costs.heuristic.along > 0 && !finder->costs.heuristic.euclidean;
}

const AstarRoads *astar_roads_update(AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    AstarRoads *roads = finder->roads;
    if (roads != NULL && roads->seen == grid->version + 1 && may_use(finder))
        return isinf(roads->costly) ? NULL : roads;
    uint64_t cheaper = 0;
    double costly = may_use(finder) ? find_costly(finder, &cheaper) : INFINITY;
    if (isinf(costly) || !make_roads(finder)) {
        if (roads != NULL && !isinf(roads->costly)) {
            roads->costly = INFINITY;
            roads->seen = 0;
            roads->changes++;
        }
        return NULL;
    }
    roads = finder->roads;
    bool is_other = costly < roads->costly || costly > roads->costly;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        bool is_cheap = i < grid->terrains.count && finder->costs.cell[i] < costly;
        is_other |= roads->is_cheap[i] != is_cheap;
        roads->is_cheap[i] = is_cheap;
    }
    if (is_other)
        roads->seen = 0;
    roads->costly = costly;
    roads->cheaper = cheaper;
    if (read_edited(finder, roads) || is_other) {
        measure_pages(finder, roads);
        roads->changes++;
    }
    roads->seen = grid->version + 1;
    return roads;
}

bool astar_roads_are_lines(AstarFinder *finder)
{
    enum { CELLS_A_PAGE = 3, LEAST_ROAD_CELLS = 128 };
    const AstarRoads *roads = astar_roads_update(finder);
    return roads != NULL && roads->cheaper > LEAST_ROAD_CELLS &&
           roads->cheaper >= (uint64_t)CELLS_A_PAGE * roads->count;
}

// Returns the least length of a walk from (x, y) to a cheap cell of a page, or 'least' if 'least'
// is smaller.
static double lesser_in_page(const AstarFinder *finder, const AstarRoads *roads, int column,
                             int row, int x, int y, double least)
{
    const AstarGrid *grid = finder->grid;
    const double across = finder->rule->has_diagonals ? roads->diagonal - 1 : 1;
    int east = astar_lesser((column + 1) * ROAD_PAGE, grid->width);
    int south = astar_lesser((row + 1) * ROAD_PAGE, grid->height);
    for (int to_y = row * ROAD_PAGE; to_y < south; to_y++)
        for (int to_x = column * ROAD_PAGE; to_x < east; to_x++) {
            if (!roads->is_cheap[finder->on.ground[astar_cell(grid, to_x, to_y)]])
                continue;
            int dx = abs(to_x - x), dy = abs(to_y - y);
            double length = astar_greater(dx, dy) + across * astar_lesser(dx, dy);
            least = length < least ? length : least;
        }
    return least;
}

// The function reads the pages ring by ring around the page of (x, y). Cells in the pages of ring
// number i are at least 8 i - 7 columns or rows away.
double astar_roads_length_from(const AstarFinder *finder, const AstarRoads *roads, int x, int y)
{
    const int column = x / ROAD_PAGE, row = y / ROAD_PAGE;
    const int rings = astar_greater(roads->columns, roads->rows);
    double least = INFINITY;
    for (int ring = 0; ring < rings && ROAD_PAGE * ring - ROAD_PAGE + 1 < least; ring++)
        for (int i = astar_greater(row - ring, 0); i <= astar_lesser(row + ring, roads->rows - 1);
             i++) {
            bool is_end = i == row - ring || i == row + ring;
            int step = is_end || ring == 0 ? 1 : 2 * ring;
            for (int j = column - ring; j <= column + ring; j += step)
                if (j >= 0 && j < roads->columns && roads->are[i * roads->columns + j])
                    least = lesser_in_page(finder, roads, j, i, x, y, least);
        }
    return isinf(least) ? 0 : least;
}
