-- maps.lua -- generates maps for measurements from a seed. The maps are the same on every Lua version and machine.
--
--     local rows = maps.caves(7, 512, 512)      -- strings, a row each: "." is free, "#" is a wall
--     local grid = astar.grid(rows)
--     local rough = astar.grid(maps.weighted(7, rows), { terrain = maps.terrain })
--
-- On every map, straight steps connect all free cells, so units with any rule for diagonal steps have a
-- route between any two free cells. Large maps are generated row by row, because 4096 x 4096 cells in
-- Lua tables would take hundreds of megabytes. All arithmetic is in whole numbers, whose results do not
-- depend on the compiler.

local random = require "spec.support.random"

local maps = {}

-- ---- connecting ----

-- Free cells are stored as runs. A run is a stretch of free cells in a row. A union-find structure
-- unites runs that touch.
local function new_runs()
  return { count = 0, from = {}, to = {}, y = {}, parent = {} }
end

local function find_root(parent, run)
  while parent[run] ~= run do
    parent[run] = parent[parent[run]]
    run = parent[run]
  end
  return run
end

local function unite(parent, a, b)
  a, b = find_root(parent, a), find_root(parent, b)
  -- The earlier run stays the root, so that the result does not depend on the order of the calls.
  if a < b then parent[b] = a else parent[a] = b end
end

-- Adds the runs of a row and unites them with the runs that they touch in the row above, which are the
-- runs 'first' to 'last'. The runs of both rows are sorted from west to east, so one pass is enough.
local function add_row(runs, row, y, first, last)
  local from, to = row:find "[^#]+"
  local above = first
  while from do
    local run = runs.count + 1
    runs.count = run
    runs.from[run], runs.to[run], runs.y[run], runs.parent[run] = from, to, y, run
    while above <= last and runs.to[above] < from do above = above + 1 end
    local touched = above
    while touched <= last and runs.from[touched] <= to do
      unite(runs.parent, run, touched)
      touched = touched + 1
    end
    from, to = row:find("[^#]+", to + 1)
  end
end

local function runs_of(rows)
  local runs = new_runs()
  local first, last = 1, 0
  for y, row in ipairs(rows) do
    add_row(runs, row, y, first, last)
    first, last = last + 1, runs.count
  end
  return runs
end

-- Returns the root of the connected component with the most cells, or the first of equally large ones.
local function largest(runs)
  local cells, best = {}, nil
  for run = 1, runs.count do
    local root = find_root(runs.parent, run)
    cells[root] = (cells[root] or 0) + runs.to[run] - runs.from[run] + 1
  end
  for run = 1, runs.count do
    if cells[run] and (not best or cells[run] > cells[best]) then best = run end
  end
  return best
end

-- Turns all free cells outside the largest connected component into walls.
local function keep_largest(rows)
  local runs = runs_of(rows)
  local kept = largest(runs)
  for run = 1, runs.count do
    if find_root(runs.parent, run) ~= kept then
      local row, from, to = rows[runs.y[run]], runs.from[run], runs.to[run]
      rows[runs.y[run]] = row:sub(1, from - 1) .. ("#"):rep(to - from + 1) .. row:sub(to + 1)
    end
  end
  return rows
end

-- Returns the number of connected components of free cells by straight steps. It is 1 on every map of this file.
function maps.parts(rows)
  local runs, count = runs_of(rows), 0
  for run = 1, runs.count do
    if runs.parent[run] == run then count = count + 1 end
  end
  return count
end

-- Repeats a square map 'times' times along each axis. A street along the middle of each row and each column of copies
-- connects all copies.
function maps.tiled(rows, times)
  if times == 1 then return rows end
  local side, tiled = #rows, {}
  local middle = math.ceil(side / 2)
  for y, row in ipairs(rows) do
    local crossed = y == middle and ("."):rep(side) or row:sub(1, middle - 1) .. "." .. row:sub(middle + 1)
    tiled[y] = crossed:rep(times)
  end
  for y = side + 1, side * times do tiled[y] = tiled[y - side] end
  return tiled
end

-- ---- fields and caves ----

-- Makes a map without walls.
function maps.open(_, width, height)
  local rows = {}
  for y = 1, height do rows[y] = ("."):rep(width) end
  return rows
end

-- Makes a map on which 'percent' of the cells, drawn at random, are walls.
function maps.field(seed, width, height, percent)
  local dice, rows = random.new(seed), {}
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = dice:int(1, 100) <= percent and "#" or "." end
    rows[y] = table.concat(row)
  end
  return keep_largest(rows)
