---@meta astar
-- core.d.lua -- the API of astar, annotated for editors (LuaCATS). Never loaded.
--
-- Coordinates are whole numbers that count from 1, unless the grid's `origin` moves them: x grows to the east, y to the
-- south. A mistake in a call (a wrong type, a fraction, a cell outside the grid, an unknown option) is an error at the
-- caller's line. The message names the argument, what was expected and what came; every function may raise such an
-- error. To read or write a field that an object or a module does not have is an error as well, except for names that
-- begin with "_", and elements beyond the ends of a path, which are nil. If a script wants to store data about an object,
-- it keeps the data in a table of its own, with the object as a weak key.
--
-- Tables of options are read through their metatable's __index as well, for each documented name. Lists, cells and
-- tables with your own keys, such as `terrain`, are read raw.

---Finds routes on grids: `local astar = require "astar"`.
---@class astar
---@field _VERSION string the version, as ASTAR_VERSION of astar.h
---@field implementation "c"|"lua" which implementation runs: the C module, or the one in plain Lua, which `require "astar.plain"` returns as well
---@field directions astar.Directions the eight compass directions
---@field graph astar.GraphModule makes graphs of waypoints and edges; loaded on first use
---@field movingai astar.MovingAI reads and writes Moving AI maps; loaded on first use
---@field tiled astar.Tiled reads maps made with Tiled; loaded on first use
---@field ldtk astar.Ldtk reads projects made with LDtk; loaded on first use
---@field love astar.Love draws with LÖVE; loaded on first use
---@field jumper astar.Jumper the calls of Jumper, for games written for it; loaded on first use
local astar = {}

-- ---- grid ----

---Names a kind of ground: a character or another string, an integer, or, in rows of booleans, `true` or `false`.
---@alias astar.Key string|integer|boolean

---The cost of entering a cell, per unit of length: a number from 0.001 to 1000000; `false` or `math.huge` if the cell
---cannot be entered.
---@alias astar.Cost number|false

---@class astar.GridOptions
---The kinds of ground: each key and its cost, at most 256. Default: in drawings and grids by size, `.` and space cost
---1, and `#` and `@` are blocked; in rows of numbers, 0 costs 1 and 1 is blocked; in rows of booleans, `true` costs 1
---and `false` is blocked.
---@field terrain? table<astar.Key, astar.Cost>
---The ground of all cells of a grid that is made by its size. A drawing or rows with this option raise an error.
---Default: "."; required if `terrain` is given.
---@field fill? astar.Key
---The coordinates of the north-west cell, integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---Squares, or hexagons with six neighbours each, where every step has length 1. Default: "square".
---@field shape? astar.Shape
---How rows or columns of hexagons are shifted; needs `shape = "hex"`. Default: "odd_r".
---@field offset? astar.Offset
---The directions in which a map of squares wraps around: the cell east of the last column is in the first column, the
---cell south of the last row in the first row, or both. The map must have at least 3 cells in that direction.
---docs/grids.md lists what such maps cannot do. Default: the map has edges.
---@field wrap? astar.Wrap
---The names of all layers of blocks that the grid may have beside the unnamed one, at most 32. Any other name then
---causes an error that suggests the nearest name. Clones, dumps and published maps keep the list. Default: a layer is
---created when it is first named.
---@field layers? string[]

---@alias astar.Wrap "x"|"y"|"both"

---@alias astar.Shape "square"|"hex"

---Which hexagons are shifted by half a cell, if the first row or column is number 0: odd or even rows, to the east,
---of hexagons that stand on a corner; odd or even columns, to the south, of hexagons that lie on a side.
---@alias astar.Offset "odd_r"|"even_r"|"odd_q"|"even_q"

---A map: the ground of each cell, and the blocks on it. Every edit affects the queries that follow it.
---@class astar.Grid
local Grid = {}

---Makes a grid: by its size, each cell with the ground `options.fill`; from a drawing, in which a line is a row and a
---character is a cell; or from a list of rows, each a string or a list of keys.
---
---In a drawing characters are UTF-8, and lines may end with LF or CRLF. An empty first line and the last line break are
---ignored. If the last line holds only blanks, these blanks are a margin that is removed from every line.
---
---Raises an error if a side is not an integer from 1 to 16777216, if the grid has more than 268435456 cells, or if
---the cells are invalid: `row 3: expected 20 cells, got 19`;
---`unknown terrain "x" at row 2, column 5: give it a cost in the option terrain`.
---@param width integer cells from west to east
---@param height integer cells from north to south
---@param options? astar.GridOptions default: none
---@return astar.Grid
---@overload fun(drawing: string, options?: astar.GridOptions): astar.Grid
---@overload fun(rows: (string|astar.Key[])[], options?: astar.GridOptions): astar.Grid
function astar.grid(width, height, options) end

---Options of `astar.load`.
---@class astar.LoadOptions
---How many cells the grid may have, from 1 to 2^28: a short string can describe very many. Default: 2^24.
---@field max_cells? integer

---Returns the grid that `grid:dump()` wrote.
---
---Raises the error `not a grid's dump, or a damaged one` if the dump is cut off, altered or of an unknown version.
---Raises the error `a dump of 8192 x 8192 cells: more than the option max_cells, 16777216` if the grid is too large.
---@param dump string what `grid:dump()` returned
---@param options? astar.LoadOptions default: none
---@return astar.Grid
function astar.load(dump, options) end

---Returns the walker that `walker:dump()` wrote. The loaded walker continues from exactly the same position, if the
---grid and the finder are unchanged. Load the grid from its own dump, and make the finder with the same options. If the
---grid or the finder differs, the walker behaves as if the grid or the finder had changed during the walk.
---
---Raises the error `not a walker's dump, or a damaged one` if the string is not a valid dump. Raises the error
---`the walker's path does not fit this finder and its grid` if the path does not fit on the grid,
---for example because the grid is smaller.
---@param dump string what `walker:dump()` returned
---@param finder astar.Finder a finder with the options of the walker's finder
---@return astar.Walker
function astar.load_walker(dump, finder) end

---Returns the crowd that `crowd:dump()` wrote. The loaded units continue exactly as the units of the saved crowd would
---have continued. Load the grid from its own dump, and make the finders with the same options. Pass the crowd's own
---finder first, then the finders of the units, each once, in the order of `crowd:units()`. Leave out finders that no
---unit had when the crowd was dumped. `crowd:units()` of the loaded crowd lists the units in the same order.
---
---Raises the error `not a crowd's dump, or a damaged one` if the string is not a valid dump. Raises the error
---`the crowd does not fit these finders and their grid` if the number of finders is wrong or their grid has
---another size. Raises the errors of `astar.crowd` for the finders.
---@param dump string what `crowd:dump()` returned
---@param finder astar.Finder the crowd's own, whether or not a unit goes by it
---@param ... astar.Finder the other finders of its units
---@return astar.Crowd
function astar.load_crowd(dump, finder, ...) end

---Returns the path that `path:dump()` wrote. Load the grid from its own dump, and make the finder with the same options.
---The loaded path has the same cells, cost and length. If the grid has changed since, `path:is_valid()` returns false as
---after an edit.
---
---Raises the error `not a path's dump, a damaged one, or one that does not fit this finder and its grid` if the string
---is not a valid dump or a cell is outside the grid.
---@param dump string what `path:dump()` returned
---@param finder astar.Finder a finder with the options of the path's finder
---@return astar.Path
function astar.load_path(dump, finder) end

---Loads all files of astar, each of which is otherwise loaded on its first use. Call
---`preload` if a host removes `require` from its scripts, or if a game should open no file while it runs. A file that a
---game has left out is skipped.
---
---Raises the error of a file that exists but cannot be loaded.
function astar.preload() end

---Returns a map that another state of the process, or this state, has shared with `grid:share`: a read-only grid for
---finders, searches, flows, jobs and queues. Each query sees the version that was published last. A publish affects a
---search or flow in progress like one large edit. Terrains, origin and labels are those of the grid that was shared.
---Fields to avoid and callbacks belong to this Lua state. Editing or baking the map raises an error.
---
---Returns nil and the reason if no map has the name. The map may not be shared yet, or another copy of the module may
---have shared it: each copy has its own names.
---@param name string the name that was given to `grid:share`
---@return astar.Grid|nil map
---@return string? reason
function astar.shared(name) end

---Returns the key of the ground of a cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@return astar.Key
function Grid:get(x, y) end

---Changes the ground of a cell. A block on the cell stays.
---
---Raises an error if the grid does not have the terrain.
---@param x integer column of the cell
---@param y integer row of the cell
---@param key astar.Key key of the ground
function Grid:set(x, y, key) end

---Changes the ground of a rectangle, which must lie inside the grid.
---@param x integer its west column
---@param y integer its north row
---@param w integer width in cells, 1 or more
---@param h integer height in cells, 1 or more
---@param key astar.Key key of the ground
function Grid:fill(x, y, w, h, key) end

---Changes the ground of a rectangle in one edit, row by row. Pass a string of `w * h` characters, if all keys are
---characters, or a list of `w * h` keys. If one key is wrong, no cell changes.
---
---Raises an error if the number of keys is wrong (`keys must be 2 x 2 = 4 cells, got 3`), or if the grid does not
---have one of the terrains.
---@param x integer its west column
---@param y integer its north row
---@param w integer width in cells, 1 or more
---@param h integer height in cells, 1 or more
---@param keys string|astar.Key[]
function Grid:set_cells(x, y, w, h, keys) end

---Returns the ground of a rectangle, row by row, in the form that `set_cells` takes: a string if each key of the grid
---is one byte long, otherwise a list of keys.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w integer width in cells, 1 or more
---@param h integer height in cells, 1 or more
---@return string|astar.Key[]
function Grid:get_cells(x, y, w, h) end

---Puts a block on a cell, or on each cell of a rectangle, in a layer of blocks. A unit can enter a blocked cell only if
---its finder ignores the layer (option `ignore`). You may also call `grid:block(x, y, layer)`: a string is read as a
---layer, an integer as a width. A cell may be blocked in several layers. A layer is created when it is first named.
---Without a name, the block is in the unnamed layer, `""`.
---
---Raises an error if the layer is not a string (`layer must be a string, got true`), or if the grid has too many
---layers (`a grid holds at most 32 layers of blocks with names`).
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer default 1
---@param h? integer default 1
---@param layer? string default "", at most 255 bytes
---@overload fun(self: astar.Grid, x: integer, y: integer, layer: string)
function Grid:block(x, y, w, h, layer) end

---Removes the blocks of one layer from a cell or a rectangle, those of the unnamed layer by default. Blocks of other
---layers stay: `grid:block_layers(x, y)` returns their names. If no block is left, the cell is as walkable as its
---ground. Raises an error if the layer was never named.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer default 1
---@param h? integer default 1
---@param layer? string default ""
---@overload fun(self: astar.Grid, x: integer, y: integer, layer: string)
function Grid:unblock(x, y, w, h, layer) end

---Returns the cells whose ground has this key, row by row: for example, where the S and the G of a drawing are. The
---list can serve as goals.
---
---Raises an error if the grid does not have the terrain: `unknown terrain "x"`.
---@param key astar.Key key of the ground
---@return { x: integer, y: integer }[]
function Grid:find_cells(key) end

---Returns true if the grid has a cell (x, y). Raises an error for a number that is not whole.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean
function Grid:contains(x, y) end

---Returns true if a block stands on the cell in the layer, whatever the ground is. Returns false outside the grid.
---@param x integer column of the cell
---@param y integer row of the cell
---@param layer? string default "", the unnamed one alone
---@return boolean
function Grid:is_blocked(x, y, layer) end

---Returns the names of all layers of blocks: `""` first, then the others in the order in which they were named. With
---a cell, returns only the layers in which it is blocked, so `#grid:block_layers(x, y) > 0` if any block stands
---there.
---@param x? integer column of the cell
---@param y? integer row of the cell
---@return string[]
function Grid:block_layers(x, y) end

---Returns true if the cell can be entered: it has no block in any layer, and its ground has a cost. Returns false
---outside the grid.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean
function Grid:is_walkable(x, y) end

---Returns the cost of a kind of ground, or nil if the grid does not have it. With `cost`, first sets the cost, or adds
---the kind of ground with this cost.
---
---Raises an error if the cost is out of range, or if the grid would have more than 256 terrains.
---@param key astar.Key key of the ground
---@param cost? astar.Cost a new cost, from 0.001 to 1000000, or false
---@return astar.Cost?
function Grid:terrain(key, cost) end

---Returns the width and the height in cells.
---@return integer width
---@return integer height
function Grid:size() end

---Returns the first and last column and row.
---@return integer x0 west
---@return integer y0 north
---@return integer x1 east
---@return integer y1 south
function Grid:bounds() end

---Returns the shape of the cells, then how hexagons lie or in which directions a map of squares wraps around.
---@return astar.Shape shape
---@return astar.Offset|astar.Wrap|nil offset nil of squares that end at the edges
function Grid:shape() end

---Returns the neighbour of a cell in a direction, diagonal neighbours included on squares, or nil beyond the edge of
---the grid. The shape decides which directions exist: see `astar.Side`.
---
---Raises an error if the direction is invalid: `direction must be "north_east", "east", ...`.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.DirectionName the side, by its name
---@return integer? x
---@return integer? y
function Grid:neighbour(x, y, direction) end

---Returns how many steps lie between two cells over open ground. On squares diagonal steps count as one step.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@return integer
function Grid:distance(x0, y0, x1, y1) end

---Returns where the middle of a cell lies, if neighbours are 1 apart: (x, y) itself on squares. On hexagons, rows lie
---0.866 apart ("odd_q" and "even_q": columns), and every other one is shifted by 0.5, counted from the origin.
---@param x integer column of the cell
---@param y integer row of the cell
---@return number x
---@return number y
function Grid:center(x, y) end

---Returns the cell whose middle is nearest to a point, for example to a mouse click, or nil if the point is outside
---the grid.
---@param x number place from west to east
---@param y number place from north to south
---@return integer? x
---@return integer? y
function Grid:cell_at(x, y) end

---Returns how much memory the grid uses, with the data that its finders keep beside it. The work memory of searches
---is shared by all grids of a Lua state, and is not counted.
---@return integer bytes
function Grid:bytes() end

---@class astar.LinkOptions
---The cost of the whole step, whatever the ground is: a number from 0 to 1000000. Default: 1.
---@field cost? number
---The value that `path:link` returns for the link. Default: none; `path:link` then returns true.
---@field label? string|number
---Whether the link leads only from the first cell to the second. Default: false.
---@field one_way? boolean

---@class astar.Link
---@field x0 integer
---@field y0 integer
---@field x1 integer
---@field y1 integer
---@field cost number
---@field label string|number|true
---@field one_way boolean false if the link is the same in both directions

---Links two cells, which need not be neighbours: stairs, a portal, a jump. The unit must be able to stand on both
---cells. If the link exists already, it gets the new options.
---
---Raises an error if both cells are the same (`a link must join two cells, got (3, 4) twice`), or if an option is
---out of its range.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param options? astar.LinkOptions default: none
function Grid:link(x0, y0, x1, y1, options) end

---Removes the link between two cells in both directions or, with `one_way`, only the one from the first cell to the
---second. Returns true if there was a link.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param one_way? boolean default false
---@return boolean
function Grid:unlink(x0, y0, x1, y1, one_way) end

---Returns all links, in the order of their first cells, row by row. A link that is the same in both directions is
---listed once.
---@return astar.Link[]
function Grid:links() end

---A side of a cell. Squares have "north", "east", "south" and "west". Hexagons in rows ("odd_r", "even_r") have all
---directions but "north" and "south", and hexagons in columns all but "east" and "west".
---@alias astar.Side astar.DirectionName

---Puts a thin wall on a side of a cell. No step crosses the wall or, with `one_way`, no step out of this cell. A
---diagonal step has one cell on each side. Two straight steps lead past each of these cells. A wall across such a step
---is an obstacle on that side; with walls on both sides, the diagonal step is not possible.
---
---Raises an error if the direction is invalid: `direction must be "north", "east", "south" or "west", got ...`.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.Side the side, by its name
---@param one_way? boolean default false
function Grid:wall(x, y, direction, one_way) end

---Removes the wall on a side of a cell or, with `one_way`, only what stops the step out of the cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.Side the side, by its name
---@param one_way? boolean default false
function Grid:unwall(x, y, direction, one_way) end

---Returns true if a wall stops the step out of a cell across this side.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.Side the side, by its name
---@return boolean
function Grid:has_wall(x, y, direction) end

---@class astar.Wall
---@field x integer
---@field y integer
---@field direction astar.Side
---@field one_way boolean false if the wall stops both directions, or stands at the edge of the grid

---Returns all walls, in the order of their cells, row by row; the walls of a cell are listed clockwise from north. A
---wall that stops both directions is listed once, with the first of its two cells.
---@return astar.Wall[]
function Grid:walls() end

---Restricts the cells of a rectangle: a unit may leave them only in these directions, as on a conveyor belt or a ledge.
---Each cell has a restriction of its own, and a new one replaces the old one of that cell. A restricted cell may be
---entered from all sides. Diagonal steps past it, links, lines of sight and costs do not change. For a unit of `size`
---above 1, the restriction of its north-west cell applies. Smoothed and any-angle routes have no slanted legs beside
---such a cell. For one cell call `grid:restrict(x, y, directions)`.
---
---Raises an error if a direction is invalid (`directions must be "north", ..., got ...`), or on a map that wraps
---around (`maps that wrap around cannot honour restrict`).
---@param x integer the north-west cell
---@param y integer
---@param w integer columns
---@param h integer rows
---@param directions astar.Side|astar.Side[] one direction or a list; an empty list means that no step leads out
---@overload fun(self: astar.Grid, x: integer, y: integer, directions: astar.Side|astar.Side[])
function Grid:restrict(x, y, w, h, directions) end

---Removes the restrictions of the cells of a rectangle, by default of one cell. Walls stay.
---@param x integer
---@param y integer
---@param w? integer columns; default: 1
---@param h? integer rows; default: 1
function Grid:unrestrict(x, y, w, h) end

---@class astar.Restriction
---@field x integer
---@field y integer
---@field directions astar.Side[] in which the cell may be left, clockwise from north

---Returns all restricted cells, row by row.
---@return astar.Restriction[]
function Grid:restrictions() end

---Returns an independent copy of the grid, for what-if queries: an edit of either one does not change the other. The
---copy takes a few hundred bytes until one of the two is edited. Only then the map is copied, with the data that its
---finders have built.
---@return astar.Grid
function Grid:clone() end

---Returns a number that grows with every edit. Equal numbers mean an unchanged grid.
---@return integer
function Grid:version() end

---Returns the rectangles in which the grid was edited since an earlier version, for code that draws the map or stores
---data per cell. The rectangles may overlap. A wall or a link is reported as its cells. Returns nil if any cell may
---have changed: after more than 256 edits of the ground or of one layer of blocks, and after a terrain was added or its
---cost changed.
---
---Raises an error if the grid has had no such version: `version must be an integer from 0 to 5, got 9`.
---@param version integer what `grid:version()` returned
---@return integer[]? changes `{ x1, y1, width1, height1, x2, ... }`
function Grid:changes(version) end

---Shares the map under a name with all Lua states of the process, which get it with `astar.shared`. This state can
---still edit and query the map. The other states see the version that was published last.
---
---Raises an error with one of these messages: `another map is shared as "town"`; `grid is shared already`;
---`maps cannot be shared: astar was built without threads`.
---@param name string one byte or more, of any kind
function Grid:share(name) end

---Makes all edits since the last publish visible to the states that share the map, and never waits for them. If
---another state still reads an older version, that version stays, and one more copy of the map is made, up to eight.
---If all eight are being read, returns nil and "every copy is being read"; the next call publishes these edits as
---well.
---@return integer|nil version as `grid:version()` here and, from now on, there
---@return "every copy is being read"? reason
function Grid:publish() end

---Frees the name of a shared map. Other states that use the map keep its last version. Collecting the grid has the same
---effect. The call has no effect on a grid that is not shared.
function Grid:unshare() end

---Returns the grid as a string for `astar.load`, the same on every machine. The string is binary.
---@return string
function Grid:dump() end

---Returns the map as text, a line for each row, each ended by "\n". The cells of a path are `*`, its first cell is `S`,
---and its last one `G`. A block of any layer is `X`. For ground, `legend` gives the character of a key; a legend may
---have keys that the grid does not have. Without a legend, ground is drawn as its key if the key is one character.
---Otherwise it is drawn as `.`, as `:` if it costs more than 1, or as `#` if it cannot be entered. On hexagons the
---cells are separated by blanks, and shifted rows or columns are shown between the others. For a search, open cells are
---`+` and closed cells are `-`. The path of a finished search is drawn over its cells.
---@param path? astar.Path|astar.Search the path
---@param legend? table<astar.Key, string>
---@return string
---@overload fun(self: astar.Grid, legend?: table<astar.Key, string>): string
function Grid:draw(path, legend) end

---Makes a finder for one kind of unit.
---
---Raises an error for an unknown option (`unknown option "diagonal" (did you mean "diagonals"?)`), or if an option
---is out of its range.
---@param options? astar.FinderOptions default: none
---@return astar.Finder
function Grid:finder(options) end

---Finds one path, as `grid:finder(options):find_path(sx, sy, gx, gy)` does. The options may include
---`suppose_blocked`, see `astar.Query`.
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.FinderOptions default: none
---@return astar.Path? path nil when there is none
---@return astar.Reason? reason why there is none
function Grid:find_path(sx, sy, gx, gy, options) end

-- ---- field ----

