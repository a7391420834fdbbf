// serialise.c -- grids as strings of bytes: astar_grid_save and astar_grid_load.
//
//     "astar grid 1\n"
//     width, height, x, y of the origin: 4 bytes each, the lowest first
//     terrains: 2 bytes; of each its name (a letter for its kind, then 8 bytes of a number, a byte
//         for a boolean, or 4 bytes of length and a text) and 8 bytes of cost
//     the ground: runs of cells of a terrain, the length as a varint and a byte
//     the blocks: lengths of runs, free and blocked in turn, as varints
//     of "astar grid 3\n", hexagons: 1 byte of AstarOffset before the terrains, and then as of 2
//     of "astar grid 2\n", written where there are links or walls:
//         the walls: runs of cells with walls on the same sides, the length as a varint and a byte
//             of a bit for each direction on the lattice, of squares AstarSide
//         the labels: 4 bytes of how many, each like a terrain's name
//         the links, one way each and in order: 4 bytes of how many; of each the cells it leads
//             from and to and the number of its label, 4 bytes each, and 8 bytes of cost
//     of "astar grid 4\n", with blocks in layers that have names: 1 byte of AstarOffset, 0 of
//         squares, and then as of 3; at the end
//         the layers: 1 byte of how many; of each 1 byte of length and its name, and its blocks as
//             above
//     the 64-bit FNV-1a hash of all before it
//
// The hash tells a string that was cut or altered; every count is checked all the same, so that
// not even a forged string can do more than fail. Of a string's few bytes each run may stand for
// millions of cells: how many a grid may have is the host's to say, and both ways go run by run.

#include "base/bytes.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <assert.h>

static const char heading[] = "astar grid 1\n";
static const char heading_with_links[] = "astar grid 2\n";
static const char heading_of_hexagons[] = "astar grid 3\n";
static const char heading_with_layers[] = "astar grid 4\n";

enum { HEADING_LENGTH = sizeof heading - 1, HASH_LENGTH = 8, LINK_LENGTH = 20 };

// ---- saving ----

static void write_name(AstarWriter *writer, AstarName name)
{
    switch (name.kind) {
    case ASTAR_NAME_OTHER: // is no name of a terrain
    case ASTAR_NAME_NUMBER:
        astar_put_byte(writer, 'n');
        astar_put_double(writer, name.number);
        break;
    case ASTAR_NAME_BOOLEAN:
        astar_put_byte(writer, 'b');
        astar_put_byte(writer, name.number != 0);
        break;
    case ASTAR_NAME_TEXT:
        assert(name.length <= UINT32_MAX);
        astar_put_byte(writer, 's');
        astar_put_integer(writer, name.length, 4);
        astar_put_text(writer, name.text, name.length);
        break;
    }
}

static void write_terrains(AstarWriter *writer, const AstarGrid *grid, const AstarSaving *saving)
{
    astar_put_integer(writer, (uint64_t)grid->terrain_count, 2);
    for (int i = 0; i < grid->terrain_count; i++) {
        AstarName name = {.kind = ASTAR_NAME_NUMBER, .number = i};
        write_name(writer,
                   saving->terrain != NULL ? saving->terrain(saving->context, (uint32_t)i) : name);
        astar_put_double(writer, grid->prices[i].asked);
    }
}

// Writes the runs of a byte for each cell, all of them 0 where 'bytes' is NULL.
static void write_runs(AstarWriter *writer, const uint8_t *bytes, uint32_t cells)
{
    for (uint32_t cell = 0, length; cell < cells; cell += length) {
        length = bytes != NULL ? astar_run_length(bytes + cell, cells - cell) : cells;
        astar_put_varint(writer, length);
        astar_put_byte(writer, bytes != NULL ? bytes[cell] : 0);
    }
}

static void write_blocks(AstarWriter *writer, const AstarGrid *grid, const AstarBits *bits)
{
    bool blocked = false;
    uint32_t length = 0;
    for (int y = 0; bits->words != NULL && y < grid->height; y++)
        for (int x = 0, run; x < grid->width; x += run, length += (uint32_t)run) {
            run = astar_bits_run(bits, x, y, grid->width);
            if (astar_bits_get(bits, x, y) != blocked) {
                astar_put_varint(writer, length);
                blocked = !blocked;
                length = 0;
            }
        }
    astar_put_varint(writer, bits->words != NULL ? length : grid->cells);
}

