// field_build.c -- the distances of all cells to a goal, then packed.
//
// Dijkstra's algorithm backward from the goal, by buckets as wide as the shortest step: no cell of
// a bucket can bring another one of it nearer. Distances lie above a base that grows from field to
// field, so that what the last one left need not be cleared.

#include "crowd/field_build.h"

#include "base/array.h"

enum { FIRST_BUCKET = 64, CELLS_A_WORK_PACKED = 8 };

// Of plain ground: how many cells are expanded before there is a look for room, and how large maps
// may be, so that no distance on them overflows.
enum { PLAIN_CELLS_AT_ONCE = 32, MOST_PLAIN_CELLS = 1 << 26 };

#define FARTHEST_DISTANCE ((uint64_t)UINT32_MAX - 2 * ASTAR_LONGEST_STEP)

void astar_field_build_stop(AstarFieldBuild *build)
{
    astar_release(&build->allocator, build->values, build->bytes, 1);
    build->values = NULL;
    build->bytes = 0;
    astar_numbering_release(build->numbering);
    build->numbering = NULL;
    build->kind = NULL;
    for (size_t i = 0; i < build->ring_size; i++)
        build->ring[i].count = 0;
}

static void free_ring(AstarFieldBuild *build)
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
    astar_field_build_stop(build);
    free_ring(build);
    astar_release(&build->allocator, build->distances, build->cell_capacity,
                  sizeof *build->distances);
    build->distances = NULL;
    build->cell_capacity = 0;
}

size_t astar_field_build_bytes(const AstarFieldBuild *build)
{
    size_t bytes = build->bytes + build->cell_capacity * sizeof *build->distances +
                   build->ring_size * sizeof *build->ring;
    for (size_t i = 0; i < build->ring_size; i++)
        bytes += build->ring[i].capacity * sizeof(uint32_t);
    return bytes;
}

// ---- beginning ----

// The longest step that there may be.
static uint64_t longest_step(const AstarCrowdKind *kind)
{
    return kind->packing.modulus > 0 ? kind->packing.modulus / 2 : ASTAR_LONGEST_STEP;
}

// As wide as the shortest step: over ground to avoid, and over links, that may be 1.
static uint64_t bucket_width(const AstarCrowdKind *kind)
{
    return kind->packing.modulus > 0 ? kind->shortest : 1;
}

static AstarStatus need_ring(AstarFieldBuild *build, size_t size)
{
    if (build->ring_size >= size)
        return ASTAR_OK;
    AstarFieldBucket *ring = astar_alloc(&build->allocator, size, sizeof *ring);
    if (ring == NULL)
        return ASTAR_NO_MEMORY;
    free_ring(build);
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
    build->base = 1;
    return ASTAR_OK;
}

static inline AstarFieldBucket *field_bucket(const AstarFieldBuild *build, uint64_t bucket)
{
    return &build->ring[(size_t)bucket & (build->ring_size - 1)];
}

// Makes room for so many more cells.
static AstarStatus need_room(const AstarFieldBuild *build, AstarFieldBucket *bucket, size_t more)
{
    if (bucket->count + more <= bucket->capacity)
        return ASTAR_OK;
    uint32_t *cells = astar_array_grow(&build->allocator, bucket->cells, bucket->count,
                                       sizeof *cells, &bucket->capacity, bucket->count + more,
                                       FIRST_BUCKET);
    if (cells == NULL)
        return ASTAR_NO_MEMORY;
    bucket->cells = cells;
    return ASTAR_OK;
}

