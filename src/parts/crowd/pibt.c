// pibt.c -- one turn of all units by priority inheritance with backtracking: each unit chooses its
// next step. See pibt.h for the algorithm and its sources.

#include "parts/crowd/pibt.h"

#include "parts/crowd/beat.h"
#include "parts/crowd/kind.h"

#include <assert.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// The table of legal steps out of every cell, computed once and updated after edits.
// ------------------------------------------------------------------------------------------------

void astar_move_table_free(AstarMoveTable *table, const AstarGrid *grid)
{
    astar_release(&grid->allocator, table->moves, grid->cells, 1);
    astar_bits_free(&grid->allocator, &table->bits);
    *table = (AstarMoveTable){0};
}

size_t astar_move_table_bytes(const AstarMoveTable *table, const AstarGrid *grid)
{
    return table->moves == NULL ? 0 : grid->cells + table->bits.count * sizeof *table->bits.words;
}

// Computes the legal steps of some cells of a row. The cells are those of one word of the bitmap
// 'bits' whose bits are set in 'cells'.
ASTAR_COLD static void note_moves(AstarMoveTable *table, const AstarGrid *grid,
                                  const AstarCornerRule *rule, const AstarBits *bits, int y,
                                  size_t word, uint64_t cells)
{
    if (y < 0 || y >= grid->height || word > (size_t)grid->width >> 6)
        return;
    cells &= astar_bits_mask(word, 1, (size_t)grid->width);
    for (; cells != 0; cells &= cells - 1) {
        int x = (int)(word * 64) + astar_lowest_bit(cells) - 1;
        unsigned free = astar_bits_around(bits, x, y);
        table->moves[astar_cell(grid, x, y)] = (uint8_t)astar_legal_moves_on(grid, rule, x, y, free,
                                                                             false);
    }
}

// Computes the legal steps of the cells of one word whose bits are set in 'changed', and of all
// neighbours of these cells.
static void note_moves_near(AstarMoveTable *table, const AstarGrid *grid,
                            const AstarCornerRule *rule, const AstarBits *bits, int row,
                            size_t word, uint64_t changed)
{
    for (int y = row - 1; y <= row + 1; y++) {
        note_moves(table, grid, rule, bits, y, word, changed | changed << 1 | changed >> 1);
        if ((changed & 1) != 0 && word > 0)
            note_moves(table, grid, rule, bits, y, word - 1, UINT64_C(1) << 63);
        if (changed >> 63 != 0)
            note_moves(table, grid, rule, bits, y, word + 1, 1);
    }
}

static AstarStatus need_moves(AstarMoveTable *table, const AstarGrid *grid)
{
    if (table->moves != NULL)
        return ASTAR_OK;
    table->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    table->moves = astar_alloc(&grid->allocator, grid->cells, 1);
    if (table->bits.words != NULL && table->moves != NULL)
        return ASTAR_OK;
    astar_move_table_free(table, grid);
    return ASTAR_NO_MEMORY;
}

// Brings a table of legal steps up to date by comparing the walkable cells with those of the last
// update. A new table is all zero, which is correct for a map without walkable cells: such a map
// has no steps.
ASTAR_COLD AstarStatus astar_move_table_update(AstarMoveTable *table, const AstarGrid *grid,
                                               const AstarCornerRule *rule, const AstarBits *bits)
{
    AstarStatus status = need_moves(table, grid);
    if (status != ASTAR_OK)
        return status;
    if (table->walls_version != grid->links_and_walls_version) {
        memset(table->bits.words, 0, bits->count * sizeof *bits->words);
        memset(table->moves, 0, grid->cells);
        table->walls_version = grid->links_and_walls_version;
    }
    for (int y = 0; y < grid->height; y++) {
        uint64_t *before = astar_bits_row(&table->bits, y);
        const uint64_t *now = astar_bits_row(bits, y);
        for (size_t word = 0; word < bits->stride; word++)
            if (before[word] != now[word]) {
                note_moves_near(table, grid, rule, bits, y, word, before[word] ^ now[word]);
                before[word] = now[word];
            }
    }
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below sort the possible moves of a unit (called ways in the code) by how near they
// lead to its goal. Random numbers break ties.
// ------------------------------------------------------------------------------------------------

// Cost of a move to a cell whose distance is not known. Moves with this cost are tried last.
enum { WAY_COST_UNKNOWN = 0x10000 };

int64_t astar_farther(const AstarPibt *pibt, const AstarGoalField *field, uint32_t from,
                      uint32_t to)
{
    uint32_t here = astar_goal_field_value(pibt->grid, field, from);
    uint32_t there = astar_goal_field_value(pibt->grid, field, to);
    return here == ASTAR_NO_VALUE || there == ASTAR_NO_VALUE
               ? ASTAR_UNKNOWN_FARTHER
               : astar_goal_field_difference(field, there, here);
}

// Returns the cost of a move (a step or link), by which a unit sorts its possible moves. 'here' and
// 'there' are the distances of the move's start and end, and 'step' is its length. Moves that lead
// nearer to the goal come first, beginning with those on a shortest route. Next comes staying, and
// then the moves that lead away from the goal, beginning with the smallest increase.
static inline uint32_t cost_of_way(const AstarGoalField *field, uint32_t here, uint32_t there,
                                   uint32_t step)
{
    if (there == ASTAR_NO_VALUE)
        return WAY_COST_UNKNOWN;
    if (here == ASTAR_NO_VALUE)
        return 0;
    int64_t farther = astar_goal_field_difference(field, there, here);
    if (farther >= 0)
        return ASTAR_WAY_COST_STAY + 1 + (uint32_t)(farther < 0x7000 ? farther : 0x7000);
    int64_t more = farther + step;
    return more < 0 ? 0 : more < 0x7FFF ? (uint32_t)more : 0x7FFF;
}

// Returns the cost of a step in direction 'way' for a unit that follows a route in direction
// 'lead'. The cost is that of a goal far ahead in the direction 'lead'.
static uint32_t cost_off_lead(int way, int lead)
{
    unsigned turn = (unsigned)(way - lead) & 7;
    turn = turn > 4 ? 8 - turn : turn;
    return turn < 2 ? turn : ASTAR_WAY_COST_STAY + turn;
}

uint64_t astar_mix_seed(uint64_t seed)
{
    seed = (seed ^ seed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    seed = (seed ^ seed >> 27) * UINT64_C(0x94D049BB133111EB);
    return seed ^ seed >> 31;
}

// Returns the link out of a unit's cell whose end is nearest to the unit's goal, or NULL if no link
// can be used. '*cost' becomes the cost by which the link is sorted.
static const AstarArc *astar_best_link(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                       uint32_t *cost)
{
    const AstarGrid *grid = pibt->grid;
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, unit);
    if (!astar_grid_has_links(grid))
        return NULL;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *best = NULL;
    uint32_t here = astar_pibt_is_led(unit) ? astar_goal_field_value(grid, unit->field, unit->cell)
                                            : ASTAR_NO_VALUE;
    const AstarArc *arc;
    for (uint32_t i = astar_arcs_first_from(links, unit->cell);
         (arc = astar_arc_at(&links->arcs, i)) != NULL && arc->from == unit->cell; i++) {
        if (!astar_bits_has(grid, kind->bits, arc->to))
            continue;
        uint32_t this_cost = WAY_COST_UNKNOWN;
        if (astar_pibt_is_led(unit))
            this_cost = cost_of_way(unit->field, here,
                                    astar_goal_field_value(grid, unit->field, arc->to),
                                    astar_kind_length_of(kind, arc->cost, false));
        if (best == NULL || this_cost < *cost) {
            best = arc;
            *cost = this_cost;
        }
    }
    return best;
}

uint32_t astar_end_of_link(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    uint32_t cost = 0;
    const AstarArc *arc = astar_best_link(pibt, unit, &cost);
    return arc != NULL ? arc->to : ASTAR_NOWHERE;
}

static inline int32_t key_of_way(bool is_taken, int way, uint32_t cost, uint64_t ties)
{
    uint32_t tie = (uint32_t)(ties >> way * 6) & 63;
    return (int32_t)(cost << 11 | (uint32_t)is_taken << 10 | tie << 4 | (uint32_t)way);
}

// Returns true if another unit is on the cell 'to'. If units do not prefer free cells in this turn,
// always returns false.
static inline bool is_way_taken(const AstarPibt *pibt, uint32_t to)
{
    return pibt->prefers_free && pibt->places[to].now != ASTAR_NOBODY;
}

// Adds the sort keys of all steps of a unit, in the most common case: packed distances over ground
// of one cost. 'values' holds the distances around the unit. The costs equal the results of
// cost_of_way. There are no branches that the processor could mispredict. All eight directions are
// computed, so that compilers can use vector instructions.
static int add_plain_steps(const AstarPibt *pibt, const AstarPibtUnit *unit, unsigned moves,
                           const uint32_t *values, uint64_t ties, int32_t *keys)
{
    const uint32_t *lengths = astar_pibt_kind(pibt, unit)->lengths;
    int32_t modulus = (int32_t)unit->field->now.packing.modulus;
    int32_t here = (int32_t)values[ASTAR_DIRECTIONS], untied[ASTAR_DIRECTIONS];
    const int32_t straight = (int32_t)lengths[0] - modulus,
                  diagonal = (int32_t)lengths[1] - modulus;
    const int32_t steps[ASTAR_DIRECTIONS] = {straight, diagonal, straight, diagonal,
                                             straight, diagonal, straight, diagonal};
    for (int way = 0; way < ASTAR_DIRECTIONS; way++) {
        int32_t farther = (int32_t)values[way] - here;
        farther += modulus & -(farther < 0);
        int32_t on_best = farther + steps[way];
        int32_t nearer = on_best & ~-(on_best < 0), off = ASTAR_WAY_COST_STAY + 1 + farther;
        int32_t cost = off ^ ((off ^ nearer) & -(farther > modulus / 2));
        untied[way] = (values[way] == ASTAR_NO_VALUE ? WAY_COST_UNKNOWN : cost) << 11 | way;
    }
    const AstarPlace *place = &pibt->places[unit->cell];
    int count = 0, width = pibt->grid->width, taken = pibt->prefers_free ? 1 << 10 : 0;
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        bool is_free = place[astar_dy[way] * width + astar_dx[way]].now == ASTAR_NOBODY;
        keys[count++] = untied[way] | (int32_t)(ties >> way * 6 & 63) << 4 | (is_free ? 0 : taken);
    }
    return count;
}

