-- callbacks.lua -- costs that only the game knows: a function tells what a cell or a step costs.

local astar = require "astar"

local grid = astar.grid(32, 9)
grid:block(16, 1, 1, 3)
grid:block(16, 7, 1, 3)

-- cost(x, y, terrain, cost): the cell's cost, or false. Here: keep away from the archers.
local archers = { { x = 16, y = 5 }, { x = 22, y = 8 } }

local function danger(x, y, _, cost)
  for _, archer in ipairs(archers) do
    local distance = math.max(math.abs(archer.x - x), math.abs(archer.y - y))
    if distance == 0 then
      return false -- nobody walks over an archer
    end
    cost = cost + 8 / distance ^ 2
  end
  return cost
end

local careless = grid:find_path(2, 5, 31, 5)
local careful = grid:find_path(2, 5, 31, 5, { cost = danger })
print(("Straight on, cost %g:"):format(careless.cost))
print(grid:draw(careless))
print(("Past two archers, cost %.1f:"):format(careful.cost))
print(grid:draw(careful))

-- step_cost(x, y, nx, ny, cost): the whole step's cost. Here: a hill; going up is hard work, going
-- down costs a little less than level ground. min_cost says how little at least.
local function height(x, y)
  return 9 - math.max(math.abs(x - 10), 2 * math.abs(y - 5))
end

local function slope(x, y, nx, ny, cost)
  local rise = math.max(height(nx, ny), 0) - math.max(height(x, y), 0)
  return rise > 0 and cost * (1 + rise) or cost * 0.9 ^ -rise
end

local climber = grid:finder { step_cost = slope, min_cost = 0.5 }
local up = climber:find_path(1, 4, 10, 5)
local over = climber:find_path(1, 4, 20, 4)
print(("Up the hill costs %.2f, back down %.2f; around it:"):format(up.cost, up:reverse().cost))
print(grid:draw(over))
