---@meta astar
-- core.d.lua -- what astar offers, annotated for editors (LuaCATS). Never loaded.
--
-- Coordinates are whole cells, 1-based unless the grid's `origin` moves them: x grows to the
-- east, y to the south. A mistake in a call (a wrong type, a fraction, a cell outside the grid,
-- an unknown option) is an error at the caller's line that names the argument, what it may be
-- and what it was; every function here may raise one. So is a field that an object or a module does
-- not have, read or written, but for names that begin with "_" and elements past the ends of a path,
-- which are nil. What a script has to say of an object it keeps in a table by object, of weak keys.
--
-- Tables of options are read through their metatable's __index as well, for each documented name. Lists, cells and
-- tables by your own keys, such as `terrain`, are read raw.

---Routes on grids: `local astar = require "astar"`.
---@class astar
---@field _VERSION string the version, as ASTAR_VERSION of astar.h
---@field implementation "c"|"lua" what answers: the C module, or its twin in plain Lua, which is also what `require "astar.plain"` returns
---@field directions astar.Directions the eight compass directions
---@field graph astar.GraphModule way-points and edges; loaded on first use
---@field movingai astar.MovingAI reads and writes Moving AI maps; loaded on first use
---@field tiled astar.Tiled reads maps made with Tiled; loaded on first use
---@field ldtk astar.Ldtk reads projects made with LDtk; loaded on first use
---@field love astar.Love draws with LÖVE; loaded on first use
---@field jumper astar.Jumper the calls of Jumper, for games written for it; loaded on first use
local astar = {}

-- ---- grid ----

---What a cell of ground is: a character or other string, an integer, or, in rows of booleans,
---`true` or `false`.
---@alias astar.Key string|integer|boolean

---What entering a cell costs per unit of length: a number from 0.001 to 1000000; `false` or
---`math.huge` where it cannot be entered.
---@alias astar.Cost number|false

---@class astar.GridOptions
---The ground there is: each key and its cost, at most 256. Default: for drawings and grids by
---size `.` and space cost 1, `#` and `@` are blocked; for rows of numbers 0 costs 1, 1 is
---blocked; for rows of booleans `true` costs 1, `false` is blocked.
---@field terrain? table<astar.Key, astar.Cost>
---The ground of a new grid by size; with a drawing or rows it is an error. Default: "."; with `terrain` given it has to be named.
---@field fill? astar.Key
---The north-west cell's coordinates, integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---Squares, or hexagons: each with six neighbours, every step of length 1. Default: "square".
---@field shape? astar.Shape
---How rows or columns of hexagons lie; needs `shape = "hex"`. Default: "odd_r".
---@field offset? astar.Offset
---A map of squares that wraps around, at least 3 cells that way: a step east of the last column is the first one, or
---south of the last row, or both. See docs/grids.md for what it honours. Default: it has edges.
---@field wrap? astar.Wrap
---The layers of blocks that there may be beside the unnamed one, at most 32. Then a name that is none of them is an error
---wherever a layer is named, with the nearest one. Clones, dumps and published maps keep the list. Default: a layer is made
---by naming it.
---@field layers? string[]

---@alias astar.Wrap "x"|"y"|"both"

---@alias astar.Shape "square"|"hex"

---Which hexagons are pushed on by half a cell, counted from the first row or column as 0: odd or even rows,
---to the east, of hexagons that stand on a corner; odd or even columns, to the south, of hexagons that lie on a side.
---@alias astar.Offset "odd_r"|"even_r"|"odd_q"|"even_q"

---A map: for each cell what the ground is, and whether something stands on it. Every edit is
---live for the next query.
---@class astar.Grid
local Grid = {}

---A new grid: by size, each cell `options.fill`; from a drawing, a line a row and a character a
---cell (UTF-8 too, LF or CRLF; an empty first line and the last line break do not count; a last line of
---blanks alone is a margin that is taken off every line); or from a list of rows, each a string or a list of keys.
---
---Errors: a side is no integer from 1 to 16777216, or there would be more than 268435456 cells;
---`row 3: expected 20 cells, got 19`; `unknown terrain "x" at row 2, column 5: give it a cost in the option terrain`.
---@param width integer cells from west to east
---@param height integer cells from north to south
---@param options? astar.GridOptions
---@return astar.Grid
---@overload fun(drawing: string, options?: astar.GridOptions): astar.Grid
---@overload fun(rows: (string|astar.Key[])[], options?: astar.GridOptions): astar.Grid
function astar.grid(width, height, options) end

---Options of `astar.load`.
---@class astar.LoadOptions
---How many cells the grid may have, 1 to 2^28: a short string can stand for very many. Default: 2^24.
---@field max_cells? integer

---The grid that `grid:dump()` wrote.
---
---Errors: `not a grid's dump, or a damaged one` when it is cut off, altered or of an unknown version;
---`a dump of 8192 x 8192 cells: more than the option max_cells, 16777216`.
---@param dump string
---@param options? astar.LoadOptions
---@return astar.Grid
function astar.load(dump, options) end

---The walker that `walker:dump()` wrote, which goes on from the same place as that would have, to the last bit, where grid and finder
---are as they were: the grid from its own dump, the finder made anew by the same options. Where they have changed it is as if they had
---changed under the walker.
---
---Errors: `not a walker's dump, or a damaged one`; `the walker's path cannot be one of this finder and its grid`, where that is
---smaller, or of hexagons.
---@param dump string
---@param finder astar.Finder
---@return astar.Walker
function astar.load_walker(dump, finder) end

---The crowd that `crowd:dump()` wrote. Its units go on, to the last bit, as those of the crowd that was saved. The grid comes from its
---own dump. The finders are made anew by the same options: the crowd's own first, then those of the units, each once, in the order of
---`crowd:units()`. Finders that no unit had when the crowd was dumped are left out. `crowd:units()` of the loaded crowd lists the units
---in the same order.
---
---Errors: `not a crowd's dump, or a damaged one`; `the crowd cannot be one of these finders and their grid`, when the finders are not as
---many as the dump needs, or of a grid of another size; what `astar.crowd` cannot honour.
---@param dump string
---@param finder astar.Finder the crowd's own, whether or not a unit goes by it
---@param ... astar.Finder the other finders of its units
---@return astar.Crowd
function astar.load_crowd(dump, finder, ...) end

---Loads all files of astar. Otherwise each file is loaded on its first use. Call it where a host takes `require` away
---from its scripts, or where no file should be opened while a game runs. A file that a game has left out is passed over.
---
---Errors: what is wrong with a file that is there.
function astar.preload() end

---A map that another state of the process, or this one, shares: a grid to be asked only, for finders, searches, flows,
---jobs and queues as any other. Each question is answered for the version published last; a publish is to searches and
---flows under way an edit made at once. Its terrains, origin and labels are those of the grid that was shared; fields
---to avoid and callbacks are this state's own. To edit or bake it is an error.
---
---nil and why where no map has that name: it may not be shared yet, or by another copy of the module, which has names
---of its own.
---@param name string
---@return astar.Grid|nil map
---@return string? reason
function astar.shared(name) end

---The ground at a cell.
---@param x integer
---@param y integer
---@return astar.Key
function Grid:get(x, y) end

---Changes the ground at a cell; a block on it stays.
---
---Errors: the grid has no such terrain.
---@param x integer
---@param y integer
---@param key astar.Key
function Grid:set(x, y, key) end

---Changes the ground of a rectangle, which must lie inside the grid.
---@param x integer its west column
---@param y integer its north row
---@param w integer
---@param h integer
---@param key astar.Key
function Grid:fill(x, y, w, h, key) end

---Changes the ground of a rectangle at once, row by row: a string of `w * h` characters, where all keys
---are characters, or a list of `w * h` keys. All or nothing, and one edit.
---
---Errors: `keys must be 2 x 2 = 4 cells, got 3`; the grid has no such terrain.
---@param x integer its west column
---@param y integer its north row
---@param w integer
---@param h integer
---@param keys string|astar.Key[]
function Grid:set_cells(x, y, w, h, keys) end

---The ground of a rectangle, as `set_cells` takes it: a string where each key that the grid knows is
---one byte long, else a list of keys.
---@param x integer
---@param y integer
---@param w integer
---@param h integer
---@return string|astar.Key[]
function Grid:get_cells(x, y, w, h) end

---Puts something on a cell or a rectangle of cells, in a layer of blocks: nobody can enter them but who
---ignores that layer (the finder option `ignore`). Also `grid:block(x, y, layer)`: a string is a layer, an
---integer a width. A cell may be blocked in several layers. A layer is there from the first time it is named;
---without one it is the unnamed layer, `""`.
---
---Errors: `layer must be a string, got true`; `a grid holds at most 32 layers of blocks with names`.
---@param x integer
---@param y integer
---@param w? integer default 1
---@param h? integer default 1
---@param layer? string default "", at most 255 bytes
---@overload fun(self: astar.Grid, x: integer, y: integer, layer: string)
function Grid:block(x, y, w, h, layer) end

---Takes away what stands there in one layer, the unnamed one without a name: where that is all, the ground is
---as it was. Of what layers there are `grid:block_layers(x, y)` tells. A layer that nothing has named yet is an error.
---@param x integer
---@param y integer
---@param w? integer default 1
---@param h? integer default 1
---@param layer? string default ""
---@overload fun(self: astar.Grid, x: integer, y: integer, layer: string)
function Grid:unblock(x, y, w, h, layer) end

---The cells whose ground has that key, row by row: where the S and the G of a drawing are. They serve as goals.
---
---Errors: `unknown terrain "x"`.
---@param key astar.Key
---@return { x: integer, y: integer }[]
function Grid:find_cells(key) end

---Whether the grid has a cell (x, y). What is no whole number is an error.
---@param x integer
---@param y integer
---@return boolean
function Grid:contains(x, y) end

---Whether something stands on the cell in a layer, whatever the ground is; false outside the grid.
---@param x integer
---@param y integer
---@param layer? string default "", the unnamed one alone
---@return boolean
function Grid:is_blocked(x, y, layer) end

---The names of all layers of blocks, `""` first, then in the order they were named. With a cell: of those in which
---it is blocked, so that `#grid:block_layers(x, y) > 0` where anything stands.
---@param x? integer
---@param y? integer
---@return string[]
function Grid:block_layers(x, y) end

---Whether the cell can be entered: no block on it, of any layer, and ground with a cost. False outside the grid.
---@param x integer
---@param y integer
---@return boolean
function Grid:is_walkable(x, y) end

---The cost of a kind of ground, nil when there is no such kind. With `cost`: sets it, or adds
---that kind.
---
---Errors: the cost is out of range, or there would be more than 256 kinds.
---@param key astar.Key
---@param cost? astar.Cost
---@return astar.Cost?
function Grid:terrain(key, cost) end

---Width and height in cells.
---@return integer width
---@return integer height
function Grid:size() end

---The corners: the first and last column and row.
---@return integer x0 west
---@return integer y0 north
---@return integer x1 east
---@return integer y1 south
function Grid:bounds() end

---The shape of its cells, and of hexagons how they lie, or which way the world goes round.
---@return astar.Shape shape
---@return astar.Offset|astar.Wrap|nil offset nil of squares that end at the edges
function Grid:shape() end

---The neighbour of a cell in a direction, on squares diagonally, too; nil where the grid ends. Which directions there
---are goes by the shape: see `astar.Side`.
---
---Errors: `direction must be "north_east", "east", ...`.
---@param x integer
---@param y integer
---@param direction astar.DirectionName
---@return integer? x
---@return integer? y
function Grid:neighbour(x, y, direction) end

---How many steps lie between two cells over open ground, on squares diagonal ones, too.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@return integer
function Grid:distance(x0, y0, x1, y1) end

---Where the middle of a cell lies, neighbours being 1 apart: (x, y) itself on squares. On hexagons rows (of "odd_q" and
---"even_q" columns) lie 0.866 apart and every other one is pushed on by 0.5, from the origin on.
---@param x integer
---@param y integer
---@return number x
---@return number y
function Grid:center(x, y) end

---The cell whose middle is nearest to a point: what was clicked on. nil where that is outside.
---@param x number
---@param y number
---@return integer? x
---@return integer? y
function Grid:cell_at(x, y) end

---How much memory the grid takes up, with what is kept beside it for its finders. What searches work in is
---shared by all grids of a Lua state and not counted.
---@return integer bytes
function Grid:bytes() end

---@class astar.LinkOptions
---What the whole step costs, whatever the ground is: a number from 0 to 1000000. Default: 1.
---@field cost? number
---What `path:link` tells of it. Default: none, which it tells as true.
---@field label? string|number
---Whether there is no way back over it. Default: false.
---@field one_way? boolean

---@class astar.Link
---@field x0 integer
---@field y0 integer
---@field x1 integer
---@field y1 integer
---@field cost number
---@field label string|number|true
---@field one_way boolean false where it is the same both ways

---Links two cells, which need not be neighbours: stairs, a portal, a jump. The unit must be able to
---stand on either. A link that is there already takes the new options.
---
---Errors: `a link must join two cells, got (3, 4) twice`; an option out of its range.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param options? astar.LinkOptions
function Grid:link(x0, y0, x1, y1, options) end

---Takes the link between two cells away, both ways or, with `one_way`, only that from the first to
---the second. Returns whether there was any.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param one_way? boolean default false
---@return boolean
function Grid:unlink(x0, y0, x1, y1, one_way) end

---All links, in the order of their first cells, row by row. One that is the same both ways stands
---there once.
---@return astar.Link[]
function Grid:links() end

---A side of a cell. Squares have "north", "east", "south" and "west"; hexagons in rows ("odd_r", "even_r") all but
---"north" and "south", hexagons in columns all but "east" and "west".
---@alias astar.Side astar.DirectionName

---Puts a thin wall on a side of a cell: no step leads across it, or, where it is `one_way`, none
---out of this cell. Past a wall across one of the two ways around a diagonal step that way counts as
---an obstacle; past walls across both no diagonal step leads.
---
---Errors: `direction must be "north", "east", "south" or "west", got ...`.
---@param x integer
---@param y integer
---@param direction astar.Side
---@param one_way? boolean default false
function Grid:wall(x, y, direction, one_way) end

---Takes the wall on a side of a cell away, or, with `one_way`, what bars the step out of it.
---@param x integer
---@param y integer
---@param direction astar.Side
---@param one_way? boolean default false
function Grid:unwall(x, y, direction, one_way) end

---Whether a wall bars the step out of a cell across one of its sides.
---@param x integer
---@param y integer
---@param direction astar.Side
---@return boolean
function Grid:has_wall(x, y, direction) end

---@class astar.Wall
---@field x integer
---@field y integer
---@field direction astar.Side
---@field one_way boolean false where it bars the way in, too, or stands at the edge of the grid

---All walls, in the order of their cells, row by row, each cell's clockwise from north. One that bars
---both ways stands there once, with the first of the two cells.
---@return astar.Wall[]
function Grid:walls() end

---An equal grid of its own, for what-if questions: whatever is done to either changes nothing of the other. It takes
---some hundred bytes until one of both is edited; only then is the map copied, with what is built of it for finders.
---@return astar.Grid
function Grid:clone() end

---A number that grows with every edit: equal numbers mean an unchanged grid.
---@return integer
function Grid:version() end

---Where edits were made since the grid had that version, for what shows a map or keeps something for each cell of it: rectangles, which
---may overlap, of a wall or a link the cell. Nil where that is not known: after more than 256 edits of the ground, or of one layer of
---blocks, and once a terrain was added or its cost changed. Then anything may have.
---
---Errors: `version must be an integer from 0 to 5, got 9`.
---@param version integer as `grid:version()` told it
---@return integer[]? changes `{ x1, y1, width1, height1, x2, ... }`
function Grid:changes(version) end

---Shares the map with all Lua states of the process, under a name: `astar.shared` gets it there. It goes on being
---this state's to edit and to ask, at once and as ever; others see what was published last.
---
---Errors: `another map is shared as "town"`; `grid is shared already`; `maps cannot be shared: astar was built without
---threads`.
---@param name string one byte or more, of any kind
function Grid:share(name) end

---Lets all who share the map see it as it is now: all edits since the last time, or none. It never waits for them;
---while one goes on reading an older version, that stays as it is, and a further copy of the map is made, up to eight.
---Beyond that it is nil and "every copy is being read", and the next call publishes these edits, too.
---@return integer|nil version as `grid:version()` here and, from now on, there
---@return "every copy is being read"? reason
function Grid:publish() end

---Frees the name. What others have of the map goes on showing the last version. Also done when the grid is collected. Of a grid that is
---not shared it does nothing.
function Grid:unshare() end

---The grid as a string for `astar.load`, the same on every machine; not made for reading.
---@return string
function Grid:dump() end

---The map as text, a line a row, each ended by "\n". On a path the cells are `*`, its first one
---`S`, its last one `G`; a block of any layer is `X`; ground is what `legend` has for its key, else the key itself
---where it is one character, else `.`, `:` where it costs more than 1, `#` where it cannot be entered. It may
---have keys that the grid has not, to serve many grids.
---On hexagons blanks part the cells, and what is pushed on stands between, of columns on a line of its own.
---On a search open cells are `+`, closed ones `-`, until it has found its path, which is drawn over them.
---@param path? astar.Path|astar.Search
---@param legend? table<astar.Key, string>
---@return string
---@overload fun(self: astar.Grid, legend?: table<astar.Key, string>): string
function Grid:draw(path, legend) end

---A finder for one kind of unit.
---
---Errors: `unknown option "diagonal" (did you mean "diagonals"?)`; an option out of its range.
---@param options? astar.FinderOptions
---@return astar.Finder
function Grid:finder(options) end

---`grid:finder(options):find_path(sx, sy, gx, gy)`, for a single query. Among the options `suppose_blocked` may stand, too, see
---`astar.Question`.
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param options? astar.FinderOptions
---@return astar.Path? path nil when there is none
---@return astar.Reason? reason why there is none
function Grid:find_path(sx, sy, gx, gy, options) end

