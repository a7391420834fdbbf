// components.c -- the connected components of a bitmap, kept current as bits flip.
//
// What one flip may cut apart, or join, cannot be told from near by: a corridor that is closed may
// have another way round anywhere. So the map is cut into squares of several levels, tiles of 16 x
// 16 cells and squares of 4 x 4 squares of the level below, and each square knows what hangs
// together inside of it. Of that only what touches a side of the square, the open components, can
// be joined further out: they alone count in the square above, of which a component is what hangs
// together of its parts' open ones along the seams between them (union-find). As only sides matter,
// there are few.
//
// A flip makes one tile anew and then each square around it, up to the first whose sides show
// nothing of it. The largest takes as long as its seams are long, the others together as long as
// that: in proportion to the side of the map at worst, where flooding is to all its cells.
//
// Labels of four bytes a cell would cost more than the map itself. A cell stores one byte, its
// component's number in the tile; from there it is one step a level to the first square in which
// its component is closed.

#include "derived/components.h"

#include "derived/component_tile.h"
#include "derived/layer.h"
#include "map/grid.h"

#include <assert.h>
#include <string.h>

enum {
    TILE_SHIFT = 4, // of sides: cells of a tile, parts of a square
    LEVEL_SHIFT = 2,
    WORK_OF_A_SEAM = 16, // of a cell's length, all of a square's
    ALL_SIDES = ASTAR_WEST_SIDE | ASTAR_EAST_SIDE | ASTAR_NORTH_SIDE | ASTAR_SOUTH_SIDE
};
static_assert(ASTAR_MAX_SIDE <= 1 << (TILE_SHIFT + LEVEL_SHIFT * (ASTAR_COMPONENT_LEVELS - 1)),
              "the largest square must hold any map");

// ---- squares ----

static int shift_of(int level)
{
    return TILE_SHIFT + LEVEL_SHIFT * level;
}

// How many squares of a level a length takes.
static uint32_t squares_along(int32_t length, int level)
{
    return ((uint32_t)(length - 1) >> shift_of(level)) + 1;
}

// The square of a level that (x, y) lies in.
static AstarComponentSquare *square_at(const AstarComponents *c, int level, int x, int y)
{
    int shift = shift_of(level);
    return &c->squares[c->begin[level] + (uint32_t)(y >> shift) * squares_along(c->width, level) +
                       (uint32_t)(x >> shift)];
}

static uint8_t local_at(const AstarComponents *c, int x, int y)
{
    return c->local[(size_t)y * (size_t)c->width + (size_t)x];
}

static void count_squares(AstarComponents *c)
{
    uint32_t count = 0;
    for (c->levels = 0; c->levels == 0 || count - c->begin[c->levels - 1] > 1; c->levels++) {
        c->begin[c->levels] = count;
        count += squares_along(c->width, c->levels) * squares_along(c->height, c->levels);
    }
    c->begin[c->levels] = count;
}

// Whether a cell meets the one in a direction.
static bool meets_in(const AstarComponents *c, int x, int y, int direction)
{
    return (c->joins[astar_phase(c->shape, x, y)] >> direction & 1) != 0;
}

// Says in which directions cells meet: all neighbours, at corners only where 'diagonal'.
static void choose_joins(AstarComponents *c, bool diagonal)
{
    unsigned all = c->shape->has_corners && !diagonal ? ASTAR_STRAIGHTS : 0xFF;
    for (unsigned phase = 0; phase < 2; phase++)
        c->joins[phase] = (uint8_t)(c->shape->around[phase] & all);
    c->of_tile = (AstarTileJoins){.by_sides = all == ASTAR_STRAIGHTS};
    for (int i = 0; i < 4; i++)
        c->of_tile.sets[i / 2][i % 2] = c->joins[astar_phase(c->shape, i % 2, i / 2)];
}

// ---- memory ----

AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out)
{
    const AstarAllocator *allocator = &grid->allocator;
    AstarComponents *c = astar_alloc(allocator, 1, sizeof *c);
    if (c == NULL)
        return ASTAR_NO_MEMORY;
    c->allocator = *allocator;
    c->shape = grid->shape;
    choose_joins(c, diagonal);
    c->width = grid->width;
    c->height = grid->height;
    count_squares(c);
    c->local = astar_alloc(allocator, grid->cells, 1);
    c->squares = astar_alloc(allocator, c->begin[c->levels], sizeof *c->squares);
    if (c->local == NULL || c->squares == NULL) {
        astar_components_free(c);
        return ASTAR_NO_MEMORY;
    }
    astar_components_outdate(c);
    *out = c;
    return ASTAR_OK;
}