// Adds the sort keys of all steps of a unit, on any ground. The most common case is left to
// add_plain_steps.
static int add_steps(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index,
                     uint64_t ties, int32_t *keys)
{
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, unit);
    unsigned moves = astar_kind_moves(kind, unit->cell);
    uint32_t values[ASTAR_DIRECTIONS + 1] = {0};
    bool is_led = astar_pibt_is_led(unit);
    int lead = is_led ? ASTAR_WAYS : astar_pibt_lead(pibt, index), count = 0;
    if (is_led) {
        astar_goal_field_around(pibt->grid, unit->field, unit->cell, moves, values);
        if (kind->is_uniform && unit->field->now.packing.modulus != 0 &&
            values[ASTAR_DIRECTIONS] != ASTAR_NO_VALUE)
            return add_plain_steps(pibt, unit, moves, values, ties, keys);
    }
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t to = astar_pibt_towards(pibt, unit->cell, way), cost = WAY_COST_UNKNOWN;
        if (is_led)
            cost = cost_of_way(unit->field, values[ASTAR_DIRECTIONS], values[way],
                               astar_kind_step(kind, to, (way & 1) != 0));
        else if (lead < ASTAR_WAYS)
            cost = cost_off_lead(way, lead);
        keys[count++] = key_of_way(is_way_taken(pibt, to), way, cost, ties);
    }
    return count;
}

// Returns random numbers that break ties between the possible moves of a unit, six bits for each
// move. If the map is mostly free, going straight on wins ties, so that a unit turns only as often
// as its route bends. In a dense crowd the order of equal moves must change from turn to turn,
// because otherwise some units would never get their turn to move.
static uint64_t ties_of_unit(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index)
{
    uint64_t ties = astar_mix_seed(pibt->seed + (uint64_t)index * UINT64_C(0x9E3779B97F4A7C15));
    int last = (int)(unit->ways >> ASTAR_LAST_WAY_AT & 15) - 1;
    if (!pibt->prefers_free || last < 0)
        return ties;
    return (ties | UINT64_C(0x041041041041041)) & ~(UINT64_C(63) << last * 6);
}

void astar_list_ways_of(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index,
                        uint32_t stay_cost, AstarWayKeys *ways)
{
    uint64_t ties = ties_of_unit(pibt, unit, index);
    *ways = (AstarWayKeys){.count = 0};
    ways->keys[0] = key_of_way(false, ASTAR_WAY_STAY, stay_cost, ties);
    ways->count = 1 + add_steps(pibt, unit, index, ties, ways->keys + 1);
    if (!astar_grid_has_links(pibt->grid))
        return;
    uint32_t cost = 0;
    const AstarArc *arc = astar_best_link(pibt, unit, &cost);
    if (arc != NULL)
        ways->keys[ways->count++] = key_of_way(is_way_taken(pibt, arc->to), ASTAR_WAY_LINK, cost,
                                               ties);
}

void astar_list_ways(const AstarPibt *pibt, uint32_t index, uint32_t stay_cost, AstarWayKeys *ways)
{
    astar_list_ways_of(pibt, &pibt->units[index], index, stay_cost, ways);
}

int astar_pibt_steps(AstarPibt *pibt, uint32_t unit, uint32_t cells[ASTAR_WAYS])
{
    AstarWayKeys ways;
    astar_list_ways(pibt, unit, ASTAR_WAY_COST_LAST, &ways);
    uint64_t sorted = astar_sort_ways(&ways);
    for (int i = 0; i < ways.count; i++)
        cells[i] = astar_cell_of_way(pibt, &pibt->units[unit], astar_way_at(sorted, i));
    return ways.count;
}

