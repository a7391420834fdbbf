// route_rims.c -- block A*: how a search crosses chunks of which nothing is measured, nor kept.
//
// What is expanded is a whole closed chunk: one flood from all cells of its lines that have come
// nearer since its last one, each with its cost so far. What that brings nearer of its lines is to
// be flooded from in its neighbors. The next chunk is that of the least f among such cells (P. Yap,
// N. Burch, R. Holte, J. Schaeffer, 2011, who have distances inside blocks from a table).
//
// A chunk is flooded again where ways come in that are cheaper: so some cell of a best way always
// waits with its best cost, and the first f that is not below the cost of the goal ends the search
// within 'weight' times the best. By no weight that is the best way itself.

#include "world/route_searching.h"
#include "world/squares.h"

#include "base/array.h"

enum { SIDE = ASTAR_CHUNK_SIDE, BY_LANDING = UINT16_MAX };

// ---- cells of the lines ----

// Where the cells of the lines lie: those of the northern line, of the southern one, and of the
// western and eastern one between them.
static int line_cell_column(int cell)
{
    if (cell < 2 * (SIDE + 1))
        return cell % (SIDE + 1);
    return cell < 3 * SIDE + 1 ? 0 : SIDE;
}

static int line_cell_row(int cell)
{
    if (cell < 2 * (SIDE + 1))
        return cell < SIDE + 1 ? 0 : SIDE;
    return cell < 3 * SIDE + 1 ? cell - 2 * SIDE - 1 : cell - 3 * SIDE;
}

static int line_cell_at(int column, int row)
{
    if (row == 0 || row == SIDE)
        return row == 0 ? column : SIDE + 1 + column;
    return column == 0 ? 2 * SIDE + 1 + row : 3 * SIDE + row;
}

static size_t line_cell_in(const AstarCutout *cutout, int cell)
{
    return astar_cutout_at(cutout, cutout->x0 + line_cell_column(cell),
                           cutout->y0 + line_cell_row(cell));
}

static bool is_on_lines(int column, int row)
{
    return column == 0 || row == 0 || column == SIDE || row == SIDE;
}

// ---- rims ----

static AstarStatus need_rim(AstarRouteSearch *search, int32_t i, int32_t j, AstarRim **out)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarRims *rims = &search->floods.rims;
    *out = astar_route_rim(search, i, j);
    if (*out != NULL)
        return ASTAR_OK;
    if (!ASTAR_RESERVE(allocator, rims->list, rims->count, 1, &rims->capacity, 64))
        return ASTAR_NO_MEMORY;
    AstarRim *rim = (AstarRim *)astar_plots_need(&rims->plots, allocator, i, j, sizeof *rim);
    if (rim == NULL)
        return ASTAR_NO_MEMORY;
    rim->least = (double)INFINITY;
    for (int cell = 0; cell < ASTAR_LINE_CELLS; cell++)
        rim->g[cell] = (double)INFINITY;
    rim->number = (uint32_t)rims->count;
    rims->list[rims->count++] = *out = rim;
    search->finder->world->bytes_of_floods += sizeof *rim;
    return ASTAR_OK;
}

void astar_route_free_rims(AstarRouteSearch *search)
{
    const AstarAllocator *allocator = &search->finder->world->allocator;
    AstarRims *rims = &search->floods.rims;
    search->finder->world->bytes_of_floods -= rims->count * sizeof **rims->list;
    astar_release(allocator, rims->list, rims->capacity, sizeof *rims->list);
    astar_release(allocator, rims->landings, rims->landing_capacity, sizeof *rims->landings);
    astar_release(allocator, rims->sources, rims->source_capacity, sizeof *rims->sources);
    astar_plots_free(&rims->plots, allocator);
    *rims = (AstarRims){.goal = {.g = (double)INFINITY}, .frontier = {.g = (double)INFINITY}};
}

