// shared_map.h -- The data of a shared map: the copies of the owner's grid, and the marks of the
// copies that are being read.

#ifndef ASTAR_SHARED_MAP_H
#define ASTAR_SHARED_MAP_H

#include "map/clone.h"

// ASTAR_REPLICAS is the greatest number of copies of a map. ASTAR_LANES is the number of lanes in
// which readers mark copies. Some views share a lane if there are more views than lanes.
enum { ASTAR_REPLICAS = 8, ASTAR_LANES = 16 };

// A lane: for each copy of the map, the number of readers in this lane that read the copy. Each
// lane has cache lines of its own, so that readers do not slow each other down.
typedef struct AstarReaderLane {
    ASTAR_ATOMIC(uint32_t) marks[ASTAR_REPLICAS];
    char apart[128 - ASTAR_REPLICAS * sizeof(uint32_t)];
} AstarReaderLane;

// Bytes that the program attaches to a version of a shared map.
typedef struct AstarSharedNotes {
    uint32_t references;
    size_t length;
    unsigned char bytes[];
} AstarSharedNotes;

// A copy of the map, and the notes of the version that it shows.
typedef struct AstarSharedCopy {
    AstarGrid *replica; // the copy; NULL: this entry is free
    AstarSharedNotes *notes;
} AstarSharedCopy;

struct AstarShared {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    AstarMutex mutex;
    uint64_t version;               // version published last
    uint32_t bakings;               // count of the grid's bakings when it was published last
    ASTAR_ATOMIC(uint32_t) current; // index of the copy that new readers read
    ASTAR_ATOMIC(uint32_t) lanes_drawn;
    ASTAR_ATOMIC(bool) owned; // false if the owner has stopped sharing the map
    // Number of publishes in a row that found more than one unused copy.
    int patience;
    AstarSharedCopy places[ASTAR_REPLICAS];
    char *name; // name of the shared map; NULL: it has none
    size_t name_length;
    AstarShared *next; // next shared map in the list of named maps
    AstarReaderLane lanes[ASTAR_LANES];
};

// Stores a copy of 'name' in a shared map, or no name if 'name' is NULL. Other Lua states find the
// map by this name only after astar_shared_put_name.
AstarStatus astar_shared_copy_name(AstarShared *shared, const char *name, size_t length);

// Adds a shared map to the list of named maps. Returns ASTAR_NAME_TAKEN if another map has its
// name.
AstarStatus astar_shared_put_name(AstarShared *shared);

// Removes a shared map from the list of named maps and frees its name.
void astar_shared_free_name(AstarShared *shared);

// Brings a copy of a map up to date with the map and its baked data. No thread may read the copy
// during the call. After ASTAR_NO_MEMORY the copy must be freed.
AstarStatus astar_replica_catch_up(AstarGrid *replica, const AstarGrid *grid);

// Returns true if a grid is shared by astar_grid_share and its owner has not stopped sharing it.
// Returns false for a reader's view.
bool astar_grid_is_owner(const AstarGrid *grid);

#endif
