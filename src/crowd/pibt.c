// pibt.c -- one turn of all units: who takes which step.

#include "crowd/pibt.h"

#include <assert.h>

// Of the turn, in a unit's flags.
enum {
    PIBT_WAITS = 2,    // for who was pushed to have decided
    PIBT_YIELDS = 4,   // stays, while others leave the cells it would enter
    PIBT_FIXED = 8,    // could not leave when it was pushed: stays, whatever is taken back
    PIBT_DRIVEN = 16,  // makes way for who has another goal, as do all whom it pushes in turn
    PIBT_PRESSED = 32, // so, and a large one is among them
    PIBT_FIRM = 64,    // could not leave when it was pushed: is not pushed again, see spare_unit
    PIBT_ASKED = 128,  // so, but those of another goal may push it
    PIBT_OF_TURN = PIBT_WAITS | PIBT_YIELDS | PIBT_FIXED | PIBT_DRIVEN | PIBT_PRESSED | PIBT_FIRM |
                   PIBT_ASKED
};

// How often a unit is pushed in a turn, on the average, before all others stay where they are. Only
// where steps are taken back can it be more than once.
enum { PIBT_PUSHES = 16, PIBT_FEWEST_PUSHES = 64 };

// How many turns ahead what a unit reads is asked for: itself, and what lies about its cell.
enum { FAR_AHEAD = 16, NEXT_AHEAD = 6 };

// How far ahead two units look for where they could pass.
enum { PIBT_LONGEST_CORRIDOR = 1000 };

static inline const AstarCrowdKind *kind_of_unit(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    return &pibt->kinds[unit->kind];
}

static inline int size_of_unit(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    return pibt->has_sizes ? astar_kind_size(kind_of_unit(pibt, unit)) : 1;
}

// Whether units fill a cell each and mind nothing but that: then a step concerns few of them.
static inline bool is_all_small(const AstarPibt *pibt)
{
    return !pibt->has_sizes && !pibt->is_exclusive;
}

static inline bool is_decided(const AstarPibtUnit *unit)
{
    return unit->next != ASTAR_NOWHERE;
}

static inline uint32_t cell_towards(const AstarPibt *pibt, uint32_t cell, int way)
{
    return cell + (uint32_t)(astar_dy[way] * pibt->grid->width + astar_dx[way]);
}

// ---- who is where ----

static void stamp_now(AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t who)
{
    int size = size_of_unit(pibt, unit), width = pibt->grid->width;
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            pibt->places[unit->cell + (uint32_t)(row * width + column)].now = who;
}

void astar_pibt_place(AstarPibt *pibt, uint32_t unit)
{
    stamp_now(pibt, &pibt->units[unit], unit);
}

void astar_pibt_lift(AstarPibt *pibt, uint32_t unit)
{
    stamp_now(pibt, &pibt->units[unit], ASTAR_NOBODY);
}

bool astar_pibt_is_free(const AstarPibt *pibt, const AstarCrowdKind *kind, int x, int y,
                        uint32_t unit)
{
    int size = astar_kind_size(kind);
    if (x + size > pibt->grid->width || y + size > pibt->grid->height)
        return false;
    for (int row = y; row < y + size; row++)
        for (int column = x; column < x + size; column++) {
            uint32_t now = pibt->places[astar_cell(pibt->grid, column, row)].now;
            if (now != ASTAR_NOBODY && now != unit)
                return false;
        }
    return true;
}

static bool is_next_free(const AstarPibt *pibt, int size, uint32_t cell)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next !=
                ASTAR_NOBODY)
                return false;
    return true;
}

// Gives the cells that a unit would cover from one value to another.
static void stamp_next(AstarPibt *pibt, int size, uint32_t cell, uint32_t from, uint32_t to)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            uint32_t *next =
                &pibt->places[cell + (uint32_t)(row * pibt->grid->width + column)].next;
            if (*next == from)
                *next = to;
        }
}

static void reserve_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    AstarPibtUnit *unit = &pibt->units[index];
    int size = size_of_unit(pibt, unit);
    stamp_next(pibt, size, to, ASTAR_NOBODY, index);
    if (way == ASTAR_WAY_LINK) // it stands at the entrance until the turn is over
        stamp_next(pibt, size, unit->cell, ASTAR_NOBODY, index);
    unit->next = to;
    unit->way = (uint8_t)way;
    pibt->trail[pibt->decided++] = index;
}

static void withdraw(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    int size = size_of_unit(pibt, unit);
    stamp_next(pibt, size, unit->next, index, ASTAR_NOBODY);
    if (unit->way == ASTAR_WAY_LINK)
        stamp_next(pibt, size, unit->cell, index, ASTAR_NOBODY);
    unit->next = ASTAR_NOWHERE;
}

// Takes back what was decided since a unit was, and that, but that some could not leave.
static void take_back(AstarPibt *pibt, uint32_t since)
{
    uint32_t kept = pibt->decided;
    do
        kept--;
    while (pibt->trail[kept] != since);
    for (uint32_t i = kept; i < pibt->decided; i++) {
        uint32_t index = pibt->trail[i];
        if ((pibt->units[index].flags & PIBT_FIXED) != 0)
            pibt->trail[kept++] = index;
        else
            withdraw(pibt, index);
    }
    pibt->decided = kept;
}

