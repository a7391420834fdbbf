// goal_fields.c -- distances from all cells to the goals of a crowd.
//
// Units with the same goal share one field of distances. A field is computed within the budget of a
// tick, packed to a few bits a cell, and repaired after edits.

#include "parts/crowd/goal_fields.h"

#include "base/array.h"
#include "parts/crowd/crowd.h"
#include "parts/crowd/orders.h"

#include <assert.h>

// ------------------------------------------------------------------------------------------------
// Distances to goals. Units with the same goal share a field of distances. Fields are computed
// within the budget of a tick.
//
// The result of a tick must not depend on how its work was divided into steps. Therefore every tick
// spends the same amount of work. A field that an earlier tick has started comes first, then the
// field whose units have waited longest in total. A field waits for its first distances, or for new
// ones after an edit. Distances that are computed ahead of a tick are used only on trial. Such
// distances become permanent when the tick is complete. If the map or an order changes before, the
// old distances are restored, and the field is checked again. Most of the work need not be
// repeated.
//
// A field without units is kept while there is memory, the field that was used last for longest. If
// there is no memory for a new field, its units wait.
// ------------------------------------------------------------------------------------------------

enum { FIRST_FIELD_SLOTS = 16, FIRST_FIELDS = 8 };

// The functions below keep the fields of a crowd in a hash table and count their memory.

static size_t slot_of(const AstarCrowd *crowd, uint32_t goal, uint32_t kind)
{
    uint64_t hash = ((uint64_t)kind << 32 | goal) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) & (crowd->goals.slot_count - 1);
}

// Returns the key of a field in the hash table. The key is the goal cell or, if the goal is a
// target unit, the number of that unit, because the cell of a target unit changes.
static uint32_t key_of_field(const AstarGoalField *field)
{
    return field->target_unit != 0 ? (uint32_t)field->target_unit : field->goal;
}

// Puts all fields of a crowd into the slots of the hash table. The slots must be empty.
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

// Makes room for one more field in a crowd. Returns false if memory is short.
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

ASTAR_COLD AstarGoalField *astar_crowd_field(AstarCrowd *crowd, uint32_t goal, uint32_t range,
                                             uint32_t kind, AstarUnit target_unit)
{
    uint32_t key = target_unit != 0 ? (uint32_t)target_unit : goal;
    if (crowd->goals.slot_count > 0)
        for (AstarGoalField *field = crowd->goals.slots[slot_of(crowd, key, kind)]; field != NULL;
             field = field->next)
            if (field->target_unit == target_unit && (target_unit != 0 || field->goal == goal) &&
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
                              .target_unit = target_unit,
                              .since = crowd->beat.count,
                              .sequence = crowd->goals.sequence++};
    crowd->goals.chases += target_unit != 0;
    if (target_unit != 0)
        astar_crowd_aim_at_target(crowd, field);
    AstarGoalField **slot = &crowd->goals.slots[slot_of(crowd, key, kind)];
    field->next = *slot;
    *slot = field;
    crowd->goals.fields[crowd->goals.count++] = field;
    return field;
}

// Adds the memory of some distances to the memory in use. A numbering of cells is counted once,
// with the first distances that use it. Numberings are not subject to the crowd's memory limit,
// because the number of fields that share a numbering depends on when the map was read.
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
    field->accounted = 0;
}

