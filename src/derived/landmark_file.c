// landmark_file.c -- landmarks as bytes.
//
//     the head, see baked_head.c
//     how many landmarks: 4 bytes; 8 bytes of the scale, a double, 0 where they count lengths
//     of each table 4 bytes: 1 where it holds; then the distance of each free cell, 4 bytes, row by
//         row
//
// They are saved as edits have left them. A table that falls short is not, for how much that may be
// cannot be told again. Nothing tells which ground they were measured on, and nothing has to: a
// table is good if no step leads farther than it costs, and that is looked at for every step.

#include "derived/landmarks.h"

#include "base/directions.h"
#include "map/links_and_walls.h"

#include <math.h>

enum { LEAST_EXPONENT = -900, MOST_EXPONENT = 900 }; // of a scale

// Distances of the free cells; in the others ASTAR_FAR is put when they are loaded.
static void carry_table(AstarArchive *archive, const AstarGrid *grid,
                        const AstarLandmarks *landmarks, int table)
{
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            uint32_t *distance = astar_landmark_distance(landmarks, astar_cell(grid, x, y), table);
            if (astar_bits_get(&landmarks->walkable->bits, x, y))
                astar_carry_words(archive, distance, 1);
            else if (archive->is_loaded)
                *distance = ASTAR_FAR;
            archive->is_bad |= *distance > ASTAR_FAR;
        }
}

// ---- saving ----

static bool is_table_saved(const AstarLandmarks *landmarks, int table)
{
    return landmarks->deficit[table] == 0;
}

bool astar_landmarks_can_be_saved(const AstarLandmarks *landmarks)
{
    bool can = false;
    for (int i = 0; i < landmarks->tables; i++)
        can |= is_table_saved(landmarks, i);
    return can;
}

void astar_landmarks_save(const AstarGrid *grid, const AstarLandmarks *landmarks,
                          AstarArchive *archive)
{
    int count = landmarks->scale == 0 ? landmarks->tables : landmarks->tables / 2;
    astar_carry_word(archive, (uint32_t)count);
    astar_carry_double(archive, landmarks->scale);
    for (int i = 0; i < landmarks->tables; i++)
        if (astar_carry_word(archive, is_table_saved(landmarks, i)) != 0)
            carry_table(archive, grid, landmarks, i);
}

// ---- loading ----

// Loads tables; those that were not saved tell nothing.
static AstarStatus load_tables(AstarArchive *archive, const AstarGrid *grid,
                               AstarLandmarks *landmarks, int tables)
{
    for (int i = 0; i < tables && !archive->is_bad; i++) {
        uint32_t is_there = astar_carry_word(archive, 0);
        landmarks->tables = i + 1;
        landmarks->deficit[i] = is_there == 1 ? 0 : ASTAR_FAR;
        archive->is_bad |= is_there > 1;
        if (is_there == 1)
            carry_table(archive, grid, landmarks, i);
    }
    return astar_archive_end(archive);
}

// Whether a way from one distance to another may cost so much. What lies as far as ASTAR_FAR or
// farther counts as that far, whether it was reached or not.
static bool is_step_good(uint32_t from, uint32_t to, uint32_t cost)
{
    return to <= from + cost;
}

static bool are_steps_good(const AstarGrid *grid, const AstarLandmarks *landmarks, int table, int x,
                           int y)
{
    const uint8_t *ground = astar_landmarks_ground(landmarks, grid);
    bool back = astar_table_is_back(landmarks, table), are_good = true;
    uint32_t cell = astar_cell(grid, x, y);
    uint32_t here = *astar_landmark_distance(landmarks, cell, table);
    unsigned moves = astar_landmark_moves(landmarks, grid, x, y, back);
    for (; moves != 0 && are_good; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        are_good = is_step_good(here, *astar_landmark_distance(landmarks, next, table),
                                landmarks->weight[d & 1][ground[back ? cell : next]]);
    }
    return are_good;
}

static bool is_link_good(const AstarGrid *grid, const AstarLandmarks *landmarks, int table,
                         const AstarArc *arc)
{
    const AstarBits *bits = &landmarks->walkable->bits;
    uint32_t cost = astar_landmark_link(landmarks, arc->cost);
    uint32_t from = *astar_landmark_distance(landmarks, arc->from, table);
    uint32_t to = *astar_landmark_distance(landmarks, arc->to, table);
    int x, y, to_x, to_y;
    astar_cell_xy(grid, arc->from, &x, &y);
    astar_cell_xy(grid, arc->to, &to_x, &to_y);
    if (!astar_bits_get(bits, x, y) || !astar_bits_get(bits, to_x, to_y))
        return true;
    bool back = astar_table_is_back(landmarks, table), both = landmarks->scale == 0;
    return (back || is_step_good(from, to, cost)) &&
           (!(back || both) || is_step_good(to, from, cost));
}

// Whether no step and no link leads farther by a table than it costs.
static bool is_table_good(const AstarGrid *grid, const AstarLandmarks *landmarks, int table)
{
    const AstarBits *bits = &landmarks->walkable->bits;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            if (astar_bits_get(bits, x, y) && !are_steps_good(grid, landmarks, table, x, y))
                return false;
    if (!astar_grid_has_links(grid))
        return true;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    for (uint32_t i = 0; i < links->arcs.count; i++)
        if (!is_link_good(grid, landmarks, table, astar_arc_at(&links->arcs, i)))
            return false;
    return true;
}

static bool are_tables_good(const AstarGrid *grid, const AstarLandmarks *landmarks)
{
    for (int i = 0; i < landmarks->tables; i++)
        if (landmarks->deficit[i] == 0 && !is_table_good(grid, landmarks, i))
            return false;
    return true;
}

// Whether whole numbers by a scale are exact, and estimates by them finite.
static bool is_scale_sound(double scale)
{
    int exponent;
    return isfinite(scale) && frexp(scale, &exponent) == 0.5 && exponent >= LEAST_EXPONENT &&
           exponent <= MOST_EXPONENT;
}

AstarStatus astar_landmarks_load(const AstarGrid *grid, AstarLandmarkPlan *plan,
                                 AstarArchive *archive, const char **why, AstarLandmarks **out)
{
    uint32_t count = astar_carry_word(archive, 0);
    double scale = astar_carry_double(archive, 0);
    *why = astar_baked_is_damaged;
    if (count < 1 || count > ASTAR_MAX_PIVOTS || (scale != 0 && !is_scale_sound(scale)))
        return ASTAR_BAD_DATA;
    plan->is_whole = scale == 0;
    plan->count = (int)count;
    AstarLandmarks *landmarks = astar_landmarks_new(grid, plan, scale);
    if (landmarks == NULL)
        return ASTAR_NO_MEMORY;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = load_tables(archive, grid, landmarks,
                                     plan->is_whole ? plan->count : 2 * plan->count);
    if (status == ASTAR_OK && !are_tables_good(grid, landmarks)) {
        *why = "baked for other costs, links or walls";
        status = ASTAR_BAD_DATA;
    }
    if (status == ASTAR_OK)
        status = astar_layer_advance(grid, landmarks, &work);
    if (status == ASTAR_OK)
        *out = landmarks;
    else
        astar_layer_release(grid, landmarks);
    return status;
}
