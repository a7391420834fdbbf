// crowd_save.c -- saves crowds to strings of bytes and loads them.
//
// A dump contains facts: options, units with their orders, how far each unit is drawn on its step,
// the order of turns, and which goals have distances. Distances are brought up to date when a crowd
// is saved, and computed when it is loaded. Routes and plans are not saved. When a crowd is saved,
// its routes and plans are dropped, and the next tick finds all routes again. The saved crowd and
// the loaded crowd therefore behave alike.
//
//     "astar crowd 3\n"
//     options, numbers of entries, and the clock
//     the units in the order of their turns, then the free numbers, the next to be used first
//     the 64-bit FNV-1a hash of all before it
//
// Every number is checked, so that loading a forged string can only fail.

#include "base/archive.h"
#include "parts/crowd/bytes.h"
#include "parts/crowd/glides.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/orders.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/pibt.h"
#include "parts/crowd/resolving.h"

static const char saved_crowd[] = "astar crowd ";

// Brings distances up to date for every goal whose distances exist or were started. The other goals
// get their distances later, in the order of the units that go there. Fields without users are
// removed.
static AstarStatus update_goal_fields(AstarCrowd *crowd)
{
    // The budget is less than UINT64_MAX, because the work credited from earlier ticks is added to
    // it.
    uint64_t work = crowd->goals.quota = UINT64_MAX / 2;
    for (size_t i = 0; i < crowd->kind_count; i++)
        crowd->kinds[i].last_version = crowd->kinds[i].version;
    for (size_t i = 0; i < crowd->goals.count; i++) {
        AstarGoalField *field = crowd->goals.fields[i];
        field->chaser = field->users;
        field->users = field->now.numbering != NULL || field->accounted > 0;
        field->is_leaving = field->chaser == 0;
        // No field may be treated as new in the next tick.
        field->since = field->sequence = UINT64_MAX;
    }
    crowd->goals.leaving_bytes = SIZE_MAX / 2; // allows the fields as much memory as necessary
    AstarStatus status = astar_crowd_compute_fields(crowd, &work);
    for (size_t i = 0; i < crowd->goals.count; i++)
        crowd->goals.fields[i]->users = crowd->goals.fields[i]->chaser;
    astar_crowd_commit_fields(crowd);
    crowd->goals.sequence = 0;
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        AstarGoalField *field = (AstarGoalField *)crowd->units[crowd->order[i]].field;
        if (field == NULL || field->sequence < UINT64_MAX)
            continue;
        field->sequence = crowd->goals.sequence++;
        field->since = crowd->beat.count;
        field->accounted = status == ASTAR_OK ? 0 : field->accounted;
    }
    return status;
}

// The functions below check, save and load units.

// Returns true if a loaded unit can be in its cell, and can be drawn on the line to that cell.
static bool is_unit_sound(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarMember *member = &crowd->members[index];
    const AstarGlide *glide = crowd->glides != NULL ? &crowd->glides[index] : &ASTAR_NEW_GLIDE;
    const float longest = 4 * ASTAR_MAX_PERIOD; // longest duration of a step, in ticks
    int x, y;
    astar_cell_xy(crowd->grid, unit->cell, &x, &y);
    return glide->back < crowd->grid->cells && glide->pace > 0 &&
           glide->pace <= ASTAR_MAX_PERIOD * ASTAR_BEAT &&
           glide->left < 4 * ASTAR_MAX_PERIOD * ASTAR_BEAT && glide->start >= 0 &&
           glide->start <= 1 && glide->at >= 0 && glide->at < longest && glide->end >= 0 &&
           glide->end <= 1 && glide->turn >= 0 && glide->turn < INFINITY &&
           (isnan(glide->angle) || fabsf(glide->angle) <= 4) &&
           astar_pibt_is_free(&crowd->pibt, &crowd->kinds[unit->kind], x, y, ASTAR_NOBODY) &&
           (member->came_by_link ? glide->end >= 1
                                 : astar_steps_apart(crowd->grid, member->from, unit->cell) <= 1) &&
           (glide->start >= 1 || astar_steps_apart(crowd->grid, glide->back, member->from) <= 1);
}

