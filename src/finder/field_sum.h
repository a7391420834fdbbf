// field_sum.h -- what a finder adds to the costs of cells, as one field.

#ifndef ASTAR_FIELD_SUM_H
#define ASTAR_FIELD_SUM_H

#include "map/blocks.h"
#include "map/field.h"

// Whether a field has the grid's cells.
static inline bool astar_field_fits(const AstarField *field, const AstarGrid *grid)
{
    return field->width == grid->width && field->height == grid->height &&
           field->shape == grid->shape;
}

// A field that counts, times a weight, as it was when the sum was last brought up to date.
typedef struct AstarSummand {
    AstarField *field; // retained
    double weight;
    uint64_t version;
} AstarSummand;

typedef struct AstarFieldSum {
    AstarField *field;     // the sum
    const AstarGrid *grid; // its finder's
    int size;              // of the squares of cells whose dearest blocks count
    int count;             // of summands
    AstarSummand summands[ASTAR_MAX_AVOIDS + 1];
    uint64_t layers;                     // whose blocks have a price
    double prices[ASTAR_MAX_LAYERS + 1]; // of each layer; in sixteenths
    uint64_t version;                    // of the grid, when blocks were last looked at, and one
} AstarFieldSum;

// Makes the sum that some options need, and puts it in the place of what it is of: 'avoid' is it
// then, 'ignore' has the layers with a price. '*out' is NULL where one field, or none, says all.
AstarStatus astar_field_sum_new(const AstarGrid *grid, AstarOptions *options, AstarFieldSum **out);
void astar_field_sum_free(AstarFieldSum *sum);
// Takes in what has changed since the last time.
void astar_field_sum_sync(AstarFieldSum *sum);

#endif
