// baking.c -- baking in slices: what is tried in which order, and when it comes into force.
//
// The walkable bits are copied when baking begins, so edits in between do no harm: the map that was
// baked is judged by its bits like one baked long ago, even if it never was so as a whole because
// edits came between the rows. Nothing of it is read before it is done.

#include "search/search_twin.h"

#include "base/alloc.h"
#include "search/baking_parts.h"

#include <math.h>

enum {
    BYTES_A_CELL = 64,
    ENTRY_BYTES = 10,      // that an entry of a label takes at least
    MOST_DEGREE = 5,       // edges of a subgoal, on the average, for a hierarchy to pay
    WORK_OF_CLEAR = 1024,  // what is done with, at least
    MOST_EDITS_SETTLED = 8 // while it is made, for dead ends to be found
};

// By how much questions must be less work to keep what is baked.
static const double LEAST_GAIN_BAKED = 1.1;
// That goals nearby are not left to a search; by a hierarchy those half as near.
static const double LEAST_GAIN_NEAR = 5, LEAST_GAIN_OF_CLIMBS = 20;

// In the order of AstarBakingMethod.
static const char *const method_names[] = {"auto", "labels", "hierarchy", "landmarks"};
static_assert(sizeof method_names / sizeof *method_names == ASTAR_BAKE_METHOD_COUNT,
              "a name for each of AstarBakingMethod");

const char *astar_baking_method_name(AstarBakingMethod method)
{
    if (method == ASTAR_BAKED_NOTHING)
        return "none";
    return method < ASTAR_BAKE_METHOD_COUNT ? method_names[method] : NULL;
}

// ---- memory ----

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

// Frees what is done with, or given up; all at once that would take many milliseconds. False where
// the work is used up before.
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

// Lets go of all that is only needed for baking.
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

// ---- the parts ----

// Whether routes over subgoals are known to be the best. Where corners are cut and a diagonal step
// costs two straight ones, jump point search, whose turns they are, may miss some of those.
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
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(&finder->question);
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

// How many bytes are left beside the subgoals.
static size_t bytes_left(const AstarBaked *baked)
{
    size_t besides = astar_subgoals_bytes(baked->subgoals);
    return baked->most_bytes > besides ? baked->most_bytes - besides : 0;
}

// Whether labels may fit their bytes. Where subgoals are joined to a net they have about as many
// entries as a row of them is long, half of it on random maps and more; a quarter is certain. Mazes
// and trees, whose subgoals have about two edges each, need far fewer.
static bool may_labels_fit(const AstarBaked *baked)
{
    double count = baked->subgoals->count, edges = (double)baked->graph->kept;
    double entries = (double)bytes_left(baked) / ENTRY_BYTES;
    return edges <= 2.25 * count || 4 * entries >= count * sqrt(count);
}

// Whether a hierarchy may pay. Where obstacles are strewn thinly, each subgoal has so many edges
// that the last ones left are all joined with each other.
static bool may_hierarchy_pay(const AstarBaked *baked)
{
    return baked->graph->kept <= (uint64_t)MOST_DEGREE * baked->subgoals->count;
}

// What "auto" is to try next; the graph tells what is not worth beginning.
static BakingPhase next_to_try(const AstarBaked *baked)
{
    if (baked->phase < BAKE_ORDER && may_labels_fit(baked))
        return BAKE_ORDER;
    return baked->phase < BAKE_HIERARCHY && may_hierarchy_pay(baked) ? BAKE_HIERARCHY : BAKE_FINISH;
}

// Goes on with the next method where one cannot be had.
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

// Makes a map of the subgoals; the graph is done with after what it is made for.
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

// Works out what each cell sees, where that fits the bytes.
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

// Keeps the order of the hubs, or finds one: the last subgoals that a contraction takes out are the
// first hubs.
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

// How near goals are that a search finds sooner, where it is left to choose.
static int near_of(const AstarBaked *baked)
{
    if (baked->options.method != ASTAR_BAKE_AUTO)
        return 0;
    bool is_hierarchy = baked->map->hierarchy != NULL && baked->facts.gain < LEAST_GAIN_OF_CLIMBS;
    return baked->facts.gain < LEAST_GAIN_NEAR ? ASTAR_NEAR_GOALS
           : is_hierarchy                      ? ASTAR_NEAR_GOALS / 2
                                               : 0;
}

// Where it gains too little, nothing is kept of it.
static AstarStatus judge_gain(AstarBaked *baked, int64_t *work)
{
    AstarStatus status = astar_baking_measure_gain(baked, work);
    if (status != ASTAR_OK)
        return status;
    baked->phase = BAKE_FINISH;
    baked->map->near = near_of(baked);
    if (baked->facts.gain < LEAST_GAIN_BAKED && baked->options.method == ASTAR_BAKE_AUTO) {
        drop_parts(baked); // which are of the map's subgoals
        baked->sights = baked->map->sights;
        baked->map->sights = NULL;
        drop_map(baked);
        baked->facts = (AstarBakedFacts){ASTAR_BAKED_NOTHING, 0, 1, 0};
        baked->after = BAKE_FINISH;
        baked->phase = BAKE_CLEAR;
    }
    return ASTAR_OK;
}

// ---- in force ----

void astar_baking_put_in_force(AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    baked->bakings = finder->bakings;
    take_walkable(baked, baked->walkable != NULL ? baked->walkable : finder->on.walkable);
    astar_baked_map_put(finder->grid, baked->walkable, finder->options.diagonals,
                        finder->whole.straight, finder->whole.diagonal, baked->map);
}

// Finds dead ends, unless edits undo that again and again, measures landmarks where there is
// nothing else, and puts what was baked in force.
static AstarStatus finish_baking(AstarBaked *baked, int64_t *work)
{
    AstarFinder *finder = baked->finder;
    AstarBaking landmarks = {0, 0, 1};
    bool settles = !baked->is_twin &&
                   astar_grid_version(finder->grid) - baked->version <= MOST_EDITS_SETTLED;
    AstarStatus status = settles ? astar_finder_advance_settling(finder, work) : ASTAR_OK;
    if (status == ASTAR_RUNNING || status == ASTAR_NO_MEMORY)
        return status; // a finder that cannot jump on this map has no dead ends to find
    int count = baked->map == NULL ? baked->options.landmarks : 0;
    bool wants_them = baked->options.method == ASTAR_BAKE_AUTO ||
                      baked->options.method == ASTAR_BAKE_LANDMARKS;
    status = astar_finder_advance_landmarks(finder, wants_them ? count : 0, &baked->landmarks, work,
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

// ---- by another thread ----

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
        astar_put(&baked->map->version, UINT64_MAX); // of no grid any more
    baked->facts = twin->facts;
    astar_baking_put_in_force(baked);
    baked->phase = BAKE_DONE;
    return ASTAR_OK;
}

// ---- what it left ----

AstarBakedFacts astar_baked_facts(const AstarBaked *baked)
{
    return baked->facts;
}

bool astar_baked_has_landmarks(const AstarBaked *baked)
{
    const AstarFinder *finder = baked->finder;
    return baked->bakings == finder->bakings && astar_landmarks_hold(finder->landmarks);
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
