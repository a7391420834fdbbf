// baked_map.c -- the result of baking a map (labels or a hierarchy), whether it is still valid, and
// its saved form.
//
// To find out whether the map has changed since the baking, one word of bits that differs is stored
// as a proof for each kind of change: a cell that became free, and a cell that became blocked. If
// there is no such word, the recent edits are examined. All bits are compared only if a stored word
// no longer differs, or if there were too many edits.

#include "parts/baking/baked_map.h"

#include "layers/baked_head.h"
#include "map/blocks.h"
#include "map/grid.h"
#include "parts/baking/subgoals.h"

// Memory.

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

size_t astar_baked_maps_bytes(const AstarWalkable *walkable)
{
    size_t bytes = 0;
    for (const AstarBakedMap *each = walkable->baked; each != NULL; each = each->next)
        bytes += astar_baked_map_bytes(each);
    return bytes;
}

// The functions below handle the maps that were baked for the same walkable bits.

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

// The functions below make the baked maps of a grid available to copies of the grid.

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

// Removes the baked maps that the grid no longer uses from its snapshot.
static void forget_others(AstarGrid *snapshot, const AstarGrid *grid)
{
    for (AstarLayer *each = snapshot->layers[ASTAR_WALKABLES]; each != NULL; each = each->next) {
        AstarWalkable *walkable = (AstarWalkable *)each;
        AstarBakedMap *next;
        for (AstarBakedMap *map = walkable->baked; map != NULL; map = next) {
            next = map->next;
            if (!is_of_grid(grid, map->of))
                put_by(snapshot, walkable, map, NULL);
        }
    }
}

static AstarStatus follow_map(AstarGrid *snapshot, AstarWalkable *walkable, AstarBakedMap *map)
{
    AstarBakedMap *there = astar_baked_map_of(walkable, map->subgoals->diagonals, map->straight,
                                              map->diagonal);
    AstarBakedMap *copy;
    if (there != NULL && there->of == map)
        return ASTAR_OK;
    AstarStatus status = astar_baked_map_new(snapshot, map->straight, map->diagonal, map->subgoals,
                                             &copy);
    if (status != ASTAR_OK)
        return status;
    copy->labels = map->labels;
    copy->hierarchy = map->hierarchy;
    copy->sights = map->sights;
    copy->near = map->near;
    copy->of = map;
    astar_count_up(&map->references);
    put_by(snapshot, walkable, map, copy);
    astar_baked_map_release(snapshot, copy);
    return ASTAR_OK;
}

static AstarStatus follow_walkable(AstarGrid *snapshot, const AstarWalkable *walkable)
{
    if (walkable->baked == NULL)
        return ASTAR_OK;
    AstarWalkable key = {
        .layer = {.kind = walkable->layer.kind, .ignored = walkable->layer.ignored},
        .enterable = walkable->enterable,
        .body = walkable->body};
    AstarWalkable *like = astar_layer_take(snapshot, &key);
    AstarStatus status = like != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    for (AstarBakedMap *map = walkable->baked; status == ASTAR_OK && map != NULL; map = map->next)
        status = follow_map(snapshot, like, map);
    astar_layer_drop(snapshot, like);
    return status;
}

AstarStatus astar_baked_maps_follow(AstarGrid *snapshot, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    astar_grid_lock(grid);
    forget_others(snapshot, grid);
    for (AstarLayer *each = grid->layers[ASTAR_WALKABLES]; status == ASTAR_OK && each != NULL;
         each = each->next)
        status = follow_walkable(snapshot, (AstarWalkable *)each);
    astar_grid_unlock(grid);
    return status;
}

// Validity.

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

