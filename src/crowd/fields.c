// fields.c -- the distances of a crowd: shared by goal, worked out within a beat's budget.
//
// Which fields are in force in which beat must not depend on how the work was sliced. So every beat
// may spend as much: on the field it has begun, then on the one whose units have waited longest,
// all of them together, be it for its first distances or, on a map that has changed, for new ones.
// What is done ahead of a beat is tried: it comes in force with it, or, should anything change
// before, is put back and looked at anew; then most of it need not be done again.
//
// A field that nobody uses any more is kept while there is room, the one used last the longest.
// Where there is no room for another, its units wait.

#include "crowd/crowd.h"

#include "base/array.h"
#include "crowd/field_build.h"

enum { FIRST_FIELD_SLOTS = 16, FIRST_FIELDS = 8 };

// ---- the table ----

static size_t slot_of(const AstarCrowd *crowd, uint32_t goal, uint32_t kind)
{
    uint64_t hash = ((uint64_t)kind << 32 | goal) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) & (crowd->goals.slot_count - 1);
}

// What is looked for: of who is chased its number, for the goal moves.
static uint32_t key_of_field(const AstarGoalField *field)
{
    return field->prey != 0 ? (uint32_t)field->prey : field->goal;
}

// Puts all fields into the slots, which are empty.
static void fill_slots(AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count; i++) {
        AstarGoalField *field = crowd->goals.fields[i];
        AstarGoalField **slot =
            &crowd->goals.slots[slot_of(crowd, key_of_field(field), field->kind)];
        field->next = *slot;
        *slot = field;
    }
}

// Makes room for one more field; false without memory.
static bool need_field(AstarCrowd *crowd)
{
    AstarGoalFields *goals = &crowd->goals;
    size_t before = goals->slot_count, count = before == 0 ? FIRST_FIELD_SLOTS : 2 * before;
    if (!ASTAR_RESERVE(&crowd->allocator, goals->fields, goals->count, 1, &goals->capacity,
                       FIRST_FIELDS))
        return false;
    if (goals->count < before)
        return true;
    AstarGoalField **slots = astar_alloc(&crowd->allocator, count, sizeof *slots);
    if (slots == NULL)
        return false;
    astar_release(&crowd->allocator, goals->slots, before, sizeof *slots);
    goals->slots = slots;
    goals->slot_count = count;
    fill_slots(crowd);
    return true;
}

void astar_crowd_renumber_fields(AstarCrowd *crowd, const uint32_t *numbers)
{
    AstarGoalFields *goals = &crowd->goals;
    if (goals->count == 0)
        return;
    for (size_t i = 0; i < goals->count; i++)
        goals->fields[i]->kind = numbers[goals->fields[i]->kind];
    memset(goals->slots, 0, goals->slot_count * sizeof *goals->slots);
    fill_slots(crowd);
}

AstarGoalField *astar_crowd_field(AstarCrowd *crowd, uint32_t goal, uint32_t range, uint32_t kind,
                                  AstarUnit prey)
{
    uint32_t key = prey != 0 ? (uint32_t)prey : goal;
    if (crowd->goals.slot_count > 0)
        for (AstarGoalField *field = crowd->goals.slots[slot_of(crowd, key, kind)]; field != NULL;
             field = field->next)
            if (field->prey == prey && (prey != 0 || field->goal == goal) &&
                field->range == range && field->kind == kind)
                return field;
    AstarGoalField *field = NULL;
    if (!need_field(crowd) || (field = astar_alloc(&crowd->allocator, 1, sizeof *field)) == NULL)
        return NULL;
    *field = (AstarGoalField){.goal = goal,
                              .range = range,
                              .size = (uint16_t)astar_kind_size(&crowd->kinds[kind]),
                              .goal_size = 1,
                              .kind = kind,
                              .prey = prey,
                              .since = crowd->beat.count,
                              .sequence = crowd->goals.sequence++};
    crowd->goals.chases += prey != 0;
    if (prey != 0)
        astar_crowd_aim_at_prey(crowd, field);
    AstarGoalField **slot = &crowd->goals.slots[slot_of(crowd, key, kind)];
    field->next = *slot;
    *slot = field;
    crowd->goals.fields[crowd->goals.count++] = field;
    return field;
}

