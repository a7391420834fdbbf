// route_search.c -- A* over the nodes of a world, phase by phase.
//
// A goal in a closed place would have all of an endless world searched: so how far back ways to it
// lead is looked at beside the search (enclosure.c), which takes a fraction of the time.
//
// An edit where a search has been has it begin anew, but not for ever: the last time it begins by
// floods, for which nothing needs to be measured that edits would have forgotten, and goes on over
// whatever is edited then. The way it finds is settled in the world as that is in the end.

#include "world/route_searching.h"

enum {
    PIECE = 256,          // expansions that a piece of measuring counts for
    FLOOD_RIMS = 32,      // and a flood of one square
    ENCLOSED = 1024,      // for each of which the enclosure of the goal goes on by a square
    ENCLOSED_RIMS = 8,    // the same of floods
    NEAR = 128,           // to goals so many cells off no nodes are needed
    MOST_RESTARTS = 4,    // for edits, the last of them by floods
    CLOSE_BY = 1024,      // to goals so many cells off one in a hurry makes
    SOON_CLOSE_BY = 4096, // expansions: a few ms where all is measured
    SOON = 256,           // farther off that may be squares measured in vain
    SOON_FLOODS = 64      // or floods
};

// ---- phases ----

// Empties the open list and forgets the nodes.
static void clear_route(AstarRouteSearch *search)
{
    search->tree.count = 0;
    astar_route_forget_squares(search);
    astar_route_free_boundaries(search);
    if (search->tree.slot_count > 0)
        memset(search->tree.slots, 0, search->tree.slot_count * sizeof *search->tree.slots);
    astar_indexed_heap_clear(&search->open);
    astar_heap_clear(&search->floods.open);
    search->end.last = search->end.frontier = UINT32_MAX;
}

// Begins at the start; if there is no memory for that, with the ends anew.
static AstarStatus begin_at_start(AstarRouteSearch *search)
{
    clear_route(search);
    AstarStatus status = search->floods.is_on
                             ? astar_route_land(search,
                                                (AstarLanding){.x = search->sx, .y = search->sy})
                             : astar_route_reach(search, search->sx, search->sy, 0, 0,
                                                 ASTAR_LEG_NONE);
    search->phase = status == ASTAR_OK ? ASTAR_ROUTE_SEARCH : ASTAR_ROUTE_ENDS;
    return status;
}

// Joins both ends to the nodes around them, and to each other.
static AstarStatus join_ends(AstarRouteSearch *search, void *context)
{
    AstarStatus status = astar_route_measure_ends(search, false, context);
    if (status == ASTAR_OK && !search->is_goal_absent)
        status = astar_route_measure_ends(search, true, context);
    return status;
}

// By floods ways cost what they do over the cells: the best are found so, and with a weight any at
// once. Near by few nodes lie on the way. Nodes know nothing of ranges, and what a way over them
// costs is none's least.
static bool goes_by_floods(const AstarRouteSearch *search)
{
    const AstarQuestion *question = &search->question;
    bool is_near = abs(search->sx - search->gx) <= NEAR && abs(search->sy - search->gy) <= NEAR;
    return is_near || search->is_exact || search->finder->spacing == 1 || question->weight > 1 ||
           search->aims.all > 1 || search->aims.goals[0].range > 0 || !isinf(question->max_cost);
}

