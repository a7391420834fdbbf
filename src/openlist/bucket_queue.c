// bucket_queue.c -- The open list of flows and landmarks: buckets of distances.

#include "openlist/bucket_queue.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_RING = 4, LARGEST_RING = 1 << 14, FROM_NOWHERE = 8 };

static void free_bucket(AstarBucket *bucket, const AstarAllocator *allocator)
{
    astar_release(allocator, bucket->entries, bucket->capacity, sizeof *bucket->entries);
    *bucket = (AstarBucket){NULL, 0, 0};
}

static size_t words_of_ring(size_t size)
{
    return (size + 63) / 64;
}

void astar_bucket_queue_trim(AstarBucketQueue *buckets, const AstarAllocator *allocator)
{
    for (size_t word = 0; word < words_of_ring(buckets->size); word++)
        for (; buckets->held[word] != 0; buckets->held[word] &= buckets->held[word] - 1)
            free_bucket(&buckets->ring[word * 64 + (size_t)astar_lowest_bit(buckets->held[word])],
                        allocator);
    free_bucket(&buckets->far, allocator);
    free_bucket(&buckets->spare, allocator);
    buckets->waiting = buckets->position = 0;
}

void astar_bucket_queue_free(AstarBucketQueue *buckets, const AstarAllocator *allocator)
{
    astar_bucket_queue_trim(buckets, allocator);
    astar_release(allocator, buckets->ring, buckets->size, sizeof *buckets->ring);
    astar_release(allocator, buckets->held, words_of_ring(buckets->size), sizeof *buckets->held);
    buckets->ring = NULL;
    buckets->held = NULL;
    buckets->size = 0;
}

// Replaces the ring by an empty one of another size.
static AstarStatus renew_ring(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                              size_t size)
{
    AstarBucket *ring = astar_alloc(allocator, size, sizeof *ring);
    uint64_t *held = astar_alloc(allocator, words_of_ring(size), sizeof *held);
    if (ring == NULL || held == NULL) {
        astar_release(allocator, ring, size, sizeof *ring);
        astar_release(allocator, held, words_of_ring(size), sizeof *held);
        return ASTAR_NO_MEMORY;
    }
    astar_bucket_queue_free(buckets, allocator);
    buckets->ring = ring;
    buckets->held = held;
    buckets->size = size;
    return ASTAR_OK;
}

AstarStatus astar_bucket_queue_begin(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                     double least, double width, double span)
{
    size_t size = LEAST_RING;
    while (size < LARGEST_RING && (double)size < span + 2)
        size *= 2;
    AstarStatus status = size != buckets->size ? renew_ring(buckets, allocator, size) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    astar_bucket_queue_trim(buckets, allocator);
    *buckets = (AstarBucketQueue){.ring = buckets->ring,
                                  .held = buckets->held,
                                  .size = size,
                                  .nearest_far = INT64_MAX,
                                  .least = least,
                                  .per_width = 1 / width};
    return ASTAR_OK;
}

size_t astar_bucket_queue_bytes(const AstarBucketQueue *buckets)
{
    size_t entries = buckets->far.capacity + buckets->spare.capacity;
    for (size_t i = 0; i < buckets->size; i++)
        entries += buckets->ring[i].capacity;
    return entries * sizeof(uint64_t) + buckets->size * sizeof *buckets->ring +
           words_of_ring(buckets->size) * sizeof *buckets->held;
}

AstarStatus astar_bucket_grow(AstarBucket *bucket, const AstarAllocator *allocator, size_t need)
{
    bool has_room = astar_array_extend(allocator, &bucket->entries, bucket->count,
                                       sizeof *bucket->entries, &bucket->capacity, need, 32);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

void astar_bucket_hold(AstarBucketQueue *buckets, size_t slot)
{
    buckets->ring[slot] = buckets->spare;
    buckets->spare = (AstarBucket){NULL, 0, 0};
    buckets->held[slot >> 6] |= (uint64_t)1 << (slot & 63);
}

// Returns the lowest bucket of the entries beyond the ring. Drops those entries whose cells have
// been expanded already.
static int64_t look_far(AstarBucketQueue *buckets, AstarDistanceOf distance_of, const void *context)
{
    AstarBucket *far = &buckets->far;
    int64_t nearest = INT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < far->count; i++) {
        uint64_t entry = far->entries[i];
        double distance = distance_of(context, astar_entry_x(entry), astar_entry_y(entry));
        int64_t index = isinf(distance) ? -1 : astar_bucket_of(buckets, distance);
        if (index < buckets->current)
            continue;
        far->entries[kept++] = entry;
        nearest = index < nearest ? index : nearest;
    }
    far->count = kept;
    return nearest;
}