-- ---- field ----

---@class astar.FieldOptions
---The north-west cell's coordinates, integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---That of the grid whose finders are to avoid it, for `stamp` goes by how far middles are apart. Default: "square".
---@field shape? astar.Shape
---Needs `shape = "hex"`. Default: "odd_r".
---@field offset? astar.Offset
---That of the grid.
---@field wrap? astar.Wrap

---A layer of numbers over a map, one a cell: danger, crowding, scent, what is seen; for the option `avoid` of
---finders, to which values below 0 count as 0. They are in single precision and stay from -1000000 to 1000000: what
---is added beyond is cut off.
---@class astar.Field
local Field = {}

---A field, 0 everywhere; or one of a grid's size, origin and shape.
---
---Errors: a side is no integer from 1 to 16777216, or there would be more than 268435456 cells.
---@param width integer
---@param height integer
---@param options? astar.FieldOptions
---@return astar.Field
---@overload fun(grid: astar.Grid): astar.Field
function astar.field(width, height, options) end

---The value of a cell.
---@param x integer
---@param y integer
---@return number
function Field:get(x, y) end

---Gives a cell a value, from -1000000 to 1000000.
---@param x integer
---@param y integer
---@param value number
function Field:set(x, y, value) end

---Adds to the value of a cell, or takes away, from -1000000 to 1000000.
---@param x integer
---@param y integer
---@param value number
function Field:add(x, y, value) end

---Gives all cells of a rectangle a value, or all there are: `field:fill(value)`.
---@param x integer its west column
---@param y integer its north row
---@param w integer
---@param h integer
---@param value number from -1000000 to 1000000
---@overload fun(self: astar.Field, value: number)
function Field:fill(x, y, w, h, value) end

---Adds `value` to a cell and less to those around: `value * (1 - d / (radius + 1))` to each at a
---straight distance d up to `radius`. A value below 0 takes away.
---@param x integer
---@param y integer
---@param radius integer from 0 to 16777216; it may reach beyond the field
---@param value number from -1000000 to 1000000
function Field:stamp(x, y, radius, value) end

---Multiplies all values by a factor; what comes within 0.000001 of 0 becomes 0.
---@param factor number from 0 to 1
function Field:decay(factor) end

---Adds each cell's value of another field, times a factor: a threat and half of a scent as one number.
---
---Errors: `both fields must have the same cells, 9 x 5 from {1, 1} on, got ...`; of all that take two fields.
---@param other astar.Field
---@param factor? number from -1000000 to 1000000, default 1
function Field:add_field(other, factor) end

---Gives each cell the greater of its values in both fields: what any of a party sees, what was ever seen.
---@param other astar.Field
function Field:max(other) end

---Multiplies all values by a factor.
---@param factor number from -1000000 to 1000000
function Field:scale(factor) end

---Makes values below one 0.
---@param value number from -1000000 to 1000000
function Field:threshold(value) end

---Goes through the cells whose value is not 0, row by row: `for x, y, value in field:cells() do`.
---@return fun(): integer?, integer?, number? next x, y and the value
function Field:cells() end

---Width and height in cells.
---@return integer width
---@return integer height
function Field:size() end

---The corners: the first and last column and row.
---@return integer x0 west
---@return integer y0 north
---@return integer x1 east
---@return integer y1 south
function Field:bounds() end

---How much memory the field takes up.
---@return integer bytes
function Field:bytes() end

---A number that grows with every change.
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
---   needs `range` 0, `weight` 1, the default heuristic, no callback, no `avoid`, no `partial`, a `diagonal_cost`
---   below 2 where diagonal steps may cut corners, and a grid without links and walls, else
---   `algorithm "jps" cannot honour weight` is the error
--- * "jpsw": jump point search on any ground, with links, walls and `avoid` (for several costs see
---   Carlson et al., 2023): it jumps over cells around which all costs the same, and steps over the
---   others; "auto" takes it where those are at most a ninth, or a thirty-sixth without diagonal steps; needs `range` 0,
---   `weight` 1, the default heuristic, no callback, no `partial`, and a `diagonal_cost` as for "jps"
---@alias astar.Algorithm "auto"|"astar"|"dijkstra"|"jps"|"jpsw"

---Why there is no path. The start is judged before the goal.
--- * "start blocked": the unit cannot stand on the start's ground (a block on it is no matter), or
---   juts out of the grid there
--- * "goal blocked": the goal cannot be entered
--- * "unreachable": no way leads there
--- * "max_cost": every way costs more than `max_cost`; with a `weight` above 1 those that such a search comes upon
--- * "max_expansions": `max_expansions` were used up
---
---A goal that only a cost function refuses may be "goal blocked" or "unreachable". Where the connected
---components show that no way leads there, the function is not called and the reason is "unreachable".
---@alias astar.Reason "start blocked"|"goal blocked"|"unreachable"|"max_cost"|"max_expansions"

---The cost of a cell to this unit, per unit of length, or false (nil, math.huge) if it may not go there. A function that
---returns no value at all is an error: it lacks a `return`.
---`cost` is what the data says. Asked at most once a cell a query, and only about cells that the
---data lets this unit enter. It may query any grid, but not edit the one it is asked about. Of a
---unit wider than a cell it is asked about the cells it covers: the dearest answer counts.
---@alias astar.CostFunction fun(x: integer, y: integer, terrain: astar.Key, cost: number): number|false|nil

---The full cost of the step from (x, y) to its neighbour (nx, ny), or false (nil, math.huge) if there
---is no such step; to return no value at all is an error. `cost` is what it would be otherwise, the step's length included. Asked about
---links, too, with their other ends: of one it may return no less than the lesser of its cost and
---`min_cost`, 0 where that is 0.
---@alias astar.StepCostFunction fun(x: integer, y: integer, nx: integer, ny: integer, cost: number): number|false|nil

---An estimate of the cost left where the goal is dx and dy cells off, both >= 0; on hexagons dx steps over
---open ground, and dy is 0. It must never overestimate, or paths may not be optimal.
---@alias astar.HeuristicFunction fun(dx: integer, dy: integer): number

---How one kind of unit moves. Hexagons cannot honour `diagonals`, `diagonal_cost`, `size` above 1, `any_angle`, the
---heuristics and algorithms of squares: each is an error that names it.
---@class astar.FinderOptions
---Which diagonal steps are allowed. Default: "only_when_no_obstacles".
---@field diagonals? astar.Diagonals
---The length of a diagonal step, a number from 1 to 2. Default: the square root of 2.
---@field diagonal_cost? number
---This unit's own costs over the grid's, by key. Default: none.
---@field costs? table<astar.Key, astar.Cost>
---The cost of a cell, asked of a function. Default: none.
---@field cost? astar.CostFunction
---The full cost of a step, asked of a function. Default: none.
---@field step_cost? astar.StepCostFunction
---The least a callback may return per unit of length; the estimate relies on it, and a callback
---that returns less is an error. So is `min_cost` where there is neither. A number from 0.001 to 1000000. Default: the
---cheapest terrain present.
---@field min_cost? number
---`cost` and `step_cost` promise never to return less than the cost they are told: less is an error. Then landmarks, which
---are measured by the data, are baked for this unit, too. An error where there is neither. Default: false.
---@field dearer_only? boolean
---A name, or a function. Default: the one that fits the move rule.
---@field heuristic? astar.Heuristic|astar.HeuristicFunction
---A number from 1 to 1000000: a path costs at most `weight` times the best, and is found sooner. Default: 1.
---@field weight? number
---The path may cost this much at most, a number >= 0. Default: no limit.
---@field max_cost? number
---Cells to expand at most in one query, an integer >= 1. Default: no limit.
---@field max_expansions? integer
---When the goal cannot be reached, or not within the budget: the path to the reachable cell
---nearest to it, among equally near ones the cheapest to reach. Near is what few steps over open ground lie from the goal, obstacles
---or not: a straight step counts 1 and a diagonal one `diagonal_cost`; columns and rows together if no diagonal steps are allowed;
---on hexagons steps. With a `range` above 0 it is as near as
---that counts, from the nearest cell that the unit covers. Default: false.
---@field partial? boolean
---The unit has arrived when no more than this many columns, and no more than this many rows, lie between the goal and the
---nearest cell that the unit covers, or no more than this many hexagons. The goal itself may be blocked then. With 0 the
---unit's north-west cell must be the goal, whatever its size. An integer from 0 to 16777216. Default: 0.
---@field range? integer
---The unit covers size x size cells and is where the north-west one is. It fits where all of them are
---inside the grid and can be entered, pays for the dearest of them, and moves by its rule for
---diagonals among the cells where it fits. Links and walls are those of the north-west cell. Above 1
---it cannot honour `avoid`. An integer from 1 to 255. Default: 1.
---@field size? integer
---A list of layers of blocks that do not bar this unit, `""` for the unnamed one: its own side's units, doors that
---it can open. Edits of them cost its finder nothing, and end no search or flow; but of a shared map a search in
---slices that asks functions, or whose unit stands among its own blocks, begins again with each publish. Default: none.
---@field ignore? string[]
---What it costs more, per unit of length, to enter a cell where a block of a layer stands: such blocks do not bar this
---unit, it breaks them. Each a number from 0 to 1000000, counted in sixteenths; several blocks add up; a unit of
---a `size` above 1 pays for the dearest ground and the dearest block it covers, in one cell or in two. `cost` is told
---both of a cell, and the dearest cell counts. A layer of price 0 is as one in `ignore`. Algorithms that cannot honour `avoid` cannot honour it. Default: none.
---@field breach? table<string, number>
---Default: "auto".
---@field algorithm? astar.Algorithm
---A field of the grid's size, origin and shape: its value is added to a cell's cost per unit of length, before
---`cost` and `step_cost` are asked. A change of it counts from the next question on. Or a list of at most 16
---`{field, weight}`, weights from -1000000 to 1000000: their sum is added, 0 where that is less. Default: none.
---@field avoid? astar.Field|{ [1]: astar.Field, [2]: number }[]
---What the values of `avoid`, a field, are multiplied by, a number from 0 to 1000000. Default: 1.
---@field avoid_weight? number
---Routes of straight lines along which the unit's body can go. The path by steps is found first, by the other options:
---it tells whether there is a way, where it ends and what budgets allow. If all ground costs the same and there are no
---callbacks, `avoid`, links, walls or margin, the route is the shortest of all such routes; the expansions of that search
---count. Elsewhere it is the path by steps smoothed, no leg dearer than the part that it replaces. Default: false.
---@field any_angle? boolean
---How much wider than its cells the unit is on each side, in cells, along the legs that smoothing and `any_angle` make: a
---number from 0 to 255. Legs of the path by steps stay, whatever the margin; the edge of the map does not count. On
---hexagons it is an error. Default: 0.
---@field margin? number
---"fewer": no zigzags where a route costs the same without them; "fewest": of equally cheap routes one with
---the fewest bends. Default: "any".
---@field bends? astar.Bends
---What each bend adds to the cost of a route, a number from 0 to 1000000, or one for each angle, in degrees:
---`{ [45] = 1, [90] = 3, [180] = 9 }`. An angle that is not named costs as the next larger one that is, above the
---largest as that: 135 degrees here 9. Steps turn by 45, 90, 135 and 180 degrees, with diagonals "never" by 90
---and 180, on hexagons by 60, 120 and 180: another one is an error. Default: 0.
---@field bend_cost? number|table<integer, number>
---The direction the unit faces at the start: a first step in another one is a bend. An error without
---`bends` "fewest" or a `bend_cost`. Default: none.
---@field heading? astar.DirectionName

---What is made of bends, the changes of direction along a route.
--- * "any": nothing
--- * "fewer": zigzags are taken out of the route that any algorithm has found: of three legs, the first and the
---   last of which go the same way, two change places where all cells cost the same; where callbacks tell
---   costs it does nothing
--- * "fewest": there are as few as the best cost allows. Then, and with a `bend_cost`, A* searches over cells and
---   directions of arrival, and expands each pair by itself; jump point searches
---   cannot honour that. A link has no direction: after it, as at the start, every step is as good. With a
---   `weight` above 1 there may be more bends than need be.
---
---`any_angle` cannot honour the last two.
---@alias astar.Bends "any"|"fewer"|"fewest"

---What one question may have its own way: these options of its finder, for that once. Any other key is an
---error that suggests the nearest name.
---@class astar.Question
---@field weight? number
---@field max_cost? number `math.huge` for no limit where the finder has one
---@field max_expansions? integer
---@field partial? boolean
---@field range? integer
---@field bends? astar.Bends
---@field heading? astar.DirectionName `walker.heading or nil`, for a walker that is sent elsewhere
---Rectangles `{ x, y, w, h }`, a cell each without `w` and `h`, that count as blocked for this question: what would be.
---Nothing is edited, and no version made. The unit's own place at the start is free. Of `find_path`, `find_nearest`,
---`reachable`, `raycast` and `sweep`; with a search, a queue or workers it is an error.
---@field suppose_blocked? integer[][]
---A schedule of the finder's grid, or a table of one, `at` and the other options of `schedule:find_path`: the answer is
---what that says, a timed path. Of `finder:find_path` alone, with none of the others but `max_expansions` and `weight`.
---@field schedule? astar.Schedule|table

---Finds paths over one grid for one kind of unit.
---@class astar.Finder
local Finder = {}

---The options it was made with, in a table that is the caller's: `grid:finder(finder:options())` is another
---of its kind.
---@return astar.FinderOptions
function Finder:options() end

---The same unit on another grid: a finder with the same options, those that it was made with. The finder itself where
---that is its own grid.
---@param grid astar.Grid of the same size, shape and origin, a clone as a rule; it must know the terrains and labels
---  that the options name
---@return astar.Finder
function Finder:with_grid(grid) end

---The best path from start to goal; of one cell when they are the same.
---
---Errors: a cell outside the grid; whatever a callback raises; a callback's number out of range
---(`cost callback returned nan for (3, 4); expected a number > 0, or false for no entry`); one that returns no value
---(`cost callback returned nothing for (3, 4): return a number, or false for no entry`); a callback that
---edits the grid.
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param question? astar.Question
---@return astar.Path|astar.TimedPath|nil path nil when there is none; a timed path with the question's `schedule`
---@return astar.Reason? reason why there is none
function Finder:find_path(sx, sy, gx, gy, question) end

---@class astar.BakingOptions
---"auto" takes labels where they fit the bytes, else a hierarchy, else landmarks, and nothing where none
---of them gains. Default: "auto", and "landmarks" where `pivots` is given.
---@field method? "auto"|"labels"|"hierarchy"|"landmarks"
---@field bytes? integer that labels or a hierarchy may take at most, an error with "landmarks"; 64 for each walkable cell
---@field pivots? integer of landmarks, 0 to 16; 4; 0 lets go of what was baked

---Works out what makes later queries faster, for a map that has settled, as long as there is no callback,
---field to avoid, range or heuristic of one's own. Labels and hierarchies serve ground of one cost
---without links and walls; landmarks any ground, links, walls and a weight: the distances of all cells from a few
---pivots far apart, and over ground of several costs those to the pivots, too (the differential heuristic:
---Sturtevant et al., IJCAI 2009). Routes cost what they cost before, though of several that are the best it
---may be another one; always the same for the same baked data.
---
---Labels and hierarchies serve all finders of the same rule, size, terrains entered and `diagonal_cost`
---on this grid, until one of them bakes again, and every question that asks for a whole best route: no
---range, weight, `partial` or budget. Walls built later do no harm; once a cell opens, queries go on without
---until it is closed or the map baked again. Landmarks are this finder's own, and edits make up for what
---opens or becomes cheaper; where a terrain becomes cheaper all over the map, or a quarter of it or
---65,000 cells are edited at once, queries go on without until baked again.
---
---Errors: `pivots must be an integer from 0 to 16, got 17`; an unknown option; pivots with another method.
---@param options? astar.BakingOptions
---@return astar.Baked
function Finder:bake(options) end

---The same as a job, in slices; its `result` is what was baked. It bakes the map as it is when the job
---begins, and is in force from the step on that returns "done".
---@param options? astar.BakingOptions
---@return astar.Job
function Finder:baking(options) end

---Puts in force what `baked:save()` gave, on the same map, for a finder of the same rule, size and
---`diagonal_cost`; for landmarks no step may cost less than it did. All of it is checked: whatever the
---string is, routes stay routes.
---
---Errors: `not baked data, or damaged`; `baked for another map`, `another rule of diagonals`, `another
---size`, `another diagonal_cost`, `other costs, links or walls`; `nothing can be baked for this finder`.
---@param data string
---@return astar.Baked
function Finder:load_baked(data) end

---Whether there is a path, known from connected components without a search. With a callback, or
---on a grid with walls, only a search can tell, and one is made.
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param question? { suppose_blocked: integer[][] } see `astar.Question`
---@return boolean
function Finder:reachable(sx, sy, gx, gy, question) end

---@class astar.MinCutOptions
---Of more cells than these no cut is told, from 0 to 64. Default: 8.
---@field most? integer

---The fewest cells whose blocking parts two others: gaps to wall up. None where they are parted; `nil, "open"` where it
---takes more than `most`, or nothing lies between them. Of several such sets the one nearest to the goal. To wall in one
---cell takes four as a rule, so no answer is larger but over corners, on hexagons and over links.
---
---Errors: `min_cut cannot honour size or callbacks`.
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param options? astar.MinCutOptions
---@return { x: integer, y: integer }[]? cells
---@return "open"? reason
function Finder:min_cut(sx, sy, gx, gy, options) end

