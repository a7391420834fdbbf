-- Costs of terrains changed at any time, of such that no cell has above all: every answer must be that of the same map
-- made anew, which astar.load makes of a dump, whatever was built before.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local KEYS = { ".", "s", "w", "x", "y", "z" }
local COSTS = { 0.5, 1, 2, 5, false }
local OPTIONS = {
  {}, { size = 2 }, { size = 3 }, { diagonals = "never" }, { costs = { x = 3 } }, { costs = { s = false, x = 1 } },
  { algorithm = "dijkstra" }, { algorithm = "jpsw" }, { weight = 2 },
}
local MAPS = math.ceil(times("ASTAR_MAPS", 5000) / 50)

local function new_grid(r)
  local terrain = { ["."] = 1, s = 3, w = false, x = r:pick(COSTS) }
  local offset = r:chance(0.3) and r:pick { "odd_r", "even_q" } or nil
  local grid = astar.grid(20, 16, { terrain = terrain, fill = ".", shape = offset and "hex" or nil, offset = offset })
  for _ = 1, r:int(0, 30) do grid:block(r:int(1, 20), r:int(1, 16)) end
  return grid, offset
end

local function cost_of(finder, q)
  local path, reason = finder:find_path(q[1], q[2], q[3], q[4])
  return path and path.cost or reason
end

local function edit(r, grid)
  local kind = r:int(1, 7)
  if kind <= 3 then
    grid:terrain(r:pick(KEYS), r:pick(COSTS))
  elseif kind == 4 then -- away with all of a key
    local gone, keys = r:pick(KEYS), {}
    for y = 1, 16 do
      for x = 1, 20 do
        local key = grid:get(x, y)
        keys[#keys + 1] = key == gone and "." or key
      end
    end
    grid:set_cells(1, 1, 20, 16, keys)
  elseif kind == 5 then
    grid:block(r:int(1, 20), r:int(1, 16))
  else
    local key, x, y = r:pick(KEYS), r:int(1, 17), r:int(1, 13)
    if grid:terrain(key) == nil then grid:terrain(key, r:pick(COSTS)) end
    if kind == 6 then grid:set(x, y, key) else grid:fill(x, y, r:int(1, 4), r:int(1, 4), key) end
  end
end

describe("the cost of a terrain", function()
  it("takes effect in every query, for cells that have the terrain now or get it later", function()
    for seed = 1, MAPS do
      local r = random.new(seed)
      local grid, is_hex = new_grid(r)
      local shown = r:chance(0.3) and "prices " .. seed or nil
      if shown then grid:share(shown) end
      local asked, view = {}, shown and astar.shared(shown)
      for i = 1, 3 do
        local options
        repeat
          options = r:pick(OPTIONS)
        until not is_hex or not (options.size or options.diagonals or options.algorithm)
        asked[i] = { options = options, of = grid:finder(options), shown = view and view:finder(options) }
        asked[i].goal = { r:int(1, 20), r:int(1, 16) }
        asked[i].flow = asked[i].of:flow(asked[i].goal[1], asked[i].goal[2])
      end
      for step = 1, 25 do
        edit(r, grid)
        if shown and r:chance(0.5) then grid:publish() end
        assert.equal(grid:dump(), grid:clone():dump())
        local again = astar.load(grid:dump())
        for _, each in ipairs(asked) do
          if r:chance(0.6) then
            local finder, where = again:finder(each.options), ("seed %d, step %d"):format(seed, step)
            local q = { r:int(1, 20), r:int(1, 16), r:int(1, 20), r:int(1, 16) }
            if not each.options.weight then assert.equal(cost_of(finder, q), cost_of(each.of, q), where) end
            local flow = finder:flow(each.goal[1], each.goal[2])
            for _ = 1, 5 do
              local x, y = r:int(1, 20), r:int(1, 16)
              assert.equal(flow:distance(x, y), each.flow:distance(x, y), where)
            end
            if shown and r:chance(0.5) then
              grid:publish()
              assert.equal(cost_of(finder, q), cost_of(each.shown, q), where)
            end
          end
        end
      end
      if shown then grid:unshare() end
    end
  end)
end)
