// landmark_gain.c -- what landmarks gain, without a search.
//
// A* expands the cells n with g(n) + h(n, goal) < g(goal). From a start whose distances are
// measured all g are known, so no search is needed to tell how many those are by either estimate: a
// sample of cells is looked at for each of a sample of goals. Over ground of one cost only cells at
// the corners of obstacles count, for jump point search expands few others.

#include "derived/landmark_sweep.h"

#include "base/directions.h"

#include <stdlib.h>

enum {
    SAMPLE_STARTS = 4,
    SAMPLE_GOALS = 64,
    WORK_OF_CELL = 2,     // that is looked at for the sample
    WORK_OF_ESTIMATES = 2 // of a cell of it
};

// Whether an obstacle's corner touches a cell that is set.
static bool is_at_corner(const AstarGrid *grid, const AstarBits *bits, size_t cell)
{
    int x, y;
    astar_cell_xy(grid, (uint32_t)cell, &x, &y);
    unsigned around = astar_bits_around(bits, x, y), straights = around & ASTAR_STRAIGHTS;
    return (astar_rotate(straights, 1) & astar_rotate(straights, 7) & ~around) != 0;
}

// Whether the cell is of the part of the map that was measured, and counts.
static bool is_for_sample(const AstarGrid *grid, const AstarLandmarks *landmarks, size_t cell)
{
    return *astar_landmark_distance(landmarks, (uint32_t)cell, 0) != ASTAR_FAR &&
           (landmarks->scale != 0 || is_at_corner(grid, &landmarks->walkable->bits, cell));
}

// Gathers such cells, evenly spread: the first pass counts them.
static AstarStatus gather_sample(AstarLandmarkGain *gain, const AstarSweep *sweep, int64_t *work)
{
    const AstarGrid *grid = sweep->grid;
    for (; gain->pass < 2; gain->pass++, gain->cell = 0)
        for (; gain->cell < grid->cells; gain->cell++) {
            if (*work <= 0)
                return ASTAR_RUNNING;
            *work -= WORK_OF_CELL;
            if (!is_for_sample(grid, sweep->landmarks, gain->cell))
                continue;
            uint64_t due = gain->total * (uint64_t)gain->count / ASTAR_GAIN_CELLS;
            if (gain->pass == 0)
                gain->total++;
            else if (gain->seen++ >= due && gain->count < ASTAR_GAIN_CELLS)
                gain->cells[gain->count++] = (uint32_t)gain->cell;
        }
    return ASTAR_OK;
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
static void count_expanded(AstarLandmarkGain *gain, const AstarSweep *sweep, uint32_t goal)
{
    const AstarLandmarks *landmarks = sweep->landmarks;
    AstarLandmarkBounds bounds = astar_landmarks_bounds(landmarks, goal);
    if (sweep->distances[goal] == ASTAR_FAR)
        return;
    for (int i = 0; i < gain->count; i++) {
        uint32_t cell = gain->cells[i];
        if (sweep->distances[cell] >= sweep->distances[goal])
            continue;
        uint32_t left = sweep->distances[goal] - sweep->distances[cell];
        uint32_t plain = plain_estimate(sweep, cell, goal);
        uint32_t landmark = astar_landmarks_estimate(astar_landmark_distance(landmarks, cell, 0),
                                                     landmarks->table_step, &bounds,
                                                     landmarks->tables);
        gain->expanded[0] += count_halves(left, plain);
        gain->expanded[1] += count_halves(left, landmark > plain ? landmark : plain);
    }
}

// Compares what a search from where the sweep began expands by either estimate, goal after goal.
static AstarStatus compare_estimates(AstarLandmarkGain *gain, const AstarSweep *sweep,
                                     int64_t *work)
{
    for (; gain->goal < SAMPLE_GOALS; gain->goal++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        count_expanded(gain, sweep, gain->cells[gain->count * gain->goal / SAMPLE_GOALS]);
        *work -= (int64_t)gain->count * WORK_OF_ESTIMATES;
    }
    gain->goal = 0;
    return ASTAR_OK;
}

AstarStatus astar_landmark_gain_advance(AstarLandmarkGain *gain, AstarSweep *sweep, int64_t *work)
{
    AstarStatus status = gather_sample(gain, sweep, work);
    while (status == ASTAR_OK && gain->count > 0 && gain->start <= SAMPLE_STARTS) {
        if (gain->start > 0)
            status = astar_sweep_advance(sweep, work);
        if (gain->start > 0 && status == ASTAR_OK)
            status = compare_estimates(gain, sweep, work);
        if (status == ASTAR_OK && ++gain->start <= SAMPLE_STARTS)
            astar_sweep_from(sweep, gain->cells[gain->count * gain->start / (SAMPLE_STARTS + 1)],
                             false);
    }
    return status;
}

double astar_landmark_gain_of(const AstarLandmarkGain *gain)
{
    return (double)(gain->expanded[0] + 1) / (double)(gain->expanded[1] + 1);
}
