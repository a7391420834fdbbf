// bottlenecks.c -- Finds cells that separate two other cells: the smallest set of cells that
// together separate them (finder:min_cut), and all cells that each separate them alone
// (finder:chokepoints).
//
// The task depends only on connectivity. Under every corner rule, connectivity is given by straight
// steps, or by all eight directions if the rule lets units squeeze past corners. The reason is that
// every other legal step can be replaced by two straight steps, and a block on one of their cells
// bars that step as well. The cells are therefore the vertices of one graph, links and walls
// included. By Menger's theorem, the size of the least cut is the greatest number of paths that
// share no cell. Augmenting paths find these disjoint paths (Ford and Fulkerson, 1956).
//
// Each cell has two nodes: "reached" and "left". The node "left" of a cell on a disjoint path is
// reached only against the direction of that path, from the path's next cell. Paths are searched
// for from the goal, depth first and towards the start. In the end, the cells that are reached but
// not left are the least cut nearest to the goal.
//
// A cell that alone separates start and goal lies on every path between them. Therefore one path is
// found, and all other cells are flooded from the start, up to the farthest cell of the path that
// the flood has met. Whenever the flood has no other cell left, that cell is a choke point. Each
// cell is expanded once (dominators of a flow graph with one sink).

#include "base/array.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/reachable.h"
#include "search/search.h"

#include <string.h>

enum { REACHED = 1, LEFT = 2 }; // flags: which of the two nodes of a cell were visited

// Two cells that are stored for a cell in its page: its predecessor (or a number), and its
// successor.
typedef struct CellPair {
    uint32_t in, out;
} CellPair;

typedef struct Bottlenecks {
    AstarSearch *search;
    const AstarFinder *finder;
    bool backward;     // true if steps are followed backward
    uint32_t from, to; // cells between which paths are searched for
    int to_x, to_y;
    // Nodes that are still to be expanded. A node is twice the number of its cell, plus 1 for the
    // node "left" of the cell.
    uint32_t *stack;
    size_t count, capacity;
    // For each cell, the flags of its visited nodes, and the predecessors of the nodes.
    AstarPages *visited;
    // For each cell on one of the paths found, the cell before it and the cell after it.
    AstarPages *ways;
} Bottlenecks;

static_assert(sizeof(CellPair) == sizeof(double), "a page has room for both");

ASTAR_ONCE int cell_state(const Bottlenecks *b, const AstarPages *pages, uint32_t cell)
{
    int x, y;
    astar_cell_xy(b->finder->grid, cell, &x, &y);
    return astar_pages_state(pages, x, y);
}

ASTAR_ONCE CellPair read_pair(const Bottlenecks *b, const AstarPages *pages, uint32_t cell)
{
    int x, y;
    CellPair pair;
    astar_cell_xy(b->finder->grid, cell, &x, &y);
    memcpy(&pair, &astar_page_at(pages, x, y)->values[astar_page_place(x, y)], sizeof pair);
    return pair;
}

// Stores one cell of a pair, or both, in the entry 'place' of a page. 'which' is REACHED for
// pair.in, LEFT for pair.out, or both flags.
ASTAR_ONCE void write_pair(AstarPage *page, unsigned place, int which, int state, CellPair pair)
{
    CellPair kept;
    memcpy(&kept, &page->values[place], sizeof kept);
    kept.in = (which & REACHED) != 0 ? pair.in : kept.in;
    kept.out = (which & LEFT) != 0 ? pair.out : kept.out;
    memcpy(&page->values[place], &kept, sizeof kept);
    page->states[place] = (uint8_t)state;
}

// Stores the neighbours of a cell on its path. 'which' is REACHED for the cell before it (pair.in),
// LEFT for the cell after it (pair.out), or both flags. Returns false if memory is short.
ASTAR_ONCE bool write_way(const Bottlenecks *b, uint32_t cell, int which, int state, CellPair pair)
{
    int x, y;
    astar_cell_xy(b->finder->grid, cell, &x, &y);
    AstarPage *page = astar_page_for(b->ways, &b->search->allocator, x, y);
    if (page != NULL)
        write_pair(page, astar_page_place(x, y), which, state, pair);
    return page != NULL;
}

