-- rule_in_worlds.lua -- routes over worlds by a corner rule, held against Dijkstra's algorithm over the rules alone.
--
--     lua5.4 spec/support/rule_in_worlds.lua over_ledges 20

local astar = require "astar"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local worlds = require "spec.support.worlds"

local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
local SIDE = 128
local STEPS = { north = "0,-1", east = "1,0", south = "0,1", west = "-1,0" }
local OPPOSITE = { north = "south", south = "north", east = "west", west = "east" }

local function random_rows(r)
  local rows, mud, rock = {}, r:pick { 0, 0.3 }, r:pick { 0.1, 0.3, 0.45 }
  for y = 1, SIDE do
    rows[y] = {}
    for x = 1, SIDE do rows[y][x] = r:chance(rock) and "#" or r:chance(mud) and "~" or "." end
  end
  return rows
end

local function add_walls(r, world, model)
  for _ = 1, 2000 do
    local x, y, side = r:int(2, SIDE - 1), r:int(2, SIDE - 1), r:pick { "north", "east", "south", "west" }
    local dx, dy = STEPS[side]:match "^(.*),(.*)$"
    world:wall(x, y, side)
    for cell, name in pairs { [oracle.cell(model, x, y)] = side,
                              [oracle.cell(model, x + tonumber(dx), y + tonumber(dy))] = OPPOSITE[side] } do
      model.walls[cell] = model.walls[cell] or {}
      model.walls[cell][STEPS[name]] = true
    end
  end
end

-- Belts of a row of cells each, which may be left only in one or two directions.
local function add_belts(r, world, model)
  for _ = 1, 300 do
    local x, y, names, exits = r:int(1, SIDE), r:int(1, SIDE), {}, {}
    for i = 1, r:int(1, 2) do
      local direction = astar.directions[r:int(1, 8)]
      names[i], exits[("%d,%d"):format(direction.dx, direction.dy)] = direction.name, true
    end
    local w = math.min(r:int(1, 20), SIDE + 1 - x)
    assert(world:restrict(x, y, w, 1, names))
    for column = x, x + w - 1 do model.exits[oracle.cell(model, column, y)] = exits end
  end
end

-- The cost of a route as it is walked; an error where a step is not legal.
local function cost_of(model, rules, entry, path)
  local cost, px, py = 0, nil, nil
  for x, y in path:cells() do
    if px then
      local step = oracle.legal_step(model, rules, entry, px, py, x, y)
      cost = cost + assert(step, ("an illegal step from %d, %d"):format(px, py))
    end
    px, py = x, y
  end
  return cost
end

local function ask(r, world, model, rules)
  local exact, kind = r:chance(0.6), { diagonals = rules.diagonals, size = rules.size }
  kind.exact = exact or nil
  local finder = world:finder(kind)
  for _ = 1, 2 do
    local sx, sy, gx, gy = r:int(1, SIDE - 3), r:int(1, SIDE - 3), r:int(1, SIDE - 3), r:int(1, SIDE - 3)
    local distances, entry = oracle.distances(model, rules, sx, sy)
    local best = oracle.can_stand(model, rules, sx, sy) and distances[oracle.cell(model, gx, gy)]
    local route, reason = finder:find_route(sx, sy, gx, gy)
    assert((best or nil) == nil == (route == nil), tostring(reason) .. ", where the best is " .. tostring(best))
    if route then
      local path = assert(route:path())
      local walked = cost_of(model, rules, entry, path)
      assert(walked <= path.cost + 1e-6 and path.cost <= route.cost + 1e-6, "dearer as walked")
      assert(route.cost - route.bound <= best + 1e-6 and route.cost >= best - 1e-6, "not within its bound")
      assert(not exact or math.abs(route.cost - best) < 1e-6, "exact, but not the best")
    end
  end
end

local rule, worlds_asked = arg[1], tonumber(arg[2])
for seed = 1, worlds_asked do
  local r = random.new(seed)
  local rows = random_rows(r)
  local model = oracle.world(rows, { terrain = TERRAIN })
  local world = astar.world { terrain = TERRAIN, load = function(cx, cy)
    return cx >= 0 and cy >= 0 and cx < 2 and cy < 2 and worlds.cut(rows, 1, 1, cx, cy)
  end }
  if r:chance(0.4) then add_walls(r, world, model) end
  if r:chance(0.4) then add_belts(r, world, model) end
  local fine, message = pcall(ask, r, world, model, { diagonals = rule, size = r:int(1, 2) })
  assert(fine, ("seed %d: %s"):format(seed, message))
end
print(worlds_asked .. " worlds, all right")
