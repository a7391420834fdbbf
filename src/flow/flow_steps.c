// flow_steps.c -- the steps of flow fields: which there are, what they cost, where units go.
//
// Where units go is read off the distances: the neighbour through which a cell's comes, remembered
// in a byte a cell. So it does not depend on the order in which they were found.

#include "flow/flow.h"

#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/search.h"
#include "unit/costs.h"

#include <math.h>

// Where the reach of a unit begins, even if blocked.
static bool is_start(const AstarFlow *flow, uint32_t cell)
{
    return flow->forward && flow->sown.seeds[0].cell == cell;
}

bool astar_flow_bears(const AstarFlow *flow, uint32_t cell)
{
    int x, y;
    astar_cell_xy(flow->finder->grid, cell, &x, &y);
    return astar_can_stand(flow->finder, x, y);
}

AstarStatus astar_flow_enters(AstarFlow *flow, uint32_t cell, int x, int y, bool *enters)
{
    *enters = false;
    if (!astar_flow_covers(flow, cell))
        return ASTAR_OK;
    if (is_start(flow, cell)) {
        *enters = astar_flow_bears(flow, cell);
        return ASTAR_OK;
    }
    uint32_t turn = flow->turn;
    double cost;
    AstarStatus status = astar_costs_cell(&flow->costs, x, y, &cost);
    *enters = isfinite(cost);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

static unsigned direction_to(const AstarFlow *flow, int x, int y, uint32_t cell)
{
    int width = flow->finder->grid->width;
    int dx = (int)(cell % (uint32_t)width) - x, dy = (int)(cell / (uint32_t)width) - y;
    bool beside = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && (dx != 0 || dy != 0);
    return beside ? 1u << astar_direction(dx, dy) : 0;
}

// A blocked start can be left, but neither entered nor passed.
static unsigned add_start(const AstarFlow *flow, int x, int y, unsigned free)
{
    unsigned start = direction_to(flow, x, y, flow->sown.seeds[0].cell);
    if (start == 0 || (free & start) != 0 || !astar_flow_bears(flow, flow->sown.seeds[0].cell))
        return 0;
    const AstarFinder *finder = flow->finder;
    return start & astar_legal_moves_on(finder->grid, finder->rule, x, y, free | start, true);
}

static void plain_steps(const AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                        unsigned wanted, AstarFlowSteps *steps)
{
    const AstarFinder *finder = flow->finder;
    const uint8_t *ground = finder->on.ground;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    steps->moves = finder->rule->legal[!out][astar_neighbours(finder->grid, x, y, free)];
    if (flow->forward && !out)
        steps->moves |= add_start(flow, x, y, free);
    steps->moves &= wanted;
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t entered = out ? cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d])
                               : cell;
        steps->costs[d] = finder->costs.step[d & 1][ground[entered]];
    }
}

// Asks a step_cost callback about steps whose costs are otherwise known.
static AstarStatus ask_steps(AstarFlow *flow, int x, int y, bool out, AstarFlowSteps *steps)
{
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        int from_x = out ? x : x + astar_dx[d], from_y = out ? y : y + astar_dy[d];
        AstarStatus status = astar_costs_of_step(&flow->costs, from_x, from_y,
                                                 out ? d : (d + 4) & 7, &steps->costs[d]);
        if (status != ASTAR_OK)
            return status;
        if (isinf(steps->costs[d]))
            steps->moves &= ~(1u << d);
    }
    return ASTAR_OK;
}

static AstarStatus asking_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                                unsigned wanted, AstarFlowSteps *steps)
{
    const AstarFinder *finder = flow->finder;
    AstarAround around;
    double here = 0; // what a cell that has a distance costs
    unsigned moves = wanted;
    AstarStatus status = out ? ASTAR_OK : astar_costs_cell(&flow->costs, x, y, &here);
    if (status == ASTAR_OK)
        status = astar_costs_around(&flow->costs, cell, x, y, !out, &moves, &around);
    if (status != ASTAR_OK)
        return status;
    if (flow->forward && !out)
        moves |= add_start(flow, x, y, around.free);
    steps->moves = moves & wanted;
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        double cost = out ? around.costs[d] : here;
        double length = d & 1 ? finder->options.diagonal_cost : 1;
        steps->costs[d] = astar_finder_round(finder, cost * length);
    }
    return ask_steps(flow, x, y, out, steps);
}

