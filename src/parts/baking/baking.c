// baking.c -- finder:bake in steps: the methods of baking and the order in which they are tried,
// the measurement of their gain, saving and loading the result, and the point at which queries
// begin to use it.
//
// The walkable bits are copied when the baking begins, so edits during the baking do no harm. The
// baked map is compared with the current bits like a map that was baked long ago. If edits were
// made while rows were copied, the baked map may be a mixture of two states of the map. The
// comparison covers this case, too. No query uses the result before it is complete.

#include "parts/baking/baking.h"

#include "base/alloc.h"
#include "base/job_kind.h"
#include "base/mapped_blocks.h"
#include "layers/landmarks.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/baked_route.h"
#include "parts/baking/subgoals.h"
#include "search/run.h"
#include "search/search_life.h"

#include <math.h>

enum {
    BYTES_A_CELL = 64,
    ENTRY_BYTES = 10,      // least size of an entry of a label
    MOST_DEGREE = 5,       // average edges per subgoal up to which a hierarchy may pay
    WORK_OF_CLEAR = 1024,  // least work charged for freeing parts
    MOST_EDITS_SETTLED = 8 // edits during the baking up to which dead ends are searched for
};

// Minimum gain at which "auto" keeps baked data. The gain is the work of queries without baked
// data, divided by their work with it. Data of a lower gain would take memory and time for little.
static const double LEAST_GAIN = 2;
// Minimum gain in expansions at which "auto" keeps landmarks. An expansion with landmarks takes
// longer: on 512 x 512 cells of four costs, queries that expanded 2.1 and 4.3 times fewer cells
// took 1.3 and 1.7 times less time.
static const double LEAST_GAIN_LANDMARKS = 5;
// Minimum gain in expansions at which landmarks are kept that the caller has asked for.
static const double LEAST_GAIN_ASKED = 1.4;
// Minimum gain at which even queries with a near goal, within ASTAR_NEAR_GOALS cells, use baked
// data. With a hierarchy whose gain is below LEAST_GAIN_OF_CLIMBS, queries with a goal within
// ASTAR_NEAR_GOALS / 2 cells are left to a search.
static const double LEAST_GAIN_NEAR = 5, LEAST_GAIN_OF_CLIMBS = 20;

// The names of the methods of baking, indexed by AstarBakingMethod.
static const char *const method_names[] = {"auto", "labels", "hierarchy", "landmarks"};
static_assert(sizeof method_names / sizeof *method_names == ASTAR_BAKE_METHOD_COUNT,
              "a name for each of AstarBakingMethod");

const char *astar_baking_method_name(AstarBakingMethod method)
{
    if (method == ASTAR_BAKED_NOTHING)
        return "none";
    return method < ASTAR_BAKE_METHOD_COUNT ? method_names[method] : NULL;
}

// Memory.