static bool holds_blocks(const AstarGrid *grid, const AstarBlocks *blocks)
{
    uint32_t most = 0;
    for (int i = 0; i < grid->terrain_count && most == 0; i++)
        most = blocks->covered[i];
    return most > 0;
}

// The next layer that has a name and blocks.
static const AstarBlocks *next_saved_layer(const AstarGrid *grid, const AstarBlocks *blocks)
{
    do
        blocks = astar_blocks_next(blocks, 0);
    while (blocks != NULL && !holds_blocks(grid, blocks));
    return blocks;
}

static void write_layers(AstarWriter *writer, const AstarGrid *grid)
{
    unsigned count = 0;
    const AstarBlocks *each = &grid->blocks;
    while ((each = next_saved_layer(grid, each)) != NULL)
        count++;
    astar_put_byte(writer, count);
    for (each = &grid->blocks; (each = next_saved_layer(grid, each)) != NULL;) {
        astar_put_byte(writer, (unsigned)each->length);
        astar_put_text(writer, each->name, each->length);
        write_blocks(writer, grid, &each->bits);
    }
}

static void write_labels(AstarWriter *writer, const AstarSaving *saving)
{
    uint32_t count = saving->label != NULL ? saving->label_count : 0;
    astar_put_integer(writer, count, 4);
    for (uint32_t i = 1; i <= count; i++)
        write_name(writer, saving->label(saving->context, i));
}

static void write_links(AstarWriter *writer, const AstarGrid *grid)
{
    uint32_t count = astar_grid_link_count(grid);
    astar_put_integer(writer, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        const AstarArc *arc = astar_arc_at(&grid->links_and_walls->arcs, i);
        astar_put_integer(writer, arc->from, 4);
        astar_put_integer(writer, arc->to, 4);
        astar_put_integer(writer, arc->label, 4);
        astar_put_double(writer, arc->cost);
    }
}

static bool is_origin(int32_t coordinate)
{
    return coordinate >= -ASTAR_MAX_ORIGIN && coordinate <= ASTAR_MAX_ORIGIN;
}

size_t astar_grid_save(const AstarGrid *grid, const AstarSaving *saving, void *bytes,
                       size_t capacity)
{
    static const AstarSaving nothing;
    AstarWriter writer = {.bytes = bytes, .capacity = capacity};
    bool is_hexagonal = astar_is_hexagonal(grid->shape);
    bool has_layers = next_saved_layer(grid, &grid->blocks) != NULL;
    bool has_links_or_walls = is_hexagonal || has_layers || astar_grid_has_links_or_walls(grid);
    if (saving == NULL)
        saving = &nothing;
    assert(is_origin(saving->x0) && is_origin(saving->y0));
    astar_put_text(&writer,
                   has_layers           ? heading_with_layers
                   : is_hexagonal       ? heading_of_hexagons
                   : has_links_or_walls ? heading_with_links
                                        : heading,
                   HEADING_LENGTH);
    astar_put_integer(&writer, (uint32_t)grid->width, 4);
    astar_put_integer(&writer, (uint32_t)grid->height, 4);
    astar_put_integer(&writer, (uint32_t)saving->x0, 4);
    astar_put_integer(&writer, (uint32_t)saving->y0, 4);
    if (is_hexagonal || has_layers)
        astar_put_byte(&writer, grid->shape->offset);
    write_terrains(&writer, grid, saving);
    write_runs(&writer, grid->ground, grid->cells);
    write_blocks(&writer, grid, &grid->blocks.bits);
    if (has_links_or_walls) {
        write_runs(&writer, astar_grid_has_walls(grid) ? grid->links_and_walls->walls : NULL,
                   grid->cells);
        write_labels(&writer, saving);
        write_links(&writer, grid);
    }
    if (has_layers)
        write_layers(&writer, grid);
    astar_put_integer(&writer,
                      writer.length < capacity ? astar_hash_bytes(bytes, writer.length) : 0,
                      HASH_LENGTH);
    return writer.length;
}

// ---- loading ----

