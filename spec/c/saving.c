// saving.c -- grids as bytes: what is saved comes back, and nothing else is taken for it.

#include "astar.h"
#include "check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 70, HEIGHT = 6, MOST_BYTES = 2048, HASH = 8, MOST_NAMES = 300 };

typedef struct Bytes {
    unsigned char data[MOST_BYTES];
    size_t length;
} Bytes;

// ---- names ----

static AstarName text(const char *name)
{
    return (AstarName){.kind = ASTAR_NAME_TEXT, .text = name, .length = strlen(name)};
}

static AstarName name_terrain(void *context, uint32_t number)
{
    (void)context;
    return number == 0   ? text("grass")
           : number == 1 ? (AstarName){.kind = ASTAR_NAME_BOOLEAN, .number = 1}
                         : (AstarName){.kind = ASTAR_NAME_NUMBER, .number = -2.5};
}

static AstarName name_label(void *context, uint32_t number)
{
    (void)context;
    return number == 1 ? text("") : text("stairs");
}

static const AstarSaving named = {
    .x0 = -7,
    .y0 = ASTAR_MAX_ORIGIN,
    .label_count = 2,
    .terrain = name_terrain,
    .label = name_label,
};

static bool same_name(AstarName a, AstarName b)
{
    if (a.kind != b.kind)
        return false;
    if (a.kind != ASTAR_NAME_TEXT)
        return a.number == b.number;
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// ---- grids ----

// What it has beside ground and blocks.
typedef enum Extras { NO_EXTRAS, WITH_LINKS_AND_WALLS, WITH_LAYERS, EXTRAS } Extras;

static void block_in_layer(AstarGrid *grid, const char *name, int x, int y, int width, int height)
{
    int layer = -1;
    CHECK(astar_grid_layer(grid, name, strlen(name), &layer) == ASTAR_OK);
    CHECK(astar_grid_block_layer(grid, layer, x, y, width, height) == ASTAR_OK);
}

static AstarGrid *make_grid(Extras extras)
{
    AstarGrid *grid = NULL;
    int terrain;
    CHECK(astar_grid_new(NULL, WIDTH, HEIGHT, &grid) == ASTAR_OK);
    CHECK(astar_grid_set_cost(grid, 0, 1.25) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, INFINITY, &terrain) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, ASTAR_COST_MIN, &terrain) == ASTAR_OK);
    CHECK(astar_grid_fill(grid, 3, 1, 66, 3, 1) == ASTAR_OK);
    CHECK(astar_grid_set(grid, WIDTH - 1, HEIGHT - 1, 2) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 60, 2, 10, 2) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 0, 0, 1, 1) == ASTAR_OK);
    if (extras == WITH_LAYERS) {
        block_in_layer(grid, "red", 59, 1, 2, 4);
        block_in_layer(grid, "empty", 5, 5, 1, 1);
        block_in_layer(grid, "doors", WIDTH - 1, HEIGHT - 1, 1, 1);
        CHECK(astar_grid_unblock_layer(grid, 2, 5, 5, 1, 1) == ASTAR_OK);
    }
    if (extras == WITH_LINKS_AND_WALLS) {
        CHECK(astar_grid_link(grid, 1, 1, WIDTH - 1, 5, 0.5, 1, false) == ASTAR_OK);
        CHECK(astar_grid_link(grid, 9, 5, 2, 0, 7, 2, true) == ASTAR_OK);
        CHECK(astar_grid_wall(grid, 4, 4, ASTAR_SIDE_EAST, false) == ASTAR_OK);
        CHECK(astar_grid_wall(grid, 69, 0, ASTAR_SIDE_NORTH, true) == ASTAR_OK);
    }
    return grid;
}

static bool same_cell(const AstarGrid *a, const AstarGrid *b, int x, int y)
{
    bool same = astar_grid_get(a, x, y) == astar_grid_get(b, x, y) &&
                astar_grid_is_blocked(a, x, y) == astar_grid_is_blocked(b, x, y);
    for (int i = 0; i < astar_grid_layer_count(a); i++) {
        size_t length;
        const char *name = astar_grid_layer_name(a, i, &length);
        int other = astar_grid_find_layer(b, name, length);
        same &= astar_grid_is_blocked_layer(a, i, x, y) ==
                (other >= 0 && astar_grid_is_blocked_layer(b, other, x, y));
    }
    for (int side = ASTAR_SIDE_NORTH; side <= ASTAR_SIDE_WEST; side += 2)
        same &= astar_grid_has_wall(a, x, y, (AstarSide)side) ==
                astar_grid_has_wall(b, x, y, (AstarSide)side);
    return same;
}

