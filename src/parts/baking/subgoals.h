// subgoals.h -- subgoals: the cells at which best routes turn, and the bitmaps with which the
// subgoals that a cell sees are found.
//
// Over uniform ground some best route between two cells leads over corners of obstacles only: the
// subgoals (T. Uras, S. Koenig and C. Hernandez, "Subgoal Graphs for Optimal Pathfinding in
// Eight-Neighbor Grids", ICAPS 2013). In astar, subgoals are the cells at which jump point search
// can turn, for any direction of arrival. A path of two legs leads from one subgoal to the next,
// and between the ends of a route and its first and last subgoal. The first leg is diagonal and the
// second straight; without diagonal steps the first leg is along the row and the second along the
// column.
//
// All these data describe the map at the time of the baking and are not updated.

#ifndef ASTAR_SUBGOALS_H
#define ASTAR_SUBGOALS_H

#include "base/alloc.h"
#include "base/bits.h"
#include "layers/jump_bits.h"
#include "rules/corner_rules.h"

// The types below hold sights: the subgoals that each cell sees, computed beforehand.

// The lists of the subgoals that the 64 cells of a word of a row see.
typedef struct AstarSightWord {
    uint64_t turns; // bits of the cells from which on another list applies
    uint32_t at;    // index of the words that hold, for each such cell, the index of its list
} AstarSightWord;

enum { ASTAR_SIGHT_PAGE_BITS = 13, ASTAR_SIGHT_PAGE = 1 << ASTAR_SIGHT_PAGE_BITS };

// The types below hold the subgoals where a route from a cell can turn first.

typedef struct AstarSubgoalHit {
    uint32_t place, subgoal;
    uint32_t cost;  // from the end of the route
    uint32_t bound; // lower bound of the cost of any route over it
} AstarSubgoalHit;

// One end of a route, and the subgoals found from that end. Coordinates include the border.
typedef struct AstarRouteEnd {
    int x, y;
    int other_x, other_y; // the other end of the route
    AstarSubgoalHit *hits;
    uint32_t count;
    size_t capacity; // kept from route to route
    bool is_subgoal; // true if the end itself is a subgoal, which is then the only hit
    bool has_failed; // true if there was no memory
} AstarRouteEnd;

// The sights of a map. A list of subgoals consists of its length and its subgoals, stored like the
// hubs of a label.
typedef struct AstarSights {
    AstarAllocator allocator;
    bool wide;     // true if a subgoal takes a word, false if half a word
    size_t stride; // words per row
    size_t count;  // number of 'cells'
    AstarSightWord *cells;
    uint32_t **pages; // pages of words; an index is a page's number and an offset
    size_t page_capacity;
    uint32_t page_count, used; // used: words of the last page in use
    uint32_t last;             // capacity of the last page in words
    size_t next;               // index of the next of 'cells' to be built
    AstarRouteEnd end;         // the cell whose list is being built, and its subgoals
    uint32_t *recent;          // hash table of the lists written last; for building
} AstarSights;

// The greatest width and height of a map. Coordinates that include the border then fit 16 bits.
#define ASTAR_SUBGOALS_SIDE 65000
// Upper limit of distances. The sum of two distances, plus two more, then fits 32 bits.
#define ASTAR_SUBGOALS_FAR (UINT32_C(1) << 30)
// Value used for "no subgoal" or "no hub", and for unknown numbers.
#define ASTAR_NO_SUBGOAL UINT32_MAX

typedef struct AstarSubgoals {
    AstarAllocator allocator;
    AstarDiagonals diagonals;
    const AstarCornerRule *rule;
    int32_t width, height;
    int32_t wrap;      // number of diagonals in each bitmap of events
    AstarBits rows;    // cells where the unit could stand
    AstarBits columns; // the same bits, transposed
    // The cells at which straight scans end: a bitmap for each direction of AstarStraight. The
    // bitmaps of south and north are transposed. Without diagonal steps there are no bitmaps of
    // east and west.
    AstarBits stops[4];
    // The cells at which diagonal scans end or start straight scans: a bitmap for each direction of
    // AstarDiagonal. A row of a bitmap is a diagonal of the map. Without diagonal steps events[0]
    // is for scans along rows.
    AstarBits events[4];
    AstarBits corners; // the subgoals
    uint32_t *ranks;   // number of subgoals before each word of 'corners'
    uint32_t
        *places; // cell of each subgoal: x and, from bit 16 on, y; coordinates count the border
    uint32_t count;
    size_t copied;      // words of the rows copied so far
    size_t free_cells;  // free cells in these words
    int32_t pass, unit; // progress of building
} AstarSubgoals;

