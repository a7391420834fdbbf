// bucket_queue.h -- The open list of flows and landmarks: buckets of distances, for searches that
// expand most of a map.
//
// A bucket holds the cells whose distances lie within one interval. Its width is the length of the
// shortest step (R. Dial, 1969). No cell of such a bucket can lower another cell of the same
// bucket, so a bucket needs no order (E. Dinic, 1978). The buckets form a ring that starts with the
// current bucket. Entries beyond the ring wait in an unsorted list. An entry does not move when its
// cell is lowered; it is valid while the cell's distance still falls into its bucket. If some
// terrain costs a thousand times as much as other terrain, most buckets are empty; a bitmap then
// finds the next one that is not.

#ifndef ASTAR_BUCKET_QUEUE_H
#define ASTAR_BUCKET_QUEUE_H

#include "base/bits.h"

// The entries of one bucket.
typedef struct AstarBucket {
    uint64_t *entries;
    size_t count, capacity;
} AstarBucket;

// An open list of buckets (Dial, 1969).
typedef struct AstarBucketQueue {
    AstarBucket *ring;
    uint64_t *held;          // one bit per bucket of the ring: set if it has memory, as all buckets
                             // with entries have
    size_t size;             // number of buckets in the ring, a power of two; 0: not created
    AstarBucket far;         // entries beyond the ring
    AstarBucket spare;       // memory of the bucket that was emptied last, which is still in the
                             // cache
    size_t distinct;         // number of entries in 'far' when duplicates were removed last
    int64_t nearest_far;     // lower bound for the buckets of these entries
    int64_t current;         // bucket being emptied; all lower ones are empty
    size_t position;         // next entry in it
    size_t waiting;          // number of entries in the ring
    double least, per_width; // least possible distance, and 1 / width of a bucket
} AstarBucketQueue;

// Returns an entry: a cell and the direction of the step that led to it, 8 for none.
static inline uint64_t astar_entry(int x, int y, unsigned from)
{
    return (uint64_t)(uint32_t)x | (uint64_t)(uint32_t)y << 24 | (uint64_t)from << 48;
}

#define ASTAR_ENTRY_CELL ((UINT64_C(1) << 48) - 1) // mask of the cell in an entry

// Returns the x of an entry.
static inline int astar_entry_x(uint64_t entry)
{
    return (int)(entry & 0xFFFFFF);
}

// Returns the y of an entry.
static inline int astar_entry_y(uint64_t entry)
{
    return (int)(entry >> 24 & 0xFFFFFF);
}

// Returns the direction of an entry.
static inline unsigned astar_entry_from(uint64_t entry)
{
    return (unsigned)(entry >> 48);
}

// Returns the bucket of a distance. Distances too large to be counted share the last bucket, and
// distances below 'least' share the first one.
static inline int64_t astar_bucket_of(const AstarBucketQueue *buckets, double distance)
{
    double widths = (distance - buckets->least) * buckets->per_width;
    if (widths < 0)
        return 0;
    return widths < 0x1p62 ? (int64_t)widths : INT64_C(1) << 62;
}

// Returns true if there are no entries.
static inline bool astar_bucket_queue_are_empty(const AstarBucketQueue *buckets)
{
    return buckets->waiting == 0 && buckets->far.count == 0;
}

// Prepares an empty queue with buckets of a width, for distances from 'least' on. A step adds at
// most 'span' widths; entries of longer steps wait outside the ring.
AstarStatus astar_bucket_queue_begin(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                     double least, double width, double span);
// Frees a queue.
void astar_bucket_queue_free(AstarBucketQueue *buckets, const AstarAllocator *allocator);
// Removes all entries and frees their memory.
void astar_bucket_queue_trim(AstarBucketQueue *buckets, const AstarAllocator *allocator);
// Returns the bytes of a queue.
size_t astar_bucket_queue_bytes(const AstarBucketQueue *buckets);

// Makes room for at least 'need' entries, and for more than before.
AstarStatus astar_bucket_grow(AstarBucket *bucket, const AstarAllocator *allocator, size_t need);

// Adds an entry to a bucket.
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

// Prepares a bucket of the ring to get memory, and gives it the spare memory.
void astar_bucket_hold(AstarBucketQueue *buckets, size_t slot);

// Adds an entry at a distance that is not below the current bucket.
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

// Returns the distance of a cell.
typedef double (*AstarDistanceOf)(const void *context, int x, int y);

// Moves on to the next bucket with entries; the current one is done. If memory runs out, some
// entries of the next bucket may still be outside the ring; after the bucket was emptied, the next
// call returns to it.
AstarStatus astar_bucket_queue_advance(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                       AstarDistanceOf distance_of, const void *context);
// Moves back to the first bucket, because an edit has changed distances. The directions in the
// entries are no longer valid.
AstarStatus astar_bucket_queue_rewind(AstarBucketQueue *buckets, const AstarAllocator *allocator);

#endif
