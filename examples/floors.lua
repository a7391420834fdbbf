-- floors.lua -- a tower of three floors, one above the other, and the route from its cellar to its roof.

local astar = require "astar"

local NAMES = { "cellar", "ground floor", "roof" }

local tower = astar.floors({ [[
############
#....#.....#
#....#.....#
#..........#
############
]], [[
############
#..#.......#
#..#..###..#
#.....###..#
############
]], [[
##########
#........#
#.####...#
##########
]] }, { terrain = { ["."] = 1, ["#"] = false } })

tower:link(11, 2, 1, 11, 2, 2, { cost = 2, label = "stairs" })
tower:link(2, 2, 2, 2, 2, 3, { cost = 2, label = "ladder" })
tower:link(9, 3, 3, 9, 4, 1, { cost = 1, label = "jump down", one_way = true })

-- Each floor by itself, the highest first; the route over it as the grid draws it.
local function draw(path)
  local rows = {}
  for row in tower.grid:draw(path):gmatch "[^\n]+" do rows[#rows + 1] = row end
  for z = #NAMES, 1, -1 do
    local width, height = tower:size(z)
    print(NAMES[z])
    for y = 1, height do
      local X, Y = tower:at(1, y, z)
      print("  " .. rows[Y]:sub(X, X + width - 1))
    end
  end
end

local function find(from, to)
  local sx, sy = tower:at(from[1], from[2], from[3])
  local gx, gy = tower:at(to[1], to[2], to[3])
  local path = assert(tower.grid:find_path(sx, sy, gx, gy, { diagonals = "never", bends = "fewest" }))
  print(("from the %s to the %s: cost %d, %d bends"):format(NAMES[from[3]], NAMES[to[3]], path.cost, path.bends))
  for i = 1, #path do
    local label = path:link(i)
    if label then
      local x, y, z = tower:of(path:cell(i))
      print(("  %s at (%d, %d) of the %s"):format(label, x, y, NAMES[z]))
    end
  end
  draw(path)
  print()
end

find({ 2, 2, 1 }, { 9, 2, 3 })
find({ 9, 2, 3 }, { 2, 2, 1 }) -- the way back is another one