static bool same_links(const AstarGrid *a, const AstarGrid *b)
{
    bool same = astar_grid_link_count(a) == astar_grid_link_count(b);
    for (uint32_t i = 0; same && i < astar_grid_link_count(a); i++) {
        AstarLink one, other;
        astar_grid_link_at(a, i, &one);
        astar_grid_link_at(b, i, &other);
        same = one.x0 == other.x0 && one.y0 == other.y0 && one.x1 == other.x1 &&
               one.y1 == other.y1 && one.cost == other.cost && one.label == other.label;
    }
    return same;
}

static bool same_grids(const AstarGrid *a, const AstarGrid *b)
{
    bool same = astar_grid_terrain_count(a) == astar_grid_terrain_count(b) && same_links(a, b);
    for (int i = 0; same && i < astar_grid_terrain_count(a); i++)
        same = astar_grid_cost(a, i) == astar_grid_cost(b, i);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            same &= same_cell(a, b, x, y);
    return same;
}

static Bytes save(const AstarGrid *grid, const AstarSaving *saving)
{
    Bytes bytes = {.length = astar_grid_save(grid, saving, NULL, 0)};
    CHECK(bytes.length > 0 && bytes.length < MOST_BYTES);
    memset(bytes.data, 0xA5, sizeof bytes.data);
    CHECK(astar_grid_save(grid, saving, bytes.data, bytes.length) == bytes.length);
    CHECK(bytes.data[bytes.length] == 0xA5);
    return bytes;
}

static AstarStatus load(const Bytes *bytes, size_t length, AstarGrid **grid, AstarSaved *saved)
{
    // A block just as long, so that a sanitizer sees what is read behind it.
    void *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, bytes->data, length);
    AstarStatus status = astar_grid_load(NULL, copy, length, ASTAR_MAX_CELLS, grid, saved);
    free(copy);
    return status;
}

// ---- round trips ----

static void check_names(AstarNames names, AstarNaming expected, uint32_t first, uint32_t count)
{
    AstarName name;
    for (uint32_t i = 0; i < count; i++)
        CHECK(astar_names_next(&names, &name) && same_name(name, expected(NULL, first + i)));
    CHECK(!astar_names_next(&names, &name));
}

static void test_round_trip(Extras extras)
{
    AstarGrid *grid = make_grid(extras), *again = NULL;
    AstarSaved saved;
    Bytes bytes = save(grid, &named);
    CHECK(astar_grid_load(NULL, bytes.data, bytes.length, WIDTH * HEIGHT, &again, &saved) ==
          ASTAR_OK);
    CHECK(same_grids(grid, again));
    CHECK(saved.width == WIDTH && saved.height == HEIGHT);
    CHECK(saved.x0 == -7 && saved.y0 == ASTAR_MAX_ORIGIN);
    check_names(saved.terrains, name_terrain, 0, 3);
    check_names(saved.labels, name_label, 1, extras != NO_EXTRAS ? 2 : 0);
    Bytes second = save(again, &named);
    CHECK(second.length == bytes.length && memcmp(second.data, bytes.data, bytes.length) == 0);
    astar_grid_release(again);
    astar_grid_release(grid);
}

static AstarName number_name(void *context, uint32_t number)
{
    (void)context;
    return (AstarName){.kind = ASTAR_NAME_NUMBER, .number = number};
}

static void test_without_names(void)
{
    AstarGrid *grid = make_grid(WITH_LINKS_AND_WALLS), *again = NULL;
    AstarSaved saved;
    CHECK(astar_grid_link(grid, 5, 5, 6, 0, 1, UINT32_MAX, true) == ASTAR_OK);
    Bytes bytes = save(grid, NULL);
    CHECK(astar_grid_load(NULL, bytes.data, bytes.length, WIDTH * HEIGHT, &again, &saved) ==
          ASTAR_OK);
    CHECK(same_grids(grid, again));
    CHECK(saved.x0 == 0 && saved.y0 == 0);
    check_names(saved.terrains, number_name, 0, 3);
    check_names(saved.labels, NULL, 1, 0);
    astar_grid_release(again);
    astar_grid_release(grid);
}

