// places.h -- the room in which a plan is made, and the places where its units are to end. Also:
// the reachable cell nearest to a goal.
//
// A room is a rectangle of the map. For each kind of unit it contains the cells that such units can
// occupy. All cells outside the rectangle, and the cells of units that must not move, are blocked
// for the plan.
//
// The place of a unit is its goal. If several units share a goal, or the goal lies outside the
// room, each unit gets the free cell nearest to the goal that it can reach. The unit nearest to the
// goal chooses first. Units with the same goal may exchange their places.

#ifndef ASTAR_PLACES_H
#define ASTAR_PLACES_H

#include "base/bits.h"
#include "parts/crowd/bytes.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/kind.h"
#include "parts/crowd/lacam.h"
#include "parts/crowd/pibt.h"

// The data that a room stores for each finder of its units, in addition to AstarCrowdKind.
typedef struct AstarRoomKind {
    bool is_open;
    // The finder's data for the whole map; it shares the crowd's table of legal steps.
    AstarCrowdKind whole;
    AstarBits bits; // cells of the room where a unit can stand
    AstarBits free; // the same cells before the cells of units that must not move were removed
} AstarRoomKind;

typedef struct AstarRoom {
    AstarPile pile; // memory of the room, except that of 'build' and 'flood'
    const AstarGrid *grid;
    int x, y, width, height; // the rectangle of cells
    // The finders' data (kinds) for the cells of the room only, indexed by the same numbers as in
    // the crowd.
    AstarCrowdKind *kinds;
    AstarRoomKind *more;
    size_t kind_count;
    bool has_opened; // true if cells have become walkable since the room was made
    AstarPlace *places;
    uint32_t *groups; // for each cell the group of units that has it as a place; 0: no group has
    AstarFieldBuild build; // computes distances to a place inside the room
    AstarFieldBuild flood; // computes distances to a goal on the whole map
    // State of the search for a place, row by row: the number of rows searched, the distance of the
    // nearest free cell, and that cell.
    uint32_t looked, nearest, nearest_cell;
} AstarRoom;

// Makes a room without the data of any finder, which astar_room_open adds. The cells up to 'margin'
// around the rectangle are prepared as well, because units read them when they choose their steps.
// If the call fails, the caller must still free the room.
AstarStatus astar_room_new(AstarRoom *room, AstarBytes *bytes, const AstarGrid *grid,
                           size_t kind_count, int x, int y, int width, int height, int margin);
void astar_room_free(AstarRoom *room);
// Adds the data of a finder to a room. 'whole' is that data for the whole map and must be up to
// date, and 'kind' is its number. Must be called before astar_room_fill.
AstarStatus astar_room_open(AstarRoom *room, uint32_t kind, const AstarCrowdKind *whole);
// Blocks the cells of a unit that will not move while the plan is followed.
void astar_room_fill(AstarRoom *room, uint32_t cell, int size);
// Computes the legal steps in the room. Must be called after the last call of astar_room_fill.
AstarStatus astar_room_note_moves(AstarRoom *room);
// Checks, after edits, that units can still occupy all cells and make all steps that were possible
// when the room was made. Returns ASTAR_GRID_CHANGED if they cannot.
AstarStatus astar_room_update(AstarRoom *room);

// Computes the distances from all cells of the map to an aim, for the units of the finder with kind
// number 'kind'. Other units are ignored.
AstarStatus astar_room_flood(AstarRoom *room, AstarCrowdAim aim, uint32_t kind, uint64_t *work);
// Returns the distance of a cell that astar_room_flood has computed, or UINT32_MAX if no route
// leads from the cell to the aim.
uint32_t astar_room_distance(const AstarRoom *room, uint32_t cell);
// Reserves the cells that a unit would cover for a group of units. If 'group' is 0, only checks the
// cells. Returns false if any of the cells is already reserved.
bool astar_room_take(AstarRoom *room, uint32_t cell, int size, uint32_t group);
// Gives a unit of a group a place: the free cell nearest to the goal that the unit can reach. The
// distances to the goal come from astar_room_flood. If 'may_have_goal' is true, the goal itself is
// treated as free. Returns ASTAR_UNSOLVABLE if there is no free cell.
AstarStatus astar_room_find_place(AstarRoom *room, const AstarPibtUnit *unit, uint32_t group,
                                  bool may_have_goal, uint64_t *work, uint32_t *place);
// Computes the distances to a place from all cells of the room, and writes them to '*out'.
AstarStatus astar_room_build(AstarRoom *room, uint32_t place, uint32_t kind, uint64_t *work,
                             AstarDistances *out);

static inline bool astar_room_has(const AstarRoom *room, uint32_t kind, uint32_t cell)
{
    return astar_bits_has(room->grid, &room->more[kind].bits, cell);
}

// Replaces '*goal' by the cell nearest to it that the unit can reach, and '*range' by 0. If some
// cell within '*range' of the goal can be reached, '*goal' and '*range' stay unchanged.
AstarStatus astar_crowd_find_near(AstarCrowd *crowd, uint32_t unit, uint32_t *goal,
                                  uint32_t *range);

#endif
