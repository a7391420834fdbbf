// path.h -- Paths: the cells of a route from start to goal, their cost, and how to save them.

// A point of a path: an end or a turning point. 'index' is the number of cells on the path before
// the point.
typedef struct AstarPoint {
    int32_t x, y;
    int32_t index;
} AstarPoint;

// A link that a path uses.
typedef struct AstarPathLink {
    int32_t index; // index of the cell that the link leads from
    // Label of the link.
    uint32_t label;
} AstarPathLink;

// A lower bound for the cost between the start of a path and a cell near the path's
// goal. astar_search_retarget uses it.
typedef struct AstarLeast {
    // The cell near the goal.
    int32_t x, y;
    // Lower bound for the cost from the start of the path to that cell.
    double cost;
    // 1 + the value of astar_finder_changes at a time when the bound was valid; 0: no bound is
    // known.
    uint64_t at;
} AstarLeast;

// A path, in a struct of the caller. Initialise it by astar_path_init, use it any number of times,
// and destroy it by astar_path_destroy.
typedef struct AstarPath {
    AstarPoint *points;       // the start, the turning points and the goal, in order
    int count;                // number of points
    int capacity;             // allocated number of points
    int cells;                // number of cells including both ends; 0: no path
    double cost;              // sum of the costs of the steps, plus bend_cost per bend
    double length;            // length of the line through the points in cells; a link counts as 1
    uint64_t expanded;        // number of cells that the search expanded
    AstarAlgorithm algorithm; // algorithm of the search, never ASTAR_AUTO
    bool partial;             // true if the path ends at the reachable cell nearest to the goal
    // True if 'points' is memory of the caller. If that memory is too small, the path allocates its
    // own.
    bool is_lent;
    int32_t goal_x, goal_y;  // goal of the query; (-1, -1): the last cell
    AstarQueryOptions query; // options of the query
    bool orthogonal;         // true if the lines between points consist of straight steps only
    AstarOffset offset;      // shape of the grid's cells
    // 1 + the value of astar_finder_changes at a time when no path was cheaper than this path; 0:
    // not known.
    uint64_t best_at;
    AstarLeast least;         // cell and cost of an earlier path that was a best one
    AstarPathLink *links;     // links of the path in order; NULL if there are none
    int link_count;           // number of links
    int link_capacity;        // allocated number of links
    AstarAllocator allocator; // allocator of the points and links
} AstarPath;

// Initialises a path without cells. Reversing or smoothing an empty path yields an empty path of
// cost INFINITY.
ASTAR_API void astar_path_init(AstarPath *path);
// Frees the memory of a path.
ASTAR_API void astar_path_destroy(AstarPath *path);
// Stores the cell number 'index' of a path, from 0 to path->cells - 1. Consecutive cells are
// neighbours, unless a link joins them.
ASTAR_API void astar_path_cell(const AstarPath *path, int index, int *x, int *y);
// Stores the point at which the straight lines of a path pass the cell number 'index'. The point
// lies within that cell, and at its middle if the path turns there. Returns the index of the last
// cell of the same leg.
ASTAR_API int astar_path_place(const AstarPath *path, int index, double *x, double *y);
// Returns how often a path changes direction at its points. A first leg in another direction than
// the heading of the query counts as a change. The leg after a link never counts as a change.
ASTAR_API int astar_path_bends(const AstarPath *path);
// Returns true if the step from the cell at 'index' to the next one leads over a link, and stores
// the label of the link.
ASTAR_API bool astar_path_link(const AstarPath *path, int index, uint32_t *label);

// The part of the map that a path crosses, for astar_path_outlasts. Fill it with zeros at first,
// and again when the path has changed. Its fields are internal.
typedef struct AstarPathArea {
    bool has_box, has_squares; // true if the fields below are computed
    int8_t shift;              // a square has 1 << shift cells a side
    int32_t x0, y0, x1, y1;    // first and last column and row of the points of the path
    uint64_t squares[4];       // bitmap of the squares that the path crosses, 16 in a row
} AstarPathArea;

// Returns true if the edits since a version of the grid do not concern a path from the cell at
// index 'from' on. If the path could be walked from there at that version, it then still can.
// Returns false if an edit is near the path, or if the grid no longer knows all edits. The time
// depends on the number of edits, and hardly on the length of the path. The finder must have no
// callbacks.
ASTAR_API bool astar_path_outlasts(const AstarPath *path, const AstarFinder *finder, int from,
                                   uint64_t version, AstarPathArea *area);

// A block, and the number of its layer.
typedef struct AstarBlock {
    int32_t x, y;
    int layer;
} AstarBlock;

// Finds the blocks that a path breaks through, in order: the blocks that now lie on cells that the
// path enters, in layers for which the finder has a price ('breach'). A large unit enters all cells
// that it newly covers. Returns the number of blocks and stores at most 'room' of them. If a large
// unit enters a cell twice, the block there is stored once; beyond 'room' it may be counted more
// than once.
ASTAR_API size_t astar_path_breaches(const AstarPath *path, const AstarFinder *finder,
                                     AstarBlock *blocks, size_t room);

// Writes a path of a finder as bytes, which are the same on every machine. Data that a loader can
// read from the grid is left out. Returns the number of bytes. Bytes beyond 'capacity' are not
// written.
ASTAR_API size_t astar_path_save(const AstarPath *path, const AstarFinder *finder, void *bytes,
                                 size_t capacity);
// Fills 'path' from bytes that astar_path_save wrote. Does not check if the path can be walked.
// Returns ASTAR_BAD_DATA if the bytes are not a path on a grid like the finder's, or are truncated,
// altered or forged.
ASTAR_API AstarStatus astar_path_load(const AstarFinder *finder, const void *bytes, size_t length,
                                      AstarPath *path);

// Cursor over the cells of a straight line between two cells. Its fields are internal.
typedef struct AstarLine {
    int x, y;           // first cell
    int sign_x, sign_y; // signs of the differences in x and y
    int64_t dx, dy;     // absolute differences in x and y
    // Number of steps.
    int64_t steps;
    // Number that is added before a division by 2 * steps, so that halves are rounded up or down.
    int64_t half;
    // True if the line consists of straight steps only, without diagonal ones.
    bool orthogonal;
    bool jump; // true for a link: one step without cells between
    // Shape of the cells. For hexagons 'dx' and 'dy' have signs and refer to the axes of hexagons.
    AstarOffset offset;
} AstarLine;

// Cursor over the cells of a path in order. The cursor is valid as long as the path does not
// change.
typedef struct AstarPathCursor {
    // The path.
    const AstarPath *path;
    AstarLine line;
    int leg;  // index of the point at which the line begins
    int step; // number of steps made on the line
} AstarPathCursor;

// Returns a cursor at the start of a path.
ASTAR_API AstarPathCursor astar_path_cursor(const AstarPath *path);
// Stores the next cell of the path. Returns false after the last cell.
ASTAR_API bool astar_path_next(AstarPathCursor *cursor, int *x, int *y);