// Compares the walkable bits that an edit can have changed with the bits at the time of the baking.
static void compare_edited(const AstarGrid *grid, const AstarWalkable *walkable, AstarBakedMap *map,
                           const AstarEdit *edit)
{
    const size_t stride = walkable->bits.stride;
    int west = walkable->body.width - 1, north = walkable->body.height - 1;
    int x0 = edit->x > west ? edit->x - west : 0, y0 = edit->y > north ? edit->y - north : 0;
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

// ------------------------------------------------------------------------------------------------
// Baked maps as bytes, in this order:
//
// - the head, see baked_head.h
// - the number of subgoals, and whether sights are stored: 4 bytes each
// - for labels: the subgoal of each hub, 4 bytes each; the number of entries of each label, 2 bytes
// each; for each label the hubs, then the distances, then the next subgoals (see labels.h), 4 bytes
// each
// - for a hierarchy: the number of edges that lead up from each subgoal; for each edge the subgoal
// it leads to, its cost, and the subgoal it leads over, 4 bytes each
// - 8 bytes of a hash of all bytes before
//
// The subgoals and the sights follow from the map and are computed again. The hash detects
// truncated or altered data. With forged data, routes may cost more than necessary, but they can
// always be walked. Each entry of a label must lead by a free path to an entry that is nearer to
// the same hub by exactly the cost of this path. Each edge of a hierarchy must be a free path of
// two legs, or the sum of two shorter edges.
// ------------------------------------------------------------------------------------------------

// The functions below save and load a baked map.

static void carry_labels(AstarArchive *archive, AstarLabels *labels)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        AstarLabelAt label = labels->labels[i];
        uint32_t *hubs = labels->words + label.at;
        for (uint32_t k = 0; k < label.count; k++) {
            uint32_t hub = astar_hub_at(hubs, labels->wide, k);
            hub = astar_carry_word(archive, hub);
            if (archive->is_loaded)
                astar_hub_put(hubs, labels->wide, k, hub);
        }
        astar_carry_words(archive, hubs + astar_hub_words(labels->wide, label.count),
                          2 * (size_t)label.count);
    }
}

static void carry_edges(AstarArchive *archive, AstarHierarchy *hierarchy)
{
    for (uint32_t i = 0; i < hierarchy->first[hierarchy->count]; i++) {
        AstarUpEdge *edge = &hierarchy->edges[i];
        astar_carry_words(archive, &edge->to, 1);
        astar_carry_words(archive, &edge->cost, 1);
        astar_carry_words(archive, &edge->middle, 1);
    }
}

// Saving.

static void save_labels(AstarArchive *archive, AstarLabels *labels)
{
    astar_carry_words(archive, labels->order, labels->count);
    for (uint32_t i = 0; i < labels->count; i++)
        astar_carry(archive, labels->labels[i].count, 2);
    carry_labels(archive, labels);
}

static void save_hierarchy(AstarArchive *archive, AstarHierarchy *hierarchy)
{
    for (uint32_t i = 0; i < hierarchy->count; i++)
        astar_carry_word(archive, hierarchy->first[i + 1] - hierarchy->first[i]);
    carry_edges(archive, hierarchy);
}

void astar_baked_map_save(const AstarBakedMap *map, AstarArchive *archive)
{
    astar_carry_word(archive, map->subgoals->count);
    astar_carry_word(archive, map->sights != NULL);
    if (map->labels != NULL)
        save_labels(archive, map->labels);
    else
        save_hierarchy(archive, map->hierarchy);
}

// Checking.

// Returns true if the path of two legs from one subgoal to another is free and costs 'cost'.
static bool is_way(const AstarBakedMap *map, uint32_t from, uint32_t to, uint32_t cost)
{
    const AstarSubgoals *s = map->subgoals;
    int x = astar_place_x(s->places[from]), y = astar_place_y(s->places[from]);
    int to_x = astar_place_x(s->places[to]), to_y = astar_place_y(s->places[to]);
    AstarTwoLegs legs = astar_two_legs(s->rule->has_diagonals, to_x - x, to_y - y);
    uint64_t first = s->rule->has_diagonals ? map->diagonal : map->straight;
    return (uint64_t)legs.first * first + (uint64_t)legs.then * map->straight == cost &&
           astar_subgoals_see(s, x, y, to_x, to_y);
}

