// landmark_repair.c -- keeps the distances of landmarks good while the map is edited.
//
// They are good while no step leads farther than it costs: distance(v) <= distance(u) + cost(u, v).
// An edit that closes cells or makes them dearer breaks that nowhere. Else the steps around the
// edited cells are looked at, and what they bring nearer is lowered, cell by cell, as far as that
// goes: mostly a few cells. Distances are never raised again; so they may come to tell less, never
// anything wrong.
//
// A cell that many ways lead through may bring thousands of others nearer. Then the table is left
// as it was and the excess noted, how much the steps around the edit break the rule by: no route
// takes more than one step out of each cell, nor into it, so none gains more than the sum of the
// worst of each. That much, its deficit, an estimate by the table falls short from then on.
//
// Edits do this at once, within bounds, so that what the tables hold depends on the edits alone and
// not on when who asked.

#include "base/directions.h"
#include "derived/landmarks.h"
#include "map/links_and_walls.h"

enum { LARGEST_AREA = 1 << 16 }; // of an edit that is made up for

// Of one table.
typedef struct Repair {
    const AstarGrid *grid;
    AstarLandmarks *landmarks;
    const uint8_t *ground;
    AstarEdit area; // the edited cells, and what is next to them
    int table;
    bool back;
    bool only_new;        // lowers only distances of cells that were never reached
    uint32_t count, most; // of distances lowered
} Repair;

static uint32_t *repaired_distance(const Repair *repair, uint32_t cell)
{
    return astar_landmark_distance(repair->landmarks, cell, repair->table);
}

// ---- lowering ----

// False where that is one too many.
static bool lower(Repair *repair, uint32_t cell, uint32_t distance)
{
    uint32_t *place = repaired_distance(repair, cell);
    if (distance >= *place || (repair->only_new && *place != ASTAR_FAR))
        return true;
    if (repair->count == repair->most)
        return false;
    repair->landmarks->mended[repair->count++] = (AstarMended){cell, *place};
    *place = distance;
    return true;
}

// Over a link to or from a cell of the area. Its other end may be anywhere, so both are looked at.
static bool lower_by_arc(Repair *repair, const AstarArc *arc, bool back)
{
    const AstarBits *bits = &repair->landmarks->walkable->bits;
    uint32_t from = back ? arc->to : arc->from, to = back ? arc->from : arc->to;
    int x, y, to_x, to_y;
    astar_cell_xy(repair->grid, from, &x, &y);
    astar_cell_xy(repair->grid, to, &to_x, &to_y);
    if (!astar_bits_get(bits, x, y) || !astar_bits_get(bits, to_x, to_y) ||
        *repaired_distance(repair, from) == ASTAR_FAR)
        return true;
    return lower(repair, to,
                 *repaired_distance(repair, from) +
                     astar_landmark_link(repair->landmarks, arc->cost));
}

// Over the links of a cell; a table that tells both ways takes each link for both.
static bool lower_over_links(Repair *repair, uint32_t cell)
{
    const AstarLinksAndWalls *links = repair->grid->links_and_walls;
    bool is_both = repair->landmarks->scale == 0, enough = true;
    for (int into = 0; into < 2; into++) {
        const AstarArcs *arcs = into ? &links->back : &links->arcs;
        const AstarArc *arc;
        uint32_t i = into ? astar_arcs_first_to(links, cell) : astar_arcs_first_from(links, cell);
        for (; enough && (arc = astar_arc_at(arcs, i)) != NULL; i++) {
            if ((into ? arc->to : arc->from) != cell)
                break;
            enough = lower_by_arc(repair, arc, repair->back) &&
                     (!is_both || lower_by_arc(repair, arc, true));
        }
    }
    return enough;
}

static bool is_link_end(const AstarGrid *grid, int x, int y)
{
    return astar_grid_has_links(grid) && astar_bits_get(&grid->links_and_walls->ends, x, y);
}

static uint32_t weight_into(const Repair *repair, int direction, uint32_t entered)
{
    return repair->landmarks->weight[direction & 1][repair->ground[entered]];
}

// Lowers what the steps out of a cell, in the table's sense, bring nearer.
static bool lower_around(Repair *repair, int x, int y)
{
    const AstarGrid *grid = repair->grid;
    uint32_t cell = astar_cell(grid, x, y), distance = *repaired_distance(repair, cell);
    if (distance == ASTAR_FAR)
        return !is_link_end(grid, x, y) || lower_over_links(repair, cell);
    unsigned moves = astar_landmark_moves(repair->landmarks, grid, x, y, repair->back);
    bool enough = true;
    for (; moves != 0 && enough; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        enough = lower(repair, next, distance + weight_into(repair, d, repair->back ? cell : next));
    }
    return enough && (!is_link_end(grid, x, y) || lower_over_links(repair, cell));
}

// Lowers all that the steps of the area bring nearer, and what those cells do; false where that is
// too much.
static bool lower_from_area(Repair *repair, bool only_new)
{
    const AstarEdit *area = &repair->area;
    const AstarBits *bits = &repair->landmarks->walkable->bits;
    bool enough = true;
    repair->only_new = only_new;
    repair->count = 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width && enough; x++)
            if (astar_bits_get(bits, x, y))
                enough = lower_around(repair, x, y);
    for (uint32_t i = 0; i < repair->count && enough; i++) {
        int x, y;
        astar_cell_xy(repair->grid, repair->landmarks->mended[i].cell, &x, &y);
        enough = lower_around(repair, x, y);
    }
    return enough;
}

