-- fight.lua -- a fight in turns: action points, cover, and the safest way to a place from which to shoot.
--
-- Each unit has 6 points a turn. Rubble costs 2 points a step, and a shot costs 3. A wall (#) stops units and sight. A
-- crate (o) stops units only: a target behind a crate is in cover. Danger is a field: the damage that the other side
-- could do on each cell. The finders avoid it, but points pay for the ground alone.

local astar = require "astar"

local grid = astar.grid([[
........................
...oo......#......oo....
...........#............
......o....#...o........
.............,,.........
......#####,,,,###......
.............,,.........
......o....#...o........
...........#............
...oo......#......oo....
........................
]], { terrain = { ["."] = 1, [","] = 2, ["#"] = false, o = false } })

local POINTS, SHOT, RANGE, DAMAGE, COVER = 6, 3, 9, 4, 3
local WEIGHTS = { 8, 2, 0.5, 0 } -- how much a unit avoids danger, the most careful way first
local EYES = { opaque = { terrain = { "#" } } }

local function new_side(name, letter, enemy)
  local danger = astar.field(grid) -- where this side is in danger
  local side = { name = name, enemy = enemy, units = {}, danger = danger, finders = {} }
  for i, weight in ipairs(WEIGHTS) do
    side.finders[i] = grid:finder { diagonals = "never", avoid = danger, avoid_weight = weight }
  end
  side.letter = letter
  return side
end

local red, blue = new_side("red", "r"), new_side("blue", "b")
red.enemy, blue.enemy = blue, red

local function add(side, x, y)
  local unit = { side = side, name = side.letter .. #side.units + 1, x = x, y = y, health = 10 }
  side.units[#side.units + 1] = unit
  grid:block(x, y, side.name)
end

for _, y in ipairs { 2, 6, 10 } do add(red, 2, y) end
for _, y in ipairs { 3, 5, 9 } do add(blue, 23, y) end

-- ---- shots ----

-- Returns true if a crate stands beside the target, on the side from which the shot comes.
local function is_in_cover(x, y, from_x, from_y)
  local dx, dy = from_x - x, from_y - y
  local step_x, step_y = dx > 0 and 1 or -1, dy > 0 and 1 or -1
  if math.abs(dx) >= math.abs(dy) then step_y = 0 else step_x = 0 end
  return grid:contains(x + step_x, y + step_y) and grid:get(x + step_x, y + step_y) == "o"
end

-- Returns the damage of a shot from one cell at another, 0 if it cannot hit.
local function damage(finder, from_x, from_y, x, y)
  local is_near = math.max(math.abs(x - from_x), math.abs(y - from_y)) <= RANGE
  if not is_near or not finder:sees(from_x, from_y, x, y, EYES) then return 0 end
  return is_in_cover(x, y, from_x, from_y) and DAMAGE - COVER or DAMAGE
end

-- Fills the danger of a side: the damage that its enemies could do on each cell from where they are.
local function look_out(side)
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      local sum = 0
      for _, enemy in ipairs(side.enemy.units) do
        sum = sum + damage(side.finders[1], enemy.x, enemy.y, x, y)
      end
      side.danger:set(x, y, sum)
    end
  end
end

-- ---- a turn ----

-- Returns the safest path to a cell whose ground the points pay for, and the points that it takes.
local function safest(unit, x, y, points)
  for _, finder in ipairs(unit.side.finders) do
    local path = finder:find_path(unit.x, unit.y, x, y)
    local _, ground = finder:cost_of(path)
    if ground <= points then return path, ground end
  end
end

-- Returns the enemy that a shot from (x, y) hurts most, and the damage.
local function best_target(unit, x, y)
  local best, most = nil, 0
  for _, enemy in ipairs(unit.side.enemy.units) do
    local hurt = damage(unit.side.finders[1], x, y, enemy.x, enemy.y)
    if hurt > most then best, most = enemy, hurt end
  end
  return best, most
end

-- Returns the best cell within the points from which the unit can shoot: much damage, little danger, a short way.
local function best_place(unit)
  local reach = unit.side.finders[1]:reach(unit.x, unit.y, POINTS - SHOT, { count = "ground" })
  local best_x, best_y, best = nil, nil, -math.huge
  for x, y, cost in reach:cells() do
    local _, hurt = best_target(unit, x, y)
    local worth = hurt - unit.side.danger:get(x, y) - cost / 100
    if hurt > 0 and worth > best then best_x, best_y, best = x, y, worth end
  end
  return best_x, best_y
end

local function move(unit, x, y)
  grid:unblock(unit.x, unit.y, unit.side.name)
  unit.x, unit.y = x, y
  grid:block(x, y, unit.side.name)
end

local function remove(unit)
  grid:unblock(unit.x, unit.y, unit.side.name)
  for i, other in ipairs(unit.side.units) do
    if other == unit then table.remove(unit.side.units, i) break end
  end
end

local function shoot(unit)
  local target, hurt = best_target(unit, unit.x, unit.y)
  target.health = target.health - hurt
  local cover = hurt < DAMAGE and ", in cover" or ""
  print(("  %s shoots %s: %d%s%s"):format(unit.name, target.name, hurt, cover, target.health <= 0 and ", out" or ""))
  if target.health <= 0 then remove(target) end
end

-- Walks towards the nearest enemy, as far as the points last, by the careful finder's path.
local function approach(unit)
  local finder, nearest = unit.side.finders[3], nil
  for _, enemy in ipairs(unit.side.enemy.units) do
    local path = finder:find_path(unit.x, unit.y, enemy.x, enemy.y, { range = 2 })
    if path and (not nearest or path.cost < nearest.cost) then nearest = path end
  end
  local last = 1
  while nearest and last < #nearest and select(2, finder:cost_of(nearest, 1, last + 1)) <= POINTS do last = last + 1 end
  if last == 1 then return print(("  %s waits"):format(unit.name)) end
  local _, paid = finder:cost_of(nearest, 1, last)
  local turns = math.ceil(select(2, finder:cost_of(nearest)) / POINTS)
  move(unit, nearest:cell(last))
  print(("  %s walks to %d, %d for %g points, %d turns from the enemy"):format(unit.name, unit.x, unit.y, paid, turns))
end

local function act(unit)
  look_out(unit.side)
  local x, y = best_place(unit)
  if not x then return approach(unit) end
  local path, ground = safest(unit, x, y, POINTS - SHOT)
  if #path > 1 then
    move(unit, x, y)
    print(("  %s goes to %d, %d for %g points, danger %g"):format(unit.name, x, y, ground, unit.side.danger:get(x, y)))
  end
  shoot(unit)
end

local function draw()
  local rows, at = {}, {}
  for _, side in ipairs { red, blue } do
    for _, unit in ipairs(side.units) do at[unit.x .. "," .. unit.y] = unit.side.letter end
  end
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    local row = {}
    for x = x0, x1 do row[#row + 1] = at[x .. "," .. y] or grid:get(x, y) end
    rows[#rows + 1] = table.concat(row)
  end
  print(table.concat(rows, "\n"))
end

draw()
local turn = 0
repeat
  turn = turn + 1
  for _, side in ipairs { red, blue } do
    print(("turn %d, %s"):format(turn, side.name))
    for _, unit in ipairs { side.units[1], side.units[2], side.units[3] } do
      if #side.enemy.units > 0 then act(unit) end
    end
  end
  if turn % 3 == 0 then draw() end
until #red.units == 0 or #blue.units == 0 or turn == 20

local winner = #blue.units == 0 and red or #red.units == 0 and blue
draw()
print(winner and ("%s wins in turn %d with %d units"):format(winner.name, turn, #winner.units) or "nobody wins")
