// crowd.c -- creates crowds, adds units, and answers queries about units: where they are, how they
// are drawn, their state, and which unit blocks them.

#include "parts/crowd/crowd.h"

#include "base/array.h"
#include "parts/crowd/beat.h"
#include "parts/crowd/glides.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/kind.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/pibt.h"

#include <assert.h>

enum { FIRST_UNITS = 16, FIRST_KINDS = 2 };

static const char *const unit_state_names[] = {"moving",   "waiting", "arrived", "held",
                                               "planning", "stuck",   "lost"};
static_assert(sizeof unit_state_names / sizeof *unit_state_names == ASTAR_UNIT_STATE_COUNT,
              "a name for each of AstarUnitState");

const char *astar_unit_state_name(AstarUnitState state)
{
    return state < ASTAR_UNIT_STATE_COUNT ? unit_state_names[state] : NULL;
}

AstarCrowdOptions astar_crowd_options_default(void)
{
    return (AstarCrowdOptions){.bytes = 64000000, .expansions = 1 << 18};
}

const char *astar_crowd_refusal(const AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    if (astar_grid_is_view(finder->grid))
        return "a map that others edit";
    if (astar_finder_goes_by_sides(finder) || finder->grid->shape->wraps != 0)
        return astar_offset_cells(astar_grid_offset(finder->grid));
    if (options->cost != NULL)
        return "a cost function";
    if (options->step_cost != NULL)
        return "a step_cost function";
    if (finder->breached != 0)
        return "breach";
    if (options->size != options->height)
        return "a size of columns and rows that differ";
    return astar_option_refused_by_crowd(options);
}

// The functions below create and free crowds, and add and remove the data of finders.

static void release_array(const AstarCrowd *crowd, void *array, size_t capacity, size_t size)
{
    astar_release(&crowd->allocator, array, capacity, size);
}

void astar_crowd_free(AstarCrowd *crowd)
{
    astar_crowd_free_fields(crowd);
    astar_crowd_free_routes(crowd);
    for (size_t i = 0; i < crowd->kind_count; i++)
        astar_kind_close(&crowd->kinds[i]);
    release_array(crowd, crowd->kinds, crowd->kind_capacity, sizeof *crowd->kinds);
    release_array(crowd, crowd->units, crowd->capacity.units, sizeof *crowd->units);
    release_array(crowd, crowd->members, crowd->capacity.members, sizeof *crowd->members);
    release_array(crowd, crowd->sides, crowd->capacity.sides, sizeof *crowd->sides);
    release_array(crowd, crowd->order, crowd->capacity.order, sizeof *crowd->order);
    release_array(crowd, crowd->turns, crowd->capacity.turns, sizeof *crowd->turns);
    release_array(crowd, crowd->trail, crowd->capacity.trail, sizeof *crowd->trail);
    release_array(crowd, crowd->glides, crowd->capacity.glides, sizeof *crowd->glides);
    release_array(crowd, crowd->places, crowd->grid->cells, sizeof *crowd->places);
    AstarGrid *grid = crowd->grid;
    AstarAllocator allocator = crowd->allocator;
    astar_release(&allocator, crowd, 1, sizeof *crowd);
    astar_grid_release(grid);
}

AstarStatus astar_crowd_add_kind(AstarCrowd *crowd, AstarFinder *finder, uint32_t *out)
{
    for (size_t i = 0; i < crowd->kind_count; i++)
        if (crowd->kinds[i].finder == finder) {
            *out = (uint32_t)i;
            return ASTAR_OK;
        }
    if (finder->grid != crowd->grid || astar_crowd_refusal(finder) != NULL ||
        crowd->kind_count == ASTAR_MAX_CROWD_KINDS)
        return ASTAR_BAD_OPTION;
    if (crowd->kind_count == crowd->kind_capacity) {
        AstarFieldBuild *build = &crowd->goals.build;
        size_t built = build->kind != NULL ? (size_t)(build->kind - crowd->kinds) : 0;
        AstarCrowdKind *kinds = astar_array_grow(&crowd->allocator, crowd->kinds, crowd->kind_count,
                                                 sizeof *kinds, &crowd->kind_capacity,
                                                 crowd->kind_count + 1, FIRST_KINDS);
        if (kinds == NULL)
            return ASTAR_NO_MEMORY;
        crowd->kinds = kinds;
        crowd->pibt.kinds = kinds;
        if (build->kind != NULL)
            build->kind = &kinds[built];
    }
    AstarStatus status = astar_kind_open(&crowd->kinds[crowd->kind_count], finder);
    if (status == ASTAR_OK)
        *out = (uint32_t)crowd->kind_count++;
    return status;
}

