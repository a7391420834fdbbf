// own_routes.c -- Finds routes of single units whose goals have no distances yet, and makes units
// follow these routes. The file also improves plans by large neighbourhood search.

#include "parts/crowd/own_routes.h"

#include "base/array.h"
#include "parts/crowd/crowd.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/orders.h"
#include "parts/crowd/pibt.h"
#include "search/path.h"

#include <string.h>

// ROUTE_ACCOUNT is the work that a tick is charged for each route, and ROUTE_ACCOUNT_A_CELL the
// further work for each cell of distance between its ends. One expansion of a search for a route is
// counted as WORK_AN_EXPANSION work units. ROUTE_SLICE is the largest number of expansions in one
// step of such a search. SHARED_PART: 1 / SHARED_PART of the expansions of a tick may be spent on
// wide windows around target units, see orders.c.
enum { SHARED_PART = 4 };
enum { ROUTE_ACCOUNT = 500, ROUTE_ACCOUNT_A_CELL = 20, WORK_AN_EXPANSION = 25, ROUTE_SLICE = 1024 };

// ROUTE_WINDOW: a unit beside its route returns to one of the next ROUTE_WINDOW cells of the route.
// ROUTE_PATIENCE: number of ticks without progress after which a unit leaves its route.
// STEPS_BESIDE: number of steps for which the unit then moves beside the route. NO_LEAD: the unit
// has no direction to follow.
enum { ROUTE_WINDOW = 6, ROUTE_PATIENCE = 8, STEPS_BESIDE = 2, NO_LEAD = ASTAR_WAYS };

// ROUTE_ERROR: a chaser gets a new route when the target unit has moved by 1 / ROUTE_ERROR of the
// steps that the chaser still has to go. HOPELESS_MOVES: number of steps that the target unit must
// move, after a search has found no route, before the next search starts.
enum { ROUTE_ERROR = 3, HOPELESS_MOVES = 16 };

// A route of one unit, and the progress of the unit along the route.
struct AstarOwnRoute {
    AstarRouteKey key;
    bool is_adopted; // true if the route takes effect with the next tick
    // The unit's cell or, if the unit is beside the route, the last cell of the route that it was
    // on.
    uint32_t cell;
    uint32_t at;    // number of steps of the route that the unit has done
    uint32_t count; // number of steps of the route; 0: the search has found no route
    uint8_t ways[];
};

static size_t size_of_route(uint32_t steps)
{
    return sizeof(AstarOwnRoute) + steps;
}

static void free_route(AstarCrowd *crowd, AstarOwnRoute **route)
{
    if (*route == NULL)
        return;
    astar_release(&crowd->allocator, *route, 1, size_of_route((*route)->count));
    *route = NULL;
    crowd->own.routes--;
}

static void stop_seeking(AstarOwnRoutes *own)
{
    if (own->search != NULL)
        astar_search_free(own->search);
    own->search = NULL;
}

void astar_crowd_free_routes(AstarCrowd *crowd)
{
    AstarOwnRoutes *own = &crowd->own;
    for (size_t i = 0; i < own->slot_capacity; i++) {
        free_route(crowd, &own->slots[i].now);
        free_route(crowd, &own->slots[i].fresh);
    }
    stop_seeking(own);
    if (own->workspace != NULL)
        astar_workspace_free(own->workspace);
    astar_release(&crowd->allocator, own->slots, own->slot_capacity, sizeof *own->slots);
    astar_release(&crowd->allocator, own->leads, own->lead_capacity, sizeof *own->leads);
    astar_release(&crowd->allocator, own->led, own->led_capacity, sizeof *own->led);
    *own = (AstarOwnRoutes){.routes = 0};
}

size_t astar_crowd_route_bytes(const AstarCrowd *crowd)
{
    const AstarOwnRoutes *own = &crowd->own;
    return own->bytes + own->adopted + own->slot_capacity * sizeof *own->slots +
           own->lead_capacity + own->led_capacity +
           (own->search != NULL ? astar_search_bytes(own->search) : 0) +
           (own->workspace != NULL ? astar_workspace_bytes(own->workspace) : 0);
}

// The functions below find the units that need a route.

// Returns true if a unit has a goal that it has not reached yet, is not held, and takes part in no
// plan.
static bool is_on_its_way(const AstarCrowd *crowd, uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    return member->is_there && crowd->units[index].field != NULL && !member->has_arrived &&
           !member->is_held && member->plan == ASTAR_MEMBER_FREE;
}

static bool waits_for_distances(const AstarCrowd *crowd, uint32_t index)
{
    return is_on_its_way(crowd, index) && crowd->units[index].field->now.numbering == NULL;
}

static bool is_anybody_waiting(const AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count; i++)
        if (crowd->goals.fields[i]->users > 0 && crowd->goals.fields[i]->now.numbering == NULL)
            return true;
    return false;
}

static uint32_t target_of_field(const AstarGoalField *field)
{
    return field->target_unit != 0 ? (uint32_t)field->target_unit + 1 : 0;
}

// Returns true if 'route' leads to the goal of a unit. A route to a target unit still counts as
// leading to the goal after the target unit has moved.
static bool is_route_of(const AstarCrowd *crowd, const AstarOwnRoute *route, uint32_t index)
{
    const AstarGoalField *field = crowd->units[index].field;
    if (route == NULL || route->key.generation != crowd->members[index].generation ||
        route->key.range != field->range || route->key.target_unit != target_of_field(field))
        return false;
    return field->target_unit != 0 || route->key.goal == field->goal;
}