---@class astar.FieldOptions
---The coordinates of the north-west cell, integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---The shape of the grid whose finders avoid the field; `stamp` measures distances by it. Default: "square".
---@field shape? astar.Shape
---Needs `shape = "hex"`. Default: "odd_r".
---@field offset? astar.Offset
---The `wrap` of that grid. Default: none.
---@field wrap? astar.Wrap

---A layer of numbers over a map, one per cell: danger, crowding, scent, or what is seen. The option `avoid` of a finder
---uses the field and treats values below 0 as 0. Values are numbers in single precision from -1000000 to 1000000; a sum
---beyond these limits is cut off.
---@class astar.Field
local Field = {}

---Makes a field with 0 in every cell, or one with the size, origin and shape of a grid.
---
---Raises an error if a side is not an integer from 1 to 16777216, or if the field has more than 268435456 cells.
---@param width integer cells from west to east, 1 or more
---@param height integer cells from north to south, 1 or more
---@param options? astar.FieldOptions default: none
---@return astar.Field
---@overload fun(grid: astar.Grid): astar.Field
function astar.field(width, height, options) end

---Returns the field that `field:dump()` wrote.
---
---Raises the error `not a field's dump, or a damaged one` if the dump is cut off, altered or of an unknown version.
---Raises the error `a dump of 8192 x 8192 cells: more than the option max_cells, 16777216` if the field is too large.
---@param dump string what `field:dump()` returned
---@param options? astar.LoadOptions default: none
---@return astar.Field
function astar.load_field(dump, options) end

---Returns the value of a cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@return number
function Field:get(x, y) end

---Sets the value of a cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@param value number from -1000000 to 1000000
function Field:set(x, y, value) end

---Adds a number, which may be negative, to the value of a cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@param value number from -1000000 to 1000000
function Field:add(x, y, value) end

---Sets the value of all cells of a rectangle or, with `field:fill(value)`, of all cells.
---@param x integer its west column
---@param y integer its north row
---@param w integer width in cells, 1 or more
---@param h integer height in cells, 1 or more
---@param value number from -1000000 to 1000000
---@overload fun(self: astar.Field, value: number)
function Field:fill(x, y, w, h, value) end

---Adds `value` to a cell and less to the cells around it: `value * (1 - d / (radius + 1))` to each cell at a straight
---distance d up to `radius`. A negative value subtracts.
---@param x integer column of the cell
---@param y integer row of the cell
---@param radius integer from 0 to 16777216; it may reach beyond the field
---@param value number from -1000000 to 1000000
function Field:stamp(x, y, radius, value) end

---Multiplies all values by a factor. A result within 0.000001 of 0 becomes 0.
---@param factor number from 0 to 1
function Field:decay(factor) end

---Adds the values of another field, multiplied by a factor, cell by cell: for example a threat and half of a scent.
---
---Every call that takes two fields raises an error if their cells differ:
---`both fields must have the same cells, 9 x 5 from {1, 1} on, got ...`.
---@param other astar.Field a field with the same cells
---@param factor? number from -1000000 to 1000000, default 1
function Field:add_field(other, factor) end

---Sets each cell to the greater of its values in both fields: for example what any member of a party sees, or what
---was ever seen.
---@param other astar.Field a field with the same cells
function Field:max(other) end

---Multiplies all values by a factor.
---@param factor number from -1000000 to 1000000
function Field:scale(factor) end

---Sets all values below `value` to 0.
---@param value number from -1000000 to 1000000
function Field:threshold(value) end

---Iterates over the cells whose value is not 0, row by row: `for x, y, value in field:cells() do`.
---@return fun(): integer?, integer?, number? next x, y and the value
function Field:cells() end

---Returns the width and the height in cells.
---@return integer width
---@return integer height
function Field:size() end

---Returns the first and last column and row.
---@return integer x0 west
---@return integer y0 north
---@return integer x1 east
---@return integer y1 south
function Field:bounds() end

---Returns the field as a string for `astar.load_field`: its values, size, origin and shape. The string is binary, and
---equal fields have equal strings on every machine.
---@return string dump at most about 4 bytes per cell; fields that are mostly 0 take far less
function Field:dump() end

---Returns how much memory the field uses.
---@return integer bytes
function Field:bytes() end

---Returns a number that grows with every change of the field.
---@return integer
function Field:version() end

-- ---- finder ----

---When a step between two cells that touch at a corner is allowed: whatever the two cells beside
---it are; when at most one of them is blocked; only when none is (no corner is cut); never.
---@alias astar.Diagonals "always"|"if_at_most_one_obstacle"|"only_when_no_obstacles"|"never"

---The estimate of the cost that is left, from dx and dy to the goal. Each is scaled by the
---cheapest cost there is, and down where the move rule needs it, so that paths stay optimal.
---On hexagons the default is their number, and of these there are "euclidean" and "zero".
--- * "octile": max - min straight steps and min diagonal ones; the default where there are diagonals
--- * "manhattan": dx + dy; the default for "never"
--- * "euclidean": the straight line
--- * "chebyshev": max(dx, dy)
--- * "zero": no estimate, so Dijkstra's algorithm
---@alias astar.Heuristic "octile"|"manhattan"|"euclidean"|"chebyshev"|"zero"

---How the path is looked for; every one finds an optimal path.
--- * "auto": the fastest one that honours the other options
--- * "astar": A* (Hart, Nilsson and Raphael, 1968)
--- * "dijkstra": A* without an estimate (Dijkstra, 1959)
--- * "jps": jump point search (Harabor and Grastien, 2011 and 2014), for ground of one cost;
---   needs `range` 0, the default heuristic, no callback, no `avoid`, no `partial`, a `diagonal_cost`
---   below 2 where diagonal steps may cut corners, and a grid without links and walls, else
---   `algorithm "jps" cannot honour range` is the error
--- * "jpsw": jump point search on any ground, with links, walls and `avoid` (for several costs see
---   Carlson et al., 2023): it jumps over cells around which all costs the same, and steps over the
---   others; "auto" chooses it if those are at most 1/5 of the cells
---   among close walls, 1/7 to 1/9 elsewhere (1/16 and 1/36 without diagonal steps); needs `range` 0, `weight` 1, the default
---   heuristic, no callback, no `partial`, and a `diagonal_cost` as for "jps"
---@alias astar.Algorithm "auto"|"astar"|"dijkstra"|"jps"|"jpsw"

---Why there is no path. The start is judged before the goal.
--- * "start blocked": the unit cannot stand on the start's ground (a block on it does not count), or
---   juts out of the grid there
--- * "goal blocked": the goal cannot be entered
--- * "unreachable": no way leads there
--- * "max_cost": every way costs more than `max_cost`; with a `weight` above 1 those that such a search comes upon
--- * "max_expansions": `max_expansions` were used up
---
---A goal that only a cost function refuses may be "goal blocked" or "unreachable". Where the connected
---components show that no way leads there, the function is not called and the reason is "unreachable".
---@alias astar.Reason "start blocked"|"goal blocked"|"unreachable"|"max_cost"|"max_expansions"

---Returns the cost of a cell for this unit, per unit of length, or false (nil, math.huge) if the unit may not enter it.
---A function that returns no value causes an error: its `return` is missing. The argument `cost` is the cost without
---the function. The function is called at most once per cell and query, and only for cells that the unit may enter
---without it. It may query any grid, but must not edit the grid that is being searched. For a unit wider than a cell it
---is called for each cell that the unit covers, and the highest cost is used.
---@alias astar.CostFunction fun(x: integer, y: integer, terrain: astar.Key, cost: number): number|false|nil

---Returns the full cost of the step from (x, y) to its neighbour (nx, ny), or false (nil, math.huge) if this step is
---not possible. Returning no value raises an error. The argument `cost` is the cost without the function, the length of
---the step included. The function is also called for links, with their other ends. For a link, its result must be at
---least the lower of the link's cost and `min_cost`, or 0 if the link costs 0.
---@alias astar.StepCostFunction fun(x: integer, y: integer, nx: integer, ny: integer, cost: number): number|false|nil

---Estimates the remaining cost if the goal is dx and dy cells away, both >= 0; on hexagons dx is the number of steps
---over open ground, and dy is 0. If it overestimates, routes may not be the cheapest.
---@alias astar.HeuristicFunction fun(dx: integer, dy: integer): number

---Describes how one kind of unit moves. Hexagons cannot honour `diagonals`, `diagonal_cost`,
---`size` above 1, `any_angle`, and the heuristics and algorithms of squares: each of them raises an error that names
---the option.
---@class astar.FinderOptions
---Which diagonal steps are allowed. Default: "only_when_no_obstacles".
---@field diagonals? astar.Diagonals
---The length of a diagonal step, a number from 1 to 2. Default: the square root of 2.
---@field diagonal_cost? number
---Costs for this unit in place of the grid's, by key. Default: none.
---@field costs? table<astar.Key, astar.Cost>
---A function that returns the cost of a cell. Default: none.
---@field cost? astar.CostFunction
---A function that returns the full cost of a step. Default: none.
---@field step_cost? astar.StepCostFunction
---The least that a callback may return per unit of length, a number from 0.001 to 1000000. The estimate depends on it,
---and a callback that returns less raises an error. The option raises an error without a callback. Default: the cost of
---the cheapest terrain on the map.
---@field min_cost? number
---Promises that `cost` and `step_cost` never return less than their argument `cost`; a lower result raises an error.
---Landmarks, which are measured without callbacks, can then be baked for this unit. The option raises an error without
---a callback. Default: false.
---@field dearer_only? boolean
---A name or a function. Default: the one that fits the corner rule.
---@field heuristic? astar.Heuristic|astar.HeuristicFunction
---A number from 1 to 1000000. A path costs at most `weight` times the cheapest, and is found sooner. Jump point search
---uses a weight of at most 1.1, because larger weights make it slower. Default: 1.
---@field weight? number
---The most that a path may cost, a number >= 0. Default: no limit.
---@field max_cost? number
---The most cells that one query may expand, an integer >= 1. Default: no limit.
---@field max_expansions? integer
---Whether a query returns a path to the reachable cell nearest to the goal, if the goal cannot be reached at all or
---within the budget. The path leads to the cheapest of equally near cells. Distance to the goal is counted in steps
---over open ground: a straight step counts 1 and a diagonal one `diagonal_cost`; without diagonal steps, columns plus
---rows; on hexagons steps. With a `range` above 0 distance is counted as `range` does, from the nearest cell that the
---unit covers. Default: false.
---@field partial? boolean
---How near to the goal the unit must come: at most this many columns and this many rows, or this many hexagons,
---between the goal and the nearest cell that the unit covers. With a range above 0 the goal itself may be blocked.
---With 0 the unit's north-west cell must be the goal, whatever its size. An integer from 0 to 16777216. Default: 0.
---@field range? integer
---The cells that the unit covers: a number n for n x n cells, or `{columns, rows}` for a unit that is not square, such
---as a wagon of `{ 2, 1 }`. The unit never turns; its position is its north-west cell. It fits if all of these cells are
---inside the grid and can be entered. It pays for the most expensive ground that it covers and for the most dangerous
---cell by the fields in `avoid`, which may be two cells. The corner rule applies to the cells where it fits. Links and
---walls apply at the north-west cell. `{n, n}` means the same as n. Crowds, schedules and worlds refuse
---`{columns, rows}`; `finder:blockers`, `finder:min_cut` and `finder:chokepoints` refuse every size above 1. Integers
---from 1 to 255. Default: 1.
---@field size? integer|{ [1]: integer, [2]: integer }
---A list of layers whose blocks do not stop this unit, `""` for the unnamed layer: units of its own side, doors that
---it can open. Edits of these layers do not restart a search or recompute a flow. An exception is a search in steps
---on a shared map that calls functions, or whose unit stands among its own blocks: it restarts with each publish.
---Default: none.
---@field ignore? string[]
---A table of prices by layer. Blocks of these layers do not stop this unit: it breaks them. The price is added, per
---unit of length, to the cost of entering such a cell: a number from 0 to 1000000, in steps of a sixteenth. Prices of
---several blocks in a cell add up. A unit of a `size` above 1 pays for the most expensive ground, the most dangerous
---cell and the most expensive block that it covers. A `cost` function gets the sum of ground and
---price for each cell. A price of 0 means the same as `ignore`. Algorithms that cannot honour `avoid` cannot honour `breach`. Default: none.
---@field breach? table<string, number>
---The algorithm, by its name. Default: "auto".
---@field algorithm? astar.Algorithm
---A field of the grid's size, origin and shape. The value of a cell is added to its cost per unit of length, before
---`cost` and `step_cost` are called. A change of the field affects the next query. The option may also be a list of at
---most 16 `{field, weight}`, with weights from -1000000 to 1000000: their sum is added, or 0 if the sum is negative.
---A unit of a `size` above 1 pays for the most dangerous cell that it covers, besides the most expensive ground. A
---`cost` function gets the sum of ground and danger for each cell. Default: none.
---@field avoid? astar.Field|{ [1]: astar.Field, [2]: number }[]
---The factor by which the values of `avoid`, if it is one field, are multiplied: a number from 0 to 1000000. Default:
---1.
---@field avoid_weight? number
---Whether routes consist of straight lines in any direction along which the unit's body can move. The path by steps
---is searched first, with the other options: it decides whether there is a route, where it ends and what budgets
---allow. If all ground costs the same, and there are no callbacks, `avoid`, links, walls or margin, the route is the
---shortest of all such routes, and the expansions of this second search count. Otherwise it is the path by steps,
---smoothed; no leg costs more than the part that it replaces. Default: false.
---@field any_angle? boolean
---How far the unit reaches beyond its cells on each side, in cells, along the legs that smoothing and `any_angle` make:
---a number from 0 to 255. Legs of one grid step are kept, whatever the margin, and the edge of the map needs no margin.
---The option raises an error on hexagons. Default: 0.
---@field margin? number
---"fewer" removes zigzags from a route where that costs nothing; "fewest" finds, of equally cheap routes, one with
---the fewest bends. Default: "any".
---@field bends? astar.Bends
---The amount that each bend adds to the cost of a route: a number from 0 to 1000000, or one for each angle in degrees:
---`{ [45] = 1, [90] = 3, [180] = 9 }`. An angle without a number costs what the next larger angle with a number costs,
---or the largest one: here 135 degrees cost 9. Steps turn by 45, 90, 135 and 180 degrees, with diagonals "never" by 90
---and 180, on hexagons by 60, 120 and 180. Any other angle raises an error. Default: 0.
---@field bend_cost? number|table<integer, number>
---The direction that the unit faces at the start: a first step in another direction is a bend. The option raises an
---error without `bends = "fewest"` or a `bend_cost`. Default: none.
---@field heading? astar.DirectionName

---How a search treats bends, which are changes of direction along a route.
--- * "any": bends make no difference.
--- * "fewer": zigzags are removed from the route that any algorithm has found. If the first and the last of three
---   legs have the same direction and all cells cost the same, two of the legs change places. With callbacks for
---   costs the value has no effect.
--- * "fewest": the route has as few bends as any route of the best cost. With "fewest" or a `bend_cost`, A* is used,
---   because jump point search cannot count bends. Some queries, such as those with a field to avoid, expand a cell
---   once for each direction of arrival. A link has no direction: the step after a link is no bend. With a `weight`
---   above 1 the route may have more bends than necessary.
---
---The option `any_angle` cannot be combined with "fewer" and "fewest".
---@alias astar.Bends "any"|"fewer"|"fewest"

---Options of one query, which replace those of its finder once. Any other key causes an error that suggests the nearest
---name.
---@class astar.Query
---@field weight? number
---@field max_cost? number `math.huge` removes the limit of the finder
---@field max_expansions? integer
---@field partial? boolean
---@field range? integer
---@field bends? astar.Bends
---@field heading? astar.DirectionName for a walker that gets a new goal: `walker.heading or nil`
---A list of rectangles `{ x, y, w, h }`, or cells `{ x, y }`, that are treated as blocked for this query alone. The
---grid and its version do not change. The unit's own cells at the start stay free. For `find_path`, `find_nearest`,
---`reachable`, `raycast` and `sweep`; it raises an error with a search, a queue or workers.
---@field suppose_blocked? integer[][]
---A schedule of the finder's grid, or a table with a schedule, `at` and other options of `schedule:find_path`: the
---query returns what `schedule:find_path` returns, a timed path. For `finder:find_path` alone; of the other options
---only `max_expansions` and `weight` may be given.
---@field schedule? astar.Schedule|table

---Finds paths over one grid for one kind of unit.
---@class astar.Finder
local Finder = {}

---Returns the options of the finder in a new table, so `grid:finder(finder:options())` makes another finder of the
---same kind.
---@return astar.FinderOptions
function Finder:options() end

---Returns a finder with the same options on another grid, or the finder itself if the grid is its own.
---@param grid astar.Grid of the same size, shape and origin, a clone as a rule; it must know the terrains and labels
---  that the options name
---@return astar.Finder
function Finder:with_grid(grid) end

---Returns a cheapest path from the start to the goal. If start and goal are the same cell, the path has one cell.
---
---Raises an error if a cell is outside the grid, or if a callback edits the grid. An error in a callback reaches the
---caller unchanged. A callback that returns an invalid number or nothing causes an error:
---`cost callback returned nan for (3, 4); expected a number > 0, or false for no entry`;
---`cost callback returned nothing for (3, 4): return a number, or false for no entry`.
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.Query options for this query alone
---@return astar.Path|astar.TimedPath|nil path nil when there is none; a timed path with the option `schedule`
---@return astar.Reason? reason why there is none
function Finder:find_path(sx, sy, gx, gy, options) end

---@class astar.BakingOptions
---"auto" takes labels if they fit into `bytes`, otherwise a hierarchy, and nothing if these would make queries less
---than about twice as fast. On ground of several costs, and with links or walls, "auto" takes landmarks if sample
---queries expand five times fewer cells with them. Default: "auto", and "landmarks" if `pivots` is given.
---@field method? "auto"|"labels"|"hierarchy"|"landmarks"
---@field bytes? integer the most that labels or a hierarchy may use; an error with "landmarks". Default: 64 for each walkable cell
---@field pivots? integer number of landmarks, from 0 to 16; 0 frees baked data. Default: 4

---Precomputes data that makes later queries faster, for a map that no longer changes much. Queries use the data if they
---have no callback, no field to avoid, no range and no heuristic function. Labels and hierarchies need ground of one
---cost, without links and walls. Landmarks work on any ground, with links, walls and a weight: they hold the distances
---of all cells from a few distant pivots and, over ground of several costs, also to the pivots (the differential
---heuristic: Sturtevant et al., IJCAI 2009). Routes cost as much as without the data. Another of several cheapest
---routes may be returned, but always the same route for the same baked data.
---
---Labels and hierarchies serve all finders of this grid that have the same corner rule, size, enterable terrains and
---`diagonal_cost`, until one of these finders bakes again. They are used by every query without range, weight,
---`partial` or budget. Walls that are built later do not make the data invalid. When a cell opens, queries run without
---the data until the cell is closed or the map is baked again. Landmarks belong to this finder, and follow edits that
---open a cell or make it cheaper. If a terrain becomes cheaper, or if a quarter of the map or 65,000 cells are edited
---in one call, queries run without landmarks until you bake again.
---
---Raises an error for an unknown option, for pivots out of range (`pivots must be an integer from 0 to 16, got 17`),
---or for pivots together with a method other than landmarks.
---@param options? astar.BakingOptions default: none
---@return astar.Baked
function Finder:bake(options) end

---Makes a job that bakes in steps. Its `result` is the baked data. The job bakes the map as it is when the job begins.
---Its data is used as soon as a step returns "done".
---@param options? astar.BakingOptions default: none
---@return astar.Job
function Finder:baking(options) end

---Loads data that `baked:save()` returned, for the same map and a finder with the same corner rule, size and
---`diagonal_cost`. For landmarks, no step may have become cheaper. All of the data is checked, so even a forged string
---cannot cause wrong routes.
---
---Raises the error `not baked data, or damaged` if the string is invalid. Raises an error that begins with
---`baked for` if the data belongs to `another map`, `another rule of diagonals`, `another size`,
---`another diagonal_cost`, or `other costs, links or walls`. Raises the error `nothing can be baked for this finder`
---if the finder cannot use baked data.
---@param data string what `baked:save()` returned
---@return astar.Baked
function Finder:load_baked(data) end

---Returns true if there is a path. The result comes from connected components, without a search. With a callback, or on
---a grid with walls, the call runs a search.
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? { suppose_blocked: integer[][] } see `astar.Query`
---@return boolean
function Finder:reachable(sx, sy, gx, gy, options) end

---@class astar.MinCutOptions
---The largest number of cells that the call searches for, an integer from 0 to 64. Default: 8.
---@field most? integer

---Returns the fewest cells that separate two cells if they are blocked: the gaps to wall up. The list is empty if the
---two cells are separated already. Returns nil and "open" if more than `most` cells are needed, or if nothing lies
---between the two. Of several such sets, the one nearest to the goal is returned. Four cells usually enclose one cell,
---so more cells are needed only where corners may be cut, on hexagons and with links.
---
---Raises an error for a finder with `size` above 1 or with callbacks: `min_cut cannot honour size or callbacks`.
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.MinCutOptions default: none
---@return { x: integer, y: integer }[]? cells
---@return "open"? reason
function Finder:min_cut(sx, sy, gx, gy, options) end

---Returns the cells each of which separates two cells if it alone is blocked, in order from the start to the goal.
---Every route passes each of them, or one of its corners.
---
---Raises an error for a finder with `size` above 1 or with callbacks: `chokepoints cannot honour size or callbacks`.
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@return { x: integer, y: integer }[]? cells
---@return "unreachable"? reason
function Finder:chokepoints(sx, sy, gx, gy) end