---The cells each of whose blocking alone parts two others, from the start to the goal: every route passes them, or a
---corner of theirs.
---
---Errors: `chokepoints cannot honour size or callbacks`.
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@return { x: integer, y: integer }[]? cells
---@return "unreachable"? reason
function Finder:chokepoints(sx, sy, gx, gy) end

---Whether one cell sees the other, at any distance: a line of sight. Blocks and ground of the two cells do not count. Cells between
---them that bar a unit of one cell stop sight, or what `opaque` says instead, and so do thin walls that bar both ways. Each of the
---two cells sees the other, or neither does. Callbacks are not called; links, the unit's size and its rule for corners do not count.
---
---Errors: a cell outside the grid; an option unknown or wrong; `opaque` names a terrain that the grid has not.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param options? astar.SightOptions
---@return boolean sees
function Finder:sees(x0, y0, x1, y1, options) end

---Whether the unit could walk straight from the centre of one cell to that of another: over the cells
---of Bresenham's line (1965), each step allowed by the unit's rule; four-connected for "never". If
---not, also the first cell that stops it: where a unit wider than a cell does not fit; the start itself
---where the ground bars the unit. The answer is the same from both ends, but where one of them is
---blocked (what stands on a start is the unit itself), past one-way walls, and by `step_cost`. A blocked end (x1, y1) stops
---the line: for a line of sight to a unit that is a block itself call `sees`.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param question? { suppose_blocked: integer[][] } see `astar.Question`
---@return boolean clear
---@return integer? x
---@return integer? y
function Finder:raycast(x0, y0, x1, y1, question) end

---Whether the unit's body can go straight from the centre of one cell to that of another, as it goes along the legs of smoothed
---paths and of routes at any angle: no cell that its square covers on the way, even in part, is one that it cannot enter.
---By rules that cut corners the square covers no more of a blocked cell than in a diagonal step. The finder's `margin`
---widens the square. If the unit cannot, also a cell that is in its way; the start where the ground there bars the unit.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param question? { suppose_blocked: integer[][] } see `astar.Question`
---@return boolean clear
---@return integer? x
---@return integer? y
function Finder:sweep(x0, y0, x1, y1, question) end

---The fewest blocks without which there would be a way from (sx, sy) to (gx, gy), in the order of one: what to break
---first, why there is none. {} where nothing parts the cells; `nil, "unreachable"` where to lift blocks does not
---help. Counted are all blocks that bar this unit, each in a cell with several layers, on the goal, too, not under the
---start. Of several such sets it is always the same one.
---
---Errors: a cell outside the grid; `blockers cannot honour a size above 1`, `blockers cannot honour cost functions`.
---@param sx integer
---@param sy integer
---@param gx integer
---@param gy integer
---@return { x: integer, y: integer, layer: string }[]|nil blocks
---@return "unreachable"|nil reason
function Finder:blockers(sx, sy, gx, gy) end

---The largest size that fits at (x, y): the side of the largest square of cells, (x, y) its
---north-west one, without blocks and of ground that this finder's unit can enter, whatever its own
---size. 0 where (x, y) itself is not free. Callbacks are not asked. Takes the longer the larger it is:
---some nanoseconds a row.
---
---Errors: a cell outside the grid.
---@param x integer
---@param y integer
---@return integer size
function Finder:clearance(x, y) end

---What stops sight: what is in neither list does not, but for thin walls.
---@class astar.Opaque
---Blocks of these layers; `""` is the unnamed one.
---@field layers? string[]
---Ground of these keys.
---@field terrain? astar.Key[]
---Whether thin walls that bar both ways stop sight. Default: true.
---@field walls? boolean

---@class astar.SightOptions
---What stops sight. Default: what bars the finder's unit, and thin walls.
---@field opaque? astar.Opaque

---@class astar.FovOptions
---Where it looks: a direction's name, or an angle in radians as `walker.angle` is, 0 east, clockwise. Default: all around.
---@field facing? astar.DirectionName|number
---How wide a cone it sees about that, in degrees from 0 to 360. Default: 120.
---@field angle? number
---The field to fill, of the grid's size, origin and shape. Default: a new one.
---@field into? astar.Field
---What stops sight. Default: what bars the finder's unit, and thin walls.
---@field opaque? astar.Opaque

---What can be seen from a cell, whatever stands there: 1 in each such cell, 0 in all others. Cells that the finder's data
---let a unit of one cell enter pass sight, all others stop it and are seen; `opaque` knows windows, water and smoke. Thin walls that bar
---both ways stop sight. Of two cells that pass sight each sees the other, or neither does, as `sees` says. Callbacks are not called, links
---do not count.
---
---Errors: `radius must be an integer from 0 to 255, got 256`; `angle needs facing, ...`; `into` is of other cells;
---`opaque` names a terrain that the grid has not.
---@param x integer
---@param y integer
---@param radius integer how far away a middle may be; on hexagons how many steps
---@param options? astar.FovOptions
---@return astar.Field
function Finder:fov(x, y, radius, options) end

---@class astar.SpreadOptions
---What there is at a source that has no strength of its own, from 0 to 1000000. Default: 1.
---@field value? number
---From 0, as much as far as it reaches, to 1, as `field:stamp` falls off over open ground. Default: 1.
---@field falloff? number
---The field to fill, of the grid's size, origin and shape. Default: a new one.
---@field into? astar.Field

---What spreads from some cells by this unit's ways, round walls: sound, scent, light, threat. A cell that costs d to reach
---from a source, at most `reach`, has `value * (1 - falloff * d / (reach + 1))`, of several sources the greatest; all others
---have 0. A source may be blocked, as the start of a route may. `{ x, y, strength }` has a strength of its own in place of `value`.
---
---Errors: `sources must be a list of cells, got ...`; an option out of its range; `spread cannot honour bend_cost`.
---@param sources ({ [1]: integer, [2]: integer, [3]: number? }|{ x: integer, y: integer })[]
---@param reach number from 0 to 1000000
---@param options? astar.SpreadOptions
---@return astar.Field
function Finder:spread(sources, reach, options) end

---A part of a desire map: `[1]` a flow or a field, of any finder over a grid of this size and origin; `[2]` its weight,
---from -1000000 to 1000000, 1 by default.
---@class astar.DesirePart
---@field [1] astar.Flow|astar.Field
---@field [2]? number
---What a cell's distance counts as where the flow has none. By default no step leads there.
---@field missing? number

---Several flows and fields, each times its weight, added up: to hunt, flee, guard and loot at once.
---
---Errors: `parts must be a list of { flow or field, weight }, got ...`; a part of another size or origin, or made with
---`steps_only`; `a flow cannot honour bend_cost`.
---@param parts astar.DesirePart[]
---@return astar.DesireMap
function Finder:desire_map(parts) end

---What a unit wants most around it, told by weighed flows and fields. It holds nothing of its own: what they are now counts.
---@class astar.DesireMap
local DesireMap = {}

---The cell to step on to: of this one and those that the finder's unit can step to from here the one with the least sum.
---It stays where none has less; of equal ones it takes the one a flow would. Links are no steps of it. And the sum here;
---`nil` and the reason where a flow has no distance, or the unit cannot be here.
---@param x integer
---@param y integer
---@return integer? x
---@return integer|astar.Reason y
---@return number? value
function DesireMap:next(x, y) end

---The sum at a cell; `nil` and the reason as `next`.
---@param x integer
---@param y integer
---@return number? value
---@return astar.Reason? reason
function DesireMap:value(x, y) end

---The best path to whichever goal is cheapest to reach, and which that is: goals that are blocked or
---that no way leads to are passed over; of equally cheap ones the one farther north, then west (but with
---a `weight` above 1; with `partial`, of those come equally near to at the same cost); of several in one
---cell the first. `nil, "goal blocked"` when all are blocked, `nil, "unreachable"`
---when none of the others can be reached or there are none. All options count as for `find_path`, but
---a heuristic function is not asked.
---
---With a function in place of the goals: the best path to a cell for which it returns true. It is
---asked once a cell, the cheapest to reach first and the start first of all, and may do what a cost
---function may. There is no index then; `partial` and `range` do not count.
---
---A goal with names may be any table that has x and y, such as a unit of the game; one without holds two numbers.
---
---Errors: `goals must be a list of cells or a function, got ...`; a goal outside the grid; an algorithm
---that `find_path` refuses, whatever the goals.
---@param sx integer start
---@param sy integer
---@param goals astar.Goals|({ [1]: integer, [2]: integer }|{ x: integer, y: integer })[]|fun(x: integer, y: integer, terrain: astar.Key): boolean
---@param question? astar.Question
---@return astar.Path? path nil when there is none
---@return integer|astar.Reason|nil index of the goal reached, or the reason why there is no path
function Finder:find_nearest(sx, sy, goals, question) end

---The same as a search, to be made a few expansions at a time: `search:path()` gives the path and the index.
---The list is copied. An edit in between that may have changed the answer has it begin anew by itself, six
---times at most; after that it is asked of the map as it was at one moment, and ends whatever is edited. A
---function for the goals may not step or close the search.
---@param sx integer start
---@param sy integer
---@param goals astar.Goals|({ [1]: integer, [2]: integer }|{ x: integer, y: integer })[]|fun(x: integer, y: integer, terrain: astar.Key): boolean
---@param question? astar.Question
---@return astar.Search
function Finder:finding_nearest(sx, sy, goals, question) end

---A search for the best path, to be made a few expansions at a time. It is made where `find_path`
---would have answered, too: then its status tells. What it needs of the map that is not there yet, or
---outdated by edits, is built by its steps, within their budget, but on small maps at once.
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param question? astar.Question
---@return astar.Search
function Finder:search(sx, sy, gx, gy, question) end

---@class astar.PreparingOptions
---Whether it also finds where jump point search leads nowhere: alcoves, dead ends. Later searches take half to nine
---tenths of the time on game maps, as long as before in rooms and on noise, until an edit: then another such job looks
---at what is near it, in a tenth of a millisecond. Routes stay the same. It takes one to eight times as long as all else
---on game maps, seventy times in narrow mazes; no question does it. Default: false.
---@field settled? boolean

---A job that builds all that searches by this finder need of the map, in slices. Else the first question
---does, and the first after a large edit. The grid may be edited in between. Once "done" it stays so.
---
---Errors: an unknown option; at a step, where the algorithm asked for by name cannot honour what is on the map.
---@param options? astar.PreparingOptions
---@return astar.Job
function Finder:preparing(options) end

---A goal of a flow: `{ x, y }`, or `{ x, y, extra }` with what arriving there costs on top of the way (earns, below 0). Or any
---table that has x and y by name, such as a unit of the game, of which nothing else is read.
---@alias astar.FlowGoal { [1]: integer, [2]: integer, [3]: number? }|{ x: integer, y: integer }

---@class astar.FlowOptions
---Cells farther than this from the goals are left out, a number >= 0. Default: no limit.
---@field max_cost? number
---All cells at which the unit is within this range of a goal are goals, at the goal's value, as in `find_nearest`: an
---integer from 0 to 16777216. Default: the finder's `range`.
---@field range? integer
---Of this flow only steps are asked. Default: false.
---@field steps_only? boolean

---A flow field (distance map, Dijkstra map): the distances of all cells to whichever goal is cheapest,
---one search for any number of units. Nothing is worked out yet: each question goes on as far as it
---needs. Also `finder:flow(x, y, options)` for one goal.
---
---With `steps_only` nothing but steps can be asked of it: `next` and `path`. Once it has been worked out as
---a whole, by `complete`, `update` or a completing job, it keeps a step of half a byte for each cell that has
---one, about 0.65 bytes a cell of open ground in place of 8 to 9, and gives its distances back. Until then it
---takes what others do. Any edit then has it worked out anew, where others are repaired; `distance`, `cells`
---and `flee` are errors from the beginning. What cost functions said of cells is kept.
---
---Goals that are blocked are passed over, but a unit may stand there; so it may on any cell that is only
---blocked. Where units are blocks themselves, `ignore` their layer, and the flow goes through them, to goals
---they stand on. Of the finder's options `range` (unless the flow has its own) and `max_cost` count, and callbacks are asked about a cell
---once a flow; `weight`, `partial`, `max_expansions`, `bends`, `heading`, `heuristic` and `algorithm` do not, and
---a `bend_cost` is an error: distances know of no bends. Links, walls and
---`avoid` are honoured, and a change of them is repaired like an edit.
---
---Of a field all cells are goals that have a value, which is theirs; what the field becomes later does not matter.
---
---Errors: `goals must be a list of cells or x, y, got ...`; a goal outside the grid; an extra cost that is no
---number from -1000000000 to 1000000000; a field of other cells.
---@param goals astar.FlowGoal[]|astar.FlowGoal|astar.Field
---@param options? astar.FlowOptions
---@return astar.Flow
---@overload fun(self: astar.Finder, x: integer, y: integer, options?: astar.FlowOptions): astar.Flow
function Finder:flow(goals, options) end

---The other way round: what it costs to go from (x, y) to each cell within a budget: the movement range
---of a turn. `range` does not count.
---@param x integer
---@param y integer
---@param max_cost number >= 0; math.huge for no limit
---@return astar.Flow
function Finder:reach(x, y, max_cost) end

---@alias astar.Place { [1]: integer, [2]: integer }|{ x: integer, y: integer }

---What it costs from each place to each, as `find_path` would have it, by few floods: `rows[i][j]` is from `places[i]` to `others[j]`,
---`math.huge` where there is no way. Of the finder's options `weight` and `partial` do not count.
---
---Errors: `places must be a list of places, got ...`; `places[3]: ...` of one outside the grid.
---@param places astar.Place[]
---@param others? astar.Place[] default: the same places
---@return number[][] rows
function Finder:matrix(places, others) end

---Options of `finder:tour`.
---@class astar.TourOptions
---Where it begins: no place of the list. Default: at whichever place is best.
---@field from? astar.Place
---`true`: back to where it began; a place: it ends there. Default: it ends at the last place.
---@field back? boolean|astar.Place

---The best order to call at all places, by the costs of `matrix`. Up to 12 places it is the best there is; beyond, a good one:
---the best costs `bound` at least. Costs may differ by direction.
---@param places astar.Place[]
---@param options? astar.TourOptions
---@return integer[]? order indices of places; nil when there is no order
---@return number|"unreachable" cost or the reason
---@return boolean? exact whether no order costs less
---@return number? bound no order costs less than this
function Finder:tour(places, options) end

---Options of `finder:intercept`.
---@class astar.InterceptOptions
---What of a path's cost the unit makes a second; cells, where all cost 1. Default: 1.
---@field speed? number
---How many cells a second who follows the path makes, as a walker. Default: 1.
---@field its_speed? number
---Which of the path's cells that one is on. Default: the first.
---@field index? integer

---The way to meet who follows a path at the earliest: at the first of its cells where the unit can be no later, else at its
---end, where it waits.
---
---Errors: `path: astar path expected, got ...`; `start: ...` outside the grid; an option unknown or wrong.
---@param x integer
---@param y integer
---@param path astar.Path
---@param options? astar.InterceptOptions
---@return astar.Path? path to where they meet
---@return number|astar.Reason seconds until both are there, or the reason
---@return integer? index of the path's cell
function Finder:intercept(x, y, path, options) end

-- ---- flow ----

---Distances to goals, or of a reach from its start. Always right: after an edit of the grid the next
---question first repairs what that changed. A callback that raises leaves it where it was, and it can be
---asked again.
---@class astar.Flow
local Flow = {}

---What it costs to go from a cell to the goals, the goal's value included; of a reach, to the cell.
---
---`nil` and a reason without a way: "start blocked" (the unit cannot stand on that ground), "goal blocked"
---(all goals; of a reach the cell), "max_cost" (no way within the limit), "unreachable" (no way at all: by
---components, or since nothing is beyond the limit). The same of a flow that lived through edits as of a fresh one.
---@param x integer
---@param y integer
---@return number? distance
---@return astar.Reason? reason
function Flow:distance(x, y) end

---The cell to step on to from (x, y): itself where it is best to stay, as at a goal. Of equally good steps
---the diagonal ones come first, then clockwise from north: north-east, south-east, south-west, north-west,
---north, east, south, west. Of a reach: the cell before on the way from the start.
---@param x integer
---@param y integer
---@return integer? nx nil when there is no way
---@return integer ny or, where nx is nil, the astar.Reason
function Flow:next(x, y) end

---The path from a cell to the goal it is led to; of a reach, from the start to the cell. Its cost is
---that of its steps.
---@param x integer
---@param y integer
---@return astar.Path? path
---@return astar.Reason? reason
function Flow:path(x, y) end

---Works out all and iterates, row by row, over the cells that have a distance:
---`for x, y, distance in flow:cells() do`.
---@return fun(): integer?, integer, number
function Flow:cells() end

---The flow that leads away from the goals: its distances times `factor`, scanned again, so that units
---run past a goal where the way out is better. It covers the cells this one has distances of, and is
---worked out anew after edits.
---
---Errors: `a reach has no goals to flee from; flee from a flow`.
---@param factor? number from -1000 to -1: the lower, the more of a detour. Default: -1.2
---@return astar.Flow
function Flow:flee(factor) end

---How many free cells that have a way to a goal now would have none, were these blocked: "may I build here?". The
---blocked cells themselves are not counted. Nothing is edited. Mostly it takes as long as what is cut off is large; over
---links, past walls and within `max_cost` as long as two flows.
---
---Errors: `count_cut_off is of flows to goals, and asks no callbacks`.
---@param x integer
---@param y integer
---@param w? integer Default: 1
---@param h? integer Default: 1
---@param layer? string what is built there; a layer that the finder ignores cuts nothing off
---@return integer cells
function Flow:count_cut_off(x, y, w, h, layer) end

---Takes in the edits of the grid now rather than at the next question, and works out again what was
---before. Little changed is little work.
---@return integer expanded how many cells it had to expand
function Flow:update() end

---Works out the distances of all cells now.
---@return integer expanded how many cells it had to expand
function Flow:complete() end

