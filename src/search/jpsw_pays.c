// jpsw_pays.c -- whether a question is answered sooner by jumps than step by step.
//
// A node costs a few times what a cell costs A*. All irregular cells are nodes, so they must be
// few; corners of blocks are, too, and where blocks are scattered over open ground each node sees
// many others (see scattered.c). On narrow ground full of corners jumps are short. On open ground
// without diagonal steps a node looks up and down from all of its row. How many nodes a search
// comes to depends on its estimates: where some ground is cheaper than most, they may fall so far
// short that it floods the map.
//
// Each limit was measured, for shares from 0.01 to 50 % of cells of five kinds, and patches of 20
// cells, on eleven maps.

#include "derived/scattered.h"
#include "map/blocks.h"
#include "search/jpsw.h"
#include "search/jpsw_trial.h"

#include <stdlib.h>

// Cells that can be entered, for each irregular one: measured.
enum {
    LEAST_CELLS = 5,
    LEAST_IN_NARROWS = 25,  // the same of narrow ground full of corners
    LEAST_BY_LANDMARKS = 8, // the same where estimates are good, which A* makes more of
    // As a share, corners among them; and where some ground is cheaper than most, of which A*
    // makes less than JPSW, for a single such cell lowers its estimates everywhere.
    MOST_NODE_SHARE = ASTAR_SCATTERED_ALL * 3 / 8,
    MOST_NODE_SHARE_CHEAPER = ASTAR_SCATTERED_ALL * 12 / 25,
    MOST_SHORT = 20, // steps that an estimate may fall short by,
    // Without diagonal steps, of looks up and down from rows:
    LOOKS_OF_TEN_CELLS = 31,       // what A* takes for them,
    LOOKS_OF_TEN_CHEAP_CELLS = 25, // and where estimates fall short
    LOOKS_BESIDES = 6              // what a node takes but for its own
};
#define MOST_SHORT_SHARE 0.4 // and this share of the walk, if that is more
#define MOST_NARROW (2. / 3) // of all cells can be entered: the rest are in the way everywhere

// The ground a finder can enter.
typedef struct Enterable {
    uint32_t cells, most; // the latter of one terrain,
    int common;           // which is this
} Enterable;

static Enterable look_at_ground(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    Enterable ground = {0, 0, 0};
    for (int i = 0; i < grid->terrain_count; i++) {
        uint32_t spare = astar_blocks_spare(grid, finder->options.ignore, i);
        if (spare == 0 || isinf(finder->cell_cost[i]))
            continue;
        ground.cells += spare;
        ground.common = spare > ground.most ? i : ground.common;
        ground.most = spare > ground.most ? spare : ground.most;
    }
    return ground;
}

bool astar_jpsw_may_pay(const AstarFinder *finder)
{
    uint32_t least = finder->landmarks != NULL ? LEAST_BY_LANDMARKS : LEAST_CELLS;
    return finder->irregular->count <= look_at_ground(finder).cells / least;
}

// Whether the estimate is so far below a walk over the commonest ground that the search will flood
// the map between.
static bool estimate_falls_short(const AstarSearch *search, int terrain)
{
    const AstarFinder *finder = search->finder;
    int dx = abs(search->start_x - search->goal.x), dy = abs(search->start_y - search->goal.y);
    AstarHeuristic common = astar_heuristic(finder->rule->heuristic, finder->rule,
                                            finder->step[0][terrain],
                                            finder->step[finder->rule->has_diagonals][terrain]);
    double walk = astar_estimate(&common, dx, dy), most = MOST_SHORT * common.along;
    most = most > MOST_SHORT_SHARE * walk ? most : MOST_SHORT_SHARE * walk;
    return walk - astar_estimate(&finder->heuristic, dx, dy) > most &&
           walk - astar_jpsw_promise(search) > most;
}

static bool has_cheaper(const AstarFinder *finder, Enterable ground)
{
    return finder->min_cost < finder->cell_cost[ground.common];
}

// Whether irregular cells, of which most nodes are, look farther along their rows than pays.
static bool looks_far(const AstarFinder *finder, Enterable ground)
{
    bool is_short = has_cheaper(finder, ground);
    uint64_t ten_cells = is_short ? LOOKS_OF_TEN_CHEAP_CELLS : LOOKS_OF_TEN_CELLS;
    uint64_t most = ten_cells * ASTAR_PARTS_OF_LOOK * ground.cells /
                    (10 * (uint64_t)finder->irregular->count);
    const uint64_t besides = LOOKS_BESIDES * ASTAR_PARTS_OF_LOOK;
    return most < besides + ASTAR_MOST_LOOKS * ASTAR_PARTS_OF_LOOK &&
           astar_jpsw_looks(finder->irregular) + besides > most;
}

// Whether it does on such ground, once it is begun.
static bool pays_on_ground(const AstarSearch *search, Enterable ground)
{
    const AstarFinder *finder = search->finder;
    uint64_t irregular = finder->irregular->count;
    if (irregular == 0 || finder->landmarks != NULL || !astar_finder_allows(finder, ASTAR_PRUNING))
        return true;
    uint32_t turns = astar_irregular_scattered(search->grid, finder->irregular);
    if (!finder->rule->has_diagonals && looks_far(finder, ground))
        return false;
    if (turns == 0)
        return true;
    if (ground.cells < search->grid->cells * MOST_NARROW)
        return irregular * LEAST_IN_NARROWS <= ground.cells;
    uint64_t nodes = irregular * ASTAR_SCATTERED_ALL + (uint64_t)turns * ground.cells;
    uint64_t most = has_cheaper(finder, ground) ? MOST_NODE_SHARE_CHEAPER : MOST_NODE_SHARE;
    return nodes <= ground.cells * most && !estimate_falls_short(search, ground.common);
}

// Which share of cells are nodes of JPSW: those that are irregular, and turns.
static double share_of_nodes(const AstarSearch *search, Enterable ground)
{
    AstarIrregular *irregular = search->finder->irregular;
    double turns = astar_irregular_scattered(search->grid, irregular);
    return (double)irregular->count / ground.cells + turns / ASTAR_SCATTERED_ALL;
}

bool astar_jpsw_pays(const AstarSearch *search, uint64_t *trial)
{
    Enterable ground = look_at_ground(search->finder);
    *trial = 0;
    if (!pays_on_ground(search, ground))
        return false;
    *trial = astar_jpsw_trial(search, ground.common, share_of_nodes(search, ground));
    return true;
}