// The numbers of steps of the two legs of a path.
typedef struct AstarTwoLegs {
    int first, then;
} AstarTwoLegs;

// The types below are the graph of subgoals and the paths between them, which exists only while
// baking.

typedef struct AstarSubgoalEdge {
    uint32_t to, cost;
} AstarSubgoalEdge;

// The graph of subgoals. An edge represents the path of two legs from its first subgoal to its
// second. The path need not be free in the opposite direction. In this case there may be no edge
// back, but some route back has the same cost.
typedef struct AstarSubgoalGraph {
    const AstarSubgoals *subgoals;
    uint32_t straight, diagonal; // costs of steps
    AstarSubgoalEdge **first;    // edges of each subgoal
    uint32_t *degrees;           // number of edges of each subgoal
    AstarArena arena;            // memory of all edges
    AstarSubgoalEdge *found;     // edges of the subgoal being scanned
    size_t found_capacity;
    AstarBits stops[2];   // by rows and by columns: cells that are a subgoal or not free
    int stopped_rows;     // rows of stops computed
    size_t stopped_words; // words of the stops by columns computed
    uint32_t
        *costs; // costs of the edges from the subgoal whose edges are being reduced; 0 for others
    uint32_t scanned, thinned;
    uint64_t kept; // number of edges left by the reduction
} AstarSubgoalGraph;

// The data that scans for subgoals read.
typedef struct AstarSubgoalScan {
    const AstarSubgoals *subgoals;
    const AstarAllocator *allocator;
    uint32_t straight, diagonal;
    uint32_t across; // cost of a step along both axes: one diagonal or two straight ones
} AstarSubgoalScan;

static inline const uint32_t *astar_sight_words(const AstarSights *sights, uint32_t at)
{
    return sights->pages[at >> ASTAR_SIGHT_PAGE_BITS] + (at & (ASTAR_SIGHT_PAGE - 1));
}

// Returns the list of the subgoals that a free cell sees. Coordinates include the border.
static inline const uint32_t *astar_sight_list(const AstarSights *sights, int x, int y)
{
    const AstarSightWord *word = &sights->cells[(size_t)y * sights->stride + ((size_t)x >> 6)];
    uint64_t before = word->turns & ~(uint64_t)0 >> (63 - (x & 63));
    uint32_t number = astar_count_bits(before) - 1;
    return astar_sight_words(sights, astar_sight_words(sights, word->at)[number]);
}

// Starts to compute the subgoals of a map. astar_subgoals_copy then copies the bits of the map.
// Returns ASTAR_BAD_OPTION if a side is longer than ASTAR_SUBGOALS_SIDE.
AstarStatus astar_subgoals_new(const AstarAllocator *allocator, int width, int height,
                               AstarDiagonals diagonals, AstarSubgoals **out);
// Copies the next rows of the map's bits. Returns ASTAR_RUNNING if the work budget is used up
// first. Later changes of a copied row do not matter.
AstarStatus astar_subgoals_copy(AstarSubgoals *subgoals, const AstarBits *bits, int64_t *work);
// Continues to compute the subgoals, once all rows are copied. Returns ASTAR_RUNNING if the work
// budget is used up first.
AstarStatus astar_subgoals_advance(AstarSubgoals *subgoals, int64_t *work);
void astar_subgoals_free(AstarSubgoals *subgoals);
size_t astar_subgoals_bytes(const AstarSubgoals *subgoals);

// In the functions from here on, coordinates include the border.

// Returns the number of the diagonal through (x, y), modulo 'wrap'.
static inline int32_t astar_diagonal_of(int32_t wrap, AstarDiagonal diagonal, int x, int y)
{
    int32_t number = astar_is_rising((int)diagonal) ? x + y : x - y;
    if (number < 0)
        return number + wrap;
    return number >= wrap ? number - wrap : number;
}

