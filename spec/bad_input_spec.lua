-- What no script should do: a mistake is an error that names it, a fact is nil and a reason, and
-- after either the next question is answered rightly.
--
-- A row is { code, text }: the code raises exactly that text at its own line. Instead of the text
-- `matches = pattern` describes it, `reason =` is what comes after nil, `works = true` is no error
-- at all, and `either = true` may be one or not, as long as nothing breaks.

local astar = require "astar"
local public = require "spec.support.public"

-- What the code of a row can name.
local NAMES = {
  "astar", "grid", "finder", "path", "nan", "inf", "userdata", "metatable", "liar", "field",
}
local PRELUDE = "local " .. table.concat(NAMES, ", ") .. " = ... "

local compile = loadstring or load

-- Another module's userdata that carries a metatable of astar's.
local function forge(metatable)
  local stranger = newproxy and newproxy(true) or io.tmpfile()
  debug.setmetatable(stranger, metatable)
  return stranger
end

-- A table that claims to be longer and fuller than it is.
local function liar()
  return setmetatable({}, {
    __len = function() return 3 end,
    __index = function() return { 0, 0, 0 } end,
    __pairs = function() return next, { a = 1 } end,
    __ipairs = function() return next, { 1, 2, 3 } end,
    __tostring = function() error "asked" end,
    __name = "astar grid",
  })
end

-- ---- the rows ----

local rows = {}

