// replicas.h -- the copies of a map that workers read.

#ifndef ASTAR_REPLICAS_H
#define ASTAR_REPLICAS_H

#include "map/replica.h"

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

// Those of a map, made where there are none, without a copy yet; NULL where there is no memory.
AstarReplicas *astar_replicas_need(AstarWorkers *workers, AstarGrid *source);
// Whether a replica has what is baked of the map now: labels and hierarchies.
bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica);
// Lets go of those of maps that no delegate asks about.
void astar_replicas_tidy(AstarWorkers *workers);

#endif
