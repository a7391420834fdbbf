// archive.h -- what is saved: a heading, numbers with the lowest byte first, names, and a hash of
// all before, the same on every machine.
//
// A format is told once for both ways: what is carried is written, and returned, while an archive
// is saved; while one is loaded it is read, whatever was given. What does not fit into the bytes of
// one that is saved is counted. Of one that is loaded zeros are read once there are too few bytes,
// or once what they say cannot be, and 'is_bad' tells.

#ifndef ASTAR_ARCHIVE_H
#define ASTAR_ARCHIVE_H

#include "astar.h"

typedef struct AstarArchive {
    uint8_t *bytes; // where it is saved
    size_t capacity, length;
    const uint8_t *at, *end; // what is left to be read
    uint32_t version;        // of its format, told by the heading
    bool is_loaded, is_bad;
} AstarArchive;

// Begins to save by a version, 1 to 9, of a format.
AstarArchive astar_archive_save(void *bytes, size_t capacity, const char *format, uint32_t version);
// Ends it with the hash. Returns how many bytes there are.
size_t astar_archive_close(AstarArchive *archive);

// Begins to load by one of the versions up to the newest. It is bad where heading or hash are.
AstarArchive astar_archive_load(const void *bytes, size_t length, const char *format,
                                uint32_t newest);
size_t astar_archive_left(const AstarArchive *archive);
// ASTAR_BAD_DATA where it is bad, or, at the end, where anything is left.
AstarStatus astar_archive_status(const AstarArchive *archive);
AstarStatus astar_archive_end(const AstarArchive *archive);

// The lowest 'count' bytes of a number.
uint64_t astar_carry(AstarArchive *archive, uint64_t value, int count);
// Bad where it lies outside of its bounds.
int32_t astar_carry_within(AstarArchive *archive, int32_t value, int32_t least, int32_t most);
// Seven bits a byte, all but the last marked.
uint32_t astar_carry_varint(AstarArchive *archive, uint32_t value);
// The same; bad where one that is loaded does not lie below a bound.
uint32_t astar_carry_below(AstarArchive *archive, uint32_t bound, uint32_t value);
double astar_carry_double(AstarArchive *archive, double value);
// Numbers of 4 bytes in place: those of an archive that is saved are only read.
void astar_carry_words(AstarArchive *archive, uint32_t *values, size_t count);
// NULL where so much is not left.
const char *astar_carry_text(AstarArchive *archive, const char *text, size_t length);

// A letter for its kind, then 8 bytes of a number, a byte for a boolean, or the length of a text,
// in 4 bytes or as a varint, and the text.
AstarName astar_carry_name(AstarArchive *archive, AstarName name, bool has_varints);
// How many labels there are, 4 bytes or a varint, and their names. 'saving' is NULL where they are
// loaded: the names then lie in the bytes.
AstarNames astar_carry_labels(AstarArchive *archive, const AstarSaving *saving, bool has_varints);

static inline uint8_t astar_carry_byte(AstarArchive *archive, unsigned value)
{
    return (uint8_t)astar_carry(archive, value, 1);
}

static inline uint32_t astar_carry_word(AstarArchive *archive, uint32_t value)
{
    return (uint32_t)astar_carry(archive, value, 4);
}

#endif