ASTAR_COLD static void drop_field(AstarCrowd *crowd, AstarGoalField *field)
{
    AstarGoalField **place = &crowd->goals.slots[slot_of(crowd, key_of_field(field), field->kind)];
    crowd->goals.chases -= field->target_unit != 0;
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

ASTAR_COLD void astar_crowd_leave_field(AstarCrowd *crowd, AstarGoalField *field, uint32_t area)
{
    field->area -= area;
    if (--field->users > 0)
        return;
    field->used_at = crowd->beat.count;
    drop_what_was_begun(crowd, field);
    if (field->now.numbering == NULL)
        drop_field(crowd, field);
}

// The functions below choose the field to compute next, and make room for its distances.

bool astar_crowd_is_news(const AstarCrowd *crowd, const AstarGoalField *field)
{
    const AstarCrowdKind *kind = &crowd->kinds[field->kind];
    return kind->version != kind->last_version ||
           (field->now.numbering == NULL && field->since == crowd->beat.count);
}

// Returns true if distances of a field that were started for 'version' of the map may still be
// completed. Changes of blocks do not matter if an earlier tick has worked on the distances,
// because the computation has its own copy of the walkable cells. All other edits make the
// distances invalid. A further edit must never make them valid again, because then the result would
// depend on when the map was read.
static bool may_build_on(const AstarCrowd *crowd, const AstarGoalField *field, uint64_t version,
                         uint64_t rules_version)
{
    const AstarCrowdKind *kind = &crowd->kinds[field->kind];
    return version == kind->version ||
           (field->accounted > 0 && kind->is_uniform && rules_version == kind->rules_version &&
            !astar_grid_has_links_or_walls(crowd->grid));
}

// Returns true if an earlier tick has worked on a field and that work is still valid. The test
// reads the recorded work ('accounted' of the field), not the computation in progress, because the
// computation may have been restarted for another version of the map.
static bool is_begun(const AstarCrowd *crowd, const AstarGoalField *field)
{
    return field->accounted > 0 &&
           may_build_on(crowd, field, field->charged_version, field->charged_rules_version);
}

// Returns the work that earlier ticks have done on a field, or 0 if that work is not valid any
// more. Work that is not valid may become valid again if an edit is undone, so the record is kept
// until the tick is complete.
static uint64_t accounted_so_far(const AstarCrowd *crowd, const AstarGoalField *field)
{
    return is_begun(crowd, field) ? field->accounted : 0;
}

// Returns the field to compute next. The result is the field that an earlier tick has started, or
// else the field whose units have waited longest in total. Returns NULL if all fields are up to
// date. The units of one goal wait together, because none can arrive before the goal has distances.
static AstarGoalField *next_field(const AstarCrowd *crowd)
{
    AstarGoalField *next = NULL;
    uint64_t longest = 0;
    for (size_t i = 0; i < crowd->goals.count; i++) {
        AstarGoalField *field = crowd->goals.fields[i];
        const AstarDistances *now = &field->now;
        if (field->users == 0 || field->is_tried || field->target_unit != 0 ||
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

// Returns the field without units that was used longest ago, or NULL if all fields have units. If
// several were used last in the same tick, returns the one that was made first.
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

// Returns by how many bytes the new distances of a field are larger than its old ones, or 0 if they
// are not larger.
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

// The functions below compute fields within the budget of a tick, and keep or discard the results.

// Swaps the distances that units follow and the new distances of a field.
ASTAR_COLD static void swap_distances(AstarCrowd *crowd, AstarGoalField *field)
{
    AstarDistances before = field->now;
    discount_distances(crowd, &before);
    count_distances(crowd, &field->fresh);
    field->now = field->fresh;
    field->fresh = before;
    field->is_tried = !field->is_tried;
}

// Ensures that the computation in progress belongs to 'field' and to a version of the map that is
// still valid. Starts another computation if it does not.
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

// Computes the distances of a field until they are complete or the budget of this tick is used up.
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
    uint64_t most = accounted_so_far(crowd, field) + crowd->goals.quota;
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

ASTAR_COLD AstarStatus astar_crowd_compute_fields(AstarCrowd *crowd, uint64_t *work)
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
        uint64_t most = accounted_so_far(crowd, field) + crowd->goals.quota;
        bool is_done = status == ASTAR_OK && field->cost <= most;
        if (!is_done &&
            (status == ASTAR_OK || (status == ASTAR_RUNNING && crowd->goals.build.spent >= most))) {
            crowd->goals.accounted = field;
            crowd->goals.account = crowd->goals.quota;
            crowd->goals.quota = 0;
            break;
        }
        if (!is_done)
            return status;
        crowd->goals.quota -= field->cost - accounted_so_far(crowd, field);
        swap_distances(crowd, field);
    }
    return ASTAR_OK;
}

// Records how much work this tick has spent on an incomplete field, and for which version of the
// map its distances are computed.
static void account_field(const AstarCrowd *crowd, AstarGoalField *field)
{
    const AstarDistances *made = field->fresh.numbering != NULL ? &field->fresh
                                                                : &crowd->goals.build.made;
    field->accounted = accounted_so_far(crowd, field) + crowd->goals.account;
    field->charged_version = made->version;
    field->charged_rules_version = made->rules_version;
}

ASTAR_COLD void astar_crowd_commit_fields(AstarCrowd *crowd)
{
    if (crowd->goals.accounted != NULL)
        account_field(crowd, crowd->goals.accounted);
    crowd->goals.accounted = NULL;
    crowd->goals.leaving_bytes = 0;
    for (size_t i = crowd->goals.count; i-- > 0;) {
        AstarGoalField *field = crowd->goals.fields[i];
        if (field->is_leaving) {
            drop_field(crowd, field);
        } else if (field->is_tried) {
            field->is_tried = false;
            astar_distances_free(&field->fresh, &crowd->allocator);
            field->accounted = 0;
            field->since = crowd->beat.count;
        }
    }
}

void astar_crowd_revert_fields(AstarCrowd *crowd)
{
    crowd->goals.accounted = NULL;
    crowd->goals.leaving_bytes = 0;
    for (size_t i = 0; i < crowd->goals.count; i++) {
        crowd->goals.fields[i]->is_leaving = false;
        if (crowd->goals.fields[i]->is_tried)
            swap_distances(crowd, crowd->goals.fields[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// The distances of all cells to a goal, before they are packed.
//
// Dijkstra's algorithm runs backward from the goal, with buckets no wider than the shortest step.
// With such buckets no cell of a bucket can lower the distance of another cell of the same bucket.
// Distances are stored with a base that grows from field to field. The values of the last field
// therefore need not be cleared: all values below the base mean "no distance".
// ------------------------------------------------------------------------------------------------

enum { FIRST_BUCKET = 64, CELLS_A_WORK_PACKED = 8 };

static void empty_field_ring(AstarFieldBuild *build)
{
    for (size_t i = 0; build->waiting > 0 && i < build->ring_size; i++)
        build->ring[i].count = 0;
    build->bucket = build->position = build->kept = build->waiting = 0;
}

void astar_field_build_stop(AstarFieldBuild *build)
{
    astar_distances_free(&build->made, &build->allocator);
    build->repair.field = NULL;
    build->kind = NULL;
    empty_field_ring(build);
}

static void free_field_ring(AstarFieldBuild *build)
{
    for (size_t i = 0; i < build->ring_size; i++)
        astar_release(&build->allocator, build->ring[i].cells, build->ring[i].capacity,
                      sizeof(uint32_t));
    astar_release(&build->allocator, build->ring, build->ring_size, sizeof *build->ring);
    build->ring = NULL;
    build->ring_size = 0;
}

void astar_field_build_free(AstarFieldBuild *build)
{
    AstarAllocator allocator = build->allocator;
    astar_field_build_stop(build);
    free_field_ring(build);
    astar_release(&allocator, build->distances, build->cell_capacity, sizeof *build->distances);
    astar_release(&allocator, build->repair.cells, build->repair.capacity, sizeof(uint32_t));
    *build = (AstarFieldBuild){.allocator = allocator};
}

size_t astar_field_build_bytes(const AstarFieldBuild *build)
{
    size_t bytes = build->made.bytes + build->ring_size * sizeof *build->ring +
                   (build->cell_capacity + build->repair.capacity) * sizeof(uint32_t);
    for (size_t i = 0; i < build->ring_size; i++)
        bytes += build->ring[i].capacity * sizeof(uint32_t);
    return bytes;
}

// The functions below start the computation of the distances to one goal.

// Allocates a ring of buckets that is large enough for the longest step of the units of one finder
// ('kind'). The shortest step counts as 1 if the finder avoids a field or the map has links.
static AstarStatus need_ring(AstarFieldBuild *build, const AstarCrowdKind *kind)
{
    uint64_t longest = kind->packing.modulus > 0 ? kind->packing.modulus / 2 : ASTAR_LONGEST_STEP;
    size_t size = 4;
    build->shift = kind->packing.modulus > 0 ? (unsigned)astar_highest_bit(kind->shortest) : 0;
    while (size < (longest >> build->shift) + 2)
        size *= 2;
    if (build->ring_size >= size)
        return ASTAR_OK;
    AstarFieldBucket *ring = astar_alloc(&build->allocator, size, sizeof *ring);
    if (ring == NULL)
        return ASTAR_NO_MEMORY;
    free_field_ring(build);
    build->ring = ring;
    build->ring_size = size;
    return ASTAR_OK;
}

static AstarStatus need_distances(AstarFieldBuild *build, uint32_t cells)
{
    if (build->cell_capacity == cells)
        return ASTAR_OK;
    uint32_t *distances = astar_array_resize(&build->allocator, build->distances, 0,
                                             sizeof *distances, &build->cell_capacity, cells);
    if (distances == NULL)
        return ASTAR_NO_MEMORY;
    build->distances = distances;
    build->base = 2;
    return ASTAR_OK;
}

static bool grow_bucket(const AstarFieldBuild *build, AstarFieldBucket *bucket)
{
    uint32_t *cells = astar_array_grow(&build->allocator, bucket->cells, bucket->count,
                                       sizeof *cells, &bucket->capacity, 0, FIRST_BUCKET);
    bucket->cells = cells != NULL ? cells : bucket->cells;
    return cells != NULL;
}

AstarStatus astar_field_build_put(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    AstarFieldBucket *bucket = astar_field_bucket(build, distance >> build->shift);
    if (build->base + distance > UINT32_MAX)
        return ASTAR_OK; // a distance as large as this is not stored
    if (bucket->count == bucket->capacity && !grow_bucket(build, bucket))
        return ASTAR_NO_MEMORY;
    bucket->cells[bucket->count++] = cell;
    build->waiting++;
    build->reached++;
    build->distances[cell] = (uint32_t)(build->base + distance);
    if (distance > build->farthest)
        build->farthest = distance;
    return ASTAR_OK;
}

// Raises the base above all distances of the last field, so that these distances are treated as
// unknown.
static void raise_base(AstarFieldBuild *build)
{
    build->base += build->farthest + 2;
    build->farthest = 0;
    // At least half of the range of 32-bit numbers must be free for the distances of the next
    // field. Most fields need far less.
    if (build->base > UINT32_MAX / 2 || build->kind->packing.shift == 5) {
        memset(build->distances, 0, build->cell_capacity * sizeof *build->distances);
        build->base = 2;
    }
}

AstarStatus astar_field_build_again(AstarFieldBuild *build)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    raise_base(build);
    empty_field_ring(build);
    build->reached = 0;
    build->word = 0;
    build->is_spread = false;
    AstarCellBox goal = astar_cells_of_aim(grid, &build->aim, astar_kind_size(build->kind));
    AstarStatus status = ASTAR_OK;
    for (int y = goal.y0; y <= goal.y1; y++)
        for (int x = goal.x0; x <= goal.x1 && status == ASTAR_OK; x++)
            if (astar_bits_get(&build->made.numbering->bits, x, y))
                status = astar_field_build_put(build, astar_cell(grid, x, y), 0);
    return status;
}

AstarStatus astar_field_build_begin(AstarFieldBuild *build, AstarCrowdKind *kind, AstarCrowdAim aim)
{
    AstarStatus status = need_ring(build, kind);
    if (status == ASTAR_OK)
        status = need_distances(build, astar_kind_grid(kind)->cells);
    if (status == ASTAR_OK && kind->numbering == NULL)
        status = astar_numbering_new(&build->allocator, kind->bits, &kind->numbering);
    if (status != ASTAR_OK)
        return status;
    int x, y;
    astar_cell_xy(astar_kind_grid(kind), aim.cell, &x, &y);
    build->kind = kind;
    kind->numbering->references++;
    build->made = (AstarDistances){.numbering = kind->numbering,
                                   .packing = kind->packing,
                                   .parity = (uint8_t)((x + y) & 1),
                                   .is_uniform = kind->is_uniform,
                                   .scale = kind->scale,
                                   .version = kind->version,
                                   .rules_version = kind->rules_version,
                                   .map_version = astar_kind_grid(kind)->version,
                                   .field_version = astar_finder_field_version(kind->finder)};
    build->aim = aim;
    build->spent = 0;
    status = astar_field_build_again(build);
    if (status != ASTAR_OK)
        astar_field_build_stop(build);
    return status;
}

// The functions below list the steps into a cell or out of it.

AstarFieldSteps astar_field_steps(const AstarFieldBuild *build, uint32_t cell, bool are_back)
{
    const AstarCrowdKind *kind = build->kind;
    const AstarGrid *grid = astar_kind_grid(kind);
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    unsigned free = astar_bits_around(&build->made.numbering->bits, x, y);
    AstarFieldSteps steps = {.cell = cell, .are_back = are_back};
    steps.moves = astar_legal_moves_on(grid, kind->finder->rule, x, y, free, are_back);
    for (int i = 0; i < 2 && are_back; i++)
        steps.lengths[i] = astar_kind_step(kind, cell, i != 0);
    if (astar_grid_has_links(grid))
        steps.link = are_back ? astar_arcs_first_to(grid->links_and_walls, cell)
                              : astar_arcs_first_from(grid->links_and_walls, cell);
    return steps;
}

static bool next_field_link(const AstarFieldBuild *build, AstarFieldSteps *steps, uint32_t *other,
                            uint32_t *length)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *arc;
    while ((arc = astar_arc_at(steps->are_back ? &links->back : &links->arcs, steps->link++)) !=
               NULL &&
           (steps->are_back ? arc->to : arc->from) == steps->cell) {
        *other = steps->are_back ? arc->from : arc->to;
        *length = astar_kind_length_of(build->kind, arc->cost, false);
        if (astar_bits_has(grid, &build->made.numbering->bits, *other))
            return true;
    }
    return false;
}

bool astar_next_field_step(const AstarFieldBuild *build, AstarFieldSteps *steps, uint32_t *other,
                           uint32_t *length)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    if (steps->moves == 0)
        return astar_grid_has_links(grid) && next_field_link(build, steps, other, length);
    int d = astar_lowest_bit(steps->moves);
    steps->moves &= steps->moves - 1;
    *other = steps->cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
    *length = steps->are_back ? steps->lengths[d & 1]
                              : astar_kind_step(build->kind, *other, (d & 1) != 0);
    return true;
}

// The functions below run Dijkstra's algorithm.

// The data that the inner loop of Dijkstra's algorithm reads. The data are copied, so that the
// compiler knows that stores to the distances do not change them.
typedef struct FieldSweep {
    AstarFieldBuild *build;
    // Table of the legal steps out of each cell; NULL: they are computed for each cell.
    const uint8_t *moves;
    uint32_t *distances;
    AstarFieldBucket *ring;
    size_t mask; // number of buckets in the ring, minus 1
    unsigned shift;
    uint32_t base, grid_width;
    uint32_t lengths[2]; // lengths of a straight and a diagonal step over ground of one cost
    bool has_diagonals, has_links;
} FieldSweep;

// Lowers the distance of a neighbour if the new distance 'way' is less, and adds the neighbour to
// the bucket at '*end'. The processor cannot predict well whether a neighbour gets nearer.
// Therefore the function has no branch: the comparison only selects the values that are stored. If
// the step in direction 'd' is illegal, the cell itself takes the place of the neighbour.
ASTAR_SPECIALIZE void lower_beside(const FieldSweep *sweep, uint32_t cell, unsigned moves,
                                   uint32_t way, int d, uint32_t **end)
{
    uint32_t is_legal = moves >> d & 1;
    uint32_t offset = (uint32_t)astar_dy[d] * sweep->grid_width + (uint32_t)astar_dx[d];
    uint32_t to = cell + (offset & (0 - is_legal)), known = sweep->distances[to];
    // If the known distance is below the base, the subtraction wraps to a very large number, and
    // the known distance is treated as farther.
    bool is_nearer = known - sweep->base > way;
    sweep->distances[to] = is_nearer ? sweep->base + way : known;
    **end = to;
    *end += is_nearer;
}

// Returns the bucket of a distance. Makes room in it for all neighbours of a cell. Returns NULL if
// memory is short.
ASTAR_SPECIALIZE AstarFieldBucket *roomy_bucket(const FieldSweep *sweep, uint32_t distance)
{
    AstarFieldBucket *bucket = &sweep->ring[distance >> sweep->shift & sweep->mask];
    bool has_room = bucket->count + ASTAR_DIRECTIONS < bucket->capacity;
    return has_room || grow_bucket(sweep->build, bucket) ? bucket : NULL;
}

// Lowers the distances of the neighbours in four directions: direction 'first' and every second one
// after it. Returns the number of neighbours whose distances were lowered.
ASTAR_SPECIALIZE uint32_t lower_four(const FieldSweep *sweep, uint32_t cell, unsigned moves,
                                     uint32_t way, int first, AstarFieldBucket *bucket)
{
    uint32_t *begin = bucket->cells + bucket->count, *end = begin;
    lower_beside(sweep, cell, moves, way, first, &end);
    lower_beside(sweep, cell, moves, way, first + 2, &end);
    lower_beside(sweep, cell, moves, way, first + 4, &end);
    lower_beside(sweep, cell, moves, way, first + 6, &end);
    bucket->count += (size_t)(end - begin);
    return (uint32_t)(end - begin);
}

static AstarStatus sweep_links(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    AstarStatus status = ASTAR_OK;
    AstarFieldSteps steps = astar_field_steps(build, cell, true);
    uint32_t other, length;
    for (steps.moves = 0;
         status == ASTAR_OK && astar_next_field_step(build, &steps, &other, &length);)
        if (!astar_field_build_has(build, other) ||
            build->distances[other] - build->base > distance + length)
            status = astar_field_build_put(build, other, distance + length);
    return status;
}

// Lowers the distances of all neighbours of a cell. Returns the number of distances that were
// lowered, or UINT32_MAX if memory is short. 'is_plain' is true if all ground costs the same and
// there is a table of legal steps.
ASTAR_SPECIALIZE uint32_t expand_swept(const FieldSweep *sweep, uint32_t cell, uint32_t distance,
                                       bool is_plain)
{
    const AstarCrowdKind *kind = sweep->build->kind;
    uint32_t straight = sweep->lengths[0], diagonal = sweep->lengths[1];
    unsigned moves = is_plain || sweep->moves != NULL
                         ? sweep->moves[cell]
                         : astar_field_steps(sweep->build, cell, true).moves;
    if (!is_plain) {
        straight = astar_kind_step(kind, cell, false);
        diagonal = astar_kind_step(kind, cell, true);
    }
    AstarFieldBucket *ahead = roomy_bucket(sweep, distance + straight);
    AstarFieldBucket *beyond = roomy_bucket(sweep, distance + diagonal);
    if (ahead == NULL || beyond == NULL)
        return UINT32_MAX;
    uint32_t more = lower_four(sweep, cell, moves, distance + straight, 0, ahead);
    if (sweep->has_diagonals)
        more += lower_four(sweep, cell, moves, distance + diagonal, 1, beyond);
    return more;
}

// Returns true if the table of the legal steps of this kind of unit can be used. The table must
// describe the same map as this computation, and every step must also be possible backward.
static bool has_table(const AstarFieldBuild *build)
{
    const AstarCrowdKind *kind = build->kind;
    const AstarCornerRule *rule = kind->finder->rule;
    return build->made.version == kind->version && !kind->has_one_way_walls &&
           memcmp(rule->legal[0], rule->legal[1], 256) == 0;
}

// Expands the cells of the current bucket and counts the cells that are reached. A cell is counted
// again whenever its distance is lowered. If all steps are straight and of equal length, each cell
// is counted once. The count is used only in this case.
ASTAR_SPECIALIZE AstarStatus sweep_field_bucket(FieldSweep sweep, uint64_t *work, bool is_plain)
{
    AstarFieldBuild *build = sweep.build;
    const AstarFieldBucket *bucket = astar_field_bucket(build, build->bucket);
    size_t position = build->position;
    uint64_t left = *work;
    uint32_t reached = 0, first = (uint32_t)build->bucket << sweep.shift;
    AstarStatus status = ASTAR_OK;
    for (; position < bucket->count; position++) {
        uint32_t cell = bucket->cells[position], distance = sweep.distances[cell] - sweep.base;
        if (distance < first)
            continue; // the distance of this cell was lowered, and the cell was expanded before
        uint32_t more = left == 0 ? UINT32_MAX : expand_swept(&sweep, cell, distance, is_plain);
        if (more == UINT32_MAX) {
            status = left == 0 ? ASTAR_RUNNING : ASTAR_NO_MEMORY;
            break;
        }
        reached += more;
        left--;
        if (!is_plain && sweep.has_links)
            status = sweep_links(build, cell, distance);
        if (status != ASTAR_OK)
            break;
    }
    build->position = position;
    build->waiting += reached;
    build->reached += reached;
    astar_field_build_spend(build, work, *work - left);
    return status;
}

void astar_field_build_next_bucket(AstarFieldBuild *build)
{
    AstarFieldBucket *bucket = astar_field_bucket(build, build->bucket);
    build->waiting -= bucket->count - build->kept;
    bucket->count = build->kept;
    build->position = build->kept = 0;
    build->bucket++;
}

static FieldSweep begin_field_sweep(AstarFieldBuild *build)
{
    const AstarCrowdKind *kind = build->kind;
    const AstarGrid *grid = astar_kind_grid(kind);
    return (FieldSweep){.build = build,
                        .moves = has_table(build) ? kind->table.moves : NULL,
                        .distances = build->distances,
                        .ring = build->ring,
                        .mask = build->ring_size - 1,
                        .shift = build->shift,
                        .base = (uint32_t)build->base,
                        .grid_width = (uint32_t)grid->width,
                        .lengths = {kind->lengths[0], kind->lengths[1]},
                        .has_diagonals = kind->finder->rule->has_diagonals,
                        .has_links = astar_grid_has_links(grid)};
}

AstarStatus astar_field_build_spread(AstarFieldBuild *build, uint64_t *work)
{
    const FieldSweep sweep = begin_field_sweep(build);
    const bool is_plain = build->made.is_uniform && sweep.moves != NULL;
    while (build->waiting > 0) {
        build->farthest = ((build->bucket + 1) << build->shift) + ASTAR_LONGEST_STEP;
        if (build->base + build->farthest > UINT32_MAX)
            break; // distances as large as this are not stored
        AstarStatus status = is_plain ? sweep_field_bucket(sweep, work, true)
                                      : sweep_field_bucket(sweep, work, false);
        if (status != ASTAR_OK)
            return status;
        astar_field_build_next_bucket(build);
    }
    build->is_spread = true;
    return ASTAR_OK;
}

// The functions below pack the distances to a few bits per cell.

AstarStatus astar_field_build_need_values(AstarFieldBuild *build)
{
    AstarDistances *made = &build->made;
    made->bytes = (size_t)((((uint64_t)made->numbering->count << made->packing.shift) + 7) / 8) + 1;
    made->values = astar_alloc(&build->allocator, made->bytes, 1);
    return made->values != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Starts to pack the distances. One bit per cell is enough if the goal is one cell and every cell
// has a distance. Otherwise a value for "no route" is needed as well.
static AstarStatus begin_packing(AstarFieldBuild *build)
{
    if (build->made.packing.shift == 0 &&
        (build->reached < build->made.numbering->count || build->aim.range > 0))
        build->made.packing = (AstarPacking){1, 3};
    return astar_field_build_need_values(build);
}

// Packed bits that do not fill a byte yet.
typedef struct PackedTail {
    uint8_t *bytes;
    uint64_t bits;
    unsigned count;
} PackedTail;

ASTAR_SPECIALIZE void flush_packed(PackedTail *tail, unsigned least)
{
    for (; tail->count >= least && tail->count > 0; tail->bits >>= 8) {
        *tail->bytes++ |= (uint8_t)tail->bits;
        tail->count = tail->count > 8 ? tail->count - 8 : 0;
    }
}

// Packs the distances of up to 64 cells whose bits are in one word of the bitmap of walkable cells.
// 'shift' and 'modulus' are constants in each call, so that the compiler can specialize the loop.
ASTAR_SPECIALIZE void pack_word(AstarFieldBuild *build, unsigned shift, uint32_t modulus)
{
    const AstarBits *bits = &build->made.numbering->bits;
    size_t row = build->word / bits->stride, column = build->word % bits->stride;
    const uint32_t *distances = build->distances +
                                (row - 1) * (size_t)astar_kind_grid(build->kind)->width +
                                column * 64;
    uint64_t at = (uint64_t)build->made.numbering->before[build->word] << shift;
    PackedTail tail = {build->made.values + (size_t)(at >> 3), 0, (unsigned)at & 7};
    for (uint64_t rest = bits->words[build->word]; rest != 0; rest &= rest - 1) {
        uint32_t known = distances[astar_lowest_bit(rest) - 1];
        uint32_t value = astar_packed_value(build, known, shift, modulus);
        tail.bits |= (uint64_t)value << tail.count;
        tail.count += 1u << shift;
        if (tail.count >= 32)
            flush_packed(&tail, 8);
    }
    flush_packed(&tail, 1);
}

static void pack_next_word(AstarFieldBuild *build)
{
    switch (build->made.packing.shift) {
    case 0: pack_word(build, 0, 4); break;
    case 1: pack_word(build, 1, 3); break;
    case 2: pack_word(build, 2, 15); break;
    case 3: pack_word(build, 3, 255); break;
    case 4: pack_word(build, 4, 65535); break;
    default: pack_word(build, 5, 0); break;
    }
}

static AstarStatus pack_distances(AstarFieldBuild *build, uint64_t *work)
{
    const AstarBits *bits = &build->made.numbering->bits;
    for (; build->word < bits->count; build->word++) {
        if (bits->words[build->word] == 0)
            continue;
        if (*work == 0)
            return ASTAR_RUNNING;
        pack_next_word(build);
        astar_field_build_spend(build, work, 64 / CELLS_A_WORK_PACKED);
    }
    return ASTAR_OK;
}

AstarStatus astar_field_build_step(AstarFieldBuild *build, uint64_t *work)
{
    AstarStatus status = build->is_spread ? ASTAR_OK : astar_field_build_spread(build, work);
    if (status == ASTAR_OK && build->made.values == NULL)
        status = begin_packing(build);
    return status == ASTAR_OK ? pack_distances(build, work) : status;
}

void astar_field_build_deliver(AstarFieldBuild *build, AstarDistances *out)
{
    *out = build->made;
    build->made = (AstarDistances){.numbering = NULL};
    astar_field_build_stop(build);
}

// ------------------------------------------------------------------------------------------------
// The functions below number the walkable cells of a map, and read the packed distances of a field.
// ------------------------------------------------------------------------------------------------

AstarStatus astar_numbering_new(const AstarAllocator *allocator, const AstarBits *bits,
                                AstarNumbering **out)
{
    AstarNumbering *numbering = astar_alloc(allocator, 1, sizeof *numbering);
    if (numbering == NULL)
        return ASTAR_NO_MEMORY;
    numbering->references = 1;
    numbering->allocator = *allocator;
    numbering->bits = *bits;
    numbering->bits.words = astar_alloc(allocator, bits->count, sizeof *bits->words);
    numbering->before = astar_alloc(allocator, bits->count, sizeof *numbering->before);
    if (numbering->bits.words == NULL || numbering->before == NULL) {
        astar_numbering_release(numbering);
        return ASTAR_NO_MEMORY;
    }
    memcpy(numbering->bits.words, bits->words, bits->count * sizeof *bits->words);
    for (size_t word = 0; word < bits->count; word++) {
        numbering->before[word] = numbering->count;
        numbering->count += astar_count_bits(bits->words[word]);
    }
    *out = numbering;
    return ASTAR_OK;
}

void astar_numbering_release(AstarNumbering *numbering)
{
    if (numbering == NULL || --numbering->references > 0)
        return;
    AstarAllocator allocator = numbering->allocator;
    astar_release(&allocator, numbering->before, numbering->bits.count, sizeof *numbering->before);
    astar_bits_free(&allocator, &numbering->bits);
    astar_release(&allocator, numbering, 1, sizeof *numbering);
}

size_t astar_numbering_bytes(const AstarNumbering *numbering)
{
    return sizeof *numbering + numbering->bits.count * (sizeof(uint64_t) + sizeof(uint32_t));
}

void astar_distances_free(AstarDistances *distances, const AstarAllocator *allocator)
{
    astar_numbering_release(distances->numbering);
    astar_release(allocator, distances->values, distances->bytes, 1);
    *distances = (AstarDistances){0};
}

// Returns the distance of a packed entry, modulo the field's modulus. With one bit per cell, the
// lowest bit of the distance is not stored: it is the parity of x + y relative to the goal.
ASTAR_SPECIALIZE uint32_t value_of_entry(const AstarGoalField *field, uint32_t entry, int x, int y,
                                         unsigned shift)
{
    if (shift == 0)
        return entry << 1 | (((uint32_t)(x + y) ^ field->now.parity) & 1);
    return entry == astar_packed_none(shift) ? ASTAR_NO_VALUE : entry;
}

ASTAR_SPECIALIZE uint32_t value_of_number(const AstarGoalField *field, uint32_t number, int x,
                                          int y, unsigned shift)
{
    return value_of_entry(field, astar_packed_entry(field->now.values, number, shift), x, y, shift);
}

uint32_t astar_goal_field_value(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    assert(field->now.numbering != NULL);
    if (!astar_bits_get(&field->now.numbering->bits, x, y))
        return ASTAR_NO_VALUE;
    return value_of_number(field, astar_number_of(field->now.numbering, x, y), x, y,
                           field->now.packing.shift);
}

// Returns some bits, of which the lowest are the packed entry of the cell 'number'. In packings of
// up to 4 bits per cell they contain the next two entries as well. A byte after the last entry is
// always allocated (astar_field_build_need_values).
ASTAR_SPECIALIZE unsigned three_entries(const uint8_t *values, uint32_t number, unsigned shift)
{
    const uint8_t *bytes = values + (number >> (3 - shift));
    return ((unsigned)bytes[0] | (unsigned)bytes[1] << 8) >> ((number << shift) & 7);
}

// Three neighbouring cells of a row: which of them have numbers, the first of these numbers, and
// the packed entries, which follow each other.
typedef struct FieldRow {
    unsigned three;
    uint32_t number;
    // The packed entries of the three cells; set only if three entries fit in 16 bits.
    unsigned entries;
} FieldRow;

ASTAR_SPECIALIZE FieldRow read_row(const AstarGoalField *field, int x, int y, unsigned shift)
{
    const AstarNumbering *numbering = field->now.numbering;
    size_t first = (size_t)(y + 1) * numbering->bits.stride, word = (size_t)x >> 6;
    const uint64_t *row = numbering->bits.words + first;
    FieldRow read = {.three = astar_bits_three(row, x)};
    read.number = numbering->before[first + word] +
                  astar_count_bits(row[word] & (((uint64_t)1 << (x & 63)) - 1));
    if (shift < 3 && read.three != 0)
        read.entries = three_entries(field->now.values, read.number, shift);
    return read;
}

// Returns the distance, modulo the field's modulus, of one of three neighbouring cells of a row.
// 'i' is the index of the cell, counted from the west.
ASTAR_SPECIALIZE uint32_t value_in_row(const AstarGoalField *field, const FieldRow *row, int x,
                                       int y, unsigned shift, int i)
{
    unsigned before = i == 0   ? 0
                      : i == 1 ? row->three & 1
                               : (row->three & 1) + (row->three >> 1 & 1);
    if ((row->three >> i & 1) == 0)
        return ASTAR_NO_VALUE;
    if (shift >= 3)
        return value_of_number(field, row->number + before, x - 1 + i, y, shift);
    uint32_t entry = row->entries >> (before << shift) & astar_packed_none(shift);
    return value_of_entry(field, entry, x - 1 + i, y, shift);
}

ASTAR_SPECIALIZE void read_beside(const AstarGoalField *field, int x, int y, unsigned wanted,
                                  unsigned shift, uint32_t *values, int west, int middle, int east)
{
    FieldRow row = read_row(field, x, y, shift);
    values[middle] = value_in_row(field, &row, x, y, shift, 1);
    if ((wanted & (1u << west | 1u << east)) == 0)
        return;
    values[west] = value_in_row(field, &row, x, y, shift, 0);
    values[east] = value_in_row(field, &row, x, y, shift, 2);
}

ASTAR_SPECIALIZE void read_around(const AstarGoalField *field, int x, int y, unsigned wanted,
                                  unsigned shift, uint32_t *values)
{
    if ((wanted & 0x83) != 0)
        read_beside(field, x, y - 1, wanted, shift, values, 7, 0, 1);
    read_beside(field, x, y, wanted, shift, values, 6, ASTAR_DIRECTIONS, 2);
    if ((wanted & 0x38) != 0)
        read_beside(field, x, y + 1, wanted, shift, values, 5, 4, 3);
}

void astar_goal_field_around(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell,
                             unsigned wanted, uint32_t values[ASTAR_DIRECTIONS + 1])
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    switch (field->now.packing.shift) {
    case 0: read_around(field, x, y, wanted, 0, values); break;
    case 1: read_around(field, x, y, wanted, 1, values); break;
    case 2: read_around(field, x, y, wanted, 2, values); break;
    case 3: read_around(field, x, y, wanted, 3, values); break;
    default: read_around(field, x, y, wanted, field->now.packing.shift, values); break;
    }
}

// ------------------------------------------------------------------------------------------------
// Repair of distances to a goal after edits (after G. Ramalingam and T. Reps, "An Incremental
// Algorithm for a Generalization of the Shortest-Path Problem", 1996).
//
// First, the cells around an edit are raised. A cell loses its distance if no step accounts for
// this distance any more. In this case the cells whose distances may have come from that cell are
// checked as well. Second, the cells are lowered to the distances that their neighbours offer, and
// Dijkstra's algorithm continues from these cells. The packed distances are copied, except for the
// cells that changed. Units use the old distances until the new ones are complete.
//
// Packed distances give only the differences between neighbours. Therefore the full distances
// around the edits are recovered by descending to the goal, or to a cell whose distance is already
// recovered. After that, the neighbours of a cell are recovered before its own distance changes.
// ------------------------------------------------------------------------------------------------

// FIRST_MENDED is the first capacity of the list of cells. WORK_A_MENDED is the work that one cell
// takes in a repair. This is more than in a full computation, because its steps are computed one by
// one and the packed values of all neighbours are read. CELLS_A_WORK_COPIED is the number of cells
// that are copied for one work unit.
enum { FIRST_MENDED = 64, WORK_A_MENDED = 4, CELLS_A_WORK_COPIED = 128 };

// The functions below list the cells around edits, whose distances may change.

static AstarStatus list_mended(AstarFieldBuild *build, uint32_t cell)
{
    AstarFieldRepair *repair = &build->repair;
    if (repair->count == repair->capacity) {
        uint32_t *cells = astar_array_grow(&build->allocator, repair->cells, repair->count,
                                           sizeof *cells, &repair->capacity, 0, FIRST_MENDED);
        if (cells == NULL)
            return ASTAR_NO_MEMORY;
        repair->cells = cells;
    }
    repair->cells[repair->count++] = cell;
    return ASTAR_OK;
}

// Returns true if so many cells need repair that a full computation of the field is less work.
static bool is_much_to_mend(const AstarFieldBuild *build)
{
    uint64_t most = astar_kind_grid(build->kind)->cells / 4 + 64;
    return build->repair.count > most || build->spent > WORK_A_MENDED * most;
}

// Adds the cells of a rectangle to the list of cells to repair. Cells outside the grid are skipped.
static AstarStatus list_rectangle(AstarFieldBuild *build, int x0, int y0, int x1, int y1)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    AstarStatus status = ASTAR_OK;
    for (int y = y0 > 0 ? y0 : 0; y <= y1 && y < grid->height; y++)
        for (int x = x0 > 0 ? x0 : 0; x <= x1 && x < grid->width && status == ASTAR_OK; x++)
            status = list_mended(build, astar_cell(grid, x, y));
    return status;
}

// Lists every cell that has become walkable or blocked, and the cells around it.
static AstarStatus list_opened_and_closed(AstarFieldBuild *build)
{
    const AstarBits *now = &build->made.numbering->bits;
    const AstarBits *before = &build->repair.field->now.numbering->bits;
    AstarStatus status = ASTAR_OK;
    for (size_t word = 0; word < now->count && !is_much_to_mend(build); word++)
        for (uint64_t rest = now->words[word] ^ before->words[word]; rest != 0; rest &= rest - 1) {
            int x = (int)(word % now->stride * 64) + astar_lowest_bit(rest) - 1;
            int y = (int)(word / now->stride) - 1;
            if (status == ASTAR_OK)
                status = list_rectangle(build, x - 1, y - 1, x + 1, y + 1);
        }
    return status;
}

// Lists the cells around edits of the terrain, because their costs may have changed. Edits of
// blocks are not listed here. Edits of blocks change no costs, and list_opened_and_closed finds the
// cells that they block or free.
static AstarStatus list_edited_ground(AstarFieldBuild *build)
{
    const AstarFinder *finder = build->kind->finder;
    const AstarEditLog *log = &finder->grid->log;
    AstarStatus status = ASTAR_OK;
    uint64_t left = astar_edit_log_since(log, build->repair.field->now.map_version);
    for (; status == ASTAR_OK && left > 0 && !is_much_to_mend(build); left--) {
        const AstarEdit *edit = astar_edit_log_at(log, log->made - left);
        if (astar_edit_is_at_cells(edit))
            status = list_rectangle(build, edit->x - finder->options.size,
                                    edit->y - finder->options.size, edit->x + edit->width,
                                    edit->y + edit->height);
    }
    return status;
}

// The functions below recover full distances from packed ones.

static inline bool is_recalled(const AstarFieldBuild *build, uint32_t cell)
{
    return build->distances[cell] + UINT64_C(1) >= build->base;
}

static void forget_distance(AstarFieldBuild *build, uint32_t cell)
{
    build->distances[cell] = (uint32_t)build->base - 1;
}

static void put_recalled(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    build->distances[cell] = (uint32_t)(build->base + distance);
    if (distance > build->farthest)
        build->farthest = distance;
}

// Returns the directions of the steps that led out of a cell before the edits, as bits. Writes the
// packed distances of its neighbours to 'values'.
static unsigned values_around(const AstarFieldBuild *build, uint32_t cell,
                              uint32_t values[ASTAR_DIRECTIONS + 1])
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    const AstarGoalField *field = build->repair.field;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    unsigned free = astar_bits_around(&field->now.numbering->bits, x, y);
    unsigned moves = astar_legal_moves_on(grid, build->kind->finder->rule, x, y, free, false);
    astar_goal_field_around(grid, field, cell, moves, values);
    return moves;
}

// Replaces '*cell' by its neighbour that is nearest to the goal. Returns the difference between the
// distances of the two cells.
static uint64_t step_down(const AstarFieldBuild *build, uint32_t *cell)
{
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = values_around(build, *cell, values);
    int64_t best = 0;
    int way = 0;
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        int64_t farther = astar_goal_field_difference(build->repair.field, values[d],
                                                      values[ASTAR_DIRECTIONS]);
        way = farther < best ? d : way;
        best = farther < best ? farther : best;
    }
    *cell += (uint32_t)(astar_dy[way] * astar_kind_grid(build->kind)->width + astar_dx[way]);
    return (uint64_t)-best;
}