// Returns the route that a unit will follow in the next tick. Returns NULL if it will follow none,
// for example because its goal has distances.
static AstarOwnRoute *route_of_unit(const AstarCrowd *crowd, uint32_t index)
{
    if (index >= crowd->own.slot_capacity)
        return NULL;
    const AstarRouteSlot *slot = &crowd->own.slots[index];
    if (slot->fresh != NULL && slot->fresh->is_adopted)
        return slot->fresh;
    return is_route_of(crowd, slot->now, index) ? slot->now : NULL;
}

bool astar_crowd_has_route(const AstarCrowd *crowd, uint32_t unit)
{
    if (unit >= crowd->own.slot_capacity)
        return false;
    const AstarOwnRoute *route = crowd->own.slots[unit].now;
    bool is_led = crowd->units[unit].field->target_unit != 0 && unit < crowd->own.led_capacity &&
                  crowd->own.led[unit] != NO_LEAD;
    return is_led || (is_route_of(crowd, route, unit) && route->count > 0);
}

bool astar_crowd_has_no_route(const AstarCrowd *crowd, uint32_t unit)
{
    const AstarGoalField *field = crowd->units[unit].field;
    if (unit >= crowd->own.slot_capacity || field->target_unit == 0)
        return false;
    const AstarOwnRoute *route = crowd->own.slots[unit].now;
    return is_route_of(crowd, route, unit) && route->count == 0;
}

// The functions below make units follow their routes.

// Returns the direction of the legal step from a unit's cell to 'cell', or NO_LEAD if there is no
// such step.
static int legal_way_to(const AstarCrowd *crowd, uint32_t index, uint32_t cell)
{
    int way = astar_way_to(&crowd->pibt, &crowd->units[index], cell);
    return way >= 0 && way < ASTAR_WAY_STAY ? way : NO_LEAD;
}

// Returns the direction of the next step along a route. If the unit is beside the route, returns
// the direction of a step back to the route. Among the cells of the route that one step can reach,
// the step back goes to the cell farthest along the route. Returns NO_LEAD if no step leads along
// or back to the route.
static int lead_along_route(const AstarCrowd *crowd, const AstarOwnRoute *route, uint32_t index)
{
    int lead = NO_LEAD;
    uint32_t cell = route->cell, window = route->count - route->at;
    window = window < ROUTE_WINDOW ? window : ROUTE_WINDOW;
    if (crowd->units[index].cell == cell)
        return window > 0
                   ? legal_way_to(crowd, index,
                                  astar_pibt_towards(&crowd->pibt, cell, route->ways[route->at]))
                   : NO_LEAD;
    for (uint32_t i = 0; i <= window; i++) {
        int way = legal_way_to(crowd, index, cell);
        lead = way != NO_LEAD ? way : lead;
        if (i < window)
            cell = astar_pibt_towards(&crowd->pibt, cell, route->ways[route->at + i]);
    }
    return lead;
}

// Returns true if a unit is on a cell that it may enter. The result is false if the cell has become
// blocked under the unit.
static bool is_on_free_ground(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    return astar_bits_has(crowd->grid, crowd->kinds[unit->kind].bits, unit->cell);
}

// Returns the direction of the next step of a unit: along its route or, if the unit is on a blocked
// cell, out of that cell. Returns NO_LEAD if the unit has no such step. 'route' may be NULL.
static int lead_of_unit(const AstarCrowd *crowd, const AstarOwnRoute *route, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    unsigned moves = astar_kind_moves(&crowd->kinds[unit->kind], unit->cell);
    if (!is_on_free_ground(crowd, index))
        return moves != 0 ? astar_lowest_bit(moves) : NO_LEAD;
    int lead = route != NULL ? lead_along_route(crowd, route, index) : NO_LEAD;
    uint32_t stalled = crowd->members[index].stalled, step = stalled % ROUTE_PATIENCE;
    if (lead == NO_LEAD || stalled < ROUTE_PATIENCE || step > STEPS_BESIDE ||
        route->at == route->count)
        return lead;
    // Another unit blocks the route and does not move. The unit tries to pass the blocking unit,
    // first on the right, the next time on the left.
    int turn = step > 0 ? 0 : stalled / ROUTE_PATIENCE % 2 != 0 ? 2 : 6;
    int way = (route->ways[route->at] + turn) & 7;
    return (moves >> way & 1) != 0 ? way : lead;
}

int astar_crowd_lead(const AstarCrowd *crowd, uint32_t index)
{
    return waits_for_distances(crowd, index)
               ? lead_of_unit(crowd, route_of_unit(crowd, index), index)
               : NO_LEAD;
}

int astar_crowd_lead_in_force(const AstarCrowd *crowd, uint32_t index)
{
    if (!is_on_its_way(crowd, index) || index >= crowd->own.slot_capacity ||
        astar_goal_field_in_force(crowd->units[index].field).now.numbering != NULL)
        return NO_LEAD;
    const AstarOwnRoute *route = crowd->own.slots[index].now;
    return lead_of_unit(crowd, is_route_of(crowd, route, index) ? route : NULL, index);
}

void astar_crowd_forget_lead(AstarCrowd *crowd, uint32_t unit)
{
    if (unit < crowd->own.led_capacity)
        crowd->own.led[unit] = NO_LEAD;
}

