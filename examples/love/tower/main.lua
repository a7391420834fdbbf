-- A tower: three floors side by side on one grid, stairs and a shaft between them.
--
-- Left button: walk there, on whatever floor. Right button: shut or open a door where there is one, or
-- put up a crate. Escape: leave.

local art = require "art"
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
local view = astar.love.view(grid)

local COLORS = look.COLORS
local legend = look.legend({
  { COLORS.player, "you" }, { COLORS.goal, "where to" }, { COLORS.route, "your way" }, { COLORS.wall, "wall" },
  { { 0.81, 0.74, 0.53 }, "stairs" }, { { 0.09, 0.094, 0.114 }, "shaft: down" }, { { 0.65, 0.45, 0.25 }, "crate" },
}, { { "left button", "walk there, on whatever floor" }, { "right button", "a crate" }, { "Escape", "leave" } })

local start_x, start_y = tower:at(2, 2, 1)
local game = { tower = tower, grid = grid, view = view, finder = finder, walked = 0 }

-- The floor of a cell, nil for the gaps between the floors.
local function floor_of(x, y)
  local ok, _, _, z = pcall(tower.of, tower, x, y)
  return ok and z or nil
end

local landings = {} -- the tile of each cell where stairs or the shaft begin or end
for _, link in ipairs(STAIRS) do
  for i = 1, 4, 3 do
    local x, y = tower:at(link[i], link[i + 1], link[i + 2])
    landings[y * 1000 + x] = link[8]
  end
end

local ground = art.ground(grid, function(x, y)
  if not floor_of(x, y) then return end
  if grid:get(x, y) == "#" then return "wall" end
  return "floor", landings[y * 1000 + x], grid:is_blocked(x, y) and "crate"
end)
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
  legend:fit(view, 30)
end

function love.load()
  love.resize()
  plan()
end

function love.update(dt)
  game.walker:update(dt)
  if not game.walker.arrived then game.walked = game.walked + SPEED * dt end
end

function love.mousepressed(px, py, button)
  local x, y = view:to_cell(px, py)
  if not x or not floor_of(x, y) then
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
  look.key(key)
end

local function is_wall(x, y)
  return floor_of(x, y) and grid:get(x, y) == "#"
end

-- Somebody on the stairs is not between the floors: it sinks into the one landing, and rises from the other.
local function draw_player()
  local walker, x, y, size = game.walker, game.walker.x, game.walker.y, 1
  if walker.link then
    local from_x, from_y = walker.path:cell(walker.index)
    local to_x, to_y = walker.path:cell(walker.index + 1)
    local whole = math.sqrt((to_x - from_x) ^ 2 + (to_y - from_y) ^ 2)
    local part = math.sqrt((x - from_x) ^ 2 + (y - from_y) ^ 2) / whole
    size = math.max(0.05, math.abs(2 * part - 1))
    x, y = part < 0.5 and from_x or to_x, part < 0.5 and from_y or to_y
  end
  game.shown_x, game.shown_y = x, y
  art.draw_person(view, x, y, "player", game.walked, not walker.arrived and walker.heading or nil, nil, size)
end

local function draw_names()
  love.graphics.setColor(look.theme().bright)
  for z, name in ipairs { "cellar", "ground floor", "roof" } do
    local px, py = view:to_pixel(tower:at(1, 1, z))
    look.write(name, px - view.scale / 2, py - view.scale / 2 - 24, 16)
  end
end

function love.draw()
  look.clear()
  ground:draw(view)
  look.relief(view, grid, is_wall)
  local path = game.walker.path
  game.drawn = look.route(view, path)
  look.goal(view, game.goal_x, game.goal_y)
  draw_player()
  draw_names()
  legend:draw(path.partial and "There is no way: you go as near as you can."
    or ("Your way costs %.1f and has %d cells."):format(path.cost, #path))
end

return game
