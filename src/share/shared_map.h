// shared_map.h -- the data of a shared map: the copies of the owner's grid, and which thread reads
// which copy.

#ifndef ASTAR_SHARED_MAP_H
#define ASTAR_SHARED_MAP_H

#include "map/clone.h"

// The greatest number of copies of a map, and the number of lanes in which readers mark copies.
// Views share lanes if there are more views than lanes.
enum { ASTAR_REPLICAS = 8, ASTAR_LANES = 16 };

// For each copy, the number of readers that read it. Each lane has cache lines of its own, so that
// readers do not slow each other down.
typedef struct AstarReaderLane {
    ASTAR_ATOMIC(uint32_t) marks[ASTAR_REPLICAS];
    char apart[128 - ASTAR_REPLICAS * sizeof(uint32_t)];
} AstarReaderLane;

// Bytes that the host attaches to a version.
typedef struct AstarSharedNotes {
    uint32_t references;
    size_t length;
    unsigned char bytes[];
} AstarSharedNotes;

// A copy of the map, and the notes of its version.
typedef struct AstarSharedCopy {
    AstarGrid *replica; // NULL: no copy
    AstarSharedNotes *notes;
} AstarSharedCopy;

struct AstarShared {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    AstarMutex mutex;
    uint64_t version;               // version published last
    uint32_t bakings;               // 'bakings' of the grid at the last publish
    ASTAR_ATOMIC(uint32_t) current; // index of the current copy
    ASTAR_ATOMIC(uint32_t) lanes_drawn;
    ASTAR_ATOMIC(bool) owned; // false after the owner has stopped sharing
    // Number of publishes in a row that found more than one unused copy.
    int patience;
    AstarSharedCopy places[ASTAR_REPLICAS];
    char *name; // NULL: no name
    size_t name_length;
    AstarShared *next; // next shared map with a name
    AstarReaderLane lanes[ASTAR_LANES];
};

// Gives a shared map a copy of a name, or no name if 'name' is NULL. It can be found by the name
// after astar_shared_put_name.
AstarStatus astar_shared_copy_name(AstarShared *shared, const char *name, size_t length);

// Makes a shared map known by its name. Returns ASTAR_NAME_TAKEN if another one has it.
AstarStatus astar_shared_put_name(AstarShared *shared);

// Removes the name, so that the shared map is not found any more.
void astar_shared_free_name(AstarShared *shared);

// Brings a copy that is not read up to date with a map and with its baked data. After
// ASTAR_NO_MEMORY the copy must be freed.
AstarStatus astar_replica_catch_up(AstarGrid *replica, const AstarGrid *grid);

// Returns true if astar_grid_share was called for a grid and it is still shared. Returns false for
// a reader's view.
bool astar_grid_is_owner(const AstarGrid *grid);

#endif
