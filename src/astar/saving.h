// saving.h -- grids as bytes.

// What a host calls a terrain, or the label of a link, in a saved grid.
typedef enum AstarNameKind {
    ASTAR_NAME_NUMBER,
    ASTAR_NAME_BOOLEAN,
    ASTAR_NAME_TEXT,
    ASTAR_NAME_OTHER, // the key of a graph's node that only the host knows, by 'number'; not saved
} AstarNameKind;

typedef struct AstarName {
    AstarNameKind kind;
    double number;    // 0 or 1 of a boolean
    const char *text; // 'length' bytes of any kind, of a text
    size_t length;
} AstarName;

// The name of a terrain, from 0 on, or of a label, from 1 on.
typedef AstarName (*AstarNaming)(void *context, uint32_t number);

// What a host saves beside the grid.
typedef struct AstarSaving {
    int32_t x0, y0;       // how it counts the first cell: within ASTAR_MAX_ORIGIN of 0
    uint32_t label_count; // labels 1 to this have a name
    AstarNaming terrain;  // NULL: the names of terrains are their numbers
    AstarNaming label;    // NULL: labels have no names
    void *context;        // handed to both
} AstarSaving;

// Writes ground, blocks, links and walls as bytes, the same on every machine, which astar.load of
// Lua takes, too, where all labels have names. Returns how many bytes there are; those that do not
// fit into 'capacity' are left out, so that NULL and 0 only measure. NULL for 'saving': nothing but
// the grid. The naming functions may leave by longjmp.
ASTAR_API size_t astar_grid_save(const AstarGrid *grid, const AstarSaving *saving, void *bytes,
                                 size_t capacity);

// Names as they were saved, in order; its fields are its own.
typedef struct AstarNames {
    const unsigned char *at, *end;
    uint32_t count; // of those to come
    uint32_t gap;
    bool has_varints;
} AstarNames;

// What was saved beside a grid. The names lie in the bytes that were loaded.
typedef struct AstarSaved {
    int32_t width, height;
    int32_t x0, y0;
    AstarNames terrains; // of each terrain
    AstarNames labels;   // of label 1, 2, ...; links may bear others
} AstarSaved;

// A new grid as astar_grid_save wrote it, and what was saved beside it. ASTAR_BAD_DATA for bytes
// that are no such thing, be they cut, altered or forged; ASTAR_TOO_LARGE for more than 'max_cells'
// cells, with the sides stored in 'saved': a few bytes can stand for ASTAR_MAX_CELLS.
ASTAR_API AstarStatus astar_grid_load(const AstarAllocator *allocator, const void *bytes,
                                      size_t length, uint32_t max_cells, AstarGrid **out,
                                      AstarSaved *saved);
// Takes the next name; false after the last.
ASTAR_API bool astar_names_next(AstarNames *names, AstarName *name);
// Writes names 1 to 'count' alone, as astar_grid_save does.
ASTAR_API size_t astar_names_save(AstarNaming naming, void *context, uint32_t count, void *bytes,
                                  size_t capacity);
// So many names of bytes that were written so, and are neither cut nor altered.
ASTAR_API AstarNames astar_names_load(const void *bytes, size_t length, uint32_t count);
