// nonuniform.c -- The layer of non-uniform cells, one bit per cell.
//
// A cell is non-uniform if a neighbour has another cost, by its terrain or by a field; if a wall or
// a restriction bars a step between two of the 3 x 3 cells around it; or if a link leaves it.
// Around all other cells the ground is uniform, so searches may jump over these cells, see jpsw.c.
// Neighbours that cannot be entered are ignored. Terrains of equal cost are treated as one terrain,
// so that many kinds of grass make one meadow.
//
// Most cells have the most common cost or are next to such a cell. These cells are processed 64 at
// a time; all other cells are examined one by one.

#include "layers/nonuniform.h"

#include "base/bits.h"
#include "base/directions.h"
#include "base/transpose.h"
#include "layers/jump_bitmaps.h"
#include "layers/walkable.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE_EDIT_OF_CELLS =
        2048, // number of edited cells from which on a rebuild is faster than repairs
    // If more than 1 / LARGE_SHARE_OF_FIELD of a field has changed, a rebuild is faster than
    // repairs.
    LARGE_SHARE_OF_FIELD = 4,
    WORK_OF_TILE = 1024, // work of repairing one square of the field
    // Number of changes of the field during one update after which the update ignores its budget.
    MOST_OVERTAKEN = 3
};

// Gives terrains of equal cost the same class. A terrain that cannot be entered has a class of its
// own.
static void classify(const AstarGrid *grid, const double *cost, uint8_t classes[ASTAR_MAX_TERRAINS])
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        classes[i] = (uint8_t)i;
    for (int i = 0; i < grid->terrains.count; i++)
        for (int like = 0; like < i && classes[i] == i; like++)
            if (cost[like] == cost[i] && isfinite(cost[i]))
                classes[i] = (uint8_t)like;
}

// The following functions examine one cell.

static const uint8_t *ground_of(const AstarGrid *grid, const AstarNonUniform *nonuniform)
{
    return nonuniform->footprints != NULL ? nonuniform->footprints->ground : grid->ground;
}

// Returns true if a neighbour of a cell has another cost.
static bool has_other_ground_around(const AstarGrid *grid, const AstarNonUniform *nonuniform, int x,
                                    int y)
{
    uint32_t cell = astar_cell(grid, x, y);
    const uint8_t *ground = ground_of(grid, nonuniform) + cell, *classes = nonuniform->classes;
    const float *values = nonuniform->field != NULL ? nonuniform->field->values + cell : NULL;
    unsigned around = astar_bits_around(&nonuniform->walkable->bits, x, y);
    for (; around != 0; around &= around - 1) {
        int d = astar_lowest_bit(around), offset = astar_dy[d] * grid->width + astar_dx[d];
        if (classes[ground[offset]] != classes[ground[0]] ||
            (values != NULL && values[offset] != values[0]))
            return true;
    }
    return false;
}

// Returns true if one of the walls of a cell separates two of the 3 x 3 cells around another cell.
// (dx, dy) is the offset from the other cell to the cell with the walls.
static bool stands_inside(unsigned walls, int dx, int dy)
{
    for (; walls != 0; walls &= walls - 1) {
        int d = astar_lowest_bit(walls);
        if (abs(dx + astar_dx[d]) <= 1 && abs(dy + astar_dy[d]) <= 1)
            return true;
    }
    return false;
}

static bool has_wall_around(const AstarGrid *grid, int x, int y)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (astar_inside(grid, x + dx, y + dy) &&
                stands_inside(
                    astar_barred_out_of(grid->links_and_walls, astar_cell(grid, x + dx, y + dy)),
                    dx, dy))
                return true;
    return false;
}

static bool has_link(const AstarGrid *grid, int x, int y)
{
    const AstarLinksAndWalls *links = grid->links_and_walls;
    uint32_t cell = astar_cell(grid, x, y);
    const AstarArc *arc = astar_arc_at(&links->arcs, astar_arcs_first_from(links, cell));
    return arc != NULL && arc->from == cell;
}

static bool is_nonuniform_cell(const AstarGrid *grid, const AstarNonUniform *nonuniform, int x,
                               int y)
{
    return astar_bits_get(&nonuniform->walkable->bits, x, y) &&
           (has_other_ground_around(grid, nonuniform, x, y) ||
            (astar_grid_has_walls(grid) && has_wall_around(grid, x, y)) ||
            (astar_grid_has_links(grid) && has_link(grid, x, y)));
}

