// glides.c -- how far each unit is drawn on its way during a beat, and who has to hurry.

#include "crowd/crowd.h"

#include "base/array.h"
#include "base/directions.h"

#include <math.h>

static const double GLIDE_ROUNDING = 1e-6; // of what is drawn, in cells
static const double GLIDE_CLEAR = 0.71;    // cells, by which discs may follow each other
static const float GLIDE_AT_ONCE = 0.25F;  // of a beat, after which it is in its old cell

bool astar_crowd_make_glides(AstarCrowd *crowd)
{
    if (crowd->glides != NULL)
        return true;
    AstarGlide *glides = astar_array_resize(&crowd->allocator, NULL, 0, sizeof *glides,
                                            &crowd->glide_capacity, crowd->unit_capacity);
    for (uint32_t i = 0; glides != NULL && i < crowd->unit_count; i++) {
        glides[i] = ASTAR_NEW_GLIDE;
        glides[i].angle = (float)astar_crowd_angle(crowd, i, 1);
    }
    crowd->glides = glides;
    return glides != NULL;
}

// ---- a motion during a beat ----

enum { DIAGONAL_PACE = 92682 }; // of a straight one, times 2^16

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

// How much of the line between two cells leads out of the way of who enters the first.
static double clear_part(const AstarCrowd *crowd, uint32_t from, uint32_t to)
{
    double part = GLIDE_CLEAR / length_between(crowd, from, to);
    return crowd->options.is_exclusive || part > 1 ? 1 : part;
}

// Has a glide that goes on be 'end' of the way to the new cell when the beat is over.
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

// The same of one that stays in the cell it comes to.
static void hasten_arrival(AstarGlide *glide, double end)
{
    double at = (1 - glide->start) / (end - glide->start);
    if (end > glide->start && at < glide->at)
        glide->at = (float)at;
}

// A unit's glide of this beat with so much haste.
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
    } else if (from != to)
        hasten_step(crowd, index, &glide,
                    haste == ASTAR_HASTE_DONE ? 1 : clear_part(crowd, from, to));
    else if (glide.start < 1)
        hasten_arrival(&glide, haste == ASTAR_HASTE_DONE ? 1 : clear_part(crowd, glide.back, from));
    return glide;
}

static void locate_glide(const AstarCrowd *crowd, uint32_t index, const AstarGlide *glide,
                         double moment, double *x, double *y)
{
    const AstarMember *member = &crowd->members[index];
    uint32_t from = member->from, to = crowd->units[index].cell;
    double part;
    if (moment < glide->at) {
        to = from;
        from = glide->start < 1 ? glide->back : from;
        part = glide->start + (1 - glide->start) * moment / glide->at;
    } else if (member->came_by_link)
        part = moment < 1 ? 0 : 1;
    else
        part = glide->at < 1 ? glide->end * (moment - glide->at) / (1 - glide->at) : glide->end;
    int at_x, at_y, dx, dy;
    astar_cell_xy(crowd->grid, from, &at_x, &at_y);
    step_between(crowd, from, to, &dx, &dy);
    *x = at_x + dx * part;
    *y = at_y + dy * part;
}

void astar_crowd_locate(const AstarCrowd *crowd, uint32_t index, double moment, double *x,
                        double *y)
{
    AstarGlide straight = {.end = 1};
    locate_glide(crowd, index, crowd->glides != NULL ? &crowd->glides[index] : &straight, moment, x,
                 y);
}

// ---- two of them ----

enum { GLIDE_MOMENTS = 4 };

// Where the middle of a unit is at the moments of a beat that are looked at, and then in its cell.
// In between it goes straight.
typedef struct GlideTrack {
    double x[GLIDE_MOMENTS + 1], y[GLIDE_MOMENTS + 1];
} GlideTrack;

static void track_glide(const AstarCrowd *crowd, uint32_t index, const AstarGlide *glide,
                        const double moments[GLIDE_MOMENTS], GlideTrack *track)
{
    double middle = astar_kind_size(&crowd->kinds[crowd->units[index].kind]) * 0.5;
    int x, y;
    for (int i = 0; i < GLIDE_MOMENTS; i++)
        locate_glide(crowd, index, glide, moments[i], &track->x[i], &track->y[i]);
    astar_cell_xy(crowd->grid, crowd->units[index].cell, &x, &y);
    track->x[GLIDE_MOMENTS] = x;
    track->y[GLIDE_MOMENTS] = y;
    for (int i = 0; i <= GLIDE_MOMENTS; i++) {
        track->x[i] += middle;
        track->y[i] += middle;
    }
}

// When 'at' + t * 'by' is nearer to 0 than 'room', cut to what 'span' has.
static void cut_to_meeting(double at, double by, double room, double span[2])
{
    if (by == 0) {
        if (fabs(at) >= room)
            span[1] = span[0];
        return;
    }
    double first = (-room - at) / by, last = (room - at) / by;
    span[0] = fmax(span[0], fmin(first, last));
    span[1] = fmin(span[1], fmax(first, last));
}

// Whether two that are (x, y) apart, and then (x + dx, y + dy), come nearer in between than that:
// discs, or squares.
static bool is_nearer_between(double x, double y, double dx, double dy, double room, bool squares)
{
    if (squares) {
        double span[2] = {0, 1};
        cut_to_meeting(x, dx, room, span);
        cut_to_meeting(y, dy, room, span);
        return span[0] < span[1];
    }
    double along = -(x * dx + y * dy), speed = dx * dx + dy * dy;
    double t = along <= 0 ? 0 : along >= speed ? 1 : along / speed;
    x += t * dx;
    y += t * dy;
    return x * x + y * y < room * room;
}

