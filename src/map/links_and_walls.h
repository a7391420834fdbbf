// links_and_walls.h -- Links, which join cells that need not be neighbours, and thin walls, which
// separate neighbouring cells.

#ifndef ASTAR_LINKS_AND_WALLS_H
#define ASTAR_LINKS_AND_WALLS_H

#include "base/alloc.h"
#include "base/bits.h"
#include "base/directions.h"
#include "map/grid.h"
#include "map/walls.h"

// The following declarations are about sorted lists of arcs.

// An arc: a link in one direction.
typedef struct AstarArc {
    uint32_t from, to;
    uint32_t label;
    double cost;
} AstarArc;

// A block of consecutive arcs in a sorted list of arcs.
typedef struct AstarArcBlock {
    uint32_t start; // index of the block's first arc in the whole list
    AstarArc *arcs; // memory for ASTAR_ARCS_A_BLOCK arcs, of which at least one is in use
} AstarArcBlock;

// A sorted list of arcs, divided into blocks.
typedef struct AstarArcs {
    AstarArcBlock *blocks;
    size_t block_count, block_capacity;
    uint32_t count; // number of arcs
    bool back;      // true: the list is sorted by 'to', then 'from'; false: by 'from', then 'to'
} AstarArcs;

enum { ASTAR_ARCS_A_BLOCK = 128 };

// Returns the arc with the index 'place' in a list, or NULL beyond the last arc.
const AstarArc *astar_arc_at(const AstarArcs *arcs, uint32_t place);
// Returns the index of an arc in a list, or the index at which the arc would be inserted.
uint32_t astar_arcs_place(const AstarArcs *arcs, uint32_t from, uint32_t to);

// Makes room so that adding two arcs, the one from 'from' to 'to' and the one back, cannot fail.
// Returns false if memory runs out.
bool astar_arcs_reserve(AstarArcs *arcs, const AstarAllocator *allocator, uint32_t from,
                        uint32_t to);
// Adds an arc that is not in the list. The list must have room, see astar_arcs_reserve.
void astar_arcs_add(AstarArcs *arcs, AstarArc arc);
// Sets the cost and the label of an arc that is in the list.
void astar_arcs_change(AstarArcs *arcs, AstarArc arc);
// Removes an arc from the list.
void astar_arcs_remove(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc arc);

// Fills an empty list from an array that is sorted by 'from', then 'to'. If the list has the other
// order, the array is sorted again. If memory runs out, the function returns false and the list
// holds a part of the arcs.
bool astar_arcs_fill(AstarArcs *arcs, const AstarAllocator *allocator, AstarArc *all,
                     uint32_t count);
// Copies a list to an empty one. Returns false if memory runs out.
bool astar_arcs_copy(AstarArcs *arcs, const AstarAllocator *allocator, const AstarArcs *from);
// Frees a list.
void astar_arcs_free(AstarArcs *arcs, const AstarAllocator *allocator);
// Returns the bytes of a list.
size_t astar_arcs_bytes(const AstarArcs *arcs);

// All links and walls of a grid.
typedef struct AstarLinksAndWalls {
    AstarWalls walls; // if the array 'exits' exists, the array 'sides' exists, too
    AstarArcs arcs;   // all arcs, sorted by 'from', then 'to'
    AstarArcs back;   // all arcs, sorted by 'to', then 'from'
    // Range that contains the costs of all arcs. The range does not shrink when arcs are removed.
    double least_cost, most_cost;
    AstarBits ends; // cells at which an arc begins or ends
} AstarLinksAndWalls;

// Returns true if a grid has restricted cells, which may be left only in some directions.
static inline bool astar_grid_has_exits(const AstarGrid *grid)
{
    return grid->links_and_walls != NULL && grid->links_and_walls->walls.exit_count > 0;
}

// Returns true if a grid has walls or restricted cells.
static inline bool astar_grid_has_walls(const AstarGrid *grid)
{
    return grid->links_and_walls != NULL && astar_walls_exist(&grid->links_and_walls->walls);
}

// Returns true if a grid has links.
static inline bool astar_grid_has_links(const AstarGrid *grid)
{
    return grid->links_and_walls != NULL && grid->links_and_walls->arcs.count > 0;
}

// Returns true if a grid has links or walls.
static inline bool astar_grid_has_links_or_walls(const AstarGrid *grid)
{
    return astar_grid_has_links(grid) || astar_grid_has_walls(grid);
}

