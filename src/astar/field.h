// field.h -- Fields: one number per cell for danger, crowding, scent or visibility. A finder can
// add a field to the costs of cells.

// Creates a field over width x height cells, with the value 0 everywhere. A finder with the option
// 'avoid' adds the value of a cell to the cost of that cell per unit of length; negative values
// count as 0. Values are stored in single precision and are clamped to the range from
// -ASTAR_COST_MAX to ASTAR_COST_MAX. Every change of a value takes effect in the next query.
ASTAR_API AstarStatus astar_field_new(const AstarAllocator *allocator, int width, int height,
                                      AstarField **out);
// Creates a field for cells of any shape. A finder can only avoid a field of the same shape as its
// grid.
ASTAR_API AstarStatus astar_field_new_shaped(const AstarAllocator *allocator, AstarOffset offset,
                                             int width, int height, AstarField **out);
// Adds a reference to a field. Each finder that uses the field holds one.
ASTAR_API void astar_field_retain(AstarField *field);
// Drops a reference to a field. The field is freed with the last reference.
ASTAR_API void astar_field_release(AstarField *field);
// Returns the width of a field in cells.
ASTAR_API int astar_field_width(const AstarField *field);
// Returns the height of a field in cells.
ASTAR_API int astar_field_height(const AstarField *field);
// Returns the shape of the cells of a field.
ASTAR_API AstarOffset astar_field_offset(const AstarField *field);
// Returns the version of the field, which grows with each change.
ASTAR_API uint64_t astar_field_version(const AstarField *field);
// Returns the bytes that the field occupies.
ASTAR_API size_t astar_field_bytes(const AstarField *field);

// Returns the value of a cell, or NAN outside the field.
ASTAR_API double astar_field_get(const AstarField *field, int x, int y);
// Sets the value of a cell. Returns ASTAR_BAD_COST if 'value' is NAN, as the next three functions
// do.
ASTAR_API AstarStatus astar_field_set(AstarField *field, int x, int y, double value);
// Adds 'value' to the value of a cell.
ASTAR_API AstarStatus astar_field_add(AstarField *field, int x, int y, double value);
// Sets all values in a rectangle.
ASTAR_API AstarStatus astar_field_fill(AstarField *field, int x, int y, int width, int height,
                                       double value);
// Adds 'value' at (x, y) and less around it: value * (1 - d / (radius + 1)) in cells at the
// straight distance d <= radius. Returns ASTAR_BAD_OPTION for a negative radius.
ASTAR_API AstarStatus astar_field_stamp(AstarField *field, int x, int y, int radius, double value);
// Multiplies every value by 'factor', 0 to 1. Values that fall below 0.000001 become 0.
ASTAR_API void astar_field_decay(AstarField *field, double factor);

// The following functions are operations on whole fields.

// The time that these operations take depends on the rectangle that holds all values other than 0,
// not on the size of the map. The two fields of an operation must have the same size and shape,
// else it returns ASTAR_BAD_OPTION. The two fields may be the same object.

// Adds 'factor' times the values of 'other' to a field. Returns ASTAR_BAD_COST if 'factor' is not
// finite.
ASTAR_API AstarStatus astar_field_add_field(AstarField *field, const AstarField *other,
                                            double factor);
// Sets each cell of a field to the greater one of its value and the value of 'other'.
ASTAR_API AstarStatus astar_field_max(AstarField *field, const AstarField *other);
// Multiplies every value by 'factor'. Returns ASTAR_BAD_COST if 'factor' is not finite.
ASTAR_API AstarStatus astar_field_scale(AstarField *field, double factor);
// Sets all values below 'least' to 0. Returns ASTAR_BAD_COST if 'least' is NAN.
ASTAR_API AstarStatus astar_field_threshold(AstarField *field, double least);
// Stores the next cell whose value is not 0, and its value. Cells are returned row by row from the
// north-west. '*cell' must be 0 before the first call; each call changes it. Returns false after
// the last cell.
ASTAR_API bool astar_field_next(const AstarField *field, uint64_t *cell, int *x, int *y,
                                double *value);