// Removes the kind that was added last. A kind is the data of one finder in the crowd.
static void drop_last_kind(AstarCrowd *crowd)
{
    assert(crowd->goals.build.kind != &crowd->kinds[crowd->kind_count - 1]);
    astar_kind_close(&crowd->kinds[--crowd->kind_count]);
}

// Appends the data of a finder, the kind with number 'number', to 'list' and writes its new number
// to 'numbers'. Does nothing if the kind is in the list already.
static void list_kind(const AstarCrowd *crowd, uint32_t number, AstarCrowdKind *list,
                      uint32_t *count, uint32_t *numbers)
{
    if (numbers[number] != UINT32_MAX)
        return;
    list[*count] = crowd->kinds[number];
    numbers[number] = (*count)++;
}

AstarStatus astar_crowd_sort_kinds(AstarCrowd *crowd)
{
    size_t most = crowd->kind_capacity;
    uint32_t *numbers = astar_alloc(&crowd->allocator, most, sizeof *numbers), count = 0;
    AstarCrowdKind *list = astar_alloc(&crowd->allocator, most, sizeof *list);
    if (numbers == NULL || list == NULL) {
        astar_release(&crowd->allocator, numbers, most, sizeof *numbers);
        astar_release(&crowd->allocator, list, most, sizeof *list);
        return ASTAR_NO_MEMORY;
    }
    memset(numbers, 0xFF, most * sizeof *numbers);
    list_kind(crowd, 0, list, &count, numbers);
    for (uint32_t i = 0; i < crowd->count.numbers; i++)
        if (crowd->members[i].is_there)
            list_kind(crowd, crowd->units[i].kind, list, &count, numbers);
    astar_field_build_stop(&crowd->goals.build);
    crowd->goals.built = NULL;
    for (uint32_t i = 0; i < crowd->count.numbers; i++)
        if (crowd->members[i].is_there)
            crowd->units[i].kind = (uint16_t)numbers[crowd->units[i].kind];
    astar_crowd_renumber_fields(crowd, numbers);
    for (size_t i = 0; i < crowd->kind_count; i++)
        if (numbers[i] == UINT32_MAX)
            astar_kind_close(&crowd->kinds[i]);
    astar_release(&crowd->allocator, crowd->kinds, most, sizeof *crowd->kinds);
    astar_release(&crowd->allocator, numbers, most, sizeof *numbers);
    crowd->near.version = 0;
    crowd->kinds = list;
    crowd->kind_count = count;
    crowd->pibt.kinds = list;
    return ASTAR_OK;
}

static AstarStatus fill_crowd(AstarCrowd *crowd, AstarFinder *finder)
{
    uint32_t kind;
    crowd->places = astar_alloc(&crowd->allocator, crowd->grid->cells, sizeof *crowd->places);
    if (crowd->places == NULL)
        return ASTAR_NO_MEMORY;
    memset(crowd->places, 0xFF, crowd->grid->cells * sizeof *crowd->places);
    crowd->pibt.places = crowd->places;
    return astar_crowd_add_kind(crowd, finder, &kind);
}

