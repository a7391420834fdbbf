// bytes.h -- numbers as bytes, the lowest first, the same on every machine.
//
// A writer counts what does not fit; a reader gives zeros once there are too few bytes, or once
// what they say cannot be, and 'is_bad' tells.

#ifndef ASTAR_BYTES_H
#define ASTAR_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct AstarWriter {
    uint8_t *bytes;
    size_t capacity, length;
} AstarWriter;

static inline void astar_put_byte(AstarWriter *writer, unsigned byte)
{
    if (writer->length < writer->capacity)
        writer->bytes[writer->length] = (uint8_t)byte;
    writer->length++;
}

static inline void astar_put_integer(AstarWriter *writer, uint64_t value, int count)
{
    for (int i = 0; i < count; i++, value >>= 8)
        astar_put_byte(writer, value & 0xFF);
}

static inline void astar_put_varint(AstarWriter *writer, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        astar_put_byte(writer, (value & 0x7F) | 0x80);
    astar_put_byte(writer, value);
}

static inline void astar_put_double(AstarWriter *writer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    astar_put_integer(writer, bits, 8);
}

static inline void astar_put_text(AstarWriter *writer, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        astar_put_byte(writer, (unsigned char)text[i]);
}

typedef struct AstarReader {
    const uint8_t *at, *end;
    bool is_bad;
} AstarReader;

// The next 'count' bytes, or NULL.
static inline const uint8_t *astar_get_bytes(AstarReader *reader, size_t count)
{
    if (reader->is_bad || count > (size_t)(reader->end - reader->at)) {
        reader->is_bad = true;
        return NULL;
    }
    reader->at += count;
    return reader->at - count;
}

static inline uint64_t astar_get_integer(AstarReader *reader, int count)
{
    const uint8_t *bytes = astar_get_bytes(reader, (size_t)count);
    uint64_t value = 0;
    for (int i = count; bytes != NULL && i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static inline uint32_t astar_get_varint(AstarReader *reader)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        uint64_t byte = astar_get_integer(reader, 1);
        value |= (byte & 0x7F) << shift;
        if (byte < 0x80) {
            reader->is_bad = reader->is_bad || value > UINT32_MAX;
            return reader->is_bad ? 0 : (uint32_t)value;
        }
    }
    reader->is_bad = true;
    return 0;
}

static inline double astar_get_double(AstarReader *reader)
{
    uint64_t bits = astar_get_integer(reader, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The 64-bit FNV-1a hash.
static inline uint64_t astar_hash_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t value = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ bytes[i]) * 0x100000001B3u;
    return value;
}

#endif
