-- callbacks.lua -- what costs and estimates by Lua functions take.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

-- What a callback says that changes nothing, and the same counting how often it is asked.
local CALLBACKS = {
  { name = "cost", answer = function(_, _, _, cost) return cost end },
  { name = "step_cost", answer = function(_, _, _, _, cost) return cost end },
  { name = "heuristic", answer = function(dx, dy)
    return dx < dy and dy + 0.41421356237309503 * dx or dx + 0.41421356237309503 * dy
  end },
}

local function count_asked(grid, callback, queries)
  local asked = 0
  support.ask(grid:finder { algorithm = "astar", [callback.name] = function(...)
    asked = asked + 1
    return callback.answer(...)
  end }, queries)
  return asked
end

-- What a C function of Lua's own takes to call one: string.gsub, once a character.
local function library_call(plan)
  local text, per = ("x"):rep(100), 100
  local function answer() return nil end
  return support.item(function(n)
    for _ = 1, n do text:gsub(".", answer) end
  end, plan.batch, per)
end

-- What such a call costs where Lua itself makes it.
local function bare_call(callback, plan)
  local answer = callback.answer
  return support.item(function(n)
    local sum = 0
    for i = 1, n do sum = sum + answer(i, 7, ".", 2, 2) end
    return sum
  end, plan.batch)
end

-- Plain A* by the data and then by each callback; then the callbacks called by Lua itself; then
-- a callback of Lua's own library.
local function callback_items(grid, data, queries, plan)
  local items, expanded = { support.asking(data, queries) }, { support.expanded_by(data, queries) }
  for _, callback in ipairs(CALLBACKS) do
    local finder = grid:finder { algorithm = "astar", [callback.name] = callback.answer }
    items[#items + 1] = support.asking(finder, queries)
    expanded[#expanded + 1] = support.expanded_by(finder, queries)
  end
  for _, callback in ipairs(CALLBACKS) do
    items[#items + 1] = bare_call(callback, plan)
  end
  items[#items + 1] = library_call(plan)
  return items, expanded
end

local function print_callbacks(report, grid, queries, seconds, expanded)
  local count = #queries
  report:row { "data", seconds[1] * US, expanded[1] / count }
  for i, callback in ipairs(CALLBACKS) do
    local asked = count_asked(grid, callback, queries) / count
    report:row { callback.name, seconds[1 + i] * US, expanded[1 + i] / count, asked,
      (seconds[1 + i] - seconds[1]) * NS / asked, seconds[1 + #CALLBACKS + i] * NS }
  end
  report:row { "(string.gsub)", nil, nil, nil, seconds[#seconds] * NS }
end

return function(report, plan)
  local side = math.floor(plan.side / 2)
  local rows = maps.weighted(SEED, maps.caves(SEED, side, side))
  local grid = astar.grid(rows, { terrain = maps.terrain })
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 4))
  local data = grid:finder { algorithm = "astar" }
  local items, expanded = callback_items(grid, data, queries, plan)
  local seconds = support.compare(items, plan.rounds)
  report:title(([[
callbacks: plain A* over rough ground, %d x %d; "ns asked": what asking takes more than the same
numbers as data, and, to compare with, what string.gsub takes for a callback; "Lua call": what it
takes Lua itself to call that function]]):format(side, side))
  report:section("callbacks", { { "costs from", "%-16s" }, { "us/query", "%10.1f" },
    { "exp/query", "%11.0f" }, { "asked/query", "%13.0f" }, { "ns asked", "%10.1f" },
    { "Lua call", "%10.1f" } })
  print_callbacks(report, grid, queries, seconds, expanded)
end