AstarStatus astar_crowd_new(AstarFinder *finder, const AstarCrowdOptions *options, AstarCrowd **out)
{
    AstarCrowdOptions chosen = options != NULL ? *options : astar_crowd_options_default();
    if (astar_crowd_refusal(finder) != NULL || chosen.expansions == 0)
        return ASTAR_BAD_OPTION;
    AstarGrid *grid = finder->grid;
    AstarCrowd *crowd = astar_alloc(&grid->allocator, 1, sizeof *crowd);
    if (crowd == NULL)
        return ASTAR_NO_MEMORY;
    crowd->allocator = crowd->goals.build.allocator = crowd->window.allocator = grid->allocator;
    crowd->references = 1;
    crowd->options = chosen;
    crowd->grid = grid;
    astar_grid_retain(grid);
    crowd->count.first_free = ASTAR_NOBODY;
    crowd->beat.phase = 1;
    crowd->pibt.grid = grid;
    crowd->pibt.is_exclusive = chosen.is_exclusive;
    crowd->pibt.top = ASTAR_NOBODY;
    AstarStatus status = fill_crowd(crowd, finder);
    if (status != ASTAR_OK) {
        astar_crowd_free(crowd);
        return status;
    }
    *out = crowd;
    grid->crowd = crowd;
    return ASTAR_OK;
}

bool astar_crowd_is_outdated(const AstarCrowd *crowd)
{
    return crowd->grid->crowd != crowd;
}

void astar_crowd_retain(AstarCrowd *crowd)
{
    crowd->references++;
}

AstarFinder *astar_crowd_finder(const AstarCrowd *crowd)
{
    return crowd->kinds[0].finder;
}

size_t astar_crowd_bytes(const AstarCrowd *crowd, size_t *distances)
{
    if (distances != NULL)
        *distances = crowd->goals.distance_bytes + crowd->goals.numbering_bytes;
    size_t tables = 0;
    for (size_t i = 0; i < crowd->kind_count; i++)
        tables += astar_move_table_bytes(&crowd->kinds[i].table, crowd->grid);
    return sizeof *crowd + crowd->goals.distance_bytes + crowd->goals.numbering_bytes +
           astar_crowd_route_bytes(crowd) + tables + astar_field_build_bytes(&crowd->goals.build) +
           astar_field_build_bytes(&crowd->window) + crowd->kind_capacity * sizeof *crowd->kinds +
           crowd->capacity.units * sizeof *crowd->units +
           crowd->capacity.members * sizeof *crowd->members + crowd->capacity.sides +
           crowd->capacity.glides * sizeof *crowd->glides +
           (crowd->capacity.order + crowd->capacity.turns + crowd->capacity.trail) *
               sizeof *crowd->order +
           crowd->grid->cells * sizeof *crowd->places +
           crowd->goals.count * sizeof(AstarGoalField) +
           (crowd->goals.capacity + crowd->goals.slot_count) * sizeof *crowd->goals.fields;
}

// The functions below look up units, add units, and reserve memory for them.

void astar_crowd_disturb(AstarCrowd *crowd)
{
    if (crowd->beat.stage >= ASTAR_BEAT_TURN)
        astar_pibt_forget(&crowd->pibt);
    if (crowd->beat.stage >= ASTAR_BEAT_FIELDS)
        astar_crowd_revert_fields(crowd);
    if (crowd->beat.stage >= ASTAR_BEAT_ROUTES)
        astar_crowd_revert_routes(crowd);
    crowd->beat.stage = ASTAR_BEAT_NOT_BEGUN;
    crowd->beat.worked = 0;
}

static AstarUnit handle_of_unit(const AstarCrowd *crowd, uint32_t index)
{
    return (AstarUnit)crowd->members[index].generation << 32 | index;
}

uint32_t astar_crowd_index(const AstarCrowd *crowd, AstarUnit unit)
{
    uint32_t index = (uint32_t)unit;
    bool is_there = index < crowd->count.numbers && crowd->members[index].is_there &&
                    crowd->members[index].generation == (uint32_t)(unit >> 32);
    return is_there ? index : ASTAR_NOBODY;
}

bool astar_crowd_has(const AstarCrowd *crowd, AstarUnit unit)
{
    return astar_crowd_index(crowd, unit) != ASTAR_NOBODY;
}

