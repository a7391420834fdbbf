// subgoals.h -- the cells at which best routes turn, and the bitmaps that find those a cell sees.
//
// Over ground of one cost some best route between two cells leads from one to the other over
// corners of obstacles alone: the subgoals (T. Uras, S. Koenig and C. Hernandez, "Subgoal Graphs
// for Optimal Pathfinding in Eight-Neighbor Grids", ICAPS 2013). Here they are the cells at which
// jump point search can turn, whichever way it comes. From one to the next, and from the ends of a
// route to the first and the last, leads a way of two legs: diagonal, then straight; without
// diagonal steps along the row, then the column.
//
// All of it is of the map as it was when it was baked, and is not kept current.

#ifndef ASTAR_SUBGOALS_H
#define ASTAR_SUBGOALS_H

#include "base/alloc.h"
#include "base/bits.h"
#include "layers/jump_bits.h"
#include "rules/corner_rules.h"

// ---- the subgoals that each cell sees, worked out beforehand ----

// 64 cells of a row.
typedef struct AstarSightWord {
    uint64_t turns; // cells from which on another list holds
    uint32_t at;    // of as many words, where the list of each lies
} AstarSightWord;

enum { ASTAR_SIGHT_PAGE_BITS = 13, ASTAR_SIGHT_PAGE = 1 << ASTAR_SIGHT_PAGE_BITS };

// ---- the subgoals that a cell can turn at first, whichever way it goes ----

typedef struct AstarSubgoalHit {
    uint32_t place, subgoal;
    uint32_t cost;  // from the end of the route
    uint32_t bound; // no more than that of any route over it
} AstarSubgoalHit;

// One end of a route, and the subgoals found from there. Coordinates count the border.
typedef struct AstarRouteEnd {
    int x, y;
    int other_x, other_y; // the other end
    AstarSubgoalHit *hits;
    uint32_t count;
    size_t capacity; // kept from route to route
    bool is_subgoal; // itself, and the only hit
    bool has_failed; // for want of memory
} AstarRouteEnd;

// A list: the count, then subgoals as hubs are in a label.
typedef struct AstarSights {
    AstarAllocator allocator;
    bool wide;     // a subgoal takes a word, else half of one
    size_t stride; // of rows
    size_t count;  // of 'cells'
    AstarSightWord *cells;
    uint32_t **pages; // of words, which are told by page and place
    size_t page_capacity;
    uint32_t page_count, used; // the latter words of the last page
    uint32_t last;             // words that it has room for
    size_t next;               // of 'cells': how far building has come
    AstarRouteEnd end;         // to build by
    uint32_t *recent;          // lists written last, by a hash; to build by
} AstarSights;

// The widest and highest map: coordinates that count the border fit 16 bits.
#define ASTAR_SUBGOALS_SIDE 65000
// Distances stay below, so that the sum of any two, and of two more, fits.
#define ASTAR_SUBGOALS_FAR (UINT32_C(1) << 30)
// In place of a subgoal, a hub or what else is counted for each.
#define ASTAR_NO_SUBGOAL UINT32_MAX

typedef struct AstarSubgoals {
    AstarAllocator allocator;
    AstarDiagonals diagonals;
    const AstarCornerRule *rule;
    int32_t width, height;
    int32_t wrap;        // diagonals of each bitmap of events
    AstarBits rows;      // where the unit could stand
    AstarBits columns;   // the same turned
    AstarBits stops[4];  // by AstarStraight: where its runs end; those of south and north turned;
                         // without diagonals none of east and west
    AstarBits events[4]; // by AstarSlant: where its runs end or see a turn aside, a row for each
                         // diagonal; without diagonals the first is of runs along rows
    AstarBits corners;   // the subgoals
    uint32_t *ranks;     // how many there are before each word of those
    uint32_t *places;    // where each lies: x and, from bit 16 on, y, the border counted
    uint32_t count;
    size_t copied;      // words of the rows, so far
    size_t free_cells;  // in those
    int32_t pass, unit; // how far building has come
} AstarSubgoals;

// The steps of the two legs from a cell to one that lies (dx, dy) from it.
typedef struct AstarTwoLegs {
    int first, then;
} AstarTwoLegs;

