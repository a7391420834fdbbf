-- Blocks that have a price, and several fields to avoid.

local astar = require "astar"
local check = require "spec.support.check"
local hex_oracle = require "spec.support.hex_oracle"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 60)

-- ---- one wall ----

describe("finder option breach", function()
  local function fort()
    local grid, at = maps.read [[
      .........
      .........
      S...#...G
      .........
      .........
    ]]
    grid:set(at.S.x + 4, at.S.y, ".")
    grid:block(5, 1, 1, 5, "walls")
    return grid
  end

  it("breaks through a wall at its price if that is the cheapest route", function()
    local grid = fort()
    assert.equal("unreachable", select(2, grid:find_path(1, 3, 9, 3)))
    local path = grid:find_path(1, 3, 9, 3, { breach = { walls = 12 } })
    assert.equal(8 + 12, path.cost)
    assert.same({ { x = 5, y = 3, layer = "walls" } }, path:breaches())
  end)

  it("leads around the wall, or through a door, if that is cheaper than the wall's price", function()
    local grid = fort()
    local finder = grid:finder { breach = { walls = 12, doors = 1.5 }, diagonals = "never" }
    grid:unblock(5, 1, "walls")
    assert.equal(12, finder:find_path(1, 3, 9, 3).cost)
    assert.same({}, finder:find_path(1, 3, 9, 3):breaches())
    grid:block(5, 1, "doors")
    assert.equal(13.5, finder:find_path(1, 3, 9, 3).cost)
    assert.same({ { x = 5, y = 1, layer = "doors" } }, finder:find_path(1, 3, 9, 3):breaches())
    assert.equal(20, grid:finder({ breach = { walls = 12 }, diagonals = "never" }):find_path(1, 3, 9, 3).cost)
  end)

  it("makes path:breaches list the blocks that are on the path at the time of the call", function()
    local grid = fort()
    local path = grid:find_path(1, 3, 9, 3, { breach = { walls = 2 } })
    grid:block(7, 3, "walls")
    assert.equal(2, #path:breaches())
    grid:unblock(5, 3, "walls")
    assert.same({ { x = 7, y = 3, layer = "walls" } }, path:breaches())
    assert.same({}, grid:find_path(1, 3, 9, 3):breaches())
  end)

  it("adds the prices of several blocks in one cell, but no price for the unit's own cell", function()
    local grid = fort()
    grid:block(5, 1, 1, 5, "doors")
    grid:block(1, 3, "walls")
    local path = grid:find_path(1, 3, 9, 3, { breach = { walls = 12, doors = 1.5 } })
    assert.equal(8 + 13.5, path.cost)
    assert.same({ { x = 5, y = 3, layer = "walls" }, { x = 5, y = 3, layer = "doors" } }, path:breaches())
  end)

  it("ignores blocks of price 0, and does not list these blocks", function()
    local grid = fort()
    local path = grid:find_path(1, 3, 9, 3, { breach = { walls = 0 } })
    assert.equal(8, path.cost)
    assert.same({}, path:breaches())
    grid:block(6, 1, 1, 5, "doors")
    path = grid:find_path(1, 3, 9, 3, { breach = { walls = 0, doors = 2 } })
    assert.equal(10, path.cost)
    assert.same({ { x = 6, y = 3, layer = "doors" } }, path:breaches())
    assert.same({}, grid:find_path(1, 3, 9, 3, { breach = { walls = 0 }, ignore = { "doors" } }):breaches())
  end)

  it("rounds prices to sixteenths of the cost 1", function()
    local grid = fort()
    assert.equal(8 + 0.125, grid:find_path(1, 3, 9, 3, { breach = { walls = 0.1 } }).cost)
    assert.equal(8 + 1000000, grid:find_path(1, 3, 9, 3, { breach = { walls = 1e6 } }).cost)
  end)

  it("multiplies the price by the cost of the terrain and the length of the step", function()
    local grid = astar.grid("...\n.~.\n...", { terrain = { ["."] = 1, ["~"] = 3 } })
    grid:block(2, 2, "walls")
    grid:set(2, 1, "~")
    grid:set(1, 2, "~")
    local finder = grid:finder { breach = { walls = 2 }, diagonals = "always" }
    check.equal_cost((3 + 2) * math.sqrt(2), finder:find_path(1, 1, 2, 2).cost)
  end)

  it("charges a large unit for the most expensive terrain and block that it covers", function()
    local grid = astar.grid(8, 2)
    grid:block(4, 1, "walls")
    grid:block(4, 2, "doors")
    local path = grid:finder({ size = 2, breach = { walls = 5, doors = 1 } }):find_path(1, 1, 7, 1)
    assert.equal(6 + 2 * 5, path.cost)
    assert.same({ { x = 4, y = 1, layer = "walls" }, { x = 4, y = 2, layer = "doors" } }, path:breaches())
  end)

  it("charges a large unit for terrain and block in two cells, unless a cost function prices cells", function()
    local grid = astar.grid({ "....", ".~..", "...." }, { terrain = { ["."] = 1, ["~"] = 3 } })
    grid:block(3, 2, "doors")
    local options = { size = 2, breach = { doors = 5 }, diagonals = "never" }
    local finder = grid:finder(options)
    assert.equal(3 + 5, finder:find_path(1, 1, 2, 1).cost)
    assert.equal(3 + 5, finder:flow(2, 1):distance(1, 1))
    grid:block(1, 2, "doors") -- it stands on that one, and its next place covers it
    assert.equal(3 + 5, finder:find_path(1, 1, 1, 2).cost)
    grid:unblock(1, 2, "doors")
    options.cost = function(_, _, _, cost) return cost end
    assert.equal(1 + 5, grid:finder(options):find_path(1, 1, 2, 1).cost)
  end)

  it("makes rays, goals, flows, reach and find_nearest price the blocks of the layer", function()
    local grid = fort()
    local finder = grid:finder { breach = { walls = 12 } }
    assert.is_true(finder:raycast(1, 3, 9, 3))
    assert.is_true(finder:reachable(1, 3, 5, 3))
    assert.equal(20, finder:flow(9, 3):distance(1, 3))
    assert.equal(20, finder:reach(1, 3, 30):distance(9, 3))
    assert.is_nil(finder:reach(1, 3, 19.5):distance(9, 3))
    assert.equal(2, select(2, finder:find_nearest(1, 3, { { 6, 3 }, { 1, 5 } })))
    assert.equal(3, finder:clearance(1, 3))
  end)

  it("passes the price to cost functions as part of the cost", function()
    local grid = fort()
    local seen
    local finder = grid:finder {
      breach = { walls = 12 },
      cost = function(x, y, _, cost)
        if x == 5 and y == 3 then seen = cost end
        return cost
      end,
    }
    assert.equal(20, finder:find_path(1, 3, 9, 3).cost)
    assert.equal(13, seen)
  end)

  it("takes into account edits of terrain and of blocks between queries", function()
    local grid = fort()
    local finder = grid:finder { breach = { walls = 12 } }
    local flow = finder:flow(9, 3)
    assert.equal(20, flow:distance(1, 3))
    grid:unblock(5, 3, "walls")
    assert.equal(8, flow:distance(1, 3))
    assert.equal(8, finder:find_path(1, 3, 9, 3).cost)
    for i = 1, 400 do grid:block(6, 1 + i % 5, "walls") end
    assert.equal(20, flow:distance(1, 3))
    assert.equal(20, finder:find_path(1, 3, 9, 3).cost)
    grid:fill(6, 1, 1, 5, "#")
    assert.is_nil(finder:find_path(1, 3, 9, 3))
  end)

  it("is returned by finder:options, in a table of options that the caller may change", function()
    local given = { breach = { walls = 12 } }
    local finder = fort():finder(given)
    given.breach.walls = 1
    finder:options().breach.walls = 2
    assert.same({ breach = { walls = 12 } }, finder:options())
  end)

  it("raises an error in calls that cannot honour the option breach", function()
    local grid = fort()
    local function refused(breach, message, more)
      local options = { breach = breach }
      for key, value in pairs(more or {}) do options[key] = value end
      assert.has_error(function() grid:finder(options) end, message)
    end
    refused({ walls = -1 }, 'breach: layer "walls" must be a number from 0 to 1000000, got -1')
    refused({ walls = 0 / 0 }, 'breach: layer "walls" must be a number from 0 to 1000000, got nan')
    refused({ walls = 1e7 }, 'breach: layer "walls" must be a number from 0 to 1000000, got 10000000')
    refused({ walls = true }, 'breach: layer "walls" must be a number from 0 to 1000000, got true')
    refused({ "walls" }, "breach: a layer must be a string, got 1")
    refused("walls", 'breach must be a table of prices by layer, got "walls": { ["walls"] = price }')
    refused({ walls = 1 }, 'algorithm "jps" cannot honour breach', { algorithm = "jps" })
    assert.has_error(function() astar.crowd(grid, { finder = grid:finder { breach = { walls = 1 } } }) end)
    local world = astar.world { terrain = { ["."] = 1 }, load = function() end }
    assert.has_error(function() world:finder { breach = { walls = 1 } } end)
  end)
end)

-- ---- several fields ----

describe("finder option avoid as a list", function()
  it("adds the values of all fields, each times its weight", function()
    local grid = astar.grid(5, 1)
    local danger, cover = astar.field(grid), astar.field(grid)
    danger:fill(4)
    cover:set(3, 1, 10)
    local finder = grid:finder { avoid = { { danger, 0.5 }, { cover, -1 } } }
    assert.equal(1 + 2 + (1 + 2) * 2 + 1, finder:find_path(1, 1, 5, 1).cost)
    cover:fill(0)
    assert.equal(12, finder:find_path(1, 1, 5, 1).cost)
    danger:set(2, 1, 8)
    assert.equal(14, finder:find_path(1, 1, 5, 1).cost)
    assert.equal(4, grid:finder({ avoid = {} }):find_path(1, 1, 5, 1).cost)
  end)

  it("is returned by finder:options, in a table of options that the caller may change", function()
    local grid = astar.grid(5, 1)
    local field = astar.field(grid)
    local finder = grid:finder { avoid = { { field, 2 } } }
    finder:options().avoid[1] = nil
    assert.equal(1, #finder:options().avoid)
  end)

  it("raises an error if an entry is not a field with a weight", function()
    local grid = astar.grid(5, 1)
    local field = astar.field(grid)
    local function refused(message, avoid, more)
      local options = { avoid = avoid }
      for key, value in pairs(more or {}) do options[key] = value end
      assert.has_error(function() grid:finder(options) end, message)
    end
    refused("avoid must be an astar field, got 3", 3)
    refused("avoid[1] must be {field, weight}, got 3", { 3 })
    refused("avoid[1] must be {field, weight}, got a table", { { field, 1, 2 } })
    refused('avoid[2] must be {field, weight}, got a table', { { field, 1 }, { field, 1, weight = 2 } })
    refused("avoid[2][1] must be an astar field, got nil", { { field, 1 }, {} })
    refused("avoid[1][2] must be a number from -1000000 to 1000000, got nil", { { field } })
    refused("avoid[1][2] must be a number from -1000000 to 1000000, got nan", { { field, 0 / 0 } })
    refused("avoid[1][1] must be a field of the grid's size, origin and shape: astar.field(grid) has them",
      { { astar.field(4, 1), 1 } })
    refused("avoid must be a field or a list of at most 16 {field, weight}", { { field, 1 }, x = 1 })
    refused("avoid_weight needs avoid, a field", { { field, 1 } }, { avoid_weight = 2 })
    refused('algorithm "jps" cannot honour avoid', { { field, 1 } }, { algorithm = "jps" })
  end)
end)

-- ---- a flow of a field ----

describe("finder:flow of a field", function()
  it("leads to every cell that has a value, and uses the value as the goal's extra cost", function()
    for seed = 1, 10 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(14, 9, 0.2), { origin = { 3, -2 } })
      local field, goals = astar.field(grid), {}
      for _ = 1, r:int(0, 6) do field:set(r:int(3, 16), r:int(-2, 6), r:pick { -4, 0.5, 3, 20 }) end
      for x, y, value in field:cells() do goals[#goals + 1] = { x, y, value } end
      local finder = grid:finder { diagonals = r:pick(check.RULES) }
      local flow, listed = finder:flow(field, { max_cost = 30 }), finder:flow(goals, { max_cost = 30 })
      field:fill(0)
      for y = -2, 6 do
        for x = 3, 16 do assert.same({ listed:distance(x, y) }, { flow:distance(x, y) }, seed) end
      end
    end
  end)

  it("raises an error for a field of another size, or another object", function()
    local grid = astar.grid(5, 5)
    local field = astar.field(4, 5)
    assert.has_error(function() grid:finder():flow(field) end,
      "goals must be a field of the grid's size, origin and shape: astar.field(grid) has them")
    assert.has_error(function() grid:finder():flow(grid) end)
  end)
end)

-- ---- against the rules written plainly ----

local LAYERS = { "walls", "doors", "bars", "" }

-- What is added to a cell: as the oracles ask a field.
local Added = {}
Added.__index = Added

function Added:get(x, y)
  local sum = 0
  for _, entry in ipairs(self.avoid) do sum = sum + entry[2] * entry[1]:get(x, y) end
  sum = math.max(sum, 0)
  for layer, price in pairs(self.breach) do
    if self.grid:is_blocked(x, y, layer) then sum = sum + price end
  end
  return sum
end

-- A scene: a grid, its world as the oracle has it, options and rules.
local Scene = {}
Scene.__index = Scene

local function new_scene(r, side, has_hexagons)
  local scene = setmetatable({ r = r }, Scene)
  local width, height = r:int(4, side), r:int(4, side)
  local size = not has_hexagons and r:chance(0.25) and r:int(2, 3) or 1
  local is_plain = size > 1 or r:chance(0.5) -- what a large unit covers costs the same
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do
      rows[y][x] = r:chance(0.1) and "#" or not is_plain and r:chance(0.3) and "~" or "."
    end
  end
  local terrain = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
  local options = { breach = { walls = r:pick { 0, 0.5, 3, 20 }, doors = r:pick { 0.0625, 1.5 } } }
  if r:chance(0.1) then options.breach[""] = 7 end
  if has_hexagons then
    local offset = r:pick(hex_oracle.LAYOUTS)
    scene.oracle, scene.world = hex_oracle, hex_oracle.world(rows, offset, { terrain = terrain })
    scene.grid = astar.grid(rows, hex_oracle.options(offset, { terrain = terrain }))
  else
    scene.oracle, scene.world = oracle, oracle.world(rows, { terrain = terrain })
    scene.grid = astar.grid(rows, { terrain = terrain })
    options.diagonals, options.size = r:pick(check.RULES), size
  end
  if size == 1 and r:chance(0.4) then
    options.avoid = {}
    for i = 1, r:int(1, 3) do
      options.avoid[i] = { astar.field(scene.grid), r:pick { 1, 0.5, -1 } }
    end
  end
  local rules = {}
  for key, value in pairs(options) do rules[key] = value end
  rules.avoid = setmetatable({ grid = scene.grid, avoid = options.avoid or {}, breach = options.breach }, Added)
  if r:chance(0.15) then
    local function cost(x, y, _, given) return given * (1 + (x + 2 * y) % 3 * 0.25) end
    options.cost, rules.cost = cost, cost
  end
  scene.options, scene.rules = options, rules
  for _ = 1, 8 do scene:edit() end
  return scene
end

function Scene:cell()
  local world, r = self.world, self.r
  return r:int(1, world.width), r:int(1, world.height)
end

-- The blocks that bar the unit, as the oracles have them.
function Scene:look()
  local world = self.world
  world.blocks = {}
  for y = 1, world.height do
    for x = 1, world.width do
      for _, layer in ipairs(self.grid:block_layers(x, y)) do
        if not self.options.breach[layer] then world.blocks[self.oracle.cell(world, x, y)] = true end
      end
    end
  end
end

function Scene:edit()
  local r, grid, world = self.r, self.grid, self.world
  local x, y = self:cell()
  local kind = r:int(1, 12)
  if kind <= 6 then
    local w, h = r:int(1, math.min(4, world.width + 1 - x)), r:int(1, math.min(4, world.height + 1 - y))
    local layer = r:pick(r:chance(0.8) and { "walls", "doors" } or LAYERS)
    grid:finder { ignore = { layer } } -- names it
    grid[r:chance(0.7) and "block" or "unblock"](grid, x, y, w, h, layer)
  elseif kind <= 8 then
    local key = r:pick { ".", "#", "." }
    grid:set(x, y, key)
    world.keys[self.oracle.cell(world, x, y)] = key
  elseif kind <= 10 then
    for _, entry in ipairs(self.options.avoid or {}) do entry[1]:stamp(x, y, r:int(0, 3), r:int(-4, 8)) end
  elseif kind == 11 and not self.options.cost then
    local to_x, to_y = self:cell()
    if x ~= to_x or y ~= to_y then
      grid:link(x, y, to_x, to_y, { cost = 1.5, one_way = true })
      local from = self.oracle.cell(world, x, y)
      world.links[from] = world.links[from] or {}
      world.links[from][self.oracle.cell(world, to_x, to_y)] = 1.5
    end
  end
end

function Scene:distances(sx, sy)
  self:look()
  if self.oracle == oracle then return oracle.distances(self.world, self.rules, sx, sy) end
  local entry = hex_oracle.entry_costs(self.world, self.rules)
  return hex_oracle.explore(self.world, self.rules, entry, { [hex_oracle.cell(self.world, sx, sy)] = 0 }), entry
end

-- What a path enters that has a price, block by block.
function Scene:blocks_on(path)
  local list, listed, before, size = {}, {}, nil, self.options.size or 1
  for _, cell in ipairs(path:totable()) do
    local covered = {}
    for y = cell.y, cell.y + size - 1 do
      for x = cell.x, cell.x + size - 1 do
        local at = self.oracle.cell(self.world, x, y)
        covered[at] = true
        for _, layer in ipairs(before and not before[at] and self.grid:block_layers(x, y) or {}) do
          local is_new = size == 1 or not listed[layer .. at]
          if (self.options.breach[layer] or 0) > 0 and is_new then list[#list + 1] = { x = x, y = y, layer = layer } end
          listed[layer .. at] = true
        end
      end
    end
    before = covered
  end
  return list
end

-- Whether an outcome is what the oracle has.
local function expect_cost(what, seed, expected, found)
  if expected == nil and not found then return end
  if not (expected and found and math.abs(expected - found) <= 1e-6 * (1 + expected)) then -- as fields are
    error(("seed %d: %s is %s, not %s"):format(seed, what, tostring(found), tostring(expected)), 2)
  end
end

-- Whether a large unit stands among its own blocks: they count for flows.
function Scene:is_on_block(x, y)
  if (self.options.size or 1) == 1 then return false end
  for _, cell in ipairs(oracle.covered(self.world, self.rules, x, y) or {}) do
    if self.world.blocks[cell] then return true end
  end
  return false
end

local function ask(scene, finder, seed)
  local world = scene.world
  local sx, sy = scene:cell()
  local gx, gy = scene:cell()
  local distances, entry = scene:distances(sx, sy)
  local start, goal = scene.oracle.cell(world, sx, sy), scene.oracle.cell(world, gx, gy)
  local stands = world.terrain[world.keys[start]] and true
  if scene.oracle == oracle then stands = oracle.can_stand(world, scene.rules, sx, sy) end
  local expected = stands and (start == goal or entry[goal]) and distances[goal] or nil
  local path = finder:find_path(sx, sy, gx, gy)
  expect_cost("route", seed, expected, path and path.cost)
  if path then
    assert.same(scene:blocks_on(path), path:breaches(), seed)
    assert.is_true(path:is_valid())
    local back = path:repair()
    expect_cost("repaired", seed, expected, back.cost)
  end
  assert.equal(expected ~= nil, finder:reachable(sx, sy, gx, gy), seed)
  if scene.r:chance(0.3) then
    if not scene:is_on_block(sx, sy) then
      expect_cost("distance", seed, expected, (finder:flow(gx, gy):distance(sx, sy)))
    end
    if stands then expect_cost("reach", seed, distances[goal], (finder:reach(sx, sy, 1e6):distance(gx, gy))) end
  end
  if (sx ~= scene.flow.x or sy ~= scene.flow.y) and not scene:is_on_block(sx, sy) then
    local flow = scene.flow
    local there = distances[scene.oracle.cell(world, flow.x, flow.y)]
    local is_open = entry[scene.oracle.cell(world, flow.x, flow.y)]
    expect_cost("living flow", seed, stands and is_open and there or nil, (flow.core:distance(sx, sy)))
  end
end

-- A search cut at every step, with edits in between, is of the map as it is at last, unless it was put on a copy.
local function search(scene, finder, seed)
  local sx, sy = scene:cell()
  local gx, gy = scene:cell()
  local job = finder:search(sx, sy, gx, gy)
  while job.status == "running" do
    if scene.r:chance(0.1) then scene:edit() end
    job:step(scene.r:int(1, 3))
  end
  if job.restarts > 3 then return end
  local path = finder:find_path(sx, sy, gx, gy)
  local found = job.status == "found" and job:path()
  expect_cost("search", seed, path and path.cost, found and found.cost)
end

local function play(seed, has_hexagons)
  local r = random.new(seed)
  local scene = new_scene(r, r:pick { 9, 16, 24 }, has_hexagons)
  local finder = scene.grid:finder(scene.options)
  local by = {}
  for _, name in ipairs { "astar", "dijkstra", "jpsw" } do
    if name ~= "jpsw" or not (has_hexagons or scene.options.cost) then
      local options = { algorithm = name }
      for key, value in pairs(scene.options) do options[key] = value end
      by[#by + 1] = scene.grid:finder(options)
    end
  end
  local fx, fy = scene:cell()
  scene.flow = { x = fx, y = fy, core = finder:flow(fx, fy) }
  for _ = 1, 6 do
    ask(scene, finder, seed)
    ask(scene, r:pick(by), seed)
    search(scene, r:chance(0.5) and finder or r:pick(by), seed)
    for _ = 1, r:int(1, 3) do scene:edit() end
  end
end

describe("breach and avoid, fuzzed with edits between questions", function()
  it("give routes that a plain implementation of the rules finds on squares", function()
    for seed = 1, CASES do play(seed, false) end
  end)

  it("give routes that a plain implementation of the rules finds on hexagons", function()
    for seed = 1, CASES do play(seed, true) end
  end)
end)

-- ---- over maps of others, and frozen ones ----

describe("breach and avoid, on copies of the map", function()
  local function scene(r)
    local grid = astar.grid(r:scatter(20, 14, 0.15))
    local options = { breach = { walls = r:pick { 1.5, 6 }, doors = 0.5 }, diagonals = r:pick(check.RULES) }
    options.size = r:chance(0.3) and 2 or 1
    local function edit()
      local x, y = r:int(1, 18), r:int(1, 12)
      local how = r:chance(0.7) and "block" or "unblock"
      grid[how](grid, x, y, r:int(1, 3), r:int(1, 3), r:pick { "walls", "doors", "" })
    end
    for _, layer in ipairs { "walls", "doors" } do
      grid:block(1, 1, layer)
      grid:unblock(1, 1, layer)
    end
    for _ = 1, 8 do edit() end
    return grid, options, edit
  end

  it("use prices on the latest published version of a shared map", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid, options, edit = scene(r)
      local name = "breach_spec " .. seed
      grid:share(name)
      local finder = assert(astar.shared(name)):finder(options)
      local flow = finder:flow(10, 7)
      for _ = 1, 8 do
        for _ = 1, r:int(1, 40) do edit() end
        grid:publish()
        local still = grid:clone():finder(options)
        if r:chance(0.4) then edit() end -- not published yet
        local sx, sy, gx, gy = r:int(1, 19), r:int(1, 13), r:int(1, 19), r:int(1, 13)
        local expected, path = still:find_path(sx, sy, gx, gy), finder:find_path(sx, sy, gx, gy)
        assert.equal(expected and expected.cost, path and path.cost, seed)
        if path then assert.same(expected:breaches(), path:breaches(), seed) end
        assert.equal((still:flow(10, 7):distance(sx, sy)), (flow:distance(sx, sy)), seed)
        assert.same({ still:reachable(sx, sy, gx, gy) }, { finder:reachable(sx, sy, gx, gy) }, seed)
        if options.size == 1 then
          assert.same({ still:blockers(sx, sy, gx, gy) }, { finder:blockers(sx, sy, gx, gy) }, seed)
        end
      end
    end
  end)

  it("keep prices and field values when a search of a shared map continues on a copy", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid, options, edit = scene(r)
      local name = "breach_spec frozen " .. seed
      grid:share(name)
      local finder = assert(astar.shared(name)):finder(options)
      local sx, sy, gx, gy = r:int(1, 19), r:int(1, 13), r:int(1, 19), r:int(1, 13)
      local job, path = finder:search(sx, sy, gx, gy), finder:find_path(sx, sy, gx, gy)
      -- The cost on each version since the last restart on the map. The copy may be of any of them, because copying the
      -- prices may take several steps.
      local costs = { [path and path.cost or "none"] = true }
      while job.status == "running" do
        edit()
        grid:publish()
        if job.restarts < 4 then costs = {} end
        path = finder:find_path(sx, sy, gx, gy)
        costs[path and path.cost or "none"] = true
        job:step(r:int(1, 3))
      end
      assert.is_true(costs[job.status == "found" and job:path().cost or "none"], seed)
    end
  end)

  it("keep prices and field values when a search in steps has copied the map", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid, options, edit = scene(r)
      local finder = grid:finder(options)
      local sx, sy, gx, gy = r:int(1, 19), r:int(1, 13), r:int(1, 19), r:int(1, 13)
      local job = finder:search(sx, sy, gx, gy)
      if job.status == "running" then
        local found = {} -- costs of all the versions there were
        local steps = 0
        while job.status == "running" do
          local path = finder:find_path(sx, sy, gx, gy)
          found[path and path.cost or "none"] = true
          job:step(r:int(1, 3))
          if steps < 60 then edit() end
          steps = steps + 1
        end
        local path = finder:find_path(sx, sy, gx, gy)
        found[path and path.cost or "none"] = true
        assert.is_true(found[job.status == "found" and job:path().cost or "none"], seed)
      end
    end
  end)
end)
