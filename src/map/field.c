// field.c -- Fields: one number per cell, such as danger, that finders can add to the costs of
// cells.
//
// A field is changed far more often than it is read as a whole: values are added around each
// danger, and all values fade every few frames. The values are therefore stored in single
// precision, four bytes per cell, and no other data are derived from them. A search reads only the
// values of the cells that it reaches. A field records, for each square of cells, the version of
// the last change there. Searches that continue over several frames use these versions; see
// search_life.c.
//
// Values are clamped to the range from -ASTAR_COST_MAX to ASTAR_COST_MAX. A finder counts negative
// values as 0 (astar_finder_cell_cost). A cell then costs at least what its terrain costs, so that
// heuristics based on the terrain alone remain admissible and routes optimal.

#include "map/field.h"

#include "base/archive.h"
#include "base/bits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Values below this limit become 0. Without the limit a value that fades would never reach 0.
static const float FAINTEST = 1e-6f;

static size_t tile_count(const AstarField *field)
{
    return (size_t)astar_field_tiles(field->width) * (size_t)astar_field_tiles(field->height);
}

AstarStatus astar_field_new(const AstarAllocator *allocator, int width, int height,
                            AstarField **out)
{
    return astar_field_new_shaped(allocator, ASTAR_NO_OFFSET, width, height, out);
}

AstarStatus astar_field_new_shaped(const AstarAllocator *allocator, AstarOffset offset, int width,
                                   int height, AstarField **out)
{
    if (offset >= ASTAR_OFFSET_COUNT)
        return ASTAR_BAD_OPTION;
    if (width < 1 || height < 1 || width > ASTAR_MAX_SIDE || height > ASTAR_MAX_SIDE ||
        (int64_t)width * height > ASTAR_MAX_CELLS)
        return ASTAR_BAD_OPTION;
    AstarAllocator from = astar_allocator(allocator);
    AstarField *field = astar_alloc(&from, 1, sizeof *field);
    if (field == NULL)
        return ASTAR_NO_MEMORY;
    field->allocator = from;
    astar_put(&field->references, 1);
    field->shape = &astar_shapes[offset];
    field->width = width;
    field->height = height;
    field->west = width;
    field->north = height;
    field->values = astar_alloc(&from, (size_t)width * (size_t)height, sizeof *field->values);
    field->tiles = astar_alloc(&from, tile_count(field), sizeof *field->tiles);
    if (field->values == NULL || field->tiles == NULL) {
        astar_field_release(field);
        return ASTAR_NO_MEMORY;
    }
    *out = field;
    return ASTAR_OK;
}

void astar_field_retain(AstarField *field)
{
    astar_count_up(&field->references);
}

void astar_field_release(AstarField *field)
{
    if (field == NULL || !astar_count_down(&field->references))
        return;
    AstarAllocator allocator = field->allocator;
    size_t cells = (size_t)field->width * (size_t)field->height;
    astar_release(&allocator, field->values, cells, sizeof *field->values);
    astar_release(&allocator, field->tiles, tile_count(field), sizeof *field->tiles);
    astar_release(&allocator, field, 1, sizeof *field);
}

int astar_field_width(const AstarField *field)
{
    return field->width;
}

int astar_field_height(const AstarField *field)
{
    return field->height;
}

AstarOffset astar_field_offset(const AstarField *field)
{
    return field->shape->offset;
}

uint64_t astar_field_version(const AstarField *field)
{
    return field->version;
}

size_t astar_field_bytes(const AstarField *field)
{
    return sizeof *field + (size_t)field->width * (size_t)field->height * sizeof *field->values +
           tile_count(field) * sizeof *field->tiles;
}

// The following functions read and change values.

bool astar_field_is_rough(const AstarField *field)
{
    // Number of cells between two samples. A field is rough if more than one in LARGE_SHARE sampled
    // cells differs from the next cell.
    enum { APART = 16, LARGE_SHARE = 4 };
    int64_t samples = 0, changes = 0;
    for (int y = APART / 2; y < field->height; y += APART)
        for (int x = APART / 2; x + 1 < field->width; x += APART, samples++) {
            const float *value = &field->values[(size_t)y * (size_t)field->width + (size_t)x];
            changes += value[0] != value[1];
        }
    return changes * LARGE_SHARE > samples;
}

