// serialise.c -- Grids as strings of bytes: astar_grid_save and astar_grid_load. The format of the
// bytes, with little-endian numbers:
//
//     "astar grid 1\n"
//     width, height, x and y of the origin: 4 bytes each
//     terrains: 2 bytes for their number; for each its name and 8 bytes for its cost
//         (a name is a letter for its kind, then 8 bytes for a number, 1 byte for a boolean, or
//         4 bytes of length and a text)
//     terrain of the cells: runs of equal cells, each a varint for the length and 1 byte
//     blocks: the lengths of runs of free and blocked cells in turn, as varints
//
//     "astar grid 2\n" (with links or walls) continues with:
//         walls: runs of cells with the same walls, each a varint for the length and 1 byte with
//             a bit per direction, for squares the bits of AstarSide
//         labels: 4 bytes for their number; each like the name of a terrain
//         links in one direction, sorted: 4 bytes for their number; for each the cell it leads
//             from, the cell it leads to and the number of its label, 4 bytes each, and 8 bytes
//             for its cost
//
//     "astar grid 3\n" (hexagons, or a map that wraps around): like version 2, with 1 byte for
//         AstarOffset before the terrains
//
//     "astar grid 4\n" (with named layers of blocks): like version 3, where AstarOffset may be 0
//         for squares, and at the end
//         layers: 1 byte for their number; for each 1 byte for the length of its name, the name,
//             and its blocks as above
//
//     "astar grid 5\n" (with declared layers): like version 4, but all layers are listed, also
//     those
//         without blocks, and no other layer can be named later
//
//     "astar grid 6\n" (with restricted cells): like version 4, but 1 byte before the number of
//     layers
//         is 1 if layers are declared, as in version 5, else 0, and at the end
//         restricted cells: runs of cells as for walls, with a bit per direction in which the cells
//             may not be left
//
//     the 64-bit FNV-1a hash of everything before it
//
// The hash detects strings that were truncated or altered. All numbers are checked as well, so that
// a forged string can only fail to load. A run of a few bytes may represent millions of cells.
// Therefore the host limits the number of cells, and both directions work run by run.

#include "base/archive.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <assert.h>

static const char saved_grid[] = "astar grid ";
// Versions of the format of saved grids.
enum { PLAIN = 1, WITH_LINKS, OF_HEXAGONS, WITH_LAYERS, WITH_ALL_LAYERS, WITH_EXITS };

enum { LINK_LENGTH = 20 };

// The following functions both read and write: they read while an archive is loaded, and write
// while it is saved.

// Reads or writes the width and height, the origin and the shape of a grid.
static void carry_sides(AstarArchive *archive, AstarSaved *saved, AstarOffset *offset)
{
    astar_carry_sides(archive, saved);
    if (archive->version >= OF_HEXAGONS)
        *offset = (AstarOffset)astar_carry_byte(archive, *offset);
    archive->is_bad |= *offset >= ASTAR_OFFSET_COUNT ||
                       (archive->version == OF_HEXAGONS && *offset == ASTAR_NO_OFFSET);
}

static AstarArc carry_link(AstarArchive *archive, AstarArc link)
{
    link.from = astar_carry_word(archive, link.from);
    link.to = astar_carry_word(archive, link.to);
    link.label = astar_carry_word(archive, link.label);
    link.cost = astar_carry_double(archive, link.cost);
    return link;
}

// The following functions save a grid.

static void write_terrains(AstarArchive *archive, const AstarGrid *grid, const AstarSaving *saving)
{
    astar_carry(archive, (uint64_t)grid->terrains.count, 2);
    for (int i = 0; i < grid->terrains.count; i++) {
        AstarName name = {.kind = ASTAR_NAME_NUMBER, .number = i};
        if (saving->terrain != NULL)
            name = saving->terrain(saving->context, (uint32_t)i);
        astar_carry_name(archive, name, false);
        astar_carry_double(archive, grid->terrains.prices[i].asked);
    }
}

// Writes one byte per cell in the form of runs. NULL for 'bytes' means zeros.
static void write_runs(AstarArchive *archive, const uint8_t *bytes, uint32_t cells)
{
    for (uint32_t cell = 0, length; cell < cells; cell += length) {
        length = bytes != NULL ? astar_run_length(bytes + cell, cells - cell) : cells;
        astar_carry_varint(archive, length);
        astar_carry_byte(archive, bytes != NULL ? bytes[cell] : 0);
    }
}

static void write_blocks(AstarArchive *archive, const AstarGrid *grid, const AstarBits *bits)
{
    bool blocked = false;
    uint32_t length = 0;
    for (int y = 0; bits->words != NULL && y < grid->height; y++)
        for (int x = 0, run; x < grid->width; x += run, length += (uint32_t)run) {
            run = astar_bits_run(bits, x, y, grid->width);
            if (astar_bits_get(bits, x, y) != blocked) {
                astar_carry_varint(archive, length);
                blocked = !blocked;
                length = 0;
            }
        }
    astar_carry_varint(archive, bits->words != NULL ? length : grid->cells);
}