AstarComponents *astar_components_copy(const AstarGrid *grid, bool diagonal,
                                       const AstarComponents *from)
{
    AstarComponents *c;
    bool is_whole = from != NULL && !astar_get(&from->stale) && from->patch == NULL;
    if (!is_whole || astar_components_new(grid, diagonal, &c) != ASTAR_OK)
        return NULL;
    c->numbers = astar_alloc(&c->allocator, from->label_capacity, sizeof *c->numbers);
    if (c->numbers == NULL && from->label_capacity > 0) {
        astar_components_free(c);
        return NULL;
    }
    c->label_count = from->label_count;
    c->label_capacity = from->label_capacity;
    c->emptied = from->emptied;
    memcpy(c->local, from->local, grid->cells);
    memcpy(c->squares, from->squares, c->begin[c->levels] * sizeof *c->squares);
    if (from->label_count > 0)
        memcpy(c->numbers, from->numbers, from->label_count * sizeof *c->numbers);
    astar_put(&c->stale, false);
    return c;
}

void astar_components_free(AstarComponents *c)
{
    if (c == NULL)
        return;
    AstarAllocator allocator = c->allocator;
    if (c->patch != NULL)
        astar_release(&allocator, c->patch->cells, astar_component_patch_numbers(c->patch),
                      sizeof *c->patch->cells);
    astar_release(&allocator, c->patch, 1, sizeof *c->patch);
    astar_release(&allocator, c->local, (size_t)c->width * (size_t)c->height, 1);
    astar_release(&allocator, c->squares, c->begin[c->levels], sizeof *c->squares);
    astar_release(&allocator, c->numbers, c->label_capacity, sizeof *c->numbers);
    astar_release(&allocator, c, 1, sizeof *c);
}

size_t astar_components_bytes(const AstarComponents *c)
{
    if (c == NULL)
        return 0;
    size_t patch = c->patch == NULL ? 0
                                    : sizeof *c->patch + astar_component_patch_numbers(c->patch) *
                                                             sizeof *c->patch->cells;
    return sizeof *c + patch + (size_t)c->width * (size_t)c->height +
           c->begin[c->levels] * sizeof *c->squares + c->label_capacity * sizeof *c->numbers;
}

// Makes room for as many numbers beyond those in use.
static bool reserve_numbers(AstarComponents *c, uint32_t count)
{
    if (c->label_capacity - c->label_count >= count)
        return true;
    size_t room = c->label_capacity;
    uint32_t *numbers = astar_array_resize(&c->allocator, c->numbers, c->label_count,
                                           sizeof *numbers, &room,
                                           c->label_count + c->label_count / 2 + count);
    if (numbers == NULL)
        return false;
    c->numbers = numbers;
    c->label_capacity = (uint32_t)room;
    return true;
}

// Sees to it that a square has room of its own for so many numbers, with some to spare.
static bool reserve_room(AstarComponents *c, AstarComponentSquare *square, uint32_t count)
{
    if (square->capacity >= count)
        return true;
    uint32_t capacity = square->capacity == 0 ? count : count + count / 4 + 4;
    if (!reserve_numbers(c, capacity))
        return false;
    square->first = c->label_count;
    square->capacity = capacity;
    c->label_count += capacity;
    return true;
}

// ---- labels ----

// By a patch, what hangs together gets a label beyond those there were.
static uint32_t patched_label(const AstarComponentPatch *patch, int x, int y)
{
    const AstarComponents *under = patch->under;
    uint32_t node = astar_component_patch_cell(patch, x, y), label = 0;
    if (node == UINT32_MAX) {
        label = astar_components_label(under, x, y);
        node = astar_component_patch_label(patch, label);
    }
    return node == UINT32_MAX ? label : under->label_count + patch->roots[node];
}

