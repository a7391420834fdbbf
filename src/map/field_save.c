// field_save.c -- Fields as strings of bytes: astar_field_save and astar_field_load. The format of
// the bytes, with little-endian numbers:
//
//     "astar field 1\n"
//     width, height, x and y of the origin: 4 bytes each
//     AstarOffset: 1 byte
//     values of the cells, row by row, in parts: each part begins with a varint. Its lowest bit is
//         1 for a run of equal cells, followed by their value, and 0 for different cells, followed
//         by the value of each cell. The other bits are the number of cells, 1 or more. A value is
//         a number in single precision, 4 bytes.
//     the 64-bit FNV-1a hash of everything before it
//
// A field is mostly 0, or else differs from cell to cell. Runs keep fields of the first kind short,
// and cells of the second kind take 4 bytes and no more. The choice of the parts depends on the
// values alone, so equal fields have equal bytes.

#include "base/archive.h"
#include "map/field.h"

#include <string.h>

static const char saved_field[] = "astar field ";

enum { NEWEST = 1 };
// Minimum number of equal cells that are saved as a run. A run takes 5 bytes or more, and another
// head is needed for the different cells after it.
enum { LEAST_RUN = 4 };

// Reads or writes the width and height, the origin and the shape of a field.
static void carry_head(AstarArchive *archive, AstarSaved *saved, AstarOffset *offset)
{
    astar_carry_sides(archive, saved);
    *offset = (AstarOffset)astar_carry_byte(archive, *offset);
    archive->is_bad |= *offset >= ASTAR_OFFSET_COUNT;
    unsigned wraps = archive->is_bad ? 0 : astar_shapes[*offset].wraps;
    archive->is_bad |= ((wraps & 1) != 0 && saved->width < 3) ||
                       ((wraps & 2) != 0 && saved->height < 3); // no grid has such sides
}

// Reads or writes a value. The bits are kept, so -0 is another value than 0.
static float carry_value(AstarArchive *archive, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = astar_carry_word(archive, bits);
    memcpy(&value, &bits, sizeof value);
    archive->is_bad |= !(value >= -(float)ASTAR_COST_MAX && value <= (float)ASTAR_COST_MAX);
    return value;
}

// Returns how many of the first cells have the same value, bit by bit. 'cells' is 1 or more.
static uint32_t run_length(const float *values, uint32_t cells)
{
    uint32_t length = 1;
    while (length < cells && memcmp(&values[length], values, sizeof *values) == 0)
        length++;
    return length;
}

// Returns how many of the first cells come before a run that is long enough to be saved as one.
static uint32_t mixed_length(const float *values, uint32_t cells)
{
    for (uint32_t length = 0, run; length < cells; length += run) {
        run = run_length(values + length, cells - length);
        if (run >= LEAST_RUN)
            return length;
    }
    return cells;
}

static void write_values(AstarArchive *archive, const float *values, uint32_t cells)
{
    while (cells > 0) {
        uint32_t length = run_length(values, cells);
        bool is_run = length >= LEAST_RUN;
        if (!is_run)
            length = mixed_length(values, cells);
        astar_carry_varint(archive, length << 1 | (uint32_t)is_run);
        for (uint32_t i = 0; i < (is_run ? 1 : length); i++)
            carry_value(archive, values[i]);
        values += length;
        cells -= length;
    }
}

size_t astar_field_save(const AstarField *field, const AstarSaving *saving, void *bytes,
                        size_t capacity)
{
    AstarSaved sides = {.width = field->width, .height = field->height};
    if (saving != NULL) {
        sides.x0 = saving->x0;
        sides.y0 = saving->y0;
    }
    AstarOffset offset = field->shape->offset;
    AstarArchive archive = astar_archive_save(bytes, capacity, saved_field, NEWEST);
    carry_head(&archive, &sides, &offset);
    write_values(&archive, field->values, (uint32_t)field->width * (uint32_t)field->height);
    return astar_archive_close(&archive);
}

// Reads the values of a field row by row.
static void read_values(AstarArchive *archive, float *values, uint32_t cells)
{
    while (cells > 0) {
        uint32_t head = astar_carry_varint(archive, 0), length = head >> 1;
        archive->is_bad |= length == 0 || length > cells;
        if ((head & 1) == 0)
            archive->is_bad |= length > astar_archive_left(archive) / sizeof *values;
        float value = 0;
        for (uint32_t i = 0; i < length && !archive->is_bad; i++) {
            if (i == 0 || (head & 1) == 0)
                value = carry_value(archive, 0);
            values[i] = value;
        }
        if (archive->is_bad)
            return;
        values += length;
        cells -= length;
    }
}

// Records the rectangle that holds all values other than 0 as a change of a new field.
static void note_values(AstarField *field)
{
    int west = field->width, north = field->height, east = 0, south = 0;
    for (int y = 0; y < field->height; y++) {
        const float *row = field->values + (size_t)y * (size_t)field->width;
        for (int x = 0; x < field->width; x++) {
            if (row[x] == 0)
                continue;
            west = x < west ? x : west;
            north = y < north ? y : north;
            east = x >= east ? x + 1 : east;
            south = y + 1;
        }
    }
    if (east == 0)
        return;
    astar_field_note(field, west, north, east - west, south - north);
    field->version++;
}

AstarStatus astar_field_load(const AstarAllocator *allocator, const void *bytes, size_t length,
                             uint32_t max_cells, AstarField **out, AstarSaved *saved)
{
    AstarOffset offset = ASTAR_NO_OFFSET;
    AstarArchive archive = astar_archive_load(bytes, length, saved_field, NEWEST);
    memset(saved, 0, sizeof *saved);
    carry_head(&archive, saved, &offset);
    int64_t cells = (int64_t)saved->width * saved->height;
    if (archive.is_bad || cells > ASTAR_MAX_CELLS)
        return ASTAR_BAD_DATA;
    if (cells > max_cells)
        return ASTAR_TOO_LARGE;
    AstarField *field = NULL;
    AstarStatus status = astar_field_new_shaped(allocator, offset, saved->width, saved->height,
                                                &field);
    if (status != ASTAR_OK)
        return status;
    read_values(&archive, field->values, (uint32_t)cells);
    status = astar_archive_end(&archive);
    if (status != ASTAR_OK) {
        astar_field_release(field);
        return status;
    }
    note_values(field);
    *out = field;
    return ASTAR_OK;
}
