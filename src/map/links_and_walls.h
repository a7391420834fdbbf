// links_and_walls.h -- what joins cells that are not neighbours, and what parts cells that are.

#ifndef ASTAR_LINKS_AND_WALLS_H
#define ASTAR_LINKS_AND_WALLS_H

#include "base/alloc.h"
#include "base/bits.h"
#include "base/directions.h"
#include "map/grid.h"

// ---- the ways over links, in order ----

// One way over a link.
typedef struct AstarArc {
    uint32_t from, to;
    uint32_t label;
    double cost;
} AstarArc;

typedef struct AstarArcBlock {
    uint32_t start; // the place of its first arc among all
    AstarArc *arcs; // room for ASTAR_ARCS_A_BLOCK; one at least is used
} AstarArcBlock;

typedef struct AstarArcs {
    AstarArcBlock *blocks;
    size_t block_count, block_capacity;
    uint32_t count; // of arcs
    bool back;      // ordered by 'to', then 'from'; else by 'from', then 'to'
} AstarArcs;

enum { ASTAR_ARCS_A_BLOCK = 128 };

// The arc at a place in order, NULL beyond the last.
const AstarArc *astar_arc_at(const AstarArcs *arcs, uint32_t place);
// The place of an arc or, where there is none, the one it would have.
uint32_t astar_arcs_place(const AstarArcs *arcs, uint32_t from, uint32_t to);

// Makes sure that adding an arc, and then its way back, cannot fail; false without memory.
bool astar_arcs_reserve(AstarArcs *arcs, const AstarAllocator *allocator, uint32_t from,
                        uint32_t to);
// Adds an arc that is not there, for which there is room; gives one that is there another cost and
// label; removes one that is there.
void astar_arcs_add(AstarArcs *arcs, AstarArc arc);
void astar_arcs_change(AstarArcs *arcs, AstarArc arc);
void astar_arcs_remove(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc arc);

// Gives an empty one all arcs of an array in the order of 'from', then 'to', which it sorts if it
// is ordered otherwise; false without memory, with some of them.
bool astar_arcs_fill(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc *all,
                     uint32_t count);
// Gives an empty one the arcs of another; false without memory.
bool astar_arcs_copy(AstarArcs *arcs, const AstarAllocator *allocator, const AstarArcs *from);
void astar_arcs_free(AstarArcs *arcs, const AstarAllocator *allocator);
size_t astar_arcs_bytes(const AstarArcs *arcs);

typedef struct AstarLinksAndWalls {
    uint8_t *walls;               // of each cell the directions barred to leave by, or NULL
    uint32_t wall_count;          // of bits set
    AstarArcs arcs;               // in the order of 'from', then 'to'
    AstarArcs back;               // the same in the order of 'to', then 'from'
    double least_cost, most_cost; // of the arcs that there are, and of some there were
    AstarBits ends;               // the cells an arc leaves or enters
} AstarLinksAndWalls;

static inline bool astar_grid_has_walls(const AstarGrid *grid)
{
    return grid->links_and_walls != NULL && grid->links_and_walls->wall_count > 0;
}

static inline bool astar_grid_has_links(const AstarGrid *grid)
{
    return grid->links_and_walls != NULL && grid->links_and_walls->arcs.count > 0;
}

static inline bool astar_grid_has_links_or_walls(const AstarGrid *grid)
{
    return astar_grid_has_links(grid) || astar_grid_has_walls(grid);
}

// Take memory for any, for walls, for ends of links.
AstarStatus astar_need_links_and_walls(AstarGrid *grid);
AstarStatus astar_need_walls(AstarGrid *grid);
AstarStatus astar_need_ends(AstarGrid *grid);
AstarStatus astar_links_and_walls_clone(const AstarGrid *grid, AstarGrid *copy);
// Its parts: gives a copy that has no links those that there are; makes the walls in some rows of a
// grid what they are on another, and tells nobody.
AstarStatus astar_links_clone(const AstarGrid *grid, AstarGrid *copy);
AstarStatus astar_walls_copy(AstarGrid *grid, const AstarGrid *from, int y, int height);
// Makes the links and walls of a grid what they are on another.
AstarStatus astar_links_and_walls_follow(AstarGrid *grid, const AstarGrid *from);
void astar_links_and_walls_free(AstarGrid *grid);
size_t astar_links_and_walls_bytes(const AstarGrid *grid);

// ---- links ----

// The arc from one cell to another, or NULL.
const AstarArc *astar_arcs_find(const AstarLinksAndWalls *links, uint32_t from, uint32_t to);
// The place of the first arc from a cell, or of the first into it, in 'back'; where there is none,
// the place it would have.
uint32_t astar_arcs_first_from(const AstarLinksAndWalls *links, uint32_t cell);
uint32_t astar_arcs_first_to(const AstarLinksAndWalls *links, uint32_t cell);
// Whether a link begins or ends in an area of a grid that has links.
bool astar_links_end_in(const AstarGrid *grid, const AstarEdit *area);
// Gives a grid without links all of an array in that order, those that a dump tells; it is in
// another order afterwards.
AstarStatus astar_links_fill(AstarGrid *grid, AstarArc *arcs, uint32_t count);
// Room for something about each arc, so that most edits ask for no more of it.
uint32_t astar_arcs_room(const AstarLinksAndWalls *links);

// ---- walls ----

// Bars steps out of each of 'count' cells, those a run of a dump tells, none of which has any wall
// yet.
AstarStatus astar_walls_put(AstarGrid *grid, uint32_t cell, uint32_t count, uint8_t directions);
// Whether a step over a side of a cell is barred, by its direction.
// Those of a cell, among those of all.
static inline const uint8_t *astar_walls_at(const AstarGrid *grid, int x, int y)
{
    return &grid->links_and_walls->walls[astar_cell(grid, x, y)];
}

static inline bool astar_walls_bar(const AstarGrid *grid, int x, int y, int direction)
{
    return (*astar_walls_at(grid, x, y) >> direction & 1) != 0;
}

#endif