// The functions below visit nodes and list the neighbours of a cell.

// An iterator over the neighbours of a cell. Neighbours over links come first, then those by steps.
// Steps that lead nearer to the target come last.
typedef struct NextCells {
    int x, y; // position of the cell itself at first, then that of the neighbour returned last
    int from_x, from_y;
    uint32_t cell;
    unsigned moves, nearer;
    uint32_t arc;
    bool has_links;
} NextCells;

// Returns the directions, as bits, that lead roughly towards a target. (dx, dy) is the offset from
// the cell to the target.
static inline unsigned nearer_moves(int dx, int dy)
{
    unsigned nearer = (unsigned)(dy < 0) | (unsigned)(dx > 0) << 2 | (unsigned)(dy > 0) << 4 |
                      (unsigned)(dx < 0) << 6;
    return nearer | (astar_rotate(nearer, 1) & astar_rotate(nearer, 7));
}

ASTAR_ONCE NextCells next_cells(const Bottlenecks *b, uint32_t cell)
{
    const AstarGrid *grid = b->finder->grid;
    const AstarCornerRule *rule = b->finder->rule;
    NextCells next = {.cell = cell};
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    next.from_x = x;
    next.from_y = y;
    unsigned free = astar_bits_around(&b->finder->on.walkable->bits, x, y);
    next.moves = astar_legal_moves_on(grid, rule, x, y, free, b->backward);
    if (grid->shape->has_corners && !rule->joins_corners)
        next.moves &= ASTAR_STRAIGHTS;
    next.nearer = nearer_moves(b->to_x - x, b->to_y - y);
    const AstarLinksAndWalls *links = grid->links_and_walls;
    next.has_links = astar_grid_has_links(grid) && astar_bits_get(&links->ends, x, y);
    if (next.has_links)
        next.arc = b->backward ? astar_arcs_first_to(links, cell)
                               : astar_arcs_first_from(links, cell);
    return next;
}

// Returns the next neighbour over a link and advances the iterator. Returns ASTAR_NO_CELL if there
// are no more.
static uint32_t take_linked_cell(const Bottlenecks *b, NextCells *next)
{
    const AstarLinksAndWalls *links = b->finder->grid->links_and_walls;
    for (;;) {
        const AstarArc *arc = astar_arc_at(b->backward ? &links->back : &links->arcs, next->arc++);
        if (arc == NULL || (b->backward ? arc->to : arc->from) != next->cell)
            break;
        uint32_t other = b->backward ? arc->from : arc->to;
        astar_cell_xy(b->finder->grid, other, &next->x, &next->y);
        if (astar_bits_get(&b->finder->on.walkable->bits, next->x, next->y))
            return other;
    }
    next->has_links = false;
    return ASTAR_NO_CELL;
}

// Returns the next neighbour and stores its position in (next->x, next->y). Returns ASTAR_NO_CELL
// after the last neighbour.
ASTAR_ONCE uint32_t take_next_cell(const Bottlenecks *b, NextCells *next)
{
    uint32_t linked = next->has_links ? take_linked_cell(b, next) : ASTAR_NO_CELL;
    if (linked != ASTAR_NO_CELL || next->moves == 0)
        return linked;
    unsigned farther = next->moves & ~next->nearer;
    int d = astar_lowest_bit(farther != 0 ? farther : next->moves);
    next->moves &= ~(1u << d);
    next->x = next->from_x + astar_dx[d];
    next->y = next->from_y + astar_dy[d];
    return next->cell + (uint32_t)(astar_dy[d] * b->finder->grid->width + astar_dx[d]);
}

ASTAR_ONCE bool push_node(Bottlenecks *b, uint32_t cell, int node)
{
    if (!ASTAR_RESERVE(&b->search->allocator, b->stack, b->count, 1, &b->capacity, 256))
        return false;
    b->stack[b->count++] = cell << 1 | (node == LEFT);
    return true;
}

