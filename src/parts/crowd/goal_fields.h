// goal_fields.h -- distances from all cells to one goal, packed to a few bits for each cell that
// the unit can occupy. The units of a crowd follow these distances to their goals.
//
// A unit moves to the neighbour that is nearest to the goal. For this it needs only the differences
// between the distances of neighbours. Neighbours differ by at most the length of the longest step.
// Therefore distances are stored modulo a number that is more than twice that length. Two bits per
// cell are enough if all steps are straight and cost the same. One bit is enough if, in addition,
// the goal can be reached from every cell: every step changes the parity of x + y, so the position
// of a cell gives the lowest bit of its distance. Four bits hold diagonal steps of lengths 5 and 7.
// An entry of all ones means that no route leads from the cell to the goal.
//
// The cells that the unit can occupy are numbered. The numbering is that of the map when the field
// was started. A field has one entry for each numbered cell.

#ifndef ASTAR_GOAL_FIELDS_H
#define ASTAR_GOAL_FIELDS_H

#include "base/bits.h"
#include "base/directions.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/kind.h"

// Value for a cell that has no number or no route to the goal.
#define ASTAR_NO_VALUE UINT32_MAX

// The distances to one goal, computed for one version of the map.
typedef struct AstarDistances {
    // The numbering of cells by which 'values' is indexed; NULL: there are no distances.
    AstarNumbering *numbering;
    uint8_t *values;
    size_t bytes; // size of the array 'values' in bytes
    AstarPacking packing;
    uint8_t parity;  // parity of x + y of the goal cell
    bool is_uniform; // value of AstarCrowdKind.is_uniform when the distances were computed
    double scale;    // value of AstarCrowdKind.scale when the distances were computed
    // Version of the map, as AstarCrowdKind.version, for which the distances were computed.
    uint64_t version;
    // Version of the palette, links and walls (AstarCrowdKind.rules_version) for which the
    // distances were computed.
    uint64_t rules_version;
    uint64_t map_version; // version of the grid for which the distances were computed
    // If the finder avoids a field: version of that field when the distances were computed.
    uint64_t field_version;
} AstarDistances;

// A field: the distances to one goal for the units of one finder, and the data that keeps them up
// to date.
typedef struct AstarGoalField {
    AstarDistances now;
    uint32_t goal;        // the goal cell
    uint32_t kind;        // number of the kind (data of one finder) to which the units belong
    uint64_t target_unit; // the target unit whose cell is the goal; 0: the goal does not move
    // The first unit in the list of units that follow the distances of a window around the target
    // unit, and the number of all units that chase the target unit and have not reached it, see
    // orders.c.
    uint32_t chaser, chasers;
    uint32_t range;     // units have arrived within this number of columns and rows of the goal
    uint16_t size;      // size of the units that have this goal
    uint16_t goal_size; // size of the target unit in a chase, otherwise 1
    uint32_t users;     // number of units that have this goal
    uint32_t area;      // number of cells that the units with this goal cover
    uint64_t used_at;   // number of the tick in which the last of these units got another goal
    struct AstarGoalField *next; // next field in the same slot of the hash table
    // New distances that are complete but not used yet. While 'is_tried' is true: the previous
    // distances.
    AstarDistances fresh;
    bool is_leaving; // true if the field will be removed when the tick in progress is complete
    bool is_tried;   // true if 'now' and 'fresh' were swapped on trial for the tick in progress
    uint64_t cost;   // work that the computation of 'fresh' took
    // Version of the map for which earlier ticks have started distances that are not complete.
    // Their work is in 'accounted'.
    uint64_t charged_version;
    uint64_t charged_rules_version;
    // Work that earlier ticks have done on distances that are not complete; 0: there are none.
    uint64_t accounted;
    // Number of the tick in which the field was requested or, if later, in which it got its last
    // distances.
    uint64_t since;
    uint64_t sequence; // position of the field in the order in which fields were requested
} AstarGoalField;

AstarStatus astar_numbering_new(const AstarAllocator *allocator, const AstarBits *bits,
                                AstarNumbering **out);
void astar_numbering_release(AstarNumbering *numbering); // 'numbering' may be NULL
size_t astar_numbering_bytes(const AstarNumbering *numbering);
void astar_distances_free(AstarDistances *distances, const AstarAllocator *allocator);