static void fix_unit(AstarPibt *pibt, uint32_t index)
{
    reserve_way(pibt, index, pibt->units[index].cell, ASTAR_WAY_STAY);
    pibt->units[index].flags |= PIBT_FIXED;
}

// ---- ways, the best first ----

// What comes before all that does not lead nearer, and what is known nothing of.
enum { WAY_COST_STAY = 0x8000, WAY_COST_UNKNOWN = 0x10000, WAY_COST_LAST = 0x1FFFF };

static inline bool has_distances(const AstarPibtUnit *unit)
{
    return unit->field != NULL && unit->field->now.numbering != NULL;
}

// Steps that lead nearer come first, those on a best route before others, then to stay, then steps
// that lead away, by how far.
static inline uint32_t cost_of_way(const AstarGoalField *field, uint32_t here, uint32_t there,
                                   uint32_t step)
{
    if (there == ASTAR_NO_VALUE)
        return WAY_COST_UNKNOWN;
    if (here == ASTAR_NO_VALUE)
        return 0;
    int64_t farther = astar_goal_field_difference(field, there, here);
    if (farther >= 0)
        return WAY_COST_STAY + 1 + (uint32_t)(farther < 0x7000 ? farther : 0x7000);
    int64_t more = farther + step;
    return more < 0 ? 0 : more < 0x7FFF ? (uint32_t)more : 0x7FFF;
}

static uint64_t mix_seed(uint64_t seed)
{
    seed = (seed ^ seed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    seed = (seed ^ seed >> 27) * UINT64_C(0x94D049BB133111EB);
    return seed ^ seed >> 31;
}

// The best of the links that a unit can take from where it is, or NULL.
static const AstarArc *best_link_of(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                    uint32_t *cost)
{
    const AstarGrid *grid = pibt->grid;
    const AstarCrowdKind *kind = kind_of_unit(pibt, unit);
    if (!astar_grid_has_links(grid))
        return NULL;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *best = NULL;
    int x, y;
    astar_cell_xy(grid, unit->cell, &x, &y);
    uint32_t here = has_distances(unit) ? astar_goal_field_value(unit->field, x, y)
                                        : ASTAR_NO_VALUE;
    for (uint32_t i = astar_arcs_first_from(links, unit->cell);
         i < links->arc_count && links->arcs[i].from == unit->cell; i++) {
        const AstarArc *arc = &links->arcs[i];
        astar_cell_xy(grid, arc->to, &x, &y);
        if (!astar_bits_get(kind->bits, x, y))
            continue;
        uint32_t this_cost = WAY_COST_UNKNOWN;
        if (has_distances(unit))
            this_cost = cost_of_way(unit->field, here, astar_goal_field_value(unit->field, x, y),
                                    astar_kind_link_step(kind, arc));
        if (best == NULL || this_cost < *cost) {
            best = arc;
            *cost = this_cost;
        }
    }
    return best;
}

// Where a way leads; ASTAR_NOWHERE for a link that is not there.
static uint32_t cell_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, int way)
{
    if (way == ASTAR_WAY_STAY)
        return unit->cell;
    if (way < ASTAR_WAY_STAY)
        return cell_towards(pibt, unit->cell, way);
    uint32_t cost = 0;
    const AstarArc *arc = best_link_of(pibt, unit, &cost);
    return arc != NULL ? arc->to : ASTAR_NOWHERE;
}

// The ways of a unit as keys, the least first: cost, whether somebody is there, a tie, the way.
typedef struct WayKeys {
    uint32_t keys[ASTAR_WAYS];
    int count;
} WayKeys;

static inline void add_way(const AstarPibt *pibt, WayKeys *ways, uint32_t to, int way,
                           uint32_t cost, uint64_t ties)
{
    uint32_t is_taken = pibt->prefers_free && way != ASTAR_WAY_STAY &&
                        pibt->places[to].now != ASTAR_NOBODY;
    uint32_t tie = (uint32_t)(ties >> way * 6) & 63;
    ways->keys[ways->count++] = cost << 11 | is_taken << 10 | tie << 4 | (uint32_t)way;
}

static void list_ways(const AstarPibt *pibt, uint32_t index, uint32_t stay_cost, WayKeys *ways)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    const AstarCrowdKind *kind = kind_of_unit(pibt, unit);
    uint64_t ties = mix_seed(pibt->seed + (uint64_t)index * UINT64_C(0x9E3779B97F4A7C15));
    unsigned moves = astar_kind_moves(kind, unit->cell);
    uint32_t values[ASTAR_DIRECTIONS + 1];
    bool is_led = has_distances(unit);
    if (is_led) {
        int x, y;
        astar_cell_xy(pibt->grid, unit->cell, &x, &y);
        astar_goal_field_around(unit->field, x, y, moves, values);
    }
    ways->count = 0;
    add_way(pibt, ways, unit->cell, ASTAR_WAY_STAY, stay_cost, ties);
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t to = cell_towards(pibt, unit->cell, way), cost = WAY_COST_UNKNOWN;
        if (is_led)
            cost = cost_of_way(unit->field, values[ASTAR_DIRECTIONS], values[way],
                               astar_kind_step(kind, to, (way & 1) != 0));
        add_way(pibt, ways, to, way, cost, ties);
    }
    uint32_t link_cost = 0;
    const AstarArc *arc = best_link_of(pibt, unit, &link_cost);
    if (arc != NULL)
        add_way(pibt, ways, arc->to, ASTAR_WAY_LINK, link_cost, ties);
}

