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

static bool are_tables_good(const AstarGrid *grid, AstarLandmarks *landmarks)
{
    for (int i = 0; i < landmarks->tables; i++)
        if (landmarks->deficit[i] == 0 && !astar_landmarks_table_is_good(grid, landmarks, i))
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
