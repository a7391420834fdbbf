// finder.h -- a finder: one unit's options, worked out into tables for the searches.

#ifndef ASTAR_FINDER_H
#define ASTAR_FINDER_H

#include "base/alloc.h"
#include "finder/field_sum.h"
#include "layers/components.h"
#include "layers/irregular.h"
#include "layers/jump_bits.h"
#include "layers/landmarks.h"
#include "layers/walkable.h"
#include "map/blocks.h"
#include "map/clone.h"
#include "map/field.h"
#include "map/links_and_walls.h"
#include "rules/canonical.h"
#include "rules/capabilities.h"
#include "rules/corner_rules.h"
#include "rules/heuristic.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// Sums of rounded costs rely on every addition being made as it is written, budgets on infinity.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||           \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "-ffast-math, -Ofast and their parts give wrong routes: build without them"
#endif
// clang has no macros for these parts alone.
#if defined(__clang_major__) && __clang_major__ >= 12
#pragma clang fp reassociate(off)
#endif
static_assert(FLT_EVAL_METHOD != 2, "wider floats give other routes: use -msse2 -mfpmath=sse");

// Costs are compared with limits a little generously: sums of other steps differ in their last
// bits, as 3 * 1.4 is not quite 4.2 in binary.
static const double ASTAR_LENIENCE = 1 + 1e-9;

// What a straight and a diagonal step cost in whole numbers: about in the ratio of their lengths.
typedef struct AstarRatio {
    uint32_t straight, diagonal;
} AstarRatio;

// By the direction of the step that led to a cell, 8 for none, and its astar_bits_nine: the steps
// that a flow has to follow from there. Of hexagons there are two, by phase.
typedef struct AstarFlowMoves {
    uint8_t after[9][512];
} AstarFlowMoves;

// What questions of a unit come to on the map at one version, worked out once; see find.c. It is
// all that is read of the layers before one is asked.
typedef struct AstarQueryPlan {
    uint64_t version;             // of all that it is made of; 0: to be made anew
    const AstarField *field;      // to avoid; NULL: none
    const AstarJumpBitmaps *jump; // current; NULL: none are
    uint8_t has, ways; // what there is to answer by; the ways, where nothing else is asked
    uint8_t offset;    // of the cells
    const AstarComponents *components; // current; NULL: none are
    struct AstarBakedMap *baked;       // for its questions; NULL: nothing
    uint64_t best_at;                  // of the paths found now
} AstarQueryPlan;

// The layers that a finder holds a reference to: type, name, and whether its copy for a unit among
// its own blocks shares the layer (true) or begins without it (false). The fields, the copy and the
// release are made from this list. A layer that must be up to date before a query also needs a line
// in change_layers, astar_finder_advance and astar_finder_is_current (finder.c).
//   landmarks   what astar_finder_bake left; NULL: nothing
//   irregular   NULL until a search by JPSW needs it
//   lifted      kept from the last copy for a unit among its own blocks; NULL: none, or in use
//   walkable    where the unit can stand; the copy has a bitmap of its own
//   footprints  the dearest ground that a large unit covers; NULL if no query depends on it
#define ASTAR_FINDER_LAYERS(X)                                                                     \
    X(AstarLandmarks, landmarks, false)                                                            \
    X(AstarIrregular, irregular, false)                                                            \
    X(AstarWalkable, lifted, false)                                                                \
    X(AstarWalkable, walkable, false)                                                              \
    X(AstarFootprints, footprints, true)
#define ASTAR_DECLARE_LAYER(type, name, is_shared) type *name;
// The tables that hold a cost for each terrain: costs.cell, costs.step and costs.whole.
enum { ASTAR_COST_TABLES = 5 };

// Best-first search keeps whole numbers 32 times as large: the bits below tell the state of a node.
enum { ASTAR_STATE_BITS = 5 };
#define ASTAR_MOST_COST (UINT64_C(1) << 62) // greater costs are not kept
#define ASTAR_TOO_DEAR (UINT64_C(1) << 63)  // in place of a step's cost that is greater

struct AstarFinder {
    // What a short question reads, side by side.
    AstarGrid *grid;
    const AstarGrid *home; // the grid whose layers these are, see grid.h
    uint32_t bakings;      // how often 'on.landmarks' changed
    uint32_t references;
    const AstarCornerRule *rule;
    AstarRatio whole;       // for jump point search
    AstarQuestion question; // as the options have it
    AstarQueryPlan plan;
    double min_cost;
    AstarOptions options;
    uint64_t breached; // layers of blocks with a price above 0: others are ignored
    struct {
        AstarFieldSum *sum; // options.avoid is of; NULL: it is the host's, or none
        uint64_t judged;    // its version that is rough or not, and one; 0: none
        bool is_rough;
    } avoided;

