// places.h -- the room in which a plan is made, and the places where its units are to end. Also:
// the reachable cell nearest to a goal.
//
// A room is a rectangle of the map. Its cells are those on which units of a kind can stand, except
// the cells of units that must not move. Everything outside the rectangle and the units that stand
// in it are blocked cells for the plan.
//
// The place of a unit is its goal. If several units share a goal, or the goal lies outside the
// room, each unit gets the free cell nearest to the goal that it can reach. The unit nearest to the
// goal chooses first. It does not matter which unit of a goal ends at which place of that goal.

#ifndef ASTAR_PLACES_H
#define ASTAR_PLACES_H

#include "base/bits.h"
#include "parts/crowd/bytes.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/kind.h"
#include "parts/crowd/lacam.h"
#include "parts/crowd/pibt.h"

// What a room stores for one kind of unit, in addition to AstarCrowdKind.
typedef struct AstarRoomKind {
    bool is_open;
    AstarCrowdKind whole; // the kind on the whole map; shares the crowd's table of steps
    AstarBits bits;       // cells of the room where a unit can stand
    AstarBits free;       // the same cells before units that must not move were removed
} AstarRoomKind;

typedef struct AstarRoom {
    AstarPile pile; // memory of the room, except the builds
    const AstarGrid *grid;
    int x, y, width, height; // the rectangle
    // Kinds that know only the cells of the room, indexed as in the crowd.
    AstarCrowdKind *kinds;
    AstarRoomKind *more;
    size_t kind_count;
    bool has_opened; // cells have become walkable since the room was made
    AstarPlace *places;
    uint32_t *groups;      // for each cell: the group whose place it is; 0: nobody's
    AstarFieldBuild build; // computes distances inside the room
    AstarFieldBuild flood; // computes distances on the whole map
    // The search for a place, row by row: number of rows done, and the nearest free cell with its
    // distance.
    uint32_t looked, nearest, nearest_cell;
} AstarRoom;

// Makes a room without kinds. The cells up to 'margin' around the rectangle are prepared as well,
// because the choice of steps reads them. After a failure, the room must be freed.
AstarStatus astar_room_new(AstarRoom *room, AstarBytes *bytes, const AstarGrid *grid,
                           size_t kind_count, int x, int y, int width, int height, int margin);
void astar_room_free(AstarRoom *room);
// Adds a kind to the room. The kind must be up to date. Must be called before astar_room_fill.
AstarStatus astar_room_open(AstarRoom *room, uint32_t kind, const AstarCrowdKind *whole);
// Blocks the cells of a unit that will not move while the plan is followed.
void astar_room_fill(AstarRoom *room, uint32_t cell, int size);
// Computes the legal steps in the room. Must be called after the last astar_room_fill.
AstarStatus astar_room_note_moves(AstarRoom *room);
// Checks after edits that units can still stand and move wherever they could. Returns
// ASTAR_GRID_CHANGED if not.
AstarStatus astar_room_update(AstarRoom *room);

// Computes the distance of all cells of the map to an aim. Units are ignored.
AstarStatus astar_room_flood(AstarRoom *room, AstarCrowdAim aim, uint32_t kind, uint64_t *work);
// Returns the distance of a cell that astar_room_flood computed, or UINT32_MAX if no route leads
// from there.
uint32_t astar_room_distance(const AstarRoom *room, uint32_t cell);
// Returns false if any of the cells that a unit would cover is taken. Otherwise takes them for a
// group, unless 'group' is 0, and returns true.
bool astar_room_take(AstarRoom *room, uint32_t cell, int size, uint32_t group);
// Gives a unit of a group the free cell nearest to the flooded goal that the unit can reach. If
// 'may_have_goal' is true, the goal itself counts as free. Returns ASTAR_UNSOLVABLE if there is no
// such cell.
AstarStatus astar_room_find_place(AstarRoom *room, const AstarPibtUnit *unit, uint32_t group,
                                  bool may_have_goal, uint64_t *work, uint32_t *place);
// Computes the distances to a place within the room.
AstarStatus astar_room_build(AstarRoom *room, uint32_t place, uint32_t kind, uint64_t *work,
                             AstarDistances *out);

static inline bool astar_room_has(const AstarRoom *room, uint32_t kind, uint32_t cell)
{
    return astar_bits_has(room->grid, &room->more[kind].bits, cell);
}

// Replaces a goal by the cell nearest to it that the unit can reach. With a range, the goal is only
// replaced if no cell within the range can be reached.
AstarStatus astar_crowd_find_near(AstarCrowd *crowd, uint32_t unit, uint32_t *goal,
                                  uint32_t *range);

#endif
