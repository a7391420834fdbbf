// archive.c -- Archives: saved data as bytes that are the same on every machine.

#include "base/archive.h"

#include <assert.h>
#include <string.h>

enum { HASH_BYTES = 8, VARINT_BITS = 7, VARINT_MARK = 1 << VARINT_BITS };

// The following functions read and write numbers and texts.

// Returns the next 'count' bytes of an archive that is being loaded, and moves past them. Returns
// NULL if fewer bytes are left.
static const uint8_t *take_bytes(AstarArchive *archive, size_t count)
{
    if (archive->is_bad || count > astar_archive_left(archive)) {
        archive->is_bad = true;
        return NULL;
    }
    archive->at += count;
    return archive->at - count;
}

static void put_byte(AstarArchive *archive, uint64_t byte)
{
    if (archive->length < archive->capacity)
        archive->bytes[archive->length] = (uint8_t)byte;
    archive->length++;
}

uint64_t astar_carry(AstarArchive *archive, uint64_t value, int count)
{
    if (!archive->is_loaded) {
        for (int i = 0; i < count; i++)
            put_byte(archive, value >> 8 * i);
        return value;
    }
    const uint8_t *bytes = take_bytes(archive, (size_t)count);
    value = 0;
    for (int i = count; bytes != NULL && i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

int32_t astar_carry_within(AstarArchive *archive, int32_t value, int32_t least, int32_t most)
{
    int32_t carried = (int32_t)astar_carry_word(archive, (uint32_t)value);
    archive->is_bad |= carried < least || carried > most;
    return carried;
}

uint32_t astar_carry_varint(AstarArchive *archive, uint32_t value)
{
    uint64_t carried = 0, byte = VARINT_MARK;
    for (int shift = 0; byte >= VARINT_MARK && shift < 35; shift += VARINT_BITS) {
        uint32_t mark = value >= VARINT_MARK ? VARINT_MARK : 0;
        byte = astar_carry(archive, value % VARINT_MARK + mark, 1);
        carried |= byte % VARINT_MARK << shift;
        value >>= VARINT_BITS;
    }
    archive->is_bad |= byte >= VARINT_MARK || carried > UINT32_MAX;
    return archive->is_bad ? 0 : (uint32_t)carried;
}

uint32_t astar_carry_below(AstarArchive *archive, uint32_t bound, uint32_t value)
{
    value = astar_carry_varint(archive, value);
    archive->is_bad |= archive->is_loaded && value >= bound;
    return archive->is_bad ? 0 : value;
}

double astar_carry_double(AstarArchive *archive, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = astar_carry(archive, bits, sizeof bits);
    memcpy(&value, &bits, sizeof bits);
    return value;
}

void astar_carry_words(AstarArchive *archive, uint32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t value = astar_carry_word(archive, values[i]);
        if (archive->is_loaded)
            values[i] = value;
    }
}

const char *astar_carry_text(AstarArchive *archive, const char *text, size_t length)
{
    if (archive->is_loaded)
        return (const char *)take_bytes(archive, length);
    for (size_t i = 0; i < length; i++)
        put_byte(archive, (uint8_t)text[i]);
    return text;
}

void astar_carry_sides(AstarArchive *archive, AstarSaved *saved)
{
    saved->width = astar_carry_within(archive, saved->width, 1, ASTAR_MAX_SIDE);
    saved->height = astar_carry_within(archive, saved->height, 1, ASTAR_MAX_SIDE);
    saved->x0 = astar_carry_within(archive, saved->x0, -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN);
    saved->y0 = astar_carry_within(archive, saved->y0, -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN);
}

// The following functions read and write names.

AstarName astar_carry_name(AstarArchive *archive, AstarName name, bool has_varints)
{
    static const char letters[] = {[ASTAR_NAME_NUMBER] = 'n',
                                   [ASTAR_NAME_BOOLEAN] = 'b',
                                   [ASTAR_NAME_TEXT] = 's',
                                   [ASTAR_NAME_OTHER] = 'n'};
    assert(name.length <= UINT32_MAX);
    uint32_t length = (uint32_t)name.length;
    switch (astar_carry_byte(archive, (unsigned char)letters[name.kind])) {
    case 'n': name.number = astar_carry_double(archive, name.number); break;
    case 'b':
        name.kind = ASTAR_NAME_BOOLEAN;
        name.number = astar_carry_byte(archive, name.number != 0);
        archive->is_bad |= name.number > 1;
        break;
    case 's':
        name.kind = ASTAR_NAME_TEXT;
        name.length = has_varints ? astar_carry_varint(archive, length)
                                  : astar_carry_word(archive, length);
        name.text = astar_carry_text(archive, name.text, name.length);
        break;
    default: archive->is_bad = true;
    }
    return name;
}

AstarNames astar_carry_labels(AstarArchive *archive, const AstarSaving *saving, bool has_varints)
{
    uint32_t count = saving != NULL && saving->label != NULL ? saving->label_count : 0;
    count = has_varints ? astar_carry_varint(archive, count) : astar_carry_word(archive, count);
    AstarNames names = {archive->at, archive->end, count, 0, has_varints};
    for (uint32_t i = 1; i <= count && !archive->is_bad; i++) {
        AstarName label = {0};
        if (saving != NULL)
            label = saving->label(saving->context, i);
        astar_carry_name(archive, label, has_varints);
    }
    return names;
}

size_t astar_names_save(AstarNaming naming, void *context, uint32_t count, void *bytes,
                        size_t capacity)
{
    AstarArchive archive = {.bytes = bytes, .capacity = capacity};
    for (uint32_t i = 1; i <= count; i++)
        astar_carry_name(&archive, naming(context, i), false);
    return archive.length;
}

AstarNames astar_names_load(const void *bytes, size_t length, uint32_t count)
{
    return (AstarNames){bytes, (const uint8_t *)bytes + length, count, 0, false};
}

bool astar_names_next(AstarNames *names, AstarName *name)
{
    if (names->count == 0)
        return false;
    AstarArchive archive = {.at = names->at, .end = names->end, .is_loaded = true};
    *name = astar_carry_name(&archive, (AstarName){0}, names->has_varints);
    names->at = archive.at + names->gap;
    names->count--;
    return true;
}

// The following functions read and write the heading and the hash of an archive.

static void carry_heading(AstarArchive *archive, const char *format, uint32_t version)
{
    size_t length = strlen(format);
    const char *text = astar_carry_text(archive, format, length);
    archive->version = (uint32_t)astar_carry_byte(archive, '0' + version) - '0';
    unsigned last = astar_carry_byte(archive, '\n');
    archive->is_bad = archive->is_bad || memcmp(text, format, length) != 0 || last != '\n';
}

// Returns the 64-bit FNV-1a hash of some bytes.
static uint64_t hash_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t value = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ bytes[i]) * 0x100000001B3u;
    return value;
}

