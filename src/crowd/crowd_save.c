// crowd_save.c -- crowds as strings of bytes.
//
// What is saved are facts: options, units and their orders, how far each is drawn on its step, who
// goes first, and which goals have distances. Those are brought up to date when a crowd is saved,
// and worked out when it is loaded; routes and plans are let go by both, and all routes are found
// anew in the next beat. So both go on alike.
//
//     "astar crowd 1\n"
//     options and clock; how much there is; the goals, those with distances first
//     the units in the order of their turns, then the numbers nobody has, the next one first
//     the 64-bit FNV-1a hash of all before it
//
// Every number is checked, so that not even a forged string can do more than fail.

#include "base/archive.h"
#include "crowd/resolving.h"
#include "crowd/ways.h"

#include <float.h>

static const char saved_crowd[] = "astar crowd ";

// What is saved comes back as it was; what is loaded has to lie below a bound.
static uint32_t carry_below(AstarArchive *archive, uint32_t bound, uint32_t value)
{
    value = astar_carry_varint(archive, value);
    archive->is_bad |= archive->is_loaded && value >= bound;
    return archive->is_bad ? 0 : value;
}

static void carry_options(AstarArchive *archive, AstarCrowdOptions *options)
{
    unsigned flags = options->is_exclusive + 2u * options->leaves_knots + 4u * options->is_even;
    options->bytes = (size_t)astar_carry(archive, options->bytes, 8);
    options->expansions = astar_carry(archive, options->expansions, 8);
    options->seed = astar_carry(archive, options->seed, 8);
    flags = astar_carry_byte(archive, flags);
    options->is_exclusive = flags & 1;
    options->leaves_knots = flags >> 1 & 1;
    options->is_even = flags >> 2 & 1;
}

// ---- goals ----

// Who is chased is saved by its number, and the first to have that.
static AstarStatus carry_goals(AstarArchive *archive, AstarCrowd *crowd, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        AstarGoalField blank = {0}, *field = archive->is_loaded ? &blank : crowd->fields[i];
        uint32_t prey = field->prey != 0 ? (uint32_t)field->prey + 1 : 0;
        blank.goal = carry_below(archive, crowd->grid->cells, field->goal);
        blank.range = carry_below(archive, ASTAR_MAX_CROWD_RANGE + 1, field->range);
        blank.kind = carry_below(archive, (uint32_t)crowd->kind_count, field->kind);
        prey = carry_below(archive, crowd->unit_count + 1, prey);
        blank.users = carry_below(archive, 2, field->now.numbering != NULL); // until units are
        if (!archive->is_loaded)
            continue;
        blank.prey = prey > 0 ? (AstarUnit)1 << 32 | (prey - 1) : 0;
        field = astar_crowd_field(crowd, blank.goal, blank.range, blank.kind, blank.prey);
        if (field == NULL || archive->is_bad || crowd->field_count != i + 1)
            return field == NULL ? ASTAR_NO_MEMORY : ASTAR_BAD_DATA;
        field->users = blank.users;
    }
    return ASTAR_OK;
}

// Works out the distances of all goals that have users by now, whatever room there is.
static AstarStatus settle_goals(AstarCrowd *crowd)
{
    uint64_t work = UINT64_MAX;
    size_t bytes = crowd->options.bytes;
    crowd->quota = UINT64_MAX;
    crowd->options.bytes = SIZE_MAX / 2;
    AstarStatus status = astar_crowd_settle_fields(crowd, &work);
    crowd->options.bytes = bytes;
    astar_crowd_commit_fields(crowd);
    return status;
}

// Brings those up to date that have distances or were begun, and puts them before the others.
static AstarStatus order_goals(AstarCrowd *crowd, bool is_loaded)
{
    size_t known = 0;
    for (size_t i = 0; i < crowd->kind_count; i++)
        crowd->kinds[i].last_version = crowd->kinds[i].version;
    for (size_t i = 0; i < crowd->field_count; i++) {
        AstarGoalField *field = crowd->fields[i];
        field->chaser = is_loaded ? 0 : field->users;
        if (!is_loaded)
            field->users = field->now.numbering != NULL || field->charged > 0;
        field->since = UINT64_MAX; // no news
    }
    AstarStatus status = settle_goals(crowd);
    for (uint32_t i = 0; i < crowd->field_count; i++) {
        AstarGoalField *field = crowd->fields[i];
        field->users = field->chaser;
        field->since = field->used_at = crowd->beats;
        field->charged = 0;
        if (field->now.numbering == NULL)
            continue;
        crowd->fields[i] = crowd->fields[known];
        crowd->fields[known++] = field;
    }
    for (uint32_t i = 0; i < crowd->field_count; i++)
        crowd->fields[i]->sequence = crowd->fields[i]->chaser = i; // by which units tell their own
    crowd->sequence = crowd->field_count;
    return status;
}

