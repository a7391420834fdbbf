// baked_head.c -- what all baked data begin and end with as bytes.
//
//     "astar baked 2\n"
//     width, height, number of the corner rule, size of the unit, straight and diagonal step: 4
//         bytes each, the lowest first
//     8 bytes of a hash of the walkable bits; 8 bytes of the gain
//     what was baked: 1 for labels, 2 for a hierarchy, 3 for landmarks
//     ...
//     8 bytes of a hash of all before

#include "derived/baked_head.h"

static const char baked_heading[] = "astar baked 2\n";

enum {
    BAKED_HEADING = sizeof baked_heading - 1,
    HASH = 8,
    HEAD_BYTES = BAKED_HEADING + 6 * 4 + 16 + 4
};

const char astar_baked_is_damaged[] = "not baked data, or damaged";

static uint64_t hash_of_bits(const AstarBits *bits)
{
    uint64_t hash = bits->count;
    for (size_t i = 0; i < bits->count; i++) {
        hash = (hash ^ bits->words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

void astar_baked_head_write(AstarWriter *writer, const AstarBakedHead *head, const AstarBits *bits,
                            int32_t width, int32_t height)
{
    astar_put_text(writer, baked_heading, BAKED_HEADING);
    astar_put_integer(writer, (uint64_t)width, 4);
    astar_put_integer(writer, (uint64_t)height, 4);
    astar_put_integer(writer, (uint64_t)head->key.diagonals, 4);
    astar_put_integer(writer, (uint64_t)head->key.size, 4);
    astar_put_integer(writer, head->key.straight, 4);
    astar_put_integer(writer, head->key.diagonal, 4);
    astar_put_integer(writer, hash_of_bits(bits), 8);
    astar_put_double(writer, head->gain);
    astar_put_integer(writer, (uint64_t)head->kind, 4);
}

size_t astar_baked_end_write(AstarWriter *writer)
{
    bool fits = writer->length <= writer->capacity;
    astar_put_integer(writer, fits ? astar_hash_bytes(writer->bytes, writer->length) : 0, HASH);
    return writer->length;
}

// What the bytes are of, in the order it was written; NULL where that is what is wanted.
static const char *find_difference(AstarReader *reader, const AstarWalkable *walkable,
                                   const AstarGrid *grid, AstarBakedKey key)
{
    bool same_sides = (uint32_t)astar_get_integer(reader, 4) == (uint32_t)grid->width;
    same_sides &= (uint32_t)astar_get_integer(reader, 4) == (uint32_t)grid->height;
    bool same_rule = (uint32_t)astar_get_integer(reader, 4) == (uint32_t)key.diagonals;
    bool same_size = (uint32_t)astar_get_integer(reader, 4) == (uint32_t)key.size;
    bool same_ratio = (uint32_t)astar_get_integer(reader, 4) == key.straight;
    same_ratio &= (uint32_t)astar_get_integer(reader, 4) == key.diagonal;
    bool same_bits = astar_get_integer(reader, 8) == hash_of_bits(&walkable->bits);
    if (!same_rule)
        return "baked for another rule of diagonals";
    if (!same_size)
        return "baked for another size";
    if (!same_ratio)
        return "baked for another diagonal_cost";
    return same_sides && same_bits ? NULL : "baked for another map";
}

const char *astar_baked_head_read(AstarReader *reader, const AstarGrid *grid,
                                  const AstarWalkable *walkable, AstarBakedKey key,
                                  AstarBakedHead *head)
{
    const uint8_t *bytes = reader->at;
    size_t length = (size_t)(reader->end - reader->at);
    if (length < HEAD_BYTES + HASH || memcmp(bytes, baked_heading, BAKED_HEADING) != 0)
        return astar_baked_is_damaged;
    AstarReader hash = {reader->end - HASH, reader->end, false};
    if (astar_get_integer(&hash, HASH) != astar_hash_bytes(bytes, length - HASH))
        return astar_baked_is_damaged;
    reader->at += BAKED_HEADING;
    reader->end -= HASH;
    const char *difference = find_difference(reader, walkable, grid, key);
    head->key = key;
    head->gain = astar_get_double(reader);
    uint32_t kind = (uint32_t)astar_get_integer(reader, 4);
    head->kind = (AstarSavedKind)kind;
    bool is_sound = head->gain >= 1 && head->gain <= 1e9 && kind >= ASTAR_SAVED_LABELS &&
                    kind <= ASTAR_SAVED_LANDMARKS;
    return difference != NULL || is_sound ? difference : astar_baked_is_damaged;
}
