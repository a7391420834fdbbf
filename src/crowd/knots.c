// knots.c -- units that come no nearer for long get a plan, without anybody asking for one.
//
// A beat is made of what is best in it, so units may stand in each other's way, or dance around
// each other, for ever. Of those that have come no nearer for longer than all around them could
// account for, the first by the order of turns has a plan made for all in a window about it, past
// those that are held. Where that did not help, the next window is twice as wide and is looked into
// after twice as many beats: in the end, now and then. Where somebody could not take part, because
// it steps in another period, none is made: it would come in the plan's way. Nor is any while
// somebody in the window gets on, as in a queue before a door: made at once, plans for queues took
// twice as long to get 200 units through one as they do by themselves.
//
// One plan is made at a time, right after a beat and by as much work in each: so beats are the same
// however they were sliced.

#include "crowd/reservations.h"
#include "crowd/resolving.h"

enum {
    FIRST_WINDOW = 6, // how far it reaches
    MOST_TRIES = 3,   // the widest is eight times that
    LOOK_EVERY = 8,   // of a unit's beats without coming nearer,
    RETRY_EVERY = 1024,
    QUEUE_BEATS = 16,    // and one for each unit there: who came nearer in so many gets on
    LATE = 3,            // as is_stuck has it, whether others get on or not
    KNOT_SHARE = 16,     // one of so many expansions of a beat,
    KNOT_WORK = 1 << 14, // but no more than that: plans, unlike distances, always find more to do
    KNOT_BEATS = 64,     // at most are worked on one
    KNOT_BYTES = 64000000
};

// Whether a unit is to be helped. Few are looked at in a beat, for that counts who is around them.
static bool is_knotted(const AstarCrowd *crowd, uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    const AstarPibtUnit *unit = &crowd->units[index];
    if (member->stalled % LOOK_EVERY != 0 || member->stalled == 0 || unit->field == NULL ||
        member->has_arrived || member->is_held || member->plan != ASTAR_MEMBER_FREE ||
        astar_crowd_has_no_way(crowd, index))
        return false;
    if (member->tries > MOST_TRIES - 1)
        return member->stalled % RETRY_EVERY == 0;
    return astar_crowd_is_stuck(crowd, index, member->tries);
}

// For how many of its beats a unit has come no nearer to its goal; UINT32_MAX: it need not.
static uint32_t beats_without_progress(const AstarCrowd *crowd, uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    const AstarGoalField *field = crowd->units[index].field;
    if (field == NULL || member->has_arrived || (field->prey != 0 && member->rested > 0))
        return UINT32_MAX;
    return field->prey != 0 ? 0 : (uint32_t)(member->stalled / member->period);
}

// Whether all in a window are held, have stood on another side for a while, or can take part, for
// others would come in the way of a plan, and nobody gets on: else it is a queue, which a plan
// would only stop, unless that is very late. Where many wait, it takes long until each has got on.
static bool is_knot(const AstarCrowd *crowd, const AstarResolvingOptions *options, bool is_late)
{
    uint32_t count = 0, least = UINT32_MAX;
    AstarCellArea area = {astar_cell(crowd->grid, options->x, options->y), options->width,
                          options->height};
    int at = 0;
    for (uint32_t who;
         (who = astar_next_in_area(&crowd->pibt, &area, ASTAR_NOBODY, &at)) != ASTAR_NOBODY;) {
        if (crowd->members[who].is_held ||
            (options->side >= 0 && crowd->sides[who] != options->side &&
             crowd->members[who].rested >= LOOK_EVERY * crowd->members[who].period))
            continue;
        if (!astar_crowd_takes_part(crowd, options, who))
            return false;
        uint32_t beats = beats_without_progress(crowd, who);
        least = beats < least ? beats : least;
        count++;
    }
    return is_late || least >= QUEUE_BEATS + count;
}

// Begins with a plan for all about a unit.
static void begin_knot(AstarCrowd *crowd, uint32_t index, uint64_t work)
{
    uint32_t tries = crowd->members[index].tries;
    AstarCellBox box = astar_cells_about(crowd->grid, crowd->units[index].cell, 1,
                                         FIRST_WINDOW << tries);
    AstarResolvingOptions options = {.bytes = KNOT_BYTES,
                                     .improve = work,
                                     .x = box.x0,
                                     .y = box.y0,
                                     .width = box.x1 - box.x0 + 1,
                                     .height = box.y1 - box.y0 + 1,
                                     .period = (int)crowd->members[index].period,
                                     .side = crowd->sides != NULL ? crowd->sides[index] : -1};
    if (!is_knot(crowd, &options, astar_crowd_is_stuck(crowd, index, tries + LATE)) ||
        astar_crowd_resolving(crowd, NULL, 0, &options, &crowd->plans.knot) != ASTAR_OK)
        return;
    crowd->plans.knot_beats = 0;
    tries += tries < MOST_TRIES;
    for (uint32_t i = 0; i < crowd->plans.knot->count; i++)
        crowd->members[crowd->plans.knot->members[i]].tries = tries & MOST_TRIES;
}

void astar_crowd_untie_knots(AstarCrowd *crowd)
{
    uint64_t share = crowd->options.expansions / KNOT_SHARE;
    uint64_t work = (share < KNOT_WORK ? share : KNOT_WORK) >> 2 * crowd->pibt.has_sizes;
    for (uint32_t i = 0; i < crowd->count.there && crowd->plans.knot == NULL; i++)
        if (is_knotted(crowd, crowd->order[i]))
            begin_knot(crowd, crowd->order[i], work);
    if (crowd->plans.knot == NULL)
        return;
    AstarStatus status = astar_resolving_step(crowd->plans.knot, work);
    if (status == ASTAR_RUNNING && ++crowd->plans.knot_beats < KNOT_BEATS)
        return;
    astar_resolving_cancel(crowd->plans.knot);
    astar_resolving_release(crowd->plans.knot);
    crowd->plans.knot = NULL;
}
