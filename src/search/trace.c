// trace.c -- reads the found route back from the nodes of a search, and saves and loads paths as
// bytes.
//
// The nodes of a long route are spread over memory: reading 100,000 of them takes 6 ms. Therefore a
// search in steps reads the nodes in several parts before it reports that a route was found. After
// an edit between two steps, reading continues if the search itself could continue, because the
// unread nodes are then unchanged; otherwise the search restarts. Jump point search over uniform
// ground creates few nodes, so its route is read in one call.

#include "search/trace.h"

#include "base/archive.h"
#include "map/grid.h"
#include "map/links_and_walls.h"
#include "search/links.h"
#include "search/path.h"
#include "search/repair.h"
#include "search/search.h"

enum { WORK_OF_A_TRACED_CELL = 16 };

// Cells.

AstarStatus astar_trace_link(AstarSearch *search, AstarPath *path)
{
    const AstarGrid *grid = search->grid;
    AstarCell *at = &search->stepped.tracing.at;
    const AstarLinkArrival *arrival = astar_links_arrival(search, astar_cell(grid, at->x, at->y));
    astar_cell_xy(grid, arrival->from, &at->x, &at->y);
    search->stepped.tracing.links += arrival->cost;
    return astar_path_add_link(path, at->x, at->y, arrival->label);
}

// Adds to 'sum' the costs of the cells of a run. The cells are visited backwards, beginning at
// 'at', the last cell of the run.
static double add_costs_back(const AstarSearch *search, AstarCell at, int direction, int steps,
                             double sum)
{
    const AstarFinder *finder = search->finder;
    if (finder->options.cost == NULL && finder->options.avoid == NULL) {
        const uint8_t *ground = finder->on.ground + astar_cell(search->grid, at.x, at.y);
        const ptrdiff_t step = astar_step_offset(search->grid->width, direction);
        for (int i = 0; i < steps; i++)
            sum += finder->costs.cell[ground[-i * step]];
        return sum;
    }
    for (int i = 0; i < steps; i++)
        sum += astar_costs_known(&search->costs, at.x - i * astar_dx[direction],
                                 at.y - i * astar_dy[direction]);
    return sum;
}

AstarStatus astar_trace_run(AstarSearch *search, int direction, int steps, AstarPath *path)
{
    AstarTracing *tracing = &search->stepped.tracing;
    double *sum = direction & 1 ? &tracing->diagonal : &tracing->straight;
    *sum = add_costs_back(search, tracing->at, direction, steps, *sum);
    tracing->at.x -= steps * astar_dx[direction];
    tracing->at.y -= steps * astar_dy[direction];
    if (!astar_inside(search->grid, tracing->at.x, tracing->at.y)) {
        astar_go_round(search->grid, &tracing->at.x, &tracing->at.y);
        return astar_path_add_link(path, tracing->at.x, tracing->at.y, 0);
    }
    return astar_path_add(path, tracing->at.x, tracing->at.y, steps);
}

// Routes.

// Reads the whole route of a search over uniform ground. The costs follow from the numbers of
// straight and diagonal steps.
static AstarStatus trace_counted(AstarSearch *search, AstarPath *path)
{
    AstarTracing *sum = &search->stepped.tracing;
    AstarStatus status = search->functions->trace_counted(search, path, &sum->straight,
                                                          &sum->diagonal);
    path->length = sum->straight + sum->diagonal * ASTAR_SQRT2;
    sum->straight *= search->finder->min_cost;
    sum->diagonal *= search->finder->min_cost;
    return status;
}

// Reads the route from its end, one node at a time.
static AstarStatus trace_nodes(AstarSearch *search, AstarPath *path, int64_t *work)
{
    AstarTracing *tracing = &search->stepped.tracing;
    AstarStatus status = ASTAR_OK;
    if (!tracing->is_begun) { // the path's last cell
        astar_cell_xy(search->grid, search->found, &tracing->at.x, &tracing->at.y);
        status = astar_path_add(path, tracing->at.x, tracing->at.y, 1);
    }
    tracing->is_begun = true;
    for (status = status == ASTAR_OK ? ASTAR_RUNNING : status; status == ASTAR_RUNNING;) {
        int before = path->cells;
        if (*work <= 0)
            return ASTAR_RUNNING;
        status = search->functions->trace(search, path);
        *work -= (int64_t)(path->cells - before) * WORK_OF_A_TRACED_CELL;
    }
    astar_path_turn(path);
    return status;
}

// Returns true if zigzags are to be removed from the route. With callbacks they are kept, because
// the costs that a callback would return for other cells are unknown.
static bool is_to_be_straightened(const AstarSearch *search)
{
    return search->query.bends == ASTAR_BENDS_FEWER && !search->own.bends &&
           !astar_finder_has_callbacks(search->finder);
}

