// bucket_queue.h -- the open list of flows and of landmarks: buckets of distances, for searches
// that open most of a map.
//
// A bucket holds the cells whose distances lie within one width, that of the shortest step (R.
// Dial, 1969; E. Dinic, 1978: no cell of a bucket that wide can bring another one of it nearer, so
// they need no order). The buckets lie in a ring, the one being emptied first; what lies farther
// off than the ring goes waits unsorted. Entries are never moved when a cell comes nearer: one is
// good while its cell's distance still falls into its bucket. Where some ground costs a thousand
// times as much as other, most buckets stay empty: bits tell the next one that is not.

#ifndef ASTAR_BUCKET_QUEUE_H
#define ASTAR_BUCKET_QUEUE_H

#include "base/bits.h"

typedef struct AstarBucket {
    uint64_t *entries;
    size_t count, capacity;
} AstarBucket;

typedef struct AstarBucketQueue {
    AstarBucket *ring;
    uint64_t *held;          // of each bucket of the ring: whether it has memory, as all must that
                             // have entries
    size_t size;             // of the ring, a power of two; 0: not made yet
    AstarBucket far;         // what lies beyond it
    AstarBucket spare;       // the memory of the last bucket emptied, which the cache still has
    size_t distinct;         // how many of those there were when all were different cells
    int64_t nearest_far;     // no more than the least bucket of those
    int64_t current;         // the bucket being emptied: all below are
    size_t position;         // in it
    size_t waiting;          // entries in the ring
    double least, per_width; // the least distance there can be; 1 / width
} AstarBucketQueue;

// An entry: a cell, and the direction of the step that led to it, 8 for none.
static inline uint64_t astar_entry(int x, int y, unsigned from)
{
    return (uint64_t)(uint32_t)x | (uint64_t)(uint32_t)y << 24 | (uint64_t)from << 48;
}

#define ASTAR_ENTRY_CELL ((UINT64_C(1) << 48) - 1) // the part that tells the cell

static inline int astar_entry_x(uint64_t entry)
{
    return (int)(entry & 0xFFFFFF);
}

static inline int astar_entry_y(uint64_t entry)
{
    return (int)(entry >> 24 & 0xFFFFFF);
}

static inline unsigned astar_entry_from(uint64_t entry)
{
    return (unsigned)(entry >> 48);
}

// The bucket of a distance. What is too many widths off to be counted shares the last one, what is
// less than the least the first.
static inline int64_t astar_bucket_of(const AstarBucketQueue *buckets, double distance)
{
    double widths = (distance - buckets->least) * buckets->per_width;
    if (widths < 0)
        return 0;
    return widths < 0x1p62 ? (int64_t)widths : INT64_C(1) << 62;
}

static inline bool astar_bucket_queue_are_empty(const AstarBucketQueue *buckets)
{
    return buckets->waiting == 0 && buckets->far.count == 0;
}

// Empty buckets of a width, for distances from 'least' on; a step reaches 'span' widths at most, or
// where it does, its cell has to wait outside.
AstarStatus astar_bucket_queue_begin(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                     double least, double width, double span);
void astar_bucket_queue_free(AstarBucketQueue *buckets, const AstarAllocator *allocator);
// Frees what the entries took up.
void astar_bucket_queue_trim(AstarBucketQueue *buckets, const AstarAllocator *allocator);
size_t astar_bucket_queue_bytes(const AstarBucketQueue *buckets);

// Makes room for 'need' entries, and for more than it had.
AstarStatus astar_bucket_grow(AstarBucket *bucket, const AstarAllocator *allocator, size_t need);

static inline AstarStatus astar_bucket_push(AstarBucket *bucket, const AstarAllocator *allocator,
                                            uint64_t entry)
{
    if (bucket->count == bucket->capacity) {
        AstarStatus status = astar_bucket_grow(bucket, allocator, 0);
        if (status != ASTAR_OK)
            return status;
    }
    bucket->entries[bucket->count++] = entry;
    return ASTAR_OK;
}

// Notes that a bucket of the ring is about to have memory, and gives it what is spare.
void astar_bucket_hold(AstarBucketQueue *buckets, size_t slot);

// Adds an entry at a distance, no nearer than the current bucket.
static inline AstarStatus astar_bucket_queue_put(AstarBucketQueue *buckets,
                                                 const AstarAllocator *allocator, uint64_t entry,
                                                 double distance)
{
    int64_t index = astar_bucket_of(buckets, distance);
    if (index - buckets->current >= (int64_t)buckets->size) {
        AstarStatus status = astar_bucket_push(&buckets->far, allocator, entry);
        if (status == ASTAR_OK && index < buckets->nearest_far)
            buckets->nearest_far = index;
        return status;
    }
    size_t slot = (size_t)index & (buckets->size - 1);
    AstarBucket *bucket = &buckets->ring[slot];
    if (bucket->capacity == 0)
        astar_bucket_hold(buckets, slot);
    AstarStatus status = astar_bucket_push(bucket, allocator, entry);
    buckets->waiting += status == ASTAR_OK;
    return status;
}

// The distance of a cell.
typedef double (*AstarDistanceOf)(const void *context, int x, int y);

// Goes on to the next bucket that holds anything, the current one being done with. Where memory
// runs out, some of what belongs to that bucket may
// wait outside still: once it has been emptied, the next call comes back to it.
AstarStatus astar_bucket_queue_advance(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                       AstarDistanceOf distance_of, const void *context);
// Goes back to the first bucket, for distances that an edit has changed. What the entries say of
// the steps that led to them no longer holds.
AstarStatus astar_bucket_queue_rewind(AstarBucketQueue *buckets, const AstarAllocator *allocator);

#endif