AstarArchive astar_archive_save(void *bytes, size_t capacity, const char *format, uint32_t version)
{
    AstarArchive archive = {.bytes = bytes, .capacity = capacity};
    carry_heading(&archive, format, version);
    return archive;
}

size_t astar_archive_close(AstarArchive *archive)
{
    bool fits = archive->length <= archive->capacity;
    astar_carry(archive, fits ? hash_bytes(archive->bytes, archive->length) : 0, HASH_BYTES);
    return archive->length;
}

AstarArchive astar_archive_load(const void *bytes, size_t length, const char *format,
                                uint32_t newest)
{
    AstarArchive archive = {
        .at = bytes, .end = bytes, .is_loaded = true, .is_bad = length < HASH_BYTES};
    if (archive.is_bad)
        return archive;
    archive.end += length - HASH_BYTES;
    AstarArchive tail = {.at = archive.end, .end = archive.end + HASH_BYTES, .is_loaded = true};
    carry_heading(&archive, format, 0);
    archive.is_bad = archive.is_bad || archive.version < 1 || archive.version > newest ||
                     astar_carry(&tail, 0, HASH_BYTES) != hash_bytes(bytes, length - HASH_BYTES);
    return archive;
}

size_t astar_archive_left(const AstarArchive *archive)
{
    return (size_t)(archive->end - archive->at);
}

AstarStatus astar_archive_status(const AstarArchive *archive)
{
    return archive->is_bad ? ASTAR_BAD_DATA : ASTAR_OK;
}

AstarStatus astar_archive_end(const AstarArchive *archive)
{
    return archive->at == archive->end ? astar_archive_status(archive) : ASTAR_BAD_DATA;
}