---Returns true if one cell sees the other, at any distance: a line of sight. Blocks and ground of the two cells
---themselves are ignored. Sight is stopped by cells in between that a unit of one cell cannot enter, or by the layers
---and terrain in `opaque` instead, and by thin walls that stop both directions. The result is the same in both
---directions. Callbacks, links, the size of the unit and its corner rule are ignored.
---
---Raises an error if a cell is outside the grid, if an option is unknown or invalid, or if `opaque` names a terrain
---that the grid does not have.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param options? astar.SightOptions default: none
---@return boolean sees
function Finder:sees(x0, y0, x1, y1, options) end

---Returns true if the unit could walk straight from the centre of one cell to the centre of another: over the cells
---of Bresenham's line (1965), by steps that the unit's corner rule allows, or by straight steps alone with "never".
---Otherwise returns false and the first cell that stops the unit: where a unit wider than a cell does not fit, or the
---start itself if the unit cannot enter its ground. If a cell may not be left in the direction of the line, the next cell
---of the line is returned. The answer is the same in both directions, except if one end is blocked (a block on the start
---is the unit itself), past one-way walls and restricted cells, and with `step_cost`. A block on (x1, y1) stops the line:
---for a line of sight to a unit that is a block call `sees`.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param options? { suppose_blocked: integer[][] } see `astar.Query`
---@return boolean clear
---@return integer? x
---@return integer? y
function Finder:raycast(x0, y0, x1, y1, options) end

---Returns true if the unit's body can move straight from the centre of one cell to the centre of another, as it moves
---along smoothed paths and routes at any angle: the unit can enter every cell that its square touches on the way. By
---corner rules that cut corners, the square may touch as much of a blocked cell as in a diagonal step. The finder's
---`margin` widens the square. Otherwise returns false and a cell that is in the way, or the start if the unit cannot
---enter its ground.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param options? { suppose_blocked: integer[][] } see `astar.Query`
---@return boolean clear
---@return integer? x
---@return integer? y
function Finder:sweep(x0, y0, x1, y1, options) end

---Returns the smallest set of blocks whose removal opens a route from (sx, sy) to (gx, gy), in the order in which one
---such route meets the blocks. The list is empty if a route exists. Returns nil and "unreachable" if removing blocks
---does not help. All blocks that stop this unit are counted, each layer of a cell separately. Blocks on the goal are
---included, blocks under the start are not. If there are several smallest sets, the same set is returned every time.
---
---Raises an error if a cell is outside the grid. Raises the error `blockers cannot honour a size above 1` or
---`blockers cannot honour cost functions` for a finder with such an option.
---@param sx integer column of the start
---@param sy integer row of the start
---@param gx integer column of the goal
---@param gy integer row of the goal
---@return { x: integer, y: integer, layer: string }[]|nil blocks
---@return "unreachable"|nil reason
function Finder:blockers(sx, sy, gx, gy) end

---Returns the largest size of a unit that fits at (x, y): the side of the largest square of cells that has (x, y) as
---its north-west cell, no block, and only ground that this finder's unit can enter. The finder's own size is ignored.
---Returns 0 if (x, y) itself is not free. Callbacks are not called. The time grows with the result, by a few
---nanoseconds per row.
---
---Raises an error if a cell is outside the grid.
---@param x integer column of the cell
---@param y integer row of the cell
---@return integer size
function Finder:clearance(x, y) end

---Lists the layers and terrain that stop sight. Only these and thin walls stop sight.
---@class astar.Opaque
---Names of layers whose blocks stop sight; `""` is the unnamed layer. Default: none.
---@field layers? string[]
---Keys of ground that stops sight. Default: none.
---@field terrain? astar.Key[]
---Whether thin walls that stop both directions stop sight. Default: true.
---@field walls? boolean

---@class astar.SightOptions
---The terrain and blocks that stop sight. Default: cells that the finder's unit cannot enter, and thin walls.
---@field opaque? astar.Opaque

---@class astar.FovOptions
---The direction in which the unit looks: a direction's name, or an angle in radians as `walker.angle` is, clockwise
---from 0, the east. Default: all around.
---@field facing? astar.DirectionName|number
---The angle of the cone that the unit sees, in degrees from 0 to 360; needs `facing`. Default: 120.
---@field angle? number
---The field to fill, of the grid's size, origin and shape. Default: a new one.
---@field into? astar.Field
---The terrain and blocks that stop sight. Default: cells that the finder's unit cannot enter, and thin walls.
---@field opaque? astar.Opaque

---Returns the field of view of a cell: 1 in each cell that can be seen, and 0 in all others. Cells that a unit of one
---cell can enter by the finder's costs and layers do not stop sight. All other cells stop sight, and are visible
---themselves. The option `opaque` describes windows, water and smoke. Thin walls that stop both directions stop sight.
---Blocks and ground of the unit's own cell are ignored. If two cells do not stop sight, either each sees the other or
---neither does, as in `sees`. Callbacks and links are ignored.
---
---Raises an error if an option is invalid (`radius must be an integer from 0 to 255, got 256`;
---`angle needs facing, ...`), if the field `into` has other cells than the grid, or if `opaque` names a terrain that
---the grid does not have.
---@param x integer column of the cell
---@param y integer row of the cell
---@param radius integer how far away a middle may be; on hexagons how many steps
---@param options? astar.FovOptions default: none
---@return astar.Field
function Finder:fov(x, y, radius, options) end

---@class astar.SpreadOptions
---The strength of a source that has none of its own, a number from 0 to 1000000. Default: 1.
---@field value? number
---How the strength falls with the distance: 0, not at all within the reach, to 1, as in `field:stamp`. Default: 1.
---@field falloff? number
---Whether the values of several sources add up in a cell, as the threat of many armies does; sums are at most 1000000.
---Default: false, the greatest value counts.
---@field sum? boolean
---The field to fill, of the grid's size, origin and shape. Default: a new one.
---@field into? astar.Field

---Returns what spreads from some cells along the routes of this unit, around walls: sound, scent, light or threat. A
---cell that costs d to reach from a source, with d at most `reach`, gets `value * (1 - falloff * d / (reach + 1))`;
---of several sources the greatest value counts, or the sum with `sum = true`. All other cells get 0. A source may be
---blocked, like the start of a route. `{ x, y, strength }` gives a source its own strength in place of `value`.
---
---Raises an error if the sources are invalid (`sources must be a list of cells, got ...`), if an option is out of
---its range, or for a finder with `bend_cost` (`spread cannot honour bend_cost`).
---@param sources ({ [1]: integer, [2]: integer, [3]: number? }|{ x: integer, y: integer })[]
---@param reach number from 0 to 1000000
---@param options? astar.SpreadOptions default: none
---@return astar.Field
function Finder:spread(sources, reach, options) end

---A part of a desire map: `[1]` is a flow or a field, of any finder over a grid of this size and origin; `[2]` is its
---weight, from -1000000 to 1000000, 1 by default.
---@class astar.DesirePart
---@field [1] astar.Flow|astar.Field
---@field [2]? number
---The distance used for a cell that has no distance in the flow. By default no step leads to such a cell.
---@field missing? number

---Makes a map that adds up several flows and fields, each multiplied by its weight: to hunt, flee, guard and loot at
---the same time.
---
---Raises an error if the parts are not a list (`parts must be a list of { flow or field, weight }, got ...`), if a
---part has another size or origin, if a flow was made with `steps_only`, or for a finder with `bend_cost`
---(`a flow cannot honour bend_cost`).
---@param parts astar.DesirePart[] 1 or more, each `{ flow or field, weight }`
---@return astar.DesireMap
function Finder:desire_map(parts) end

---A weighted sum of flows and fields: a unit steps to the neighbour with the lowest sum. The map stores no values: each
---call uses the present values of the flows and fields.
---@class astar.DesireMap
local DesireMap = {}

---Returns the cell to step to: the cell with the lowest sum among (x, y) and the cells that the finder's unit can step
---to from there. The unit stays if no neighbour has a lower sum; ties are broken as in a flow. Steps over links are not
---considered. Also returns the sum of (x, y). Returns nil and the reason if a flow has no distance here, or if the unit
---cannot stand here.
---@param x integer column of the cell
---@param y integer row of the cell
---@return integer? x
---@return integer|astar.Reason y
---@return number? value
function DesireMap:next(x, y) end

---Returns the sum at a cell, or nil and the reason as `next` does.
---@param x integer column of the cell
---@param y integer row of the cell
---@return number? value
---@return astar.Reason? reason
function DesireMap:value(x, y) end

---Returns the best path to the goal that is cheapest to reach, and the index of that goal. Goals that are blocked or
---unreachable are skipped. Of equally cheap goals, the one farther north wins, then the one farther west, and of
---several goals in one cell the first. (With a `weight` above 1 this order is not kept; with `partial` it applies to
---goals that the path comes equally near to at the same cost.) Returns nil and "goal blocked" if all goals are blocked,
---or nil and "unreachable" if none of the others can be reached or the list is empty. All options have the effect that
---they have in `find_path`, but a heuristic function is not called.
---
---With a function in place of the goals, returns the best path to a cell for which the function returns true. The
---function is called once per cell, beginning with the start and then with the cell that is cheapest to reach. The
---function has the same limits as a cost function. With a function, no index is returned, and `partial` and `range` are
---ignored.
---
---A goal is a list of two numbers, or any table that has x and y, such as a unit of the game. A third number in a list
---is an extra cost for this goal. The goal with the smallest sum of path cost and extra cost is chosen.
---`path.cost` does not contain the extra cost. `max_cost` limits the path alone.
---
---Raises an error if the goals are invalid (`goals must be a list of cells or a function, got ...`), if a goal is
---outside the grid, or if an extra cost is not a number from -1e9 to 1e9. Raises the errors of `find_path` for the
---algorithm, whatever the goals are.
---@param sx integer start
---@param sy integer row of the start
---@param goals astar.Goals|({ [1]: integer, [2]: integer, [3]: number? }|{ x: integer, y: integer })[]|fun(x: integer, y: integer, terrain: astar.Key): boolean
---@param options? astar.Query options for this query alone
---@return astar.Path? path nil when there is none
---@return integer|astar.Reason|nil index of the goal reached, or the reason why there is no path
function Finder:find_nearest(sx, sy, goals, options) end

---Makes a search for the nearest goal that runs in steps: `search:path()` returns the path and the index. The list of
---goals is copied. If an edit between two steps may have changed the answer, the search restarts, six times at most.
---After that the search continues on a snapshot of the map, so it ends even if edits continue. A goal function must not
---step or close the search.
---@param sx integer start
---@param sy integer row of the start
---@param goals astar.Goals|({ [1]: integer, [2]: integer }|{ x: integer, y: integer })[]|fun(x: integer, y: integer, terrain: astar.Key): boolean
---@param options? astar.Query options for this query alone
---@return astar.Search
function Finder:finding_nearest(sx, sy, goals, options) end

---Makes a search for the best path that runs in steps. If `find_path` would return nil, a search is returned as well,
---and its status is the reason. Data about the map that is missing, or stale after edits, is built by the steps within
---their budget; on small maps it is built immediately.
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.Query options for this query alone
---@return astar.Search
function Finder:search(sx, sy, gx, gy, options) end

---@class astar.PreparingOptions
---Whether the job also finds cells in which jump point search finds nothing: alcoves and dead ends. Later searches then
---take 0.77 to 0.97 of their time on game maps, and the same time as before in rooms and among random
---obstacles, until an edit; after an edit another such job looks at the cells near it, in a tenth of a millisecond.
---Routes stay the same. The job takes one to eight times as long as without the option on game maps, and seventy times
---in narrow mazes. Queries never do this work themselves. Default: false.
---@field settled? boolean

---Makes a job that builds in steps the data that searches by this finder need from the map. Without the job, the first
---query builds this data, and so does the first query after a large edit. The grid may be edited between two steps. The
---status "done" does not change any more.
---
---Raises an error for an unknown option. A step raises an error if the named algorithm cannot honour the map.
---@param options? astar.PreparingOptions default: none
---@return astar.Job
function Finder:preparing(options) end

---A goal of a flow: `{ x, y }`, or `{ x, y, extra }`, whose extra cost is added for arriving there (below 0, it is
---subtracted). Or any table that has x and y, such as a unit of the game, of which nothing else is read.
---@alias astar.FlowGoal { [1]: integer, [2]: integer, [3]: number? }|{ x: integer, y: integer }

---@class astar.FlowOptions
---Cells farther than this from the goals get no distance, a number >= 0. Default: no limit.
---@field max_cost? number
---Makes every cell at which the unit is within this range of a goal a goal, with the goal's value, as in
---`find_nearest`: an integer from 0 to 16777216. Default: the finder's `range`.
---@field range? integer
---Whether only `next` and `path` can be called on the flow, which then needs less memory. Default: false.
---@field steps_only? boolean

---Makes a flow field (distance map, Dijkstra map): the distances of all cells to the goal that is cheapest to reach, so
---that one search serves any number of units. This call computes nothing: each call of the flow searches as far as the
---call needs. For one goal call `finder:flow(x, y, options)`. If the goals are a field, all cells with a value other
---than 0 are goals, with that value; later changes of the field have no effect.
---
---Goals that are blocked are skipped, but a unit may stand on one, or on any other blocked cell. If your units are
---blocks, let the finder `ignore` their layer: the flow then leads through units, and to goals on which units stand.
---The finder's `max_cost` applies, and its `range` unless the flow has its own. Callbacks are called once per cell of a
---flow, and again only for cells that have been edited. If data that a callback reads has changed, make a new flow.
---`weight`, `partial`, `max_expansions`, `bends`, `heading`, `heuristic` and `algorithm` are ignored. A finder with
---`bend_cost` raises an error, because distances do not include bends. Links, walls and `avoid` apply, and a change of
---them is repaired like an edit.
---
---With `steps_only` only `next` and `path` can be called; `distance`, `cells` and `flee` raise errors. Once the flow is
---complete, by `complete`, `update` or a completing job, it frees its distances and keeps half a byte per cell that has
---a step: about 0.65 bytes per cell of open ground in place of 8 to 9. After any edit such a flow is recomputed, while
---other flows are repaired. The results of cost functions are kept.
---
---Raises an error if the goals are invalid (`goals must be a list of cells or x, y, got ...`), if a goal is outside
---the grid, if an extra cost is not a number from -1000000000 to 1000000000, or if a field of goals has other cells
---than the grid.
---@param goals astar.FlowGoal[]|astar.FlowGoal|astar.Field
---@param options? astar.FlowOptions default: none
---@return astar.Flow
---@overload fun(self: astar.Finder, x: integer, y: integer, options?: astar.FlowOptions): astar.Flow
function Finder:flow(goals, options) end

---Options of `finder:reach`.
---@class astar.ReachOptions
---The costs that the budget limits: `"cost"` for all costs of the finder, or `"ground"` for all costs except the fields
---to avoid. With `"ground"`, the paths of the reach are cheapest without these fields, too. Default: `"cost"`.
---@field count? "cost"|"ground"

---Returns the movement range of a unit: what it costs to go from (x, y) to each cell within a budget. The option
---`range` is ignored. With `count = "ground"`, the fields to avoid do not use up movement points: the reach equals that
---of a finder with the same options but without `avoid`.
---@param x integer column of the start
---@param y integer row of the start
---@param max_cost number >= 0; math.huge for no limit
---@param options? astar.ReachOptions default: none
---@return astar.Flow
function Finder:reach(x, y, max_cost, options) end

---Returns what this finder's unit would pay along a path on the map as it is now, whichever finder found the path. The
---path may lie on another grid with the same cells, such as a clone. Costs are those of `path:cost_at`: terrain,
---links, bends, callbacks, blocks to break and fields to avoid. The second result leaves out the fields to avoid: it
---is the cost that a finder with the same options but without `avoid` would pay. Callbacks are called for both.
---
---Raises an error if the argument is not a path (`astar path expected, got ...`), if its grid differs
---(`path must be a path on a grid of the finder's size, origin and shape`), or if it is a path of a world.
---`from` and `to` must be indices of the path.
---@param path astar.Path
---@param from? integer index of the cell where the unit stands; default: 1
---@param to? integer index of the cell to which it goes, at least `from`; default: the last one
---@return number? cost nil if a cell on the way cannot be entered
---@return number ground the part of the cost that is not for fields to avoid; or the index of the first cell that cannot be entered
function Finder:cost_of(path, from, to) end

---@alias astar.Place { [1]: integer, [2]: integer }|{ x: integer, y: integer }

---Returns the cost of going from each place to each other place, as `find_path` finds it: `rows[i][j]` is the cost from
---`places[i]` to `others[j]`, `math.huge` if there is no route. The finder's options `weight` and `partial` are
---ignored.
---
---Raises an error if the places are not a list (`places must be a list of places, got ...`), or if a place is
---outside the grid, with `places[3]: ` before the message.
---@param places astar.Place[] cells from which to go
---@param others? astar.Place[] default: the same places
---@return number[][] rows
function Finder:matrix(places, others) end

---Makes a job that does the work of `matrix` in steps. `job.result` is the list of rows once `job.status` is "done".
---The lists of places are copied. An edit between two steps restarts only the search in progress, so the rows may
---belong to different versions of the map. For rows of one version, make another job after the edit, or measure on a
---clone of the grid.
---
---Raises the errors of `matrix`.
---@param places astar.Place[] cells from which to go
---@param others? astar.Place[] default: the same places
---@return astar.Job
function Finder:measuring(places, others) end

---Options of `finder:tour`.
---@class astar.TourOptions
---The cell where the tour begins, not one of the list. Default: the place that makes the tour cheapest.
---@field from? astar.Place
---`true` leads the tour back to where it began; a place makes it end there. Default: the tour ends at its last place.
---@field back? boolean|astar.Place

---Returns the best order in which to visit all places, by the costs of `matrix`. Up to 12 places no order is better.
---For more than 12 places the order may not be the best, but no order costs less than `bound`. Costs may differ by
---direction.
---@param places astar.Place[] cells to visit
---@param options? astar.TourOptions default: none
---@return integer[]? order indices of places; nil when there is no order
---@return number|"unreachable" cost or the reason
---@return boolean? exact whether no order costs less
---@return number? bound no order costs less than this
function Finder:tour(places, options) end

---Makes a job that does the work of `tour` in steps: first the costs, as `measuring` does, then the order. Once
---`job.status` is "done", `job.result` is a table with the results of `tour`: `order`, `cost`, `exact` and `bound`. If
---there is no order, the status is "unreachable" and there is no result.
---
---Raises the errors of `tour`.
---@param places astar.Place[] cells to visit
---@param options? astar.TourOptions default: none
---@return astar.Job
function Finder:touring(places, options) end

---Options of `finder:intercept`.
---@class astar.InterceptOptions
---The path cost that the unit covers per second: cells per second, if all cells cost 1. Default: 1.
---@field speed? number
---The speed of the unit that follows the path, in cells per second, like a walker's. Default: 1.
---@field its_speed? number
---The pace of the unit that follows the path, as in `astar.walker`: `"length"` or `"cost"`. Default: `"length"`.
---@field its_pace? "length"|"cost"
---The index of the cell of the path where that unit is. Default: 1.
---@field index? integer

---Returns the path on which the unit meets a follower of another path at the earliest: at the first of its cells
---where the unit arrives no later, or at the end of the path, where the unit waits.
---
---Raises an error if the argument is not a path (`path: astar path expected, got ...`), if the start is outside the grid
---(`start: ...`), or if an option is unknown or invalid.
---@param x integer column of the unit
---@param y integer row of the unit
---@param path astar.Path the path that the other unit follows
---@param options? astar.InterceptOptions default: none
---@return astar.Path? path to where they meet
---@return number|astar.Reason seconds until both are there, or the reason
---@return integer? index of the path's cell
function Finder:intercept(x, y, path, options) end

-- ---- flow ----

---Distances from all cells to goals, or from the start of a reach to all cells. A flow is always up to date: the first
---call after an edit of the grid repairs the distances that the edit changed. If a callback raises an error, the flow
---keeps its progress and can be called again.
---@class astar.Flow
local Flow = {}

---Returns the cost of going from a cell to the goals, the extra cost of the goal included; for a reach, from the start
---to the cell.
---
---Returns nil and a reason if there is no route: "start blocked" (the unit cannot stand on that ground), "goal
---blocked" (all goals are blocked; for a reach, the cell), "max_cost" (no route within the limit), or "unreachable"
---(no route at all, known from connected components, or because nothing is left to search beyond the limit). After
---edits the reasons are those of a new flow.
---@param x integer column of the cell
---@param y integer row of the cell
---@return number? distance
---@return astar.Reason? reason
function Flow:distance(x, y) end

---Returns the cell to step to from (x, y), or (x, y) itself if staying is best, as at a goal. Of equally good steps
---diagonal ones come first, then clockwise from north: north-east, south-east, south-west, north-west, north, east,
---south, west. For a reach, returns the previous cell on the route from the start.
---@param x integer column of the cell
---@param y integer row of the cell
---@return integer? nx nil when there is no way
---@return integer ny or, where nx is nil, the astar.Reason
function Flow:next(x, y) end

---Returns the path from a cell to the goal that the flow leads to; for a reach, from the start to the cell. Its cost
---is the cost of its steps.
---@param x integer column of the cell
---@param y integer row of the cell
---@return astar.Path? path
---@return astar.Reason? reason
function Flow:path(x, y) end

---Completes the flow and iterates, row by row, over the cells that have a distance: `for x, y, distance in
---flow:cells() do`.
---@return fun(): integer?, integer, number
function Flow:cells() end

