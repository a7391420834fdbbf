// replan.c -- a few units at a time get better ways among all others.

#include "crowd/replan.h"

#include "crowd/ways.h"

#include <string.h>

enum {
    BARREN_ROUNDS_A_UNIT = 40, // after so many without a gain there is hardly one to be had
    REPLAN_NODES = 1024,       // of one search
    BUCKETS_A_STEP = 2,
    WORDS_A_STEP = ASTAR_REPLAN_MOST + BUCKETS_A_STEP, // of ways before, and of buckets
    LOOKS_A_WORK = 8,                                  // of looking at what is known
    WORK_A_ROW = 16,                                   // of giving one back
    HAS_NODE = 1 << 15,                                // in a reservation, beside the unit + 1
    RESERVED_FOR = HAS_NODE - 1
};

static void owe(AstarReplan *replan, uint64_t looks)
{
    replan->debt += 1 + looks / LOOKS_A_WORK;
}

// ---- life ----

// At most so many cells can be entered by units of any kind.
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
    return ((size_t)replan->cell_count + 1) * sizeof **replan->rows;
}

AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, AstarPlan *plan,
                               AstarRoom *room, AstarPibtUnit *units, const AstarGoalField *fields,
                               const uint32_t *groups)
{
    uint64_t work = UINT64_MAX;
    *replan = (AstarReplan){.bytes = bytes,
                            .plan = plan,
                            .room = room,
                            .units = units,
                            .fields = fields,
                            .groups = groups,
                            .row_count = plan->steps + 1,
                            .cell_count = count_room_cells(room)};
    size_t rows = replan->row_count;
    if ((bytes->most - bytes->used) / rows < bytes_of_row(replan))
        return ASTAR_OUT_OF_BYTES;
    AstarStatus status = astar_bytes_take(bytes, rows, sizeof *replan->rows, &replan->rows);
    if (status == ASTAR_OK)
        status = astar_bytes_take(bytes, room->grid->cells, sizeof(uint32_t), &replan->numbers);
    if (status == ASTAR_OK)
        status = astar_bytes_take(bytes, plan->count, sizeof *replan->known, &replan->known);
    if (status == ASTAR_OK)
        status = astar_bytes_take(bytes, WORDS_A_STEP * rows, sizeof(uint32_t), &replan->before);
    if (status == ASTAR_OK)
        status = astar_bytes_take(bytes, REPLAN_NODES, sizeof *replan->nodes, &replan->nodes);
    if (status == ASTAR_OK)
        replan->buckets = replan->before + ASTAR_REPLAN_MOST * rows;
    else
        astar_replan_free(replan, &work);
    return status;
}

bool astar_replan_free(AstarReplan *replan, uint64_t *work)
{
    AstarBytes *bytes = replan->bytes;
    size_t rows = replan->row_count;
    if (bytes == NULL)
        return true;
    for (; replan->filled > 0; replan->filled--) { // the last one first, as astar_lacam_free does
        uint64_t worth = WORK_A_ROW + replan->cell_count / 64;
        if (*work == 0)
            return false;
        *work -= worth < *work ? worth : *work;
        astar_bytes_give(bytes, replan->rows[replan->filled - 1], bytes_of_row(replan), 1);
    }
    astar_bytes_give(bytes, replan->rows, rows, sizeof *replan->rows);
    astar_bytes_give(bytes, replan->numbers, replan->room->grid->cells, sizeof(uint32_t));
    astar_bytes_give(bytes, replan->known, replan->plan->count, sizeof *replan->known);
    astar_bytes_give(bytes, replan->before, WORDS_A_STEP * rows, sizeof(uint32_t));
    astar_bytes_give(bytes, replan->nodes, REPLAN_NODES, sizeof *replan->nodes);
    *replan = (AstarReplan){0};
    return true;
}

// ---- reservations ----

// That of a cell which some unit can enter.
static inline uint16_t *reservation(AstarReplan *replan, uint32_t step, uint32_t cell)
{
    uint32_t *number = &replan->numbers[cell];
    if (*number == 0)
        *number = ++replan->numbered;
    return &replan->rows[step][*number];
}