// Records, after a tick, the cell of its route that a unit has reached.
static void follow_route(AstarCrowd *crowd, AstarOwnRoute *route, uint32_t index)
{
    uint32_t cell = route->cell;
    for (uint32_t at = route->at; at <= route->count && at <= route->at + ROUTE_WINDOW; at++) {
        if (cell == crowd->units[index].cell) {
            if (at > route->at)
                crowd->members[index].stalled = crowd->members[index].tries = 0;
            route->at = at;
            route->cell = cell;
            return;
        }
        if (at < route->count)
            cell = astar_pibt_towards(&crowd->pibt, cell, route->ways[at]);
    }
}

// The functions below search for routes and store them.

static bool are_keys_equal(const AstarRouteKey *a, const AstarRouteKey *b)
{
    static_assert(sizeof *a == sizeof a->version + 6 * sizeof a->unit, "there are no gaps");
    return memcmp(a, b, sizeof *a) == 0;
}

// Starts a search from a unit to its goal. If the goal is a target unit of several cells, the
// search goes to the middle of the target unit, which is one cell or four, with a larger range.
static AstarStatus begin_search_for(AstarCrowd *crowd, const AstarRouteKey *key,
                                    AstarQueryOptions *query)
{
    AstarSearch *search = crowd->own.search;
    const AstarPibtUnit *target_unit = key->target_unit != 0 ? &crowd->units[key->target_unit - 1]
                                                             : NULL;
    int x, y, goal_x, goal_y,
        size = target_unit != NULL ? astar_kind_size(&crowd->kinds[target_unit->kind]) : 1;
    int before = (size - 1) / 2;
    astar_cell_xy(crowd->grid, key->cell, &x, &y);
    astar_cell_xy(crowd->grid, key->goal, &goal_x, &goal_y);
    goal_x += before;
    goal_y += before;
    query->range = (int)key->range + before;
    // The search must build its layers of the map in small steps, too, because a tick is computed
    // in small steps.
    if (size % 2 == 1)
        return astar_search_begin_in_steps(search, x, y, goal_x, goal_y, query, 0);
    const AstarCell middle[] = {
        {goal_x, goal_y}, {goal_x + 1, goal_y}, {goal_x, goal_y + 1}, {goal_x + 1, goal_y + 1}};
    return astar_search_nearest_in_steps(search, x, y, middle, 4, query, 0);
}

static AstarStatus begin_seeking(AstarCrowd *crowd, const AstarRouteKey *key)
{
    AstarOwnRoutes *own = &crowd->own;
    AstarFinder *scout = NULL;
    AstarStatus status = astar_kind_scout(&crowd->kinds[crowd->units[key->unit].kind], &scout);
    if (status == ASTAR_OK && own->workspace == NULL)
        status = astar_workspace_new(&crowd->allocator, &own->workspace);
    if (status != ASTAR_OK)
        return status;
    own->sought = *key;
    AstarQueryOptions query = astar_query_default(scout);
    status = astar_search_take_unbuilt(own->workspace, scout, &own->search);
    if (status != ASTAR_OK)
        return status;
    status = begin_search_for(crowd, key, &query);
    if (status != ASTAR_NO_MEMORY)
        return ASTAR_OK; // the search now exists, and its own status is the result
    stop_seeking(own);
    return status;
}

// Continues a search for a route until it has ended or 'work' is used up. Returns the status of the
// search.
static AstarStatus go_on_seeking(AstarSearch *search, uint64_t *work)
{
    AstarStatus status = astar_search_status(search);
    while (status == ASTAR_RUNNING) {
        if (*work == 0)
            return ASTAR_RUNNING;
        uint64_t before = astar_search_expanded(search), slice = *work / WORK_AN_EXPANSION + 1;
        status = astar_search_step(search, slice < ROUTE_SLICE ? slice : ROUTE_SLICE, NULL);
        // If an edit has restarted the search, its number of expansions is counted from 0 again.
        uint64_t now = astar_search_expanded(search);
        uint64_t spent = (now - (now < before ? 0 : before) + 1) * WORK_AN_EXPANSION;
        *work -= spent < *work ? spent : *work;
    }
    return status;
}

static void note_ways(AstarOwnRoute *route, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x = 0, y = 0, to_x = 0, to_y = 0;
    astar_path_next(&cursor, &x, &y);
    for (uint32_t i = 0; i < route->count; i++, x = to_x, y = to_y) {
        astar_path_next(&cursor, &to_x, &to_y);
        route->ways[i] = (uint8_t)astar_direction(to_x - x, to_y - y);
    }
}