// ---- the subgoals and the ways between them, for as long as it takes to bake ----

typedef struct AstarSubgoalEdge {
    uint32_t to, cost;
} AstarSubgoalEdge;

// The way of an edge is the one of two legs from its first subgoal to the other, which need not be
// free the other way round; there may then be no edge back, but some route of the same cost.
typedef struct AstarSubgoalGraph {
    const AstarSubgoals *subgoals;
    uint32_t straight, diagonal; // what steps cost
    AstarSubgoalEdge **first;    // of each subgoal
    uint32_t *degrees;           // how many edges it has
    AstarArena arena;            // all of these
    AstarSubgoalEdge *found;     // of the subgoal being scanned
    size_t found_capacity;
    AstarBits stops[2];   // by rows and by columns: where a cell is a subgoal, or not free
    int stopped_rows;     // that are made of those
    size_t stopped_words; // of columns
    uint32_t *costs;      // of the edges from the subgoal being thinned out; else 0
    uint32_t scanned, thinned;
    uint64_t kept; // edges, of those that are thinned out
} AstarSubgoalGraph;

// What the scans read.
typedef struct AstarSubgoalScan {
    const AstarSubgoals *subgoals;
    const AstarAllocator *allocator;
    uint32_t straight, diagonal;
    uint32_t across; // for a step along both axes: one diagonal or two straight ones
} AstarSubgoalScan;

static inline const uint32_t *astar_sight_words(const AstarSights *sights, uint32_t at)
{
    return sights->pages[at >> ASTAR_SIGHT_PAGE_BITS] + (at & (ASTAR_SIGHT_PAGE - 1));
}

// The list of a free cell; coordinates count the border.
static inline const uint32_t *astar_sight_list(const AstarSights *sights, int x, int y)
{
    const AstarSightWord *word = &sights->cells[(size_t)y * sights->stride + ((size_t)x >> 6)];
    uint64_t before = word->turns & ~(uint64_t)0 >> (63 - (x & 63));
    uint32_t number = astar_count_bits(before) - 1;
    return astar_sight_words(sights, astar_sight_words(sights, word->at)[number]);
}

// Begins to build the subgoals of a map, whose bits are to be copied. ASTAR_BAD_OPTION where a side
// is longer than ASTAR_SUBGOALS_SIDE.
AstarStatus astar_subgoals_new(const AstarAllocator *allocator, int width, int height,
                               AstarDiagonals diagonals, AstarSubgoals **out);
// Copies the next rows of the bits; ASTAR_RUNNING where the work is used up before. Each row is as
// it was when it was copied.
AstarStatus astar_subgoals_copy(AstarSubgoals *subgoals, const AstarBits *bits, int64_t *work);
// Once all are copied, builds on; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_subgoals_advance(AstarSubgoals *subgoals, int64_t *work);
void astar_subgoals_free(AstarSubgoals *subgoals);
size_t astar_subgoals_bytes(const AstarSubgoals *subgoals);

// From here on coordinates count the border.

// The diagonal of a slant that (x, y) lies on, of 'wrap'.
static inline int32_t astar_diagonal_of(int32_t wrap, AstarSlant slant, int x, int y)
{
    int32_t diagonal = astar_is_rising((int)slant) ? x + y : x - y;
    if (diagonal < 0)
        return diagonal + wrap;
    return diagonal >= wrap ? diagonal - wrap : diagonal;
}

// The first set bit at or after, and at or before, a position of a row. There must be one.
static inline int astar_bit_from(const uint64_t *row, int position)
{
    size_t word = (size_t)position >> 6;
    uint64_t bits = row[word] & ~(uint64_t)0 << (position & 63);
    while (bits == 0)
        bits = row[++word];
    return (int)(word << 6) + astar_lowest_bit(bits);
}

static inline int astar_bit_until(const uint64_t *row, int position)
{
    size_t word = (size_t)position >> 6;
    uint64_t bits = row[word] & ~(uint64_t)0 >> (63 - (position & 63));
    while (bits == 0)
        bits = row[--word];
    return (int)(word << 6) + astar_highest_bit(bits);
}

static inline int astar_place_x(uint32_t place)
{
    return (int)(place & 0xFFFF);
}

static inline int astar_place_y(uint32_t place)
{
    return (int)(place >> 16);
}