local function add(row) rows[#rows + 1] = row end

-- Every function that takes a cell, with a place left for one coordinate.
local PLACES = {
  { "grid:get(%s, 1)", "x", 20 }, { "grid:get(1, %s)", "y", 10 },
  { "grid:set(%s, 1, '#')", "x", 20 }, { "grid:set(1, %s, '#')", "y", 10 },
  { "grid:fill(%s, 1, 1, 1, '#')", "x", 20 }, { "grid:fill(1, %s, 1, 1, '#')", "y", 10 },
  { "grid:fill(1, 1, %s, 1, '#')", "w", 20 }, { "grid:fill(1, 1, 1, %s, '#')", "h", 10 },
  { "grid:set_cells(%s, 1, 1, 1, '#')", "x", 20 }, { "grid:set_cells(1, %s, 1, 1, '#')", "y", 10 },
  { "grid:get_cells(1, 1, %s, 1)", "w", 20 }, { "grid:get_cells(1, 1, 1, %s)", "h", 10 },
  { "grid:block(%s, 1)", "x", 20 }, { "grid:block(1, %s)", "y", 10 },
  { "grid:unblock(%s, 1)", "x", 20 }, { "grid:unblock(1, %s)", "y", 10 },
  { "grid:is_blocked(%s, 1)", "x", 20 }, { "grid:is_blocked(1, %s)", "y", 10 },
  { "grid:is_walkable(%s, 1)", "x", 20 }, { "grid:is_walkable(1, %s)", "y", 10 },
  { "grid:find_path(%s, 1, 1, 1)", "sx", 20 }, { "grid:find_path(1, 1, 1, %s)", "gy", 10 },
  { "finder:find_path(%s, 1, 1, 1)", "sx", 20 }, { "finder:find_path(1, %s, 1, 1)", "sy", 10 },
  { "finder:find_path(1, 1, %s, 1)", "gx", 20 }, { "finder:find_path(1, 1, 1, %s)", "gy", 10 },
  { "finder:reachable(%s, 1, 1, 1)", "sx", 20 }, { "finder:reachable(1, 1, 1, %s)", "gy", 10 },
  { "finder:search(%s, 1, 1, 1)", "sx", 20 }, { "finder:search(1, 1, 1, %s)", "gy", 10 },
  { "finder:find_nearest(%s, 1, {})", "sx", 20 }, { "finder:find_nearest(1, %s, print)", "sy", 10 },
  { "astar.queue():request(finder, %s, 1, 1, 1)", "sx", 20 },
  { "astar.queue():request(finder, 1, 1, 1, %s)", "gy", 10 },
  { "grid:link(%s, 1, 2, 2)", "x0", 20 }, { "grid:link(1, %s, 2, 2)", "y0", 10 },
  { "grid:link(2, 2, %s, 1)", "x1", 20 }, { "grid:link(2, 2, 1, %s)", "y1", 10 },
  { "grid:unlink(%s, 1, 2, 2)", "x0", 20 }, { "grid:unlink(2, 2, 1, %s)", "y1", 10 },
  { "grid:wall(%s, 1, 'east')", "x", 20 }, { "grid:wall(1, %s, 'east')", "y", 10 },
  { "grid:unwall(%s, 1, 'east')", "x", 20 }, { "grid:has_wall(1, %s, 'east')", "y", 10 },
  { "grid:neighbour(%s, 1, 'east')", "x", 20 }, { "grid:neighbour(1, %s, 'east')", "y", 10 },
  { "grid:center(%s, 1)", "x", 20 }, { "grid:center(1, %s)", "y", 10 },
  { "grid:distance(%s, 1, 1, 1)", "x0", 20 }, { "grid:distance(1, 1, 1, %s)", "y1", 10 },
  { "field:get(%s, 1)", "x", 20 }, { "field:get(1, %s)", "y", 10 },
  { "field:set(%s, 1, 1)", "x", 20 }, { "field:add(1, %s, 1)", "y", 10 },
  { "field:fill(%s, 1, 1, 1, 1)", "x", 20 }, { "field:fill(1, 1, 1, %s, 1)", "h", 10 },
  { "field:stamp(%s, 1, 1, 1)", "x", 20 }, { "field:stamp(1, %s, 1, 1)", "y", 10 },
  { "finder:clearance(%s, 1)", "x", 20 }, { "finder:clearance(1, %s)", "y", 10 },
  { "finder:flow(1, %s)", "y", 10 },
  { "finder:reach(%s, 1, 3)", "x", 20 }, { "finder:reach(1, %s, 3)", "y", 10 },
  { "finder:flow(1, 1):distance(%s, 1)", "x", 20 }, { "finder:flow(1, 1):distance(1, %s)", "y", 10 },
  { "finder:flow(1, 1):next(%s, 1)", "x", 20 }, { "finder:reach(1, 1, 3):next(1, %s)", "y", 10 },
  { "finder:flow(1, 1):path(%s, 1)", "x", 20 }, { "finder:flow(1, 1):path(1, %s)", "y", 10 },
  { "astar.floors { { 20, 10 } }:at(%s, 1, 1)", "x", 20 }, { "astar.floors { { 20, 10 } }:at(1, %s, 1)", "y", 10 },
  { "astar.floors { { 20, 10 } }:of(%s, 1)", "X", 20 }, { "astar.floors { { 20, 10 } }:of(1, %s)", "Y", 10 },
  { "astar.floors { { 20, 10 } }:link(1, 1, 1, %s, 2, 1)", "x2", 20 },
  { "astar.floors { { 20, 10 } }:link(1, %s, 1, 2, 2, 1)", "y", 10 },
  { "astar.crowd(finder):add(%s, 1)", "x", 20 }, { "astar.crowd(finder):add(1, %s)", "y", 10 },
  { "astar.crowd(finder):add(1, 1):go(%s, 1)", "x", 20 }, { "astar.crowd(finder):add(1, 1):go(1, %s)", "y", 10 },
  { "astar.crowd(finder):go({}, %s, 1)", "x", 20 }, { "astar.crowd(finder):go({}, 1, %s)", "y", 10 },
  { "astar.crowd(finder):unit_at(%s, 1)", "x", 20 }, { "astar.crowd(finder):unit_at(1, %s)", "y", 10 },
  { "finder:raycast(%s, 1, 1, 1)", "x0", 20 }, { "finder:raycast(1, 1, 1, %s)", "y1", 10 },
}
local NO_INTEGERS = {
  { "0", "0" }, { "-1", "-1" }, { "21", "21" }, { "1.5", "1.5" }, { "nan", "nan" },
  { "inf", "inf" }, { "-inf", "-inf" }, { "2^32 + 1", "4294967297" }, { "'3'", '"3"' },
  { "nil", "nil" }, { "true", "true" }, { "{}", "a table" }, { "print", "a function" },
}
for _, place in ipairs(PLACES) do
  for _, value in ipairs(NO_INTEGERS) do
    add {
      place[1]:format(value[1]),
      ("%s must be an integer from 1 to %d, got %s"):format(place[2], place[3], value[2]),
    }
  end
end

local SIDE = " must be an integer from 1 to 16777216, got "
local DIAGONALS = 'diagonals must be "always", "if_at_most_one_obstacle", "only_when_no_obstacles" '
  .. 'or "never", got '
local COST = "from 0%.001 to 1000000"

for _, row in ipairs {
  -- sizes
  { "astar.grid(0, 5)", "width" .. SIDE .. "0" },
  { "astar.grid(-1, 5)", "width" .. SIDE .. "-1" },
  { "astar.grid(1.5, 5)", "width" .. SIDE .. "1.5" },
  { "astar.grid(nan, 5)", "width" .. SIDE .. "nan" },
  { "astar.grid(inf, 5)", "width" .. SIDE .. "inf" },
  { "astar.grid(-inf, 5)", "width" .. SIDE .. "-inf" },
  { "astar.grid(16777217, 1)", "width" .. SIDE .. "16777217" },
  { "astar.grid(2^32 + 1, 1)", "width" .. SIDE .. "4294967297" },
  { "astar.grid(2^64, 1)", matches = "^width" .. SIDE },
  { "astar.grid(5, 0)", "height" .. SIDE .. "0" },
  { "astar.grid(5, 1.5)", "height" .. SIDE .. "1.5" },
  { "astar.grid(5, nan)", "height" .. SIDE .. "nan" },
  { "astar.grid(5, '3')", "height" .. SIDE .. '"3"' },
  { "astar.grid(5, {})", "height" .. SIDE .. "a table" },
  { "astar.grid(5)", "height" .. SIDE .. "nil" },
  { "astar.grid()", matches = "got nil$" },
  { "astar.grid(true, 5)", matches = "got true$" },
  { "astar.grid(print, 5)", matches = "got a function$" },
  { "astar.grid(grid, 5)", matches = "got " },
  { "astar.grid(65536, 65536)", matches = "268435456" },
  { "astar.grid(16777216, 16777216)", matches = "268435456" },

  -- options of astar.grid
  { "astar.grid(2, 2, 3)", matches = "must be a table, got 3$" },
  { "astar.grid('..', 'x')", matches = 'must be a table, got "x"$' },
  { "astar.grid(2, 2, { fil = '.' })", 'unknown option "fil" (did you mean "fill"?)' },
  { "astar.grid(2, 2, { [1] = '.' })", matches = "^unknown option" },
  { "astar.grid(2, 2, { [true] = '.' })", matches = "^unknown option" },
  { "astar.grid(2, 2, { terrain = 3 })", "terrain must be a table, got 3" },
  { "astar.grid(2, 2, { terrain = {}, fill = '.' })", matches = "terrain" },
  { "astar.grid(2, 2, { terrain = { a = 1 } })", matches = "fill" },
  { "astar.grid(2, 2, { terrain = { a = 1 }, fill = 'b' })", matches = 'unknown terrain "b"' },
  { "astar.grid(2, 2, { fill = 'x' })", matches = 'unknown terrain "x"' },
  { "astar.grid(2, 2, { fill = 1.5 })", matches = "1%.5" },
  { "astar.grid(2, 2, { fill = {} })", matches = "a table" },
  { "astar.grid(2, 2, { fill = true })", matches = "true" },
  { "astar.grid(2, 2, { fill = nan })", matches = "nan" },
  { "astar.grid(2, 2, { terrain = { a = 0 }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = -1 }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = 'x', b = 1 } })",
    'terrain "a" must be a number from 0.001 to 1000000, math.huge or false, got "x"' },
  { "astar.grid(2, 2, { terrain = { a = nan }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = -inf }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = 1e6 + 1 }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = 1e-4 }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = '1' }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = true }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { a = {} }, fill = 'a' })", matches = COST },
  { "astar.grid(2, 2, { terrain = { [1.5] = 1 }, fill = 1.5 })", matches = "1%.5" },
  { "astar.grid(2, 2, { terrain = { [{}] = 1, a = 1 }, fill = 'a' })", matches = "a table" },
  { "astar.grid(2, 2, { terrain = { [print] = 1, a = 1 }, fill = 'a' })", matches = "a function" },
  { "astar.grid(2, 2, { terrain = { [2^60] = 1, a = 1 }, fill = 'a' })", either = true },
  { "astar.grid(2, 2, { terrain = liar(), fill = 'a' })", matches = "terrain" },
  { "astar.grid(2, 2, { origin = 3 })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = {} })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = { 1 } })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = { 1.5, 2 } })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = { 1, '2' } })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = { nan, 1 } })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = { 1, 2^53 } })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = { x = 1, y = 1 } })", matches = "^origin" },
  { "astar.grid(2, 2, { origin = liar() })", matches = "^origin" },

  -- drawings
  { "astar.grid ''", matches = "at least one cell" },
  { "astar.grid '\\n'", matches = "at least one cell" },
  { "astar.grid '\\n\\n'", matches = "." },
  { "astar.grid '...\\n..'", "row 2: expected 3 cells, got 2" },
  { "astar.grid '..\\n...'", "row 2: expected 2 cells, got 3" },
  { "astar.grid '..\\n\\n..'", "row 2: expected 2 cells, got 0" },
  { "astar.grid '..\\r\\n.'", "row 2: expected 2 cells, got 1" },
  { "astar.grid '..\\n.x'", 'unknown terrain "x" at row 2, column 2: give it a cost in the option terrain' },
  { "astar.grid '.\\0'", matches = "^unknown terrain .* at row 1, column 2: give it a cost" },
  { "astar.grid '.\\t'", matches = "^unknown terrain .* at row 1, column 2: give it a cost" },
  { "astar.grid '.\\r.'", matches = "^unknown terrain .* at row 1, column 2: give it a cost" },
  { "astar.grid '.\\255'", matches = "row 1, column 2: give it a cost" },
  { "astar.grid '.\\226\\137'", matches = "row 1, column 2: give it a cost" },
  { "astar.grid('..', { terrain = { ['.'] = 0 } })", matches = COST },
  { "astar.grid('..', { terrain = { a = 1 } })",
    'unknown terrain "." at row 1, column 1: give it a cost in the option terrain' },

  -- rows
  { "astar.grid {}", matches = "." },
  { "astar.grid { {} }", matches = "." },
  { "astar.grid { '' }", matches = "." },
  { "astar.grid { {0, 0, 0}, {0, 0, 0}, {0, 0} }", "row 3: expected 3 cells, got 2" },
  { "astar.grid { {0, 0}, {0, 0, 0} }", "row 2: expected 2 cells, got 3" },
  { "astar.grid { '..', '...' }", "row 2: expected 2 cells, got 3" },
  { "astar.grid { '..', {'.'} }", "row 2: expected 2 cells, got 1" },
  { "astar.grid { {0, nil, 0}, {0, 0, 0} }", matches = "row [12]" },
  { "astar.grid { {0, 0}, nil, {0, 0} }", matches = "row 2" },
  -- Lists whose length Lua leaves open: with gaps, made entry by entry.
  { "local rows = {} rows[1], rows[3] = {0, 0}, {0, 0} astar.grid(rows)",
    "row 2: expected a string or a table, got nil" },
  { "local row = {} row[1], row[3] = 0, 0 astar.grid { row, row }",
    "unknown terrain nil at row 1, column 2" },
  { "local row = {} row[1], row[3] = 0, 0 astar.grid { {0}, row }", "row 2: expected 1 cells, got 2" },
  { "astar.grid { 3 }", matches = "row 1.*got 3" },
  { "astar.grid { '..', true }", matches = "row 2.*got true" },
  { "astar.grid { '..', print }", matches = "row 2.*got a function" },
  { "astar.grid { {0, 2} }", "unknown terrain 2 at row 1, column 2: give it a cost in the option terrain" },
  { "astar.grid { {0, 0.5} }", matches = "0%.5.*row 1, column 2" },
  { "astar.grid { {0, nan} }", matches = "nan.*row 1, column 2" },
  { "astar.grid { {0, inf} }", matches = "inf.*row 1, column 2" },
  { "astar.grid { {0, {}} }", matches = "row 1, column 2" },
  { "astar.grid { {0, print} }", matches = "row 1, column 2" },
  { "astar.grid { {'.', 'xyz'} }", 'unknown terrain "xyz" at row 1, column 2: give it a cost in the option terrain' },
  { "astar.grid(liar())", matches = "." },
  { "astar.grid { liar() }", matches = "." },
  { "astar.grid { {0, 0, 0}, liar() }", "row 2: expected 3 cells, got 0" },

  -- links
  { "grid:link(3, 4, 3, 4)", "a link must join two cells, got (3, 4) twice" },
  { "astar.grid(2, 2, { origin = { -1, 0 } }):link(-1, 1, -1, 1)", "a link must join two cells, got (-1, 1) twice" },

  -- what has changed
  { "grid:changes()", matches = "^version must be an integer from 0 to %d+, got nil$" },
  { "grid:changes(1.5)", matches = "^version must be an integer from 0 to %d+, got 1%.5$" },
  { "grid:changes(grid:version() + 1)", matches = "^version must be an integer from 0 to %d+, got %d+$" },
  { "grid:changes(-1)", matches = "^version must be an integer from 0 to %d+, got %-1$" },
  { "assert(#grid:changes(grid:version()) == 0)", works = true },

  -- rectangles and keys
  { "grid:fill(20, 10, 2, 1, '#')", "w must be an integer from 1 to 1, got 2" },
  { "grid:fill(20, 10, 1, 2, '#')", "h must be an integer from 1 to 1, got 2" },
  { "grid:fill(1, 1, 2^31, 1, '#')", "w must be an integer from 1 to 20, got 2147483648" },
  { "grid:block(20, 10, 2)", "w must be an integer from 1 to 1, got 2" },
  { "grid:block(20, 10, 1, 2)", "h must be an integer from 1 to 1, got 2" },
  { "grid:block(1, 1, 0)", "w must be an integer from 1 to 20, got 0" },
  { "grid:unblock(1, 1, true)", "w must be an integer from 1 to 20, got true" },
  { "grid:block(1, 1, 1, 1, true)", "layer must be a string, got true" },
  { "grid:unblock(1, 1, nil, nil, 7)", "layer must be a string, got 7" },
  { "grid:is_blocked(1, 1, 7)", "layer must be a string, got 7" },
  { "grid:block(1, 1, ('x'):rep(256))", matches = "layer must be a string of at most 255 bytes, got" },
  { "for i = 1, 33 do grid:block(1, 1, 'layer ' .. i) end", "a grid holds at most 32 layers of blocks with names",
    edits = true },
  { "grid:unblock(1, 1, 'unknown') assert(not grid:is_blocked(1, 1, 'unknown'))", works = true },
  { "grid:block_layers(1)", "y must be an integer from 1 to 10, got nil" },
  { "grid:block_layers(21, 1)", "x must be an integer from 1 to 20, got 21" },
  { "grid:unblock(1, 1, 1, nan)", "h must be an integer from 1 to 10, got nan" },
  { "grid:set(1, 1)", matches = "unknown terrain nil" },
  { "grid:set(1, 1, {})", matches = "a table" },
  { "grid:set(1, 1, 1.5)", matches = "1%.5" },
  { "grid:set(1, 1, nan)", matches = "nan" },
  { "grid:set(1, 1, true)", matches = "true" },
  { "grid:set(1, 1, '..')", matches = 'unknown terrain "%.%."' },
  { "grid:fill(1, 1, 2, 2, 'x')", matches = 'unknown terrain "x"' },
  { "grid:fill(1, 1, 2, 2)", matches = "unknown terrain nil" },
  { "grid:set_cells(20, 10, 2, 1, '##')", "w must be an integer from 1 to 1, got 2" },
  { "grid:set_cells(1, 1, 2, 2)", "keys must be a string or a list, got nil" },
  { "grid:set_cells(1, 1, 2, 2, 7)", "keys must be a string or a list, got 7" },
  { "grid:set_cells(1, 1, 2, 2, '...')", "keys must be 2 x 2 = 4 cells, got 3" },
  { "grid:set_cells(1, 1, 2, 2, '.....')", "keys must be 2 x 2 = 4 cells, got 5" },
  { "grid:set_cells(1, 1, 2, 2, '..\\n..')", "keys must be 2 x 2 = 4 cells, got 5" },
  { "grid:set_cells(1, 1, 2, 2, '..?.')",
    'unknown terrain "?" at row 2, column 1: give it a cost in the option terrain' },
  { "grid:set_cells(1, 1, 2, 2, {})", "keys must be 2 x 2 = 4 cells, got 0" },
  { "grid:set_cells(1, 1, 2, 1, { '.', {} })", "unknown terrain a table at row 1, column 2" },
  { "grid:set_cells(1, 1, 2, 1, { [0] = '.', '.', '.' })", "keys are counted from 1, got an entry [0]" },
  { "grid:terrain()", matches = "got nil" },
  { "grid:terrain(1.5)", either = true },
  { "grid:terrain({}, 1)", matches = "got a table" },
  { "grid:terrain(1.5, 1)", matches = "got 1%.5" },
  { "grid:terrain(nan, 1)", matches = "got nan" },
  { "grid:terrain('.', 0)", matches = COST },
  { "grid:terrain('.', -1)", matches = COST },
  { "grid:terrain('.', nan)", matches = COST },
  { "grid:terrain('.', '2')", matches = COST },
  { "grid:terrain('.', true)", matches = COST },
  { "grid:terrain('.', {})", matches = COST },

  -- the wrong self
  { "grid.get(nil, 1, 1)", "astar grid expected, got nil" },
  { "grid.get()", "astar grid expected, got nil" },
  { "grid.get({}, 1, 1)", matches = "^astar grid expected, got a? ?table$" },
  { "grid.get(3, 1, 1)", matches = "^astar grid expected, got " },
  { "grid.get('grid', 1, 1)", matches = "^astar grid expected, got " },
  { "grid.get(io.stdout, 1, 1)", "astar grid expected, got FILE*" },
  { "grid.get(userdata(nil), 1, 1)", "astar grid expected, got userdata" },
  { "grid.get(finder, 1, 1)", "astar grid expected, got astar finder" },
  { "grid.get(path, 1, 1)", "astar grid expected, got astar path" },
  { "grid.get(liar(), 1, 1)", matches = "^astar grid expected, got " },
  { "grid.find_path(finder, 1, 1, 2, 2)", "astar grid expected, got astar finder" },
  { "grid.finder(io.stdout)", "astar grid expected, got FILE*" },
  { "grid.dump(path)", "astar grid expected, got astar path" },
  { "grid.clone(coroutine.create(function() end))", matches = "^astar grid expected, got a? ?thread$" },
  { "finder.find_path(grid, 1, 1, 2, 2)", "astar finder expected, got astar grid" },
  { "finder.find_path(nil, 1, 1, 2, 2)", "astar finder expected, got nil" },
  { "finder.find_path(io.stdout, 1, 1, 2, 2)", "astar finder expected, got FILE*" },
  { "finder.raycast({}, 1, 1, 2, 2)", matches = "^astar finder expected, got " },
  { "finder.clearance(grid, 1, 1)", "astar finder expected, got astar grid" },
  { "finder.clearance()", "astar finder expected, got nil" },
  { "finder.clearance(io.stdout, 1, 1)", "astar finder expected, got FILE*" },
  { "local u = userdata(metatable(finder)) u:clearance(1, 1)",
    matches = "^astar finder expected, got " },
  { "metatable(finder).__gc(finder) finder:clearance(1, 1)", "finder is closed", closes = true },
  { "finder.reachable(path, 1, 1, 2, 2)", "astar finder expected, got astar path" },
  { "finder.bake(grid)", "astar finder expected, got astar grid" },
  { "grid:finder({ avoid = astar.field(20, 10) }):flow(1, 1):next(3, 3)", works = true },
  { "grid:finder({ avoid = astar.field(20, 10) }):reach(1, 1, 5):complete()", works = true },
  { "grid:link(1, 1, 9, 9) finder:flow(1, 1):next(9, 9)", works = true, edits = true },
  { "astar.crowd()", matches = "^astar finder expected, got " },
  { "astar.crowd(finder, 3)", "options must be a table, got 3" },
  { "astar.crowd(grid:finder { max_cost = 9 })", "a crowd cannot honour max_cost" },
  { "astar.crowd(grid:finder { max_expansions = 9 })", "a crowd cannot honour max_expansions" },
  { "astar.crowd(grid:finder { partial = true })", "a crowd cannot honour partial" },
  { "astar.crowd(grid:finder { range = 1 })", "a crowd cannot honour range" },
  { "astar.crowd(grid:finder { bends = 'fewest' })", "a crowd cannot honour bends" },
  { "astar.crowd(grid:finder { bend_cost = 1 })", "a crowd cannot honour bend_cost" },
  { "astar.crowd(finder):add(1, 1, { finder = grid:finder { range = 1 } })", "a crowd cannot honour range" },
  { "astar.crowd(grid:finder { weight = 2, heuristic = 'manhattan', algorithm = 'astar' })", works = true },
  { "astar.crowd(finder, { sped = 3 })", 'unknown option "sped" (did you mean "speed"?)' },
  { "astar.crowd(finder, { speed = 0 })", matches = "^speed must be a number from 0.001 to 1000000, got 0$" },
  { "astar.crowd(finder, { speed = nan })", matches = "^speed must be a number" },
  { "astar.crowd(finder, { bytes = -1 })", matches = "^bytes must be an integer from 0 to " },
  { "astar.crowd(finder, { expansions = 0 })", matches = "^expansions must be an integer from 1 to " },
  { "astar.crowd(finder, { seed = 1.5 })", matches = "^seed must be an integer from 0 to " },
  { "astar.crowd(finder, { exclusive = 1 })", "exclusive must be a boolean, got 1" },
  { "astar.crowd(finder):add(1, 1, { period = 0 })", "period must be an integer from 1 to 1000, got 0" },
  { "astar.crowd(finder):add(1, 1, { finder = grid })", matches = "^astar finder expected, got astar grid$" },
  { "astar.crowd(finder):add(1, 1, { size = 2 })", matches = '^unknown option "size"' },
  { "astar.crowd(finder):go(3, 1, 1)", "units must be a list of units, got 3" },
  { "astar.crowd(finder):go({ 3 }, 1, 1)", "units[1] must be a unit, got 3" },
  { "astar.crowd(finder):go(liar(), 1, 1)", works = true },
  { "astar.crowd(finder):go({ astar.crowd(finder):add(1, 1) }, 1, 1)", "units[1] is of another crowd" },
  { "local c = astar.crowd(finder) local u = c:add(1, 1) u:remove() c:go({ u }, 1, 1)", "units[1] has been removed" },
  { "local u = astar.crowd(finder):add(1, 1) u:remove() u:stop()", "unit has been removed" },
  { "astar.crowd(finder):resolving(3)", "units must be a list of units, got 3" },
  { "astar.crowd(finder):resolving({ 3 })", "units[1] must be a unit, got 3" },
  { "astar.crowd(finder):resolving({ astar.crowd(finder):add(1, 1) })", "units[1] is of another crowd" },
  { "astar.crowd(finder):resolving(liar())", works = true },
  { "astar.crowd(finder):resolving(nil, 3)", "options must be a table, got 3" },
  { "astar.crowd(finder):resolving(nil, { byte = 3 })", 'unknown option "byte" (did you mean "bytes"?)' },
  { "astar.crowd(finder):resolving(nil, { bytes = -1 })", matches = "^bytes must be an integer from 0 to " },
  { "astar.crowd(finder):resolving(nil, { improve = nan })", matches = "^improve must be an integer from 0 to " },
  { "astar.crowd(finder):resolving(nil, { window = 3 })", "window must be a table {x, y, w, h}, got 3" },
  { "astar.crowd(finder):resolving(nil, { window = { 0, 1, 1, 1 } })",
    "window[1] must be an integer from 1 to 20, got 0" },
  { "astar.crowd(finder):resolving(nil, { window = { 20, 1, 2, 1 } })",
    "window[3] must be an integer from 1 to 1, got 2" },
  { "astar.crowd(finder):resolving(nil, { window = { 1, 1, 1 } })", matches = "^window%[4%] must be an integer" },
  { "astar.crowd(finder):resolving():follow(1)", matches = "^follow takes no arguments, got 1" },
  { "astar.crowd(finder):resolving():close(1)", matches = "^close takes no arguments, got 1" },
  { "astar.crowd(finder):resolving():step {}", "step needs ms or expansions" },
  { "local c = astar.crowd(finder) metatable(c).__gc(c) c:resolving()", "crowd is closed" },
  { "local c = astar.crowd(finder) local j = c:resolving() metatable(c).__gc(c) j:step()", works = true },
  { "astar.crowd(finder):update(-1)", "dt must be a number from 0 to 1000000, got -1" },
  { "astar.crowd(finder):update(nan)", matches = "^dt must be a number" },
  { "astar.crowd(finder):step {}", "step needs ms or expansions" },
  { "astar.crowd(finder):add(1, 1):hold(1)", "hold must be a boolean, got 1" },
  { "astar.crowd(finder):add(1, 1):set_priority(101)", "priority must be an integer from -100 to 100, got 101" },
  { "astar.crowd(finder):units(1)", matches = "^units takes no arguments, got 1" },
  { "astar.crowd(finder):positions(1)", "list must be a table, got 1" },
  { "astar.crowd(finder):positions({}, 1)", matches = "^positions takes " },
  { "astar.crowd(finder):positions(liar())", works = true },
  { "astar.crowd(finder):moves(1)", matches = "^moves takes no arguments, got 1" },
  { "astar.crowd(finder):add(1, 1):cell(1)", matches = "^cell takes no arguments, got 1" },
  { "astar.crowd(finder):add(1, 1):goal(1)", matches = "^goal takes no arguments, got 1" },
  { "local c = astar.crowd(finder) metatable(c).__gc(c) c:beat()", "crowd is closed" },
  { "local c = astar.crowd(finder) local u = c:add(1, 1) metatable(c).__gc(c) u:go(2, 2)", works = true },
  { "local u = astar.crowd(finder):add(1, 1) u.x = 3", either = true },
  { "finder:reach(1, 1, nan)", matches = "max_cost must be a number" },
  { "finder:reach(1, 1, -1)", matches = "max_cost must be a number" },
  { "finder.bake()", "astar finder expected, got nil" },
  { "finder:bake(4)", "options must be a table, got 4" },
  { "finder:bake { pivot = 4 }", 'unknown option "pivot" (did you mean "pivots"?)' },
  { "finder:bake { pivots = 17 }", "pivots must be an integer from 0 to 16, got 17" },
  { "finder:bake { pivots = -1 }", "pivots must be an integer from 0 to 16, got -1" },
  { "finder:bake { pivots = 1.5 }", "pivots must be an integer from 0 to 16, got 1.5" },
  { "finder:bake { pivots = nan }", "pivots must be an integer from 0 to 16, got nan" },
  { "finder:bake { pivots = 'x' }", "pivots must be an integer from 0 to 16, got \"x\"" },
  { "finder:bake { method = 'label' }", matches = '^method must be "auto", "labels"' },
  { "finder:bake { method = 4 }", matches = "^method must be " },
  { "finder:bake { method = 'labels', pivots = 4 }", 'pivots are for the method "landmarks", got "labels"' },
  { "finder:bake { bytes = 0 }", "bytes must be an integer from 1 to 9007199254740992, got 0" },
  { "finder:bake { bytes = nan }", "bytes must be an integer from 1 to 9007199254740992, got nan" },
  { "finder:bake { bytes = 1.5 }", "bytes must be an integer from 1 to 9007199254740992, got 1.5" },
  { "finder.baking(grid)", "astar finder expected, got astar grid" },
  { "finder:baking { ms = 1 }", matches = '^unknown option "ms"' },
  { "finder:baking(4)", "options must be a table, got 4" },
  { "finder.load_baked(grid, 'x')", "astar finder expected, got astar grid" },
  { "finder:load_baked(4)", "baked data expected, got 4" },
  { "finder:load_baked()", "baked data expected, got nil" },
  { "finder:load_baked(grid:dump())", "not baked data, or damaged" },
  { "finder:bake({ pivots = 0 }):save()", "nothing was baked that could be saved" },
  { "finder:bake().save(grid)", "astar baked data expected, got astar grid" },
  { "finder:bake().is_current(liar())", "astar baked data expected, got a table" },
  { "local b = finder:bake() metatable(b).__gc(b) b:is_current()", "baked data is closed" },
  { "local u = userdata(metatable(finder:bake())) u:save()", matches = "^astar baked data expected, got " },
  { "local j = finder:baking() j:close() return j.result", "job is closed" },
  { "path.cell(grid, 1)", "astar path expected, got astar grid" },
  { "path.cells(io.stdout)", "astar path expected, got FILE*" },
  { "path.smooth()", "astar path expected, got nil" },
  { 'path:smooth("quickly")', 'how must be "fewest" or "quick", got "quickly"' },
  { "path:smooth(1)", 'how must be "fewest" or "quick", got 1' },
  { "path:smooth(true)", 'how must be "fewest" or "quick", got true' },
  { "path.reverse({})", matches = "^astar path expected, got " },
  { "path.is_valid(finder)", "astar path expected, got astar finder" },
  { "path.repair(grid)", "astar path expected, got astar grid" },
  { "path.repair()", "astar path expected, got nil" },
  { "path.totable(liar())", matches = "^astar path expected, got " },

  -- path:is_valid and path:repair
  { "path:is_valid(0)", matches = "^from must be an integer from 1 to %d+, got 0$" },
  { "path:is_valid(#path + 1)", matches = "^from must be an integer from 1 to %d+, got %d+$" },
  { "path:is_valid(1.5)", matches = "^from must be an integer from 1 to %d+, got 1%.5$" },
  { "path:is_valid(nan)", matches = "^from must be an integer from 1 to %d+, got nan$" },
  { "path:is_valid('1')", matches = '^from must be an integer from 1 to %d+, got "1"$' },
  { "path:is_valid(2^32 + 1)", matches = "^from must be an integer from 1 to %d+, got 4294967297$" },
  { "path:repair(3)", "options must be a table, got 3" },
  { "path:repair(path)", "options must be a table, got astar path" },
  { "path:repair { from = 0 }", matches = "^from must be an integer from 1 to %d+, got 0$" },
  { "path:repair { from = inf }", matches = "^from must be an integer from 1 to %d+, got inf$" },
  { "path:repair { from = '2' }", matches = '^from must be an integer from 1 to %d+, got "2"$' },
  { "path:repair { from = {} }", matches = "^from must be an integer from 1 to %d+, got a table$" },
  { "path:repair { optimal = 1 }", "optimal must be a boolean, got 1" },
  { "path:repair { optimal = 'yes' }", 'optimal must be a boolean, got "yes"' },
  { "path:repair { optimum = true }", 'unknown option "optimum" (did you mean "optimal"?)' },
  { "path:repair { true }", matches = "^unknown option 1" },
  { "path:repair(liar())", works = true },
  { "path:repair(nil)", works = true },

  -- forged metatables
  { "local t = setmetatable({}, metatable(grid)) grid.get(t, 1, 1)",
    matches = "^astar grid expected, got " },
  { "local t = setmetatable({}, metatable(path)) local n = #t", either = true },
  { "local u = userdata(metatable(grid)) grid.get(u, 1, 1)",
    matches = "^astar grid expected, got " },
  { "local u = userdata(metatable(grid)) u:find_path(1, 1, 2, 2)",
    matches = "^astar grid expected, got " },
  { "local u = userdata(metatable(finder)) u:find_path(1, 1, 2, 2)",
    matches = "^astar finder expected, got " },
  { "local u = userdata(metatable(path)) u:cell(1)", matches = "^astar path expected, got " },
  { "local u = userdata(metatable(path)) local n = #u", matches = "astar path expected, got " },
  { "local u = userdata(metatable(path)) local n = u[1]", matches = "astar path expected, got " },
  { "local u = userdata(metatable(grid)) tostring(u)", either = true },
  { "for _, o in ipairs { grid, finder, path } do userdata(metatable(o)) end collectgarbage()",
    works = true },
  { "local m = metatable(path) debug.setmetatable(path, metatable(grid)) "
    .. "local _, e = pcall(function() path:get(1, 1) end) debug.setmetatable(path, m) error(e, 0)",
    matches = "^astar grid expected, got " },
  { "local m = metatable(finder) debug.setmetatable(finder, metatable(path)) "
    .. "local _, e = pcall(function() finder:smooth() end) debug.setmetatable(finder, m) error(e, 0)",
    matches = "^astar path expected, got " },

  -- finalizers called by hand
  { "metatable(grid).__gc(grid) grid:get(1, 1)", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) metatable(grid).__gc(grid)", works = true, closes = true },
  { "metatable(grid).__gc(grid) grid:set(1, 1, '#')", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) grid:finder()", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) grid:find_path(1, 1, 2, 2)", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) grid:dump()", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) tostring(grid)", either = true, closes = true },
  { "metatable(grid).__gc(grid) grid:draw(path)", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) finder:find_path(1, 1, 2, 2)", either = true, closes = true },
  { "metatable(grid).__gc(grid) path:smooth()", either = true, closes = true },
  { "metatable(grid).__gc(grid) path:is_valid()", either = true, closes = true },
  { "metatable(grid).__gc(grid) path:cell(1)", works = true, closes = true },
  { "metatable(finder).__gc(finder) finder:find_path(1, 1, 2, 2)", "finder is closed",
    closes = true },
  { "metatable(finder).__gc(finder) finder:raycast(1, 1, 2, 2)", "finder is closed",
    closes = true },
  { "metatable(finder).__gc(finder) metatable(finder).__gc(finder)", works = true, closes = true },
  { "metatable(finder).__gc(finder) grid:get(1, 1)", works = true, closes = true },
  { "metatable(path).__gc(path) path:cell(1)", "path is closed" },
  { "metatable(path).__gc(path) path:smooth()", "path is closed" },
  { "metatable(path).__gc(path) path:repair()", "path is closed" },
  { "metatable(grid).__gc(grid) path:repair()", either = true, closes = true },
  { "metatable(path).__gc(path) local n = #path", matches = "path is closed" },
  { "metatable(path).__gc(path) local n = path[1]", matches = "path is closed" },
  { "metatable(path).__gc(path) local n = path.cost", matches = "path is closed" },
  { "metatable(path).__gc(path) metatable(path).__gc(path)", works = true },
  { "metatable(path).__gc(path) assert(tostring(path) == 'astar path (closed)')", works = true },
  { "metatable(finder).__gc(finder) assert(tostring(finder) == 'astar finder (closed)')", works = true,
    closes = true },
  { "grid:get(1, ('ab'):rep(20))", 'y must be an integer from 1 to 10, got "' .. ("ab"):rep(20) .. '"' },
  { "grid:get(1, ('ab'):rep(21))", 'y must be an integer from 1 to 10, got "' .. ("ab"):rep(18) .. 'a..."' },
  { "local f = path:cells() metatable(path).__gc(path) f(path, 0)", either = true },
  { "metatable(grid).__gc(io.stdout)", either = true },
  { "metatable(grid).__gc({})", either = true },
  { "metatable(grid).__gc()", either = true },
  { "metatable(grid).__gc(path)", either = true },
  { "metatable(path).__gc(finder)", either = true },
  { "metatable(finder).__gc(grid)", either = true },

  -- options of a finder
  { "grid:finder(3)", matches = "must be a table, got 3$" },
  { "grid:finder(true)", matches = "must be a table, got true$" },
  { "grid:find_path(1, 1, 2, 2, 'x')", matches = 'must be a table, got "x"$' },
  { "grid:find_path(1, 1, 2, 2, grid)", matches = "must be a table, got " },
  { "grid:finder { diagonal = 'never' }",
    'unknown option "diagonal" (did you mean "diagonals"?)' },
  { "grid:find_path(1, 1, 2, 2, { wieght = 2 })",
    'unknown option "wieght" (did you mean "weight"?)' },
  { "grid:finder { [1] = 'never' }", matches = "^unknown option" },
  { "grid:finder { [true] = 'never' }", matches = "^unknown option" },
  { "grid:finder { [{}] = 'never' }", matches = "^unknown option" },
  { "grid:finder { ['dia\\0gonals'] = 'never' }", matches = "^unknown option" },
  { "grid:finder { ['diagonals\\0'] = 'never' }", matches = "^unknown option" },
  { "grid:finder { diagonals = 'sometimes' }", DIAGONALS .. '"sometimes"' },
  { "grid:finder { diagonals = 'always\\0' }", matches = "^diagonals must be " },
  { "grid:finder { diagonals = true }", DIAGONALS .. "true" },
  { "grid:finder { diagonals = 1 }", DIAGONALS .. "1" },
  { "grid:finder { diagonal_cost = 3 }", "diagonal_cost must be a number from 1 to 2, got 3" },
  { "grid:finder { diagonal_cost = nan }", "diagonal_cost must be a number from 1 to 2, got nan" },
  { "grid:finder { diagonal_cost = '1' }", 'diagonal_cost must be a number from 1 to 2, got "1"' },
  { "grid:finder { ignore = 'red' }", 'ignore must be a list of layers, got "red"' },
  { "grid:finder { ignore = { 'red', 7 } }", "ignore[2] must be a string, got 7" },
  { "grid:finder { ignore = { red = true } }",
    'ignore must be a list of layers, like { "red" }, got an entry ["red"]' },
  { "grid:finder { ignore = { ('x'):rep(256) } }", matches = "ignore%[1%] must be a string of at most 255 bytes, got" },
  { "local t = {} for i = 1, 33 do t[i] = 'layer ' .. i end grid:finder { ignore = t }",
    "a grid holds at most 32 layers of blocks with names" },
  { "finder:find_path(1, 1, 2, 2, { ignore = { 'red' } })", matches = 'unknown option "ignore"' },
  { "grid:finder { costs = 'x' }", 'costs must be a table, got "x"' },
  { "grid:finder { costs = { lava = 1 } }", matches = 'unknown terrain "lava"' },
  { "grid:finder { costs = { [1] = 1 } }", matches = "unknown terrain 1" },
  { "grid:finder { costs = { [1.5] = 1 } }", matches = "1%.5" },
  { "grid:finder { costs = { [{}] = 1 } }", matches = "a table" },
  { "grid:finder { costs = { ['.'] = 0 } }", matches = COST },
  { "grid:finder { costs = { ['.'] = nan } }", matches = COST },
  { "grid:finder { costs = { ['.'] = -inf } }", matches = COST },
  { "grid:finder { costs = { ['.'] = '1' } }", matches = COST },
  { "grid:finder { costs = { ['.'] = true } }", matches = COST },
  { "grid:finder { cost = 3 }", "cost must be a function, got 3" },
  { "grid:finder { cost = {} }", "cost must be a function, got a table" },
  { "grid:finder { cost = setmetatable({}, { __call = print }) }",
    "cost must be a function, got a table" },
  { "grid:finder { step_cost = 'x' }", 'step_cost must be a function, got "x"' },
  { "grid:finder { min_cost = 0 }", matches = "^min_cost must be a number .*, got 0$" },
  { "grid:finder { min_cost = nan }", matches = "^min_cost must be a number .*, got nan$" },
  { "grid:finder { min_cost = 1e7 }", matches = "^min_cost must be a number .*, got 10000000$" },
  { "grid:finder { heuristic = 'octil' }", matches = '^heuristic must be .* got "octil"$' },
  { "grid:finder { heuristic = 3 }", matches = "^heuristic must be .* got 3$" },
  { "grid:finder { heuristic = {} }", matches = "^heuristic must be .* got a table$" },
  { "grid:finder { weight = 0.5 }", matches = "^weight must be a number .*, got 0.5$" },
  { "grid:finder { weight = nan }", matches = "^weight must be a number .*, got nan$" },
  { "grid:finder { weight = inf }", matches = "^weight must be a number .*, got inf$" },
  { "grid:finder { weight = '2' }", matches = '^weight must be a number .*, got "2"$' },
  { "grid:finder { max_cost = -1 }", matches = "^max_cost must be a number .*, got %-1$" },
  { "grid:finder { max_cost = nan }", matches = "^max_cost must be a number .*, got nan$" },
  { "grid:finder { max_cost = {} }", matches = "^max_cost must be a number .*, got a table$" },
  { "grid:finder { max_expansions = 0 }", matches = "^max_expansions must be an integer .* got 0$" },
  { "grid:finder { max_expansions = 1.5 }", matches = "^max_expansions must be .* got 1%.5$" },
  { "grid:finder { max_expansions = nan }", matches = "^max_expansions must be .* got nan$" },
  { "grid:finder { max_expansions = 2^70 }", matches = "^max_expansions must be an integer " },
  { "grid:finder { partial = 1 }", "partial must be a boolean, got 1" },
  { "grid:finder { any_angle = 1 }", "any_angle must be a boolean, got 1" },
  { "grid:finder { any_angle = 'true' }", 'any_angle must be a boolean, got "true"' },
  { "astar.floors { '..' }:size(2)", "z must be an integer from 1 to 1, got 2" },
  { "astar.floors { '..', '..' }:of(3, 1)", "(3, 1) lies on no floor" },
  { "astar.floors(liar)", matches = "^floor" },
  { "astar.floors { { 2, 2 }, liar }", matches = "^floor 2: " },
  { "astar.floors({ '..' }, { gap = 1.5 })", "gap must be an integer from 1 to 255, got 1.5" },
  { "astar.floors({ '..' }, { fil = 'g' })", 'unknown option "fil"; there are: fill, gap, terrain' },
  { "grid:finder { bends = 1 }", 'bends must be "any", "fewer" or "fewest", got 1' },
  { "grid:finder { bends = 'few' }", matches = '^bends must be "any", "fewer" or "fewest", got "few"' },
  { "grid:finder { bend = 'fewest' }", 'unknown option "bend" (did you mean "bends"?)' },
  { "grid:finder { bend_cost = -1 }", matches = "^bend_cost must be a number .*, got %-1$" },
  { "grid:finder { bend_cost = nan }", matches = "^bend_cost must be a number .*, got nan$" },
  { "grid:finder { bend_cost = inf }", matches = "^bend_cost must be a number .*, got inf$" },
  { "grid:finder { bend_cost = '2' }", matches = '^bend_cost must be a number .*, got "2"$' },
  { "grid:finder { bends = 'fewest', heading = 'up' }", matches = '^heading must be "north", .* got "up"$' },
  { "grid:finder { bends = 'fewest', heading = 1 }", matches = '^heading must be "north", .* got 1$' },
  { "grid:finder { bend_cost = 2, heading = false }", matches = '^heading must be "north", .* got false$' },
  { "grid:finder { heading = 'north' }", 'heading needs bends "fewest" or a bend_cost' },
  { "grid:finder { bends = 'any', heading = 'north' }", 'heading needs bends "fewest" or a bend_cost' },
  { "grid:finder { any_angle = true, bends = 'fewest' }", "any_angle cannot honour bends" },
  { "grid:finder { any_angle = true, bends = 'fewer' }", "any_angle cannot honour bends" },
  { "grid:finder { bends = 'fewer', heading = 'north' }", 'heading needs bends "fewest" or a bend_cost' },
  { "grid:finder { any_angle = true, bend_cost = 1 }", "any_angle cannot honour bend_cost" },
  { "grid:finder { algorithm = 'jps', bends = 'fewest' }", 'algorithm "jps" cannot honour bends' },
  { "grid:finder { algorithm = 'jpsw', bend_cost = 1 }", 'algorithm "jpsw" cannot honour bend_cost' },
  { "grid:finder { bend_cost = 1 }:flow(1, 1)", "a flow cannot honour bend_cost" },
  { "grid:finder { bend_cost = 1 }:reach(1, 1, 5)", "a flow cannot honour bend_cost" },
  { "finder:find_path(1, 1, 3, 3, { heading = 'north' })", 'heading needs bends "fewest" or a bend_cost' },
  { "finder:find_path(1, 1, 3, 3, { bend_cost = 2 })", matches = '^unknown option "bend_cost"' },
  { "finder:search(1, 1, 3, 3, { bends = true })", 'bends must be "any", "fewer" or "fewest", got true' },
  { "grid:finder { any_angle = true }:find_path(1, 1, 3, 3, { bends = 'fewest' })", "any_angle cannot honour bends" },
  { "grid:finder { algorithm = 'jps' }:find_path(1, 1, 3, 3, { bends = 'fewest' })",
    'algorithm "jps" cannot honour bends' },
  { "grid:finder { anyangle = true }", 'unknown option "anyangle" (did you mean "any_angle"?)' },
  { "grid:finder { partial = 'yes' }", 'partial must be a boolean, got "yes"' },
  { "grid:finder { range = -1 }", matches = "^range must be an integer from 0 to .*, got %-1$" },
  { "grid:finder { range = 0.5 }", matches = "^range must be an integer .*, got 0.5$" },
  { "grid:finder { range = inf }", matches = "^range must be an integer .*, got inf$" },
  { "grid:finder { range = 2^31 }", matches = "^range must be an integer .*, got 2147483648$" },
  { "grid:finder { size = 0 }", "size must be an integer from 1 to 255, got 0" },
  { "grid:finder { size = -1 }", "size must be an integer from 1 to 255, got -1" },
  { "grid:finder { size = 256 }", "size must be an integer from 1 to 255, got 256" },
  { "grid:finder { size = 1.5 }", "size must be an integer from 1 to 255, got 1.5" },
  { "grid:finder { size = nan }", "size must be an integer from 1 to 255, got nan" },
  { "grid:finder { size = inf }", "size must be an integer from 1 to 255, got inf" },
  { "grid:finder { size = 2^32 + 1 }", "size must be an integer from 1 to 255, got 4294967297" },
  { "grid:finder { size = '2' }", 'size must be an integer from 1 to 255, got "2"' },
  { "grid:finder { size = {} }", "size must be an integer from 1 to 255, got a table" },
  { "grid:find_path(1, 1, 2, 2, { sise = 2 })", 'unknown option "sise" (did you mean "size"?)' },
  { "grid:finder { algorithm = 'a*' }", matches = '^algorithm must be .* got "a%*"$' },
  { "grid:finder { algorithm = 'astar\\0' }", matches = "^algorithm must be " },
  { "grid:finder { algorithm = 'bidirectional' }", matches = '^algorithm must be .* got "bidirectional"$' }, -- was one
  { "grid:finder { algorithm = 1 }", matches = "^algorithm must be .* got 1$" },
  { "grid:finder { algorithm = 'jps', range = 1 }", matches = "jps" },
  { "grid:finder { algorithm = 'jps', weight = 2 }", matches = "jps" },
  { "grid:finder { algorithm = 'jps', heuristic = print }", matches = "jps" },
  { "grid:finder(liar())", works = true },

  -- links and walls
  { "grid:link(3, 4, 3, 4)", "a link must join two cells, got (3, 4) twice" },
  { "grid:link(1, 1, 2, 2, 3)", "options must be a table, got 3" },
  { "grid:link(1, 1, 2, 2, true)", "options must be a table, got true" },
  { "grid:link(1, 1, 2, 2, { oneway = true })", 'unknown option "oneway" (did you mean "one_way"?)' },
  { "grid:link(1, 1, 2, 2, { [1] = true })", matches = "^unknown option" },
  { "grid:link(1, 1, 2, 2, { cost = -1 })", "cost must be a number from 0 to 1000000, got -1" },
  { "grid:link(1, 1, 2, 2, { cost = nan })", "cost must be a number from 0 to 1000000, got nan" },
  { "grid:link(1, 1, 2, 2, { cost = inf })", "cost must be a number from 0 to 1000000, got inf" },
  { "grid:link(1, 1, 2, 2, { cost = '1' })", 'cost must be a number from 0 to 1000000, got "1"' },
  { "grid:link(1, 1, 2, 2, { cost = false })", "cost must be a number from 0 to 1000000, got false" },
  { "grid:link(1, 1, 2, 2, { label = {} })", "label must be a string or a number, got a table" },
  { "grid:link(1, 1, 2, 2, { label = nan })", "label must be a string or a number, got nan" },
  { "grid:link(1, 1, 2, 2, { label = print })", "label must be a string or a number, got a function" },
  { "grid:link(1, 1, 2, 2, { label = false })", "label must be a string or a number, got false" },
  { "grid:link(1, 1, 2, 2, { one_way = 1 })", "one_way must be a boolean, got 1" },
  { "grid:link(1, 1, 20, 10, { cost = 50 }) grid:link(1, 1, 20, 10, liar())", works = true, edits = true },
  { "grid:unlink(1, 1, 2, 2, 1)", "one_way must be a boolean, got 1" },
  { "grid:unlink(3, 3, 3, 3)", works = true },
  { "grid:share()", "name must be a string of one character or more, got nil" },
  { "grid:share('')", 'name must be a string of one character or more, got ""' },
  { "grid:share(7)", "name must be a string of one character or more, got 7" },
  { "grid:publish()", "grid is not shared" },
  { "grid:unshare()", works = true },
  { "astar.shared()", "name must be a string of one character or more, got nil" },
  { "astar.shared({})", "name must be a string of one character or more, got a table" },
  { "grid:links(1, 2, 3)", "links takes no arguments, got 1 as argument 1" },
  { "grid.links(finder)", "astar grid expected, got astar finder" },
  { "grid.link(path, 1, 1, 2, 2)", "astar grid expected, got astar path" },
  { "metatable(grid).__gc(grid) grid:links()", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) grid:wall(1, 1, 'east')", "grid is closed", closes = true },
  { "grid:wall(1, 1)", 'direction must be "north", "east", "south" or "west", got nil' },
  { "grid:wall(1, 1, 'up')", 'direction must be "north", "east", "south" or "west", got "up"' },
  { "grid:wall(1, 1, 'north_east')",
    'direction must be "north", "east", "south" or "west", got "north_east"' },
  { "grid:wall(1, 1, 1)", 'direction must be "north", "east", "south" or "west", got 1' },
  { "grid:wall(1, 1, 'east\\0')", matches = "^direction must be " },
  { "grid:wall(1, 1, astar.directions.east)", matches = "^direction must be .* got a table$" },
  { "grid:wall(1, 1, 'east', 1)", "one_way must be a boolean, got 1" },
  { "grid:unwall(1, 1, 'east', 'yes')", 'one_way must be a boolean, got "yes"' },
  { "grid:walls(nil, 2)", "walls takes no arguments, got 2 as argument 2" },
  { "grid.walls(finder)", "astar grid expected, got astar finder" },
  { "metatable(grid).__gc(grid) grid:walls()", "grid is closed", closes = true },
  { "grid:has_wall(1, 1, {})", matches = "^direction must be .* got a table$" },
  -- hexagons
  { "astar.grid(2, 2, { shape = 'hexagon' })", 'shape must be "square" or "hex", got "hexagon"' },
  { "astar.grid(2, 2, { shape = true })", 'shape must be "square" or "hex", got true' },
  { "astar.grid('..', { offset = 'odd_r' })", 'offset needs shape = "hex"' },
  { "astar.grid('..', { shape = 'square', offset = 'odd_r' })", 'offset needs shape = "hex"' },
  { "astar.grid('..', { shape = 'hex', offset = 'odd' })",
    'offset must be "odd_r", "even_r", "odd_q" or "even_q", got "odd"' },
  { "astar.grid({ { 1 } }, { shape = 'hex', offset = 1 })",
    'offset must be "odd_r", "even_r", "odd_q" or "even_q", got 1' },
  { "astar.grid('..', { shape = 'hex', ofset = 'odd_r' })", 'unknown option "ofset" (did you mean "offset"?)' },
  { "astar.field(2, 2, { offset = 'odd_r' })", 'offset needs shape = "hex"' },
  { "astar.field(2, 2, { shape = 'hex', offset = nan })",
    'offset must be "odd_r", "even_r", "odd_q" or "even_q", got nan' },
  { "astar.grid('..', { shape = 'hex' }):finder { diagonals = 'never' }", "hexagons cannot honour diagonals" },
  { "astar.grid('..', { shape = 'hex' }):finder { diagonals = 'what' }", matches = "^diagonals must be " },
  { "astar.grid('..', { shape = 'hex' }):finder { diagonal_cost = 1.5 }", "hexagons cannot honour diagonal_cost" },
  { "astar.grid('..', { shape = 'hex' }):finder { size = 3 }", "hexagons cannot honour size above 1" },
  { "astar.grid('..', { shape = 'hex' }):finder { bends = 'fewest', heading = 'north' }",
    'hexagons laid "odd_r" have no heading "north"' },
  { "astar.grid('..', { shape = 'hex', offset = 'even_q' }):finder { bend_cost = 2, heading = 'west' }",
    'hexagons laid "even_q" have no heading "west"' },
  { "astar.grid('..', { shape = 'hex' }):finder { heading = 'north' }", 'heading needs bends "fewest" or a bend_cost' },
  { "astar.grid('..', { shape = 'hex' }):finder { any_angle = true, bends = 'fewest' }",
    "any_angle cannot honour bends" },
  { "astar.grid('..', { shape = 'hex' }):finder():find_path(1, 1, 2, 1, { bends = 'fewest', heading = 'south' })",
    'hexagons laid "odd_r" have no heading "south"' },
  { "astar.grid('..', { shape = 'hex' }):find_path(1, 1, 2, 1, { any_angle = true })",
    "hexagons cannot honour any_angle" },
  { "astar.grid('..', { shape = 'hex' }):finder { heuristic = 'manhattan' }",
    'hexagons cannot honour heuristic "manhattan"' },
  { "astar.grid('..', { shape = 'hex' }):finder { algorithm = 'jps' }",
    'hexagons cannot honour algorithm "jps"' },
  { "astar.grid('..', { shape = 'hex' }):finder { avoid = astar.field(2, 1) }",
    "avoid must have the grid's shape: astar.field(grid) has" },
  { "grid:finder { avoid = astar.field(20, 10, { shape = 'hex' }) }",
    "avoid must have the grid's shape: astar.field(grid) has" },
  { "astar.grid('..', { shape = 'hex' }):finder():clearance(1, 1)", "hexagons cannot honour clearance" },
  { "astar.grid('..', { shape = 'hex' }):wall(1, 1, 'south')",
    matches = '^direction must be "north_east", "east", .*got "south"$' },
  { "astar.grid('..', { shape = 'hex', offset = 'odd_q' }):neighbour(1, 1, 'west')",
    matches = '^direction must be "north", "north_east", .*got "west"$' },
  { "grid:neighbour(1, 1, 'up')", matches = '^direction must be "north", "north_east", .*got "up"$' },
  { "grid:neighbour(1, 1)", matches = "^direction must be .*got nil$" },
  { "grid:neighbour(1, 1, 'east', 1)", matches = "^neighbour takes " },
  { "grid:shape(1)", "shape takes no arguments, got 1 as argument 1" },
  { "grid.shape(finder)", "astar grid expected, got astar finder" },
  { "grid:cell_at(nan, 1)", matches = "^x must be a number .*got nan$" },
  { "grid:cell_at(1, inf)", matches = "^y must be a number .*got inf$" },
  { "grid:cell_at(1)", matches = "^y must be a number .*got nil$" },
  { "grid:cell_at('1', 1)", matches = "^x must be a number " },
  { "grid:cell_at(-2^30, 2^30)", works = true },
  { "grid:cell_at(2^31, 1)", matches = "^x must be a number " },
  { "path:center(0)", matches = "^i must be an integer from 1 to 20, got 0$" },
  { "path:center(1.5)", matches = "^i must be an integer from 1 to 20, got 1%.5$" },
  { "path.center(grid, 1)", "astar path expected, got astar grid" },
  { "metatable(path).__gc(path) path:center(1)", "path is closed" },
  { "metatable(grid).__gc(grid) grid:center(1, 1)", "grid is closed", closes = true },
  { "metatable(grid).__gc(grid) grid:cell_at(1, 1)", "grid is closed", closes = true },
  { "path:link(0)", matches = "^i must be an integer from 1 to 20, got 0$" },
  { "path:link(21)", matches = "^i must be an integer from 1 to 20, got 21$" },
  { "path:link(1.5)", matches = "^i must be an integer from 1 to 20, got 1%.5$" },
  { "path:link()", matches = "^i must be an integer from 1 to 20, got nil$" },
  { "path.link(grid, 1)", "astar path expected, got astar grid" },
  { "metatable(path).__gc(path) path:link(1)", "path is closed" },
  { "grid:link(1, 1, 2, 2) grid:finder { algorithm = 'jps' }:find_path(1, 1, 5, 5)",
    'algorithm "jps" cannot honour links and walls', edits = true },
  { "grid:link(1, 1, 2, 2) grid:finder { algorithm = 'jps' }:search(1, 1, 5, 5)",
    'algorithm "jps" cannot honour links and walls', edits = true },
  { "grid:wall(1, 1, 'west') grid:finder { algorithm = 'jps' }:find_path(1, 1, 5, 5)",
    'algorithm "jps" cannot honour links and walls' },
  { "grid:finder { algorithm = 'jpsw', range = 1 }", 'algorithm "jpsw" cannot honour range' },
  { "grid:finder { algorithm = 'jpsw', weight = 2 }", 'algorithm "jpsw" cannot honour weight' },
  { "grid:finder { algorithm = 'jpsw', cost = print }", 'algorithm "jpsw" cannot honour cost' },
  { "astar.grid(';.', { terrain = { ['.'] = 1, [';'] = 2 } }):finder({ algorithm = 'jps' })"
    .. ":find_nearest(1, 1, { { x = 2, y = 1 } })", 'algorithm "jps" cannot honour ground of several costs' },
  { "grid:finder { algorithm = 'jpsw', step_cost = print }", 'algorithm "jpsw" cannot honour step_cost' },

  -- fields
  { "astar.field(0, 5)", "width" .. SIDE .. "0" },
  { "astar.field(5, 1.5)", "height" .. SIDE .. "1.5" },
  { "astar.field()", "width" .. SIDE .. "nil" },
  { "astar.field({}, 5)", "width" .. SIDE .. "a table" },
  { "astar.field(finder)", "width" .. SIDE .. "astar finder" },
  { "astar.field(65536, 65536)", matches = "268435456" },
  { "astar.field(5, 5, 3)", "options must be a table, got 3" },
  { "astar.field(5, 5, { orign = { 1, 1 } })", 'unknown option "orign" (did you mean "origin"?)' },
  { "astar.field(5, 5, { origin = { 1 } })", matches = "^origin" },
  { "astar.field(5, 5, liar())", works = true },
  { "metatable(grid).__gc(grid) astar.field(grid)", "grid is closed", closes = true },
  { "field:set(1, 1, -1000001)", "value must be a number from -1000000 to 1000000, got -1000001" },
  { "field:set(1, 1, nan)", "value must be a number from -1000000 to 1000000, got nan" },
  { "field:set(1, 1, inf)", "value must be a number from -1000000 to 1000000, got inf" },
  { "field:set(1, 1, '1')", 'value must be a number from -1000000 to 1000000, got "1"' },
  { "field:set(1, 1)", "value must be a number from -1000000 to 1000000, got nil" },
  { "field:add(1, 1, nan)", "value must be a number from -1000000 to 1000000, got nan" },
  { "field:add(1, 1, {})", "value must be a number from -1000000 to 1000000, got a table" },
  { "field:fill(nan)", "value must be a number from -1000000 to 1000000, got nan" },
  { "field:fill()", "value must be a number from -1000000 to 1000000, got nil" },
  { "field:fill(1, 1, 2, 2)", "value must be a number from -1000000 to 1000000, got nil" },
  { "field:fill(20, 10, 2, 1, 1)", "w must be an integer from 1 to 1, got 2" },
  { "field:stamp(1, 1, -1, 1)", matches = "^radius must be an integer from 0 to 16777216, got %-1$" },
  { "field:stamp(1, 1, 1.5, 1)", matches = "^radius must be an integer .*, got 1%.5$" },
  { "field:stamp(1, 1, inf, 1)", matches = "^radius must be an integer .*, got inf$" },
  { "field:stamp(1, 1, 1, inf)", "value must be a number from -1000000 to 1000000, got inf" },
  { "field:stamp(1, 1, 1)", "value must be a number from -1000000 to 1000000, got nil" },
  { "field:decay(1.5)", "factor must be a number from 0 to 1, got 1.5" },
  { "field:decay(-0.5)", "factor must be a number from 0 to 1, got -0.5" },
  { "field:decay(nan)", "factor must be a number from 0 to 1, got nan" },
  { "field:decay()", "factor must be a number from 0 to 1, got nil" },
  { "finder:fov(21, 1, 3)", matches = "^x must be an integer from 1 to 20, got 21" },
  { "finder:fov(1, 1)", "radius must be an integer from 0 to 255, got nil" },
  { "finder:fov(1, 1, 1.5)", "radius must be an integer from 0 to 255, got 1.5" },
  { "finder:fov(1, 1, 3, 4)", "options must be a table, got 4" },
  { "finder:fov(1, 1, 3, { inot = field })", 'unknown option "inot" (did you mean "into"?)' },
  { "finder:fov(1, 1, 3, { into = grid })", "into must be an astar field, got astar grid" },
  { "finder:fov(1, 1, 3, { into = astar.field(20, 10, { origin = { 0, 0 } }) })",
    matches = "^into must be a field of the grid's" },
  { "finder:fov(1, 1, 3, { facing = 'up' })", matches = '^direction must be "north"' },
  { "finder:fov(1, 1, 3, { facing = 'north', angle = nan })", "angle must be a number from 0 to 360, got nan" },
  { "finder:fov(1, 1, 3, { angle = 90 })", "angle needs facing, a direction" },
  { "finder.fov(grid, 1, 1, 3)", "astar finder expected, got astar grid" },
  { "metatable(field).__gc(field) finder:fov(1, 1, 3, { into = field })", "field is closed" },
  { "astar.grid(5, 5, { shape = 'hex' }):finder():fov(1, 1, 3, { facing = 'north' })",
    matches = '^direction must be "north_east"' },
  { "finder:fov(1, 1, 3, { into = field }) finder:fov(20, 10, 255, { into = field, facing = 'west' })", works = true },
  { "field:add_field(3)", "astar field expected, got 3" },
  { "field:add_field(astar.field(20, 11))", matches = "^both fields must have the same cells, 20 x 10 from" },
  { "field:add_field(field, inf)", "factor must be a number from -1000000 to 1000000, got inf" },
  { "field:add_field(field, 1, 2)", matches = "argument" },
  { "field:max(grid)", "astar field expected, got astar grid" },
  { "field:max(astar.field(20, 10, { shape = 'hex' }))", matches = "^both fields must have the same cells" },
  { "field:scale(nan)", "factor must be a number from -1000000 to 1000000, got nan" },
  { "field:scale()", "factor must be a number from -1000000 to 1000000, got nil" },
  { "field:threshold({})", "value must be a number from -1000000 to 1000000, got a table" },
  { "field.cells(grid)", "astar field expected, got astar grid" },
  { "local each = field:cells() metatable(field).__gc(field) each()", works = true },
  { "field:set(1, 1, 3) local each = field:cells() debug.setupvalue(each, 2, 2^60) each()", works = true },
  { "metatable(field).__gc(field) field:cells()", "field is closed" },
  { "local f = astar.field(grid) metatable(f).__gc(f) field:max(f)", "field is closed" },
  { "field.get(nil, 1, 1)", "astar field expected, got nil" },
  { "field.get(grid, 1, 1)", "astar field expected, got astar grid" },
  { "field.decay(io.stdout, 1)", "astar field expected, got FILE*" },
  { "local u = userdata(metatable(field)) u:get(1, 1)", matches = "^astar field expected, got " },
  { "local u = userdata(metatable(field)) tostring(u)", either = true },
  { "userdata(metatable(field)) collectgarbage()", works = true },
  { "grid:finder { avoid = userdata(metatable(field)) }", matches = "^avoid must be an astar field, got " },
  { "metatable(field).__gc(field) field:get(1, 1)", "field is closed" },
  { "metatable(field).__gc(field) field:set(1, 1, 1)", "field is closed" },
  { "metatable(field).__gc(field) grid:finder { avoid = field }", "field is closed" },
  { "metatable(field).__gc(field) metatable(field).__gc(field)", works = true },
  { "metatable(field).__gc(field) tostring(field)", works = true },
  { "local f = grid:finder { avoid = field } metatable(field).__gc(field) f:find_path(1, 1, 9, 9)",
    works = true },
  { "metatable(field).__gc(grid)", either = true },
  { "field.x = 1", either = true, raises = true },
  { "grid:finder { avoid = 3 }", "avoid must be an astar field, got 3" },
  { "grid:finder { avoid = {} }", "avoid must be an astar field, got a table" },
  { "grid:finder { avoid = grid }", "avoid must be an astar field, got astar grid" },
  { "grid:finder { avoid = astar.field(10, 20) }",
    "avoid must be a field of 20 x 10 cells, as the grid is, got one of 10 x 20" },
  { "grid:finder { avoid = astar.field(20, 11) }",
    "avoid must be a field of 20 x 10 cells, as the grid is, got one of 20 x 11" },
  { "grid:finder { avoid = astar.field(20, 10, { origin = { 0, 0 } }) }",
    "avoid must have the grid's origin {1, 1}, got {0, 0}" },
  { "grid:finder { avoid = astar.field(20, 10, { origin = { 1, 0 } }) }",
    "avoid must have the grid's origin {1, 1}, got {1, 0}" },
  { "grid:finder { avoid = field, avoid_weight = -1 }",
    "avoid_weight must be a number from 0 to 1000000, got -1" },
  { "grid:finder { avoid_weight = nan }", "avoid_weight must be a number from 0 to 1000000, got nan" },
  { "grid:finder { avoid = field, size = 2 }", "size above 1 cannot honour avoid" },
  { "grid:finder { avoid = field, algorithm = 'jps' }", 'algorithm "jps" cannot honour avoid' },

  -- paths
  { "path:cell(0)", matches = "must be an integer from 1 to 20, got 0$" },
  { "path:cell(21)", matches = "must be an integer from 1 to 20, got 21$" },
  { "path:cell(1.5)", matches = "must be an integer from 1 to 20, got 1.5$" },
  { "path:cell(nan)", matches = "must be an integer from 1 to 20, got nan$" },
  { "path:cell('1')", matches = 'must be an integer from 1 to 20, got "1"$' },
  { "path:cell()", matches = "must be an integer from 1 to 20, got nil$" },
  { "path:cell(2^32 + 1)", matches = "must be an integer from 1 to 20, got 4294967297$" },
  { "local f = path:cells() f(nil, 1)", either = true },
  { "local f = path:cells() f({}, 2^40)", either = true },
  { "local f, s, c = path:cells() for _ = 1, 100 do c = f(s, c) end", either = true },
  { "path.cost = 3", either = true, raises = true },
  { "path[1] = { x = 1, y = 1 }", either = true, raises = true },
  { "grid.name = 'x'", either = true, raises = true },
  { "finder.weight = 3", either = true, raises = true },
  { "local x = path[nan], path[inf], path[-1], path[2^60], path[1.5]", works = true },
  { "return path['1']", 'astar path has no field "1"' },
  { "return path[{}]", "astar path has no field a table" },
  { "return path[true]", "astar path has no field true" },

  -- searches made step by step
  { "finder.search(grid, 1, 1, 2, 2)", "astar finder expected, got astar grid" },
  { "finder:search(1, 1, 9, 9).step(finder, 1)", "astar search expected, got astar finder" },
  { "finder:search(1, 1, 9, 9).step()", "astar search expected, got nil" },
  { "finder:search(1, 1, 9, 9).path(path)", "astar search expected, got astar path" },
  { "finder:search(1, 1, 9, 9).cells({})", "astar search expected, got a table" },
  { "finder:search(1, 1, 9, 9).close(io.stdout)", "astar search expected, got FILE*" },
  { "local u = userdata(metatable(finder:search(1, 1, 9, 9))) local n = u.status",
    matches = "^astar search expected, got " },
  { "local u = userdata(metatable(finder:search(1, 1, 9, 9))) u:step(1)",
    matches = "^astar search expected, got " },
  { "local s = finder:search(1, 1, 9, 9) s:step(0)", matches = "^n must be an integer from 1 to .*, got 0$" },
  { "local s = finder:search(1, 1, 9, 9) s:step(-1)", matches = "^n must be an integer .* got %-1$" },
  { "local s = finder:search(1, 1, 9, 9) s:step(1.5)", matches = "^n must be an integer .* got 1%.5$" },
  { "local s = finder:search(1, 1, 9, 9) s:step(nan)", matches = "^n must be an integer .* got nan$" },
  { "local s = finder:search(1, 1, 9, 9) s:step(inf)", matches = "^n must be an integer .* got inf$" },
  { "local s = finder:search(1, 1, 9, 9) s:step('1')", matches = '^n must be an integer .* got "1"$' },
  { "local s = finder:search(1, 1, 9, 9) s:step(print)", matches = "got a function$" },
  { "local s = finder:search(1, 1, 9, 9) s:step {}", "step needs ms or expansions" },
  { "local s = finder:search(1, 1, 9, 9) s:step(liar())", "step needs ms or expansions" },
  { "local s = finder:search(1, 1, 9, 9) s:step { m = 1 }", 'unknown option "m" (did you mean "ms"?)' },
  { "local s = finder:search(1, 1, 9, 9) s:step { ms = -1 }", matches = "^ms must be a number from 0 .* got %-1$" },
  { "local s = finder:search(1, 1, 9, 9) s:step { ms = nan }", matches = "^ms must be a number .* got nan$" },
  { "local s = finder:search(1, 1, 9, 9) s:step { ms = inf }", matches = "^ms must be a number .* got inf$" },
  { "local s = finder:search(1, 1, 9, 9) s:step { ms = '1' }", matches = '^ms must be a number .* got "1"$' },
  { "local s = finder:search(1, 1, 9, 9) s:step { expansions = 0 }", matches = "^expansions must be .* got 0$" },
  { "local s = finder:search(1, 1, 9, 9) s:step { ms = 1, expansions = 1.5 }",
    matches = "^expansions must be .* got 1%.5$" },
  { "local s = finder:search(1, 1, 9, 9) s:close() s:step(1)", "search is closed" },
  { "local s = finder:search(1, 1, 9, 9) metatable(s).__gc(s) metatable(s).__gc(s) s:path()", "search is closed" },
  { "local s = finder:search(1, 1, 9, 9) local f = s:cells() f(nil, 1) s:step(1) f({}, 2^40) s:close() f()",
    works = true },
  { "local s = finder:search(1, 1, 9, 9) s.status = 3", either = true, raises = true },
  { "local s = finder:search(1, 1, 9, 9) return s[1]", "astar search has no field 1" },
  { "return finder:search(1, 1, 9, 9)[nan]", "astar search has no field nan" },
  { "return finder:search(1, 1, 9, 9).cost", matches = '^astar search has no field "cost"' },
  { "metatable(finder:search(1, 1, 9, 9)).__gc({})", works = true },
  { "return finder:search(1, 1, 9, 9):path()", reason = "running" },
  { "grid:draw(finder:search(1, 1, 9, 9), 3)", matches = "legend must be a table, got 3$" },
  { "grid:draw({}, finder:search(1, 1, 9, 9))", matches = "." },

  -- flows
  { "finder.flow(grid, 1, 1)", "astar finder expected, got astar grid" },
  { "finder.reach(nil, 1, 1, 1)", "astar finder expected, got nil" },
  { "finder:flow()", "goals must be a list of cells or x, y, got nil" },
  { "finder:flow(print)", "goals must be a list of cells or x, y, got a function" },
  { "finder:flow('1', 1)", 'goals must be a list of cells or x, y, got "1"' },
  { "finder:flow(path)", "goals must be a list of cells or x, y, got astar path" },
  { "finder:flow(0, 1)", "x must be an integer from 1 to 20, got 0" },
  { "finder:flow(nan, 1)", "x must be an integer from 1 to 20, got nan" },
  { "finder:flow { 1 }", "goal.y must be an integer from 1 to 10, got nil" },
  { "finder:flow { x = 1 }", "goal.y must be an integer from 1 to 10, got nil" },
  { "finder:flow { x = 21, y = 1 }", "goal.x must be an integer from 1 to 20, got 21" },
  { "finder:flow { y = 1 }", "goals must be a list of cells, got a table without goals[1]" },
  { "local goals = {} for i = 0, 28 do goals[2 ^ i] = {1, 1} end finder:flow(goals)",
    "goals[3] must be a cell {x, y}, got nil" },
  { "local goals = {} goals[1], goals[3] = {1, 1}, {2, 2} finder:flow(goals)",
    "goals[2] must be a cell {x, y}, got nil" },
  { "finder:flow { { 1, 1 }, 3 }", "goals[2] must be a cell {x, y}, got 3" },
  { "finder:flow { { 1, 1 }, {} }", "goals[2].x must be an integer from 1 to 20, got nil" },
  { "finder:flow { { 1, 1.5 } }", "goals[1].y must be an integer from 1 to 10, got 1.5" },
  { "finder:flow { { 2^32 + 1, 1 } }", "goals[1].x must be an integer from 1 to 20, got 4294967297" },
  { "finder:flow { { 1, 1, nan } }", "goals[1].value must be a number from -1000000000 to 1000000000, got nan" },
  { "finder:flow { { 1, 1, inf } }", "goals[1].value must be a number from -1000000000 to 1000000000, got inf" },
  { "finder:flow { { 1, 1, value = '2' } }",
    'goals[1].value must be a number from -1000000000 to 1000000000, got "2"' },
  { "finder:flow { 1, 1, value = {} }", "goal.value must be a number from -1000000000 to 1000000000, got a table" },
  { "finder:flow { liar() }", "goals[1].x must be an integer from 1 to 20, got nil" },
  { "finder:flow(liar())", works = true },
  { "return finder:flow({}):distance(1, 1)", reason = "unreachable" },
  { "finder:flow(1, 1, 3)", "options must be a table, got 3" },
  { "finder:flow({ 1, 1 }, 3)", "options must be a table, got 3" },
  { "finder:flow({ 1, 1 }, { maxcost = 3 })", 'unknown option "maxcost" (did you mean "max_cost"?)' },
  { "finder:flow(1, 1, { max_cost = -1 })", matches = "^max_cost must be a number from 0 .*, got %-1$" },
  { "finder:flow(1, 1, { max_cost = nan })", matches = "^max_cost must be a number from 0 .*, got nan$" },
  { "finder:reach(1, 1)", matches = "^max_cost must be a number from 0 .*, got nil$" },
  { "finder:reach(1, 1, -1)", matches = "^max_cost must be a number from 0 .*, got %-1$" },
  { "finder:reach(1, 1, nan)", matches = "^max_cost must be a number from 0 .*, got nan$" },
  { "finder:reach(1, 1, '3')", matches = '^max_cost must be a number from 0 .*, got "3"$' },
  { "finder:reach(1, 1, inf):complete()", works = true },
  { "finder:flow(1, 1):flee(0)", "factor must be a number from -1000 to -1, got 0" },
  { "finder:flow(1, 1):flee(1.2)", "factor must be a number from -1000 to -1, got 1.2" },
  { "finder:flow(1, 1):flee(-0.5)", "factor must be a number from -1000 to -1, got -0.5" },
  { "finder:flow(1, 1):flee(nan)", "factor must be a number from -1000 to -1, got nan" },
  { "finder:flow(1, 1):flee('-2')", 'factor must be a number from -1000 to -1, got "-2"' },
  { "finder:reach(1, 1, 3):flee()", "a reach has no goals to flee from; flee from a flow" },
  { "finder:flow(1, 1).distance(finder, 1, 1)", "astar flow expected, got astar finder" },
  { "finder:flow(1, 1).next()", "astar flow expected, got nil" },
  { "finder:flow(1, 1).path(io.stdout, 1, 1)", "astar flow expected, got FILE*" },
  { "finder:flow(1, 1).cells({})", "astar flow expected, got a table" },
  { "finder:flow(1, 1).update(path)", "astar flow expected, got astar path" },
  { "finder:flow(1, 1).complete(liar())", "astar flow expected, got a table" },
  { "finder.finding_nearest(grid, 1, 1, {})", "astar finder expected, got astar grid" },
  { "finder:finding_nearest(1, 1)", "goals must be a list of cells or a function, got nil" },
  { "finder:finding_nearest(21, 1, {})", "sx must be an integer from 1 to 20, got 21" },
  { "finder:finding_nearest(1, 1, { { 2, 11 } })", "goals[1].y must be an integer from 1 to 10, got 11" },
  { "finder:finding_nearest(1, 1, print, 2)", "options must be a table, got 2" },
  { "finder:finding_nearest(1, 1, {}, {}, 3)", "finding_nearest takes 4 arguments, got 3 as argument 5" },
  { "local s = finder:finding_nearest(1, 1, {}) return nil, s:step()", reason = "unreachable" },
  { "local s = finder:finding_nearest(1, 1, print) s:close() s:step()", "search is closed" },
  { "local s = finder:finding_nearest(1, 1, print) debug.setuservalue(s, {}) s:step()", either = true },
  { "path.repairing(finder)", "astar path expected, got astar finder" },
  { "path:repairing(5)", "options must be a table, got 5" },
  { "path:repairing { from = 0 }", matches = "^from must be an integer from 1 to %d+, got 0" },
  { "path:repairing { optimal = 1 }", "optimal must be a boolean, got 1" },
  { "local j = path:repairing() metatable(path).__gc(path) while j:step() == 'running' do end", works = true },
  { "finder.preparing(liar())", "astar finder expected, got a table" },
  { "finder:preparing(5)", "options must be a table, got 5" },
  { "finder:preparing { settle = true }", 'unknown option "settle" (did you mean "settled"?)' },
  { "finder:preparing { settled = 1 }", "settled must be a boolean, got 1" },
  { "finder:preparing():step(0)", "n must be an integer from 1 to 9007199254740992, got 0" },
  { "finder:flow(1, 1).completing(liar())", "astar flow expected, got a table" },
  { "finder:flow(1, 1):completing(5)", "completing takes no arguments, got 5 as argument 1" },
  { "finder:flow(1, 1):completing():step(nan)", "n must be an integer from 1 to 9007199254740992, got nan" },
  { "finder:flow(1, 1):completing():step(1.5)", "n must be an integer from 1 to 9007199254740992, got 1.5" },
  { "finder:flow(1, 1):completing():step({ ms = -1 })", "ms must be a number from 0 to 1000000000, got -1" },
  { "finder:flow(1, 1):completing():step({ msec = 1 })", 'unknown option "msec" (did you mean "ms"?)' },
  { "finder:flow(1, 1):completing().step(liar())", "astar job expected, got a table" },
  { "finder:flow(1, 1):completing():close(5)", "close takes no arguments, got 5 as argument 1" },
  { "local j = finder:flow(1, 1):completing() j:close() j:step()", "job is closed" },
  { "finder:flow(1, 1).flee(grid)", "astar flow expected, got astar grid" },
  { "local u = userdata(metatable(finder:flow(1, 1))) u:distance(1, 1)", matches = "^astar flow expected, got " },
  { "local f = finder:flow(1, 1) metatable(f).__gc(f) metatable(f).__gc(f) f:next(1, 1)", "flow is closed" },
  { "local f = finder:flow(1, 1) local g = f:flee() metatable(f).__gc(f) g:next(1, 1)", works = true },
  { "local f = finder:flow(1, 1) local n = f:cells() n({}, 2^40) metatable(f).__gc(f) n()", works = true },
  { "local f = finder:flow(1, 1) tostring(f) metatable(f).__gc(f) tostring(f)", works = true },
  { "metatable(finder:flow(1, 1)).__gc({})", works = true },
  { "finder:flow(1, 1).x = 3", either = true, raises = true },

  -- one of many goals
  { "finder.find_nearest(grid, 1, 1, {})", "astar finder expected, got astar grid" },
  { "finder:find_nearest(1, 1)", "goals must be a list of cells or a function, got nil" },
  { "finder:find_nearest(1, 1, 3)", "goals must be a list of cells or a function, got 3" },
  { "finder:find_nearest(1, 1, path)", "goals must be a list of cells or a function, got astar path" },
  { "local goals = {} goals[1], goals[3] = {1, 1}, {2, 2} finder:find_nearest(1, 1, goals)",
    "goals[2] must be a cell {x, y}, got nil" },
  { "finder:find_nearest(1, 1, { x = 1, y = 1 })", "goals must be a list of cells, got a table without goals[1]" },
  { "return finder:find_nearest(1, 1, liar())", reason = "unreachable" },
  { "finder:find_nearest(1, 1, { 3, 4 })", "goals[1] must be a cell {x, y}, got 3" },
  { "finder:find_nearest(1, 1, { { 2, 2 }, print })", "goals[2] must be a cell {x, y}, got a function" },
  { "finder:find_nearest(1, 1, { { 2, 2 }, {} })", "goals[2].x must be an integer from 1 to 20, got nil" },
  { "finder:find_nearest(1, 1, { { 2 } })", "goals[1].y must be an integer from 1 to 10, got nil" },
  { "finder:find_nearest(1, 1, { { 2, 11 } })", "goals[1].y must be an integer from 1 to 10, got 11" },
  { "finder:find_nearest(1, 1, { { 1.5, 1 } })", "goals[1].x must be an integer from 1 to 20, got 1.5" },
  { "finder:find_nearest(1, 1, { { nan, 1 } })", "goals[1].x must be an integer from 1 to 20, got nan" },
  { "finder:find_nearest(1, 1, { { x = '1', y = 1 } })", 'goals[1].x must be an integer from 1 to 20, got "1"' },
  { "finder:find_nearest(1, 1, { liar() })", "goals[1].x must be an integer from 1 to 20, got nil" },
  { "return finder:find_nearest(1, 1, {})", reason = "unreachable" },
  { "return finder:find_nearest(1, 1, print and function() end)", reason = "unreachable" },

  -- queues
  { "astar.queue().request({}, finder, 1, 1, 2, 2)", "astar queue expected, got a table" },
  { "astar.queue().update(nil, { ms = 1 })", "astar queue expected, got nil" },
  { "astar.queue().count(finder)", "astar queue expected, got astar finder" },
  { "astar.queue():request(grid, 1, 1, 2, 2)", "astar finder expected, got astar grid" },
  { "astar.queue():request(nil, 1, 1, 2, 2)", "astar finder expected, got nil" },
  { "astar.queue():request(finder, 1, 1, 2, 2, 3)", "callback must be a function, got 3" },
  { "astar.queue():request(finder, 1, 1, 2, 2, nil, 'high')", 'priority must be a finite number, got "high"' },
  { "astar.queue():request(finder, 1, 1, 2, 2, nil, nan)", "priority must be a finite number, got nan" },
  { "astar.queue():request(finder, 1, 1, 2, 2, nil, inf)", "priority must be a finite number, got inf" },
  { "astar.queue():update()", "budget must be a table, got nil" },
  { "astar.queue():update(2)", "budget must be a table, got 2" },
  { "astar.queue():update {}", "update needs ms or expansions" },
  { "astar.queue():update(liar())", "update needs ms or expansions" },
  { "astar.queue():update { mss = 2 }", 'unknown option "mss" (did you mean "ms"?)' },
  { "astar.queue():update { expansion = 2 }", 'unknown option "expansion" (did you mean "expansions"?)' },
  { "astar.queue():update { 2 }", "unknown option 1" },
  { "astar.queue():update { ms = -1 }", "ms must be a number from 0 to 1000000000, got -1" },
  { "astar.queue():update { ms = nan }", "ms must be a number from 0 to 1000000000, got nan" },
  { "astar.queue():update { ms = '2' }", 'ms must be a number from 0 to 1000000000, got "2"' },
  { "astar.queue():update { expansions = 0 }", matches = "^expansions must be an integer from 1 to .* got 0$" },
  { "astar.queue():update { expansions = 1.5 }", matches = "^expansions must be .* got 1%.5$" },
  { "astar.queue():update { expansions = nan }", matches = "^expansions must be .* got nan$" },
  { "local t = astar.queue():request(finder, 1, 1, 2, 2) t.path({})", "astar ticket expected, got a table" },
  { "local t = astar.queue():request(finder, 1, 1, 2, 2) t.cancel()", "astar ticket expected, got nil" },
  { "local t = astar.queue():request(finder, 1, 1, 2, 2) t:set_priority()",
    "priority must be a finite number, got nil" },
  { "local t = astar.queue():request(finder, 1, 1, 2, 2) t:set_priority(nan)",
    "priority must be a finite number, got nan" },
  { "return astar.queue():request(finder, 1, 1, 2, 2):path()", reason = "waiting" },

  -- workers
  { "astar.workers()", "n must be an integer from 1 to 64, got nil" },
  { "astar.workers(0)", "n must be an integer from 1 to 64, got 0" },
  { "astar.workers(65)", "n must be an integer from 1 to 64, got 65" },
  { "astar.workers(1.5)", "n must be an integer from 1 to 64, got 1.5" },
  { "astar.workers(nan)", "n must be an integer from 1 to 64, got nan" },
  { "astar.workers({})", "n must be an integer from 1 to 64, got a table" },
  { "astar.workers(1).count(finder)", "astar workers expected, got astar finder" },
  { "astar.workers(1).close(finder)", "astar workers expected, got astar finder" },
  { "astar.workers(1):close() local p = astar.workers(1) metatable(p).__gc(p) p:close() return p:bytes()",
    works = true },
  { "local p = astar.workers(1) metatable(p).__gc(p) astar.queue { workers = p }", matches = "closed" },
  { "astar.queue(3)", "options must be a table, got 3" },
  { "astar.queue { worker = 3 }", 'unknown option "worker" (did you mean "workers"?)' },
  { "astar.queue { dely = 3 }", 'unknown option "dely" (did you mean "delay"?)' },
  { "astar.queue { 3 }", "unknown option 1" },
  { "astar.queue(liar())", works = true },
  { "astar.queue { delay = 3 }", "delay needs workers" },
  { "astar.queue { workers = 3 }", "workers must be what astar.workers returns, got 3" },
  { "astar.queue { workers = grid }", "workers must be what astar.workers returns, got astar grid" },
  { "astar.queue { workers = astar.workers(1), delay = 0 }", "delay must be an integer from 1 to 1000, got 0" },
  { "astar.queue { workers = astar.workers(1), delay = 1.5 }", "delay must be an integer from 1 to 1000, got 1.5" },
  { "astar.queue { workers = astar.workers(1), delay = nan }", "delay must be an integer from 1 to 1000, got nan" },
  { "astar.queue { workers = astar.workers(1), delay = '2' }", 'delay must be an integer from 1 to 1000, got "2"' },
  { "astar.queue { workers = astar.workers(1) }:request(finder, 1, 1, 2, nan)",
    "gy must be an integer from 1 to 10, got nan" },
  { "astar.queue { workers = astar.workers(1) }:request(grid:finder { avoid = field }, 1, 1, 2, nan)",
    "gy must be an integer from 1 to 10, got nan" },
  { "astar.queue { workers = astar.workers(1) }:update { mss = 2 }", 'unknown option "mss" (did you mean "ms"?)' },
  { "astar.queue { workers = astar.workers(1) }:update()", works = true },

  -- pictures and dumps
  { "grid:draw(3)", matches = "got 3$" },
  { "grid:draw('x')", matches = 'got "x"$' },
  { "grid:draw(finder)", matches = "got " },
  { "grid:draw(path, 3)", matches = "legend must be a table, got 3$" },
  { "grid:draw(path, { ['.'] = 'ab' })", matches = "legend" },
  { "grid:draw { ['.'] = '' }", matches = "legend" },
  { "grid:draw { ['.'] = 1 }", matches = "legend" },
  { "grid:draw { lava = 'l' }", works = true }, -- a legend may serve many grids
  { "grid:draw(astar.grid(30, 30):find_path(1, 1, 30, 30))", either = true },
  { "astar.load()", matches = "dump expected, got nil$" },
  { "astar.load(3)", matches = "dump expected, got 3$" },
  { "astar.load({})", matches = "dump expected, got a table$" },
  { "astar.load('')", matches = "." },
  { "astar.load('astar')", matches = "." },
  { "astar.load(('x'):rep(10000))", matches = "." },
  { "astar.load(grid:dump():sub(1, -2))", matches = "." },
  { "astar.load(grid:dump() .. 'x')", matches = "." },
  { "astar.load(grid:dump(), 3)", matches = "options must be a table, got 3$" },
  { "astar.load(grid:dump(), { cells = 3 })", matches = 'unknown option "cells"' },
  { "astar.load(grid:dump(), { max_cells = 0 })", matches = "max_cells must be an integer from .* got 0$" },
  { "astar.load(grid:dump(), { max_cells = 0 / 0 })", matches = "max_cells must be an integer from .* got nan$" },
  { "astar.load(grid:dump(), { max_cells = 1 })", matches = "more than the option max_cells, 1$" },

  -- facts
  { "return astar.grid('#.'):find_path(1, 1, 2, 1)", reason = "start blocked" },
  { "return astar.grid('.#'):find_path(1, 1, 2, 1)", reason = "goal blocked" },
  { "return astar.grid('.#.'):find_path(1, 1, 3, 1)", reason = "unreachable" },
  { "return grid:find_path(20, 1, 1, 1, { size = 2 })", reason = "start blocked" },
  { "return grid:find_path(1, 1, 20, 1, { size = 2 })", reason = "goal blocked" },
  { "return grid:find_path(1, 1, 20, 10, { max_cost = 1 })", reason = "max_cost" },
  { "return grid:find_path(1, 1, 20, 10, { max_expansions = 1, algorithm = 'astar' })",
    reason = "max_expansions" },
  { "return grid:find_path(1, 1, 20, 10, { cost = function() end })", reason = "goal blocked" },
  { "return grid:find_path(1, 1, 20, 10, { step_cost = function() end })",
    reason = "unreachable" },

  -- callbacks that answer wrongly; how they raise, yield and edit is in callbacks_spec.lua
  { "grid:find_path(3, 4, 4, 4, { cost = function(x, y) return x == 4 and y == 4 and nan or 1 end })",
    "cost callback returned nan for (4, 4); expected a number > 0, false or nil" },
  { "grid:find_path(3, 4, 4, 4, { cost = function(x, y) return x == 4 and y == 4 and '1' or 1 end })",
    'cost callback returned "1" for (4, 4); expected a number > 0, false or nil' },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return -1 end })",
    matches = "^cost callback returned %-1 for %(%d+, %d+%); expected a number > 0, false or nil$" },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return -inf end })",
    matches = "^cost callback returned %-inf for " },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return 0 end })",
    matches = "^cost callback returned 0 for " },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return true end })",
    matches = "^cost callback returned true for " },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return {} end })",
    matches = "^cost callback returned a table for " },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return 1e7 end })",
    matches = "^cost callback returned 10000000 for " },
  { "grid:find_path(1, 1, 3, 1, { cost = function() return 0.5 end })",
    matches = "^cost callback returned 0%.5 for %(%d+, %d+%), less than min_cost 1$" },
  { "grid:find_path(1, 1, 3, 1, { step_cost = function() return nan end })",
    matches = "^step_cost callback returned nan for " },
  { "grid:find_path(1, 1, 3, 1, { step_cost = function() return '1' end })",
    matches = '^step_cost callback returned "1" for ' },
  { "grid:find_path(1, 1, 3, 1, { step_cost = function() return 0 end })",
    matches = "^step_cost callback returned 0 for " },
  { "grid:find_path(1, 1, 3, 1, { step_cost = function() return 1e9 end })",
    matches = "^step_cost callback returned 1000000000 for " },
  { "grid:find_path(1, 1, 3, 1, { heuristic = function() return nan end })",
    matches = "^heuristic callback returned nan" },
  { "grid:find_path(1, 1, 3, 1, { heuristic = function() return -1 end })",
    matches = "^heuristic callback returned %-1" },
  { "grid:find_path(1, 1, 3, 1, { heuristic = function() return inf end })",
    matches = "^heuristic callback returned inf" },
  { "grid:find_path(1, 1, 3, 1, { heuristic = function() end })",
    matches = "^heuristic callback returned nil" },
  { "finder = grid:finder { cost = function() return nan end } finder:raycast(1, 1, 3, 1)",
    matches = "^cost callback returned nan for " },
  { "finder = grid:finder { cost = function() return nan end } finder:reachable(1, 1, 3, 1)",
    matches = "^cost callback returned nan for " },
} do add(row) end

