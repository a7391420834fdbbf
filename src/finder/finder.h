// finder.h -- Finders: the options of one kind of unit, and the tables that searches compute from
// them.

#ifndef ASTAR_FINDER_H
#define ASTAR_FINDER_H

#include "base/alloc.h"
#include "finder/field_sum.h"
#include "layers/components.h"
#include "layers/jump_bits.h"
#include "layers/landmarks.h"
#include "layers/nonuniform.h"
#include "layers/walkable.h"
#include "map/blocks.h"
#include "map/field.h"
#include "map/links_and_walls.h"
#include "map/snapshot.h"
#include "rules/canonical.h"
#include "rules/capabilities.h"
#include "rules/corner_rules.h"
#include "rules/heuristic.h"
#include "rules/options.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// The sums of rounded costs are exact only if the compiler keeps the order of additions in the
// source. Budgets require INFINITY.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||           \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "-ffast-math, -Ofast and their parts give wrong routes: build without them"
#endif
// clang has no macros for reassociation alone, so a pragma forbids it.
#if defined(__clang_major__) && __clang_major__ >= 12
#pragma clang fp reassociate(off)
#endif
static_assert(FLT_EVAL_METHOD != 2, "wider floats give other routes: use -msse2 -mfpmath=sse");

// Factor by which a cost may exceed a limit. A cost that is added up from other steps may differ in
// its last bits: 3 * 1.4 is not exactly 4.2 in binary.
static const double ASTAR_LENIENCE = 1 + 1e-9;

// The costs of straight and diagonal steps as whole numbers. Their ratio is that of the lengths, or
// very close to it.
typedef struct AstarRatio {
    uint32_t straight, diagonal;
} AstarRatio;

// A table of the steps that a flow follows out of a cell. The first index is the direction of the
// step that led to the cell, 8 for none. The second index is astar_bits_nine of the cell. Hexagons
// have two such tables, one per phase.
typedef struct AstarFlowMoves {
    uint8_t after[9][512];
} AstarFlowMoves;

// Data of a finder that its queries need, for one version of the map. The data are computed once,
// so that a query reads no layer before it begins; see query_plan.c.
typedef struct AstarQueryPlan {
    // Version of the plan, which changes with all data that the plan depends on; 0: the plan must
    // be made again.
    uint64_t version;
    const AstarField *field;      // field to avoid; NULL: none
    const AstarJumpBitmaps *jump; // bitmaps for jumps if they are up to date, else NULL
    // The algorithm that answers a query with the finder's own options, as astar_plan_algorithm()
    // returns it.
    uint8_t algorithm;
    bool has_nonuniform_jumps; // JPSW has up-to-date bitmaps for jumps, and may be faster than A*
    uint8_t offset;            // shape of the cells, an AstarOffset
    // Connected components if they are up to date, else NULL.
    const AstarComponents *components;
    struct AstarBakedMap *baked; // baked data for the queries of the finder; NULL: none
    uint64_t best_at;            // value of 'best_at' for paths that are found now
} AstarQueryPlan;

// The layers that a finder holds a reference to. Each entry of the list has the type of the layer,
// its name, and whether a copy made by astar_finder_lift shares the layer (true) or begins without
// it (false). The fields, the copy and the release are made from this list. A layer that must be up
// to date before a query also needs a line in change_layers, astar_finder_advance and
// astar_finder_is_current (finder.c). The layers are:
//   landmarks   distances that astar_finder_bake has stored; NULL: none
//   nonuniform  non-uniform cells; NULL until a search by JPSW needs them
//   lifted      walkable bits of the last copy, kept for the next one; NULL: none, or in use
//   walkable    where the unit can stand; the copy has a bitmap of its own
//   footprints  costliest terrain under a large unit; NULL if no query depends on it
#define ASTAR_FINDER_LAYERS(X)                                                                     \
    X(AstarLandmarks, landmarks, false)                                                            \
    X(AstarNonUniform, nonuniform, false)                                                          \
    X(AstarWalkable, lifted, false)                                                                \
    X(AstarWalkable, walkable, false)                                                              \
    X(AstarFootprints, footprints, true)
#define ASTAR_DECLARE_LAYER(type, name, is_shared) type *name;
// Number of tables that hold a cost for each terrain: costs.cell, and two each of costs.step,
// costs.whole and costs.counts.
enum { ASTAR_COST_TABLES = 7 };