// Returns a copy of a field with the distances that the last completed tick used, even if other
// distances are on trial for the tick in progress. Queries of the program must be answered from
// this copy. Otherwise the answers would depend on how far the next tick was computed ahead. The
// copy owns nothing, and is valid until the field changes.
static inline AstarGoalField astar_goal_field_in_force(const AstarGoalField *field)
{
    AstarGoalField in_force = *field;
    if (field->is_tried)
        in_force.now = field->fresh;
    return in_force;
}

// Returns the number of the cell (x, y) in a numbering. The unit must be able to occupy the cell.
static inline uint32_t astar_number_of(const AstarNumbering *numbering, int x, int y)
{
    const AstarBits *bits = &numbering->bits;
    size_t bit = (size_t)(x + 1), word = (size_t)(y + 1) * bits->stride + (bit >> 6);
    uint64_t below = ((uint64_t)1 << (bit & 63)) - 1;
    return numbering->before[word] + astar_count_bits(bits->words[word] & below);
}

// Returns the packed entry that means "no route to the goal". There is no such entry if entries
// have only one bit; then all cells have a route.
static inline uint32_t astar_packed_none(unsigned shift)
{
    return shift >= 5 ? UINT32_MAX : (UINT32_C(1) << (1u << shift)) - 1;
}