AstarStatus astar_baking_new(AstarFinder *finder, const AstarBakingOptions *options,
                             AstarBaked **out)
{
    AstarBakingOptions chosen = options != NULL ? *options : (AstarBakingOptions){.landmarks = 4};
    if (chosen.method >= ASTAR_BAKE_METHOD_COUNT || chosen.landmarks < 0 ||
        chosen.landmarks > ASTAR_MAX_PIVOTS)
        return ASTAR_BAD_OPTION;
    AstarBaked *made = astar_alloc(&finder->grid->allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    made->finder = finder;
    made->options = chosen;
    made->facts = (AstarBakedFacts){ASTAR_BAKED_NOTHING, 0, 1, 0};
    astar_finder_retain(finder);
    *out = made;
    return ASTAR_OK;
}

// Frees parts of the baking that are no longer needed. Freeing all of them in one call would take
// many milliseconds. Returns false if the work budget is used up first.
static bool clear_parts(AstarBaked *baked, bool keeps_graph, int64_t *work)
{
    if ((baked->labelling != NULL && !astar_labelling_clear(baked->labelling, work)) ||
        (baked->contraction != NULL && !astar_contraction_clear(baked->contraction, work)) ||
        (baked->sights != NULL && !astar_sights_clear(baked->sights, work)))
        return false;
    astar_labelling_free(baked->labelling);
    astar_contraction_free(baked->contraction);
    astar_sights_free(baked->sights);
    baked->labelling = NULL;
    baked->contraction = NULL;
    baked->sights = NULL;
    if (keeps_graph || baked->graph == NULL)
        return true;
    if (!astar_subgoal_graph_clear(baked->graph, work))
        return false;
    astar_subgoal_graph_free(baked->graph);
    baked->graph = NULL;
    return true;
}

// Frees all data that is needed only during the baking.
static void drop_parts(AstarBaked *baked)
{
    int64_t work = ASTAR_ALL_WORK;
    clear_parts(baked, false, &work);
    astar_landmark_making_free(baked->landmarks);
    astar_subgoals_free(baked->subgoals);
    astar_search_free(baked->search);
    astar_workspace_free(baked->workspace);
    astar_baking_drop_order(baked);
    baked->landmarks = NULL;
    baked->subgoals = NULL;
    baked->search = NULL;
    baked->workspace = NULL;
    baked->sampled = 0;
    baked->searched = baked->read = 0;
}

static void drop_map(AstarBaked *baked)
{
    astar_baked_map_release(baked->finder->grid, baked->map);
    baked->map = NULL;
}

static void take_walkable(AstarBaked *baked, AstarWalkable *walkable)
{
    if (walkable != NULL)
        astar_layer_retain(baked->finder->grid, walkable);
    astar_layer_release(baked->finder->grid, baked->walkable);
    baked->walkable = walkable;
}

void astar_baked_free(AstarBaked *baked)
{
    if (baked == NULL)
        return;
    AstarFinder *finder = baked->finder;
    drop_parts(baked);
    drop_map(baked);
    take_walkable(baked, NULL);
    astar_release(&finder->grid->allocator, baked, 1, sizeof *baked);
    astar_finder_release(finder);
}

// The functions below run the phases of a baking.

// Returns true if routes over subgoals are known to be best routes. If corners are cut and a
// diagonal step costs as much as two straight ones, jump point search may miss best routes;
// subgoals are its jump points.
static bool has_best_subgoals(const AstarFinder *finder)
{
    return finder->rule->corners == ASTAR_CORNERS_BOTH_FREE || finder->options.diagonal_cost < 2;
}

static AstarStatus begin_baking(AstarBaked *baked, int64_t *work)
{
    AstarFinder *finder = baked->finder;
    AstarStatus status = astar_finder_advance(finder, work);
    if (status != ASTAR_OK)
        return status;
    baked->version = astar_grid_version(finder->grid);
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_query(&finder->query);
    if (!astar_honours(ASTAR_JPS, needs) || !has_best_subgoals(finder) ||
        baked->options.method == ASTAR_BAKE_LANDMARKS) {
        baked->phase = BAKE_FINISH;
        return ASTAR_OK;
    }
    take_walkable(baked, finder->on.walkable);
    status = astar_subgoals_new(&finder->grid->allocator, finder->grid->width, finder->grid->height,
                                finder->options.diagonals, &baked->subgoals);
    baked->phase = status == ASTAR_BAD_OPTION ? BAKE_FINISH : BAKE_COPY;
    return status == ASTAR_BAD_OPTION ? ASTAR_OK : status;
}

static AstarStatus copy_walkable(AstarBaked *baked, int64_t *work)
{
    AstarStatus status = astar_layer_advance(baked->finder->grid, baked->walkable, work);
    if (status == ASTAR_OK)
        status = astar_subgoals_copy(baked->subgoals, &baked->walkable->bits, work);
    if (status != ASTAR_OK)
        return status;
    baked->most_bytes = baked->options.bytes;
    if (baked->most_bytes == 0)
        baked->most_bytes = BYTES_A_CELL * baked->subgoals->free_cells;
    baked->phase = BAKE_SUBGOALS;
    return ASTAR_OK;
}

static AstarStatus bake_subgoals(AstarBaked *baked, int64_t *work)
{
    AstarRatio whole = baked->finder->whole;
    AstarStatus status = astar_subgoals_advance(baked->subgoals, work);
    if (status == ASTAR_OK)
        status = astar_subgoal_graph_new(baked->subgoals, whole.straight, whole.diagonal,
                                         &baked->graph);
    if (status == ASTAR_OK)
        baked->phase = BAKE_GRAPH;
    return status;
}

// Returns how many bytes baked data may take in addition to the subgoals.
static size_t bytes_left(const AstarBaked *baked)
{
    size_t besides = astar_subgoals_bytes(baked->subgoals);
    return baked->most_bytes > besides ? baked->most_bytes - besides : 0;
}

// Returns true if labels may fit the allowed bytes. On open maps the subgoals form a net with about
// as many rows as columns. The number of entries of a label is about the number of subgoals in a
// row of the net: at least half of it on random maps, and always at least a quarter. Mazes and
// trees, whose subgoals have about two edges each, need far fewer entries.
static bool may_labels_fit(const AstarBaked *baked)
{
    double count = baked->subgoals->count, edges = (double)baked->graph->kept;
    double entries = (double)bytes_left(baked) / ENTRY_BYTES;
    return edges <= 2.25 * count || 4 * entries >= count * sqrt(count);
}

// Returns true if building a hierarchy may save time. Among sparse obstacles a hierarchy saves no
// time: each subgoal has so many edges that in the end all remaining subgoals are connected with
// each other.
static bool may_hierarchy_pay(const AstarBaked *baked)
{
    return baked->graph->kept <= (uint64_t)MOST_DEGREE * baked->subgoals->count;
}

// Returns the first phase of the next method that "auto" tries, or BAKE_FINISH if there is none.
// Leaves out methods that would not save time on this graph of subgoals.
static BakingPhase next_to_try(const AstarBaked *baked)
{
    if (baked->phase < BAKE_ORDER && may_labels_fit(baked))
        return BAKE_ORDER;
    return baked->phase < BAKE_HIERARCHY && may_hierarchy_pay(baked) ? BAKE_HIERARCHY : BAKE_FINISH;
}

// Continues with the next method if 'status' means that the current method is not possible.
static AstarStatus give_up(AstarBaked *baked, AstarStatus status)
{
    if (status != ASTAR_TOO_LARGE && status != ASTAR_BAD_COST && status != ASTAR_BAD_OPTION)
        return status;
    baked->after = baked->options.method == ASTAR_BAKE_AUTO ? next_to_try(baked) : BAKE_FINISH;
    baked->phase = BAKE_CLEAR;
    return ASTAR_OK;
}

static AstarStatus clear_away(AstarBaked *baked, int64_t *work)
{
    if (!clear_parts(baked, baked->after <= BAKE_HIERARCHY, work))
        return ASTAR_RUNNING;
    *work -= WORK_OF_CLEAR;
    baked->phase = baked->after;
    return ASTAR_OK;
}

static AstarStatus bake_graph(AstarBaked *baked, int64_t *work)
{
    AstarStatus status = astar_subgoal_graph_advance(baked->graph, work);
    if (status != ASTAR_OK)
        return status;
    if (baked->options.method == ASTAR_BAKE_AUTO)
        baked->phase = next_to_try(baked);
    else
        baked->phase = baked->options.method == ASTAR_BAKE_LABELS ? BAKE_ORDER : BAKE_HIERARCHY;
    return ASTAR_OK;
}

// Creates a baked map from the subgoals and the finished labels or hierarchy. The graph of subgoals
// is freed afterwards.
static AstarStatus make_map(AstarBaked *baked, AstarBakingMethod method)
{
    AstarStatus status = astar_baked_map_new(baked->finder->grid, baked->graph->straight,
                                             baked->graph->diagonal, baked->subgoals, &baked->map);
    if (status != ASTAR_OK)
        return status;
    baked->subgoals = NULL;
    if (method == ASTAR_BAKE_LABELS)
        baked->map->labels = astar_labelling_take(baked->labelling);
    else
        baked->map->hierarchy = astar_contraction_take(baked->contraction);
    baked->facts.method = method;
    baked->phase = BAKE_SIGHTS;
    return ASTAR_OK;
}

// Computes the sights (the subgoals that each cell sees) if they fit the allowed bytes.
static AstarStatus bake_sights(AstarBaked *baked, int64_t *work)
{
    AstarBakedMap *map = baked->map;
    AstarStatus status = ASTAR_OK;
    if (baked->sights == NULL)
        status = astar_sights_new(map->subgoals, &baked->sights);
    size_t bytes = astar_baked_map_bytes(map);
    AstarSubgoalScan scan = astar_subgoal_scan(map->subgoals, map->straight, map->diagonal,
                                               &map->subgoals->allocator);
    if (status == ASTAR_OK)
        status = astar_sights_advance(
            baked->sights, &scan, baked->most_bytes > bytes ? baked->most_bytes - bytes : 0, work);
    if (status != ASTAR_OK && status != ASTAR_TOO_LARGE)
        return status;
    if (status == ASTAR_OK) {
        map->sights = baked->sights;
        baked->sights = NULL;
    }
    baked->facts.bytes = astar_baked_map_bytes(map);
    baked->phase = BAKE_CLEAR;
    baked->after = BAKE_MEASURE;
    return ASTAR_OK;
}

// Takes over the order of the hubs from an earlier baking, or computes a new order. The subgoals
// that a contraction removes last are the first hubs.
static AstarStatus bake_order(AstarBaked *baked, int64_t *work)
{
    bool is_found = baked->contraction != NULL;
    AstarStatus status = is_found ? ASTAR_OK : astar_baking_keep_order(baked, work);
    if (status == ASTAR_OK && !is_found && baked->order.hubs == NULL)
        status = astar_contraction_new(baked->graph, 0, &baked->contraction);
    if (status == ASTAR_OK && baked->contraction != NULL)
        status = astar_contraction_advance(baked->contraction, work);
    if (status != ASTAR_OK)
        return give_up(baked, status);
    if (baked->contraction != NULL) {
        baked->order.hubs = astar_contraction_take_order(baked->contraction);
        baked->order.capacity = baked->subgoals->count;
    }
    baked->phase = BAKE_CLEAR;
    baked->after = BAKE_LABELS;
    return ASTAR_OK;
}

static AstarStatus bake_labels(AstarBaked *baked, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (baked->labelling == NULL)
        status = astar_labelling_new(baked->graph, baked->order.hubs, bytes_left(baked),
                                     &baked->labelling);
    if (status == ASTAR_OK)
        status = astar_labelling_advance(baked->labelling, work);
    if (status == ASTAR_OK)
        return make_map(baked, ASTAR_BAKE_LABELS);
    return give_up(baked, status);
}

static AstarStatus bake_hierarchy(AstarBaked *baked, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (baked->contraction == NULL)
        status = astar_contraction_new(baked->graph, 1 + bytes_left(baked), &baked->contraction);
    if (status == ASTAR_OK)
        status = astar_contraction_advance(baked->contraction, work);
    return status == ASTAR_OK ? make_map(baked, ASTAR_BAKE_HIERARCHY) : give_up(baked, status);
}

// Returns the distance, in cells along each axis, up to which goals are left to a search because a
// search finds them sooner. The distance is 0 unless the method is "auto".
static int near_of(const AstarBaked *baked)
{
    if (baked->options.method != ASTAR_BAKE_AUTO)
        return 0;
    bool is_hierarchy = baked->map->hierarchy != NULL && baked->facts.gain < LEAST_GAIN_OF_CLIMBS;
    return baked->facts.gain < LEAST_GAIN_NEAR ? ASTAR_NEAR_GOALS
           : is_hierarchy                      ? ASTAR_NEAR_GOALS / 2
                                               : 0;
}

// Measures the gain of the baked data. Drops the data if the gain is too small and the method is
// "auto".
static AstarStatus judge_gain(AstarBaked *baked, int64_t *work)
{
    AstarStatus status = astar_baking_measure_gain(baked, work);
    if (status != ASTAR_OK)
        return status;
    baked->phase = BAKE_FINISH;
    baked->map->near = near_of(baked);
    if (baked->facts.gain < LEAST_GAIN && baked->options.method == ASTAR_BAKE_AUTO) {
        drop_parts(baked); // first, because they refer to the map's subgoals
        baked->sights = baked->map->sights;
        baked->map->sights = NULL;
        drop_map(baked);
        baked->facts = (AstarBakedFacts){ASTAR_BAKED_NOTHING, 0, 1, 0};
        baked->after = BAKE_FINISH;
        baked->phase = BAKE_CLEAR;
    }
    return ASTAR_OK;
}

// The functions below make the result of a baking available to queries.

void astar_baking_put_in_force(AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    baked->bakings = finder->bakings;
    take_walkable(baked, baked->walkable != NULL ? baked->walkable : finder->on.walkable);
    astar_baked_map_put(finder->grid, baked->walkable, finder->options.diagonals,
                        finder->whole.straight, finder->whole.diagonal, baked->map);
}

// Returns true if landmarks are to be measured when no other data was baked. "auto" measures none
// for jump point search: with landmarks, queries with a route of fewer than 32 cells took 1.3 to 2
// times as long on three of three maps.
static bool wants_landmarks(const AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_query(&finder->query);
    return baked->options.method == ASTAR_BAKE_LANDMARKS ||
           (baked->options.method == ASTAR_BAKE_AUTO && !astar_honours(ASTAR_JPS, needs));
}

// Finds the dead ends of the map, unless so many edits were made that the dead ends would not stay
// valid. Measures landmarks if nothing else was baked. Finally makes the result available to
// queries.
static AstarStatus finish_baking(AstarBaked *baked, int64_t *work)
{
    AstarFinder *finder = baked->finder;
    AstarBaking landmarks = {0, 0, 1};
    bool settles = !baked->is_twin &&
                   astar_grid_version(finder->grid) - baked->version <= MOST_EDITS_SETTLED;
    AstarStatus status = settles ? astar_finder_advance_settling(finder, work) : ASTAR_OK;
    if (status == ASTAR_RUNNING || status == ASTAR_NO_MEMORY)
        return status; // other errors: the finder cannot jump here, so there are no dead ends
    int count = baked->map == NULL && wants_landmarks(baked) ? baked->options.landmarks : 0;
    double least = baked->options.method == ASTAR_BAKE_AUTO ? LEAST_GAIN_LANDMARKS
                                                            : LEAST_GAIN_ASKED;
    status = astar_finder_advance_landmarks(finder, count, least, &baked->landmarks, work,
                                            &landmarks);
    if (status != ASTAR_OK)
        return status;
    if (landmarks.pivots > 0)
        baked->facts = (AstarBakedFacts){ASTAR_BAKE_LANDMARKS, landmarks.bytes, landmarks.gain,
                                         landmarks.pivots};
    else if (baked->map == NULL)
        baked->facts.gain = landmarks.gain;
    if (!baked->is_twin)
        astar_baking_put_in_force(baked);
    drop_parts(baked);
    baked->phase = BAKE_DONE;
    return ASTAR_OK;
}

static AstarStatus bake_on(AstarBaked *baked, int64_t *work)
{
    switch (baked->phase) {
    case BAKE_BEGIN: return begin_baking(baked, work);
    case BAKE_COPY: return copy_walkable(baked, work);
    case BAKE_SUBGOALS: return bake_subgoals(baked, work);
    case BAKE_GRAPH: return bake_graph(baked, work);
    case BAKE_ORDER: return bake_order(baked, work);
    case BAKE_LABELS: return bake_labels(baked, work);
    case BAKE_HIERARCHY: return bake_hierarchy(baked, work);
    case BAKE_SIGHTS: return bake_sights(baked, work);
    case BAKE_CLEAR: return clear_away(baked, work);
    case BAKE_MEASURE: return judge_gain(baked, work);
    default: return finish_baking(baked, work);
    }
}

bool astar_baking_clear(AstarBaked *baked, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    astar_blocks_give_back();
    return clear_parts(baked, false, &work);
}

AstarStatus astar_baking_step(AstarBaked *baked, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    AstarStatus status = ASTAR_OK;
    while (baked->phase != BAKE_DONE && status == ASTAR_OK)
        status = work > 0 ? bake_on(baked, &work) : ASTAR_RUNNING;
    if (status == ASTAR_NO_MEMORY) {
        drop_parts(baked);
        drop_map(baked);
        baked->facts = (AstarBakedFacts){ASTAR_BAKED_NOTHING, 0, 1, 0};
        baked->phase = BAKE_BEGIN;
    }
    return status;
}

// The functions below let another thread run a baking.

bool astar_baking_may_have_twin(const AstarBaked *baked)
{
    return baked->phase == BAKE_BEGIN;
}

AstarFinder *astar_baking_finder(const AstarBaked *baked)
{
    return baked->finder;
}

const AstarBakingOptions *astar_baking_options(const AstarBaked *baked)
{
    return &baked->options;
}

AstarStatus astar_baking_twin(AstarFinder *finder, const AstarBakingOptions *options,
                              AstarBaked **out)
{
    AstarStatus status = astar_baking_new(finder, options, out);
    if (status == ASTAR_OK)
        (*out)->is_twin = true;
    return status;
}

AstarStatus astar_baking_adopt(AstarBaked *baked, AstarBaked *twin)
{
    bool has_twins_landmarks = twin->facts.method == ASTAR_BAKE_LANDMARKS, taken = true;
    AstarBaking none;
    if (!astar_baking_may_have_twin(baked) || twin->phase != BAKE_DONE)
        return ASTAR_RUNNING;
    AstarStatus status = has_twins_landmarks
                             ? astar_finder_take_landmarks(baked->finder, twin->finder, &taken)
                             : astar_finder_bake(baked->finder, 0, &none);
    if (status != ASTAR_OK || !taken)
        return status == ASTAR_OK ? ASTAR_RUNNING : status;
    baked->map = twin->map;
    twin->map = NULL;
    if (baked->map != NULL)
        astar_put(&baked->map->version, UINT64_MAX); // it belongs to no grid any more
    baked->facts = twin->facts;
    astar_baking_put_in_force(baked);
    baked->phase = BAKE_DONE;
    return ASTAR_OK;
}

// The result.

AstarBakedFacts astar_baked_facts(const AstarBaked *baked)
{
    return baked->facts;
}

bool astar_baked_has_landmarks(const AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    return baked->bakings == finder->bakings && astar_landmarks_hold(finder->on.landmarks);
}

AstarStatus astar_baked_is_current(AstarBaked *baked, bool *current)
{
    const AstarGrid *grid = baked->finder->grid;
    int64_t work = ASTAR_ALL_WORK;
    *current = false;
    if (baked->phase != BAKE_DONE)
        return ASTAR_OK;
    if (baked->map == NULL) {
        *current = astar_baked_has_landmarks(baked);
        return ASTAR_OK;
    }
    AstarStatus status = astar_layer_advance(grid, baked->walkable, &work);
    if (status == ASTAR_OK)
        *current = astar_baked_map_is_in_force(baked->walkable, baked->map) &&
                   astar_baked_map_state(grid, baked->walkable, baked->map) != ASTAR_BAKED_OPENED;
    return status;
}

// ------------------------------------------------------------------------------------------------
// The functions below take over the order of the hubs from an earlier baking of the map.
//
// Most subgoals are still where they were before an edit, so the old order still suits them.
// Computing an order again would take longer than building the labels.
// ------------------------------------------------------------------------------------------------

enum {
    KEPT_ORDER = 8,  // the old order is kept if at most 1 of 8 subgoals is new
    WORK_OF_HUB = 16 // work of looking up a hub in the new map
};

// Returns the baked map that queries use now for this finder's ratio of costs and corner rule, or
// NULL.
static AstarBakedMap *map_in_force(const AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    return astar_baked_map_of(baked->walkable, finder->options.diagonals, finder->whole.straight,
                              finder->whole.diagonal);
}

static AstarStatus begin_order(AstarBaked *baked, AstarBakedMap *before)
{
    const AstarAllocator *allocator = &baked->finder->grid->allocator;
    AstarKeptOrder *order = &baked->order;
    size_t count = (size_t)baked->subgoals->count + 1;
    order->capacity = baked->subgoals->count;
    order->before = before;
    astar_count_up(&before->references);
    order->is_old = astar_alloc(allocator, count, sizeof *order->is_old);
    order->hubs = astar_alloc(allocator, count, sizeof *order->hubs);
    return order->is_old != NULL && order->hubs != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void drop_hubs(AstarBaked *baked)
{
    AstarKeptOrder *order = &baked->order;
    astar_release(&baked->finder->grid->allocator, order->hubs, (size_t)order->capacity + 1,
                  sizeof *order->hubs);
    order->hubs = NULL;
}

// Frees the data that is needed only while the order of the hubs is built.
static void drop_before(AstarBaked *baked)
{
    const AstarGrid *grid = baked->finder->grid;
    AstarKeptOrder *order = &baked->order;
    astar_release(&grid->allocator, order->is_old, (size_t)order->capacity + 1,
                  sizeof *order->is_old);
    astar_baked_map_release(grid, order->before);
    order->is_old = NULL;
    order->before = NULL;
}

void astar_baking_drop_order(AstarBaked *baked)
{
    drop_before(baked);
    drop_hubs(baked);
    baked->order = (AstarKeptOrder){0};
}

// Takes over the next hub of the earlier order if the cell of that hub is still a subgoal.
static void keep_hub(AstarKeptOrder *order, const AstarSubgoals *subgoals)
{
    const AstarBakedMap *before = order->before;
    uint32_t place = before->subgoals->places[before->labels->order[order->read++]];
    int x = astar_place_x(place), y = astar_place_y(place);
    if (!astar_bit_at(&subgoals->corners, y, x))
        return;
    uint32_t subgoal = astar_subgoal_at(subgoals, x, y);
    order->is_old[subgoal] = true;
    order->hubs[order->count++] = subgoal;
    order->kept = order->count;
}

static AstarStatus take_order_over(AstarKeptOrder *order, const AstarSubgoals *subgoals,
                                   int64_t *work)
{
    for (; order->read < order->before->labels->count; *work -= WORK_OF_HUB) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        keep_hub(order, subgoals);
    }
    for (; order->added < subgoals->count; *work -= 1) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        uint32_t subgoal = order->added++;
        if (!order->is_old[subgoal])
            order->hubs[order->count++] = subgoal;
    }
    return ASTAR_OK;
}

