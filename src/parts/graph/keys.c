// keys.c -- a hash table from the keys of nodes to their numbers.
//
// The table of numbers uses linear probing and is at most three quarters full. The hash of each key
// is stored, so that a look-up hardly ever compares a wrong key. When a slot is emptied, later
// entries are moved up to fill it, so no marker of a removed key is needed. Callers see only
// numbers, in the order in which the keys were added, never the order of the table.
//
// A full table is copied a little at a time, because copying it in one call would take longer than
// a step of a search may last. The full table is kept beside a new table of twice the size, and a
// look-up searches the new table first. Each key added moves some numbers from the old table to the
// new one. Before a key is removed, all numbers are moved.

#include "parts/graph/keys.h"

#include "base/array.h"
#include "parts/graph/graph.h"

#include <string.h>

enum {
    KIND_BITS = 2,
    FEWEST_KEY_SLOTS = 16,
    SLOTS_MOVED_AT_ONCE = 8 // with 2 or more, all numbers are moved before the new table is full
};

// One key.

static uint64_t bits_of_number(double number)
{
    uint64_t bits;
    number += 0.0; // turns -0 into 0
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint32_t mix_bits(uint64_t bits)
{
    bits ^= bits >> 32;
    bits *= 0x9E3779B97F4A7C15u;
    return (uint32_t)(bits >> 32);
}

// Returns the hash of a text. The hash is computed from 8 bytes at a time, by multiplying and
// folding.
static uint32_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length * 0x9E3779B97F4A7C15u;
    while (length > 0) {
        uint64_t word = 0;
        size_t taken = length < sizeof word ? length : sizeof word;
        for (size_t i = 0; i < taken;
             i++) // assembled by value, so that the hash does not depend on the byte order
            word |= (uint64_t)(unsigned char)text[i] << 8 * i;
        hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
        text += taken;
        length -= taken;
    }
    return mix_bits(hash);
}

static uint32_t hash_key(const AstarName *key)
{
    if (key->kind == ASTAR_NAME_TEXT)
        return hash_text(key->text, key->length);
    return mix_bits(bits_of_number(key->number) + (uint64_t)key->kind);
}

static bool is_key(const AstarKeys *keys, uint32_t number, const AstarName *key, uint32_t hash)
{
    const AstarKey *kept = &keys->keys[number];
    if (kept->hash != hash || (kept->length & ((1u << KIND_BITS) - 1)) != (uint32_t)key->kind)
        return false;
    if (key->kind != ASTAR_NAME_TEXT)
        return kept->payload == bits_of_number(key->number);
    if (kept->length >> KIND_BITS != key->length)
        return false;
    return key->length == 0 || memcmp(keys->text + kept->payload, key->text, key->length) == 0;
}

AstarName astar_keys_get(const AstarKeys *keys, uint32_t number)
{
    const AstarKey *kept = &keys->keys[number];
    AstarName key = {.kind = (AstarNameKind)(kept->length & ((1u << KIND_BITS) - 1))};
    if (key.kind == ASTAR_NAME_TEXT) {
        key.length = kept->length >> KIND_BITS;
        key.text = key.length > 0 ? keys->text + kept->payload : "";
    } else {
        memcpy(&key.number, &kept->payload, sizeof key.number);
    }
    return key;
}

// The table.

static void drop_slots_before(AstarKeys *keys, const AstarAllocator *allocator)
{
    astar_release(allocator, keys->before, keys->before_count, sizeof *keys->before);
    keys->before = NULL;
    keys->before_count = keys->moved = 0;
}

void astar_keys_free(AstarKeys *keys, const AstarAllocator *allocator)
{
    drop_slots_before(keys, allocator);
    astar_release(allocator, keys->keys, keys->capacity, sizeof *keys->keys);
    astar_release(allocator, keys->slots, keys->slot_count, sizeof *keys->slots);
    astar_release(allocator, keys->text, keys->text_capacity, 1);
    *keys = (AstarKeys){0};
}

void astar_keys_clear(AstarKeys *keys)
{
    if (keys->used > 0)
        memset(keys->slots, 0, keys->slot_count * sizeof *keys->slots);
    keys->count = keys->used = 0;
    keys->moved = keys->before_count;
    keys->text_length = 0;
}

size_t astar_keys_bytes(const AstarKeys *keys)
{
    return keys->capacity * sizeof *keys->keys +
           (keys->slot_count + keys->before_count) * sizeof *keys->slots + keys->text_capacity;
}

// Stores the number of a key in the first empty slot, beginning with the slot that the hash of the
// key selects.
static void take_slot(AstarKeys *keys, uint32_t number)
{
    size_t slot = keys->keys[number].hash & (keys->slot_count - 1);
    while (keys->slots[slot] != 0)
        slot = (slot + 1) & (keys->slot_count - 1);
    keys->slots[slot] = number + 1;
}

// Moves the numbers of at most 'most' slots from the old table to the new one.
static void move_slots(AstarKeys *keys, size_t most)
{
    size_t left = keys->before_count - keys->moved, end = keys->moved + (left < most ? left : most);
    for (; keys->moved < end; keys->moved++)
        if (keys->before[keys->moved] != 0)
            take_slot(keys, keys->before[keys->moved] - 1);
}