AstarStatus astar_flow_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                             unsigned wanted, AstarFlowSteps *steps)
{
    if (flow->sweeps) {
        plain_steps(flow, cell, x, y, out, wanted, steps);
        return ASTAR_OK;
    }
    uint32_t turn = flow->turn;
    AstarStatus status = asking_steps(flow, cell, x, y, out, wanted, steps);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

// ---- links ----

// The same of steps over a seam, which come first: the index of each is its direction.
static bool next_over_seam(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                           AstarArc *arc)
{
    uint32_t start = flow->forward && !out ? flow->sown.seeds[0].cell : UINT32_MAX;
    unsigned moves = astar_seam_moves(flow->finder, cell, !out, start) >> *index << *index;
    if (moves == 0) {
        *index = ASTAR_DIRECTIONS;
        return false;
    }
    *index = (uint32_t)astar_lowest_bit(moves);
    *arc = astar_seam_arc(flow->finder, cell, (int)(*index)++, !out);
    return true;
}

bool astar_flow_next_link(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                          AstarArc *arc)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
    if (grid->shape->wraps != 0 && *index < ASTAR_DIRECTIONS &&
        next_over_seam(flow, cell, out, index, arc))
        return true;
    if (!astar_grid_has_links(grid) || !astar_bits_get(&links->ends, x, y))
        return false;
    uint32_t first = out ? astar_arcs_first_from(links, cell) : astar_arcs_first_to(links, cell);
    first -= grid->shape->wraps != 0 ? ASTAR_DIRECTIONS : 0;
    const AstarArc *next = astar_arc_at(out ? &links->arcs : &links->back, first + (*index)++);
    if (next == NULL)
        return false;
    *arc = *next;
    return (out ? arc->from : arc->to) == cell;
}

AstarStatus astar_flow_link_cost(AstarFlow *flow, const AstarArc *arc, double *cost)
{
    const AstarFinder *finder = flow->finder;
    uint32_t turn = flow->turn;
    *cost = astar_finder_round_link(finder, arc->cost);
    AstarStatus status = astar_costs_of_link(&flow->costs, arc->from, arc->to, cost);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

static void take_better_offer(AstarFlowOffer *best, AstarFlowOffer offer)
{
    if (offer.distance < best->distance ||
        (offer.distance == best->distance && offer.hops < best->hops))
        *best = offer;
}

AstarStatus astar_flow_best_link(AstarFlow *flow, uint32_t cell, AstarFlowOffer *offer)
{
    bool out = !flow->forward;
    AstarArc arc;
    for (uint32_t i = 0; astar_flow_next_link(flow, cell, out, &i, &arc);) {
        uint32_t other = out ? arc.to : arc.from;
        double cost;
        if (!astar_flow_leads_on(flow, cell, other))
            continue;
        AstarStatus status = astar_flow_link_cost(flow, &arc, &cost);
        if (status != ASTAR_OK)
            return status;
        double way = astar_flow_at(flow, other) + cost;
        take_better_offer(offer, (AstarFlowOffer){way, astar_flow_hops_by(flow, other, way),
                                                  ASTAR_FLOW_LINK, arc});
    }
    return ASTAR_OK;
}

// ---- where distances come from ----

// The neighbours that a cell's distance may come from, if there are steps.
static unsigned leading_around(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarGrid *grid = flow->finder->grid;
    unsigned leading = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) &&
            astar_flow_leads_on(flow, cell, next))
            leading |= 1u << d;
    }
    return leading;
}

