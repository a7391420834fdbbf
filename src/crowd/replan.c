// replan.c -- one unit, or two, get better ways among all others.

#include "crowd/replan.h"

#include "crowd/ways.h"

#include <string.h>

enum {
    BARREN_ROUNDS_A_UNIT = 80, // after so many without a gain there is hardly one to be had
    REPLAN_NODES = 1024,       // of one search
    WORDS_A_STEP = 4,          // of two ways, and of buckets
    LOOKS_A_WORK = 8,          // of looking at what is known
    HAS_NODE = 1 << 15,        // in a reservation, beside the unit + 1
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
    return ((size_t)replan->cells.count + 1) * sizeof **replan->rows;
}

AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, const AstarPlan *plan,
                               const AstarRoom *room, const AstarGoalField *fields,
                               const uint32_t *groups)
{
    size_t rows = (size_t)plan->steps + 1;
    *replan = (AstarReplan){.pile = {.bytes = bytes},
                            .plan = plan,
                            .room = room,
                            .fields = fields,
                            .groups = groups,
                            .row_count = plan->steps + 1,
                            .cells.count = count_room_cells(room)};
    if ((bytes->most - bytes->used) / rows < bytes_of_row(replan))
        return ASTAR_OUT_OF_BYTES;
    AstarPile *pile = &replan->pile;
    replan->rows = astar_pile_take(pile, rows, sizeof *replan->rows);
    replan->cells.numbers = astar_pile_take(pile, room->grid->cells, sizeof(uint32_t));
    replan->buckets = astar_pile_take(pile, WORDS_A_STEP * rows, sizeof(uint32_t));
    replan->nodes = astar_pile_take(pile, REPLAN_NODES, sizeof *replan->nodes);
    AstarStatus status = astar_pile_status(pile);
    if (status != ASTAR_OK)
        astar_pile_drop(pile);
    for (size_t i = 0; i < 2 && status == ASTAR_OK; i++)
        replan->fresh[i] = replan->buckets + (2 + i) * rows;
    return status;
}

// ---- reservations ----

// That of a cell which some unit can enter.
static inline uint16_t *reservation(AstarReplan *replan, uint32_t step, uint32_t cell)
{
    uint32_t *number = &replan->cells.numbers[cell];
    if (*number == 0)
        *number = ++replan->cells.numbered;
    return &replan->rows[step][*number];
}

// Who is in a cell after a step: a unit + 1, or 0.
static inline uint32_t who_is_at(const AstarReplan *replan, uint32_t step, uint32_t cell)
{
    return replan->rows[step][replan->cells.numbers[cell]] &
           RESERVED_FOR; // without a number: nobody
}

// Reserves a way for a unit + 1, or for nobody: 0.
static void reserve_way(AstarReplan *replan, const uint32_t *way, uint32_t who)
{
    for (uint32_t step = 0; step < replan->row_count; step++)
        *reservation(replan, step, way[step]) = (uint16_t)who;
}

static AstarStatus fill_reservations(AstarReplan *replan)
{
    uint32_t step = replan->filled;
    replan->rows[step] = astar_pile_take(&replan->pile, bytes_of_row(replan), 1);
    if (replan->rows[step] == NULL)
        return astar_pile_status(&replan->pile);
    replan->filled++;
    for (uint32_t unit = 0; unit < replan->plan->count; unit++)
        *reservation(replan, step, astar_plan_way(replan->plan, unit)[step]) = (uint16_t)(unit + 1);
    owe(replan, replan->plan->count + replan->cells.count / 16);
    return ASTAR_RUNNING;
}

// ---- units ----

// A number below another, by lot.
static uint32_t roll(AstarReplan *replan, uint32_t below)
{
    replan->dice += UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)((astar_mix_seed(replan->dice) >> 32) * below >> 32);
}

// Whether a unit wants to be somewhere, and the plan takes it to where its distances lead. One that
// has come to the place of another unit of its group keeps its way.
static bool has_own_place(const AstarReplan *replan, uint32_t unit)
{
    return replan->groups[unit] != 0 &&
           replan->fields[unit].goal == astar_plan_way(replan->plan, unit)[replan->plan->steps];
}