// ---- units ----

// A number of no sign, which comes in the order of its bits, and is less than a bound.
static float carry_real(AstarArchive *archive, float bound, float value)
{
    uint32_t bits, bound_bits;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&bound_bits, &bound, sizeof bound);
    bits = carry_below(archive, bound_bits, bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void carry_glide(AstarArchive *archive, const AstarCrowd *crowd, AstarGlide *glide)
{
    enum { SLOWEST = ASTAR_MAX_PERIOD * ASTAR_BEAT, LONGEST = 4 * ASTAR_MAX_PERIOD };
    const float above_one = 1 + FLT_EPSILON;
    glide->back = carry_below(archive, crowd->grid->cells, glide->back);
    glide->pace = carry_below(archive, SLOWEST, glide->pace - 1) + 1;
    glide->left = carry_below(archive, LONGEST * ASTAR_BEAT, glide->left);
    glide->start = carry_real(archive, above_one, glide->start);
    glide->at = carry_real(archive, LONGEST, glide->at);
    glide->end = carry_real(archive, above_one, glide->end);
    glide->turn = carry_real(archive, INFINITY, glide->turn);
    glide->angle = (float)astar_carry_double(archive, (double)glide->angle);
    archive->is_bad |= archive->is_loaded && fabsf(glide->angle) > 4;
}

static bool are_cells_beside(const AstarCrowd *crowd, uint32_t cell, uint32_t other)
{
    int x, y, other_x, other_y;
    astar_cell_xy(crowd->grid, cell, &x, &y);
    astar_cell_xy(crowd->grid, other, &other_x, &other_y);
    return abs(x - other_x) <= 1 && abs(y - other_y) <= 1;
}

// Whether a unit can be where it is, and be drawn on its way there.
static bool is_unit_sound(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarMember *member = &crowd->members[index];
    const AstarGlide *glide = crowd->glides != NULL ? &crowd->glides[index] : &ASTAR_NEW_GLIDE;
    int x, y;
    astar_cell_xy(crowd->grid, unit->cell, &x, &y);
    return astar_pibt_is_free(&crowd->pibt, &crowd->kinds[unit->kind], x, y, ASTAR_NOBODY) &&
           (unit->field == NULL || unit->field->kind == unit->kind) &&
           (member->came_by_link ? glide->end >= 1
                                 : are_cells_beside(crowd, member->from, unit->cell)) &&
           (glide->start >= 1 || are_cells_beside(crowd, glide->back, member->from));
}

static AstarStatus settle_unit_in(AstarCrowd *crowd, uint32_t index)
{
    AstarPibtUnit *unit = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    if (member->is_there || !is_unit_sound(crowd, index))
        return ASTAR_BAD_DATA;
    member->generation = 1;
    member->is_there = true;
    crowd->order[crowd->there++] = index;
    crowd->covered += astar_unit_area(crowd, index);
    crowd->under_way += unit->field != NULL && !member->has_arrived;
    unit->flags = unit->field != NULL && member->has_arrived ? ASTAR_PIBT_SETTLED : 0;
    if (unit->field != NULL)
        astar_crowd_use_field(crowd->fields[unit->field->chaser], astar_unit_area(crowd, index));
    astar_pibt_place(&crowd->pibt, index);
    return ASTAR_OK;
}

static void carry_member(AstarArchive *archive, const AstarCrowd *crowd, AstarMember *member)
{
    enum { LEAST = ASTAR_MAX_UNIT_PRIORITY, MOST = ASTAR_MOST_RESTED };
    uint32_t priority = (uint32_t)(member->priority + LEAST);
    member->from = carry_below(archive, crowd->grid->cells, member->from);
    member->behind = carry_below(archive, (uint32_t)INT32_MAX + 1, member->behind);
    member->stalled = (uint16_t)carry_below(archive, UINT16_MAX + 1, member->stalled);
    member->priority = (int8_t)((int)carry_below(archive, 2 * LEAST + 1, priority) - LEAST);
    member->is_held = carry_below(archive, 2, member->is_held);
    member->has_arrived = carry_below(archive, 2, member->has_arrived);
    member->came_by_link = carry_below(archive, 2, member->came_by_link);
    member->has_lost = carry_below(archive, 2, member->has_lost);
    member->is_supposed = carry_below(archive, 2, member->is_supposed);
    member->rested = carry_below(archive, MOST + 1, member->rested) & MOST;
    member->period = (carry_below(archive, ASTAR_MAX_PERIOD, member->period - 1u) + 1) & MOST;
    member->heading = carry_below(archive, ASTAR_HEADING_COUNT, member->heading) & 15;
    member->tries = carry_below(archive, 4, member->tries) & 3;
}

static AstarStatus carry_unit(AstarArchive *archive, AstarCrowd *crowd, uint32_t index)
{
    AstarPibtUnit *unit = &crowd->units[index];
    uint32_t field = unit->field != NULL ? unit->field->chaser + 1 : 0;
    uint32_t side = crowd->sides != NULL ? crowd->sides[index] : 0;
    uint32_t own = crowd->own_periods != NULL ? crowd->own_periods[index] : 0;
    unit->cell = carry_below(archive, crowd->grid->cells, unit->cell);
    unit->kind = (uint16_t)carry_below(archive, (uint32_t)crowd->kind_count, unit->kind);
    field = carry_below(archive, (uint32_t)crowd->field_count + 1, field);
    side = carry_below(archive, ASTAR_MAX_UNIT_SIDE + 1, side);
    own = carry_below(archive, ASTAR_MAX_PERIOD + 1, own);
    carry_member(archive, crowd, &crowd->members[index]);
    if (crowd->glides != NULL)
        carry_glide(archive, crowd, &crowd->glides[index]);
    if (!archive->is_loaded || archive->is_bad)
        return astar_archive_status(archive);
    unit->ways = (uint64_t)crowd->members[index].heading << ASTAR_LAST_WAY_AT;
    unit->field = field > 0 ? crowd->fields[field - 1] : NULL;
    crowd->sides[index] = (uint8_t)side;
    crowd->own_periods[index] = (uint16_t)own;
    return settle_unit_in(crowd, index);
}

// Numbers that nobody has are linked in the order in which they are given again.
static AstarStatus carry_units(AstarArchive *archive, AstarCrowd *crowd, uint32_t there)
{
    AstarStatus status = ASTAR_OK;
    uint32_t *last = &crowd->first_free;
    for (uint32_t i = 0; i < crowd->unit_count && status == ASTAR_OK; i++) {
        uint32_t index = archive->is_loaded ? 0 : i < there ? crowd->order[i] : *last;
        index = carry_below(archive, crowd->unit_count, index);
        if (archive->is_bad || (archive->is_loaded && crowd->members[index].generation > 0))
            return ASTAR_BAD_DATA;
        if (i < there) {
            status = carry_unit(archive, crowd, index);
            continue;
        }
        crowd->members[index].generation += archive->is_loaded;
        *last = index;
        last = &crowd->members[index].from;
    }
    *last = ASTAR_NOBODY;
    return status;
}

// ---- the crowd ----

// Makes room for so many numbers, which nobody has yet.
static AstarStatus make_numbers(AstarCrowd *crowd, uint32_t count, bool has_glides)
{
    AstarStatus status = astar_crowd_need_unit(crowd);
    while (status == ASTAR_OK && crowd->unit_count < count) {
        crowd->units[crowd->unit_count] = (AstarPibtUnit){.next = ASTAR_NOWHERE};
        crowd->members[crowd->unit_count++] = (AstarMember){.generation = 0};
        status = astar_crowd_need_unit(crowd);
    }
    if (status == ASTAR_OK)
        status = astar_crowd_need_sides(crowd);
    if (status == ASTAR_OK)
        status = astar_crowd_need_own_periods(crowd);
    if (status == ASTAR_OK && has_glides && !astar_crowd_make_glides(crowd))
        status = ASTAR_NO_MEMORY;
    return status;
}

// Whether all who are chased are there, and where the goals are.
static bool are_chases_sound(const AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->field_count; i++) {
        const AstarGoalField *field = crowd->fields[i];
        uint32_t prey = astar_crowd_index(crowd, field->prey);
        if (field->prey != 0 && (prey == ASTAR_NOBODY || crowd->units[prey].cell != field->goal))
            return false;
    }
    return true;
}

