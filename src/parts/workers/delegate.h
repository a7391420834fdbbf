// delegate.h -- delegates, which workers use in place of the caller's finder, and replicas, which
// they use in place of its map.

#ifndef ASTAR_DELEGATE_H
#define ASTAR_DELEGATE_H

#include "layers/landmarks.h"
#include "map/clone.h"
#include "map/grid.h"
#include "parts/workers/workers.h"

enum { ASTAR_POOL_REPLICAS = 2 }; // replicas per map

// A copy of a map, at the version when it was published. It is not edited while batches read it.
typedef struct AstarReplica {
    AstarGrid *grid;  // NULL: not created yet
    uint32_t batches; // number of batches that read it
    uint32_t bakings; // the map's count of bakings when the replica was published
} AstarReplica;

typedef struct AstarReplicas {
    struct AstarReplicas *next; // next replicas on the list of the workers
    AstarGrid *source;          // the caller's map, retained
    AstarReplica replicas[ASTAR_POOL_REPLICAS];
    int latest; // the replica published last; -1: none
    uint32_t delegates;
} AstarReplicas;

// A replica's copy of a finder's landmarks.
typedef struct AstarCarried {
    AstarLandmarks *landmarks; // retained; NULL: none
    uint32_t bakings;          // the finder's count of bakings at the copy
    uint64_t version;          // version of the replica at the copy
} AstarCarried;

typedef struct AstarDelegate {
    struct AstarDelegate *next; // next delegate on the list of the workers
    AstarFinder *finder;        // the caller's finder, retained
    AstarReplicas *replicas;    // replicas of its map
    AstarFinder **finders;      // one per seat and replica; NULL: not needed yet
    size_t finder_count;
    size_t jobs; // jobs of batches that still exist
    AstarCarried carried[ASTAR_POOL_REPLICAS];
} AstarDelegate;

// Returns the replicas of a map. If there are none yet, creates them without a copy of the map.
// Returns NULL if there is no memory.
AstarReplicas *astar_replicas_need(AstarWorkers *workers, AstarGrid *source);
// Returns true if a replica has all that is baked for its map now: labels and hierarchies.
bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica);
// Frees the replicas of maps that no delegate needs.
void astar_replicas_tidy(AstarWorkers *workers);
// Returns the delegate of a finder; creates it if there is none.
AstarStatus astar_delegate_need(AstarWorkers *workers, AstarFinder *finder, AstarDelegate **out);
// Stores the finder's landmarks for a replica, retained, or NULL if it has none. Returns false if
// the replica lacks them and they cannot be copied: the replica is not up to date, or there is no
// memory.
bool astar_delegate_carry(AstarDelegate *delegate, int replica, AstarLandmarks **out);
// Returns the finder of a seat for a replica, with these landmarks. No other seat may use it.
AstarStatus astar_delegate_finder(AstarDelegate *delegate, int replica, int seat,
                                  AstarLandmarks *landmarks, AstarFinder **out);
// Creates another finder for a replica, which belongs to the caller alone.
AstarStatus astar_delegate_new_finder(const AstarDelegate *delegate, int replica,
                                      AstarFinder **out);
// Frees the finders of a replica that nothing reads, before the replica is freed.
void astar_delegates_leave(AstarWorkers *workers, const AstarReplicas *replicas, int replica);
// Frees the delegates whose finder nothing else holds, and then the replicas that no delegate
// needs.
void astar_delegates_tidy(AstarWorkers *workers);
// Frees all delegates and replicas.
void astar_delegates_free(AstarWorkers *workers);

#endif
