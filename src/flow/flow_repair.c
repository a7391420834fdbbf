// flow_repair.c -- Repairing flow fields after edits.
//
// After an edit, the only distances that can be wrong or too high are those whose paths pass near
// the edited cells. Each distance comes from that of a neighbour, or of a cell at the other end of
// a link. The repair has two main rounds (after G. Ramalingam and T. Reps, "An Incremental
// Algorithm for a Generalization of the Shortest-Path Problem", 1996).
//
// In the first round cells are raised. All cells near the edit are listed. If no neighbour supports
// the distance of a listed cell any more, the cell loses its distance, and the cells whose
// distances came from it are listed in turn. The remaining distances are valid, but may be too
// high.
//
// In the second round cells are lowered. Cells that lost their distance, and cells near the edit,
// take the best offer of their neighbours, and are expanded like any other cells. Every step adds
// to a distance, or else hops order the cells (see AstarFlow). Therefore cells never support each
// other in a circle.
//
// The logs of edits contain the edits of terrain and blocks, and the cells of edited links and
// walls. The squares of a field to avoid show where the field has changed.
//
// flow_sweep.c prunes a successor if another path to it is as short. If that other path is not
// computed yet, an edit may block it although no distance is lost. Therefore, in a last round,
// cells of the first list that keep their distance are expanded with all their steps.
//
// The rounds process lists one cell at a time, and remove a cell when it is done. A callback may
// leave by longjmp or edit the grid meanwhile, and the next call continues. Lists are first in,
// first out, so a cell is usually examined once, after the nearer cells that could support it.
// Cells surrounded by cells without distances get no offer at first, rather than a long path that
// would be shortened later. If a list becomes long, or if the log no longer contains all edits
// since the last update, the flow restarts.

#include "flow/flow_repair.h"

#include "base/array.h"
#include "flow/flow.h"
#include "flow/flow_life.h"
#include "flow/flow_query.h"
#include "flow/flow_sweep.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <math.h>
#include <string.h>