---Returns a flow that leads away from the goals: its distances are multiplied by `factor` and searched again, so that a
---unit runs past a goal if the escape route there is better. The flow covers the cells that have a distance in this
---flow, and is recomputed after edits.
---
---Raises an error for the result of `finder:reach`: `a reach has no goals to flee from; flee from a flow`.
---@param factor? number from -1000 to -1: the lower, the more of a detour. Default: -1.2
---@return astar.Flow
function Flow:flee(factor) end

---Returns how many free cells would lose their route to all goals if these cells were blocked: "may I build here?". The
---blocked cells themselves are not counted, and nothing is edited. The time usually grows with the number of cells that
---are cut off. With links, walls or `max_cost`, the call takes the time of two flows.
---
---Raises an error for the result of `finder:reach`, for a flow that flees, and for a finder with callbacks:
---`count_cut_off needs a flow to goals and a finder without callbacks`.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer Default: 1
---@param h? integer Default: 1
---@param layer? string what is built there; a layer that the finder ignores cuts nothing off
---@return integer cells
function Flow:count_cut_off(x, y, w, h, layer) end

---Applies the edits of the grid now instead of at the next call, and recomputes what was computed before. The work
---grows with what has changed.
---@return integer expanded how many cells it had to expand
function Flow:update() end

---Computes the distances of all cells now.
---@return integer expanded how many cells it had to expand
function Flow:complete() end

---Makes a job that computes the distances of all cells in steps, within a budget per frame. Between two steps you may
---call the flow, which then computes what the call needs, and you may edit the grid: the next step applies the edits.
---The job always ends: once edits have caused as much work as six whole flows, it continues on a snapshot of the map,
---which its steps make. The status "done" does not change any more: the next call of the flow, or a new job, applies
---later edits.
---@return astar.Job
function Flow:completing() end

-- ---- jobs ----

---Work that takes longer than a frame and runs in steps. Searches are jobs as well.
---@class astar.Job
---@field status "running"|"done"|"unreachable" "unreachable" only of `finder:touring`
---@field result any the object that the job made or worked on, once it is done: for `finder:baking` an `astar.Baked`, for `finder:measuring` the rows, for `finder:touring` a table
local Job = {}

---Does the work of `n` expansions, or as much work as the budget allows. A step after the end has no effect. If a
---callback raises an error, the job keeps its progress, and the next step continues.
---@param n? integer|astar.Budget default 1
---@return "running"|"done"|"unreachable" status
function Job:step(n) end

---Ends the job and frees its memory. The object of the job keeps the progress. Any later use of the job raises an
---error.
function Job:close() end

-- ---- baked data ----

---The result of `finder:bake`, of a job of `finder:baking`, and of `finder:load_baked`.
---@class astar.Baked
---@field method "labels"|"hierarchy"|"landmarks"|"none" "none": no method makes queries faster, or none fits
---@field bytes integer how much memory it uses
---@field gain number about how many times less work queries take, from a sample
---@field pivots integer number of landmarks
---@field milliseconds number processor time of the steps in this Lua state; close to 0 if a worker baked
local Baked = {}

---Returns the baked data as a string, the same on every machine, with a hash of the map: for labels and hierarchies
---the map as it was baked, for landmarks the map as it is now.
---
---Raises the error `nothing was baked that could be saved` if there is no data. Raises the error
---`these landmarks are no longer valid: bake again` if edits made the landmarks invalid or other data was baked since.
---@return string
function Baked:save() end

---Returns true if queries on the present map use the data. Returns false after a blocked cell was opened, or after
---other data was baked.
---@return boolean
function Baked:is_current() end

-- ---- search ----

---The status of a search: in progress, finished, or the reason why there is no path. The status is "grid changed" after
---a step in which a function of the search edited the map and so raised an error.
---@alias astar.SearchStatus "running"|"found"|"grid changed"|astar.Reason

---How much work one call may do.
---@class astar.Budget
---Milliseconds, a number >= 0. Default: no limit.
---@field ms? number
---Number of expansions, an integer >= 1. Default: no limit.
---@field expansions? integer

---A search that runs in steps. It returns the result of `find_path`, however long the steps are. If a callback raises
---an error, the search keeps its progress, and the next step continues. The search also continues after edits that
---cannot have changed its result: edits of cells that are not next to a cell it has reached or, with jump point search,
---of cells that no equally short route can pass. Its path then equals the path of a search begun after the edits. After
---other edits the search restarts, the fourth time on a snapshot of the map. Therefore the search ends however much is
---edited. Its path is a cheapest path for a version of the map since the search began.
---@class astar.Search
---@field status astar.SearchStatus
---@field expanded integer how many cells it has expanded
---@field algorithm? astar.Algorithm|"labels"|"hierarchy" the algorithm that runs; nil if none was needed, or none has begun
---@field restarts integer how often edits have restarted the search, at most 4
local Search = {}

---Runs at most `n` more expansions, or as many as the budget allows, at least one. Building data about the map uses up
---the budget by the time that it takes. A call after the end changes nothing.
---
---Passes on the errors of callbacks. Raises an error if a callback edits the grid, if a callback steps or closes the
---search (`search was stepped or closed by its own callback`), or if the named algorithm cannot honour an edit.
---@param n? integer|astar.Budget default 1
---@return astar.SearchStatus
function Search:step(n) end

---Returns the path once it is found, or nil and the status.
---@return astar.Path? path
---@return integer|astar.SearchStatus|nil status why there is none, or none yet: "running"; of `finding_nearest`, with a path, the index of the goal
function Search:path() end

---Iterates over every cell that is open or closed: `for x, y, state, g, h, f, px, py in search:cells() do`. `state` is
---"open" or "closed", g is the cost of the best route found so far, h the estimate of the rest, and f = g + weight * h
---by the `weight` of the query. (px, py) is the parent, the previous cell on that route, and nil for the start. Jump
---point searches have jump points as nodes, several cells apart, and round g to four digits or more. A jump point search
---for the nearest of a few goals, with a `range`, or with `partial` for a goal that cannot be reached may begin at the
---cells where it may end. Then these cells have no parent, g is counted from them, (px, py) is the next jump point on the
---way to them, and h leads to the start.
---@return fun(): integer?, integer, "open"|"closed", number, number, number, integer?, integer?
function Search:cells() end

---Frees the memory of the search immediately. Its path stays usable. Any later use of the search raises an error.
function Search:close() end

-- ---- workers ----

---Threads that run the requests of a queue beside the script: `astar.queue { workers = }`. The threads end when the
---pool is closed or collected, or when the Lua state ends.
---@class astar.Workers
local Workers = {}

---Starts a pool of threads.
---
---Raises an error with one of these messages: `n must be an integer from 1 to 64, got ...`;
---`no more threads can be started`; `built without threads`.
---@param n integer how many
---@return astar.Workers
function astar.workers(n) end

---Ends the threads, even in the middle of a request. Earlier requests are still completed by the updates in which they
---are due.
function Workers:close() end

---Returns the number of threads, 0 after `close`.
---@return integer
function Workers:count() end

---Returns the memory of the threads, as each thread reported it with its last result: the bytes of the copies of maps,
---and the bytes of the work memory.
---@return integer copies
---@return integer searches
function Workers:bytes() end

-- ---- queue ----

---Runs requests for paths over several frames: one request at a time, by priority, then in the order of arrival.
---@class astar.Queue
local Queue = {}

---Options of `astar.queue`.
---@class astar.QueueOptions
---@field workers? astar.Workers the threads that answer requests, and run searches and flows. Default: none, updates do the work
---@field delay? integer with workers: the number of updates after a request until its answer comes, from 1 to 1000; the same on every machine, because that update waits if necessary. Default: 2

---Makes a queue. With workers, each update passes the requests made since the last update to the threads. The requests
---use the map at the time of that update. If both copies of the map are still being read, the requests use the newer
---copy.
---
---Raises an error with one of these messages: `the option delay needs the option workers`;
---`delay must be an integer from 1 to 1000, got ...`; `workers must be what astar.workers returns, got ...`.
---@param options? astar.QueueOptions default: none
---@return astar.Queue
function astar.queue(options) end

---Requests a path, which coming updates find. If the map is edited, a search in progress continues or restarts, as any
---search in steps does. A restarted search runs after the other searches of its priority. At most four searches are in
---progress at once: when a fifth begins, the one whose turn comes last is restarted, at most three times.
---
---Workers cannot run requests of finders with functions or `avoid`, and requests over graphs. Such requests run in the
---script's own thread.
---
---Raises the errors of `finder:search`, an error for an invalid priority (`priority must be a finite number, got
---...`), and, with workers, `workers are closed`.
---@param finder astar.Finder a finder of a grid
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.Query may be left out
---@param callback? fun(path: astar.Path?, reason: astar.Reason?, ticket: astar.Ticket)
---@param priority? number higher ones first, but what has waited while twice as many left as waited with it. Default: 0
---@return astar.Ticket
---@overload fun(self: astar.Queue, finder: astar.Finder, sx: integer, sy: integer, gx: integer, gy: integer, callback?: fun(path: astar.Path?, reason: astar.Reason?, ticket: astar.Ticket), priority?: number): astar.Ticket
---@overload fun(self: astar.Queue, finder: astar.GraphFinder, a: any, b: any, options?: astar.GraphQuery, callback?: fun(path: astar.GraphPath?, reason: string?, ticket: astar.Ticket), priority?: number): astar.Ticket
function Queue:request(finder, sx, sy, gx, gy, options, callback, priority) end

---Requests a path from a coroutine: the coroutine sleeps until an update has found the path, and `await` returns it.
---Errors of the finder's cost functions are raised in the coroutine.
---
---Raises an error outside a coroutine: `await must be called in a coroutine`.
---@param finder astar.Finder a finder of a grid
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.Query may be left out
---@param priority? number higher ones first. Default: 0
---@return astar.Path? path
---@return astar.Reason? reason
---@overload fun(self: astar.Queue, finder: astar.Finder, sx: integer, sy: integer, gx: integer, gy: integer, priority?: number): astar.Path?, astar.Reason?
function Queue:await(finder, sx, sy, gx, gy, options, priority) end

---Adds a job that coming updates run, among the requests and in the same order: a search, what
---`finder:finding_nearest()`, `path:repairing()`, `finder:preparing()` or `flow:completing()` return, or any object
---that has `step` and `status`. The queue does not close the job. From a budget in `expansions`, each step subtracts
---the whole share that the job was given.
---
---Workers run searches and repairs that call no function, on the map as it was when the job was passed to a worker.
---Workers also complete flows.
---
---Raises an error with one of these messages:
---`job must be a search or a job such as flow:completing() returns, got ...`;
---`priority must be a finite number, got ...`; `done must be a function, got ...`.
---@param job astar.Search|astar.Job
---@param options? { priority?: number, done?: fun(job: astar.Search|astar.Job) } priority: higher ones first. Default: 0. done: called once the job has ended
---@return astar.Ticket
function Queue:add(job, options) end

---Works on the requests until the budget is used up or no request is left. Call it once per frame. `update` raises the
---error of a callback or of a finder's function. The request of that function has then ended, and all other requests
---continue.
---
---With workers, the budget limits only the requests that workers cannot run. You may leave the budget out if no such
---request waits. The call waits for requests that are due, and completes all of them. After that, the first error of
---their callbacks is raised.
---
---Raises the error `update needs a budget: ms or expansions` if a queue without workers gets no budget. Raises the
---error `update needs a budget: a request waits that no worker can run` if a queue with workers needs one.
---@param budget? astar.Budget one that is answered without an expansion counts as one
---@return integer waiting how many requests are left
function Queue:update(budget) end

---Returns how many requests are waiting or in progress.
---@return integer
function Queue:count() end

---Requests a repair of a walker's path, as `walker:repair` does it. Use it when one edit makes hundreds of walkers
---repair, so that they share the budget. Meanwhile the walker continues up to the blocked cell. If a repair of the
---walker is waiting already, the same ticket is returned. Call `repair` after an edit, not in each frame.
---
---`optimal` is the option of `walker:repair`. A later call changes the option of a waiting repair.
---
---Raises an error with one of these messages: `astar walker expected, got ...`;
---`priority must be a finite number, got ...`; `optimal must be a boolean, got ...`.
---@param walker astar.Walker the walker whose path is repaired
---@param options? number|{ priority?: number, optimal?: boolean } a number is the priority: higher ones first. Default: 0.
---@return astar.Ticket
function Queue:repair(walker, options) end

---Shows the state of a request.
---@class astar.Ticket
---@field status "waiting"|"running"|"found"|"done"|"cancelled"|"failed"|astar.Reason "failed": a function raised an error; "done": for a job
---@field priority number
---@field restarts integer how often the request was restarted, at most 7: after an edit, or because too many were in progress
local Ticket = {}

---Returns the path once it is found, or nil and the status.
---@return astar.Path? path
---@return string|integer|nil status why there is none, or none yet; of `finder:finding_nearest`, with a path, the index of the goal
function Ticket:path() end

---Cancels the request. Its callback will not be called. A job keeps its progress.
---@return boolean cancelled false when it was over already
function Ticket:cancel() end

---Changes the priority: the request goes behind those that have the new priority. If the priority is the same,
---nothing changes.
---@param priority number higher ones first, any finite number
function Ticket:set_priority(priority) end

-- ---- path ----

---A path: the cells from start to goal, each a neighbour of the previous one unless a link joins them. `#path` is the
---number of cells, and `path[i]` is `{ x =, y = }`, or nil if there is no such cell. Do not use `ipairs` and `pairs`,
---which only some Luas support here: use `for x, y in path:cells() do`.
---@class astar.Path
---@field cost number the sum of the costs of its steps, and of `bend_cost` for each bend
---@field length number the length of the line through its turning points, in cells; a link counts as one
---@field bends integer how often the direction changes; with a `heading`, the first step may be a bend as well
---@field expanded integer how many cells the search expanded
---@field algorithm astar.Algorithm|"labels"|"hierarchy" the algorithm that ran, never "auto", or the kind of baked data that was used
---@field partial boolean true if the path ends at the reachable cell nearest to the goal
---@field of_world boolean true for a stretch of a world's route; call the route for what lies beyond it
---@field [integer] { x: integer, y: integer }
---@operator len: integer
local Path = {}

---Returns the i-th cell, without making a table.
---
---Raises an error if `i` is not an integer from 1 to `#path`.
---@param i integer index of a cell, from 1 to `#path`
---@return integer x
---@return integer y
function Path:cell(i) end

---Returns where the middle of the i-th cell lies, as `grid:center` does.
---
---Raises an error if `i` is not an integer from 1 to `#path`.
---@param i integer index of a cell, from 1 to `#path`
---@return number x
---@return number y
function Path:center(i) end

---Iterates over the cells in order: `for x, y in path:cells() do`.
---@return fun(): integer?, integer?
function Path:cells() end

---Returns the cells in one list: { x1, y1, x2, y2, ... }.
---@return integer[]
function Path:cells_flat() end

---Writes the cells into two given lists: x of the i-th cell into `xs[i]`, y into `ys[i]`. Entries after the last cell
---stay as they are, so read as many cells as the function returns. If you keep the two lists, following many paths
---makes no garbage.
---
---Raises an error if `xs` or `ys` is not a table.
---@param xs integer[] receives x of each cell
---@param ys integer[] receives y of each cell
---@return integer # number of cells of the path
function Path:copy_into(xs, ys) end

---Returns the cells as a list of tables.
---@return { x: integer, y: integer }[]
function Path:totable() end

---Returns the label of the link that leads from the i-th cell to the next one, or true if the link has no label.
---Returns nil if no link leads there, as for the last cell.
---
---Raises an error if `i` is not an integer from 1 to `#path`.
---@param i integer index of a cell, from 1 to `#path`
---@return string|number|true|nil
function Path:link(i) end

---Returns the blocks that stand now in the cells of the path, of layers to which the finder's option `breach` gives a
---price above 0: what the unit has to break, in order. The list is empty if the path goes around all of them.
---@return { x: integer, y: integer, layer: string }[]
function Path:breaches() end

---Returns the turning points only: the first cell, the last cell, and each cell where the direction changes or a link
---begins or ends.
---@return { x: integer, y: integer }[]
function Path:waypoints() end

---Returns the compass name of each step, or "link" for a step over a link. The list has one element less than the
---path has cells.
---@return (astar.DirectionName|"link")[]
function Path:directions() end

---Returns a path from the same start to the same goal with few straight legs between cells of this path. The unit's
---body can move along each leg, as `finder:sweep` says, and a leg costs no more than the part of the path that it
---replaces. The cells of the new path are consecutive as well: they are the cells of the lines. Links and straight
---legs stay. The new path is not longer than this path, unless this is a path at any angle that loses legs. The time
---is about linear in the number of cells.
---@return astar.Path
function Path:smooth() end

---Returns the path in the opposite direction. Each step back uses a grid step or a link, whichever is cheaper. Its cost
---is the cost of walking back, `math.huge` if that is not possible.
---@return astar.Path
function Path:reverse() end

---Returns true if the path can still be walked on the grid as it is now, from the cell at index `from` on. Otherwise
---returns false and the index of the first cell that cannot be reached along it. If the grid has not changed since the
---last check, or only far from the path, the check takes hardly any time, unless callbacks have to be called. If a link
---between neighbours was removed, a grid step may replace the link. For a stretch of a world's route, cells that are
---not loaded cannot be walked.
---
---Raises an error if `from` is not the index of a cell: `from must be an integer from 1 to N, got ...`, where N is
---the number of cells.
---@param from? integer index of the cell to begin at. Default: 1
---@return boolean valid
---@return integer? index
function Path:is_valid(from) end

---Returns what it costs to walk the path up to its i-th cell on the grid as it is now: 0 for the first cell, and the
---cost of the path for the last one, unless the grid has been edited. Bends cost as in `path.cost`. Returns nil and
---the index of the first cell that cannot be entered, if that comes first. The time is linear in `i`.
---
---Raises an error if `i` is not the index of a cell: `i must be an integer from 1 to N, got ...`, where N is the
---number of cells.
---@param i integer index of a cell, from 1 to `#path`
---@return number? cost
---@return integer? index
function Path:cost_at(i) end

---Returns the index of the last cell that a unit reaches along the path from the cell `from` with `cost` movement
---points. Steps have their present costs on the grid. The unit stops before a cell that it cannot enter. A block on the
---cell `from` is ignored, because it is the unit itself. The time is linear in the number of cells that are walked.
---
---Raises an error with one of these messages: `cost must be a number from 0 to inf, got ...`;
---`from must be an integer from 1 to N, got ...`.
---@param cost number what the unit can pay, 0 or more
---@param from? integer index of the cell where the unit stands. Default: 1
---@return integer index
function Path:index_within(cost, from) end

---Returns the path as a string for `astar.load_path`. The string is binary.
---
---Raises an error for a path of a world: `a path of a world cannot do this: call it on the route`.
---@return string dump a few bytes for each waypoint
function Path:dump() end

---@class astar.RepairOptions
---The index of the cell where the unit stands, from 1 to #path. Default: 1.
---@field from? integer
---Whether the whole path is searched again, which makes it the cheapest one. Default: false.
---@field optimal? boolean

---Returns a path from the cell `from` to the same goal on the grid as it is now. The part of this path that is still
---valid is kept: all of it, or the part up to the cell before the first invalid one. From there a new search with the
---same options leads on. The new path can be walked, but it need not be the cheapest. The whole path from `from` is
---searched again, and is the cheapest, if `optimal` is set, if this path is partial, or if the kept part does not lead
---to the goal. This path stays unchanged. Returns nil and the reason if there is no route.
---
---Raises an error if an option is unknown or out of range. Callbacks cause the same errors as in `find_path`.
---@param options? astar.RepairOptions default: none
---@return astar.Path?
---@return astar.Reason? reason
function Path:repair(options) end

---Makes a search that repairs the path in steps: `search:path()` returns the repaired path. This path is copied. If an
---edit between two steps may have changed the answer, the search restarts, three times at most. After that the search
---repairs the path on a snapshot of the map, so it ends even if edits continue. Its path may then need another repair.
---@param options? astar.RepairOptions default: none
---@return astar.Search
function Path:repairing(options) end

---@class astar.RetargetOptions
---The index of the cell where the unit stands, from 1 to #path. Default: 1.
---@field from? integer
---The most that the new path may cost, as a multiple of the cheapest path; 1 makes it the cheapest. Default: 1.1.
---@field bound? number

---Returns a path from the cell `from` to another goal, (gx, gy), with the same options: for hunters whose target
---moves a little each frame. All but the end of this path is kept, and a short search leads on from there, as long as
---the result is known to cost at most `bound` times the best path. Otherwise the whole path is searched anew. Only
---paths of `find_path` and `retarget` are reused, on a map that has not been edited since. After an edit, after
---smoothing, and with callbacks, `weight`, `range`, `any_angle` or `bend_cost`, the whole path is always searched
---anew. Returns nil and the reason if there is no route.
---
---Raises an error if the goal is outside the grid (`gx must be an integer from X to Y, got ...`), or if an option is
---unknown or out of range. Passes on the errors of callbacks.
---@param gx integer column of the goal
---@param gy integer row of the goal
---@param options? astar.RetargetOptions default: none
---@return astar.Path?
---@return astar.Reason? reason
function Path:retarget(gx, gy, options) end

-- ---- walker ----