end

-- Returns an iterator over rows of random cells: 1 for a wall, 0 for a free cell.
local function noise(seed, width, height, percent)
  local dice, y = random.new(seed), 0
  return function()
    y = y + 1
    if y > height then return nil end
    local row = {}
    for x = 1, width do row[x] = dice:int(1, 100) <= percent and 1 or 0 end
    return row
  end
end

-- Applies one step of the cellular automaton to a row. A cell becomes a wall if at least five of the nine cells of its
-- neighbourhood, itself included, are walls.
local function majority(above, row, below)
  local width, result = #row, {}
  local west, here = 3, above[1] + row[1] + below[1]
  for x = 1, width do
    local east = x < width and above[x + 1] + row[x + 1] + below[x + 1] or 3
    result[x] = west + here + east >= 5 and 1 or 0
    west, here = here, east
  end
  return result
end

-- Returns an iterator that applies the automaton to all rows of 'next_row'. Cells outside the map count as walls.
local function smoothed(next_row, width)
  local outside = {}
  for x = 1, width do outside[x] = 1 end
  local above, row = outside, next_row()
  return function()
    if not row then return nil end
    local below = next_row()
    local result = majority(above, row, below or outside)
    above, row = row, below
    return result
  end
end

-- Makes a map of caves: random walls, smoothed by a cellular automaton in which each cell adopts the majority of its
-- neighbourhood.
function maps.caves(seed, width, height)
  local next_row = noise(seed, width, height, 45)
  for _ = 1, 4 do next_row = smoothed(next_row, width) end
  local rows = {}
  for row in next_row do
    rows[#rows + 1] = table.concat(row):gsub("0", "."):gsub("1", "#")
  end
  return keep_largest(rows)
end

-- ---- rooms and mazes ----

-- Picks the doors of a row of rooms. Each room but the first of the map has a door to the west, to the
-- north or to both, so that every room has a route to the first room. west[i] and north[i] are the
-- positions of the doors of room i along the wall, or nil.
local function pick_doors(dice, count, is_first_row, side_x, side_y)
  local west, north = {}, {}
  for i = 1, count do
    local to_west, to_north = i > 1, not is_first_row
    if to_west and to_north and dice:chance(0.5) then
      if dice:chance(0.5) then to_west = false else to_north = false end
    end
    if to_west then west[i] = dice:int(1, side_y) end
    if to_north then north[i] = dice:int(1, side_x(i)) end
  end
  return west, north
end

-- Returns a wall of 'length' cells. Its cell number 'door' is free, unless 'door' is nil.
local function wall_with(door, length)
  if not door then return ("#"):rep(length) end
  return ("#"):rep(door - 1) .. "." .. ("#"):rep(length - door)
end

-- Returns exactly 'height' rows of 'width' cells: cuts surplus cells off and fills missing cells with walls.
local function fitted(rows, width, height)
  local result = {}
  for y = 1, height do
    result[y] = ((rows[y] or "") .. ("#"):rep(width)):sub(1, width)
  end
  return result
end

-- Makes a map of square rooms, 'side' cells wide, with walls between them. Doors in the walls connect all rooms.
function maps.rooms(seed, width, height, side)
  local dice, pitch, rows = random.new(seed), side + 1, {}
  local count = math.ceil(width / pitch)
  local function side_x(i) return math.min(side, width - (i - 1) * pitch) end
  for top = 1, height, pitch do
    local side_y = math.min(side, height - top + 1)
    local west, north = pick_doors(dice, count, top == 1, side_x, side_y)
    local wall = {}
    for i = 1, count do wall[i] = wall_with(north[i], side_x(i)) end
    if top > 1 then rows[#rows + 1] = table.concat(wall, "#") end
    for offset = 1, side_y do
      local row = { ("."):rep(side_x(1)) }
      for i = 2, count do
        row[i] = (west[i] == offset and "." or "#") .. ("."):rep(side_x(i))
      end
      rows[#rows + 1] = table.concat(row)
    end
  end
  return fitted(rows, width, height)
end

-- Returns the neighbours of a maze's cell that are not dug yet.
local function undug(dug, cell, columns, count)
  local found = {}
  local column = (cell - 1) % columns
  if column > 0 and not dug[cell - 1] then found[#found + 1] = cell - 1 end
  if column < columns - 1 and not dug[cell + 1] then found[#found + 1] = cell + 1 end
  if cell > columns and not dug[cell - columns] then found[#found + 1] = cell - columns end
  if cell + columns <= count and not dug[cell + columns] then found[#found + 1] = cell + columns end
  return found
end

-- Digs a perfect maze depth first. Returns which cells are open to the east, and which to the south.
local function dig(dice, columns, lines)
  local east, south, dug, trail = {}, {}, { true }, { 1 }
  while #trail > 0 do
    local cell = trail[#trail]
    local choices = undug(dug, cell, columns, columns * lines)
    if #choices == 0 then
      trail[#trail] = nil
    else
      local to = dice:pick(choices)
      local is_beside = columns > 1 and math.abs(to - cell) == 1
      local opened = is_beside and east or south
      opened[math.min(cell, to)] = true
      dug[to] = true
      trail[#trail + 1] = to
    end
  end
  return east, south
end

-- Makes a maze whose corridors are 'corridor' cells wide and whose walls are one cell thick.
function maps.maze(seed, width, height, corridor)
  local pitch, rows = corridor + 1, {}
  local columns = math.max(1, math.floor((width + 1) / pitch))
  local lines = math.max(1, math.floor((height + 1) / pitch))
  local east, south = dig(random.new(seed), columns, lines)
  local free, wall = ("."):rep(corridor), ("#"):rep(corridor)
  for line = 1, lines do
    local row, below = {}, {}
    for column = 1, columns do
      local cell = (line - 1) * columns + column
      row[column] = free .. (east[cell] and "." or "#")
      below[column] = (south[cell] and free or wall) .. "#"
    end
    for _ = 1, corridor do rows[#rows + 1] = table.concat(row) end
    rows[#rows + 1] = table.concat(below)
  end
  return fitted(rows, width, height)
end

-- ---- cities ----

local function paint(canvas, x, y, width, height, key)
  for row = math.max(y, 1), math.min(y + height - 1, #canvas) do
    for column = math.max(x, 1), math.min(x + width - 1, #canvas[1]) do
      canvas[row][column] = key
    end
  end
end

-- Paints a block of a city: a park with trees, houses around a courtyard with a gate, or houses with an
-- alley between them.
local function paint_block(canvas, dice, x, y, width, height)
  local kind = dice:int(1, 6)
  if kind == 1 then
    for _ = 1, math.floor(width * height / 12) do
      paint(canvas, x + dice:int(0, width - 1), y + dice:int(0, height - 1), 1, 1, "#")
    end
    return
  end
  paint(canvas, x, y, width, height, "#")
  if kind <= 4 and width >= 9 and height >= 9 then
    paint(canvas, x + 3, y + 3, width - 6, height - 6, ".")
    paint(canvas, x + dice:int(3, width - 4), y, 1, 3, ".")
  else
    paint(canvas, x + dice:int(1, math.max(1, width - 2)), y, 1, height, ".")
  end
end

-- Returns the blocks of houses along an axis of the city, with streets between them: a list of { at =, length = }.
local function lots(dice, length)
  local list, at = {}, 1 + dice:int(0, 4)
  while at <= length do
    local lot = dice:int(8, 36)
    list[#list + 1] = { at = at, length = math.min(lot, length - at + 1) }
    at = at + lot + dice:pick { 2, 2, 3, 3, 4, 7 }
  end
  return list
end

-- Paints an avenue across the whole city, which may run at any slope to its streets.
local function paint_avenue(canvas, dice, width, height)
  local down, along = dice:int(-3, 3), dice:int(1, 3)
  local middle = along * dice:int(1, width) + down * dice:int(1, height)
  for y = 1, height do
    for x = 1, width do
      local off = along * x + down * y - middle
      if off >= -5 and off <= 5 then canvas[y][x] = "." end
    end
  end
end

-- Makes a city: blocks of houses, streets of several widths, courtyards, alleys, parks, and two or three avenues.
function maps.city(seed, width, height)
  local dice, canvas = random.new(seed), {}
  for y = 1, height do
    canvas[y] = {}
    for x = 1, width do canvas[y][x] = "." end
  end
  local across = lots(dice, width)
  for _, down in ipairs(lots(dice, height)) do
    for _, lot in ipairs(across) do
      paint_block(canvas, dice, lot.at, down.at, lot.length, down.length)
    end
  end
  for _ = 1, dice:int(2, 3) do paint_avenue(canvas, dice, width, height) end
  for y = 1, height do canvas[y] = table.concat(canvas[y]) end
  return keep_largest(canvas)
end

-- ---- rough ground ----

maps.terrain = { ["."] = 1, [","] = 2, [":"] = 3, ["~"] = 5, ["#"] = false }

local PATCH = 16 -- distance in cells between the points whose heights are random

local function new_heights(dice, width, height)
  local heights = {}
  for y = 0, math.floor(height / PATCH) + 1 do
    heights[y] = {}
    for x = 0, math.floor(width / PATCH) + 1 do heights[y][x] = dice:int(0, 99) end
  end
  return heights
end

-- Returns a height from 0 to 99 times PATCH squared, by bilinear interpolation between the four points around the cell.
local function height_at(heights, x, y)
  local column, row = math.floor(x / PATCH), math.floor(y / PATCH)
  local east, south = x % PATCH, y % PATCH
  local above, below = heights[row], heights[row + 1]
  return (above[column] * (PATCH - east) + above[column + 1] * east) * (PATCH - south)
    + (below[column] * (PATCH - east) + below[column + 1] * east) * south
end

local function ground_at(heights, x, y)
  local height = height_at(heights, x, y)
  if height < 40 * PATCH * PATCH then return "." end
  if height < 55 * PATCH * PATCH then return "," end
  return height < 70 * PATCH * PATCH and ":" or "~"
end

-- Returns the map with patches of ground of different costs, as keys of maps.terrain.
function maps.weighted(seed, rows)
  local heights = new_heights(random.new(seed), #rows[1], #rows)
  local rough = {}
  for y, row in ipairs(rows) do
    local x = 0
    rough[y] = row:gsub(".", function(key)
      x = x + 1
      return key == "." and ground_at(heights, x - 1, y - 1) or nil
    end)
  end
  return rough
end

-- Returns the map with the ground pick(x, y) on each free cell. x and y count from 0. If pick returns nil, the cell
-- stays as it is.
local function grow(rows, pick)
  local grown = {}
  for y, row in ipairs(rows) do
    local x = -1
    grown[y] = row:gsub(".", function(key)
      x = x + 1
      return key == "." and pick(x, y - 1) or nil
    end)
  end
  return grown
end

-- Returns one random site in each square of 'side' x 'side' cells, with a random ground.
local function random_sites(dice, rows, side, grounds)
  local sites = {}
  for row = -1, math.floor(#rows / side) + 1 do
    sites[row] = {}
    for column = -1, math.floor(#rows[1] / side) + 1 do
      sites[row][column] = { x = column * side + dice:int(0, side - 1),
        y = row * side + dice:int(0, side - 1), key = dice:pick(grounds) }
    end
  end
  return sites
end

-- Returns the map with patches of ground about 'side' cells wide. Each cell has the ground of the nearest site.
function maps.patches(dice, rows, side, grounds)
  local sites = random_sites(dice, rows, side, grounds)
  return grow(rows, function(x, y)
    local column, row, nearest, least = math.floor(x / side), math.floor(y / side), nil, math.huge
    for j = row - 1, row + 1 do
      for i = column - 1, column + 1 do
        local site = sites[j][i]
        local distance = (site.x - x) ^ 2 + (site.y - y) ^ 2
        if distance < least then nearest, least = site, distance end
      end
    end
    return nearest.key
  end)
end

-- Returns the map with a random ground on the given share of its free cells, drawn for each cell separately.
function maps.noise(dice, rows, share, grounds)
  return grow(rows, function() return dice:chance(share) and dice:pick(grounds) or nil end)
end

-- ---- all kinds of maps ----

-- The kinds of maps, in the order of the tables: { name =, make = function(seed, width, height) -> rows }.
maps.kinds = {
  { name = "open", make = maps.open },
  { name = "caves", make = maps.caves },
  { name = "rooms", make = function(seed, w, h) return maps.rooms(seed, w, h, 15) end },
  { name = "maze-1", make = function(seed, w, h) return maps.maze(seed, w, h, 1) end },
  { name = "maze-8", make = function(seed, w, h) return maps.maze(seed, w, h, 8) end },
  { name = "field-10", make = function(seed, w, h) return maps.field(seed, w, h, 10) end },
  { name = "field-35", make = function(seed, w, h) return maps.field(seed, w, h, 35) end },
  { name = "city", make = maps.city },
}

-- Returns the kind of map with the given name.
function maps.kind(name)
  for _, kind in ipairs(maps.kinds) do
    if kind.name == name then return kind end
  end
  error("no kind of map is called " .. tostring(name), 2)
end

return maps