enum { NO_WAY = 15, PULLER_AT = 48, WAYS_AT = 60 };

// The ways in their order, four bits each. How many keys are less is where one goes: that takes
// more comparisons than sorting does, but none that a processor would have to guess.
static uint64_t sort_ways(const WayKeys *ways)
{
    uint64_t sorted = 0;
    for (int i = 0; i < ways->count; i++) {
        uint32_t key = ways->keys[i], less = 0;
        for (int j = 0; j < ways->count; j++)
            less += ways->keys[j] < key;
        sorted |= (uint64_t)(key & 15) << 4 * less;
    }
    return sorted;
}

static int way_at(uint64_t ways, int at)
{
    return (int)(ways >> 4 * at & 15);
}

int astar_pibt_steps(AstarPibt *pibt, uint32_t unit, uint32_t cells[ASTAR_WAYS])
{
    WayKeys ways;
    list_ways(pibt, unit, WAY_COST_LAST, &ways);
    uint64_t sorted = sort_ways(&ways);
    for (int i = 0; i < ways.count; i++)
        cells[i] = cell_of_way(pibt, &pibt->units[unit], way_at(sorted, i));
    return ways.count;
}

static inline unsigned ways_tried(const AstarPibtUnit *unit)
{
    return (unsigned)(unit->ways >> WAYS_AT);
}

// The way that is being tried; NO_WAY: all have been.
static inline int way_tried(const AstarPibtUnit *unit)
{
    return (int)(unit->ways >> 4 * ways_tried(unit) & 15);
}

static inline void try_next_way(AstarPibtUnit *unit)
{
    unit->ways += UINT64_C(1) << WAYS_AT;
}

// The first 'count' ways, as they are or turned round, and that there are no more.
static uint64_t ways_to_try(uint64_t sorted, int count, bool is_reversed)
{
    uint64_t ways = sorted & ((UINT64_C(1) << 4 * count) - 1);
    if (is_reversed) {
        ways = 0;
        for (int i = 0; i < count; i++)
            ways = ways << 4 | (sorted >> 4 * i & 15);
    }
    return ways | (uint64_t)NO_WAY << 4 * count;
}

// ---- the swap rule ----

// How many steps lead on from a cell but back to where one came from and into dead ends whose units
// have arrived, 2 for all that are more; '*on' is the last of them.
static int count_ways_on(const AstarPibt *pibt, const AstarCrowdKind *kind, uint32_t cell,
                         uint32_t from, uint32_t *on)
{
    int count = 0;
    for (unsigned moves = astar_kind_moves(kind, cell); moves != 0 && count < 2;
         moves &= moves - 1) {
        uint32_t to = cell_towards(pibt, cell, astar_lowest_bit(moves));
        if (to == from)
            continue;
        unsigned out = astar_kind_moves(kind, to);
        if ((out & (out - 1)) == 0) {
            uint32_t who = pibt->places[to].now;
            if (who != ASTAR_NOBODY && pibt->units[who].field != NULL &&
                pibt->units[who].field->goal == to)
                continue;
        }
        count++;
        *on = to;
    }
    return count;
}

static bool is_nearer(const AstarPibt *pibt, const AstarGoalField *field, uint32_t from,
                      uint32_t to)
{
    int x, y;
    astar_cell_xy(pibt->grid, from, &x, &y);
    uint32_t here = astar_goal_field_value(field, x, y);
    astar_cell_xy(pibt->grid, to, &x, &y);
    uint32_t there = astar_goal_field_value(field, x, y);
    return here != ASTAR_NO_VALUE && there != ASTAR_NO_VALUE &&
           astar_goal_field_difference(field, there, here) < 0;
}

// Whether one unit drives another before it along a corridor, the other wanting past, or nothing.
static bool is_swap_required(const AstarPibt *pibt, const AstarPibtUnit *pusher,
                             const AstarPibtUnit *puller, uint32_t behind, uint32_t ahead)
{
    bool goes_anywhere = puller->field == NULL;
    if (!has_distances(pusher) || !(goes_anywhere || has_distances(puller)))
        return false;
    const AstarCrowdKind *kind = kind_of_unit(pibt, pusher);
    for (int i = 0; is_nearer(pibt, pusher->field, behind, ahead); i++) {
        uint32_t on = ASTAR_NOWHERE;
        int count = count_ways_on(pibt, kind, ahead, behind, &on);
        if (count >= 2 || i == PIBT_LONGEST_CORRIDOR)
            return false;
        if (count == 0)
            break;
        behind = ahead;
        ahead = on;
    }
    return (goes_anywhere || is_nearer(pibt, puller->field, ahead, behind)) &&
           (behind == pusher->field->goal || is_nearer(pibt, pusher->field, behind, ahead));
}