static AstarStatus reserve_cells(AstarCells *list, const AstarAllocator *allocator, size_t more)
{
    // Moves the remaining cells to the front of the array if at least as many cells have been
    // handled since the last move. Each handled cell thus pays for at most one moved cell.
    if (list->first >= list->count && list->first > 0) {
        memcpy(list->cells, list->cells + list->first, list->count * sizeof *list->cells);
        list->first = 0;
    }
    size_t used = list->first + list->count;
    bool has_room = ASTAR_RESERVE(allocator, list->cells, used, more, &list->capacity, 64);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Appends a cell to a list. The list must have room.
static void list_cell(AstarCells *list, uint32_t cell)
{
    list->cells[list->first + list->count++] = cell;
}

static void drop_listed_cell(AstarCells *list)
{
    list->first++;
    list->count--;
}

static AstarStatus append_cell(AstarCells *list, const AstarAllocator *allocator, uint32_t cell)
{
    AstarStatus status = reserve_cells(list, allocator, 1);
    if (status == ASTAR_OK)
        list_cell(list, cell);
    return status;
}

// Returns a rectangle extended to the positions at which a body overlaps it, and then by 'more'
// cells to the west and north and by 'after' cells to the south and east. The result is clipped to
// the grid.
static AstarEdit widen(const AstarGrid *grid, const AstarEdit *edit, AstarBody body, int more,
                       int after)
{
    int x0 = astar_greater(edit->x - (body.width - 1) - more, 0);
    int y0 = astar_greater(edit->y - (body.height - 1) - more, 0);
    int x1 = astar_lesser(edit->x + edit->width + after, grid->width);
    int y1 = astar_lesser(edit->y + edit->height + after, grid->height);
    return (AstarEdit){.x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
}

// The following functions list the cells that edits concern.

// Returns true if costs are the same as when the distances were computed.
static bool costs_hold(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    return flow->of.unit == finder->costs.unit && flow->of.costs == finder->costs.of_cells;
}

// Cursor over all changes since the flow was last up to date: first the edits of the map, then the
// changed squares of the field.
typedef struct FlowChanges {
    AstarEditsSince edits;
    const AstarField *field;
    uint64_t field_version;
    uint32_t tile;
} FlowChanges;

static FlowChanges changes_to_take(const AstarFlow *flow)
{
    const AstarOptions *options = &flow->finder->options;
    return (FlowChanges){
        .edits = astar_edits_since(flow->finder->grid, options->ignore, flow->of.grid),
        .field = options->avoid,
        .field_version = flow->of.field,
    };
}

static bool next_flow_change(FlowChanges *changes, AstarEdit *cells)
{
    for (const AstarEdit *edit; (edit = astar_next_edit(&changes->edits)) != NULL;) {
        if (!astar_edit_is_at_cells(edit))
            continue;
        *cells = *edit;
        if (edit->width == 0)
            cells->width = cells->height = 1; // an edit of links or walls has no size
        return true;
    }
    return changes->field != NULL &&
           astar_field_next_change(changes->field, changes->field_version, &changes->tile, cells);
}

// Returns the cells whose distances a change may affect directly. Units of several cells are
// affected if they cover a changed cell; their position is their north-west cell.
static AstarEdit changed_area(const AstarFlow *flow, const AstarEdit *cells)
{
    return widen(flow->finder->grid, cells, astar_finder_body(flow->finder), 1, 1);
}

// Returns the number of cells that changed_area returns, added up over all changes.
static uint64_t count_changed(const AstarFlow *flow)
{
    uint64_t count = 0; // a sum of edits of the whole map exceeds 32 bits
    FlowChanges changes = changes_to_take(flow);
    for (AstarEdit cells; next_flow_change(&changes, &cells);) {
        AstarEdit area = changed_area(flow, &cells);
        count += (uint64_t)area.width * (uint64_t)area.height;
    }
    return count;
}

// Returns true if the logs contain all changes and the flow can be repaired after them.
static bool knows_changes(const AstarFlow *flow)
{
    return astar_knows_edits_since(flow->finder->grid, flow->finder->options.ignore,
                                   flow->of.grid) &&
           costs_hold(flow) && !astar_flow_stands_among_blocks(flow) &&
           flow->finder->grid->shape->wraps == 0; // repairs do not handle steps over the edge
}

static void forget_answers(const AstarPages *answers, const AstarEdit *area)
{
    for (int y = area->y; answers->pool.used > 0 && y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++) {
            AstarPage *page = *astar_page_entry(answers, x, y);
            if (page != NULL)
                page->states[astar_page_place(x, y)] = 0;
        }
}

static void take_change(AstarFlow *flow, const AstarEdit *cells)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarEdit changed = widen(grid, cells, ASTAR_ONE_CELL, 0, 0);
    const AstarEdit area = changed_area(flow, cells);
    const AstarEdit covering = widen(grid, cells, astar_finder_body(flow->finder), 0, 0);
    forget_answers(&flow->costs.covered, &changed);
    forget_answers(&flow->costs.answers, &covering);
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++) {
            uint32_t cell = astar_cell(grid, x, y);
            list_cell(&flow->mend.raise, cell);
            list_cell(&flow->mend.lower, cell);
            astar_flow_forget(flow, cell);
        }
}

// Records which cells may lack pruned steps: cells that were expanded since the flow was last
// complete, and cells of the straight lines from them. These cells are identified by their buckets.
static void note_left_out(AstarFlow *flow)
{
    int64_t below = flow->open.current + ASTAR_FLOW_LONGEST_RUN + 3;
    if (astar_bucket_queue_are_empty(&flow->open))
        flow->mend.left_out_below = 0;
    else if (below > flow->mend.left_out_below)
        flow->mend.left_out_below = below;
}

static AstarStatus take_changes(AstarFlow *flow, size_t count)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarStatus status = reserve_cells(&flow->mend.raise, &grid->allocator, count);
    if (status == ASTAR_OK)
        status = reserve_cells(&flow->mend.lower, &grid->allocator, count);
    if (status == ASTAR_OK)
        status = astar_flood_write_pages(flow);
    if (status != ASTAR_OK)
        return status;
    note_left_out(flow);
    status = astar_bucket_queue_rewind(&flow->open, &grid->allocator);
    if (status != ASTAR_OK)
        return status;
    FlowChanges changes = changes_to_take(flow);
    for (AstarEdit cells; next_flow_change(&changes, &cells);)
        take_change(flow, &cells);
    flow->turn++;
    return ASTAR_OK;
}

