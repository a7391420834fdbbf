// goal_fields.h -- distances to one goal, packed: a few bits for each cell where the unit can
// stand.
//
// Whoever goes on to the nearest neighbour needs to know only by how much neighbours' distances
// differ, and no step is longer than the dearest. So distances are kept modulo a number above twice
// that. Two bits are enough for straight steps of one cost, and one where a way leads from
// everywhere: the lowest bit of the distance is told by the cell itself, since every step changes
// the parity of x + y. Four bits hold diagonal steps of lengths 5 and 7. All ones mean that no way
// leads from there to the goal.
//
// Cells are numbered by where the unit can stand, as the map was when the field was begun: a field
// is as many entries long as there are such cells.

#ifndef ASTAR_GOAL_FIELDS_H
#define ASTAR_GOAL_FIELDS_H

#include "base/bits.h"
#include "base/directions.h"
#include "parts/crowd/cells.h"
#include "parts/crowd/kind.h"

#define ASTAR_NO_VALUE UINT32_MAX // a cell without a number, or from which no way leads to the goal

// What was worked out for a goal.
typedef struct AstarDistances {
    AstarNumbering *numbering; // NULL: nothing yet
    uint8_t *values;
    size_t bytes; // of those
    AstarPacking packing;
    uint8_t parity;         // of the goal's x + y
    bool is_uniform;        // as the kind whose distances these are,
    double scale;           // the same
    uint64_t version;       // of that
    uint64_t rules_version; // and of what it costs to move
    uint64_t map_version;   // of the grid
    uint64_t field_version; // of what is to be avoided
} AstarDistances;

typedef struct AstarGoalField {
    AstarDistances now;
    uint32_t goal;               // its cell
    uint32_t kind;               // its number
    uint64_t prey;               // the unit that is chased, in whose cell the goal is; 0: it stays
    uint32_t chaser;             // of those near it the first, see orders.c
    uint32_t range;              // units have arrived within so many columns and rows of it
    uint16_t size;               // of the units
    uint16_t goal_size;          // of the unit that is chased; else 1
    uint32_t users;              // how many units go by it
    uint32_t area;               // how many cells those cover
    uint64_t used_at;            // when the last of them left it: the beat
    struct AstarGoalField *next; // in its slot of the crowd's table
    // To be worked out:
    AstarDistances fresh;     // done, and not yet in force; or what was before, while is_tried
    bool is_leaving;          // when the beat takes place that is being made
    bool is_tried;            // 'now' and 'fresh' have changed places for a beat that is being made
    uint64_t cost;            // of 'fresh', in work
    uint64_t charged_version; // of the kind, which it was done for,
    uint64_t charged_rules_version;
    uint64_t charged;  // how much of it beats before have had done; 0: it was not begun
    uint64_t since;    // the beat in which it was asked for, or its distances came in force
    uint64_t sequence; // of those the first that was
} AstarGoalField;

AstarStatus astar_numbering_new(const AstarAllocator *allocator, const AstarBits *bits,
                                AstarNumbering **out);
void astar_numbering_release(AstarNumbering *numbering); // NULL is fine
size_t astar_numbering_bytes(const AstarNumbering *numbering);
void astar_distances_free(AstarDistances *distances, const AstarAllocator *allocator);

// A field as the last beat left it: with the distances in force, whatever is tried for a beat that
// is being made. What units tell goes by it, or it would depend on how far somebody worked ahead.
// It owns nothing, and is good until the field changes.
static inline AstarGoalField astar_goal_field_in_force(const AstarGoalField *field)
{
    AstarGoalField in_force = *field;
    if (field->is_tried)
        in_force.now = field->fresh;
    return in_force;
}

// The number of a cell that has one.
static inline uint32_t astar_number_of(const AstarNumbering *numbering, int x, int y)
{
    const AstarBits *bits = &numbering->bits;
    size_t bit = (size_t)(x + 1), word = (size_t)(y + 1) * bits->stride + (bit >> 6);
    uint64_t below = ((uint64_t)1 << (bit & 63)) - 1;
    return numbering->before[word] + astar_count_bits(bits->words[word] & below);
}

