// walkable.c -- The layer of walkable cells: one bit for each position that a unit can occupy.
//
// Units differ in the terrains that they enter and in the layers of blocks that they ignore. Units
// that agree in both respects share a bitmap. The bitmap is attached to the grid, so that an edit
// repairs it: an edit of one cell changes one bit and the components next to the cell. A large fill
// marks the bitmap stale, and the next query rebuilds it.
//
// Units of several cells have a bitmap of the positions where they fit. This bitmap is the eroded
// bitmap of units of one cell, which is called the base. Components and bitmaps for jumps are built
// in the same way for units of all sizes.

#include "layers/walkable.h"

#include "layers/baked.h"
#include "layers/dead_ends.h"
#include "layers/jump_bitmaps.h"
#include "layers/jump_turns.h"
#include "layers/nonuniform.h"
#include "map/blocks.h"

#include <assert.h>
#include <string.h>

enum {
    // If an edit changes more than 1 / REBUILT_SHARE of the map, all bits are rebuilt.
    REBUILT_SHARE = 4,
    ROWS_A_STRIP = 64 // number of rows of a base that are eroded at a time
};

// The following functions build the bits.

static void build_row(const AstarGrid *grid, AstarWalkable *walkable, int y, const uint8_t *enter)
{
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    uint64_t *row = astar_bits_row(&walkable->bits, y);
    const uint64_t ignored = walkable->layer.ignored;
    const bool has_blocks = astar_blocks_first(grid, ignored) != NULL;
    uint64_t word = 0;
    for (int x = 0; x <= grid->width; x++) {
        unsigned bit = (unsigned)(x + 1) & 63;
        if (bit == 0 || x == grid->width) {
            size_t place = (size_t)x >> 6;
            uint64_t barred = has_blocks ? astar_blocks_word(grid, ignored, y, place) : 0;
            row[place] = word & ~barred;
            word = 0;
        }
        if (x < grid->width)
            word |= (uint64_t)enter[ground[x]] << bit;
    }
}

// Erodes the next rows of the base. 'strip' has room for these rows and for the rows below them
// that squares extend to. Rows of 'strip' beyond the end of the map stay zero.
static void erode_rows(const AstarGrid *grid, AstarWalkable *walkable, AstarBits *strip, int rows)
{
    int y = walkable->layer.built, below = grid->height - y;
    int needed = rows + walkable->body.height - 1, count = needed < below ? needed : below;
    size_t row = walkable->bits.stride * sizeof *strip->words;
    memset(strip->words, 0, strip->count * sizeof *strip->words);
    memcpy(astar_bits_row(strip, 0), astar_bits_row(&walkable->base->bits, y), (size_t)count * row);
    astar_erode(strip, needed, walkable->body);
    count = rows < below ? rows : below;
    memcpy(astar_bits_row(&walkable->bits, y), astar_bits_row(strip, 0), (size_t)count * row);
    walkable->layer.built += count;
}

static AstarStatus build_from_base(const AstarGrid *grid, AstarWalkable *walkable, int64_t *work)
{
    AstarStatus status = astar_layer_build(grid, walkable->base, work);
    if (status != ASTAR_OK)
        return status;
    int rows = walkable->body.height + ROWS_A_STRIP;
    rows = rows < grid->height ? rows : grid->height;
    AstarBits strip = astar_bits_new(&grid->allocator, grid->width,
                                     rows + walkable->body.height - 1);
    if (strip.words == NULL)
        return ASTAR_NO_MEMORY;
    while (*work > 0 && walkable->layer.built < grid->height) {
        erode_rows(grid, walkable, &strip, rows);
        *work -= rows * (int64_t)grid->width;
    }
    astar_bits_free(&grid->allocator, &strip);
    return walkable->layer.built < grid->height ? ASTAR_RUNNING : ASTAR_OK;
}

// Builds 'count' rows of bits, from row y on.
static void build_rows(const AstarGrid *grid, AstarWalkable *walkable, int y, int count)
{
    uint8_t enter[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        enter[i] = astar_terrain_set_has(&walkable->enterable, i);
    for (int end = y + count; y < end; y++)
        build_row(grid, walkable, y, enter);
}

static AstarStatus build_from_map(const AstarGrid *grid, AstarWalkable *walkable, int64_t *work)
{
    int32_t *built = &walkable->layer.built;
    int64_t rows = (*work - 1) / grid->width + 1;
    int count = rows < grid->height - *built ? (int)rows : grid->height - *built;
    if (*work < 1)
        return ASTAR_RUNNING;
    build_rows(grid, walkable, *built, count);
    *built += count;
    *work -= count * (int64_t)grid->width;
    return *built < grid->height ? ASTAR_RUNNING : ASTAR_OK;
}

void astar_walkable_outdate(AstarWalkable *walkable)
{
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_outdate(walkable->components[i]);
    for (AstarJumpBitmaps *each = walkable->all_jumps; each != NULL; each = each->next)
        astar_jump_outdate(each);
}

static AstarStatus build_walkable(const AstarGrid *grid, void *layer, int64_t *work)
{
    AstarWalkable *walkable = layer;
    if (walkable->layer.built == 0)
        astar_walkable_outdate(walkable);
    return walkable->base != NULL ? build_from_base(grid, walkable, work)
                                  : build_from_map(grid, walkable, work);
}

// The following functions build components and bitmaps for jumps.

// Creates the components if they do not exist yet, and continues building them.
static AstarStatus build_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                    int64_t *work)
{
    AstarComponents *components = astar_get(&walkable->components[diagonal]);
    if (components == NULL) {
        AstarStatus status = astar_components_new(grid, diagonal, &components);
        if (status != ASTAR_OK)
            return status;
        astar_put(&walkable->components[diagonal], components);
    }
    return astar_components_advance(components, &walkable->bits, work);
}