// Whether the corridor widens somewhere, going from 'behind' to 'ahead' and on.
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

static bool may_swap(const AstarPibt *pibt, uint32_t index)
{
    return index != ASTAR_NOBODY && size_of_unit(pibt, &pibt->units[index]) == 1;
}

// Whether nobody need swap with a unit that takes a step nearer, for beyond it the way is wide: who
// drives another before it, or is driven, can pass there.
static bool is_wide_ahead(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t first)
{
    uint32_t on;
    return pibt->is_of_one_kind && unit->field->goal != unit->cell &&
           count_ways_on(pibt, kind_of_unit(pibt, unit), first, unit->cell, &on) >= 2;
}

// By which way one comes to who is to follow a unit that makes way for it to pass; NO_WAY: it just
// takes its best way.
static int find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    const AstarCrowdKind *kind = kind_of_unit(pibt, unit);
    uint32_t here = unit->cell, first = cell_of_way(pibt, unit, best_way);
    uint32_t other = pibt->places[first].now;
    if (first == here || pibt->is_exclusive || !may_swap(pibt, index) ||
        (leads_nearer && is_wide_ahead(pibt, unit, first)))
        return NO_WAY;
    if (may_swap(pibt, other) && !is_decided(&pibt->units[other]) &&
        is_swap_required(pibt, unit, &pibt->units[other], here, first) &&
        is_swap_possible(pibt, kind, first, here))
        return best_way;
    for (unsigned moves = astar_kind_moves(kind, here); moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t from = cell_towards(pibt, here, way);
        uint32_t who = from == first ? ASTAR_NOBODY : pibt->places[from].now;
        if (may_swap(pibt, who) && is_swap_required(pibt, &pibt->units[who], unit, here, first) &&
            is_swap_possible(pibt, kind, first, here))
            return way;
    }
    return NO_WAY;
}

// ---- whether steps go together ----

// Of units of one cell: steps past each other are told by few looks.
static bool goes_beside_small(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                              int way)
{
    uint32_t leaver = pibt->places[to].now, follower = pibt->places[unit->cell].next;
    if (pibt->places[to].next != ASTAR_NOBODY)
        return false;
    if (way >= ASTAR_WAY_STAY)
        return pibt->places[unit->cell].next == ASTAR_NOBODY;
    if (leaver != ASTAR_NOBODY) {
        const AstarPibtUnit *other = &pibt->units[leaver];
        if (is_decided(other) && other->way < ASTAR_WAY_STAY && astar_is_against(way, other->way))
            return false;
    }
    if (follower != ASTAR_NOBODY) {
        const AstarPibtUnit *other = &pibt->units[follower];
        if (other->way < ASTAR_WAY_STAY && astar_is_against(other->way, way))
            return false;
    }
    if ((way & 1) == 0)
        return true;
    uint32_t left = cell_towards(pibt, unit->cell, (way + 7) & 7);
    uint32_t right = cell_towards(pibt, unit->cell, (way + 1) & 7);
    uint32_t from_left = pibt->places[left].now, from_right = pibt->places[right].now;
    return !(from_left != ASTAR_NOBODY && pibt->units[from_left].next == right) &&
           !(from_right != ASTAR_NOBODY && pibt->units[from_right].next == left);
}

// A unit's motion during a turn, in half cells: its middle, and where that goes.
typedef struct Motion {
    int x, y, dx, dy, size;
} Motion;

static Motion motion_of(const AstarPibt *pibt, const AstarPibtUnit *unit, int way)
{
    Motion motion = {0, 0, 0, 0, size_of_unit(pibt, unit)};
    astar_cell_xy(pibt->grid, unit->cell, &motion.x, &motion.y);
    motion.x = 2 * motion.x + motion.size;
    motion.y = 2 * motion.y + motion.size;
    if (way < ASTAR_WAY_STAY) {
        motion.dx = 2 * astar_dx[way];
        motion.dy = 2 * astar_dy[way];
    }
    return motion;
}

// Whether whole squares overlap on the way. Where they begin and end to, all is at an eighth.
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

// Whether discs of radius size / 2 - 0.15 do, by the nearest that their middles come.
static bool discs_overlap(const Motion *a, const Motion *b)
{
    int64_t x = b->x - a->x, y = b->y - a->y, dx = b->dx - a->dx, dy = b->dy - a->dy;
    int64_t along = -(x * dx + y * dy), speed = dx * dx + dy * dy;
    if (along <= 0 || along >= speed)
        return false; // nearest at one end, where they lie beside each other
    int64_t room = 5 * (a->size + b->size) - 3; // fifths of half cells
    return 25 * ((x * x + y * y) * speed - along * along) < room * room * speed;
}

static bool goes_beside_unit(const AstarPibt *pibt, const Motion *motion,
                             const AstarPibtUnit *other)
{
    if (!is_decided(other))
        return true;
    Motion others = motion_of(pibt, other, other->way);
    return pibt->is_exclusive ? !squares_overlap(motion, &others) : !discs_overlap(motion, &others);
}