---@class astar.WalkerOptions
---Cells per second, a number > 0. A diagonal step takes the square root of 2 times as long as a straight one. With
---`pace = "cost"` it is the cost per second. Default: 1.
---@field speed? number
---`"length"`: all ground is walked equally fast. `"cost"`: a step takes its cost divided by `speed`, so a road of cost
---0.5 is walked twice as fast as ground of cost 1. Costs are those of the path's finder at the time when the step
---begins: terrain, callbacks, fields to avoid, blocks to break and bends. `acceleration` is then measured in cost. A
---path of a world raises an error with `"cost"`. Default: `"length"`.
---@field pace? "length"|"cost"
---`true` straightens the path with `path:smooth`. `false` leads the walker through the middle of every cell of the
---path, even of a straightened one. Default: the path as it is.
---@field straight? boolean
---How far before and behind a turn the walker rounds it, in cells, from 0 to 0.5; so the curve stays within the cell
---of the turn. It is less if the curve would shorten the two legs by more than a tenth. Default: 0.4.
---@field corner? number
---The change of the speed in one second, in cells per second: from rest to `speed`, and to rest at the goal. The
---walker stops without slowing down before a cell that is blocked. Default: full speed from the first moment.
---@field acceleration? number
---The most radians that `angle` turns per second. If the walker faces more than a right angle away from its
---direction, it stands and turns. Default: it turns without a delay.
---@field turn? number

---Moves a sprite along a path, along the straight lines between turning points: the walker arrives after `path.length
---/ speed` seconds. With `straight = false` on a smoothed or any-angle path it goes through the middles of the cells,
---which is farther than `path.length` and takes longer. It rounds corners within their cells, and is at both ends of
---a curve at the time at which it would be there without the curve.
---@class astar.Walker
---@field x number where the walker is now; on hexagons as `grid:center` returns places
---@field y number
---@field arrived boolean whether it has reached the last cell
---@field waiting boolean whether it stood still at the end of the last update because the next cell is blocked
---@field angle number|false the direction that it faces, in radians: 0 is east, and angles grow clockwise; false before its first step
---@field acceleration number|false cells per second per second; you may change it on the way, as `turn`
---@field turn number|false radians per second
---@field blocked boolean whether it waits, or goes back a step to wait: the next cell is blocked, or `repair` has found no route
---@field heading astar.DirectionName|false the direction nearest to its line, or to its last line: for choosing a sprite; false before its first step
---@field speed number cells per second; you may change it on the way
---@field path astar.Path the path that it follows, set by `follow` and `repair`
---@field index integer index of the cell of the path that it is on or has left last; 1 while it approaches the first cell
---@field link string|number|boolean the label of the link at whose entrance it stands; otherwise false
local Walker = {}

---Makes a walker that stands on the first cell of `path`.
---
---Raises an error if the argument is not a path (`astar path expected, got ...`), if an option is invalid
---(`speed must be a number > 0, got ...`), or if `straight` is given for a path of a world.
---@param path astar.Path the path to walk
---@param options? astar.WalkerOptions default: none
---@return astar.Walker
function astar.walker(path, options) end

---Moves the walker for `dt` seconds, over as many cells as that takes, at most to the last one. Makes no garbage.
---
---The walker makes no step that its unit's rules forbid at that time. However long the frame, the walker stops before a
---cell that it may not enter, and its field `blocked` is true. From the middle of a step the walker goes back to the
---previous cell. It continues automatically once the step is free, or along another route when `repair` finds one.
---Blocks that the game sets for the walker itself stop the walker too, except on its own cell. If your game blocks the
---cell that a unit will enter, use a layer that the unit's finder ignores, or block the cell when the unit has arrived.
---On a stretch of a world's route no step is checked: call `path:is_valid`.
---
---Raises an error if the time is invalid: `dt must be a number >= 0, got ...`. Passes on the errors of callbacks,
---which an update may call for a step.
---@param dt number seconds, >= 0
---@return number x the last cell's own whole number once arrived; on hexagons its middle
---@return number y
---@return boolean arrived
function Walker:update(dt) end

---Returns the cell from which a new path for the walker should begin: the cell on which the walker stands. Between two
---cells it is the cell to which the walker moves, or the previous one if the step has become impossible. At a link it
---is the entrance of the link.
---
---Passes on the errors of callbacks, which the call may use for the step.
---@return integer x
---@return integer y
function Walker:cell() end

---Makes the walker follow another path, from where it is; only `update` moves the walker. To a path that begins
---
---- on the cell it is on or walks to: it walks to the middle of that first. Such are paths from `walker:cell()`.
---- on the cell it comes from: it is in mid-step already where the path begins with that very step;
---  otherwise it turns back to that cell.
---- anywhere else: in a straight line to the first cell, whatever lies between.
---
---Raises an error if the argument is not a path: `astar path expected, got ...`.
---@param path astar.Path the new path
function Walker:follow(path) end

---@class astar.WalkerRepairOptions
---Whether the whole path is searched anew, even if the path can still be walked: the walker follows the new path if
---it is cheaper. Default: false.
---@field optimal? boolean

---Replaces the rest of the walker's path by `path:repair` from `walker:cell()`, if the path can no longer be walked.
---Without edits the call takes almost no time, so you may call `repair` in each frame. If there is no route, the walker
---goes to the next cell, or back if that step has become impossible. The walker then waits for `follow`, or for a later
---`repair` that finds a route. The reason may be "start blocked" if a cell on the way to the
---first cell of the path was blocked.
---
---Raises an error if an option is unknown or invalid, or for a path of a world
---(`a path of a world does not support this method: call it on the route`). Passes on the errors of callbacks.
---@param options? astar.WalkerRepairOptions default: none
---@return astar.Path? path what it follows now, the same where that is still good
---@return astar.Reason? reason
function Walker:repair(options) end

---Makes a job that does the work of `repair` in steps. `queue:repair` adds such a job to a queue.
---
---Raises the errors of `repair`.
---@param options? astar.WalkerRepairOptions default: none
---@return astar.Job
function Walker:repairing(options) end

---@class astar.WalkerRetargetOptions
---The most that the new path may cost, as a multiple of the cheapest path; 1 makes it the cheapest. Default: 1.1.
---@field bound? number

---Leads the walker's path to another cell, to which its target has moved, by `path:retarget` from the cell to which
---the walker moves. You may call it each frame. If there is no route, the walker continues along the path that it
---has. If the target blocks its own cell, the reason is "goal blocked", and the third result names the options of the
---walker's finder that help: `range = 1`, or `ignore` with that layer of blocks.
---
---Raises the errors of `path:retarget`, and for a path of a world
---`a path of a world does not support this method: call it on the route`.
---@param gx integer column of the goal
---@param gy integer row of the goal
---@param options? astar.WalkerRetargetOptions default: none
---@return astar.Path? path what it follows now
---@return astar.Reason? reason
---@return string? help if the goal is blocked
function Walker:retarget(gx, gy, options) end

---Returns the walker as a string for a saved game: its path, its place on the path, and its settings. Save the grid
---with the walker.
---
---Raises an error for a path of a world: `a path of a world does not support this method: call it on the route`.
---@return string dump to be given to `astar.load_walker`; a few hundred bytes
function Walker:dump() end

-- ---- crowds ----

---Options of `astar.crowd`.
---@class astar.CrowdOptions
---Beats per second, and so cells per second, from 0.001 to 1e6. Default: 4.
---@field speed? number
---The most memory that distances to goals and routes may use. A unit waits if there is no memory for the distances to
---its goal. Default: 64e6.
---@field bytes? number
---Whether units enter only empty cells, so that their squares never overlap, even between two beats. Default: false.
---@field exclusive? boolean
---About how many cells a beat may expand for distances, an integer >= 1. Half as much more is spent on routes of
---units that wait for them. If new goals keep coming, a beat uses all of it, about 12 ms by default: choose less if
---the steps between two beats have less time. Default: 262144.
---@field expansions? integer
---Whether units that come no nearer to their goals get a plan. They wait 16 beats, and one more for each unit near
---them. The plan is for all units within 6 cells, then 12, 24 and 48, at most 64 units, which stand "planning" for a
---beat or two. Default: true.
---@field knots? boolean
---An integer >= 0 that decides between equally good steps. Default: 0.
---@field seed? integer
---Whether a diagonal step takes 1.41 times as long as a straight one, so that units are drawn at an even speed.
---Default: false.
---@field even? boolean

---@class astar.UnitOptions
---How the unit moves: a finder of the same grid. Default: the crowd's finder.
---@field finder? astar.Finder
---The unit makes at most one step in this many beats, from 1 to 1000. Default: 1.
---@field period? integer
---Cells per second, from a thousandth of the crowd's speed to that speed. Default: the crowd's speed divided by the
---period.
---@field speed? number
---The most radians that the unit turns per second; 0 means that it turns without a delay. Default: 0.
---@field turn? number
---The name of its side. Units of two sides do not make way for each other, and do not push each other. Default: none,
---which counts as one more side.
---@field side? string

---@class astar.GoOptions
---Whether the unit goes to the reachable cell nearest to the goal by straight line, if no route leads to the goal;
---with a `range` above 0, to where one of the cells that it covers comes nearest. Default: false.
---@field partial? boolean
---How near to the goal the unit must come: at most this many columns and rows between the goal and the nearest cell
---that the unit covers, an integer from 0 to 64. With 0 its north-west cell must be the goal. Default: 0.
---@field range? integer

---@class astar.CrowdGoOptions
---As in `unit:go`. With a shape it is always true.
---@field partial? boolean
---As in `unit:go`. No shape has a range.
---@field range? integer
---The formation of the units around the cell. Each unit gets a slot of its own; up to 200 slots are assigned so that
---routes cross least. A slot that cannot be reached moves to the nearest free cell within 24. "keep": as the units
---stand now. Default: none, the units fill the cells around the place.
---@field shape? "keep"|"line"|"box"|"wedge"|"disc"
---The direction of the front of a shape: the name of a direction, or an angle in radians, 0 is east, clockwise.
---Default: from the middle of the units to the cell.
---@field facing? astar.DirectionName|number
---How many cells stay free between slots, from 0 to 16. Slots are as wide as the largest unit. Default: 0.
---@field gap? integer
---Whether all units move as seldom as the slowest of them, until their next order. Default: false.
---@field together? boolean

---@class astar.ChaseOptions
---How many columns and rows may lie between the nearest cells that the two units cover, from 1 to 64: with 1 they
---stand side by side. Default: 1.
---@field range? integer

---"moving": the unit stepped in the last beat, or its period has not come round. "waiting": it wants to move and
---could not. "arrived": it is where it was sent, or has no goal. "held": by `unit:hold(true)`. "planning": no route
---has been found for it yet, or a plan is being made. "stuck": no route leads to its goal now, or it has come no
---nearer for long. "lost": the unit that it chased was removed. "removed": the unit itself was removed. The state is
---what the last beat and the orders since then left, however far `crowd:step` has worked ahead, so games in lockstep
---may use it.
---@alias astar.UnitState "moving"|"waiting"|"arrived"|"held"|"planning"|"stuck"|"lost"|"removed"

---A step of a beat: which unit moved from where to where.
---@class astar.Move
---@field unit astar.Unit
---@field from_x integer
---@field from_y integer
---@field x integer
---@field y integer
---@field heading astar.DirectionName|nil the direction of the step; nil over a link

---Many units on one grid that never collide. In each beat, every unit moves at most one step, and all units move at the
---same time. Two units are never in one cell, and never swap places, cross each other or cut a corner. Edits of the
---grid affect the next beat. The same calls have the same results on every machine. `#crowd` is the number of units.
---@class astar.Crowd
---@field beats integer how many beats have taken place
---@field under_way integer how many units have not arrived at their goals
---@field bytes integer how much memory it uses
---@field speed number beats per second
local Crowd = {}

---Makes a crowd on the grid of a finder. The finder gives the corner rule, the costs and the size of its units. Its
---`algorithm`, `heuristic` and `weight` have no effect.
---
---Raises the error `a crowd cannot honour ...` for a finder with `cost`, `step_cost`, `max_cost`, `max_expansions`,
---`partial`, `range`, `bends`, `bend_cost` or `any_angle`, and on hexagons. Raises an error if an option is unknown
---or invalid. After another crowd of the same grid is made or loaded, every method of the first crowd raises the
---error `another crowd was made of this crowd's grid since`.
---@param finder astar.Finder the kind of unit
---@param options? astar.CrowdOptions default: none
---@return astar.Crowd
function astar.crowd(finder, options) end

---Puts a unit on the map. The unit stays on its cell, and makes way for others, until it gets an order.
---
---Raises an error if the cell is outside the grid, if an option is unknown or invalid, or if the finder belongs to
---another grid (`finder belongs to another grid`).
---@param x integer its north-west cell
---@param y integer row of the cell
---@param options? astar.UnitOptions default: none
---@return astar.Unit? unit
---@return "start blocked"|"occupied"|nil reason it cannot stand there, or another unit stands or is still drawn there
function Crowd:add(x, y, options) end

---Sends many units to one place: they fill the cells around it and stop. A unit has arrived when no step nearer to
---the place is open, nor three steps around the unit that stands there. Units that cannot stand on that very cell are
---left as they are.
---
---Raises an error if an entry is not a unit (`units[1] must be a unit, got ...`), was removed or belongs to another
---crowd, if the cell is outside the grid, or if an option is unknown or invalid.
---@param units astar.Unit[] units of this crowd
---@param x integer column of the place
---@param y integer row of the place
---@param options? astar.CrowdGoOptions default: none
---@return integer? sent how many were; nil where none can stand there
---@return "goal blocked"|nil reason
function Crowd:go(units, x, y, options) end

---Advances the time: all beats that are due take place, and a share of the next one is prepared. Makes no garbage.
---The call has no budget: it completes every beat that is due, and computes a beat as a whole if orders or edits came
---since. If your frames have a budget, work ahead with `step { ms = }`.
---
---Raises an error if the time is invalid: `dt must be a number from 0 to 1000000, got ...`.
---@param dt number seconds
---@return integer under_way how many units have not arrived
function Crowd:update(dt) end

---Works ahead on the coming beat, so that `update` or `beat` finds it ready. If units, orders or the grid change
---before that beat, the result is the same as without the call.
---
---Raises an error if the budget is invalid.
---@param budget? integer|astar.Budget default 1
---@return "running"|"done" status
function Crowd:step(budget) end

---Runs one beat immediately and returns its moves, for games in turns.
---@return astar.Move[]
function Crowd:beat() end

---Returns the crowd as a string: the units, their orders, and how far each unit is on its step. The string is the same
---on every machine. The call drops plans, which are soon computed again, and cancels a job of `resolving`. Routes are
---searched for again in the next beat. The call also updates the distances in use.
---@return string dump to be given to `astar.load_crowd`; 30 to 70 bytes a unit
function Crowd:dump() end

---Returns where to draw all units, in the order of `units`: `x`, `y` and `heading` of the first unit, then of the
---second, and so on. For 5,000 units this takes a small part of the time that reading their fields takes. `heading`
---is false before a unit's first step.
---@param list? table is filled, and what it holds beyond is taken out; a new one by default
---@return (number|astar.DirectionName|false)[] list
---@return integer count of units
function Crowd:positions(list) end

---Returns all units, in no particular order.
---@return astar.Unit[]
function Crowd:units() end

---Returns the unit that stands in a cell, or nil if the cell is empty.
---
---Raises an error if the cell is outside the grid.
---@param x integer column of the cell
---@param y integer row of the cell
---@return astar.Unit?
function Crowd:unit_at(x, y) end

---Makes a job that plans how units get to their goals, whenever this is possible at all. The crowd then follows the
---plan. While the job runs, its units stay in their cells and other units continue. The plan treats other units and
---held units as walls. A unit without a goal may end anywhere. Keep a reference to the job: a collected job is closed.
---
---Raises the error `resolving cannot honour ...` for links on the grid, for units larger than a cell
---and for units of several periods. Raises an error
---if an entry is not a unit (`units[1] must be a unit, got ...`), was removed or belongs to another crowd, or if an
---option is unknown or invalid.
---@param units? astar.Unit[] the units to plan for; default: all units in the window that do not hold
---@param options? astar.ResolvingOptions default: none
---@return astar.Resolving? job
---@return "bytes"|nil reason
function Crowd:resolving(units, options) end

---@class astar.ResolvingOptions
---The rectangle in which units may move: `{x, y, width, height}`. Units whose goal lies outside go to the nearest
---cell of it. Default: the map.
---@field window? integer[]
---The most memory that the job may use, beside about 16 bytes per cell. Default: 256e6.
---@field bytes? integer
---How many expansions may go into better plans once there is one. Default: 1048576.
---@field improve? integer

---A job that plans how units in each other's way get to their goals.
---@class astar.Resolving
---@field status astar.ResolvingStatus
---@field units integer how many units take part
---@field beats integer? how many beats the plan takes; nil if there is none yet
---@field left integer? how many beats of the plan are left, once the crowd follows it
---@field cost integer? beats until each unit has arrived, summed over all units
---@field expanded integer number of joint steps of all units that were tried
---@field bytes integer how much memory it uses
local Resolving = {}

---"done": the crowd follows the plan, or has followed it. "unsolvable": no plan exists. "bytes": the memory is used
---up. "start blocked": a unit stands where it cannot stand. "grid changed": cells, links, walls or costs have
---changed. "cancelled": by an order to one of its units, by the removal of one, by another plan, or because another
---unit stood in the way for 17 beats.
---@alias astar.ResolvingStatus "running"|"done"|"unsolvable"|"bytes"|"start blocked"|"grid changed"|"cancelled"

---Works on the plan within a budget.
---
---Raises an error if the budget is invalid.
---@param budget? integer|astar.Budget default 1
---@return astar.ResolvingStatus status
function Resolving:step(budget) end

---Makes the crowd follow the plan that was found, even if it could still be improved.
---@return boolean follows false: there is none
function Resolving:follow() end

---Ends the job, unless the crowd already follows its plan. A job also ends when it is collected.
function Resolving:close() end

---A unit of a crowd. After its removal, a unit's state is "removed", its other fields are nil, and each method except
---`tostring` raises an error.
---@class astar.Unit
---@field x number where to draw the unit, on the way to its cell: the place of its north-west cell; its middle is (size - 1) / 2 farther
---@field y number
---@field heading astar.DirectionName? direction of its last step; nil before the first one
---@field angle number? the direction that it faces, in radians: 0 is east, pi / 2 south; nil before it has moved
---@field speed number cells per second
---@field state astar.UnitState
---@field size integer the size of its finder
---@field period integer
---@field priority integer
---@field side string? as it was added
---@field chased astar.Unit? the unit that it goes after, or nil
---@field blocker astar.Unit? the unit that stands where it would step next, or nil
local Unit = {}

---Returns the cell in which the unit stands since the last beat: its north-west cell.
---@return integer x
---@return integer y
function Unit:cell() end

---Returns the cell to which the unit was sent, or nothing if it has no goal.
---@return integer? x
---@return integer? y
function Unit:goal() end

---Sends the unit to a cell along the shortest route by the crowd's distances, as far as other
---units let it. Units with the same goal fill the
---cells around it.
---
---Raises an error if the cell is outside the grid, or if an option is unknown or invalid.
---@param x integer column of the goal
---@param y integer row of the goal
---@param options? astar.GoOptions default: none
---@return true|nil sent
---@return "goal blocked"|nil reason
function Unit:go(x, y, options) end

---Sends the unit after another unit, wherever that unit goes, until the next order. If the other unit is removed, the
---state becomes "lost". The unit has arrived while it is within range. Far from its target it follows routes, near to
---it the distances around the target.
---
---Raises an error with one of these messages: `other has been removed`; `other belongs to another crowd`;
---`a unit cannot chase itself`. Raises an error on a grid with links, or if an option is unknown or invalid.
---@param other astar.Unit another unit of the same crowd
---@param options? astar.ChaseOptions default: none
---@return true
function Unit:chase(other, options) end

---Cancels the unit's order: the unit stays, and steps aside for other units.
function Unit:stop() end

---Makes the unit hold its cell, or ends holding. A unit that holds its cell does not move and does not step aside for
---others.
---
---Raises an error for any other value: `hold must be a boolean, got ...`.
---@param holds boolean true to hold, false to move again
function Unit:hold(holds) end

---Sets the priority. Units of a higher priority move first, however long other units have waited.
---
---Raises an error for any other value: `priority must be an integer from -100 to 100, got ...`.
---@param priority integer -100 to 100; 0 at first
function Unit:set_priority(priority) end

---Removes the unit from the map.
---@return true
function Unit:remove() end

-- ---- goals that stay ----

---A set of cells, for `finder:find_nearest`, `finder:finding_nearest` and `finder:flow` in place of a list. If the
---set has not changed since the last query, no goal is read again; with many goals, reading them takes most of the
---time of a query.
---@class astar.Goals
local Goals = {}

---Makes a set of the cells of a list. A cell that is listed twice is added once.
---
---Raises an error if the argument is not a grid (`astar grid expected, got ...`), if the goals are not a list
---(`goals must be a list of cells, got ...`), or if a cell is outside the grid.
---@param grid astar.Grid whose cells they are
---@param list? ({ [1]: integer, [2]: integer }|{ x: integer, y: integer })[]
---@return astar.Goals
function astar.goals(grid, list) end

---Returns the set that `goals:dump()` wrote. The goals keep their numbers.
---
---Raises the error `not a goal set's dump, or a damaged one` if the string is not a valid dump. Raises the error
---`the goals do not fit this grid: it has no cell (20, 3)` if a goal is outside the grid.
---@param dump string what `goals:dump()` returned
---@param grid astar.Grid whose cells they are
---@return astar.Goals
function astar.load_goals(dump, grid) end

---Adds a cell at the end.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean is_new false if the cell was in the set
function Goals:add(x, y) end

---Removes a cell. The last cell of the set gets the number of the removed cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean was_there
function Goals:remove(x, y) end