static int32_t read_int32(AstarReader *reader, int32_t least, int32_t most)
{
    int32_t value = (int32_t)(uint32_t)astar_get_integer(reader, 4);
    reader->is_bad |= value < least || value > most;
    return value;
}

static AstarName read_saved_name(AstarReader *reader)
{
    AstarName name = {.kind = ASTAR_NAME_NUMBER};
    switch (astar_get_integer(reader, 1)) {
    case 'n': name.number = astar_get_double(reader); break;
    case 'b':
        name.kind = ASTAR_NAME_BOOLEAN;
        name.number = astar_get_integer(reader, 1) != 0;
        break;
    case 's':
        name.kind = ASTAR_NAME_TEXT;
        name.length = (size_t)astar_get_integer(reader, 4);
        name.text = (const char *)astar_get_bytes(reader, name.length);
        break;
    default: reader->is_bad = true;
    }
    return name;
}

bool astar_names_next(AstarNames *names, AstarName *name)
{
    if (names->count == 0)
        return false;
    AstarReader reader = {.at = names->at, .end = names->end};
    *name = read_saved_name(&reader);
    names->at = reader.at + names->gap;
    names->count--;
    return true;
}

// The status of what was read so far.
static AstarStatus read_status(const AstarReader *reader)
{
    return reader->is_bad ? ASTAR_BAD_DATA : ASTAR_OK;
}

static AstarStatus read_terrains(AstarReader *reader, AstarGrid *grid, AstarNames *names)
{
    int count = (int)astar_get_integer(reader, 2);
    if (count < 1 || count > ASTAR_MAX_TERRAINS)
        return ASTAR_BAD_DATA;
    *names = (AstarNames){reader->at, reader->end, (uint32_t)count, sizeof(double)};
    for (int i = 0; i < count; i++) {
        int terrain;
        read_saved_name(reader);
        double cost = astar_get_double(reader);
        AstarStatus status = i == 0 ? astar_grid_set_cost(grid, 0, cost)
                                    : astar_grid_add_terrain(grid, cost, &terrain);
        if (reader->is_bad || status != ASTAR_OK)
            return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
    }
    return ASTAR_OK;
}

typedef struct RunRectangle {
    int x, y, width, height;
} RunRectangle;

// A run of cells is up to three rectangles: the rest of a row, whole rows, the beginning of one.
// Takes the next off the run.
static RunRectangle take_rectangle(const AstarGrid *grid, uint32_t *cell, uint32_t *length)
{
    uint32_t width = (uint32_t)grid->width, x = *cell % width, y = *cell / width;
    uint32_t rows = x == 0 && *length >= width ? *length / width : 1;
    uint32_t columns = *length < width - x ? *length : width - x;
    *cell += columns * rows;
    *length -= columns * rows;
    return (RunRectangle){(int)x, (int)y, (int)columns, (int)rows};
}

// The length of a run from 'cell' on; only the first of the blocks may be empty.
static uint32_t read_length(AstarReader *reader, const AstarGrid *grid, uint32_t cell,
                            bool may_be_empty)
{
    uint32_t length = astar_get_varint(reader);
    reader->is_bad |= length > grid->cells - cell || (length == 0 && !may_be_empty);
    return length;
}

static AstarStatus read_ground(AstarReader *reader, AstarGrid *grid)
{
    for (uint32_t cell = 0; cell < grid->cells;) {
        uint32_t length = read_length(reader, grid, cell, false);
        int terrain = (int)astar_get_integer(reader, 1);
        if (reader->is_bad || terrain >= grid->terrain_count)
            return ASTAR_BAD_DATA;
        while (length > 0) {
            RunRectangle part = take_rectangle(grid, &cell, &length);
            astar_grid_fill(grid, part.x, part.y, part.width, part.height, terrain);
        }
    }
    return ASTAR_OK;
}

static AstarStatus block_run(AstarGrid *grid, int layer, uint32_t cell, uint32_t length)
{
    AstarStatus status = ASTAR_OK;
    while (length > 0 && status == ASTAR_OK) {
        RunRectangle part = take_rectangle(grid, &cell, &length);
        status = astar_grid_block_layer(grid, layer, part.x, part.y, part.width, part.height);
    }
    return status;
}