for _, row in ipairs {
  -- functions that take nothing but what they belong to
  { "field.bounds(grid)", "astar field expected, got astar grid" },
  { "field.bytes()", "astar field expected, got nil" },
  { "field.size({})", "astar field expected, got a table" },
  { "field.version(io.stdout)", "astar field expected, got FILE*" },
  { "grid.bounds(field)", "astar grid expected, got astar field" },
  { "grid.bytes()", "astar grid expected, got nil" },
  { "grid.size(path)", "astar grid expected, got astar path" },
  { "grid.version('1')", 'astar grid expected, got "1"' },
  { "path.cells_flat(grid)", "astar path expected, got astar grid" },
  { "path.directions()", "astar path expected, got nil" },
  { "path.waypoints(finder)", "astar path expected, got astar finder" },

  -- what a question has its own way
  { "finder:find_path(1, 1, 2, 2, 3)", "options must be a table, got 3" },
  { "finder:find_path(1, 1, 2, 2, { rnage = 1 })", 'unknown option "rnage" (did you mean "range"?)' },
  { "finder:find_path(1, 1, 2, 2, { diagonals = 'never' })", matches = '^unknown option "diagonals"' },
  { "finder:find_path(1, 1, 2, 2, { 1 })", "unknown option 1" },
  { "finder:find_path(1, 1, 2, 2, { range = -1 })", matches = "^range must be an integer from 0 to .*, got %-1$" },
  { "finder:find_path(1, 1, 2, 2, { range = 2^32 + 1 })", matches = "^range must be .*, got 4294967297$" },
  { "finder:find_path(1, 1, 2, 2, { weight = 0.5 })", matches = "^weight must be a number .*, got 0.5$" },
  { "finder:find_path(1, 1, 2, 2, { weight = nan })", matches = "^weight must be a number .*, got nan$" },
  { "finder:find_path(1, 1, 2, 2, { max_cost = '9' })", matches = '^max_cost must be a number .*, got "9"$' },
  { "finder:find_path(1, 1, 2, 2, { max_expansions = 0 })", matches = "^max_expansions must be .* got 0$" },
  { "finder:find_path(1, 1, 2, 2, { partial = 1 })", "partial must be a boolean, got 1" },
  { "finder:find_path(1, 1, 2, 2, liar())", works = true },
  { "finder:find_path(1, 1, 2, 2, {}, 1)", "find_path takes 5 arguments, got 1 as argument 6" },
  { "finder:find_path(1, 1, 2, 2, nil, nil)", works = true },
  { "grid:find_path(1, 1, 2, 2, {}, {})", "find_path takes 5 arguments, got a table as argument 6" },
  { "grid:finder { algorithm = 'jps' }:find_path(1, 1, 2, 2, { range = 1 })", 'algorithm "jps" cannot honour range' },
  { "grid:finder { algorithm = 'jpsw' }:search(1, 1, 2, 2, { weight = 2 })",
    'algorithm "jpsw" cannot honour weight' },
  { "grid:finder { algorithm = 'jps' }:find_nearest(1, 1, { { 2, 2 } }, { range = 1 })",
    'algorithm "jps" cannot honour range' },
  { "finder:search(1, 1, 2, 2, { rang = 1 })", 'unknown option "rang" (did you mean "range"?)' },
  { "finder:search(1, 1, 2, 2, {}, finder)", "search takes 5 arguments, got astar finder as argument 6" },
  { "finder:find_nearest(1, 1, {}, { partal = true })", 'unknown option "partal" (did you mean "partial"?)' },
  { "finder:find_nearest(1, 1, print, 2)", "options must be a table, got 2" },
  { "return finder:find_nearest(1, 1, { { 9, 9 } }, { max_cost = 2 })", reason = "max_cost" },
  { "return finder:find_path(1, 1, 9, 9, { max_cost = 2 })", reason = "max_cost" },
  { "return grid:finder { algorithm = 'astar' }:find_path(1, 1, 9, 9, { max_expansions = 2 })",
    reason = "max_expansions" },
  { "astar.queue():request(finder, 1, 1, 2, 2, { rnage = 1 })",
    'unknown option "rnage" (did you mean "range"?)' },
  { "astar.queue():request(finder, 1, 1, 2, 2, print, 0, 5)", "request takes 7 arguments, got 5 as argument 8" },
  { "astar.queue():request(finder, 1, 1, 2, 2, { range = 1 }, 5)", "callback must be a function, got 5" },
  { "astar.queue():request(finder, 1, 1, 2, 2, { range = 1 }, nil, 'x')", 'priority must be a finite number, got "x"' },
  { "finder:reachable(1, 1, 2, 2, { range = 1 })", "reachable takes 4 arguments, got a table as argument 5" },
  { "finder:raycast(1, 1, 2, 2, 1)", "raycast takes 4 arguments, got 1 as argument 5" },
  { "finder:reach(1, 1, 2, { range = 1 })", "reach takes 3 arguments, got a table as argument 4" },
  { "grid:block(1, 1, 1, 1, 'red', 1)", 'block takes 5 arguments, got 1 as argument 6' },
  { "grid:block(1, 1, 'red', 1)", 'block takes 3 arguments, got 1 as argument 4' },
  { "grid:block(1, 1, 2, 'red', 1)", 'block takes 4 arguments, got 1 as argument 5' },
  { "grid:unblock(1, 1, 'red', 'blue')", 'unblock takes 3 arguments, got "blue" as argument 4' },
  { "grid:is_blocked(1, 1, 'red', 1)", 'is_blocked takes 3 arguments, got 1 as argument 4' },
  { "grid:block_layers(1, 1, 1)", 'block_layers takes 2 arguments, got 1 as argument 3' },
  { "grid:get(1, 1, nil, nil, 0 / 0)", matches = "^get takes 2 arguments, got nan as argument 5$" },
  { "finder:options(1)", "options takes no arguments, got 1 as argument 1" },
  { "finder.options(grid)", "astar finder expected, got astar grid" },
  { "metatable(finder).__gc(finder) finder:options()", "finder is closed", closes = true },
  { "finder:with_grid()", "astar grid expected, got nil" },
  { "finder:with_grid(finder)", "astar grid expected, got astar finder" },
  { "finder:with_grid(grid, 1)", "with_grid takes 1 argument, got 1 as argument 2" },
  { "finder.with_grid(grid, grid)", "astar finder expected, got astar grid" },
  { "metatable(finder).__gc(finder) finder:with_grid(grid)", "finder is closed", closes = true },

  -- lists that begin at 0, drawings with a margin
  { "astar.grid { {0, 0}, [-1] = {0, 0} }", "rows are counted from 1, got an entry [-1]" },
  { "astar.grid { '..', '..', [1.5] = '..' }", "rows are counted from 1, got an entry [1.5]" },
  { "astar.grid { {0, 0}, { [-1] = 1, [2.5] = 1, 0, 0 } }", "row 2: columns are counted from 1, got an entry [-1]" },
  { "grid:set_cells(1, 1, 2, 1, { [0.5] = '.', '.', '.' })", "keys are counted from 1, got an entry [0.5]" },
  { "finder:find_nearest(1, 1, { [-3] = { 2, 2 }, { 3, 3 } })", "goals are counted from 1, got an entry [-3]" },
  { "finder:flow { [1.5] = { 2, 2 }, { 3, 3 } }", "goals are counted from 1, got an entry [1.5]" },
  { "astar.grid { [0] = {0, 0}, {0, 0} }", "rows are counted from 1, got an entry [0]" },
  { "astar.grid { [0] = '..', '..' }", "rows are counted from 1, got an entry [0]" },
  { "astar.grid { {0, 0}, { [0] = 1, 0, 0 } }", "row 2: columns are counted from 1, got an entry [0]" },
  { "astar.grid { { [0] = 0, 0, 0 } }", "row 1: columns are counted from 1, got an entry [0]" },
  { "astar.grid { [0] = {0} }", "rows are counted from 1, got an entry [0]" },
  { "finder:find_nearest(1, 1, { [0] = { 2, 2 }, { 3, 3 } })", "goals are counted from 1, got an entry [0]" },
  { "finder:flow { [0] = { 2, 2 }, { 3, 3 } }", "goals are counted from 1, got an entry [0]" },
  { "astar.grid { '..', '..', name = 'hall' }", 'rows are counted from 1, got an entry ["name"]' },
  { "astar.grid { {0, 0}, {0, 0, n = 2} }", 'row 2: columns are counted from 1, got an entry ["n"]' },
  { "astar.grid { {0, 0, [print] = 2} }", "row 1: columns are counted from 1, got an entry [a function]" },
  { "astar.grid { '..', x = '..', [0] = '..' }", "rows are counted from 1, got an entry [0]" },
  { "astar.grid { width = 5, height = 5 }", "a width and height, a drawing or rows expected, got a table of names" },
  { "grid:set_cells(1, 1, 2, 1, { '.', '.', x = '.' })", 'keys are counted from 1, got an entry ["x"]' },
  { "finder:find_nearest(1, 1, { { 2, 2 }, n = 1 })", 'goals are counted from 1, got an entry ["n"]' },
  { "finder:find_nearest(1, 1, { { 2, 2, 2 } })", "goals[1] must be a cell {x, y}, got an entry [3]" },
  { "finder:find_nearest(1, 1, { { 3, 3 }, { 2, 2, cost = 2 } })",
    'goals[2] must be a cell {x, y}, got an entry ["cost"]' },
  { "assert(finder:find_nearest(1, 1, { { x = 2, y = 2, hp = 7 } }))", works = true }, -- a unit of the game
  { "finder:flow { { 2, 2 }, name = 'town' }", 'goals are counted from 1, got an entry ["name"]' },
  { "finder:flow { { 2, 2, 2, 2 } }", "goals[1] must be {x, y, value}, got an entry [4]" },
  { "finder:flow { { 2, 2, cost = 5 } }", 'goals[1] must be {x, y, value}, got an entry ["cost"]' },
  { "finder:flow { 2, 2, valeu = 5 }", 'goal must be {x, y, value}, got an entry ["valeu"]' },
  { "assert(finder:flow { { x = 2, y = 2, hp = 7, 'sword' } })", works = true }, -- a unit of the game
  { "finder:flow { { 2, 2, 5, value = 6 } }", "goals[1] has two values for value, [3] is one, too" },
  { "assert(finder:flow { { 2, 2, value = 6 }, { x = 1, y = 1, value = 2 }, { 1, 1, 3 } })", works = true },
  { "astar.crowd(finder):go({ name = 'red' }, 1, 1)", 'units are counted from 1, got an entry ["name"]' },
  { "astar.crowd(finder):resolving({ window = { 1, 1, 4, 4 } })", 'units are counted from 1, got an entry ["window"]' },
  { "astar.crowd(finder):resolving(nil, { window = { 1, 1, 4, 4, 4 } })",
    "window must be a table {x, y, w, h}, got an entry [5]" },
  { "astar.grid(3, 3, { origin = { 0, 0, 0 } })", "origin must be a table {x, y}, got an entry [3]" },
  { "astar.grid(3, 3, { origin = { 0, 0, z = 0 } })", 'origin must be a table {x, y}, got an entry ["z"]' },
  { "astar.field(3, 3, { origin = { 0, 0, 0 } })", "origin must be a table {x, y}, got an entry [3]" },
  { "astar.floors { { 3, 3 }, gap = 2 }", 'floors are counted from 1, got an entry ["gap"]' },
  { "astar.floors { { 3, 3 }, [3] = { 3, 3 } }", "floors are counted from 1, got an entry [3]" },
  { "astar.floors { { 3, 3, 3 } }", "floor 1: expected { width, height }, got an entry [3]" },
  { "astar.tiled.objects({}, 'a', { 1, 1, 1 })", "origin must be two integers, got an entry [3]" },
  { "astar.tiled.grid({}, { blocks = { 'a', b = 'c' } })", 'blocks are counted from 1, got an entry ["b"]' },
  { "astar.world():put_chunk(0, 0, { ('.'):rep(64), x = 1 })", 'keys: cells are counted from 1, got an entry ["x"]' },
  { "local rows = {} for i = 1, 64 do rows[i] = { x = 1 } end astar.world():put_chunk(0, 0, rows)",
    'keys: row 1: columns are counted from 1, got an entry ["x"]' },

  -- options that nothing would come of
  { "grid:finder { min_cost = 0.5 }", "min_cost needs a function, cost or step_cost" },
  { "grid:finder { min_cost = 0.5, avoid = field }", "min_cost needs a function, cost or step_cost" },
  { "grid:finder { avoid_weight = 9 }", "avoid_weight needs avoid, a field" },
  { "grid:find_path(1, 1, 2, 2, { avoid_weight = 9 })", "avoid_weight needs avoid, a field" },
  { "astar.grid('..', { fill = '.' })", "fill is for grids by size: here each cell has its key" },
  { "astar.grid({ '..' }, { fill = '#' })", "fill is for grids by size: here each cell has its key" },
  { "astar.movingai.parse_map('type octile\\nheight 1\\nwidth 1\\nmap\\n.\\n', { fill = '.' })",
    matches = "fill is for grids by size: here each cell has its key$" },
  { "astar.floors({ '..' }, { fill = '.' })", "fill is for floors by size: here each cell has its key" },
  { "finder:bake { method = 'landmarks', bytes = 100 }", "bytes are for labels and hierarchies, not for landmarks" },
  { "finder:baking { pivots = 2, bytes = 100 }", "bytes are for labels and hierarchies, not for landmarks" },
  { "astar.world { spacing = 1, exact = false }", "spacing 1 is exact, got false for exact" },
  { "astar.queue():add { step = print }", matches = "^job must be a search, .* got a table$" },
  { "astar.love.view(grid, { colors = { lava = '#ff0000' } })", works = true }, -- they may serve many grids
  { "astar.grid '\\n  ..\\n ..\\n  '", "row 2: expected a margin of 2 blanks, as the last line has" },
  { "astar.grid '\\n ..\\n  ..\\n  '", "row 1: expected a margin of 2 blanks, as the last line has" },
  { "astar.grid '\\n  ..\\n\\n  ..\\n  '", "row 2: expected a margin of 2 blanks, as the last line has" },
  { "astar.grid '\\n\\t..\\n  ..\\n\\t'", "row 2: expected a margin of 1 blank, as the last line has" },
  { "astar.grid '\\n  ..\\n  .x\\n  '",
    'unknown terrain "x" at row 2, column 2: give it a cost in the option terrain' },
  { "astar.grid '\\n  ..\\n  ...\\n  '", "row 2: expected 2 cells, got 3" },
  { "astar.grid '\\n    '", matches = "at least one cell" },
  { "astar.grid '    \\n    '", matches = "at least one cell" },

  -- scripts that wait, walkers
  { "grid.width = 30", matches = '^astar grid is read%-only, "width" cannot be set: keep your own data' },
  { "path.cost = 0", 'astar path is read-only, "cost" cannot be set' },
  { "astar.crowd(finder).speed = 8", 'astar crowd is read-only, "speed" cannot be set' },
  { "astar.crowd(finder):add(1, 1).x = 2", 'astar unit is read-only, "x" cannot be set' },
  { "grid[1] = {}", matches = "^astar grid is read%-only, 1 cannot be set: keep your own data" },
  { "astar.queue():await(finder, 1, 1, 2, 2)", "await must be called in a coroutine" },
  { "astar.queue():add(finder)", "job must be a search, what flow:completing() returns or the like, got astar finder" },
  { "local c = coroutine.create(function() astar.queue():await(grid, 1, 1, 2, 2) end) "
    .. "error(select(2, coroutine.resume(c)), 0)", "astar finder expected, got astar grid" },
  { "local c = coroutine.create(function() astar.queue():await(finder, 1, 1, 2, nan) end) "
    .. "error(select(2, coroutine.resume(c)), 0)", "gy must be an integer from 1 to 10, got nan" },
  { "local c = coroutine.create(function() astar.queue():await(finder, 1, 1, 2, 2, 'x') end) "
    .. "error(select(2, coroutine.resume(c)), 0)", 'priority must be a finite number, got "x"' },
  { "local q = astar.queue() coroutine.wrap(function() q:await(finder, 1, 1, 2, 2) end)() q:update { ms = 9 }",
    works = true },
  { "astar.walker(path):update()", "dt must be a number >= 0, got nil" },
  { "astar.walker(path):update(-1)", "dt must be a number >= 0, got -1" },
  { "astar.walker(path):update(nan)", "dt must be a number >= 0, got nan" },
  { "astar.walker(path):update('1')", 'dt must be a number >= 0, got "1"' },
  { "astar.walker(path):update(inf)", works = true },
  { "astar.walker(path).update({}, 1)", "astar walker expected, got a table" },
  { "local w = astar.walker(path) w.speed = -1 w:update(1)", "speed must be a number > 0, got -1" },
  { "astar.walker(path):follow()", "astar path expected, got nil" },
  { "astar.walker(path):follow(grid)", "astar path expected, got astar grid" },
  { "astar.walker(path).follow(path, path)", "astar walker expected, got astar path" },
  { "astar.walker(path).cell({})", "astar walker expected, got a table" },
  { "astar.walker(path):repair({ optimal = 1 })", "optimal must be a boolean, got 1" },
  { "astar.walker(path):repair({ from = 1 })", 'unknown option "from"; there is "optimal"' },
  { "astar.walker(path):repair('optimal')", 'options must be a table, got "optimal"' },
  { "astar.walker(path).repair()", "astar walker expected, got nil" },
  { "local w = astar.walker(path) metatable(path).__gc(path) w:follow(path)", either = true },
  { "local w = astar.walker(path) w:update(0.5) metatable(path).__gc(path) w:repair()", either = true },
  { "astar.walker(grid)", "astar path expected, got astar grid" },
  { "astar.walker(path, 3)", "options must be a table, got 3" },
  { "astar.walker(path, { sped = 3 })", 'unknown option "sped" (did you mean "speed"?)' },
  { "astar.walker(path, { speed = 0 })", "speed must be a number > 0, got 0" },
  { "astar.walker(path, { speed = nan })", "speed must be a number > 0, got nan" },
  { "local w = astar.walker(path) metatable(path).__gc(path) w:update(100)", either = true },
} do add(row) end