static void recall_distance(AstarFieldBuild *build, uint32_t cell)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    if (is_recalled(build, cell))
        return;
    uint64_t value = astar_goal_field_value(grid, build->repair.field, cell), steps = 0;
    if (value == ASTAR_NO_VALUE) {
        forget_distance(build, cell);
        return;
    }
    if (build->made.packing.modulus > 0) {
        uint32_t at = cell;
        for (value = 0; !is_recalled(build, at); steps++)
            value += step_down(build, &at);
        value += build->distances[at] - build->base;
    }
    put_recalled(build, cell, value);
    build->spent += steps;
}

// Computes the full distances of all neighbours of a cell from their packed distances. The cell
// itself must still have the distance that it had before the edits.
static void recall_beside(AstarFieldBuild *build, uint32_t cell)
{
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = values_around(build, cell, values);
    int64_t here = (int64_t)(build->distances[cell] - build->base);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t other = cell + (uint32_t)(astar_dy[d] * astar_kind_grid(build->kind)->width +
                                           astar_dx[d]);
        if (build->made.packing.modulus == 0 || values[d] == ASTAR_NO_VALUE)
            recall_distance(build, other);
        else if (!is_recalled(build, other))
            put_recalled(
                build, other,
                (uint64_t)(here + astar_goal_field_difference(build->repair.field, values[d],
                                                              values[ASTAR_DIRECTIONS])));
    }
}

