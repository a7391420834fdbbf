// path_segments.c -- reworking a path that leads over links, part by part.
//
// A link's ends must stay where they are, and no line leads across it. So the path is cut there:
// each part between two links is reworked as a path of its own, and the parts are joined again.
// They belong to the search, for callbacks may leave by longjmp.

#include "path/path.h"
#include "search/path_validity.h"

// Copies the part of a path from one of its points to a later one.
static AstarStatus cut(const AstarPath *path, int first, int last, const AstarAllocator *allocator,
                       AstarPath *part)
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

// Adds a reworked part; its first cell is there already where it is not the first part.
static AstarStatus append(const AstarPath *part, bool joined, AstarPath *out)
{
    AstarStatus status = ASTAR_OK;
    for (int i = joined ? 1 : 0; i < part->count && status == ASTAR_OK; i++) {
        const AstarPoint *point = &part->points[i];
        int cells = i == 0 ? 1 : point->index - point[-1].index;
        status = astar_path_add(out, point->x, point->y, cells);
    }
    return status;
}

static AstarStatus rework_part(AstarSearch *search, const AstarPath *path, int first, int last,
                               AstarRework function, AstarPath *out)
{
    AstarPath *part = &search->parts[0], *reworked = &search->parts[1];
    AstarStatus status = cut(path, first, last, &search->allocator, part);
    if (status == ASTAR_OK)
        status = function(search, part, reworked);
    if (status == ASTAR_OK)
        status = append(reworked, first > 0, out);
    return status;
}

AstarStatus astar_rework_between_links(AstarSearch *search, const AstarPath *path,
                                       AstarRework function, AstarPath *out)
{
    astar_path_begin(out, path, &search->allocator);
    AstarStatus status = ASTAR_OK;
    for (int first = 0, last = 0; first < path->count && status == ASTAR_OK; first = last + 1) {
        uint32_t label = 0;
        for (last = first; last < path->count - 1; last++)
            if (astar_path_link(path, path->points[last].index, &label))
                break;
        status = rework_part(search, path, first, last, function, out);
        if (status == ASTAR_OK && last + 1 < path->count) {
            const AstarPoint *next = &path->points[last + 1];
            status = astar_path_add_link(out, next->x, next->y, label);
        }
    }
    if (status != ASTAR_OK)
        return status;
    astar_path_measure(out);
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}