static AstarStatus read_blocks(AstarReader *reader, AstarGrid *grid, int layer)
{
    bool blocked = false;
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = 0, length; cell < grid->cells && status == ASTAR_OK; cell += length) {
        length = read_length(reader, grid, cell, cell == 0);
        if (reader->is_bad)
            return ASTAR_BAD_DATA;
        if (blocked)
            status = block_run(grid, layer, cell, length);
        blocked = !blocked;
    }
    return status;
}

// Whether each cell of a run has a side in all of these directions.
static bool have_sides(const AstarGrid *grid, uint32_t cell, uint32_t length, unsigned directions)
{
    if (!astar_is_hexagonal(grid->shape) || directions == 0)
        return (directions & ~(unsigned)ASTAR_STRAIGHTS) == 0;
    bool have_all = true;
    for (; length > 0 && have_all; length--, cell++) {
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        have_all = (directions & ~astar_shape_around(grid->shape, x, y)) == 0;
    }
    return have_all;
}

static AstarStatus read_walls(AstarReader *reader, AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = 0, length; cell < grid->cells && status == ASTAR_OK; cell += length) {
        length = read_length(reader, grid, cell, false);
        unsigned directions = (unsigned)astar_get_integer(reader, 1);
        if (reader->is_bad || !have_sides(grid, cell, length, directions))
            return ASTAR_BAD_DATA;
        if (directions != 0)
            status = astar_walls_put(grid, cell, length, (uint8_t)directions);
    }
    return status;
}

static AstarStatus read_labels(AstarReader *reader, AstarNames *names)
{
    uint32_t count = (uint32_t)astar_get_integer(reader, 4);
    *names = (AstarNames){.at = reader->at, .end = reader->end, .count = count};
    for (; count > 0 && !reader->is_bad; count--)
        read_saved_name(reader);
    return read_status(reader);
}

// Reads a link; false: it is none that can be.
static bool read_saved_link(AstarReader *reader, const AstarGrid *grid, AstarArc *arc)
{
    arc->from = (uint32_t)astar_get_integer(reader, 4);
    arc->to = (uint32_t)astar_get_integer(reader, 4);
    arc->label = (uint32_t)astar_get_integer(reader, 4);
    arc->cost = astar_get_double(reader);
    return arc->from < grid->cells && arc->to < grid->cells && arc->from != arc->to &&
           arc->cost >= 0 && arc->cost <= ASTAR_COST_MAX;
}

static bool is_before(const AstarArc *a, const AstarArc *b)
{
    return a->from < b->from || (a->from == b->from && a->to < b->to);
}