int astar_way_to(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t cell)
{
    if (cell == unit->cell)
        return ASTAR_WAY_STAY;
    for (unsigned moves = astar_kind_moves(astar_pibt_kind(pibt, unit), unit->cell); moves != 0;
         moves &= moves - 1)
        if (astar_pibt_towards(pibt, unit->cell, astar_lowest_bit(moves)) == cell)
            return astar_lowest_bit(moves);
    return astar_cell_of_way(pibt, unit, ASTAR_WAY_LINK) == cell ? ASTAR_WAY_LINK : -1;
}

// ------------------------------------------------------------------------------------------------
// The functions below put units into their cells, remove them, and undo decisions.
// ------------------------------------------------------------------------------------------------

void astar_pibt_place(AstarPibt *pibt, uint32_t unit)
{
    const AstarPibtUnit *placed = &pibt->units[unit];
    int size = astar_pibt_size(pibt, placed), width = pibt->grid->width;
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            pibt->places[placed->cell + (uint32_t)(row * width + column)].now = unit;
}

void astar_pibt_lift(AstarPibt *pibt, uint32_t unit)
{
    const AstarPibtUnit *lifted = &pibt->units[unit];
    int size = astar_pibt_size(pibt, lifted);
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            AstarPlace *place =
                &pibt->places[lifted->cell + (uint32_t)(row * pibt->grid->width + column)];
            place->now = place->now == unit ? ASTAR_NOBODY : place->now;
        }
}

bool astar_pibt_is_free(const AstarPibt *pibt, const AstarCrowdKind *kind, int x, int y,
                        uint32_t unit)
{
    int size = astar_kind_size(kind), at = 0;
    if (x + size > pibt->grid->width || y + size > pibt->grid->height)
        return false;
    AstarCellArea area = {astar_cell(pibt->grid, x, y), size, size};
    return astar_next_in_area(pibt, &area, unit, &at) == ASTAR_NOBODY;
}

void astar_pibt_take_back(AstarPibt *pibt, uint32_t since)
{
    uint32_t kept = pibt->decided;
    do
        kept--;
    while (pibt->trail[kept] != since);
    for (uint32_t i = kept; i < pibt->decided; i++) {
        uint32_t index = pibt->trail[i];
        if ((pibt->units[index].flags & ASTAR_PIBT_FIXED) != 0)
            pibt->trail[kept++] = index;
        else
            astar_pibt_withdraw(pibt, index);
    }
    pibt->decided = kept;
}

// ------------------------------------------------------------------------------------------------
// The functions below test whether two moving units collide: whether their discs, or their whole
// squares, overlap during a step.
// ------------------------------------------------------------------------------------------------

// The motion of a unit during a turn: its centre and the movement of its centre, both in half
// cells, and its size in cells.
typedef struct Motion {
    int x, y, dx, dy, size;
} Motion;

static Motion motion_of(const AstarPibt *pibt, const AstarPibtUnit *unit, int way)
{
    Motion motion = {0, 0, 0, 0, astar_pibt_size(pibt, unit)};
    astar_cell_xy(pibt->grid, unit->cell, &motion.x, &motion.y);
    motion.x = 2 * motion.x + motion.size;
    motion.y = 2 * motion.y + motion.size;
    if (way < ASTAR_WAY_STAY) {
        motion.dx = 2 * astar_dx[way];
        motion.dy = 2 * astar_dy[way];
    }
    return motion;
}

// Returns true if the squares of two units overlap during their steps. It is enough to test every
// eighth of the motion, because units start and end on whole cells.
static bool squares_overlap(const Motion *a, const Motion *b)
{
    for (int eighth = 1; eighth < 8; eighth++) {
        int x = 8 * (b->x - a->x) + eighth * (b->dx - a->dx);
        int y = 8 * (b->y - a->y) + eighth * (b->dy - a->dy);
        if (abs(x) < 8 * (a->size + b->size) && abs(y) < 8 * (a->size + b->size))
            return true;
    }
    return false;
}

// Returns true if the discs of two units overlap at the moment when their centres are nearest. A
// disc has the radius size / 2 - 0.15.
static bool discs_overlap(const Motion *a, const Motion *b)
{
    int64_t x = b->x - a->x, y = b->y - a->y, dx = b->dx - a->dx, dy = b->dy - a->dy;
    int64_t along = -(x * dx + y * dy), speed = dx * dx + dy * dy;
    if (along <= 0 || along >= speed)
        return false; // the centres are nearest at the start or end, when the units do not overlap
    int64_t room = 5 * (a->size + b->size) - 3; // sum of the two radii, in fifths of half cells
    return 25 * ((x * x + y * y) * speed - along * along) < room * room * speed;
}

static bool goes_beside_unit(const AstarPibt *pibt, const Motion *motion,
                             const AstarPibtUnit *other)
{
    if (!astar_pibt_is_decided(other))
        return true;
    Motion others = motion_of(pibt, other, other->way);
    return pibt->is_exclusive ? !squares_overlap(motion, &others) : !discs_overlap(motion, &others);
}

// Returns true if the step of a unit to the cell 'to' would close a ring of units. In a ring, each
// unit enters the cell that the next unit leaves, so no unit could step first. Used only if all
// units have size 1.
static bool closes_a_ring(const AstarPibt *pibt, uint32_t index, uint32_t to)
{
    uint32_t who = pibt->places[to].now;
    while (who != ASTAR_NOBODY && who != index && astar_pibt_is_decided(&pibt->units[who]) &&
           pibt->units[who].next != pibt->units[who].cell)
        who = pibt->places[pibt->units[who].next].now;
    return who == index;
}

// Returns true if a step can be put in order with each step that is decided nearby: one of the two
// units can step while the other has not stepped yet. Staying counts as a step.
static bool has_an_order(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    if (way < ASTAR_WAY_STAY && !pibt->has_sizes && closes_a_ring(pibt, index, to))
        return false;
    AstarStepBoxes step = astar_step_boxes(pibt, unit, to);
    AstarCellArea near = astar_area_about(pibt, unit->cell, astar_pibt_size(pibt, unit), 2);
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &near, index, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        if (!astar_pibt_is_decided(other))
            continue;
        AstarStepBoxes others = astar_step_boxes(pibt, other, other->next);
        if (!astar_step_can_be_first(&step, &others) && !astar_step_can_be_first(&others, &step))
            return false;
    }
    return true;
}

bool astar_goes_beside_others(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit);
    if (!astar_pibt_is_next_free(pibt, size, to) ||
        (way == ASTAR_WAY_LINK && !astar_pibt_is_next_free(pibt, size, unit->cell)))
        return false;
    if (pibt->takes_steps_in_turn)
        return has_an_order(pibt, index, to, way);
    if (way >= ASTAR_WAY_STAY)
        return true; // staying is allowed; units that decide later are checked against this unit
    Motion motion = motion_of(pibt, unit, way);
    AstarCellBox near = astar_cells_about(pibt->grid, unit->cell, size, 2);
    for (int y = near.y0; y <= near.y1; y++)
        for (int x = near.x0; x <= near.x1; x++) {
            const AstarPlace *place = &pibt->places[astar_cell(pibt->grid, x, y)];
            const uint32_t who[] = {place->now, place->next};
            for (int i = 0; i < 2; i++)
                if (who[i] != ASTAR_NOBODY && who[i] != index &&
                    !goes_beside_unit(pibt, &motion, &pibt->units[who[i]]))
                    return false;
        }
    return true;
}