// All cells in one run of each kind: a few bytes, which are read as such.
static void test_one_run(void)
{
    AstarGrid *grid = NULL, *again = NULL;
    AstarSaved saved;
    enum { SIDE = 2048 };
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 0, 0, SIDE, SIDE) == ASTAR_OK);
    Bytes bytes = save(grid, NULL);
    CHECK(bytes.length < 80);
    CHECK(astar_grid_load(NULL, bytes.data, bytes.length, SIDE * SIDE, &again, &saved) == ASTAR_OK);
    CHECK(astar_grid_is_blocked(again, SIDE - 1, SIDE - 1) && astar_grid_version(again) < 4);
    astar_grid_release(again);
    astar_grid_release(grid);
}

// ---- what is refused ----

static void test_max_cells(void)
{
    AstarGrid *grid = make_grid(NO_EXTRAS), *again = NULL;
    AstarSaved saved;
    Bytes bytes = save(grid, NULL);
    CHECK(astar_grid_load(NULL, bytes.data, bytes.length, WIDTH * HEIGHT - 1, &again, &saved) ==
          ASTAR_TOO_LARGE);
    CHECK(again == NULL && saved.width == WIDTH && saved.height == HEIGHT);
    CHECK(astar_grid_load(NULL, bytes.data, bytes.length, 0, &again, &saved) == ASTAR_TOO_LARGE);
    CHECK(strlen(astar_status_text(ASTAR_TOO_LARGE)) > 0);
    astar_grid_release(grid);
}

// What does not fit is left out, and nothing is written behind the end.
static void test_room(const Bytes *bytes, const AstarGrid *grid)
{
    unsigned char room[MOST_BYTES];
    for (size_t capacity = 0; capacity < bytes->length; capacity++) {
        memset(room, 0xA5, sizeof room);
        CHECK(astar_grid_save(grid, &named, room, capacity) == bytes->length);
        CHECK(room[capacity] == 0xA5);
    }
}

static void put_hash(Bytes *bytes, size_t length)
{
    uint64_t value = 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < length; i++)
        value = (value ^ bytes->data[i]) * 0x100000001B3u;
    for (int i = 0; i < HASH; i++, value >>= 8)
        bytes->data[length + (size_t)i] = (unsigned char)value;
    bytes->length = length + HASH;
}

typedef struct Names {
    AstarName terrains[MOST_NAMES], labels[MOST_NAMES];
} Names;

static AstarName given_terrain(void *context, uint32_t number)
{
    return ((const Names *)context)->terrains[number];
}

static AstarName given_label(void *context, uint32_t number)
{
    return ((const Names *)context)->labels[number - 1];
}

// A grid of forged bytes is one like any other: saved with the same names it can be loaded again.
static void check_forged(const AstarGrid *grid, const AstarSaved *saved)
{
    Names names = {.labels = {{.number = 0}}};
    AstarNames terrains = saved->terrains, labels = saved->labels;
    AstarSaving saving = {saved->x0, saved->y0, labels.count, given_terrain, given_label, &names};
    AstarGrid *again = NULL;
    AstarSaved other;
    for (AstarName *name = names.terrains; astar_names_next(&terrains, name);)
        name++;
    for (AstarName *name = names.labels; astar_names_next(&labels, name);)
        name++;
    Bytes bytes = save(grid, &saving);
    CHECK(load(&bytes, bytes.length, &again, &other) == ASTAR_OK);
    CHECK(astar_grid_width(again) == saved->width && astar_grid_height(again) == saved->height);
    CHECK(other.terrains.count == saved->terrains.count && same_links(grid, again));
    astar_grid_release(again);
}

static bool try_forged(const Bytes *bytes)
{
    AstarGrid *grid = NULL;
    AstarSaved saved;
    AstarStatus status = astar_grid_load(NULL, bytes->data, bytes->length, 4096, &grid, &saved);
    CHECK(status == ASTAR_OK || status == ASTAR_BAD_DATA || status == ASTAR_TOO_LARGE);
    CHECK((grid != NULL) == (status == ASTAR_OK));
    if (grid != NULL)
        check_forged(grid, &saved);
    astar_grid_release(grid);
    return status == ASTAR_OK;
}