// Stores the route that a search has found in '*out'. If the search has found none, stores a route
// without steps.
static AstarStatus keep_route(AstarCrowd *crowd, const AstarRouteKey *key, AstarOwnRoute **out)
{
    AstarPath path;
    astar_path_init(&path);
    path.allocator = crowd->allocator;
    AstarStatus status = astar_search_status(crowd->own.search);
    if (status == ASTAR_OK)
        status = astar_search_path(crowd->own.search, &path);
    uint32_t count = status == ASTAR_OK ? (uint32_t)path.cells - 1 : 0;
    AstarOwnRoute *route = NULL;
    if (status != ASTAR_NO_MEMORY)
        route = astar_alloc(&crowd->allocator, 1, size_of_route(count));
    if (route != NULL) {
        *route = (AstarOwnRoute){.key = *key, .cell = key->cell, .count = count};
        note_ways(route, &path);
        crowd->own.routes++;
    }
    astar_path_destroy(&path);
    *out = route;
    return route != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static AstarStatus seek_route(AstarCrowd *crowd, const AstarRouteKey *key, uint64_t *work,
                              AstarOwnRoute **out)
{
    AstarOwnRoutes *own = &crowd->own;
    AstarStatus status;
    if (own->search != NULL && !are_keys_equal(&own->sought, key))
        stop_seeking(own);
    if (own->search == NULL && (status = begin_seeking(crowd, key)) != ASTAR_OK)
        return status;
    status = go_on_seeking(own->search, work);
    if (status == ASTAR_RUNNING || status == ASTAR_NO_MEMORY)
        return status;
    status = keep_route(crowd, key, out);
    if (status == ASTAR_OK)
        stop_seeking(own);
    return status;
}

static uint64_t account_of_route(const AstarCrowd *crowd, const AstarRouteKey *key)
{
    return ROUTE_ACCOUNT +
           ROUTE_ACCOUNT_A_CELL * (uint64_t)astar_steps_apart(crowd->grid, key->cell, key->goal);
}

// Returns true if a chaser needs a new route because the target unit has moved too far, or because
// the chaser cannot follow its route any more.
static bool needs_another_route(const AstarCrowd *crowd, const AstarOwnRoute *route, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    uint32_t moved = astar_steps_apart(crowd->grid, unit->field->goal, route->key.goal);
    if (route->count == 0)
        return moved > HOPELESS_MOVES || route->key.version != crowd->kinds[unit->kind].version;
    return ROUTE_ERROR * moved > route->count - route->at ||
           lead_along_route(crowd, route, index) == NO_LEAD;
}

// Returns true if a unit needs its first route or a new one. A unit on a blocked cell gets none,
// because a search cannot start there.
static bool needs_route(const AstarCrowd *crowd, uint32_t index)
{
    if (!waits_for_distances(crowd, index) || !is_on_free_ground(crowd, index))
        return false;
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarOwnRoute *route = route_of_unit(crowd, index);
    if (unit->field->target_unit != 0 && crowd->own.leads[index] != NO_LEAD)
        return false;
    if (route != NULL && unit->field->target_unit != 0)
        return needs_another_route(crowd, route, index);
    return route == NULL || (route->count > 0 && lead_along_route(crowd, route, index) == NO_LEAD);
}

// Finds a route that a unit will follow in the next tick. If the memory limit is reached, no
// further unit gets a route in this tick.
static AstarStatus give_route(AstarCrowd *crowd, uint32_t index, uint64_t *work)
{
    AstarOwnRoutes *own = &crowd->own;
    const AstarPibtUnit *unit = &crowd->units[index];
    AstarRouteKey key = {crowd->kinds[unit->kind].version,
                         index,
                         crowd->members[index].generation,
                         unit->cell,
                         unit->field->goal,
                         unit->field->range,
                         target_of_field(unit->field)};
    AstarRouteSlot *slot = &own->slots[index];
    if (slot->fresh != NULL && !are_keys_equal(&slot->fresh->key, &key))
        free_route(crowd, &slot->fresh);
    if (slot->fresh == NULL) {
        AstarStatus status = seek_route(crowd, &key, work, &slot->fresh);
        if (status != ASTAR_OK)
            return status;
    }
    size_t bytes = size_of_route(slot->fresh->count);
    if (!astar_crowd_make_room(crowd, own->bytes + own->adopted + bytes)) {
        own->quota = 0;
        return ASTAR_OK;
    }
    uint64_t account = account_of_route(crowd, &key);
    own->quota -= account < own->quota ? account : own->quota;
    if (astar_crowd_is_news(crowd, unit->field))
        own->news -= account < own->news ? account : own->news;
    own->adopted += bytes;
    slot->fresh->is_adopted = true;
    return ASTAR_OK;
}

// The functions below are the stage of a tick in which units get routes.

static AstarStatus need_route_slots(AstarCrowd *crowd)
{
    AstarOwnRoutes *own = &crowd->own;
    size_t count = crowd->count.numbers;
    if (own->slot_capacity < count) {
        AstarRouteSlot *slots = astar_array_resize(&crowd->allocator, own->slots,
                                                   own->slot_capacity, sizeof *slots,
                                                   &own->slot_capacity, count);
        own->slots = slots != NULL ? slots : own->slots;
    }
    if (own->lead_capacity < count) {
        uint8_t *leads = astar_array_resize(&crowd->allocator, own->leads, 0, sizeof *leads,
                                            &own->lead_capacity, count);
        own->leads = leads != NULL ? leads : own->leads;
    }
    if (own->led_capacity < count) {
        size_t before = own->led_capacity;
        uint8_t *led = astar_array_resize(&crowd->allocator, own->led, before, sizeof *led,
                                          &own->led_capacity, count);
        if (led == NULL)
            return ASTAR_NO_MEMORY;
        memset(led + before, NO_LEAD, count - before);
        own->led = led;
    }
    bool has_room = own->slot_capacity >= count && own->lead_capacity >= count;
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Allocates the arrays of the units' directions. Afterwards sets the directions of units that chase
// a target unit near them.
static AstarStatus begin_leading(AstarCrowd *crowd, uint64_t *work)
{
    AstarOwnRoutes *own = &crowd->own;
    if (!own->is_begun) {
        AstarStatus status = need_route_slots(crowd);
        if (status != ASTAR_OK)
            return status;
        memset(own->leads, NO_LEAD, own->lead_capacity);
        if (crowd->goals.chases > 0)
            astar_crowd_list_chasers(crowd);
        own->is_begun = true;
    }
    return crowd->goals.chases > 0 ? astar_crowd_lead_chasers(crowd, work) : ASTAR_OK;
}

void astar_crowd_begin_routes(AstarCrowd *crowd)
{
    crowd->beat.stage = ASTAR_BEAT_ROUTES;
    crowd->own.at = 0;
    crowd->own.windows = 0;
    crowd->own.shared = crowd->options.expansions / SHARED_PART;
    crowd->own.is_begun = false;
    astar_field_build_stop(&crowd->window);
    uint64_t all = crowd->beat.is_resumed ? UINT64_MAX / 2 : crowd->options.expansions;
    crowd->own.quota = all / 2 + 1;
    crowd->own.news = all / ASTAR_NEWS_SHARE + 1;
    crowd->pibt.leads = NULL;
}

AstarStatus astar_crowd_find_routes(AstarCrowd *crowd, uint64_t *work)
{
    AstarOwnRoutes *own = &crowd->own;
    if (!is_anybody_waiting(crowd) || astar_grid_has_links(crowd->grid))
        return ASTAR_OK;
    AstarStatus status = begin_leading(crowd, work);
    // The loop starts with a different unit in each tick, so that no unit is preferred for long.
    uint64_t first = crowd->beat.count * UINT64_C(0x9E3779B1);
    for (; status == ASTAR_OK && own->at < crowd->count.there && own->quota > 0; own->at++) {
        uint32_t index = crowd->order[(first + own->at) % crowd->count.there];
        if (needs_route(crowd, index) &&
            (own->news > 0 || !astar_crowd_is_news(crowd, crowd->units[index].field)))
            status = give_route(crowd, index, work);
        if (status != ASTAR_OK)
            return status;
    }
    for (uint32_t i = 0; i < crowd->count.there && status == ASTAR_OK; i++) {
        // A chaser near its target unit may have got its direction from the window already.
        uint8_t *lead = &own->leads[crowd->order[i]];
        *lead = *lead == NO_LEAD ? (uint8_t)astar_crowd_lead(crowd, crowd->order[i]) : *lead;
    }
    crowd->pibt.leads = status == ASTAR_OK ? own->leads : NULL;
    return status;
}

// Copies the directions that units follow in this tick. Queries about units read this copy until
// the next tick is complete.
static void keep_leads(AstarCrowd *crowd)
{
    AstarOwnRoutes *own = &crowd->own;
    uint8_t *led = own->led;
    size_t capacity = own->led_capacity;
    if (crowd->pibt.leads == NULL) { // in this tick no unit follows a route
        if (led != NULL)
            memset(led, NO_LEAD, capacity);
        return;
    }
    own->led = own->leads;
    own->led_capacity = own->lead_capacity;
    own->leads = led;
    own->lead_capacity = capacity;
    crowd->pibt.leads = NULL;
}

void astar_crowd_commit_routes(AstarCrowd *crowd)
{
    AstarOwnRoutes *own = &crowd->own;
    keep_leads(crowd);
    if (own->routes == 0)
        return;
    own->bytes = own->adopted = 0;
    for (uint32_t i = 0; i < own->slot_capacity; i++) {
        AstarRouteSlot *slot = &own->slots[i];
        if (slot->fresh != NULL && slot->fresh->is_adopted) {
            free_route(crowd, &slot->now);
            slot->now = slot->fresh;
            slot->fresh = NULL;
        }
        free_route(crowd, &slot->fresh);
        if (slot->now == NULL)
            continue;
        if (!waits_for_distances(crowd, i) || !is_route_of(crowd, slot->now, i)) {
            free_route(crowd, &slot->now);
            continue;
        }
        follow_route(crowd, slot->now, i);
        own->bytes += size_of_route(slot->now->count);
    }
}

void astar_crowd_revert_routes(AstarCrowd *crowd)
{
    for (size_t i = 0; crowd->own.adopted > 0 && i < crowd->own.slot_capacity; i++)
        if (crowd->own.slots[i].fresh != NULL)
            crowd->own.slots[i].fresh->is_adopted = false;
    crowd->own.adopted = 0;
    astar_field_build_stop(&crowd->window);
}

// ------------------------------------------------------------------------------------------------
// The functions below improve plans. One unit or two get better paths, while the paths of all other
// units stay unchanged.
// ------------------------------------------------------------------------------------------------

enum {
    // Number of rounds, per unit, in which a plan was not improved, after which the improvement
    // ends.
    BARREN_ROUNDS_A_UNIT = 80,
    REPLAN_NODES = 1024, // greatest number of nodes in the search for one unit's route
    // Number of 32-bit words of memory per step of the plan: for the buckets and for two new paths.
    WORDS_A_STEP = 4,
    LOOKS_A_WORK = 8,   // number of reservations that are looked up for one work unit
    HAS_NODE = 1 << 15, // flag in a reservation: the search has a node for this cell and this step
    RESERVED_FOR = HAS_NODE - 1
};

static void owe(AstarReplan *replan, uint64_t looks)
{
    replan->debt += 1 + looks / LOOKS_A_WORK;
}

// The functions below start the improvement of a plan.

// Returns an upper bound of the number of cells in a room that any unit can enter.
static uint32_t count_room_cells(const AstarRoom *room)
{
    uint64_t cells = 0, most = (uint64_t)room->width * (uint64_t)room->height;
    for (size_t kind = 0; kind < room->kind_count; kind++)
        for (size_t i = 0; i < room->more[kind].bits.count; i++)
            cells += astar_count_bits(room->more[kind].bits.words[i]);
    return (uint32_t)(cells < most ? cells : most);
}

static size_t bytes_of_row(const AstarReplan *replan)
{
    return ((size_t)replan->cells.count + 1) * sizeof **replan->rows;
}

AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, const AstarPlan *plan,
                               const AstarRoom *room, const AstarGoalField *fields,
                               const uint32_t *groups)
{
    size_t rows = (size_t)plan->steps + 1;
    *replan = (AstarReplan){.pile = {.bytes = bytes},
                            .plan = plan,
                            .room = room,
                            .fields = fields,
                            .groups = groups,
                            .row_count = plan->steps + 1,
                            .cells.count = count_room_cells(room)};
    if ((bytes->most - bytes->used) / rows < bytes_of_row(replan))
        return ASTAR_OUT_OF_BYTES;
    AstarPile *pile = &replan->pile;
    replan->rows = astar_pile_take(pile, rows, sizeof *replan->rows);
    replan->cells.numbers = astar_pile_take(pile, room->grid->cells, sizeof(uint32_t));
    replan->buckets = astar_pile_take(pile, WORDS_A_STEP * rows, sizeof(uint32_t));
    replan->nodes = astar_pile_take(pile, REPLAN_NODES, sizeof *replan->nodes);
    AstarStatus status = astar_pile_status(pile);
    if (status != ASTAR_OK)
        astar_pile_drop(pile);
    for (size_t i = 0; i < 2 && status == ASTAR_OK; i++)
        replan->fresh[i] = replan->buckets + (2 + i) * rows;
    return status;
}

// The functions below keep the table of reservations.

// Returns the reservation of a cell for the time after the given step of the plan. Gives the cell a
// number if it has none.
static inline uint16_t *reservation(AstarReplan *replan, uint32_t step, uint32_t cell)
{
    uint32_t *number = &replan->cells.numbers[cell];
    if (*number == 0)
        *number = ++replan->cells.numbered;
    return &replan->rows[step][*number];
}

// Returns the number + 1 of the unit that is in a cell after the given step of the plan, or 0 if
// the cell is empty then.
static inline uint32_t who_is_at(const AstarReplan *replan, uint32_t step, uint32_t cell)
{
    return replan->rows[step][replan->cells.numbers[cell]] &
           RESERVED_FOR; // cells without a number share entry 0, which holds no unit
}

// Reserves all cells of the path 'way', each for the time after its step. 'who' is the number of a
// unit + 1, or 0 to remove reservations.
static void reserve_way(AstarReplan *replan, const uint32_t *way, uint32_t who)
{
    for (uint32_t step = 0; step < replan->row_count; step++)
        *reservation(replan, step, way[step]) = (uint16_t)who;
}

static AstarStatus fill_reservations(AstarReplan *replan)
{
    uint32_t step = replan->filled;
    replan->rows[step] = astar_pile_take(&replan->pile, bytes_of_row(replan), 1);
    if (replan->rows[step] == NULL)
        return astar_pile_status(&replan->pile);
    replan->filled++;
    for (uint32_t unit = 0; unit < replan->plan->count; unit++)
        *reservation(replan, step, astar_plan_way(replan->plan, unit)[step]) = (uint16_t)(unit + 1);
    owe(replan, replan->plan->count + replan->cells.count / 16);
    return ASTAR_RUNNING;
}

// The functions below find units that could arrive sooner.

// Returns a random number less than 'below'.
static uint32_t roll(AstarReplan *replan, uint32_t below)
{
    replan->dice += UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)((astar_mix_seed(replan->dice) >> 32) * below >> 32);
}

