-- opaque.lua -- the option `opaque` of finder:fov and finder:sees: terrain and blocks that stop sight.
--
-- Without the option, sight is stopped by what stops the unit. With the option, the line of sight is computed by a
-- second finder, called eyes here. Only the listed terrain stops it, and only blocks in the listed layers. The eyes
-- are made by the first query with these lists, and the finder keeps up to 8 of them for later queries. The eyes are
-- made again if the grid gets another layer or terrain.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local describe = require(FOLDER .. ".describe")
local plain_options = require(FOLDER .. ".plain_options")
local stray_entry = require(FOLDER .. ".stray_entry")
local unknown_option = require(FOLDER .. ".unknown_option")

local NAMES, MOST_KEPT = { "layers", "terrain", "walls" }, 8
local NONE = {}

local kept = setmetatable({}, { __mode = "k" }) -- for each finder a list of its eyes, the newest first

local function is_same(list, other)
  for i = 1, #list do
    if list[i] ~= other[i] then return false end
  end
  return #list == #other
end

-- Returns the set of the entries of the list opaque[name], or nil and a message if opaque[name] is not a list.
local function read(opaque, name)
  local list, set = rawget(opaque, name), {}
  local stray = type(list) == "table" and stray_entry(list)
  if list ~= nil and (type(list) ~= "table" or stray) then
    return nil, ("opaque.%s must be a list, got %s"):format(name, stray and "an entry " .. stray or describe(list))
  end
  for i, entry in ipairs(list or NONE) do
    if entry ~= entry then return nil, ("opaque.%s must be a list, got nan in it"):format(name) end
    set[entry] = i
  end
  return set
end

-- Returns an error message if a set has a key of terrain that is not in the list `keys`, else nil.
local function unknown_key(set, keys)
  local known = {}
  for _, key in ipairs(keys) do known[key] = true end
  for key in entries, set do
    if not known[key] then return "opaque.terrain: unknown terrain " .. describe(key) end
  end
end

local function check(opaque, keys)
  if type(opaque) ~= "table" then
    return nil, "opaque must be a table { layers =, terrain =, walls = }, got " .. describe(opaque)
  end
  if rawget(opaque, 1) ~= nil then
    return nil, 'opaque must be a table { layers =, terrain =, walls = }, got a list: { terrain = { "#" } }'
  end
  local layers, problem = read(opaque, "layers")
  local terrain, wrong = read(opaque, "terrain")
  problem = problem or wrong or unknown_option(opaque, NAMES) or unknown_key(terrain, keys)
  local walls = rawget(opaque, "walls")
  if not problem and walls ~= nil and type(walls) ~= "boolean" then
    problem = "opaque.walls must be a boolean, got " .. describe(walls)
  end
  for layer in entries, problem and NONE or layers do
    if type(layer) ~= "string" then problem = "opaque.layers: a layer must be a string, got " .. describe(layer) end
  end
  return layers, problem, terrain
end

local function copy_of(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

-- Returns an error message if the grid cannot have one of the layers, because it was made with the option layers and
-- the layer is not in that list. Returns nil otherwise.
local function problem_of_layers(grid, layers)
  local x, y = grid:bounds()
  for layer in entries, layers do
    local ok, problem = pcall(grid.is_blocked, grid, x, y, layer)
    if not ok then return "opaque.layers: " .. problem end
  end
end

local function make(grid, opaque, keys)
  local layers, problem, terrain = check(opaque, keys)
  problem = problem or problem_of_layers(grid, layers)
  if problem then
    return nil, problem
  end
  local costs, ignore, all = {}, {}, grid:block_layers()
  for _, key in ipairs(keys) do costs[key] = not terrain[key] and 1 end
  for _, layer in ipairs(all) do
    if not layers[layer] then ignore[#ignore + 1] = layer end
  end
  return {
    layers = copy_of(opaque.layers or NONE), terrain = copy_of(opaque.terrain or NONE), key_count = #keys,
    layer_count = #all, version = grid:version(), eyes = grid:finder { costs = costs, ignore = ignore },
  }
end

-- Returns true if the grid has had no new layer since the eyes were made. A new layer comes with an edit, so the number
-- of layers is compared only if the version of the grid has changed.
local function has_layers_of(each, grid)
  local version = grid:version()
  if each.version ~= version and #grid:block_layers() == each.layer_count then
    each.version = version
  end
  return each.version == version
end

-- Returns true if the stored eyes `each` can answer a query with the option `opaque`: their lists are equal, and the
-- grid has got no new layer or terrain.
local function serves(each, opaque, grid, keys)
  return is_same(each.layers, rawget(opaque, "layers") or NONE)
    and is_same(each.terrain, rawget(opaque, "terrain") or NONE)
    and each.key_count == #keys and has_layers_of(each, grid)
end

local function are_lists(opaque)
  return type(opaque) == "table" and (rawget(opaque, "walls") == nil or type(rawget(opaque, "walls")) == "boolean")
    and not unknown_option(opaque, NAMES) and type(rawget(opaque, "layers") or NONE) == "table"
    and type(rawget(opaque, "terrain") or NONE) == "table"
end

--- Returns the finder that computes lines of sight for the option `opaque` of a finder, and true if thin walls do not
-- stop sight. `parts` is what the C module stores with the finder: entry 1 is its grid, entry 5 the list of the grid's
-- keys of terrain. If the option is wrong, returns false and a message.
return function(_, opaque, finder, parts)
  local grid, keys, all = parts[1], parts[5], kept[finder] or {}
  if grid == nil or type(keys) ~= "table" then
    return false, "debug.setuservalue has replaced the data that astar keeps for a finder"
  end
  opaque = plain_options(opaque, NAMES)
  for _, each in ipairs(are_lists(opaque) and all or NONE) do
    if serves(each, opaque, grid, keys) then return each.eyes, rawget(opaque, "walls") == false end
  end
  local made, problem = make(grid, opaque, keys)
  if not made then
    return false, problem
  end
  kept[finder] = all
  table.insert(all, 1, made)
  all[MOST_KEPT + 1] = nil
  return made.eyes, rawget(opaque, "walls") == false
end