// ------------------------------------------------------------------------------------------------
// The functions below implement the swap rule. The rule detects two units that want to pass each
// other in a corridor, and finds out whether the corridor widens.
// ------------------------------------------------------------------------------------------------

// Maximum number of cells that are searched along a corridor for a place where two units can pass.
enum { PIBT_LONGEST_CORRIDOR = 1000 };

// Returns the number of steps that lead on from a cell of a corridor, at most 2. The step back to
// 'from' and dead ends in which a unit has arrived are not counted. '*on' becomes the cell of the
// last counted step.
static int count_ways_on(const AstarPibt *pibt, const AstarCrowdKind *kind, uint32_t cell,
                         uint32_t from, uint32_t *on)
{
    int count = 0;
    for (unsigned moves = astar_kind_moves(kind, cell); moves != 0 && count < 2;
         moves &= moves - 1) {
        uint32_t to = astar_pibt_towards(pibt, cell, astar_lowest_bit(moves));
        if (to == from)
            continue;
        unsigned out = astar_kind_moves(kind, to);
        if ((out & (out - 1)) == 0) {
            uint32_t who = pibt->places[to].now;
            if (who != ASTAR_NOBODY && pibt->units[who].field != NULL &&
                astar_goal_field_ends_at(pibt->grid, pibt->units[who].field, to))
                continue;
        }
        count++;
        *on = to;
    }
    return count;
}

// Returns true if two units block each other in a corridor. The unit 'pusher' drives the unit
// 'puller' forward along the corridor, and 'puller' wants to go in the opposite direction or has no
// goal.
static bool is_swap_required(const AstarPibt *pibt, const AstarPibtUnit *pusher,
                             const AstarPibtUnit *puller, uint32_t behind, uint32_t ahead)
{
    bool goes_anywhere = puller->field == NULL;
    if (!astar_pibt_is_led(pusher) || !(goes_anywhere || astar_pibt_is_led(puller)))
        return false;
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, pusher);
    for (int i = 0; astar_pibt_is_nearer(pibt, pusher->field, behind, ahead); i++) {
        uint32_t on = ASTAR_NOWHERE;
        int count = count_ways_on(pibt, kind, ahead, behind, &on);
        if (count >= 2 || i == PIBT_LONGEST_CORRIDOR)
            return false;
        if (count == 0)
            break;
        behind = ahead;
        ahead = on;
    }
    return (goes_anywhere || astar_pibt_is_nearer(pibt, puller->field, ahead, behind)) &&
           (astar_goal_field_ends_at(pibt->grid, pusher->field, behind) ||
            astar_pibt_is_nearer(pibt, pusher->field, behind, ahead));
}

// Returns true if a corridor becomes wide enough somewhere for two units to pass. The corridor is
// followed from the cell 'behind' over the cell 'ahead'.
static bool is_swap_possible(const AstarPibt *pibt, const AstarCrowdKind *kind, uint32_t behind,
                             uint32_t ahead)
{
    uint32_t origin = behind;
    for (int i = 0; ahead != origin && i < PIBT_LONGEST_CORRIDOR; i++) {
        uint32_t on = ASTAR_NOWHERE;
        int count = count_ways_on(pibt, kind, ahead, behind, &on);
        if (count != 1)
            return count > 1;
        behind = ahead;
        ahead = on;
    }
    return false;
}

static bool may_swap(const AstarPibt *pibt, uint32_t index, uint32_t other)
{
    return other != ASTAR_NOBODY && astar_pibt_size(pibt, &pibt->units[other]) == 1 &&
           !astar_are_of_two_sides(pibt, index, other);
}

// Returns true if more than one step leads on after the step 'first' of a unit. In this case two
// units can pass each other, and no swap is needed.
static bool is_wide_ahead(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t first)
{
    uint32_t on;
    return pibt->is_of_one_kind && !astar_goal_field_ends_at(pibt->grid, unit->field, unit->cell) &&
           count_ways_on(pibt, astar_pibt_kind(pibt, unit), first, unit->cell, &on) >= 2;
}

int astar_find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, unit);
    uint32_t here = unit->cell, first = astar_cell_of_way(pibt, unit, best_way);
    uint32_t other = pibt->places[first].now;
    if (first == here || (pibt->is_exclusive && !pibt->takes_steps_in_turn) ||
        !may_swap(pibt, index, index) || (leads_nearer && is_wide_ahead(pibt, unit, first)))
        return ASTAR_NO_WAY;
    if (may_swap(pibt, index, other) && !astar_pibt_is_decided(&pibt->units[other]) &&
        is_swap_required(pibt, unit, &pibt->units[other], here, first) &&
        is_swap_possible(pibt, kind, first, here))
        return best_way;
    for (unsigned moves = astar_kind_moves(kind, here); moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t from = astar_pibt_towards(pibt, here, way);
        uint32_t who = from == first ? ASTAR_NOBODY : pibt->places[from].now;
        if (may_swap(pibt, index, who) &&
            is_swap_required(pibt, &pibt->units[who], unit, here, first) &&
            is_swap_possible(pibt, kind, first, here))
            return way;
    }
    return ASTAR_NO_WAY;
}

// ------------------------------------------------------------------------------------------------
// The functions below let large units get past each other. Units keep right, and units that a large
// unit pushes move straight ahead of it. Both rules apply only if the crowd has units larger than a
// cell.
// ------------------------------------------------------------------------------------------------

// PIBT_OUTLOOK: a unit looks ahead for units that come towards it, as far as PIBT_OUTLOOK times its
// size. PIBT_WAITS_FROM: if the other unit is more than PIBT_WAITS_FROM steps away, the unit may
// wait for room on its right.
enum { PIBT_OUTLOOK = 6, PIBT_WAITS_FROM = 4 };

// Returns true if 'other' comes towards a unit that goes in direction 'way'. This is the case if
// 'other' has another goal, and a step in about the opposite direction leads it nearer to that
// goal.
ASTAR_COLD static bool comes_against(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                     const AstarPibtUnit *other, int way)
{
    if (other->field == NULL || (other->flags & ASTAR_PIBT_ARRIVED) != 0 ||
        astar_is_same_goal(other->field, unit->field))
        return false;
    if (!astar_pibt_is_led(other)) {
        int lead = astar_pibt_lead(pibt, (uint32_t)(other - pibt->units));
        return lead < ASTAR_WAYS && astar_is_against(lead, way);
    }
    int x, y;
    astar_cell_xy(pibt->grid, other->cell, &x, &y);
    for (int turn = 3; turn <= 5; turn++) {
        int to_x = x + astar_dx[(way + turn) & 7], to_y = y + astar_dy[(way + turn) & 7];
        if (astar_inside(pibt->grid, to_x, to_y) &&
            astar_pibt_is_nearer(pibt, other->field, other->cell,
                                 astar_cell(pibt->grid, to_x, to_y)))
            return true;
    }
    return false;
}