---Returns true if a cell is in the set.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean
function Goals:has(x, y) end

---Returns the number of cells.
---@return integer
function Goals:count() end

---Returns the goal with a number, which is the second result of `find_nearest`.
---@param index integer from 1 to `goals:count()`
---@return integer x
---@return integer y
function Goals:cell(index) end

---Iterates over the cells in the order of their numbers: `for x, y in goals:cells() do`.
---@return fun(): integer?, integer?
function Goals:cells() end

---Returns the set as a string for `astar.load_goals`.
---@return string
function Goals:dump() end

-- ---- floors ----

---@class astar.FloorOptions
---The kinds of ground, as in `astar.grid`; the same for all floors.
---@field terrain? table<astar.Key, astar.Cost>
---The ground of floors that are given by their size. Raises an error if there are no such floors. Default: as in
---`astar.grid`.
---@field fill? astar.Key
---Number of columns of blocked cells between two floors, an integer from 1 to 255. Default: 1.
---@field gap? integer
---The grid of a saved tower, from `astar.load(tower.grid:dump())`: the tower is made again on this grid, and only the
---sizes of the floors count. Default: a new grid.
---@field grid? astar.Grid

---Floors as parts of one grid, side by side, with blocked cells in between. Only links lead from one floor to
---another.
---@class astar.Tower
---@field grid astar.Grid the grid that holds all floors: finders, blocks and everything else use its cells
local Tower = {}

---Makes a tower from a list of floors; the first one is floor 1. For each floor pass what `astar.grid` takes: a
---drawing, rows, or `{ width, height }`. A floor may also be a grid, such as one that `astar.load` returned: its ground,
---blocks, links, walls and restrictions are copied, and its first cell is the cell (1, 1) of the floor. Floors may differ
---in size.
---
---Raises an error if the floors are not a list (`floors must be a list of floors, got ...`), if
---`astar.grid` refuses a floor (`floor 2: ` and the message of `astar.grid`), or if an option is unknown or out of
---its range. The option `grid` must have the size of the tower and blocked cells between the floors. A grid of hexagons
---or one that wraps around cannot be a floor. A kind of ground with several costs on several grids needs the option
---`terrain`.
---@param levels (astar.Grid|string|astar.Key[][]|string[]|integer[])[]
---@param options? astar.FloorOptions default: none
---@return astar.Tower
function astar.floors(levels, options) end

---Returns the tower that `tower:dump()` wrote: its grid with all edits, and its floors.
---
---Raises the error `not a tower's dump, or a damaged one` if the string is not a valid dump. Raises the error of
---`astar.load` about `max_cells` if the grid of the tower is too large.
---@param dump string what `tower:dump()` returned
---@param options? astar.LoadOptions default: none
---@return astar.Tower
function astar.load_floors(dump, options) end

---Returns the tower as a string for `astar.load_floors`: its grid, with blocks, links, walls and restrictions, and the
---sizes of its floors. The string is binary.
---@return string
function Tower:dump() end

---Returns the cell of the grid that is the cell (x, y) of floor z.
---
---Raises an error if the floor does not have the cell: `y must be an integer from 1 to 5, got 6`.
---@param x integer column of the cell
---@param y integer row of the cell
---@param z integer the floor, 1 or more
---@return integer X
---@return integer Y
function Tower:at(x, y, z) end

---Returns the floor and the cell of that floor to which a cell of the grid belongs.
---
---Raises an error if the cell is outside the grid or between floors: `(4, 1) lies on no floor`.
---@param X integer column of the grid
---@param Y integer row of the grid
---@return integer x
---@return integer y
---@return integer z
function Tower:of(X, Y) end

---Returns the width and the height of a floor.
---@param z integer the floor, 1 or more
---@return integer width
---@return integer height
function Tower:size(z) end

---Links two cells of one floor or of two floors, as `grid:link` does.
---
---Raises the errors of `tower:at` and `grid:link`.
---@param x integer column on the first floor
---@param y integer row on the first floor
---@param z integer the first floor
---@param x2 integer column on the second floor
---@param y2 integer row on the second floor
---@param z2 integer the second floor
---@param options? astar.LinkOptions default: none
function Tower:link(x, y, z, x2, y2, z2, options) end

-- ---- schedule ----

---Records which cells of a grid are reserved at which times. A unit reserves a cell from the moment when it begins to
---step there until it has arrived at the next cell. A train reserves a cell until its last car has left the cell. A
---diagonal step also reserves the cells beside it or, if corners may be cut, the point between the four cells.
---Therefore no two units swap places or cross. Times are in seconds; differences up to a millionth of a second are
---ignored.
---@class astar.Schedule
---@field grid astar.Grid the grid of the schedule
local Schedule = {}

---Makes a schedule of a grid in which no cell is reserved.
---
---Raises an error for any other value: `astar grid expected, got ...`.
---@param grid astar.Grid the grid
---@return astar.Schedule
function astar.schedule(grid) end

---Returns the schedule that `schedule:dump()` wrote, with all reservations. The reservations keep their ids.
---
---Raises the error `not a schedule's dump, or a damaged one` if the string is not a valid dump. Raises the error
---`the schedule does not fit this grid: it is of one from (1, 1) to (20, 10)` if the grid has other bounds.
---@param dump string what `schedule:dump()` returned
---@param grid astar.Grid the grid of the schedule, such as one that `astar.load` returned
---@return astar.Schedule
function astar.load_schedule(dump, grid) end

---@class astar.ReserveOptions
---The time in seconds at which the unit sets out. Default: 0.
---@field at? number
---The speed of the unit: the part of its path's cost that it covers per second. Default: 1.
---@field speed? number
---The length of a train in cells, from 1 to 255. All cars leave the first cell one after the other. Default: 1.
---@field length? integer
---Whether the unit keeps its last cells without a time limit, or for how many seconds. Default: true.
---@field stay? boolean|number
---The finder of the unit: it gives the costs of steps, the size of the unit and the cells that a diagonal step
---reserves. Default: a unit of one cell, for which a step costs its length.
---@field finder? astar.Finder
---Whether to reserve cells even if others have reserved them at those times. Default: false.
---@field force? boolean

---Reserves the cells of a path: of a timed path at its own times, of any other path from the time `at` on, without
---waits. If one of the cells is reserved already, reserves nothing, and returns nil, "taken", and the cell and the time
---of the conflict.
---
---Raises an error with one of these messages: `path: astar path expected, got ...`; `the option at is not for timed paths`;
---`the path costs 9 but is 5 long: reserve needs the option finder`;
---`path: the finder's unit has no step from (1, 1) to (2, 1)`.
---@param path astar.Path|astar.TimedPath the path
---@param options? astar.ReserveOptions of a timed path `force` alone
---@return integer? id
---@return "taken"|nil reason
---@return integer? x
---@return integer? y
---@return number? time
function Schedule:reserve(path, options) end

---@class astar.ReserveCellOptions
---The time at which the reservation begins. Default: it has always existed.
---@field from? number
---The time at which the reservation ends. Default: never.
---@field to? number
---The period in seconds after which the reservation repeats; needs `from`, `to` and `times`.
---@field every? number
---The total number of repeated reservations, from 1 to 65536.
---@field times? integer
---Whether the cell is free at those times and reserved at all other times, as a door with opening hours is. Default:
---false.
---@field open? boolean

---Reserves a cell for a time, even if others have reserved it, for example to shut a door at certain hours.
---
---Raises an error if the cell is outside the grid, or with one of these messages:
---`the option to must be later than the option from, 5, got 3`; `the option times needs the option every`.
---@param x integer column of the cell
---@param y integer row of the cell
---@param options? astar.ReserveCellOptions default: none
---@return integer id
function Schedule:reserve_cell(x, y, options) end

---Releases a reservation. Returns true if it still existed.
---@param id integer what `reserve` or `reserve_cell` returned
---@return boolean
function Schedule:release(id) end

---Removes all reservations that end before a time. Call `forget` now and then in a long game.
---@param time number seconds
function Schedule:forget(time) end

---Returns the id of the reservation that has a cell at a time, or nil if the cell is free. Of several reservations,
---returns the lowest id.
---@param x integer column of the cell
---@param y integer row of the cell
---@param time number seconds
---@return integer?
function Schedule:taken_by(x, y, time) end

---@class astar.TimedPathOptions
---The time at which the unit is at the start. Default: 0.
---@field at? number
---The speed of the unit: the part of its path's cost that it covers per second. Default: 1.
---@field speed? number
---The length of a train in cells, from 1 to 255; needs `size` 1. Default: 1.
---@field length? integer
---The cells behind the start that the train occupies, the nearest first. Default: none, the train comes out of the
---start.
---@field tail? astar.Place[]
---Whether the goal must be free without a time limit from the arrival on, or for how many seconds. Default: true.
---@field stay? boolean|number
---The most states that the query may expand. Default: the finder's `max_expansions`, or 100000, or 20000 for a train.
---@field max_expansions? integer

---Returns the path that arrives earliest and avoids all reserved cells, with waits if waiting is best. The finder's
---`diagonals`, `diagonal_cost`, `costs`, `size`, `ignore`, `breach`, `avoid` and `max_expansions` apply, and so do
---links and walls of the grid. `algorithm`, `heuristic` and `weight` have no effect, because they change no best route.
---
---Returns nil and a reason if there is no path: a reason of `finder:find_path`, or "start taken", "goal taken" or
---"taken" if reservations leave no route.
---
---Raises an error that begins with `a schedule cannot honour` for a finder with `any_angle`, `cost`,
---`step_cost`, `bends`, `bend_cost`, `heading`, `range`, `partial` or `max_cost`. Raises an error if the finder belongs
---to another grid (`finder: the finder belongs to another grid than the schedule`), for a length with a large unit
---(`length cannot honour size 2`), if a cell is outside the grid, or if an option is unknown or invalid.
---@param finder astar.Finder a finder of the schedule's grid
---@param sx integer start
---@param sy integer row of the start
---@param gx integer goal
---@param gy integer row of the goal
---@param options? astar.TimedPathOptions default: none
---@return astar.TimedPath? path
---@return astar.Reason|"start taken"|"goal taken"|"taken"|nil reason
function Schedule:find_path(finder, sx, sy, gx, gy, options) end

---Returns the schedule as a string for `astar.load_schedule`: all reservations with their ids. Save the grid with it.
---@return string
function Schedule:dump() end

---Returns the timed path that `timed:dump()` wrote. The path is not reserved: the loaded schedule has its reservation
---already if it was reserved before.
---
---Raises the error `not a timed path's dump, or a damaged one` if the string is not a valid dump. Raises an error if the
---grid or the unit's size is another one, and the errors of `schedule:find_path` about the finder.
---@param dump string what `timed:dump()` returned
---@param finder astar.Finder a finder with the options of the path's finder
---@return astar.TimedPath
function Schedule:load_path(dump, finder) end

---A path with the times at which the unit arrives at its cells. A cell may occur twice.
---@class astar.TimedPath
---@field at number when the unit sets out, in seconds
---@field arrival number when it arrives at the goal
---@field times number[] when it arrives at each cell
---@field count integer number of cells
---@field cost number the sum of the costs of its steps
---@field speed number
---@field expanded integer how many states the search expanded
local TimedPath = {}

---Returns the i-th cell.
---
---Raises an error if `i` is not an integer from 1 to `count`.
---@param i integer index of a cell, from 1 to `path.count`
---@return integer x
---@return integer y
function TimedPath:cell(i) end

---Returns when the unit arrives at the i-th cell, and when it leaves it; for the last cell, when the unit is gone.
---@param i integer index of a cell, from 1 to `path.count`
---@return number arrival
---@return number departure
function TimedPath:time(i) end

---Iterates over the cells in order: `for x, y, time in path:cells() do`.
---@return fun(): integer?, integer?, number?
function TimedPath:cells() end

---Returns the cells as a list of tables.
---@return { x: integer, y: integer, time: number }[]
function TimedPath:totable() end

---Returns the position of the unit at a time, also between two cells, in the coordinates of `grid:center`, and the
---index of the cell where the unit was last. For a train, returns the position of one car. Returns nil before the unit
---sets out, once it is gone, and for cars that have not come out yet.
---@param time number seconds
---@param car? integer default 1, the first
---@return number? x
---@return number? y
---@return integer? index
function TimedPath:place(time, car) end

---Returns the timed path as a string for `schedule:load_path`.
---@return string
function TimedPath:dump() end

-- ---- directions ----

---@alias astar.DirectionName
---| "north"
---| "north_east"
---| "east"
---| "south_east"
---| "south"
---| "south_west"
---| "west"
---| "north_west"

---@class astar.Direction
---@field name astar.DirectionName
---@field dx integer -1, 0 or 1; 1 is east
---@field dy integer -1, 0 or 1; 1 is south

---The eight directions, by name and as a list clockwise from north.
---@class astar.Directions
---@field north astar.Direction
---@field north_east astar.Direction
---@field east astar.Direction
---@field south_east astar.Direction
---@field south astar.Direction
---@field south_west astar.Direction
---@field west astar.Direction
---@field north_west astar.Direction
---@field [integer] astar.Direction

-- ---- graphs ----

---The key of a node: a string, a number, a boolean, or any other value but nil and NaN, which is compared by
---identity. Only graphs whose keys are strings, numbers up to 2^53 and booleans can be dumped.
---@alias astar.NodeKey any

---Options of `astar.graph`.
---@class astar.GraphOptions
---Returns a lower bound of the cost from a node to the goal, a number >= 0; that it never overestimates is up to you.
---Called once per node and query.
---@field heuristic? fun(node: any, goal: any): number

---Options of `astar.states`.
---@class astar.StatesOptions
---Calls `add(other, cost, label)` for every state that can be reached from this one. The cost is a number from 0 to
---1e15, 1 by default; `path:link` returns the label.
---@field neighbours fun(state: any, add: fun(other: any, cost?: number, label?: any))
---Returns a lower bound of the cost from a state to the goal, a number >= 0; that it never overestimates is up to
---you. Called once per state and query.
---@field heuristic? fun(state: any, goal: any): number
---Returns what identifies a state, if states are not strings or numbers themselves.
---@field key? fun(state: any): string|number

---Makes a space of states, which has no nodes of its own. Of a graph's methods, only `finder` can be called on it.
---@param options astar.StatesOptions default: none
---@return astar.Graph
function astar.states(options) end

---Makes and loads graphs.
---@class astar.GraphModule
---@overload fun(options?: astar.GraphOptions): astar.Graph
local graph = {}

---Returns the graph that `graph:dump()` wrote. It returns the same routes as the graph that was dumped.
---
---Raises an error if the string is not a valid dump: `not a graph's dump, or a damaged one`.
---@param dump string what `graph:dump()` returned
---@return astar.Graph
function graph.load(dump) end

---Waypoints and the edges between them, or a space of states. A space of states has no nodes of its own: of the
---methods below only `finder` can be called on it. `#graph` is the number of nodes.
---@class astar.Graph
local Graph = {}

---Adds a node, with or without a position. If the key exists, the node gets the new position, and edges without a
---cost of their own get the new distance as their cost.
---@param key astar.NodeKey key of the node
---@param x? number from -1e15 to 1e15; with y or not at all
---@param y? number from -1e15 to 1e15
function Graph:node(key, x, y) end

---Options of `graph:edge`.
---@class astar.EdgeOptions
---A number from 0 to 1e15. Default: the distance of the two positions, or 1 if a node has no position.
---@field cost? number
---A string or a number, which `path:link` returns. Default: none.
---@field label? string|number
---Whether the edge leads only from a to b. Default: false.
---@field one_way? boolean

---Adds an edge from one node to another, and back. If the edge exists, it gets the new cost and label, and stays
---blocked or open.
---
---Raises an error if the graph does not have the node: `unknown node "attic"`.
---@param a astar.NodeKey key of the first node
---@param b astar.NodeKey key of the second node
---@param options? astar.EdgeOptions default: none
function Graph:edge(a, b, options) end

---Removes a node and its edges.
---@param key astar.NodeKey key of the node
---@return boolean there was one
function Graph:remove(key) end

---Removes the edge between two nodes, in both directions or only the one from a to b.
---
---Raises an error if the graph does not have a node: `unknown node "attic"`.
---@param a astar.NodeKey key of the first node
---@param b astar.NodeKey key of the second node
---@param one_way? boolean default false
---@return boolean there was one
function Graph:remove_edge(a, b, one_way) end

---Blocks a node or, with `b`, the edge between two nodes in both directions. A unit cannot enter a blocked node, but
---a unit that stands there may leave it.
---@param a astar.NodeKey key of the node
---@param b? astar.NodeKey of an edge: key of the second node
function Graph:block(a, b) end

---Removes the block of a node or, with `b`, of the edge between two nodes.
---@param a astar.NodeKey key of the node
---@param b? astar.NodeKey of an edge: key of the second node
function Graph:unblock(a, b) end

---Returns true if a node or, with `b`, the edge from a to b is blocked.
---@param a astar.NodeKey key of the node
---@param b? astar.NodeKey the edge from a to b
---@return boolean
function Graph:is_blocked(a, b) end

---Returns true if a node has this key.
---@param key astar.NodeKey key of the node
---@return boolean
function Graph:has(key) end

---Returns the position of a node, or nil if it has none.
---@param key astar.NodeKey key of the node
---@return number? x
---@return number? y
function Graph:position(key) end

---Returns the key of the node nearest to a position, blocked or not; of equally near nodes, the one that was added
---first. Returns nil if no node has a position.
---@param x number place from west to east
---@param y number place from north to south
---@return astar.NodeKey?
function Graph:nearest(x, y) end

---Iterates over all nodes in the order in which they were added: `for key, x, y in graph:nodes() do`.
---@return fun(): astar.NodeKey?, number?, number?
function Graph:nodes() end

---Iterates over all edges out of a node: `for b, cost, label, blocked in graph:edges(a) do`.
---@param a astar.NodeKey key of the node
---@return fun(): astar.NodeKey?, number, string|number|nil, boolean
function Graph:edges(a) end

---Returns a number that grows with every edit. Equal numbers mean an unchanged graph.
---@return integer
function Graph:version() end

---Returns how much memory the graph uses, with the memory that is kept for its searches.
---@return integer
function Graph:bytes() end

---Returns the graph as a string for `astar.graph.load`, the same on every machine.
---
---Raises an error for a key that only this Lua state has, such as a table.
---@return string
function Graph:dump() end

---Options of `graph:bake` and `graph:baking`.
---@class astar.GraphBakeOptions
---Number of landmarks, from 0 to 16; 0 frees what was baked. Default: 8.
---@field landmarks? integer

---Measures the distances of all nodes from a few distant nodes, which serve as estimates for finders without a cost
---function, or with one that is `dearer_only` (ALT). With or without positions, searches then expand far fewer nodes.
---Blocks may come and go, and edges may be removed. After a new edge or a lower cost, searches run without the data
---until you bake again. The data takes four bytes per node and landmark, and twice as much if an edge costs something
---else on the way back.
---@param options? astar.GraphBakeOptions default: none
---@return { landmarks: integer, bytes: integer } what is used now
function Graph:bake(options) end

---Makes a job that bakes in steps. Its result is the graph. The data is used once the status is "done". A new edge
---between two steps restarts the job.
---@param options? astar.GraphBakeOptions default: none
---@return astar.Job
function Graph:baking(options) end

---Options of a finder on a graph.
---@class astar.GraphFinderOptions
---Returns the cost of the step over an edge for this unit: a number, or false (nil, math.huge) if the unit cannot take
---it. Returning no value raises an error. The argument `cost` is the edge's own cost. Called once per edge and query.
---If positions make the estimate, the function must not return less than the distance times the least cost per length
---of all edges, or times `min_cost`; a lower cost raises an error.
---@field cost? fun(a: astar.NodeKey, b: astar.NodeKey, label: string|number|nil, cost: number): number|false|nil
---The least that `cost` returns per unit of distance, a number >= 0; with 0, positions give no estimate. Default: the
---least of all edges.
---@field min_cost? number
---Promises that `cost` never returns less than the edge's own cost; a lower cost raises an error. Landmarks and
---components can then be used for this unit too, for example for a unit without a key for some doors. Default: false.
---@field dearer_only? boolean
---A number >= 1. The route costs at most `weight` times the cheapest, and is found sooner. Default: 1.
---@field weight? number
---The most that a route may cost. Default: no limit.
---@field max_cost? number
---The most nodes that one query may expand. Default: no limit.
---@field max_expansions? integer
---Whether a query returns the route to the node nearest to the goal, by positions or the heuristic, if no route leads
---to the goal. Default: false.
---@field partial? boolean

---Options of one query.
---@class astar.GraphQuery
---Replaces the option of the finder for this query.
---@field weight? number
---Replaces the option of the finder for this query.
---@field max_cost? number
---Replaces the option of the finder for this query.
---@field max_expansions? integer
---Replaces the option of the finder for this query.
---@field partial? boolean

---Makes a finder for one kind of unit. Every edit affects the queries that follow it.
---@param options? astar.GraphFinderOptions default: none
---@return astar.GraphFinder
function Graph:finder(options) end

---Options of `graph:join`.
---@class astar.JoinOptions
---How the unit moves over the graph. Default: a finder without options.
---@field finder? astar.GraphFinder
---The largest distance in cells between the start or the goal and a waypoint. Default: no limit.
---@field radius? number

---Joins the graph to a grid: a route leads straight from a cell to a waypoint in sight, along edges, and straight to
---the goal. The position of a node is a place as `grid:center` returns it: on squares the cell itself.
---@param finder astar.Finder a finder of the grid: its corner rule and unit size decide what is in sight
---@param options? astar.JoinOptions default: none
---@return astar.JoinedGraph
function Graph:join(finder, options) end

