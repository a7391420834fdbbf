-- arguments.lua -- checks the arguments of calls that make something: grids, fields, finders, baked data and others.
--
-- The C module calls this file with the arguments that a script passed, and receives the checked values. If an argument
-- is wrong, the file returns false and a message, and the C module raises the message. The twin in plain Lua checks its
-- arguments itself and does not use this file.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local checks_of = require(FOLDER .. ".checks")
local core = require(FOLDER .. ".load_core")
local errors = require(FOLDER .. ".errors")
local finder_options = require(FOLDER .. ".finder_options")
local make_grid = require(FOLDER .. ".make_grid")
local option_names = require(FOLDER .. ".option_names")
local plain_options = require(FOLDER .. ".plain_options")

local fail = errors.fail

local checks = checks_of(fail)
local read = make_grid.reader(checks, core.shapes())

-- The C module can also call each check by its name, to raise the error of that check for a value that the C module
-- itself found wrong.
for name, check in entries, checks do read[name] = check end

local function whole(options, name, least, most)
  local value = rawget(options, name)
  return value ~= nil and checks.whole(value, least, most, name) or nil
end

local OF_RESOLVING = { "bytes", "improve", "window" }
local OF_WORLD_FINDERS = option_names(function(row) return row.world == "H" end, "exact")
local NO_LAYERS = 'blocks of a world have no layers, ignore = { "" } all of them, got %s'

local function is_for_world_questions(row) return row.of_query and row.world ~= "R" end
local OF_WORLD_QUESTIONS = option_names(is_for_world_questions, "exact")
local OF_WORLD_QUESTIONS_OR_ROUTES = option_names(is_for_world_questions, "exact", "flee")

--- Checks the options of a search in a world. Returns two values: the options without `exact`, as a search in a grid
-- takes them, and the option `exact`, false by default.
function read.world_question(options)
  if type(options) ~= "table" then fail("options must be a table, got %s", checks.describe(options)) end
  options = plain_options(options, OF_WORLD_QUESTIONS_OR_ROUTES)
  if rawget(options, "flee") ~= nil then fail "flee needs a list of cells to flee from" end
  if rawget(options, "partial") ~= nil then fail "a search of a world has no option partial: use find_route" end
  checks.options(options, OF_WORLD_QUESTIONS)
  local plain = {}
  for name, value in entries, options do plain[name] = value end
  plain.exact = nil
  return plain, checks.flag(options, "exact", false)
end

-- Returns the options avoid and avoid_weight of a world's finder.
local function read_avoid(options)
  local field, weight = rawget(options, "avoid"), rawget(options, "avoid_weight")
  if type(field) == "table" then
    fail "avoid of a world's finder must be one field: add several fields up by field:add_field(other, factor)"
  elseif field ~= nil and type(field) ~= "userdata" then
    fail("avoid must be a field, got %s", checks.describe(field))
  elseif field == nil and weight ~= nil then
    fail "avoid_weight needs avoid, a field"
  end
  return field, weight == nil and 1 or checks.real(weight, 0, 1e6, "avoid_weight")
end

--- Reads the options of world:finder. Returns a finder on the grid `palette` with the other options, the option
-- `exact`, and the field of the option `avoid` with its weight.
function read.world_finder(_, options, palette)
  local plain, is_exact, avoid, weight
  if options ~= nil then
    options = checks.options(options, OF_WORLD_FINDERS)
    is_exact, plain = checks.flag(options, "exact", false), {}
    for _, layer in ipairs(type(rawget(options, "ignore")) == "table" and options.ignore or {}) do
      if layer ~= "" then fail(NO_LAYERS, checks.describe(layer)) end
    end
    avoid, weight = read_avoid(options)
    for name, value in entries, options do plain[name] = value end
    plain.exact, plain.avoid, plain.avoid_weight = nil, nil, nil
  end
  local ok, finder = pcall(palette.finder, palette, plain)
  if ok then return finder, is_exact, avoid, weight end
  if type(finder) ~= "string" then error(finder, 0) end
  return fail("%s", finder)
end

--- Reads the options of crowd:resolving. Returns bytes and improve, each nil if it is not given, and the window: the
-- column and row of its first cell, counted from 0, its width and its height. The width is 0 if there is no window.
function read.resolving(_, _, options, x0, y0, width, height)
  options = checks.options(options, OF_RESOLVING)
  local bytes, improve = whole(options, "bytes", 0, 2 ^ 53), whole(options, "improve", 0, 2 ^ 53)
  local window = rawget(options, "window")
  if window == nil then
    return bytes, improve, 0, 0, 0, 0
  elseif type(window) ~= "table" then
    fail("window must be a table {x, y, w, h}, got %s", checks.describe(window))
  end
  local stray = checks.stray(window, 4)
  if stray then fail("window must be a table {x, y, w, h}, got an entry [%s]", stray) end
  local x = checks.whole(rawget(window, 1), x0, x0 + width - 1, "window[1]") - x0
  local y = checks.whole(rawget(window, 2), y0, y0 + height - 1, "window[2]") - y0
  return bytes, improve, x, y, checks.whole(rawget(window, 3), 1, width - x, "window[3]"),
    checks.whole(rawget(window, 4), 1, height - y, "window[4]")
end

local values = {}
for _, option in ipairs { "diagonals", "heuristic", "algorithm", "bends", "heading" } do
  values[option] = core.names_of(option)
end
local of_finders = finder_options.reader(checks, values)
read.options_of, read.finder, read.ignored = finder_options.copy, of_finders.finder, of_finders.ignored

local RECTANGLES = "suppose_blocked must be a list of { x, y, w, h }, got %s"