// The following functions build the layer.

// Returns the class of the most common terrain. For large units the class is estimated from about
// 1,000 cells.
static uint8_t common_class(const AstarGrid *grid, const AstarNonUniform *nonuniform)
{
    uint32_t counts[ASTAR_MAX_TERRAINS] = {0};
    uint8_t most_met = 0;
    for (uint32_t cell = 0; nonuniform->footprints != NULL && cell < grid->cells;
         cell += grid->cells / 1024 + 1) {
        uint8_t class = nonuniform->classes[nonuniform->footprints->ground[cell]];
        most_met = ++counts[class] > counts[most_met] ? class : most_met;
    }
    if (nonuniform->footprints != NULL)
        return most_met;
    const uint64_t ignored = nonuniform->layer.ignored;
    int common = 0;
    uint32_t most = astar_blocks_spare(grid, ignored, 0);
    for (int i = 1; i < grid->terrains.count; i++) {
        uint32_t spare = astar_blocks_spare(grid, ignored, i);
        common = spare > most ? i : common;
        most = spare > most ? spare : most;
    }
    return nonuniform->classes[common];
}

// Returns a word in which bit i is 1 if value number i is 0. 'count' is the number of values, at
// most 64.
static uint64_t zeros_of(const float *values, int count)
{
    uint64_t zeros = 0;
    for (int i = 0; i < count; i++)
        zeros |= (uint64_t)(values[i] == 0) << i;
    return zeros;
}

// Returns the free cells of a class whose field value is 0, as word number 'word' of row y.
static uint64_t cells_of_class(const AstarGrid *grid, const AstarNonUniform *nonuniform,
                               uint8_t class, int y, size_t word)
{
    uint64_t free = astar_bits_row(&nonuniform->walkable->bits, y)[word], bits = 0;
    if (free == 0)
        return 0;
    // Bit 0 of a row belongs to the border.
    int skipped = word == 0, x = (int)(word << 6) - 1 + skipped;
    int count = grid->width - x < 64 - skipped ? grid->width - x : 64 - skipped;
    uint32_t cell = astar_cell(grid, x, y);
    const uint8_t *ground = ground_of(grid, nonuniform) + cell, *classes = nonuniform->classes;
    if (astar_run_length(ground, (uint32_t)count) == (uint32_t)count)
        bits = classes[*ground] == class ? UINT64_MAX : 0;
    else
        for (int i = 0; i < count; i++)
            bits |= (uint64_t)(classes[ground[i]] == class) << i;
    if (nonuniform->field != NULL)
        bits &= zeros_of(nonuniform->field->values + cell, count);
    return bits << skipped & free;
}

// Returns the row of the buffer 'common' for row y: one bit per cell, 1 for cells of the most
// common class. The buffer holds three rows, which are used in turn.
static uint64_t *common_row(const AstarNonUniform *nonuniform, int y)
{
    return nonuniform->common + (size_t)(y + 1) % 3 * nonuniform->bits.stride;
}

static void find_common(const AstarGrid *grid, const AstarNonUniform *nonuniform, uint8_t class,
                        int y)
{
    uint64_t *row = common_row(nonuniform, y);
    for (size_t i = 0; i < nonuniform->bits.stride; i++)
        row[i] = y < grid->height ? cells_of_class(grid, nonuniform, class, y, i) : 0;
}

// Returns word number 'word' of a row after each set bit was spread to the bits on both sides. Bits
// in 'mask' are ignored.
static uint64_t spread_bits(const uint64_t *row, const uint64_t *mask, size_t word, size_t stride)
{
    uint64_t here = row[word] & ~mask[word], bits = here | here << 1 | here >> 1;
    if (word > 0)
        bits |= (row[word - 1] & ~mask[word - 1]) >> 63;
    if (word + 1 < stride)
        bits |= (row[word + 1] & ~mask[word + 1]) << 63;
    return bits;
}

