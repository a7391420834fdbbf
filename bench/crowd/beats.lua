-- beats.lua -- times the beats of a crowd with many units that never come to rest.
--
-- A unit that has arrived gets a new order to one of 200 goals. The shortest of several runs of beats
-- counts. For 10,000 units on the map brc202d, the table also shows the aims. Times are processor times.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local support = require "bench.support"
local random = require "spec.support.random"

local RUNS, GOALS, TARGET_MAP = 5, 200, "brc202d"

local BEAT_COLUMNS = {
  { "map", "%-12s" }, { "moves", "%6d" }, { "units", "%6d" }, { "ms/beat", "%10.3f" }, { "beat aim", "%9s" },
  { "ms/goal", "%10.3f" }, { "goal aim", "%9s" }, { "bytes/goal", "%11d" }, { "orders/beat", "%12.2f" },
}

local AIMS = { [4] = { "2", "0.3" }, [8] = { "4", "0.6" } }

local function busy_map(plan, options)
  for _, file in ipairs(benchmarks.find(options.folder or benchmarks.folder)) do
    if file.name:find(TARGET_MAP, 1, true) and not options.generated then
      return TARGET_MAP, astar.movingai.read_map(file.map)
    end
  end
  return "open", astar.grid(plan.side, plan.side)
end

local function send_to(unit, goal) unit:go(goal[1], goal[2]) end

-- Returns a random walkable cell. If scene.middle is known, the cell is in the same connected component.
local function common_cell(scene)
  local x0, y0, x1, y1 = scene.grid:bounds()
  local x, y
  repeat
    x, y = scene.dice:int(x0, x1), scene.dice:int(y0, y1)
  until scene.grid:is_walkable(x, y)
    and (not scene.middle or scene.finder:reachable(x, y, scene.middle[1], scene.middle[2]))
  return x, y
end

-- Returns a cell of a large connected component: of eight random cells, the one that most random cells are reachable
-- from.
local function most_common_cell(scene)
  local best, most = nil, -1
  for _ = 1, 8 do
    local x, y = common_cell(scene)
    local count = 0
    for _ = 1, 32 do
      local other_x, other_y = common_cell(scene)
      if scene.finder:reachable(x, y, other_x, other_y) then count = count + 1 end
    end
    if count > most then best, most = { x, y }, count end
  end
  return best
end

local function new_crowd(grid, moves, count)
  local scene = { grid = grid, dice = random.new(11), units = {}, goals = {} }
  scene.finder = grid:finder { diagonals = moves == 4 and "never" or nil }
  scene.crowd = astar.crowd(scene.finder, { speed = 1, expansions = 2 ^ 50 })
  scene.middle = most_common_cell(scene)
  while #scene.units < count do
    local unit = scene.crowd:add(common_cell(scene))
    scene.units[#scene.units + 1] = unit
  end
  for i = 1, GOALS do scene.goals[i] = { common_cell(scene) } end
  return scene
end

-- Sends all units to the goals. Returns milliseconds and bytes per goal. The data that all goals share is built with
-- the first goal and does not count.
local function send_all(scene)
  local crowd = scene.crowd
  send_to(scene.units[1], scene.goals[1])
  crowd:beat()
  local bytes, started = crowd.bytes, os.clock()
  for i, unit in ipairs(scene.units) do send_to(unit, scene.goals[(i - 1) % GOALS + 1]) end
  crowd:beat()
  return (os.clock() - started) * 1000 / (GOALS - 1), (crowd.bytes - bytes) / (GOALS - 1)
end

-- Gives each unit that has arrived a new order. Returns the number of new orders.
local function send_on(scene)
  local sent = 0
  for _, unit in ipairs(scene.units) do
    if unit.state == "arrived" then
      send_to(unit, scene.goals[scene.dice:int(1, GOALS)])
      sent = sent + 1
    end
  end
  return sent
end

-- Runs beats. Returns milliseconds and new orders per beat. Orders are given after every tenth beat. The crowd computes
-- beats ahead and must recompute them after orders, which concerns a tenth of the beats.
local function keep_going(scene, beats)
  local seconds, sent = 0, 0
  for beat = 1, beats do
    local started = os.clock()
    scene.crowd:update(1)
    seconds = seconds + os.clock() - started
    if beat % 10 == 0 then sent = sent + send_on(scene) end
  end
  return seconds / beats * 1000, sent / beats
end

local function time_beats(report, name, grid, moves, plan, is_quick)
  support.message(("%s, %d moves"):format(name, moves))
  local count = math.min(10000, math.floor(plan.side * plan.side / 10))
  local scene = new_crowd(grid, moves, count)
  local goal_ms, goal_bytes = send_all(scene)
  local best, sent = math.huge, 0
  for _ = 1, RUNS do
    local ms, more = keep_going(scene, is_quick and 10 or 100)
    best, sent = math.min(best, ms), sent + more / RUNS
  end
  local aims = name == TARGET_MAP and count == 10000 and AIMS[moves] or { "", "" }
  report:row { name, moves, count, best, aims[1], goal_ms, aims[2],
    math.floor(goal_bytes), sent }
end

return function(report, plan, options)
  report:title [[
beats: a crowd of many units that never come to rest, with four and eight moves. "ms/goal" and "bytes/goal": time and
memory of a new goal. "orders/beat": orders to units that have arrived. The aims apply to 10,000 units on brc202d]]
  report:section("beats", BEAT_COLUMNS)
  local name, grid = busy_map(plan, options)
  for _, moves in ipairs { 4, 8 } do time_beats(report, name, grid, moves, plan, options.quick) end
end
