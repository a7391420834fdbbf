-- resolve.lua -- units that block each other: a plan that brings all of them to their goals.
--
-- A yard has wagons on half of its cells. crowd:resolving plans for all wagons together, and finds a plan if one
-- exists. Further steps of its job make the plan better.

local astar = require "astar"

local drawing = [[
#########
#abcd...#
#e.#f#..#
#gh.ij..#
#k.#.#..#
#lm.no..#
#########
]]
local rows = {}
for line in drawing:gmatch "%S+" do rows[#rows + 1] = line end
local grid = astar.grid((table.concat(rows, "\n"):gsub("%l", ".")))
local crowd = astar.crowd(grid:finder { diagonals = "never" })

-- Everybody goes where the one stands that comes as far from the end of the alphabet.
local letters, places, units = {}, {}, {}
for y, row in ipairs(rows) do
  for x = 1, #row do
    local letter = row:sub(x, x)
    if letter:find "%l" then places[letter] = { x, y } end
  end
end
for code = ("a"):byte(), ("o"):byte() do
  local letter = string.char(code)
  local unit = crowd:add(places[letter][1], places[letter][2])
  letters[unit], units[#units + 1] = letter, unit
end
for i, unit in ipairs(units) do
  local place = places[letters[units[#units + 1 - i]]]
  unit:go(place[1], place[2])
end

local function draw()
  local lines = {}
  for y, row in ipairs(rows) do
    local line = {}
    for x = 1, #row do
      local unit = crowd:unit_at(x, y)
      line[x] = not grid:is_walkable(x, y) and "#" or unit and letters[unit] or "."
    end
    lines[y] = table.concat(line)
  end
  return table.concat(lines, "\n")
end

print "the beginning"
print(draw())

local job = crowd:resolving(nil, { improve = 300000 })
local first
while job:step { expansions = 200 } == "running" do -- a game would say { ms = 2 }, once a frame
  first = first or job.cost
end
print(("\n%s: %d beats, all wait %d in sum, %d by the first plan"):format(job.status, job.beats, job.cost, first))

for beat = 1, job.beats do
  crowd:beat()
  if beat % 8 == 0 then
    print(("\nbeat %d, %d are under way"):format(beat, crowd.under_way))
    print(draw())
  end
end
print(("\nbeat %d: %d are under way"):format(crowd.beats, crowd.under_way))
print(draw())

-- In a tube nobody gets past anybody, and that can be known.
local tube = astar.crowd(astar.grid("......"):finder { diagonals = "never" })
tube:add(1, 1):go(6, 1)
tube:add(6, 1):go(1, 1)
local hopeless = tube:resolving()
while hopeless:step { ms = 2 } == "running" do end
print("\ntwo in a tube: " .. hopeless.status)