---A job that works out the distances of all cells in slices, within a budget a frame. In between the flow
---can be asked, which does what that needs at once, and the grid edited, which the next step takes in.
---It ends whatever is edited: where edits have cost it as much as six whole flows it goes on on a copy of
---the map, made in its steps, too. Once "done" it stays so: later edits the next question takes in, or a new job.
---@return astar.Job
function Flow:completing() end

-- ---- jobs ----

---What takes longer than a frame, made step by step. Searches are jobs, too.
---@class astar.Job
---@field status "running"|"done"
---@field result any what it made or worked on, once it is done: of `finder:baking` an `astar.Baked`
local Job = {}

---Does about as much as to expand `n` cells, or as many as the budget allows. After the end it does
---nothing. What a callback raises leaves the job where it was: the next step goes on.
---@param n? integer|astar.Budget default 1
---@return "running"|"done" status
function Job:step(n) end

---Lets go of what it works on, which stays as far as it has come. Any use of the job afterwards is an
---error.
function Job:close() end

-- ---- baked data ----

---What `finder:bake`, a job of `finder:baking` and `finder:load_baked` leave.
---@class astar.Baked
---@field method "labels"|"hierarchy"|"landmarks"|"none" none: nothing would pay, or fit
---@field bytes integer that it holds
---@field gain number about how many times less work questions are, by a sample of them
---@field pivots integer how many landmarks there are
---@field milliseconds number the processor time of the steps made in this Lua state; next to nothing where a worker baked
local Baked = {}

---What was baked as a string, the same on every machine, with a hash of the map: labels and hierarchies
---of the map as it was then, landmarks as it is now.
---
---Errors: `nothing was baked that could be saved`; `these landmarks no longer hold: bake again`, where
---edits made them void or others were baked.
---@return string
function Baked:save() end

---Whether questions are answered by it as the map is now: false once a cell is free that was not, or
---something else was baked.
---@return boolean
function Baked:is_current() end

-- ---- search ----

---How a search stands: under way, done, or why there is no path; "grid changed" after a step in which one
---of its functions edited the map, which is an error.
---@alias astar.SearchStatus "running"|"found"|"grid changed"|astar.Reason

---How much to do at once.
---@class astar.Budget
---Milliseconds, a number >= 0. Default: no limit.
---@field ms? number
---How many expansions, an integer >= 1. Default: no limit.
---@field expansions? integer

---A search made step by step. Its answer is `find_path`'s, however the steps fall. A callback that
---raises leaves it where it was: the next step goes on. So it does after edits that cannot have changed
---its answer: of cells not next to one it has reached, with jump point search of cells that no route as
---short as its own can pass. Its path is then that of a search begun after them. Where they may have it begins
---anew, the fourth time on a copy of the map as it is then: so it ends however much is edited, with a best path of
---a version that the map had since it was begun.
---@class astar.Search
---@field status astar.SearchStatus
---@field expanded integer how many cells it has expanded
---@field algorithm? astar.Algorithm|"labels"|"hierarchy" the one that runs; nil where none was needed, or none has begun
---@field restarts integer how often edits have had it begin anew, 4 at most
local Search = {}

---Makes at most `n` expansions more, or as many as the budget allows, at least one. What has to be built
---of the map first counts by how long it takes. After the end it changes nothing.
---
---Errors: whatever a callback raises; `search was stepped or closed by its own callback`; a callback
---that edits the grid; an algorithm asked for by name that cannot honour what was edited.
---@param n? integer|astar.Budget default 1
---@return astar.SearchStatus
function Search:step(n) end

---The path, once it is found.
---@return astar.Path? path
---@return integer|astar.SearchStatus|nil status why there is none, or none yet: "running"; of `finding_nearest`, with a path, the index of the goal
function Search:path() end

---Every cell that is open or closed: `for x, y, state, g, h, f, px, py in search:cells() do`.
---state is "open" or "closed"; g is the cost of the best way there yet, h the estimate of the rest,
---f = g + weight * h; (px, py) the parent, the cell before on that way, nil for the start. Jump point
---search has jump points for nodes, several cells apart, and g to four digits or more; for the nearest of a few goals
---it begins at them: then g is counted from there, and h to the start.
---@return fun(): integer?, integer, "open"|"closed", number, number, number, integer?, integer?
function Search:cells() end

---Gives its memory back at once rather than when it is collected; paths stay. Any use of it
---afterwards is an error.
function Search:close() end

-- ---- workers ----

---Threads that answer a queue's requests while the script goes on: `astar.queue { workers = }`. They end when it is closed,
---collected, or the state ends.
---@class astar.Workers
local Workers = {}

---Starts threads.
---
---Errors: `n must be an integer from 1 to 64, got ...`; `no more threads can be started`; `built without threads`.
---@param n integer how many
---@return astar.Workers
function astar.workers(n) end

---Ends the threads, in the middle of what they are at. What was asked before is answered by the updates it is due in.
function Workers:close() end

---How many threads there are, 0 once closed.
---@return integer
function Workers:count() end

---The bytes of the copies of maps that they read, and of what they search in, as each had it at its last answer.
---@return integer copies
---@return integer searches
function Workers:bytes() end

-- ---- queue ----

---Answers requests a little each frame: one at a time, by priority, then in the order they came in.
---@class astar.Queue
local Queue = {}

---A queue's workers.
---@class astar.QueueOptions
---@field workers? astar.Workers the threads that answer its requests, and make its searches and flows. Default: none, updates do
---@field delay? integer with workers the update after asking, 1 to 1000, that answers: on every machine the same one, which waits if need be. Default: 2

---A new queue. With workers, what was asked since the last update is handed to them by the next one, about the map as it
---is then, or, while both copies of it are being read, as the later of those has it.
---
---Errors: `delay needs workers`; `delay must be an integer from 1 to 1000, got ...`; `workers must be what
---astar.workers returns, got ...`.
---@param options? astar.QueueOptions
---@return astar.Queue
function astar.queue(options) end

---Asks for a path, to be found by coming updates. What is half done when the map is edited goes on or begins anew, behind
---the others of its priority, and ends as any search in slices. The last of those half done is begun again when a fifth is
---begun, unless it was three times, or edits had it begin anew as often.
---
---What workers cannot honour, finders with functions or `avoid` and those of graphs, is the script's own thread's.
---
---Errors: those of `finder:search`; `priority must be a finite number, got ...`; with workers `workers are closed`.
---@param finder astar.Finder
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param question? astar.Question may be left out
---@param callback? fun(path: astar.Path?, reason: astar.Reason?, ticket: astar.Ticket)
---@param priority? number higher ones first, but what has waited while twice as many left as waited with it. Default: 0
---@return astar.Ticket
---@overload fun(self: astar.Queue, finder: astar.Finder, sx: integer, sy: integer, gx: integer, gy: integer, callback?: fun(path: astar.Path?, reason: astar.Reason?, ticket: astar.Ticket), priority?: number): astar.Ticket
---@overload fun(self: astar.Queue, finder: astar.GraphFinder, a: any, b: any, question?: astar.GraphQuestion, callback?: fun(path: astar.GraphPath?, reason: string?, ticket: astar.Ticket), priority?: number): astar.Ticket
function Queue:request(finder, sx, sy, gx, gy, question, callback, priority) end

---The same for a script that runs as a coroutine: sleeps until an update has found the path and wakes
---it. Raises what the finder's functions raise.
---
---Errors: `await must be called in a coroutine`.
---@param finder astar.Finder
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param question? astar.Question may be left out
---@param priority? number higher ones first. Default: 0
---@return astar.Path? path
---@return astar.Reason? reason
---@overload fun(self: astar.Queue, finder: astar.Finder, sx: integer, sy: integer, gx: integer, gy: integer, priority?: number): astar.Path?, astar.Reason?
function Queue:await(finder, sx, sy, gx, gy, question, priority) end

---Has a job made by coming updates, among the requests and by the same order: a search, what
---`finder:finding_nearest()`, `path:repairing()`, `finder:preparing()` or `flow:completing()` return, or anything else that has `step` and `status`. It stays its maker's: the
---queue does not close it. Of `expansions`, what it was given counts as used.
---
---With workers those make searches and repairs that ask no function, as the map was when they were handed over, and complete flows.
---
---Errors: `job must be a search, what flow:completing() returns or the like, got ...`; `priority must be a
---finite number, got ...`; `done must be a function, got ...`.
---@param job astar.Search|astar.Job
---@param options? { priority?: number, done?: fun(job: astar.Search|astar.Job) } priority: higher ones first. Default: 0. done: called once the job has ended
---@return astar.Ticket
function Queue:add(job, options) end

---Works on the requests until the budget is used up or none is left: once a frame. What a callback or a finder's
---function raises is raised here; that request is over then, the others are as before.
---
---With workers the budget is for what they cannot do, and may be left out where nothing such waits; requests that are due are
---waited for, and all answered: what callbacks of theirs raise is raised after that, of several errors the first.
---
---Errors: `update needs ms or expansions`; `update needs a budget: something waits that workers cannot do`.
---@param budget? astar.Budget one that is answered without an expansion counts as one
---@return integer waiting how many requests are left
function Queue:update(budget) end

---How many requests are waiting or half done.
---@return integer
function Queue:count() end

---Has coming updates repair a walker's path, as `walker:repair` does: where an edit has hundreds to repair, they share the budget.
---The walker walks on meanwhile, up to what is shut. One that waits already keeps its ticket. Ask it after an edit, not each frame.
---
---`optimal` is as of `walker:repair`; set by a later call, it holds for the repair that waits.
---
---Errors: `astar walker expected, got ...`; `priority must be a finite number, got ...`; `optimal must be a boolean, got ...`.
---@param walker astar.Walker
---@param options? number|{ priority?: number, optimal?: boolean } a number is the priority: higher ones first. Default: 0.
---@return astar.Ticket
function Queue:repair(walker, options) end

---What became of a request.
---@class astar.Ticket
---@field status "waiting"|"running"|"found"|"done"|"cancelled"|"failed"|astar.Reason "failed": a function raised; "done": of a job
---@field priority number
---@field restarts integer how often it has begun anew, 7 at most: after an edit, or where too many were half done
local Ticket = {}

---The path, once it is found.
---@return astar.Path? path
---@return string|integer|nil status why there is none, or none yet; of `finder:finding_nearest`, with a path, the index of the goal
function Ticket:path() end

---Takes the request back; its callback will not be called. A job stays where it is.
---@return boolean cancelled false when it was over already
function Ticket:cancel() end

---Changes the priority: the request goes behind those that have it. The same again changes nothing.
---@param priority number
function Ticket:set_priority(priority) end

-- ---- path ----

---A path: cells from start to goal, each a neighbour of the one before but where a link joins them. `#path` counts them; `path[i]` is `{ x =, y = }`,
---or nil where there is no such cell. Not for `ipairs` and `pairs`, which some Luas refuse and others do not:
---`for x, y in path:cells() do` goes over it.
---@class astar.Path
---@field cost number the sum of the steps' costs, and what `bend_cost` adds for each bend
---@field length number how long the line through its turning points is, in cells; a link counts as one
---@field bends integer how often the direction changes; of the first leg, too, where the question had a `heading`
---@field expanded integer how many cells the search expanded
---@field algorithm astar.Algorithm|"labels"|"hierarchy" the one that ran, never "auto"; or what was baked
---@field partial boolean true when it does not lead to the goal but to the cell nearest to it
---@field of_world boolean true of a stretch of a world's route: what is beyond it only the route can tell
---@field [integer] { x: integer, y: integer }
---@operator len: integer
local Path = {}

---The i-th cell; makes no table.
---
---Errors: `i` is no integer from 1 to `#path`.
---@param i integer
---@return integer x
---@return integer y
function Path:cell(i) end

---Where the middle of the i-th cell lies, as `grid:center` has it.
---
---Errors: `i` is no integer from 1 to `#path`.
---@param i integer
---@return number x
---@return number y
function Path:center(i) end

---The cells in order: `for x, y in path:cells() do`.
---@return fun(): integer?, integer?
function Path:cells() end

---The cells in one list: { x1, y1, x2, y2, ... }.
---@return integer[]
function Path:cells_flat() end

---The cells as a list of tables.
---@return { x: integer, y: integer }[]
function Path:totable() end

---The label of the link that leads from the i-th cell to the next one, true where it has none; nil
---where no link does, as for the last cell.
---
---Errors: `i` is no integer from 1 to `#path`.
---@param i integer
---@return string|number|true|nil
function Path:link(i) end

---The blocks that stand now in the cells it enters, of layers to which the finder's option `breach` gives a price above 0:
---what the unit has to break, in order. Empty where it goes round.
---@return { x: integer, y: integer, layer: string }[]
function Path:breaches() end

---The turning points only: the first cell, the last, and each where the direction changes or a link
---begins or ends.
---@return { x: integer, y: integer }[]
function Path:waypoints() end

---The compass name of each step, one less than there are cells; "link" where it leads over one.
---@return (astar.DirectionName|"link")[]
function Path:directions() end

---A path from the same start to the same goal with few straight legs between cells of this one. The unit's body can go along
---each leg, as `finder:sweep` has it, and a leg costs no more than the part of the path that it replaces. Its cells are
---consecutive too: those of the lines. Links and straight legs of the path stay. It is not longer than this path, except a
---path at any angle that loses legs. The work is about linear in the cells.
---@return astar.Path
function Path:smooth() end

---The path walked back, from cell to cell by a step or over a link, whichever is cheaper. Its cost is that of walking
---back; `math.huge` where that is not possible.
---@return astar.Path
function Path:reverse() end

---Whether the path could still be walked on the grid as it is now, from the cell at index `from`
---(default: 1) on, and if not, the index of the first cell that cannot be reached along it. Known at
---once where the grid is as it was when that was last true, unless callbacks have to be asked. Where a link between
---neighbours is gone, a step will do. Of a stretch of a world's route what is not loaded cannot be walked.
---
---Errors: `from must be an integer from 1 to N, got ...`, N being the number of cells.
---@param from? integer
---@return boolean valid
---@return integer? index
function Path:is_valid(from) end

---What it costs to walk the path up to its i-th cell, over the grid as it is now: 0 for the first cell, and for the last
---one the path's cost unless the grid has been edited. Bends cost as in `path.cost`. `nil` and the index of the first
---cell that cannot be stepped on, if that comes first. A call takes time linear in `i`.
---
---Errors: `i must be an integer from 1 to N, got ...`, N being the number of cells.
---@param i integer
---@return number? cost
---@return integer? index
function Path:cost_at(i) end

---The index of the last cell that a unit at the cell `from` (default: 1) comes to along the path if it can pay `cost`:
---how far the unit walks in a turn. The steps cost what they do on the grid as it is now. The unit stops before a cell
---that it cannot step on; what blocks the cell `from` is taken for the unit itself. A call takes time linear in the
---cells that are walked.
---
---Errors: `cost must be a number from 0 to inf, got ...`; `from must be an integer from 1 to N, got ...`.
---@param cost number
---@param from? integer
---@return integer index
function Path:index_within(cost, from) end

---@class astar.RepairOptions
---The index of the cell where the unit stands, from 1 to #path. Default: 1.
---@field from? integer
---Whether the whole way is searched for anew, to be the cheapest. Default: false.
---@field optimal? boolean

---A path from the cell `from` to the same goal on the grid as it is now. What is still good of this
---one is kept, all of it or up to the cell before the first bad one, from where a new search leads
---on, by the question that this one answered; it can be walked, but need not be the cheapest. Anew from `from`, and so the cheapest, if
---`optimal` is set, if this path is partial, or if what was kept does not lead to the goal. This path
---stays as it is.
---
---Errors: an option unknown or out of range; the same as for `find_path` where there are callbacks.
---@param options? astar.RepairOptions
---@return astar.Path?
---@return astar.Reason? reason
function Path:repair(options) end

---The same as a search, to be made a few expansions at a time: `search:path()` gives the repaired path. This
---one is copied. An edit in between that may have changed the answer has it begin anew by itself, three times
---at most; after that it is repaired on the map as it was at one moment, so it ends whatever is edited, and may have to be repaired again.
---@param options? astar.RepairOptions
---@return astar.Search
function Path:repairing(options) end

---@class astar.RetargetOptions
---The index of the cell where the unit stands, from 1 to #path. Default: 1.
---@field from? integer
---How many times the cost of the best path the new one's may be, from 1, the best. Default: 1.1.
---@field bound? number

---A path from the cell `from` to another goal, (gx, gy), by the question that this one answered: for hunters, whose prey moves a
---little each frame. All but the end of this one is kept, and a short search leads on from there, as long as that is known to cost
---no more than `bound` times the best; then the whole is searched for anew. That goes for paths that `find_path` or `retarget` gave, on a map not
---edited since; after an edit, and with callbacks, `weight`, `range`, `any_angle`, `bend_cost` or of a smoothed path, it is always searched for anew.
---
---Errors: `gx must be an integer from X to Y, got ...`; an option unknown or out of range; what callbacks raise.
---@param gx integer
---@param gy integer
---@param options? astar.RetargetOptions
---@return astar.Path?
---@return astar.Reason? reason
function Path:retarget(gx, gy, options) end

-- ---- walker ----

---@class astar.WalkerOptions
---Cells a second, a number > 0. A diagonal step takes the square root of 2 times as long as a straight one.
---Default: 1.
---@field speed? number
---`true`: the path is straightened, by `path:smooth`. `false`: it goes from middle to middle of the path's cells, also where that is
---straight. Default: as the path is.
---@field straight? boolean
---How far before a turn it begins to round it, and how far behind it is done, in cells, from 0 to 0.5: so the curve stays in the
---circle within the cell of the turn. Less where it would save more than a tenth of the legs about it. Default: 0.4.
---@field corner? number
---By how many cells a second its speed changes in a second, from rest to `speed`, and to rest at the goal; before
---what is shut it stops at once. Default: it has its speed at once.
---@field acceleration? number
---How many radians a second `angle` turns, at most; more than a right angle off where it is to go, it stands and turns. Default: at
---once.
---@field turn? number