// Returns true if an entry of a label is valid: it is the entry of its own hub, or its path leads
// to an entry of lower distance.
static bool is_entry_sound(const AstarBakedMap *map, uint32_t subgoal, uint32_t index)
{
    const AstarLabels *labels = map->labels;
    AstarLabelAt label = labels->labels[subgoal];
    const uint32_t *hubs = labels->words + label.at;
    const uint32_t *distances = hubs + astar_hub_words(labels->wide, label.count);
    uint32_t hub = astar_hub_at(hubs, labels->wide, index), distance = distances[index];
    uint32_t way = distances[label.count + index];
    uint32_t next = astar_way_subgoal(way), place = astar_way_place(way);
    if (hub >= labels->count || distance >= ASTAR_SUBGOALS_FAR || next >= labels->count ||
        (index > 0 && hub <= astar_hub_at(hubs, labels->wide, index - 1)))
        return false;
    if (subgoal == labels->order[hub])
        return distance == 0;
    AstarLabelAt on = labels->labels[next];
    const uint32_t *next_hubs = labels->words + on.at;
    if (place >= on.count || astar_hub_at(next_hubs, labels->wide, place) != hub)
        return false;
    uint32_t left = next_hubs[astar_hub_words(labels->wide, on.count) + place];
    return left < distance && is_way(map, next, subgoal, distance - left);
}

static bool are_labels_sound(const AstarBakedMap *map)
{
    for (uint32_t hub = 0; hub < map->labels->count; hub++)
        if (map->labels->order[hub] >= map->labels->count)
            return false;
    for (uint32_t i = 0; i < map->labels->count; i++)
        for (uint32_t k = 0; k < map->labels->labels[i].count; k++)
            if (!is_entry_sound(map, i, k))
                return false;
    return true;
}

// Returns true if the cost of an edge is the sum of the edges from its ends to its middle subgoal.
static bool is_sum(const AstarHierarchy *hierarchy, uint32_t from, const AstarUpEdge *edge)
{
    if (edge->middle >= hierarchy->count)
        return false;
    const AstarUpEdge *one = astar_hierarchy_edge(hierarchy, from, edge->middle);
    const AstarUpEdge *other = astar_hierarchy_edge(hierarchy, edge->middle, edge->to);
    return one != NULL && other != NULL && one->cost > 0 && other->cost > 0 &&
           (uint64_t)one->cost + other->cost == edge->cost;
}

static bool is_hierarchy_sound(const AstarBakedMap *map)
{
    const AstarHierarchy *hierarchy = map->hierarchy;
    for (uint32_t i = 0; i < hierarchy->count; i++)
        for (uint32_t k = hierarchy->first[i]; k < hierarchy->first[i + 1]; k++) {
            const AstarUpEdge *edge = &hierarchy->edges[k];
            if (edge->to >= hierarchy->count || edge->to == i || edge->cost >= ASTAR_SUBGOALS_FAR)
                return false;
            bool is_sound = edge->middle == ASTAR_NO_SUBGOAL
                                ? is_way(map, i, edge->to, edge->cost) ||
                                      is_way(map, edge->to, i, edge->cost)
                                : is_sum(hierarchy, i, edge);
            if (!is_sound)
                return false;
        }
    return true;
}

// Loading.

// Allocates labels of the sizes that the next bytes of the archive state. If these sizes are
// invalid, '*out' is unchanged.
static AstarStatus make_labels(AstarArchive archive, const AstarGrid *grid, uint32_t count,
                               AstarLabels **out)
{
    size_t left = astar_archive_left(&archive), words = 0, entries = 0;
    if (count >= ASTAR_MOST_SUBGOALS || left / 6 < count)
        return ASTAR_BAD_DATA;
    archive.at += 4 * (size_t)count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = (uint32_t)astar_carry(&archive, 0, 2);
        if (length >= ASTAR_LONGEST_LABEL)
            return ASTAR_BAD_DATA;
        words += astar_hub_words(astar_is_wide(count), length) + 2 * (size_t)length;
        entries += length;
    }
    if (astar_archive_left(&archive) != 12 * entries || words > UINT32_MAX)
        return ASTAR_BAD_DATA;
    *out = astar_labels_alloc(&grid->allocator, count, words);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static AstarStatus load_labels(AstarArchive *archive, const AstarGrid *grid, AstarBakedMap *map)
{
    AstarStatus status = make_labels(*archive, grid, map->subgoals->count, &map->labels);
    if (status != ASTAR_OK)
        return status;
    AstarLabels *labels = map->labels;
    astar_carry_words(archive, labels->order, labels->count);
    uint32_t at = 0;
    for (uint32_t i = 0; i < labels->count; i++) {
        uint32_t count = (uint32_t)astar_carry(archive, 0, 2);
        labels->labels[i] = astar_label_at(labels->wide, at, count, map->subgoals->places[i]);
        at += (uint32_t)astar_hub_words(labels->wide, count) + 2 * count;
        labels->longest = count > labels->longest ? count : labels->longest;
    }
    carry_labels(archive, labels);
    return are_labels_sound(map) ? ASTAR_OK : ASTAR_BAD_DATA;
}