static bool grow_slots(AstarKeys *keys, const AstarAllocator *allocator)
{
    size_t count = keys->slot_count;
    size_t wanted = count < FEWEST_KEY_SLOTS ? FEWEST_KEY_SLOTS : 2 * count;
    uint32_t *slots = astar_alloc(allocator, wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    move_slots(keys, SIZE_MAX); // usually none are left, unless memory was short
    drop_slots_before(keys, allocator);
    keys->before = keys->slots;
    keys->before_count = count;
    keys->slots = slots;
    keys->slot_count = wanted;
    return true;
}

static bool make_room_for_key(AstarKeys *keys, const AstarAllocator *allocator,
                              const AstarName *key)
{
    if (4 * ((size_t)keys->used + 1) > 3 * keys->slot_count && !grow_slots(keys, allocator))
        return false;
    move_slots(keys, SLOTS_MOVED_AT_ONCE);
    if (keys->moved == keys->before_count)
        drop_slots_before(keys, allocator);
    size_t length = key->kind == ASTAR_NAME_TEXT ? key->length : 0;
    return ASTAR_RESERVE(allocator, keys->keys, keys->count, 1, &keys->capacity, 8) &&
           ASTAR_RESERVE(allocator, keys->text, keys->text_length, length, &keys->text_capacity,
                         64);
}

static uint32_t find_in_slots(const AstarKeys *keys, const uint32_t *slots, size_t count,
                              const AstarName *key, uint32_t hash)
{
    uint32_t number;
    for (size_t slot = hash & (count - 1); (number = slots[slot]) != 0;
         slot = (slot + 1) & (count - 1))
        if (is_key(keys, number - 1, key, hash))
            return number - 1;
    return ASTAR_NO_NODE;
}

uint32_t astar_keys_find(const AstarKeys *keys, const AstarName *key)
{
    if (keys->used == 0)
        return ASTAR_NO_NODE;
    uint32_t hash = hash_key(key);
    uint32_t number = find_in_slots(keys, keys->slots, keys->slot_count, key, hash);
    if (number == ASTAR_NO_NODE && keys->moved < keys->before_count)
        number = find_in_slots(keys, keys->before, keys->before_count, key, hash);
    return number;
}

uint32_t astar_keys_add(AstarKeys *keys, const AstarAllocator *allocator, const AstarName *key)
{
    if (!make_room_for_key(keys, allocator, key))
        return ASTAR_NO_NODE;
    uint32_t number = keys->count++;
    AstarKey *kept = &keys->keys[number];
    kept->hash = hash_key(key);
    kept->length = (uint32_t)key->kind;
    if (key->kind == ASTAR_NAME_TEXT) {
        kept->payload = keys->text_length;
        kept->length |= (uint32_t)key->length << KIND_BITS;
        if (key->length > 0)
            memcpy(keys->text + keys->text_length, key->text, key->length);
        keys->text_length += key->length;
    } else {
        kept->payload = bits_of_number(key->number);
    }
    take_slot(keys, number);
    keys->used++;
    return number;
}

// Fills an empty slot: moves an entry from a later slot into it if the entry's own slot is at the
// empty slot or before, and repeats this for the slot that became empty (Knuth, volume 3, 6.4,
// algorithm R).
static void close_gap(AstarKeys *keys, size_t gap)
{
    size_t mask = keys->slot_count - 1;
    for (size_t slot = (gap + 1) & mask; keys->slots[slot] != 0; slot = (slot + 1) & mask) {
        size_t home = keys->keys[keys->slots[slot] - 1].hash & mask;
        if (((slot - home) & mask) >= ((slot - gap) & mask)) {
            keys->slots[gap] = keys->slots[slot];
            gap = slot;
        }
    }
    keys->slots[gap] = 0;
}

void astar_keys_remove(AstarKeys *keys, uint32_t number)
{
    move_slots(keys, SIZE_MAX);
    size_t slot = keys->keys[number].hash & (keys->slot_count - 1);
    while (keys->slots[slot] != number + 1)
        slot = (slot + 1) & (keys->slot_count - 1);
    close_gap(keys, slot);
    keys->used--;
}

void astar_keys_renumber(AstarKeys *keys, const uint32_t *renamed)
{
    uint32_t count = 0;
    size_t length = 0;
    for (uint32_t i = 0; i < keys->count; i++) {
        if (renamed[i] == ASTAR_NO_NODE)
            continue;
        AstarKey key = keys->keys[i];
        bool is_text = (key.length & ((1u << KIND_BITS) - 1)) == ASTAR_NAME_TEXT;
        if (is_text && key.length >> KIND_BITS > 0) {
            memmove(keys->text + length, keys->text + key.payload, key.length >> KIND_BITS);
            key.payload = length;
            length += key.length >> KIND_BITS;
        }
        keys->keys[count++] = key;
    }
    keys->count = count;
    keys->text_length = length;
    keys->moved = keys->before_count;
    memset(keys->slots, 0, keys->slot_count * sizeof *keys->slots);
    for (uint32_t i = 0; i < count; i++)
        take_slot(keys, i);
}