// Returns the next unit in the cells that a unit would cover after 'steps' steps in direction
// 'way'. '*at' is the position at which the search for such a unit begins. Returns ASTAR_NOBODY if
// no other unit is in these cells.
ASTAR_COLD static uint32_t next_there(const AstarPibt *pibt, uint32_t index, int way, int steps,
                                      int *at)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit), x, y;
    astar_cell_xy(pibt->grid, unit->cell, &x, &y);
    x += steps * astar_dx[way];
    y += steps * astar_dy[way];
    if (x < 0 || y < 0 || x + size > pibt->grid->width || y + size > pibt->grid->height)
        return ASTAR_NOBODY;
    AstarCellArea area = {astar_cell(pibt->grid, x, y), size, size};
    return astar_next_in_area(pibt, &area, index, at);
}

// Returns true if a unit would meet a unit that comes towards it, after 'steps' steps in direction
// 'way'. Only pairs with at least one unit larger than a cell are examined.
static bool meets_there(const AstarPibt *pibt, uint32_t index, int way, int steps)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int at = 0;
    for (uint32_t who; (who = next_there(pibt, index, way, steps, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        if ((astar_pibt_size(pibt, unit) > 1 || astar_pibt_size(pibt, other) > 1) &&
            comes_against(pibt, unit, other, way))
            return true;
    }
    return false;
}

// Returns true if a unit is in the cells to the right of the unit 'index' and goes in about the
// same direction.
static bool is_right_taken(const AstarPibt *pibt, uint32_t index, int way)
{
    int at = 0;
    uint32_t who = next_there(pibt, index, (way + 2) & 7, 1, &at);
    return who != ASTAR_NOBODY && !comes_against(pibt, &pibt->units[index], &pibt->units[who], way);
}

// Puts a move at the front of the sorted moves of a unit. The first '*nearer' moves are those that
// lead nearer to the goal; the move put first becomes one of them.
static void put_way_first(uint64_t *sorted, int count, int way, int *nearer)
{
    int at = 0;
    while (at < count && astar_way_at(*sorted, at) != way)
        at++;
    if (at == count)
        return;
    uint64_t before = *sorted & ((UINT64_C(1) << 4 * at) - 1);
    *sorted = *sorted >> 4 * (at + 1) << 4 * (at + 1) | before << 4 | (uint64_t)way;
    *nearer += at >= *nearer;
}

ASTAR_COLD bool astar_keep_right(const AstarPibt *pibt, uint32_t index, uint64_t *sorted, int count,
                                 int *nearer)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int best = astar_way_at(*sorted, 0), size = astar_pibt_size(pibt, unit), steps = 1;
    if (best >= ASTAR_WAY_STAY || (unit->flags & ASTAR_PIBT_ARRIVED) != 0 ||
        (!astar_pibt_is_led(unit) && astar_pibt_lead(pibt, index) >= ASTAR_WAYS))
        return false;
    while (steps <= PIBT_OUTLOOK * size && !meets_there(pibt, index, best, steps))
        steps += size;
    if (steps > PIBT_OUTLOOK * size || (astar_mix_seed(pibt->seed ^ index) & 3) == 0)
        return false;
    int most = steps > 1 ? 1 : 2 + (best & 1);
    for (int turn = 1; turn <= most; turn++)
        put_way_first(sorted, count, (best + turn) & 7, nearer);
    if (steps > PIBT_WAITS_FROM && is_right_taken(pibt, index, best))
        put_way_first(sorted, count, ASTAR_WAY_STAY, nearer);
    return true;
}

ASTAR_COLD uint64_t astar_give_way(const AstarPibtUnit *unit, int push, const AstarWayKeys *ways,
                                   uint64_t sorted)
{
    if (push >= ASTAR_WAY_STAY)
        return sorted;
    unsigned own = (unsigned)(astar_way_at(sorted, 0) - push) & 7;
    bool is_at_rest = unit->field == NULL || (unit->flags & ASTAR_PIBT_ARRIVED) != 0;
    if (!is_at_rest && ((unit->flags & ASTAR_PIBT_PRESSED) == 0 || own <= 1 || own == 7))
        return sorted;
    AstarWayKeys turned = {.count = ways->count};
    for (int i = 0; i < ways->count; i++) {
        uint32_t way = ways->keys[i] & 15, turn = (way - (unsigned)push) & 7;
        uint32_t cost = way >= ASTAR_WAY_STAY ? 8 : turn > 4 ? 8 - turn : turn;
        turned.keys[i] = (ways->keys[i] & 0x7FF) | (int32_t)(cost << 11);
    }
    return astar_sort_ways(&turned);
}

// ------------------------------------------------------------------------------------------------
// The functions below decide which units have to leave before a unit can step, and push them.
// ------------------------------------------------------------------------------------------------

// Bit offset, in the member 'ways' of a unit, of the direction towards its partner in a swap, which
// will follow the unit.
enum { PULLER_AT = 48 };

// Flag in the member 'ways' of a unit that has arrived. The flag is set while the unit makes room
// for units that come to the same goal, see is_pressed_by.
static const uint64_t PRESSED_ON = UINT64_C(1) << 57;

// The functions below determine whether a unit can push another unit out of its cells.

AstarCellArea astar_area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                                int way)
{
    int size = astar_pibt_size(pibt, unit);
    AstarCellArea area = {to, size, size};
    if (!pibt->is_exclusive || way >= ASTAR_WAY_STAY || (way & 1) == 0)
        return area;
    uint32_t west = astar_dx[way] < 0 ? 0 : 1, north = astar_dy[way] < 0 ? 0 : 1;
    area.cell = to - west - north * (uint32_t)pibt->grid->width;
    area.columns = area.rows = size + 1;
    return area;
}

// Returns true if 'other' does not drive a unit away because both have the same goal. If 'other'
// itself is pushed by a third unit, it drives the unit away nevertheless. Otherwise no unit could
// get past a group, or out of the middle of a group.
static bool is_spared_by(const AstarPibtUnit *unit, const AstarPibtUnit *other)
{
    return unit->field != NULL && other->field != NULL &&
           astar_is_same_goal(unit->field, other->field) && (other->flags & ASTAR_PIBT_DRIVEN) == 0;
}

// Returns true if a unit that has arrived is not driven away by 'other', because 'other' has
// arrived too. 'flags' are the flags of the first unit. Without this rule, groups whose cells
// overlap would push each other for ever.
static bool is_left_alone_by(unsigned flags, const AstarPibtUnit *other)
{
    return (flags & ASTAR_PIBT_ARRIVED) != 0 &&
           (other->flags & (ASTAR_PIBT_ARRIVED | ASTAR_PIBT_DRIVEN)) == ASTAR_PIBT_ARRIVED;
}

// Returns true if a unit that has arrived makes room for 'pusher', which has the same goal.
// 'pusher' must not have arrived yet, or must be making room itself. The unit may move away from
// the goal only by as many steps as the units that push it come nearer in total. The units of a
// goal thus fill its far side as well.
static bool is_pressed_by(const AstarPibt *pibt, const AstarPibtUnit *unit,
                          const AstarPibtUnit *pusher)
{
    unsigned flags = pusher->flags & (ASTAR_PIBT_ARRIVED | ASTAR_PIBT_DRIVEN);
    return (unit->flags & ASTAR_PIBT_ARRIVED) != 0 && unit->field == pusher->field &&
           astar_pibt_is_all_small(pibt) && astar_pibt_is_led(unit) &&
           (flags == 0 || (flags == ASTAR_PIBT_ARRIVED && (pusher->ways & PRESSED_ON) != 0));
}