---Finds routes for one kind of unit over a graph, or through a space of states.
---@class astar.GraphFinder
local GraphFinder = {}

---Returns the cheapest route. Ties are broken by the order in which nodes were added, or states were met.
---
---Raises an error if the graph does not have a node (`unknown node "attic"`), or if a callback edits the graph
---(`graph was edited during the search`). Passes on the errors of callbacks.
---@param a astar.NodeKey key of the start
---@param b astar.NodeKey key of the goal
---@param options? astar.GraphQuery options for this query alone
---@return astar.GraphPath? path
---@return "goal blocked"|"unreachable"|"max_cost"|"max_expansions"|nil reason
function GraphFinder:find_path(a, b, options) end

---Returns the route to the cheapest goal of a list, or to the first node for which a function returns true.
---@param a astar.NodeKey key of the start
---@param goals astar.NodeKey[]|fun(node: any): boolean
---@param options? astar.GraphQuery without `partial`
---@return astar.GraphPath? path
---@return integer|string|nil index of the goal, of a list, or the reason
function GraphFinder:find_nearest(a, goals, options) end

---Returns all nodes within a budget, and within the finder's own `max_cost` and `max_expansions`. All other options of
---the finder except `cost` are ignored.
---@param a astar.NodeKey key of the start
---@param max_cost number >= 0; math.huge for no limit
---@return astar.GraphReach
function GraphFinder:reach(a, max_cost) end

---Makes a search that does the work of `find_path` in steps.
---@param a astar.NodeKey key of the start
---@param b astar.NodeKey key of the goal
---@param options? astar.GraphQuery options for this query alone
---@return astar.GraphSearch
function GraphFinder:search(a, b, options) end

---Returns the cost of going from each node to each other node, as `find_path` finds it: `rows[i][j]` is the cost from
---`places[i]` to `others[j]`, `math.huge` if there is no route.
---@param places astar.NodeKey[] keys of nodes from which to go
---@param others? astar.NodeKey[] default: the same
---@return number[][] rows
function GraphFinder:matrix(places, others) end

---Makes a job that does the work of `matrix` in steps, as `finder:measuring` of a grid does.
---@param places astar.NodeKey[] keys of nodes from which to go
---@param others? astar.NodeKey[] default: the same
---@return astar.Job
function GraphFinder:measuring(places, others) end

---Returns the best order in which to visit all nodes, as `finder:tour` of a grid does.
---@param places astar.NodeKey[] keys of nodes to visit
---@param options? { from?: astar.NodeKey, back?: boolean|astar.NodeKey }
---@return integer[]? order
---@return number|"unreachable" cost
---@return boolean? exact
---@return number? bound
function GraphFinder:tour(places, options) end

---Makes a job that does the work of `tour` in steps, as `finder:touring` of a grid does.
---@param places astar.NodeKey[] keys of nodes to visit
---@param options? { from?: astar.NodeKey, back?: boolean|astar.NodeKey }
---@return astar.Job
function GraphFinder:touring(places, options) end

---Returns the options of the finder in a new table.
---@return astar.GraphFinderOptions
function GraphFinder:options() end

---A route over a graph: `path[i]` is the key of a node, or a state. The route does not change when the graph is edited.
---@class astar.GraphPath
---@field [integer] any
---@field cost number the sum of the costs of its steps, added in their order
---@field expanded integer how many nodes the search expanded
---@field partial boolean true if the route ends at the nearest node instead of the goal
local GraphPath = {}

---Returns the label of the step from `path[i]` to the next node, or nil if it has none.
---@param i integer index of a node, from 1
---@return any
function GraphPath:link(i) end

---Returns the keys of the nodes as a list.
---@return any[]
function GraphPath:totable() end

---A search over a graph that runs in steps. The search uses the graph as it was when the search began, whatever is
---edited between two steps: each edit stores a copy of the changed parts until the search has ended or is closed.
---@class astar.GraphSearch
---@field status "running"|"found"|astar.Reason
---@field expanded integer
local GraphSearch = {}

---Runs at most `n` more expansions, or as many as the budget allows.
---@param n? integer|astar.Budget default 1
---@return "running"|"found"|astar.Reason
function GraphSearch:step(n) end

---Returns the path once it is found, or nil and the status.
---@return astar.GraphPath? path
---@return string? status
function GraphSearch:path() end

---Frees the memory of the search immediately. Any later use of the search raises an error.
function GraphSearch:close() end

---The result of `finder:reach`. After an edit of the graph the next call searches again.
---@class astar.GraphReach
local GraphReach = {}

---Returns the cost of going to a node, or nil and the reason.
---@param key astar.NodeKey key of the node
---@return number? cost
---@return "unreachable"|"max_cost"|"max_expansions"|nil reason
function GraphReach:distance(key) end

---Returns the route to a node, or nil and the reason.
---@param key astar.NodeKey key of the node
---@return astar.GraphPath? path
---@return "unreachable"|"max_cost"|"max_expansions"|nil reason
function GraphReach:path(key) end

---Iterates over all nodes within the budget with their costs, the nearest first: `for key, cost in reach:nodes() do`.
---@return fun(): astar.NodeKey?, number
function GraphReach:nodes() end

---A graph joined to a grid, by `graph:join`.
---@class astar.JoinedGraph
local JoinedGraph = {}

---Returns the cheapest route from cell to cell: straight if the goal is in sight, otherwise over waypoints. Its first
---and last place are cells, `{x =, y =}`; the places in between are keys of nodes. Straight lines cost their length
---in cells, and edges their own cost. A waypoint is at the cell nearest to its position.
---@param sx integer column of the start
---@param sy integer row of the start
---@param gx integer column of the goal
---@param gy integer row of the goal
---@param options? astar.GraphQuery without `partial`
---@return astar.GraphPath? path
---@return astar.Reason? reason
function JoinedGraph:find_path(sx, sy, gx, gy, options) end

---Makes a search that does the work of `find_path` in steps. Each step checks a few waypoints, and the last step
---searches the graph. If the graph or the grid is edited between two steps, the search restarts; after three restarts
---it finishes in its next step.
---
---Raises the errors of `find_path`; a step raises an error if its budget is invalid.
---@param sx integer column of the start
---@param sy integer row of the start
---@param gx integer column of the goal
---@param gy integer row of the goal
---@param options? astar.GraphQuery without `partial`
---@return astar.JoinedSearch
function JoinedGraph:search(sx, sy, gx, gy, options) end

---Returns the path over the grid from one place of a route to the next, for a walker. Returns nil and "no position" if
---one of the two is a node without a position on the grid, or a removed node.
---@param path astar.GraphPath a route of this joined graph
---@param i integer index of the first of the two places, from 1
---@return astar.Path? path
---@return astar.Reason|"no position"|nil reason
function JoinedGraph:leg(path, i) end

---A search over a graph joined to a grid, which runs in steps.
---@class astar.JoinedSearch
---@field status "running"|"found"|astar.Reason
---@field expanded integer how many waypoints it looked at
local JoinedSearch = {}

---Checks `n` more waypoints, or as many as the budget allows. The first steps may only prepare data about the map that
---the finder needs.
---@param n? integer|astar.Budget default 1
---@return "running"|"found"|astar.Reason
function JoinedSearch:step(n) end

---Returns the path once it is found, or nil and the status.
---@return astar.GraphPath? path
---@return string? status
function JoinedSearch:path() end

---Frees the memory of the search immediately. Any later use of the search raises an error.
function JoinedSearch:close() end

-- ---- worlds ----

---@class astar.WorldOptions
---The kinds of ground: each key and its cost, at most 254. Default: `.` and space cost 1, and `#` and `@` are
---blocked.
---@field terrain? table<astar.Key, astar.Cost>
---Called when a chunk is needed that is not loaded. Return 4096 keys, row by row, as a list or, as `grid:get_cells`
---does, as a string; or a list of 64 rows, each a string or a list of 64 keys; `false` if nothing in the chunk can be
---entered; or `nil` if the chunk is not there yet: the function is then not called for it again before
---`world:put_chunk` or `world:forget_chunk`. The function must not yield, and must not edit or query the world. For the
---same chunk it must always return the same cells, with the edits that were saved. A string of `world:save(cx, cy)`
---also contains blocks, walls, restricted cells and links, which are loaded unless the world still has those of the
---chunk.
---@field load? fun(cx: integer, cy: integer): string|astar.Key[]|string[]|astar.Key[][]|false|nil
---Called with 4096 keys before an edited chunk is unloaded; a key is `false` for cells of a chunk that was solid.
---Blocks, walls, restricted cells and links are edits as well: the function may call `world:save(cx, cy)` to save them.
---If it does, blocks, walls and restricted cells are unloaded with the chunk, and come back with it. Default: edited
---chunks stay loaded.
---@field save? fun(cx: integer, cy: integer, keys: (astar.Key|false)[])
---The most memory that the world keeps, without edited chunks that cannot be saved, and without blocks, walls and
---restricted cells that `save` does not save: an integer of at least 1048576. Default: 64 MiB.
---@field bytes? integer
---The cost of cells whose chunk is not there. Default: false, they cannot be entered.
---@field unknown? astar.Cost
---The number of cells along the border of two chunks for which there is one node: an integer from 1 to 64. Default:
---8.
---@field spacing? integer
---Whether all finders are `exact`. `spacing = 1` has the same effect, and `exact = false` raises an error with it.
---Default: false.
---@field exact? boolean

---A map without edges, in chunks of 64 x 64 cells; chunk (0, 0) contains the columns and rows 1 to 64.
---@class astar.World
local World = {}

---Makes a world without chunks.
---
---Raises an error if an option is unknown or out of its range, or if there are too many terrains:
---`a world holds at most 254 terrains`.
---@param options? astar.WorldOptions default: none
---@return astar.World
function astar.world(options) end

---Puts a chunk into the world, or replaces one, in a form that `load` may return, nil excepted. Blocks, walls and
---restricted cells stay, unless `keys` is a string of `world:save`: then those of the string replace them.
---
---Raises an error if the cells are invalid: `keys: row 3: expected 64 cells, got 63`;
---`keys: unknown terrain "x" at row 2, column 5`.
---@param cx integer column of the chunk; chunk 0 holds the columns 1 to 64
---@param cy integer row of the chunk; chunk 0 holds the rows 1 to 64
---@param keys string|astar.Key[]|string[]|astar.Key[][]|false
function World:put_chunk(cx, cy, keys) end

---Unloads a chunk because its source has changed. Edits that were not saved are lost. `load` is called again when the
---chunk is needed. Blocks, links, walls and restricted cells stay.
---@param cx integer column of the chunk; chunk 0 holds the columns 1 to 64
---@param cy integer row of the chunk; chunk 0 holds the rows 1 to 64
function World:forget_chunk(cx, cy) end

---Calls `save` for every chunk that was edited since the last save. With a chunk's coordinates, returns all of that
---chunk as a string: its ground, blocks, walls, restricted cells, and the links that begin in it. `load` may return this
---string, and `put_chunk` takes it. Returns nil and "not loaded" if the chunk is not loaded.
---
---Raises an error if the world was made without the function save: `the world has no function save`. Passes on the
---errors of the function save.
---@param cx? integer column of the chunk; chunk 0 holds the columns 1 to 64
---@param cy? integer with cx or not at all
---@return string?
---@return string? reason
function World:save(cx, cy) end

---Returns the chunks that were requested and have not arrived, the most urgent first. A chunk is more urgent if a route
---through it would be shorter and, among equal chunks, if a unit reaches it sooner. Both are measured for the last
---query that reached a cell beside the chunk. Chunks that no query has reached are last.
---@param most? integer so many at most
---@return { cx: integer, cy: integer }[]
function World:wanted(most) end

---Returns a part of the world as an independent grid, with all that grids can do. Its chunks are loaded if necessary.
---The grid has the ground, blocks, walls and restricted cells as they are now, and the links that do not lead out of the
---part. Cells of chunks that are not there cannot be entered. Later edits of the world do not change the grid.
---
---Raises an error if a side is out of range (`w must be an integer from 1 to 1048576, got 0`), or if the part has
---too many cells.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w integer width in cells, from 1 to 1048576
---@param h integer height in cells, from 1 to 1048576
---@return astar.Grid
function World:window(x, y, w, h) end

---Returns the key of the ground of a cell, whose chunk is loaded if necessary. Returns false in a chunk that is
---solid, and nil if the chunk is not there.
---@param x integer column of the cell
---@param y integer row of the cell
---@return astar.Key|false|nil
function World:get(x, y) end

---Changes the ground of a cell. Returns nil and "not loaded" if its chunk is not there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param key astar.Key key of the ground
---@return true|nil
---@return string? reason
function World:set(x, y, key) end

---Changes the ground of a rectangle. Returns nil and "not loaded", and changes nothing, if one of its chunks is not
---there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w integer width in cells, 1 or more
---@param h integer height in cells, 1 or more
---@param key astar.Key key of the ground
---@return true|nil
---@return string? reason
function World:fill(x, y, w, h, key) end

---Returns true if the ground of a cell can be entered and no block stands on it, as `grid:is_walkable` does. Returns
---nil if its chunk is not there.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean?
function World:is_walkable(x, y) end

---Blocks a cell or a rectangle. As for all edits, the chunks are loaded first: returns nil and "not loaded", and
---edits nothing, if one is not there. Blocks stay when a chunk is unloaded, or leave with the chunk if
---`world:save(cx, cy)` has saved them.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer default 1; with h or not at all
---@param h? integer with w or not at all
---@return true|nil
---@return string? reason
function World:block(x, y, w, h) end

---Removes the blocks of a cell or a rectangle. Returns nil and "not loaded", and edits nothing, if a chunk is not
---there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer default 1; with h or not at all
---@param h? integer with w or not at all
---@return true|nil
---@return string? reason
function World:unblock(x, y, w, h) end

---Returns true if a block stands on the cell.
---@param x integer column of the cell
---@param y integer row of the cell
---@return boolean
function World:is_blocked(x, y) end

---Links two cells, as `grid:link` does. Links belong to the world, not to a chunk. The chunk in which the link begins
---is loaded first and, without `one_way`, the other chunk as well. Returns nil and "not loaded" if one is not there.
---
---Raises an error if the world has too many links: `a world holds at most 65536 links`.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param options? astar.LinkOptions default: none
---@return true|nil
---@return string? reason
function World:link(x0, y0, x1, y1, options) end

---Removes the link between two cells, in both directions or, with `one_way`, only the one from the first cell to the
---second. Returns true if there was a link.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@param one_way? boolean default false
---@return boolean? there was one
---@return string? reason
function World:unlink(x0, y0, x1, y1, one_way) end

---Puts a thin wall on a side of a cell, as `grid:wall` does. Returns nil and "not loaded" if its chunk is not there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.DirectionName one of the four straight ones
---@param one_way? boolean default false
---@return true|nil
---@return string? reason
function World:wall(x, y, direction, one_way) end

---Removes the wall on a side of a cell, as `grid:unwall` does. Returns nil and "not loaded" if its chunk is not
---there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.DirectionName the side, by its name
---@param one_way? boolean default false
---@return true|nil
---@return string? reason
function World:unwall(x, y, direction, one_way) end

---Returns true if a wall stops the step out of a cell across this side.
---@param x integer column of the cell
---@param y integer row of the cell
---@param direction astar.DirectionName the side, by its name
---@return boolean
function World:has_wall(x, y, direction) end

---Restricts the cells of a rectangle, as `grid:restrict` does: a unit may leave them only in these directions. The
---rectangle may extend over several chunks. Each cell has a restriction of its own, and a new one replaces the old one of
---that cell. Links, walls and costs do not change. For a unit of `size` above 1, the restriction of its north-west cell
---applies. For one cell call `world:restrict(x, y, directions)`. Returns nil and "not loaded", and edits nothing, if a
---chunk is not there.
---
---Raises an error if a direction is invalid: `directions must be "north", ..., got ...`.
---@param x integer column of the north-west cell
---@param y integer row of the north-west cell
---@param w integer width in cells, 1 or more
---@param h integer height in cells, 1 or more
---@param directions astar.DirectionName|astar.DirectionName[] one direction or a list; with an empty list no step leads out
---@overload fun(self: astar.World, x: integer, y: integer, directions: astar.DirectionName|astar.DirectionName[]): true?, string?
---@return true|nil
---@return string? reason
function World:restrict(x, y, w, h, directions) end

---Removes the restrictions of a cell or of the cells of a rectangle. Walls stay. Returns nil and "not loaded", and edits
---nothing, if a chunk is not there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer default 1; with h or not at all
---@param h? integer with w or not at all
---@return true|nil
---@return string? reason
function World:unrestrict(x, y, w, h) end

---Returns the restricted cells of a rectangle, row by row; by default of one cell. Returns nil and "not loaded" if a chunk
---is not there.
---@param x integer column of the cell
---@param y integer row of the cell
---@param w? integer default 1; with h or not at all
---@param h? integer with w or not at all
---@return astar.Restriction[]?
---@return string? reason
function World:restrictions(x, y, w, h) end

---Returns a number that grows with every edit, and with every chunk that is put or replaced.
---@return integer
function World:version() end

---Returns statistics: the present `bytes`, loaded `chunks` and measured
---`squares`, and the total numbers of chunks `loaded`, `saved` and `unloaded`.
---@return { bytes: integer, chunks: integer, squares: integer, loaded: integer, saved: integer, unloaded: integer }
function World:stats() end

---@class astar.WorldFinderOptions
---As in `grid:finder`.
---@field diagonals? astar.Diagonals
---As in `grid:finder`.
---@field diagonal_cost? number
---Costs for this unit, as in `grid:finder`. Default: none.
---@field costs? table<astar.Key, astar.Cost>
---The unit covers size x size cells: an integer from 1 to 64. `{columns, rows}` raises an error if they differ. Default:
---1.
---@field size? integer
---`{ "" }` makes the unit ignore all blocks. Blocks of a world have no layers. Default: none.
---@field ignore? string[]
---A field whose values are added to the costs of cells, as in `grid:finder`. Its `origin` gives its position, over any
---part of the world. Chunks in which it changes are measured again. Default: none.
---@field avoid? astar.Field
---The factor for the values of `avoid`, a number from 0 to 1000000. Default: 1.
---@field avoid_weight? number
---A number from 1 to 1000000. A route costs at most `weight` times the cheapest route, and its search reads few chunks.
---Data measured for the route is not kept. Default: 1.
---@field weight? number
---Whether routes are the cheapest or, with a weight, cost at most `weight` times the cheapest. Exact routes are
---searched cell by cell, chunk after chunk; data measured for them is not kept. Default: the option of the world.
---@field exact? boolean
---The most nodes that a query may expand, or chunks if it goes from chunk to chunk. Default: 1048576 nodes, or 65536
---chunks.
---@field max_expansions? integer

---Makes a finder for one kind of unit.
---@param options? astar.WorldFinderOptions default: none
---@return astar.WorldFinder
function World:finder(options) end

---@class astar.WorldFinder
local WorldFinder = {}

---Options of one query, as in `astar.Query`. Other options of a grid raise an error: query a grid of `world:window`
---instead.
---@class astar.RouteQuery
---@field exact? boolean whether the query searches until the route is the cheapest
---@field weight? number the route costs at most this many times the cheapest, and is not improved later
---@field range? integer how near to the goal the unit must come: at most this many columns and rows between the goal and the nearest cell that it covers; the cheapest route is then searched over cells
---@field partial? boolean if no route leads to the goal, whether to return the cheapest route to the cell nearest to it, as `range` counts distance, or without a range from the unit's north-west cell; for `find_route` alone
---@field max_cost? number the query searches for the cheapest route, and the reason is "max_cost" if it costs more
---@field max_expansions? integer
---@field flee? boolean the goals are what to flee from: the route leads to where the unit is within the range of none; "unreachable" if no route leads out

---One of several goals. `range` is how many columns and rows may lie between the goal and the nearest cell that the
---unit covers.
---@class astar.RouteGoal
---@field [1]? integer its column, as x
---@field [2]? integer its row, as y
---@field x? integer
---@field y? integer
---@field range? integer

---Returns a route from one cell to another. Chunks are loaded as they are needed. A route to a distant goal may cost up
---to a fifth more than the best one: then `route.status` is "running", `route:step` looks for a better route, and
---`route:stretch` continues along it. If chunks are missing, the route may end before the goal, beside a missing chunk,
---where coming near the goal costs least: then `route.partial` is true, and the second result is "not
---loaded". With `partial = true` the route ends as near to the goal as possible, and the second result is the reason
---why no route leads there.
---
---With a list in place of the goal, `finder:find_route(sx, sy, goals [, options])`, the route leads to the goal that
---costs least to reach, and the second result is its index. Goals on which the unit cannot stand are skipped, and so
---are goals that are not loaded if a route leads to another one. The `range` of a goal overrides the `range` of the
---query. A better route that is found later leads to the same goal.
---
---Returns nil and a reason if there is no route: "start blocked", "goal blocked", "unreachable" if all chunks were
---there that could hold a route, "not loaded" if not, or "max_expansions". Errors that `load` or `save` raise are
---passed on.
---@param sx integer column of the start
---@param sy integer row of the start
---@param gx integer column of the goal
---@param gy integer row of the goal
---@param options? astar.RouteQuery options for this query alone
---@return astar.Route?
---@return (integer|string)? index or reason
---@overload fun(self: astar.WorldFinder, sx: integer, sy: integer, goals: astar.RouteGoal[], options?: astar.RouteQuery): astar.Route?, (integer|string)?
function WorldFinder:find_route(sx, sy, gx, gy, options) end

