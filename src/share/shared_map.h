// shared_map.h -- The data of a shared map: the snapshots of the owner's grid, and the marks of the
// snapshots that are being read.

#ifndef ASTAR_SHARED_MAP_H
#define ASTAR_SHARED_MAP_H

#include "share/snapshot_set.h"

// Bytes that the program attaches to a version of a shared map.
typedef struct AstarSharedNotes {
    uint32_t references;
    size_t length;
    unsigned char bytes[];
} AstarSharedNotes;

struct AstarShared {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    // The snapshots of the owner's grid. The mutex of the set also protects 'version'.
    AstarSnapshotSet set;
    uint64_t version;               // version published last
    ASTAR_ATOMIC(uint32_t) current; // index of the snapshot that new readers read
    ASTAR_ATOMIC(uint32_t) lanes_drawn;
    ASTAR_ATOMIC(bool) owned; // false if the owner has stopped sharing the map
    // Number of publishes in a row that found more than one unread snapshot.
    int patience;
    AstarSharedNotes *notes[ASTAR_SNAPSHOTS]; // the notes of the version that each snapshot has
    char *name;                               // name of the shared map; NULL: it has none
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

// Returns true if a grid is shared by astar_grid_share and its owner has not stopped sharing it.
// Returns false for a reader's view.
bool astar_grid_is_owner(const AstarGrid *grid);

#endif