-- ---- worlds ----

local WORLD = 'local w = astar.world { load = function() return require "spec.support.worlds".open_chunk() end } '
  .. 'local u = w:finder() local r = u:find_route(1, 1, 9, 9) local s = u:search(1, 1, 9, 9) '

for _, row in ipairs {
  { "astar.world(3)", "options must be a table, got 3" },
  { "astar.world({}, 3)", "world takes 1 argument, got 3 as argument 2" },
  { "astar.world { lod = 3 }", matches = '^unknown option "lod"; there are: terrain, load' },
  { "astar.world { chunk = 32 }", "chunk must be 64, got 32" },
  { "astar.world { load = 3 }", "load must be a function, got 3" },
  { "astar.world { save = {} }", "save must be a function, got a table" },
  { "astar.world { exact = 1 }", "exact must be a boolean, got 1" },
  { "astar.world { exact = true, spacing = 8 }", "exact asks for spacing 1, got 8" },
  { "astar.world():finder { exact = 1 }", "exact must be a boolean, got 1" },
  { "astar.world():finder { exactly = true }", matches = '^unknown option "exactly"' },
  { "astar.world { exact = true }:finder { exact = false }", works = true },
  { "astar.world { spacing = 0 }", "spacing must be an integer from 1 to 64, got 0" },
  { "astar.world { spacing = 65 }", "spacing must be an integer from 1 to 64, got 65" },
  { "astar.world { spacing = nan }", "spacing must be an integer from 1 to 64, got nan" },
  { "astar.world { bytes = 1000 }", matches = "^bytes must be an integer from 1048576 to" },
  { "astar.world { bytes = inf }", matches = "^bytes must be an integer from 1048576 to" },
  { "astar.world { unknown = -1 }", matches = "^unknown must be a number from 0.001 to 1000000" },
  { "astar.world { terrain = 3 }", "terrain must be a table, got 3" },
  { "astar.world { terrain = { a = -1 } }", matches = "^terrain \"a\" must be" },
  { "astar.world { terrain = {} }", "terrain must hold at least one key" },
  { WORLD .. "w:put_chunk(1)", matches = "^cy must be an integer from" },
  { WORLD .. "w:put_chunk(1, 1.5, false)", matches = "^cy must be an integer from" },
  { WORLD .. "w:put_chunk(15625000, 1, false)", matches = "^cx must be an integer from %-15625000 to 15624999, got" },
  { WORLD .. "w:put_chunk(1, 1)", "keys: expected 4096 keys or 64 rows, or false, got nil" },
  { WORLD .. "w:put_chunk(1, 1, true)", "keys: expected 4096 keys or 64 rows, or false, got true" },
  { WORLD .. "w:put_chunk(1, 1, {})", "keys: expected 4096 keys or 64 rows, got 0" },
  { WORLD .. "w:put_chunk(1, 1, ('.'):rep(4095))", "keys: expected 4096 keys, got fewer" },
  { WORLD .. "w:put_chunk(1, 1, ('.'):rep(4097))", "keys: expected 4096 keys, got more" },
  { WORLD .. "w:put_chunk(1, 1, '')", "keys: expected 4096 keys, got fewer" },
  { WORLD .. "w:put_chunk(1, 1, ('.'):rep(66) .. '?' .. ('.'):rep(4029))",
    'keys: unknown terrain "?" at row 2, column 3: give it a cost in the option terrain' },
  { WORLD .. "w:changed(1, nan)", matches = "^cy must be an integer from" },
  { WORLD .. "w:save()", "the world has no function save" },
  { WORLD .. "w:get(1e10, 1)", matches = "^x must be an integer from %-999999999 to 1000000000, got" },
  { WORLD .. "w:set(1, 1, 'x')", 'unknown terrain "x": give it a cost in the option terrain' },
  { WORLD .. "w:set(1, 1)", "unknown terrain nil" },
  { WORLD .. "w:block(1, 1, 0, 1)", matches = "^w must be an integer from 1 to" },
  { WORLD .. "w:block(1, 1, 16777216, 16777216)", "w * h must be at most 268435456 cells" },
  { WORLD .. "w:block(1e9, 1, 9, 9)", "cells must lie within 1000000000 of 0" },
  { WORLD .. "w:link(1, 1, 1, 1)", "a link must join two cells, got (1, 1) twice" },
  { WORLD .. "w:link(1, 1, 2, 1, { cost = -1 })", "cost must be a number from 0 to 1000000, got -1" },
  { WORLD .. "w:link(1, 1, 2, 1, { label = {} })", "label must be a string or a number, got a table" },
  { WORLD .. "w:link(1, 1, 2, 1, { kost = 1 })", 'unknown option "kost" (did you mean "cost"?)' },
  { WORLD .. "w:wall(1, 1, 'north_east')", matches = "^direction must be" },
  { WORLD .. "w:wall(1, 1, 'north', 1)", "one_way must be a boolean, got 1" },
  { WORLD .. "w:finder { range = 2 }", matches = '^unknown option "range"' },
  { WORLD .. "w:finder { weight = 0.5 }", matches = "^weight must be a number .*, got 0.5$" },
  { WORLD .. "w:finder { weight = inf }", matches = "^weight must be a number .*, got inf$" },
  { WORLD .. "w:finder { size = 65 }", "size must be an integer from 1 to 64, got 65" },
  { WORLD .. "w:finder { diagonals = 'some' }", matches = "^diagonals must be" },
  { WORLD .. "w:finder { costs = { x = 1 } }", matches = 'unknown terrain "x"' },
  { WORLD .. "w.finder(grid)", "astar world expected, got astar grid" },
  { WORLD .. "u:find_route(1, 1, 2)", matches = "^gy must be an integer from" },
  { WORLD .. "u:find_route(1.5, 1, 2, 2)", matches = "^sx must be an integer from" },
  { WORLD .. "u:find_route(1, 1, 2, 2, {})", "find_route takes 4 arguments, got a table as argument 5" },
  { WORLD .. "u.search(w, 1, 1, 2, 2)", "astar world finder expected, got astar world" },
  { WORLD .. "s:step(0)", matches = "must be an integer from 1" },
  { WORLD .. "s:close() s:step()", "search is closed" },
  { WORLD .. "s:close() s:route()", "search is closed" },
  { WORLD .. "s:path(1)", "path takes no arguments, got 1 as argument 1" },
  { WORLD .. "s:route(1)", "route takes no arguments, got 1 as argument 1" },
  { WORLD .. "r:is_valid(1)", "is_valid takes no arguments, got 1 as argument 1" },
  { WORLD .. "w:has_wall(1, 1, 'up')", matches = "^direction must be" },
  { WORLD .. "w:is_blocked(1)", matches = "^y must be an integer from" },
  { WORLD .. "w:stats(1)", "stats takes no arguments, got 1 as argument 1" },
  { WORLD .. "w:version(1)", "version takes no arguments, got 1 as argument 1" },
  { WORLD .. "w:unblock(1, 1, 1)", matches = "^h must be an integer from 1 to" },
  { WORLD .. "w:unlink(1, 1, 2)", matches = "^y1 must be an integer from" },
  { WORLD .. "w:unlink(1, 1, 2, 2, 1)", "one_way must be a boolean, got 1" },
  { WORLD .. "w:unwall(1, 1, 'north', 1)", "one_way must be a boolean, got 1" },
  { WORLD .. "s.step(r)", "astar route search expected, got astar route" },
  { WORLD .. "r:path(3)", "options must be a table, got 3" },
  { WORLD .. "r:path { legs = 0 }", "legs must be an integer from 1 to 2147483647, got 0" },
  { WORLD .. "r:path { leg = 1 }", 'unknown option "leg" (did you mean "legs"?)' },
  { WORLD .. "r:next(1)", "next takes no arguments, got 1 as argument 1" },
  { WORLD .. "metatable(w).__gc(w) w:get(1, 1)", "world is closed" },
  { WORLD .. "metatable(w).__gc(w) u:find_route(1, 1, 9, 9)", either = true },
  { WORLD .. "metatable(u).__gc(u) u:find_route(1, 1, 9, 9)", "finder is closed" },
  { WORLD .. "metatable(u).__gc(u) r:next()", either = true },
  { WORLD .. "metatable(r).__gc(r) r:next()", "route is closed" },
} do add(row) end