AstarStatus astar_walkable_advance_components(const AstarGrid *grid, AstarWalkable *walkable,
                                              bool diagonal, int64_t *work)
{
    const AstarComponents *components = astar_get(&walkable->components[diagonal]);
    if (components != NULL && !astar_get(&components->stale))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = build_components(grid, walkable, diagonal, work);
    astar_grid_unlock(grid);
    return status;
}

AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_walkable_advance_components(grid, walkable, diagonal, &work);
    *out = astar_get(&walkable->components[diagonal]);
    return status;
}

// Creates the bitmaps for jumps if they do not exist yet, and continues building them.
static AstarStatus build_jump(const AstarGrid *grid, AstarWalkable *walkable,
                              const AstarJumpKey *key, int64_t *work)
{
    AstarJumpBitmaps *jump = astar_get(key->place);
    if (jump == NULL) {
        AstarStatus status = astar_jump_new(&grid->allocator, grid->width, grid->height, key->rule,
                                            &jump);
        if (status != ASTAR_OK)
            return status;
        jump->nonuniform = key->nonuniform;
        jump->nonuniform_columns = key->nonuniform_columns;
        jump->next = walkable->all_jumps;
        walkable->all_jumps = jump;
        astar_put(key->place, jump);
    }
    return astar_jump_advance(jump, &walkable->bits, work);
}

AstarStatus astar_walkable_advance_jumps(const AstarGrid *grid, AstarWalkable *walkable,
                                         const AstarJumpKey *key, int64_t *work)
{
    if (astar_jump_is_current(astar_get(key->place)))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = build_jump(grid, walkable, key, work);
    astar_grid_unlock(grid);
    return status;
}

AstarStatus astar_walkable_advance_jump(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarDiagonals rule, int64_t *work)
{
    AstarJumpKey key = {.place = &walkable->jumps[rule], .rule = rule};
    return astar_walkable_advance_jumps(grid, walkable, &key, work);
}

AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJumpBitmaps **out)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_walkable_advance_jump(grid, walkable, rule, &work);
    *out = astar_get(&walkable->jumps[rule]);
    return status;
}

AstarStatus astar_walkable_advance_dead_ends(const AstarGrid *grid, const AstarWalkable *walkable,
                                             AstarJumpBitmaps *jump, int64_t *work)
{
    astar_grid_lock(grid);
    AstarStatus status = astar_dead_ends_advance(jump, &walkable->bits, work);
    astar_grid_unlock(grid);
    return status;
}

// The following functions repair the layer after edits.

void astar_walkable_put(AstarWalkable *walkable, int x, int y, bool value)
{
    if (astar_bits_get(&walkable->bits, x, y) == value)
        return;
    astar_bits_put(&walkable->bits, x, y, value);
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_edited(walkable->components[i], x, y, 1, 1);
    for (AstarJumpBitmaps *each = walkable->all_jumps; each != NULL; each = each->next)
        astar_jump_edited(each, &walkable->bits, x, y, false);
}

// A rectangle of cells; x1 and y1 are inclusive.
typedef struct EditedArea {
    int x0, y0, x1, y1;
} EditedArea;

// Returns which cells of a word of row y can be entered. Only the cells in 'mask' are examined.
static uint64_t enterable_in_word(const AstarGrid *grid, const AstarWalkable *walkable, int y,
                                  size_t word, uint64_t mask)
{
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    uint64_t fits = 0;
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        int bit = astar_lowest_bit(rest), x = (int)(64 * word) + bit - 1;
        fits |= (uint64_t)astar_terrain_set_has(&walkable->enterable, ground[x]) << bit;
    }
    return fits & ~astar_blocks_word(grid, walkable->layer.ignored, y, word);
}

// Finds the bits that have to change within an area, in one word of each of up to 64 rows. The
// wanted bits are those of the layer 'like', or those of the map if 'like' is NULL.
static void find_flips(const AstarGrid *grid, const AstarWalkable *walkable, const AstarBits *like,
                       const EditedArea *area, int y, int rows, size_t word, uint64_t flips[64])
{
    uint64_t mask = astar_bits_mask(word, (size_t)area->x0 + 1, (size_t)area->x1 + 1);
    if (like == NULL && walkable->base != NULL)
        astar_erode_words(&walkable->base->bits, grid->height, walkable->body, y, rows, word,
                          flips);
    for (int i = 0; i < rows; i++) {
        if (like != NULL)
            flips[i] = astar_bits_row(like, y + i)[word];
        else if (walkable->base == NULL)
            flips[i] = enterable_in_word(grid, walkable, y + i, word, mask);
        flips[i] = (flips[i] ^ astar_bits_row(&walkable->bits, y + i)[word]) & mask;
    }
}

enum { COUNT_FLIPS, FLIP_ONE_BY_ONE, FLIP_AT_ONCE };

