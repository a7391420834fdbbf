// path_saving.c -- paths as bytes, without what is told anew by the grid they are loaded on.

#include "base/archive.h"
#include "map/grid.h"
#include "path/path.h"
#include "search/path_validity.h"

static const char FORMAT[] = "astar-path";

enum { MOST_PATH_CELLS = 1 << 30 }; // more than any path has: counts of them do not overflow

#define carry_flag(archive, flag) ((astar_carry_byte(archive, flag) & 1) != 0)

static void carry_path_question(AstarArchive *archive, AstarQuestion *question)
{
    question->weight = astar_carry_double(archive, question->weight);
    question->max_cost = astar_carry_double(archive, question->max_cost);
    question->max_expansions = astar_carry(archive, question->max_expansions, 8);
    question->partial = carry_flag(archive, question->partial);
    question->range = (int)astar_carry_word(archive, (uint32_t)question->range);
    question->bends = (AstarBends)astar_carry_byte(archive, question->bends);
    question->heading = (AstarHeading)astar_carry_byte(archive, question->heading);
}

// What there is to a path beside its cells. What was a best one 'now' is one of the grid as loaded.
static void carry_path_facts(AstarArchive *archive, AstarPath *path, const AstarGrid *grid,
                             uint64_t now)
{
    path->cost = astar_carry_double(archive, path->cost);
    path->expanded = astar_carry(archive, path->expanded, 8);
    path->algorithm = (AstarAlgorithm)astar_carry_within(archive, (int32_t)path->algorithm, 0,
                                                         ASTAR_ALGORITHM_COUNT - 1);
    path->partial = carry_flag(archive, path->partial);
    path->orthogonal = carry_flag(archive, path->orthogonal);
    path->goal_x = astar_carry_within(archive, path->goal_x, -1, grid->width - 1);
    path->goal_y = astar_carry_within(archive, path->goal_y, -1, grid->height - 1);
    archive->is_bad |= (path->goal_x < 0) != (path->goal_y < 0) || !(path->cost >= 0);
    path->best_at = carry_flag(archive, path->best_at == now) ? now : 0;
    path->least.at = carry_flag(archive, path->least.at == now) ? now : 0;
    path->least.cost = astar_carry_double(archive, path->least.cost);
    path->least.x = astar_carry_within(archive, path->least.x, 0, grid->width - 1);
    path->least.y = astar_carry_within(archive, path->least.y, 0, grid->height - 1);
    carry_path_question(archive, &path->question);
    path->offset = grid->shape->offset;
    archive->is_bad |= astar_carry_byte(archive, path->offset) != path->offset;
}

size_t astar_path_save(const AstarPath *path, const AstarFinder *finder, void *bytes,
                       size_t capacity)
{
    AstarArchive archive = astar_archive_save(bytes, capacity, FORMAT, 1);
    AstarPath facts = *path;
    carry_path_facts(&archive, &facts, finder->grid, astar_finder_version(finder) + 1);
    astar_carry_varint(&archive, (uint32_t)path->count);
    for (int i = 0; i < path->count; i++) {
        const AstarPoint *point = &path->points[i];
        astar_carry_varint(&archive, (uint32_t)point->x);
        astar_carry_varint(&archive, (uint32_t)point->y);
        astar_carry_byte(&archive, i > 0 && astar_path_link(path, point[-1].index, NULL));
    }
    return astar_archive_close(&archive);
}

// Adds the point that was saved next: by as many cells as the line to it has.
static AstarStatus load_point(AstarArchive *archive, const AstarFinder *finder, AstarPath *path)
{
    uint32_t x = astar_carry_varint(archive, 0), y = astar_carry_varint(archive, 0);
    bool is_link = carry_flag(archive, false);
    const AstarGrid *grid = finder->grid;
    if (archive->is_bad || x >= (uint32_t)grid->width || y >= (uint32_t)grid->height)
        return ASTAR_BAD_DATA;
    if (path->count == 0)
        return astar_path_add(path, (int)x, (int)y, 1);
    if (is_link)
        return astar_add_link_now(finder, path, (int)x, (int)y, 0);
    const AstarPoint *last = &path->points[path->count - 1];
    AstarLine line = astar_line_on(grid->shape, last->x, last->y, (int)x, (int)y, path->orthogonal);
    if (line.steps < 1 || line.steps > MOST_PATH_CELLS - path->cells)
        return ASTAR_BAD_DATA;
    return astar_path_add(path, (int)x, (int)y, (int)line.steps);
}

AstarStatus astar_path_load(const AstarFinder *finder, const void *bytes, size_t length,
                            AstarPath *path)
{
    AstarArchive archive = astar_archive_load(bytes, length, FORMAT, 1);
    const AstarGrid *grid = finder->grid;
    astar_path_clear(path, &grid->allocator);
    carry_path_facts(&archive, path, grid, astar_finder_version(finder) + 1);
    uint32_t count = astar_carry_varint(&archive, 0);
    AstarStatus status = count > 0 && astar_finder_refusal(finder, &path->question) == NULL
                             ? ASTAR_OK
                             : ASTAR_BAD_DATA;
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
        status = load_point(&archive, finder, path);
    astar_path_measure(path);
    return status == ASTAR_OK ? astar_archive_end(&archive) : status;
}
