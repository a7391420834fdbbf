// baking_steps.c -- no step of baking does more than its work, and labels are the same however it
// is cut.
//
// What takes long is made a little at a time: bits copied, subgoals put in order or the order of
// before taken over, a search forgotten. Each is counted between any two calls that may do so much
// work.

#include "chance.h"
#include "support.h"

#include "finder/finder.h"
#include "parts/baking/baking.h"

#include <string.h>

enum { MAPS = 8, MOST_WORK = 40, FREE = 7 };

static int copies, orders, contracted, forgotten; // calls that did some of each

static AstarFinder *strewn_finder(int side)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarOptions options = astar_options_default();
    options.diagonals = (AstarDiagonals)below(ASTAR_DIAGONALS_COUNT);
    need(astar_grid_new(NULL, side, side, &grid));
    for (int i = 0; i < side * side / FREE; i++)
        need(astar_grid_block(grid, below(side), below(side), 1, 1));
    need(astar_finder_new(grid, &options, &finder));
    astar_grid_release(grid);
    return finder;
}

// ---- what is made of the subgoals ----

static AstarSubgoals *new_subgoals(const AstarFinder *finder)
{
    AstarSubgoals *subgoals;
    const AstarGrid *grid = finder->grid;
    int64_t work = ASTAR_ALL_WORK;
    size_t before = 0, stride = finder->on.walkable->bits.stride;
    need(astar_subgoals_new(&grid->allocator, grid->width, grid->height, finder->options.diagonals,
                            &subgoals));
    for (AstarStatus status = ASTAR_RUNNING; status == ASTAR_RUNNING; before = subgoals->copied) {
        int64_t some = 1 + below(MOST_WORK);
        size_t most = (size_t)some + stride;
        status = astar_subgoals_copy(subgoals, &finder->on.walkable->bits, &some);
        CHECK(subgoals->copied - before <= most);
        copies++;
    }
    CHECK(memcmp(subgoals->rows.words, finder->on.walkable->bits.words,
                 subgoals->rows.count * sizeof *subgoals->rows.words) == 0);
    need(astar_subgoals_advance(subgoals, &work));
    return subgoals;
}

// ---- labels ----

// Puts the subgoals in order by calls that may do so much.
static uint32_t *make_order(const AstarSubgoalGraph *graph, bool in_steps)
{
    AstarContraction *contraction;
    need(astar_contraction_new(graph, 0, &contraction));
    AstarStatus status = ASTAR_RUNNING;
    for (uint32_t taken = 0; status == ASTAR_RUNNING; taken = contraction->taken, contracted++) {
        int64_t work = in_steps ? 1 + below(MOST_WORK) : ASTAR_ALL_WORK, most = work;
        status = astar_contraction_advance(contraction, &work);
        CHECK(!in_steps || (int64_t)(contraction->taken - taken) <= most);
    }
    need(status);
    uint32_t *order = astar_contraction_take_order(contraction);
    astar_contraction_free(contraction);
    return order;
}

// Makes a call that may do so much.
static AstarStatus advance_by(AstarLabelling *labelling, int64_t work)
{
    const AstarPrunedSearch *search = &labelling->search;
    bool ends = astar_heap64_is_empty(&search->open) && search->touched_count > 0;
    int64_t most = work;
    uint32_t touched = search->touched_count;
    AstarStatus status = astar_labelling_advance(labelling, &work);
    if (ends && search->touched_count < touched) {
        CHECK(search->touched_count == 0 || (int64_t)(touched - search->touched_count) <= most);
        CHECK((int64_t)touched <= most || search->touched_count > 0);
        forgotten++;
    }
    return status;
}

static AstarLabels *make_labels(const AstarSubgoalGraph *graph, bool in_steps)
{
    AstarLabelling *labelling;
    uint32_t *order = make_order(graph, in_steps);
    need(astar_labelling_new(graph, order, SIZE_MAX, &labelling));
    AstarStatus status = ASTAR_RUNNING;
    while (status == ASTAR_RUNNING)
        status = advance_by(labelling, in_steps ? 1 + below(MOST_WORK) : ASTAR_ALL_WORK);
    need(status);
    AstarLabels *labels = astar_labelling_take(labelling);
    astar_labelling_free(labelling);
    astar_release(&graph->subgoals->allocator, order, (size_t)graph->subgoals->count + 1,
                  sizeof *order);
    return labels;
}

static bool same_labels(const AstarLabels *a, const AstarLabels *b)
{
    return a->count == b->count && a->word_count == b->word_count &&
           memcmp(a->order, b->order, a->count * sizeof *a->order) == 0 &&
           memcmp(a->words, b->words, a->word_count * sizeof *a->words) == 0;
}

static void check_labels(int side)
{
    AstarFinder *finder = strewn_finder(side);
    int64_t work = ASTAR_ALL_WORK;
    need(astar_finder_advance(finder, &work));
    AstarSubgoals *subgoals = new_subgoals(finder);
    AstarSubgoalGraph *graph;
    need(astar_subgoal_graph_new(subgoals, finder->whole.straight, finder->whole.diagonal, &graph));
    need(astar_subgoal_graph_advance(graph, &work));
    AstarLabels *whole = make_labels(graph, false), *steps = make_labels(graph, true);
    CHECK(same_labels(whole, steps));
    astar_labels_free(whole);
    astar_labels_free(steps);
    astar_subgoal_graph_free(graph);
    astar_subgoals_free(subgoals);
    astar_finder_release(finder);
}