static AstarStatus carry_crowd(AstarArchive *archive, AstarCrowd *crowd)
{
    uint32_t left = archive->is_loaded ? (uint32_t)astar_archive_left(archive) : 0;
    bool is_same = astar_carry_varint(archive, crowd->grid->cells) == crowd->grid->cells;
    is_same &= astar_carry_varint(archive, (uint32_t)crowd->kind_count) == crowd->kind_count;
    uint32_t count = carry_below(archive, left, crowd->unit_count);
    uint32_t there = carry_below(archive, count + 1, crowd->there);
    uint32_t goals = carry_below(archive, left, (uint32_t)crowd->field_count);
    bool has_glides = carry_below(archive, 2, crowd->glides != NULL);
    crowd->pibt.has_sizes = carry_below(archive, 2, crowd->pibt.has_sizes);
    crowd->beats = astar_carry(archive, crowd->beats, 8);
    crowd->phase = astar_carry_double(archive, crowd->phase);
    crowd->is_resumed = true;
    if (archive->is_bad || !(crowd->phase >= 0 && crowd->phase <= 1))
        return ASTAR_BAD_DATA;
    if (!is_same)
        return ASTAR_BAD_OPTION;
    AstarStatus status = ASTAR_OK;
    if (archive->is_loaded)
        status = make_numbers(crowd, count, has_glides);
    if (status == ASTAR_OK)
        status = carry_goals(archive, crowd, goals);
    if (status == ASTAR_OK && archive->is_loaded)
        status = order_goals(crowd, true);
    return status == ASTAR_OK ? carry_units(archive, crowd, there) : status;
}