static void undo(Repair *repair)
{
    while (repair->count > 0) {
        const AstarMended *mended = &repair->landmarks->mended[--repair->count];
        *repaired_distance(repair, mended->cell) = mended->before;
    }
}

static void publish_changes(const Repair *repair)
{
    AstarLandmarks *landmarks = repair->landmarks;
    for (uint32_t i = 0; i < repair->count; i++)
        landmarks->changed[landmarks->changes++ & (astar_landmarks_memory(landmarks) - 1)] =
            landmarks->mended[i].cell;
}

// ---- deficits ----

static uint32_t excess(uint32_t distance, uint32_t before, uint32_t weight)
{
    return before != ASTAR_FAR && distance > before + weight ? distance - before - weight : 0;
}

// The worst by which a step out of a cell breaks the rule, or one into it where 'reversed'.
static uint32_t worst_step(const Repair *repair, int x, int y, bool reversed)
{
    const AstarGrid *grid = repair->grid;
    bool back = repair->back != reversed;
    uint32_t cell = astar_cell(grid, x, y), here = *repaired_distance(repair, cell), worst = 0;
    unsigned moves = astar_landmark_moves(repair->landmarks, grid, x, y, back);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        uint32_t weight = weight_into(repair, d, back ? cell : next);
        uint32_t there = *repaired_distance(repair, next);
        uint32_t more = reversed ? excess(here, there, weight) : excess(there, here, weight);
        worst = more > worst ? more : worst;
    }
    return worst;
}

// Whether an edit touches a link, or cells beyond its area that nothing reached before.
static bool is_beyond_measure(const Repair *repair)
{
    const AstarEdit *area = &repair->area;
    int x, y;
    for (uint32_t i = 0; i < repair->count; i++) {
        astar_cell_xy(repair->grid, repair->landmarks->mended[i].cell, &x, &y);
        if (!astar_edit_covers(area, x, y))
            return true;
    }
    return astar_grid_has_links(repair->grid) && astar_links_end_in(repair->grid, area);
}

// No route gains more by the steps of the area.
static uint64_t most_gained(const Repair *repair)
{
    const AstarEdit *area = &repair->area;
    const AstarBits *bits = &repair->landmarks->walkable->bits;
    uint64_t out = 0, in = 0;
    for (int y = area->y; y < area->y + area->height; y++)
        for (int x = area->x; x < area->x + area->width; x++)
            if (astar_bits_get(bits, x, y)) {
                out += worst_step(repair, x, y, false);
                in += worst_step(repair, x, y, true);
            }
    return out < in ? out : in;
}

// Leaves the distances there were as they are, and notes how much they lack.
static void note_deficit(Repair *repair)
{
    uint32_t *deficit = &repair->landmarks->deficit[repair->table];
    uint64_t gained = ASTAR_FAR;
    repair->most = 2 * repair->landmarks->few;
    if (lower_from_area(repair, true) && !is_beyond_measure(repair))
        gained = most_gained(repair);
    publish_changes(repair);
    *deficit = gained + *deficit < ASTAR_FAR ? *deficit + (uint32_t)gained : ASTAR_FAR;
}

// ---- edits ----

// Makes ready for what an edit of an area does to a table.
static Repair open_repair(const AstarGrid *grid, AstarLandmarks *landmarks, AstarEdit area,
                          int table, int64_t most)
{
    return (Repair){.grid = grid,
                    .landmarks = landmarks,
                    .ground = astar_landmarks_ground(landmarks, grid),
                    .area = area,
                    .table = table,
                    .back = astar_table_is_back(landmarks, table),
                    .most = (uint32_t)most};
}

bool astar_landmarks_table_is_good(const AstarGrid *grid, AstarLandmarks *landmarks, int table)
{
    AstarEdit all = {.width = grid->width, .height = grid->height};
    Repair repair = open_repair(grid, landmarks, all, table, 0);
    return lower_from_area(&repair, false);
}

// How many distances it lowers, those that it takes back, too.
static int64_t repair_table(Repair *repair)
{
    bool enough = lower_from_area(repair, false);
    int64_t lowered = repair->count;
    if (enough) {
        publish_changes(repair);
        return lowered;
    }
    undo(repair);
    note_deficit(repair);
    return lowered + repair->count;
}

int64_t astar_landmarks_repair_table(const AstarGrid *grid, AstarLandmarks *landmarks,
                                     const AstarEdit *edit, int table)
{
    AstarEdit area = astar_cells_concerned(grid, edit, landmarks->walkable->size);
    int64_t cells = (int64_t)area.width * area.height;
    astar_landmarks_reprice(grid, landmarks);
    if (cells > LARGEST_AREA || astar_layer_is_stale(landmarks->walkable) ||
        (landmarks->footprints != NULL && astar_layer_is_stale(landmarks->footprints)))
        landmarks->deficit[table] = ASTAR_FAR;
    if (landmarks->deficit[table] == ASTAR_FAR)
        return 0;
    int64_t most = landmarks->few + (2 * cells < landmarks->few ? 2 * cells : landmarks->few);
    Repair repair = open_repair(grid, landmarks, area, table, most);
    return repair_table(&repair);
}

void astar_landmarks_repair(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarLandmarks *landmarks = layer;
    for (int i = 0; i < landmarks->tables; i++)
        astar_landmarks_repair_table(grid, landmarks, edit, i);
}
