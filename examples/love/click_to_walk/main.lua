-- Click to walk: a player finds the way round a wall, and round what you build while it walks.
--
-- Left button: walk there. Right button, also dragged: build or tear down a wall. Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"

local SPEED = 6 -- cells a second

local grid = astar.grid(20, 10)
grid:block(4, 2, 1, 8)

local finder = grid:finder { partial = true } -- what cannot be reached is walked up to
local view = astar.love.view(grid)

local COLORS = look.COLORS
local legend = look.legend({
  { COLORS.player, "you" }, { COLORS.goal, "where to" }, { COLORS.route, "your way" }, { COLORS.wall, "wall" },
}, { { "left button", "walk there" }, { "right button", "build or tear down, also dragged" }, { "Escape", "leave" } })

local walker = astar.walker(finder:find_path(2, 5, 2, 5), { speed = SPEED })
local game = { grid = grid, view = view, walker = walker, x = 2, y = 5, goal_x = 17, goal_y = 5, walked = 0 }
local ground = art.ground(grid, function(x, y)
  if grid:is_blocked(x, y) then return "wall" end
  return "grass", (x * 7919 + y * 104729) % 17 == 0 and "flowers"
end)

-- The route to the goal from where the player is; it follows that without a jump.
local function plan()
  local x, y = walker:cell()
  game.path = finder:find_path(x, y, game.goal_x, game.goal_y)
  walker:follow(game.path)
end

local function set_goal(x, y)
  game.goal_x, game.goal_y = x, y
  plan()
end

-- No wall comes up on the cells that the player is on or between.
local function is_player_at(x, y)
  return math.abs(x - game.x) < 1 and math.abs(y - game.y) < 1
end

local function set_wall(x, y, is_wall)
  if is_player_at(x, y) or grid:is_blocked(x, y) == is_wall then
    return
  end
  if is_wall then
    grid:block(x, y)
  else
    grid:unblock(x, y)
  end
  plan()
end

function love.resize()
  legend:fit(view, 0)
end

function love.load()
  love.resize()
  plan()
end

function love.update(dt)
  game.x, game.y = walker:update(dt)
  if not walker.arrived then game.walked = game.walked + SPEED * dt end
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

-- A quick hand jumps over cells: builds on those between, too.
function love.mousemoved(px, py, dx, dy)
  if not love.mouse.isDown(2) then
    return
  end
  local steps = math.max(1, math.ceil(math.max(math.abs(dx), math.abs(dy)) / view.scale))
  for i = steps - 1, 0, -1 do
    local x, y = view:to_cell(px - dx * i / steps, py - dy * i / steps)
    if x then
      set_wall(x, y, game.is_building)
    end
  end
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  end
  look.key(key)
end

function love.draw()
  look.clear()
  ground:draw(view)
  look.relief(view, grid, function(x, y) return grid:is_blocked(x, y) end)
  view:draw_lines { 0, 0, 0, 0.06 }
  look.route(view, game.path)
  look.goal(view, game.goal_x, game.goal_y)
  art.draw_person(view, game.x, game.y, "player", game.walked, not walker.arrived and walker.heading or nil)
  legend:draw(game.path.partial and "There is no way: you go as near as you can."
    or ("The way costs %.1f and has %d cells."):format(game.path.cost, #game.path))
end

return game
