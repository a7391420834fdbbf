-- Hexagons: a skirmish in turns. Your knights are blue, the bandits red.
--
-- Left button: choose a knight, then a cell within its reach, in white. A bandit beside a knight that has
-- moved next to it is out; so is a knight that a bandit reaches. Space: the bandits' turn. Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"

local SPEED = 5 -- cells a second

local MAP = [[
........ff........
..ff....fff...~~..
.ffff...ff...~~...
..fff.......~~....
.....mm....~~.....
....mmm...........
...mmm....~~...f..
....m....~~...fff.
........~~....fff.
.ff....~~......f..
.fff..~~..........
..ff..~~..........
]]

local grid = astar.grid(MAP, {
  shape = "hex", offset = "odd_r", terrain = { ["."] = 1, f = 2, m = 4, ["~"] = false },
})
for x = 3, 8 do -- a palisade, with a gap at its end
  grid:wall(x, 9, "south_west")
  grid:wall(x, 9, "south_east")
end

local finder = grid:finder()
local view = astar.love.view(grid, {
  colors = { ["."] = look.COLORS.grass, f = look.COLORS.forest, m = look.COLORS.rock, ["~"] = look.COLORS.water },
  theme = { block = look.COLORS.grass, wall = "#4a3020", path = "#ffffff" },
})

local COLORS = { knight = look.COLORS.knight, bandit = look.COLORS.bandit }
local legend = look.legend({
  { COLORS.knight, "knight: yours" }, { COLORS.bandit, "bandit" }, { look.COLORS.forest, "forest: twice the work" },
  { look.COLORS.rock, "mountain: four times the work" }, { look.COLORS.water, "water: no way" },
  { { 0.29, 0.19, 0.13 }, "palisade: no way through" },
}, {
  { "left button", "choose a knight, then where it goes" }, { "Space", "the bandits' turn" }, { "Escape", "leave" },
})
local game = { grid = grid, view = view, units = {}, turn = 1, text = "Choose a knight." }

-- Who stands somewhere blocks the cell; who moves on frees it.
local function place(unit, x, y)
  if unit.x then
    grid:unblock(unit.x, unit.y)
  end
  unit.x, unit.y = x, y
  if x then
    grid:block(x, y)
  end
end