// Lists the cells to repair after the changes since the flow was last up to date, or restarts the
// flow. On a shared map the list may be empty, because a new version may have no changes.
static AstarStatus look_again(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    uint64_t changed = count_changed(flow);
    bool is_worth_it = changed <= finder->grid->cells / 8 + 64 && flow->fled.source == NULL &&
                       flow->packed.blocks == NULL;
    if (!knows_changes(flow) || (changed > 0 && !is_worth_it))
        return astar_flow_restart(flow, true);
    AstarStatus status = changed > 0 ? take_changes(flow, (size_t)changed) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    flow->of.grid = finder->grid->version;
    flow->of.finder = flow->costs.version = astar_finder_version(finder);
    flow->of.field = astar_finder_field_version(finder);
    return ASTAR_OK;
}

// The following functions are the rounds of a repair: raising, lowering and expanding cells.

// Returns the directions of neighbours whose distances may have come from a cell that had the
// distance 'lost'.
static unsigned dependents(const AstarFlow *flow, uint32_t cell, int x, int y, double lost)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    unsigned found = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (!astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) ||
            astar_flow_at(flow, next) > 1e300)
            continue;
        int terrain = flow->finder->on.ground[flow->forward ? next : cell];
        // A neighbour whose distance came from this cell has the distance 'lost' plus the cost of
        // the step. If an edit has made the step cheaper, its distance is greater than this sum.
        bool comes_from = flow->sweeps ? astar_flow_at(flow, next) >=
                                             lost + astar_flow_step_costs(flow)[d & 1][terrain]
                                       : astar_flow_leads_on(flow, next, cell);
        if (comes_from)
            found |= 1u << d;
    }
    return found;
}

static AstarStatus lose(AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t other, links = 0;
    while (astar_flow_next_over_link(flow, cell, &links, &other))
        continue;
    AstarStatus status = reserve_cells(&flow->mend.raise, &grid->allocator,
                                       ASTAR_DIRECTIONS + (size_t)links);
    if (status == ASTAR_OK)
        status = append_cell(&flow->mend.lower, &grid->allocator, cell);
    if (status != ASTAR_OK)
        return status;
    flow->turn++;
    drop_listed_cell(&flow->mend.raise); // removes the cell that loses its distance
    unsigned rest = dependents(flow, cell, x, y, astar_flow_at(flow, cell));
    for (; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        list_cell(&flow->mend.raise, cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]));
    }
    for (links = 0; astar_flow_next_over_link(flow, cell, &links, &other);)
        if (astar_flow_at(flow, other) < 1e300 && astar_flow_leads_on(flow, other, cell))
            list_cell(&flow->mend.raise, other);
    astar_flow_page(flow, cell)->distances[cell % ASTAR_FLOW_PAGE_CELLS] = INFINITY;
    if (flow->hops != NULL)
        flow->hops[cell] = 0; // flows computed by flow_sweep.c have no hops
    astar_flow_forget_around(flow, x, y);
    return ASTAR_OK;
}

// Stores in 'offer' the best path from a cell. The distance of the offer is INFINITY if the cell
// cannot have a distance.
static AstarStatus offer_to_cell(AstarFlow *flow, uint32_t cell, int x, int y,
                                 AstarFlowOffer *offer)
{
    bool enters;
    *offer = (AstarFlowOffer){.distance = INFINITY};
    AstarStatus status = astar_flow_enters(flow, cell, x, y, &enters);
    return status == ASTAR_OK && enters ? astar_flow_pull(flow, cell, x, y, offer) : status;
}

// Returns true if a cell may have been expanded without pruned steps whose alternatives are not
// computed yet.
static bool may_lack_steps(const AstarFlow *flow, uint32_t cell)
{
    return flow->sweeps &&
           astar_bucket_of(&flow->open, astar_flow_at(flow, cell)) < flow->mend.left_out_below &&
           astar_flow_leaves_out(flow);
}

