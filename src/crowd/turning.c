// turning.c -- which way units are turned as they are drawn: along their way, or as fast as told.

#include "base/directions.h"
#include "crowd/crowd.h"

#include <math.h>

static const double HALF_TURN = 3.14159265358979323846;

static double wrap_angle(double angle)
{
    return angle > HALF_TURN     ? angle - 2 * HALF_TURN
           : angle <= -HALF_TURN ? angle + 2 * HALF_TURN
                                 : angle;
}

// The angle of one of the eight directions.
static double angle_of_direction(int direction)
{
    return wrap_angle((direction - 2) * HALF_TURN / 4);
}

// Goes from one angle to that of the line between two cells, by 'most' at most.
static double turn_along(const AstarCrowd *crowd, double angle, uint32_t from, uint32_t to,
                         double most)
{
    int x, y, to_x, to_y;
    astar_cell_xy(crowd->grid, from, &x, &y);
    astar_cell_xy(crowd->grid, to, &to_x, &to_y);
    double along = angle_of_direction(astar_direction(to_x - x, to_y - y));
    double by = wrap_angle(along - angle);
    return isnan(by) || fabs(by) <= most ? along : wrap_angle(angle + copysign(most, by));
}

double astar_crowd_angle(const AstarCrowd *crowd, uint32_t index, double moment)
{
    const AstarMember *member = &crowd->members[index];
    uint32_t from = member->from, to = crowd->units[index].cell;
    if (crowd->glides == NULL)
        return member->heading == ASTAR_NO_HEADING ? NAN
                                                   : angle_of_direction((int)member->heading - 1);
    const AstarGlide *glide = &crowd->glides[index];
    double angle = glide->angle, before = fmin(moment, glide->at);
    if (glide->start < 1)
        angle = turn_along(crowd, angle, glide->back, from,
                           glide->turn > 0 ? glide->turn * before : HALF_TURN);
    if (from != to && !member->came_by_link && moment >= glide->at)
        angle = turn_along(crowd, angle, from, to,
                           glide->turn > 0 ? glide->turn * (moment - before) : HALF_TURN);
    return angle;
}
