// own_routes.c -- finding routes, and keeping to them.

#include "crowd/crowd.h"

#include "base/array.h"
#include "crowd/ways.h"
#include "path/path.h"

// What a beat is charged for a route: about what it takes to find one so long. What is worked is
// more than an expansion of a field.
enum { ROUTE_CHARGE = 500, ROUTE_CHARGE_A_CELL = 20, WORK_AN_EXPANSION = 25, ROUTE_SLICE = 1024 };

// How many steps along its route a unit looks for a way back to it, after how many beats in which
// it came no farther it leaves it, and for how many steps.
enum { ROUTE_WINDOW = 6, ROUTE_PATIENCE = 8, STEPS_BESIDE = 2, NO_LEAD = ASTAR_WAYS };

// The share of the way that is left by which who is chased may have moved, and by how many cells
// where no way led there.
enum { ROUTE_ERROR = 3, HOPELESS_MOVES = 16 };

struct AstarOwnRoute {
    AstarRouteKey key;
    bool is_adopted; // comes in force with the coming beat
    uint32_t cell;   // the unit is there, or was when it left the route
    uint32_t at;     // how many steps of it are made
    uint32_t count;  // 0: there is none
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

// ---- who needs one ----

// Whether a unit is on its way somewhere by itself.
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

static uint32_t prey_of_field(const AstarGoalField *field)
{
    return field->prey != 0 ? (uint32_t)field->prey + 1 : 0;
}

// Who is chased is in a cell of its own in each beat, and its routes are good for some.
static bool is_route_of(const AstarCrowd *crowd, const AstarOwnRoute *route, uint32_t index)
{
    const AstarGoalField *field = crowd->units[index].field;
    if (route == NULL || route->key.generation != crowd->members[index].generation ||
        route->key.range != field->range || route->key.prey != prey_of_field(field))
        return false;
    return field->prey != 0 || route->key.goal == field->goal;
}

// The route of a unit that waits, in force in the coming beat, or NULL.
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
    bool is_led = crowd->units[unit].field->prey != 0 && unit < crowd->own.led_capacity &&
                  crowd->own.led[unit] != NO_LEAD;
    return is_led || (is_route_of(crowd, route, unit) && route->count > 0);
}

bool astar_crowd_has_no_route(const AstarCrowd *crowd, uint32_t unit)
{
    const AstarGoalField *field = crowd->units[unit].field;
    if (unit >= crowd->own.slot_capacity || field->prey == 0)
        return false;
    const AstarOwnRoute *route = crowd->own.slots[unit].now;
    return is_route_of(crowd, route, unit) && route->count == 0;
}

// ---- keeping to it ----

// The legal step from where a unit is to a cell.
static int legal_way_to(const AstarCrowd *crowd, uint32_t index, uint32_t cell)
{
    int way = astar_way_to(&crowd->pibt, &crowd->units[index], cell);
    return way >= 0 && way < ASTAR_WAY_STAY ? way : NO_LEAD;
}

// The way of a unit along its route, or back to it, the farther on the better.
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

// A wall may have been raised where a unit stands.
static bool is_on_free_ground(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    return astar_bits_has(crowd->grid, crowd->kinds[unit->kind].bits, unit->cell);
}

// The way on of a unit along a route, or NULL.
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
    // Somebody there does not make way: it tries to pass, the first time on the right.
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

// After a beat: how far along its route a unit is.
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

// ---- finding one ----

static bool are_keys_equal(const AstarRouteKey *a, const AstarRouteKey *b)
{
    static_assert(sizeof *a == sizeof a->version + 6 * sizeof a->unit, "there are no gaps");
    return memcmp(a, b, sizeof *a) == 0;
}

// Begins a search for what a unit goes to. Who is chased may cover more than a cell: then it is to
// come near the middle, one cell or any of four, within so much more.
static AstarStatus begin_search_for(AstarCrowd *crowd, const AstarRouteKey *key,
                                    AstarQuestion *question)
{
    AstarSearch *search = crowd->own.search;
    const AstarPibtUnit *prey = key->prey != 0 ? &crowd->units[key->prey - 1] : NULL;
    int x, y, goal_x, goal_y, size = prey != NULL ? astar_kind_size(&crowd->kinds[prey->kind]) : 1;
    int before = (size - 1) / 2;
    astar_cell_xy(crowd->grid, key->cell, &x, &y);
    astar_cell_xy(crowd->grid, key->goal, &goal_x, &goal_y);
    goal_x += before;
    goal_y += before;
    question->range = (int)key->range + before;
    // What it needs of the map is built by its steps alone: a beat is made a little at a time.
    if (size % 2 == 1)
        return astar_search_begin_in_steps(search, x, y, goal_x, goal_y, question, 0);
    const AstarCell middle[] = {
        {goal_x, goal_y}, {goal_x + 1, goal_y}, {goal_x, goal_y + 1}, {goal_x + 1, goal_y + 1}};
    return astar_search_nearest_in_steps(search, x, y, middle, 4, question, 0);
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
    AstarQuestion question = astar_question_default(scout);
    status = astar_search_take_unbuilt(own->workspace, scout, &own->search);
    if (status != ASTAR_OK)
        return status;
    status = begin_search_for(crowd, key, &question);
    if (status != ASTAR_NO_MEMORY)
        return ASTAR_OK; // what it came to is the search's status
    stop_seeking(own);
    return status;
}