// The label of a component by its number in the tile of a cell.
static uint32_t label_of_local(const AstarComponents *c, int x, int y, uint32_t number)
{
    const AstarComponentSquare *square = square_at(c, 0, x, y);
    if (number >= square->open)
        return square->first + number - square->open;
    for (int level = 1;; level++) {
        uint32_t counted = square->at + number;
        square = square_at(c, level, x, y);
        number = c->numbers[square->first + counted];
        if (number >= square->open)
            return square->first + number;
    }
}

uint32_t astar_components_label(const AstarComponents *c, int x, int y)
{
    assert(!astar_get(&c->stale));
    return c->patch != NULL ? patched_label(c->patch, x, y)
                            : label_of_local(c, x, y, local_at(c, x, y));
}

bool astar_components_tile_may_have(const AstarComponents *c, int x, int y, uint32_t label)
{
    if (c->patch != NULL)
        return true;
    const AstarComponentSquare *tile = square_at(c, 0, x, y);
    for (uint32_t number = 0; number < tile->open + tile->count; number++)
        if (label_of_local(c, x, y, number) == label)
            return true;
    return false;
}

ASTAR_HOT bool astar_components_join(const AstarComponents *c, int x0, int y0, int x1, int y1)
{
    assert(!astar_get(&c->stale));
    if (c->patch != NULL)
        return patched_label(c->patch, x0, y0) == patched_label(c->patch, x1, y1);
    uint32_t number = local_at(c, x0, y0), other = local_at(c, x1, y1);
    const AstarComponentSquare *square = square_at(c, 0, x0, y0), *beside = square_at(c, 0, x1, y1);
    for (int level = 1; square != beside; level++) {
        if (number >= square->open || other >= beside->open) // it ends inside the square
            return false;
        uint32_t counted = square->at + number, other_counted = beside->at + other;
        square = square_at(c, level, x0, y0);
        beside = square_at(c, level, x1, y1);
        number = c->numbers[square->first + counted];
        other = c->numbers[beside->first + other_counted];
    }
    return number == other ||
           (number < square->open && other < square->open &&
            astar_components_label(c, x0, y0) == astar_components_label(c, x1, y1));
}

// ---- tiles ----

static uint16_t bits_of_tile(const AstarBits *bits, int x, int y, int width)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t bit = (size_t)(x + 1);
    unsigned shift = bit & 63;
    uint64_t word = row[bit >> 6] >> shift;
    if (shift + (unsigned)width > 64)
        word |= row[(bit >> 6) + 1] << (64 - shift);
    return (uint16_t)(word & (((uint64_t)1 << width) - 1));
}

// The sides of a square beyond which there is more of the map.
static unsigned open_sides(const AstarComponents *c, int level, int x, int y)
{
    int shift = shift_of(level), column = x >> shift, row = y >> shift;
    return (column > 0 ? ASTAR_WEST_SIDE : 0) | (row > 0 ? ASTAR_NORTH_SIDE : 0) |
           (column < (c->width - 1) >> shift ? ASTAR_EAST_SIDE : 0) |
           (row < (c->height - 1) >> shift ? ASTAR_SOUTH_SIDE : 0);
}

// The sides of a tile at which cells have other numbers than before.
static unsigned changed_sides(const AstarComponents *c, int x, int y, int width, int height,
                              const AstarTileLabels *labels)
{
    unsigned changed = 0;
    size_t all = (size_t)width, last = all - 1;
    for (int row = 0; row < height; row++) {
        const uint8_t *local = &c->local[(size_t)(y + row) * (size_t)c->width + (size_t)x];
        const uint8_t *cells = labels->cells[row];
        changed |= (local[0] != cells[0] ? ASTAR_WEST_SIDE : 0) |
                   (local[last] != cells[last] ? ASTAR_EAST_SIDE : 0);
        if (row == 0 && memcmp(local, cells, all) != 0)
            changed |= ASTAR_NORTH_SIDE;
        if (row == height - 1 && memcmp(local, cells, all) != 0)
            changed |= ASTAR_SOUTH_SIDE;
    }
    return changed;
}

