-- ask.lua -- asks the C module and the twin for what a change of docs/extending.md adds, and checks each answer against
-- plain programs. Run in a copy of the sources to which the changes have been applied:
--
--     lua5.4 spec/changes/ask.lua query_option

local astar = require "astar"
local oracle = require "spec.support.oracle"
local plain = require "astar.plain"
local random = require "spec.support.random"

local MAPS = 150
local TERRAIN = { ["."] = 1, ["#"] = false, s = 3 }
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

local function near(a, b) return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(a)) end

local function random_cell(r, world)
  return world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1)
end

-- Calls `check(r, grids, rules, query)` for random maps. `grids` has the map as a grid of each module, by name.
-- `query` has a start and a goal, and the `least` cost of a path between them, or nil if there is none.
local function on_maps(terrain, check)
  for seed = 1, MAPS do
    local r = random.new(seed)
    local width, height = r:int(2, 24), r:int(2, 24)
    local rows = r:map(width, height)
    if terrain.s then r:sow(rows, { "s" }) end
    rows[1][1] = "." -- the twin takes the cheapest ground of the palette for that of the map
    local origin = r:pick { { 1, 1 }, { -3, 7 } }
    local options = { terrain = terrain, origin = origin }
    local world = oracle.world(rows, options)
    local rules = { diagonals = r:pick(RULES), diagonal_cost = r:pick { math.sqrt(2), 1.4, 1.1 } }
    local grids = { core = astar.grid(rows, options), plain = plain.grid(rows, options) }
    local sx, sy = random_cell(r, world)
    local gx, gy = random_cell(r, world)
    local least, entry = oracle.distances(world, rules, sx, sy)
    local query = { sx = sx, sy = sy, gx = gx, gy = gy, least = least[oracle.cell(world, gx, gy)] }
    if oracle.refusal(world, rules, entry, sx, sy, gx, gy) then query.least = nil end
    local ok, problem = pcall(check, r, grids, rules, query)
    if not ok then error(("map %d: %s"):format(seed, tostring(problem)), 0) end
  end
end

local function with(rules, more)
  local options = {}
  for name, value in pairs(rules) do options[name] = value end
  for name, value in pairs(more) do options[name] = value end
  return options
end

local asks = {}

-- A path by the heuristic costs as little as the cheapest one.
function asks.heuristic()
  on_maps(TERRAIN, function(_, grids, rules, query)
    for name, grid in pairs(grids) do
      local path = grid:finder(with(rules, { heuristic = "alpha_max" })):find_path(query.sx, query.sy, query.gx,
        query.gy)
      assert((path ~= nil) == (query.least ~= nil) and (not path or near(path.cost, query.least)),
        ("%s: cost %s, not %s"):format(name, path and path.cost, query.least))
    end
  end)
end

-- A query with max_cells returns the path that it returns without the option, or "max_cost" if that path costs too
-- much. All algorithms, queries for several goals, bends, searches in steps and saved paths are asked.
function asks.query_option()
  local seen = { found = 0, max_cost = 0 }
  local function check_path(what, path, reason, most, least)
    if least and least <= most then
      assert(path and near(path.cost, least), ("%s: %s, not a path of cost %s"):format(what, reason, least))
      seen.found = seen.found + 1
    elseif least then
      assert(not path and reason == "max_cost", ("%s: %s, not max_cost"):format(what, path and path.cost or reason))
      seen.max_cost = seen.max_cost + 1
    else
      assert(not path, what .. ": a path that does not exist")
    end
  end
  for _, terrain in ipairs { TERRAIN, { ["."] = 2, ["#"] = false } } do
    on_maps(terrain, function(r, grids, rules, query)
      local sx, sy, gx, gy, least = query.sx, query.sy, query.gx, query.gy, query.least
      local cells = r:pick { 2, 5, 10, 20 }
      local most, given = cells * terrain["."] * (1 + 1e-9), { max_cells = cells }
      for name, grid in pairs(grids) do
        for _, algorithm in ipairs { "auto", "astar", "dijkstra", not terrain.s and "jps" or nil } do
          if algorithm ~= "jps" or name == "core" or rules.diagonals ~= "never" then -- the twin lacks the others
            local finder = grid:finder(with(rules, { algorithm = algorithm }))
            for _, call in ipairs { "cold", "warm" } do
              local path, reason = finder:find_path(sx, sy, gx, gy, given)
              check_path(("%s, %s, %s"):format(name, algorithm, call), path, reason, most, least)
            end
          end
        end
        local finder = grid:finder(with(rules, given))
        local path, reason = finder:find_path(sx, sy, gx, gy)
        check_path(name .. ", by the finder", path, reason, most, least)
        path, reason = finder:find_path(sx, sy, gx, gy, { max_cells = math.huge })
        check_path(name .. ", without the finder's limit", path, reason, math.huge, least)
        path, reason = finder:find_nearest(sx, sy, { { gx, gy }, { gx, gy } })
        check_path(name .. ", for several goals", path, reason, most, least)
        local search = grid:finder(rules):search(sx, sy, gx, gy, given)
        while search:step(3) == "running" do end
        check_path(name .. ", in steps", search.status == "found" and search:path() or nil, search.status, most, least)
      end
      local finder = grids.core:finder(rules)
      local path, reason = grids.core:finder(with(rules, { algorithm = "jpsw" })):find_path(sx, sy, gx, gy, given)
      check_path("jpsw", path, reason, most, least)
      path, reason = finder:find_path(sx, sy, gx, gy, { max_cells = cells, bends = "fewest" })
      check_path("fewest bends", path, reason, most, least)
      path = finder:find_path(sx, sy, gx, gy, { max_cells = 1e6 })
      assert(not path or near(astar.load_path(path:dump(), finder).cost, path.cost), "a saved path has another cost")
    end)
  end
  assert(seen.found > MAPS and seen.max_cost > MAPS, "the maps ask too little")
end

-- The rectangle holds all cells, and each of its edges touches one.
function asks.path_method()
  on_maps(TERRAIN, function(_, grids, rules, query)
    for name, grid in pairs(grids) do
      local path = grid:finder(rules):find_path(query.sx, query.sy, query.gx, query.gy)
      if path then
        local x, y, width, height = path:bounds()
        local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
        for column, row in path:cells() do
          left, top = math.min(left, column), math.min(top, row)
          right, bottom = math.max(right, column), math.max(bottom, row)
        end
        assert(x == left and y == top and width == right - left + 1 and height == bottom - top + 1, name)
        assert(not pcall(path.bounds, path, 1), name .. ": bounds takes no argument")
      end
    end
  end)
end

for _, name in ipairs(arg) do
  assert(asks[name], "no such change: " .. name)()
  print(name .. ": right")
end
