// resume.c -- searches that go on though their map was edited in between.
//
// A search may go on where what it has is what a search begun on the edited map would have by now:
// then it finds the very route that one would. What a question makes of the whole map is therefore
// worked out again, and must come out the same: costs, components, the algorithm chosen. As to the
// cells themselves there are two criteria.
//
// A search that makes its steps one by one reads the cells it has reached and those next to them.
// So an edit elsewhere has changed nothing yet, and will be read when its turn comes.
//
// A search by jumps reads as far as it can see. But what an edited cell makes other than it was,
// nodes that end there and nodes beyond, lies on routes through that cell or past its corner, and
// no such route is shorter than the walk over open ground from the start to there and on to the
// goal. Nodes of a lesser f, and the order they leave the open list in, are the same as they would
// be; so the search is sound below that bound, and a goal found there is found by the best route.
//
// The functions of a script may look at anything, so a search that asks one does not go on, nor
// does one whose unit stands among its own blocks, on a map of its own.

#include "search/start_query.h"

#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "search/baked_scratch.h"
#include "search/estimate.h"
#include "search/jps.h"

#include <math.h>

// Of an edited area where there are links; a larger one may make a difference anywhere.
enum { MOST_CELLS_MEASURED = 4096 };

// ---- searches by steps ----

// Whether a search by steps has read a cell. The ends of links were, when it began.
static bool has_read(const AstarSearch *search, int x, int y)
{
    return astar_pages_state(&search->front.nodes, x, y) != 0 ||
           (search->own.linked && astar_bits_get(&search->grid->links_and_walls->ends, x, y));
}

static bool has_read_any(const AstarSearch *search, const AstarEdit *area)
{
    if (astar_edit_covers(area, search->start_x,
                          search->start_y)) // saves looking through a large area
        return true;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            if (has_read(search, x, y))
                return true;
    return false;
}

// ---- searches by jumps ----

// Whether its costs are whole numbers.
static bool counts_whole(const AstarSearch *search)
{
    return search->algorithm == ASTAR_JPS || astar_is_baked(search->algorithm);
}

static bool jumps(const AstarSearch *search)
{
    return counts_whole(search) || search->algorithm == ASTAR_JPSW;
}

// How far a position lies from those of a stretch.
static int distance_to(int position, int first, int count)
{
    if (position < first)
        return first - position;
    return position >= first + count ? position - (first + count - 1) : 0;
}

// The same as below of a map with links, cell by cell.
static double least_f_over_links(const AstarSearch *search, const AstarEdit *area)
{
    double least = INFINITY;
    if ((int64_t)area->width * area->height > MOST_CELLS_MEASURED ||
        astar_links_end_in(search->grid, area))
        return 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            least = fmin(least, astar_front_estimate(search, true, x, y, true) +
                                    astar_jpsw_least_on(search, x, y));
    return least * (1 - 1e-9);
}

// The least f of any route from a cell through an area, as the search counts.
static double least_f_from(const AstarSearch *search, int x, int y, const AstarEdit *area)
{
    int dx0 = distance_to(x, area->x, area->width);
    int dy0 = distance_to(y, area->y, area->height);
    const AstarGoal *goal = &search->goal;
    int near_x = astar_nearest_covered(area->x, area->width, goal->x);
    int near_y = astar_nearest_covered(area->y, area->height, goal->y);
    int dx1 = astar_goal_beyond(goal, near_x, goal->x);
    int dy1 = astar_goal_beyond(goal, near_y, goal->y);
    if (counts_whole(search))
        return astar_jps_least_f(search, dx0, dy0, dx1, dy1);
    const AstarHeuristic *heuristic = &search->finder->costs.heuristic;
    double least = astar_estimate(heuristic, dx0, dy0) + astar_estimate(heuristic, dx1, dy1);
    return least * (1 - 1e-9);
}

// The same from all that it begins at.
static double least_f(const AstarSearch *search, const AstarEdit *area)
{
    const AstarGoalSet *set = &search->many.goals;
    if (search->own.linked)
        return least_f_over_links(search, area);
    bool is_of_many = astar_goal_is_of_many(&search->goal);
    double least = is_of_many ? INFINITY
                              : least_f_from(search, search->start_x, search->start_y, area);
    for (size_t i = 0; is_of_many && i < set->estimated_count; i++)
        least = fmin(least, least_f_from(search, set->estimated[i].x, set->estimated[i].y, area));
    return least * (astar_jumps_back(search) ? 1 << search->jumps.rank_bits : 1);
}

// Whether the search has come to nodes that may be other than they would be.
static bool is_past_bound(AstarSearch *search)
{
    if (ASTAR_HAS_BAKING && astar_is_baked(search->algorithm))
        return astar_baked_route_cost(search) >= search->slices.sound_below;
    if (search->algorithm == ASTAR_JPS)
        return (double)(search->jumps.open.least >> ASTAR_CELL_BITS) >= search->slices.sound_below;
    return astar_slotted_least_f(&search->front.open) >= search->slices.sound_below;
}

AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status)
{
    if (isinf(search->slices.sound_below) || status == ASTAR_NO_MEMORY)
        return status;
    if (status == ASTAR_RUNNING)
        return is_past_bound(search) ? ASTAR_GRID_CHANGED : status;
    if (astar_is_baked(search->algorithm))
        return is_past_bound(search) ? ASTAR_GRID_CHANGED : status;
    if (status != ASTAR_OK)
        return ASTAR_GRID_CHANGED;
    const AstarJumpNode *goal = astar_jump_node(&search->jumps.nodes, astar_jps_target(search));
    double f = search->algorithm == ASTAR_JPS ? goal->g.whole : goal->g.real; // it jumped
    return f < search->slices.sound_below ? status : ASTAR_GRID_CHANGED;
}

// ---- both ----

// Whether the search can go on after an edit, so far as cells go.
static bool outlasts(AstarSearch *search, const AstarEdit *edit)
{
    if (edit->width == 0) // what such edits change is looked at as a whole
        return true;
    AstarEdit area = astar_cells_concerned(search->grid, edit, search->finder->options.size);
    if (!jumps(search))
        return !has_read_any(search, &area);
    double f = least_f(search, &area);
    search->slices.sound_below = f < search->slices.sound_below ? f : search->slices.sound_below;
    return !is_past_bound(search);
}

static bool outlasts_edits(AstarSearch *search)
{
    const uint64_t ignored = search->finder->options.ignore;
    if (!astar_knows_edits_since(search->grid, ignored, search->slices.seen.grid))
        return false;
    AstarEditsSince edits = astar_edits_since(search->grid, ignored, search->slices.seen.grid);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
        if (!outlasts(search, edit))
            return false;
    return true;
}

// The same of the field. Only searches by steps read one.
static bool outlasts_changes(AstarSearch *search)
{
    const AstarField *field = search->finder->options.avoid;
    AstarEdit change;
    uint32_t tile = 0;
    while (field != NULL &&
           astar_field_next_change(field, search->slices.seen.field, &tile, &change))
        if (!outlasts(search, &change))
            return false;
    return true;
}

static bool is_lasting(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    return astar_finder_allows(finder, ASTAR_RESUMING) && search->slices.phase != ASTAR_STRAIGHTEN;
}

// Whether the question would still be searched for in the way it is: ASTAR_OK, else
// ASTAR_GRID_CHANGED; ASTAR_RUNNING where the work is used up before. The finder is up to date.
static AstarStatus start_again(AstarSearch *search, int64_t *work)
{
    AstarVerdict verdict;
    AstarGoal goal;
    AstarAlgorithm algorithm;
    if (astar_goal_is_of_many(&search->goal)) // they were looked at before, see nearest.c
        return astar_may_jump_back(search, &search->goal) == astar_jumps_back(search)
                   ? ASTAR_OK
                   : ASTAR_GRID_CHANGED;
    AstarStatus status = astar_answer_unsearched(search, &verdict, &goal, work);
    if (status == ASTAR_OK)
        return ASTAR_RUNNING;
    AstarStatus chosen = astar_choose_algorithm(search, &goal, &algorithm);
    if (status == ASTAR_NO_MEMORY || chosen != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarAlgorithm searching = astar_is_baked(search->algorithm) ? ASTAR_JPS : search->algorithm;
    bool same = status == ASTAR_RUNNING && verdict.connected == search->known.verdict.connected &&
                verdict.certain == search->known.verdict.certain && algorithm == searching &&
                astar_goal_is_same(&goal, &search->goal) &&
                (algorithm != ASTAR_JPSW || astar_jpsw_is_same(search));
    return same ? ASTAR_OK : ASTAR_GRID_CHANGED;
}

static AstarStatus take_edits_of_map(AstarSearch *search, int64_t *work)
{
    AstarFinder *finder = search->finder;
    const AstarSeenMap *seen = &search->slices.seen;
    AstarStatus status = astar_finder_advance(finder, work);
    if (status != ASTAR_OK)
        return status;
    if (jumps(search) && search->own.linked &&
        finder->grid->links_and_walls_version == seen->links_and_walls)
        status = astar_links_advance(search, true, finder->costs.heuristic, work);
    if (status != ASTAR_OK)
        return status;
    if (finder->costs.changes != seen->tables || !astar_active_landmarks_are_same(search) ||
        finder->grid->links_and_walls_version != seen->links_and_walls || !outlasts_edits(search) ||
        !outlasts_changes(search))
        return ASTAR_GRID_CHANGED;
    status = astar_search_build_components(search, work);
    if (status == ASTAR_OK)
        status = astar_search_build_for(search->finder,
                                        astar_search_algorithm_for(search, &search->goal), work);
    return status == ASTAR_OK ? start_again(search, work) : status;
}

AstarStatus astar_resume(AstarSearch *search, int64_t *work)
{
    uint64_t version = astar_finder_version(search->finder);
    if (version == search->costs.version)
        return ASTAR_OK;
    if (!is_lasting(search))
        return ASTAR_GRID_CHANGED;
    AstarStatus status = take_edits_of_map(search, work);
    if (status == ASTAR_OK) {
        search->costs.version = version;
        astar_search_look_at_map(search);
    }
    return status;
}