static AstarStatus put_cell(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    AstarFieldBucket *bucket = field_bucket(build, distance / build->width);
    if (need_room(build, bucket, 1) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    bucket->cells[bucket->count++] = cell;
    build->waiting++;
    return ASTAR_OK;
}

// The distances of the last field lie below those of the next.
static void raise_base(AstarFieldBuild *build)
{
    build->base += build->farthest + 1;
    build->farthest = 0;
    // Half of all numbers are left, for distances that most fields never come near.
    if (build->base > UINT32_MAX / 2 || build->kind->packing.shift == 5) {
        memset(build->distances, 0, build->cell_capacity * sizeof *build->distances);
        build->base = 1;
    }
}

static AstarStatus need_numbering(AstarCrowdKind *kind, const AstarAllocator *allocator)
{
    if (kind->numbering != NULL)
        return ASTAR_OK;
    return astar_numbering_new(allocator, kind->bits, &kind->numbering);
}

static AstarStatus plant_goal(AstarFieldBuild *build)
{
    int x, y;
    astar_cell_xy(astar_kind_grid(build->kind), build->goal, &x, &y);
    if (!astar_bits_get(&build->numbering->bits, x, y))
        return ASTAR_OK;
    AstarStatus status = put_cell(build, build->goal, 0);
    if (status == ASTAR_OK) {
        build->distances[build->goal] = (uint32_t)build->base;
        build->reached++;
    }
    return status;
}

AstarStatus astar_field_build_begin(AstarFieldBuild *build, AstarCrowdKind *kind, uint32_t goal)
{
    uint64_t width = bucket_width(kind);
    size_t size = 4;
    while (size < longest_step(kind) / width + 2)
        size *= 2;
    AstarStatus status = need_ring(build, size);
    if (status == ASTAR_OK)
        status = need_distances(build, astar_kind_grid(kind)->cells);
    if (status == ASTAR_OK)
        status = need_numbering(kind, &build->allocator);
    if (status != ASTAR_OK)
        return status;
    build->kind = kind;
    build->numbering = kind->numbering;
    build->numbering->references++;
    build->version = kind->version;
    build->rules_version = kind->rules_version;
    build->goal = goal;
    build->packing = kind->packing;
    build->width = width;
    build->spent = build->bucket = 0;
    build->position = build->waiting = build->word = 0;
    build->reached = build->number = 0;
    build->is_spread = false;
    raise_base(build);
    status = plant_goal(build);
    if (status != ASTAR_OK)
        astar_field_build_stop(build);
    return status;
}

// ---- spreading ----

static AstarStatus lower_cell(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    uint64_t known = build->distances[cell];
    if ((known >= build->base && known - build->base <= distance) ||
        build->base + distance > FARTHEST_DISTANCE)
        return ASTAR_OK;
    AstarStatus status = put_cell(build, cell, distance);
    if (status != ASTAR_OK)
        return status;
    build->reached += known < build->base;
    build->distances[cell] = (uint32_t)(build->base + distance);
    if (distance > build->farthest)
        build->farthest = distance;
    return ASTAR_OK;
}

static AstarStatus expand_links_into(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    const AstarLinksAndWalls *links = grid->links_and_walls;
    AstarStatus status = ASTAR_OK;
    const AstarArc *arc;
    for (uint32_t i = astar_arcs_first_to(links, cell);
         status == ASTAR_OK && (arc = astar_arc_at(&links->back, i)) != NULL && arc->to == cell;
         i++) {
        int x, y;
        astar_cell_xy(grid, arc->from, &x, &y);
        if (astar_bits_get(&build->numbering->bits, x, y))
            status = lower_cell(build, arc->from,
                                distance + astar_kind_link_step(build->kind, arc));
    }
    return status;
}

static AstarStatus expand_cell(AstarFieldBuild *build, uint32_t cell, uint64_t distance)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    unsigned free = astar_bits_around(&build->numbering->bits, x, y);
    unsigned from = astar_legal_moves_on(grid, build->kind->finder->rule, x, y, free, true);
    uint64_t steps[2] = {distance + astar_kind_step(build->kind, cell, false),
                         distance + astar_kind_step(build->kind, cell, true)};
    AstarStatus status = ASTAR_OK;
    for (; from != 0 && status == ASTAR_OK; from &= from - 1) {
        int d = astar_lowest_bit(from);
        uint32_t other = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        status = lower_cell(build, other, steps[d & 1]);
    }
    if (status == ASTAR_OK && astar_grid_has_links(grid))
        status = expand_links_into(build, cell, distance);
    return status;
}

