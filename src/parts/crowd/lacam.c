// lacam.c -- LaCAM, the search over configurations of units from which plans are made. See lacam.h
// for the algorithm and its sources.

#include "parts/crowd/lacam.h"

#include "parts/crowd/beat.h"

#include <string.h>

// A constraint on the next configuration: a certain unit must go to a certain cell. The constraints
// of its parent and of all earlier ancestors apply as well.
struct AstarLacamConstraint {
    // 'parent' is the constraint to which this constraint is added. 'next' is the next constraint
    // in the queue of a node or in the list of free constraints.
    AstarLacamConstraint *parent, *next;
    uint32_t unit, cell;
    uint32_t depth; // number of constraints that apply together: this one, its parent, and so on
};

enum {
    MOST_NODE_SLOTS = 1 << 18,
    LEAST_NODE_SLOTS = 1 << 8,
    // If a turn of PIBT leads to a known configuration, the search continues from the root once in
    // TURNS_A_RESTART turns.
    TURNS_A_RESTART = 1024,
    UNITS_A_WORK = 8 // number of units that are examined for one work unit
};

// The functions below make, find and remove the nodes of the search. A node is a configuration of
// the units.

// Adds a constraint to the end of a node's queue.
static void queue_constraint(AstarLacam *lacam, AstarLacamNode *node, AstarLacamConstraint made)
{
    AstarLacamConstraint *constraint = lacam->first_free;
    if (constraint != NULL)
        lacam->first_free = constraint->next;
    else
        constraint = astar_pile_take(&lacam->pile, 1, sizeof made);
    *constraint = made;
    if (node->first == NULL)
        node->first = constraint;
    else
        node->last->next = constraint;
    if (node->at == NULL)
        node->at = constraint;
    node->last = constraint;
}

static uint32_t *order_of_node(const AstarLacam *lacam, AstarLacamNode *node)
{
    return node->cells + lacam->count;
}

static uint32_t *beats_of_turn(const AstarLacam *lacam)
{
    return lacam->lists + 2 * (size_t)lacam->count;
}

static void put_on_top(AstarLacam *lacam, AstarLacamNode *node)
{
    node->above = NULL;
    node->below = lacam->top;
    if (lacam->top != NULL)
        lacam->top->above = node;
    lacam->top = node;
    node->is_open = true;
}

static void take_off(AstarLacam *lacam, AstarLacamNode *node)
{
    if (node->above != NULL)
        node->above->below = node->below;
    else
        lacam->top = node->below;
    if (node->below != NULL)
        node->below->above = node->above;
    node->is_open = false;
}

// Removes a node from the stack of open nodes after all its constraints were tried.
static void close_node(AstarLacam *lacam, AstarLacamNode *node)
{
    take_off(lacam, node);
    node->last->next = lacam->first_free;
    lacam->first_free = node->first;
    node->first = node->last = NULL;
}

static uint64_t mix_hash(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

static uint64_t hash_of_next(const AstarLacam *lacam)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < lacam->count; i++)
        hash = (hash ^ lacam->pibt.units[i].next) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
    return mix_hash(hash);
}

static bool is_node_of_next(const AstarLacam *lacam, const AstarLacamNode *node)
{
    for (uint32_t i = 0; i < lacam->count; i++)
        if (node->cells[i] != lacam->pibt.units[i].next)
            return false;
    return true;
}

static AstarLacamNode *node_of_next(const AstarLacam *lacam, uint64_t hash)
{
    AstarLacamNode *node = lacam->slots[hash & (lacam->slot_count - 1)];
    while (node != NULL && !(node->hash == hash && is_node_of_next(lacam, node)))
        node = node->next_in_slot;
    return node;
}

// Writes the order in which units choose their steps at a node. Units that are not on a place of
// their group come first, in the order that they had in 'before'. The others follow. Returns the
// number of units that have a group and are on a place of it.
static uint32_t order_units(const AstarLacam *lacam, AstarLacamNode *node, const uint32_t *before)
{
    uint32_t *order = order_of_node(lacam, node), *there = lacam->lists + lacam->count;
    uint32_t kept = 0, count = 0, arrived = 0;
    for (uint32_t i = 0; i < lacam->count; i++) {
        uint32_t unit = before[i];
        if (astar_lacam_is_place(lacam, unit, node->cells[unit])) {
            there[count++] = unit;
            arrived += lacam->groups[unit] != 0;
        } else {
            order[kept++] = unit;
        }
    }
    memcpy(order + kept, there, count * sizeof *order);
    return arrived;
}