// Returns the increase of a unit's distance to its goal if the unit makes the move that it is
// trying.
static int64_t presses_by(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    uint32_t to = astar_cell_of_way(pibt, unit, astar_way_tried(unit));
    return to == ASTAR_NOWHERE ? 0 : astar_farther(pibt, unit->field, unit->cell, to);
}

// Returns true if 'unit' must not push 'other' out of its cells. A push that failed in the turn of
// an earlier unit may be repeated.
static bool is_not_to_leave(const AstarPibt *pibt, const AstarPibtUnit *unit,
                            const AstarPibtUnit *other)
{
    unsigned flags = other->flags;
    if (astar_are_of_two_sides(pibt, (uint32_t)(unit - pibt->units),
                               (uint32_t)(other - pibt->units)))
        return true;
    if (is_pressed_by(pibt, other, unit) || (unit->ways & PRESSED_ON) != 0)
        return !is_pressed_by(pibt, other, unit);
    if ((flags & (ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED)) != 0 && (uint32_t)other->ways != pibt->at)
        flags &= ~(unsigned)(ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED);
    return (flags & ASTAR_PIBT_FIRM) != 0 || is_left_alone_by(flags, unit) ||
           ((flags & (ASTAR_PIBT_ARRIVED | ASTAR_PIBT_ASKED)) != 0 && is_spared_by(other, unit));
}

// Returns the undecided unit in the cell 'to', which has to leave that cell. Returns ASTAR_NOBODY
// if there is none. Used only if all units have size 1.
static uint32_t who_is_to_leave(const AstarPibt *pibt, uint32_t index, uint32_t to)
{
    uint32_t who = pibt->places[to].now;
    return who == index || who == ASTAR_NOBODY || astar_pibt_is_decided(&pibt->units[who])
               ? ASTAR_NOBODY
               : who;
}

static uint32_t next_to_push(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    if (astar_pibt_is_all_small(pibt))
        return who_is_to_leave(pibt, index, to);
    AstarCellArea area = astar_area_of_way(pibt, &pibt->units[index], to, way);
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;)
        if (!astar_pibt_is_decided(&pibt->units[who]))
            return who;
    return ASTAR_NOBODY;
}

// The functions below try the possible moves of a unit.

static inline void try_next_way(AstarPibtUnit *unit)
{
    unit->ways += UINT64_C(1) << ASTAR_WAYS_AT;
}

// Returns the list of moves that a unit will try: the first 'count' moves of a sorted list, in
// reverse order if 'is_reversed' is true, and then an end mark.
static uint64_t ways_to_try(uint64_t sorted, int count, bool is_reversed)
{
    uint64_t ways = sorted & ((UINT64_C(1) << 4 * count) - 1);
    if (is_reversed) {
        ways = 0;
        for (int i = 0; i < count; i++)
            ways = ways << 4 | (sorted >> 4 * i & 15);
    }
    return ways | (uint64_t)ASTAR_NO_WAY << 4 * count;
}

static bool try_small_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    if (to == ASTAR_NOWHERE || !astar_goes_beside_small(pibt, unit, to, way))
        return false;
    uint32_t who = who_is_to_leave(pibt, index, to);
    if (who != ASTAR_NOBODY && is_not_to_leave(pibt, unit, &pibt->units[who]))
        return false;
    astar_pibt_reserve(pibt, index, to, way);
    return true;
}

// Tries a move for a unit. Returns true if the unit has decided to make the move, provided that all
// undecided units in its new cells can leave. An exclusive unit decides to stay until they have
// left.
static bool try_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    if (astar_pibt_is_all_small(pibt))
        return try_small_way(pibt, index, to, way);
    AstarPibtUnit *unit = &pibt->units[index];
    if (to == ASTAR_NOWHERE || !astar_goes_beside_others(pibt, index, to, way))
        return false;
    AstarCellArea area = astar_area_of_way(pibt, unit, to, way);
    bool is_empty = true, are_all_decided = true;
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        is_empty = false;
        if (astar_pibt_is_decided(other))
            continue;
        are_all_decided = false;
        if (is_not_to_leave(pibt, unit, other))
            return false;
        // The cells of 'other' are reserved, so 'other' could not stay where it is.
        if (pibt->has_sizes &&
            !astar_pibt_is_next_free(pibt, astar_pibt_size(pibt, other), other->cell))
            return false;
    }
    if (!is_empty && pibt->is_exclusive && !pibt->takes_steps_in_turn) {
        if (are_all_decided || way == ASTAR_WAY_STAY)
            return false;
        unit->flags |= ASTAR_PIBT_YIELDS;
        astar_pibt_reserve(pibt, index, unit->cell, ASTAR_WAY_STAY);
        return true;
    }
    astar_pibt_reserve(pibt, index, to, way);
    return true;
}

// The functions below start the decision of a unit.

// Sets the flags of a unit that record by which kind of unit it was pushed. 'is_driven' is true if
// the unit must leave its cells.
static void note_push(const AstarPibt *pibt, AstarPibtUnit *unit, const AstarPibtUnit *pusher,
                      bool is_driven)
{
    unit->flags &= (uint8_t) ~(ASTAR_PIBT_DRIVEN | ASTAR_PIBT_PRESSED);
    if (!is_driven)
        return;
    unit->flags |= ASTAR_PIBT_DRIVEN;
    if (astar_pibt_size(pibt, unit) > 1 || astar_pibt_size(pibt, pusher) > 1 ||
        (pusher->flags & ASTAR_PIBT_PRESSED) != 0)
        unit->flags |= ASTAR_PIBT_PRESSED;
}

void astar_push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher)
{
    AstarPibtUnit *unit = &pibt->units[index];
    bool is_pushed = pusher != ASTAR_NOBODY;
    bool is_asked = is_pushed && is_spared_by(unit, &pibt->units[pusher]);
    bool is_driven = is_pushed && !is_asked;
    // If a unit was pushed and could not leave its cells in one step, it starts to leave them in
    // its own turn. A large unit may need several steps to leave its cells.
    bool evades = !is_pushed && (unit->flags & ASTAR_PIBT_FIRM) != 0;
    int push = (int)(unit->ways >> 32 & 15);
    if (!evades)
        note_push(pibt, unit, &pibt->units[is_pushed ? pusher : index], is_driven);
    AstarWayKeys ways;
    bool stays_last = is_driven && pibt->is_exclusive && !pibt->takes_steps_in_turn;
    bool is_pressed = is_asked && is_pressed_by(pibt, unit, &pibt->units[pusher]);
    astar_list_ways(pibt, index, stays_last ? ASTAR_WAY_COST_LAST : ASTAR_WAY_COST_STAY, &ways);
    uint64_t sorted = astar_sort_ways(&ways);
    int nearer = astar_count_nearer(&ways);
    bool leads_nearer = nearer > 0;
    if (pibt->has_sizes && !astar_keep_right(pibt, index, &sorted, ways.count, &nearer) &&
        (is_driven || evades))
        sorted = astar_give_way(unit, evades ? push : astar_way_tried(&pibt->units[pusher]), &ways,
                                sorted);
    int count = is_asked && !is_pressed ? nearer : ways.count, puller = ASTAR_NO_WAY;
    if (count > 0 && !is_pressed)
        puller = astar_find_puller(pibt, index, astar_way_at(sorted, 0), leads_nearer);
    unit->pusher = pusher;
    unit->ways = (unit->ways & ASTAR_LAST_WAY) |
                 ways_to_try(sorted, count, puller != ASTAR_NO_WAY) |
                 (uint64_t)puller << PULLER_AT | (is_pressed ? PRESSED_ON : 0);
    pibt->top = index;
    pibt->pushes++;
}