-- ---- graphs ----

local GRAPH = 'local g = astar.graph() g:node("a", 0, 0) g:node("b", 3, 4) g:node("c") g:edge("a", "b") '
  .. 'local f = g:finder() '
local SPACE = "local s = astar.graph { neighbours = function(n, add) add(n + 1) end } "

for _, row in ipairs {
  { "astar.graph(3)", "options must be a table, got 3" },
  { "astar.graph({}, 3)", "graph takes 1 argument, got 3 as argument 2" },
  { "astar.graph { neighbors = print }", 'unknown option "neighbors" (did you mean "neighbours"?)' },
  { "astar.graph { neighbours = 3 }", "neighbours must be a function, got 3" },
  { "astar.graph { heuristic = 'octile' }", 'heuristic must be a function, got "octile"' },
  { "astar.graph { key = print }", "key needs neighbours: the nodes of a graph are its keys" },
  { "astar.graph.load()", "a graph's dump expected, got nil" },
  { "astar.graph.load('x')", "not a graph's dump, or a damaged one" },
  { "astar.graph.load(grid:dump())", "not a graph's dump, or a damaged one" },
  { "astar.load(astar.graph():dump())", "not a grid's dump, or a damaged one" },
  { GRAPH .. "g:node()", "a key must not be nil" },
  { GRAPH .. "g:node(nan)", "a key must not be nan" },
  { GRAPH .. "g:node('d', 1)", "y must be a number from -1e+15 to 1e+15, got nil" },
  { GRAPH .. "g:node('d', nil, 1)", "x must be a number from -1e+15 to 1e+15, got nil" },
  { GRAPH .. "g:node('d', inf, 1)", "x must be a number from -1e+15 to 1e+15, got inf" },
  { GRAPH .. "g:node('d', nan, 1)", "x must be a number from -1e+15 to 1e+15, got nan" },
  { GRAPH .. "g:node('d', '1', 1)", 'x must be a number from -1e+15 to 1e+15, got "1"' },
  { GRAPH .. "g.node(grid, 'd')", "astar graph expected, got astar grid" },
  { GRAPH .. "g:edge('a')", "a key must not be nil" },
  { GRAPH .. "g:edge('a', 'd')", 'unknown node "d"' },
  { GRAPH .. "g:edge({}, 'a')", "unknown node a table" },
  { GRAPH .. "g:edge('a', 'a')", 'an edge must join two nodes, got "a" twice' },
  { GRAPH .. "g:edge('a', 'c', 3)", "options must be a table, got 3" },
  { GRAPH .. "g:edge('a', 'c', { weight = 3 })", matches = '^unknown option "weight"' },
  { GRAPH .. "g:edge('a', 'c', { cost = -1 })", "cost must be a number from 0 to 1e+15, got -1" },
  { GRAPH .. "g:edge('a', 'c', { cost = nan })", "cost must be a number from 0 to 1e+15, got nan" },
  { GRAPH .. "g:edge('a', 'c', { cost = inf })", "cost must be a number from 0 to 1e+15, got inf" },
  { GRAPH .. "g:edge('a', 'c', { label = {} })", "label must be a string or a number, got a table" },
  { GRAPH .. "g:edge('a', 'c', { one_way = 1 })", "one_way must be a boolean, got 1" },
  { GRAPH .. "g:remove_edge('a', 'd')", 'unknown node "d"' },
  { GRAPH .. "g:remove_edge('a', 'b', 1)", "one_way must be a boolean, got 1" },
  { GRAPH .. "g:remove(nil)", "a key must not be nil" },
  { GRAPH .. "assert(not g:remove('d'))", works = true },
  { GRAPH .. "g:has()", "a key must not be nil" },
  { GRAPH .. "assert(not g:has(print))", works = true },
  { GRAPH .. "g:position('d')", 'unknown node "d"' },
  { GRAPH .. "g:block('d')", 'unknown node "d"' },
  { GRAPH .. "g:block('a', 'c')", 'there is no edge between "a" and "c"' },
  { GRAPH .. "g:unblock('c', 'a')", 'there is no edge between "c" and "a"' },
  { GRAPH .. "g:is_blocked('d')", 'unknown node "d"' },
  { GRAPH .. "assert(not g:is_blocked('a', 'c'))", works = true },
  { GRAPH .. "g:nearest(1)", "y must be a number from -1e+15 to 1e+15, got nil" },
  { GRAPH .. "g:nearest(nan, 1)", "x must be a number from -1e+15 to 1e+15, got nan" },
  { GRAPH .. "g:edges('d')", 'unknown node "d"' },
  { GRAPH .. "local e = g:edges('a') g:remove('a') e()", 'unknown node "a"' },
  { GRAPH .. "for key in g:nodes() do g:remove(key) end", works = true },
  { GRAPH .. "g.nodes(3)", "astar graph expected, got 3" },
  { GRAPH .. "g.version(f)", "astar graph expected, got astar graph finder" },
  { GRAPH .. "g.bytes()", "astar graph expected, got nil" },
  { GRAPH .. "g:node({}) g:dump()",
    "a node that is a table cannot be dumped: only strings, numbers up to 2^53 and booleans can" },
  { GRAPH .. "g:bake(3)", "options must be a table, got 3" },
  { GRAPH .. "g:bake { pivots = 3 }", matches = '^unknown option "pivots"' },
  { GRAPH .. "g:bake { landmarks = 17 }", "landmarks must be an integer from 0 to 16, got 17" },
  { GRAPH .. "g:baking { landmarks = 1.5 }", "landmarks must be an integer from 0 to 16, got 1.5" },
  { GRAPH .. "local job = g:baking() job:step(0)", matches = "^n must be an integer from 1" },
  { GRAPH .. "g:finder(3)", "options must be a table, got 3" },
  { GRAPH .. "g:finder { range = 3 }", matches = '^unknown option "range"' },
  { GRAPH .. "g:finder { cost = 3 }", "cost must be a function, got 3" },
  { GRAPH .. "g:finder { min_cost = 3 }", "min_cost needs the function cost" },
  { GRAPH .. "g:finder { cost = print, min_cost = -1 }", "min_cost must be a number from 0 to 1e+15, got -1" },
  { GRAPH .. "g:finder { weight = 0.5 }", "weight must be a number from 1 to 1000000, got 0.5" },
  { GRAPH .. "g:finder { max_cost = nan }", "max_cost must be a number from 0 to inf, got nan" },
  { GRAPH .. "g:finder { max_expansions = 0 }", matches = "^max_expansions must be an integer from 1" },
  { GRAPH .. "g:finder { partial = 1 }", "partial must be a boolean, got 1" },
  { GRAPH .. "f.options(g)", "astar graph finder expected, got astar graph" },
  { GRAPH .. "f:find_path('a')", "a key must not be nil" },
  { GRAPH .. "f:find_path('a', 'd')", 'unknown node "d"' },
  { GRAPH .. "f:find_path('a', 'b', 3)", "options must be a table, got 3" },
  { GRAPH .. "f:find_path('a', 'b', { cost = print })", matches = '^unknown option "cost"' },
  { GRAPH .. "f:find_path('a', 'b', { partial = 1 })", "partial must be a boolean, got 1" },
  { GRAPH .. "f:find_path('a', 'c', { partial = true })", 'partial needs the position of "c", or a heuristic' },
  { GRAPH .. "return f:find_path('a', 'c')", reason = "unreachable" },
  { GRAPH .. "return f:find_path('a', 'b', { max_cost = 4 })", reason = "max_cost" },
  { GRAPH .. "g:block('b') return f:find_path('a', 'b')", reason = "goal blocked" },
  { GRAPH .. "g:block('a', 'b') return f:find_path('a', 'b')", reason = "unreachable" },
  { GRAPH .. "g:block('a') assert(f:find_path('a', 'b'))", works = true },
  { GRAPH .. "f:find_nearest('a', 'b')", 'goals must be a list of nodes or a function, got "b"' },
  { GRAPH .. "f:find_nearest('a', { 'd' })", 'unknown node "d"' },
  { GRAPH .. "f:find_nearest('a', { [0] = 'b', 'a' })", "goals are counted from 1, got an entry [0]" },
  { GRAPH .. "f:find_nearest('a', { 'b', nil, 'c' })", matches = "^goals%[2%] must be a node, got nil" },
  { GRAPH .. "f:find_nearest('a', { 'b' }, { partial = true })", "partial needs a single goal" },
  { GRAPH .. "return f:find_nearest('a', {})", reason = "unreachable" },
  { GRAPH .. "return f:find_nearest('a', { 'c' })", reason = "unreachable" },
  { GRAPH .. "g:block('b') return f:find_nearest('a', { 'b' })", reason = "goal blocked" },
  { GRAPH .. "f:reach('d', 3)", 'unknown node "d"' },
  { GRAPH .. "f:reach('a')", "max_cost must be a number from 0 to inf, got nil" },
  { GRAPH .. "f:reach('a', -1)", "max_cost must be a number from 0 to inf, got -1" },
  { GRAPH .. "f:reach('a', 9):distance('d')", 'unknown node "d"' },
  { GRAPH .. "f:reach('a', 9):path()", "a key must not be nil" },
  { GRAPH .. "f:reach('a', 9).nodes(f)", "astar graph reach expected, got astar graph finder" },
  { GRAPH .. "return f:reach('a', 4):distance('b')", reason = "max_cost" },
  { GRAPH .. "return f:reach('a', inf):path('c')", reason = "unreachable" },
  { GRAPH .. "local r = f:reach('a', 9) g:remove('a') r:distance('b')", 'unknown node "a"' },
  { GRAPH .. "f:search('a', 'd')", 'unknown node "d"' },
  { GRAPH .. "f:search('a', 'b'):step(-1)", matches = "^n must be an integer from 1" },
  { GRAPH .. "local s = f:search('a', 'b') s:close() s:path()", "search is closed" },
  { GRAPH .. "f:find_path('a', 'b'):link(3)", "i must be an integer from 1 to 2, got 3" },
  { GRAPH .. "f:find_path('a', 'b').totable(path)", "astar graph path expected, got astar path" },
  { GRAPH .. "astar.queue():request(f, 'a')", "a node must not be nil" },
  { GRAPH .. "astar.queue():request(f, 'a', 'd')", 'unknown node "d"' },
  { GRAPH .. "astar.queue():request(f, 'a', 'b', 3)", "callback must be a function, got 3" },
  { GRAPH .. "astar.queue():request(f, 'a', 'b', {}, print, 0, 3)", "request takes 6 arguments, got 3 as argument 7" },
  { GRAPH .. "astar.walker(f:find_path('a', 'b'))", "astar path expected, got astar graph path" },
  { GRAPH .. "grid:draw(f:find_path('a', 'b'))", either = true },
  { GRAPH .. "g:join(f)", "astar finder expected, got astar graph finder" },
  { GRAPH .. "g:join(finder, { radius = -1 })", "radius must be a number from 0 to inf, got -1" },
  { GRAPH .. "g:join(finder, { finder = finder })", "astar graph finder expected, got astar finder" },
  { GRAPH .. "g:join(finder, { finder = astar.graph():finder() })", "finder must be one of this graph" },
  { GRAPH .. "g:join(finder):find_path(0, 1, 2, 2)", "sx must be an integer from 1 to 20, got 0" },
  { GRAPH .. "g:join(finder):find_path(1, 1, 2, 2, { partial = true })", "joined graphs cannot honour partial" },
  { GRAPH .. "g:join(finder):leg(path, 1)", "astar graph path expected, got astar path" },
  { GRAPH .. "g:join(finder):leg(f:find_path('a', 'b'), 2)", "i must be an integer from 1 to 1, got 2" },
  { GRAPH .. "return g:join(finder):leg(f:find_path('a', 'b'), 1)", reason = "no position" },
  { GRAPH .. "grid:set(1, 1, '#') return g:join(finder):find_path(1, 1, 2, 2)",
    reason = "start blocked", edits = true },
  { GRAPH .. "grid:set(2, 2, '#') return g:join(finder):find_path(1, 1, 2, 2)", reason = "goal blocked", edits = true },
  { SPACE .. "s:node(1)", "a graph with neighbours has no nodes of its own" },
  { SPACE .. "s:dump()", "a graph with neighbours has no nodes of its own" },
  { SPACE .. "s:join(finder)", "a graph with neighbours has no nodes of its own" },
  { SPACE .. "s:finder { cost = print }", "cost needs edges: a graph with neighbours has none" },
  { SPACE .. "s:finder():find_path(1)", "a state must not be nil" },
  { SPACE .. "s:finder():find_path({}, 2)",
    "a state must be a string or a number, got a table: others need the function key" },
  { SPACE .. "s:finder():find_path(nan, 2)", matches = "^a state must be a string or a number, got nan" },
  { SPACE .. "s:finder():find_path(1, 5, { partial = true })",
    "partial needs a heuristic, to tell which state is near the goal" },
  { SPACE .. "return s:finder():find_path(1, 50, { max_expansions = 9 })", reason = "max_expansions" },
  { SPACE .. "return s:finder():find_path(1, 50, { max_cost = 9 })", reason = "max_cost" },
  { "astar.graph { neighbours = print, key = function() end }:finder():find_path(1, 2)",
    "key callback returned nil; expected a string or a number" },
  { "astar.graph { neighbours = function(n, add) add(2, -1) end }:finder():find_path(1, 2)", raises = true },
  { "astar.graph { neighbours = function(n, add) add() end }:finder():find_path(1, 2)", raises = true },
  { "astar.graph { neighbours = function(n, add) add(2, 1, 'x', 4) end }:finder():find_path(1, 2)", raises = true },
  { "local a astar.graph { neighbours = function(n, add) a = add add(2) end }:finder():find_path(1, 2) a(3)",
    "add was called outside of neighbours" },
  { GRAPH .. "g:finder { cost = function() return -1 end }:find_path('a', 'b')",
    'cost callback returned -1 from "a" to "b"; expected a number from 0 to 1e15, false or nil' },
  { GRAPH .. "g:finder { cost = function() return 'x' end }:find_path('a', 'b')", matches = "^cost callback returned" },
  { GRAPH .. "g:finder { cost = function() return nan end }:find_path('a', 'b')", matches = "^cost callback returned" },
  { GRAPH .. "g:finder { cost = function() return 1 end }:find_path('a', 'b')",
    matches = "^cost callback returned 1 from \"a\" to \"b\", less than .* the option min_cost allows less$" },
  { GRAPH .. "assert(g:finder { cost = function() return 1 end, min_cost = 0 }:find_path('a', 'b'))", works = true },
  { GRAPH .. "g:finder { cost = function(a, b, l, c) g:node('d') return c end }:find_path('a', 'b')",
    "graph was edited during the search" },
  { GRAPH .. "metatable(g).__gc(g) g:node('d')", "graph is closed" },
  { GRAPH .. "metatable(g).__gc(g) f:find_path('a', 'b')", either = true },
  { GRAPH .. "metatable(f).__gc(f) f:find_path('a', 'b')", "finder is closed" },
  { GRAPH .. "local p = f:find_path('a', 'b') metatable(p).__gc(p) p:link(1)", "path is closed" },
  { GRAPH .. "local r = f:reach('a', 9) metatable(r).__gc(r) r:nodes()", "reach is closed" },
  { GRAPH .. "local j = g:join(finder) metatable(j).__gc(j) j:find_path(1, 1, 2, 2)", "joined graph is closed" },
} do add(row) end