// The entry of who has no way to the goal, but where all have one.
static inline uint32_t astar_packed_none(unsigned shift)
{
    return shift >= 5 ? UINT32_MAX : (UINT32_C(1) << (1u << shift)) - 1;
}

// The entry of a number, as it is packed.
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

// The distance of a cell by the field's modulus; ASTAR_NO_VALUE where there is none.
uint32_t astar_goal_field_value(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell);
// The same of those neighbours of a cell that are 'wanted', by direction, and behind them its own;
// of others it may be any.
void astar_goal_field_around(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell,
                             unsigned wanted, uint32_t values[ASTAR_DIRECTIONS + 1]);

static inline AstarCrowdAim astar_aim_of_field(const AstarGoalField *field)
{
    return (AstarCrowdAim){field->goal, field->range, field->goal_size};
}

// How far a unit that goes by the field still is from where it has arrived, in columns or rows, the
// more of them.
static inline uint32_t astar_goal_field_beyond(const AstarGrid *grid, const AstarGoalField *field,
                                               uint32_t cell)
{
    AstarCrowdAim aim = astar_aim_of_field(field);
    uint32_t apart = astar_apart_from_aim(grid, cell, field->size, &aim);
    return apart > field->range ? apart - field->range : 0;
}

// Whether a cell is where units that go by the field have arrived.
static inline bool astar_goal_field_ends_at(const AstarGrid *grid, const AstarGoalField *field,
                                            uint32_t cell)
{
    return cell == field->goal ||
           (field->range > 0 && astar_goal_field_beyond(grid, field, cell) == 0);
}

// Whether units of one go where those of the other do.
static inline bool astar_is_same_goal(const AstarGoalField *field, const AstarGoalField *other)
{
    return field->goal == other->goal && field->range == other->range;
}

// By how much a distance is more than another, of two neighbours.
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
// Works out the distances to a goal, a few cells at a time.
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

// See goal_fields.c.
typedef struct AstarFieldRepair {
    const AstarGoalField *field; // whose distances in force are mended; NULL: none are
    AstarRepairStage stage;
    uint32_t *cells; // about the edits, and whose distances change
    size_t count, capacity, at;
} AstarFieldRepair;

// One field at a time is worked out; what that takes is kept for the next.
typedef struct AstarFieldBuild {
    AstarAllocator allocator;
    AstarCrowdKind *kind; // NULL: none is
    AstarDistances made;  // of the kind and its cells as they were when it was begun
    AstarCrowdAim aim;    // as the field has it
    uint64_t spent;       // work
    bool is_spread;       // all distances are known
    // Of the search, Dijkstra's.
    uint32_t *distances; // of each cell of the grid, from 'base' on; below it: none
    size_t cell_capacity;
    uint64_t base;
    uint64_t farthest; // from base on
    AstarFieldBucket *ring;
    size_t ring_size; // a power of two
    unsigned shift;   // of a distance, to its bucket
    uint64_t bucket;
    size_t position, kept, waiting; // 'kept' until the ring comes round again
    uint32_t reached;               // cells
    size_t word;                    // of the packing
    AstarFieldRepair repair;
} AstarFieldBuild;

void astar_field_build_free(AstarFieldBuild *build);
size_t astar_field_build_bytes(const AstarFieldBuild *build);
// Begins with the distances to where units of a kind have come to an aim; the kind is current. On
// failure none is begun.
AstarStatus astar_field_build_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                    AstarCrowdAim aim);
// The same anew, with the cells of before.
AstarStatus astar_field_build_again(AstarFieldBuild *build);
// Drops what was begun.
void astar_field_build_stop(AstarFieldBuild *build);
// Goes on, by about as many cells: ASTAR_OK when it is done. ASTAR_NO_MEMORY leaves what there is.
AstarStatus astar_field_build_step(AstarFieldBuild *build, uint64_t *work);
// The same until all distances are known, which are not packed then.
AstarStatus astar_field_build_spread(AstarFieldBuild *build, uint64_t *work);
// Gives a cell a distance, and has it expanded.
AstarStatus astar_field_build_put(AstarFieldBuild *build, uint32_t cell, uint64_t distance);
// Goes on to the next bucket.
void astar_field_build_next_bucket(AstarFieldBuild *build);
// Makes room for what is packed.
AstarStatus astar_field_build_need_values(AstarFieldBuild *build);
// Hands over what was worked out.
void astar_field_build_deliver(AstarFieldBuild *build, AstarDistances *out);