static AstarStatus read_links(AstarReader *reader, AstarGrid *grid)
{
    uint32_t count = (uint32_t)astar_get_integer(reader, 4);
    if (reader->is_bad || count > (size_t)(reader->end - reader->at) / LINK_LENGTH)
        return ASTAR_BAD_DATA;
    if (count == 0)
        return ASTAR_OK;
    AstarArc *arcs = astar_alloc(&grid->allocator, count, sizeof *arcs);
    if (arcs == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
        if (!read_saved_link(reader, grid, &arcs[i]) ||
            (i > 0 && !is_before(&arcs[i - 1], &arcs[i])))
            status = ASTAR_BAD_DATA;
    if (status == ASTAR_OK)
        status = astar_links_fill(grid, arcs, count);
    astar_release(&grid->allocator, arcs, count, sizeof *arcs);
    return status;
}

static AstarStatus read_links_and_walls(AstarReader *reader, AstarGrid *grid, AstarNames *labels)
{
    AstarStatus status = read_walls(reader, grid);
    if (status == ASTAR_OK)
        status = read_labels(reader, labels);
    return status == ASTAR_OK ? read_links(reader, grid) : status;
}

// Reads a layer, of another name than those before it.
static AstarStatus read_layer(AstarReader *reader, AstarGrid *grid)
{
    size_t length = (size_t)astar_get_integer(reader, 1);
    const char *name = (const char *)astar_get_bytes(reader, length);
    if (reader->is_bad || astar_grid_find_layer(grid, name, length) >= 0)
        return ASTAR_BAD_DATA;
    int layer;
    AstarStatus status = astar_grid_layer(grid, name, length, &layer);
    if (status != ASTAR_OK)
        return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
    return read_blocks(reader, grid, layer);
}

static AstarStatus read_layers(AstarReader *reader, AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    unsigned count = (unsigned)astar_get_integer(reader, 1);
    reader->is_bad |= count == 0;
    for (; count > 0 && status == ASTAR_OK; count--)
        status = read_layer(reader, grid);
    return status == ASTAR_OK ? read_status(reader) : status;
}

// Which heading the bytes begin with.
typedef enum Heading { PLAIN, WITH_LINKS, OF_HEXAGONS, WITH_LAYERS, UNKNOWN } Heading;

// Reads all that follows the sides and the origin.
static AstarStatus read_grid(AstarReader *reader, Heading found, AstarGrid *grid, AstarSaved *saved)
{
    AstarStatus status = read_terrains(reader, grid, &saved->terrains);
    if (status == ASTAR_OK)
        status = read_ground(reader, grid);
    if (status == ASTAR_OK)
        status = read_blocks(reader, grid, 0);
    if (status == ASTAR_OK && found != PLAIN)
        status = read_links_and_walls(reader, grid, &saved->labels);
    if (status == ASTAR_OK && found == WITH_LAYERS)
        status = read_layers(reader, grid);
    return status == ASTAR_OK && reader->at != reader->end ? ASTAR_BAD_DATA : status;
}

static Heading heading_of(const uint8_t *bytes)
{
    const char *const headings[] = {heading, heading_with_links, heading_of_hexagons,
                                    heading_with_layers};
    int i = PLAIN;
    while (i < UNKNOWN && memcmp(bytes, headings[i], HEADING_LENGTH) != 0)
        i++;
    return (Heading)i;
}

// Checks heading and hash, and steps over the heading.
static AstarReader open_saved(const uint8_t *bytes, size_t length, Heading *found)
{
    AstarReader reader = {
        .at = bytes, .end = bytes, .is_bad = length < HEADING_LENGTH + HASH_LENGTH};
    if (reader.is_bad)
        return reader;
    reader.at += HEADING_LENGTH;
    reader.end += length - HASH_LENGTH;
    AstarReader tail = {.at = reader.end, .end = reader.end + HASH_LENGTH};
    *found = heading_of(bytes);
    reader.is_bad = *found == UNKNOWN || astar_get_integer(&tail, HASH_LENGTH) !=
                                             astar_hash_bytes(bytes, length - HASH_LENGTH);
    return reader;
}

AstarStatus astar_grid_load(const AstarAllocator *allocator, const void *bytes, size_t length,
                            uint32_t max_cells, AstarGrid **out, AstarSaved *saved)
{
    Heading found = PLAIN;
    AstarReader reader = open_saved(bytes, length, &found);
    *saved = (AstarSaved){0};
    saved->width = read_int32(&reader, 1, ASTAR_MAX_SIDE);
    saved->height = read_int32(&reader, 1, ASTAR_MAX_SIDE);
    saved->x0 = read_int32(&reader, -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN);
    saved->y0 = read_int32(&reader, -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN);
    bool tells_shape = found == OF_HEXAGONS || found == WITH_LAYERS;
    unsigned offset = tells_shape ? (unsigned)astar_get_integer(&reader, 1) : ASTAR_NO_OFFSET;
    reader.is_bad |= offset >= ASTAR_OFFSET_COUNT ||
                     (found == OF_HEXAGONS && offset == ASTAR_NO_OFFSET);
    int64_t cells = (int64_t)saved->width * saved->height;
    if (reader.is_bad || cells > ASTAR_MAX_CELLS)
        return ASTAR_BAD_DATA;
    if (cells > max_cells)
        return ASTAR_TOO_LARGE;

    AstarGrid *grid;
    AstarStatus status = offset != ASTAR_NO_OFFSET
                             ? astar_grid_new_hexagons(allocator, (AstarOffset)offset, saved->width,
                                                       saved->height, &grid)
                             : astar_grid_new(allocator, saved->width, saved->height, &grid);
    if (status != ASTAR_OK)
        return status;
    status = read_grid(&reader, found, grid, saved);
    if (status == ASTAR_OK)
        *out = grid;
    else
        astar_grid_release(grid);
    return status;
}