// Computes word number 'word' of row y: the cells that are non-uniform by terrain. Operations on
// whole words find the cells of the most common class and the cells next to them.
static uint64_t build_word(const AstarGrid *grid, const AstarNonUniform *nonuniform,
                           const uint64_t *none, int y, size_t word)
{
    size_t stride = nonuniform->bits.stride;
    const uint64_t *free = astar_bits_row(&nonuniform->walkable->bits, y);
    uint64_t beside_common = 0, beside_other = 0;
    if (free[word] == 0)
        return 0;
    for (int i = -1; i <= 1; i++) {
        const uint64_t *common = common_row(nonuniform, y + i);
        const uint64_t *row = astar_bits_row(&nonuniform->walkable->bits, y + i);
        beside_common |= spread_bits(common, none, word, stride);
        beside_other |= spread_bits(row, common, word, stride);
    }
    uint64_t common = common_row(nonuniform, y)[word], other = free[word] & ~common;
    uint64_t found = (common & beside_other) | (other & beside_common);
    for (uint64_t rest = other & ~found; rest != 0; rest &= rest - 1) {
        int bit = astar_lowest_bit(rest), x = (int)(word << 6) + bit - 1;
        found |= (uint64_t)has_other_ground_around(grid, nonuniform, x, y) << bit;
    }
    return found;
}

static void find_by_ground(const AstarGrid *grid, AstarNonUniform *nonuniform, int y, int end)
{
    uint8_t class = common_class(grid, nonuniform);
    const uint64_t *none = nonuniform->bits.words; // row of the border, which is empty
    memset(common_row(nonuniform, -1), 0, nonuniform->bits.stride * sizeof(uint64_t));
    for (int row = y > 0 ? y - 1 : 0; row <= y; row++)
        find_common(grid, nonuniform, class, row);
    for (; y < end; y++) {
        find_common(grid, nonuniform, class, y + 1);
        for (size_t i = 0; i < nonuniform->bits.stride; i++)
            astar_bits_row(&nonuniform->bits, y)[i] = build_word(grid, nonuniform, none, y, i);
    }
}

// Marks a cell as non-uniform if it is free.
static void mark_nonuniform(const AstarGrid *grid, AstarNonUniform *nonuniform, int x, int y)
{
    if (astar_inside(grid, x, y) && astar_bits_get(&nonuniform->walkable->bits, x, y))
        astar_bits_put(&nonuniform->bits, x, y, true);
}

// Marks the cells that are non-uniform because of walls in the rows from 'y' up to 'end' - 1. The
// marked cells may lie in the rows beside these rows.
static void mark_walls(const AstarGrid *grid, AstarNonUniform *nonuniform, int y, int end)
{
    for (uint32_t cell = astar_cell(grid, 0, y); y < end; y++)
        for (int x = 0; x < grid->width; x++, cell++) {
            unsigned barred = astar_barred_out_of(grid->links_and_walls, cell);
            for (int i = 0; i < 9 && barred != 0; i++)
                if (stands_inside(barred, i % 3 - 1, i / 3 - 1))
                    mark_nonuniform(grid, nonuniform, x - (i % 3 - 1), y - (i / 3 - 1));
        }
}

static void mark_links(const AstarGrid *grid, AstarNonUniform *nonuniform)
{
    int x, y;
    for (uint32_t i = 0; i < grid->links_and_walls->arcs.count; i++) {
        astar_cell_xy(grid, astar_arc_at(&grid->links_and_walls->arcs, i)->from, &x, &y);
        mark_nonuniform(grid, nonuniform, x, y);
    }
}

static void outdate_jumps(AstarNonUniform *nonuniform)
{
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        if (nonuniform->jumps[i] != NULL)
            astar_jump_outdate(nonuniform->jumps[i]);
}

// Records the version of the field before the bits are built.
static void note_field(AstarNonUniform *nonuniform)
{
    nonuniform->tile = 0;
    if (nonuniform->field != NULL)
        nonuniform->version = nonuniform->field->version;
}

// Publishes that the bits match the recorded version of the field.
static void publish_field(AstarNonUniform *nonuniform)
{
    if (nonuniform->field != NULL && nonuniform->version == nonuniform->field->version)
        nonuniform->overtaken = 0;
    astar_put(&nonuniform->low, (uint32_t)nonuniform->version);
}