// Lets go of what is not saved. Knots are tied up again soon: who waits for that, or was led out,
// has not had this try.
static AstarStatus round_off(AstarCrowd *crowd)
{
    AstarStatus status = ASTAR_OK;
    astar_crowd_disturb(crowd);
    for (uint32_t i = 0; i < crowd->unit_count; i++)
        if (crowd->members[i].plan != ASTAR_MEMBER_FREE && crowd->members[i].tries > 0)
            crowd->members[i].tries--;
    astar_crowd_drop_plans(crowd);
    astar_resolving_release(crowd->knot);
    crowd->knot = NULL;
    astar_crowd_free_routes(crowd);
    for (size_t i = 0; i < crowd->kind_count && status == ASTAR_OK; i++)
        status = astar_kind_update(&crowd->kinds[i]);
    return status == ASTAR_OK ? order_goals(crowd, false) : status;
}

AstarStatus astar_crowd_save(AstarCrowd *crowd, void *bytes, size_t capacity, size_t *length)
{
    AstarStatus status = round_off(crowd);
    if (status != ASTAR_OK)
        return status;
    AstarArchive archive = astar_archive_save(bytes, capacity, saved_crowd, 1);
    carry_options(&archive, &crowd->options);
    carry_crowd(&archive, crowd);
    *length = astar_archive_close(&archive);
    return ASTAR_OK;
}

AstarStatus astar_crowd_load(const void *bytes, size_t length, AstarFinder *const *finders,
                             size_t count, AstarCrowd **out)
{
    AstarArchive archive = astar_archive_load(bytes, length, saved_crowd, 1);
    AstarCrowdOptions options = {0};
    AstarCrowd *crowd = NULL;
    uint32_t kind;
    carry_options(&archive, &options);
    if (archive.is_bad || options.expansions == 0)
        return ASTAR_BAD_DATA;
    AstarStatus status = astar_crowd_new(finders[0], &options, &crowd);
    for (size_t i = 1; i < count && status == ASTAR_OK; i++)
        status = astar_crowd_add_kind(crowd, finders[i], &kind);
    if (status == ASTAR_OK)
        status = carry_crowd(&archive, crowd);
    if (status == ASTAR_OK)
        status = are_chases_sound(crowd) ? astar_archive_end(&archive) : ASTAR_BAD_DATA;
    if (status != ASTAR_OK)
        astar_crowd_release(crowd);
    else
        *out = crowd;
    return status;
}
