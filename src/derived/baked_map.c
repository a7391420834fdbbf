// baked_map.c -- what baking leaves of a map, and whether it still holds.
//
// A word in which the bits differ, one for either way, is proof that they do. Where there is none,
// edits are looked at; all bits are compared only when such a word agrees again, or there were too
// many edits.

#include "derived/baked_map.h"

#include "map/blocks.h"

// ---- memory ----

AstarStatus astar_baked_map_new(const AstarGrid *grid, uint32_t straight, uint32_t diagonal,
                                AstarSubgoals *subgoals, AstarBakedMap **out)
{
    AstarBakedMap *map = astar_alloc(&grid->allocator, 1, sizeof *map);
    if (map == NULL)
        return ASTAR_NO_MEMORY;
    map->straight = straight;
    map->diagonal = diagonal;
    map->subgoals = subgoals;
    map->version = UINT64_MAX; // of no grid
    map->references = 1;
    *out = map;
    return ASTAR_OK;
}

void astar_baked_map_release(const AstarGrid *grid, AstarBakedMap *map)
{
    if (map == NULL || !astar_count_down(&map->references))
        return;
    if (map->of != NULL) {
        astar_baked_map_release(grid, map->of);
    } else {
        astar_subgoals_free(map->subgoals);
        astar_labels_free(map->labels);
        astar_hierarchy_free(map->hierarchy);
        astar_sights_free(map->sights);
    }
    astar_release(&grid->allocator, map, 1, sizeof *map);
}

size_t astar_baked_map_bytes(const AstarBakedMap *map)
{
    if (map->of != NULL)
        return sizeof *map;
    return sizeof *map + astar_subgoals_bytes(map->subgoals) + astar_labels_bytes(map->labels) +
           astar_hierarchy_bytes(map->hierarchy) + astar_sights_bytes(map->sights);
}

// ---- of the same bits ----

static bool is_baked_by(const AstarBakedMap *map, AstarDiagonals diagonals, uint32_t straight,
                        uint32_t diagonal)
{
    return map->subgoals->diagonals == diagonals && map->straight == straight &&
           map->diagonal == diagonal;
}

AstarBakedMap *astar_baked_map_of(const AstarWalkable *walkable, AstarDiagonals diagonals,
                                  uint32_t straight, uint32_t diagonal)
{
    AstarBakedMap *map = walkable->baked;
    while (map != NULL && !is_baked_by(map, diagonals, straight, diagonal))
        map = map->next;
    return map;
}

void astar_baked_map_put(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals diagonals,
                         uint32_t straight, uint32_t diagonal, AstarBakedMap *map)
{
    AstarBakedMap **link = &walkable->baked;
    astar_count_up(&grid->home->bakings);
    while (*link != NULL && !is_baked_by(*link, diagonals, straight, diagonal))
        link = &(*link)->next;
    AstarBakedMap *before = *link;
    if (before != NULL)
        *link = before->next;
    astar_baked_map_release(grid, before);
    if (map == NULL)
        return;
    astar_count_up(&map->references);
    map->next = walkable->baked;
    walkable->baked = map;
}

void astar_baked_maps_free(const AstarGrid *grid, AstarWalkable *walkable)
{
    if (walkable->baked != NULL)
        astar_count_up(&grid->home->bakings);
    while (walkable->baked != NULL) {
        AstarBakedMap *map = walkable->baked;
        walkable->baked = map->next;
        astar_baked_map_release(grid, map);
    }
}

// ---- of copies of the grid ----

static bool is_of_grid(const AstarGrid *grid, const AstarBakedMap *map)
{
    const AstarLayer *each = grid->layers[ASTAR_WALKABLES];
    while (each != NULL && !astar_baked_map_is_in_force((const AstarWalkable *)each, map))
        each = each->next;
    return each != NULL;
}

static void put_by(const AstarGrid *grid, AstarWalkable *walkable, const AstarBakedMap *like,
                   AstarBakedMap *map)
{
    astar_baked_map_put(grid, walkable, like->subgoals->diagonals, like->straight, like->diagonal,
                        map);
}

// Takes out of force what is not any more of the grid.
static void forget_others(AstarGrid *replica, const AstarGrid *grid)
{
    for (AstarLayer *each = replica->layers[ASTAR_WALKABLES]; each != NULL; each = each->next) {
        AstarWalkable *walkable = (AstarWalkable *)each;
        AstarBakedMap *next;
        for (AstarBakedMap *map = walkable->baked; map != NULL; map = next) {
            next = map->next;
            if (!is_of_grid(grid, map->of))
                put_by(replica, walkable, map, NULL);
        }
    }
}