// Visits all bits of an area that have to change, and returns their number. 'how' says whether the
// bits are only counted, changed one by one with repairs of everything that depends on them, or
// changed together.
static int go_through_flips(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                            const EditedArea *area, int how)
{
    const size_t first = (size_t)(area->x0 + 1) >> 6, last = (size_t)(area->x1 + 1) >> 6;
    int count = 0;
    for (int y = area->y0; y <= area->y1; y += 64)
        for (size_t word = first; word <= last; word++) {
            uint64_t flips[64];
            int rows = area->y1 - y < 64 ? area->y1 - y + 1 : 64;
            find_flips(grid, walkable, like, area, y, rows, word, flips);
            for (int i = 0; i < rows; i++) {
                uint64_t *bits = &astar_bits_row(&walkable->bits, y + i)[word], rest = flips[i];
                count += (int)astar_count_bits(rest);
                if (how == FLIP_AT_ONCE)
                    *bits ^= rest;
                for (; how == FLIP_ONE_BY_ONE && rest != 0; rest &= rest - 1)
                    astar_walkable_put(walkable, (int)(64 * word) + astar_lowest_bit(rest) - 1,
                                       y + i, (~*bits & rest & (~rest + 1)) != 0);
            }
        }
    return count;
}

void astar_walkable_copy_area(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                              int x, int y, int width, int height, int *most)
{
    EditedArea area = {x, y, x + width - 1, y + height - 1};
    if ((int64_t)width * height <= *most ||
        go_through_flips(grid, walkable, like, &area, COUNT_FLIPS) <= *most) {
        *most -= go_through_flips(grid, walkable, like, &area, FLIP_ONE_BY_ONE);
        return;
    }
    go_through_flips(grid, walkable, like, &area, FLIP_AT_ONCE);
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_edited(walkable->components[i], x, y, width, height);
    for (AstarJumpBitmaps *each = walkable->all_jumps; each != NULL; each = each->next)
        astar_jump_area_edited(each, x, y, width, height);
}

// Repairs the bits of all positions at which the unit overlaps an edit.
static void repair_corners(const AstarGrid *grid, AstarWalkable *walkable, const AstarEdit *edit)
{
    int most = ASTAR_MOST_FLIPS, x = astar_greater(edit->x - walkable->body.width + 1, 0),
        y = astar_greater(edit->y - walkable->body.height + 1, 0);
    astar_walkable_copy_area(grid, walkable, NULL, x, y, edit->x + edit->width - x,
                             edit->y + edit->height - y, &most);
}

// Returns true if an edit changes so many positions that rebuilding all bits is less work. An edit
// that is too large for a base is too large for all layers built from the base.
static bool is_large_for_walkable(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    const AstarBody body = ((const AstarWalkable *)layer)->body;
    int64_t width = edit->width + (int64_t)body.width - 1;
    int64_t height = edit->height + (int64_t)body.height - 1;
    return width * height > grid->cells / REBUILT_SHARE;
}

// Repairs a base after an edit, and then the layers that are built from it.
static void repair_walkable(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarWalkable *walkable = layer;
    if (walkable->base != NULL)
        return;
    repair_corners(grid, walkable, edit);
    for (AstarLayer *each = grid->layers[ASTAR_WALKABLES]; each != NULL; each = each->next) {
        AstarWalkable *wide = (AstarWalkable *)each;
        if (wide->base == walkable && astar_layer_is_begun(each))
            repair_corners(grid, wide, edit);
    }
}

// The following functions are the arguments of ASTAR_LAYER_KIND for this layer.

static bool enters_the_same(const void *layer, const void *key)
{
    const AstarWalkable *a = layer, *b = key;
    return a->body.width == b->body.width && a->body.height == b->body.height &&
           a->layer.ignored == b->layer.ignored &&
           memcmp(&a->enterable, &b->enterable, sizeof a->enterable) == 0;
}

static bool open_walkable(const AstarGrid *grid, void *layer)
{
    AstarWalkable *walkable = layer;
    walkable->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    if (walkable->bits.words == NULL || astar_is_one_cell(walkable->body))
        return walkable->bits.words != NULL;
    AstarWalkable key = {
        .layer = {.kind = walkable->layer.kind, .ignored = walkable->layer.ignored},
        .enterable = walkable->enterable,
        .body = ASTAR_ONE_CELL};
    walkable->base = astar_layer_take(grid, &key);
    return walkable->base != NULL;
}

void astar_walkable_close(const AstarGrid *grid, void *layer)
{
    AstarWalkable *walkable = layer;
    for (int i = 0; i < 2; i++)
        astar_components_free(walkable->components[i]);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        astar_jump_free(walkable->jumps[i]);
    if (ASTAR_HAS_BAKING)
        astar_baked_maps_free(grid, walkable);
    astar_bits_free(&grid->allocator, &walkable->bits);
    astar_layer_drop(grid, walkable->base);
}

size_t astar_walkable_bytes(const AstarGrid *grid, const void *layer)
{
    (void)grid;
    const AstarWalkable *walkable = layer;
    size_t bytes = walkable->bits.count * sizeof *walkable->bits.words;
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        bytes += astar_jump_bytes(walkable->jumps[i]);
    for (int i = 0; i < 2; i++)
        bytes += astar_components_bytes(walkable->components[i]);
    if (ASTAR_HAS_BAKING)
        bytes += astar_baked_maps_bytes(walkable);
    return bytes;
}

static void copy_to_equal(AstarGrid *grid, const void *layer);

ASTAR_LAYER_KIND(walkable_kind, AstarWalkable, ASTAR_WALKABLES, 4, enters_the_same, open_walkable,
                 astar_walkable_close, astar_walkable_bytes, build_walkable, is_large_for_walkable,
                 repair_walkable, NULL, copy_to_equal);

