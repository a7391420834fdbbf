// kind.c -- how the units of one finder move in a crowd: step lengths as whole numbers, the packing
// of distances, and updates after edits.

#include "parts/crowd/kind.h"

#include "parts/crowd/pibt.h"

AstarStatus astar_kind_open(AstarCrowdKind *kind, AstarFinder *finder)
{
    *kind = (AstarCrowdKind){.finder = finder, .walls_version = UINT64_MAX};
    AstarStatus status = astar_kind_update(kind);
    if (status == ASTAR_OK)
        astar_finder_retain(finder);
    else
        astar_move_table_free(&kind->table, finder->grid);
    return status;
}

void astar_kind_close(AstarCrowdKind *kind)
{
    astar_numbering_release(kind->numbering);
    astar_move_table_free(&kind->table, kind->finder->grid);
    astar_finder_release(kind->scout);
    astar_finder_release(kind->finder);
}

AstarStatus astar_kind_scout(AstarCrowdKind *kind, AstarFinder **out)
{
    const AstarFinder *finder = kind->finder;
    AstarOptions options = astar_options_default();
    options.diagonals = finder->options.diagonals;
    options.diagonal_cost = (double)kind->lengths[1] / kind->lengths[0];
    options.size = finder->options.size;
    options.height = finder->options.height;
    options.avoid = finder->options.avoid;
    options.avoid_weight = finder->options.avoid_weight;
    options.ignore = finder->options.ignore;
    AstarStatus status = ASTAR_OK;
    if (kind->scout == NULL)
        status = astar_finder_new_beside(finder, options, &kind->scout);
    *out = kind->scout;
    return status;
}

// The functions below compute the lengths of steps as whole numbers.

uint32_t astar_kind_length_of(const AstarCrowdKind *kind, double cost, bool is_diagonal)
{
    double length = cost * kind->scale * kind->lengths[is_diagonal] + 0.5;
    return length >= ASTAR_LONGEST_STEP ? (uint32_t)ASTAR_LONGEST_STEP
           : length < 1                 ? 1
                                        : (uint32_t)length;
}

// Chooses the lengths of straight and diagonal steps over the cheapest ground. The lengths are
// small whole numbers whose ratio is near the ratio of the costs.
static void choose_lengths(AstarCrowdKind *kind)
{
    const AstarFinder *finder = kind->finder;
    double diagonal = finder->options.diagonal_cost;
    kind->lengths[0] = finder->rule->has_diagonals ? 5 : 1;
    kind->lengths[1] = finder->rule->has_diagonals ? (uint32_t)(diagonal * 5 + 0.5) : 1;
    if (diagonal < 1.05)
        kind->lengths[0] = kind->lengths[1] = 1;
}

// Finds the least and the greatest cost of the terrains that occur on the map and that the unit can
// enter.
static void find_extremes(const AstarFinder *finder, double *least, double *most)
{
    const AstarGrid *grid = finder->grid;
    *least = INFINITY;
    *most = 0;
    for (int terrain = 0; terrain < grid->terrains.count; terrain++) {
        double cost = finder->costs.cell[terrain];
        if (grid->terrains.present[terrain] == 0 || !isfinite(cost))
            continue;
        *least = cost < *least ? cost : *least;
        *most = cost > *most ? cost : *most;
    }
    if (*most == 0)
        *least = *most = 1;
}

// Computes the lengths of the steps into each terrain. The longest length is about 'longest',
// because larger numbers express the ratios of costs more exactly.
static void measure_ground(AstarCrowdKind *kind, double least, double most, uint32_t longest)
{
    double room = (double)longest / (most / least * kind->lengths[1]);
    double times = room < 1 ? 1 : room > 64 ? 64 : floor(room);
    kind->scale = times / least;
    kind->shortest = astar_kind_length_of(kind, least, false);
    for (int terrain = 0; terrain < kind->finder->grid->terrains.count; terrain++)
        for (int diagonal = 0; diagonal < 2; diagonal++)
            kind->steps[diagonal][terrain] = astar_kind_length_of(
                kind, kind->finder->costs.cell[terrain], diagonal != 0);
}

// The functions below choose the packing of distances, and bring the data of a finder (a kind) up
// to date with the map.