---Moves a sprite along a path, by distance along the straight lines between its turning points: it is there after
---`path.length / speed` seconds. With `straight = false` on a smoothed or any-angle path it goes by the middles of the cells, which is
---farther than `path.length`, and takes as much longer. It rounds the corners within their cells, and is at either end of the curve when it would be without.
---@class astar.Walker
---@field x number where it is now; on hexagons as `grid:center` has it
---@field y number
---@field arrived boolean whether it has reached the last cell
---@field waiting boolean whether it stood still at the end of the last update, because what is ahead is shut
---@field angle number|false where it faces, in radians: 0 is east, clockwise as y grows to the south; false before any step
---@field acceleration number|false cells a second a second; may be changed on the way, as `turn`
---@field turn number|false radians a second
---@field blocked boolean whether it waits, or goes back a step to wait: the next cell is shut, or `repair` has found no way
---@field heading astar.DirectionName|false the direction nearest to where its line leads, or led last: which way to draw it; false before any step
---@field speed number cells a second; may be changed on the way
---@field path astar.Path what it follows: set by `follow` and `repair`
---@field index integer which of the path's cells it is on or has left last; 1 while it comes to the first
---@field link string|number|boolean the label of the link it stands at the entrance of, about to pass; else false
local Walker = {}

---A walker on the first cell of `path`.
---
---Errors: `astar path expected, got ...`; `speed must be a number > 0, got ...`, and the like for each option; `straight` of a
---path of a world.
---@param path astar.Path
---@param options? astar.WalkerOptions
---@return astar.Walker
function astar.walker(path, options) end

---Walks on for `dt` seconds, over as many cells as that takes, at most to the last one. Makes no
---garbage.
---
---No step is made that is closed now, by the unit's own rules: before a cell that may not be entered it stops, however long the
---frame, and is `blocked`; from the middle of a step it goes back to the cell before. It goes on by itself once the
---step is free, and by another way when `repair` finds one. A block of the unit's own counts, too, but where it stands: a game that
---blocks a cell for a unit to come does so in a layer that its finder ignores, or when it is there. Of a
---stretch of a world's route no step is asked about: that is for `path:is_valid`.
---
---Errors: `dt must be a number >= 0, got ...`; whatever a callback raises, which may be asked about a step.
---@param dt number seconds, >= 0
---@return number x the last cell's own whole number once arrived; on hexagons its middle
---@return number y
---@return boolean arrived
function Walker:update(dt) end

---The cell from which a new path for it should begin: the one it is on; between two the one it walks
---to, or, where the step there has been closed, the one it comes from. At a link the link's entrance.
---
---Errors: whatever a callback raises, which may be asked about the step.
---@return integer x
---@return integer y
function Walker:cell() end

---Goes on along another path, from where it is: nothing but `update` ever moves it. To a path that begins
---
---- on the cell it is on or walks to: it walks to the middle of that first. Such are paths from `walker:cell()`.
---- on the cell it comes from: it is in mid-step already where the path begins with that very step;
---  otherwise it turns back to that cell.
---- anywhere else: in a straight line to the first cell, whatever lies between.
---
---Errors: `astar path expected, got ...`.
---@param path astar.Path
function Walker:follow(path) end

---@class astar.WalkerRepairOptions
---Whether the whole way is searched for anew, also where its path can still be walked: the walker follows the new path if it
---is cheaper. Default: false.
---@field optimal? boolean

---Follows `path:repair` of its path, as a new rest from `walker:cell()`, where that can no longer be walked;
---known at once where nothing was edited, so it may be asked each frame. Where there is no way, it walks to
---the next cell, or back if the step there has been closed, and waits there until a later `repair` finds one, or
---for `follow`. The reason is "start blocked" too where a cell was closed that leads to a path's first cell.
---
---Errors: an option unknown or wrong; whatever a callback raises; `a path of a world cannot do this: ask its route`.
---@param options? astar.WalkerRepairOptions
---@return astar.Path? path what it follows now, the same where that is still good
---@return astar.Reason? reason
function Walker:repair(options) end

---The same as a job, made in slices: `queue:repair` adds it to a queue.
---
---Errors: as of `repair`.
---@param options? astar.WalkerRepairOptions
---@return astar.Job
function Walker:repairing(options) end

---@class astar.WalkerRetargetOptions
---How many times the cost of the best path the new one's may be, from 1, the best. Default: 1.1.
---@field bound? number

---Has its path lead to another cell, where what it is after has moved, by `path:retarget` from the cell that it walks to, and follows that; it may
---be asked each frame. Where there is no way, it goes on along the path it has. What it is after may block its own cell: then the
---reason is "goal blocked", unless the walker's finder has `range = 1`, or ignores that layer of blocks (`ignore`).
---
---Errors: as of `path:retarget`; `a path of a world cannot do this: ask its route`.
---@param gx integer
---@param gy integer
---@param options? astar.WalkerRetargetOptions
---@return astar.Path? path what it follows now
---@return astar.Reason? reason
function Walker:retarget(gx, gy, options) end

---The walker as a string, for a saved game: its path, where it is on that, and all that it was told. Beside it save the grid.
---
---Errors: `a path of a world cannot do this: ask its route`.
---@return string dump to be given to `astar.load_walker`; a few hundred bytes
function Walker:dump() end

-- ---- crowds ----

---Options of `astar.crowd`.
---@class astar.CrowdOptions
---Beats a second, and so cells a second, from 0.001 to 1e6. Default: 4.
---@field speed? number
---Of distances to goals and routes, at most. Without room for more, who wants to go there waits. Default: 64e6.
---@field bytes? number
---Whether units enter only what is empty, so that whole squares of them never overlap. Default: false.
---@field exclusive? boolean
---Of how many cells a beat may work out distances, about; an integer >= 1. Half as much more goes into routes of units
---that wait for them. Where new goals keep coming a beat takes all of it, some 12 ms by default: give fewer where steps
---between two beats have less time. Default: 262144.
---@field expansions? integer
---Whether units that come no nearer for 16 beats, and one more for each unit near, get a plan for all within 6 cells, then
---12, 24 and 48, standing "planning" for a beat or two, 64 at most. Default: true.
---@field knots? boolean
---Breaks ties between equally good steps: an integer >= 0. Default: 0.
---@field seed? integer
---Whether a diagonal step takes 1.41 times as long as a straight one, so that units are drawn at their speed there, too;
---else it takes as long. Default: false.
---@field even? boolean

---@class astar.UnitOptions
---How it moves: a finder of the same grid. Default: the crowd's.
---@field finder? astar.Finder
---It steps once in so many beats at most, 1 to 1000. Default: 1.
---@field period? integer
---How many cells a second it goes, from a thousandth of the crowd's speed to that. Default: the crowd's by its period.
---@field speed? number
---How far it turns in a second at most, in radians; 0: at once. Default: 0.
---@field turn? number
---Whom it makes way for: units of two sides neither do for each other nor push one another. Default: none, one of its own.
---@field side? string

---@class astar.GoOptions
---Whether a unit goes, where no way leads to that cell, to the nearest to it, by straight line, of those that one leads to;
---with a `range` above 0 to where it comes nearest with a cell that it covers. Default: false.
---@field partial? boolean
---A unit has arrived where no more columns and no more rows lie between the cell and the nearest one that the unit covers: a
---whole number, 0 to 64. With 0 its north-west cell is to be there. Default: 0.
---@field range? integer

---@class astar.CrowdGoOptions
---As for `unit:go`; with a shape it is always so.
---@field partial? boolean
---As for `unit:go`; no shape has one.
---@field range? integer
---What units form around the cell: each has a slot of its own there, those of up to 200 given out so that ways cross least.
---A slot that cannot be had moves to the nearest free cell within 24. "keep": as they stand now. Default: none, they fill
---the cells around it.
---@field shape? "keep"|"line"|"box"|"wedge"|"disc"
---Where the front of a shape is: a heading's name, or an angle in radians, 0 east, clockwise. Default: from the middle of
---the units to the cell.
---@field facing? astar.DirectionName|number
---How many cells are left between slots, 0 to 16. Slots are as wide as the largest unit. Default: 0.
---@field gap? integer
---Whether all step as seldom as the slowest of them, until their next order. Default: false.
---@field together? boolean

---@class astar.ChaseOptions
---How many columns and rows may lie between the nearest cells that the two cover, 1 to 64: with 1 they stand side by side.
---Default: 1.
---@field range? integer

---"moving": it stepped in the last beat, or its period has not come round. "waiting": it wants to go on and could not.
---"arrived": it is where it was sent, or wants nothing. "held": by `unit:hold(true)`. "planning": no way of its own is found
---yet, or a plan is made. "stuck": no way leads there now, or it has come no nearer for long. "lost": whom it chased was
---removed. "removed": it was itself. The state is what the last beat and the orders since then left, however far
---`crowd:step` has worked ahead, so games in lockstep may go by it.
---@alias astar.UnitState "moving"|"waiting"|"arrived"|"held"|"planning"|"stuck"|"lost"|"removed"

---A step of a beat: who went where.
---@class astar.Move
---@field unit astar.Unit
---@field from_x integer
---@field from_y integer
---@field x integer
---@field y integer
---@field heading astar.DirectionName|nil the last step's; a link has none

---Many units on one grid that never bump. They move in beats, all at once and at most one step each; no two are
---ever in a cell, none swap, cross or cut a corner. Edits of the grid count from the next beat on. The same calls give the
---same beats on every machine. `#crowd` is the number of units.
---@class astar.Crowd
---@field beats integer how many took place
---@field under_way integer how many units have not arrived where they were sent
---@field bytes integer that it takes up
---@field speed number beats a second
local Crowd = {}

---A crowd on a finder's grid, whose units move as that finder says: its rule, costs, size. How a search
---would be made, `algorithm`, `heuristic`, `weight`, does not matter.
---
---Errors: `a crowd cannot honour ...` of a finder with `cost`, `step_cost`, `max_cost`, `max_expansions`, `partial`, `range`,
---`bends`, `bend_cost` or `any_angle`, and of hexagons; an option unknown or wrong. Once another is made of the same grid,
---or loaded, all methods of the first are errors: `another crowd was made of this crowd's grid since`.
---@param finder astar.Finder
---@param options? astar.CrowdOptions
---@return astar.Crowd
function astar.crowd(finder, options) end

---Puts a unit on the map, which stays and makes way for others until it is sent somewhere.
---
---Errors: a cell outside the grid; an option unknown or wrong; `finder is of another grid`.
---@param x integer its north-west cell
---@param y integer
---@param options? astar.UnitOptions
---@return astar.Unit? unit
---@return "start blocked"|"occupied"|nil reason where it cannot stand there, or another does, or is still drawn
function Crowd:add(x, y, options) end

---Sends many to one place: they fill the cells around it and stop. Each has arrived where no step nearer is open, nor three
---around who stands there. Units that cannot stand on that very cell are left as they are.
---
---Errors: `units[1] must be a unit, got ...`; a unit of another crowd, or removed; a cell outside the grid; an option
---unknown or wrong.
---@param units astar.Unit[]
---@param x integer
---@param y integer
---@param options? astar.CrowdGoOptions
---@return integer? sent how many were; nil where none can stand there
---@return "goal blocked"|nil reason
function Crowd:go(units, x, y, options) end

---Time passes: the beats that are due take place, and a share of the next is worked out. Makes no garbage.
---It has no budget: all that is left of a beat that is due is made now, the whole where orders or edits came since.
---Work ahead by `step { ms = }` where frames have one.
---
---Errors: `dt must be a number from 0 to 1000000, got ...`.
---@param dt number seconds
---@return integer under_way how many units have not arrived
function Crowd:update(dt) end

---Works ahead on the coming beat, so that `update` or `beat` finds it done. Whatever changes before, units, orders or the
---grid, it is as it would be without.
---
---Errors: a budget that is none.
---@param budget? integer|astar.Budget default 1
---@return "running"|"done" status
function Crowd:step(budget) end

---One beat at once, for games in turns: who goes where.
---@return astar.Move[]
function Crowd:beat() end

---The crowd as a string: units, their orders, and how far each is on its step, the same on every machine. It lets go of plans, which
---units in each other's way get again soon, and a `resolving` is cancelled; routes are found anew with the next beat, and distances in
---force brought up to date now.
---@return string dump to be given to `astar.load_crowd`; 30 to 70 bytes a unit
function Crowd:dump() end

---Where to draw all units, in the order of `units`: `x`, `y` and `heading` of the first, then of the second, and so on.
---To read 5,000 takes a small part of what their fields do. `heading` is false before a unit's first step.
---@param list? table is filled, and what it holds beyond is taken out; a new one by default
---@return (number|astar.DirectionName|false)[] list
---@return integer count of units
function Crowd:positions(list) end

---All units, in no order that means anything.
---@return astar.Unit[]
function Crowd:units() end

---The unit that stands in a cell.
---
---Errors: a cell outside the grid.
---@param x integer
---@param y integer
---@return astar.Unit?
function Crowd:unit_at(x, y) end

---A job that makes a plan by which units get to where they were sent, wherever there is one, and the crowd then goes by it.
---While it is made they stay where they are, others go on; those, and who is held, are walls to it. Who was sent nowhere may
---end anywhere. Keep the job: one that is collected is closed. An error: links on the grid, units larger than a cell or of
---several periods.
---
---Errors: `resolving cannot honour ...`; `units[1] must be a unit, got ...`, one of another crowd, or removed; an option
---unknown or wrong.
---@param units? astar.Unit[] who is to move; default: all that are not held and stand in the window
---@param options? astar.ResolvingOptions
---@return astar.Resolving? job
---@return "bytes"|nil reason
function Crowd:resolving(units, options) end

---@class astar.ResolvingOptions
---Where units may go: `{x, y, width, height}`. Units whose goal lies outside go to the nearest cell of it. Default: the map.
---@field window? integer[]
---What it may take up, beside about 16 bytes a cell. Default: 256e6.
---@field bytes? integer
---How many expansions may go into better plans once there is one. Default: 1048576.
---@field improve? integer

---What makes a plan for units in each other's way.
---@class astar.Resolving
---@field status astar.ResolvingStatus
---@field units integer how many take part
---@field beats integer? how many the plan takes; nil while there is none
---@field left integer? how many of them are to come once the crowd goes by it
---@field cost integer? beats until each unit has arrived, summed up
---@field expanded integer turns of all units that were tried
---@field bytes integer that it takes up
local Resolving = {}

---"done": the crowd goes by the plan, or has. "unsolvable": there is none; "bytes": they were used up; "start blocked": a
---unit stands where it cannot; "grid changed": cells, links, walls or costs have changed under it; "cancelled": an order to
---one of its units, their removal, another plan, or who stood in its way for 17 beats.
---@alias astar.ResolvingStatus "running"|"done"|"unsolvable"|"bytes"|"start blocked"|"grid changed"|"cancelled"

---Works on it.
---
---Errors: a budget that is none.
---@param budget? integer|astar.Budget default 1
---@return astar.ResolvingStatus status
function Resolving:step(budget) end

---Has the crowd go by the plan that there is, however much better it could be made.
---@return boolean follows false: there is none
function Resolving:follow() end

---Ends it, unless the crowd goes by its plan already. A job that nobody holds any more ends, too.
function Resolving:close() end

---A unit of a crowd. Each method but `tostring` is an error once it was removed; its state is then "removed", its other
---fields are nil.
---@class astar.Unit
---@field x number where to draw it, on its way to its cell; of a wide unit its north-west cell: its middle is (size - 1) / 2 on
---@field y number
---@field heading astar.DirectionName? of its last step; nil before any
---@field angle number? which way it is turned, in radians: 0 is east, pi / 2 south; nil before it has gone anywhere
---@field speed number cells a second
---@field state astar.UnitState
---@field size integer its finder's
---@field period integer
---@field priority integer
---@field side string? as it was added
---@field chased astar.Unit? whom it goes after; nil: nobody
---@field blocker astar.Unit? who stands where it would go on to; nil where nobody does, or it wants nothing
local Unit = {}

---The cell it is in since the last beat: its north-west one.
---@return integer x
---@return integer y
function Unit:cell() end

---Where it was sent; nothing where it was not.
---@return integer? x
---@return integer? y
function Unit:goal() end

---Sends it to a cell, by the way that is shortest by the crowd's lengths, as far as others let it. Units of one goal
---fill the cells around it.
---
---Errors: a cell outside the grid; an option unknown or wrong.
---@param x integer
---@param y integer
---@param options? astar.GoOptions
---@return true|nil sent
---@return "goal blocked"|nil reason
function Unit:go(x, y, options) end

---Has it go after another unit, wherever that goes, until it is told something else or the other is removed: its state is
---"lost" then. It has arrived while it is within range. Far off it goes by routes, near by distances about the other.
---
---Errors: `other has been removed`, `other is of another crowd`, `a unit cannot chase itself`; a grid with links; an
---option unknown or wrong.
---@param other astar.Unit
---@param options? astar.ChaseOptions
---@return true
function Unit:chase(other, options) end

---It wants nothing any more: it stays, and makes way for others.
function Unit:stop() end

---While it holds it does not move, nor make way.
---
---Errors: `hold must be a boolean, got ...`.
---@param holds boolean
function Unit:hold(holds) end

---Units of a higher priority go first, however long others have waited.
---
---Errors: `priority must be an integer from -100 to 100, got ...`.
---@param priority integer -100 to 100; 0 at first
function Unit:set_priority(priority) end

---Takes it off the map.
---@return true
function Unit:remove() end

-- ---- goals that stay ----