// Return the position of the first set bit at or after a position of a row, and the position of the
// last set bit at or before it. There must be such a bit.
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

// Returns the number of the subgoal at the cell (x, y), which must be a subgoal.
static inline uint32_t astar_subgoal_at(const AstarSubgoals *subgoals, int x, int y)
{
    size_t word = (size_t)y * subgoals->corners.stride + ((size_t)x >> 6);
    uint64_t before = subgoals->corners.words[word] & ~(~(uint64_t)0 << (x & 63));
    return subgoals->ranks[word] + astar_count_bits(before);
}

// Returns true if the diagonal step from the free cell (x, y) is legal.
ASTAR_SPECIALIZE bool astar_subgoals_can_diagonal(const AstarBits *rows, AstarCorners corners,
                                                  int x, int y, int dx, int dy)
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

// Returns true if the path of two legs from (x, y) to (to_x, to_y) is free in 'rows', which may
// differ from the baked bits.
bool astar_subgoals_is_free(const AstarSubgoals *subgoals, const AstarBits *rows, int x, int y,
                            int to_x, int to_y);
// Returns true if the path of two legs from (x, y) to (to_x, to_y) is free in the baked bits.
bool astar_subgoals_see(const AstarSubgoals *subgoals, int x, int y, int to_x, int to_y);

// Starts to build the graph of finished subgoals. The subgoals must not change while the graph
// exists.
AstarStatus astar_subgoal_graph_new(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, AstarSubgoalGraph **out);
// Continues to build the graph. Returns ASTAR_RUNNING if the work budget is used up first.
AstarStatus astar_subgoal_graph_advance(AstarSubgoalGraph *graph, int64_t *work);
// Frees those parts of the graph that take long to free. Returns false if the work budget is used
// up first. The graph cannot be used afterwards.
bool astar_subgoal_graph_clear(AstarSubgoalGraph *graph, int64_t *work);
void astar_subgoal_graph_free(AstarSubgoalGraph *graph);

AstarSubgoalScan astar_subgoal_scan(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, const AstarAllocator *allocator);
// Finds subgoals from an end of a route at (x, y): scans straight in all directions, and diagonally
// into the quarter towards the other end.
void astar_scan_ahead(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y, int other_x,
                      int other_y);
// Finds the other subgoals from an end of a route: scans diagonally into the other quarters, for
// routes that cost less than 'limit'.
void astar_scan_around(const AstarSubgoalScan *scan, AstarRouteEnd *end, uint32_t limit);

// Returns a lower bound of the cost between two cells that are 'dx' columns and 'dy' rows apart.
static inline uint32_t astar_scan_estimate(const AstarSubgoalScan *scan, int dx, int dy)
{
    uint32_t x = (uint32_t)(dx < 0 ? -dx : dx), y = (uint32_t)(dy < 0 ? -dy : dy);
    return x < y ? (y - x) * scan->straight + x * scan->across
                 : (x - y) * scan->straight + y * scan->across;
}

AstarStatus astar_sights_new(const AstarSubgoals *subgoals, AstarSights **out);
// Continues to build the sights. Returns ASTAR_RUNNING if the work budget is used up first,
// ASTAR_TOO_LARGE if the sights would take more than 'most_bytes'.
AstarStatus astar_sights_advance(AstarSights *sights, const AstarSubgoalScan *scan,
                                 size_t most_bytes, int64_t *work);
// Frees those parts of the sights that take long to free. Returns false if the work budget is used
// up first. The sights cannot be used afterwards.
bool astar_sights_clear(AstarSights *sights, int64_t *work);
void astar_sights_free(AstarSights *sights);
size_t astar_sights_bytes(const AstarSights *sights);
// Reads from the sights the subgoals that the cell (x, y) sees. These are the subgoals that
// astar_scan_ahead and astar_scan_around would find.
void astar_sights_look(const AstarSights *sights, const AstarSubgoalScan *scan, AstarRouteEnd *end,
                       int x, int y, int other_x, int other_y);

#endif