// Returns true if the search may look for a better path of a unit. The distances in 'fields' lead
// to one place only. The plan must therefore take the unit to this place, and not to another place
// of its group.
static bool has_own_place(const AstarReplan *replan, uint32_t unit)
{
    return replan->groups[unit] != 0 &&
           replan->fields[unit].goal == astar_plan_way(replan->plan, unit)[replan->plan->steps];
}

// Returns the distance of a cell from the place of a unit, modulo the modulus of the unit's field.
static uint32_t field_value(const AstarReplan *replan, uint32_t unit, uint32_t cell)
{
    return astar_goal_field_value(replan->room->grid, &replan->fields[unit], cell);
}

// Returns the step after which a unit has arrived, and the number of steps that it would need if it
// were alone. The second number is the sum of the changes of distance along the unit's path.
static AstarReplanUnit look_at_unit(AstarReplan *replan, uint32_t unit)
{
    const AstarPlan *plan = replan->plan;
    const uint32_t *way = astar_plan_way(plan, unit);
    int64_t shortest = 0;
    uint32_t arrival = astar_plan_arrival(plan, replan->room->groups, unit, replan->groups[unit]);
    uint32_t value = field_value(replan, unit, way[0]);
    for (uint32_t step = 1; step <= plan->steps; step++) {
        uint32_t next = way[step] == way[step - 1] ? value : field_value(replan, unit, way[step]);
        shortest += astar_goal_field_difference(&replan->fields[unit], value, next);
        value = next;
    }
    owe(replan, plan->steps);
    return (AstarReplanUnit){unit, arrival, (uint32_t)shortest};
}