---A set of cells, for `finder:find_nearest`, `finder:finding_nearest` and `finder:flow` in place of a list. A question with a
---set that has not changed since the last one reads no goal anew: of many that is most of what it takes.
---@class astar.Goals
local Goals = {}

---A set of the cells of a list; one that is in it twice counts once.
---
---Errors: `astar grid expected, got ...`; `goals must be a list of cells, got ...`; a cell outside the grid.
---@param grid astar.Grid whose cells they are
---@param list? ({ [1]: integer, [2]: integer }|{ x: integer, y: integer })[]
---@return astar.Goals
function astar.goals(grid, list) end

---Adds a cell, as the last one.
---@param x integer
---@param y integer
---@return boolean is_new false where it was among them
function Goals:add(x, y) end

---Takes a cell out; the last one gets its number.
---@param x integer
---@param y integer
---@return boolean was_there
function Goals:remove(x, y) end

---Whether a cell is among them.
---@param x integer
---@param y integer
---@return boolean
function Goals:has(x, y) end

---How many there are.
---@return integer
function Goals:count() end

---The goal of a number, the second result of `find_nearest`.
---@param index integer
---@return integer x
---@return integer y
function Goals:cell(index) end

---For each of them, by their numbers: x, y.
---@return fun(): integer?, integer?
function Goals:cells() end

-- ---- floors ----

---@class astar.FloorOptions
---The kinds of ground, as for `astar.grid`; the same for all floors.
---@field terrain? table<astar.Key, astar.Cost>
---The ground of floors given by their size; an error where none is. Default: as for `astar.grid`.
---@field fill? astar.Key
---How many columns of blocked cells lie between two floors, an integer from 1 to 255. Default: 1.
---@field gap? integer
---The grid of such a tower, from `astar.load(tower.grid:dump())`: the tower of that grid is made again. Of the floors only the sizes
---count then. Default: a new grid.
---@field grid? astar.Grid

---Floors as parts of one grid, side by side, with blocked cells between: no step leads from one to another,
---only links do.
---@class astar.Tower
---@field grid astar.Grid what lies underneath: finders, blocks and all else go by its cells
local Tower = {}

---A tower of a list of floors, the first one floor 1: of each what `astar.grid` takes, a drawing or rows, or
---its width and height. They need not be of one size. Loaded on first use.
---
---Errors: `floors must be a list of floors, got ...`; `floor 2: ` and what `astar.grid` says of it; an option
---unknown or out of its range; a `grid` of another size, or with cells beside the floors that are not blocked.
---@param levels (string|astar.Key[][]|string[]|integer[])[]
---@param options? astar.FloorOptions
---@return astar.Tower
function astar.floors(levels, options) end

---The cell of the grid that the cell (x, y) of floor z is.
---
---Errors: a cell that the floor does not have, `y must be an integer from 1 to 5, got 6`.
---@param x integer
---@param y integer
---@param z integer
---@return integer X
---@return integer Y
function Tower:at(x, y, z) end

---The cell of a floor that a cell of the grid is.
---
---Errors: a cell outside the grid, or on no floor: `(4, 1) lies on no floor`.
---@param X integer
---@param Y integer
---@return integer x
---@return integer y
---@return integer z
function Tower:of(X, Y) end

---How large a floor is.
---@param z integer
---@return integer width
---@return integer height
function Tower:size(z) end

---Links two cells, of one floor or of two, as `grid:link` does.
---
---Errors: those of `tower:at` and `grid:link`.
---@param x integer
---@param y integer
---@param z integer
---@param x2 integer
---@param y2 integer
---@param z2 integer
---@param options? astar.LinkOptions
function Tower:link(x, y, z, x2, y2, z2, options) end

-- ---- schedule ----

---Who takes which cells of a grid when. A unit takes a cell from when it begins to step there until it has arrived at the
---next one, a train of cells until its last car has; a diagonal step takes the cells beside it, too, or, where corners may be
---cut, the point between the four. So no two swap places or cross. Times are seconds; a millionth of one counts as none.
---@class astar.Schedule
---@field grid astar.Grid whose cells they are
local Schedule = {}

---A schedule of a grid, nothing taken yet. Loaded on first use.
---
---Errors: `astar grid expected, got ...`.
---@param grid astar.Grid
---@return astar.Schedule
function astar.schedule(grid) end

---@class astar.ReserveOptions
---When the unit sets out. Default: 0.
---@field at? number
---What of a path's cost the unit makes a second. Default: 1.
---@field speed? number
---A train of so many cells, from 1 to 255, that follow each other out of the first. Default: 1.
---@field length? integer
---Whether it keeps the cells that it ends on, or for how many seconds. Default: true.
---@field stay? boolean|number
---Whose path it is: what steps cost, how wide the unit is, what a diagonal step takes. Default: a unit of one cell, to which
---steps cost what they are long.
---@field finder? astar.Finder
---Whether cells that others have at those times are taken all the same: both have them then. Default: false.
---@field force? boolean

---Takes the cells of a path: of a timed path as it was found, of any other from a time on, without waits. Where
---something is taken already nothing is reserved: nil, "taken" and where and from when on both would be there.
---
---Errors: `path: astar path expected, got ...`; `a timed path has its own at`; `the path costs 9, its steps are 5 long:
---reserve needs the option finder`; `path: the finder's unit has no step from (1, 1) to (2, 1)`.
---@param path astar.Path|astar.TimedPath
---@param options? astar.ReserveOptions of a timed path `force` alone
---@return integer? id
---@return "taken"|nil reason
---@return integer? x
---@return integer? y
---@return number? time
function Schedule:reserve(path, options) end

---@class astar.ReserveCellOptions
---From when on. Default: since ever.
---@field from? number
---Until when. Default: for ever.
---@field to? number
---Again each so many seconds; needs `from`, `to` and `times`.
---@field every? number
---How often it is taken in all, from 1 to 65536.
---@field times? integer
---Whether the cell is free in those times and taken in all others: a door with hours, a platform's stop over a pit.
---Default: false.
---@field open? boolean

---Takes a cell for a time, whoever has it besides: a door is shut when it is.
---
---Errors: a cell outside the grid; `to must be later than from, 5, got 3`; `times needs every`.
---@param x integer
---@param y integer
---@param options? astar.ReserveCellOptions
---@return integer id
function Schedule:reserve_cell(x, y, options) end

---Gives back what was reserved. Whether it was held still.
---@param id integer
---@return boolean
function Schedule:release(id) end

---Lets go of all that is over by a time: once in a while, in a game that goes on.
---@param time number
function Schedule:forget(time) end

---Who has a cell at a time: an id, of several the least; nil where it is free.
---@param x integer
---@param y integer
---@param time number
---@return integer?
function Schedule:taken_by(x, y, time) end

---@class astar.TimedPathOptions
---When the unit is at the start. Default: 0.
---@field at? number
---What of a path's cost the unit makes a second. Default: 1.
---@field speed? number
---A train of so many cells, from 1 to 255: needs `size` 1. Default: 1.
---@field length? integer
---The cells behind the start that the train is on, the nearest first. Default: none, it comes out of the start.
---@field tail? astar.Place[]
---Whether the goal has to be free from then on for ever, or for how many seconds. Default: true.
---@field stay? boolean|number
---States to expand at most. Default: the finder's, or 100000, of a train 20000.
---@field max_expansions? integer

---The path that arrives earliest among all that is taken, with waits where that is best. Of the finder count `diagonals`,
---`diagonal_cost`, `costs`, `size`, `ignore`, `breach`, `avoid` and `max_expansions`, and the grid's links and walls; what
---changes no best route, `algorithm`, `heuristic`, `weight`, is no matter.
---
---nil and why: as `finder:find_path`, or "start taken", "goal taken", "taken": what is reserved leaves no way.
---
---Errors: `a schedule cannot honour any_angle`, as `cost`, `step_cost`, `bends`, `bend_cost`, `heading`, `range`, `partial`,
---`max_cost`; `finder: it is of another grid than the schedule`; `length cannot honour size 2`; a cell outside the grid; an option unknown or wrong.
---@param finder astar.Finder
---@param sx integer start
---@param sy integer
---@param gx integer goal
---@param gy integer
---@param options? astar.TimedPathOptions
---@return astar.TimedPath? path
---@return astar.Reason|"start taken"|"goal taken"|"taken"|nil reason
function Schedule:find_path(finder, sx, sy, gx, gy, options) end

---A path with the times at which the unit comes to its cells. It may come to a cell twice.
---@class astar.TimedPath
---@field at number when it sets out
---@field arrival number when it is at the goal
---@field times number[] when it comes to each cell
---@field count integer of cells
---@field cost number the sum of its steps' costs
---@field speed number
---@field expanded integer how many states the search expanded
local TimedPath = {}

---The i-th cell.
---
---Errors: `i` is no integer from 1 to `count`.
---@param i integer
---@return integer x
---@return integer y
function TimedPath:cell(i) end

---When it comes to the i-th cell, and when it leaves it; of the last, when it is gone.
---@param i integer
---@return number arrival
---@return number departure
function TimedPath:time(i) end

---The cells in order: `for x, y, time in path:cells() do`.
---@return fun(): integer?, integer?, number?
function TimedPath:cells() end

---The cells as a list of tables.
---@return { x: integer, y: integer, time: number }[]
function TimedPath:totable() end

---Where the unit is at a time, between two cells, too, as `grid:center` has it, and which cell it was on last: for a sprite.
---Of a train each car by its number. nil before it sets out, once it is gone, and of cars that have not come out yet.
---@param time number
---@param car? integer default 1, the first
---@return number? x
---@return number? y
---@return integer? index
function TimedPath:place(time, car) end

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

---By name, and as a list clockwise from north.
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

---What a node is called: a string, a number, a boolean, or any other value but nil and NaN, by its identity.
---Only graphs whose keys are strings, numbers up to 2^53 and booleans can be dumped.
---@alias astar.NodeKey any

---Options of `astar.graph`.
---@class astar.GraphOptions
---What the rest of the way costs at least, a number >= 0, yours to keep so. Asked once a node a question.
---@field heuristic? fun(node: any, goal: any): number

---Options of `astar.states`.
---@class astar.StatesOptions
---Calls `add(other, cost, label)` for every state that can be reached from this one; cost a number from 0 to 1e15,
---default 1, label what `path:link` will say.
---@field neighbours fun(state: any, add: fun(other: any, cost?: number, label?: any))
---What the rest of the way costs at least, a number >= 0, yours to keep so. Asked once a state a question.
---@field heuristic? fun(state: any, goal: any): number
---What tells states apart, where they are no strings or numbers themselves.
---@field key? fun(state: any): string|number

---A space of states, which has no nodes of its own: of a graph's methods only `finder` is for it.
---@param options astar.StatesOptions
---@return astar.Graph
function astar.states(options) end

---Makes and loads graphs.
---@class astar.GraphModule
---@overload fun(options?: astar.GraphOptions): astar.Graph
local graph = {}

---The graph that `graph:dump()` wrote: it answers as that one does.
---
---Errors: `not a graph's dump, or a damaged one`.
---@param dump string
---@return astar.Graph
function graph.load(dump) end

---Way-points and the edges between them, or a space of states, which has no nodes of its own: of the methods below only
---`finder` is for those. `#graph` is the number of nodes.
---@class astar.Graph
local Graph = {}

---Adds a node, with or without a position; of a key that is there gives the node another position, and edges
---without a cost of their own follow.
---@param key astar.NodeKey
---@param x? number from -1e15 to 1e15; with y or not at all
---@param y? number
function Graph:node(key, x, y) end

---Options of `graph:edge`.
---@class astar.EdgeOptions
---A number from 0 to 1e15. Default: the distance of the two, 1 where one has no position.
---@field cost? number
---A string or a number, which `path:link` tells.
---@field label? string|number
---Default: false, it leads both ways.
---@field one_way? boolean

---Leads an edge from one node to another and back; what there is takes the new cost and label, and stays blocked or open.
---
---Errors: `unknown node "attic"`.
---@param a astar.NodeKey
---@param b astar.NodeKey
---@param options? astar.EdgeOptions
function Graph:edge(a, b, options) end

---Takes a node and its edges away.
---@param key astar.NodeKey
---@return boolean there was one
function Graph:remove(key) end

---Takes the edge away, both ways or only the one from a to b.
---
---Errors: `unknown node "attic"`.
---@param a astar.NodeKey
---@param b astar.NodeKey
---@param one_way? boolean default false
---@return boolean there was one
function Graph:remove_edge(a, b, one_way) end

---Blocks a node, which then cannot be entered (who stands there may leave), or the edge between two, both ways.
---@param a astar.NodeKey
---@param b? astar.NodeKey
function Graph:block(a, b) end

---Opens it again.
---@param a astar.NodeKey
---@param b? astar.NodeKey
function Graph:unblock(a, b) end

---@param a astar.NodeKey
---@param b? astar.NodeKey the edge from a to b
---@return boolean
function Graph:is_blocked(a, b) end

---Whether there is a node of that key.
---@param key astar.NodeKey
---@return boolean
function Graph:has(key) end

---Where a node is; nil: nowhere.
---@param key astar.NodeKey
---@return number? x
---@return number? y
function Graph:position(key) end

---The node nearest to a position, blocked or not; of equally near ones the one made first. nil where none has a
---position.
---@param x number
---@param y number
---@return astar.NodeKey?
function Graph:nearest(x, y) end

---All nodes in the order they were made: `for key, x, y in graph:nodes() do`.
---@return fun(): astar.NodeKey?, number?, number?
function Graph:nodes() end

---All edges out of a node: `for b, cost, label, blocked in graph:edges(a) do`.
---@param a astar.NodeKey
---@return fun(): astar.NodeKey?, number, string|number|nil, boolean
function Graph:edges(a) end

---Counts the edits: equal versions mean an unchanged graph.
---@return integer
function Graph:version() end

---The bytes it takes up, the memory kept for its searches included.
---@return integer
function Graph:bytes() end

---The graph as a string, the same on every machine, for `astar.graph.load`.
---
---Errors: a key that only this state knows, such as a table.
---@return string
function Graph:dump() end

---Options of `graph:bake` and `graph:baking`.
---@class astar.GraphBakeOptions
---How many, 0 to 16; 0 lets go of what was baked. Default: 8.
---@field landmarks? integer

---Measures the distances of all nodes from a few far-off ones, as estimates for finders without a cost function, or with
---one that is `dearer_only` (ALT): with positions or none, searches expand far fewer nodes. Blocks may come and go, edges be taken
---away; after a new edge or a lower cost searches go on without until baked again. Four bytes a node and landmark, twice that
---where ways back cost something else.
---@param options? astar.GraphBakeOptions
---@return { landmarks: integer, bytes: integer } what is in force now
function Graph:bake(options) end

---The same as a job, whose result is the graph: in force once it is "done". A new edge in between begins it anew.
---@param options? astar.GraphBakeOptions
---@return astar.Job
function Graph:baking(options) end

---Options of a finder on a graph.
---@class astar.GraphFinderOptions
---What the step over an edge costs this unit: a number, or false (nil, math.huge) if it cannot go there. To return no
---value at all is an error. `cost` is the edge's own.
---Asked once an edge a question. Where positions make the estimate it may not return less than the distance times the
---least cost per length of all edges, or `min_cost`: less is an error.
---@field cost? fun(a: astar.NodeKey, b: astar.NodeKey, label: string|number|nil, cost: number): number|false|nil
---The least that `cost` returns per unit of distance, a number >= 0; 0: no estimate by positions. Default: the least of
---all edges.
---@field min_cost? number
---`cost` promises never to return less than the edge's own: less is an error. Then landmarks and components hold for this
---unit, too: doors that want a key. Default: false.
---@field dearer_only? boolean
---The route costs at most `weight` times the best, and is found sooner: a number >= 1. Default: 1.
---@field weight? number
---Give up beyond this cost. Default: no limit.
---@field max_cost? number
---Give up after expanding so many nodes. Default: no limit.
---@field max_expansions? integer
---Without a way, the route to the node nearest to the goal, by positions or the heuristic. Default: false.
---@field partial? boolean

---What one question has its own way.
---@class astar.GraphQuestion
---As the finder's.
---@field weight? number
---As the finder's.
---@field max_cost? number
---As the finder's.
---@field max_expansions? integer
---As the finder's.
---@field partial? boolean

---How one kind of unit goes over the graph. Every edit counts from its next question on.
---@param options? astar.GraphFinderOptions
---@return astar.GraphFinder
function Graph:finder(options) end

---Options of `graph:join`.
---@class astar.JoinOptions
---How the unit goes over the graph. Default: a finder without options.
---@field finder? astar.GraphFinder
---How far from start and goal way-points are looked for. Default: no limit.
---@field radius? number

---Joins the graph to a grid: routes from a cell straight to way-points in sight, along edges, and straight to the goal.
---A node's position is a place as `grid:center` has it: on squares the cell itself.
---@param finder astar.Finder of the grid: its rule and size tell what is in sight
---@param options? astar.JoinOptions
---@return astar.JoinedGraph
function Graph:join(finder, options) end

---How one kind of unit goes over a graph, or through a space of states.
---@class astar.GraphFinder
local GraphFinder = {}

---The cheapest route. Ties break by the order in which nodes were made, or states met.
---
---Errors: `unknown node "attic"`; `graph was edited during the search`; whatever a callback raises.
---@param a astar.NodeKey
---@param b astar.NodeKey
---@param question? astar.GraphQuestion
---@return astar.GraphPath? path
---@return "goal blocked"|"unreachable"|"max_cost"|"max_expansions"|nil reason
function GraphFinder:find_path(a, b, question) end

---The route to the goal that is cheapest to reach, of a list, or the first node for which a function returns true.
---@param a astar.NodeKey
---@param goals astar.NodeKey[]|fun(node: any): boolean
---@param question? astar.GraphQuestion without `partial`
---@return astar.GraphPath? path
---@return integer|string|nil index of the goal, of a list, or the reason
function GraphFinder:find_nearest(a, goals, question) end

