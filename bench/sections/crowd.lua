-- crowd.lua -- crowds: what a beat costs, and how units get about: gap, doors, crossing, one goal, speeds, sizes.
--
-- The scenes are the same on every machine: "beats" until all have arrived, "ideal" the mean of beats over
-- those of a unit alone, "worst" the most of them. Time is processor time of whole beats.
--
-- Then many units at once that never come to rest: who has arrived is sent on, to one of 200 goals. Of a few
-- runs of beats the shortest counts. Beside it stands what is aimed at, for 10,000 units on brc202d.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local support = require "bench.support"
local random = require "spec.support.random"

local MOST_BEATS = 3000

local COLUMNS = {
  { "scene", "%-24s" }, { "units", "%6d" }, { "arrived", "%8d" }, { "beats", "%6d" }, { "ideal", "%6.2f" },
  { "worst", "%6.2f" }, { "steps", "%8d" }, { "ms a beat", "%10.3f" },
}

-- Puts units down anywhere within a rectangle, of a kind each: { finder =, period = }.
local function scatter(scene, count, x0, y0, x1, y1, kind)
  local units = {}
  for _ = 1, count * 50 do
    if #units == count then break end
    local unit = scene.crowd:add(scene.dice:int(x0, x1), scene.dice:int(y0, y1), kind and kind(#units + 1))
    if unit then units[#units + 1] = unit end
  end
  return units
end

local function send(scene, units, goal_of)
  for i, unit in ipairs(units) do
    local sent
    repeat
      local x, y = goal_of(i, unit)
      sent = scene.taken[y * 65536 + x] == nil and unit:go(x, y)
      scene.taken[y * 65536 + x] = true
    until sent
    scene.units[#scene.units + 1] = unit
  end
end

local function within(scene, x0, y0, x1, y1)
  return function() return scene.dice:int(x0, x1), scene.dice:int(y0, y1) end
end

local function new_scene(width, height, options)
  local grid = astar.grid(width, height)
  local scene = { grid = grid, dice = random.new(11), units = {}, taken = {} }
  scene.finder = grid:finder(options)
  scene.crowd = astar.crowd(scene.finder)
  return scene
end

local function walled(side, openings, options)
  local scene = new_scene(side, side, options)
  local middle = math.floor(side / 2)
  scene.grid:block(middle, 1, 1, side)
  for _, y in ipairs(openings) do scene.grid:unblock(middle, y, 1, 3) end
  return scene, middle
end

local function armies(scene, middle, side, count)
  local west = scatter(scene, count, 1, 1, middle - 2, side)
  local east = scatter(scene, count, middle + 2, 1, side, side)
  send(scene, west, within(scene, middle + 2, 1, side, side))
  send(scene, east, within(scene, 1, 1, middle - 2, side))
  return scene
end

local SCENES = {
  { "gap of 3, two armies", function(side)
    local scene, middle = walled(side, { math.floor(side / 2) })
    return armies(scene, middle, side, math.floor(side * side / 40))
  end },
  { "doors, two armies", function(side)
    local scene, middle = walled(side, { 3, math.floor(side / 2), side - 5 })
    return armies(scene, middle, side, math.floor(side * side / 20))
  end },
  { "crossing, four moves", function(side)
    local scene = new_scene(side, side, { diagonals = "never" })
    return armies(scene, math.floor(side / 2), side, math.floor(side * side / 8))
  end },
  { "crossing, eight moves", function(side)
    local scene = new_scene(side, side)
    return armies(scene, math.floor(side / 2), side, math.floor(side * side / 8))
  end },
  { "one goal", function(side)
    local scene = new_scene(side, side)
    scene.units = scatter(scene, math.floor(side * side / 8), 1, 1, side, side)
    scene.crowd:go(scene.units, math.floor(side / 2), math.floor(side / 2))
    return scene
  end },
  { "speeds 1 to 4", function(side)
    local scene = new_scene(side, side)
    local units = scatter(scene, math.floor(side * side / 10), 1, 1, side, side, function(i)
      return { period = 1 + i % 4 }
    end)
    send(scene, units, within(scene, 1, 1, side, side))
    return scene
  end },
  { "sizes 1 to 3", function(side)
    local scene = new_scene(side, side)
    local finders = { scene.grid:finder(), scene.grid:finder { size = 2 }, scene.grid:finder { size = 3 } }
    scene.units = scatter(scene, math.floor(side * side / 30), 1, 1, side - 2, side - 2, function(i)
      return { finder = finders[1 + i % 3] }
    end)
    scene.crowd:go(scene.units, math.floor(side / 2), math.floor(side / 2))
    return scene
  end },
}

-- The beats a unit alone would take.
local function ideal_of(unit, finder)
  local x, y = unit:cell()
  local path = finder:find_path(x, y, unit:goal())
  return path and (#path - 1) * unit.period or 0
end

local function play(scene)
  local ideals, arrived_at, steps = {}, {}, 0
  for i, unit in ipairs(scene.units) do ideals[i] = ideal_of(unit, scene.finder) end
  local crowd, seconds = scene.crowd, 0
  while crowd.under_way > 0 and crowd.beats < MOST_BEATS do
    local begun = os.clock()
    local moves = crowd:beat()
    seconds = seconds + os.clock() - begun
    steps = steps + #moves
    for i, unit in ipairs(scene.units) do
      arrived_at[i] = unit.state == "arrived" and (arrived_at[i] or crowd.beats) or nil
    end
  end
  local sum, worst, count, arrived = 0, 0, 0, 0
  for i in ipairs(scene.units) do
    if arrived_at[i] then arrived = arrived + 1 end
    if arrived_at[i] and ideals[i] > 0 then
      local ratio = arrived_at[i] / ideals[i]
      sum, worst, count = sum + ratio, math.max(worst, ratio), count + 1
    end
  end
  return { #scene.units, arrived, crowd.beats, count > 0 and sum / count or 0, worst, steps,
    crowd.beats > 0 and seconds / crowd.beats * 1000 or 0 }
end

-- ---- many that never come to rest ----

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
  report:title "crowds: how units get about, and what a beat costs"
  report:section("crowd", COLUMNS)
  local side = math.min(64, plan.side)
  for _, scene in ipairs(SCENES) do
    support.tell(scene[1])
    local row = play(scene[2](side))
    table.insert(row, 1, scene[1])
    report:row(row)
  end
  report:section("beats", BEAT_COLUMNS)
  local name, grid = busy_map(plan, options)
  for _, moves in ipairs { 4, 8 } do time_beats(report, name, grid, moves, plan, options.quick) end
end
