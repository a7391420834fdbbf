// field.h -- danger, crowding, scent, what is seen.

// A layer of numbers over a map: danger, crowding, scent; 0 everywhere at first. A finder with
// the option 'avoid' adds a cell's value to what the cell costs per unit of length; one below 0
// counts as 0. Values are in single precision and stay from -ASTAR_COST_MAX to ASTAR_COST_MAX: what
// would leave that range is cut off. A change counts from the next question on.
ASTAR_API AstarStatus astar_field_new(const AstarAllocator *allocator, int width, int height,
                                      AstarField **out);
// The same over cells of a shape: that of the grid, for a finder to avoid it.
ASTAR_API AstarStatus astar_field_new_shaped(const AstarAllocator *allocator, AstarOffset offset,
                                             int width, int height, AstarField **out);
// Fields are counted references: finders hold one each.
ASTAR_API void astar_field_retain(AstarField *field);
ASTAR_API void astar_field_release(AstarField *field);
ASTAR_API int astar_field_width(const AstarField *field);
ASTAR_API int astar_field_height(const AstarField *field);
ASTAR_API AstarOffset astar_field_offset(const AstarField *field);
// Counts the changes.
ASTAR_API uint64_t astar_field_version(const AstarField *field);
ASTAR_API size_t astar_field_bytes(const AstarField *field);

// No value may be NAN (ASTAR_BAD_COST), which is what there is outside.
ASTAR_API double astar_field_get(const AstarField *field, int x, int y);
ASTAR_API AstarStatus astar_field_set(AstarField *field, int x, int y, double value);
ASTAR_API AstarStatus astar_field_add(AstarField *field, int x, int y, double value);
ASTAR_API AstarStatus astar_field_fill(AstarField *field, int x, int y, int width, int height,
                                       double value);
// Adds 'value' at (x, y) and less around it: value * (1 - d / (radius + 1)) at the straight
// distance d in cells, up to d = radius >= 0 (ASTAR_BAD_OPTION).
ASTAR_API AstarStatus astar_field_stamp(AstarField *field, int x, int y, int radius, double value);
// Multiplies every value by 'factor', from 0 to 1; what falls below 0.000001 becomes 0.
ASTAR_API void astar_field_decay(AstarField *field, double factor);

// ---- fields as numbers for each cell ----

// What these take goes by the rectangle that holds all values other than 0, not by the map. Two
// fields must be of one size and shape (ASTAR_BAD_OPTION); they may be the same one.

// Adds 'factor', which is finite (ASTAR_BAD_COST), times the other field.
ASTAR_API AstarStatus astar_field_add_field(AstarField *field, const AstarField *other,
                                            double factor);
// Takes each cell's greater value of both.
ASTAR_API AstarStatus astar_field_max(AstarField *field, const AstarField *other);
// Multiplies every value by 'factor', which is finite (ASTAR_BAD_COST).
ASTAR_API AstarStatus astar_field_scale(AstarField *field, double factor);
// Values below 'least', no NAN (ASTAR_BAD_COST), become 0.
ASTAR_API AstarStatus astar_field_threshold(AstarField *field, double least);
// Stores the next cell whose value is not 0, row by row from the north-west, and that value; false
// after the last. '*cell' is 0 at first and where to go on then.
ASTAR_API bool astar_field_next(const AstarField *field, uint64_t *cell, int *x, int *y,
                                double *value);