// Number of low bits of a whole-number cost in best-first search that hold the state of a node.
// Costs are therefore multiplied by 32.
enum { ASTAR_STATE_BITS = 5 };
#define ASTAR_MOST_COST (UINT64_C(1) << 62)  // greatest cost that best-first search stores
#define ASTAR_TOO_COSTLY (UINT64_C(1) << 63) // cost of a step that would exceed ASTAR_MOST_COST

struct AstarFinder {
    // The fields that a short query reads come first and lie side by side.
    AstarGrid *grid;
    const AstarGrid *home; // grid that owns the finder's layers, see grid.h
    uint32_t bakings;      // number of changes of 'on.landmarks'
    uint32_t references;
    const AstarCornerRule *rule;
    AstarRatio whole;        // whole-number lengths of steps for jump point search
    AstarQueryOptions query; // default options of a query
    AstarQueryPlan plan;
    double min_cost;
    AstarOptions options;
    // Set of the layers of blocks with a price above 0. Other ignored layers have no price.
    uint64_t breached;
    struct {
        // Sum of fields whose result is 'options.avoid'. NULL: 'options.avoid' is the host's field,
        // or NULL.
        AstarFieldSum *sum;
        // 1 + the version of the field for which 'is_rough' was computed; 0: not computed.
        uint64_t judged;
        bool is_rough;
    } avoided;

    // Distance of the goal, in columns or rows, beyond which A* is faster than jump point search,
    // because of random obstacles; INT_MAX: never. 'at' is 1 + the version of the finder for which
    // the distance was computed; 0: not computed.
    struct {
        uint64_t at;
        int from;
    } scattered;

    AstarNeeds needs; // needs of the options and of the shape of the map
    // True if all terrains on the map that the unit can enter cost the same.
    bool is_uniform;
    // True in a copy made by astar_finder_lift if the finder takes the copy's bitmap back when
    // the copy is released.
    bool returns_bits;
    struct {
        ASTAR_FINDER_LAYERS(ASTAR_DECLARE_LAYER)
        // Terrain of each cell; for large units the costliest terrain that the unit covers there.
        const uint8_t *ground;
    } on;
    // In a copy made by astar_finder_lift: the original finder, retained; else NULL.
    AstarFinder *original;

    struct {
        // The costs that the host has given for terrains: the first 'count' entries of
        // options.costs. NAN stands for the cost in the grid's palette. The costs of bends, if any,
        // follow them.
        double *cost;
        uint32_t count;
    } own;
    union {
        // Steps that can be pruned, by phase and direction of arrival; for hexagons.
        AstarSideArrival side_arrivals[2][ASTAR_ARRIVALS];
        // Steps that can be pruned, by direction of arrival; for squares. Entry 1 is for exact
        // costs, see astar_canonical_work_out.
        AstarArrival arrivals[2][ASTAR_ARRIVALS];
    };

    // The tables that are computed from the palette, and computed again when the palette changes.
    struct {
        // Version of the palette for which the tables were computed; UINT64_MAX: not computed.
        uint64_t palette;
        // Number of entries of 'cell' and of each table of 'step' and 'whole': enough for all
        // terrains of the grid and of 'own'.
        uint32_t capacity;
        // Cost of each terrain; INFINITY if this unit cannot enter it.
        double *cell;
        // Rounded costs of straight and of diagonal steps into each terrain, in the same block of
        // memory as 'cell'.
        double *step[2];
        // Costs of straight and of diagonal steps as whole numbers, for best-first search: see
        // search/nodes.h.
        uint64_t *whole[2];
        uint64_t costliest; // greatest finite cost in 'whole'
        uint64_t divisor;   // greatest common divisor of the finite costs in 'whole'
        // Costs of straight and of diagonal steps as small whole numbers, for flows. A count of n
        // is a cost of n * multiple / parts. 'parts' is 0 if the costs have no such common measure.
        double *counts[2];
        double parts, multiple;
        // Number of changes of 'cell', 'min_cost' or 'is_uniform'; all other tables follow from
        // these.
        uint64_t changes;
        uint64_t of_cells; // number of changes of 'cell'
        // Unit of cost: rounded costs are multiples of this unit. 0: costs are not rounded.
        double unit;
        AstarHeuristic heuristic; // heuristic of the finder
        // Default heuristic of the corner rule in lengths of steps. It measures how near a cell is
        // to the goal.
        AstarHeuristic distance;
    } costs;