static void carry_member(AstarArchive *archive, const AstarCrowd *crowd, AstarMember *member)
{
    enum { LEAST = ASTAR_MAX_UNIT_PRIORITY, MOST = ASTAR_MOST_RESTED };
    uint32_t priority = (uint32_t)(member->priority + LEAST);
    member->from = astar_carry_below(archive, crowd->grid->cells, member->from);
    member->behind = astar_carry_below(archive, (uint32_t)INT32_MAX + 1, member->behind);
    member->stalled = (uint16_t)astar_carry_below(archive, UINT16_MAX + 1, member->stalled);
    member->priority = (int8_t)((int)astar_carry_below(archive, 2 * LEAST + 1, priority) - LEAST);
    member->is_held = astar_carry_below(archive, 2, member->is_held);
    member->has_arrived = astar_carry_below(archive, 2, member->has_arrived);
    member->came_by_link = astar_carry_below(archive, 2, member->came_by_link);
    member->has_lost = astar_carry_below(archive, 2, member->has_lost);
    member->is_supposed = astar_carry_below(archive, 2, member->is_supposed);
    member->rested = astar_carry_below(archive, MOST + 1, member->rested) & MOST;
    member->period = (astar_carry_below(archive, ASTAR_MAX_PERIOD, member->period - 1u) + 1) & MOST;
    member->heading = astar_carry_below(archive, ASTAR_HEADING_COUNT, member->heading) & 15;
    member->tries = astar_carry_below(archive, 4, member->tries) & 3;
}

// Saves or loads the numbers of a glide, which describes how a unit is drawn. Each number has 32
// bits.
static void carry_glide(AstarArchive *archive, AstarGlide *glide)
{
    uint32_t words[8];
    static_assert(offsetof(AstarGlide, haste) == sizeof words, "all but how it hurries");
    memcpy(words, glide, sizeof words);
    astar_carry_words(archive, words, 8);
    memcpy(glide, words, sizeof words);
}

// Saves or loads the goal of a unit. A target unit is saved by its number. A loaded target unit has
// generation 1, as all loaded units do.
static AstarStatus carry_goal(AstarArchive *archive, AstarCrowd *crowd, uint32_t index)
{
    enum { NO_GOAL, CHASED, UNKNOWN, KNOWN };
    AstarPibtUnit *unit = &crowd->units[index];
    const AstarGoalField none = {0}, *field = unit->field != NULL ? unit->field : &none;
    bool chases = field->target_unit != 0;
    uint32_t state = unit->field == NULL ? NO_GOAL : chases ? CHASED : UNKNOWN;
    state = astar_carry_below(archive, KNOWN + 1, astar_pibt_is_led(unit) ? KNOWN : state);
    chases |= state == CHASED;
    uint32_t bound = chases ? crowd->count.numbers : crowd->grid->cells;
    uint32_t target = astar_carry_below(archive, bound,
                                        chases ? (uint32_t)field->target_unit : field->goal);
    uint32_t range = astar_carry_below(archive, ASTAR_MAX_CROWD_RANGE + 1, field->range);
    if (state == NO_GOAL || !archive->is_loaded || archive->is_bad)
        return ASTAR_OK;
    AstarUnit target_unit = chases ? (AstarUnit)1 << 32 | target : 0;
    AstarGoalField *loaded = astar_crowd_field(crowd, target, range, unit->kind, target_unit);
    if (loaded == NULL)
        return ASTAR_NO_MEMORY;
    loaded->accounted = state == KNOWN;
    astar_crowd_use_field(loaded, astar_unit_area(crowd, index));
    unit->field = loaded;
    unit->flags = crowd->members[index].has_arrived ? ASTAR_PIBT_ARRIVED : 0;
    crowd->count.under_way += !crowd->members[index].has_arrived;
    return ASTAR_OK;
}

