// flow_cut_off.c -- how many cells would reach no goal any more, were some blocked.
//
// Where components tell what reaches what, only the pieces into which the blocks part them are
// looked at (search/parting.c): those without a goal are cut off, and are flooded whole to be
// counted. Else, over links, past walls, within a limit, it takes a whole flow of a finder that
// supposes the blocks.

#include "flow/flow.h"
#include "search/parting.h"
#include "search/suppose.h"

// A flow's goals and what blocks part.
typedef struct CutOff {
    const AstarFlow *flow;
    AstarParting parting;
    uint64_t count;
} CutOff;

// Whether a goal of a component is left, in a piece of it or, by -1, before any was parted.
static bool has_goal_left(CutOff *cut, uint32_t label, int piece)
{
    const AstarFinder *finder = cut->parting.finder;
    for (size_t i = 0; i < cut->flow->seed_count; i++) {
        int x, y;
        astar_cell_xy(finder->grid, cut->flow->seeds[i].cell, &x, &y);
        bool is_there = astar_bits_get(&finder->walkable->bits, x, y) &&
                        astar_components_label(cut->parting.components, x, y) == label;
        if (is_there && (piece < 0 || (!astar_parting_bars(&cut->parting, x, y) &&
                                       astar_parting_piece(&cut->parting, label, x, y) == piece)))
            return true;
    }
    return false;
}

// Counts the cells of a component that are in pieces without a goal.
static AstarStatus count_pieces(CutOff *cut, uint32_t label)
{
    AstarParting *parting = &cut->parting;
    if (!has_goal_left(cut, label, -1))
        return ASTAR_OK;
    AstarStatus status = astar_parting_flood(parting, label);
    for (int i = 0; i < parting->count && status == ASTAR_OK; i++) {
        const AstarPiece *piece = &parting->pieces[i];
        if (piece->root != i || piece->label != label || has_goal_left(cut, label, i))
            continue;
        status = astar_parting_complete(parting, i);
        cut->count += piece->cells;
    }
    return status;
}

static AstarStatus count_by_components(CutOff *cut)
{
    AstarParting *parting = &cut->parting;
    AstarComponents *components = NULL;
    AstarStatus status = astar_finder_components(parting->finder, &components);
    parting->components = components;
    if (status == ASTAR_OK)
        status = astar_parting_begin(parting);
    for (int i = 0; i < parting->count && status == ASTAR_OK; i++) {
        bool is_first = true;
        for (int j = 0; j < i; j++)
            is_first = is_first && parting->pieces[j].label != parting->pieces[i].label;
        if (is_first)
            status = count_pieces(cut, parting->pieces[i].label);
    }
    return status;
}

// Counts the cells that have a distance in one flow and none in the other.
static AstarStatus count_lost(CutOff *cut, AstarFlow *now, AstarFlow *then)
{
    const AstarFinder *finder = cut->parting.finder;
    AstarStatus status;
    uint64_t cell = 0;
    double distance;
    int x, y;
    while ((status = astar_flow_cell(now, &cell, NULL, &x, &y, &distance)) == ASTAR_OK) {
        if (!astar_bits_get(&finder->walkable->bits, x, y) ||
            astar_parting_bars(&cut->parting, x, y))
            continue;
        status = astar_flow_distance(then, x, y, NULL, &distance);
        if (status == ASTAR_NO_MEMORY)
            return status;
        cut->count += status != ASTAR_OK;
    }
    return status == ASTAR_UNREACHABLE ? ASTAR_OK : status;
}

// Makes a flow like another, on a map where some cells are blocked.
static AstarStatus new_flow_supposing(const AstarFlow *flow, const AstarSupposed *supposed,
                                      size_t count, AstarFlow **out)
{
    AstarFinder *finder;
    AstarStatus status = astar_finder_suppose(flow->finder, supposed->blocked, count, &finder);
    if (status != ASTAR_OK)
        return status;
    finder->options.range = 0; // all within range are goals by now
    const AstarAllocator *allocator = &finder->grid->allocator;
    AstarFlowGoal *goals = astar_alloc(allocator, flow->seed_count + 1, sizeof *goals);
    for (size_t i = 0; goals != NULL && i < flow->seed_count; i++) {
        astar_cell_xy(finder->grid, flow->seeds[i].cell, &goals[i].x, &goals[i].y);
        goals[i].value = flow->seeds[i].value;
    }
    status = goals == NULL ? ASTAR_NO_MEMORY
                           : astar_flow_new(finder, goals, flow->seed_count, flow->max_cost, out);
    astar_release(allocator, goals, flow->seed_count + 1, sizeof *goals);
    astar_finder_release(finder);
    return status;
}

static AstarStatus count_by_flows(CutOff *cut)
{
    AstarFlow *now = NULL, *then = NULL;
    const AstarSupposed *supposed = cut->parting.supposed;
    AstarStatus status = new_flow_supposing(cut->flow, supposed, 0, &now);
    if (status == ASTAR_OK)
        status = new_flow_supposing(cut->flow, supposed, 1, &then);
    if (status == ASTAR_OK)
        status = astar_flow_complete(then, NULL);
    if (status == ASTAR_OK)
        status = count_lost(cut, now, then);
    astar_flow_release(now);
    astar_flow_release(then);
    return status;
}

AstarStatus astar_flow_count_cut_off(AstarFlow *flow, const AstarRectangle *blocked,
                                     uint64_t *count)
{
    AstarFinder *finder = flow->finder;
    const AstarAllocator *allocator = &finder->grid->allocator;
    if (flow->forward || flow->source != NULL || astar_finder_has_callbacks(finder))
        return ASTAR_BAD_OPTION;
    if (!astar_lies_inside(finder->grid, blocked))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_finder_update(finder);
    AstarSupposed *supposed = astar_supposed_new(allocator, blocked, 1);
    if (status == ASTAR_OK && supposed == NULL)
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK) {
        astar_supposed_free(allocator, supposed);
        return status;
    }
    CutOff cut = {.flow = flow, .parting = {.finder = finder, .supposed = supposed}};
    cut.parting.allocator = allocator;
    cut.parting.pages = &flow->parts;
    bool is_limited = isfinite(flow->max_cost) || isfinite(finder->question.max_cost);
    status = astar_components_tell(finder) && !is_limited ? count_by_components(&cut)
                                                          : ASTAR_MAX_EXPANSIONS;
    if (status == ASTAR_MAX_EXPANSIONS) {
        cut.count = 0;
        status = count_by_flows(&cut);
    }
    astar_supposed_free(allocator, supposed);
    *count = cut.count;
    return status;
}