// A bucket, which shares its place with those that lie as far apart as the ring is long.
static inline AstarFieldBucket *astar_field_bucket(const AstarFieldBuild *build, uint64_t bucket)
{
    return &build->ring[(size_t)bucket & (build->ring_size - 1)];
}

static inline bool astar_field_build_has(const AstarFieldBuild *build, uint32_t cell)
{
    return build->distances[cell] >= build->base;
}

// Counts what was done of the work there is.
static inline void astar_field_build_spend(AstarFieldBuild *build, uint64_t *work, uint64_t done)
{
    *work -= done < *work ? done : *work;
    build->spent += done;
}

// What is packed for a known distance.
static inline uint32_t astar_packed_value(const AstarFieldBuild *build, uint32_t known,
                                          unsigned shift, uint32_t modulus)
{
    uint32_t distance = known - (uint32_t)build->base;
    return known < build->base ? astar_packed_none(shift)
           : shift == 0        ? distance >> 1 & 1
           : modulus == 0      ? distance
                               : distance % modulus;
}

// The steps into a cell, or out of it, each in turn, by the cells as they were when it was begun.
typedef struct AstarFieldSteps {
    uint32_t cell;
    bool are_back;
    unsigned moves;      // whose turn is still to come
    uint32_t lengths[2]; // of those into the cell
    uint32_t link;       // the next one
} AstarFieldSteps;

AstarFieldSteps astar_field_steps(const AstarFieldBuild *build, uint32_t cell, bool are_back);
// The cell at the other end of the next step, and how long that is; false: there are no more.
bool astar_next_field_step(const AstarFieldBuild *build, AstarFieldSteps *steps, uint32_t *other,
                           uint32_t *length);

// ---- mends the distances to a goal after edits, a few cells at a time ----

// Begins with the distances to a field's goal, of a kind that is current: by mending those in force
// where that can be, else anew. On failure none is begun.
AstarStatus astar_field_repair_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                     const AstarGoalField *field);
// Goes on with either, as astar_field_build_step does.
AstarStatus astar_field_repair_step(AstarFieldBuild *build, uint64_t *work);

// The field of a goal, or of a unit that is there and chased, its range and a kind, made if there
// is none; NULL without memory.
AstarGoalField *astar_crowd_field(AstarCrowd *crowd, uint32_t goal, uint32_t range, uint32_t kind,
                                  AstarUnit prey);
// Counts a unit of so many cells to it, or no longer: then it may be let go.
void astar_crowd_use_field(AstarGoalField *field, uint32_t area);
void astar_crowd_leave_field(AstarCrowd *crowd, AstarGoalField *field, uint32_t area);
void astar_crowd_free_fields(AstarCrowd *crowd);
// Gives the kinds of all fields other numbers, by those that they have.
void astar_crowd_renumber_fields(AstarCrowd *crowd, const uint32_t *numbers);
// Whether it was asked for since the last beat, or the map has changed since: then nothing of it
// need have been worked ahead, and the coming beat has but a share of its work for all such.
bool astar_crowd_is_news(const AstarCrowd *crowd, const AstarGoalField *field);
// Makes room for so many bytes more than distances take, as far as fields can be spared: they go
// when the beat takes place.
bool astar_crowd_make_room(AstarCrowd *crowd, size_t needed);
// Works out what this beat is to have; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_crowd_settle_fields(AstarCrowd *crowd, uint64_t *work);
// What was worked out since the stage began comes in force for good, or is put back.
void astar_crowd_commit_fields(AstarCrowd *crowd);
void astar_crowd_revert_fields(AstarCrowd *crowd);

#endif