// The functions below remove distances that are not valid any more, and compute new ones.

// Returns the least distance to the goal over any step out of a cell, or UINT64_MAX if no step
// leads to a cell with a distance.
static uint64_t best_offer(AstarFieldBuild *build, uint32_t cell)
{
    uint64_t best = UINT64_MAX;
    uint32_t other, length;
    if (!astar_bits_has(astar_kind_grid(build->kind), &build->made.numbering->bits, cell))
        return best;
    AstarFieldSteps steps = astar_field_steps(build, cell, false);
    while (astar_next_field_step(build, &steps, &other, &length)) {
        recall_distance(build, other);
        uint64_t way = (uint64_t)build->distances[other] - build->base + length;
        if (astar_field_build_has(build, other) && way < best)
            best = way;
    }
    return best;
}

static AstarStatus recall_listed(AstarFieldBuild *build, uint32_t cell)
{
    recall_distance(build, cell);
    if (astar_field_build_has(build, cell))
        recall_beside(build, cell);
    return ASTAR_OK;
}

// Removes the distance of a cell if no step out of it accounts for this distance any more. A cell
// of the goal keeps its distance.
static AstarStatus raise_listed(AstarFieldBuild *build, uint32_t cell)
{
    if (!astar_field_build_has(build, cell) || build->distances[cell] == build->base)
        return ASTAR_OK;
    recall_beside(build, cell);
    uint64_t distance = build->distances[cell] - build->base;
    if (best_offer(build, cell) <= distance)
        return ASTAR_OK;
    AstarStatus status = ASTAR_OK;
    AstarFieldSteps steps = astar_field_steps(build, cell, true);
    uint32_t other, length;
    while (status == ASTAR_OK && astar_next_field_step(build, &steps, &other, &length)) {
        recall_distance(build, other);
        // The distance of 'other' exceeds the distance of the cell plus the step only next to an
        // edit that has made a step shorter or possible.
        if (astar_field_build_has(build, other) &&
            build->distances[other] - build->base >= distance + length)
            status = list_mended(build, other);
    }
    if (status == ASTAR_OK)
        forget_distance(build, cell);
    return status;
}

