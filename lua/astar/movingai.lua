-- movingai.lua -- astar.movingai: reads and writes maps, and reads scenarios, of the Moving AI benchmarks.
--
-- A .map file has a header of four lines, and then a character for each cell. A .map.scen file has a line with its
-- version, and then one query per line with the optimal length of its path. The formats are described at
-- movingai.com/benchmarks/formats.html. Coordinates are those of the files: the north-west cell is (0, 0), also in the
-- grids that are read here.
--
-- Lines may end with LF or CRLF, and fields are separated by tabs or blanks. Everything else that differs from the
-- format is an error with the name of the file, the line and what was expected. Local functions raise errors without a
-- position; public functions add the line of the script that called them.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local errors = require(FOLDER .. ".errors")
local plain_options = require(FOLDER .. ".plain_options")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local numbers = require(FOLDER .. ".numbers")

local at_caller, fail = errors.at_caller, errors.raise

local movingai = {}

-- Costs of the characters of the format: ".", "G" are ground, "S" is swamp; "@", "O" are out of bounds, "T" is trees,
-- "W" is water. No unit can enter the last four.
local TERRAIN = { ["."] = 1, G = 1, S = 1, ["@"] = false, O = false, T = false, W = false }

local HEADER_LINES = 4
local MAX_SIDE = 16777216

-- The method grid:bounds. If it is called with a value that is no grid, it raises the error for this mistake.
local grid_bounds = core.grid(1, 1).bounds

-- Raises the error for a line that differs from the format. 'got' is the text of the line, nil at the end of the file.
local function fail_at(name, number, expected, got)
  fail("%s:%d: expected %s, got %s", name, number, expected, got and describe(got) or "the end of the file")
end

local function check_string(value, what)
  if type(value) ~= "string" then
    fail("%s must be a string, got %s", what, describe(value))
  end
end