// Counts the set bits of the next rows and transposes these rows, including the border.
static void turn_nonuniform_rows(const AstarGrid *grid, AstarNonUniform *nonuniform)
{
    const AstarBits *bits = &nonuniform->bits;
    int end = nonuniform->turned + ASTAR_TURNED_ROWS;
    end = end < grid->height + 2 ? end : grid->height + 2;
    const uint64_t *words = bits->words + (size_t)nonuniform->turned * bits->stride;
    for (size_t i = 0; i < (size_t)(end - nonuniform->turned) * bits->stride; i++)
        nonuniform->count += astar_count_bits(words[i]);
    astar_bits_turn_rows(bits, grid->height, &nonuniform->columns, nonuniform->turned);
    nonuniform->turned = end;
}

// Completes the layer after all rows are built. Returns ASTAR_RUNNING when the work is used up.
static AstarStatus finish_nonuniform(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                     int64_t *work)
{
    if (nonuniform->turned == 0 && astar_grid_has_links(grid))
        mark_links(grid, nonuniform);
    for (; nonuniform->turned < grid->height + 2; *work -= ASTAR_TURNED_ROWS * grid->width / 32) {
        if (*work < 1)
            return ASTAR_RUNNING;
        turn_nonuniform_rows(grid, nonuniform);
    }
    publish_field(nonuniform);
    return ASTAR_OK;
}

// Builds the layer some rows at a time: first all rows by terrain, then all rows by walls; then the
// rows are transposed. Edits during the building repair the rows that are built. The layer is built
// with the values that the field had at the beginning; changes of the field are applied afterwards.
static AstarStatus build_nonuniform(const AstarGrid *grid, void *layer, int64_t *work)
{
    AstarNonUniform *nonuniform = layer;
    int32_t *built = &nonuniform->layer.built;
    const int passes = astar_grid_has_walls(grid) ? 2 : 1, height = grid->height;
    AstarStatus status = astar_layer_build(grid, nonuniform->walkable, work);
    if (status == ASTAR_OK && nonuniform->footprints != NULL)
        status = astar_layer_build(grid, nonuniform->footprints, work);
    if (status != ASTAR_OK)
        return status;
    if (*built == 0) {
        outdate_jumps(nonuniform);
        note_field(nonuniform);
        nonuniform->count = 0;
        nonuniform->turned = 0;
        astar_put(&nonuniform->obstacles, 0);
    }
    while (*built < passes * height) {
        if (*work < 1)
            return ASTAR_RUNNING;
        int64_t rows = (*work - 1) / grid->width + 1;
        int left = *built < height ? height - *built : 2 * height - *built;
        int count = rows < left ? (int)rows : left;
        if (*built < height)
            find_by_ground(grid, nonuniform, *built, *built + count);
        else
            mark_walls(grid, nonuniform, *built - height, *built - height + count);
        *built += count;
        *work -= count * (int64_t)grid->width;
    }
    return finish_nonuniform(grid, nonuniform, work);
}

// The following functions repair the layer after edits.

static void repair_nonuniform_cell(const AstarGrid *grid, AstarNonUniform *nonuniform, int x, int y)
{
    bool is = is_nonuniform_cell(grid, nonuniform, x, y);
    if (astar_bits_get(&nonuniform->bits, x, y) == is)
        return;
    astar_bits_put(&nonuniform->bits, x, y, is);
    astar_bits_put(&nonuniform->columns, y, x, is);
    if (y + 1 < nonuniform->turned) // otherwise the cell is counted later
        nonuniform->count += is ? 1 : UINT32_MAX;
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        if (nonuniform->jumps[i] != NULL)
            astar_jump_edited(nonuniform->jumps[i], &nonuniform->walkable->bits, x, y, true);
}

// Returns true if an edit is too large for repairs. The function also returns true for a snapshot
// with a field: a field belongs to the thread of its reader, and the thread that renews a snapshot
// must not read the field.
static bool is_large_for_nonuniform(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    const AstarNonUniform *nonuniform = layer;
    AstarEdit changed = astar_cells_concerned(grid, edit, nonuniform->walkable->body);
    return astar_layer_is_stale(nonuniform->walkable) ||
           (grid->is_snapshot && nonuniform->field != NULL) ||
           (nonuniform->footprints != NULL && astar_layer_is_stale(nonuniform->footprints)) ||
           (int64_t)changed.width * changed.height > LARGE_EDIT_OF_CELLS;
}