static AstarStatus lower_mended(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    bool has = astar_field_build_has(build, cell);
    if (has && build->distances[cell] - build->base <= distance)
        return ASTAR_OK;
    if (has)
        recall_beside(build, cell);
    return astar_field_build_put(build, cell, distance);
}

static AstarStatus lower_listed(AstarFieldBuild *build, uint32_t cell)
{
    uint64_t best = best_offer(build, cell);
    return best < UINT64_MAX ? lower_mended(build, cell, best) : ASTAR_OK;
}

static AstarStatus expand_mended(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    AstarFieldSteps steps = astar_field_steps(build, cell, true);
    AstarStatus status = ASTAR_OK;
    uint32_t other, length;
    while (status == ASTAR_OK && astar_next_field_step(build, &steps, &other, &length)) {
        recall_distance(build, other);
        if (astar_field_build_has(build, other) &&
            build->distances[other] - build->base <= distance + length)
            continue;
        status = list_mended(build, other);
        if (status == ASTAR_OK)
            status = lower_mended(build, other, distance + length);
    }
    return status;
}

// Runs Dijkstra's algorithm from all cells whose distances were lowered. Their distances may differ
// by more than the ring of buckets spans. Therefore a bucket may also contain cells whose distances
// belong to a later bucket that shares the same element of the ring. Such cells stay in the bucket.
static AstarStatus spread_mended(AstarFieldBuild *build, uint64_t *work)
{
    for (; build->waiting > 0; astar_field_build_next_bucket(build)) {
        AstarFieldBucket *bucket = astar_field_bucket(build, build->bucket);
        for (; build->position < bucket->count; build->position++) {
            uint32_t cell = bucket->cells[build->position];
            uint64_t distance = build->distances[cell] - build->base;
            if (distance >> build->shift > build->bucket)
                bucket->cells[build->kept++] = cell;
            if (distance >> build->shift != build->bucket)
                continue;
            if (*work == 0)
                return ASTAR_RUNNING;
            AstarStatus status = is_much_to_mend(build) ? ASTAR_UNREACHABLE
                                                        : expand_mended(build, cell, distance);
            if (status != ASTAR_OK)
                return status;
            astar_field_build_spend(build, work, WORK_A_MENDED);
        }
    }
    build->repair.stage++;
    return ASTAR_OK;
}

