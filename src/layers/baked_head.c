// baked_head.c -- The header of saved baked data. The header identifies the map, the unit and the
// rule for which the data were baked. Numbers are little-endian:
//
//     "astar baked 3\n"
//     width, height, number of the corner rule, size of the unit, costs of a straight and a
//         diagonal step: 4 bytes each. The size is the number of columns, plus 65536 times the
//         number of rows if the two numbers differ
//     8 bytes: hash of the walkable bits; 8 bytes: gain; 4 bytes: distance within which goals are
//         searched for
//     4 bytes for the kind of data: 1 for labels, 2 for a hierarchy, 3 for landmarks
//     the data
//     8 bytes: hash of everything before

#include "layers/baked_head.h"

const char astar_baked_is_damaged[] = "not baked data, or damaged";

uint64_t astar_baked_hash(const AstarBits *bits)
{
    uint64_t hash = bits->count;
    for (size_t i = 0; i < bits->count; i++) {
        hash = (hash ^ bits->words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

void astar_baked_head_carry(AstarArchive *archive, AstarBakedHead *head)
{
    head->width = astar_carry_word(archive, head->width);
    head->height = astar_carry_word(archive, head->height);
    head->diagonals = astar_carry_word(archive, head->diagonals);
    head->size = astar_carry_word(archive, head->size);
    head->straight = astar_carry_word(archive, head->straight);
    head->diagonal = astar_carry_word(archive, head->diagonal);
    head->map = astar_carry(archive, head->map, 8);
    head->gain = astar_carry_double(archive, head->gain);
    head->near = astar_carry_word(archive, head->near);
    head->kind = astar_carry_word(archive, head->kind);
}

const char *astar_baked_head_fault(const AstarBakedHead *head, const AstarBakedHead *wanted)
{
    if (head->diagonals != wanted->diagonals)
        return "baked for another rule of diagonals";
    if (head->size != wanted->size)
        return "baked for another size";
    if (head->straight != wanted->straight || head->diagonal != wanted->diagonal)
        return "baked for another diagonal_cost";
    if (head->width != wanted->width || head->height != wanted->height || head->map != wanted->map)
        return "baked for another map";
    bool is_sound = head->gain >= 1 && head->gain <= 1e9 && head->near <= ASTAR_NEAR_GOALS &&
                    head->kind >= ASTAR_SAVED_LABELS && head->kind <= ASTAR_SAVED_LANDMARKS;
    return is_sound ? NULL : astar_baked_is_damaged;
}