// Visits a node of a cell, unless it was visited already. 'from' is the cell of its predecessor.
// 'from' is the cell itself if the predecessor is the other node of the cell.
static bool visit_at(Bottlenecks *b, uint32_t cell, int x, int y, int node, uint32_t from)
{
    AstarPage *page = astar_page_for(b->visited, &b->search->allocator, x, y);
    unsigned place = astar_page_place(x, y);
    if (page == NULL)
        return false;
    if ((page->states[place] & node) != 0)
        return true;
    write_pair(page, place, node, page->states[place] | node, (CellPair){from, from});
    return push_node(b, cell, node);
}

ASTAR_ONCE bool visit_node(Bottlenecks *b, uint32_t cell, int node, uint32_t from)
{
    int x, y;
    astar_cell_xy(b->finder->grid, cell, &x, &y);
    return visit_at(b, cell, x, y, node, from);
}

ASTAR_ONCE bool begin_visits(Bottlenecks *b)
{
    const AstarGrid *grid = b->finder->grid;
    b->count = 0;
    return astar_pages_begin(b->visited, &b->search->allocator, grid->width, grid->height);
}

// Visits the neighbours of a cell. If a neighbour lies on no path, both of its nodes are visited
// together. Returns false if memory is short.
static bool leave_cell(Bottlenecks *b, uint32_t cell)
{
    NextCells next = next_cells(b, cell);
    for (uint32_t to; (to = take_next_cell(b, &next)) != ASTAR_NO_CELL;) {
        AstarPage *page = astar_page_for(b->visited, &b->search->allocator, next.x, next.y);
        unsigned place = astar_page_place(next.x, next.y);
        if (page == NULL)
            return false;
        if (to == b->from || (page->states[place] & REACHED) != 0)
            continue;
        bool is_on_way = to == b->to || astar_pages_state(b->ways, next.x, next.y) != 0;
        int state = is_on_way ? page->states[place] | REACHED : REACHED | LEFT;
        write_pair(page, place, is_on_way ? REACHED : state, state, (CellPair){cell, to});
        if (!push_node(b, to, is_on_way ? REACHED : LEFT))
            return false;
    }
    return true;
}

// The functions below find the least cut.

// Searches for one more path that shares no cell with the paths found so far. The paths found so
// far may be rerouted. Returns ASTAR_UNREACHABLE if there is no further path.
ASTAR_ONCE AstarStatus find_way(Bottlenecks *b)
{
    astar_cell_xy(b->finder->grid, b->to, &b->to_x, &b->to_y);
    bool has_room = begin_visits(b) && visit_node(b, b->from, LEFT, b->from);
    while (has_room && b->count > 0) {
        uint32_t node = b->stack[--b->count], cell = node >> 1;
        bool is_on_way = cell != b->from && cell_state(b, b->ways, cell) != 0;
        if (cell == b->to)
            return ASTAR_OK;
        if ((node & 1) == 0)
            has_room = visit_node(b, read_pair(b, b->ways, cell).in, LEFT, cell);
        else
            has_room = leave_cell(b, cell) && (!is_on_way || visit_node(b, cell, REACHED, cell));
    }
    return has_room ? ASTAR_UNREACHABLE : ASTAR_NO_MEMORY;
}

// Adds the path found last to the disjoint paths, and removes the parts of other paths that it uses
// in the opposite direction. '*last' becomes the last cell of the new path.
static bool augment_ways(Bottlenecks *b, uint32_t *last)
{
    uint32_t cell = b->to;
    *last = read_pair(b, b->visited, cell).in;
    for (int node = REACHED; cell != b->from || node != LEFT;) {
        CellPair before = read_pair(b, b->visited, cell);
        uint32_t other = node == REACHED ? before.in : before.out;
        bool has_room = true;
        if (node == REACHED && other == cell) { // the cell is no longer on any path
            has_room = write_way(b, cell, 0, 0, before);
        } else if (node == REACHED) {
            has_room = (cell == b->to || write_way(b, cell, REACHED, 1, (CellPair){other, 0})) &&
                       (other == b->from || write_way(b, other, LEFT, 1, (CellPair){0, cell}));
        }
        if (!has_room)
            return false;
        node = node == LEFT ? REACHED : LEFT;
        cell = other;
    }
    return true;
}