// The functions below find units that should wait in line when they are pushed.

// Returns true if one of the steps that a unit has tried is taken by a unit that opposes it. A unit
// opposes the first unit if it has no goal, has arrived, or wants to enter the cell of the first
// unit.
static bool is_opposed(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    for (unsigned i = 0; i < astar_ways_tried(unit); i++) {
        uint32_t to = astar_cell_of_way(pibt, unit, astar_way_at(unit->ways, (int)i));
        uint32_t who = pibt->places[to].next;
        who = who != ASTAR_NOBODY ? who : pibt->places[to].now;
        if (who != ASTAR_NOBODY &&
            (!astar_pibt_is_led(&pibt->units[who]) ||
             (pibt->units[who].flags & ASTAR_PIBT_ARRIVED) != 0 ||
             astar_pibt_is_nearer(pibt, pibt->units[who].field, to, unit->cell)))
            return true;
    }
    return false;
}

// Returns true if 'pusher' would gain nothing by entering the cell of 'unit'. From that cell, all
// steps that lead 'pusher' nearer to its goal are steps that 'unit' has tried in vain.
static bool gains_nothing(const AstarPibt *pibt, const AstarPibtUnit *pusher,
                          const AstarPibtUnit *unit)
{
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = astar_kind_moves(astar_pibt_kind(pibt, unit), unit->cell), tried = 0, on = 0;
    int back = (astar_way_tried(pusher) + 4) & 7;
    for (unsigned i = 0; i < astar_ways_tried(unit); i++)
        tried |= 1u << astar_way_at(unit->ways, (int)i);
    astar_goal_field_around(pibt->grid, pusher->field, unit->cell, moves | 1u << back, values);
    uint32_t here = values[ASTAR_DIRECTIONS];
    if (here == ASTAR_NO_VALUE || values[back] == ASTAR_NO_VALUE ||
        astar_goal_field_difference(pusher->field, here, values[back]) >= 0)
        return false;
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        bool is_nearer = values[way] != ASTAR_NO_VALUE &&
                         astar_goal_field_difference(pusher->field, values[way], here) < 0;
        on |= (unsigned)is_nearer << way;
    }
    return on != 0 && (on & ~tried) == 0;
}

// Returns true if a unit that is pushed should wait in line instead of leaving. This is the case if
// no step that leads it nearer to its goal is free, no unit comes towards it, and its pusher goes
// in the same direction. If the unit were pushed aside, it would only return later. This check is
// made only when the unit would leave, so that it costs no time for units that move on.
static bool is_to_wait(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    const AstarPibtUnit *pusher = &pibt->units[unit->pusher];
    return !pibt->has_sizes && astar_ways_tried(unit) > 0 &&
           (unit->ways >> PULLER_AT & 15) == ASTAR_NO_WAY && astar_pibt_is_led(unit) &&
           astar_pibt_is_led(pusher) && astar_way_tried(pusher) < ASTAR_WAY_STAY &&
           gains_nothing(pibt, pusher, unit) && !is_opposed(pibt, unit);
}

// The functions below continue the decision of a unit after the units that it has pushed.

// Makes the second unit of a swap follow the first one, the unit 'index'.
static void pull_unit(AstarPibt *pibt, uint32_t index)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int to_puller = (int)(unit->ways >> PULLER_AT & 15);
    if (to_puller == ASTAR_NO_WAY || astar_ways_tried(unit) > 0 || unit->way >= ASTAR_WAY_STAY)
        return;
    uint32_t puller = pibt->places[astar_cell_of_way(pibt, unit, to_puller)].now;
    if (astar_pibt_is_decided(&pibt->units[puller]))
        return;
    int way = astar_way_to(pibt, &pibt->units[puller], unit->cell);
    if (way >= 0 && way < ASTAR_WAY_STAY && astar_goes_beside(pibt, puller, unit->cell, way))
        astar_pibt_reserve(pibt, puller, unit->cell, way);
}

static void end_unit(AstarPibt *pibt, uint32_t index, bool has_left)
{
    AstarPibtUnit *unit = &pibt->units[index];
    pibt->top = unit->pusher;
    pibt->pushed = index;
    pibt->has_left = has_left;
    if (unit->pusher == ASTAR_NOBODY && !has_left)
        pibt->has_failed = true;
}

// Marks a unit that was pushed and could not leave. The unit is not pushed again in the turn of the
// same pusher. It still gets its own turn, because it may have a move that conflicts only with the
// move of its pusher. Until then, or until another unit has its turn and pushes it, the member
// 'ways' holds the number of the turn in which it was pushed and the direction of the push.
static void spare_unit(AstarPibt *pibt, uint32_t index, const AstarPibtUnit *pusher, int push)
{
    AstarPibtUnit *unit = &pibt->units[index];
    if ((uint32_t)unit->ways != pibt->at)
        unit->flags &= (uint8_t) ~(ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED);
    unit->ways = (unit->ways & ASTAR_LAST_WAY) | pibt->at | (uint64_t)push << 32;
    unit->flags |= is_spared_by(unit, pusher) ? ASTAR_PIBT_ASKED : ASTAR_PIBT_FIRM;
}

// Continues the decision of a unit after the unit that it has pushed has decided. If the pushed
// unit could not leave, the unit must try its next move.
static void take_leave(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    unit->flags &= (uint8_t)~ASTAR_PIBT_WAITS;
    if (pibt->has_left)
        return;
    if (is_pressed_by(pibt, &pibt->units[pibt->pushed], unit))
        pibt->pressed -= presses_by(pibt, unit);
    if ((unit->flags & ASTAR_PIBT_YIELDS) == 0) {
        int push = astar_way_tried(unit);
        astar_pibt_take_back(pibt, index);
        try_next_way(unit);
        if (pibt->has_sizes) {
            spare_unit(pibt, pibt->pushed, unit, push);
            return;
        }
    }
    AstarPibtUnit *pushed = &pibt->units[pibt->pushed];
    astar_pibt_reserve(pibt, pibt->pushed, pushed->cell, ASTAR_WAY_STAY);
    pushed->flags |= ASTAR_PIBT_FIXED;
}

