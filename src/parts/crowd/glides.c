// glides.c -- Computes where each unit is drawn during a tick, and in which direction it faces. A
// unit whose step takes longer than a tick is between two cells at the end of the tick. If it would
// be drawn too near to another unit, at least one of the two moves faster in this tick.

#include "parts/crowd/glides.h"

#include "base/array.h"
#include "base/directions.h"
#include "parts/crowd/crowd.h"
#include "parts/crowd/pibt.h"

#include <math.h>

// Distance, in cells, that is added to the least distance between two units. Most pairs of steps
// that are legal together leave more room than this.
static const double GLIDE_SPARE = 0.005;
// Distance, in cells, that a unit must have moved before another unit may enter the cell that it
// leaves.
static const double GLIDE_CLEAR = 0.71;
// Moment at which a unit in the greatest haste has finished its last step, as a fraction of the
// tick. At speeds of 4, 5 and 10 cells per second, a frame of 1 / 60 s ends at this moment.
// Therefore a game that draws 60 frames per second does not show the unit cutting a corner.
static const float GLIDE_AT_ONCE = 1 / 3.0F;

bool astar_crowd_make_glides(AstarCrowd *crowd)
{
    if (crowd->glides != NULL)
        return true;
    AstarGlide *glides = astar_array_resize(&crowd->allocator, NULL, 0, sizeof *glides,
                                            &crowd->capacity.glides, crowd->capacity.units);
    for (uint32_t i = 0; glides != NULL && i < crowd->count.numbers; i++) {
        glides[i] = ASTAR_NEW_GLIDE;
        glides[i].angle = (float)astar_crowd_angle(crowd, i, 1);
    }
    crowd->glides = glides;
    return glides != NULL;
}

uint32_t astar_crowd_own_period(const AstarCrowd *crowd, uint32_t unit)
{
    return crowd->glides != NULL ? (crowd->glides[unit].pace + ASTAR_BEAT - 1) / ASTAR_BEAT : 1;
}

// The functions below compute where a unit is drawn during a tick.

// Length of a diagonal step divided by the length of a straight step, times 2^16.
enum { DIAGONAL_PACE = 92682 };

static void step_between(const AstarCrowd *crowd, uint32_t from, uint32_t to, int *dx, int *dy)
{
    int x, y;
    astar_cell_xy(crowd->grid, from, &x, &y);
    astar_cell_xy(crowd->grid, to, dx, dy);
    *dx -= x;
    *dy -= y;
}

static double length_between(const AstarCrowd *crowd, uint32_t from, uint32_t to)
{
    int dx, dy;
    step_between(crowd, from, to, &dx, &dy);
    return sqrt(dx * dx + dy * dy);
}

static inline bool has_stepped(const AstarCrowd *crowd, uint32_t index)
{
    return crowd->members[index].from != crowd->units[index].cell;
}

// Makes a unit move faster in this tick, so that it has completed the fraction 'end' of its new
// step when the tick ends.
static void hasten_step(const AstarCrowd *crowd, uint32_t index, AstarGlide *glide, double end)
{
    uint32_t from = crowd->members[index].from, to = crowd->units[index].cell;
    double after = end * length_between(crowd, from, to), before = 0;
    if (end <= glide->end)
        return;
    if (glide->start < 1)
        before = (1 - glide->start) * length_between(crowd, glide->back, from);
    glide->at = (float)(before / (before + after));
    glide->end = (float)end;
}

// Returns how a unit is drawn in this tick if its haste is 'haste'.
static AstarGlide hasten(const AstarCrowd *crowd, uint32_t index, AstarHaste haste)
{
    AstarGlide glide = crowd->glides[index];
    uint32_t from = crowd->members[index].from, to = crowd->units[index].cell;
    if (haste <= glide.haste)
        return glide;
    glide.haste = (uint8_t)haste;
    if (haste == ASTAR_HASTE_AT_ONCE) {
        glide.at = GLIDE_AT_ONCE;
        glide.end = 1;
        return glide;
    }
    uint32_t behind = from != to ? from : glide.back, ahead = from != to ? to : from;
    double clear = GLIDE_CLEAR / length_between(crowd, behind, ahead);
    double end = haste == ASTAR_HASTE_DONE ? 1 : clear;
    if (from != to)
        hasten_step(crowd, index, &glide, end);
    else if (glide.start < end)
        glide.at = (float)fmin(glide.at, (1 - glide.start) / (end - glide.start));
    return glide;
}

