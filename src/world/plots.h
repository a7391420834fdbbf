// plots.h -- squares of the plane that come and go: found by column and row, let go in the order of
// their last use.

#ifndef ASTAR_PLOTS_H
#define ASTAR_PLOTS_H

#include "base/alloc.h"

// The head of what is kept for a square of the plane.
typedef struct AstarPlot {
    struct AstarPlot *next;          // in its slot
    struct AstarPlot *older, *newer; // by last use; NULL: it is not to be let go
    uint64_t tick;                   // of its last use
    int32_t i, j;                    // column and row
    uint8_t kind;                    // the owner's own
} AstarPlot;

typedef struct AstarPlots {
    AstarPlot **slots;
    size_t slot_count, count; // the first a power of two, or 0
} AstarPlots;

AstarPlot *astar_plots_find(const AstarPlots *plots, int32_t i, int32_t j);
// Adds a plot whose column and row are set, and not there yet.
AstarStatus astar_plots_add(AstarPlots *plots, const AstarAllocator *allocator, AstarPlot *plot);
void astar_plots_remove(AstarPlots *plots, AstarPlot *plot);
// The first of all, or the one after another; in no order.
AstarPlot *astar_plots_next(const AstarPlots *plots, const AstarPlot *plot);
void astar_plots_free(AstarPlots *plots, const AstarAllocator *allocator);

// What is used now is the newest of a ring, whose head is no plot of its own.
void astar_plot_use(AstarPlot *head, AstarPlot *plot, uint64_t tick);
void astar_plot_unlink(AstarPlot *plot);

#endif