static inline uint32_t cell_beside(const AstarReplan *replan, uint32_t cell, int way)
{
    return cell + (uint32_t)(astar_dy[way] * replan->room->grid->width + astar_dx[way]);
}

// Returns the directions of the legal steps of a unit out of a cell, as bits. For each step, 'more'
// becomes the change of the distance to the unit's place.
static unsigned list_steps(const AstarReplan *replan, uint32_t unit, uint32_t cell,
                           int more[ASTAR_DIRECTIONS])
{
    const AstarGoalField *field = &replan->fields[unit];
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = astar_kind_moves(&replan->room->kinds[field->kind], cell);
    astar_goal_field_around(replan->room->grid, field, cell, moves, values);
    for (unsigned rest = moves; rest != 0; rest &= rest - 1) {
        int way = astar_lowest_bit(rest);
        if (values[way] == ASTAR_NO_VALUE)
            moves &= ~(1u << way);
        else
            more[way] = (int)astar_goal_field_difference(field, values[way],
                                                         values[ASTAR_DIRECTIONS]);
    }
    return moves;
}

// Follows a random shortest path of a unit to its place, starting from its cell after 'step'.
// Returns the number + 1 of the first other unit on that path that can get a better path itself, or
// 0 if there is none.
static uint32_t find_obstacle(AstarReplan *replan, uint32_t unit, uint32_t step)
{
    uint32_t cell = astar_plan_way(replan->plan, unit)[step], who = 0;
    for (; who == 0 && step < replan->plan->steps; step++) {
        int more[ASTAR_DIRECTIONS], chosen = -1;
        uint32_t nearer = 0;
        for (unsigned rest = list_steps(replan, unit, cell, more); rest != 0; rest &= rest - 1) {
            int way = astar_lowest_bit(rest);
            if (more[way] < 0 && roll(replan, ++nearer) == 0)
                chosen = way;
        }
        if (chosen < 0)
            return 0;
        cell = cell_beside(replan, cell, chosen);
        who = who_is_at(replan, step + 1, cell);
        who = who != 0 ? who : who_is_at(replan, step, cell);
        who = who == unit + 1 || who == 0 || !has_own_place(replan, who - 1) ? 0 : who;
    }
    return who;
}

