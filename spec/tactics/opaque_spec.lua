-- finder:fov with `opaque`, against the view over another map on which just what is opaque is blocked.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 150)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local error_of = check.error_of
local TERRAIN = { ["."] = 1, ["~"] = false, T = 2, ["#"] = false }
local KEYS, LAYERS = { ".", "~", "T", "#" }, { "", "walls", "windows", "smoke" }

local function random_map(r)
  local grid = astar.grid(r:int(1, 12), r:int(1, 12), {
    terrain = TERRAIN, fill = ".", shape = r:chance(0.3) and "hex" or "square", origin = { r:int(-3, 3), r:int(-3, 3) },
  })
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      if r:chance(0.2) then grid:set(x, y, r:pick(KEYS)) end
    end
  end
  return grid
end

local function edit(r, grid)
  local x0, y0, x1, y1 = grid:bounds()
  for _ = 1, r:int(0, 6) do
    local x, y, layer = r:int(x0, x1), r:int(y0, y1), r:pick(LAYERS)
    local kind = r:int(1, 3)
    if kind == 1 then grid:set(x, y, r:pick(KEYS))
    elseif kind == 2 and table.concat(grid:block_layers(), " "):find(layer, 1, true) then grid:unblock(x, y, layer)
    else grid:block(x, y, layer) end
  end
end

local function some_of(r, list)
  if r:chance(0.1) then return nil end
  local some = {}
  for _, each in ipairs(list) do
    if r:chance(0.5) then some[#some + 1] = each end
  end
  return some
end

-- A map on which the opaque is blocked, and nothing else.
local function oracle(grid, opaque)
  local x0, y0, x1, y1 = grid:bounds()
  local other = astar.grid(x1 - x0 + 1, y1 - y0 + 1, { shape = grid:shape(), origin = { x0, y0 } })
  for y = y0, y1 do
    for x = x0, x1 do
      local stops = false
      for _, key in ipairs(opaque.terrain or {}) do stops = stops or grid:get(x, y) == key end
      for _, layer in ipairs(opaque.layers or {}) do stops = stops or grid:is_blocked(x, y, layer) end
      if stops then other:block(x, y) end
    end
  end
  return other
end

local function show(field)
  local cells = {}
  for x, y in field:cells() do cells[#cells + 1] = x .. "," .. y end
  return table.concat(cells, " ")
end

describe("finder:fov with opaque", function()
  it("returns the cells that are visible if only the opaque cells were blocked, after edits too", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local grid = random_map(r)
      local finder, into = grid:finder(), astar.field(grid)
      local x0, y0, x1, y1 = grid:bounds()
      local opaque
      for _ = 1, 8 do
        edit(r, grid)
        if not opaque or r:chance(0.5) then opaque = { layers = some_of(r, LAYERS), terrain = some_of(r, KEYS) } end
        local x, y, radius = r:int(x0, x1), r:int(y0, y1), r:int(0, 12)
        local expected = show(oracle(grid, opaque):finder():fov(x, y, radius))
        assert.equal(expected, show(finder:fov(x, y, radius, { opaque = opaque, into = into })),
          "seed " .. seed .. "\n" .. grid:draw())
        assert.equal(show(grid:finder():fov(x, y, radius)), show(finder:fov(x, y, radius)))
      end
    end
  end)

  it("can be combined with facing and with any finder", function()
    local grid = astar.grid("..~..\n..T..", { terrain = { ["."] = 1, ["~"] = false, T = 2 } })
    local feet = grid:finder { size = 2, cost = function() return 1 end }
    assert.equal(1, feet:fov(1, 1, 9, { opaque = { terrain = { "T" } } }):get(5, 1))
    assert.equal(0, feet:fov(1, 2, 9, { opaque = { terrain = { "T" } } }):get(5, 2))
    assert.equal(0, feet:fov(3, 1, 9, { opaque = {}, facing = "west", angle = 90 }):get(5, 1))
    assert.equal(1, feet:fov(3, 1, 9, { opaque = {}, facing = "west", angle = 90 }):get(1, 1))
  end)

  it("allocates no memory if it fills a given table and the map has not changed", function()
    local grid = astar.grid(60, 60)
    local finder, into = grid:finder(), astar.field(grid)
    local options = { into = into, opaque = { layers = { "smoke" } } }
    finder:fov(30, 30, 9, options)
    local least = math.huge -- of several tries: LuaJIT may compile in one
    for _ = 1, 5 do
      collectgarbage()
      collectgarbage "stop"
      local before = collectgarbage "count"
      for _ = 1, 100 do finder:fov(30, 30, 9, options) end
      least = math.min(least, collectgarbage "count" - before)
      collectgarbage "restart"
    end
    assert(least < 1, least)
  end)

  it("follows the contents of its lists, whichever tables contain them", function()
    local grid = astar.grid(9, 1)
    grid:block(3, 1, "a")
    grid:block(5, 1, "b")
    local finder, opaque = grid:finder(), { layers = { "a" } }
    local function farthest()
      local seen = 0
      for x in finder:fov(1, 1, 9, { opaque = opaque }):cells() do seen = math.max(seen, x) end
      return seen
    end
    assert.equal(3, farthest())
    opaque.layers[1] = "b"
    assert.equal(5, farthest())
    opaque.layers = nil
    assert.equal(9, farthest())
    opaque.layers = { "c" } -- no such layer yet
    assert.equal(9, farthest())
    grid:block(7, 1, "c")
    assert.equal(7, farthest())
    for i = 1, 12 do -- more of them than are kept
      opaque.layers = { "a", "l" .. i }
      assert.equal(3, farthest())
    end
  end)

  it("refuses invalid values", function()
    local grid = astar.grid(5, 5)
    local finder = grid:finder()
    for text, opaque in pairs {
      ["opaque must be a table { layers =, terrain =, walls = }, got 3"] = 3,
      ["opaque.layers must be a list, got \"walls\""] = { layers = "walls" },
      ["opaque.terrain must be a list, got an entry [\".\"]"] = { terrain = { ["."] = true } },
      ["opaque.terrain: unknown terrain \"T\""] = { terrain = { "T" } },
      ["opaque.layers: a layer must be a string, got 3"] = { layers = { 3 } },
      ['opaque must be a table { layers =, terrain =, walls = }, got a list: { terrain = { "#" } }'] = { "#" },
      ["unknown option \"layer\" (did you mean \"layers\"?)"] = { layer = { "walls" } },
    } do
      assert.equal(text, error_of(function() finder:fov(1, 1, 3, { opaque = opaque }) end))
    end
  end)
end)