// Who is in a cell after a step: a unit + 1, or 0.
static inline uint32_t who_is_at(const AstarReplan *replan, uint32_t step, uint32_t cell)
{
    return replan->rows[step][replan->numbers[cell]] & RESERVED_FOR; // without a number: nobody
}

// Reserves what the plan has for a unit, or for nobody.
static void reserve_way(AstarReplan *replan, uint32_t unit, bool is_there)
{
    const uint32_t *way = astar_plan_way(replan->plan, unit);
    for (uint32_t step = 0; step < replan->row_count; step++)
        *reservation(replan, step, way[step]) = (uint16_t)(is_there ? unit + 1 : 0);
}

static AstarStatus fill_reservations(AstarReplan *replan)
{
    uint32_t step = replan->filled;
    AstarStatus status = astar_bytes_take(replan->bytes, bytes_of_row(replan), 1,
                                          &replan->rows[step]);
    if (status != ASTAR_OK)
        return status;
    if (++replan->filled == replan->row_count)
        replan->stage = ASTAR_REPLAN_ARRIVALS;
    for (uint32_t unit = 0; unit < replan->plan->count; unit++)
        *reservation(replan, step, astar_plan_way(replan->plan, unit)[step]) = (uint16_t)(unit + 1);
    owe(replan, replan->plan->count + replan->cell_count / 16);
    return ASTAR_RUNNING;
}

// ---- arrivals ----

// The distance of a cell, modulo whatever the unit's field has.
static uint32_t field_value(const AstarReplan *replan, uint32_t unit, uint32_t cell)
{
    int x, y;
    astar_cell_xy(replan->room->grid, cell, &x, &y);
    return astar_goal_field_value(replan->units[unit].field, x, y);
}

// How many steps a unit would need alone: by how much each step of its way leads nearer, in all.
static uint32_t shortest_way(const AstarReplan *replan, uint32_t unit)
{
    const uint32_t *way = astar_plan_way(replan->plan, unit);
    const AstarGoalField *field = replan->units[unit].field;
    int64_t steps = 0;
    uint32_t value = field_value(replan, unit, way[0]);
    for (uint32_t step = 1; step < replan->row_count; step++) {
        uint32_t next = way[step] == way[step - 1] ? value : field_value(replan, unit, way[step]);
        steps += astar_goal_field_difference(field, value, next);
        value = next;
    }
    return (uint32_t)steps;
}

// Units of a group may have come to each other's places; then they go by each other's fields. Who
// has no field, for it is of units that move otherwise, keeps its way.
static void note_arrival(AstarReplan *replan)
{
    uint32_t unit = replan->at++;
    AstarPibtUnit *units = replan->units;
    uint32_t place = astar_plan_way(replan->plan, unit)[replan->plan->steps];
    uint32_t owner = replan->room->places[place].now, arrival;
    bool has_field = replan->groups[unit] != 0 && owner < replan->plan->count &&
                     replan->fields[owner].now.numbering != NULL &&
                     replan->fields[owner].goal == place && units[owner].kind == units[unit].kind;
    arrival = astar_plan_arrival(replan->plan, replan->room->groups, unit, replan->groups[unit]);
    units[unit].field = has_field ? &replan->fields[owner] : NULL;
    replan->known[unit] = (AstarReplanUnit){arrival,
                                            has_field ? shortest_way(replan, unit) : arrival};
    replan->sum += arrival;
    if (replan->at == replan->plan->count)
        replan->stage = ASTAR_REPLAN_PICK;
    owe(replan, replan->row_count);
}

// ---- picking ----

// A number below another, by lot.
static uint32_t roll(AstarReplan *replan, uint32_t below)
{
    replan->dice += UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)((astar_mix_seed(replan->dice) >> 32) * below >> 32);
}

// Picks who is in a cell after a step, unless that is known or has no way to look for.
static void pick_taker(AstarReplan *replan, uint32_t step, uint32_t cell, uint32_t wanted)
{
    uint32_t unit = who_is_at(replan, step, cell) - 1;
    if (unit == UINT32_MAX || replan->picked_count == wanted || replan->units[unit].field == NULL)
        return;
    for (uint32_t i = 0; i < replan->picked_count; i++)
        if (replan->picked[i] == unit)
            return;
    replan->picked[replan->picked_count++] = unit;
}

