-- binding.lua -- times the shortest calls from Lua, and loops over the cells of a path.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, NS = support.SEED, support.NS

-- Runs named items alternately and prints a row for each item: nanoseconds per operation.
local function print_items(report, names, items, plan)
  local seconds = support.compare(items, plan.rounds)
  for i, name in ipairs(names) do report:row { name, seconds[i] * NS } end
end

local function binding_items(plan)
  local names, items = {}, {}
  local function add(name, run, per)
    names[#names + 1] = name
    items[#items + 1] = support.item(run, plan.batch, per)
  end
  return names, items, add
end

local function add_calls(add, path)
  local grid = astar.grid(64, 64)
  local finder = grid:finder()
  add("empty loop", function(n) for _ = 1, n do end end)
  add("#path", function(n)
    local sum = 0
    for _ = 1, n do sum = sum + #path end
    return sum
  end)
  add("grid:version()", function(n) for _ = 1, n do grid:version() end end)
  add("find_path, start = goal", function(n)
    for _ = 1, n do finder:find_path(30, 30, 30, 30) end
  end)
  add("find_path, goal beside start", function(n)
    for _ = 1, n do finder:find_path(30, 30, 31, 30) end
  end)
  add("find_path, goal 10 cells east", function(n)
    for _ = 1, n do finder:find_path(30, 30, 40, 30) end
  end)
  add("grid:find_path, start = goal", function(n)
    for _ = 1, n do grid:find_path(30, 30, 30, 30) end
  end)
  add("reachable, goal beside start", function(n)
    for _ = 1, n do finder:reachable(30, 30, 31, 30) end
  end)
end

local function add_walks(add, path)
  local cells = #path
  add("cells(), per cell", function(n)
    local sum = 0
    for _ = 1, n do
      for x, y in path:cells() do sum = sum + x + y end
    end
    return sum
  end, cells)
  add("cell(i), per cell", function(n)
    local sum = 0
    for _ = 1, n do
      for i = 1, cells do
        local x, y = path:cell(i)
        sum = sum + x + y
      end
    end
    return sum
  end, cells)
  add("path[i], per cell", function(n)
    local sum = 0
    for _ = 1, n do
      for i = 1, cells do sum = sum + path[i].x end
    end
    return sum
  end, cells)
  add("cells_flat(), per cell", function(n) for _ = 1, n do path:cells_flat() end end, cells)
  add("totable(), per cell", function(n) for _ = 1, n do path:totable() end end, cells)
end

-- Returns the path with the most cells among those of some queries.
local function long_path(grid, plan)
  local finder, longest = grid:finder(), nil
  for _, query in ipairs(support.queries(grid, SEED, plan.sample)) do
    local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
    if not longest or #path > #longest then longest = path end
  end
  return longest
end

return function(report, plan)
  local path = long_path(support.grid_of(maps.kind "caves", plan.side), plan)
  report:title(("binding: nanoseconds per call from Lua, or per cell of a path of %d cells and %d waypoints")
    :format(#path, #path:waypoints()))
  report:section("binding", { { "call", "%-32s" }, { "ns", "%10.1f" } })
  local names, items, add = binding_items(plan)
  add_calls(add, path)
  add_walks(add, path)
  print_items(report, names, items, plan)
end
