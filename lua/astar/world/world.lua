-- world.lua -- astar.world: a map without edges, in chunks of 64 x 64 cells.
--
-- The C module implements worlds. This file reads the options and makes a small grid that contains each terrain once.
-- The world and its finders take the names and costs of terrains from this grid.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local plain_options = require(ABOVE .. ".plain_options")
local no_more = require(ABOVE .. ".no_more")

local DEFAULT_TERRAIN = { ["."] = 1, [" "] = 1, ["#"] = false, ["@"] = false }
local BYTES, SPACING = 64 * 2 ^ 20, 8

local OPTIONS = { "terrain", "load", "save", "bytes", "unknown", "spacing", "exact" }
local IS_OPTION = {}
for _, name in ipairs(OPTIONS) do IS_OPTION[name] = true end

-- Returns a message if an option that must be of a type or nil is wrong. Returns nothing if it is right.
local function problem_of(options, name, kind)
  local value = rawget(options, name)
  if value ~= nil and type(value) ~= kind then
    return ("%s must be a %s, got %s"):format(name, kind, describe(value))
  end
end

-- Returns a message if an option is wrong, else nil.
local function check(options)
  if type(options) ~= "table" then
    return "options must be a table, got " .. describe(options)
  end
  for name in entries, options do
    if not IS_OPTION[name] then
      return ("unknown option %s; there are: %s"):format(describe(name), table.concat(OPTIONS, ", "))
    end
  end
  local exact, spacing = rawget(options, "exact"), rawget(options, "spacing")
  if exact == true and spacing ~= nil and spacing ~= 1 then
    return "exact asks for spacing 1, got " .. describe(spacing)
  elseif exact == false and spacing == 1 then
    return "spacing 1 is exact, got false for exact"
  end
  return problem_of(options, "terrain", "table") or problem_of(options, "load", "function")
    or problem_of(options, "save", "function") or problem_of(options, "exact", "boolean")
end

-- Returns a grid of one row that contains each terrain once; or nil and the core's message about a wrong key or cost.
local function palette_of(terrain)
  local row = {}
  for key in entries, terrain do row[#row + 1] = key end
  local ok, grid
  if #row == 0 then
    ok, grid = pcall(core.grid, 1, 1, { terrain = terrain, fill = true })
  else
    ok, grid = pcall(core.grid, { row }, { terrain = terrain })
  end
  return ok and grid or nil, grid
end

local function get(options, name, default)
  local value = rawget(options, name)
  if value == nil then
    return default
  end
  return value
end

--- astar.world { terrain =, load =, save =, bytes =, unknown =, spacing = | exact = true }: makes a world.
return function(options, ...)
  no_more("world", 1, ...)
  if options == nil then
    options = {}
  end
  options = plain_options(options, OPTIONS)
  local problem = check(options)
  if problem then
    error(problem, 2)
  end
  local palette
  palette, problem = palette_of(get(options, "terrain", DEFAULT_TERRAIN))
  if not palette then
    error(problem, 2)
  end
  local spacing = rawget(options, "exact") and 1 or get(options, "spacing", SPACING)
  local ok, world = pcall(core.world, palette, rawget(options, "load"), rawget(options, "save"),
    get(options, "bytes", BYTES), get(options, "unknown", false), spacing)
  if not ok then
    error(world, 2)
  end
  return world
end