AstarStatus astar_walkable_acquire(const AstarGrid *grid, const AstarTerrainSet *enterable,
                                   AstarBody body, uint64_t ignored, AstarWalkable **out)
{
    AstarWalkable key = {.layer = {.kind = &walkable_kind, .ignored = ignored},
                         .enterable = *enterable,
                         .body = body};
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// The following functions copy a layer to an equal grid.

// Makes a stale layer equal to another layer. Components and bitmaps for jumps are copied if they
// are up to date.
static void copy_current(const AstarGrid *grid, AstarWalkable *copy, const AstarWalkable *from)
{
    memcpy(copy->bits.words, from->bits.words, from->bits.count * sizeof *from->bits.words);
    for (int i = 0; i < 2; i++)
        copy->components[i] = astar_components_copy(grid, i == 1, from->components[i]);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++) {
        AstarJumpBitmaps *jump = astar_jump_copy((AstarDiagonals)i, from->jumps[i]);
        copy->jumps[i] = jump;
        if (jump == NULL)
            continue;
        jump->next = copy->all_jumps;
        copy->all_jumps = jump;
    }
    astar_put(&copy->layer.stale, false);
}

// Copies a layer to an equal grid, which no thread reads yet. If the layer of a large unit is up to
// date, its base is up to date, too.
static void copy_to_equal(AstarGrid *grid, const void *layer)
{
    const AstarWalkable *from = layer;
    AstarWalkable *copy;
    AstarStatus status = astar_walkable_acquire(grid, &from->enterable, from->body,
                                                from->layer.ignored, &copy);
    if (status != ASTAR_OK)
        return;
    if (copy->base != NULL && astar_layer_is_stale(copy->base))
        copy_current(grid, copy->base, from->base);
    if (astar_layer_is_stale(copy))
        copy_current(grid, copy, from);
    astar_layer_release(grid, copy);
}

// Rectangles of free cells.
//
// A unit of w columns and h rows fits where w x h bits are set. In terms of image processing this
// is erosion by a rectangle. Rows are eroded first, then columns. A run of n bits is the
// intersection of two overlapping runs of n/2 or more bits, so log2(n) passes of shift and AND over
// whole words are enough. (The algorithm of van Herk, 1992, needs three operations per cell. If 64
// bits are processed at a time, these passes need fewer operations.)

// Computes row &= row >> shift, where the row is treated as one long number.
static void and_shifted(uint64_t *row, size_t words, int shift)
{
    size_t skip = (size_t)shift >> 6;
    unsigned rest = (unsigned)shift & 63;
    for (size_t i = 0; i < words; i++) {
        uint64_t low = i + skip < words ? row[i + skip] : 0;
        uint64_t high = i + skip + 1 < words ? row[i + skip + 1] : 0;
        row[i] &= rest == 0 ? low : low >> rest | high << (64 - rest);
    }
}

// Replaces each row by its AND with the row 'shift' further down. If there is no such row, the row
// is cleared.
static void and_lower(AstarBits *bits, int height, int shift)
{
    for (int y = 0; y < height; y++) {
        uint64_t *row = astar_bits_row(bits, y);
        if (shift >= height - y) {
            memset(row, 0, bits->stride * sizeof *row);
            continue;
        }
        const uint64_t *below = row + (size_t)shift * bits->stride;
        for (size_t i = 0; i < bits->stride; i++)
            row[i] &= below[i];
    }
}

void astar_erode(AstarBits *bits, int height, AstarBody body)
{
    for (int done = 1, shift; done < body.width; done += shift) {
        shift = done < body.width - done ? done : body.width - done;
        for (int y = 0; y < height; y++)
            and_shifted(astar_bits_row(bits, y), bits->stride, shift);
    }
    for (int done = 1, shift; done < body.height; done += shift) {
        shift = done < body.height - done ? done : body.height - done;
        and_lower(bits, height, shift);
    }
}

int astar_stretch_east(const uint64_t *row, int x, int limit)
{
    size_t position = (size_t)(x + 1), last = (size_t)(limit + 1), word = position >> 6;
    uint64_t clear = ~row[word] & ~(uint64_t)0 << (position & 63);
    while (clear == 0 && ++word << 6 <= last)
        clear = ~row[word];
    if (clear == 0)
        return limit;
    int end = (int)(word << 6) + astar_lowest_bit(clear) - 2;
    return end < limit ? end : limit;
}

// Returns a word of a row in which only the first cells of runs of at least 'size' set bits stay
// set.
static uint64_t erode_word_of_row(const AstarBits *bits, int size, int y, size_t word)
{
    uint64_t words[(63 + ASTAR_MAX_SIZE) / 64 + 1] = {0};
    size_t count = ((size_t)size + 62) / 64 + 1;
    for (size_t i = 0; i < count && word + i < bits->stride; i++)
        words[i] = astar_bits_row(bits, y)[word + i];
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        and_shifted(words, count, shift);
    }
    return words[0];
}

void astar_erode_words(const AstarBits *bits, int height, AstarBody body, int y, int rows,
                       size_t word, uint64_t eroded[64])
{
    uint64_t words[64 + ASTAR_MAX_SIZE] = {0};
    int count = rows + body.height - 1;
    for (int i = 0; i < count && y + i < height; i++)
        words[i] = erode_word_of_row(bits, body.width, y + i, word);
    for (int done = 1, shift; done < body.height; done += shift) {
        shift = done < body.height - done ? done : body.height - done;
        for (int i = 0; i + shift < count; i++)
            words[i] &= words[i + shift];
    }
    memcpy(eroded, words, (size_t)rows * sizeof *eroded);
}