    // Whether blocks are scattered over the ground. 'at' is 1 more than the version of the finder
    // for which that was worked out; 0: it never was.
    struct {
        uint64_t at;
        bool are;
    } scattered;

    AstarNeeds needs;  // of the options and the shape of the map
    bool is_uniform;   // all ground present costs the same, or cannot be entered
    bool returns_bits; // of a copy for a unit among its own blocks: the finder keeps its bitmap
    struct {
        ASTAR_FINDER_LAYERS(ASTAR_DECLARE_LAYER)
        const uint8_t *ground; // of each cell: the dearest terrain that the unit covers there
    } on;
    AstarFinder *original; // retained by a copy for a unit among its own blocks, see reachable.c

    struct {
        double *cost; // options.costs up to the last that is not NAN: the grid's holds
        uint32_t count;
    } own;
    union {
        AstarSideArrival side_arrivals[2][ASTAR_ARRIVALS]; // the same on those, by phase
        AstarArrival arrivals[2][ASTAR_ARRIVALS]; // what canonical order leaves out; [1]: exact
    };

    // Worked out from the palette, again whenever that changes.
    struct {
        uint64_t palette;   // its version when they were made; UINT64_MAX: not yet
        uint32_t capacity;  // of 'cell' and of each step: all the grid's terrains, and the own ones
        double *cell;       // of each terrain; INFINITY: this unit cannot enter
        double *step[2];    // into a cell of it: straight, diagonal; rounded; behind 'cell'
        uint64_t *whole[2]; // the same in whole numbers, for best-first search: see search/nodes.h
        uint64_t dearest;   // the greatest of the whole costs that are finite
        uint64_t divisor;   // the greatest number that all of those are multiples of
        uint64_t changes;   // how often any of these changed, from which all others follow
        uint64_t of_cells;  // the same of 'cell' alone
        double unit;        // costs are summed in multiples of it; 0: as they are
        AstarHeuristic heuristic; // the chosen one
        AstarHeuristic distance;  // the rule's own, in lengths of steps: how near the goal is
    } costs;

    AstarFlowMoves **flow_moves; // of its flows to goals and from a start, some steps left out or
                                 // not, four; NULL until one wants them; see flow_sweep.c

    struct AstarSupposed *supposed; // counts as blocked; NULL: nothing does

    double least; // that its step_cost callback asked last may return; of the plain one below
};

// The finder that one is, or is a copy of.
static inline AstarFinder *astar_finder_original(AstarFinder *finder)
{
    return finder->original != NULL ? finder->original : finder;
}

// One with the same options, on a copy of its grid, that avoids a copy of its field.
AstarStatus astar_finder_new_like(const AstarFinder *finder, AstarGrid *grid, AstarField *avoid,
                                  AstarFinder **out);
// The same on the same, by any algorithm, with a cost callback, the host's or astar_cost_as_given.
AstarStatus astar_finder_new_supposing(const AstarFinder *finder, AstarFinder **out);
// Brings tables and bitmap up to date with the grid. Every query begins with it.
AstarStatus astar_finder_update(AstarFinder *finder);
// The same of the tables alone.
AstarStatus astar_finder_update_tables(AstarFinder *finder);
// Whether both are up to date.
bool astar_finder_is_current(const AstarFinder *finder);
// Goes on with astar_finder_update; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_finder_advance(AstarFinder *finder, int64_t *work);

// Why it cannot answer a question about the grid as it is, whose tables are current; NULL: it can.
const AstarRefusal *astar_finder_refusal(const AstarFinder *finder, const AstarQuestion *question);

// Of layers so many can be built, about, in the time of an expansion.
enum { ASTAR_CELLS_AN_EXPANSION = 128 };

// The work on layers that takes as long as so many expansions.
static inline int64_t astar_work_of(uint64_t expansions)
{
    return expansions < (uint64_t)ASTAR_ALL_WORK / ASTAR_CELLS_AN_EXPANSION
               ? (int64_t)expansions * ASTAR_CELLS_AN_EXPANSION
               : ASTAR_ALL_WORK;
}

// Whether the field to avoid changes so much that few cells beside it can be uniform.
bool astar_finder_avoids_rough_field(AstarFinder *finder);
// Makes finder->irregular, current; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_finder_need_irregular(AstarFinder *finder, int64_t *work);

