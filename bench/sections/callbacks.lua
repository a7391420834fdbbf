-- callbacks.lua -- times searches whose costs or heuristic are Lua functions.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local SEED, US, NS = support.SEED, support.US, support.NS

-- The callbacks. Each returns the value that the search would use without the callback.
local CALLBACKS = {
  { name = "cost", answer = function(_, _, _, cost) return cost end },
  { name = "step_cost", answer = function(_, _, _, _, cost) return cost end },
  { name = "heuristic", answer = function(dx, dy)
    return dx < dy and dy + 0.41421356237309503 * dx or dx + 0.41421356237309503 * dy
  end },
}

-- Returns the number of calls of a callback during all queries.
local function count_calls(grid, callback, queries)
  local calls = 0
  support.ask(grid:finder { algorithm = "astar", [callback.name] = function(...)
    calls = calls + 1
    return callback.answer(...)
  end }, queries)
  return calls
end

-- Returns an item that calls a Lua function from a C function of Lua's library: string.gsub, once per character.
local function library_call(plan)
  local text, per = ("x"):rep(100), 100
  local function answer() return nil end
  return support.item(function(n)
    for _ = 1, n do text:gsub(".", answer) end
  end, plan.batch, per)
end

-- Returns an item that calls the function of a callback from Lua.
local function bare_call(callback, plan)
  local answer = callback.answer
  return support.item(function(n)
    local sum = 0
    for i = 1, n do sum = sum + answer(i, 7, ".", 2, 2) end
    return sum
  end, plan.batch)
end

-- Returns the measured items: plain A* with costs as data, plain A* with each callback, calls of each
-- callback from Lua, and calls from string.gsub. Also returns the numbers of expanded cells.
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
    local calls = count_calls(grid, callback, queries) / count
    report:row { callback.name, seconds[1 + i] * US, expanded[1 + i] / count, calls,
      (seconds[1 + i] - seconds[1]) * NS / calls, seconds[1 + #CALLBACKS + i] * NS }
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
callbacks: plain A* over ground of four costs, %d x %d cells, with costs as data and with callbacks in Lua. "exp":
expanded cells. "ns/call": additional nanoseconds per call of the callback, compared with costs as data. "ns by Lua":
nanoseconds of a call of the same function from Lua. The last row is the time of a call from string.gsub.]])
    :format(side, side))
  report:section("callbacks", { { "costs from", "%-16s" }, { "us/query", "%10.1f" },
    { "exp/query", "%11.0f" }, { "calls/query", "%13.0f" }, { "ns/call", "%10.1f" },
    { "ns by Lua", "%10.1f" } })
  print_callbacks(report, grid, queries, seconds, expanded)
end
