// bucket_queue.h -- The open list of flows and landmarks: buckets of distances, for searches that
// expand most of a map.
//
// A bucket holds the cells whose distances lie within one interval. Its width is the length of the
// shortest step (R. Dial, 1969). With this width no cell of a bucket can lower another cell of the
// same bucket, so the cells of a bucket need no order (E. Dinic, 1978). The buckets form a ring
// that starts with the current bucket. Entries beyond the ring wait in an unsorted list. An entry
// does not move when its cell is lowered; it is valid while the cell's distance still falls into
// its bucket. If some terrain costs a thousand times as much as other terrain, most buckets are
// empty; a bitmap then finds the next bucket that is not empty.

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
    // Bit set of the buckets of the ring that have memory. Every bucket with entries has memory.
    uint64_t *held;
    size_t size;     // number of buckets in the ring, a power of two; 0: not created
    AstarBucket far; // entries beyond the ring
    // Memory of the bucket that was emptied last. This memory is reused first, because it is still
    // in the processor's cache.
    AstarBucket spare;
    size_t distinct;         // number of entries in 'far' when duplicates were removed last
    int64_t nearest_far;     // lower bound for the buckets of the entries in 'far'
    int64_t current;         // bucket being emptied; all lower ones are empty
    size_t position;         // index of the next entry in the current bucket
    size_t waiting;          // number of entries in the ring
    double least, per_width; // least possible distance, and 1 / width of a bucket
} AstarBucketQueue;

// Returns an entry: a cell and the direction of the step that led to the cell; 8 means no
// direction.
static inline uint64_t astar_entry(int x, int y, unsigned from)
{
    return (uint64_t)(uint32_t)x | (uint64_t)(uint32_t)y << 24 | (uint64_t)from << 48;
}

// Mask of the bits of an entry that hold the cell.
#define ASTAR_ENTRY_CELL ((UINT64_C(1) << 48) - 1)

// Returns the column of the cell of an entry.
static inline int astar_entry_x(uint64_t entry)
{
    return (int)(entry & 0xFFFFFF);
}

// Returns the row of the cell of an entry.
static inline int astar_entry_y(uint64_t entry)
{
    return (int)(entry >> 24 & 0xFFFFFF);
}

// Returns the direction of the step that led to the cell of an entry.
static inline unsigned astar_entry_from(uint64_t entry)
{
    return (unsigned)(entry >> 48);
}

// Returns the number of the bucket for a distance. Distances that are too large to be counted share
// the last bucket, and distances below 'least' share the first one.
static inline int64_t astar_bucket_of(const AstarBucketQueue *buckets, double distance)
{
    double widths = (distance - buckets->least) * buckets->per_width;
    if (widths < 0)
        return 0;
    return widths < 0x1p62 ? (int64_t)widths : INT64_C(1) << 62;
}

// Returns true if a queue has no entries.
static inline bool astar_bucket_queue_are_empty(const AstarBucketQueue *buckets)
{
    return buckets->waiting == 0 && buckets->far.count == 0;
}

// Empties a queue and prepares it for distances from 'least' on, in buckets of width 'width'. A
// step may add at most 'span' widths to a distance; entries of longer steps wait outside the ring.
AstarStatus astar_bucket_queue_begin(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                     double least, double width, double span);
// Frees a queue.
void astar_bucket_queue_free(AstarBucketQueue *buckets, const AstarAllocator *allocator);
// Removes all entries and frees their memory.
void astar_bucket_queue_trim(AstarBucketQueue *buckets, const AstarAllocator *allocator);
// Returns the bytes of a queue.
size_t astar_bucket_queue_bytes(const AstarBucketQueue *buckets);

// Makes room in a bucket for at least 'need' entries, and for at least one entry more than before.
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

// Marks bucket 'slot' of the ring as one that has memory, and gives it the spare memory.
void astar_bucket_hold(AstarBucketQueue *buckets, size_t slot);

// Adds an entry to a queue. 'distance' must not be below the distances of the current bucket.
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

// A callback that returns the present distance of a cell.
typedef double (*AstarDistanceOf)(const void *context, int x, int y);

// Empties the current bucket and moves on to the next bucket with entries. After ASTAR_NO_MEMORY
// some entries of the next bucket may still be outside the ring. The following call then returns to
// that bucket.
AstarStatus astar_bucket_queue_advance(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                       AstarDistanceOf distance_of, const void *context);
// Moves back to the first bucket, because an edit has changed distances. Directions in the entries
// are no longer valid afterwards.
AstarStatus astar_bucket_queue_rewind(AstarBucketQueue *buckets, const AstarAllocator *allocator);

#endif
