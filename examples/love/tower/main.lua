-- A tower: three floors side by side on one grid, stairs and a shaft between them.
--
-- Left button: walk there, on whatever floor. Right button: shut or open a door where there is one, or
-- put up a crate. Escape: leave.

local astar = require "astar"

local SCALE = 26
local SPEED = 5 -- cells a second

local tower = astar.floors({ [[
##########
#....#...#
#....#...#
#........#
#....#...#
##########
]], [[
##########
#........#
#..####..#
#..#..#..#
#.....#..#
##########
]], [[
##########
#...##...#
#........#
#...##...#
#...##...#
##########
]] }, { terrain = { ["."] = 1, ["#"] = false } })

local STAIRS = { -- x, y, z there and back, and what it costs
  { 9, 5, 1, 9, 5, 2, 2, "stairs" },
  { 2, 2, 2, 2, 2, 3, 2, "stairs" },
  { 9, 2, 3, 9, 2, 1, 1, "shaft", true }, -- down alone
}
for _, link in ipairs(STAIRS) do
  tower:link(link[1], link[2], link[3], link[4], link[5], link[6],
    { cost = link[7], label = link[8], one_way = link[9] })
end

local grid = tower.grid
local finder = grid:finder { partial = true, bends = "fewer" }
local view = astar.love.view(grid, {
  x = 15, y = 60, scale = SCALE,
  colors = { ["."] = "#3c3f52", ["#"] = "#6b5a4b" },
  theme = { block = "#15161c", path = "#ffffff" },
})

local start_x, start_y = tower:at(2, 2, 1)
local game = { tower = tower, grid = grid, view = view, finder = finder }
game.walker = astar.walker(finder:find_path(start_x, start_y, start_x, start_y), { speed = SPEED })
game.goal_x, game.goal_y = tower:at(6, 5, 2)

-- The route to the goal from where the player is, in mid-step too.
local function plan()
  local x, y = game.walker:cell()
  game.walker:follow(finder:find_path(x, y, game.goal_x, game.goal_y))
end

local function is_player_at(x, y)
  return math.abs(x - game.walker.x) < 1 and math.abs(y - game.walker.y) < 1
end

function love.load()
  plan()
end

function love.update(dt)
  game.walker:update(dt)
end

function love.mousepressed(px, py, button)
  local x, y = view:to_cell(px, py)
  if not x or not pcall(tower.of, tower, x, y) then
    return -- beside the floors
  elseif button == 1 then
    game.goal_x, game.goal_y = x, y
  elseif button == 2 and not is_player_at(x, y) then
    if grid:is_blocked(x, y) then
      grid:unblock(x, y)
    else
      grid:block(x, y)
    end
  end
  plan()
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  end
end

function love.draw()
  view:draw()
  view:draw_path(game.walker.path)
  for _, link in ipairs(STAIRS) do
    local x, y = tower:at(link[1], link[2], link[3])
    view:draw_cell(x, y, { 0.9, 0.8, 0.3 }, 0.3)
    x, y = tower:at(link[4], link[5], link[6])
    view:draw_cell(x, y, { 0.9, 0.8, 0.3 }, 0.3)
  end
  view:draw_cell(game.goal_x, game.goal_y, { 0.8, 0.2, 0.2 }, 0.15)
  view:draw_cell(game.walker.x, game.walker.y, { 0.2, 0.8, 0.4 }, 0.15)
  love.graphics.setColor(1, 1, 1)
  for z, name in ipairs { "cellar", "ground floor", "roof" } do
    local x, y = view:to_pixel(tower:at(1, 1, z))
    love.graphics.print(name, x, y - 34)
  end
  local path = game.walker.path
  love.graphics.print(("cost %.2f, %d cells%s    left button: walk there    right button: crates"):format(path.cost,
    #path, path.partial and ", as near as can be" or ""), 15, 280)
end

return game
