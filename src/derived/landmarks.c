// landmarks.c -- distances from and to a few far-off cells.
//
// Whole numbers are costs rounded down, for each step by itself, so that sums of them are no more
// than any route's and an estimate never falls by more than a step costs.

#include "derived/landmarks.h"

#include <math.h>

static const uint32_t MOST_WEIGHT = UINT32_C(1) << 30;

// ---- what steps cost ----

// A cost in whole numbers. The finder rounds costs to a multiple of its unit, which may be less by
// a part in 2^32, but for those that are multiples already.
static uint32_t weigh(const AstarLandmarks *landmarks, double cost)
{
    double exact = cost * landmarks->scale, whole = floor(exact);
    if (whole != exact)
        whole = floor(exact * (1 - 0x1p-31));
    return whole < MOST_WEIGHT ? (uint32_t)whole : MOST_WEIGHT;
}

uint32_t astar_landmark_link(const AstarLandmarks *landmarks, double cost)
{
    return landmarks->scale == 0 ? 0 : weigh(landmarks, cost);
}

double astar_landmark_price(const AstarGrid *grid, const AstarLandmarks *landmarks, int terrain)
{
    double own = (size_t)terrain < landmarks->own_count ? landmarks->own_cost[terrain]
                                                        : (double)NAN;
    return isnan(own) ? grid->terrains.prices[terrain].cost : own;
}

bool astar_landmarks_weigh(const AstarGrid *grid, AstarLandmarks *landmarks)
{
    bool is_cheaper = false;
    landmarks->palette_version = grid->palette_version;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        double price = i < grid->terrains.count ? astar_landmark_price(grid, landmarks, i)
                                                : (double)INFINITY;
        uint32_t straight = landmarks->straight, diagonal = landmarks->diagonal;
        if (landmarks->scale > 0) {
            straight = weigh(landmarks, price);
            diagonal = weigh(landmarks, price * landmarks->diagonal_cost);
        }
        is_cheaper |= straight < landmarks->weight[0][i] && i < grid->terrains.count &&
                      grid->terrains.present[i] > 0;
        landmarks->weight[0][i] = straight;
        landmarks->weight[1][i] = diagonal;
    }
    return is_cheaper;
}

void astar_landmarks_reprice(const AstarGrid *grid, void *layer)
{
    AstarLandmarks *landmarks = layer;
    if (landmarks->palette_version == grid->palette_version || landmarks->scale == 0)
        return;
    if (astar_landmarks_weigh(grid, landmarks))
        for (int i = 0; i < landmarks->tables; i++)
            landmarks->deficit[i] = ASTAR_FAR;
}

AstarLandmarkBounds astar_landmarks_bounds(const AstarLandmarks *landmarks, uint32_t goal)
{
    AstarLandmarkBounds bounds;
    for (int i = 0; i < ASTAR_MOST_TABLES; i++) {
        bounds.low[i] = 0;
        bounds.high[i] = INT32_MAX;
        if (i >= landmarks->tables || *astar_landmark_distance(landmarks, goal, i) == ASTAR_FAR)
            continue;
        int64_t here = *astar_landmark_distance(landmarks, goal, i);
        int64_t deficit = landmarks->deficit[i];
        bool is_one_way = landmarks->scale > 0, is_back = astar_table_is_back(landmarks, i);
        if (!is_back && here > deficit)
            bounds.low[i] = (int32_t)(here - deficit);
        if ((!is_one_way || is_back) && here + deficit < INT32_MAX)
            bounds.high[i] = (int32_t)(here + deficit);
    }
    return bounds;
}