// Returns the cell of the least cut that lies on a path. 'cell' is the last cell of that path.
static uint32_t cut_on_way(const Bottlenecks *b, uint32_t cell)
{
    while (cell_state(b, b->visited, cell) != REACHED)
        cell = read_pair(b, b->ways, cell).in;
    return cell;
}

static AstarStatus cut_fewest(Bottlenecks *b, int most, AstarCell *cells, int *count)
{
    uint32_t last[ASTAR_MOST_CUT + 1];
    AstarStatus status = ASTAR_OK;
    const AstarGrid *grid = b->finder->grid;
    if (!astar_pages_begin(b->ways, &b->search->allocator, grid->width, grid->height))
        return ASTAR_NO_MEMORY;
    for (*count = 0; *count <= most && (status = find_way(b)) == ASTAR_OK; ++*count) {
        if (!augment_ways(b, &last[*count]))
            return ASTAR_NO_MEMORY;
        if (last[*count] == b->from) // the two ends are neighbours, so no cell lies between them
            *count = most;
    }
    for (int i = 0; i < *count && status == ASTAR_UNREACHABLE; i++)
        astar_cell_xy(grid, cut_on_way(b, last[i]), &cells[i].x, &cells[i].y);
    return status == ASTAR_UNREACHABLE ? ASTAR_OK : status;
}

// The functions below find the choke points.

// Numbers the cells of the path found last, from 1 on, and links each cell to the next one. The
// numbers are stored in place of 'ways'. '*first' becomes the first cell. Returns the length of the
// path, or 0 if memory is short.
static uint32_t number_way(Bottlenecks *b, uint32_t *first)
{
    const AstarGrid *grid = b->finder->grid;
    uint32_t length = 0;
    for (uint32_t cell = b->to; cell != b->from; cell = read_pair(b, b->visited, cell).in)
        length++;
    if (!astar_pages_begin(b->ways, &b->search->allocator, grid->width, grid->height))
        return 0;
    uint32_t cell = b->to;
    *first = ASTAR_NO_CELL;
    for (uint32_t number = length; number > 0; number--) {
        if (!write_way(b, cell, REACHED | LEFT, 1, (CellPair){number, *first}))
            return 0;
        *first = cell;
        cell = read_pair(b, b->visited, cell).in;
    }
    return length;
}

// Floods, from a cell, all cells that do not lie on the path. If the flood meets a cell of the path
// whose number is greater than '*farthest', '*farthest' becomes that number. Returns false if
// memory is short.
ASTAR_ONCE bool flood_beside_way(Bottlenecks *b, uint32_t cell, uint32_t *farthest)
{
    b->count = 0;
    for (;; cell = b->stack[--b->count] >> 1) {
        NextCells next = next_cells(b, cell);
        for (uint32_t to; (to = take_next_cell(b, &next)) != ASTAR_NO_CELL;) {
            bool is_on_way = astar_pages_state(b->ways, next.x, next.y) != 0;
            uint32_t number = is_on_way ? read_pair(b, b->ways, to).in : 0;
            *farthest = number > *farthest ? number : *farthest;
            if (number == 0 && to != b->from && !visit_at(b, to, next.x, next.y, REACHED, cell))
                return false;
        }
        if (b->count == 0)
            return true;
    }
}