// Has a square wait to be flooded, if it does not for a better cell already.
static AstarStatus open_rim(AstarRouteSearch *search, AstarRim *rim, double g, double f)
{
    if (f >= rim->least)
        return ASTAR_OK;
    // One more, for the square being flooded, should that have to wait again.
    if (!astar_heap_reserve(&search->floods.open, &search->finder->world->allocator, 2))
        return ASTAR_NO_MEMORY;
    rim->least = f;
    rim->left = (f - g) / search->question.weight;
    astar_heap_push(&search->floods.open, astar_open(f, g, rim->number));
    return ASTAR_OK;
}

// By the new weight another cell of a rim may be the best, but none lies nearer to the goal by more
// than the square is wide.
void astar_route_search_raise(AstarRouteSearch *search, double weight)
{
    const AstarRims *rims = &search->floods.rims;
    double wide = astar_estimate(&search->finder->heuristic, SIDE, SIDE);
    double more = weight - search->question.weight;
    search->question.weight = weight;
    astar_heap_clear(&search->floods.open);
    for (size_t i = 0; i < rims->count; i++) {
        AstarRim *rim = rims->list[i];
        if (isinf(rim->least))
            continue;
        rim->least += more * fmax(rim->left - wide, 0);
        astar_heap_push(&search->floods.open, astar_open(rim->least, rim->least, rim->number));
    }
}

// Has one that was taken off the list wait for all cells of its lines, before all others: to be
// flooded once more from the start.
static void reopen_rim(AstarRouteSearch *search, AstarRim *rim)
{
    memset(rim->improved, 0xFF, sizeof rim->improved);
    rim->least = 0;
    astar_heap_push(&search->floods.open, astar_open(0, 0, rim->number));
}

// The rim of the square to be flooded next, on top of the list; NULL where none can lead to a
// better end than there is.
static AstarRim *next_rim(AstarRouteSearch *search)
{
    const AstarRims *rims = &search->floods.rims;
    double enough = rims->goal.g, most = search->question.max_cost;
    if (search->is_goal_absent && !isinf(rims->frontier.g))
        enough = fmin(enough, rims->frontier.g +
                                  astar_route_left(search, rims->frontier.x, rims->frontier.y));
    while (astar_heap_count(&search->floods.open) > 0) {
        AstarOpen top = astar_heap_top(&search->floods.open);
        AstarRim *rim = rims->list[astar_open_cell(top)];
        if (astar_open_f(top) == rim->least) {
            search->end.is_cut_off = rim->least > most;
            return rim->least < enough && !search->end.is_cut_off ? rim : NULL;
        }
        astar_heap_pop(
            &search->floods.open); // it has been flooded since, or waits for a better cell
    }
    return NULL;
}

// ---- ways to cells ----

// Where the way to a cell of the lines comes from: which of the squares that hold both, and the
// column and row there.
static uint16_t pack_before(const AstarRouteReach *way, const AstarRim *found_in)
{
    if (found_in == NULL)
        return BY_LANDING;
    AstarSquares in = astar_squares_of(way->x, way->y);
    int square = found_in->plot.i - in.i0 + 2 * (found_in->plot.j - in.j0);
    int column = way->before_x - found_in->plot.i * SIDE;
    int row = way->before_y - found_in->plot.j * SIDE;
    return (uint16_t)(square << 14 | row << 7 | column);
}

// Takes the cheapest way yet to a cell, found by flooding a square; NULL: in none. What lies on a
// rim is to be flooded from in the others that hold it.
static AstarStatus take_way(AstarRouteSearch *search, AstarRouteReach way, const AstarRim *found_in)
{
    AstarSquares in = astar_squares_of(way.x, way.y);
    AstarRim *holders[4];
    int count = 0;
    double f = way.g + astar_route_rest(search, way.x, way.y);
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1; i++) {
            AstarStatus status = need_rim(search, i, j, &holders[count]);
            if (status == ASTAR_OK && holders[count] != found_in)
                status = open_rim(search, holders[count], way.g, f);
            if (status != ASTAR_OK)
                return status;
            count++;
        }
    uint16_t before = pack_before(&way, found_in);
    for (int k = 0; k < count; k++) {
        int column = way.x - holders[k]->plot.i * SIDE, row = way.y - holders[k]->plot.j * SIDE;
        if (!is_on_lines(column, row))
            continue;
        int cell = line_cell_at(column, row);
        holders[k]->g[cell] = way.g;
        holders[k]->before[cell] = before;
        if (holders[k] != found_in)
            holders[k]->improved[cell / 64] |= UINT64_C(1) << cell % 64;
    }
    return ASTAR_OK;
}