// Goes on with a search until it has ended.
static AstarStatus go_on_seeking(AstarSearch *search, uint64_t *work)
{
    AstarStatus status = astar_search_status(search);
    while (status == ASTAR_RUNNING) {
        if (*work == 0)
            return ASTAR_RUNNING;
        uint64_t before = astar_search_expanded(search), slice = *work / WORK_AN_EXPANSION + 1;
        status = astar_search_step(search, slice < ROUTE_SLICE ? slice : ROUTE_SLICE, NULL);
        uint64_t now = astar_search_expanded(search); // after an edit it may have begun anew
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

// Stores the route of a search that has ended; without steps where there is no way.
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

static uint64_t charge_of_route(const AstarCrowd *crowd, const AstarRouteKey *key)
{
    return ROUTE_CHARGE +
           ROUTE_CHARGE_A_CELL * (uint64_t)astar_steps_apart(crowd->grid, key->cell, key->goal);
}

// Whether a route to where somebody was has to do no longer.
static bool needs_another_route(const AstarCrowd *crowd, const AstarOwnRoute *route, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    uint32_t moved = astar_steps_apart(crowd->grid, unit->field->goal, route->key.goal);
    if (route->count == 0)
        return moved > HOPELESS_MOVES || route->key.version != crowd->kinds[unit->kind].version;
    return ROUTE_ERROR * moved > route->count - route->at ||
           lead_along_route(crowd, route, index) == NO_LEAD;
}

// Whether a unit is to get a route, or another one. Where it stands half in a wall it may only
// leave, which no search knows of.
static bool needs_route(const AstarCrowd *crowd, uint32_t index)
{
    if (!waits_for_distances(crowd, index) || !is_on_free_ground(crowd, index))
        return false;
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarOwnRoute *route = route_of_unit(crowd, index);
    if (unit->field->prey != 0 && crowd->own.leads[index] != NO_LEAD)
        return false;
    if (route != NULL && unit->field->prey != 0)
        return needs_another_route(crowd, route, index);
    return route == NULL || (route->count > 0 && lead_along_route(crowd, route, index) == NO_LEAD);
}

// Has a unit have a route in the coming beat; where there is no room for that, nobody gets another.
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
                         prey_of_field(unit->field)};
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
    uint64_t charge = charge_of_route(crowd, &key);
    own->quota -= charge < own->quota ? charge : own->quota;
    if (astar_crowd_is_news(crowd, unit->field))
        own->news -= charge < own->news ? charge : own->news;
    own->adopted += bytes;
    slot->fresh->is_adopted = true;
    return ASTAR_OK;
}

// ---- in a beat ----

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

// Makes room, and leads those who are near whom they chase.
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
    crowd->own.is_begun = false;
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
    uint64_t first = crowd->beat.count * UINT64_C(0x9E3779B1); // nobody is before others for long
    for (; status == ASTAR_OK && own->at < crowd->count.there && own->quota > 0; own->at++) {
        uint32_t index = crowd->order[(first + own->at) % crowd->count.there];
        if (needs_route(crowd, index) &&
            (own->news > 0 || !astar_crowd_is_news(crowd, crowd->units[index].field)))
            status = give_route(crowd, index, work);
        if (status != ASTAR_OK)
            return status;
    }
    for (uint32_t i = 0; i < crowd->count.there && status == ASTAR_OK; i++) {
        uint8_t *lead = &own->leads[crowd->order[i]]; // who chases others may be led already
        *lead = *lead == NO_LEAD ? (uint8_t)astar_crowd_lead(crowd, crowd->order[i]) : *lead;
    }
    crowd->pibt.leads = status == ASTAR_OK ? own->leads : NULL;
    return status;
}

// What led units in this beat is kept, for they tell of it until the next one takes place.
static void keep_leads(AstarCrowd *crowd)
{
    AstarOwnRoutes *own = &crowd->own;
    uint8_t *led = own->led;
    size_t capacity = own->led_capacity;
    if (crowd->pibt.leads == NULL) { // nobody was led
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
}