// The functions below search for a better path of one unit.

// Returns the path of a unit, as the search for another unit's path must see it. If a round has two
// units, the first unit already has its new path while the path of the second one is searched for.
static const uint32_t *way_of_other(const AstarReplan *replan, uint32_t unit)
{
    bool is_fresh = replan->turn > 0 && replan->picked[0].unit == unit;
    return is_fresh ? replan->fresh[0] : astar_plan_way(replan->plan, unit);
}

// Adds a node to the search, unless the unit would arrive too late over that node.
static void put_node(AstarReplan *replan, uint32_t cell, uint32_t step, uint32_t left,
                     uint32_t parent)
{
    uint32_t arrival = step + left > replan->free_from ? step + left : replan->free_from;
    if (arrival > replan->most || replan->node_count == REPLAN_NODES)
        return;
    uint32_t bucket = arrival + left / 2, index = replan->node_count++;
    replan->nodes[index] = (AstarReplanNode){cell, step, left, parent, replan->buckets[bucket]};
    replan->buckets[bucket] = index + 1;
    replan->bucket = bucket < replan->bucket ? bucket : replan->bucket;
    *reservation(replan, step, cell) |= HAS_NODE;
}

// Starts the search for a better path of the next unit of the round. If the round has two units,
// the second one may arrive later by as many steps as the first one arrives sooner.
static void begin_way(AstarReplan *replan)
{
    const AstarReplanUnit *picked = &replan->picked[replan->turn];
    uint32_t last = replan->plan->steps;
    const uint32_t *way = astar_plan_way(replan->plan, picked->unit);
    replan->most += picked->arrival;
    replan->most = replan->most < last ? replan->most : last;
    replan->target = way[last];
    replan->free_from = last + 1; // the first step after which no other unit enters the target cell
    while (replan->free_from > 0 && who_is_at(replan, replan->free_from - 1, replan->target) == 0)
        replan->free_from--;
    memset(replan->buckets, 0, 2 * (size_t)replan->row_count * sizeof(uint32_t));
    replan->bucket = 2 * replan->row_count;
    put_node(replan, way[0], 0, picked->shortest, 0);
}

// Returns true if a unit moves, in a step of its path, at more than 90 degrees to the direction
// 'way'.
static bool goes_against(const AstarReplan *replan, uint32_t unit, uint32_t step, int way)
{
    const uint32_t *cells = way_of_other(replan, unit) + step;
    int x, y, to_x, to_y;
    astar_cell_xy(replan->room->grid, cells[0], &x, &y);
    astar_cell_xy(replan->room->grid, cells[1], &to_x, &to_y);
    return (to_x - x) * astar_dx[way] + (to_y - y) * astar_dy[way] < 0;
}

// Returns true if a step is compatible with the paths of all other units, by the rules of pibt.h.
// The step goes from 'cell' to 'to' in direction 'way'. The caller has checked that no other unit
// is in 'to' after the step. Two kinds of units must not move against the step: a unit that leaves
// 'to', and a unit that enters 'cell'. No unit may cross a diagonal step.
static bool goes_beside_reserved(const AstarReplan *replan, uint32_t step, uint32_t cell,
                                 uint32_t to, int way)
{
    uint32_t leaver = who_is_at(replan, step, to), follower = who_is_at(replan, step + 1, cell);
    if ((leaver != 0 && goes_against(replan, leaver - 1, step, way)) ||
        (follower != 0 && goes_against(replan, follower - 1, step, way)))
        return false;
    if ((way & 1) == 0)
        return true;
    uint32_t left = cell_beside(replan, cell, (way + 7) & 7);
    uint32_t right = cell_beside(replan, cell, (way + 1) & 7);
    uint32_t crosser = who_is_at(replan, step, left), other = who_is_at(replan, step, right);
    return !(crosser != 0 && crosser == who_is_at(replan, step + 1, right)) &&
           !(other != 0 && other == who_is_at(replan, step + 1, left));
}