static AstarStatus load_hierarchy(AstarArchive *archive, const AstarGrid *grid, AstarBakedMap *map)
{
    uint32_t count = map->subgoals->count;
    size_t left = astar_archive_left(archive);
    if (left / 4 < count || (left - 4 * (size_t)count) / 12 >= UINT32_MAX)
        return ASTAR_BAD_DATA;
    uint32_t edges = (uint32_t)((left - 4 * (size_t)count) / 12);
    map->hierarchy = astar_hierarchy_alloc(&grid->allocator, count, edges);
    if (map->hierarchy == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t degree = astar_carry_word(archive, 0);
        map->hierarchy->first[i] = at;
        if (degree > edges - at)
            return ASTAR_BAD_DATA;
        at += degree;
    }
    if (at != edges)
        return ASTAR_BAD_DATA;
    carry_edges(archive, map->hierarchy);
    AstarStatus status = astar_archive_end(archive);
    return status != ASTAR_OK || is_hierarchy_sound(map) ? status : ASTAR_BAD_DATA;
}

// Computes the sights of a loaded map in one call. The sights are the subgoals that each cell sees.
static AstarStatus build_sights(AstarBakedMap *map)
{
    int64_t work = ASTAR_ALL_WORK;
    const AstarSubgoals *subgoals = map->subgoals;
    AstarSubgoalScan scan = astar_subgoal_scan(subgoals, map->straight, map->diagonal,
                                               &subgoals->allocator);
    AstarStatus status = astar_sights_new(subgoals, &map->sights);
    if (status == ASTAR_OK)
        status = astar_sights_advance(map->sights, &scan, SIZE_MAX, &work);
    return status == ASTAR_TOO_LARGE ? ASTAR_BAD_DATA : status;
}

// Loads the data after the head into a map that has its subgoals already.
static AstarStatus load_parts(AstarArchive *archive, const AstarGrid *grid, uint32_t kind,
                              AstarBakedMap *map)
{
    uint32_t count = astar_carry_word(archive, 0), has_sights = astar_carry_word(archive, 0);
    if (count != map->subgoals->count || has_sights > 1)
        return ASTAR_BAD_DATA;
    AstarStatus status = has_sights != 0 ? build_sights(map) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    return kind == ASTAR_SAVED_LABELS ? load_labels(archive, grid, map)
                                      : load_hierarchy(archive, grid, map);
}

static AstarStatus build_subgoals(const AstarGrid *grid, const AstarWalkable *walkable,
                                  const AstarBakedHead *head, AstarBakedMap **out)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarSubgoals *subgoals;
    AstarStatus status = astar_subgoals_new(&grid->allocator, grid->width, grid->height,
                                            (AstarDiagonals)head->diagonals, &subgoals);
    if (status != ASTAR_OK)
        return status == ASTAR_NO_MEMORY ? status : ASTAR_BAD_DATA;
    status = astar_subgoals_copy(subgoals, &walkable->bits, &work);
    if (status == ASTAR_OK)
        status = astar_subgoals_advance(subgoals, &work);
    if (status == ASTAR_OK)
        status = astar_baked_map_new(grid, head->straight, head->diagonal, subgoals, out);
    if (status != ASTAR_OK)
        astar_subgoals_free(subgoals);
    return status;
}

AstarStatus astar_baked_map_load(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarBakedHead *head, AstarArchive *archive,
                                 AstarBakedMap **out)
{
    AstarBakedMap *map;
    AstarStatus status = build_subgoals(grid, walkable, head, &map);
    if (status != ASTAR_OK)
        return status;
    status = load_parts(archive, grid, head->kind, map);
    if (status == ASTAR_OK)
        *out = map;
    else
        astar_baked_map_release(grid, map);
    return status;
}