AstarStatus astar_baking_keep_order(AstarBaked *baked, int64_t *work)
{
    AstarKeptOrder *order = &baked->order;
    AstarStatus status = ASTAR_OK;
    if (order->before == NULL) {
        AstarBakedMap *before = map_in_force(baked);
        if (before == NULL || before->labels == NULL)
            return ASTAR_OK;
        status = begin_order(baked, before);
    }
    if (status == ASTAR_OK)
        status = take_order_over(order, baked->subgoals, work);
    if (status != ASTAR_OK)
        return status;
    drop_before(baked);
    if (order->count - order->kept > order->count / KEPT_ORDER)
        drop_hubs(baked);
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below measure the gain of baked data: how much less work a sample of queries takes
// with it.
//
// Work is counted rather than timed, so that every machine keeps the same data. On eleven maps of
// the Moving AI benchmarks, a unit of work of a search took 0.6 to 2.2 ns, 1.3 in the median. A
// unit of work of a baked route took 0.8 to 2.9 ns, 2.2 in the median.
// ------------------------------------------------------------------------------------------------

enum {
    SAMPLE = 32,        // number of queries of the sample
    STEP_OF_SAMPLE = 8, // number of expansions per step of a query
    WORK_BESIDES = 128  // work of each query apart from finding the route
};

// Time of a unit of work of a baked route, as a multiple of that of a search.
static const double TIME_OF_READING = 1.5;

// Returns a start or goal of the sample: the first free cell at or after a pseudo-random cell.
static AstarCell place_sample(const AstarBaked *baked, uint32_t number)
{
    const AstarSubgoals *subgoals = baked->map->subgoals;
    uint64_t cells = (uint64_t)subgoals->width * (uint64_t)subgoals->height;
    uint64_t cell = (number + 1) * UINT64_C(0x9E3779B97F4A7C15) % cells;
    for (;; cell = (cell + 1) % cells) {
        int x = (int)(cell % (uint64_t)subgoals->width),
            y = (int)(cell / (uint64_t)subgoals->width);
        if (astar_bits_get(&subgoals->rows, x, y))
            return (AstarCell){x, y};
    }
}

// Starts the next query of the sample.
static AstarStatus begin_sample(AstarBaked *baked)
{
    AstarFinder *finder = baked->finder;
    AstarQueryOptions query = {.weight = 1, .max_cost = INFINITY, .max_expansions = UINT64_MAX};
    AstarCell ends[2] = {place_sample(baked, 2 * baked->sampled),
                         place_sample(baked, 2 * baked->sampled + 1)};
    AstarStatus status = ASTAR_OK;
    if (baked->workspace == NULL)
        status = astar_workspace_new(&finder->grid->allocator, &baked->workspace);
    if (status == ASTAR_OK)
        status = astar_search_take_unbuilt(baked->workspace, finder, &baked->search);
    if (status != ASTAR_OK)
        return status;
    baked->search->own.ignores_baked = true;
    status = astar_search_begin_in_steps(baked->search, ends[0].x, ends[0].y, ends[1].x, ends[1].y,
                                         &query, 0);
    baked->search->lines.any_angle = false;
    return status == ASTAR_NO_MEMORY ? status : ASTAR_OK;
}

// Adds the work of the finished search, and the work of the same route by baked data, to the sums
// for the gain. Ends the query of the sample.
static AstarStatus end_sample(AstarBaked *baked)
{
    AstarSearch *search = baked->search;
    double work;
    AstarStatus status = ASTAR_OK;
    if (search->status == ASTAR_OK)
        status = astar_baked_route_measure(search, baked->map, &work);
    if (search->status == ASTAR_OK && status == ASTAR_OK) {
        baked->searched += WORK_BESIDES + (double)search->expanded * ASTAR_CELLS_AN_EXPANSION;
        baked->read += WORK_BESIDES + TIME_OF_READING * work;
    }
    astar_search_free(search);
    baked->search = NULL;
    baked->sampled++;
    return status;
}

AstarStatus astar_baking_measure_gain(AstarBaked *baked, int64_t *work)
{
    uint32_t count = baked->map->subgoals->count > 0 ? SAMPLE : 0;
    while (baked->sampled < count) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = baked->search == NULL ? begin_sample(baked) : ASTAR_OK;
        if (status == ASTAR_OK)
            status = astar_search_step(baked->search, STEP_OF_SAMPLE, NULL);
        *work -= astar_work_of(STEP_OF_SAMPLE);
        if (status == ASTAR_NO_MEMORY)
            return status;
        if (status != ASTAR_RUNNING && (status = end_sample(baked)) != ASTAR_OK)
            return status;
    }
    baked->facts.gain = baked->read > 0 ? baked->searched / baked->read : 1;
    baked->facts.gain = baked->facts.gain > 1 ? baked->facts.gain : 1;
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below measure the landmarks of a finder.
//
// Landmarks make an expansion slower, because for each node found their distances are read. On maps
// where the plain estimate is almost exact they take more time than they save. Therefore landmarks
// are kept only if searches expand far fewer cells with them. This test does not depend on the
// machine.
// ------------------------------------------------------------------------------------------------

// The needs of a query that estimates by landmarks can honour although jump point search cannot.
static const AstarNeeds BAKED_NEEDS = 1u << ASTAR_NEED_SEVERAL_COSTS | 1u << ASTAR_NEED_LINKS |
                                      1u << ASTAR_NEED_WALLS | 1u << ASTAR_NEED_SHAPE |
                                      1u << ASTAR_NEED_DIAGONAL_2 | 1u << ASTAR_NEED_CORNERS;

// Returns the needs of a finder that landmarks must serve. The option 'weight' and callbacks that
// only add to costs are left out, because estimates stay valid with them.
static AstarNeeds needs_of_baking(const AstarFinder *finder)
{
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_query(&finder->query);
    AstarNeeds asked = 1u << ASTAR_NEED_COST | 1u << ASTAR_NEED_STEP_COST;
    return needs & ~(1u << ASTAR_NEED_WEIGHT | (finder->options.dearer_only ? asked : 0));
}

static AstarLandmarkPlan plan_landmarks(AstarFinder *finder, int count)
{
    return (AstarLandmarkPlan){
        .walkable = finder->on.walkable,
        .footprints = finder->on.footprints,
        .rule = finder->rule,
        .cost = finder->costs.cell,
        .own_cost = finder->own.cost,
        .own_count = finder->own.count,
        .diagonal_cost = finder->options.diagonal_cost,
        .is_whole = astar_honours(ASTAR_JPS, needs_of_baking(finder)),
        .straight = finder->whole.straight,
        .diagonal = finder->whole.diagonal,
        .count = count,
    };
}

// Makes the data of the map belong to this grid alone if it is shared with a clone, because
// landmarks have to follow the grid's edits. Returns false if there is no memory.
static bool keeps_landmarks(AstarFinder *finder)
{
    return !finder->grid->copies.is_clone || astar_grid_part(finder->grid, NULL) == ASTAR_OK;
}

// Replaces the finder's landmarks by 'landmarks', or by none if 'landmarks' is NULL.
static void put_landmarks(AstarFinder *finder, AstarLandmarks *landmarks)
{
    astar_layer_release(finder->grid, finder->on.landmarks);
    finder->on.landmarks = landmarks;
    finder->bakings++;
}

// Continues to compute landmarks for a finder. Returns ASTAR_BAD_COST if the finder cannot use
// landmarks.
static AstarStatus measure_landmarks(AstarFinder *finder, int count, AstarLandmarkMaking **making,
                                     int64_t *work)
{
    if (count == 0 || (needs_of_baking(finder) & ~BAKED_NEEDS) != 0)
        return ASTAR_BAD_COST;
    AstarLandmarkPlan plan = plan_landmarks(finder, count);
    AstarStatus status = *making == NULL ? astar_landmark_making_new(finder->grid, making)
                                         : ASTAR_OK;
    return status == ASTAR_OK ? astar_landmark_making_advance(*making, &plan, work) : status;
}

AstarStatus astar_finder_advance_landmarks(AstarFinder *finder, int count, double least,
                                           AstarLandmarkMaking **making, int64_t *work,
                                           AstarBaking *out)
{
    AstarLandmarks *measured = NULL;
    if (!keeps_landmarks(finder))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_finder_advance(finder, work);
    *out = (AstarBaking){0, 0, 1};
    if (status == ASTAR_OK)
        status = measure_landmarks(finder, count, making, work);
    if (status == ASTAR_OK) {
        out->gain = astar_landmark_making_gain(*making);
        if (out->gain >= least)
            measured = astar_landmark_making_take(*making);
    } else if (status != ASTAR_BAD_COST) {
        return status;
    }
    put_landmarks(finder, measured);
    out->bytes = astar_landmarks_bytes(measured, finder->grid);
    out->pivots = measured != NULL ? count : 0;
    return ASTAR_OK;
}

AstarStatus astar_finder_bake(AstarFinder *finder, int landmarks, AstarBaking *out)
{
    if (landmarks < 0 || landmarks > ASTAR_MAX_PIVOTS)
        return ASTAR_BAD_OPTION;
    int64_t work = ASTAR_ALL_WORK;
    AstarLandmarkMaking *making = NULL;
    AstarStatus status = astar_finder_advance_landmarks(finder, landmarks, LEAST_GAIN_ASKED,
                                                        &making, &work, out);
    astar_landmark_making_free(making);
    return status;
}

AstarStatus astar_finder_take_landmarks(AstarFinder *finder, const AstarFinder *twin, bool *taken)
{
    const AstarLandmarks *from = twin->on.landmarks;
    int tables = from != NULL ? from->tables : 0;
    AstarLandmarks *landmarks = NULL;
    AstarStatus status = keeps_landmarks(finder) ? astar_finder_update(finder) : ASTAR_NO_MEMORY;
    *taken = false;
    if (status != ASTAR_OK || from == NULL || (needs_of_baking(finder) & ~BAKED_NEEDS) != 0)
        return status;
    AstarLandmarkPlan plan = plan_landmarks(finder, from->scale == 0 ? tables : tables / 2);
    if (plan.is_whole == (from->scale == 0))
        status = astar_landmarks_copy(finder->grid, &plan, twin->grid, from, &landmarks);
    *taken = landmarks != NULL;
    if (*taken)
        put_landmarks(finder, landmarks);
    return status;
}

AstarStatus astar_finder_load_landmarks(AstarFinder *finder, AstarArchive *archive,
                                        const char **why)
{
    if (!keeps_landmarks(finder) || astar_finder_update(finder) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarLandmarkPlan plan = plan_landmarks(finder, 0);
    AstarLandmarks *landmarks;
    *why = "nothing can be baked for this finder";
    if ((needs_of_baking(finder) & ~BAKED_NEEDS) != 0)
        return ASTAR_BAD_DATA;
    AstarStatus status = astar_landmarks_load(finder->grid, &plan, archive, why, &landmarks);
    if (status == ASTAR_OK)
        put_landmarks(finder, landmarks);
    return status;
}

// The table below lets a baking run as a job.

ASTAR_JOB_STEPS(step_baking_job, astar_baking_step(job, expansions))
ASTAR_JOB_TELLS(size_t, bytes_of_baking_job, astar_baked_facts(job).bytes)
ASTAR_JOB_CLOSES(close_baking_job, astar_baked_free(job))

const AstarJobKind astar_baking_job = {.name = "baking",
                                       .step = step_baking_job,
                                       .bytes = bytes_of_baking_job,
                                       .close = close_baking_job};

// The functions below save and load baked data.

// Returns the number that the head has for a body. Data of square bodies have always had the number
// of columns alone.
static uint32_t size_word(AstarBody body)
{
    uint32_t rows = body.width != body.height ? (uint32_t)body.height : 0;
    return (uint32_t)body.width + (rows << 16);
}

// Returns the head of the saved data that was baked for a finder on these walkable bits.
static AstarBakedHead head_of(const AstarFinder *finder, const AstarBits *bits)
{
    return (AstarBakedHead){
        .width = (uint32_t)finder->grid->width,
        .height = (uint32_t)finder->grid->height,
        .diagonals = finder->options.diagonals,
        .size = size_word(astar_finder_body(finder)),
        .straight = finder->whole.straight,
        .diagonal = finder->whole.diagonal,
        .map = astar_baked_hash(bits),
    };
}

static AstarArchive begin_to_save(const AstarBaked *baked, const AstarBits *bits,
                                  AstarSavedKind kind, void *bytes, size_t capacity)
{
    AstarBakedHead head = head_of(baked->finder, bits);
    AstarArchive archive = astar_archive_save(bytes, capacity, ASTAR_SAVED_BAKED,
                                              ASTAR_BAKED_VERSION);
    head.gain = baked->facts.gain;
    head.near = baked->map != NULL ? (uint32_t)baked->map->near : 0;
    head.kind = kind;
    astar_baked_head_carry(&archive, &head);
    return archive;
}

size_t astar_baked_save(const AstarBaked *baked, void *bytes, size_t capacity)
{
    const AstarFinder *finder = baked->finder;
    const AstarBakedMap *map = baked->map;
    AstarArchive archive;
    if (baked->phase != BAKE_DONE)
        return 0;
    if (map != NULL) {
        archive = begin_to_save(baked, &map->subgoals->rows,
                                map->labels != NULL ? ASTAR_SAVED_LABELS : ASTAR_SAVED_HIERARCHY,
                                bytes, capacity);
        astar_baked_map_save(map, &archive);
    } else if (astar_baked_has_landmarks(baked) &&
               astar_landmarks_can_be_saved(finder->on.landmarks)) {
        archive = begin_to_save(baked, &finder->on.landmarks->walkable->bits, ASTAR_SAVED_LANDMARKS,
                                bytes, capacity);
        astar_landmarks_save(finder->grid, finder->on.landmarks, &archive);
    } else {
        return 0;
    }
    return astar_archive_close(&archive);
}

// Loads labels or a hierarchy as the baked map.
static AstarStatus load_map(AstarBaked *baked, const AstarBakedHead *head, AstarArchive *archive,
                            const char **why)
{
    const AstarFinder *finder = baked->finder;
    *why = astar_baked_is_damaged;
    AstarStatus status = astar_baked_map_load(finder->grid, finder->on.walkable, head, archive,
                                              &baked->map);
    if (status != ASTAR_OK)
        return status;
    baked->facts.method = baked->map->labels != NULL ? ASTAR_BAKE_LABELS : ASTAR_BAKE_HIERARCHY;
    baked->facts.bytes = astar_baked_map_bytes(baked->map);
    baked->map->near = (int)head->near;
    return ASTAR_OK;
}

static AstarStatus load_landmarks(AstarBaked *baked, AstarArchive *archive, const char **why)
{
    AstarFinder *finder = baked->finder;
    AstarStatus status = astar_finder_load_landmarks(finder, archive, why);
    if (status != ASTAR_OK)
        return status;
    const AstarLandmarks *landmarks = finder->on.landmarks;
    baked->facts.method = ASTAR_BAKE_LANDMARKS;
    baked->facts.bytes = astar_landmarks_bytes(landmarks, finder->grid);
    baked->facts.landmarks = landmarks->scale == 0 ? landmarks->tables : landmarks->tables / 2;
    return ASTAR_OK;
}

// Loads saved data and makes it available to queries.
static AstarStatus load_baked(AstarBaked *baked, const void *bytes, size_t length, const char **why)
{
    AstarArchive archive = astar_archive_load(bytes, length, ASTAR_SAVED_BAKED,
                                              ASTAR_BAKED_VERSION);
    AstarBakedHead head = {0}, wanted = head_of(baked->finder, &baked->finder->on.walkable->bits);
    astar_baked_head_carry(&archive, &head);
    bool is_bad = archive.is_bad || archive.version != ASTAR_BAKED_VERSION;
    *why = is_bad ? astar_baked_is_damaged : astar_baked_head_fault(&head, &wanted);
    if (*why != NULL)
        return ASTAR_BAD_DATA;
    AstarStatus status = head.kind == ASTAR_SAVED_LANDMARKS ? load_landmarks(baked, &archive, why)
                                                            : load_map(baked, &head, &archive, why);
    if (status != ASTAR_OK)
        return status;
    baked->facts.gain = head.gain;
    astar_baking_put_in_force(baked);
    baked->phase = BAKE_DONE;
    return ASTAR_OK;
}

AstarStatus astar_baked_load(AstarFinder *finder, const void *bytes, size_t length,
                             const char **why, AstarBaked **out)
{
    AstarBaked *baked;
    *why = NULL;
    AstarStatus status = astar_finder_update(finder);
    if (status == ASTAR_OK)
        status = astar_baking_new(finder, NULL, &baked);
    if (status != ASTAR_OK)
        return status;
    status = load_baked(baked, bytes, length, why);
    if (status == ASTAR_OK)
        *out = baked;
    else
        astar_baked_free(baked);
    return status;
}
