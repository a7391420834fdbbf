// path.h -- a path, and what can be done to it.

// A point of a path: a turning point or an end, and how many cells of the path come before it.
typedef struct AstarPoint {
    int32_t x, y;
    int32_t index;
} AstarPoint;

// A step of a path over a link.
typedef struct AstarPathLink {
    int32_t index; // of the cell it leads from
    uint32_t label;
} AstarPathLink;

// What it costs at least from where a path begins to a cell near its goal; see
// astar_search_retarget.
typedef struct AstarLeast {
    int32_t x, y;
    double cost;
    uint64_t at; // after this many changes, 1 added; 0: not known
} AstarLeast;

// A caller's struct: astar_path_init, any number of uses, astar_path_destroy.
typedef struct AstarPath {
    AstarPoint *points;       // ends and turning points, from the start to the goal
    int count;                // of points
    int capacity;             // of points, allocated
    int cells;                // of the whole path, both ends included; 0: no path
    double cost;              // the sum of its steps, and bend_cost for each bend
    double length;            // of the line through its points, in cells; a link counts as one
    uint64_t expanded;        // cells the search expanded
    AstarAlgorithm algorithm; // that ran, never ASTAR_AUTO
    bool partial;             // ends at the nearest cell instead of the goal
    bool is_lent;             // the points are the caller's: left once they are too few
    int32_t goal_x, goal_y;   // what was asked for; -1, -1: the last cell
    AstarQuestion question;   // and how
    bool orthogonal;          // its lines go by four directions only
    AstarOffset offset;       // of the grid
    uint64_t best_at;         // after this many changes none was cheaper, 1 added; 0: not known
    AstarLeast least;         // where another path was a best one
    AstarPathLink *links;     // in their order; NULL where there are none
    int link_count;
    int link_capacity;        // allocated
    AstarAllocator allocator; // of the points and links
} AstarPath;

// Without cells at first. Turned round or smoothed, such a path stays so, at the cost INFINITY.
ASTAR_API void astar_path_init(AstarPath *path);
ASTAR_API void astar_path_destroy(AstarPath *path);
// The cell at 'index', from 0 to path->cells - 1. Consecutive cells are neighbours, but for those
// that a link joins.
ASTAR_API void astar_path_cell(const AstarPath *path, int index, int *x, int *y);
// Where the straight line of its leg is at that cell: within the cell, at its middle where the leg
// turns. Returns the index of the leg's last cell.
ASTAR_API int astar_path_place(const AstarPath *path, int index, double *x, double *y);
// How often it changes direction at its points; the first leg counts where the question had a
// heading, the leg after a link does not.
ASTAR_API int astar_path_bends(const AstarPath *path);
// Whether the step from the cell at 'index' to the next one is over a link, and its label.
ASTAR_API bool astar_path_link(const AstarPath *path, int index, uint32_t *label);

// A block, and the number of its layer.
typedef struct AstarBlock {
    int32_t x, y;
    int layer;
} AstarBlock;

// The blocks of layers with a price to the finder (AstarOptions.breach) that stand now in cells the
// path enters, in order; a large unit enters all cells it comes to cover. How many there are, of
// which as many are stored as there is 'room' for. A cell that a large unit leaves and enters again
// counts once among those stored, more than once beyond.
ASTAR_API size_t astar_path_breaches(const AstarPath *path, const AstarFinder *finder,
                                     AstarBlock *blocks, size_t room);

// A path of a finder as bytes, the same on every machine, without what the grid tells. Returns how
// many there are; those that do not fit into 'capacity' are left out.
ASTAR_API size_t astar_path_save(const AstarPath *path, const AstarFinder *finder, void *bytes,
                                 size_t capacity);
// Fills 'path' with what was saved, as a path of a finder; whether it can be walked is not asked.
// ASTAR_BAD_DATA for bytes that are no path on such a grid, be they cut, altered or forged.
ASTAR_API AstarStatus astar_path_load(const AstarFinder *finder, const void *bytes, size_t length,
                                      AstarPath *path);

// The cells of a straight line between two cells; its fields are the cursor's own.
typedef struct AstarLine {
    int x, y;           // where it begins
    int sign_x, sign_y; // which way it goes
    int64_t dx, dy;     // how far, without sign
    int64_t steps;
    int64_t half; // added before dividing by 2 * steps: rounds halves up, or just not
    bool orthogonal;
    bool jump;          // one step, over nothing
    AstarOffset offset; // of hexagons: dx and dy are with signs and by axes of theirs
} AstarLine;

// Goes over the cells of a path in order, for as long as the path stays as it is.
typedef struct AstarPathCursor {
    const AstarPath *path;
    AstarLine line;
    int leg;  // the point the line begins at
    int step; // on it
} AstarPathCursor;

ASTAR_API AstarPathCursor astar_path_cursor(const AstarPath *path);
// Stores the next cell; false after the last.
ASTAR_API bool astar_path_next(AstarPathCursor *cursor, int *x, int *y);
