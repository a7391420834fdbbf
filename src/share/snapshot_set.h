// snapshot_set.h -- The few snapshots of one map that are renewed in turn, so that readers read one
// of them while another one is brought up to date.

#ifndef ASTAR_SNAPSHOT_SET_H
#define ASTAR_SNAPSHOT_SET_H

#include "map/snapshot.h"

// ASTAR_SNAPSHOTS is the greatest number of snapshots of a map. ASTAR_LANES is the number of lanes
// in which readers mark snapshots. Some readers share a lane if there are more readers than lanes.
enum { ASTAR_SNAPSHOTS = 8, ASTAR_LANES = 16 };

// A lane: for each snapshot of a map, the number of readers in this lane that read the snapshot.
// Each lane has cache lines of its own, so that readers do not slow each other down.
typedef struct AstarReaderLane {
    ASTAR_ATOMIC(uint32_t) marks[ASTAR_SNAPSHOTS];
    char apart[128 - ASTAR_SNAPSHOTS * sizeof(uint32_t)];
} AstarReaderLane;

typedef struct AstarSnapshotSet {
    AstarMutex mutex; // held while 'maps' changes, and while the memory of the maps is counted
    AstarGrid *maps[ASTAR_SNAPSHOTS]; // the snapshots, retained; NULL: this entry is free
    // For each snapshot, the count of the bakings of the map when the snapshot was last renewed.
    uint32_t bakings[ASTAR_SNAPSHOTS];
    int most; // greatest number of snapshots in this set
    // Lanes in which other threads mark the snapshots that they read; NULL: readers hold them.
    const AstarReaderLane *lanes;
} AstarSnapshotSet;

// Initializes a set without snapshots.
void astar_snapshot_set_init(AstarSnapshotSet *set, int most, const AstarReaderLane *lanes);
// Releases all snapshots of a set.
void astar_snapshot_set_destroy(AstarSnapshotSet *set);
// Releases one snapshot of a set. Does nothing for a free entry.
void astar_snapshot_set_drop(AstarSnapshotSet *set, int index);
// Returns true if an entry has a snapshot that no thread reads.
bool astar_snapshot_is_unread(AstarSnapshotSet *set, int index);
// Returns the index of the newest snapshot that no thread reads. If 'oldest' is true, returns the
// index of the oldest such snapshot. The result is -1 if threads read all snapshots. The entry
// 'except' is left out; if 'except' is -1, no entry is left out.
int astar_snapshot_set_unread(AstarSnapshotSet *set, int except, bool oldest);
// Brings a snapshot that no thread reads up to date with a map and its baked data, or makes a
// further one if threads read all of them. '*index' becomes its index. Does not renew the entry
// 'except'; -1 excludes none. Returns ASTAR_BUSY and sets '*index' to -1 if threads read as many
// snapshots as the set may have. After ASTAR_NO_MEMORY the caller must drop the entry '*index',
// unless it is -1.
AstarStatus astar_snapshot_set_renew(AstarSnapshotSet *set, const AstarGrid *grid, int except,
                                     int *index);
// Returns the bytes of all snapshots of a set, and adds their number to '*count'.
size_t astar_snapshot_set_bytes(AstarSnapshotSet *set, int *count);
// Returns true if a snapshot has all data that is baked for the map now.
bool astar_snapshot_has_baked(const AstarSnapshotSet *set, int index, const AstarGrid *grid);

#endif