static AstarLanding *find_landing(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarRims *rims = &search->floods.rims;
    for (size_t i = 0; i < rims->landing_count; i++)
        if (rims->landings[i].x == x && rims->landings[i].y == y)
            return &rims->landings[i];
    return NULL;
}

// What the cheapest way yet costs to a cell of the lines, or where a way has come in; else
// INFINITY.
static double cost_to_cell(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarLanding *landing = find_landing(search, x, y);
    const AstarRim *rim = astar_route_rim(search, astar_chunk_of(x), astar_chunk_of(y));
    int column = astar_in_chunk(x), row = astar_in_chunk(y);
    if (rim != NULL && is_on_lines(column, row))
        return rim->g[line_cell_at(column, row)];
    return landing != NULL ? landing->g : (double)INFINITY;
}

AstarStatus astar_route_land(AstarRouteSearch *search, AstarLanding landing)
{
    if (landing.g >= cost_to_cell(search, landing.x, landing.y))
        return ASTAR_OK;
    AstarRims *rims = &search->floods.rims;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, rims->landings, rims->landing_count, 1,
                       &rims->landing_capacity, 4))
        return ASTAR_NO_MEMORY;
    AstarLanding *place = find_landing(search, landing.x, landing.y);
    AstarStatus status = take_way(search, (AstarRouteReach){landing.x, landing.y, landing.g, 0, 0},
                                  NULL);
    if (status != ASTAR_OK)
        return status;
    if (place == NULL)
        place = &rims->landings[rims->landing_count++];
    *place = landing;
    return ASTAR_OK;
}

// ---- flooding a square ----

// Lists what a square is to be flooded from; what else is known of its lines is put down.
static size_t list_rim_sources(AstarRouteSearch *search, const AstarRim *rim, AstarCutout *cutout)
{
    AstarSource *sources = search->floods.rims.sources;
    size_t count = 0;
    for (int cell = 0; cell < ASTAR_LINE_CELLS; cell++) {
        size_t at = line_cell_in(cutout, cell);
        if (isinf(rim->g[cell]) || !astar_cutout_is_open(cutout, at))
            continue;
        if ((rim->improved[cell / 64] >> cell % 64 & 1) != 0)
            sources[count++] = (AstarSource){at, rim->g[cell]};
        else
            cutout->g[at] = rim->g[cell];
    }
    for (size_t i = 0; i < search->floods.rims.landing_count; i++) {
        const AstarLanding *landing = &search->floods.rims.landings[i];
        int column = landing->x - cutout->x0, row = landing->y - cutout->y0;
        if (!astar_cutout_holds(cutout, landing->x, landing->y))
            continue;
        size_t at = astar_cutout_at(cutout, landing->x, landing->y);
        if (!astar_cutout_is_open(cutout, at))
            search->end.has_seen_frontier |= astar_route_is_absent(search, landing->x, landing->y);
        else if (!is_on_lines(column, row))
            sources[count++] = (AstarSource){at, landing->g};
    }
    return count;
}

static AstarStatus flood_rim(AstarRouteSearch *search, const AstarRim *rim, void *context)
{
    AstarCutout *cutout = search->finder->world->cutout;
    astar_route_note_square(search, rim->plot.i, rim->plot.j);
    AstarRims *rims = &search->floods.rims;
    if (!ASTAR_RESERVE(&search->finder->world->allocator, rims->sources, (size_t)0,
                       ASTAR_LINE_CELLS + rims->landing_count, &rims->source_capacity, 0))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_route_fill_square(search, rim->plot.i, rim->plot.j, context);
    if (status != ASTAR_OK)
        return status;
    astar_cutout_clear(cutout);
    AstarSources sources = {rims->sources, list_rim_sources(search, rim, cutout), true, 0};
    return sources.count > 0 ? astar_cutout_flood_from(cutout, sources) : ASTAR_OK;
}

