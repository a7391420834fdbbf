// shared_map.h -- what a shared map is made of: its copies, and who reads which.

#ifndef ASTAR_SHARED_MAP_H
#define ASTAR_SHARED_MAP_H

#include "map/clone.h"

// Copies of a map at most; and marks of readers, each thread's with a lane to itself as long as
// there are enough.
enum { ASTAR_REPLICAS = 8, ASTAR_LANES = 16 };

// Marks of readers by the copy they read, in cache lines of their own.
typedef struct AstarReaderLane {
    ASTAR_ATOMIC(uint32_t) marks[ASTAR_REPLICAS];
    char apart[128 - ASTAR_REPLICAS * sizeof(uint32_t)];
} AstarReaderLane;

// The host's bytes for a version.
typedef struct AstarSharedNotes {
    uint32_t references;
    size_t length;
    unsigned char bytes[];
} AstarSharedNotes;

typedef struct AstarSharedCopy {
    AstarGrid *replica; // NULL: none
    AstarSharedNotes *notes;
} AstarSharedCopy;

struct AstarShared {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    AstarMutex mutex;
    uint64_t version;               // published last
    uint32_t bakings;               // the grid's then
    ASTAR_ATOMIC(uint32_t) current; // its place
    ASTAR_ATOMIC(uint32_t) lanes_drawn;
    ASTAR_ATOMIC(bool) owned;
    int patience; // publishes in a row that there was a copy too many
    AstarSharedCopy places[ASTAR_REPLICAS];
    char *name; // NULL: none
    size_t name_length;
    AstarShared *next; // of those with names
    AstarReaderLane lanes[ASTAR_LANES];
};

// Gives a shared map a name of its own: NULL is none. It is found by it once it is put.
AstarStatus astar_shared_copy_name(AstarShared *shared, const char *name, size_t length);

// ASTAR_NAME_TAKEN where another has it.
AstarStatus astar_shared_put_name(AstarShared *shared);

// From now on nobody finds it.
void astar_shared_free_name(AstarShared *shared);

// Brings a copy that nobody reads up to date with a map, and with what is baked of that. After
// ASTAR_NO_MEMORY it is to be let go of.
AstarStatus astar_replica_catch_up(AstarGrid *replica, const AstarGrid *grid);

// Whether a grid is one that is shared, not a view of one.
bool astar_grid_is_owner(const AstarGrid *grid);

#endif