static inline uint32_t cell_beside(const AstarReplan *replan, uint32_t cell, int way)
{
    return cell + (uint32_t)(astar_dy[way] * replan->room->grid->width + astar_dx[way]);
}

// The legal steps of a unit out of a cell, and how many more steps are left after each.
static unsigned list_steps(const AstarReplan *replan, uint32_t unit, uint32_t cell,
                           int more[ASTAR_DIRECTIONS])
{
    const AstarGoalField *field = replan->units[unit].field;
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = astar_kind_moves(&replan->room->kinds[replan->units[unit].kind], cell);
    int x, y;
    astar_cell_xy(replan->room->grid, cell, &x, &y);
    astar_goal_field_around(field, x, y, moves, values);
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

// Goes on along a shortest way from where a unit is after some step, and picks whom it meets.
static void gather_units(AstarReplan *replan, uint32_t unit)
{
    uint32_t step = roll(replan, replan->known[unit].arrival),
             wanted = 1 + roll(replan, ASTAR_REPLAN_MOST);
    const uint32_t *way = astar_plan_way(replan->plan, unit);
    uint32_t cell = way[step], target = way[replan->plan->steps];
    for (; cell != target && replan->picked_count < wanted && step < replan->plan->steps; step++) {
        int more[ASTAR_DIRECTIONS], chosen = -1;
        uint32_t nearer = 0;
        for (unsigned rest = list_steps(replan, unit, cell, more); rest != 0; rest &= rest - 1) {
            int direction = astar_lowest_bit(rest);
            if (more[direction] < 0 && roll(replan, ++nearer) == 0)
                chosen = direction;
        }
        if (chosen < 0)
            return;
        cell = cell_beside(replan, cell, chosen);
        pick_taker(replan, step + 1, cell, wanted);
        pick_taker(replan, step, cell, wanted);
    }
}

static uint32_t *way_before(const AstarReplan *replan, uint32_t turn)
{
    return replan->before + (size_t)turn * replan->row_count;
}

// Puts the units in hand back where they were; some of them have new ways by now.
void astar_replan_stop(AstarReplan *replan)
{
    for (uint32_t i = 0; i < replan->turn; i++)
        reserve_way(replan, replan->picked[i], false);
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        memcpy(astar_plan_way(replan->plan, replan->picked[i]), way_before(replan, i),
               replan->row_count * sizeof *replan->before);
        reserve_way(replan, replan->picked[i], true);
    }
    replan->picked_count = replan->turn = 0;
}

static void keep_picked(AstarReplan *replan)
{
    uint64_t sum = replan->sum;
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i], *arrival = &replan->known[unit].arrival;
        replan->sum -= *arrival;
        *arrival = astar_plan_arrival(replan->plan, replan->room->groups, unit,
                                      replan->groups[unit]);
        replan->sum += *arrival;
    }
    replan->barren = replan->sum < sum ? 0 : replan->barren;
    replan->picked_count = replan->turn = 0;
}

// ---- the way of a unit ----

// Puts a node, unless the unit would arrive too late.
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

// Begins the search for the unit whose turn it is. It may arrive as much later than before as those
// before it arrive sooner.
static void begin_way(AstarReplan *replan)
{
    uint32_t unit = replan->picked[replan->turn], last = replan->plan->steps;
    const uint32_t *way = astar_plan_way(replan->plan, unit);
    replan->stage = ASTAR_REPLAN_SEARCH;
    replan->credit += replan->known[unit].arrival;
    replan->most = replan->credit < last ? (uint32_t)replan->credit : last;
    replan->target = way[last];
    replan->free_from = last + 1; // from then on nobody comes any more to where it arrives
    while (replan->free_from > 0 && who_is_at(replan, replan->free_from - 1, replan->target) == 0)
        replan->free_from--;
    memset(replan->buckets, 0, BUCKETS_A_STEP * (size_t)replan->row_count * sizeof(uint32_t));
    replan->bucket = BUCKETS_A_STEP * replan->row_count;
    put_node(replan, way[0], 0, replan->known[unit].shortest, 0);
}