// Returns the goal of the found path. A later repair leads to this goal. For a list of goals it is
// the goal reached or approached; for goals that a function decides, the end of the path.
static AstarCell goal_of_path(const AstarSearch *search)
{
    const AstarGoalSet *set = &search->many.goals;
    AstarCell goal = {search->goal.x, search->goal.y};
    uint32_t cell = set->met != ASTAR_NO_CELL ? set->met : set->near_to;
    if (astar_goal_is_of_many(&search->goal))
        astar_cell_xy(search->grid, search->goal.kind == ASTAR_GOAL_TEST ? search->found : cell,
                      &goal.x, &goal.y);
    return goal;
}

static void begin_found_path(const AstarSearch *search, AstarPath *found)
{
    AstarCell goal = goal_of_path(search);
    astar_path_clear(found, &search->allocator);
    found->goal_x = goal.x;
    found->goal_y = goal.y;
    found->offset = search->grid->shape->offset;
    found->query = search->query;
}

// Sets the fields of the path other than its cells.
static void describe_found_path(const AstarSearch *search, AstarPath *found)
{
    const AstarOptions *options = &search->finder->options;
    const AstarTracing *sum = &search->stepped.tracing;
    if (is_to_be_straightened(search))
        astar_take_out_zigzags(found, search->finder);
    found->cost = sum->straight + sum->diagonal * options->diagonal_cost + sum->links;
    if (options->step_cost != NULL)
        found->cost = sum->step_costs;
    found->cost += astar_path_bend_cost(found, options);
    found->expanded = search->expanded;
    found->algorithm = search->algorithm;
    found->partial = search->found == search->goal.nearest ||
                     search->goal.kind == ASTAR_GOAL_NEAR ||
                     search->goal.kind == ASTAR_GOAL_SET_NEAR;
    found->orthogonal = !search->finder->rule->has_diagonals;
    if (search->own.weight == 1 && options->estimate == NULL && options->bend_cost == 0 &&
        !astar_finder_has_callbacks(search->finder))
        found->best_at = search->costs.version + 1;
    if (search->functions->trace_counted != NULL && !is_to_be_straightened(search))
        return;
    if (found->orthogonal && search->grid->shape->has_corners && found->link_count == 0)
        found->length = found->cells - 1; // each step has the length 1
    else
        astar_path_measure(found);
}

AstarStatus astar_search_trace_on(AstarSearch *search, int64_t *work)
{
    AstarTracing *tracing = &search->stepped.tracing;
    // The number of points is known only after the route was read, so the route is built in
    // parts[0] first.
    AstarPath *found = &search->parts[0];
    if (!tracing->is_begun) {
        *tracing = (AstarTracing){.state = NULL};
        begin_found_path(search, found);
    }
    AstarStatus status = search->functions->trace_counted != NULL
                             ? trace_counted(search, found)
                             : trace_nodes(search, found, work);
    if (status != ASTAR_RUNNING)
        tracing->is_begun = false;
    if (status == ASTAR_OK)
        describe_found_path(search, found);
    return status;
}

AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path)
{
    AstarTracing *tracing = &search->stepped.tracing;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = tracing->is_whole ? ASTAR_OK : astar_search_trace_on(search, &work);
    return status == ASTAR_OK ? astar_path_assign(&search->parts[0], path) : status;
}

// The functions below save a path as bytes and load it. Facts that the grid determines on loading
// are left out.

static const char FORMAT[] = "astar-path";

// Upper limit of the number of cells of a path. Sums of two such numbers do not overflow.
enum { MOST_PATH_CELLS = 1 << 30 };

#define carry_flag(archive, flag) ((astar_carry_byte(archive, flag) & 1) != 0)

// The functions below save or load a value of one kind of option.

static double carry_NUMBER(AstarArchive *archive, double value)
{
    return astar_carry_double(archive, value);
}

static uint64_t carry_COUNT(AstarArchive *archive, uint64_t value)
{
    return astar_carry(archive, value, 8);
}

static int carry_WHOLE(AstarArchive *archive, int value)
{
    return (int)astar_carry_word(archive, (uint32_t)value);
}

static bool carry_FLAG(AstarArchive *archive, bool value)
{
    return carry_flag(archive, value);
}

static uint8_t carry_NAME(AstarArchive *archive, unsigned value)
{
    return astar_carry_byte(archive, value);
}

// Saves or loads the options of a query. An option that the version of the archive does not hold
// gets its default.
ASTAR_COLD static void carry_path_query(AstarArchive *archive, AstarQueryOptions *query)
{
#define QUERY_OPTION(name, kind, type, least, most, otherwise, need, plain, flow, crowd, world,    \
                     route, twin, saved)                                                           \
    query->name = archive->version >= (saved) ? (type)carry_##kind(archive, query->name)           \
                                              : (type)(otherwise);
#include "rules/options.def"
}

