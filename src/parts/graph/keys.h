// keys.h -- a hash table from the keys of nodes, or of states, to their numbers.

#ifndef ASTAR_KEYS_H
#define ASTAR_KEYS_H

#include "map/grid.h"

// A stored key. A text is stored in the memory of the table.
typedef struct AstarKey {
    uint64_t payload; // the bits of a number, or the offset of a text
    uint32_t hash;
    uint32_t length; // length of a text, and the kind of key in the lowest two bits
} AstarKey;

typedef struct AstarKeys {
    AstarKey *keys; // by number
    uint32_t count;
    size_t capacity;
    uint32_t *slots;   // open addressing: 1 + a number; 0: empty
    size_t slot_count; // number of slots, a power of two
    uint32_t *before;  // the old table while numbers are moved out of it, or NULL
    size_t before_count, moved;
    uint32_t used; // keys in the table, without removed ones
    char *text;
    size_t text_length, text_capacity;
} AstarKeys;

void astar_keys_free(AstarKeys *keys, const AstarAllocator *allocator);
// Removes all keys and keeps the memory.
void astar_keys_clear(AstarKeys *keys);
size_t astar_keys_bytes(const AstarKeys *keys);
// Returns the number of a key, or ASTAR_NO_NODE if the key is not in the table.
uint32_t astar_keys_find(const AstarKeys *keys, const AstarName *key);
// Adds a key that is not in the table and gives it the next number. Returns ASTAR_NO_NODE, and
// changes nothing, if there is no memory.
uint32_t astar_keys_add(AstarKeys *keys, const AstarAllocator *allocator, const AstarName *key);
// Removes a key from the table. The number of the key is not used again.
void astar_keys_remove(AstarKeys *keys, uint32_t number);
// Returns the key whose number is 'number'. A text in the key is valid until another key is added.
AstarName astar_keys_get(const AstarKeys *keys, uint32_t number);
// Renumbers the keys. 'renamed' holds the new number for each old number, or ASTAR_NO_NODE for a
// key that was removed. New numbers are in the same order as the old ones and never greater.
void astar_keys_renumber(AstarKeys *keys, const uint32_t *renamed);

#endif