// Makes room for one more element in an array that has one entry per unit. 'array' is the address
// of the variable that points to the array. New elements are zero. Returns false if memory is
// short. The array grows by only 1 / 32 of its length, because crowds are large and grow unit by
// unit.
static bool make_roomier(const AstarCrowd *crowd, void *array, size_t size, size_t *capacity)
{
    size_t count = crowd->count.numbers, before = *capacity;
    uint8_t *roomier;
    if (count < before)
        return true;
    memcpy(&roomier, array, sizeof roomier);
    roomier = astar_array_resize(&crowd->allocator, roomier, before, size, capacity,
                                 count + count / 32 + FIRST_UNITS);
    if (roomier == NULL)
        return false;
    memset(roomier + before * size, 0, (*capacity - before) * size);
    memcpy(array, &roomier, sizeof roomier);
    return true;
}

bool astar_crowd_need_sides(AstarCrowd *crowd)
{
    bool has_room = make_roomier(crowd, &crowd->sides, 1, &crowd->capacity.sides);
    crowd->pibt.sides = crowd->sides;
    return has_room;
}

bool astar_crowd_need_unit(AstarCrowd *crowd)
{
    AstarUnitCapacity *have = &crowd->capacity;
    bool has_room = make_roomier(crowd, &crowd->units, sizeof *crowd->units, &have->units) &&
                    make_roomier(crowd, &crowd->members, sizeof *crowd->members, &have->members) &&
                    make_roomier(crowd, &crowd->order, sizeof *crowd->order, &have->order) &&
                    make_roomier(crowd, &crowd->turns, sizeof *crowd->turns, &have->turns) &&
                    make_roomier(crowd, &crowd->trail, sizeof *crowd->trail, &have->trail) &&
                    (crowd->glides == NULL ||
                     make_roomier(crowd, &crowd->glides, sizeof *crowd->glides, &have->glides)) &&
                    (crowd->sides == NULL || astar_crowd_need_sides(crowd));
    crowd->pibt.units = crowd->units;
    crowd->pibt.trail = crowd->trail;
    return has_room;
}

uint32_t astar_crowd_next_number(const AstarCrowd *crowd)
{
    return crowd->count.first_free != ASTAR_NOBODY ? crowd->count.first_free : crowd->count.numbers;
}

static uint32_t take_number(AstarCrowd *crowd)
{
    uint32_t index = crowd->count.first_free;
    if (index == ASTAR_NOBODY)
        return crowd->count.numbers++;
    crowd->count.first_free = crowd->members[index].from;
    return index;
}

// Checks that a new unit can be added at (x, y), and allocates memory for the unit. 'number' is the
// number of the unit's kind (data of its finder).
static AstarStatus make_way_for_unit(AstarCrowd *crowd, uint32_t number, int x, int y, int period)
{
    AstarStatus status = astar_kind_update(&crowd->kinds[number]);
    if (status != ASTAR_OK)
        return status;
    if (!astar_crowd_need_unit(crowd) ||
        ((period > 1 || crowd->options.is_even) && !astar_crowd_make_glides(crowd)))
        return ASTAR_NO_MEMORY;
    const AstarCrowdKind *kind = &crowd->kinds[number];
    if (!astar_bits_get(kind->bits, x, y))
        return ASTAR_START_BLOCKED;
    bool is_free = astar_pibt_is_free(&crowd->pibt, kind, x, y, ASTAR_NOBODY) &&
                   !astar_crowd_is_drawn_near(crowd, x, y, astar_kind_size(kind));
    return is_free ? ASTAR_OK : ASTAR_OCCUPIED;
}