// The motion of the north-west cell of a unit as it is drawn in a tick. The four points are the
// position when the tick begins, the old cell, the position when the tick ends, and the new cell.
// The unit moves in straight lines between the points and is in the old cell at the moment 'at'.
typedef struct GlidePath {
    double x[4], y[4], at;
} GlidePath;

static void trace_glide(const AstarCrowd *crowd, uint32_t index, const AstarGlide *glide,
                        GlidePath *path)
{
    uint32_t from = crowd->members[index].from;
    int x, y, dx = 0, dy = 0;
    astar_cell_xy(crowd->grid, from, &x, &y);
    if (glide->start < 1)
        step_between(crowd, from, glide->back, &dx, &dy);
    path->x[0] = x + dx * (1 - (double)glide->start);
    path->y[0] = y + dy * (1 - (double)glide->start);
    path->x[1] = x;
    path->y[1] = y;
    step_between(crowd, from, crowd->units[index].cell, &dx, &dy);
    path->x[2] = x + dx * (double)glide->end;
    path->y[2] = y + dy * (double)glide->end;
    path->x[3] = x + dx;
    path->y[3] = y + dy;
    path->at = glide->at;
}

static void locate_on_path(const GlidePath *path, double moment, double *x, double *y)
{
    int leg = moment >= path->at;
    double part = leg == 0       ? moment / path->at
                  : path->at < 1 ? (moment - path->at) / (1 - path->at)
                                 : 1;
    *x = path->x[leg] + (path->x[leg + 1] - path->x[leg]) * part;
    *y = path->y[leg] + (path->y[leg + 1] - path->y[leg]) * part;
}

void astar_crowd_locate(const AstarCrowd *crowd, uint32_t index, double moment, double *x,
                        double *y)
{
    AstarGlide straight = {.start = 1, .end = 1};
    GlidePath path;
    trace_glide(crowd, index, crowd->glides != NULL ? &crowd->glides[index] : &straight, &path);
    if (crowd->members[index].came_by_link && moment < 1)
        path.x[2] = path.x[1], path.y[2] = path.y[1];
    locate_on_path(&path, moment, x, y);
}

// The functions below compute the directions in which units face.

static const double HALF_TURN = 3.14159265358979323846;

// Adds a full turn to an angle, or subtracts one, if the angle is out of range. NaN is returned
// unchanged. The comparisons in this function raise no floating-point exception for NaN, which
// matters if the program has enabled traps for such exceptions.
static double wrap_angle(double angle)
{
    return isgreater(angle, HALF_TURN)      ? angle - 2 * HALF_TURN
           : islessequal(angle, -HALF_TURN) ? angle + 2 * HALF_TURN
                                            : angle;
}

// Returns the angle of one of the eight directions.
static double angle_of_direction(int direction)
{
    return wrap_angle((direction - 2) * HALF_TURN / 4);
}

// Turns an angle by at most 'most' towards the direction from one cell to another. Returns the new
// angle.
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

// The functions below compare the distance between two drawn units with a limit.

// Returns true if two moving units come nearer to each other than 'room'. During the motion, the
// vector from one to the other changes from (x, y) to (x + dx, y + dy) in a straight line.
static bool is_nearer_between(double x, double y, double dx, double dy, double room)
{
    double along = -(x * dx + y * dy), speed = dx * dx + dy * dy;
    double t = along <= 0 ? 0 : along >= speed ? 1 : along / speed;
    x += t * dx;
    y += t * dy;
    return x * x + y * y < room * room;
}

// Returns true if two drawn units stay at least 'room' apart, from the moment 'since' of the tick
// to its end, and also after the tick if both then move straight to their new cells. 'more' is half
// the difference of their sizes.
static bool go_together(const GlidePath *a, const GlidePath *b, double more, double room,
                        double since)
{
    const double moments[] = {since, fmin(a->at, b->at), fmax(a->at, b->at), 1};
    double x = b->x[1] - a->x[1] + more, y = b->y[1] - a->y[1] + more;
    double last_x = 0, last_y = 0;
    if (fmax(fabs(x), fabs(y)) >= room + 2)
        // A unit is drawn at most one cell away from its old cell, so these two units cannot meet.
        return true;
    for (int i = 0; i < 5; i++) {
        double ax = a->x[3], ay = a->y[3], bx = b->x[3], by = b->y[3];
        if (i < 4) {
            double moment = fmin(fmax(moments[i], since), 1);
            locate_on_path(a, moment, &ax, &ay);
            locate_on_path(b, moment, &bx, &by);
        }
        x = bx - ax + more;
        y = by - ay + more;
        if (i > 0 && is_nearer_between(last_x, last_y, x - last_x, y - last_y, room))
            return false;
        last_x = x;
        last_y = y;
    }
    return true;
}