// Counts distances that come in force, or go out: a numbering with the first of those it is of. How
// many share one depends on who looked at the map when: so no limit counts them.
static void count_distances(AstarCrowd *crowd, const AstarDistances *distances)
{
    crowd->goals.distance_bytes += distances->bytes;
    if (distances->numbering != NULL && distances->numbering->in_force++ == 0)
        crowd->goals.numbering_bytes += astar_numbering_bytes(distances->numbering);
}

static void discount_distances(AstarCrowd *crowd, const AstarDistances *distances)
{
    crowd->goals.distance_bytes -= distances->bytes;
    if (distances->numbering != NULL && --distances->numbering->in_force == 0)
        crowd->goals.numbering_bytes -= astar_numbering_bytes(distances->numbering);
}

static void drop_what_was_begun(AstarCrowd *crowd, AstarGoalField *field)
{
    if (crowd->goals.built == field) {
        astar_field_build_stop(&crowd->goals.build);
        crowd->goals.built = NULL;
    }
    astar_distances_free(&field->fresh, &crowd->allocator);
    field->charged = 0;
}

static void drop_field(AstarCrowd *crowd, AstarGoalField *field)
{
    AstarGoalField **place = &crowd->goals.slots[slot_of(crowd, key_of_field(field), field->kind)];
    crowd->goals.chases -= field->prey != 0;
    while (*place != field)
        place = &(*place)->next;
    *place = field->next;
    size_t at = 0;
    while (crowd->goals.fields[at] != field)
        at++;
    crowd->goals.fields[at] = crowd->goals.fields[--crowd->goals.count];
    drop_what_was_begun(crowd, field);
    discount_distances(crowd, &field->now);
    astar_distances_free(&field->now, &crowd->allocator);
    astar_release(&crowd->allocator, field, 1, sizeof *field);
}

void astar_crowd_free_fields(AstarCrowd *crowd)
{
    while (crowd->goals.count > 0)
        drop_field(crowd, crowd->goals.fields[crowd->goals.count - 1]);
    astar_release(&crowd->allocator, crowd->goals.fields, crowd->goals.capacity,
                  sizeof *crowd->goals.fields);
    astar_release(&crowd->allocator, crowd->goals.slots, crowd->goals.slot_count,
                  sizeof *crowd->goals.slots);
    astar_field_build_free(&crowd->goals.build);
    astar_field_build_free(&crowd->window);
}

void astar_crowd_use_field(AstarGoalField *field, uint32_t area)
{
    field->users++;
    field->area += area;
}

void astar_crowd_leave_field(AstarCrowd *crowd, AstarGoalField *field, uint32_t area)
{
    field->area -= area;
    if (--field->users > 0)
        return;
    field->used_at = crowd->beat.count;
    drop_what_was_begun(crowd, field);
    if (field->now.numbering == NULL)
        drop_field(crowd, field);
}

// ---- which is to be worked out ----

bool astar_crowd_is_news(const AstarCrowd *crowd, const AstarGoalField *field)
{
    const AstarCrowdKind *kind = &crowd->kinds[field->kind];
    return kind->version != kind->last_version ||
           (field->now.numbering == NULL && field->since == crowd->beat.count);
}

// Whether what was begun of a field still counts, worked out for a version. Once a beat has begun
// it, blocks put up or taken away do not matter to it, for it has its own cells; all else does.
// What can be told here of a map must not come true again by other edits, or it would depend on who
// looked when.
static bool may_build_on(const AstarCrowd *crowd, const AstarGoalField *field, uint64_t version,
                         uint64_t rules_version)
{
    const AstarCrowdKind *kind = &crowd->kinds[field->kind];
    return version == kind->version ||
           (field->charged > 0 && kind->is_uniform && rules_version == kind->rules_version &&
            !astar_grid_has_links_or_walls(crowd->grid));
}

