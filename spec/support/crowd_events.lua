-- crowd_events.lua -- random games with a crowd, and what happens in them, to be done alike to several copies.
--
--     local game, grid = crowd_events.draw_game(dice, 16)
--     local crowd, finders, kinds = crowd_events.new_crowd(game, grid)
--     local happen = crowd_events.draw(game)
--     happen(grid, crowd, finders, kinds)                 and to any copy of them
--
-- A game is drawn with 'dice'; what an event does is told by its numbers alone, so that copies whose units are listed
-- in the same order go on alike. 'kinds' says which finder each unit is of, by its number.

local astar = require "astar"
local check = require "spec.support.check"

local crowd_events = {}

function crowd_events.draw_game(dice, largest)
  local width, height = dice:int(5, largest), dice:int(5, largest)
  local diagonals = dice:pick(check.RULES)
  local game = {
    dice = dice, width = width, height = height, x0 = dice:int(-4, 4), y0 = dice:int(-4, 4),
    finders = { { diagonals = diagonals }, { diagonals = dice:pick(check.RULES) } },
    options = {
      seed = dice:int(0, 9), even = dice:chance(0.2), exclusive = dice:chance(0.1), knots = dice:chance(0.8),
      bytes = dice:pick { 64e6, 64e6, 64e6, 3000, 500 }, expansions = dice:pick { 2 ^ 18, 2 ^ 18, 5000, 300, 40 },
    },
    has_paces = dice:chance(0.4),
  }
  if dice:chance(0.4) then game.finders[3] = { diagonals = diagonals, size = 2 } end
  local grid = astar.grid(dice:scatter(width, height, dice:pick { 0, 0.1, 0.2 }), {
    origin = { game.x0, game.y0 },
  })
  grid:terrain(",", 2)
  grid:terrain("m", 3.5)
  function game.draw() return game.x0 + dice:int(0, width - 1), game.y0 + dice:int(0, height - 1) end
  if dice:chance(0.3) then
    for _ = 1, 30 do
      local x, y = game.draw()
      if grid:is_walkable(x, y) then grid:set(x, y, dice:pick { ",", "m" }) end
    end
  end
  if dice:chance(0.2) then
    local x, y = game.draw()
    local x2, y2 = game.draw()
    if x ~= x2 or y ~= y2 then grid:link(x, y, x2, y2) end
  end
  return game, grid
end

function crowd_events.finders_of(game, grid)
  local finders = {}
  for i, options in ipairs(game.finders) do finders[i] = grid:finder(options) end
  return finders
end

-- A crowd with a unit of each finder but its own, and which finder each unit is of, by its number; nil where there is
-- no room for them.
function crowd_events.new_crowd(game, grid)
  local finders, kinds = crowd_events.finders_of(game, grid), {}
  local crowd = astar.crowd(finders[1], game.options)
  for i = 2, #finders do
    for _ = 1, 2000 do
      local x, y = game.draw()
      local unit = crowd:add(x, y, { finder = finders[i] })
      if unit then
        kinds[unit] = i
        break
      end
    end
    if #crowd < i - 1 then return nil end
  end
  return crowd, finders, kinds
end

-- Takes away the link that there is, or makes one: chases that have begun wait as long as there are any.
local function toggle_link(grid, x, y, to_x, to_y)
  local link = grid:links()[1]
  if link then
    grid:unlink(link.x0, link.y0, link.x1, link.y1)
  elseif x ~= to_x or y ~= to_y then
    grid:link(x, y, to_x, to_y)
  end
end

-- What happens next: an order, an edit, or a unit that comes or goes.
function crowd_events.draw(game)
  local dice, kind, x, y = game.dice, game.dice:int(1, 22), game.draw()
  local gx, gy = game.draw()
  local which, other, range, flag = dice:int(1, 1000), dice:int(1, 1000), dice:int(0, 3), dice:chance(0.5)
  local options = {
    side = dice:pick { "red", "blue", false, false } or nil,
    speed = game.has_paces and dice:pick { 4, 2.3, 1, 0.6 } or nil, turn = game.has_paces and dice:pick { 0, 3 } or nil,
  }
  local finder = dice:int(1, #game.finders)
  return function(grid, crowd, finders, kinds)
    local units = crowd:units()
    local unit, prey = units[which % #units + 1], units[other % #units + 1]
    if kind <= 4 and #units < 24 then
      local added = crowd:add(x, y, {
        finder = finders[finder], side = options.side, speed = options.speed, turn = options.turn })
      if added then kinds[added] = finder end
    elseif not unit then return
    elseif kind <= 8 then unit:go(gx, gy, { partial = flag, range = range })
    elseif kind <= 10 then crowd:go(units, gx, gy, { range = range })
    elseif kind == 11 then crowd:go(units, gx, gy, { shape = "box", together = flag })
    elseif kind == 12 and unit ~= prey and #grid:links() == 0 then unit:chase(prey, { range = range + 1 })
    elseif kind == 13 then unit:hold(flag)
    elseif kind == 14 then unit:set_priority(range)
    elseif kind == 15 then unit:stop()
    elseif kind == 16 and #units > 3 then unit:remove()
    elseif kind == 17 then grid:block(x, y)
    elseif kind == 18 then grid:unblock(x, y)
    elseif kind == 19 and grid:is_walkable(x, y) then grid:set(x, y, flag and "m" or ".")
    elseif kind == 20 then crowd:step(1 + range * 50)
    elseif kind == 21 and flag then toggle_link(grid, x, y, gx, gy)
    end
  end
end

return crowd_events