// Units with blocks of their own.
//
// A host may set blocks on the cells that a unit covers, so that other units walk around it. The
// unit's own queries must ignore these blocks. Ignoring them frees only positions that overlap the
// unit. A query of such a unit must not write to the shared bitmap, so it uses a private copy. The
// copy is kept for the next query. The next query first undoes the changes of the previous query,
// and then applies the edits made since then. A query thus takes time in proportion to the size of
// the unit and the number of edits, not to the size of the map. Components are not copied: an
// overlay joins the components of the map where squares became free.

// Limit of changes above which copying all bits is less work than applying the edits. The limit is
// LEAST_LARGE_CHANGE cells, plus 1 / LARGE_SHARE of the cells of the map.
enum { LEAST_LARGE_CHANGE = 4096, LARGE_SHARE = 16 };

// Returns the positions at which a body overlaps a rectangle.
static AstarRectangle corners_of(const AstarGrid *grid, AstarBody body, int x, int y, int width,
                                 int height)
{
    int x0 = astar_greater(x - body.width + 1, 0), y0 = astar_greater(y - body.height + 1, 0);
    int x1 = x + width < grid->width ? x + width : grid->width;
    int y1 = y + height < grid->height ? y + height : grid->height;
    return (AstarRectangle){x0, y0, x1 - x0, y1 - y0};
}

// The following function finds the positions that are free without the blocks of the unit.

// Computes the eroded bits of the positions around a unit at which its body overlaps the unit. For
// the cells that the unit covers only the terrain counts, not the blocks.
static AstarStatus erode_around_unit(const AstarGrid *grid, const AstarWalkable *base, int x, int y,
                                     AstarRectangle corners, AstarBits *out)
{
    const AstarBody body = base->body;
    int width = corners.width + body.width - 1, height = corners.height + body.height - 1;
    AstarBits bits = astar_bits_new(&grid->allocator, width, height);
    const AstarBits *cells = &(base->base != NULL ? base->base : base)->bits;
    if (bits.words == NULL)
        return ASTAR_NO_MEMORY;
    for (int row = 0; row < height && corners.y + row < grid->height; row++)
        for (int column = 0; column < width && corners.x + column < grid->width; column++)
            astar_bits_put(&bits, column, row,
                           astar_bits_get(cells, corners.x + column, corners.y + row));
    for (int row = y; row < y + body.height; row++)
        for (int column = x; column < x + body.width; column++)
            astar_bits_put(&bits, column - corners.x, row - corners.y,
                           astar_terrain_set_has(&base->enterable,
                                                 grid->ground[astar_cell(grid, column, row)]));
    astar_erode(&bits, height, body);
    *out = bits;
    return ASTAR_OK;
}

// The following functions manage the private copy of the bits.

static bool open_lifted(const AstarGrid *grid, void *layer)
{
    AstarWalkable *copy = layer;
    copy->base->layer.references++;
    copy->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    return copy->bits.words != NULL;
}

// The kind of layer of a unit's private copy. The copy is in no list of layers, so edits do not
// repair it.
ASTAR_LAYER_KIND(lifted_kind, AstarWalkable, 0, 0, NULL, open_lifted, astar_walkable_close,
                 astar_walkable_bytes, NULL, NULL, NULL, NULL, NULL);

static void copy_all(AstarWalkable *copy)
{
    const AstarBits *from = &copy->base->bits;
    memcpy(copy->bits.words, from->words, from->count * sizeof *from->words);
    astar_walkable_outdate(copy);
    astar_put(&copy->layer.stale, false);
}

static void copy_area(const AstarGrid *grid, AstarWalkable *copy, AstarRectangle area, int *most)
{
    astar_walkable_copy_area(grid, copy, &copy->base->bits, area.x, area.y, area.width, area.height,
                             most);
}

// Returns true if the private copy can be updated by edits, because the edits since its last update
// leave most of it unchanged.
static bool can_catch_up(const AstarGrid *grid, const AstarWalkable *copy)
{
    const uint64_t ignored = copy->layer.ignored;
    if (astar_layer_is_stale(copy) || !astar_knows_edits_since(grid, ignored, copy->version))
        return false;
    uint64_t count = 0, most = LEAST_LARGE_CHANGE + grid->cells / LARGE_SHARE;
    AstarEditsSince edits = astar_edits_since(grid, ignored, copy->version);
    for (const AstarEdit *edit; count <= most && (edit = astar_next_edit(&edits)) != NULL;) {
        uint64_t width = (uint64_t)(edit->width + copy->body.width),
                 height = (uint64_t)edit->height;
        count += edit->width > 0 ? width * (height + (uint64_t)copy->body.height) : 0;
    }
    return count <= most;
}

// Makes the private copy equal to the layer that it was copied from.
static void catch_up(const AstarGrid *grid, AstarWalkable *copy)
{
    if (!can_catch_up(grid, copy)) {
        copy_all(copy);
        return;
    }
    const AstarBody body = copy->body;
    int most = ASTAR_MOST_FLIPS;
    copy_area(grid, copy, corners_of(grid, body, copy->x, copy->y, body.width, body.height), &most);
    AstarEditsSince edits = astar_edits_since(grid, copy->layer.ignored, copy->version);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            copy_area(grid, copy,
                      corners_of(grid, body, edit->x, edit->y, edit->width, edit->height), &most);
}

