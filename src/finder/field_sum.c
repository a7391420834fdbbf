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
// Prices are rounded to sixteenths, so that sums of prices are exact in single precision.

#include "finder/field_sum.h"

#include "finder/finder.h"

#include <math.h>

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

AstarStatus astar_field_sum_new(const AstarGrid *grid, AstarOptions *options, AstarFieldSum **out)
{
    // The cost callback is called for single cells, even for a unit of several cells. If there is a
    // callback, the sum therefore holds the prices of single cells.
    bool asks = options->cost != NULL;
    AstarFieldSum sum = {.grid = grid, .size = asks ? 1 : options->size};
    *out = NULL;
    if (!are_avoids_valid(options, grid) || !take_prices(&sum, options))
        return ASTAR_BAD_OPTION;
    if (sum.layers == 0 && options->avoid_count == 0)
        return ASTAR_OK;
    if (options->avoid != NULL)
        add_summand(&sum, options->avoid, options->avoid_weight);
    for (int i = 0; i < options->avoid_count; i++)
        add_summand(&sum, options->avoids[i].field, options->avoids[i].weight);
    AstarFieldSum *made = astar_alloc(&grid->allocator, 1, sizeof *made);
    if (made == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_field_new_shaped(&grid->allocator, grid->shape->offset, grid->width,
                                                grid->height, &sum.field);
    if (status != ASTAR_OK) {
        astar_release(&grid->allocator, made, 1, sizeof *made);
        return status;
    }
    *made = sum;
    for (int i = 0; i < sum.count; i++)
        astar_field_retain(sum.summands[i].field);
    options->avoid = sum.field;
    options->avoid_weight = 1;
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
    int right = x + width + sum->size - 1, bottom = y + sum->size;
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

// Computes the sum for 'count' cells of a row, all in one square of the field. Returns true if a
// value has changed.
static bool sum_stretch(AstarFieldSum *sum, int x, int y, int count)
{
    size_t cell = (size_t)y * (size_t)sum->grid->width + (size_t)x;
    float *values = sum->field->values + cell;
    double totals[ASTAR_FIELD_TILE] = {0};
    bool changed = false, is_priced = has_priced_blocks(sum, x, y, count);
    for (int k = 0; k < sum->count; k++) {
        const AstarSummand *summand = &sum->summands[k];
        for (int i = 0; i < count; i++)
            totals[i] += summand->weight * (double)summand->field->values[cell + (size_t)i];
    }
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

// Computes the sum for the cells of a rectangle, as far as they are inside the grid. Returns true
// if a value has changed.
static bool sum_rectangle(AstarFieldSum *sum, AstarEdit where)
{
    bool changed = false;
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

static bool take_summand(AstarFieldSum *sum, AstarSummand *summand)
{
    bool changed = false;
    uint32_t tile = 0;
    AstarEdit square;
    while (astar_field_next_change(summand->field, summand->version, &tile, &square))
        changed |= sum_rectangle(sum, square);
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
    int before = sum->size - 1; // a unit covers cells to the south and east of its position
    bool changed = false;
    for (uint64_t left = astar_edit_log_since(log, sum->version - 1); left > 0; left--) {
        AstarEdit edit = *astar_edit_log_at(log, log->made - left);
        edit.x -= before;
        edit.y -= before;
        edit.width += before;
        edit.height += before;
        changed |= sum_rectangle(sum, edit);
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