---All nodes within a budget, and within the finder's own `max_cost` and `max_expansions`; the rest of its options
---do not count but `cost`.
---@param a astar.NodeKey
---@param max_cost number >= 0; math.huge for no limit
---@return astar.GraphReach
function GraphFinder:reach(a, max_cost) end

---The same question as `find_path`, to be answered a few expansions at a time.
---@param a astar.NodeKey
---@param b astar.NodeKey
---@param question? astar.GraphQuestion
---@return astar.GraphSearch
function GraphFinder:search(a, b, question) end

---What it costs from each node to each, as `find_path` has it: `rows[i][j]` is from `places[i]` to `others[j]`, `math.huge`
---where there is no way.
---@param places astar.NodeKey[]
---@param others? astar.NodeKey[] default: the same
---@return number[][] rows
function GraphFinder:matrix(places, others) end

---The best order to call at all nodes, as a grid's finder has it.
---@param places astar.NodeKey[]
---@param options? { from?: astar.NodeKey, back?: boolean|astar.NodeKey }
---@return integer[]? order
---@return number|"unreachable" cost
---@return boolean? exact
---@return number? bound
function GraphFinder:tour(places, options) end

---What it was made with.
---@return astar.GraphFinderOptions
function GraphFinder:options() end

---A route over a graph: `path[i]` is a node's key, or a state. It stays as it is whatever becomes of the graph.
---@class astar.GraphPath
---@field [integer] any
---@field cost number the sum of its steps, added in their order
---@field expanded integer how many nodes the search expanded
---@field partial boolean ends at the nearest node instead of the goal
local GraphPath = {}

---The label of the step from `path[i]` to the next, nil where it has none.
---@param i integer
---@return any
function GraphPath:link(i) end

---A list of the keys.
---@return any[]
function GraphPath:totable() end

---A search over a graph, made step by step. Edits in between do not concern it: it is of the graph as it was when it
---began, and each edit keeps what it changes, for it, until it has ended or is closed.
---@class astar.GraphSearch
---@field status "running"|"found"|astar.Reason
---@field expanded integer
local GraphSearch = {}

---Makes at most `n` expansions more, or as many as the budget allows.
---@param n? integer|astar.Budget default 1
---@return "running"|"found"|astar.Reason
function GraphSearch:step(n) end

---The path, once it is found; until then, and when there is none, nil and the status.
---@return astar.GraphPath? path
---@return string? status
function GraphSearch:path() end

---Gives its memory back at once.
function GraphSearch:close() end

---What `finder:reach` found. After an edit of the graph the next question searches anew.
---@class astar.GraphReach
local GraphReach = {}

---What it costs to a node.
---@param key astar.NodeKey
---@return number? cost
---@return "unreachable"|"max_cost"|"max_expansions"|nil reason
function GraphReach:distance(key) end

---The route there.
---@param key astar.NodeKey
---@return astar.GraphPath? path
---@return "unreachable"|"max_cost"|"max_expansions"|nil reason
function GraphReach:path(key) end

---All nodes and what it costs to them, the nearest first: `for key, cost in reach:nodes() do`.
---@return fun(): astar.NodeKey?, number
function GraphReach:nodes() end

---A graph joined to a grid, by `graph:join`.
---@class astar.JoinedGraph
local JoinedGraph = {}

---The cheapest route from cell to cell: straight where the goal is in sight, else over way-points. Its first and last
---place are cells, `{x =, y =}`, those between them keys. Straight lines cost their length in cells; edges what they
---say. A way-point is at the cell nearest to its position.
---@param sx integer
---@param sy integer
---@param gx integer
---@param gy integer
---@param question? astar.GraphQuestion without `partial`
---@return astar.GraphPath? path
---@return astar.Reason? reason
function JoinedGraph:find_path(sx, sy, gx, gy, question) end

---The same question as `find_path`, answered step by step: the search looks at a few way-points per step, and searches the
---graph in its last one. If the graph or the grid is edited between two steps, the search restarts; after three restarts it
---finishes in its next step.
---
---Errors: the same as those of `find_path`, and of a step an invalid budget.
---@param sx integer
---@param sy integer
---@param gx integer
---@param gy integer
---@param question? astar.GraphQuestion without `partial`
---@return astar.JoinedSearch
function JoinedGraph:search(sx, sy, gx, gy, question) end

---The path over the grid from one place of a route to the next, for a walker. "no position": one of the two is a
---node that has none on the grid, or is gone.
---@param path astar.GraphPath
---@param i integer
---@return astar.Path? path
---@return astar.Reason|"no position"|nil reason
function JoinedGraph:leg(path, i) end

---A search over a graph joined to a grid, made step by step.
---@class astar.JoinedSearch
---@field status "running"|"found"|astar.Reason
---@field expanded integer how many way-points it looked at
local JoinedSearch = {}

---Looks at `n` more way-points, or at as many as the budget allows. The first steps prepare what the finder still needs of the map,
---and may look at no way-point.
---@param n? integer|astar.Budget default 1
---@return "running"|"found"|astar.Reason
function JoinedSearch:step(n) end

---The path, once it is found; until then, and when there is none, nil and the status.
---@return astar.GraphPath? path
---@return string? status
function JoinedSearch:path() end

---Frees its memory immediately. Any use of the search afterwards is an error.
function JoinedSearch:close() end

-- ---- worlds ----

---@class astar.WorldOptions
---The ground there is: each key and its cost, at most 254. Default: `.` and space cost 1, `#` and `@` are blocked.
---@field terrain? table<astar.Key, astar.Cost>
---Called for a chunk that is needed and not there: returns 4096 keys, row by row, as a list or, as `grid:get_cells` has
---them, a string; or a list of 64 rows, each a string or a list of 64 keys; `false`: nothing can be entered; `nil`: it is not there yet, and is not asked for again before
---`world:put_chunk` or `world:forget_chunk` says something of it. It may neither yield nor edit nor ask the world. For the same chunk
---it must say the same again, edits that were saved included. A string that `world:save(cx, cy)` gave brings blocks, walls and
---links along, unless those it had are still kept.
---@field load? fun(cx: integer, cy: integer): string|astar.Key[]|string[]|astar.Key[][]|false|nil
---Called with 4096 keys before an edited chunk is let go; `false` for cells of what was solid. It may call `world:save(cx, cy)`
---for what stands there, too: blocks, walls and links are edits. Where it does, blocks and walls go with the chunk, and come with
---it. Default: edited chunks stay.
---@field save? fun(cx: integer, cy: integer, keys: (astar.Key|false)[])
---What is kept at most, but for edited chunks that cannot be saved, and blocks and walls that `save` does not take: an integer from 1048576. Default: 64 MiB.
---@field bytes? integer
---What the cells of chunks that are not there cost. Default: false, they cannot be entered.
---@field unknown? astar.Cost
---One node for so many cells of a line between chunks: an integer from 1 to 64. Default: 8.
---@field spacing? integer
---All its finders are `exact`, which is what `spacing = 1` says, too: false is an error beside that. Default: false.
---@field exact? boolean

---A map without edges, in chunks of 64 x 64 cells; chunk (0, 0) holds the cells 1 to 64.
---@class astar.World
local World = {}

---A new world, nothing of which is there yet. Loaded on first use.
---
---Errors: an option unknown or out of its range; `a world holds at most 254 terrains`.
---@param options? astar.WorldOptions
---@return astar.World
function astar.world(options) end

---A chunk that has come, or another in its place: as `load` returns it, but for nil. What stands there stays, unless it is a
---string of `world:save`, whose blocks and walls are put in place of it.
---
---Errors: `keys: row 3: expected 64 cells, got 63`; `keys: unknown terrain "x" at row 2, column 5`.
---@param cx integer
---@param cy integer
---@param keys string|astar.Key[]|string[]|astar.Key[][]|false
function World:put_chunk(cx, cy, keys) end

---A chunk is another than it was where `load` has it: it is let go, with edits that were not saved, and asked for when it is
---needed. Blocks, links and walls stay.
---@param cx integer
---@param cy integer
function World:forget_chunk(cx, cy) end

---Has `save` called for every chunk that was edited since. Of one chunk: all that is in it in a string, ground, blocks, walls,
---and the links that lead from it, which `load` may return and `put_chunk` takes; nil and "not loaded" where it is not there.
---
---Errors: `the world has no function save`; whatever it raises.
---@param cx? integer
---@param cy? integer with cx or not at all
---@return string?
---@return string? reason
function World:save(cx, cy) end

---The chunks that were asked for and have not come, most urgent first: those that lengthen the best way there may be least,
---and of them those that a unit comes to soonest, as the last question that came beside each has it; last those that none did.
---@param most? integer so many at most
---@return { cx: integer, cy: integer }[]
function World:wanted(most) end

---A part of the world as a grid of its own, with all that grids can do; loaded as need be. It has the ground, rock where
---nothing is there, blocks, walls, and the links that do not lead out of it, as they are now: it is not edited with the world.
---
---Errors: `w must be an integer from 1 to 1048576, got 0`; a part of more cells than those.
---@param x integer
---@param y integer
---@param w integer
---@param h integer
---@return astar.Grid
function World:window(x, y, w, h) end

---What the ground of a cell is, loaded if need be; `false` in a chunk that is solid, nil where none is there.
---@param x integer
---@param y integer
---@return astar.Key|false|nil
function World:get(x, y) end

---Changes the ground of a cell; nil and "not loaded" where its chunk is not there.
---@param x integer
---@param y integer
---@param key astar.Key
---@return true|nil
---@return string? reason
function World:set(x, y, key) end

---Lays ground over a rectangle; nil and "not loaded", and nothing is laid, where a chunk of it is not there.
---@param x integer
---@param y integer
---@param w integer
---@param h integer
---@param key astar.Key
---@return true|nil
---@return string? reason
function World:fill(x, y, w, h, key) end

---Whether the ground of a cell can be entered and nothing stands on it, as `grid:is_walkable` has it; nil where none is there.
---@param x integer
---@param y integer
---@return boolean?
function World:is_walkable(x, y) end

---Blocks a cell or a rectangle. As for all edits its chunks are loaded first: nil and "not loaded", and nothing is edited, where
---one is not there. Blocks stay when chunks are let go, or go where `world:save(cx, cy)` has saved them.
---@param x integer
---@param y integer
---@param w? integer default 1; with h or not at all
---@param h? integer
---@return true|nil
---@return string? reason
function World:block(x, y, w, h) end

---@param x integer
---@param y integer
---@param w? integer
---@param h? integer
---@return true|nil
---@return string? reason
function World:unblock(x, y, w, h) end

---@param x integer
---@param y integer
---@return boolean
function World:is_blocked(x, y) end

---Links two cells, as `grid:link` does. Links are the world's own; the chunk that one leads from is loaded first, and without
---`one_way` the other, too.
---
---Errors: `a world holds at most 65536 links`.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param options? astar.LinkOptions
---@return true|nil
---@return string? reason
function World:link(x0, y0, x1, y1, options) end

---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@param one_way? boolean
---@return boolean? there was one
---@return string? reason
function World:unlink(x0, y0, x1, y1, one_way) end

---Puts a thin wall on a side of a cell, as `grid:wall` does.
---@param x integer
---@param y integer
---@param direction astar.DirectionName one of the four straight ones
---@param one_way? boolean
---@return true|nil
---@return string? reason
function World:wall(x, y, direction, one_way) end

---@param x integer
---@param y integer
---@param direction astar.DirectionName
---@param one_way? boolean
---@return true|nil
---@return string? reason
function World:unwall(x, y, direction, one_way) end

---@param x integer
---@param y integer
---@param direction astar.DirectionName
---@return boolean
function World:has_wall(x, y, direction) end

---Counts the edits, chunks that are put or changed among them.
---@return integer
function World:version() end

---What it holds now (`bytes`, `chunks` whose cells are there, `squares` measured) and did (chunks `loaded`, `saved`, `let_go`).
---@return { bytes: integer, chunks: integer, squares: integer, loaded: integer, saved: integer, let_go: integer }
function World:stats() end

---@class astar.WorldFinderOptions
---As of `grid:finder`.
---@field diagonals? astar.Diagonals
---As of `grid:finder`.
---@field diagonal_cost? number
---This unit's own costs, as of `grid:finder`.
---@field costs? table<astar.Key, astar.Cost>
---The unit covers size x size cells: an integer from 1 to 64. Default: 1.
---@field size? integer
---`{ "" }`: blocks are not there for this unit. Those of a world have no layers.
---@field ignore? string[]
---What is added to the costs of cells, and what its values are multiplied by, as of `grid:finder`; one field, which lies
---where its `origin` says, over any part of the world. Where it changes is measured anew. Needs size 1.
---@field avoid? astar.Field
---A number from 0 to 1000000. Default: 1.
---@field avoid_weight? number
---A number from 1 to 1000000: a route costs at most `weight` times what the best one does, and is found by looking
---at few chunks; nothing that was measured for it is kept. Default: 1.
---@field weight? number
---Routes are the best there are, or with a weight within that: looked for cell by cell, chunk after chunk; nothing that was
---measured for one is kept. Default: as the world was made.
---@field exact? boolean
---A question ends after so many nodes, or chunks where it goes from chunk to chunk. Default: 1048576, or 65536 of those.
---@field max_expansions? integer

---How one kind of unit moves over the world.
---@param options? astar.WorldFinderOptions
---@return astar.WorldFinder
function World:finder(options) end

---@class astar.WorldFinder
local WorldFinder = {}

---What belongs to one question, as `astar.Question` has it. The others of a grid are errors: ask a grid, `world:window`.
---@class astar.RouteQuestion
---@field exact? boolean waits for the best route
---@field weight? number the route costs at most so many times what the best does, and stays as it is
---@field range? integer so many columns and rows between the goal and the nearest cell that the unit covers are near enough; what is best is told over cells
---@field partial? boolean without a way the cheapest route to what is nearest to the goal, as `range` counts, without one from the unit's north-west cell; of `find_route` alone
---@field max_cost? number the best route is waited for, and "max_cost" the reason where it costs more
---@field max_expansions? integer
---@field flee? boolean the list of goals is what to run from: the route leads to where the unit is within the range of none, "unreachable" where no way leads out

---One of several goals, and how many columns and rows between it and the nearest cell that the unit covers are near enough.
---@class astar.RouteGoal
---@field [1]? integer its column, as x
---@field [2]? integer its row, as y
---@field x? integer
---@field y? integer
---@field range? integer

---A route from one cell to another; chunks are loaded as they are needed. One that is far off may cost up to a fifth more than the
---best does: `route.status` is "running" then, `route:step` looks for a better one, and `route:stretch` goes on as that. Where chunks are not there the route may end before the
---goal, beside one of them, where it costs least to come near the goal: `route.partial`, and "not loaded" as second result.
---With `partial = true` it ends as near to the goal as a way leads, and why no way leads there is the second result.
---
---With a list in place of the goal, `finder:find_route(sx, sy, goals [, question])`, it leads to the one that costs least to come
---to, and which that is is the second result. Those that cannot be stood on are passed over, and those that are not there where
---a way leads to another. A range of a goal's own goes before the question's. What comes to be found later leads to the same goal.
---
---Reasons for none: "start blocked", "goal blocked", "unreachable" where all was there that could hold a way, "not
---loaded" where it was not, "max_expansions". Errors: what `load` or `save` raises.
---@param sx integer
---@param sy integer
---@param gx integer
---@param gy integer
---@param question? astar.RouteQuestion
---@return astar.Route?
---@return (integer|string)? index or reason
---@overload fun(self: astar.WorldFinder, sx: integer, sy: integer, goals: astar.RouteGoal[], question?: astar.RouteQuestion): astar.Route?, (integer|string)?
function WorldFinder:find_route(sx, sy, gx, gy, question) end

---The best route to the goal that costs least to come to, and which of the list that is: `find_route` with `exact`, and none where
---it would be partial.
---@param sx integer
---@param sy integer
---@param goals astar.RouteGoal[]
---@param question? astar.RouteQuestion
---@return astar.Route?
---@return integer|string index or reason
function WorldFinder:find_nearest(sx, sy, goals, question) end

---Whether the unit could walk the straight line between two cells, as `finder:raycast` of a grid has it; false and the
---cell that stops it, which what is not loaded does.
---@param x0 integer
---@param y0 integer
---@param x1 integer
---@param y1 integer
---@return boolean
---@return integer? x
---@return integer? y
function WorldFinder:raycast(x0, y0, x1, y1) end

---Whether there is a way: true, or nil and why not, "not loaded" where that is not known.
---@param sx integer
---@param sy integer
---@param gx integer
---@param gy integer
---@return true?
---@return string? reason
function WorldFinder:reachable(sx, sy, gx, gy) end

---The best route over nodes, which is waited for, as a job, a little at a time: `search:step { ms = 2 }`, or `queue:add(search)`.
---With a list of goals the best over cells to any of them.
---@param sx integer
---@param sy integer
---@param gx integer
---@param gy integer
---@param question? astar.RouteQuestion
---@return astar.RouteSearch
---@overload fun(self: astar.WorldFinder, sx: integer, sy: integer, goals: astar.RouteGoal[], question?: astar.RouteQuestion): astar.RouteSearch
function WorldFinder:search(sx, sy, gx, gy, question) end

---A search for a route. Edits where it has been make it begin anew with its next step, four times at most; after that "world changed" is a reason, too.
---@class astar.RouteSearch
---@field status string "running", "found" or a reason
---@field expanded integer nodes expanded
local RouteSearch = {}

---@param budget? integer|astar.Budget
---@return string status
function RouteSearch:step(budget) end

---The route, once found, as `finder:find_route` returns it; nil and "running" or the reason before.
---@return astar.Route?
---@return string? reason
function RouteSearch:route() end

