-- draw.lua -- grid:draw: what is drawn of each cell. Their characters and lines are the other draw.lua's.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local jobs = require(FOLDER .. ".jobs")
local object = require(FOLDER .. ".object")
local path = require(FOLDER .. ".path")
local text_of = require(FOLDER:match "^(.+)[./][^./]+$" .. ".draw")

local describe, fail = object.describe, object.fail

local draw = {}

local function mark_path(marks, parts)
  local cells, count = parts.cells, parts.count
  for i = 1, count do marks[cells[i]] = i == 1 and "S" or i == count and "G" or "*" end
end

function draw.text(self, grid, what, legend)
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
  if parts and parts.cells then mark_path(marks, parts) end
  local cells = {}
  for y = 1, grid.height do
    local first = y * grid.stride + 1
    for cell = first + 1, first + grid.width do
      cells[#cells + 1] = marks[cell] or grid.blocked[cell] and 0 or grid.ground[cell]
    end
  end
  local text, problem = text_of("draw", self, nil, legend, grid.keys, grid.costs, cells)
  return text or fail("%s", problem)
end

return draw
