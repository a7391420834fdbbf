-- closing.lua -- objects that a finalizer closes in the middle of calls about them. closing_spec.lua asks it in a
-- process of its own: amid what all specs keep in memory a collection takes ten thousand calls.
local astar = require "astar"
local random = require "spec.support.random"

local closing = {}

-- Garbage from the start, whose finalizer closes an object.
local function drop_closer(object, closed)
  local function close()
    closed[1] = true
    debug.getmetatable(object).__gc(object)
  end
  if newproxy then
    debug.getmetatable(newproxy(true)).__gc = close
  else
    setmetatable({}, { __gc = close })
  end
end

local function world()
  local w = { grid = astar.grid(8, 8) }
  w.grid:link(1, 1, 8, 8, { label = "stairs" })
  w.grid:block(4, 4)
  local function cost(_, _, _, value) return value end
  w.finder = w.grid:finder()
  w.asking = w.grid:finder { cost = cost }
  w.flow, w.asked_flow = w.finder:flow(5, 5), w.asking:flow(5, 5)
  w.path, w.asked_path = w.finder:find_path(1, 2, 8, 7), w.asking:find_path(1, 2, 8, 7)
  w.search, w.asked_search = w.finder:search(1, 2, 8, 7), w.asking:search(1, 2, 8, 7)
  w.field = astar.field(w.grid)
  w.queue = astar.queue()
  w.goals, w.budget, w.repair = { { 3, 3 }, { 6, 2 } }, { expansions = 50 }, { optimal = true }
  w.options = { cost = cost, avoid = w.field }
  return w
end

-- What is closed, and calls about it that make garbage, all of it in astar.
closing.calls = {
  grid = {
    function(w) return w.grid:finder() end, function(w) return w.grid:finder(w.options) end,
    function(w) return w.grid:find_path(1, 1, 8, 7) end, function(w) return w.grid:clone() end,
    function(w) return w.grid:dump() end, function(w) return w.grid:draw(w.path) end,
    function(w) return w.grid:links() end, function(w) return astar.field(w.grid) end,
  },
  finder = {
    function(w) return w.finder:flow(5, 5) end, function(w) return w.finder:flow(w.goals) end,
    function(w) return w.finder:reach(5, 5, 3) end, function(w) return w.finder:find_path(1, 1, 8, 7) end,
    function(w) return w.finder:search(1, 1, 8, 7) end, function(w) return w.finder:find_nearest(1, 1, w.goals) end,
    function(w) return w.queue:request(w.finder, 1, 1, 8, 7) end,
  },
  asking = {
    function(w) return w.asking:flow(w.goals) end, function(w) return w.asking:find_path(1, 1, 8, 7) end,
    function(w) return w.asking:search(1, 1, 8, 7) end, function(w) return w.asking:find_nearest(1, 1, w.goals) end,
    function(w) return w.asking:raycast(1, 1, 8, 7) end, function(w) return w.asking:reachable(1, 1, 8, 7) end,
    function(w) return w.asked_path:smooth() end,
  },
  flow = {
    function(w) return w.flow:path(1, 1) end, function(w) return w.flow:flee() end,
    function(w) return w.flow:cells() end,
  },
  asked_flow = {
    function(w) return w.asked_flow:path(1, 1) end, function(w) return w.asked_flow:distance(1, 1) end,
    function(w) return w.asked_flow:next(1, 1) end, function(w) return w.asked_flow:flee() end,
  },
  path = {
    function(w) return w.path:smooth() end, function(w) return w.path:reverse() end,
    function(w) return w.path:repair(w.repair) end, function(w) return w.path:waypoints() end,
    function(w) return w.path:totable() end, function(w) return w.path:cells_flat() end,
    function(w) return astar.walker(w.path) end, function(w) return w.grid:draw(w.path) end,
  },
  asked_path = {
    function(w) return w.asked_path:smooth() end, function(w) return w.asked_path:reverse() end,
    function(w) return w.asked_path:repair(w.repair) end, function(w) return w.asked_path:is_valid() end,
  },
  search = { function(w) return w.search:cells() end, function(w) return w.grid:draw(w.search) end },
  asked_search = {
    function(w) return w.asked_search:step(w.budget) end, function(w) return w.asked_search:step() end,
  },
  field = { function(w) return w.grid:finder(w.options) end },
}

-- Calls again and again, so that the collector goes on in calls alone, until it has closed the object.
local function call_until_closed(call, kind, dice)
  local w, closed = world(), {}
  for _ = 1, dice:int(0, 30) do call(w) end -- begins elsewhere each time
  drop_closer(w[kind], closed)
  for _ = 1, 10000000 do
    local ok, problem = pcall(call, w)
    if closed[1] then return ok, problem end
  end
  return false, "not collected"
end

-- Sets the collector's 'pause' or 'stepmul'.
local function tune(name, value)
  if _VERSION >= "Lua 5.5" then return collectgarbage("param", name, value) end
  return collectgarbage("set" .. name, value)
end

-- Closes what calls are about, 'rounds' times each; an error where one ends otherwise than it may.
function closing.try(kind, rounds)
  local control = astar.grid("..#..\n..#..\n....."):finder()
  tune("pause", 100)
  tune("stepmul", 1000)
  for i, call in ipairs(closing.calls[kind]) do
    local dice = random.new(i)
    for round = 1, rounds do
      local what = ("call %d of %s, round %d: "):format(i, kind, round)
      local ok, problem = call_until_closed(call, kind, dice)
      assert(ok or tostring(problem):find("closed", 1, true), what .. tostring(problem))
      assert(#control:find_path(1, 1, 5, 1) == 7, what)
    end
  end
  io.write "as it may\n"
end

return closing