// Goes on with the cells of the bucket, one after the other.
static AstarStatus expand_bucket(AstarFieldBuild *build, uint64_t *work)
{
    for (;; build->position++) {
        const AstarFieldBucket *bucket = field_bucket(build, build->bucket);
        if (build->position == bucket->count)
            return ASTAR_OK;
        uint32_t cell = bucket->cells[build->position];
        uint64_t distance = build->distances[cell] - build->base;
        if (distance / build->width != build->bucket)
            continue; // it has come nearer since
        if (*work == 0)
            return ASTAR_RUNNING;
        AstarStatus status = expand_cell(build, cell, distance);
        if (status != ASTAR_OK)
            return status;
        --*work;
        build->spent++;
    }
}

// Over ground of one cost, without walls and links, the steps of the table lead back as well as
// forth, and what comes nearer lies in one of the next two buckets.
static bool is_plain_build(const AstarFieldBuild *build)
{
    const AstarCrowdKind *kind = build->kind;
    const AstarGrid *grid = astar_kind_grid(kind);
    const AstarCornerRule *rule = kind->finder->rule;
    return kind->is_uniform && build->version == kind->version && build->packing.modulus > 0 &&
           kind->lengths[1] <= 2 * kind->lengths[0] && !astar_grid_has_links_or_walls(grid) &&
           grid->cells <= MOST_PLAIN_CELLS && memcmp(rule->legal[0], rule->legal[1], 256) == 0;
}

// What a sweep over plain ground reads, and where it puts who comes nearer.
typedef struct PlainSweep {
    const uint8_t *moves;
    uint32_t *distances;
    uint32_t base, grid_width, straight, diagonal;
    uint32_t *next, *after; // the ends of the next bucket and of the one after that
} PlainSweep;

// Lowers a neighbour of a cell, and puts it at the end of a bucket. Whether it comes nearer is
// anyone's guess, so that decides nothing but what is stored; in place of who cannot be stepped to
// stands the cell itself.
ASTAR_SPECIALIZE void lower_plainly(PlainSweep *sweep, uint32_t cell, unsigned moves, uint32_t way,
                                    int d, uint32_t **end)
{
    uint32_t is_legal = moves >> d & 1;
    uint32_t offset = (uint32_t)astar_dy[d] * sweep->grid_width + (uint32_t)astar_dx[d];
    uint32_t to = cell + (offset & (0 - is_legal)), known = sweep->distances[to];
    bool is_nearer = known - sweep->base > way; // what lies below the base is farther than all
    sweep->distances[to] = is_nearer ? sweep->base + way : known;
    **end = to;
    *end += is_nearer;
}

ASTAR_SPECIALIZE void expand_plain_cell(PlainSweep *sweep, uint32_t cell, uint32_t distance,
                                        bool has_diagonals, bool goes_after)
{
    unsigned moves = sweep->moves[cell];
    uint32_t straight = distance + sweep->straight, diagonal = distance + sweep->diagonal;
    uint32_t **end = goes_after ? &sweep->after : &sweep->next;
    lower_plainly(sweep, cell, moves, straight, 0, &sweep->next);
    if (has_diagonals)
        lower_plainly(sweep, cell, moves, diagonal, 1, end);
    lower_plainly(sweep, cell, moves, straight, 2, &sweep->next);
    if (has_diagonals)
        lower_plainly(sweep, cell, moves, diagonal, 3, end);
    lower_plainly(sweep, cell, moves, straight, 4, &sweep->next);
    if (has_diagonals)
        lower_plainly(sweep, cell, moves, diagonal, 5, end);
    lower_plainly(sweep, cell, moves, straight, 6, &sweep->next);
    if (has_diagonals)
        lower_plainly(sweep, cell, moves, diagonal, 7, end);
}