static bool holds_blocks(const AstarGrid *grid, const AstarBlocks *blocks)
{
    uint32_t most = 0;
    for (int i = 0; i < grid->terrains.count && most == 0; i++)
        most = blocks->covered[i];
    return most > 0;
}

// Returns the next layer to save after 'blocks'. It is the next layer that contains blocks or, if
// the grid has declared its layers, simply the next layer.
static const AstarBlocks *next_saved_layer(const AstarGrid *grid, const AstarBlocks *blocks)
{
    if (grid->has_all_layers)
        return astar_get(&blocks->next);
    do
        blocks = astar_blocks_next(blocks, 0);
    while (blocks != NULL && !holds_blocks(grid, blocks));
    return blocks;
}

static void write_layers(AstarArchive *archive, const AstarGrid *grid)
{
    unsigned count = 0;
    const AstarBlocks *each = &grid->blocks;
    if (archive->version >= WITH_EXITS)
        astar_carry_byte(archive, grid->has_all_layers);
    while ((each = next_saved_layer(grid, each)) != NULL)
        count++;
    astar_carry_byte(archive, count);
    for (each = &grid->blocks; (each = next_saved_layer(grid, each)) != NULL;) {
        astar_carry_byte(archive, (unsigned)each->length);
        astar_carry_text(archive, each->name, each->length);
        write_blocks(archive, grid, &each->bits);
    }
}

// Returns the lowest version of the format that can hold a grid.
static uint32_t version_to_save(const AstarGrid *grid)
{
    if (astar_grid_has_exits(grid))
        return WITH_EXITS;
    if (grid->has_all_layers)
        return WITH_ALL_LAYERS;
    if (next_saved_layer(grid, &grid->blocks) != NULL)
        return WITH_LAYERS;
    if (grid->shape->offset != ASTAR_NO_OFFSET)
        return OF_HEXAGONS;
    return astar_grid_has_links_or_walls(grid) ? WITH_LINKS : PLAIN;
}

size_t astar_grid_save(const AstarGrid *grid, const AstarSaving *saving, void *bytes,
                       size_t capacity)
{
    static const AstarSaving nothing;
    if (saving == NULL)
        saving = &nothing;
    AstarSaved sides = {grid->width, grid->height, saving->x0, saving->y0, {0}, {0}};
    AstarOffset offset = grid->shape->offset;
    AstarArchive archive = astar_archive_save(bytes, capacity, saved_grid, version_to_save(grid));
    carry_sides(&archive, &sides, &offset);
    assert(!archive.is_bad);
    write_terrains(&archive, grid, saving);
    write_runs(&archive, grid->ground, grid->cells);
    write_blocks(&archive, grid, &grid->blocks.bits);
    if (archive.version >= WITH_LINKS) {
        bool has_walls = astar_grid_has_walls(grid);
        write_runs(&archive, has_walls ? grid->links_and_walls->walls.sides : NULL, grid->cells);
        astar_carry_labels(&archive, saving, false);
        uint32_t links = astar_grid_link_count(grid);
        astar_carry_word(&archive, links);
        for (uint32_t i = 0; i < links; i++)
            carry_link(&archive, *astar_arc_at(&grid->links_and_walls->arcs, i));
    }
    if (archive.version >= WITH_LAYERS)
        write_layers(&archive, grid);
    if (archive.version >= WITH_EXITS)
        write_runs(&archive, grid->links_and_walls->walls.exits, grid->cells);
    return astar_archive_close(&archive);
}

// The following functions load a grid.

static AstarStatus read_terrains(AstarArchive *archive, AstarGrid *grid, AstarNames *names)
{
    int count = (int)astar_carry(archive, 0, 2);
    if (count < 1 || count > ASTAR_MAX_TERRAINS)
        return ASTAR_BAD_DATA;
    *names = (AstarNames){archive->at, archive->end, (uint32_t)count, sizeof(double), false};
    for (int i = 0; i < count; i++) {
        int terrain;
        astar_carry_name(archive, (AstarName){0}, false);
        double cost = astar_carry_double(archive, 0);
        AstarStatus status = i == 0 ? astar_grid_set_cost(grid, 0, cost)
                                    : astar_grid_add_terrain(grid, cost, &terrain);
        if (archive->is_bad || status != ASTAR_OK)
            return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
    }
    return ASTAR_OK;
}