// Returns true if a unit, as it is drawn during the rest of the tick, keeps its distance to a unit
// of size 'size' that is at rest at (x, y).
static bool clears_place(const AstarCrowd *crowd, uint32_t index, double x, double y, int size)
{
    AstarGlide straight = {.start = 1, .end = 1};
    GlidePath stands = {{x, x, x, x}, {y, y, y, y}, 1}, path;
    trace_glide(crowd, index, crowd->glides != NULL ? &crowd->glides[index] : &straight, &path);
    double others = astar_kind_size(&crowd->kinds[crowd->units[index].kind]);
    double room = (others + size) / 2 - (crowd->options.is_exclusive ? 0 : 0.3);
    return crowd->members[index].came_by_link ||
           go_together(&stands, &path, (others - size) / 2, room, crowd->beat.phase);
}

bool astar_crowd_is_drawn_near(const AstarCrowd *crowd, int x, int y, int size)
{
    // Greatest distance, in cells, between a unit's cell and the point where it is drawn.
    enum { REACH = 2 };
    AstarCellArea area = astar_area_about(&crowd->pibt, astar_cell(crowd->grid, x, y), size, REACH);
    int at = 0;
    for (uint32_t who;
         (who = astar_next_in_area(&crowd->pibt, &area, ASTAR_NOBODY, &at)) != ASTAR_NOBODY;)
        if (!clears_place(crowd, who, x, y, size))
            return true;
    return false;
}

// The functions below find units that would be drawn too near to each other, and make them speed
// up.

static void queue_glide(AstarCrowd *crowd, uint32_t index, uint32_t *count)
{
    if (crowd->glides[index].is_queued)
        return;
    crowd->glides[index].is_queued = true;
    crowd->trail[(*count)++] = index;
}

// Makes two units move faster in this tick, by just as much as is needed to keep a sufficient
// distance between them when they are drawn.
static void part_glides(AstarCrowd *crowd, uint32_t one, uint32_t other, uint32_t *count)
{
    static const uint8_t hastes[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2},
                                        {2, 1}, {1, 2}, {2, 2}, {3, 0}, {0, 3}, {3, 1},
                                        {1, 3}, {3, 2}, {2, 3}, {3, 3}};
    enum { HASTES = sizeof hastes / sizeof *hastes };
    AstarGlide *a = &crowd->glides[one], *b = &crowd->glides[other];
    double size = 0.5 * astar_kind_size(&crowd->kinds[crowd->units[one].kind]);
    double others = 0.5 * astar_kind_size(&crowd->kinds[crowd->units[other].kind]);
    double room = size + others - 0.3 + GLIDE_SPARE;
    for (int i = 0; i < HASTES; i++) {
        if (hastes[i][0] < a->haste || hastes[i][1] < b->haste)
            continue;
        AstarGlide glides[2] = {hasten(crowd, one, hastes[i][0]),
                                hasten(crowd, other, hastes[i][1])};
        GlidePath paths[2];
        trace_glide(crowd, one, &glides[0], &paths[0]);
        trace_glide(crowd, other, &glides[1], &paths[1]);
        if (i < HASTES - 1 && !go_together(&paths[0], &paths[1], others - size, room, 0))
            continue;
        if (glides[0].haste != a->haste)
            queue_glide(crowd, one, count);
        if (glides[1].haste != b->haste)
            queue_glide(crowd, other, count);
        glides[0].is_queued = a->is_queued;
        glides[1].is_queued = b->is_queued;
        *a = glides[0];
        *b = glides[1];
        return;
    }
}

// Returns the number of cells by which a unit may be drawn away from its own cell.
static int reach_of_glide(const AstarCrowd *crowd, uint32_t index)
{
    return (crowd->glides[index].start < 1) + has_stepped(crowd, index);
}