static void forget_components(AstarWalkable *copy)
{
    for (int i = 0; i < 2; i++) {
        astar_components_free(copy->components[i]);
        astar_put(&copy->components[i], NULL);
    }
}

AstarStatus astar_walkable_lift(const AstarGrid *grid, AstarWalkable *base, int x, int y,
                                AstarWalkable **lifted)
{
    AstarRectangle corners = corners_of(grid, base->body, x, y, base->body.width,
                                        base->body.height);
    AstarBits squares;
    AstarStatus status = erode_around_unit(grid, base, x, y, corners, &squares);
    if (status != ASTAR_OK)
        return status;
    AstarWalkable *copy = *lifted;
    if (copy == NULL || copy->base != base) {
        AstarWalkable key = {.layer = {.kind = &lifted_kind, .ignored = base->layer.ignored},
                             .base = base,
                             .body = base->body};
        copy = astar_layer_acquire(grid, &key);
        if (copy == NULL) {
            astar_bits_free(&grid->allocator, &squares);
            return ASTAR_NO_MEMORY;
        }
        astar_layer_release(grid, *lifted);
    }
    forget_components(copy);
    catch_up(grid, copy);
    for (int row = 0; row < corners.height; row++)
        for (int column = 0; column < corners.width; column++)
            astar_walkable_put(copy, corners.x + column, corners.y + row,
                               astar_bits_get(&squares, column, row));
    astar_bits_free(&grid->allocator, &squares);
    copy->version = grid->version;
    copy->version_beside = astar_version_beside(grid, copy->layer.ignored);
    copy->x = x;
    copy->y = y;
    *lifted = copy;
    return ASTAR_OK;
}

AstarStatus astar_lifted_components(const AstarGrid *grid, AstarWalkable *lifted, bool diagonal,
                                    AstarComponents **out)
{
    AstarComponents *under, *patched = astar_get(&lifted->components[diagonal]);
    if (lifted->version_beside != astar_version_beside(grid, lifted->layer.ignored))
        return ASTAR_GRID_CHANGED;
    AstarStatus status = astar_walkable_components(grid, lifted->base, diagonal, &under);
    if (status == ASTAR_OK && patched == NULL) {
        const AstarBody body = lifted->body;
        AstarRectangle lifts = corners_of(grid, body, lifted->x, lifted->y, body.width,
                                          body.height);
        status = astar_components_over(under, &lifted->bits,
                                       &(AstarComponentOverlay){.changed = &lifts, .count = 1},
                                       &patched);
        astar_put(&lifted->components[diagonal], patched);
    }
    *out = patched;
    return status;
}

// The costliest terrain under a unit of several cells.
//
// The layer has one byte per cell, like the terrain itself, so that searches look up the cost of a
// step in the same way for units of all sizes. Terrains are ranked by cost. The greatest rank in a
// body is a sliding maximum, first along rows, then down columns. The maximum of n numbers is the
// maximum of two overlapping runs of n/2 or more numbers, so log2(n) passes are enough. The result
// along rows is kept, so that an edit repairs only the squares that overlap it.

enum {
    ROWS_AT_ONCE = 64,
    // If an edit changes this number of squares, a rebuild is less work than repairs.
    LARGE_EDIT_OF_SQUARES = 4096,
    LONGEST_STRETCH = LARGE_EDIT_OF_SQUARES + ASTAR_MAX_SIZE
};

// Ranks the terrains by cost, and terrains of equal cost by number. Terrains that are added to the
// grid later follow.
static void rank_terrains(AstarFootprints *footprints, const double *cost, int count)
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        int place = i;
        for (; i < count && place > 0 && cost[footprints->terrain[place - 1]] > cost[i]; place--)
            footprints->terrain[place] = footprints->terrain[place - 1];
        footprints->terrain[place] = (uint8_t)i;
    }
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        footprints->rank[footprints->terrain[i]] = (uint8_t)i;
}

// The following functions compute sliding maxima.

static void greater(uint8_t *values, const uint8_t *others, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = values[i] > others[i] ? values[i] : others[i];
}

// Replaces each value by the greatest of 'size' consecutive values, of which it is the first. Near
// the end of the array there are fewer values.
static void slide(uint8_t *values, int count, int size)
{
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        greater(values, values + (shift < count ? shift : count), count - shift);
    }
}

// Replaces each value of a matrix by the greatest of 'size' consecutive values of its column, of
// which it is the uppermost.
static void slide_rows(uint8_t *values, int width, int height, int size)
{
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        for (int y = 0; y < height - shift; y++) {
            uint8_t *row = values + (size_t)y * (size_t)width;
            greater(row, row + (size_t)shift * (size_t)width, width);
        }
    }
}

// Computes the ranks of the next rows, and their sliding maximum along the rows.
static void build_along(const AstarGrid *grid, AstarFootprints *footprints, int y, int rows)
{
    for (; rows > 0; rows--, y++) {
        uint8_t *along = footprints->along + astar_cell(grid, 0, y);
        const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
        for (int x = 0; x < grid->width; x++)
            along[x] = footprints->rank[ground[x]];
        slide(along, grid->width, footprints->body.width);
    }
}

// Computes the sliding maximum down the columns for some rows. 'strip' has room for these rows and
// for the rows below them that units extend to.
static void build_down(const AstarGrid *grid, AstarFootprints *footprints, uint8_t *strip, int y,
                       int rows)
{
    int count = rows + footprints->body.height - 1;
    count = count < grid->height - y ? count : grid->height - y;
    memcpy(strip, footprints->along + astar_cell(grid, 0, y), (size_t)count * (size_t)grid->width);
    slide_rows(strip, grid->width, count, footprints->body.height);
    uint8_t *ground = footprints->ground + astar_cell(grid, 0, y);
    for (size_t i = 0; i < (size_t)rows * (size_t)grid->width; i++)
        ground[i] = footprints->terrain[strip[i]];
}