// Repairs the layer after an edit. The walkable bits and their bitmaps for jumps are repaired
// already.
static void repair_nonuniform(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarNonUniform *nonuniform = layer;
    AstarEdit changed = astar_cells_concerned(grid, edit, nonuniform->walkable->body);
    int end = changed.y + changed.height;
    astar_put(&nonuniform->obstacles, 0);
    if (astar_layer_is_stale(layer) &&
        end > nonuniform->layer.built) // only the rows that are built
        end = nonuniform->layer.built;
    for (int y = changed.y; y < end; y++)
        for (int x = changed.x; x < changed.x + changed.width; x++)
            repair_nonuniform_cell(grid, layer, x, y);
}

// The following functions apply changes of the field.

// Returns the number of squares of the field that have changed.
static size_t count_changed_tiles(const AstarNonUniform *nonuniform)
{
    AstarEdit square;
    size_t changed = 0;
    for (uint32_t tile = 0;
         astar_field_next_change(nonuniform->field, nonuniform->version, &tile, &square);)
        changed++;
    return changed;
}

static bool has_seen_field(const AstarNonUniform *nonuniform)
{
    return nonuniform->field == NULL ||
           astar_get(&nonuniform->low) == (uint32_t)nonuniform->field->version;
}

// Repairs the changed squares of the field one by one. Returns false when the work is used up.
// Changes that are made during a call are handled by the next call.
static bool repair_changed_tiles(const AstarGrid *grid, AstarNonUniform *nonuniform, int64_t *work)
{
    AstarEdit square;
    if (nonuniform->tile == 0)
        nonuniform->version_to_be = nonuniform->field->version;
    for (uint32_t next = nonuniform->tile;
         astar_field_next_change(nonuniform->field, nonuniform->version, &next, &square);
         nonuniform->tile = next) {
        if (*work < 1)
            return false;
        *work -= WORK_OF_TILE;
        repair_nonuniform(grid, nonuniform, &square);
    }
    nonuniform->tile = 0;
    nonuniform->version = nonuniform->version_to_be;
    publish_field(nonuniform);
    return true;
}

// Applies the changes of the field. If a field changes in every frame, an update within a budget
// would never finish. After a few attempts the update therefore ignores its budget.
static AstarStatus take_changes_of_field(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                         int64_t *work)
{
    int64_t all = ASTAR_ALL_WORK;
    while (!has_seen_field(nonuniform)) {
        bool begins = nonuniform->tile == 0;
        if (begins && nonuniform->overtaken++ >= MOST_OVERTAKEN)
            work = &all;
        size_t cells = begins
                           ? count_changed_tiles(nonuniform) * ASTAR_FIELD_TILE * ASTAR_FIELD_TILE
                           : 0;
        if (cells * LARGE_SHARE_OF_FIELD > grid->cells) {
            astar_put(&nonuniform->layer.stale, true);
            nonuniform->layer.built = 0;
            AstarStatus status = astar_layer_build(grid, nonuniform, work);
            if (status != ASTAR_OK)
                return status;
        } else if (!repair_changed_tiles(grid, nonuniform, work)) {
            return ASTAR_RUNNING;
        }
    }
    return ASTAR_OK;
}

bool astar_nonuniform_is_current(const AstarNonUniform *nonuniform)
{
    return !astar_layer_is_stale(nonuniform) && has_seen_field(nonuniform);
}

AstarStatus astar_nonuniform_advance(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                     int64_t *work)
{
    AstarStatus status = astar_layer_advance(grid, nonuniform, work);
    if (status != ASTAR_OK || has_seen_field(nonuniform))
        return status;
    astar_grid_lock(grid);
    status = take_changes_of_field(grid, nonuniform, work);
    astar_grid_unlock(grid);
    return status;
}

AstarObstacles astar_nonuniform_obstacles(const AstarGrid *grid, AstarNonUniform *nonuniform)
{
    uint32_t known = astar_get(&nonuniform->obstacles);
    if (known == 0) { // threads that determine the value at the same time get the same result
        known = astar_obstacles_of(&nonuniform->walkable->bits, grid->width, grid->height);
        astar_put(&nonuniform->obstacles, known);
    }
    return (AstarObstacles)known;
}

