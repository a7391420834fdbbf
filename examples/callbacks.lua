-- callbacks.lua -- costs that only the game knows: a function returns the cost of a cell or of a step.

local astar = require "astar"

-- cost(x, y, terrain, cost) is what the cell costs, or false where nobody may go.
local field = astar.grid(32, 11)
local archers = { { x = 11, y = 7 }, { x = 20, y = 4 } }
for _, archer in ipairs(archers) do
  field:block(archer.x, archer.y)
end

local function danger(x, y, _, cost)
  for _, archer in ipairs(archers) do
    local distance = math.max(math.abs(archer.x - x), math.abs(archer.y - y))
    if distance == 1 then
      return false
    end
    cost = cost + 8 / distance ^ 2
  end
  return cost
end

local careless = field:find_path(2, 6, 31, 6)
local careful = field:find_path(2, 6, 31, 6, { cost = danger })
print(("Careless, cost %.2f:"):format(careless.cost))
print(field:draw(careless))
print(("Out of the archers' way, cost %.2f:"):format(careful.cost))
print(field:draw(careful))

-- step_cost(x, y, nx, ny, cost) is what the whole step costs; it need not be the same both ways.
-- Here a hill: up is hard work, and down costs less than level ground. Where a function may go
-- below what the ground costs, min_cost has to say how far.
local HEIGHTS = [[
..............................
.........1111111111...........
.......111222222221111........
......11122333333222111.......
......11122333333222111.......
.......111222222221111........
.........1111111111...........
..............................
]]
local hill = astar.grid(HEIGHTS, { terrain = { ["."] = 1, ["1"] = 1, ["2"] = 1, ["3"] = 1 } })

local function height(x, y)
  return tonumber(hill:get(x, y)) or 0 -- a callback may ask any grid, but not edit this one
end

local function slope(x, y, nx, ny, cost)
  local rise = height(nx, ny) - height(x, y)
  return rise > 0 and cost * (1 + 4 * rise) or cost * 0.8 ^ -rise
end

local climber = hill:finder { step_cost = slope, min_cost = 0.5 }
local across = climber:find_path(2, 5, 29, 5)
local up = climber:find_path(2, 5, 14, 5)
print(("Across, cost %.2f:"):format(across.cost))
print(hill:draw(across))
print(("Up, cost %.2f, and back down, cost %.2f:"):format(up.cost, up:reverse().cost))
print(hill:draw(up))
