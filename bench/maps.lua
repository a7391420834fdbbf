-- maps.lua -- maps to measure on, made from a seed: the same on every Lua and machine.
--
--     local rows = maps.caves(7, 512, 512)      -- strings, a row each: "." is free, "#" is a wall
--     local grid = astar.grid(rows)
--     local rough = astar.grid(maps.weighted(7, rows), { terrain = maps.terrain })
--
-- On every map straight steps lead from any free cell to any other, so each move rule has a route
-- between them. Big maps are made a row at a time: 4096 x 4096 cells in Lua tables would take
-- hundreds of megabytes. All arithmetic is in whole numbers, which no compiler rounds its own way.

local random = require "spec.support.random"

local maps = {}

-- ---- connecting ----

-- Free cells are looked at in runs: stretches of a row. Runs that touch are united (union-find).
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
  -- The earlier root stays, so that the answer does not depend on the order of questions.
  if a < b then parent[b] = a else parent[a] = b end
end

-- Adds the runs of a row and unites them with those they touch among 'first' to 'last', the runs
-- of the row above. Both are sorted from west to east, so one walk along them is enough.
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

-- The root of the runs that hold the most cells; of equally large ones the first.
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

-- Walls up everything but the largest part that hangs together.
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

-- How many parts the free cells fall into by straight steps: 1 on every map made here.
function maps.parts(rows)
  local runs, count = runs_of(rows), 0
  for run = 1, runs.count do
    if runs.parent[run] == run then count = count + 1 end
  end
  return count
end

-- A square map side by side with itself, so often along each axis, and as one piece: a street along the middle of
-- each row of copies and of each column crosses them all.
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

-- No wall at all.
function maps.open(_, width, height)
  local rows = {}
  for y = 1, height do rows[y] = ("."):rep(width) end
  return rows
end

-- A wall here and there: 'percent' of the cells.
function maps.field(seed, width, height, percent)
  local dice, rows = random.new(seed), {}
  for y = 1, height do
    local row = {}
    for x = 1, width do row[x] = dice:int(1, 100) <= percent and "#" or "." end
    rows[y] = table.concat(row)
  end
  return keep_largest(rows)
end

-- Gives rows of noise, one at a time: 1 for a wall, 0 for none.
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

-- One step of the automaton on a row: a cell is wall if five of the nine around it are.
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

-- The automaton on all rows that 'next_row' gives, again one at a time. Outside is wall.
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

-- Caves: noise, in which a cellular automaton lets every cell go with the majority around it.
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

-- Picks the doors of a row of rooms, each to the west or to the north or to both, so that every
-- room has a way to the first one: west[i] and north[i] say how far along the wall it is, or nil.
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

-- A wall of 'length' cells, with a door 'door' cells along it unless that is nil.
local function wall_with(door, length)
  if not door then return ("#"):rep(length) end
  return ("#"):rep(door - 1) .. "." .. ("#"):rep(length - door)
end

-- Exactly 'height' rows of 'width' cells: wall added, or what is too much cut off.
local function fitted(rows, width, height)
  local result = {}
  for y = 1, height do
    result[y] = ((rows[y] or "") .. ("#"):rep(width)):sub(1, width)
  end
  return result
end

-- Square rooms of 'side' cells with walls between them, each with a door or two.
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

-- The neighbours of a maze's cell that nobody has dug to yet.
local function undug(dug, cell, columns, count)
  local found = {}
  local column = (cell - 1) % columns
  if column > 0 and not dug[cell - 1] then found[#found + 1] = cell - 1 end
  if column < columns - 1 and not dug[cell + 1] then found[#found + 1] = cell + 1 end
  if cell > columns and not dug[cell - columns] then found[#found + 1] = cell - columns end
  if cell + columns <= count and not dug[cell + columns] then found[#found + 1] = cell + columns end
  return found
end

-- A perfect maze by depth-first digging: which cells are open to the east and to the south.
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

-- A maze whose corridors are 'corridor' cells wide, with walls of one cell.
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

-- A block of houses: a park with trees, or houses round a courtyard with a gate, or houses with
-- an alley through.
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

-- Where streets end and blocks begin along a side: { at =, length = } each.
local function lots(dice, length)
  local list, at = {}, 1 + dice:int(0, 4)
  while at <= length do
    local lot = dice:int(8, 36)
    list[#list + 1] = { at = at, length = math.min(lot, length - at + 1) }
    at = at + lot + dice:pick { 2, 2, 3, 3, 4, 7 }
  end
  return list
end

-- An avenue across the whole town, at no right angle to its streets.
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

-- City blocks: streets of several widths, courtyards, alleys, parks, two or three avenues.
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

local PATCH = 16 -- cells between the points whose heights are thrown

local function new_heights(dice, width, height)
  local heights = {}
  for y = 0, math.floor(height / PATCH) + 1 do
    heights[y] = {}
    for x = 0, math.floor(width / PATCH) + 1 do heights[y][x] = dice:int(0, 99) end
  end
  return heights
end

-- From 0 to 99 times PATCH squared, by straight lines between the points around.
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

-- The same map with rough ground in patches: the keys of maps.terrain.
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

-- Gives each free cell of a map the ground that pick(x, y) says, from 0.
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

-- One site in each square of 'side' x 'side' cells, with some ground.
local function throw_sites(dice, rows, side, grounds)
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

-- Patches about 'side' cells across: each cell has the ground of the nearest site.
function maps.patches(dice, rows, side, grounds)
  local sites = throw_sites(dice, rows, side, grounds)
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

-- Noise: each cell, or that share of them, has a ground of its own.
function maps.noise(dice, rows, share, grounds)
  return grow(rows, function() return dice:chance(share) and dice:pick(grounds) or nil end)
end

-- ---- all of them ----

-- In this order: { name =, make = function(seed, width, height) -> rows }.
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

-- The one of that name.
function maps.kind(name)
  for _, kind in ipairs(maps.kinds) do
    if kind.name == name then return kind end
  end
  error("no kind of map is called " .. tostring(name), 2)
end

return maps