// Returns the packed entry of the cell with this number.
static inline uint32_t astar_packed_entry(const uint8_t *values, uint32_t number, unsigned shift)
{
    if (shift < 3)
        return (uint32_t)values[number >> (3 - shift)] >> ((number << shift) & 7) &
               astar_packed_none(shift);
    if (shift == 3)
        return values[number];
    const uint8_t *bytes = values + ((size_t)number << (shift - 3));
    uint32_t entry = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    return shift == 4 ? entry : entry | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Returns the distance of a cell modulo the field's modulus, or ASTAR_NO_VALUE if there is none.
uint32_t astar_goal_field_value(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell);
// Writes the distances of some neighbours of a cell, modulo the field's modulus, to 'values'.
// 'wanted' has a bit for each direction whose neighbour is needed. The distance of the cell itself
// becomes the last value. Values of other directions are undefined.
void astar_goal_field_around(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell,
                             unsigned wanted, uint32_t values[ASTAR_DIRECTIONS + 1]);

static inline AstarCrowdAim astar_aim_of_field(const AstarGoalField *field)
{
    return (AstarCrowdAim){field->goal, field->range, field->goal_size};
}

// Returns how far a unit at 'cell' is from the nearest cell at which it would have arrived, in
// columns or in rows, whichever number is greater.
static inline uint32_t astar_goal_field_beyond(const AstarGrid *grid, const AstarGoalField *field,
                                               uint32_t cell)
{
    AstarCrowdAim aim = astar_aim_of_field(field);
    uint32_t apart = astar_apart_from_aim(grid, cell, field->size, &aim);
    return apart > field->range ? apart - field->range : 0;
}

// Returns true if a unit at 'cell' has arrived at the goal of the field.
static inline bool astar_goal_field_ends_at(const AstarGrid *grid, const AstarGoalField *field,
                                            uint32_t cell)
{
    return cell == field->goal ||
           (field->range > 0 && astar_goal_field_beyond(grid, field, cell) == 0);
}

// Returns true if two fields of distances have the same goal and range.
static inline bool astar_is_same_goal(const AstarGoalField *field, const AstarGoalField *other)
{
    return field->goal == other->goal && field->range == other->range;
}

// Returns the difference of the distances of two neighbouring cells. 'value' and 'other' are these
// distances modulo the field's modulus.
static inline int64_t astar_goal_field_difference(const AstarGoalField *field, uint32_t value,
                                                  uint32_t other)
{
    int32_t modulus = (int32_t)field->now.packing.modulus;
    if (modulus == 0)
        return (int64_t)value - (int64_t)other;
    int32_t difference = (int32_t)(value - other);
    if (2 * difference > modulus)
        return difference - modulus;
    return 2 * difference < -modulus ? difference + modulus : difference;
}

// ------------------------------------------------------------------------------------------------
// The data and functions below compute the distances to one goal, a few cells at a time.
// ------------------------------------------------------------------------------------------------

typedef struct AstarFieldBucket {
    uint32_t *cells;
    size_t count, capacity;
} AstarFieldBucket;

typedef enum AstarRepairStage {
    ASTAR_REPAIR_RECALL,
    ASTAR_REPAIR_RAISE,
    ASTAR_REPAIR_LOWER,
    ASTAR_REPAIR_SPREAD,
    ASTAR_REPAIR_COPY,
    ASTAR_REPAIR_WRITE,
    ASTAR_REPAIR_DONE
} AstarRepairStage;

// The state of a repair of distances after edits, see goal_fields.c.
typedef struct AstarFieldRepair {
    // The field whose distances are repaired; NULL: no repair is in progress.
    const AstarGoalField *field;
    AstarRepairStage stage;
    uint32_t *cells; // list of the cells around the edits and the cells whose distances change
    size_t count, capacity, at;
} AstarFieldRepair;

// The computation of one field of distances. Its memory is used again for the next field.
typedef struct AstarFieldBuild {
    AstarAllocator allocator;
    // The kind of unit for which distances are computed; NULL: no computation is in progress.
    AstarCrowdKind *kind;
    // The distances computed so far, for the map as it was when the computation was started.
    AstarDistances made;
    AstarCrowdAim aim; // the cells to which distances are computed
    uint64_t spent;    // work done so far
    bool is_spread;    // true if all distances are known, but not packed yet
    // The members from here to 'word' are the state of Dijkstra's algorithm. 'distances' contains
    // for each cell of the grid its distance + 'base'. A number below 'base' means that there is no
    // distance.
    uint32_t *distances;
    size_t cell_capacity;
    uint64_t base;
    uint64_t farthest; // greatest distance so far, without 'base'
    AstarFieldBucket *ring;
    size_t ring_size; // number of buckets in the ring, a power of two
    unsigned shift;   // the number of a distance's bucket is distance >> shift
    uint64_t bucket;
    // 'position' is the number of entries of the current bucket that are done, and 'kept' the
    // number of its entries that belong to a later bucket with the same element of the ring.
    // 'waiting' counts the entries of all buckets.
    size_t position, kept, waiting;
    uint32_t reached; // number of cells that have got a distance
    // Index of the next word of the bitmap of walkable cells whose cells are to be packed.
    size_t word;
    AstarFieldRepair repair;
} AstarFieldBuild;

void astar_field_build_free(AstarFieldBuild *build);
size_t astar_field_build_bytes(const AstarFieldBuild *build);
// Starts the computation of the distances to an aim, for the units of one finder. 'kind' is the
// data of that finder and must be up to date. On failure nothing is started.
AstarStatus astar_field_build_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                    AstarCrowdAim aim);
// Restarts the computation from the goal, with the same copy of the walkable cells.
AstarStatus astar_field_build_again(AstarFieldBuild *build);
// Ends the computation of distances and discards its result.
void astar_field_build_stop(AstarFieldBuild *build);
// Continues the computation by about as many cells as 'work' allows. Returns ASTAR_OK when the
// distances are complete. After ASTAR_NO_MEMORY a further call may continue the
// computation.
AstarStatus astar_field_build_step(AstarFieldBuild *build, uint64_t *work);
// Continues the computation until all distances are known or 'work' is used up. Does not pack the
// distances.
AstarStatus astar_field_build_spread(AstarFieldBuild *build, uint64_t *work);
// Sets the distance of a cell and adds the cell to the bucket of that distance.
AstarStatus astar_field_build_put(AstarFieldBuild *build, uint32_t cell, uint64_t distance);
// Ends the current bucket of the ring and moves on to the next one.
void astar_field_build_next_bucket(AstarFieldBuild *build);
// Allocates the array of packed distances.
AstarStatus astar_field_build_need_values(AstarFieldBuild *build);
// Moves the complete distances of a computation to '*out'.
void astar_field_build_deliver(AstarFieldBuild *build, AstarDistances *out);

// Returns the element of the ring that holds a bucket. Buckets whose numbers differ by a multiple
// of the ring's size share an element.
static inline AstarFieldBucket *astar_field_bucket(const AstarFieldBuild *build, uint64_t bucket)
{
    return &build->ring[(size_t)bucket & (build->ring_size - 1)];
}