static AstarStatus find_chokes(Bottlenecks *b, AstarCell *cells, size_t room, size_t *count)
{
    const AstarGrid *grid = b->finder->grid;
    if (!astar_pages_begin(b->ways, &b->search->allocator, grid->width, grid->height))
        return ASTAR_NO_MEMORY;
    AstarStatus status = find_way(b);
    if (status != ASTAR_OK)
        return status;
    uint32_t cell, length = number_way(b, &cell), farthest = 0;
    if (length == 0 || !begin_visits(b) || !flood_beside_way(b, b->from, &farthest))
        return ASTAR_NO_MEMORY;
    for (uint32_t number = 1; number < length; number++) {
        if (number == farthest && (*count)++ < room)
            astar_cell_xy(grid, cell, &cells[*count - 1].x, &cells[*count - 1].y);
        if (!flood_beside_way(b, cell, &farthest))
            return ASTAR_NO_MEMORY;
        cell = read_pair(b, b->ways, cell).out;
    }
    return ASTAR_OK;
}

// The functions below answer the two queries.

// Prepares a query about the cells between two ends. Returns ASTAR_RUNNING if paths may exist, and
// ASTAR_UNREACHABLE if an end is blocked.
ASTAR_ONCE AstarStatus begin_between(Bottlenecks *b, AstarWorkspace *workspace, AstarFinder *finder,
                                     const AstarCell ends[2])
{
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, ends[0].x, ends[0].y) || !astar_inside(grid, ends[1].x, ends[1].y))
        return ASTAR_BAD_CELL;
    if (!astar_is_one_cell(astar_finder_body(finder)) || astar_finder_has_callbacks(finder))
        return ASTAR_BAD_OPTION;
    if (grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    *b = (Bottlenecks){.finder = finder};
    AstarStatus status = workspace != NULL ? astar_search_take(workspace, finder, &b->search)
                                           : ASTAR_NO_MEMORY;
    if (status != ASTAR_OK)
        return status;
    b->visited = &b->search->front.nodes;
    b->ways = &b->search->own.step_costs;
    b->from = astar_cell(grid, ends[0].x, ends[0].y);
    b->to = astar_cell(grid, ends[1].x, ends[1].y);
    return astar_terrain_allows(finder, ends[0].x, ends[0].y) &&
                   (b->from == b->to ||
                    astar_bits_get(&finder->on.walkable->bits, ends[1].x, ends[1].y))
               ? ASTAR_RUNNING
               : ASTAR_UNREACHABLE;
}

static AstarStatus end_between(Bottlenecks *b, AstarStatus status)
{
    if (b->search == NULL)
        return status;
    astar_release(&b->search->allocator, b->stack, b->capacity, sizeof *b->stack);
    astar_search_free(b->search);
    return status;
}

AstarStatus astar_min_cut(AstarWorkspace *workspace, AstarFinder *finder, AstarCell start,
                          AstarCell goal, int most, AstarCell *cells, int *count)
{
    Bottlenecks b = {.search = NULL};
    if (most < 0 || most > ASTAR_MOST_CUT)
        return ASTAR_BAD_OPTION;
    AstarStatus status = begin_between(&b, workspace, finder, (AstarCell[]){start, goal});
    *count = 0;
    if (status == ASTAR_RUNNING && b.from == b.to) {
        *count = most + 1;
        status = ASTAR_OK;
    } else if (status == ASTAR_RUNNING) {
        b.backward = astar_bits_get(&finder->on.walkable->bits, start.x, start.y);
        if (b.backward) {
            uint32_t from = b.from;
            b.from = b.to;
            b.to = from;
        }
        status = cut_fewest(&b, most, cells, count);
    }
    return end_between(&b, status == ASTAR_UNREACHABLE ? ASTAR_OK : status);
}

AstarStatus astar_chokepoints(AstarWorkspace *workspace, AstarFinder *finder, AstarCell start,
                              AstarCell goal, AstarCell *cells, size_t room, size_t *count)
{
    Bottlenecks b = {.search = NULL};
    AstarStatus status = begin_between(&b, workspace, finder, (AstarCell[]){start, goal});
    *count = 0;
    if (status == ASTAR_RUNNING)
        status = b.from == b.to ? ASTAR_OK : find_chokes(&b, cells, room, count);
    return end_between(&b, status);
}
