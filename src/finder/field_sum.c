// field_sum.c -- The sum of everything that a finder adds to the costs of cells, as one field: the
// values of all fields to avoid, each times its weight, and the prices of blocks that its unit can
// break.
//
// Searches and flows read one field, see astar_finder_cell_cost. If a finder avoids several fields,
// or can break blocks, this file gives it a field that holds the sum. The sum is updated whenever
// the version of the finder is read: in the squares where a field has changed, and in the
// rectangles in which the log of a layer of blocks has edits. In the bitmaps blocks with a price
// count as walkable, and their cells cost more.
//
// A unit of several cells pays for the most dangerous cell that it covers, and for the block with
// the highest price, which may lie in another cell. Both are the highest of a rectangle of cells,
// as the costliest terrain is, see walkable.c. For such a unit the file therefore makes a field
// even if the finder avoids a single field.
//
// Prices are rounded to sixteenths, so that sums of prices are exact in single precision.

#include "finder/field_sum.h"

#include "finder/finder.h"

#include <math.h>
#include <string.h>

static const double PARTS = 16; // prices are multiples of 1 / PARTS

// The following functions create and free a sum.

static bool are_avoids_valid(const AstarOptions *options, const AstarGrid *grid)
{
    if (options->avoid_count < 0 || options->avoid_count > ASTAR_MAX_AVOIDS)
        return false;
    for (int i = 0; i < options->avoid_count; i++)
        if (options->avoids[i].field == NULL || !astar_field_fits(options->avoids[i].field, grid) ||
            !(fabs(options->avoids[i].weight) <= ASTAR_COST_MAX))
            return false;
    return true;
}

static void add_summand(AstarFieldSum *sum, AstarField *field, double weight)
{
    sum->summands[sum->count++] = (AstarSummand){.field = field, .weight = weight};
}

// Reads the prices of layers of blocks. Returns false if a price is invalid. Blocks of a layer with
// the price 0 can be entered like those of any layer with a price, but add nothing to the sum.
static bool take_prices(AstarFieldSum *sum, AstarOptions *options)
{
    int layers = options->breach != NULL ? astar_grid_layer_count(sum->grid) : 0;
    for (int i = 0; i < layers; i++) {
        double price = options->breach[i];
        if (isnan(price))
            continue;
        if (!(price >= 0 && price <= ASTAR_COST_MAX))
            return false;
        sum->prices[i] = floor(price * PARTS + 0.5) / PARTS;
        options->ignore |= UINT64_C(1) << i;
        if (sum->prices[i] > 0)
            sum->layers |= UINT64_C(1) << i;
    }
    return true;
}

// Returns the side of a block of positions whose dangers are computed together, for a body with
// 'covered' cells along this side. A block is at least as long as the body, so that a unit covers
// not many more cells than the block has.
static int side_of_block(int covered)
{
    return ASTAR_FIELD_TILE * ((covered + ASTAR_FIELD_TILE - 1) / ASTAR_FIELD_TILE);
}

// Returns true if the sum is the only field to avoid, seen by a body of several cells. The sum then
// has the values of that field without the weight, so that costs are rounded as for one cell.
static bool is_of_one_field(const AstarFieldSum *sum, const AstarOptions *options)
{
    return sum->layers == 0 && options->avoid_count == 0;
}

