// worker_finders.h -- The finders that workers use in place of the caller's finder, and the
// snapshots of a map that workers read in place of the caller's map.

#ifndef ASTAR_WORKER_FINDERS_H
#define ASTAR_WORKER_FINDERS_H

#include "layers/landmarks.h"
#include "map/snapshot.h"
#include "parts/workers/workers.h"
#include "share/snapshot_set.h"

enum { ASTAR_POOL_SNAPSHOTS = 2 }; // maximum number of snapshots per map

// A map of which workers read snapshots. Each batch holds the snapshot that it reads.
typedef struct AstarWorkerMap {
    struct AstarWorkerMap *next; // next map in the list of the workers
    AstarGrid *source;           // the caller's map, retained
    AstarSnapshotSet set;
    int latest;     // index of the snapshot that was renewed last; -1: none
    uint32_t users; // number of AstarWorkerFinders of finders of this map
} AstarWorkerMap;

// A copy of a finder's landmarks for one snapshot.
typedef struct AstarCarried {
    AstarLandmarks *landmarks; // the copy of the landmarks, retained; NULL: none
    uint32_t bakings;          // count of the bakings of the finder when the copy was made
    uint64_t version;          // version of the snapshot when the copy was made
} AstarCarried;

// The finders that workers use in place of one finder of the caller.
typedef struct AstarWorkerFinders {
    struct AstarWorkerFinders *next; // next one in the list of the workers
    AstarFinder *finder;             // the caller's finder, retained
    AstarWorkerMap *map;             // map of that finder
    // The finders of the workers, one for each seat and snapshot; NULL: not needed yet.
    AstarFinder **at;
    size_t count; // number of entries of 'at'
    size_t jobs;  // number of jobs of existing batches that use these finders
    AstarCarried carried[ASTAR_POOL_SNAPSHOTS];
} AstarWorkerFinders;

// Brings a snapshot of a map that no batch reads up to date, and makes it the latest one. If
// batches read all snapshots, the latest one stays. May return ASTAR_NO_MEMORY.
AstarStatus astar_worker_map_publish(AstarWorkers *workers, AstarWorkerMap *map);
// Writes the workers' finders for a caller's finder to '*out'. Creates them if there are none.
AstarStatus astar_worker_finders_need(AstarWorkers *workers, AstarFinder *finder,
                                      AstarWorkerFinders **out);
// Stores in '*out' a copy of the landmarks of the caller's finder for a snapshot, and retains the
// copy. '*out' is NULL if the finder has no landmarks. Returns false if the snapshot lacks them and
// they cannot be copied, because the snapshot is not up to date or memory is short.
bool astar_worker_finders_carry(AstarWorkerFinders *finders, int snapshot, AstarLandmarks **out);
// Writes the finder that a seat uses on a snapshot to '*out', and makes it use 'landmarks'. No
// other seat may use this finder.
AstarStatus astar_worker_finder_at(AstarWorkerFinders *finders, int snapshot, int seat,
                                   AstarLandmarks *landmarks, AstarFinder **out);
// Creates a further finder on a snapshot. The new finder belongs to the caller alone.
AstarStatus astar_worker_finder_new(const AstarWorkerFinders *finders, int snapshot,
                                    AstarFinder **out);
// Frees the workers' finders for each caller's finder that is retained by no other object. Frees
// afterwards the snapshots of the maps that have no such finders.
void astar_worker_finders_tidy(AstarWorkers *workers);
// Frees all workers' finders and all snapshots.
void astar_worker_finders_free(AstarWorkers *workers);

#endif