---Returns the best route to the goal that costs least to reach, and the index of this goal: `find_route` with
---`exact`, and nil if the route would be partial.
---@param sx integer column of the start
---@param sy integer row of the start
---@param goals astar.RouteGoal[]
---@param options? astar.RouteQuery options for this query alone
---@return astar.Route?
---@return integer|string index or reason
function WorldFinder:find_nearest(sx, sy, goals, options) end

---Returns true if the unit could walk the straight line between two cells, as `finder:raycast` of a grid does.
---Otherwise returns false and the cell that stops it; a cell that is not loaded stops it.
---@param x0 integer column of the first cell
---@param y0 integer row of the first cell
---@param x1 integer column of the second cell
---@param y1 integer row of the second cell
---@return boolean
---@return integer? x
---@return integer? y
function WorldFinder:raycast(x0, y0, x1, y1) end

---Returns true if there is a route, or nil and the reason: "not loaded" if this is not known.
---@param sx integer column of the start
---@param sy integer row of the start
---@param gx integer column of the goal
---@param gy integer row of the goal
---@return true?
---@return string? reason
function WorldFinder:reachable(sx, sy, gx, gy) end

---Makes a search for the best route over nodes, which runs in steps: `search:step { ms = 2 }`, or
---`queue:add(search)`. With a list of goals, it is the best route over cells to any of them.
---@param sx integer column of the start
---@param sy integer row of the start
---@param gx integer column of the goal
---@param gy integer row of the goal
---@param options? astar.RouteQuery options for this query alone
---@return astar.RouteSearch
---@overload fun(self: astar.WorldFinder, sx: integer, sy: integer, goals: astar.RouteGoal[], options?: astar.RouteQuery): astar.RouteSearch
function WorldFinder:search(sx, sy, gx, gy, options) end

---A search for a route. If chunks in which it has searched are edited, it restarts with its next step, four times at
---most; after that "world changed" is a reason as well.
---@class astar.RouteSearch
---@field status string "running", "found" or a reason
---@field expanded integer number of nodes that were expanded
local RouteSearch = {}

---Runs more of the search within a budget.
---@param budget? integer|astar.Budget default 1
---@return string status
function RouteSearch:step(budget) end

---Returns the route once it is found, as `finder:find_route` returns it; before, nil and "running" or the reason.
---@return astar.Route?
---@return string? reason
function RouteSearch:route() end

---Returns the result of `route`: every kind of search has a method `path`.
---@return astar.Route?
---@return string? reason
function RouteSearch:path() end

---Frees the memory of the search immediately.
function RouteSearch:close() end

---A route over the world. Its cells are computed only where it is walked.
---@class astar.Route
---@field status string "running" while a better route may be found, otherwise "refined"
---@field cost number the cost of the route over its nodes, from the cell where it was last searched; the walked route costs the same or less
---@field left number the part of that cost that is left
---@field bound number the cheapest route costs at most this much less; 0 with `exact` and no weight
---@field partial boolean true if the route ends before the goal: where unloaded chunks begin or, with `partial`, where no route leads on
---@field known boolean true if no node lies in a chunk that is not there, see `unknown`
---@field legs integer about how many stretches are left
---@field x integer where the route has come to by `route:stretch`
---@field y integer
---@field gx integer where the route ends
---@field gy integer
---@field expanded integer number of nodes that the search expanded
local Route = {}

---Returns the next stretch of the route, about four chunks long: the cells from the end of the last stretch. Returns
---nil at the goal. If a route of `find_route` is blocked, or ends where chunks have come since, it is searched again
---first. Then returns nil and "not loaded" if the route has to wait for chunks, or nil and the reason if there is no
---route any more: call again when the world has changed.
---@return astar.Path?
---@return string? reason
function Route:stretch() end

---Searches for a better route from the present end of its stretches, and continues along the better route. A route is a
---job for `queue:add`.
---@param budget integer|astar.Budget how much to do
---@return string status "running" or "refined"
function Route:step(budget) end

---@class astar.RoutePathOptions
---Number of stretches, an integer from 1. Default: all that are left.
---@field legs? integer

---Returns the cells of the next stretches, or of all that is left. The route stays where it is. The methods
---`smooth`, `reverse` and `repair` of such a path raise an error, because they need a grid.
---@param options? astar.RoutePathOptions default: none
---@return astar.Path?
---@return string? reason
function Route:path(options) end

---Returns true if the rest of the route, after the last stretch, can be walked in the present world. For the stretch
---that is being walked call `path:is_valid`.
---@return boolean
function Route:is_valid() end

-- ---- Moving AI files ----

---Reads and writes the maps and scenarios of the Moving AI benchmarks (Sturtevant, "Benchmarks for
---Grid-Based Pathfinding", 2012). Coordinates are the files' own, 0-based.
---@class astar.MovingAI
local movingai = {}

---A query of a scenario file, and its optimal length.
---@class astar.Scenario
---@field bucket integer the class of length that the file puts it into
---@field map string the map's name as the file has it
---@field width integer of the map, in cells
---@field height integer
---@field sx integer start, 0-based
---@field sy integer
---@field gx integer goal, 0-based
---@field gy integer
---@field length number the optimal length, octile, without cutting corners; 0 if start and goal differ and there is no path
---@field tolerance number how far a correct `length` of a path may be from it, because the file rounds

---Reads a grid from a .map file. `.` `G` `S` cost 1, and `@` `O` `T` `W` are blocked; `options.terrain` changes these
---costs by key. `options.origin` is {0, 0} by default.
---
---Raises an error if the file cannot be read, or if its text is invalid: `name.map:6: expected 49 cells, got 48`.
---@param file string its name
---@param options? astar.GridOptions default: none
---@return astar.Grid
function movingai.read_map(file, options) end

---Reads a grid from the text of a .map file.
---@param text string the contents of the file
---@param options? astar.GridOptions default: none
---@param name? string what errors call the text. Default: "map"
---@return astar.Grid
function movingai.parse_map(text, options, name) end

---Returns the text of a .map file. The seven characters of the format stay as they are. Other ground becomes `.` if
---it costs 1, or `@` if it cannot be entered or a block stands on it.
---
---Raises an error if the format has no character for a terrain
---(`terrain "~" of cost 3 at (2, 2) has no character in a Moving AI map`), or for a grid of hexagons.
---@param grid astar.Grid the grid
---@return string
function movingai.format_map(grid) end

---Writes `movingai.format_map(grid)` to a file.
---
---Raises an error if the file cannot be written.
---@param grid astar.Grid the grid
---@param file string its name
function movingai.write_map(grid, file) end

---Reads the queries of a .scen file.
---
---Raises an error if the file cannot be read, or if its text is invalid: `name.scen:7: expected ...`.
---@param file string its name
---@return astar.Scenario[]
function movingai.read_scenarios(file) end

---Reads the queries from the text of a .scen file.
---@param text string the contents of the file
---@param name? string what errors call the text. Default: "scenarios"
---@return astar.Scenario[]
function movingai.parse_scenarios(text, name) end

-- ---- Tiled maps ----

---Grids and graphs from maps made with Tiled (mapeditor.org): its own files, or exported to Lua. A property of a tile
---sets the cost of walking over the tile: `cost` (a number), `walkable` (true or false), or STI's `collidable` (true),
---which the tile's layer or a shape of its collision editor may have as well. The name of the tile's terrain is its
---property `terrain` or its class. If several tiles lie on one cell, the topmost tile with a property for the cost
---decides. If no tile has such a property, the cell costs `default`.
---@class astar.Tiled
local tiled = {}

---The table is also a list: the names of the layers that are ground. Default: every tile layer not among `blocks`.
---@class astar.TiledOptions
---@field [integer] string
---Names of layers whose tiles or objects become blocks, {} for none. Default: objects that have the property
---`collidable`, or lie on a layer that has it, or show a tile that has it, unless they set it to false.
---@field blocks? string[]
---Costs by key, which replace those of the tiles. Default: none.
---@field terrain? table<astar.Key, astar.Cost>
---Names of the properties that are read in place of "cost", "walkable", "collidable" and "terrain". Default: these
---names.
---@field properties? table<string, string>
---Called for every tile of the ground, from the lowest layer of the map up. Return the cost of the tile and, if you
---like, the name of its ground, or nil if its properties decide. `tile` is the tile as the map lists it, always with
---`id`, `properties` and `tileset`; `layer` is the layer of the map; x and y are the cell of the grid. Default: none.
---@field cost? fun(tile: table, layer: table, x: integer, y: integer): astar.Cost?, string?
---The cost of a cell whose tiles have none of the properties that give a cost. Default: 1.
---@field default? astar.Cost
---The cost of a cell on which no layer has a tile. Default: false.
---@field empty? astar.Cost
---The coordinates of Tiled's cell (0, 0), integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---A function that decompresses data: "zlib", "gzip" or "zstd". Default: LÖVE's function in LÖVE, otherwise
---lua-zlib's, if it is installed; neither supports zstd.
---@field inflate? fun(bytes: string, compression: string): string
---How many cells the grid may have, from 1 to 2^28: a small file can describe a very large map. Default: 2^24.
---@field max_cells? integer
---Called once, with a line of text, for each tile that is skipped: tiles that a tileset of single pictures has lost,
---and tiles of a tileset of which only the name is there, if no option needs their properties. Default: none.
---@field warn? fun(text: string)

---An object, and the cells that its bounds overlap.
---@class astar.TiledObject
---@field object table as Tiled exported it
---@field x integer west column
---@field y integer north row
---@field width integer in cells, at least 1
---@field height integer

---@class astar.TiledLoadOptions
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default:
---`love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the map may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---Reads the map of a file into the table that Tiled's export to Lua has. The file may be .tmx, which needs lua-expat;
---.tmj or .json, which need lua-cjson or dkjson; or the export itself, which runs without access to anything.
---Tilesets and templates in files of their own are read beside the file that names them. All functions of this module
---read a file in this way.
---
---Raises an error if a file cannot be read, is not a map (`town.tmx: expected a map made with Tiled, got ...`), has
---more than `max_bytes` bytes, or is XML that defines entities. Without a library for XML or JSON the error names
---the package to install.
---@param file string its name; in LÖVE looked for in the game first
---@param options? astar.TiledLoadOptions default: none
---@return table map
function tiled.load(file, options) end

---Makes a grid from a map: orthogonal, isometric, hexagonal or staggered, finite or infinite. A staggered map lies on
---the grid as an isometric one does, with ground called "outside" around it. Objects block every cell that they
---overlap. Offsets of layers are ignored. Layers of an STI map have STI's names, "group.layer", or Tiled's names.
---
---Raises an error if the file cannot be read or is not a map, or if a layer is missing
---(`town.lua: no layer "wals", expected one of "ground", "walls"`). Raises an error for a tileset that is only a
---name, unless `default`, `empty` or `blocks` make the properties of its tiles unnecessary. Raises an error if a
---tile's property has the wrong type, if no tileset has a tile number, or if neither a tile nor an option gives a
---cost. Raises an error if compressed data cannot be decompressed, or if the map has more than `max_cells` cells.
---Any other value that Tiled does not export also causes an error.
---@param map string|table a file's name, a map that Tiled exported, or one that STI has loaded
---@param options? astar.TiledOptions default: none
---@return astar.Grid
function tiled.grid(map, options) end

---Returns the objects of a layer with their cells, in the order of the map.
---
---Raises an error if the map does not have the layer, or if the layer holds no objects.
---@param map string|table as for `tiled.grid`
---@param layer string the name of the layer
---@param origin? { [1]: integer, [2]: integer } as for `tiled.grid`. Default: {1, 1}
---@return astar.TiledObject[]
function tiled.objects(map, layer, origin) end

---The table is also a list: the names of the object layers to read. Default: every object layer.
---@class astar.TiledGraphOptions
---@field [integer] string
---A corner of a line within this many cells of a waypoint is that waypoint: a number >= 0. Default: 0.5.
---@field snap? number
---Names of the properties that are read in place of "cost", "label" and "one_way". Default: these names.
---@field properties? table<string, string>
---As in `tiled.grid`. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }

---Makes the navigation graph that is drawn on object layers. Points are waypoints: their keys are their names or,
---without a name, their ids. Polylines and polygons are the edges between them, straight from corner to corner. A
---corner at a waypoint is that waypoint. Another corner becomes a waypoint of its own, such as "7/2" for the second
---corner of object 7, and lines with a corner there meet. A line has the properties
---`cost` for all of it (default: its length), `label` (default: its name) and `one_way`, in the direction in which it
---was drawn (default: false). If two lines lie over each other, the line drawn later is used. Positions fit the grid of
---the same map and `origin`, as `grid:center` returns them.
---
---Raises an error if the file cannot be read or is not a map, or if the layer is missing. Raises an error if an
---object is neither a point nor a line:
---`town.lua: layer "ways": object 7: expected a point or a line, got "rectangle"`. Raises an error if two points
---have the same name, if all corners of a line are at one waypoint, or if a property has the wrong type. Raises an
---error for an infinite map of hexagons.
---@param map string|table as for `tiled.grid`
---@param options? astar.TiledGraphOptions default: none
---@return astar.Graph
function tiled.graph(map, options) end

-- ---- LDtk projects ----

---Reads projects made with LDtk, https://ldtk.io.
---@class astar.Ldtk
local ldtk = {}

---@class astar.LdtkLoadOptions
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default:
---`love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the project may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---@class astar.LdtkOptions
---The level, by its name or iid. Default: the only one.
---@field level? string
---The name of the layer that is the ground, or a list of names, the lowest first. Default: the only IntGrid layer, else
---the only layer of tiles whose tileset has enum tags.
---@field layer? string|string[]
---Costs by the names or numbers of IntGrid values, or by enum tags; also of "empty" and, for tiles without a tag,
---"ground". Default: none.
---@field costs? table<string|integer, astar.Cost>
---The cost of a value that `costs` does not have. Default: such a value causes an error.
---@field default? astar.Cost
---The coordinates of LDtk's cell (0, 0), integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---How many cells the grid may have, 1 to 2^28. Default: 2^24.
---@field max_cells? integer
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default:
---`love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the project may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---@class astar.LdtkObjectOptions
---The level, by its name or iid. Default: the only one.
---@field level? string
---The name of a layer of entities. Default: all of them.
---@field layer? string
---As for `ldtk.grid`. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default:
---`love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the project may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---An entity, and the cells that its rectangle overlaps, by the cell size of its own layer.
---@class astar.LdtkObject
---@field object table the entity as it stands in the file
---@field name string the entity's name in LDtk
---@field fields table<string, any> its fields by name; points are { x =, y = }, cells of the grid
---@field x integer west column
---@field y integer north row
---@field width integer in cells, at least 1
---@field height integer

---Reads a project from a file or from JSON into a table, with the levels that have files of their own. Pass the table
---in place of the file to read several levels of one project. JSON is read by lua-cjson or dkjson.
---
---Raises an error if the file is missing or not a project
---(`world.ldtk: expected a project made with LDtk, got ...`), or if it has more than `max_bytes` bytes. Without a
---JSON library the error names the package to install.
---@param project string|table the name of a file, in LÖVE looked for in the game first; JSON; or a table
---@param options? astar.LdtkLoadOptions default: none
---@return table project
function ldtk.load(project, options) end

---Makes a grid from a level.
---
---Raises an error if the project cannot be read, or if the level or the layer is not named:
---`world.ldtk: the option level must be the name of a level, "Cave", "Yard", got nil`. Raises an error if a value
---has no cost (`... the option costs must say what "walls" costs: ...`), or if `costs` has a name that is no value
---of the layer. Raises an error if layers differ in size, if there are more than `max_cells` cells, or if LDtk
---before 0.8 wrote the IntGrid.
---@param project string|table as for `ldtk.load`
---@param options? astar.LdtkOptions default: none
---@return astar.Grid
function ldtk.grid(project, options) end

---Returns the entities of a level, in the order of the file.
---
---Raises the errors of `ldtk.grid`, and an error if the project does not have the layer of entities.
---@param project string|table as for `ldtk.load`
---@param options? astar.LdtkObjectOptions default: none
---@return astar.LdtkObject[]
function ldtk.objects(project, options) end

-- ---- Jumper ----

---The classes of Jumper, a pathfinder in Lua, https://github.com/Yonaba/Jumper: its own documentation describes their
---methods. See docs/from_jumper.md for what differs. A grid also has `grid:update()`, which reads the map again and
---returns true if a cell has changed.
---@class astar.Jumper
---@field Grid fun(map: table|string, cacheNodeAtRuntime?: boolean): table in place of jumper.grid
---@field Pathfinder fun(grid: table, finderName?: string, walkable?: any): table in place of jumper.pathfinder
---@field Path table the class of paths
---@field Node table the class of nodes
---@field Heuristics table<string, fun(a: table, b: table): number> by name; searches use none of them
local jumper = {}

-- ---- LÖVE ----

---Draws grids, paths, searches and flow fields on the screen. Only drawing needs LÖVE.
---@class astar.Love
local love = {}

---A colour: "#rrggbb", or a list of red, green, blue and alpha from 0 to 1.
---@alias astar.Color string|{ [1]: number, [2]: number, [3]: number, [4]?: number }

---@class astar.ViewOptions
---The pixel of the grid's north-west corner. Default: 0.
---@field x? number
---@field y? number
---Pixels per cell, from 0.25 to 256. Default: 16.
---@field scale? number
---Colours of the ground by key. Default: the more expensive, the darker.
---@field colors? table<astar.Key, astar.Color>
---Other colours for block, wall, link, path, open, closed, near, far and ink. Default: Okabe and Ito's colours.
---@field theme? table<string, astar.Color>

---@class astar.ImageOptions
---The colour of each kind of ground, by key.
---@field colors table<astar.Key, astar.Color>
---As in `astar.grid`.
---@field terrain? table<astar.Key, astar.Cost>
---As in `astar.grid`. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }

---Makes a view of a grid.
---@param grid astar.Grid the grid
---@param options? astar.ViewOptions default: none
---@return astar.View
function love.view(grid, options) end

---Makes a grid from a picture: a pixel is a cell, whatever its alpha.
---
---Raises an error if a pixel has another colour:
---`pixel (3, 4) has the colour #ff0000, expected one of #000000, #ffffff`.
---@param image any LÖVE's ImageData
---@param options astar.ImageOptions default: none
---@return astar.Grid
function love.grid(image, options) end

---Maps cells to pixels and draws.
---@class astar.View
---@field x number the pixel of the grid's north-west corner; may be changed
---@field y number
---@field scale number pixels a cell; may be changed
local View = {}

---Returns the cell at a pixel, or nil outside the grid.
---@param px number column of the pixel
---@param py number row of the pixel
---@return integer? x
---@return integer? y
function View:to_cell(px, py) end

---Returns the pixel at the centre of a cell. Fractional coordinates are positions between cells.
---@param x number column of the cell
---@param y number row of the cell
---@return number px
---@return number py
function View:to_pixel(x, y) end

---Scales the view by `factor`. The position under the pixel (px, py) stays under that pixel.
---@param factor number > 0
---@param px number column of the pixel
---@param py number row of the pixel
function View:zoom(factor, px, py) end

---Moves the view by a number of pixels.
---@param dx number pixels to the east
---@param dy number pixels to the south
function View:scroll(dx, dy) end

---Scales the grid to fit into a rectangle of pixels, and centres it there. A cell has a whole number of pixels if it
---has at least one.
---@param px number west edge in pixels
---@param py number north edge in pixels
---@param width number in pixels
---@param height number in pixels
function View:fit(px, py, width, height) end

---Paints these cells, and treats all other cells as unchanged since the grid was drawn. Call `touch` if one frame makes
---more than 256 edits.
---@param x integer west column
---@param y integer north row
---@param width? integer default 1
---@param height? integer default 1
function View:touch(x, y, width, height) end

---Draws the ground and its blocks and, from a scale of 4 on, thin walls and links. Only cells that were edited since
---the last call are painted again; all cells are after more than 256 edits, or if costs have changed.
function View:draw() end

---Draws thin lines between the cells.
---@param color? astar.Color default: the theme's
function View:draw_lines(color) end

---Fills a cell, or the square that a unit of `size` cells covers.
---@param x number column of the cell
---@param y number row of the cell
---@param color? astar.Color default: the theme's path
---@param margin? number left free on each side, in cells; default 0
---@param size? number in cells; default 1
function View:draw_cell(x, y, color, margin, size) end

---Draws a path as walkers walk it: straight lines, and curves at the turns.
---
---Raises an error if the corner is out of range: `corner must be a number from 0 to 0.5, got ...`.
---@param path astar.Path the path
---@param color? astar.Color default: the theme's
---@param corner? number as the option of `astar.walker`; default 0.4, and 0 sharp turns
function View:draw_path(path, color, corner) end

---Draws a navigation graph whose positions are places of the grid. Waypoints are discs and edges are lines, with a
---head if they lead one way, in the theme's colour `link`; blocked ones have the colour `block`. A route over the
---graph, or over it joined to the grid, is drawn on top in the colour `path`.
---@param ways astar.Graph the graph
---@param route? astar.GraphPath a route over the graph. Default: none
function View:draw_graph(ways, route) end

---Draws the open and closed cells of a search and, if there is room, arrows to the parents, and f, g and h.
---@param search table what `finder:search` returns
---@return integer open how many cells are open
---@return integer closed
function View:draw_search(search) end

---Draws the distances of a flow field as colours and, if there is room, arrows to the next cells. Only cells whose
---distance has changed are painted again; all cells are if the longest distance has changed by about a fifth.
---@param flow table what `finder:flow` returns
function View:draw_flow(flow) end

return astar