local function split_lines(text)
  local lines = {}
  text = text:gsub("^\239\187\191", "") -- removes a UTF-8 byte order mark
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line:gsub("\r$", "", 1)
  end
  if lines[#lines] == "" then -- the empty text after the last line break is no line
    lines[#lines] = nil
  end
  return lines
end

-- Returns the width or height on a line of the header, which must look like "height 49".
local function parse_side(lines, number, side, name)
  local line = lines[number] or ""
  local length = numbers.whole(line:match("^" .. side .. "%s+(%d+)%s*$") or 0)
  if length < 1 or length > MAX_SIDE then
    fail_at(name, number, ('"%s" and an integer from 1 to %d'):format(side, MAX_SIDE), lines[number])
  end
  return length
end

local function parse_header(lines, name)
  if not (lines[1] or ""):find("^type%s+octile%s*$") then
    fail_at(name, 1, '"type octile"', lines[1])
  end
  local height = parse_side(lines, 2, "height", name)
  local width = parse_side(lines, 3, "width", name)
  if not (lines[4] or ""):find("^map%s*$") then
    fail_at(name, 4, '"map"', lines[4])
  end
  return width, height
end

-- Returns a text that lists the characters of the terrains in alphabetical order, and a pattern that matches any other
-- character.
local function known_characters(terrain)
  local known = {}
  for key in entries, terrain do
    if type(key) == "string" and key:find("^[%w%p ]$") then
      known[#known + 1] = key
    end
  end
  table.sort(known)
  local class = table.concat(known):gsub("%p", "%%%0")
  return table.concat(known, " "), "[^" .. class .. "]"
end

local function parse_rows(lines, width, height, terrain, name)
  local known, unknown = known_characters(terrain)
  local rows = {}
  for y = 1, height do
    local number = HEADER_LINES + y
    local row = lines[number]
    if row == nil then
      fail_at(name, number, ("row %d of %d"):format(y, height))
    elseif #row ~= width then
      fail("%s:%d: expected %d cells, got %d", name, number, width, #row)
    end
    local x = row:find(unknown)
    if x then
      local terrain_here = describe(row:sub(x, x))
      fail("%s:%d: unknown terrain %s at column %d, expected one of %s", name, number, terrain_here, x, known)
    end
    rows[y] = row
  end
  return rows
end

local function check_rest(lines, first, name)
  for number = first, #lines do
    if lines[number]:find("%S") then
      fail_at(name, number, "the end of the file", lines[number])
    end
  end
end

local function copy_into(target, source)
  for key, value in entries, source do
    target[key] = value
  end
  return target
end

local OPTIONS = { "terrain", "fill", "origin", "shape", "offset", "wrap", "layers" }

-- Returns the options for astar.grid: the defaults of the format, overridden by the options of the caller.
local function complete_options(options)
  if options ~= nil and type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  local complete = copy_into({ origin = { 0, 0 } }, plain_options(options or {}, OPTIONS))
  local terrain = complete.terrain
  if terrain ~= nil and type(terrain) ~= "table" then
    fail("terrain must be a table, got %s", describe(terrain))
  end
  complete.terrain = copy_into(copy_into({}, TERRAIN), terrain or {})
  return complete
end

local function parse_map(text, options, name)
  check_string(text, "text")
  check_string(name, "name")
  local complete = complete_options(options)
  local lines = split_lines(text)
  local width, height = parse_header(lines, name)
  local rows = parse_rows(lines, width, height, complete.terrain, name)
  check_rest(lines, HEADER_LINES + height + 1, name)
  local ok, grid = pcall(core.grid, rows, complete)
  if not ok then
    error(grid, 0)
  end
  return grid
end

-- Returns by how much a length in a file may differ from the exact length: half a unit of its last decimal, plus the
-- rounding error of single precision. Files print either a fixed number of decimals, at least two, or six significant
-- digits without trailing zeros. For example, "4787" is 4787.00.
local function length_tolerance(digits)
  local whole, decimals = digits:match("^(%d+)%.?(%d*)$")
  local places = math.max(#decimals, math.min(2, 6 - #whole), 0)
  return 0.5 * 10 ^ -places + numbers.read(digits) * 2 ^ -23
end

local SCENARIO = "^%s*(%d+)%s+(%S.-)" .. ("%s+(%d+)"):rep(6) .. "%s+(%d+%.?%d*)%s*$"

-- Returns the scenario on a line, or nil if the line is not in the format.
local function parse_scenario(line)
  local bucket, map, width, height, sx, sy, gx, gy, length = line:match(SCENARIO)
  if not bucket then
    return nil
  end
  return {
    bucket = numbers.whole(bucket),
    map = map,
    width = numbers.whole(width),
    height = numbers.whole(height),
    sx = numbers.whole(sx),
    sy = numbers.whole(sy),
    gx = numbers.whole(gx),
    gy = numbers.whole(gy),
    length = numbers.read(length),
    tolerance = length_tolerance(length),
  }
end

local function check_inside(scenario, x, y, what, name, number)
  if x >= scenario.width or y >= scenario.height then
    local message = "%s:%d: expected a %s inside %s x %s cells, got (%s, %s)"
    fail(message, name, number, what, describe(scenario.width), describe(scenario.height), describe(x), describe(y))
  end
end

local function parse_scenarios(text, name)
  check_string(text, "text")
  check_string(name, "name")
  local lines = split_lines(text)
  if not (lines[1] or ""):find("^version%s+1%.?0*%s*$") then
    fail_at(name, 1, '"version 1"', lines[1])
  end
  local scenarios = {}
  for number = 2, #lines do
    local scenario = parse_scenario(lines[number])
    if scenario then
      check_inside(scenario, scenario.sx, scenario.sy, "start", name, number)
      check_inside(scenario, scenario.gx, scenario.gy, "goal", name, number)
      scenarios[#scenarios + 1] = scenario
    elseif lines[number]:find("%S") then
      local fields = "bucket, map, width, height, start x, start y, goal x, goal y and length"
      fail_at(name, number, fields, lines[number])
    end
  end
  return scenarios
end

-- Returns the character of the format for cells with the terrain 'key', or nil if the format has none.
local function character_of(grid, key)
  if TERRAIN[key] ~= nil then
    return key
  end
  local cost = grid:terrain(key)
  if not cost then
    return "@"
  end
  return cost == 1 and "." or nil
end

local function format_row(grid, y, x0, x1, characters)
  local row = {}
  for x = x0, x1 do
    local key = grid:get(x, y)
    characters[key] = characters[key] or character_of(grid, key)
    local is_blocked = not grid:is_walkable(x, y) and #grid:block_layers(x, y) > 0
    local character = is_blocked and "@" or characters[key]
    if not character then
      local message = "terrain %s of cost %s at (%d, %d) has no character in a Moving AI map"
      fail(message, describe(key), describe(grid:terrain(key)), x, y)
    end
    row[#row + 1] = character
  end
  return table.concat(row)
end

local function format_map(grid)
  local is_grid, x0, y0, x1, y1 = pcall(grid_bounds, grid)
  if not is_grid then
    -- The hint about a colon is removed, because this file called the method and not the script.
    error((x0:gsub(": a method is called with a colon.*", "")), 0)
  elseif grid:shape() == "hex" then
    fail("a Moving AI map must have squares, got a grid of hexagons")
  end
  local height, width = y1 - y0 + 1, x1 - x0 + 1
  local lines = { "type octile", "height " .. height, "width " .. width, "map" }
  local characters = {} -- the characters of the keys met so far
  for y = y0, y1 do
    lines[#lines + 1] = format_row(grid, y, x0, x1, characters)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function open(file, mode)
  check_string(file, "file")
  if not io then
    fail("%s: this Lua has no io to open files with", file)
  end
  local handle, problem = io.open(file, mode)
  if not handle then
    fail("%s", problem)
  end
  return handle
end

-- Returns the contents of a file. In LÖVE the file is first looked for in the game itself, which may be a packed file.
local function read_all(file)
  check_string(file, "file")
  local love = rawget(_G, "love")
  local in_game = love and love.filesystem and love.filesystem.read(file)
  if in_game then return in_game end
  local handle = open(file, "rb")
  local text, problem = handle:read("*a")
  handle:close()
  if not text then -- the name may be that of a directory, which can be opened but not read
    fail("%s: %s", file, problem)
  end
  return text
end

local function write_all(file, text)
  local handle = open(file, "wb")
  local written, problem = handle:write(text)
  local closed, late_problem = handle:close() -- a full disk may cause an error only here
  if not (written and closed) then
    fail("%s: %s", file, problem or late_problem)
  end
end

--- Returns the grid of a .map file. `options` are those of astar.grid. `origin` is {0, 0} by default, and the entries
-- of `terrain` override the costs of the format.
function movingai.read_map(file, options, ...)
  no_more("read_map", 2, ...)
  local grid = at_caller(function()
    return parse_map(read_all(file), options, file)
  end)
  return grid
end

--- Returns the grid of the text of a .map file. `name` is the name of the text in error messages, "map" by default.
function movingai.parse_map(text, options, name, ...)
  no_more("parse_map", 3, ...)
  local grid = at_caller(parse_map, text, options, name or "map")
  return grid
end

--- Returns a grid as the text of a .map file. Keys that are characters of the format stay as they are. Other terrain of
-- cost 1 becomes `.`; other terrain that cannot be entered becomes `@`, and so do cells with a block. Terrain of any
-- other cost is an error.
function movingai.format_map(grid, ...)
  no_more("format_map", 1, ...)
  local text = at_caller(format_map, grid)
  return text
end

--- Writes the text that format_map returns for a grid to a .map file.
function movingai.write_map(grid, file, ...)
  no_more("write_map", 2, ...)
  at_caller(function()
    write_all(file, format_map(grid))
  end)
end

--- Returns the queries of a .scen file, a list of tables with the fields bucket, map, width, height, sx, sy, gx, gy,
-- length and tolerance. The length of an optimal path differs from `length` by at most `tolerance`. If `length` is 0
-- but start and goal differ, there is no path.
function movingai.read_scenarios(file, ...)
  no_more("read_scenarios", 1, ...)
  local scenarios = at_caller(function()
    return parse_scenarios(read_all(file), file)
  end)
  return scenarios
end

--- Returns the queries of the text of a .scen file. `name` is the name of the text in error messages, "scenarios" by
-- default.
function movingai.parse_scenarios(text, name, ...)
  no_more("parse_scenarios", 2, ...)
  local scenarios = at_caller(parse_scenarios, text, name or "scenarios")
  return scenarios
end

return no_field.of_module(movingai, "astar.movingai")
