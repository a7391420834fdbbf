// delegate.h -- Delegates and replicas: a delegate has the finders that workers use in place of the
// caller's finder, and a replica is the copy of a map that workers use in place of the finder's
// map.

#ifndef ASTAR_DELEGATE_H
#define ASTAR_DELEGATE_H

#include "layers/landmarks.h"
#include "map/clone.h"
#include "map/grid.h"
#include "parts/workers/workers.h"

enum { ASTAR_POOL_REPLICAS = 2 }; // maximum number of replicas per map

// A replica: a copy of a map as it was when the copy was published. A replica is not edited while
// batches read it.
typedef struct AstarReplica {
    AstarGrid *grid;  // the copy; NULL: not created yet
    uint32_t batches; // number of batches that read this replica
    uint32_t bakings; // count of the bakings of the map when this replica was published
} AstarReplica;

typedef struct AstarReplicas {
    struct AstarReplicas *next; // the next map's replicas in the list of the workers
    AstarGrid *source;          // the caller's map that is copied, retained
    AstarReplica replicas[ASTAR_POOL_REPLICAS];
    int latest; // index of the replica that was published last; -1: none
    uint32_t delegates;
} AstarReplicas;

// A copy of a finder's landmarks for one replica.
typedef struct AstarCarried {
    AstarLandmarks *landmarks; // the copy of the landmarks, retained; NULL: none
    uint32_t bakings;          // count of the bakings of the finder when the copy was made
    uint64_t version;          // version of the replica when the copy was made
} AstarCarried;

typedef struct AstarDelegate {
    struct AstarDelegate *next; // next delegate in the list of the workers
    AstarFinder *finder;        // the caller's finder, retained
    AstarReplicas *replicas;    // replicas of the map of that finder
    // Finders of the workers, one for each seat and replica; NULL: not needed yet.
    AstarFinder **finders;
    size_t finder_count;
    size_t jobs; // number of jobs of existing batches that use this delegate
    AstarCarried carried[ASTAR_POOL_REPLICAS];
} AstarDelegate;

// Returns the replicas of a map. If the map has none yet, creates an AstarReplicas without any copy
// of the map. Returns NULL if memory is short.
AstarReplicas *astar_replicas_need(AstarWorkers *workers, AstarGrid *source);
// Returns true if a replica has all data that is baked for its map now.
bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica);
// Frees the replicas of all maps whose finders have no delegate any more.
void astar_replicas_tidy(AstarWorkers *workers);
// Writes the delegate of a finder to '*out'. Creates the delegate if the finder has none.
AstarStatus astar_delegate_need(AstarWorkers *workers, AstarFinder *finder, AstarDelegate **out);
// Stores in '*out' a copy of the landmarks of a delegate's finder for a replica, and retains the
// copy. '*out' is NULL if the finder has no landmarks. Returns false if the replica lacks them and
// they cannot be copied, because the replica is not up to date or memory is short.
bool astar_delegate_carry(AstarDelegate *delegate, int replica, AstarLandmarks **out);
// Writes the finder that a seat uses on a replica to '*out', and makes it use 'landmarks'. No other
// seat may use this finder.
AstarStatus astar_delegate_finder(AstarDelegate *delegate, int replica, int seat,
                                  AstarLandmarks *landmarks, AstarFinder **out);
// Creates a further finder on a replica. The new finder belongs to the caller alone.
AstarStatus astar_delegate_new_finder(const AstarDelegate *delegate, int replica,
                                      AstarFinder **out);
// Frees the finders that workers have on a replica. Must be called before the replica is freed,
// when no thread reads it.
void astar_delegates_leave(AstarWorkers *workers, const AstarReplicas *replicas, int replica);
// Frees each delegate whose finder is retained by no other object. Frees afterwards the replicas
// that no delegate needs.
void astar_delegates_tidy(AstarWorkers *workers);
// Frees all delegates and replicas.
void astar_delegates_free(AstarWorkers *workers);

#endif