// Adds the successors of a node to the search. The direction that is tried first differs from round
// to round, so that not all paths bend the same way.
static void expand_node(AstarReplan *replan, uint32_t index)
{
    AstarReplanNode node = replan->nodes[index];
    int more[ASTAR_DIRECTIONS];
    unsigned first = replan->dice >> 40 & 7;
    unsigned moves = list_steps(replan, replan->picked[replan->turn].unit, node.cell, more);
    if (*reservation(replan, node.step + 1, node.cell) == 0)
        put_node(replan, node.cell, node.step + 1, node.left, index);
    for (moves = astar_rotate(moves, 8 - first); moves != 0; moves &= moves - 1) {
        int way = (astar_lowest_bit(moves) + (int)first) & 7;
        uint32_t to = cell_beside(replan, node.cell, way);
        if (*reservation(replan, node.step + 1, to) == 0 &&
            goes_beside_reserved(replan, node.step, node.cell, to, way))
            put_node(replan, to, node.step + 1, (uint32_t)((int)node.left + more[way]), index);
    }
}

// The functions below run the rounds of an improvement. Each round searches for better paths of one
// unit or two.

// Ends a round. If 'is_better' is true, the units of the round get their new paths. Otherwise they
// keep the old paths.
static void end_round(AstarReplan *replan, bool is_better)
{
    uint64_t gained = 0; // in steps; the second unit may lose part of the gain of the first one
    for (uint32_t i = 0; i < replan->turn; i++)
        reserve_way(replan, replan->fresh[i], 0);
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i].unit, *way = astar_plan_way(replan->plan, unit);
        gained += replan->picked[i].arrival;
        if (is_better)
            memcpy(way, replan->fresh[i], replan->row_count * sizeof *way);
        gained -= look_at_unit(replan, unit).arrival;
        reserve_way(replan, way, unit + 1);
    }
    replan->gained += gained;
    replan->barren = gained > 0 ? 0 : replan->barren;
    replan->picked_count = replan->turn = 0;
}

// Ends the search for a better path of one unit. 'found' is the node at which the unit arrives, or
// NULL if there is no better path.
static void end_way(AstarReplan *replan, const AstarReplanNode *found)
{
    uint32_t *way = replan->fresh[replan->turn], last = replan->plan->steps;
    for (uint32_t i = 0; i < replan->node_count; i++)
        *reservation(replan, replan->nodes[i].step, replan->nodes[i].cell) &= RESERVED_FOR;
    replan->node_count = 0;
    owe(replan, replan->row_count);
    if (found == NULL) {
        end_round(replan, false);
        return;
    }
    replan->most -= found->step;
    for (uint32_t step = last; step > found->step; step--)
        way[step] = replan->target;
    for (; found->step > 0; found = &replan->nodes[found->parent])
        way[found->step] = found->cell;
    way[0] = found->cell;
    reserve_way(replan, way, replan->picked[replan->turn++].unit + 1);
    if (replan->turn < replan->picked_count)
        begin_way(replan);
    else
        end_round(replan, true);
}

static void search_way(AstarReplan *replan)
{
    uint32_t last = 2 * replan->row_count;
    while (replan->bucket < last && replan->buckets[replan->bucket] == 0)
        replan->bucket++;
    if (replan->bucket == last || replan->node_count == REPLAN_NODES) {
        end_way(replan, NULL);
        return;
    }
    uint32_t index = replan->buckets[replan->bucket] - 1;
    const AstarReplanNode *node = &replan->nodes[index];
    replan->buckets[replan->bucket] = node->next;
    if (node->cell == replan->target && node->step >= replan->free_from)
        end_way(replan, node);
    else if (node->step < replan->plan->steps)
        expand_node(replan, index);
    owe(replan, 0);
}

// Starts a round. Selects a random unit that could arrive sooner and, in half of the rounds,
// another unit that it would meet. Removes the reservations of the selected units.
static AstarStatus begin_replan_round(AstarReplan *replan)
{
    uint32_t unit = roll(replan, replan->plan->count);
    if (replan->barren++ > (uint64_t)BARREN_ROUNDS_A_UNIT * replan->plan->count)
        return ASTAR_OK;
    if (has_own_place(replan, unit))
        replan->picked[0] = look_at_unit(replan, unit);
    if (!has_own_place(replan, unit) || replan->picked[0].arrival <= replan->picked[0].shortest) {
        owe(replan, 0);
        return ASTAR_RUNNING;
    }
    replan->picked_count = 1;
    uint32_t from = roll(replan, replan->picked[0].arrival);
    uint32_t other = roll(replan, 2) == 0 ? find_obstacle(replan, unit, from) : 0;
    if (other != 0)
        replan->picked[replan->picked_count++] = look_at_unit(replan, other - 1);
    for (uint32_t i = 0; i < replan->picked_count; i++)
        reserve_way(replan, astar_plan_way(replan->plan, replan->picked[i].unit), 0);
    replan->most = 0;
    begin_way(replan);
    return ASTAR_RUNNING;
}

AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = ASTAR_RUNNING;
    while (status == ASTAR_RUNNING) {
        uint64_t paid = replan->debt < *work ? replan->debt : *work;
        replan->debt -= paid;
        *work -= paid;
        if (*work == 0)
            break;
        if (replan->filled < replan->row_count)
            status = fill_reservations(replan);
        else if (replan->picked_count == 0)
            status = begin_replan_round(replan);
        else
            search_way(replan);
    }
    return status;
}