static bool is_inside(const AstarField *field, int x, int y)
{
    return x >= 0 && y >= 0 && x < field->width && y < field->height;
}

static float *value_at(const AstarField *field, int x, int y)
{
    assert(is_inside(field, x, y));
    return &field->values[(size_t)y * (size_t)field->width + (size_t)x];
}

// Clamps a value to the range of values of a field.
static float clamp(double value)
{
    assert(!isnan(value));
    return (float)fmax(-ASTAR_COST_MAX, fmin(value, ASTAR_COST_MAX));
}

double astar_field_get(const AstarField *field, int x, int y)
{
    return is_inside(field, x, y) ? *value_at(field, x, y) : (double)NAN;
}

void astar_field_note(AstarField *field, int x, int y, int width, int height)
{
    astar_field_extend(field, x, y, x + width, y + height);
    int across = astar_field_tiles(field->width);
    int west = x / ASTAR_FIELD_TILE, east = (x + width - 1) / ASTAR_FIELD_TILE;
    int north = y / ASTAR_FIELD_TILE, south = (y + height - 1) / ASTAR_FIELD_TILE;
    for (int row = north; row <= south; row++)
        for (int column = west; column <= east; column++)
            field->tiles[(size_t)row * (size_t)across + (size_t)column] = field->version + 1;
}

bool astar_field_next_change(const AstarField *field, uint64_t since, uint32_t *tile,
                             AstarEdit *square)
{
    if (field->version == since)
        return false;
    uint32_t columns = (uint32_t)astar_field_tiles(field->width);
    uint32_t count = columns * (uint32_t)astar_field_tiles(field->height);
    while (*tile < count && field->tiles[*tile] <= since)
        ++*tile;
    if (*tile == count)
        return false;
    *square = (AstarEdit){.x = (int)(*tile % columns) * ASTAR_FIELD_TILE,
                          .y = (int)(*tile / columns) * ASTAR_FIELD_TILE,
                          .width = ASTAR_FIELD_TILE,
                          .height = ASTAR_FIELD_TILE};
    ++*tile;
    return true;
}

// Raises the version of a field after a change of a rectangle, and records the change. Does nothing
// if 'changed' is false.
static void note_change(AstarField *field, bool changed, int x, int y, int width, int height)
{
    if (!changed)
        return;
    astar_field_note(field, x, y, width, height);
    field->version++;
}

// Stores a value in a cell. Returns true if it differs from the old value.
static bool put_value(float *place, double value)
{
    float before = *place;
    *place = clamp(value);
    return *place != before;
}

// Returns ASTAR_BAD_CELL if a cell is outside the field, and ASTAR_BAD_COST if a value is NAN.
static AstarStatus judge_value(const AstarField *field, int x, int y, double value)
{
    if (!is_inside(field, x, y))
        return ASTAR_BAD_CELL;
    return isnan(value) ? ASTAR_BAD_COST : ASTAR_OK;
}

AstarStatus astar_field_set(AstarField *field, int x, int y, double value)
{
    AstarStatus status = judge_value(field, x, y, value);
    if (status == ASTAR_OK)
        note_change(field, put_value(value_at(field, x, y), value), x, y, 1, 1);
    return status;
}

AstarStatus astar_field_add(AstarField *field, int x, int y, double value)
{
    AstarStatus status = judge_value(field, x, y, value);
    if (status != ASTAR_OK)
        return status;
    float *place = value_at(field, x, y);
    note_change(field, put_value(place, *place + value), x, y, 1, 1);
    return ASTAR_OK;
}