static AstarStatus carry_unit(AstarArchive *archive, AstarCrowd *crowd, uint32_t index)
{
    AstarPibtUnit *unit = &crowd->units[index];
    uint32_t side = crowd->sides != NULL ? crowd->sides[index] : 0;
    uint32_t own = astar_crowd_own_period(crowd, index);
    // The unit keeps pace with slower ones, so it has a longer period than its own.
    own = own < crowd->members[index].period ? own : 0;
    unit->cell = astar_carry_below(archive, crowd->grid->cells, unit->cell);
    unit->kind = (uint16_t)astar_carry_below(archive, (uint32_t)crowd->kind_count, unit->kind);
    side = astar_carry_below(archive, ASTAR_MAX_UNIT_SIDE + 1, side);
    // The unit's own period is computed from its pace.
    (void)astar_carry_below(archive, ASTAR_MAX_PERIOD + 1, own);
    if (archive->version > 1)
        (void)astar_carry_below(archive, 2, 0); // this bit of the format is not used any more
    carry_member(archive, crowd, &crowd->members[index]);
    if (crowd->glides != NULL)
        carry_glide(archive, &crowd->glides[index]);
    AstarStatus status = carry_goal(archive, crowd, index);
    if (status != ASTAR_OK || !archive->is_loaded)
        return status;
    crowd->sides[index] = (uint8_t)side;
    if (archive->is_bad || !is_unit_sound(crowd, index))
        return ASTAR_BAD_DATA;
    unit->ways = (uint64_t)crowd->members[index].heading << ASTAR_LAST_WAY_AT;
    crowd->members[index].is_there = true;
    crowd->order[crowd->count.there++] = index;
    crowd->count.covered += astar_unit_area(crowd, index);
    astar_pibt_place(&crowd->pibt, index);
    return ASTAR_OK;
}

// Saves or loads all units. The unused unit numbers follow, in the order in which new units will
// get them.
static AstarStatus carry_units(AstarArchive *archive, AstarCrowd *crowd, uint32_t there)
{
    AstarStatus status = ASTAR_OK;
    uint32_t *last = &crowd->count.first_free;
    for (uint32_t i = 0; i < crowd->count.numbers && status == ASTAR_OK; i++) {
        uint32_t index = archive->is_loaded ? 0 : i < there ? crowd->order[i] : *last;
        index = astar_carry_below(archive, crowd->count.numbers, index);
        AstarMember *member = &crowd->members[index];
        if (archive->is_loaded && (archive->is_bad || member->generation++ > 0))
            return ASTAR_BAD_DATA;
        if (i < there) {
            status = carry_unit(archive, crowd, index);
            continue;
        }
        *last = index;
        last = &member->from;
    }
    *last = ASTAR_NOBODY;
    return status;
}

// Converts the chases of dumps that were written before version 3 of the format. In those dumps, a
// range was measured between the north-west cells of the units and was at least as large as the
// larger unit. The converted range has the same effect.
static void recount_chases(AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count; i++) {
        AstarGoalField *field = crowd->goals.fields[i];
        uint32_t larger = (uint32_t)astar_greater(field->size, field->goal_size);
        if (field->target_unit != 0 && larger > 1 && field->range <= larger)
            field->range = 1;
    }
}

// The functions below save and load a whole crowd.

// Makes room for 'count' unit numbers. No unit has any of them yet.
static bool make_numbers(AstarCrowd *crowd, uint32_t count, bool has_glides)
{
    while (astar_crowd_need_unit(crowd) && crowd->count.numbers < count) {
        crowd->units[crowd->count.numbers] = (AstarPibtUnit){.next = ASTAR_NOWHERE};
        crowd->members[crowd->count.numbers++] = (AstarMember){.generation = 0};
    }
    return crowd->count.numbers == count && astar_crowd_need_sides(crowd) &&
           (!has_glides || astar_crowd_make_glides(crowd));
}

