// baked_file.c -- baked maps as bytes.
//
//     the head, see baked_head.c
//     how many subgoals; whether it is known what each cell sees, 4 bytes each
//     of labels: the subgoal that each hub is, 4 bytes each; how many entries each label has, 2
//         bytes each; of each label the hubs, then the distances, then the ways, 4 bytes each
//     of a hierarchy: how many edges lead up from each subgoal, then of each edge where it leads,
//         what it costs and the subgoal it leads over, 4 bytes each
//     8 bytes of a hash of all before
//
// Which cells are subgoals and what each cell sees follows from the map, and is worked out anew.
// The hash tells what was cut or altered. What was forged may tell routes that are not the best,
// but no others than routes: each entry must lead on by a free way to one that is nearer to the
// same hub by just that, each edge of a hierarchy be such a way, or the sum of two shorter ones.

#include "derived/baked_map.h"

#include "map/grid.h"

// ---- both ways ----

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

// ---- saving ----

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

// ---- checking ----

// Whether the way of two legs from one subgoal to another is free and costs so much.
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

// Whether an entry is that of its hub, or leads on to a lesser one.
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

// Whether the edges from a subgoal over another, and on, make up the cost of one.
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

// ---- loading ----

// Takes memory for labels that are to come, as long as their bytes say; '*out' is as it was where
// they cannot be.
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

// Works out what each cell sees, all at once.
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

// Loads what follows the head, into a map that has its subgoals.
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