// Returns the oldest version of the format that holds all options of a query, so that paths
// without newer options stay readable by older versions of astar. For NULL it returns the newest
// version.
ASTAR_COLD static uint32_t version_for_query(const AstarQueryOptions *query)
{
    uint32_t version = 1;
#define QUERY_OPTION(name, kind, type, least, most, otherwise, need, plain, flow, crowd, world,    \
                     route, twin, saved)                                                           \
    if ((query == NULL || query->name != (otherwise)) && version < (saved))                        \
        version = (saved);
#include "rules/options.def"
    return version;
}

// Saves or loads the fields of a path other than its cells. If the path was a best one at version
// 'now' of the map, the loaded path counts as a best one on the grid where it is loaded.
ASTAR_COLD static void carry_path_facts(AstarArchive *archive, AstarPath *path,
                                        const AstarGrid *grid, uint64_t now)
{
    path->cost = astar_carry_double(archive, path->cost);
    path->expanded = astar_carry(archive, path->expanded, 8);
    path->algorithm = (AstarAlgorithm)astar_carry_within(archive, (int32_t)path->algorithm, 0,
                                                         ASTAR_ALGORITHM_COUNT - 1);
    path->partial = carry_flag(archive, path->partial);
    path->orthogonal = carry_flag(archive, path->orthogonal);
    path->goal_x = astar_carry_within(archive, path->goal_x, -1, grid->width - 1);
    path->goal_y = astar_carry_within(archive, path->goal_y, -1, grid->height - 1);
    archive->is_bad |= (path->goal_x < 0) != (path->goal_y < 0) || !(path->cost >= 0);
    path->best_at = carry_flag(archive, path->best_at == now) ? now : 0;
    path->least.at = carry_flag(archive, path->least.at == now) ? now : 0;
    path->least.cost = astar_carry_double(archive, path->least.cost);
    path->least.x = astar_carry_within(archive, path->least.x, 0, grid->width - 1);
    path->least.y = astar_carry_within(archive, path->least.y, 0, grid->height - 1);
    carry_path_query(archive, &path->query);
    path->offset = grid->shape->offset;
    archive->is_bad |= astar_carry_byte(archive, path->offset) != path->offset;
}

ASTAR_COLD size_t astar_path_save(const AstarPath *path, const AstarFinder *finder, void *bytes,
                                  size_t capacity)
{
    AstarArchive archive = astar_archive_save(bytes, capacity, FORMAT,
                                              version_for_query(&path->query));
    AstarPath facts = *path;
    carry_path_facts(&archive, &facts, finder->grid, astar_finder_version(finder) + 1);
    astar_carry_varint(&archive, (uint32_t)path->count);
    for (int i = 0; i < path->count; i++) {
        const AstarPoint *point = &path->points[i];
        astar_carry_varint(&archive, (uint32_t)point->x);
        astar_carry_varint(&archive, (uint32_t)point->y);
        astar_carry_byte(&archive, i > 0 && astar_path_link(path, point[-1].index, NULL));
    }
    return astar_archive_close(&archive);
}

// Adds the next saved point to a path. The number of cells up to it follows from the line to it.
static AstarStatus load_point(AstarArchive *archive, const AstarFinder *finder, AstarPath *path)
{
    uint32_t x = astar_carry_varint(archive, 0), y = astar_carry_varint(archive, 0);
    bool is_link = carry_flag(archive, false);
    const AstarGrid *grid = finder->grid;
    if (archive->is_bad || x >= (uint32_t)grid->width || y >= (uint32_t)grid->height)
        return ASTAR_BAD_DATA;
    if (path->count == 0)
        return astar_path_add(path, (int)x, (int)y, 1);
    if (is_link)
        return astar_add_link_now(finder, path, (int)x, (int)y, 0);
    const AstarPoint *last = &path->points[path->count - 1];
    AstarLine line = astar_line_on(grid->shape, last->x, last->y, (int)x, (int)y, path->orthogonal);
    if (line.steps < 1 || line.steps > MOST_PATH_CELLS - path->cells)
        return ASTAR_BAD_DATA;
    return astar_path_add(path, (int)x, (int)y, (int)line.steps);
}

ASTAR_COLD AstarStatus astar_path_load(const AstarFinder *finder, const void *bytes, size_t length,
                                       AstarPath *path)
{
    AstarArchive archive = astar_archive_load(bytes, length, FORMAT, version_for_query(NULL));
    const AstarGrid *grid = finder->grid;
    astar_path_clear(path, &grid->allocator);
    carry_path_facts(&archive, path, grid, astar_finder_version(finder) + 1);
    uint32_t count = astar_carry_varint(&archive, 0);
    AstarStatus status = count > 0 && astar_finder_refusal(finder, &path->query) == NULL
                             ? ASTAR_OK
                             : ASTAR_BAD_DATA;
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
        status = load_point(&archive, finder, path);
    astar_path_measure(path);
    return status == ASTAR_OK ? astar_archive_end(&archive) : status;
}