// Removes a rectangle from the beginning of a run of cells and returns it. A run consists of at
// most three rectangles: the rest of a row, whole rows, and the beginning of a row.
static AstarRectangle take_rectangle(const AstarGrid *grid, uint32_t *cell, uint32_t *length)
{
    uint32_t width = (uint32_t)grid->width, x = *cell % width, y = *cell / width;
    uint32_t rows = x == 0 && *length >= width ? *length / width : 1;
    uint32_t columns = *length < width - x ? *length : width - x;
    *cell += columns * rows;
    *length -= columns * rows;
    return (AstarRectangle){(int)x, (int)y, (int)columns, (int)rows};
}

// Reads the length of a run that begins at 'cell'. A run may be empty only if 'may_be_empty' is
// true, as for the first run of blocks.
static uint32_t read_length(AstarArchive *archive, const AstarGrid *grid, uint32_t cell,
                            bool may_be_empty)
{
    uint32_t length = astar_carry_varint(archive, 0);
    archive->is_bad |= length > grid->cells - cell || (length == 0 && !may_be_empty);
    return length;
}

static AstarStatus read_ground(AstarArchive *archive, AstarGrid *grid)
{
    for (uint32_t cell = 0; cell < grid->cells;) {
        uint32_t length = read_length(archive, grid, cell, false);
        int terrain = astar_carry_byte(archive, 0);
        if (archive->is_bad || terrain >= grid->terrains.count)
            return ASTAR_BAD_DATA;
        while (length > 0) {
            AstarRectangle part = take_rectangle(grid, &cell, &length);
            astar_grid_fill(grid, part.x, part.y, part.width, part.height, terrain);
        }
    }
    return ASTAR_OK;
}

static AstarStatus block_run(AstarGrid *grid, int layer, uint32_t cell, uint32_t length)
{
    AstarStatus status = ASTAR_OK;
    while (length > 0 && status == ASTAR_OK) {
        AstarRectangle part = take_rectangle(grid, &cell, &length);
        status = astar_grid_block_layer(grid, layer, part.x, part.y, part.width, part.height);
    }
    return status;
}

static AstarStatus read_blocks(AstarArchive *archive, AstarGrid *grid, int layer)
{
    bool blocked = false;
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = 0, length; cell < grid->cells && status == ASTAR_OK; cell += length) {
        length = read_length(archive, grid, cell, cell == 0);
        if (archive->is_bad)
            return ASTAR_BAD_DATA;
        if (blocked)
            status = block_run(grid, layer, cell, length);
        blocked = !blocked;
    }
    return status;
}

// Returns true if each cell of a run has a side in each of 'directions'.
static bool have_sides(const AstarGrid *grid, uint32_t cell, uint32_t length, unsigned directions)
{
    if (grid->shape->has_corners || directions == 0)
        return (directions & ~(unsigned)ASTAR_STRAIGHTS) == 0 &&
               (directions == 0 || grid->shape->wraps == 0);
    for (; length > 0; length--, cell++) {
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        if ((directions & ~astar_shape_around(grid->shape, x, y)) != 0)
            return false;
    }
    return true;
}

static AstarStatus read_walls(AstarArchive *archive, AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = 0, length; cell < grid->cells && status == ASTAR_OK; cell += length) {
        length = read_length(archive, grid, cell, false);
        unsigned directions = astar_carry_byte(archive, 0);
        if (archive->is_bad || !have_sides(grid, cell, length, directions))
            return ASTAR_BAD_DATA;
        if (directions != 0)
            status = astar_walls_put(grid, cell, length, (uint8_t)directions);
    }
    return status;
}

// Returns true if a link is valid and comes after the link 'before' in the order of links. 'before'
// is NULL for the first link.
static bool is_link_sound(const AstarGrid *grid, const AstarArc *before, const AstarArc *link)
{
    bool is_in_order = before == NULL || before->from < link->from ||
                       (before->from == link->from && before->to < link->to);
    return is_in_order && link->from < grid->cells && link->to < grid->cells &&
           link->from != link->to && link->cost >= 0 && link->cost <= ASTAR_COST_MAX;
}

static AstarStatus read_links(AstarArchive *archive, AstarGrid *grid)
{
    uint32_t count = astar_carry_word(archive, 0);
    if (archive->is_bad || count > astar_archive_left(archive) / LINK_LENGTH)
        return ASTAR_BAD_DATA;
    if (count == 0)
        return ASTAR_OK;
    AstarArc *links = astar_alloc(&grid->allocator, count, sizeof *links);
    if (links == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++) {
        links[i] = carry_link(archive, (AstarArc){0});
        if (!is_link_sound(grid, i > 0 ? &links[i - 1] : NULL, &links[i]))
            status = ASTAR_BAD_DATA;
    }
    if (status == ASTAR_OK)
        status = astar_links_fill(grid, links, count);
    astar_release(&grid->allocator, links, count, sizeof *links);
    return status;
}