static bool go_together(const AstarCrowd *crowd, uint32_t one, const AstarGlide *glide,
                        uint32_t other, const AstarGlide *others)
{
    double first = fmin(1, fmin(glide->at, others->at)),
           last = fmin(1, fmax(glide->at, others->at));
    const double moments[GLIDE_MOMENTS] = {0, first, last, 1};
    bool squares = crowd->options.is_exclusive;
    double room = 0.5 * (astar_kind_size(&crowd->kinds[crowd->units[one].kind]) +
                         astar_kind_size(&crowd->kinds[crowd->units[other].kind]));
    room -= GLIDE_ROUNDING + (squares ? 0 : 0.3);
    GlideTrack a, b;
    track_glide(crowd, one, glide, moments, &a);
    track_glide(crowd, other, others, moments, &b);
    for (int i = 0; i < GLIDE_MOMENTS; i++) {
        double x = b.x[i] - a.x[i], y = b.y[i] - a.y[i];
        double dx = b.x[i + 1] - a.x[i + 1] - x, dy = b.y[i + 1] - a.y[i + 1] - y;
        if (is_nearer_between(x, y, dx, dy, room, squares))
            return false;
    }
    return true;
}

// ---- who has to hurry ----

static void queue_glide(AstarCrowd *crowd, uint32_t index, uint32_t *count)
{
    if (crowd->glides[index].is_queued)
        return;
    crowd->glides[index].is_queued = true;
    crowd->trail[(*count)++] = index;
}

// Has one or both of two hurry as little as may be, so that they go together.
static void part_glides(AstarCrowd *crowd, uint32_t one, uint32_t other, uint32_t *count)
{
    static const uint8_t hastes[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2},
                                        {2, 1}, {1, 2}, {2, 2}, {3, 0}, {0, 3}, {3, 1},
                                        {1, 3}, {3, 2}, {2, 3}, {3, 3}};
    enum { HASTES = sizeof hastes / sizeof *hastes };
    AstarGlide *a = &crowd->glides[one], *b = &crowd->glides[other];
    for (int i = 0; i < HASTES; i++) {
        if (hastes[i][0] < a->haste || hastes[i][1] < b->haste)
            continue;
        AstarGlide glide = hasten(crowd, one, hastes[i][0]);
        AstarGlide others = hasten(crowd, other, hastes[i][1]);
        if (i < HASTES - 1 && !go_together(crowd, one, &glide, other, &others))
            continue;
        bool is_new = glide.haste != a->haste, are_new = others.haste != b->haste;
        *a = glide;
        *b = others;
        if (is_new)
            queue_glide(crowd, one, count);
        if (are_new)
            queue_glide(crowd, other, count);
        return;
    }
}

// How many cells a unit may be drawn from its own, at most.
static int reach_of_glide(const AstarCrowd *crowd, uint32_t index)
{
    return (crowd->glides[index].start < 1) + has_stepped(crowd, index);
}

static void look_about_glide(AstarCrowd *crowd, uint32_t index, int reach, uint32_t *count)
{
    const AstarGrid *grid = crowd->grid;
    int x, y, size = astar_kind_size(&crowd->kinds[crowd->units[index].kind]);
    astar_cell_xy(grid, crowd->units[index].cell, &x, &y);
    reach += reach_of_glide(crowd, index);
    int x0 = x - reach > 0 ? x - reach : 0, y0 = y - reach > 0 ? y - reach : 0;
    int x1 = x + size + reach < grid->width ? x + size + reach : grid->width;
    int y1 = y + size + reach < grid->height ? y + size + reach : grid->height;
    uint32_t last = index;
    for (int row = y0; row < y1; row++)
        for (int column = x0; column < x1; column++) {
            uint32_t who = crowd->places[astar_cell(grid, column, row)].now;
            if (who != ASTAR_NOBODY && who != index && who != last)
                part_glides(crowd, index, who, count);
            last = who;
        }
}

// ---- beats ----

void astar_crowd_end_glides(AstarCrowd *crowd)
{
    for (uint32_t i = 0; i < crowd->unit_count; i++) {
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

// How long the step of a unit takes.
static uint32_t time_of_step(const AstarCrowd *crowd, uint32_t index)
{
    uint32_t pace = crowd->glides[index].pace;
    int dx, dy;
    step_between(crowd, crowd->members[index].from, crowd->units[index].cell, &dx, &dy);
    bool is_longer = crowd->options.is_even && dx != 0 && dy != 0;
    return is_longer ? (uint32_t)((uint64_t)pace * DIAGONAL_PACE >> 16) : pace;
}

// How a unit goes in this beat if nobody minds. Who had to hurry before goes slower now, and is
// where it was to be when its next step is due. A plan may have it step before that.
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
    if (is_early || astar_grid_has_links(crowd->grid))
        *glide = hasten(crowd, index, ASTAR_HASTE_DONE);
    glide->left -= glide->left < ASTAR_BEAT ? glide->left : ASTAR_BEAT;
}

void astar_crowd_begin_glides(AstarCrowd *crowd)
{
    uint32_t count = 0;
    int reach = 1;
    for (uint32_t i = 0; i < crowd->unit_count; i++) {
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
