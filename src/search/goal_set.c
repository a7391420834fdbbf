// goal_set.c -- many goals, any of which ends the search.
//
// A few are looked for by the least of their estimates, which is as admissible and consistent as
// each of them; more than that would cost more to estimate than it saves, as would goals that only
// a function knows, so they are looked for by Dijkstra's algorithm.
//
// Of equally cheap goals the lowest cell's is reached, the one farther north, then west. So the
// first goal met is not the end: the search goes on, towards lower goals alone, among the cells
// that a way of the same cost can lead over.
//
// Whatever the goals and their range, time and memory stay in proportion to the map. Cells within
// range are marked once each (goal_range.c). What is asked of each cell in turn goes by the goals
// one by one, until that has come to more work than measuring the whole map
// (distance_transform.c).

#include "search/goal_set.h"

#include "rules/heuristic.h"

#include <string.h>

enum { WORK_OF_A_MARK = 8 };

// Sums that round in their last places are as good as equal.
static const double ROUNDING = 1 + 1e-12;

static uint32_t cell_of_goal(const AstarSearch *search, const AstarCell *goal)
{
    return astar_cell(search->grid, goal->x, goal->y);
}

// ---- which cells are goals ----

// Marks a cell as belonging to the goal in another.
static AstarStatus mark_goal_cell(AstarSearch *search, uint32_t cell, uint32_t goal)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    AstarPage *page = astar_page_for(&search->many.goal_marks, &search->allocator, x, y);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    page->states[astar_page_place(x, y)] = 1;
    page->values[astar_page_place(x, y)] = goal;
    return ASTAR_OK;
}

static AstarStatus mark_in_range(void *context, uint32_t cell, const AstarSeed *goal)
{
    return mark_goal_cell(context, cell, goal->cell);
}

AstarStatus astar_goal_set_begin_marks(AstarSearch *search)
{
    const AstarGoals *goals = &search->many.goals.list;
    const AstarGrid *grid = search->grid;
    search->many.goals.marked = 0;
    if (!astar_pages_begin(&search->many.goal_marks, &search->allocator, grid->width, grid->height))
        return ASTAR_NO_MEMORY;
    if (search->question.range == 0)
        return ASTAR_OK;
    AstarStatus status = astar_range_begin(&search->many.around, &search->allocator, grid,
                                           goals->count, search->question.range);
    if (status != ASTAR_OK)
        return status;
    for (size_t i = 0; i < goals->count; i++) {
        uint32_t cell = cell_of_goal(search, &goals->cells[i]);
        astar_range_add(&search->many.around, cell, cell);
    }
    astar_range_begin_sweep(&search->many.around, grid);
    return ASTAR_OK;
}

AstarStatus astar_goal_set_mark(AstarSearch *search, int64_t *work)
{
    AstarGoalSet *set = &search->many.goals;
    AstarStatus status = ASTAR_OK;
    if (search->question.range > 0)
        return astar_range_sweep_on(&search->many.around, search->grid, search->question.range,
                                    search->goal.size, mark_in_range, search, work);
    for (; set->marked < set->list.count && status == ASTAR_OK; set->marked++) {
        if ((*work -= WORK_OF_A_MARK) < 0)
            return ASTAR_RUNNING;
        uint32_t cell = cell_of_goal(search, &set->list.cells[set->marked]);
        status = mark_goal_cell(search, cell, cell);
    }
    return status;
}

// Whether a function says that a cell is a goal, ASTAR_OK if so.
static AstarStatus ask_test(AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    bool is_goal = search->many.goals.list.test(search->costs.context, x, y,
                                                search->grid->ground[cell]);
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    return is_goal ? ASTAR_OK : ASTAR_RUNNING;
}

// ---- how near cells lie to goals ----