// Looks at all units that come near.
static bool goes_beside_others(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarGrid *grid = pibt->grid;
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = size_of_unit(pibt, unit);
    if (!is_next_free(pibt, size, to) ||
        (way == ASTAR_WAY_LINK && !is_next_free(pibt, size, unit->cell)))
        return false;
    if (way >= ASTAR_WAY_STAY)
        return true; // who passes by minds those who stand
    Motion motion = motion_of(pibt, unit, way);
    int x = (motion.x - size) / 2, y = (motion.y - size) / 2;
    int x0 = x - 2 > 0 ? x - 2 : 0,
        x1 = x + size + 1 < grid->width ? x + size + 1 : grid->width - 1;
    int y0 = y - 2 > 0 ? y - 2 : 0,
        y1 = y + size + 1 < grid->height ? y + size + 1 : grid->height - 1;
    for (int row = y0; row <= y1; row++)
        for (int column = x0; column <= x1; column++) {
            AstarPlace place = pibt->places[astar_cell(grid, column, row)];
            if (place.now != ASTAR_NOBODY && place.now != index &&
                !goes_beside_unit(pibt, &motion, &pibt->units[place.now]))
                return false;
            if (place.next != ASTAR_NOBODY && place.next != index &&
                !goes_beside_unit(pibt, &motion, &pibt->units[place.next]))
                return false;
        }
    return true;
}

static bool goes_beside(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    return is_all_small(pibt) ? goes_beside_small(pibt, &pibt->units[index], to, way)
                              : goes_beside_others(pibt, index, to, way);
}

// ---- pushing ----

// The cells from (x, y) on, 'columns' wide and 'rows' high.
typedef struct PushArea {
    uint32_t cell;
    int columns, rows;
} PushArea;

// What a unit must find empty or have emptied: the cells it will cover, and of one that is
// exclusive all that it passes over.
static PushArea area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to, int way)
{
    int size = size_of_unit(pibt, unit);
    PushArea area = {to, size, size};
    if (!pibt->is_exclusive || way >= ASTAR_WAY_STAY || (way & 1) == 0)
        return area;
    uint32_t west = astar_dx[way] < 0 ? 0 : 1, north = astar_dy[way] < 0 ? 0 : 1;
    area.cell = to - west - north * (uint32_t)pibt->grid->width;
    area.columns = area.rows = size + 1;
    return area;
}

// The next unit in an area, in the order of its cells, from 'at' on; its number, or ASTAR_NOBODY.
static uint32_t next_in_area(const AstarPibt *pibt, const PushArea *area, uint32_t index, int *at)
{
    for (; *at < area->columns * area->rows; ++*at) {
        int row = *at / area->columns, column = *at % area->columns;
        uint32_t who = pibt->places[area->cell + (uint32_t)(row * pibt->grid->width + column)].now;
        if (who != ASTAR_NOBODY && who != index) {
            ++*at;
            return who;
        }
    }
    return ASTAR_NOBODY;
}

// Whether a unit is not driven away by another one, for they have the same goal. Where that one
// makes way itself it is: otherwise nobody could get past a group, or out of the middle of one.
static bool is_spared_by(const AstarPibtUnit *unit, const AstarPibtUnit *other)
{
    return unit->field != NULL && other->field != NULL && unit->field->goal == other->field->goal &&
           (other->flags & PIBT_DRIVEN) == 0;
}

// Whether another unit is not to be pushed by one: what failed for who had its turn before may go
// now.
static bool is_not_to_leave(const AstarPibt *pibt, const AstarPibtUnit *unit,
                            const AstarPibtUnit *other)
{
    unsigned flags = other->flags;
    if ((flags & (PIBT_FIRM | PIBT_ASKED)) != 0 && (uint32_t)other->ways != pibt->at)
        flags &= ~(unsigned)(PIBT_FIRM | PIBT_ASKED);
    return (flags & PIBT_FIRM) != 0 ||
           ((flags & (ASTAR_PIBT_SETTLED | PIBT_ASKED)) != 0 && is_spared_by(other, unit));
}

// Who has to leave a cell for a unit of one cell; ASTAR_NOBODY: nobody has.
static uint32_t who_is_to_leave(const AstarPibt *pibt, uint32_t index, uint32_t to)
{
    uint32_t who = pibt->places[to].now;
    return who == index || who == ASTAR_NOBODY || is_decided(&pibt->units[who]) ? ASTAR_NOBODY
                                                                                : who;
}

static bool try_small_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    if (to == ASTAR_NOWHERE || !goes_beside_small(pibt, unit, to, way))
        return false;
    uint32_t who = who_is_to_leave(pibt, index, to);
    if (who != ASTAR_NOBODY && is_not_to_leave(pibt, unit, &pibt->units[who]))
        return false;
    reserve_way(pibt, index, to, way);
    return true;
}