-- ---- running them ----

local function is_right(path)
  return path and #path == 20 and math.abs(path.cost - (10 + 9 * math.sqrt(2))) < 1e-9
end

local function run(row)
  local grid = astar.grid(20, 10)
  local finder = grid:finder()
  local path = finder:find_path(1, 1, 20, 10)
  local chunk = assert(compile(PRELUDE .. row[1], "=row"))
  local results = { pcall(chunk, astar, grid, finder, path, 0 / 0, math.huge, forge,
    debug.getmetatable, liar, astar.field(grid)) }
  return results, grid, finder, path
end

-- Raised at the line of the chunk, the message says what the row expects.
local function check_error(row, results)
  assert.is_false(results[1], "accepted")
  local text = tostring(results[2]):match "^row:1: (.*)$"
  assert(text, "not at the caller's line: " .. tostring(results[2]))
  if row.matches then assert.matches(row.matches, text) else assert.equal(row[2], text) end
end

local function check_row(row)
  local results, grid, finder, path = run(row)
  if row.reason then
    assert.same({ true, nil, row.reason }, { results[1], results[2], results[3] })
  elseif row.works then
    assert.is_true(results[1], tostring(results[2]))
  elseif row.raises then
    assert.is_false(results[1], "accepted")
  elseif not row.either then
    check_error(row, results)
  end
  assert.is_true(is_right(astar.grid(20, 10):find_path(1, 1, 20, 10)), "a new grid")
  if not row.closes and not row.edits then
    assert.is_true(is_right(grid:find_path(1, 1, 20, 10)), "the same grid")
    assert.is_true(is_right(finder:find_path(1, 1, 20, 10)), "the same finder")
  end
  return path