---The same: what was found is asked for by this name of every search.
---@return astar.Route?
---@return string? reason
function RouteSearch:path() end

---Gives its memory back at once.
function RouteSearch:close() end

---A way over the world, cell by cell only where it is walked.
---@class astar.Route
---@field status string "running" while a better one may be found, "refined"
---@field cost number what the way over its nodes costs, from where it was last asked for; as walked it is less, or the same
---@field left number of that, from where it has come to
---@field bound number the best route costs at most so much less; 0 with `exact` and no weight
---@field partial boolean it ends before the goal: where what is not loaded begins, or, with `partial`, no way leads on
---@field known boolean no node of it lies in a chunk that is not there, see `unknown`
---@field legs integer about how many stretches are left
---@field x integer where it has come to by `route:stretch`
---@field y integer
---@field gx integer where it ends
---@field gy integer
---@field expanded integer nodes the search expanded
local Route = {}

---The next stretch of the way, about four chunks long: the cells from where the last one ended. nil at the goal. A route of
---`find_route` that is barred, or ends where something has come since, is asked for anew first: nil and "not loaded"
---where it has to wait for chunks, or why there is none any more; ask again when the world has changed.
---@return astar.Path?
---@return string? reason
function Route:stretch() end

---Looks for a better route from where it has come to, and goes on as that; a job for `queue:add`.
---@param budget integer|astar.Budget
---@return string status "running" or "refined"
function Route:step(budget) end

---@class astar.RoutePathOptions
---How many stretches, an integer from 1. Default: all that are left.
---@field legs? integer

---The cells of the next stretches, or of all that is left; the route stays where it is.
---
---Of such a path `smooth`, `reverse` and `repair` are errors: they ask a grid.
---@param options? astar.RoutePathOptions
---@return astar.Path?
---@return string? reason
function Route:path(options) end

---Whether what is left of it can be walked as the world is now, from where it has come to: of the stretch that is being
---walked `path:is_valid` tells.
---@return boolean
function Route:is_valid() end

-- ---- Moving AI files ----

---Reads and writes the maps and scenarios of the Moving AI benchmarks (Sturtevant, "Benchmarks for
---Grid-Based Pathfinding", 2012). Coordinates are the files' own, 0-based.
---@class astar.MovingAI
local movingai = {}

---A query of a scenario file and its optimal length.
---@class astar.Scenario
---@field bucket integer the class of length the file puts it in
---@field map string the map's name as the file has it
---@field width integer of the map, in cells
---@field height integer
---@field sx integer start, 0-based
---@field sy integer
---@field gx integer goal, 0-based
---@field gy integer
---@field length number octile, no corner cut; 0 with start unlike goal: there is no path
---@field tolerance number how far a right path's `length` may be from it, as printed

---The grid of a .map file. `.` `G` `S` cost 1, `@` `O` `T` `W` are blocked; `options.terrain`
---overrides by key. `options.origin` is {0, 0} by default.
---
---Errors: the file cannot be read; `name.map:6: expected 49 cells, got 48` and the like.
---@param file string its name
---@param options? astar.GridOptions
---@return astar.Grid
function movingai.read_map(file, options) end

---The grid of a .map file's text.
---@param text string
---@param options? astar.GridOptions
---@param name? string what errors call the text. Default: "map"
---@return astar.Grid
function movingai.parse_map(text, options, name) end

---The text of a .map file. The format's seven characters stay as they are; of other ground what
---costs 1 becomes `.`, what cannot be entered `@`, like every cell with a block on it.
---
---Errors: `terrain "~" of cost 3 at (2, 2) has no character in a Moving AI map`; a grid of hexagons.
---@param grid astar.Grid
---@return string
function movingai.format_map(grid) end

---Writes `movingai.format_map(grid)` to a file.
---
---Errors: the file cannot be written.
---@param grid astar.Grid
---@param file string its name
function movingai.write_map(grid, file) end

---The queries of a .scen file.
---
---Errors: the file cannot be read; `name.scen:7: expected ...`.
---@param file string its name
---@return astar.Scenario[]
function movingai.read_scenarios(file) end

---The queries of a .scen file's text.
---@param text string
---@param name? string what errors call the text. Default: "scenarios"
---@return astar.Scenario[]
function movingai.parse_scenarios(text, name) end

-- ---- Tiled maps ----

---Grids and graphs from maps made with Tiled (mapeditor.org): its own files, or exported to Lua. A tile's properties tell what it
---is for walking: `cost`, a number, or `walkable`, true or false, or STI's `collidable`, true, which its
---layer or a shape of its collision editor may have as well; its name is its property `terrain` or its class. Of the tiles over each other on
---a cell the topmost one with a say decides; where none has one, the cell costs `default`.
---@class astar.Tiled
local tiled = {}

---Also a list: the names of the layers that are ground. Default: every tile layer not among `blocks`.
---@class astar.TiledOptions
---@field [integer] string
---Names of layers whose tiles or objects become blocks, {} for none. Default: the objects with the
---property `collidable`, or on a layer with it, or that show a tile with it and do not say otherwise.
---@field blocks? string[]
---Costs by key over those of the tiles. Default: none.
---@field terrain? table<astar.Key, astar.Cost>
---The names of the properties, by "cost", "walkable", "collidable" and "terrain". Default: these names.
---@field properties? table<string, string>
---Asked for every tile of the ground, from the map's lowest layer up: its cost and, if it likes, the name of
---the ground; nil where its properties are to say. `tile` is as the map lists it, with `id`, `properties` and
---`tileset` in any case, `layer` as in the map; x and y are the grid's. Default: none.
---@field cost? fun(tile: table, layer: table, x: integer, y: integer): astar.Cost?, string?
---What tiles cost that say nothing, on cells where no other one does. Default: 1.
---@field default? astar.Cost
---What a cell costs where no layer has a tile. Default: false.
---@field empty? astar.Cost
---The coordinates of Tiled's cell (0, 0), integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---What inflates compressed data, "zlib", "gzip" or "zstd". Default: LÖVE's where this is LÖVE, else
---lua-zlib's where it is installed; neither knows zstd.
---@field inflate? fun(bytes: string, compression: string): string
---How many cells the grid may have, 1 to 2^28: a small map can claim very many. Default: 2^24.
---@field max_cells? integer
---Called with a line of text, once, for each tile that is passed over: one that a tileset of single pictures has lost,
---and those of a tileset of which there is but the name where no option asks what its tiles say. Default: none.
---@field warn? fun(text: string)

---An object and the cells its bounds lie on.
---@class astar.TiledObject
---@field object table as Tiled exported it
---@field x integer west column
---@field y integer north row
---@field width integer in cells, at least 1
---@field height integer

---@class astar.TiledLoadOptions
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default: `love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the map may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---The map of a file as the table that Tiled's export to Lua has: .tmx, which needs lua-expat; .tmj or .json, which needs
---lua-cjson or dkjson; or that export itself, which is run without access to anything. Tilesets and templates in files of
---their own are read beside the file that names them. All functions here that take a file's name read it so.
---
---Errors: a file cannot be read, or is none: `town.tmx: expected a map made with Tiled, got ...`; nothing here reads XML
---or JSON, which names the package; XML that defines entities; more than `max_bytes`.
---@param file string its name; in LÖVE looked for in the game first
---@param options? astar.TiledLoadOptions
---@return table map
function tiled.load(file, options) end

---The grid of a map, orthogonal, isometric, hexagonal or staggered, finite or infinite. A staggered one lies on the grid as
---an isometric one does, around it is ground called "outside". Objects block every cell they overlap;
---offsets of layers do not count. Layers of an STI map go by its names, "group.layer", or by Tiled's.
---
---Errors: the file cannot be read or is no map; `town.lua: no layer "wals", expected one of "ground",
---"walls"`; a tileset of which there is but the name, unless `default`, `empty` or `blocks` tell that nothing is asked of its
---tiles; a tile whose property is of the wrong type, or that none of the
---map's tilesets has; no tile that says anything, and none of the options that tell what that means;
---compressed data that nothing here can inflate; more cells than `max_cells`; whatever else a map has that
---Tiled does not export.
---@param map string|table a file's name, a map that Tiled exported, or one that STI has loaded
---@param options? astar.TiledOptions
---@return astar.Grid
function tiled.grid(map, options) end

---The objects of a layer with their cells, in the order of the map.
---
---Errors: no such layer, or it holds no objects.
---@param map string|table as for `tiled.grid`
---@param layer string
---@param origin? { [1]: integer, [2]: integer } as for `tiled.grid`. Default: {1, 1}
---@return astar.TiledObject[]
function tiled.objects(map, layer, origin) end

---Also a list: the names of the layers that are drawn on. Default: every object layer.
---@class astar.TiledGraphOptions
---@field [integer] string
---How near to a way-point, in cells, the corner of a line is that way-point: a number >= 0. Default: 0.5.
---@field snap? number
---The names of the properties, by "cost", "label" and "one_way". Default: these names.
---@field properties? table<string, string>
---As of `tiled.grid`. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }

---The navigation graph drawn on object layers. Points are way-points: their keys are their names, or, without one, their
---ids. Polylines and polygons are the ways between them, straight from corner to corner. A corner at a way-point is that
---way-point; another becomes a way-point of its own, "7/2" the second one of object 7, and lines with a corner there meet.
---A line has the properties `cost`, what all of it costs (default: its length), `label` (default: its name) and `one_way`,
---as it was drawn (default: false); of two over each other the one drawn later counts. Positions go with the grid of the
---same map and `origin`, as `grid:center` has them.
---
---Errors: the file cannot be read or is no map; no such layer; `town.lua: layer "ways": object 7: expected a point or a
---line, got "rectangle"`; two points of one name; a line all of whose corners are at one way-point; a property of the wrong
---type; a map of hexagons that is infinite.
---@param map string|table as for `tiled.grid`
---@param options? astar.TiledGraphOptions
---@return astar.Graph
function tiled.graph(map, options) end

-- ---- LDtk projects ----

---Reads projects made with LDtk, https://ldtk.io.
---@class astar.Ldtk
local ldtk = {}

---@class astar.LdtkLoadOptions
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default: `love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the project may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---@class astar.LdtkOptions
---The level, by its name or iid. Default: the only one.
---@field level? string
---The name of the layer that is the ground, or a list of names, the lowest first. Default: the only IntGrid layer, else the only layer of
---tiles whose tileset has enum tags.
---@field layer? string|string[]
---Costs by the names of IntGrid values, or their numbers, or by enum tags; also of "empty" and, of tiles without a tag, "ground".
---Default: none.
---@field costs? table<string|integer, astar.Cost>
---What a value costs that `costs` does not have. Default: such a value is an error if it occurs.
---@field default? astar.Cost
---The coordinates of LDtk's cell (0, 0), integers. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }
---How many cells the grid may have, 1 to 2^28. Default: 2^24.
---@field max_cells? integer
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default: `love.filesystem`, if there is one, then `io`.
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
---Reads the file of that name and returns its bytes, or nil if there is no such file. Default: `love.filesystem`, if there is one, then `io`.
---@field read? fun(name: string): string?
---How many bytes all files of the project may have, 1 to 2^40. Default: 2^28.
---@field max_bytes? integer

---An entity and the cells its rectangle lies on, by the size of its own layer's cells.
---@class astar.LdtkObject
---@field object table the entity as it stands in the file
---@field name string the entity's name in LDtk
---@field fields table<string, any> its fields by name; points are { x =, y = }, cells of the grid
---@field x integer west column
---@field y integer north row
---@field width integer in cells, at least 1
---@field height integer

---The project of a file or of JSON, as a table, with the levels that have files of their own. Pass it in place of the file to read several
---levels of one project. JSON is read by lua-cjson or dkjson.
---
---Errors: a file that is missing or is no project, `world.ldtk: expected a project made with LDtk, got ...`; no JSON library is
---installed (the message names the package); more than `max_bytes` bytes.
---@param project string|table the name of a file, in LÖVE looked for in the game first; JSON; or a table
---@param options? astar.LdtkLoadOptions
---@return table project
function ldtk.load(project, options) end

---The grid of a level.
---
---Errors: the project cannot be read; `world.ldtk: the option level must be the name of a level, "Cave", "Yard", got nil`, and so for
---layers; `... the option costs must say what "walls" costs: ...`; a name in `costs` that is no value of the layer; layers of different
---sizes; more cells than `max_cells`; an IntGrid as LDtk wrote it before 0.8.
---@param project string|table as for `ldtk.load`
---@param options? astar.LdtkOptions
---@return astar.Grid
function ldtk.grid(project, options) end

---The entities of a level, in the order of the file.
---
---Errors: as for `ldtk.grid`; no such layer of entities.
---@param project string|table as for `ldtk.load`
---@param options? astar.LdtkObjectOptions
---@return astar.LdtkObject[]
function ldtk.objects(project, options) end

-- ---- Jumper ----

---The classes of Jumper, a pathfinder in Lua, https://github.com/Yonaba/Jumper: its own documentation tells of their methods. See
---docs/from_jumper.md for what differs. A grid also has `grid:update()`, which reads the map again and returns true if a cell has changed.
---@class astar.Jumper
---@field Grid fun(map: table|string, cacheNodeAtRuntime?: boolean): table in place of jumper.grid
---@field Pathfinder fun(grid: table, finderName?: string, walkable?: any): table in place of jumper.pathfinder
---@field Path table the class of paths
---@field Node table the class of nodes
---@field Heuristics table<string, fun(a: table, b: table): number> by name; searches use none of them
local jumper = {}

-- ---- LÖVE ----

---Grids, paths, searches and flow fields on the screen. Only what draws needs LÖVE.
---@class astar.Love
local love = {}

---"#rrggbb", or parts from 0 to 1.
---@alias astar.Color string|{ [1]: number, [2]: number, [3]: number, [4]?: number }

---@class astar.ViewOptions
---The pixel of the grid's north-west corner. Default: 0.
---@field x? number
---@field y? number
---Pixels a cell, from 0.25 to 256. Default: 16.
---@field scale? number
---Colours of the ground by key. Default: the darker the dearer.
---@field colors? table<astar.Key, astar.Color>
---Other colours for block, wall, link, path, open, closed, near, far and ink. Default: Okabe and Ito's.
---@field theme? table<string, astar.Color>

---@class astar.ImageOptions
---The ground each colour stands for, by key.
---@field colors table<astar.Key, astar.Color>
---As for `astar.grid`.
---@field terrain? table<astar.Key, astar.Cost>
---As for `astar.grid`. Default: {1, 1}.
---@field origin? { [1]: integer, [2]: integer }

---A view of a grid.
---@param grid astar.Grid
---@param options? astar.ViewOptions
---@return astar.View
function love.view(grid, options) end

---The grid of a picture, a cell a pixel, whatever its alpha.
---
---Errors: `pixel (3, 4) has the colour #ff0000, expected one of #000000, #ffffff`.
---@param image any LÖVE's ImageData
---@param options astar.ImageOptions
---@return astar.Grid
function love.grid(image, options) end

---Maps cells to pixels and draws.
---@class astar.View
---@field x number the pixel of the grid's north-west corner; may be changed
---@field y number
---@field scale number pixels a cell; may be changed
local View = {}

---The cell at a pixel, nil outside the grid.
---@param px number
---@param py number
---@return integer? x
---@return integer? y
function View:to_cell(px, py) end

---The pixel at a cell's centre; fractions lie between cells.
---@param x number
---@param y number
---@return number px
---@return number py
function View:to_pixel(x, y) end

---Makes everything `factor` times as large; what is at the pixel stays there.
---@param factor number > 0
---@param px number
---@param py number
function View:zoom(factor, px, py) end

---Moves everything by so many pixels.
---@param dx number
---@param dy number
function View:scroll(dx, dy) end

---Makes the grid as large as fits a rectangle of pixels, in its middle; whole pixels a cell where that
---is at least one.
---@param px number
---@param py number
---@param width number
---@param height number
function View:fit(px, py, width, height) end

---Says that only these cells have changed since the grid was drawn, and paints them: of use where a frame makes more than 256 edits.
---@param x integer
---@param y integer
---@param width? integer default 1
---@param height? integer default 1
function View:touch(x, y, width, height) end

---Draws the ground and what stands on it; from a scale of 4, thin walls and links, too. Only cells that were edited since are painted
---again: all of them after more than 256 edits, or where costs have changed.
function View:draw() end

---Draws thin lines between the cells.
---@param color? astar.Color
function View:draw_lines(color) end

---Fills a cell, or the square that a unit of `size` cells covers.
---@param x number
---@param y number
---@param color? astar.Color default: the theme's path
---@param margin? number left free on each side, in cells; default 0
---@param size? number in cells; default 1
function View:draw_cell(x, y, color, margin, size) end

---Draws a path as walkers walk it: straight lines, and curves about the turns.
---
---Errors: `corner must be a number from 0 to 0.5, got ...`.
---@param path astar.Path
---@param color? astar.Color
---@param corner? number as the option of `astar.walker`; default 0.4, and 0 sharp turns
function View:draw_path(path, color, corner) end

---Draws a navigation graph whose positions are places of the grid: way-points as discs, edges as lines, with a head where
---they lead one way, in the theme's `link`; what is blocked in its `block`. A route over the graph, or over it joined to the
---grid, comes on top, in its `path`.
---@param ways astar.Graph
---@param route? astar.GraphPath
function View:draw_graph(ways, route) end

---Draws the open and closed cells of a search; where there is room, arrows to the parents, and f, g, h.
---@param search table what `finder:search` returns
---@return integer open how many cells are open
---@return integer closed
function View:draw_search(search) end

---Draws the distances of a flow field as colours; where there is room, arrows to the next cells. Only cells whose distance has
---changed are painted again; all of them where the longest way has grown or shrunk by about a fifth.
---@param flow table what `finder:flow` returns
function View:draw_flow(flow) end

return astar