    // Tables of steps for flows to goals and for flows from a start, each without and with pruning;
    // NULL until a flow needs them. See flow_sweep.c.
    AstarFlowMoves **flow_moves;

    struct AstarRoads *roads; // distances to cheap ground, see roads.h; NULL: not computed

    struct AstarSupposed *supposed; // cells that are supposed to be blocked; NULL: none

    // Least valid result of the latest call of the step_cost callback. A copy stores it in the
    // original finder.
    double least;
};

// Returns the finder of which a finder is a copy, or the finder itself if it is not a copy.
static inline AstarFinder *astar_finder_original(AstarFinder *finder)
{
    return finder->original != NULL ? finder->original : finder;
}

// Continues a snapshot of the map and the field of a finder. Returns ASTAR_OK once the snapshot is
// complete. In this case '*out' is a finder on the snapshot with the options of 'finder'. Returns
// ASTAR_RUNNING when the expansions are used up.
AstarStatus astar_finder_on_snapshot(AstarFinder *finder, AstarJobSnapshot *snapshot,
                                     uint64_t expansions, AstarFinder **out);
// Creates a finder with the same options on a copy of the grid. The new finder avoids 'avoid', a
// copy of the finder's field.
AstarStatus astar_finder_new_like(const AstarFinder *finder, AstarGrid *grid, AstarField *avoid,
                                  AstarFinder **out);
// Creates a finder with other options on the same grid, with the terrain costs of 'finder'. The
// field 'avoid' of the options is read as it is: for a unit of several cells it already has the
// highest danger under the unit. 'size' and 'height' must be those of 'finder'.
AstarStatus astar_finder_new_beside(const AstarFinder *finder, AstarOptions options,
                                    AstarFinder **out);
// Creates a finder for supposed blocks, on the same grid and with the same field. Its algorithm is
// ASTAR_DIJKSTRA or ASTAR_AUTO. Its cost callback is that of the host or else astar_cost_as_given.
AstarStatus astar_finder_new_supposing(const AstarFinder *finder, AstarFinder **out);
// Brings the tables and the walkable bits of a finder up to date with the grid. A query in one call
// begins with this call, unless the finder has a plan (search/query_plan.h). A query in steps calls
// astar_finder_advance.
AstarStatus astar_finder_update(AstarFinder *finder);
// Brings the tables of a finder up to date with the grid, but builds no layer.
AstarStatus astar_finder_update_tables(AstarFinder *finder);
// Returns true if the tables and the walkable bits of a finder are up to date.
bool astar_finder_is_current(const AstarFinder *finder);
// Continues the work of astar_finder_update. Returns ASTAR_RUNNING when the work budget is used up.
AstarStatus astar_finder_advance(AstarFinder *finder, int64_t *work);

// Returns the reason why the finder cannot answer a query on the present map, or NULL if it can.
// The tables must be up to date.
const AstarRefusal *astar_finder_refusal(const AstarFinder *finder, const AstarQueryOptions *query);

// Number of cells of a layer that can be built in about the time of one expansion.
enum { ASTAR_CELLS_AN_EXPANSION = 128 };

// Returns the work on layers that takes about as long as a number of expansions.
static inline int64_t astar_work_of(uint64_t expansions)
{
    return expansions < (uint64_t)ASTAR_ALL_WORK / ASTAR_CELLS_AN_EXPANSION
               ? (int64_t)expansions * ASTAR_CELLS_AN_EXPANSION
               : ASTAR_ALL_WORK;
}

// Returns true if the field to avoid has different values nearly everywhere, so that few cells are
// uniform.
bool astar_finder_avoids_rough_field(AstarFinder *finder);
// Creates the layer of non-uniform cells and brings it up to date. Returns ASTAR_RUNNING when the
// work is used up.
AstarStatus astar_finder_need_nonuniform(AstarFinder *finder, int64_t *work);

// Creates a copy of an up-to-date finder that ignores all blocks on the cells that the unit covers
// at (x, y). Edits do not update the copy. '*copy' is NULL or an earlier copy, which is reused for
// this call. If memory runs out, '*copy' is unchanged.
AstarStatus astar_finder_lift(AstarFinder *finder, int x, int y, AstarFinder **copy);

