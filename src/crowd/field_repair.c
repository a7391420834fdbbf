// field_repair.c -- the distances to a goal, mended after edits (after G. Ramalingam and T. Reps,
// "An Incremental Algorithm for a Generalization of the Shortest-Path Problem", 1996).
//
// The cells about an edit are raised first: one whose distance no step accounts for any more has
// none, and those whose distances may have come from it are looked at in turn. Then all of them are
// lowered to what the cells around them offer, and Dijkstra's algorithm goes on from there. What is
// packed is copied but for the cells that changed, so units go by the distances in force meanwhile.
//
// Packed distances tell only by how much neighbours differ. So those about the edits are recalled
// by going down to the goal, or to where that was done before; from then on a cell's neighbours are
// recalled before its own distance changes.

#include "crowd/field_build.h"

#include "base/array.h"

// To look at a cell takes as long as to build some: steps are found one by one, and what is packed
// of all around it is read.
enum { FIRST_MENDED = 64, WORK_A_MENDED = 4, CELLS_A_WORK_COPIED = 128 };

// ---- the cells ----

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

// Whether so much is to be mended that to begin anew is less work.
static bool is_much_to_mend(const AstarFieldBuild *build)
{
    uint64_t most = astar_kind_grid(build->kind)->cells / 4 + 64;
    return build->repair.count > most || build->spent > WORK_A_MENDED * most;
}

// Lists the cells of a rectangle that lie on the grid.
static AstarStatus list_rectangle(AstarFieldBuild *build, int x0, int y0, int x1, int y1)
{
    const AstarGrid *grid = astar_kind_grid(build->kind);
    AstarStatus status = ASTAR_OK;
    for (int y = y0 > 0 ? y0 : 0; y <= y1 && y < grid->height; y++)
        for (int x = x0 > 0 ? x0 : 0; x <= x1 && x < grid->width && status == ASTAR_OK; x++)
            status = list_mended(build, astar_cell(grid, x, y));
    return status;
}

// Lists those about which a unit can stand by now, or no longer.
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

// Lists those about ground that may cost something else by now. Blocks cost nothing: those that
// count were told by where units can stand.
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

// ---- distances before ----

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

// The neighbours of a cell to which a step led before, and their values.
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

// Goes to the nearest to the goal of the cells around one: by how much nearer that is.
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

// The same of all around one that has a distance, which is what it was.
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

// ---- raising and lowering ----

// The least distance that the steps out of a cell offer; UINT64_MAX: there is none.
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

// Takes its distance from a cell, which is no goal, if nothing accounts for it.
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
        // More than that it is only about an edit that made the step shorter, or opened it.
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

// Goes on from all that were lowered. They may lie far apart: the ring comes round to some of them
// more than once.
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

// ---- packing ----

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

// Copies what is packed of words alike, up to the next that is not, and of that those cells that
// could be stood on before.
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

// Puts the distance of a cell in its place. One bit cannot tell that there is none.
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

// ---- all of it ----

// Deals with the cells of the list that come, as they are at the end of it.
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

// Whether the cells that the distances lead to are what they were, and there is one.
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

// Whether what edits have changed is known, and only where units can stand or what ground costs.
static bool can_be_mended(const AstarFieldBuild *build, const AstarGoalField *field)
{
    const AstarDistances *before = &field->now, *made = &build->made;
    const AstarFinder *finder = build->kind->finder;
    unsigned shift = before->packing.shift, now = made->packing.shift;
    return before->numbering != NULL && before->rules_version == made->rules_version &&
           before->field_version == made->field_version && before->scale == made->scale &&
           before->is_uniform == made->is_uniform &&
           // One bit a cell is of maps without edits that close any off.
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

// What one bit cannot tell, or is too much to be mended, is worked out anew.
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
