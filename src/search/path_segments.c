// path_segments.c -- the parts of a path between its links.
//
// A link's ends must stay where they are, and no line leads across it. So a path that is reworked
// is cut there: each part between two links is reworked as a path of its own, and the parts are
// joined again.

#include "path/path.h"
#include "search/path_validity.h"

int astar_part_end(const AstarPath *path, int first)
{
    int last = first;
    while (last < path->count - 1 && !astar_path_link(path, path->points[last].index, NULL))
        last++;
    return last;
}

AstarStatus astar_cut_part(const AstarPath *path, int first, int last,
                           const AstarAllocator *allocator, AstarPath *part)
{
    astar_path_begin(part, path, allocator);
    part->best_at = path->best_at;
    AstarStatus status = ASTAR_OK;
    for (int i = first; i <= last && status == ASTAR_OK; i++) {
        const AstarPoint *point = &path->points[i];
        int cells = i == first ? 1 : point->index - point[-1].index;
        status = astar_path_add(part, point->x, point->y, cells);
    }
    return status;
}

AstarStatus astar_append_part(const AstarFinder *finder, const AstarPath *path, int first, int last,
                              const AstarPath *reworked, AstarPath *out)
{
    AstarStatus status = ASTAR_OK;
    for (int i = first > 0 ? 1 : 0; i < reworked->count && status == ASTAR_OK; i++) {
        const AstarPoint *point = &reworked->points[i];
        int cells = i == 0 ? 1 : point->index - point[-1].index;
        status = astar_path_add(out, point->x, point->y, cells);
    }
    uint32_t label;
    if (status != ASTAR_OK || !astar_path_link(path, path->points[last].index, &label))
        return status;
    const AstarPoint *next = &path->points[last + 1];
    return astar_add_link_now(finder, out, next->x, next->y, label);
}