// The cells of a bucket from its position on, so many: how many of them had not come nearer since.
// Its own copy of the sweep is nobody's to change, so that a compiler can keep it in registers.
ASTAR_SPECIALIZE uint32_t sweep_plain_cells(PlainSweep *begun, const uint32_t *cells, size_t count,
                                            uint32_t first, uint32_t width, bool has_diagonals)
{
    PlainSweep sweep = *begun;
    uint32_t expanded = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = cells[i], distance = sweep.distances[cell] - sweep.base;
        if (distance < first)
            continue;
        expanded++;
        if (has_diagonals && distance + sweep.diagonal >= first + 2 * width)
            expand_plain_cell(&sweep, cell, distance, true, true);
        else
            expand_plain_cell(&sweep, cell, distance, has_diagonals, false);
    }
    *begun = sweep;
    return expanded;
}

static PlainSweep begin_plain_sweep(const AstarFieldBuild *build)
{
    const AstarCrowdKind *kind = build->kind;
    const AstarFieldBucket *next = field_bucket(build, build->bucket + 1);
    const AstarFieldBucket *after = field_bucket(build, build->bucket + 2);
    return (PlainSweep){.moves = kind->table.moves,
                        .distances = build->distances,
                        .base = (uint32_t)build->base,
                        .grid_width = (uint32_t)astar_kind_grid(kind)->width,
                        .straight = kind->lengths[0],
                        .diagonal = kind->lengths[1],
                        .next = next->cells + next->count,
                        .after = after->cells + after->count};
}

static void end_plain_sweep(AstarFieldBuild *build, const PlainSweep *sweep)
{
    AstarFieldBucket *next = field_bucket(build, build->bucket + 1);
    AstarFieldBucket *after = field_bucket(build, build->bucket + 2);
    size_t before = next->count + after->count;
    next->count = (size_t)(sweep->next - next->cells);
    after->count = (size_t)(sweep->after - after->cells);
    size_t nearer = next->count + after->count - before;
    build->waiting += nearer;
    build->reached += (uint32_t)nearer; // by straight steps alone each but once; else nobody asks
    build->farthest = (build->bucket + 1) * build->width + sweep->diagonal;
}

// The same as expand_bucket, some cells at a time, whose neighbours have room beforehand.
static AstarStatus sweep_plain_bucket(AstarFieldBuild *build, uint64_t *work)
{
    const AstarFieldBucket *bucket = field_bucket(build, build->bucket);
    bool has_diagonals = build->kind->finder->rule->has_diagonals;
    uint32_t first = (uint32_t)(build->bucket * build->width), width = (uint32_t)build->width;
    while (build->position < bucket->count) {
        size_t count = bucket->count - build->position;
        count = count < PLAIN_CELLS_AT_ONCE ? count : PLAIN_CELLS_AT_ONCE;
        count = count < *work ? count : (size_t)*work;
        if (count == 0)
            return ASTAR_RUNNING;
        if (need_room(build, field_bucket(build, build->bucket + 1), 8 * count + 1) != ASTAR_OK ||
            need_room(build, field_bucket(build, build->bucket + 2), 8 * count + 1) != ASTAR_OK)
            return ASTAR_NO_MEMORY;
        PlainSweep sweep = begin_plain_sweep(build);
        const uint32_t *cells = bucket->cells + build->position;
        uint32_t expanded = has_diagonals
                                ? sweep_plain_cells(&sweep, cells, count, first, width, true)
                                : sweep_plain_cells(&sweep, cells, count, first, width, false);
        end_plain_sweep(build, &sweep);
        build->position += count;
        build->spent += expanded;
        *work -= expanded;
    }
    return ASTAR_OK;
}