AstarStatus astar_crowd_add(AstarCrowd *crowd, AstarFinder *finder, int x, int y, int period,
                            AstarUnit *out)
{
    if (!astar_inside(crowd->grid, x, y))
        return ASTAR_BAD_CELL;
    if (period < 1 || period > ASTAR_MAX_PERIOD)
        return ASTAR_BAD_OPTION;
    astar_crowd_disturb(crowd);
    uint32_t number = 0;
    size_t kinds = crowd->kind_count;
    AstarStatus status = astar_crowd_add_kind(
        crowd, finder != NULL ? finder : crowd->kinds[0].finder, &number);
    if (status == ASTAR_OK)
        status = make_way_for_unit(crowd, number, x, y, period);
    if (status != ASTAR_OK) {
        if (crowd->kind_count > kinds)
            drop_last_kind(crowd);
        return status;
    }
    uint32_t index = take_number(crowd), generation = crowd->members[index].generation + 1;
    uint32_t cell = astar_cell(crowd->grid, x, y);
    crowd->units[index] = (AstarPibtUnit){
        .cell = cell, .next = ASTAR_NOWHERE, .kind = (uint16_t)number};
    crowd->members[index] = (AstarMember){.generation = generation,
                                          .from = cell,
                                          .rested = ASTAR_MOST_RESTED,
                                          .period = (uint32_t)period & ASTAR_MOST_RESTED,
                                          .is_there = true};
    if (crowd->glides != NULL) {
        crowd->glides[index] = ASTAR_NEW_GLIDE;
        crowd->glides[index].pace = (uint32_t)period * ASTAR_BEAT;
    }
    if (crowd->sides != NULL)
        crowd->sides[index] = 0;
    crowd->order[crowd->count.there++] = index;
    crowd->count.covered += astar_unit_area(crowd, index);
    crowd->pibt.has_sizes |= astar_kind_size(&crowd->kinds[number]) > 1;
    astar_pibt_place(&crowd->pibt, index);
    *out = handle_of_unit(crowd, index);
    return ASTAR_OK;
}

// The functions below answer queries about the units of a crowd.

uint64_t astar_crowd_beats(const AstarCrowd *crowd)
{
    return crowd->beat.count;
}

uint32_t astar_crowd_count(const AstarCrowd *crowd)
{
    return crowd->count.there;
}

uint32_t astar_crowd_under_way(const AstarCrowd *crowd)
{
    return crowd->count.under_way;
}

bool astar_crowd_next_unit(const AstarCrowd *crowd, uint32_t *cursor, AstarUnit *unit)
{
    while (*cursor < crowd->count.numbers) {
        uint32_t index = (*cursor)++;
        if (crowd->members[index].is_there) {
            *unit = handle_of_unit(crowd, index);
            return true;
        }
    }
    return false;
}

bool astar_crowd_has_no_way(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    AstarGoalField field = astar_goal_field_in_force(unit->field);
    if (field.now.numbering == NULL)
        return !astar_crowd_has_route(crowd, index);
    return astar_bits_has(crowd->grid, &field.now.numbering->bits, unit->cell) &&
           astar_goal_field_value(crowd->grid, &field, unit->cell) == ASTAR_NO_VALUE;
}

static AstarUnitState state_of_unit(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarMember *member = &crowd->members[index];
    if (member->is_held)
        return ASTAR_UNIT_HELD;
    if (unit->field == NULL && member->has_lost)
        return ASTAR_UNIT_LOST;
    if (unit->field == NULL || member->has_arrived)
        return ASTAR_UNIT_ARRIVED;
    bool has_distances = astar_goal_field_in_force(unit->field).now.numbering != NULL;
    if (member->plan == ASTAR_MEMBER_PLANS ||
        (!has_distances && !astar_crowd_has_route(crowd, index)))
        return astar_crowd_has_no_route(crowd, index) ? ASTAR_UNIT_STUCK : ASTAR_UNIT_PLANNING;
    if (member->plan == ASTAR_MEMBER_FREE &&
        (astar_crowd_has_no_way(crowd, index) || astar_crowd_is_stuck(crowd, index, 0)))
        return ASTAR_UNIT_STUCK;
    bool goes = member->rested < member->period ||
                (crowd->glides != NULL && crowd->glides[index].left > 0);
    return goes ? ASTAR_UNIT_MOVING : ASTAR_UNIT_WAITING;
}

static void locate_unit(const AstarCrowd *crowd, uint32_t index, AstarUnitFacts *facts)
{
    const AstarMember *member = &crowd->members[index];
    astar_cell_xy(crowd->grid, crowd->units[index].cell, &facts->x, &facts->y);
    astar_cell_xy(crowd->grid, member->from, &facts->from_x, &facts->from_y);
    astar_crowd_locate(crowd, index, crowd->beat.phase, &facts->at_x, &facts->at_y);
    facts->heading = (AstarHeading)member->heading;
}