// Tries a way: whether the unit has decided to take it, should all leave who stand there. An
// exclusive one waits until they have.
static bool try_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    if (is_all_small(pibt))
        return try_small_way(pibt, index, to, way);
    AstarPibtUnit *unit = &pibt->units[index];
    if (to == ASTAR_NOWHERE || !goes_beside_others(pibt, index, to, way))
        return false;
    PushArea area = area_of_way(pibt, unit, to, way);
    bool is_empty = true, are_all_decided = true;
    int at = 0;
    for (uint32_t who; (who = next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        is_empty = false;
        if (is_decided(other))
            continue;
        are_all_decided = false;
        if (is_not_to_leave(pibt, unit, other))
            return false;
        // Where it is to leave for somebody else already, it could not be told to stay.
        if (pibt->has_sizes && !is_next_free(pibt, size_of_unit(pibt, other), other->cell))
            return false;
    }
    if (!is_empty && pibt->is_exclusive) {
        if (are_all_decided || way == ASTAR_WAY_STAY)
            return false;
        unit->flags |= PIBT_YIELDS;
        reserve_way(pibt, index, unit->cell, ASTAR_WAY_STAY);
        return true;
    }
    reserve_way(pibt, index, to, way);
    return true;
}

static uint32_t next_to_push(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    if (is_all_small(pibt))
        return who_is_to_leave(pibt, index, to);
    PushArea area = area_of_way(pibt, &pibt->units[index], to, way);
    int at = 0;
    for (uint32_t who; (who = next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;)
        if (!is_decided(&pibt->units[who]))
            return who;
    return ASTAR_NOBODY;
}

static int count_nearer(const WayKeys *ways)
{
    int count = 0;
    for (int i = 0; i < ways->count; i++)
        count += ways->keys[i] < (uint32_t)WAY_COST_STAY << 11;
    return count;
}

// ---- large units ----
//
// Large units seldom fit past each other where they meet: each has to be aside before. So where one
// of two is large they keep right, from a few steps off; and who makes way for a large one goes
// straight on before it, for the units in front of it then go side by side, and do not want the
// same cells.

enum { PIBT_OUTLOOK = 4 };

// Whether another unit wants past one that goes this way: about the opposite brings it nearer to a
// goal of its own.
static bool comes_against(const AstarPibt *pibt, const AstarPibtUnit *unit,
                          const AstarPibtUnit *other, int way)
{
    if (!has_distances(other) || (other->flags & ASTAR_PIBT_SETTLED) != 0 ||
        other->field->goal == unit->field->goal)
        return false;
    int x, y;
    astar_cell_xy(pibt->grid, other->cell, &x, &y);
    for (int turn = 3; turn <= 5; turn++) {
        int to_x = x + astar_dx[(way + turn) & 7], to_y = y + astar_dy[(way + turn) & 7];
        if (astar_inside(pibt->grid, to_x, to_y) &&
            is_nearer(pibt, other->field, other->cell, astar_cell(pibt->grid, to_x, to_y)))
            return true;
    }
    return false;
}

// Whether, so many steps on, a unit would cover cells of one that comes against it, either large.
static bool meets_there(const AstarPibt *pibt, uint32_t index, int way, int steps)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = size_of_unit(pibt, unit), x, y;
    astar_cell_xy(pibt->grid, unit->cell, &x, &y);
    x += steps * astar_dx[way];
    y += steps * astar_dy[way];
    if (x < 0 || y < 0 || x + size > pibt->grid->width || y + size > pibt->grid->height)
        return false;
    PushArea area = {astar_cell(pibt->grid, x, y), size, size};
    int at = 0;
    for (uint32_t who; (who = next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        if ((size > 1 || size_of_unit(pibt, other) > 1) && comes_against(pibt, unit, other, way))
            return true;
    }
    return false;
}

// Puts a way before all others, and among the first 'nearer', which one that is asked may take.
static void put_way_first(uint64_t *sorted, int count, int way, int *nearer)
{
    int at = 0;
    while (at < count && way_at(*sorted, at) != way)
        at++;
    if (at == count)
        return;
    uint64_t before = *sorted & ((UINT64_C(1) << 4 * at) - 1);
    *sorted = *sorted >> 4 * (at + 1) << 4 * (at + 1) | before << 4 | (uint64_t)way;
    *nearer += at >= *nearer;
}

// Where somebody comes against a unit it turns half right, and before them right. Whether so: not
// always, or some would turn to and fro before each other for ever.
static bool keep_right(const AstarPibt *pibt, uint32_t index, uint64_t *sorted, int count,
                       int *nearer)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int best = way_at(*sorted, 0), size = size_of_unit(pibt, unit), steps = 1;
    if (best >= ASTAR_WAY_STAY || !has_distances(unit) || (unit->flags & ASTAR_PIBT_SETTLED) != 0)
        return false;
    while (steps <= PIBT_OUTLOOK && !meets_there(pibt, index, best, steps))
        steps += size;
    if (steps > PIBT_OUTLOOK || (mix_seed(pibt->seed ^ index) & 3) == 0)
        return false;
    int most = steps > 1 ? 1 : 2 + (best & 1);
    for (int turn = 1; turn <= most; turn++)
        put_way_first(sorted, count, (best + turn) & 7, nearer);
    return true;
}