static AstarStatus spread_distances(AstarFieldBuild *build, uint64_t *work)
{
    bool is_plain = is_plain_build(build);
    while (build->waiting > 0) {
        AstarStatus status = is_plain ? sweep_plain_bucket(build, work)
                                      : expand_bucket(build, work);
        if (status != ASTAR_OK)
            return status;
        AstarFieldBucket *bucket = field_bucket(build, build->bucket);
        build->waiting -= bucket->count;
        bucket->count = build->position = 0;
        build->bucket++;
    }
    build->is_spread = true;
    return ASTAR_OK;
}

// ---- packing ----

// Where every cell has a distance one bit is enough, else there is one number more.
static AstarStatus begin_packing(AstarFieldBuild *build)
{
    size_t count = build->numbering->count;
    if (build->packing.shift == 0 && build->reached < count)
        build->packing = (AstarPacking){1, 3};
    size_t bytes = (size_t)((((uint64_t)count << build->packing.shift) + 7) / 8) + 1;
    build->values = astar_alloc(&build->allocator, bytes, 1);
    if (build->values == NULL)
        return ASTAR_NO_MEMORY;
    build->bytes = bytes;
    return ASTAR_OK;
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
    const AstarBits *bits = &build->numbering->bits;
    size_t row = build->word / bits->stride, column = build->word % bits->stride;
    const uint32_t *distances = build->distances +
                                (row - 1) * (size_t)astar_kind_grid(build->kind)->width +
                                column * 64;
    uint32_t none = astar_packed_none(shift);
    uint32_t base = (uint32_t)build->base;
    uint64_t at = (uint64_t)build->number << shift;
    PackedTail tail = {build->values + (size_t)(at >> 3), 0, (unsigned)at & 7};
    for (uint64_t rest = bits->words[build->word]; rest != 0; rest &= rest - 1) {
        uint32_t known = distances[astar_lowest_bit(rest) - 1], distance = known - base;
        uint32_t value = known < base   ? none
                         : shift == 0   ? distance >> 1 & 1
                         : modulus == 0 ? distance
                                        : distance % modulus;
        tail.bits |= (uint64_t)value << tail.count;
        tail.count += 1u << shift;
        if (tail.count >= 32)
            flush_packed(&tail, 8);
    }
    flush_packed(&tail, 1);
    build->number += astar_count_bits(bits->words[build->word]);
}

static void pack_next_word(AstarFieldBuild *build)
{
    switch (build->packing.shift) {
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
    const AstarBits *bits = &build->numbering->bits;
    for (; build->word < bits->count; build->word++) {
        if (bits->words[build->word] == 0)
            continue;
        if (*work == 0)
            return ASTAR_RUNNING;
        uint64_t cells = 64 / CELLS_A_WORK_PACKED;
        pack_next_word(build);
        *work -= cells < *work ? cells : *work;
        build->spent += cells;
    }
    return ASTAR_OK;
}

AstarStatus astar_field_build_spread(AstarFieldBuild *build, uint64_t *work)
{
    return build->is_spread ? ASTAR_OK : spread_distances(build, work);
}

AstarStatus astar_field_build_step(AstarFieldBuild *build, uint64_t *work)
{
    AstarStatus status = astar_field_build_spread(build, work);
    if (status == ASTAR_OK && build->values == NULL)
        status = begin_packing(build);
    return status == ASTAR_OK ? pack_distances(build, work) : status;
}

void astar_field_build_deliver(AstarFieldBuild *build, AstarDistances *out)
{
    int x, y;
    astar_cell_xy(astar_kind_grid(build->kind), build->goal, &x, &y);
    *out = (AstarDistances){.numbering = build->numbering,
                            .values = build->values,
                            .bytes = build->bytes,
                            .packing = build->packing,
                            .parity = (uint8_t)((x + y) & 1),
                            .version = build->version,
                            .rules_version = build->rules_version};
    build->values = NULL;
    build->bytes = 0;
    build->numbering = NULL;
    astar_field_build_stop(build);
}