static AstarStatus do_ends(AstarRouteSearch *search, void *context)
{
    search->edits.version = search->finder->world->version;
    search->been = astar_no_cells;
    search->to_goal.count = 0;
    search->end.has_seen_frontier = false;
    search->floods.is_on = goes_by_floods(search) || search->edits.restarts >= MOST_RESTARTS;
    AstarStatus status = astar_route_judge_ends(search, context);
    if (status == ASTAR_OK && !search->floods.is_on)
        status = join_ends(search, context);
    if (status != ASTAR_OK)
        return status;
    astar_route_measure_links(search, &search->over_links);
    search->work = 0;
    astar_enclosure_free(search);
    if (!search->is_goal_absent)
        status = astar_enclosure_begin(search);
    if (status == ASTAR_OK)
        status = begin_at_start(search);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// The search is over without a way to the goal.
static AstarStatus give_up_route(AstarRouteSearch *search)
{
    if (search->end.frontier == UINT32_MAX)
        return search->end.has_seen_frontier ? ASTAR_NOT_LOADED : ASTAR_UNREACHABLE;
    search->end.last = search->end.frontier;
    return ASTAR_OK;
}

// Without a number of its own a search of a world without end gives up after so many.
static uint64_t most_expansions(const AstarRouteSearch *search)
{
    uint64_t most = search->question.max_expansions;
    if (most != UINT64_MAX)
        return most;
    return search->floods.is_on ? ASTAR_WORLD_FLOODS : ASTAR_WORLD_EXPANSIONS;
}

static AstarStatus do_flood_search(AstarRouteSearch *search, void *context)
{
    AstarStatus status = astar_route_flood_next(search, context);
    if (status != ASTAR_OK)
        return status;
    double found = fmin(search->floods.boundaries.goal.g, search->floods.boundaries.frontier.g);
    if (found > search->question.max_cost || (isinf(found) && search->end.is_cut_off))
        return ASTAR_MAX_COST;
    return isinf(found) ? give_up_route(search) : astar_route_trace(search);
}

// One that goes on over edits cannot tell what leads where.
static bool is_enclosure_due(const AstarRouteSearch *search)
{
    const AstarEnclosure *enclosure = &search->enclosure;
    uint64_t each = search->floods.is_on ? ENCLOSED_RIMS * FLOOD_RIMS : ENCLOSED;
    return !enclosure->is_over && !search->edits.is_behind &&
           search->work >= (enclosure->floods + 1) * each;
}

static AstarStatus do_search(AstarRouteSearch *search, void *context)
{
    if (search->expanded >= most_expansions(search))
        return ASTAR_MAX_EXPANSIONS;
    if (is_enclosure_due(search))
        return astar_enclosure_flood_next(search, context);
    if (search->floods.is_on)
        return do_flood_search(search, context);
    if (astar_route_is_too_much(search)) { // it begins anew without squares
        search->floods.is_on = true;
        search->expanded = 0;
        search->end.has_seen_frontier = false;
        AstarStatus begun = begin_at_start(search);
        return begun == ASTAR_OK ? ASTAR_RUNNING : begun;
    }
    AstarStatus status = astar_route_advance(search, context);
    bool ends_at_frontier = search->is_goal_absent && astar_route_is_frontier_best(search);
    if (status != ASTAR_OK && (status != ASTAR_RUNNING || !ends_at_frontier))
        return status;
    return search->end.last != UINT32_MAX ? ASTAR_OK : give_up_route(search);
}

// What leaves a search where it was.
static bool is_fault(AstarStatus status)
{
    return status == ASTAR_NO_MEMORY || status == ASTAR_BAD_DATA || status == ASTAR_GRID_CHANGED;
}

static AstarStatus do_phase(AstarRouteSearch *search, void *context)
{
    search->finder->world->tick++;
    switch (search->phase) {
    case ASTAR_ROUTE_ENDS: return do_ends(search, context);
    case ASTAR_ROUTE_SEARCH: return do_search(search, context);
    default: return search->status;
    }
}

// Whether an edit made since its last step touches what it goes by; links do wherever they are.
static bool is_spoiled(const AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    return world->version != search->edits.version &&
           (astar_world_is_touched(world, search->edits.version, search->been) ||
            astar_route_are_links_belied(search));
}

// Begins anew if it must for edits made since its last step, and has not too often.
static void take_in_edits(AstarRouteSearch *search)
{
    bool is_spoiled_now = is_spoiled(search);
    search->edits.is_behind |= is_spoiled_now && search->edits.restarts >= MOST_RESTARTS;
    if (search->edits.is_behind)
        return;
    if (is_spoiled_now) {
        search->edits.restarts++;
        search->phase = ASTAR_ROUTE_ENDS;
        search->expanded = 0;
    }
    search->edits.version = search->finder->world->version;
}

// Ends it; one that has gone on over edits cannot tell why it found nothing. What fails in settling
// that is tried again in the next step.
static AstarStatus end_route_search(AstarRouteSearch *search, AstarStatus status, void *context)
{
    if (search->edits.is_behind && status == ASTAR_OK)
        status = astar_route_settle(search, context);
    if (is_fault(status))
        return status;
    if (search->edits.is_behind && status != ASTAR_OK && status != ASTAR_MAX_EXPANSIONS)
        status = ASTAR_GRID_CHANGED;
    search->status = status;
    search->phase = ASTAR_ROUTE_DONE;
    astar_route_free_boundaries(search); // its nodes tell the way
    astar_enclosure_free(search);
    return status;
}

AstarStatus astar_route_search_step(AstarRouteSearch *search, uint64_t expansions, void *context)
{
    if (search->finder->world->is_asking)
        return ASTAR_GRID_CHANGED;
    astar_world_finder_sync(search->finder);
    if (search->phase == ASTAR_ROUTE_DONE)
        return search->status;
    take_in_edits(search);
    for (uint64_t i = 0; i < expansions;) {
        uint64_t before = search->expanded;
        AstarStatus status = do_phase(search, context);
        uint64_t work = search->floods.is_on ? FLOOD_RIMS : search->expanded == before ? PIECE : 1;
        i += work;
        search->work += work;
        if (status == ASTAR_UNREACHABLE && search->aims.away > 0 && !search->is_goal_absent) {
            search->aims.turns_away = true;
            search->phase = ASTAR_ROUTE_ENDS;
        } else if (status != ASTAR_RUNNING)
            return is_fault(status) ? status : end_route_search(search, status, context);
    }
    return ASTAR_RUNNING;
}

// ---- making one ----

AstarStatus astar_route_search_new(AstarWorldFinder *finder, int32_t sx, int32_t sy, int32_t gx,
                                   int32_t gy, AstarRouteSearch **out)
{
    if (!astar_is_of_world(sx, sy))
        return ASTAR_BAD_CELL;
    astar_world_finder_sync(finder);
    const AstarAllocator *allocator = &finder->world->allocator;
    AstarRouteSearch *search = astar_alloc(allocator, 1, sizeof *search);
    if (search == NULL)
        return ASTAR_NO_MEMORY;
    *search = (AstarRouteSearch){.finder = finder, .sx = sx, .sy = sy, .gx = gx, .gy = gy};
    search->question = astar_question_default(finder->finder);
    search->number = ++finder->world->tick;
    search->status = ASTAR_RUNNING;
    search->end.last = search->end.frontier = UINT32_MAX;
    search->edits.version = finder->world->version;
    search->been = astar_no_cells;
    astar_world_finder_retain(finder);
    AstarStatus status = astar_route_search_add_goal(search, gx, gy, search->question.range);
    if (status != ASTAR_OK) {
        astar_route_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

AstarStatus astar_route_search_add_goal(AstarRouteSearch *search, int32_t x, int32_t y, int range)
{
    if (!astar_is_of_world(x, y))
        return ASTAR_BAD_CELL;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, search->aims.goals, search->aims.all, 1,
                       &search->aims.capacity, 1))
        return ASTAR_NO_MEMORY;
    int size = astar_finder_size_in(search->finder->finder, range);
    search->aims.goals[search->aims.all++] = (AstarRouteGoal){x, y, range, size};
    return ASTAR_OK;
}

AstarStatus astar_route_search_count_from_corner(AstarRouteSearch *search, size_t goal)
{
    if (goal >= search->aims.all)
        return ASTAR_BAD_OPTION;
    search->aims.goals[goal].size = 1;
    return ASTAR_OK;
}

AstarStatus astar_route_search_ask(AstarRouteSearch *search, const AstarQuestion *question,
                                   bool exact)
{
    if (question->partial || question->bends != ASTAR_BENDS_ANY ||
        question->heading != ASTAR_NO_HEADING)
        return ASTAR_BAD_OPTION;
    search->question = *question;
    search->aims.goals[0].range = question->range;
    search->aims.goals[0].size = astar_finder_size_in(search->finder->finder, question->range);
    search->is_exact = exact;
    if (!isinf(question->max_cost))
        search->question.weight = 1; // what a way costs at least is to be known
    return ASTAR_OK;
}

bool astar_route_search_hurry(AstarRouteSearch *search)
{
    AstarQuestion *question = &search->question;
    int32_t dx = abs(search->sx - search->gx), dy = abs(search->sy - search->gy);
    uint64_t soon = dx <= CLOSE_BY && dy <= CLOSE_BY ? SOON_CLOSE_BY : SOON;
    soon = goes_by_floods(search) ? SOON_FLOODS : soon;
    bool does_any = search->finder->spacing > 1 && !search->is_exact && question->weight == 1 &&
                    isinf(question->max_cost) && question->max_expansions > soon;
    if (does_any)
        question->max_expansions = soon;
    return does_any;
}

AstarStatus astar_route_search_status(const AstarRouteSearch *search)
{
    return search->status;
}

uint64_t astar_route_search_expanded(const AstarRouteSearch *search)
{
    return search->expanded;
}

void astar_route_search_free(AstarRouteSearch *search)
{
    if (search == NULL)
        return;
    AstarWorldFinder *finder = search->finder;
    const AstarAllocator *allocator = &finder->world->allocator;
    astar_release(allocator, search->aims.goals, search->aims.capacity, sizeof *search->aims.goals);
    astar_release(allocator, search->tree.nodes, search->tree.capacity, sizeof *search->tree.nodes);
    astar_release(allocator, search->tree.slots, search->tree.slot_count,
                  sizeof *search->tree.slots);
    astar_release(allocator, search->from_start.legs, search->from_start.capacity,
                  sizeof *search->from_start.legs);
    astar_release(allocator, search->to_goal.legs, search->to_goal.capacity,
                  sizeof *search->to_goal.legs);
    astar_indexed_heap_free(&search->open, allocator);
    astar_heap_free(&search->floods.open, allocator);
    astar_route_free_boundaries(search);
    astar_enclosure_free(search);
    astar_route_forget_squares(search);
    astar_release(allocator, search, 1, sizeof *search);
    astar_world_finder_release(finder);
}