// Makes a node for the configuration that the units have decided on in the last turn. 'before' is
// the order in which the units chose their steps.
static AstarLacamNode *make_node(AstarLacam *lacam, AstarLacamNode *parent, uint64_t hash,
                                 const uint32_t *before)
{
    AstarLacamNode *node = astar_pile_take(&lacam->pile, 1, lacam->node_size);
    AstarLacamNode **slot = &lacam->slots[hash & (lacam->slot_count - 1)];
    node->parent = parent;
    node->depth = parent != NULL ? parent->depth + lacam->beats : 0;
    node->hash = hash;
    node->next_in_slot = *slot;
    *slot = node;
    for (uint32_t i = 0; i < lacam->count; i++)
        node->cells[i] = lacam->pibt.units[i].next;
    if (lacam->pibt.takes_steps_in_turn)
        memcpy(node->cells + 2 * (size_t)lacam->count, beats_of_turn(lacam),
               lacam->count * sizeof *node->cells);
    queue_constraint(lacam, node, (AstarLacamConstraint){.parent = NULL});
    put_on_top(lacam, node);
    if (order_units(lacam, node, before) == lacam->wants)
        lacam->found = node;
    return node;
}

// Moves all units to their cells in the configuration of a node.
static void go_to_node(AstarLacam *lacam, AstarLacamNode *node)
{
    AstarPibt *pibt = &lacam->pibt;
    if (lacam->at == node)
        return;
    for (uint32_t i = 0; i < lacam->count; i++)
        astar_pibt_lift(pibt, i);
    for (uint32_t i = 0; i < lacam->count; i++) {
        pibt->units[i].cell = node->cells[i];
        astar_pibt_place(pibt, i);
    }
    lacam->at = node;
}

// The functions below start a search.

// Ensures that there is memory for one node and for all constraints that one turn of PIBT can add.
static AstarStatus need_lacam_room(AstarLacam *lacam)
{
    enum { MOST = ASTAR_WAYS + 1 };
    // The pile may round the size of each allocation up.
    size_t each = sizeof(AstarLacamConstraint) + sizeof(uint64_t);
    return astar_pile_need(&lacam->pile, lacam->node_size + sizeof(uint64_t) + MOST * each);
}

// Chooses the size of a node and the number of slots of the hash table. The size is rounded up so
// that the next node in memory is aligned.
static void choose_node_sizes(AstarLacam *lacam)
{
    size_t count = lacam->count, each = lacam->pibt.takes_steps_in_turn ? 3 : 2;
    lacam->node_size = sizeof(AstarLacamNode) + count * each * sizeof(uint32_t);
    lacam->slot_count = LEAST_NODE_SLOTS;
    while (lacam->slot_count < MOST_NODE_SLOTS &&
           lacam->slot_count < lacam->pile.bytes->most / 2 / lacam->node_size)
        lacam->slot_count *= 2;
}

// Makes the root node, which is the configuration at the start.
static void plant_start(AstarLacam *lacam)
{
    uint32_t *order = lacam->lists;
    for (uint32_t i = 0; i < lacam->count; i++) {
        lacam->pibt.units[i].next = lacam->pibt.units[i].cell;
        lacam->wants += lacam->groups[i] != 0;
        order[i] = i;
    }
    lacam->root = lacam->at = make_node(lacam, NULL, hash_of_next(lacam), order);
    for (uint32_t i = 0; i < lacam->count; i++) {
        lacam->pibt.units[i].next = ASTAR_NOWHERE;
        astar_pibt_place(&lacam->pibt, i);
    }
}

AstarStatus astar_lacam_begin(AstarLacam *lacam, AstarBytes *bytes, const AstarPibt *pibt,
                              uint32_t count, const uint32_t *places_of_groups,
                              const uint32_t *groups)
{
    *lacam = (AstarLacam){.pile = {.bytes = bytes},
                          .pibt = *pibt,
                          .count = count,
                          .beats = 1,
                          .places_of_groups = places_of_groups,
                          .groups = groups};
    choose_node_sizes(lacam);
    lacam->lists = astar_pile_take(&lacam->pile, 3 * (size_t)count, sizeof *lacam->lists);
    lacam->slots = astar_pile_take(&lacam->pile, lacam->slot_count, sizeof(AstarLacamNode *));
    AstarStatus status = need_lacam_room(lacam);
    if (status != ASTAR_OK) {
        astar_pile_drop(&lacam->pile);
        return status;
    }
    lacam->pibt.trail = lacam->lists;
    lacam->pibt.top = ASTAR_NOBODY;
    plant_start(lacam);
    return ASTAR_OK;
}