// Compares a unit with all units that may be drawn near it, and makes them speed up if necessary.
// 'others' is the greatest distance, in cells, at which any unit is drawn from its own cell.
static void look_about_glide(AstarCrowd *crowd, uint32_t index, int others, uint32_t *count)
{
    int size = astar_kind_size(&crowd->kinds[crowd->units[index].kind]), at = 0;
    AstarCellArea area = astar_area_about(&crowd->pibt, crowd->units[index].cell, size,
                                          reach_of_glide(crowd, index) + others);
    uint32_t last = index;
    for (uint32_t who;
         (who = astar_next_in_area(&crowd->pibt, &area, index, &at)) != ASTAR_NOBODY;) {
        // This pair of units is compared later, when 'who' is taken from the queue.
        if (who == last || crowd->glides[who].is_queued)
            continue;
        part_glides(crowd, index, who, count);
        last = who;
    }
}

// The functions below end the drawn motion of a tick and begin that of the next one.

void astar_crowd_end_glides(AstarCrowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count.numbers; i++) {
        AstarGlide *glide = &crowd->glides[i];
        if (!crowd->members[i].is_there)
            continue;
        glide->angle = (float)astar_crowd_angle(crowd, i, 1);
        if (has_stepped(crowd, i)) {
            glide->back = crowd->members[i].from;
            glide->start = glide->end;
        } else if (glide->at > 1)
            glide->start += (1 - glide->start) / glide->at;
        else
            glide->start = 1;
    }
}

// Returns the time that a step of a unit takes, in units of 1 / ASTAR_BEAT tick. A unit that keeps
// pace with slower units takes longer.
static uint32_t time_of_step(const AstarCrowd *crowd, uint32_t index)
{
    uint32_t pace = crowd->glides[index].pace, period = crowd->members[index].period;
    if (period > astar_crowd_own_period(crowd, index))
        pace = period * ASTAR_BEAT;
    int dx, dy;
    step_between(crowd, crowd->members[index].from, crowd->units[index].cell, &dx, &dy);
    bool is_longer = crowd->options.is_even && dx != 0 && dy != 0;
    return is_longer ? (uint32_t)((uint64_t)pace * DIAGONAL_PACE >> 16) : pace;
}

// Computes how a unit is drawn in this tick if it need not speed up. A unit that sped up in the
// previous tick moves more slowly now, so that it is in the right position when its next step
// begins. A plan may make a unit step before its last step has ended.
static void begin_glide(AstarCrowd *crowd, uint32_t index)
{
    AstarGlide *glide = &crowd->glides[index];
    bool lags = glide->start < 1, is_early = false;
    double left = (double)glide->left / ASTAR_BEAT;
    glide->haste = ASTAR_HASTE_NONE;
    glide->at = lags ? (float)left : 0;
    glide->end = 1;
    if (has_stepped(crowd, index)) {
        uint32_t time = time_of_step(crowd, index);
        double beats = (double)time / ASTAR_BEAT;
        is_early = left >= 1;
        glide->end = (float)(is_early ? 0 : lags ? (1 - left) / beats : 1 / (left + beats));
        glide->left = (is_early ? 0 : glide->left) + time;
    }
    if (is_early || crowd->options.is_exclusive || astar_grid_has_links(crowd->grid))
        *glide = hasten(crowd, index, ASTAR_HASTE_DONE);
    glide->left -= glide->left < ASTAR_BEAT ? glide->left : ASTAR_BEAT;
}

void astar_crowd_begin_glides(AstarCrowd *crowd)
{
    uint32_t count = 0;
    int reach = 1;
    for (uint32_t i = 0; i < crowd->count.numbers; i++) {
        if (!crowd->members[i].is_there)
            continue;
        begin_glide(crowd, i);
        const AstarGlide *glide = &crowd->glides[i];
        if (glide->start < 1 || glide->end < 1)
            queue_glide(crowd, i, &count);
        reach = reach_of_glide(crowd, i) > reach ? reach_of_glide(crowd, i) : reach;
    }
    while (count > 0) {
        uint32_t index = crowd->trail[--count];
        crowd->glides[index].is_queued = false;
        look_about_glide(crowd, index, reach, &count);
    }
}