static AstarStatus carry_crowd(AstarArchive *archive, AstarCrowd *crowd)
{
    AstarCrowdOptions *options = &crowd->options;
    uint32_t left = archive->is_loaded ? (uint32_t)astar_archive_left(archive) : 0;
    options->bytes = (size_t)astar_carry(archive, options->bytes, 8);
    options->expansions = astar_carry(archive, options->expansions, 8);
    options->seed = astar_carry(archive, options->seed, 8);
    options->leaves_deadlocks = astar_carry_below(archive, 2, options->leaves_deadlocks);
    options->is_even = astar_carry_below(archive, 2, options->is_even);
    options->is_exclusive = astar_carry_below(archive, 2, options->is_exclusive);
    crowd->pibt.is_exclusive = options->is_exclusive;
    bool is_same = astar_carry_varint(archive, crowd->grid->cells) == crowd->grid->cells;
    is_same &= astar_carry_varint(archive, (uint32_t)crowd->kind_count) == crowd->kind_count;
    uint32_t count = astar_carry_below(archive, left, crowd->count.numbers);
    uint32_t there = astar_carry_below(archive, count + 1, crowd->count.there);
    bool has_glides = astar_carry_below(archive, 2, crowd->glides != NULL);
    crowd->pibt.has_sizes = astar_carry_below(archive, 2, crowd->pibt.has_sizes);
    crowd->beat.count = astar_carry(archive, crowd->beat.count, 8);
    crowd->beat.phase = astar_carry_double(archive, crowd->beat.phase);
    crowd->beat.is_resumed = true;
    if (archive->is_bad || options->expansions == 0 ||
        !(crowd->beat.phase >= 0 && crowd->beat.phase <= 1))
        return ASTAR_BAD_DATA;
    if (!is_same)
        return ASTAR_BAD_OPTION;
    if (archive->is_loaded && !make_numbers(crowd, count, has_glides))
        return ASTAR_NO_MEMORY;
    AstarStatus status = carry_units(archive, crowd, there);
    for (size_t i = 0; i < crowd->goals.count && status == ASTAR_OK; i++)
        if (crowd->goals.fields[i]->target_unit != 0 &&
            !astar_crowd_has(crowd, crowd->goals.fields[i]->target_unit))
            return ASTAR_BAD_DATA;
    if (status != ASTAR_OK || !archive->is_loaded)
        return status;
    astar_crowd_follow_target(crowd);
    if (archive->version < 3)
        recount_chases(crowd);
    return update_goal_fields(crowd);
}

// Saves a crowd, and removes from the crowd everything that is not saved. Kinds (data of finders)
// that no unit has are removed as well: the program that loads the crowd knows the finders of its
// units, but not all finders that the crowd ever had. Gridlocks will be detected again soon.
// Therefore a plan that was in progress is not counted as a failed plan of its units.
AstarStatus astar_crowd_save(AstarCrowd *crowd, void *bytes, size_t capacity, size_t *length)
{
    AstarArchive archive = astar_archive_save(bytes, capacity, saved_crowd, 3);
    AstarStatus status = ASTAR_OK;
    astar_crowd_disturb(crowd);
    for (uint32_t i = 0; i < crowd->count.numbers; i++)
        if (crowd->members[i].plan != ASTAR_MEMBER_FREE && crowd->members[i].tries > 0)
            crowd->members[i].tries--;
    astar_crowd_drop_plans(crowd);
    astar_resolving_release(crowd->plans.deadlock);
    crowd->plans.deadlock = NULL;
    astar_crowd_free_routes(crowd);
    for (size_t i = 0; i < crowd->kind_count && status == ASTAR_OK; i++)
        status = astar_kind_update(&crowd->kinds[i]);
    if (status == ASTAR_OK)
        status = update_goal_fields(crowd);
    if (status == ASTAR_OK)
        status = astar_crowd_sort_kinds(crowd);
    if (status == ASTAR_OK)
        status = carry_crowd(&archive, crowd);
    *length = astar_archive_close(&archive);
    return status;
}

AstarStatus astar_crowd_load(const void *bytes, size_t length, AstarFinder *const *finders,
                             size_t count, AstarCrowd **out)
{
    AstarArchive archive = astar_archive_load(bytes, length, saved_crowd, 3);
    const AstarCrowd *before = finders[0]->grid->crowd;
    AstarCrowd *crowd = NULL;
    uint32_t kind;
    AstarStatus status = astar_archive_status(&archive);
    for (size_t i = 0; i < count && status == ASTAR_OK; i++)
        status = i == 0 ? astar_crowd_new(finders[0], NULL, &crowd)
                        : astar_crowd_add_kind(crowd, finders[i], &kind);
    if (status == ASTAR_OK)
        status = carry_crowd(&archive, crowd);
    if (status == ASTAR_OK)
        status = astar_archive_end(&archive);
    if (status != ASTAR_OK) {
        astar_crowd_release(crowd);
        finders[0]->grid->crowd = before;
    } else
        *out = crowd;
    return status;
}
