-- sides.lua -- two sides and a door: units pass units of their own side but no enemies; units with a key ignore doors.

local astar = require "astar"

local grid = astar.grid [[
####################
#........#.........#
#........#.........#
#..................#
#........#.........#
#........#.........#
####################
]]

local red = { name = "red", finder = grid:finder { ignore = { "red" } } }
local blue = { name = "blue", finder = grid:finder { ignore = { "blue", "doors" } } } -- has the key

local function station(side, x, y) grid:block(x, y, side.name) end

local function show(title, side, sx, sy, gx, gy)
  local path, reason = side.finder:find_path(sx, sy, gx, gy)
  print(("%s: %s"):format(title, path and ("cost %.2f"):format(path.cost) or "no way, " .. reason))
  print(grid:draw(path))
end

for y = 2, 6 do station(red, 6, y) end
show("red passes its own line", red, 2, 4, 18, 4)
show("blue does not", blue, 18, 4, 2, 4)

grid:unblock(6, 2, red.name)
show("one steps aside", blue, 18, 4, 2, 4)

grid:block(10, 4, "doors")
show("the door shuts: blue has the key", blue, 18, 4, 2, 4)
show("red has none", red, 2, 4, 18, 4)

station(blue, 10, 4)
print("in the doorway stand: " .. table.concat(grid:block_layers(10, 4), ", "))
grid:unblock(10, 4, "doors")
show("the door is open, but somebody stands in it", red, 2, 4, 18, 4)

-- ---- a crowd of blocks ----

-- Everybody is a block and goes to one place. A flow that sees them is blind as soon as somebody is there.
local function gather(layer, ignore)
  local square = astar.grid(15, 7)
  local flow = square:finder({ ignore = ignore }):flow(8, 4)
  local units = {}
  for i = 1, 15 do
    units[i] = { x = i, y = i % 2 == 0 and 1 or 7 }
    square:block(units[i].x, units[i].y, layer)
  end
  local answers = 0
  for _ = 1, 20 do
    for _, unit in ipairs(units) do
      local x, y = flow:next(unit.x, unit.y)
      answers = answers + (x and 1 or 0)
      if x and square:is_walkable(x, y) then
        square:unblock(unit.x, unit.y, layer)
        square:block(x, y, layer)
        unit.x, unit.y = x, y
      end
    end
  end
  print(("%d of %d questions answered"):format(answers, 20 * #units))
  print(square:draw())
end

print "a crowd that sees itself"
gather("", {})
print "a crowd that ignores its layer"
gather("units", { "units" })