// Handles the first cell of the list 'raise'.
static AstarStatus raise_cell(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    if (flow->mend.lower.count > grid->cells / 64 + 256) // restarting the flow is less work
        return astar_flow_restart(flow, false);
    uint32_t cell = flow->mend.raise.cells[flow->mend.raise.first];
    int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
    if (astar_flow_at(flow, cell) < 1e300) {
        AstarFlowOffer offer;
        AstarStatus status = offer_to_cell(flow, cell, x, y, &offer);
        if (status == ASTAR_OK && offer.distance > astar_flow_at(flow, cell))
            return lose(flow, cell, x, y);
        if (status == ASTAR_OK && may_lack_steps(flow, cell))
            status = append_cell(&flow->mend.expand, &grid->allocator, cell);
        if (status != ASTAR_OK)
            return status;
    }
    flow->turn++;
    drop_listed_cell(&flow->mend.raise);
    return ASTAR_OK;
}

// Handles the first cell of the list 'lower'.
static AstarStatus lower_cell(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t cell = flow->mend.lower.cells[flow->mend.lower.first];
    int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
    AstarFlowOffer offer;
    AstarStatus status = offer_to_cell(flow, cell, x, y, &offer);
    if (status == ASTAR_OK && astar_flow_is_better(flow, cell, offer.distance, offer.hops)) {
        if (offer.distance > flow->beyond.limit) {
            flow->beyond.is_cut = true;
        } else {
            status = astar_flow_lower(flow, cell, x, y, offer.distance, offer.hops);
            astar_flow_forget_around(flow, x, y);
        }
    }
    if (status != ASTAR_OK)
        return status;
    flow->turn++;
    drop_listed_cell(&flow->mend.lower);
    return ASTAR_OK;
}

// Handles the first cell of the list 'expand', which kept its distance.
static AstarStatus expand_cell(AstarFlow *flow)
{
    uint32_t cell = flow->mend.expand.cells[flow->mend.expand.first];
    int x, y;
    astar_cell_xy(flow->finder->grid, cell, &x, &y);
    AstarStatus status = astar_flow_at(flow, cell) < 1e300
                             ? astar_flow_expand(flow, cell, x, y)
                             : ASTAR_OK; // the cell has lost its distance since
    if (status == ASTAR_OK)
        drop_listed_cell(&flow->mend.expand);
    return status;
}

// Updates the tables of steps for the present map. Stores true in '*holds' if the distances are
// still valid. In the following cases the distances are valid only if the flow is complete: ground
// of one cost has become ground of several costs or the reverse, or walls or very cheap links have
// appeared or disappeared. A pruned path may then be shorter than its alternative.
static AstarStatus renew_moves(AstarFlow *flow, bool *holds)
{
    const AstarFlowMoves *before = flow->moves;
    AstarStatus status = astar_flow_learn_moves(flow);
    *holds = flow->moves == before || astar_bucket_queue_are_empty(&flow->open);
    return status;
}

// Handles the cells of a list with 'deal', within the budget. Returns ASTAR_RUNNING when the budget
// is used up first.
static AstarStatus go_through(AstarFlow *flow, const AstarCells *list,
                              AstarStatus (*deal)(AstarFlow *flow))
{
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK && list->count > 0) {
        if (flow->work.left == 0)
            return ASTAR_RUNNING;
        astar_flow_spend(flow, 1);
        status = deal(flow);
    }
    return status;
}

AstarStatus astar_flow_sync(AstarFlow *flow)
{
    uint64_t version = astar_finder_version(flow->finder);
    if (flow->begun && flow->of.finder == version && astar_flow_is_mended(flow))
        return ASTAR_OK;
    AstarStatus status = astar_finder_update(astar_finder_original(flow->finder));
    if (status != ASTAR_OK)
        return status;
    bool holds = flow->begun;
    if (holds)
        status = renew_moves(flow, &holds);
    if (status != ASTAR_OK)
        return status;
    if (!holds)
        return astar_flow_restart(flow, true);
    if (flow->of.finder != version)
        status = look_again(flow);
    if (status == ASTAR_OK)
        status = go_through(flow, &flow->mend.raise, raise_cell);
    if (status == ASTAR_OK)
        status = go_through(flow, &flow->mend.lower, lower_cell);
    return status == ASTAR_OK ? go_through(flow, &flow->mend.expand, expand_cell) : status;
}
