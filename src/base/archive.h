// archive.h -- Archives: saved data as bytes that are the same on every machine. An archive is a
// heading, little-endian numbers, names, and a hash of everything before.
//
// One set of functions describes a format for both directions. While an archive is saved, a
// function writes the value of its argument and returns that value. While an archive is loaded, the
// function ignores the value and returns what it reads. When saving, bytes beyond the capacity are
// counted but not written. When loading, 'is_bad' is set if bytes are missing or a value is
// invalid, and zeros are returned from then on.

#ifndef ASTAR_ARCHIVE_H
#define ASTAR_ARCHIVE_H

#include "astar.h"

// An archive that is being saved or loaded.
typedef struct AstarArchive {
    uint8_t *bytes; // destination when saving
    size_t capacity, length;
    const uint8_t *at, *end; // remaining bytes when loading
    uint32_t version;        // version of the format, from the heading
    bool is_loaded, is_bad;
} AstarArchive;

// Starts saving an archive in version 'version', from 1 to 9, of the format 'format'.
AstarArchive astar_archive_save(void *bytes, size_t capacity, const char *format, uint32_t version);
// Appends the hash to an archive that is saved. Returns the number of bytes of the archive.
size_t astar_archive_close(AstarArchive *archive);

// Starts loading an archive from bytes in any version up to 'newest' of the format 'format'. The
// archive is bad if its heading or hash is wrong.
AstarArchive astar_archive_load(const void *bytes, size_t length, const char *format,
                                uint32_t newest);
// Returns how many bytes are left to read.
size_t astar_archive_left(const AstarArchive *archive);
// Returns ASTAR_BAD_DATA if the archive is bad, else ASTAR_OK.
AstarStatus astar_archive_status(const AstarArchive *archive);
// Returns ASTAR_BAD_DATA if the archive is bad or bytes are left, else ASTAR_OK.
AstarStatus astar_archive_end(const AstarArchive *archive);

// Reads or writes the lowest 'count' bytes of a number.
uint64_t astar_carry(AstarArchive *archive, uint64_t value, int count);
// Reads or writes a number of 4 bytes. The archive becomes bad if the number is less than 'least'
// or greater than 'most'.
int32_t astar_carry_within(AstarArchive *archive, int32_t value, int32_t least, int32_t most);
// Reads or writes a number with 7 bits per byte; all bytes but the last one have the highest bit
// set.
uint32_t astar_carry_varint(AstarArchive *archive, uint32_t value);
// Reads or writes a varint (see astar_carry_varint). An archive that is loaded becomes bad if the
// number is not below 'bound'.
uint32_t astar_carry_below(AstarArchive *archive, uint32_t bound, uint32_t value);
// Reads or writes a double.
double astar_carry_double(AstarArchive *archive, double value);
// Reads 'count' numbers of 4 bytes into 'values', or writes the numbers in 'values'.
void astar_carry_words(AstarArchive *archive, uint32_t *values, size_t count);
// Reads or writes a text of 'length' bytes. Returns NULL if not enough bytes are left.
const char *astar_carry_text(AstarArchive *archive, const char *text, size_t length);

// Reads or writes the sides of a map and the coordinates of its first cell, 16 bytes.
void astar_carry_sides(AstarArchive *archive, AstarSaved *saved);

// Reads or writes a name. A name is saved as a letter for its kind, followed by its value: 8 bytes
// for a number, 1 byte for a boolean, or a length and a text. The length is a varint if
// 'has_varints', else 4 bytes.
AstarName astar_carry_name(AstarArchive *archive, AstarName name, bool has_varints);
// Reads or writes labels: their number, and the name of each. The number is a varint if
// 'has_varints', else 4 bytes. 'saving' is NULL when loading; the names then point into the bytes.
AstarNames astar_carry_labels(AstarArchive *archive, const AstarSaving *saving, bool has_varints);

// Reads or writes one byte.
static inline uint8_t astar_carry_byte(AstarArchive *archive, unsigned value)
{
    return (uint8_t)astar_carry(archive, value, 1);
}

// Reads or writes a number of 4 bytes.
static inline uint32_t astar_carry_word(AstarArchive *archive, uint32_t value)
{
    return (uint32_t)astar_carry(archive, value, 4);
}

#endif