// Builds the layer: first the sliding maxima along all rows, then those down all columns.
ASTAR_COLD static AstarStatus build_footprints(const AstarGrid *grid, void *layer, int64_t *work)
{
    AstarFootprints *footprints = layer;
    int32_t *built = &footprints->layer.built;
    int most = footprints->body.height + ROWS_AT_ONCE;
    size_t bytes = (size_t)(most + footprints->body.height) * (size_t)grid->width;
    uint8_t *strip = astar_alloc(&grid->allocator, bytes, 1);
    if (strip == NULL)
        return ASTAR_NO_MEMORY;
    while (*built<2 * grid->height && * work> 0) {
        int y = *built % grid->height;
        int rows = most < grid->height - y ? most : grid->height - y;
        if (*built < grid->height)
            build_along(grid, footprints, y, rows);
        else
            build_down(grid, footprints, strip, y, rows);
        *built += rows;
        *work -= rows * (int64_t)grid->width;
    }
    astar_release(&grid->allocator, strip, bytes, 1);
    return *built < 2 * grid->height ? ASTAR_RUNNING : ASTAR_OK;
}

// The following functions repair the layer after edits.

// A stretch of columns (or rows) of the costliest terrain under a unit that an edit may have
// changed. The first 'changed' values of the stretch, from 'first' on, must be recomputed. The
// recomputation reads the cells from 'first' to 'end' - 1.
typedef struct EditedStretch {
    int first, changed, end;
} EditedStretch;

static EditedStretch stretch_of(int size, int from, int count, int limit)
{
    int first = from - size + 1 > 0 ? from - size + 1 : 0, end = from + count + size - 1;
    return (EditedStretch){first, from + count - first, end < limit ? end : limit};
}

// Recomputes a part of a row. Returns true if a value changed.
ASTAR_COLD static bool repair_row(const AstarGrid *grid, AstarFootprints *footprints, int y,
                                  EditedStretch columns)
{
    uint8_t ranks[LONGEST_STRETCH];
    const uint8_t *ground = grid->ground + astar_cell(grid, columns.first, y);
    for (int i = 0; i < columns.end - columns.first; i++)
        ranks[i] = footprints->rank[ground[i]];
    slide(ranks, columns.end - columns.first, footprints->body.width);
    uint8_t *along = footprints->along + astar_cell(grid, columns.first, y);
    bool changed = memcmp(along, ranks, (size_t)columns.changed) != 0;
    memcpy(along, ranks, (size_t)columns.changed);
    return changed;
}

ASTAR_COLD static void repair_column(const AstarGrid *grid, AstarFootprints *footprints, int x,
                                     EditedStretch rows)
{
    uint8_t ranks[LONGEST_STRETCH];
    for (int i = 0; i < rows.end - rows.first; i++)
        ranks[i] = footprints->along[astar_cell(grid, x, rows.first + i)];
    slide(ranks, rows.end - rows.first, footprints->body.height);
    for (int i = 0; i < rows.changed; i++)
        footprints->ground[astar_cell(grid, x, rows.first + i)] = footprints->terrain[ranks[i]];
}

static bool is_large_for_footprints(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    (void)grid;
    const AstarBody body = ((const AstarFootprints *)layer)->body;
    int64_t width = edit->width + (int64_t)body.width - 1;
    int64_t height = edit->height + (int64_t)body.height - 1;
    return width * height >= LARGE_EDIT_OF_SQUARES;
}

ASTAR_COLD static void repair_footprints(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarFootprints *footprints = layer;
    EditedStretch columns = stretch_of(footprints->body.width, edit->x, edit->width, grid->width);
    EditedStretch rows = stretch_of(footprints->body.height, edit->y, edit->height, grid->height);
    bool changed = false;
    for (int row = edit->y; row < edit->y + edit->height; row++)
        changed |= repair_row(grid, footprints, row, columns);
    for (int i = 0; i < columns.changed && changed; i++)
        repair_column(grid, footprints, columns.first + i, rows);
}

// The following functions are the arguments of ASTAR_LAYER_KIND for this layer.

static bool is_same_order(const void *layer, const void *key)
{
    const AstarFootprints *a = layer, *b = key;
    return a->body.width == b->body.width && a->body.height == b->body.height &&
           memcmp(a->terrain, b->terrain, sizeof a->terrain) == 0;
}

static bool open_footprints(const AstarGrid *grid, void *layer)
{
    AstarFootprints *footprints = layer;
    footprints->along = astar_alloc(&grid->allocator, grid->cells, 1);
    footprints->ground = astar_alloc(&grid->allocator, grid->cells, 1);
    return footprints->along != NULL && footprints->ground != NULL;
}

static void close_footprints(const AstarGrid *grid, void *layer)
{
    AstarFootprints *footprints = layer;
    astar_release(&grid->allocator, footprints->along, grid->cells, 1);
    astar_release(&grid->allocator, footprints->ground, grid->cells, 1);
}

static size_t footprints_bytes(const AstarGrid *grid, const void *layer)
{
    (void)layer;
    return 2 * (size_t)grid->cells;
}

