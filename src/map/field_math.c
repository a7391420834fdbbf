// field_math.c -- fields as numbers for each cell: added up, scaled, compared, read.
//
// A field knows a rectangle outside of which it is 0. All of this goes over such rectangles alone,
// so that what one unit sees or threatens takes as long on a large map as on a small one.

#include "map/field.h"

#include <math.h>

typedef enum Operation { ADD, MAX, SCALE, THRESHOLD } Operation;

// What becomes of a value.
static double work_out(Operation operation, double value, double other, double by)
{
    switch (operation) {
    case ADD: return value + other * by;
    case MAX: return value > other ? value : other;
    case SCALE: return value * by;
    default: return value >= by ? value : 0;
    }
}

// The values of a row from 'from' to 'to', of one square; whether any is another now.
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

// Outside of that a field is 0.
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
