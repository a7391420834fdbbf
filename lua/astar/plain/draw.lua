-- draw.lua -- grid:draw: a map with a route or a search on it, as text.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local make = require(FOLDER .. ".make_grid")
local jobs = require(FOLDER .. ".jobs")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")

local describe, fail = object.describe, object.fail

local draw = {}

local function is_character(text)
  return type(text) == "string" and text ~= "" and #make.characters(text) == 1
end

-- The character of each terrain.
local function glyphs_of(grid, legend)
  local glyphs = {}
  for terrain, key in ipairs(grid.keys) do
    local word = legend and rawget(legend, key)
    if word ~= nil and not is_character(word) then
      fail("legend: terrain %s must have one character, got %s", describe(key), describe(word))
    end
    local cost = grid.costs[terrain]
    glyphs[terrain] = word or is_character(key) and key or cost == math.huge and "#" or cost > 1 and ":" or "."
  end
  return glyphs
end

local function mark_path(marks, parts)
  local cells, count = parts.cells, parts.count
  for i = 1, count do marks[cells[i]] = i == 1 and "S" or i == count and "G" or "*" end
end

function draw.text(grid, what, legend)
  if type(what) == "table" and not path.class.test(what) and not jobs.draw(what) and getmetatable(what) ~= "astar" then
    if legend ~= nil then fail("astar path expected, got a table") end
    what, legend = nil, what
  end
  local parts, marks = nil, {}
  if what ~= nil and not jobs.draw(what, marks) then
    parts = path.class.open(what)
  elseif what ~= nil then
    parts = jobs.draw(what, marks)
  end
  if legend ~= nil and type(legend) ~= "table" then fail("legend must be a table, got %s", describe(legend)) end
  local glyphs, rows = glyphs_of(grid, legend), {}
  if parts and parts.cells then mark_path(marks, parts) end
  for y = 1, grid.height do
    local row, first = {}, y * grid.stride + 1
    for cell = first + 1, first + grid.width do
      row[#row + 1] = marks[cell] or grid.blocked[cell] and "X" or glyphs[grid.ground[cell]]
    end
    rows[y] = table.concat(row) .. "\n"
  end
  return table.concat(rows)
end

return draw