static inline bool astar_field_build_has(const AstarFieldBuild *build, uint32_t cell)
{
    return build->distances[cell] >= build->base;
}

// Subtracts 'done' work units from the budget '*work' and adds them to the work of the computation.
static inline void astar_field_build_spend(AstarFieldBuild *build, uint64_t *work, uint64_t done)
{
    *work -= done < *work ? done : *work;
    build->spent += done;
}

// Returns the packed entry of a distance. 'known' is the distance + base; a number below the base
// means that there is no distance.
static inline uint32_t astar_packed_value(const AstarFieldBuild *build, uint32_t known,
                                          unsigned shift, uint32_t modulus)
{
    uint32_t distance = known - (uint32_t)build->base;
    return known < build->base ? astar_packed_none(shift)
           : shift == 0        ? distance >> 1 & 1
           : modulus == 0      ? distance
                               : distance % modulus;
}

// An iterator over the steps into a cell, or out of it. The steps are those of the map as it was
// when the computation was started.
typedef struct AstarFieldSteps {
    uint32_t cell;
    bool are_back;
    unsigned moves;      // directions of the steps that are still to come, as bits
    uint32_t lengths[2]; // lengths of a straight and a diagonal step into the cell
    uint32_t link;       // index of the link to examine next
} AstarFieldSteps;

AstarFieldSteps astar_field_steps(const AstarFieldBuild *build, uint32_t cell, bool are_back);
// Moves an iterator on to the next step. Writes the cell at the other end of the step to '*other'
// and the length of the step to '*length'. Returns false if there are no more steps.
bool astar_next_field_step(const AstarFieldBuild *build, AstarFieldSteps *steps, uint32_t *other,
                           uint32_t *length);

// The next two functions repair the distances of a field after edits.

// Starts to compute the distances of a field for the current map. The distances in use are repaired
// if that is possible. Otherwise all distances are computed. On failure nothing is started.
AstarStatus astar_field_repair_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                     const AstarGoalField *field);
// Continues the computation that astar_field_repair_begin has started. Returns the same statuses as
// astar_field_build_step.
AstarStatus astar_field_repair_step(AstarFieldBuild *build, uint64_t *work);

// Returns the field of distances for a goal cell, a range and the finder of the kind with number
// 'kind'. For a chase, 'target_unit' is the target unit. Makes the field if there is none. Returns
// NULL if memory is short.
AstarGoalField *astar_crowd_field(AstarCrowd *crowd, uint32_t goal, uint32_t range, uint32_t kind,
                                  AstarUnit target_unit);
// Adds a unit that covers 'area' cells to the users of a field.
void astar_crowd_use_field(AstarGoalField *field, uint32_t area);
// Removes a unit from the users of a field. A field without users may be freed.
void astar_crowd_leave_field(AstarCrowd *crowd, AstarGoalField *field, uint32_t area);
void astar_crowd_free_fields(AstarCrowd *crowd);
// Gives the fields new kind numbers (numbers of the data of finders): a field with number k gets
// numbers[k].
void astar_crowd_renumber_fields(AstarCrowd *crowd, const uint32_t *numbers);
// Returns true if a field was requested since the last tick, or if the map has changed since the
// last tick. The distances of such a field could not be computed ahead. Therefore the next tick
// spends only a small part of its work on all such fields.
bool astar_crowd_is_news(const AstarCrowd *crowd, const AstarGoalField *field);
// Makes room for 'needed' bytes of distances, by marking unused fields for removal. The marked
// fields are removed when the tick is committed. Returns false if there is not enough room.
bool astar_crowd_make_room(AstarCrowd *crowd, size_t needed);
// Computes the distances that units will follow in this tick. Returns ASTAR_RUNNING if 'work' is
// used up first.
AstarStatus astar_crowd_compute_fields(AstarCrowd *crowd, uint64_t *work);
// Makes the distances of this tick permanent and removes the fields that are marked for removal.
void astar_crowd_commit_fields(AstarCrowd *crowd);
// Restores the distances that units followed before this tick.
void astar_crowd_revert_fields(AstarCrowd *crowd);

#endif