// The functions below write the packed distances of a repaired field.

static void copy_bits(uint8_t *to, uint64_t to_bit, const uint8_t *from, uint64_t from_bit,
                      uint64_t count)
{
    for (; count > 0 && (to_bit & 7) != 0; to_bit++, from_bit++, count--)
        to[to_bit >> 3] |= (uint8_t)((from[from_bit >> 3] >> (from_bit & 7) & 1) << (to_bit & 7));
    const uint8_t *in = from + (from_bit >> 3);
    uint8_t *out = to + (to_bit >> 3);
    size_t bytes = (size_t)(count >> 3);
    unsigned shift = (unsigned)from_bit & 7;
    if (shift == 0)
        memcpy(out, in, bytes);
    for (size_t i = 0; shift != 0 && i < bytes; i++)
        out[i] = (uint8_t)(in[i] >> shift | in[i + 1] << (8 - shift));
    from_bit += 8 * bytes;
    for (unsigned i = 0; i < (count & 7); i++, from_bit++)
        out[bytes] |= (uint8_t)((from[from_bit >> 3] >> (from_bit & 7) & 1) << i);
}

static void put_packed(const AstarFieldBuild *build, uint32_t number, uint32_t value)
{
    unsigned shift = build->made.packing.shift, bit = number << shift & 7;
    uint8_t *bytes = build->made.values + ((uint64_t)number << shift >> 3);
    if (shift < 3)
        *bytes = (uint8_t)((*bytes & ~(astar_packed_none(shift) << bit)) | value << bit);
    for (unsigned i = 0; shift >= 3 && i < 1u << (shift - 3); i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

// Copies the packed distances of all cells up to the next word of the bitmap of walkable cells that
// has changed. For that word, copies the distances of the cells that were walkable before and are
// still walkable.
static void copy_run(AstarFieldBuild *build)
{
    const AstarDistances *from = &build->repair.field->now;
    const AstarNumbering *now = build->made.numbering, *before = from->numbering;
    size_t first = build->word, count = now->bits.count;
    unsigned shift = build->made.packing.shift;
    while (build->word < count && now->bits.words[build->word] == before->bits.words[build->word])
        build->word++;
    uint32_t end = build->word < count ? now->before[build->word] : now->count;
    copy_bits(build->made.values, (uint64_t)now->before[first] << shift, from->values,
              (uint64_t)before->before[first] << shift,
              (uint64_t)(end - now->before[first]) << shift);
    if (build->word == count)
        return;
    uint32_t to = end, at = before->before[build->word];
    uint64_t is = now->bits.words[build->word], was = before->bits.words[build->word];
    for (uint64_t rest = is | was; rest != 0; rest &= rest - 1) {
        uint64_t bit = rest & (~rest + 1);
        if ((is & was & bit) != 0)
            put_packed(build, to, astar_packed_entry(from->values, at, shift));
        to += (is & bit) != 0;
        at += (was & bit) != 0;
    }
    build->word++;
}

static AstarStatus copy_packed(AstarFieldBuild *build, uint64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (build->made.values == NULL)
        status = astar_field_build_need_values(build);
    while (status == ASTAR_OK && build->word < build->made.numbering->bits.count) {
        size_t first = build->word;
        if (*work == 0)
            return ASTAR_RUNNING;
        copy_run(build);
        astar_field_build_spend(build, work, (build->word - first) * 64 / CELLS_A_WORK_COPIED + 1);
    }
    build->repair.stage += status == ASTAR_OK;
    return status;
}

// Writes the new distance of a cell to the packed values. Fails if there is no route from the cell
// and the packing has one bit per cell, because such a packing has no value for "no route".
static AstarStatus write_listed(AstarFieldBuild *build, uint32_t cell)
{
    int x, y;
    astar_cell_xy(astar_kind_grid(build->kind), cell, &x, &y);
    if (!astar_bits_get(&build->made.numbering->bits, x, y))
        return ASTAR_OK;
    unsigned shift = build->made.packing.shift;
    if (shift == 0 && !astar_field_build_has(build, cell))
        return ASTAR_UNREACHABLE;
    put_packed(
        build, astar_number_of(build->made.numbering, x, y),
        astar_packed_value(build, build->distances[cell], shift, build->made.packing.modulus));
    return ASTAR_OK;
}

// The functions below run the stages of a repair.

// Calls the function 'deal' for all cells of the list, including the cells that are added to the
// list meanwhile.
static AstarStatus go_through_cells(AstarFieldBuild *build, uint64_t *work,
                                    AstarStatus (*deal)(AstarFieldBuild *, uint32_t))
{
    AstarFieldRepair *repair = &build->repair;
    for (; repair->at < repair->count; repair->at++) {
        if (*work == 0)
            return ASTAR_RUNNING;
        if (is_much_to_mend(build))
            return ASTAR_UNREACHABLE;
        AstarStatus status = deal(build, repair->cells[repair->at]);
        if (status != ASTAR_OK)
            return status;
        astar_field_build_spend(build, work, deal == write_listed ? 1 : WORK_A_MENDED);
    }
    repair->at = 0;
    repair->stage++;
    return ASTAR_OK;
}

static AstarStatus go_on_mending(AstarFieldBuild *build, uint64_t *work)
{
    switch (build->repair.stage) {
    case ASTAR_REPAIR_RECALL: return go_through_cells(build, work, recall_listed);
    case ASTAR_REPAIR_RAISE: return go_through_cells(build, work, raise_listed);
    case ASTAR_REPAIR_LOWER: return go_through_cells(build, work, lower_listed);
    case ASTAR_REPAIR_SPREAD: return spread_mended(build, work);
    case ASTAR_REPAIR_COPY: return copy_packed(build, work);
    default: return go_through_cells(build, work, write_listed);
    }
}

// Returns true if the same cells within the goal's range are walkable as before the edits, and at
// least one cell is.
static bool are_goals_alike(const AstarFieldBuild *build, const AstarDistances *before)
{
    AstarCellBox goal = astar_cells_of_aim(astar_kind_grid(build->kind), &build->aim,
                                           astar_kind_size(build->kind));
    const AstarBits *now = &build->made.numbering->bits;
    for (int y = goal.y0; y <= goal.y1; y++)
        for (int x = goal.x0; x <= goal.x1; x++)
            if (astar_bits_get(now, x, y) != astar_bits_get(&before->numbering->bits, x, y))
                return false;
    return build->waiting > 0;
}

// Returns true if the distances of a field can be repaired. The edits since its last computation
// must be known and must have changed only walkable cells or costs of terrain.
static bool can_be_mended(const AstarFieldBuild *build, const AstarGoalField *field)
{
    const AstarDistances *before = &field->now, *made = &build->made;
    const AstarFinder *finder = build->kind->finder;
    unsigned shift = before->packing.shift, now = made->packing.shift;
    return before->numbering != NULL && before->rules_version == made->rules_version &&
           before->field_version == made->field_version && before->scale == made->scale &&
           before->is_uniform == made->is_uniform &&
           // If the packing has one bit per cell, a field can be repaired only if every cell keeps
           // a route to the goal.
           (shift == now || (shift == 1 && now == 0)) && are_goals_alike(build, before) &&
           (made->is_uniform || finder->grid->log.forgotten <= before->map_version);
}

AstarStatus astar_field_repair_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                     const AstarGoalField *field)
{
    AstarFieldRepair *repair = &build->repair;
    AstarStatus status = astar_field_build_begin(build, kind, astar_aim_of_field(field));
    if (status != ASTAR_OK || !can_be_mended(build, field))
        return status;
    repair->field = field;
    repair->stage = ASTAR_REPAIR_RECALL;
    repair->count = repair->at = 0;
    build->made.packing = field->now.packing;
    status = list_opened_and_closed(build);
    if (status == ASTAR_OK && !build->made.is_uniform)
        status = list_edited_ground(build);
    if (status != ASTAR_OK)
        astar_field_build_stop(build);
    return status;
}

// Starts a full computation of the field, because the repair has become too large or its result
// cannot be packed in the same way.
static AstarStatus give_up_mending(AstarFieldBuild *build)
{
    build->repair.field = NULL;
    astar_release(&build->allocator, build->made.values, build->made.bytes, 1);
    build->made.values = NULL;
    build->made.bytes = 0;
    return astar_field_build_again(build);
}

AstarStatus astar_field_repair_step(AstarFieldBuild *build, uint64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (build->repair.field != NULL && build->repair.stage != ASTAR_REPAIR_DONE &&
           status == ASTAR_OK) {
        status = go_on_mending(build, work);
        if (status == ASTAR_UNREACHABLE)
            status = give_up_mending(build);
    }
    return status == ASTAR_OK && build->repair.field == NULL ? astar_field_build_step(build, work)
                                                             : status;
}
