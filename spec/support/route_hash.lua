-- route_hash.lua -- one number for thousands of routes, to compare machines, compilers and Luas.
--
-- As a module: route_hash.compute() -> hash, count of paths. As a script, for a module built into
-- a folder of its own:
--
--     lua5.1 spec/support/route_hash.lua build/5.1
--
-- Cells go into the hash one by one, costs by their 17 digits, so a last bit that differs shows.

local MODULUS = 2147483647

local route_hash = {}

local TERRAIN = { ["."] = 1, ["#"] = false, r = 0.7, g = 2, s = 5.3 }
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local VARIANTS = {
  { algorithm = "auto" },
  { algorithm = "astar" },
  { algorithm = "dijkstra" },
  { algorithm = "bidirectional" },
  { algorithm = "astar", weight = 1.5 },
  { algorithm = "astar", heuristic = "euclidean" },
  { algorithm = "auto", diagonal_cost = 1.4 },
  { algorithm = "auto", partial = true },
}

local function add_number(hash, number)
  return (hash * 4099 + number) % MODULUS
end

local function add_text(hash, text)
  for i = 1, #text do hash = add_number(hash, text:byte(i)) end
  return hash
end

local function add_path(hash, path)
  for x, y in path:cells() do hash = add_number(add_number(hash, x), y) end
  return add_text(hash, ("%.17g %.17g %d"):format(path.cost, path.length, path.expanded))
end

local function random_grid(astar, r, seed)
  local width, height = r:sides()
  local rows = r:map(width, height)
  if seed % 2 == 0 then r:sow(rows, { "r", "g", "s" }) end
  return astar.grid(rows, { terrain = TERRAIN }), width, height
end

function route_hash.compute()
  local astar = require "astar"
  local random = require "spec.support.random"
  local hash, count = 1, 0
  for seed = 1, 250 do
    local r = random.new(seed)
    local grid, width, height = random_grid(astar, r, seed)
    for _, rule in ipairs(RULES) do
      local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
      for _, variant in ipairs(VARIANTS) do
        local options = { diagonals = rule }
        for name, value in pairs(variant) do options[name] = value end
        local path, reason = grid:find_path(sx, sy, gx, gy, options)
        if path then
          hash, count = add_path(hash, path), count + 1
          hash = add_path(hash, path:smooth())
        else
          hash = add_text(hash, reason)
        end
      end
    end
  end
  return hash, count
end

local is_script = arg and arg[0] and arg[0]:find("route_hash.lua", 1, true)
if is_script then
  local build = assert(arg[1], "usage: lua spec/support/route_hash.lua <build folder>")
  package.path = "./lua/?.lua;./lua/?/init.lua;./?.lua;" .. package.path
  package.cpath = "./" .. build .. "/?.so;" .. package.cpath
  local hash, count = route_hash.compute()
  print(("hash %d over %d paths"):format(hash, count))
end

return route_hash
