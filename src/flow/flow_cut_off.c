// flow_cut_off.c -- how many cells would reach no goal any more, were some blocked.
//
// What a block parts lies beside it. So where components tell what reaches what, those of the cells
// around it are looked at, as they would be: one without a goal, where there was one, is cut off.
// Else, over links, past walls, within a limit, it takes a whole flow of a finder that supposes
// the block.

#include "flow/flow.h"
#include "search/start_query.h"
#include "unit/supposed.h"

// A flow's goals and what a block parts.
typedef struct CutOff {
    const AstarFlow *flow;
    AstarFinder *finder;
    const AstarSupposed *supposed; // one rectangle
    AstarComponents *before, *after;
    uint32_t *labels; // of components after, that were looked at
    size_t label_count, label_capacity;
    uint64_t count;
} CutOff;

ASTAR_ONCE bool is_left_free(const CutOff *cut, int x, int y)
{
    return astar_bits_get(&cut->finder->on.walkable->bits, x, y) &&
           !astar_supposed_bars(cut->supposed, cut->finder->options.size, x, y);
}

// Whether a goal is in a component, before or after.
static bool has_goal(const CutOff *cut, const AstarComponents *components, uint32_t label)
{
    const AstarFinder *finder = cut->finder;
    for (size_t i = 0; i < cut->flow->sown.count; i++) {
        int x, y;
        astar_cell_xy(finder->grid, cut->flow->sown.seeds[i].cell, &x, &y);
        bool is_there = components == cut->after ? is_left_free(cut, x, y)
                                                 : astar_bits_get(&finder->on.walkable->bits, x, y);
        if (is_there && astar_components_label(components, x, y) == label)
            return true;
    }
    return false;
}

// Counts the cells of the component that a cell beside the block is in, if it is cut off, once.
static AstarStatus count_beside(CutOff *cut, int x, int y)
{
    if (!astar_inside(cut->finder->grid, x, y) || !is_left_free(cut, x, y))
        return ASTAR_OK;
    uint32_t label = astar_components_label(cut->after, x, y);
    for (size_t i = cut->label_count; i > 0; i--)
        if (cut->labels[i - 1] == label)
            return ASTAR_OK;
    if (!ASTAR_RESERVE(&cut->finder->grid->allocator, cut->labels, cut->label_count, 1,
                       &cut->label_capacity, 16))
        return ASTAR_NO_MEMORY;
    cut->labels[cut->label_count++] = label;
    if (!has_goal(cut, cut->after, label) &&
        has_goal(cut, cut->before, astar_components_label(cut->before, x, y)))
        cut->count += astar_components_count(cut->after, x, y);
    return ASTAR_OK;
}

static AstarStatus count_by_components(CutOff *cut)
{
    const AstarRectangle *r = cut->supposed->blocked;
    int more = cut->finder->options.size - 1;
    AstarStatus status = astar_finder_components(cut->finder, &cut->before);
    if (status == ASTAR_OK)
        status = astar_components_over(
            cut->before, &cut->finder->on.walkable->bits,
            &(AstarComponentOverlay){.changed = r, .count = 1, .wider = more, .is_barred = true},
            &cut->after);
    for (int y = r->y - more - 1; y <= r->y + r->height && status == ASTAR_OK; y++) {
        bool is_beyond = y < r->y - more || y == r->y + r->height;
        int step = is_beyond ? 1 : r->width + more + 1;
        for (int x = r->x - more - 1; x <= r->x + r->width && status == ASTAR_OK; x += step)
            status = count_beside(cut, x, y);
    }
    astar_components_free(cut->after);
    astar_release(&cut->finder->grid->allocator, cut->labels, cut->label_capacity,
                  sizeof *cut->labels);
    return status;
}

// Counts the cells that have a distance in one flow and none in the other.
static AstarStatus count_lost(CutOff *cut, AstarFlow *now, AstarFlow *then)
{
    AstarStatus status;
    uint64_t cell = 0;
    double distance;
    int x, y;
    while ((status = astar_flow_cell(now, &cell, NULL, &x, &y, &distance)) == ASTAR_OK) {
        if (!is_left_free(cut, x, y))
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
    const AstarAllocator *allocator = &finder->grid->allocator;
    AstarFlowGoal *goals = astar_alloc(allocator, flow->sown.count + 1, sizeof *goals);
    for (size_t i = 0; goals != NULL && i < flow->sown.count; i++) {
        astar_cell_xy(finder->grid, flow->sown.seeds[i].cell, &goals[i].x, &goals[i].y);
        goals[i].value = flow->sown.seeds[i].value;
    }
    status = goals == NULL ? ASTAR_NO_MEMORY
                           : astar_flow_new_within(finder, goals, flow->sown.count,
                                                   0, // all within range are goals by now
                                                   flow->max_cost, out);
    astar_release(allocator, goals, flow->sown.count + 1, sizeof *goals);
    astar_finder_release(finder);
    return status;
}

static AstarStatus count_by_flows(CutOff *cut)
{
    AstarFlow *now = NULL, *then = NULL;
    AstarStatus status = new_flow_supposing(cut->flow, cut->supposed, 0, &now);
    if (status == ASTAR_OK)
        status = new_flow_supposing(cut->flow, cut->supposed, 1, &then);
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
    if (flow->forward || flow->fled.source != NULL || astar_finder_has_callbacks(finder))
        return ASTAR_BAD_OPTION;
    if (!astar_grid_has_rectangle(finder->grid, blocked->x, blocked->y, blocked->width,
                                  blocked->height))
        return ASTAR_BAD_CELL;
    if (finder->grid->shape->wraps != 0)
        return ASTAR_BAD_SEAM;
    AstarStatus status = astar_finder_update(finder);
    AstarSupposed *supposed = astar_supposed_new(allocator, blocked, 1);
    if (status == ASTAR_OK && supposed == NULL)
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK) {
        astar_supposed_free(allocator, supposed);
        return status;
    }
    CutOff cut = {.flow = flow, .finder = finder, .supposed = supposed};
    bool is_limited = isfinite(flow->max_cost) || isfinite(finder->question.max_cost);
    status = astar_components_tell(finder) && !is_limited ? count_by_components(&cut)
                                                          : count_by_flows(&cut);
    astar_supposed_free(allocator, supposed);
    *count = cut.count;
    return status;
}
