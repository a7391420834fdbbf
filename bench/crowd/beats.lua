-- beats.lua -- what a beat of many units costs that never come to rest.
--
-- Who has arrived is sent on, to one of 200 goals. Of a few runs of beats the shortest counts. Beside it
-- stands what is aimed at, for 10,000 units on brc202d. Processor time.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local support = require "bench.support"
local random = require "spec.support.random"

local RUNS, GOALS, TARGET_MAP = 5, 200, "brc202d"

local BEAT_COLUMNS = {
  { "map", "%-12s" }, { "moves", "%6d" }, { "units", "%6d" }, { "ms a beat", "%10.3f" }, { "aim", "%5s" },
  { "ms a goal", "%10.3f" }, { "aim ", "%5s" }, { "bytes a goal", "%13d" }, { "goals a beat", "%13.2f" },
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

-- A cell that the unit can come to from anywhere its like stand, where most do.
local function common_cell(scene)
  local x0, y0, x1, y1 = scene.grid:bounds()
  local x, y
  repeat
    x, y = scene.dice:int(x0, x1), scene.dice:int(y0, y1)
  until scene.grid:is_walkable(x, y)
    and (not scene.middle or scene.finder:reachable(x, y, scene.middle[1], scene.middle[2]))
  return x, y
end

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

-- Milliseconds and bytes of a goal; what all share is there with the first.
local function send_all(scene)
  local crowd = scene.crowd
  send_to(scene.units[1], scene.goals[1])
  crowd:beat()
  local bytes, begun = crowd.bytes, os.clock()
  for i, unit in ipairs(scene.units) do send_to(unit, scene.goals[(i - 1) % GOALS + 1]) end
  crowd:beat()
  return (os.clock() - begun) * 1000 / (GOALS - 1), (crowd.bytes - bytes) / (GOALS - 1)
end

-- Sends on who has arrived: how many.
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

-- Milliseconds of a beat, and how many were sent on in each. Orders come in every tenth: what update has
-- worked out ahead of them is worked out again, a tenth of all.
local function keep_going(scene, beats)
  local seconds, sent = 0, 0
  for beat = 1, beats do
    local begun = os.clock()
    scene.crowd:update(1)
    seconds = seconds + os.clock() - begun
    if beat % 10 == 0 then sent = sent + send_on(scene) end
  end
  return seconds / beats * 1000, sent / beats
end

local function time_beats(report, name, grid, moves, plan, is_quick)
  support.tell(("%s, %d moves"):format(name, moves))
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
  report:title "crowds: many units that never come to rest"
  report:section("beats", BEAT_COLUMNS)
  local name, grid = busy_map(plan, options)
  for _, moves in ipairs { 4, 8 } do time_beats(report, name, grid, moves, plan, options.quick) end
end