static AstarStatus read_links_and_walls(AstarArchive *archive, AstarGrid *grid, AstarNames *labels)
{
    AstarStatus status = read_walls(archive, grid);
    if (status != ASTAR_OK)
        return status;
    *labels = astar_carry_labels(archive, NULL, false);
    return read_links(archive, grid);
}

// Reads a layer of blocks. Its name must differ from the names of the layers before it.
static AstarStatus read_layer(AstarArchive *archive, AstarGrid *grid)
{
    size_t length = astar_carry_byte(archive, 0);
    const char *name = astar_carry_text(archive, NULL, length);
    if (archive->is_bad || astar_grid_find_layer(grid, name, length) >= 0)
        return ASTAR_BAD_DATA;
    int layer;
    AstarStatus status = astar_grid_layer(grid, name, length, &layer);
    if (status != ASTAR_OK)
        return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
    return read_blocks(archive, grid, layer);
}

static AstarStatus read_layers(AstarArchive *archive, AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    unsigned declared = archive->version == WITH_ALL_LAYERS;
    if (archive->version >= WITH_EXITS)
        declared = astar_carry_byte(archive, 0);
    unsigned count = astar_carry_byte(archive, 0);
    archive->is_bad |= (count == 0 && archive->version < WITH_ALL_LAYERS) || declared > 1;
    for (; count > 0 && status == ASTAR_OK; count--)
        status = read_layer(archive, grid);
    if (declared != 0)
        astar_grid_close_layers(grid);
    return status == ASTAR_OK ? astar_archive_status(archive) : status;
}

// Returns true if the map can have restricted cells, and each cell of a run has a neighbour in each
// of the directions 'barred'. Neighbours beyond the edge count.
static bool have_exits(const AstarGrid *grid, uint32_t cell, uint32_t length, unsigned barred)
{
    if (grid->shape->has_corners || barred == 0)
        return barred == 0 || grid->shape->wraps == 0;
    return have_sides(grid, cell, length, barred);
}

static AstarStatus read_exits(AstarArchive *archive, AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (uint32_t cell = 0, length; cell < grid->cells && status == ASTAR_OK; cell += length) {
        length = read_length(archive, grid, cell, false);
        unsigned barred = astar_carry_byte(archive, 0);
        if (archive->is_bad || !have_exits(grid, cell, length, barred))
            return ASTAR_BAD_DATA;
        if (barred != 0)
            status = astar_exits_put(grid, cell, length, (uint8_t)barred);
    }
    // A grid without restricted cells is saved in an earlier version.
    return status != ASTAR_OK || astar_grid_has_exits(grid) ? status : ASTAR_BAD_DATA;
}

// Reads all data of a grid that follow its width, height, origin and shape.
static AstarStatus read_grid(AstarArchive *archive, AstarGrid *grid, AstarSaved *saved)
{
    AstarStatus status = read_terrains(archive, grid, &saved->terrains);
    if (status == ASTAR_OK)
        status = read_ground(archive, grid);
    if (status == ASTAR_OK)
        status = read_blocks(archive, grid, 0);
    if (status == ASTAR_OK && archive->version >= WITH_LINKS)
        status = read_links_and_walls(archive, grid, &saved->labels);
    if (status == ASTAR_OK && archive->version >= WITH_LAYERS)
        status = read_layers(archive, grid);
    if (status == ASTAR_OK && archive->version >= WITH_EXITS)
        status = read_exits(archive, grid);
    return status == ASTAR_OK ? astar_archive_end(archive) : status;
}

AstarStatus astar_grid_load(const AstarAllocator *allocator, const void *bytes, size_t length,
                            uint32_t max_cells, AstarGrid **out, AstarSaved *saved)
{
    AstarArchive archive = astar_archive_load(bytes, length, saved_grid, WITH_EXITS);
    AstarOffset offset = ASTAR_NO_OFFSET;
    *saved = (AstarSaved){0};
    carry_sides(&archive, saved, &offset);
    int64_t cells = (int64_t)saved->width * saved->height;
    if (archive.is_bad || cells > ASTAR_MAX_CELLS)
        return ASTAR_BAD_DATA;
    if (cells > max_cells)
        return ASTAR_TOO_LARGE;

    AstarGrid *grid;
    AstarStatus status = astar_grid_new_shaped(allocator, offset, saved->width, saved->height,
                                               &grid);
    if (status != ASTAR_OK) // a map that wraps around may be too narrow
        return status == ASTAR_BAD_OPTION ? ASTAR_BAD_DATA : status;
    status = read_grid(&archive, grid, saved);
    if (status == ASTAR_OK)
        *out = grid;
    else
        astar_grid_release(grid);
    return status;
}