AstarStatus astar_field_fill(AstarField *field, int x, int y, int width, int height, double value)
{
    AstarStatus status = judge_value(field, x, y, value);
    if (status != ASTAR_OK)
        return status;
    if (width < 1 || height < 1 || width > field->width - x || height > field->height - y)
        return ASTAR_BAD_CELL;
    bool changed = false;
    if (value == 0 && width == field->width && height == field->height) {
        field->version += field->west < field->east;
        astar_field_wipe(field);
        return ASTAR_OK;
    }
    for (int row = y; row < y + height; row++) {
        float *place = value_at(field, x, row);
        for (int i = 0; i < width; i++)
            changed |= put_value(&place[i], value);
    }
    note_change(field, changed, x, y, width, height);
    return ASTAR_OK;
}

void astar_field_wipe(AstarField *field)
{
    if (field->west >= field->east)
        return;
    int width = field->east - field->west;
    for (int y = field->north; y < field->south; y++)
        memset(value_at(field, field->west, y), 0, (size_t)width * sizeof *field->values);
    astar_field_note(field, field->west, field->north, width, field->south - field->north);
    field->west = field->width;
    field->north = field->height;
    field->east = field->south = 0;
}

// Returns the maximum number of columns or rows from the middle of a stamp to its edge. On hexagons
// it is greater than the radius, because the distance between their rows or columns is less than 1.
static int stamp_reach(const AstarShape *shape, int radius)
{
    return (int)fmin(radius / fmin(shape->plane.column, shape->plane.row), ASTAR_MAX_SIDE);
}

// Adds one row of a stamp to a field, 'dy' rows from the middle of the stamp. Returns true if a
// value changed.
static bool stamp_row(AstarField *field, int x, int y, int dy, int radius, double value)
{
    bool changed = false;
    int reach = stamp_reach(field->shape, radius);
    int from = -astar_lesser(reach, x), to = astar_lesser(reach, field->width - 1 - x);
    float *place = value_at(field, x, y + dy);
    for (int dx = from; dx <= to; dx++) {
        double distance = field->shape->length(field->shape, x, y, x + dx, y + dy);
        if (distance <= radius)
            changed |= put_value(&place[dx], place[dx] + value * (1 - distance / (radius + 1.0)));
    }
    if (changed)
        astar_field_note(field, x + from, y + dy, to - from + 1, 1);
    return changed;
}

AstarStatus astar_field_stamp(AstarField *field, int x, int y, int radius, double value)
{
    AstarStatus status = judge_value(field, x, y, value);
    if (status != ASTAR_OK)
        return status;
    if (radius < 0)
        return ASTAR_BAD_OPTION;
    bool changed = false;
    int reach = stamp_reach(field->shape, radius);
    int from = -astar_lesser(reach, y), to = astar_lesser(reach, field->height - 1 - y);
    for (int dy = from; dy <= to; dy++)
        changed |= stamp_row(field, x, y, dy, radius, value);
    field->version += changed;
    return ASTAR_OK;
}

// Multiplies the values of a row by a factor. Returns true if at least one of them was not 0.
static bool fade(float *values, int count, float factor)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        float faded = values[i] * factor;
        any |= values[i] != 0;
        values[i] = fabsf(faded) < FAINTEST ? 0 : faded;
    }
    return any;
}

static bool fade_row(AstarField *field, int y, float factor)
{
    bool any = false;
    for (int x = 0; x < field->east; x += ASTAR_FIELD_TILE) {
        int count = astar_lesser(ASTAR_FIELD_TILE, field->width - x);
        if (!fade(value_at(field, x, y), count, factor))
            continue;
        astar_field_note(field, x, y, count, 1);
        any = true;
    }
    return any;
}

void astar_field_decay(AstarField *field, double factor)
{
    assert(factor >= 0 && factor <= 1);
    if (factor == 1)
        return;
    bool any = false;
    for (int y = field->north; y < field->south; y++)
        any |= fade_row(field, y, (float)factor);
    field->version += any;
}

// Operations on whole fields.
//
// A field has a rectangle that contains all its values other than 0, and these operations visit
// only such rectangles. If the values describe the area that a single unit sees or threatens, the
// time of an operation does not depend on the size of the map.

typedef enum Operation { ADD, MAX, SCALE, THRESHOLD } Operation;

// Returns the result of an operation for the value of one cell.
static double work_out(Operation operation, double value, double other, double by)
{
    switch (operation) {
    case ADD: return value + other * by;
    case MAX: return value > other ? value : other;
    case SCALE: return value * by;
    default: return value >= by ? value : 0;
    }
}

