// plots.c -- a hash table of entries, one for each square of the plane, and a ring of entries in
// the order of their last use.

#include "parts/world/plots.h"

enum { LEAST_SLOTS = 64 };

static size_t slot_of_plot(size_t slot_count, int32_t i, int32_t j)
{
    uint64_t key = (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key >> 32 ^ key >> 52) & (slot_count - 1);
}

AstarPlot *astar_plots_find(const AstarPlots *plots, int32_t i, int32_t j)
{
    if (plots->slot_count == 0)
        return NULL;
    AstarPlot *plot = plots->slots[slot_of_plot(plots->slot_count, i, j)];
    while (plot != NULL && (plot->i != i || plot->j != j))
        plot = plot->next;
    return plot;
}

static void put_into_slot(AstarPlot **slots, size_t slot_count, AstarPlot *plot)
{
    AstarPlot **slot = &slots[slot_of_plot(slot_count, plot->i, plot->j)];
    plot->next = *slot;
    *slot = plot;
}

static bool widen_plots(AstarPlots *plots, const AstarAllocator *allocator)
{
    size_t wanted = plots->slot_count > 0 ? 2 * plots->slot_count : LEAST_SLOTS;
    AstarPlot **slots = astar_alloc(allocator, wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < plots->slot_count; i++)
        for (AstarPlot *plot = plots->slots[i], *next; plot != NULL; plot = next) {
            next = plot->next;
            put_into_slot(slots, wanted, plot);
        }
    astar_release(allocator, plots->slots, plots->slot_count, sizeof *slots);
    plots->slots = slots;
    plots->slot_count = wanted;
    return true;
}

AstarPlot *astar_plots_need(AstarPlots *plots, const AstarAllocator *allocator, int32_t i,
                            int32_t j, size_t bytes)
{
    AstarPlot *plot = astar_plots_find(plots, i, j);
    if (plot != NULL)
        return plot;
    if (plots->count >= plots->slot_count && !widen_plots(plots, allocator))
        return NULL;
    plot = astar_alloc(allocator, bytes, 1);
    if (plot == NULL)
        return NULL;
    plot->i = i;
    plot->j = j;
    plot->bytes = (uint32_t)bytes;
    put_into_slot(plots->slots, plots->slot_count, plot);
    plots->count++;
    return plot;
}

void astar_plots_remove(AstarPlots *plots, const AstarAllocator *allocator, AstarPlot *plot)
{
    AstarPlot **place = &plots->slots[slot_of_plot(plots->slot_count, plot->i, plot->j)];
    while (*place != plot)
        place = &(*place)->next;
    *place = plot->next;
    plots->count--;
    astar_release(allocator, plot, plot->bytes, 1);
}

AstarPlot *astar_plots_next(const AstarPlots *plots, const AstarPlot *plot)
{
    if (plot != NULL && plot->next != NULL)
        return plot->next;
    size_t slot = plot != NULL ? slot_of_plot(plots->slot_count, plot->i, plot->j) + 1 : 0;
    while (slot < plots->slot_count && plots->slots[slot] == NULL)
        slot++;
    return slot < plots->slot_count ? plots->slots[slot] : NULL;
}

void astar_plots_free(AstarPlots *plots, const AstarAllocator *allocator)
{
    for (size_t i = 0; i < plots->slot_count; i++)
        while (plots->slots[i] != NULL) {
            AstarPlot *plot = plots->slots[i];
            plots->slots[i] = plot->next;
            astar_release(allocator, plot, plot->bytes, 1);
        }
    astar_release(allocator, plots->slots, plots->slot_count, sizeof *plots->slots);
    *plots = (AstarPlots){0};
}

void astar_plot_unlink(AstarPlot *plot)
{
    if (plot->newer == NULL)
        return;
    plot->newer->older = plot->older;
    plot->older->newer = plot->newer;
    plot->newer = plot->older = NULL;
}

void astar_plot_use(AstarPlot *head, AstarPlot *plot, uint64_t tick)
{
    plot->tick = tick;
    if (head->older == plot)
        return;
    astar_plot_unlink(plot);
    plot->newer = head;
    plot->older = head->older;
    plot->older->newer = plot;
    head->older = plot;
}