// Returns the walkable bits that all units of this kind share, in which the unit's own blocks are
// not ignored.
static inline AstarWalkable *astar_finder_shared_walkable(const AstarFinder *finder)
{
    return finder->original != NULL ? finder->on.walkable->base : finder->on.walkable;
}

// Returns true if a ratio equals the ratio of the lengths, within the precision of a double.
static inline bool astar_ratio_is_exact(AstarRatio ratio, double diagonal_cost)
{
    double excess = ratio.diagonal - diagonal_cost * ratio.straight;
    return fabs(excess) <= ratio.straight * 0x1p-50;
}

// Returns true if routes of the given whole-number cost have few enough steps: the cheaper one of
// two such routes by whole-number costs is then also the cheaper one by real costs. See
// may_be_undercut() in jps.c.
static inline bool astar_whole_is_exact(const AstarFinder *finder, uint64_t cost)
{
    return cost < (uint64_t)finder->whole.straight * finder->whole.diagonal;
}

// Returns the bytes of a copy made by astar_finder_lift.
static inline size_t astar_finder_lifted_bytes(const AstarFinder *copy)
{
    return sizeof *copy + ASTAR_COST_TABLES * copy->costs.capacity * sizeof *copy->costs.cell +
           astar_layer_bytes(copy->grid, copy->on.walkable);
}

// Returns a cost rounded to the nearest multiple of 'unit', a power of two. If 'unit' is 0 the cost
// is not rounded.
static inline double astar_round(double cost, double unit)
{
    if (unit == 0 || cost >= unit * 0x1p51)
        return cost;
    double shift = unit * 0x1.8p52; // after this addition no bits below the unit are left
    return (cost + shift) - shift;
}

// Returns a cost rounded in the way in which searches add up costs.
static inline double astar_finder_round(const AstarFinder *finder, double cost)
{
    return astar_round(cost, finder->costs.unit);
}

// Returns the unit of cost for a search with a step of cost 'cost', such as a link. The result is
// 'unit', or a smaller number if 'cost' is small. All costs in the search are multiples of the
// result.
double astar_unit_with(double unit, double cost);
// Returns the rounded cost of a link. The cost of a link that is much cheaper than the cheapest
// ground is rounded to a unit of cost smaller than 'unit'.
double astar_round_link(double cost, double unit);

static inline double astar_finder_round_link(const AstarFinder *finder, double cost)
{
    return astar_round_link(cost, finder->costs.unit);
}

static inline bool astar_finder_goes_by_sides(const AstarFinder *finder)
{
    return finder->rule == &astar_side_rule;
}

// Returns the number of phases for which the flows of a finder need tables of steps.
static inline size_t astar_finder_phases(const AstarFinder *finder)
{
    return astar_finder_goes_by_sides(finder) ? 2 : 1;
}

// Returns the steps from (x, y) that a best path may need if its last step had the direction
// 'from'. The other steps lead to neighbours of the previous cell. The result is valid only if no
// step enters a cell that costs less than (x, y).
static inline unsigned astar_finder_ahead(const AstarFinder *finder, int x, int y, int from)
{
    return astar_finder_goes_by_sides(finder)
               ? finder->side_arrivals[astar_phase(finder->grid->shape, x, y)][from].ahead
               : finder->arrivals[0][from].ahead;
}

// Returns a cost as the whole number that best-first search adds up. A cost of 1 becomes 'per_unit'
// times 32.
static inline uint64_t astar_whole_cost(double cost, double per_unit)
{
    double units = cost * per_unit;
    return units < 0x1p57 ? (uint64_t)(units + 0.5) << ASTAR_STATE_BITS : ASTAR_TOO_COSTLY;
}

// Returns the unit of cost that would be used if there were no step_cost callback.
double astar_finder_exact_unit(const AstarFinder *finder);

static inline bool astar_finder_has_callbacks(const AstarFinder *finder)
{
    return finder->options.cost != NULL || finder->options.step_cost != NULL;
}

// Returns the cost of a cell by the costliest terrain that the unit covers and by the field;
// INFINITY if this unit cannot enter the terrain. Blocks are ignored.
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