bool astar_crowd_next_place(const AstarCrowd *crowd, uint32_t *cursor, AstarUnitPlace *place)
{
    if (!astar_crowd_next_unit(crowd, cursor, &place->unit))
        return false;
    AstarUnitFacts facts;
    locate_unit(crowd, (uint32_t)place->unit, &facts);
    place->x = facts.at_x;
    place->y = facts.at_y;
    place->heading = facts.heading;
    return true;
}

bool astar_crowd_unit(const AstarCrowd *crowd, AstarUnit unit, AstarUnitFacts *facts)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY)
        return false;
    const AstarMember *member = &crowd->members[index];
    const AstarPibtUnit *there = &crowd->units[index];
    *facts = (AstarUnitFacts){.state = state_of_unit(crowd, index),
                              .size = astar_kind_size(&crowd->kinds[there->kind]),
                              .period = member->period,
                              .pace = crowd->glides != NULL ? crowd->glides[index].pace
                                                            : ASTAR_BEAT,
                              .angle = astar_crowd_angle(crowd, index, crowd->beat.phase),
                              .priority = member->priority,
                              .side = crowd->sides != NULL ? crowd->sides[index] : 0,
                              .has_goal = there->field != NULL};
    locate_unit(crowd, index, facts);
    if (facts->has_goal)
        astar_cell_xy(crowd->grid, there->field->goal, &facts->goal_x, &facts->goal_y);
    return true;
}

AstarUnit astar_crowd_unit_at(const AstarCrowd *crowd, int x, int y)
{
    if (!astar_inside(crowd->grid, x, y))
        return 0;
    uint32_t index = crowd->places[astar_cell(crowd->grid, x, y)].now;
    return index == ASTAR_NOBODY ? 0 : handle_of_unit(crowd, index);
}

// Returns the unit that blocks another unit. The steps that lead that other unit nearer to its goal
// are examined, best step first, and the first unit found on them is returned. Returns ASTAR_NOBODY
// if there is none.
static uint32_t find_blocker(const AstarCrowd *crowd, uint32_t index)
{
    AstarPibtUnit unit = crowd->units[index];
    const AstarGoalField field = astar_goal_field_in_force(unit.field);
    AstarPibt pibt = crowd->pibt;
    AstarWayKeys ways;
    unit.field = &field;
    pibt.leads = crowd->own.led;
    pibt.seed = 0;
    pibt.prefers_free = false;
    astar_list_ways_of(&pibt, &unit, index, ASTAR_WAY_COST_STAY, &ways);
    uint64_t sorted = astar_sort_ways(&ways);
    int size = astar_kind_size(&crowd->kinds[unit.kind]);
    int lead = astar_crowd_lead_in_force(crowd, index), count = astar_count_nearer(&ways);
    for (int i = 0; i < (lead < ASTAR_WAYS ? 1 : count); i++) {
        int way = lead < ASTAR_WAYS ? lead : astar_way_at(sorted, i), at = 0;
        AstarCellArea area = {astar_cell_of_way(&pibt, &unit, way), size, size};
        uint32_t who = astar_next_in_area(&pibt, &area, index, &at);
        if (who != ASTAR_NOBODY)
            return who;
    }
    return ASTAR_NOBODY;
}

AstarStatus astar_crowd_blocker(AstarCrowd *crowd, AstarUnit unit, AstarUnit *blocker)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    *blocker = 0;
    if (index == ASTAR_NOBODY || crowd->members[index].has_arrived ||
        crowd->units[index].field == NULL || astar_crowd_has_no_way(crowd, index))
        return ASTAR_OK;
    AstarCrowdKind *kind = &crowd->kinds[crowd->units[index].kind];
    if (!astar_kind_is_current(kind))
        astar_crowd_disturb(crowd);
    AstarStatus status = astar_kind_update(kind);
    uint32_t who = status == ASTAR_OK ? find_blocker(crowd, index) : ASTAR_NOBODY;
    if (who != ASTAR_NOBODY)
        *blocker = handle_of_unit(crowd, who);
    return status;
}

AstarUnit astar_crowd_chased(const AstarCrowd *crowd, AstarUnit unit)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    return index != ASTAR_NOBODY && crowd->units[index].field != NULL
               ? crowd->units[index].field->target_unit
               : 0;
}
