-- links_and_walls.lua -- makes the tables that grid:links and grid:walls return, from lists of numbers of the C module.
--
-- A wall that bars both directions, or a link with the same cost and label in both directions, appears twice in the
-- numbers and once in the tables.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local directions = require(FOLDER .. ".directions")

local list = {}

-- Returns a table key for the link from the cell (x0, y0) to the cell (x1, y1).
local function way_of(x0, y0, x1, y1) return ("%d %d %d %d"):format(x0, y0, x1, y1) end

--- Returns the list of grid:links. `ways` is a flat list with six values for each link in one direction: x and y of
-- its first cell, x and y of its second cell, its cost and its label.
function list.links(_, ways)
  local places, links = {}, {}
  for i = 1, #ways, 6 do places[way_of(ways[i], ways[i + 1], ways[i + 2], ways[i + 3])] = i end
  for i = 1, #ways, 6 do
    local x0, y0, x1, y1, cost, label = ways[i], ways[i + 1], ways[i + 2], ways[i + 3], ways[i + 4], ways[i + 5]
    local back = places[way_of(x1, y1, x0, y0)]
    local is_same = back and ways[back + 4] == cost and ways[back + 5] == label or false
    if not (is_same and (y0 > y1 or y0 == y1 and x0 > x1)) then
      links[#links + 1] = { x0 = x0, y0 = y0, x1 = x1, y1 = y1, cost = cost, label = label, one_way = not is_same }
    end
  end
  return links
end

-- Returns true if bit `side` of `sides` is set: a cell has a wall on this side.
local function has_side(sides, side) return math.floor((sides or 0) / 2 ^ side) % 2 == 1 end

--- Returns the list of grid:walls. `cells` has three numbers for each cell with walls: x, y, and a bit set of the sides
-- with a wall. Bit 0 is the north; the others follow clockwise, as in directions.lua.
function list.walls(grid, cells)
  local sides_at, walls = {}, {}
  for i = 1, #cells, 3 do sides_at[cells[i] .. " " .. cells[i + 1]] = cells[i + 2] end
  for i = 1, #cells, 3 do
    local x, y, sides = cells[i], cells[i + 1], cells[i + 2]
    for side = 0, 7 do
      if has_side(sides, side) then
        local direction = directions[side + 1].name
        local to_x, to_y = grid:neighbour(x, y, direction)
        -- A wall at the edge of the grid counts as a wall in both directions, because no step comes from outside.
        local bars_back = not to_x or has_side(sides_at[to_x .. " " .. to_y], (side + 4) % 8)
        if not (bars_back and to_x and (to_y < y or to_y == y and to_x < x)) then
          walls[#walls + 1] = { x = x, y = y, direction = direction, one_way = not bars_back }
        end
      end
    end
  end
  return walls
end

-- Returns the table of grid:links or grid:walls, by the name "links" or "walls".
return function(name, ...) return list[name](...) end