--- Returns the rectangles of the option suppose_blocked as a flat list, four numbers per rectangle: the column and row
-- of its first cell, counted from 0, its width and its height.
function read.supposed(list, x0, y0, width, height)
  local stray = type(list) == "table" and checks.stray(list)
  if type(list) ~= "table" or stray then fail(RECTANGLES, stray or checks.describe(list)) end
  local flat = {}
  for i = 1, checks.length(list) do
    local each = rawget(list, i)
    if type(each) ~= "table" then fail(RECTANGLES .. " at [%d]", checks.describe(each), i) end
    stray = checks.stray(each, 4)
    if stray then fail("suppose_blocked[%d] must be { x, y, w, h }, got an entry [%s]", i, stray) end
    local x = checks.whole(rawget(each, 1), x0, x0 + width - 1, "x") - x0
    local y = checks.whole(rawget(each, 2), y0, y0 + height - 1, "y") - y0
    local w, h, at = rawget(each, 3), rawget(each, 4), 4 * i - 3
    flat[at], flat[at + 1] = x, y
    flat[at + 2] = w == nil and 1 or checks.whole(w, 1, width - x, "w")
    flat[at + 3] = h == nil and 1 or checks.whole(h, 1, height - y, "h")
  end
  return flat
end

local OF_BAKING, METHODS = { "method", "bytes", "pivots" }, { "auto", "labels", "hierarchy", "landmarks" }

--- Reads the options of finder:bake. Returns the number of the method in METHODS, counted from 0, bytes (0 if it is not
-- given) and pivots (4 if it is not given). If only pivots are given, the method is "landmarks".
function read.baking(_, options)
  options = checks.options(options, OF_BAKING)
  local method = checks.choice(options, "method", METHODS)
  local bytes, pivots = whole(options, "bytes", 1, 2 ^ 53), whole(options, "pivots", 0, 16)
  if pivots and method and method ~= "landmarks" then
    fail('pivots are for the method "landmarks", got "%s"', method)
  end
  method = pivots and "landmarks" or method or "auto"
  if bytes and method == "landmarks" then fail "the option bytes limits labels and hierarchies, not landmarks" end
  for i, each in ipairs(METHODS) do
    if each == method then return i - 1, bytes or 0, pivots or 4 end
  end
end

local OF_SPREAD = { "falloff", "into", "sum", "value" }

--- Reads the arguments of finder:spread. Returns a flat list with x, y and the strength of each source, and the options
-- `falloff` and `sum`.
function read.spread(_, sources, reach, options, grid)
  local stray = type(sources) == "table" and checks.stray(sources)
  if type(sources) ~= "table" or stray then
    fail("sources must be a list of cells, got %s", stray and "an entry [" .. stray .. "]" or checks.describe(sources))
  end
  checks.real(reach, 0, 1e6, "reach")
  local value, falloff, sum
  if options ~= nil then
    options = checks.options(options, OF_SPREAD)
    value, falloff, sum = rawget(options, "value"), rawget(options, "falloff"), rawget(options, "sum")
  end
  if sum ~= nil and type(sum) ~= "boolean" then fail("sum must be a boolean, got %s", checks.describe(sum)) end
  value = value == nil and 1 or checks.real(value, 0, 1e6, "value")
  local cells, x0, y0, x1, y1 = {}, grid:bounds()
  for i = 1, checks.length(sources) do
    local cell, name = rawget(sources, i), ("sources[%d]"):format(i)
    if type(cell) ~= "table" then
      fail("%s must be a cell {x, y}, got %s%s", name, checks.describe(cell),
        type(cell) == "number" and ": pass a list of cells, { { x, y } }" or "")
    end
    local x, y = rawget(cell, "x"), rawget(cell, "y")
    local is_list = x == nil and y == nil
    local odd = is_list and checks.stray(cell, 3)
    if odd then fail("%s must be a cell {x, y} or {x, y, strength}, got an entry [%s]", name, odd) end
    local strength, at = is_list and rawget(cell, 3), 3 * i
    cells[at - 2] = checks.whole(x == nil and rawget(cell, 1) or x, x0, x1, name .. ".x")
    cells[at - 1] = checks.whole(y == nil and rawget(cell, 2) or y, y0, y1, name .. ".y")
    cells[at] = (strength or nil) == nil and value or checks.real(strength, 0, 1e6, name .. "[3]")
  end
  return cells, falloff == nil and 1 or checks.real(falloff, 0, 1, "falloff"), sum or false
end

--- Returns a finder with the options of 'finder' on another grid of the same size, origin and shape. 'own' is the grid
-- that 'finder' was made on; for this grid, returns 'finder' itself.
function read.with_grid(finder, grid, own)
  if grid == own then return finder end
  local is_open, problem = pcall(own.bounds, own)
  if not is_open then fail("%s", problem) end
  local x0, y0, x1, y1 = own:bounds()
  local left, top, right, bottom = grid:bounds()
  local shape, offset = own:shape()
  local other_shape, other_offset = grid:shape()
  local is_alike = shape == other_shape and offset == other_offset
  if left ~= x0 or top ~= y0 or right ~= x1 or bottom ~= y1 or not is_alike then
    fail("grid must have the same cells as the finder's grid, %d x %d from {%d, %d} on, got %d x %d from {%d, %d} on%s",
      x1 - x0 + 1, y1 - y0 + 1, x0, y0, right - left + 1, bottom - top + 1, left, top,
      is_alike and "" or ", of another shape")
  end
  local ok, made = pcall(grid.finder, grid, finder:options())
  if ok then return made end
  if type(made) ~= "string" then error(made, 0) end
  return fail("%s", made)
end

--- Returns the results of the function `name` of `read` for these arguments. If an argument is wrong, returns false and
-- the message.
return function(name, ...) return errors.give(pcall(read[name], ...)) end
