// bytes.h -- whole numbers written to and read from bytes, the lowest first, on every machine.

#ifndef ASTAR_BYTES_H
#define ASTAR_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What does not fit is counted only.
typedef struct AstarByteWriter {
    uint8_t *bytes;
    size_t capacity, length;
} AstarByteWriter;

typedef struct AstarByteReader {
    const uint8_t *at, *end;
    bool has_failed; // what was read lies beyond the end, and was taken for 0
} AstarByteReader;

static inline void astar_write(AstarByteWriter *writer, uint64_t value, size_t count)
{
    for (size_t i = 0; i < count; i++, value >>= 8, writer->length++)
        if (writer->length < writer->capacity)
            writer->bytes[writer->length] = (uint8_t)value;
}

static inline uint64_t astar_read(AstarByteReader *reader, size_t count)
{
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < count) {
        reader->has_failed = true;
        reader->at = reader->end;
        return 0;
    }
    for (size_t i = count; i-- > 0;)
        value = value << 8 | reader->at[i];
    reader->at += count;
    return value;
}

static inline uint32_t astar_read_32(AstarByteReader *reader)
{
    return (uint32_t)astar_read(reader, 4);
}

// 64 bits that tell what was cut or altered from what was not, eight bytes at a time.
static inline uint64_t astar_hash_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325) ^ length;
    AstarByteReader reader = {bytes, bytes + length, false};
    while (reader.at < reader.end) {
        size_t left = (size_t)(reader.end - reader.at);
        hash = (hash ^ astar_read(&reader, left < 8 ? left : 8)) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

#endif
