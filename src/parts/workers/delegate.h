// delegate.h -- what workers ask by in place of a finder of the host's.

#ifndef ASTAR_DELEGATE_H
#define ASTAR_DELEGATE_H

#include "layers/landmarks.h"
#include "map/clone.h"
#include "map/grid.h"
#include "parts/workers/workers.h"

enum { ASTAR_POOL_REPLICAS = 2 }; // of a map

// A copy of a map, of its version when it was published. Nobody edits it while batches read it.
typedef struct AstarReplica {
    AstarGrid *grid;  // NULL: not made yet
    uint32_t batches; // that read it
    uint32_t bakings; // of the map, when it was published
} AstarReplica;

typedef struct AstarReplicas {
    struct AstarReplicas *next; // of the workers
    AstarGrid *source;          // the host's map, retained
    AstarReplica replicas[ASTAR_POOL_REPLICAS];
    int latest; // the one published last; -1: none was
    uint32_t delegates;
} AstarReplicas;

// What a replica has of a finder's landmarks.
typedef struct AstarCarried {
    AstarLandmarks *landmarks; // retained; NULL: none
    uint32_t bakings;          // of the finder, then
    uint64_t version;          // of the replica, then
} AstarCarried;

typedef struct AstarDelegate {
    struct AstarDelegate *next; // of the workers
    AstarFinder *finder;        // the host's, retained
    AstarReplicas *replicas;    // of its map
    AstarFinder **finders;      // one a seat and replica; NULL: not asked yet
    size_t finder_count;
    size_t jobs; // of batches that are still there
    AstarCarried carried[ASTAR_POOL_REPLICAS];
} AstarDelegate;

// Those of a map, made where there are none, without a copy yet; NULL where there is no memory.
AstarReplicas *astar_replicas_need(AstarWorkers *workers, AstarGrid *source);
// Whether a replica has what is baked of the map now: labels and hierarchies.
bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica);
// Lets go of those of maps that no delegate asks about.
void astar_replicas_tidy(AstarWorkers *workers);
// That of a finder, made where there is none.
AstarStatus astar_delegate_need(AstarWorkers *workers, AstarFinder *finder, AstarDelegate **out);
// The landmarks of the finder as a replica has them, retained; NULL where there are none. False
// where they are not there and cannot be brought: the replica is not of the map as it is, or no
// memory.
bool astar_delegate_carry(AstarDelegate *delegate, int replica, AstarLandmarks **out);
// The finder that a seat asks by, on a replica, with these landmarks; no other seat may ask by it.
AstarStatus astar_delegate_finder(AstarDelegate *delegate, int replica, int seat,
                                  AstarLandmarks *landmarks, AstarFinder **out);
// Another, which is its asker's alone.
AstarStatus astar_delegate_new_finder(const AstarDelegate *delegate, int replica,
                                      AstarFinder **out);
// Gives back finders on a replica, which nobody reads, before that is let go of.
void astar_delegates_leave(AstarWorkers *workers, const AstarReplicas *replicas, int replica);
// Lets go of those whose finder nobody else holds, and of maps that are asked about by none then.
void astar_delegates_tidy(AstarWorkers *workers);
// Lets go of all.
void astar_delegates_free(AstarWorkers *workers);

#endif
