// field_build.c -- the distances of all cells to a goal, then packed.
//
// Dijkstra's algorithm backward from the goal, by buckets no wider than the shortest step: no cell
// of a bucket can bring another one of it nearer. Distances lie above a base that grows from field
// to field, so that what the last one left need not be cleared; just below it means none.

#include "crowd/field_build.h"

#include "base/array.h"

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

// ---- beginning ----

// Makes a ring for the steps of a kind. The shortest one over ground to avoid, and over links,
// is 1.
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
    uint32_t *distances = astar_alloc(&build->allocator, cells, sizeof *distances);
    if (distances == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(&build->allocator, build->distances, build->cell_capacity, sizeof *distances);
    build->distances = distances;
    build->cell_capacity = cells;
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
        return ASTAR_OK; // there are no distances so far
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

// The distances of the last field lie below those of the next, and below what stands for none.
static void raise_base(AstarFieldBuild *build)
{
    build->base += build->farthest + 2;
    build->farthest = 0;
    // Half of all numbers are left, for distances that most fields never come near.
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

// ---- steps ----

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

// ---- spreading ----

// What a sweep reads, and stores do not change.
typedef struct FieldSweep {
    AstarFieldBuild *build;
    const uint8_t *moves; // NULL: they are found out cell by cell
    uint32_t *distances;
    AstarFieldBucket *ring;
    size_t mask; // of that
    unsigned shift;
    uint32_t base, grid_width;
    uint32_t lengths[2]; // of steps over ground of one cost
    bool has_diagonals, has_links;
} FieldSweep;

// Lowers a neighbour of a cell, and puts it at the end of a bucket. Whether it comes nearer is
// anyone's guess, so that decides nothing but what is stored; in place of who cannot be stepped to
// stands the cell itself.
ASTAR_SPECIALIZE void lower_beside(const FieldSweep *sweep, uint32_t cell, unsigned moves,
                                   uint32_t way, int d, uint32_t **end)
{
    uint32_t is_legal = moves >> d & 1;
    uint32_t offset = (uint32_t)astar_dy[d] * sweep->grid_width + (uint32_t)astar_dx[d];
    uint32_t to = cell + (offset & (0 - is_legal)), known = sweep->distances[to];
    bool is_nearer = known - sweep->base > way; // what lies below the base is farther than all
    sweep->distances[to] = is_nearer ? sweep->base + way : known;
    **end = to;
    *end += is_nearer;
}

// The bucket of a distance, with room for all that may be put there from one cell; NULL without
// memory.
ASTAR_SPECIALIZE AstarFieldBucket *roomy_bucket(const FieldSweep *sweep, uint32_t distance)
{
    AstarFieldBucket *bucket = &sweep->ring[distance >> sweep->shift & sweep->mask];
    bool has_room = bucket->count + ASTAR_DIRECTIONS < bucket->capacity;
    return has_room || grow_bucket(sweep->build, bucket) ? bucket : NULL;
}

// Lowers every second neighbour from a direction on: how many came nearer.
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

// How many cells come nearer from one by steps, UINT32_MAX without memory. 'is_plain': its ground
// costs the same everywhere, and there is a table.
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

// Whether the steps of the table lead back as well as forth, on the map as it was.
static bool has_table(const AstarFieldBuild *build)
{
    const AstarCrowdKind *kind = build->kind;
    const AstarCornerRule *rule = kind->finder->rule;
    return build->made.version == kind->version && !kind->has_one_way_walls &&
           memcmp(rule->legal[0], rule->legal[1], 256) == 0;
}

// Goes on with the cells of the bucket, one after the other. Cells are counted as reached whenever
// they come nearer: by straight steps alone each does but once; else nobody asks.
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
            continue; // it has come nearer since
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
            break; // beyond there are no distances
        AstarStatus status = is_plain ? sweep_field_bucket(sweep, work, true)
                                      : sweep_field_bucket(sweep, work, false);
        if (status != ASTAR_OK)
            return status;
        astar_field_build_next_bucket(build);
    }
    build->is_spread = true;
    return ASTAR_OK;
}

// ---- packing ----

AstarStatus astar_field_build_need_values(AstarFieldBuild *build)
{
    AstarDistances *made = &build->made;
    made->bytes = (size_t)((((uint64_t)made->numbering->count << made->packing.shift) + 7) / 8) + 1;
    made->values = astar_alloc(&build->allocator, made->bytes, 1);
    return made->values != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Where every cell has a distance, and one alone none, one bit is enough; else there is one number
// more.
static AstarStatus begin_packing(AstarFieldBuild *build)
{
    if (build->made.packing.shift == 0 &&
        (build->reached < build->made.numbering->count || build->aim.range > 0))
        build->made.packing = (AstarPacking){1, 3};
    return astar_field_build_need_values(build);
}

// What is packed, before it fills bytes.
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

// The values of the cells of one word of bits, by a packing that is a constant where it is called.
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