static void store_labels(AstarComponents *c, int x, int y, int width, int height,
                         const AstarTileLabels *labels)
{
    for (int row = 0; row < height; row++) {
        uint8_t *local = &c->local[(size_t)(y + row) * (size_t)c->width + (size_t)x];
        if (width == ASTAR_TILE)
            memcpy(local, labels->cells[row], ASTAR_TILE);
        else
            memcpy(local, labels->cells[row], (size_t)width);
    }
}

// What of a square came out other than it was.
typedef struct Change {
    AstarStatus status; // ASTAR_RUNNING: there was no work left for it; ASTAR_NO_MEMORY
    unsigned sides;     // those at which cells have other numbers
} Change;

static Change update_tile(AstarComponents *c, const AstarBits *bits, AstarComponentSquare *tile,
                          int x, int y, int64_t *work)
{
    if (*work < 1)
        return (Change){.status = ASTAR_RUNNING};
    *work -= ASTAR_TILE * ASTAR_TILE;
    int width = c->width - x < ASTAR_TILE ? c->width - x : ASTAR_TILE;
    int height = c->height - y < ASTAR_TILE ? c->height - y : ASTAR_TILE;
    uint16_t rows[ASTAR_TILE] = {0};
    for (int row = 0; row < height; row++)
        rows[row] = bits_of_tile(bits, x, y + row, width);
    AstarTileLabels labels;
    astar_tile_label(rows, &c->of_tile, open_sides(c, 0, x, y), &labels);
    tile->open = (uint32_t)labels.open;
    tile->count = (uint32_t)(labels.count - labels.open);
    if (!reserve_room(c, tile, tile->count))
        return (Change){.status = ASTAR_NO_MEMORY};
    // What is made the first time is not read: its memory was never touched.
    Change change = {.sides = tile->is_changed ? ALL_SIDES
                                               : changed_sides(c, x, y, width, height, &labels)};
    store_labels(c, x, y, width, height, &labels);
    tile->outdated = tile->is_changed = false;
    return change;
}

// ---- squares of squares ----

// While a square is made, the open components of its parts, counted through, are linked to others
// that they hang together with, in the end to the first of these.
typedef struct Merge {
    const AstarComponents *c;
    uint32_t *links;
    int level;
    int x0, y0, x1, y1; // the square's cells, inside the map; the last ones among them
} Merge;

// Of the first of those that hang together: they touch a side of the square.
static const uint32_t TOUCHES_SIDE = (uint32_t)1 << 31;

// The open component of a part that a cell at the part's side is in, as counted in the square.
static uint32_t counted_at(const Merge *merge, int x, int y, uint32_t number)
{
    const AstarComponents *c = merge->c;
    for (int level = 0;; level++) {
        const AstarComponentSquare *part = square_at(c, level, x, y);
        assert(number < part->open);
        number += part->at;
        if (level + 1 == merge->level)
            return number;
        number = c->numbers[square_at(c, level + 1, x, y)->first + number];
    }
}

static uint32_t first_link(uint32_t *links, uint32_t node)
{
    while (links[node] != node)
        node = links[node] = links[links[node]];
    return node;
}

static void link_cells(const Merge *merge, int x, int y, int other_x, int other_y)
{
    const AstarComponents *c = merge->c;
    uint32_t a = counted_at(merge, x, y, local_at(c, x, y));
    uint32_t b = counted_at(merge, other_x, other_y, local_at(c, other_x, other_y));
    a = first_link(merge->links, a);
    b = first_link(merge->links, b);
    merge->links[a < b ? b : a] = a < b ? a : b;
}

// Links what touches across a seam: from (x, y) on 'count' cells downwards, if it is upright, else
// to the east, and those before them. A corner counts only where nothing else beside it does.
static void link_seam(const Merge *merge, bool upright, int x, int y, int count)
{
    const AstarComponents *c = merge->c;
    size_t along = upright ? (size_t)c->width : 1, across = upright ? 1 : (size_t)c->width;
    const uint8_t *here = &c->local[(size_t)y * (size_t)c->width + (size_t)x];
    const uint8_t *before = here - across;
    int last = -1; // the pair of numbers linked last, in the same two tiles
    int dx = !upright, dy = upright;
    for (int i = 0; i < count; i++, x += dx, y += dy, here += along, before += along) {
        bool set = *here != ASTAR_NO_COMPONENT, other_set = *before != ASTAR_NO_COMPONENT;
        if (((upright ? y : x) & (ASTAR_TILE - 1)) == 0)
            last = -1;
        int pair = *here << 8 | *before;
        if (set && other_set && pair != last && meets_in(c, x, y, upright ? 6 : 0)) {
            link_cells(merge, x, y, x - dy, y - dx);
            last = pair;
        }
        if (c->of_tile.by_sides || i == 0 || set == other_set)
            continue;
        bool last_set = *(here - along) != ASTAR_NO_COMPONENT;
        bool last_other = *(before - along) != ASTAR_NO_COMPONENT;
        if (set && last_other && !last_set && meets_in(c, x, y, 7))
            link_cells(merge, x, y, x - dx - dy, y - dy - dx);
        if (other_set && last_set && !last_other && meets_in(c, x, y - 1, 5))
            link_cells(merge, x - dy, y - dx, x - dx, y - dy);
    }
}