// Returns a number that changes whenever the data change that a search of the finder reads: the
// grid and the field to avoid. In a view every publication counts, even if only ignored layers have
// changed, because the view then shows another copy with other layers.
static inline uint64_t astar_finder_version(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    bool is_published = grid->home != grid && !grid->copies.is_clone;
    uint64_t ignored = is_published ? 0 : finder->options.ignore;
    return (ignored == 0 ? grid->version : astar_version_beside(grid, ignored)) +
           astar_finder_field_version(finder);
}

// Returns the needs of all searches of a finder, without those of a single query. The tables must
// be up to date.
static inline AstarNeeds astar_finder_needs(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    return finder->needs | astar_need_if(!finder->is_uniform, ASTAR_NEED_SEVERAL_COSTS) |
           astar_need_if(astar_grid_has_links(grid), ASTAR_NEED_LINKS) |
           astar_need_if(astar_grid_has_walls(grid), ASTAR_NEED_WALLS) |
           astar_need_if(finder->original != NULL, ASTAR_NEED_OWN_BLOCKS);
}

// Returns true if a method honours all needs of a finder's searches.
static inline bool astar_finder_allows(const AstarFinder *finder, AstarMethod method)
{
    return astar_honours((unsigned)method, astar_finder_needs(finder));
}

// Stores the connected components for the steps of a finder, after bringing them up to date.
static inline AstarStatus astar_finder_components(const AstarFinder *finder, AstarComponents **out)
{
    bool corners = finder->rule->joins_corners;
    return finder->original != NULL
               ? astar_lifted_components(finder->grid, finder->on.walkable, corners, out)
               : astar_walkable_components(finder->grid, finder->on.walkable, corners, out);
}

// Returns the columns and rows that the unit of a finder covers.
static inline AstarBody astar_finder_body(const AstarFinder *finder)
{
    return (AstarBody){finder->options.size, finder->options.height};
}

// Returns the body of a unit for the distance to a goal with a range. With the range 0 the result
// is one cell, because the north-west cell of the unit must be on the goal.
static inline AstarBody astar_finder_body_in(const AstarFinder *finder, int range)
{
    return range > 0 ? astar_finder_body(finder) : ASTAR_ONE_CELL;
}

// The following declarations are for free cells that count as blocked for one finder only.

// The rectangles that count as blocked. 'all' is a rectangle that contains them.
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

// Returns true if a cell lies in one of the supposed blocks.
static inline bool astar_supposed_has(const AstarSupposed *supposed, int x, int y)
{
    if (!astar_rectangle_has(&supposed->all, x, y))
        return false;
    for (size_t i = 0; i < supposed->count; i++)
        if (astar_rectangle_has(&supposed->blocked[i], x, y))
            return true;
    return false;
}

// Returns true if a unit with a body would cover a cell of a supposed block at (x, y).
static inline bool astar_supposed_bars(const AstarSupposed *supposed, AstarBody body, int x, int y)
{
    for (size_t i = 0; i < supposed->count; i++) {
        const AstarRectangle *r = &supposed->blocked[i];
        AstarRectangle wide = {r->x - body.width + 1, r->y - body.height + 1,
                               r->width + body.width - 1, r->height + body.height - 1};
        if (astar_rectangle_has(&wide, x, y))
            return true;
    }
    return false;
}

// Creates a set of supposed blocks. Returns NULL if memory runs out.
AstarSupposed *astar_supposed_new(const AstarAllocator *allocator, const AstarRectangle *blocked,
                                  size_t count);
void astar_supposed_free(const AstarAllocator *allocator, AstarSupposed *supposed);
// Cost callback of a finder that supposes blocks, used if the host has no cost callback. It returns
// 'cost' unchanged.
double astar_cost_as_given(void *context, int x, int y, int terrain, double cost);

// Returns the directions of the legal steps from a cell over the edge of the map. If 'backward' is
// true, returns the directions of the cells from which such a step leads into the cell. 'start' is
// the start of the unit, which may be blocked, or ASTAR_NO_CELL.
unsigned astar_wrap_moves(const AstarFinder *finder, uint32_t cell, bool backward, uint32_t start);
// Returns a step over the edge of the map, as returned by astar_wrap_moves, in the form of a link.
AstarArc astar_wrap_arc(const AstarFinder *finder, uint32_t cell, int direction, bool backward);
// Returns the direction of the step over the edge of the map from one cell to another, or -1 if
// there is no such step.
int astar_wrap_direction(const AstarFinder *finder, int x, int y, int to_x, int to_y);

#endif