void astar_push_on(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    if ((unit->flags & ASTAR_PIBT_WAITS) != 0)
        take_leave(pibt, index);
    for (; astar_way_tried(unit) != ASTAR_NO_WAY; try_next_way(unit)) {
        int way = astar_way_tried(unit);
        uint32_t to = astar_cell_of_way(pibt, unit, way);
        if (way == ASTAR_WAY_STAY && (unit->flags & ASTAR_PIBT_DRIVEN) != 0 &&
            is_to_wait(pibt, unit))
            break;
        if ((unit->ways & PRESSED_ON) != 0 && !astar_pibt_is_decided(unit) &&
            pibt->pressed + presses_by(pibt, unit) >= 0)
            continue;
        if (!astar_pibt_is_decided(unit) && !try_way(pibt, index, to, way))
            continue;
        uint32_t who = next_to_push(pibt, index, to, way);
        if (who != ASTAR_NOBODY) {
            unit->flags |= ASTAR_PIBT_WAITS;
            if (is_pressed_by(pibt, &pibt->units[who], unit))
                pibt->pressed = ((unit->ways & PRESSED_ON) != 0 ? pibt->pressed : 0) +
                                presses_by(pibt, unit);
            if (pibt->left > 0) {
                pibt->left--;
                astar_push_unit(pibt, who, index);
            } else {
                pibt->pushed = who;
                pibt->has_left = false;
            }
            return;
        }
        pull_unit(pibt, index);
        end_unit(pibt, index, true);
        return;
    }
    end_unit(pibt, index, false);
}

// ------------------------------------------------------------------------------------------------
// The functions below run a turn, in which all units choose one step.
// ------------------------------------------------------------------------------------------------

// The number of pushes in a turn is at most PIBT_PUSHES per unit plus PIBT_FEWEST_PUSHES. When all
// are used up, the remaining units stay where they are. A unit is pushed more than once only if
// decisions are undone.
enum { PIBT_PUSHES = 16, PIBT_FEWEST_PUSHES = 64 };

// Data is prefetched for units that decide soon: the unit itself when FAR_AHEAD units decide before
// it, and the cells around it when NEXT_AHEAD units decide before it.
enum { FAR_AHEAD = 16, NEXT_AHEAD = 6 };

void astar_pibt_begin(AstarPibt *pibt, const uint32_t *order, uint32_t count, uint64_t seed)
{
    pibt->order = order;
    pibt->count = count;
    pibt->at = pibt->decided = 0;
    pibt->top = ASTAR_NOBODY;
    pibt->seed = astar_mix_seed(seed + UINT64_C(0x9E3779B97F4A7C15));
    pibt->left = (uint64_t)PIBT_PUSHES * count + PIBT_FEWEST_PUSHES;
    pibt->has_failed = false;
}

// Returns true if a unit that goes to 'cell' would have to push a unit of another side. Units of
// other sides need not leave. Only undecided units are considered.
static bool would_drive_others(const AstarPibt *pibt, uint32_t unit, uint32_t cell)
{
    int size = astar_pibt_size(pibt, &pibt->units[unit]), at = 0;
    AstarCellArea area = {cell, size, size};
    for (uint32_t who; (who = astar_next_in_area(pibt, &area, unit, &at)) != ASTAR_NOBODY;)
        if (!astar_pibt_is_decided(&pibt->units[who]) && astar_are_of_two_sides(pibt, unit, who))
            return true;
    return false;
}

bool astar_pibt_decide(AstarPibt *pibt, uint32_t unit, uint32_t cell)
{
    int way = astar_way_to(pibt, &pibt->units[unit], cell);
    assert(!astar_pibt_is_decided(&pibt->units[unit]));
    if (way < 0 || !astar_goes_beside(pibt, unit, cell, way) ||
        (pibt->sides != NULL && would_drive_others(pibt, unit, cell)))
        return false;
    if (pibt->is_exclusive && !pibt->takes_steps_in_turn && way != ASTAR_WAY_STAY) {
        AstarCellArea area = astar_area_of_way(pibt, &pibt->units[unit], cell, way);
        int at = 0;
        if (astar_next_in_area(pibt, &area, unit, &at) != ASTAR_NOBODY)
            return false;
    }
    astar_pibt_reserve(pibt, unit, cell, way);
    return true;
}

// Prefetches the data of units that decide soon. The units are in no particular order in memory,
// because the order in which they decide does not follow their numbers.
static void look_ahead(const AstarPibt *pibt)
{
    if (pibt->at + FAR_AHEAD >= pibt->count)
        return;
    ASTAR_PREFETCH(&pibt->units[pibt->order[pibt->at + FAR_AHEAD]]);
    const AstarPibtUnit *unit = &pibt->units[pibt->order[pibt->at + NEXT_AHEAD]];
    const AstarPlace *place = &pibt->places[unit->cell];
    const uint8_t *moves = &astar_pibt_kind(pibt, unit)->table.moves[unit->cell];
    ptrdiff_t width = pibt->grid->width;
    ASTAR_PREFETCH((uintptr_t)place - (uintptr_t)width * sizeof *place);
    ASTAR_PREFETCH(place);
    ASTAR_PREFETCH((uintptr_t)place + (uintptr_t)width * sizeof *place);
    ASTAR_PREFETCH(moves);
}

AstarStatus astar_pibt_step(AstarPibt *pibt, uint64_t *work)
{
    for (; pibt->top != ASTAR_NOBODY || (pibt->at < pibt->count && !pibt->has_failed); --*work) {
        if (*work == 0)
            return ASTAR_RUNNING;
        if (pibt->top == ASTAR_NOBODY) {
            look_ahead(pibt);
            uint32_t index = pibt->order[pibt->at++];
            if (astar_pibt_is_decided(&pibt->units[index]))
                continue;
            astar_push_unit(pibt, index, ASTAR_NOBODY);
        }
        astar_push_on(pibt, pibt->top);
    }
    return ASTAR_OK;
}

static void end_turn(AstarPibt *pibt)
{
    pibt->count = pibt->at = pibt->decided = 0;
    pibt->top = ASTAR_NOBODY;
}

void astar_pibt_move(AstarPibt *pibt)
{
    for (uint32_t i = 0; i < pibt->decided; i++) {
        uint32_t index = pibt->trail[i];
        AstarPibtUnit *unit = &pibt->units[index];
        uint32_t to = unit->next;
        astar_pibt_withdraw(pibt, index);
        unit->flags &= (uint8_t)~ASTAR_PIBT_OF_TURN;
        if (to == unit->cell)
            continue;
        if (unit->way < ASTAR_WAY_STAY)
            unit->ways = (unit->ways & ~ASTAR_LAST_WAY) | (unit->way + UINT64_C(1))
                                                              << ASTAR_LAST_WAY_AT;
        astar_pibt_lift(pibt, index);
        unit->cell = to;
        astar_pibt_place(pibt, index);
    }
    end_turn(pibt);
}

void astar_pibt_forget(AstarPibt *pibt)
{
    for (uint32_t i = 0; i < pibt->decided; i++)
        astar_pibt_withdraw(pibt, pibt->trail[i]);
    for (uint32_t i = 0; i < pibt->count; i++)
        pibt->units[pibt->order[i]].flags &= (uint8_t)~ASTAR_PIBT_OF_TURN;
    end_turn(pibt);
}