// The distance of a cell, modulo whatever the unit's field has.
static uint32_t field_value(const AstarReplan *replan, uint32_t unit, uint32_t cell)
{
    return astar_goal_field_value(replan->room->grid, &replan->fields[unit], cell);
}

// When a unit arrives, and how many steps it would need alone: by how much each step of its way
// leads nearer, in all.
static AstarReplanUnit look_at_unit(AstarReplan *replan, uint32_t unit)
{
    const AstarPlan *plan = replan->plan;
    const uint32_t *way = astar_plan_way(plan, unit);
    int64_t shortest = 0;
    uint32_t arrival = astar_plan_arrival(plan, replan->room->groups, unit, replan->groups[unit]);
    uint32_t value = field_value(replan, unit, way[0]);
    for (uint32_t step = 1; step <= plan->steps; step++) {
        uint32_t next = way[step] == way[step - 1] ? value : field_value(replan, unit, way[step]);
        shortest += astar_goal_field_difference(&replan->fields[unit], value, next);
        value = next;
    }
    owe(replan, plan->steps);
    return (AstarReplanUnit){unit, arrival, (uint32_t)shortest};
}

static inline uint32_t cell_beside(const AstarReplan *replan, uint32_t cell, int way)
{
    return cell + (uint32_t)(astar_dy[way] * replan->room->grid->width + astar_dx[way]);
}

// The legal steps of a unit out of a cell, and how many more steps are left after each.
static unsigned list_steps(const AstarReplan *replan, uint32_t unit, uint32_t cell,
                           int more[ASTAR_DIRECTIONS])
{
    const AstarGoalField *field = &replan->fields[unit];
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = astar_kind_moves(&replan->room->kinds[field->kind], cell);
    astar_goal_field_around(replan->room->grid, field, cell, moves, values);
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

// Whom a unit meets that goes on along a shortest way from where it is after some step: its number
// + 1, or 0 for nobody who could get another way.
static uint32_t find_obstacle(AstarReplan *replan, uint32_t unit, uint32_t step)
{
    uint32_t cell = astar_plan_way(replan->plan, unit)[step], who = 0;
    for (; who == 0 && step < replan->plan->steps; step++) {
        int more[ASTAR_DIRECTIONS], chosen = -1;
        uint32_t nearer = 0;
        for (unsigned rest = list_steps(replan, unit, cell, more); rest != 0; rest &= rest - 1) {
            int way = astar_lowest_bit(rest);
            if (more[way] < 0 && roll(replan, ++nearer) == 0)
                chosen = way;
        }
        if (chosen < 0)
            return 0;
        cell = cell_beside(replan, cell, chosen);
        who = who_is_at(replan, step + 1, cell);
        who = who != 0 ? who : who_is_at(replan, step, cell);
        who = who == unit + 1 || who == 0 || !has_own_place(replan, who - 1) ? 0 : who;
    }
    return who;
}

// ---- the way of a unit ----

// The way that others have to mind: the first of two may have a new one by now.
static const uint32_t *way_of_other(const AstarReplan *replan, uint32_t unit)
{
    bool is_fresh = replan->turn > 0 && replan->picked[0].unit == unit;
    return is_fresh ? replan->fresh[0] : astar_plan_way(replan->plan, unit);
}

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

// Begins the search for the unit whose turn it is. The second may arrive as much later than before
// as the first arrives sooner.
static void begin_way(AstarReplan *replan)
{
    const AstarReplanUnit *picked = &replan->picked[replan->turn];
    uint32_t last = replan->plan->steps;
    const uint32_t *way = astar_plan_way(replan->plan, picked->unit);
    replan->most += picked->arrival;
    replan->most = replan->most < last ? replan->most : last;
    replan->target = way[last];
    replan->free_from = last + 1; // from then on nobody comes any more to where it arrives
    while (replan->free_from > 0 && who_is_at(replan, replan->free_from - 1, replan->target) == 0)
        replan->free_from--;
    memset(replan->buckets, 0, 2 * (size_t)replan->row_count * sizeof(uint32_t));
    replan->bucket = 2 * replan->row_count;
    put_node(replan, way[0], 0, picked->shortest, 0);
}

// Whether who goes somewhere in a step goes against a direction: by more than a right angle.
static bool goes_against(const AstarReplan *replan, uint32_t unit, uint32_t step, int way)
{
    const uint32_t *cells = way_of_other(replan, unit) + step;
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
    unsigned moves = list_steps(replan, replan->picked[replan->turn].unit, node.cell, more);
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

// ---- rounds ----

// Has the plan take the units in hand along their new ways, or as before.
static void end_round(AstarReplan *replan, bool is_better)
{
    uint64_t gained = 0; // the second may lose some of it again
    for (uint32_t i = 0; i < replan->turn; i++)
        reserve_way(replan, replan->fresh[i], 0);
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i].unit, *way = astar_plan_way(replan->plan, unit);
        gained += replan->picked[i].arrival;
        if (is_better)
            memcpy(way, replan->fresh[i], replan->row_count * sizeof *way);
        gained -= look_at_unit(replan, unit).arrival;
        reserve_way(replan, way, unit + 1);
    }
    replan->gained += gained;
    replan->barren = gained > 0 ? 0 : replan->barren;
    replan->picked_count = replan->turn = 0;
}