// Returns true if some wall of the grid bars a step but not the step back, or if a cell is
// restricted.
static bool find_one_way_walls(const AstarGrid *grid)
{
    if (!astar_grid_has_walls(grid))
        return false;
    if (astar_grid_has_exits(grid))
        return true;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            unsigned walls = grid->links_and_walls->walls.sides[astar_cell(grid, x, y)];
            for (int d = 0; walls >> d != 0; d++) {
                int to_x = x + astar_dx[d], to_y = y + astar_dy[d];
                if ((walls >> d & 1) != 0 && astar_inside(grid, to_x, to_y) &&
                    !astar_walls_bar(grid, to_x, to_y, (d + 4) & 7))
                    return true;
            }
        }
    return false;
}

// Chooses how many bits per cell are enough to hold the difference between the distances of two
// neighbours. If some step cannot be made backward, this difference has no bound, so distances are
// stored whole.
static void choose_packing(AstarCrowdKind *kind)
{
    const AstarFinder *finder = kind->finder;
    bool has_diagonals = finder->rule->has_diagonals;
    bool is_whole = finder->options.avoid != NULL || astar_grid_has_links(finder->grid) ||
                    kind->has_one_way_walls;
    double least, most;
    find_extremes(finder, &least, &most);
    kind->is_uniform = !is_whole && least == most;
    bool fits_a_byte = !is_whole && most / least * kind->lengths[1] <= 127;
    measure_ground(kind, least, most,
                   kind->is_uniform ? kind->lengths[1]
                   : fits_a_byte    ? 127
                                    : 32767);
    uint32_t longest = astar_kind_length_of(kind, most, has_diagonals);
    if (is_whole || longest > 32767)
        kind->packing = (AstarPacking){5, 0};
    else if (!has_diagonals && kind->is_uniform)
        kind->packing = (AstarPacking){0, 4};
    else if (longest <= 7)
        kind->packing = (AstarPacking){2, 15};
    else
        kind->packing = longest <= 127 ? (AstarPacking){3, 255} : (AstarPacking){4, 65535};
}

bool astar_kind_is_current(const AstarCrowdKind *kind)
{
    return kind->seen == astar_finder_version(kind->finder) + 1;
}

static uint64_t mix_into_version(uint64_t version, uint64_t part)
{
    version = (version ^ part) * UINT64_C(0x9E3779B97F4A7C15);
    return version ^ version >> 32;
}

// Counts the cells that units can occupy, and returns a hash of the map. Equal hashes mean that
// units can occupy the same cells and that nothing else was edited. Therefore a block that was set
// and removed again does not change the hash. All cells are read in each call, because copies of a
// kind share its table of legal steps.
static uint64_t look_at_content(AstarCrowdKind *kind)
{
    uint64_t version = mix_into_version(1, kind->rules_version);
    version = mix_into_version(version, kind->finder->grid->log.made);
    version = mix_into_version(version, astar_finder_field_version(kind->finder));
    kind->free_cells = 0;
    for (size_t i = 0; i < kind->bits->count; i++) {
        kind->free_cells += astar_count_bits(kind->bits->words[i]);
        version = mix_into_version(version, kind->bits->words[i]);
    }
    return version;
}

AstarStatus astar_kind_update(AstarCrowdKind *kind)
{
    const AstarGrid *grid = kind->finder->grid;
    AstarStatus status = astar_finder_update(kind->finder);
    if (status != ASTAR_OK)
        return status;
    kind->bits = &kind->finder->on.walkable->bits;
    if (astar_kind_is_current(kind))
        return ASTAR_OK;
    status = astar_move_table_update(&kind->table, grid, kind->finder->rule, kind->bits);
    if (status != ASTAR_OK)
        return status;
    uint64_t before = kind->version;
    kind->seen = astar_finder_version(kind->finder) + 1;
    kind->rules_version = grid->palette_version + grid->links_and_walls_version;
    kind->version = look_at_content(kind);
    if (kind->version == before)
        return ASTAR_OK;
    astar_numbering_release(kind->numbering);
    kind->numbering = NULL;
    if (kind->walls_version != grid->links_and_walls_version) {
        kind->has_one_way_walls = find_one_way_walls(grid);
        kind->walls_version = grid->links_and_walls_version;
    }
    choose_lengths(kind);
    choose_packing(kind);
    return ASTAR_OK;
}