ASTAR_LAYER_KIND(footprints_kind, AstarFootprints, ASTAR_FOOTPRINTS, 2, is_same_order,
                 open_footprints, close_footprints, footprints_bytes, build_footprints,
                 is_large_for_footprints, repair_footprints, NULL, NULL);

ASTAR_COLD AstarStatus astar_footprints_acquire(const AstarGrid *grid, const double *cost,
                                                AstarBody body, AstarFootprints **out)
{
    AstarFootprints key = {.layer = {.kind = &footprints_kind, .ignored = ASTAR_ALL_BLOCKS},
                           .body = body};
    rank_terrains(&key, cost, grid->terrains.count);
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Random obstacles, detected by a sample of the map.
//
// On ground with random obstacles there are many jump points. On open ground, each jump point sees
// many others, and an expansion with jumps takes five times as long as an expansion from cell to
// cell. In narrow places jumps are short. Game maps, rooms, caves and most mazes have fewer jump
// points; mazes with the narrowest corridors are an exception.
//
// Counting all cells would take longer than a short search, and keeping a count up to date would
// slow down edits. A sample of a few hundred words, spread by the golden ratio, is reliable enough.

enum {
    LOOKED_AT = 256, // maximum number of words in the sample
    // A map has random obstacles if at least one in LEAST_TURNS of its free cells is a turning
    // point.
    LEAST_TURNS = 5,
    // A map has scattered single obstacles only if at least one in LEAST_TURNS_SPRINKLED of its
    // free cells is a turning point. Single obstacles on 0.5 % of the cells have this effect.
    LEAST_TURNS_SPRINKLED = 50,
    // A map is narrow if it has fewer than one square of 2 x 2 free cells per LEAST_SQUARES free
    // cells. With 40 % random obstacles there is one such square per 5 free cells.
    LEAST_SQUARES = 16,
    // Obstacles are close if the runs of free cells in rows and columns have this mean length, or a
    // smaller one. It is 11 in caves, 15 to 18 in rooms of 15 cells and on narrow game maps, 32 to
    // 62 among houses and on wide game maps.
    CLOSE_RUN = 24
};

// Returns which free cells of a word may be turning points past a corner: a diagonal neighbour is
// blocked, and both cells beside that diagonal step are free.
static uint64_t turns_of_word(const AstarBits *bits, size_t word)
{
    const uint64_t *row = bits->words + word;
    const uint64_t *rows[2] = {row - bits->stride, row + bits->stride};
    uint64_t free = *row, east = free >> 1, west = free << 1, turns = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t beside = *rows[i];
        turns |= beside & ((east & ~(beside >> 1)) | (west & ~(beside << 1)));
    }
    // The first and the last cell of the word are left out, because some of their neighbours belong
    // to other words.
    return turns & free & UINT64_C(0x7FFFFFFFFFFFFFFE);
}

// Returns the index of word number 'i' of a sample. The sample consists of 'count' of 'words'
// words.
static size_t sampled_word(size_t i, size_t count, size_t words)
{
    uint32_t spread = (uint32_t)i * UINT32_C(0x9E3779B1);
    return count == words ? i : (size_t)((uint64_t)spread * words >> 32);
}

AstarClutter astar_look_at_clutter(const AstarBits *walkable, int width, int height)
{
    AstarClutter seen = {0};
    size_t words = walkable->stride * (size_t)height; // without the rows of the border
    size_t count = words < LOOKED_AT ? words : LOOKED_AT;
    for (size_t i = 0; i < count; i++) {
        size_t word = sampled_word(i, count, words);
        const uint64_t *here = walkable->words + walkable->stride + word;
        int first = 64 * (int)(word % walkable->stride) - 1; // column of the word's lowest bit
        seen.cells += (uint32_t)(astar_lesser(first + 64, width) - astar_greater(first, 0));
        if (*here == 0)
            continue;
        uint64_t pairs = *here & here[walkable->stride];
        seen.runs += astar_count_bits(*here & ~(*here << 1 | here[-1] >> 63)) +
                     astar_count_bits(*here & ~*(here - walkable->stride));
        seen.free += astar_count_bits(*here);
        seen.squares += astar_count_bits(pairs & pairs >> 1);
        // Most words of a game map have no obstacle near them, so they are skipped. The sample is
        // taken again after every edit, so time matters.
        if ((pairs & *(here - walkable->stride)) != UINT64_MAX)
            seen.turns += astar_count_bits(turns_of_word(walkable, walkable->stride + word));
    }
    return seen;
}

bool astar_is_scattered(const AstarClutter *seen)
{
    return seen->free > 0 && seen->turns * LEAST_TURNS >= seen->free;
}

bool astar_is_sprinkled(const AstarClutter *seen)
{
    const uint32_t blocked = seen->cells - seen->free;
    return seen->turns * LEAST_TURNS_SPRINKLED >= seen->free &&
           (uint64_t)seen->turns * seen->cells >= (uint64_t)2 * blocked * seen->free;
}

bool astar_is_narrow(const AstarClutter *seen)
{
    return seen->squares * LEAST_SQUARES < seen->free;
}

AstarObstacles astar_obstacles_of(const AstarBits *walkable, int width, int height)
{
    AstarClutter seen = astar_look_at_clutter(walkable, width, height);
    if (astar_is_scattered(&seen))
        return ASTAR_OBSTACLES_RANDOM;
    // Each free cell belongs to a run of its row and to one of its column.
    return seen.runs * CLOSE_RUN >= 2 * seen.free ? ASTAR_OBSTACLES_CLOSE : ASTAR_OBSTACLES_APART;
}
