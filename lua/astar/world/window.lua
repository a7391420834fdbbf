-- window.lua -- world:window, which copies a part of a world into a grid, and world:wanted, which lists the chunks
-- that searches needed but that are not loaded.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local errors = require(ABOVE .. ".errors")

-- Terrain of the cells of a window that no unit can enter: rock, and cells that are not loaded.
local ROCK = "rock"

local MOST_CELLS, SIDE = 2 ^ 20, 64

local max, min = math.max, math.min

local fail = errors.fail

local function check_integer(name, value, least, most)
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
    fail("%s must be an integer from %.0f to %.0f, got %s", name, least, most, describe(value))
  end
end

-- Returns the terrains of the world with their costs, and an unused key for rock.
local function terrains_of(palette)
  local terrain, rock = {}, ROCK
  for x = 1, (palette:size()) do
    local key = palette:get(x, 1)
    terrain[key] = palette:terrain(key)
  end
  while terrain[rock] ~= nil do rock = rock .. "_" end
  terrain[rock] = false
  return terrain, rock
end

local calls = {}

--- world:window(x, y, w, h) --> grid, with the coordinates of the world and without links that lead out of the window
function calls.window(world, x, y, w, h)
  check_integer("x", x, -999999999, 1000000000)
  check_integer("y", y, -999999999, 1000000000)
  check_integer("w", w, 1, math.min(MOST_CELLS, 1000000001 - x))
  check_integer("h", h, 1, math.min(math.floor(MOST_CELLS / w), 1000000001 - y))
  local palette, links = core.links_of(world)
  local terrain, rock = terrains_of(palette)
  local grid = core.grid(w, h, { terrain = terrain, fill = rock, origin = { x, y } })
  for row = y - (y - 1) % SIDE, y + h - 1, SIDE do
    for column = x - (x - 1) % SIDE, x + w - 1, SIDE do
      local left, top = max(column, x), max(row, y)
      local right, bottom = min(column + SIDE, x + w), min(row + SIDE, y + h)
      core.lay_window(world, left, top, right - left, bottom - top, grid, rock)
    end
  end
  local function holds(cx, cy) return cx >= x and cx < x + w and cy >= y and cy < y + h end
  for i = 1, #links, 6 do
    if holds(links[i], links[i + 1]) and holds(links[i + 2], links[i + 3]) then
      local options = { cost = links[i + 4], one_way = true, label = links[i + 5] or nil }
      grid:link(links[i], links[i + 1], links[i + 2], links[i + 3], options)
    end
  end
  return grid
end

local function goes_before(a, b)
  if a.wish ~= b.wish then return a.wish < b.wish end
  if a.cy ~= b.cy then return a.cy < b.cy end
  return a.cx < b.cx
end

--- world:wanted([most]) --> list of { cx =, cy = }, the most urgent first
function calls.wanted(world, most)
  if most ~= nil then
    check_integer("most", most, 0, 2 ^ 53)
  end
  local flat, list = core.wanted_of(world), {}
  for i = 1, #flat, 3 do
    list[#list + 1] = { cx = flat[i], cy = flat[i + 1], wish = flat[i + 2] }
  end
  table.sort(list, goes_before)
  for i = #list, 1, -1 do
    list[i].wish = nil
    if most and i > most then list[i] = nil end
  end
  return list
end

--- Calls the function `name` for the C module. Returns its result, or false and an error message.
return function(name, ...)
  return errors.give(pcall(calls[name], ...))
end