// The functions below continue a search.

static bool decide_constraints(AstarLacam *lacam, const AstarLacamConstraint *constraint)
{
    for (; constraint->depth > 0; constraint = constraint->parent)
        if (!astar_pibt_decide(&lacam->pibt, constraint->unit, constraint->cell))
            return false;
    return true;
}

// Adds to 'node' one constraint for each possible step of the next unit in the order. The
// constraints are added in random order. The random numbers depend only on the number of turns.
static void queue_steps(AstarLacam *lacam, AstarLacamNode *node, AstarLacamConstraint *parent)
{
    uint32_t depth = parent->depth, cells[ASTAR_WAYS];
    uint32_t unit = order_of_node(lacam, node)[depth];
    int count = astar_pibt_steps(&lacam->pibt, unit, cells);
    uint64_t dice = mix_hash(lacam->turns * UINT64_C(0x9E3779B97F4A7C15));
    for (int i = count - 1; i >= 0; i--, dice = mix_hash(dice + 1)) {
        int other = (int)(dice % (uint64_t)(i + 1));
        uint32_t cell = cells[other];
        cells[other] = cells[i];
        queue_constraint(lacam, node, (AstarLacamConstraint){parent, NULL, unit, cell, depth + 1});
    }
}

// Starts the turn of PIBT that makes a successor of the node on top of the stack. The turn must
// meet the node's next constraint.
static AstarStatus begin_lacam_turn(AstarLacam *lacam, uint64_t *work)
{
    AstarStatus status = need_lacam_room(lacam);
    if (status != ASTAR_OK)
        return status;
    AstarLacamNode *node = lacam->top;
    if (lacam->at != node) {
        *work -= lacam->count < *work ? lacam->count : *work;
        go_to_node(lacam, node);
    }
    AstarLacamConstraint *constraint = node->at;
    node->at = constraint->next;
    astar_pibt_begin(&lacam->pibt, order_of_node(lacam, node), lacam->count, lacam->turns++);
    if (!decide_constraints(lacam, constraint)) {
        astar_pibt_forget(&lacam->pibt);
        *work -= *work > 0;
        return ASTAR_OK;
    }
    if (constraint->depth < lacam->count)
        queue_steps(lacam, node, constraint);
    lacam->is_turning = true;
    return ASTAR_OK;
}

// Continues the search from a node that was already known. Now and then the search continues from
// the root instead, in order to leave dead ends.
static void return_to_node(AstarLacam *lacam, AstarLacamNode *node)
{
    if (lacam->turns % TURNS_A_RESTART == 0)
        node = lacam->root;
    if (!node->is_open)
        return;
    take_off(lacam, node);
    put_on_top(lacam, node);
}

static void end_lacam_turn(AstarLacam *lacam, uint64_t *work)
{
    uint64_t looks = lacam->count / UNITS_A_WORK;
    *work -= looks < *work ? looks : *work;
    lacam->is_turning = false;
    if (!astar_pibt_is_complete(&lacam->pibt)) {
        astar_pibt_forget(&lacam->pibt);
        return;
    }
    if (lacam->pibt.takes_steps_in_turn)
        lacam->beats = astar_order_steps(&lacam->pibt, lacam->count, beats_of_turn(lacam));
    uint64_t hash = hash_of_next(lacam);
    AstarLacamNode *known = node_of_next(lacam, hash), *reached = known;
    if (known == NULL)
        reached = make_node(lacam, lacam->at, hash, order_of_node(lacam, lacam->at));
    astar_pibt_move(&lacam->pibt);
    lacam->at = reached;
    if (known != NULL)
        return_to_node(lacam, known);
}

AstarStatus astar_lacam_step(AstarLacam *lacam, uint64_t *work)
{
    while (lacam->found == NULL) {
        if (*work == 0)
            return ASTAR_RUNNING;
        if (!lacam->is_turning) {
            while (lacam->top != NULL && lacam->top->at == NULL)
                close_node(lacam, lacam->top);
            if (lacam->top == NULL)
                return ASTAR_UNSOLVABLE;
            AstarStatus status = begin_lacam_turn(lacam, work);
            if (status != ASTAR_OK)
                return status;
            continue;
        }
        if (astar_pibt_step(&lacam->pibt, work) == ASTAR_RUNNING)
            return ASTAR_RUNNING;
        end_lacam_turn(lacam, work);
    }
    return ASTAR_OK;
}