static AstarStatus follow_map(AstarGrid *replica, AstarWalkable *walkable, AstarBakedMap *map)
{
    AstarBakedMap *there = astar_baked_map_of(walkable, map->subgoals->diagonals, map->straight,
                                              map->diagonal);
    AstarBakedMap *copy;
    if (there != NULL && there->of == map)
        return ASTAR_OK;
    AstarStatus status = astar_baked_map_new(replica, map->straight, map->diagonal, map->subgoals,
                                             &copy);
    if (status != ASTAR_OK)
        return status;
    copy->labels = map->labels;
    copy->hierarchy = map->hierarchy;
    copy->sights = map->sights;
    copy->near = map->near;
    copy->of = map;
    astar_count_up(&map->references);
    put_by(replica, walkable, map, copy);
    astar_baked_map_release(replica, copy);
    return ASTAR_OK;
}

static AstarStatus follow_walkable(AstarGrid *replica, const AstarWalkable *walkable)
{
    if (walkable->baked == NULL)
        return ASTAR_OK;
    AstarWalkable key = {
        .layer = {.kind = walkable->layer.kind, .ignored = walkable->layer.ignored},
        .enterable = walkable->enterable,
        .size = walkable->size};
    AstarWalkable *like = astar_layer_take(replica, &key);
    AstarStatus status = like != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    for (AstarBakedMap *map = walkable->baked; status == ASTAR_OK && map != NULL; map = map->next)
        status = follow_map(replica, like, map);
    astar_layer_drop(replica, like);
    return status;
}

AstarStatus astar_baked_maps_follow(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    astar_grid_lock(grid);
    forget_others(replica, grid);
    for (AstarLayer *each = grid->layers[ASTAR_WALKABLES]; status == ASTAR_OK && each != NULL;
         each = each->next)
        status = follow_walkable(replica, (AstarWalkable *)each);
    astar_grid_unlock(grid);
    return status;
}

// ---- whether it holds ----

bool astar_baked_map_is_in_force(const AstarWalkable *walkable, const AstarBakedMap *map)
{
    const AstarBakedMap *each = walkable->baked;
    while (each != NULL && each != map)
        each = each->next;
    return each != NULL;
}

static bool is_opened_in(const AstarWalkable *walkable, const AstarBakedMap *map, size_t word)
{
    return (walkable->bits.words[word] & ~map->subgoals->rows.words[word]) != 0;
}

static bool is_closed_in(const AstarWalkable *walkable, const AstarBakedMap *map, size_t word)
{
    return (map->subgoals->rows.words[word] & ~walkable->bits.words[word]) != 0;
}

static void compare_words(const AstarWalkable *walkable, AstarBakedMap *map, size_t first,
                          size_t last)
{
    for (size_t word = first; word <= last; word++) {
        if (is_opened_in(walkable, map, word))
            astar_put(&map->opened, word);
        if (is_closed_in(walkable, map, word))
            astar_put(&map->closed, word);
    }
}

// Compares the bits that an edit can have changed.
static void compare_edited(const AstarGrid *grid, const AstarWalkable *walkable, AstarBakedMap *map,
                           const AstarEdit *edit)
{
    const size_t stride = walkable->bits.stride;
    int more = walkable->size - 1;
    int x0 = edit->x > more ? edit->x - more : 0, y0 = edit->y > more ? edit->y - more : 0;
    int x1 = edit->x + edit->width, y1 = edit->y + edit->height;
    if (edit->width == 0)
        return;
    for (int y = y0; y < y1 && y < grid->height; y++) {
        size_t row = (size_t)(y + 1) * stride;
        compare_words(walkable, map, row + ((size_t)(x0 + 1) >> 6), row + ((size_t)x1 >> 6));
    }
}

static bool still_differs(const AstarWalkable *walkable, const AstarBakedMap *map)
{
    size_t opened = map->opened, closed = map->closed;
    return (opened == SIZE_MAX || is_opened_in(walkable, map, opened)) &&
           (closed == SIZE_MAX || is_closed_in(walkable, map, closed));
}

static void compare_bits(const AstarGrid *grid, const AstarWalkable *walkable, AstarBakedMap *map)
{
    uint64_t seen = map->version, ignored = walkable->layer.ignored;
    bool knows_edits = seen != UINT64_MAX && astar_knows_edits_since(grid, ignored, seen);
    if (knows_edits && still_differs(walkable, map)) {
        AstarEditsSince edits = astar_edits_since(grid, ignored, seen);
        for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
            compare_edited(grid, walkable, map, edit);
    } else {
        astar_put(&map->opened, SIZE_MAX);
        astar_put(&map->closed, SIZE_MAX);
        compare_words(walkable, map, 0, walkable->bits.count - 1);
    }
    astar_put(&map->version, grid->version);
}

AstarBakedState astar_baked_map_state(const AstarGrid *grid, const AstarWalkable *walkable,
                                      AstarBakedMap *map)
{
    if (astar_get(&map->version) != grid->version) {
        astar_grid_lock(grid);
        if (map->version != grid->version)
            compare_bits(grid, walkable, map);
        astar_grid_unlock(grid);
    }
    if (astar_get(&map->opened) != SIZE_MAX)
        return ASTAR_BAKED_OPENED;
    return astar_get(&map->closed) != SIZE_MAX ? ASTAR_BAKED_CLOSED : ASTAR_BAKED_SAME;
}