// Whether a field is one that a beat has begun, and that need not be begun anew. That is told by
// what it was charged for, and not by the build: somebody may have looked at another map meanwhile.
static bool is_begun(const AstarCrowd *crowd, const AstarGoalField *field)
{
    return field->charged > 0 &&
           may_build_on(crowd, field, field->charged_version, field->charged_rules_version);
}

// What it was charged that still counts. What does not may count again, once an edit is undone: so
// it is kept until a beat takes place.
static uint64_t charge_so_far(const AstarCrowd *crowd, const AstarGoalField *field)
{
    return is_begun(crowd, field) ? field->charged : 0;
}

// The field begun, else the one waited for longest, by all its units together: without distances
// those who share a goal cannot tell who has arrived. NULL: all are up to date.
static AstarGoalField *next_field(const AstarCrowd *crowd)
{
    AstarGoalField *next = NULL;
    uint64_t longest = 0;
    for (size_t i = 0; i < crowd->goals.count; i++) {
        AstarGoalField *field = crowd->goals.fields[i];
        const AstarDistances *now = &field->now;
        if (field->users == 0 || field->is_tried || field->prey != 0 ||
            (now->numbering != NULL && now->version == crowd->kinds[field->kind].version))
            continue;
        if (is_begun(crowd, field))
            return field;
        uint64_t waited = (crowd->beat.count - field->since + 1) * field->users;
        if (waited > longest || (waited == longest && field->sequence < next->sequence)) {
            longest = waited;
            next = field;
        }
    }
    return next;
}

// The field nobody uses, used longest ago, of the same beat the one made first.
static AstarGoalField *least_used_field(const AstarCrowd *crowd)
{
    AstarGoalField *least = NULL;
    for (size_t i = 0; i < crowd->goals.count; i++) {
        AstarGoalField *field = crowd->goals.fields[i];
        if (field->users > 0 || field->is_leaving)
            continue;
        if (least == NULL || field->used_at < least->used_at ||
            (field->used_at == least->used_at && field->sequence < least->sequence))
            least = field;
    }
    return least;
}

// The bytes that a field's distances take up, of those before less.
static size_t bytes_needed(const AstarCrowd *crowd, const AstarGoalField *field)
{
    const AstarCrowdKind *kind = &crowd->kinds[field->kind];
    unsigned shift = kind->packing.shift > 0 ? kind->packing.shift : 1;
    size_t bytes = (((size_t)kind->free_cells << shift) + 7) / 8 + 1;
    return bytes > field->now.bytes ? bytes - field->now.bytes : 0;
}

bool astar_crowd_make_room(AstarCrowd *crowd, size_t needed)
{
    while (crowd->goals.distance_bytes + needed >
           crowd->options.bytes + crowd->goals.leaving_bytes) {
        AstarGoalField *least = least_used_field(crowd);
        if (least == NULL)
            return false;
        least->is_leaving = true;
        crowd->goals.leaving_bytes += least->now.bytes;
    }
    return true;
}

// ---- working it out ----

// Has what was worked out of a field changed places with what is in force.
static void swap_distances(AstarCrowd *crowd, AstarGoalField *field)
{
    AstarDistances before = field->now;
    discount_distances(crowd, &before);
    count_distances(crowd, &field->fresh);
    field->now = field->fresh;
    field->fresh = before;
    field->is_tried = !field->is_tried;
}

// Sees to it that the build is that of the field, for the version it needs.
static AstarStatus need_build(AstarCrowd *crowd, AstarGoalField *field)
{
    AstarFieldBuild *build = &crowd->goals.build;
    if (crowd->goals.built == field &&
        may_build_on(crowd, field, build->made.version, build->made.rules_version))
        return ASTAR_OK;
    astar_field_build_stop(build);
    crowd->goals.built = NULL;
    AstarStatus status = astar_field_repair_begin(build, &crowd->kinds[field->kind], field);
    if (status == ASTAR_OK)
        crowd->goals.built = field;
    return status;
}