static void link_seams(const Merge *merge)
{
    int side = 1 << shift_of(merge->level - 1);
    for (int x = merge->x0 + side; x <= merge->x1; x += side)
        link_seam(merge, true, x, merge->y0, merge->y1 - merge->y0 + 1);
    for (int y = merge->y0 + side; y <= merge->y1; y += side)
        link_seam(merge, false, merge->x0, y, merge->x1 - merge->x0 + 1);
}

// Marks what is in the cells of one side of the square.
static void mark_side(const Merge *merge, bool upright, int x, int y)
{
    const AstarComponents *c = merge->c;
    int last = -1, *along = upright ? &y : &x, end = upright ? merge->y1 : merge->x1;
    for (; *along <= end; ++*along) {
        int number = local_at(c, x, y);
        if ((*along & (ASTAR_TILE - 1)) == 0)
            last = -1;
        if (number == ASTAR_NO_COMPONENT || number == last)
            continue;
        uint32_t *links = merge->links, node = counted_at(merge, x, y, (uint32_t)number);
        while ((links[node] & ~TOUCHES_SIDE) != node)
            node = links[node];
        links[node] |= TOUCHES_SIDE;
        last = number;
    }
}

static void mark_sides(const Merge *merge)
{
    unsigned sides = open_sides(merge->c, merge->level, merge->x0, merge->y0);
    if ((sides & ASTAR_WEST_SIDE) != 0)
        mark_side(merge, true, merge->x0, merge->y0);
    if ((sides & ASTAR_EAST_SIDE) != 0)
        mark_side(merge, true, merge->x1, merge->y0);
    if ((sides & ASTAR_NORTH_SIDE) != 0)
        mark_side(merge, false, merge->x0, merge->y0);
    if ((sides & ASTAR_SOUTH_SIDE) != 0)
        mark_side(merge, false, merge->x0, merge->y1);
}

// Replaces links by numbers: open ones from 0 on, closed ones from the last down. A link leads to
// one that has its number already. Returns how many are open.
static uint32_t number_links(uint32_t *links, uint32_t count)
{
    uint32_t open = 0, closed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t link = links[i] & ~TOUCHES_SIDE;
        if (link < i)
            links[i] = links[link];
        else
            links[i] = (links[i] & TOUCHES_SIDE) != 0 ? open++ : count - ++closed;
    }
    return open;
}

// Counts the open components of a square's parts through; true if that is as it was.
static bool count_parts(AstarComponents *c, const Merge *merge, uint32_t *count)
{
    bool same = true;
    int side = 1 << shift_of(merge->level - 1);
    *count = 0;
    for (int y = merge->y0; y <= merge->y1; y += side)
        for (int x = merge->x0; x <= merge->x1; x += side) {
            AstarComponentSquare *part = square_at(c, merge->level - 1, x, y);
            same = same && part->at == *count;
            part->at = *count;
            *count += part->open;
        }
    return same;
}

