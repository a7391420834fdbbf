// keys.h -- what hosts call nodes: a hash table from keys to numbers.

#ifndef ASTAR_KEYS_H
#define ASTAR_KEYS_H

#include "map/grid.h"

// A key as it is kept. A text lies in the table's own memory.
typedef struct AstarKey {
    uint64_t payload; // the bits of a number, or where a text begins
    uint32_t hash;
    uint32_t length; // of a text, and the kind in the lowest two bits
} AstarKey;

typedef struct AstarKeys {
    AstarKey *keys; // by number
    uint32_t count;
    size_t capacity;
    uint32_t *slots;   // open addressing: a number and 1, 0 where there is none
    size_t slot_count; // a power of two
    uint32_t *before;  // NULL, or the slots that numbers are moved out of
    size_t before_count, moved;
    uint32_t used; // slots: those of keys that were not taken out
    char *text;
    size_t text_length, text_capacity;
} AstarKeys;

void astar_keys_free(AstarKeys *keys, const AstarAllocator *allocator);
// Forgets all keys and keeps the memory.
void astar_keys_clear(AstarKeys *keys);
size_t astar_keys_bytes(const AstarKeys *keys);
// The number of a key, ASTAR_NO_NODE where it is not there.
uint32_t astar_keys_find(const AstarKeys *keys, const AstarName *key);
// Adds a key that is not there, as the next number; ASTAR_NO_NODE, and nothing changed, when there
// is no memory.
uint32_t astar_keys_add(AstarKeys *keys, const AstarAllocator *allocator, const AstarName *key);
// Takes a key out of the table; its number stays taken.
void astar_keys_remove(AstarKeys *keys, uint32_t number);
// What key a number has. A text stays where it is until a key is added.
AstarName astar_keys_get(const AstarKeys *keys, uint32_t number);
// Gives those numbers that 'renamed' has a new number for, each at most the old one and in the same
// order, that number; the others, ASTAR_NO_NODE there, are taken out already and forgotten.
void astar_keys_renumber(AstarKeys *keys, const uint32_t *renamed);

#endif
