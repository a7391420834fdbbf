-- sizes.lua -- units of 1 x 1, 2 x 2 and 3 x 3 cells on one map, and a route for each of them.

local astar = require "astar"

local grid = astar.grid [[
...........#....#.............
...........#....#.............
...........#..................
................#.............
...........#....#.............
...........#....#.............
...........#..................
..............................
.................#............
...........#....#.............
...........#....#.............
..............................
..............................
..............................
]]

-- The drawing with all that the unit covers on its way: `o`, its cells at the start `S`, at the goal `G`.
local function draw(path, size)
  local rows = {}
  for row in grid:draw():gmatch "[^\n]+" do
    local cells = {}
    for cell in row:gmatch "." do cells[#cells + 1] = cell end
    rows[#rows + 1] = cells
  end
  local function stamp(i, glyph)
    local x0, y0 = path:cell(i)
    for y = y0, y0 + size - 1 do
      for x = x0, x0 + size - 1 do rows[y][x] = glyph end
    end
  end
  for i = 1, #path do stamp(i, "o") end
  stamp(1, "S")
  stamp(#path, "G")
  for y, cells in ipairs(rows) do rows[y] = table.concat(cells) end
  return table.concat(rows, "\n") .. "\n"
end

for size = 1, 4 do
  local finder = grid:finder { size = size }
  local path, reason = finder:find_path(3, 3, 26, 3)
  print(("size %d: %s"):format(size, path and ("cost %.3f"):format(path.cost) or reason))
  if path then print(draw(path, size)) end
end

-- How large a unit fits, its north-west cell being there: 0 to 9, + for more.
print "clearance"
local finder = grid:finder()
local width, height = grid:size()
for y = 1, height do
  local row = {}
  for x = 1, width do
    local size = finder:clearance(x, y)
    row[x] = size > 9 and "+" or size
  end
  print(table.concat(row))
end