AstarStatus astar_goal_set_need_nears(AstarSearch *search)
{
    if (search->many.nears == NULL)
        search->many.nears = astar_alloc(&search->allocator, search->rest.cells,
                                         sizeof *search->many.nears);
    return search->many.nears != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_goal_set_measure(AstarSearch *search, AstarNearMeasuring *measuring,
                                   int64_t *work)
{
    AstarGoalSet *set = &search->many.goals;
    const AstarGrid *grid = search->grid;
    AstarStatus status = astar_goal_set_need_nears(search);
    if (status != ASTAR_OK)
        return status;
    while (measuring->cleared<grid->height && * work> 0)
        astar_near_clear_row(search->many.nears, grid, measuring, work);
    if (measuring->cleared < grid->height)
        return ASTAR_RUNNING;
    for (size_t i = 0; measuring->lines == 0 && i < set->list.count; i++)
        astar_near_put(search->many.nears, cell_of_goal(search, &set->list.cells[i]));
    set->is_measured = astar_near_measure(search->many.nears, grid, &search->finder->costs.distance,
                                          measuring, work) &&
                       astar_near_widen(search->many.nears, grid, search->goal.size, false,
                                        measuring, work);
    return set->is_measured ? ASTAR_OK : ASTAR_RUNNING;
}

// A search in steps has no time for that once it has begun, but little to compare, see nearest.c.
static AstarStatus measure_goals_if_due(AstarSearch *search)
{
    const AstarGoalSet *set = &search->many.goals;
    AstarNearMeasuring measuring = {0};
    int64_t work = ASTAR_ALL_WORK;
    if (set->is_measured || set->compared <= search->grid->cells ||
        search->slices.preparing.in_steps)
        return ASTAR_OK;
    return astar_goal_set_measure(search, &measuring, &work);
}

// How near a cell lies to the nearest goal, and which that is: of equally near ones the lowest.
static AstarStatus nearest_goal_to(AstarSearch *search, uint32_t cell, AstarNear *nearest)
{
    AstarGoalSet *set = &search->many.goals;
    set->compared += set->list.count;
    AstarStatus status = measure_goals_if_due(search);
    if (status != ASTAR_OK)
        return status;
    if (set->is_measured) {
        *nearest = search->many.nears[cell];
        return ASTAR_OK;
    }
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    *nearest = (AstarNear){INFINITY, 0};
    for (size_t i = 0; i < set->list.count; i++) {
        const AstarCell *goal = &set->list.cells[i];
        int near_x = x, near_y = y;
        astar_goal_come_near(&search->goal, &near_x, &near_y, goal->x, goal->y);
        AstarNear each = {astar_estimate_between(search->grid->shape,
                                                 &search->finder->costs.distance, near_x, near_y,
                                                 goal->x, goal->y),
                          cell_of_goal(search, goal)};
        if (astar_is_nearer(&each, nearest))
            *nearest = each;
    }
    return ASTAR_OK;
}

// What costs that are equal may come to by rounding. Sums of multiples of the unit are exact until
// they fill a double.
static double as_cheap_as(const AstarFinder *finder, double cost)
{
    return cost < finder->costs.unit * 0x1p53 ? cost : cost * ROUNDING;
}

// Whether a cell is to be kept in place of the nearest: it is nearer to a goal; of equally near
// ones the cheapest, then the one whose goal is lowest, then the lowest.
static bool is_to_be_kept(const AstarSearch *search, uint32_t cell, const AstarNear *near)
{
    const AstarFinder *finder = search->finder;
    const AstarGoal *goal = &search->goal;
    if (goal->nearest == ASTAR_NO_CELL || near->distance < goal->nearest_distance)
        return true;
    double g = astar_search_g(search, cell), least = astar_search_g(search, goal->nearest);
    if (near->distance > goal->nearest_distance || g > as_cheap_as(finder, least))
        return false;
    uint32_t near_to = search->many.goals.near_to;
    bool is_lower = near->cell < near_to || (near->cell == near_to && cell < goal->nearest);
    return is_lower || as_cheap_as(finder, g) < least;
}

// ASTAR_RUNNING, unless there is no memory.
static AstarStatus track_nearest_to_any(AstarSearch *search, uint32_t cell)
{
    AstarNear near;
    AstarStatus status = nearest_goal_to(search, cell, &near);
    if (status != ASTAR_OK)
        return status;
    if (is_to_be_kept(search, cell, &near)) {
        search->goal.nearest = cell;
        search->goal.nearest_distance = near.distance;
        search->many.goals.near_to = near.cell;
    }
    return ASTAR_RUNNING;
}

// ---- the search ----

// Finds the rectangle around the goals that are estimated, and whether they are as many as lie at
// its rim: then all are there as a rule, around a player, a chest, a building, and the nearest to
// any cell outside is that of the rectangle. Where not, that one is nearer: all the same an
// estimate.
static void find_ring(AstarGoalSet *set)
{
    set->x0 = set->x1 = set->estimated[0].x;
    set->y0 = set->y1 = set->estimated[0].y;
    for (size_t i = 1; i < set->estimated_count; i++) {
        const AstarCell *goal = &set->estimated[i];
        set->x0 = goal->x < set->x0 ? goal->x : set->x0;
        set->y0 = goal->y < set->y0 ? goal->y : set->y0;
        set->x1 = goal->x > set->x1 ? goal->x : set->x1;
        set->y1 = goal->y > set->y1 ? goal->y : set->y1;
    }
    int64_t width = set->x1 - set->x0 + 1, height = set->y1 - set->y0 + 1;
    int64_t inside = width > 2 && height > 2 ? (width - 2) * (height - 2) : 0;
    set->is_ring = (int64_t)set->estimated_count >= width * height - inside;
}

void astar_goal_set_aim(AstarSearch *search, const AstarCell *goals, size_t count)
{
    AstarGoalSet *set = &search->many.goals;
    memcpy(set->estimated, goals, count * sizeof *goals);
    set->estimated_count = count;
    find_ring(set);
}

double astar_goal_set_estimate(const AstarSearch *search, int x, int y)
{
    const AstarGoalSet *set = &search->many.goals;
    const AstarGoal *any = &search->goal;
    if (set->estimated_count == 0)
        return 0;
    int near_x = x < set->x0 ? set->x0 : x > set->x1 ? set->x1 : x;
    int near_y = y < set->y0 ? set->y0 : y > set->y1 ? set->y1 : y;
    if (set->is_ring && (near_x != x || near_y != y) && search->grid->shape->has_corners)
        return astar_goal_remaining(search->grid->shape, &search->finder->costs.heuristic, any,
                                    near_x, near_y, x, y);
    double least = INFINITY;
    for (size_t i = 0; i < set->estimated_count; i++) {
        const AstarCell *goal = &set->estimated[i];
        double h = astar_goal_remaining(search->grid->shape, &search->finder->costs.heuristic, any,
                                        goal->x, goal->y, x, y);
        least = h < least ? h : least;
    }
    return least;
}

// Whether a cell belongs to a goal lower than the one met: ASTAR_OK if so, and to which.
static AstarStatus judge_goal_cell(AstarSearch *search, uint32_t cell, uint32_t *goal)
{
    const AstarGoalSet *set = &search->many.goals;
    AstarStatus status;
    *goal = cell;
    if (search->goal.kind == ASTAR_GOAL_TEST)
        return cell < set->met ? ask_test(search, cell) : ASTAR_RUNNING;
    if (search->goal.kind == ASTAR_GOAL_SET_NEAR) {
        AstarNear near = {INFINITY, cell};
        status = nearest_goal_to(search, cell, &near);
        if (status == ASTAR_OK && near.distance > search->goal.near)
            status = ASTAR_RUNNING;
        *goal = near.cell;
    } else if (astar_goal_set_is_marked(search, cell)) {
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        *goal = (uint32_t)astar_pages_value(&search->many.goal_marks, x, y);
        status = ASTAR_OK;
    } else {
        status = ASTAR_RUNNING;
    }
    return status == ASTAR_OK && *goal >= set->met ? ASTAR_RUNNING : status;
}

// Notes the goal met. ASTAR_RUNNING: a lower one may be as cheap.
static AstarStatus meet_goal(AstarSearch *search, uint32_t cell, uint32_t goal)
{
    AstarGoalSet *set = &search->many.goals;
    double bound = as_cheap_as(search->finder, astar_search_g(search, cell));
    search->found = cell;
    set->met = goal;
    if (search->question.weight > 1)
        return ASTAR_OK;
    search->limit = bound < search->limit ? bound : search->limit;
    size_t count = set->estimated_count;
    if (count == 0)
        return ASTAR_RUNNING;
    set->estimated_count = 0;
    for (size_t i = 0; i < count; i++)
        if (cell_of_goal(search, &set->estimated[i]) < goal)
            set->estimated[set->estimated_count++] = set->estimated[i];
    find_ring(set);
    return set->estimated_count > 0 ? ASTAR_RUNNING : ASTAR_OK;
}

AstarStatus astar_goal_set_close(AstarSearch *search, uint32_t cell)
{
    uint32_t goal;
    AstarStatus status = judge_goal_cell(search, cell, &goal);
    if (status == ASTAR_OK)
        return meet_goal(search, cell, goal);
    if (status == ASTAR_RUNNING && search->goal.tracks && search->found == ASTAR_NO_CELL)
        return track_nearest_to_any(search, cell);
    return status;
}

// The ways over a cell may cost more than the goal met, or, but over links, as much only where they
// end.
bool astar_goal_set_is_past(const AstarSearch *search, uint32_t cell)
{
    if (search->many.goals.estimated_count == 0)
        return !search->own.linked;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_search_g(search, cell) + astar_goal_set_estimate(search, x, y) > search->limit;
}