// A copy of an up to date finder to which no block counts that the unit covers at (x, y); it is not
// kept current. '*copy' is NULL, or such a copy to be made anew, which stays as it was on failure.
AstarStatus astar_finder_lift(AstarFinder *finder, int x, int y, AstarFinder **copy);

// The bitmap of where it can stand that all units like it share: with its own blocks.
static inline AstarWalkable *astar_finder_shared_walkable(const AstarFinder *finder)
{
    return finder->original != NULL ? finder->on.walkable->base : finder->on.walkable;
}

// Whether a ratio is that of the lengths, as far as a double can tell.
static inline bool astar_ratio_is_exact(AstarRatio ratio, double diagonal_cost)
{
    double excess = ratio.diagonal - diagonal_cost * ratio.straight;
    return fabs(excess) <= ratio.straight * 0x1p-50;
}

// Whether a route that costs so much in whole numbers has too few steps for those to be mistaken:
// see may_be_undercut() of jps.c.
static inline bool astar_whole_is_exact(const AstarFinder *finder, uint64_t cost)
{
    return cost < (uint64_t)finder->whole.straight * finder->whole.diagonal;
}

// What such a copy takes.
static inline size_t astar_finder_lifted_bytes(const AstarFinder *copy)
{
    return sizeof *copy + ASTAR_COST_TABLES * copy->costs.capacity * sizeof *copy->costs.cell +
           astar_layer_bytes(copy->grid, copy->on.walkable);
}

// A cost to the nearest multiple of 'unit', a power of two.
static inline double astar_round(double cost, double unit)
{
    if (unit == 0 || cost >= unit * 0x1p51)
        return cost;
    double shift = unit * 0x1.8p52; // adding this leaves no bits below the unit
    return (cost + shift) - shift;
}

// A cost as the searches add it up.
static inline double astar_finder_round(const AstarFinder *finder, double cost)
{
    return astar_round(cost, finder->costs.unit);
}

// The unit in which a search counts if some step, such as a link, costs 'cost': the given unit, or
// a smaller one for a small cost.
double astar_unit_with(double unit, double cost);
// The cost of a link, which may be much cheaper than the cheapest ground: then by a unit of its
// own.
double astar_round_link(double cost, double unit);

static inline double astar_finder_round_link(const AstarFinder *finder, double cost)
{
    return astar_round_link(cost, finder->costs.unit);
}

static inline bool astar_finder_goes_by_sides(const AstarFinder *finder)
{
    return finder->rule == &astar_side_rule;
}

// How many phases the tables of its flows go by.
static inline size_t astar_finder_phases(const AstarFinder *finder)
{
    return astar_finder_goes_by_sides(finder) ? 2 : 1;
}

// The steps from (x, y), reached by a direction, that a best path may need where none of them costs
// less than its cell: the others lead to neighbours of the cell it was reached from.
static inline unsigned astar_finder_ahead(const AstarFinder *finder, int x, int y, int from)
{
    return astar_finder_goes_by_sides(finder)
               ? finder->side_arrivals[astar_phase(finder->grid->shape, x, y)][from].ahead
               : finder->arrivals[0][from].ahead;
}

// A cost as the whole number that best-first search adds up. A cost of 1 has 'per_unit' units.
static inline uint64_t astar_whole_cost(double cost, double per_unit)
{
    double units = cost * per_unit;
    return units < 0x1p57 ? (uint64_t)(units + 0.5) << ASTAR_STATE_BITS : ASTAR_TOO_DEAR;
}

// What costs would be rounded to if no step_cost callback was asked.
double astar_finder_exact_unit(const AstarFinder *finder);

static inline bool astar_finder_has_callbacks(const AstarFinder *finder)
{
    return finder->options.cost != NULL || finder->options.step_cost != NULL;
}

// What a cell costs by the dearest terrain covered and by the field, INFINITY where this unit
// cannot go; blocks do not count.
static inline double astar_finder_cell_cost(const AstarFinder *finder, uint32_t cell)
{
    const AstarOptions *options = &finder->options;
    double cost = finder->costs.cell[finder->on.ground[cell]];
    if (options->avoid != NULL && options->avoid->values[cell] > 0)
        cost += options->avoid_weight * (double)options->avoid->values[cell];
    return cost;
}