// Works a field out as far as this beat's quota goes.
static AstarStatus work_field_out(AstarCrowd *crowd, AstarGoalField *field, uint64_t *work)
{
    if (field->fresh.numbering != NULL) {
        if (may_build_on(crowd, field, field->fresh.version, field->fresh.rules_version))
            return ASTAR_OK;
        astar_distances_free(&field->fresh, &crowd->allocator);
    }
    AstarStatus status = need_build(crowd, field);
    if (status != ASTAR_OK)
        return status;
    AstarFieldBuild *build = &crowd->goals.build;
    uint64_t most = charge_so_far(crowd, field) + crowd->goals.quota;
    while (build->spent < most) {
        uint64_t slice = most - build->spent < *work ? most - build->spent : *work, left = slice;
        status = astar_field_repair_step(build, &left);
        *work -= slice - left;
        if (status == ASTAR_OK) {
            field->cost = build->spent;
            astar_field_build_deliver(build, &field->fresh);
            crowd->goals.built = NULL;
            return ASTAR_OK;
        }
        if (status != ASTAR_RUNNING || *work == 0)
            return status;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_crowd_settle_fields(AstarCrowd *crowd, uint64_t *work)
{
    while (crowd->goals.quota > 0) {
        AstarGoalField *field = next_field(crowd);
        if (field == NULL || !astar_crowd_make_room(crowd, bytes_needed(crowd, field)))
            break;
        uint64_t share = crowd->options.expansions / ASTAR_NEWS_SHARE + 1;
        if (crowd->goals.quota > share && !is_begun(crowd, field) &&
            astar_crowd_is_news(crowd, field))
            crowd->goals.quota = share;
        AstarStatus status = work_field_out(crowd, field, work);
        uint64_t most = charge_so_far(crowd, field) + crowd->goals.quota;
        bool is_done = status == ASTAR_OK && field->cost <= most;
        if (!is_done &&
            (status == ASTAR_OK || (status == ASTAR_RUNNING && crowd->goals.build.spent >= most))) {
            crowd->goals.charged = field;
            crowd->goals.charge = crowd->goals.quota;
            crowd->goals.quota = 0;
            break;
        }
        if (!is_done)
            return status;
        crowd->goals.quota -= field->cost - charge_so_far(crowd, field);
        swap_distances(crowd, field);
    }
    return ASTAR_OK;
}

// Where the field was worked out for blocks before, its charge is for those.
static void charge_field(const AstarCrowd *crowd, AstarGoalField *field)
{
    const AstarDistances *made = field->fresh.numbering != NULL ? &field->fresh
                                                                : &crowd->goals.build.made;
    field->charged = charge_so_far(crowd, field) + crowd->goals.charge;
    field->charged_version = made->version;
    field->charged_rules_version = made->rules_version;
}

void astar_crowd_commit_fields(AstarCrowd *crowd)
{
    if (crowd->goals.charged != NULL)
        charge_field(crowd, crowd->goals.charged);
    crowd->goals.charged = NULL;
    crowd->goals.leaving_bytes = 0;
    for (size_t i = crowd->goals.count; i-- > 0;) {
        AstarGoalField *field = crowd->goals.fields[i];
        if (field->is_leaving) {
            drop_field(crowd, field);
        } else if (field->is_tried) {
            field->is_tried = false;
            astar_distances_free(&field->fresh, &crowd->allocator);
            field->charged = 0;
            field->since = crowd->beat.count;
        }
    }
}

void astar_crowd_revert_fields(AstarCrowd *crowd)
{
    crowd->goals.charged = NULL;
    crowd->goals.leaving_bytes = 0;
    for (size_t i = 0; i < crowd->goals.count; i++) {
        crowd->goals.fields[i]->is_leaving = false;
        if (crowd->goals.fields[i]->is_tried)
            swap_distances(crowd, crowd->goals.fields[i]);
    }
}