// The following functions build the bitmaps for jumps that stop at non-uniform cells.

AstarStatus astar_nonuniform_advance_jump(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                          AstarDiagonals rule, int64_t *work)
{
    AstarJumpKey key = {&nonuniform->jumps[rule], rule, &nonuniform->bits, &nonuniform->columns};
    return astar_walkable_advance_jumps(grid, nonuniform->walkable, &key, work);
}

AstarStatus astar_nonuniform_jump(const AstarGrid *grid, AstarNonUniform *nonuniform,
                                  AstarDiagonals rule, AstarJumpBitmaps **out)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_nonuniform_advance_jump(grid, nonuniform, rule, &work);
    *out = astar_get(&nonuniform->jumps[rule]);
    return status;
}

static void free_nonuniform_jump(AstarNonUniform *nonuniform, AstarDiagonals rule)
{
    AstarJumpBitmaps *jump = nonuniform->jumps[rule];
    if (jump == NULL)
        return;
    AstarJumpBitmaps **link = &nonuniform->walkable->all_jumps;
    while (*link != jump)
        link = &(*link)->next;
    *link = jump->next;
    astar_jump_free(jump);
}

// The following functions are the arguments of ASTAR_LAYER_KIND for this layer.

static bool is_same_ground(const void *layer, const void *key)
{
    const AstarNonUniform *a = layer, *b = key;
    return a->walkable == b->walkable && a->footprints == b->footprints && a->field == b->field &&
           memcmp(a->classes, b->classes, sizeof a->classes) == 0;
}

static bool open_nonuniform(const AstarGrid *grid, void *layer)
{
    AstarNonUniform *nonuniform = layer;
    nonuniform->walkable->layer.references++;
    if (nonuniform->footprints != NULL)
        nonuniform->footprints->layer.references++;
    if (nonuniform->field != NULL)
        astar_field_retain(nonuniform->field);
    nonuniform->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    nonuniform->columns = astar_bits_new(&grid->allocator, grid->height, grid->width);
    nonuniform->common = astar_alloc(&grid->allocator, 3 * nonuniform->bits.stride,
                                     sizeof(uint64_t));
    return nonuniform->bits.words != NULL && nonuniform->columns.words != NULL &&
           nonuniform->common != NULL;
}

static void close_nonuniform(const AstarGrid *grid, void *layer)
{
    AstarNonUniform *nonuniform = layer;
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        free_nonuniform_jump(nonuniform, (AstarDiagonals)i);
    astar_release(&grid->allocator, nonuniform->common, 3 * nonuniform->bits.stride,
                  sizeof(uint64_t));
    astar_bits_free(&grid->allocator, &nonuniform->bits);
    astar_bits_free(&grid->allocator, &nonuniform->columns);
    astar_field_release(nonuniform->field);
    astar_layer_drop(grid, nonuniform->walkable);
    astar_layer_drop(grid, nonuniform->footprints);
}

static size_t nonuniform_bytes(const AstarGrid *grid, const void *layer)
{
    (void)grid;
    const AstarNonUniform *nonuniform = layer;
    size_t words = nonuniform->bits.count + nonuniform->columns.count + 3 * nonuniform->bits.stride;
    size_t bytes = words * sizeof(uint64_t);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        bytes += astar_jump_bytes(nonuniform->jumps[i]);
    return bytes;
}

ASTAR_LAYER_KIND(nonuniform_kind, AstarNonUniform, ASTAR_NONUNIFORMS, 2, is_same_ground,
                 open_nonuniform, close_nonuniform, nonuniform_bytes, build_nonuniform,
                 is_large_for_nonuniform, repair_nonuniform, NULL, NULL);

AstarStatus astar_nonuniform_acquire(const AstarGrid *grid, AstarWalkable *walkable,
                                     AstarFootprints *footprints, AstarField *field,
                                     const double *cost, AstarNonUniform **out)
{
    AstarNonUniform key = {.layer = {.kind = &nonuniform_kind, .ignored = walkable->layer.ignored},
                           .walkable = walkable,
                           .footprints = footprints,
                           .field = field};
    classify(grid, cost, key.classes);
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}
