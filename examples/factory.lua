-- factory.lua -- a factory: belts carry ore to the smelter, and haulers fetch the ingots.
--
-- A belt is a row of cells that may be left only in its own direction (grid:restrict). Items move by the belts alone:
-- each tick an item on a belt goes to the next cell. Haulers walk over belts, too. A belt costs 0.5 a cell and their
-- walkers have the pace of the ground, so they ride to the smelter and walk back beside the belt.

local astar = require "astar"

local grid = astar.grid([[
##############################
#............................#
#..M.....................S...#
#............................#
#............................#
#...........####.............#
#............................#
#..M.........................#
#...........####.............#
#..D.........................#
##############################
]], { terrain = { ["."] = 1, ["="] = 0.5, M = false, S = false, D = false, ["#"] = false } })

local ARROWS = { east = ">", south = "v", west = "<", north = "^" }
local heading_at = {} -- the direction of the belt of each cell, by x + 100 y

local function key_of(x, y) return x + 100 * y end

-- Lays a belt from one cell to another in a line; one cell alone leads north.
local function lay(x, y, to_x, to_y)
  local name = to_x > x and "east" or to_x < x and "west" or to_y > y and "south" or "north"
  local w, h = math.abs(to_x - x) + 1, math.abs(to_y - y) + 1
  local left, top = math.min(x, to_x), math.min(y, to_y)
  grid:fill(left, top, w, h, "=")
  grid:restrict(left, top, w, h, name)
  for row = top, top + h - 1 do
    for column = left, left + w - 1 do heading_at[key_of(column, row)] = name end
  end
end

-- Removes the belt of one cell. The belts beside it stay as they are.
local function remove(x, y)
  grid:set(x, y, ".")
  grid:unrestrict(x, y)
  heading_at[key_of(x, y)] = nil
end

lay(5, 3, 25, 3)  -- from the northern mine to the smelter
grid:restrict(25, 3, { "east", "south" }) -- a hauler that rides to the end can step off
lay(5, 8, 10, 8)  -- from the southern mine
lay(11, 8, 11, 4) -- and north, on to the first belt

-- ---- items ----

local items, smelted, ingots = {}, 0, 0

local function is_taken(x, y)
  for _, item in ipairs(items) do
    if item.x == x and item.y == y then return true end
  end
  return false
end

-- Moves each item to the next cell of its belt, if that is free, the first item first.
local function run_belts()
  local left = {}
  for _, item in ipairs(items) do
    local name = heading_at[key_of(item.x, item.y)]
    local x, y = item.x, item.y
    if name then x, y = grid:neighbour(x, y, name) end
    if name and grid:get(x, y) == "S" then
      smelted = smelted + 1
      if smelted % 2 == 0 then ingots = ingots + 1 end -- two ores make an ingot
    else
      if heading_at[key_of(x, y)] and not is_taken(x, y) then item.x, item.y = x, y end
      left[#left + 1] = item
    end
  end
  items = left
end

local function mine(x, y)
  if heading_at[key_of(x, y)] and not is_taken(x, y) then items[#items + 1] = { x = x, y = y } end
end

-- ---- haulers ----

local finder = grid:finder { diagonals = "never" }
local DEPOT, SMELTER = { 5, 10 }, { 26, 4 } -- the cells beside the depot and below the smelter
local delivered, seconds = 0, 0
local haulers = {}

local function new_hauler(name, x, y)
  haulers[#haulers + 1] = { name = name, x = x, y = y, load = 0 }
end
new_hauler("Ada", 2, 9)
new_hauler("Ben", 28, 2)
new_hauler("Cid", 20, 10)

local function say(...) print(("%5.1f s  "):format(seconds) .. string.format(...)) end

local function send(hauler, goal)
  local x, y = hauler.x, hauler.y
  if hauler.walker then x, y = hauler.walker:cell() end
  local path = finder:find_path(x, y, goal[1], goal[2])
  if not path then return say("%s finds no way", hauler.name) end
  if hauler.walker then
    hauler.walker:follow(path)
  else
    hauler.walker = astar.walker(path, { speed = 2, pace = "cost", corner = 0 })
  end
  hauler.goal, hauler.since, hauler.cost = goal, seconds, path.cost
end

local function arrive(hauler)
  hauler.x, hauler.y = hauler.walker:cell()
  if hauler.goal == DEPOT and hauler.load > 0 then
    delivered, hauler.load = delivered + hauler.load, 0
    say("%s brings an ingot after %.1f s, %d in the depot", hauler.name, seconds - hauler.since, delivered)
  end
  if hauler.goal == DEPOT then return send(hauler, SMELTER) end
  if ingots > 0 then
    ingots, hauler.load = ingots - 1, 1
    send(hauler, DEPOT)
  end
end

local function draw()
  local rows = {}
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    local row = {}
    for x = x0, x1 do
      row[#row + 1] = is_taken(x, y) and "o" or ARROWS[heading_at[key_of(x, y)]] or grid:get(x, y)
    end
    rows[#rows + 1] = row
  end
  for _, hauler in ipairs(haulers) do
    local x, y = hauler.walker:cell()
    rows[y][x] = hauler.name:sub(1, 1)
  end
  for i, row in ipairs(rows) do rows[i] = table.concat(row) end
  print(table.concat(rows, "\n"))
end

-- ---- the shift ----

for _, hauler in ipairs(haulers) do send(hauler, SMELTER) end
local with_belt, against = finder:find_path(5, 3, 25, 3), finder:find_path(25, 3, 5, 3)
print(("along the belt: cost %g, back: cost %g"):format(with_belt.cost, against.cost))

local ticks = 0
while seconds < 90 do
  for _ = 1, 10 do -- ten frames a tick
    for _, hauler in ipairs(haulers) do
      local _, _, arrived = hauler.walker:update(0.05)
      if arrived then arrive(hauler) end
    end
    seconds = seconds + 0.05
  end
  ticks = ticks + 1
  run_belts()
  if ticks % 4 == 0 then mine(5, 3) end
  if ticks % 6 == 0 then mine(5, 8) end
  if ticks == 30 then draw() end
  if ticks == 60 then -- a fault: one belt of the southern line is taken away, and its ore waits
    remove(11, 6)
    say "a belt is taken away at 11, 6"
    for _, hauler in ipairs(haulers) do hauler.walker:repair() end
  elseif ticks == 90 then
    lay(11, 6, 11, 6)
    say "the belt is mended"
  end
end

draw()
print(("%d ores smelted, %d ingots delivered, %d restricted cells"):format(smelted, delivered, #grid:restrictions()))