// Who is pushed goes on the way it is pushed, or about so; but one on its way only where a large
// one pushes it, and its own way is another.
static uint64_t give_way(const AstarPibtUnit *unit, int push, const WayKeys *ways, uint64_t sorted)
{
    if (push >= ASTAR_WAY_STAY)
        return sorted;
    unsigned own = (unsigned)(way_at(sorted, 0) - push) & 7;
    bool is_settled = unit->field == NULL || (unit->flags & ASTAR_PIBT_SETTLED) != 0;
    if (!is_settled && ((unit->flags & PIBT_PRESSED) == 0 || own <= 1 || own == 7))
        return sorted;
    WayKeys turned = {.count = ways->count};
    for (int i = 0; i < ways->count; i++) {
        uint32_t way = ways->keys[i] & 15, turn = (way - (unsigned)push) & 7;
        uint32_t cost = way >= ASTAR_WAY_STAY ? 8 : turn > 4 ? 8 - turn : turn;
        turned.keys[i] = (ways->keys[i] & 0x7FF) | cost << 11;
    }
    return sort_ways(&turned);
}

// Why a unit is to decide before its turn.
static void note_push(const AstarPibt *pibt, AstarPibtUnit *unit, const AstarPibtUnit *pusher,
                      bool is_driven)
{
    unit->flags &= (uint8_t) ~(PIBT_DRIVEN | PIBT_PRESSED);
    if (!is_driven)
        return;
    unit->flags |= PIBT_DRIVEN;
    if (size_of_unit(pibt, unit) > 1 || size_of_unit(pibt, pusher) > 1 ||
        (pusher->flags & PIBT_PRESSED) != 0)
        unit->flags |= PIBT_PRESSED;
}

// Has a unit decide, in its own name or that of who wants its cells. By one of its own goal it is
// not driven away: it only goes first.
static void push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher)
{
    AstarPibtUnit *unit = &pibt->units[index];
    bool is_pushed = pusher != ASTAR_NOBODY;
    bool is_asked = is_pushed && is_spared_by(unit, &pibt->units[pusher]);
    bool is_driven = is_pushed && !is_asked;
    // Who could not leave by one step begins to in its own turn: a large one needs several.
    bool evades = !is_pushed && (unit->flags & PIBT_FIRM) != 0;
    int push = (int)(unit->ways >> 32 & 15);
    if (!evades)
        note_push(pibt, unit, &pibt->units[is_pushed ? pusher : index], is_driven);
    WayKeys ways;
    list_ways(pibt, index, is_driven && pibt->is_exclusive ? WAY_COST_LAST : WAY_COST_STAY, &ways);
    uint64_t sorted = sort_ways(&ways);
    int nearer = count_nearer(&ways);
    bool leads_nearer = nearer > 0;
    if (pibt->has_sizes && !keep_right(pibt, index, &sorted, ways.count, &nearer) &&
        (is_driven || evades))
        sorted = give_way(unit, evades ? push : way_tried(&pibt->units[pusher]), &ways, sorted);
    int count = is_asked ? nearer : ways.count;
    int puller = count > 0 ? find_puller(pibt, index, way_at(sorted, 0), leads_nearer) : NO_WAY;
    unit->pusher = pusher;
    unit->ways = ways_to_try(sorted, count, puller != NO_WAY) | (uint64_t)puller << PULLER_AT;
    pibt->top = index;
    pibt->pushes++;
}

// The way from where a unit is to a cell, -1: there is no legal one.
static int way_to(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t cell)
{
    if (cell == unit->cell)
        return ASTAR_WAY_STAY;
    for (unsigned moves = astar_kind_moves(kind_of_unit(pibt, unit), unit->cell); moves != 0;
         moves &= moves - 1)
        if (cell_towards(pibt, unit->cell, astar_lowest_bit(moves)) == cell)
            return astar_lowest_bit(moves);
    return cell_of_way(pibt, unit, ASTAR_WAY_LINK) == cell ? ASTAR_WAY_LINK : -1;
}

// Has who is to swap with a unit follow it.
static void pull_unit(AstarPibt *pibt, uint32_t index)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int to_puller = (int)(unit->ways >> PULLER_AT & 15);
    if (to_puller == NO_WAY || ways_tried(unit) > 0 || unit->way >= ASTAR_WAY_STAY)
        return;
    uint32_t puller = pibt->places[cell_of_way(pibt, unit, to_puller)].now;
    if (is_decided(&pibt->units[puller]))
        return;
    int way = way_to(pibt, &pibt->units[puller], unit->cell);
    if (way >= 0 && way < ASTAR_WAY_STAY && goes_beside(pibt, puller, unit->cell, way))
        reserve_way(pibt, puller, unit->cell, way);
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

// Has a unit that could not leave not be pushed again in the turn of who began that; its ways hold
// whose turn it is, and the way it was pushed, until it is pushed or decides itself. Among large
// ones it may still have a way of its own, which only goes not together with that of who pushed it:
// it keeps its turn.
static void spare_unit(AstarPibt *pibt, uint32_t index, const AstarPibtUnit *pusher, int push)
{
    AstarPibtUnit *unit = &pibt->units[index];
    if ((uint32_t)unit->ways != pibt->at)
        unit->flags &= (uint8_t) ~(PIBT_FIRM | PIBT_ASKED);
    unit->ways = pibt->at | (uint64_t)push << 32;
    unit->flags |= is_spared_by(unit, pusher) ? PIBT_ASKED : PIBT_FIRM;
}