// ---- the order of before ----

// Bakes until the order of before is to be taken over.
static AstarBaked *bake_as_far_as_order(AstarFinder *finder)
{
    AstarBakingOptions options = {ASTAR_BAKE_LABELS, SIZE_MAX, 0};
    AstarBaked *baked;
    need(astar_baking_new(finder, &options, &baked));
    while (baked->phase < BAKE_ORDER)
        if (astar_baking_step(baked, 1) != ASTAR_RUNNING)
            break;
    CHECK(baked->phase == BAKE_ORDER);
    return baked;
}

// With 'edits' cells opened or closed in between. Of the same map the order is that of before.
static void check_order(int side, int edits)
{
    AstarFinder *finder = strewn_finder(side);
    AstarBakingOptions options = {ASTAR_BAKE_LABELS, SIZE_MAX, 0};
    AstarBaked *before;
    need(astar_baking_new(finder, &options, &before));
    while (astar_baking_step(before, UINT64_MAX) == ASTAR_RUNNING)
        continue;
    for (int i = 0; i < edits; i++)
        need(astar_grid_block(finder->grid, below(side), below(side), 1, 1));
    AstarBaked *baked = bake_as_far_as_order(finder);
    const AstarKeptOrder *order = &baked->order;
    uint32_t read = order->read, added = order->added;
    for (AstarStatus status = ASTAR_RUNNING; status == ASTAR_RUNNING; orders++) {
        int64_t work = 1 + below(MOST_WORK);
        uint32_t most = (uint32_t)work;
        status = astar_baking_keep_order(baked, &work);
        CHECK(order->read - read <= most / 16 + 1 && order->added - added <= most);
        read = order->read;
        added = order->added;
    }
    CHECK(order->hubs != NULL && order->count == baked->subgoals->count && order->before == NULL);
    const uint32_t *old = before->map->labels->order;
    CHECK(edits > 0 || memcmp(order->hubs, old, order->count * sizeof *old) == 0);
    for (uint32_t i = 0; i < order->count;
         i++) // each is there once: these bytes are no longer read
        baked->subgoals->places[order->hubs[i]] = UINT32_MAX;
    for (uint32_t i = 0; i < order->count; i++)
        CHECK(baked->subgoals->places[i] == UINT32_MAX);
    astar_baked_free(baked);
    astar_baked_free(before);
    astar_finder_release(finder);
}

// ---- rows of several moments ----

// Edits between the rows that are copied leave a map that is judged by its bits: routes stay best.
static void check_torn(int side)
{
    AstarFinder *finder = strewn_finder(side);
    AstarBakingOptions options = {ASTAR_BAKE_LABELS, SIZE_MAX, 0};
    AstarBaked *baked;
    AstarStatus status = ASTAR_RUNNING;
    need(astar_baking_new(finder, &options, &baked));
    for (int i = 0; status == ASTAR_RUNNING; i++) {
        status = astar_baking_step(baked, 1);
        if (baked->phase != BAKE_COPY)
            continue;
        int x = below(side), y = below(side);
        need(i % 2 == 0 ? astar_grid_block(finder->grid, x, y, 1, 1)
                        : astar_grid_unblock(finder->grid, x, y, 1, 1));
    }
    need(status);
    AstarOptions plain = *astar_finder_options(finder);
    plain.algorithm = ASTAR_ASTAR;
    AstarFinder *other;
    AstarWorkspace *workspace;
    need(astar_finder_new(finder->grid, &plain, &other));
    need(astar_workspace_new(NULL, &workspace));
    for (int i = 0; i < 60; i++) {
        int sx = below(side), sy = below(side), gx = below(side), gy = below(side);
        AstarPath a, b;
        astar_path_init(&a);
        astar_path_init(&b);
        AstarStatus by_baked = astar_find_path(workspace, finder, sx, sy, gx, gy, NULL, NULL, &a);
        AstarStatus by_plain = astar_find_path(workspace, other, sx, sy, gx, gy, NULL, NULL, &b);
        CHECK(by_baked == by_plain && (by_baked != ASTAR_OK || near(a.cost, b.cost)));
        astar_path_destroy(&a);
        astar_path_destroy(&b);
    }
    astar_workspace_free(workspace);
    astar_finder_release(other);
    astar_baked_free(baked);
    astar_finder_release(finder);
}

int main(void)
{
    for (uint32_t map = 1; map <= MAPS; map++) {
        chance = map;
        int before = failures;
        check_labels(10 + below(60));
        check_order(20 + below(50), 0);
        check_order(60, 1);
        check_torn(10 + below(60));
        if (failures > before)
            printf("seed %u\n", map);
    }
    CHECK(copies > MAPS && orders > MAPS && contracted > 1000 && forgotten > 1000);
    printf("%d calls copied, %d kept order, %d contracted, %d forgot\n", copies, orders, contracted,
           forgotten);
    return report();
}