end

describe("bad input", function()
  for i, row in ipairs(rows) do
    it(("row %d, %s"):format(i, row[1]), function() check_row(row) end)
  end

  it("leaves nothing behind that a collection would fall over", function()
    for _, row in ipairs(rows) do run(row) end
    collectgarbage()
    collectgarbage()
    assert.is_true(is_right(astar.grid(20, 10):find_path(1, 1, 20, 10)))
  end)

  it("has rows for every method there is", function()
    local called = {}
    if jit then jit.off() end -- compiled code has no hooks
    debug.sethook(function() called[debug.getinfo(2, "f").func] = true end, "c")
    for _, row in ipairs(rows) do run(row) end
    debug.sethook()
    if jit then jit.on() end
    local missing = {}
    for _, method in ipairs(public.methods) do
      if not called[method.call] and method.class ~= "view" then -- see love_view_spec.lua
        missing[#missing + 1] = method.class .. ":" .. method.name
      end
    end
    assert.equal("", table.concat(missing, ", "))
  end)
end)

describe("requiring astar again", function()
  local names = {
    "astar", "astar.core", "astar.load_core", "astar.walker", "astar.queue", "astar.movingai", "astar.directions",
  }

  -- Loads a second astar and brings the first one back afterwards.
  local function with_second(body)
    local loaded = {}
    for _, name in ipairs(names) do
      loaded[name], package.loaded[name] = package.loaded[name], nil
    end
    local ok, problem = pcall(body, require "astar")
    for _, name in ipairs(names) do package.loaded[name] = loaded[name] end
    assert(ok, problem)
  end

  it("leaves old objects working", function()
    local grid = astar.grid(20, 10)
    local finder = grid:finder()
    with_second(function(again)
      assert.is_true(is_right(again.grid(20, 10):find_path(1, 1, 20, 10)))
      assert.is_true(is_right(finder:find_path(1, 1, 20, 10)))
    end)
    assert.is_true(is_right(grid:find_path(1, 1, 20, 10)))
  end)

  it("makes objects that either module takes, for there is one core", function()
    local grid = astar.grid(3, 1)
    with_second(function(again)
      assert.equal(".", again.grid(3, 1).get(grid, 2, 1))
      assert.equal(".", grid.get(again.grid(3, 1), 2, 1))
    end)
  end)
end)

-- Another process of this Lua runs 'code', which can require astar; returns what it prints.
-- 'environment' may set variables for it.
local function run_lua(code, environment)
  local interpreter = os.getenv "ASTAR_LUA"
  if not interpreter then
    local first = 0
    while arg[first - 1] do first = first - 1 end
    interpreter = arg[first]
  end
  local prelude = ("package.path = %q package.cpath = %q "):format(package.path, package.cpath)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(prelude, code)
  file:close()
  local command = (environment or "") .. " " .. interpreter .. " " .. name .. " 2>&1; echo status $?"
  local process = assert(io.popen(command))
  local output = process:read "*a"
  process:close()
  os.remove(name)
  return output
end

-- A table or userdata whose finalizer runs when the state closes.
local AT_CLOSE = [[
  local astar = require "astar"
  local function at_close(deed)
    if newproxy then
      local proxy = newproxy(true)
      getmetatable(proxy).__gc = deed
      return proxy
    end
    return setmetatable({}, { __gc = deed })
  end
]]

describe("a state that closes", function()
  local function assert_ends_well(code, environment)
    local output = run_lua(AT_CLOSE .. code, environment)
    assert.matches("status 0%s*$", output)
    return output
  end

  it("may have finalizers that use grids, finders and paths", function()
    local code = [[
      local grid, finder, path, search, flow
      local function use()
        for _, deed in ipairs {
          function() return grid:get(1, 1) end,
          function() return grid:set(1, 1, "#") end,
          function() return grid:find_path(1, 1, 2, 2) end,
          function() return finder:find_path(1, 1, 2, 2) end,
          function() return path:smooth():cell(1) end,
          function() return path:is_valid() end,
          function() return search:step(1), search:path(), search:cells()() end,
          function() return search:close() end,
          function() return flow:next(3, 3), flow:path(3, 3), flow:update() end,
          function() return flow:flee():distance(2, 2), flow:cells()() end,
          function() return finder:flow(1, 1):distance(5, 5), finder:reach(1, 1, 3):complete() end,
          function() return finder:search(1, 1, 5, 5):step(99) end,
          function() return #path, path.cost end,
          function() return astar.grid(3, 3):find_path(1, 1, 3, 3) end,
        } do pcall(deed) end
      end
      first = at_close(use)
      grid = astar.grid(5, 5)
      second = at_close(use)
      finder = grid:finder()
      path = finder:find_path(1, 1, 5, 5)
      search = finder:search(1, 1, 5, 4)
      flow = finder:flow(1, 1)
      third = at_close(use)
      kept = { grid, finder, path, search, flow }
    ]]
    -- What a finalizer makes while its state closes Lua itself never finalizes.
    assert_ends_well(code, "ASAN_OPTIONS=detect_leaks=0")
  end)

  -- Lua 5.1 and LuaJIT unload the module before they finalize what is older.
  it("may have finalizers older than the module, which stays in memory", function()
    local output = run_lua [[
      local grid
      local function ask() io.write(tostring(pcall(grid.get, grid, 1, 1)), "\n") end
      local old = newproxy and newproxy(true) or setmetatable({}, { __gc = ask })
      if newproxy then getmetatable(old).__gc = ask end
      kept = old
      grid = require("astar").grid(3, 3)
    ]]
    assert.matches("^%l+\nstatus 0%s*$", output)
  end)

  it("may end in the middle of a search", function()
    assert_ends_well [[
      local grid = astar.grid(50, 50)
      local thread = coroutine.wrap(function()
        grid:find_path(1, 1, 50, 50, { cost = function() error "stop" end })
      end)
      pcall(thread)
      pcall(grid.find_path, grid, 1, 1, 50, 50, { cost = function() os.exit(0, true) end })
    ]]
  end)

  it("may drop thousands of objects at once", function()
    assert_ends_well [[
      kept = {}
      for i = 1, 3000 do
        local grid = astar.grid(8, 8)
        kept[i] = { grid, grid:finder(), grid:find_path(1, 1, 8, 8) }
      end
    ]]
  end)
end)

describe("a thousand dropped grids of a megabyte", function()
  it("do not fill the memory", function()
    local output = run_lua [[
      local astar = require "astar"
      for _ = 1, 1000 do astar.grid(1000, 1000) end
      local status = io.open "/proc/self/status"
      print("peak " .. (status and status:read "*a":match "VmHWM:%s*(%d+)" or "unknown"))
    ]]
    local peak = assert(output:match "peak (%w+)", output)
    if peak == "unknown" then
      pending "there is no /proc here to tell the memory used"
      return
    end
    assert.is_true(tonumber(peak) < 500000, peak .. " kB at the peak")
  end)
end)