// Goes on where somebody was pushed: if that one could not leave, neither can this one go there.
static void take_leave(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    unit->flags &= (uint8_t)~PIBT_WAITS;
    if (pibt->has_left)
        return;
    if ((unit->flags & PIBT_YIELDS) == 0) {
        int push = way_tried(unit);
        take_back(pibt, index);
        try_next_way(unit);
        if (pibt->has_sizes) {
            spare_unit(pibt, pibt->pushed, unit, push);
            return;
        }
    }
    fix_unit(pibt, pibt->pushed);
}

static void go_on_deciding(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    if ((unit->flags & PIBT_WAITS) != 0)
        take_leave(pibt, index);
    for (; way_tried(unit) != NO_WAY; try_next_way(unit)) {
        int way = way_tried(unit);
        uint32_t to = cell_of_way(pibt, unit, way);
        if (!is_decided(unit) && !try_way(pibt, index, to, way))
            continue;
        uint32_t who = next_to_push(pibt, index, to, way);
        if (who != ASTAR_NOBODY) {
            unit->flags |= PIBT_WAITS;
            if (pibt->left > 0) {
                pibt->left--;
                push_unit(pibt, who, index);
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

// ---- a turn ----

void astar_pibt_begin(AstarPibt *pibt, const uint32_t *order, uint32_t count, uint64_t seed)
{
    pibt->order = order;
    pibt->count = count;
    pibt->at = pibt->decided = 0;
    pibt->top = ASTAR_NOBODY;
    pibt->seed = mix_seed(seed + UINT64_C(0x9E3779B97F4A7C15));
    pibt->left = (uint64_t)PIBT_PUSHES * count + PIBT_FEWEST_PUSHES;
    pibt->has_failed = false;
}

bool astar_pibt_decide(AstarPibt *pibt, uint32_t unit, uint32_t cell)
{
    int way = way_to(pibt, &pibt->units[unit], cell);
    assert(!is_decided(&pibt->units[unit]));
    if (way < 0 || !goes_beside(pibt, unit, cell, way))
        return false;
    if (pibt->is_exclusive && way != ASTAR_WAY_STAY) {
        PushArea area = area_of_way(pibt, &pibt->units[unit], cell, way);
        int at = 0;
        if (next_in_area(pibt, &area, unit, &at) != ASTAR_NOBODY)
            return false;
    }
    reserve_way(pibt, unit, cell, way);
    return true;
}

// Turns go by who has waited longest, wherever those are: what the next ones will read is asked for
// before it is their turn.
static void look_ahead(const AstarPibt *pibt)
{
    if (pibt->at + FAR_AHEAD >= pibt->count)
        return;
    ASTAR_PREFETCH(&pibt->units[pibt->order[pibt->at + FAR_AHEAD]]);
    const AstarPibtUnit *unit = &pibt->units[pibt->order[pibt->at + NEXT_AHEAD]];
    const AstarPlace *place = &pibt->places[unit->cell];
    const uint8_t *moves = &kind_of_unit(pibt, unit)->table.moves[unit->cell];
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
            if (is_decided(&pibt->units[index]))
                continue;
            push_unit(pibt, index, ASTAR_NOBODY);
        }
        go_on_deciding(pibt, pibt->top);
    }
    return ASTAR_OK;
}

static void end_turn(AstarPibt *pibt)
{
    pibt->count = pibt->at = pibt->decided = 0;
    pibt->top = ASTAR_NOBODY;
}

// Of the cells it leaves, those that nobody has come to before.
static void leave_cells(AstarPibt *pibt, uint32_t index)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = size_of_unit(pibt, unit);
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            uint32_t *now =
                &pibt->places[unit->cell + (uint32_t)(row * pibt->grid->width + column)].now;
            if (*now == index)
                *now = ASTAR_NOBODY;
        }
}

void astar_pibt_move(AstarPibt *pibt)
{
    for (uint32_t i = 0; i < pibt->decided; i++) {
        uint32_t index = pibt->trail[i];
        AstarPibtUnit *unit = &pibt->units[index];
        uint32_t to = unit->next;
        withdraw(pibt, index);
        unit->flags &= (uint8_t)~PIBT_OF_TURN;
        if (to == unit->cell)
            continue;
        leave_cells(pibt, index);
        unit->cell = to;
        astar_pibt_place(pibt, index);
    }
    end_turn(pibt);
}

void astar_pibt_forget(AstarPibt *pibt)
{
    for (uint32_t i = 0; i < pibt->decided; i++)
        withdraw(pibt, pibt->trail[i]);
    for (uint32_t i = 0; i < pibt->count; i++)
        pibt->units[pibt->order[i]].flags &= (uint8_t)~PIBT_OF_TURN;
    end_turn(pibt);
}
