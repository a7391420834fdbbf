-- train_yard.lua -- a yard with three platforms between two single tracks: each train is given the platform from which
-- it is away first, and the way there and on among all that is reserved already; a switch is mended meanwhile.
-- In a terminal `train_yard.lua play` shows it as it goes; `train_yard.lua play 30` the first 30 seconds.

local astar = require "astar"

local YARD = [[
..............+------1------+..............
..............|.............|..............
#####---------+------2------+---------#####
..............|.............|..............
..............+------3------+..............
]]
local STOP, EAST, WEST = 8, { 43, 3 }, { 1, 3 } -- seconds at a platform; the tunnels' far ends
-- Where trains to the east stop, trains to the west, and in which row.
local PLATFORMS = { { 24, 20, 1 }, { 24, 20, 3 }, { 24, 20, 5 } }

local TRACK = { ["."] = false, ["-"] = 1, ["|"] = 1, ["+"] = 1, ["#"] = 1, ["1"] = 1, ["2"] = 1, ["3"] = 1 }
local grid = astar.grid(YARD, { terrain = TRACK })
local finder, schedule = grid:finder { diagonals = "never" }, astar.schedule(grid)

local TRAINS = { -- in the order in which they were announced
  { name = "A", cars = 5, at = 0, from = WEST, to = EAST }, { name = "B", cars = 4, at = 2, from = EAST, to = WEST },
  { name = "C", cars = 3, at = 9, from = WEST, to = EAST }, { name = "D", cars = 5, at = 12, from = EAST, to = WEST },
  { name = "E", cars = 2, at = 16, from = WEST, to = EAST }, { name = "F", cars = 4, at = 22, from = WEST, to = EAST },
}

-- ---- planning ----

-- The cells behind a train's first car where a way ends, the nearest first.
local function cars_behind(way, cars)
  local tail = {}
  for i = 1, cars - 1 do tail[i] = { way:cell(way.count - i) } end
  return tail
end

-- The way to a platform of a train that comes in at a time, and on from there when it has stopped; nil where it cannot
-- be done.
local function plan_by(train, platform, at)
  local x, y = train.to == EAST and platform[1] or platform[2], platform[3]
  local first = finder:find_path(train.from[1], train.from[2], x, y,
    { schedule = { schedule, at = at, length = train.cars, stay = STOP } })
  if not first then return nil end
  local tail = cars_behind(first, train.cars)
  local second = finder:find_path(x, y, train.to[1], train.to[2],
    { schedule = { schedule, at = first.arrival + STOP, length = train.cars, tail = tail, stay = false } })
  return second and { first, second }
end

-- The platform from which it is away first. Where none can be reached it is held outside for a while.
local function plan(train)
  local best, number, at = nil, nil, train.at
  while not best do
    for i, platform in ipairs(PLATFORMS) do
      local ways = plan_by(train, platform, at)
      if ways and (not best or ways[2].arrival < best[2].arrival) then best, number = ways, i end
    end
    at = at + 2
  end
  assert(schedule:reserve(best[1]))
  assert(schedule:reserve(best[2]))
  train.ways = best
  local arrival, late = best[1].arrival, best[1].arrival - train.at - best[1].cost
  return ("train %s, %d cars: platform %d from %.0f to %.0f s, %s; away at %.0f s"):format(train.name, train.cars,
    number, arrival, arrival + STOP, late > 0 and ("%.0f s late"):format(late) or "on time", best[2].arrival)
end

-- ---- drawing ----

-- Which train's car is on which cell at a time: the cells by "x,y".
local function cars_at(time)
  local cars = {}
  for _, train in ipairs(TRAINS) do
    for _, way in ipairs(train.ways) do
      for car = 1, train.cars do
        local x, y = way:place(time, car)
        if x then cars[math.floor(x + 0.5) .. "," .. math.floor(y + 0.5)] = train.name end
      end
    end
  end
  return cars
end

-- The yard, and below it what is to be seen with it.
local function draw(time, below)
  local cars, y, rows = cars_at(time), 0, {}
  for row in YARD:gmatch "[^\n]+" do
    local x = 0
    y = y + 1
    rows[y] = row:gsub(".", function(ground)
      x = x + 1
      return ground == "#" and "#" or ground == "." and " " or cars[x .. "," .. y] or ground
    end):gsub(" +$", "")
  end
  print(("%3.0f s\n%s\n%s"):format(time, table.concat(rows, "\n"), below))
end

-- ---- the day ----

schedule:reserve_cell(15, 3, { from = 26, to = 40 })
local timetable, last = { "the switch in the west is mended from 26 to 40 s" }, 0
for _, train in ipairs(TRAINS) do
  timetable[#timetable + 1] = plan(train)
  last = math.max(last, train.ways[2].arrival)
end
timetable = table.concat(timetable, "\n")

if arg and arg[1] == "play" then
  for time = 0, tonumber(arg[2]) or last, 0.25 do
    io.write "\27[2J\27[H"
    draw(time, "\n" .. timetable)
    local finish_at = os.clock() + 0.1
    while os.clock() < finish_at do end -- Lua has no other way to wait
  end
else
  print(timetable)
  for time = 0, last, 12 do draw(time, "") end
end
