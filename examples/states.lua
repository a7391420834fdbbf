-- states.lua -- any space of states: a sliding puzzle, doors with keys, a platformer's jumps, a vehicle that turns.

local astar = require "astar"

-- ---- the 8-puzzle: a state is a string of the tiles, row by row ----

local GOAL = "12345678."

-- How far the tiles are from their places, rows and columns.
local function tiles_off(state, goal)
  local sum = 0
  for i = 1, 9 do
    local tile = state:sub(i, i)
    if tile ~= "." then
      local j = goal:find(tile, 1, true)
      sum = sum + math.abs((i - 1) % 3 - (j - 1) % 3) + math.abs(math.floor((i - 1) / 3) - math.floor((j - 1) / 3))
    end
  end
  return sum
end

local puzzle = astar.states {
  neighbours = function(state, add)
    local gap = state:find(".", 1, true)
    local function slide(from, name)
      local tiles = {}
      for i = 1, 9 do tiles[i] = state:sub(i, i) end
      tiles[gap], tiles[from] = tiles[from], "."
      add(table.concat(tiles), 1, name)
    end
    if gap > 3 then slide(gap - 3, "down") end
    if gap < 7 then slide(gap + 3, "up") end
    if gap % 3 ~= 1 then slide(gap - 1, "right") end
    if gap % 3 ~= 0 then slide(gap + 1, "left") end
  end,
  heuristic = tiles_off,
}
local solution = puzzle:finder():find_path("8672543.1", GOAL)
print(("8-puzzle: %d moves, %d states expanded"):format(solution.cost, solution.expanded))
for i = 1, #solution, 10 do
  print("  " .. solution[i]:gsub("...", "%0 ") .. (solution:link(i) or "done"))
end

-- ---- doors with keys: a state is a cell, and the keys in the bag: "x,y,ab" ----

local HOUSE = { -- each letter a key, its capital the door
  "...#..b",
  ".S.#.##",
  "...A..#",
  "a..#..#",
  "####B##",
  "G......",
}
local house = astar.states {
  neighbours = function(state, add)
    local x, y, bag = state:match "(%d+),(%d+),(%a*)"
    for _, step in ipairs { { 0, -1, "up" }, { 1, 0, "right" }, { 0, 1, "down" }, { -1, 0, "left" } } do
      local nx, ny, its = x + step[1], y + step[2], bag
      local cell = (HOUSE[ny] or ""):sub(nx, nx)
      local key = cell:match "[ab]"
      if key and not bag:find(key) then its = key < bag and key .. bag or bag .. key end
      local is_shut = cell:find "[AB]" and not bag:find(cell:lower())
      if cell ~= "" and nx > 0 and cell ~= "#" and not is_shut then
        add(("%d,%d,%s"):format(nx, ny, its), 1, its ~= bag and "takes " .. key or step[3])
      end
    end
  end,
}
local out = house:finder():find_nearest("2,2,", function(state) return state:find "^1,6," ~= nil end)
print(("\ndoors with keys: %g steps"):format(out.cost))
for i = 1, #out - 1 do
  if out:link(i):find "takes" then print(("  %s, step %d"):format(out:link(i), i)) end
end

-- ---- a platformer: walk, drop, jump up one row and three columns ----

local LEVEL = {
  "..........",
  "........##",
  ".....#....",
  "..##......",
  "####..#.##",
}
local function is_solid(x, y)
  return y > #LEVEL or (LEVEL[y] or ""):sub(x, x) == "#"
end
local function can_stand(x, y)
  return x >= 1 and x <= 10 and y >= 1 and y < #LEVEL and not is_solid(x, y) and is_solid(x, y + 1)
end
local jumps = astar.states {
  neighbours = function(at, add)
    local x, y = at % 100, math.floor(at / 100)
    for dx = -3, 3 do
      for dy = -1, #LEVEL do
        local over = dy < 0 and y - 1 or y -- the row it passes through
        local kind = dy < 0 and "jump" or dy == 0 and math.abs(dx) == 1 and "walk" or "drop"
        if dx ~= 0 and can_stand(x + dx, y + dy) and not is_solid(x, over) and not is_solid(x + dx, over) then
          add((y + dy) * 100 + x + dx, kind == "walk" and 1 or math.abs(dx) + 1, kind)
        end
      end
    end
  end,
}
local hop = jumps:finder():find_path(401, 110)
print "\nplatformer:"
for y, row in ipairs(LEVEL) do
  local line = {}
  for x = 1, #row do line[x] = row:sub(x, x) end
  for i = 1, #hop do
    if math.floor(hop[i] / 100) == y then line[hop[i] % 100] = hop:link(i) and hop:link(i):sub(1, 1) or "G" end
  end
  print("  " .. table.concat(line))
end

-- ---- a vehicle: a cell and a heading; it turns by 45 degrees a step, or backs up slowly ----

local STEPS = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } }
local HEADINGS = { "east", "south_east", "south", "south_west", "west", "north_west", "north", "north_east" }
local yard = astar.grid [[
............
............
....####....
....#..#....
............
]]
local vehicle = astar.states {
  neighbours = function(state, add)
    local function drive(turn, sign, cost, label)
      local heading = (state.heading + turn - 1) % 8 + 1
      local x, y = state.x + sign * STEPS[heading][1], state.y + sign * STEPS[heading][2]
      if x >= 1 and x <= 12 and y >= 1 and y <= 5 and yard:is_walkable(x, y) then
        add({ x = x, y = y, heading = heading }, cost, label)
      end
    end
    drive(0, 1, 1, "on")
    drive(-1, 1, 1.5, "left")
    drive(1, 1, 1.5, "right")
    drive(0, -1, 4, "back")
  end,
  key = function(state) return (state.y * 16 + state.x) * 8 + state.heading end,
}
local parked = vehicle:finder():find_path({ x = 2, y = 2, heading = 1 }, { x = 6, y = 4, heading = 7 })
print(("\nvehicle: cost %g"):format(parked.cost))
local line = {}
for i = 1, #parked - 1 do line[i] = parked:link(i) end
print("  " .. table.concat(line, " "))
print("  and stands at (6, 4), heading " .. HEADINGS[parked[#parked].heading])
