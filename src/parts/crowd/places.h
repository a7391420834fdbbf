// places.h -- the room in which units are to be brought somewhere, and where each of them is to go.
//
// The room is a window of the map: the cells in it where units of a kind can stand, but for those
// where somebody stands who is not to move. Its edge, and who stands, are to units in it as ground
// that cannot be entered.
//
// The place of a unit is its goal. Units of one goal, and units whose goal is not in the room, get
// the nearest cells to it that they can reach, one each, who is nearest first. Which unit of one
// goal ends at which of their places is all the same.

#ifndef ASTAR_PLACES_H
#define ASTAR_PLACES_H

#include "base/bits.h"
#include "parts/crowd/bytes.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/kind.h"
#include "parts/crowd/lacam.h"
#include "parts/crowd/pibt.h"

// What units of a finder see of the room, beside the kind by which they move in it.
typedef struct AstarRoomKind {
    bool is_open;
    AstarCrowdKind whole; // the kind on the whole map; its table is the crowd's
    AstarBits bits;       // the cells of the room,
    AstarBits free;       // and those where a unit could stand if nobody else did
} AstarRoomKind;

typedef struct AstarRoom {
    AstarPile pile; // all that is its own, but for what follows by itself
    const AstarGrid *grid;
    int x, y, width, height; // the window
    AstarCrowdKind *kinds;   // of the crowd's numbers, with the cells of the room
    AstarRoomKind *more;
    size_t kind_count;
    bool has_opened; // there are more cells by now than when it was made
    AstarPlace *places;
    uint32_t *groups;                       // of each cell: whose place it is, 0: nobody's
    AstarFieldBuild build;                  // in the room,
    AstarFieldBuild flood;                  // and on the whole map
    uint32_t looked, nearest, nearest_cell; // for a place, row by row: how far is the nearest yet
} AstarRoom;

// A room without kinds, with nobody as far around it as PIBT looks. On failure it may be freed.
AstarStatus astar_room_new(AstarRoom *room, AstarBytes *bytes, const AstarGrid *grid,
                           size_t kind_count, int x, int y, int width, int height, int margin);
void astar_room_free(AstarRoom *room);
// Opens the room to a kind, which is current; before anybody is put there to stand.
AstarStatus astar_room_open(AstarRoom *room, uint32_t kind, const AstarCrowdKind *whole);
// Has somebody stand there for good.
void astar_room_fill(AstarRoom *room, uint32_t cell, int size);
// Works out the legal steps in the room, once all stand there.
AstarStatus astar_room_note_moves(AstarRoom *room);
// Whether units can still stand and go wherever they could; ASTAR_GRID_CHANGED where not.
AstarStatus astar_room_update(AstarRoom *room);

// Works out how far cells are from what units aim at, with everything else out of the way.
AstarStatus astar_room_flood(AstarRoom *room, AstarCrowdAim aim, uint32_t kind, uint64_t *work);
// That of a cell; UINT32_MAX: no way leads there.
uint32_t astar_room_distance(const AstarRoom *room, uint32_t cell);
// Whether nobody has any cell that a unit would cover there; then a group, if not 0, has them.
bool astar_room_take(AstarRoom *room, uint32_t cell, int size, uint32_t group);
// Gives a unit of a group the nearest cell by those that nobody has, or the goal itself where it
// may have that; it must be able to reach it. ASTAR_UNSOLVABLE: there is none.
AstarStatus astar_room_find_place(AstarRoom *room, const AstarPibtUnit *unit, uint32_t group,
                                  bool may_have_goal, uint64_t *work, uint32_t *place);
// Works out the field of a place.
AstarStatus astar_room_build(AstarRoom *room, uint32_t place, uint32_t kind, uint64_t *work,
                             AstarDistances *out);

static inline bool astar_room_has(const AstarRoom *room, uint32_t kind, uint32_t cell)
{
    return astar_bits_has(room->grid, &room->more[kind].bits, cell);
}

// Puts in place of a goal the nearest cell to it that a way leads to from where a unit is; with a
// range, where that is not within it.
AstarStatus astar_crowd_find_near(AstarCrowd *crowd, uint32_t unit, uint32_t *goal,
                                  uint32_t *range);

#endif