static inline uint32_t astar_place(int x, int y)
{
    return (uint32_t)x | (uint32_t)y << 16;
}

// The number of the subgoal at (x, y), which must be one.
static inline uint32_t astar_subgoal_at(const AstarSubgoals *subgoals, int x, int y)
{
    size_t word = (size_t)y * subgoals->corners.stride + ((size_t)x >> 6);
    uint64_t before = subgoals->corners.words[word] & ~(~(uint64_t)0 << (x & 63));
    return subgoals->ranks[word] + astar_count_bits(before);
}

// Whether a diagonal step between free cells is legal.
ASTAR_SPECIALIZE bool astar_subgoals_can_slant(const AstarBits *rows, AstarCorners corners, int x,
                                               int y, int dx, int dy)
{
    unsigned beside = astar_bit_at(rows, y, x + dx), upright = astar_bit_at(rows, y + dy, x);
    unsigned across = astar_bit_at(rows, y + dy, x + dx);
    switch (corners) {
    case ASTAR_CORNERS_ANY: return across;
    case ASTAR_CORNERS_ONE_FREE: return across & (beside | upright);
    default: return across & beside & upright;
    }
}

static inline AstarTwoLegs astar_two_legs(bool has_diagonals, int dx, int dy)
{
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    int lesser = dx < dy ? dx : dy;
    return has_diagonals ? (AstarTwoLegs){lesser, dx + dy - 2 * lesser} : (AstarTwoLegs){dx, dy};
}

static inline AstarTwoLegs astar_legs_between(bool has_diagonals, uint32_t from, uint32_t to)
{
    return astar_two_legs(has_diagonals, astar_place_x(to) - astar_place_x(from),
                          astar_place_y(to) - astar_place_y(from));
}

// Whether the way of two legs from one cell to another is free, by 'rows', which may be other bits
// than those that were baked.
bool astar_subgoals_is_free(const AstarSubgoals *subgoals, const AstarBits *rows, int x, int y,
                            int to_x, int to_y);
// The same by what was baked.
bool astar_subgoals_see(const AstarSubgoals *subgoals, int x, int y, int to_x, int to_y);

// Begins with the graph of subgoals that are built, which stay as they are while there is a graph.
AstarStatus astar_subgoal_graph_new(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, AstarSubgoalGraph **out);
// Builds on; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_subgoal_graph_advance(AstarSubgoalGraph *graph, int64_t *work);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_subgoal_graph_clear(AstarSubgoalGraph *graph, int64_t *work);
void astar_subgoal_graph_free(AstarSubgoalGraph *graph);

AstarSubgoalScan astar_subgoal_scan(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, const AstarAllocator *allocator);
// Begins at a cell, and looks along straight lines and into the quarter that the other end lies in.
void astar_scan_ahead(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y, int other_x,
                      int other_y);
// Looks into the other quarters, for routes that cost less than a limit.
void astar_scan_around(const AstarSubgoalScan *scan, AstarRouteEnd *end, uint32_t limit);

// No more than what it costs from one cell to another.
static inline uint32_t astar_scan_estimate(const AstarSubgoalScan *scan, int dx, int dy)
{
    uint32_t x = (uint32_t)(dx < 0 ? -dx : dx), y = (uint32_t)(dy < 0 ? -dy : dy);
    return x < y ? (y - x) * scan->straight + x * scan->across
                 : (x - y) * scan->straight + y * scan->across;
}

AstarStatus astar_sights_new(const AstarSubgoals *subgoals, AstarSights **out);
// Builds on; ASTAR_RUNNING where the work is used up before, ASTAR_TOO_LARGE where they would take
// more bytes.
AstarStatus astar_sights_advance(AstarSights *sights, const AstarSubgoalScan *scan,
                                 size_t most_bytes, int64_t *work);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_sights_clear(AstarSights *sights, int64_t *work);
void astar_sights_free(AstarSights *sights);
size_t astar_sights_bytes(const AstarSights *sights);
// Looks around from a cell by them, as both scans do.
void astar_sights_look(const AstarSights *sights, const AstarSubgoalScan *scan, AstarRouteEnd *end,
                       int x, int y, int other_x, int other_y);

#endif
