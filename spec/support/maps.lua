-- maps.lua -- reads a drawn map with marked cells.
--
--     local grid, at = maps.read [[
--       S.
--       #G
--     ]]
--
-- gives a grid of two by two and at.S.x, at.S.y, at.G.x, at.G.y. A capital letter that
-- `terrain` does not name is a mark, and the ground under it is `.`.

local astar = require "astar"
local oracle = require "spec.support.oracle"

local maps = {}

-- The lines of a drawing without the indentation of the first one.
function maps.rows(drawing)
  local indentation = drawing:match "^[ \t]*"
  local rows = {}
  for line in drawing:gmatch "[^\n]+" do
    if line:find "[^ \t]" then rows[#rows + 1] = line:sub(#indentation + 1) end
  end
  return rows
end

-- The drawing as grid:draw writes it: no indentation, every row ended by a line break.
function maps.text(drawing)
  return table.concat(maps.rows(drawing), "\n") .. "\n"
end

-- Takes the marks out of the rows: rows without marks, { [mark] = { x =, y = } }.
local function take_marks(rows, options)
  local origin = options.origin or { 1, 1 }
  local terrain = options.terrain or {}
  local at, plain = {}, {}
  for j, row in ipairs(rows) do
    local i = 0
    plain[j] = row:gsub(".", function(key)
      i = i + 1
      if not key:find "%u" or terrain[key] ~= nil then return nil end
      at[key] = { x = origin[1] + i - 1, y = origin[2] + j - 1 }
      return "."
    end)
  end
  return plain, at
end

-- The grid of a drawing, its marks, and the same map as the oracle's world.
-- 'options' are those of astar.grid.
function maps.read(drawing, options)
  options = options or {}
  local rows, at = take_marks(maps.rows(drawing), options)
  return astar.grid(table.concat(rows, "\n"), options), at, oracle.world(rows, options)
end

local NAMES = {
  ["0,-1"] = "north", ["1,-1"] = "north_east", ["1,0"] = "east", ["1,1"] = "south_east", ["0,1"] = "south",
  ["-1,1"] = "south_west", ["-1,0"] = "west", ["-1,-1"] = "north_west",
}
local SIDES = { ["0,-1"] = "north", ["1,0"] = "east", ["0,1"] = "south", ["-1,0"] = "west" }

-- The grid of a world of the oracle's: blocks, links, each with a label of its own, and walls too.
function maps.grid(world)
  local rows = {}
  for y = 1, world.height do
    rows[y] = {}
    for x = 1, world.width do rows[y][x] = world.keys[(y - 1) * world.width + x] end
  end
  local grid = astar.grid(rows, { terrain = world.terrain, origin = { world.x0, world.y0 } })
  for cell in pairs(world.blocks) do
    grid:block(oracle.position(world, cell))
  end
  for from, links in pairs(world.links) do
    local x, y = oracle.position(world, from)
    for to, cost in pairs(links) do
      local nx, ny = oracle.position(world, to)
      grid:link(x, y, nx, ny, { cost = cost, label = from .. " to " .. to, one_way = true })
    end
  end
  for cell, walls in pairs(world.walls) do
    local x, y = oracle.position(world, cell)
    for step in pairs(walls) do grid:wall(x, y, SIDES[step], true) end
  end
  for cell, exits in pairs(world.exits) do
    local x, y = oracle.position(world, cell)
    local names = {}
    for step in pairs(exits) do names[#names + 1] = NAMES[step] end
    grid:restrict(x, y, 1, 1, names)
  end
  return grid
end

-- A world as lines of text, for messages; 'X' is a block.
function maps.describe(world)
  local lines = {}
  for y = 1, world.height do
    local line = {}
    for x = 1, world.width do
      local cell = (y - 1) * world.width + x
      line[x] = world.blocks[cell] and "X" or tostring(world.keys[cell])
    end
    lines[y] = table.concat(line)
  end
  return table.concat(lines, "\n")
end

return maps
