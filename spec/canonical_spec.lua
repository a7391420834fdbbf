-- A* leaves out steps that another way equals or beats; the ground around decides. Patches of
-- ground, lone odd cells, walls and every rule, against a plain Dijkstra's.

local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = math.ceil(times("ASTAR_MAPS", 5000) * 0.08)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local DIAGONAL_COSTS = { 1, 1.4, math.sqrt(2), 2 }
local TERRAINS = {
  { ["."] = 1, a = 2, b = 3, c = 5, ["#"] = false },
  { ["."] = 1, a = 1.25, b = 1.5, c = 1, ["#"] = false }, -- a corner may or may not pay
  { ["."] = 4, a = 1, b = 40, c = 2.2, ["#"] = false },
}

-- Each cell has the ground of the nearest of some sites; a few cells have another.
local function patches(r, width, height)
  local sites = {}
  for i = 1, r:int(1, math.max(2, math.floor(width * height / 20))) do
    sites[i] = { x = r:int(1, width), y = r:int(1, height), key = r:pick { ".", "a", "b", "c" } }
  end
  local odd, walls, rows = r:pick { 0, 0, 0.03, 0.1 }, r:pick { 0, 0.05, 0.2 }, {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do
      local nearest, least
      for _, site in ipairs(sites) do
        local distance = (x - site.x) ^ 2 + (y - site.y) ^ 2
        if not least or distance < least then nearest, least = site, distance end
      end
      local key = r:chance(odd) and r:pick { ".", "a", "b", "c" } or nearest.key
      rows[y][x] = r:chance(walls) and "#" or key
    end
  end
  return rows
end

local function random_cell(r, world)
  return r:int(1, world.width), r:int(1, world.height)
end

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- The answers of one kind of finder to every goal asked, against the distances from the start.
local function compare(r, world, rules, finder, sx, sy, distances)
  for _ = 1, 6 do
    local gx, gy = random_cell(r, world)
    local path, reason = finder:find_path(sx, sy, gx, gy)
    local best = distances[oracle.cell(world, gx, gy)]
    local where = ("from (%d, %d) to (%d, %d)"):format(sx, sy, gx, gy)
    expect((path ~= nil) == (best ~= nil), "%s: %s", where, tostring(reason))
    if path then
      check.path(path, { world = world, rules = rules, sx = sx, sy = sy, gx = gx, gy = gy })
      check.equal_cost(best, path.cost, where)
    end
  end
end

local function it_on_maps(name, body)
  it(name, function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed + 77000000)
      local width, height = r:int(1, 26), r:int(1, 26)
      local world = oracle.world(patches(r, width, height), { terrain = r:pick(TERRAINS) })
      local rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick(DIAGONAL_COSTS) }
      local ok, problem = pcall(body, r, world, rules)
      if not ok then
        error(("map seed %d: %s\ndiagonals %s of %.17g\n%s"):format(seed, tostring(problem),
          rules.diagonals, rules.diagonal_cost, maps.describe(world)), 0)
      end
    end
  end)
end

local function copy(rules, more)
  local options = {}
  for name, value in pairs(rules) do options[name] = value end
  for name, value in pairs(more) do options[name] = value end
  return options
end

describe("on patches of ground, A*", function()
  it_on_maps("finds the cheapest routes by terrain costs", function(r, world, rules)
    local grid = maps.grid(world)
    local sx, sy = random_cell(r, world)
    if not oracle.ground_cost(world, rules, oracle.cell(world, sx, sy)) then return end
    local distances = oracle.distances(world, rules, sx, sy)
    for _, algorithm in ipairs { "astar", "dijkstra" } do
      compare(r, world, rules, grid:finder(copy(rules, { algorithm = algorithm })), sx, sy, distances)
    end
  end)

  it_on_maps("finds the cheapest routes with a callback that forbids cells", function(r, world, rules)
    local grid = maps.grid(world)
    local sx, sy = random_cell(r, world)
    if not oracle.ground_cost(world, rules, oracle.cell(world, sx, sy)) then return end
    rules.cost = function(x, y, _, cost)
      if (x ~= sx or y ~= sy) and (x * 31 + y * 17 + x * y) % 11 == 0 then return false end
      return cost
    end
    local distances = oracle.distances(world, rules, sx, sy)
    local asked
    local finder = grid:finder(copy(rules, { cost = function(x, y, key, cost)
      local cell = oracle.cell(world, x, y)
      expect(not (asked and asked[cell]), "asked twice about (%d, %d)", x, y)
      if asked then asked[cell] = true end
      return rules.cost(x, y, key, cost)
    end }))
    local fresh = { find_path = function(_, ...)
      asked = {}
      local path, reason = finder:find_path(...)
      asked = nil
      return path, reason
    end }
    compare(r, world, rules, fresh, sx, sy, distances)
  end)

  it_on_maps("finds the cheapest routes to ranges, and to the nearest cell without a route", function(r, world, rules)
    local grid = maps.grid(world)
    local sx, sy = random_cell(r, world)
    if not oracle.ground_cost(world, rules, oracle.cell(world, sx, sy)) then return end
    local distances = oracle.distances(world, rules, sx, sy)
    local gx, gy = random_cell(r, world)
    local range = r:int(1, 4)
    local best = oracle.within(world, rules, distances, gx, gy, range)
    local path = grid:find_path(sx, sy, gx, gy, copy(rules, { range = range }))
    expect((path ~= nil) == (best ~= nil), "within %d of (%d, %d)", range, gx, gy)
    if path then check.equal_cost(best, path.cost, "to the region") end
    local near = grid:find_path(sx, sy, gx, gy, copy(rules, { partial = true }))
    local _, cost = oracle.nearest(world, rules, distances, gx, gy)
    check.equal_cost(cost, near.cost, "to the nearest cell")
  end)
end)
