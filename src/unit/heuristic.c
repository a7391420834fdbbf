// heuristic.c -- estimates of the cost that remains, each made admissible and consistent.
//
// All but one are linear in the larger and the smaller distance. An estimate that would promise
// more for a diagonal step than the step costs is scaled down: the Manhattan distance falls by 2
// on a diagonal step, so where those are allowed it counts for diagonal_cost / 2.

#include "unit/heuristic.h"

#include "base/directions.h"

static AstarHeuristic octile(double straight, double diagonal)
{
    return (AstarHeuristic){straight, diagonal - straight, false};
}

static AstarHeuristic manhattan(double straight, double diagonal, bool diagonals)
{
    double each = diagonals && diagonal < 2 * straight ? diagonal / 2 : straight;
    return (AstarHeuristic){each, each, false};
}

static AstarHeuristic euclidean(double straight, double diagonal, bool diagonals)
{
    double each = diagonals && diagonal < ASTAR_SQRT2 * straight ? diagonal / ASTAR_SQRT2
                                                                 : straight;
    return (AstarHeuristic){each, 0, true};
}

void astar_heuristics_work_out(AstarFinder *finder)
{
    double straight = astar_finder_round(finder, finder->min_cost);
    double diagonal = astar_finder_round(finder, finder->min_cost * finder->options.diagonal_cost);
    bool diagonals = finder->options.diagonals != ASTAR_NEVER;
    if (diagonal > 2 * straight)
        diagonal = 2 * straight; // by rounding

    // Cut to 28 bits, so that sums of up to ASTAR_MAX_SIDE steps are exact: what is equally near
    // compares equal, however it was measured.
    double length = floor(finder->options.diagonal_cost * 0x1p28 + 0.5) * 0x1p-28;
    finder->distance = diagonals ? octile(1, length) : manhattan(1, length, false);
    AstarHeuristic fitting = diagonals ? octile(straight, diagonal)
                                       : manhattan(straight, diagonal, false);
    AstarHeuristicName name = finder->options.heuristic;
    if (finder->options.algorithm == ASTAR_DIJKSTRA)
        name = ASTAR_ZERO;
    switch (name) {
    case ASTAR_OCTILE: finder->heuristic = octile(straight, diagonal); break;
    case ASTAR_MANHATTAN: finder->heuristic = manhattan(straight, diagonal, diagonals); break;
    case ASTAR_EUCLIDEAN: finder->heuristic = euclidean(straight, diagonal, diagonals); break;
    case ASTAR_CHEBYSHEV: finder->heuristic = (AstarHeuristic){straight, 0, false}; break;
    case ASTAR_ZERO: finder->heuristic = (AstarHeuristic){0, 0, false}; break;
    default: finder->heuristic = fitting;
    }
}
