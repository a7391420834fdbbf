-- A tower: three floors side by side on one grid, stairs and a shaft between them.
--
-- Left button: walk there, on whatever floor. Right button: shut or open a door where there is one, or
-- put up a crate. Escape: leave.

local astar = require "astar"
local look = require "look"

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
  colors = { ["."] = "#3c3f52", ["#"] = "#6b5a4b" },
  theme = { block = "#15161c", path = "#ffffff" },
})

local PLAYER, GOAL, WAY = { 0.2, 0.8, 0.4 }, { 0.8, 0.2, 0.2 }, { 0.9, 0.8, 0.3 }
local legend = look.legend({
  { PLAYER, "you" }, { GOAL, "where to" }, { { 1, 1, 1 }, "route" }, { WAY, "stairs" },
  { { 0.5, 0.35, 0.85 }, "shaft: down" }, { { 0.72, 0.52, 0.30 }, "crate" },
}, { { "left button", "walk there, on whatever floor" }, { "right button", "a crate" }, { "Escape", "leave" } })

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

function love.resize()
  legend:fit(view, 34)
end

function love.load()
  love.resize()
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

local function is_wall(x, y)
  return grid:get(x, y) == "#" and pcall(tower.of, tower, x, y)
end

-- Treads from a landing on, or the black of the shaft.
local function draw_landing(x, y, is_shaft)
  local px, py = view:to_pixel(x, y)
  local half = view.scale * 0.38
  love.graphics.setColor(is_shaft and { 0.5, 0.35, 0.85 } or WAY)
  love.graphics.rectangle("fill", px - half, py - half, 2 * half, 2 * half, 3)
  love.graphics.setColor(0, 0, 0, 0.45)
  if is_shaft then
    love.graphics.circle("fill", px, py, half * 0.7)
  else
    for i = 1, 3 do
      love.graphics.rectangle("fill", px - half + i * half / 2, py - half, half / 5, 2 * half)
    end
  end
end

local function draw_crates()
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      if grid:is_blocked(x, y) and pcall(tower.of, tower, x, y) then
        local px, py = view:to_pixel(x, y)
        local half = view.scale * 0.4
        love.graphics.setColor(0.72, 0.52, 0.30)
        love.graphics.rectangle("fill", px - half, py - half, 2 * half, 2 * half, 2)
        love.graphics.setColor(0.4, 0.27, 0.14)
        love.graphics.rectangle("line", px - half, py - half, 2 * half, 2 * half, 2)
        love.graphics.line(px - half, py - half, px + half, py + half)
      end
    end
  end
end

local function draw_names()
  love.graphics.setColor(0.9, 0.92, 0.95)
  for z, name in ipairs { "cellar", "ground floor", "roof" } do
    local px, py = view:to_pixel(tower:at(1, 1, z))
    love.graphics.print(name, px - view.scale / 2, py - view.scale / 2 - 24, 0, 1.2)
  end
end

function love.draw()
  love.graphics.clear(0.08, 0.085, 0.11)
  view:draw()
  look.relief(view, grid, is_wall)
  for _, link in ipairs(STAIRS) do
    local is_shaft = link[8] == "shaft"
    local x, y = tower:at(link[1], link[2], link[3])
    draw_landing(x, y, is_shaft)
    x, y = tower:at(link[4], link[5], link[6])
    draw_landing(x, y, is_shaft)
  end
  draw_crates()
  local path = game.walker.path
  view:draw_path(path)
  look.goal(view, game.goal_x, game.goal_y, GOAL)
  look.token(view, game.walker.x, game.walker.y, PLAYER, game.walker.heading)
  draw_names()
  legend:draw(("cost %.2f, %d cells%s"):format(path.cost, #path, path.partial and ", as near as can be" or ""))
end

return game