static inline uint64_t astar_finder_field_version(const AstarFinder *finder)
{
    if (finder->avoided.sum != NULL)
        astar_field_sum_sync(finder->avoided.sum);
    return finder->options.avoid != NULL ? finder->options.avoid->version : 0;
}

// Counts the changes of all that a search reads: the grid, and the field to avoid. In a view it is
// every publish: whatever that changed, it shows another copy, with layers of its own.
static inline uint64_t astar_finder_version(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    bool is_published = grid->home != grid && !grid->copies.is_clone;
    uint64_t ignored = is_published ? 0 : finder->options.ignore;
    return (ignored == 0 ? grid->version : astar_version_beside(grid, ignored)) +
           astar_finder_field_version(finder);
}

// All that is asked of a search by this finder but by the question itself; its tables are current.
static inline AstarNeeds astar_finder_needs(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    return finder->needs | astar_need_if(!finder->is_uniform, ASTAR_NEED_SEVERAL_COSTS) |
           astar_need_if(astar_grid_has_links(grid), ASTAR_NEED_LINKS) |
           astar_need_if(astar_grid_has_walls(grid), ASTAR_NEED_WALLS) |
           astar_need_if(finder->original != NULL, ASTAR_NEED_OWN_BLOCKS);
}

// Whether a method can do all that.
static inline bool astar_finder_allows(const AstarFinder *finder, AstarMethod method)
{
    return astar_honours((unsigned)method, astar_finder_needs(finder));
}

// The connected components by this finder's steps, current.
static inline AstarStatus astar_finder_components(const AstarFinder *finder, AstarComponents **out)
{
    bool corners = finder->rule->joins_corners;
    return finder->original != NULL
               ? astar_lifted_components(finder->grid, finder->on.walkable, corners, out)
               : astar_walkable_components(finder->grid, finder->on.walkable, corners, out);
}

// As how large a unit counts where it is to come within a range: with none it is to come to a cell
// itself, and is where its north-west cell is.
static inline int astar_finder_size_in(const AstarFinder *finder, int range)
{
    return range > 0 ? finder->options.size : 1;
}

// ------------------------------------------------------------------------------------------------
// Free cells that count as blocked for one finder.
// ------------------------------------------------------------------------------------------------

// What counts as blocked, inside 'all'.
typedef struct AstarSupposed {
    AstarRectangle all;
    size_t count;
    AstarRectangle blocked[];
} AstarSupposed;

static inline bool astar_rectangle_has(const AstarRectangle *r, int x, int y)
{
    return (unsigned)x - (unsigned)r->x < (unsigned)r->width &&
           (unsigned)y - (unsigned)r->y < (unsigned)r->height;
}

// Whether a cell is one of those.
static inline bool astar_supposed_has(const AstarSupposed *supposed, int x, int y)
{
    if (!astar_rectangle_has(&supposed->all, x, y))
        return false;
    for (size_t i = 0; i < supposed->count; i++)
        if (astar_rectangle_has(&supposed->blocked[i], x, y))
            return true;
    return false;
}

// Whether a unit so many cells wide would stand on one at (x, y).
static inline bool astar_supposed_bars(const AstarSupposed *supposed, int size, int x, int y)
{
    for (size_t i = 0; i < supposed->count; i++) {
        const AstarRectangle *r = &supposed->blocked[i];
        AstarRectangle wide = {r->x - size + 1, r->y - size + 1, r->width + size - 1,
                               r->height + size - 1};
        if (astar_rectangle_has(&wide, x, y))
            return true;
    }
    return false;
}

// NULL when there is no memory.
AstarSupposed *astar_supposed_new(const AstarAllocator *allocator, const AstarRectangle *blocked,
                                  size_t count);
void astar_supposed_free(const AstarAllocator *allocator, AstarSupposed *supposed);
// The cost callback of such a finder where there is none of the host's.
double astar_cost_as_given(void *context, int x, int y, int terrain, double cost);

// The legal steps out of a cell over the edge of the map, as directions; or of those that lead here
// over it the directions they come from, where 'backward'. 'start' is where a unit stands that may
// be blocked, ASTAR_NO_CELL for none.
unsigned astar_seam_moves(const AstarFinder *finder, uint32_t cell, bool backward, uint32_t start);
// One of these steps, as if it was a link.
AstarArc astar_seam_arc(const AstarFinder *finder, uint32_t cell, int direction, bool backward);
// The direction of the step over the seam that leads from one cell to another, -1 where none does.
int astar_seam_direction(const AstarFinder *finder, int x, int y, int to_x, int to_y);

#endif
