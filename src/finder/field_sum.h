// field_sum.h -- The sum of everything that a finder adds to the costs of cells, as one field.

#ifndef ASTAR_FIELD_SUM_H
#define ASTAR_FIELD_SUM_H

#include "map/blocks.h"
#include "map/field.h"

// Returns true if a field has the size and the shape of a grid.
static inline bool astar_field_fits(const AstarField *field, const AstarGrid *grid)
{
    return field->width == grid->width && field->height == grid->height &&
           field->shape == grid->shape;
}

// A field that is part of a sum, its factor, and the version of the field that the sum contains.
typedef struct AstarSummand {
    AstarField *field; // retained
    double weight;
    uint64_t version;
} AstarSummand;

typedef struct AstarFieldSum {
    AstarField *field;     // field that holds the sum
    const AstarGrid *grid; // grid of the finder
    // Body of the unit. For each position of the unit the sum has the highest danger and the
    // highest price of the cells under the unit. The danger of a cell is the sum of its values in
    // all fields, each times its weight, or 0 if that sum is negative.
    AstarBody body;
    // For a body of several cells, memory for the dangers of the cells under a block of positions.
    double *window;
    size_t capacity; // number of dangers for which 'window' has room
    int count;       // number of summands
    AstarSummand summands[ASTAR_MAX_AVOIDS + 1];
    uint64_t layers;                     // set of the layers of blocks with a price above 0
    double prices[ASTAR_MAX_LAYERS + 1]; // price of each layer, a multiple of 1/16
    // 1 + the version of the grid whose blocks the sum contains. 0 means that the sum contains no
    // blocks yet.
    uint64_t version;
} AstarFieldSum;

// Creates the sum that some options need. In the options, replaces 'avoid' by the sum, and adds the
// layers with a price to 'ignore'. '*out' is NULL if no sum is needed, because the options have no
// price, and either no field or one field for a unit of one cell.
AstarStatus astar_field_sum_new(const AstarGrid *grid, AstarOptions *options, AstarFieldSum **out);
void astar_field_sum_free(AstarFieldSum *sum);
// Updates the sum after changes of its fields and of blocks with a price.
void astar_field_sum_sync(AstarFieldSum *sum);

#endif