// Cut after any byte, with the hash that belongs there or without.
static void test_cut(const Bytes *bytes)
{
    AstarGrid *grid = NULL;
    AstarSaved saved;
    for (size_t length = 0; length < bytes->length; length++)
        CHECK(load(bytes, length, &grid, &saved) == ASTAR_BAD_DATA && grid == NULL);
    for (size_t length = 0; length < bytes->length - HASH; length++) {
        Bytes forged = *bytes;
        put_hash(&forged, length);
        CHECK(load(&forged, forged.length, &grid, &saved) == ASTAR_BAD_DATA && grid == NULL);
    }
    Bytes longer = *bytes;
    longer.data[longer.length - HASH] = 0;
    put_hash(&longer, longer.length - HASH + 1);
    CHECK(load(&longer, longer.length, &grid, &saved) == ASTAR_BAD_DATA && grid == NULL);
}

static void test_altered(const Bytes *bytes)
{
    static const unsigned char others[] = {0, 1, 2, 3, 5, 64, 127, 128, 255};
    AstarGrid *grid = NULL;
    AstarSaved saved;
    int taken = 0;
    for (size_t i = 0; i < bytes->length; i++)
        for (size_t j = 0; j < sizeof others; j++) {
            Bytes altered = *bytes;
            if (altered.data[i] == others[j])
                continue;
            altered.data[i] = others[j];
            CHECK(load(&altered, altered.length, &grid, &saved) == ASTAR_BAD_DATA && grid == NULL);
            if (i < bytes->length - HASH) {
                put_hash(&altered, bytes->length - HASH);
                taken += try_forged(&altered);
            }
        }
    CHECK(taken > 0);
}

static void test_refused(Extras extras)
{
    AstarGrid *grid = make_grid(extras);
    Bytes bytes = save(grid, &named);
    test_room(&bytes, grid);
    test_cut(&bytes);
    test_altered(&bytes);
    astar_grid_release(grid);
}

// ---- memory ----

typedef struct Memory {
    long left; // allocations until one fails
    long blocks;
} Memory;

static void *take_block(void *context, size_t size)
{
    Memory *memory = context;
    if (memory->left-- == 0)
        return NULL;
    memory->blocks++;
    return calloc(1, size);
}

static void give_block(void *context, void *block, size_t size)
{
    (void)size;
    ((Memory *)context)->blocks--;
    free(block);
}

static void test_memory(void)
{
    AstarGrid *grid = make_grid(WITH_LINKS_AND_WALLS), *again = NULL;
    Bytes bytes = save(grid, &named);
    Memory memory = {0, 0};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarSaved saved;
    long failing = 0;
    // Without a larger log of edits the map is whole, too.
    for (memory.left = -1; memory.left < 0 && failing < 100; failing++) {
        memory.left = failing;
        AstarStatus status = astar_grid_load(&allocator, bytes.data, bytes.length, 4096, &again,
                                             &saved);
        CHECK(status == ASTAR_OK || (status == ASTAR_NO_MEMORY && memory.left < 0));
        CHECK(status == ASTAR_OK ? same_grids(grid, again) : again == NULL && memory.blocks == 0);
        astar_grid_release(again);
        again = NULL;
    }
    CHECK(failing > 5 && failing < 100);
    CHECK(memory.blocks == 0);
    astar_grid_release(grid);
}

static AstarName leave(void *context, uint32_t number)
{
    (void)number;
    longjmp(*(jmp_buf *)context, 1);
}

static void test_longjmp(void)
{
    AstarGrid *grid = make_grid(NO_EXTRAS);
    jmp_buf home;
    AstarSaving saving = {.terrain = leave, .context = &home};
    if (setjmp(home) == 0)
        astar_grid_save(grid, &saving, NULL, 0);
    else
        CHECK(astar_grid_save(grid, NULL, NULL, 0) > 0);
    astar_grid_release(grid);
}

int main(void)
{
    for (int extras = 0; extras < EXTRAS; extras++)
        test_round_trip((Extras)extras);
    test_without_names();
    test_one_run();
    test_max_cells();
    for (int extras = 0; extras < EXTRAS; extras++)
        test_refused((Extras)extras);
    test_memory();
    test_longjmp();
    return report();
}