local function add(kind, x, y, points)
  local unit = { kind = kind, points = points, left = points }
  place(unit, x, y)
  game.units[#game.units + 1] = unit
end

for i, at in ipairs { { 2, 5 }, { 1, 7 }, { 3, 10 } } do
  add("knight", at[1], at[2], 4 + i % 2)
end
for _, at in ipairs { { 17, 3 }, { 16, 6 }, { 17, 10 }, { 13, 12 } } do
  add("bandit", at[1], at[2], 3)
end

local function unit_at(x, y)
  for _, unit in ipairs(game.units) do
    if unit.x == x and unit.y == y then
      return unit
    end
  end
end

local function remove(lost)
  place(lost, nil)
  for i, unit in ipairs(game.units) do
    if unit == lost then
      table.remove(game.units, i)
    end
  end
end

-- The first of another kind beside a unit.
local function foe_beside(unit)
  for _, direction in ipairs { "east", "south_east", "south_west", "west", "north_west", "north_east" } do
    local x, y = grid:neighbour(unit.x, unit.y, direction)
    local other = x and not grid:has_wall(unit.x, unit.y, direction) and unit_at(x, y)
    if other and other.kind ~= unit.kind then
      return other
    end
  end
end

local function strike(unit)
  local foe = foe_beside(unit)
  if foe then
    remove(foe)
    game.text = ("A %s is out."):format(foe.kind)
  end
end

-- Walks a unit along a path; who it comes beside is struck when it is there. It blocks where it comes from until
-- then: in the block of a cell that it walks to it would stand in its own way.
local function walk(unit, path)
  unit.left = unit.left - path.cost
  unit.walker = astar.walker(path, { speed = SPEED })
  game.walking = unit
end

local function choose(unit)
  game.chosen = unit
  game.reach = unit and finder:reach(unit.x, unit.y, unit.left)
end

-- The longest way along a path that a unit has points for.
local function affordable(unit, path)
  local reach, last = finder:reach(unit.x, unit.y, unit.left), 1
  for i = 2, #path do
    local x, y = path:cell(i)
    if not reach:distance(x, y) then
      break
    end
    last = i
  end
  return last > 1 and reach:path(path:cell(last)) or nil
end

-- A bandit comes as near to a knight as its points let it.
local function play_bandit(unit)
  local knights = {}
  for _, other in ipairs(game.units) do
    if other.kind == "knight" then
      knights[#knights + 1] = { other.x, other.y }
    end
  end
  local path = #knights > 0 and finder:find_nearest(unit.x, unit.y, knights, { range = 1 })
  path = path and affordable(unit, path)
  if path then
    walk(unit, path)
  else
    strike(unit)
  end
end

local function end_turn()
  choose(nil)
  game.queue = {}
  for _, unit in ipairs(game.units) do
    unit.left = unit.points
    if unit.kind == "bandit" then
      game.queue[#game.queue + 1] = unit
    end
  end
  game.turn = game.turn + 1
end

function love.update(dt)
  local unit = game.walking
  if unit then
    local _, _, arrived = unit.walker:update(dt)
    if arrived then
      place(unit, unit.walker:cell())
      game.walking, unit.walker = nil, nil
      strike(unit)
    end
  elseif game.queue and #game.queue > 0 then
    local bandit = table.remove(game.queue, 1)
    if bandit.x then
      play_bandit(bandit)
    end
  end
end

function love.mousepressed(px, py)
  local x, y = view:to_cell(px, py)
  local unit = x and unit_at(x, y)
  if not x or game.walking then
    return
  elseif unit and unit.kind == "knight" then
    choose(unit)
  elseif game.chosen then
    local path = game.reach:path(x, y)
    if path then
      walk(game.chosen, path)
    end
    choose(nil)
  end
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  elseif key == "space" and not game.walking then
    end_turn()
  end
  look.key(key)
end

function love.resize()
  legend:fit(view, 10)
end

function love.load()
  love.resize()
end

-- Trees, peaks and waves: what the ground is, without a legend, too.
local function draw_ground()
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      local px, py = view:to_pixel(grid:center(x, y))
      local key, s = grid:get(x, y), view.scale
      if key == "f" then
        love.graphics.setColor(0.16, 0.36, 0.18)
        for i = -1, 1, 2 do
          love.graphics.polygon("fill", px + i * s * 0.2, py - s * 0.3, px + i * s * 0.2 - s * 0.12, py + s * 0.12,
            px + i * s * 0.2 + s * 0.12, py + s * 0.12)
        end
      elseif key == "m" then
        love.graphics.setColor(0.42, 0.35, 0.27)
        love.graphics.polygon("fill", px - s * 0.3, py + s * 0.28, px, py + s * 0.02, px + s * 0.3, py + s * 0.28)
        love.graphics.polygon("fill", px + s * 0.02, py - s * 0.06, px + s * 0.16, py - s * 0.3,
          px + s * 0.32, py - s * 0.06)
      elseif key == "~" then
        love.graphics.setColor(0.55, 0.74, 0.92)
        for i = -1, 1, 2 do
          love.graphics.line(px - s * 0.25, py + i * s * 0.2, px - s * 0.08, py + i * s * 0.2 - s * 0.06, px + s * 0.08,
            py + i * s * 0.2, px + s * 0.25, py + i * s * 0.2 - s * 0.06)
        end
      end
    end
  end
end

-- Somebody on a ring in its side's colour, above a bar of the points that are left.
local function draw_unit(unit)
  local x, y = grid:center(unit.x, unit.y)
  local walker, s = unit.walker, view.scale
  if walker then
    x, y = walker.x, walker.y
  end
  local px, py = view:to_pixel(x, y)
  love.graphics.setColor(COLORS[unit.kind])
  love.graphics.setLineWidth(unit == game.chosen and 4 or 2)
  love.graphics.ellipse("line", px, py + s * 0.2, s * 0.34, s * 0.16)
  if unit == game.chosen then
    love.graphics.setColor(1, 1, 1)
    love.graphics.setLineWidth(2)
    love.graphics.ellipse("line", px, py + s * 0.2, s * 0.38, s * 0.2)
  end
  love.graphics.setLineWidth(1)
  local phase = walker and love.timer.getTime() * SPEED or 0
  art.draw_person(view, x, y - 0.1, unit.kind, phase, walker and walker.angle, nil, 0.8)
  local full = s * 0.5
  love.graphics.setColor(0, 0, 0, 0.5)
  love.graphics.rectangle("fill", px - full / 2, py + s * 0.38, full, s * 0.07)
  love.graphics.setColor(look.COLORS.goal)
  love.graphics.rectangle("fill", px - full / 2, py + s * 0.38, full * math.max(0, unit.left) / unit.points, s * 0.07)
end

function love.draw()
  look.clear()
  view:draw()
  draw_ground()
  view:draw_lines { 0, 0, 0, 0.25 }
  if game.chosen then
    for x, y in game.reach:cells() do
      view:draw_cell(x, y, { 1, 1, 1, 0.35 }, 0.05)
    end
    local x, y = view:to_cell(love.mouse.getPosition())
    local path = x and game.reach:path(x, y)
    if path then
      view:draw_path(path)
    end
  end
  for _, unit in ipairs(game.units) do
    draw_unit(unit)
  end
  legend:draw(("Turn %d.   %s"):format(game.turn, game.text))
end

return game
