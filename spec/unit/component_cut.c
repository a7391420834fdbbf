// component_cut.c -- the parts that clearing a cell has cut apart are those flood fill finds.
//
// Cells of random maps are cleared where that leaves neighbours that do not touch one another; and
// some cuts whose work is known: a part of few cells is told from the largest map, two halves of a
// large one, or a ring that is cut open, take too long.

#include "flood.h"

#include "derived/component_cut.h"

#include <stdlib.h>

enum { MAPS = 3000, MOST_CELLS = 700 * 20 };

static uint32_t state;

static AstarBits bits;
static int width, height;
static int labels[MOST_CELLS], stack[MOST_CELLS];

static int random_length(int most)
{
    static const int lengths[] = {1, 2, 3, 7, 15, 30};
    int length = lengths[random_below(&state, 6)];
    return length < most ? length : most;
}

// Clears a cell and looks for what that has cut off; true if that was found.
static bool clear(AstarComponentCut *split, bool diagonal, int x, int y)
{
    astar_bits_put(&bits, x, y, false);
    flood(&bits, width, height, diagonal, labels, stack);
    return astar_component_cut_find(split, &bits, width, diagonal, x, y,
                                    astar_bits_around(&bits, x, y));
}

// How many components the neighbours of a cell are of.
static int count_components(const AstarBits *of, int across, int down, const int *labels_of,
                            bool diagonal, int x, int y)
{
    int seen[ASTAR_DIRECTIONS], count = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d += diagonal ? 1 : 2) {
        int column = x + astar_dx[d], row = y + astar_dy[d];
        if (!is_set(of, across, down, column, row))
            continue;
        int i = 0;
        for (seen[count] = labels_of[row * across + column]; seen[i] != seen[count];)
            i++;
        count += i == count;
    }
    return count;
}

// Whether the neighbours of a cell fall apart if only they are looked at: else nothing is cut off
// and there is nothing to look for.
static bool fall_apart(const AstarAllocator *allocator, bool diagonal, int x, int y)
{
    int labels_of[9], stack_of[9];
    AstarBits ring = astar_bits_new(allocator, 3, 3);
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        astar_bits_put(&ring, 1 + astar_dx[d], 1 + astar_dy[d],
                       is_set(&bits, width, height, x + astar_dx[d], y + astar_dy[d]));
    flood(&ring, 3, 3, diagonal, labels_of, stack_of);
    int count = count_components(&ring, 3, 3, labels_of, diagonal, 1, 1);
    astar_bits_free(allocator, &ring);
    return count > 1;
}

static int size_of(int label)
{
    int size = 0;
    for (int cell = 0; cell < width * height; cell++)
        size += labels[cell] == label;
    return size;
}

// How many cells of a part were met; -1 where one is not of the component, or was met twice.
static int count_met(const AstarComponentCut *split, int part, int label)
{
    static bool met[MOST_CELLS];
    int count = 0;
    bool right = true;
    for (int cell = 0; cell < width * height; cell++)
        met[cell] = false;
    for (int i = 0; i < split->count; i++)
        for (int j = 0; j < split->sides[i].count && astar_component_cut_part(split, i) == part;
             j++) {
            uint32_t cell = split->sides[i].cells[j];
            right = right && labels[cell] == label && !met[cell];
            met[cell] = true;
            count++;
        }
    return right ? count : -1;
}

// As many parts as there are components around the cell; all of them but the rest whole.
static bool is_right(const AstarComponentCut *split, bool diagonal, int x, int y)
{
    int parts = 0, rest = astar_component_cut_rest(split);
    bool right = true;
    for (int i = 0; i < split->count; i++) {
        if (astar_component_cut_part(split, i) != i)
            continue;
        int label = labels[split->sides[i].cells[0]], met = count_met(split, i, label);
        right = right && met > 0 && (i == rest || met == size_of(label));
        parts++;
    }
    return right && parts == count_components(&bits, width, height, labels, diagonal, x, y);
}

static bool test_map(const AstarAllocator *allocator, uint32_t seed)
{
    static AstarComponentCut split;
    state = seed;
    width = random_length(30);
    height = random_length(30);
    bits = astar_bits_new(allocator, width, height);
    CHECK(bits.words != NULL);
    put_random_bits(&bits, width, height, 30 + random_below(&state, 70), &state);
    bool right = true;
    for (int i = 0; i < 30 && right; i++) {
        bool diagonal = random_below(&state, 2);
        int x = random_below(&state, width), y = random_below(&state, height);
        if (fall_apart(allocator, diagonal, x, y))
            right = clear(&split, diagonal, x, y) && is_right(&split, diagonal, x, y);
    }
    astar_bits_free(allocator, &bits);
    return right;
}

// ---- cuts whose work is known ----

static void new_map(const AstarAllocator *allocator, int columns, int rows, bool value)
{
    width = columns;
    height = rows;
    bits = astar_bits_new(allocator, width, height);
    CHECK(bits.words != NULL);
    for (int y = 0; y < height; y++)
        CHECK(astar_bits_put_row(&bits, 0, y, width, value) == value);
}

// A wall with a gap, after so many columns; the gap is closed.
static bool closes_gap(const AstarAllocator *allocator, int columns)
{
    static AstarComponentCut split;
    new_map(allocator, 300, 20, true);
    for (int y = 0; y < height; y++)
        astar_bits_put(&bits, columns, y, y == 10);
    bool found = clear(&split, true, columns, 10);
    CHECK(!found || is_right(&split, true, columns, 10));
    if (found)
        CHECK(astar_component_cut_part(&split, 0) != astar_component_cut_rest(&split) ||
              astar_component_cut_part(&split, split.count - 1) !=
                  astar_component_cut_rest(&split));
    astar_bits_free(allocator, &bits);
    return found;
}

// A ring of this length, cut open.
static bool cuts_ring(const AstarAllocator *allocator, int length)
{
    static AstarComponentCut split;
    new_map(allocator, length / 2 - 1, 3, true);
    for (int x = 1; x < width - 1; x++)
        astar_bits_put(&bits, x, 1, false);
    bool found = clear(&split, false, width / 2, 0);
    CHECK(!found || is_right(&split, false, width / 2, 0));
    astar_bits_free(allocator, &bits);
    return found;
}

static void test_work(const AstarAllocator *allocator)
{
    CHECK(closes_gap(allocator, 1));
    CHECK(closes_gap(allocator, 10));
    CHECK(closes_gap(allocator, 290));
    CHECK(!closes_gap(allocator, 150));
    CHECK(cuts_ring(allocator, 100));
    CHECK(cuts_ring(allocator, ASTAR_CUT_CELLS * 9 / 10));
    CHECK(!cuts_ring(allocator, ASTAR_CUT_CELLS * 11 / 10));
}

int main(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    for (uint32_t seed = 1; seed <= MAPS; seed++) {
        bool right = test_map(&allocator, seed);
        CHECK(right);
        if (!right)
            printf("the map of seed %u differs\n", (unsigned)seed);
    }
    test_work(&allocator);
    return report();
}
