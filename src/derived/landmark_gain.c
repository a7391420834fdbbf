// landmark_gain.c -- what landmarks gain, without a search.
//
// A* expands the cells n with g(n) + h(n, goal) < g(goal). From a start whose distances are
// measured all g are known, so no search is needed to tell how many those are by either estimate: a
// sample of cells is looked at for each of a sample of goals. Over ground of one cost only cells at
// the corners of obstacles count, for jump point search expands few others.

#include "base/directions.h"
#include "derived/landmark_sweep.h"

#include <stdlib.h>

enum { SAMPLE_STARTS = 4, SAMPLE_GOALS = 64, SAMPLE_CELLS = 1024 };

typedef struct Sample {
    uint32_t cells[SAMPLE_CELLS];
    int count;
} Sample;

// Whether an obstacle's corner touches a cell that is set.
static bool is_at_corner(const AstarGrid *grid, const AstarBits *bits, size_t cell)
{
    int x, y;
    astar_cell_xy(grid, (uint32_t)cell, &x, &y);
    unsigned around = astar_bits_around(bits, x, y), straights = around & ASTAR_STRAIGHTS;
    return (astar_rotate(straights, 1) & astar_rotate(straights, 7) & ~around) != 0;
}

// Gathers such cells of the part of the map that was measured, evenly spread.
static void gather_sample(const AstarGrid *grid, const AstarLandmarks *landmarks, Sample *sample)
{
    const AstarBits *bits = &landmarks->walkable->bits;
    uint64_t total = 0, seen = 0;
    sample->count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t cell = 0; cell < grid->cells && sample->count < SAMPLE_CELLS; cell++) {
            if (*astar_landmark_distance(landmarks, (uint32_t)cell, 0) == ASTAR_FAR ||
                (landmarks->scale == 0 && !is_at_corner(grid, bits, cell)))
                continue;
            if (pass == 0)
                total++;
            else if (seen++ >= total * (uint64_t)sample->count / SAMPLE_CELLS)
                sample->cells[sample->count++] = (uint32_t)cell;
        }
}

// The estimate by the rule alone, over the cheapest ground.
static uint32_t plain_estimate(const AstarSweep *sweep, uint32_t from, uint32_t to)
{
    uint32_t straight = sweep->least[0], diagonal = sweep->least[1];
    int x0, y0, x1, y1;
    astar_cell_xy(sweep->grid, from, &x0, &y0);
    astar_cell_xy(sweep->grid, to, &x1, &y1);
    uint32_t dx = (uint32_t)abs(x1 - x0), dy = (uint32_t)abs(y1 - y0);
    uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    bool steps = !sweep->landmarks->rule->has_diagonals || diagonal > 2 * straight;
    return steps ? (dx + dy) * straight : less * diagonal + (more - less) * straight;
}

// Of equal f as the goal, one is expanded or not as ties fall: it counts half.
static unsigned count_halves(uint32_t left, uint32_t estimate)
{
    return (unsigned)(estimate < left) + (unsigned)(estimate <= left);
}

// Counts the cells of the sample that a search from where the sweep began expands.
static void count_expanded(const AstarSweep *sweep, const Sample *sample, uint32_t goal,
                           uint64_t expanded[2])
{
    const AstarLandmarks *landmarks = sweep->landmarks;
    AstarLandmarkBounds bounds = astar_landmarks_bounds(landmarks, goal);
    if (sweep->distances[goal] == ASTAR_FAR)
        return;
    for (int i = 0; i < sample->count; i++) {
        uint32_t cell = sample->cells[i];
        if (sweep->distances[cell] >= sweep->distances[goal])
            continue;
        uint32_t left = sweep->distances[goal] - sweep->distances[cell];
        uint32_t plain = plain_estimate(sweep, cell, goal);
        uint32_t landmark = astar_landmarks_estimate(astar_landmark_distance(landmarks, cell, 0),
                                                     landmarks->table_step, &bounds,
                                                     landmarks->tables);
        expanded[0] += count_halves(left, plain);
        expanded[1] += count_halves(left, landmark > plain ? landmark : plain);
    }
}

AstarStatus astar_landmarks_gain(const AstarGrid *grid, const AstarLandmarks *landmarks,
                                 double *gain)
{
    Sample sample;
    uint64_t expanded[2] = {0, 0};
    AstarSweep sweep;
    AstarStatus status = astar_sweep_begin(&sweep, grid, landmarks);
    gather_sample(grid, landmarks, &sample);
    for (int i = 1; i <= SAMPLE_STARTS && sample.count > 0 && status == ASTAR_OK; i++) {
        uint32_t start = sample.cells[sample.count * i / (SAMPLE_STARTS + 1)];
        status = astar_sweep_from(&sweep, start, false);
        for (int j = 0; j < SAMPLE_GOALS && status == ASTAR_OK; j++)
            count_expanded(&sweep, &sample, sample.cells[sample.count * j / SAMPLE_GOALS],
                           expanded);
    }
    astar_sweep_end(&sweep);
    *gain = (double)(expanded[0] + 1) / (double)(expanded[1] + 1);
    return status;
}