// Allocates the memory of a sum.
static AstarStatus allocate(const AstarGrid *grid, const AstarFieldSum *sum, AstarFieldSum **out)
{
    const AstarAllocator *allocator = &grid->allocator;
    AstarFieldSum *made = astar_alloc(allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    *made = *sum;
    AstarStatus status = astar_field_new_shaped(allocator, grid->shape->offset, grid->width,
                                                grid->height, &made->field);
    if (status == ASTAR_OK && sum->capacity > 0) {
        made->window = astar_alloc(allocator, sum->capacity, sizeof *made->window);
        if (made->window == NULL) {
            astar_field_release(made->field);
            status = ASTAR_NO_MEMORY;
        }
    }
    if (status != ASTAR_OK) {
        astar_release(allocator, made, 1, sizeof *made);
        return status;
    }
    *out = made;
    return ASTAR_OK;
}

AstarStatus astar_field_sum_new(const AstarGrid *grid, AstarOptions *options, AstarFieldSum **out)
{
    // The cost callback is called for single cells, even for a unit of several cells. If there is a
    // callback, the sum therefore holds the dangers and prices of single cells.
    bool asks = options->cost != NULL;
    const AstarBody body = {options->size, options->height};
    AstarFieldSum sum = {.grid = grid, .body = asks ? ASTAR_ONE_CELL : body};
    *out = NULL;
    if (!are_avoids_valid(options, grid) || !take_prices(&sum, options) || body.width < 1 ||
        body.width > ASTAR_MAX_SIZE || body.height < 1 || body.height > ASTAR_MAX_SIZE)
        return ASTAR_BAD_OPTION;
    const bool is_of_one = is_of_one_field(&sum, options);
    if (is_of_one && (options->avoid == NULL || astar_is_one_cell(sum.body)))
        return ASTAR_OK;
    if (options->avoid != NULL && !astar_field_fits(options->avoid, grid))
        return ASTAR_BAD_OPTION;
    if (options->avoid != NULL)
        add_summand(&sum, options->avoid, is_of_one ? 1 : options->avoid_weight);
    for (int i = 0; i < options->avoid_count; i++)
        add_summand(&sum, options->avoids[i].field, options->avoids[i].weight);
    if (!astar_is_one_cell(sum.body) && sum.count > 0)
        sum.capacity = (size_t)(side_of_block(body.width) + body.width - 1) *
                       (size_t)(side_of_block(body.height) + body.height - 1);
    AstarFieldSum *made = NULL;
    AstarStatus status = allocate(grid, &sum, &made);
    if (status != ASTAR_OK)
        return status;
    for (int i = 0; i < made->count; i++)
        astar_field_retain(made->summands[i].field);
    options->avoid = made->field;
    options->avoid_weight = is_of_one ? options->avoid_weight : 1;
    *out = made;
    return ASTAR_OK;
}

void astar_field_sum_free(AstarFieldSum *sum)
{
    if (sum == NULL)
        return;
    for (int i = 0; i < sum->count; i++)
        astar_field_release(sum->summands[i].field);
    const AstarAllocator allocator = sum->field->allocator;
    astar_release(&allocator, sum->window, sum->capacity, sizeof *sum->window);
    astar_field_release(sum->field);
    astar_release(&allocator, sum, 1, sizeof *sum);
}

// The following functions compute the sum for some cells.

// Returns the price of breaking all blocks on one cell.
static double price_of_cell(const AstarFieldSum *sum, int x, int y)
{
    double price = 0;
    const AstarBlocks *each = astar_blocks_first(sum->grid, ~sum->layers);
    for (; each != NULL; each = astar_blocks_next(each, ~sum->layers))
        if (astar_bits_get(&each->bits, x, y))
            price += sum->prices[astar_lowest_bit(each->bit)];
    return price;
}

// Returns the cells inside the grid that a unit covers if its position is one of 'width' cells of a
// row from (x, y) on.
static AstarEdit cells_covered_by(const AstarFieldSum *sum, int x, int y, int width)
{
    int right = x + width + sum->body.width - 1, bottom = y + sum->body.height;
    right = right < sum->grid->width ? right : sum->grid->width;
    bottom = bottom < sum->grid->height ? bottom : sum->grid->height;
    return (AstarEdit){.x = x, .y = y, .width = right - x, .height = bottom - y};
}

static double costliest_price(const AstarFieldSum *sum, int x, int y)
{
    AstarEdit covered = cells_covered_by(sum, x, y, 1);
    double costliest = 0;
    for (int row = y; row < y + covered.height; row++)
        for (int column = x; column < x + covered.width; column++)
            costliest = fmax(costliest, price_of_cell(sum, column, row));
    return costliest;
}

static bool has_priced_blocks(const AstarFieldSum *sum, int x, int y, int width)
{
    AstarEdit covered = cells_covered_by(sum, x, y, width);
    return sum->layers != 0 &&
           astar_blocks_any(sum->grid, ~sum->layers, x, y, covered.width, covered.height);
}

// Adds up the values of all fields in 'count' cells of a row. 'totals' must be zero.
static void add_fields(const AstarFieldSum *sum, int x, int y, int count, double *totals)
{
    size_t cell = (size_t)y * (size_t)sum->grid->width + (size_t)x;
    for (int k = 0; k < sum->count; k++) {
        const AstarSummand *summand = &sum->summands[k];
        for (int i = 0; i < count; i++)
            totals[i] += summand->weight * (double)summand->field->values[cell + (size_t)i];
    }
}

// Stores the sum of 'count' cells of a row, all in one square of the field, for the dangers
// 'totals'. Returns true if a value has changed.
static bool put_stretch(AstarFieldSum *sum, int x, int y, int count, const double *totals)
{
    float *values = sum->field->values + (size_t)y * (size_t)sum->grid->width + (size_t)x;
    bool changed = false, is_priced = has_priced_blocks(sum, x, y, count);
    for (int i = 0; i < count; i++) {
        double total = fmax(totals[i], 0) + (is_priced ? costliest_price(sum, x + i, y) : 0);
        float value = (float)fmin(total, ASTAR_COST_MAX);
        changed |= values[i] != value;
        values[i] = value;
    }
    if (changed)
        astar_field_note(sum->field, x, y, count, 1);
    return changed;
}

// Computes the sum for 'count' cells of a row, all in one square of the field. Returns true if a
// value has changed.
static bool sum_stretch(AstarFieldSum *sum, int x, int y, int count)
{
    double totals[ASTAR_FIELD_TILE] = {0};
    add_fields(sum, x, y, count, totals);
    return put_stretch(sum, x, y, count, totals);
}

// The following functions compute the sum for units of several cells. As for the costliest terrain,
// the highest danger under a unit is a sliding maximum along rows, and then down columns.

static void keep_greater(double *values, const double *others, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = values[i] > others[i] ? values[i] : others[i];
}

// Stores in the window the highest danger under the unit at each position of a block. Cells outside
// the grid have no danger. A row of the window has 'stride' values.
static void find_dangers(const AstarFieldSum *sum, AstarEdit block, int stride)
{
    const AstarGrid *grid = sum->grid;
    const AstarBody body = sum->body;
    int rows = block.height + body.height - 1;
    int inside = astar_lesser(stride, grid->width - block.x);
    memset(sum->window, 0, (size_t)rows * (size_t)stride * sizeof *sum->window);
    for (int y = 0; y < rows && block.y + y < grid->height; y++) {
        double *row = sum->window + (size_t)y * (size_t)stride;
        add_fields(sum, block.x, block.y + y, inside, row);
        for (int done = 1, shift; done < body.width; done += shift) {
            shift = astar_lesser(done, body.width - done);
            keep_greater(row, row + shift, stride - shift);
        }
    }
    for (int done = 1, shift; done < body.height; done += shift) {
        shift = astar_lesser(done, body.height - done);
        for (int y = 0; y < rows - shift; y++) {
            double *row = sum->window + (size_t)y * (size_t)stride;
            keep_greater(row, row + (size_t)shift * (size_t)stride, stride);
        }
    }
}

// Computes the sum for a block of positions inside the grid. Returns true if a value has changed.
static bool sum_block(AstarFieldSum *sum, AstarEdit block)
{
    const int stride = block.width + sum->body.width - 1;
    bool changed = false;
    find_dangers(sum, block, stride);
    for (int y = block.y; y < block.y + block.height; y++)
        for (int x = block.x, to; x < block.x + block.width; x = to) {
            to = x - x % ASTAR_FIELD_TILE + ASTAR_FIELD_TILE;
            to = astar_lesser(to, block.x + block.width);
            const double *dangers = sum->window + (size_t)(y - block.y) * (size_t)stride;
            changed |= put_stretch(sum, x, y, to - x, dangers + (x - block.x));
        }
    return changed;
}

static bool sum_blocks(AstarFieldSum *sum, AstarEdit where)
{
    const int columns = side_of_block(sum->body.width), rows = side_of_block(sum->body.height);
    const int right = astar_lesser(where.x + where.width, sum->grid->width);
    const int bottom = astar_lesser(where.y + where.height, sum->grid->height);
    bool changed = false;
    for (int y = astar_greater(where.y, 0); y < bottom; y += rows)
        for (int x = astar_greater(where.x, 0); x < right; x += columns)
            changed |= sum_block(sum, (AstarEdit){.x = x,
                                                  .y = y,
                                                  .width = astar_lesser(columns, right - x),
                                                  .height = astar_lesser(rows, bottom - y)});
    return changed;
}

// Computes the sum for the cells of a rectangle, as far as they are inside the grid. Returns true
// if a value has changed.
static bool sum_rectangle(AstarFieldSum *sum, AstarEdit where)
{
    bool changed = false;
    if (sum->capacity > 0)
        return sum_blocks(sum, where);
    int x0 = where.x > 0 ? where.x : 0, right = where.x + where.width;
    right = right < sum->grid->width ? right : sum->grid->width;
    int y = where.y > 0 ? where.y : 0;
    for (; y < where.y + where.height && y < sum->grid->height; y++)
        for (int x = x0, to; x < right; x = to) {
            to = x - x % ASTAR_FIELD_TILE + ASTAR_FIELD_TILE;
            to = to < right ? to : right;
            changed |= sum_stretch(sum, x, y, to - x);
        }
    return changed;
}

// The following functions update the sum after changes of fields and blocks.

// Returns a rectangle extended to all positions at which the unit covers one of its cells.
static AstarEdit positions_over(const AstarFieldSum *sum, AstarEdit cells)
{
    const int west = sum->body.width - 1, north = sum->body.height - 1;
    return (AstarEdit){.x = cells.x - west,
                       .y = cells.y - north,
                       .width = cells.width + west,
                       .height = cells.height + north};
}

// Squares that lie side by side are taken together, because the rectangles of positions over them
// overlap.
static bool take_summand(AstarFieldSum *sum, AstarSummand *summand)
{
    bool changed = false;
    uint32_t tile = 0;
    AstarEdit square, run = {.width = 0};
    while (astar_field_next_change(summand->field, summand->version, &tile, &square)) {
        if (run.width > 0 && square.y == run.y && square.x == run.x + run.width) {
            run.width += square.width;
            continue;
        }
        if (run.width > 0)
            changed |= sum_rectangle(sum, positions_over(sum, run));
        run = square;
    }
    if (run.width > 0)
        changed |= sum_rectangle(sum, positions_over(sum, run));
    summand->version = summand->field->version;
    return changed;
}

// Computes the sum in all squares where it is not 0 and in all squares with blocks, because the log
// does not contain where blocks have changed. Returns true if a value has changed.
static bool take_all_blocks(AstarFieldSum *sum)
{
    enum { AT_ONCE = 4 * ASTAR_FIELD_TILE };
    const AstarField *field = sum->field;
    AstarEdit known = {.x = field->west, .y = field->north};
    known.width = field->east - field->west;
    known.height = field->south - field->north;
    bool changed = known.width > 0 && sum_rectangle(sum, known);
    for (int y = 0; y < sum->grid->height; y++)
        for (int x = 0; x < sum->grid->width; x += AT_ONCE) {
            AstarEdit where = {.x = x, .y = y, .width = AT_ONCE, .height = 1};
            if (has_priced_blocks(sum, x, y, AT_ONCE))
                changed |= sum_rectangle(sum, where);
        }
    return changed;
}

static bool take_edits_of_blocks(AstarFieldSum *sum, const AstarBlocks *blocks)
{
    const AstarEditLog *log = &blocks->log;
    bool changed = false;
    for (uint64_t left = astar_edit_log_since(log, sum->version - 1); left > 0; left--) {
        changed |= sum_rectangle(sum,
                                 positions_over(sum, *astar_edit_log_at(log, log->made - left)));
    }
    return changed;
}

static bool take_priced_blocks(AstarFieldSum *sum)
{
    bool is_known = sum->version > 0 &&
                    astar_knows_edits_since(sum->grid, ~sum->layers, sum->version - 1);
    bool changed = !is_known && take_all_blocks(sum);
    const AstarBlocks *each = is_known ? astar_blocks_first(sum->grid, ~sum->layers) : NULL;
    for (; each != NULL; each = astar_blocks_next(each, ~sum->layers))
        changed |= take_edits_of_blocks(sum, each);
    sum->version = sum->grid->version + 1;
    return changed;
}

void astar_field_sum_sync(AstarFieldSum *sum)
{
    bool changed = false;
    for (int i = 0; i < sum->count; i++)
        if (sum->summands[i].version != sum->summands[i].field->version)
            changed |= take_summand(sum, &sum->summands[i]);
    if (sum->layers != 0 && sum->version != sum->grid->version + 1)
        changed |= take_priced_blocks(sum);
    sum->field->version += changed;
}