// Allocates the struct for links and walls of a grid, unless it exists.
AstarStatus astar_need_links_and_walls(AstarGrid *grid);
// Allocates the array of walls of a grid, unless it exists.
AstarStatus astar_need_walls(AstarGrid *grid);
// Allocates the array of restricted cells of a grid, unless it exists.
AstarStatus astar_need_exits(AstarGrid *grid);
// Allocates the bitmap of ends of links, unless it exists.
AstarStatus astar_need_ends(AstarGrid *grid);
// Copies the links and walls of a grid to a copy of that grid.
AstarStatus astar_links_and_walls_clone(const AstarGrid *grid, AstarGrid *copy);
// Copies the links of a grid to a copy of that grid that has no links.
AstarStatus astar_links_clone(const AstarGrid *grid, AstarGrid *copy);
// Copies the walls and the restricted cells in some rows from another grid, without notifying
// layers.
AstarStatus astar_walls_copy(AstarGrid *grid, const AstarGrid *from, int y, int height);
// Changes the links and walls of a grid to those of another one, by edits.
AstarStatus astar_links_and_walls_follow(AstarGrid *grid, const AstarGrid *from);
// Frees all links and walls.
void astar_links_and_walls_free(AstarGrid *grid);
// Returns the bytes of all links and walls.
size_t astar_links_and_walls_bytes(const AstarGrid *grid);

// The following functions are about links.

// Returns the arc from one cell to another, or NULL if there is none.
const AstarArc *astar_arcs_find(const AstarLinksAndWalls *links, uint32_t from, uint32_t to);
// Returns the index in 'arcs' of the first arc that leaves a cell. If no arc leaves the cell, it
// returns the index at which such an arc would be inserted.
uint32_t astar_arcs_first_from(const AstarLinksAndWalls *links, uint32_t cell);
// Returns the index in 'back' of the first arc that enters a cell. If no arc enters the cell, it
// returns the index at which such an arc would be inserted.
uint32_t astar_arcs_first_to(const AstarLinksAndWalls *links, uint32_t cell);
// Returns true if a link begins or ends in a rectangle. The grid must have links.
bool astar_links_end_in(const AstarGrid *grid, const AstarEdit *area);
// Adds all links of a saved grid to a grid without links. 'arcs' is sorted by 'from', then 'to';
// the function may reorder it.
AstarStatus astar_links_fill(AstarGrid *grid, AstarArc *arcs, uint32_t count);
// Returns a number that is at least the number of arcs and rarely changes. Arrays with an entry per
// arc have this many entries, so that most edits need not reallocate them.
uint32_t astar_arcs_room(const AstarLinksAndWalls *links);

// The following functions are about walls.

// Adds walls in the directions 'directions' to each of 'count' consecutive cells without walls.
// When a grid is loaded, this function is called for each run of cells with the same walls.
AstarStatus astar_walls_put(AstarGrid *grid, uint32_t cell, uint32_t count, uint8_t directions);
// Returns a pointer to the walls of a cell, one bit per direction. The walls of other cells are in
// the same array.
static inline const uint8_t *astar_walls_at(const AstarGrid *grid, int x, int y)
{
    return &grid->links_and_walls->walls.sides[astar_cell(grid, x, y)];
}

// Returns a pointer to the directions in which a cell may not be left, one bit per direction; NULL
// if no cell was ever restricted. The directions of other cells are in the same array.
static inline const uint8_t *astar_exits_at(const AstarGrid *grid, int x, int y)
{
    const uint8_t *exits = grid->links_and_walls->walls.exits;
    return exits != NULL ? &exits[astar_cell(grid, x, y)] : NULL;
}

// Returns the directions in which walls or a restriction bar the step out of a cell. The grid must
// have walls.
static inline unsigned astar_barred_out_of(const AstarLinksAndWalls *links, uint32_t cell)
{
    const AstarWalls *walls = &links->walls;
    return walls->sides[cell] | (walls->exits != NULL ? walls->exits[cell] : 0u);
}

// Returns true if a cell is restricted. The grid must have walls.
static inline bool astar_is_restricted(const AstarGrid *grid, int x, int y)
{
    const uint8_t *exits = astar_exits_at(grid, x, y);
    return exits != NULL && *exits != 0;
}

// Restricts 'count' consecutive cells that have no restriction yet: units may not leave them in the
// directions 'barred'. When a grid is loaded, this function is called for each run of cells with
// the same restriction.
AstarStatus astar_exits_put(AstarGrid *grid, uint32_t cell, uint32_t count, uint8_t barred);

// Returns true if a wall bars the step out of a cell in a direction.
static inline bool astar_walls_bar(const AstarGrid *grid, int x, int y, int direction)
{
    return (*astar_walls_at(grid, x, y) >> direction & 1) != 0;
}

#endif