// How a cell was reached by the last flood.
static AstarRouteReach route_reach_at(const AstarRouteSearch *search, int32_t x, int32_t y)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    size_t at = astar_cutout_at(cutout, x, y);
    if (isinf(cutout->g[at]))
        return (AstarRouteReach){x, y, (double)INFINITY, x, y};
    size_t before = search->floods.rims.sources[cutout->origin[at]].at,
           stride = (size_t)cutout->stride;
    return (AstarRouteReach){x, y, cutout->g[at], cutout->x0 + (int32_t)(before % stride) - 1,
                             cutout->y0 + (int32_t)(before / stride) - 1};
}

// Takes the ways that a flood has found to the cells of the lines.
static AstarStatus take_line_cells(AstarRouteSearch *search, AstarRim *rim)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    AstarStatus status = ASTAR_OK;
    for (int cell = 0; cell < ASTAR_LINE_CELLS && status == ASTAR_OK; cell++)
        if (cutout->g[line_cell_in(cutout, cell)] < rim->g[cell])
            status = take_way(search,
                              route_reach_at(search, cutout->x0 + line_cell_column(cell),
                                             cutout->y0 + line_cell_row(cell)),
                              rim);
    return status;
}

// Follows the links that lead from cells which a flood has come to.
static AstarStatus follow_links_of_rim(AstarRouteSearch *search)
{
    const AstarWorld *world = search->finder->world;
    const AstarCutout *cutout = world->cutout;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = astar_world_links_from(world, cutout->x0, cutout->y0);
         i < world->link_count && world->links[i].y0 <= cutout->y0 + SIDE && status == ASTAR_OK;
         i++) {
        const AstarLink *link = &world->links[i];
        if (!astar_cutout_holds(cutout, link->x0, link->y0))
            continue;
        AstarRouteReach from = route_reach_at(search, link->x0, link->y0);
        double cost = astar_finder_round_link(search->finder->finder, link->cost);
        if (!isinf(from.g))
            status = astar_route_land(search,
                                      (AstarLanding){link->x1, link->y1, from.g + cost, from});
    }
    return status;
}

// ---- ends ----

// Goals, and what is near enough to them.
static void note_goal_reached(AstarRouteSearch *search)
{
    const AstarCutout *cutout = search->finder->world->cutout;
    AstarWorldEdit all = {cutout->x0, cutout->y0, cutout->x0 + SIDE, cutout->y0 + SIDE};
    for (size_t i = 0; i < search->aims.count; i++) {
        AstarRouteGoal its = search->aims.goals[i];
        AstarWorldEdit box = astar_cells_shared(
            all, (AstarWorldEdit){its.x - its.range, its.y - its.range, its.x + its.range,
                                  its.y + its.range});
        for (int32_t y = box.y0; y <= box.y1; y++)
            for (int32_t x = box.x0; x <= box.x1; x++) {
                AstarRouteReach goal = route_reach_at(search, x, y);
                if (goal.g < search->floods.rims.goal.g)
                    search->floods.rims.goal = goal;
            }
    }
}

static void note_frontier_cells(AstarRouteSearch *search, const AstarRim *rim)
{
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    const AstarCutout *cutout = search->finder->world->cutout;
    int count = astar_square_frontier(search->finder, rim->plot.i, rim->plot.j, lines);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < lines[k].length; i++) {
            int32_t x = cutout->x0 + lines[k].column + lines[k].dx * i;
            int32_t y = cutout->y0 + lines[k].row + lines[k].dy * i;
            astar_route_note_frontier(search, route_reach_at(search, x, y));
        }
}

// ---- the search ----