// Ends the search, with a way to a node, where the unit stays, or none: NULL.
static void end_way(AstarReplan *replan, const AstarReplanNode *found)
{
    uint32_t *way = replan->fresh[replan->turn], last = replan->plan->steps;
    for (uint32_t i = 0; i < replan->node_count; i++)
        *reservation(replan, replan->nodes[i].step, replan->nodes[i].cell) &= RESERVED_FOR;
    replan->node_count = 0;
    owe(replan, replan->row_count);
    if (found == NULL) {
        end_round(replan, false);
        return;
    }
    replan->most -= found->step;
    for (uint32_t step = last; step > found->step; step--)
        way[step] = replan->target;
    for (; found->step > 0; found = &replan->nodes[found->parent])
        way[found->step] = found->cell;
    way[0] = found->cell;
    reserve_way(replan, way, replan->picked[replan->turn++].unit + 1);
    if (replan->turn < replan->picked_count)
        begin_way(replan);
    else
        end_round(replan, true);
}

static void search_way(AstarReplan *replan)
{
    uint32_t last = 2 * replan->row_count;
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

// Takes a unit out of the plan that could arrive sooner, and as often another that it meets.
static AstarStatus begin_replan_round(AstarReplan *replan)
{
    uint32_t unit = roll(replan, replan->plan->count);
    if (replan->barren++ > (uint64_t)BARREN_ROUNDS_A_UNIT * replan->plan->count)
        return ASTAR_OK;
    if (has_own_place(replan, unit))
        replan->picked[0] = look_at_unit(replan, unit);
    if (!has_own_place(replan, unit) || replan->picked[0].arrival <= replan->picked[0].shortest) {
        owe(replan, 0);
        return ASTAR_RUNNING;
    }
    replan->picked_count = 1;
    uint32_t from = roll(replan, replan->picked[0].arrival);
    uint32_t other = roll(replan, 2) == 0 ? find_obstacle(replan, unit, from) : 0;
    if (other != 0)
        replan->picked[replan->picked_count++] = look_at_unit(replan, other - 1);
    for (uint32_t i = 0; i < replan->picked_count; i++)
        reserve_way(replan, astar_plan_way(replan->plan, replan->picked[i].unit), 0);
    replan->most = 0;
    begin_way(replan);
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
        if (replan->filled < replan->row_count)
            status = fill_reservations(replan);
        else if (replan->picked_count == 0)
            status = begin_replan_round(replan);
        else
            search_way(replan);
    }
    return status;
}