// Makes a square of its parts.
static Change merge_parts(AstarComponents *c, AstarComponentSquare *square, Merge *merge,
                          int64_t *work)
{
    if (*work < 1)
        return (Change){.status = ASTAR_RUNNING};
    *work -= (int64_t)WORK_OF_A_SEAM << shift_of(merge->level);
    uint32_t count;
    bool same = count_parts(c, merge, &count) && count == square->count;
    // They are linked beyond all that is in use, so that what comes out can be compared.
    if (!reserve_room(c, square, count) || !reserve_numbers(c, count + 1))
        return (Change){.status = ASTAR_NO_MEMORY};
    uint32_t *links = merge->links = c->numbers + c->label_count;
    for (uint32_t i = 0; i < count; i++)
        links[i] = i;
    link_seams(merge);
    mark_sides(merge);
    uint32_t open = number_links(links, count);
    uint32_t *numbers = c->numbers + square->first;
    same = same && open == square->open && memcmp(numbers, links, count * sizeof *links) == 0;
    memcpy(numbers, links, count * sizeof *links);
    square->count = count;
    square->open = open;
    return (Change){.sides = same ? 0 : ALL_SIDES};
}

// The sides of a square that the same sides of the part at (x, y) are part of.
static unsigned sides_of_part(const Merge *merge, int x, int y)
{
    int side = 1 << shift_of(merge->level - 1);
    return (x == merge->x0 ? ASTAR_WEST_SIDE : 0) | (y == merge->y0 ? ASTAR_NORTH_SIDE : 0) |
           (x + side > merge->x1 ? ASTAR_EAST_SIDE : 0) |
           (y + side > merge->y1 ? ASTAR_SOUTH_SIDE : 0);
}

// Makes a square of its parts, once these are made. What is known of them is kept where that is
// broken off.
static Change update_square(AstarComponents *c, const AstarBits *bits, int level, int x, int y,
                            int64_t *work)
{
    AstarComponentSquare *square = square_at(c, level, x, y);
    if (!square->outdated)
        return (Change){.sides = 0};
    if (level == 0)
        return update_tile(c, bits, square, x, y, work);
    int size = 1 << shift_of(level), side = 1 << shift_of(level - 1);
    Merge merge = {.c = c, .level = level, .x0 = x, .y0 = y};
    merge.x1 = c->width - x < size ? c->width - 1 : x + size - 1;
    merge.y1 = c->height - y < size ? c->height - 1 : y + size - 1;
    for (int part_y = y; part_y <= merge.y1; part_y += side)
        for (int part_x = x; part_x <= merge.x1; part_x += side) {
            Change part = update_square(c, bits, level - 1, part_x, part_y, work);
            if (part.status != ASTAR_OK)
                return part;
            square->is_changed |= part.sides != 0;
            square->changed |= (uint8_t)(part.sides & sides_of_part(&merge, part_x, part_y));
        }
    Change change = {.sides = 0};
    if (square->is_changed)
        change = merge_parts(c, square, &merge, work);
    if (change.status != ASTAR_OK)
        return change;
    change.sides |= square->changed;
    square->outdated = square->is_changed = false;
    square->changed = 0;
    return change;
}

// Marks all squares, after which nothing is left of what they were.
static void empty_squares(AstarComponents *c, int64_t *work)
{
    for (; c->emptied < c->begin[c->levels] && *work > 0; c->emptied++, *work -= 4)
        c->squares[c->emptied] = (AstarComponentSquare){.outdated = true, .is_changed = true};
}

AstarStatus astar_components_advance(AstarComponents *c, const AstarBits *bits, int64_t *work)
{
    if (!astar_get(&c->stale))
        return ASTAR_OK;
    empty_squares(c, work);
    if (c->emptied < c->begin[c->levels])
        return ASTAR_RUNNING;
    Change change = update_square(c, bits, c->levels - 1, 0, 0, work);
    if (change.status == ASTAR_OK)
        astar_put(&c->stale, false);
    return change.status;
}

// ---- edits ----

void astar_components_outdate(AstarComponents *c)
{
    c->emptied = 0;
    c->label_count = 0;
    astar_put(&c->stale, true);
}

void astar_components_edited(AstarComponents *c, int x, int y, int width, int height)
{
    for (int row = y & ~(ASTAR_TILE - 1); row < y + height; row += ASTAR_TILE)
        for (int column = x & ~(ASTAR_TILE - 1); column < x + width; column += ASTAR_TILE)
            for (int level = 0; level < c->levels; level++) {
                AstarComponentSquare *square = square_at(c, level, column, row);
                if (square->outdated)
                    break;
                square->outdated = true;
            }
    astar_put(&c->stale, true);
}
