-- crowd.lua -- times the beats of crowds, and measures how soon units arrive in several scenes.
--
-- The scenes are the same on every machine. Times are processor times of whole beats.

local astar = require "astar"
local support = require "bench.support"
local random = require "spec.support.random"

local MOST_BEATS = 3000

local COLUMNS = {
  { "scene", "%-24s" }, { "units", "%6d" }, { "arrived", "%8d" }, { "beats", "%6d" }, { "mean delay", "%11.2f" },
  { "worst delay", "%12.2f" }, { "steps", "%8d" }, { "ms/beat", "%10.3f" },
}

-- Adds units at random cells within a rectangle. kind(i) returns the options of unit i: { finder =, period = }.
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

-- Returns the number of beats that the unit would need if it were alone on the map.
local function ideal_of(unit, finder)
  local x, y = unit:cell()
  local path = finder:find_path(x, y, unit:goal())
  return path and (#path - 1) * unit.period or 0
end

-- Runs beats until all units have arrived, but at most MOST_BEATS. Returns the fields of a row without the name.
local function play(scene)
  local ideals, arrived_at, steps = {}, {}, 0
  for i, unit in ipairs(scene.units) do ideals[i] = ideal_of(unit, scene.finder) end
  local crowd, seconds = scene.crowd, 0
  while crowd.under_way > 0 and crowd.beats < MOST_BEATS do
    local started = os.clock()
    local moves = crowd:beat()
    seconds = seconds + os.clock() - started
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

return function(report, plan)
  report:title [[
crowd: scenes of units with goals. "beats": beats until all units have arrived, at most 3000. "mean delay" and "worst
delay": beats of a unit divided by the beats that it would need alone. "steps": steps of all units]]
  report:section("crowd", COLUMNS)
  local side = math.min(64, plan.side)
  for _, scene in ipairs(SCENES) do
    support.message(scene[1])
    local row = play(scene[2](side))
    table.insert(row, 1, scene[1])
    report:row(row)
  end
end