AstarStatus astar_flow_pull(AstarFlow *flow, uint32_t cell, int x, int y, AstarFlowOffer *offer)
{
    const AstarShape *shape = flow->finder->grid->shape;
    AstarFlowSteps steps = {0};
    *offer = (AstarFlowOffer){.distance = astar_flow_seed(flow, cell),
                              .direction = ASTAR_FLOW_STAY};
    if (flow->forward && is_start(flow, cell))
        return ASTAR_OK;
    AstarStatus status = ASTAR_OK;
    unsigned leading = leading_around(flow, cell, x, y);
    if (leading != 0)
        status = astar_flow_steps(flow, cell, x, y, !flow->forward, leading, &steps);
    if (status != ASTAR_OK)
        return status;
    for (int i = 0; i < ASTAR_DIRECTIONS && steps.moves != 0; i++) {
        int d = shape->steps_over[astar_phase(shape, x, y)][shape->order[i]];
        if (d < 0 || (steps.moves >> d & 1) == 0)
            continue;
        uint32_t next = cell + (uint32_t)(astar_dy[d] * flow->finder->grid->width + astar_dx[d]);
        double way = astar_flow_at(flow, next) + steps.costs[d];
        take_better_offer(offer, (AstarFlowOffer){.distance = way,
                                                  .hops = astar_flow_hops_by(flow, next, way),
                                                  .direction = d});
    }
    return astar_flow_best_link(flow, cell, offer);
}

// ---- cells ----

size_t astar_flow_first_seed(const AstarFlow *flow, uint32_t cell)
{
    return astar_count_below(flow->sown.seeds, flow->sown.count, sizeof *flow->sown.seeds, cell);
}

double astar_flow_seed(const AstarFlow *flow, uint32_t cell)
{
    if (flow->fled.source != NULL)
        return astar_flow_covers(flow, cell)
                   ? astar_finder_round(flow->finder,
                                        astar_flow_at(flow->fled.source, cell) * flow->fled.factor)
                   : (double)INFINITY;
    size_t at = astar_flow_first_seed(flow, cell);
    bool is_seed = at < flow->sown.count && flow->sown.seeds[at].cell == cell;
    return is_seed ? astar_finder_round(flow->finder, flow->sown.seeds[at].value)
                   : (double)INFINITY;
}

double astar_flow_dearest_step(const AstarFinder *finder)
{
    double most = 0;
    for (int i = 0; i < finder->grid->terrains.count; i++)
        if (finder->grid->terrains.present[i] > 0 && isfinite(finder->costs.cell[i]))
            most = finder->costs.cell[i] > most ? finder->costs.cell[i] : most;
    return most * finder->options.diagonal_cost;
}

// The cells, one end of a link each, whose distances may come over it from another.
bool astar_flow_next_over_link(const AstarFlow *flow, uint32_t cell, uint32_t *index,
                               uint32_t *other)
{
    AstarArc arc;
    if (!astar_flow_next_link(flow, cell, flow->forward, index, &arc))
        return false;
    *other = flow->forward ? arc.to : arc.from;
    return true;
}

// What is known of a cell. Units may stand where they could not come to: there a distance is not
// kept, but told by those around.
AstarStatus astar_flow_look_up(AstarFlow *flow, uint32_t cell, int x, int y, double *best,
                               int *direction)
{
    bool may_stand = true;
    *best = astar_flow_at(flow, cell);
    if (*best < 1e300 && (direction == NULL || !astar_flow_is_settled(flow, *best)))
        return ASTAR_OK;
    if (flow->forward || (!astar_flow_covers(flow, cell) &&
                          astar_bits_get(&flow->finder->on.walkable->bits, x, y))) {
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &may_stand);
        if (status != ASTAR_OK)
            return status;
    }
    *best = INFINITY;
    if (!may_stand)
        return ASTAR_OK;
    AstarFlowOffer offer;
    AstarStatus status = astar_flow_pull(flow, cell, x, y, &offer);
    *best = offer.distance;
    if (direction != NULL)
        *direction = offer.direction;
    return status;
}