// Applies an operation to the values of one row from column 'from' up to column 'to' - 1. All these
// cells lie in one square. Returns true if a value changed.
static bool change_values(float *values, const float *others, int from, int to, Operation operation,
                          double by)
{
    bool changed = false;
    for (int x = from; x < to; x++) {
        double value = work_out(operation, values[x], others[x], by);
        value = value > ASTAR_COST_MAX ? ASTAR_COST_MAX : value;
        float after = (float)(value < -ASTAR_COST_MAX ? -ASTAR_COST_MAX : value);
        changed |= values[x] != after;
        values[x] = after;
    }
    return changed;
}

static void change_rectangle(AstarField *field, const AstarField *other, AstarEdit where,
                             Operation operation, double by)
{
    bool any = false;
    for (int y = where.y; y < where.y + where.height; y++) {
        size_t row = (size_t)y * (size_t)field->width;
        for (int x = where.x, to; x < where.x + where.width; x = to) {
            to = x - x % ASTAR_FIELD_TILE + ASTAR_FIELD_TILE;
            to = to < where.x + where.width ? to : where.x + where.width;
            if (!change_values(field->values + row, other->values + row, x, to, operation, by))
                continue;
            astar_field_note(field, x, y, to - x, 1);
            any = true;
        }
    }
    field->version += any;
}

// Returns a rectangle that contains all values of a field other than 0.
static AstarEdit rectangle_of(const AstarField *field)
{
    return field->west < field->east ? (AstarEdit){.x = field->west,
                                                   .y = field->north,
                                                   .width = field->east - field->west,
                                                   .height = field->south - field->north}
                                     : (AstarEdit){.x = 0};
}

static bool are_alike(const AstarField *field, const AstarField *other)
{
    return field->width == other->width && field->height == other->height &&
           field->shape == other->shape;
}

AstarStatus astar_field_add_field(AstarField *field, const AstarField *other, double factor)
{
    if (!are_alike(field, other))
        return ASTAR_BAD_OPTION;
    if (!isfinite(factor))
        return ASTAR_BAD_COST;
    change_rectangle(field, other, rectangle_of(other), ADD, factor);
    return ASTAR_OK;
}

AstarStatus astar_field_max(AstarField *field, const AstarField *other)
{
    if (!are_alike(field, other))
        return ASTAR_BAD_OPTION;
    astar_field_extend(field, other->west, other->north, other->east, other->south);
    change_rectangle(field, other, rectangle_of(field), MAX, 0);
    return ASTAR_OK;
}

AstarStatus astar_field_scale(AstarField *field, double factor)
{
    if (!isfinite(factor))
        return ASTAR_BAD_COST;
    change_rectangle(field, field, rectangle_of(field), SCALE, factor);
    return ASTAR_OK;
}

AstarStatus astar_field_threshold(AstarField *field, double least)
{
    if (isnan(least))
        return ASTAR_BAD_COST;
    change_rectangle(field, field, rectangle_of(field), THRESHOLD, least);
    return ASTAR_OK;
}

bool astar_field_next(const AstarField *field, uint64_t *cell, int *x, int *y, double *value)
{
    uint64_t width = (uint64_t)field->width;
    int from = (int)(*cell % width), row = (int)(*cell / width);
    if (row < field->north) {
        row = field->north;
        from = 0;
    }
    for (; row < field->south; row++, from = 0) {
        const float *values = field->values + (size_t)row * (size_t)field->width;
        for (int column = from > field->west ? from : field->west; column < field->east; column++)
            if (values[column] != 0) {
                *x = column;
                *y = row;
                *value = values[column];
                *cell = (uint64_t)row * width + (uint64_t)column + 1;
                return true;
            }
    }
    *cell = (uint64_t)row * width;
    return false;
}

// ------------------------------------------------------------------------------------------------
// The functions below save fields as strings of bytes, and load them. The format of the bytes, with
// little-endian numbers:
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
// ------------------------------------------------------------------------------------------------

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
