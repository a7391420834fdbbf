// saving.h -- Saving: grids as bytes, with the names that the host gives to terrains and links, and
// fields as bytes.

// Kinds of names. A host names terrains, labels of links and nodes of graphs.
typedef enum AstarNameKind {
    ASTAR_NAME_NUMBER,
    ASTAR_NAME_BOOLEAN,
    ASTAR_NAME_TEXT,
    // Key of a graph's node that only the host can interpret, by 'number'. Such a key cannot be
    // saved.
    ASTAR_NAME_OTHER,
} AstarNameKind;

// A name of a terrain, a label or a node.
typedef struct AstarName {
    AstarNameKind kind;
    double number;    // value of a number; 0 or 1 for a boolean
    const char *text; // text of 'length' arbitrary bytes; it need not end with a zero byte
    size_t length;
} AstarName;

// A callback that returns the name of a terrain, numbered from 0, or of a label, numbered from 1.
typedef AstarName (*AstarNaming)(void *context, uint32_t number);

// The data that a host saves together with a grid.
typedef struct AstarSaving {
    // Coordinates that the host gives to the first cell, within ASTAR_MAX_ORIGIN of 0.
    int32_t x0, y0;
    uint32_t label_count; // number of labels that have a name: the labels 1 to 'label_count'
    AstarNaming terrain;  // names of terrains; NULL: their numbers are their names
    AstarNaming label;    // names of labels; NULL: labels have no names
    void *context;        // context of both callbacks
} AstarSaving;

// Writes terrain, blocks, links and walls of a grid as bytes, which are the same on every machine.
// astar.load in Lua reads them too, if all labels have names. Returns the number of bytes. Bytes
// beyond 'capacity' are not written, so NULL and 0 measure the size. NULL for 'saving' saves the
// grid alone. The naming callbacks may leave by longjmp.
ASTAR_API size_t astar_grid_save(const AstarGrid *grid, const AstarSaving *saving, void *bytes,
                                 size_t capacity);

// Cursor over saved names, in order. Its fields are internal.
typedef struct AstarNames {
    // The part of the bytes that is still to be read.
    const unsigned char *at, *end;
    uint32_t count; // number of names that are left
    // Number of bytes between two names.
    uint32_t gap;
    // True if the lengths of names are stored as numbers of variable size.
    bool has_varints;
} AstarNames;

// The data that was saved together with a grid. The names point into the bytes that were loaded.
typedef struct AstarSaved {
    // Width and height of the grid.
    int32_t width, height;
    // Coordinates of the first cell.
    int32_t x0, y0;
    AstarNames terrains; // a name for each terrain
    AstarNames labels;   // names of labels 1, 2, ...; links may have other labels without names
} AstarSaved;

// Creates a grid from bytes that astar_grid_save wrote, and stores in 'saved' what was saved with
// it. Returns ASTAR_BAD_DATA if the bytes are truncated, altered or forged. Returns ASTAR_TOO_LARGE
// for more than 'max_cells' cells and stores the sides in 'saved'; this limit protects against a
// few bytes that claim ASTAR_MAX_CELLS cells.
ASTAR_API AstarStatus astar_grid_load(const AstarAllocator *allocator, const void *bytes,
                                      size_t length, uint32_t max_cells, AstarGrid **out,
                                      AstarSaved *saved);
// Stores the next name. Returns false after the last one.
ASTAR_API bool astar_names_next(AstarNames *names, AstarName *name);
// Writes the names 1 to 'count' without a grid, in the format of astar_grid_save. Returns the
// number of bytes.
ASTAR_API size_t astar_names_save(AstarNaming naming, void *context, uint32_t count, void *bytes,
                                  size_t capacity);
// Returns a cursor over 'count' names that astar_names_save wrote. The bytes must be unaltered.
ASTAR_API AstarNames astar_names_load(const void *bytes, size_t length, uint32_t count);

// Writes the values of a field as bytes, which are the same on every machine. astar.load_field in
// Lua reads these bytes, too. The function uses only the coordinates of the first cell in 'saving'.
// If 'saving' is NULL, these coordinates are (0, 0). Returns the number of bytes. Bytes beyond
// 'capacity' are not written, so NULL and 0 measure the size.
ASTAR_API size_t astar_field_save(const AstarField *field, const AstarSaving *saving, void *bytes,
                                  size_t capacity);
// Creates a field from bytes that astar_field_save wrote, and stores the sides and the coordinates
// of the first cell in 'saved'. Returns ASTAR_BAD_DATA if the bytes are truncated, altered or
// forged. Returns ASTAR_TOO_LARGE for more than 'max_cells' cells, as astar_grid_load does.
ASTAR_API AstarStatus astar_field_load(const AstarAllocator *allocator, const void *bytes,
                                       size_t length, uint32_t max_cells, AstarField **out,
                                       AstarSaved *saved);
