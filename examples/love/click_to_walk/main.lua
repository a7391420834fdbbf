-- Click to walk: a player finds the way round a wall, and round what you build while it walks.
--
-- Left button: walk there. Right button, also dragged: build or tear down a wall. Escape: leave.

local astar = require "astar"

local SCALE = 40
local SPEED = 6 -- cells a second

local grid = astar.grid(20, 10)
grid:block(4, 2, 1, 8)

local finder = grid:finder()
local view = astar.love.view(grid, {
  scale = SCALE,
  colors = { ["."] = "#3a4a3f" },
  theme = { block = "#2f7fd0", path = "#ffffff" },
})

local game = {
  grid = grid, view = view, x = 2, y = 5, goal_x = 17, goal_y = 5,
  step_x = 2, step_y = 5, last_x = 2, last_y = 5, -- the leg before its route
}

local function nearest_cell()
  return math.floor(game.x + 0.5), math.floor(game.y + 0.5)
end

-- The cell the player is walking to and the one it comes from.
local function leg()
  local walker = game.walker
  if game.is_on_route and walker and not walker.arrived then
    return walker.from_x + walker.dx, walker.from_y + walker.dy, walker.from_x, walker.from_y
  end
  return game.step_x, game.step_y, game.last_x, game.last_y
end

-- Plans the route to the goal anew. A player between two cells first goes on to the next one, so that it
-- never jumps; or back, where a wall has come up on that.
local function plan()
  local x, y, last_x, last_y = leg()
  if not grid:is_walkable(x, y) then
    x, y, last_x, last_y = last_x, last_y, x, y
  end
  game.step_x, game.step_y, game.last_x, game.last_y = x, y, last_x, last_y
  game.is_on_route = false
  game.path, game.reason = finder:find_path(x, y, game.goal_x, game.goal_y)
  game.walker = game.path and astar.walker(game.path, { speed = SPEED })
end

-- Moves the player in a straight line to the cell its route begins with; whether it is there.
local function reach_route(dt)
  local dx, dy = game.step_x - game.x, game.step_y - game.y
  local distance = math.sqrt(dx * dx + dy * dy)
  if distance <= SPEED * dt then
    game.x, game.y = game.step_x, game.step_y
    return true
  end
  game.x, game.y = game.x + dx / distance * SPEED * dt, game.y + dy / distance * SPEED * dt
  return false
end

local function set_goal(x, y)
  game.goal_x, game.goal_y = x, y
  plan()
end

local function set_wall(x, y, is_wall)
  local px, py = nearest_cell()
  if (x == px and y == py) or grid:is_blocked(x, y) == is_wall then
    return
  end
  if is_wall then
    grid:block(x, y)
  else
    grid:unblock(x, y)
  end
  plan()
end

function love.load()
  plan()
end

function love.update(dt)
  if not game.is_on_route then
    game.is_on_route = reach_route(dt)
  elseif game.walker then
    game.x, game.y = game.walker:update(dt)
    if game.walker.arrived then
      game.step_x, game.step_y, game.last_x, game.last_y = game.x, game.y, game.x, game.y
    end
  end
end

function love.mousepressed(px, py, button)
  local x, y = view:to_cell(px, py)
  if not x then
    return
  elseif button == 1 then
    set_goal(x, y)
  elseif button == 2 then
    game.is_building = not grid:is_blocked(x, y)
    set_wall(x, y, game.is_building)
  end
end

function love.mousemoved(px, py)
  local x, y = view:to_cell(px, py)
  if x and love.mouse.isDown(2) then
    set_wall(x, y, game.is_building)
  end
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  end
end

function love.draw()
  view:draw()
  view:draw_lines { 1, 1, 1, 0.08 }
  if game.path then
    view:draw_path(game.path)
  end
  view:draw_cell(game.goal_x, game.goal_y, { 0.8, 0.2, 0.2 }, 0.15)
  view:draw_cell(game.x, game.y, { 0.2, 0.8, 0.4 }, 0.15)
  love.graphics.setColor(1, 1, 1)
  local text = game.path and ("cost %.2f, %d cells"):format(game.path.cost, #game.path) or game.reason
  love.graphics.print(text .. "    left button: walk there    right button: walls", 10, 412)
end

return game