// Whether who goes somewhere in a step goes against a direction: by more than a right angle.
static bool goes_against(const AstarReplan *replan, uint32_t unit, uint32_t step, int way)
{
    const uint32_t *cells = astar_plan_way(replan->plan, unit) + step;
    int x, y, to_x, to_y;
    astar_cell_xy(replan->room->grid, cells[0], &x, &y);
    astar_cell_xy(replan->room->grid, cells[1], &to_x, &to_y);
    return (to_x - x) * astar_dx[way] + (to_y - y) * astar_dy[way] < 0;
}

// Whether a step goes together with those of all others, see pibt.h: the cell it leads to is free
// after it, who leaves that and who enters the one it leaves go another way, and nobody crosses it.
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

// Directions are tried from another one on in each round, so that not all ways bend the same way.
static void expand_node(AstarReplan *replan, uint32_t index)
{
    AstarReplanNode node = replan->nodes[index];
    int more[ASTAR_DIRECTIONS];
    unsigned first = replan->dice >> 40 & 7;
    unsigned moves = list_steps(replan, replan->picked[replan->turn], node.cell, more);
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

// Has the plan take a unit along the way that ends in a node, where it stays.
static void write_way(AstarReplan *replan, const AstarReplanNode *node)
{
    uint32_t *way = astar_plan_way(replan->plan, replan->picked[replan->turn]);
    for (uint32_t step = replan->plan->steps; step > node->step; step--)
        way[step] = replan->target;
    for (; node->step > 0; node = &replan->nodes[node->parent])
        way[node->step] = node->cell;
}

// Ends the search, with a way to a node or none: NULL.
static void end_way(AstarReplan *replan, const AstarReplanNode *found)
{
    for (uint32_t i = 0; i < replan->node_count; i++)
        *reservation(replan, replan->nodes[i].step, replan->nodes[i].cell) &= RESERVED_FOR;
    replan->node_count = 0;
    replan->stage = ASTAR_REPLAN_PICK;
    owe(replan, replan->picked_count * (uint64_t)replan->row_count);
    if (found == NULL) {
        astar_replan_stop(replan);
        return;
    }
    write_way(replan, found);
    replan->credit -= found->step;
    reserve_way(replan, replan->picked[replan->turn++], true);
    if (replan->turn < replan->picked_count)
        begin_way(replan);
    else
        keep_picked(replan);
}

static void search_way(AstarReplan *replan)
{
    uint32_t last = BUCKETS_A_STEP * replan->row_count;
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

// ---- rounds ----

// Takes units out of the plan, the first of them one that could arrive sooner.
static AstarStatus begin_replan_round(AstarReplan *replan)
{
    const AstarPlan *plan = replan->plan;
    uint32_t unit = roll(replan, plan->count), tries = 0;
    for (; replan->known[unit].arrival <= replan->known[unit].shortest; tries++) {
        if (tries == plan->count)
            return ASTAR_OK;
        unit = unit + 1 < plan->count ? unit + 1 : 0;
    }
    if (replan->barren++ > (uint64_t)BARREN_ROUNDS_A_UNIT * plan->count)
        return ASTAR_OK;
    replan->picked[0] = unit;
    replan->picked_count = 1;
    gather_units(replan, unit);
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        memcpy(way_before(replan, i), astar_plan_way(plan, replan->picked[i]),
               replan->row_count * sizeof *replan->before);
        reserve_way(replan, replan->picked[i], false);
    }
    replan->credit = 0;
    begin_way(replan);
    owe(replan, (uint64_t)replan->picked_count * replan->row_count);
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
        switch (replan->stage) {
        case ASTAR_REPLAN_RESERVE: status = fill_reservations(replan); break;
        case ASTAR_REPLAN_ARRIVALS: note_arrival(replan); break;
        case ASTAR_REPLAN_PICK: status = begin_replan_round(replan); break;
        default: search_way(replan); break;
        }
    }
    return status;
}