AstarStatus astar_route_flood_next(AstarRouteSearch *search, void *context)
{
    AstarRim *rim = next_rim(search);
    if (rim == NULL)
        return ASTAR_OK;
    AstarStatus status = flood_rim(search, rim, context);
    if (status != ASTAR_OK)
        return status;
    astar_heap_pop(&search->floods.open);
    memset(rim->improved, 0, sizeof rim->improved);
    rim->least = (double)INFINITY;
    status = take_line_cells(search, rim);
    if (status == ASTAR_OK)
        status = follow_links_of_rim(search);
    if (status != ASTAR_OK) {
        reopen_rim(search, rim);
        return status;
    }
    note_goal_reached(search);
    if (astar_has_frontier(search->finder))
        note_frontier_cells(search, rim);
    search->expanded++;
    return ASTAR_RUNNING;
}

// ---- the way back ----

// Puts the node of a cell before the first one of the way; nothing, where that is it already.
static AstarStatus lead_from(AstarRouteSearch *search, int32_t x, int32_t y, double g,
                             AstarLegKind kind, uint32_t *first)
{
    uint32_t number;
    if (search->tree.nodes[*first].x == x && search->tree.nodes[*first].y == y)
        return ASTAR_OK;
    AstarStatus status = astar_route_number(search, x, y, &number);
    if (status != ASTAR_OK)
        return status;
    search->tree.nodes[*first].kind = (uint8_t)kind;
    search->tree.nodes[*first].parent = number - 1;
    search->tree.nodes[number - 1].g = g;
    *first = number - 1;
    return ASTAR_OK;
}

// The same of the cells that a link leads between.
static AstarStatus lead_over_link(AstarRouteSearch *search, const AstarLanding *landing,
                                  uint32_t *first)
{
    AstarRouteReach from = landing->from;
    AstarStatus status = lead_from(search, from.x, from.y, from.g, ASTAR_LEG_LINK, first);
    return status == ASTAR_OK ? lead_from(search, from.before_x, from.before_y,
                                          cost_to_cell(search, from.before_x, from.before_y),
                                          ASTAR_LEG_SQUARE, first)
                              : status;
}

// The same of the cell that the way to the first comes from.
static AstarStatus lead_back(AstarRouteSearch *search, uint32_t *first)
{
    int32_t x = search->tree.nodes[*first].x, y = search->tree.nodes[*first].y;
    const AstarRim *rim = astar_route_rim(search, astar_chunk_of(x), astar_chunk_of(y));
    bool is_on_rim = is_on_lines(astar_in_chunk(x), astar_in_chunk(y));
    unsigned before = BY_LANDING;
    if (is_on_rim)
        before = rim->before[line_cell_at(astar_in_chunk(x), astar_in_chunk(y))];
    if (before == BY_LANDING)
        return lead_over_link(search, find_landing(search, x, y), first);
    AstarSquares in = astar_squares_of(x, y);
    x = (in.i0 + (int32_t)(before >> 14 & 1)) * SIDE + (int32_t)(before & 127);
    y = (in.j0 + (int32_t)(before >> 15)) * SIDE + (int32_t)(before >> 7 & 127);
    return lead_from(search, x, y, cost_to_cell(search, x, y), ASTAR_LEG_SQUARE, first);
}

AstarStatus astar_route_trace(AstarRouteSearch *search)
{
    AstarRouteReach end = isinf(search->floods.rims.goal.g) ? search->floods.rims.frontier
                                                            : search->floods.rims.goal;
    uint32_t number;
    AstarStatus status = astar_route_number(search, end.x, end.y, &number);
    if (status != ASTAR_OK)
        return status;
    uint32_t first = number - 1;
    search->tree.nodes[first].g = end.g;
    search->tree.nodes[first].kind = ASTAR_LEG_NONE;
    status = lead_from(search, end.before_x, end.before_y,
                       cost_to_cell(search, end.before_x, end.before_y), ASTAR_LEG_SQUARE, &first);
    while (status == ASTAR_OK &&
           (search->tree.nodes[first].x != search->sx || search->tree.nodes[first].y != search->sy))
        status = lead_back(search, &first);
    search->end.last = number - 1;
    return status;
}