// Moves entries from the unsorted list into the ring, if their buckets now lie in the ring.
static AstarStatus bring_near(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                              AstarDistanceOf distance_of, const void *context)
{
    AstarBucket *far = &buckets->far;
    int64_t nearest = INT64_MAX;
    size_t kept = 0;
    AstarStatus status = ASTAR_OK;
    for (size_t i = 0; i < far->count; i++) {
        uint64_t entry = far->entries[i];
        double distance = distance_of(context, astar_entry_x(entry), astar_entry_y(entry));
        int64_t index = astar_bucket_of(buckets, distance);
        if (status == ASTAR_OK && index - buckets->current < (int64_t)buckets->size) {
            size_t slot = (size_t)index & (buckets->size - 1);
            if (buckets->ring[slot].capacity == 0)
                astar_bucket_hold(buckets, slot);
            status = astar_bucket_push(&buckets->ring[slot], allocator, entry);
            if (status == ASTAR_OK) {
                buckets->waiting++;
                continue;
            }
        }
        far->entries[kept++] = entry;
        nearest = index < nearest ? index : nearest;
    }
    far->count = kept;
    buckets->nearest_far = nearest;
    return status;
}

// Returns the next bucket of the ring that has entries. The ring must have such a bucket, and the
// current bucket must be empty.
static int64_t next_waiting(const AstarBucketQueue *buckets)
{
    for (int64_t at = buckets->current + 1;;) {
        size_t slot = (size_t)at & (buckets->size - 1);
        size_t in_word = 64 - (slot & 63), in_ring = buckets->size - slot;
        uint64_t held = buckets->held[slot >> 6] >> (slot & 63);
        if (held == 0) {
            at += (int64_t)(in_word < in_ring ? in_word : in_ring);
            continue;
        }
        at += astar_lowest_bit(held);
        if (buckets->ring[(size_t)at & (buckets->size - 1)].count > 0)
            return at;
        at++;
    }
}

AstarStatus astar_bucket_queue_advance(AstarBucketQueue *buckets, const AstarAllocator *allocator,
                                       AstarDistanceOf distance_of, const void *context)
{
    size_t slot = (size_t)buckets->current & (buckets->size - 1);
    AstarBucket *done = &buckets->ring[slot];
    buckets->held[slot >> 6] &= ~((uint64_t)1 << (slot & 63));
    buckets->waiting -= done->count;
    done->count = buckets->position = 0;
    if (buckets->spare.capacity == 0) {
        buckets->spare = *done;
        *done = (AstarBucket){NULL, 0, 0};
    } else {
        free_bucket(done, allocator);
    }
    int64_t next = buckets->waiting > 0 ? next_waiting(buckets) : INT64_MAX;
    if (buckets->far.count > 0 && buckets->nearest_far <= next) {
        buckets->nearest_far = look_far(buckets, distance_of, context);
        next = buckets->nearest_far < next ? buckets->nearest_far : next;
        if (next < INT64_MAX)
            buckets->current = next;
        return bring_near(buckets, allocator, distance_of, context);
    }
    if (next < INT64_MAX)
        buckets->current = next;
    return ASTAR_OK;
}

static int compare_entries(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

// Removes duplicate entries beyond the ring. A cell that was lowered twice has two entries there,
// and an edit may add a third one. Entries for distant cells are examined again and again, so
// duplicates are removed whenever the list has grown by 25 %.
static void drop_doubles(AstarBucketQueue *buckets)
{
    AstarBucket *far = &buckets->far;
    if (far->count < buckets->distinct + buckets->distinct / 4 + 64)
        return;
    qsort(far->entries, far->count, sizeof *far->entries, compare_entries);
    size_t kept = 1;
    for (size_t i = 1; i < far->count; i++)
        if (far->entries[i] != far->entries[kept - 1])
            far->entries[kept++] = far->entries[i];
    far->count = buckets->distinct = kept;
}

AstarStatus astar_bucket_queue_rewind(AstarBucketQueue *buckets, const AstarAllocator *allocator)
{
    AstarBucket *far = &buckets->far;
    if (far->count + buckets->waiting > far->capacity) {
        AstarStatus status = astar_bucket_grow(far, allocator, far->count + buckets->waiting);
        if (status != ASTAR_OK)
            return status;
    }
    for (size_t i = 0; i < buckets->size; i++) {
        AstarBucket *bucket = &buckets->ring[i];
        for (size_t j = 0; j < bucket->count; j++)
            far->entries[far->count++] = bucket->entries[j];
        bucket->count = 0;
    }
    for (size_t i = 0; i < far->count; i++)
        far->entries[i] = astar_entry(astar_entry_x(far->entries[i]),
                                      astar_entry_y(far->entries[i]), FROM_NOWHERE);
    drop_doubles(buckets);
    buckets->waiting = buckets->position = 0;
    buckets->current = 0;
    buckets->nearest_far = far->count > 0 ? 0 : INT64_MAX;
    return ASTAR_OK;
}
